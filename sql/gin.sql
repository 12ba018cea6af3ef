-- GIN indexes on a single ulid, as one column of several.
SET timezone = 'UTC';
SET jit = off; -- which the costs of plans that are not wanted would start

-- Random ids, a tenth of them twice, a few NULL; with what GIN is for.
CREATE TABLE post (id ulid, author ulid, tags text[], body jsonb, words tsvector);
INSERT INTO post
SELECT make_ulid('2026-01-01Z'::timestamptz + (n * 7919 % 31536) * interval '1000 s', decode(lpad(to_hex(n), 20, '0'), 'hex')),
       CASE WHEN n % 97 > 0 THEN make_ulid('2020-01-01Z'::timestamptz + n % 500 * interval '1 day',
           decode(lpad(to_hex(n % 7), 20, '0'), 'hex')) END,
       ARRAY['tag' || n % 10, 'all'], jsonb_build_object('n', n % 20), to_tsvector('simple', 'word' || n % 30)
FROM generate_series(1, 2000) AS n;
INSERT INTO post (author) VALUES ('00000000000000000000000000'), ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
CREATE INDEX post_author ON post USING gin (author);
CREATE INDEX post_all ON post USING gin (author, tags, body, words);
VACUUM ANALYZE post;

\set ECHO none
\i sql/include/differ.sql
\set ECHO all
SELECT ARRAY[
    'author = $1', 'author < $1', 'author <= $1', 'author > $1', 'author >= $1',
    'author = $1::uuid', 'author < $1::uuid', 'author <= $1::uuid', 'author > $1::uuid',
    'author >= $1::uuid', '$1 > author', 'author::uuid = $1::uuid',
    'author >= $1::timestamptz', 'author < $1::timestamptz', 'author BETWEEN $1 AND $1',
    'ulid_within(author, tstzrange($1::timestamptz, $1::timestamptz + interval ''30 days''))',
    'author ^@ substr($1::text, 1, 5)', 'author IS NOT NULL AND author > $1',
    'author = ANY (ARRAY[$1, ulid_max($1::timestamptz)])',
    'author >= $1 AND tags @> ''{tag3}''', 'author <= $1 AND body @> ''{"n": 3}''',
    'author = $1 AND words @@ ''word3 | word4 | word5''', 'author = $1 OR tags && ''{tag5}'''
] AS conditions \gset
SELECT * FROM differ('post', 'author', :'conditions');

-- Print the results below, mostly plans, without headers and borders.
\pset format unaligned
\pset tuples_only on
-- One index for all of it, and a uuid as good as a ulid.
SET enable_seqscan = off;
DROP INDEX post_author;
EXPLAIN (COSTS OFF) SELECT id FROM post
WHERE author = '01DXF6DT000000000000000001' AND tags @> '{tag3}' AND body @> '{"n": 3}';
EXPLAIN (COSTS OFF) SELECT id FROM post WHERE author >= '2021-04-01Z'::timestamptz;
EXPLAIN (COSTS OFF) SELECT id FROM post WHERE author = '016fa1b6-0000-0000-0000-000000000001'::uuid;
RESET enable_seqscan;

-- After inserts, with the pending list and without it; deletes and vacuum.
INSERT INTO post (id, author) SELECT gen_ulid(), ulid_next(author, '2021-01-01Z') FROM post
WHERE author < '2021-01-01Z'::timestamptz LIMIT 1000;
SELECT sum(by_scan) > 0 AS as_the_table FROM differ('post', 'author', :'conditions');
DELETE FROM post WHERE tags @> '{tag3}';
VACUUM post;
SELECT sum(by_scan) > 0 AS as_the_table FROM differ('post', 'author', :'conditions');

DROP TABLE post;
DROP FUNCTION differ;
