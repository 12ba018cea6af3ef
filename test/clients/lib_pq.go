// lib/pq of Go: parameters in text and in binary, results in text.
package main

import (
	"database/sql"
	"os"
	"time"

	"github.com/lib/pq"
	"github.com/oklog/ulid"
)

func init() {
	main() // the page's
	db, err := sql.Open("postgres", "sslmode=disable")
	check(err)
	_, err = db.Exec("DELETE FROM message")
	check(err)

	id, err := add(db, "hello")
	check(err)
	equal("a default comes back as text", len(id), 26)
	var body string
	check(db.QueryRow("SELECT body FROM message WHERE id = $1", id).Scan(&body))
	equal("a text finds its row", body, "hello")
	_, err = db.Exec("DELETE FROM message")
	check(err)

	check(copyIn(db, ids, "copied"))
	got, err := idsOf(db.Query("SELECT id FROM message ORDER BY id"))
	check(err)
	equal("COPY, out as they went in", got, ids)
	got, err = those(db, []string{ids[0], ids[2]})
	check(err)
	equal("any of many", got, []string{ids[0], ids[2]})
	var all []string
	check(db.QueryRow("SELECT array_agg(id ORDER BY id) FROM message").Scan(pq.Array(&all)))
	equal("an array comes back", all, ids)
	var null sql.NullString
	check(db.QueryRow("SELECT NULL::ulid").Scan(&null))
	equal("null", null.Valid, false)
	got, err = between(db, noon.Add(time.Hour), noon.Add(2*time.Hour))
	check(err)
	equal("range by time", got, []string{ids[1]})

	got, err = between(db, noon.Add(time.Hour+time.Millisecond), noon.Add(2*time.Hour+time.Millisecond))
	check(err)
	equal("to the millisecond", got, []string{ids[2]})
	got, err = pageAfter(db, ids[0], 1)
	check(err)
	equal("a page after a cursor", got, []string{ids[1]})

	_, err = db.Exec("SELECT $1::ulid", "no ulid")
	fails(`pq: invalid input syntax for type ulid: "no ulid"`, err)
	_, err = db.Exec("SELECT FROM message WHERE id >= $1", noon.Add(time.Hour))
	fails(`pq: invalid input syntax for type ulid: "2024-05-01 13:00:00Z"`, err)

	var text string
	fails("converting NULL to string is unsupported", db.QueryRow("SELECT NULL::ulid").Scan(&text))
	fails("cannot convert nil to string", db.QueryRow("SELECT ARRAY[NULL, $1::ulid]", ids[0]).Scan(pq.Array(&all)))
	var nulls []sql.NullString
	check(db.QueryRow("SELECT ARRAY[NULL, $1::ulid]", ids[0]).Scan(pq.Array(&nulls)))
	equal("an array with null", nulls, []sql.NullString{{}, {String: ids[0], Valid: true}})
	_, err = db.Exec("SELECT FROM message WHERE id IN ($1)", pq.Array(ids))
	fails(`pq: invalid input syntax for type ulid: "{`, err)

	// oklog's class
	parsed := ulid.MustParse(ids[1])
	fails("ulid: bad data size when unmarshaling", db.QueryRow("SELECT $1::ulid", ids[1]).Scan(&parsed))
	_, err = db.Exec("SELECT FROM message WHERE id = $1", parsed)
	fails(`pq: invalid byte sequence for encoding "UTF8"`, err)
	fails(`pq: invalid input syntax for type ulid: "\x018f343d8c800123456789abcdef0202"`, copyOf(db, parsed))

	binary, err := sql.Open("postgres", "sslmode=disable binary_parameters=yes")
	check(err)
	var bytes []byte // the 16 bytes of a ulid, which are also those of a uuid
	check(binary.QueryRow("SELECT id::bytea FROM message WHERE id = $1", ids[1]).Scan(&bytes))
	check(binary.QueryRow("SELECT id FROM message WHERE id = $1", bytes).Scan(&id))
	equal("16 bytes come back", len(bytes), 16)
	equal("16 bytes find their row", id, ids[1])
	check(binary.QueryRow("SELECT id FROM message WHERE id = $1", parsed).Scan(&id))
	equal("a ulid.ULID finds its row", id, ids[1])
	done()
	os.Exit(0)
}

func copyOf(db *sql.DB, id ulid.ULID) error {
	transaction, err := db.Begin()
	check(err)
	defer transaction.Rollback()
	statement, err := transaction.Prepare(pq.CopyIn("message", "id"))
	check(err)
	if _, err = statement.Exec(id); err == nil {
		_, err = statement.Exec()
	}
	return err
}
