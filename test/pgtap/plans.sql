-- The plans of a ulid key are those that a uuid key would have, and find the right rows.
BEGIN;
SELECT no_plan();

CREATE TABLE keyed (id ulid PRIMARY KEY, n int NOT NULL, parent ulid REFERENCES keyed);
INSERT INTO keyed
SELECT make_ulid('2025-01-01Z'::timestamptz + n * interval '1 s', substr(sha256(n::text::bytea), 1, 10)), n
FROM generate_series(1, 20000) AS n;
UPDATE keyed SET parent = (SELECT id FROM keyed AS k WHERE k.n = keyed.n / 2 + 1) WHERE n <= 200;
ANALYZE keyed;

\ir ../lib/plan_of.psql
-- Tests the plan of a query under settings, and its one result.
CREATE FUNCTION pg_temp.gives(what text, query text, expected anyelement, plan text, VARIADIC off text[] DEFAULT '{}')
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE setting text; result expected%TYPE;
BEGIN
    FOREACH setting IN ARRAY off LOOP PERFORM set_config(setting, 'off', true); END LOOP;
    RETURN NEXT matches(plan_of(query), plan, what);
    EXECUTE query INTO result;
    RETURN NEXT is(result, expected, what || ': the result');
    FOREACH setting IN ARRAY off LOOP PERFORM set_config(setting, 'on', true); END LOOP;
END $$;
SELECT id AS key_7 FROM keyed WHERE n = 7 \gset

-- btree (conditions: sql/indexes.sql)
SELECT pg_temp.gives('min reads the start of the index', 'SELECT min(id) FROM keyed',
    (SELECT id FROM keyed WHERE n = 1), 'Limit\n *->  Index Only Scan using keyed_pkey');
SELECT pg_temp.gives('max reads the end of the index', 'SELECT max(id) FROM keyed',
    (SELECT id FROM keyed WHERE n = 20000),
        'Limit\n *->  Index Only Scan Backward using keyed_pkey');

-- A subquery is evaluated once: the planner does not inline a function that would use it twice.
SELECT unalike(plan_of('SELECT FROM keyed WHERE id ^@ ' || prefix), '%Index Cond%',
    'a prefix of a subquery is a filter: ' || prefix)
FROM unnest(ARRAY['(SELECT ''01JG'' || ''FQ'')',
    '(SELECT left(k.id::text, 6) FROM keyed AS k WHERE k.n = keyed.n)']) AS prefix;

-- GIN
CREATE TABLE by_gin AS SELECT id FROM keyed;
CREATE TABLE unindexed AS TABLE by_gin;
CREATE INDEX ON by_gin USING gin (id);
SET LOCAL enable_seqscan = off;
SELECT cmp_ok(substring(plan FROM 'Index Cond[^\n]*\n(?: *Index Searches[^\n]*\n)? *Buffers: [^\n]*?hit=(\d+)')::int,
    '<', 20,
    'GIN reads no more of the index than a condition needs: id ' || condition)
FROM unnest(ARRAY['< ', '<= ', '= ']) AS operator, CAST(operator || quote_literal(:'key_7') AS text) AS condition,
    plan_of('SELECT FROM by_gin WHERE id ' || condition,
        'ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF') AS plan;
-- The executor counts calls of comparisons: none for rows that the index has found.
SET LOCAL track_functions = 'all';
CREATE FUNCTION pg_temp.comparisons(function regproc, query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE before bigint := coalesce(pg_stat_get_xact_function_calls(function), 0);
BEGIN
    EXECUTE query;
    RETURN coalesce(pg_stat_get_xact_function_calls(function), 0) - before;
END $$;
SELECT is(pg_temp.comparisons('ulid_le', format('SELECT FROM unindexed WHERE id <= %L', :'key_7')), 20000::bigint,
    'a sequential scan compares each row');
SELECT is(pg_temp.comparisons(function, format('SELECT FROM by_gin WHERE id %s %L', operator, :'key_7')), 0::bigint,
    'GIN rechecks no row: ' || operator)
FROM (VALUES ('<', 'ulid_lt'::regproc), ('=', 'ulid_eq')) AS v (operator, function);
RESET enable_seqscan;

-- parallel plans (other joins: uuid_operators.sql)
\set join 'SELECT sum(p.n)::int FROM keyed AS k JOIN keyed AS p ON k.parent = p.id'
SELECT sum(n / 2 + 1) AS sum FROM keyed WHERE n <= 200 \gset
SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0; SET LOCAL max_parallel_workers_per_gather = 2;
SET LOCAL min_parallel_table_scan_size = 0; SET LOCAL min_parallel_index_scan_size = 0;
SELECT pg_temp.gives('min and max combine what workers found', 'SELECT min(id)::text || max(id)::text FROM keyed',
    (SELECT min(id::text COLLATE "C") || max(id::text COLLATE "C") FROM keyed),
    'Finalize Aggregate\n *->  Gather\n *Workers Planned: \d\n *->  Partial Aggregate',
    'enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan');
SELECT pg_temp.gives('a parallel join', :'join', :sum, 'Hash Join.*Parallel', 'enable_mergejoin', 'enable_nestloop');

SELECT finish();
ROLLBACK;
