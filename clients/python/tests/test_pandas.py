import pandas
from sqlalchemy import create_engine

from conftest import IDS
from pgulid.sqlalchemy import ULID


def test_frames(database: str) -> None:
    engine = create_engine("postgresql+psycopg://")
    frame = pandas.DataFrame({"id": IDS, "body": ["pandas"] * 3})
    frame.to_sql("fresh", engine, index=False, dtype={"id": ULID})
    frame.to_sql("message", engine, if_exists="append", index=False, dtype={"id": ULID})
    assert pandas.read_sql("SELECT id FROM message ORDER BY id", engine)["id"].tolist() == IDS
    frame.to_sql("texts", engine, index=False)  # without dtype the column is text
    query = "SELECT pg_typeof(t.id)::text, pg_typeof(f.id)::text FROM texts t, fresh f"
    assert pandas.read_sql(query, engine).values.tolist()[0] == ["text", "ulid"]
    engine.dispose()
