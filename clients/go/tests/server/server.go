// Package server is what the tests share. They are a module of their own, so that pgx, GORM and Ent are not among the
// requirements of pgulid.
package server

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

var ctx = context.Background()

// Main is what TestMain calls.
func Main(m *testing.M) {
	os.Setenv("TZ", "America/St_Johns") // a time that loses its zone is wrong
	conn, err := pgx.Connect(ctx, "dbname=postgres")
	if err != nil {
		fmt.Fprintf(os.Stderr, "no PostgreSQL server: set PGHOST, PGPORT, PGUSER and PGPASSWORD (%s)\n",
			strings.Join(strings.Fields(err.Error()), " "))
		os.Exit(1)
	}
	available, err := conn.Exec(ctx, "SELECT FROM pg_available_extensions WHERE name = 'ulid'")
	conn.Close(ctx)
	if err != nil || available.RowsAffected() == 0 {
		fmt.Fprintln(os.Stderr, "this PostgreSQL server has no extension ulid: install it first")
		os.Exit(1)
	}
	os.Exit(m.Run())
}

var prefix = cmp.Or(os.Getenv("PGDATABASE"), "pgulid") // so that two runs share a server

// Database makes one for the test, with the extension and the table of the page, and connects to it.
func Database(t *testing.T) *pgx.Conn {
	name := pgx.Identifier{prefix + "_go_" + strings.ToLower(t.Name())}
	administrate := func(statements ...string) {
		conn := Must(pgx.Connect(ctx, "dbname=postgres"))
		defer conn.Close(ctx)
		for _, statement := range statements {
			Must(conn.Exec(ctx, statement))
		}
	}
	drop := "DROP DATABASE IF EXISTS " + name.Sanitize() + " WITH (FORCE)"
	administrate(drop, "CREATE DATABASE "+name.Sanitize())
	t.Cleanup(func() { administrate(drop) })
	t.Setenv("PGDATABASE", name[0])
	conn := Must(pgx.Connect(ctx, ""))
	t.Cleanup(func() { conn.Close(ctx) })
	Must(conn.Exec(ctx, "CREATE EXTENSION ulid; CREATE TABLE message (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text)"))
	return conn
}

// Equal is a test of its own.
func Equal(t *testing.T, name string, got, expected any) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Helper()
		if !reflect.DeepEqual(got, expected) {
			t.Errorf("got %v, not %v", got, expected)
		}
	})
}

// Fails is a test of the error's message.
func Fails(t *testing.T, message string, err error) {
	t.Helper()
	t.Run("fails: "+message, func(t *testing.T) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("got %v", err)
		}
	})
}

// Check is for what is not tested.
func Check(err error) {
	if err != nil {
		panic(err)
	}
}

// Must is Check with a value.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}
