// Ent with the code that it generates from ent/schema, and sqlc with the code that it generates from queries.sql.
package main

import (
	"clients/ent"
	"clients/ent/boat"
	"clients/queries"
	"context"
	"database/sql"
	"os"
	"pgulid"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	_ "github.com/jackc/pgx/v5/stdlib"
)

var ctx = context.Background()
var begin = time.Now().Add(-time.Minute)

func testEnt(db *sql.DB) {
	client := ent.NewClient(ent.Driver(entsql.OpenDB(dialect.Postgres, db)))
	check(client.Schema.Create(ctx))
	check(client.Schema.Create(ctx))
	var types string
	check(db.QueryRow(`
		SELECT string_agg(attname || ' ' || format_type(atttypid, -1), ', ' ORDER BY attname) FROM pg_attribute
		WHERE attrelid = 'oars'::regclass AND attnum > 0`).Scan(&types))
	equal("Ent: the schema, created twice", types, "boat_id ulid, id ulid")
	first := must(client.Boat.Create().SetName("first").Save(ctx))
	second := must(client.Boat.Create().Save(ctx))
	equal("Ent: find", must(client.Boat.Get(ctx, first.ID)).Name, "first")
	equal("Ent: a range of time", must(client.Boat.Query().Where(func(s *entsql.Selector) {
		// doc/clients/go.md: s.Where
	}).Count(ctx)), 2)
	oar := must(client.Oar.Create().SetBoat(first).Save(ctx))
	equal("Ent: a reference", must(oar.QueryBoat().Only(ctx)).ID, first.ID)
	equal("Ent: ids as a list", must(client.Boat.Query().Where(boat.IDIn(first.ID, second.ID)).Count(ctx)), 2)
	equal("Ent: ids alone", must(client.Boat.Query().Order(boat.ByID()).IDs(ctx)), []pgulid.ID{first.ID, second.ID})
	equal("Ent: Exist", must(client.Boat.Query().Exist(ctx)), true)
	var made pgulid.ID
	check(db.QueryRow("INSERT INTO boats (name) VALUES ('by SQL') RETURNING id").Scan(&made))
	equal("Ent: the database's default, for others", made.String() > second.ID.String(), true)
}

func testSqlc(conn *pgx.Conn) {
	must(conn.Exec(ctx, string(must(os.ReadFile("V1__tables.sql")))))
	db := queries.New(conn)
	first := must(db.AddBoat(ctx, pgtype.Text{String: "first", Valid: true}))
	second := must(db.AddBoat(ctx, pgtype.Text{}))
	equal("sqlc: the default comes back", first.ID.String() < second.ID.String(), true)
	equal("sqlc: a range of time", len(must(db.BoatsSince(ctx, pgtype.Timestamptz{Time: begin, Valid: true}))), 2)
	equal("sqlc: ids as an array", len(must(db.BoatsByID(ctx, []string{first.ID.String(), second.ID.String()}))), 2)
	equal("sqlc: a reference", *must(db.AddOar(ctx, &first.ID)).BoatID, first.ID)
	equal("sqlc: a reference that is NULL", must(db.AddOar(ctx, nil)).BoatID, (*pgulid.ID)(nil))
}

func main() {
	testEnt(must(sql.Open("pgx", "")))
	testSqlc(must(pgx.Connect(ctx, "")))
}
