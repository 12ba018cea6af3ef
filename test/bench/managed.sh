#!/bin/bash
# What the functions of clients/sql/ulid_sql.sql take: microseconds of processor time a call, in turn for some rounds, the
# median. Beside each the floor, what the server's own function for a uuid takes, and what the extension takes. On a
# server that the PG* variables name, and that has the extension; in a database of its own, which it removes.
#
#   test/bench/managed.sh [ROUNDS]
set -euo pipefail
rounds=${1:-9}
sql=$(cd "$(dirname "$0")/../../clients/sql" && pwd)/ulid_sql.sql
maintenance=${PGDATABASE:-postgres}
export PGDATABASE=ulid_bench_$$
createdb --maintenance-db="$maintenance" "$PGDATABASE"
trap 'dropdb --maintenance-db="$maintenance" "$PGDATABASE"' EXIT
psql -Xq -1 -f "$sql"
psql -Xq -c 'CREATE EXTENSION ulid' -c "CREATE TABLE value AS
    SELECT id, ulid_sql.ulid_to_text(id) AS text, id::text AS uuid FROM (SELECT ulid_sql.gen_random_ulid() AS id FROM generate_series(1, 100000)) v" \
    -c 'VACUUM ANALYZE value'

calls=('an id|gen_random_uuid()|ulid_sql.gen_ulid()|gen_ulid()'
    'a random id|gen_random_uuid()|ulid_sql.gen_random_ulid()|gen_random_ulid()'
    'an id of a time|gen_random_uuid()|ulid_sql.gen_ulid(now())|gen_ulid(now())'
    'to text|id::text|ulid_sql.ulid_to_text(id)|id::ulid::text'
    'from text|uuid::uuid|ulid_sql.ulid_from_text(text)|text::ulid'
    'is it one|uuid IS NOT NULL|ulid_sql.ulid_is_valid(text)|ulid_is_valid(text)'
    'its time|to_timestamp(length(text))|ulid_sql.ulid_timestamp(id)|ulid_timestamp(id::ulid)')

# Seconds of processor time, user and system, of the server for a call on every row.
seconds() {
    psql -X -c 'SET jit = off' -c 'SET max_parallel_workers_per_gather = 0' -c 'SET log_executor_stats = on' -c 'SET client_min_messages = log' \
        -c "SELECT count(x) FROM (SELECT $1 AS x FROM value OFFSET 0) v" 2>&1 |
        sed -n 's/^!.*\s\([0-9.]*\) s user, \([0-9.]*\) s system, .*/\1 \2/p' | awk '$1 + $2 > s { s = $1 + $2 } END { print s + 0 }'
}

for ((round = 0; round < rounds; round++)); do
    echo "nothing|0|$(seconds true)"
    for call in "${calls[@]}"; do
        IFS='|' read -r name floor here there <<<"$call"
        echo "$name|0|$(seconds "$floor")"
        echo "$name|1|$(seconds "$here")"
        echo "$name|2|$(seconds "$there")"
    done
done | sort -t '|' -k 1,2 -k 3n | awk -F '|' '
    function median(key) { return value[key, int((n[key] + 1) / 2)] * 10 }
    { key = $1 "|" $2; value[key, ++n[key]] = $3; if (!($1 in seen)) { seen[$1]; names[++count] = $1 } }
    END {
        printf "%-16s %8s %10s %10s\n", "microseconds", "floor", "ulid_sql", "extension"
        base = median("nothing|0")
        for (i = 1; i <= count; i++) if ((name = names[i]) != "nothing")
            printf "%-16s %8.2f %10.2f %10.2f\n", name, median(name "|0") - base, median(name "|1") - base, median(name "|2") - base
    }'
