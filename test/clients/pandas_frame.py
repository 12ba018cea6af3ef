"""pandas over SQLAlchemy."""
import pandas
from sqlalchemy import text

from tap import HOUR, IDS, MILLISECOND, NOON, done, equal

from message_pandas import between, engine, write

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
write(pandas.DataFrame({"id": [None], "body": ["null"]}), "frame")
equal("null", between("frame", NOON, NOON + 9 * HOUR)["id"].isna().sum(), 0)
done()
