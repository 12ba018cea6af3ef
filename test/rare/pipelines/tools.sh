# shellcheck shell=bash
# pgbench, pgloader and pgbouncer.
set -u
. ./tap.sh

# pgbench
cat >message.pgbench <<'END'
INSERT INTO message (body) VALUES ('hello') RETURNING id \gset
SELECT body FROM message WHERE id = :id;
SELECT count(*) FROM message WHERE id >= now() - interval '1 minute';
END
equal "pgbench" "$(pgbench -n -M prepared -t 5 -f message.pgbench 2>&1 | grep -c 'processed: 5/5')" 1
contains 'trailing junk after numeric literal at or near "01' "$(pgbench -n -M simple -t 1 -f message.pgbench 2>&1)"

# pgbouncer, with two sessions of the server that take turns. It does not run as root.
mkdir -m 777 bouncer
cat >bouncer/ini <<END
[databases]
* = host=$PGHOST port=${PGPORT:-5432} user=$PGUSER
[pgbouncer]
pool_mode = transaction
server_round_robin = 1
auth_type = any
listen_port = 6432
unix_socket_dir = $PWD/bouncer
pidfile = $PWD/bouncer/pid
END
as_postgres=()
[ "$(id -u)" != 0 ] || as_postgres=(setpriv --reuid=postgres --regid=postgres --clear-groups)
"${as_postgres[@]}" /usr/sbin/pgbouncer -q -d bouncer/ini
trap 'kill $(cat bouncer/pid)' EXIT
pooled() { sql -h "$PWD/bouncer" -p 6432 "$@"; }
for _ in 1 2; do pooled -c 'SELECT pg_sleep(2)' >/dev/null & done
wait
yes 'SELECT pg_backend_pid(), gen_ulid(), gen_monotonic_ulid();' | head -n 1000 | pooled | tr '|' ' ' >pooled
sessions=$(cut -d' ' -f1 pooled | sort -u | wc -l)
equal "pgbouncer: one client is served by two sessions" "$sessions $(wc -l <pooled)" "2 1000"
equal "pgbouncer: gen_ulid() is in order in each session" "$(sort -s -k1,1 pooled | sort -c -k1,2 2>&1)" ""
equal "pgbouncer: gen_monotonic_ulid() is in order in all" "$(sort -c -k3,3 pooled 2>&1)" ""

# pgloader
sql -c 'TRUNCATE message'
cat >message.load <<'END'
LOAD CSV
     FROM 'message.csv' (id, body)
     INTO postgresql://{{PGUSER}}@{{PGHOST}}:{{PGPORT}}/{{PGDATABASE}}?message (id, body)
     WITH fields terminated by ',';
END
printf '%s\n' 01HWT0D7G004HMASW9NF6YY081,x 01HWT3V34004HMASW9NF6YY0G2, 'not an id,y' >message.csv
output=$(HOME=$PWD pgloader message.load 2>&1)
equal "pgloader: exit status with an invalid id" $? 0
contains 'Database error 22P02: invalid input syntax for type ulid: "not an id"' "$output"
equal "the others are loaded" "$(sql -c "SELECT string_agg(id || coalesce(body, ''), ' ' ORDER BY id) FROM message")" \
    "01HWT0D7G004HMASW9NF6YY081x 01HWT3V34004HMASW9NF6YY0G2"
