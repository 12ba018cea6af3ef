"""SQLAlchemy over psycopg2, and over psycopg 3 where it knows it (2.0)."""
import subprocess
import sys
import uuid

import sqlalchemy
from sqlalchemy import any_, bindparam, cast, delete, func, insert, inspect, literal, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session

from tap import HOUR, IDS, MILLISECOND, MIXED, NOON, done, equal, fails, stored

from message_sqlalchemy import Base, Message, add, between, engine, find, page_after
from ulid_sqlalchemy import ULID
from uuid_or_ulid import to_ulid, to_uuid

print("# SQLAlchemy", sqlalchemy.__version__)
engines = [engine]
if sqlalchemy.__version__ >= "2":
    engines.append(sqlalchemy.create_engine("postgresql+psycopg://"))

for engine in engines:
    driver = engine.driver
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE message"))
    Base.metadata.create_all(engine)
    equal(f"{driver}: reflected, the columns are what they were", [str(column["type"]) if str(column["type"]) != "ARRAY" else
          str(column["type"].item_type) + "[]" for column in inspect(engine).get_columns("message")],
          ["ulid", "TEXT", "ulid", "ulid[]"])
    equal(f"{driver}: and so is the default", inspect(engine).get_columns("message")[0]["default"], "gen_ulid()")

    def refused(work):
        def function():
            with Session(engine) as session:
                return work(session)
        return function

    with Session(engine) as session:
        id = add(session, body="hello")
        equal(f"{driver}: the id comes back from the insert", (type(id), len(id)), (str, 26))
        session.expire_all()
        equal(f"{driver}: lookup by the id", session.get(Message, id).body, "hello")
        session.delete(session.get(Message, id))
        many = [Message(body="one"), Message(body="two")]
        session.add_all(many)
        session.flush()
        equal(f"{driver}: many at once", [len(message.id) for message in many], [26, 26])
        for message in many:
            session.delete(message)
        session.flush()
        rows = [Message(**row) for row in MIXED] + [Message(body=str(n)) for n in range(1500)]
        session.add_all(rows)
        session.flush()
        stored(f"{driver}: given and generated ids, of many rows", [(row.id, row.body) for row in rows],
               [tuple(row) for row in session.execute(text("SELECT id::text, body FROM message"))])
        session.execute(text("DELETE FROM message"))
        session.expunge_all()
        session.execute(insert(Message.__table__), MIXED)
        equal(f"{driver}: insert() of a list, as the page says", session.get(Message, IDS[0]), None)
        session.execute(text("DELETE FROM message"))
        session.add_all(Message(id=id, body="x", mentions=IDS) for id in IDS)
        session.commit()

        def ids(*conditions):
            return session.execute(select(Message.id).where(*conditions).order_by(Message.id)).scalars().all()

        equal(f"{driver}: out as they went in, and in order", ids(), IDS)
        equal(f"{driver}: range by time", [message.id for message in between(session, NOON + HOUR, NOON + 2 * HOUR)], [IDS[1]])
        equal(f"{driver}: to the millisecond",
              [message.id for message in between(session, NOON + HOUR + MILLISECOND, NOON + 2 * HOUR + MILLISECOND)], [IDS[2]])
        # Each of these was a TypeError with the type of the page before.
        equal(f"{driver}: desc()", session.execute(select(Message.id).order_by(Message.id.desc())).scalars().all(), IDS[::-1])
        equal(f"{driver}: asc()", session.execute(select(Message.id).order_by(Message.id.asc())).scalars().all(), IDS)
        equal(f"{driver}: nulls_last()", session.execute(select(Message.id).order_by(Message.id.desc().nulls_last())).scalars().all(),
              IDS[::-1])
        equal(f"{driver}: between() times", ids(Message.id.between(NOON + HOUR, NOON + 2 * HOUR)), IDS[1:])
        equal(f"{driver}: between() ids", ids(Message.id.between(IDS[0], IDS[1])), IDS[:2])
        equal(f"{driver}: a time on the left", ids(NOON + HOUR <= Message.id), IDS[1:])
        equal(f"{driver}: not between", ids(~Message.id.between(NOON, NOON + HOUR)), IDS[2:])
        equal(f"{driver}: any of many", ids(Message.id.in_([IDS[0], IDS[2]])), [IDS[0], IDS[2]])
        equal(f"{driver}: none of many", ids(Message.id.not_in([IDS[0], IDS[2]])), [IDS[1]])
        equal(f"{driver}: is and is not null", (ids(Message.id.is_(None)), ids(Message.id.is_not(None))), ([], IDS))
        equal(f"{driver}: min and max", session.execute(select(func.min(Message.id), func.max(Message.id))).one(),
              (IDS[0], IDS[2]))
        equal(f"{driver}: distinct", session.execute(select(Message.id.distinct()).order_by(Message.id)).scalars().all(), IDS)
        equal(f"{driver}: label", session.execute(select(Message.id.label("key")).order_by("key")).scalars().all(), IDS)
        equal(f"{driver}: a parameter of the type", session.execute(
            select(Message.body).where(Message.id == bindparam("id")), {"id": IDS[0]}).scalar(), "x")
        # What an array column gave was a list of characters.
        session.expire_all()
        message = session.get(Message, IDS[0])
        equal(f"{driver}: an array column, there and back", message.mentions, IDS)
        equal(f"{driver}: a search in it", len(ids(Message.mentions.contains([IDS[2]]))), 3)
        equal(f"{driver}: null", message.answers, None)
        equal(f"{driver}: array_agg", session.execute(text("SELECT array_agg(id ORDER BY id) FROM message")).scalar(), IDS)
        # The ORM compared its objects' ids with the time in Python: a TypeError, once it held one.
        session.execute(update(Message).where(Message.id == IDS[0].lower()).values(body="lower case"))
        equal(f"{driver}: update() in lower case, as the page says", message.body, "x")
        session.refresh(message)
        equal(f"{driver}: what it changed", message.body, "lower case")
        session.execute(update(Message).where(Message.id == to_uuid(IDS[0])).values(body="of a UUID"))
        equal(f"{driver}: update() with a uuid.UUID, as the page says", message.body, "lower case")
        session.execute(update(Message).where(Message.id == IDS[0]).values(body="lower case"))
        lower = Message(id="01hwt78yr004hmasw9nf6yy0r4")
        session.add(lower)
        session.flush()
        equal(f"{driver}: an object of an id in lower case, as the page says", session.get(Message, lower.id.upper()) is lower, False)
        session.delete(lower)
        own = Message(id=uuid.uuid4(), body="own")
        session.add(own)
        session.flush()
        equal(f"{driver}: an object of a uuid.UUID, as the page says", session.scalars(select(Message).where(Message.body == "own")).one() is own, False)
        session.delete(own)
        session.flush()
        own = Message(id=to_ulid(uuid.uuid4()), body="own")
        session.add(own)
        session.flush()
        equal(f"{driver}: and of the ULID of one", session.scalars(select(Message).where(Message.body == "own")).one() is own, True)
        session.delete(own)
        if sqlalchemy.__version__ < "2":
            fails('Could not evaluate current criteria in Python: "Cannot evaluate Cast"',
                  lambda: session.execute(delete(Message).where(Message.id < NOON + HOUR)))
        session.execute(delete(Message).where(Message.id < NOON + HOUR),
                        execution_options={"synchronize_session": "fetch"} if sqlalchemy.__version__ < "2" else {})
        equal(f"{driver}: delete() by time, with an object", (message in session, ids()), (False, IDS[1:]))
        session.rollback()
    fails('invalid input syntax for type ulid: "no ulid"',
          refused(lambda session: session.execute(select(Message).where(Message.id == "no ulid"))))
    fails("operator does not exist: ulid ~~", refused(lambda session: session.scalars(select(Message).where(Message.id.like("01HW%"))).all()))
    if driver == "psycopg2":
        fails("operator does not exist: ulid = text", refused(lambda session: session.scalars(select(Message).where(Message.id == any_([IDS[0]]))).all()))
    with Session(engine) as session:
        equal(f"{driver}: a prefix", session.scalars(select(Message.id).where(Message.id.op("^@")(IDS[0][:8]))).all(), IDS[:1])
        equal(f"{driver}: any_ of a list with its type", session.scalars(select(Message.id).where(Message.id == any_(cast([IDS[0]], ARRAY(ULID))))).all(), IDS[:1])
        equal(f"{driver}: a page after a cursor", page_after(session, IDS[0], 1)[0].id, IDS[1])
        equal(f"{driver}: found or not", [getattr(find(session, id), "id", None) for id in (IDS[0].lower(), IDS[0].replace("0", "o").replace("1", "l"),
                                                                                         "no ulid", "U" * 26, "Z" * 26, 5, IDS[0][:-1] + "9")],
              [IDS[0]] * 2 + [None] * 5)
    fails('operator does not exist: ulid = timestamp with time zone',
          refused(lambda session: session.execute(select(Message).where(Message.id == NOON))))
    engine.dispose()

# Mapped as String, psycopg 3 sends a varchar.
if len(engines) > 1:
    with Session(engines[1]) as session:
        fails("operator does not exist: ulid = character varying", lambda: session.execute(
            select(Message.body).where(sqlalchemy.cast(Message.id, ULID) == literal(IDS[0], sqlalchemy.String))))

# A program that has not imported the type.
reflect = """
import warnings, sqlalchemy
warnings.simplefilter("error")
sqlalchemy.inspect(sqlalchemy.create_engine("postgresql+psycopg2://")).get_columns("message")
"""
output = subprocess.run([sys.executable, "-c", reflect], capture_output=True, text=True).stderr
fails("Did not recognize type 'ulid' of column 'id'", lambda: exec("raise Exception(output)"))

# In a move, a program whose ids are strings.
strings = '''
import uuid_or_ulid_sqlalchemy
from sqlalchemy import ARRAY, Column, MetaData, Table, create_engine, select
from sqlalchemy.dialects.postgresql import UUID
create_engine("sqlite://").connect().close()  # another database
import psycopg2
class Own(psycopg2.extensions.connection):
    pass
class Proxy:  # as an agent wraps it
    __class__ = Own
from ulid_sqlalchemy import driver_of
assert driver_of(Proxy()) == "psycopg2.extensions"
engine = create_engine("postgresql+psycopg2://", future=True, connect_args=dict(connection_factory=Own))
table = Table("strings", MetaData(), Column("id", UUID(as_uuid=False)), Column("ids", ARRAY(UUID(as_uuid=False))))
key = "018f343d-8c80-0123-4567-89abcdef0202"
table.create(engine)
for type in "uuid", "ulid", "uuid":
    with engine.begin() as connection:
        connection.exec_driver_sql(f"ALTER TABLE strings ALTER id TYPE {type}, ALTER ids TYPE {type}[]")
        connection.execute(table.insert().values(id=key, ids=[key]))
        print(connection.execute(select(table).where(table.c.id == key)).all() == [(key, [key])])
        connection.execute(table.delete())
table.drop(engine)
'''
equal("strings, in a move", subprocess.run([sys.executable, "-W", "ignore", "-c", strings], capture_output=True, text=True).stdout, "True\n" * 3)
done()
