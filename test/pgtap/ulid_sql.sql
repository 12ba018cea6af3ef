-- clients/sql/ulid_sql.sql gives the same ids as the extension, without it.
BEGIN;
SELECT no_plan();
SET LOCAL client_min_messages = warning;
-- Other functions, operators and types on the path of the role that loads the file, and then calls them, which match
-- better than the server's own.
CREATE SCHEMA hostile;
SELECT format('CREATE FUNCTION hostile.%s RETURNS %s LANGUAGE sql AS ''SELECT NULL::%2$s''', name, type)
FROM (VALUES ('lpad(text, integer, text)', 'text'), ('format(text, text)', 'text'), ('"left"(text, integer)', 'text'),
    ('"right"(text, integer)', 'text'), ('uuid_send(uuid)', 'bytea'), ('convert_to(text, name)', 'bytea'),
    ('encode(bytea, text)', 'text')) AS v (name, type) \gexec
SELECT format($f$CREATE FUNCTION hostile.to_%3$s(%1$s, %2$s) RETURNS %3$s LANGUAGE plpgsql
    AS $$BEGIN RAISE 'not the server''s'; END$$;$f$, a, b, result)
    || string_agg(format('CREATE OPERATOR hostile.%1$s (LEFTARG = %2$s, RIGHTARG = %3$s, FUNCTION = hostile.to_%4$s)',
        operator, a, b, result), ';')
FROM (VALUES ('bigint', 'bigint', 'bigint', '{+}'::text[]), ('text', 'text', 'boolean', '{>=,=}'),
    ('integer', 'integer', 'boolean', '{=,<>,>}'), ('timestamptz', 'timestamptz', 'boolean', '{<,>=}'),
    ('text', 'text', 'text', '{||}'), ('bigint', 'interval', 'interval', '{*}'),
    ('numeric', 'integer', 'numeric', '{*}')) AS v (a, b, result, operators), unnest(operators) AS operator
GROUP BY a, b, result \gexec
-- What the bodies cast to, and declare.
SELECT format('CREATE DOMAIN hostile.%s AS integer', name) FROM unnest('{text,uuid,bytea}'::text[]) AS name \gexec
SET LOCAL search_path = hostile, pg_catalog, public;
\i clients/sql/ulid_sql.sql
RESET client_min_messages;
SELECT pg_catalog.current_setting('search_path') AS path \gset
SET LOCAL search_path = public;
SELECT is(:'path'::text, 'hostile, pg_catalog, public', 'loading the file leaves the search_path unchanged');

CREATE TEMP VIEW own AS SELECT *, oid::regprocedure AS name FROM pg_proc WHERE pronamespace = 'ulid_sql'::regnamespace;
SELECT is_empty($$SELECT name FROM own JOIN pg_language l ON l.oid = prolang WHERE lanname NOT IN ('sql', 'plpgsql')$$,
    'all functions are SQL or PL/pgSQL');
-- What every database has is pinned, and in no row.
SELECT is_empty($$SELECT name, pg_describe_object(refclassid, refobjid, 0)
    FROM own JOIN pg_depend ON classid = 'pg_proc'::regclass AND objid = oid
    WHERE (refclassid, refobjid) NOT IN (SELECT 'pg_proc'::regclass, oid FROM own)
      AND refclassid <> 'pg_language'::regclass AND refobjid <> 'ulid_sql'::regnamespace$$,
    'it uses the server''s own functions and operators alone, nothing of the extension');
SELECT is_empty($$SELECT o.name, o.provolatile, o.proisstrict, o.proparallel
    FROM own AS o JOIN pg_proc AS e ON e.proname = o.proname AND e.pronamespace <> o.pronamespace
        AND oidvectortypes(o.proargtypes) = replace(oidvectortypes(e.proargtypes), 'ulid', 'uuid')
    WHERE (o.provolatile, o.proisstrict, o.proparallel) IS DISTINCT FROM (e.provolatile, e.proisstrict, e.proparallel)
      AND o.name NOT IN ('ulid_sql.gen_ulid()'::regprocedure, 'ulid_sql.gen_uuidv7()'::regprocedure)$$,
    'the functions have the labels of the extension''s, except gen_ulid() and gen_uuidv7(), which change a setting');
SELECT is(concat(provolatile, proparallel), 'vu', name || ' is in no parallel plan')
FROM own WHERE name IN ('ulid_sql.gen_ulid()'::regprocedure, 'ulid_sql.gen_uuidv7()'::regprocedure);
SELECT is_empty('SELECT name FROM own WHERE obj_description(oid, ''pg_proc'') IS NULL', 'each function has a comment');

-- Any 128 bits; values that differ in few bits; every edge of a digit, a word and the value.
CREATE TEMP TABLE value AS
WITH edge AS (SELECT decode(repeat(byte, 16), 'hex') AS bytes FROM unnest('{00,ff}'::text[]) AS byte)
SELECT gen_random_uuid() AS id FROM generate_series(1, 2000)
UNION ALL SELECT gen_random_ulid()::uuid FROM generate_series(1, 500)
UNION ALL SELECT encode(set_bit(bytes, n, 1 - get_bit(bytes, n)), 'hex')::uuid FROM edge, generate_series(0, 127) AS n
UNION ALL SELECT encode(bytes, 'hex')::uuid FROM edge;

SELECT is_empty(format('SELECT id FROM value WHERE ulid_sql.%s IS DISTINCT FROM %s', a, b),
    format('ulid_sql.%s is %s', a, b))
FROM (VALUES ('ulid_to_text(id)', 'id::ulid::text'), ('ulid_from_text(id::ulid::text)', 'id'),
    ('ulid_timestamp(id)', 'ulid_timestamp(id::ulid)'), ('ulid_randomness(id)', 'ulid_randomness(id::ulid)'),
    ('make_ulid(ulid_timestamp(id::ulid), ulid_randomness(id::ulid))', 'id')) AS v (a, b);
SELECT is_empty($$SELECT t, a FROM (SELECT id, id::ulid::text AS t FROM value) AS v,
        LATERAL (VALUES (lower(t)), (translate(t, '10', 'IO')), (translate(lower(t), '10', 'lo'))) AS w (a)
    WHERE ulid_sql.ulid_from_text(a) IS DISTINCT FROM id$$, 'ulid_from_text: in any case, with I, L and O');

-- What each of two gives, or the SQLSTATE and the message with which it fails.
CREATE FUNCTION pg_temp.outcome(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
    EXECUTE command INTO result;
    RETURN result;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ': ' || SQLERRM;
END $$;

-- Texts: right ones with one character replaced, or one more or fewer, and others.
CREATE TEMP TABLE entry AS
SELECT overlay(id::ulid::text PLACING chr(1 + r % 255) FROM 1 + r % 26 FOR 1) AS t
FROM (SELECT id, row_number() OVER ()::int AS r FROM value LIMIT 700) AS v
UNION ALL SELECT overlay('01ARZ3NDEKTSV4RRFFQ69G5FAV' PLACING chr(c) FROM n FOR 1)
FROM generate_series(1, 127) AS c, unnest('{1,14,26}'::int[]) AS n
UNION ALL SELECT unnest(ARRAY['', '%s%s%s', repeat('é', 26), '01ARZ3NDEKTSV4RRFFQ69G5FA', '01ARZ3NDEKTSV4RRFFQ69G5FAVV',
    E'01ARZ3NDEKTSV4RRFFQ69G5FA\n', E'01ARZ3NDEKTSV4RRFFQ69G5FAV\n', ' 01ARZ3NDEKTSV4RRFFQ69G5FAV',
    '01ARZ3NDEKTSV4RRFFQ69G5FA%', 'OIL00000000000000000000000', '7' || repeat('Z', 25), '8' || repeat('Z', 25)]);
SELECT is_empty($$SELECT t FROM entry
    WHERE replace(pg_temp.outcome(format('SELECT ulid_sql.ulid_to_text(ulid_sql.ulid_from_text(%L))', t)), '"', '')
        IS DISTINCT FROM replace(pg_temp.outcome(format('SELECT %L::ulid', t)), '"', '')$$,
    'ulid_from_text: takes what the type takes, and refuses the rest with its error');
-- But a UUID, which the column of uuid reads by itself.
SELECT throws_ok($$SELECT ulid_sql.ulid_from_text('0186cb65-25d7-81da-815c-7e25a6bfe7db')$$, '22P02', NULL,
    'ulid_from_text: no UUID');
-- Not every server has ICU; from 16 on those without have a collation of it, too, but not one for English.
SELECT EXISTS (SELECT FROM pg_collation WHERE collname = 'en-x-icu') AS icu, 'C POSIX' AS collations \gset
\if :icu
CREATE COLLATION no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
\set collations 'C en-x-icu no_case'
\endif
SELECT is_empty(format($$SELECT t FROM (SELECT t FROM entry WHERE t LIKE '01%%' LIMIT 50) AS e
    WHERE pg_temp.outcome(format('SELECT ulid_sql.ulid_to_text(ulid_sql.ulid_from_text(%%L COLLATE %1$I))', t))
        IS DISTINCT FROM pg_temp.outcome(format('SELECT ulid_sql.ulid_to_text(ulid_sql.ulid_from_text(%%L))', t))$$,
            name),
    'ulid_from_text: of any collation, ' || name)
FROM unnest(string_to_array(:'collations', ' ')) AS name;
SELECT ok(count(*) FILTER (WHERE ulid_is_valid(t)) > 100 AND count(*) FILTER (WHERE NOT ulid_is_valid(t)) > 100,
    'many of them are ULIDs, and many are not') FROM entry;
SELECT is_empty('SELECT t FROM entry WHERE ulid_sql.ulid_is_valid(t) IS DISTINCT FROM ulid_is_valid(t)',
    'ulid_is_valid: agrees with the extension');

-- Times: of all ages, around every millisecond, the epoch, the end and infinity.
CREATE TEMP TABLE moment AS
SELECT '1970-01-01Z'::timestamptz + random() * 8919 * interval '1 year' AS t FROM generate_series(1, 1000)
UNION ALL SELECT at + n * interval '1 microsecond'
FROM unnest('{1970-01-01Z,2026-05-01Z,9999-12-31 23:59:59.999Z,10889-08-02 05:31:50.655Z,10889-08-02 05:31:50.656Z}'
    ::timestamptz[]) AS at, generate_series(-1001, 1001, 91) AS n
UNION ALL SELECT unnest('{infinity,-infinity,4713-01-01 00:00:00Z BC,294276-12-31Z,1969-12-31 23:59:59.999999Z,
    1970-01-01 00:00:00.000001Z,10889-08-02 05:31:50.655001Z,10889-08-02 05:31:50.655999Z}'::timestamptz[]);
CREATE FUNCTION pg_temp.agrees(source text, call text, of_extension text) RETURNS text LANGUAGE sql AS $$
    SELECT is_empty(format('SELECT * FROM (%s) AS v (x, y)
        WHERE pg_temp.outcome(format(%L, x, y)) IS DISTINCT FROM pg_temp.outcome(format(%L, x, y))',
        source, 'SELECT ' || call, 'SELECT ' || of_extension), call || ': agrees with the extension, errors too')
$$;
SELECT pg_temp.agrees('SELECT t, NULL FROM moment', format('ulid_sql.%s(%%1$L)', name), format('%s(%%1$L)::uuid', name))
FROM unnest('{ulid_min,ulid_max,ulid_lower_bound,ulid_upper_bound}'::text[]) AS name;
SELECT pg_temp.agrees(source, 'ulid_sql.make_ulid(%1$L, %2$L)', 'make_ulid(%1$L, %2$L)::uuid') FROM (VALUES
    ('SELECT t, ''\x00112233445566778899'' FROM moment'),
    ($$SELECT t, r FROM unnest('{2026-05-01Z,1969-12-31Z}'::text[]) AS t,
        unnest('{"","\\x00","\\x001122334455667788","\\x00112233445566778899aa"}'::text[]) AS r$$)) AS v (source);
SELECT pg_temp.agrees(source, 'ulid_sql.ulid_next(%1$L::uuid, %2$L)', 'ulid_next(%1$L::uuid::ulid, %2$L)::uuid')
    FROM (VALUES
    ('SELECT id, ''1970-01-01Z'' FROM value'), -- plus 1
    ($$SELECT id, t FROM unnest('{00000000-0000-0000-0000-000000000000,ffffffff-ffff-0000-0000-000000000000}'::text[]) AS id,
        unnest('{-infinity,4713-01-01 00:00:00Z BC,1969-12-31 23:59:59.999999Z,1970-01-01 00:00:00.000999Z,10889-08-02 05:31:50.656Z,
            infinity}'::text[]) AS t$$)) AS v (source);
SELECT is_empty($$
    SELECT v.id, t FROM (SELECT id FROM value LIMIT 300 OFFSET 1900) AS v,
        (SELECT t FROM moment LIMIT 50 OFFSET 990) AS m
    WHERE (v.id >= ulid_sql.ulid_lower_bound(t)) IS DISTINCT FROM (v.id::ulid >= t)
       OR (v.id >= ulid_sql.ulid_upper_bound(t)) IS DISTINCT FROM (v.id::ulid > t)$$,
    'a comparison with a bound is the comparison with the time');

-- Generators
\ir ../lib/generators.psql
SELECT pg_temp.ascends('ulid_sql.' || generator, 5000) FROM unnest('{gen_ulid(),gen_uuidv7()}'::text[]) AS generator;
SELECT pg_temp.is_random('ulid_sql.' || generator)
FROM unnest(ARRAY['gen_random_ulid()', 'gen_ulid(''2026-05-01Z'')']) AS generator;
-- the last one is of a time to come: the clock has stepped back
SELECT set_config('ulid_sql.last', replace(ulid_min('2100-01-01Z')::uuid::text, '-', ''), false) AS _ \gset
SELECT ok(bool_and(id > previous AND ulid_timestamp(id::ulid) = '2100-01-01Z'), 'gen_ulid: increases if time goes back')
FROM (SELECT id, lag(id, 1, ulid_min('2100-01-01Z')::uuid) OVER (ORDER BY n) AS previous
      FROM (SELECT n, ulid_sql.gen_ulid() AS id FROM generate_series(1, 100) AS n) AS g) AS g;
SAVEPOINT s;
CREATE TEMP TABLE undone AS SELECT ulid_sql.gen_ulid() AS id FROM generate_series(1, 50);
SELECT string_agg(id::text, ',') AS undone FROM undone \gset
ROLLBACK TO s;
SELECT is(count(*) FILTER (WHERE :'undone' ~ id::text), 0::bigint, 'gen_ulid: what was rolled back is not given again')
FROM (SELECT ulid_sql.gen_ulid() AS id FROM generate_series(1, 50)) AS again;
SELECT set_config('ulid_sql.last', replace(ulid_max('2100-01-01Z')::uuid::text, '-', ''), false) AS _ \gset
SELECT throws_ok('SELECT ulid_sql.gen_ulid()', '2200H', 'no ULID is left in this millisecond',
    'gen_ulid: never counts into the next millisecond');
SELECT set_config('ulid_sql.last', '', false) AS _ \gset

SELECT ok(ulid_timestamp(ulid_sql.ulid_next(ulid_min('2026-05-01Z')::uuid)::ulid)
    BETWEEN now() - interval '1 second' AND clock_timestamp(), 'ulid_next: now');
SELECT is(ulid_timestamp(ulid_sql.ulid_next(ulid_min('2026-05-01Z')::uuid, '2026-05-01 00:00:00.001Z')::ulid),
    '2026-05-01 00:00:00.001Z'::timestamptz, 'ulid_next: of a later millisecond');

-- UUIDv7
SELECT pg_temp.is_random('ulid_sql.gen_uuidv7()', '[64,70)', '[72,128)');
-- the last one is of a time to come, near the end of a tick: the clock has stepped back
SELECT set_config('ulid_sql.last_uuidv7', '03bb2cc3d800' || '7fff' || 'bfffffff00000000', false) AS _ \gset
CREATE TEMP TABLE uuids AS SELECT n, ulid_sql.gen_uuidv7() AS id FROM generate_series(1, 1000) AS n;
SELECT ok(bool_and(id > previous) AND min(pg_temp.ticks(id)) = x'03bb2cc3d801000'::bigint
        AND max(pg_temp.ticks(id)) < x'03bb2cc3d801020'::bigint
        AND count(*) FILTER (WHERE right(id::text, 12) = right(previous::text, 12)) = 0,
    'gen_uuidv7: keeps its order when the clock steps back, in few ticks, by random steps')
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM uuids) AS g;
SELECT set_config('ulid_sql.last_uuidv7', '', false) AS _ \gset
SELECT is_empty(format($$SELECT t FROM moment WHERE left(pg_temp.outcome(format('SELECT ulid_sql.%1$s(%%L)', t)), %2$s)
        IS DISTINCT FROM left(pg_temp.outcome(format('SELECT %1$s(%%L)::uuid', t)), %2$s)$$, name, part),
    name || ' of a time: has the time of the extension''s, or its SQLSTATE')
FROM (VALUES ('gen_ulid', 13), ('gen_uuidv7', 18), ('uuidv7_min', 36)) AS v (name, part);

-- A time condition uses the index of the uuid column.
CREATE TABLE pg_temp.event (id uuid PRIMARY KEY DEFAULT ulid_sql.gen_ulid(), n integer);
INSERT INTO event (n) SELECT generate_series(1, 1000);
SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
\ir ../lib/plan_of.psql
SELECT matches(plan_of($$SELECT FROM event WHERE id >= ulid_sql.ulid_lower_bound('2026-05-01Z')$$),
    'Index Cond: \(id >= ''0.*''::uuid\)',
    'a bound of a constant is folded');
SELECT matches(plan_of($$SELECT FROM event WHERE id >= ulid_sql.ulid_lower_bound(now() - interval '1 hour')$$),
    'Index Cond: \(id >= ',
    'a bound of now() is a condition of the index');

-- Whoever calls it, whatever is on his path. A function is compiled when a session first calls it: so they are new.
SET LOCAL client_min_messages = warning;
\i clients/sql/ulid_sql.sql
RESET client_min_messages;
CREATE ROLE ulid_sql_user;
GRANT USAGE ON SCHEMA hostile TO ulid_sql_user;
-- From 19 on strings have one meaning.
SELECT format('SET LOCAL %s = off', setting)
FROM unnest('{standard_conforming_strings,escape_string_warning}'::text[]) AS setting
WHERE current_setting('server_version_num')::int < 190000 \gexec
SET LOCAL search_path = hostile, pg_catalog, public;
SET LOCAL ROLE ulid_sql_user;
SELECT pg_catalog.concat_ws(' ', ulid_sql.ulid_to_text(ulid_sql.ulid_from_text('01arz3ndektsv4rrffq69g5fav')),
    ulid_sql.ulid_min('2026-05-01Z'), ulid_sql.make_ulid('2026-05-01Z', E'\\x00112233445566778899'),
    -- within a millisecond, over the end of a word
    ulid_sql.ulid_next('01a1fe87-37e5-ff72-5344-ffffffffffff', '1970-01-01Z'),
    ulid_sql.ulid_timestamp(ulid_sql.gen_ulid('2026-05-01Z')) OPERATOR(pg_catalog.=) '2026-05-01Z',
    ulid_sql.gen_ulid() OPERATOR(pg_catalog.<) ulid_sql.gen_ulid(),
        ulid_sql.gen_uuidv7() OPERATOR(pg_catalog.<) ulid_sql.gen_uuidv7(),
    pg_catalog.left(ulid_sql.gen_uuidv7('2026-05-01Z')::pg_catalog.text, 18)) AS results \gset
RESET standard_conforming_strings;
RESET ROLE;
SET LOCAL search_path = public;
SELECT is(:'results', concat_ws(' ', '01ARZ3NDEKTSV4RRFFQ69G5FAV', ulid_min('2026-05-01Z')::uuid,
    make_ulid('2026-05-01Z', '\x00112233445566778899')::uuid, '01a1fe87-37e5-ff72-5345-000000000000', true, true, true,
    left(gen_uuidv7('2026-05-01Z')::text, 18)),
        'each function gives its result to any role, under a hostile search_path');

SELECT * FROM finish();
ROLLBACK;
