"""A field, a path converter and migration operations for the type ulid. Ids are strings. See doc/clients/django.md."""
import datetime
import re
import uuid

from django import forms
from django.contrib.postgres.operations import CreateExtension
from django.core.exceptions import ValidationError
from django.db import migrations, models
from django.db.backends.signals import connection_created
from django.db.models import lookups
from django.db.models.query_utils import DeferredAttribute
from django.urls import register_converter

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
FORMS = re.compile(r"[0-7ILO][0-9A-TV-Z]{25}|({)?([0-9A-F]{4}-?){7}[0-9A-F]{4}(?(1)})", re.ASCII | re.IGNORECASE)
ALIASES = str.maketrans("ILO", "110")


def parse_ulid(value):
    """A ULID in any spelling, or a UUID, in the server's spelling. Raises ValueError for anything else."""
    if isinstance(value, str) and FORMS.fullmatch(value):
        if len(value) == 26:
            return value.upper().translate(ALIASES)
        value = uuid.UUID(value)
    data = getattr(value, "bytes", None)  # of a UUID, or a ULID of python-ulid
    if not isinstance(data, bytes) or len(data) != 16:
        raise ValueError(f"not a valid ULID: {value!r}")
    bits = int.from_bytes(data, "big")
    return "".join(DIGITS[bits >> shift & 31] for shift in range(125, -1, -5))


class UlidFormField(forms.CharField):
    default_error_messages = {"invalid": "Enter a valid ULID."}

    def to_python(self, value):
        value = super().to_python(value)
        try:
            return None if value in self.empty_values else parse_ulid(value)
        except ValueError:
            raise ValidationError(self.error_messages["invalid"], code="invalid")


class UlidAttribute(DeferredAttribute):
    """Converts a value to the server's spelling when it is set, because Django compares keys as strings."""

    def __set__(self, instance, value):
        try:
            value = parse_ulid(value)
        except ValueError:  # None, an expression, or what validation will refuse
            pass
        instance.__dict__[self.field.attname] = value


class UlidField(models.Field):
    """A column of type ulid."""

    default_error_messages = {"invalid": "not a valid ULID: %(value)r"}
    descriptor_class = UlidAttribute
    empty_strings_allowed = False

    def db_type(self, connection):
        return "ulid"

    def to_python(self, value):
        try:
            return None if value is None else parse_ulid(value)
        except ValueError:
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": value})

    def get_prep_value(self, value):
        value = super().get_prep_value(value)
        if not isinstance(value, datetime.date):
            return self.to_python(value)
        # For a time in a condition, DateTimeField makes naive times aware, with its warning.
        field = models.DateTimeField()
        field.model, field.name = self.model, self.name
        return field.get_prep_value(value)

    def get_db_prep_save(self, value, connection):
        return super().get_db_prep_save(value if hasattr(value, "as_sql") else self.to_python(value), connection)

    def formfield(self, **kwargs):
        return super().formfield(**{"form_class": UlidFormField, **kwargs})


class GenUlid(models.Func):
    """UlidField(primary_key=True, db_default=GenUlid(), editable=False)"""

    template = "gen_ulid()"
    output_field = UlidField()


class UlidConverter:
    """<ulid:pk> in a path. Matches only a ULID or a UUID."""

    regex = "[0-9A-Za-z{}-]{26,41}"
    to_python = staticmethod(parse_ulid)
    to_url = staticmethod(str)


register_converter(UlidConverter, "ulid")


@UlidField.register_lookup
class Prefix(lookups.BuiltinLookup):
    """filter(id__prefix="01HWT0") finds ids with that prefix, and uses the index."""

    lookup_name = "prefix"
    prepare_rhs = False

    def get_rhs_op(self, connection, rhs):
        return f"^@ {rhs}"

    def get_db_prep_lookup(self, value, connection):
        return "%s", [value]


def prepare(connection, **kwargs):
    """Makes psycopg 3 return ulid[] as a list."""
    if connection.vendor != "postgresql" or connection.Database.__name__ != "psycopg":
        return
    from psycopg.types import TypeInfo

    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regtype('ulid')::oid::int8, to_regtype('ulid[]')::oid::int8")
        oid, array_oid = cursor.fetchone()
    if oid:  # a migration may have yet to create the extension
        TypeInfo("ulid", oid, array_oid).register(connection.connection)


connection_created.connect(prepare, dispatch_uid="ulid")


class UlidExtension(CreateExtension):
    """The migration operation that creates the extension. Migrating back keeps it, because other apps may use it."""

    def __init__(self):
        super().__init__("ulid")

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        super().database_forwards(app_label, schema_editor, from_state, to_state)
        prepare(schema_editor.connection)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        pass


def respell(model, table, column="object_id"):
    """A migration operation for a text column of a generic relation. It stores the keys of the model ("app.model"), and
    of models whose key refers to it, as ULIDs. Migrating back, it stores them as UUIDs."""

    def origin(model):
        while model._meta.pk.is_relation:
            model = model._meta.pk.related_model
        return model._meta.concrete_model

    def to(type):
        def run(apps, editor):
            for other in apps.get_models():
                if origin(other) is origin(apps.get_model(model)):
                    editor.execute(
                        f"UPDATE {table} SET {column} = {column}::ulid::{type} WHERE content_type_id ="
                        " (SELECT id FROM django_content_type WHERE app_label = %s AND model = %s)",
                        [other._meta.app_label, other._meta.model_name])

        return run

    return migrations.RunPython(to("text"), to("uuid::text"))
