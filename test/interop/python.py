#!/usr/bin/python3
"""The extension against python-ulid (Debian's python3-ulid), through psql and COPY.

Run by ./run, which names the database in the libpq environment and has created the extension
there. Output is TAP, from Debian's python3-tap.
"""

import struct
import subprocess
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


if __name__ == "__main__":
    runner = tap.TAPTestRunner()
    runner.set_stream(True)
    runner.set_format("{short_description}")
    unittest.main(testRunner=runner)
