package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "example.org/ulid/clients/go/tests/server"
)

const program = `package main

import (
	"context"
	"fmt"

	pgulid "example.org/ulid/clients/go"
	"example.org/ulid/clients/go/pgxulid"
	"github.com/jackc/pgx/v5"
)

func main() {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, "")
	if err != nil {
		panic(err)
	}
	pgxulid.Register(ctx, conn)
	var ids []pgulid.ID
	err = conn.QueryRow(ctx, "SELECT ARRAY['01HWT3V34004HMASW9NF6YY0G2']::ulid[]").Scan(&ids)
	fmt.Print(ids, err)
}
`

// A module outside of the checkout requires the packages, as README.md says.
func TestUser(t *testing.T) {
	Database(t)
	checkout := Must(filepath.Abs(".."))
	directory := t.TempDir()
	run := func(arguments ...string) string {
		command := exec.Command("go", arguments...)
		command.Dir = directory
		command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		output, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("go %v: %s", arguments, output)
		}
		return string(output)
	}
	run("mod", "init", "shop.test/shop")
	run("mod", "edit", "-replace", "example.org/ulid/clients/go="+checkout)
	run("get", "example.org/ulid/clients/go@v1.0.0")
	modules := strings.Fields(run("list", "-m", "-f", "{{.Path}}", "all"))
	slices.Sort(modules)
	Equal(t, "database/sql needs no pgx", modules, []string{
		"example.org/ulid/clients/go", "github.com/oklog/ulid/v2", "github.com/pborman/getopt", "shop.test/shop"})
	run("mod", "edit", "-replace", "example.org/ulid/clients/go/pgxulid="+checkout+"/pgxulid")
	run("get", "example.org/ulid/clients/go/pgxulid@v1.0.0")
	Check(os.WriteFile(filepath.Join(directory, "main.go"), []byte(program), 0o600))
	Equal(t, "a program with the codec", run("run", "."), "[01HWT3V34004HMASW9NF6YY0G2] <nil>")
}
