# shellcheck shell=bash
# Grafana and Metabase: the statements that they make, written out as their manuals say.
set -u
. ./tap.sh
psql() { command psql -X -q -A -t -v ON_ERROR_STOP=1 "$@" 2>&1; }
psql -c "INSERT INTO message SELECT gen_ulid('2024-05-01 12:00+00'::timestamptz + i * interval '1 minute'), i FROM generate_series(0, 299) i" -c 'ANALYZE message'

# grafana COLUMN...: the macros, of the hour from 13:00.
grafana() {
    sed -E "s/\\\$__timeFilter\(([^)]*)\)/\1 BETWEEN '2024-05-01T13:00:00Z' AND '2024-05-01T14:00:00Z'/g
        s/\\\$__timeGroup\(([^,]*), *'1h'\)/floor(extract(epoch from \1)\/3600)*3600/g"
}
# The conditions of its plan that are the index's.
by_index() { psql -c "SET enable_seqscan = off" -c "EXPLAIN $1" | grep -c 'Index Cond'; }

mapfile -t queries < <(grafana <message_grafana.sql)
equal "Grafana: a series" "$(psql -c "${queries[0]}" | wc -l)" 61
equal "Grafana: groups" "$(psql -c "${queries[1]}" | cut -d'|' -f2 | xargs)" "60 1"
for query in "${queries[@]}"; do equal "Grafana: by the index" "$(by_index "$query")" 1; done
quotes 'invalid input syntax for type ulid: "2024-05-01T13:00:00Z"' "$(psql -c "$(grafana <<<"SELECT FROM message WHERE \$__timeFilter(id)")")"
quotes 'function date_trunc(unknown, ulid) does not exist' "$(psql -c "SELECT date_trunc('hour', id) FROM message")"

psql -f message_metabase.sql
between="made_at >= timestamp with time zone '2024-05-01 13:00:00.000Z' AND made_at < timestamp with time zone '2024-05-01 14:00:00.000Z'"
equal "Metabase: between two times" "$(psql -c "SELECT count(*) FROM message_with_time WHERE $between")" 60
equal "Metabase: by the index" "$(by_index "SELECT count(*) FROM message_with_time WHERE $between")" 1
equal "Metabase: by day" "$(psql -c "SELECT CAST(made_at AS date), count(*) FROM message_with_time GROUP BY 1 ORDER BY 1" | cut -d'|' -f2 | xargs)" "180 120"
quotes 'cannot cast type ulid to date' "$(psql -c 'SELECT CAST(id AS date) FROM message')"
equal "what reads the whole table, as the page says" "$(by_index "SELECT FROM message WHERE CAST(id AS timestamp) >= timestamp '2024-05-01'") $(by_index "SELECT FROM message_with_time WHERE CAST(made_at AS date) = date '2024-05-01'")" "0 0"
echo "1..$count"
