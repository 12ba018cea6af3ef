# shellcheck shell=bash
# Output plugins, publications, and the statements that Grafana and Metabase make, as their manuals say.
set -u
. ./tap.sh

# Grafana and Metabase
sql -c "TRUNCATE message" -c "INSERT INTO message
    SELECT gen_ulid('2024-05-01 12:00+00'::timestamptz + i * interval '1 minute'), i
    FROM generate_series(0, 299) i" -c 'ANALYZE message'
by_index() { sql -c "SET enable_seqscan = off" -c "EXPLAIN $1" | grep -c 'Index Cond'; }
grafana() { # the macros, of the hour from 13:00
    sed -E "s/\\\$__timeFrom\(\)/'2024-05-01T13:00:00Z'/g; s/\\\$__timeTo\(\)/'2024-05-01T14:00:00Z'/g
        s/\\\$__timeFilter\(([^)]*)\)/\1 BETWEEN '2024-05-01T13:00:00Z' AND '2024-05-01T14:00:00Z'/g
        s/\\\$__timeGroup\(([^,]*), *'1h'\)/floor(extract(epoch from \1)\/3600)*3600/g"
}
query=$(grafana <<'END'
SELECT $__timeGroup(id::timestamptz, '1h') AS "time", count(*) AS messages
FROM message WHERE id BETWEEN $__timeFrom()::timestamptz AND $__timeTo()::timestamptz
GROUP BY 1 ORDER BY 1;
END
)
equal "Grafana, by the index" "$(sql -c "$query" | cut -d'|' -f2 | xargs) $(by_index "$query")" "60 1 1"
equal "Grafana: the cast reads the whole table" \
    "$(by_index "$(grafana <<<"SELECT FROM message WHERE \$__timeFilter(id::timestamptz)")")" 0
contains 'invalid input syntax for type ulid: "2024-05-01T13:00:00Z"' \
    "$(sql -c "$(grafana <<<"SELECT FROM message WHERE \$__timeFilter(id)")")"
sql -c "CREATE TABLE by_uuid AS SELECT gen_uuidv7(id::timestamptz) AS id FROM message" \
    -c 'CREATE INDEX ON by_uuid (id)'
query=$(grafana <<'END'
SELECT $__timeGroup(id::ulid::timestamptz, '1h'), count(*)
FROM by_uuid WHERE id BETWEEN uuidv7_min($__timeFrom()) AND uuidv7_min($__timeTo()) GROUP BY 1;
END
)
equal "Grafana, uuid" "$(sql -c "$query" | xargs) $(by_index "$query")" "1714568400|60 1"
cat >view.sql <<'END'
CREATE VIEW message_with_time AS SELECT *, id::timestamptz AS made_at FROM message;
CREATE INDEX ON message ((id::timestamptz));
END
sql -f view.sql -c 'ANALYZE message'
between="made_at >= timestamp with time zone '2024-05-01 13:00:00.000Z'
    AND made_at < timestamp with time zone '2024-05-01 14:00:00.000Z'"
query="SELECT count(*) FROM message_with_time WHERE $between"
equal "Metabase: between, by the index" "$(sql -c "$query") $(by_index "$query")" "60 1"
equal "Metabase: a day reads the whole table" \
    "$(by_index "SELECT FROM message_with_time WHERE CAST(made_at AS date) = date '2024-05-01'")" 0

# Change data capture
changes() { # what the output plugin $1 writes of a row
    sql -c "SELECT set_config(name, setting || ', wal2json', false) FROM pg_settings
        WHERE name = 'output_plugin_libraries'" \
        -c "SELECT pg_create_logical_replication_slot('$PGDATABASE', '$1')" \
        -c "INSERT INTO message VALUES ('01HWT3V34004HMASW9NF6YY0G2')" \
        -c "SELECT data FROM pg_logical_slot_get_changes('$PGDATABASE', NULL, NULL${2:-})" \
        -c "SELECT pg_drop_replication_slot('$PGDATABASE')" -c "DELETE FROM message"
}
sql -c 'TRUNCATE message'
if [ "$(sql -c 'SHOW wal_level')" = logical ]; then
    contains "table public.message: INSERT: id[ulid]:'01HWT3V34004HMASW9NF6YY0G2'" "$(changes test_decoding)"
    [ ! -e "$("$PG_CONFIG" --pkglibdir)/wal2json.so" ] ||
        contains '{"name":"id","type":"ulid","value":"01HWT3V34004HMASW9NF6YY0G2"}' \
            "$(changes wal2json ", 'format-version', '2'")"
fi
# Row filters of publications
sql -c "CREATE TABLE event (id ulid PRIMARY KEY DEFAULT gen_ulid(), made timestamptz, n int)" \
    -c "CREATE TABLE uuid_event (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int)"
contains "User-defined operators are not allowed" \
    "$(sql -c "CREATE PUBLICATION p FOR TABLE event WHERE (id >= '01HWT0D7G004HMASW9NF6YY081')")"
sql -c "CREATE PUBLICATION by_time FOR TABLE event WHERE (made >= '2024-05-01 00:00+00')"
contains 'cannot delete from table "event"' "$(sql -c "INSERT INTO event DEFAULT VALUES" -c "DELETE FROM event")"
equal "with REPLICA IDENTITY FULL, rows can be deleted" \
    "$(sql -c "ALTER TABLE event REPLICA IDENTITY FULL" -c "DELETE FROM event RETURNING n IS NULL")" "t"
equal "a filter of a uuid key needs nothing" "$(sql \
    -c "CREATE PUBLICATION by_uuid FOR TABLE uuid_event WHERE (id >= '018f3406-9e00-0000-0000-000000000000')" \
    -c "INSERT INTO uuid_event DEFAULT VALUES" -c "DELETE FROM uuid_event RETURNING n IS NULL")" "t"

# Search boxes
sql -c "INSERT INTO message VALUES ('01HWT3V34004HMASW9NF6YY0G2', 'hello')"
search() {
    sql -c "PREPARE search (text) AS SELECT body FROM message WHERE $1 ILIKE '%' || \$1 || '%'" \
        -c "EXECUTE search ('f6yy')"
}
contains "operator does not exist: ulid ~~* text" "$(search id)"
equal "a search in id::text" "$(search id::text)" hello
