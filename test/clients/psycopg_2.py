"""psycopg2, which speaks text only, and COPY in binary."""
import datetime
import io

import psycopg2

import tap

NOON = datetime.datetime(2024, 5, 1, 12, tzinfo=datetime.timezone.utc)
HOUR = datetime.timedelta(hours=1)
IDS = ["01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"]

connection = psycopg2.connect("")
connection.autocommit = True
cursor = connection.cursor()
cursor.execute("CREATE TABLE message (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text)")

cursor.execute("INSERT INTO message (body) VALUES ('hello') RETURNING id")
[id] = cursor.fetchone()
tap.equal("a default comes back as text", (type(id), len(id)), (str, 26))
cursor.execute("SELECT body FROM message WHERE id = %s", [id])
tap.equal("a text finds its row", cursor.fetchall(), [("hello",)])
cursor.execute("DELETE FROM message")

for id in IDS:
    cursor.execute("INSERT INTO message VALUES (%s, 'x')", [id])
cursor.execute("SELECT id, NULL::ulid FROM message ORDER BY id")
tap.equal("out as they went in, and null", cursor.fetchall(), [(id, None) for id in IDS])

# snippet: arrays
from psycopg2 import STRING
from psycopg2.extensions import new_array_type, register_type

cursor.execute("SELECT 'ulid[]'::regtype::oid")
register_type(new_array_type(cursor.fetchone(), "ULID[]", STRING), connection)

cursor.execute("SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY(%s::ulid[])",
               [[IDS[0], IDS[2]]])
# end
tap.equal("arrays in and out", cursor.fetchall(), [([IDS[0], IDS[2]],)])

# snippet: range
cursor.execute("SELECT id FROM message WHERE id >= %s AND id < %s", [NOON + HOUR, NOON + 2 * HOUR])
# end
tap.equal("range by time", cursor.fetchall(), [(IDS[1],)])

binary = io.BytesIO()
cursor.copy_expert("COPY message TO STDOUT (FORMAT binary)", binary)
cursor.execute("TRUNCATE message")
binary.seek(0)
cursor.copy_expert("COPY message FROM STDIN (FORMAT binary)", binary)
cursor.execute("SELECT id FROM message ORDER BY id")
tap.equal("COPY in binary, both ways", cursor.fetchall(), [(id,) for id in IDS])

tap.raises("a bad text is refused", psycopg2.errors.InvalidTextRepresentation,
           lambda: cursor.execute("SELECT %s::ulid", ["no ulid"]))
tap.done()
