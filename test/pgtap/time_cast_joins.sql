-- A join of id::timestamptz with a column of another table, of which an index or a partition key knows that
-- column, has the plan that it has with ulid.rewrite_time_casts off.
BEGIN;
SELECT no_plan();
SET LOCAL timezone = 'UTC';
SET LOCAL max_parallel_workers_per_gather = 0;
SET LOCAL client_min_messages = warning;

CREATE TABLE event (id ulid PRIMARY KEY, k int);
INSERT INTO event SELECT ulid_min('2026-01-01Z'::timestamptz + n * interval '1 hour'), n FROM generate_series(0, 199) AS n;
CREATE TABLE source AS
SELECT t AS at, ulid_min(t) AS id, n % 10 AS k, repeat('x', 100) AS filler
FROM (SELECT '2026-01-01Z'::timestamptz + n * interval '1 min' AS t, n FROM generate_series(0, 11999) AS n) AS times;

-- `l` is the other table, and {} what its index or key is of.
CREATE TEMP TABLE others (name text, other text, sql text);
INSERT INTO others VALUES
    ('btree', 'l.at', 'CREATE INDEX ON log (at)'),
    ('BRIN', 'l.at', 'CREATE INDEX ON log USING brin (at) WITH (pages_per_range = 2)'),
    ('btree behind another column', 'l.at', 'CREATE INDEX ON log (k, at)'),
    ('btree on the cast of a ulid', 'l.id::timestamptz', 'CREATE INDEX ON log ((id::timestamptz))'),
    ('partitions', 'l.at', 'PARTITION (at)'),
    ('partitions by the cast of a ulid', 'l.id::timestamptz', 'PARTITION ((id::timestamptz))'),
    ('UNION ALL of tables with btrees', 'l.at', 'UNION');

CREATE TEMP TABLE shapes (query text);
INSERT INTO shapes
SELECT replace(shape, '$', condition)
FROM unnest(ARRAY[
        'SELECT l.* FROM event AS e JOIN log AS l ON $ WHERE e.k = 150 AND l.k = 3',
        'SELECT l.* FROM event AS e LEFT JOIN log AS l ON $ AND l.k = 3 WHERE e.k = 150',
        'SELECT l.* FROM event AS e, LATERAL (SELECT * FROM log AS l WHERE $ AND l.k = 3) AS l WHERE e.k = 150',
        'SELECT e.* FROM event AS e WHERE e.k = 150 AND EXISTS (SELECT FROM log AS l WHERE $ AND l.k = 3)',
        'SELECT e.* FROM event AS e WHERE e.k = 150 AND NOT EXISTS (SELECT FROM log AS l WHERE $ AND l.k = 3)']) AS shape,
     unnest(ARRAY[
        '{} >= e.id::timestamptz AND {} < e.id::timestamptz + interval ''5 min''',
        '{} BETWEEN e.id::timestamptz - interval ''5 min'' AND e.id::timestamptz',
        'e.id::timestamptz <= {} AND e.id::timestamptz >= {}']) AS condition;

\ir include/plan_of.psql
CREATE TEMP TABLE plans (name text, query text, way text, plan text);
DO $$
DECLARE
    found record; way text;
BEGIN
    FOR found IN SELECT * FROM others LOOP
        IF found.sql ~ '^PARTITION' THEN
            EXECUTE 'CREATE TABLE log (at timestamptz, id ulid, k int, filler text) PARTITION BY RANGE '
                || substring(found.sql FROM '\(.*');
            FOR n IN 0..8 LOOP
                EXECUTE format('CREATE TABLE log_%s PARTITION OF log FOR VALUES FROM (%L) TO (%L)', n,
                               '2026-01-01Z'::timestamptz + n * interval '1 day', '2026-01-01Z'::timestamptz + (n + 1) * interval '1 day');
            END LOOP;
            INSERT INTO log SELECT * FROM source;
        ELSIF found.sql = 'UNION' THEN
            CREATE TABLE log_0 AS SELECT * FROM source WHERE k < 5;
            CREATE TABLE log_1 AS SELECT * FROM source WHERE k >= 5;
            CREATE INDEX ON log_0 (at);
            CREATE INDEX ON log_1 (at);
            CREATE VIEW log AS SELECT * FROM log_0 UNION ALL SELECT * FROM log_1;
        ELSE
            CREATE TABLE log AS SELECT * FROM source;
            EXECUTE found.sql;
        END IF;
        ANALYZE;
        FOREACH way IN ARRAY '{on,off}'::text[] LOOP
            PERFORM set_config('ulid.rewrite_time_casts', way, true);
            INSERT INTO plans SELECT found.name, query, way, plan_of(replace(query, '{}', found.other)) FROM shapes;
        END LOOP;
        IF found.sql = 'UNION' THEN
            DROP TABLE log_0, log_1 CASCADE;
        ELSE
            DROP TABLE log;
        END IF;
    END LOOP;
END $$;

SELECT is(a.plan, b.plan, format('%s: the same plan: %s', a.name, a.query))
FROM plans AS a JOIN plans AS b USING (name, query) WHERE a.way = 'on' AND b.way = 'off' ORDER BY a.name, a.query;
-- Otherwise there is nothing to lose.
SELECT cmp_ok(count(*), '>', 40::bigint, 'many find the other table by the time') FROM plans WHERE way = 'off' AND plan ~ '(Index Cond|Recheck Cond): [^\n]*e\.id|Append';

SELECT * FROM finish();
ROLLBACK;
