-- The rewrite of casts to a time changes no result, whatever the shape of the query: each query
-- gives the same rows with ulid.rewrite_time_casts on as off.
BEGIN;
SELECT no_plan();
SET LOCAL timezone = 'Europe/Amsterdam';

CREATE FUNCTION edge(ms text, randomness text) RETURNS ulid LANGUAGE sql IMMUTABLE
    RETURN decode(ms || randomness, 'hex')::ulid;
CREATE FUNCTION u(t timestamptz) RETURNS timestamptz LANGUAGE sql STABLE RETURN t; -- is inlined
CREATE TABLE a (id ulid, t timestamptz, k int);
INSERT INTO a
SELECT edge(ms, randomness), t, row_number() OVER ()
FROM unnest('{000000000000,000000000001,019b76daa800,019b76daa801,fffffffffffe,ffffffffffff,NULL}'::text[]) AS ms,
     unnest('{00000000000000000000,ffffffffffffffffffff}'::text[]) AS randomness,
     unnest('{-infinity,1970-01-01 00:00+00,1970-01-01 00:00:00.0005+00,2026-01-01 00:00+00,
              2026-01-01 00:00:00.001+00,10889-08-02 05:31:50.655+00,infinity,NULL}'::timestamptz[]) AS t;
CREATE TABLE b AS SELECT DISTINCT id, t, k % 5 AS k FROM a WHERE k % 3 = 0;
CREATE INDEX ON a (id);
CREATE INDEX ON b (id);
CREATE TABLE p (id ulid, t timestamptz, k int) PARTITION BY RANGE (id);
CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (MINVALUE) TO (ulid_min('2026-01-01+00'));
CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (ulid_min('2026-01-01+00')) TO (ulid_min('2026-02-01+00'));
CREATE TABLE p3 PARTITION OF p DEFAULT;
INSERT INTO p SELECT * FROM a;
CREATE TABLE parent (id ulid, t timestamptz, k int);
CREATE TABLE child (CHECK (id < '2026-01-01+00'::timestamptz)) INHERITS (parent);
INSERT INTO parent SELECT * FROM b;
INSERT INTO child SELECT * FROM b WHERE id < '2026-01-01+00'::timestamptz;
CREATE DOMAIN event_id AS ulid;
CREATE TABLE d AS SELECT id::event_id AS id, id::uuid AS u, t, k FROM b;
CREATE VIEW v AS SELECT id::timestamptz AS at, id, t, k FROM a;
CREATE VIEW barrier WITH (security_barrier) AS SELECT id::timestamptz AS at, id, t, k FROM a WHERE k % 2 = 0;
CREATE VIEW both_tables AS SELECT id, t, k FROM a UNION ALL SELECT id, t, k FROM p;
CREATE VIEW mixed AS SELECT id, t FROM a UNION ALL SELECT u::ulid, t FROM d UNION ALL SELECT max(id), max(t) FROM b;
ANALYZE;

-- $ is a time.
CREATE TEMP TABLE shapes (query text);
INSERT INTO shapes VALUES
    ('SELECT * FROM a WHERE id::timestamptz < $'),
    ('SELECT * FROM a WHERE id::timestamptz <= $ AND k > 3'),
    ('SELECT * FROM a WHERE $ <= id::timestamptz OR k = 2'),
    ('SELECT * FROM a WHERE NOT (id::timestamptz > $)'),
    ('SELECT * FROM a WHERE NOT (id::timestamptz > $ AND (k = 1 OR id::timestamptz = $))'),
    ('SELECT * FROM a WHERE (id::timestamptz > $) IS NOT TRUE'),
    ('SELECT * FROM a WHERE (id::timestamptz > $) IS NULL'),
    ('SELECT * FROM a WHERE coalesce(id::timestamptz > $, true)'),
    ('SELECT * FROM a WHERE (id::timestamptz < $) = (k > 20)'),
    ('SELECT * FROM a WHERE CASE WHEN id::timestamptz >= $ THEN k > 5 ELSE k < 9 END'),
    ('SELECT * FROM a WHERE id::timestamptz = $'),
    ('SELECT * FROM a WHERE id::timestamptz <> $'),
    ('SELECT * FROM a WHERE id::timestamptz BETWEEN SYMMETRIC $ AND t'),
    ('SELECT * FROM a WHERE id::timestamptz IN ($, t, now())'),
    ('SELECT * FROM a WHERE id::timestamptz IS DISTINCT FROM $'),
    ('SELECT * FROM a WHERE id::timestamptz >= t'),
    ('SELECT * FROM a WHERE id::timestamptz >= $::date AND id::timestamptz <= $::timestamp'),
    ('SELECT * FROM a WHERE $::date = id::timestamptz OR $::timestamp > id::timestamptz'),
    ('SELECT id::timestamptz < $, k FROM a'),
    ('SELECT count(*) FILTER (WHERE id::timestamptz < $) FROM a'),
    ('SELECT k, count(*) FROM b GROUP BY k HAVING max(id)::timestamptz < $'),
    ('SELECT id, count(*) FROM b GROUP BY id HAVING id::timestamptz < $'),
    ('SELECT * FROM a JOIN b ON a.id::timestamptz > b.t AND b.id::timestamptz <= $'),
    ('SELECT * FROM a JOIN b ON a.id::timestamptz = b.t'),
    ('SELECT * FROM a JOIN b ON a.id::timestamptz >= b.id::timestamptz WHERE b.k = 1'),
    ('SELECT * FROM a LEFT JOIN b ON b.id::timestamptz > a.t AND a.id::timestamptz < $'),
    ('SELECT * FROM a LEFT JOIN b ON a.k = b.k WHERE b.id::timestamptz < $'),
    ('SELECT * FROM a LEFT JOIN b ON a.k = b.k WHERE b.id::timestamptz < $ OR b.id IS NULL'),
    ('SELECT * FROM a LEFT JOIN b ON a.k = b.k AND b.id::timestamptz = $ WHERE NOT (b.id::timestamptz > $) IS NOT FALSE'),
    ('SELECT * FROM a RIGHT JOIN b ON a.id::timestamptz = $ AND b.id::timestamptz >= $'),
    ('SELECT * FROM a FULL JOIN b ON a.id = b.id WHERE a.id::timestamptz < $ OR b.id::timestamptz > $'),
    ('SELECT * FROM a LEFT JOIN (b LEFT JOIN d ON d.id::timestamptz > b.t) ON b.id::timestamptz <= $ AND a.k = d.k'),
    ('SELECT * FROM a LEFT JOIN v ON a.k = v.k AND v.at >= $'),
    ('SELECT * FROM a LEFT JOIN (SELECT *, coalesce(id::timestamptz, $) AS at FROM b) s ON s.k = a.k WHERE s.at <= $ OR s.id::timestamptz > $'),
    ('SELECT * FROM a WHERE EXISTS (SELECT FROM b WHERE b.id::timestamptz > a.t AND a.id::timestamptz <= $)'),
    ('SELECT * FROM a WHERE NOT EXISTS (SELECT FROM b WHERE b.id::timestamptz >= a.t)'),
    ('SELECT * FROM a WHERE NOT EXISTS (SELECT FROM b WHERE b.id::timestamptz = $ AND b.k = a.k)'),
    ('SELECT * FROM a WHERE id::timestamptz > (SELECT max(id)::timestamptz FROM b WHERE id::timestamptz < $)'),
    ('SELECT * FROM a WHERE id::timestamptz = (SELECT max(b.t) FROM b WHERE b.id::timestamptz <= a.t)'),
    ('SELECT * FROM a WHERE id::timestamptz IN (SELECT t FROM b WHERE id::timestamptz >= $)'),
    ('SELECT * FROM a WHERE id::timestamptz NOT IN (SELECT t FROM b WHERE id::timestamptz >= $ AND t IS NOT NULL)'),
    ('SELECT * FROM a WHERE id::timestamptz >= ALL (SELECT t FROM b WHERE id::timestamptz < $)'),
    ('SELECT * FROM a, LATERAL (SELECT count(*) FROM b WHERE b.id::timestamptz <= a.t AND a.id::timestamptz > $) s'),
    ('SELECT * FROM p WHERE id::timestamptz < $'),
    ('SELECT * FROM p JOIN b ON p.id::timestamptz BETWEEN b.t AND $'),
    ('SELECT * FROM p LEFT JOIN b USING (id) WHERE p.id::timestamptz > $ OR b.id::timestamptz = $'),
    ('SELECT * FROM parent WHERE id::timestamptz >= $'),
    ('SELECT * FROM d WHERE id::timestamptz <= $ AND u::ulid::timestamptz <= $'),
    ('SELECT * FROM d JOIN p ON p.id = d.u WHERE d.u::ulid::timestamptz > $'),
    ('SELECT * FROM v WHERE at < $'),
    ('SELECT * FROM v LEFT JOIN b ON v.at = b.t WHERE v.at <= $'),
    ('SELECT * FROM barrier WHERE at >= $ AND k > 10'),
    ('SELECT * FROM both_tables WHERE id::timestamptz > $'),
    ('SELECT * FROM both_tables WHERE id::timestamptz = $ OR id::timestamptz < t'),
    ('SELECT * FROM mixed WHERE id::timestamptz <= $'),
    ('SELECT * FROM mixed JOIN both_tables USING (id) WHERE mixed.id::timestamptz BETWEEN mixed.t AND $'),
    ('SELECT * FROM b LEFT JOIN mixed ON mixed.id::timestamptz > b.t AND b.id::timestamptz < $'),
    ('WITH c AS MATERIALIZED (SELECT * FROM a WHERE id::timestamptz >= $) SELECT * FROM c WHERE id::timestamptz <= t'),
    ('WITH RECURSIVE r AS (SELECT min(id) AS id FROM a WHERE id::timestamptz > $ UNION
      SELECT (SELECT min(id) FROM b WHERE b.id::timestamptz > r.id::timestamptz) FROM r WHERE r.id IS NOT NULL) SELECT * FROM r'),
    ('SELECT id, k FROM a WHERE id::timestamptz < $ EXCEPT SELECT id, k FROM b WHERE id::timestamptz >= t'),
    ('SELECT DISTINCT ON (k) * FROM b WHERE id::timestamptz >= $ ORDER BY k, id, t'),
    ('SELECT *, count(*) OVER (ORDER BY id::timestamptz) FROM a WHERE id::timestamptz < $'),
    ('WITH u AS (UPDATE b SET k = k + 1 WHERE id::timestamptz > $ RETURNING *) SELECT * FROM u'),
    ('WITH u AS (DELETE FROM p USING b WHERE p.id::timestamptz <= b.t AND b.id::timestamptz = $ RETURNING p.*) SELECT * FROM u'),
    ('WITH u AS (INSERT INTO b SELECT * FROM a WHERE id::timestamptz < $ RETURNING *) SELECT * FROM u'),
    ('SELECT id::timestamptz, k, count(*) FROM b WHERE id::timestamptz <= $ GROUP BY GROUPING SETS ((id::timestamptz), (k), ()) HAVING id::timestamptz IS NULL OR id::timestamptz < $'),
    ('SELECT id::timestamptz, k, count(*) FROM b GROUP BY k, id::timestamptz, id HAVING id::timestamptz = $'),
    ('SELECT DISTINCT id::timestamptz FROM p WHERE id::timestamptz >= $'),
    ('SELECT x.id, y.id FROM a x JOIN a y ON x.id::timestamptz = y.id::timestamptz AND x.k = y.k WHERE x.id::timestamptz = $'),
    ('SELECT x.* FROM b x JOIN b y ON x.id::timestamptz = y.t JOIN p ON p.id::timestamptz = y.t WHERE y.t = $'),
    ('SELECT p.*, q.k FROM p JOIN p AS q ON p.id = q.id AND p.id::timestamptz = q.id::timestamptz WHERE q.id::timestamptz = $'),
    ('SELECT * FROM b FULL JOIN d ON b.id::timestamptz = d.id::timestamptz WHERE b.id::timestamptz = $ OR d.u::ulid::timestamptz = $'),
    ('SELECT * FROM b WHERE t IN (SELECT id::timestamptz FROM both_tables WHERE id::timestamptz <= $)'),
    ('SELECT * FROM b, LATERAL (SELECT * FROM p WHERE p.id::timestamptz = b.t ORDER BY p.id, p.k LIMIT 1) s WHERE b.id::timestamptz < $'),
    ('SELECT * FROM a WHERE EXISTS (SELECT FROM p WHERE p.id::timestamptz = a.t) AND id::timestamptz = (SELECT $)'),
    ('SELECT id, k FROM parent WHERE id::timestamptz = $ INTERSECT SELECT id, k FROM parent WHERE u(id::timestamptz) <= u($)'),
    ('SELECT d.k FROM d LEFT JOIN parent ON parent.id::timestamptz = d.u::ulid::timestamptz WHERE d.u::ulid::timestamptz = $'),
    ('UPDATE parent SET k = parent.k + 100 FROM b WHERE parent.id::timestamptz = b.t AND b.id::timestamptz >= $'),
    ('DELETE FROM parent USING p WHERE parent.id::timestamptz = p.id::timestamptz AND p.id::timestamptz = $'),
    ('UPDATE p SET k = -k WHERE id::timestamptz = $ OR id::timestamptz IN (SELECT t FROM b WHERE id::timestamptz > $)'),
    ('MERGE INTO b USING p ON b.id::timestamptz = p.id::timestamptz AND b.k = p.k AND p.id::timestamptz >= $ WHEN MATCHED AND b.id::timestamptz = $ THEN DELETE WHEN NOT MATCHED AND p.id::timestamptz < $ THEN INSERT VALUES (p.id, p.t, p.k)');

-- The rows of a query, as one text; what it changed is undone.
CREATE FUNCTION rows_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
    BEGIN
        IF query ~ '^(UPDATE|DELETE|MERGE)' THEN
            EXECUTE query;
            SELECT string_agg(r::text, E'\n' ORDER BY r::text COLLATE "C") INTO result
            FROM (SELECT 'b', * FROM b UNION ALL SELECT 'p', * FROM p UNION ALL SELECT tableoid::regclass::text, * FROM parent) AS r;
        ELSIF query ~ '^WITH' THEN
            EXECUTE 'CREATE OR REPLACE FUNCTION pg_temp.q() RETURNS SETOF text LANGUAGE plpgsql AS $f$'
                'DECLARE found_row record; BEGIN FOR found_row IN ' || query ||
                ' LOOP RETURN NEXT found_row::text; END LOOP; END $f$';
            SELECT string_agg(q, E'\n' ORDER BY q COLLATE "C") INTO result FROM pg_temp.q() AS q;
        ELSE
            EXECUTE 'SELECT string_agg(r::text, E''\n'' ORDER BY r::text COLLATE "C") FROM (' || query || ') AS r'
            INTO result;
        END IF;
        RAISE SQLSTATE 'UNDO0';
    EXCEPTION WHEN SQLSTATE 'UNDO0' THEN
        RETURN result;
    END;
END $$;

CREATE TEMP TABLE results AS
SELECT query, t, false AS rewritten, ''::text AS rows FROM shapes, a AS times WHERE false;
CREATE FUNCTION run(rewrite boolean) RETURNS SETOF void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('ulid.rewrite_time_casts', rewrite::text, true);
    INSERT INTO results
    SELECT query, t, rewrite, rows_of(replace(query, '$', quote_nullable(t) || '::timestamptz'))
    FROM shapes, (SELECT DISTINCT t FROM a) AS times;
END $$;
SELECT run(true);
SELECT run(false);

SELECT is(count(*) FILTER (WHERE r.rows IS DISTINCT FROM p.rows), 0::bigint, query)
FROM (SELECT * FROM results WHERE rewritten) AS r
JOIN (SELECT * FROM results WHERE NOT rewritten) AS p USING (query)
WHERE r.t IS NOT DISTINCT FROM p.t
GROUP BY query ORDER BY query;
SELECT cmp_ok(count(DISTINCT rows), '>', 150::bigint, 'the queries give rows') FROM results;

SELECT * FROM finish();
ROLLBACK;
