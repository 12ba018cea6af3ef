"""dbt-postgres in the places where it writes a column's type, with the macro of clients/dbt and without it."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import psycopg2

sys.path.insert(0, ".")
from tap import IDS, equal

A, B = IDS[:2]
project = pathlib.Path(tempfile.mkdtemp(dir=".")).resolve()
database = psycopg2.connect("")
database.autocommit = True
sql = database.cursor()


def dbt(name, *arguments, fails=None):
    """Runs dbt. It succeeds, or fails with this message."""
    run = subprocess.run([pathlib.Path(sys.executable).parent / "dbt", *arguments, "--profiles-dir", "."], cwd=project,
        env={**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "False"}, capture_output=True, text=True)
    expected = fails or ("PASS" if arguments[0] == "source" else "PASS=1")
    right = expected in run.stdout and (run.returncode != 0) == bool(fails)
    equal(f"{name}: {expected}", expected if right else run.stdout, expected)


def write(path, text):
    (project / path).parent.mkdir(parents=True, exist_ok=True)
    (project / path).write_text(text)


def select(columns):
    """What an incremental model and a snapshot select."""
    query = f"select {columns} from {{{{ source('app', 'account') }}}}"
    write("models/grown.sql",
        "{{ config(materialized='incremental', unique_key='id', on_schema_change='append_new_columns') }}" + query)
    write("snapshots/kept.sql",
        "{% snapshot kept %}{{ config(strategy='check', unique_key='id', check_cols='all') }}" + query
        + "{% endsnapshot %}")


write("dbt_project.yml", "{name: shop, profile: shop}")
write("profiles.yml", json.dumps({"shop": {"target": "test", "outputs": {"test": {
    "type": "postgres", "host": os.environ["PGHOST"], "port": int(os.environ["PGPORT"]), "user": os.environ["PGUSER"],
    "pass": "", "dbname": os.environ["PGDATABASE"], "schema": "warehouse", "threads": 1}}}}))
write("models/account.sql", "select id, upper(name) as name, refs from {{ source('app', 'account') }}")
write("models/models.yml", f"""
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
sql.execute("CREATE SCHEMA app")
sql.execute("CREATE TABLE app.account (id ulid PRIMARY KEY, name varchar(9), ref ulid, refs ulid[])")
sql.execute(
    "INSERT INTO app.account VALUES (%s, 'ann', %s, %s::ulid[]), (gen_ulid(), NULL, NULL, NULL)", (A, B, [A, None]))

dbt("a model", "run", "--select", "account")
sql.execute("SELECT pg_typeof(id), pg_typeof(refs), id, name, refs FROM warehouse.account WHERE id = %s", [A])
equal("a model has the ids and their types", sql.fetchone(), ("ulid", "ulid[]", A, "ANN", f"{{{A},NULL}}"))
dbt("freshness by id::timestamptz", "source", "freshness", "--select", "source:app.account")
dbt("freshness by id", "source", "freshness", "--select", "source:app.account_2", fails="Expected a timestamp value")
select("id")
dbt("an incremental model", "run", "--select", "grown")
dbt("a snapshot", "snapshot")
select("id, ref, refs")
for macro in False, True:
    error = None if macro else 'syntax error at or near "USER"'
    if macro:
        write("macros/ulid.sql", pathlib.Path("../../clients/dbt/ulid.sql").read_text())
    dbt("a unit test", "test", "--select", "upper_case", fails=error)
    dbt("append_new_columns", "run", "--select", "grown", fails=error)
    dbt("a snapshot that gains columns", "snapshot", fails=error)
for table in "grown", "kept":
    sql.execute(f"SELECT pg_typeof(ref), pg_typeof(refs), ref, refs FROM warehouse.{table} WHERE ref IS NOT NULL")
    equal(f"{table} has the ids and their types", sql.fetchone(), ("ulid", "ulid[]", B, f"{{{A},NULL}}"))
