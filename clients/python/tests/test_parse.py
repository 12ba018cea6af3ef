import concurrent.futures
import os
import signal
import time
import uuid
from typing import Any

import psycopg
import pytest
import ulid

import pgulid
from conftest import IDS, UUID, each_text, matches


@each_text
def test_reads_what_the_server_reads(text: str, expected: str) -> None:
    matches(lambda: pgulid.parse(text), expected)


@pytest.mark.parametrize("value", [None, 5, True, 1.5, b"x" * 16, [IDS[0]], {}])
def test_other_types(value: object) -> None:
    with pytest.raises(ValueError, match="not a valid ULID"):
        pgulid.parse(value)


GENERATORS: Any = pytest.mark.parametrize("generate", [pgulid.gen_ulid, pgulid.gen_uuidv7])


@GENERATORS
def test_new_ids_are_in_order(generate: Any) -> None:
    made = [generate() for _ in range(10_000)]
    assert made == sorted(set(made))

    def some(_: int) -> list[Any]:
        return [generate() for _ in range(2_500)]

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        lists = list(pool.map(some, range(4)))
    assert all(of_one_thread == sorted(of_one_thread) for of_one_thread in lists)
    assert len({id for of_one_thread in lists for id in of_one_thread}) == 10_000
    assert min(map(min, lists)) > made[-1]


@GENERATORS
def test_a_forked_process_makes_other_ids(generate: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Although it has the same last id, and another thread held the lock."""
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    with pgulid._ulids.lock, pgulid._uuids.lock:
        pipe, to_parent = os.pipe()
        child = os.fork()
        if not child:
            signal.alarm(10)
            os.write(to_parent, " ".join(str(generate()) for _ in range(100)).encode())
            os._exit(0)
    ids = {str(generate()) for _ in range(100)}
    assert os.waitpid(child, 0) == (child, 0)
    assert len(ids | set(os.read(pipe, 65536).decode().split())) == 200


def test_new_ids_have_the_time_of_the_clock(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with psycopg.connect() as connection:
        query = "SELECT abs(extract(epoch FROM id::timestamptz - clock_timestamp())) < 10 FROM unnest(%s::ulid[]) id"
        made = [pgulid.gen_ulid(), str(pgulid.gen_uuidv7())]
        assert connection.execute(query, [made]).fetchall() == [(True,), (True,)]
        before = pgulid.gen_uuidv7()
        [server] = connection.execute("SELECT gen_uuidv7()").fetchone()
        after = pgulid.gen_uuidv7()
    assert before < server < after  # sorted to the fraction of a millisecond
    assert all((id.version, id.variant) == (7, uuid.RFC_4122) for id in [before, server, after])
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert pgulid.gen_uuidv7() > after
