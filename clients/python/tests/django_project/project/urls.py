from django.http import HttpResponse
from django.urls import include, path

from chat.ninja_api import api
from chat.urls import urlpatterns as chat

urlpatterns = [
    *chat,
    path("api/", include("chat.api")),
    path("ninja/", api.urls),
    path("me/", lambda request: HttpResponse(request.user.pk)),
]
