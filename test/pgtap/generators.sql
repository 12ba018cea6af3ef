-- What each generator promises.
BEGIN;
SELECT no_plan();

-- gen_ulid()
CREATE TEMP TABLE generated (n int, id ulid);
INSERT INTO generated SELECT n, gen_ulid() FROM generate_series(1, 200000) AS n;
SELECT is_empty('SELECT FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM generated) AS g
                 WHERE id <= previous', 'gen_ulid is strictly increasing over 200000 calls');
SELECT cmp_ok(count(DISTINCT id::timestamptz), '>', 1::bigint, 'over more than one millisecond')
FROM generated;
SELECT is_empty('SELECT FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM generated) AS g
                 WHERE ulid_next(previous, id::timestamptz) <> id
                   AND id::timestamptz <= previous::timestamptz',
                'within a millisecond each is the last plus 1');
SELECT is((SELECT count(DISTINCT ulid_randomness(id)) FROM generated), 200000::bigint,
          'a new millisecond brings fresh randomness');

SAVEPOINT s;
INSERT INTO generated SELECT n, gen_ulid() FROM generate_series(1, 1000) AS n;
SELECT max(id) AS rolled_back FROM generated \gset
ROLLBACK TO s;
SELECT cmp_ok(gen_ulid(), '>', :'rolled_back'::ulid,
              'after a rolled back subtransaction it still increases');
DO $$
DECLARE last ulid := gen_ulid(); this ulid;
BEGIN
    FOR i IN 1..100 LOOP
        BEGIN
            this := gen_ulid();
            IF this <= last THEN RAISE 'went back'; END IF;
            last := this;
            RAISE division_by_zero;
        EXCEPTION WHEN division_by_zero THEN NULL;
        END;
    END LOOP;
    PERFORM set_config('test.increased', 'on', true);
END $$;
SELECT is(current_setting('test.increased', true), 'on', 'what errors undo, the generator keeps');

-- A parallel plan, in which the leader calls gen_ulid() and the workers read.
CREATE TABLE wide AS SELECT n FROM generate_series(1, 10000) AS n;
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
CREATE TEMP TABLE gathered (n serial, id ulid);
CREATE FUNCTION pg_temp.gather() RETURNS SETOF ulid LANGUAGE sql AS 'SELECT gen_ulid() FROM wide';
INSERT INTO gathered (id) SELECT * FROM pg_temp.gather();
SELECT is_empty('SELECT FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM gathered) AS g
                 WHERE id <= previous', 'gen_ulid is strictly increasing in a parallel plan');
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;

-- The clock
CREATE FUNCTION pg_temp.is_now(generator text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE before timestamptz; id ulid; after timestamptz;
BEGIN
    PERFORM pg_sleep(0.003);
    before := date_trunc('milliseconds', clock_timestamp());
    EXECUTE 'SELECT ' || generator INTO id;
    after := clock_timestamp();
    RETURN before > now() AND id::timestamptz BETWEEN before AND after;
END $$;
SELECT ok(pg_temp.is_now(generator), generator || ' reads the clock, not now()')
FROM unnest(ARRAY['gen_ulid()', 'gen_random_ulid()',
                  'ulid_next(''01BX5ZZKBKZZZZZZZZZZZZZZZZ'')']) AS generator;

-- gen_random_ulid() and gen_ulid(timestamptz)
CREATE TEMP TABLE random_ulids AS
SELECT n, gen_random_ulid() AS id, gen_ulid('2025-01-01 00:00:00.000999') AS of_time
FROM generate_series(1, 20000) AS n;
SELECT is_empty('SELECT FROM random_ulids AS a JOIN random_ulids AS b
                 ON b.n = a.n + 1 AND (b.id = ulid_next(a.id, ''1970-01-01'')
                                    OR b.of_time = ulid_next(a.of_time, ''1970-01-01''))',
                'none is the neighbor of the one before');
SELECT is((SELECT (count(DISTINCT ulid_randomness(id)), count(DISTINCT ulid_randomness(of_time)))
           FROM random_ulids), (20000::bigint, 20000::bigint), 'each has fresh randomness');
-- Of 20000 x 80 bits each is set about half the times: 6 standard deviations are 425.
SELECT is_empty('SELECT bit FROM random_ulids, generate_series(0, 79) AS bit GROUP BY bit
                 HAVING abs(sum(get_bit(ulid_randomness(id), bit)) - 10000) > 425
                     OR abs(sum(get_bit(ulid_randomness(of_time), bit)) - 10000) > 425',
                'every bit of the randomness is random');
SELECT is((SELECT count(*) FROM random_ulids WHERE of_time::timestamptz <> '2025-01-01'), 0::bigint,
          'gen_ulid(timestamptz) has that millisecond');
SELECT cmp_ok(gen_ulid(), '>', max(id), 'gen_ulid is not moved by a time given')
FROM (SELECT gen_ulid('5000-01-01') AS other, max(id) AS id FROM generated) AS g;
SELECT cmp_ok(gen_ulid()::timestamptz, '<', '5000-01-01'::timestamptz, 'nor drawn along by it');

SELECT is_empty('SELECT FROM random_ulids WHERE ulid_next(id) <= id', 'ulid_next is greater');

SELECT finish();
ROLLBACK;
