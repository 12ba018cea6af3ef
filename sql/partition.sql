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
EXPLAIN (COSTS OFF) SELECT * FROM orders WHERE id ^@ '01KE5Q';

-- Pruned when execution starts, by a parameter.
PREPARE since(timestamptz) AS SELECT * FROM orders WHERE id >= $1;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE since('2026-03-05+00');
PREPARE during(tstzrange) AS SELECT * FROM orders WHERE ulid_within(id, $1);
EXPLAIN (COSTS OFF) EXECUTE during('[2026-02-05+00,2026-02-06+00)');
PREPARE begins(text) AS SELECT * FROM orders WHERE id ^@ $1;
EXPLAIN (COSTS OFF) EXECUTE begins('01KE5Q');
RESET plan_cache_mode;
DEALLOCATE ALL;

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
DROP TABLE orders;
