"""SQLAlchemy over psycopg2, psycopg 3 and asyncpg, and Alembic."""
import asyncio
import io
import os
import pathlib
import re
import shutil
import uuid
from typing import Optional

import alembic
import sqlalchemy
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Column, ForeignKey, Integer, Text, any_, bindparam, cast, create_engine, delete, event, insert
from sqlalchemy import inspect, literal, literal_column, select, text, update
from sqlalchemy.dialects.postgresql import UUID as Uuid
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, declarative_base, mapped_column, orm_insert_sentinel
from sqlalchemy.orm import relationship, selectinload

import tap
import ulid_sqlalchemy
from tap import HOUR, IDS, NOON, UUID, equal, error_of, fails, reads
# doc/clients/python.md: from sqlalchemy.dialects


Message.answered = relationship(Message, remote_side=Message.id)


class Models(DeclarativeBase):
    pass


class Raft(Models):
    __tablename__ = "raft"
    id: Mapped[str] = mapped_column(ULID, primary_key=True, default=lambda: uuid.UUID(UUID))
    built: Mapped[str] = mapped_column(ULID, default=tap.ULID)
    owner: Mapped[str] = mapped_column(ULID, default=IDS[0].lower())
    kind: Mapped[str]
    __mapper_args__ = {"polymorphic_on": "kind", "polymorphic_identity": "raft"}


class Float(Raft):
    __tablename__ = "float"
    id: Mapped[str] = mapped_column(ForeignKey("raft.id"), primary_key=True)
    tied: Mapped[Optional[str]] = mapped_column(ULID)
    __mapper_args__ = {"polymorphic_identity": "float"}


# doc/clients/python.md: class Boat


print("# SQLAlchemy", sqlalchemy.__version__, "Alembic", alembic.__version__)
reads("parse_ulid", ulid_sqlalchemy.parse_ulid)
reads("an attribute", lambda text: ulid_sqlalchemy.parse_ulid(Message(id=text).id))
engines = [create_engine(f"postgresql+{driver}://") for driver in ("psycopg2", "psycopg")]


def alembic_migrates():
    """What autogenerate writes makes the table; afterwards it finds no difference."""
    shutil.rmtree("revisions", ignore_errors=True)  # of a run on another server
    pathlib.Path("alembic.ini").unlink(missing_ok=True)
    config = Config("alembic.ini", stdout=io.StringIO())
    config.set_main_option("script_location", "revisions")
    command.init(config, "revisions")
    mako, env = pathlib.Path("revisions/script.py.mako"), pathlib.Path("revisions/env.py")
    env.write_text("""
from alembic import context
from sqlalchemy import create_engine
import ulid_sqlalchemy
from __main__ import Base

with create_engine("postgresql+psycopg://").connect() as connection:
    context.configure(connection=connection, target_metadata=Base.metadata,
                      compare_type=True, compare_server_default=True,
                      include_name=lambda name, kind, parents: kind != "table" or name in Base.metadata.tables)
    with context.begin_transaction():
        context.run_migrations()
""")
    versions = pathlib.Path("revisions/versions")
    command.revision(config, "without", autogenerate=True)
    fails("name 'ulid_sqlalchemy' is not defined", lambda: command.upgrade(config, "head"))
    next(versions.glob("*.py")).unlink()
    mako.write_text(re.sub("import sqlalchemy as sa\n", "\\g<0>import ulid_sqlalchemy\n", mako.read_text()))
    command.revision(config, "first", autogenerate=True)
    [first] = versions.glob("*.py")
    create = '    op.execute("CREATE EXTENSION IF NOT EXISTS ulid")\n'
    first.write_text(re.sub(r"(def upgrade.*:\n)", lambda match: match[0] + create, first.read_text()))
    command.upgrade(config, "head")
    command.revision(config, "second", autogenerate=True)
    [second] = [path for path in versions.glob("*.py") if path != first]
    equal("Alembic: no difference afterwards", second.read_text().count("op."), 0)
    return config


def boats(kind, default):
    """The class of yachts, which inherit their key from boats."""
    base = declarative_base()

    class AnyBoat(base):
        __tablename__ = "boat"
        id = Column(kind, primary_key=True, server_default=text(default))
        tender_id = Column(kind, ForeignKey("boat.id"))
        tender = relationship("AnyBoat", remote_side=[id])
        seen = Column(ARRAY(kind))
        sails = Column(Integer, default=0)
        type = Column(Text)
        __mapper_args__ = {"polymorphic_on": "type", "polymorphic_identity": "boat"}

    class Yacht(AnyBoat):
        __tablename__ = "yacht"
        id = Column(ForeignKey("boat.id", ondelete="CASCADE"), primary_key=True)
        crew = Column(Integer, default=0)
        __mapper_args__ = {"polymorphic_identity": "yacht"}

    return Yacht


def alembic_moves(config):
    """Keys become ulids and uuids again, with inherited keys, references, arrays, and sessions that stay open."""
    global Base

    def found():
        with engines[0].connect() as connection:
            return tuple(connection.execute(text("""
                SELECT pg_typeof(b.id)::text, pg_typeof(b.seen)::text, pg_get_expr(adbin, adrelid), b.id::uuid::text,
                    b.sails, y.crew
                FROM boat b JOIN yacht y ON y.id = b.id JOIN boat t ON t.id = b.tender_id AND t.id = ANY (b.seen)
                JOIN pg_attrdef ON adrelid = 'boat'::regclass""")).one())

    def migrate(step, revision):
        getattr(command, step)(config, revision)
        return found()

    def opened(Yacht):
        session = Session(engines[1])
        yacht = session.scalars(select(Yacht)).one()
        equal("a session has read", (yacht.tender.id, yacht.seen), (yacht.tender_id, [yacht.tender_id]))
        session.commit()
        return session, yacht

    def sail(session, yacht):
        try:
            yacht.sails += 1
            yacht.crew += 1
            yacht.tender.sails += 1
            session.commit()
            return yacht.sails, yacht.crew, yacht.tender.sails
        finally:
            session.rollback()

    def fails_to_sail(session, yacht):
        fails("invalid input syntax for type uuid", lambda: sail(session, yacht))

    command.upgrade(config, "head")
    Old = Base = boats(Uuid, "gen_random_uuid()")
    command.revision(config, "boats", autogenerate=True)
    command.upgrade(config, "head")
    with Session(engines[1]) as session:
        yacht = Old(tender=Old.__base__())
        session.add(yacht)
        session.flush()
        yacht.seen = [yacht.tender_id]
        session.commit()
    before = found()
    equal("Alembic: before the move", (before[:3], before[4:]), (("uuid", "uuid[]", "gen_random_uuid()"), (0, 0)))
    old = opened(Old)
    New = Base = boats(ULID, "gen_ulid()")
    command.revision(config, "to ulid", autogenerate=True)
    equal("Alembic: to ulid", migrate("upgrade", "head"), ("ulid", "ulid[]", "gen_ulid()", *before[3:]))
    fails_to_sail(*old)
    new = opened(New)
    equal("a process that starts afterwards writes", sail(*new), (1, 1, 1))
    equal("Alembic: back to uuid", migrate("downgrade", "-1"), (*before[:4], 1, 1))
    fails_to_sail(*new)
    equal("the old process goes on, and nothing is lost", sail(*old), (2, 2, 2))
    for session, _ in old, new:
        session.close()
    engines[1].dispose()


with engines[0].begin() as connection:
    connection.execute(text("DROP TABLE message"))
alembic_moves(alembic_migrates())

for engine in engines:
    driver = engine.driver
    columns = inspect(engine).get_columns("message")
    types = [repr(column["type"]) for column in columns if column["name"] != "body"]
    equal(f"{driver}: reflection", [columns[0]["default"], *types], ["gen_ulid()", "ULID()", "ULID()", "ARRAY(ULID())"])
    with Session(engine) as session:
        session.execute(delete(Message))
        session.commit()
        message = Message(body="hello")
        session.add(message)
        session.flush()
        equal(f"{driver}: the id comes back", (type(message.id), len(message.id)), (str, 26))
        session.rollback()
        session.execute(insert(Message.__table__), [{"body": "a"}, {"id": IDS[0], "body": "b"}])
        equal(f"{driver}: insert() takes its columns from the first row", session.get(Message, IDS[0]), None)
        session.rollback()
        arrays = driver == "psycopg"
        session.add_all(Message(id=id, body="x", mentions=[uuid.UUID(UUID), *IDS] if arrays else None) for id in IDS)
        session.commit()

        def ids(*conditions):
            return session.scalars(select(Message.id).where(*conditions).order_by(Message.id)).all()

        equal(f"{driver}: a range of time", [m.id for m in between(session, NOON + HOUR, NOON + 2 * HOUR)], [IDS[1]])
        equal(f"{driver}: between", [ids(Message.id.between(NOON + HOUR, NOON + 2 * HOUR)),
                                     ids(Message.id.between(IDS[0], IDS[1]))], [IDS[1:], IDS[:2]])
        objects = [uuid.UUID(UUID)] + ([tap.ULID.from_str(IDS[1])] if tap.ULID else [])
        found = [session.get(Message, id).id for id in objects] + ids(Message.id.in_(objects))
        equal(f"{driver}: UUID and ULID objects", found, [IDS[1]] * (len(objects) + 1))
        query = text("SELECT body FROM message WHERE id = :id")
        if driver == "psycopg":
            with session.begin_nested() as nested:
                fails("operator does not exist: ulid = character varying",
                      lambda: session.execute(query.bindparams(id=IDS[0])))
                nested.rollback()
        equal(f"{driver}: text()", [session.scalar(query, {"id": IDS[0]}),
                                    session.scalar(query.bindparams(bindparam("id", IDS[0], ULID)))], ["x", "x"])
        equal(f"{driver}: a prefix", ids(Message.id.op("^@")(IDS[0][:8])), IDS[:1])
        equal(f"{driver}: any_ of a list with its type", ids(Message.id == any_(cast([IDS[0]], ARRAY(ULID)))), IDS[:1])
        session.expire_all()
        message = session.get(Message, IDS[0])
        if arrays:
            equal(f"{driver}: an array with a UUID, and NULL",
                  (message.mentions, message.answers), ([IDS[1], *IDS], None))
        else:
            fails("not a valid ULID: '{'", lambda: session.scalar(select(cast([IDS[0]], ARRAY(ULID)))))
        queries = [select(Message.id).where(Message.id == literal(id, ULID)) for id in objects]
        literals = [str(query.compile(engine, compile_kwargs={"literal_binds": True})) for query in queries]
        equal(f"{driver}: literals", [session.scalar(text(query)) for query in literals], [IDS[1]] * len(objects))
        for condition in Message.id == IDS[0].lower(), Message.id.in_([IDS[0].lower()]):
            session.execute(update(Message).where(condition).values(body=Message.body + "y"))
        equal(f"{driver}: an update by a lower-case id changes the object", message.body, "xyy")
        for id in [IDS[1].lower(), *objects]:
            answer = Message(id="7" + IDS[0][1:].lower(), answers=id, mentions=[id])
            equal(f"{driver}: any spelling is the server's at once: {id!r}",
                  (answer.id, answer.answers, answer.mentions), ("7" + IDS[0][1:], IDS[1], [IDS[1]]))
            answer.mentions = [id] if arrays else None
            session.add(answer)
            session.flush()
            query = select(Message).where(Message.id == answer.id).options(selectinload(Message.answered))
            same = (session.get(Message, answer.id.lower()) is answer, session.scalars(query).one() is answer,
                    answer.answered is session.get(Message, IDS[1]))
            equal(f"{driver}: and the session has one object for each row", same, (True, True, True))
            session.delete(answer)
            session.flush()
        session.rollback()

    def run(*conditions):
        with Session(engine) as session:
            return session.scalars(select(Message.id).where(*conditions)).all()

    state = "sqlstate" if driver == "psycopg" else "pgcode"
    states = [getattr(error_of(lambda: run(Message.id == id)).orig, state) for id in ("no", "8" + IDS[0][1:])]
    equal(f"{driver}: the SQLSTATE", states, ["22P02", "22003"])
    fails("operator does not exist: ulid ~~", lambda: run(Message.id.like("01HW%")))
    if driver == "psycopg2":
        fails("operator does not exist: ulid = text", lambda: run(Message.id == any_([IDS[0]])))
    else:  # psycopg 3 sends the type of a String
        varchar = literal(IDS[0], sqlalchemy.String)
        fails("operator does not exist: ulid = character varying", lambda: run(Message.id == varchar))
    engine.dispose()


# One engine creates the extension and the tables, as tests do.
empty = os.environ["PGDATABASE"] + "_empty"
for driver in ("psycopg2", "psycopg"):
    with engines[0].connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text(f"DROP DATABASE IF EXISTS {empty}"))
        connection.execute(text(f"CREATE DATABASE {empty}"))
    engine = create_engine(f"postgresql+{driver}:///{empty}")
    with engine.connect() as connection:
        boats(Uuid, "gen_random_uuid()").metadata.create_all(connection)
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        after = boats(ULID, "gen_ulid()").metadata
        fails("function gen_ulid() does not exist", lambda: compare_metadata(context, after))
    with engine.begin() as connection:
        connection.execute(text("CREATE EXTENSION ulid"))
        Message.__table__.create(connection)
    arrays = driver == "psycopg"
    with engine.connect() as old:
        fails("not a valid ULID: '{'", lambda: old.execute(select(cast([IDS[0]], ARRAY(ULID)))).all())
    engine.dispose()  # a connection learns the type ulid[] when it is made
    with Session(engine) as session:
        rows = [Message(id=id, mentions=[id] if arrays else None) for id in (uuid.UUID(UUID), IDS[0].lower())]
        session.add_all(rows)
        session.commit()
        equal(f"{driver}: several rows with keys that are not spelled as the server's, and arrays",
              [row.mentions for row in rows], [[IDS[1]], [IDS[0]]] if arrays else [None, None])
        statements = []
        event.listen(engine, "before_cursor_execute", lambda *arguments: statements.append(arguments[2]))
        Boat.metadata.create_all(engine)
        raft, float = Raft(), Float(id=IDS[2].lower(), tied=UUID)
        session.add_all([raft, float])
        session.flush()
        equal(f"{driver}: defaults of the application and inherited attributes are spelled, too",
              (raft.id, raft.owner, type(raft.built), len(raft.built), float.id, float.owner, float.tied),
              (IDS[1], IDS[0], str, 26, IDS[2], IDS[0], IDS[1]))
        equal(f"{driver}: and the session has one object for each row",
              [session.get(Raft, UUID) is raft, session.get(Raft, IDS[2].lower()) is float], [True, True])
        statements.clear()
        many = [Boat(name=str(n)) for n in range(900)]
        session.add_all(many)
        session.flush()
        found = len(statements), {boat.name: boat.id for boat in many}
        rows = session.execute(text("SELECT name, id::text FROM boat"))
        equal(f"{driver}: with a sentinel column, one INSERT, and each object has its row's id",
              found, (1, {name: id for name, id in rows}))
        statements.clear()
        session.add_all(Message(body=str(n)) for n in range(20))
        session.flush()
        equal(f"{driver}: without one, each is one", len(statements), 20)
    engine.dispose()


# The type of a column changes.
class Person(Models):
    __tablename__ = "person"
    id = Column(Uuid, primary_key=True, server_default=text("gen_uuidv7()"))


with Session(engines[0]) as session:
    Person.__table__.create(session.connection())
    session.add(Person(id=uuid.UUID(UUID)))
    session.flush()
    session.execute(text("ALTER TABLE person ALTER id TYPE ulid"))
    equal("a UUID column reads a ULID after the type has changed", session.scalars(select(Person.id)).all(), [IDS[1]])
    equal("and ULID columns read the UUIDs of a column that has yet to change", session.scalars(
        select(literal_column(f"'{UUID}'::uuid", ULID))).all(), [IDS[1]])


async def over(driver):
    engine = create_async_engine(f"postgresql+{driver}://")
    async with AsyncSession(engine) as session:
        message = Message(body="hello")
        session.add(message)
        await session.flush()
        window = select(Message).where(Message.id >= NOON + HOUR, Message.id < NOON + 2 * HOUR)
        found = (await session.scalars(window)).all()
        equal(f"{driver}, asynchronous: the id comes back, a range of time, and an array",
              (len(message.id), [(row.id, row.mentions) for row in found]), (26, [(IDS[1], [IDS[1], *IDS])]))
    await engine.dispose()


for driver in ("asyncpg", "psycopg"):
    asyncio.run(over(driver))
