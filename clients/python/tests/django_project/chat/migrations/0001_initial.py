# As makemigrations writes it, with the first operation.
from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models
from pgulid.django import GenUlid, UlidExtension, UlidField, gen_ulid


class Migration(migrations.Migration):
    initial = True
    operations = [
        UlidExtension(),
        migrations.CreateModel("Message", [
            ("id", UlidField(primary_key=True, default=gen_ulid, db_default=GenUlid(), editable=False,
                           serialize=False)),
            ("body", models.TextField()),
            ("mentions", ArrayField(UlidField(), default=list)),
            ("read", UlidField(blank=True, null=True)),
            ("answers", models.ForeignKey("chat.message", models.CASCADE, null=True, blank=True,
                                          related_name="answered_by")),
        ]),
        migrations.CreateModel("Room", [
            ("id", UlidField(primary_key=True, default=gen_ulid, db_default=GenUlid(), serialize=False)),
            ("last", UlidField(null=True)),
            ("messages", models.ManyToManyField("chat.message")),
        ]),
    ]
