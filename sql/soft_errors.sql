-- Soft errors of the input function, since PostgreSQL 16: what it says is what it raises elsewhere (type.sql).
\set ECHO none
\getenv checkout PG_ABS_SRCDIR
\set include :checkout '/test/lib/error_of.psql'
\i :include
\set ECHO all
SELECT input, pg_input_is_valid(input, 'ulid') AS valid, ulid_is_valid(input) AS is_ulid, sql_error_code AS state,
       concat_ws(E'\n', concat_ws(': ', sql_error_code, coalesce(message, 'no error')), 'DETAIL: ' || detail,
                 'HINT: ' || hint) = error_text(format('SELECT %L::ulid', input)) AS as_raised
FROM (VALUES
    ('01GV5PA9EQG7D82Q3Y4PKBZSYV'),
    ('01gv5pa9eqg7d82q3y4pkbzsyv'),
    ('80000000000000000000000000'),
    ('01ARZ3NDEKTSV4RRFFQ69G5FAU'),
    ('2025-01-01'),
    ('0186cb65-25d7-81da-815c-7e25a6bfe7db'),
    ('0186cb65-25d7-81da-815c-7e25a6bfe7dg'),
    ('')) AS v (input), pg_input_error_info(input, 'ulid') AS info;
SELECT pg_input_is_valid('{01GV5PA9EQG7D82Q3Y4PKBZSYV,2025-01-01}', 'ulid[]') AS array_is_soft_too;
DROP FUNCTION error_of, error_text;
