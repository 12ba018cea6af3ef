-- What the generators give that does not depend on chance.
\set ECHO none
\getenv checkout PG_ABS_SRCDIR
\set include :checkout '/test/lib/error_of.psql'
\i :include
\set ECHO all
SET timezone = 'UTC'; SET datestyle = 'ISO';
-- plus 1 at the same and at an earlier time (more vectors: test/unit/generator_test.cpp)
SELECT ulid, time, ulid_next(ulid, time)
FROM (VALUES
    ('01BX5ZZKBKACTAV9WEVGEMMVRZ'::ulid, '1970-01-01'::timestamptz),
    ('0000004JFG0000000000000002', '1970-01-01 00:02:30.000999'),
    ('0000004JFG0ZZZZZZZZZZZZZZZ', '1970-01-01 00:02:30'),
    ('7ZZZZZZZZZZZZZZZZZZZZZZZZY', '10889-08-02 05:31:50.655999')) AS v (ulid, time);
-- that time and fresh randomness at a later one
SELECT ulid_next(ulid, time)::timestamptz AS time,
       ulid_randomness(ulid_next(ulid, time)) <> ulid_randomness(ulid_next(ulid, time)) AS fresh
FROM (VALUES
    ('0000004JFG0000000000000002'::ulid, '1970-01-01 00:02:30.001'::timestamptz),
    ('0000004JFGZZZZZZZZZZZZZZZZ', '1970-01-01 00:02:30.001'),
    ('00000000000000000000000000', '10889-08-02 05:31:50.655999')) AS v (ulid, time);
-- at the present: after an old ULID the time now, after one of the future plus 1
SELECT ulid_next('01BX5ZZKBKACTAV9WEVGEMMVRZ') BETWEEN ulid_min(now()) AND ulid_max(clock_timestamp()) AS now,
       ulid_next('7ZZZZZZZZ00000000000000000');
-- times, cut off to the millisecond
SELECT time, gen_ulid(time)::timestamptz, gen_ulid(time) <> gen_ulid(time) AS fresh
FROM (VALUES
    ('1970-01-01'::timestamptz),
    ('1970-01-01 00:00:00.000999'),
    ('2025-01-01 00:00:00.123456'),
    ('10889-08-02 05:31:50.655999')) AS v (time);
-- a UUIDv7 keeps the microseconds of the time: milliseconds, version, and 4096ths of a millisecond
SELECT time, left(gen_uuidv7(time)::text, 18) AS time_part, gen_uuidv7(time) <> gen_uuidv7(time) AS fresh
FROM (VALUES
    ('1970-01-01'::timestamptz),
    ('1970-01-01 00:00:00.000999'),
    ('2022-02-22 19:22:22.0008'), -- 0.8 of a millisecond are 3276 of 4096: CCC
    ('10889-08-02 05:31:50.655999')) AS v (time);
SELECT gen_uuidv7(NULL) IS NULL AND gen_ulid(NULL) IS NULL AND ulid_next(NULL) IS NULL AND ulid_next(NULL, now()) IS NULL
   AND ulid_next(gen_ulid(), NULL) IS NULL AS strict;

-- Print the results below without headers and borders.
\pset format unaligned
\pset tuples_only on
SELECT command || E'\n' || error_text(command)
FROM (VALUES
    ('SELECT ulid_next(''01BX5ZZKBKZZZZZZZZZZZZZZZZ'', ''1970-01-01'')'),
    ('SELECT ulid_next(''7ZZZZZZZZZZZZZZZZZZZZZZZZZ'', ''10889-08-02 05:31:50.655999'')'),
    ('SELECT ulid_next(''7ZZZZZZZZZZZZZZZZZZZZZZZZZ'')'),
    ('SELECT ulid_next(''00000000000000000000000000'', ''1969-12-31 23:59:59.999999'')'),
    ('SELECT ulid_next(''00000000000000000000000000'', ''10889-08-02 05:31:50.656'')'),
    ('SELECT gen_ulid(''1969-12-31 23:59:59.999999'')'),
    ('SELECT gen_ulid(''10889-08-02 05:31:50.656'')'),
    ('SELECT gen_ulid(''4713-01-01 BC'')'),
    ('SELECT gen_ulid(''infinity'')'),
    ('SELECT gen_ulid(''-infinity'')'),
    ('SELECT gen_uuidv7(''1969-12-31 23:59:59.999999'')'),
    ('SELECT gen_uuidv7(''10889-08-02 05:31:50.656'')'),
    ('SELECT gen_uuidv7(''infinity'')')) AS v (command);
DROP FUNCTION error_of, error_text;
