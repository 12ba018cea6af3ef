// pgx of Go, with oklog/ulid.
package main

import (
	"context"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/oklog/ulid"
)

func init() {
	main() // the page's
	ctx := context.Background()
	var parsed []ulid.ULID
	for _, id := range ids {
		parsed = append(parsed, ulid.MustParse(id))
	}

	plain, err := pgx.Connect(ctx, "")
	check(err)
	_, err = plain.Exec(ctx, "DELETE FROM message")
	check(err)
	var text string
	var texts []string
	check(plain.QueryRow(ctx, "INSERT INTO message (id, body) VALUES ($1, 'x') RETURNING id", ids[0]).Scan(&text))
	equal("without the codec: a string there and back", text, ids[0])
	check(plain.QueryRow(ctx, "SELECT array_agg(id) FROM message WHERE id = ANY($1)", ids).Scan(&texts))
	equal("without the codec: an array there and back", texts, ids[:1])
	_, err = plain.Exec(ctx, "DELETE FROM message WHERE id = $1", parsed[1])
	fails(`invalid input syntax for type ulid: "\x018f343d8c800123456789abcdef0202"`, err)
	_, err = plain.CopyFrom(ctx, pgx.Identifier{"message"}, []string{"id"}, pgx.CopyFromRows([][]any{{ids[0]}}))
	fails("incorrect binary data format (SQLSTATE 22P03)", err)
	fails("cannot scan NULL into *string", plain.QueryRow(ctx, "SELECT NULL::ulid").Scan(&text))
	_, err = plain.Exec(ctx, "DELETE FROM message")
	check(err)

	conn, err := pgx.Connect(ctx, "")
	check(err)
	check(RegisterUlid(ctx, conn))
	id, err := add(ctx, conn, "hello")
	check(err)
	equal("the id comes back from the insert", time.Since(ulid.Time(id.Time())) < time.Minute, true)
	got, err := those(ctx, conn, []ulid.ULID{id})
	check(err)
	equal("lookup by the id", got, []message{{id, "hello"}})
	_, err = conn.Exec(ctx, "DELETE FROM message WHERE id = $1", id)
	check(err)
	check(copyIn(ctx, conn, []message{{parsed[0], "x"}, {parsed[1], "y"}, {parsed[2], "z"}}))
	got, err = those(ctx, conn, []ulid.ULID{parsed[0], parsed[2]})
	check(err)
	equal("COPY, and any of many", got, []message{{parsed[0], "x"}, {parsed[2], "z"}})
	got, err = between(ctx, conn, noon.Add(time.Hour), noon.Add(2*time.Hour))
	check(err)
	equal("range by time", got, []message{{parsed[1], "y"}})
	got, err = between(ctx, conn, noon.Add(time.Hour+time.Millisecond), noon.Add(2*time.Hour+time.Millisecond))
	check(err)
	equal("to the millisecond", got, []message{{parsed[2], "z"}})
	got, err = pageAfter(ctx, conn, parsed[0], 1)
	check(err)
	equal("a page after a cursor", got, []message{{parsed[1], "y"}})
	var all []ulid.ULID
	var null *ulid.ULID
	check(conn.QueryRow(ctx, "SELECT array_agg(id ORDER BY id), NULL::ulid FROM message").Scan(&all, &null))
	equal("an array comes back", all, parsed)
	equal("null", null == nil, true)
	check(conn.QueryRow(ctx, "SELECT id FROM message WHERE id = $1", ids[1]).Scan(&text))
	equal("strings still work", text, ids[1])
	check(conn.QueryRow(ctx, "SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY($1)", ids).Scan(&texts))
	equal("and arrays of them", texts, ids)
	_, err = conn.CopyFrom(ctx, pgx.Identifier{"message"}, []string{"id"}, pgx.CopyFromRows([][]any{{"01HWT78YR004HMASW9NF6YY0R4"}}))
	equal("and COPY of them", err, nil)
	var pointers, sent []*ulid.ULID
	check(conn.QueryRow(ctx, "SELECT ARRAY[$1, $2::ulid]", &parsed[1], null).Scan(&pointers))
	check(conn.QueryRow(ctx, "SELECT $1::ulid[]", pointers).Scan(&sent))
	equal("pointers, and nil, there and back, and in an array", sent, []*ulid.ULID{&parsed[1], nil})
	silent := parsed[2]
	check(plain.QueryRow(ctx, "SELECT NULL::ulid").Scan(&silent))
	equal("NULL without the codec, as the page says", silent, parsed[2])
	_, err = plain.Exec(ctx, "SELECT FROM message WHERE id >= $1", noon.Add(time.Hour))
	fails(`invalid input syntax for type ulid: "2024-05-01 13:00:00`, err)
	_, err = conn.Exec(ctx, "SELECT FROM message WHERE id >= $1", noon.Add(time.Hour))
	fails(`invalid input syntax for type ulid: "2024-05-01 13:00:00`, err)
	_, err = conn.Exec(ctx, "SELECT FROM message WHERE id = $1", 5)
	fails("cannot find encode plan", err)
	rows, err := conn.Query(ctx, "SELECT id FROM message WHERE id = $1", pgx.QueryExecModeSimpleProtocol, parsed[1])
	check(err)
	one, err := pgx.CollectOneRow(rows, pgx.RowTo[ulid.ULID])
	check(err)
	equal("the simple protocol, in text", one, parsed[1])
	fails("ulid: bad data size when unmarshaling", conn.QueryRow(ctx, "SELECT gen_random_uuid()").Scan(&one))
	check(conn.QueryRow(ctx, "SELECT id::uuid::ulid FROM message WHERE id = $1", parsed[1]).Scan(&one))
	equal("a uuid that is selected as a ulid", one, parsed[1])
	_, err = conn.Exec(ctx, "SELECT 'no ulid'::ulid")
	fails(`invalid input syntax for type ulid: "no ulid"`, err)
	done()
	os.Exit(0)
}
