"""The binary format of ulid for asyncpg, which copy_records_to_table() and whole rows need. Values are strings."""
import uuid

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def to_bytes(value):
    if isinstance(value, uuid.UUID):
        return value.bytes
    ulid = value.upper().translate(str.maketrans("ILO", "110")) if isinstance(value, str) else ""
    if len(ulid) != 26 or not set(ulid) <= set(DIGITS) or ulid[0] > "7":
        raise ValueError(f"not a valid ULID: {value!r}")
    return int(ulid.translate(str.maketrans(DIGITS, "0123456789ABCDEFGHIJKLMNOPQRSTUV")), 32).to_bytes(16, "big")


def to_text(data):
    bits = int.from_bytes(data, "big")
    return "".join(DIGITS[bits >> shift & 31] for shift in range(125, -1, -5))


async def register_ulid(connection):
    """Call this once per connection. With a pool, pass it as init."""
    schema = await connection.fetchval(
        "SELECT nspname FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE t.oid = 'ulid'::regtype")
    await connection.set_type_codec("ulid", schema=schema, encoder=to_bytes, decoder=to_text, format="binary")
