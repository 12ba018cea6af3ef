// Prints TAP: a line a test. And what the tests share.
package main

import (
	"fmt"
	"io/ioutil"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"
)

var noon = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)

// 12, 13 and 14 hours into that day
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

// The error has this message, and a page quotes it.
func fails(message string, err error) {
	got := fmt.Sprint(err)
	if strings.Contains(got, message) {
		got = message
	}
	equal("fails: "+message, got, message)
	pages, err := filepath.Glob(os.Getenv("PAGES") + "/*.md")
	check(err)
	told := false
	for _, page := range pages {
		text, err := ioutil.ReadFile(page)
		check(err)
		told = told || strings.Contains(string(text), message)
	}
	equal("as a page says", told, true)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func done() {
	fmt.Printf("1..%d\n", count)
}
