-- What each generator promises.
BEGIN;
SELECT no_plan();

\ir ../include/generators.psql
SELECT pg_temp.is_random(generator) FROM unnest(ARRAY['gen_random_ulid()', 'gen_ulid(''2025-01-01'')']) AS generator;
SELECT pg_temp.is_random(generator, '[64,70)', '[72,128)') FROM unnest(ARRAY['gen_uuidv7()', 'gen_uuidv7(''2025-01-01'')']) AS generator;
SELECT pg_temp.ascends('gen_uuidv7()', 200000);
-- The microseconds of a time, in order.
SELECT is_empty($$SELECT FROM (SELECT t, id, lag(id) OVER (ORDER BY t) AS previous FROM (
        SELECT t, gen_uuidv7(t) AS id
        FROM (SELECT '2026-01-05 12:00Z'::timestamptz + n * interval '1 us' FROM generate_series(0, 19999) AS n) AS v (t) OFFSET 0) AS made) AS g
    WHERE id <= previous OR pg_temp.ticks(id) <> floor(extract(epoch FROM t) * 4096000) OR id::text !~ '^.{14}7.{4}[89ab]'$$,
    'rows filled in with gen_uuidv7(t) sort by their times, 20000 consecutive microseconds');
-- The server's own function, on 18 and later.
SELECT CASE WHEN current_setting('server_version_num')::int < 180000 THEN skip('PostgreSQL before 18 has no uuidv7()')
    ELSE is_empty($$SELECT FROM (SELECT pg_temp.ticks(id) AS ticks, lag(pg_temp.ticks(id)) OVER (ORDER BY n) AS previous
            FROM (SELECT n, CASE n % 2 WHEN 0 THEN gen_uuidv7() ELSE uuidv7() END AS id FROM generate_series(1, 20000) AS n OFFSET 0) AS made)
        AS g WHERE ticks < previous - 1$$, 'ids of gen_uuidv7() and of the server''s uuidv7() sort together, to the fraction') END;

-- gen_ulid()
SELECT pg_temp.ascends('gen_ulid()', 200000);
CREATE TEMP TABLE generated AS SELECT n, id::ulid FROM made;
SELECT is_empty('SELECT FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM generated) AS g
                 WHERE ulid_next(previous, id::timestamptz) <> id AND id::timestamptz <= previous::timestamptz',
                'within a millisecond each is the last plus 1');
SELECT is((SELECT count(DISTINCT ulid_randomness(id)) FROM generated), 200000::bigint, 'a new millisecond brings fresh randomness');

CREATE FUNCTION pg_temp.undone() RETURNS SETOF ulid LANGUAGE plpgsql AS $$
BEGIN
    FOR i IN 1..100 LOOP
        BEGIN
            RETURN NEXT gen_ulid();
            RAISE division_by_zero;
        EXCEPTION WHEN division_by_zero THEN NULL;
        END;
    END LOOP;
END $$;
SELECT ok(bool_and(id > previous) AND count(*) = 100, 'gen_ulid increases although errors undo its callers')
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM pg_temp.undone() WITH ORDINALITY AS g (id, n)) AS g;

-- A parallel plan, in which the leader calls gen_ulid() and the workers read.
CREATE TABLE wide AS SELECT n FROM generate_series(1, 10000) AS n;
SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0; SET LOCAL min_parallel_table_scan_size = 0;
CREATE FUNCTION pg_temp.gather() RETURNS SETOF ulid LANGUAGE sql AS 'SELECT gen_ulid() FROM wide';
SELECT ok(bool_and(id > previous) AND count(*) = 10000, 'gen_ulid is strictly increasing in a parallel plan')
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM pg_temp.gather() WITH ORDINALITY AS g (id, n)) AS g;
RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size;

-- The clock
CREATE FUNCTION pg_temp.is_now(generator text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE before timestamptz; id ulid;
BEGIN
    PERFORM pg_sleep(0.003);
    before := date_trunc('milliseconds', clock_timestamp());
    EXECUTE 'SELECT ' || generator INTO id;
    RETURN before > now() AND id::timestamptz BETWEEN before AND clock_timestamp();
END $$;
SELECT ok(pg_temp.is_now(generator), generator || ' reads the clock, not now()')
FROM unnest(ARRAY['gen_ulid()', 'gen_random_ulid()', 'gen_uuidv7()', 'ulid_next(''01BX5ZZKBKZZZZZZZZZZZZZZZZ'')']) AS generator;

-- gen_random_ulid() and gen_ulid(timestamptz)
CREATE TEMP TABLE random_ulids AS
SELECT n, gen_random_ulid() AS id, gen_ulid('2025-01-01 00:00:00.000999') AS of_time FROM generate_series(1, 20000) AS n;
SELECT is_empty('SELECT FROM random_ulids AS a JOIN random_ulids AS b ON b.n = a.n + 1 AND (b.id = ulid_next(a.id, ''1970-01-01'')
                                    OR b.of_time = ulid_next(a.of_time, ''1970-01-01''))',
                'no random ULID is the neighbor of the one before');
SELECT cmp_ok(gen_ulid(), '>', max(id), 'gen_ulid is not moved by a time given')
FROM (SELECT gen_ulid('5000-01-01') AS other, max(id) AS id FROM generated) AS g;
SELECT cmp_ok(gen_ulid()::timestamptz, '<', '5000-01-01'::timestamptz, 'gen_ulid keeps the time of the clock after a later time was given');

SELECT finish();
ROLLBACK;
