-- The definitions of objects that are dropped and made again, with all that their definitions leave out.

-- The comment on an object, to be made again with it.
CREATE FUNCTION pg_temp.comment(class regclass, object oid, column_number integer, identity text) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT format(E'COMMENT ON %s IS %L;\n', identity, description) FROM pg_catalog.pg_description
    WHERE classoid = class AND objoid = object AND objsubid = column_number
$$;

-- That an object goes when an extension goes, which is not part of its definition either.
CREATE FUNCTION pg_temp.goes_with(class regclass, object oid, identity text) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT string_agg(format(E'ALTER %s DEPENDS ON EXTENSION %I;\n', identity, extname), '' ORDER BY extname)
    FROM pg_depend JOIN pg_extension e ON e.oid = refobjid
        WHERE classid = class AND objid = object AND refclassid = 'pg_extension'::regclass AND deptype = 'x'
$$;

-- GRANTs of a list of privileges, each by who granted it.
CREATE FUNCTION pg_temp.grants(acl aclitem[], owner oid, identity text, column_list text) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT string_agg(
        CASE WHEN grantor <> owner THEN format('SET LOCAL ROLE %I; ', pg_get_userbyid(grantor)) ELSE '' END
        || format('GRANT %s%s ON %s TO %s%s;', privilege_type, column_list, identity,
            CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END,
            CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
        || CASE WHEN grantor <> owner THEN ' RESET ROLE;' ELSE '' END || E'\n', '' ORDER BY ordinality)
    FROM aclexplode(acl) WITH ORDINALITY
$$;

-- An index as CREATE INDEX makes it. pg_get_indexdef leaves out the tablespace. A class of BRIN or GiST
-- that it names is one of uuid or of ulid, as the columns then are: those of ulid are in the
-- extension's schema.
CREATE FUNCTION pg_temp.index_definition(index oid, online boolean) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT regexp_replace(CASE WHEN s.spcname IS NULL THEN d ELSE
                regexp_replace(d, '( WHERE .*)?$', format(' TABLESPACE %I\1', s.spcname)) END,
            '^CREATE( UNIQUE)? INDEX ', CASE WHEN online THEN 'CREATE\1 INDEX CONCURRENTLY '
                ELSE 'CREATE\1 INDEX ' END)
        || E';\n'
    FROM ulid_move_setting JOIN pg_class c ON c.oid = index
        LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace,
        LATERAL pg_temp.as_target(pg_get_indexdef(index), 'pg_class', index) p (plain),
        LATERAL (SELECT CASE WHEN pg_temp.has_class_of_id(index) THEN regexp_replace(plain,
                '((\w+|"([^"]|"")+")\.)?\m(gist_)?u[ul]id_((bloom_|minmax_|minmax_multi_)?ops)\M',
                CASE target WHEN 'ulid' THEN replace(schema, '\', '\\') || '.\4ulid_\5'
                    ELSE '\4uuid_\5' END, 'g')
            ELSE plain END) x (d)
$$;

-- Whether all the classes of uuid or ulid that it has, of BRIN or GiST, are those of columns that move.
CREATE FUNCTION pg_temp.has_class_of_id(index oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT count(*) > 0 AND count(*) = count(rel)
    FROM pg_index JOIN generate_series(0, indnkeyatts - 1) k ON true
        JOIN pg_opclass o ON o.oid = indclass[k] AND opcname ~ '^(gist_)?u[ul]id_'
        JOIN pg_am m ON m.oid = opcmethod AND amname IN ('brin', 'gist')
        LEFT JOIN moved ON rel = indrelid AND att = indkey[k]
    WHERE indexrelid = index
$$;

-- An exclusion constraint as it is to be made again: its operators are those of the class that a column then
-- has, which are the extension's for a ulid. `columns` are the names of those that move.
CREATE FUNCTION pg_temp.with_operators(definition text, columns text[]) RETURNS text
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    setting record; name text;
BEGIN
    SELECT * INTO setting FROM ulid_move_setting;
    FOREACH name IN ARRAY columns LOOP
        definition := regexp_replace(definition, '((?:\(|, )' || regexp_replace(name, '(\W)', '\\\1', 'g')
                || '(?: [^,()]+)?) WITH (?:OPERATOR\([^)]*\.([<>=]+)\)|([<>=]+))', '\1 WITH '
                || CASE setting.target
                    WHEN 'ulid' THEN format('OPERATOR(%s.\2\3)', replace(setting.schema, '\', '\\'))
                    ELSE '\2\3' END, 'g');
    END LOOP;
    RETURN definition;
END $$;

-- What CREATE INDEX does not say of an index, on the index as it is made anew.
CREATE FUNCTION pg_temp.index_properties(index oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat(pg_temp.comment('pg_class', index, 0, 'INDEX ' || index::regclass),
        pg_temp.goes_with('pg_class', index, 'INDEX ' || index::regclass),
        (SELECT string_agg(format(E'ALTER INDEX %s ALTER COLUMN %s SET STATISTICS %s;\n', index::regclass,
            attnum, attstattarget), '')
            FROM pg_attribute WHERE attrelid = index AND attstattarget >= 0),
        (SELECT format(E'ALTER TABLE %s CLUSTER ON %I;\n', indrelid::regclass, relname)
            FROM pg_index i JOIN pg_class ON oid = indexrelid WHERE indexrelid = index AND indisclustered))
$$;

-- What the index of a partition has otherwise than that of its table, from which the server makes it anew.
CREATE FUNCTION pg_temp.partition_index_options(index oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat(CASE WHEN c.reloptions IS DISTINCT FROM p.reloptions THEN concat(
            (SELECT format(E'ALTER INDEX %s RESET (%s);\n', c.oid::regclass,
                string_agg(split_part(o, '=', 1), ', ')) FROM unnest(p.reloptions) o HAVING count(*) > 0),
            (SELECT format(E'ALTER INDEX %s SET (%s);\n', c.oid::regclass, string_agg(o, ', '))
                FROM unnest(c.reloptions) o HAVING count(*) > 0)) END,
        CASE WHEN c.reltablespace <> p.reltablespace
            AND c.relkind = 'i' THEN format(E'ALTER INDEX %s SET TABLESPACE %I;\n', c.oid::regclass,
            COALESCE((SELECT spcname FROM pg_tablespace s WHERE s.oid = c.reltablespace), (SELECT spcname
                FROM pg_database d JOIN pg_tablespace s ON s.oid = dattablespace
                WHERE datname = current_database()))) END)
    FROM pg_class c JOIN pg_inherits ON inhrelid = c.oid JOIN pg_class p ON p.oid = inhparent
        WHERE c.oid = index
$$;

-- The indexes of partitions, which the server has made anew with names of its own, get theirs again. First
-- each that has another gets one that none has.
CREATE FUNCTION pg_temp.partition_index_names() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(replace($names$DO $ulid_move_names$ DECLARE o record; BEGIN
    FOR pass IN 1 .. 2 LOOP
        FOR o IN SELECT relid, wanted
            FROM (VALUES %s) v (root, rel, wanted), LATERAL pg_partition_tree(to_regclass(root))
            JOIN pg_index ON indexrelid = relid JOIN pg_class c ON c.oid = relid
            WHERE indrelid = to_regclass(rel) AND relname <> wanted
        LOOP
            EXECUTE format('ALTER INDEX %%s RENAME TO %%I', o.relid, CASE pass WHEN 1 THEN 'ulid_move_'
                || o.relid::oid ELSE o.wanted END);
        END LOOP;
    END LOOP;
END $ulid_move_names$;
$names$, '$ulid_move_names', '$' || pg_temp.tag(list)), list)
    FROM (SELECT string_agg(format('(%L, %L, %L)', pg_temp.qualified(root.oid, root.relname), rel::regclass,
        name), ', ' ORDER BY index) AS list
        FROM move_index JOIN pg_inherits ON inhrelid = index
            JOIN pg_class root ON root.oid = pg_partition_root(index) WHERE way = 'locked') x
            WHERE list IS NOT NULL
$$;

-- A view or a materialized view with all that is on it.
CREATE FUNCTION pg_temp.view_definition(view oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat(concat(
        format('CREATE %s %s', kind, name),
        CASE WHEN c.relkind = 'm' THEN (SELECT format(' USING %I', amname) FROM pg_am m
            WHERE m.oid = c.relam) END,
        pg_temp.copy_options(COALESCE(c.reloptions, '{}') || ARRAY(SELECT 'toast.' || o
            FROM pg_class t, unnest(t.reloptions) o WHERE t.oid = c.reltoastrelid)),
        ' TABLESPACE ' || quote_ident(s.spcname),
        E' AS\n', rtrim(pg_temp.as_target(pg_get_viewdef(view), 'pg_class', view), ';'),
        CASE WHEN c.relkind = 'm' THEN E'\nWITH NO DATA' END, E';\n',
        format(E'ALTER %s %s OWNER TO %I;\n', kind, name, pg_get_userbyid(c.relowner)),
        -- default privileges may have given the new one some
        format(replace(E'DO $ulid_move_grants$ DECLARE r text; BEGIN\n    FOR r IN SELECT DISTINCT CASE '
            'grantee WHEN 0 THEN ''PUBLIC'' ELSE quote_ident(pg_get_userbyid(grantee)) END\n        FROM '
            'pg_class, aclexplode(COALESCE(relacl, acldefault(''r'', relowner))) WHERE oid = %L::regclass\n   '
            ' LOOP EXECUTE %L || r; END LOOP; END $ulid_move_grants$;\n', '$ulid_move_grants', '$'
            || pg_temp.tag(name)), name, format('REVOKE ALL ON %s FROM ', name)),
        pg_temp.grants(COALESCE(c.relacl, acldefault('r', c.relowner)), c.relowner, name, ''),
        (SELECT string_agg(pg_temp.grants(attacl, c.relowner, name, format(' (%I)', attname)), ''
            ORDER BY attnum)
            FROM pg_attribute WHERE attrelid = view AND attacl IS NOT NULL),
        pg_temp.comment('pg_class', view, 0, kind || ' ' || name),
        pg_temp.goes_with('pg_class', view, kind || ' ' || name),
        (SELECT string_agg(pg_temp.comment('pg_class', view, attnum, format('COLUMN %s.%I', name, attname)), ''
            ORDER BY attnum)
            FROM pg_attribute WHERE attrelid = view AND attnum > 0),
        (SELECT string_agg(format(E'ALTER VIEW %s ALTER COLUMN %s SET DEFAULT %s;\n', name,
            pg_temp.column_name(view, adnum),
            pg_get_expr(adbin, adrelid)), '' ORDER BY adnum) FROM pg_attrdef WHERE adrelid = view),
        (SELECT string_agg(format(E'ALTER MATERIALIZED VIEW %s ALTER COLUMN %I SET %s;\n', name, attname, setting),
            '' ORDER BY attnum)
            FROM pg_attribute, pg_temp.column_settings(view, attnum) setting
            WHERE attrelid = view AND attnum > 0 AND c.relkind = 'm')),
        (SELECT string_agg(pg_temp.index_definition(indexrelid, false)
            || pg_temp.index_properties(indexrelid), '' ORDER BY indexrelid)
            FROM pg_index WHERE indrelid = view),
        (SELECT string_agg(pg_temp.as_target(pg_get_statisticsobjdef(x.oid), 'pg_statistic_ext', x.oid) || E';\n'
                || format(E'ALTER STATISTICS %I.%I OWNER TO %I;\n', nspname, stxname, pg_get_userbyid(stxowner))
                || concat(CASE WHEN stxstattarget >= 0
                    THEN format(E'ALTER STATISTICS %I.%I SET STATISTICS %s;\n', nspname, stxname,
                    stxstattarget) END,
                    pg_temp.comment('pg_statistic_ext', x.oid, 0,
                        format('STATISTICS %I.%I', nspname, stxname))), '')
            FROM pg_statistic_ext x JOIN pg_namespace n ON n.oid = stxnamespace WHERE stxrelid = view),
        (SELECT string_agg(pg_temp.rule_definition(r.oid), '') FROM pg_rewrite r
            WHERE ev_class = view AND rulename <> '_RETURN'),
        (SELECT string_agg(pg_temp.trigger_definition(g.oid), '') FROM pg_trigger g
            WHERE tgrelid = view AND NOT tgisinternal))
    FROM pg_class c LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace,
        LATERAL (SELECT CASE c.relkind WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'VIEW' END,
            pg_temp.qualified(c.oid, c.relname)) v (kind, name)
    WHERE c.oid = view
$$;

-- Fills it, as its owner, when the functions that it calls have their bodies again.
CREATE FUNCTION pg_temp.refresh(view oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'REFRESH MATERIALIZED VIEW %s;\n', view::regclass)
        FROM pg_class WHERE oid = view AND relkind = 'm' AND relispopulated
$$;

CREATE FUNCTION pg_temp.trigger_definition(trigger oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat(pg_temp.as_target(pg_get_triggerdef(trigger), 'pg_trigger', trigger), E';\n',
        CASE WHEN tgenabled <> 'O' THEN format(E'ALTER TABLE %s %s TRIGGER %I;\n', tgrelid::regclass,
            CASE tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS'
                ELSE 'ENABLE REPLICA' END, tgname) END,
        pg_temp.comment('pg_trigger', trigger, 0, format('TRIGGER %I ON %s', tgname, tgrelid::regclass)),
        pg_temp.comment('pg_constraint', tgconstraint, 0, format('CONSTRAINT %I ON %s', tgname, tgrelid::regclass)),
        pg_temp.goes_with('pg_trigger', trigger, format('TRIGGER %I ON %s', tgname, tgrelid::regclass)))
    FROM pg_trigger WHERE oid = trigger
$$;

-- What triggers of partitions have otherwise than those of their tables, from which they are made: they can be on where
-- that is off, and have comments of their own.
CREATE FUNCTION pg_temp.partition_triggers(triggers oid[]) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT string_agg(concat(CASE WHEN g.tgenabled <> above.tgenabled THEN format(E'ALTER TABLE %s %s TRIGGER %I;\n',
            g.tgrelid::regclass, CASE g.tgenabled WHEN 'O' THEN 'ENABLE' WHEN 'D' THEN 'DISABLE'
                WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE REPLICA' END, g.tgname) END,
        pg_temp.comment('pg_trigger', g.oid, 0, format('TRIGGER %I ON %s', g.tgname, g.tgrelid::regclass))), ''
        ORDER BY (SELECT count(*) FROM pg_partition_ancestors(g.tgrelid)), g.tgrelid, g.tgname)
    FROM pg_trigger g JOIN pg_trigger above ON above.oid = g.tgparentid
    WHERE NOT g.tgisinternal AND g.oid = ANY (triggers)
$$;

-- A policy with these expressions.
CREATE FUNCTION pg_temp.policy_with(policy oid, filter text, with_check text) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT concat(format('CREATE POLICY %I ON %s AS %s FOR %s TO %s', polname, polrelid::regclass,
            CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
            CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE'
                WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
            (SELECT string_agg(CASE r WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(r)) END, ', ')
                FROM unnest(polroles) r)),
        ' USING (' || filter || ')',
        ' WITH CHECK (' || with_check || ')', E';\n',
        pg_temp.comment('pg_policy', policy, 0, format('POLICY %I ON %s', polname, polrelid::regclass)))
    FROM pg_policy WHERE oid = policy
$$;

CREATE FUNCTION pg_temp.policy_definition(policy oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT pg_temp.policy_with(policy, pg_temp.as_target(pg_get_expr(polqual, polrelid), 'pg_policy', policy),
        pg_temp.as_target(pg_get_expr(polwithcheck, polrelid), 'pg_policy', policy))
        FROM pg_policy WHERE oid = policy
$$;

CREATE FUNCTION pg_temp.rule_definition(rule oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat(pg_temp.as_target(pg_get_ruledef(rule), 'pg_rewrite', rule), E'\n', CASE
        WHEN ev_enabled <> 'O' THEN format(E'ALTER TABLE %s %s RULE %I;\n', ev_class::regclass,
            CASE ev_enabled WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS'
                ELSE 'ENABLE REPLICA' END, rulename) END,
        pg_temp.comment('pg_rewrite', rule, 0, format('RULE %I ON %s', rulename, ev_class::regclass)))
    FROM pg_rewrite WHERE oid = rule
$$;

-- A constraint of a table, not looked at for the rows that are there.
CREATE FUNCTION pg_temp.constraint_definition(con oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat(format(E'ALTER TABLE %s ADD CONSTRAINT %I %s%s;\n', conrelid::regclass, conname,
        pg_temp.as_target(pg_get_constraintdef(con), 'pg_constraint', con),
            CASE WHEN convalidated AND NOT (contype = 'f' AND pg_temp.is_checked_at_once(conrelid))
                THEN ' NOT VALID' ELSE '' END),
        CASE contype WHEN 'f' THEN pg_temp.ulid_move_names_again(con, conrelid, '') END, pg_temp.ulid_move_comments(con))
    FROM pg_constraint WHERE oid = con
$$;

-- What takes down the views, in the order given, and what may use them, so that the tables can change.
CREATE FUNCTION pg_temp.taken_down(functions oid[], views oid[], policies oid[], rules oid[]) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT concat(
        -- a body that needs nothing, until the views and the columns are there again
        (SELECT string_agg((left(definition, strpos(definition, body) - 1)
            || E'AS $ulid_move_body$ $ulid_move_body$;\n'), '')
            FROM (SELECT oid, pg_get_functiondef(oid) AS definition, pg_get_function_sqlbody(oid) AS body
                FROM pg_proc
                WHERE oid = ANY (functions) AND prosqlbody IS NOT NULL) p),
        (SELECT string_agg(format(E'DROP POLICY %I ON %s;\n', polname, polrelid::regclass), ''
            ORDER BY polrelid, polname)
            FROM pg_policy WHERE oid = ANY (policies)),
        (SELECT string_agg(format(E'DROP RULE %I ON %s;\n', rulename, ev_class::regclass), ''
            ORDER BY ev_class, rulename)
            FROM pg_rewrite WHERE oid = ANY (rules)),
        (SELECT string_agg(format(E'DROP %s %s;\n', CASE relkind
            WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'VIEW' END, view::regclass), '' ORDER BY n)
            FROM unnest(views) WITH ORDINALITY v (view, n) JOIN pg_class ON oid = view))
$$;
