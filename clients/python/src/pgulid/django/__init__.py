"""A field, a path converter and migration operations for the type ulid. Ids are strings."""
import datetime
from typing import TYPE_CHECKING, Any, Callable
from weakref import WeakSet

from django import forms
from django.contrib.postgres.operations import CreateExtension
from django.core import checks
from django.core.exceptions import ValidationError
from django.db import migrations, models
from django.db.backends.signals import connection_created
from django.db.models import lookups
from django.db.models.query_utils import DeferredAttribute
from django.urls import register_converter

from pgulid import gen_ulid, gen_uuidv7, parse

__all__ = ["GenUlid", "UlidExtension", "UlidField", "UlidFormField", "gen_ulid", "gen_uuidv7", "parse", "respell"]

if TYPE_CHECKING:  # django-stubs has parameters for what a field's attribute takes and gives
    from typing import TypeVar
    from uuid import UUID

    from django.db.models.expressions import Combinable

    _ST = TypeVar("_ST", contravariant=True)
    _GT = TypeVar("_GT", covariant=True)

    class _Field(models.Field[_ST, _GT]):
        _pyi_private_set_type: str | UUID | Combinable
        _pyi_private_get_type: str
        _pyi_lookup_exact_type: str | UUID

    _Lookup = lookups.BuiltinLookup[Any]
else:
    _ST = _GT = None
    _Field, _Lookup = {(None, None): models.Field}, lookups.BuiltinLookup


class UlidFormField(forms.CharField):
    default_error_messages = {"invalid": "Enter a valid ULID."}

    def to_python(self, value: Any) -> str | None:
        value = super().to_python(value)
        try:
            return None if value in self.empty_values else parse(value)
        except ValueError:
            raise ValidationError(self.error_messages["invalid"], code="invalid")


class UlidAttribute(DeferredAttribute):
    """Converts a value to the server's spelling when it is set, because Django compares keys as strings."""

    def __set__(self, instance: models.Model, value: Any) -> None:
        try:
            value = parse(value)
        except ValueError:  # None, an expression, or what validation will refuse
            pass
        instance.__dict__[self.field.attname] = value


class UlidField(_Field[_ST, _GT]):
    """A column of type ulid."""

    default_error_messages = {"invalid": "not a valid ULID: %(value)r"}
    descriptor_class = UlidAttribute
    empty_strings_allowed = False

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        # Django refreshes a reference to an object that was not yet saved only if its key was empty.
        lost = self.primary_key and self.has_db_default() and not self.has_default()
        hint = "Add default=pgulid.django.gen_ulid. db_default stays for what other programs insert."
        return super().check(**kwargs) + [checks.Warning(
            "References to an object that is not saved yet are lost.", hint, self, "pgulid.W001")] * lost

    def db_type(self, connection: Any) -> str:
        return "ulid"

    def to_python(self, value: Any) -> str | None:
        try:
            return None if value is None else parse(value)
        except ValueError:
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": value})

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        if not isinstance(value, datetime.date):
            return self.to_python(value)
        # For a time in a condition, DateTimeField makes naive times aware, with its warning.
        field: Any = models.DateTimeField()
        field.model, field.name = self.model, self.name
        return field.get_prep_value(value)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        return super().get_db_prep_save(value if hasattr(value, "as_sql") else self.to_python(value), connection)

    def formfield(self, **kwargs: Any) -> forms.Field | None:
        return super().formfield(**{"form_class": UlidFormField, **kwargs})


class GenUlid(models.Func):
    """UlidField(primary_key=True, default=gen_ulid, db_default=GenUlid(), editable=False)"""

    template = "gen_ulid()"
    output_field: Any = UlidField()


class UlidConverter:
    """<ulid:pk> in a path. Matches only a ULID or a UUID."""

    regex = "[0-9A-Za-z{}-]{26,41}"

    def to_python(self, value: str) -> str:
        return parse(value)

    def to_url(self, value: object) -> str:
        return str(value)


register_converter(UlidConverter, "ulid")


@UlidField.register_lookup
class Prefix(_Lookup):
    """filter(id__prefix="01HWT0") finds ids with that prefix, and uses the index."""

    lookup_name = "prefix"
    prepare_rhs = False

    def get_rhs_op(self, connection: Any, rhs: str) -> str:
        return f"^@ {rhs}"

    def get_db_prep_lookup(self, value: Any, connection: Any) -> Any:
        return "%s", [value]


asked: "WeakSet[Any]" = WeakSet()  # connections of psycopg, because a pool hands out the same ones again


def prepare(connection: Any, **kwargs: Any) -> None:
    """Makes psycopg 3 return ulid[] as a list."""
    if connection.vendor != "postgresql" or connection.Database.__name__ != "psycopg" or connection.connection in asked:
        return
    from psycopg.types import TypeInfo

    asked.add(connection.connection)
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regtype('ulid')::oid::int8, to_regtype('ulid[]')::oid::int8")
        oid, array_oid = cursor.fetchone()
    if oid:  # else a migration has yet to create the extension
        TypeInfo("ulid", oid, array_oid).register(connection.connection)


connection_created.connect(prepare, dispatch_uid="ulid")


class UlidExtension(CreateExtension):
    """The migration operation that creates the extension. Migrating back keeps it, because other apps may use it."""

    def __init__(self) -> None:
        super().__init__("ulid")

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        super().database_forwards(app_label, schema_editor, from_state, to_state)
        if schema_editor.connection.vendor == "postgresql":
            asked.discard(schema_editor.connection.connection)
            prepare(schema_editor.connection)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        pass


def respell(model: str, table: str, column: str = "object_id") -> migrations.RunPython:
    """A migration operation for a text column of a generic relation. It stores the keys of the model ("app.model"), and
    of models whose key refers to it, as ULIDs. Migrating back, it stores them as UUIDs."""

    def origin(model: Any) -> Any:
        while model._meta.pk.is_relation:
            model = model._meta.pk.related_model
        return model._meta.concrete_model

    def to(type: str) -> Callable[[Any, Any], None]:
        def run(apps: Any, editor: Any) -> None:
            for other in apps.get_models():
                if origin(other) is origin(apps.get_model(model)):
                    editor.execute(
                        f"UPDATE {table} SET {column} = {column}::ulid::{type} WHERE content_type_id ="
                        " (SELECT id FROM django_content_type WHERE app_label = %s AND model = %s)",
                        [other._meta.app_label, other._meta.model_name])

        return run

    return migrations.RunPython(to("text"), to("uuid::text"))
