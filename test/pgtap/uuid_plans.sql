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

-- {uuid} and {ulid} are values of the types.
CREATE FUNCTION pg_temp.query(text) RETURNS text LANGUAGE sql RETURN replace(replace($1,
    '{uuid}', 'uuid ''019b76dc-7cc0-0000-0000-000000000000'''), '{ulid}', 'ulid ''01KDVDS0000000000000000000''');
-- An index of the ulid side, or of the uuid side, serves the condition, whichever stands on the left.
SELECT matches(plan_of(pg_temp.query(format('SELECT n FROM %s WHERE %s', t, c))),
    format(E'Index Scan using %1$s_pkey on %1$s\n *Index Cond', t), format('%s: index for %s', t, c))
FROM (VALUES ('tl', $$id = {uuid}; {uuid} = id; id::uuid = {uuid}; id < {uuid}; id <= {uuid}; {uuid} > id;
    id BETWEEN {uuid} AND uuid '019b76df-3be0-ffff-ffff-ffffffffffff'; id = ANY (ARRAY[{uuid}, '019b76df-3be0-ffff-ffff-ffffffffffff']);
    id = (SELECT {uuid} OFFSET 0)$$), ('tu', $$id = {ulid}; {ulid} = id; id < {ulid}; id <= {ulid}; {ulid} > id; {ulid} >= id;
    id BETWEEN ulid_min('2026-01-01 00:02Z') AND ulid_max('2026-01-01 00:05Z'); id = (SELECT {ulid} OFFSET 0); id = ANY (ARRAY[{ulid}]);
    id IN ({ulid}, ulid '01KDVDS4000000000000000001')$$)) AS v (t, conditions), regexp_split_to_table(conditions, ';\s*') AS c;
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
    'Nested Loop.*Index Scan using tu_pkey on tu\n *Index Cond: [^\n]*span.began[^\n]*span.ended',
    'index of uuids for the times of another table');
SELECT is((SELECT count(*) FROM span JOIN tu ON tu.id BETWEEN ulid_min(began) AND ulid_max(ended)), 4::bigint,
    'the index of uuids finds the rows of a span');
SELECT is((SELECT count(*) FROM span JOIN tu ON tu.id::ulid BETWEEN began AND ended), 4::bigint, 'the cast to ulid finds the same rows');
SELECT is((SELECT count(*) FROM tu WHERE id BETWEEN ulid_prefix_min('01KDVD') AND ulid_prefix_max('01KDVD')),
    (SELECT count(*) FROM tu WHERE id::ulid::text ^@ '01KDVD' AND id::ulid ^@ '01KDVD'), 'the bounds of a prefix find its rows');
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
SELECT matches(plan_of(format(q, a, b)), format(part, a, b), format('the index of %2$s serves ' || q, a, b))
FROM (VALUES ('tl', 'tu'), ('tu', 'tl')) AS t (a, b), (VALUES
    ('SELECT * FROM tl JOIN tu ON tl.id = tu.id WHERE %1$s.n = 3',
        'Nested Loop.*Seq Scan on %1$s.*Index Scan using %2$s_pkey on %2$s\n *Index Cond'),
    ('SELECT * FROM %2$s WHERE id IN (SELECT id FROM %1$s WHERE n = 3)', 'Index Scan using %2$s_pkey on %2$s\n *Index Cond'),
    ('SELECT n, (SELECT n FROM %2$s WHERE %2$s.id = %1$s.id) FROM %1$s',
        'SubPlan.*Index Cond: \(\(?id(\)::uuid)? = \(?%1$s.id(\)::uuid)?\)')) AS v (q, part);
SELECT matches(plan_of('SELECT * FROM tl JOIN tu ON tl.id = tu.id'), 'Hash Join', 'hash join');
SET LOCAL enable_hashjoin = off; SET LOCAL enable_nestloop = off;
SELECT matches(plan_of(format('SELECT * FROM tl %s JOIN tu ON tl.id = tu.id', k)), 'Merge ' || p,
    lower(trim(k || ' ') || ' merge join'))
FROM (VALUES ('', 'Join'), ('LEFT', '(Left|Right) Join'), ('FULL', 'Full Join')) v (k, p);
SELECT is((SELECT count(*) FROM tl FULL JOIN tu ON tl.id = tu.id), 5000::bigint, 'merge join finds the rows');
RESET enable_hashjoin; RESET enable_nestloop;
SELECT is((SELECT count(*) FROM tl JOIN tu ON tl.id < tu.id AND tl.n = 4990), 10::bigint, 'join by order');

-- estimates see the statistics of the column through the comparison
SELECT ok(abs(pg_temp.estimate(q) - rows) < rows * 0.2 + 1, 'estimate: ' || q)
FROM (VALUES ('SELECT * FROM tl WHERE id < uuid ''019b77b8-0000-0000-0000-000000000000''', 241.0),
    ('SELECT * FROM tu WHERE id < ulid ''01KDVVG0000000000000000000''', 240.0), ('SELECT * FROM tl JOIN tu ON tl.id = tu.id', 5000),
    ('SELECT * FROM tu WHERE id = ulid ''01KDVDS4000000000000000000''', 1)) v (q, rows);

-- partition pruning, by range and by hash, at plan time
SELECT format('CREATE TABLE p%1$s (id %2$s) PARTITION BY RANGE (id); CREATE TABLE h%1$s (id %2$s) PARTITION BY HASH (id);'
    'CREATE TABLE p%1$s_1 PARTITION OF p%1$s FOR VALUES FROM (MINVALUE) TO (%3$L);'
    'CREATE TABLE p%1$s_2 PARTITION OF p%1$s FOR VALUES FROM (%3$L) TO (MAXVALUE);'
    'CREATE TABLE h%1$s_0 PARTITION OF h%1$s FOR VALUES WITH (MODULUS 2, REMAINDER 0);'
    'CREATE TABLE h%1$s_1 PARTITION OF h%1$s FOR VALUES WITH (MODULUS 2, REMAINDER 1)', t, type, bound)
FROM (VALUES ('l', 'ulid', '01KDVDS4000000000000000000'), ('u', 'uuid', '019b76dc-9000-0000-0000-000000000000'))
    AS v (t, type, bound) \gexec
SELECT unalike(plan_of(pg_temp.query('SELECT * FROM ' || q)), '%Append%', 'one partition: ' || q)
FROM unnest(ARRAY['pl WHERE id = {uuid}', 'pl WHERE id < {uuid}', 'hl WHERE id = {uuid}', 'pu WHERE id = {ulid}',
    'pu WHERE id < {ulid}', 'hu WHERE id = {ulid}', 'pu WHERE id < ulid_min(''2026-01-01 00:01Z'')']) q;
PREPARE part_by_time(timestamptz) AS SELECT * FROM pu WHERE id < ulid_lower_bound($1);
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT matches(plan_of('EXECUTE part_by_time(''2026-01-01 00:01Z'')'), 'Subplans Removed: 1',
    'partitions of uuids are pruned for a time when the plan runs');
RESET plan_cache_mode;
INSERT INTO hl SELECT id FROM tl;
INSERT INTO hu SELECT id FROM tl;
SELECT is((SELECT count(*) FROM tl t WHERE EXISTS (SELECT FROM hl WHERE hl.id = t.id::uuid)
        AND EXISTS (SELECT FROM hu WHERE hu.id = t.id)), 5000::bigint, 'pruned or not, the rows are found');

-- hash and BRIN indexes of uuids serve ulids
CREATE TABLE xu AS SELECT id, n FROM tu;
CREATE INDEX ON xu USING hash (id);
SELECT matches(plan_of('SELECT n FROM xu WHERE id = ulid ''01KDVDS4000000000000000000'''), 'Index Cond', 'hash index of uuids');
SELECT is((SELECT count(*) FROM tl WHERE n <= 50 AND EXISTS (SELECT FROM xu WHERE xu.id = tl.id)), 50::bigint,
    'the hash index of uuids finds the rows');
DROP INDEX xu_id_idx;
CREATE INDEX ON xu USING brin (id) WITH (pages_per_range = 1);
SET LOCAL enable_seqscan = off;
SELECT matches(plan_of('SELECT n FROM xu WHERE id < ulid_min(''2026-01-01 00:05Z'')'), 'Bitmap Index Scan on xu_id_idx\n *Index Cond',
    'BRIN index of uuids');
SELECT is((SELECT count(*) FROM xu WHERE id < ulid_min('2026-01-01 00:05Z')), 4::bigint, 'the BRIN index of uuids finds the rows');

SELECT * FROM finish();
ROLLBACK;
