-- Text and binary forms.
\set ECHO none
\getenv checkout PG_ABS_SRCDIR
\set include :checkout '/test/lib/error_of.psql'
\i :include
\set ECHO all
SET timezone = 'UTC'; SET datestyle = 'ISO';

-- published vectors
SELECT input, input::ulid AS output, (input::ulid)::timestamptz AS time,
       ulid_send(input::ulid) AS sent
FROM (VALUES
    ('01JGFJJZ00XHF7E02JJ03AE4T7'),
    ('01ARYZ6S410000000000000000'),
    ('01ARYZ6S41ZZZZZZZZZZZZZZZZ'),
    ('01GV5PA9EQG7D82Q3Y4PKBZSYV'),
    ('01gv5pa9eqg7d82q3y4pkbzsyv'),
    ('01BX5ZZKBKACTAV9WEVGEMMVRZ'),
    ('00000000000000000000000000'),
    ('0000004JFG0000000000000000'),
    ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'),
    ('01ARZ3NDEKTSV4RRFFQ69G5FAV'),
    ('O1ARZ3NDEKTSV4RRFFQ69G5FAV'),
    ('0Larz3ndektsv4rrffq69g5fav'),
    ('oiarz3ndektsv4rrffq69g5fav'),
    ('0I1L0O0oiIlL00000000000000')) AS v (input);

-- The cases of clients. This shows those to which the server answers differently.
\set cases `cat "$PG_ABS_SRCDIR/test/ids.csv"`
CREATE FUNCTION answer_to(input text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN input::ulid;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END
$$;
SELECT count(*) > 80 AS many FROM string_to_table(:'cases', E'\n') AS line;
SELECT line, answer_to(input) FROM string_to_table(:'cases', E'\n') AS line,
    replace(split_part(line, ',', 1), '\n', E'\n') AS input
WHERE answer_to(input) IS DISTINCT FROM split_part(line, ',', 2);

-- bad text: which rule it broke, where, and the cast that was meant (without the frame of a table)
\pset format unaligned
\pset tuples_only on
SELECT error_text(format('SELECT %L::ulid', input)) || CASE WHEN ulid_is_valid(input) THEN ', valid' ELSE '' END
FROM (VALUES
    (''),
    ('0'),
    ('01ARZ3NDEKTSV4RRFFQ69G5FA'),
    ('01ARZ3NDEKTSV4RRFFQ69G5FAVV'),
    (' 01ARZ3NDEKTSV4RRFFQ69G5FAV'),
    ('01ARZ3NDEKTSV4RRFFQ69G5FAV '),
    ('01ARZ3NDEKTSV4RRFFQ69G5FA '),
    (E'01ARZ3NDEKTSV4RRFFQ69G5FAV\r'),
    (E'01ARZ3NDEKTSV4RRFFQ69G5FAV\n'),
    (E'\t01ARZ3NDEKTSV4RRFFQ69G5FAV'),
    (U&'01ARZ3NDEKTSV4RRFFQ69G5FAV\00A0'),
    (U&'\FEFF01ARZ3NDEKTSV4RRFFQ69G5FAV'),
    ('01ARZ3NDEKTSV4RRFFQ69G5FAU'),
    ('u1ARZ3NDEKTSV4RRFFQ69G5FAV'),
    ('01ARZ3NDEK-SV4RRFFQ69G5FAV'),
    ('8U000000000000000000000000'),
    ('9-000000000000000000000000'),
    ('0186cb65-25d7-81da-815c-7e25a6bfe7dg'),
    ('0186CB6525D781DA815C7E25A6BFE7DB0'),
    ('{0186cb65-25d7-81da-815c-7e25a6bfe7db'),
    ('0186cb65-25d7-'),
    ('2025-01-01'),
    ('2025-01-01 00:00:00.000000'),
    ('2025-01-01T00:00:00Z'),
    ('2025-01-01 00:00:00 UTC'),
    ('2025-01-01 00:00:00 Europe/Berlin'),
    ('2025-01-first; no time'),
    ('yesterday'),
    ('Now'),
    ('-infinity'),
    ('epoch'),
    ('20260105'),
    ('20260105T1030'),
    ('20260105 10:30'),
    ('1735689600000'),
    ('01JGMQCD'),
    ('01J'),
    ('01JG'),
    ('01JGMQCDZZZZZZZZZZZZ'),
    ('01JGMQCDZZZZZZZZZZZZZ'),
    ('none'),
    ('n0ne'),
    ('01JGMQCU'),
    ('173568960000'),
    ('17356896000000'),
    ('2026010'),
    ('202601051'),
    ('0186cb65-25d7'),
    ('\x018f343d8c800123456789abcdef0202'),
    ('\x018f343d8c800123456789abcdef02'),
    ('80000000000000000000000000'),
    ('ZZZZZZZZZZZZZZZZZZZZZZZZZZ'),
    ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ')) AS v (input);
\pset format aligned
\pset tuples_only off
-- characters, not bytes, are counted and shown
SELECT octet_length(input), error.state, error.detail
FROM (VALUES
    (U&'01ARZ3NDEKTSV4RRFFQ69G5FA\00E9'),
    (U&'01ARZ3NDEKTSV4RRFFQ69G5F\00E9'),
    (U&'\+01F600\+01F600\+01F600')) AS v (input),
    error_of(format('SELECT %L::ulid', input)) AS error;
-- as a user meets them
SELECT '2025-01-01'::ulid;
SELECT '80000000000000000000000000'::ulid;

-- a UUID, in every form that uuid reads: the same bytes, and shown as a ulid; it is no ULID
SELECT input, input::ulid AS output, input::uuid::ulid = input::ulid AS same, ulid_is_valid(input)
FROM (VALUES
    ('0186cb65-25d7-81da-815c-7e25a6bfe7db'),
    ('0186CB65-25D7-81DA-815C-7E25A6BFE7DB'),
    ('0186cb6525d781da815c7e25a6bfe7db'),
    ('{0186cb65-25d7-81da-815c-7e25a6bfe7db}'),
    ('0186-cb65-25d7-81da-815c-7e25-a6bf-e7db'),
    ('{0186cb6525d7-81da815c7e25a6bf-E7DB}'),
    ('00000000-0000-0000-0000-000000000000'),
    ('ffffffff-ffff-ffff-ffff-ffffffffffff')) AS v (input);
-- ulid and uuid judge the same of such a text with each character left out, doubled, or another
SELECT count(*) AS texts, count(*) FILTER (WHERE (error_of(format('SELECT %L::uuid', input))).state = '22P02') AS bad,
       bool_and((error_of(format('SELECT %L::uuid', input))).state IS NOT DISTINCT FROM (error_of(format('SELECT %L::ulid', input))).state) AS agree
FROM (VALUES ('0186cb65-25d7-81da-815c-7e25a6bfe7db'), ('{0186cb6525d7-81da815c7e25a6bf-E7DB}'), ('0186CB6525D781DA815C7E25A6BFE7DB')) AS v (uuid),
    generate_series(1, 36) AS place,
    LATERAL (VALUES (''), ('-'), ('{'), ('}'), (' '), ('g'), ('0'), (E'\t'), ('00'), ('--')) AS c (put),
    LATERAL (VALUES (overlay(uuid PLACING put FROM place)), (overlay(uuid PLACING put FROM place FOR 0))) AS t (input);

-- ulid_is_valid agrees with the input function about every ASCII character
SELECT count(*) FILTER (WHERE ulid_is_valid(text)) AS valid,
       bool_and(ulid_is_valid(text) = ((error_of(format('SELECT %L::ulid', text))).message = 'no error'))
           AS agree
FROM generate_series(1, 127) AS code, LATERAL (SELECT repeat('0', 25) || chr(code)) AS v (text);

-- binary
SELECT ulid_send('01GV5PA9EQG7D82Q3Y4PKBZSYV') = uuid_send('0186cb65-25d7-81da-815c-7e25a6bfe7db') AS same_bytes;

DROP FUNCTION error_of, error_text;
