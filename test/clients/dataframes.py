"""ADBC, pandas and polars."""
import os
import uuid

import adbc_driver_postgresql.dbapi as adbc
import pandas
import polars
import pyarrow
from sqlalchemy import create_engine, text

from tap import HOUR, IDS, NOON, UUID, equal, fails
from ulid_sqlalchemy import ULID

database, host, port, user = [os.environ[name] for name in ("PGDATABASE", "PGHOST", "PGPORT", "PGUSER")]
uri = f"postgresql:///{database}?host={host}&port={port}&user={user}"
engine = create_engine("postgresql+psycopg://")

# ADBC.
with adbc.connect(uri, autocommit=True) as connection, connection.cursor() as cursor:

    def rows(query, *parameters):
        cursor.execute(query, parameters or None)
        return cursor.fetchall()

    rows("INSERT INTO message (id, body) VALUES ($1, 'adbc')", IDS[0])
    cursor.adbc_ingest("message", pyarrow.table({"id": [uuid.UUID(UUID).bytes], "body": ["bytes"]}), mode="append")
    inserted = rows("SELECT id::text, body FROM message ORDER BY id")
    equal("ADBC: inserts", inserted, [(IDS[0], "adbc"), (IDS[1], "bytes")])
    without_cast = rows("SELECT id FROM message WHERE body = 'bytes'")
    equal("ADBC: an id without a cast is bytes", without_cast, [(uuid.UUID(UUID).bytes,)])
    equal("ADBC: a condition", rows("SELECT body FROM message WHERE id = $1::text::ulid", IDS[0]), [("adbc",)])
    equal("ADBC: times", rows("SELECT body FROM message WHERE id >= $1 AND id < $2", NOON, NOON + HOUR), [("adbc",)])
    fails("operator does not exist: ulid = text", lambda: rows("SELECT FROM message WHERE id = $1", IDS[0]))
    strings = pyarrow.table({"id": [IDS[2]], "body": ["text"]})
    fails("incorrect binary data format", lambda: cursor.adbc_ingest("message", strings, mode="append"))

# pandas.
frame = pandas.DataFrame({"id": [IDS[2]], "body": ["pandas"]})
frame.to_sql("message", engine, if_exists="append", index=False, dtype={"id": ULID})
frame.to_sql("fresh", engine, index=False, dtype={"id": ULID})
frame = pandas.read_sql(
    text("SELECT id, id::timestamptz AS time FROM message WHERE id >= :begin"), engine, params={"begin": NOON + HOUR})
equal("pandas: ids and times", [[id, time.to_pydatetime()] for id, time in frame.values.tolist()],
      [[IDS[1], NOON + HOUR], [IDS[2], NOON + 2 * HOUR]])
frame.to_sql("texts", engine, index=False)
query = "SELECT pg_typeof(t.id)::text, pg_typeof(f.id)::text FROM texts t, fresh f"
types = pandas.read_sql(query, engine).values.tolist()
equal("pandas: to_sql makes the column, which without dtype is text", types[0], ["text", "ulid"])

# polars.
query = "SELECT id::text, id::timestamptz AS time FROM message ORDER BY id"
frame = polars.read_database_uri(query, uri, engine="adbc")
equal("polars: ids and times", frame.rows(), [(id, NOON + n * HOUR) for n, id in enumerate(IDS)])
through_sqlalchemy = polars.read_database("SELECT id FROM message ORDER BY id", engine)
equal("polars: through SQLAlchemy", through_sqlalchemy["id"].to_list(), IDS)
frame.select("id").write_database("polars", engine, engine_options={"dtype": {"id": ULID}})
types = pandas.read_sql("SELECT pg_typeof(id)::text FROM polars LIMIT 1", engine).values.tolist()
equal("polars: write_database", types, [["ulid"]])
ids = frame.select("id")
fails("incorrect binary data format",
      lambda: ids.write_database("message", uri, if_table_exists="append", engine="adbc"))
