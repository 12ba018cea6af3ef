"""Peewee."""
import peewee
from playhouse.reflection import generate_models

from tap import HOUR, IDS, MILLISECOND, MIXED, NOON, PAGES, done, equal, fails

from message_peewee import Message, add, between, database, page_after

print("# Peewee", peewee.__version__)
database.execute_sql("DROP TABLE message")
database.create_tables([Message])
equal("the columns made", database.execute_sql(
    "SELECT array_agg(format_type(atttypid, atttypmod)::text ORDER BY attnum) FROM pg_attribute"
    " WHERE attrelid = 'message'::regclass AND attnum > 0").fetchone()[0], ["ulid", "text", "ulid", "ulid[]"])
id = add(body="hello")
equal("the id comes back from the insert", (type(id), len(id)), (str, 26))
equal("lookup by the id", Message.get_by_id(id).body, "hello")
message = Message.create(body="created")
equal("create", Message.get(Message.body == "created").id == message.id, True)
lost = Message(body="lost")
lost.save()
equal("save without a key inserts", Message.select().where(Message.body == "lost").count(), 1)
equal("and knows its key", len(lost.id), 26)
Message(id=IDS[0], body="given").save()
equal("save with a key updates, as a page says", Message.select().where(Message.id == IDS[0]).count(), 0)
Message(id=IDS[0], body="given").save(force_insert=True)
equal("unless it is told to insert", Message.select().where(Message.id == IDS[0]).count(), 1)
Message.delete().execute()
made = Message.insert_many([{"body": "a"}, {"body": "b"}]).returning(Message.id, Message.body).tuples().execute()
equal("many at once", sorted(made), sorted(Message.select(Message.id, Message.body).tuples()))
Message.delete().execute()
Message.insert_many(MIXED).execute()
equal("an id in a later row alone, as the page says", Message.select().where(Message.id == IDS[0]).count(), 0)
Message.delete().execute()
fails('null value in column "id" of relation "message" violates not-null constraint', lambda: Message.bulk_create([Message(body="x")]))
database.rollback()
Message.insert_many([{"id": id, "body": "x", "mentions": IDS} for id in IDS]).execute()
equal("range by time", [message.id for message in between(NOON + HOUR, NOON + 2 * HOUR)], [IDS[1]])
equal("to the millisecond",
      [message.id for message in between(NOON + HOUR + MILLISECOND, NOON + 2 * HOUR + MILLISECOND)], [IDS[2]])
equal("a page after a cursor", [message.id for message in page_after(IDS[0], 1)], [IDS[1]])
equal("any of many", [m.id for m in Message.select().where(Message.id.in_([IDS[0], IDS[2]])).order_by(Message.id.desc())],
      [IDS[2], IDS[0]])
first = Message.get_by_id(IDS[0])
equal("an array column, and null", (first.mentions, first.answers), (IDS, None))
first.answers = Message.get_by_id(IDS[1])
first.save()
equal("a reference", Message.get_by_id(IDS[0]).answers.body, "x")
inspected = type(generate_models(database, table_names=["message"])["message"].id).__name__
equal("introspection, as the page says", (inspected, f"`{inspected}`" in PAGES), ("BareField", True))
fails('invalid input syntax for type ulid: "no ulid"', lambda: Message.get_by_id("no ulid"))
done()
