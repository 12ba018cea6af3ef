package pgulid

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

const text = "01HWT3V34004HMASW9NF6YY0G2"

func TestID(t *testing.T) {
	var id, read ID
	for _, value := range []any{text, []byte("01hwt3v34004hmasw9nf6yy0g2")} {
		if err := id.Scan(value); err != nil || id.String() != text {
			t.Errorf("scanning %s gives %v, %v", value, id, err)
		}
	}
	if data, err := json.Marshal(id); err != nil || json.Unmarshal(data, &read) != nil || read != id {
		t.Errorf("JSON: %s, %v, %v", data, err, read)
	}
	if id.Scan(text[:25]+"U") == nil || json.Unmarshal([]byte(`"not an id"`), &id) == nil || id != read {
		t.Error("a wrong text does not fail, or changes the ID")
	}
	if id.Scan(1) == nil || id.Scan(nil) != nil || id != (ID{}) {
		t.Error("scanning a number does not fail, or NULL is not the zero ID")
	}
}

func TestIDs(t *testing.T) {
	ids := IDs{New(), New()}
	for _, wrong := range []any{
		"", "{", "}", text, "{" + text, text + "}", "{" + text + "0", "{,}", "{" + text + ",}", "{," + text + "}", "{" + text + ",," + text + "}",
		"{{" + text + "}}", "{" + text + "}}", "[0:0]={" + text + "}", "{NULL}", "{" + text + ",NULL}", "{ " + text + "}",
		`{"` + text + `"}`, "{" + text + "}{" + text + "}", []byte{0, 0, 0, 1}, []byte{}, 1,
	} {
		read := ids
		if err := read.Scan(wrong); err == nil || len(read) != 2 {
			t.Errorf("%q gives %v", wrong, read)
		}
	}
}

// Each way to read answers to the texts as the server does, but may refuse I, L, O and UUIDs.
func TestTexts(t *testing.T) {
	file, err := os.ReadFile("testdata/ids.csv")
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(string) (ID, error){
		"Parse": Parse,
		"Scan":  func(text string) (id ID, err error) { err = id.Scan(text); return },
		"JSON": func(text string) (id ID, err error) {
			data, _ := json.Marshal(text)
			err = json.Unmarshal(data, &id)
			return
		},
		"IDs": func(text string) (ID, error) {
			var ids IDs
			if err := ids.Scan("{" + text + "}"); err != nil || len(ids) != 1 {
				return ID{}, os.ErrInvalid
			}
			return ids[0], nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, line := range strings.Split(strings.TrimSuffix(string(file), "\n"), "\n") {
				text, expected, _ := strings.Cut(strings.ReplaceAll(line, `\n`, "\n"), ",")
				id, err := read(text)
				if err != nil && strings.ToUpper(text) == expected || err == nil && id.String() != expected {
					t.Errorf("%q gives %v, %v", text, id, err)
				}
			}
		})
	}
}
