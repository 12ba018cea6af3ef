#!/bin/bash
# What a change of type from uuid to ulid takes: time, writes and locks, against a change of type
# that rewrites the table, on the server that PGHOST, PGUSER and PGDATABASE name.
#
#   alter_type.sh [ROWS]    10000000 if not said
set -euo pipefail
rows=${1:-10000000}

sql() { psql -X -q -v ON_ERROR_STOP=1 -At "$@"; }

# measure LABEL STATEMENT: milliseconds, MB of WAL, and whether the table's file is the same
measure() {
    sql -v label="$1" <<SQL
CHECKPOINT;
SELECT pg_relation_filenode('alter_type_bench') AS file, pg_current_wal_insert_lsn() AS lsn, clock_timestamp() AS start \gset
$2;
SELECT format('%-52s %8s ms  %6s MB of WAL  %s', :'label',
    round(extract(epoch FROM clock_timestamp() - :'start') * 1000),
    round((pg_current_wal_insert_lsn() - :'lsn') / 1e6),
    CASE WHEN pg_relation_filenode('alter_type_bench') = :file THEN 'same file' ELSE 'rewritten' END);
SQL
}

load() {
    sql -c "DROP TABLE IF EXISTS alter_type_bench" \
        -c "CREATE TABLE alter_type_bench (id uuid, n integer, payload text)" \
        -c "INSERT INTO alter_type_bench SELECT gen_random_uuid(), n, md5(n::text) FROM generate_series(1, $rows) n" \
        -c "VACUUM (ANALYZE, FREEZE) alter_type_bench"
}

sql -c "SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS ulid"
sql -c "SELECT split_part(version(), ' ', 2) || ', $rows rows, maintenance_work_mem ' || current_setting('maintenance_work_mem')
    || ', ' || current_setting('max_parallel_maintenance_workers') || ' parallel maintenance workers'"

load
echo "without an index:"
measure "uuid to ulid" "ALTER TABLE alter_type_bench ALTER COLUMN id TYPE ulid"
measure "ulid to uuid" "ALTER TABLE alter_type_bench ALTER COLUMN id TYPE uuid"
measure "uuid to ulid through text, which rewrites" \
    "ALTER TABLE alter_type_bench ALTER COLUMN id TYPE ulid USING id::text::uuid::ulid"
load
echo "with a primary key:"
measure "add the primary key" "ALTER TABLE alter_type_bench ADD PRIMARY KEY (id)"
measure "uuid to ulid" "ALTER TABLE alter_type_bench ALTER COLUMN id TYPE ulid"
measure "ulid to uuid" "ALTER TABLE alter_type_bench ALTER COLUMN id TYPE uuid"
measure "uuid to ulid through text, which rewrites" \
    "ALTER TABLE alter_type_bench ALTER COLUMN id TYPE ulid USING id::text::uuid::ulid"
sql -c "DROP TABLE alter_type_bench"
