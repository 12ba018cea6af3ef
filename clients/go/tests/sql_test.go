package tests

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/lib/pq"

	pgulid "example.org/ulid/clients/go"
	. "example.org/ulid/clients/go/tests/server"
)

func TestDatabaseSQL(t *testing.T) {
	for _, driver := range []string{"pgx", "postgres"} {
		t.Run(driver, func(t *testing.T) { testDriver(t, driver) })
	}
}

func testDriver(t *testing.T, driver string) {
	Database(t)
	db := Must(sql.Open(driver, "sslmode=disable"))
	t.Cleanup(func() { db.Close() })
	var first, second pgulid.ID
	Check(db.QueryRow("INSERT INTO message (body) VALUES ('hello') RETURNING id").Scan(&first))
	Check(db.QueryRow("INSERT INTO message (id, body) VALUES ($1, 'given') RETURNING id", pgulid.New()).Scan(&second))
	var body string
	err := db.QueryRow("SELECT body FROM message WHERE id = $1", second).Scan(&body)
	Check(err)
	Equal(t, "find", body, "given")
	var count int
	for _, array := range []any{pq.Array([]string{first.String(), second.String()}), pgulid.IDs{first, second}, pq.Array([]pgulid.ID{first, second})} {
		Check(db.QueryRow("SELECT count(*) FROM message WHERE id >= $1::timestamptz AND id = ANY($2)",
			time.Now().Add(-time.Hour), array).Scan(&count))
		Equal(t, fmt.Sprintf("a range of time, and %T", array), count, 2)
	}
	for _, array := range []pgulid.IDs{{first, second}, {}, nil} {
		read := pgulid.IDs{second}
		Check(db.QueryRow("SELECT $1::ulid[]", array).Scan(&read))
		Equal(t, fmt.Sprintf("the array %v", array), read, array)
	}
	var null *pgulid.ID
	Check(db.QueryRow("SELECT NULL::ulid").Scan(&null))
	Equal(t, "NULL", null == nil, true)
	Check(db.QueryRow("SELECT NULL::ulid").Scan(&first))
	Equal(t, "NULL is the zero ID", first, pgulid.ID{})
	Fails(t, "invalid input syntax for type ulid", db.QueryRow("SELECT $1::ulid", "not an id").Scan(&first))
}
