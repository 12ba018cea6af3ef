"""The column type ULID for SQLAlchemy 1.4 and later over psycopg2, psycopg 3 and asyncpg. Values are strings."""
import datetime
import re
import uuid

from sqlalchemy import TIMESTAMP, Text, cast, event
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.engine import Engine
from sqlalchemy.types import UserDefinedType

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def parse_ulid(value):
    """Converts a ULID in any spelling, or a UUID, to the server's spelling. Raises ValueError for anything else."""
    ulid = str(value).upper().translate(str.maketrans("ILO", "110"))
    if re.fullmatch("[0-7][0-9A-HJKMNP-TV-Z]{25}", ulid):
        return ulid
    bits = uuid.UUID(str(value)).int
    return "".join(DIGITS[bits >> shift & 31] for shift in range(125, -1, -5))


class ULID(UserDefinedType):
    cache_ok = True

    def get_col_spec(self, **kwargs):
        return "ulid"

    def bind_processor(self, dialect):  # an insert of several rows finds them by the server's spelling
        def process(value):
            try:
                return None if value is None else parse_ulid(value)
            except ValueError:
                return str(value)  # the server's error

        return process

    def literal_processor(self, dialect):  # for SQL with literals, such as that of `alembic upgrade --sql`
        return Text().literal_processor(dialect)

    class comparator_factory(UserDefinedType.Comparator):
        def operate(self, operator, *others, **kwargs):  # a datetime is compared as a timestamptz
            others = [cast(other, TIMESTAMP(timezone=True)) if isinstance(other, datetime.datetime) else other
                      for other in others]
            return super().operate(operator, *others, **kwargs)


ischema_names["ulid"] = ULID  # for reflection


@event.listens_for(Engine, "connect")
@event.listens_for(Engine, "checkout")  # as the extension may have been created since
def register_array(connection, record, proxy=None):
    """Makes the driver return ulid[] as a list. asyncpg does so by itself."""
    if "ulid" in record.info:
        return
    driver = getattr(connection, "driver_connection", connection)  # of create_async_engine
    modules = {base.__module__.split(".")[0] for base in type(driver).__mro__}
    if not modules & {"psycopg", "psycopg2"}:
        return
    cursor = connection.cursor()
    cursor.execute("SELECT to_regtype('ulid')::oid::int8, to_regtype('ulid[]')::oid::int8")
    oid, array_oid = cursor.fetchone()
    connection.rollback()
    if oid is None:
        return
    record.info["ulid"] = True
    if "psycopg2" in modules:
        from psycopg2 import STRING
        from psycopg2.extensions import new_array_type, register_type

        register_type(new_array_type((array_oid,), "ULID[]", STRING), connection)
    else:
        from psycopg.types import TypeInfo

        TypeInfo("ulid", oid, array_oid).register(driver)
