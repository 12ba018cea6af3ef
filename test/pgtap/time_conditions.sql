-- Where conditions on time stand. They find the rows that the same conditions on the milliseconds of a timestamptz column
-- find: in plain and partitioned tables, through a security barrier and row security, and whatever the time is: a
-- constant, a parameter of a custom or a generic plan, a subquery. Then: with an empty search_path, and by the index
-- under row security. (Which rows those are: time_truth.sql. Plans: sql/time.sql.)
BEGIN;
SELECT no_plan();
SET LOCAL timezone = 'Europe/Amsterdam';
SET LOCAL client_min_messages = warning;

\ir ../lib/plan_of.psql

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
    {a} BETWEEN SYMMETRIC $ AND [t]; {a} >= ANY (ARRAY[$, [t], now()]); {a} <= ALL (ARRAY[$, [t]]);
    NOT ({a} > $ AND (k = 1 OR {a} <= $)); $::date < {a} OR $::timestamp >= {a}; {a} >= [t]; ({a} > $) IS NOT TRUE;
    ({a} > $) IS NULL; ({a} < $) = (k > 20); CASE WHEN {a} >= $ THEN k > 5 ELSE k < 9 END; {a} >= $ AND {a} < $;
    {a} < $ AND now() < '2020-01-01'; {a} > $ AND (SELECT true); {a} > $ OR (k = 1 AND k = 2);
    ulid_within({a}, tstzrange(least($, [t]), greatest($, [t])));
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

CREATE TABLE parts (id ulid, x int) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (MINVALUE) TO (ulid_min('2026-01-20Z'));
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (ulid_min('2026-01-20Z')) TO (MAXVALUE);
CREATE INDEX ON parts (id);
INSERT INTO parts SELECT ulid_min('2026-01-01Z'::timestamptz + n * interval '1 hour'), n
    FROM generate_series(0, 999) AS n;
ANALYZE parts;
CREATE ROLE time_reader;
GRANT SELECT ON parts TO time_reader;
SET LOCAL enable_seqscan = off;

SET LOCAL search_path = '';
CREATE TEMP TABLE found AS SELECT count(*) FROM public.parts WHERE id >= '2026-02-11Z'::timestamptz;
RESET search_path;
SELECT is(count, 16::bigint, 'the operator is found with an empty search_path') FROM found;

-- Row security: bounds reach the index and prune partitions before the policy is asked.
ALTER TABLE parts ENABLE ROW LEVEL SECURITY;
CREATE POLICY even ON parts USING (x % 2 = 0);
SET LOCAL ROLE time_reader;
SELECT ok(plan !~ 'parts_1' AND plan ~ 'Index Cond: \(\(id >= .*\) AND \(id <=? ', 'under row security: ' || condition)
FROM unnest(ARRAY['id BETWEEN timestamptz ''2026-01-25Z'' AND timestamptz ''2026-01-25 06:00Z''',
    'ulid_within(id, ''[2026-01-25Z, 2026-01-25 06:00Z]'')', 'id ^@ ''01KFS9''']) AS condition,
    plan_of('SELECT * FROM parts WHERE ' || condition) AS plan;
SELECT is((SELECT count(*) FROM parts WHERE ulid_within(id, '[2026-01-25Z, 2026-01-25 06:00Z]')), 4::bigint,
    'the policy is kept');
RESET ROLE;

SELECT * FROM finish();
ROLLBACK;
