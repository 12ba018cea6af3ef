-- Every way to sort gives the order of the bytes.
BEGIN;
SELECT no_plan();
SET LOCAL max_parallel_workers_per_gather = 0;

-- 20000 ids of each kind in no order, so that sorting comes to its decision whether to keep abbreviated keys, which it takes
-- after 10000. The keys are all the same for ids counted up in one millisecond, a few for 100 in each, and saturated past 2109.
\ir include/ids.psql
CREATE TEMP TABLE shuffled AS
SELECT kind || ' over ' || span AS kind, id FROM (
    SELECT kind, span, id FROM unnest('{uniform,skewed,bursty,counted,UUIDv7,random UUIDs}'::text[]) AS kind,
        unnest('{0,1 hour,1000 years}'::interval[]) AS span, ids(kind, span, 20000)
    WHERE kind IN ('uniform', 'counted') OR span = '1 hour'
    UNION ALL SELECT 'twice each and NULLs', '0', CASE WHEN n % 10 > 0 THEN make_ulid('2025-01-01Z', substr(sha256((n / 2)::text::bytea), 1, 10)) END
    FROM generate_series(1, 20000) AS n
) AS v ORDER BY sha256(id::bytea || kind::bytea);
ANALYZE shuffled;

-- How many neighbors are out of byte order, the kinds being sorted one at a time.
CREATE FUNCTION pg_temp.out_of_order(kind text, direction text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE result bigint;
BEGIN
    EXECUTE format(
        'SELECT count(*) FROM (
             SELECT bytes, lag(bytes) OVER () AS previous, row_number() OVER () AS n
             FROM (SELECT id::bytea AS bytes FROM shuffled WHERE kind = %L ORDER BY id %s OFFSET 0) AS s
         ) AS neighbors
         WHERE n > 1 AND coalesce(previous %s bytes, %s IS NULL)', kind, direction,
        CASE direction WHEN 'ASC' THEN '>' ELSE '<' END,
        CASE direction WHEN 'ASC' THEN 'bytes IS NOT NULL AND previous' ELSE 'previous IS NOT NULL AND bytes' END)
    INTO result;
    RETURN result;
END $$;

\ir include/plan_of.psql
CREATE FUNCTION pg_temp.sorts(how text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT is(pg_temp.out_of_order(kind, direction), 0::bigint, format('%s %s %s', how, kind, direction))
    FROM (SELECT DISTINCT kind FROM shuffled) AS k, unnest(ARRAY['ASC', 'DESC']) AS direction
$$;
SELECT pg_temp.sorts('in memory:');
SET LOCAL work_mem = '64kB';
SELECT pg_temp.sorts('on disk:');
SELECT matches(plan_of('SELECT id FROM shuffled ORDER BY id', 'ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF'),
    'Sort Method: *(external|[^\n]*Disk)', 'a small work_mem makes the sort spill');
RESET work_mem;

-- The same by an index: it sorts when it is built, and compares without keys when it grows.
SET LOCAL maintenance_work_mem = '1MB';
CREATE INDEX built ON shuffled (id);
CREATE TEMP TABLE grown (id ulid);
CREATE INDEX grown_id ON grown (id);
INSERT INTO grown SELECT id FROM shuffled;
SET LOCAL enable_seqscan = off;
SET LOCAL enable_sort = off;
SELECT matches(plan_of(format('SELECT id FROM %s ORDER BY id', name)), 'Index', name || ' is read by its index')
FROM unnest(ARRAY['shuffled', 'grown']) AS name;
CREATE TEMP TABLE by_built AS SELECT row_number() OVER () AS n, id FROM (SELECT id FROM shuffled ORDER BY id) AS s;
CREATE TEMP TABLE by_grown AS SELECT row_number() OVER () AS n, id FROM (SELECT id FROM grown ORDER BY id) AS s;
SELECT is((SELECT count(*) FROM by_built AS a FULL JOIN by_grown AS b USING (n) WHERE a.id::bytea IS DISTINCT FROM b.id::bytea), 0::bigint,
    'an index that was built and one that grew have one order');
SELECT is((SELECT count(*) FROM by_built AS a JOIN by_built AS b ON b.n = a.n + 1
    WHERE a.id::bytea > b.id::bytea OR (a.id IS NULL AND b.id IS NOT NULL)), 0::bigint, 'the indexes have the order of the bytes');

-- DISTINCT and grouping, by sort and by hash, agree with the bytes.
RESET enable_sort;
RESET enable_seqscan;
CREATE FUNCTION pg_temp.distinct_by(setting text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE result bigint;
BEGIN
    PERFORM set_config(setting, 'off', true);
    EXECUTE 'SELECT count(*) FROM (SELECT DISTINCT id FROM shuffled) AS d' INTO result;
    PERFORM set_config(setting, 'on', true);
    RETURN result;
END $$;
SELECT is(pg_temp.distinct_by(setting), (SELECT count(*) FROM (SELECT DISTINCT id::bytea FROM shuffled) AS d),
              'DISTINCT with ' || setting || ' off')
FROM unnest(ARRAY['enable_hashagg', 'enable_sort']) AS setting;

SELECT finish();
ROLLBACK;
