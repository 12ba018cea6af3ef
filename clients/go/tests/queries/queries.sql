-- name: AddBoat :one
INSERT INTO boat (name) VALUES ($1) RETURNING *;
-- name: AddBoats :copyfrom
INSERT INTO boat (id, name, friends) VALUES ($1, $2, $3);
-- name: AddOar :one
INSERT INTO oar (boat_id) VALUES ($1) RETURNING *;
-- name: BoatsSince :many
SELECT * FROM boat WHERE id >= sqlc.arg(begin)::timestamptz;
-- name: BoatsByID :many
SELECT * FROM boat WHERE id = ANY(sqlc.arg(ids)::ulid[]) ORDER BY id;
-- name: Befriend :exec
UPDATE boat SET friends = $2 WHERE id = $1;
-- name: VisitorsSince :many
SELECT * FROM visitor WHERE id >= uuidv7_min(sqlc.arg(begin)::timestamptz);
