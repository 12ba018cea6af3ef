"""Django: the fields, the migrations that makemigrations writes, and queries."""
import io
import os
import pathlib
import shutil
import sys

import django
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.color import no_style

from tap import HOUR, IDS, MILLISECOND, MIXED, NOON, PAGES, done, equal, fails, stored

settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"],
                           "HOST": os.environ["PGHOST"], "USER": os.environ["PGUSER"]}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=["chat"],
    USE_TZ=True,
)
# An application, as `manage.py startapp` would make it, with the models of the page.
app = pathlib.Path("chat")
(app / "migrations").mkdir(parents=True)
(app / "migrations" / "__init__.py").touch()
(app / "__init__.py").touch()
(app / "models.py").write_text(pathlib.Path("django_models.py").read_text() + '''

class Room(models.Model):
    name = models.TextField()
''')
sys.path.insert(0, "")
django.setup()
print("# Django", django.__version__)

from django.db import connection, models, transaction
from django.db.models.functions import Cast, Coalesce, TruncDay

from chat.models import Message, Room
from ulid_django import AutoUlidField, GenUlid, UlidField


def sql(query, *parameters):
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return cursor.fetchall() if cursor.description else None


def refused(work):
    def function():
        with transaction.atomic():
            return work()
    return function


def invalid(function):
    try:
        function()
    except ValidationError:
        return True
    return False


# The operation that the page names creates the extension, and the connection knows its arrays at once.
sql("DROP TABLE message")
sql("DROP EXTENSION ulid")
(app / "migrations" / "0001_extension.py").write_text(pathlib.Path("django_extension.py").read_text())
call_command("migrate", verbosity=0)
equal("the migration creates the extension", sql("SELECT count(*) FROM pg_extension WHERE extname = 'ulid'"), [(1,)])
call_command("makemigrations", "chat", verbosity=0, interactive=False)
call_command("migrate", verbosity=0)
equal("the table migrated to has a ulid with its default",
      sql("SELECT format_type(atttypid, atttypmod), pg_get_expr(adbin, adrelid) FROM pg_attribute"
          " JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)"
          " WHERE attrelid = 'chat_message'::regclass AND attname = 'id'"), [("ulid", "gen_ulid()")])
equal("and the references to it, and arrays, are ulid too",
      sql("SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'chat_message'::regclass"
          " AND attname IN ('mentions', 'answers_id', 'read') ORDER BY attname"), [("ulid",), ("ulid[]",), ("ulid",)])
try:
    call_command("makemigrations", "chat", check=True, dry_run=True, verbosity=0)
    equal("makemigrations finds nothing more to do", True, True)
except SystemExit:
    equal("makemigrations finds nothing more to do", False, True)

message = Message.objects.create(body="hello")
equal("the id comes back from the insert", (type(message.id), len(message.id)), (str, 26))
equal("lookup by the id", Message.objects.get(id=message.id).body, "hello")
message.body = "changed"
message.save()
equal("saved again, it is the same row", [row.body for row in Message.objects.all()], ["changed"])
message.delete()

# What bulk_create made was the text "GenUlid()" as a key.
messages = Message.objects.bulk_create([Message(body="one"), Message(body="two")])
equal("bulk_create: the ids come back", [(type(message.id), len(message.id)) for message in messages], [(str, 26)] * 2)
messages[0].body = "changed"
messages[0].save()
equal("bulk_create, then save: the same rows", sorted(Message.objects.values_list("body", flat=True)), ["changed", "two"])
answer = Message.objects.create(body="answer", answers=messages[0])
equal("bulk_create, then a child", list(messages[0].answered_by.all()), [answer])
equal("bulk_create, then delete", messages[1].delete(), (1, {"chat.Message": 1}))
Message.objects.all().delete()
equal("bulk_create of given and generated ids",
      [message.id == IDS[0] for message in Message.objects.bulk_create([Message(id=IDS[0], body="x"), Message(body="x")])],
      [True, False])
Message.objects.all().delete()
rows = Message.objects.bulk_create([Message(**row) for row in MIXED] + [Message(body=str(n)) for n in range(1500)])
stored("bulk_create: the ids are those of their rows", [(row.id, row.body) for row in rows],
       list(Message.objects.values_list("id", "body")))
[again] = Message.objects.bulk_create([Message(body="again")], ignore_conflicts=True)
again.save()
equal("bulk_create, ignoring conflicts, then save: as the page says", Message.objects.filter(body="again").count(), 2)
child = Message.objects.create(body="child", answers_id=IDS[0].lower())
models.prefetch_related_objects([child], "answers")
equal("a reference in lower case, prefetched, as the page says", child.answers, None)
equal("bulk_create, ignoring conflicts", [m.body for m in Message.objects.bulk_create(
    [Message(id=IDS[0], body="y")], ignore_conflicts=True)], ["y"])
sql("INSERT INTO chat_message (body, mentions) VALUES ('raw', '{}')")
equal("an insert that does not come through Django", Message.objects.filter(body="raw").count(), 1)
Message.objects.all().delete()

for id in IDS:
    Message.objects.create(id=id, body="x")
equal("out as they went in, and in order", list(Message.objects.order_by("id").values_list("id", flat=True)), IDS)
equal("range by time", [message.id for message in Message.between(NOON + HOUR, NOON + 2 * HOUR)], [IDS[1]])
equal("to the millisecond",
      [message.id for message in Message.between(NOON + HOUR + MILLISECOND, NOON + 2 * HOUR + MILLISECOND)], [IDS[2]])
equal("any of many", list(Message.objects.filter(id__in=[IDS[0], IDS[2]]).order_by("id").values_list("id", flat=True)),
      [IDS[0], IDS[2]])
first = Message.objects.get(id=IDS[0])
first.mentions, first.answers_id = IDS, IDS[1]
first.save()
first.refresh_from_db()
equal("an array column, there and back", first.mentions, IDS)
equal("a search in it", [m.id for m in Message.objects.filter(mentions__contains=[IDS[2]])], [IDS[0]])
equal("null", first.read, None)
equal("a reference, prefetched", [m.answers and m.answers.id for m in
      Message.objects.order_by("id").prefetch_related("answers")], [IDS[1], None, None])
lower = Message.objects.create(id="0lhwt78yr004hmasw9nf6yy0r4", body="lower case")
equal("any spelling of an id becomes the server's", lower.id, "01HWT78YR004HMASW9NF6YY0R4")
equal("in_bulk", list(Message.objects.in_bulk([IDS[0]])), [IDS[0]])
first.body = "updated"
Message.objects.bulk_update([first], ["body"])
equal("bulk_update", Message.objects.get(id=IDS[0]).body, "updated")
equal("update_or_create", Message.objects.update_or_create(id=IDS[0], defaults={"body": "again"})[1], False)

equal("any spelling, before it is saved", (Message(id=IDS[0].lower()) == first, Message(read=IDS[0].lower()).read), (True, IDS[0]))
for lookup in {"id": "no ulid"}, {"id__in": ["no ulid"]}, {"answers": ""}, {"mentions": ["no ulid"]}:
    equal(f"no query of {lookup}", invalid(lambda: Message.objects.filter(**lookup).exists()), True)
equal("a part of an id", Message.objects.filter(id__startswith=IDS[0][:10]).count(), 1)
fails("no ULID: 'no ulid'", lambda: Message.objects.filter(id="no ulid"))
time = Cast("id", models.DateTimeField())
timed = Message.objects.annotate(time=time, day=TruncDay(time)).get(pk=IDS[0])
equal("the time of an id", (timed.time, timed.day.day), (NOON, 1))
fails("Unsupported lookup 'date' for AutoUlidField", lambda: Message.objects.filter(id__date=NOON))
fails("'id' isn't a DateField, TimeField, or DateTimeField.", lambda: list(Message.objects.annotate(day=TruncDay("id"))))
fails("Expression contains mixed types: UlidField, AutoUlidField", lambda: list(Message.objects.annotate(any=Coalesce("read", "id"))))
equal("with its type", Message.objects.annotate(any=Coalesce("read", "id", output_field=UlidField())).get(pk=IDS[0]).any, IDS[0])
if connection.Database.__name__ == "psycopg2":
    fails("operator does not exist: ulid = text", refused(lambda: sql("SELECT FROM chat_message WHERE id = ANY(%s)", IDS)))
equal("an array in lower case, as the page says", Message(mentions=[IDS[0].lower()]).mentions, [IDS[0].lower()])

# A form gave an empty text to the server, and asked for the key.
Form = forms.modelform_factory(Message, fields="__all__")
equal("a form has no field for what the server fills", list(Form().fields), ["body", "mentions", "answers", "read"])
form = Form({"body": "form", "mentions": ",".join(IDS), "answers": IDS[0].lower(), "read": IDS[1].lower()})
equal("a form, saved", (form.is_valid() and form.save().mentions, form.instance.answers_id, form.instance.read), (IDS, IDS[0], IDS[1]))
again = Form({"body": "form", "mentions": ",".join(IDS), "answers": IDS[0], "read": IDS[1].lower()}, instance=form.instance)
equal("a form with the same ids changes nothing", (again.is_valid(), set(again.changed_data) - {"mentions"},  # whose default is a function, so that Django looks for what the page had
                                                     again.cleaned_data["read"]), (True, set(), IDS[1]))
form = Form({"body": "empty", "mentions": IDS[0], "answers": "", "read": ""})
form.fields["read"].required = form.fields["answers"].required = False
equal("a form's empty field is null", form.is_valid() and form.save().read, None)
form = Form({"body": "wrong", "mentions": "no ulid", "answers": "no ulid", "read": "no ulid"})
equal("a form says what is no ULID", sorted(form.errors), ["answers", "mentions", "read"])


class Expression(models.Model):
    id = AutoUlidField(primary_key=True)
    code = UlidField(default=GenUlid)

    class Meta:
        app_label = "chat"


with connection.schema_editor() as editor:
    editor.create_model(Expression)
expression = Expression.objects.create()
code = Expression.objects.get().code
expression.save()
equal("default=GenUlid: another id at each save, as the page says", Expression.objects.get().code == code, False)
with connection.schema_editor() as editor:
    editor.delete_model(Expression)

# A column added to a table that has rows.
Room.objects.bulk_create([Room(name="one"), Room(name="two")])
(app / "models.py").write_text((app / "models.py").read_text() + "    code = AutoUlidField(unique=True)\n")
equal("makemigrations asks for no value", os.spawnle(os.P_WAIT, sys.executable, sys.executable, "manage.py", "makemigrations",
      "chat", "--noinput", "-v0", os.environ) if pathlib.Path("manage.py").write_text(f"""
import sys
from django.conf import settings
from django.core.management import execute_from_command_line
settings.configure(DATABASES={settings.DATABASES!r}, INSTALLED_APPS=["chat"], USE_TZ=True,
                   DEFAULT_AUTO_FIELD="django.db.models.BigAutoField")
execute_from_command_line(sys.argv)
""") else None, 0)
connection.close()
equal("a field added to a filled table", os.spawnle(os.P_WAIT, sys.executable, sys.executable, "manage.py", "migrate", "-v0",
      os.environ), 0)
equal("each row got an id of its own", sql("SELECT count(DISTINCT code) FROM chat_room"), [(2,)])

# A UUIDField and a CharField altered to a UlidField.
class Old(models.Model):
    id = models.UUIDField(primary_key=True)
    text = models.CharField(max_length=26)

    class Meta:
        app_label = "chat"


with connection.schema_editor() as editor:
    editor.create_model(Old)
Old.objects.create(id="018f3474-7b00-0123-4567-89abcdef0303", text=IDS[0])
with connection.schema_editor() as editor:
    for name in "id", "text":
        field = UlidField(primary_key=name == "id")
        field.set_attributes_from_name(name)
        field.model = Old
        editor.alter_field(Old, Old._meta.get_field(name), field)
equal("altered from a UUIDField and a CharField", sql("SELECT id, text, pg_typeof(id)::text, pg_typeof(text)::text FROM chat_old"),
      [(IDS[2], IDS[0], "ulid", "ulid")])

inspected = io.StringIO()
call_command("inspectdb", "chat_message", stdout=inspected)
equal("inspectdb guesses TextField", "id = models.TextField(primary_key=True)  # This field type is a guess." in inspected.getvalue(),
      True)
equal("as the page says", "This field type is a guess." in PAGES, True)


class DerivedField(AutoUlidField, models.AutoField):
    pass


class Derived(models.Model):
    id = DerivedField(primary_key=True)

    class Meta:
        app_label = "chat"
        db_table = "chat_message"


fails("COALESCE types ulid and integer cannot be matched", refused(
    lambda: [sql(statement) for statement in connection.ops.sequence_reset_sql(no_style(), [Derived])]))
fails('syntax error at or near "DEFAULT"', refused(lambda: sql(
    "ALTER TABLE chat_room ALTER name TYPE " + Message._meta.pk.db_type(connection))))
done()
