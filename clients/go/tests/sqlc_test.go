package tests

import (
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	pgulid "example.org/ulid/clients/go"
	"example.org/ulid/clients/go/pgxulid"
	"example.org/ulid/clients/go/tests/queries"
	. "example.org/ulid/clients/go/tests/server"
)

func TestSqlc(t *testing.T) {
	conn := Database(t)
	Must(conn.Exec(ctx, string(Must(os.ReadFile("queries/schema.sql")))))
	Check(pgxulid.Register(ctx, conn))
	begin := pgtype.Timestamptz{Time: time.Now().Add(-time.Minute), Valid: true}
	db := queries.New(conn)
	first := Must(db.AddBoat(ctx, pgtype.Text{String: "first", Valid: true}))
	second := Must(db.AddBoat(ctx, pgtype.Text{}))
	Equal(t, "the default comes back", first.ID.String() < second.ID.String(), true)
	Equal(t, "a range of time", len(Must(db.BoatsSince(ctx, begin))), 2)
	both := []pgulid.ID{first.ID, second.ID}
	Check(db.Befriend(ctx, queries.BefriendParams{ID: first.ID, Friends: both}))
	boats := Must(db.BoatsByID(ctx, both))
	Equal(t, "ids as an array, and a column with an array", []any{len(boats), boats[0].Friends, boats[1].Friends == nil}, []any{2, both, true})
	Equal(t, "a reference", *Must(db.AddOar(ctx, &first.ID)).BoatID, first.ID)
	Equal(t, "a reference that is NULL", Must(db.AddOar(ctx, nil)).BoatID, (*pgulid.ID)(nil))
	added := []queries.AddBoatsParams{{ID: pgulid.New(), Friends: both}, {ID: pgulid.New()}, {ID: pgulid.New(), Friends: []pgulid.ID{}}}
	Equal(t, "COPY", Must(db.AddBoats(ctx, added)), int64(3))
	boats = Must(db.BoatsByID(ctx, []pgulid.ID{added[0].ID, added[1].ID, added[2].ID}))
	Equal(t, "what COPY wrote", []any{len(boats), boats[0].Friends, boats[2].Friends}, []any{3, both, []pgulid.ID{}})
	Must(conn.Exec(ctx, "INSERT INTO visitor VALUES (DEFAULT, 'now'), (uuidv7_min('2020-01-01'), 'before')"))
	Equal(t, "a range of time on a uuid column", Must(db.VisitorsSince(ctx, begin))[0].Name.String, "now")
}
