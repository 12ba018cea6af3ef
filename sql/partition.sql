-- Partitions by the time of a ulid key.
SET timezone = 'UTC';
SET datestyle = 'ISO';
SET intervalstyle = 'postgres';
SET enable_bitmapscan = off;

CREATE TABLE orders (id ulid PRIMARY KEY, item text) PARTITION BY RANGE (id);
CREATE TABLE orders_2026_01 PARTITION OF orders
    FOR VALUES FROM (ulid_min('2026-01-01+00')) TO (ulid_min('2026-02-01+00'));
CREATE TABLE orders_2026_02 PARTITION OF orders
    FOR VALUES FROM (ulid_min('2026-02-01+00')) TO (ulid_min('2026-03-01+00'));
CREATE TABLE orders_2026_03 PARTITION OF orders
    FOR VALUES FROM (ulid_min('2026-03-01+00')) TO (ulid_min('2026-04-01+00'));

-- A row goes where its time says, to the millisecond.
INSERT INTO orders VALUES
    (ulid_min('2026-01-01+00'), 'first of January'),
    (ulid_max('2026-01-31 23:59:59.999+00'), 'last of January'),
    (ulid_min('2026-02-01+00'), 'first of February'),
    (ulid_max('2026-03-31 23:59:59.999+00'), 'last of March');
SELECT tableoid::regclass, item FROM orders ORDER BY id;
INSERT INTO orders VALUES (ulid_min('2026-04-01+00'), 'first of April');

-- Print the results below, mostly plans, without headers and borders.
\pset format unaligned
\pset tuples_only on
-- Pruned when the plan is made, by a constant.
EXPLAIN (COSTS OFF) SELECT * FROM orders WHERE id >= '2026-03-05+00'::timestamptz;
EXPLAIN (COSTS OFF) SELECT * FROM orders WHERE id < '2026-02-01+00'::timestamptz;
EXPLAIN (COSTS OFF) SELECT * FROM orders WHERE id <= '2026-02-01+00'::timestamptz;
EXPLAIN (COSTS OFF)
SELECT * FROM orders
WHERE id BETWEEN '2026-02-10+00'::timestamptz AND '2026-02-11+00'::timestamptz;
EXPLAIN (COSTS OFF) SELECT * FROM orders WHERE ulid_within(id, tstzrange('2026-01-10+00', '2026-02-01+00'));
EXPLAIN (COSTS OFF) UPDATE orders SET item = '' WHERE ulid_within(id, tstzrange('2026-01-10+00', '2026-02-01+00'));
EXPLAIN (COSTS OFF) DELETE FROM orders WHERE id < '2026-01-10+00'::timestamptz;
EXPLAIN (COSTS OFF) SELECT * FROM orders WHERE id ^@ '01KE5Q';

-- Pruned when execution starts, by a parameter or a stable expression.
PREPARE since(timestamptz) AS SELECT * FROM orders WHERE id >= $1;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE since('2026-02-05+00');
EXPLAIN (COSTS OFF) EXECUTE since('2026-03-05+00');
EXECUTE since('2026-03-05+00');
PREPARE during(tstzrange) AS SELECT * FROM orders WHERE ulid_within(id, $1);
EXPLAIN (COSTS OFF) EXECUTE during('[2026-02-05+00,2026-02-06+00)');
PREPARE begins(text) AS SELECT * FROM orders WHERE id ^@ $1;
EXPLAIN (COSTS OFF) EXECUTE begins('01KE5Q');
EXECUTE begins('01kdv');
RESET plan_cache_mode;
DEALLOCATE ALL;
EXPLAIN (COSTS OFF)
SELECT * FROM orders
WHERE id >= '2026-03-05+00'::timestamptz + (0 * extract(epoch FROM now())) * interval '1 s';

-- Pruned while execution runs, by a column of another table.
CREATE TABLE days (day timestamptz);
INSERT INTO days VALUES ('2026-01-31+00'), ('2026-02-01+00');
ANALYZE days;
CREATE FUNCTION never_executed(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
        IF line ~ 'never executed' THEN
            RETURN NEXT substring(line FROM ' on (\w+)');
        END IF;
    END LOOP;
END $$;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT never_executed('SELECT * FROM days JOIN orders ON id >= day AND id < day + interval ''1 day''');
RESET enable_hashjoin;
RESET enable_mergejoin;

-- Attach: a CHECK on the time proves what the bounds demand, so that no row is read for it.
CREATE TABLE orders_2026_04 (
    LIKE orders INCLUDING ALL,
    CHECK (id >= '2026-04-01+00'::timestamptz AND id < '2026-05-01+00'::timestamptz)
);
INSERT INTO orders_2026_04 VALUES (ulid_min('2026-04-01+00'), 'first of April');
ALTER TABLE orders_2026_04 ALTER COLUMN id SET NOT NULL;
SET client_min_messages = debug1;
ALTER TABLE orders ATTACH PARTITION orders_2026_04
    FOR VALUES FROM (ulid_min('2026-04-01+00')) TO (ulid_min('2026-05-01+00'));
RESET client_min_messages;
SELECT * FROM orders WHERE id >= '2026-04-01+00'::timestamptz;

-- The default partition takes what lies outside of the others, and is pruned as they are.
CREATE TABLE orders_default PARTITION OF orders DEFAULT;
INSERT INTO orders VALUES (ulid_min('2026-05-01+00'), 'first of May');
SELECT tableoid::regclass, item FROM orders WHERE id >= '2026-05-01+00'::timestamptz;
EXPLAIN (COSTS OFF) SELECT * FROM orders WHERE id < '2026-01-15+00'::timestamptz;
EXPLAIN (COSTS OFF) SELECT * FROM orders WHERE ulid_within(id, tstzrange('2026-01-10+00', '2026-01-11+00'));
-- Nor can a partition be made for what it holds.
CREATE TABLE orders_2026_05 PARTITION OF orders
    FOR VALUES FROM (ulid_min('2026-05-01+00')) TO (ulid_min('2026-06-01+00'));

-- Detach.
ALTER TABLE orders DETACH PARTITION orders_2026_01;
SELECT item FROM orders ORDER BY id;
SELECT item FROM orders_2026_01 ORDER BY id;

DROP TABLE orders, orders_2026_01, days;
DROP FUNCTION never_executed;
