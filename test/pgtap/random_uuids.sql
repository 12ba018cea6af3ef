-- A key that was a random uuid has a time that means nothing, mostly far in the future: doc/time.md, "A key that was
-- a random uuid".
BEGIN;
SET LOCAL client_min_messages = warning;
SELECT plan(4);

CREATE TABLE customer (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), is_new boolean NOT NULL DEFAULT false);
-- As few that one of a time near to the present is not to be expected in 15,000 runs: 200 * 25 h / 2^48 ms.
INSERT INTO customer SELECT FROM generate_series(1, 200);
ALTER TABLE customer ALTER COLUMN id TYPE ulid, ALTER COLUMN id SET DEFAULT gen_ulid();
INSERT INTO customer (is_new) SELECT true FROM generate_series(1, 100);
ANALYZE customer;

SELECT cmp_ok(
    (SELECT count(*) FROM customer WHERE id >= now() - interval '1 hour' AND NOT is_new), '>', 180::bigint,
    'a time alone finds most of the old rows');
SELECT results_eq(
    $$SELECT is_new, count(*) FROM customer
      WHERE id >= now() - interval '1 hour' AND id < now() + interval '1 day' GROUP BY 1$$,
    $$VALUES (true, 100::bigint)$$,
    'bounded on both sides, only the rows of that time');
SELECT results_eq(
    $$SELECT is_new, count(*) FROM customer
      WHERE id <@ tstzrange(now() - interval '1 hour', now() + interval '1 day') GROUP BY 1$$,
    $$VALUES (true, 100::bigint)$$,
    'a range likewise');
SELECT results_ne(
    'SELECT is_new FROM customer ORDER BY id DESC LIMIT 1',
    'SELECT true',
    'the last by id is an old one');

SELECT * FROM finish();
ROLLBACK;
