from django_filters import CharFilter, FilterSet

from chat.models import Message
from pgulid.django import UlidField


class MessageFilter(FilterSet):
    class Meta:
        model = Message
        fields = ["id", "answers"]
        filter_overrides = {UlidField: {
            "filter_class": CharFilter, "extra": lambda field: {"validators": [field.to_python]}}}
