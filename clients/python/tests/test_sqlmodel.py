"""SQLModel with FastAPI, which use the type of SQLAlchemy."""
from collections.abc import Iterator

import pytest
from fastapi import FastAPI, HTTPException
from fastapi.testclient import TestClient
from sqlalchemy import Engine
from sqlmodel import Session, create_engine

from conftest import IDS, UUID

from sqlalchemy import Column, ForeignKey, text
from sqlmodel import Field, SQLModel
from pgulid.pydantic import Ulid
from pgulid.sqlalchemy import ULID

class Message(SQLModel, table=True):
    id: Ulid | None = Field(None, sa_column=Column(
        ULID, primary_key=True, server_default=text("gen_ulid()")))
    body: str | None = None
    answers: Ulid | None = Field(None, sa_column=Column(ULID, ForeignKey("message.id")))


@pytest.fixture(scope="module")
def engine(database: str) -> Iterator[Engine]:
    engine = create_engine("postgresql+psycopg://")
    with Session(engine) as session:
        session.exec(text("DROP TABLE message"))  # type: ignore[call-overload]
        SQLModel.metadata.create_all(session.connection())
        session.add_all(Message(id=id, body="x") for id in IDS[:2])
        session.commit()
    yield engine
    engine.dispose()


app = FastAPI()


@pytest.fixture(scope="module")
def client(engine: Engine) -> TestClient:
    @app.get("/messages/{id}")
    def read(id: Ulid) -> Message:  # anything but a ULID or a UUID gets a 422
        with Session(engine) as session:
            if message := session.get(Message, id):
                return message
            raise HTTPException(404)

    return TestClient(app)


def test_references(engine: Engine) -> None:
    with Session(engine) as session:
        message = Message(answers=IDS[0].lower())
        session.add(message)
        session.flush()
        session.refresh(message)
        assert (len(message.id or ""), message.answers) == (26, IDS[0])


def test_validation() -> None:
    """SQLModel spells what model_validate reads, and not what a table model is made with."""
    lower = {"answers": IDS[0].lower()}
    assert [Message.model_validate(lower).answers, Message(**lower).answers] == [IDS[0], IDS[0].lower()]


@pytest.mark.parametrize("id", [IDS[1], IDS[1].lower(), UUID])
def test_fastapi(client: TestClient, id: str) -> None:
    assert client.get(f"/messages/{id}").json()["id"] == IDS[1]


@pytest.mark.parametrize("id, status", [("nope", 422), ("8" + IDS[0][1:], 422), ("0" * 26, 404)])
def test_other_ids(client: TestClient, id: str, status: int) -> None:
    assert client.get(f"/messages/{id}").status_code == status


def test_openapi(client: TestClient) -> None:
    [parameter] = client.get("/openapi.json").json()["paths"]["/messages/{id}"]["get"]["parameters"]
    assert parameter["schema"]["format"] == "ulid"
