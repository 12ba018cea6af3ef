-- A query with id::timestamptz is never planned worse than with ulid.rewrite_time_casts off, whatever the table
-- has; and a range of it as well as the same query of a table in which id is a timestamptz, unless the table is
-- known by that time or a UNION ALL. What counts is the rows that its scans look at, and the estimate of those it
-- gives. And it gives the same rows.
BEGIN;
SELECT no_plan();
SET LOCAL timezone = 'UTC';
SET LOCAL random_page_cost = 1.1;
SET LOCAL max_parallel_workers_per_gather = 0;
SET LOCAL client_min_messages = warning;

-- The same tables in two schemas: in one their id is a ulid, in the other a timestamptz.
CREATE SCHEMA of_ulid;
CREATE SCHEMA of_time;
CREATE TABLE of_ulid.source AS
SELECT ulid_min('2026-01-01Z'::timestamptz + n * interval '14 min') AS id, n % 100 AS x, n, repeat('x', 150) AS filler
FROM generate_series(0, 2999) AS n;
CREATE TABLE of_time.source AS SELECT id::timestamptz AS id, x, n, filler FROM of_ulid.source;
CREATE TABLE spans AS
SELECT '2026-01-01Z'::timestamptz + n * interval '70 hours' AS t, n FROM generate_series(0, 9) AS n;
ANALYZE spans;
CREATE ROLE time_reader;
GRANT SELECT ON spans, of_ulid.source TO time_reader;

-- What a time can be in a query. Folding `folded` to a constant plans a query while another is planned.
CREATE FUNCTION folded(t timestamptz) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    PERFORM FROM of_ulid.source WHERE id::timestamptz > t LIMIT 1;
    RETURN t;
END $$;
CREATE TEMP TABLE times (kind text, expression text);
INSERT INTO times VALUES
    ('constant', '%L::timestamptz'), ('folded', 'folded(%L)'), ('subquery', '(SELECT %L::timestamptz)'), ('generic', '$1');

-- $ is a time; {} in metadata the type of id.
CREATE TEMP TABLE shapes (query text);
INSERT INTO shapes VALUES
    ('SELECT * FROM events WHERE x = 7 AND x = 8 AND id::timestamptz >= $'),
    ('SELECT id::timestamptz FROM events WHERE id::timestamptz < $ AND now() < ''2020-01-01'''),
    ('SELECT * FROM events WHERE id::timestamptz >= $ AND id::timestamptz < $ + interval ''2 hours'''),
    ('SELECT * FROM events WHERE $ <= id::timestamptz AND x = 7'),
    ('SELECT * FROM events WHERE id::timestamptz = $'),
    ('SELECT * FROM events WHERE id::timestamptz = $ OR id::timestamptz BETWEEN $ AND $ + interval ''1 hour'''),
    ('SELECT id FROM events WHERE id::timestamptz > $ ORDER BY id LIMIT 5'),
    ('SELECT * FROM events, spans WHERE id::timestamptz BETWEEN t AND t + interval ''30 min'' AND spans.n < 2 AND id::timestamptz < $'),
    ('SELECT * FROM events, spans WHERE id::timestamptz = t AND spans.n < 2'),
    ('SELECT * FROM events JOIN spans ON id::timestamptz = t WHERE t = $'),
    ('SELECT * FROM spans LEFT JOIN events ON id::timestamptz = t AND id::timestamptz > $ WHERE spans.n < 2'),
    ('SELECT * FROM spans WHERE t IN (SELECT id::timestamptz FROM events) AND t BETWEEN $ AND $ + interval ''3 days'''),
    ('SELECT * FROM events WHERE id::timestamptz IN (SELECT t FROM spans WHERE spans.n < 2 AND t < $)'),
    ('SELECT id::timestamptz, count(*) FROM events WHERE x = 7 GROUP BY id::timestamptz HAVING id::timestamptz > $'),
    ('SELECT * FROM spans WHERE EXISTS (SELECT FROM events WHERE id::timestamptz BETWEEN t AND $ AND x = 7)
        AND t > $ - interval ''1 day''');

CREATE TEMP TABLE metadata (name text, sql text);
INSERT INTO metadata VALUES
    ('no index', ''),
    ('primary key', 'ALTER TABLE events ADD PRIMARY KEY (id)'),
    ('index in which id comes second', 'CREATE INDEX ON events (x, id)'),
    ('index in which id comes first', 'CREATE INDEX ON events (id, x)'),
    ('descending index', 'CREATE INDEX ON events (id DESC NULLS LAST)'),
    ('BRIN', 'CREATE INDEX ON events USING brin (id) WITH (pages_per_range = 2)'),
    ('partial index by the cast', 'CREATE INDEX ON events (x) WHERE id::timestamptz >= ''2026-01-18Z'''),
    ('partial index by the ulid', 'CREATE INDEX ON events (x) WHERE id >= ''2026-01-18Z''::timestamptz::{}'),
    ('partial index by the cast, and primary key',
        'CREATE INDEX ON events (x) WHERE id::timestamptz >= ''2026-01-18Z''; ALTER TABLE events ADD PRIMARY KEY (id)'),
    ('partial index on id by the cast', 'CREATE INDEX ON events (id) WHERE id::timestamptz >= ''2026-01-18Z'''),
    ('index on the cast', 'CREATE INDEX ON events ((id::timestamptz))'),
    ('index on the cast, and x', 'CREATE INDEX ON events ((id::timestamptz), x)'),
    ('index on x, and the cast', 'CREATE INDEX ON events (x, (id::timestamptz))'),
    ('hash index on the cast', 'CREATE INDEX ON events USING hash ((id::timestamptz))'),
    ('BRIN on the cast', 'CREATE INDEX ON events USING brin ((id::timestamptz)) WITH (pages_per_range = 2)'),
    ('unrelated index on a date', 'ALTER TABLE events ADD PRIMARY KEY (id); CREATE INDEX ON events (((id::timestamptz AT TIME ZONE ''UTC'')::date))'),
    ('unrelated index on the time of another column',
        'ALTER TABLE events ADD COLUMN o {}; ALTER TABLE events ADD PRIMARY KEY (id); CREATE INDEX ON events ((o::timestamptz))'),
    ('unrelated partial index on the cast', 'ALTER TABLE events ADD PRIMARY KEY (id); CREATE INDEX ON events ((id::timestamptz))
        WHERE x = 200'),
    ('invalid index on the cast', 'ALTER TABLE events ADD PRIMARY KEY (id); CREATE INDEX invalid ON events ((id::timestamptz));
        UPDATE pg_index SET indisvalid = false WHERE indexrelid = ''invalid''::regclass'),
    ('partitions by id', 'PARTITION (id)'),
    ('partitions by id, with indexes', 'PARTITION (id); CREATE INDEX ON events (id)'),
    ('partitions by the cast', 'PARTITION ((id::timestamptz))'),
    ('partitions by the cast, with indexes on id', 'PARTITION ((id::timestamptz)); CREATE INDEX ON events (id)'),
    ('partitions by the cast, with indexes on the cast', 'PARTITION ((id::timestamptz)); CREATE INDEX ON events ((id::timestamptz))'),
    ('partitions by the cast within those by x', 'SUBPARTITION (x) ((id::timestamptz)); CREATE INDEX ON events (id)'),
    ('partitions by x within those by the cast', 'SUBPARTITION ((id::timestamptz)) (x); CREATE INDEX ON events (id)'),
    ('index on the cast in one partition', 'PARTITION (id); CREATE INDEX ON events_2 ((id::timestamptz)); CREATE INDEX ON events_1 (id)'),
    ('CHECK on the cast of children', 'INHERIT (id::timestamptz)'),
    ('CHECK on the id of children', 'INHERIT (id)'),
    ('index on the cast of a child', 'INHERIT (id::timestamptz); CREATE INDEX ON events_2 ((id::timestamptz)); CREATE INDEX ON events_1 (id)'),
    ('CHECK on the cast with constraint_exclusion = on',
        'SET LOCAL constraint_exclusion = on; ALTER TABLE events ADD CHECK (id::timestamptz < ''2026-02-01Z''), ADD PRIMARY KEY (id)'),
    ('row security', 'ALTER TABLE events ADD PRIMARY KEY (id); ALTER TABLE events ENABLE ROW LEVEL SECURITY;
        CREATE POLICY p ON events USING (x <> 50); GRANT SELECT ON events TO time_reader; SET LOCAL ROLE time_reader'),
    ('row security by the cast', 'ALTER TABLE events ADD PRIMARY KEY (id); ALTER TABLE events ENABLE ROW LEVEL SECURITY;
        CREATE POLICY p ON events USING (id::timestamptz > ''2026-01-20Z'');
            GRANT SELECT ON events TO time_reader; SET LOCAL ROLE time_reader'),
    ('view', 'ALTER TABLE events RENAME TO base; CREATE INDEX ON base (id); CREATE VIEW events AS
        SELECT id::timestamptz AS id, x, n, filler FROM base'),
    ('security barrier', 'ALTER TABLE events RENAME TO base; CREATE INDEX ON base (id);
        CREATE VIEW events WITH (security_barrier) AS SELECT id::timestamptz AS id, x, n, filler FROM base WHERE x <> 50'),
    ('UNION ALL', 'ALTER TABLE events RENAME TO base; CREATE INDEX ON base (id); CREATE TABLE other AS SELECT * FROM base WHERE n < 1000;
        CREATE INDEX ON other ((id::timestamptz)); CREATE VIEW events AS SELECT * FROM base UNION ALL SELECT * FROM other'),
    ('domain', 'CREATE DOMAIN key AS {}; ALTER TABLE events ALTER id TYPE key; CREATE INDEX ON events (id)'),
    ('extended statistics', 'ALTER TABLE events ADD PRIMARY KEY (id); CREATE STATISTICS s (mcv) ON id, x FROM events'),
    ('materialized view',
        'ALTER TABLE events RENAME TO base; CREATE MATERIALIZED VIEW events AS SELECT * FROM base; CREATE UNIQUE INDEX ON events (id)');

-- Makes `events` in a schema.
CREATE FUNCTION make(in_schema text, sql text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    command text;
    type text := CASE in_schema WHEN 'of_ulid' THEN 'ulid' ELSE 'timestamptz' END;
    starts text[] := '{2026-01-01Z,2026-01-10Z,2026-01-19Z,2026-01-28Z}';
    key text;
BEGIN
    EXECUTE format('SET LOCAL search_path = %I, public, pg_temp', in_schema);
    IF sql ~ '^(SUB)?PARTITION' THEN
        key := substring(sql FROM '^\w+ (\(\(?[^()]*\)?\))');
        IF sql ~ '^SUB' AND key = '(x)' THEN
            EXECUTE format('CREATE TABLE events (id %s, x int, n int, filler text) PARTITION BY RANGE (x)', type);
            FOR h IN 0..1 LOOP
                EXECUTE format('CREATE TABLE events_%s PARTITION OF events
                    FOR VALUES FROM (%s) TO (%s) PARTITION BY RANGE ((id::timestamptz))',
                               h, h * 50, h * 50 + 50);
                FOR i IN 1..3 LOOP
                    EXECUTE format('CREATE TABLE events_%s_%s PARTITION OF events_%s
                        FOR VALUES FROM (%L) TO (%L)', h, i, h, starts[i], starts[i + 1]);
                END LOOP;
                EXECUTE format('CREATE TABLE events_%s_d PARTITION OF events_%s DEFAULT', h, h);
            END LOOP;
        ELSE
            EXECUTE format('CREATE TABLE events (id %s, x int, n int, filler text) PARTITION BY RANGE %s', type, key);
            FOR i IN 1..3 LOOP
                EXECUTE format('CREATE TABLE events_%1$s PARTITION OF events
                    FOR VALUES FROM (%2$L::timestamptz%4$s) TO (%3$L::timestamptz%4$s)',
                               i, starts[i], starts[i + 1], CASE key WHEN '(id)' THEN '::' || type ELSE '' END)
                    || CASE WHEN sql ~ '^SUB' THEN ' PARTITION BY LIST (x)' ELSE '' END;
                IF sql ~ '^SUB' THEN
                    EXECUTE format('CREATE TABLE events_%s_7 PARTITION OF events_%s FOR VALUES IN (7)', i, i);
                    EXECUTE format('CREATE TABLE events_%s_d PARTITION OF events_%s DEFAULT', i, i);
                END IF;
            END LOOP;
            EXECUTE 'CREATE TABLE events_d PARTITION OF events DEFAULT';
        END IF;
        INSERT INTO events SELECT * FROM source;
        sql := regexp_replace(sql, '^[^;]*;?', '');
    ELSIF sql ~ '^INHERIT' THEN
        key := substring(sql FROM '^INHERIT \(([^)]*)\)');
        EXECUTE format('CREATE TABLE events (id %s, x int, n int, filler text)', type);
        FOR i IN 1..3 LOOP
            EXECUTE format('CREATE TABLE events_%1$s (CHECK (%2$s >= %3$L::timestamptz%5$s
                AND %2$s < %4$L::timestamptz%5$s)) INHERITS (events)',
                           i, key, starts[i], starts[i + 1], CASE key WHEN 'id' THEN '::' || type ELSE '' END);
            EXECUTE format('INSERT INTO events_%1$s SELECT * FROM source WHERE id >= %2$L::timestamptz::%4$s
                AND id < %3$L::timestamptz::%4$s',
                           i, starts[i], starts[i + 1], type);
        END LOOP;
        sql := regexp_replace(sql, '^[^;]*;?', '');
    ELSE
        CREATE TABLE events AS SELECT * FROM source;
    END IF;
    GRANT USAGE ON SCHEMA of_ulid, of_time TO time_reader;
    FOREACH command IN ARRAY regexp_split_to_array(replace(sql, '{}', type), ';') LOOP
        IF command ~ 'ROLE' THEN
            ANALYZE;
        END IF;
        EXECUTE command;
    END LOOP;
    IF sql !~ 'ROLE' THEN
        ANALYZE;
    END IF;
END $$;

-- The pages that a plan reads and the rows that its scans look at; how many it is expected to give
-- and gives; the rows.
CREATE TYPE outcome AS (pages numeric, looked_at numeric, expected numeric, given numeric, rows text);
CREATE FUNCTION run(query text, kind text, expression text) RETURNS outcome LANGUAGE plpgsql AS $$
DECLARE
    t text := '2026-01-24 08:00Z';
    plan jsonb;
    result outcome;
BEGIN
    query := replace(query, '$', format(expression, t));
    IF expression = '$1' THEN
        PERFORM set_config('plan_cache_mode', 'force_' || kind || '_plan', true);
        EXECUTE 'PREPARE q(timestamptz) AS ' || query;
        EXECUTE format('EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE q(%L)', t) INTO plan;
        DEALLOCATE q;
        PERFORM set_config('plan_cache_mode', 'auto', true);
        EXECUTE 'SELECT md5(string_agg(r::text, '' '' ORDER BY r::text COLLATE "C")) FROM (' || query || ') AS r'
        USING t::timestamptz INTO result.rows;
    ELSE
        EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || query INTO plan;
        EXECUTE 'SELECT md5(string_agg(r::text, '' '' ORDER BY r::text COLLATE "C")) FROM (' || query || ') AS r'
        INTO result.rows;
    END IF;
    WITH RECURSIVE nodes AS (
        SELECT plan -> 0 -> 'Plan' AS node
        UNION ALL SELECT jsonb_array_elements(node -> 'Plans') FROM nodes WHERE node ? 'Plans'
    )
    SELECT sum((node ->> 'Actual Loops')::numeric
               * ((node ->> 'Actual Rows')::numeric + coalesce((node ->> 'Rows Removed by Filter')::numeric, 0)
                  + coalesce((node ->> 'Rows Removed by Index Recheck')::numeric, 0)))
    FROM nodes WHERE node ? 'Relation Name' OR node ->> 'Node Type' = 'Bitmap Index Scan' AND node ->> 'Index Name' !~ 'brin'
    INTO result.looked_at;
    result.pages := (plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::int + (plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::int;
    result.expected := plan -> 0 -> 'Plan' -> 'Plan Rows';
    result.given := plan -> 0 -> 'Plan' -> 'Actual Rows';
    RETURN result;
END $$;

CREATE TEMP TABLE outcomes (name text, query text, kind text, way text, outcome outcome);
CREATE FUNCTION run_all() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    found record; way text; in_schema text; results jsonb;
BEGIN
    FOR found IN SELECT * FROM metadata LOOP
        FOREACH in_schema IN ARRAY '{of_ulid,of_time}'::text[] LOOP
            BEGIN
                PERFORM make(in_schema, found.sql);
                results := '[]';
                FOREACH way IN ARRAY CASE in_schema WHEN 'of_ulid' THEN '{on,off}'::text[] ELSE '{time}' END LOOP
                    PERFORM set_config('ulid.rewrite_time_casts', CASE way WHEN 'off' THEN 'off' ELSE 'on' END, true);
                    results := results || (
                        SELECT jsonb_agg(jsonb_build_object('query', query, 'kind', kind, 'way', way, 'outcome', run(query, kind, expression)))
                        FROM public.shapes_and_times);
                END LOOP;
                RAISE SQLSTATE 'UNDO0';
            EXCEPTION WHEN SQLSTATE 'UNDO0' THEN
                NULL;
            END;
            INSERT INTO outcomes SELECT found.name, r.*
                FROM jsonb_to_recordset(results) AS r (query text, kind text, way text, outcome outcome);
        END LOOP;
    END LOOP;
END $$;
CREATE TABLE public.shapes_and_times AS SELECT * FROM shapes, times;
GRANT SELECT ON public.shapes_and_times TO time_reader;
SELECT run_all();

-- What the rewrite gives up (doc/time.md): tables that only a child, a CHECK or a subpartition knows by the cast,
-- and joins on the cast. The others that keep their conditions are compared only with themselves.
CREATE TEMP VIEW compared AS
SELECT *, name !~ 'cast' AND name <> 'UNION ALL' OR name ~ '^(invalid|row security)' AS is_rewritten,
       query !~ '= (\$|t)|IN \(|BETWEEN t' AS is_range
FROM (SELECT name, query, kind, outcome AS o FROM outcomes WHERE way = 'on') AS o
JOIN (SELECT name, query, kind, outcome AS p FROM outcomes WHERE way = 'off') AS p USING (name, query, kind)
JOIN (SELECT name, query, kind, outcome AS t FROM outcomes WHERE way = 'time') AS t USING (name, query, kind);
CREATE FUNCTION worse(a outcome, b outcome) RETURNS boolean LANGUAGE sql
    RETURN a.looked_at > 1.2 * b.looked_at + 20 AND a.pages > 1.2 * b.pages + 15;
CREATE FUNCTION error_of(o outcome) RETURNS numeric LANGUAGE sql
    RETURN greatest(greatest((o).expected, 1) / greatest((o).given, 1), greatest((o).given, 1) / greatest((o).expected, 1));

SELECT is(string_agg(kind, ', ') FILTER (WHERE (o).rows IS DISTINCT FROM (p).rows), NULL, format('%s: the same rows: %s', name, query))
FROM compared GROUP BY name, query ORDER BY name, query;
SELECT is(string_agg(format('%s: %s, off %s', kind, o, p), ', ') FILTER (WHERE worse(o, p)), NULL, format('%s: no worse than off: %s', name, query))
FROM compared WHERE name !~ 'cast (of|within)' GROUP BY name, query ORDER BY name, query;
SELECT is(string_agg(format('%s: %s, of a timestamptz %s', kind, o, t), ', ') FILTER (WHERE worse(o, t) OR error_of(o) > 3 * error_of(t)), NULL,
          format('%s: as of a timestamptz: %s', name, query))
FROM compared WHERE is_rewritten AND is_range AND NOT (name = 'view' AND query ~ 'ORDER BY') GROUP BY name, query ORDER BY name, query;
SELECT cmp_ok(count(*), '>', 1500::bigint, 'that many plans') FROM compared;
SELECT cmp_ok(count(*), '>', 150::bigint, 'of which many are better than without the rewrite') FROM compared
    WHERE (o).looked_at < (p).looked_at / 2;

SELECT * FROM finish();
ROLLBACK;
