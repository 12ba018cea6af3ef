"""Import this before the first ModelSchema. Gives the fields of ulids the type Ulid."""
from typing import Any

from ninja.orm import register_field

from pgulid import parse
from pgulid.pydantic import SCHEMA, Ulid

__all__ = ["Ulid"]


class Key(str):
    """Validates as Ulid. The elements of a many-to-many field are of a subclass that ninja makes."""

    def __new__(cls, value: object) -> Any:
        return parse(value)

    def __init_subclass__(cls) -> None:
        if "__get_pydantic_json_schema__" in vars(cls):  # knows only the types of Django's own keys
            del cls.__get_pydantic_json_schema__

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return handler(Ulid)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, str]:
        return SCHEMA


register_field("UlidField", Key)
