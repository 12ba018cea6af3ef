# shellcheck shell=bash
# A broker and a worker of Kafka Connect, which starts without and with the converter, and Debezium's JDBC sink.
set -u
. ./tap.sh
: "${work:?}"
broker=$(free_port) controller=$(free_port) rest=http://localhost:$(free_port)
A=01HWT0D7G004HMASW9NF6YY081 B=01HWT3V34004HMASW9NF6YY0G2 C=01HWT78YR004HMASW9NF6YY0R3
cat >broker <<END
process.roles=broker,controller
node.id=1
controller.listener.names=CONTROLLER
controller.quorum.voters=1@localhost:$controller
listeners=PLAINTEXT://localhost:$broker,CONTROLLER://localhost:$controller
log.dirs=$PWD/topics
offsets.topic.replication.factor=1
END
cat >worker <<END
bootstrap.servers=localhost:$broker
listeners=$rest
key.converter=org.apache.kafka.connect.json.JsonConverter
value.converter=org.apache.kafka.connect.json.JsonConverter
offset.storage.file.filename=$PWD/offsets
plugin.path=$PWD/plugins
END
cp -r "$work/connect/plugins" .
kafka=(java -cp "$work/connect/kafka/*")
trap 'kill $(jobs -p)' EXIT
"${kafka[@]}" kafka.tools.StorageTool format -t MkU3OEVBNTcwNTJENDM2Qk -c broker >/dev/null 2>&1
"${kafka[@]}" kafka.Kafka broker >/dev/null 2>&1 &
get() { curl -s "$rest/connectors$1"; }
worker() {
    "${kafka[@]}" org.apache.kafka.connect.cli.ConnectStandalone worker >/dev/null 2>&1 &
    await '[]' get ''
}
await() { # TEXT COMMAND...: until it prints the text
    local output
    for _ in {1..60}; do
        output=$("${@:2}")
        [[ $output != *"$1"* ]] || break
        sleep 1
    done
    contains "$1" "$output"
}
connector() { # NAME SETTING...: with those of stdin before
    { cat; printf '%s\n' "${@:2}"; } | sed 's/\([^=]*\)=\(.*\)/"\1": "\2"/' | paste -sd, |
        sed "s/.*/{\"name\": \"$1\", \"config\": {&}}/" |
        curl -s -o /dev/null -H 'Content-Type: application/json' -d @- "$rest/connectors"
}
from_page() { # the block of the page
    sed -n '/^connector.class=.*Postgres/,/^```/p' "$work/checkout/doc/pipelines.md" | grep '=' |
        connector source database.hostname="$PGHOST" database.port="$PGPORT" \
            database.dbname="$PGDATABASE"
}
rows() { sql -c "SELECT format('[%s]', string_agg(t::text, ' ' ORDER BY id)) FROM sink.$1 AS t"; }

sql -c 'CREATE SCHEMA app' -c 'CREATE SCHEMA sink' \
    -c 'CREATE TABLE app.account (id ulid PRIMARY KEY, n int, ref ulid)' \
    -c "INSERT INTO app.account VALUES ('$A', 1)"
for table in ulid text uuid unset; do
    type=${table/unset/ulid}
    sql -c "CREATE TABLE sink.$table (id $type PRIMARY KEY, n int, ref $type)"
done
worker
from_page
await 'Unable to find class pgulid.debezium.UlidConverter' get /source/status
kill %+
wait %+
cp "$work/checkout/clients/debezium/target/pgulid-debezium-"?.?.?.jar plugins/source
worker
from_page
for table in ulid text uuid unset created; do
    [ $table = ulid ] && type=unspecified || type=varchar # the default
    connector $table connection.url="jdbc:postgresql://$PGHOST:$PGPORT/$PGDATABASE?stringtype=$type" connection.username=postgres connection.password=x \
        topics=shop.app.account collection.name.format=sink.$table schema.evolution=basic <<'END'
connector.class=io.debezium.connector.jdbc.JdbcSinkConnector
connection.url=jdbc:postgresql://localhost:5432/warehouse?stringtype=unspecified
insert.mode=upsert
primary.key.mode=record_key
delete.enabled=true
END
done
arrive() { for table in "${@:2}"; do await "[$1]" rows "$table"; done; }
arrive "($A,1,)" ulid text created unset
sql -c "INSERT INTO app.account VALUES ('$B', 2, '$A')" \
    -c "UPDATE app.account SET n = 3, ref = '$B' WHERE id = '$A'"
arrive "($A,3,$B) ($B,2,$A)" ulid text created unset
sql -c "UPDATE app.account SET id = '$C' WHERE id = '$B'" -c "DELETE FROM app.account WHERE id = '$A'"
arrive "($C,2,$A)" ulid text created
await 'operator does not exist: ulid = character varying' get /unset/status
await 'invalid input syntax for type uuid' get /uuid/status
