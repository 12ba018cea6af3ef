-- Conditions on the time of a ulid (doc/time.md).
SET timezone = 'UTC';
SET datestyle = 'ISO';
SET intervalstyle = 'postgres';

--
-- Bounds
--
SELECT t, ulid_lower_bound(t), ulid_upper_bound(t)
FROM (VALUES
    ('-infinity'::timestamptz), ('4714-11-24 00:00:00+00 BC'),
    ('1969-12-31 23:59:59.999999+00'), ('1970-01-01 00:00:00+00'),
    ('1970-01-01 00:00:00.000001+00'), ('1970-01-01 00:00:00.000999+00'),
    ('1970-01-01 00:00:00.001+00'), ('2026-01-01 00:00:00+00'),
    ('10889-08-02 05:31:50.654999+00'), ('10889-08-02 05:31:50.655+00'),
    ('10889-08-02 05:31:50.655001+00'), ('10889-08-02 05:31:50.656+00'),
    -- Unix microseconds overflow 64 bits.
    ('294247-01-10 04:00:54.774807+00'), ('294247-01-10 04:00:54.775807+00'), ('294247-01-10 04:00:54.775808+00'),
    ('294276-12-31 23:59:59.999999+00'), ('infinity')
) AS times (t);

--
-- Plans. 20,000 ulids over 30 days.
--
-- Print the results below, mostly plans, without headers and borders.
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION ulid_at(at timestamptz, i int) RETURNS ulid LANGUAGE sql IMMUTABLE
    RETURN make_ulid(at, decode(substr(md5(i::text), 1, 20), 'hex'));

CREATE TABLE events (id ulid PRIMARY KEY, n int);
INSERT INTO events
SELECT ulid_at('2026-01-01 00:00+00'::timestamptz + i * interval '129.6 s', i), i
FROM generate_series(0, 19999) AS i;
VACUUM ANALYZE events;

-- A constant is a bound at plan time.
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id >= '2026-01-30 12:00+00'::timestamptz;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id > '2026-01-30 12:00+00'::timestamptz;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id < '2026-01-02+00'::timestamptz;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id <= '2026-01-02+00'::timestamptz;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE '2026-01-30 12:00+00'::timestamptz <= id;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE '2026-01-30 12:00+00'::timestamptz < id;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE '2026-01-02+00'::timestamptz > id;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE '2026-01-02+00'::timestamptz >= id;
EXPLAIN (COSTS OFF)
SELECT * FROM events
WHERE id BETWEEN '2026-01-05+00'::timestamptz AND '2026-01-06+00'::timestamptz;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE NOT id < '2026-01-30 12:00+00'::timestamptz;

-- A stable expression is evaluated once, when the index scan starts; so are date and timestamp.
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id >= now() - interval '1 day';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id >= current_date;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id >= timestamp '2026-01-30 12:00';

-- A parameter of a prepared statement: its value in a custom plan, itself in a generic one.
PREPARE since(timestamptz) AS SELECT count(*) FROM events WHERE id >= $1;
SET plan_cache_mode = force_custom_plan;
EXPLAIN (COSTS OFF) EXECUTE since('2026-01-30 12:00+00');
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE since('2026-01-30 12:00+00');
RESET plan_cache_mode;
DEALLOCATE since;

-- A column of another table: a nested loop over the index.
CREATE TABLE incidents (name text, began timestamptz, ended timestamptz);
INSERT INTO incidents VALUES
    ('a', '2026-01-07 01:00+00', '2026-01-07 02:00+00'),
    ('b', '2026-01-20 13:00+00', '2026-01-20 14:00+00'),
    ('c', '2026-02-20 13:00+00', NULL);
ANALYZE incidents;
EXPLAIN (COSTS OFF)
SELECT name, count(*) FROM incidents JOIN events ON id BETWEEN began AND ended GROUP BY name;

-- A volatile argument is evaluated for every row.
CREATE SEQUENCE calls;
CREATE FUNCTION counted(t timestamptz) RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT t + 0 * nextval(''calls'') * interval ''1 second''';
SELECT count(*) FROM events WHERE n < 10 AND id >= counted('2026-01-01+00');
SELECT last_value FROM calls;

--
-- Ranges
--
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE ulid_within(id, tstzrange('2026-01-05+00', '2026-01-06+00'));
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE ulid_within(id, tstzrange('2026-01-05+00', '2026-01-06+00', '(]'));
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE ulid_within(id, tstzrange('2026-01-30 12:00+00', NULL));
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE ulid_within(id, tstzrange(NULL, '2026-01-02+00'));
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE ulid_within(id, 'empty');
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE ulid_within(id, tstzrange(now() - interval '1 day', now()));
EXPLAIN (COSTS OFF)
SELECT name, count(*) FROM incidents JOIN events ON ulid_within(id, tstzrange(began, ended)) GROUP BY name;
-- A domain over tstzrange is one.
CREATE DOMAIN working_hours AS tstzrange;
SELECT count(*) FROM events WHERE ulid_within(id, tstzrange('2026-01-05+00', '2026-01-06+00')::working_hours);
-- Not inlined where the range would be evaluated twice.
EXPLAIN (COSTS OFF)
SELECT * FROM events WHERE ulid_within(id, tstzrange(counted('2026-01-05+00'), '2026-01-06+00'));
CREATE FUNCTION costly() RETURNS tstzrange LANGUAGE plpgsql STABLE COST 1000
    AS 'BEGIN RETURN tstzrange(''2026-01-05+00'', ''2026-01-06+00''); END';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE ulid_within(id, costly());
SELECT count(*) FROM events WHERE ulid_within(id, costly());
-- Other ranges need a cast.
\set VERBOSITY sqlstate
SELECT FROM events WHERE ulid_within(id, daterange('2026-01-05', '2026-01-06'));
\set VERBOSITY default

-- Bounds inclusive and exclusive, infinite, empty, and between two milliseconds.
SELECT r, ulid_range_min(r), ulid_range_max(r)
FROM (VALUES
    ('[2026-01-01 00:00+00, 2026-01-02 00:00+00)'::tstzrange),
    ('(2026-01-01 00:00+00, 2026-01-02 00:00+00]'),
    ('[2026-01-01 00:00+00, 2026-01-01 00:00+00]'),
    ('[2026-01-01 00:00:00.0001+00, 2026-01-01 00:00:00.0009+00]'),
    ('(2026-01-01 00:00:00.0001+00, 2026-01-01 00:00:00.0009+00)'),
    ('(2026-01-01 00:00:00.0001+00, 2026-01-01 00:00:00.0009+00]'),
    ('[2026-01-01 00:00:00.0001+00, 2026-01-01 00:00:00.0009+00)'),
    ('(,)'), ('[-infinity, infinity]'), ('[infinity,)'), ('(infinity,)'), ('[,infinity]'),
    ('[10889-08-02 05:31:50.655+00,)'), ('(10889-08-02 05:31:50.655+00,)'),
    ('(,1970-01-01 00:00+00)'), ('(,1970-01-01 00:00+00]'), ('empty')
) AS ranges (r);
SELECT ulid_within(NULL, 'empty') AS "null", ulid_within(NULL, '(,)') AS "null",
       ulid_within('00000000000000000000000000', NULL) AS "null",
       count(*) FILTER (WHERE ulid_within(id, 'empty')) AS "0",
       count(*) FILTER (WHERE ulid_within(id, '(,)')) AS "2"
FROM (VALUES (NULL::ulid), ('00000000000000000000000000'), ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ')) AS ids (id);
--
-- Window frames
--
SELECT n, count(*) OVER (ORDER BY id RANGE BETWEEN '10 minutes' PRECEDING AND CURRENT ROW) AS before,
       count(*) OVER (ORDER BY id DESC RANGE BETWEEN '10 minutes' PRECEDING AND CURRENT ROW) AS after,
       count(*) OVER (ORDER BY id RANGE BETWEEN '129.6 s' PRECEDING AND '129.599 s' FOLLOWING) AS near,
       count(*) OVER (ORDER BY id RANGE BETWEEN '0' PRECEDING AND '0' FOLLOWING) AS same
FROM events WHERE n < 8 ORDER BY id;
\set VERBOSITY sqlstate
SELECT count(*) OVER (ORDER BY id RANGE BETWEEN '-1 s' PRECEDING AND CURRENT ROW) FROM events;
\set VERBOSITY default

-- The server's own operator compares the cast's time, in microseconds, by a scan of the table unless an index is on it.
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz >= '2026-01-30 12:00+00';
CREATE INDEX events_time ON events (ulid_timestamp(id));
ANALYZE events;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz >= '2026-01-30 12:00+00';
DROP INDEX events_time;
SELECT id::timestamptz >= t AS f
FROM (VALUES (ulid_max('2026-01-05 12:00:00.123Z'), timestamptz '2026-01-05 12:00:00.123001Z')) AS v (id, t);
-- A bound costs nothing, so conditions are evaluated in the order in which they are written, as of a timestamptz.
CREATE TABLE places (id ulid, k int);
INSERT INTO places VALUES (ulid_min('2024-01-01+00'), 0), (ulid_min('2025-06-01+00'), 1);
SELECT k FROM places WHERE id >= date '2025-01-01' AND 1 / k > 0;
DROP TABLE places;

--
-- Constraints: a CHECK on the time excludes a table, and a partial index on the time is used.
--
CREATE TABLE logs (id ulid);
CREATE TABLE logs_january (
    CHECK (id >= '2026-01-01+00'::timestamptz AND id < '2026-02-01+00'::timestamptz)
) INHERITS (logs);
CREATE TABLE logs_february (
    CHECK (id >= '2026-02-01+00'::timestamptz AND id < '2026-03-01+00'::timestamptz)
) INHERITS (logs);
EXPLAIN (COSTS OFF) SELECT * FROM logs WHERE id > '2026-02-03+00'::timestamptz;
INSERT INTO logs_january VALUES (ulid_at('2026-01-31 23:59:59.999+00', 1));
INSERT INTO logs_january VALUES (ulid_min('2026-02-01+00'));
CREATE INDEX ON events (n) WHERE id >= '2026-01-20+00'::timestamptz;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE n = 19000 AND id >= '2026-01-25+00'::timestamptz;

DROP TABLE events, incidents, logs, logs_january, logs_february;
DROP SEQUENCE calls;
DROP DOMAIN working_hours;
DROP FUNCTION ulid_at, counted, costly;
