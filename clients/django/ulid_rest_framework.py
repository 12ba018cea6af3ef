from rest_framework import serializers

from ulid_django import UlidField, to_ulid


class UlidSerializerField(serializers.Field):
    default_error_messages = {"invalid": "no ULID: {value!r}"}

    def to_internal_value(self, value):
        try:
            return to_ulid(value)
        except ValueError:
            self.fail("invalid", value=value)

    def to_representation(self, value):
        return value


# What a ModelSerializer makes of a UlidField, in an array too.
serializers.ModelSerializer.serializer_field_mapping[UlidField] = UlidSerializerField
