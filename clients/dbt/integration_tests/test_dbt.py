"""dbt-postgres in the places where it writes a column's type, with the package and without it."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

import psycopg2
import pytest

A, B = "01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2"
PACKAGE = pathlib.Path(__file__).parent.parent
DATABASE = "ulid_dbt"

PACKAGES = """\
packages:
  - git: https://example.org/ulid.git
    subdirectory: clients/dbt
"""
DISPATCH = """\
dispatch:
  - macro_namespace: dbt
    search_order: [shop, pgulid, dbt]
"""


@pytest.fixture(scope="module")
def sql():
    """A cursor on a database of the test's own, on the server that PGHOST and the like name."""
    try:
        server = psycopg2.connect(dbname=os.environ.get("PGDATABASE", "postgres"))
        server.autocommit = True
        server.cursor().execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        server.cursor().execute(f"CREATE DATABASE {DATABASE}")
        connection = psycopg2.connect(dbname=DATABASE)
        connection.autocommit = True
        connection.cursor().execute("CREATE EXTENSION ulid")
    except psycopg2.Error as error:
        pytest.exit(f"name a server with the extension ulid in PGHOST and the like: {error}", 1)
    cursor = connection.cursor()
    cursor.execute("CREATE SCHEMA app")
    cursor.execute("CREATE TABLE app.account (id ulid PRIMARY KEY, name varchar(9), ref ulid, refs ulid[])")
    cursor.execute("INSERT INTO app.account VALUES (%s, 'ann', %s, %s::ulid[]), (gen_ulid(), NULL, NULL, NULL)",
        (A, B, [A, None]))
    yield cursor
    connection.close()
    server.cursor().execute(f"DROP DATABASE {DATABASE} WITH (FORCE)")


class Project:
    def __init__(self, path):
        self.path = path
        output = {"type": "postgres", "host": os.environ["PGHOST"], "port": int(os.environ.get("PGPORT", 5432)),
            "user": os.environ.get("PGUSER", "postgres"), "pass": os.environ.get("PGPASSWORD", ""), "dbname": DATABASE,
            "schema": "warehouse", "threads": 1}
        self.write("profiles.yml", json.dumps({"shop": {"target": "test", "outputs": {"test": output}}}))
        self.write("dbt_project.yml", "name: shop\nprofile: shop\n")
        self.write("models/account.sql", "select id, upper(name) as name, refs from {{ source('app', 'account') }}")
        self.write("models/models.yml", f"""
sources:
  - name: app
    config: {{freshness: {{warn_after: {{count: 1, period: hour}}}}}}
    tables:
      - {{name: account, config: {{loaded_at_field: "id::timestamptz"}}}}
      - {{name: account_2, identifier: account, config: {{loaded_at_field: id}}}}
unit_tests:
  - name: upper_case
    model: account
    given:
      - input: source('app', 'account')
        rows: [{{id: {A}, name: ann}}]
    expect:
      rows: [{{id: {A.lower()}, name: ANN}}]
""")

    def write(self, path, text):
        (self.path / path).parent.mkdir(parents=True, exist_ok=True)
        (self.path / path).write_text(text)

    def select(self, columns):
        """What an incremental model and a snapshot select."""
        query = f"select {columns} from {{{{ source('app', 'account') }}}}"
        self.write("models/grown.sql",
            "{{ config(materialized='incremental', unique_key='id', on_schema_change='append_new_columns') }}" + query)
        self.write("snapshots/kept.sql",
            "{% snapshot kept %}{{ config(strategy='check', unique_key='id', check_cols='all') }}" + query
            + "{% endsnapshot %}")

    def run(self, *arguments, output="PASS=1", fails=None):
        """Runs dbt, which prints this output, or fails with this message."""
        command = [pathlib.Path(sys.executable).parent / "dbt", *arguments, "--profiles-dir", "."]
        environment = {**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "False"}
        run = subprocess.run(command, cwd=self.path, env=environment, capture_output=True, text=True)
        assert (fails or output) in run.stdout and (run.returncode != 0) == bool(fails), run.stdout + run.stderr

    def write_types(self, fails=None):
        """What asks for the types of columns."""
        self.run("test", "--select", "upper_case", fails=fails)
        self.run("run", "--select", "grown", fails=fails)
        self.run("snapshot", fails=fails)

    def install(self, packages):
        """As the README says."""
        self.write("packages.yml", packages)
        self.write("dbt_project.yml", "name: shop\nprofile: shop\n" + DISPATCH)
        self.run("deps", output="Installed from")


@pytest.fixture(scope="module")
def project(sql, tmp_path_factory):
    return Project(tmp_path_factory.mktemp("shop"))


def test_a_model_has_the_ids_and_their_types(project, sql):
    project.run("run", "--select", "account")
    sql.execute("SELECT pg_typeof(id), pg_typeof(refs), id, name, refs FROM warehouse.account WHERE id = %s", [A])
    assert sql.fetchone() == ("ulid", "ulid[]", A, "ANN", f"{{{A},NULL}}")


def test_freshness(project):
    project.run("source", "freshness", "--select", "source:app.account", output="PASS")
    project.run("source", "freshness", "--select", "source:app.account_2", fails="Expected a timestamp value")


def test_without_the_package_types_are_user_defined(project):
    project.select("id")
    project.run("run", "--select", "grown")
    project.run("snapshot")
    project.select("id, ref, refs")
    project.write_types(fails='syntax error at or near "USER"')


def test_installed_from_git_it_writes_the_types(project, sql, tmp_path):
    repository = tmp_path / "ulid"
    shutil.copytree(PACKAGE, repository / "clients" / "dbt", ignore=shutil.ignore_patterns("integration_tests"))
    for command in ["init -q", "add .", "-c user.name=test -c user.email=test@localhost commit -qm package"]:
        subprocess.run(["git", *command.split()], cwd=repository, check=True)
    project.install(PACKAGES.replace("https://example.org/ulid.git", f"file://{repository}"))
    installed = project.path / "dbt_packages" / "pgulid"
    assert {"LICENSE", "README.md", "dbt_project.yml", "macros"} <= {path.name for path in installed.iterdir()}
    project.write_types()
    for table in "grown", "kept":
        sql.execute(f"SELECT pg_typeof(ref), pg_typeof(refs), ref, refs FROM warehouse.{table} WHERE ref IS NOT NULL")
        assert sql.fetchone() == ("ulid", "ulid[]", B, f"{{{A},NULL}}")


def test_installed_but_not_dispatched_it_does_nothing(project):
    project.write("dbt_project.yml", "name: shop\nprofile: shop\n")
    project.run("test", "--select", "upper_case", fails='syntax error at or near "USER"')
