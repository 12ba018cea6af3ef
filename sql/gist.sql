-- GiST indexes on ulids: distances in time, exclusion constraints. (What they find: indexes.sql.)
SET timezone = 'UTC';
SET intervalstyle = 'postgres';

-- Distances: the time between, to the millisecond.
SELECT a <-> b AS distance, b <-> a AS turned
FROM (VALUES
    (ulid_min('2026-01-01Z'), ulid_max('2026-01-01Z')),
    (ulid_min('2026-01-01Z'), ulid_min('2026-03-02 01:02:03.004Z')),
    (ulid_min('1970-01-01Z'), '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'),
    (ulid_min('1970-01-01Z'), ulid_min('2026-01-01Z'))
) AS v (a, b);
SELECT NULL::ulid <-> ulid_min('2026-01-01Z') AS nothing;
\set VERBOSITY terse
SELECT ulid_min('2026-01-01Z') <-> now(); -- needs the cast
\set VERBOSITY default
SELECT '2026-01-01' <-> ulid_min('2026-01-01Z'); -- a literal without a type is a ulid

-- Print the results below, mostly plans, without headers and borders.
\pset format unaligned
\pset tuples_only on
CREATE TABLE many (id ulid);
CREATE INDEX ON many USING gist (id);
SET enable_seqscan = off;
SET enable_bitmapscan = off;
-- The nearest by time.
EXPLAIN (COSTS OFF) SELECT id FROM many ORDER BY id <-> '2026-01-05Z'::timestamptz::ulid LIMIT 20;
EXPLAIN (COSTS OFF) SELECT id FROM many ORDER BY '2026-01-05Z'::timestamptz::ulid <-> id LIMIT 20;
EXPLAIN (COSTS OFF) SELECT id FROM many WHERE id < '2026-01-05Z'::timestamptz
ORDER BY id <-> '01KE5Q86000000000000000000'::ulid LIMIT 20;
-- The whole range of times, to the millisecond.
CREATE TABLE far (id ulid);
INSERT INTO far VALUES ('00000000000000000000000000'), (ulid_min('10889-08-02 05:31:50.654Z'));
CREATE INDEX ON far USING gist (id);
SELECT ms, (SELECT id::timestamptz FROM far ORDER BY id <-> ulid_min(half + ms * interval '1 ms') LIMIT 1)
FROM (SELECT min(id::timestamptz) + (max(id::timestamptz) - min(id::timestamptz)) / 2 FROM far) AS h (half),
    unnest(ARRAY[-1, 1]) AS ms;
RESET enable_seqscan;
RESET enable_bitmapscan;

-- Ids in the order of time leave full pages behind, as in a btree. An index of so many has three levels.
CREATE TABLE appended (id ulid);
CREATE INDEX appended_gist ON appended USING gist (id);
INSERT INTO appended
SELECT gen_ulid('2026-01-01Z'::timestamptz + n * interval '1 ms') FROM generate_series(1, 40000) AS n;
CREATE TABLE sorted AS SELECT * FROM appended;
CREATE INDEX sorted_gist ON sorted USING gist (id);
SELECT pg_relation_size('appended_gist') < 1.2 * pg_relation_size('sorted_gist') AS full_pages;
CREATE TABLE scattered (LIKE sorted);
CREATE INDEX ON scattered USING gist (id);
INSERT INTO scattered SELECT id FROM sorted ORDER BY md5(id::text);
\set ECHO none
\getenv checkout PG_ABS_SRCDIR
\set include :checkout '/test/lib/compare_indexes.psql'
\i :include
\set ECHO all
SELECT place, bool_or(differs) AS differs, bool_and(is_served) AS served
FROM unnest('{appended,sorted,scattered}'::regclass[]) AS place, compare_indexes(place, 'id', '{id = $1,id <= $1,id > $1,ORDER BY id <-> $1}')
GROUP BY place ORDER BY place::text;

-- Exclusion constraints.
CREATE TABLE booking (
    room ulid, during tstzrange,
    EXCLUDE USING gist (room WITH =, during WITH &&)
);
INSERT INTO booking VALUES ('01KE5Q86000000000000000000', '[2026-01-01Z, 2026-01-02Z)'),
    ('01KE5Q86000000000000000000', '[2026-01-02Z, 2026-01-03Z)'),
    ('01KE5Q86000000000000000001', '[2026-01-01Z, 2026-01-02Z)');
INSERT INTO booking VALUES ('01KE5Q86000000000000000000', '[2026-01-01 12:00Z, 2026-01-02 12:00Z)');
-- One tenant for each building: the same building, another tenant.
CREATE TABLE lease (building ulid, tenant ulid, EXCLUDE USING gist (building WITH =, tenant WITH <>));
INSERT INTO lease VALUES ('01KE5Q86000000000000000000', '01KE5Q86000000000000000001');
INSERT INTO lease VALUES ('01KE5Q86000000000000000000', '01KE5Q86000000000000000001');
INSERT INTO lease VALUES ('01KE5Q86000000000000000000', '01KE5Q86000000000000000002');

-- The key type is the index's own.
SELECT '01KE5Q86000000000000000000,01KE5Q86000000000000000000'::ulid_gist_key;

DROP TABLE many, far, appended, sorted, scattered, booking, lease;
DROP FUNCTION compare_indexes;
