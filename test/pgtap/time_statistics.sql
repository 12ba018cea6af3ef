-- An equality of id::timestamptz with a time that is not known when the query is planned, and a grouping by
-- it, are estimated as those of a timestamptz column with the same times, whatever the ids are like.
BEGIN;
SELECT no_plan();
SET LOCAL timezone = 'UTC';
SET LOCAL plan_cache_mode = force_generic_plan;
SET LOCAL max_parallel_workers_per_gather = 0;

CREATE TABLE spans AS SELECT '2026-01-01Z'::timestamptz + n * interval '7 min' AS t FROM generate_series(1, 200) AS n;
ANALYZE spans;

-- Makes a table with an id, and its twin with the time of that: `at` is the time of the row n.
CREATE FUNCTION make(name text, at text, type text DEFAULT 'ulid', rows int DEFAULT 20000, analyzed bool DEFAULT true)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TABLE %I AS SELECT gen_ulid((%s)::timestamptz)::%s AS id, n FROM generate_series(1, %s) AS n', name, at, type, rows);
    EXECUTE format('CREATE TABLE %I AS SELECT id::ulid::timestamptz AS id, n FROM %I', name || '_twin', name);
    IF analyzed THEN
        EXECUTE format('ANALYZE %1$I; ANALYZE %1$s_twin', name);
    END IF;
END $$;
SELECT make('spread', $$'2026-01-01Z'::timestamptz + n * interval '1 min'$$);
SELECT make('in_a_hurry', $$'2026-01-01Z'::timestamptz + n / 500 * interval '1 ms'$$);
SELECT make('in_batches', $$'2026-01-01Z'::timestamptz + n / 1000 * interval '1 hour' + n % 50 * interval '1 ms'$$);
SELECT make('with_null', $$CASE WHEN n % 4 <> 0 THEN '2026-01-01Z'::timestamptz + n * interval '1 min' END$$);
SELECT make('all_null', 'NULL');
SELECT make('as_uuid', $$'2026-01-01Z'::timestamptz + n * interval '1 min'$$, 'uuid');
SELECT make('not_analyzed', $$'2026-01-01Z'::timestamptz + n * interval '1 min'$$, analyzed => false);
ALTER TABLE not_analyzed ADD PRIMARY KEY (id);
ALTER TABLE not_analyzed_twin ADD PRIMARY KEY (id);
-- Ids that refer to few rows.
CREATE TABLE referring AS SELECT s.id, n FROM generate_series(1, 20000) AS n
JOIN (SELECT id, n AS k FROM spread) AS s ON s.k = n % 40 * 7;
CREATE TABLE referring_twin AS SELECT id::timestamptz AS id, n FROM referring;
CREATE DOMAIN event_id AS ulid;
CREATE TABLE of_domain AS SELECT id::event_id AS id, n FROM spread;
CREATE TABLE of_domain_twin AS TABLE spread_twin;
CREATE TABLE parent (id ulid, n int) PARTITION BY HASH (n);
CREATE TABLE parent_0 PARTITION OF parent FOR VALUES WITH (modulus 2, remainder 0);
CREATE TABLE parent_1 (n int, dropped int, id ulid); -- other columns, so that they are to be translated
ALTER TABLE parent_1 DROP dropped;
ALTER TABLE parent ATTACH PARTITION parent_1 FOR VALUES WITH (modulus 2, remainder 1);
INSERT INTO parent TABLE spread;
CREATE TABLE parent_twin (id timestamptz, n int) PARTITION BY HASH (n);
CREATE TABLE parent_twin_0 PARTITION OF parent_twin FOR VALUES WITH (modulus 2, remainder 0);
CREATE TABLE parent_twin_1 PARTITION OF parent_twin FOR VALUES WITH (modulus 2, remainder 1);
INSERT INTO parent_twin TABLE spread_twin;
CREATE TABLE heir () INHERITS (spread);
CREATE TABLE heir_twin () INHERITS (spread_twin);
INSERT INTO heir SELECT gen_ulid(id::timestamptz - interval '1 year'), n FROM ONLY spread;
INSERT INTO heir_twin SELECT id::timestamptz FROM heir;
ANALYZE referring, referring_twin, of_domain, of_domain_twin, parent, parent_twin, spread, spread_twin, heir, heir_twin;

CREATE TEMP TABLE shapes (query text, is_generic bool DEFAULT false);
INSERT INTO shapes VALUES
    ('SELECT FROM TABLE WHERE TIME = $1', true),
    ('SELECT FROM TABLE WHERE TIME = $1 OR TIME = $1 + interval ''1 min''', true),
    ('SELECT FROM TABLE WHERE TIME = $1 AND n < 100', true),
    ('SELECT FROM TABLE WHERE TIME > ''2025-12-01Z'' AND TIME = $1', true),
    ('SELECT FROM TABLE WHERE TIME = $1 AND TIME > ''2025-12-01Z''', true),
    ('SELECT FROM TABLE WHERE TIME = (SELECT min(t) FROM spans)', false),
    ('SELECT FROM TABLE JOIN spans ON t = TIME', false),
    ('SELECT FROM TABLE JOIN spans ON t = TIME WHERE t = ''2026-01-01 07:00Z''', false),
    ('SELECT FROM TABLE JOIN spans ON t = TIME WHERE t > ''2026-01-01 12:00Z''', false),
    ('SELECT FROM spans LEFT JOIN TABLE ON t = TIME', false),
    ('SELECT FROM TABLE FULL JOIN spans ON t = TIME', false),
    ('SELECT FROM spans WHERE t IN (SELECT TIME FROM TABLE)', false),
    ('SELECT FROM spans WHERE NOT EXISTS (SELECT FROM TABLE WHERE TIME = t)', false),
    ('SELECT FROM TABLE WHERE TIME IN (SELECT t FROM spans)', false),
    ('SELECT FROM TABLE JOIN TABLE AS other ON TIME = other.TIME', false),
    ('SELECT TIME, count(*) FROM TABLE GROUP BY TIME', false),
    ('SELECT DISTINCT TIME FROM TABLE', false);

CREATE FUNCTION estimate(query text, is_generic bool) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
    IF is_generic THEN
        EXECUTE 'PREPARE q(timestamptz) AS ' || query;
        EXECUTE 'EXPLAIN (FORMAT JSON) EXECUTE q(''2026-01-01 07:00Z'')' INTO plan;
        DEALLOCATE q;
    ELSE
        EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
    END IF;
    RETURN (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8;
END $$;
CREATE FUNCTION estimate(query text, is_generic bool, name text, expression text) RETURNS float8 LANGUAGE sql AS $$
    SELECT estimate(replace(replace(q, 'other.TIME', 'other.' || expression), 'TIME',
                            CASE WHEN q ~ 'AS other' THEN name || '.' ELSE '' END || expression), is_generic)
    FROM (SELECT replace(query, 'TABLE', name)) AS q (q)
$$;

-- Not what follows from statistics that a ulid column cannot have: the few times of all rows as the most common
-- ones, of which a constant is none. And of uuids, the two bounds under OR are compared by the server's own
-- operators, and estimated by its own guess.
CREATE TEMP TABLE estimates AS
SELECT name, query, estimate(query, is_generic, name, e) AS of_ulid, estimate(query, is_generic, name || '_twin', 'id') AS of_time,
       of_text.without
FROM unnest('{spread,in_a_hurry,in_batches,with_null,all_null,as_uuid,not_analyzed,referring,of_domain,parent}'::text[]) AS name,
     LATERAL (SELECT CASE name WHEN 'as_uuid' THEN 'id::ulid::timestamptz' ELSE 'id::timestamptz' END) AS c (e), shapes,
     LATERAL (SELECT set_config('ulid.rewrite_time_casts', 'off', true) AS off, estimate(query, is_generic, name, e) AS without,
                     set_config('ulid.rewrite_time_casts', 'on', true)) AS of_text
WHERE NOT (name = 'in_a_hurry' AND query ~ 't = ''') AND NOT (name = 'as_uuid' AND query ~ ' OR ');
SELECT is(string_agg(format('%s rather than %s: %s', of_ulid, of_time, query), E'\n') FILTER (WHERE query IS NOT NULL), NULL, name || ': as a timestamptz column')
FROM (SELECT name FROM estimates GROUP BY name) AS n
LEFT JOIN (SELECT * FROM estimates WHERE greatest(of_ulid, of_time) > 2 * greatest(least(of_ulid, of_time), 1)) AS e USING (name)
GROUP BY name ORDER BY name;
SELECT is(count(DISTINCT name), 10::bigint, 'all tables') FROM estimates;
SELECT cmp_ok(count(*), '>', 40::bigint, 'of which many are far better than without the rewrite')
FROM estimates WHERE greatest(without, of_time) > 4 * greatest(least(without, of_time), 1);

-- Statistics of values that a role must not see are not shown to operators that may leak them: here there are
-- none such, and the estimate is the same.
CREATE ROLE time_reader;
GRANT SELECT ON spans TO time_reader;
CREATE VIEW shown AS SELECT id::timestamptz AS at, n FROM spread WHERE n > 5;
GRANT SELECT ON shown TO time_reader;
SET LOCAL ROLE time_reader;
SELECT cmp_ok(estimate('SELECT FROM shown JOIN spans ON t = at', false), '<', 400::float8, 'a view of a table that is not to be read');
RESET ROLE;

-- A condition that is found to be always true leaves no column to be read (17+), and no scan of these statistics.
ALTER TABLE spread ALTER n SET NOT NULL;
SELECT is(count(*), 20000::bigint, 'a query that needs no column')
FROM ONLY spread WHERE id::timestamptz::date = '2026-01-01' OR n IS NOT NULL;

SELECT * FROM finish();
ROLLBACK;
