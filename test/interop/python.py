#!/usr/bin/python3
"""The extension against python-ulid (Debian's python3-ulid), through psql and COPY.

Run by ./run, which names the database in the libpq environment and has created the extension
there. Output is TAP, from Debian's python3-tap.
"""

import struct
import subprocess
import time
import unittest

import tap
from ulid import ULID

COUNT = 100_000
LAST_MS = 2**48 - 1
LARGEST = ULID.from_bytes(b"\xff" * 16)


def psql(command: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(
        ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", command],
        input=stdin,
        stdout=subprocess.PIPE,
        check=True,
    ).stdout


def rows(select: str) -> list[list[str]]:
    return [line.split("\t") for line in psql(f"COPY ({select}) TO STDOUT").decode().splitlines()]


def column(select: str) -> list[str]:
    return [row[0] for row in rows(select)]


# COPY BINARY, https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.55.9.4.6: a signature
# with two empty words, rows of a field count and length-prefixed fields, and a count of -1.
BINARY_HEADER = b"PGCOPY\n\xff\r\n\0" + struct.pack("!ii", 0, 0)
BINARY_ROW = struct.Struct("!hii i16s")
BINARY_TRAILER = struct.pack("!h", -1)


class Interop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Half of the present, half of times from 1970 to 10889, both ends included, in no order.
        half = COUNT // 2
        cls.ids = [ULID() for _ in range(half)] + [
            ULID.from_timestamp((i * 7919 % half) * LAST_MS // (half - 1)) for i in range(half)
        ]
        cls.ids += [ULID.from_bytes(bytes(15) + b"\x01"), LARGEST]
        psql("CREATE TABLE from_python (seq int, id ulid)")
        psql(
            "\\copy from_python from pstdin",
            "".join(f"{seq}\t{id_}\n" for seq, id_ in enumerate(cls.ids)).encode(),
        )

    def assert_same_list(self, actual, expected):
        """assertEqual would print a diff of whole lists; the first difference says enough."""
        self.assertEqual(len(actual), len(expected), "number of rows")
        for seq, (one, other) in enumerate(zip(actual, expected)):
            if one != other:
                self.assertEqual(one, other, f"row {seq}")

    def test_text(self):
        """ULIDs of Python loaded by COPY come back as the same text"""
        self.assertGreaterEqual(len(self.ids), COUNT)
        self.assert_same_list(
            column("SELECT id FROM from_python ORDER BY seq"), [str(id_) for id_ in self.ids]
        )

    def test_order(self):
        """ULIDs of Python sort as in Python"""
        self.assert_same_list(
            column("SELECT id FROM from_python ORDER BY id"), [str(id_) for id_ in sorted(self.ids)]
        )

    def test_time(self):
        """ulid_parse and ulid_timestamp give the milliseconds that Python gives"""
        self.assert_same_list(
            rows(
                "SELECT (ulid_parse(id)).unix_ms,"
                " trim_scale(extract(epoch FROM ulid_timestamp(id)) * 1000)"
                " FROM from_python ORDER BY seq"
            ),
            [[str(id_.milliseconds)] * 2 for id_ in self.ids],
        )

    def test_parts(self):
        """uuid, bytea and randomness are Python's"""
        self.assert_same_list(
            rows(
                "SELECT id::uuid, encode(id::bytea, 'hex'), encode(ulid_randomness(id), 'hex')"
                " FROM from_python ORDER BY seq"
            ),
            [[str(id_.to_uuid()), id_.hex, id_.hex[12:]] for id_ in self.ids],
        )

    def test_parts_joined(self):
        """make_ulid of the parts is the ULID again"""
        self.assert_same_list(
            column(
                "SELECT make_ulid(ulid_timestamp(id), ulid_randomness(id))"
                " FROM from_python ORDER BY seq"
            ),
            [str(id_) for id_ in self.ids],
        )

    def test_binary_in(self):
        """COPY BINARY reads Python's sixteen bytes"""
        psql("CREATE TABLE from_bytes (seq int, id ulid)")
        psql(
            "\\copy from_bytes from pstdin (format binary)",
            BINARY_HEADER
            + b"".join(BINARY_ROW.pack(2, 4, seq, 16, id_.bytes) for seq, id_ in enumerate(self.ids))
            + BINARY_TRAILER,
        )
        self.assert_same_list(
            column("SELECT id FROM from_bytes ORDER BY seq"), [str(id_) for id_ in self.ids]
        )

    def test_binary_out(self):
        """COPY BINARY writes the sixteen bytes that Python has"""
        out = psql(
            "\\copy (SELECT seq, id FROM from_python ORDER BY seq) to pstdout (format binary)"
        )
        body = out[len(BINARY_HEADER) : -len(BINARY_TRAILER)]
        self.assertEqual(out, BINARY_HEADER + body + BINARY_TRAILER)
        self.assert_same_list(
            list(BINARY_ROW.iter_unpack(body)),
            [(2, 4, seq, 16, id_.bytes) for seq, id_ in enumerate(self.ids)],
        )

    def assert_readable(self, made):
        """Python reads each text, at the time that SQL says, and writes the same text."""
        self.assertGreaterEqual(len(made), COUNT)
        parsed = [ULID.from_str(text) for text, _ in made]
        self.assert_same_list([str(id_) for id_ in parsed], [text for text, _ in made])
        self.assert_same_list([str(id_.milliseconds) for id_ in parsed], [ms for _, ms in made])
        return parsed

    def generated_now(self, call):
        earliest = time.time_ns() // 1_000_000
        made = rows(
            "SELECT id, (ulid_parse(id)).unix_ms"
            f" FROM (SELECT n, {call} AS id FROM generate_series(1, {COUNT}) AS n OFFSET 0) AS made"
            " ORDER BY n"
        )
        latest = time.time_ns() // 1_000_000
        parsed = self.assert_readable(made)
        for id_ in (min(parsed), max(parsed)):
            self.assertTrue(earliest <= id_.milliseconds <= latest, f"{id_} is not of the present")
        return parsed

    def test_gen_ulid(self):
        """gen_ulid() is read by Python: valid, of the present time, strictly increasing"""
        made = self.generated_now("gen_ulid()")
        self.assertTrue(all(one < other for one, other in zip(made, made[1:])))

    def test_gen_random_ulid(self):
        """gen_random_ulid() is read by Python: valid, of the present time, each random"""
        made = self.generated_now("gen_random_ulid()")
        self.assertEqual(len({id_.bytes[6:] for id_ in made}), COUNT)

    def test_gen_ulid_at(self):
        """gen_ulid(timestamptz) is read by Python: its time, cut to the millisecond"""
        made = rows(
            "SELECT id, (ulid_parse(id)).unix_ms FROM (SELECT seq,"
            " gen_ulid(ulid_timestamp(id) + interval '999 microseconds') AS id"
            " FROM from_python OFFSET 0) AS made ORDER BY seq"
        )
        parsed = self.assert_readable(made)
        self.assert_same_list(
            [id_.milliseconds for id_ in parsed], [id_.milliseconds for id_ in self.ids]
        )
        self.assertEqual(len({id_.bytes[6:] for id_ in parsed}), len(parsed))


if __name__ == "__main__":
    runner = tap.TAPTestRunner()
    runner.set_stream(True)
    runner.set_format("{short_description}")
    unittest.main(testRunner=runner)
