-- Every way to sort gives the order of the bytes.
BEGIN;
SELECT no_plan();
SET LOCAL max_parallel_workers_per_gather = 0;

-- 12000 ids of each kind in no order, so that a sort comes to its decision whether to keep abbreviated keys, after
-- 10000. The keys are all the same for ids counted up in one millisecond, a few for 100 in each, and saturated past
-- 2109. (The unit tests check the decision.)
\ir ../lib/ids.psql
CREATE TEMP TABLE shuffled AS
SELECT kind || ' over ' || span AS kind, id FROM (
    SELECT kind, span, id FROM unnest('{uniform,counted,UUIDv7,random UUIDs}'::text[]) AS kind,
        unnest('{0,1 hour,1000 years}'::interval[]) AS span, ids(kind, span, 12000)
    WHERE span = '1 hour' OR kind = 'uniform' OR kind = 'counted' AND span = '0'
    UNION ALL SELECT 'twice each and NULLs', '0', CASE WHEN n % 10 > 0 THEN id END
    FROM ids('uniform', '0', 10000), generate_series(1, 2)
) AS v ORDER BY sha256(id::bytea || kind::bytea);
ANALYZE shuffled;

\ir ../lib/plan_of.psql
-- The kinds are sorted one at a time.
CREATE FUNCTION pg_temp.is_sorted(kind text, direction text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE result boolean;
BEGIN
    EXECUTE format('SELECT ARRAY(SELECT id FROM shuffled WHERE kind = %1$L ORDER BY id %2$s)::bytea[]
        IS NOT DISTINCT FROM ARRAY(SELECT id::bytea FROM shuffled WHERE kind = %1$L
            ORDER BY id::bytea %2$s)', kind, direction) INTO result;
    RETURN result;
END $$;
CREATE FUNCTION pg_temp.sorts(how text, VARIADIC directions text[]) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT ok(pg_temp.is_sorted(kind, direction), format('%s %s %s', how, kind, direction))
    FROM (SELECT DISTINCT kind FROM shuffled) AS k, unnest(directions) AS direction
$$;
SELECT pg_temp.sorts('in memory:', 'ASC', 'DESC');
SET LOCAL work_mem = '64kB';
SELECT pg_temp.sorts('on disk:', 'ASC');
SELECT matches(plan_of('SELECT id FROM shuffled ORDER BY id', 'ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF'),
    'Sort Method: *(external|[^\n]*Disk)', 'a small work_mem makes the sort spill');
RESET work_mem;

-- The same by an index: it sorts when it is built, and compares without keys when it grows.
SET LOCAL maintenance_work_mem = '1MB';
CREATE INDEX built ON shuffled (id);
CREATE TEMP TABLE grown (id ulid);
CREATE INDEX grown_id ON grown (id);
INSERT INTO grown SELECT id FROM shuffled;
SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off;
SELECT matches(plan_of(format('SELECT id FROM %s ORDER BY id', name)), 'Index', name || ' is read by its index')
FROM unnest(ARRAY['shuffled', 'grown']) AS name;
SELECT ok(ids::bytea[] = ARRAY(SELECT id::bytea FROM shuffled ORDER BY id::bytea),
    'the order of the bytes by an index that ' || how)
FROM (VALUES (ARRAY(SELECT id FROM shuffled ORDER BY id), 'was built'),
    (ARRAY(SELECT id FROM grown ORDER BY id), 'grew')) AS v (ids, how);

SELECT finish();
ROLLBACK;
