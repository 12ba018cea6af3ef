"""Import this before the first ModelSerializer is used."""
from typing import Any

from rest_framework import serializers

from . import UlidField, parse


class UlidSerializerField(serializers.CharField):
    default_error_messages = {"invalid": "not a valid ULID: {value!r}"}

    def to_internal_value(self, value: object) -> str:
        try:
            return parse(value)
        except ValueError:
            self.fail("invalid", value=value)


serializers.ModelSerializer.serializer_field_mapping[UlidField] = UlidSerializerField

try:
    from drf_spectacular.extensions import OpenApiSerializerFieldExtension
except ImportError:
    pass
else:

    class UlidSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call,unused-ignore]
        target_class = UlidSerializerField

        def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, str]:
            return {"type": "string", "format": "ulid"}
