#!/bin/bash
# What the extension costs a query that has no ulid: the machine instructions of planning it, counted by callgrind
# (Debian: valgrind), in a database with the extension and the library preloaded and in one without either. The
# count does not depend on how busy the machine is. Takes a minute or two, on a throw-away server.
#
#   test/bench/planning.sh
set -euo pipefail
# shellcheck source=test/machine/common
. "$(dirname "$0")/../machine/common"
work=$(mktemp -d "${TMPDIR:-/tmp}/ulid-planning.XXXXXX")
chmod 755 "$work"
bin=$("$PG_CONFIG" --bindir)
stop() { (cd / && as_server "$bin/pg_ctl" stop --pgdata="$work/server/data" --mode=fast --silent --wait); }
trap 'stop 2>/dev/null || true; rm -rf "$work"' EXIT
"$(dirname "$0")/../machine/server" start "$work/server"

for database in bare extended; do
    psql=("$bin/psql" -Xq -h "$work/server" -U postgres)
    "${psql[@]}" -c "CREATE DATABASE $database"
    "${psql[@]}" -d $database <<'SQL'
DO $$BEGIN
    FOR k IN 0..4 LOOP
        EXECUTE format('CREATE TABLE plain_%1$s (id uuid PRIMARY KEY, at timestamptz, n int);
                        CREATE INDEX ON plain_%1$s (at); CREATE INDEX ON plain_%1$s (n)', k);
    END LOOP;
    CREATE TABLE parted (id uuid, at timestamptz, n int) PARTITION BY RANGE (n);
    FOR i IN 0..99 LOOP
        EXECUTE format('CREATE TABLE parted_%s PARTITION OF parted FOR VALUES FROM (%s) TO (%s)', i, i, i + 1);
    END LOOP;
END$$
SQL
done
"${psql[@]}" -d extended -c 'CREATE EXTENSION ulid'
stop

# instructions DATABASE TIMES QUERY: of a server that plans the query so many times.
instructions() {
    local options=()
    [ "$1" = bare ] || options=(-c shared_preload_libraries=ulid)
    # Single-user mode: one line is one statement.
    echo "DO \$x\$DECLARE plan text; BEGIN FOR i IN 1 .. $2 LOOP EXECUTE 'EXPLAIN ' || \$q\$$3\$q\$ INTO plan; END LOOP; END\$x\$" |
        (cd / && as_server valgrind --tool=callgrind --callgrind-out-file=/dev/null \
            "$bin/postgres" --single -D "$work/server/data" "${options[@]}" "$1" 2>&1) |
        sed -n 's/.*Collected : //p'
}

# compare NAME TIMES QUERY: what the query takes in each, less what starting and stopping take.
compare() {
    local counts=() database few many
    for database in bare extended; do
        few=$(instructions $database 5 "$3")
        many=$(instructions $database $(($2 + 5)) "$3")
        counts+=($(((many - few) / $2)))
    done
    awk -v name="$1" -v without="${counts[0]}" -v with="${counts[1]}" \
        'BEGIN { printf "%-16s %9d instructions without, %9d with the extension: %.4f\n", name, without, with, with / without }'
}

compare "simple select" 300 "SELECT n FROM plain_0 WHERE at >= now() - interval '1 h' AND n < 7"
compare "5-way join" 60 "SELECT FROM plain_0 JOIN plain_1 USING (id) JOIN plain_2 USING (id) JOIN plain_3 USING (id) \
JOIN plain_4 USING (id) WHERE plain_0.at < now()"
compare "100 partitions" 12 "SELECT FROM parted WHERE at < now()"
