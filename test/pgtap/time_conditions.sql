-- Conditions on time where a role may not execute a function or use the schema, with an empty search_path, and under
-- row security.
BEGIN;
SELECT no_plan();
SET LOCAL timezone = 'UTC';
SET LOCAL client_min_messages = warning;

\ir ../lib/plan_of.psql

CREATE TABLE parts (id ulid, x int) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (MINVALUE) TO (ulid_min('2026-01-20Z'));
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (ulid_min('2026-01-20Z')) TO (MAXVALUE);
CREATE INDEX ON parts (id);
INSERT INTO parts SELECT ulid_min('2026-01-01Z'::timestamptz + n * interval '1 hour'), n
    FROM generate_series(0, 999) AS n;
ANALYZE parts;
CREATE ROLE time_reader;
GRANT SELECT ON parts TO time_reader;
SET LOCAL enable_seqscan = off;

PREPARE since(timestamptz) AS SELECT count(*) FROM parts WHERE id >= $1;
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT results_eq('EXECUTE since(''2026-02-11Z'')', ARRAY[16::bigint], 'before the function is revoked');
REVOKE EXECUTE ON FUNCTION ulid_ge_timestamptz(ulid, timestamptz) FROM public;
SET LOCAL ROLE time_reader;
SELECT throws_ok(format('SELECT count(*) FROM parts WHERE id >= %s', t), '42501', NULL,
    'an operator that was revoked: ' || t)
FROM unnest('{timestamptz ''2026-02-11 00:00Z'',now()}'::text[]) AS t;
RESET ROLE;
GRANT EXECUTE ON FUNCTION ulid_ge_timestamptz(ulid, timestamptz) TO public;
SET LOCAL ROLE time_reader;
SELECT results_eq('EXECUTE since(''2026-02-11Z'')', ARRAY[16::bigint], 'when it is granted again');
RESET ROLE;

SET LOCAL search_path = '';
CREATE TEMP TABLE found AS SELECT count(*) FROM public.parts WHERE id >= '2026-02-11Z'::timestamptz;
RESET search_path;
SELECT is(count, 16::bigint, 'the operator is found with an empty search_path') FROM found;

-- Conditions in a view were written by somebody who may use the schema of the extension.
CREATE SCHEMA shown
    CREATE VIEW by_operator AS SELECT x FROM public.parts WHERE id >= '2026-02-11Z'::timestamptz
    CREATE VIEW by_range AS SELECT x FROM public.parts WHERE public.ulid_within(id, '[2026-02-11Z,)');
GRANT USAGE ON SCHEMA shown TO time_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA shown TO time_reader;
REVOKE USAGE ON SCHEMA public FROM public;
SET LOCAL ROLE time_reader;
SELECT (SELECT count(*) FROM shown.by_operator) AS by_operator, (SELECT count(*) FROM shown.by_range) AS by_range \gset
RESET ROLE;
GRANT USAGE ON SCHEMA public TO public;
SELECT is('16,16', :'by_operator' || ',' || :'by_range',
    'the reader of a view needs no USAGE on the schema of the extension');

-- Row security: bounds reach the index and prune partitions before the policy is asked.
ALTER TABLE parts ENABLE ROW LEVEL SECURITY;
CREATE POLICY even ON parts USING (x % 2 = 0);
SET LOCAL ROLE time_reader;
SELECT ok(plan !~ 'parts_1' AND plan ~ 'Index Cond: \(\(id >= .*\) AND \(id <=? ', 'under row security: ' || condition)
FROM unnest(ARRAY['id BETWEEN timestamptz ''2026-01-25Z'' AND timestamptz ''2026-01-25 06:00Z''',
    'ulid_within(id, ''[2026-01-25Z, 2026-01-25 06:00Z]'')', 'id ^@ ''01KFS9''']) AS condition,
    plan_of('SELECT * FROM parts WHERE ' || condition) AS plan;
SELECT is((SELECT count(*) FROM parts WHERE ulid_within(id, '[2026-01-25Z, 2026-01-25 06:00Z]')), 4::bigint,
    'the policy is kept');
RESET ROLE;

SELECT * FROM finish();
ROLLBACK;
