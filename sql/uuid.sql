-- ulid and uuid side by side: foreign keys of either side, and the change of the type. (Operators, joins and
-- indexes: test/pgtap/uuid_operators.sql and uuid_plans.sql.)

CREATE TABLE by_ulid (id ulid PRIMARY KEY, n integer);
CREATE TABLE by_uuid (id uuid PRIMARY KEY, n integer);
INSERT INTO by_ulid SELECT make_ulid('2026-01-01 00:00Z'::timestamptz + n * interval '1 minute',
    substr(decode(md5(n::text), 'hex'), 1, 10)), n FROM generate_series(1, 10000) n;
INSERT INTO by_uuid SELECT id, n FROM by_ulid;

-- a uuid column refers to a ulid key
CREATE TABLE refers_to_ulid (id uuid REFERENCES by_ulid ON UPDATE CASCADE ON DELETE CASCADE);
INSERT INTO refers_to_ulid SELECT id FROM by_ulid WHERE n < 3;
INSERT INTO refers_to_ulid VALUES ('00000000-0000-0000-0000-000000000000');
UPDATE by_ulid SET id = '01ARZ3NDEKTSV4RRFFQ69G5FAV' WHERE n = 1;
DELETE FROM by_ulid WHERE n = 2;
TABLE refers_to_ulid;

-- a ulid column refers to a uuid key
CREATE TABLE refers_to_uuid (id ulid REFERENCES by_uuid ON UPDATE CASCADE ON DELETE CASCADE);
INSERT INTO refers_to_uuid SELECT id FROM by_uuid WHERE n < 3;
INSERT INTO refers_to_uuid VALUES ('00000000000000000000000000');
UPDATE by_uuid SET id = '01563e3a-b5d3-d676-4c61-efb99302bd5b' WHERE n = 1;
DELETE FROM by_uuid WHERE n = 2;
TABLE refers_to_uuid;
-- the type changes without a rewrite, and the foreign key stays
SELECT pg_relation_filenode('refers_to_ulid') AS file \gset
ALTER TABLE refers_to_ulid ALTER COLUMN id TYPE ulid;
SELECT pg_relation_filenode('refers_to_ulid') = :file AS same_file;
INSERT INTO refers_to_ulid VALUES ('00000000000000000000000000');
TABLE refers_to_ulid;
ALTER TABLE refers_to_ulid ALTER COLUMN id TYPE uuid;
SELECT pg_relation_filenode('refers_to_ulid') = :file AS same_file;
TABLE refers_to_ulid;

-- a text is of the type that stands beside it
SELECT uuid '01563e3a-b5d3-d676-4c61-efb99302bd5b' = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

DROP TABLE refers_to_ulid, refers_to_uuid, by_ulid, by_uuid;
