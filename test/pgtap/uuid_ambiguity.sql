-- No ambiguity: what works with uuid works with ulid, and gives the same; what fails, fails alike.
-- T stands for the type, A < B < C for three values in its text form.
BEGIN;
SET LOCAL client_min_messages = warning;
SELECT no_plan();
DROP EXTENSION IF EXISTS ulid CASCADE;
CREATE SCHEMA elsewhere;
CREATE EXTENSION ulid SCHEMA elsewhere;
SET LOCAL search_path = pg_catalog, public, elsewhere, pg_temp;

CREATE TEMP TABLE t_uuid (id uuid, n int, ids uuid[]);
INSERT INTO t_uuid VALUES
    ('01563e3a-b5d3-d676-4c61-efb99302bd5a', 1,
        '{01563e3a-b5d3-d676-4c61-efb99302bd5a,01563e3a-b5d3-d676-4c61-efb99302bd5b}'),
    ('01563e3a-b5d3-d676-4c61-efb99302bd5b', 2, '{01563e3a-b5d3-d676-4c61-efb99302bd5b}'), (NULL, 3, NULL);
CREATE TEMP TABLE t_ulid AS SELECT id::ulid, n, ids::ulid[] FROM t_uuid;
SELECT format('CREATE FUNCTION pg_temp.f_%1$s(%1$s) RETURNS int LANGUAGE sql AS ''SELECT 1'';
    CREATE FUNCTION pg_temp.v_%1$s(VARIADIC %1$s[]) RETURNS int LANGUAGE sql AS ''SELECT cardinality($1)'';
    CREATE DOMAIN d_%1$s AS %1$s CHECK (VALUE > ''00000000-0000-0000-0000-000000000000'')', type)
FROM unnest('{uuid,ulid}'::text[]) AS type \gexec

-- Shapes; the operators and functions themselves are at the end.
CREATE TEMP TABLE expression (n serial, query text);
INSERT INTO expression (query) SELECT 'SELECT n FROM t_T WHERE ' || trim(line, E' \n') FROM string_to_table($list$
    id = 'A'; 'B' >= id; id BETWEEN SYMMETRIC 'B' AND 'A'; id IN ('A', NULL); id NOT IN ('A', 'C'); id IN (T 'A', 'B');
    id IN (SELECT 'A'); id IN (VALUES ('A'::T), ('B')); id = ANY ('{A,B}'); id = ANY (ARRAY['A', 'B']);
    'A' = ANY (ids); id > ALL (ARRAY['A']::T[]); ids @> ARRAY['A']; ids && ARRAY[id]; ids < '{B}'; (id, n) > ('A', 1);
    (id, n) IN (('A', 1), ('B', 2)); id IS DISTINCT FROM 'A'; id = text 'A'; id = varchar 'A'; id = 1;
    id = 'not an identifier'; id LIKE 'A'; id::d_T IN ('A', 'B'); id = ('{"id": "A"}'::jsonb ->> 'id')::T
$list$, ';') AS line UNION ALL SELECT 'SELECT ' || trim(line, E' \n') || ' FROM t_T' FROM string_to_table($list$
    id || 'A'; ids || 'A'; ids || ids; length(id) > 20; CASE WHEN n = 1 THEN id ELSE 'C' END;
    CASE id WHEN 'A' THEN 1 WHEN 'B' THEN 2 END; COALESCE('C', id); COALESCE(id, 'C'::text); NULLIF(id, 'A');
    LEAST(id, 'A', NULL); count(DISTINCT id), array_agg(id ORDER BY id); string_agg(id, ','); ARRAY['A', id];
    array_position(ids, 'A'); lag(id, 1, 'C') OVER (ORDER BY n); pg_temp.f_T(id); 'A'::d_T < 'B', 'A'::d_T = id;
    ROW(id) = ROW('A'::T); to_json(id), to_jsonb(ids); format('%s %L %I', id, id, id); sum(id); id::int; id::char(2)
$list$, ';') AS line UNION ALL SELECT trim(line, E' \n') FROM string_to_table($list$
    SELECT 'C' UNION SELECT id FROM t_T ORDER BY 1; SELECT id FROM t_T UNION SELECT 'C'::text;
    VALUES ('A'), ('B'::T); SELECT '{A,B}'::T[]; SELECT T 'A' < 'B', 'A' < T 'B'; SELECT T('A');
    SELECT 'A'::varchar(36)::T; SELECT a.n FROM t_T a NATURAL JOIN t_T b ORDER BY 1; SELECT pg_temp.f_T('A');
    SELECT pg_temp.f_T('A'::text); SELECT pg_temp.v_T('A', 'B'); SELECT pg_temp.v_T(VARIADIC '{A,B}');
    SELECT generate_series('A'::T, 'B'::T); INSERT INTO t_T (id) VALUES ('A') RETURNING id;
    INSERT INTO t_T (id) VALUES ('A'::text) RETURNING id; INSERT INTO t_T (id) SELECT 'A' RETURNING id;
    INSERT INTO t_T (id) SELECT 'A' UNION SELECT 'B' RETURNING id;
    INSERT INTO t_T (ids) VALUES (ARRAY['A', 'B']) RETURNING ids; INSERT INTO t_T (ids[2]) VALUES ('A') RETURNING ids;
    UPDATE t_T SET id = CASE WHEN n = 1 THEN 'C' ELSE 'B' END RETURNING id;
    UPDATE t_T SET id = CASE WHEN n = 1 THEN 'C' ELSE id END RETURNING id;
    UPDATE t_T SET id = COALESCE(NULL, 'C') RETURNING id;
    MERGE INTO t_T t USING (VALUES ('A')) v (x) ON t.id = v.x WHEN MATCHED THEN DELETE;
    WITH RECURSIVE r AS (SELECT 'A' AS id UNION SELECT id FROM t_T) TABLE r ORDER BY 1;
    SELECT x FROM (SELECT 'A' AS x) s WHERE x = T 'A'
$list$, ';') AS line;

CREATE TEMP TABLE kind AS SELECT * FROM (VALUES
    ('uuid', ARRAY['01563e3a-b5d3-d676-4c61-efb99302bd5a', '01563e3a-b5d3-d676-4c61-efb99302bd5b',
        '01563e3a-b5d3-d676-4c61-efb99302bd5c']),
    ('ulid', ARRAY['01ARZ3NDEKTSV4RRFFQ69G5FAT', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAW'])) v (type,
        letters);

CREATE FUNCTION pg_temp.with_type(query text, type text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text := regexp_replace(regexp_replace(query, '\mT\M', type, 'g'), '_T\M', '_' || type, 'g');
BEGIN
    FOR i IN 1..3 LOOP -- a letter between quotes, braces or commas is a value
        result := regexp_replace(result, '(?<=[''{,"])' || chr(64 + i) || '(?=[''},"])',
            (SELECT k.letters[i] FROM kind AS k WHERE k.type = with_type.type), 'g');
    END LOOP;
    RETURN result;
END $$;

-- A query's rows, or its SQLSTATE; the values as letters again, so that the types can be compared.
CREATE FUNCTION pg_temp.outcome(query text, type text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    result text := ''; r record; letters text[] := (SELECT k.letters FROM kind k WHERE k.type = outcome.type);
BEGIN
    query := pg_temp.with_type(query, type);
    BEGIN
        IF query ~ '^MERGE' THEN
            EXECUTE query;
            query := 'TABLE t_' || type;
        END IF;
        FOR r IN EXECUTE query LOOP
            result := result || r::text || E'\n';
        END LOOP;
        RAISE SQLSTATE 'UN000';
    EXCEPTION
        WHEN SQLSTATE 'UN000' THEN NULL; -- only to undo what the query did
        WHEN OTHERS THEN result := 'fails with ' || SQLSTATE;
    END;
    FOR i IN 1..3 LOOP
        result := replace(result, letters[i], chr(64 + i));
    END LOOP;
    RETURN replace(result, type, 'T');
END $$;

-- A parameter has the type of what it is compared with.
PREPARE parameters AS SELECT array_append(ids, $1), NULLIF(id, $2) FROM t_ulid
WHERE id = $3 AND $4 < id AND id IN ($5) AND (id, n) > ($6, 1) AND id = COALESCE($7, id) AND id = ANY ($8)
    AND ids @> $9;
SELECT is(parameter_types, array_fill('ulid'::regtype, '{7}') || '{ulid[],ulid[]}'::regtype[], 'parameters are ulids')
FROM pg_prepared_statements WHERE name = 'parameters';

-- The comparison can tell: most of these work with uuid.
SELECT cmp_ok(count(*), '>', 40::bigint, 'most of the queries work with uuid')
FROM expression WHERE pg_temp.outcome(query, 'uuid') NOT LIKE 'fails%';
SELECT is(pg_temp.outcome('SELECT n FROM t_T WHERE id IN (''A'', ''C'')', type), E'(1)\n',
    'the letters stand for values of ' || type)
FROM kind;

-- A text is stored into a ulid column, which uuid has no cast for. Nothing else differs.
SELECT results_eq($$SELECT pg_temp.outcome(query, 'uuid'), query FROM expression
    WHERE pg_temp.outcome(query, 'ulid') <> pg_temp.outcome(query, 'uuid') ORDER BY n$$, $$VALUES
    ('fails with 42804', 'INSERT INTO t_T (id) VALUES (''A''::text) RETURNING id'),
    ('fails with 42804', 'INSERT INTO t_T (id) SELECT ''A'' UNION SELECT ''B'' RETURNING id'),
    ('fails with 42804', 'INSERT INTO t_T (ids) VALUES (ARRAY[''A'', ''B'']) RETURNING ids'),
    ('fails with 42804', 'UPDATE t_T SET id = CASE WHEN n = 1 THEN ''C'' ELSE ''B'' END RETURNING id'),
    ('fails with 42804', 'UPDATE t_T SET id = COALESCE(NULL, ''C'') RETURNING id')$$,
    'a text can be stored as a ulid, and not as a uuid; else they are alike');

-- The same once uuid has these casts.
CREATE CAST (text AS uuid) WITH INOUT AS ASSIGNMENT;
SELECT is_empty($$SELECT query FROM expression WHERE pg_temp.outcome(query, 'ulid') <> pg_temp.outcome(query, 'uuid')$$,
    'and alike in all where uuid has such a cast');

-- Every operator of the server, with a ulid on either side and any type on the other; every function of one or two
-- arguments, with a ulid as either. NULLs, as it is about what is found, not what is computed. What is found for a ulid
-- and is not ours is what is found for a uuid, and gives the same type. Nothing is ambiguous as a ulid becomes a uuid.
CREATE FUNCTION pg_temp.found(query text, type text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
    EXECUTE replace(query, '$T', type) INTO result;
    RETURN coalesce(replace(result, 'uuid', 'ulid'), 'found');
EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE;
END $$;
CREATE TEMP TABLE operator_probe AS
SELECT *, CASE WHEN other IN ('date', 'timestamp without time zone') THEN 'timestamp with time zone'
        WHEN other LIKE '%multirange' THEN 'anymultirange' WHEN other LIKE '%range' THEN 'anyrange'
        WHEN other IN ('name', 'character varying', 'character', '"char"') THEN 'text' ELSE other END AS declared,
    pg_temp.found(query, 'ulid') AS with_ulid, pg_temp.found(query, 'uuid') AS with_uuid
FROM (SELECT name, other, left_side || name || right_side AS expression
    FROM (SELECT DISTINCT oprname::text FROM pg_operator WHERE oprkind = 'b') o (name),
    (SELECT oid::regtype::text FROM pg_type
            WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype IN ('b', 'r', 'm') AND typarray <> 0
                AND typname !~ '^(reg|pg_)' OR typname = '_uuid'
            UNION SELECT 'unknown') t (other),
        LATERAL (SELECT CASE other WHEN 'unknown' THEN 'NULL' ELSE 'NULL::' || other END) v (value),
        LATERAL (VALUES ('NULL::$T ', ' ' || value), (value || ' ', ' NULL::$T'),
            ('NULL::$T[] ', ' ' || value), (value || ' ', ' NULL::$T[]')) s (left_side, right_side)
    WHERE left_side || right_side !~ 'T\[' OR other IN ('unknown', 'text', 'uuid', 'uuid[]')
) e, format('SELECT pg_typeof(%s)', expression) AS query;
CREATE TEMP TABLE function_probe AS
SELECT call, pg_temp.found(query, 'ulid') AS with_ulid, pg_temp.found(query, 'uuid') AS with_uuid
FROM (SELECT DISTINCT format('%I(%s)', proname, arguments) AS call
    FROM pg_proc, unnest(ARRAY['NULL::$T', 'NULL::$T[]', 'NULL::$T, NULL', 'NULL, NULL::$T',
        'NULL::$T, NULL::uuid', 'NULL::uuid, NULL::$T']) arguments
    WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind IN ('f', 'a', 'w') AND pronargs - pronargdefaults <= 2
) f, format('SELECT %s LIMIT 0', call) AS query; -- planned, and not run: some do things
SELECT cmp_ok((SELECT count(*) FROM operator_probe WHERE with_uuid !~ '^\d\d'), '>', 30::bigint,
    'some operators take a uuid');
SELECT cmp_ok((SELECT count(*) FROM function_probe WHERE with_uuid = 'found'), '>', 100::bigint,
    'some functions take a uuid');
SELECT is_empty($$SELECT expression, with_ulid, with_uuid FROM operator_probe
    WHERE with_ulid <> with_uuid
        -- ours, also by the server's casts to timestamptz and text, over any range, by a literal where uuid has none
        AND NOT EXISTS (
            SELECT FROM pg_operator WHERE oprname = name AND oid >= 16384
                AND ((oprleft::regtype::text, oprright::regtype::text) IN (('ulid', declared), (declared, 'ulid'),
                    ('ulid', other))
                    OR other = 'unknown' AND with_uuid = '42883' AND 'ulid' IN (oprleft::regtype::text,
                        oprright::regtype::text)))
        -- arrays want one type, as int[] and bigint[] do
        AND NOT (other = 'uuid[]' AND with_ulid = '42883')
$$, 'each operator means for a ulid what it means for a uuid, unless it is one of ours');
SELECT is_empty($$SELECT expression FROM operator_probe WHERE with_ulid = '42725' AND with_uuid <> '42725'$$,
    'no operator is ambiguous for a ulid that is not for a uuid');
SELECT is_empty($$SELECT call, with_ulid, with_uuid FROM function_probe
    WHERE with_ulid <> with_uuid AND NOT EXISTS (
        SELECT FROM pg_proc WHERE oid >= 16384 AND starts_with(call, proname || '('))
        AND NOT (call LIKE '%uuid%' AND with_ulid = '42883') -- two of anyelement want one type
$$, 'each function means for a ulid what it means for a uuid, unless it is one of ours');

SELECT * FROM finish();
ROLLBACK;
