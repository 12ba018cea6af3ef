-- What the catalogs say of every object of the extension.
BEGIN;
SELECT no_plan();

CREATE TEMP TABLE objects AS
SELECT d.classid, d.objid, d.objsubid, pg_describe_object(d.classid, d.objid, d.objsubid) AS name
FROM pg_depend AS d JOIN pg_extension AS e ON d.refobjid = e.oid
WHERE e.extname = 'ulid' AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e';
CREATE TEMP VIEW functions AS
SELECT o.name, p.* FROM objects AS o JOIN pg_proc AS p ON o.objid = p.oid WHERE o.classid = 'pg_proc'::regclass;

SELECT cmp_ok(count(*), '>', 50::bigint, 'the extension has its objects') FROM objects;
SELECT is_empty($$SELECT name FROM objects WHERE obj_description(objid, classid::regclass::name) IS NULL
    AND NOT (classid = 'pg_type'::regclass AND objid::regtype::text LIKE '%[]')$$, -- which the server makes
    'every object has a comment');

-- Functions
SELECT bag_eq($$SELECT name, proparallel::text FROM functions WHERE proparallel <> 's'$$,
              $$VALUES ('function gen_ulid()', 'r'), ('function gen_uuidv7()', 'r')$$,
              'every function is parallel safe but those whose order belongs to the session');
SELECT bag_eq($$SELECT proname::text FROM functions WHERE prokind = 'f' AND NOT proisstrict$$,
              $$VALUES ('ulid_within'), ('ulid_starts_with')$$, -- which would not be inlined
              'every function is strict but two of SQL');
SELECT is(count(*), 10::bigint, 'the comparisons with times, ^@ and ulid_within are SQL with parsed bodies')
FROM functions JOIN pg_language AS l ON l.oid = prolang WHERE lanname = 'sql' AND prosqlbody IS NOT NULL;
-- PostgreSQL records no dependency on a cast without a function, so pg_upgrade would restore a parsed body before the
-- cast.
SELECT bag_eq($$SELECT proname::text FROM functions JOIN pg_language AS l ON l.oid = prolang WHERE lanname = 'sql'
    AND prosqlbody IS NULL$$,
    $$VALUES ('ulid_eq_uuid'), ('uuid_eq_ulid')$$, 'the two that cast have quoted bodies');
SELECT bag_eq($$SELECT DISTINCT proname::text, provolatile::text FROM functions WHERE provolatile <> 'i'$$,
    $$VALUES ('gen_ulid', 'v'), ('gen_random_ulid', 'v'), ('gen_monotonic_ulid', 'v'), ('gen_uuidv7', 'v'),
        ('ulid_next', 'v'),
             ('ulid_ineqsel', 's'), -- as the server's estimators
             ('in_range', 's')      -- a month is as long as the time zone says
    $$, 'every other function is immutable');
SELECT bag_eq($$SELECT proname::text FROM functions WHERE pronargs = 2 AND proargtypes[0] = 'ulid'::regtype
                  AND proargtypes[1] = 'ulid'::regtype AND prokind = 'f' AND proleakproof$$,
              $$VALUES ('ulid_lt'), ('ulid_le'), ('ulid_eq'), ('ulid_ge'), ('ulid_gt'), ('ulid_ne'),
                       ('ulid_cmp'), ('ulid_smaller'), ('ulid_larger'), ('ulid_distance')$$,
              'comparisons are leakproof');
SELECT is_empty($$SELECT name FROM functions WHERE proleakproof AND prorettype = 'ulid'::regtype
                  AND proname NOT IN ('ulid_smaller', 'ulid_larger', 'ulid_lower_bound',
                      'ulid_upper_bound', 'ulid_range_min', 'ulid_range_max', 'ulid_prefix_min', 'ulid_prefix_max')$$,
                'no function that can refuse its argument is leakproof');
SELECT bag_eq($$SELECT proname::text FROM functions WHERE procost = 1e-20::float4$$,
    $$VALUES ('ulid_lower_bound'), ('ulid_upper_bound'), ('ulid_range_min'), ('ulid_range_max'), ('ulid_prefix_min'),
        ('ulid_prefix_max')$$,
    'the bounds of inlined conditions cost nothing, so that a condition costs what one on a timestamptz does');
SELECT is_empty($$SELECT name FROM functions WHERE prosecdef OR proconfig IS NOT NULL$$,
    'no function changes its user or settings');

-- Type, operators and operator classes
SELECT is(count(DISTINCT (typlen, typbyval, typalign, typstorage, typcategory, typispreferred)), 1::bigint,
    'ulid is stored as uuid is') FROM pg_type WHERE oid IN ('ulid'::regtype, 'uuid'::regtype);
SELECT is_empty($$SELECT name FROM objects JOIN pg_operator ON objid = oid WHERE classid = 'pg_operator'::regclass
    AND oprresult = 'boolean'::regtype AND 0 IN (oprrest, oprjoin, oprcode)$$, 'every condition has its estimators');
SELECT is_empty($$SELECT name FROM objects JOIN pg_operator AS p ON objid = p.oid
        JOIN pg_operator AS u ON u.oprname = trim(p.oprname, '^')
            AND (u.oprleft, u.oprright) = ('uuid'::regtype, 'uuid'::regtype)
    WHERE classid = 'pg_operator'::regclass AND 'uuid'::regtype IN (p.oprleft, p.oprright)
        AND (p.oprrest, p.oprjoin) <> (u.oprrest, u.oprjoin)$$,
    'operators of families have the estimators of two uuids');
SELECT is_empty($$SELECT o.name FROM objects AS o JOIN pg_operator AS p ON o.objid = p.oid
        JOIN (VALUES ('=', '=', '<>'), ('<>', '<>', '='), ('<', '>', '>='), ('<=', '>=', '>'), ('>', '<', '<='),
            ('>=', '<=', '<'))
            AS v (name, commutator, negator) ON v.name = p.oprname
        LEFT JOIN pg_operator AS c ON c.oid = p.oprcom LEFT JOIN pg_operator AS n ON n.oid = p.oprnegate
    WHERE o.classid = 'pg_operator'::regclass
      AND (c.oprname, c.oprleft, c.oprright, n.oprname, n.oprleft, n.oprright)
        IS DISTINCT FROM (commutator, p.oprright, p.oprleft, negator, p.oprleft, p.oprright)
$$, 'every comparison has its commutator and negator');
SELECT is(amvalidate(objid), true, 'amvalidate: ' || name)
FROM objects WHERE classid = 'pg_opclass'::regclass; -- what they have: uuid_parity.sql

-- Packaging
SELECT results_eq($$SELECT relocatable, trusted, superuser FROM pg_available_extension_versions WHERE name = 'ulid'
    AND installed$$,
                  $$VALUES (false, true, true)$$, 'the extension is trusted, and not relocatable');
-- Operators in pg_catalog are found without a search_path. What has a name of its own takes the place of nothing of a
-- user's.
SELECT bag_eq($$SELECT name FROM (SELECT objid::regoperator::text, oprnamespace FROM objects JOIN pg_operator
    ON oid = objid
            WHERE classid = 'pg_operator'::regclass
        UNION ALL SELECT objid::regprocedure::text, pronamespace FROM functions JOIN objects USING (name)) AS o (name,
            namespace)
    WHERE namespace = 'pg_catalog'::regnamespace$$,
    $$SELECT format('%s(%s)', operator, types) FROM unnest('{<,<=,>=,>}'::text[]) AS operator,
        unnest('{"ulid,ulid","ulid,timestamp with time zone","timestamp with time zone,ulid"}'::text[]) AS types
      UNION ALL VALUES ('=(ulid,ulid)'), ('<>(ulid,ulid)'), ('^@(ulid,text)'), ('<->(ulid,ulid)'), ('min(ulid)'),
          ('max(ulid)')$$,
    '16 operators, min and max are in pg_catalog');
SELECT throws_ok('ALTER EXTENSION ulid SET SCHEMA pg_temp', '0A000', NULL,
    'the extension cannot move to another schema');

SELECT finish();
ROLLBACK;
