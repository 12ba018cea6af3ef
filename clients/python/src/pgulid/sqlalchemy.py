"""The type ULID for SQLAlchemy 2 over psycopg 3, psycopg2 and asyncpg. Values are strings in the server's spelling."""
import datetime
from typing import Any, Callable

from sqlalchemy import TIMESTAMP, BindParameter, Dialect, Text, event
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.engine import Engine
from sqlalchemy.orm import Mapper, ORMExecuteState, Session
from sqlalchemy.sql import visitors
from sqlalchemy.sql.operators import ColumnOperators, OperatorType, ilike_op, like_op, not_ilike_op, not_like_op
from sqlalchemy.types import TupleType, TypeEngine, UserDefinedType

from . import parse

__all__ = ["ULID"]

PATTERNS = like_op, not_like_op, ilike_op, not_ilike_op


def spell(value: Any) -> Any:
    """An id in the server's spelling. Leaves expressions, and what the server will refuse."""
    try:
        return parse(value)
    except ValueError:
        return value


class ULID(UserDefinedType[str]):
    cache_ok = True
    render_bind_cast = True

    @property
    def python_type(self) -> type[str]:
        return str

    def get_col_spec(self, **kwargs: Any) -> str:
        return "ulid"

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], str | None]:
        return lambda value: None if value is None else str(spell(value))

    def literal_processor(self, dialect: Dialect) -> Callable[[Any], str]:  # as for `alembic upgrade --sql`
        quote: Any = Text().literal_processor(dialect)  # type: ignore[no-untyped-call,unused-ignore]
        return lambda value: str(quote(str(spell(value))))

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], str | None]:
        # A column that is still a uuid, or an array as a string, may arrive.
        return lambda value: value if value is None or len(str(value)) == 26 else parse(value)

    def coerce_compared_value(self, op: OperatorType | None, value: Any) -> TypeEngine[Any]:
        if isinstance(value, datetime.datetime):
            return TIMESTAMP(timezone=True)
        return Text() if op in PATTERNS or getattr(op, "opstring", None) == "^@" else self

    class comparator_factory(UserDefinedType.Comparator[str]):
        # There is no LIKE for ids, but an operator.
        def startswith(self, other: Any, escape: str | None = None, autoescape: bool = False) -> ColumnOperators:
            return self.bool_op("^@")(other)  # type: ignore[return-value]


ischema_names["ulid"] = ULID  # for reflection


# A session knows its objects by their keys as Python compares them. So what a program sets, and what it puts into an
# update() or delete() that the session applies to its objects, is spelled as the server does.


@event.listens_for(Mapper, "mapper_configured")
def spell_attributes(mapper: Mapper[Any], cls: type) -> None:
    for attribute in mapper.column_attrs:
        column = attribute.columns[0]
        if not isinstance(column.type, ULID):
            continue
        event.listen(getattr(cls, attribute.key), "set", lambda target, value, *_: spell(value), retval=True)
        default: Any = getattr(column, "default", None)
        if default and default.is_scalar:
            default.arg = spell(default.arg)
        elif default and default.is_callable:
            default.arg = lambda context, make=default.arg: spell(make(context))


def spell_as(kind: TypeEngine[Any] | None, value: Any) -> Any:
    if isinstance(kind, TupleType):
        return tuple(map(spell_as, kind.types, value))
    return spell(value) if isinstance(kind, ULID) else value


def spell_parameter(parameter: BindParameter[Any]) -> None:
    if parameter.expanding and parameter.value is not None:
        parameter.value = [spell_as(parameter.type, item) for item in parameter.value]
    else:
        parameter.value = spell_as(parameter.type, parameter.value)


@event.listens_for(Session, "do_orm_execute")
def spell_statement(state: ORMExecuteState) -> None:
    statement: Any = state.statement
    if not state.is_update and not state.is_delete and not state.is_insert:
        return
    visitors.traverse(statement, {}, {"bindparam": spell_parameter})
    mapper = state.bind_mapper
    kinds = {attribute.key: attribute.columns[0].type for attribute in mapper.column_attrs} if mapper else {}
    # What an update() sets has yet to get its column's type.
    values = getattr(statement, "_values", None) or getattr(statement, "_ordered_values", None) or {}
    for key, value in dict(values).items():
        if isinstance(value, BindParameter):
            value.value = spell_as(kinds.get(key) if isinstance(key, str) else key.type, value.value)
    if isinstance(state.parameters, list):  # of rows. SQLAlchemy 2.0 does not look at this
        state.parameters = [{key: spell_as(kinds.get(key), row[key]) for key in row} for row in state.parameters]


@event.listens_for(Engine, "connect")
def register_array(connection: Any, record: Any) -> None:
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
