"""psycopg2, through the move: see move.pl."""
import psycopg2
from psycopg2 import STRING
from psycopg2.extensions import new_array_type, register_type
from psycopg2.extras import RealDictCursor, register_uuid

from moving import MODE, rounds
from uuid_or_ulid_psycopg2 import read_ulids_as_uuids

connection = psycopg2.connect("", cursor_factory=RealDictCursor)
if MODE == "both":
    read_ulids_as_uuids(connection)
else:
    register_uuid()
connection.cursor_factory = None
connection.autocommit = True  # fails in a transaction
cursor = connection.cursor()
if MODE == "ulid":
    cursor.execute("SELECT 'ulid[]'::regtype::oid")
    register_type(new_array_type(cursor.fetchone(), "ULID[]", STRING), connection)


class Client:
    @staticmethod
    def add_customer(name):
        cursor.execute("INSERT INTO customers (name) VALUES (%s) RETURNING id", [name])
        return cursor.fetchone()[0]

    @staticmethod
    def add_order(*order):
        several = "ulid" if MODE == "ulid" else "uuid"
        cursor.execute(f"INSERT INTO orders (customer_id, record_type, record_id, others) VALUES (%s, %s, %s, %s::{several}[])", order)

    @staticmethod
    def rename(id, name):
        cursor.execute("UPDATE customers SET name = %s WHERE id = %s", [name, id])
        return cursor.rowcount

    @staticmethod
    def customer(id):
        cursor.execute("SELECT * FROM customers WHERE id = %s", [id])
        return cursor.fetchone()

    @staticmethod
    def orders_of(id):
        cursor.execute("SELECT customer_id, record_type, record_id, others FROM orders WHERE customer_id = %s", [id])
        return cursor.fetchall()


rounds(Client)
