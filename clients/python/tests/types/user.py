"""What a user's file looks like to mypy --strict."""
import uuid
from collections.abc import Sequence
from typing import assert_type

import asyncpg
import psycopg
from pydantic import BaseModel
from sqlalchemy import create_engine, select, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

import pgulid
import pgulid.asyncpg
import pgulid.django.ninja
import pgulid.django.rest_framework
import pgulid.psycopg
from chat.models import Room
from pgulid.pydantic import Ulid
from pgulid.sqlalchemy import ULID, register_ulid


class Base(DeclarativeBase):
    pass


class Message(Base):
    __tablename__ = "message"
    id: Mapped[str] = mapped_column(ULID, primary_key=True, server_default=text("gen_ulid()"))


class Body(BaseModel):
    id: Ulid


def check(session: Session, room: Room, connection: psycopg.Connection) -> None:
    assert_type(pgulid.parse(uuid.UUID(int=0)), str)
    assert_type((pgulid.gen_ulid(), pgulid.gen_uuidv7()), tuple[str, uuid.UUID])
    register_ulid(create_engine("postgresql+psycopg://"))
    register_ulid(create_async_engine("postgresql+psycopg://"))
    query = select(Message.id).where(Message.id == "x", Message.id.startswith("01"))
    assert_type(session.scalars(query).all(), Sequence[str])
    assert_type(Body(id="x").id, str)
    assert_type(room.id, str)
    assert_type(room.last, str | None)
    Room(id=uuid.UUID(int=0), last=None)
    assert_type(Room.objects.filter(id__gte="x").get(pk=uuid.UUID(int=0)).id, str)
    pgulid.psycopg.register_ulid(connection)


async def pool() -> None:
    async with asyncpg.create_pool(init=pgulid.asyncpg.register_ulid) as made:
        await made.fetch("SELECT 1")
