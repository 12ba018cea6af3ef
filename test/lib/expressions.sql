-- A view of each expression that the catalogs allow over ulids, uuids and times, and of forms that SQL has besides,
-- except those that fail. For test/t/001_dump_restore.pl.
CREATE TABLE t (id ulid, o ulid, u uuid, k int4, at timestamptz, ids ulid[], us uuid[], p text, r tstzrange);
CREATE TABLE expressions (n serial, expression text);
CREATE TEMP TABLE candidates AS
SELECT format('%s %s %s', l, oprname, r) AS expression
FROM unnest('{id,u,at,p,ids,us,k}'::text[]) AS l, unnest('{o,u,at,p,ids,us,k}'::text[]) AS r,
    (SELECT DISTINCT oprname FROM pg_operator) AS o
WHERE l IN ('id', 'ids') OR r IN ('o', 'ids')
UNION ALL
SELECT DISTINCT format('%I(%s)', proname, arguments)
FROM pg_proc, unnest('{id,ids,"id, o","id, u","u, id","ids, id","id, ids","id, r","id, at","id, k","id, p"}'::text[]) AS arguments
WHERE prokind = 'f' AND NOT proretset AND provolatile <> 'v' AND proname !~ '^(pg_|ulid_gist|ulid_gin|has_|RI_)'
    AND prorettype NOT IN ('internal'::regtype, 'trigger'::regtype, 'cstring'::regtype)
UNION ALL
SELECT trim(form, E' \n') FROM string_to_table($$
    NULLIF(id, o); NULLIF(u, id); NULLIF(id, o)::timestamptz; COALESCE(id, u); LEAST(id, o, u);
    CASE id WHEN u THEN 1 END; CASE WHEN k = 1 THEN id ELSE o END; id IN (o, '01GV5PA9EQG7D82Q3Y4PKBZSYV'); id IN (o, u);
    id = ANY (ids); id <> ALL (us); u = ANY (ids); id BETWEEN o AND u; id BETWEEN at AND at; id IS NOT DISTINCT FROM u;
    (k, id) > (2, o); (id, k) = (o, 2); (id, u) < (u, o); (id, at) <= (o, at); (id, k) IN ((o, 1), (o, 2));
    (id, k) IN (SELECT o, k FROM t);
    (id, k) > (SELECT o, 2 FROM t LIMIT 1); (id, k) <> ALL (SELECT o, k FROM t); u IN (SELECT id FROM t);
    id > ALL (SELECT o FROM t); id < ANY (SELECT u FROM t); ARRAY[id, u]; ids || id; ids[1]; ROW(id, k);
    (id, k) IS DISTINCT FROM (o, k); id::text; id::varchar; id::uuid; id::timestamptz; id::bytea; u::ulid;
    p::text::ulid; at::ulid; ids::uuid[]; us::ulid[]; '01GV5PA9EQG7D82Q3Y4PKBZSYV' < id; min(id) OVER ();
    count(*) OVER (ORDER BY id RANGE BETWEEN '1 hour' PRECEDING AND CURRENT ROW); (SELECT max(id) FROM t)
$$, ';') AS form;
DO $$
DECLARE
    x record;
BEGIN
    FOR x IN SELECT expression, row_number() OVER () AS n FROM candidates LOOP
        BEGIN
            EXECUTE format('CREATE VIEW v%s AS SELECT %s AS x FROM t', x.n, x.expression);
            INSERT INTO expressions VALUES (x.n, x.expression);
        EXCEPTION WHEN OTHERS THEN
            NULL;
        END;
    END LOOP;
END $$;
