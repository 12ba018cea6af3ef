-- Parts and casts.
\set ECHO none
\getenv checkout PG_ABS_SRCDIR
\set include :checkout '/test/lib/error_of.psql'
\i :include
\set ECHO all
SET timezone = 'UTC'; SET datestyle = 'ISO';
SELECT p.* FROM (VALUES
    ('00000000000000000000000000'::ulid),
    ('01JGFJJZ00XHF7E02JJ03AE4T7'),
    ('01GV5PA9EQG7D82Q3Y4PKBZSYV'),
    ('3ZZZZZZZZZZZZZZZZZZZZZZZZZ'),
    ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), (NULL)) AS v (ulid), ulid_parse(ulid) AS p;
SELECT (ulid_parse('01ARYZ6S410000000000000000')).unix_ms;
SELECT ulid_timestamp('01GV5PA9EQG7D82Q3Y4PKBZSYV'), ulid_randomness('01GV5PA9EQG7D82Q3Y4PKBZSYV'),
       make_ulid('2023-03-10 12:00:49.111', '\x81da815c7e25a6bfe7db');

-- the bounds of a millisecond; microseconds are cut off towards the past
SELECT time, ulid_min(time), ulid_max(time), time::ulid = ulid_min(time) AS cast_is_min,
       make_ulid(time, decode(repeat('00', 10), 'hex')) = ulid_min(time) AS minimum,
       make_ulid(time, decode(repeat('FF', 10), 'hex')) = ulid_max(time) AS maximum
FROM (VALUES
    ('1970-01-01'::timestamptz),
    ('1970-01-01 00:00:00.000999'),
    ('1970-01-01 00:00:00.001'),
    ('1999-12-31 23:59:59.999999'),
    ('2000-01-01'),
    ('2025-01-01'),
    ('10889-08-02 05:31:50.655'),
    ('10889-08-02 05:31:50.655999')) AS v (time);

-- the first UUIDv7 of a millisecond, from the same times
SELECT time, uuidv7_min(time), uuidv7_min(time)::ulid::timestamptz = ulid_min(time)::timestamptz AS same_time
FROM (VALUES
    ('1970-01-01'::timestamptz),
    ('2026-01-01 00:00:00.000999'),
    ('2026-01-01 00:00:00.001'),
    ('10889-08-02 05:31:50.655999')) AS v (time);

-- casts: what each is; the one implicit is to uuid
SELECT castsource::regtype, casttarget::regtype, castfunc::regprocedure, castcontext, castmethod
FROM pg_cast WHERE 'ulid'::regtype IN (castsource, casttarget)
ORDER BY castsource::regtype::text COLLATE "C", casttarget::regtype::text COLLATE "C";
SELECT ulid::uuid, ulid::uuid::ulid = ulid AS uuid_back, ulid::bytea,
       ulid::bytea::ulid = ulid AS bytea_back, ulid::text::ulid = ulid AS text_back,
       ulid::timestamptz::ulid = ulid_min(ulid_timestamp(ulid)) AS time_back
FROM (VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV'::ulid), ('00000000000000000000000000'),
             ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ')) AS v (ulid);
-- a time has a time zone: there is no cast to or from timestamp, which would have to choose one
SET timezone = 'Asia/Kathmandu';
SELECT '01JGFJJZ00XHF7E02JJ03AE4T7'::ulid::timestamptz, '2025-01-01'::timestamptz::ulid,
       '01JGFJJZ00XHF7E02JJ03AE4T7'::ulid::timestamptz AT TIME ZONE 'UTC' AS utc;
SELECT state, message FROM (VALUES ('SELECT gen_ulid()::timestamp'), ('SELECT localtimestamp::ulid'), ('SELECT gen_ulid()::date')) AS v (command),
    error_of(command);
CREATE TEMP TABLE generated (id ulid, utc timestamp GENERATED ALWAYS AS (id::timestamptz AT TIME ZONE 'UTC') STORED);
INSERT INTO generated VALUES ('01JGFJJZ00XHF7E02JJ03AE4T7') RETURNING utc;
SET timezone = 'UTC';
-- on assignment uuid and text of every type, as drivers send it; nothing else
CREATE TEMP TABLE assigned (id ulid, u uuid);
INSERT INTO assigned VALUES ('0186cb65-25d7-81da-815c-7e25a6bfe7db'::uuid, '01GV5PA9EQG7D82Q3Y4PKBZSYV'::ulid);
TABLE assigned;
INSERT INTO assigned (id) VALUES (now());
INSERT INTO assigned (id) VALUES ('01gv5pa9eqg7d82q3y4pkbzsyv'::text), ('01GV5PA9EQG7D82Q3Y4PKBZSYV'::varchar),
    ('01GV5PA9EQG7D82Q3Y4PKBZSYV'::varchar(26)), ('01GV5PA9EQG7D82Q3Y4PKBZSYV'::char(26)) RETURNING id;
UPDATE assigned SET id = CASE WHEN id IS NULL THEN NULL ELSE '01ARZ3NDEKTSV4RRFFQ69G5FAV' END WHERE u IS NULL RETURNING id;
PREPARE typed_text(text, varchar, bpchar) AS INSERT INTO assigned (id) VALUES ($1), ($2), ($3) RETURNING id;
EXECUTE typed_text('01GV5PA9EQG7D82Q3Y4PKBZSYV', '01GV5PA9EQG7D82Q3Y4PKBZSYV', '01GV5PA9EQG7D82Q3Y4PKBZSYV');
INSERT INTO assigned (id) VALUES ('not a ulid'::text);
INSERT INTO assigned (id) VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV'::char(27));
SELECT state, message FROM error_of('SELECT ulid ''01GV5PA9EQG7D82Q3Y4PKBZSYV'' = text ''01GV5PA9EQG7D82Q3Y4PKBZSYV''');
SELECT '01GV5PA9EQG7D82Q3Y4PKBZSYV'::ulid || ' is text';
SELECT state, message FROM error_of('SELECT length(ulid ''01GV5PA9EQG7D82Q3Y4PKBZSYV'')');

-- Print the results below without headers and borders.
\pset format unaligned
\pset tuples_only on
SELECT command || E'\n' || error_text(command)
FROM (VALUES
    ('SELECT ''\x''::bytea::ulid'),
    ('SELECT ''\x0186cb6525d781da815c7e25a6bfe7''::bytea::ulid'),
    ('SELECT ''\x0186cb6525d781da815c7e25a6bfe7db00''::bytea::ulid'),
    ('SELECT make_ulid(''2025-01-01'', ''\x'')'),
    ('SELECT make_ulid(''2025-01-01'', ''\x112233445566778899'')'),
    ('SELECT make_ulid(''2025-01-01'', ''\x1122334455667788990011'')'),
    ('SELECT make_ulid(''1969-12-31 23:59:59.999999'', ''\x11223344556677889900'')'),
    ('SELECT ulid_min(''1969-12-31 23:59:59.999999'')'),
    ('SELECT ulid_max(''10889-08-02 05:31:50.656'')'),
    ('SELECT uuidv7_min(''1969-12-31 23:59:59.999999'')'),
    ('SELECT uuidv7_min(''10889-08-02 05:31:50.656'')'),
    ('SELECT uuidv7_min(''-infinity'')'),
    ('SELECT ''infinity''::timestamptz::ulid'),
    ('SELECT ''-infinity''::timestamptz::ulid')) AS v (command);
DROP FUNCTION error_of, error_text;
