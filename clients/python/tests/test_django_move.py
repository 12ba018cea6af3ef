"""Moves the keys of the project's shop, and of its users, to ulid and back, in a copy of django_project."""
import os
import pathlib
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from conftest import administrate, make_database

DATABASE = os.environ["PGULID_TEST_DJANGO"]
HERE = pathlib.Path(__file__).parent
OLD = "models.UUIDField(primary_key=True, default=uuid.uuid4)"
UUIDV7 = """models.UUIDField(primary_key=True, default=gen_uuidv7, editable=False,
                          db_default=models.Func(function="gen_uuidv7"))"""
ULID = "UlidField(primary_key=True, default=gen_ulid, db_default=GenUlid(), editable=False)"
EXTENSION = """
    operations = [
        pgulid.django.UlidExtension(),
"""
OPERATIONS = f"""{EXTENSION}\
        pgulid.django.respell("shop.Product", "shop_note"),
        pgulid.django.respell("shop.Product", "django_admin_log"),
"""
# What relations by a content type and arrays find, and what deleting a product leaves behind.
RELATIONS = """
    from django.contrib.admin.models import LogEntry
    from django.db import transaction
    p = Product.objects.get(name="child")
    with transaction.atomic():
        found = [p.notes.count(), p.price.notes.count(), p.tags.count(), p.book.notes.count()]
        found += [Product.objects.filter(bought_with__contains=[p.parent_id]).get() == p]
        found += [entry.get_edited_object() == p for entry in LogEntry.objects.filter(object_id=p.pk)]
        found += [note.target.pk == p.pk for note in [*Note.objects.all(), *Tag.objects.prefetch_related("target")]]
        p.delete()
        print(found, Note.objects.count() + Tag.objects.count())
        transaction.set_rollback(True)
"""
FOUND = "[1, 1, 1, 1, True, True, True, True, True, True] 0"
FILL = """
    from django.contrib.admin.models import LogEntry
    from django.contrib.contenttypes.models import ContentType
    user = User.objects.create_user("buyer")
    parent = Product.objects.create(name="parent")
    child = Book.objects.create(name="child", parent=parent)
    child.similar.add(parent)
    child.buyers.add(user)
    for target in child.product_ptr, child, Price.objects.create(product=child, price=5, seen=parent):
        Note.objects.create(target=target)
    Tag.objects.create(target=child.product_ptr)
    kind = ContentType.objects.get_for_model(Product)
    LogEntry.objects.create(user=user, content_type=kind, object_id=child.pk, action_flag=1)
    Product.objects.filter(pk=child.pk).update(bought_with=[parent.pk])
"""


class Project:
    def __init__(self, path: pathlib.Path) -> None:
        self.path = shutil.copytree(HERE / "django_project", path / "project")

    def manage(self, *arguments: str) -> str:
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "project.settings", "PGULID_TEST_MOVE": "1",
                       "PYTHONPATH": str(HERE.parent / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        result = subprocess.run([sys.executable, "-m", "django", *arguments], cwd=self.path, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        assert result.returncode == 0, result.stdout
        return result.stdout

    def shell(self, program: str) -> str:
        lines = self.manage("shell", "-c", "from shop.models import *\n" + textwrap.dedent(program)).splitlines()
        return lines[-1] if lines else ""

    def edit(self, file: str, *replacements: tuple[str, str]) -> None:
        text = (self.path / file).read_text()
        for before, after in replacements:
            assert before in text
            text = text.replace(before, after)
        (self.path / file).write_text(text)

    def migration(self, app: str) -> str:
        self.manage("makemigrations", app, "--noinput")
        return str(max((self.path / app / "migrations").glob("0*.py")).relative_to(self.path))


def sql(query: str) -> Any:
    with psycopg.connect(dbname=DATABASE) as connection:
        cursor = connection.execute(query)
        return cursor.fetchall() if cursor.description else None


def shop() -> Any:
    """The types and defaults of the columns with keys of products, and what joins of them find."""
    types = sql("""SELECT DISTINCT format_type(atttypid, -1) FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
        WHERE relname ^@ 'shop_' AND relkind = 'r' AND attname ~ '^id$|product|parent|seen'
            AND atttypid <> 'bigint'::regtype ORDER BY 1""")
    [[default]] = sql(
        "SELECT max(pg_get_expr(adbin, adrelid)) FROM pg_attrdef WHERE adrelid = 'shop_product'::regclass")
    [[found]] = sql("""SELECT count(*) FROM shop_product p JOIN shop_product parent ON parent.id = p.parent_id
        JOIN shop_product_similar s ON s.from_product_id = p.id AND s.to_product_id = parent.id
        JOIN shop_product_buyers b ON b.product_id = p.id JOIN people_user u ON u.id = b.user_id
        JOIN shop_price r ON r.product_id = p.id AND r.seen_id = parent.id
        JOIN shop_book k ON k.product_ptr_id = p.id""")
    return [type for type, in types], default, found


@pytest.fixture
def project(server: None, tmp_path: pathlib.Path) -> Iterator[Project]:
    make_database(DATABASE)
    project = Project(tmp_path)
    project.manage("makemigrations", "people", "shop")
    project.edit("people/migrations/0001_initial.py", ("\n    operations = [\n", EXTENSION))
    project.manage("migrate")
    project.shell(FILL)
    assert (shop(), project.shell(RELATIONS)) == ((["uuid"], None, 1), FOUND)
    yield project
    administrate(f"DROP DATABASE {DATABASE} WITH (FORCE)", dbname="postgres")


def to_ulid(project: Project) -> None:
    project.edit("shop/models.py", (OLD, ULID), ("models.UUIDField()", "UlidField()"),
                 ("\nfrom people", "\nfrom pgulid.django import GenUlid, UlidField, gen_ulid\nfrom people"))
    project.edit(project.migration("shop"), ("\n    operations = [\n", OPERATIONS),
                 ("    dependencies = [\n", '    dependencies = [\n        ("admin", "0001_initial"),\n'))
    project.manage("migrate")


def test_to_ulid_and_back(project: Project) -> None:
    cached = project.shell("import pickle; print(pickle.dumps(Product.objects.get(name='parent')).hex())")
    key = project.shell("print(Product.objects.get(name='child').pk)")
    to_ulid(project)
    assert (shop(), project.shell(RELATIONS)) == ((["ulid"], "gen_ulid()", 1), FOUND)
    project.manage("makemigrations", "--check", "--dry-run")
    project.manage("check", "--fail-level", "WARNING")
    kept = project.shell(f"""
        import pickle
        p = pickle.loads(bytes.fromhex("{cached}"))
        p.save()
        print(Product.objects.count(), p == Product.objects.get(name="parent"))""")
    assert kept == "2 False"  # saved to its row, and not equal to that row's object
    assert project.shell(f"p = Product.objects.get(pk='{key}'); print(p.name, p.pk == '{key}')") == "child False"
    assert len(project.shell("p = Product.objects.create(name='new'); print(p.pk); p.delete()")) == 26
    # A text that is not respelled loses its relation, and stays when the object is deleted.
    sql("UPDATE shop_note SET object_id = object_id::ulid::uuid::text")
    assert project.shell(RELATIONS)[-1] == "3"
    sql("UPDATE shop_note SET object_id = object_id::ulid::text")
    project.edit("shop/models.py", ("object_id = UlidField()", "object_id = models.UUIDField()"))
    assert "is not a valid UUID" in project.shell("""
        try: Product.objects.get(name="child").tags.count()
        except Exception as error: print(error)""")
    project.manage("migrate", "shop", "0001")
    assert "invalid input syntax for type uuid" in project.shell("""
        p = Product.objects.get(name="child")
        try: p.save()
        except Exception as error: print(str(error).splitlines()[0])""")
    shutil.copy(HERE / "django_project/shop/models.py", project.path / "shop")
    for migration in (project.path / "shop/migrations").glob("0002*.py"):
        migration.unlink()
    project.manage("makemigrations", "--check", "--dry-run")
    assert (shop(), project.shell(RELATIONS)) == ((["uuid"], None, 1), FOUND)


def test_to_uuidv7(project: Project) -> None:
    project.edit("shop/models.py", (OLD, UUIDV7),
                 ("\nfrom people", "\nfrom pgulid.django import gen_uuidv7\nfrom people"))
    project.migration("shop")
    project.manage("migrate")
    assert (shop(), project.shell(RELATIONS)) == ((["uuid"], "gen_uuidv7()", 1), FOUND)


def me(project: Project, session: str) -> str:
    """What a new process answers to the session."""
    return project.shell(f"""
        from django.test import Client
        client = Client(raise_request_exception=False)
        client.cookies["sessionid"] = "{session}"
        answer = client.get("/me/")
        print(answer.status_code, *answer.content.decode().split()[:1])""")


def login(project: Project) -> list[str]:
    return project.shell("""
        from django.test import Client
        client = Client()
        client.force_login(User.objects.get())
        print(client.cookies["sessionid"].value, User.objects.get().pk)""").split()


def test_sessions_contain_the_key_of_the_user(project: Project) -> None:
    models = (project.path / "people/models.py").read_text()
    session, key = login(project)
    assert me(project, session) == f"200 {key}"
    field = 'models.UUIDField(primary_key=True, db_default=models.Func(function="gen_uuidv7"))'
    project.edit("people/models.py", (ULID, field),
                 ("from pgulid", "from django.db import models\nfrom pgulid"))
    project.migration("people")
    project.manage("migrate")
    assert me(project, session)[:3] == "500"  # until it is deleted
    sql("DELETE FROM django_session")
    assert me(project, session) == "200 None"
    session, uuid = login(project)
    (project.path / "people/models.py").write_text(models)
    project.manage("migrate", "people", "0001")
    assert me(project, session) == f"200 {key}" != f"200 {uuid}"
