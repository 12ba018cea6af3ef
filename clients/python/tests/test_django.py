"""Django, REST framework, ninja and django-filter in django_project."""
import datetime
import json
import os
import uuid
import warnings
from typing import Any

import pytest
import ulid

os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
import django

django.setup()
from django import forms
from django.contrib import admin
from django.core import checks
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection, models, transaction
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.backends.sqlite3.base import DatabaseWrapper as SqliteWrapper
from django.db.models.functions import Cast
from django.test import Client, RequestFactory
from django.urls import resolve, reverse

import pgulid.django
from chat.filters import MessageFilter
from chat.models import Message, Room
from conftest import HOUR, IDS, NOON, UUID, administrate, each_text, matches
from pgulid.django import GenUlid, UlidField, UlidFormField

client = Client(raise_request_exception=False)


def sql(query: str, *parameters: object) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return cursor.fetchall() if cursor.description else None


def ids(queryset: Any) -> list[str]:
    return list(queryset.order_by("id").values_list("id", flat=True))


@pytest.fixture(scope="module")
def migrated(database: str) -> Any:
    administrate("DROP TABLE message", "DROP EXTENSION ulid", dbname=database)
    assert connection.settings_dict["NAME"] == database
    call_command("migrate", verbosity=0)
    Message.objects.bulk_create([Message(id=id.lower(), body=id, mentions=IDS[:2]) for id in IDS])
    yield
    connection.close()


@pytest.fixture(autouse=True)
def rolled_back(migrated: None) -> Any:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_the_migrations() -> None:
    call_command("makemigrations", check_changes=True, dry_run=True)
    columns = sql("SELECT attname, format_type(atttypid, -1) FROM pg_attribute WHERE attnum > 0"
                  " AND attrelid = 'chat_message'::regclass AND atttypid <> 'text'::regtype ORDER BY 1")
    assert columns == [("answers_id", "ulid"), ("id", "ulid"), ("mentions", "ulid[]"), ("read", "ulid")]
    sql("INSERT INTO chat_message (body, mentions) VALUES ('of another program', '{}')")
    assert len(Message.objects.get(body="of another program").pk) == 26


# Inserts.


@pytest.mark.parametrize("options", [{}, {"ignore_conflicts": True}])
def test_bulk_create(options: Any) -> None:
    rows = Message.objects.bulk_create([Message(body=str(n)) for n in range(1500)], **options)
    made = Message.objects.exclude(id__in=IDS)
    assert ids(made) == [row.id for row in rows]
    rows[0].save()
    assert made.count() == 1500


def test_the_check_of_a_key_that_only_the_server_makes() -> None:
    class Lost(models.Model):
        id = UlidField(primary_key=True, db_default=GenUlid())

        class Meta:
            app_label = "lost"

    assert [message.id for message in Lost.check(databases=["default"])] == ["pgulid.W001"]
    assert not [message for message in checks.run_checks() if "pgulid" in str(message.id)]


# Queries.


def test_times() -> None:
    assert ids(Message.between(NOON + HOUR, NOON + 2 * HOUR)) == [IDS[1]]
    assert Message.objects.annotate(time=Cast("id", models.DateTimeField())).get(pk=IDS[0]).time == NOON
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        naive = datetime.datetime(2024, 5, 1, 22)  # in TIME_ZONE, 13:00 UTC
        assert ids(Message.objects.filter(id__gte=naive)) == IDS[1:]
        for day, found in (1, IDS), (2, []):
            assert ids(Message.objects.filter(id__gte=datetime.date(2024, 5, day))) == found
    assert [str(warning.message)[:42] for warning in caught] == ["DateTimeField Message.id received a naive "] * 3
    with pytest.raises(Exception, match="Unsupported lookup 'date' for UlidField"):
        Message.objects.filter(id__date=NOON)


def test_prefixes() -> None:
    for prefix, found in (IDS[0][:8], IDS[:1]), (IDS[0][:8].lower(), IDS[:1]), ("nu", []):
        assert ids(Message.objects.filter(id__prefix=prefix)) == found


def test_the_index_is_used() -> None:
    sql("SET LOCAL enable_seqscan = off")
    for queryset in Message.between(NOON, NOON + HOUR), Message.objects.filter(id__prefix=IDS[0][:8]):
        assert "Index Cond" in queryset.explain()


def test_arrays_and_null() -> None:
    first = Message.objects.get(id=IDS[0])
    first.mentions, first.answers_id = IDS, IDS[1]
    first.save()
    first.refresh_from_db()
    assert (first.mentions, first.read) == (IDS, None)
    first.answers_id = IDS[1].lower()
    models.prefetch_related_objects([first], "answers")
    assert first.answers is None  # a reference in lower case is not prefetched


@pytest.mark.parametrize("name", [connection.settings_dict["NAME"], "template1"])
def test_a_pool_asks_for_the_type_once_for_each_connection(name: str) -> None:
    """Also in a database without the extension."""
    pool = {"pool": {"min_size": 1, "max_size": 1}}
    pooled = DatabaseWrapper({**connection.settings_dict, "NAME": name, "OPTIONS": pool, "CONN_MAX_AGE": 0}, "default")
    pooled.force_debug_cursor = True
    for _ in range(3):
        with pooled.cursor() as cursor:
            assert cursor.execute("SELECT 1").fetchone() == (1,)
            assert name == "template1" or cursor.execute("SELECT %s::ulid[]", [IDS]).fetchone() == (IDS,)
        pooled.close()
    pooled.close_pool()
    assert ["to_regtype" in query["sql"] for query in pooled.queries_log].count(True) == 1


def test_another_database_is_left_alone() -> None:
    other: Any = SqliteWrapper({**connection.settings_dict, "NAME": ":memory:"}, "other")
    other.connect()
    pgulid.django.UlidExtension().database_forwards("chat", other.SchemaEditorClass(other), None, None)
    other.close()


# Values.


@pytest.mark.parametrize("id", [UUID, uuid.UUID(UUID), UUID.upper().replace("-", ""), f"{{{UUID}}}",
                                ulid.ULID.from_str(IDS[1]), IDS[1].lower()], ids=repr)
def test_spellings(id: Any) -> None:
    assert Message.objects.get(pk=id).id == Message(id=id).id == Message(read=id).read == IDS[1]


@pytest.mark.parametrize("wrong", [5, True, {"a": 1}, [IDS[0]], b"x", 1.5, "nope", "8" + IDS[0][1:], ""], ids=repr)
def test_other_values_are_a_validation_error(wrong: Any) -> None:
    for work in (lambda: Message.objects.get(pk=wrong), lambda: Message(id=wrong, body="x").save(),
                 lambda: list(Message.objects.filter(id__in=[wrong]))):
        with pytest.raises(ValidationError):
            work()


def test_messages() -> None:
    with pytest.raises(ValidationError, match="not a valid ULID: 'nope'"):
        Message.objects.filter(id="nope")
    for store in Message(read=NOON).save, lambda: Message.objects.update(read=NOON):
        with pytest.raises(ValidationError, match="not a valid ULID: datetime.datetime"):
            store()


@each_text
def test_reads(text: str, expected: str) -> None:
    for read in (UlidField().to_python, UlidFormField(strip=False).clean,
                 lambda text: resolve(f"/messages/{text}/").kwargs["pk"]):
        matches(lambda: read(text), expected)


# Forms.


def test_forms() -> None:
    form_class: Any = forms.modelform_factory(Message, fields="__all__")
    form = form_class({"body": "form", "mentions": ",".join(IDS), "answers": IDS[0].lower(), "read": IDS[1].lower()})
    assert form.is_valid()
    saved = form.save()
    assert (saved.mentions, saved.answers_id, saved.read) == (IDS, IDS[0], IDS[1])
    again = form_class({**form.data, "answers": IDS[0]}, instance=form.instance)
    assert again.is_valid() and "read" not in again.changed_data
    form = form_class({"body": "empty", "mentions": IDS[0], "answers": "", "read": ""})
    assert form.is_valid() and form.save().read is None
    form = form_class({"body": "wrong", "mentions": "no", "answers": "no", "read": "no"})
    assert sorted(form.errors) == ["answers", "mentions", "read"]
    assert form.errors["read"] == ["Enter a valid ULID."]


@pytest.mark.parametrize("term, count", [("nope", 0), (IDS[0].lower(), 1)])
def test_the_admin_searches(term: str, count: int) -> None:
    searches = type("Searches", (admin.ModelAdmin,), {"search_fields": ["id__exact", "body"]})(Message, admin.site)
    assert len(searches.get_search_results(RequestFactory().get("/"), Message.objects.all(), term)[0]) == count


# Views.


@pytest.mark.parametrize("id", [IDS[1], IDS[1].lower(), UUID])
def test_a_view(id: str) -> None:
    assert client.get(f"/messages/{id}/").status_code == 200
    assert reverse("message", args=[IDS[0]]) == f"/messages/{IDS[0]}/"


def post(path: str, **data: Any) -> Any:
    return client.post(path, data, content_type="application/json")


def test_rest_framework() -> None:
    response = post("/api/messages/", body="hello", mentions=[IDS[0].lower(), UUID], answers=IDS[0].lower(), read=UUID)
    made = response.json()
    assert (response.status_code, made["mentions"], made["answers"], made["read"]) == (201, IDS[:2], IDS[0], IDS[1])
    assert client.get(f"/api/messages/{made['id']}/").json() == made
    assert post("/api/messages/", body="x", mentions=["nope", 5]).status_code == 400


def test_the_schema_of_rest_framework(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("spectacular", "--fail-on-warn", "--format", "openapi-json")
    schema = json.loads(capsys.readouterr().out)
    properties = schema["components"]["schemas"]["Message"]["properties"]
    [parameter] = schema["paths"]["/api/messages/{id}/"]["get"]["parameters"]
    for found in parameter["schema"], properties["mentions"]["items"], *map(properties.get, ["id", "answers", "read"]):
        assert found["format"] == "ulid"


@pytest.mark.parametrize("wrong", [5, True, {"a": 1}, "nope", "U" * 26], ids=repr)
@pytest.mark.parametrize("name", ["answers", "read"])
def test_rest_framework_400(name: str, wrong: Any) -> None:
    response = post("/api/messages/", **{"body": "x", "mentions": [IDS[0]], name: wrong})
    assert (response.status_code, list(response.json())) == (400, [name])


@pytest.mark.parametrize("wrong", ["nope", "U" * 26, "Z" * 26, "5", UUID[1:], IDS[0] + "0", "0" * 26])
def test_invalid_and_unknown_ids_in_paths(wrong: str) -> None:
    for path in f"/messages/{wrong}/", f"/api/messages/{wrong}/":
        assert client.get(path).status_code == 404
    assert client.get(f"/ninja/messages/{wrong}").status_code == (404 if wrong == "0" * 26 else 422)


@pytest.mark.parametrize("id, count", [(IDS[0].lower(), 1), (UUID, 1), ("nope", None)])
def test_django_filter(id: str, count: int | None) -> None:
    filter_set = MessageFilter({"id": id}, Message.objects.all())
    assert filter_set.is_valid() == (count is not None)
    assert count is None or len(filter_set.qs) == count


def test_ninja() -> None:
    Message.objects.filter(pk=IDS[0]).update(answers=IDS[1])
    expected = {"id": IDS[1], "body": IDS[1], "mentions": IDS[:2], "answers": None, "read": None}
    assert client.get(f"/ninja/messages/{UUID}").json() == expected
    assert client.get(f"/ninja/messages/{IDS[0].lower()}").json()["answers"] == IDS[1]
    response = client.get("/ninja/openapi.json")
    schemas = response.json()["components"]["schemas"]
    for found in (schemas["RoomOut"]["properties"]["messages"]["items"],
                  schemas["RoomIn"]["properties"]["messages"]["items"],
                  schemas["MessageOut"]["properties"]["answers"]["anyOf"][0]):
        assert found == {"type": "string", "format": "ulid"}


def test_ninja_many_to_many() -> None:
    made = post("/ninja/rooms", messages=[IDS[0].lower(), UUID])
    assert (made.status_code, sorted(made.json()["messages"])) == (200, IDS[:2])
    for wrong in "nope", 5, None, {}:
        assert post("/ninja/rooms", messages=[wrong]).status_code == 422
