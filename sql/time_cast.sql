-- The time of a ulid compared by the server's own operators: id::timestamptz >= t.
SET timezone = 'UTC';
SET datestyle = 'ISO';
SET intervalstyle = 'postgres';

CREATE TABLE events (id ulid PRIMARY KEY, n int, at timestamptz);
INSERT INTO events
SELECT id, i, id::timestamptz
FROM generate_series(0, 19999) AS i,
     LATERAL (SELECT make_ulid('2026-01-01 00:00+00'::timestamptz + i * interval '129.6 s',
                               decode(substr(md5(i::text), 1, 20), 'hex'))) AS ids (id);
VACUUM ANALYZE events;

--
-- Plans
--
-- Print the results below, mostly plans, without headers and borders.
\pset format unaligned
\pset tuples_only on
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz >= '2026-01-30 12:00+00';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz > '2026-01-30 12:00+00';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz < '2026-01-02+00';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz <= '2026-01-02+00';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE '2026-01-30 12:00+00' <= ulid_timestamp(id);
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE '2026-01-30 12:00+00' < ulid_timestamp(id);
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE '2026-01-02+00' > ulid_timestamp(id);
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE '2026-01-02+00' >= ulid_timestamp(id);
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE ulid_timestamp(id) BETWEEN '2026-01-05+00' AND '2026-01-06+00';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz >= now() - interval '1 day';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz >= current_date;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz < timestamp '2026-01-02';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE timestamp '2026-01-02' > id::timestamptz;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE date '2026-01-30' <= id::timestamptz;
-- Constants at the ends of the range, where bounds saturate, keep the cast.
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz < '1970-01-01+00';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz <= '10889-08-02+00';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz < 'infinity';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz < date '5874897-12-31';
SELECT count(*) FROM events WHERE id::timestamptz > NULL;
SELECT id::timestamptz < 'infinity' AS t FROM (SELECT ulid '7ZZZZZZZZZZZZZZZZZZZZZZZZZ' OFFSET 0) AS ids (id) WHERE id::timestamptz < 'infinity';
-- So do dates whose microseconds would wrap around 64 bits to our time.
SELECT count(*) FROM events WHERE id::timestamptz < date '586554-06-10';
SELECT count(*) FROM events WHERE id::timestamptz < date '586580-02-09';
-- So do a date or timestamp that the planner cannot compute, as a timestamptz may not hold it.
SELECT count(*) FROM events WHERE id::timestamptz < (SELECT date '5000000-01-01');
SELECT count(*) FROM events WHERE id::timestamptz < now() + interval '200000 years';
SET plan_cache_mode = force_generic_plan;
PREPARE before(date) AS SELECT count(*) FROM events WHERE id::timestamptz < $1;
EXECUTE before('5000000-01-01');
DEALLOCATE before;
RESET plan_cache_mode;
-- A time zone of 150 hours, of which a constant timestamp is converted as it is without the rewrite.
CREATE TABLE least (id ulid);
INSERT INTO least VALUES ('00000000000000000000000000'), (ulid_min('1970-01-03+00'));
SET timezone = '-150';
SELECT id FROM least WHERE id::timestamptz >= timestamp '1969-12-29';
SELECT id FROM least WHERE id::timestamptz < timestamp '1969-12-29';
SET timezone = 'UTC';
DROP TABLE least;
-- Under OR and NOT.
EXPLAIN (COSTS OFF)
SELECT * FROM events WHERE id::timestamptz < '2026-01-01 01:00+00' OR id::timestamptz > '2026-01-30 23:00+00';
EXPLAIN (COSTS OFF)
SELECT * FROM events WHERE NOT (id::timestamptz <= '2026-01-30 23:00+00' OR id::timestamptz > '2026-01-31+00');
-- A join on the cast keeps it: there the operator is the way to write it (test time).
CREATE TABLE incidents (name text, began timestamptz, ended timestamptz);
INSERT INTO incidents VALUES
    ('a', '2026-01-07 01:00+00', '2026-01-07 02:00+00'),
    ('b', '2026-01-20 13:00+00', '2026-01-20 14:00+00'),
    ('c', '2026-02-20 13:00+00', NULL);
ANALYZE incidents;
EXPLAIN (COSTS OFF)
SELECT name, count(id) FROM incidents LEFT JOIN events ON id::timestamptz BETWEEN began AND ended GROUP BY name;
SELECT name, count(id) FROM incidents LEFT JOIN events ON id::timestamptz BETWEEN began AND ended
GROUP BY name ORDER BY name;
-- In ON, and in a lateral subquery, where the time is a parameter.
EXPLAIN (COSTS OFF)
SELECT name, id FROM incidents LEFT JOIN events ON id::timestamptz BETWEEN '2026-01-05+00' AND '2026-01-06+00';
EXPLAIN (COSTS OFF)
SELECT name, c FROM incidents, LATERAL (SELECT count(*) AS c FROM events WHERE id::timestamptz BETWEEN began AND ended) AS counts;
-- Beside conditions of other shapes: an operator with one operand, a function, a column.
SELECT count(*) FROM events
WHERE id::timestamptz >= '2026-01-30 12:00+00' AND ?- lseg(point(n, 0), point(0, 0))
  AND isfinite(at) AND (n > 0) AND (at IS NOT NULL OR NOT isfinite(at));
PREPARE since(timestamptz) AS SELECT count(*) FROM events WHERE id::timestamptz >= $1;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE since('2026-01-30 12:00+00');
EXECUTE since('2026-01-30 12:00+00');
EXECUTE since('infinity');
SET plan_cache_mode = force_custom_plan;
EXPLAIN (COSTS OFF) EXECUTE since('2026-01-30 12:00+00');
EXECUTE since('2026-01-30 12:00+00');
RESET plan_cache_mode;
EXPLAIN (COSTS OFF) UPDATE events SET n = 0 WHERE id::timestamptz < '2026-01-02+00';
EXPLAIN (COSTS OFF) DELETE FROM events WHERE id::timestamptz < '2026-01-02+00';
EXPLAIN (COSTS OFF)
MERGE INTO events USING incidents ON id::timestamptz >= '2026-01-30 12:00+00'
WHEN MATCHED THEN UPDATE SET n = 0;
-- Through a view, of which the time is a column, and through a security barrier.
CREATE VIEW timed AS SELECT id::timestamptz AS created, * FROM events;
EXPLAIN (COSTS OFF) SELECT * FROM timed WHERE created >= '2026-01-30 12:00+00';
CREATE VIEW guarded WITH (security_barrier) AS SELECT id::timestamptz AS created, n FROM events WHERE id::timestamptz > '2026-01-30 12:00+00';
EXPLAIN (COSTS OFF) SELECT n FROM guarded WHERE created < '2026-01-30 13:00+00';
-- Over the partitions of a table, and the tables of a UNION ALL.
CREATE TABLE orders (id ulid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE orders_1 PARTITION OF orders FOR VALUES FROM (ulid_min('2026-01-01+00')) TO (ulid_min('2026-02-01+00'));
CREATE TABLE orders_2 PARTITION OF orders FOR VALUES FROM (ulid_min('2026-02-01+00')) TO (ulid_min('2026-03-01+00'));
EXPLAIN (COSTS OFF) SELECT * FROM orders WHERE id::timestamptz >= '2026-02-05+00';
SET plan_cache_mode = force_generic_plan;
PREPARE orders(timestamptz) AS SELECT * FROM orders WHERE id::timestamptz >= $1;
EXPLAIN (COSTS OFF) EXECUTE orders('2026-02-05+00');
RESET plan_cache_mode;
-- A column of a domain over ulid.
CREATE DOMAIN entry_id AS ulid;
CREATE TABLE domains AS SELECT id::entry_id AS id FROM events;
CREATE INDEX ON domains (id);
ANALYZE domains;
EXPLAIN (COSTS OFF) SELECT count(*) FROM domains WHERE id::timestamptz >= '2026-01-30 12:00+00';
-- Left as it is: equality, what is not a condition, the tables of a UNION ALL.
-- A plan as one text: servers show it in different ways.
\set ECHO none
\i test/pgtap/include/plan_of.psql
\set ECHO all
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz = '2026-01-02+00';
SELECT DISTINCT id::timestamptz > 'infinity' AS f FROM events;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE (id::timestamptz > '2026-01-30+00') IS NOT TRUE;
CREATE VIEW both_tables AS SELECT id FROM events UNION ALL SELECT id FROM orders;
SELECT plan_of($$SELECT * FROM both_tables WHERE id::timestamptz > '2026-01-30 12:00+00'$$) ~ 'Filter: .*id\)::timestamp' AS by_the_cast;

-- In their places among the other conditions.
CREATE TABLE places (id ulid, k int);
INSERT INTO places VALUES (ulid_min('2024-01-01+00'), 0), (ulid_min('2025-06-01+00'), 1);
SELECT k FROM places WHERE id::timestamptz >= date '2025-01-01' AND 1 / k > 0;
DROP TABLE places;
-- Days are few where there are statistics of them.
CREATE STATISTICS events_days ON (date_trunc('day', id::timestamptz, 'UTC')) FROM events;
ANALYZE events;
CREATE FUNCTION days() RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) SELECT date_trunc(''day'', id::timestamptz, ''UTC''), count(*) FROM events GROUP BY 1' INTO plan;
    RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END $$;
SELECT days() AS with_statistics;
DROP STATISTICS events_days;
SELECT days() AS without;
DROP FUNCTION days;
--
-- Tables that have an index or a partition key on the time keep their conditions as they are written
--
-- The condition that a table's plan shows for the time of a column: by the cast, or by the ulid.
CREATE FUNCTION shown(relation text, col text DEFAULT 'id') RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN plan_of(format('SELECT * FROM %s WHERE %I::timestamptz >= %L', relation, col, '2026-01-30+00'))
                     ~ '(Cond|Filter): .*::timestamp with' THEN 'cast' ELSE 'ulid' END
$$;
CREATE TABLE known (id ulid PRIMARY KEY, other ulid, day date);
SELECT shown('known');
CREATE INDEX i ON known (ulid_timestamp(id));
SELECT shown('known'), shown('known', 'other') AS other;
DROP INDEX i;
CREATE INDEX i ON known USING brin (day, (id::timestamptz));
SELECT shown('known');
DROP INDEX i;
CREATE INDEX i ON known (day) WHERE id::timestamptz >= '2026-01-01+00';
SELECT shown('known');
DROP INDEX i;
-- A function that is inlined.
CREATE FUNCTION time_of(id ulid) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS 'SELECT id::timestamptz';
CREATE INDEX i ON known (time_of(id));
SELECT shown('known');
DROP INDEX i;
CREATE TABLE by_time (id ulid, n int) PARTITION BY RANGE (time_of(id));
CREATE TABLE by_time_1 PARTITION OF by_time FOR VALUES FROM (MINVALUE) TO ('2026-02-01+00');
CREATE TABLE by_time_2 PARTITION OF by_time FOR VALUES FROM ('2026-02-01+00') TO (MAXVALUE);
SELECT shown('by_time');
SELECT plan_of($$SELECT * FROM by_time WHERE id::timestamptz >= '2026-02-05+00'$$) ~ 'by_time_1' AS both_partitions;
DROP TABLE by_time;
-- Not by a day that is derived from it, nor by the time of another column.
CREATE INDEX i ON known (((id::timestamptz AT TIME ZONE 'UTC')::date));
CREATE INDEX j ON known (ulid_timestamp(other));
CREATE STATISTICS s ON (id::timestamptz) FROM known;
SELECT shown('known'), shown('known', 'other') AS other;
-- What another table has, a child or a parent among them, changes nothing.
CREATE TABLE child () INHERITS (known);
CREATE INDEX ON child (ulid_timestamp(id));
SELECT shown('known'), shown('child') AS child;
DROP TABLE known, child;
-- A role that may not use a function gets the error that it gets without the rewrite.
CREATE ROLE time_cast_reader;
GRANT SELECT ON events TO time_cast_reader;
REVOKE EXECUTE ON FUNCTION ulid_ge_timestamptz(ulid, timestamptz) FROM PUBLIC;
SET ROLE time_cast_reader;
SELECT plan_of($$SELECT * FROM events WHERE id::timestamptz >= '2026-01-30+00'$$) ~ 'Filter: .*::timestamp with' AS by_the_cast;
SELECT count(*) FROM events WHERE id::timestamptz >= '2026-01-30+00';
RESET ROLE;
GRANT EXECUTE ON FUNCTION ulid_ge_timestamptz(ulid, timestamptz) TO PUBLIC;
REVOKE EXECUTE ON FUNCTION ulid_timestamp(ulid) FROM PUBLIC;
SET ROLE time_cast_reader;
SELECT count(*) FROM events WHERE id::timestamptz >= '2026-01-30+00';
RESET ROLE;
GRANT EXECUTE ON FUNCTION ulid_timestamp(ulid) TO PUBLIC;
REVOKE ALL ON events FROM time_cast_reader;
DROP ROLE time_cast_reader;

SET ulid.rewrite_time_casts = off;
EXPLAIN (COSTS OFF, SETTINGS) SELECT * FROM events WHERE id::timestamptz >= '2026-01-30 12:00+00';
RESET ulid.rewrite_time_casts;
-- The prefix of the setting is reserved.
SET ulid.rewrite_time_cast = off;

-- The first query of a session is rewritten too: planning it loads the module.
\c -
SET timezone = 'UTC';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz >= '2026-01-30 12:00+00';

-- A volatile argument is evaluated as often as it would be without the rewrite: for every row.
CREATE SEQUENCE calls;
CREATE FUNCTION counted(t timestamptz) RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT t + 0 * nextval(''calls'') * interval ''1 second''';
SELECT count(*) FROM events WHERE n < 10 AND id::timestamptz >= counted('2026-01-01+00');
SELECT last_value FROM calls;

DROP TABLE events, incidents, orders, domains CASCADE;
DROP DOMAIN entry_id;
DROP SEQUENCE calls;
DROP FUNCTION counted, shown, time_of, plan_of;
