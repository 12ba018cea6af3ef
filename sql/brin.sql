-- BRIN indexes on ulids read few pages: minmax, minmax-multi and bloom. (What they find: indexes.sql.)
SET timezone = 'UTC';

-- 40,000 ulids over 30 days in the order of their times, a few rows to a page.
CREATE TABLE log (id ulid, n int, filler text);
INSERT INTO log
SELECT make_ulid('2026-01-01 00:00+00'::timestamptz + i * interval '64.8 s',
                 decode(substr(md5(i::text), 1, 20), 'hex')), i, repeat('-', 200)
FROM generate_series(0, 39999) AS i;
CREATE INDEX log_brin ON log USING brin (id) WITH (pages_per_range = 4);
VACUUM ANALYZE log;

-- How many of the heap's pages a bitmap scan reads, at most.
CREATE FUNCTION pages_read(tab text, condition text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
    SET LOCAL enable_seqscan = off;
    FOR line IN EXECUTE format('EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) '
                               'SELECT FROM %I WHERE %s', tab, condition) LOOP
        IF line ~ 'Heap Blocks' THEN
            RETURN (regexp_match(line, 'lossy=(\d+)'))[1];
        END IF;
    END LOOP;
END $$;

-- Print the results below, mostly plans, without headers and borders.
\pset format unaligned
\pset tuples_only on
-- minmax, the default: a time condition reads the pages of its time.
EXPLAIN (COSTS OFF) SELECT * FROM log WHERE id >= '2026-01-30 23:00+00'::timestamptz;
SELECT c AS condition, pages_read('log', c) < 20 AS few_pages
FROM unnest(ARRAY[
    'id >= ''2026-01-30 23:00+00''::timestamptz',
    'id < ''2026-01-01 01:00+00''::timestamptz',
    'id BETWEEN ''2026-01-11+00''::timestamptz AND ''2026-01-11 01:00+00''::timestamptz',
    'ulid_within(id, tstzrange(''2026-01-11+00'', ''2026-01-11 01:00+00''))',
    'id = (SELECT id FROM log WHERE n = 20000)'
]) AS c;

CREATE INDEX log_small ON log USING brin (id);
CREATE INDEX log_btree ON log (id);
SELECT pg_relation_size('log_small') < pg_relation_size('log_btree') / 20 AS small;
DROP INDEX log_small, log_btree;

-- minmax-multi: an early ulid now and then among late ones spoils minmax, but not this. The distance
-- between two ulids decides which of them share an interval.
CREATE TABLE noisy AS
SELECT CASE WHEN n % 500 = 499 THEN ulid_min('2025-12-01+00') ELSE id END AS id, n, filler
FROM log ORDER BY n;
VACUUM ANALYZE noisy;
CREATE INDEX noisy_minmax ON noisy USING brin (id) WITH (pages_per_range = 32);
SELECT pages_read('noisy', 'id BETWEEN ''2026-01-05+00''::timestamptz '
                           'AND ''2026-01-05 01:00+00''::timestamptz') > 500 AS many_pages;
DROP INDEX noisy_minmax;
CREATE INDEX noisy_multi ON noisy USING brin (id ulid_minmax_multi_ops)
    WITH (pages_per_range = 32);
SELECT c AS condition, pages_read('noisy', c) <= 64 AS few_pages
FROM unnest(ARRAY[
    'id >= ''2026-01-30 23:00+00''::timestamptz',
    'id BETWEEN ''2026-01-05+00''::timestamptz AND ''2026-01-05 01:00+00''::timestamptz',
    'id = (SELECT id FROM log WHERE n = 20000)'
]) AS c;

-- bloom: equality, in any order of the heap.
CREATE TABLE scattered AS SELECT id, n, filler FROM log ORDER BY md5(n::text);
CREATE INDEX scattered_bloom ON scattered
    USING brin (id ulid_bloom_ops (n_distinct_per_range = 1000)) WITH (pages_per_range = 16);
SELECT pages_read('scattered', c) < 200 AS few_pages
FROM unnest(ARRAY['id = (SELECT id FROM log WHERE n = 7)',
                  'id = (SELECT id FROM log WHERE n = 30000)']) AS c;

-- A domain: PostgreSQL ignores that the class stores ulids. The expression works.
CREATE DOMAIN key AS ulid;
CREATE TABLE of_domain (id key);
CREATE INDEX of_domain_direct ON of_domain USING brin (id);
INSERT INTO of_domain VALUES (ulid_min('2026-01-01Z'));
DO $$ BEGIN
    INSERT INTO of_domain VALUES (ulid_min('2026-01-02Z'));
EXCEPTION WHEN OTHERS THEN
    RAISE NOTICE '%', split_part(SQLERRM, '(', 1);
END $$;
DROP INDEX of_domain_direct;
CREATE INDEX of_domain_cast ON of_domain USING brin ((id::ulid));
INSERT INTO of_domain VALUES (ulid_min('2026-01-02Z'));
SELECT count(*) FROM of_domain WHERE id::ulid >= '2026-01-02Z'::timestamptz;

DROP TABLE log, noisy, scattered, of_domain;
DROP DOMAIN key;
DROP FUNCTION pages_read;
