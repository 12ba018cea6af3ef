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
CREATE INDEX item_gist ON item USING gist (id);
CREATE INDEX item_gin ON item USING gin (id);
CREATE INDEX item_old_gist ON item USING gist (old);
CREATE INDEX item_old_gin ON item USING gin (old);
CREATE INDEX item_at ON item USING gist (at, id);
CREATE INDEX item_named ON item USING gist (id gist_uuid_ops);
SELECT bag_eq(
    $$SELECT i.indexrelid::regclass::text, n.extname::text FROM pg_index AS i JOIN pg_opclass AS c ON c.oid = i.indclass[i.indnatts - 1]
        JOIN pg_depend AS d ON d.classid = 'pg_opclass'::regclass AND d.objid = c.oid AND d.deptype = 'e'
        JOIN pg_extension AS n ON n.oid = d.refobjid WHERE i.indrelid = 'item'::regclass$$,
    $$VALUES ('item_at', 'ulid'), ('item_gin', 'ulid'), ('item_gist', 'ulid'), ('item_named', 'btree_gist'),
             ('item_old_gin', 'btree_gin'), ('item_old_gist', 'btree_gist')$$,
    'each column has the class of its type');

-- Each index in turn, as the others are dropped: what it answers is what the table says.
CREATE FUNCTION differing(indexes text[], conditions text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    kept name;
    condition text;
    line text;
    by_table bigint;
    by_index bigint;
BEGIN
    FOREACH condition IN ARRAY conditions LOOP
        FOREACH kept IN ARRAY indexes LOOP
            EXECUTE 'SELECT count(*) FROM item_bare WHERE ' || condition INTO by_table;
            UPDATE pg_index SET indisvalid = indexrelid = kept::regclass WHERE indrelid = 'item'::regclass;
            EXECUTE 'SELECT count(*) FROM item WHERE ' || condition INTO by_index;
            FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) SELECT count(*) FROM item WHERE ' || condition LOOP
                EXIT WHEN line ~ 'Index Cond';
            END LOOP;
            IF by_index <> by_table OR by_table = 0 THEN
                RETURN NEXT format('%s by %s: %s, not %s', condition, kept, by_index, by_table);
            ELSIF line !~ 'Index Cond' THEN
                RETURN NEXT format('%s: not by %s', condition, kept);
            END IF;
        END LOOP;
    END LOOP;
END $$;
CREATE TABLE item_bare AS TABLE item;
ANALYZE item;
SET LOCAL enable_seqscan = off;
SET LOCAL jit = off;
SELECT is_empty($$SELECT differing('{item_gist,item_gin}', ARRAY[
    'id = (SELECT min(id) FROM item_bare)', 'id >= ''2026-01-09Z''::timestamptz',
    'id < (SELECT max(id)::uuid FROM item_bare)', 'id ^@ ''01KE''',
    'id < ''2026-01-02Z''::timestamptz', 'ulid_within(id, tstzrange(''2026-01-02Z'', ''2026-01-03Z''))'])$$,
    'a ulid column by every index');
SELECT is_empty($$SELECT differing('{item_named}', ARRAY['id = (SELECT min(id)::uuid FROM item_bare)',
    'id < (SELECT max(id)::uuid FROM item_bare)'])$$, 'a ulid column by a class of uuid for comparisons with uuids');
SELECT is_empty($$SELECT differing('{item_old_gist,item_old_gin}', ARRAY[
    'old = (SELECT min(old::ulid) FROM item_bare)', 'old >= ulid_min(''2026-01-09Z'')',
    'old <= (SELECT max(old::ulid) FROM item_bare)', 'old BETWEEN ulid_prefix_min(''01KE'') AND ulid_prefix_max(''01KE'')'])$$,
    'a uuid column by contrib''s');
SELECT throws_ok($$SELECT '2026-01-01' <-> '2026-01-02'$$, '42725', NULL, 'two literals are as ambiguous as without');
SELECT is(now() <-> 'epoch', now() - 'epoch'::timestamptz, 'a literal beside a time is a time');

SELECT * FROM finish();
ROLLBACK;
