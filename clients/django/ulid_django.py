import re

from django.contrib.postgres.operations import CreateExtension
from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.signals import connection_created
from django.db.models.expressions import Func
from django.db.models.query_utils import DeferredAttribute


class GenUlid(Func):
    function = "gen_ulid"
    arity = 0


def canonical(value):
    """As the server will give it back."""
    return value.upper().translate(str.maketrans("ILO", "110")) if isinstance(value, str) else value


class UlidAttribute(DeferredAttribute):
    def __set__(self, instance, value):
        instance.__dict__[self.field.attname] = canonical(value)


class UlidField(models.Field):
    """A column of type ulid, whose values are strings."""

    descriptor_class = UlidAttribute
    empty_strings_allowed = False

    def db_type(self, connection):
        return "ulid"

    def to_python(self, value):
        ulid = canonical(value)
        if isinstance(ulid, str) and not re.fullmatch("[0-7][0-9A-HJKMNP-TV-Z]{25}", ulid):
            raise ValidationError(f"no ULID: {value!r}", code="invalid")
        return ulid

    def get_prep_value(self, value):
        return self.to_python(super().get_prep_value(value))

    def formfield(self, **kwargs):
        return super().formfield(**{"empty_value": None, "validators": [self.to_python], **kwargs})


class AutoUlidField(UlidField):
    """A column of type ulid that the server fills where it is given no value."""

    db_returning = True  # inserts read the value back

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **{"blank": True, "editable": False, **kwargs})

    # For inserts that do not come through Django, and the rows that a migration finds.
    def db_type(self, connection):
        return "ulid DEFAULT gen_ulid()"

    def rel_db_type(self, connection):
        return "ulid"

    cast_db_type = rel_db_type

    # So that makemigrations asks for no value.
    def has_default(self):
        return True

    def get_default(self):
        return None

    # An expression for the INSERT alone: on the object it would stay what it is.
    def pre_save(self, instance, add):
        value = super().pre_save(instance, add)
        return GenUlid() if add and value is None else value


# Arrays come back as lists once the connection knows their type.
def register_array(connection, **kwargs):
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regtype('ulid')::oid::int8, to_regtype('ulid[]')::oid::int8")
        oid, array_oid = cursor.fetchone()
    if oid is None:  # the extension is yet to be created
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
