// Prints TAP, one line per test, and holds what the tests share.
package main

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"
)

var noon = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)

// Noon and one and two hours later.
var ids = []string{"01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"}

func equal(name string, got, expected interface{}) {
	if reflect.DeepEqual(got, expected) {
		fmt.Printf("ok - %s\n", name)
	} else {
		fmt.Printf("not ok - %s\n# got %v\n# expected %v\n", name, got, expected)
	}
}

func fails(message string, err error) {
	got := fmt.Sprint(err)
	if strings.Contains(got, message) {
		got = message
	}
	equal("fails: "+message, got, message)
}

// reads: it answers to the texts of ids.csv as the server does, but may refuse I, L, O and UUIDs.
func reads(name string, read func(text string) (fmt.Stringer, error)) {
	wrong := map[string]string{}
	for _, line := range strings.Split(strings.TrimSuffix(string(must(os.ReadFile("ids.csv"))), "\n"), "\n") {
		text, expected, _ := strings.Cut(strings.ReplaceAll(line, `\n`, "\n"), ",")
		got, err := read(text)
		if err != nil && strings.ToUpper(text) == expected || err == nil && got.String() != expected {
			wrong[text] = fmt.Sprint(got, err)
		}
	}
	equal(name+" reads what the server reads", wrong, map[string]string{})
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}
