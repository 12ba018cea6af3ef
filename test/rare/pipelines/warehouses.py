"""DuckDB's scanner, ADBC with Polars, and Great Expectations."""
import os
import sys

import adbc_driver_postgresql.dbapi
import duckdb
import great_expectations as gx
import polars
import psycopg2
import pyarrow
from duckdb_extensions import import_extension

sys.path.insert(0, ".")
from tap import IDS, UUID, equal

A, B, _ = IDS
database = psycopg2.connect("")
database.autocommit = True
sql = database.cursor()
sql.execute("INSERT INTO message VALUES (%s, 'a'), (%s, 'b')", (A, B))
sql.execute("CREATE TABLE list (ids ulid[])")
sql.execute("INSERT INTO list VALUES (%s::ulid[])", ([A, None],))
URL = "postgresql://{PGUSER}@127.0.0.1:{PGPORT}/{PGDATABASE}".format(**os.environ)

import_extension("postgres_scanner")
warehouse = duckdb.connect()
warehouse.execute("LOAD postgres_scanner")
warehouse.execute(f"ATTACH '{URL}' AS pg (TYPE postgres, READ_ONLY)")
equal("DuckDB reads ids as text", warehouse.sql("SELECT id, body FROM pg.message ORDER BY id").fetchall(),
      [(A, "a"), (B, "b")])
equal("DuckDB reads arrays", warehouse.sql("SELECT ids FROM pg.list").fetchall(), [([A, None],)])

BYTES = bytes.fromhex(UUID.replace("-", ""))  # of B
with adbc_driver_postgresql.dbapi.connect(URL) as connection, connection.cursor() as cursor:
    cursor.execute("SELECT id, id::text FROM message WHERE body = 'b'")
    equal("ADBC returns 16 bytes for an id, and text for id::text",
          [column.to_pylist() for column in cursor.fetch_arrow_table().columns], [[BYTES], [B]])
    cursor.adbc_ingest("message", pyarrow.table({"id": ["shop_order_00042", "shop_order_00043"]}), mode="append")
    cursor.execute("SELECT id::bytea FROM message WHERE body IS NULL ORDER BY id")
    equal("ADBC writes 16 characters as an id", cursor.fetchall()[0], (b"shop_order_00042",))
    connection.rollback()


def by_adbc(expression):
    return polars.read_database_uri(f"SELECT {expression} AS id FROM message WHERE body = 'b'", URL, engine="adbc")["id"]


equal("Polars returns 16 bytes by ADBC, also for a uuid", [bytes(by_adbc(e)[0]) for e in ("id", "id::uuid")], [BYTES] * 2)
equal("Polars returns text for id::text", by_adbc("id::text").to_list(), [B])


def check():
    source = gx.get_context(mode="ephemeral").data_sources.add_postgres(
        "pg", connection_string=URL.replace("sql:", "sql+psycopg2:"))
    batch = source.add_table_asset("m", table_name="message").add_batch_definition_whole_table("m").get_batch()
    result = batch.validate(gx.expectations.ExpectColumnValuesToBeUnique(column="id"))
    return [result.success, "Can't generate DDL for NullType()" in str(result.exception_info)]


equal("Great Expectations runs no check of a table with ids", check(), [False, True])
import pgulid.sqlalchemy  # noqa: E402,F401

equal("with pgulid.sqlalchemy it does", check(), [True, False])
