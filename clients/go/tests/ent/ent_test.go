// Package ent_test needs what `go generate ./...` makes.
package ent_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	_ "github.com/jackc/pgx/v5/stdlib"

	pgulid "example.org/ulid/clients/go"
	"example.org/ulid/clients/go/tests/ent/generated/ent"
	"example.org/ulid/clients/go/tests/ent/generated/ent/boat"
	. "example.org/ulid/clients/go/tests/server"
)

var ctx = context.Background()

//go:generate go tool ent generate --target generated/ent ./schema

func TestMain(m *testing.M) { Main(m) }

func TestEnt(t *testing.T) {
	Database(t)
	db := Must(sql.Open("pgx", ""))
	t.Cleanup(func() { db.Close() })
	begin := time.Now().Add(-time.Minute)
	client := ent.NewClient(ent.Driver(entsql.OpenDB(dialect.Postgres, db)))
	Check(client.Schema.Create(ctx))
	Check(client.Schema.Create(ctx))
	var types string
	Check(db.QueryRow(`
		SELECT string_agg(attname || ' ' || format_type(atttypid, -1), ', ' ORDER BY attname) FROM pg_attribute
		WHERE attrelid = 'oars'::regclass AND attnum > 0`).Scan(&types))
	Equal(t, "the schema, created twice", types, "boat_id ulid, id ulid")
	first := Must(client.Boat.Create().SetName("first").Save(ctx))
	second := Must(client.Boat.Create().Save(ctx))
	Equal(t, "find", Must(client.Boat.Get(ctx, first.ID)).Name, "first")
	Equal(t, "a range of time", Must(client.Boat.Query().Where(func(s *entsql.Selector) {
		s.Where(entsql.P(func(b *entsql.Builder) {
			b.Ident(s.C(boat.FieldID)).WriteString(" >= ").Arg(begin).WriteString("::timestamptz")
		}))
	}).Count(ctx)), 2)
	oar := Must(client.Oar.Create().SetBoat(first).Save(ctx))
	Equal(t, "a reference", Must(oar.QueryBoat().Only(ctx)).ID, first.ID)
	Equal(t, "ids as a list", Must(client.Boat.Query().Where(boat.IDIn(first.ID, second.ID)).Count(ctx)), 2)
	Equal(t, "ids alone", Must(client.Boat.Query().Order(boat.ByID()).IDs(ctx)), []pgulid.ID{first.ID, second.ID})
	Equal(t, "Exist", Must(client.Boat.Query().Exist(ctx)), true)
	var made pgulid.ID
	Check(db.QueryRow("INSERT INTO boats (name) VALUES ('by SQL') RETURNING id").Scan(&made))
	Equal(t, "the database's default, for others", made.String() > second.ID.String(), true)
}
