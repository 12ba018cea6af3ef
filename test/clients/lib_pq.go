// lib/pq, through database/sql.
package main

import (
	"database/sql"
	"time"

	"github.com/lib/pq"
	"github.com/oklog/ulid"
)

func add(db *sql.DB, body string) (id string, err error) {
	err = db.QueryRow("INSERT INTO message (body) VALUES ($1) RETURNING id", body).Scan(&id)
	return
}

func between(db *sql.DB, begin, end time.Time) (*sql.Rows, error) {
	return db.Query("SELECT id FROM message WHERE id >= $1::timestamptz AND id < $2::timestamptz", begin, end)
}

func idsOf(rows *sql.Rows, err error) (ids []string) {
	check(err)
	defer rows.Close()
	for rows.Next() {
		var id string
		check(rows.Scan(&id))
		ids = append(ids, id)
	}
	check(rows.Err())
	return
}

func main() {
	db, err := sql.Open("postgres", "sslmode=disable")
	check(err)
	id, err := add(db, "hello")
	check(err)
	equal("the default comes back as a string", len(id), 26)
	equal("find", idsOf(db.Query("SELECT id FROM message WHERE id = $1", id)), []string{id})
	_, err = db.Exec("DELETE FROM message")
	check(err)
	_, err = db.Exec("INSERT INTO message SELECT unnest($1::ulid[])", pq.Array(ids))
	check(err)
	equal("a range of time", idsOf(between(db, noon.Add(time.Hour), noon.Add(2*time.Hour))), ids[1:2])
	equal("to the millisecond",
		idsOf(between(db, noon.Add(time.Hour+time.Millisecond), noon.Add(2*time.Hour+time.Millisecond))), ids[2:])
	equal("a page after a cursor", idsOf(db.Query("SELECT id FROM message WHERE id > $1 ORDER BY id LIMIT 1", ids[0])), ids[1:2])
	var all []string
	check(db.QueryRow("SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY($1)", pq.Array(ids[1:])).Scan(pq.Array(&all)))
	equal("arrays", all, ids[1:])
	var null sql.NullString
	check(db.QueryRow("SELECT NULL::ulid").Scan(&null))
	equal("NULL", null.Valid, false)

	fails("converting NULL to string is unsupported", db.QueryRow("SELECT NULL::ulid").Scan(&id))
	_, err = db.Exec("SELECT FROM message WHERE id >= $1", noon.Add(time.Hour))
	fails(`pq: invalid input syntax for type ulid: "2024-05-01 13:00:00Z"`, err)
	parsed := ulid.MustParse(ids[1])
	fails("ulid: bad data size when unmarshaling", db.QueryRow("SELECT $1::ulid", ids[1]).Scan(&parsed))
	_, err = db.Exec("SELECT FROM message WHERE id = $1", parsed)
	fails(`pq: invalid byte sequence for encoding "UTF8"`, err)
	for wrong, code := range map[string]string{"not an id": "22P02", "8" + ids[0][1:]: "22003"} {
		_, err = db.Exec("SELECT $1::ulid", wrong)
		refused, isOne := err.(*pq.Error)
		equal("SQLSTATE: "+wrong, isOne && string(refused.Code) == code, true)
	}
	done()
}
