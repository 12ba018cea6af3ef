-- Conditions on time where a role may not execute a function, in another schema, and under row security.
BEGIN;
SELECT no_plan();
SET LOCAL timezone = 'UTC';
SET LOCAL client_min_messages = warning;

\ir include/plan_of.psql

CREATE TABLE events (id ulid PRIMARY KEY, x int);
INSERT INTO events SELECT ulid_min('2026-01-01Z'::timestamptz + n * interval '1 hour'), n FROM generate_series(0, 999) AS n;
CREATE TABLE parts (id ulid, x int) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (MINVALUE) TO (ulid_min('2026-01-20Z'));
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (ulid_min('2026-01-20Z')) TO (MAXVALUE);
CREATE INDEX ON parts (id);
INSERT INTO parts SELECT * FROM events;
ANALYZE;
CREATE ROLE time_reader;
GRANT SELECT ON events, parts TO time_reader;

SET LOCAL plan_cache_mode = force_generic_plan;
SET LOCAL enable_seqscan = off;
PREPARE by_operator(timestamptz) AS SELECT count(*) FROM events WHERE id >= $1;
PREPARE by_range(tstzrange) AS SELECT count(*) FROM events WHERE ulid_within(id, $1);
PREPARE by_date(date) AS SELECT count(*) FROM events WHERE id >= $1;
CREATE FUNCTION use_all(what text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT results_eq(query, ARRAY[16::bigint], what || ': ' || query) FROM unnest(ARRAY[
        'EXECUTE by_operator(''2026-02-11 00:00Z'')', 'EXECUTE by_range(''[2026-02-11 00:00Z,)'')', 'EXECUTE by_date(''2026-02-11'')',
        'SELECT count(*) FROM events WHERE id >= ''2026-02-11 00:00Z''::timestamptz',
        'SELECT count(*) FROM events WHERE ulid_within(id, tstzrange(''2026-02-11 00:00Z'', NULL))']) AS query
$$;
SELECT use_all('before');
SELECT matches(plan_of('EXECUTE by_operator(now())'), 'Index Cond: \(id >= ulid_lower_bound', 'a bound is computed while the plan runs');

REVOKE EXECUTE ON FUNCTION ulid_ge_timestamptz(ulid, timestamptz) FROM public;
SET LOCAL ROLE time_reader;
SELECT throws_ok('SELECT count(*) FROM events WHERE id >= ''2026-02-11 00:00Z''::timestamptz', '42501', NULL,
    'an operator that was revoked');
RESET ROLE;
GRANT EXECUTE ON FUNCTION ulid_ge_timestamptz(ulid, timestamptz) TO public;
SELECT use_all('granted again');

-- Another schema.
CREATE SCHEMA elsewhere;
ALTER EXTENSION ulid SET SCHEMA elsewhere;
SELECT results_eq('SELECT count(*) FROM events WHERE id OPERATOR(elsewhere.>=) ''2026-02-11 00:00Z''::timestamptz',
    ARRAY[16::bigint], 'in another schema');
SELECT matches(plan_of('SELECT * FROM events WHERE id OPERATOR(elsewhere.>=) now()'),
    'Index Cond: \(id OPERATOR\(elsewhere.>=\) elsewhere.ulid_lower_bound', 'a schema that is not in the path');
ALTER EXTENSION ulid SET SCHEMA public;
RESET plan_cache_mode;

-- Row security: bounds reach the index and prune partitions before the policy is asked.
ALTER TABLE parts ENABLE ROW LEVEL SECURITY;
CREATE POLICY even ON parts USING (x % 2 = 0);
SET LOCAL ROLE time_reader;
SELECT ok(plan_of('SELECT * FROM parts WHERE ' || condition) !~ 'parts_1'
          AND plan_of('SELECT * FROM parts WHERE ' || condition) ~ 'Index Cond: \(\(id >= .*\) AND \(id <=? ',
          'under row security: ' || condition)
FROM unnest(ARRAY['id BETWEEN timestamptz ''2026-01-25Z'' AND timestamptz ''2026-01-25 06:00Z''',
    'ulid_within(id, ''[2026-01-25Z, 2026-01-25 06:00Z]'')', 'id ^@ ''01KFS9''']) AS condition;
SELECT is((SELECT count(*) FROM parts WHERE ulid_within(id, '[2026-01-25Z, 2026-01-25 06:00Z]')), 4::bigint, 'the policy is kept');
RESET ROLE;

SELECT * FROM finish();
ROLLBACK;
