-- The two queries of doc/moving.md list what refuses ALTER ... TYPE, and what mentions uuid and stays. Its statements
-- change other types. Run in the checkout.
BEGIN;
SET LOCAL client_min_messages = error;
SELECT no_plan();
\set refuses `sed -n '/^WITH RECURSIVE made_of/,/;$/p' doc/moving.md`
\set stays `sed -n '/AS look_at$/,/;$/p' doc/moving.md`
SELECT set_config('moving.refuses', :'refuses', true), set_config('moving.stays', :'stays', true) \gset _

CREATE TABLE customer (id uuid PRIMARY KEY DEFAULT gen_random_uuid());
CREATE TABLE invoice (n int, customer_id uuid REFERENCES customer);
CREATE FUNCTION lists(what text) RETURNS SETOF text LANGUAGE plpgsql SET search_path = '' AS $$
DECLARE found record;
BEGIN
    FOR found IN EXECUTE current_setting('moving.' || what) LOOP
        RETURN NEXT (SELECT replace(string_agg(value, ': '), 'public.', '') FROM json_each_text(to_json(found)));
    END LOOP;
END $$;
-- What the first query lists with a form, and the error of the change. Nothing stays.
CREATE FUNCTION tried(form text, change text, OUT listed text, OUT error text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE form;
    listed := (SELECT string_agg(l, ', ') FROM lists('refuses') AS l);
    BEGIN
        EXECUTE change;
    EXCEPTION WHEN OTHERS THEN
        error := SQLERRM;
    END;
    RAISE SQLSTATE 'UNDO0';
EXCEPTION WHEN SQLSTATE 'UNDO0' THEN
    NULL;
END $$;
SELECT is(array(SELECT lists('refuses')), '{}', 'nothing refuses a change of keys, defaults and foreign keys');
SELECT is((tried('SELECT', 'ALTER TABLE customer ALTER id TYPE ulid')).error, NULL, 'and it succeeds');
WITH forms (changed, form) AS (VALUES
    ('customer.id', 'CREATE VIEW v AS SELECT id FROM customer'),
    ('customer.id', 'CREATE POLICY p ON invoice USING (customer_id IN (SELECT id FROM customer))'),
    ('customer.id', 'CREATE TRIGGER t BEFORE UPDATE OF id ON customer
        EXECUTE FUNCTION suppress_redundant_updates_trigger()'),
    ('customer.id', 'CREATE TRIGGER t AFTER INSERT ON customer FOR EACH ROW WHEN (NEW.id IS NULL)
        EXECUTE FUNCTION suppress_redundant_updates_trigger()'),
    ('customer.id', 'CREATE FUNCTION f() RETURNS SETOF uuid LANGUAGE sql BEGIN ATOMIC SELECT id FROM customer; END'),
    ('customer.id', 'CREATE PUBLICATION p FOR TABLE customer WHERE (id IS NOT NULL)'),
    ('customer.id', 'CREATE PUBLICATION p FOR TABLE customer (id)'),
    ('invoice.customer_id', 'CREATE RULE r AS ON DELETE TO invoice WHERE OLD.customer_id IS NULL DO INSTEAD NOTHING'),
    ('invoice.customer_id', 'ALTER TABLE invoice ADD no boolean GENERATED ALWAYS AS (customer_id IS NULL) STORED'),
    ('invoice.customer_id', 'CREATE TABLE box (content invoice)'),
    ('invoice.customer_id', 'CREATE TABLE box (content invoice[])'),
    ('e.id', 'CREATE TABLE e (id uuid) PARTITION BY HASH (id)'),
    ('e.id', 'CREATE TABLE e (id uuid) PARTITION BY HASH ((id::text))'),
    ('t.id', 'CREATE TYPE t AS (id uuid); CREATE TABLE e (a t)'),
    ('t.id', 'CREATE TYPE t AS (id uuid); CREATE TABLE e OF t')
), results AS (
    SELECT form, changed, (tried(form, format(CASE relation WHEN 't' THEN 'ALTER TYPE %s ALTER ATTRIBUTE %s TYPE ulid'
        ELSE 'ALTER TABLE %s ALTER %s TYPE ulid' END, relation, part))).*, relation
    FROM forms, split_part(changed, '.', 1) AS relation, split_part(changed, '.', 2) AS part)
SELECT matches(error, '^cannot alter', 'refused: ' || form) FROM results UNION ALL
SELECT matches(listed, format('(column %s of table|type) %s(\[\])?: ', split_part(changed, '.', 2), relation),
    'listed: ' || form) FROM results;

-- Columns of composite types and of a table's row type go there and back, typed tables with their type.
\set page `tr -s '\n ' ' ' <doc/moving.md`
SELECT substring(:'page' FROM '(ALTER COLUMN p TYPE [^`]*)`') AS to_ulid,
    substring(:'page' FROM '(USING CASE WHEN p::text [^`]*)`') AS to_uuid,
    substring(:'page' FROM '(TYPE invoice USING [^`]*)`') AS from_text,
    '((content).n, ' || substring(:'page' FROM '(\(content\).customer_id::uuid)`') || ')::text' AS row,
    substring(:'page' FROM '(ALTER TYPE t [^`]*)`') AS of_type,
    substring(:'page' FROM '(USING brin [^`]*)`') AS brin \gset
SELECT replace(replace(:'to_uuid', '((p).id, (p).n)::pair', :'row'), 'p::', 'content::') AS to_text \gset
CREATE TYPE pair AS (id uuid, n integer);
CREATE TYPE ulid_pair AS (id ulid, n integer);
CREATE TABLE t (p pair);
INSERT INTO t VALUES (ROW(gen_random_uuid(), NULL)), (NULL), (ROW(NULL, NULL));
CREATE TABLE box (content invoice);
INSERT INTO box VALUES (ROW(1, gen_random_uuid())), (NULL);
\set held 'SELECT count(p::text) AS n, min((p).id::uuid::text) AS id FROM t'
\set held :held ' UNION ALL SELECT count(content::text), min((content).customer_id::uuid::text) FROM box'
CREATE TEMP TABLE held AS :held;
ALTER TABLE t :to_ulid;
ALTER TABLE box ALTER content TYPE text;
ALTER TABLE invoice ALTER customer_id TYPE ulid;
ALTER TABLE box ALTER content :from_text;
SELECT set_eq(:'held', 'TABLE held', 'columns of composite types become ulid');
ALTER TABLE t ALTER p TYPE pair :to_uuid;
ALTER TABLE box ALTER content TYPE text :to_text;
ALTER TABLE invoice ALTER customer_id TYPE uuid;
ALTER TABLE box ALTER content :from_text;
SELECT set_eq(:'held', 'TABLE held', 'and uuid again');
DROP TABLE t, box;
DROP TYPE pair;
CREATE TYPE t AS (id uuid);
CREATE TABLE typed OF t;
:of_type;
SELECT col_type_is('typed', 'id', 'ulid', 'a typed table follows its type');
DROP TYPE t CASCADE;

CREATE DOMAIN ulid_domain AS ulid;
CREATE TABLE domains (id ulid_domain, own ulid DEFAULT gen_ulid());
SELECT set_config('moving.refuses', replace(:'refuses', '''uuid''', '''public.ulid'''), true) \gset _
SELECT is(array(SELECT lists('refuses')), '{type ulid_domain: column id of table domains}', 'of ulids, only the domain');
\set two 'INSERT INTO domains SELECT gen_ulid() FROM generate_series(1, 2)'
SELECT throws_like('CREATE INDEX ON domains USING brin (id); ' || :'two', 'missing operator%', 'BRIN refuses a domain');
CREATE INDEX ON domains :brin;
SELECT lives_ok(:'two', 'but not with the cast of the page');

CREATE DOMAIN uuid_domain AS uuid;
CREATE TYPE noted AS (id uuid);
CREATE TYPE ids AS RANGE (subtype = uuid);
CREATE TABLE note (id ulid DEFAULT gen_random_uuid(), attrs jsonb, CHECK (attrs->>'id' <> gen_random_uuid()::text));
CREATE INDEX note_ref ON note (((attrs->>'ref')::uuid));
CREATE INDEX note_coalesce ON note (COALESCE(id, '00000000-0000-0000-0000-000000000000'::uuid));
CREATE POLICY own ON note USING (id = current_setting('app.id')::uuid);
CREATE FUNCTION quoted(text) RETURNS boolean LANGUAGE sql AS 'SELECT $1::uuid IS NULL';
CREATE FUNCTION notes() RETURNS TABLE (id uuid) LANGUAGE plpgsql AS 'BEGIN RETURN QUERY SELECT note.id FROM note; END';
CREATE VIEW of_doc AS SELECT (doc->>'ref')::uuid FROM (SELECT '{}'::jsonb AS doc) AS d;
SELECT set_eq($$SELECT lists('stays')$$, '{column id of composite type noted,constraint note_attrs_check on table note,
    default value for column id of table customer,default value for column id of table note,"function ids(uuid,uuid)",
    "function ids(uuid,uuid,text)",function notes(),function quoted(text),index note_coalesce,index note_ref,
    policy own on table note,rule _RETURN on view of_doc,type uuid_domain}'::text[], 'what mentions uuid is listed');
SELECT throws_ok('SELECT * FROM notes()', '42804', NULL, 'RETURNS TABLE (id uuid) fails');
INSERT INTO note DEFAULT VALUES;
SELECT is(substr(id::uuid::text, 15, 1), '4', 'a default of random UUIDs stays random') FROM note;
CREATE ROLE reader_of_notes;
ALTER TABLE note ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON note TO reader_of_notes;
SET LOCAL app.id = '01GV5PA9EQG7D82Q3Y4PKBZSYV';
SELECT throws_ok(sql, '22P02', NULL, 'what is a uuid refuses a ULID: ' || sql) FROM unnest(ARRAY[
    $$INSERT INTO note (attrs) VALUES ('{"ref": "01GV5PA9EQG7D82Q3Y4PKBZSYV"}')$$,
    $$SELECT '01GV5PA9EQG7D82Q3Y4PKBZSYV'::uuid_domain$$, $$SELECT quoted('01GV5PA9EQG7D82Q3Y4PKBZSYV')$$,
    'SET LOCAL ROLE reader_of_notes; TABLE note']) AS sql;
RESET ROLE;
\ir ../lib/plan_of.psql
SET LOCAL enable_seqscan = off;
SELECT doesnt_match(plan_of($$SELECT FROM note WHERE COALESCE(id, '00000000000000000000000000') = ulid_min(now())$$),
    'note_coalesce', 'an index on COALESCE(id, uuid) does not serve a ulid');

-- Before 18, the server's functions do not read version 7.
SELECT current_setting('server_version_num')::int < 180000 AS older \gset
\if :older
CREATE FUNCTION uuid_extract_version(uuid) RETURNS smallint LANGUAGE sql IMMUTABLE
    RETURN CASE WHEN get_byte(uuid_send($1), 8) >> 6 = 2 THEN get_byte(uuid_send($1), 6) >> 4 END;
CREATE FUNCTION uuid_extract_timestamp(uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE
    RETURN CASE public.uuid_extract_version($1) WHEN 7 THEN $1::ulid::timestamptz END;
\endif
SET LOCAL search_path = public, pg_catalog;
CREATE TABLE extracted (id uuid DEFAULT gen_uuidv7() CHECK (uuid_extract_version(id) = 7), at timestamptz);
ALTER TABLE extracted ALTER id TYPE ulid;
ALTER TABLE extracted DROP at, ADD at timestamptz GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED;
SELECT bag_has($$SELECT lists('stays')$$, $$VALUES ('constraint extracted_id_check on table extracted'),
    ('default value for column at of table extracted')$$, 'what extracts from a uuid is listed');
\set many 'INSERT INTO extracted SELECT FROM generate_series(1, 300)'
\set right 'SELECT bool_and(at IS NOT DISTINCT FROM id::timestamptz) FROM extracted'
SELECT lives_ok(:'many', 'with gen_uuidv7() as the default, no row is refused');
SELECT results_eq(:'right', '{t}'::boolean[], 'and each has its time');
-- As gen_ulid() in other milliseconds.
ALTER TABLE extracted ALTER id SET DEFAULT gen_random_ulid();
SELECT throws_ok(:'many', '23514', NULL, 'with ULIDs, rows are refused');
ALTER TABLE extracted DROP CONSTRAINT extracted_id_check;
:many;
SELECT results_eq(:'right', '{f}'::boolean[], 'and their times are wrong');
ALTER TABLE extracted DROP at, ADD at timestamptz GENERATED ALWAYS AS (id::timestamptz) STORED;
SELECT results_eq(:'right', '{t}'::boolean[], 'but not those of the page');
\if :older
\else
SELECT throws_ok('ALTER TABLE extracted ADD v timestamptz GENERATED ALWAYS AS (id::timestamptz) VIRTUAL', '0A000', NULL,
    'a virtual column cannot have the time');
\endif

SELECT * FROM finish();
ROLLBACK;
