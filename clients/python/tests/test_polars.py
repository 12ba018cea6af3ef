import polars
import pytest
from sqlalchemy import Column, MetaData, Table, Text, create_engine, text
from sqlalchemy.exc import DataError

from conftest import HOUR, IDS, NOON
from pgulid.sqlalchemy import ULID, register_ulid


def test_frames(database: str) -> None:
    engine = create_engine("postgresql+psycopg://")
    register_ulid(engine)
    frame = polars.DataFrame({"id": IDS, "body": ["polars", None, "polars"]})
    message = Table("message", MetaData(), Column("id", ULID), Column("body", Text))
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE message ADD answers ulid"))
        connection.execute(message.insert(), frame.to_dicts())
        connection.execute(message.insert(), {"body": "default"})

    def read(query: str, **parameters: object) -> polars.DataFrame:
        with engine.connect() as connection:
            return polars.read_database(text(query), connection, execute_options={"parameters": parameters})

    stored = read("SELECT id, body, answers FROM message ORDER BY id")
    assert stored["id"].to_list()[:3] == IDS
    assert (stored["id"].dtype, len(stored["id"][3])) == (polars.String, 26)
    assert (stored["body"][1], stored["answers"][0]) == (None, None)
    between = read("SELECT id FROM message WHERE id >= :begin AND id < :end", begin=NOON + HOUR, end=NOON + 2 * HOUR)
    assert between["id"].to_list() == [IDS[1]]
    assert read("SELECT id FROM message WHERE id = ANY(:ids) ORDER BY id", ids=IDS[1:])["id"].to_list() == IDS[1:]
    assert read("SELECT array_agg(id ORDER BY id) AS ids FROM message")["ids"].to_list()[0][:3] == IDS
    with pytest.raises(DataError, match="invalid input syntax for type ulid"):
        read("SELECT FROM message WHERE id = :id", id="nope")
    engine.dispose()
