-- With btree_gist and btree_gin, in either order, ulid columns keep the classes of this extension, and
-- uuid columns those of contrib, which serve comparisons with ulids too.
BEGIN;
SET LOCAL client_min_messages = warning;
SELECT no_plan();

CREATE EXTENSION btree_gist;
CREATE EXTENSION btree_gin;
CREATE TABLE item (id ulid, old uuid, at timestamptz);
INSERT INTO item SELECT gen_ulid(t), gen_ulid(t)::uuid, t
FROM generate_series('2026-01-01Z'::timestamptz, '2026-01-10Z', '10 minutes') AS t;
CREATE TEMP TABLE index (definition text, extension text);
INSERT INTO index VALUES ('gist (id)', 'ulid'), ('gin (id)', 'ulid'), ('gist (at, id)', 'ulid'),
    ('gin (old)', 'btree_gin'), ('gist (old)', 'btree_gist'), ('gist (id gist_uuid_ops)', 'btree_gist');
SELECT 'CREATE INDEX ON item USING ' || definition FROM index \gexec
SELECT bag_eq($$SELECT substring(pg_get_indexdef(indexrelid) FROM 'USING (.*)'), e.extname::text
    FROM pg_index JOIN pg_depend AS d ON d.classid = 'pg_opclass'::regclass AND d.objid = indclass[indnatts - 1]
        JOIN pg_extension AS e ON e.oid = d.refobjid
    WHERE indrelid = 'item'::regclass AND d.deptype = 'e'$$, 'TABLE index', 'each column has the class of its type');

-- Each index of a column serves every condition, and finds what a scan finds.
\ir ../lib/compare_indexes.psql
ANALYZE item;
CREATE FUNCTION wrong(key text, index_like text, conditions text[]) RETURNS TABLE (index text, condition text)
    LANGUAGE sql AS $$
    SELECT index, condition FROM compare_indexes('item', key, conditions)
    WHERE index ~ index_like AND (differs OR by_scan = 0 OR NOT is_served)
$$;
SELECT is_empty($$SELECT wrong('id', ' id[)]|[(]id[)]',
    ARRAY['id = $1', 'id >= $1::timestamptz', 'id < $1::uuid', 'id ^@ ''01KE''',
    'id < $1::timestamptz', 'ulid_within(id, tstzrange($1::timestamptz, $1::timestamptz + interval ''1 day''))'])$$,
    'a ulid column by every index');
SELECT is_empty($$SELECT wrong('id', 'gist_uuid_ops', '{id = $1::uuid,id < $1::uuid}')$$,
    'a ulid column by a class of uuid for comparisons with uuids');
SELECT is_empty($$SELECT wrong('old', '[(]old[)]', ARRAY['old = $1', 'old >= $1', 'old <= $1',
    'old BETWEEN ulid_prefix_min(''01KE'') AND ulid_prefix_max(''01KE'')'])$$, 'a uuid column by contrib''s');
-- Beside columns of other types, in indexes whose inner pages overlap, where the server moves entries from one side of
-- a split to the other. They are large where the server checks its memory: it reports an array without room for them.
SELECT setseed(0.5);
CREATE TABLE beside AS
SELECT ulid_min('2026-01-01Z'::timestamptz + (random() * 500)::int * interval '1 ms') AS id, gen_ulid(at) AS other,
    tstzrange(at, at + random() * interval '2 hours') AS during, point(random() * 1000, random() * 1000) AS place,
        md5(n::text) AS word
FROM generate_series(1, CASE current_setting('debug_assertions') WHEN 'on' THEN 60000 ELSE 4000 END) AS n,
    CAST('2026-01-01Z'::timestamptz + random() * interval '90 days' + n * interval '1 us' AS timestamptz) AS at;
CREATE FUNCTION differs(index text, condition text) RETURNS boolean LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE by_index text; by_scan text;
BEGIN
    CREATE TABLE loaded (LIKE beside);
    EXECUTE 'CREATE INDEX ON loaded USING gist ' || index;
    INSERT INTO loaded TABLE beside;
    EXECUTE 'SELECT concat(count(*), max(word)) FROM loaded WHERE ' || condition INTO by_index;
    EXECUTE 'SELECT concat(count(*), max(word)) FROM beside WHERE ' || condition INTO by_scan;
    DROP TABLE loaded;
    RETURN by_index <> by_scan OR by_scan = '0';
END $$;
SELECT is(differs(index, condition), false, format('gist %s where %s', index, condition))
FROM (VALUES ('(id, during)', $$id = ulid_min('2026-01-01 00:00:00.1Z') AND during && '[2026-01-10Z, 2026-02-20Z)'$$),
    ('(during, id)', $$id < ulid_min('2026-01-01 00:00:00.1Z') AND during && '[2026-01-10Z, 2026-01-20Z)'$$),
    ('(id, other, id, other, id, other)', $$id < ulid_min('2026-01-01 00:00:00.3Z')
        AND other < ulid_min('2026-01-20Z')$$),
    ('(id, place)', $$id >= ulid_min('2026-01-01 00:00:00.4Z') AND place <@ box '(1,1),(300,300)'$$))
    AS v (index, condition);
-- Beside a distance that the server computes again, all of an index have to be numbers.
CREATE INDEX ON beside USING gist (id, (circle(place, 1)));
SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off;
SELECT throws_like($$SELECT FROM beside ORDER BY id <-> ulid_min('2026-01-01Z'),
    circle(place, 1) <-> point '(1,2)' LIMIT 3$$,
    '%must return float8 or float4 if the distance function is lossy', 'two distances by one index');
RESET enable_seqscan; RESET enable_sort;
SELECT throws_ok($$SELECT '2026-01-01' <-> '2026-01-02'$$, '42725', NULL, 'two literals are as ambiguous as without');
SELECT is(now() <-> 'epoch', now() - 'epoch'::timestamptz, 'a literal beside a time is a time');

SELECT * FROM finish();
ROLLBACK;
