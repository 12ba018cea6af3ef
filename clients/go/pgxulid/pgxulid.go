// Package pgxulid teaches pgx the type ulid: ids and arrays of them are sent and read as 16 bytes.
package pgxulid

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/oklog/ulid/v2"

	pgulid "example.org/ulid/clients/go"
)

// Register is for pgxpool.Config.AfterConnect, or to be called once for each connection. Where the database has no extension
// ulid, such as before the migration that creates it, it does nothing: reset the pool afterwards.
func Register(ctx context.Context, conn *pgx.Conn) error {
	var id, array uint32
	err := conn.QueryRow(ctx, `SELECT t.oid, typarray FROM pg_type t JOIN pg_extension e ON typnamespace = extnamespace
		WHERE typname = 'ulid' AND extname = 'ulid'`).Scan(&id, &array) // perhaps outside of search_path
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	types := conn.TypeMap()
	element := &pgtype.Type{Name: "ulid", OID: id, Codec: codec{}}
	types.RegisterType(element)
	types.RegisterType(&pgtype.Type{Name: "_ulid", OID: array, Codec: &arrayCodec{pgtype.ArrayCodec{ElementType: element}}})
	// Without prepared statements the types of parameters are known from their values alone.
	for _, value := range []any{pgulid.ID{}, &pgulid.ID{}, ulid.ULID{}, &ulid.ULID{}} {
		types.RegisterDefaultPgType(value, "ulid")
	}
	for _, value := range []any{pgulid.IDs{}, []pgulid.ID{}, []*pgulid.ID{}, []ulid.ULID{}, []*ulid.ULID{}} {
		types.RegisterDefaultPgType(value, "_ulid")
	}
	return nil
}

type codec struct{}

func (codec) FormatSupported(format int16) bool {
	return format == pgtype.BinaryFormatCode || format == pgtype.TextFormatCode
}

func (codec) PreferredFormat() int16 { return pgtype.BinaryFormatCode }

// PlanEncode knows strings for COPY and arrays only: pgx sends a parameter that is a string as it is. Bytes are those of the id.
func (codec) PlanEncode(_ *pgtype.Map, _ uint32, format int16, value any) pgtype.EncodePlan {
	switch value.(type) {
	case pgulid.ID, *pgulid.ID, ulid.ULID, *ulid.ULID, string, []byte:
		return encodePlan(format)
	}
	return nil
}

type encodePlan int16

func (format encodePlan) Encode(value any, buffer []byte) ([]byte, error) {
	var id pgulid.ID
	var err error
	switch value := value.(type) {
	case pgulid.ID:
		id = value
	case ulid.ULID:
		id = pgulid.ID(value)
	case *pgulid.ID:
		if value == nil { // in an array, with pgx 5.7
			return nil, nil
		}
		id = *value
	case *ulid.ULID:
		if value == nil {
			return nil, nil
		}
		id = pgulid.ID(*value)
	case string:
		id, err = pgulid.Parse(value)
	case []byte:
		id, err = read(pgtype.BinaryFormatCode, value)
	}
	if err != nil {
		return nil, err
	}
	if format == pgtype.TextFormatCode {
		return append(buffer, id.String()...), nil
	}
	return append(buffer, id[:]...), nil
}

func (codec) PlanScan(_ *pgtype.Map, _ uint32, format int16, target any) pgtype.ScanPlan {
	switch target.(type) {
	case *pgulid.ID, *ulid.ULID, *string, pgtype.TextScanner:
		return scanPlan(format)
	}
	return nil
}

type scanPlan int16

func (format scanPlan) Scan(source []byte, target any) error {
	var id pgulid.ID
	if source != nil {
		var err error
		if id, err = read(int16(format), source); err != nil {
			return err
		}
	}
	switch target := target.(type) {
	case *pgulid.ID: // as ID.Scan does
		*target = id
		return nil
	case pgtype.TextScanner:
		return target.ScanText(pgtype.Text{String: id.String(), Valid: source != nil})
	}
	if source == nil {
		return fmt.Errorf("cannot scan NULL into %T", target)
	}
	switch target := target.(type) {
	case *ulid.ULID:
		*target = ulid.ULID(id)
	case *string:
		*target = id.String()
	}
	return nil
}

func read(format int16, source []byte) (id pgulid.ID, err error) {
	if format == pgtype.TextFormatCode {
		return pgulid.Parse(string(source))
	}
	if copy(id[:], source) != len(source) || len(source) != len(id) {
		err = errors.New("pgxulid: an id has 16 bytes")
	}
	return
}

// DecodeDatabaseSQLValue is the text, for database/sql and for types with a method Scan.
func (codec) DecodeDatabaseSQLValue(_ *pgtype.Map, _ uint32, format int16, source []byte) (driver.Value, error) {
	if source == nil {
		return nil, nil
	}
	id, err := read(format, source)
	return id.String(), err
}

// DecodeValue is what rows.Values has: an ID.
func (codec) DecodeValue(_ *pgtype.Map, _ uint32, format int16, source []byte) (any, error) {
	if source == nil {
		return nil, nil
	}
	return read(format, source)
}

// pgx's, with the text instead of the binary format of an array for database/sql and for IDs.Scan.
type arrayCodec struct{ pgtype.ArrayCodec }

func (c *arrayCodec) DecodeDatabaseSQLValue(m *pgtype.Map, oid uint32, format int16, source []byte) (driver.Value, error) {
	if source == nil || format == pgtype.TextFormatCode {
		return c.ArrayCodec.DecodeDatabaseSQLValue(m, oid, format, source)
	}
	var array pgtype.Array[*pgulid.ID]
	if err := m.Scan(oid, format, source, &array); err != nil {
		return nil, err
	}
	text, err := m.Encode(oid, pgtype.TextFormatCode, array, nil)
	return string(text), err
}
