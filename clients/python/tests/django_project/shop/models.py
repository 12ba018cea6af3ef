"""An existing project, which test_django.py moves to ulids and back."""
import uuid

from django.contrib.contenttypes.fields import GenericForeignKey, GenericRelation
from django.contrib.contenttypes.models import ContentType
from django.contrib.postgres.fields import ArrayField
from django.db import models

from people.models import User

class Generic(models.Model):
    content_type = models.ForeignKey(ContentType, models.CASCADE)
    target = GenericForeignKey()
    class Meta:
        abstract = True

class Note(Generic):
    object_id = models.CharField(max_length=36)

class Tag(Generic):
    object_id = models.UUIDField()

class Product(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    notes = GenericRelation(Note)
    tags = GenericRelation(Tag)
    bought_with = ArrayField(models.UUIDField(), default=list)
    name = models.TextField(unique=True)
    parent = models.ForeignKey("self", models.CASCADE, null=True)
    similar = models.ManyToManyField("self")
    buyers = models.ManyToManyField(User)

class Book(Product):
    pages = models.IntegerField(default=1)

class Price(models.Model):
    product = models.OneToOneField(Product, models.CASCADE, primary_key=True)
    notes = GenericRelation(Note)
    price = models.IntegerField()
    seen = models.ForeignKey(Product, models.CASCADE, related_name="+", db_index=False)
