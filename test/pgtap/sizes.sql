-- The sizes of columns and indexes.
BEGIN;
SELECT no_plan();

-- Deduplication
CREATE TABLE repeated AS
SELECT ulid_min('epoch'::timestamptz + n % 10 * interval '1 s') AS same, gen_ulid() AS own
FROM generate_series(1, 20000) AS n;
CREATE INDEX repeated_same ON repeated (same);
CREATE INDEX repeated_own ON repeated (own);
SELECT cmp_ok(pg_relation_size('repeated_same') * 2, '<', pg_relation_size('repeated_own'), 'an index of duplicates is deduplicated');

-- Sizes
CREATE TABLE sized (id ulid, text text, random_ulid ulid, random_uuid uuid);
-- A bulk load of gen_random_ulid() makes many ids in a millisecond, in no order; here all are of one.
SELECT format('CREATE INDEX sized_%1$s ON sized (%1$s)', name) FROM unnest('{id,text,random_ulid,random_uuid}'::text[]) AS name \gexec
INSERT INTO sized SELECT id, id, gen_ulid('2025-01-01'), gen_random_uuid()
FROM (SELECT gen_ulid() AS id FROM generate_series(1, 20000)) AS g;
SELECT is((SELECT DISTINCT (pg_column_size(id), pg_column_size(text))::text FROM sized), '(16,27)',
          'a ulid takes 16 bytes, its text 27');
SELECT cmp_ok(pg_relation_size('sized_' || name), '>', pg_relation_size('sized_id') * percent / 100,
              format('the index of %s is larger than %s %% of that of gen_ulid()', name, percent))
FROM (VALUES ('random_ulid', 100), ('random_uuid', 112), ('text', 140)) AS v (name, percent);

SELECT finish();
ROLLBACK;
