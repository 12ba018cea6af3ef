# snippet: field
from django.db import models
from django.db.models.expressions import Func


class GenUlid(Func):
    function = "gen_ulid"
    arity = 0


class UlidField(models.Field):
    db_returning = True  # inserts read the id back

    def db_type(self, connection):
        return "ulid"


class Message(models.Model):
    id = UlidField(primary_key=True, default=GenUlid, editable=False)
    body = models.TextField()
# end
