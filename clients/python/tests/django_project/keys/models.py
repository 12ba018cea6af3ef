"""Models with the same relations and three kinds of keys. test_django_keys.py installs this app."""
import uuid
from typing import Any

from django.db import models
from pgulid.django import gen_uuidv7

class Account(models.Model):
    id = models.UUIDField(primary_key=True, default=gen_uuidv7, editable=False,
                          db_default=models.Func(function="gen_uuidv7"))

    @classmethod
    def between(cls, begin, end):
        bounds = [models.Func(models.Value(time), function="uuidv7_min") for time in (begin, end)]
        return cls.objects.filter(id__gte=bounds[0], id__lt=bounds[1])


from pgulid.django import GenUlid, UlidField, gen_ulid


def family(name: str, key: Any) -> Any:
    """The models of parents, their children, and grown-ups, which are parents by multi-table inheritance."""
    parent: Any = type(f"{name}Parent", (models.Model,), {
        "__module__": __name__, "id": key.clone(), "name": models.TextField(unique=True),
        "friends": models.ManyToManyField("self")})
    child: Any = type(f"{name}Child", (models.Model,), {
        "__module__": __name__, "id": key.clone(), "name": models.TextField(),
        "parent": models.ForeignKey(parent, models.CASCADE, null=True)})
    grown: Any = type(f"{name}Grown", (parent,), {"__module__": __name__, "age": models.IntegerField(default=1)})
    return parent, child, grown


FAMILIES = {
    "Uuid": family("Uuid", models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)),
    "Uuidv7": family("Uuidv7", Account._meta.pk),
    "Ulid": family("Ulid", UlidField(primary_key=True, default=gen_ulid, db_default=GenUlid(), editable=False)),
}
