import datetime
import re
import secrets
import time
import uuid

from django import forms
from django.conf import settings
from django.contrib.postgres.operations import CreateExtension
from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.signals import connection_created
from django.db.models import lookups
from django.db.models.expressions import Func
from django.db.models.query_utils import DeferredAttribute
from django.urls import register_converter

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class GenUlid(Func):
    function = "gen_ulid"
    arity = 0


def to_ulid(value):
    """A ULID in the server's spelling, of a ULID in any spelling or of a UUID. ValueError: of neither."""
    if isinstance(value, str):
        ulid = value.upper().translate(str.maketrans("ILO", "110"))
        if re.fullmatch("[0-7][0-9A-HJKMNP-TV-Z]{25}", ulid):
            return ulid
        value = uuid.UUID(value)
    if not isinstance(value, uuid.UUID):
        raise ValueError(value)
    return "".join(DIGITS[value.int >> shift & 31] for shift in range(125, -1, -5))


def to_uuid(ulid):
    bits = 0
    for digit in ulid:
        bits = bits << 5 | DIGITS.index(digit)
    return uuid.UUID(int=bits)


def as_uuid():
    """The setting for the time of a move: ulid goes to the server and comes from it as a UUID."""
    return getattr(settings, "ULID_AS_UUID", False)


class UlidFormField(forms.CharField):
    """What was typed as it will be read back, so that it is no change where it is the same id."""

    def to_python(self, value):
        value = super().to_python(value)
        try:
            return to_ulid(value)
        except ValueError:  # None, or what validation will refuse
            return value


class UlidAttribute(DeferredAttribute):
    """A value is as it will be read back, from the moment that it is set."""

    def __set__(self, instance, value):
        try:
            value = to_ulid(value)
        except ValueError:  # None, an expression, or what validation will refuse
            pass
        instance.__dict__[self.field.attname] = value


class UlidField(models.Field):
    """A column of type ulid, whose values are strings."""

    descriptor_class = UlidAttribute
    empty_strings_allowed = False

    def db_type(self, connection):
        return "ulid"

    def to_python(self, value):
        try:
            return None if value is None else to_ulid(value)
        except ValueError:
            raise ValidationError(f"no ULID: {value!r}", code="invalid")

    def get_prep_value(self, value):
        value = super().get_prep_value(value)
        return value if isinstance(value, datetime.date) else self.to_python(value)  # a time is sent as one

    def get_db_prep_value(self, value, connection, prepared=False):
        value = super().get_db_prep_value(value, connection, prepared)
        return to_uuid(value) if as_uuid() and isinstance(value, str) else value

    def from_db_value(self, value, expression, connection):
        return to_ulid(value) if isinstance(value, uuid.UUID) else value

    def formfield(self, **kwargs):
        return super().formfield(**{"form_class": UlidFormField, "empty_value": None, "validators": [self.to_python], **kwargs})


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


def new_uuid():
    """A ULID made here, as a UUID: default=new_uuid where uuid.uuid4 was."""
    return uuid.UUID(int=time.time_ns() // 1_000_000 << 80 | secrets.randbits(80))


class UuidOrUlidField(models.UUIDField):
    """For the time of a move: takes a ULID where a UUIDField takes a UUID, and its values are UUIDs."""

    def to_python(self, value):
        try:
            return super().to_python(value)
        except ValidationError:
            try:
                return to_uuid(to_ulid(value))
            except ValueError:
                raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": value})


class UlidConverter:
    """<ulid:pk> in a path, of a ULID or a UUID; what is neither matches no path."""

    regex = "[0-9A-Za-z-]{26,36}"
    to_url = staticmethod(str)

    def to_python(self, value):
        ulid = to_ulid(value)
        return to_uuid(ulid) if as_uuid() else ulid


register_converter(UlidConverter, "ulid")


@UlidField.register_lookup
class Prefix(lookups.BuiltinLookup):
    """The ids that begin with some characters, from the index: filter(id__prefix="01HWT0")."""

    lookup_name = "prefix"

    def get_prep_lookup(self):
        if not hasattr(self.rhs, "resolve_expression") and not (
            isinstance(self.rhs, str) and re.fullmatch("([0-7ILO][0-9A-TV-Z]{0,25})?", self.rhs.upper())
        ):
            raise ValidationError(f"begins no ULID: {self.rhs!r}", code="invalid")
        return self.rhs

    def get_rhs_op(self, connection, rhs):
        return f"^@ {rhs}"


# Arrays come back as lists once the connection knows their type.
def register(connection, **kwargs):
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        # In a schema that is not searched too, as nothing would tell that ids arrive as another type.
        cursor.execute("SELECT oid::int8, typarray::int8 FROM pg_type WHERE typname = 'ulid' AND typtype = 'b'"
                       " ORDER BY pg_type_is_visible(oid) DESC")
        found = cursor.fetchone()
    if found is None:  # the extension is yet to be created
        return
    oid, array_oid = found
    if connection.Database.__name__ == "psycopg":
        from psycopg.adapt import Loader
        from psycopg.types import TypeInfo

        class UlidAsUuid(Loader):
            def load(self, data):
                return to_uuid(bytes(data).decode())

        TypeInfo("ulid", oid, array_oid).register(connection.connection)
        if as_uuid():
            connection.connection.adapters.register_loader(oid, UlidAsUuid)
            # A prepared statement would fail, once its result is of another type.
            connection.connection.prepare_threshold = None
    else:
        from psycopg2 import STRING
        from psycopg2.extensions import new_array_type, new_type, register_type

        element = STRING
        if as_uuid():
            element = new_type((oid,), "ULID", lambda text, cursor: text and to_uuid(text))
            register_type(element, connection.connection)
        register_type(new_array_type((array_oid,), "ULID[]", element), connection.connection)


connection_created.connect(register, dispatch_uid="ulid")


class UlidExtension(CreateExtension):
    """The migration operation that creates the extension."""

    def __init__(self):
        super().__init__("ulid")

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        super().database_forwards(app_label, schema_editor, from_state, to_state)
        register(schema_editor.connection)
