"""psycopg2, which speaks text only, and COPY in binary."""
import io

import psycopg2

from tap import HOUR, IDS, MILLISECOND, NOON, done, equal, fails

from message_psycopg2 import add, add_many, between, connection, cursor, page_after, those_of

id = add("hello")
equal("a default comes back as text", (type(id), len(id)), (str, 26))
equal("a text finds its row", those_of([id]), [(id, "hello")])
equal("many at once", [len(id) for id in add_many(["one", "two"])], [26, 26])
cursor.execute("DELETE FROM message")
bodies = [str(n) for n in range(250)]
ids = add_many(bodies)
cursor.execute("SELECT id, body FROM message")
equal("the ids of many are theirs", sorted(zip(ids, bodies)), sorted(cursor.fetchall()))
cursor.execute("DELETE FROM message")

for id in IDS:
    cursor.execute("INSERT INTO message VALUES (%s, 'x')", [id])
cursor.execute("SELECT id, NULL::ulid FROM message ORDER BY id")
equal("out as they went in, and null", cursor.fetchall(), [(id, None) for id in IDS])
equal("any of many", those_of([IDS[0], IDS[2]]), [(IDS[0], "x"), (IDS[2], "x")])
cursor.execute("SELECT array_agg(id ORDER BY id) FROM message")
equal("an array comes back", cursor.fetchall(), [(IDS,)])
equal("range by time", between(NOON + HOUR, NOON + 2 * HOUR), [(IDS[1], "x")])
equal("to the millisecond", between(NOON + HOUR + MILLISECOND, NOON + 2 * HOUR + MILLISECOND), [(IDS[2], "x")])
equal("a page after a cursor", page_after(IDS[0], 1), [(IDS[1], "x")])

binary = io.BytesIO()
cursor.copy_expert("COPY message TO STDOUT (FORMAT binary)", binary)
cursor.execute("TRUNCATE message")
binary.seek(0)
cursor.copy_expert("COPY message FROM STDIN (FORMAT binary)", binary)
cursor.execute("SELECT id FROM message ORDER BY id")
equal("COPY in binary, both ways", cursor.fetchall(), [(id,) for id in IDS])

fails('invalid input syntax for type ulid: "no ulid"', lambda: cursor.execute("SELECT %s::ulid", ["no ulid"]))
fails("operator does not exist: ulid = text", lambda: cursor.execute("SELECT FROM message WHERE id = ANY(%s)", [IDS]))
fails("operator does not exist: ulid = integer", lambda: cursor.execute("SELECT FROM message WHERE id = %s", [5]))
for wrong in "no ulid", "8" + IDS[0][1:]:
    try:
        cursor.execute("SELECT %s::ulid", [wrong])
        equal(f"refused: {wrong}", None, wrong)
    except psycopg2.DataError:
        equal(f"a DataError: {wrong}", wrong, wrong)
done()
