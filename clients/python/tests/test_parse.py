import concurrent.futures
import time
import uuid

import psycopg
import pytest
import ulid

import pgulid
from conftest import IDS, UUID, each_text, matches


@each_text
def test_reads_what_the_server_reads(text: str, expected: str) -> None:
    matches(lambda: pgulid.parse(text), expected)


def test_objects() -> None:
    assert pgulid.parse(uuid.UUID(UUID)) == pgulid.parse(ulid.ULID.from_str(IDS[1])) == IDS[1]


@pytest.mark.parametrize("value", [None, 5, True, 1.5, b"x" * 16, [IDS[0]], {}])
def test_other_types(value: object) -> None:
    with pytest.raises(ValueError, match="not a valid ULID"):
        pgulid.parse(value)


def test_bytes() -> None:
    assert pgulid.to_bytes(IDS[1].lower()) == uuid.UUID(UUID).bytes
    assert pgulid.from_bytes(uuid.UUID(UUID).bytes) == IDS[1]


def test_gen_ulid_is_in_order() -> None:
    ids = [pgulid.gen_ulid() for _ in range(10_000)]
    assert ids == sorted(set(ids))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        assert len(set(pool.map(lambda _: pgulid.gen_ulid(), range(10_000)))) == 10_000


def test_gen_ulid_has_the_time_of_the_clock(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with psycopg.connect() as connection:
        query = "SELECT abs(extract(epoch FROM %s::ulid::timestamptz - clock_timestamp())) < 10"
        assert connection.execute(query, [pgulid.gen_ulid()]).fetchone() == (True,)
    last = pgulid.gen_ulid()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert pgulid.gen_ulid() > last
