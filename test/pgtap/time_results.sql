-- Conditions on the time of a ulid find the rows that the same conditions on the milliseconds of a timestamptz column
-- find: in plain and partitioned tables, through a security barrier and row security, and whatever the time is: a
-- constant, a parameter of a custom or a generic plan, a subquery. (A condition is inlined, so joins and subqueries are
-- the server's business.)
BEGIN;
SELECT no_plan();
SET LOCAL timezone = 'Europe/Amsterdam';
SET LOCAL client_min_messages = warning;

-- In every table `at` is the time of `id`. Times are those of ids, and the edges beside them.
CREATE TEMP TABLE times AS SELECT DISTINCT t
FROM unnest('{1970-01-01Z,1970-01-01 00:00:00.001Z,2026-01-01Z,2026-01-01 00:00:00.001Z,
        10889-08-02 05:31:50.655Z}'::timestamptz[]) AS at,
     LATERAL (VALUES (at), (at - interval '1 us'), (at + interval '1 us'), (at + interval '999 us')) AS near (t)
UNION SELECT unnest('{-infinity,1950-01-01Z,2026-01-01 12:00Z,infinity,NULL}'::timestamptz[]);
CREATE TABLE a AS
SELECT id, id::timestamptz AS at, t, (row_number() OVER (ORDER BY id, t))::int AS k
FROM (SELECT ulid_min(t) AS id FROM times WHERE t BETWEEN '1970-01-01Z' AND '10889-08-02 05:31:50.655Z'
      UNION SELECT ulid_max(t) FROM times WHERE t BETWEEN '1970-01-01Z' AND '10889-08-02 05:31:50.654Z'
      UNION SELECT NULL) AS ids,
     unnest('{-infinity,1970-01-01Z,1970-01-01 00:00:00.0005Z,2026-01-01Z,2026-01-01 00:00:00.001Z,
         infinity,NULL}'::timestamptz[]) AS t;
CREATE INDEX ON a (id);
CREATE DOMAIN event_id AS ulid;
CREATE TABLE d AS SELECT DISTINCT id::event_id AS id, at, t, k % 5 AS k FROM a WHERE k % 3 = 0;
CREATE INDEX ON d (id);
CREATE TABLE p (LIKE a) PARTITION BY RANGE (id);
CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (MINVALUE) TO (ulid_min('2026-01-01Z'));
CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (ulid_min('2026-01-01Z')) TO (ulid_min('2026-02-01Z'));
CREATE TABLE p3 PARTITION OF p DEFAULT;
INSERT INTO p SELECT * FROM a;
CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM a WHERE k % 2 = 0 AND id > '1970-01-01Z'::timestamptz;
CREATE TABLE guarded AS SELECT * FROM a;
CREATE INDEX ON guarded (id);
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY later ON guarded USING (id >= '2026-01-01Z'::timestamptz AND k % 3 > 0);
CREATE ROLE results_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO results_reader;
ANALYZE;

-- {a} is a's id, or its time; [x] a time that is compared with it, or its millisecond; $ a time. `many` are asked
-- with every time, in every way.
CREATE TEMP TABLE shapes (query text, many boolean DEFAULT false);
INSERT INTO shapes SELECT format('SELECT id, k FROM %1$s AS a WHERE ' || condition, name, operator), true
FROM unnest('{<,<=,>,>=}'::text[]) AS operator, (
    SELECT name, '{a} %2$s $' FROM unnest('{a,d,p,barrier,guarded}'::text[]) AS name
    UNION ALL SELECT 'a', unnest(ARRAY['$ %2$s {a}', '{a} %2$s $::date', '{a} %2$s $::timestamp'])) AS v (name,
        condition);
-- Also where NULL is not as good as false, and beside contradictions and what is decided before the scan.
INSERT INTO shapes SELECT replace('SELECT * FROM a WHERE ' || condition, ' a ', ' guarded AS a ')
FROM regexp_split_to_table(trim(E' \n' FROM $list$
    {a} BETWEEN $ AND $ + interval '1 ms'; {a} BETWEEN SYMMETRIC $ AND [t]; {a} >= ANY (ARRAY[$, [t], now()]);
    {a} <= ALL (ARRAY[$, [t]]);
    NOT ({a} > $); NOT ({a} > $ AND (k = 1 OR {a} <= $)); $::date < {a} OR $::timestamp >= {a}; {a} >= [t];
    ({a} > $) IS NOT TRUE;
    ({a} > $) IS NULL; ({a} < $) = (k > 20); coalesce({a} > $, true); CASE WHEN {a} >= $ THEN k > 5 ELSE k < 9 END;
    {a} < $ AND k = 1 AND k = 2; {a} >= $ AND {a} < $; {a} >= $ AND false; {a} < $ AND now() > '2020-01-01';
    {a} < $ AND now() < '2020-01-01'; {a} > $ AND (SELECT true); {a} > $ AND current_setting('timezone') <> '';
    {a} > $ AND id IS NULL;
    {a} > $ OR (k = 1 AND k = 2); ulid_within({a}, tstzrange(least($, [t]), greatest($, [t])));
    ulid_within({a}, tstzrange($, NULL, '()')) AND k > 1
$list$), ';\s*') AS condition;

CREATE FUNCTION ulid_within(timestamptz, tstzrange) RETURNS boolean LANGUAGE sql RETURN $1 <@ $2;

-- The rows of a query, as one text.
CREATE FUNCTION rows_of(query text, way text, kind text, t timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
    query := replace(query, '$', '[' || CASE kind WHEN 'constant' THEN quote_nullable(t) || '::timestamptz'
                                     WHEN 'subquery' THEN format('(SELECT %L::timestamptz)', t)
                                         ELSE '$1::timestamptz' END || ']');
    query := replace(query, '{a}', 'a.' || way);
    query := regexp_replace(query, '(?<!ARRAY)\[([^][]*)\]',
        CASE way WHEN 'at' THEN 'date_trunc(''milliseconds'', \1)' ELSE '(\1)' END, 'g');
    query := 'SELECT md5(string_agg(r::text, E''\n'' ORDER BY r::text COLLATE "C")) FROM (' || query || ') AS r';
    PERFORM set_config('plan_cache_mode', CASE kind WHEN 'generic' THEN 'force_generic_plan'
        ELSE 'force_custom_plan' END, true),
            set_config('role', CASE WHEN query ~ 'guarded' THEN 'results_reader' ELSE 'none' END, true);
    IF kind IN ('custom', 'generic') THEN
        EXECUTE 'PREPARE q(timestamptz) AS ' || query;
        query := format('EXECUTE q(%L)', t);
    END IF;
    EXECUTE query INTO result;
    DEALLOCATE ALL;
    PERFORM set_config('role', 'none', true);
    RETURN result;
END $$;

CREATE TEMP TABLE results AS
SELECT query, kind, t, rows_of(query, 'id', kind, t) AS rows, rows_of(query, 'at', kind, t) AS of_column
FROM shapes, unnest('{constant,custom,generic,subquery}'::text[]) AS kind, times
WHERE many AND (kind IN ('constant', 'generic') OR extract(year FROM t) = 2026)
   OR NOT many AND (t IS NULL OR t IN ('-infinity', '2026-01-01 00:00:00.000999Z', '2026-01-01 00:00:00.001Z'));
-- A date or a timestamp beside a ulid is read in the session's time zone, as beside a timestamptz.
SELECT is(string_agg(format('%s %s', kind, t), ', ') FILTER (WHERE rows IS DISTINCT FROM of_column), NULL,
    'as of a timestamptz: ' || query)
FROM results GROUP BY query ORDER BY query;
SELECT cmp_ok(count(DISTINCT rows), '>', 50::bigint, 'the queries give rows') FROM results;

SELECT * FROM finish();
ROLLBACK;
