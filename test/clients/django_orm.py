"""Django: a field, a migration that makemigrations writes, and queries."""
import datetime
import pathlib
import sys

import django
from django.apps import AppConfig
from django.conf import settings
from django.core.management import call_command

import tap

settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.postgresql",
                           "NAME": __import__("os").environ["PGDATABASE"],
                           "HOST": __import__("os").environ["PGHOST"],
                           "USER": __import__("os").environ["PGUSER"]}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=["chat"],
    USE_TZ=True,
)
# An application, as `manage.py startapp` would make it.
app = pathlib.Path("chat")
(app / "migrations").mkdir(parents=True)
(app / "migrations" / "__init__.py").touch()
(app / "__init__.py").touch()
(app / "models.py").write_text(pathlib.Path("django_models.py").read_text())
sys.path.insert(0, "")
django.setup()

from django.db import DataError, connection, transaction

from chat.models import Message

NOON = datetime.datetime(2024, 5, 1, 12, tzinfo=datetime.timezone.utc)
HOUR = datetime.timedelta(hours=1)
IDS = ["01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"]

call_command("makemigrations", "chat", verbosity=0)
tap.equal("a migration was written", (app / "migrations" / "0001_initial.py").exists(), True)
call_command("migrate", verbosity=0)
with connection.cursor() as cursor:
    cursor.execute("SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
                   " WHERE attrelid = 'chat_message'::regclass AND attname = 'id'")
    tap.equal("the table migrated to has a ulid", cursor.fetchall(), [("ulid",)])

message = Message.objects.create(body="hello")
tap.equal("the id comes back from the insert", (type(message.id), len(message.id)), (str, 26))
tap.equal("lookup by the id", Message.objects.get(id=message.id).body, "hello")
message.body = "changed"
message.save()
tap.equal("saved again, it is the same row", [row.body for row in Message.objects.all()], ["changed"])
message.delete()

for id in IDS:
    Message.objects.create(id=id, body="x")
tap.equal("out as they went in, and in order",
          list(Message.objects.order_by("id").values_list("id", flat=True)), IDS)
# snippet: range
messages = Message.objects.filter(id__gte=NOON + HOUR, id__lt=NOON + 2 * HOUR)
# end
tap.equal("range by time", [message.id for message in messages], [IDS[1]])
tap.equal("any of many", list(Message.objects.filter(id__in=[IDS[0], IDS[2]]).order_by("id")
                              .values_list("id", flat=True)), [IDS[0], IDS[2]])


def bad():
    with transaction.atomic():
        Message.objects.filter(id="no ulid").exists()


tap.raises("a bad text is refused", DataError, bad)
tap.done()
