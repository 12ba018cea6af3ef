from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path

import pgulid.django  # registers <ulid:...>
from chat.models import Message

def message(request, pk):
    return HttpResponse(get_object_or_404(Message, pk=pk).body)

urlpatterns = [path("messages/<ulid:pk>/", message, name="message")]
