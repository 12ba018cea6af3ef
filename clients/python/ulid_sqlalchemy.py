"""The column type ULID for SQLAlchemy 1.4 and 2.0 over psycopg2, psycopg 3 and asyncpg. Values are strings."""
import datetime

from sqlalchemy import TIMESTAMP, Text, cast, event
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.engine import Engine
from sqlalchemy.types import UserDefinedType


class ULID(UserDefinedType):
    cache_ok = True

    def get_col_spec(self, **kwargs):
        return "ulid"

    def bind_processor(self, dialect):  # also for a ulid.ULID or a uuid.UUID
        return lambda value: None if value is None else str(value)

    def literal_processor(self, dialect):  # for SQL with literals, such as that of `alembic upgrade --sql`
        return Text().literal_processor(dialect)

    class comparator_factory(UserDefinedType.Comparator):
        def operate(self, operator, *others, **kwargs):  # a datetime is compared as a timestamptz
            others = [cast(other, TIMESTAMP(timezone=True)) if isinstance(other, datetime.datetime) else other
                      for other in others]
            return super().operate(operator, *others, **kwargs)


ischema_names["ulid"] = ULID  # for reflection


@event.listens_for(Engine, "connect")
def register_array(connection, record):
    """Makes the driver return ulid[] as a list. asyncpg does so by itself."""
    driver = getattr(connection, "driver_connection", connection)  # of create_async_engine
    modules = {base.__module__.split(".")[0] for base in type(driver).__mro__}
    if not modules & {"psycopg", "psycopg2"}:
        return
    cursor = connection.cursor()
    cursor.execute("SELECT to_regtype('ulid')::oid::int8, to_regtype('ulid[]')::oid::int8")
    oid, array_oid = cursor.fetchone()
    connection.rollback()
    if oid is None:  # the extension may not be there yet
        return
    if "psycopg2" in modules:
        from psycopg2 import STRING
        from psycopg2.extensions import new_array_type, register_type

        register_type(new_array_type((array_oid,), "ULID[]", STRING), connection)
    else:
        from psycopg.types import TypeInfo

        TypeInfo("ulid", oid, array_oid).register(driver)
