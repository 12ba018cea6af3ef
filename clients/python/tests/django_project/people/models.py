from django.contrib.auth.models import AbstractUser

from pgulid.django import GenUlid, UlidField, gen_ulid


class User(AbstractUser):
    id = UlidField(primary_key=True, default=gen_ulid, db_default=GenUlid(), editable=False)
