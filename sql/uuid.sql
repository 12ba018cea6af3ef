-- ulid and uuid side by side: operators, casts, joins, indexes and foreign keys of either side.

SELECT a.id AS ulid, b.id AS uuid,
    a.id < b.id AS lt, a.id <= b.id AS le, a.id = b.id AS eq, a.id >= b.id AS ge, a.id > b.id AS gt,
    a.id <> b.id AS ne
FROM (VALUES (ulid '01ARZ3NDEKTSV4RRFFQ69G5FAV')) a (id),
    (VALUES (uuid '01563e3a-b5d3-d676-4c61-efb99302bd5a'), ('01563e3a-b5d3-d676-4c61-efb99302bd5b'),
        ('01563e3a-b5d3-d676-4c61-efb99302bd5c')) b (id)
ORDER BY b.id;

SELECT b.id AS uuid, a.id AS ulid,
    b.id < a.id AS lt, b.id <= a.id AS le, b.id = a.id AS eq, b.id >= a.id AS ge, b.id > a.id AS gt,
    b.id <> a.id AS ne
FROM (VALUES (ulid '01ARZ3NDEKTSV4RRFFQ69G5FAV')) a (id),
    (VALUES (uuid '01563e3a-b5d3-d676-4c61-efb99302bd5a'), ('01563e3a-b5d3-d676-4c61-efb99302bd5b'),
        ('01563e3a-b5d3-d676-4c61-efb99302bd5c')) b (id)
ORDER BY b.id;

-- the operator classes are whole, and uuid keeps its own default
SELECT am.amname, c.opcname, c.opcintype::regtype, c.opcdefault, amvalidate(c.oid)
FROM pg_opclass c JOIN pg_am am ON am.oid = c.opcmethod
WHERE c.opcfamily IN (SELECT oid FROM pg_opfamily WHERE opfname = 'ulid_ops')
ORDER BY 1, 2;

CREATE TABLE by_ulid (id ulid PRIMARY KEY, n integer);
CREATE TABLE by_uuid (id uuid PRIMARY KEY, n integer);
INSERT INTO by_ulid SELECT make_ulid('2026-01-01 00:00Z'::timestamptz + n * interval '1 minute',
    substr(decode(md5(n::text), 'hex'), 1, 10)), n FROM generate_series(1, 10000) n;
INSERT INTO by_uuid SELECT id, n FROM by_ulid;
ANALYZE by_ulid, by_uuid;
SET max_parallel_workers_per_gather = 0;

-- an index on the ulid side
EXPLAIN (COSTS OFF) SELECT * FROM by_ulid WHERE id = uuid '019b7718-e980-a3f3-90d8-8e4c41f2747b';
SELECT * FROM by_ulid WHERE id = uuid '019b7718-e980-a3f3-90d8-8e4c41f2747b';
EXPLAIN (COSTS OFF) SELECT * FROM by_ulid
WHERE id > uuid '019b7718-e980-a3f3-90d8-8e4c41f2747b' AND uuid '019b7719-d3e0-14bf-a6bb-14875e45bba0' >= id;
SELECT * FROM by_ulid
WHERE id > uuid '019b7718-e980-a3f3-90d8-8e4c41f2747b' AND uuid '019b7719-d3e0-14bf-a6bb-14875e45bba0' >= id;
EXPLAIN (COSTS OFF) SELECT * FROM by_ulid WHERE id::uuid = '019b7718-e980-a3f3-90d8-8e4c41f2747b';

-- an index on the uuid side: the server's own class
EXPLAIN (COSTS OFF) SELECT * FROM by_uuid WHERE id = ulid '01KDVHHTC0MFSS1P4E9H0Z4X3V';
SELECT n FROM by_uuid WHERE id = ulid '01KDVHHTC0MFSS1P4E9H0Z4X3V';
EXPLAIN (COSTS OFF) SELECT * FROM by_uuid WHERE ulid '01KDVHHTC0MFSS1P4E9H0Z4X3V' > id;
EXPLAIN (COSTS OFF) SELECT * FROM by_uuid WHERE id >= ulid_min('2026-01-01 00:02Z') AND id <= ulid_max('2026-01-01 00:05Z');
SELECT n FROM by_uuid WHERE id >= ulid_min('2026-01-01 00:02Z') AND id <= ulid_max('2026-01-01 00:05Z');

-- joins of the two
EXPLAIN (COSTS OFF) SELECT * FROM by_ulid l JOIN by_uuid u ON l.id = u.id WHERE l.n = 5;
EXPLAIN (COSTS OFF) SELECT * FROM by_ulid l JOIN by_uuid u ON l.id = u.id WHERE u.n = 5;
SELECT count(*), sum(l.n - u.n) FROM by_ulid l JOIN by_uuid u ON l.id = u.id WHERE l.n = 5;
EXPLAIN (COSTS OFF) SELECT count(*) FROM by_ulid l JOIN by_uuid u ON l.id = u.id;
SELECT count(*), sum(l.n - u.n) FROM by_ulid l JOIN by_uuid u ON l.id = u.id;
SET enable_hashjoin = off;
SET enable_nestloop = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM by_ulid l FULL JOIN by_uuid u ON l.id = u.id;
SELECT count(*), count(l.id), count(u.id) FROM by_ulid l FULL JOIN by_uuid u ON l.id = u.id;
RESET enable_hashjoin;
RESET enable_nestloop;

-- a uuid column refers to a ulid key
CREATE TABLE refers_to_ulid (id uuid REFERENCES by_ulid ON UPDATE CASCADE ON DELETE CASCADE);
INSERT INTO refers_to_ulid SELECT id FROM by_ulid WHERE n < 3;
INSERT INTO refers_to_ulid VALUES ('00000000-0000-0000-0000-000000000000');
UPDATE by_ulid SET id = '01ARZ3NDEKTSV4RRFFQ69G5FAV' WHERE n = 1;
DELETE FROM by_ulid WHERE n = 2;
TABLE refers_to_ulid;

-- a ulid column refers to a uuid key, by the index of the server's class or of ulid_uuid_ops
CREATE TABLE refers_to_uuid (id ulid REFERENCES by_uuid ON UPDATE CASCADE ON DELETE CASCADE);
INSERT INTO refers_to_uuid SELECT id FROM by_uuid WHERE n < 3;
INSERT INTO refers_to_uuid VALUES ('00000000000000000000000000');
UPDATE by_uuid SET id = '01563e3a-b5d3-d676-4c61-efb99302bd5b' WHERE n = 1;
DELETE FROM by_uuid WHERE n = 2;
TABLE refers_to_uuid;
DROP TABLE refers_to_uuid;
CREATE TABLE key_of_both (id uuid NOT NULL);
CREATE UNIQUE INDEX ON key_of_both (id ulid_uuid_ops);
INSERT INTO key_of_both SELECT id FROM by_ulid ORDER BY id LIMIT 3;
CREATE TABLE refers_to_uuid (id ulid REFERENCES key_of_both (id) ON UPDATE CASCADE ON DELETE CASCADE);
INSERT INTO refers_to_uuid SELECT id FROM key_of_both;
INSERT INTO refers_to_uuid VALUES ('00000000000000000000000000');
UPDATE key_of_both SET id = '01563e3a-b5d3-d676-4c61-efb99302bd5c' WHERE id < ulid_min('2026-01-01 00:02Z');
DELETE FROM key_of_both WHERE id >= ulid_min('2026-01-01 00:02Z');
TABLE refers_to_uuid;

-- an index of ulid_uuid_ops outlives the change of type; the server's own does not
CREATE INDEX key_of_both_own ON key_of_both (id);
SELECT pg_relation_filenode('key_of_both_id_idx') AS file, pg_relation_filenode('key_of_both_own') AS own_file \gset
BEGIN;
ALTER TABLE refers_to_uuid DROP CONSTRAINT refers_to_uuid_id_fkey;
ALTER TABLE key_of_both ALTER COLUMN id TYPE ulid;
SELECT pg_relation_filenode('key_of_both_id_idx') = :file AS same_file,
    pg_relation_filenode('key_of_both_own') = :own_file AS own_same_file;
COMMIT;

-- the type changes without a rewrite, and the foreign key stays
SELECT pg_relation_filenode('refers_to_ulid') AS file \gset
ALTER TABLE refers_to_ulid ALTER COLUMN id TYPE ulid;
SELECT pg_relation_filenode('refers_to_ulid') = :file AS same_file;
INSERT INTO refers_to_ulid VALUES ('00000000000000000000000000');
TABLE refers_to_ulid;
ALTER TABLE refers_to_ulid ALTER COLUMN id TYPE uuid;
SELECT pg_relation_filenode('refers_to_ulid') = :file AS same_file;
TABLE refers_to_ulid;

-- where the two have to become one type, it is uuid
SELECT COALESCE(ulid '01ARZ3NDEKTSV4RRFFQ69G5FAV', uuid '01563e3a-b5d3-d676-4c61-efb99302bd5b');
-- a text is of the type that stands beside it
SELECT uuid '01563e3a-b5d3-d676-4c61-efb99302bd5b' = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

DROP TABLE refers_to_ulid, refers_to_uuid, key_of_both, by_ulid, by_uuid;
