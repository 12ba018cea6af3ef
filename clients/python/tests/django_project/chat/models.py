from django.contrib.postgres.fields import ArrayField
from django.db import models
from pgulid.django import GenUlid, UlidField, gen_ulid

class Message(models.Model):
    id = UlidField(primary_key=True, default=gen_ulid, db_default=GenUlid(), editable=False)
    body = models.TextField()
    mentions = ArrayField(UlidField(), default=list)
    answers = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="answered_by")
    read = UlidField(null=True, blank=True)

    @classmethod
    def between(cls, begin, end):
        return cls.objects.filter(id__gte=begin, id__lt=end)


class Room(models.Model):
    id = UlidField(primary_key=True, default=gen_ulid, db_default=GenUlid())
    last = UlidField(null=True)
    messages = models.ManyToManyField(Message)
