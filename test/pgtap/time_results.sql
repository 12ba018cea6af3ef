-- Conditions on the time of a ulid find the rows that the same conditions on the milliseconds of a timestamptz column
-- find, whatever the shape of the query, and whatever the time is in it: a constant, a parameter of a custom or a
-- generic plan, a subquery.
BEGIN;
SELECT no_plan();
SET LOCAL timezone = 'Europe/Amsterdam';
SET LOCAL client_min_messages = warning;

-- In every table `at` is the time of `id`. Times are those of ids, and the edges beside them.
CREATE TEMP TABLE times AS SELECT DISTINCT t
FROM unnest('{1970-01-01Z,1970-01-01 00:00:00.001Z,2026-01-01Z,2026-01-01 00:00:00.001Z,10889-08-02 05:31:50.655Z}'::timestamptz[]) AS at,
     LATERAL (VALUES (at), (at - interval '1 us'), (at + interval '1 us'), (at + interval '999 us')) AS near (t)
UNION SELECT unnest('{-infinity,1950-01-01Z,2026-01-01 12:00Z,infinity,NULL}'::timestamptz[]);
CREATE TABLE a AS
SELECT id, id::timestamptz AS at, t, (row_number() OVER (ORDER BY id, t))::int AS k
FROM (SELECT ulid_min(t) AS id FROM times WHERE t BETWEEN '1970-01-01Z' AND '10889-08-02 05:31:50.655Z'
      UNION SELECT ulid_max(t) FROM times WHERE t BETWEEN '1970-01-01Z' AND '10889-08-02 05:31:50.654Z'
      UNION SELECT NULL) AS ids,
     unnest('{-infinity,1970-01-01Z,1970-01-01 00:00:00.0005Z,2026-01-01Z,2026-01-01 00:00:00.001Z,infinity,NULL}'::timestamptz[]) AS t;
CREATE INDEX ON a (id);
CREATE TABLE b AS SELECT DISTINCT id, at, t, k % 5 AS k FROM a WHERE k % 3 = 0;
CREATE INDEX ON b (id);
CREATE DOMAIN event_id AS ulid;
CREATE TABLE d AS SELECT id::event_id AS id, at, t, k, id::uuid AS u FROM b;
CREATE INDEX ON d (id);
CREATE VIEW uuids AS SELECT u::ulid AS id, at, t, k FROM d;
CREATE TABLE p (LIKE a) PARTITION BY RANGE (id);
CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (MINVALUE) TO (ulid_min('2026-01-01Z'));
CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (ulid_min('2026-01-01Z')) TO (ulid_min('2026-02-01Z'));
CREATE TABLE p3 PARTITION OF p DEFAULT;
INSERT INTO p SELECT * FROM a;
CREATE TABLE q (LIKE a) PARTITION BY RANGE ((id::timestamptz));
CREATE TABLE q1 PARTITION OF q FOR VALUES FROM (MINVALUE) TO ('2026-01-01Z');
CREATE TABLE q2 PARTITION OF q DEFAULT;
CREATE INDEX ON q2 (id);
INSERT INTO q SELECT * FROM a;
CREATE TABLE parent (LIKE a);
CREATE TABLE child (CHECK (id < '2026-01-01Z'::timestamptz)) INHERITS (parent);
INSERT INTO parent SELECT * FROM b;
INSERT INTO child SELECT * FROM b WHERE at < '2026-01-01Z';
CREATE VIEW v AS SELECT *, k % 7 AS l FROM a;
CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM a WHERE k % 2 = 0 AND id > '1970-01-01Z'::timestamptz;
CREATE VIEW both_tables AS SELECT id, at, t, k FROM a UNION ALL SELECT id, at, t, k FROM p;
CREATE TABLE guarded AS SELECT * FROM a;
CREATE INDEX ON guarded (id);
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY later ON guarded USING (id >= '2026-01-01Z'::timestamptz AND k % 3 > 0);
CREATE ROLE results_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO results_reader;
ANALYZE;

-- {a} is a's id, or its time; [x] a time that is compared with it, or its millisecond; $ a time. `many` are asked with every
-- time, in every way.
CREATE TEMP TABLE shapes (query text, many boolean DEFAULT false);
INSERT INTO shapes SELECT format('SELECT id, k FROM %1$s AS a WHERE ' || condition, name, operator), true
FROM unnest('{<,<=,>,>=}'::text[]) AS operator, (
    SELECT name, '{a} %2$s $' FROM unnest('{a,d,uuids,p,q,parent,barrier,guarded,both_tables}'::text[]) AS name
    UNION ALL SELECT 'a', unnest(ARRAY['$ %2$s {a}', '{a} %2$s $::date', '{a} %2$s $::timestamp'])) AS v (name, condition);
-- Also where NULL is not as good as false, and beside contradictions and what is decided before the scan.
INSERT INTO shapes SELECT replace('SELECT * FROM a WHERE ' || condition, ' a ', ' guarded AS a ')
FROM regexp_split_to_table(trim(E' \n' FROM $list$
    {a} BETWEEN $ AND $ + interval '1 ms'; {a} BETWEEN SYMMETRIC $ AND [t]; {a} >= ANY (ARRAY[$, [t], now()]); {a} <= ALL (ARRAY[$, [t]]);
    NOT ({a} > $); NOT ({a} > $ AND (k = 1 OR {a} <= $)); $::date < {a} OR $::timestamp >= {a}; {a} >= [t]; ({a} > $) IS NOT TRUE;
    ({a} > $) IS NULL; ({a} < $) = (k > 20); coalesce({a} > $, true); CASE WHEN {a} >= $ THEN k > 5 ELSE k < 9 END;
    {a} < $ AND k = 1 AND k = 2; {a} >= $ AND {a} < $; {a} >= $ AND false; {a} < $ AND now() > '2020-01-01';
    {a} < $ AND now() < '2020-01-01'; {a} > $ AND (SELECT true); {a} > $ AND current_setting('timezone') <> ''; {a} > $ AND id IS NULL;
    {a} > $ OR (k = 1 AND k = 2); ulid_within({a}, tstzrange(least($, [t]), greatest($, [t])));
    ulid_within({a}, tstzrange($, NULL, '()')) AND k > 1
$list$), ';\s*') AS condition;
INSERT INTO shapes (query) SELECT 'SELECT * FROM ' || query FROM regexp_split_to_table(trim(E' \n' FROM $list$
    a JOIN b ON {a} > [b.t] AND {b} <= $; a JOIN b ON {a} >= [b.at] WHERE b.k = 1; a LEFT JOIN b ON {b} > [a.t] AND {a} < $;
    a LEFT JOIN b ON a.k = b.k WHERE {b} < $; a LEFT JOIN b ON a.k = b.k WHERE {b} < $ OR b.id IS NULL;
    a LEFT JOIN b ON a.k = b.k AND {b} <= $ WHERE NOT ({b} > $) IS NOT FALSE; a RIGHT JOIN b ON {a} <= $ AND {b} >= $;
    a FULL JOIN b ON a.id = b.id WHERE {a} < $ OR {b} > $; a FULL JOIN b ON a.id = b.id AND {a} > $;
    a LEFT JOIN (b LEFT JOIN d ON {d} > [b.t]) ON {b} <= $ AND a.k = d.k; a LEFT JOIN v ON a.k = v.k AND {v} >= $;
    a LEFT JOIN (SELECT *, {b} < $ AS c FROM b) s ON s.k = a.k WHERE s.c OR {s} > $;
    a WHERE EXISTS (SELECT FROM b WHERE {b} > [a.t] AND {a} <= $); a WHERE NOT EXISTS (SELECT FROM b WHERE {b} >= [a.t]);
    a WHERE NOT EXISTS (SELECT FROM b WHERE {b} > $ AND b.k = a.k); a WHERE {a} > (SELECT max([b.at]) FROM b WHERE {b} < $);
    a WHERE {a} >= (SELECT max([b.t]) FROM b WHERE {b} <= [a.t]); a WHERE {a} < ANY (SELECT [t] FROM b WHERE {b} >= $ AND t IS NOT NULL);
    a WHERE {a} >= ALL (SELECT [t] FROM b WHERE {b} < $); a, LATERAL (SELECT count(*) FROM b WHERE {b} <= [a.t] AND {a} > $) s;
    v LEFT JOIN b ON {v} >= [b.t] WHERE {v} <= $; both_tables AS c WHERE {c} >= $ OR {c} < [t];
    b LEFT JOIN both_tables AS c ON {c} > [b.t] AND {b} < $
$list$), ';\s*') AS query;
INSERT INTO shapes (query) SELECT regexp_replace(query, '\s+', ' ', 'g') FROM regexp_split_to_table(trim(E' \n' FROM $list$
    SELECT {a} FROM guarded AS a WHERE {a} > $ AND k = 1 AND k = 2; SELECT {a} < $, k FROM a;
    SELECT count(*) FILTER (WHERE {a} < $) FROM a; SELECT k, count(*) FROM b AS a GROUP BY k HAVING max({a}) < $;
    SELECT id, count(*) FROM b AS a GROUP BY id, at HAVING {a} < $; SELECT p.k FROM p JOIN b ON {p} BETWEEN [b.t] AND $;
    SELECT p.k FROM p LEFT JOIN b USING (id) WHERE {p} > $ OR {b} < $; SELECT d.k FROM d JOIN p ON p.id = d.u WHERE {d} > $;
    WITH c AS MATERIALIZED (SELECT * FROM a WHERE {a} >= $) SELECT * FROM c WHERE {c} <= [t];
    WITH RECURSIVE r AS (SELECT min(at) AS at FROM a WHERE {a} > $ UNION SELECT (SELECT min(b.at) FROM b WHERE {b} > [r.at]) FROM r
        WHERE r.at IS NOT NULL) SELECT * FROM r; SELECT id, k FROM a WHERE {a} < $ EXCEPT SELECT id, k FROM b WHERE {b} >= [t];
    SELECT DISTINCT ON (k) * FROM b WHERE {b} >= $ ORDER BY k, id, t; SELECT *, count(*) OVER (ORDER BY a.at) FROM a WHERE {a} < $;
    SELECT min(id), max(id) FROM a WHERE {a} < $;
    SELECT k, count(*) FROM b WHERE {b} <= $ GROUP BY GROUPING SETS ((id, at), (k), ()) HAVING {b} IS NULL OR {b} < $;
    SELECT id, k FROM a AS b WHERE {b} < $ ORDER BY id, k LIMIT 3; UPDATE b SET k = b.k + 100 FROM a WHERE {b} >= [a.t] AND {a} < $;
    DELETE FROM p USING b WHERE {p} <= [b.t] AND {b} > $;
    UPDATE parent SET k = -1 WHERE {parent} < $ OR {parent} > ALL (SELECT [t] FROM b WHERE {b} > $);
    INSERT INTO b SELECT * FROM a WHERE {a} < $;
    MERGE INTO b USING p ON b.id = p.id AND b.k = p.k AND {p} >= $ WHEN MATCHED AND {b} <= $ THEN DELETE
        WHEN NOT MATCHED AND {p} < $ THEN INSERT VALUES (p.id, p.at, p.t, p.k)
$list$), ';\s*') AS query;

CREATE FUNCTION ulid_within(timestamptz, tstzrange) RETURNS boolean LANGUAGE sql RETURN $1 <@ $2;

-- The rows of a query, as one text; what it changed is undone.
CREATE FUNCTION rows_of(query text, way text, kind text, t timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    changed text := substring(query FROM '^(?:UPDATE|DELETE FROM|INSERT INTO|MERGE INTO) (\w+)');
    result text;
BEGIN
    query := replace(query, '$', '[' || CASE kind WHEN 'constant' THEN quote_nullable(t) || '::timestamptz'
                                     WHEN 'subquery' THEN format('(SELECT %L::timestamptz)', t) ELSE '$1::timestamptz' END || ']');
    query := regexp_replace(query, '\{(\w+)\}', '\1.' || way, 'g');
    query := regexp_replace(query, '(?<!ARRAY)\[([^][]*)\]',
        CASE way WHEN 'at' THEN 'date_trunc(''milliseconds'', \1)' ELSE '(\1)' END, 'g');
    IF changed IS NULL THEN
        query := 'SELECT md5(string_agg(r::text, E''\n'' ORDER BY r::text COLLATE "C")) FROM (' || query || ') AS r';
    END IF;
    PERFORM set_config('plan_cache_mode', CASE kind WHEN 'generic' THEN 'force_generic_plan' ELSE 'force_custom_plan' END, true),
            set_config('role', CASE WHEN query ~ 'guarded' THEN 'results_reader' ELSE 'none' END, true);
    BEGIN
        IF kind IN ('custom', 'generic') THEN
            EXECUTE 'PREPARE q(timestamptz) AS ' || query;
            query := format('EXECUTE q(%L)', t);
        END IF;
        IF changed IS NULL THEN
            EXECUTE query INTO result;
        ELSE
            EXECUTE query;
            EXECUTE format('SELECT md5(string_agg(r::text, '' '' ORDER BY r::text COLLATE "C")) FROM %I AS r', changed) INTO result;
        END IF;
        RAISE SQLSTATE 'UNDO0';
    EXCEPTION WHEN SQLSTATE 'UNDO0' THEN
        DEALLOCATE ALL;
        PERFORM set_config('role', 'none', true);
        RETURN result;
    END;
END $$;

CREATE TEMP TABLE results AS
SELECT query, kind, t, rows_of(query, 'id', kind, t) AS rows, rows_of(query, 'at', kind, t) AS of_column
FROM shapes, unnest('{constant,custom,generic,subquery}'::text[]) AS kind, times
WHERE many AND (kind IN ('constant', 'generic') OR extract(year FROM t) = 2026)
   OR NOT many AND (t IS NULL OR t IN ('-infinity', '2026-01-01 00:00:00.000999Z', '2026-01-01 00:00:00.001Z'));
-- A date or a timestamp beside a ulid is read in the session's time zone, as beside a timestamptz.
SELECT is(string_agg(format('%s %s', kind, t), ', ') FILTER (WHERE rows IS DISTINCT FROM of_column), NULL, 'as of a timestamptz: ' || query)
FROM results GROUP BY query ORDER BY query;
SELECT cmp_ok(count(DISTINCT rows), '>', 150::bigint, 'the queries give rows') FROM results;

SELECT * FROM finish();
ROLLBACK;
