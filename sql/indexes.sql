-- What an index finds is what a scan of the table finds: for every kind of index, every condition, and ids of several
-- distributions over several spans of time.
SET timezone = 'UTC';
\set ECHO none
\getenv checkout PG_ABS_SRCDIR
\set include :checkout '/test/lib/ids.psql'
\i :include
\set include :checkout '/test/lib/compare_indexes.psql'
\i :include
\set ECHO all

-- A tenth of the ids twice, a few NULL, and both ends of the type; with what GIN is for.
CREATE TABLE places AS
SELECT format('ids_%s', row_number() OVER (ORDER BY kind, span)) AS place, kind, span
FROM unnest('{uniform,skewed,bursty,counted,UUIDv7,random UUIDs}'::text[]) AS kind,
     unnest('{0,1 hour,365 days,8000 years}'::interval[]) AS span
WHERE kind = 'uniform' OR span = '1 hour' OR kind = 'counted' AND span = '0';
CREATE FUNCTION add_ids(place text, kind text, span interval, part int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('INSERT INTO %I SELECT CASE WHEN n %% 97 > 0 THEN id END, n, ARRAY[''tag'' || n %% 10, ''all''], '
                   'jsonb_build_object(''n'', n %% 20), to_tsvector(''simple'', ''word'' || n %% 3) '
                   'FROM ids($1, $2, 800), generate_series(1, 1 + (n %% 10 = 0)::int) '
                   'WHERE n %% 2 = $3 ORDER BY md5(n::text)', place) USING kind, span, part;
END $$;
\set ECHO none
SELECT setseed(0.5) \gset
SELECT format('CREATE TABLE %I (id ulid, n int, tags text[], body jsonb, words tsvector)', place) FROM places \gexec
SELECT count(*) FROM places, add_ids(place, kind, span, 0) \gset
SELECT format('CREATE INDEX ON %I USING %s', place, index)
FROM places, unnest(ARRAY['btree (id)', 'hash (id)', 'brin (id) WITH (pages_per_range = 1)', 'brin (id ulid_minmax_multi_ops)',
    'brin (id ulid_bloom_ops)', 'gist (id)', 'gist (id) WITH (buffering = on)', 'gist (id, tstzrange(ulid_timestamp(id), NULL))',
    'gin (id)', 'gin (id, tags, body, words)']) AS index \gexec
-- The indexes were built from half of the ids, and grow into the room of those deleted.
SELECT format('DELETE FROM %I WHERE n %% 3 = 0', place) FROM places \gexec
SELECT format('VACUUM %I', place) FROM places \gexec
SELECT count(*) FROM places, add_ids(place, kind, span, 1) \gset
SELECT format('INSERT INTO %I VALUES (''00000000000000000000000000''), (''7ZZZZZZZZZZZZZZZZZZZZZZZZZ'')', place) FROM places \gexec
SELECT format('UPDATE %I SET id = ulid_next(id, ''2026-08-01Z'') WHERE n %% 5 = 1', place) FROM places \gexec
\set ECHO all
SELECT ARRAY[
    'id = $1', 'id <> $1', 'id < $1', 'id <= $1', 'id > $1', 'id >= $1', '$1 > id', 'id BETWEEN $1 AND $1', 'id IS NULL', 'id IS NOT NULL',
    'id = $1::uuid', 'id <> $1::uuid', 'id < $1::uuid', 'id <= $1::uuid', 'id > $1::uuid', 'id >= $1::uuid', '$1::uuid = id',
    'id::uuid = $1::uuid', 'id::uuid >= $1::uuid', 'id = ANY (ARRAY[$1, ulid_max($1::timestamptz)])', 'id IS NOT NULL AND id > $1',
    'id < $1::timestamptz', 'id <= $1::timestamptz', 'id > $1::timestamptz', 'id >= $1::timestamptz',
    'ulid_within(id, tstzrange($1::timestamptz, $1::timestamptz + interval ''10 minutes''))',
    'id ^@ substr($1::text, 1, 1)', 'id ^@ substr($1::text, 1, 7)', 'id ^@ substr($1::text, 1, 25)', 'id ^@ $1::text',
    'id >= $1 AND tags @> ''{tag4}''', 'id <= $1 AND body @> ''{"n": 4}''', 'id = $1 AND words @@ ''word0 | word1''',
    'id = $1 OR tags && ''{tag5}''', 'ORDER BY id <-> $1'
] AS conditions \gset
CREATE TABLE results AS SELECT * FROM places, compare_indexes(place, 'id', :'conditions');
SELECT kind, span, index, condition FROM results WHERE differs;
SELECT condition FROM results GROUP BY condition HAVING sum(by_scan) = 0;
-- Which conditions are none of an index.
\pset format unaligned
\pset tuples_only on
SELECT index, string_agg(condition, E'\n    ' ORDER BY condition COLLATE "C")
FROM (SELECT index, condition FROM results GROUP BY 1, 2 HAVING NOT bool_or(is_served)) AS r GROUP BY index ORDER BY index COLLATE "C";

-- The same when VACUUM has emptied the pending list of GIN, and summarized the new pages for BRIN.
\set ECHO none
SELECT format('VACUUM ANALYZE %I', place) FROM places \gexec
\set ECHO all
SELECT kind, span, index, condition FROM places, compare_indexes(place, 'id', :'conditions') WHERE span = '1 hour' AND differs;
-- One GIN index for all of it.
CREATE TABLE post AS TABLE ids_1;
CREATE INDEX ON post USING gin (id, tags, body, words);
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT FROM post
WHERE id = '01DXF6DT000000000000000001' AND tags @> '{tag3}' AND body @> '{"n": 3}' AND words @@ 'word1';

\set ECHO none
SELECT format('DROP TABLE %I', place) FROM places \gexec
\set ECHO all
DROP TABLE places, results, post;
DROP FUNCTION ids, compare_indexes, add_ids;
