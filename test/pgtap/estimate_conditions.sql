-- Each shape of condition on a ulid is estimated as on a timestamptz of the same values, and what the server
-- cannot estimate better as on a uuid of the same bytes.
BEGIN;
SELECT no_plan();

\ir ../lib/estimates.psql

-- The number of rows expected of each node, and its costs.
CREATE FUNCTION pg_temp.numbers(query text, col text) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_path_query_array(plan, '$.**."Plan Rows"') || jsonb_path_query_array(plan, '$.**."Total Cost"')
    FROM pg_temp.plan(pg_temp.query_for(query, col)) AS plan
$$;
CREATE FUNCTION pg_temp.cost(query text, col text) RETURNS float8 LANGUAGE sql
    AS $$SELECT (pg_temp.plan(pg_temp.query_for(query, col)) ->> 'Total Cost')::float8$$;
CREATE FUNCTION pg_temp.as_uuid(query text) RETURNS text LANGUAGE sql
    RETURN is(pg_temp.numbers(query, 'id'), pg_temp.numbers(query, 'u'), 'as of uuid: ' || query);

-- All values are most common ones: the server interpolates nothing.
SELECT pg_temp.as_uuid('SELECT FROM visits WHERE ' || trim(line, E' \n')) FROM string_to_table($list$
    {2025-01-05} <= {x}; {x} >= {2025-01-05} AND {x} < {2025-01-15};
    {x} > {2025-01-05} AND {x} > {2025-01-10} AND {x} <= {2025-01-15} AND {x} < {2025-01-20};
    {x} > {2025-01-05} AND {x} > {2025-01-05} AND {x} < {2025-01-15} AND {x} < {2025-01-15};
    {x} > {2025-01-15} AND {x} < {2025-01-05}; {x} > {2025-01-05} AND {x} < {2025-01-15} AND kind = 3;
    ({x} > {2025-01-05} AND {x} < {2025-01-15}) OR ({x} > {2025-01-20} AND {x} < {2025-01-25});
    kind = 1 OR ({x} > {2025-01-05} AND {x} < {2025-01-15} AND kind = 2);
    NOT ({x} > {2025-01-05} AND {x} < {2025-01-15}); ({x} > {2025-01-05}) IS NOT TRUE AND {x} > {2025-01-02};
    ({x} > {2025-01-05}) IS FALSE AND {x} < {2025-01-15} AND {x} > {2025-01-02};
    {x} > NULL; {x} > {2025-01-05} AND {x} < NULL; {x} IS NOT NULL AND {x} < {2025-01-05};
    {x} > ANY (ARRAY[{2025-01-05}, {2025-01-15}]); {x} < ALL (ARRAY[{2025-01-05}, {2025-01-15}]);
    ({x}, kind) > ({2025-01-05}, 3); {x} = {2025-01-05}; {x} <> {2025-01-05};
    {x} IN ({2025-01-05}, {2025-01-15}, {2026-01-15}); {x} BETWEEN (SELECT {2025-01-05}) AND (SELECT {2025-01-15})
$list$, ';') AS line;
-- An equality is not a bound: of a value that many rows have, beside a bound.
SELECT pg_temp.as_uuid('SELECT FROM visits
    WHERE {x} = make_ulid(''2025-01-05Z'', ''\x00010203040506070809'') AND {x} ' || bound)
FROM unnest(ARRAY['< {2025-01-15}', '> {2025-01-02}']) AS bound;
-- Other shapes; no statistics; the other side is no constant, or none that is known.
SELECT pg_temp.as_uuid(trim(regexp_replace(line, '\s+', ' ', 'g'))) FROM string_to_table($list$
    SELECT FROM parts WHERE {x} >= {2025-01-05} AND {x} < {2025-01-15};
    SELECT kind FROM visits GROUP BY kind HAVING min({x}::text) > '0' AND max({x}::text) < '1';
    SELECT FROM unknown WHERE {x} > {2025-01-05} AND {x} > {2025-01-07} AND {x} < {2025-01-15};
    SELECT DISTINCT {x} FROM visits WHERE {x} > {2025-01-05} AND {x} < {2025-01-15};
    SELECT FROM log WHERE {x} > (SELECT {2025-01-05});
    SELECT FROM log WHERE {x} > (SELECT {2025-01-05}) AND {x} < (SELECT {2025-01-07});
    SELECT FROM log AS l WHERE NOT EXISTS (SELECT FROM visits AS v WHERE v.{x} > l.{x} AND v.kind = 3);
    SELECT FROM incidents JOIN log ON {x} >= {x}_began AND {x} < {x}_ended AND kind = 3;
    SELECT FROM incidents LEFT JOIN log ON {x} BETWEEN {x}_began AND {x}_ended;
    SELECT FROM incidents WHERE NOT EXISTS (SELECT FROM log WHERE {x} BETWEEN {x}_began AND {x}_ended);
    SELECT FROM visits AS v LEFT JOIN log AS l ON v.kind = l.n AND v.{x} > {2025-01-05}
        LEFT JOIN log AS m ON v.kind = m.n AND v.{x} < {2025-01-15};
    SELECT FROM visits AS v JOIN log AS l ON v.{x} = l.{x} WHERE l.{x} IN ({2025-01-05}, {2025-01-15})
$list$, ';') AS line;
-- Parameters of a generic plan.
SET plan_cache_mode = force_generic_plan;
SELECT format('PREPARE one_%1$s (%2$s) AS SELECT FROM log WHERE %1$s >= $1;'
    'PREPARE pair_%1$s (%2$s, %2$s) AS SELECT FROM log WHERE %1$s >= $1 AND $2 > %1$s;'
    'PREPARE pairs_%1$s (%2$s, %2$s) AS SELECT FROM log WHERE $2 > %1$s AND %1$s > $1 AND %1$s >= $2', name, type)
FROM (VALUES ('id', 'ulid'), ('u', 'uuid')) AS v (name, type) \gexec
SELECT pg_temp.as_uuid(query) FROM unnest(ARRAY[
    'EXECUTE one_{x} ({2025-01-05})', 'EXECUTE pair_{x} ({2025-01-05}, {2025-01-07})',
    'EXECUTE pairs_{x} ({2025-01-05}, {2025-01-07})']) AS query;
SET plan_cache_mode = force_custom_plan;

-- Extended statistics beside a condition that is decided before the scan: once an error of an assertion.
CREATE STATISTICS visits_id (mcv) ON id, kind FROM visits;
ANALYZE visits;
SELECT lives_ok($$SELECT FROM visits WHERE id < '2025-01-02'::timestamptz AND kind = 1 AND now() > '2020-01-01'$$,
    'a gating condition');
DROP STATISTICS visits_id;

SET enable_seqscan = off; SET enable_indexscan = off; SET enable_indexonlyscan = off;
SELECT pg_temp.as_timestamptz('SELECT FROM log WHERE ' || trim(line, E' \n')) FROM string_to_table($list$
    {2025-01-05 03:20} > {x} AND {2025-01-05} <= {x}; kind = 3 AND {x} < {2025-01-08} AND {x} >= {2025-01-05};
    ({x} < {2025-01-05 03:20} AND {x} >= {2025-01-05}) OR ({x} > {2025-01-07 03:20} AND {x} <= {2025-01-07 04:20});
    {x} >= {2025-01-14 18:00}; {x} >= {2025-01-14 18:00} AND {x} <= {2025-01-14 19:00};
    {x} > {2026-01-01}; {x} < {2020-01-01}
$list$, ';') AS line;
-- Of two tables; bounds of what is of both are no pair.
SELECT pg_temp.as_timestamptz(trim(regexp_replace(line, '\s+', ' ', 'g'))) FROM string_to_table($list$
    SELECT FROM (SELECT {x} FROM log UNION ALL SELECT {x} FROM visits) AS both_of
        WHERE {x} >= {2025-01-05} AND {x} < {2025-01-05 10:00};
    SELECT FROM log AS l JOIN log AS m USING (n) GROUP BY n
        HAVING coalesce(max(l.{x}), min(m.{x})) < {2025-01-06} AND coalesce(max(l.{x}), min(m.{x})) >= {2025-01-05}
$list$, ';') AS line;
-- Where the server copies a condition before it estimates it: below a join with a partitioned table, and above a join
-- that it removes (18). Beside a column of another table. In the predicate of an index.
CREATE TABLE other AS SELECT n AS m, id AS id_at, t AS t_at FROM log WHERE n % 40 = 1;
CREATE TABLE single (m int PRIMARY KEY);
CREATE TABLE log_parts (LIKE log) PARTITION BY LIST (kind);
CREATE TABLE log_parts_3 PARTITION OF log_parts FOR VALUES IN (1, 2, 3);
CREATE TABLE log_parts_rest PARTITION OF log_parts DEFAULT;
INSERT INTO log_parts SELECT * FROM log;
SELECT format('CREATE INDEX ON log_parts (%1$s);
    CREATE INDEX log_kind_%1$s ON log (kind) WHERE %1$s >= %2$s AND %1$s < %3$s', name, low, high)
FROM (VALUES ('id', 'ulid_min(''2025-01-05Z'')', 'ulid_min(''2025-01-08Z'')'),
    ('t', '''2025-01-05Z''', '''2025-01-08Z''')) AS v (name, low, high) \gexec
ANALYZE other, single, log_parts;
SELECT pg_temp.as_timestamptz(trim(regexp_replace(line, '\s+', ' ', 'g'))) FROM string_to_table($list$
    SELECT FROM other JOIN log_parts AS p ON (p.{x} >= {2025-01-05} AND p.{x} < {2025-01-05 03:20} AND m = p.kind)
        OR p.{x} = {x}_at WHERE m < 99;
    SELECT FROM other LEFT JOIN (SELECT coalesce({x}, {x}) AS c, kind FROM log) AS r ON r.kind = m
        LEFT JOIN single ON single.m = r.kind WHERE (r.c >= {2025-01-05} AND r.c < {2025-01-06}) OR r.kind = 3;
    SELECT FROM log AS a LEFT JOIN log AS b USING (n)
        WHERE (b.{x} >= {2025-01-05} AND b.{x} < {2025-01-05 03:20}) OR b.{x} IS NULL;
    SELECT FROM other JOIN log ON (log.{x} > {x}_at AND log.{x} < {2025-01-14} AND kind = m) OR log.{x} = {x}_at
        WHERE m = 41;
    SELECT FROM log WHERE kind BETWEEN 5 AND 6 AND {x} >= {2025-01-05} AND {x} < {2025-01-08}
$list$, ';') AS line;
SELECT ok(abs(of_id - of_t) < 1, format('the cost by an index of these ids: %s, of timestamptz %s', of_id, of_t))
FROM CAST('SELECT FROM log WHERE kind BETWEEN 5 AND 6 AND {x} >= {2025-01-05} AND {x} < {2025-01-08}' AS text) AS query,
    pg_temp.cost(query, 'id') AS of_id, pg_temp.cost(query, 't') AS of_t;
DROP INDEX log_kind_id, log_kind_t;
-- A bound that is known only when it is estimated, beside a constant.
SELECT pg_temp.as_timestamptz(format(query, 'ulid_min(now() - (now() - ''2025-01-10Z''::timestamptz))'),
                              format(query, '(now() - (now() - ''2025-01-10Z''::timestamptz))'))
FROM unnest(ARRAY['SELECT FROM log WHERE {x} >= {2024-01-01} AND {x} >= %1$s AND {x} < {2026-01-01}',
                  'SELECT FROM log WHERE {x} < %1$s AND {x} < {2026-01-01} AND {x} >= {2025-01-09}']) AS query;
-- An arm of an OR beside a bound of the same column: of the rows of the table, not of those that its index finds.
SELECT ok(abs(pg_temp.estimate(query, 'id') - pg_temp.estimate(query, 't')) <= 1, 'as of timestamptz: ' || query)
FROM CAST('SELECT FROM log
    WHERE ({x} >= {2025-01-05} AND {x} < {2025-01-06} OR kind = 1) AND {x} < {2025-01-09}' AS text) AS query;
SELECT is(pg_temp.estimate('SELECT FROM log WHERE {x} >= {2026-01-01} AND {x} < {2025-01-05}', 'id'), 1::float8,
          'no row is expected between bounds that contradict one another, where none meets the lower one');
SELECT is(pg_temp.estimate(query || ' AND {x} < {2025-01-05}', 'id'), pg_temp.estimate(query, 'id'),
    'where a few rows meet the lower one, no more than those') -- of a timestamptz 100
FROM CAST('SELECT FROM log WHERE {x} >= {2025-01-14 20:40}' AS text) AS query;
-- Bounds that are known only when they are estimated, one of them tested: none is the tighter.
SELECT pg_temp.as_timestamptz('SELECT FROM log WHERE ' || format(frame, format(query, 'ulid_min', test)),
    'SELECT FROM log WHERE ' || format(frame, format(query, '', test)))
FROM unnest('{IS NOT TRUE,IS TRUE,IS FALSE,IS NOT FALSE}'::text[]) AS test,
    unnest('{%s,"kind > 9 OR (%s)"}'::text[]) AS frame,
    CAST($$({x} >= %1$s(now() - (now() - '2025-01-10Z'::timestamptz))) %2$s
        AND {x} >= %1$s(now() - (now() - '2025-01-03Z'::timestamptz))$$ AS text) AS query;
-- Of many bounds the tightest two count, in whatever order they come and wherever they stand.
CREATE FUNCTION pg_temp.orders(items text[]) RETURNS SETOF text[] LANGUAGE sql AS $$
    WITH RECURSIVE taken (list, rest) AS (
        SELECT '{}'::text[], items
        UNION ALL SELECT list || item, array_remove(rest, item) FROM taken, unnest(rest) AS item)
    SELECT list FROM taken WHERE rest = '{}'
$$;
SELECT ok(count(*) = 120 AND min(of_id) >= of_t - 1 - of_t / 100 AND max(of_id) <= of_t + 1 + of_t / 100,
          format('%s orders of five bounds in %s: %s to %s, of timestamptz %s',
                 count(*), frame, min(of_id), max(of_id), of_t))
FROM unnest('{%s,%s AND kind = 3,"{x} < {2025-01-01 03:20} OR (%s)"}'::text[]) AS frame,
     pg_temp.orders(ARRAY['{x} >= {2025-01-03}', '{2025-01-05} <= {x}', '{x} > {2025-01-04}', '{x} < {2025-01-05 03:20}',
         '{2025-01-06} > {x}']) AS bounds,
     format('SELECT FROM log WHERE ' || frame, array_to_string(bounds, ' AND ')) AS query,
     format('SELECT FROM log WHERE ' || frame, '{x} >= {2025-01-05} AND {x} < {2025-01-05 03:20}') AS as_query,
     pg_temp.estimate(query, 'id') AS of_id, pg_temp.estimate(as_query, 't') AS of_t
GROUP BY frame, of_t ORDER BY frame;
-- Those beyond the histogram have the end of the index read, which counts.
CREATE FUNCTION pg_temp.reads(query text, col text, name text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE index regclass := name || '_' || col; before bigint := pg_stat_get_xact_numscans(index);
BEGIN
    PERFORM pg_temp.estimate(query, col);
    RETURN pg_stat_get_xact_numscans(index) - before;
END $$;
SELECT cmp_ok(pg_temp.reads(query, 'id', 'log'), '<=', 4 * pg_temp.reads(query, 't', 'log'),
              format('planning reads the end of the index at most 4 times as often as of timestamptz: %s...',
                  left(query, 80)))
FROM (SELECT string_agg(format('{x} >= {2026-01-01 00:%s}', n), ' AND ' ORDER BY n) AS lower,
             string_agg(format('{x} < {2026-01-01 00:%s}', n), ' AND ' ORDER BY -n) AS upper
      FROM generate_series(10, 59) AS n) AS bounds,
     unnest(ARRAY['SELECT FROM log WHERE ' || lower, 'SELECT FROM log WHERE ' || upper,
                  format('SELECT FROM log WHERE %s AND %s', lower, upper)]) AS query;
RESET enable_seqscan; RESET enable_indexscan; RESET enable_indexonlyscan;

-- A uuid beside the ulid, and a domain over ulid.
CREATE DOMAIN key AS ulid;
ALTER TABLE log ADD COLUMN d key;
UPDATE log SET d = id;
ANALYZE log;
SELECT is(pg_temp.estimate(format('SELECT FROM log WHERE %s', condition)),
          pg_temp.estimate($$SELECT FROM log WHERE t >= '2025-01-05Z' AND t < '2025-01-05 03:20Z'$$), condition)
FROM unnest(ARRAY[$$id >= ulid_min('2025-01-05Z')::uuid AND id < ulid_min('2025-01-05 03:20Z')::uuid$$,
    $$ulid_min('2025-01-05Z')::uuid <= id AND id < ulid_min('2025-01-05 03:20Z')::uuid$$,
    $$d >= ulid_min('2025-01-05Z') AND d < ulid_min('2025-01-05 03:20Z')$$]) AS condition;
-- A prefix is estimated as the range of its bounds.
SELECT ok(estimated = by_range AND abs(estimated - truth) <= 20,
          format('id ^@ %L: %s rows of %s', prefix, estimated, truth))
FROM unnest('{01JG,01JGN,01JGNXN,01M}'::text[]) AS prefix,
     CAST((SELECT count(*) FROM log WHERE id::text ^@ prefix) AS int) AS truth,
     pg_temp.estimate(format('SELECT FROM log WHERE id ^@ %L', prefix)) AS estimated,
     pg_temp.estimate(format('SELECT FROM log WHERE id >= %L AND id <= %L',
                             ulid_prefix_min(prefix), ulid_prefix_max(prefix))) AS by_range;

-- An operator of somebody else's with this estimator, outside of the btree family, is not a bound.
CREATE OPERATOR <<< (LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_lt, RESTRICT = ulid_ineqsel);
SELECT is(pg_temp.estimate(range || ' AND {x} <<< {2025-01-01 00:10}', 'id'), round(pg_temp.estimate(range, 'id') / 3),
          'an operator outside of the family has the default selectivity, and does not change that of a range')
FROM CAST('SELECT FROM log WHERE {x} >= {2025-01-05} AND {x} < {2025-01-06}' AS text) AS range;
-- Nor is one with a single argument.
CREATE FUNCTION pg_temp.is_low(ulid) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN $1 < $$01JG$$; END';
CREATE OPERATOR <<< (RIGHTARG = ulid, FUNCTION = pg_temp.is_low, RESTRICT = ulid_ineqsel);
SELECT is(pg_temp.estimate(range || ' AND <<< {x}', 'id'), round(pg_temp.estimate(range, 'id') / 3),
    'a prefix operator with the estimator')
FROM CAST('SELECT FROM log WHERE {x} >= {2025-01-05} AND {x} < {2025-01-06}' AS text) AS range;
-- A stable function that returns NULL: no row, except where the server takes a range for impossible, of which it
-- expects 100.
CREATE FUNCTION pg_temp.nothing() RETURNS timestamptz STABLE LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
SELECT is(pg_temp.estimate('SELECT FROM log WHERE ' || condition, 'id'), expected::float8, condition)
FROM (VALUES ('{x} >= pg_temp.nothing()', 1), ('{x} < pg_temp.nothing()', 1),
    ('{x} >= pg_temp.nothing() AND {x} < {2025-01-06}', 1),
    ('{x} >= {2025-01-05} AND pg_temp.nothing() > {x}', 100)) AS v (condition, expected);
-- A range below IS TRUE and the like.
SELECT pg_temp.as_timestamptz('SELECT FROM unindexed WHERE ({x} >= {2025-01-05} AND {x} < {2025-01-05 03:20}) ' || test)
FROM unnest('{IS TRUE,IS NOT TRUE,IS NOT FALSE,IS FALSE}'::text[]) AS test;

-- Statistics are used where the user may know them, as behind a security barrier: the comparisons are leakproof.
CREATE ROLE estimates_reader;
CREATE VIEW guarded WITH (security_barrier) AS SELECT * FROM visits WHERE kind < 5;
CREATE TABLE owned AS TABLE visits;
ANALYZE owned;
ALTER TABLE owned ENABLE ROW LEVEL SECURITY;
CREATE POLICY few ON owned USING (kind < 5);
GRANT SELECT ON guarded, owned TO estimates_reader;
SELECT format('GRANT USAGE ON SCHEMA %s TO estimates_reader', pg_my_temp_schema()::regnamespace) \gexec
SET ROLE estimates_reader;
SELECT array_agg(pg_temp.estimate(format('SELECT FROM %s WHERE %s', tab, condition), 'id')) AS of_id,
       array_agg(pg_temp.estimate(format('SELECT FROM %s WHERE %s', tab, condition), 'u')) AS of_u
FROM unnest('{guarded,owned}'::text[]) AS tab,
     unnest('{"{x} > {2025-01-05}","{x} > {2025-01-05} AND {x} < {2025-01-15}"}'::text[]) AS condition \gset
RESET ROLE;
SELECT is(:'of_id'::text, :'of_u'::text, 'behind a security barrier as of uuid');
-- With comparisons that may leak they are not. (A query of the owner's still uses them.)
ALTER FUNCTION ulid_gt(ulid, ulid) NOT LEAKPROOF;
SELECT pg_temp.estimate($$SELECT FROM visits WHERE id > ulid_min('2025-01-02Z')$$) AS of_owner \gset
SET ROLE estimates_reader;
SELECT pg_temp.estimate($$SELECT FROM owned WHERE id > ulid_min('2025-01-02Z')$$) AS of_reader \gset
RESET ROLE;
ALTER FUNCTION ulid_gt(ulid, ulid) LEAKPROOF;
SELECT ok(:of_owner > 6000 AND :of_reader < 4000, 'statistics tell the owner, but not the reader, by what may leak');

-- Statistics that no ANALYZE makes, but that a superuser, or pg_restore_attribute_stats() on 18, can put in. (Of
-- another type the server does not survive them: not for its own types either. NaN it passes on.)
CREATE TABLE shapes AS SELECT id FROM log;
ANALYZE shapes;
CREATE FUNCTION pg_temp.with_statistics(kind int, vals text, numbers float4[], nulls float4, distinct_values float4)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE rows float8; condition text;
BEGIN
    UPDATE pg_statistic SET stanullfrac = nulls, stadistinct = distinct_values, stakind1 = kind,
        staop1 = CASE kind WHEN 1 THEN '=(ulid,ulid)' ELSE '<(ulid,ulid)' END::regoperator, stacoll1 = 0,
        stanumbers1 = numbers, stakind2 = 0, stakind3 = 0, stavalues1 = array_in(
            regexp_replace(vals, '\w+', '01J\&000000000000000000000', 'g')::cstring, 'ulid'::regtype, -1)
    WHERE starelid = 'shapes'::regclass AND staattnum = 1;
    FOREACH condition IN ARRAY ARRAY['{x} >= {2025-01-05}', '{x} < {2025-01-05}',
        '{x} >= {2025-01-05} AND {x} < {2025-01-06}'] LOOP
        rows := pg_temp.estimate('SELECT FROM shapes WHERE ' || condition, 'id');
        RETURN NEXT ok(rows BETWEEN 1 AND 20000, format('with kind %s, %s, %s, NULL %s, distinct %s: %s: %s',
            kind, vals, numbers, nulls, distinct_values, condition, rows));
    END LOOP;
END $$;
SELECT pg_temp.with_statistics(kind, vals, numbers, nulls, distinct_values)
FROM (VALUES (2, '{}', NULL::float4[], 0::float4, -1::float4), (2, '{H9,G1,GW,G8}', NULL, 0, -1),
    (2, '{G1,H9}', NULL, 'Infinity', 'NaN'), (1, '{G1,H9}', '{-2,0.1}', 0, -1),
    (1, '{G1}', '{0.5,0.25,0.25}', 0, 2)) AS v (kind, vals, numbers, nulls, distinct_values);
-- Common values, but no histogram: half of the other rows.
SELECT pg_temp.with_statistics(1, '{G1,H9}', '{0.5,0.125}', 0.25, -1);
SELECT is(pg_temp.estimate(format('SELECT FROM shapes WHERE id %s', condition), 'id'), expected::float8,
    'without a histogram: id ' || condition)
FROM (VALUES ('< ulid_min(''2025-01-02Z'')', 20000 * (0.5 + 0.125 / 2)),
             ('>= ulid_min(''2020-01-02Z'')', 20000 * (0.625 + 0.125 / 2))) AS v (condition, expected);

-- A partial index whose predicate implies a bound: a range costs what it costs by that of timestamptz.
DROP INDEX log_id, log_t;
CREATE INDEX ON log (id) WHERE id >= ulid_min('2025-01-06Z');
CREATE INDEX ON log (t) WHERE t >= '2025-01-06Z';
SET enable_seqscan = off; SET enable_bitmapscan = off;
-- Beside a bound that is no constant, the server counts the predicate again.
SELECT ok(of_id BETWEEN of_t * least AND of_t * 1.3,
          format('the cost by a partial index: %s: %s, of timestamptz %s', query, of_id, of_t))
FROM (VALUES (0.7, '{x} >= {2025-01-06} AND {x} < {2025-01-07}'),
        (0.7, '{x} < {2025-01-13 05:00} AND {x} >= {2025-01-12} AND {x} >= {2025-01-06}'),
        (0.7, '{x} >= {2025-01-06} AND {x} >= {2025-01-12} AND {x} < {2025-01-13 05:00}'),
        (0.6, '{x} >= {2025-01-06} AND {x} >= now() - (now() - timestamptz ''2025-01-12Z'') AND {x} < {2025-01-13 05:00}'))
        AS v (least, condition),
    CAST('SELECT FROM log WHERE ' || condition AS text) AS query,
    pg_temp.cost(query, 'id') AS of_id, pg_temp.cost(query, 't') AS of_t;

SELECT finish();
ROLLBACK;
