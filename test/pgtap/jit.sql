-- Queries compiled just in time: the server finds the module's LLVM bitcode and takes from it the
-- body of the comparisons that a query calls.
BEGIN;
SELECT no_plan();

CREATE TABLE ids AS SELECT ulid_min(timestamptz 'epoch' + n * interval '1 ms') AS id FROM generate_series(1, 1000) AS n;
CREATE TEMP TABLE seen (file text);

-- How often the name ulid_lt is in the symbols of what has been compiled since the last call. (The
-- server dumps it into its data directory.)
CREATE FUNCTION symbols() RETURNS bigint LANGUAGE sql SET jit = off AS $$
    WITH fresh AS (
        INSERT INTO seen SELECT file FROM pg_ls_dir('.') AS d (file)
        WHERE file ~ ('^' || pg_backend_pid() || '[.][0-9.]*[.]bc$') AND file NOT IN (SELECT s.file FROM seen AS s)
        RETURNING file)
    SELECT count(*) FROM fresh, regexp_matches(encode(pg_read_binary_file(file), 'escape'), 'ulid_lt', 'g')
$$;

CREATE FUNCTION compiled() RETURNS SETOF text LANGUAGE plpgsql
SET jit = on SET jit_above_cost = 0 SET jit_dump_bitcode = on AS $$
DECLARE query text := $q$SELECT count(*) FROM ids WHERE id < '00000000FG0000000000000000'$q$; found bigint; plan json;
BEGIN
    IF NOT pg_jit_available() THEN
        RETURN NEXT skip('this server has no JIT provider', 5);
        RETURN;
    END IF;
    PERFORM set_config('jit_inline_above_cost', '-1', true);
    PERFORM symbols();
    EXECUTE query INTO found;
    RETURN NEXT is(found, 495::bigint, 'a compiled comparison is right');
    RETURN NEXT is(symbols(), 1::bigint, 'it is called by its name');
    PERFORM set_config('jit_inline_above_cost', '0', true);
    EXECUTE query INTO found;
    RETURN NEXT is(found, 495::bigint, 'so is one with inlining');
    RETURN NEXT is(symbols(), 2::bigint, 'its body is there too');
    EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
    RETURN NEXT is(plan #>> '{0,JIT,Options,Inlining}', 'true', 'EXPLAIN tells of inlining');
END $$;
SELECT compiled();

SELECT * FROM finish();
ROLLBACK;
