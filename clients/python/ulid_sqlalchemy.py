"""The type ULID for SQLAlchemy 2 over psycopg 3, psycopg2 and asyncpg. Values are strings in the server's spelling."""
import datetime
import re
import uuid

from sqlalchemy import TIMESTAMP, Text, event
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.engine import Engine
from sqlalchemy.orm import Mapper
from sqlalchemy.types import UserDefinedType

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
FORMS = re.compile(r"[0-7ILO][0-9A-TV-Z]{25}|({)?([0-9A-F]{4}-?){7}[0-9A-F]{4}(?(1)})", re.ASCII | re.IGNORECASE)
ALIASES = str.maketrans("ILO", "110")


def parse_ulid(value):
    """A ULID in any spelling, or a UUID, in the server's spelling. Raises ValueError for anything else."""
    if isinstance(value, str) and FORMS.fullmatch(value):
        if len(value) == 26:
            return value.upper().translate(ALIASES)
        value = uuid.UUID(value)
    data = getattr(value, "bytes", None)  # of a UUID, or a ULID of python-ulid
    if not isinstance(data, bytes) or len(data) != 16:
        raise ValueError(f"not a valid ULID: {value!r}")
    bits = int.from_bytes(data, "big")
    return "".join(DIGITS[bits >> shift & 31] for shift in range(125, -1, -5))


def spell(value):
    """Ids and lists of them in the server's spelling. Leaves expressions, and what the server will refuse."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return [spell(item) for item in value]
    try:
        return parse_ulid(value)
    except ValueError:
        return value


class ULID(UserDefinedType):
    cache_ok = True

    def get_col_spec(self, **kwargs):
        return "ulid"

    def bind_processor(self, dialect):
        return lambda value: None if value is None else str(spell(value))

    def literal_processor(self, dialect):  # for SQL with literals, such as that of `alembic upgrade --sql`
        quote = Text().literal_processor(dialect)
        return lambda value: quote(str(spell(value)))

    def result_processor(self, dialect, coltype):  # a column that is still a uuid, or an array as a string, may arrive
        return lambda value: value if value is None or len(str(value)) == 26 else parse_ulid(value)

    def coerce_compared_value(self, operator, value):
        return TIMESTAMP(timezone=True) if isinstance(value, datetime.datetime) else self

    class comparator_factory(UserDefinedType.Comparator):
        def operate(self, operator, *others, **kwargs):  # an update() evaluates its condition on the session's objects
            return super().operate(operator, *map(spell, others), **kwargs)


ischema_names["ulid"] = ULID  # for reflection


@event.listens_for(Mapper, "mapper_configured")
def spell_attributes(mapper, cls):
    """Spells values when they are set, because a session finds its objects by the keys as strings."""
    for attribute in mapper.column_attrs:
        column = attribute.columns[0]
        if not isinstance(getattr(column.type, "item_type", column.type), ULID):
            continue
        event.listen(getattr(cls, attribute.key), "set", lambda target, value, *_: spell(value), retval=True)
        default = getattr(column, "default", None)
        if default and default.is_scalar:
            default.arg = spell(default.arg)
        elif default and default.is_callable:
            default.arg = lambda context, make=default.arg: spell(make(context))


@event.listens_for(Engine, "connect")
def register_array(connection, record):
    """Makes psycopg 3 return ulid[] as a list. asyncpg does so by itself."""
    if not hasattr(record.driver_connection, "adapters"):
        return
    from psycopg.types import TypeInfo

    cursor = connection.cursor()
    cursor.execute("SELECT to_regtype('ulid')::oid::int8, to_regtype('ulid[]')::oid::int8")
    oid, array_oid = cursor.fetchone()
    connection.rollback()
    if oid:
        TypeInfo("ulid", oid, array_oid).register(record.driver_connection)
