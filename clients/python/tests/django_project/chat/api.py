from rest_framework import routers, serializers, viewsets

import pgulid.django.rest_framework  # before the first ModelSerializer is used
from chat.models import Message


class MessageSerializer(serializers.ModelSerializer):
    class Meta:
        model = Message
        fields = ["id", "body", "mentions", "answers", "read"]


class MessageViewSet(viewsets.ModelViewSet):
    queryset = Message.objects.all()
    serializer_class = MessageSerializer


router = routers.DefaultRouter()
router.register("messages", MessageViewSet)
urlpatterns = router.urls
