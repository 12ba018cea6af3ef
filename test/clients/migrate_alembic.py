"""Alembic: what autogenerate writes makes the table, and finds no difference afterwards."""
import io
import pathlib
import re

import alembic
from alembic import command
from alembic.config import Config
from sqlalchemy import text

from tap import IDS, done, equal, fails, restored

from message_sqlalchemy import engine

print("# Alembic", alembic.__version__)
with engine.begin() as connection:
    connection.execute(text("DROP TABLE message"))
config = Config("alembic.ini", stdout=io.StringIO())
config.set_main_option("script_location", "revisions")
command.init(config, "revisions")
env = pathlib.Path("alembic_env.py").read_text()
pathlib.Path("revisions/env.py").write_text(env.replace("render_item=render_item,", ""))
command.revision(config, "unrendered", autogenerate=True)
fails("name 'ulid_sqlalchemy' is not defined", lambda: command.upgrade(config, "head"))
[unrendered] = pathlib.Path("revisions/versions").glob("*.py")
unrendered.unlink()
pathlib.Path("revisions/env.py").write_text(env)

command.revision(config, "first", autogenerate=True)
[first] = pathlib.Path("revisions/versions").glob("*.py")
equal("the migration has the columns", [wanted for wanted in [
    "from ulid_sqlalchemy import ULID", "sa.Column('id', ULID(), server_default=sa.text('gen_ulid()'), nullable=False)",
    "sa.Column('answers', ULID(), nullable=True)", "ARRAY(ULID())"] if wanted not in first.read_text()], [])
# The extension first, as the page of all clients says.
rows = f"op.bulk_insert(sa.table('message', sa.column('id', ULID()), sa.column('body', sa.Text)), [{{'id': {IDS[0]!r}, 'body': 'first'}}])"
first.write_text(re.sub(r"(def upgrade.*:\n)", r"\1    op.execute('CREATE EXTENSION IF NOT EXISTS ulid')\n", first.read_text()).replace(
    "    # ### end", f"    {rows}\n    # ### end", 1))
command.upgrade(config, "head")
with engine.connect() as connection:
    equal("it makes them", connection.execute(text(
        "SELECT array_agg(format_type(atttypid, atttypmod) ORDER BY attnum) FROM pg_attribute"
        " WHERE attrelid = 'message'::regclass AND attnum > 0")).scalar(), ["ulid", "text", "ulid", "ulid[]"])
command.revision(config, "second", autogenerate=True)
[second] = [path for path in pathlib.Path("revisions/versions").glob("*.py") if path != first]
equal("and there is no difference afterwards", second.read_text().count("op."), 0)
command.upgrade(config, "head")
alembic = "PYTHONPATH=. /usr/bin/python3 -m alembic "
equal("restored from upgrade --sql, it goes on", restored(
    alembic + "upgrade head --sql | psql -q -v ON_ERROR_STOP=1",
    alembic + "upgrade head; " + alembic + "revision --autogenerate -m third >&2; psql -A -t -c 'SELECT id FROM message';"
    "grep -c op[.] revisions/versions/*third.py"), f"same\n{IDS[0]}\n0\n")
command.downgrade(config, "base")
with engine.connect() as connection:
    equal("down again", connection.execute(text("SELECT to_regclass('message') IS NULL")).scalar(), True)
done()
