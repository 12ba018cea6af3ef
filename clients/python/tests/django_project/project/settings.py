import os

SECRET_KEY = "test"
ALLOWED_HOSTS = ["testserver"]
ROOT_URLCONF = "project.urls"
# test_django_move.py makes the migrations of these.
MOVED = ["people", "shop"] if "PGULID_TEST_MOVE" in os.environ else []
AUTH_USER_MODEL = "people.User" if MOVED else "auth.User"
TIME_ZONE = "Asia/Tokyo"
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# And PGHOST etc.
NAME = os.environ.get("PGULID_TEST_DJANGO", "pgulid")
DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": NAME}}
INSTALLED_APPS = [
    "django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.messages",
    "django.contrib.postgres", "django.contrib.sessions", "rest_framework", "drf_spectacular", "chat", *MOVED,
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {
    "context_processors": ["django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
                           "django.contrib.messages.context_processors.messages"]}}]
REST_FRAMEWORK = {"DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema"}
