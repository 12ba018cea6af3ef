"""Import this before the first ModelSerializer is used."""
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
