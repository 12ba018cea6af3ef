-- Search by the first characters of an id.
SET timezone = 'UTC';
SET jit = off; -- which the costs of plans that are not wanted would start

-- What begins so.
SELECT id ^@ '' AS nothing, id ^@ '0' AS one, id ^@ '01JGFJ' AS six, id ^@ '01JGFK' AS other,
       id ^@ 'oljgfj' AS aliases, id ^@ id::text AS whole, id ^@ NULL AS null_prefix, NULL::ulid ^@ '0' AS null_id
FROM (VALUES ('01JGFJJZ00XHF7E02JJ03AE4T7'::ulid)) AS v (id);
SELECT prefix, ulid_prefix_min(prefix), ulid_prefix_max(prefix)
FROM unnest(ARRAY['', '7', '01jgfj', 'oi', '01JGFJJZ00XHF7E02JJ03AE4T', '01JGFJJZ00XHF7E02JJ03AE4T7', NULL]) AS prefix;
-- As the server's own operator finds in the text, whatever the ids.
\set ECHO none
\getenv checkout PG_ABS_SRCDIR
\set include :checkout '/test/lib/ids.psql'
\i :include
\set ECHO all
SELECT kind, span, count(*) AS prefixes, count(*) FILTER (WHERE (id ^@ prefix) <> (text ^@ upper(prefix))) AS differ
FROM unnest('{uniform,counted,UUIDv7,random UUIDs}'::text[]) AS kind, unnest('{0,365 days}'::interval[]) AS span,
    LATERAL (SELECT id, id::text AS text, lag(id::text, 1, '') OVER () AS other FROM ids(kind, span, 100)) AS ids,
    generate_series(0, 26) AS length,
    LATERAL (VALUES (left(text, length)), (left(lower(other), length)), (left(text, length - 1) || left(md5(text), 1))) AS p (prefix)
GROUP BY kind, span ORDER BY kind, span;
DROP FUNCTION ids;

-- A prefix that no ULID starts with finds nothing, and is never an error.
SELECT left(long, 30) AS prefix, id ^@ long AS found, ulid_prefix_min(long) > ulid_prefix_max(long) AS is_empty
FROM unnest(ARRAY['U', '01JGFU', ' ', '01-JGFJ', '01JGFé', '01JGFJJZ00XHF7E02JJ03AE4T70', '01JGFJJZ00XHF7E02JJ03AE4Té', '8', 'z',
                  '80000000000000000000000000', '2026-01-05', repeat('0', 100000)]) WITH ORDINALITY AS p (long, n),
    (SELECT gen_ulid() AS id OFFSET 0) AS s
ORDER BY n;

-- Print the results below, mostly plans, without headers and borders.
\pset format unaligned
\pset tuples_only on
-- 20,000 ids over a year.
CREATE TABLE log (id ulid PRIMARY KEY, n int);
INSERT INTO log
SELECT make_ulid('2026-01-01Z'::timestamptz + n * interval '1577 s', decode(substr(md5(n::text), 1, 20), 'hex')), n
FROM generate_series(1, 20000) AS n;
VACUUM ANALYZE log;
EXPLAIN (COSTS OFF) SELECT * FROM log WHERE id ^@ '01KE5Q';
EXPLAIN (COSTS OFF) SELECT * FROM log WHERE id ^@ '01KE5Q86000000000000000000'; -- a whole ULID
EXPLAIN (COSTS OFF) SELECT * FROM log WHERE id ^@ '01KE5Q' AND id < '2026-01-05Z'::timestamptz;
SELECT * FROM log WHERE id ^@ (SELECT '01KE' || '5Q');
SET plan_cache_mode = force_generic_plan;
PREPARE begins(text) AS SELECT * FROM log WHERE id ^@ $1;
EXPLAIN (COSTS OFF) EXECUTE begins('01KE5Q');
EXECUTE begins('01ke5q');
EXECUTE begins('8');
EXECUTE begins('U');
EXECUTE begins(NULL);
RESET plan_cache_mode;
EXPLAIN (COSTS OFF) SELECT * FROM (VALUES ('01KE5Q'), ('01KE5R')) AS v (prefix) JOIN log ON id ^@ prefix;
EXPLAIN (COSTS OFF) SELECT * FROM log WHERE NOT id ^@ '01KE5Q';
-- A volatile prefix is evaluated once for each row, as it would be for text.
EXPLAIN (COSTS OFF, VERBOSE) SELECT n FROM log WHERE id ^@ left('01KE5Q', 6 + (random() * 0)::int);

DROP TABLE log;
