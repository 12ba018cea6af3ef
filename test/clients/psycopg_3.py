"""psycopg 3, in text and in binary."""
import asyncio
import uuid

import psycopg

from tap import HOUR, IDS, MILLISECOND, NOON, done, equal, fails

from copy_psycopg import copy_in, copy_out
from message_psycopg import add, body_of, connection, last_hour, page_after, those_of
from ulid_psycopg import Ulid, register_ulid, register_ulid_async

# Without the adapter.
fails("operator does not exist: ulid = text", lambda: connection.execute("SELECT FROM message WHERE id = %b", [IDS[0]]))


def copy_one(types):
    with connection.cursor().copy("COPY message (id) FROM STDIN (FORMAT binary)") as copy:
        if types:
            copy.set_types(types)
        copy.write_row([IDS[0]])


fails("couldn't find the type 'ulid' in the types registry", lambda: copy_one(["ulid"]))
fails("incorrect binary data format", lambda: copy_one(None))
id = add("hello")
equal("a default comes back as text", (type(id), len(id)), (str, 26))
equal("a text finds its row", body_of(id), "hello")
equal("any of many", those_of([id]), [(id, "hello")])
equal("range by time", last_hour(), [(id, "hello")])
equal("an array is text", connection.execute("SELECT ARRAY[%s::ulid]", [IDS[0]]).fetchone(), ("{" + IDS[0] + "}",))
connection.execute("DELETE FROM message")

register_ulid(connection)
for binary in False, True:
    form = "binary" if binary else "text"
    mark = "%b" if binary else "%t"
    cursor = connection.cursor(binary=binary)
    for id in IDS:
        cursor.execute(f"INSERT INTO message VALUES ({mark}, 'x')", [Ulid(id)])
    cursor.execute("SELECT id FROM message ORDER BY id")
    rows = [id for id, in cursor]
    equal(f"{form}: out as they went in", rows, IDS)
    equal(f"{form}: of the class registered", {type(id) for id in rows}, {Ulid})
    cursor.execute(f"SELECT id, NULL::ulid FROM message WHERE id = {mark}", [Ulid(IDS[1])])
    equal(f"{form}: lookup and null", cursor.fetchall(), [(IDS[1], None)])
    cursor.execute(f"SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY({mark})",
                   [[Ulid(IDS[0]), Ulid(IDS[2])]])
    equal(f"{form}: arrays in and out", cursor.fetchall(), [([IDS[0], IDS[2]],)])
    cursor.execute("SELECT id FROM message WHERE id >= %s AND id < %s", [NOON + HOUR, NOON + 2 * HOUR])
    equal(f"{form}: range by time", cursor.fetchall(), [(IDS[1],)])
    cursor.execute("SELECT id FROM message WHERE id >= %s AND id < %s",
                   [NOON + HOUR + MILLISECOND, NOON + 2 * HOUR + MILLISECOND])
    equal(f"{form}: to the millisecond", cursor.fetchall(), [(IDS[2],)])
    cursor.execute("DELETE FROM message")

copy_in((id, "copied") for id in IDS)
equal("COPY in binary, both ways", copy_out(), [(id, "copied") for id in IDS])
equal("any spelling", Ulid(IDS[0].lower().replace("0", "o")), IDS[0])
# Of these the glue of the page before made an id, without an error.
for wrong in IDS[0][1:], "0" + IDS[0], "8" + IDS[0][1:], "no ulid", "":
    fails("no ULID: ", lambda: Ulid(wrong))
    fails("no ULID: ", lambda: copy_in([[wrong, "wrong"]]))
equal("a page after a cursor", page_after(IDS[0], 1), [(IDS[1], "copied")])
equal("nothing of it was stored", len(copy_out()), 3)
with psycopg.connect(options="-c search_path=pg_catalog") as elsewhere:
    fails("'NoneType' object has no attribute 'register'", lambda: register_ulid(elsewhere))
fails('invalid input syntax for type ulid: "no ulid"', lambda: connection.execute("SELECT %s::ulid", ["no ulid"]))
for wrong in "no ulid", "8" + IDS[0][1:]:
    try:
        connection.execute("SELECT %s::ulid", [wrong])
        equal(f"refused: {wrong}", None, wrong)
    except psycopg.DataError:
        equal(f"a DataError: {wrong}", wrong, wrong)


async def several():
    async with await psycopg.AsyncConnection.connect() as elsewhere:
        await register_ulid_async(elsewhere)
        [row] = await (await elsewhere.execute("SELECT %s::ulid[]", [IDS])).fetchall()
        return row[0], type(row[0][0])


equal("asynchronous: an array", asyncio.run(several()), (IDS, Ulid))
key = "018f343d-8c80-0123-4567-89abcdef0202"  # in a column of uuid, from the first step of a move on
equal("uuid.UUID takes it, with a version another one, as the page says", (str(uuid.UUID(key)), str(uuid.UUID(key, version=4))),
      (key, "018f343d-8c80-4123-8567-89abcdef0202"))
done()
