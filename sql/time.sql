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
    ('10889-08-02 05:31:50.655001+00'), ('294276-12-31 23:59:59.999999+00'), ('infinity')
) AS times (t);

--
-- Operators
--
-- The greatest ulid lies after every time, infinity too; of the other ulids none does.
SELECT id, id < t AS lt, id <= t AS le, id >= t AS ge, id > t AS gt,
       t > id AS lt, t >= id AS le, t <= id AS ge, t < id AS gt
FROM (VALUES ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'::ulid), ('7ZZZZZZZZZZZZZZZZZZZZZZZZY')) AS ids (id),
     (SELECT timestamptz 'infinity') AS times (t);

-- An operator and its mirror and opposite are linked, so that NOT and a swap are rewritten too.
SELECT o.oid::regoperator, oprcom::regoperator, oprnegate::regoperator
FROM pg_operator o
WHERE oprcode::text ~ 'ulid' AND oprcode::text ~ 'timestamptz'
ORDER BY oprleft::regtype::text, oprname;

--
-- Plans. 20,000 ulids over 30 days.
--
-- What follows is shown without the frame of a table, plans above all.
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
EXECUTE since('2026-01-30 12:00+00');
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE since('2026-01-30 12:00+00');
EXECUTE since('2026-01-30 12:00+00');
EXECUTE since(NULL);
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
SELECT name, count(*) FROM incidents JOIN events ON id BETWEEN began AND ended
GROUP BY name ORDER BY name;

-- A volatile argument is evaluated as often as it would be without the rewrite: for every row.
CREATE SEQUENCE calls;
CREATE FUNCTION counted(t timestamptz) RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT t + 0 * nextval(''calls'') * interval ''1 second''';
SELECT count(*) FROM events WHERE n < 10 AND id >= counted('2026-01-01+00');
SELECT last_value FROM calls;

--
-- Ranges
--
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id <@ tstzrange('2026-01-05+00', '2026-01-06+00');
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE tstzrange('2026-01-05+00', '2026-01-06+00') @> id;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id <@ tstzrange('2026-01-05+00', '2026-01-06+00', '(]');
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id <@ tstzrange('2026-01-30 12:00+00', NULL);
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id <@ tstzrange(NULL, '2026-01-02+00');
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id <@ 'empty'::tstzrange;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id <@ tstzrange(now() - interval '1 day', now());
EXPLAIN (COSTS OFF)
SELECT name, count(*) FROM incidents JOIN events ON id <@ tstzrange(began, ended) GROUP BY name;
SELECT name, count(*) FROM incidents JOIN events ON id <@ tstzrange(began, ended)
GROUP BY name ORDER BY name;
-- Not written twice where it would be evaluated twice.
EXPLAIN (COSTS OFF)
SELECT * FROM events WHERE id <@ tstzrange(counted('2026-01-05+00'), '2026-01-06+00');
CREATE FUNCTION costly() RETURNS tstzrange LANGUAGE plpgsql STABLE COST 1000
    AS 'BEGIN RETURN tstzrange(''2026-01-05+00'', ''2026-01-06+00''); END';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id <@ costly();
SELECT count(*) FROM events WHERE id <@ costly();
-- Of a multirange the index finds the span; the ranges are checked again.
EXPLAIN (COSTS OFF)
SELECT * FROM events
WHERE id <@ tstzmultirange(tstzrange('2026-01-05+00', '2026-01-06+00'),
                           tstzrange('2026-01-08+00', '2026-01-09+00'));
SELECT count(*)
FROM events
WHERE id <@ tstzmultirange(tstzrange('2026-01-05+00', '2026-01-06+00'),
                           tstzrange('2026-01-08+00', '2026-01-09+00'));

-- Bounds inclusive and exclusive, infinite, empty, and between two milliseconds.
SELECT r, ulid_planner_range_lower(r), ulid_planner_range_upper(r)
FROM (VALUES
    ('[2026-01-01 00:00+00, 2026-01-02 00:00+00)'::tstzrange),
    ('(2026-01-01 00:00+00, 2026-01-02 00:00+00]'),
    ('[2026-01-01 00:00+00, 2026-01-01 00:00+00]'),
    ('[2026-01-01 00:00:00.0001+00, 2026-01-01 00:00:00.0009+00]'),
    ('(,)'), ('[-infinity, infinity]'), ('[infinity,)'), ('(infinity,)'), ('[,infinity]'),
    ('[10889-08-02 05:31:50.655+00,)'), ('(10889-08-02 05:31:50.655+00,)'),
    ('(,1970-01-01 00:00+00)'), ('(,1970-01-01 00:00+00]'), ('empty')
) AS ranges (r);
SELECT 'empty'::tstzrange @> NULL::ulid AS "null", '(,)'::tstzrange @> NULL::ulid AS "null",
       count(*) FILTER (WHERE id <@ 'empty'::tstzrange) AS "0",
       count(*) FILTER (WHERE id <@ '(,)'::tstzrange) AS "2"
FROM (VALUES (NULL::ulid), ('00000000000000000000000000'), ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ')) AS ids (id);

-- A range that has no ulid beside it means what it did.
SELECT tstzrange('2026-01-01', '2026-02-01') @> '[2026-01-10,2026-01-11)' AS literal,
       '{[2026-01-10,2026-01-11)}' <@ tstzmultirange(tstzrange('2026-01-01', '2026-02-01')) AS literal;

-- Any range of timestamptz in its own order will do: of another name, or over a domain.
CREATE DOMAIN instant AS timestamptz;
CREATE TYPE instants AS RANGE (subtype = instant);
CREATE DOMAIN working_hours AS tstzrange;
CREATE TABLE shifts (instants instants, instantses instants_multirange, hours working_hours);
INSERT INTO shifts
SELECT instants(began, ended), instants_multirange(instants(began, ended)), tstzrange(began, ended)
FROM incidents;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id <@ instants('2026-01-05+00', '2026-01-06+00');
SELECT count(*) FILTER (WHERE id <@ instants) AS range,
       count(*) FILTER (WHERE id <@ instantses) AS multirange,
       count(*) FILTER (WHERE hours @> id) AS "domain",
       count(*) FILTER (WHERE id <@ tstzrange(began, ended)) AS tstzrange
FROM shifts, incidents, events WHERE hours = tstzrange(began, ended);
-- Any other is refused when the query is planned, or when the operator is called.
\set VERBOSITY sqlstate
SELECT FROM events WHERE id <@ daterange('2026-01-05', '2026-01-06');
\set VERBOSITY default
SELECT FROM events WHERE tsmultirange(tsrange('2026-01-05', '2026-01-06')) @> id;
SELECT id <@ ANY (ARRAY[int4range(1, 2)]) FROM events;
SELECT id <@ ANY (ARRAY[int4multirange()]) FROM events;
SELECT ulid_planner_range_lower(daterange('2026-01-05', '2026-01-06'));
SELECT ulid_planner_range_upper(datemultirange(daterange('2026-01-05', '2026-01-06')));
CREATE FUNCTION compare_backwards(timestamptz, timestamptz) RETURNS int LANGUAGE sql IMMUTABLE
    RETURN timestamptz_cmp($2, $1);
CREATE OPERATOR CLASS backwards FOR TYPE timestamptz USING btree AS
    OPERATOR 1 >, OPERATOR 2 >=, OPERATOR 3 =, OPERATOR 4 <=, OPERATOR 5 <,
    FUNCTION 1 compare_backwards(timestamptz, timestamptz);
CREATE TYPE backwards AS RANGE (subtype = timestamptz, subtype_opclass = backwards);
SELECT FROM events WHERE id <@ backwards('2026-01-06+00', '2026-01-05+00');
-- A range of ulids means what the server says, and has its indexes.
CREATE DOMAIN event_id AS ulid;
CREATE TYPE ulidrange AS RANGE (subtype = ulid);
CREATE TYPE event_id_range AS RANGE (subtype = event_id);
CREATE TABLE spans (ids ulidrange, idses ulidmultirange, event_ids event_id_range);
INSERT INTO spans SELECT ulidrange(id, next), ulidmultirange(ulidrange(id, next)), event_id_range(id, next)
FROM (SELECT id, lead(id) OVER (ORDER BY id) FROM events) AS e (id, next);
CREATE INDEX ON spans USING gist (ids);
CREATE INDEX ON spans USING gist (idses);
CREATE INDEX ON spans USING gist (event_ids);
VACUUM ANALYZE spans;
EXPLAIN (COSTS OFF) SELECT * FROM spans WHERE ids @> '01KE5Q86000000000000000000'::ulid;
EXPLAIN (COSTS OFF) SELECT * FROM spans WHERE '01KE5Q86000000000000000000'::ulid <@ idses;
EXPLAIN (COSTS OFF) SELECT * FROM spans WHERE event_ids @> '01KE5Q86000000000000000000'::ulid;
EXPLAIN (COSTS OFF) SELECT * FROM spans, events
WHERE event_ids @> id::event_id AND n = 7;
SELECT (SELECT count(*) FROM spans WHERE ids @> id) AS range,
       (SELECT count(*) FROM spans WHERE id <@ idses) AS multirange,
       (SELECT count(*) FROM spans WHERE event_ids @> id) AS "domain",
       (SELECT count(*) FROM spans WHERE id <@ ANY (ARRAY[ids])) AS range_called,
       (SELECT count(*) FROM spans WHERE id <@ ANY (ARRAY[idses])) AS multirange_called,
       (SELECT count(*) FROM spans WHERE id <@ ANY (ARRAY[event_ids])) AS domain_called,
       (SELECT count(*) FROM spans WHERE ids @> ANY (ARRAY[id])) AS range_contains_called,
       (SELECT count(*) FROM spans WHERE idses @> ANY (ARRAY[id])) AS multirange_contains_called
FROM events WHERE n = 7;
-- Of times too, where the operator is called itself.
SELECT count(*) FILTER (WHERE hours @> ANY (ARRAY[id])) AS range, count(*) FILTER (WHERE tstzmultirange(hours) @> ANY (ARRAY[id])) AS multirange,
       count(*) FILTER (WHERE hours @> id::timestamptz) AS expected
FROM events, LATERAL (SELECT tstzrange('2026-01-05 00:00+00', '2026-01-05 12:00+00')) AS h (hours);

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

-- id >= t and id >= t::ulid differ within a millisecond: the cast rounds down to the millisecond, the
-- operator does not.
SELECT id >= t AS by_time, id >= t::ulid AS by_cast, id < t AS before, id < t::ulid AS before_by_cast
FROM (VALUES (ulid_max('2026-01-05 12:00:00.123Z'), timestamptz '2026-01-05 12:00:00.1234Z'),
             (ulid_max('2026-01-05 12:00:00.123Z'), timestamptz '2026-01-05 12:00:00.123Z')) AS v (id, t);

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
DROP FUNCTION ulid_at, counted, costly;
