"""SQLModel with FastAPI, and pandas, which use the type of SQLAlchemy."""
import warnings

import pandas
from fastapi import FastAPI, HTTPException
from sqlmodel import Session, create_engine

from tap import IDS, UUID, equal

warnings.simplefilter("ignore")  # of httpx
from fastapi.testclient import TestClient

# SQLModel and FastAPI.
# doc/clients/python.md: Ulid =


app = FastAPI()
engine = create_engine("postgresql+psycopg://")


@app.get("/messages/{id}")
def read(id: Ulid) -> Message:  # anything but a ULID or a UUID gets a 422
    with Session(engine) as session:
        if message := session.get(Message, id):
            return message
        raise HTTPException(404)


with Session(engine) as session:
    session.exec(text("DROP TABLE message"))
    SQLModel.metadata.create_all(session.connection())
    session.add_all(Message(id=id, body="x") for id in IDS[:2])
    session.commit()
    message = Message(answers=IDS[0].lower())
    session.add(message)
    session.flush()
    session.refresh(message)
    equal("SQLModel: the id comes back, and a reference", (len(message.id), message.answers), (26, IDS[0]))
    session.rollback()
    lower = {"answers": IDS[0].lower()}
    equal("SQLModel spells what model_validate reads, and not what a table model is made with",
          [Message.model_validate(lower).answers, Message(**lower).answers], [IDS[0], IDS[0].lower()])
client = TestClient(app)
equal("FastAPI", [client.get(f"/messages/{id}").json()["id"] for id in (IDS[1], IDS[1].lower(), UUID)], [IDS[1]] * 3)
equal("FastAPI: other ids", [client.get(f"/messages/{id}").status_code for id in ("nope", "8" + IDS[0][1:], "0" * 26)],
      [422, 422, 404])

# pandas.
frame = pandas.DataFrame({"id": [IDS[2]], "body": ["pandas"]})
frame.to_sql("message", engine, if_exists="append", index=False, dtype={"id": ULID})
frame.to_sql("fresh", engine, index=False, dtype={"id": ULID})
equal("pandas: ids are strings", pandas.read_sql("SELECT id FROM message ORDER BY id", engine)["id"].tolist(), IDS)
frame.to_sql("texts", engine, index=False)
query = "SELECT pg_typeof(t.id)::text, pg_typeof(f.id)::text FROM texts t, fresh f"
types = pandas.read_sql(query, engine).values.tolist()
equal("pandas: to_sql makes the column, which without dtype is text", types[0], ["text", "ulid"])
