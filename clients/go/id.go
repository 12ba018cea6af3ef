// Package pgulid has types for ulid columns, for database/sql and libraries on top of it: GORM, Ent, sqlc. With pgx, register
// the codec of the module pgxulid in this directory.
package pgulid

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"github.com/oklog/ulid/v2"
)

// ID is sent as text. A plain ulid.ULID is sent as a bytea, which the server refuses.
type ID ulid.ULID

// New returns an ID of the current time, greater than those that this process made before.
func New() ID { return ID(ulid.Make()) }

// Parse refuses everything but 26 characters of Crockford's Base32.
func Parse(text string) (id ID, err error) {
	err = id.UnmarshalText([]byte(text))
	return
}

func (id ID) String() string { return ulid.ULID(id).String() }

// MarshalText implements encoding.TextMarshaler, as for JSON.
func (id ID) MarshalText() ([]byte, error) { return ulid.ULID(id).MarshalText() }

// UnmarshalText implements encoding.TextUnmarshaler. ulid.ULID's takes wrong characters for others.
func (id *ID) UnmarshalText(text []byte) error {
	parsed, err := ulid.ParseStrict(string(text))
	if err == nil {
		*id = ID(parsed)
	}
	return err
}

// Value implements driver.Valuer.
func (id ID) Value() (driver.Value, error) { return id.String(), nil }

// Scan implements sql.Scanner. NULL is the zero ID: to tell them apart, scan into a *ID.
func (id *ID) Scan(value any) error {
	switch value := value.(type) {
	case nil:
		*id = ID{}
		return nil
	case string:
		return id.UnmarshalText([]byte(value))
	case []byte:
		return id.UnmarshalText(value)
	}
	return fmt.Errorf("pgulid: cannot scan %T into an ID", value)
}

// IDs is the value of a ulid[] column, and of the parameter in `id = ANY($1)`. No item is NULL.
type IDs []ID

// Value implements driver.Valuer.
func (ids IDs) Value() (driver.Value, error) {
	if ids == nil {
		return nil, nil
	}
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return "{" + strings.Join(texts, ",") + "}", nil
}

// Scan implements sql.Scanner. An array with NULL, or of more than one dimension, is an error.
func (ids *IDs) Scan(value any) error {
	if bytes, ok := value.([]byte); ok && bytes != nil {
		value = string(bytes)
	}
	switch value := value.(type) {
	case nil, []byte:
		*ids = nil
		return nil
	case string:
		return ids.parse(value)
	}
	return fmt.Errorf("pgulid: cannot scan %T into IDs", value)
}

// The server quotes no id, and writes no spaces.
func (ids *IDs) parse(text string) error {
	if len(text) < 2 || text[0] != '{' || text[len(text)-1] != '}' {
		return errors.New("pgulid: not an array of one dimension that begins at 1")
	}
	parsed := IDs{}
	if text != "{}" {
		for _, item := range strings.Split(text[1:len(text)-1], ",") {
			id, err := Parse(item)
			if item == "NULL" {
				err = errors.New("pgulid: NULL in an array, which IDs cannot hold")
			}
			if err != nil {
				return err
			}
			parsed = append(parsed, id)
		}
	}
	*ids = parsed
	return nil
}

// GormDataType names the column's type to GORM.
func (ID) GormDataType() string { return "ulid" }

// GormDataType names the column's type to GORM.
func (IDs) GormDataType() string { return "ulid[]" }
