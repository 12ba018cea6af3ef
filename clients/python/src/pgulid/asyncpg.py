"""The binary format of ulid for asyncpg, which copy_records_to_table() and whole rows need. Values are strings."""
from typing import Any

from asyncpg import Connection
from asyncpg.pool import PoolConnectionProxy

from . import from_bytes, to_bytes


async def register_ulid(connection: "Connection[Any] | PoolConnectionProxy[Any]") -> None:
    """Call this once per connection. With a pool, pass it as init."""
    schema = await connection.fetchval(
        "SELECT nspname FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE t.oid = 'ulid'::regtype")
    await connection.set_type_codec("ulid", schema=schema, encoder=to_bytes, decoder=from_bytes, format="binary")
