-- The extension in a schema of any name that is in no search_path.
BEGIN;
SELECT no_plan();
SET LOCAL client_min_messages = warning;
DROP EXTENSION ulid;

CREATE SCHEMA "a ""Schema";
CREATE TEMP TABLE results (what text, result boolean);
CREATE EXTENSION ulid SCHEMA "a ""Schema";

-- Tables and functions that name no schema but the type's, used with an empty search_path.
CREATE TABLE public.keyed (id "a ""Schema".ulid PRIMARY KEY DEFAULT "a ""Schema".gen_ulid(), n int,
    at timestamp GENERATED ALWAYS AS (id::timestamptz AT TIME ZONE 'UTC') STORED);
SET LOCAL search_path = '';
INSERT INTO public.keyed (n) SELECT pg_catalog.generate_series(1, 1000);
ANALYZE public.keyed;
INSERT INTO pg_temp.results
SELECT 'keys are in the order of insertion', pg_catalog.array_agg(n ORDER BY id)
    = (SELECT pg_catalog.array_agg(g) FROM pg_catalog.generate_series(1, 1000) AS g) FROM public.keyed
UNION ALL SELECT 'text and back', pg_catalog.bool_and(id::text::"a ""Schema".ulid = id) FROM public.keyed
UNION ALL SELECT 'casts', pg_catalog.bool_and(id::uuid::"a ""Schema".ulid = id
    AND id::bytea::"a ""Schema".ulid = id
    AND id::timestamptz AT TIME ZONE 'UTC' = at) FROM public.keyed
UNION ALL SELECT 'parts', pg_catalog.bool_and(
    "a ""Schema".make_ulid("timestamp", randomness) = id AND uuid = id::uuid)
    FROM public.keyed, "a ""Schema".ulid_parse(id)
UNION ALL SELECT 'min and max', min(id)::uuid = pg_catalog.min(id::uuid::text)::uuid
    AND max(id)::uuid = pg_catalog.max(id::uuid::text COLLATE "C")::uuid FROM public.keyed
UNION ALL SELECT 'generators', "a ""Schema".ulid_next("a ""Schema".gen_random_ulid())
    > "a ""Schema".gen_ulid('1970-01-01')
UNION ALL SELECT 'a literal is read as a ulid', count(*) = 1000
    FROM public.keyed WHERE id >= '01ARZ3NDEKTSV4RRFFQ69G5FAV';
INSERT INTO pg_temp.results
SELECT 'times', count(*) = 1000 AND count(*) FILTER (WHERE id < now() - interval '1 hour') = 0
    FROM public.keyed WHERE id >= now() - interval '1 hour' AND clock_timestamp() >= id
UNION ALL SELECT 'a prefix', count(*) = 1000 FROM public.keyed WHERE id ^@ pg_catalog.left(id::text, 4)
UNION ALL SELECT 'the distance', pg_catalog.max(id <-> id) = '0'::interval FROM public.keyed
UNION ALL SELECT 'NULLIF, CASE, IN, USING and rows have ulids', pg_catalog.pg_typeof(NULLIF(k.id, j.id))
        = '"a ""Schema".ulid'::regtype AND CASE k.id WHEN j.id THEN true END AND k.id IN (j.id, NULL)
        AND k.id IS NOT DISTINCT FROM j.id AND (k.id, 1) < (j.id, 2)
    FROM (SELECT id FROM public.keyed LIMIT 1) AS k JOIN public.keyed AS j USING (id);
RESET search_path;
SELECT ok(result, 'with an empty search_path: ' || what) FROM results;
SELECT lives_ok('INSERT INTO public.keyed (n) VALUES (1001)', 'a default works with any search_path');
SELECT is((SELECT n FROM public.keyed ORDER BY id DESC LIMIT 1), 1001, 'so does the index');

SELECT finish();
ROLLBACK;
