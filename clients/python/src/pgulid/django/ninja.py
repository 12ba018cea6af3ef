"""Import this before the first ModelSchema. Gives the fields of ulids the type Ulid."""
from typing import Annotated, Any

from ninja.orm import fields, register_field
from pydantic import BeforeValidator

from pgulid.pydantic import Ulid

__all__ = ["Ulid"]

register_field("UlidField", Ulid)
# ninja's type for the elements of a many-to-many field knows only the types of Django's own keys.
_Link = Annotated[Ulid, BeforeValidator(lambda value: getattr(value, "pk", value))]
_link = fields.create_m2m_link_type
fields.create_m2m_link_type = lambda type_: _Link if type_ is Ulid else _link(type_)
