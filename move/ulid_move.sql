-- Writes the script that moves uuid keys, and all that refers to them, to ulid, or back, while the
-- application writes. It reads the catalogs, changes nothing and leaves nothing behind.
--
--   psql -X -d DATABASE -v columns='shop.customer.id' -v script=there.sql -f ulid_move.sql
--   psql -X -d DATABASE -v columns='shop.customer.id' -v to=uuid -v script=back.sql -f ulid_move.sql
--   psql -X -d DATABASE -f there.sql
--
-- columns   columns, or tables for their primary keys, separated by commas. What refers to one of them
--           by a foreign key moves with it. A * stands for any part of a name: public.* is every primary key
--           of a uuid in that schema, *.*.* every column of uuid. With a - before it a table or a column is
--           left out: 'public.*, -public.audit_log, -public.invoice.legacy_id'.
-- to        ulid (the default), uuid, or a type of text
-- copy      tables that are to be copied, though their columns could change in place, as in columns
-- dry_run   1: the plan alone, instead of the script: what each switch locks and for how long, and the notes
-- texts     known: policies that turn an id into text suit both types
-- script    the file to write, which is left as it is where nothing can be written; without it, to where
--           psql writes
--
-- Keys of text, and those that partition their tables, move by copying: ulid_move_copy.sql, beside this.
--
-- The script back can be written at any time, before or after: from the same catalogs come the same
-- definitions. Both can be run again after a failure, or after the end.
\set QUIET on
\set ON_ERROR_STOP on
\if :{?columns}
\else
\warn 'usage: psql -X -d DATABASE -v columns=SCHEMA.TABLE.COLUMN[,...] [-v to=uuid] -v script=FILE -f ulid_move.sql'
\quit
\endif
\if :{?to}
\else
\set to ulid
\endif
\if :{?copy}
\else
\set copy ''
\endif
\if :{?texts}
\else
\set texts ''
\endif
\pset format unaligned
\pset tuples_only on
\pset pager off
\set VERBOSITY terse

-- Before anything else: whoever may create functions and operators in a schema that is searched would have them
-- run with the rights of whoever runs this. What is the extension's is named with its schema.
SET search_path = pg_catalog, pg_temp;
-- whatever is set for the role or the database
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SELECT count(set_config(name, '0', false)) AS from_17 FROM pg_settings WHERE name = 'transaction_timeout' \gset
BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ WRITE;
SET LOCAL standard_conforming_strings = on;
SET LOCAL client_min_messages = warning;
SET LOCAL check_function_bodies = off;
-- constants in definitions, and names, as they are read again whatever the session that reads them
SET LOCAL datestyle = 'ISO, MDY';
SET LOCAL intervalstyle = 'postgres';
SET LOCAL bytea_output = 'hex';
SET LOCAL extra_float_digits = 3;
SET LOCAL quote_all_identifiers = off;
SELECT getdatabaseencoding() AS encoding \gset
\encoding :encoding

-- `schema` is the extension's, quoted; `ulid`, `source` and `becomes` are types: a column of `source`
-- becomes one of
-- `becomes`, if it is not copied.
CREATE TEMP TABLE ulid_move_setting ON COMMIT DROP AS
SELECT columns, target, texts, copy, NULL::text AS text_type, namespace, schema, ulid,
    CASE target WHEN 'ulid' THEN 'uuid'::regtype ELSE ulid END AS source,
    CASE target WHEN 'uuid' THEN 'uuid'::regtype ELSE ulid END AS becomes
FROM (VALUES (:'columns'::text, :'to'::text, :'texts'::text, :'copy'::text)) v (columns, target, texts, copy)
    -- not to_regtype(), which the planner may call for every schema, and which fails where USAGE is not granted
    LEFT JOIN (SELECT n.oid, quote_ident(nspname), t.oid::regtype
        FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace JOIN pg_type t ON typnamespace = n.oid
        WHERE extname = 'ulid' AND typname = 'ulid')
        e (namespace, schema, ulid) ON true;

-- The columns that move. `root`: ALTER TABLE names it; the others follow by inheritance. `bundle`: those
-- with the same number have an object in common, and move in one transaction.
CREATE TEMP TABLE all_moved (rel oid, att int2, root boolean, bundle serial, PRIMARY KEY (rel, att))
    ON COMMIT DROP;
-- Columns that are left out, though what they refer to moves.
CREATE TEMP TABLE left_out (rel oid, att int2, PRIMARY KEY (rel, att)) ON COMMIT DROP;
-- What depends on columns of its tables that the server does not record.
CREATE TEMP TABLE of_rows (classid oid, objid oid, PRIMARY KEY (classid, objid)) ON COMMIT DROP;
-- What the plan has to say, the worst first, and what stands in its way.
CREATE TEMP TABLE note (n serial, risk integer NOT NULL DEFAULT 5, text text) ON COMMIT DROP;
CREATE TEMP TABLE problem (n serial, text text) ON COMMIT DROP;
-- Indexes with a moved column. `way`: kept, by the server through the change of type; bridged, by an
-- index of ulid_uuid_ops; late, dropped and built again after; locked, built again by the change.
CREATE TEMP TABLE all_indexes (index oid PRIMARY KEY, rel oid, name text, qualified text, bridge text,
    qualified_bridge text,
    way text, is_unique boolean, con oid, bundle integer) ON COMMIT DROP;
CREATE TEMP TABLE all_views (view oid PRIMARY KEY, level integer, bundle integer) ON COMMIT DROP;
-- Tables and views, as they are to be, without rows: `home` is tried as `name` in `schema`.
CREATE TEMP TABLE trial (rel oid PRIMARY KEY, home text, schema text, name text) ON COMMIT DROP;
-- Of these, the bundle that is being written, or all.
CREATE FUNCTION pg_temp.is_of_bundle(integer) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT COALESCE($1 = NULLIF(current_setting('ulid_move.bundle', true), '')::integer, true)
$$;
CREATE TEMP VIEW moved AS SELECT rel, att, root FROM all_moved WHERE pg_temp.is_of_bundle(bundle);
CREATE TEMP VIEW move_index AS SELECT index, rel, name, qualified, bridge, qualified_bridge, way, is_unique, con
    FROM all_indexes WHERE pg_temp.is_of_bundle(bundle);
CREATE TEMP VIEW move_view AS SELECT view, level FROM all_views WHERE pg_temp.is_of_bundle(bundle);

\ir ulid_move_text.sql
\ir ulid_move_finish.sql
\ir ulid_move_catalog.sql
\ir ulid_move_compare.sql
\ir ulid_move_definitions.sql
\ir ulid_move_switch.sql
\ir ulid_move_copy.sql
\ir ulid_move_copy_definitions.sql
\ir ulid_move_copy_plan.sql
\ir ulid_move_copy_rows.sql
\ir ulid_move_copy_switch.sql
\ir ulid_move_texts.sql
\ir ulid_move_trial.sql
\ir ulid_move_plan.sql

SELECT pg_temp.collect() \gset
\if :{?script}
\o :script
\endif
\if :{?dry_run}
SELECT pg_temp.line(p) FROM pg_temp.plan() p;
\else
SELECT pg_temp.line('-- ' || p) FROM pg_temp.plan() p;
SELECT pg_temp.settings();
SELECT pg_temp.in_database();
SELECT pg_temp.head();
SELECT pg_temp.copy_script();
SELECT pg_temp.script(bundle) FROM (SELECT DISTINCT bundle FROM all_moved ORDER BY bundle) p;
SELECT pg_temp.summary();
\endif
ROLLBACK;
