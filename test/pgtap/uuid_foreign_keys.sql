-- Foreign keys of ulid columns, and between ulid and uuid columns, do with every action what they do between two uuid
-- columns, and their triggers find the rows by the index. They need no search_path.
BEGIN;
SET LOCAL client_min_messages = warning;
SELECT no_plan();
CREATE SCHEMA fk;
CREATE TEMP TABLE source AS SELECT md5(n::text)::uuid AS id, n FROM generate_series(1, 3000) AS n;
ANALYZE source;

-- The rows of a key and of a reference after some changes, or the SQLSTATE of a change.
CREATE FUNCTION outcome(key_type text, reference_type text, action text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE command text; result text := '';
BEGIN
    EXECUTE format('CREATE TABLE fk.key (id %s PRIMARY KEY, n int)', key_type);
    EXECUTE format('CREATE TABLE fk.ref (id %s DEFAULT %L REFERENCES fk.key %s, n int)', reference_type, md5('1'),
        action);
    INSERT INTO fk.key SELECT id, n FROM pg_temp.source WHERE n <= 20;
    INSERT INTO fk.ref SELECT id, n FROM pg_temp.source WHERE n <= 10;
    SET LOCAL search_path = '';
    FOREACH command IN ARRAY ARRAY[
        'DELETE FROM fk.key WHERE n = 2', 'DELETE FROM fk.key WHERE n = 15',
        'UPDATE fk.key SET id = ''ffffffff-0000-0000-0000-000000000003'' WHERE n = 3',
        'UPDATE fk.key SET id = ''ffffffff-0000-0000-0000-000000000016'' WHERE n = 16',
        'UPDATE fk.ref SET id = ''ffffffff-0000-0000-0000-000000000016'' WHERE n = 4',
        'UPDATE fk.ref SET id = ''00000000-0000-0000-0000-000000000000'' WHERE n = 5',
        'INSERT INTO fk.ref VALUES (''00000000-0000-0000-0000-000000000000'', 0)',
            'INSERT INTO fk.ref VALUES (NULL, -1)',
        'TRUNCATE fk.key'] LOOP
        BEGIN
            EXECUTE command;
        EXCEPTION WHEN OTHERS THEN
            result := result || SQLSTATE || ' ';
        END;
    END LOOP;
    SELECT result || (SELECT string_agg(n || ' ' || id::uuid, ',' ORDER BY n) FROM fk.key)
        || (SELECT string_agg(n || ' ' || coalesce(id::uuid::text, '-'), ',' ORDER BY n) FROM fk.ref) INTO result;
    DROP TABLE fk.key, fk.ref;
    SET LOCAL search_path = public, pg_temp;
    RETURN result;
END $$;
SELECT is(outcome(k, r, action), outcome('uuid', 'uuid', action), format('%s references %s %s', r, k, action))
FROM (VALUES ('ulid', 'uuid'), ('uuid', 'ulid'), ('ulid', 'ulid')) AS t (k, r),
    (SELECT format('ON DELETE %s ON UPDATE %s', d, u)
        FROM unnest('{NO ACTION,RESTRICT,CASCADE,SET NULL,SET DEFAULT}'::text[]) AS d,
        unnest('{NO ACTION,RESTRICT,CASCADE,SET NULL,SET DEFAULT}'::text[]) AS u) AS a (action);

-- What a trigger reads: rows by the index, none by a scan of the table.
CREATE FUNCTION rows_scanned(key_type text, reference_type text, action text, command text) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE result bigint;
BEGIN
    EXECUTE format('CREATE TABLE fk.key (id %s PRIMARY KEY, n int)', key_type);
    EXECUTE format('CREATE TABLE fk.ref (id %s REFERENCES fk.key ON DELETE %s, n int)', reference_type, action);
    INSERT INTO fk.key SELECT id, n FROM pg_temp.source;
    CREATE INDEX ON fk.ref (id);
    CREATE INDEX ON fk.key (n);
    INSERT INTO fk.ref SELECT id, n FROM pg_temp.source WHERE n > 1000;
    ANALYZE fk.key, fk.ref;
    SELECT -sum(pg_stat_get_xact_tuples_returned(c::regclass)) INTO result FROM unnest('{fk.key,fk.ref}'::text[]) AS c;
    EXECUTE command;
    SELECT result + sum(pg_stat_get_xact_tuples_returned(c::regclass)) INTO result
        FROM unnest('{fk.key,fk.ref}'::text[]) AS c;
    DROP TABLE fk.key, fk.ref;
    RETURN result;
END $$;
SELECT is(rows_scanned(k, r, action, command), 0::bigint,
    format('%s references %s ON DELETE %s scans no table: %s', r, k, action, command))
FROM (VALUES ('ulid', 'uuid'), ('uuid', 'ulid')) AS t (k, r), (VALUES
    ('CASCADE', 'DELETE FROM fk.key WHERE n BETWEEN 1001 AND 1100'),
    ('NO ACTION', 'DELETE FROM fk.key WHERE n BETWEEN 101 AND 200'),
    ('CASCADE', 'INSERT INTO fk.ref SELECT id, n FROM pg_temp.source WHERE n <= 100')) AS c (action, command);
SELECT is(rows_scanned('ulid', 'uuid', 'CASCADE', 'SELECT count(*) FROM fk.ref WHERE n % 2 = 0'), 2000::bigint,
    'a scan would be counted');

SELECT * FROM finish();
ROLLBACK;
