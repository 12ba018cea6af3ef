"""Fields, a path converter and migration operations for the type ulid. Values are strings. See doc/clients/django.md."""
import copy
import datetime
import re
import uuid

from django import forms
from django.contrib.postgres.operations import CreateExtension
from django.core.exceptions import ValidationError
from django.db import migrations, models
from django.db.backends.signals import connection_created
from django.db.models import lookups
from django.db.models.expressions import Func
from django.db.models.query_utils import DeferredAttribute
from django.urls import register_converter

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def parse_ulid(value):
    """Converts a ULID in any spelling, or a UUID, to the server's spelling. Raises ValueError for anything else."""
    if isinstance(value, str):
        ulid = value.upper().translate(str.maketrans("ILO", "110"))
        if re.fullmatch("[0-7][0-9A-HJKMNP-TV-Z]{25}", ulid):
            return ulid
        value = uuid.UUID(value)
    if not isinstance(value, uuid.UUID):
        raise ValueError(value)
    return "".join(DIGITS[value.int >> shift & 31] for shift in range(125, -1, -5))


class UlidFormField(forms.CharField):
    def to_python(self, value):
        value = super().to_python(value)
        try:
            return parse_ulid(value)
        except ValueError:  # None, or what validation will refuse
            return value


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

    descriptor_class = UlidAttribute
    empty_strings_allowed = False

    def db_type(self, connection):
        return "ulid"

    def to_python(self, value):
        try:
            return None if value is None else parse_ulid(value)
        except ValueError:
            raise ValidationError(f"not a valid ULID: {value!r}", code="invalid")

    def get_prep_value(self, value):
        value = super().get_prep_value(value)
        if not isinstance(value, datetime.date):
            return self.to_python(value)
        # For a time in a condition, DateTimeField makes naive times aware, with its warning.
        field = models.DateTimeField()
        field.model, field.name = self.model, self.name
        return field.get_prep_value(value)

    def formfield(self, **kwargs):
        return super().formfield(**{"form_class": UlidFormField, "empty_value": None, "validators": [self.to_python], **kwargs})


class ServerDefault:
    """A field that the server fills if it has no value."""

    db_returning = True  # inserts read the value back

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **{"blank": True, "editable": False, **kwargs})

    # For inserts made outside Django, and for rows that exist when a migration adds the field.
    def db_type(self, connection):
        return f"{super().db_type(connection)} DEFAULT {self.function}()"

    def rel_db_type(self, connection):
        return super().db_type(connection)

    cast_db_type = rel_db_type

    def has_default(self):  # so that makemigrations asks for no value
        return True

    def get_default(self):
        return None

    def pre_save(self, instance, add):
        value = super().pre_save(instance, add)
        return Func(function=self.function) if add and value is None else value

    def get_db_prep_save(self, value, connection):  # loaddata does not call pre_save
        if value is None and not self.null:
            return Func(function=self.function)
        return super().get_db_prep_save(value, connection)


class AutoUlidField(ServerDefault, UlidField):
    """A column of type ulid, with gen_ulid() as its default."""

    function, column_class = "gen_ulid", UlidField


class AutoUuidField(ServerDefault, models.UUIDField):
    """A column of type uuid, with gen_uuidv7() as its default."""

    function, column_class = "gen_uuidv7", models.UUIDField


class SchemaEditor:
    """Alters the type of a column and its default separately, as ALTER COLUMN requires."""

    def alter_field(self, model, old_field, new_field, strict=False):
        def bare(field):
            field = copy.copy(field)
            field.__class__ = getattr(field, "column_class", field.__class__)
            return field

        def default(field, action):
            table, column = self.quote_name(model._meta.db_table), self.quote_name(field.column)
            self.execute(f"ALTER TABLE {table} ALTER COLUMN {column} {action}")

        old, new = (field.function if isinstance(field, ServerDefault) else None for field in (old_field, new_field))
        if old and old != new:
            default(old_field, "DROP DEFAULT")
        super().alter_field(model, bare(old_field), bare(new_field), strict)
        if new and new != old:
            default(new_field, f"SET DEFAULT {new}()")

    def effective_default(self, field):  # Django would write it as a literal
        return None if isinstance(field, ServerDefault) else super().effective_default(field)


class UlidConverter:
    """<ulid:pk> in a path. Matches only a ULID or a UUID."""

    regex = "[0-9A-Za-z-]{26,36}"
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
    """Makes the driver return ulid[] as a list, and migrations use the SchemaEditor above."""
    if connection.vendor != "postgresql":
        return
    editor = connection.SchemaEditorClass
    if not issubclass(editor, SchemaEditor):
        connection.SchemaEditorClass = type("UlidSchemaEditor", (SchemaEditor, editor), {})
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regtype('ulid')::oid::int8, to_regtype('ulid[]')::oid::int8")
        oid, array_oid = cursor.fetchone()
    if oid is None:  # a migration has yet to create the extension
        return
    if connection.Database.__name__ == "psycopg":
        from psycopg.types import TypeInfo

        TypeInfo("ulid", oid, array_oid).register(connection.connection)
    else:
        from psycopg2 import STRING
        from psycopg2.extensions import new_array_type, register_type

        register_type(new_array_type((array_oid,), "ULID[]", STRING), connection.connection)


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
    """A migration operation for a text column of a generic relation: it stores the keys of the model ("app.model") as ULIDs.
    Migrating back, it stores them as UUIDs."""
    app, name = model.lower().split(".")
    update = (f"UPDATE {table} SET {column} = {column}::ulid::{{}} WHERE content_type_id ="
              f" (SELECT id FROM django_content_type WHERE app_label = '{app}' AND model = '{name}')")
    return migrations.RunSQL(update.format("text"), update.format("uuid::text"))
