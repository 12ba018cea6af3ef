"""psycopg 3, through the move by every way to write and to read a row that it has: see move.pl.

Pipelines, executemany, COPY in text and in binary, both ways, cursors of the server, prepared statements, and rows that
a trigger sends by NOTIFY.

can happen: cached plan must not change result type
"""
import itertools
import json
import uuid

import psycopg

from moving import MODE, rounds
from ulid_psycopg import register_ulid
from uuid_or_ulid import to_ulid, to_uuid
from uuid_or_ulid_psycopg import read_ulids_as_uuids

connection = psycopg.connect(autocommit=True)
if MODE == "both":
    read_ulids_as_uuids(connection)
elif MODE == "ulid":
    register_ulid(connection)
of_text = to_ulid if MODE == "ulid" else to_uuid  # what a client does with an id that it reads as a text
turn = itertools.count()


def of_row(id):
    return str(id) if MODE == "ulid" else id


def insert(name):
    return of_row(connection.execute("INSERT INTO customers (name) VALUES (%s) RETURNING id", [name], prepare=True).fetchone()[0])


def insert_in_pipeline(name):
    with connection.pipeline():
        first = connection.execute("INSERT INTO customers (name) VALUES (%s) RETURNING id", [name])
        connection.execute("SELECT id FROM customers LIMIT 1")
        return of_row(first.fetchone()[0])


def insert_many(name):
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO customers (name) VALUES (%s) RETURNING id", [[name]], returning=True)
        return of_row(cursor.fetchone()[0])


def copy_text(name):
    id = of_text(str(uuid.uuid4()))
    with connection.cursor() as cursor, cursor.copy("COPY customers (id, name) FROM STDIN") as copy:
        copy.write_row((str(id), name))
    return id


def copy_binary(name):
    id = uuid.uuid4()
    with connection.cursor() as cursor, cursor.copy("COPY customers (id, name) FROM STDIN (FORMAT binary)") as copy:
        copy.set_types(["uuid", "text"])
        copy.write_row((id, name))
    return of_text(str(id))


def select(id):
    return connection.execute("SELECT id, name FROM customers WHERE id = %s", [id], prepare=True).fetchone()


def select_by_cursor(id):
    with connection.transaction(), connection.cursor(name="of_the_server") as cursor:
        return cursor.execute("SELECT id, name FROM customers WHERE id = %s", [id]).fetchone()


def copy_out(format, of):
    def by_copy(id):
        with connection.cursor() as cursor, cursor.copy(
                f"COPY (SELECT id, name FROM customers WHERE id = '{id}') TO STDOUT (FORMAT {format})") as copy:
            if format == "binary":
                copy.set_types(["uuid", "text"])
            [row] = copy.rows()
            return of(str(row[0])), row[1]
    return by_copy


inserts = [insert, insert_in_pipeline, insert_many, copy_text, copy_binary]
selects = [select, select_by_cursor, copy_out("text", of_text), copy_out("binary", of_text)]


class Client:
    @staticmethod
    def add_customer(name):
        return inserts[next(turn) % 5](name)

    @staticmethod
    def add_order(*order):
        with connection.pipeline():
            connection.execute("INSERT INTO orders (customer_id, record_type, record_id, others) VALUES (%s, %s, %s, %s)", order)

    @staticmethod
    def rename(id, name):
        connection.execute("LISTEN of_rows")
        changed = connection.execute("UPDATE customers SET name = %s WHERE id = %s RETURNING pg_notify('of_rows', to_json(customers)::text)",
                                     [name, id]).rowcount
        connection.execute("UNLISTEN of_rows")
        return changed

    @staticmethod
    def customer(id):
        row = selects[next(turn) % 4](id)
        return row and (of_row(row[0]), row[1])

    @staticmethod
    def orders_of(id):
        with connection.transaction(), connection.cursor(name="of_orders", binary=True) as cursor:
            cursor.execute("SELECT customer_id, record_type, record_id, others FROM orders WHERE customer_id = %s", [id])
            return cursor.fetchall()


def notified(notice):
    row = json.loads(notice.payload)
    told[of_text(row["id"])] = row["name"]


told = {}
connection.add_notify_handler(notified)
renamed = Client.rename


def rename(id, name):
    changed = renamed(id, name)
    if told.pop(of_text(str(id)), None) != name:
        raise ValueError("the row that was sent is another")
    return changed


Client.rename = staticmethod(rename)
rounds(Client)
