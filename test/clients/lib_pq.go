// lib/pq of Go: parameters in text and in binary, results in text.
package main

import (
	"database/sql"
	"errors"
	"fmt"
	"log"
	"os"
	"reflect"
	"time"

	"github.com/lib/pq"
)

var noon = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
var ids = []string{"01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"}
var count int

func equal(name string, got, expected interface{}) {
	count++
	if reflect.DeepEqual(got, expected) {
		fmt.Printf("ok %d - %s\n", count, name)
	} else {
		fmt.Printf("not ok %d - %s\n# got %v\n# expected %v\n", count, name, got, expected)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func strings(rows *sql.Rows, err error) (result []string) {
	check(err)
	defer rows.Close()
	for rows.Next() {
		var id string
		check(rows.Scan(&id))
		result = append(result, id)
	}
	check(rows.Err())
	return
}

func main() {
	// lib/pq would ask for TLS.
	source := "host=" + os.Getenv("PGHOST") + " sslmode=disable"
	db, err := sql.Open("postgres", source)
	check(err)
	_, err = db.Exec("CREATE TABLE message (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text)")
	check(err)

	// snippet: plain
	var id, body string
	err = db.QueryRow("INSERT INTO message (body) VALUES ('hello') RETURNING id").Scan(&id)
	check(err)
	err = db.QueryRow("SELECT body FROM message WHERE id = $1", id).Scan(&body)
	check(err)
	// end
	equal("a default comes back as text", len(id), 26)
	equal("a text finds its row", body, "hello")
	_, err = db.Exec("DELETE FROM message")
	check(err)

	for _, id := range ids {
		_, err = db.Exec("INSERT INTO message VALUES ($1, 'x')", id)
		check(err)
	}
	equal("out as they went in", strings(db.Query("SELECT id FROM message ORDER BY id")), ids)

	// snippet: array
	rows, err := db.Query("SELECT id FROM message WHERE id = ANY($1) ORDER BY id",
		pq.Array([]string{ids[0], ids[2]}))
	// end
	equal("an array", strings(rows, err), []string{ids[0], ids[2]})
	var all []string
	check(db.QueryRow("SELECT array_agg(id ORDER BY id) FROM message").Scan(pq.Array(&all)))
	equal("an array comes back", all, ids)
	var null sql.NullString
	check(db.QueryRow("SELECT NULL::ulid").Scan(&null))
	equal("null", null.Valid, false)

	// snippet: range
	rows, err = db.Query("SELECT id FROM message WHERE id >= $1::timestamptz AND id < $2::timestamptz",
		noon.Add(time.Hour), noon.Add(2*time.Hour))
	// end
	equal("range by time", strings(rows, err), []string{ids[1]})

	_, err = db.Exec("SELECT $1::ulid", "no ulid")
	var refused *pq.Error
	equal("a bad text is refused", errors.As(err, &refused) && refused.Code == "22P02", true)

	// snippet: binary
	binary, err := sql.Open("postgres", source+" binary_parameters=yes")
	check(err)
	var bytes []byte // the 16 bytes of a ulid, which are also those of a uuid
	check(binary.QueryRow("SELECT id::bytea FROM message WHERE id = $1", ids[1]).Scan(&bytes))
	check(binary.QueryRow("SELECT id FROM message WHERE id = $1", bytes).Scan(&id))
	// end
	equal("16 bytes come back", len(bytes), 16)
	equal("16 bytes find their row", id, ids[1])
	fmt.Printf("1..%d\n", count)
}
