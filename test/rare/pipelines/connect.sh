# shellcheck shell=bash
# A worker of Kafka Connect, without and with the converter, and Debezium's JDBC sink.
set -u
. ./tap.sh
broker=$(free_port) controller=$(free_port) rest=http://localhost:$(free_port)
A=01HWT0D7G004HMASW9NF6YY081 B=01HWT3V34004HMASW9NF6YY0G2 C=01HWT78YR004HMASW9NF6YY0R3
cat >broker <<END
process.roles=broker,controller
node.id=1
controller.listener.names=CONTROLLER
controller.quorum.voters=1@localhost:$controller
listeners=PLAINTEXT://localhost:$broker,CONTROLLER://localhost:$controller
log.dirs=topics
offsets.topic.replication.factor=1
END
cat >worker <<END
bootstrap.servers=localhost:$broker
listeners=$rest
key.converter=org.apache.kafka.connect.json.JsonConverter
value.converter=org.apache.kafka.connect.json.JsonConverter
offset.storage.file.filename=offsets
plugin.path=$work/venv/plugins
END
rm -rf topics offsets "$work/venv/plugins/source/pgulid"*
export CLASSPATH="$work/venv/kafka/*"
trap 'kill $(jobs -p)' EXIT
java kafka.tools.StorageTool format -t MkU3OEVBNTcwNTJENDM2Qk -c broker &>/dev/null
java kafka.Kafka broker &>/dev/null &
get() { curl -s "$rest/connectors${1:-}"; }
worker() {
    java org.apache.kafka.connect.cli.ConnectStandalone worker &>/dev/null &
    await '[]' get
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
connector() {
    printf '"%s"\n' "${@:2}" | sed 's/=/": "/' | paste -sd, | sed "s/.*/{\"name\": \"$1\", \"config\": {&}}/" |
        curl -s -o /dev/null -H 'Content-Type: application/json' -d @- "$rest/connectors"
}
page() {
    mapfile -t settings < <(sed -n '/^connector.class=/,/^```/p' "$work/checkout/doc/pipelines.md" | grep '=')
    connector source "${settings[@]}" database.hostname="$PGHOST" database.port="$PGPORT" database.dbname="$PGDATABASE"
}

sql -c 'CREATE SCHEMA app; CREATE SCHEMA sink; CREATE TABLE app.account (id ulid PRIMARY KEY, n int, ref ulid)' \
    -c "INSERT INTO app.account VALUES ('$A', 1)"
for table in ulid text uuid unset; do
    type=${table/unset/ulid}
    sql -c "CREATE TABLE sink.$table (id $type PRIMARY KEY, n int, ref $type)"
done
worker
page
await 'Unable to find class pgulid.debezium.UlidConverter' get /source/status
kill %+
wait %+
cp "$work/checkout/clients/debezium/target/pgulid-debezium-"?.?.?.jar "$work/venv/plugins/source"
worker
page
for table in ulid text uuid unset created; do
    [ $table = ulid ] && type=unspecified || type=varchar
    connector $table connector.class=io.debezium.connector.jdbc.JdbcSinkConnector topics=shop.app.account \
        connection.url="jdbc:postgresql://$PGHOST:$PGPORT/$PGDATABASE?stringtype=$type" connection.username=postgres \
        connection.password=x collection.name.format=sink.$table schema.evolution=basic insert.mode=upsert \
        primary.key.mode=record_key delete.enabled=true
done
arrive() {
    for table in "${@:2}"; do
        await "[$1]" sql -c "SELECT format('[%s]', string_agg(t::text, ' ' ORDER BY id)) FROM sink.$table AS t"
    done
}
arrive "($A,1,)" ulid text created unset
sql -c "INSERT INTO app.account VALUES ('$B', 2, '$A');
    UPDATE app.account SET n = 3, ref = '$B' WHERE id = '$A'"
arrive "($A,3,$B) ($B,2,$A)" ulid text created unset
sql -c "UPDATE app.account SET id = '$C' WHERE id = '$B'; DELETE FROM app.account WHERE id = '$A'"
arrive "($C,2,$A)" ulid text created
await 'operator does not exist: ulid = character varying' get /unset/status
await 'invalid input syntax for type uuid' get /uuid/status
