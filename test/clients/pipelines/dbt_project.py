"""dbt-postgres with the macro of clients/dbt and without it: a project with the places where dbt writes a column's type."""
import json
import os
import pathlib
import subprocess
import sys

import psycopg2

sys.path.insert(0, ".")
from tap import IDS, equal

A, B = IDS[:2]
project = pathlib.Path("pipelines/project").resolve()
database = psycopg2.connect("")
database.autocommit = True
sql = database.cursor()


def dbt(*arguments):
    """Runs dbt, and returns the errors and the states of what it ran."""
    (project / "target/run_results.json").unlink(missing_ok=True)
    run = subprocess.run([pathlib.Path(sys.executable).parent / "dbt", "--quiet", *arguments, "--profiles-dir", "."], cwd=project,
        env={**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "False"}, capture_output=True, text=True)
    file = project / "target" / ("sources.json" if arguments[0] == "source" else "run_results.json")
    results = json.loads(file.read_text())["results"] if file.exists() else []
    return run.stdout + run.stderr, [result["status"] for result in results]


def works(name, *arguments, state="success"):
    output, states = dbt(*arguments)
    equal(name, states, [state])
    if states != [state]:
        print("#", output.replace("\n", "\n# "))


def fails(message, name, *arguments):
    output = dbt(*arguments)[0]
    equal(f"{name}: {message}", message if message in output else output, message)


def write(path, text):
    (project / path).parent.mkdir(parents=True, exist_ok=True)
    (project / path).write_text(text)


def write_models(columns):
    write("models/grown.sql", "{{ config(materialized='incremental', unique_key='id', on_schema_change='append_new_columns') }}\n"
        f"select {columns} from {{{{ source('app', 'account') }}}}")
    write("snapshots/kept.sql", "{% snapshot kept %}{{ config(strategy='check', unique_key='id', check_cols='all') }}\n"
        f"select {columns} from {{{{ source('app', 'account') }}}}{{% endsnapshot %}}")


write("dbt_project.yml", "name: shop\nprofile: shop\nversion: 1.0.0\n")
write("profiles.yml", json.dumps({"shop": {"target": "test", "outputs": {"test": {"type": "postgres", "host": os.environ["PGHOST"],
    "port": int(os.environ["PGPORT"]), "user": os.environ["PGUSER"], "pass": "", "dbname": os.environ["PGDATABASE"],
    "schema": "warehouse", "threads": 1}}}}))
write("models/account.sql", "select id, upper(name) as name, refs from {{ source('app', 'account') }}")
write("models/models.yml", f"""
sources:
  - name: app
    tables:
      - name: account
        config: {{loaded_at_field: "id::timestamptz", freshness: {{warn_after: {{count: 1, period: hour}}}}}}
      - name: account_2
        identifier: account
        config: {{loaded_at_field: id, freshness: {{warn_after: {{count: 1, period: hour}}}}}}
unit_tests:
  - name: upper_case
    model: account
    given:
      - input: source('app', 'account')
        rows: [{{id: {A}, name: ann}}]
    expect:
      rows: [{{id: {A.lower()}, name: ANN}}]
""")
sql.execute("CREATE SCHEMA app; CREATE TABLE app.account (id ulid PRIMARY KEY DEFAULT gen_ulid(), name varchar(9), ref ulid, refs ulid[])")
sql.execute("INSERT INTO app.account VALUES (%s, 'ann', %s, %s::ulid[])", (A, B, [A, None]))
sql.execute("INSERT INTO app.account DEFAULT VALUES")

works("a model", "run", "--select", "account")
sql.execute("SELECT pg_typeof(id), pg_typeof(refs), id, name, refs FROM warehouse.account WHERE id = %s", [A])
equal("a model has the ids and their types", sql.fetchone(), ("ulid", "ulid[]", A, "ANN", f"{{{A},NULL}}"))
works("freshness by id::timestamptz", "source", "freshness", "--select", "source:app.account", state="pass")
write_models("id")
works("an incremental model", "run", "--select", "grown")
works("a snapshot", "snapshot")
write_models("id, ref, refs")

user = 'syntax error at or near "USER"'
fails(user, "without the macro, a unit test", "test", "--select", "upper_case")
fails(user, "without the macro, append_new_columns", "run", "--select", "grown")
fails(user, "without the macro, a snapshot that gains columns", "snapshot")
fails("Expected a timestamp value", "freshness by id", "source", "freshness", "--select", "source:app.account_2")

write("macros/ulid.sql", pathlib.Path("../../clients/dbt/ulid.sql").read_text())
works("with the macro, a unit test", "test", "--select", "upper_case", state="pass")
works("with the macro, append_new_columns", "run", "--select", "grown")
works("with the macro, a snapshot that gains columns", "snapshot")
for table in "grown", "kept":
    sql.execute(f"SELECT pg_typeof(ref), pg_typeof(refs), ref, refs FROM warehouse.{table} WHERE id = %s AND ref IS NOT NULL", [A])
    equal(f"{table} has the ids and their types", sql.fetchone(), ("ulid", "ulid[]", B, f"{{{A},NULL}}"))
sql.execute("SELECT count(*) FROM warehouse.kept WHERE id = %s", [A])
equal("the snapshot has both versions", sql.fetchone(), (2,))
