"""The type ULID for SQLAlchemy 2 over psycopg 3, psycopg2 and asyncpg. Values are strings in the server's spelling."""
import datetime
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from sqlalchemy import TIMESTAMP, Dialect, Result, Text, event
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.orm import Mapper, ORMExecuteState, Session
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.sql import visitors
from sqlalchemy.sql.operators import ColumnOperators, OperatorType, ilike_op, like_op, not_ilike_op, not_like_op
from sqlalchemy.types import TypeEngine, UserDefinedType

from . import parse

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.ext.asyncio import AsyncEngine

__all__ = ["ULID", "register_ulid"]

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


# A session knows its objects by their keys as Python compares them. So what a program gives to it is spelled as the
# server does: an attribute, what an update() sets, a row of parameters. The server says which rows a condition on ids
# selects.


def ulid_columns(mapper: Mapper[Any]) -> dict[str, Any]:
    columns = {attribute.key: attribute.columns[0] for attribute in mapper.column_attrs}
    return {key: column for key, column in columns.items() if isinstance(column.type, ULID)}


@event.listens_for(Mapper, "mapper_configured")
def spell_attributes(mapper: Mapper[Any], cls: type) -> None:
    columns = ulid_columns(mapper)
    for key, column in columns.items():
        event.listen(getattr(cls, key), "set", lambda target, value, *_: spell(value), retval=True)
        for default in getattr(column, "default", None), getattr(column, "onupdate", None):
            if default and default.is_scalar:
                default.arg = spell(default.arg)
            elif default and default.is_callable:
                default.arg = lambda context, make=default.arg: spell(make(context))

    def spell_what_an_update_set(target: Any, context: object, names: Iterable[str] | None) -> None:
        for key in columns.keys() & set(names or ()) if context is None else ():  # else a row was read
            set_committed_value(target, key, spell(target.__dict__.get(key)))

    if columns:
        event.listen(cls, "refresh", spell_what_an_update_set)


@event.listens_for(Session, "do_orm_execute")
def spell_statement(state: ORMExecuteState) -> Result[Any] | None:
    mapper = state.bind_mapper
    columns = ulid_columns(mapper) if mapper and (state.is_update or state.is_delete or state.is_insert) else {}
    if columns and isinstance(state.parameters, list):
        return state.invoke_statement(params=[{key: spell(row[key]) for key in row if key in columns}
                                              for row in state.parameters])
    if columns and state.execution_options.get("synchronize_session", "auto") in ("auto", "evaluate"):
        where: Any = getattr(state.statement, "whereclause", None)
        parts = [] if where is None else visitors.iterate(where)
        if any(isinstance(getattr(part, "type", None), ULID) for part in parts):
            state.update_execution_options(synchronize_session="fetch")
    return None


def register_ulid(engine: "Engine | AsyncEngine") -> None:
    """Makes an engine of psycopg 3 return ulid[] as a list. Call this before it connects. asyncpg does so by itself."""

    def register(connection: Any, record: Any) -> None:
        from psycopg.types import TypeInfo

        cursor = connection.cursor()
        cursor.execute("SELECT to_regtype('ulid')::oid::int8, to_regtype('ulid[]')::oid::int8")
        oid, array_oid = cursor.fetchone()
        connection.rollback()
        if oid:
            TypeInfo("ulid", oid, array_oid).register(record.driver_connection)

    event.listen(getattr(engine, "sync_engine", engine), "connect", register)
