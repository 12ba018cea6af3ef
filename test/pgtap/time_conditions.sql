-- Conditions on time if a role may not execute a function, and on multiranges.
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

-- Rights. A plan that was made by one role is run by another.
SET LOCAL plan_cache_mode = force_generic_plan;
PREPARE by_cast(timestamptz) AS SELECT count(*) FROM events WHERE id::timestamptz >= $1;
PREPARE by_operator(timestamptz) AS SELECT count(*) FROM events WHERE id >= $1;
PREPARE by_range(tstzrange) AS SELECT count(*) FROM events WHERE id <@ $1;
PREPARE by_multirange(tstzmultirange) AS SELECT count(*) FROM events WHERE id <@ $1;
PREPARE by_date(date) AS SELECT count(*) FROM events WHERE id::timestamptz >= $1;
CREATE FUNCTION use_all(what text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN NEXT results_eq('EXECUTE by_cast(''2026-02-11 00:00Z'')', ARRAY[16::bigint], what || ': a cast');
    RETURN NEXT results_eq('EXECUTE by_operator(''2026-02-11 00:00Z'')', ARRAY[16::bigint], what || ': an operator');
    RETURN NEXT results_eq('EXECUTE by_range(''[2026-02-11 00:00Z,)'')', ARRAY[16::bigint], what || ': a range');
    RETURN NEXT results_eq('EXECUTE by_multirange(''{[2026-01-01 00:00Z,2026-01-01 02:00Z), [2026-02-11 00:00Z,)}'')',
                           ARRAY[18::bigint], what || ': a multirange');
    RETURN NEXT results_eq('EXECUTE by_date(''2026-02-11'')', ARRAY[16::bigint], what || ': a date');
    RETURN NEXT results_eq('SELECT count(*) FROM events WHERE id::timestamptz >= ''2026-02-11 00:00Z''',
                           ARRAY[16::bigint], what || ': a constant');
    RETURN NEXT results_eq('SELECT count(*) FROM events WHERE id <@ tstzrange(''2026-02-11 00:00Z'', NULL)',
                           ARRAY[16::bigint], what || ': a constant range');
END $$;
SELECT use_all('before');
SELECT matches(plan_of('EXECUTE by_cast(now())'), 'Index Cond: \(id >= ulid_planner_ge', 'a bound is computed while the plan runs');
REVOKE EXECUTE ON FUNCTION ulid_planner_ge(timestamptz), ulid_lower_bound(timestamptz), ulid_planner_range_lower(anyrange),
    ulid_planner_range_upper(anyrange), ulid_planner_range_upper(anymultirange), ulid_planner_in_multirange(ulid, anymultirange), ulid_planner_time(date) FROM public;
SELECT use_all('revoked');
SET LOCAL ROLE time_reader;
SELECT use_all('revoked, as another role');
SELECT matches(plan_of('SELECT * FROM events WHERE id::timestamptz >= ''2026-02-11 00:00Z'''), 'Index Cond: \(id >= ''01K',
    'a constant takes the index all the same');
RESET ROLE;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO public;
DEALLOCATE by_cast;
PREPARE by_cast(timestamptz) AS SELECT count(*) FROM events WHERE id::timestamptz >= $1;
SELECT matches(plan_of('EXECUTE by_cast(now())'), 'Index Cond: \(id >= ulid_planner_ge', 'and again once it is granted');
-- Functions are known by their C symbols: another name in SQL changes nothing.
ALTER FUNCTION ulid_planner_ge(timestamptz) RENAME TO other;
DEALLOCATE by_cast;
PREPARE by_cast(timestamptz) AS SELECT count(*) FROM events WHERE id::timestamptz >= $1;
SELECT matches(plan_of('EXECUTE by_cast(now())'), 'Index Cond: \(id >= other', 'under another name');
ALTER FUNCTION other(timestamptz) RENAME TO ulid_planner_ge;
RESET plan_cache_mode;

-- Multiranges
CREATE TEMP TABLE queries (query text);
INSERT INTO queries VALUES
    ('SELECT * FROM parts WHERE id <@ ''{[2026-01-25 00:00Z,2026-01-25 02:00Z),[2026-01-25 05:00Z,2026-01-25 07:00Z)}''::tstzmultirange'),
    ('SELECT * FROM parts WHERE ''{[2026-01-25 00:00Z,2026-01-25 02:00Z),[2026-01-25 05:00Z,2026-01-25 07:00Z)}''::tstzmultirange @> id');
GRANT SELECT ON queries TO time_reader;
SELECT ok(plan_of(query) !~ 'parts_1' AND plan_of(query) ~ 'Index Cond: \(\(id >= .*\) AND \(id <= ',
          'a multirange prunes partitions and takes the index: ' || query) FROM queries;
SELECT is((SELECT count(*) FROM parts WHERE id <@ '{[2026-01-25 00:00Z,2026-01-25 02:00Z),[2026-01-25 05:00Z,2026-01-25 07:00Z)}'::tstzmultirange),
          4::bigint, 'and finds the rows in its ranges');
SELECT ok(plan_of('SELECT * FROM parts WHERE id <@ ''{[2026-01-25 00:00Z,2026-01-25 02:00Z)}''::tstzmultirange') !~ 'Filter',
          'one of a single range needs no more than its ends');
SELECT is((SELECT count(*) FROM parts WHERE id <@ '{}'::tstzmultirange), 0::bigint, 'nothing is in an empty one');
ALTER TABLE parts ENABLE ROW LEVEL SECURITY;
CREATE POLICY even ON parts USING (x % 2 = 0);
SET LOCAL ROLE time_reader;
SELECT ok(plan_of(query) !~ 'parts_1' AND plan_of(query) ~ 'Index Cond: \(\(id >= .*\) AND \(id <= ',
          'also under row security: ' || query) FROM queries;
SELECT is((SELECT count(*) FROM parts WHERE id <@ '{[2026-01-25 00:00Z,2026-01-25 02:00Z),[2026-01-25 05:00Z,2026-01-25 07:00Z)}'::tstzmultirange),
          2::bigint, 'which is kept');
RESET ROLE;

SELECT * FROM finish();
ROLLBACK;
