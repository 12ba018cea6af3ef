"""asyncpg: with its own text codec, and with the binary codec."""
import asyncio
import uuid
from collections.abc import Iterator
from typing import Any

import asyncpg
import pytest

from conftest import HOUR, IDS, NOON, UUID, each_text, matches
from pgulid.asyncpg import register_ulid

run = asyncio.new_event_loop().run_until_complete
connection: Any = None


async def between(connection, begin, end):
    return await connection.fetch(
        "SELECT id FROM message WHERE id >= $1::timestamptz AND id < $2::timestamptz", begin, end)


def value(query: str, *parameters: object) -> Any:
    return run(connection.fetchval(query, *parameters))


@pytest.fixture(params=["text", "binary"])
def form(database: str, request: pytest.FixtureRequest) -> Iterator[str]:
    global connection
    connection = run(asyncpg.connect())
    if request.param == "binary":
        run(register_ulid(connection))
    run(connection.execute("TRUNCATE message"))
    run(connection.executemany("INSERT INTO message (id) VALUES ($1)", [[id] for id in IDS]))
    yield request.param
    run(connection.close())


with_codec = pytest.mark.parametrize("form", ["binary"], indirect=True)


def test_statements(form: str) -> None:
    id = value("INSERT INTO message (body) VALUES ($1) RETURNING id", "hello")
    assert (type(id), len(id)) == (str, 26)
    assert value("SELECT body FROM message WHERE id = $1", id.lower()) == "hello"
    assert [row["id"] for row in run(between(connection, NOON + HOUR, NOON + 2 * HOUR))] == [IDS[1]]
    assert value("SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY($1)", IDS[1:])[:2] == IDS[1:]


@each_text
def test_reads(form: str, text: str, expected: str) -> None:
    matches(lambda: value("SELECT $1::ulid", text), expected)


@pytest.mark.parametrize("wrong, state", [("no", "22P02"), ("8" + IDS[0][1:], "22003")])
def test_invalid_ids(form: str, wrong: str, state: str) -> None:
    with pytest.raises(asyncpg.DataError) as caught:
        value("SELECT $1::ulid", wrong)
    assert form == "binary" or caught.value.sqlstate == state


def test_errors_without_the_codec(form: str) -> None:
    for message, work in [
        ("no binary format encoder for type ulid",
         lambda: run(connection.copy_records_to_table("message", records=[[IDS[0], "x"]]))),
        ("text encoding of composite types is not supported", lambda: value("SELECT message FROM message")),
        ("expected str, got UUID", lambda: value("SELECT $1::ulid", uuid.UUID(UUID))),
        ("expected str, got datetime", lambda: run(connection.fetch("SELECT FROM message WHERE id >= $1", NOON))),
    ]:
        if form == "text":
            with pytest.raises(Exception, match=message):
                work()


def test_rows_without_the_codec(database: str) -> None:
    async def over() -> None:
        connection = await asyncpg.connect()
        with pytest.raises(asyncpg.InternalClientError, match="no decoder for composite type element"):
            await connection.fetchval("SELECT row(gen_ulid())")
        await connection.fetchval("SELECT gen_ulid()")  # asyncpg now knows the type
        with pytest.raises(UnicodeDecodeError):
            await connection.fetchval("SELECT row(id) FROM (SELECT '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'::ulid AS id) _")
        await connection.close()

    run(over())


@with_codec
def test_copy_and_rows(form: str) -> None:
    run(connection.execute("TRUNCATE message"))
    run(connection.copy_records_to_table("message", records=[[id, "copied"] for id in IDS]))
    assert value("SELECT array_agg(id ORDER BY id) FROM message WHERE body = 'copied'") == IDS
    assert value("SELECT row(id) FROM message ORDER BY id") == (IDS[0],)
    assert tuple(value("SELECT message FROM message ORDER BY id LIMIT 1")) == (IDS[0], "copied")
    assert value("SELECT $1::ulid", uuid.UUID(UUID)) == IDS[1]


@with_codec
def test_an_invalid_id_does_not_break_the_transaction(form: str) -> None:
    async def in_transaction() -> Any:
        async with connection.transaction():
            with pytest.raises(asyncpg.DataError, match="not a valid ULID: 5"):
                await connection.fetchval("SELECT $1::ulid", 5)
            return await connection.fetchval("SELECT 1")

    assert run(in_transaction()) == 1


def test_after_the_type_has_changed(form: str) -> None:
    run(connection.execute("CREATE TABLE boat (id uuid)"))
    value("SELECT id FROM boat")
    run(connection.execute("ALTER TABLE boat ALTER id TYPE ulid"))
    assert value("SELECT id FROM boat") is None
    run(connection.execute("BEGIN; ALTER TABLE boat ALTER id TYPE uuid"))
    with pytest.raises(asyncpg.InvalidCachedStatementError):
        value("SELECT id FROM boat")
    run(connection.execute("ROLLBACK; DROP TABLE boat"))
