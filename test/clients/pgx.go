// pgx 5, with oklog/ulid; and database/sql with pgx and with lib/pq.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"pgulid"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/lib/pq"
	"github.com/oklog/ulid/v2"
)

type message struct {
	ID   ulid.ULID
	Body *string
}

// doc/clients/go.md: func add

func main() {
	ctx := context.Background()
	conn := must(pgx.Connect(ctx, ""))
	var parsed []ulid.ULID
	var bytes [][]any
	for i, id := range ids {
		parsed = append(parsed, ulid.MustParse(id))
		bytes = append(bytes, []any{parsed[i][:]})
	}
	id := must(add(ctx, conn, "hello"))
	equal("the default comes back", time.Since(ulid.Time(id.Time())) < time.Minute, true)
	equal("find", *must(find(ctx, conn, id)), "hello")
	must(conn.Exec(ctx, "DELETE FROM message"))
	must(conn.CopyFrom(ctx, pgx.Identifier{"message"}, []string{"id"}, pgx.CopyFromRows(bytes)))
	var text string
	var texts []string
	check(conn.QueryRow(ctx, "SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY($1)", ids).Scan(&texts))
	equal("CopyFrom, and arrays of strings", texts, ids)
	one := []message{{parsed[1], nil}}
	equal("a range of time", must(between(ctx, conn, noon.Add(time.Hour), noon.Add(2*time.Hour))), one)
	var null *ulid.ULID
	check(conn.QueryRow(ctx, "SELECT NULL::ulid").Scan(&null))
	equal("NULL", null == nil, true)
	kept := parsed[2]
	check(conn.QueryRow(ctx, "SELECT NULL::ulid").Scan(&kept))
	equal("NULL leaves a ulid.ULID as it was", kept, parsed[2])

	_, err := conn.Exec(ctx, "DELETE FROM message WHERE id = $1", parsed[1])
	fails(`invalid input syntax for type ulid: "\x018f343d8c800123456789abcdef0202"`, err)
	_, err = conn.CopyFrom(ctx, pgx.Identifier{"message"}, []string{"id"}, pgx.CopyFromRows([][]any{{ids[0]}}))
	fails("incorrect binary data format (SQLSTATE 22P03)", err)
	fails("cannot scan NULL into *string", conn.QueryRow(ctx, "SELECT NULL::ulid").Scan(&text))

	// The type of a column changes under a session that has prepared its statements.
	must(conn.Exec(ctx, "CREATE TABLE boat AS SELECT id::uuid FROM message WHERE id = '"+ids[1]+"'"))
	boat := map[string]string{"uuid": "018f343d-8c80-0123-4567-89abcdef0202", "ulid": ids[1]}
	read := func() error { return conn.QueryRow(ctx, "SELECT id FROM boat WHERE id = $1", boat["uuid"]).Scan(&text) }
	check(read())
	for _, column := range []string{"ulid", "uuid"} {
		must(must(pgx.Connect(ctx, "")).Exec(ctx, "ALTER TABLE boat ALTER id TYPE "+column))
		fails("cached plan must not change result type", read())
		check(read())
		equal("afterwards, the same query reads the "+column, text, boat[column])
		updated := must(conn.Exec(ctx, "UPDATE boat SET id = $1 WHERE id = $1", boat["uuid"]))
		equal("and a statement that reads nothing finds the row", updated.RowsAffected(), int64(1))
	}
	_, err = conn.Exec(ctx, "SELECT FROM message WHERE id >= $1", noon.Add(time.Hour))
	fails(`invalid input syntax for type ulid: "2024-05-01 13:00:00`, err)
	for wrong, code := range map[string]string{"not an id": "22P02", "8" + ids[0][1:]: "22003"} {
		_, err = conn.Exec(ctx, "SELECT $1::ulid", wrong)
		equal("SQLSTATE: "+wrong, err.(*pgconn.PgError).Code, code)
	}

	var other pgulid.ID
	reads("Parse", func(text string) (fmt.Stringer, error) { return pgulid.Parse(text) })
	reads("Scan", func(text string) (fmt.Stringer, error) { return &other, other.Scan(text) })
	reads("json.Unmarshal", func(text string) (fmt.Stringer, error) {
		return &other, json.Unmarshal(must(json.Marshal(text)), &other)
	})
	reads("IDs", func(text string) (fmt.Stringer, error) {
		var ids pgulid.IDs
		if err := ids.Scan("{" + text + "}"); err != nil || len(ids) != 1 {
			return nil, fmt.Errorf("%v, %v", ids, err)
		}
		return ids[0], nil
	})
	own := pgulid.IDs{pgulid.New(), pgulid.New()}
	rows := pgx.CopyFromRows([][]any{{own[0][:]}, {own[1][:]}})
	must(conn.CopyFrom(ctx, pgx.Identifier{"message"}, []string{"id"}, rows))
	check(conn.QueryRow(ctx, "SELECT max(id) FROM message WHERE id = ANY($1)", own).Scan(&other))
	equal("pgx: CopyFrom with the bytes of an ID, and IDs as a parameter", other, own[1])

	for _, driver := range []string{"pgx", "postgres"} {
		db := must(sql.Open(driver, ""))
		var first, second pgulid.ID
		check(db.QueryRow("INSERT INTO message (body) VALUES ('hello') RETURNING id").Scan(&first))
		check(db.QueryRow("INSERT INTO message (id, body) VALUES ($1, 'given') RETURNING id", pgulid.New()).Scan(&second))
		var body string
		check(db.QueryRow("SELECT body FROM message WHERE id = $1", second).Scan(&body))
		equal(driver+": find", body, "given")
		var count int
		for _, array := range []any{pq.Array([]string{first.String(), second.String()}), pgulid.IDs{first, second}} {
			check(db.QueryRow("SELECT count(*) FROM message WHERE id >= $1::timestamptz AND id = ANY($2)",
				time.Now().Add(-time.Hour), array).Scan(&count))
			equal(fmt.Sprintf("%s: a range of time, and %T", driver, array), count, 2)
		}
		for _, array := range []pgulid.IDs{{first, second}, {}, nil} {
			read := pgulid.IDs{second}
			check(db.QueryRow("SELECT $1::ulid[]", array).Scan(&read))
			equal(fmt.Sprintf("%s: the array %v", driver, array), read, array)
		}
		fails("bad data size", db.QueryRow("SELECT ARRAY[NULL]::ulid[]").Scan(new(pgulid.IDs)))
		var null *pgulid.ID
		check(db.QueryRow("SELECT NULL::ulid").Scan(&null))
		equal(driver+": NULL", null == nil, true)
		check(db.QueryRow("SELECT NULL::ulid").Scan(&first))
		equal(driver+": NULL is the zero ID", first, pgulid.ID{})
		fails("invalid input syntax for type ulid", db.QueryRow("SELECT $1::ulid", "not an id").Scan(&first))
	}
}
