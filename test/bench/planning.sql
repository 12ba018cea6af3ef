-- Planning of many conditions joined by OR, on a ulid and on a timestamptz column of the same times: milliseconds,
-- their ratio, and the rows expected of each. In a database with the extension ulid.
SET jit = off;
CREATE TEMP TABLE log AS
SELECT id, ulid_timestamp(id) AS t, n % 10 AS kind
FROM generate_series(1, 300000) AS n, gen_ulid('2025-01-01Z'::timestamptz + n * interval '1 min') AS id;
ANALYZE log;
CREATE FUNCTION pg_temp.planned(query text, OUT ms numeric, OUT rows bigint) LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT JSON, SUMMARY) ' || query INTO plan;
    ms := plan->0->>'Planning Time';
    rows := plan->0->'Plan'->>'Plan Rows';
END $$;
CREATE FUNCTION pg_temp.value(t timestamptz, col text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE col WHEN 'id' THEN quote_literal(ulid_min(t)) || '::ulid' ELSE quote_literal(t) || '::timestamptz' END
$$;
CREATE FUNCTION pg_temp.query(template text, n int, groups int, col text) RETURNS text LANGUAGE sql AS $$
    SELECT 'SELECT FROM log WHERE ' || string_agg(format('(%s)', alternatives), ' AND ')
    FROM (SELECT string_agg(format(template, col, pg_temp.value(at, col), pg_temp.value(at + interval '5 min', col),
        i % 9), ' OR ')
                AS alternatives
        FROM generate_series(1, n) AS i, CAST('2025-01-02Z'::timestamptz + i * interval '10 min' AS timestamptz) AS at
        GROUP BY i % groups) AS g
$$;
-- The server makes comparisons of its own from those of a column with an index (18+), and from ANY.
CREATE TEMP TABLE indexed AS TABLE log;
CREATE INDEX ON indexed (id);
CREATE INDEX ON indexed (t);
ANALYZE indexed;
SELECT what, u.ms AS ulid, t.ms AS timestamptz, round(u.ms / t.ms, 1) AS ratio, u.rows AS ulid_rows,
    t.rows AS timestamptz_rows
FROM (VALUES ('one OR of 1,000 windows', '(%1$s >= %2$s AND %1$s < %3$s)', 1000, 1),
        ('one OR of 20,000 windows', '(%1$s >= %2$s AND %1$s < %3$s)', 20000, 1),
        ('two groups of 10,000 windows', '(%1$s >= %2$s AND %1$s < %3$s)', 20000, 2),
        ('a hundred groups of 50 windows', '(%1$s >= %2$s AND %1$s < %3$s)', 5000, 100),
        ('20,000 single bounds', '(%1$s >= %2$s AND kind = %4$s)', 20000, 1),
        ('3,000 windows with a tested bound', '((%1$s >= %2$s) IS NOT FALSE AND %1$s < %3$s)', 3000, 1),
        ('8,000 windows with ANY', '(%1$s >= %2$s AND %1$s < %3$s AND %1$s > ANY (ARRAY[%2$s, %3$s]))', 8000, 1),
        ('20,000 bounds with an index', '%1$s >= %2$s', 20000, 1))
    AS v (what, template, n, groups),
    CAST(CASE WHEN what ~ 'index' THEN 'indexed' ELSE 'log' END AS text) AS place,
    pg_temp.planned(replace(pg_temp.query(template, n, groups, 'id'), 'FROM log', 'FROM ' || place)) AS u,
    pg_temp.planned(replace(pg_temp.query(template, n, groups, 't'), 'FROM log', 'FROM ' || place)) AS t;
