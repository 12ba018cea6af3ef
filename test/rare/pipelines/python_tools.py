"""dlt, connectorx and petl."""
import os
import tempfile

import connectorx
import dlt
import duckdb
import petl
import psycopg2
from dlt.sources.sql_database import sql_table

from tap import IDS, UUID, equal

os.chdir(tempfile.mkdtemp(dir="."))
A, B, C = IDS
database = psycopg2.connect("")
database.autocommit = True
sql = database.cursor()
sql.execute("INSERT INTO message VALUES (%s, 'a'), (%s, 'b')", (A, B))
URL = f"postgresql://postgres@127.0.0.1:{os.environ['PGPORT']}/{os.environ['PGDATABASE']}"


def connect_x(query):
    try:
        return connectorx.read_sql(URL, query)["id"].tolist()
    except Exception:
        return "an Exception"
    except BaseException as error:  # it is not an Exception
        return f"{type(error).__name__}: {error}"


equal("connectorx panics", connect_x("SELECT id FROM message"), "PanicException: not implemented: ulid")
equal("connectorx: id::text", connect_x("SELECT id::text AS id FROM message ORDER BY id"), [A, B])
equal("connectorx: a uuid", connect_x("SELECT id::uuid AS id FROM message WHERE body = 'b'"), [UUID])
rows = petl.data(petl.fromdb(database, "SELECT id, body FROM message ORDER BY id"))
equal("petl", list(rows), [(A, "a"), (B, "b")])


def load():
    pipeline = dlt.pipeline(
        "messages", destination=dlt.destinations.duckdb("messages.duckdb"), dataset_name="raw", pipelines_dir="dlt")
    table = sql_table(URL.replace("sql:", "sql+psycopg2:"), "message", incremental=dlt.sources.incremental("id"))
    pipeline.run(table, write_disposition="merge", primary_key="id")
    with duckdb.connect("messages.duckdb") as warehouse:
        return warehouse.sql("SELECT id, body, typeof(id) FROM raw.message ORDER BY id").fetchall()


equal("dlt loads ids as text", load(), [(A, "a", "VARCHAR"), (B, "b", "VARCHAR")])
sql.execute("INSERT INTO message VALUES (%s, 'c')", [C])
sql.execute("UPDATE message SET body = 'not read' WHERE id = %s", [A])
equal("dlt loads newer ids only, by id", load(), [(A, "a", "VARCHAR"), (B, "b", "VARCHAR"), (C, "c", "VARCHAR")])
