"""SQLAlchemy over psycopg2 and asyncpg, from 2.0 over psycopg 3 too, and Alembic."""
import asyncio
import io
import os
import pathlib
import re
import shutil
import uuid

import alembic
import sqlalchemy
from alembic import command
from alembic.config import Config
from sqlalchemy import Column, ForeignKey, Table, Text, any_, bindparam, cast, create_engine, delete, insert, inspect, literal
from sqlalchemy import event, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY, UUID as Uuid
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import Session, declarative_base

import tap
from tap import HOUR, IDS, NOON, UUID, equal, error_of, fails
# doc/clients/python.md: from ulid_sqlalchemy


try:
    from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, orm_insert_sentinel
except ImportError:
    pass  # 1.4
else:
    class Models(DeclarativeBase):
        pass

    # doc/clients/python.md: class Boat

    class Ship(Models):
        __tablename__ = "ship"
        id: Mapped[uuid.UUID] = mapped_column(primary_key=True, server_default=text("gen_uuidv7()"))
        name: Mapped[str]
        _sentinel: Mapped[int] = orm_insert_sentinel()


print("# SQLAlchemy", sqlalchemy.__version__, "Alembic", alembic.__version__)
two = sqlalchemy.__version__ >= "2"
engines = [create_engine(f"postgresql+{driver}://", future=True) for driver in ["psycopg2"] + ["psycopg"] * two]


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

with create_engine("postgresql+psycopg2://").connect() as connection:
    context.configure(connection=connection, target_metadata=Base.metadata, compare_type=True, compare_server_default=True,
                      include_name=lambda name, kind, parents: kind != "table" or name in Base.metadata.tables)
    with context.begin_transaction():
        context.run_migrations()
""")
    versions = pathlib.Path("revisions/versions")
    command.revision(config, "without", autogenerate=True)
    fails("name 'ulid_sqlalchemy' is not defined", lambda: command.upgrade(config, "head"))
    next(versions.glob("*.py")).unlink()
    mako.write_text(mako.read_text().replace("import sqlalchemy as sa\n", "import sqlalchemy as sa\nimport ulid_sqlalchemy\n"))
    command.revision(config, "first", autogenerate=True)
    [first] = versions.glob("*.py")
    create = '    op.execute("CREATE EXTENSION IF NOT EXISTS ulid")\n'
    first.write_text(re.sub(r"(def upgrade.*:\n)", lambda match: match[0] + create, first.read_text()))
    command.upgrade(config, "head")
    command.revision(config, "second", autogenerate=True)
    [second] = [path for path in versions.glob("*.py") if path != first]
    equal("Alembic: no difference afterwards", second.read_text().count("op."), 0)
    return config


def alembic_moves(config):
    """The keys of boats become ulids and uuids again, with references to them and arrays."""
    global Base

    def boats(kind, default):
        Base = declarative_base()
        key = Column("id", kind, primary_key=True, server_default=text(default))
        Table("boat", Base.metadata, key, Column("tender", kind, ForeignKey("boat.id")), Column("seen", ARRAY(kind)))
        Table("oar", Base.metadata, Column("boat", kind, ForeignKey("boat.id", ondelete="CASCADE"), primary_key=True))
        return Base

    def found():
        with engines[0].connect() as connection:
            return tuple(connection.execute(text("""
                SELECT pg_typeof(b.id)::text, pg_typeof(b.seen)::text, pg_get_expr(adbin, adrelid), b.id::uuid::text, count(t.*),
                    count(o.*) FROM boat b LEFT JOIN boat t ON t.id = b.tender AND t.id = ANY (b.seen) LEFT JOIN oar o ON o.boat = t.id
                JOIN pg_attrdef ON adrelid = 'boat'::regclass WHERE b.tender IS NOT NULL GROUP BY 1, 2, 3, 4""")).one())

    def migrate(step, revision):
        getattr(command, step)(config, revision)
        return found()

    command.upgrade(config, "head")
    Base = boats(Uuid, "gen_random_uuid()")
    command.revision(config, "boats", autogenerate=True)
    command.upgrade(config, "head")
    with engines[0].begin() as connection:
        connection.execute(text("""
            WITH tender AS (INSERT INTO boat DEFAULT VALUES RETURNING id), oars AS (INSERT INTO oar SELECT id FROM tender)
            INSERT INTO boat (tender, seen) SELECT id, ARRAY[id] FROM tender"""))
    before = found()
    equal("Alembic: before the move", (before[:3], before[4:]), (("uuid", "uuid[]", "gen_random_uuid()"), (1, 1)))
    Base = boats(ULID, "gen_ulid()")
    command.revision(config, "to ulid", autogenerate=True)
    equal("Alembic: to ulid", migrate("upgrade", "head"), ("ulid", "ulid[]", "gen_ulid()", *before[3:]))
    equal("Alembic: back to uuid", migrate("downgrade", "-1"), before)


with engines[0].begin() as connection:
    connection.execute(text("DROP TABLE message"))
alembic_moves(alembic_migrates())

for engine in engines:
    driver = engine.driver
    columns = inspect(engine).get_columns("message")
    equal(f"{driver}: reflection", [columns[0]["default"]] + [repr(column["type"]) for column in columns[:1] + columns[2:]],
          ["gen_ulid()", "ULID()", "ULID()", "ARRAY(ULID())"])
    with Session(engine) as session:
        session.execute(delete(Message))
        session.commit()
        message = Message(body="hello")
        session.add(message)
        session.flush()
        equal(f"{driver}: the id comes back", (type(message.id), len(message.id)), (str, 26))
        rows = [message, Message(id=IDS[0], body="given")] + [Message(body=str(n)) for n in range(1500)]
        session.add_all(rows)
        session.flush()
        equal(f"{driver}: given and generated ids of many rows", sorted((row.id, row.body) for row in rows),
              [tuple(row) for row in session.execute(text("SELECT id::text, body FROM message ORDER BY id"))])
        session.rollback()
        session.execute(insert(Message.__table__), [{"body": "a"}, {"id": IDS[0], "body": "b"}])
        equal(f"{driver}: insert() takes its columns from the first row", session.get(Message, IDS[0]), None)
        session.rollback()
        session.add_all(Message(id=id, body="x", mentions=[uuid.UUID(UUID), *IDS]) for id in IDS)
        session.commit()

        def ids(*conditions):
            return session.scalars(select(Message.id).where(*conditions).order_by(Message.id)).all()

        equal(f"{driver}: a range of time", [m.id for m in between(session, NOON + HOUR, NOON + 2 * HOUR)], [IDS[1]])
        equal(f"{driver}: a page after a cursor", [m.id for m in page_after(session, IDS[0], 1)], [IDS[1]])
        equal(f"{driver}: between", [ids(Message.id.between(NOON + HOUR, NOON + 2 * HOUR)),
                                     ids(Message.id.between(IDS[0], IDS[1]))], [IDS[1:], IDS[:2]])
        objects = [uuid.UUID(UUID)] + ([tap.ULID.from_str(IDS[1])] if tap.ULID else [])
        equal(f"{driver}: UUID and ULID objects", [session.get(Message, id).id for id in objects] + ids(Message.id.in_(objects)),
              [IDS[1]] * (len(objects) + 1))
        query = text("SELECT body FROM message WHERE id = :id")
        if driver == "psycopg":
            with session.begin_nested() as nested:
                fails("operator does not exist: ulid = character varying", lambda: session.execute(query.bindparams(id=IDS[0])))
                nested.rollback()
        equal(f"{driver}: text()", [session.scalar(query, {"id": IDS[0]}),
                                    session.scalar(query.bindparams(bindparam("id", IDS[0], ULID)))], ["x", "x"])
        equal(f"{driver}: a prefix", ids(Message.id.op("^@")(IDS[0][:8])), IDS[:1])
        equal(f"{driver}: any_ of a list with its type", ids(Message.id == any_(cast([IDS[0]], ARRAY(ULID)))), IDS[:1])
        session.expire_all()
        message = session.get(Message, IDS[0])
        equal(f"{driver}: an array with a UUID, and NULL", (message.mentions, message.answers), ([IDS[1], *IDS], None))
        equal(f"{driver}: a search in an array", len(ids(Message.mentions.contains([IDS[2]]))), 3)
        session.execute(update(Message).where(Message.id == IDS[0].lower()).values(body="changed"))
        equal(f"{driver}: lower case changes the row, not the object",
              (message.body, session.scalar(text("SELECT body FROM message ORDER BY id LIMIT 1"))), ("x", "changed"))
        session.rollback()

    def run(*conditions):
        with Session(engine) as session:
            return session.scalars(select(Message.id).where(*conditions)).all()

    state = "sqlstate" if driver == "psycopg" else "pgcode"
    equal(f"{driver}: the SQLSTATE", [getattr(error_of(lambda: run(Message.id == id)).orig, state) for id in ("no", "8" + IDS[0][1:])],
          ["22P02", "22003"])
    fails("operator does not exist: ulid ~~", lambda: run(Message.id.like("01HW%")))
    if driver == "psycopg2":
        fails("operator does not exist: ulid = text", lambda: run(Message.id == any_([IDS[0]])))
    else:  # psycopg 3 sends the type of a String
        varchar = literal(IDS[0], sqlalchemy.String)
        fails("operator does not exist: ulid = character varying", lambda: run(Message.id == varchar))
    engine.dispose()


# One engine creates the extension and the tables, as tests do.
empty = os.environ["PGDATABASE"] + "_empty"
for driver in ["psycopg2"] + ["psycopg"] * two:
    with engines[0].connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text(f"DROP DATABASE IF EXISTS {empty}"))
        connection.execute(text(f"CREATE DATABASE {empty}"))
    engine = create_engine(f"postgresql+{driver}:///{empty}", future=True)
    with engine.begin() as connection:
        connection.execute(text("CREATE EXTENSION ulid"))
        Message.__table__.create(connection)
    with Session(engine) as session:
        rows = [Message(id=id, mentions=[id]) for id in (uuid.UUID(UUID), IDS[0].lower())]
        session.add_all(rows)
        session.commit()
        equal(f"{driver}: several rows with keys that are not spelled as the server's, and arrays of the first engine",
              [row.mentions for row in rows], [[IDS[1]], [IDS[0]]])
        if two:
            statements = []
            event.listen(engine, "before_cursor_execute", lambda *arguments: statements.append(arguments[2]))
            Boat.metadata.create_all(engine)
            for kind in Boat, Ship:
                statements.clear()
                objects = [kind(name=str(n)) for n in range(900)]
                session.add_all(objects)
                session.flush()
                found = len(statements), {one.name: str(one.id) for one in objects}
                rows = session.execute(text(f"SELECT name, id::text FROM {kind.__tablename__}"))
                equal(f"{driver}: {kind.__name__}, with a sentinel column: one INSERT, and each object has the id of its row",
                      found, (1, {name: id for name, id in rows}))
            statements.clear()
            session.add_all(Message(body=str(n)) for n in range(20))
            session.flush()
            equal(f"{driver}: without one, each is one", len(statements), 20)
            by_time = select(Ship).where(Ship.id >= NOON)
            fails("operator does not exist: uuid >= timestamp with time zone", lambda: session.execute(by_time))
    engine.dispose()


# The type of a column changes.
class Person(Base):
    __tablename__ = "person"
    id = Column(Uuid, primary_key=True, server_default=text("gen_uuidv7()"))


with Session(engines[0]) as session:
    Person.__table__.create(session.connection())
    session.add(Person(id=UUID if not two else uuid.UUID(UUID)))
    session.flush()
    session.execute(text("ALTER TABLE person ALTER id TYPE ulid"))
    equal("a UUID column reads a ULID after the type has changed", session.scalars(select(Person.id)).all(), [IDS[1]])


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


for driver in ["asyncpg"] + ["psycopg"] * two:
    asyncio.run(over(driver))
