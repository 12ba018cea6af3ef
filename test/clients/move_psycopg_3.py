"""psycopg 3, through the move: see move.pl.

without: cached plan must not change result type
"""
import psycopg

from moving import MODE, rounds
from ulid_psycopg import register_ulid
from uuid_or_ulid_psycopg import read_ulids_as_uuids

connection = psycopg.connect(autocommit=True)
if MODE == "both":
    read_ulids_as_uuids(connection)
elif MODE == "ulid":
    register_ulid(connection)


class Client:
    @staticmethod
    def add_customer(name):
        [id] = connection.execute("INSERT INTO customers (name) VALUES (%s) RETURNING id", [name]).fetchone()
        return str(id) if MODE == "ulid" else id  # of an Ulid

    @staticmethod
    def add_order(*order):
        connection.execute("INSERT INTO orders (customer_id, record_type, record_id, others) VALUES (%s, %s, %s, %s)", order)

    @staticmethod
    def rename(id, name):
        return connection.execute("UPDATE customers SET name = %s WHERE id = %s", [name, id]).rowcount

    @staticmethod
    def customer(id):
        return connection.execute("SELECT * FROM customers WHERE id = ANY(%s)", [[id]], binary=True).fetchone()

    @staticmethod
    def orders_of(id):
        return connection.execute("SELECT customer_id, record_type, record_id, others FROM orders WHERE customer_id = %s", [id]).fetchall()


rounds(Client)
