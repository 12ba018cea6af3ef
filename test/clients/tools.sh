# shellcheck shell=bash
# pgbench, pgloader and pgbouncer.
set -u
. ./tap.sh

# pgbench
cat >message.pgbench <<'END'
# doc/clients/tools.md: INSERT INTO
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
version=$(/usr/sbin/pgbouncer --version | sed -n 's/^PgBouncer 1\.\([0-9]*\).*/\1/p')
[ "$version" -lt 21 ] || echo 'max_prepared_statements = 100' >>bouncer/ini
as_postgres=()
[ "$(id -u)" != 0 ] || as_postgres=(setpriv --reuid=postgres --regid=postgres --clear-groups)
"${as_postgres[@]}" /usr/sbin/pgbouncer -q -d bouncer/ini
trap 'kill $(cat bouncer/pid maria/pid)' EXIT
pooled() { sql -h "$PWD/bouncer" -p 6432 "$@"; }
for _ in 1 2; do pooled -c 'SELECT pg_sleep(2)' >/dev/null & done
wait
yes 'SELECT pg_backend_pid(), gen_ulid(), gen_monotonic_ulid();' | head -n 1000 | pooled | tr '|' ' ' >pooled
equal "pgbouncer: one client is served by two sessions" "$(cut -d' ' -f1 pooled | sort -u | wc -l) $(wc -l <pooled)" "2 1000"
equal "pgbouncer: gen_ulid() is in order in each session" "$(sort -s -k1,1 pooled | sort -c -k1,2 2>&1)" ""
equal "pgbouncer: gen_monotonic_ulid() is in order in all" "$(sort -c -k3,3 pooled 2>&1)" ""
[ "$version" -lt 21 ] ||
    equal "pgbouncer: prepared" "$(pgbench -n -h "$PWD/bouncer" -p 6432 -M prepared -t 5 -f message.pgbench 2>&1 | grep -c 'processed: 5/5')" 1

# pgloader
sql -c 'TRUNCATE message'
cat >message.load <<'END'
LOAD CSV
     FROM 'message.csv' (id, body)
     INTO postgresql://{{PGUSER}}@unix:{{PGHOST}}:{{PGPORT}}/{{PGDATABASE}}?message (id, body)
     WITH fields terminated by ',';
END
printf '%s\n' 01HWT0D7G004HMASW9NF6YY081,x 01HWT3V34004HMASW9NF6YY0G2, 'not an id,y' >message.csv
output=$(HOME=$PWD pgloader message.load 2>&1)
equal "pgloader: exit status with an invalid id" $? 0
contains 'Database error 22P02: invalid input syntax for type ulid: "not an id"' "$output"
equal "the others are loaded" "$(sql -c "SELECT string_agg(id || coalesce(body, ''), ' ' ORDER BY id) FROM message")" \
    "01HWT0D7G004HMASW9NF6YY081x 01HWT3V34004HMASW9NF6YY0G2"

# pgloader from MariaDB, which does not run as root either
mkdir -m 777 maria
as_postgres+=(env TMPDIR="$PWD/maria")
"${as_postgres[@]}" mariadb-install-db --no-defaults --datadir="$PWD/maria/data" --auth-root-authentication-method=normal >maria/log 2>&1
"${as_postgres[@]}" /usr/sbin/mariadbd --no-defaults --datadir="$PWD/maria/data" --socket="$PWD/maria/socket" --pid-file="$PWD/maria/pid" \
    --bind-address=127.0.0.1 --port=3307 >>maria/log 2>&1 &
for _ in {1..60}; do mariadb -uroot -S maria/socket -e '' >/dev/null 2>&1 && break || sleep 1; done
mariadb -uroot -S maria/socket -e "CREATE DATABASE shop; USE shop; CREATE TABLE legacy (id binary(16) PRIMARY KEY, parent binary(16));
    INSERT INTO legacy VALUES (X'019b76daa800463e4d1b62a02a75858d', NULL), (X'0a0d005c2227800920ff0a0d00000000', X'019b76daa800463e4d1b62a02a75858d')"
cat >legacy.load <<'END'
# doc/clients/tools.md: LOAD DATABASE
END
HOME=$PWD pgloader legacy.load >>maria/log 2>&1
equal "pgloader: a BINARY(16) column becomes a ulid column" "$(sql -c "SELECT pg_typeof(id), id, parent FROM legacy ORDER BY id")" \
    "ulid|01KDVDNA008RZ4T6V2M0N7B1CD|
ulid|0A1M05R8H7G04J1ZRA1M000000|01KDVDNA008RZ4T6V2M0N7B1CD"
