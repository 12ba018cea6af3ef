package pgulid

import "testing"

func TestID(t *testing.T) {
	var id ID
	for _, value := range []any{"01HWT3V34004HMASW9NF6YY0G2", []byte("01HWT3V34004HMASW9NF6YY0G2")} {
		if err := id.Scan(value); err != nil || id.String() != "01HWT3V34004HMASW9NF6YY0G2" {
			t.Errorf("scanning %s gives %v, %v", value, id, err)
		}
	}
	for _, value := range []any{nil, 1, "not an id"} {
		if id.Scan(value) == nil {
			t.Errorf("scanning %v does not fail", value)
		}
	}
}
