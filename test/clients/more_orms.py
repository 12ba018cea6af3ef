"""SQLModel with FastAPI, Peewee, Piccolo and Tortoise."""
import asyncio
import os
import warnings

import piccolo.columns
from fastapi import FastAPI, HTTPException
from peewee import SQL, Cast, Field, ForeignKeyField, Model, PostgresqlDatabase, TextField
from piccolo.columns.defaults.base import Default
from piccolo.engine.postgres import PostgresEngine
from piccolo.querystring import QueryString
from piccolo.table import Table
from sqlmodel import Session, create_engine, select
from tortoise import Tortoise, fields
from tortoise.fields.db_defaults import SqlDefault
from tortoise.models import Model as TortoiseModel

from tap import HOUR, IDS, NOON, UUID, equal, fails

warnings.simplefilter("ignore")  # of httpx
from fastapi.testclient import TestClient

# SQLModel and FastAPI.
# doc/clients/python.md: Ulid =


app = FastAPI()
engine = create_engine("postgresql+psycopg://")


@app.get("/messages/{id}")
def read(id: Ulid) -> Message:  # anything but a ULID or a UUID gets a 422
    with Session(engine) as session:
        if message := session.get(Message, id):
            return message
        raise HTTPException(404)


with Session(engine) as session:
    session.exec(text("DROP TABLE message"))
    SQLModel.metadata.create_all(session.connection())
    session.add_all(Message(id=id, body="x") for id in IDS)
    session.commit()
    message = Message(answers=IDS[0].lower())
    session.add(message)
    session.flush()
    session.refresh(message)
    equal("SQLModel: the id comes back, and a reference", (len(message.id), message.answers), (26, IDS[0]))
    session.rollback()
    lower = {"answers": IDS[0].lower()}
    equal("SQLModel spells what model_validate reads, and not what a table model is made with",
          [Message.model_validate(lower).answers, Message(**lower).answers], [IDS[0], IDS[0].lower()])
    equal("SQLModel: a range of time", session.exec(
        select(Message.id).where(Message.id >= NOON + HOUR, Message.id < NOON + 2 * HOUR)).all(), [IDS[1]])
client = TestClient(app)
equal("FastAPI", [client.get(f"/messages/{id}").json()["id"] for id in (IDS[1], IDS[1].lower(), UUID)], [IDS[1]] * 3)
equal("FastAPI: other ids", [client.get(f"/messages/{id}").status_code for id in ("nope", "8" + IDS[0][1:], "0" * 26)],
      [422, 422, 404])

# Peewee.
database = PostgresqlDatabase(os.environ["PGDATABASE"])


# doc/clients/python.md: class UlidField
    body = TextField(null=True)
    answers = ForeignKeyField("self", null=True)

    class Meta:
        database = database


database.create_tables([Letter])
letter = Letter.create(body="hello")
equal("Peewee: the id comes back",
      (type(letter.id), len(letter.id), Letter.get_by_id(letter.id).body), (str, 26, "hello"))
letter.delete_instance()
Letter.insert_many([{"id": id, "answers": IDS[0]} for id in IDS]).execute()
equal("Peewee: a reference", [letter.id for letter in Letter.get_by_id(IDS[0]).letter_set.order_by(Letter.id)], IDS)
begin, end = [Cast(time, "timestamptz") for time in (NOON + HOUR, NOON + 2 * HOUR)]
since = Letter.select().where(Letter.id >= begin, Letter.id < end)
equal("Peewee: a range of time", [letter.id for letter in since], [IDS[1]])


# Tortoise.
# doc/clients/python.md: class TortoiseUlid
    answers = fields.ForeignKeyField("models.Parcel", null=True)


async def tortoise():
    user, database, host, port = [os.environ[name] for name in ("PGUSER", "PGDATABASE", "PGHOST", "PGPORT")]
    url = f"asyncpg://{user}@/{database}?host={host}&port={port}"
    await Tortoise.init(db_url=url, modules={"models": ["__main__"]})
    await Tortoise.generate_schemas()
    parcel = await Parcel.create()
    equal("Tortoise: the id comes back", (type(parcel.id), len(parcel.id), await Parcel.all()), (str, 26, [parcel]))
    await Parcel.all().delete()
    await Parcel.bulk_create([Parcel(id=id) for id in IDS])
    await Parcel.filter(id=IDS[0]).update(answers_id=IDS[1])
    equal("Tortoise: a reference", (await Parcel.get(id=IDS[0]).prefetch_related("answers")).answers.id, IDS[1])
    since = await Parcel.raw("SELECT * FROM parcel WHERE id >= '2024-05-01 13:00Z'::timestamptz")
    equal("Tortoise: a time", len(since), 2)
    [error] = await asyncio.gather(Parcel.filter(id__gte=NOON), return_exceptions=True)
    fails("invalid input syntax for type ulid", lambda: error)
    await Tortoise.close_connections()


asyncio.run(tortoise())


# Piccolo.
# doc/clients/python.md: class GenUlid


class Crate(Table, db=PostgresEngine({"database": os.environ["PGDATABASE"]})):
    id = PiccoloUlid(primary_key=True)
    answers = piccolo.columns.ForeignKey("self", null=True)


async def crates():
    await Crate.create_table()
    crate = Crate()
    await crate.save()
    equal("Piccolo: the id comes back", (type(crate.id), len(crate.id)), (str, 26))
    await Crate.delete(force=True)
    await Crate.insert(*[Crate(id=id) for id in IDS])
    await Crate.update({Crate.answers: IDS[1]}).where(Crate.id == IDS[0])
    reference = await Crate.select(Crate.answers.id).where(Crate.id == IDS[0])
    equal("Piccolo: a reference", reference, [{"answers.id": IDS[1]}])
    time = QueryString("id >= {}::timestamptz", NOON + HOUR)
    since = await Crate.select(Crate.id).where(time).order_by(Crate.id)
    equal("Piccolo: a time", since, [{"id": id} for id in IDS[1:]])


asyncio.run(crates())
