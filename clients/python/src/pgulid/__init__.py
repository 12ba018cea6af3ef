"""Ids of the type ulid of PostgreSQL. They are strings in the server's spelling."""
import os
import re
import threading
import time
import uuid

__all__ = ["from_bytes", "gen_ulid", "gen_uuidv7", "parse", "to_bytes"]

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_FORMS = re.compile(r"[0-7ILO][0-9A-TV-Z]{25}|({)?([0-9A-F]{4}-?){7}[0-9A-F]{4}(?(1)})", re.ASCII | re.IGNORECASE)
_ALIASES = str.maketrans("ILO", "110")
_VALUES = str.maketrans(_DIGITS, "0123456789ABCDEFGHIJKLMNOPQRSTUV")


def parse(value: object) -> str:
    """A ULID in any spelling, or a UUID, in the server's spelling. Raises ValueError for anything else."""
    if isinstance(value, str) and _FORMS.fullmatch(value):
        if len(value) == 26:
            return value.upper().translate(_ALIASES)
        value = uuid.UUID(value)
    data = getattr(value, "bytes", None)  # of a UUID, or a ULID of python-ulid
    if not isinstance(data, bytes) or len(data) != 16:
        raise ValueError(f"not a valid ULID: {value!r}")
    return from_bytes(data)


def from_bytes(data: bytes) -> str:
    """The id of these 16 bytes, which are those of its UUID."""
    bits = int.from_bytes(data, "big")
    return "".join([_DIGITS[bits >> shift & 31] for shift in range(125, -1, -5)])


def to_bytes(value: object) -> bytes:
    """The 16 bytes of what parse() takes."""
    return int(parse(value).translate(_VALUES), 32).to_bytes(16, "big")


class _Order:
    """Makes numbers of a time and random bits. Each is greater than all earlier ones of this process."""

    def __init__(self, bits: int, step: int) -> None:
        self.bits, self.step, self.last, self.lock = bits, step, 0, threading.Lock()
        if hasattr(os, "register_at_fork"):  # another thread may hold the lock
            os.register_at_fork(after_in_child=lambda: setattr(self, "lock", threading.Lock()))

    def next(self, time: int) -> int:
        random = int.from_bytes(os.urandom(10), "big")
        number = time << self.bits | random >> 80 - self.bits
        with self.lock:
            if number <= self.last:  # in the same unit of time, or the clock was set back
                number = self.last + 1 + (random >> 80 - self.step)  # a process that was forked adds something else
            self.last = number
        return number


_ulids, _uuids = _Order(80, 64), _Order(62, 56)


def gen_ulid() -> str:
    """A new ULID of the current time, greater than all earlier ones of this process."""
    return from_bytes(_ulids.next(time.time_ns() // 1_000_000).to_bytes(16, "big"))


def gen_uuidv7() -> uuid.UUID:
    """A new UUID version 7, laid out as the server's gen_uuidv7(), greater than all earlier ones of this process."""
    number = _uuids.next((time.time_ns() << 12) // 1_000_000)  # in 4096ths of a millisecond
    fraction, random = number >> 62, number & (1 << 62) - 1
    return uuid.UUID(int=fraction >> 12 << 80 | 7 << 76 | (fraction & 4095) << 64 | 2 << 62 | random)
