-- name: AddBoat :one
INSERT INTO boat (name) VALUES ($1) RETURNING id, name;
-- name: AddOar :one
INSERT INTO oar (boat_id) VALUES ($1) RETURNING *;
-- name: BoatsSince :many
SELECT id, name FROM boat WHERE id >= sqlc.arg(begin)::timestamptz;
-- name: BoatsByID :many
SELECT id, name FROM boat WHERE id = ANY(sqlc.arg(ids)::text[]::ulid[]);
