-- The plans that ulid and uuid can have together: indexes of either side, all joins, partition pruning.
BEGIN;
SET LOCAL client_min_messages = warning;
SELECT no_plan();

CREATE TABLE tl (id ulid PRIMARY KEY, n integer);
CREATE TABLE tu (id uuid PRIMARY KEY, n integer);
INSERT INTO tl SELECT make_ulid('2026-01-01 00:00Z'::timestamptz + n * interval '1 minute',
    substr(decode(md5(n::text), 'hex'), 1, 10)), n FROM generate_series(1, 5000) n;
INSERT INTO tu SELECT id, n FROM tl;
ANALYZE tl; ANALYZE tu;
SET LOCAL max_parallel_workers_per_gather = 0;

\ir include/plan_of.psql

-- An index of the ulid side, or of the uuid side, serves the condition, whichever stands on the left.
SELECT matches(plan_of(format('SELECT n FROM %s WHERE %s', t, c)), 'Index Scan using ' || t || '_pkey on ' || t || '\n *Index Cond',
    format('%s: index for %s', t, c))
FROM (VALUES
    ('tl', 'id = uuid ''019b76dc-7cc0-0000-0000-000000000000'''), ('tl', 'uuid ''019b76dc-7cc0-0000-0000-000000000000'' = id'),
    ('tl', 'id::uuid = ''019b76dc-7cc0-0000-0000-000000000000'''), ('tl', 'id < uuid ''019b76dc-7cc0-0000-0000-000000000000'''),
    ('tl', 'id <= uuid ''019b76dc-7cc0-0000-0000-000000000000'''), ('tl', 'uuid ''019b76dc-7cc0-0000-0000-000000000000'' > id'),
    ('tl', 'id BETWEEN uuid ''019b76dc-7cc0-0000-0000-000000000000'' AND uuid ''019b76df-3be0-ffff-ffff-ffffffffffff'''),
    ('tl', 'id = ANY (ARRAY[''019b76dc-7cc0-0000-0000-000000000000'', ''019b76df-3be0-ffff-ffff-ffffffffffff'']::uuid[])'),
    ('tl', 'id = (SELECT uuid ''019b76dc-7cc0-0000-0000-000000000000'' OFFSET 0)'), ('tu', 'id = ulid ''01KDVDS4000000000000000000'''),
    ('tu', 'ulid ''01KDVDS4000000000000000000'' = id'), ('tu', 'id < ulid ''01KDVDS4000000000000000000'''),
    ('tu', 'id <= ulid ''01KDVDS4000000000000000000'''), ('tu', 'ulid ''01KDVDS4000000000000000000'' > id'),
    ('tu', 'ulid ''01KDVDS4000000000000000000'' >= id'),
    ('tu', 'id BETWEEN ulid_min(''2026-01-01 00:02Z'') AND ulid_max(''2026-01-01 00:05Z'')'),
    ('tu', 'id = (SELECT ulid ''01KDVDS4000000000000000000'' OFFSET 0)'),
    ('tu', 'id = ANY (ARRAY[''01KDVDS4000000000000000000'']::ulid[])'),
    ('tu', 'id IN (ulid ''01KDVDS4000000000000000000'', ulid ''01KDVDS4000000000000000001'')')
) v (t, c);
SELECT is(n, 4::bigint, 'the range of ulids finds the rows') FROM
    (SELECT count(*) n FROM tu WHERE id BETWEEN ulid_min('2026-01-01 00:02Z') AND ulid_max('2026-01-01 00:05Z')) t;
SELECT is(array_agg(n ORDER BY n), '{8,9,10}'::int[], 'the range of uuids finds the rows') FROM tl
WHERE id > (SELECT id FROM tu WHERE n = 7) AND (SELECT id FROM tu WHERE n = 10) >= id;
SELECT doesnt_match(plan_of('SELECT n FROM tu WHERE id = gen_random_ulid()'), 'Index Cond',
    'a volatile ulid is computed for each row, not once for an index');
-- a time condition on uuids that begin with a time, as ULIDs and UUIDv7 do
SELECT matches(plan_of('SELECT n FROM tu WHERE ' || c), 'Index Scan using tu_pkey on tu\n *Index Cond: [^\n]*' || part,
    'index of uuids for ' || c)
FROM (VALUES ('id >= ulid_min(''2026-01-04 10:00Z'')', '>='), ('ulid_min(''2026-01-01 00:05Z'') > id', '<'),
    ('id >= ulid_lower_bound((SELECT timestamptz ''2026-01-04 10:00Z'' OFFSET 0))', '>='),
    ('id BETWEEN ulid_prefix_min(''01KDVDS4'') AND ulid_prefix_max(''01KDVDS4'')', '>=.*AND.*<=')) v (c, part);
CREATE TABLE span AS SELECT 'first' AS name, timestamptz '2026-01-01 00:02Z' AS began, timestamptz '2026-01-01 00:05Z' AS ended;
SELECT matches(plan_of('SELECT * FROM span JOIN tu ON tu.id BETWEEN ulid_min(began) AND ulid_max(ended)'),
    'Nested Loop.*Index Scan using tu_pkey on tu\n *Index Cond: [^\n]*span.began[^\n]*span.ended', 'and for the times of another table');
SELECT is((SELECT count(*) FROM span JOIN tu ON tu.id BETWEEN ulid_min(began) AND ulid_max(ended)), 4::bigint, 'its rows');
SELECT is((SELECT count(*) FROM span JOIN tu ON tu.id::ulid BETWEEN began AND ended), 4::bigint, 'without the index too');
SELECT throws_ok(format('SELECT * FROM tu WHERE %s', c), '42883', NULL, 'a uuid column has no ' || c)
FROM unnest(ARRAY['id >= now()', 'ulid_within(id, tstzrange(now(), NULL))', 'id ^@ ''01KDVDS4''']) c;

-- a generic plan of a prepared statement
PREPARE by_ulid(ulid) AS SELECT n FROM tu WHERE id = $1;
PREPARE by_uuid(uuid) AS SELECT n FROM tl WHERE id = $1;
PREPARE by_time(timestamptz) AS SELECT n FROM tu WHERE id >= ulid_lower_bound($1);
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT matches(plan_of('EXECUTE by_time(NULL)'), 'Index Cond: \(id >= \(ulid_\w*lower_bound\(\$1\)\)::uuid\)',
    'parameter: a time for a uuid column');
SELECT matches(plan_of('EXECUTE by_ulid(NULL)'), 'Index Cond: \(id = \(\$1\)::uuid\)', 'parameter: uuid column');
SELECT matches(plan_of('EXECUTE by_uuid(NULL)'), 'Index Cond: \(\(id\)::uuid = \$1\)', 'parameter: ulid column');
RESET plan_cache_mode;

-- joins
SELECT matches(plan_of('SELECT * FROM tl JOIN tu ON tl.id = tu.id WHERE tl.n = 3'),
    'Nested Loop.*Seq Scan on tl.*Index Scan using tu_pkey on tu\n *Index Cond', 'nested loop with the index of the uuid side');
SELECT matches(plan_of('SELECT * FROM tl JOIN tu ON tl.id = tu.id WHERE tu.n = 3'),
    'Nested Loop.*Seq Scan on tu.*Index Scan using tl_pkey on tl\n *Index Cond', 'nested loop with the index of the ulid side');
SELECT matches(plan_of('SELECT * FROM tu WHERE id IN (SELECT id FROM tl WHERE n = 3)'),
    'Index Scan using tu_pkey on tu\n *Index Cond', 'IN (subquery of ulids) with the index of the uuid side');
SELECT matches(plan_of('SELECT * FROM tl WHERE id IN (SELECT id FROM tu WHERE n = 3)'),
    'Index Scan using tl_pkey on tl\n *Index Cond', 'IN (subquery of uuids) with the index of the ulid side');
SELECT matches(plan_of('SELECT n, (SELECT n FROM tu WHERE tu.id = tl.id) FROM tl'),
    'SubPlan.*Index Cond: \(id = \(tl.id\)::uuid\)', 'a correlated subquery with the index of the uuid side');
SELECT matches(plan_of('SELECT n, (SELECT n FROM tl WHERE tl.id = tu.id) FROM tu'),
    'SubPlan.*Index Cond: \(\(?id(\)::uuid)? = tu.id\)', 'a correlated subquery with the index of the ulid side');
SELECT matches(plan_of('SELECT * FROM tl JOIN tu ON tl.id = tu.id'), 'Hash Join', 'hash join');
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_nestloop = off;
SELECT matches(plan_of(format('SELECT * FROM tl %s JOIN tu ON tl.id = tu.id', k)), 'Merge ' || p,
    lower(trim(k || ' ') || ' merge join'))
FROM (VALUES ('', 'Join'), ('LEFT', '(Left|Right) Join'), ('FULL', 'Full Join')) v (k, p);
SELECT is((SELECT count(*) FROM tl FULL JOIN tu ON tl.id = tu.id), 5000::bigint, 'merge join finds the rows');
RESET enable_hashjoin;
RESET enable_nestloop;
SELECT is((SELECT count(*) FROM tl JOIN tu ON tl.id < tu.id AND tl.n = 4990), 10::bigint, 'join by order');

-- estimates see the statistics of the column through the comparison
CREATE FUNCTION pg_temp.estimate(query text) RETURNS float LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
    RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END $$;
SELECT ok(abs(pg_temp.estimate(q) - rows) < rows * 0.2 + 1, 'estimate: ' || q)
FROM (VALUES ('SELECT * FROM tl WHERE id < uuid ''019b77b8-0000-0000-0000-000000000000''', 241.0),
    ('SELECT * FROM tu WHERE id < ulid ''01KDVVG0000000000000000000''', 240.0), ('SELECT * FROM tl JOIN tu ON tl.id = tu.id', 5000),
    ('SELECT * FROM tu WHERE id = ulid ''01KDVDS4000000000000000000''', 1)) v (q, rows);

-- partition pruning, by range and by hash, at plan time
CREATE TABLE pl (id ulid) PARTITION BY RANGE (id);
CREATE TABLE pl_1 PARTITION OF pl FOR VALUES FROM (MINVALUE) TO ('01KDVDS4000000000000000000');
CREATE TABLE pl_2 PARTITION OF pl FOR VALUES FROM ('01KDVDS4000000000000000000') TO (MAXVALUE);
CREATE TABLE pu (id uuid) PARTITION BY RANGE (id);
CREATE TABLE pu_1 PARTITION OF pu FOR VALUES FROM (MINVALUE) TO ('019b76dc-9000-0000-0000-000000000000');
CREATE TABLE pu_2 PARTITION OF pu FOR VALUES FROM ('019b76dc-9000-0000-0000-000000000000') TO (MAXVALUE);
CREATE TABLE hl (id ulid) PARTITION BY HASH (id);
CREATE TABLE hl_0 PARTITION OF hl FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE hl_1 PARTITION OF hl FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE hu (id uuid) PARTITION BY HASH (id);
CREATE TABLE hu_0 PARTITION OF hu FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE hu_1 PARTITION OF hu FOR VALUES WITH (MODULUS 2, REMAINDER 1);
SELECT unalike(plan_of(q), '%Append%', 'one partition: ' || q)
FROM unnest(ARRAY[
    'SELECT * FROM pl WHERE id = uuid ''019b76dc-7cc0-0000-0000-000000000000''',
    'SELECT * FROM pl WHERE id < uuid ''019b76dc-7cc0-0000-0000-000000000000''',
    'SELECT * FROM hl WHERE id = uuid ''019b76dc-7cc0-0000-0000-000000000000''',
    'SELECT * FROM pu WHERE id = ulid ''01KDVDS0000000000000000000''', 'SELECT * FROM pu WHERE id < ulid ''01KDVDS0000000000000000000''',
    'SELECT * FROM hu WHERE id = ulid ''01KDVDS0000000000000000000''', 'SELECT * FROM pu WHERE id < ulid_min(''2026-01-01 00:01Z'')']) q;
PREPARE part_by_time(timestamptz) AS SELECT * FROM pu WHERE id < ulid_lower_bound($1);
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT matches(plan_of('EXECUTE part_by_time(''2026-01-01 00:01Z'')'), 'Subplans Removed: 1', 'and when it runs, for a time over uuids');
RESET plan_cache_mode;
INSERT INTO hl SELECT id FROM tl;
INSERT INTO hu SELECT id FROM tl;
SELECT is((SELECT count(*) FROM tl t WHERE EXISTS (SELECT FROM hl WHERE hl.id = t.id::uuid)
        AND EXISTS (SELECT FROM hu WHERE hu.id = t.id)), 5000::bigint, 'pruned or not, the rows are found');

-- hash and BRIN indexes of uuids serve ulids
CREATE TABLE xu AS SELECT id, n FROM tu;
CREATE INDEX ON xu USING hash (id);
SELECT matches(plan_of('SELECT n FROM xu WHERE id = ulid ''01KDVDS4000000000000000000'''), 'Index Cond', 'hash index of uuids');
SELECT is((SELECT count(*) FROM tl WHERE n <= 50 AND EXISTS (SELECT FROM xu WHERE xu.id = tl.id)), 50::bigint, 'its rows');
DROP INDEX xu_id_idx;
CREATE INDEX ON xu USING brin (id) WITH (pages_per_range = 1);
SET LOCAL enable_seqscan = off;
SELECT matches(plan_of('SELECT n FROM xu WHERE id < ulid_min(''2026-01-01 00:05Z'')'), 'Bitmap Index Scan on xu_id_idx\n *Index Cond',
    'BRIN index of uuids');
SELECT is((SELECT count(*) FROM xu WHERE id < ulid_min('2026-01-01 00:05Z')), 4::bigint, 'its rows');

SELECT * FROM finish();
ROLLBACK;
