"""The type Ulid for pydantic, and so for FastAPI and SQLModel: a string in the server's spelling."""
from typing import Annotated

from pydantic import AfterValidator, WithJsonSchema

from . import parse

SCHEMA = {"type": "string", "format": "ulid"}
Ulid = Annotated[str, AfterValidator(parse), WithJsonSchema(SCHEMA)]
