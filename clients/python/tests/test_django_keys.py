"""Keys that Django knows before it saves: what UUIDField(default=uuid4) does, ulids and UUIDv7s do."""
import os
from typing import Any

import pytest

os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
import django

django.setup()
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.core import serializers
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.forms import inlineformset_factory, modelform_factory
from django.test import Client, override_settings
from django.urls import path

from conftest import HOUR, NOON


@pytest.fixture(scope="module")
def keys(database: str) -> Any:
    """The models of the app, which have their tables."""
    settings_dict, name = connection.settings_dict, connection.settings_dict["NAME"]
    settings_dict["NAME"] = database
    connection.close()
    call_command("migrate", verbosity=0)
    with override_settings(INSTALLED_APPS=[*settings.INSTALLED_APPS, "keys"]):
        from keys import models

        with connection.schema_editor() as editor:
            for model in django.apps.apps.get_app_config("keys").get_models():
                editor.create_model(model)
        yield models
    connection.close()
    settings_dict["NAME"] = name


@pytest.fixture(params=["Uuid", "Uuidv7", "Ulid"])
def models_of(request: pytest.FixtureRequest, keys: Any) -> Any:
    with transaction.atomic():
        yield keys.FAMILIES[request.param]
        transaction.set_rollback(True)


def test_an_object_has_its_key_before_it_is_saved(models_of: Any) -> None:
    parent, child, grown = models_of
    for model in models_of:
        made = model(name=f"made {model}")
        key = made.id
        assert key is not None and made._state.adding
        made.save()
        assert (made.pk, made._state.adding, model.objects.get(pk=key)) == (key, False, made)
        with pytest.raises(IntegrityError), transaction.atomic():  # an object that is new is inserted
            model(id=key, name="again").save()


def test_references_to_objects_that_are_not_saved_yet(models_of: Any) -> None:
    parent, child, grown = models_of
    for kind in parent, grown:
        one = kind(name=f"one {kind}")
        other = child(parent=one)
        one.save()
        other.save()
        assert child.objects.get(pk=other.pk).parent_id == one.pk
    parents = [parent(name=str(n)) for n in range(3)]
    children = [child(name=str(n), parent=parent) for n, parent in enumerate(parents)]
    parent.objects.bulk_create(parents)
    child.objects.bulk_create(children)
    assert list(child.objects.filter(parent__name__in="012").values_list("name", "parent__name").order_by("name")) == [
        (str(n), str(n)) for n in range(3)]


def test_get_or_create(models_of: Any) -> None:
    for model in models_of:
        made, created = model.objects.get_or_create(name=str(model))
        assert created and model.objects.get_or_create(name=str(model)) == (made, False)
        assert model.objects.update_or_create(name=str(model), defaults={"name": f"{model} updated"}) == (made, False)


def test_multi_table_inheritance(models_of: Any) -> None:
    parent, child, grown = models_of
    link = grown._meta.pk.attname
    old = parent.objects.create(name="old")
    made = grown(**{link: old.pk}, name="another")  # its own key, which has a default, is taken: another parent
    made.save()
    assert made.pk != old.pk and parent.objects.count() == 2
    made = grown(**{link: old.pk}, id=old.pk, name="in vain")
    with pytest.raises(IntegrityError), transaction.atomic():
        made.save()
    made = grown(**{link: old.pk}, age=7)  # as fixtures do
    made.save_base(raw=True)
    assert grown.objects.get(pk=old.pk).name == "old"
    grown.objects.get(pk=old.pk).delete(keep_parents=True)
    made = grown(**{link: old.pk}, age=8)
    made.__dict__.update(old.__dict__)
    made.save()
    assert (grown.objects.get(pk=old.pk).name, parent.objects.count()) == ("old", 2)


def test_fixtures(models_of: Any) -> None:
    parent, child, grown = models_of
    made = grown.objects.create(name="grown", age=5)
    made.friends.add(parent.objects.create(name="friend"))
    child.objects.create(name="child", parent=made)

    def found() -> Any:
        rows = [list(model.objects.order_by("name").values_list()) for model in models_of]
        return rows, parent.objects.get(pk=made.pk).friends.get().name

    before = found()
    text = serializers.serialize("json", [*parent.objects.all(), *grown.objects.all(), *child.objects.all()])
    for model in reversed(models_of):
        model.objects.all().delete()
    for _ in "made", "found":
        for item in serializers.deserialize("json", text):
            item.save()
        assert found() == before
    without = '[{"model": "%s", "fields": {"name": "without a key"}}]' % parent._meta.label_lower
    [item] = serializers.deserialize("json", without)
    item.save()
    assert item.object.pk == parent.objects.get(name="without a key").pk


def test_forms_and_formsets(models_of: Any) -> None:
    parent, child, grown = models_of
    made = valid(modelform_factory(parent, fields=["name"])({"name": "form"})).save()
    formset: Any = inlineformset_factory(parent, child, fields=["name"], extra=1)
    assert len(formset(instance=parent()).forms) == 1  # of a parent that is not saved
    prefix = formset(instance=made).prefix
    data = {f"{prefix}-TOTAL_FORMS": 1, f"{prefix}-INITIAL_FORMS": 0, f"{prefix}-0-name": "a"}
    [first] = valid(formset(data, instance=made)).save()
    data |= {f"{prefix}-INITIAL_FORMS": 1, f"{prefix}-0-id": first.pk, f"{prefix}-0-name": "b"}
    valid(formset(data, instance=made)).save()
    assert child.objects.get(parent=made).name == "b"
    assert not formset(data | {f"{prefix}-0-id": "nope"}, instance=made).is_valid()


def valid(form: Any) -> Any:
    assert form.is_valid(), form.errors
    return form


def test_the_admin_with_inlines(models_of: Any) -> None:
    parent, child, grown = models_of
    site = admin.AdminSite()
    inline = type("Inline", (admin.TabularInline,), {"model": child, "extra": 1})
    site.register(parent, type("Admin", (admin.ModelAdmin,), {"inlines": [inline], "fields": ["name"]}))
    urls = type("Urls", (), {"urlpatterns": [path("admin/", site.urls)]})
    prefix, root = f"{child._meta.model_name}_set", f"/admin/keys/{parent._meta.model_name}"
    with override_settings(ROOT_URLCONF=urls):
        client = Client()
        client.force_login(get_user_model().objects.create_superuser("admin"))
        data = {"name": "parent", f"{prefix}-TOTAL_FORMS": 1, f"{prefix}-INITIAL_FORMS": 0, f"{prefix}-0-name": "child"}
        assert client.get(f"{root}/add/").status_code == 200
        assert client.post(f"{root}/add/", data).status_code == 302
        made = child.objects.get(name="child")
        change = f"{root}/{made.parent_id}/change/"
        assert str(made.pk) in client.get(change).content.decode()
        data |= {f"{prefix}-INITIAL_FORMS": 1, f"{prefix}-0-id": made.pk, f"{prefix}-0-parent": made.parent_id,
                 f"{prefix}-0-name": "changed"}
        assert client.post(change, data).status_code == 302
        assert child.objects.get(pk=made.pk).name == "changed"
        assert client.get(f"{root}/nope/change/").status_code == 302


def test_a_range_of_times_of_uuids(keys: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO keys_account"
                       " SELECT gen_uuidv7(%s + h * interval '1h') FROM generate_series(0, 2) h", [NOON])
    assert [row.id.version for row in keys.Account.between(NOON + HOUR, NOON + 2 * HOUR)] == [7]
    assert keys.Account.between(NOON, NOON + 3 * HOUR).count() == 3
