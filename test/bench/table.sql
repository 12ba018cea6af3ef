-- The table of BENCHMARKS.md from a file of results, :csv. A number says how many times as many rows a second there
-- are with the first key as with the second: the median of the rounds, with the quartiles where they differ.
CREATE TEMP TABLE result (benchmark text, variant text, round int, ms float8);
\set copy '\\copy result FROM ' :csv ' WITH (FORMAT csv, HEADER)'
:copy
CREATE FUNCTION pg_temp.short(ratio float8) RETURNS text LANGUAGE sql AS $$
    SELECT round(ratio::numeric, CASE WHEN ratio >= 10 THEN 0 WHEN ratio >= 2 THEN 1 WHEN ratio >= 0.01 THEN 2
        ELSE 5 END)::text
$$;
CREATE FUNCTION pg_temp.ratio(of_benchmark text, ours text, theirs text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN q IS NULL THEN ''
        WHEN q[1] <= 1 AND q[3] >= 1 THEN 'no difference'
        WHEN pg_temp.short(q[1]) = pg_temp.short(q[3]) THEN pg_temp.short(q[2])
        ELSE format('%s (%s to %s)', pg_temp.short(q[2]), pg_temp.short(q[1]), pg_temp.short(q[3])) END
    FROM (SELECT percentile_cont('{0.25,0.5,0.75}'::float8[]) WITHIN GROUP (ORDER BY b.ms / a.ms) AS q
        FROM result AS a JOIN result AS b USING (benchmark, round)
        WHERE benchmark = of_benchmark AND a.variant = ours AND b.variant = theirs) AS v
$$;
SELECT '| ' || split_part(version(), ' (', 1)
    || ' | ulid ÷ uuid v4 | ulid ÷ uuid v7 | ulid ÷ bigint | ulid ÷ text |';
SELECT '| --- | --- | --- | --- | --- |';
SELECT format('| %s | %s |', what, array_to_string(ARRAY(
    SELECT pg_temp.ratio(benchmark, 'ulid', other)
    FROM unnest('{uuidv4,uuidv7,bigint,text}'::text[]) WITH ORDINALITY AS o (other, n) ORDER BY n), ' | '))
FROM (VALUES (1, 'ids made', 'generate'), (2, 'rows inserted by one statement', 'insert'),
    (3, 'ids written as text', 'output'), (4, 'ids read from text', 'input'), (5, 'ids sorted', 'sort'),
    (6, 'rows indexed', 'index'), (7, 'rows indexed by GiST', 'index_gist'), (8, 'lookups by primary key', 'lookup'),
    (9, 'rows joined by hashing', 'hash_join'),
    (10, 'rows of a range of time', 'range'), (11, 'rows joined with 999 ranges of time', 'join'),
    (12, 'rows grouped by minute', 'group'), (13, 'plans of a range of time', 'plan')) AS v (n, what, benchmark)
ORDER BY n;
SELECT '';
SELECT '| what | this | ÷ this | |';
SELECT '| --- | --- | --- | --- |';
SELECT format('| %s | %s | %s | %s |', what, ours, theirs, pg_temp.ratio(benchmark, ours, theirs))
FROM (VALUES (1, 'ids made', 'generate', 'gen_uuidv7', 'ulid'), (2, 'ids made', 'generate', 'gen_uuidv7', 'uuidv4'),
    (3, 'ids made', 'generate', 'monotonic', 'uuidv4'),
    (5, 'rows inserted by one statement', 'insert', 'gen_uuidv7', 'uuidv7'),
    (7, 'rows joined with 999 ranges of time, by the cast', 'join', 'cast', 'ulid')
) AS v (n, what, benchmark, ours, theirs)
ORDER BY n;
