"""The type Ulid for pydantic, and so for FastAPI and SQLModel: a string in the server's spelling."""
from typing import Annotated

from pydantic import AfterValidator, WithJsonSchema

from . import parse

Ulid = Annotated[str, AfterValidator(parse), WithJsonSchema({"type": "string", "format": "ulid"})]
