-- Ranges of time on a ulid are estimated as on a timestamptz of the same values, and what the server
-- cannot estimate better is estimated as on a uuid of the same bytes.
BEGIN;
SELECT no_plan();
SET max_parallel_workers_per_gather = 0; SET jit = off;
SET plan_cache_mode = force_custom_plan;
SET client_min_messages = warning;

\ir ../lib/plan_of.psql
\ir ../lib/ids.psql

CREATE FUNCTION pg_temp.q_error(estimate float8, truth float8) RETURNS float8 LANGUAGE sql
    RETURN greatest(greatest(estimate, 1) / greatest(truth, 1), greatest(truth, 1) / greatest(estimate, 1));

-- The number of rows before a time.
CREATE FUNCTION pg_temp.rank(t timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    RETURN coalesce((SELECT n - 1 FROM measured WHERE at >= t ORDER BY at LIMIT 1), (SELECT max(n) FROM measured));
END $$;

CREATE TEMP TABLE errors (kind text, span interval, form text, type text, error float8);

-- Measures ranges of 1/10,000 to 1/12 of the time of ids, of which every other begins at the time of a row, the
-- others at any time: with constants, with parameters, and only their lower or upper bound.
CREATE FUNCTION pg_temp.measure(kind text, span interval, rows int, ranges int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE range record; measure record; before bigint; until bigint;
BEGIN
    PERFORM setseed(0.11);
    CREATE TEMP TABLE measured AS SELECT n, id, ulid_timestamp(id) AS at FROM ids(kind, span, rows);
    CREATE UNIQUE INDEX ON measured (n);
    CREATE UNIQUE INDEX ON measured (id);
    CREATE INDEX ON measured (at);
    ANALYZE measured;
    PREPARE by_ulid (timestamptz, timestamptz) AS SELECT FROM measured WHERE id >= $1 AND id < $2;
    PREPARE by_timestamptz (timestamptz, timestamptz) AS SELECT FROM measured WHERE at >= $1 AND at < $2;
    PERFORM setseed(0.22);
    FOR range IN
        SELECT n, whole / 10000 * 833 ^ random() AS width, first + random() * 0.9 * whole AS began,
               1 + trunc(random() * rows)::int AS start
        FROM generate_series(1, ranges) AS n, (SELECT min(at), max(at) - min(at) FROM measured) AS times (first, whole)
    LOOP
        IF range.n % 2 = 0 THEN
            SELECT at INTO range.began FROM measured WHERE n = range.start;
        END IF;
        before := pg_temp.rank(range.began);
        until := pg_temp.rank(range.began + range.width);
        FOR measure IN
            SELECT form, type, truth, CASE form
                WHEN 'parameters' THEN format('EXECUTE by_%s (%s, %s)', type, lower, upper)
                ELSE 'SELECT FROM measured WHERE ' || CASE form
                    WHEN 'constants' THEN format('%1$I >= %2$s AND %1$I < %3$s', col, lower, upper)
                    WHEN 'between, the upper bound first' THEN format('%3$s > %1$I AND %2$s <= %1$I', col, lower, upper)
                    WHEN 'from' THEN format('%I >= %s', col, lower)
                    ELSE format('%I < %s', col, upper) END
                END AS query
            FROM (VALUES ('ulid', 'id'), ('timestamptz', 'at')) AS c (type, col),
                 (VALUES ('constants', until - before), ('parameters', until - before), ('from', rows - before),
                         ('between, the upper bound first', until - before), ('until', until)) AS f (form, truth),
                 format('%L::timestamptz', range.began) AS lower, format('%L::timestamptz',
                     range.began + range.width) AS upper
        LOOP
            INSERT INTO errors VALUES (kind, span, measure.form, measure.type,
                pg_temp.q_error(pg_temp.estimate(measure.query), measure.truth));
        END LOOP;
    END LOOP;
    DEALLOCATE by_ulid;
    DEALLOCATE by_timestamptz;
    DROP TABLE measured;
END $$;
SELECT pg_temp.measure(kind, span, 20000, 30)
FROM unnest('{uniform,skewed,bursty,counted,UUIDv7,random UUIDs}'::text[]) AS kind,
     unnest('{0,1 hour,2 hours,1 day,30 days,365 days,8000 years}'::interval[]) AS span
WHERE kind IN ('uniform', 'skewed') OR span = '365 days' OR span = '1 hour' AND kind <> 'random UUIDs';
CREATE TEMP TABLE quantiles AS
SELECT kind, span, form, type, percentile_cont(0.5) WITHIN GROUP (ORDER BY error) AS median, max(error) AS largest
FROM errors GROUP BY kind, span, form, type;
SELECT is(count(*), 210::bigint, '21 tables, five forms, two types') FROM quantiles;
-- A time that many rows have is a common value of a timestamptz, and none of a ulid.
SELECT ok(u.median <= tolerance * t.median AND u.largest <= tolerance * t.largest,
          format('%s over %s, %s: median %s, largest %s, of timestamptz %s and %s', kind, span, form,
                 round(u.median::numeric, 3), round(u.largest::numeric, 2),
                 round(t.median::numeric, 3), round(t.largest::numeric, 2)))
FROM quantiles AS u JOIN quantiles AS t USING (kind, span, form),
     LATERAL (SELECT CASE WHEN kind = 'counted' OR kind = 'bursty' AND span = '1 hour' THEN 4
         ELSE 1.2 END) AS c (tolerance)
WHERE u.type = 'ulid' AND t.type = 'timestamptz' ORDER BY kind, span, form;
SELECT cmp_ok((SELECT max(median) FROM quantiles WHERE kind = 'uniform' AND type = 'ulid'), '<', 1.2::float8,
              'half of all estimates of uniform data are within a fifth');

--
-- The same plan for the column `id` of type ulid, `u` of type uuid and `t` of type timestamptz.
--
CREATE TABLE log AS
SELECT n, id, id::uuid AS u, ulid_timestamp(id) AS t, n % 10 AS kind
FROM generate_series(1, 20000) AS n,
     make_ulid('2025-01-01Z'::timestamptz + n * interval '1 min', substr(sha256(n::text::bytea), 1, 10)) AS id;
CREATE TABLE visits AS
SELECT id, id::uuid AS u, ulid_timestamp(id) AS t, n % 7 AS kind
FROM generate_series(1, 10000) AS n, CAST((30 * (n % 1000 / 1000.0) ^ 2)::int * interval '1 day' AS interval) AS after,
     make_ulid(CASE WHEN n % 5 > 0 THEN '2025-01-01Z'::timestamptz + after END, '\x00010203040506070809') AS id;
SELECT format('CREATE UNIQUE INDEX log_%1$s ON log (%1$s); CREATE INDEX ON log (kind, %1$s);
    CREATE INDEX ON visits (%1$s)', name)
FROM unnest('{id,u,t}'::text[]) AS name \gexec
CREATE TABLE unknown (LIKE visits);
CREATE TABLE incidents AS
SELECT id_began, id_ended, id_began::uuid AS u_began, id_ended::uuid AS u_ended
FROM generate_series(1, 100) AS n, ulid_min('2025-01-01Z'::timestamptz + n * interval '1 hour') AS id_began,
     ulid_min('2025-01-01Z'::timestamptz + n * interval '61 min') AS id_ended;
CREATE TABLE parts (LIKE visits) PARTITION BY LIST (kind);
CREATE TABLE parts_3 PARTITION OF parts FOR VALUES IN (1, 2, 3);
CREATE TABLE parts_rest PARTITION OF parts DEFAULT;
INSERT INTO parts SELECT * FROM visits;
CREATE TABLE unindexed AS TABLE log; -- for queries with so many conditions that the planner takes long to try indexes
ANALYZE log, unindexed, visits, incidents, parts;

-- A query in which {x} is the name of the column, and {2025-01-05} is that time as a value of its type.
CREATE FUNCTION pg_temp.query_for(query text, col text) RETURNS text LANGUAGE sql AS $$
    SELECT regexp_replace(replace(query, '{x}', col), '\{([0-9][^}]*)\}', CASE col WHEN 'id' THEN $r$ulid_min('\1Z')$r$
        WHEN 'u' THEN $r$ulid_min('\1Z')::uuid$r$ ELSE $r$'\1Z'::timestamptz$r$ END, 'g')
$$;
CREATE FUNCTION pg_temp.estimate(query text, col text) RETURNS float8 LANGUAGE sql
    AS 'SELECT pg_temp.estimate(pg_temp.query_for(query, col))';
-- The number of rows expected of each node, and its costs.
CREATE FUNCTION pg_temp.numbers(query text, col text) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_path_query_array(plan, '$.**."Plan Rows"') || jsonb_path_query_array(plan, '$.**."Total Cost"')
    FROM pg_temp.plan(pg_temp.query_for(query, col)) AS plan
$$;
CREATE FUNCTION pg_temp.as_uuid(query text) RETURNS text LANGUAGE sql
    RETURN is(pg_temp.numbers(query, 'id'), pg_temp.numbers(query, 'u'), 'as of uuid: ' || query);

-- All values are most common ones: the server interpolates nothing.
SELECT pg_temp.as_uuid('SELECT FROM visits WHERE ' || trim(line, E' \n')) FROM string_to_table($list$
    {x} < {2025-01-05}; {x} <= {2025-01-05}; {2025-01-05} <= {x}; {x} >= {2025-01-05} AND {x} < {2025-01-15};
    {2025-01-15} > {x} AND {2025-01-05} < {x}; {x} > {2025-01-05} AND {x} > {2025-01-10} AND {x} <= {2025-01-15}
        AND {x} < {2025-01-20};
    {x} <= {2025-01-15} AND {x} < {2025-01-20} AND {x} > {2025-01-10} AND {x} > {2025-01-05};
    {x} > {2025-01-05} AND {x} > {2025-01-05} AND {x} < {2025-01-15} AND {x} < {2025-01-15};
        {x} > {2025-01-15} AND {x} < {2025-01-05};
    {x} > {2025-01-05} AND {x} < {2025-01-15} AND kind = 3;
    ({x} > {2025-01-05} AND {x} < {2025-01-15}) OR ({x} > {2025-01-20} AND {x} < {2025-01-25});
    kind = 1 OR ({x} > {2025-01-05} AND {x} < {2025-01-15} AND kind = 2);
        NOT ({x} > {2025-01-05} AND {x} < {2025-01-15});
    ({x} > {2025-01-05}) IS TRUE AND {x} < {2025-01-15}; ({x} > {2025-01-05}) IS NOT TRUE AND {x} > {2025-01-02};
    ({x} > {2025-01-05}) IS FALSE AND {x} < {2025-01-15} AND {x} > {2025-01-02}; {x} > NULL;
        {x} > {2025-01-05} AND {x} < NULL;
    {x} > ANY (ARRAY[{2025-01-05}, {2025-01-15}]); {x} < ALL (ARRAY[{2025-01-05}, {2025-01-15}]);
        ({x}, kind) > ({2025-01-05}, 3);
    {x} = {2025-01-05}; {x} <> {2025-01-05}; {x} IN ({2025-01-05}, {2025-01-15}, {2026-01-15});
        {x} IS NOT NULL AND {x} < {2025-01-05};
    {x} BETWEEN (SELECT {2025-01-05}) AND (SELECT {2025-01-15})
$list$, ';') AS line;
-- An equality is not a bound: of a value that many rows have, beside a bound.
SELECT pg_temp.as_uuid(format('SELECT FROM visits WHERE {x} = make_ulid(''2025-01-05Z'', ''\x00010203040506070809'') AND {x} %s', bound))
FROM unnest(ARRAY['< {2025-01-15}', '> {2025-01-02}']) AS bound;
-- Other shapes; no statistics; the other side is no constant, or none that is known.
SELECT pg_temp.as_uuid(trim(regexp_replace(line, '\s+', ' ', 'g'))) FROM string_to_table($list$
    SELECT FROM parts WHERE {x} >= {2025-01-05} AND {x} < {2025-01-15};
    SELECT kind FROM visits GROUP BY kind HAVING min({x}::text) > '0' AND max({x}::text) < '1';
    SELECT FROM unknown WHERE {x} > {2025-01-05}; SELECT FROM unknown WHERE {x} > {2025-01-05} AND {x} < {2025-01-15};
    SELECT FROM unknown WHERE {x} > {2025-01-05} AND {x} > {2025-01-07} AND {x} < {2025-01-15};
    SELECT DISTINCT {x} FROM visits WHERE {x} > {2025-01-05} AND {x} < {2025-01-15};
        SELECT FROM log WHERE {x} > (SELECT {2025-01-05});
    SELECT FROM log WHERE {x} > (SELECT {2025-01-05}) AND {x} < (SELECT {2025-01-07});
    SELECT FROM log AS l WHERE EXISTS (SELECT FROM visits AS v WHERE v.{x} > l.{x});
    SELECT FROM log AS l WHERE NOT EXISTS (SELECT FROM visits AS v WHERE v.{x} > l.{x} AND v.kind = 3);
    SELECT FROM incidents JOIN log ON {x} BETWEEN {x}_began AND {x}_ended;
    SELECT FROM incidents JOIN log ON {x} >= {x}_began AND {x} < {x}_ended AND kind = 3;
    SELECT FROM incidents LEFT JOIN log ON {x} BETWEEN {x}_began AND {x}_ended;
    SELECT FROM incidents WHERE EXISTS (SELECT FROM log WHERE {x} BETWEEN {x}_began AND {x}_ended);
    SELECT FROM incidents WHERE NOT EXISTS (SELECT FROM log WHERE {x} BETWEEN {x}_began AND {x}_ended);
    SELECT FROM visits AS v LEFT JOIN log AS l ON v.kind = l.n AND v.{x} > {2025-01-05} AND v.{x} < {2025-01-15};
    SELECT FROM visits AS v LEFT JOIN log AS l ON v.kind = l.n AND v.{x} > {2025-01-05}
        LEFT JOIN log AS m ON v.kind = m.n AND v.{x} < {2025-01-15};
    SELECT FROM visits AS v JOIN log AS l ON v.{x} = l.{x};
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

-- What an index is expected to find, too, is that of timestamptz, to within a row.
CREATE FUNCTION pg_temp.rows_of(query text, col text) RETURNS float8[] LANGUAGE sql AS $$
    SELECT array_agg(number::float8) FROM jsonb_path_query(pg_temp.plan(pg_temp.query_for(query, col)),
        '$.**."Plan Rows"') AS number
$$;
CREATE FUNCTION pg_temp.as_timestamptz(query text, as_query text DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
    SELECT ok(cardinality(id) = cardinality(at) AND (SELECT bool_and(abs(i - t) <= 1) FROM unnest(id, at) AS n (i, t)),
              format('as of timestamptz: %s: %s, of timestamptz %s', query, id, at))
    FROM pg_temp.rows_of(query, 'id') AS id, pg_temp.rows_of(coalesce(as_query, query), 't') AS at
$$;
SET enable_seqscan = off; SET enable_indexscan = off; SET enable_indexonlyscan = off;
SELECT pg_temp.as_timestamptz('SELECT FROM log WHERE ' || trim(line, E' \n')) FROM string_to_table($list$
    {x} >= {2025-01-05} AND {x} < {2025-01-05 03:20}; {x} < {2025-01-05 03:20} AND {x} >= {2025-01-05};
    {2025-01-05 03:20} > {x} AND {2025-01-05} <= {x}; kind = 3 AND {x} < {2025-01-08} AND {x} >= {2025-01-05};
    ({x} < {2025-01-05 03:20} AND {x} >= {2025-01-05}) OR ({x} > {2025-01-07 03:20} AND {x} <= {2025-01-07 04:20});
    {x} >= {2025-01-14 18:00}; {x} >= {2025-01-14 18:00} AND {x} <= {2025-01-14 19:00}; {x} < {2025-01-01 00:10};
        {x} > {2026-01-01};
    {x} < {2020-01-01}
$list$, ';') AS line;
-- Of two tables; bounds of what is of both are no pair.
SELECT pg_temp.as_timestamptz(trim(regexp_replace(line, '\s+', ' ', 'g'))) FROM string_to_table($list$
    SELECT FROM (SELECT {x} FROM log UNION ALL SELECT {x} FROM visits) AS both_of WHERE {x} >= {2025-01-05}
        AND {x} < {2025-01-05 10:00};
    SELECT FROM log AS l JOIN log AS m USING (n) GROUP BY n
        HAVING max(coalesce(l.{x}, m.{x})) >= {2025-01-05} AND max(coalesce(l.{x}, m.{x})) < {2025-01-05 10:00};
    SELECT FROM log AS l JOIN log AS m USING (n) GROUP BY n
        HAVING coalesce(max(l.{x}), min(m.{x})) < {2025-01-06} AND coalesce(max(l.{x}), min(m.{x})) >= {2025-01-05}
$list$, ';') AS line;
-- A bound that is known only when it is estimated, beside a constant.
SELECT pg_temp.as_timestamptz(format(query, 'ulid_min(now() - (now() - ''2025-01-10Z''::timestamptz))'),
                              format(query, '(now() - (now() - ''2025-01-10Z''::timestamptz))'))
FROM unnest(ARRAY['SELECT FROM log WHERE {x} >= {2024-01-01} AND {x} >= %1$s AND {x} < {2026-01-01}',
                  'SELECT FROM log WHERE {x} < %1$s AND {x} < {2026-01-01} AND {x} >= {2025-01-09}']) AS query;
-- An arm of an OR beside a bound of the same column: of the rows of the table, not of those that its index finds.
SELECT ok(abs(pg_temp.estimate(query, 'id') - pg_temp.estimate(query, 't')) <= 1, 'of an OR beside a bound: ' || query)
FROM (VALUES ('SELECT FROM log
    WHERE ({x} >= {2025-01-05} AND {x} < {2025-01-06} OR kind = 1) AND {x} < {2025-01-09}')) v (query);
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
        SELECT '{}'::text[], items UNION ALL SELECT list || item, array_remove(rest, item) FROM taken,
            unnest(rest) AS item)
    SELECT list FROM taken WHERE rest = '{}'
$$;
SELECT ok(count(*) = 120 AND min(of_id) >= of_t - 1 - of_t / 100 AND max(of_id) <= of_t + 1 + of_t / 100,
          format('%s orders of five bounds in %s: %s to %s, of timestamptz %s', count(*), frame, min(of_id),
              max(of_id), of_t))
FROM unnest('{%s,%s AND kind = 3,"{x} < {2025-01-01 03:20} OR (%s)"}'::text[]) AS frame,
     pg_temp.orders('{"{x} >= {2025-01-03}","{2025-01-05} <= {x}","{x} > {2025-01-04}","{x} < {2025-01-05 03:20}","{2025-01-06} > {x}"}')
         AS bounds,
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
SELECT ok(estimated = by_range AND abs(estimated - truth) <= 20, format('id ^@ %L: %s rows of %s', prefix, estimated,
    truth))
FROM unnest('{01JG,01JGN,01JGNXN,01M}'::text[]) AS prefix,
    CAST((SELECT count(*) FROM log WHERE id::text ^@ prefix) AS int) AS truth,
     pg_temp.estimate(format('SELECT FROM log WHERE id ^@ %L', prefix)) AS estimated,
     pg_temp.estimate(format('SELECT FROM log WHERE id >= %L AND id <= %L', ulid_prefix_min(prefix),
         ulid_prefix_max(prefix))) AS by_range;

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
SELECT cmp_ok(of_id, '<=', 3 * of_t, format('%s bounds by a stable function: %s calls, of timestamptz %s', bounds,
    of_id, of_t))
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
FROM unnest(ARRAY[$$'2025-01-05Z'::timestamptz <= {x} AND {x} < clock_timestamp()$$,
        $${x} >= clock_timestamp() AND {x} < '2025-01-05Z'::timestamptz$$, '{x} > pg_temp.volatile(now())',
        $${x} >= '2025-01-05Z'::timestamptz AND {x} < pg_temp.volatile(now()) AND {x} < '2025-01-06Z'::timestamptz$$,
        $$clock_timestamp() > {x} AND {x} >= '2025-01-10Z'::timestamptz$$]) AS condition,
    CAST('SELECT FROM log WHERE ' || condition AS text) AS query,
    pg_temp.estimate(query, 'id') AS of_id, pg_temp.estimate(query, 't') AS of_t;
-- A partial index whose predicate implies a bound: the range costs what it costs by that of timestamptz.
CREATE INDEX log_id_partial ON log (id) WHERE id >= ulid_min('2025-01-06Z');
CREATE INDEX log_t_partial ON log (t) WHERE t >= '2025-01-06Z';
SET enable_seqscan = off; SET enable_bitmapscan = off;
SELECT ok(of_id BETWEEN of_t * 0.7 AND of_t * 1.3, format('the cost by a partial index: %s: %s, of timestamptz %s',
    condition, of_id, of_t))
FROM unnest('{"{x} >= {2025-01-06} AND {x} < {2025-01-06 05:00}", "{x} < {2025-01-10 05:00} AND {x} >= {2025-01-10}
    AND {x} >= {2025-01-06}",
        "{x} >= {2025-01-06} AND {x} >= {2025-01-10} AND {x} < {2025-01-10 05:00}"}'::text[]) AS condition,
    CAST((pg_temp.plan(pg_temp.query_for('SELECT FROM log WHERE ' || condition,
        'id')) ->> 'Total Cost') AS float8) AS of_id,
    CAST((pg_temp.plan(pg_temp.query_for('SELECT FROM log WHERE ' || condition,
        't')) ->> 'Total Cost') AS float8) AS of_t;
RESET enable_seqscan; RESET enable_bitmapscan;
DROP INDEX log_id_partial, log_t_partial;
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
SELECT ok(of_id BETWEEN of_t - 2 AND of_t + 2, format('(a range) %s: %s, of timestamptz %s', test, of_id, of_t))
FROM unnest('{IS TRUE,IS NOT TRUE,IS NOT FALSE,IS FALSE}'::text[]) AS test,
    CAST(format('SELECT FROM log WHERE ({x} >= {2025-01-05} AND {x} < {2025-01-05 03:20}) %s', test) AS text) AS query,
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
-- An estimate depends on nothing that the statement has planned before, also not in the middle of the planning.
SELECT is(rows[4], rows[2], 'the same windows again, after others')
FROM (SELECT array_agg(pg_temp.windows(n, 1, template, 'id') ORDER BY place) AS rows
      FROM (VALUES (1, 3000, '({x} >= {%s} AND {x} < {%s} AND {x} < ANY (ARRAY[{%1$s}, {%2$s}]))'),
          (2, 3000, '({x} >= {%s} AND {x} < {%s})'), (3, 1500, '({x} >= {%s} AND {x} < {%s})'),
          (4, 3000, '({x} >= {%s} AND {x} < {%s})')) AS v (place, n, template)) AS a;
CREATE FUNCTION pg_temp.planned(timestamptz) RETURNS ulid STABLE LANGUAGE sql AS $$
    SELECT coalesce(min(id), ulid_min($1)) FROM visits WHERE (id >= ulid_min($1) AND id < ulid_min($1 - interval '1 day'))
        OR (id >= ulid_min('2026-01-01Z') AND id < ulid_min('2026-01-02Z'))
$$;
SELECT is(pg_temp.windows(500, 1, '({x} >= pg_temp.planned(''%sZ'') AND {x} < pg_temp.planned(''%sZ''))', 'id'),
    pg_temp.windows(500, 1, '({x} >= {%s} AND {x} < {%s})', 'id'), 'windows of values whose evaluation plans others');
SELECT ok(of_id BETWEEN of_t - 2 AND of_t + 2 OR n > 512 AND of_id = 1,
    format('%s bounds in an AND: %s, of timestamptz %s', 2 * n, of_id, of_t))
FROM unnest('{8,9,40,512,513}'::int[]) AS n, LATERAL (
        SELECT 'SELECT FROM log WHERE ' || string_agg(format('{x} >= {%s} AND {x} < {%s}',
            '2025-01-05'::timestamp - i * 7919 % n * interval '1 min',
            '2025-01-05 10:00'::timestamp + i * 7907 % n * interval '1 min'), ' AND ') FROM generate_series(1,
                n) AS i) AS v (query),
    pg_temp.estimate(query, 'id') AS of_id, pg_temp.estimate(query, 't') AS of_t;

-- With an index, the server makes comparisons of its own from alternatives (18+), and from those above a join.
SELECT ok(of_id BETWEEN of_t * 0.95 AND of_t * 1.05, format('%s: %s, of timestamptz %s', left(query, 60), of_id, of_t))
FROM (SELECT string_agg(format('{x} >= {%s}', at), ' OR ') AS bounds,
        string_agg(format('a.{x} > {%s} AND b.kind < %s', at, i % 9), ' OR ') AS of_two
      FROM generate_series(1, 2000) AS i, CAST('2025-01-02'::timestamp + i * interval '5 min' AS timestamp) AS at) AS c,
    unnest(ARRAY['SELECT FROM log WHERE ' || bounds, format('SELECT FROM log AS a, log AS b WHERE a.n = b.n AND (%s)', of_two)])
        AS query,
    pg_temp.estimate(query, 'id') AS of_id, pg_temp.estimate(query, 't') AS of_t;

-- Other conditions count, too: beside more than 1,022, the two bounds are estimated one by one.
SELECT ok(CASE others WHEN 1022 THEN estimate BETWEEN 170 AND 215 ELSE estimate > 3000 END,
    format('a range of 200 rows beside %s: %s', others, estimate))
FROM unnest('{1022,1023}'::int[]) AS others, LATERAL (
        SELECT 'SELECT FROM log WHERE {x} >= {2025-01-05} AND {x} < {2025-01-05 03:20}' || string_agg(' AND n <> -' ||
            i, '')
        FROM generate_series(1, others) AS i) AS v (query),
    pg_temp.estimate(query, 'id') AS estimate;

-- A range behind many other conditions, and a range above an outer join.
SELECT ok(of_id BETWEEN of_t * 0.9 AND of_t * 1.1, 'as of a timestamptz: ' || what)
FROM (SELECT 'behind 30 others', 'SELECT FROM log WHERE ' || string_agg('n <> ' || -i, ' AND ')
          || ' AND {x} >= {2025-01-05} AND {x} < {2025-01-05 03:20}' FROM generate_series(1, 30) AS i
      UNION ALL SELECT 'above an outer join', 'SELECT FROM log AS a LEFT JOIN log AS b USING (n)
          WHERE (b.{x} >= {2025-01-05} AND b.{x} < {2025-01-05 03:20}) OR b.{x} IS NULL') AS v (what, query),
    pg_temp.estimate(query, 'id') AS of_id, pg_temp.estimate(query, 't') AS of_t;

-- The newest rows of a table that has grown since ANALYZE.
CREATE TABLE recent (id ulid PRIMARY KEY) WITH (autovacuum_enabled = off);
CREATE FUNCTION pg_temp.recent(int, int) RETURNS SETOF ulid LANGUAGE sql
    AS $$SELECT make_ulid(now() - n * interval '30 s', substr(sha256(n::text::bytea), 1, 10)) FROM generate_series($1,
        $2) AS n$$;
INSERT INTO recent SELECT pg_temp.recent(501, 100000);
ANALYZE recent;
SELECT ok(pg_temp.estimate(format('SELECT FROM recent WHERE id >= now() - %L::interval', age)) <= 2,
          format('no row is expected of the last %s, in which there is none', age))
FROM unnest('{1 min,1 hour,4 hours}'::interval[]) AS age;
INSERT INTO recent SELECT pg_temp.recent(1, 500);
SELECT ok(pg_temp.q_error(estimate, truth) <= 2, format('the rows of the last %s within twice their number, %s: %s',
    age, truth, estimate))
FROM unnest('{1 min,10 min,1 hour,4 hours,1 day}'::interval[]) AS age,
    CAST(extract(epoch FROM age) / 30 AS int) AS truth,
     pg_temp.estimate(format('SELECT FROM recent WHERE id >= now() - %L::interval', age)) AS estimate;

-- Statistics are used where the user may know them. The comparisons are leakproof, so behind a security barrier they
-- are.
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
    WHERE starelid = 'shapes'::regclass AND staattnum = (SELECT attnum FROM pg_attribute WHERE attrelid = starelid
        AND attname = 'id');
    FOREACH condition IN ARRAY '{"{x} >= {2025-01-05}","{x} < {2025-01-05}","{x} >= {2025-01-05} AND {x} < {2025-01-06}"}'::text[] LOOP
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
FROM (VALUES ('< ulid_min(''2025-01-02Z'')', 20000 * (0.5 + 0.125 / 2)), ('>= ulid_min(''2020-01-02Z'')',
    20000 * (0.625 + 0.125 / 2)))
    AS v (condition, expected);

SELECT finish();
ROLLBACK;
