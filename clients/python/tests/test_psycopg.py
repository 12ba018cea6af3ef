"""psycopg 3, and the same statements with psycopg2, which speaks text only."""
import asyncio
from collections.abc import Iterator
from typing import Any

import psycopg
import psycopg2
import psycopg2.extensions
import pytest
from ulid import ULID

from conftest import HOUR, IDS, NOON
from pgulid.psycopg import register_ulid, register_ulid_async

connection: Any = None


@pytest.fixture(scope="module", autouse=True)
def connect(database: str) -> None:
    global connection
    connection = psycopg.connect(autocommit=True)


def between(connection, begin, end):  # datetimes with a time zone
    query = "SELECT id FROM message WHERE id >= %s AND id < %s"
    return connection.execute(query, [begin, end]).fetchall()


def value(query: str, *parameters: object) -> Any:
    return connection.execute(query, parameters).fetchone()[0]


class Psycopg2(psycopg2.extensions.connection):
    def execute(self, query: str, parameters: Any = None) -> Any:
        cursor = self.cursor()
        cursor.execute(query, parameters)
        return cursor


@pytest.fixture(params=["psycopg", "psycopg2"])
def driver(request: pytest.FixtureRequest) -> Iterator[str]:
    global connection
    connection = (psycopg.connect() if request.param == "psycopg" else
                  psycopg2.connect("", connection_factory=Psycopg2))
    connection.autocommit = True
    connection.execute("TRUNCATE message")
    for id in IDS:
        connection.execute("INSERT INTO message (id, body) VALUES (%s, 'x')", [id])
    yield request.param
    connection.close()


ARRAY = "SELECT array_agg(id ORDER BY id) FROM message"
BODY = "SELECT body FROM message WHERE id = %s"


def test_statements(driver: str) -> None:
    id = value("INSERT INTO message (body) VALUES (%s) RETURNING id", "hello")
    assert (type(id), len(id)) == (str, 26)
    assert [value(BODY, id), value(BODY, id.lower())] == ["hello", "hello"]
    assert between(connection, NOON + HOUR, NOON + 2 * HOUR) == [(IDS[1],)]


def test_a_range_of_times_of_uuids(driver: str) -> None:
    query = "SELECT count(*) FROM unnest(ARRAY[gen_uuidv7(%s), gen_uuidv7()]) id WHERE id >= uuidv7_min(%s)"
    assert value(query, NOON, NOON + HOUR) == 1


def test_lists(driver: str) -> None:
    list_of_ids = "%s" if driver == "psycopg" else "%s::ulid[]"
    assert value(f"SELECT count(*) FROM message WHERE id = ANY({list_of_ids})", IDS[:2]) == 2
    assert value(ARRAY) == "{" + ",".join(IDS) + "}"  # not registered
    assert value(ARRAY.replace("FROM", "::text[] FROM")) == IDS
    if driver == "psycopg2":
        with pytest.raises(psycopg2.Error, match="operator does not exist: ulid = text"):
            value("SELECT FROM message WHERE id = ANY(%s)", IDS)


@pytest.mark.parametrize("text, state", [("not an id", "22P02"), ("8" + IDS[0][1:], "22003")])
def test_invalid_ids(driver: str, text: str, state: str) -> None:
    with pytest.raises((psycopg.DataError, psycopg2.DataError)) as caught:
        value(BODY, text)
    assert getattr(caught.value, "sqlstate" if driver == "psycopg" else "pgcode") == state


def test_registered(driver: str) -> None:
    if driver == "psycopg2":
        return
    register_ulid(connection)
    assert value(ARRAY) == IDS
    assert value(BODY, ULID.from_str(IDS[0])) == "x"
    with connection.cursor(binary=True) as cursor:
        assert cursor.execute(ARRAY).fetchone() == (IDS,)
    connection.execute("TRUNCATE message")
    for format in "", "(FORMAT BINARY)":
        with connection.cursor().copy(f"COPY message (id, body) FROM STDIN {format}") as copy:
            copy.set_types(["ulid", "text"])
            copy.write_row([IDS[bool(format)].lower() if format else IDS[0], "copied"])
    assert value(ARRAY) == IDS[:2]


async def register_async() -> Any:
    async with await psycopg.AsyncConnection.connect() as connection:
        await register_ulid_async(connection)
        return await (await connection.execute("SELECT ARRAY[%s::ulid]", [IDS[0]])).fetchone()


def test_registered_async(driver: str) -> None:
    assert asyncio.run(register_async()) == ([IDS[0]],)


def test_without_the_extension(server: None) -> None:
    with psycopg.connect(dbname="template1") as empty:
        with pytest.raises(psycopg.ProgrammingError, match="CREATE EXTENSION"):
            register_ulid(empty)


def test_errors_of_the_page(driver: str) -> None:
    if driver == "psycopg2":
        with pytest.raises(psycopg2.ProgrammingError, match="operator does not exist: ulid = integer"):
            value(BODY, 5)
        return
    with pytest.raises(psycopg.Error, match="operator does not exist: ulid = text"):
        value("SELECT FROM message WHERE id = %b", IDS[0])
    cursor = connection.cursor(binary=True).execute("SELECT id FROM message LIMIT 1")
    assert type(cursor.fetchone()[0]) is bytes


def test_after_the_type_has_changed(driver: str) -> None:
    if driver == "psycopg2":
        return
    connection.execute("CREATE TABLE boat (id uuid)")
    for prepared in range(6):
        connection.execute("SELECT id FROM boat")
    psycopg.connect(autocommit=True).execute("ALTER TABLE boat ALTER id TYPE ulid")
    for again in range(2):
        with pytest.raises(psycopg.Error, match="cached plan must not change result type"):
            connection.execute("SELECT id FROM boat")
