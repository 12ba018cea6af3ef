"""Each module of tests has a database of its own, on the server that PGHOST etc. name."""
import os
import pathlib
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import psycopg
import pytest

# A program finds the server by the environment alone, and a time that loses its zone is wrong.
os.environ["TZ"] = "America/St_Johns"
# The names of the databases begin so.
PREFIX = os.environ.get("PGDATABASE", "pgulid") + os.environ.get("PYTEST_XDIST_WORKER", "")
os.environ["PGULID_TEST_DJANGO"] = f"{PREFIX}_test_django"
NOON = datetime(2024, 5, 1, 12, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
# Noon and one and two hours later.
IDS = ["01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"]
UUID = "018f343d-8c80-0123-4567-89abcdef0202"  # the bytes of the second
# Texts, each with the id that the server reads, or the SQLSTATE of its error.
LINES = pathlib.Path(__file__).with_name("ids.csv").read_text("utf-8").split("\n")[:-1]
CASES = [line.replace("\\n", "\n").split(",") for line in LINES]
each_text = pytest.mark.parametrize("text, expected", CASES, ids=ascii)


def matches(read: Callable[[], Any], expected: str) -> None:
    """It answers with the id, or, if the server raises an error, with an error."""
    if len(expected) == 26:
        assert read() == expected
    else:
        with pytest.raises(Exception):
            read()


def administrate(*statements: str, **parameters: Any) -> None:
    with psycopg.connect(autocommit=True, **parameters) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.fixture(scope="session")
def server() -> None:
    """Ends the run, in one line, if there is no server or it does not have the extension."""
    try:
        administrate("SELECT", dbname="postgres")
    except psycopg.OperationalError as error:
        reason = " ".join(str(error).split())
        pytest.exit(f"no PostgreSQL server: set PGHOST, PGPORT, PGUSER and PGPASSWORD ({reason})", 1)
    with psycopg.connect(dbname="postgres") as connection:
        if not connection.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'ulid'").fetchone():
            pytest.exit("this PostgreSQL server has no extension ulid: install it first", 1)


def make_database(name: str, *statements: str) -> None:
    administrate(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"CREATE DATABASE {name}", dbname="postgres")
    administrate(*statements, dbname=name)
    os.environ["PGDATABASE"] = name


@pytest.fixture(scope="module")
def database(server: None, request: pytest.FixtureRequest) -> Iterator[str]:
    """With the extension and the table of the page."""
    name = f"{PREFIX}_{request.module.__name__}"
    make_database(name, "CREATE EXTENSION ulid",
                  "CREATE TABLE message (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text)")
    yield name
    administrate(f"DROP DATABASE {name} WITH (FORCE)", dbname="postgres")
