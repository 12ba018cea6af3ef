// database/sql with pgx and with lib/pq.
package main

import (
	"database/sql"
	"pgulid"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/lib/pq"
)

func main() {
	for _, driver := range []string{"pgx", "postgres"} {
		db := must(sql.Open(driver, ""))
		var first, second pgulid.ID
		check(db.QueryRow("INSERT INTO message (body) VALUES ('hello') RETURNING id").Scan(&first))
		check(db.QueryRow("INSERT INTO message (id, body) VALUES ($1, 'given') RETURNING id", pgulid.New()).Scan(&second))
		var body string
		check(db.QueryRow("SELECT body FROM message WHERE id = $1", second).Scan(&body))
		equal(driver+": find", body, "given")
		var count int
		check(db.QueryRow("SELECT count(*) FROM message WHERE id >= $1::timestamptz AND id = ANY($2)",
			time.Now().Add(-time.Hour), pq.Array([]string{first.String(), second.String()})).Scan(&count))
		equal(driver+": a range of time, and an array", count, 2)
		var null *pgulid.ID
		check(db.QueryRow("SELECT NULL::ulid").Scan(&null))
		equal(driver+": NULL", null == nil, true)
		fails("cannot scan <nil> into an ID", db.QueryRow("SELECT NULL::ulid").Scan(&first))
		fails("invalid input syntax for type ulid", db.QueryRow("SELECT $1::ulid", "not an id").Scan(&first))
	}
}
