"""SQLAlchemy."""
import datetime

import sqlalchemy.exc
from sqlalchemy import create_engine, select
from sqlalchemy.orm import Session, declarative_base

import tap

# snippet: type
from sqlalchemy import Column, Text, text
from sqlalchemy.types import UserDefinedType


class ULID(UserDefinedType):
    cache_ok = True

    def get_col_spec(self, **kwargs):
        return "ulid"

    # So that `id >= a_datetime` compares with a time.
    class comparator_factory(UserDefinedType.Comparator):
        def operate(self, operator, other, **kwargs):
            if isinstance(other, datetime.datetime):
                other = sqlalchemy.literal(other, sqlalchemy.TIMESTAMP(timezone=True))
            return super().operate(operator, other, **kwargs)


Base = declarative_base()


class Message(Base):
    __tablename__ = "message"
    id = Column(ULID, primary_key=True, server_default=text("gen_ulid()"))
    body = Column(Text)
# end

NOON = datetime.datetime(2024, 5, 1, 12, tzinfo=datetime.timezone.utc)
HOUR = datetime.timedelta(hours=1)
IDS = ["01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"]

engine = create_engine("postgresql+psycopg2://", future=True)
Base.metadata.create_all(engine)
with engine.connect() as connection:
    tap.equal("the table made has a ulid, with its default",
              connection.execute(text("SELECT format_type(atttypid, atttypmod), pg_get_expr(adbin, adrelid)"
                                      " FROM pg_attribute JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)"
                                      " WHERE attrelid = 'message'::regclass")).all(),
              [("ulid", "gen_ulid()")])

with Session(engine) as session:
    message = Message(body="hello")
    session.add(message)
    session.flush()  # inserts, and reads the id back by RETURNING
    tap.equal("the id comes back from the insert", (type(message.id), len(message.id)), (str, 26))
    session.expire_all()
    tap.equal("lookup by the id", session.get(Message, message.id).body, "hello")
    session.delete(message)
    session.add_all(Message(id=id, body="x") for id in IDS)
    session.commit()
    tap.equal("out as they went in, and in order",
              session.execute(select(Message.id).order_by(Message.id)).scalars().all(), IDS)
    # snippet: range
    messages = session.execute(
        select(Message).where(Message.id >= NOON + HOUR, Message.id < NOON + 2 * HOUR)).scalars().all()
    # end
    tap.equal("range by time", [message.id for message in messages], [IDS[1]])
    tap.equal("any of many", session.execute(
        select(Message.id).where(Message.id.in_([IDS[0], IDS[2]])).order_by(Message.id)).scalars().all(),
        [IDS[0], IDS[2]])
    tap.raises("a bad text is refused", sqlalchemy.exc.DataError,
               lambda: session.execute(select(Message).where(Message.id == "no ulid")))
tap.done()
