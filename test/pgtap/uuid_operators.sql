-- ulid with uuid: every comparison is that of the 16 bytes, and uses indexes of either side, all joins and partition
-- pruning.
BEGIN;
SET LOCAL client_min_messages = warning;
SELECT no_plan();
\ir ../lib/plan_of.psql

-- edges, neighbors, and values with the same time or the same randomness
CREATE TEMP TABLE value AS
SELECT u, u::ulid AS l
FROM (SELECT unnest(ARRAY['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001',
        '7fffffff-ffff-ffff-ffff-ffffffffffff', '80000000-0000-0000-0000-000000000000',
        'ffffffff-ffff-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-fffffffffffe',
        '01563e3a-b5d3-d676-4c61-efb99302bd5b', '01563e3a-b5d3-d676-4c61-efb99302bd5c',
            '01563e3a-b5d4-d676-4c61-efb99302bd5b']::uuid[])
    UNION SELECT md5(n::text)::uuid FROM generate_series(1, 60) n) v (u);

-- The comparisons of the operator families, ^=^ and the like, are used by no query.
SELECT is_empty(format('SELECT a.u, b.u FROM value a, value b WHERE (%s) IS DISTINCT FROM (%s)',
    replace(replace(f, '$1', x), '$2', y),
        replace(replace(replace(replace(f, '^', ''), f_name, 'uuid_cmp'), '$1', 'a.u'), '$2', 'b.u')),
            format('%s, %s: %s', x, y, f))
FROM (VALUES ('a.l', 'b.u', 'ulid_cmp_uuid'), ('a.u', 'b.l', 'uuid_cmp_ulid')) AS t (x, y, f_name),
    LATERAL (SELECT format('$1 %s $2', o) FROM unnest('{=,<>,<,<=,>,>=,^=^,^<^,^<=^,^>^,^>=^}'::text[]) AS o
        UNION ALL SELECT format('sign(%s($1, $2))', f_name)) AS c (f);
SELECT bag_eq($$
    SELECT o.oprname::text, oprcom::regoperator::text, oprnegate::regoperator::text, o.oprcanhash, o.oprcanmerge
    FROM pg_operator AS o JOIN pg_proc AS p ON p.oid = o.oprcode
    WHERE o.oprleft IN ('ulid'::regtype, 'uuid'::regtype) AND o.oprright IN ('ulid'::regtype, 'uuid'::regtype)
        AND o.oprleft <> o.oprright AND o.oprrest <> 0 AND o.oprjoin <> 0
        AND p.provolatile = 'i' AND p.proisstrict AND p.proleakproof AND p.proparallel = 's'
$$, $$
    SELECT name, commutator || exchanged, coalesce(negator || args, '0'), name = '^=^' AS hashes, name = '^=^' AS merges
    FROM (VALUES ('^<^', '^>^', '^>=^'), ('^<=^', '^>=^', '^>^'), ('^=^', '^=^', NULL), ('^>=^', '^<=^', '^<^'),
        ('^>^', '^<^', '^<=^'))
        AS o (name, commutator, negator), (VALUES ('(ulid,uuid)', '(uuid,ulid)'),
            ('(uuid,ulid)', '(ulid,uuid)')) AS t (args, exchanged)
$$, 'the two types have the operators of the families and no others: leakproof, with estimators, commutators and negators');

SELECT is(count(*) FILTER (WHERE ulid_hash(l) <> uuid_hash(u) OR ulid_hash_extended(l, s) <> uuid_hash_extended(u, s)),
    0::bigint, 'hash values agree, also with the seed of hash partitions') FROM value,
        unnest(ARRAY[0, 1, -1, 8816678312871386365]) s;

-- the three joins find the same rows
CREATE TEMP TABLE left_side AS SELECT l FROM value ORDER BY u LIMIT 40;
CREATE TEMP TABLE right_side AS SELECT u FROM value ORDER BY u OFFSET 20;
CREATE FUNCTION pg_temp.joined(kind text, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE n bigint;
BEGIN
    PERFORM set_config('enable_' || k, (k = kind)::text, true)
        FROM unnest('{hashjoin,mergejoin,nestloop}'::text[]) AS k;
    EXECUTE query INTO n;
    RETURN n || ' by ' || substring(plan_of(query) FROM 'Hash|Merge|Nest');
END $$;
SELECT is(pg_temp.joined(lower(k), 'SELECT count(*) FROM ' || q), n || ' by ' || left(k, -4), k || ': ' || q)
FROM unnest('{HashJoin,MergeJoin,NestLoop}'::text[]) k, (VALUES
    ('left_side JOIN right_side ON l = u', 20::bigint), ('right_side WHERE u IN (SELECT l FROM left_side)', 20),
    ('right_side WHERE NOT EXISTS (SELECT FROM left_side WHERE l = u)', (SELECT count(*) - 20 FROM right_side)),
    ('left_side FULL JOIN right_side ON l = u', (SELECT count(*) + 20 FROM right_side))
) v (q, n) WHERE k <> 'NestLoop' OR q !~ 'FULL';
RESET enable_hashjoin; RESET enable_mergejoin; RESET enable_nestloop;

-- What needs one type takes uuid; with a cast, ulid.
SELECT is_empty(format('SELECT x, pg_typeof(x) FROM (%s) AS t (x) WHERE pg_typeof(x) <> %L::regtype', q, type),
    type || ': ' || q)
FROM (VALUES ('uuid', $list$
    SELECT l FROM value UNION SELECT u FROM value; SELECT u FROM value INTERSECT SELECT l FROM value;
    SELECT COALESCE(l, u) FROM value; SELECT CASE WHEN true THEN u ELSE l END FROM value;
    SELECT NULLIF(l, u) FROM value;
    SELECT id FROM (SELECT l AS id FROM value) a JOIN (SELECT u AS id FROM value) b USING (id);
    SELECT id FROM (SELECT u AS id FROM value) a NATURAL FULL JOIN (SELECT l AS id FROM value) b$list$),
    ('uuid[]', $list$
    SELECT ARRAY[l, u] FROM value; SELECT array_append(ARRAY[l], u) FROM value; SELECT ARRAY[l] || u FROM value$list$),
    ('ulid', $list$SELECT l FROM value UNION SELECT u::ulid FROM value$list$)) AS v (type, list),
    regexp_split_to_table(trim(E' \n' FROM list), ';\s*') AS q;
SELECT ok(bool_and(l IN (u, gen_random_uuid(), l) AND u IN (l, gen_random_uuid())), 'IN lists of both types')
    FROM value;
SELECT is_empty($$SELECT * FROM value AS a, value AS b WHERE
        (a.l IS DISTINCT FROM b.u, NULLIF(a.l, b.u), CASE a.l WHEN b.u THEN 1 END, a.l <> ALL (ARRAY[b.u, a.u]),
            b.u = ANY (ARRAY[a.l]),
            (a.l, 1) < (b.u, 2), (b.u, a.l) = (a.l, b.u), a.l BETWEEN b.u AND a.u)
        IS DISTINCT FROM
        (a.u IS DISTINCT FROM b.u, NULLIF(a.u, b.u), CASE a.u WHEN b.u THEN 1 END, a.u <> ALL (ARRAY[b.u, a.u]),
            b.u = ANY (ARRAY[a.u]),
            (a.u, 1) < (b.u, 2), (b.u, a.u) = (a.u, b.u), a.u BETWEEN b.u AND a.u)$$,
                'whatever compares, compares as uuid with uuid');
-- a function of uuid takes a ulid (uuid_ambiguity.sql), but one of ulid does not take a uuid
SELECT throws_ok('SELECT ulid_timestamp(u) FROM value', '42883', NULL, 'a function of ulid takes no uuid');
SELECT throws_ok($$SELECT uuid '01563e3a-b5d3-d676-4c61-efb99302bd5b' = '01ARZ3NDEKTSV4RRFFQ69G5FAV'$$, '22P02', NULL,
    'a literal beside a uuid is one');

-- Plans
CREATE TABLE tl (id ulid PRIMARY KEY, n integer);
CREATE TABLE tu (id uuid PRIMARY KEY, n integer);
INSERT INTO tl SELECT make_ulid('2026-01-01 00:00Z'::timestamptz + n * interval '1 minute',
    substr(decode(md5(n::text), 'hex'), 1, 10)), n FROM generate_series(1, 5000) n;
INSERT INTO tu SELECT id, n FROM tl;
ANALYZE tl; ANALYZE tu;
SET LOCAL max_parallel_workers_per_gather = 0;

-- An index of uuids serves the condition, whichever stands on the left. (Of ulids: sql/indexes.sql.)
\ir ../lib/compare_indexes.psql
SELECT is_empty($$SELECT * FROM compare_indexes('tu', 'id', ARRAY['id = $1', 'id <= $1', '$1 > id',
        'id BETWEEN $1 AND ulid_max($1::timestamptz)', 'id = (SELECT $1 OFFSET 0)',
        'id IN ($1, ulid ''01KDVDS4000000000000000001'')'])
    WHERE differs OR by_scan = 0 OR NOT is_served$$, 'the index of a uuid column serves conditions with ulids');
SELECT doesnt_match(plan_of('SELECT n FROM tu WHERE id = gen_random_ulid()'), 'Index Cond',
    'a volatile ulid is computed for each row, not once for an index');
-- a time condition on uuids that begin with a time, as ULIDs and UUIDv7 do
SELECT matches(plan_of('SELECT n FROM tu WHERE ' || c), 'Index Scan using tu_pkey on tu\n *Index Cond: [^\n]*' || part,
    'index of uuids for ' || c)
FROM (VALUES ('id >= ulid_lower_bound((SELECT timestamptz ''2026-01-04 10:00Z'' OFFSET 0))', '>='),
    ('id BETWEEN ulid_prefix_min(''01KDVDS4'') AND ulid_prefix_max(''01KDVDS4'')', '>=.*AND.*<=')) v (c, part);
CREATE TABLE span AS SELECT 'first' AS name, timestamptz '2026-01-01 00:02Z' AS began,
    timestamptz '2026-01-01 00:05Z' AS ended;
SELECT matches(plan_of('SELECT * FROM span JOIN tu ON tu.id BETWEEN ulid_min(began) AND ulid_max(ended)'),
    'Nested Loop.*Index Scan using tu_pkey on tu\n *Index Cond: [^\n]*span.began[^\n]*span.ended',
    'index of uuids for the times of another table');
SELECT is((SELECT count(*) FROM tu WHERE id BETWEEN ulid_prefix_min('01KDVD') AND ulid_prefix_max('01KDVD')),
    (SELECT count(*) FROM tu WHERE id::ulid::text ^@ '01KDVD'), 'the bounds of a prefix find its rows');
SELECT throws_ok(format('SELECT * FROM tu WHERE %s', c), '42883', NULL, 'a uuid column has no ' || c)
FROM unnest(ARRAY['id >= now()', 'ulid_within(id, tstzrange(now(), NULL))', 'id ^@ ''01KDVDS4''']) c;

-- a generic plan of a prepared statement
PREPARE by_ulid(ulid) AS SELECT n FROM tu WHERE id = $1;
PREPARE by_uuid(uuid) AS SELECT n FROM tl WHERE id = $1;
PREPARE by_time(timestamptz) AS SELECT n FROM tu WHERE id >= ulid_lower_bound($1);
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT matches(plan_of(format('EXECUTE %s(NULL)', name)), 'Index Cond: \(' || condition || '\)', 'a parameter ' || name)
FROM (VALUES ('by_time', 'id >= \(ulid_\w*lower_bound\(\$1\)\)::uuid'), ('by_ulid', 'id = \(\$1\)::uuid'),
    ('by_uuid', '\(id\)::uuid = \$1')) AS v (name, condition);
RESET plan_cache_mode;

-- joins
SELECT matches(plan_of(format(q, a, b)), format(part, a, b), format('the index of %2$s serves ' || q, a, b))
FROM (VALUES ('tl', 'tu'), ('tu', 'tl')) AS t (a, b), (VALUES
    ('SELECT * FROM tl JOIN tu ON tl.id = tu.id WHERE %1$s.n = 3',
        'Nested Loop.*Seq Scan on %1$s.*Index Scan using %2$s_pkey on %2$s\n *Index Cond'),
    ('SELECT n, (SELECT n FROM %2$s WHERE %2$s.id = %1$s.id) FROM %1$s',
        'SubPlan.*Index Cond: \(\(?id(\)::uuid)? = \(?%1$s.id(\)::uuid)?\)')) AS v (q, part);

-- partition pruning, by range and by hash, at plan time
SELECT format('CREATE TABLE p%1$s (id %2$s) PARTITION BY RANGE (id);
    CREATE TABLE h%1$s (id %2$s) PARTITION BY HASH (id);'
    'CREATE TABLE p%1$s_1 PARTITION OF p%1$s FOR VALUES FROM (MINVALUE) TO (%3$L);'
    'CREATE TABLE p%1$s_2 PARTITION OF p%1$s FOR VALUES FROM (%3$L) TO (MAXVALUE);'
    'CREATE TABLE h%1$s_0 PARTITION OF h%1$s FOR VALUES WITH (MODULUS 2, REMAINDER 0);'
    'CREATE TABLE h%1$s_1 PARTITION OF h%1$s FOR VALUES WITH (MODULUS 2, REMAINDER 1)', t, type, bound)
FROM (VALUES ('l', 'ulid', '01KDVDS4000000000000000000'), ('u', 'uuid', '019b76dc-9000-0000-0000-000000000000'))
    AS v (t, type, bound) \gexec
SELECT unalike(plan_of('SELECT * FROM ' || q), '%Append%', 'one partition: ' || q)
FROM (VALUES ('l', 'uuid ''019b76dc-7cc0-0000-0000-000000000000'''), ('u', 'ulid ''01KDVDS0000000000000000000'''),
    ('u', 'ulid_min(''2026-01-01 00:01Z'')')) AS v (side, value),
    unnest('{p%s WHERE id = %s,p%s WHERE id < %s,h%s WHERE id = %s}'::text[]) AS condition,
    format(condition, side, value) AS q;
INSERT INTO hl SELECT id FROM tl;
INSERT INTO hu SELECT id FROM tl;
SELECT is(count(*), 5000::bigint, 'pruned or not, the rows are found') FROM tl AS t
WHERE EXISTS (SELECT FROM hl WHERE hl.id = t.id::uuid) AND EXISTS (SELECT FROM hu WHERE hu.id = t.id);

SELECT * FROM finish();
ROLLBACK;
