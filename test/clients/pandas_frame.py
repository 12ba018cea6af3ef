"""pandas over SQLAlchemy."""
import pandas
from sqlalchemy import text
from sqlalchemy.dialects.postgresql import ARRAY

from tap import HOUR, IDS, MILLISECOND, NOON, done, equal, fails

from message_pandas import between, engine, page_after, those, write
from ulid_sqlalchemy import ULID

print("# pandas", pandas.__version__)
write(pandas.DataFrame({"id": IDS, "body": ["x", "y", None]}), "message")
write(pandas.DataFrame({"id": IDS, "body": ["x", "y", "z"]}), "frame")
with engine.connect() as connection:
    equal("into a table that was there", connection.execute(text("SELECT array_agg(id::text ORDER BY id) FROM message")).scalar(), IDS)
    equal("and into one that it made", connection.execute(
        text("SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'frame'::regclass AND attname = 'id'")
    ).scalar(), "ulid")
frame = between("frame", NOON + HOUR, NOON + 3 * HOUR)
equal("read back, by time", list(frame["id"]), IDS[1:])
equal("the time of each", list(frame["time"]), [pandas.Timestamp(NOON + HOUR), pandas.Timestamp(NOON + 2 * HOUR)])
equal("to the millisecond", list(between("frame", NOON + HOUR + MILLISECOND, NOON + 2 * HOUR + MILLISECOND)["id"]), IDS[2:])
equal("a page after a cursor", list(page_after("frame", IDS[0], 1)["id"]), IDS[1:2])
write(pandas.DataFrame({"id": [None], "body": ["null"]}), "frame")
with engine.connect() as connection:
    null = pandas.read_sql(text("SELECT id FROM frame WHERE body = 'null'"), connection)
equal("null", list(null["id"]), [None])
equal("any of many", list(those("frame", [IDS[0], IDS[2]])["id"]), [IDS[0], IDS[2]])

write(pandas.DataFrame({"body": ["made", "made"]}), "message")
with engine.connect() as connection:
    equal("ids of the server", connection.execute(text("SELECT count(id) FROM message WHERE body = 'made'")).scalar(), 2)
lists = [IDS, [], None]
with engine.begin() as connection:
    frame = pandas.DataFrame({"id": IDS, "mentions": lists})
    frame.to_sql("lists", connection, index=False, dtype={"id": ULID, "mentions": ARRAY(ULID)})
    frame.to_sql("texts", connection, index=False, dtype={"id": ULID})
with engine.connect() as connection:
    equal("an array column", connection.execute(text("SELECT DISTINCT pg_typeof(mentions)::text FROM lists")).scalars().all(), ["ulid[]"])
    equal("comes back as lists, and null", list(pandas.read_sql(text("SELECT * FROM lists"), connection)["mentions"]), lists)
    equal("by reflection", list(pandas.read_sql_table("lists", connection)["mentions"]), lists)
    equal("without its type, as the page says",
          connection.execute(text("SELECT DISTINCT pg_typeof(mentions)::text FROM texts")).scalars().all(), ["text"])


def no_class():
    with engine.begin() as connection:
        pandas.DataFrame({"id": IDS}).to_sql("named", connection, index=False, dtype={"id": "ulid"})


fails("The type of id is not a SQLAlchemy type", no_class)


def uncast():
    with engine.connect() as connection:
        pandas.read_sql(text("SELECT id FROM frame WHERE id = ANY(:ids)"), connection, params={"ids": IDS})


fails("operator does not exist: ulid = text", uncast)
with engine.begin() as connection:
    pandas.DataFrame({"id": IDS}).to_sql("frame", connection, index=False, if_exists="replace")
    equal("replaced, as the page says", connection.execute(text("SELECT pg_typeof(id)::text FROM frame")).scalars().all(), ["text"] * 3)
done()
