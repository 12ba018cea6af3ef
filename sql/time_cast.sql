-- The time of a ulid compared by the server's own operators: id::timestamptz >= t.
SET timezone = 'UTC';
SET datestyle = 'ISO';
SET intervalstyle = 'postgres';

-- The same where no ulid answers: NULL. These serve the rewrite of casts.
SELECT t, ulid_first_not_before(t), ulid_first_after(t), ulid_last_before(t), ulid_last_not_after(t)
FROM (VALUES
    ('-infinity'::timestamptz),
    ('1969-12-31 23:59:59.999999+00'), ('1970-01-01 00:00:00+00'),
    ('1970-01-01 00:00:00.000001+00'), ('1970-01-01 00:00:00.001+00'),
    ('10889-08-02 05:31:50.655+00'), ('10889-08-02 05:31:50.655001+00'), ('infinity')
) AS times (t);

SELECT ulid_saturate(d), ulid_saturate(d::timestamp)
FROM unnest('{-infinity,4714-11-24 BC,1969-12-29,1969-12-31,2026-07-01,10889-08-03,10889-08-05,infinity}'::date[]) AS d;
SELECT ulid_saturate(date '5874897-12-31');
SET timezone = 'Europe/Amsterdam';
SELECT ulid_saturate(date '2026-07-01') = timestamptz '2026-07-01', ulid_saturate(timestamp '2026-12-01 12:00') = timestamptz '2026-12-01 12:00';
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
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz >= '2026-01-30 12:00+00';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz > '2026-01-30 12:00+00';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz < '2026-01-02+00';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz <= '2026-01-02+00';
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz = '2026-01-02+00';
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
SELECT * FROM events WHERE id::timestamptz = '2026-01-02+00' OR id::timestamptz > '2026-01-30 23:00+00';
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
EXPLAIN (COSTS OFF) UPDATE events SET n = 0 WHERE id::timestamptz = '2026-01-02+00';
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
CREATE VIEW both_tables AS SELECT id FROM events UNION ALL SELECT id FROM orders;
EXPLAIN (COSTS OFF) SELECT * FROM both_tables WHERE id::timestamptz BETWEEN '2026-01-30 12:00+00' AND '2026-01-30 13:00+00';
-- Left as it is where NULL is not as good as false, or the setting says so. A join on equal times, and
-- an index on the time, are served by the other form of a condition.
SELECT DISTINCT id::timestamptz > 'infinity' AS f FROM events;
EXPLAIN (COSTS OFF) SELECT * FROM events WHERE (id::timestamptz > '2026-01-30+00') IS NOT TRUE;
EXPLAIN (COSTS OFF) SELECT * FROM incidents JOIN events ON id::timestamptz = began WHERE name = 'a';
CREATE TABLE indexed (id ulid);
CREATE INDEX ON indexed (ulid_timestamp(id));
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT * FROM indexed WHERE id::timestamptz > '2026-01-30+00';
RESET enable_seqscan;
RESET enable_bitmapscan;
-- A scan of another column's index checks the condition, though an index knows its other form.
CREATE TABLE numbered AS
SELECT ulid_min('2026-01-01+00'::timestamptz + i * interval '1 h') AS id, i % 100 AS n FROM generate_series(0, 999) AS i;
CREATE INDEX ON numbered (n);
CREATE INDEX ON numbered (ulid_timestamp(id));
ANALYZE numbered;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT * FROM numbered WHERE n = 7 AND id::timestamptz >= '2026-01-10+00';
SELECT count(*) FROM numbered WHERE n = 7 AND id::timestamptz >= '2026-01-10+00';
RESET enable_seqscan;
RESET enable_bitmapscan;
DROP TABLE numbered;
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
SELECT count(*) FROM events WHERE n < 10 AND id::timestamptz = counted('2026-01-01+00');
SELECT last_value FROM calls;

--
-- Truth: with each of 2,000 times, the same ids with the rewrite as without, of those near to it,
-- the edges, and NULL.
--
CREATE TABLE ids (id ulid);
INSERT INTO ids SELECT id FROM events WHERE n < 600;
INSERT INTO ids VALUES (NULL);
INSERT INTO ids
SELECT decode(ms || randomness, 'hex')::ulid
FROM unnest('{000000000000,000000000001,019b76daa800,fffffffffffe,ffffffffffff}'::text[]) AS ms,
     unnest('{00000000000000000000,00000000000000000001,fffffffffffffffffffe,ffffffffffffffffffff}'
            ::text[]) AS randomness;
CREATE INDEX ON ids (id);
ANALYZE ids;
CREATE TABLE times AS
SELECT t
FROM (SELECT id::timestamptz + make_interval(secs => x / 1e6)
      FROM (SELECT id FROM events WHERE n % 12 = 0 AND n < 1020) AS e,
           unnest('{-1000,-999,-1,0,1,999,1000}'::float8[]) AS x
      UNION ALL
      SELECT id::timestamptz + make_interval(secs => floor(random() * 2000001 - 1000000) / 1e6)
      FROM events WHERE n < 1420) AS near (t)
UNION ALL
SELECT unnest('{-infinity,1969-12-31 23:59:59.999999+00,1970-01-01 00:00+00,
                1970-01-01 00:00:00.000001+00,1970-01-01 00:00:00.001+00,2026-01-01 00:00+00,
                10889-08-02 05:31:50.654999+00,10889-08-02 05:31:50.655+00,
                10889-08-02 05:31:50.655001+00,infinity,NULL}'::timestamptz[]);
SELECT count(*) >= 2000 AS enough FROM times;
CREATE FUNCTION found(t timestamptz) RETURNS bytea[] LANGUAGE plpgsql AS $$
DECLARE
    condition text;
    hash bytea;
    result bytea[];
BEGIN
    FOREACH condition IN ARRAY ARRAY[
        'id::timestamptz < %1$L', 'id::timestamptz <= %1$L', 'id::timestamptz = %1$L',
        '%1$L >= id::timestamptz AND id IS NOT NULL', '%1$L > id::timestamptz',
        'id::timestamptz < %1$L::timestamptz::timestamp OR id::timestamptz > %1$L::timestamptz',
        'id::timestamptz BETWEEN %1$L AND %1$L::timestamptz + interval ''1 s''',
        'id::timestamptz >= %2$L::date', '%2$L::date < id::timestamptz', '%2$L::date = id::timestamptz'
    ] LOOP
        EXECUTE format('SELECT sha256(string_agg(id::bytea, '''' ORDER BY id)) FROM ids WHERE ' || condition,
                       t, t::date) INTO hash;
        result := result || hash;
    END LOOP;
    RETURN result;
END $$;
CREATE TABLE rewritten AS SELECT t, found(t) FROM times;
SET ulid.rewrite_time_casts = off;
CREATE TABLE plain AS SELECT t, found(t) FROM times;
RESET ulid.rewrite_time_casts;
SELECT t FROM rewritten FULL JOIN plain USING (t, found) WHERE t IS NOT NULL AND (rewritten IS NULL OR plain IS NULL);
SELECT rewritten.found = plain.found AS same FROM rewritten, plain WHERE rewritten.t IS NULL AND plain.t IS NULL;
SELECT count(DISTINCT found) > 1000 AS different FROM rewritten;
-- Dates that are out of the range of timestamptz are compared as ever.
SELECT count(*) FROM ids WHERE id::timestamptz < '5874897-12-31'::date;
SELECT count(*) FROM ids WHERE id::timestamptz >= '5874897-12-31'::date;
SELECT count(*) FROM ids WHERE id::timestamptz > '4714-11-24 BC'::date;

DROP TABLE events, incidents, orders, indexed, ids, times, rewritten, plain CASCADE;
DROP SEQUENCE calls;
DROP FUNCTION counted, found;
