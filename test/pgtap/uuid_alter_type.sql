-- ALTER COLUMN ... TYPE ulid from uuid, and back, rewrites no table: every file stays the same.
BEGIN;
SET LOCAL client_min_messages = warning;
SELECT no_plan();
\ir ../lib/plan_of.psql

CREATE TABLE plain (id uuid PRIMARY KEY, n int);
INSERT INTO plain SELECT gen_random_uuid(), n FROM generate_series(1, 1000) n;
CREATE TABLE ulids_in_uuid (id uuid DEFAULT gen_random_uuid());
INSERT INTO ulids_in_uuid VALUES ('01563e3a-b5d3-d676-4c61-efb99302bd5b');

-- PostgreSQL does not change the type of a partition key, so the ids are another column.
CREATE TABLE partitioned (id uuid NOT NULL, day date NOT NULL, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
CREATE TABLE partitioned_1 PARTITION OF partitioned FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
CREATE TABLE partitioned_2 PARTITION OF partitioned FOR VALUES
    FROM ('2026-02-01') TO ('2026-03-01') PARTITION BY HASH (day);
CREATE TABLE partitioned_2_0 PARTITION OF partitioned_2 FOR VALUES WITH (MODULUS 1, REMAINDER 0);
INSERT INTO partitioned SELECT gen_random_uuid(), date '2026-01-01' + n % 59 FROM generate_series(1, 1000) n;

CREATE TABLE referring (id uuid REFERENCES plain);
INSERT INTO referring SELECT id FROM plain;

CREATE FUNCTION pg_temp.files() RETURNS TABLE (name text, file oid) LANGUAGE sql AS $$
    SELECT relname, pg_relation_filenode(oid) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname ~ '^(plain|ulids|partitioned|referring)'
$$;
-- A query for what the tables contain.
SELECT string_agg(format('SELECT %1$L, md5(string_agg(id::uuid::text, '' '' ORDER BY id)) FROM %1$I', t), ' UNION ALL ')
    AS contents FROM unnest('{plain,ulids_in_uuid,partitioned,referring}'::text[]) AS t \gset
CREATE TEMP TABLE files_before AS SELECT * FROM pg_temp.files();
CREATE TEMP TABLE contents_before AS :contents;

ALTER TABLE ulids_in_uuid ALTER COLUMN id TYPE ulid, ALTER COLUMN id SET DEFAULT gen_ulid();
SELECT format('ALTER TABLE %s ALTER COLUMN id TYPE ulid', t)
    FROM unnest('{plain,partitioned,referring}'::text[]) t \gexec
SELECT is((SELECT atttypid FROM pg_attribute WHERE attrelid = t AND attname = 'id'), 'ulid'::regtype::oid,
    t || '.id is a ulid')
FROM unnest('{plain,ulids_in_uuid,partitioned,partitioned_1,partitioned_2,partitioned_2_0,referring}'::regclass[]) t;
SELECT ok(before.file IS NOT NULL AND before.file = after.file, 'to ulid: the file of ' || name || ' is the same')
FROM files_before before FULL JOIN pg_temp.files() after USING (name);
SELECT results_eq(:'contents', 'TABLE contents_before', 'to ulid: the rows are the same');
SELECT throws_ok('INSERT INTO referring VALUES (ulid_min(now()))', '23503', NULL, 'to ulid: a foreign key is kept');
SELECT is(id::text, '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'a ulid that was hidden in a uuid shows') FROM ulids_in_uuid;
SELECT is((SELECT opcname::text FROM pg_index JOIN pg_opclass c ON c.oid = indclass[0]
    WHERE indexrelid = 'plain_pkey'::regclass),
    'ulid_ops', 'the rebuilt index has the class of ulids');
SELECT is((SELECT count(*) FROM plain WHERE id = ANY (ARRAY(SELECT id FROM plain))), 1000::bigint,
    'the rebuilt index finds every row');

ALTER TABLE ulids_in_uuid ALTER COLUMN id TYPE uuid, ALTER COLUMN id SET DEFAULT gen_random_uuid();
SELECT format('ALTER TABLE %s ALTER COLUMN id TYPE uuid', t)
    FROM unnest('{plain,partitioned,referring}'::text[]) t \gexec
SELECT ok(before.file IS NOT NULL AND before.file = after.file, 'back to uuid: the file of ' || name || ' is the same')
FROM files_before before FULL JOIN pg_temp.files() after USING (name);
SELECT results_eq(:'contents', 'TABLE contents_before', 'back to uuid: the rows are the same');

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
