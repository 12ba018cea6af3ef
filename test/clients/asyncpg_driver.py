"""asyncpg: with its own text codec, and with the binary codec of ulid_asyncpg."""
import asyncio
import uuid

import asyncpg

from tap import HOUR, IDS, NOON, UUID, equal, error_of, fails, reads
from ulid_asyncpg import register_ulid


# doc/clients/python.md: async def between


print("# asyncpg", asyncpg.__version__)
run = asyncio.new_event_loop().run_until_complete
connection = run(asyncpg.connect())


def value(query, *parameters):
    return run(connection.fetchval(query, *parameters))


async def in_transaction():
    async with connection.transaction():
        try:
            await connection.fetchval("SELECT $1::ulid", "no")
        except asyncpg.DataError:
            return await connection.fetchval("SELECT 1")


for form in "text", "binary":
    if form == "binary":
        run(register_ulid(connection))
    id = value("INSERT INTO message (body) VALUES ($1) RETURNING id", "hello")
    equal(f"{form}: the default comes back as a string", (type(id), len(id)), (str, 26))
    equal(f"{form}: find", value("SELECT body FROM message WHERE id = $1", id.lower()), "hello")
    reads(form, lambda text: value("SELECT $1::ulid", text))
    errors = [error_of(lambda: value("SELECT $1::ulid", wrong)) for wrong in ("no", "8" + IDS[0][1:])]
    equal(f"{form}: invalid ids raise a DataError",
          [isinstance(error, asyncpg.DataError) for error in errors], [True, True])
    run(connection.execute("DELETE FROM message"))
    run(connection.executemany("INSERT INTO message (id) VALUES ($1)", [[id] for id in IDS]))
    equal(f"{form}: a range of time", [row["id"] for row in run(between(connection, NOON + HOUR, NOON + 2 * HOUR))],
          [IDS[1]])
    array = value("SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY($1)", IDS[1:])
    equal(f"{form}: arrays", array, IDS[1:])
    if form == "text":
        fails("no binary format encoder for type ulid",
              lambda: run(connection.copy_records_to_table("message", records=[[IDS[0], "x"]])))
        fails("text encoding of composite types is not supported", lambda: value("SELECT message FROM message"))
        fails("(expected str, got datetime)", lambda: run(connection.fetch("SELECT FROM message WHERE id >= $1", NOON)))
        fails("(expected str, got UUID)", lambda: value("SELECT $1::ulid", uuid.UUID(UUID)))
        states = [error.sqlstate for error in errors]
        equal("the SQLSTATE", states, ["22P02", "22003"])
    run(connection.execute("DELETE FROM message"))
run(connection.copy_records_to_table("message", records=[[id, "copied"] for id in IDS]))
equal("COPY", value("SELECT array_agg(id ORDER BY id) FROM message WHERE body = 'copied'"), IDS)
equal("a whole row", tuple(value("SELECT message FROM message ORDER BY id LIMIT 1")), (IDS[0], "copied"))
equal("a uuid.UUID", value("SELECT $1::ulid", uuid.UUID(UUID)), IDS[1])
fails("not a valid ULID: 5", lambda: value("SELECT $1::ulid", 5))
equal("an invalid id does not break the transaction", run(in_transaction()), 1)
run(connection.execute("CREATE TABLE boat (id uuid)"))
value("SELECT id FROM boat")
run(connection.execute("ALTER TABLE boat ALTER id TYPE ulid"))
equal("after the type has changed, asyncpg prepares the statement again", value("SELECT id FROM boat"), None)
run(connection.execute("BEGIN; ALTER TABLE boat ALTER id TYPE uuid"))
fails("InvalidCachedStatementError", lambda: value("SELECT id FROM boat"))
run(connection.close())
