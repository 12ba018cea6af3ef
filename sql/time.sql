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
-- Estimates: within a factor of 2, from the end and from the middle.
--
CREATE FUNCTION estimate(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END $$;
SELECT span, estimate(format(
           'SELECT FROM events WHERE id >= timestamptz ''2026-01-31+00'' - %L::interval', span))
           / (SELECT count(*) FROM events WHERE id >= timestamptz '2026-01-31+00' - span)
           BETWEEN 0.5 AND 2 AS from_the_end,
       estimate(format(
           'SELECT FROM events WHERE id BETWEEN timestamptz ''2026-01-11+00'' '
           'AND timestamptz ''2026-01-11+00'' + %L::interval', span))
           / (SELECT count(*) FROM events
              WHERE id BETWEEN timestamptz '2026-01-11+00' AND timestamptz '2026-01-11+00' + span)
           BETWEEN 0.5 AND 2 AS from_the_middle
FROM unnest('{1 hour,1 day,7 days}'::interval[]) AS span;

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

--
-- Truth: of 100,000 random pairs and every pair of edges, the operator, its rewritten form with and
-- without index, and the times compared directly agree.
--
CREATE FUNCTION raw_lt(ulid, timestamptz) RETURNS boolean
    AS '$libdir/ulid', 'ulid_lt_timestamptz' LANGUAGE C IMMUTABLE STRICT;
CREATE FUNCTION raw_le(ulid, timestamptz) RETURNS boolean
    AS '$libdir/ulid', 'ulid_le_timestamptz' LANGUAGE C IMMUTABLE STRICT;
CREATE FUNCTION raw_ge(timestamptz, ulid) RETURNS boolean
    AS '$libdir/ulid', 'timestamptz_ge_ulid' LANGUAGE C IMMUTABLE STRICT;
CREATE FUNCTION raw_gt(timestamptz, ulid) RETURNS boolean
    AS '$libdir/ulid', 'timestamptz_gt_ulid' LANGUAGE C IMMUTABLE STRICT;
CREATE FUNCTION raw_contained(ulid, tstzrange) RETURNS boolean
    AS '$libdir/ulid', 'ulid_contained_by_range' LANGUAGE C IMMUTABLE STRICT;

CREATE FUNCTION random_between(low float8, high float8) RETURNS float8 LANGUAGE sql VOLATILE
    RETURN low + floor(random() * (high - low + 1));

-- Half of the ids in January 2026, half anywhere; and the edges of the time and the randomness.
CREATE TABLE ids (id ulid PRIMARY KEY);
INSERT INTO ids
SELECT decode(lpad(to_hex(ms), 12, '0') || substr(md5(random()::text), 1, 20), 'hex')::ulid
FROM (SELECT random_between(1767225600000, 1769817600000)::bigint FROM generate_series(1, 25000)
      UNION ALL
      SELECT random_between(0, 281474976710655)::bigint FROM generate_series(1, 25000)) AS times (ms)
UNION
SELECT decode(ms || randomness, 'hex')::ulid
FROM unnest('{000000000000,000000000001,019b76daa800,fffffffffffe,ffffffffffff}'::text[]) AS ms,
     unnest('{00000000000000000000,00000000000000000001,fffffffffffffffffffe,ffffffffffffffffffff}'
            ::text[]) AS randomness;

-- With each id twice a time near its own (inside the millisecond, in one beside it, at its start,
-- days away) and one after that; and with each edge every edge of time.
CREATE TABLE pairs AS
SELECT row_number() OVER () AS pair, id, t, t2,
       ('{[),(],[],()}'::text[])[random_between(1, 4)::int] AS bounds
FROM (SELECT id, t,
             t + make_interval(secs => ('{0,1e-6,1e-3,1e5}'::float8[])[random_between(1, 4)::int]
                                       * random_between(0, 3)) AS t2
      FROM (SELECT id, id::timestamptz
                + make_interval(secs => ('{1e-6,1e-3,1}'::float8[])[random_between(1, 3)::int]
                                        * random_between(-2000, 2000)
                                        / ('{1,1000}'::int[])[random_between(1, 2)::int])
            FROM ids, generate_series(1, 2)) AS near (id, t)
      UNION ALL
      SELECT id, t, greatest(t, t2)
      FROM ids,
           unnest('{-infinity,1969-12-31 23:59:59.999999+00,1970-01-01 00:00+00,
                    1970-01-01 00:00:00.000001+00,1970-01-01 00:00:00.001+00,2026-01-01 00:00+00,
                    10889-08-02 05:31:50.654999+00,10889-08-02 05:31:50.655+00,
                    10889-08-02 05:31:50.655001+00,infinity}'::timestamptz[]) AS t,
           unnest('{1970-01-01 00:00+00,10889-08-02 05:31:50.655+00,infinity}'::timestamptz[]) AS t2
      WHERE id::text ~ '^(000000000|01KDVDNA00|7ZZZZZZZZ)') AS times;
VACUUM ANALYZE pairs, ids;
SELECT count(*) >= 100000 AS enough, count(*) FILTER (WHERE id::timestamptz = t) > 1000 AS equal,
       count(*) FILTER (WHERE abs(extract(epoch FROM id::timestamptz - t)) < 0.001
                        AND id::timestamptz <> t) > 1000 AS within_the_millisecond
FROM pairs WHERE isfinite(t);

-- What the times say.
CREATE TABLE truth AS
SELECT pair,
       NOT is_greatest AND ts < t AS lt, NOT is_greatest AND ts <= t AS le,
       is_greatest OR ts >= t AS ge, is_greatest OR ts > t AS gt,
       NOT is_greatest AND ts <@ tstzrange(t, t2, bounds) AS contained
FROM (SELECT *, id::timestamptz AS ts, id = '7ZZZZZZZZZZZZZZZZZZZZZZZZZ' AS is_greatest
      FROM pairs) AS p;

-- Every disagreement would be a row.
SELECT *
FROM pairs JOIN truth USING (pair)
WHERE (lt, le, ge, gt) <> (raw_lt(id, t), raw_le(id, t), NOT raw_gt(t, id), NOT raw_ge(t, id))
   OR (lt, le, ge, gt) <> (id < t, id <= t, id >= t, id > t)
   OR (lt, le, ge, gt) <> (t > id, t >= id, t <= id, t < id)
   OR contained <> raw_contained(id, tstzrange(t, t2, bounds))
   OR contained <> (id <@ tstzrange(t, t2, bounds))
   OR contained <> (tstzrange(t, t2, bounds) @> id)
   OR contained <> (id <@ tstzmultirange(tstzrange(t, t2, bounds)));

-- Over the index, with the operators that it is given.
SET enable_seqscan = off;
SET enable_bitmapscan = off;
CREATE FUNCTION found(ulid, timestamptz, timestamptz, text,
                      OUT lt boolean, OUT le boolean, OUT ge boolean, OUT gt boolean,
                      OUT contained boolean)
    LANGUAGE plpgsql AS $$
BEGIN
    lt := EXISTS (SELECT FROM ids WHERE id >= $1 AND id <= $1 AND id < $2);
    le := EXISTS (SELECT FROM ids WHERE id >= $1 AND id <= $1 AND id <= $2);
    ge := EXISTS (SELECT FROM ids WHERE id >= $1 AND id <= $1 AND id >= $2);
    gt := EXISTS (SELECT FROM ids WHERE id >= $1 AND id <= $1 AND $2 < id);
    contained := EXISTS (SELECT FROM ids WHERE id >= $1 AND id <= $1 AND id <@ tstzrange($2, $3, $4));
END $$;
PREPARE found(ulid, timestamptz, timestamptz, text) AS
SELECT FROM ids WHERE id >= $1 AND id <= $1 AND id < $2 AND id <@ tstzrange($2, $3, $4);
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF)
EXECUTE found('01KDVDNA000000000000000000', '2026-01-01+00', '2026-01-02+00', '[]');
SELECT *
FROM pairs JOIN truth USING (pair), LATERAL found(id, t, t2, bounds) AS i
WHERE (truth.lt, truth.le, truth.ge, truth.gt, truth.contained)
      <> (i.lt, i.le, i.ge, i.gt, i.contained);
RESET enable_seqscan;
RESET enable_bitmapscan;
RESET plan_cache_mode;

DROP TABLE events, incidents, logs, logs_january, logs_february, ids, pairs, truth;
DROP SEQUENCE calls;
DROP FUNCTION ulid_at, counted, costly, estimate, random_between, found,
    raw_lt, raw_le, raw_ge, raw_gt, raw_contained;
