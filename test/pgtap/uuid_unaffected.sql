-- Queries of plain uuid columns plan as they do in a database without this extension, although
-- the extension names the server's uuid operators in a family of its own.
BEGIN;
SET LOCAL client_min_messages = warning;
SELECT no_plan();
DROP EXTENSION IF EXISTS ulid CASCADE;

CREATE TABLE a (id uuid PRIMARY KEY, n integer, ref uuid);
CREATE TABLE b (id uuid PRIMARY KEY, n integer, ref uuid);
INSERT INTO a SELECT md5(n::text)::uuid, n, md5((n % 100)::text)::uuid FROM generate_series(1, 5000) n;
INSERT INTO b SELECT id, n, ref FROM a WHERE n % 3 = 0;
CREATE INDEX a_ref ON a (ref, n);
CREATE INDEX b_hash ON b USING hash (ref);
SELECT format('CREATE TABLE %1$s (id uuid, n integer) PARTITION BY RANGE (id);'
    'CREATE TABLE %1$s_1 PARTITION OF %1$s FOR VALUES FROM (MINVALUE) TO (''80000000-0000-0000-0000-000000000000'');'
    'CREATE TABLE %1$s_2 PARTITION OF %1$s FOR VALUES FROM (''80000000-0000-0000-0000-000000000000'') TO (MAXVALUE);'
    'INSERT INTO %1$s SELECT id, n FROM %2$s; CREATE INDEX ON %1$s (id)', t, source)
FROM (VALUES ('p', 'a'), ('q', 'b')) AS v (t, source) \gexec
CREATE TABLE h (id uuid, n integer) PARTITION BY HASH (id);
CREATE TABLE h_0 PARTITION OF h FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE h_1 PARTITION OF h FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO h SELECT id, n FROM a;
ANALYZE a, b, p, q, h;
SET LOCAL enable_partitionwise_join = on; SET LOCAL enable_partitionwise_aggregate = on;

CREATE TEMP TABLE query (n serial, text text);
INSERT INTO query (text) SELECT 'SELECT * FROM ' || replace(line, '{uuid}', '''01563e3a-b5d3-d676-4c61-efb99302bd5b''')
FROM regexp_split_to_table(trim(E' \n' FROM $list$
    a WHERE id = {uuid}; a WHERE id IN ({uuid}, '01563e3a-b5d3-d676-4c61-efb99302bd5c');
    a WHERE id = ANY (ARRAY(SELECT ref FROM b));
    a WHERE id >= 'f0000000-0000-0000-0000-000000000000' AND id < 'f1000000-0000-0000-0000-000000000000';
    a WHERE id > 'f0000000-0000-0000-0000-000000000000' ORDER BY id LIMIT 10; a ORDER BY id;
    a ORDER BY ref, n LIMIT 10; a JOIN b ON a.id = b.id; a JOIN b USING (id) ORDER BY id;
    a JOIN b ON a.ref = b.id WHERE a.n < 4;
        a LEFT JOIN b ON a.id = b.id WHERE b.id IS NULL;
    a FULL JOIN b ON a.id = b.id; a WHERE id IN (SELECT ref FROM b);
        a WHERE NOT EXISTS (SELECT FROM b WHERE b.id = a.ref);
    a JOIN b ON a.id = b.id JOIN a c ON c.id = b.ref AND c.id = a.id;
    p WHERE id = {uuid};
    p WHERE id < {uuid}; p JOIN q ON p.id = q.id; p JOIN a ON p.id = a.id WHERE a.n = 7;
    h WHERE id = {uuid};
    h x JOIN h y ON x.id = y.id
$list$), ';\s*') AS line
UNION ALL SELECT line FROM regexp_split_to_table(trim(E' \n' FROM $list$
    SELECT id FROM a ORDER BY id USING > LIMIT 5; SELECT DISTINCT ref FROM a;
    SELECT ref, count(*) FROM a GROUP BY ref;
    SELECT id, row_number() OVER (PARTITION BY ref ORDER BY id) FROM a; SELECT a.n FROM a LEFT JOIN b ON a.id = b.id;
    SELECT id FROM a UNION SELECT id FROM b;

    WITH RECURSIVE r AS (SELECT id, ref FROM a WHERE n = 1 UNION SELECT a.id, a.ref FROM a JOIN r
        ON a.id = r.ref) TABLE r
$list$), ';\s*') AS line;

\ir ../lib/plan_of.psql
-- With costs, and VERBOSE because that names the operators of sorts: with each of these off, of which jit changes no
-- plan.
CREATE FUNCTION pg_temp.plans() RETURNS TABLE (n int, plan text) LANGUAGE plpgsql AS $$
DECLARE s text;
BEGIN
    FOREACH s IN ARRAY ARRAY['jit', 'enable_hashjoin', 'enable_mergejoin', 'enable_nestloop', 'enable_seqscan',
        'enable_sort',
        'enable_hashagg', 'enable_indexscan'] LOOP
        PERFORM set_config(s, 'off', true);
        RETURN QUERY SELECT q.n, s || E' off:\n' || plan_of(q.text, 'VERBOSE') FROM query q;
        PERFORM set_config(s, 'on', true);
    END LOOP;
END $$;

CREATE TEMP TABLE before AS SELECT * FROM pg_temp.plans();
CREATE EXTENSION ulid;
CREATE TEMP TABLE after AS SELECT * FROM pg_temp.plans();

SELECT is((SELECT string_agg(plan, '' ORDER BY plan) FROM after WHERE n = query.n),
    (SELECT string_agg(plan, '' ORDER BY plan) FROM before WHERE n = query.n), text) FROM query ORDER BY n;
SELECT ok(count(*) > 60, 'the settings made ' || count(*) || ' plans')
FROM (SELECT DISTINCT regexp_replace(plan, '.*? off:', '') FROM before) AS p;

SELECT * FROM finish();
ROLLBACK;
