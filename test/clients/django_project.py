"""A project as `django-admin startproject` makes it, by the page: the first hour, REST framework, and the move from uuid."""
import os
import pathlib
import subprocess
import sys
import uuid

from tap import FILES, HOUR, IDS, NOON, PAGES, done, equal, fails, restored

UUIDS = ["018f3406-9e00-0123-4567-89abcdef0101", "018f343d-8c80-0123-4567-89abcdef0202", "018f3474-7b00-0123-4567-89abcdef0303"]


def run(*command):
    """Exit status and output."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return result.returncode, result.stdout


def manage(*arguments):
    return run(sys.executable, "manage.py", *arguments)


def works(name, *arguments):
    status, output = manage(*arguments)
    equal(name, output if status else 0, 0)
    return output


run("django-admin", "startproject", "project")
os.chdir("project")
for app in "chat", "shop":
    works(f"startapp {app}", "startapp", app)
for name in "ulid_django.py", "ulid_rest_framework.py":
    pathlib.Path(name).write_text((FILES / name).read_text())
try:
    import rest_framework
except ImportError:
    rest_framework = None
with open("project/settings.py", "a") as settings:
    settings.write(f'''
import os
INSTALLED_APPS += ["chat", "shop"]
DATABASES = {{"default": {{"ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"],
                         "HOST": {os.environ["PGHOST"]!r}, "USER": {os.environ["PGUSER"]!r}}}}}
ALLOWED_HOSTS = ["testserver"]
''')
    if rest_framework:
        settings.write('INSTALLED_APPS += ["rest_framework"]\n')


def the_only(pattern):
    [path] = pathlib.Path().glob(pattern)
    return path


# The page, from its beginning. The extension is the migration's to create.
subprocess.run(["psql", "-X", "-q", "-c", "DROP TABLE message", "-c", "DROP EXTENSION ulid"], check=True)
works("an empty migration", "makemigrations", "chat", "--empty", "--name", "extension")
the_only("chat/migrations/*_extension.py").write_text((FILES / "django_extension.py").read_text())
pathlib.Path("chat/models.py").write_text((FILES / "django_models.py").read_text())
pathlib.Path("chat/urls.py").write_text((FILES / "django_urls.py").read_text())
urls = 'from django.urls import include, path\nurlpatterns = [path("", include("chat.urls"))]\n'
if rest_framework:
    pathlib.Path("chat/api.py").write_text((FILES / "django_api.py").read_text())
    urls += 'urlpatterns += [path("api/", include("chat.api"))]\n'
pathlib.Path("project/urls.py").write_text(urls)
works("makemigrations", "makemigrations")
works("migrate", "migrate")
works("the second run finds nothing", "makemigrations", "--check", "--dry-run")
works("check", "check")

sys.path.insert(0, "")
os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
import django

django.setup()
from django.core.exceptions import ValidationError
from django.db import connection, models
from django.test import Client
from django.urls import reverse

from chat.models import Message
from ulid_django import AutoUlidField, UlidField, UuidOrUlidField, new_uuid, to_ulid

print("# Django", django.__version__)
for id in IDS:
    Message.objects.create(id=id, body=id, mentions=[IDS[0].lower(), None] if id == IDS[2] else [])


def refused(work):
    try:
        work()
    except ValidationError:
        return True
    return False


# What reached the server, as `operator does not exist: ulid = integer`.
for wrong in 5, True, {"a": 1}, [IDS[0]], b"x", 1.5, "nope", "U" * 26, "8" + IDS[0][1:], "", uuid.uuid4().hex[1:]:
    equal(f"no id: {wrong!r}", (refused(lambda: Message.objects.get(pk=wrong)), refused(lambda: Message(id=wrong, body="x").save()),
                                refused(lambda: list(Message.objects.filter(id__in=[wrong])))), (True, True, True))
equal("a UUID is one", [Message.objects.get(pk=form).id for form in (UUIDS[0], uuid.UUID(UUIDS[1]))], IDS[:2])
message = Message(id=uuid.UUID(UUIDS[0]), body="x", read=UUIDS[1])
equal("and is a ULID on the object at once", (message.id, message.read, message == Message.objects.get(pk=IDS[0])), (IDS[0], IDS[1], True))


class Kept(models.Model):
    id = UlidField(primary_key=True, default=uuid.uuid4)

    class Meta:
        app_label = "chat"


class Child(models.Model):
    id = AutoUlidField(primary_key=True)
    kept = models.ForeignKey(Kept, models.CASCADE, related_name="children")

    class Meta:
        app_label = "chat"


with connection.schema_editor() as editor:
    editor.create_model(Kept)
    editor.create_model(Child)
kept = Kept.objects.create()
Child.objects.create(kept=kept)
models.prefetch_related_objects([kept], "children")
equal("a default=uuid.uuid4 that was kept", (len(kept.children.all()), kept == Kept.objects.get()), (1, True))
with connection.schema_editor() as editor:
    editor.delete_model(Child)
    editor.delete_model(Kept)


def plan(queryset):
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")
    return queryset.explain()


equal("a prefix", list(Message.objects.filter(id__prefix=IDS[0][:8]).values_list("id", flat=True)), [IDS[0]])
equal("is found by the index", "Index Cond" in plan(Message.objects.filter(id__prefix=IDS[0][:8])), True)
for wrong in "nu", "8", "0" * 27, 5, True, b"x", {"a": 1}:
    equal(f"no prefix: {wrong!r}", refused(lambda: list(Message.objects.filter(id__prefix=wrong))), True)
equal("startswith is not, as the page says", "Index Cond" in plan(Message.objects.filter(id__startswith=IDS[0][:8])), False)
equal("a range of time", [m.id for m in Message.between(NOON + HOUR, NOON + 2 * HOUR)], [IDS[1]])
equal("is found by the index", "Index Cond" in plan(Message.between(NOON + HOUR, NOON + 2 * HOUR)), True)
equal("a page after a cursor", [m.id for m in Message.page_after(IDS[0], 1)], [IDS[1]])

manage_py = f"{sys.executable} manage.py"
goes_on = f"""{manage_py} makemigrations --check --dry-run >&2; {manage_py} migrate >&2
echo 'from chat.models import Message; print(*Message.objects.order_by("pk").values_list("pk", "mentions"), len(Message.objects.create(body="x").id))' |
    {manage_py} shell -v 0"""
for name, load in {"pg_dump": "pg_dump $FROM | psql -q -v ON_ERROR_STOP=1",
                   "dumpdata": f"PGDATABASE=$FROM {manage_py} dumpdata chat -o chat.json; {manage_py} migrate; "
                               f"{manage_py} loaddata chat.json"}.items():
    equal(f"restored from {name}", restored(load, goes_on), f"same\n{(IDS[0], [])} {(IDS[1], [])} {(IDS[2], [IDS[0], None])} 26\n")

client = Client(raise_request_exception=False)
equal("the view", [client.get(f"/messages/{form}/").status_code for form in (IDS[0], IDS[0].lower(), UUIDS[0])], [200, 200, 200])
equal("no ULID is a 404", [client.get(f"/messages/{wrong}/").status_code
                           for wrong in ("nope", "U" * 26, "Z" * 26, "7" * 25, "5", UUIDS[0][1:], IDS[0] + "0", IDS[1][:-1] + "4")], [404] * 8)
equal("a link", reverse("message", args=[IDS[0]]), f"/messages/{IDS[0]}/")

if rest_framework:
    print("# REST framework", rest_framework.VERSION)

    def post(**data):
        response = client.post("/api/messages/", data, content_type="application/json")
        return response.status_code, response.json() if response.status_code < 500 else None

    status, made = post(body="hello", mentions=[IDS[0].lower(), UUIDS[1]], answers=IDS[0].lower(), read=UUIDS[2])
    equal("made", (status, made and made["mentions"], made and made["answers"], made and made["read"]), (201, IDS[:2], IDS[0], IDS[2]))
    equal("shown, with an array", client.get(f"/api/messages/{made['id']}/").json(), made)
    for name in "answers", "read":
        for wrong in 5, True, {"a": 1}, "nope", "U" * 26:
            status, answer = post(**{"body": "x", "mentions": [IDS[0]], name: wrong})
            equal(f"{name} {wrong!r} is a 400", (status, list(answer or [])), (400, [name]))
    equal("in an array too", post(body="x", mentions=["nope", 5])[0], 400)
    equal("an id of no row", post(body="x", mentions=[], answers=IDS[0][:-1] + "2")[0], 400)
    equal("a path", [client.get(f"/api/messages/{wrong}/").status_code for wrong in ("nope", "Z" * 26, "5")], [404] * 3)
    equal("a PATCH", client.patch(f"/api/messages/{made['id']}/", {"answers": None}, content_type="application/json").json()["answers"], None)
    page = client.get("/api/messages/").json()
    equal("pages", ([row["id"] for row in page["results"]][1:], page["next"]), (IDS[::-1], None))
    broken = run(sys.executable, "-c", f"""
import django
django.setup()
from rest_framework import serializers
from chat.models import Message
class S(serializers.ModelSerializer):
    class Meta:
        model, fields = Message, ["mentions"]
print(S(Message.objects.get(pk={made['id']!r})).data)""")
    quoted = "'str' object has no attribute 'mentions'"
    equal("without its file", broken[1].splitlines()[-1], "AttributeError: " + quoted)
    equal("as the page says", quoted in PAGES, True)
else:
    print("# REST framework is not packaged here")
try:
    import django_filters
except ImportError:
    django_filters = None
    print("# django-filter is not packaged here")
if django_filters:
    print("# django-filter", django_filters.__version__)
    filter_set = (FILES / "django_filter_set.py").read_text()
    shown = """
import django
django.setup()
exec(open("filters.py").read())
for given in {"id": "%s"}, {"id": "%s"}, {"id": "nope"}, {"answers": "%s"}:
    found = MessageFilter(given, Message.objects.all())
    print(found.is_valid(), len(found.qs), list(found.errors))
""" % (IDS[0].lower(), UUIDS[0], "nope")
    pathlib.Path("filters.py").write_text(filter_set)
    equal("django-filter", run(sys.executable, "-c", shown)[1].splitlines()[-4:],
          ["True 1 []", "True 1 []", f"False {Message.objects.count()} ['id']", f"False {Message.objects.count()} ['answers']"])
    pathlib.Path("filters.py").write_text("".join(line for line in filter_set.splitlines(True) if "filter_overrides" not in line))
    quoted = "resolved field 'id' with 'exact' lookup to an unrecognized field type AutoUlidField"
    equal("without its override", quoted in run(sys.executable, "-c", shown)[1], True)
    equal("as the page says", quoted in PAGES, True)

# An application of uuids, and its move.
FIELD = "models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)"
SHOP = f"""import uuid

from django.db import models
from ulid_django import AutoUlidField, UlidField, UuidOrUlidField, new_uuid


class List(models.Model):
    name = models.TextField()


class Customer(models.Model):
    id = {FIELD}
    name = models.TextField()
    lists = models.ManyToManyField(List)


class Order(models.Model):
    customer = models.ForeignKey(Customer, models.CASCADE, related_name="orders")
"""


SETTINGS = pathlib.Path("project/settings.py").read_text()
AS_UUID = "ULID_AS_UUID = True\n"
if connection.Database.__name__ == "psycopg":
    AS_UUID += 'DATABASES["default"]["OPTIONS"] = {"server_side_binding": True, "prepare_threshold": 1}\n'


def shop(field):
    pathlib.Path("project/settings.py").write_text(SETTINGS + (AS_UUID if "UuidOrUlidField" in field else ""))
    pathlib.Path("shop/models.py").write_text(SHOP.replace(FIELD, field))


WORK = f"""
import django
django.setup()
from django.db import IntegrityError, connection, models, transaction
from django.db.models.functions import Cast
from shop.models import *


def work():
    customer = Customer(name="new")
    order = Order(customer_id=customer.id)  # the id is there before the insert
    customer.save()
    order.save()
    try:
        with transaction.atomic():
            Customer(id=customer.id, name="twice").save()
        raise AssertionError("changed a row that was there")
    except IntegrityError:
        pass
    customer.lists.add(List.objects.create(name="list"))
    Order.objects.create(customer=customer)
    again = Customer.objects.prefetch_related("orders", "lists").get(pk=customer.pk)
    assert again == customer and again.pk == customer.pk
    for customer in Customer.objects.prefetch_related("orders", "lists"):
        orders = 2 if customer.name == "new" else 1
        assert len(customer.orders.all()) == orders and len(customer.lists.all()) == 1, customer.name
        assert Customer.objects.get(pk=str(customer.pk)) == customer
        assert [o.customer for o in Order.objects.filter(customer=customer).select_related("customer")] == [customer] * orders
        assert customer in Customer.objects.in_bulk([customer.pk]).values()
        customer.name = customer.name + ""
        customer.save()
        assert customer.pk in Customer.objects.filter(lists__isnull=False).values_list("pk", flat=True)
    first = Customer.objects.get(name="first")
    # As the page says, the same text before and after.
    texts = Customer.objects.annotate(text=Cast(Cast("pk", models.UUIDField()), models.CharField()))
    from django.contrib.admin import ModelAdmin, site
    searched = type("Searched", (ModelAdmin,), dict(search_fields=["text"]))(Customer, site)
    assert searched.get_search_results(None, texts, "018f3406-9E00-0123")[0].count() == 1
    assert texts.get(text__startswith="018f3406-9e00-0123").text == "018f3406-9e00-0123-4567-89abcdef0101"
    assert Order.objects.filter(customer_id="018f3406-9e00-0123-4567-89abcdef0101").count() == 1
    if type(Customer._meta.pk) is not models.UUIDField:
        assert Order.objects.filter(customer_id="{IDS[0]}").count() == 1
        from ulid_django import UlidConverter  # a path gives what the row has
        assert [UlidConverter().to_python(form) for form in ("018f3406-9e00-0123-4567-89abcdef0101", "{IDS[0]}")] == [first.pk] * 2
    return Customer.objects.count(), type(first.pk).__name__


"""


def work(*moves):
    """In a process of its own, as the application is deployed, and again after each of the statements: what it tells at last."""
    program = WORK + "print(*work())\n"
    for move in moves:
        program += f"connection.cursor().execute({move!r})\nprint(*work())\n"
    status, output = run(sys.executable, "-c", program)
    return "customers " + output.strip().splitlines()[-1] if status == 0 else output


def foreign_keys():
    with connection.cursor() as cursor:
        cursor.execute("SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint"
                       " WHERE contype = 'f' AND conrelid::regclass::text LIKE 'shop%' ORDER BY 1, 2")
        return cursor.fetchall()


def sql(*statements):
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


shop(FIELD)
works("an application of uuids", "makemigrations", "shop")
works("its tables", "migrate")
sql(f"INSERT INTO shop_customer VALUES ('{UUIDS[0]}', 'first')", "INSERT INTO shop_list (name) VALUES ('first')",
    f"INSERT INTO shop_order (customer_id) VALUES ('{UUIDS[0]}')",
    f"INSERT INTO shop_customer_lists (customer_id, list_id) VALUES ('{UUIDS[0]}', 1)")
keys = foreign_keys()
equal("before", work(), "customers 2 UUID")
shop(FIELD.replace("uuid.uuid4", "new_uuid"))
works("1: the default", "makemigrations", "shop", "--name", "default")
works("1: migrates", "migrate")
equal("1: works", work(), "customers 3 UUID")
shop(FIELD.replace("uuid.uuid4", "new_uuid").replace("models.UUIDField", "UuidOrUlidField"))
works("2: the clients", "makemigrations", "shop", "--name", "both")
statements = [line for line in works("2: sqlmigrate", "sqlmigrate", "shop", "0003").splitlines()
              if line.strip() and not line.startswith(("--", "BEGIN", "COMMIT"))]
equal("2: the migration does nothing", (statements, "no-op" in PAGES), ([], True))
works("2: migrates", "migrate")
equal("2: works", work(), "customers 4 UUID")
MOVE = ["ALTER TABLE shop_customer ALTER id TYPE ulid, ALTER id SET DEFAULT gen_ulid()", "ALTER TABLE shop_order ALTER customer_id TYPE ulid",
        "ALTER TABLE shop_customer_lists ALTER customer_id TYPE ulid"]
BACK = ["ALTER TABLE shop_order ALTER customer_id TYPE uuid; ALTER TABLE shop_customer_lists ALTER customer_id TYPE uuid",
        "ALTER TABLE shop_customer ALTER id TYPE uuid"]
equal("3: one process there and back", work(*MOVE, *BACK), "customers 10 UUID")
sql(MOVE[0])
equal("3: the key alone is a ulid, and it works", work(), "customers 11 UUID")
sql(*MOVE[1:])
equal("3: the types, and it works", work(), "customers 12 UUID")
status, output = run(sys.executable, "-c", f"""
import django
django.setup()
from django.db import models
from chat.models import Message
parent = Message.objects.create(body="parent", mentions={IDS!r}, read="{UUIDS[1]}")
child = Message.objects.create(body="child", answers=parent)
again = Message.objects.prefetch_related("answered_by", "answers").get(pk=parent.pk)
assert (again, list(again.answered_by.all()), again.mentions, again.read) == (parent, [child], {IDS!r}, "{IDS[1]}"), vars(again)
assert Message.objects.filter(mentions__contains=["{IDS[2]}"], id__in=[parent.pk]).count() == 1
assert Message.objects.filter(pk__gt=parent.pk, read=None).values_list("pk", flat=True).get() == child.pk
""")
equal("3: a field that is a UlidField already", output if status else 0, 0)
sql("CREATE SCHEMA elsewhere", "ALTER EXTENSION ulid SET SCHEMA elsewhere")
equal("3: the extension is in a schema that is not searched", work(), "customers 13 UUID")
sql("ALTER EXTENSION ulid SET SCHEMA public")
shop(FIELD.replace("uuid.uuid4", "new_uuid").replace("models.UUIDField", "UlidField"))
pathlib.Path("shop/migrations/0004_move.py").write_text((FILES / "django_move.py").read_text())
works("4: migrates, with nothing to do", "migrate")
works("4: makemigrations finds nothing", "makemigrations", "--check", "--dry-run")
equal("4: works", work(), "customers 14 str")
equal("the foreign keys are there", foreign_keys(), keys)
shop(FIELD.replace("uuid.uuid4", "new_uuid").replace("models.UUIDField", "UuidOrUlidField"))
works("back from 4 alone", "migrate", "--fake", "shop", "0003")
equal("back from 4 alone: the columns are ulid, and it works",
      (work(), run("psql", "-XAtc", "SELECT DISTINCT pg_typeof(id) FROM shop_customer")[1].strip()), ("customers 15 UUID", "ulid"))
works("4 again", "migrate", "shop", "0004")
works("back", "migrate", "shop", "0003")
equal("back: the columns are uuid, and it works", work(), "customers 16 UUID")
for copy in "", "public.shop*":  # the scripts, there and back, while a process works
    scripts = []
    for to in "ulid", "uuid":
        scripts.append(f"{os.getcwd()}/{to}{len(copy)}.sql")
        equal(f"the script to {to} {copy}", run("psql", "-X", "-q", "-v", "columns=public.shop_customer", "-v", f"to={to}", "-v", f"copy={copy}",
              "-v", f"script={scripts[-1]}", "-f", os.environ["here"] + "/../../move/ulid_move.sql"), (0, ""))
    program = WORK + f"""
import subprocess
works, answers = 0, set()
for file in {scripts!r}:
    script = subprocess.Popen(["psql", "-X", "-q", "-f", file], stdout=subprocess.DEVNULL)
    while script.poll() is None:
        works, answers = works + 1, answers | {{list(work())[1]}}
    answers |= {{script.returncode, list(work())[1]}}
print(works > 1, sorted(map(str, answers)))
"""
    status, output = run(sys.executable, "-c", program)
    equal(f"3: a process works while the scripts run {copy}", output.strip(), "True ['0', 'UUID']")
    equal("the foreign keys are there", foreign_keys(), keys)
works("and there again, where no script has been", "migrate", "shop", "0004")
shop(FIELD.replace("uuid.uuid4", "new_uuid").replace("models.UUIDField", "UlidField"))
equal("again: works", work().split()[2], "str")
equal("again: the foreign keys are there", foreign_keys(), keys)

# What AlterField alone does.
works("back again", "migrate", "shop", "0003")
pathlib.Path("shop/migrations/0004_move.py").unlink()
shop("UlidField(primary_key=True, default=new_uuid)")
works("AlterField alone", "makemigrations", "shop", "--name", "alter")
works("AlterField alone, migrated", "migrate")
lost = len(keys) - len(foreign_keys())
equal("loses a foreign key on Django 3.2 alone, as the page says", lost, 1 if django.VERSION < (4,) else 0)
done()
