"""Ids of the type ulid of PostgreSQL. They are strings in the server's spelling."""
import os
import re
import threading
import time
import uuid

__all__ = ["from_bytes", "gen_ulid", "parse", "to_bytes"]

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_FORMS = re.compile(r"[0-7ILO][0-9A-TV-Z]{25}|({)?([0-9A-F]{4}-?){7}[0-9A-F]{4}(?(1)})", re.ASCII | re.IGNORECASE)
_ALIASES = str.maketrans("ILO", "110")
_VALUES = str.maketrans(_DIGITS, "0123456789ABCDEFGHIJKLMNOPQRSTUV")
_lock = threading.Lock()
_last = 0


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


def gen_ulid() -> str:
    """A new id of the current time, greater than the others of this process. As the server's gen_ulid()."""
    global _last
    random = int.from_bytes(os.urandom(10), "big")
    bits = time.time_ns() // 1_000_000 << 80 | random
    with _lock:
        if bits <= _last:  # in the same millisecond, or the clock was set back
            bits = _last + 1 + (random >> 16)  # another process that was forked adds something else
        _last = bits
    return from_bytes(bits.to_bytes(16, "big"))
