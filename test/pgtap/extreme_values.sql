-- Every function of the extension that SQL can call, called by a role without privileges with NULL and every extreme
-- value, in all combinations: a result or a plain error, never an internal one or a lost connection.
BEGIN;
SELECT no_plan();
CREATE TABLE extreme (argument regtype, value text);
INSERT INTO extreme SELECT argument, unnest(('{NULL,' || edges || '}')::text[]) FROM (VALUES
    ('ulid'::regtype, '00000000000000000000000000,7ZZZZZZZZZZZZZZZZZZZZZZZZZ,01ARZ3NDEKTSV4RRFFQ69G5FAV,01ARZ3NDEKZZZZZZZZZZZZZZZZ'),
    ('uuid', '00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff'),
    ('text', '"",7ZZZZZZZZZZZZZZZZZZZZZZZZZ,8ZZZZZZZZZZZZZZZZZZZZZZZZZ,é,oi000000000000000000000000,0,'
        || repeat('x', 10000)),
    ('bytea', '"","\\x00","\\x' || repeat('ff', 10) || '","\\x' || repeat('ff', 16) || '","\\x'
        || repeat('00', 5000) || '"'),
    ('interval', '0,-178000000 years,178000000 years,-1 ms,1 month'),
    ('boolean', 't,f'), ('integer', '-2147483648,0,3,2147483647'),
    ('bigint', '-9223372036854775808,9223372036854775807,0'),
    ('date', '-infinity,5874897-12-31,2026-01-01')) AS v (argument, edges);
INSERT INTO extreme SELECT 'cstring', value FROM extreme WHERE argument = 'text'::regtype;
INSERT INTO extreme SELECT 'timestamptz', unnest('{NULL,-infinity,infinity,4714-11-24 00:00:00 BC,294276-12-31 23:59:59,
    1969-12-31 23:59:59.999999,1970-01-01,10889-08-02 05:31:50.655,10889-08-02 05:31:50.656}'::text[]);
INSERT INTO extreme SELECT 'tstzrange', unnest(
    '{NULL,empty,"(,)","[2026-01-01,)","[-infinity,infinity]","(1960-01-01,11000-01-01)"}'::text[]);
CREATE ROLE nobody_much; GRANT SELECT ON extreme TO nobody_much;
CREATE FUNCTION call_all(OUT called bigint, OUT failed bigint, OUT internal text, OUT unknown text)
    LANGUAGE plpgsql AS $$
DECLARE function record; statement text; result text;
BEGIN
    called := 0; failed := 0; internal := ''; unknown := '';
    FOR function IN SELECT p.oid::regprocedure AS name, p.oid::regproc AS short,
        proargtypes::oid[]::regtype[] AS arguments
        FROM pg_depend JOIN pg_proc p ON p.oid = objid
        WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ulid')
            AND classid = 'pg_proc'::regclass
            AND NOT 'internal'::regtype = ANY (proargtypes::oid[])
    LOOP
        IF NOT function.arguments <@ ARRAY(SELECT argument FROM public.extreme) THEN unknown := unknown ||
            function.name || ' '; END IF;
        FOR statement IN
            WITH RECURSIVE calls (n, list) AS (
                SELECT 0, ''
                UNION ALL SELECT n + 1, concat_ws(', ', nullif(list, ''), format('%L::%s', value, argument))
                FROM calls JOIN public.extreme ON argument = function.arguments[n])
            SELECT format('SELECT %s(%s)', function.short, list) FROM calls WHERE n = cardinality(function.arguments)
        LOOP
            called := called + 1;
            BEGIN
                EXECUTE statement INTO result;
            EXCEPTION WHEN OTHERS THEN
                failed := failed + 1;
                -- Values that are refused are of class 22; what needs a privilege or preloading, 42501 or 55000.
                CONTINUE WHEN SQLSTATE ~ '^(22|0A|42501|55000)';
                internal := internal || format('%s: %s %s; ', left(statement, 300), SQLSTATE, SQLERRM);
            END;
        END LOOP;
    END LOOP;
END $$;
GRANT EXECUTE ON FUNCTION call_all TO nobody_much;
SET ROLE nobody_much;
CREATE TEMP TABLE calls AS SELECT * FROM call_all();
RESET ROLE;
SELECT cmp_ok(called, '>', 2000::bigint, 'functions are called') FROM calls;
SELECT cmp_ok(failed, '>', 100::bigint, 'some values are refused') FROM calls;
SELECT cmp_ok(failed, '<', called / 2, 'most are not') FROM calls;
SELECT is(left(internal, 2000), '', 'no error is internal') FROM calls;
SELECT is(unknown, 'ulid_gist_key_out(ulid_gist_key) ',
    'there are values for each function, but for a type that has none')
FROM calls;
SELECT finish();
ROLLBACK;
