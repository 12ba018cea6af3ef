"""SQLAlchemy over psycopg2, psycopg 3 and asyncpg."""
import asyncio
import contextlib
import os
import uuid
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import sqlalchemy
import ulid
from sqlalchemy import Engine, Integer, any_, bindparam, case, cast, column, create_engine, delete, event, func, insert
from sqlalchemy import lambda_stmt, literal, tuple_, update, values
from sqlalchemy.dialects.postgresql import array
from sqlalchemy.exc import DBAPIError, InvalidRequestError
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.ext.mutable import MutableList
from sqlalchemy.orm import DeclarativeBase, Session, relationship, selectinload

import pgulid
from conftest import HOUR, IDS, NOON, UUID, each_text, make_database, matches

from sqlalchemy import Column, ForeignKey, Text, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import declarative_base
from pgulid.sqlalchemy import ULID, register_ulid

Base = declarative_base()

class Message(Base):
    __tablename__ = "message"
    id = Column(ULID, primary_key=True, server_default=text("gen_ulid()"))
    body = Column(Text)
    answers = Column(ULID, ForeignKey("message.id"))
    mentions = Column(ARRAY(ULID))

def between(session, begin, end):  # datetimes with a time zone
    query = select(Message).where(Message.id >= begin, Message.id < end)
    return session.scalars(query.order_by(Message.id)).all()


from sqlalchemy.orm import Mapped, mapped_column, orm_insert_sentinel

class Boat(Base):
    __tablename__ = "boat"
    id: Mapped[str] = mapped_column(ULID, primary_key=True, server_default=text("gen_ulid()"))
    name: Mapped[str]
    _sentinel: Mapped[int] = orm_insert_sentinel()


Message.answered = relationship(Message, remote_side=Message.id)


class Models(DeclarativeBase):
    pass


class Raft(Models):
    __tablename__ = "raft"
    id: Mapped[str] = mapped_column(ULID, primary_key=True, default=lambda: uuid.UUID(UUID))
    built: Mapped[str] = mapped_column(ULID, default=ulid.ULID)
    owner: Mapped[str] = mapped_column(ULID, default=IDS[0].lower())
    change: Mapped[str | None] = mapped_column(ULID, onupdate=lambda: uuid.UUID(UUID))
    kind: Mapped[str]
    __mapper_args__ = {"polymorphic_on": "kind", "polymorphic_identity": "raft"}


class Float(Raft):
    __tablename__ = "float"
    id: Mapped[str] = mapped_column(ForeignKey("raft.id"), primary_key=True)
    tied: Mapped[str | None] = mapped_column(ULID)
    __mapper_args__ = {"polymorphic_identity": "float"}


class Tracked(Models):
    __tablename__ = "tracked"
    id: Mapped[str] = mapped_column(ULID, primary_key=True, server_default=text("gen_ulid()"))
    mentions: Mapped[list[str]] = mapped_column(MutableList.as_mutable(ARRAY(ULID)))


class Account(Models):
    __tablename__ = "account"
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True, server_default=text("gen_uuidv7()"))

def accounts(session, begin, end):
    first, last = func.uuidv7_min(begin), func.uuidv7_min(end)
    return session.scalars(select(Account).where(Account.id >= first, Account.id < last)).all()


# Every way to write an id: as other spellings, and as objects.
SPELLINGS = [IDS[1].lower(), uuid.UUID(UUID), UUID, ulid.ULID.from_str(IDS[1])]
each_spelling = pytest.mark.parametrize("id", SPELLINGS, ids=repr)


@pytest.fixture(scope="module", params=["psycopg", "psycopg2"])
def engine(database: str, request: pytest.FixtureRequest) -> Iterator[Engine]:
    make_database(database, "CREATE EXTENSION ulid")
    engine = create_engine(f"postgresql+{request.param}://")
    if request.param == "psycopg":
        register_ulid(engine)
    Base.metadata.create_all(engine)
    Models.metadata.create_all(engine)
    with Session(engine) as session:
        mentions = IDS if engine.driver == "psycopg" else None
        session.add_all(Message(id=id, body="x", mentions=mentions) for id in IDS)
        session.commit()
    yield engine
    engine.dispose()


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    with Session(engine) as session:
        yield session


with_arrays = pytest.mark.parametrize("engine", ["psycopg"], indirect=True)


def ids(session: Session, *conditions: Any) -> list[str]:
    return list(session.scalars(select(Message.id).where(*conditions).order_by(Message.id)))


@each_text
def test_an_attribute_reads(text: str, expected: str) -> None:
    if len(expected) == 26:
        assert Message(id=text).id == expected
    else:
        assert Message(id=text).id == text


def test_insert_takes_its_columns_from_the_first_row(session: Session) -> None:
    session.execute(insert(Message.__table__), [{"body": "a"}, {"id": "7" + IDS[0][1:], "body": "b"}])
    assert session.get(Message, "7" + IDS[0][1:]) is None


def test_times(session: Session) -> None:
    assert [message.id for message in between(session, NOON + HOUR, NOON + 2 * HOUR)] == [IDS[1]]
    assert ids(session, Message.id.between(NOON + HOUR, NOON + 2 * HOUR)) == IDS[1:]
    assert ids(session, literal(IDS[0], ULID) < NOON + HOUR) == IDS


@each_spelling
def test_conditions(session: Session, id: Any) -> None:
    assert session.get(Message, id).id == IDS[1]
    bound = literal(id, ULID)
    data = values(column("id", ULID), column("n", Integer), name="data").data([(id, 1)])
    for condition in [Message.id == id, Message.id.in_([id]), Message.id.in_(iter([id])), Message.id == bound,
                      Message.id == case((Message.body == "x", bound), else_=bound), Message.id.in_(select(data.c.id)),
                      tuple_(Message.id, Message.body).in_([(id, "x")]), Message.id == any_(array([bound])),
                      Message.id == any_(cast([str(id)], ARRAY(ULID)))]:
        assert ids(session, condition) == [IDS[1]], str(condition)
    query = select(Message.id).where(Message.id == bound)
    compiled = query.compile(session.bind, compile_kwargs={"literal_binds": True})
    assert session.scalar(text(str(compiled))) == IDS[1]
    query = text("SELECT body FROM message WHERE id = :id")
    assert session.scalar(query.bindparams(bindparam("id", id, ULID))) == "x"


def test_a_range_of_times_of_uuids(session: Session) -> None:
    session.add_all(Account(id=func.gen_uuidv7(NOON + hours * HOUR)) for hours in range(3))
    session.flush()
    assert [account.id.version for account in accounts(session, NOON + HOUR, NOON + 2 * HOUR)] == [7]


def test_a_prefix(session: Session) -> None:
    assert ids(session, Message.id.startswith(IDS[0][:8])) == ids(session, Message.id.op("^@")(IDS[0][:8])) == IDS[:1]
    message = session.get(Message, IDS[0])
    session.execute(update(Message).where(Message.id.startswith(IDS[0][:8])).values(body="started"))
    assert message.body == "started"
    with pytest.raises(DBAPIError, match="operator does not exist: ulid ~~"):
        ids(session, Message.id.like("01HW%"))


@pytest.mark.parametrize("id, state", [("no", "22P02"), ("8" + IDS[0][1:], "22003")])
def test_invalid_ids(session: Session, id: str, state: str) -> None:
    with pytest.raises(DBAPIError) as caught:
        ids(session, Message.id == id)
    assert getattr(caught.value.orig, "sqlstate" if session.bind.driver == "psycopg" else "pgcode") == state


# What a session keeps.


@each_spelling
def test_any_spelling_is_the_servers_at_once(session: Session, id: Any) -> None:
    answer = Message(id="7" + IDS[0][1:].lower(), answers=id)
    assert (answer.id, answer.answers) == ("7" + IDS[0][1:], IDS[1])
    session.add(answer)
    session.flush()
    query = select(Message).where(Message.id == answer.id).options(selectinload(Message.answered))
    assert session.get(Message, answer.id.lower()) is answer
    assert session.scalars(query).one() is answer
    assert answer.answered is session.get(Message, IDS[1])


@each_spelling
@pytest.mark.parametrize("condition", [
    lambda id: Message.id == id,
    lambda id: Message.id.in_([id]),
    lambda id: Message.id.in_({id: 1}.keys()),
    lambda id: Message.id.in_(other for other in [id]),
    lambda id: Message.id == literal(id, ULID),
    lambda id: tuple_(Message.id, Message.body).in_([(id, "x")]),
    lambda id: (Message.id == id) & Message.body.is_not(None),
    lambda id: Message.id == bindparam("one", callable_=lambda: id, type_=ULID),
    lambda id: Message.id == bindparam("other", uuid.UUID(UUID)),
    lambda id: (Message.id == id) & (Message.id < NOON + 2 * HOUR),
])
def test_an_update_changes_the_objects_of_the_session(session: Session, condition: Any, id: Any) -> None:
    message = session.get(Message, IDS[1])
    assert message.body == "x"
    session.execute(update(Message).where(condition(id)).values(body=Message.body + "y", answers=id))
    assert (message.body, message.answers) == ("xy", IDS[1])
    message.body += "z"
    session.flush()
    session.refresh(message)
    assert message.body == "xyz"


@each_spelling
def test_an_update_in_a_lambda(session: Session, id: Any) -> None:
    message = session.get(Message, IDS[1])
    session.execute(lambda_stmt(lambda: update(Message).where(Message.id == id).values(body="lambda", answers=id)))
    assert (message.body, message.answers) == ("lambda", IDS[1])


def test_an_update_without_an_id_reads_no_keys_back(session: Session) -> None:
    statements: list[str] = []
    event.listen(session.bind, "before_cursor_execute", lambda *arguments: statements.append(arguments[2]))
    for condition in Message.body == "x", Message.id != IDS[0]:
        session.execute(update(Message).where(condition).values(body="x"))
    assert ["RETURNING" in statement for statement in statements] == [False, True]


@each_spelling
def test_rows_of_an_update_and_of_an_insert(session: Session, id: Any) -> None:
    message = session.get(Message, IDS[1])
    rows = [{"id": id, "body": "updated", "answers": IDS[0].lower()}]
    session.execute(update(Message), rows)
    assert (message.body, message.answers) == ("updated", IDS[0])
    assert rows == [{"id": id, "body": "updated", "answers": IDS[0].lower()}]
    session.execute(delete(Message))
    query = insert(Message).returning(Message.id, sort_by_parameter_order=True)
    assert session.scalars(query, [{"id": IDS[2]}, {"id": id}]).all() == [IDS[2], IDS[1]]


@each_spelling
def test_a_delete_removes_the_objects_of_the_session(session: Session, id: Any) -> None:
    message = session.get(Message, IDS[1])
    session.execute(delete(Message).where(Message.id.in_(iter([id]))))
    assert message not in session


@pytest.mark.parametrize("key", ["answers", Message.answers])
def test_what_an_update_sets(session: Session, key: Any) -> None:
    message = session.get(Message, IDS[0])
    session.query(Message).filter(Message.id == IDS[0].lower()).update({key: uuid.UUID(UUID)})
    assert message.answers == IDS[1]


def test_defaults_of_the_application_and_inherited_attributes(session: Session) -> None:
    raft, float = Raft(), Float(id=IDS[2].lower(), tied=UUID)
    session.add_all([raft, float])
    session.flush()
    assert (raft.id, raft.owner, type(raft.built), len(raft.built)) == (IDS[1], IDS[0], str, 26)
    assert (float.id, float.owner, float.tied) == (IDS[2], IDS[0], IDS[1])
    assert session.get(Raft, UUID) is raft
    raft.owner = IDS[1]
    session.flush()
    assert raft.change == IDS[1]
    assert session.get(Raft, IDS[2].lower()) is float


def test_one_insert_for_many_objects(session: Session) -> None:
    statements: list[str] = []
    event.listen(session.bind, "before_cursor_execute", lambda *arguments: statements.append(arguments[2]))
    many = [Boat(name=str(n)) for n in range(900)]
    session.add_all(many)
    session.flush()
    assert len(statements) == 1
    assert {boat.name: boat.id for boat in many} == dict(session.execute(text("SELECT name, id::text FROM boat")).all())
    statements.clear()
    session.add_all(Message(body=str(n)) for n in range(20))
    session.flush()
    assert len(statements) == 20  # without a sentinel


# Arrays.


@with_arrays
def test_an_array(session: Session) -> None:
    message = session.get(Message, IDS[0])
    assert message.mentions == IDS
    for id in SPELLINGS:
        message.mentions = [id]
        session.flush()
        session.refresh(message)
        assert message.mentions == [IDS[1]]
    message.mentions = None
    session.flush()
    session.refresh(message)
    assert message.mentions is None


@with_arrays
@pytest.mark.parametrize("model, kind", [(Message, list), (Tracked, list), (Tracked, MutableList)])
def test_an_array_is_the_list_that_was_set(session: Session, model: Any, kind: Any) -> None:
    mentions = kind([IDS[0]])
    row = model(mentions=mentions)
    session.add(row)
    if kind is MutableList:
        session.flush()
    if model is Message or kind is MutableList:  # a MutableList copies a list, of any type
        mentions.append(IDS[1].lower())
    else:
        row.mentions.append(IDS[1].lower())
    session.flush()
    session.refresh(row)
    assert row.mentions == IDS[:2]
    session.rollback()


def test_arrays_of_psycopg2(session: Session) -> None:
    if session.bind.driver == "psycopg2":
        with pytest.raises(ValueError, match="not a valid ULID: '{'"):
            session.scalar(select(cast([IDS[0]], ARRAY(ULID))))


def test_a_connection_that_is_older_than_the_extension(database: str) -> None:
    engine = create_engine(f"postgresql+psycopg:///{database}_empty")
    register_ulid(engine)
    make_database(f"{database}_empty")
    os.environ["PGDATABASE"] = database
    query = select(cast([IDS[0]], ARRAY(ULID)))
    with engine.connect() as old, pytest.raises(ValueError, match="not a valid ULID: '{'"):
        old.execute(text("CREATE EXTENSION ulid"))
        old.commit()
        old.execute(query).all()
    engine.dispose()
    with engine.connect() as new:
        assert new.execute(query).all() == [([IDS[0]],)]
    engine.dispose()


@each_spelling
def test_core_rows_that_are_not_spelled_cannot_be_sorted(session: Session, id: Any) -> None:
    table = sqlalchemy.Table("core", sqlalchemy.MetaData(), Column("id", ULID, primary_key=True))
    table.create(session.connection())
    query = insert(table).returning(table.c.id, sort_by_parameter_order=True)
    rows = [{"id": IDS[0]}, {"id": id}]
    assert session.scalars(query, [{"id": pgulid.parse(row["id"])} for row in rows]).all() == IDS[:2]
    session.execute(delete(table))
    if sqlalchemy.__version__ < "2.1":  # one INSERT for each
        assert session.scalars(query, rows).all() == IDS[:2]
        return
    with pytest.raises(InvalidRequestError, match="Can't match sentinel values"):
        session.scalars(query, rows)


# Errors of the page, and columns whose type changes.


def test_errors_of_the_page(session: Session) -> None:
    if session.bind.driver == "psycopg":  # it sends the type of a String
        for query in (text("SELECT FROM message WHERE id = :id").bindparams(id=IDS[0]),
                      select(Message.id).where(Message.id == literal(IDS[0], sqlalchemy.String))):
            with pytest.raises(DBAPIError, match="operator does not exist: ulid = character varying"):
                session.execute(query)
            session.rollback()


def test_an_engine_that_is_not_registered_is_left_alone(engine: Engine) -> None:
    other = create_engine("postgresql+psycopg://")
    with other.connect() as connection, pytest.raises(ValueError, match="not a valid ULID: '{'"):
        connection.execute(select(cast([IDS[0]], ARRAY(ULID)))).all()
    other.dispose()


@contextlib.asynccontextmanager
async def opened(driver: str) -> AsyncIterator[AsyncSession]:
    engine = create_async_engine(f"postgresql+{driver}://")
    if driver == "psycopg":
        register_ulid(engine)
    async with AsyncSession(engine) as session:
        yield session
        await session.rollback()
    await engine.dispose()


each_asynchronous = pytest.mark.parametrize("driver", ["asyncpg", "psycopg"])


@each_asynchronous
def test_before_the_columns_change(engine: Engine, driver: str) -> None:
    """A process with the type works on columns of the type uuid."""
    class Early(declarative_base()):  # type: ignore[misc]
        __tablename__ = "early"
        id = Column(ULID, primary_key=True, server_default=text("gen_ulid()"))
        parent = Column(ULID, ForeignKey("early.id"))
        mentions = Column(ARRAY(ULID))

    async def work() -> None:
        async with opened(driver) as session:
            await session.execute(text("CREATE TABLE early (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),"
                                       " parent uuid REFERENCES early, mentions uuid[])"))
            session.add(Early(id=IDS[0]))
            await session.flush()
            row = Early(parent=IDS[0], mentions=[IDS[0].lower(), IDS[1]])
            session.add(row)
            await session.flush()
            await session.refresh(row)
            assert (len(row.id), row.parent, row.mentions) == (26, IDS[0], IDS[:2])
            for condition in (Early.id == row.id, Early.id.in_([row.id]), Early.id != IDS[0],
                              Early.parent == any_(array([literal(IDS[0], ULID)]))):
                assert (await session.scalars(select(Early).where(condition))).all() == [row]
            await session.execute(update(Early).where(Early.id == row.id.lower()).values(parent=row.id))
            assert row.parent == row.id
            await session.delete(row)
            await session.flush()
            with pytest.raises(DBAPIError, match=r"operator does not exist: uuid\[\] @> ulid\[\]"):
                await session.scalars(select(Early).where(Early.mentions.contains([IDS[1]])))

    asyncio.run(work())


@each_asynchronous
def test_asynchronous(engine: Engine, driver: str) -> None:
    async def work() -> None:
        async with opened(driver) as session:
            message = Message(body="hello", mentions=[UUID, IDS[0]])
            session.add(message)
            await session.flush()
            await session.refresh(message)
            assert (len(message.id), message.mentions) == (26, [IDS[1], IDS[0]])
            window = select(Message.id).where(Message.id >= NOON + HOUR, Message.id < NOON + 2 * HOUR)
            assert (await session.scalars(window)).all() == [IDS[1]]
            for id in SPELLINGS:
                bound = literal(id, ULID)
                for condition in (Message.id == bound, Message.id == any_(array([bound])),
                                  Message.id.op("^@")(IDS[1][:8]), Message.id == func.greatest(bound, bound)):
                    assert (await session.scalars(select(Message.id).where(condition))).all() == [IDS[1]]

    asyncio.run(work())
