-- GiST indexes on ulids: every comparison, distances in time, exclusion constraints.
SET timezone = 'UTC';
SET jit = off; -- which the costs of plans that are not wanted would start
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
SELECT now() <-> '2026-01-01'; -- an error, as it is without the extension
\set VERBOSITY default
SELECT '2026-01-01' <-> ulid_min('2026-01-01Z'); -- a literal without a type is a ulid

-- Against a table scan: random ids over a year, a tenth of them twice, a few NULL; and at both ends.
CREATE TABLE many (id ulid, n int, kind text);
INSERT INTO many
SELECT CASE WHEN n % 97 > 0 THEN make_ulid('2026-01-01Z'::timestamptz + (n * 7919 % 31536) * interval '1000 s',
           decode(substr(md5((n % 2700)::text), 1, 20), 'hex')) END, n, 'kind ' || n % 3
FROM generate_series(1, 3000) AS n;
INSERT INTO many VALUES ('00000000000000000000000000', -1), ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ', -2);
INSERT INTO many SELECT id, -3 FROM many WHERE n % 10 = 0;
CREATE INDEX many_id ON many USING gist (id);
CREATE INDEX many_kind ON many USING gist (id, tstzrange(ulid_timestamp(id), NULL));
VACUUM ANALYZE many;

\set ECHO none
\i sql/include/differ.sql
\set ECHO all
SELECT ARRAY[
    'id = $1', 'id <> $1', 'id < $1', 'id <= $1', 'id > $1', 'id >= $1',
    'id = $1::uuid', 'id <> $1::uuid', 'id < $1::uuid', 'id <= $1::uuid', 'id > $1::uuid',
    'id >= $1::uuid', '$1 > id', '$1::uuid = id', 'id::uuid >= $1::uuid',
    'id >= $1::timestamptz', 'id < $1::timestamptz', 'id::timestamptz = $1::timestamptz',
    'ulid_within(id, tstzrange($1::timestamptz, $1::timestamptz + interval ''1 day''))',
    'id ^@ substr($1::text, 1, 5)', 'id BETWEEN $1 AND $1', 'id IS NULL', 'id IS NOT NULL',
    'id = ANY (ARRAY[$1, ulid_max($1::timestamptz)])'
] AS conditions \gset
SELECT * FROM differ('many', 'id', :'conditions');

-- Print the results below, mostly plans, without headers and borders.
\pset format unaligned
\pset tuples_only on
-- They are index conditions.
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM many WHERE id = '01KE5Q86000000000000000000';
EXPLAIN (COSTS OFF) SELECT id FROM many WHERE id >= '2026-01-05Z'::timestamptz AND id < now();
EXPLAIN (COSTS OFF) SELECT id FROM many WHERE ulid_within(id, tstzrange('2026-01-05Z', '2026-01-06Z'));
EXPLAIN (COSTS OFF) SELECT id FROM many WHERE id = '019b8b74-1800-0000-0000-000000000000'::uuid;
EXPLAIN (COSTS OFF) SELECT id FROM many WHERE id::uuid = '019b8b74-1800-0000-0000-000000000000';
EXPLAIN (COSTS OFF) SELECT id FROM many WHERE id <> '01KE5Q86000000000000000000';

-- The nearest by time, from the index and by a sort.
EXPLAIN (COSTS OFF) SELECT id FROM many ORDER BY id <-> '2026-01-05Z'::timestamptz::ulid LIMIT 20;
EXPLAIN (COSTS OFF) SELECT id FROM many ORDER BY '2026-01-05Z'::timestamptz::ulid <-> id LIMIT 20;
EXPLAIN (COSTS OFF) SELECT id FROM many WHERE id < '2026-01-05Z'::timestamptz
ORDER BY id <-> '01KE5Q86000000000000000000'::ulid LIMIT 20;
CREATE FUNCTION nearest_differ(place text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    query text := replace('SELECT array_agg(d) FROM (SELECT id <-> $1 AS d FROM many '
                          'ORDER BY id <-> $1 LIMIT 1000) AS s', '$1', place);
    by_index interval[];
    by_sort interval[];
BEGIN
    SET LOCAL enable_indexscan = on; SET LOCAL enable_indexonlyscan = on;
    EXECUTE query INTO by_index;
    SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off;
    EXECUTE query INTO by_sort;
    RETURN (SELECT count(*) FROM unnest(by_index, by_sort) AS u (a, b) WHERE a IS DISTINCT FROM b);
END $$;
SELECT place, nearest_differ(place) FROM unnest(ARRAY[
    'ulid_max(''2026-06-01 12:34:56.789012Z'')', '''01KE5Q86000000000000000000''::ulid',
    '''7ZZZZZZZZZZZZZZZZZZZZZZZZZ''::ulid', '''00000000000000000000000000''::ulid', 'NULL::ulid'
]) AS place;
-- The whole range of times, to the millisecond.
CREATE TABLE far (id ulid);
INSERT INTO far VALUES ('00000000000000000000000000'), (ulid_min('10889-08-02 05:31:50.654Z'));
CREATE INDEX ON far USING gist (id);
SELECT ms, (SELECT id::timestamptz FROM far ORDER BY id <-> ulid_min(half + ms * interval '1 ms') LIMIT 1)
FROM (SELECT min(id::timestamptz) + (max(id::timestamptz) - min(id::timestamptz)) / 2 FROM far) AS h (half),
    unnest(ARRAY[-1, 1]) AS ms;
RESET enable_seqscan;
RESET enable_bitmapscan;

-- After inserts one at a time, updates, deletes, vacuum; built by sorting, by inserting, by buffering.
DELETE FROM many WHERE n % 3 = 0;
VACUUM many;
INSERT INTO many SELECT gen_ulid('2026-07-01Z'::timestamptz + n * interval '1 s'), n FROM generate_series(1, 1000) AS n;
UPDATE many SET id = ulid_next(id, '2026-08-01Z') WHERE n % 5 = 0;
SELECT sum(by_scan) > 0 AS as_the_table FROM differ('many', 'id', :'conditions');
DROP INDEX many_id, many_kind;
CREATE INDEX many_id ON many USING gist (id) WITH (buffering = on);
SELECT sum(by_scan) > 0 AS as_the_table FROM differ('many', 'id', :'conditions');

-- Ids in the order of time leave full pages behind, as in a btree.
CREATE TABLE appended (id ulid);
CREATE INDEX appended_gist ON appended USING gist (id);
INSERT INTO appended
SELECT gen_ulid('2026-01-01Z'::timestamptz + n * interval '1 ms') FROM generate_series(1, 5000) AS n;
CREATE TABLE sorted AS SELECT * FROM appended;
CREATE INDEX sorted_gist ON sorted USING gist (id);
SELECT pg_relation_size('appended_gist') < 1.2 * pg_relation_size('sorted_gist') AS full_pages;

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

DROP TABLE many, far, appended, sorted, booking, lease;
DROP FUNCTION differ, nearest_differ;
