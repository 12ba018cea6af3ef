-- ALTER COLUMN ... TYPE ulid from uuid, and back, rewrites no table: every file stays the same.
BEGIN;
SET LOCAL client_min_messages = warning;
SELECT no_plan();
\ir ../lib/plan_of.psql

CREATE TABLE plain (id uuid PRIMARY KEY, n int);
INSERT INTO plain SELECT gen_random_uuid(), n FROM generate_series(1, 1000) n;
INSERT INTO plain VALUES ('01563e3a-b5d3-d676-4c61-efb99302bd5b', 0);
-- PostgreSQL does not change the type of a partition key, so the ids are another column.
CREATE TABLE partitioned (id uuid NOT NULL, n int NOT NULL, PRIMARY KEY (id, n)) PARTITION BY RANGE (n);
CREATE TABLE partitioned_1 PARTITION OF partitioned FOR VALUES FROM (0) TO (500);
CREATE TABLE partitioned_2 PARTITION OF partitioned FOR VALUES FROM (500) TO (1001);
INSERT INTO partitioned TABLE plain;
-- The files of the tables, and what they contain.
CREATE FUNCTION pg_temp.state() RETURNS text LANGUAGE sql AS $$
    SELECT concat_ws(' ', (SELECT array_agg(pg_relation_filenode(t))
            FROM unnest('{plain,partitioned_1,partitioned_2}'::regclass[]) AS t),
        (SELECT md5(string_agg(id::uuid || ' ' || n, ' ' ORDER BY n)) FROM plain),
        (SELECT md5(string_agg(id::uuid || ' ' || n, ' ' ORDER BY n)) FROM partitioned))
$$;
SELECT pg_temp.state() AS before \gset

ALTER TABLE plain ALTER COLUMN id TYPE ulid;
ALTER TABLE partitioned ALTER COLUMN id TYPE ulid;
SELECT col_type_is(t, 'id', 'ulid', t || '.id is a ulid') FROM unnest('{plain,partitioned_1,partitioned_2}'::name[]) t;
SELECT is(pg_temp.state(), :'before', 'to ulid: the files and rows are the same');
SELECT is(id::text, '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'a ulid that was hidden in a uuid shows') FROM plain WHERE n = 0;
SELECT is((SELECT opcname::text FROM pg_index JOIN pg_opclass c ON c.oid = indclass[0]
    WHERE indexrelid = 'plain_pkey'::regclass),
    'ulid_ops', 'the rebuilt index has the class of ulids');
SELECT is((SELECT count(*) FROM plain WHERE id = ANY (ARRAY(SELECT id FROM plain))), 1001::bigint,
    'the rebuilt index finds every row');
ALTER TABLE plain ALTER COLUMN id TYPE uuid;
ALTER TABLE partitioned ALTER COLUMN id TYPE uuid;
SELECT is(pg_temp.state(), :'before', 'back to uuid: the files and rows are the same');

-- arrays and domains: an array is converted element by element, so it rewrites; from a domain does not
CREATE DOMAIN uuid_key AS uuid;
CREATE TABLE other (id uuid_key, ids uuid[]);
INSERT INTO other VALUES ('01563e3a-b5d3-d676-4c61-efb99302bd5b', '{01563e3a-b5d3-d676-4c61-efb99302bd5b}');
SELECT pg_relation_filenode('other') AS before \gset
ALTER TABLE other ALTER COLUMN id TYPE ulid;
SELECT is(pg_relation_filenode('other'), :before::oid, 'from a domain over uuid: the same file');
ALTER TABLE other ALTER COLUMN ids TYPE ulid[];
SELECT isnt(pg_relation_filenode('other'), :before::oid, 'from uuid[] to ulid[]: a rewrite');
SELECT is(ids, ARRAY[id], 'the rewritten array has the same ids') FROM other;
CREATE DOMAIN checked AS ulid CHECK (VALUE > '00000000000000000000000000');
CREATE DOMAIN needed AS ulid NOT NULL;
ALTER TABLE other ALTER COLUMN id TYPE uuid;
SELECT pg_relation_filenode('other') AS before \gset
ALTER TABLE other ALTER COLUMN id TYPE checked;
SELECT isnt(pg_relation_filenode('other'), :before::oid, 'to a domain with a CHECK: a rewrite');
ALTER TABLE other ALTER COLUMN id TYPE uuid;
SELECT pg_relation_filenode('other') AS before \gset
ALTER TABLE other ALTER COLUMN id TYPE needed;
SELECT isnt(pg_relation_filenode('other'), :before::oid, 'to a domain with NOT NULL: a rewrite');

-- a class that an index names stays, and serves uuids
CREATE TABLE ranges (id uuid);
CREATE INDEX ranges_multi ON ranges USING brin (id uuid_minmax_multi_ops);
CREATE INDEX ranges_bloom ON ranges USING brin (id uuid_bloom_ops);
ALTER TABLE ranges ALTER COLUMN id TYPE ulid;
SET LOCAL enable_seqscan = off;
SELECT is(array_agg(opcname::text ORDER BY opcname::text), '{uuid_bloom_ops,uuid_minmax_multi_ops}',
    'classes that indexes name stay')
FROM pg_index JOIN pg_opclass c ON c.oid = indclass[0] WHERE indrelid = 'ranges'::regclass;
SELECT doesnt_match(plan_of(format('SELECT FROM ranges WHERE id %s ulid_min(now())', o)), 'ranges_',
    format('classes of uuid do not serve id %s a ulid', o)) FROM unnest('{=,<}'::text[]) AS o;
DROP INDEX ranges_multi, ranges_bloom;
CREATE INDEX ranges_multi ON ranges USING brin (id ulid_minmax_multi_ops);
SELECT matches(plan_of('SELECT FROM ranges WHERE id < ulid_min(now())'), 'ranges_multi', 'ulid_minmax_multi_ops does');
RESET enable_seqscan;

-- a partial index keeps the comparison of uuids
CREATE TABLE partial (name text, parent uuid);
\set condition 'parent <> ''00000000-0000-0000-0000-000000000000'''
\set query 'SELECT FROM partial WHERE name = ''x'' AND ' :condition
\set upsert 'INSERT INTO partial (name) VALUES (''x'') ON CONFLICT (name) WHERE ' :condition ' DO NOTHING'
CREATE UNIQUE INDEX partial_name ON partial (name) WHERE :condition;
SET LOCAL enable_seqscan = off;
SELECT matches(plan_of(:'query'), 'partial_name', 'a partial index that compares a uuid serves its condition');
ALTER TABLE partial ALTER COLUMN parent TYPE ulid;
SELECT doesnt_match(plan_of(:'query'), 'partial_name', 'not when the column is a ulid');
SELECT throws_ok(:'upsert', '42P10', NULL, 'nor does ON CONFLICT find it');
DROP INDEX partial_name;
CREATE UNIQUE INDEX partial_name ON partial (name) WHERE :condition;
SELECT matches(plan_of(:'query'), 'partial_name', 'one that is created again with the same condition serves it');
SELECT lives_ok(:'upsert', 'and ON CONFLICT finds it');
ALTER TABLE partial ALTER COLUMN parent TYPE uuid;
SELECT matches(plan_of(:'query'), 'partial_name', 'also when the column is a uuid again');

SELECT * FROM finish();
ROLLBACK;
