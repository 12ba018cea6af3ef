-- Writes the script that moves uuid keys, and all that refers to them, to ulid, or back, while the
-- application writes. It reads the catalogs, changes nothing and leaves nothing behind.
--
--   psql -X -d DATABASE -v columns='shop.customer.id' -v script=there.sql -f ulid_move.sql
--   psql -X -d DATABASE -v columns='shop.customer.id' -v to=uuid -v script=back.sql -f ulid_move.sql
--   psql -X -d DATABASE -f there.sql
--
-- columns   columns, or tables for their primary keys, separated by commas. What refers to one of them
--           by a foreign key moves with it.
-- to        ulid (the default), uuid, or a type of text
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
\pset format unaligned
\pset tuples_only on
\pset pager off
\set VERBOSITY terse

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
SET LOCAL extra_float_digits = 3;
SET LOCAL quote_all_identifiers = off;
SELECT getdatabaseencoding() AS encoding \gset
\encoding :encoding

CREATE TEMP TABLE ulid_move_setting ON COMMIT DROP AS
SELECT :'columns'::text AS columns, :'to'::text AS target, NULL::text AS text_type, n.oid AS namespace, quote_ident(n.nspname) AS schema
FROM (VALUES (0)) v LEFT JOIN pg_extension e ON e.extname = 'ulid' LEFT JOIN pg_namespace n ON n.oid = e.extnamespace;
-- The tables of this script come before those of the extension's schema, which may have any name.
SELECT set_config('search_path', concat_ws(', ', 'pg_catalog', 'pg_temp', schema), true) AS search_path,
    concat_ws(', ', 'pg_catalog', schema, 'pg_temp') AS script_path FROM pg_temp.ulid_move_setting \gset
CREATE FUNCTION pg_temp.relation_named(name text) RETURNS oid LANGUAGE sql STABLE SET search_path = :script_path AS $$ SELECT to_regclass(name)::oid $$;

-- The columns that move. `root`: ALTER TABLE names it; the others follow by inheritance. `bundle`: those
-- with the same number have an object in common, and move in one transaction.
CREATE TEMP TABLE all_moved (rel oid, att int2, root boolean, bundle serial, PRIMARY KEY (rel, att)) ON COMMIT DROP;
-- What the plan has to say, and what stands in its way.
CREATE TEMP TABLE note (n serial, text text) ON COMMIT DROP;
CREATE TEMP TABLE problem (n serial, text text) ON COMMIT DROP;
-- Indexes with a moved column. `way`: kept, by the server through the change of type; bridged, by an
-- index of ulid_uuid_ops; late, dropped and built again after; locked, built again by the change.
CREATE TEMP TABLE all_indexes (index oid PRIMARY KEY, rel oid, name text, qualified text, bridge text, qualified_bridge text,
    way text, is_unique boolean, con oid, bundle integer) ON COMMIT DROP;
CREATE TEMP TABLE all_views (view oid PRIMARY KEY, level integer, bundle integer) ON COMMIT DROP;
-- Of these, the bundle that is being written, or all.
CREATE FUNCTION pg_temp.is_of_bundle(integer) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT COALESCE($1 = NULLIF(current_setting('ulid_move.bundle', true), '')::integer, true)
$$;
CREATE TEMP VIEW moved AS SELECT rel, att, root FROM all_moved WHERE pg_temp.is_of_bundle(bundle);
CREATE TEMP VIEW move_index AS SELECT index, rel, name, qualified, bridge, qualified_bridge, way, is_unique, con FROM all_indexes WHERE pg_temp.is_of_bundle(bundle);
CREATE TEMP VIEW move_view AS SELECT view, level FROM all_views WHERE pg_temp.is_of_bundle(bundle);

CREATE FUNCTION pg_temp.column_name(rel oid, att int2) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT quote_ident(attname) FROM pg_catalog.pg_attribute WHERE attrelid = rel AND attnum = att
$$;

-- The settings of a script, whatever is set for the role or the database.
CREATE FUNCTION pg_temp.settings() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'\\set ON_ERROR_STOP on\n\\set QUIET on\nSET statement_timeout = 0;\nSET lock_timeout = 0;\nSET idle_in_transaction_session_timeout = 0;\n'
        '%sSET default_transaction_read_only = off;\nSET default_transaction_isolation = ''read committed'';\n'
        'SET client_min_messages = warning;\nSET search_path = %s;\nSET row_security = on;\nSET check_function_bodies = off;\nSET standard_conforming_strings = on;\n'
        'SET datestyle = ''ISO, MDY'';\nSET intervalstyle = ''postgres'';\nSET default_tablespace = '''';\n\\encoding %s',
        (SELECT E'SET transaction_timeout = 0;\n' FROM pg_settings WHERE name = 'transaction_timeout'),
        concat_ws(', ', 'pg_catalog', schema, 'pg_temp'), getdatabaseencoding())
    FROM ulid_move_setting
$$;

-- Names may hold anything, and psql reads what it is given: a comment and an \echo end with their line, a
-- quoted body at its tag.
CREATE FUNCTION pg_temp.line(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT regexp_replace($1, '[\r\n]+', ' ', 'g') $$;
CREATE FUNCTION pg_temp.tag(body text) RETURNS text LANGUAGE sql STABLE AS $$ SELECT 'm' || left(encode(sha256(textsend(body)), 'hex'), 20) $$;

-- Statements about an object, below a line that names it. Where an object is gone by the time that the script
-- has to go on, ulid_move_left() leaves these out. No name and no comment can have foreseen the mark.
SELECT set_config('ulid_move.tag', 'm' || left(encode(sha256(uuid_send(gen_random_uuid())), 'hex'), 12), true) AS tag \gset
CREATE FUNCTION pg_temp.about_named(type text, names text[], args text[], statements text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'-- %s %s\n%s', current_setting('ulid_move.tag'), json_build_array(type, names, args), statements) WHERE statements <> ''
$$;
CREATE FUNCTION pg_temp.about(class regclass, object oid, part integer, statements text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT pg_temp.about_named(type, object_names, object_args, statements) FROM pg_identify_object_as_address(class, object, part)
$$;
CREATE FUNCTION pg_temp.about_bridge(rel oid, bridge text, statements text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT pg_temp.about_named('index', ARRAY[nspname, bridge], '{}', statements) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = rel
$$;
CREATE FUNCTION pg_temp.anyway(statements text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'-- %s null\n%s', current_setting('ulid_move.tag'), statements) WHERE statements <> ''
$$;

-- Whether an object is there, as json_build_array() above names it; null is.
CREATE FUNCTION pg_temp.ulid_move_is_there(address json) RETURNS boolean LANGUAGE plpgsql AS $there$
BEGIN
    IF json_typeof(address) = 'array' THEN
        PERFORM pg_get_object_address(address ->> 0, ARRAY(SELECT json_array_elements_text(address -> 1)), ARRAY(SELECT json_array_elements_text(address -> 2)));
    END IF;
    RETURN true;
EXCEPTION WHEN undefined_object OR undefined_table OR undefined_column OR undefined_function OR invalid_schema_name OR wrong_object_type THEN
    RETURN false;
END $there$;

-- Whether an index is to be built: not where what it is made of is gone.
CREATE FUNCTION pg_temp.ulid_move_can_build(index text, needs json) RETURNS boolean LANGUAGE plpgsql AS $build$
DECLARE need json;
BEGIN
    FOR need IN SELECT json_array_elements(needs) LOOP
        IF NOT pg_temp.ulid_move_is_there(need) THEN
            RAISE WARNING '% % is gone: index % is not built', need ->> 0, array_to_string(ARRAY(SELECT json_array_elements_text(need -> 1)), '.'), index;
            RETURN false;
        END IF;
    END LOOP;
    RETURN true;
END $build$;

-- Of the statements of a script, those about what is there. A clause of ALTER TABLE is about a column.
CREATE FUNCTION pg_temp.ulid_move_left(statements text, mark text) RETURNS text LANGUAGE plpgsql AS $left$
DECLARE
    parts text[] := regexp_split_to_array(statements, '^-- ' || mark || ' ', 'n');
    result text := parts[1]; part text; head text; clauses text[]; is_there boolean;
BEGIN
    FOREACH part IN ARRAY parts[2:] || 'null'::text LOOP
        is_there := pg_temp.ulid_move_is_there(split_part(part, E'\n', 1)::json);
        part := substr(part, strpos(part || E'\n', E'\n') + 1);
        IF part LIKE '    %' THEN
            clauses := clauses || CASE WHEN is_there THEN rtrim(part, E',;\n') END;
            CONTINUE;
        END IF;
        result := concat(result, head || NULLIF(array_to_string(clauses, E',\n'), '') || E';\n');
        head := NULL;
        clauses := NULL;
        IF is_there AND part ~ ';\s*$' THEN
            result := result || part;
        ELSIF is_there THEN
            head := part;
        END IF;
    END LOOP;
    RETURN result;
END $left$;

-- The comment on an object, to be made again with it.
CREATE FUNCTION pg_temp.comment(class regclass, object oid, column_number integer, identity text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'COMMENT ON %s IS %L;\n', identity, description) FROM pg_catalog.pg_description
    WHERE classoid = class AND objoid = object AND objsubid = column_number
$$;

-- That an object goes when an extension goes, which is not part of its definition either.
CREATE FUNCTION pg_temp.goes_with(class regclass, object oid, identity text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT string_agg(format(E'ALTER %s DEPENDS ON EXTENSION %I;\n', identity, extname), '' ORDER BY extname)
    FROM pg_depend JOIN pg_extension e ON e.oid = refobjid WHERE classid = class AND objid = object AND refclassid = 'pg_extension'::regclass AND deptype = 'x'
$$;

-- GRANTs of a list of privileges, each by who granted it.
CREATE FUNCTION pg_temp.grants(acl aclitem[], owner oid, identity text, column_list text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT string_agg(
        CASE WHEN grantor <> owner THEN format('SET LOCAL ROLE %I; ', pg_get_userbyid(grantor)) ELSE '' END
        || format('GRANT %s%s ON %s TO %s%s;', privilege_type, column_list, identity,
            CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END,
            CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
        || CASE WHEN grantor <> owner THEN ' RESET ROLE;' ELSE '' END || E'\n', '' ORDER BY ordinality)
    FROM aclexplode(acl) WITH ORDINALITY
$$;

-- An index as CREATE INDEX makes it. pg_get_indexdef leaves out the tablespace. A class of BRIN or GiST
-- that it names is one of uuid or of ulid, as the columns then are.
CREATE FUNCTION pg_temp.index_definition(index oid, online boolean) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT regexp_replace(CASE WHEN s.spcname IS NULL THEN d ELSE
                regexp_replace(d, '( WHERE .*)?$', format(' TABLESPACE %I\1', s.spcname)) END,
            '^CREATE( UNIQUE)? INDEX ', CASE WHEN online THEN 'CREATE\1 INDEX CONCURRENTLY ' ELSE 'CREATE\1 INDEX ' END)
        || E';\n'
    FROM pg_class c JOIN LATERAL (SELECT CASE WHEN EXISTS (SELECT FROM pg_index JOIN pg_opclass o ON o.oid = ANY (indclass) JOIN pg_am m ON m.oid = opcmethod
                WHERE indexrelid = index AND amname IN ('brin', 'gist') AND opcname ~ '^(gist_)?u[ul]id_' AND NOT EXISTS (
                    SELECT FROM generate_series(0, indnkeyatts - 1) k LEFT JOIN moved ON rel = indrelid AND att = indkey[k]
                    WHERE rel IS NULL AND indclass[k] IN (SELECT x.oid FROM pg_opclass x WHERE x.opcname ~ '^(gist_)?u[ul]id_')))
            THEN regexp_replace(pg_get_indexdef(index), '\m(gist_)?u[ul]id_((bloom_|minmax_|minmax_multi_)?ops)\M', '\1' || target || '_\2', 'g')
            ELSE pg_get_indexdef(index) END
        FROM ulid_move_setting) x (d) ON true
        LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace
    WHERE c.oid = index
$$;

-- What CREATE INDEX does not say of an index, on the index as it is made anew.
CREATE FUNCTION pg_temp.index_properties(index oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat(pg_temp.comment('pg_class', index, 0, 'INDEX ' || index::regclass), pg_temp.goes_with('pg_class', index, 'INDEX ' || index::regclass),
        (SELECT string_agg(format(E'ALTER INDEX %s ALTER COLUMN %s SET STATISTICS %s;\n', index::regclass, attnum, attstattarget), '')
            FROM pg_attribute WHERE attrelid = index AND attstattarget >= 0),
        (SELECT format(E'ALTER TABLE %s CLUSTER ON %I;\n', indrelid::regclass, relname)
            FROM pg_index i JOIN pg_class ON oid = indexrelid WHERE indexrelid = index AND indisclustered))
$$;

-- What the index of a partition has otherwise than that of its table, from which the server makes it anew.
CREATE FUNCTION pg_temp.partition_index_options(index oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat(CASE WHEN c.reloptions IS DISTINCT FROM p.reloptions THEN concat(
            (SELECT format(E'ALTER INDEX %s RESET (%s);\n', c.oid::regclass, string_agg(split_part(o, '=', 1), ', ')) FROM unnest(p.reloptions) o HAVING count(*) > 0),
            (SELECT format(E'ALTER INDEX %s SET (%s);\n', c.oid::regclass, string_agg(o, ', ')) FROM unnest(c.reloptions) o HAVING count(*) > 0)) END,
        CASE WHEN c.reltablespace <> p.reltablespace AND c.relkind = 'i' THEN format(E'ALTER INDEX %s SET TABLESPACE %I;\n', c.oid::regclass,
            COALESCE((SELECT spcname FROM pg_tablespace s WHERE s.oid = c.reltablespace), (SELECT spcname FROM pg_database d JOIN pg_tablespace s ON s.oid = dattablespace WHERE datname = current_database()))) END)
    FROM pg_class c JOIN pg_inherits ON inhrelid = c.oid JOIN pg_class p ON p.oid = inhparent WHERE c.oid = index
$$;

-- The indexes of partitions, which the server has made anew with names of its own, get theirs again. First
-- each that has another gets one that none has.
CREATE FUNCTION pg_temp.partition_index_names() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(replace($names$DO $ulid_move_names$ DECLARE o record; BEGIN
    FOR pass IN 1 .. 2 LOOP
        FOR o IN SELECT relid, wanted FROM (VALUES %s) v (root, rel, wanted), LATERAL pg_partition_tree(to_regclass(root)) JOIN pg_index ON indexrelid = relid JOIN pg_class c ON c.oid = relid
            WHERE indrelid = to_regclass(rel) AND relname <> wanted
        LOOP
            EXECUTE format('ALTER INDEX %%s RENAME TO %%I', o.relid, CASE pass WHEN 1 THEN 'ulid_move_' || o.relid::oid ELSE o.wanted END);
        END LOOP;
    END LOOP;
END $ulid_move_names$;
$names$, '$ulid_move_names', '$' || pg_temp.tag(list)), list)
    FROM (SELECT string_agg(format('(%L, %L, %L)', pg_temp.qualified(root.oid, root.relname), rel::regclass, name), ', ' ORDER BY index) AS list
        FROM move_index JOIN pg_inherits ON inhrelid = index JOIN pg_class root ON root.oid = pg_partition_root(index) WHERE way = 'locked') x WHERE list IS NOT NULL
$$;

-- The index of ulid_uuid_ops that stands in for an index while the type changes.
CREATE FUNCTION pg_temp.bridge_definition(index oid, bridge text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format('CREATE %sINDEX CONCURRENTLY %I ON %s%s USING %I (%s)%s%s%s%s;' || E'\n',
        CASE WHEN indisunique THEN 'UNIQUE ' ELSE '' END, bridge, CASE t.relkind WHEN 'p' THEN 'ONLY ' ELSE '' END, t.oid::regclass, amname,
        (SELECT string_agg(pg_get_indexdef(index, k, true)
            || CASE WHEN indcollation[k - 1] NOT IN (0, a.attcollation) THEN
                (SELECT format(' COLLATE %I.%I', nspname, collname) FROM pg_collation o JOIN pg_namespace n ON n.oid = collnamespace
                    WHERE o.oid = indcollation[k - 1]) ELSE '' END
            || CASE WHEN EXISTS (SELECT FROM moved WHERE rel = t.oid AND att = indkey[k - 1]) THEN
                (SELECT format(' %s.ulid_uuid_ops', schema) FROM ulid_move_setting)
                ELSE (SELECT format(' %I.%I', nspname, opcname) FROM pg_opclass o JOIN pg_namespace n ON n.oid = opcnamespace
                    WHERE o.oid = indclass[k - 1]) END
            || CASE WHEN amname = 'btree' THEN CASE indoption[k - 1] & 3 WHEN 0 THEN '' WHEN 1 THEN ' DESC NULLS LAST'
                WHEN 2 THEN ' NULLS FIRST' ELSE ' DESC' END ELSE '' END, ', ' ORDER BY k)
            FROM generate_series(1, indnkeyatts) k LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = indkey[k - 1]),
        (SELECT format(' INCLUDE (%s)', string_agg(pg_get_indexdef(index, k, true), ', ' ORDER BY k))
            FROM generate_series(indnkeyatts + 1, indnatts) k HAVING count(*) > 0),
        CASE WHEN indnullsnotdistinct THEN ' NULLS NOT DISTINCT' ELSE '' END,
        ' WITH (' || array_to_string(c.reloptions, ', ') || ')', ' TABLESPACE ' || quote_ident(s.spcname))
    FROM pg_index i JOIN pg_class c ON c.oid = indexrelid JOIN pg_class t ON t.oid = indrelid JOIN pg_am m ON m.oid = c.relam
        LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace
    WHERE indexrelid = index
$$;

-- A view or a materialized view with all that is on it.
CREATE FUNCTION pg_temp.view_definition(view oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat(pg_temp.about('pg_class', view, 0, concat(
        format('CREATE %s %s', kind, name),
        CASE WHEN c.relkind = 'm' THEN (SELECT format(' USING %I', amname) FROM pg_am m WHERE m.oid = c.relam) END,
        ' WITH (' || (SELECT string_agg(format('%I=%L', split_part(o, '=', 1), substr(o, strpos(o, '=') + 1)), ', ') FROM unnest(c.reloptions) o) || ')',
        ' TABLESPACE ' || quote_ident(s.spcname),
        E' AS\n', rtrim(pg_get_viewdef(view), ';'),
        CASE WHEN c.relkind = 'm' THEN E'\nWITH NO DATA' END, E';\n',
        format(E'ALTER %s %s OWNER TO %I;\n', kind, name, pg_get_userbyid(c.relowner)),
        -- default privileges may have given the new one some
        format(replace(E'DO $ulid_move_grants$ DECLARE r text; BEGIN\n    FOR r IN SELECT DISTINCT CASE grantee WHEN 0 THEN ''PUBLIC'' ELSE quote_ident(pg_get_userbyid(grantee)) END\n        FROM pg_class, aclexplode(COALESCE(relacl, acldefault(''r'', relowner))) WHERE oid = %L::regclass\n    LOOP EXECUTE %L || r; END LOOP; END $ulid_move_grants$;\n', '$ulid_move_grants', '$' || pg_temp.tag(name)), name, format('REVOKE ALL ON %s FROM ', name)),
        pg_temp.grants(COALESCE(c.relacl, acldefault('r', c.relowner)), c.relowner, name, ''),
        (SELECT string_agg(pg_temp.grants(attacl, c.relowner, name, format(' (%I)', attname)), '' ORDER BY attnum)
            FROM pg_attribute WHERE attrelid = view AND attacl IS NOT NULL),
        pg_temp.comment('pg_class', view, 0, kind || ' ' || name),
        pg_temp.goes_with('pg_class', view, kind || ' ' || name),
        (SELECT string_agg(pg_temp.comment('pg_class', view, attnum, format('COLUMN %s.%I', name, attname)), '' ORDER BY attnum)
            FROM pg_attribute WHERE attrelid = view AND attnum > 0),
        (SELECT string_agg(format(E'ALTER VIEW %s ALTER COLUMN %s SET DEFAULT %s;\n', name, pg_temp.column_name(view, adnum),
            pg_get_expr(adbin, adrelid)), '' ORDER BY adnum) FROM pg_attrdef WHERE adrelid = view),
        (SELECT string_agg(format(E'ALTER MATERIALIZED VIEW %s ALTER COLUMN %I SET STATISTICS %s;\n', name, attname, attstattarget), '')
            FROM pg_attribute WHERE attrelid = view AND attnum > 0 AND attstattarget >= 0 AND c.relkind = 'm'))),
        (SELECT string_agg(pg_temp.about('pg_class', indexrelid, 0, pg_temp.index_definition(indexrelid, false) || pg_temp.index_properties(indexrelid)), '' ORDER BY indexrelid)
            FROM pg_index WHERE indrelid = view),
        (SELECT string_agg(pg_temp.about('pg_statistic_ext', x.oid, 0, pg_get_statisticsobjdef(x.oid) || E';\n'
                || format(E'ALTER STATISTICS %I.%I OWNER TO %I;\n', nspname, stxname, pg_get_userbyid(stxowner))
                || concat(CASE WHEN stxstattarget >= 0 THEN format(E'ALTER STATISTICS %I.%I SET STATISTICS %s;\n', nspname, stxname, stxstattarget) END,
                    pg_temp.comment('pg_statistic_ext', x.oid, 0, format('STATISTICS %I.%I', nspname, stxname)))), '')
            FROM pg_statistic_ext x JOIN pg_namespace n ON n.oid = stxnamespace WHERE stxrelid = view),
        (SELECT string_agg(pg_temp.rule_definition(r.oid), '') FROM pg_rewrite r WHERE ev_class = view AND rulename <> '_RETURN'),
        (SELECT string_agg(pg_temp.trigger_definition(g.oid), '') FROM pg_trigger g WHERE tgrelid = view AND NOT tgisinternal))
    FROM pg_class c LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace,
        LATERAL (SELECT CASE c.relkind WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'VIEW' END,
            pg_temp.qualified(c.oid, c.relname)) v (kind, name)
    WHERE c.oid = view
$$;

-- Fills it, as its owner, when the functions that it calls have their bodies again.
CREATE FUNCTION pg_temp.refresh(view oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT pg_temp.about('pg_class', view, 0, format(E'REFRESH MATERIALIZED VIEW %s;\n', view::regclass)) FROM pg_class WHERE oid = view AND relkind = 'm' AND relispopulated
$$;

CREATE FUNCTION pg_temp.trigger_definition(trigger oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT pg_temp.about('pg_trigger', trigger, 0, concat(pg_get_triggerdef(trigger), E';\n',
        CASE WHEN tgenabled <> 'O' THEN format(E'ALTER TABLE %s %s TRIGGER %I;\n', tgrelid::regclass,
            CASE tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE REPLICA' END, tgname) END,
        pg_temp.comment('pg_trigger', trigger, 0, format('TRIGGER %I ON %s', tgname, tgrelid::regclass)),
        pg_temp.goes_with('pg_trigger', trigger, format('TRIGGER %I ON %s', tgname, tgrelid::regclass))))
    FROM pg_trigger WHERE oid = trigger
$$;

CREATE FUNCTION pg_temp.type_name(type oid, typmod integer, coll oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat(format_type(type, typmod), (SELECT format(' COLLATE %I.%I', nspname, collname) FROM pg_collation c JOIN pg_namespace n ON n.oid = collnamespace
        WHERE c.oid = coll AND coll <> (SELECT typcollation FROM pg_type t WHERE t.oid = type)))
$$;

-- A policy with these expressions.
CREATE FUNCTION pg_temp.policy_with(policy oid, filter text, with_check text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT pg_temp.about('pg_policy', policy, 0, concat(format('CREATE POLICY %I ON %s AS %s FOR %s TO %s', polname, polrelid::regclass,
            CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
            CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
            (SELECT string_agg(CASE r WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(r)) END, ', ') FROM unnest(polroles) r)),
        ' USING (' || filter || ')',
        ' WITH CHECK (' || with_check || ')', E';\n',
        pg_temp.comment('pg_policy', policy, 0, format('POLICY %I ON %s', polname, polrelid::regclass))))
    FROM pg_policy WHERE oid = policy
$$;

CREATE FUNCTION pg_temp.policy_definition(policy oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT pg_temp.policy_with(policy, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) FROM pg_policy WHERE oid = policy
$$;

CREATE FUNCTION pg_temp.rule_definition(rule oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT pg_temp.about('pg_rewrite', rule, 0, concat(pg_get_ruledef(rule), E'\n', CASE WHEN ev_enabled <> 'O' THEN format(E'ALTER TABLE %s %s RULE %I;\n', ev_class::regclass,
            CASE ev_enabled WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE REPLICA' END, rulename) END,
        pg_temp.comment('pg_rewrite', rule, 0, format('RULE %I ON %s', rulename, ev_class::regclass))))
    FROM pg_rewrite WHERE oid = rule
$$;

-- What takes down the views, in the order given, and what may use them, so that the tables can change: `first`
-- before the tables are locked, `rest` after.
CREATE FUNCTION pg_temp.taken_down(functions oid[], views oid[], policies oid[], rules oid[], OUT first text, OUT rest text) LANGUAGE plpgsql STABLE AS $$
BEGIN
    first := concat(
        -- a body that needs nothing, until the views and the columns are there again
        (SELECT string_agg(pg_temp.about('pg_proc', oid, 0, left(definition, strpos(definition, body) - 1) || E'AS $ulid_move_body$ $ulid_move_body$;\n'), '')
            FROM (SELECT oid, pg_get_functiondef(oid) AS definition, pg_get_function_sqlbody(oid) AS body FROM pg_proc
                WHERE oid = ANY (functions) AND prosqlbody IS NOT NULL) p),
        (SELECT string_agg(pg_temp.about('pg_class', oid, 0, format(E'DROP %s %s;\n', CASE relkind WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'VIEW' END, view::regclass)), '' ORDER BY n)
            FROM unnest(views) WITH ORDINALITY v (view, n) JOIN pg_class ON oid = view));
    rest := concat(
        (SELECT string_agg(pg_temp.about('pg_policy', oid, 0, format(E'DROP POLICY %I ON %s;\n', polname, polrelid::regclass)), '' ORDER BY polrelid, polname) FROM pg_policy WHERE oid = ANY (policies)),
        (SELECT string_agg(pg_temp.about('pg_rewrite', oid, 0, format(E'DROP RULE %I ON %s;\n', rulename, ev_class::regclass)), '' ORDER BY ev_class, rulename) FROM pg_rewrite WHERE oid = ANY (rules)));
    -- what uses a view goes before it
    IF EXISTS (SELECT FROM pg_depend WHERE refobjid = ANY (views) AND (classid = 'pg_policy'::regclass OR objid = ANY (rules))) THEN
        first := rest || first;
        rest := '';
    END IF;
END $$;

-- Whether a foreign key of it cannot be NOT VALID: of a partitioned table, before PostgreSQL 18.
CREATE FUNCTION pg_temp.is_checked_at_once(rel oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT relkind = 'p' AND current_setting('server_version_num')::integer < 180000 FROM pg_class WHERE oid = rel
$$;

-- A constraint of a table, not looked at for the rows that are there.
CREATE FUNCTION pg_temp.constraint_definition(con oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT pg_temp.about('pg_constraint', con, 0, concat(format(E'ALTER TABLE %s ADD CONSTRAINT %I %s%s;\n', conrelid::regclass, conname, pg_get_constraintdef(con),
            CASE WHEN convalidated AND NOT (contype = 'f' AND pg_temp.is_checked_at_once(conrelid))
                THEN ' NOT VALID' ELSE '' END),
        pg_temp.comment('pg_constraint', con, 0, format('CONSTRAINT %I ON %s', conname, conrelid::regclass)),
        -- which has the same on the partitions
        (WITH RECURSIVE child (oid, conname, rel) AS (SELECT c.oid, c.conname, c.conrelid FROM pg_constraint c WHERE conparentid = con
            UNION ALL SELECT c.oid, c.conname, c.conrelid FROM child JOIN pg_constraint c ON conparentid = child.oid)
            SELECT string_agg(pg_temp.comment('pg_constraint', child.oid, 0, format('CONSTRAINT %I ON %s', child.conname, rel::regclass)), '' ORDER BY rel) FROM child)))
    FROM pg_constraint WHERE oid = con
$$;

-- What an index is made of.
CREATE FUNCTION pg_temp.index_needs(index oid) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT json_agg(json_build_array(type, object_names, object_args) ORDER BY classid, objid, part)
    FROM (
        SELECT 'pg_class'::regclass::oid, indrelid, k::integer FROM pg_index, unnest(indkey) k WHERE indexrelid = index
        UNION SELECT refclassid, refobjid, refobjsubid FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = index AND deptype IN ('n', 'a') AND refclassid <> 'pg_constraint'::regclass
    ) n (classid, objid, part), pg_identify_object_as_address(classid, objid, part)
$$;

-- A step that is left out when it is done, and begun anew when an index of it was left invalid. For an index
-- that was dropped by somebody after the switch there is no bridge, and none is built.
CREATE FUNCTION pg_temp.build_bridge(index oid, name text, qualified text, statement text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'SELECT count(*) FILTER (WHERE made) = 0 AND (count(*) > 0 OR to_regclass(%5$L) IS NOT NULL) AND pg_temp.ulid_move_can_build(%1$L, %6$L) AS todo, count(*) FILTER (WHERE NOT made) > 0 AS broken\n'
            'FROM pg_index, LATERAL (SELECT indisvalid AND obj_description(indexrelid, ''pg_class'') IS NOT NULL AND obj_description(indexrelid, ''pg_class'') LIKE %2$L) m (made)\n'
            'WHERE indexrelid = to_regclass(%1$L) AND EXISTS (SELECT FROM pg_opclass o WHERE opcname = ''ulid_uuid_ops'' AND o.oid = ANY (indclass)) \\gset\n'
            '\\if :broken\nDROP INDEX CONCURRENTLY %1$s;\n\\endif\n\\if :todo\n%3$sCOMMENT ON INDEX %1$s IS %4$L;\n\\endif\n',
        qualified, '%' || mark, statement, format('For %s, when the type of its column changes. %s', name, mark),
        (SELECT move_index.qualified FROM move_index WHERE move_index.index = build_bridge.index), pg_temp.index_needs(index))
    FROM (SELECT format('(ulid_move.sql, %s)', hashtextextended(statement COLLATE "C", 0))) m (mark)
$$;

-- `bridge` is what stands in for the index, where something does; `any_bridge` is there until the move is over.
CREATE FUNCTION pg_temp.build_index(qualified text, bridge text, any_bridge text, needs json, statement text, properties text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'SELECT count(*) FILTER (WHERE indisvalid) = 0%3$s%4$s AS todo, count(*) FILTER (WHERE NOT indisvalid) > 0 AS broken\n'
            'FROM pg_index WHERE indexrelid = to_regclass(%1$L) \\gset\n'
            '\\if :broken\nDROP INDEX CONCURRENTLY %1$s;\n\\endif\n\\if :todo\n%2$s\\endif\n', qualified, statement,
            CASE WHEN bridge IS NOT NULL THEN format(' AND (count(*) > 0 OR to_regclass(%L) IS NOT NULL)', bridge) END,
            CASE WHEN needs IS NOT NULL THEN format(' AND pg_temp.ulid_move_can_build(%L, %L)', qualified, needs) END)
        -- while there are bridges the move is not over, and may have been stopped between the two
        || format(E'SELECT to_regclass(%L) IS NOT NULL AND (:''todo'' OR to_regclass(%L) IS NOT NULL) AS todo \\gset\n\\if :todo\n%s\\endif\n', qualified, any_bridge, NULLIF(properties, ''))
$$;

CREATE FUNCTION pg_temp.qualified(rel oid, name text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format('%I.%I', nspname, name) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = rel
$$;

-- Whether an index was made by the script of a move.
CREATE FUNCTION pg_temp.is_bridge(index oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT relname ~ '_ulid_move$' AND EXISTS (SELECT FROM pg_opclass, ulid_move_setting WHERE opcname = 'ulid_uuid_ops' AND opcnamespace = namespace AND pg_opclass.oid = ANY (indclass))
    FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid WHERE pg_class.oid = index
$$;

-- Whether it is in the place of an index that the switch has dropped.
CREATE FUNCTION pg_temp.is_stand_in(index oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT obj_description(index, 'pg_class') LIKE 'In the place of %' AND pg_temp.is_bridge(index)
$$;

-- What depends on one of the moved columns: the objects of a catalog.
CREATE FUNCTION pg_temp.dependents(class regclass) RETURNS SETOF oid LANGUAGE sql STABLE AS $$
    SELECT DISTINCT objid FROM pg_depend JOIN moved ON refobjid = rel AND refobjsubid = att
    WHERE classid = class AND refclassid = 'pg_class'::regclass
$$;

-- What the script drops, makes again or counts on, each with its definition, in which uuid and ulid are the
-- same. The script takes this function with it, and looks again before it locks anything.
CREATE FUNCTION pg_temp.ulid_move_look(rels text[], atts text[]) RETURNS TABLE (identity text, definition text, lasting boolean) LANGUAGE sql STABLE
    SET timezone = 'UTC' SET datestyle = 'ISO, MDY' SET intervalstyle = 'postgres' SET extra_float_digits = 3 SET quote_all_identifiers = off SET search_path = :script_path AS $look$
    WITH RECURSIVE col AS (
        SELECT a.* FROM unnest(rels, atts) u (rel, att) JOIN pg_attribute a ON attrelid = to_regclass(rel) AND attname = att AND NOT attisdropped
    ), dep AS (
        SELECT DISTINCT classid, objid FROM pg_depend JOIN col ON refclassid = 'pg_class'::regclass AND refobjid = attrelid AND refobjsubid = attnum
    ), view (oid) AS (
        SELECT ev_class FROM dep JOIN pg_rewrite w ON classid = 'pg_rewrite'::regclass AND objid = w.oid WHERE rulename = '_RETURN'
        UNION
        SELECT ev_class FROM view JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = view.oid AND classid = 'pg_rewrite'::regclass
            JOIN pg_rewrite w ON w.oid = objid WHERE ev_class <> view.oid AND rulename = '_RETURN'
    ), thing AS (
        SELECT classid, objid FROM dep
        UNION SELECT 'pg_class'::regclass, oid FROM view
        UNION SELECT 'pg_class'::regclass, indexrelid FROM pg_index LEFT JOIN col ON attrelid = indrelid AND attnum = ANY (indkey) LEFT JOIN view ON view.oid = indrelid
            WHERE col.attnum IS NOT NULL OR view.oid IS NOT NULL
        UNION SELECT 'pg_class'::regclass, attrelid FROM col
        UNION SELECT 'pg_class'::regclass, inhrelid FROM pg_inherits JOIN col ON attrelid = inhparent
        UNION SELECT 'pg_rewrite'::regclass, w.oid FROM pg_rewrite w JOIN view ON ev_class = view.oid
        UNION SELECT 'pg_trigger'::regclass, g.oid FROM pg_trigger g JOIN view ON tgrelid = view.oid
        UNION SELECT 'pg_statistic_ext'::regclass, x.oid FROM pg_statistic_ext x JOIN view ON stxrelid = view.oid
        UNION SELECT d.classid, d.objid FROM view JOIN pg_depend d ON refclassid = 'pg_class'::regclass AND refobjid = view.oid AND deptype = 'n'
    )
    SELECT concat_ws(' ', i.type, i.identity), regexp_replace(regexp_replace(regexp_replace(x.definition || ' ' || COALESCE(obj_description(objid, classid::regclass::name), ''),
        '((\w+|"[^"]+")\.)?\m(gen_random_uuid|uuidv[47]|uuid_generate_v(1|1mc|4)|gen_(random_|monotonic_)?ulid)\([^()]*\)', 'generated()', 'g'), '\m(uuid|ulid)(?=(_\w*ops)?\M)', 'id', 'g'),
            -- a function of uuid shows the cast of a ulid
            '\(((?:[^()]|\([^()]*\))*)\)::id\M', '\1', 'g'),
        classid = 'pg_constraint'::regclass AND x.definition ~ '^(FOREIGN KEY|CHECK)'
    FROM (SELECT 'pg_class'::regclass::oid, attrelid, attnum::integer, concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = attrelid AND adnum = attnum)) FROM col
        UNION ALL SELECT classid, objid, 0, y.definition FROM (
        SELECT classid, objid, concat_ws(' ', pg_get_viewdef(c.oid), COALESCE(relacl, acldefault('r', relowner)), reloptions, pg_get_userbyid(relowner), relreplident, relispopulated,
            (SELECT string_agg(concat_ws(' ', attnum, attacl, col_description(c.oid, attnum)), ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0)) AS definition
            FROM thing JOIN pg_class c ON c.oid = objid WHERE classid = 'pg_class'::regclass AND relkind IN ('v', 'm')
        UNION ALL SELECT classid, objid, concat_ws(' ', replace(relreplident::text, 'i', 'd'), pg_get_userbyid(relowner),
            (SELECT COALESCE(substring(obj_description(indexrelid, 'pg_class') FROM '^In the place of (.*) until that is built again'), i.relname)
                FROM pg_index JOIN pg_class i ON i.oid = indexrelid WHERE indrelid = c.oid AND CASE c.relreplident WHEN 'd' THEN indisprimary WHEN 'i' THEN indisreplident END),
            (SELECT string_agg(inhparent::regclass::text, ' ' ORDER BY inhseqno) FROM pg_inherits WHERE inhrelid = c.oid))
            FROM thing JOIN pg_class c ON c.oid = objid WHERE classid = 'pg_class'::regclass AND relkind IN ('r', 'p', 'f')
        UNION ALL SELECT classid, objid, concat_ws(' ', pg_get_indexdef(objid), reltablespace, indisclustered,
            (SELECT string_agg(attstattarget::text, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = objid))
            FROM thing JOIN pg_index ON indexrelid = objid JOIN pg_class c ON c.oid = objid WHERE classid = 'pg_class'::regclass AND indisvalid AND relname !~ '_ulid_move$'
        UNION ALL SELECT classid, objid, replace(pg_get_constraintdef(c.oid), ' NOT VALID', '')
            FROM thing JOIN pg_constraint c ON c.oid = objid WHERE classid = 'pg_constraint'::regclass AND contype <> 'n' AND conparentid = 0
        UNION ALL SELECT classid, objid, concat_ws(' ', pg_get_ruledef(w.oid), ev_enabled)
            FROM thing JOIN pg_rewrite w ON w.oid = objid WHERE classid = 'pg_rewrite'::regclass AND rulename <> '_RETURN'
        UNION ALL SELECT classid, objid, concat_ws(' ', pg_get_triggerdef(g.oid), tgenabled)
            FROM thing JOIN pg_trigger g ON g.oid = objid WHERE classid = 'pg_trigger'::regclass AND NOT tgisinternal
        UNION ALL SELECT classid, objid, concat_ws(' ', polname, polcmd, polpermissive, polroles, pg_get_expr(polqual, polrelid), ',', pg_get_expr(polwithcheck, polrelid))
            FROM thing JOIN pg_policy p ON p.oid = objid WHERE classid = 'pg_policy'::regclass
        UNION ALL SELECT classid, objid, pg_get_functiondef(objid) FROM thing WHERE classid = 'pg_proc'::regclass
        UNION ALL SELECT classid, objid, concat_ws(' ', pg_get_statisticsobjdef(x.oid), stxstattarget)
            FROM thing JOIN pg_statistic_ext x ON x.oid = objid WHERE classid = 'pg_statistic_ext'::regclass
        UNION ALL SELECT classid, objid, concat_ws(' ', pg_get_expr(adbin, adrelid), attacl, col_description(adrelid, adnum))
            FROM thing JOIN pg_attrdef d ON d.oid = objid JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum WHERE classid = 'pg_attrdef'::regclass AND attgenerated <> ''
        UNION ALL SELECT classid, objid, concat_ws(' ', pg_get_expr(prqual, prrelid), (SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = prrelid AND attnum = ANY (prattrs)))
            FROM thing JOIN pg_publication_rel p ON p.oid = objid WHERE classid = 'pg_publication_rel'::regclass
        UNION ALL SELECT classid, objid, '' FROM thing WHERE classid NOT IN ('pg_class'::regclass, 'pg_constraint'::regclass, 'pg_rewrite'::regclass, 'pg_trigger'::regclass,
            'pg_policy'::regclass, 'pg_proc'::regclass, 'pg_statistic_ext'::regclass, 'pg_attrdef'::regclass, 'pg_publication_rel'::regclass)) y) x (classid, objid, part, definition),
        LATERAL pg_identify_object(classid, objid, part) i
$look$;

-- Whether a bundle, or any if null, is in the middle of a move, this one or that of the script the other way: an
-- index stands in for one that is not built again yet.
CREATE FUNCTION pg_temp.ulid_move_is_begun(which integer) RETURNS boolean LANGUAGE sql STABLE AS $begun$
    SELECT EXISTS (SELECT FROM pg_temp.ulid_move_was WHERE bundle = COALESCE(which, bundle) AND obj_description(to_regclass(NULLIF(bridge, '')), 'pg_class') LIKE 'In the place of %')
$begun$;

-- In the middle of a move, what has another name than when this was written: it is not gone, and what was on it
-- is not to be left out. And what has taken the name of a key. In a copy of the database the Oids may be others, and then tell of nothing.
CREATE FUNCTION pg_temp.ulid_move_check_names() RETURNS void LANGUAGE plpgsql AS $names$
DECLARE what text;
BEGIN
    WITH stand_in AS (
        SELECT DISTINCT bundle, indrelid, indexrelid, substring(obj_description(indexrelid, 'pg_class') FROM '^In the place of (.*) until that is built again') AS name
        FROM pg_temp.ulid_move_column JOIN pg_index ON indrelid IN (relid, to_regclass(rel)) WHERE obj_description(indexrelid, 'pg_class') LIKE 'In the place of %'
    )
    SELECT string_agg(line, E'\n' ORDER BY line COLLATE "C") INTO what FROM (
        SELECT format('%s.%I is now %s.%I', rel, att, relid::regclass, x.attname)
        FROM pg_temp.ulid_move_column c JOIN pg_attribute x ON attrelid = relid AND attnum = number AND NOT attisdropped
            LEFT JOIN pg_attribute n ON n.attrelid = to_regclass(rel) AND n.attname = att AND NOT n.attisdropped
        WHERE (n.attrelid IS NULL OR n.attrelid = relid AND n.attnum <> number OR n.attrelid <> relid AND EXISTS (SELECT FROM stand_in s WHERE s.indrelid = relid))
            AND format_type(x.atttypid, NULL) ~ '\mu[ul]id$' AND EXISTS (SELECT FROM stand_in s WHERE s.bundle = c.bundle)
        UNION
        SELECT format('index %s is now %s', bridge, indexrelid::regclass)
        FROM pg_temp.ulid_move_was w JOIN stand_in s ON s.bundle = w.bundle AND right(identity, length('.' || quote_ident(name))) = '.' || quote_ident(name)
        WHERE bridge <> '' AND identity LIKE 'index %' AND to_regclass(bridge) IS NULL
        UNION
        -- which a key would be attached to
        SELECT format('%s is not the one that %s stands in for', identity, bridge)
        FROM pg_temp.ulid_move_was JOIN stand_in ON indexrelid = to_regclass(NULLIF(bridge, '')) JOIN pg_index b USING (indexrelid) JOIN pg_index i ON i.indexrelid = to_regclass(substr(identity, 7))
        WHERE identity LIKE 'index %' AND (i.indrelid, i.indkey::text, i.indnkeyatts, i.indisunique) <> (b.indrelid, b.indkey::text, b.indnkeyatts, b.indisunique)) l (line);
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'not as it was when this was written' USING DETAIL = what,
            HINT = 'The type is changed already: put this as it was, and run the script again.';
    END IF;
END $names$;

-- Looks whether all that a bundle touches is as it was when it was written; after the switch, its foreign
-- keys and CHECK constraints. What is gone in the middle of a move is left out from there on: then it is true.
CREATE FUNCTION pg_temp.ulid_move_check(which integer, switched boolean) RETURNS boolean LANGUAGE plpgsql AS $check$
DECLARE
    begun boolean := switched OR pg_temp.ulid_move_is_begun(which);
    something_is_gone boolean := false; what text; o record;
BEGIN
    PERFORM pg_temp.ulid_move_check_names();
    FOR o IN SELECT COALESCE(n.identity, w.identity) AS identity, w.identity IS NULL AS is_new, n.identity IS NULL AS is_gone, told
        FROM (SELECT * FROM pg_temp.ulid_move_was WHERE bundle = which) w FULL JOIN pg_temp.ulid_move_look(
                (SELECT array_agg(rel ORDER BY rel, att) FROM pg_temp.ulid_move_column WHERE bundle = which),
                (SELECT array_agg(att ORDER BY rel, att) FROM pg_temp.ulid_move_column WHERE bundle = which)) n ON n.identity = w.identity
        WHERE hashtextextended(n.definition COLLATE "C", 0) IS DISTINCT FROM w.hash AND (NOT switched OR n.identity IS NULL OR n.lasting)
            -- an index that is to be made again: one stands in for it, or none can
            AND NOT COALESCE(begun AND (w.bridge = '' OR to_regclass(NULLIF(w.bridge, '')) IS NOT NULL), false)
        ORDER BY 1
    LOOP
        IF NOT (o.is_gone AND begun) THEN
            what := concat_ws(E'\n', what, concat(o.identity, CASE WHEN o.is_new THEN ' is new' WHEN o.is_gone THEN ' is gone' ELSE ' was changed' END));
            CONTINUE;
        END IF;
        something_is_gone := true;
        -- of a table its columns are named
        IF NOT o.told AND o.identity !~ '^(foreign )?table (?!column |constraint )' THEN
            RAISE WARNING '% is gone, and is left out', o.identity;
        END IF;
        UPDATE pg_temp.ulid_move_was SET told = true WHERE identity = o.identity;
    END LOOP;
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'not as it was when this was written' USING DETAIL = what, HINT = CASE WHEN switched
            THEN 'The type is changed already: put this as it was, or take it out of the script, and run the script again.'
            WHEN begun THEN 'The type is changed already by the script the other way: put this as it was and run this again, or run that to its end.'
            ELSE 'Nothing of this step was done. Write the script again.' END;
    END IF;
    RETURN something_is_gone;
END $check$;

-- How a column that is generated from one that moves gets its expression back: "again", dropped and added,
-- where it is the last of its table, here and in those that inherit it; "expression", without one in between;
-- null where PostgreSQL has no way. A virtual column takes no type that is not PostgreSQL's own.
CREATE FUNCTION pg_temp.generated_way(def oid) RETURNS text LANGUAGE sql STABLE AS $$
    WITH RECURSIVE below (rel, name) AS (
        SELECT adrelid, attname FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum WHERE pg_attrdef.oid = def
        UNION SELECT inhrelid, name FROM below JOIN pg_inherits ON inhparent = rel
    ), relative AS (
        SELECT rel, attnum AS att FROM below JOIN pg_attribute ON attrelid = rel AND attname = name
    )
    SELECT CASE WHEN attgenerated = 'v' THEN NULL
        WHEN NOT EXISTS (
                SELECT FROM relative JOIN pg_attribute l ON l.attrelid = relative.rel AND l.attnum > relative.att AND NOT l.attisdropped
                    LEFT JOIN pg_attrdef ON adrelid = l.attrelid AND adnum = l.attnum
                WHERE l.attgenerated = '' OR pg_attrdef.oid NOT IN (SELECT pg_temp.dependents('pg_attrdef')))
            AND NOT EXISTS (SELECT FROM relative JOIN pg_depend x ON refclassid = 'pg_class'::regclass AND refobjid = relative.rel AND refobjsubid = relative.att
                WHERE classid <> 'pg_attrdef'::regclass AND NOT (classid = 'pg_constraint'::regclass AND EXISTS (SELECT FROM pg_constraint c WHERE c.oid = objid AND contype = 'n')))
            AND NOT EXISTS (SELECT FROM relative JOIN pg_attribute l ON l.attrelid = relative.rel AND l.attnum = relative.att
                WHERE attinhcount > 0 AND (attislocal OR attacl IS NOT NULL OR col_description(l.attrelid, attnum) IS NOT NULL))
            THEN 'again'
        WHEN current_setting('server_version_num')::integer >= 170000 AND NOT attnotnull
            AND (SELECT count(DISTINCT pg_get_expr(d.adbin, d.adrelid)) = 1 FROM relative JOIN pg_attrdef d ON adrelid = relative.rel AND adnum = relative.att)
            THEN 'expression' END
    FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
    WHERE pg_attrdef.oid = def
$$;

-- What could not be restored of tables and views that are made anew, or of constraints.
CREATE FUNCTION pg_temp.other_problems(made_anew oid[], constraints oid[]) RETURNS SETOF text LANGUAGE sql STABLE AS $$
    SELECT DISTINCT format('constraint %I of %s has triggers that are disabled, or for replicas alone: ALTER TABLE %s ENABLE TRIGGER ALL', conname, conrelid::regclass, tgrelid::regclass)
        FROM pg_trigger JOIN pg_constraint c ON c.oid = tgconstraint WHERE tgisinternal AND tgenabled <> 'O' AND c.oid = ANY (constraints)
    UNION ALL
    SELECT DISTINCT format('%s has a security label: SECURITY LABEL FOR %I ... IS NULL', pg_describe_object(classoid, objoid, objsubid), provider)
        FROM pg_seclabel WHERE classoid = 'pg_class'::regclass AND objoid = ANY (made_anew)
$$;

-- Why views could not be made again, or materialized ones not filled.
CREATE FUNCTION pg_temp.view_problems(views oid[]) RETURNS SETOF text LANGUAGE sql STABLE AS $$
    SELECT format('view %s is owned by %s, of whom you are none', c.oid::regclass, pg_get_userbyid(relowner))
        FROM pg_class c WHERE c.oid = ANY (views) AND NOT pg_has_role(relowner, 'USAGE')
    UNION ALL
    SELECT DISTINCT format('%s has privileges granted by %s, of whom you are none', c.oid::regclass, pg_get_userbyid(grantor))
        FROM pg_class c, aclexplode(relacl) WHERE c.oid = ANY (views) AND NOT pg_has_role(grantor, 'MEMBER')
    UNION ALL
    SELECT format('%s, who owns %s, has no CREATE on schema %s, where it is made again', pg_get_userbyid(relowner), c.oid::regclass, nspname)
        FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
        WHERE c.oid = ANY (views) AND NOT has_schema_privilege(relowner, n.oid, 'CREATE') AND NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
    UNION ALL
    SELECT format('you have no CREATE on schema %s, where %s is made again', nspname, c.oid::regclass)
        FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = ANY (views) AND NOT has_schema_privilege(n.oid, 'CREATE')
    UNION ALL
    -- It is filled with the rights of its owner, and what is read by way of a view with those of the view's.
    SELECT * FROM (
        WITH RECURSIVE uses (filled, owner, reader, view) AS (
            SELECT c.oid, relowner, relowner, c.oid FROM pg_class c WHERE c.oid = ANY (views) AND relkind = 'm' AND relispopulated
            UNION
            SELECT filled, owner, CASE WHEN EXISTS (SELECT FROM unnest(c.reloptions) o WHERE o ~ '^security_invoker=(t|on|y|1)') THEN reader ELSE relowner END, c.oid
            FROM uses JOIN pg_rewrite w ON ev_class = uses.view AND rulename = '_RETURN' JOIN pg_depend ON classid = 'pg_rewrite'::regclass AND objid = w.oid AND refclassid = 'pg_class'::regclass
                JOIN pg_class c ON c.oid = refobjid WHERE c.oid <> uses.view AND c.relkind = 'v'
        ), needs AS (
            SELECT filled, owner, reader, refclassid, refobjid, array_agg(refobjsubid::int2) FILTER (WHERE refobjsubid > 0) AS columns
            FROM uses JOIN pg_rewrite w ON ev_class = uses.view AND rulename = '_RETURN' JOIN pg_depend ON classid = 'pg_rewrite'::regclass AND objid = w.oid
            WHERE refobjid <> uses.view GROUP BY filled, owner, reader, refclassid, refobjid
        )
        SELECT format('materialized view %s cannot be filled again: %s may not read %s', filled::regclass, pg_get_userbyid(reader), c.oid::regclass)
            FROM needs JOIN pg_class c ON refclassid = 'pg_class'::regclass AND c.oid = refobjid
            WHERE NOT has_table_privilege(reader, c.oid, 'SELECT')
                AND (columns IS NULL AND NOT has_any_column_privilege(reader, c.oid, 'SELECT') OR EXISTS (SELECT FROM unnest(columns) a WHERE NOT has_column_privilege(reader, c.oid, a, 'SELECT')))
        UNION
        SELECT format('materialized view %s cannot be filled again: %s may not call %s', filled::regclass, pg_get_userbyid(owner), refobjid::regprocedure)
            FROM needs WHERE refclassid = 'pg_proc'::regclass AND NOT has_function_privilege(owner, refobjid, 'EXECUTE')) m
$$;

\ir ulid_move_copy.sql

-- Collects what moves, and looks for what stands in its way.
CREATE FUNCTION pg_temp.collect() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    setting record; item text; parts text[]; r oid; a int2; source oid; target oid; added bigint; o record;
BEGIN
    SELECT * INTO setting FROM ulid_move_setting;
    IF setting.namespace IS NULL THEN
        RAISE EXCEPTION 'the extension ulid is not in this database' USING HINT = 'CREATE EXTENSION ulid;';
    END IF;
    IF setting.target NOT IN ('ulid', 'uuid') THEN
        PERFORM pg_temp.copy_to_text(setting.target);
        SELECT * INTO setting FROM ulid_move_setting;
    END IF;
    target := CASE setting.target WHEN 'uuid' THEN 'uuid'::regtype ELSE (setting.schema || '.ulid')::regtype END;
    source := CASE setting.target WHEN 'ulid' THEN 'uuid'::regtype ELSE (setting.schema || '.ulid')::regtype END;

    -- The columns named, and the primary keys of the tables named.
    FOR item IN SELECT m[1] FROM regexp_matches(setting.columns, '((?:[^",]|"(?:[^"]|"")*")+)', 'g') m LOOP
        parts := parse_ident(trim(item));
        r := CASE WHEN cardinality(parts) < 3 THEN pg_temp.relation_named(trim(item)) END;
        a := NULL;
        IF r IS NULL AND cardinality(parts) > 1 THEN
            r := pg_temp.relation_named((SELECT string_agg(quote_ident(p), '.' ORDER BY n)
                FROM unnest(parts[:cardinality(parts) - 1]) WITH ORDINALITY u (p, n)));
            SELECT attnum INTO a FROM pg_attribute WHERE attrelid = r AND attname = parts[cardinality(parts)] AND attnum > 0 AND NOT attisdropped;
            IF r IS NOT NULL AND a IS NULL THEN
                RAISE EXCEPTION 'table % has no column %', r::regclass, parts[cardinality(parts)];
            END IF;
        END IF;
        IF r IS NULL THEN
            RAISE EXCEPTION 'there is no table or column %', trim(item) USING HINT = 'Name it with its schema: schema.table or schema.table.column.';
        END IF;
        IF (SELECT relkind NOT IN ('r', 'p') FROM pg_class WHERE oid = r) THEN
            RAISE EXCEPTION '% is not a table', r::regclass;
        END IF;
        IF EXISTS (SELECT FROM pg_index WHERE indrelid = r AND pg_temp.is_stand_in(indexrelid)) THEN
            RAISE EXCEPTION 'a move of table % was begun and has not come to its end', r::regclass
                USING HINT = 'Run its script to the end, or the script back that was written with it.';
        END IF;
        IF a IS NOT NULL THEN
            IF (SELECT atttypid NOT IN (source, target, 'uuid'::regtype) AND NOT pg_temp.is_text(atttypid) FROM pg_attribute WHERE attrelid = r AND attnum = a) THEN
                RAISE EXCEPTION 'column % of table % is of type %, not uuid, ulid or text', parts[cardinality(parts)], r::regclass,
                    (SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = r AND attnum = a);
            END IF;
            INSERT INTO moved VALUES (r, a) ON CONFLICT DO NOTHING;
        ELSE
            INSERT INTO moved SELECT r, attnum FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
                WHERE conrelid = r AND contype = 'p' AND (atttypid IN (source, target) OR setting.target = 'text' AND atttypid = 'uuid'::regtype) ON CONFLICT DO NOTHING;
            IF NOT FOUND THEN
                INSERT INTO moved SELECT r, attnum FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
                    WHERE conrelid = r AND contype = 'p' AND pg_temp.is_text(atttypid) ON CONFLICT DO NOTHING;
            END IF;
            IF NOT FOUND THEN
                RAISE EXCEPTION 'table % has no primary key of type uuid, ulid or text', r::regclass;
            END IF;
        END IF;
    END LOOP;

    -- With a column what refers to it, and what it shares with its parents and children.
    LOOP
        INSERT INTO moved
        SELECT conrelid, conkey[k] FROM pg_constraint, generate_subscripts(conkey, 1) k JOIN moved ON true
            WHERE contype = 'f' AND confrelid = rel AND confkey[k] = att
        UNION
        -- text refers to text only
        SELECT confrelid, confkey[k] FROM pg_constraint, generate_subscripts(conkey, 1) k JOIN moved ON true JOIN pg_attribute ON attrelid = rel AND attnum = att
            WHERE contype = 'f' AND conrelid = rel AND conkey[k] = att AND (setting.target = 'text' OR pg_temp.is_text(atttypid))
        UNION
        SELECT x.relative, c.attnum FROM moved
            JOIN LATERAL (SELECT inhrelid FROM pg_inherits WHERE inhparent = rel UNION SELECT inhparent FROM pg_inherits WHERE inhrelid = rel) x (relative) ON true
            JOIN pg_attribute p ON p.attrelid = rel AND p.attnum = att
            JOIN pg_attribute c ON c.attrelid = x.relative AND c.attname = p.attname AND NOT c.attisdropped
        ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS added = ROW_COUNT;
        EXIT WHEN added = 0;
    END LOOP;
    PERFORM pg_temp.copy_collect();
    UPDATE moved SET root = NOT EXISTS (SELECT FROM pg_inherits JOIN pg_attribute p ON p.attrelid = inhparent JOIN pg_attribute c ON c.attname = p.attname
        WHERE inhrelid = rel AND c.attrelid = rel AND c.attnum = att);

    -- What cannot move.
    INSERT INTO problem (text)
    SELECT format('column %s of table %s is of type %s: only uuid and ulid can move', pg_temp.column_name(rel, att), rel::regclass, format_type(atttypid, atttypmod))
        FROM moved JOIN pg_attribute ON attrelid = rel AND attnum = att WHERE atttypid NOT IN (source, target)
    UNION ALL
    SELECT format('column %s of table %s is inherited from several tables that have no parent in common: PostgreSQL gives it no new type', pg_temp.column_name(rel, att), rel::regclass)
        FROM moved WHERE (WITH RECURSIVE above (relation) AS (SELECT rel UNION SELECT inhparent FROM above JOIN pg_inherits ON inhrelid = relation)
            SELECT count(*) FROM above JOIN moved m ON m.rel = relation JOIN pg_attribute ON attrelid = m.rel AND attnum = m.att
            WHERE m.root AND quote_ident(attname) = pg_temp.column_name(moved.rel, moved.att)) > 1
    UNION ALL
    SELECT DISTINCT format('%s %s is not a table of this database', CASE relkind WHEN 'f' THEN 'foreign table' ELSE 'relation' END, rel::regclass)
        FROM moved JOIN pg_class ON oid = rel WHERE relkind NOT IN ('r', 'p')
    UNION ALL
    SELECT DISTINCT format('table %s is temporary', rel::regclass) FROM moved JOIN pg_class ON oid = rel WHERE relpersistence = 't'
    UNION ALL
    SELECT DISTINCT format('table %s is of the type %s, which gives it its columns', rel::regclass, reloftype::regtype)
        FROM moved JOIN pg_class ON oid = rel WHERE reloftype <> 0
    UNION ALL
    SELECT DISTINCT format('table %s belongs to the extension %s', rel::regclass, extname)
        FROM moved JOIN pg_depend ON classid = 'pg_class'::regclass AND objid = rel AND deptype = 'e' JOIN pg_extension e ON e.oid = refobjid
    UNION ALL
    SELECT format('publication %I filters the rows of %s by %s: PostgreSQL takes only its own types there', pubname, rel::regclass, pg_temp.column_name(rel, att))
        FROM moved JOIN pg_publication_rel ON prrelid = rel JOIN pg_publication b ON b.oid = prpubid
        WHERE setting.target = 'ulid' AND prqual::text ~ format(':varattno %s\M', att)
    UNION ALL
    SELECT DISTINCT format('subscription %I writes table %s, and gets its ids as text, which the other type does not read: ALTER SUBSCRIPTION %1$I SET (binary = true)', subname, rel::regclass)
        FROM moved JOIN pg_subscription_rel ON srrelid = rel JOIN pg_subscription s ON s.oid = srsubid WHERE subenabled AND NOT subbinary
    UNION ALL
    SELECT format('NOT NULL of column %s is %I in table %s and %I in %s: PostgreSQL cannot make the two again with the type',
            pg_temp.column_name(rel, att), c.conname, rel::regclass, p.conname, inhparent::regclass)
        FROM moved JOIN pg_inherits ON inhrelid = rel JOIN pg_constraint c ON c.conrelid = rel AND c.contype = 'n' AND c.conkey = ARRAY[att]
            JOIN pg_constraint p ON p.conrelid = inhparent AND p.contype = 'n' AND pg_temp.column_name(inhparent, p.conkey[1]) = pg_temp.column_name(rel, att)
        WHERE c.conname <> p.conname
    UNION ALL
    SELECT DISTINCT format('column %I of %s has the row type of table %s', attname, attrelid::regclass, rel::regclass)
        FROM moved JOIN pg_class c ON c.oid = rel JOIN pg_type t ON t.oid = c.reltype JOIN pg_attribute ON atttypid IN (t.oid, t.typarray)
        WHERE NOT attisdropped
    UNION ALL
    SELECT format('column %I of table %s is generated from %s, and %s: drop it before, and add it after',
            attname, adrelid::regclass, (SELECT string_agg(DISTINCT pg_temp.column_name(rel, att), ', ') FROM moved JOIN pg_depend ON refobjid = rel AND refobjsubid = att WHERE classid = 'pg_attrdef'::regclass AND objid = d.oid),
            CASE attgenerated WHEN 'v' THEN 'a virtual column takes only PostgreSQL''s own types' ELSE 'this server cannot give it its expression again where it stands' END)
        FROM pg_attrdef d JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
        WHERE d.oid IN (SELECT pg_temp.dependents('pg_attrdef')) AND attgenerated <> '' AND attinhcount = 0 AND pg_temp.generated_way(d.oid) IS NULL;

    -- Indexes. A class that already serves both types stays; what has no class for both cannot be bridged.
    INSERT INTO move_index
    SELECT indexrelid, indrelid, c.relname, pg_temp.qualified(indexrelid, c.relname), b.bridge, pg_temp.qualified(indexrelid, b.bridge),
        CASE WHEN NOT indisvalid THEN 'kept'
            WHEN indpred IS NULL AND indexprs IS NULL AND NOT EXISTS (
                    SELECT FROM generate_series(0, indnkeyatts - 1) k JOIN moved ON rel = indrelid AND att = indkey[k]
                    WHERE indclass[k] NOT IN (SELECT oid FROM pg_opclass WHERE opcname = 'ulid_uuid_ops' AND opcnamespace = setting.namespace)) THEN 'kept'
            WHEN t.relkind = 'p' OR t.relispartition THEN 'locked'
            WHEN indisunique AND (indpred IS NOT NULL OR indexprs IS NOT NULL OR NOT indimmediate) OR indisexclusion THEN 'locked'
            WHEN indpred IS NULL AND indexprs IS NULL AND amname IN ('btree', 'hash') THEN 'bridged'
            ELSE 'late' END,
        indisunique, con.oid
    FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_am m ON m.oid = c.relam JOIN pg_class t ON t.oid = indrelid
        LEFT JOIN pg_constraint con ON conindid = indexrelid AND contype IN ('p', 'u', 'x'),
        LATERAL (SELECT CASE WHEN octet_length(c.relname) > 53 THEN left(encode(sha256(textsend(c.relname::text)), 'hex'), 40) ELSE c.relname END || '_ulid_move') b (bridge)
    -- what a move that was begun has made is none of these
    WHERE NOT pg_temp.is_bridge(indexrelid) AND indexrelid IN (SELECT pg_temp.dependents('pg_class')
            UNION SELECT x.conindid FROM pg_constraint x WHERE x.oid IN (SELECT pg_temp.dependents('pg_constraint')) AND contype IN ('p', 'u', 'x')
            UNION SELECT i.indexrelid FROM pg_index i JOIN moved ON rel = i.indrelid AND att = ANY (i.indkey))
        AND c.relkind IN ('i', 'I') AND t.relkind IN ('r', 'p');

    -- Views, and views of views. Those that need a primary key, as GROUP BY it does, cannot be without it.
    INSERT INTO move_view
    WITH RECURSIVE found (view, level) AS (
        SELECT ev_class, 1 FROM pg_rewrite WHERE oid IN (SELECT pg_temp.dependents('pg_rewrite')) AND rulename = '_RETURN'
        UNION
        SELECT ev_class, level + 1 FROM found JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = view AND classid = 'pg_rewrite'::regclass
            JOIN pg_rewrite w ON w.oid = objid WHERE ev_class <> view AND rulename = '_RETURN'
    )
    SELECT view, max(level) FROM found GROUP BY view;
    INSERT INTO problem (text)
    SELECT DISTINCT format('%s needs the constraint %s, as it groups by the key, or names it in ON CONFLICT: group by every column, or name the columns, instead',
            regexp_replace(pg_describe_object(classid, objid, 0), '^rule "?_RETURN"? on ', ''), quote_ident(conname))
        FROM pg_depend d JOIN pg_constraint con ON con.oid = refobjid JOIN move_index ON move_index.con = con.oid
        WHERE classid IN ('pg_rewrite'::regclass, 'pg_proc'::regclass, 'pg_policy'::regclass) AND refclassid = 'pg_constraint'::regclass AND way = 'bridged'
    UNION ALL
    SELECT DISTINCT format('%s depends on the view %s', pg_describe_object(d.classid, d.objid, d.objsubid), view::regclass)
        FROM move_view JOIN pg_class v ON v.oid = view JOIN pg_type t ON t.oid = v.reltype
            JOIN pg_depend d ON d.deptype IN ('n', 'e') AND (d.refclassid = 'pg_class'::regclass AND d.refobjid = view
                OR d.refclassid = 'pg_type'::regclass AND d.refobjid IN (t.oid, t.typarray))
        WHERE NOT (d.classid = 'pg_rewrite'::regclass AND EXISTS (SELECT FROM pg_rewrite w WHERE w.oid = d.objid AND (w.ev_class IN (SELECT view FROM move_view)
                OR w.oid IN (SELECT pg_temp.dependents('pg_rewrite')))))
            AND NOT (d.classid = 'pg_policy'::regclass AND d.objid IN (SELECT pg_temp.dependents('pg_policy')))
            AND NOT (d.classid = 'pg_proc'::regclass AND d.objid IN (SELECT pg_temp.dependents('pg_proc')))
            AND NOT (d.classid = 'pg_trigger'::regclass AND EXISTS (SELECT FROM pg_trigger g WHERE g.oid = d.objid AND tgrelid = view));

    INSERT INTO problem (text)
    SELECT DISTINCT format('a move of table %s was begun and has not come to its end: run its script to the end, or the script back that was written with it', indrelid::regclass)
        FROM pg_index WHERE indrelid IN (SELECT rel FROM moved) AND pg_temp.is_stand_in(indexrelid)
    UNION ALL
    SELECT format('relation %s has the name of an index that the script has to make', qualified_bridge)
    FROM move_index WHERE way = 'bridged' AND to_regclass(qualified_bridge) IS NOT NULL
        AND pg_temp.is_bridge(to_regclass(qualified_bridge)) IS NOT TRUE;

    INSERT INTO problem (text)
    SELECT DISTINCT format('%s is owned by %s, of whom you are none', rel::regclass, pg_get_userbyid(relowner))
    FROM (SELECT rel FROM moved
        UNION SELECT conrelid FROM pg_constraint WHERE contype = 'f' AND oid IN (SELECT pg_temp.dependents('pg_constraint'))
        UNION SELECT confrelid FROM pg_constraint WHERE contype = 'f' AND oid IN (SELECT pg_temp.dependents('pg_constraint'))) x (rel)
        JOIN pg_class ON oid = rel WHERE NOT pg_has_role(relowner, 'USAGE')
    UNION ALL
    SELECT DISTINCT format('publication %s is owned by %s, of whom you are none', quote_ident(pubname), pg_get_userbyid(pubowner))
    FROM pg_publication_rel r JOIN pg_publication b ON b.oid = prpubid WHERE r.oid IN (SELECT pg_temp.dependents('pg_publication_rel')) AND NOT pg_has_role(pubowner, 'USAGE')
    UNION ALL
    SELECT format('function %s is owned by %s, of whom you are none', oid::regprocedure, pg_get_userbyid(proowner))
    FROM pg_proc WHERE oid IN (SELECT pg_temp.dependents('pg_proc')) AND NOT pg_has_role(proowner, 'USAGE')
    UNION ALL
    SELECT format('you have no CREATE on schema %s, where %s is made again', nspname, c.oid::regclass)
    FROM pg_namespace n JOIN pg_class c ON relnamespace = n.oid WHERE c.oid IN (SELECT index FROM move_index) AND NOT has_schema_privilege(n.oid, 'CREATE')
    UNION ALL
    SELECT pg_temp.view_problems(ARRAY(SELECT view FROM move_view))
    UNION ALL
    SELECT pg_temp.other_problems(ARRAY(SELECT view FROM move_view), ARRAY(SELECT pg_temp.dependents('pg_constraint')))
    UNION ALL
    SELECT format('constraint %I of %s, a partition, has a comment, and not the name that PostgreSQL would give it again', c.conname, c.conrelid::regclass)
        FROM pg_constraint c JOIN pg_constraint p ON p.oid = c.conparentid
        WHERE c.contype = 'f' AND c.oid IN (SELECT pg_temp.dependents('pg_constraint')) AND c.conname <> p.conname AND obj_description(c.oid, 'pg_constraint') IS NOT NULL;

    IF EXISTS (SELECT FROM problem) THEN
        RAISE EXCEPTION E'this cannot move:\n%', (SELECT string_agg('  ' || text, E'\n' ORDER BY n) FROM problem)
            USING HINT = 'Nothing was changed.';
    END IF;

    -- What to know.
    INSERT INTO note (text)
    SELECT format('index %s is built again while %s is locked (%s): it is %s', index::regclass, move_index.rel::regclass, pg_size_pretty(pg_relation_size(index)),
            CASE WHEN c.relkind = 'I' OR c.relispartition THEN 'partitioned' ELSE 'unique and partial or of an expression, deferrable, or an exclusion constraint' END)
        FROM move_index JOIN pg_class c ON c.oid = index WHERE way = 'locked' AND c.relkind = 'i'
    UNION ALL
    SELECT format('index %s is missing from the switch until it is built again', index::regclass) FROM move_index WHERE way = 'late'
    UNION ALL
    SELECT format('foreign key %I of %s is checked for all rows while the tables are locked, as %2$s is partitioned', conname, conrelid::regclass)
        FROM pg_constraint f WHERE contype = 'f' AND conparentid = 0 AND f.oid IN (SELECT pg_temp.dependents('pg_constraint'))
            AND pg_temp.is_checked_at_once(conrelid)
    UNION ALL
    SELECT format('materialized view %s is filled again in the switch (%s)', view::regclass, pg_size_pretty(pg_relation_size(view)))
        FROM move_view JOIN pg_class ON oid = view WHERE relkind = 'm' AND relispopulated
    UNION ALL
    SELECT format('column %s of %s is generated: its table is written again in the switch', pg_temp.column_name(adrelid, adnum), adrelid::regclass)
        FROM pg_attrdef d JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
        WHERE d.oid IN (SELECT pg_temp.dependents('pg_attrdef')) AND attgenerated = 's'
    UNION ALL
    SELECT format('publication %I publishes %s: a subscriber whose column is of the other type has to have binary = true', pubname, string_agg(rel::regclass::text, ', ' ORDER BY rel::regclass::text))
        FROM pg_publication_tables JOIN (SELECT DISTINCT rel FROM moved) m ON rel = to_regclass(format('%I.%I', schemaname, tablename)) GROUP BY pubname
    UNION ALL
    SELECT format('function %s names uuid or ulid: see that it suits both', p.oid::regprocedure)
        FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
        WHERE (source = ANY (proargtypes) OR prorettype = source OR source = ANY (proallargtypes) OR prosrc ~* '\m(uuid|ulid)\M')
            AND nspname NOT IN ('pg_catalog', 'information_schema')
            AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')
            AND pronamespace <> pg_my_temp_schema();

    -- The bundles: columns that have an object in common move together.
    CREATE TEMP TABLE link ON COMMIT DROP AS
    SELECT m.rel, m.att, bundle, thing FROM all_moved m, LATERAL (
        SELECT format('column %s %s', m.rel, m.att)
        UNION SELECT format('column %s %s', inhparent, p.attnum) FROM pg_inherits JOIN pg_attribute p ON p.attrelid = inhparent
            WHERE inhrelid = m.rel AND p.attname = (SELECT attname FROM pg_attribute WHERE attrelid = m.rel AND attnum = m.att)
        UNION SELECT format('%s %s', 'pg_class'::regclass::oid, indexrelid) FROM pg_index WHERE indrelid = m.rel AND m.att = ANY (indkey)
        UNION (WITH RECURSIVE d (classid, objid) AS (
            SELECT classid, objid FROM pg_depend WHERE refclassid = 'pg_class'::regclass AND refobjid = m.rel AND refobjsubid = m.att
            UNION
            SELECT x.classid, x.objid FROM d JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid AND rulename = '_RETURN'
                JOIN pg_depend x ON x.refclassid = 'pg_class'::regclass AND x.refobjid = ev_class AND x.deptype = 'n'
            ) SELECT format('%s %s', classid, objid) FROM d)) t (thing);
    LOOP
        UPDATE link SET bundle = x.bundle FROM (SELECT thing, min(bundle) AS bundle FROM link GROUP BY thing) x WHERE x.thing = link.thing AND link.bundle > x.bundle;
        UPDATE link SET bundle = x.bundle FROM (SELECT rel, att, min(bundle) AS bundle FROM link GROUP BY rel, att) x WHERE x.rel = link.rel AND x.att = link.att AND link.bundle > x.bundle;
        EXIT WHEN NOT FOUND;
    END LOOP;
    UPDATE link SET bundle = x.number FROM (SELECT bundle, row_number() OVER (ORDER BY bundle) AS number FROM link GROUP BY bundle) x WHERE x.bundle = link.bundle;
    UPDATE all_moved m SET bundle = l.bundle FROM link l WHERE l.rel = m.rel AND l.att = m.att;
    UPDATE all_indexes i SET bundle = (SELECT min(l.bundle) FROM link l WHERE l.thing IN (format('%s %s', 'pg_class'::regclass::oid, i.index), format('%s %s', 'pg_constraint'::regclass::oid, i.con)));
    UPDATE all_views v SET bundle = (SELECT min(l.bundle) FROM pg_rewrite w JOIN link l ON l.thing = format('%s %s', 'pg_rewrite'::regclass::oid, w.oid) WHERE ev_class = v.view);
END $$;

-- A transaction of the script. It makes an attempt at all its locks and its work, and rather gives them up
-- and makes another than hold anybody up for longer than `ulid_move.lock_timeout`. `first` is done before
-- the tables are locked: clients lock a view before its tables. `done` is an SQL condition under which
-- there is nothing to do. What `views` names was looked at without a lock.
CREATE FUNCTION pg_temp.transaction(done text, tables regclass[], views regclass[], first text, work text) RETURNS text LANGUAGE sql STABLE AS $f$
    SELECT format(replace($template$DO $ulid_move$
DECLARE
    patience text := COALESCE(NULLIF(current_setting('ulid_move.lock_timeout', true), ''), '30ms');
    attempts integer := COALESCE(NULLIF(current_setting('ulid_move.lock_attempts', true), ''), '200');
    tables CONSTANT text[] := ARRAY(SELECT t FROM unnest(%2$L::text[]) t WHERE to_regclass(t) IS NOT NULL);
    views CONSTANT text[] := ARRAY(SELECT v FROM unnest(%3$L::text[]) v WHERE to_regclass(v) IS NOT NULL);
    view text; queries text;
    first text := $ulid_move_first$
%4$s$ulid_move_first$;
    work text := $ulid_move_work$
%5$s$ulid_move_work$;
BEGIN
    IF %1$s THEN
        RETURN;
    END IF;
    -- Holds up no reader and no writer, only another change of the tables; and waits until the server has
    -- ended a vacuum of its own.
    BEGIN
        PERFORM set_config('lock_timeout', COALESCE(NULLIF(current_setting('ulid_move.maintenance_timeout', true), ''), '1min'), true);
        EXECUTE format('LOCK TABLE %%s IN SHARE UPDATE EXCLUSIVE MODE', array_to_string(tables, ', '));
    EXCEPTION WHEN lock_not_available THEN
        RAISE EXCEPTION 'the tables are in use by a change, a VACUUM or a CREATE INDEX CONCURRENTLY' USING ERRCODE = 'lock_not_available',
            HINT = 'Nothing of this step was done. Run the script again when it has ended.',
            DETAIL = (SELECT string_agg(DISTINCT format('%%s is used by process %%s', relation::regclass, pid), E'\n')
                FROM pg_locks WHERE granted AND locktype = 'relation' AND pid <> pg_backend_pid() AND relation = ANY (tables::regclass[])
                    AND mode NOT IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock'));
    END;
    queries := (SELECT string_agg(xmin::text, ' ' ORDER BY oid) FROM pg_rewrite WHERE ev_class = ANY (views::regclass[]));
    IF pg_temp.ulid_move_check(%6$s) THEN
        first := pg_temp.ulid_move_left(first, %7$L);
        work := pg_temp.ulid_move_left(work, %7$L);
    END IF;
    PERFORM set_config('lock_timeout', patience, true);
    FOR attempt IN 1 .. attempts LOOP
        BEGIN
            FOREACH view IN ARRAY views LOOP
                -- locks it, and does nothing, as it is dropped next
                EXECUTE format('ALTER VIEW %%s RESET (security_barrier)', view);
            END LOOP;
            IF queries <> (SELECT string_agg(xmin::text, ' ' ORDER BY oid) FROM pg_rewrite WHERE ev_class = ANY (views::regclass[])) THEN
                PERFORM pg_temp.ulid_move_check(%6$s);
            END IF;
            EXECUTE first;
            EXECUTE format('LOCK TABLE %%s IN ACCESS EXCLUSIVE MODE', array_to_string(tables, ', '));
            EXECUTE work;
            RETURN;
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
            IF attempt = attempts THEN
                RAISE EXCEPTION 'the tables are in use: no lock on them was had in %% attempts of %%', attempts, patience
                    USING ERRCODE = 'lock_not_available', HINT = 'Nothing of this step was done. Run the script again.',
                    DETAIL = (SELECT string_agg(DISTINCT format('%%s is used by %%s', relation::regclass,
                            COALESCE('process ' || l.pid, 'a prepared transaction')), E'\n')
                        FROM pg_locks l WHERE granted AND locktype = 'relation' AND l.pid IS DISTINCT FROM pg_backend_pid()
                            AND relation = ANY (tables::regclass[]));
            END IF;
            PERFORM pg_sleep(0.05 + random() * 0.2);
        END;
    END LOOP;
END $ulid_move$;
$template$, '$ulid_move', '$' || pg_temp.tag(first || work || done)), done, tables, COALESCE(views, '{}'), first, work,
        format('%s, %L', current_setting('ulid_move.bundle'), views IS NULL), current_setting('ulid_move.tag'))
$f$;

-- What makes the keys of a column that becomes uuid, instead of a generator of the extension: that of its name in
-- ulid_sql.sql, where that is, so that the order goes on.
CREATE FUNCTION pg_temp.generator_of_uuid(expression text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN to_regprocedure('ulid_sql.gen_ulid()') IS NULL THEN 'pg_catalog.gen_random_uuid()'
        WHEN expression ~ 'gen_random_ulid' THEN 'ulid_sql.gen_random_ulid()' ELSE 'ulid_sql.gen_ulid()' END
$$;

-- The default of a column, as it is or, if `after`, as it will be.
CREATE FUNCTION pg_temp.default_of(rel oid, att int2, type regtype, after boolean) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN NOT after OR atttypid = type THEN expression
        WHEN target = 'ulid' AND expression ~ '^((\w+|"[^"]+")\.)?(gen_random_uuid|uuidv[47]|uuid_generate_v(1|1mc|4))\([^()]*\)$' THEN schema || '.gen_ulid()'
        -- of ulid_sql.sql: the extension's of that name
        WHEN target = 'ulid' AND expression ~ '^ulid_sql\.gen_(random_)?ulid\(\)$' THEN schema || substr(expression, 9)
        WHEN target = 'uuid' AND expression ~ '^((\w+|"[^"]+")\.)?gen_(random_|monotonic_)?ulid\(\)$' THEN pg_temp.generator_of_uuid(expression)
        ELSE expression END
    FROM ulid_move_setting, pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum, LATERAL pg_get_expr(adbin, adrelid) x (expression)
    WHERE adrelid = rel AND adnum = att
$$;

-- The head of the script: what moves, what to know, and what is looked at before anything is done.
CREATE FUNCTION pg_temp.head() RETURNS SETOF text LANGUAGE plpgsql AS $f$
DECLARE
    setting record; o record; type text; other text; bundle integer;
BEGIN
    SELECT * INTO setting FROM ulid_move_setting;
    type := CASE setting.target WHEN 'uuid' THEN 'pg_catalog.uuid' ELSE setting.schema || '.ulid' END;
    other := CASE setting.target WHEN 'ulid' THEN 'pg_catalog.uuid' ELSE setting.schema || '.ulid' END;
    RETURN NEXT format(E'-- Moves to %s, while the application writes:', setting.target);
    FOR o IN SELECT format('--   %s.%s', rel::regclass, pg_temp.column_name(rel, att)) AS line FROM moved ORDER BY rel::regclass::text, att LOOP
        RETURN NEXT pg_temp.line(o.line);
    END LOOP;
    RETURN NEXT '-- For psql. It stops at an error, and goes on from there when it is run again.';
    FOR o IN SELECT text FROM note ORDER BY n LOOP
        RETURN NEXT pg_temp.line('-- Note: ' || o.text || '.');
    END LOOP;
    RETURN NEXT pg_temp.settings();
    RETURN NEXT $s$
-- Two at once would get in each other's way.
DO $ulid_move$ BEGIN
    IF NOT pg_try_advisory_lock(1970040945, 1836021349) THEN
        RAISE EXCEPTION 'a move is under way in process %', (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 1970040945 AND objid = 1836021349 AND granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
            USING ERRCODE = 'lock_not_available', HINT = 'Run the script again when that has ended.';
    END IF;
END $ulid_move$;$s$;
    RETURN NEXT E'\n-- All as it was when this was written.';
    RETURN NEXT 'DROP TABLE IF EXISTS pg_temp.ulid_move_column, pg_temp.ulid_move_was;';
    RETURN NEXT 'CREATE TABLE pg_temp.ulid_move_column (bundle integer, rel text, att text, relid oid, number int2);';
    RETURN NEXT 'CREATE TABLE pg_temp.ulid_move_was (bundle integer, identity text, hash bigint, lasting boolean, bridge text, told boolean NOT NULL DEFAULT false);';
    FOR bundle IN SELECT DISTINCT m.bundle FROM all_moved m ORDER BY 1 LOOP
        PERFORM set_config('ulid_move.bundle', bundle::text, true);
        RETURN NEXT 'INSERT INTO pg_temp.ulid_move_column VALUES '
            || (SELECT string_agg(format('(%s, %L, %L, %s, %s)', bundle, rel::regclass, attname, rel, att), ', ' ORDER BY rel, att) FROM moved JOIN pg_attribute ON attrelid = rel AND attnum = att) || ';';
        RETURN NEXT 'INSERT INTO pg_temp.ulid_move_was VALUES' || (
            SELECT string_agg(format(E'\n    (%s, %L, %s, %L, %L)', bundle, l.identity, hashtextextended(l.definition COLLATE "C", 0), l.lasting, i.bridge), ',' ORDER BY l.identity)
            FROM pg_temp.ulid_move_look((SELECT array_agg(rel::regclass::text ORDER BY rel, att) FROM moved),
                    (SELECT array_agg(attname::text ORDER BY rel, att) FROM moved JOIN pg_attribute ON attrelid = rel AND attnum = att)) l
                LEFT JOIN (SELECT u.identity, CASE way WHEN 'bridged' THEN qualified_bridge ELSE '' END
                    FROM move_index, LATERAL (SELECT concat_ws(' ', x.type, x.identity) FROM pg_identify_object('pg_class'::regclass, index, 0) x
                        UNION ALL SELECT concat_ws(' ', x.type, x.identity) FROM pg_identify_object('pg_constraint'::regclass, con, 0) x WHERE con IS NOT NULL) u (identity)
                    WHERE way IN ('bridged', 'late')) i (identity, bridge) ON i.identity = l.identity) || ';';
    END LOOP;
    PERFORM set_config('ulid_move.bundle', '', true);
    FOR o IN SELECT regexp_replace(pg_get_functiondef(f), 'pg_temp_\d+\.', 'pg_temp.') AS definition
        FROM unnest(ARRAY['pg_temp.ulid_move_look', 'pg_temp.ulid_move_is_begun', 'pg_temp.ulid_move_check_names', 'pg_temp.ulid_move_check', 'pg_temp.ulid_move_is_there', 'pg_temp.ulid_move_can_build',
            'pg_temp.ulid_move_left']::regproc[]) f
    LOOP
        RETURN NEXT rtrim(o.definition, E'\n') || ';';
    END LOOP;

    RETURN NEXT E'\n\\echo Looking whether all is as it was when this was written';
    RETURN NEXT format($s$DO $ulid_move$
DECLARE what text; begun boolean := pg_temp.ulid_move_is_begun(NULL); o record;
BEGIN
    SELECT string_agg(format('%%s is owned by %%s', oid::regclass, pg_get_userbyid(relowner)), E'\n') INTO what
    FROM pg_class WHERE oid IN (SELECT to_regclass(rel) FROM pg_temp.ulid_move_column) AND NOT pg_has_role(relowner, 'USAGE');
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'permission denied' USING ERRCODE = 'insufficient_privilege', DETAIL = what;
    END IF;
    PERFORM pg_temp.ulid_move_check_names();
    FOR o IN SELECT bundle, count(*) FILTER (WHERE atttypid <> %1$L::regtype) = 0 AS switched,
            string_agg(format('%%s.%%I is of type %%s', rel, att, format_type(atttypid, atttypmod)), E'\n') FILTER (WHERE atttypid NOT IN (%1$L::regtype, %2$L::regtype)) AS other,
            string_agg(format('%%s.%%I is of type none: it is not there', rel, att), E'\n') FILTER (WHERE atttypid IS NULL) AS gone
        FROM pg_temp.ulid_move_column LEFT JOIN pg_attribute ON attrelid = to_regclass(rel) AND attname = att AND NOT attisdropped GROUP BY bundle ORDER BY bundle
    LOOP
        what := concat_ws(E'\n', o.other, CASE WHEN NOT o.switched THEN o.gone END);
        IF what <> '' AND NOT begun THEN
            RAISE EXCEPTION 'not as it was when this was written' USING DETAIL = what, HINT = 'Write the script again.';
        END IF;
        IF NOT o.switched THEN
            -- a bundle that was begun comes to its end before this stops at another
            IF NOT begun OR pg_temp.ulid_move_is_begun(o.bundle) THEN
                PERFORM pg_temp.ulid_move_check(o.bundle, false);
            END IF;
        ELSIF o.gone IS NOT NULL THEN
            FOR what IN SELECT format('%%s.%%I', rel, att) FROM pg_temp.ulid_move_column WHERE bundle = o.bundle
                AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass(rel) AND attname = att AND NOT attisdropped)
            LOOP
                RAISE WARNING 'table column %% is gone, and is left out', what;
            END LOOP;
        END IF;
    END LOOP;
    SELECT string_agg(DISTINCT format('%%s is locked by the prepared transaction %%L', r.relation::regclass, gid), E'\n') INTO what
    FROM pg_locks r JOIN pg_locks t ON t.locktype = 'transactionid' AND t.pid IS NULL AND t.virtualtransaction = r.virtualtransaction
        JOIN pg_prepared_xacts ON transaction = t.transactionid
    WHERE r.pid IS NULL AND r.relation IN (SELECT to_regclass(rel) FROM pg_temp.ulid_move_column) AND r.database = (SELECT oid FROM pg_database WHERE datname = current_database());
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'a prepared transaction uses the tables' USING ERRCODE = 'lock_not_available', DETAIL = what,
            HINT = 'Commit it or roll it back, and run the script again.';
    END IF;
END $ulid_move$;$s$, type, other);
END $f$;

-- The script for a bundle.
CREATE FUNCTION pg_temp.script(which integer) RETURNS SETOF text LANGUAGE plpgsql AS $f$
DECLARE
    setting record; o record; down record; work text; done text; tables regclass[]; type text; version integer := current_setting('server_version_num');
    foreign_keys oid[]; checks oid[]; functions oid[]; policies oid[]; triggers oid[]; rules oid[]; generated oid[]; publications oid[];
BEGIN
    PERFORM set_config('ulid_move.bundle', which::text, true);
    SELECT * INTO setting FROM ulid_move_setting;
    type := CASE setting.target WHEN 'uuid' THEN 'pg_catalog.uuid' ELSE setting.schema || '.ulid' END;

    SELECT array_agg(c.oid ORDER BY conrelid::regclass::text, conname) INTO foreign_keys FROM pg_constraint c
        WHERE contype = 'f' AND conparentid = 0 AND c.oid IN (SELECT pg_temp.dependents('pg_constraint'));
    SELECT array_agg(c.oid ORDER BY conrelid::regclass::text, conname) INTO checks FROM pg_constraint c
        WHERE contype = 'c' AND coninhcount = 0 AND c.oid IN (SELECT pg_temp.dependents('pg_constraint'));
    SELECT array_agg(d) INTO functions FROM pg_temp.dependents('pg_proc') d;
    SELECT array_agg(d) INTO policies FROM (SELECT pg_temp.dependents('pg_policy')
        UNION SELECT objid FROM pg_depend JOIN move_view ON refobjid = view WHERE classid = 'pg_policy'::regclass) x (d);
    SELECT array_agg(g.oid) INTO triggers FROM pg_trigger g WHERE tgparentid = 0 AND NOT tgisinternal AND g.oid IN (SELECT pg_temp.dependents('pg_trigger'));
    SELECT array_agg(w.oid) INTO rules FROM pg_rewrite w WHERE rulename <> '_RETURN' AND ev_class NOT IN (SELECT view FROM move_view)
        AND (w.oid IN (SELECT pg_temp.dependents('pg_rewrite'))
            OR EXISTS (SELECT FROM pg_depend JOIN move_view ON refobjid = view WHERE classid = 'pg_rewrite'::regclass AND objid = w.oid));
    SELECT array_agg(d.oid) INTO generated FROM pg_attrdef d JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
        WHERE attgenerated <> '' AND attinhcount = 0 AND d.oid IN (SELECT pg_temp.dependents('pg_attrdef'));
    SELECT array_agg(d) INTO publications FROM pg_temp.dependents('pg_publication_rel') d;

    IF (SELECT max(bundle) FROM all_moved) > 1 THEN
        RETURN NEXT E'\n' || pg_temp.line(format('-- Bundle %s of %s: %s', which, (SELECT max(bundle) FROM all_moved), (SELECT string_agg(format('%s.%s', rel::regclass, pg_temp.column_name(rel, att)), ', ' ORDER BY rel::regclass::text, att) FROM moved)));
    END IF;

    -- Whether all the columns of this bundle are of the type.
    done := format('NOT EXISTS (SELECT FROM pg_attribute JOIN (VALUES %s) v (rel, att) ON attrelid = to_regclass(rel) AND attname = att WHERE atttypid <> %L::regtype)',
        (SELECT string_agg(format('(%L, %L)', rel::regclass, attname), ', ' ORDER BY rel, att) FROM moved JOIN pg_attribute ON attrelid = rel AND attnum = att), type);

    -- 1
    RETURN NEXT E'\n-- 1. Indexes that outlive the change of type, built while the application writes.';
    RETURN NEXT format(E'SELECT NOT (%s) AS before \\gset\n\\if :before\nDO $ulid_move$ BEGIN PERFORM pg_temp.ulid_move_check(%s, false); END $ulid_move$;', done, which);
    FOR o IN SELECT * FROM move_index WHERE way = 'bridged' ORDER BY pg_relation_size(index), qualified LOOP
        RETURN NEXT pg_temp.line(format('\echo Building %s', o.qualified_bridge));
        RETURN NEXT pg_temp.build_bridge(o.index, o.name, o.qualified_bridge, pg_temp.bridge_definition(o.index, o.bridge));
    END LOOP;
    RETURN NEXT '\endif';

    -- 2
    RETURN NEXT E'\n-- 2. The switch, in one transaction that reads no row of the tables but for what the notes say.';
    RETURN NEXT format('\echo Changing the type to %s', setting.target);
    SELECT * INTO down FROM pg_temp.taken_down(functions, (SELECT array_agg(view ORDER BY level DESC, view) FROM move_view), policies, rules);
    work := '';
    FOR o IN SELECT pubname, prrelid, p.oid FROM pg_publication_rel p JOIN pg_publication b ON b.oid = prpubid WHERE p.oid = ANY (publications) LOOP
        work := work || pg_temp.about('pg_publication_rel', o.oid, 0, format(E'ALTER PUBLICATION %I DROP TABLE ONLY %s;\n', o.pubname, o.prrelid::regclass));
    END LOOP;
    FOR o IN SELECT oid, tgname, tgrelid FROM pg_trigger WHERE oid = ANY (triggers) ORDER BY 2, 1 LOOP
        work := work || pg_temp.about('pg_trigger', o.oid, 0, format(E'DROP TRIGGER %I ON %s;\n', o.tgname, o.tgrelid::regclass));
    END LOOP;
    work := work || down.rest;
    FOR o IN SELECT conrelid, conname, oid FROM pg_constraint WHERE oid = ANY (foreign_keys || checks) ORDER BY contype DESC, 1, 2 LOOP
        work := work || pg_temp.about('pg_constraint', o.oid, 0, format(E'ALTER TABLE %s DROP CONSTRAINT %I;\n', o.conrelid::regclass, o.conname));
    END LOOP;
    FOR o IN SELECT * FROM move_index WHERE way IN ('bridged', 'late') ORDER BY qualified LOOP
        work := work || pg_temp.about('pg_class', o.rel, 0, CASE WHEN o.con IS NULL THEN format(E'DROP INDEX IF EXISTS %s;\n', o.qualified)
            ELSE format(E'ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I;\nDROP INDEX IF EXISTS %s;\n', o.rel::regclass, o.name, o.qualified) END);
    END LOOP;
    FOR o IN SELECT oid, adrelid, adnum FROM pg_attrdef WHERE oid = ANY (generated) ORDER BY 2, 3 LOOP
        work := work || pg_temp.about('pg_attrdef', o.oid, 0, format(CASE pg_temp.generated_way(o.oid) WHEN 'again' THEN E'ALTER TABLE %s DROP COLUMN %s;\n'
            ELSE E'ALTER TABLE %s ALTER COLUMN %s SET EXPRESSION AS (NULL);\n' END, o.adrelid::regclass, pg_temp.column_name(o.adrelid, o.adnum)));
    END LOOP;
    FOR o IN
        SELECT rel, string_agg(pg_temp.about('pg_class', rel, att, concat(CASE WHEN expression IS NOT NULL THEN format(E'    ALTER COLUMN %s DROP DEFAULT,\n', name) END,
            format('    ALTER COLUMN %s TYPE %s', name, type),
            CASE WHEN expression IS NOT NULL THEN format(E',\n    ALTER COLUMN %s SET DEFAULT %s', name, pg_temp.default_of(rel, att, type::regtype, true)) END)), E',\n' ORDER BY att) AS changes
        FROM (SELECT moved.*, atttypid, pg_temp.column_name(rel, att) AS name, pg_get_expr(adbin, adrelid) AS expression
            FROM moved JOIN pg_attribute ON attrelid = rel AND attnum = att LEFT JOIN pg_attrdef ON adrelid = rel AND adnum = att WHERE root) c
        GROUP BY rel ORDER BY rel::regclass::text
    LOOP
        work := concat(work, pg_temp.about('pg_class', o.rel, 0, format(E'ALTER TABLE %s\n', o.rel::regclass)), o.changes, E';\n');
    END LOOP;
    -- a child that has a default of its own, or none
    FOR o IN WITH RECURSIVE below (root, child, att) AS (
            SELECT rel, rel, att FROM moved WHERE root
            UNION SELECT below.root, inhrelid, att FROM below JOIN pg_inherits ON inhparent = child)
        SELECT DISTINCT m.rel, m.att, pg_temp.default_of(m.rel, m.att, type::regtype, true) AS expression
        FROM below b JOIN moved m ON m.rel = b.child AND NOT m.root AND pg_temp.column_name(m.rel, m.att) = pg_temp.column_name(b.root, b.att)
        WHERE pg_temp.default_of(m.rel, m.att, type::regtype, false) IS DISTINCT FROM pg_temp.default_of(b.root, b.att, type::regtype, false) ORDER BY 1, 2
    LOOP
        work := work || pg_temp.about('pg_class', o.rel, o.att, format(E'ALTER TABLE ONLY %s ALTER COLUMN %s %s;\n', o.rel::regclass, pg_temp.column_name(o.rel, o.att),
            COALESCE('SET DEFAULT ' || o.expression, 'DROP DEFAULT')));
    END LOOP;
    FOR o IN SELECT d.oid, adrelid::regclass AS rel, pg_temp.column_name(adrelid, adnum) AS name, pg_get_expr(adbin, adrelid) AS expression, a.* FROM pg_attrdef d
        JOIN pg_attribute a ON attrelid = adrelid AND attnum = adnum WHERE d.oid = ANY (generated) ORDER BY adrelid, adnum
    LOOP
        work := work || pg_temp.about('pg_attrdef', o.oid, 0, CASE pg_temp.generated_way(o.oid)
            WHEN 'again' THEN concat(format('ALTER TABLE %s ADD COLUMN %s %s', o.rel, o.name, pg_temp.type_name(o.atttypid, o.atttypmod, o.attcollation)),
                format(' GENERATED ALWAYS AS (%s) STORED', o.expression),
                CASE WHEN o.attnotnull THEN COALESCE((SELECT format(' CONSTRAINT %I NOT NULL', conname) FROM pg_constraint WHERE conrelid = o.attrelid AND contype = 'n' AND conkey = ARRAY[o.attnum]), ' NOT NULL') END, E';\n',
                (SELECT pg_temp.comment('pg_constraint', c.oid, 0, format('CONSTRAINT %I ON %s', conname, o.rel)) FROM pg_constraint c WHERE conrelid = o.attrelid AND contype = 'n' AND conkey = ARRAY[o.attnum]),
                (WITH RECURSIVE below (rel) AS (SELECT o.attrelid UNION SELECT inhrelid FROM below JOIN pg_inherits ON inhparent = below.rel)
                    SELECT string_agg(format(E'ALTER TABLE ONLY %s %s;\n', below.rel::regclass, x.change), '' ORDER BY below.rel)
                    FROM below JOIN pg_attribute a ON a.attrelid = below.rel AND a.attname = o.attname JOIN pg_type t ON t.oid = a.atttypid, LATERAL (
                        SELECT string_agg(format('ALTER COLUMN %s SET %s', o.name, y.setting), ', ') FROM (VALUES
                            ('STATISTICS ' || CASE WHEN a.attstattarget >= 0 THEN a.attstattarget ELSE -1 END), ('(' || array_to_string(a.attoptions, ', ') || ')'),
                            ('STORAGE ' || CASE a.attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END),
                            ('COMPRESSION ' || CASE a.attcompression WHEN 'p' THEN 'pglz' WHEN 'l' THEN 'lz4' END)) y (setting) WHERE y.setting IS NOT NULL) x (change)),
                pg_temp.comment('pg_class', o.attrelid, o.attnum, format('COLUMN %s.%s', o.rel, o.name)),
                (SELECT pg_temp.grants(o.attacl, relowner, o.rel::text, format(' (%s)', o.name)) FROM pg_class c WHERE c.oid = o.attrelid AND o.attacl IS NOT NULL))
            ELSE format(E'ALTER TABLE %s ALTER COLUMN %s SET EXPRESSION AS (%s);\n', o.rel, o.name, o.expression) END);
    END LOOP;
    -- the server makes the indexes of partitions anew with names of its own
    work := concat(work, pg_temp.anyway(pg_temp.partition_index_names()));
    SELECT concat(work, string_agg(pg_temp.about('pg_class', index, 0, concat(
            -- its partitions' got the comment of an index too
            CASE WHEN EXISTS (SELECT FROM pg_inherits WHERE inhrelid = index) THEN format(E'COMMENT ON INDEX %s IS NULL;\n', qualified) || COALESCE(pg_temp.partition_index_options(index), '') END, pg_temp.index_properties(index), pg_temp.comment('pg_constraint', con, 0, format('CONSTRAINT %I ON %s', name, rel::regclass)),
            CASE WHEN indisreplident THEN format(E'ALTER TABLE %s REPLICA IDENTITY USING INDEX %I;\n', rel::regclass, name) END)), '' ORDER BY qualified)) INTO work
        FROM move_index JOIN pg_index ON indexrelid = index WHERE way = 'locked';
    -- the server makes statistics anew with the type, but leaves out their target
    FOR o IN SELECT x.oid, format('%I.%I', nspname, stxname) AS name, stxstattarget FROM pg_statistic_ext x JOIN pg_namespace n ON n.oid = stxnamespace
        WHERE stxstattarget >= 0 AND x.oid IN (SELECT pg_temp.dependents('pg_statistic_ext'))
    LOOP
        work := work || pg_temp.about('pg_statistic_ext', o.oid, 0, format(E'ALTER STATISTICS %s SET STATISTICS %s;\n', o.name, o.stxstattarget));
    END LOOP;
    FOR o IN SELECT move_index.rel, bridge FROM move_index JOIN pg_index ON indexrelid = index JOIN pg_class t ON t.oid = rel
        WHERE way = 'bridged' AND (relreplident = 'd' AND indisprimary OR relreplident = 'i' AND indisreplident)
    LOOP
        work := work || pg_temp.about_bridge(o.rel, o.bridge, format(E'ALTER TABLE %s REPLICA IDENTITY USING INDEX %I;\n', o.rel::regclass, o.bridge));
    END LOOP;
    FOR o IN SELECT rel, name, bridge, qualified_bridge, substring(pg_temp.build_bridge(index, '', qualified_bridge, pg_temp.bridge_definition(index, bridge)) FROM '\(ulid_move.sql, .*?\)') AS mark
        FROM move_index WHERE way = 'bridged' ORDER BY qualified
    LOOP
        work := work || pg_temp.about_bridge(o.rel, o.bridge, format(E'COMMENT ON INDEX %s IS %L;\n', o.qualified_bridge, format('In the place of %s until that is built again. %s', o.name, o.mark)));
    END LOOP;
    FOR o IN SELECT pg_temp.constraint_definition(c.oid) AS definition FROM pg_constraint c WHERE c.oid = ANY (foreign_keys || checks) ORDER BY contype, conrelid::regclass::text, conname LOOP
        work := work || o.definition;
    END LOOP;
    -- which the children get from it, but for their comments
    SELECT concat(work, string_agg(pg_temp.about('pg_constraint', c.oid, 0, pg_temp.comment('pg_constraint', c.oid, 0, format('CONSTRAINT %I ON %s', conname, conrelid::regclass))), '' ORDER BY conrelid, conname)) INTO work
        FROM pg_constraint c WHERE contype = 'c' AND coninhcount > 0 AND c.oid IN (SELECT pg_temp.dependents('pg_constraint'));
    FOR o IN SELECT view FROM move_view ORDER BY level, view LOOP
        work := work || pg_temp.view_definition(o.view);
    END LOOP;
    FOR o IN SELECT oid, pg_get_functiondef(p.oid) AS definition FROM pg_proc p WHERE p.oid = ANY (functions) LOOP
        work := work || pg_temp.about('pg_proc', o.oid, 0, concat(rtrim(o.definition, E'\n'), E';\n', pg_temp.goes_with('pg_proc', o.oid, 'ROUTINE ' || o.oid::regprocedure)));
    END LOOP;
    SELECT concat(work, string_agg(pg_temp.refresh(view), '' ORDER BY level, view)) INTO work FROM move_view;
    SELECT concat(work, string_agg(pg_temp.rule_definition(oid), '' ORDER BY ev_class, rulename)) INTO work FROM pg_rewrite WHERE oid = ANY (rules);
    FOR o IN SELECT pg_temp.trigger_definition(g) AS definition FROM unnest(triggers) g
        UNION ALL SELECT pg_temp.policy_definition(p) FROM unnest(policies) p
    LOOP
        work := work || o.definition;
    END LOOP;
    -- a trigger of a partition can be on where that of its table is off
    FOR o IN SELECT pg_temp.about('pg_trigger', g.oid, 0, format(E'ALTER TABLE %s %s TRIGGER %I;\n', g.tgrelid::regclass,
            CASE g.tgenabled WHEN 'O' THEN 'ENABLE' WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE REPLICA' END, g.tgname)) AS definition
        FROM pg_trigger g JOIN pg_trigger above ON above.oid = g.tgparentid
        WHERE NOT g.tgisinternal AND g.tgenabled <> above.tgenabled AND g.oid IN (SELECT pg_temp.dependents('pg_trigger'))
        ORDER BY (SELECT count(*) FROM pg_partition_ancestors(g.tgrelid)), g.tgrelid, g.tgname
    LOOP
        work := work || o.definition;
    END LOOP;
    FOR o IN SELECT p.oid, pubname, prrelid, pg_get_expr(prqual, prrelid) AS filter,
            (SELECT string_agg(pg_temp.column_name(prrelid, c), ', ' ORDER BY n) FROM unnest(prattrs) WITH ORDINALITY u (c, n)) AS columns
        FROM pg_publication_rel p JOIN pg_publication b ON b.oid = prpubid WHERE p.oid = ANY (publications)
    LOOP
        work := work || pg_temp.about('pg_publication_rel', o.oid, 0, concat(format('ALTER PUBLICATION %I ADD TABLE ONLY %s', o.pubname, o.prrelid::regclass), ' (' || o.columns || ')',
            ' WHERE (' || o.filter || ')', E';\n'));
    END LOOP;
    SELECT array_agg(t ORDER BY t::text) INTO tables FROM (
        SELECT DISTINCT x.rel::regclass AS t FROM (SELECT rel FROM moved
            UNION SELECT conrelid FROM pg_constraint WHERE oid = ANY (foreign_keys) UNION SELECT confrelid FROM pg_constraint WHERE oid = ANY (foreign_keys)
            UNION SELECT polrelid FROM pg_policy WHERE oid = ANY (policies) UNION SELECT tgrelid FROM pg_trigger WHERE oid = ANY (triggers)
            UNION SELECT ev_class FROM pg_rewrite WHERE oid = ANY (rules)) x) y;
    RETURN NEXT pg_temp.transaction(done, tables, ARRAY(SELECT view::regclass FROM move_view JOIN pg_class ON oid = view WHERE relkind = 'v' ORDER BY level DESC, view), down.first, work);

    -- 3
    RETURN NEXT E'-- 3. Statistics, which went with the type, and the indexes of the new type, built while the application writes.';
    FOR o IN SELECT rel, array_agg(attname ORDER BY att) AS columns FROM (SELECT rel, att FROM moved WHERE root
            UNION SELECT refobjid, refobjsubid FROM pg_depend WHERE classid = 'pg_statistic_ext'::regclass AND refclassid = 'pg_class'::regclass AND refobjsubid > 0
                AND refobjid IN (SELECT rel FROM moved WHERE root)) c
        JOIN pg_attribute ON attrelid = rel AND attnum = att GROUP BY rel ORDER BY rel::regclass::text
    LOOP
        RETURN NEXT pg_temp.line(format('\echo Analyzing %s', o.rel::regclass)) || format(E'\nSELECT format(''ANALYZE %%s (%%s)'', %1$L, string_agg(quote_ident(attname), '', ''))\n'
            'FROM pg_attribute WHERE attrelid = to_regclass(%1$L) AND attname = ANY (%2$L) HAVING count(*) > 0 \\gexec', o.rel::regclass, o.columns);
    END LOOP;
    FOR o IN SELECT * FROM move_index WHERE way IN ('bridged', 'late') ORDER BY pg_relation_size(index), qualified LOOP
        RETURN NEXT pg_temp.line(format('\echo Building %s', o.qualified));
        RETURN NEXT pg_temp.build_index(o.qualified, CASE o.way WHEN 'bridged' THEN o.qualified_bridge END, (SELECT min(qualified_bridge) FROM move_index WHERE way = 'bridged'),
            pg_temp.index_needs(o.index), pg_temp.index_definition(o.index, true), pg_temp.index_properties(o.index));
    END LOOP;

    -- 4
    RETURN NEXT E'\n-- 4. The keys, and the foreign keys to them, on their own indexes. A transaction for each table.';
    FOR o IN SELECT DISTINCT move_index.rel FROM move_index WHERE way = 'bridged' AND is_unique LOOP
        SELECT string_agg(pg_temp.about('pg_constraint', oid, 0, format(E'ALTER TABLE %s DROP CONSTRAINT %I;\n', conrelid::regclass, conname)), '' ORDER BY conrelid, conname) INTO work
            FROM pg_constraint WHERE oid = ANY (foreign_keys) AND confrelid = o.rel;
        SELECT concat(work, string_agg(pg_temp.about('pg_class', index, 0, concat(
                format(E'ALTER TABLE %s ADD CONSTRAINT %I %s USING INDEX %2$I;\n', o.rel::regclass, name, CASE contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END),
                pg_temp.comment('pg_constraint', con, 0, format('CONSTRAINT %I ON %s', name, o.rel::regclass)))), '' ORDER BY contype, name)) INTO work
            FROM move_index JOIN pg_constraint c ON c.oid = con WHERE way = 'bridged' AND rel = o.rel;
        SELECT concat(work, string_agg(pg_temp.about('pg_class', index, 0, CASE relreplident WHEN 'd' THEN format(E'ALTER TABLE %s REPLICA IDENTITY DEFAULT;\n', o.rel::regclass)
                ELSE format(E'ALTER TABLE %s REPLICA IDENTITY USING INDEX %I;\n', o.rel::regclass, name) END), '')) INTO work
            FROM move_index JOIN pg_index ON indexrelid = index JOIN pg_class t ON t.oid = rel
            WHERE way = 'bridged' AND rel = o.rel AND (relreplident = 'd' AND indisprimary OR relreplident = 'i' AND indisreplident);
        SELECT concat(work, pg_temp.anyway(string_agg(format(E'DROP INDEX IF EXISTS %s;\n', qualified_bridge), '' ORDER BY qualified_bridge))) INTO work
            FROM move_index WHERE way = 'bridged' AND is_unique AND rel = o.rel;
        SELECT concat(work, string_agg(pg_temp.constraint_definition(c.oid), '' ORDER BY conrelid, conname)) INTO work
            FROM pg_constraint c WHERE c.oid = ANY (foreign_keys) AND confrelid = o.rel;
        SELECT array_agg(DISTINCT t::regclass) INTO tables
            FROM (SELECT o.rel UNION SELECT conrelid FROM pg_constraint WHERE oid = ANY (foreign_keys) AND confrelid = o.rel) x (t);
        -- nothing needs the bridges any more, or, where the switch was never made, not yet
        SELECT format('NOT EXISTS (SELECT FROM pg_constraint WHERE conindid IN (%1$s)) AND NOT EXISTS (SELECT FROM pg_index WHERE indisreplident AND indexrelid IN (%1$s))'
                ' AND NOT EXISTS (SELECT FROM unnest(%2$L::text[]) k WHERE to_regclass(k) IS NOT NULL AND NOT EXISTS (SELECT FROM pg_constraint WHERE contype IN (''p'', ''u'') AND conindid = to_regclass(k)))',
                string_agg(format('to_regclass(%L)', qualified_bridge), ', '), COALESCE(array_agg(qualified) FILTER (WHERE con IS NOT NULL), '{}')) INTO done
            FROM move_index WHERE way = 'bridged' AND is_unique AND rel = o.rel;
        RETURN NEXT pg_temp.line(format('\echo Attaching the keys of %s', o.rel::regclass));
        RETURN NEXT pg_temp.transaction(done, tables, NULL, '', work);
    END LOOP;
    FOR o IN SELECT * FROM move_index WHERE way = 'bridged' ORDER BY qualified LOOP
        RETURN NEXT format('DROP INDEX CONCURRENTLY IF EXISTS %s;', o.qualified_bridge);
    END LOOP;

    -- 5
    RETURN NEXT E'\n-- 5. The constraints, for the rows from before, while the application writes.';
    FOR o IN SELECT conrelid::regclass AS rel, conname FROM pg_constraint WHERE oid = ANY (foreign_keys || checks) AND convalidated ORDER BY 1, 2 LOOP
        RETURN NEXT pg_temp.line(format('\echo Validating %I of %s', o.conname, o.rel)) || format(E'\nSELECT count(*) > 0 AS todo FROM pg_constraint WHERE conrelid = to_regclass(%2$L) AND conname = %3$L AND NOT convalidated \\gset\n'
            '\\if :todo\nALTER TABLE %2$s VALIDATE CONSTRAINT %1$I;\n\\endif', o.conname, o.rel, o.conname);
    END LOOP;
END $f$;

SELECT pg_temp.collect() \gset
\if :{?script}
\o :script
\endif
SELECT pg_temp.copy_script();
SELECT count(*) > 0 AS more FROM all_moved \gset
\if :more
SELECT pg_temp.head();
SELECT pg_temp.script(bundle) FROM (SELECT DISTINCT bundle FROM all_moved ORDER BY bundle) p;
\endif
\qecho '\\echo Done'
ROLLBACK;
