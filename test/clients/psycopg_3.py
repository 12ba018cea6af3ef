"""psycopg 3, in text and in binary."""
import datetime

import psycopg

import tap

# snippet: adapter
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format
from psycopg.types import TypeInfo

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Ulid(str):
    """A ULID in its canonical text form."""


class UlidDumper(Dumper):
    def dump(self, ulid):
        return ulid.encode()


class UlidBinaryDumper(Dumper):
    format = Format.BINARY

    def dump(self, ulid):
        bits = 0
        for character in ulid:
            bits = bits << 5 | DIGITS.index(character)
        return bits.to_bytes(16, "big")


class UlidLoader(Loader):
    def load(self, data):
        return Ulid(bytes(data).decode())


class UlidBinaryLoader(Loader):
    format = Format.BINARY

    def load(self, data):
        bits = int.from_bytes(data, "big")
        return Ulid("".join(DIGITS[bits >> shift & 31] for shift in range(125, -1, -5)))


def register_ulid(connection):
    info = TypeInfo.fetch(connection, "ulid")
    info.register(connection)  # arrays too
    for dumper in UlidDumper, UlidBinaryDumper:
        connection.adapters.register_dumper(Ulid, type(dumper.__name__, (dumper,), {"oid": info.oid}))
    for loader in UlidLoader, UlidBinaryLoader:
        connection.adapters.register_loader(info.oid, loader)
# end

NOON = datetime.datetime(2024, 5, 1, 12, tzinfo=datetime.timezone.utc)
HOUR = datetime.timedelta(hours=1)
IDS = ["01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"]

connection = psycopg.connect(autocommit=True)
connection.execute("CREATE TABLE message (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text)")

# Without the adapter.
# snippet: plain
[[id]] = connection.execute("INSERT INTO message (body) VALUES (%s) RETURNING id", ["hello"])
[[body]] = connection.execute("SELECT body FROM message WHERE id = %s", [id])
# end
tap.equal("a default comes back as text", (type(id), len(id)), (str, 26))
tap.equal("a text finds its row", body, "hello")
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
    tap.equal(f"{form}: out as they went in", rows, IDS)
    tap.equal(f"{form}: of the class registered", {type(id) for id in rows}, {Ulid})
    cursor.execute(f"SELECT id, NULL::ulid FROM message WHERE id = {mark}", [Ulid(IDS[1])])
    tap.equal(f"{form}: lookup and null", cursor.fetchall(), [(IDS[1], None)])
    cursor.execute(f"SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY({mark})",
                   [[Ulid(IDS[0]), Ulid(IDS[2])]])
    tap.equal(f"{form}: arrays in and out", cursor.fetchall(), [([IDS[0], IDS[2]],)])
    # snippet: range
    cursor.execute("SELECT id FROM message WHERE id >= %s AND id < %s", [NOON + HOUR, NOON + 2 * HOUR])
    # end
    tap.equal(f"{form}: range by time", cursor.fetchall(), [(IDS[1],)])
    cursor.execute("DELETE FROM message")

with connection.cursor() as cursor:
    with cursor.copy("COPY message (id, body) FROM STDIN (FORMAT binary)") as copy:
        copy.set_types(["ulid", "text"])
        for id in IDS:
            copy.write_row([Ulid(id), "copied"])
    with cursor.copy("COPY (SELECT id FROM message ORDER BY id) TO STDOUT (FORMAT binary)") as copy:
        copy.set_types(["ulid"])
        tap.equal("COPY in binary, both ways", [id for id, in copy.rows()], IDS)

tap.raises("a bad text is refused", psycopg.errors.InvalidTextRepresentation,
           lambda: connection.execute("SELECT %s::ulid", ["no ulid"]))
tap.done()
