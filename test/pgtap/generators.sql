-- What each generator promises.
BEGIN;
SELECT no_plan();

\ir ../lib/generators.psql
SELECT pg_temp.is_random(generator) FROM unnest(ARRAY['gen_random_ulid()', 'gen_ulid(''2025-01-01'')']) AS generator;
SELECT pg_temp.is_random(generator, '[64,70)', '[72,128)')
    FROM unnest(ARRAY['gen_uuidv7()', 'gen_uuidv7(''2025-01-01'')']) AS generator;
SELECT pg_temp.ascends('gen_uuidv7()', 200000);
-- The microseconds of a time, in order.
SELECT is_empty($$SELECT FROM (SELECT t, id, lag(id) OVER (ORDER BY t) AS previous FROM (
        SELECT t, gen_uuidv7(t) AS id
        FROM (SELECT '2026-01-05 12:00Z'::timestamptz + n * interval '1 us'
            FROM generate_series(0, 19999) AS n) AS v (t) OFFSET 0) AS made) AS g
    WHERE id <= previous OR pg_temp.ticks(id) <> floor(extract(epoch FROM t) * 4096000)
        OR id::text !~ '^.{14}7.{4}[89ab]'$$,
    'rows filled in with gen_uuidv7(t) sort by their times, 20000 consecutive microseconds');
-- The server's own function, on 18 and later.
SELECT CASE WHEN current_setting('server_version_num')::int < 180000 THEN skip('PostgreSQL before 18 has no uuidv7()')
    ELSE is_empty($$SELECT FROM (SELECT pg_temp.ticks(id) AS ticks, lag(pg_temp.ticks(id)) OVER (ORDER BY n) AS previous
            FROM (SELECT n, CASE n % 2 WHEN 0 THEN gen_uuidv7() ELSE uuidv7() END AS id
                FROM generate_series(1, 20000) AS n OFFSET 0) AS made)
        AS g WHERE ticks < previous - 1$$,
        'ids of gen_uuidv7() and of the server''s uuidv7() sort together, to the fraction') END;

-- gen_ulid()
SELECT pg_temp.ascends('gen_ulid()', 200000);
CREATE TEMP TABLE generated AS SELECT n, id::ulid FROM made;
SELECT is_empty('SELECT FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM generated) AS g
                 WHERE ulid_next(previous, id::timestamptz) <> id AND id::timestamptz <= previous::timestamptz',
                'within a millisecond each is the last plus 1');
SELECT is((SELECT count(DISTINCT ulid_randomness(id)) FROM generated), 200000::bigint,
    'a new millisecond brings fresh randomness');

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
FROM unnest(ARRAY['gen_ulid()', 'gen_random_ulid()', 'gen_uuidv7()',
    'ulid_next(''01BX5ZZKBKZZZZZZZZZZZZZZZZ'')']) AS generator;

-- A time that was given
SELECT ulid_timestamp(gen_ulid('5000-01-01')) AS given \gset
SELECT cmp_ok(gen_ulid()::timestamptz, '<', :'given'::timestamptz,
    'gen_ulid keeps the time of the clock after a later time was given');

SELECT finish();
ROLLBACK;
