// Package pgulid has a type for ulid columns, for database/sql and for libraries on top of it, such as GORM, Bun, Ent and sqlc.
package pgulid

import (
	"database/sql/driver"
	"fmt"

	"github.com/oklog/ulid/v2"
)

// ID is sent as text. A plain ulid.ULID is sent as a bytea, which the server refuses.
type ID struct{ ulid.ULID }

// New returns an ID of the current time, greater than those that this process made before.
func New() ID { return ID{ulid.Make()} }

// Parse refuses everything but 26 characters of Crockford's Base32.
func Parse(text string) (ID, error) {
	id, err := ulid.ParseStrict(text)
	return ID{id}, err
}

// Value implements driver.Valuer.
func (id ID) Value() (driver.Value, error) { return id.String(), nil }

// Scan implements sql.Scanner. It refuses NULL: scan a column that may be NULL into a *ID.
func (id *ID) Scan(value any) error {
	switch value := value.(type) {
	case string:
		return id.UnmarshalText([]byte(value))
	case []byte:
		return id.UnmarshalText(value)
	}
	return fmt.Errorf("pgulid: cannot scan %T into an ID", value)
}

// GormDataType names the column's type to GORM.
func (ID) GormDataType() string { return "ulid" }
