# The extension on the official image of PostgreSQL, its files alone added to it:
#
#     docker build --build-arg PG_MAJOR=18 -t postgres-ulid:18 .
#
# The files as an image of their own, which is mounted beside a server (18 and later):
#
#     docker build --build-arg PG_MAJOR=18 --target files -t ulid-files:18 .
#
# BASE is another image with the server and the Debian packages of its major version.
ARG PG_MAJOR=18
ARG BASE=docker.io/library/postgres:${PG_MAJOR}

FROM ${BASE} AS build
ARG PG_MAJOR
USER root
RUN apt-get update && \
    apt-get install -y --no-install-recommends g++ make "postgresql-server-dev-$PG_MAJOR"
COPY . /src
RUN make -C /src clean all install \
        PG_CONFIG="/usr/lib/postgresql/$PG_MAJOR/bin/pg_config" DESTDIR=/installed && \
    mkdir -p /files/lib /files/share && \
    cp "/installed/usr/lib/postgresql/$PG_MAJOR/lib/ulid.so" /files/lib && \
    cp -r "/installed/usr/share/postgresql/$PG_MAJOR/extension" /files/share

FROM scratch AS files
COPY --from=build /files/ /

FROM ${BASE}
COPY --from=build /installed/ /
