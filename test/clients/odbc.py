"""pyodbc, over psqlODBC."""
import pyodbc

from tap import HOUR, IDS, MILLISECOND, NOON, done, equal, fails

from message_pyodbc import add, add_many, between, connection, cursor, page_after, those

print("# pyodbc", pyodbc.version, "psqlODBC", connection.getinfo(pyodbc.SQL_DRIVER_VER))


def rows(query, *parameters):
    return [tuple(row) for row in cursor.execute(query, *parameters).fetchall()]


id = add("hello")
equal("a default comes back as text", (type(id), len(id)), (str, 26))
equal("a text finds its row", rows("SELECT body FROM message WHERE id = ?", id), [("hello",)])
cursor.execute("DELETE FROM message")
for fast in False, True:
    cursor.fast_executemany = fast
    add_many([[IDS[0], "x"], [IDS[1], None], [IDS[2], "z"]])
    equal(f"many at once, {fast=}", rows("SELECT id, body FROM message ORDER BY id"), [(IDS[0], "x"), (IDS[1], None), (IDS[2], "z")])
    if not fast:
        cursor.execute("DELETE FROM message")
equal("any of many", [row.id for row in those([IDS[0], IDS[2]])], [IDS[0], IDS[2]])
equal("range by time", [row.id for row in between(NOON + HOUR, NOON + 2 * HOUR)], [IDS[1]])
equal("to the millisecond", [row.id for row in between(NOON + HOUR + MILLISECOND, NOON + 2 * HOUR + MILLISECOND)], [IDS[2]])
equal("a page after a cursor", [row.id for row in page_after(IDS[0], 1)], [IDS[1]])
cursor.execute("SET timezone = 'Asia/Tokyo'")
equal("a datetime as a parameter has no zone, as the page says",
      rows("SELECT id FROM message WHERE id >= ?::timestamptz", NOON + HOUR), [(id,) for id in IDS])
equal("an array is text, and null", rows("SELECT array_agg(id ORDER BY id), NULL::ulid FROM message"),
      [("{" + ",".join(IDS) + "}", None)])
equal("the column, as the driver describes it", [(column.type_name, column.column_def) for column in cursor.columns(table="message")],
      [("ulid", "gen_ulid()"), ("text", None)])
fails('invalid input syntax for type ulid: "2024-05-01 13:00:00"', lambda: rows("SELECT id FROM message WHERE id >= ?", NOON + HOUR))
fails('invalid input syntax for type ulid: "no ulid"', lambda: rows("SELECT id FROM message WHERE id = ?", "no ulid"))
done()
