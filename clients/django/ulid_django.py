"""Fields, a path converter and a migration operation for columns of type ulid. Values are strings."""
import datetime
import re
import uuid

from django import forms
from django.contrib.postgres.operations import CreateExtension
from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.signals import connection_created
from django.db.models import lookups
from django.db.models.expressions import Func
from django.db.models.query_utils import DeferredAttribute
from django.urls import register_converter

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def to_ulid(value):
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
            return to_ulid(value)
        except ValueError:  # None, or what validation will refuse
            return value


class UlidAttribute(DeferredAttribute):
    """Converts a value to the server's spelling when it is set, because Django compares keys as strings."""

    def __set__(self, instance, value):
        try:
            value = to_ulid(value)
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
            return None if value is None else to_ulid(value)
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


class GenUlid(Func):
    function = "gen_ulid"
    arity = 0


class AutoUlidField(UlidField):
    """A column of type ulid. The server fills it if it has no value."""

    db_returning = True  # inserts read the value back

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **{"blank": True, "editable": False, **kwargs})

    # For inserts made outside Django, and for rows that exist when a migration adds the field.
    def db_type(self, connection):
        return "ulid DEFAULT gen_ulid()"

    def rel_db_type(self, connection):
        return "ulid"

    cast_db_type = rel_db_type

    def has_default(self):  # so that makemigrations asks for no value
        return True

    def get_default(self):
        return None

    def pre_save(self, instance, add):
        value = super().pre_save(instance, add)
        return GenUlid() if add and value is None else value


class UlidConverter:
    """<ulid:pk> in a path. Matches only a ULID or a UUID."""

    regex = "[0-9A-Za-z-]{26,36}"
    to_python = staticmethod(to_ulid)
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


def register_array(connection, **kwargs):
    """Makes the driver return ulid[] as a list."""
    if connection.vendor != "postgresql":
        return
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


connection_created.connect(register_array, dispatch_uid="ulid")


class UlidExtension(CreateExtension):
    """The migration operation that creates the extension."""

    def __init__(self):
        super().__init__("ulid")

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        super().database_forwards(app_label, schema_editor, from_state, to_state)
        register_array(schema_editor.connection)
