-- How many conditions the estimator looks at, from both sides of the limit.
BEGIN;
SELECT * FROM no_plan();
CREATE TABLE event AS SELECT gen_ulid('2026-01-01Z'::timestamptz + n * interval '1 s') AS id, n FROM generate_series(1, 100000) AS n;
ANALYZE event;
CREATE FUNCTION pg_temp.rows_of(condition text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) SELECT FROM event WHERE ' || condition INTO plan;
    RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END $$;

-- An hour has 3600 of the rows. Beside more than 1,024 conditions, its two bounds are estimated one by one: 25,000. (The other limit,
-- of conditions joined by OR, takes a minute to reach.)
CREATE FUNCTION pg_temp.beside(others int) RETURNS float8 LANGUAGE sql AS $$
    SELECT pg_temp.rows_of('id >= ''2026-01-01 10:00Z''::timestamptz AND id < ''2026-01-01 11:00Z''::timestamptz'
        || string_agg(' AND n <> -' || i, '')) FROM generate_series(1, others) AS i $$;
SELECT ok(pg_temp.beside(1022) BETWEEN 3000 AND 4000, 'a range beside 1,022 other conditions');
SELECT ok(pg_temp.beside(1023) > 20000, 'beside 1,023, each bound by itself');
SELECT * FROM finish();
ROLLBACK;
