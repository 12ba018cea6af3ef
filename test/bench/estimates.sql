-- How far the estimates of ranges of time are from the truth, on a ulid, a uuid and a timestamptz
-- column of one table with the same values. For test/pgtap/estimates.sql.
-- `SELECT pg_temp.measure(kind, rows, ranges, types)` fills the table errors.
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET plan_cache_mode = force_custom_plan;
SET client_min_messages = warning;

-- The rows that the planner expects.
CREATE FUNCTION pg_temp.estimate(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END $$;

CREATE FUNCTION pg_temp.q_error(estimate float8, truth float8) RETURNS float8 LANGUAGE sql AS $$
    SELECT greatest(greatest(estimate, 1) / greatest(truth, 1), greatest(truth, 1) / greatest(estimate, 1))
$$;

-- Makes the table `measured`: rows of the year 2025, numbered in the order of time.
--   uniform   at any time
--   bursty    a fifth of them at any time, the others in 100 bursts of a minute to a day
--   skewed    ever more towards the end of the year
CREATE FUNCTION pg_temp.make_table(kind text, rows int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    -- A second of the year for each row.
    second text := CASE kind
        WHEN 'uniform' THEN 'random() * 365 * 86400'
        WHEN 'bursty' THEN $sql$CASE WHEN random() < 0.2 THEN random() * 365 * 86400
                                ELSE began[burst] + lasted[burst] * random() END$sql$
        WHEN 'skewed' THEN 'random() ^ 0.2 * 365 * 86400' END;
BEGIN
    PERFORM setseed(0.11);
    EXECUTE format($sql$
        CREATE TEMP TABLE measured AS
        SELECT n, id, id::uuid AS as_uuid, ulid_timestamp(id) AS at
        FROM (SELECT row_number() OVER (ORDER BY second) AS n, second
              FROM (SELECT %s AS second
                    FROM (SELECT array_agg(random() * 364 * 86400) AS began,
                                 array_agg(60 * 1440 ^ random()) AS lasted
                          FROM generate_series(1, 100)) AS bursts,
                         (SELECT 1 + trunc(100 * random() ^ 2)::int AS burst
                          FROM generate_series(1, %s)) AS n) AS seconds) AS rows,
             make_ulid(timestamptz '2025-01-01Z' + second * interval '1 s',
                       substr(uuid_send(md5(n::text)::uuid), 1, 10)) AS id
        $sql$, second, rows);
    CREATE UNIQUE INDEX ON measured (n);
    CREATE UNIQUE INDEX ON measured (id);
    CREATE UNIQUE INDEX ON measured (as_uuid);
    CREATE INDEX ON measured (at);
    ANALYZE measured;
END $$;

-- The number of rows before a time.
CREATE FUNCTION pg_temp.rank(t timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    RETURN coalesce((SELECT n - 1 FROM measured WHERE at >= t ORDER BY at LIMIT 1),
                    (SELECT max(n) FROM measured));
END $$;

CREATE TEMP TABLE errors (kind text, form text, width interval, type text, error float8);

-- Measures ranges of a minute to a month, of which every other begins at the time of a row, the
-- others at any time: with constants, with parameters, and their lower or upper bound alone.
CREATE FUNCTION pg_temp.measure(kind text, rows int, ranges int, types text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    range record;
    measure record;
    before bigint;
    until bigint;
BEGIN
    PERFORM pg_temp.make_table(kind, rows);
    PREPARE by_ulid (timestamptz, timestamptz) AS SELECT FROM measured WHERE id >= $1 AND id < $2;
    PREPARE by_uuid (uuid, uuid) AS SELECT FROM measured WHERE as_uuid >= $1 AND as_uuid < $2;
    PREPARE by_timestamptz (timestamptz, timestamptz) AS SELECT FROM measured WHERE at >= $1 AND at < $2;
    PERFORM setseed(0.22);
    FOR range IN
        SELECT n, interval '1 minute' * 43200 ^ random() AS width,
               timestamptz '2025-01-01Z' + random() * 335 * interval '1 day' AS began,
               1 + trunc(random() * rows)::int AS start
        FROM generate_series(1, ranges) AS n
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
            FROM unnest(types) AS type JOIN
                 (VALUES ('ulid', 'id', '%L::timestamptz'), ('uuid', 'as_uuid', 'ulid_min(%L)::uuid'),
                         ('timestamptz', 'at', '%L::timestamptz')) AS c (type, col, value) USING (type),
                 (VALUES ('constants', until - before), ('parameters', until - before),
                         ('between, the upper bound first', until - before), ('from', rows - before),
                         ('until', until)) AS f (form, truth),
                 format(value, range.began) AS lower, format(value, range.began + range.width) AS upper
        LOOP
            INSERT INTO errors VALUES (kind, measure.form, range.width, measure.type,
                pg_temp.q_error(pg_temp.estimate(measure.query), measure.truth));
        END LOOP;
    END LOOP;
    DEALLOCATE by_ulid;
    DEALLOCATE by_uuid;
    DEALLOCATE by_timestamptz;
    DROP TABLE measured;
END $$;
