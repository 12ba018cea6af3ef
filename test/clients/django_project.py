"""Django and REST framework, in a project that django-admin makes. doc/clients/django.md quotes FILES."""
import datetime
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import uuid
import warnings

from tap import HOUR, IDS, NOON, ULID, UUID, equal, error_of, fails, reads

FILES = {
    "chat/models.py": '''
# doc/clients/django.md: class Message
''',
    "chat/urls.py": '''
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import include, path

# doc/clients/django.md: import ulid_django
urlpatterns.append(path("api/", include("chat.api")))
urlpatterns.append(path("me/", lambda request: HttpResponse(request.user.pk)))
''',
    "chat/api.py": '''
from rest_framework import routers, serializers, viewsets

import ulid_rest_framework
from chat.models import Message

class MessageSerializer(serializers.ModelSerializer):
    class Meta:
        model = Message
        fields = ["id", "body", "mentions", "answers", "read"]

class MessageViewSet(viewsets.ModelViewSet):
    queryset = Message.objects.all()
    serializer_class = MessageSerializer

router = routers.DefaultRouter()
router.register("messages", MessageViewSet)
urlpatterns = router.urls
''',
    "chat/ninja_api.py": '''
# doc/clients/django.md: Ulid = Annotated

class MessageOut(ModelSchema):
    class Meta:
        model = Message
        fields = ["id", "body", "mentions", "answers", "read"]

api = NinjaAPI()

@api.get("/messages/{pk}", response=MessageOut)
def message(request, pk: Ulid):
    return get_object_or_404(Message, pk=pk)
''',
    "chat/filters.py": '''
from django_filters import CharFilter, FilterSet

from chat.models import Message
from ulid_django import UlidField

class MessageFilter(FilterSet):
    class Meta:
        model = Message
        fields = ["id", "answers"]
        # doc/clients/django.md: filter_overrides
''',
    "people/models.py": '''
from django.contrib.auth.models import AbstractUser
from ulid_django import GenUlid, UlidField

class User(AbstractUser):
    id = UlidField(primary_key=True, db_default=GenUlid(), editable=False)
''',
    "shop/models.py": '''
import uuid

from django.contrib.contenttypes.fields import GenericForeignKey, GenericRelation
from django.contrib.contenttypes.models import ContentType
from django.contrib.postgres.fields import ArrayField
from django.db import models
import ulid_django

from people.models import User

class Generic(models.Model):
    content_type = models.ForeignKey(ContentType, models.CASCADE)
    target = GenericForeignKey()
    class Meta:
        abstract = True

class Note(Generic):
    object_id = models.CharField(max_length=36)

class Tag(Generic):
    object_id = models.UUIDField()

class Product(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    notes = GenericRelation(Note)
    tags = GenericRelation(Tag)
    bought_with = ArrayField(models.UUIDField(), default=list)
    name = models.TextField(unique=True)
    parent = models.ForeignKey("self", models.CASCADE, null=True)
    similar = models.ManyToManyField("self")
    buyers = models.ManyToManyField(User)

class Book(Product):
    pages = models.IntegerField(default=1)

class Price(models.Model):
    product = models.OneToOneField(Product, models.CASCADE, primary_key=True)
    notes = GenericRelation(Note)
    price = models.IntegerField()
    seen = models.ForeignKey(Product, models.CASCADE, related_name="+", db_index=False)
''',
}

EXTENSION = """
    # doc/clients/django.md: operations = [
"""
ADMIN = """
    dependencies = [
        ("admin", "0001_initial"),
"""
RESPELL = """
        # doc/clients/django.md: ulid_django.respell
"""


def run(*command):
    """Exit status and output."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return result.returncode, result.stdout


def manage(*arguments):
    status, output = run(sys.executable, "manage.py", *arguments)
    equal(" ".join(arguments), output if status else 0, 0)


subprocess.run(["psql", "-X", "-q", "-c", "DROP TABLE message", "-c", "DROP EXTENSION ulid"], check=True)
os.environ["PYTHONPATH"] = os.getcwd()  # the adapters
shutil.rmtree("project", ignore_errors=True)  # of a run on another server
run(sys.executable, "-m", "django", "startproject", "project")
os.chdir("project")
for app in "chat", "people", "shop":
    manage("startapp", app)
with open("project/settings.py", "a") as settings:
    settings.write(f"""
INSTALLED_APPS += ["chat", "people", "shop", "rest_framework", "drf_spectacular", "django.contrib.postgres"]
REST_FRAMEWORK = {{"DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema"}}
AUTH_USER_MODEL = "people.User"
DATABASES = {{"default": {{"ENGINE": "django.db.backends.postgresql", "NAME": {os.environ["PGDATABASE"]!r},
                         "HOST": {os.environ["PGHOST"]!r}, "USER": {os.environ["PGUSER"]!r}}}}}
ALLOWED_HOSTS, ROOT_URLCONF = ["testserver"], "chat.urls"
TIME_ZONE = "Asia/Tokyo"
""")
for name, text in FILES.items():
    pathlib.Path(name).write_text(text.lstrip())
with open("chat/urls.py", "a") as urls:
    urls.write('from chat.ninja_api import api\n\nurlpatterns.append(path("ninja/", api.urls))\n')
manage("makemigrations")
initial = pathlib.Path("people/migrations/0001_initial.py")
initial.write_text(initial.read_text().replace("    operations = [\n", EXTENSION[1:]))
manage("migrate")
manage("makemigrations", "--check", "--dry-run")

sys.path.insert(0, "")
os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
import django

django.setup()
import rest_framework
from django import forms
from django.core.exceptions import ValidationError
from django.db import connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models.functions import Cast
from django.test import Client
from django.urls import resolve, reverse

import ulid_django
from chat.models import Message
from ulid_django import UlidField, UlidFormField, parse_ulid

print("# Django", django.__version__, "REST framework", rest_framework.VERSION)


def sql(query, *parameters):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return cursor.fetchall() if cursor.description else None


def ids(queryset):
    return list(queryset.order_by("id").values_list("id", flat=True))


# The table.
equal("the columns", sql("SELECT attname, format_type(atttypid, -1) FROM pg_attribute WHERE attnum > 0"
                         " AND attrelid = 'chat_message'::regclass AND atttypid <> 'text'::regtype ORDER BY 1"),
      [("answers_id", "ulid"), ("id", "ulid"), ("mentions", "ulid[]"), ("read", "ulid")])

# Inserts.
message = Message.objects.create(body="hello")
equal("the id comes back", (type(message.id), len(message.id)), (str, 26))
rows = Message.objects.bulk_create([Message(id=IDS[0], body="given")] + [Message(body=str(n)) for n in range(1500)])
if django.VERSION < (6,):
    equal("bulk_create returns no generated ids", [isinstance(row.id, str) for row in rows[:2]], [True, False])
else:
    equal("bulk_create returns each row's id", sorted((row.id, row.body) for row in rows),
          list(Message.objects.exclude(id=message.id).order_by("id").values_list("id", "body")))
Message.objects.all().delete()
[again] = Message.objects.bulk_create([Message(body="again")], ignore_conflicts=True)
equal("with ignore_conflicts no id comes back",
      (isinstance(again.id, str), Message.objects.all().delete()[0]), (False, 1))

# Queries.
Message.objects.bulk_create([Message(id=id.lower(), body=id, mentions=IDS[:2]) for id in IDS])
equal("a range of time", ids(Message.between(NOON + HOUR, NOON + 2 * HOUR)), [IDS[1]])
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    naive = datetime.datetime(2024, 5, 1, 22)  # in TIME_ZONE, 13:00 UTC
    equal("a naive datetime is in the current time zone", ids(Message.objects.filter(id__gte=naive)), IDS[1:])
    days = [datetime.date(2024, 5, day) for day in (1, 2)]
    equal("a date is its midnight there", [ids(Message.objects.filter(id__gte=day)) for day in days], [IDS, []])
equal("and Django warns of both", [str(warning.message)[:42] for warning in caught],
      ["DateTimeField Message.id received a naive "] * 3)
equal("a prefix", [ids(Message.objects.filter(id__prefix=prefix)) for prefix in (IDS[0][:8], IDS[0][:8].lower(), "nu")],
      [[IDS[0]], [IDS[0]], []])
by_index = Message.between(NOON, NOON + HOUR), Message.objects.filter(id__prefix=IDS[0][:8])
sql("SET enable_seqscan = off")
equal("both use the index", ["Index Cond" in queryset.explain() for queryset in by_index], [True, True])
equal("the time of an id", Message.objects.annotate(time=Cast("id", models.DateTimeField())).get(pk=IDS[0]).time, NOON)
first = Message.objects.get(id=IDS[0])
first.mentions, first.answers_id = IDS, IDS[1]
first.save()
first.refresh_from_db()
equal("an array and NULL", (first.mentions, first.read), (IDS, None))
first.answers_id = IDS[1].lower()
models.prefetch_related_objects([first], "answers")
equal("a reference in lower case is not prefetched", first.answers, None)

# Values.
forms_of_uuid = UUID, uuid.UUID(UUID), UUID.upper().replace("-", ""), f"{{{UUID}}}"
equal("UUIDs", [Message.objects.get(pk=form).id for form in forms_of_uuid], [IDS[1]] * 4)
equal("any spelling, before it is saved", (Message(id=UUID).id, Message(read=IDS[0].lower()).read), (IDS[1], IDS[0]))
for wrong in 5, True, {"a": 1}, [IDS[0]], b"x", 1.5, "nope", "8" + IDS[0][1:], "":
    works = (lambda: Message.objects.get(pk=wrong), lambda: Message(id=wrong, body="x").save(),
             lambda: list(Message.objects.filter(id__in=[wrong])))
    equal(f"a ValidationError: {wrong!r}", [isinstance(error_of(work), ValidationError) for work in works], [True] * 3)
fails("not a valid ULID: 'nope'", lambda: Message.objects.filter(id="nope"))
for store in Message(read=NOON).save, lambda: Message.objects.update(read=NOON):
    fails("not a valid ULID: datetime.datetime(2024, 5, 1, 12, 0", store)
fails("not an id", lambda: UlidField(error_messages={"invalid": "not an id"}).clean("nope", None))
equal("an object of python-ulid", Message.objects.get(pk=ULID.from_str(IDS[0])).id, IDS[0])
reads("a field", UlidField().to_python)
reads("a field of a form", UlidFormField(strip=False).clean)
reads("a path", lambda text: resolve(f"/messages/{text}/").kwargs["pk"])
fails("Unsupported lookup 'date' for UlidField", lambda: Message.objects.filter(id__date=NOON))

# Forms.
Form = forms.modelform_factory(Message, fields="__all__")
form = Form({"body": "form", "mentions": ",".join(IDS), "answers": IDS[0].lower(), "read": IDS[1].lower()})
saved = form.is_valid() and form.save()
equal("a form", saved and (saved.mentions, saved.answers_id, saved.read), (IDS, IDS[0], IDS[1]))
again = Form({**form.data, "answers": IDS[0]}, instance=form.instance)
equal("the same ids are no change", (again.is_valid(), "read" in again.changed_data), (True, False))
form = Form({"body": "empty", "mentions": IDS[0], "answers": "", "read": ""})
equal("an empty field is NULL", form.is_valid() and form.save().read, None)
form = Form({"body": "wrong", "mentions": "no", "answers": "no", "read": "no"})
equal("a form names what is wrong", sorted(form.errors), ["answers", "mentions", "read"])
equal("as a UUIDField does", forms.modelform_factory(Message, fields=["read"])({"read": "no"}).errors,
      {"read": ["Enter a valid ULID."]})
from django.contrib import admin
from django.test import RequestFactory

searches = type("Searches", (admin.ModelAdmin,), {"search_fields": ["id__exact", "body"]})(Message, admin.site)
found = [searches.get_search_results(RequestFactory().get("/"), Message.objects.all(), term)[0]
         for term in ("nope", IDS[0].lower())]
equal("the admin searches for what is not an id", [len(messages) for messages in found], [0, 1])
Message.objects.exclude(id__in=IDS).delete()

# An existing project.
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from people.models import User
from shop.models import Note, Price, Product, Tag

user = User.objects.create_user("buyer")
parent = Product.objects.create(name="parent")
child = Product.objects.create(name="child", parent=parent)
child.similar.add(parent)
child.buyers.add(user)
Note.objects.create(target=child)
Tag.objects.create(target=child)
content_type = ContentType.objects.get_for_model(Product)
LogEntry.objects.create(user=user, content_type=content_type, object_id=child.pk, action_flag=1)
Product.objects.filter(pk=child.pk).update(bought_with=[parent.pk])
Note.objects.create(target=Price.objects.create(product=child, price=5, seen=parent))


def shop():
    """The types and defaults of the columns with keys of products, and what joins of them find."""
    types = sql("""SELECT DISTINCT format_type(atttypid, -1) FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
        WHERE relname ^@ 'shop_' AND relkind = 'r' AND attname ~ '^id$|product|parent|seen'
            AND atttypid <> 'bigint'::regtype ORDER BY 1""")
    [[default]] = sql("""SELECT max(pg_get_expr(adbin, adrelid)) FROM pg_attrdef
        WHERE adrelid = 'shop_product'::regclass""")
    [[found]] = sql("""SELECT count(*) FROM shop_product p JOIN shop_product parent ON parent.id = p.parent_id
        JOIN shop_product_similar s ON s.from_product_id = p.id AND s.to_product_id = parent.id
        JOIN shop_product_buyers b ON b.product_id = p.id JOIN people_user u ON u.id = b.user_id
        JOIN shop_price r ON r.product_id = p.id AND r.seen_id = parent.id""")
    [[keys]] = sql("""SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND convalidated
        AND confrelid = 'shop_product'::regclass""")
    return [type for type, in types], default, found, keys


def shell(program):
    return run(sys.executable, "manage.py", "shell", "-c", "from shop.models import *; " + program)[1].splitlines()[-1]


# What relations by a content type and arrays find, and what deleting a product leaves behind.
GENERIC = """from django.contrib.admin.models import LogEntry
from django.db import transaction
p = Product.objects.get(name='child')
with transaction.atomic():
    found = [p.notes.count(), p.price.notes.count(), p.tags.count()]
    found += [Product.objects.filter(bought_with__contains=[p.parent_id]).get() == p]
    found += [entry.get_edited_object() == p for entry in LogEntry.objects.filter(object_id=p.pk)]
    found += [note.target.pk == p.pk for note in [*Note.objects.all(), *Tag.objects.prefetch_related('target')]]
    p.delete()
    print(found, Note.objects.count() + Tag.objects.count())
    transaction.set_rollback(True)
"""
cached = pickle.dumps(Product.objects.get(name="parent")).hex()
models_py = pathlib.Path("shop/models.py")
before = models_py.read_text()
UUIDV7 = 'models.UUIDField(primary_key=True, db_default=models.Func(function="gen_uuidv7"))'
fields = {UUIDV7: (["uuid"], "gen_uuidv7()", 1, 7),
          "ulid_django.UlidField(primary_key=True)": (["ulid"], None, 1, 7),
          "ulid_django.UlidField(primary_key=True, db_default=ulid_django.GenUlid())": (["ulid"], "gen_ulid()", 1, 7)}
states = [(["uuid"], None, 1, 7)]
equal("the project before", (shop(), shell(GENERIC)), (states[0], "[1, 1, 1, True, True, True, True, True] 0"))
for field, expected in fields.items():
    model = before.replace("models.UUIDField(primary_key=True, default=uuid.uuid4)", field)
    models_py.write_text(model.replace("models.UUIDField()", "ulid_django.UlidField()") if "Ulid" in field else model)
    manage("makemigrations", "shop")
    if field.endswith("UlidField(primary_key=True)"):  # the first migration to ulid
        path = max(pathlib.Path("shop/migrations").glob("0*.py"))
        text = path.read_text().replace("    operations = [\n", EXTENSION[1:])
        text = text.replace("    dependencies = [\n", ADMIN[1:])
        path.write_text(text.rstrip()[:-5] + f"{RESPELL}    ]\n")
    connection.close()
    manage("migrate", "shop")
    equal(field, (shop(), shell(GENERIC)), (expected, "[1, 1, 1, True, True, True, True, True] 0"))
    if field.endswith("UlidField(primary_key=True)"):  # this process and the cache are older
        old = Product.objects.get(name="child")
        fails("is not a valid UUID", old.save)
        kept = shell(f"import pickle; p = pickle.loads(bytes.fromhex('{cached}')); p.save();"
                     "print(Product.objects.count(), p == Product.objects.get(name='parent'))")
        equal("an object of the cache is saved to its row, and is not equal to that row's object", kept, "2 False")
    if "db_default" in field:
        made = shell("p = Product.objects.create(name='new'); print(Product.objects.get(pk=p.pk).pk); p.delete()")
        equal("create reads the id back", (len(made), "-7" in made), (36, True) if "UUID" in field else (26, False))
    states.append(expected)
manage("makemigrations", "--check", "--dry-run", "shop")
pathlib.Path("shop/tests.py").write_text("""from django.test import TestCase
from shop.models import Product

class ProductTest(TestCase):
    def test_a_fresh_database_has_the_tables(self):
        self.assertEqual(len(Product.objects.create(name="test").pk), 26)
""")
manage("test", "shop")
states_of_apps = MigrationExecutor(connection).loader.project_state().apps
operation = ulid_django.respell("shop.Produkt", "shop_note")
with connection.schema_editor() as editor:
    fails("LookupError", lambda: operation.code(states_of_apps, editor))
found = shell(f"k = '{child.pk}'; p = Product.objects.get(pk=k); print([p.name, p.pk == k])")
equal("a UUID finds its row, and is not equal to the key", found, "['child', False]")
sql("UPDATE shop_note SET object_id = object_id::ulid::uuid::text")
equal("a text that is not respelled loses its relation, and stays when the object is deleted", shell(GENERIC)[-1], "2")
sql("UPDATE shop_note SET object_id = object_id::ulid::text")
text = models_py.read_text()
models_py.write_text(text.replace("object_id = ulid_django.UlidField()", "object_id = models.UUIDField()"))
fails("is not a valid UUID", lambda: shell("Product.objects.get(name='child').tags.count()"))
for migration in 3, 2, 1:
    connection.close()
    manage("migrate", "shop", f"000{migration}")
    equal(f"back to {migration}", shop(), (*states[migration - 1][:3], 7))
fails("invalid input syntax for type uuid", lambda: shell("""p = Product.objects.get(name='child')
try: p.save()
except Exception as error: print(str(error).splitlines()[0])"""))
models_py.write_text(before)
for migration in pathlib.Path("shop/migrations").glob("000[234]*.py"):
    migration.unlink()
manage("makemigrations", "--check", "--dry-run", "shop")
equal("back at the first, nothing is lost", shell(GENERIC), "[1, 1, 1, True, True, True, True, True] 0")

# Views and REST framework.
client = Client(raise_request_exception=False)
equal("a view", [client.get(f"/messages/{form}/").status_code for form in (IDS[0], IDS[0].lower(), UUID)], [200] * 3)
equal("404", [client.get(f"/messages/{wrong}/").status_code for wrong in
              ("nope", "U" * 26, "Z" * 26, "7" * 25, "5", UUID[1:], IDS[0] + "0", IDS[1][:-1] + "4")], [404] * 8)
equal("a link", reverse("message", args=[IDS[0]]), f"/messages/{IDS[0]}/")


def post(**data):
    response = client.post("/api/messages/", data, content_type="application/json")
    return response.status_code, response.json() if response.status_code < 500 else None


status, made = post(body="hello", mentions=[IDS[0].lower(), UUID], answers=IDS[0].lower(), read=UUID)
equal("POST", (status, made and made["mentions"], made and made["answers"], made and made["read"]),
      (201, IDS[:2], IDS[0], IDS[1]))
equal("GET", client.get(f"/api/messages/{made['id']}/").json(), made)
for name in "answers", "read":
    for wrong in 5, True, {"a": 1}, "nope", "U" * 26:
        status, answer = post(**{"body": "x", "mentions": [IDS[0]], name: wrong})
        equal(f"400: {name} {wrong!r}", (status, list(answer or [])), (400, [name]))
equal("400: in an array", post(body="x", mentions=["nope", 5])[0], 400)
found = [client.get(f"/api/messages/{wrong}/").status_code for wrong in ("nope", "Z" * 26, "5")]
equal("404: a path", found, [404] * 3)
from chat.filters import MessageFilter

found = [MessageFilter({"id": id}, Message.objects.all()) for id in (IDS[0].lower(), UUID, "nope")]
equal("django-filter", [(filter_set.is_valid(), filter_set.is_valid() and len(filter_set.qs)) for filter_set in found],
      [(True, 1), (True, 1), (False, False)])
Message.objects.filter(pk=IDS[0]).update(answers=IDS[1])
found = client.get(f"/ninja/messages/{UUID}").json(), client.get(f"/ninja/messages/{IDS[0].lower()}").json()["answers"]
expected = {"id": IDS[1], "body": IDS[1], "mentions": IDS[:2], "answers": None, "read": None}
equal("django-ninja", found, (expected, IDS[1]))
found = [client.get(f"/ninja/messages/{wrong}").status_code for wrong in ("nope", "Z" * 26, "5")]
equal("422: a path", found, [422] * 3)
manage("spectacular", "--fail-on-warn", "--file", "schema.yml")

# Sessions contain the key of the user.
people = pathlib.Path("people/models.py")
with_ulid = people.read_text()
client.force_login(user)
equal("a user with a ulid", client.get("/me/").content.decode(), user.pk)


def me(session):
    """What a new process answers to the session."""
    return shell(f"""from django.test import Client; client = Client(raise_request_exception=False)
client.cookies['sessionid'] = '{session}'; answer = client.get('/me/')
print(answer.status_code, *answer.content.decode().split()[:1])""")


def move(models, *migrate):
    people.write_text(models)
    if not migrate:
        manage("makemigrations", "people", "--noinput")
    connection.close()
    manage("migrate", "people", *migrate)


session = client.cookies["sessionid"].value
move(with_ulid.replace("UlidField(", "models.UUIDField(").replace("GenUlid()", 'models.Func(function="gen_uuidv7")')
     .replace("from ulid", "from django.db import models\nfrom ulid"))
equal("after the way back to uuid, a session is an error until it is deleted", me(session)[:3], "500")
sql("DELETE FROM django_session")
equal("then it is nobody's", me(session), "200 None")
session, key = shell("""from django.test import Client; client = Client(); user = User.objects.get()
client.force_login(user); print(client.cookies['sessionid'].value, user.pk)""").split()
equal("a session of a user with a uuid", (me(session), parse_ulid(key)), (f"200 {key}", user.pk))
move(with_ulid, "0001")
equal("goes on with the ulid", me(session), f"200 {user.pk}")
