"""Arrays, binary results and binary COPY of ulid for psycopg 3, and parameters of python-ulid. Values are strings."""
from typing import Any

from psycopg import AsyncConnection, BaseConnection, Connection, ProgrammingError
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.pq import Format
from psycopg.types import TypeInfo

from . import from_bytes, to_bytes


class TextDumper(Dumper):
    def dump(self, obj: object) -> bytes:
        return str(obj).encode()


class BinaryDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: object) -> bytes:
        return to_bytes(obj)


class BinaryLoader(Loader):
    format = Format.BINARY

    def load(self, data: Buffer) -> str:
        return from_bytes(bytes(data))


def register_info(connection: BaseConnection[Any], info: TypeInfo | None) -> None:
    if info is None:
        raise ProgrammingError("the database has no type ulid: CREATE EXTENSION ulid")
    info.register(connection)
    adapters, oid = connection.adapters, {"oid": info.oid}
    adapters.register_loader(info.oid, BinaryLoader)
    adapters.register_dumper("ulid.ULID", TextDumper)  # of python-ulid, which need not be installed
    adapters.register_dumper(None, type("UlidDumper", (TextDumper,), oid))  # for Copy.set_types(["ulid"])
    adapters.register_dumper(None, type("UlidBinaryDumper", (BinaryDumper,), oid))


def register_ulid(connection: Connection[Any]) -> None:
    """Call this once per connection. With a pool, pass it as configure."""
    register_info(connection, TypeInfo.fetch(connection, "ulid"))


async def register_ulid_async(connection: AsyncConnection[Any]) -> None:
    """register_ulid for an AsyncConnection."""
    register_info(connection, await TypeInfo.fetch(connection, "ulid"))
