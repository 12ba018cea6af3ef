"""psycopg 3: strings work as they are; arrays and COPY need the type once per connection."""
import psycopg
from psycopg.types import TypeInfo

try:
    from ulid import ULID
except ImportError:  # Debian 12 does not package it
    ULID = None

from tap import HOUR, IDS, NOON, done, equal, error_of, fails

connection = psycopg.connect(autocommit=True)


def add(body):
    return connection.execute("INSERT INTO message (body) VALUES (%s) RETURNING id", [body]).fetchone()[0]


def find(id):
    return connection.execute("SELECT body FROM message WHERE id = %s", [id]).fetchone()


def between(begin, end):  # datetimes with a time zone
    return connection.execute("SELECT id FROM message WHERE id >= %s AND id < %s", [begin, end]).fetchall()


def page_after(id, size):
    return connection.execute("SELECT id FROM message WHERE id > %s ORDER BY id LIMIT %s", [id, size]).fetchall()


print("# psycopg", psycopg.__version__)
id = add("hello")
equal("the default comes back as a string", (type(id), len(id)), (str, 26))
equal("find", [find(id), find(id.lower())], [("hello",), ("hello",)])
connection.execute("DELETE FROM message")
with connection.cursor() as cursor:
    cursor.executemany("INSERT INTO message (id) VALUES (%s)", [[id] for id in IDS])
equal("a range of time", between(NOON + HOUR, NOON + 2 * HOUR), [(IDS[1],)])
equal("a page after a cursor", page_after(IDS[0], 1), [(IDS[1],)])
equal("an array as a parameter", connection.execute(
    "SELECT count(*) FROM message WHERE id = ANY(%s)", [IDS[:2]]).fetchone(), (2,))
array = "SELECT array_agg(id ORDER BY id) FROM message"
equal("an unregistered array is text", connection.execute(array).fetchone()[0], "{" + ",".join(IDS) + "}")
TypeInfo.fetch(connection, "ulid").register(connection)
equal("a registered array is a list", connection.execute(array).fetchone()[0], IDS)
with connection.cursor() as cursor, cursor.copy("COPY message (id, body) FROM STDIN") as copy:
    copy.write_row(["7" + IDS[0][1:], "copied"])
equal("COPY in text", find("7" + IDS[0][1:]), ("copied",))
wrong_ids = "not an id", "8" + IDS[0][1:]
equal("a DataError", [isinstance(error_of(lambda: find(wrong)), psycopg.DataError) for wrong in wrong_ids], [True, True])
if ULID:
    fails("cannot adapt type 'ULID'", lambda: find(ULID.from_str(IDS[0])))

    class UlidDumper(psycopg.adapt.Dumper):
        def dump(self, value):
            return str(value).encode()

    psycopg.adapters.register_dumper(ULID, UlidDumper)  # for connections made afterwards
    with psycopg.connect() as other:
        equal("a ULID object", other.execute("SELECT id FROM message WHERE id = %s", [ULID.from_str(IDS[0])]).fetchone(), (IDS[0],))
fails('invalid input syntax for type ulid: "not an id"', lambda: find("not an id"))
fails("operator does not exist: ulid = text",
      lambda: connection.execute("SELECT FROM message WHERE id = %b", [IDS[0]]))
equal("a binary cursor gives bytes", type(connection.cursor(binary=True).execute(
    "SELECT id FROM message LIMIT 1").fetchone()[0]), bytes)
done()
