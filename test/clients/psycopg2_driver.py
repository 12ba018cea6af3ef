"""psycopg2, which speaks text only."""
import psycopg2
from psycopg2.extensions import QuotedString, new_array_type, register_adapter, register_type
from psycopg2.extras import execute_values

try:
    from ulid import ULID
except ImportError:  # Debian 12 does not package it
    ULID = None

from tap import HOUR, IDS, NOON, done, equal, error_of, fails

connection = psycopg2.connect("")
connection.autocommit = True
cursor = connection.cursor()


def rows(query, *parameters):
    cursor.execute(query, parameters)
    return cursor.fetchall()


print("# psycopg2", psycopg2.__version__)
[[id]] = rows("INSERT INTO message (body) VALUES (%s) RETURNING id", "hello")
equal("the default comes back as a string", (type(id), len(id)), (str, 26))
equal("find", rows("SELECT body FROM message WHERE id = %s", id), [("hello",)])
bodies = [str(n) for n in range(250)]
ids = execute_values(cursor, "INSERT INTO message (body) VALUES %s RETURNING id", [[body] for body in bodies], fetch=True)
equal("execute_values returns the ids in order", sorted((id, body) for (id,), body in zip(ids, bodies)),
      rows("SELECT id, body FROM message WHERE body <> 'hello' ORDER BY id"))
cursor.execute("DELETE FROM message")
execute_values(cursor, "INSERT INTO message (id) VALUES %s", [[id] for id in IDS])
equal("a range of time", rows("SELECT id FROM message WHERE id >= %s AND id < %s", NOON + HOUR, NOON + 2 * HOUR),
      [(IDS[1],)])
equal("a page after a cursor", rows("SELECT id FROM message WHERE id > %s ORDER BY id LIMIT 1", IDS[0]), [(IDS[1],)])
equal("an array as a parameter", rows("SELECT count(*) FROM message WHERE id = ANY(%s::ulid[])", IDS[:2]), [(2,)])
array = "SELECT array_agg(id ORDER BY id) FROM message"
equal("an unregistered array is text", rows(array)[0][0], "{" + ",".join(IDS) + "}")

cursor.execute("SELECT 'ulid[]'::regtype::oid")
register_type(new_array_type(cursor.fetchone(), "ULID[]", psycopg2.STRING), connection)

equal("a registered array is a list", rows(array), [(IDS,)])
fails("operator does not exist: ulid = text", lambda: rows("SELECT FROM message WHERE id = ANY(%s)", IDS))
fails("operator does not exist: ulid = integer", lambda: rows("SELECT FROM message WHERE id = %s", 5))
if ULID:
    fails("can't adapt type 'ULID'", lambda: rows("SELECT body FROM message WHERE id = %s", ULID.from_str(IDS[0])))

    register_adapter(ULID, lambda value: QuotedString(str(value)))

    equal("a ULID object", rows("SELECT id FROM message WHERE id = %s", ULID.from_str(IDS[0])), [(IDS[0],)])
    equal("a list of them", rows("SELECT count(*) FROM message WHERE id = ANY(%s::ulid[])", [ULID.from_str(id) for id in IDS]), [(3,)])
wrong_ids = "not an id", "8" + IDS[0][1:]
equal("a DataError", [isinstance(error_of(lambda: rows("SELECT %s::ulid", wrong)), psycopg2.DataError) for wrong in wrong_ids], [True, True])
done()
