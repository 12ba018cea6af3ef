-- ulid with uuid: every comparison is that of the 16 bytes.
BEGIN;
SET LOCAL client_min_messages = warning;
SELECT no_plan();

-- edges, neighbors, and values with the same time or the same randomness
CREATE TEMP TABLE value AS
SELECT u, u::ulid AS l FROM (
    SELECT unnest(ARRAY['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001',
        '7fffffff-ffff-ffff-ffff-ffffffffffff', '80000000-0000-0000-0000-000000000000',
        'ffffffff-ffff-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-fffffffffffe',
        '01563e3a-b5d3-d676-4c61-efb99302bd5b', '01563e3a-b5d3-d676-4c61-efb99302bd5c', '01563e3a-b5d4-d676-4c61-efb99302bd5b']::uuid[])
    UNION SELECT md5(n::text)::uuid FROM generate_series(1, 60) n
) v (u);

-- The comparisons of the operator families, |=| and the like, are used by no query.
SELECT is_empty(format('SELECT a.u, b.u FROM value a, value b WHERE (%s) IS DISTINCT FROM (%s)', replace(replace(f, '$1', x), '$2', y),
        replace(replace(replace(replace(f, '|', ''), f_name, 'uuid_cmp'), '$1', 'a.u'), '$2', 'b.u')), format('%s, %s: %s', x, y, f))
FROM (VALUES ('a.l', 'b.u', 'ulid_cmp_uuid'), ('a.u', 'b.l', 'uuid_cmp_ulid')) AS t (x, y, f_name),
    LATERAL (SELECT format('$1 %s $2', o) FROM unnest('{=,<>,<,<=,>,>=,|=|,|<|,|<=|,|>|,|>=|}'::text[]) AS o
        UNION ALL SELECT format('sign(%s($1, $2))', f_name)) AS c (f);
SELECT bag_eq($$
    SELECT o.oprname::text, oprcom::regoperator::text, oprnegate::regoperator::text, o.oprcanhash, o.oprcanmerge
    FROM pg_operator AS o JOIN pg_proc AS p ON p.oid = o.oprcode
    WHERE o.oprleft IN ('ulid'::regtype, 'uuid'::regtype) AND o.oprright IN ('ulid'::regtype, 'uuid'::regtype)
        AND o.oprleft <> o.oprright AND o.oprrest <> 0 AND o.oprjoin <> 0
        AND p.provolatile = 'i' AND p.proisstrict AND p.proleakproof AND p.proparallel = 's'
$$, $$
    SELECT name, commutator || exchanged, coalesce(negator || args, '0'), name = '|=|' AS hashes, name = '|=|' AS merges
    FROM (VALUES ('|<|', '|>|', '|>=|'), ('|<=|', '|>=|', '|>|'), ('|=|', '|=|', NULL), ('|>=|', '|<=|', '|<|'), ('|>|', '|<|', '|<=|'))
        AS o (name, commutator, negator), (VALUES ('(ulid,uuid)', '(uuid,ulid)'), ('(uuid,ulid)', '(ulid,uuid)')) AS t (args, exchanged)
$$, 'the two types have the operators of the families and no others: leakproof, with estimators, commutators and negators');

SELECT is(string_agg(format('%s %s-%s:%s', method, l, r, operators), ' '),
    'btree ulid-ulid:5 btree ulid-uuid:5 btree uuid-ulid:5 btree uuid-uuid:5 '
    'hash ulid-ulid:1 hash ulid-uuid:1 hash uuid-ulid:1 hash uuid-uuid:1', 'both families have every pair of the two types')
FROM (
    SELECT am.amname AS method, a.amoplefttype::regtype AS l, a.amoprighttype::regtype AS r, count(*) AS operators
    FROM pg_amop a JOIN pg_opfamily f ON f.oid = a.amopfamily JOIN pg_am am ON am.oid = f.opfmethod
    WHERE f.opfname = 'ulid_ops' AND am.amname IN ('btree', 'hash')
        AND a.amoplefttype IN ('ulid'::regtype, 'uuid'::regtype) AND a.amoprighttype IN ('ulid'::regtype, 'uuid'::regtype)
    GROUP BY 1, 2, 3 ORDER BY 1, a.amoplefttype::regtype::text, a.amoprighttype::regtype::text
) t;

SELECT is((SELECT opcname::text FROM pg_opclass c JOIN pg_am am ON am.oid = c.opcmethod
        WHERE opcintype = 'uuid'::regtype AND opcdefault AND amname = m AND opcnamespace = 'pg_catalog'::regnamespace),
    'uuid_ops', m || ': the default class of uuid is still the server''s')
FROM unnest(ARRAY['btree', 'hash']) m;

SELECT is(count(*) FILTER (WHERE ulid_hash(l) <> uuid_hash(u) OR ulid_hash_extended(l, s) <> uuid_hash_extended(u, s)),
    0::bigint, 'hash values agree, also with the seed of hash partitions') FROM value, unnest(ARRAY[0, 1, -1, 8816678312871386365]) s;

-- the three joins find the same rows
CREATE TEMP TABLE left_side AS SELECT l FROM value ORDER BY u LIMIT 40;
CREATE TEMP TABLE right_side AS SELECT u FROM value ORDER BY u OFFSET 20;
CREATE FUNCTION pg_temp.joined(kind text, query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE k text; n bigint;
BEGIN
    FOREACH k IN ARRAY ARRAY['hashjoin', 'mergejoin', 'nestloop'] LOOP
        PERFORM set_config('enable_' || k, (k = kind)::text, true);
    END LOOP;
    EXECUTE query INTO n;
    RETURN n;
END $$;
SELECT is(pg_temp.joined(k, 'SELECT count(*) FROM ' || q), n, k || ': ' || q)
FROM unnest(ARRAY['hashjoin', 'mergejoin', 'nestloop']) k, (VALUES
    ('left_side JOIN right_side ON l = u', 20::bigint), ('right_side JOIN left_side ON u = l', 20),
    ('left_side WHERE l IN (SELECT u FROM right_side)', 20), ('right_side WHERE u IN (SELECT l FROM left_side)', 20),
    ('right_side WHERE NOT EXISTS (SELECT FROM left_side WHERE l = u)', (SELECT count(*) - 20 FROM right_side)),
    ('left_side FULL JOIN right_side ON l = u', (SELECT count(*) + 20 FROM right_side))
) v (q, n) WHERE k <> 'nestloop' OR q !~ 'FULL';
SELECT is((SELECT count(*) FROM right_side WHERE u NOT IN (SELECT l FROM left_side)), (SELECT count(*) - 20 FROM right_side),
    'uuid NOT IN (ulids)');
SELECT is((SELECT count(*) FROM right_side WHERE u = ANY (ARRAY(SELECT l FROM left_side))), 20::bigint, 'uuid = ANY (ulid[])');
SELECT is((SELECT count(*) FROM left_side WHERE l = ANY (ARRAY(SELECT u FROM right_side))), 20::bigint, 'ulid = ANY (uuid[])');

-- What needs one type takes uuid; with a cast, ulid.
CREATE FUNCTION pg_temp.type_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE type text;
BEGIN
    EXECUTE format('SELECT pg_typeof(x) FROM (%s) t (x) LIMIT 1', query) INTO type;
    RETURN type;
END $$;
SELECT is(pg_temp.type_of(q), type, format('as %s: %s', type, q)) FROM (VALUES ('uuid', $list$
    SELECT l FROM value UNION SELECT u FROM value; SELECT u FROM value UNION ALL SELECT l FROM value;
    SELECT l FROM value INTERSECT SELECT u FROM value;
    VALUES (ulid '01ARZ3NDEKTSV4RRFFQ69G5FAV'), (uuid '01563e3a-b5d3-d676-4c61-efb99302bd5b'); SELECT COALESCE(l, u) FROM value;
    SELECT COALESCE(u, l) FROM value; SELECT GREATEST(l, u) FROM value; SELECT CASE WHEN true THEN l ELSE u END FROM value;
    SELECT NULLIF(l, u) FROM value LIMIT 1; SELECT lag(l, 1, u) OVER () FROM value;
    SELECT id FROM (SELECT l AS id FROM value) a JOIN (SELECT u AS id FROM value) b USING (id);
    SELECT id FROM (SELECT u AS id FROM value) a FULL JOIN (SELECT l AS id FROM value) b USING (id);
    SELECT id FROM (SELECT u AS id FROM value) a NATURAL JOIN (SELECT l AS id FROM value) b$list$), ('uuid[]', $list$
    SELECT ARRAY[l, u] FROM value; SELECT array_append(ARRAY[u], l) FROM value; SELECT array_append(ARRAY[l], u) FROM value;
    SELECT ARRAY[l] || u FROM value$list$), ('ulid[]', $list$
    SELECT ARRAY[l, l] FROM value; SELECT ARRAY[l, u::ulid] FROM value$list$), ('ulid', $list$
    SELECT l FROM value UNION SELECT u::ulid FROM value; SELECT CASE WHEN true THEN l ELSE u::ulid END FROM value;
    SELECT id FROM (SELECT l AS id FROM value) a JOIN (SELECT u::ulid AS id FROM value) b USING (id)$list$)) AS v (type, list),
    regexp_split_to_table(trim(E' \n' FROM list), ';\s*') AS q;
SELECT is(count(*), (SELECT count(DISTINCT u) FROM value), 'UNION takes equal ones for one')
FROM (SELECT l FROM value UNION SELECT u FROM value) t;
SELECT is(count(*), (SELECT count(*) FROM value), 'JOIN USING finds the same rows')
FROM (SELECT l AS id FROM value) a JOIN (SELECT u AS id FROM value) b USING (id);
SELECT ok(bool_and(l IN (u, gen_random_uuid(), l) AND u IN (l, gen_random_uuid())), 'IN lists of both types') FROM value;
SELECT is_empty($$SELECT * FROM value AS a, value AS b WHERE
        (a.l IS DISTINCT FROM b.u, NULLIF(a.l, b.u), CASE a.l WHEN b.u THEN 1 END, a.l <> ALL (ARRAY[b.u, a.u]), b.u = ANY (ARRAY[a.l]),
            (a.l, 1) < (b.u, 2), (b.u, a.l) = (a.l, b.u), a.l BETWEEN b.u AND a.u)
        IS DISTINCT FROM
        (a.u IS DISTINCT FROM b.u, NULLIF(a.u, b.u), CASE a.u WHEN b.u THEN 1 END, a.u <> ALL (ARRAY[b.u, a.u]), b.u = ANY (ARRAY[a.u]),
            (a.u, 1) < (b.u, 2), (b.u, a.u) = (a.u, b.u), a.u BETWEEN b.u AND a.u)$$, 'whatever compares, compares as uuid with uuid');
-- a function of uuid takes a ulid, but one of ulid does not take a uuid
SELECT is(count(*) FILTER (WHERE uuid_send(l) <> uuid_send(u) OR uuid_hash(l) <> uuid_hash(u)), 0::bigint,
    'a function of uuid takes a ulid') FROM value;
SELECT throws_ok('SELECT ulid_timestamp(u) FROM value', '42883', NULL, 'a function of ulid takes no uuid');
SELECT throws_ok($$SELECT uuid '01563e3a-b5d3-d676-4c61-efb99302bd5b' = '01ARZ3NDEKTSV4RRFFQ69G5FAV'$$, '22P02', NULL,
    'a literal beside a uuid is one');
SELECT lives_ok('INSERT INTO value (u, l) SELECT l, u FROM value LIMIT 1', 'each is assigned to the other');

SELECT * FROM finish();
ROLLBACK;
