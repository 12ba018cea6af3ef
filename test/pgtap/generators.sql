-- What each generator promises.
BEGIN;
SELECT no_plan();

-- gen_uuidv7()
CREATE TEMP TABLE uuids (n int, id uuid);
INSERT INTO uuids SELECT n, gen_uuidv7() FROM generate_series(1, 200000) AS n;
CREATE FUNCTION pg_temp.ticks(id uuid) RETURNS bigint LANGUAGE sql
    RETURN ('x' || substr(id::text, 1, 8) || substr(id::text, 10, 4) || substr(id::text, 16, 3))::bit(60)::bigint;
SELECT is_empty('SELECT FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM uuids) AS g WHERE id <= previous',
    'gen_uuidv7 is strictly increasing over 200000 calls');
SELECT is_empty($$SELECT FROM uuids WHERE id::text !~ '^.{14}7.{4}[89ab]' OR id::ulid < now() OR id::ulid > clock_timestamp()$$,
    'each is a UUIDv7 of the time now');
SELECT cmp_ok(count(DISTINCT pg_temp.ticks(id) & 4095), '>', 3000::bigint, 'at many fractions of a millisecond') FROM uuids;
SELECT is_empty($$SELECT bit, sum(get_bit(uuid_send(id), bit))
    FROM uuids, (SELECT generate_series(64, 69) UNION ALL SELECT generate_series(72, 127)) AS bits (bit)
    GROUP BY bit HAVING abs(sum(get_bit(uuid_send(id), bit)) - 100000) > 3000$$, 'each of the last 62 bits is random');
-- The microseconds of a time, in order.
SELECT is_empty($$SELECT FROM (SELECT t, id, lag(id) OVER (ORDER BY t) AS previous FROM (
        SELECT t, gen_uuidv7(t) AS id
        FROM (SELECT '2026-01-05 12:00Z'::timestamptz + n * interval '1 us' FROM generate_series(0, 19999) AS n) AS v (t) OFFSET 0) AS made) AS g
    WHERE id <= previous OR pg_temp.ticks(id) <> floor(extract(epoch FROM t) * 4096000) OR id::text !~ '^.{14}7.{4}[89ab]'$$,
    'rows filled in with gen_uuidv7(t) sort by their times, 20000 consecutive microseconds');
SELECT is((SELECT count(DISTINCT gen_uuidv7('2026-01-05Z')) FROM generate_series(1, 20000)), 20000::bigint,
    'gen_uuidv7 of one time: fresh randomness each time');
-- The server's own function, on 18 and later.
SELECT CASE WHEN current_setting('server_version_num')::int < 180000 THEN skip('PostgreSQL before 18 has no uuidv7()')
    ELSE is_empty($$SELECT FROM (SELECT pg_temp.ticks(id) AS ticks, lag(pg_temp.ticks(id)) OVER (ORDER BY n) AS previous
            FROM (SELECT n, CASE n % 2 WHEN 0 THEN gen_uuidv7() ELSE uuidv7() END AS id FROM generate_series(1, 20000) AS n OFFSET 0) AS made)
        AS g WHERE ticks < previous - 1$$, 'ids of gen_uuidv7() and of the server''s uuidv7() sort together, to the fraction') END;

-- gen_ulid()
CREATE TEMP TABLE generated (n int, id ulid);
INSERT INTO generated SELECT n, gen_ulid() FROM generate_series(1, 200000) AS n;
SELECT is_empty('SELECT FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM generated) AS g
                 WHERE id <= previous', 'gen_ulid is strictly increasing over 200000 calls');
SELECT cmp_ok(count(DISTINCT id::timestamptz), '>', 1::bigint, 'gen_ulid gives ids of more than one millisecond')
FROM generated;
SELECT is_empty('SELECT FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM generated) AS g
                 WHERE ulid_next(previous, id::timestamptz) <> id AND id::timestamptz <= previous::timestamptz',
                'within a millisecond each is the last plus 1');
SELECT is((SELECT count(DISTINCT ulid_randomness(id)) FROM generated), 200000::bigint, 'a new millisecond brings fresh randomness');

SAVEPOINT s;
INSERT INTO generated SELECT n, gen_ulid() FROM generate_series(1, 1000) AS n;
SELECT max(id) AS rolled_back FROM generated \gset
ROLLBACK TO s;
SELECT cmp_ok(gen_ulid(), '>', :'rolled_back'::ulid, 'after a rolled back subtransaction it still increases');
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
SELECT is(current_setting('test.increased', true), 'on', 'gen_ulid increases although errors undo its callers');

-- A parallel plan, in which the leader calls gen_ulid() and the workers read.
CREATE TABLE wide AS SELECT n FROM generate_series(1, 10000) AS n;
SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0; SET LOCAL min_parallel_table_scan_size = 0;
CREATE TEMP TABLE gathered (n serial, id ulid);
CREATE FUNCTION pg_temp.gather() RETURNS SETOF ulid LANGUAGE sql AS 'SELECT gen_ulid() FROM wide';
INSERT INTO gathered (id) SELECT * FROM pg_temp.gather();
SELECT is_empty('SELECT FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM gathered) AS g
                 WHERE id <= previous', 'gen_ulid is strictly increasing in a parallel plan');
RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size;

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
FROM unnest(ARRAY['gen_ulid()', 'gen_random_ulid()', 'gen_uuidv7()', 'ulid_next(''01BX5ZZKBKZZZZZZZZZZZZZZZZ'')']) AS generator;

-- gen_random_ulid() and gen_ulid(timestamptz)
CREATE TEMP TABLE random_ulids AS
SELECT n, gen_random_ulid() AS id, gen_ulid('2025-01-01 00:00:00.000999') AS of_time
FROM generate_series(1, 20000) AS n;
SELECT is_empty('SELECT FROM random_ulids AS a JOIN random_ulids AS b ON b.n = a.n + 1 AND (b.id = ulid_next(a.id, ''1970-01-01'')
                                    OR b.of_time = ulid_next(a.of_time, ''1970-01-01''))',
                'no random ULID is the neighbor of the one before');
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
SELECT cmp_ok(gen_ulid()::timestamptz, '<', '5000-01-01'::timestamptz, 'gen_ulid keeps the time of the clock after a later time was given');

SELECT is_empty('SELECT FROM random_ulids WHERE ulid_next(id) <= id', 'ulid_next is greater');

SELECT finish();
ROLLBACK;
