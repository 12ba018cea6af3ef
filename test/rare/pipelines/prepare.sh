# shellcheck shell=bash disable=SC2034,SC2164 # for run, which runs them by bash -e
# Sourced by test/rare/clients/run, as packages.sh is: the tools without a package.

# A database with the table message, as PGDATABASE, in a copy of the directory of the tests.
message() {
    cp -r "$work/checkout/test/rare/pipelines" "$work/$1.files"
    cd "$work/$1.files"
    createdb "$1"
    export PGDATABASE=$1
    psql -X -q -v ON_ERROR_STOP=1 -f message.sql
}

# The directory of a JDK: Trino needs Java 22.
jdk() {
    local java
    for java in java /usr/lib/jvm/*/bin/java; do
        "$java" -version 2>&1 | grep -E 'version "(2[2-9]|[3-9])' >/dev/null || continue
        dirname "$(readlink -f "$(command -v "$java")")"
        return
    done
}
libraries() { # GROUP VERSION LIBRARY LIBRARY GOAL...
    maven -f "$work/checkout/test/rare/pipelines" -Dgroup="$1" -Drelease="$2" -Dfirst="$3" -Dsecond="$4" "${@:5}"
}
prepare_trino() {
    cd "$work/checkout/test/rare/pipelines"
    [ -n "$(jdk)" ] || { echo "there is no Java 22"; exit 77; }
    libraries io.trino 449 trino-testing trino-postgresql dependency:build-classpath \
        -Dmdep.outputFile="$work/trino.path"
    "$(jdk)/javac" -d "$work/trino" -cp "$(cat "$work/trino.path")" Trino.java
}
test_trino() {
    message trino
    "$(jdk)/java" --add-opens=java.base/java.{lang,util}=ALL-UNNAMED -cp "$work/trino:$(cat "$work/trino.path")" \
        pipelines.Trino
}

prepare_python_tools() {
    cd "$work/checkout/test/rare/pipelines"
    [ -d "$work/venv/pipelines" ] || venv pipelines "$(newest_python 13)" -r requirements.txt
}
# Great Expectations fixes other versions of what both need.
prepare_warehouses() {
    venv warehouses "$(newest_python 13)" -r "$work/checkout/test/rare/pipelines/warehouses.txt" "$work/checkout/clients/python"
}
test_warehouses() { message warehouses; "$work/venv/warehouses/bin/python" warehouses.py 2>/dev/null; }

prepare_postgraphile() {
    npm install --no-package-lock --no-audit --no-fund --loglevel=error --prefix "$work/postgraphile" \
        postgraphile@5.1.5 graphql@16 pg@8
    cp "$work"/checkout/test/rare/pipelines/*.mjs "$work/postgraphile"
}
test_postgraphile() { message postgraphile; GRAPHILE_ENV=production node "$work/postgraphile/postgraphile.mjs" 2>/dev/null; }

test_python_tools() { message python_tools; "$work/venv/pipelines/bin/python" python_tools.py; }

prepare_spark() {
    prepare_python_tools
    cd "$work"
    maven dependency:copy -Dartifact=org.postgresql:postgresql:42.7.11 -Dmdep.stripVersion -DoutputDirectory="$work"
}
test_spark() { message spark; "$work/venv/pipelines/bin/python" spark.py "$work/postgresql.jar"; }

# hibernate-agroal, for the sink 3.6, was not to be had.
prepare_connect() {
    local copy=dependency:copy-dependencies to=-DoutputDirectory=$work/venv
    libraries org.apache.kafka 4.3.0 kafka_2.13 connect-runtime $copy "$to/kafka"
    libraries io.debezium 3.6.0.Final debezium-api debezium-connector-postgres $copy "$to/plugins/source"
    libraries io.debezium 3.5.0.Final debezium-api debezium-connector-jdbc $copy "$to/plugins/sink"
    # Kafka has these.
    rm "$work"/venv/plugins/*/jackson-{core,databind,annotations}-*
    clients debezium
    maven package -DskipTests
}
test_connect() { message connect; bash connect.sh; }

prepare_bi() { command -v psql; }
test_bi() { message bi; bash bi.sh; }

prepare_tools() { command -v pgbench pgbouncer pgloader; }
test_tools() { message tools; bash tools.sh; }
