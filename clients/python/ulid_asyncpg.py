"""The binary format of ulid for asyncpg, which copy_records_to_table() and whole rows need. Values are strings."""
import re
import uuid

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
FORMS = re.compile(r"[0-7ILO][0-9A-TV-Z]{25}|({)?([0-9A-F]{4}-?){7}[0-9A-F]{4}(?(1)})", re.ASCII | re.IGNORECASE)
VALUES = str.maketrans(DIGITS + "ILO", "0123456789ABCDEFGHIJKLMNOPQRSTUV110")


def to_bytes(value):
    text = str(value)  # of a UUID, or a ULID of python-ulid
    if not FORMS.fullmatch(text):
        raise ValueError(f"not a valid ULID: {value!r}")
    return int(text.upper().translate(VALUES), 32).to_bytes(16, "big") if len(text) == 26 else uuid.UUID(text).bytes


def to_text(data):
    bits = int.from_bytes(data, "big")
    return "".join(DIGITS[bits >> shift & 31] for shift in range(125, -1, -5))


async def register_ulid(connection):
    """Call this once per connection. With a pool, pass it as init."""
    schema = await connection.fetchval(
        "SELECT nspname FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE t.oid = 'ulid'::regtype")
    await connection.set_type_codec("ulid", schema=schema, encoder=to_bytes, decoder=to_text, format="binary")
