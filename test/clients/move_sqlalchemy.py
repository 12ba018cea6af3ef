"""SQLAlchemy, through the move: see move.pl."""
import asyncio
import itertools

import sqlalchemy
from sqlalchemy import Column, ForeignKey, Text, create_engine, inspect, text, update
from sqlalchemy.dialects.postgresql import ARRAY, UUID
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.orm import Session, declarative_base, relationship

from moving import MODE, rounds, same
from ulid_sqlalchemy import ULID

if MODE == "both":
    from uuid_or_ulid_sqlalchemy import UuidOrUlid as ID
else:
    ID = ULID if MODE == "ulid" else UUID(as_uuid=True)
Base = declarative_base()


class Customer(Base):
    __tablename__ = "customers"
    id = Column(ID, primary_key=True, server_default=text("gen_random_uuid()"))
    name = Column(Text)
    orders = relationship("Order")


class Order(Base):
    __tablename__ = "orders"
    id = Column(ID, primary_key=True, server_default=text("gen_random_uuid()"))
    customer_id = Column(ID, ForeignKey("customers.id"))
    record_type = Column(Text)
    record_id = Column(ID)
    others = Column(ARRAY(ID))


# One driver after the other; psycopg from SQLAlchemy 2 on.
run = asyncio.new_event_loop().run_until_complete
engines = [create_engine(f"postgresql+{driver}://", future=True) for driver in ["psycopg2"] + ["psycopg"] * (sqlalchemy.__version__ >= "2")]
engines.append(create_async_engine("postgresql+asyncpg://?prepared_statement_cache_size=0"))
if sqlalchemy.__version__ >= "2":
    engines.append(create_async_engine("postgresql+psycopg://"))
engines = itertools.cycle(engines + engines[:1])  # so that each call of a round is made by all


def within(work):
    engine = next(engines)
    if not isinstance(engine, AsyncEngine):
        with Session(engine, future=True) as session, session.begin():
            return work(session)

    async def waited():
        async with AsyncSession(engine) as session, session.begin():
            return await session.run_sync(work)
    return run(waited())


class Client:
    @staticmethod
    def add_customer(name):
        def work(session):
            customer = Customer(name=name)
            session.add(customer)
            session.flush()
            return customer.id
        return within(work)

    @staticmethod
    def add_order(customer_id, record_type, record_id, others):
        within(lambda session: session.add(
            Order(customer_id=customer_id, record_type=record_type, record_id=record_id, others=others)))

    @staticmethod
    def rename(id, name):
        return within(lambda session: session.execute(update(Customer).where(Customer.id == id).values(name=name)).rowcount)

    @staticmethod
    def customer(id):
        def work(session):
            customer = session.get(Customer, id)
            # What has no type of SQLAlchemy's, and what a reflection finds.
            same(session.execute(text("SELECT id FROM customers WHERE name = :name"), {"name": customer.name}).scalar(), customer.id)
            [column] = [column for column in inspect(session.connection()).get_columns("customers") if column["name"] == "id"]
            same(type(column["type"]), ULID if MODE == "ulid" else UUID)
            return customer.id, customer.name
        return within(work)

    @staticmethod
    def orders_of(id):
        return within(lambda session: [(order.customer_id, order.record_type, order.record_id, order.others)
                                       for order in session.get(Customer, id).orders])


rounds(Client)
