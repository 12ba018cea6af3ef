import io
import pathlib
import re
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Column, ForeignKey, Integer, MetaData, create_engine, select, text
from sqlalchemy.dialects.postgresql import ARRAY, UUID
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session, declarative_base, relationship

from conftest import make_database
from pgulid.sqlalchemy import ULID, register_ulid

ENV = """
from alembic import context
from sqlalchemy import create_engine
import pgulid.sqlalchemy

with create_engine("postgresql+psycopg://").connect() as connection:
    context.configure(connection=connection, target_metadata=context.config.attributes["metadata"],
                      compare_type=True, compare_server_default=True)
    with context.begin_transaction():
        context.run_migrations()
"""


def boats(kind: Any, default: str) -> Any:
    base = declarative_base()

    class Boat(base):  # type: ignore[misc, valid-type]
        __tablename__ = "boat"
        id = Column(kind, primary_key=True, server_default=text(default))
        tender_id = Column(kind, ForeignKey("boat.id"))
        tender = relationship("Boat", remote_side=[id])
        seen = Column(ARRAY(kind))
        sails = Column(Integer, default=0)

    return Boat


Old, New = boats(UUID, "gen_random_uuid()"), boats(ULID, "gen_ulid()")


class Project:
    def __init__(self, path: pathlib.Path) -> None:
        self.config = Config(str(path / "alembic.ini"), stdout=io.StringIO())
        self.config.set_main_option("script_location", str(path / "revisions"))
        command.init(self.config, str(path / "revisions"))
        (path / "revisions/env.py").write_text(ENV)
        self.template, self.versions = path / "revisions/script.py.mako", path / "revisions/versions"

    def revision(self, name: str, metadata: MetaData) -> pathlib.Path:
        self.config.attributes["metadata"] = metadata
        command.revision(self.config, name, autogenerate=True)
        [path] = self.versions.glob(f"*_{name}.py")
        return path


@pytest.fixture
def project(database: str, tmp_path: pathlib.Path) -> Project:
    make_database(database)
    return Project(tmp_path)


def import_in_template(project: Project) -> None:
    template, line = project.template.read_text(), "import sqlalchemy as sa\n"
    project.template.write_text(template.replace(line, f"{line}import pgulid.sqlalchemy\n"))


def test_autogenerate(project: Project) -> None:
    path = project.revision("without_import", New.metadata)
    with pytest.raises(NameError, match="name 'pgulid' is not defined"):
        command.upgrade(project.config, "head")
    path.unlink()
    import_in_template(project)
    path = project.revision("first", New.metadata)
    create = '    op.execute("CREATE EXTENSION IF NOT EXISTS ulid")\n'
    path.write_text(re.sub(r"(def upgrade.*:\n)", rf"\g<1>{create}", path.read_text()))
    command.upgrade(project.config, "head")
    assert project.revision("second", New.metadata).read_text().count("op.") == 0


def test_without_the_extension(project: Project) -> None:
    with create_engine("postgresql+psycopg://").connect() as connection:
        Old.metadata.create_all(connection)
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        with pytest.raises(DBAPIError, match=r"function gen_ulid\(\) does not exist"):
            compare_metadata(context, New.metadata)


def test_keys_become_ulids_and_uuids_again(project: Project) -> None:
    """With references, arrays, and sessions that stay open."""
    import_in_template(project)
    engine = create_engine("postgresql+psycopg://")
    register_ulid(engine)

    def found() -> tuple[Any, ...]:
        with engine.connect() as connection:
            return tuple(connection.execute(text("""
                SELECT pg_typeof(b.id)::text, pg_typeof(b.seen)::text, pg_get_expr(adbin, adrelid), b.id::uuid::text, b.sails
                FROM boat b JOIN boat t ON t.id = b.tender_id AND t.id = ANY (b.seen)
                JOIN pg_attrdef ON adrelid = 'boat'::regclass""")).one())

    def opened(model: Any) -> tuple[Session, Any]:
        session = Session(engine)
        boat = session.scalars(select(model).where(model.tender_id.is_not(None))).one()
        assert (boat.tender.id, boat.seen) == (boat.tender_id, [boat.tender_id])
        session.commit()
        return session, boat

    def sail(session: Session, boat: Any) -> tuple[int, int]:
        try:
            boat.sails += 1
            boat.tender.sails += 1
            session.commit()
            return boat.sails, boat.tender.sails
        finally:
            session.rollback()

    project.revision("boats", Old.metadata)
    command.upgrade(project.config, "head")
    with Session(engine) as session:
        boat = Old(tender=Old())
        session.add(boat)
        session.flush()
        boat.seen = [boat.tender_id]
        session.commit()
        session.execute(text("CREATE EXTENSION ulid"))
        session.commit()
    engine.dispose()
    before = found()
    assert (before[:3], before[4:]) == (("uuid", "uuid[]", "gen_random_uuid()"), (0,))
    old = opened(Old)
    project.revision("to_ulid", New.metadata)
    command.upgrade(project.config, "head")
    assert found() == ("ulid", "ulid[]", "gen_ulid()", *before[3:])
    with pytest.raises(DBAPIError, match="invalid input syntax for type uuid"):
        sail(*old)
    new = opened(New)
    assert sail(*new) == (1, 1)
    command.downgrade(project.config, "-1")
    assert found() == (*before[:4], 1)
    assert sail(*new) == (2, 2)  # also while the columns are uuids
    assert sail(*old) == (3, 3)
    assert found() == (*before[:4], 3)
    for session, _ in old, new:
        session.close()
    engine.dispose()
