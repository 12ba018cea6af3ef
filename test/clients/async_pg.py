"""asyncpg, and SQLAlchemy over it."""
import asyncio
import datetime
import uuid

import asyncpg
import sqlalchemy
from sqlalchemy import select, text

from tap import HOUR, IDS, MILLISECOND, NOON, done, equal, fails

from message_asyncpg import add, between, main, page_after, those
from message_sqlalchemy import Base, Message
from ulid_asyncpg import register_ulid
from uuid_or_ulid import to_uuid
import ulid_sqlalchemy

print("# asyncpg", asyncpg.__version__)
asyncio.run(main())
loop = asyncio.new_event_loop()
run = loop.run_until_complete
connection = run(asyncpg.connect())


# What is no ULID was made one by the codec of the page before, without an error.
async def refused(work):
    try:
        await work
    except (asyncpg.DataError, OverflowError):
        return True
    return False


async def error_of(work):
    try:
        return await work
    except Exception as error:
        return error


for registered in False, True:
    form = "binary" if registered else "text"
    if registered:
        run(register_ulid(connection))
    id = run(add(connection, "hello"))
    equal(f"{form}: a default comes back as text", (type(id), len(id)), (str, 26))
    equal(f"{form}: a text finds its row", [tuple(row) for row in run(those(connection, [id]))], [(id, "hello")])
    run(connection.execute("DELETE FROM message"))
    run(connection.executemany("INSERT INTO message VALUES ($1, 'x')", [[id] for id in IDS]))
    equal(f"{form}: range by time", [row["id"] for row in run(between(connection, NOON + HOUR, NOON + 2 * HOUR))], [IDS[1]])
    equal(f"{form}: to the millisecond", [row["id"] for row in run(between(
        connection, NOON + HOUR + MILLISECOND, NOON + 2 * HOUR + MILLISECOND))], [IDS[2]])
    equal(f"{form}: a page after a cursor", [row["id"] for row in run(page_after(connection, IDS[0], 1))], [IDS[1]])
    equal(f"{form}: an array comes back, and null",
          tuple(run(connection.fetchrow("SELECT array_agg(id ORDER BY id), NULL::ulid FROM message"))), (IDS, None))
    run(connection.execute("DELETE FROM message"))
    if not registered:
        fails("no binary format encoder for type ulid", lambda: run(connection.copy_records_to_table(
            "message", records=[[IDS[0], "x"]])))
        run(connection.execute("INSERT INTO message VALUES ($1, 'x')", IDS[0]))
        fails("text encoding of composite types is not supported", lambda: run(connection.fetchval("SELECT message FROM message")))
        run(connection.execute("DELETE FROM message"))
        fails("(expected str, got datetime)", lambda: run(connection.fetch("SELECT FROM message WHERE id >= $1", NOON)))
        fails("(expected str, got UUID)", lambda: run(connection.fetch("SELECT FROM message WHERE id = $1", uuid.uuid4())))
        fails('invalid input syntax for type ulid: "no ulid"', lambda: run(connection.fetch("SELECT $1::ulid", "no ulid")))
run(connection.copy_records_to_table("message", records=[[id, "copied"] for id in IDS]))
equal("COPY in binary", [row["id"] for row in run(connection.fetch("SELECT id FROM message ORDER BY id"))], IDS)
equal("a row as a value", tuple(run(connection.fetchval("SELECT message FROM message ORDER BY id LIMIT 1"))), (IDS[0], "copied"))
equal("a UUID as it is", run(connection.fetchval("SELECT id FROM message WHERE id = $1", uuid.UUID("018f343d-8c80-0123-4567-89abcdef0202"))), IDS[1])
fails("no ULID: 'no ulid'", lambda: run(connection.fetch("SELECT FROM message WHERE id = $1", "no ulid")))
for wrong in IDS[0][1:], "0" + IDS[0], "8" + IDS[0][1:], "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "no ulid", "", 5:
    equal(f"it says so: {wrong!r}", "no ULID" in str(run(error_of(connection.fetch("SELECT FROM message WHERE id = $1", wrong)))), True)
    equal(f"no bytes of {wrong!r}", run(refused(connection.fetch("SELECT FROM message WHERE id = $1", wrong))), True)
equal("any spelling", run(connection.fetchval("SELECT id FROM message WHERE id = $1", IDS[0].lower().replace("0", "o"))), IDS[0])
equal("a UUID as one", run(connection.fetchval("SELECT id FROM message WHERE id = $1::uuid",
                                              uuid.UUID("018f343d-8c80-0123-4567-89abcdef0202"))), IDS[1])
run(connection.execute("DROP TABLE message"))
run(connection.close())


# In a move, a program whose ids are strings, with the page's codec as it says.
async def strings():
    connection = await asyncpg.connect()
    await connection.set_type_codec("uuid", schema="pg_catalog", encoder=str, decoder=str)
    await connection.set_type_codec("ulid", schema="public", format="binary", encoder=lambda id: to_uuid(id).bytes,
                                    decoder=lambda data: str(uuid.UUID(bytes=bytes(data))))
    id = "018f343d-8c80-0123-4567-89abcdef0202"
    row = await connection.fetchrow("SELECT $1::uuid, $1::uuid::ulid, ARRAY[$2::ulid]", id, id)
    equal("strings, in a move", tuple(row), (id, id, [id]))
    await connection.close()


run(strings())


async def over_sqlalchemy():
    from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

    engine = create_async_engine("postgresql+asyncpg://")
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    async with AsyncSession(engine) as session:
        message = Message(body="hello")
        session.add(message)
        await session.flush()
        equal("SQLAlchemy: the id comes back from the insert", (type(message.id), len(message.id)), (str, 26))
        await session.delete(message)
        session.add_all(Message(id=id, body="x", mentions=IDS) for id in IDS)
        await session.commit()

        async def ids(*conditions):
            return (await session.execute(select(Message.id).where(*conditions).order_by(Message.id.desc()))).scalars().all()

        equal("SQLAlchemy: lookup", await ids(Message.id == IDS[1]), [IDS[1]])
        equal("SQLAlchemy: any of many", await ids(Message.id.in_([IDS[0], IDS[2]])), [IDS[2], IDS[0]])
        equal("SQLAlchemy: range by time", await ids(Message.id.between(NOON + HOUR, NOON + 2 * HOUR)), [IDS[2], IDS[1]])
        session.expire_all()
        message = await session.get(Message, IDS[0])
        equal("SQLAlchemy: an array column, and null", (message.mentions, message.answers), (IDS, None))
    await engine.dispose()


run(over_sqlalchemy())
done()
