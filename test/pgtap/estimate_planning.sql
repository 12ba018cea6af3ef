-- Planning: how often it calls functions, and conditions by the thousand. An estimate depends on the query and the
-- statistics, and not on what was planned before.
BEGIN;
SELECT no_plan();

\ir ../lib/estimates.psql

-- Calls of a stable function while planning.
CREATE SEQUENCE calls;
CREATE FUNCTION pg_temp.stable(int) RETURNS timestamptz STABLE LANGUAGE plpgsql AS $$
BEGIN
    PERFORM nextval('calls');
    RETURN '2025-01-05Z'::timestamptz + $1 * interval '1 min';
END $$;
CREATE FUNCTION pg_temp.calls(query text, col text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE before bigint := nextval('calls');
BEGIN
    PERFORM pg_temp.estimate(query, col);
    RETURN nextval('calls') - before - 1;
END $$;
SELECT cmp_ok(of_id, '<=', 3 * of_t,
              format('%s bounds by a stable function: %s calls, of timestamptz %s', bounds, of_id, of_t))
FROM unnest('{1,2,6,8,30,100}'::int[]) AS bounds, LATERAL (
        SELECT 'SELECT FROM log WHERE ' || string_agg(format('{x} %s pg_temp.stable(%s)',
            (CASE n % 2 WHEN 0 THEN '<' ELSE '>=' END), n), ' AND ')
        FROM generate_series(1, bounds) AS n) AS q (query),
    pg_temp.calls(query, 'id') AS of_id, pg_temp.calls(query, 't') AS of_t;
-- Volatile values are no part of a range, and a volatile function is not called.
CREATE FUNCTION pg_temp.volatile(timestamptz) RETURNS timestamptz VOLATILE LANGUAGE plpgsql
    AS $$BEGIN PERFORM nextval('calls'); RETURN $1; END $$;
SELECT ok(of_id BETWEEN of_t * 0.95 - 1 AND of_t * 1.05 + 1 AND pg_temp.calls(query, 'id') = 0,
          format('a volatile bound: %s: %s, of timestamptz %s', condition, of_id, of_t))
FROM unnest(ARRAY['{x} > pg_temp.volatile(now())',
        $${x} >= '2025-01-05Z'::timestamptz AND {x} < pg_temp.volatile(now()) AND {x} < '2025-01-06Z'::timestamptz$$,
        $$clock_timestamp() > {x} AND {x} >= '2025-01-10Z'::timestamptz$$]) AS condition,
    CAST('SELECT FROM log WHERE ' || condition AS text) AS query,
    pg_temp.estimate(query, 'id') AS of_id, pg_temp.estimate(query, 't') AS of_t;
-- Many ranges under OR, in several groups joined by AND, and beside other conditions.
CREATE FUNCTION pg_temp.windows(n int, groups int, template text, col text) RETURNS float8 LANGUAGE sql AS $$
    SELECT pg_temp.estimate('SELECT FROM unindexed WHERE ' || string_agg(format('(%s)', alternatives), ' AND '), col)
    FROM (SELECT string_agg(format(template, at, at + interval '90 s', i % 10), ' OR '
        ORDER BY i * 7919 % n) AS alternatives
        FROM generate_series(1, n) AS i, CAST('2025-01-02'::timestamp + i * interval '150 s' AS timestamp) AS at
        GROUP BY i % groups) AS g
$$;
SELECT ok(of_id BETWEEN of_t * 0.95 AND of_t * 1.05,
    format('%s times %s in %s groups: %s, of timestamptz %s', n, template, groups, of_id, of_t))
FROM (VALUES ('({x} >= {%s} AND {x} < {%s})', 1, '{2,31,289,2000,5000,20000}'::int[]),
        ('({x} >= {%s} AND {x} < {%s})', 2, '{8,20000}'),
        ('({x} >= {%s} AND {x} < {%s})', 100, '{200,5000}'),
        ('({x} >= {%s} AND kind = %3$s)', 1, '{3,20000}'),
        ('(({x} >= {%s}) IS NOT FALSE AND {x} < {%s})', 1, '{3,3000}'),
        ('{x} >= {%s}', 1, '{3,8000}'),
        ('({x} >= {%s} AND {x} < {%s} AND {x} < ANY (ARRAY[{%1$s}, {%2$s}]))', 1, '{3,2000}'),
        ('(kind = %3$s OR ({x} >= {%1$s} AND ({x} < {%2$s} OR n > 5)))', 3, '{9,600}')) AS v (template, groups, sizes),
    unnest(sizes) AS n,
    pg_temp.windows(n, groups, template, 'id') AS of_id,
    pg_temp.windows(n, groups, template, 't') AS of_t;
SELECT ok(of_id BETWEEN of_t - 2 AND of_t + 2 OR n > 512 AND of_id = 1,
    format('%s bounds in an AND: %s, of timestamptz %s', 2 * n, of_id, of_t))
FROM unnest('{8,9,40,512,513}'::int[]) AS n, LATERAL (
        SELECT 'SELECT FROM log WHERE ' || string_agg(format('{x} >= {%s} AND {x} < {%s}',
            '2025-01-05'::timestamp - i * 7919 % n * interval '1 min',
            '2025-01-05 10:00'::timestamp + i * 7907 % n * interval '1 min'), ' AND ')
        FROM generate_series(1, n) AS i) AS v (query),
    pg_temp.estimate(query, 'id') AS of_id, pg_temp.estimate(query, 't') AS of_t;

-- With an index, the server makes comparisons of its own from alternatives (18+), and from those above a join.
SELECT ok(of_id BETWEEN of_t * 0.95 AND of_t * 1.05, format('%s: %s, of timestamptz %s', left(query, 60), of_id, of_t))
FROM (SELECT string_agg(format('{x} >= {%s}', at), ' OR ') AS bounds,
        string_agg(format('a.{x} > {%s} AND b.kind < %s', at, i % 9), ' OR ') AS of_two
      FROM generate_series(1, 2000) AS i, CAST('2025-01-02'::timestamp + i * interval '5 min' AS timestamp) AS at) AS c,
    unnest(ARRAY['SELECT FROM log WHERE ' || bounds,
        format('SELECT FROM log AS a, log AS b WHERE a.n = b.n AND (%s)', of_two)]) AS query,
    pg_temp.estimate(query, 'id') AS of_id, pg_temp.estimate(query, 't') AS of_t;

-- Other conditions count, too: beside more than 1,022, the two bounds are estimated one by one.
SELECT ok(CASE others WHEN 1022 THEN estimate BETWEEN 170 AND 215 ELSE estimate > 3000 END,
    format('a range of 200 rows beside %s: %s', others, estimate))
FROM unnest('{1022,1023}'::int[]) AS others, LATERAL (
        SELECT 'SELECT FROM log WHERE {x} >= {2025-01-05} AND {x} < {2025-01-05 03:20}'
            || string_agg(' AND n <> -' || i, '')
        FROM generate_series(1, others) AS i) AS v (query),
    pg_temp.estimate(query, 'id') AS estimate;

-- What a statement plans again has the rows of the first time, whatever it has planned before: long lists that share
-- their comparisons with nothing, windows with and without conditions that are no bounds, bounds whose evaluation plans
-- windows of its own, and bounds whose evaluation fails.
CREATE FUNCTION pg_temp.planned(timestamptz) RETURNS ulid STABLE LANGUAGE sql AS $$
    SELECT coalesce(min(id), ulid_min($1)) FROM unknown
    WHERE (id >= ulid_min($1) AND id < ulid_min($1 - interval '1 day'))
        OR (id >= ulid_min('2026-01-01Z') AND id < ulid_min('2026-01-02Z'))
$$;
CREATE FUNCTION pg_temp.failing(timestamptz) RETURNS ulid STABLE LANGUAGE plpgsql AS $$
BEGIN
    IF $1 > '2025-01-03Z' THEN RAISE division_by_zero; END IF;
    RETURN ulid_min($1);
END $$;
CREATE FUNCTION pg_temp.many(template text, separator text, n int) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(format(template, at, at + interval '90 s', i % 10, i), separator ORDER BY i * 7919 % n)
    FROM generate_series(1, n) AS i, CAST('2025-01-02'::timestamp + i * interval '150 s' AS timestamp) AS at
$$;
CREATE TABLE shape AS
SELECT name, format('SELECT FROM unindexed WHERE ' || condition, pg_temp.many(template, separator, n)) AS query
FROM (VALUES ('a day', '{x} >= {2025-01-05} AND {x} < {2025-01-06}%s', '', '', 1),
    ('a day beside pairs', '((kind, n) IN (%s) OR kind <> 11) AND {x} >= {2025-01-05} AND {x} < {2025-01-05 02:00}',
        '(%3$s, %4$s)', ', ', 3000),
    ('a day beside pairs and ANY', '((kind, n) IN (%1$s) OR kind <> 11)
        AND {x} > ANY (ARRAY[{2025-01-05}, {2025-01-06}]) AND {x} >= {2025-01-05} AND {x} < {2025-01-05 02:00}',
        '(%3$s, %4$s)', ', ', 1500),
    ('windows', '%s', '({x} >= {%s} AND {x} < {%s})', ' OR ', 3000),
    ('windows with ANY', '%s', '({x} >= {%s} AND {x} < {%s} AND {x} < ANY (ARRAY[{%1$s}, {%2$s}]))', ' OR ', 3000),
    ('half as many windows', '%s', '({x} >= {%s} AND {x} < {%s})', ' OR ', 1500),
    ('windows of values that plan', '%s',
        '({x} >= pg_temp.planned(''%sZ'') AND {x} < pg_temp.planned(''%sZ''))', ' OR ', 300),
    ('windows of values that fail', '%s',
        '({x} >= pg_temp.failing(''%sZ'') AND {x} < pg_temp.failing(''%sZ''))', ' OR ', 900))
    AS v (name, condition, template, separator, n);
SELECT ok(of_id BETWEEN of_t * 0.95 - 1 AND of_t * 1.05 + 1, format('%s: %s, of timestamptz %s', name, of_id, of_t))
FROM shape, pg_temp.estimate(query, 'id') AS of_id,
    pg_temp.estimate(regexp_replace(query, 'pg_temp\.planned\((.*?)\)', '\1::timestamptz', 'g'), 't') AS of_t
WHERE name NOT LIKE '%fail';

-- Plans all shapes in an order of its own, each in a subtransaction, which an error ends; with a cursor left open. The
-- estimate of a shape that fails is -1.
CREATE TABLE planned_again (how text, name text, rows float8);
CREATE FUNCTION pg_temp.plan_all(how text, seed int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE s shape; rows float8; windows refcursor;
BEGIN
    OPEN windows FOR EXECUTE (SELECT pg_temp.query_for(query, 'id') FROM shape WHERE name = 'windows');
    FOR s IN
        SELECT shape.* FROM shape, generate_series(1, 2) AS turn ORDER BY md5(format('%s %s %s', name, turn, seed))
    LOOP
        BEGIN
            rows := pg_temp.estimate(s.query, 'id');
        EXCEPTION WHEN division_by_zero THEN
            rows := -1;
        END;
        INSERT INTO planned_again VALUES (how, s.name, rows);
    END LOOP;
    MOVE windows;
    CLOSE windows;
END $$;
CREATE PROCEDURE pg_temp.plan_all_by_call() LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_temp.plan_all('a procedure', 1);
END $$;
INSERT INTO planned_again
SELECT 'alone', name, CASE WHEN name LIKE '%fail' THEN -1 ELSE pg_temp.estimate(query, 'id') END FROM shape;
SELECT pg_temp.plan_all('a function', 2);
DO $$BEGIN PERFORM pg_temp.plan_all('DO', 3); END$$;
CALL pg_temp.plan_all_by_call();
SELECT ok(count(DISTINCT rows) = 1 AND count(*) = 7,
          format('%s: the same %s times: %s', name, count(*), array_agg(DISTINCT rows)))
FROM planned_again GROUP BY name;

-- The memory of plannings whose values plan: the largest that the process has had, in kB on Linux, NULL elsewhere.
CREATE FUNCTION pg_temp.largest() RETURNS int LANGUAGE sql
    AS $$SELECT substring(pg_read_file('/proc/self/status', 0, 9999, true), 'VmHWM:\s*(\d+) kB')::int$$;
SELECT coalesce(pg_temp.largest(), 0) AS before \gset
SELECT pg_temp.estimate('SELECT FROM unindexed WHERE ' || pg_temp.many('({x} >= pg_temp.planned(''%sZ'')
    AND {x} < pg_temp.planned(''%sZ''))', ' OR ', 3000), 'id') IS NOT NULL AS is_planned \gset
SELECT CASE WHEN pg_temp.largest() IS NULL THEN skip('the memory is in /proc of Linux only', 1)
    ELSE cmp_ok(pg_temp.largest() - :before, '<', 100000, 'windows of 6,000 values that plan take less than 100 MB') END;

SELECT finish();
ROLLBACK;
