from django.shortcuts import get_object_or_404
from ninja import ModelSchema, NinjaAPI
from pgulid.django.ninja import Ulid  # before the first ModelSchema

from chat.models import Message, Room

class MessageOut(ModelSchema):
    class Meta:
        model = Message
        fields = ["id", "body", "mentions", "answers", "read"]

api = NinjaAPI()

@api.get("/messages/{pk}", response=MessageOut)
def message(request, pk: Ulid):
    return get_object_or_404(Message, pk=pk)


class RoomIn(ModelSchema):
    class Meta:
        model = Room
        fields = ["messages"]


class RoomOut(ModelSchema):
    class Meta:
        model = Room
        fields = ["id", "messages"]


@api.post("/rooms", response=RoomOut)
def make_room(request, room: RoomIn):
    made = Room.objects.create()
    made.messages.set(room.messages)
    return made
