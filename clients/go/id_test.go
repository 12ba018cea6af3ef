package pgulid

import (
	"encoding/json"
	"testing"
)

func TestID(t *testing.T) {
	const text = "01HWT3V34004HMASW9NF6YY0G2"
	var id, read ID
	for _, value := range []any{text, []byte("01hwt3v34004hmasw9nf6yy0g2")} {
		if err := id.Scan(value); err != nil || id.String() != text {
			t.Errorf("scanning %s gives %v, %v", value, id, err)
		}
	}
	if data, err := json.Marshal(id); err != nil || json.Unmarshal(data, &read) != nil || read != id {
		t.Errorf("JSON: %s, %v, %v", data, err, read)
	}
	for _, value := range []string{"", "not an id", "8" + text[1:], text[:25] + "U", "'" + text + "'"} {
		data, _ := json.Marshal(value)
		if id.Scan(value) == nil || json.Unmarshal(data, &id) == nil || id != read {
			t.Errorf("%q does not fail", value)
		}
	}
	if id.Scan(1) == nil || id.Scan(nil) != nil || id != (ID{}) {
		t.Error("scanning a number does not fail, or NULL is not the zero ID")
	}
}
