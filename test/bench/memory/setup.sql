-- The tables of the other scripts. :rows is the number of rows. item_KIND is in the order in which its keys were
-- made, shuffled_KIND in another, text_KIND has the texts of these, wanted_KIND some of them, into_KIND is empty.
CREATE EXTENSION ulid;
CREATE EXTENSION btree_gist;
CREATE SEQUENCE numbers;
CREATE TABLE one AS SELECT n FROM generate_series(1, :rows) AS n;
CREATE TABLE source AS
SELECT n, at, gen_ulid(at) AS ulid, gen_random_uuid() AS uuidv4, gen_uuidv7(at) AS uuidv7, n::bigint AS bigint
FROM generate_series(1, :rows) AS n, CAST('2025-01-01Z'::timestamptz + n * interval '7 ms' AS timestamptz) AS at;
ALTER TABLE source ADD text text COLLATE "C";
UPDATE source SET text = ulid::text;
CREATE TABLE random_source AS SELECT * FROM source ORDER BY random();
SELECT format('
    CREATE TABLE item_%1$s AS SELECT %1$s AS id, n, at AS created FROM source;
    ALTER TABLE item_%1$s ADD PRIMARY KEY (id);
    CREATE TABLE shuffled_%1$s AS SELECT %1$s AS id FROM random_source;
    CREATE TABLE text_%1$s AS SELECT id::text AS id FROM shuffled_%1$s;
    CREATE TABLE wanted_%1$s AS SELECT id FROM shuffled_%1$s LIMIT 100000;', kind)
FROM unnest('{ulid,uuidv4,uuidv7,bigint,text}'::text[]) AS kind \gexec
SELECT format('CREATE TABLE into_%s (id %s DEFAULT %s PRIMARY KEY, n bigint)', kind, type, value)
FROM (VALUES ('ulid', 'ulid', 'gen_ulid()'), ('uuidv4', 'uuid', 'gen_random_uuid()'), ('bigint', 'bigint',
    'nextval(''numbers'')'),
        ('text', 'text COLLATE "C"', 'gen_ulid()::text'), ('random', 'ulid', 'gen_random_ulid()'),
        ('gen_uuidv7', 'uuid', 'gen_uuidv7()'),
        ('uuidv7', 'uuid', CASE WHEN current_setting('server_version_num')::int >= 180000 THEN 'uuidv7()'
            ELSE 'gen_uuidv7()' END))
    AS v (kind, type, value) \gexec
CREATE INDEX ON item_uuidv4 (created);
CREATE TABLE period AS
SELECT at, at + :rows / 10000 * interval '7 ms' AS until
FROM generate_series(1, 999) AS n,
    CAST('2025-01-01Z'::timestamptz + n * (:rows / 1000) * interval '7 ms' AS timestamptz) AS at;
CREATE STATISTICS ulid_minutes ON (date_trunc('minute', id::timestamptz, 'UTC')) FROM item_ulid;
CREATE STATISTICS uuid_minutes ON (date_trunc('minute', created, 'UTC')) FROM item_uuidv4;
DROP TABLE source, random_source;
VACUUM ANALYZE;
CHECKPOINT;
