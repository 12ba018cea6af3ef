// pgx of Go, through the move: see move.pl. A customer is inserted in a transaction, of which no library can repeat a
// statement, and half of the orders by COPY, which is binary.
// without: cannot parse UUID
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/oklog/ulid"
)

var ctx = context.Background()

// As an application has registered it, so that a value of any type is an ownID.
type ownCodec struct{ pgtype.UUIDCodec }
type ownID string

func (codec ownCodec) DecodeValue(m *pgtype.Map, oid uint32, format int16, src []byte) (interface{}, error) {
	value, err := codec.UUIDCodec.DecodeValue(m, oid, format, src)
	if err != nil || value == nil || format == pgtype.TextFormatCode { // of which CopyFrom makes what it sends
		return value, err
	}
	text, err := pgtype.UUID{Bytes: value.([16]byte), Valid: true}.Value()
	return ownID(text.(string)), err
}

type pool struct {
	*pgxpool.Pool
	ulids, copies bool
}

// A value that pgx scans an id into, and its text.
func (pool pool) id() (interface{}, func() string) {
	if pool.ulids {
		id := &ulid.ULID{}
		return id, func() string { return id.String() }
	}
	id := &pgtype.UUID{}
	return id, func() string { text, _ := id.Value(); return text.(string) }
}

func (pool pool) addCustomer(name string) (string, error) {
	id, text := pool.id()
	err := pgx.BeginFunc(ctx, pool, func(transaction pgx.Tx) error {
		return transaction.QueryRow(ctx, "INSERT INTO customers (name) VALUES ($1) RETURNING id", name).Scan(id)
	})
	if err != nil {
		return "", err
	}
	return text(), nil
}

func (pool pool) addOrder(new order) error {
	if pool.copies && strings.ContainsAny(new.customer[len(new.customer)-1:], "02468ACEace") {
		columns := []string{"customer_id", "record_type", "record_id", "others"}
		_, err := pool.CopyFrom(ctx, pgx.Identifier{"orders"}, columns, pgx.CopyFromRows(
			[][]interface{}{{new.customer, new.kind, new.record, new.others}}))
		return err
	}
	_, err := pool.Exec(ctx, "INSERT INTO orders (customer_id, record_type, record_id, others) VALUES ($1, $2, $3, $4)",
		new.customer, new.kind, new.record, new.others)
	return err
}

func (pool pool) rename(id, name string) (int64, error) {
	tag, err := pool.Exec(ctx, "UPDATE customers SET name = $2 WHERE id = $1", id, name)
	return tag.RowsAffected(), err
}

func (pool pool) customer(id string) (string, string, error) {
	found, text := pool.id()
	var name string
	if err := pool.QueryRow(ctx, "SELECT * FROM customers WHERE id = $1", id).Scan(found, &name); err != nil {
		return "", "", err
	}
	if pool.copies && !pool.ulids {
		row, err := pool.Query(ctx, "SELECT id FROM customers WHERE id = $1", id)
		if err != nil {
			return "", "", err
		}
		value, err := pgx.CollectOneRow(row, pgx.RowTo[interface{}])
		if err != nil {
			return "", "", err
		}
		if own, ok := value.(ownID); !ok || string(own) != text() {
			return "", "", fmt.Errorf("%v, not by the codec of the application", value)
		}
	}
	return text(), name, nil
}

func (pool pool) ordersOf(id string) (orders []order, err error) {
	rows, err := pool.Query(ctx, "SELECT customer_id, record_type, record_id, others FROM orders WHERE customer_id = $1", id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		customer, customerText := pool.id()
		record, recordText := pool.id()
		var kind string
		var texts []string
		if pool.ulids {
			var others []ulid.ULID
			if err := rows.Scan(customer, &kind, record, &others); err != nil {
				return nil, err
			}
			for _, other := range others {
				texts = append(texts, other.String())
			}
		} else {
			var others []pgtype.UUID
			if err := rows.Scan(customer, &kind, record, &others); err != nil {
				return nil, err
			}
			for _, other := range others {
				text, _ := other.Value()
				texts = append(texts, text.(string))
			}
		}
		orders = append(orders, order{customerText(), kind, recordText(), texts})
	}
	return orders, rows.Err()
}

func main() {
	mode := os.Args[1]
	config, err := pgxpool.ParseConfig("pool_max_conns=3")
	check(err)
	switch mode {
	case "both":
		config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			conn.TypeMap().RegisterType(&pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: ownCodec{}})
			row, err := conn.LoadType(ctx, "orders")
			if err != nil {
				return err
			}
			conn.TypeMap().RegisterType(row)
			_, err = conn.Exec(ctx, "SET application_name = 'its own'")
			return err
		}
		ReadUlidsAsUuids(config)
	case "ulid":
		config.AfterConnect = RegisterUlid
	}
	connected, err := pgxpool.NewWithConfig(ctx, config)
	check(err)
	if mode == "both" {
		var name string
		check(connected.QueryRow(ctx, "SHOW application_name").Scan(&name))
		if name != "its own" {
			panic("the application's AfterConnect was not called")
		}
	}
	rounds(mode, pool{connected, mode == "ulid", mode != "uuid"})
}
