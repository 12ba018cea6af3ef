"""sqlacodegen: the models that it writes are those of the table."""
import subprocess

try:
    import sqlacodegen  # noqa: F401
except ImportError:
    print("1..0 # SKIP sqlacodegen is not packaged here")
    raise SystemExit
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from tap import done, equal, fails

from message_sqlalchemy import Base, engine

with engine.begin() as connection:
    connection.execute(text("DROP TABLE message"))
Base.metadata.create_all(engine)
subprocess.run(["bash", "message_sqlacodegen.sh"], check=True)
from models import Base as Written, Message  # noqa: E402

columns = ("SELECT array_agg(attname || ' ' || format_type(atttypid, atttypmod) ORDER BY attnum) FROM pg_attribute"
           " WHERE attrelid = 'message'::regclass AND attnum > 0")
with engine.begin() as connection:
    wanted = ["id ulid", "body text", "answers ulid", "mentions ulid[]"]
    equal("the table", connection.execute(text(columns)).scalar(), wanted)
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    equal("no difference to the models", compare_metadata(context, Written.metadata), [])
    connection.execute(text("DROP TABLE message"))
Written.metadata.create_all(engine)
with engine.begin() as connection:
    equal("the table that the models make", connection.execute(text(columns)).scalar(), wanted)
    id = connection.execute(Message.__table__.insert().returning(Message.id)).scalar()
    equal("an id comes back", len(id), 26)
by_itself = subprocess.run(["sqlacodegen", "postgresql+psycopg2://"], capture_output=True, text=True)


def warning():
    raise UserWarning(by_itself.stderr)


fails("Did not recognize type 'ulid' of column 'id'", warning)
equal("by itself", "id: Mapped[Any] = mapped_column(NullType" in by_itself.stdout, True)
done()
