-- Ranges of time on a ulid are estimated as on a timestamptz of the same values: over several spans, sizes and
-- distributions, and at the end of a table that grows.
BEGIN;
SELECT no_plan();
SET max_parallel_workers_per_gather = 0;

\ir ../lib/plan_of.psql
\ir ../lib/ids.psql

CREATE FUNCTION pg_temp.q_error(estimate float8, truth float8) RETURNS float8 LANGUAGE sql
    RETURN greatest(greatest(estimate, 1) / greatest(truth, 1), greatest(truth, 1) / greatest(estimate, 1));

CREATE TEMP TABLE errors (kind text, span interval, form text, type text, error float8);

-- Measures ranges of 1/10,000 to 1/12 of the time of ids, of which every other begins at the time of a row, the
-- others at any time; and only their lower or upper bound.
CREATE FUNCTION pg_temp.measure(kind text, span interval, rows int, ranges int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM setseed(0.11);
    CREATE TEMP TABLE measured AS SELECT n, id, ulid_timestamp(id) AS at FROM ids(kind, span, rows);
    CREATE UNIQUE INDEX ON measured (id);
    CREATE INDEX ON measured (at);
    ANALYZE measured;
    PERFORM setseed(0.22);
    WITH range AS MATERIALIZED (
        SELECT since, since + whole / 10000 * 833 ^ random() AS until
        FROM (SELECT min(at) AS first, max(at) - min(at) AS whole FROM measured) AS times,
            generate_series(1, ranges) AS r,
            LATERAL (SELECT CASE r % 2 WHEN 0 THEN (SELECT at FROM measured WHERE n = r * rows / (ranges + 1))
                ELSE first + random() * 0.9 * whole END) AS v (since)
    )
    INSERT INTO errors
    SELECT kind, span, form, type, pg_temp.q_error(pg_temp.estimate(
        format('SELECT FROM measured WHERE ' || condition, col, since, until)), truth)
    FROM (VALUES ('ulid', 'id'), ('timestamptz', 'at')) AS c (type, col), range,
        LATERAL (SELECT count(*) FILTER (WHERE at >= since) AS later, count(*) FILTER (WHERE at < until) AS earlier,
            count(*) FILTER (WHERE at >= since AND at < until) AS within FROM measured) AS counts,
        LATERAL (VALUES ('range', '%I >= %L::timestamptz AND %1$I < %3$L::timestamptz', within),
            ('from', '%I >= %L::timestamptz', later), ('until', '%1$I < %3$L::timestamptz', earlier))
            AS v (form, condition, truth);
    DROP TABLE measured;
END $$;
SELECT pg_temp.measure(kind, span, 20000, 30)
FROM unnest('{uniform,skewed,bursty,counted,UUIDv7,random UUIDs}'::text[]) AS kind,
     unnest('{0,1 hour,2 hours,1 day,30 days,365 days,8000 years}'::interval[]) AS span
WHERE kind IN ('uniform', 'skewed') OR span = '365 days' OR span = '1 hour' AND kind <> 'random UUIDs';
CREATE TEMP TABLE quantiles AS
SELECT kind, span, form, type, percentile_cont(0.5) WITHIN GROUP (ORDER BY error) AS median, max(error) AS largest
FROM errors GROUP BY kind, span, form, type;
SELECT is(count(*), 126::bigint, '21 tables, three forms, two types') FROM quantiles;
-- A time that many rows have is a common value of a timestamptz, and none of a ulid.
SELECT ok(u.median <= tolerance * t.median AND u.largest <= tolerance * t.largest,
          format('%s over %s, %s: median %s, largest %s, of timestamptz %s and %s', kind, span, form,
                 round(u.median::numeric, 3), round(u.largest::numeric, 2),
                 round(t.median::numeric, 3), round(t.largest::numeric, 2)))
FROM quantiles AS u JOIN quantiles AS t USING (kind, span, form),
     LATERAL (SELECT CASE WHEN kind = 'counted' OR kind = 'bursty' AND span = '1 hour' THEN 4 ELSE 1.2 END)
         AS c (tolerance)
WHERE u.type = 'ulid' AND t.type = 'timestamptz' ORDER BY kind, span, form;
SELECT cmp_ok((SELECT max(median) FROM quantiles WHERE kind = 'uniform' AND type = 'ulid'), '<', 1.2::float8,
              'half of all estimates of uniform data are within a fifth');
-- The newest rows of a table that has grown since ANALYZE.
CREATE TABLE recent (id ulid PRIMARY KEY) WITH (autovacuum_enabled = off);
CREATE FUNCTION pg_temp.recent(int, int) RETURNS SETOF ulid LANGUAGE sql
    AS $$SELECT make_ulid(now() - n * interval '30 s', substr(sha256(n::text::bytea), 1, 10))
         FROM generate_series($1, $2) AS n$$;
INSERT INTO recent SELECT pg_temp.recent(501, 100000);
ANALYZE recent;
SELECT ok(pg_temp.estimate(format('SELECT FROM recent WHERE id >= now() - %L::interval', age)) <= 2,
          format('no row is expected of the last %s, in which there is none', age))
FROM unnest('{1 min,1 hour,4 hours}'::interval[]) AS age;
INSERT INTO recent SELECT pg_temp.recent(1, 500);
SELECT ok(pg_temp.q_error(estimate, truth) <= 2,
          format('the rows of the last %s within twice their number, %s: %s', age, truth, estimate))
FROM unnest('{1 min,10 min,1 hour,4 hours,1 day}'::interval[]) AS age,
     CAST(extract(epoch FROM age) / 30 AS int) AS truth,
     pg_temp.estimate(format('SELECT FROM recent WHERE id >= now() - %L::interval', age)) AS estimate;

SELECT finish();
ROLLBACK;
