package tests

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/oklog/ulid/v2"

	pgulid "example.org/ulid/clients/go"
	"example.org/ulid/clients/go/pgxulid"
	. "example.org/ulid/clients/go/tests/server"
)

var ctx = context.Background()
var noon = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)

// Noon and one and two hours later.
var ids = []string{"01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"}

//go:generate env CGO_ENABLED=0 go run github.com/sqlc-dev/sqlc/cmd/sqlc@v1.31.1 generate

func TestMain(m *testing.M) { Main(m) }

func connect(ctx context.Context, url string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.AfterConnect = pgxulid.Register
	return pgxpool.NewWithConfig(ctx, config)
}

type message struct {
	ID   pgulid.ID
	Body *string
}

func add(ctx context.Context, pool *pgxpool.Pool, body string) (id pgulid.ID, err error) {
	err = pool.QueryRow(ctx, "INSERT INTO message (body) VALUES ($1) RETURNING id", body).Scan(&id)
	return
}

func find(ctx context.Context, pool *pgxpool.Pool, ids []pgulid.ID) ([]message, error) {
	rows, _ := pool.Query(ctx, "SELECT id, body FROM message WHERE id = ANY($1) ORDER BY id", ids)
	return pgx.CollectRows(rows, pgx.RowToStructByPos[message])
}

func between(ctx context.Context, pool *pgxpool.Pool, begin, end time.Time) ([]message, error) {
	rows, _ := pool.Query(ctx,
		"SELECT id, body FROM message WHERE id >= $1::timestamptz AND id < $2::timestamptz", begin, end)
	return pgx.CollectRows(rows, pgx.RowToStructByPos[message])
}

type visit struct {
	ID   pgtype.UUID
	Name string
}

func visitsBetween(ctx context.Context, pool *pgxpool.Pool, begin, end time.Time) ([]visit, error) {
	rows, _ := pool.Query(ctx,
		"SELECT id, name FROM visit WHERE id >= uuidv7_min($1) AND id < uuidv7_min($2)", begin, end)
	return pgx.CollectRows(rows, pgx.RowToStructByPos[visit])
}

// The IDs of ids.
func parsed() (list []pgulid.ID) {
	for _, id := range ids {
		list = append(list, Must(pgulid.Parse(id)))
	}
	return
}

func copyIn(db interface {
	CopyFrom(context.Context, pgx.Identifier, []string, pgx.CopyFromSource) (int64, error)
}, column string, values ...any) error {
	var rows [][]any
	for _, value := range values {
		rows = append(rows, []any{value})
	}
	_, err := db.CopyFrom(ctx, pgx.Identifier{"message"}, []string{column}, pgx.CopyFromRows(rows))
	return err
}

func TestPage(t *testing.T) {
	Database(t)
	pool := Must(connect(ctx, ""))
	t.Cleanup(pool.Close)
	id := Must(add(ctx, pool, "hello"))
	Equal(t, "the default comes back", time.Since(ulid.ULID(id).Timestamp()).Abs() < time.Minute, true)
	list := parsed()
	Check(copyIn(pool, "id", list[0], list[1], list[2]))
	Equal(t, "find", *Must(find(ctx, pool, []pgulid.ID{id, list[0]}))[1].Body, "hello")
	Equal(t, "a range of time", Must(between(ctx, pool, noon.Add(time.Hour), noon.Add(2*time.Hour))), []message{{list[1], nil}})
	Must(pool.Exec(ctx, "CREATE TABLE visit (id uuid DEFAULT gen_uuidv7(), name text)"))
	Must(pool.Exec(ctx, "INSERT INTO visit (name) VALUES ('now'); INSERT INTO visit VALUES (uuidv7_min('2020-01-01'), 'before')"))
	visits := Must(visitsBetween(ctx, pool, time.Now().Add(-time.Minute), time.Now().Add(time.Minute)))
	Equal(t, "a range of time on a uuid column", visits[0].Name+fmt.Sprint(len(visits)), "now1")
}

// An id that differs in a character that ulid.ULID reads as another one.
func TestRequest(t *testing.T) {
	conn := Database(t)
	Must(conn.Exec(ctx, "INSERT INTO message VALUES ('01KDVDNA008RZ4T6V2M0N7B1FZ'), ('01KDVDNA008RZ4T6V2M0N7B1CD')"))
	for _, wrong := range []string{"01KDVDNA008RZ4T6V2M0N7B1CU", "01KDVDNA008RZ4T6V2M0N7B1C*", "01KDVDNA008RZ4T6V2M0N7B1C"} {
		var request struct{ ID pgulid.ID }
		err := json.Unmarshal([]byte(`{"id":"`+wrong+`"}`), &request)
		Equal(t, wrong, err != nil && request.ID == pgulid.ID{}, true)
		for name, register := range map[string]func(context.Context, *pgx.Conn) error{"without a codec": nil, "with it": pgxulid.Register} {
			if register != nil {
				Check(register(ctx, conn))
			}
			_, err := conn.Exec(ctx, "DELETE FROM message WHERE id = $1", wrong)
			Fails(t, "invalid input syntax for type ulid", err)
			Equal(t, "COPY "+wrong+" "+name, copyIn(conn, "id", wrong) != nil, true)
		}
	}
	var count int
	Check(conn.QueryRow(ctx, "SELECT count(*) FROM message").Scan(&count))
	Equal(t, "nothing was deleted or added", count, 2)
}

// Each form of an id and of a list, as a parameter and in COPY, and read again, in each way to execute a query.
func TestCodec(t *testing.T) {
	Database(t)
	list := parsed()
	id := list[1]
	lists := map[string]any{
		"[]ID": list, "IDs": pgulid.IDs(list), "[]string": ids, "[]ULID": []ulid.ULID{ulid.ULID(list[0]), ulid.ULID(id), ulid.ULID(list[2])},
		"[]*ID": []*pgulid.ID{&list[0], &id, &list[2]}, "[]any": []any{list[0], ulid.ULID(id), ids[2]},
	}
	single := map[string]any{"ID": id, "*ID": &id, "ULID": ulid.ULID(id), "*ULID": (*ulid.ULID)(&id), "string": ids[1]}
	for _, mode := range []pgx.QueryExecMode{
		pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec,
		pgx.QueryExecModeSimpleProtocol,
	} {
		t.Run(mode.String(), func(t *testing.T) {
			config := Must(pgx.ParseConfig(""))
			config.DefaultQueryExecMode = mode
			conn := Must(pgx.ConnectConfig(ctx, config))
			defer conn.Close(ctx)
			Check(pgxulid.Register(ctx, conn))
			Must(conn.Exec(ctx, "DROP TABLE IF EXISTS message; CREATE TABLE message (id ulid, list ulid[])"))
			for name, value := range single {
				var read pgulid.ID
				Check(conn.QueryRow(ctx, "SELECT $1::ulid", value).Scan(&read))
				Equal(t, name, read, id)
				Must(conn.Exec(ctx, "DELETE FROM message"))
				Check(copyIn(conn, "id", value, nil))
				Check(conn.QueryRow(ctx, "SELECT id FROM message WHERE id = $1", value).Scan(&read))
				Equal(t, name+" in COPY", read, id)
			}
			for name, value := range lists {
				if (mode == pgx.QueryExecModeExec || mode == pgx.QueryExecModeSimpleProtocol) && name == "[]any" {
					continue // pgx cannot tell its type
				}
				var read []pgulid.ID
				Check(conn.QueryRow(ctx, "SELECT $1::ulid[]", value).Scan(&read))
				Equal(t, name, read, list)
				Must(conn.Exec(ctx, "DELETE FROM message"))
				Check(copyIn(conn, "list", value, nil))
				var count int
				Check(conn.QueryRow(ctx, "SELECT count(*) FROM message WHERE list = $1::ulid[] AND $2 = ANY($1::ulid[])", value, id).Scan(&count))
				Equal(t, name+" in COPY", count, 1)
			}
			var own ulid.ULID
			var text string
			var nullable *pgulid.ID
			var pgText pgtype.Text
			var anything any
			var null sql.Null[pgulid.ID]
			var nullText sql.NullString
			for _, target := range []any{&own, &text, &nullable, &pgText, &anything, &null, &nullText} {
				Check(conn.QueryRow(ctx, "SELECT $1::ulid", id).Scan(target))
			}
			Equal(t, "targets", []any{own, text, *nullable, pgText.String, anything, null.V, nullText.String},
				[]any{ulid.ULID(id), ids[1], id, ids[1], any(id), id, ids[1]})
			var owns []ulid.ULID
			var texts []string
			var typed pgulid.IDs
			var nullables []*pgulid.ID
			for _, target := range []any{&owns, &texts, &typed} {
				Check(conn.QueryRow(ctx, "SELECT $1::ulid[]", list).Scan(target))
			}
			Equal(t, "targets of arrays", []any{owns[2], texts, typed}, []any{ulid.ULID(list[2]), ids, pgulid.IDs(list)})
			Check(conn.QueryRow(ctx, "SELECT ARRAY[NULL, $1]::ulid[]", id).Scan(&nullables))
			Equal(t, "NULL in an array", []any{nullables[0] == nil, *nullables[1]}, []any{true, id})
			Fails(t, "NULL in an array", conn.QueryRow(ctx, "SELECT ARRAY[NULL]::ulid[]").Scan(&typed))
			Check(conn.QueryRow(ctx, "SELECT $1::ulid[]", []*pgulid.ID{nil, &id}).Scan(&nullables))
			Equal(t, "NULL in a list", []any{nullables[0] == nil, *nullables[1]}, []any{true, id})
			Check(conn.QueryRow(ctx, "SELECT NULL::ulid").Scan(&nullable))
			Check(conn.QueryRow(ctx, "SELECT NULL::ulid[]").Scan(&typed))
			Equal(t, "NULL", nullable == nil && typed == nil, true)
			Fails(t, "cannot scan NULL into *ulid.ULID", conn.QueryRow(ctx, "SELECT NULL::ulid").Scan(&own))
			Fails(t, "cannot scan NULL into *string", conn.QueryRow(ctx, "SELECT NULL::ulid").Scan(&text))
			Check(conn.QueryRow(ctx, "SELECT $1::ulid, $2::ulid[]", nullable, pgulid.IDs(nil)).Scan(&nullable, &typed))
			Equal(t, "NULL as parameters", nullable == nil && typed == nil, true)
			Check(conn.QueryRow(ctx, "SELECT $1::ulid[]", []pgulid.ID{}).Scan(&typed))
			Equal(t, "an empty array", typed, pgulid.IDs{})
			_, err := conn.Exec(ctx, "SELECT $1::ulid", "not an id")
			Fails(t, "invalid input syntax for type ulid", err)
			Equal(t, "a list with an invalid id", nil != func() error {
				_, err := conn.Exec(ctx, "SELECT $1::ulid[]", []string{ids[0], ids[1][:25] + "U"})
				return err
			}(), true)
			Must(conn.Exec(ctx, "DELETE FROM message"))
			Check(copyIn(conn, "id", id[:]))
			var copied pgulid.IDs
			Check(conn.QueryRow(ctx, "SELECT array_agg(id) FROM message").Scan(&copied))
			Equal(t, "COPY of bytes", copied, pgulid.IDs{id})
			for _, wrong := range []any{"sixteen letters.", "018f343d8c800123", ids[1][:25] + "U", []byte(ids[1]), 1} {
				Equal(t, fmt.Sprintf("COPY refuses %q", wrong), copyIn(conn, "id", wrong) != nil, true)
			}
		})
	}
}

func TestCodecWithoutType(t *testing.T) {
	setup := Database(t)
	Must(setup.Exec(ctx, "DROP EXTENSION ulid CASCADE"))
	pool := Must(connect(ctx, ""))
	t.Cleanup(pool.Close)
	Must(pool.Exec(ctx, "CREATE SCHEMA other; CREATE EXTENSION ulid SCHEMA other"))
	pool.Reset()
	var id pgulid.ID
	var list []pgulid.ID
	Check(pool.QueryRow(ctx, "SELECT id, ARRAY[id] FROM other.gen_ulid() id").Scan(&id, &list))
	Equal(t, "before CREATE EXTENSION, and then outside of search_path", list, []pgulid.ID{id})
}

// Without the codec, pgx sends and reads texts.
func TestPgxWithoutCodec(t *testing.T) {
	conn := Database(t)
	list := parsed()
	var bytes []any
	for _, id := range list {
		bytes = append(bytes, id[:])
	}
	Check(copyIn(conn, "id", bytes...))
	var text string
	var texts []string
	Check(conn.QueryRow(ctx, "SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY($1)", ids).Scan(&texts))
	Equal(t, "CopyFrom of bytes, and arrays of strings", texts, ids)
	var null *pgulid.ID
	Check(conn.QueryRow(ctx, "SELECT NULL::ulid").Scan(&null))
	Equal(t, "NULL", null == nil, true)
	kept := ulid.ULID(list[2])
	Check(conn.QueryRow(ctx, "SELECT NULL::ulid").Scan(&kept))
	Equal(t, "NULL leaves a ulid.ULID as it was", pgulid.ID(kept), list[2])
	_, err := conn.Exec(ctx, "DELETE FROM message WHERE id = $1", ulid.ULID(list[1]))
	Fails(t, `invalid input syntax for type ulid: "\x018f343d8c800123456789abcdef0202"`, err)
	Fails(t, "incorrect binary data format (SQLSTATE 22P03)", copyIn(conn, "id", ids[0]))
	Fails(t, "cannot scan NULL into *string", conn.QueryRow(ctx, "SELECT NULL::ulid").Scan(&text))
	Fails(t, "cannot scan unknown type", conn.QueryRow(ctx, "SELECT $1::ulid[]", pgulid.IDs(list)).Scan(new([]pgulid.ID)))
	_, err = conn.Exec(ctx, "SELECT FROM message WHERE id = ANY($1)", list)
	Fails(t, "unable to encode", err)
	Check(copyIn(conn, "id", "sixteen letters."))
	Check(conn.QueryRow(ctx, "SELECT id FROM message WHERE id::uuid = encode('sixteen letters.', 'hex')::uuid").Scan(&text))
	Equal(t, "a string of 16 characters becomes an id", len(text), 26)

	_, err = conn.Exec(ctx, "SELECT FROM message WHERE id >= $1", noon.Add(time.Hour))
	Fails(t, `invalid input syntax for type ulid: "2024-05-01 13:00:00`, err)
	for wrong, code := range map[string]string{"not an id": "22P02", "8" + ids[0][1:]: "22003"} {
		_, err = conn.Exec(ctx, "SELECT $1::ulid", wrong)
		var serverError *pgconn.PgError
		Equal(t, "SQLSTATE: "+wrong, errors.As(err, &serverError) && serverError.Code == code, true)
	}
}

// The type of a column changes under a session that has prepared its statements.
func TestTypeChange(t *testing.T) {
	conn := Database(t)
	Check(copyIn(conn, "id", parsed()[1][:]))
	text := ""
	boat := map[string]string{"uuid": "018f343d-8c80-0123-4567-89abcdef0202", "ulid": ids[1]}
	for _, name := range []string{"without", "with"} {
		if name == "with" {
			Check(pgxulid.Register(ctx, conn))
		}
		name += " the codec: "
		Must(conn.Exec(ctx, "DROP TABLE IF EXISTS boat; CREATE TABLE boat AS SELECT id::uuid FROM message"))
		Check(conn.DeallocateAll(ctx))
		read := func() error { return conn.QueryRow(ctx, "SELECT id FROM boat WHERE id = $1", boat["uuid"]).Scan(&text) }
		Check(read())
		for _, column := range []string{"ulid", "uuid"} {
			other := Must(pgx.Connect(ctx, ""))
			Must(other.Exec(ctx, "ALTER TABLE boat ALTER id TYPE "+column))
			other.Close(ctx)
			Fails(t, "cached plan must not change result type", read())
			Check(read())
			Equal(t, name+"afterwards, the same query reads the "+column, text, boat[column])
			updated := Must(conn.Exec(ctx, "UPDATE boat SET id = $1 WHERE id = $1", boat["uuid"]))
			Equal(t, name+"a statement that reads nothing finds the "+column, updated.RowsAffected(), int64(1))
		}
	}
}
