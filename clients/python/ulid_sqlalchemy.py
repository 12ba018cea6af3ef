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
    modules = [base.__module__ for base in connection.__class__.__mro__]
    if any(module.startswith("psycopg2") for module in modules):
        from psycopg2 import STRING
        from psycopg2.extensions import new_array_type, register_type

        cursor = connection.cursor()
        cursor.execute("SELECT to_regtype('ulid[]')::oid::int8")
        [oid] = cursor.fetchone()
        if oid is not None:  # the extension may not be there yet
            register_type(new_array_type((oid,), "ULID[]", STRING), connection)
        connection.rollback()
    elif any(module.startswith("psycopg.") for module in modules):
        from psycopg.types import TypeInfo

        register(TypeInfo.fetch(connection, "ulid"), connection)
        connection.rollback()
    elif any(module == "sqlalchemy.dialects.postgresql.psycopg" for module in modules):  # create_async_engine
        from psycopg.types import TypeInfo

        register(connection.run_async(lambda own: TypeInfo.fetch(own, "ulid")), connection.driver_connection)
        connection.rollback()


def register(info, connection):
    if info is not None:
        info.register(connection)
