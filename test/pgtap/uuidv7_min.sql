-- Ranges of times on uuid columns of UUIDv7s, by uuidv7_min().
BEGIN;
SELECT no_plan();
SET LOCAL timezone = 'UTC';
\ir ../lib/plan_of.psql

-- At the edges of milliseconds, of each microsecond around them, and of the clock. The server has uuidv7() from 18 on.
CREATE TABLE item (id uuid, made timestamptz);
INSERT INTO item
SELECT gen_uuidv7(at), at
FROM generate_series(-3000, 3000) AS n, CAST('2026-01-01Z'::timestamptz + n * interval '1 us' AS timestamptz) AS at;
INSERT INTO item SELECT gen_uuidv7() FROM generate_series(1, 5000);
SELECT current_setting('server_version_num')::int >= 180000 AS has_uuidv7 \gset
\if :has_uuidv7
INSERT INTO item SELECT uuidv7() FROM generate_series(1, 5000);
INSERT INTO item SELECT uuidv7(n * interval '100 us') FROM generate_series(-5000, 5000) AS n;
\endif

-- In how many of the windows between successive times a row is found.
CREATE FUNCTION pg_temp.found(id uuid, times timestamptz[]) RETURNS bigint LANGUAGE sql AS $$
    SELECT count(*) FROM unnest(times[:cardinality(times) - 1], times[2:]) AS v (since, until)
    WHERE id >= uuidv7_min(since) AND id < uuidv7_min(until)
$$;
SELECT is((SELECT count(*) FROM item WHERE pg_temp.found(id, times) <> 1), 0::bigint,
    'windows of ' || step || ' that follow one another find each row once')
FROM unnest('{250 us,999 us,1 ms,1001 us}'::interval[]) AS step,
    LATERAL (SELECT array_agg(at ORDER BY at) FROM unnest(ARRAY(
        SELECT generate_series('2025-12-31 23:59:59.996999Z', '2026-01-01 00:00:00.004Z', step)
        UNION ALL VALUES ('1970-01-01Z'::timestamptz), ('10889-08-02 05:31:50.655Z'))) AS at) AS v (times);
SELECT is((SELECT count(*) FROM item WHERE made >= t AND NOT id >= uuidv7_min(t)), 0::bigint,
    'a row made at or after t is found: ' || t)
FROM generate_series('2025-12-31 23:59:59.9985Z', '2026-01-01 00:00:00.0015Z'::timestamptz, '125 us') AS t;
SELECT is((SELECT count(*) FROM item WHERE date_trunc('milliseconds', made) < date_trunc('milliseconds', t)
    AND id >= uuidv7_min(t)),
    0::bigint, 'a row made before the millisecond of t is not: ' || t)
FROM generate_series('2025-12-31 23:59:59.9985Z', '2026-01-01 00:00:00.0015Z'::timestamptz, '125 us') AS t;
\if :has_uuidv7
SELECT is(uuid_extract_timestamp(uuidv7_min('2026-01-01 00:00:00.0019Z')), '2026-01-01 00:00:00.001Z',
    'the server reads the time of the bound back');
\endif

-- Partitions are pruned when the query is planned, and when it runs.
CREATE TABLE parted (id uuid NOT NULL) PARTITION BY RANGE (id);
SELECT format('CREATE TABLE parted_%s PARTITION OF parted FOR VALUES FROM (%L) TO (%L)', month,
    uuidv7_min(make_date(2026, month, 1)), uuidv7_min(make_date(2026, month, 1) + interval '1 month'))
FROM generate_series(1, 4) AS month \gexec
INSERT INTO parted SELECT gen_uuidv7(t) FROM generate_series('2026-01-01Z'::timestamptz, '2026-04-30Z', '1 hour') AS t;
SELECT is(array(SELECT m[1] FROM regexp_matches(plan_of($$SELECT FROM parted
    WHERE id >= uuidv7_min('2026-02-28Z') AND id < uuidv7_min('2026-03-02Z')$$), 'Scan [^\n]*on (\w+)', 'g') AS m),
    '{parted_2,parted_3}', 'constants prune partitions');
PREPARE since(timestamptz) AS SELECT count(*) FROM parted WHERE id >= uuidv7_min($1);
SET plan_cache_mode = force_generic_plan;
SELECT matches(plan_of($$EXECUTE since('2026-04-02Z')$$), 'Subplans Removed: 3',
    'a time known at run time prunes three of four');
CREATE TEMP TABLE counted AS EXECUTE since('2026-04-02Z');
SELECT is(count, 28 * 24 + 1::bigint, 'and finds the rows of the fourth') FROM counted;

SELECT finish();
ROLLBACK;
