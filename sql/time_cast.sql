-- The time of a ulid compared by the server's own operators: id::timestamptz >= t.
SET timezone = 'UTC';
SET datestyle = 'ISO';
SET intervalstyle = 'postgres';

-- The same where no ulid answers: NULL. These serve the rewrite of casts.
SELECT t, ulid_planner_ge(t), ulid_planner_gt(t), ulid_planner_lt(t), ulid_planner_le(t)
FROM (VALUES
    ('-infinity'::timestamptz),
    ('1969-12-31 23:59:59.999999+00'), ('1970-01-01 00:00:00+00'),
    ('1970-01-01 00:00:00.000001+00'), ('1970-01-01 00:00:00.001+00'),
    ('10889-08-02 05:31:50.655+00'), ('10889-08-02 05:31:50.655001+00'), ('infinity')
) AS times (t);

SELECT ulid_planner_time(d), ulid_planner_time(d::timestamp)
FROM unnest('{-infinity,4714-11-24 BC,1969-12-29,1969-12-31,2026-07-01,10889-08-03,10889-08-05,infinity}'::date[]) AS d;
SELECT ulid_planner_time(date '5874897-12-31');
SET timezone = 'Europe/Amsterdam';
SELECT ulid_planner_time(date '2026-07-01') = timestamptz '2026-07-01', ulid_planner_time(timestamp '2026-12-01 12:00') = timestamptz '2026-12-01 12:00';
SET timezone = 'UTC';

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
-- What follows is shown without the frame of a table, plans above all.
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
-- Where no ulid answers.
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz < '1970-01-01+00' OR n = 3;
-- Under OR, in a join, in a subquery, in a prepared statement, to change rows.
EXPLAIN (COSTS OFF)
SELECT * FROM events WHERE id::timestamptz < '2026-01-01 01:00+00' OR id::timestamptz > '2026-01-30 23:00+00';
EXPLAIN (COSTS OFF)
SELECT * FROM events WHERE NOT (id::timestamptz <= '2026-01-30 23:00+00' OR id::timestamptz > '2026-01-31+00');
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
EXPLAIN (COSTS OFF)
SELECT name FROM incidents WHERE EXISTS (SELECT FROM events WHERE id::timestamptz BETWEEN began AND ended);
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
MERGE INTO events USING incidents ON id::timestamptz BETWEEN began AND ended
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
-- Left as it is: equality, where NULL is not as good as false, the tables of a UNION ALL.
-- A plan as one text: servers show it in different ways.
\set ECHO none
\i test/pgtap/include/plan_of.psql
\set ECHO all
CREATE FUNCTION is_found_empty(query text) RETURNS boolean LANGUAGE sql AS $$ SELECT plan_of(query) ~ 'One-Time Filter: false' $$;
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
-- So are all conditions on a time that is also compared by =, IN or IS NULL, as these may contradict one another.
SET constraint_exclusion = on;
SELECT is_found_empty($$SELECT * FROM events WHERE id::timestamptz = '2025-03-01+00' AND id::timestamptz < '2025-02-01+00'$$);
SELECT is_found_empty($$SELECT * FROM events WHERE id::timestamptz IN ('2025-03-01+00', '2025-04-01+00') AND id::timestamptz < '2025-02-01+00'$$);
SELECT is_found_empty($$SELECT * FROM events WHERE id::timestamptz IS NULL AND id::timestamptz < '2025-02-01+00'$$);
RESET constraint_exclusion;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz < '2025-02-01+00' AND date_trunc('day', id::timestamptz) = '2025-01-01';
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
-- So is a join with a column that has an index, by which its table may be the one to be searched.
CREATE INDEX incidents_began ON incidents (began);
SET enable_seqscan = off;
SELECT plan_of($$SELECT * FROM events JOIN incidents ON began >= id::timestamptz AND began < id::timestamptz + interval '5 min' WHERE n = 7$$)
    ~ 'Index Cond: \(\(began >= .* AND \(began < ' AS both_bounds;
RESET enable_seqscan;
DROP INDEX incidents_began;
-- What is always false leaves nothing behind.
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE (n = 1 AND id::timestamptz < '-infinity') OR (n = 2 AND id::timestamptz < '2025-01-02+00');

--
-- Tables that are known by the time, which keep their conditions as they are written
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
CREATE INDEX i ON known ((id::timestamptz >= '2026-01-01+00'));
SELECT shown('known');
DROP INDEX i;
ALTER TABLE known ADD CONSTRAINT c CHECK (id::timestamptz >= '2020-01-01+00');
SELECT shown('known');
SET constraint_exclusion = on; -- without which the planner does not look at it
SELECT shown('known');
SELECT is_found_empty($$SELECT * FROM known WHERE id::timestamptz < '2019-01-01+00'$$);
RESET constraint_exclusion;
ALTER TABLE known DROP CONSTRAINT c;
-- A function that is inlined.
CREATE FUNCTION time_of(id ulid) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS 'SELECT id::timestamptz';
CREATE INDEX i ON known (time_of(id));
SELECT shown('known');
DROP INDEX i;
CREATE TABLE by_function (id ulid) PARTITION BY RANGE (time_of(id));
CREATE TABLE by_function_1 PARTITION OF by_function DEFAULT;
SELECT shown('by_function');
DROP TABLE by_function;
-- Not by a day that is derived from it, nor by the time of another column, nor by an index that is not valid.
CREATE INDEX i ON known (((id::timestamptz AT TIME ZONE 'UTC')::date));
CREATE INDEX j ON known (ulid_timestamp(other));
CREATE STATISTICS s ON (id::timestamptz) FROM known;
SELECT shown('known'), shown('known', 'other') AS other;
DROP TABLE known;
-- Of partitions and children: what one of them has, all have. A name that is changed is followed.
CREATE TABLE parent (n int, id ulid);
CREATE TABLE child (x int) INHERITS (parent);
CREATE TABLE grandchild () INHERITS (child);
CREATE TABLE sibling () INHERITS (parent);
SELECT shown('parent'), shown('child') AS child, shown('grandchild') AS grandchild, shown('sibling') AS sibling;
ALTER TABLE grandchild ADD CONSTRAINT c CHECK (id::timestamptz < '2026-02-01+00');
SELECT shown('parent'), shown('child') AS child, shown('grandchild') AS grandchild, shown('sibling') AS sibling, shown('ONLY parent') AS only;
ALTER TABLE parent RENAME id TO key;
SELECT shown('parent', 'key'), shown('sibling', 'key') AS sibling;
ALTER TABLE grandchild NO INHERIT child;
SELECT shown('parent', 'key'), shown('grandchild', 'key') AS grandchild;
DROP TABLE parent, child, grandchild, sibling;
CREATE TABLE parent (id ulid, CHECK (id::timestamptz >= '2025-01-01+00'));
CREATE TABLE other_parent (id ulid);
CREATE TABLE child () INHERITS (parent, other_parent);
SELECT shown('other_parent');
DROP TABLE parent, other_parent, child;
CREATE INDEX ON orders_1 (ulid_timestamp(id));
SELECT shown('orders'), shown('orders_1') AS orders_1, shown('orders_2') AS orders_2;
DROP INDEX orders_1_ulid_timestamp_idx;
CREATE INDEX orders_time ON orders (ulid_timestamp(id));
SELECT shown('orders'), shown('orders_1') AS orders_1, shown('orders_2') AS orders_2;
DROP INDEX orders_time;
SELECT shown('orders'), shown('orders_1') AS orders_1, shown('orders_2') AS orders_2;
CREATE TABLE by_time (id ulid, n int) PARTITION BY RANGE (ulid_timestamp(id));
CREATE TABLE by_time_1 PARTITION OF by_time FOR VALUES FROM (MINVALUE) TO ('2026-02-01+00') PARTITION BY LIST (n);
CREATE TABLE by_time_1_1 PARTITION OF by_time_1 FOR VALUES IN (1);
CREATE INDEX ON by_time_1_1 (id);
SELECT shown('by_time'), shown('by_time_1') AS by_time_1, shown('by_time_1_1') AS by_time_1_1;
SET constraint_exclusion = on;
SELECT shown('by_time'), shown('by_time_1') AS by_time_1, shown('by_time_1_1') AS by_time_1_1;
SELECT is_found_empty($$SELECT * FROM by_time_1_1 WHERE id::timestamptz >= '2026-02-01+00'$$);
RESET constraint_exclusion;
ALTER TABLE by_time DETACH PARTITION by_time_1;
SELECT shown('by_time_1'), shown('by_time_1_1') AS by_time_1_1;
DROP TABLE by_time, by_time_1;

SET ulid.rewrite_time_casts = off;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz >= '2026-01-30 12:00+00';
RESET ulid.rewrite_time_casts;
-- Settings of this name are ours alone.
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
DROP FUNCTION counted, shown, time_of, is_found_empty, plan_of;
