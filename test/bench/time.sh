#!/bin/bash
# Benchmark of "time is the index", against the goals that it names. Not for CI: takes some minutes
# and 2 GB, on a server that has nothing else to do.
#
#   time.sh [ROWS]     10,000,000 rows by default, over the 30 days until now
#
# The server is the one that PGHOST and so on name; PG_CONFIG says where psql and pgbench are.
# Makes a database ulid_bench there, and drops it at the end unless KEEP is set.
set -euo pipefail
rows=${1:-10000000}
bin=$("${PG_CONFIG:-pg_config}" --bindir)
psql() { "$bin/psql" -XqAt -v ON_ERROR_STOP=1 -d "${database:-ulid_bench}" "$@"; }
work=$(mktemp -d)
trap 'rm -rf "$work"; [ -n "${KEEP:-}" ] || database=postgres psql -c "DROP DATABASE IF EXISTS ulid_bench"' EXIT

database=postgres psql -c 'DROP DATABASE IF EXISTS ulid_bench' -c 'CREATE DATABASE ulid_bench'
echo "# making $rows rows"
psql <<SQL
CREATE EXTENSION ulid;
-- When the 30 days end; whole milliseconds, as the bounds of partitions are.
CREATE TABLE clock AS SELECT date_trunc('milliseconds', now()) AS at;
CREATE TABLE events (id ulid, n bigint);
INSERT INTO events
SELECT gen_ulid(at - interval '30 days' + i * (interval '30 days' / $rows)), i
FROM clock, generate_series(0, $rows - 1) AS i;
CREATE TABLE log AS TABLE events;
ALTER TABLE events ADD PRIMARY KEY (id);
CREATE INDEX log_brin ON log USING brin (id);
CREATE TABLE daily (id ulid PRIMARY KEY, n bigint) PARTITION BY RANGE (id);
DO \$\$
BEGIN
    FOR d IN 0..30 LOOP
        EXECUTE format('CREATE TABLE daily_%s PARTITION OF daily FOR VALUES FROM (%L) TO (%L)', d,
                       ulid_min(at + (d - 30) * interval '1 day'),
                       ulid_min(at + (d - 29) * interval '1 day')) FROM clock;
    END LOOP;
END \$\$;
INSERT INTO daily TABLE events;
VACUUM ANALYZE;
SQL

# latency SQL SECONDS: the mean latency of a query, in ms.
latency() {
    printf '%s\n' "$1" >"$work/query.sql"
    PGOPTIONS="${3:-}" "$bin/pgbench" -n -M "${protocol:-prepared}" -T "$2" -f "$work/query.sql" ulid_bench |
        sed -n 's/^latency average = \([0-9.]*\) ms/\1/p'
}

# compare NAME A B: the median ratio of the latencies of two queries, drawn by turns so that whatever
# else the machine does falls on both.
compare() {
    local ratios=() i
    printf '%s\n' "$2" >"$work/a.sql"
    printf '%s\n' "$3" >"$work/b.sql"
    for i in 1 2 3 4 5 6 7; do
        ratios+=("$("$bin/pgbench" -n -M "${protocol:-prepared}" -T 5 -f "$work/a.sql" -f "$work/b.sql" ulid_bench |
            awk '/^ - latency average/ { ms[++n] = $5 } END { printf "%.3f (%s ms by %s ms)", ms[1] / ms[2], ms[1], ms[2] }')")
    done
    echo "$1: $(printf '%s\n' "${ratios[@]}" | sort -n | sed -n 4p)"
}

at=$(psql -c 'SELECT at FROM clock')
hour="'$at'::timestamptz - interval '1 hour'"
bound=$(psql -c "SELECT ulid_min($hour)")
# The hour is that before the end of the data, so that it is the same for all.
recent="least(now(), '$at'::timestamptz) - interval '1 hour'"

echo "# an hour by time against by a hand-written bound (goal: 1.05)"
compare 'stable expression' "SELECT sum(n) FROM events WHERE id >= $recent;" \
    "SELECT sum(n) FROM events WHERE id >= '$bound';"
compare 'cast' "SELECT sum(n) FROM events WHERE id::timestamptz >= $recent;" \
    "SELECT sum(n) FROM events WHERE id >= '$bound';"
protocol=simple compare 'planned each time' "SELECT sum(n) FROM events WHERE id >= $recent;" \
    "SELECT sum(n) FROM events WHERE id >= '$bound';"

echo "# estimated rows by actual (goal: 0.5 to 2)"
psql -F ' ' <<SQL
CREATE FUNCTION pg_temp.estimate(condition text) RETURNS float8 LANGUAGE plpgsql AS \$\$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) SELECT FROM events WHERE ' || condition INTO plan;
    RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END \$\$;
CREATE FUNCTION pg_temp.actual(condition text) RETURNS float8 LANGUAGE plpgsql AS \$\$
DECLARE result float8;
BEGIN
    EXECUTE 'SELECT count(*) FROM events WHERE ' || condition INTO result;
    RETURN result;
END \$\$;
SELECT span, place, round((pg_temp.estimate(c) / pg_temp.actual(c))::numeric, 2)
FROM clock, unnest('{1 hour,1 day,7 days}'::interval[]) AS span,
     LATERAL (SELECT 'from the end', format('id >= %L::timestamptz', at - span)
              UNION ALL
              SELECT 'until ' || until, format('id BETWEEN %L::timestamptz AND %L::timestamptz', at - until - span, at - until)
              FROM unnest('{3 days,10 days,22 days 05:17}'::interval[]) AS until) AS conditions (place, c);
SQL

echo "# planning time with 1000 bounds and with 100 in the histogram, ms"
plan="EXPLAIN SELECT n FROM events WHERE id >= $recent;"
fine=$(protocol=simple latency "$plan" 4)
psql -c 'ALTER TABLE events ALTER COLUMN id SET STATISTICS 10' -c 'ANALYZE events'
ordinary=$(protocol=simple latency "$plan" 4)
psql -c 'ALTER TABLE events ALTER COLUMN id SET STATISTICS -1' -c 'ANALYZE events'
echo "$fine $ordinary"

echo "# partitions touched by a condition on one day, of 31 (goal: 1)"
psql -c "EXPLAIN (COSTS OFF) SELECT count(*) FROM daily WHERE id >= '$at'::timestamptz - interval '10 days' AND id < '$at'::timestamptz - interval '9 days'" |
    grep -c ' on daily_'

echo "# BRIN: size of the btree by its size (goal: 500)"
psql -c "SELECT pg_size_pretty(pg_relation_size('events_pkey')), pg_size_pretty(pg_relation_size('log_brin')), pg_relation_size('events_pkey') / pg_relation_size('log_brin')"
echo "# BRIN: sequential scan by bitmap scan, of the hour (goal: 20)"
query="SELECT sum(n) FROM log WHERE id >= $recent;"
psql -c "EXPLAIN (COSTS OFF) $query"
brin=$(latency "$query" 3)
scan=$(latency "$query" 10 '-c enable_bitmapscan=off -c max_parallel_workers_per_gather=0')
parallel=$(latency "$query" 10 '-c enable_bitmapscan=off')
echo "bitmap $brin ms, sequential $scan ms, parallel sequential $parallel ms: $(echo "scale=1; $scan / $brin" | bc) and $(echo "scale=1; $parallel / $brin" | bc) times"
