-- The plan of the copying way: which tables are copied, what stands in their way and what to know.

-- A type of text to move to, as -v to=... names it.
CREATE FUNCTION pg_temp.copy_to_text(type text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE a record;
BEGIN
    BEGIN
        EXECUTE format('CREATE TEMP TABLE ulid_move_to (c %s) ON COMMIT DROP', type);
    EXCEPTION WHEN OTHERS THEN
        RAISE EXCEPTION 'to must be ulid, uuid, text, varchar(26) or char(26), not %', type;
    END;
    SELECT atttypid, atttypmod, pg_temp.type_name(atttypid, atttypmod, attcollation) AS name INTO a
        FROM pg_attribute WHERE attrelid = 'pg_temp.ulid_move_to'::regclass AND attnum = 1;
    IF NOT pg_temp.is_text(a.atttypid) OR a.atttypmod BETWEEN 0 AND 29 THEN
        RAISE EXCEPTION 'to must be ulid, uuid, text, varchar(26) or char(26), not %', type;
    END IF;
    UPDATE ulid_move_setting SET target = 'text', text_type = a.name WHERE true;
END $$;

-- What is on the copied tables or depends on them, or on a view that is made again: the objects of a catalog.
CREATE FUNCTION pg_temp.copy_dependents(class regclass) RETURNS SETOF oid LANGUAGE sql STABLE AS $$
    SELECT DISTINCT objid FROM pg_depend WHERE classid = class AND refclassid = 'pg_class'::regclass
        AND refobjid IN (SELECT rel FROM copied UNION SELECT view FROM copied_view)
$$;

-- Takes the tables that are to be copied out of `moved`, with all that has to be known of them.
CREATE FUNCTION pg_temp.copy_collect() RETURNS void LANGUAGE plpgsql AS $f$
DECLARE
    setting record; ulid oid; o record; found_text text; keys text;
BEGIN
    SELECT * INTO setting FROM ulid_move_setting;
    ulid := setting.ulid;

    WITH RECURSIVE begun (rel) AS (
        SELECT rel FROM moved JOIN pg_attribute ON attrelid = rel AND attnum = att
            WHERE pg_temp.is_text(atttypid) OR setting.target = 'text'
                OR rel IN (SELECT l.rel FROM regexp_matches(setting.copy, '((?:[^",]|"(?:[^"]|"")*")+)', 'g') m,
                    pg_temp.columns_like(trim(m[1]), true) l)
        UNION
        SELECT rel FROM moved JOIN pg_partitioned_table ON partrelid = rel WHERE att = ANY (partattrs)
            OR EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = rel
                AND objsubid = att AND refclassid = 'pg_class'::regclass
                AND refobjid = rel AND refobjsubid = 0 AND deptype = 'i')
    ), trees (rel) AS (
        SELECT rel FROM begun
        UNION
        SELECT x FROM trees JOIN LATERAL (SELECT inhrelid FROM pg_inherits WHERE inhparent = rel
            UNION SELECT inhparent FROM pg_inherits WHERE inhrelid = rel) i (x) ON true
    )
    INSERT INTO copied (rel, root, relkind, level, schema, work_schema, gone_schema, typed_schema, name)
    SELECT rel, COALESCE(pg_partition_root(rel), rel), relkind,
        COALESCE((SELECT level FROM pg_partition_tree(pg_partition_root(rel)) WHERE relid = rel), 0),
        quote_ident(nspname), quote_ident(pg_temp.name_with('ulid_move_', nspname, '')),
        quote_ident(pg_temp.name_with('ulid_moved_', nspname, '')),
        quote_ident(pg_temp.name_with('ulid_move_typed_', nspname, '')), quote_ident(relname)
    FROM trees JOIN pg_class c ON c.oid = rel JOIN pg_namespace n ON n.oid = relnamespace;
    UPDATE copied SET home = schema || '.' || name, work = work_schema || '.' || name,
        gone = gone_schema || '.' || name, typed = typed_schema || '.' || name;
    IF NOT EXISTS (SELECT FROM copied) THEN
        RETURN;
    END IF;

    INSERT INTO copied_column
    SELECT rel, att, name, moves, moves AND type <> target, is_text, type, source, target,
        CASE WHEN NOT moves THEN '%s'
            WHEN target = source THEN '%s'
            WHEN setting.target = 'ulid' AND source NOT IN ('pg_catalog.uuid', setting.schema || '.ulid')
                THEN '%s::pg_catalog.text::' || target
            -- in the trigger of a client, who may search another type of this name first; not by a cast, of which
            -- there may be one that gives the text of a UUID
            WHEN setting.target = 'text' AND target <> 'pg_catalog.uuid'
                THEN 'pg_catalog.textin(' || setting.schema || '.ulid_out(%s))'
                || COALESCE('::' || NULLIF(regexp_replace(target, ' COLLATE .*', ''), 'text'), '')
            ELSE '%s::' || target END,
        NULL
    FROM (
        SELECT c.rel, attnum AS att, quote_ident(attname) AS name, v.rel IS NOT NULL AS moves,
            pg_temp.is_text(atttypid) AS is_text, n.type,
            CASE WHEN v.rel IS NULL THEN n.type WHEN setting.target <> 'ulid' THEN setting.schema || '.ulid'
                ELSE n.type END AS source,
            CASE WHEN v.rel IS NULL THEN n.type WHEN setting.target = 'ulid' THEN setting.schema || '.ulid'
                WHEN setting.target = 'uuid' THEN 'pg_catalog.uuid'
                WHEN pg_temp.is_text(atttypid) OR n.type = 'pg_catalog.uuid' THEN n.type
                    ELSE setting.text_type END AS target
        FROM copied c JOIN pg_attribute a ON attrelid = c.rel AND attnum > 0 AND NOT attisdropped
            LEFT JOIN moved v ON v.rel = c.rel AND v.att = attnum,
            LATERAL (SELECT CASE atttypid WHEN ulid THEN setting.schema || '.ulid'
                WHEN 'uuid'::regtype THEN 'pg_catalog.uuid'
                ELSE pg_temp.type_name(atttypid, atttypmod, attcollation) END) n (type)
    ) x;
    DELETE FROM moved WHERE rel IN (SELECT rel FROM copied);

    -- By which key a row is known. That of the whole tree.
    UPDATE copied SET key_index = k.index, key = k.columns FROM (
        SELECT DISTINCT ON (indrelid) indrelid, indexrelid AS index,
            (SELECT array_agg(pg_temp.column_name(indrelid, indkey[n]) ORDER BY n)
                FROM generate_series(0, indnkeyatts - 1) n) AS columns
        FROM pg_index i JOIN pg_class c ON c.oid = indexrelid JOIN pg_am m ON m.oid = c.relam
        WHERE indisunique AND indimmediate AND indisvalid AND indpred IS NULL AND indexprs IS NULL
            AND amname = 'btree'
            AND NOT EXISTS (SELECT FROM generate_series(0, indnkeyatts - 1) n
                JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[n] WHERE NOT attnotnull)
        ORDER BY indrelid, indisprimary DESC, indisreplident DESC, indnkeyatts, indexrelid
    ) k WHERE k.indrelid = copied.root;
    UPDATE copied_column SET equal = CASE WHEN NOT moves THEN e.equal WHEN target = setting.schema
        || '.ulid' THEN format('OPERATOR(%s.=)', setting.schema)
            ELSE 'OPERATOR(pg_catalog.=)' END
        FROM (SELECT rel, indkey[k] AS att, format('OPERATOR(%I.%s)', nspname, oprname) AS equal
            FROM copied JOIN pg_index ON indexrelid = key_index, generate_series(0, indnkeyatts - 1) k,
                pg_opclass c, pg_amop, pg_operator p, pg_namespace n
            WHERE rel = root AND c.oid = indclass[k] AND amopfamily = opcfamily AND amopstrategy = 3
                AND amoplefttype = opcintype AND amoprighttype = opcintype
                AND p.oid = amopopr AND n.oid = oprnamespace) e
        WHERE e.rel = copied_column.rel AND e.att = copied_column.att;

    INSERT INTO problem (text)
    SELECT format('column %s of table %s is of type %s', x.name, home, type) FROM copied_column x
        JOIN copied USING (rel)
        WHERE moves AND (setting.target = 'uuid' AND is_text
            -- of a domain, or of citext, which would be gone
            OR NOT is_text AND type NOT IN ('pg_catalog.uuid', setting.schema || '.ulid'))
    UNION ALL
    SELECT format('table %s has to be copied, and has no primary key, nor another key of columns that are NOT '
        'NULL, by which a row is known%s', home,
            CASE WHEN EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = root AND partexprs IS NOT NULL)
                THEN ': PostgreSQL allows none where an expression partitions' END)
        FROM copied WHERE rel = root AND key IS NULL
    UNION ALL
    -- in the functions that copy, only what is the server's own is found without its schema
    SELECT format('table %s has to be copied, and its rows are known by %s, of type %s, whose operators are not the '
        'server''s own: give it another unique key, of columns that are NOT NULL, as REPLICA IDENTITY', home, x.name, type)
        FROM copied JOIN copied_column x USING (rel) WHERE rel = root AND equal NOT LIKE 'OPERATOR(pg\_catalog.%'
            AND type NOT IN ('pg_catalog.uuid', setting.schema || '.ulid') AND NOT moves
    UNION ALL
    -- which ON CONFLICT would take for one that says that a row is there
    SELECT format('constraint %I of %s is deferrable, and of the columns by which its rows are known: drop it meanwhile',
        conname, home) FROM copied JOIN pg_constraint ON conrelid = rel AND contype IN ('p', 'u') AND condeferrable
        WHERE ARRAY(SELECT pg_temp.column_name(rel, k) FROM unnest(conkey) k ORDER BY 1)
            = ARRAY(SELECT k FROM unnest(key) k ORDER BY 1)
    UNION ALL
    -- the triggers of a copy have the rights of the owner
    SELECT DISTINCT format('%s, who owns table %s, has no USAGE on schema %s', pg_get_userbyid(relowner), home, n)
        FROM copied JOIN pg_class c ON c.oid = rel, unnest(ARRAY[copied.schema, setting.schema]) n
        WHERE NOT has_schema_privilege(relowner, (parse_ident(n))[1], 'USAGE')
    UNION ALL
    SELECT format('%s, who owns table %s, has no %s on it', pg_get_userbyid(relowner), home, string_agg(needed, ', '))
        FROM copied JOIN pg_class c ON c.oid = rel,
            unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE}'::text[]) u (needed)
        WHERE NOT has_table_privilege(relowner, rel, needed) GROUP BY relowner, home
    UNION ALL
    SELECT pg_temp.not_yours(format('statistics %I.%I', nspname, stxname), stxowner)
        FROM copied JOIN pg_statistic_ext ON stxrelid = rel JOIN pg_namespace n ON n.oid = stxnamespace
    UNION ALL
    SELECT format('foreign key %I of %s would be between a text and an id: let both move, or drop it meanwhile', conname,
        conrelid::regclass)
        FROM pg_constraint f WHERE contype = 'f' AND conparentid = 0 AND EXISTS (SELECT FROM copied
            WHERE rel IN (conrelid, confrelid)) AND EXISTS (
            SELECT FROM generate_subscripts(conkey, 1) k, LATERAL (VALUES (conrelid, conkey[k]), (confrelid, confkey[k]))
                    side (rel, att) JOIN pg_attribute ON attrelid = side.rel AND attnum = side.att
                LEFT JOIN copied_column x ON x.rel = side.rel AND x.att = side.att AND moves
            GROUP BY k HAVING count(DISTINCT COALESCE(target NOT IN ('pg_catalog.uuid', setting.schema || '.ulid'),
                pg_temp.is_text(atttypid))) > 1)
    UNION ALL
    SELECT format('table %s has to be copied, and inherits or is inherited from', home) FROM copied
        WHERE relkind = 'r' AND EXISTS (SELECT FROM pg_inherits WHERE inhparent = rel)
            OR EXISTS (SELECT FROM pg_inherits JOIN pg_class p ON p.oid = inhparent
                WHERE inhrelid = rel AND p.relkind = 'r')
    UNION ALL
    SELECT format('%s is a foreign table', home) FROM copied WHERE relkind NOT IN ('r', 'p')
    UNION ALL
    SELECT format('table %s is temporary', home) FROM copied JOIN pg_class c ON c.oid = rel
        WHERE relpersistence = 't'
    UNION ALL
    SELECT format('table %s is of the type %s, which gives it its columns', home, reloftype::regtype)
        FROM copied JOIN pg_class c ON c.oid = rel WHERE reloftype <> 0
    UNION ALL
    SELECT format('table %s belongs to the extension %s', home, extname)
        FROM copied JOIN pg_depend ON classid = 'pg_class'::regclass AND objid = rel AND deptype = 'e'
            JOIN pg_extension e ON e.oid = refobjid
    UNION ALL
    SELECT format('table %s has to be copied, and row level security would hide rows from its owner: NO FORCE '
        'ROW LEVEL SECURITY', home)
        FROM copied JOIN pg_class c ON c.oid = rel JOIN pg_roles r ON r.oid = relowner
            WHERE relforcerowsecurity AND NOT rolsuper AND NOT rolbypassrls
    UNION ALL
    SELECT format('table %s has to be copied, and is written by a subscription, which fires no trigger of a '
        'statement', home) FROM copied JOIN pg_subscription_rel ON srrelid = rel
    UNION ALL
    SELECT format('publication %I filters the rows of %s by %s: PostgreSQL takes only its own types there, so '
        'take the filter away meanwhile',
        pubname, home, x.name)
        FROM copied_column x JOIN copied USING (rel) JOIN pg_publication_rel ON prrelid = rel
            JOIN pg_publication b ON b.oid = prpubid
        WHERE moves AND setting.target = 'ulid' AND prqual::text ~ format(':varattno %s\M', att)
    UNION ALL
    SELECT format('%s depends on the row type of table %s: drop it meanwhile, and make it again afterwards',
        pg_describe_object(d.classid, d.objid, d.objsubid), home)
        FROM copied JOIN pg_class c ON c.oid = rel JOIN pg_type t ON t.oid = c.reltype
            JOIN pg_depend d ON d.refclassid = 'pg_type'::regclass AND d.refobjid IN (t.oid, t.typarray)
        WHERE d.deptype <> 'i'
    UNION ALL
    -- what is bound to the table, or to its sequence, and not to the name, and is not made again
    SELECT format('%s depends on table %s, and would go or stay with the old one: drop it meanwhile',
        pg_describe_object(d.classid, d.objid, d.objsubid), home)
        FROM copied, LATERAL (SELECT rel UNION ALL SELECT q.oid FROM pg_depend JOIN pg_class q ON q.oid = objid
                WHERE classid = 'pg_class'::regclass AND refclassid = 'pg_class'::regclass AND refobjid = rel
                AND deptype = 'i' AND q.relkind = 'S') b (bound)
            JOIN pg_depend d ON refclassid = 'pg_class'::regclass AND refobjid = bound
            LEFT JOIN pg_class i ON classid = 'pg_class'::regclass AND i.oid = objid
            LEFT JOIN pg_constraint k ON classid = 'pg_constraint'::regclass AND k.oid = objid
            LEFT JOIN pg_trigger g ON classid = 'pg_trigger'::regclass AND g.oid = objid
        WHERE bound <> rel AND deptype = 'n' OR refobjsubid = 0 AND CASE classid
            WHEN 'pg_class'::regclass THEN deptype = 'n' AND i.relkind IN ('i', 'I')
            WHEN 'pg_constraint'::regclass THEN deptype = 'n' AND k.contype = 'c'
            WHEN 'pg_trigger'::regclass THEN g.tgrelid NOT IN (SELECT rel FROM copied)
            -- as a default of its own
            WHEN 'pg_proc'::regclass THEN EXISTS (SELECT FROM pg_proc p WHERE p.oid = objid AND prosqlbody IS NULL)
            ELSE classid NOT IN ('pg_policy'::regclass, 'pg_publication_rel'::regclass, 'pg_rewrite'::regclass,
                'pg_statistic_ext'::regclass, 'pg_type'::regclass) END
    UNION ALL
    SELECT format('publication %I leaves out table %s, and would publish its copy', pubname, home)
        FROM copied JOIN pg_publication_rel r ON prrelid = rel JOIN pg_publication b ON b.oid = prpubid
            WHERE to_jsonb(r) ->> 'prexcept' = 'true'
    UNION ALL
    SELECT pg_temp.not_yours('table ' || home, relowner) FROM copied JOIN pg_class c ON c.oid = rel
    UNION ALL
    SELECT DISTINCT pg_temp.not_yours(format('table %s, which has a foreign key from or to a table that is copied,',
            c.oid::regclass), relowner)
        FROM copied JOIN pg_constraint f ON f.contype = 'f' AND rel IN (conrelid, confrelid)
            JOIN pg_class c ON c.oid IN (conrelid, confrelid)
        WHERE c.oid NOT IN (SELECT rel FROM copied)
    UNION ALL
    SELECT DISTINCT pg_temp.not_yours('publication ' || quote_ident(pubname), pubowner)
        FROM copied JOIN pg_publication_rel ON prrelid = rel JOIN pg_publication b ON b.oid = prpubid
    UNION ALL
    SELECT pg_temp.row_type_problems(ARRAY(SELECT rel FROM copied))
    UNION ALL
    SELECT DISTINCT format('constraint %I of %s, a partition, has a comment, which a table that is copied '
        'could not have again', conname, home)
        FROM copied JOIN pg_constraint f ON conrelid = rel AND contype = 'f' AND conparentid <> 0
            WHERE obj_description(f.oid, 'pg_constraint') IS NOT NULL
    UNION ALL
    SELECT pg_temp.other_problems(ARRAY(SELECT rel FROM copied), ARRAY(SELECT c.oid FROM pg_constraint c
        JOIN copied ON rel IN (conrelid, confrelid)))
    UNION ALL
    SELECT format('you have no CREATE on database %s, where the copies have a schema',
        quote_ident(current_database())) WHERE NOT has_database_privilege(current_database(), 'CREATE')
    UNION ALL
    SELECT DISTINCT format('you have no CREATE on schema %s, where table %s is made anew', schema, home)
        FROM copied JOIN pg_class c ON c.oid = rel WHERE NOT has_schema_privilege(relnamespace, 'CREATE');
    IF EXISTS (SELECT FROM problem) THEN
        RETURN;
    END IF;

    -- What is no ULID, and what would be the same.
    FOR o IN SELECT x.*, c.home, array_to_string(c.key, ', ') AS key FROM copied_column x
        JOIN copied c USING (rel)
        WHERE rel = root AND changes AND is_text AND setting.target = 'ulid' ORDER BY home, att
    LOOP
        EXECUTE format('SELECT string_agg(t, '', '' ORDER BY t COLLATE "C") FILTER (WHERE n <= 5) || CASE WHEN '
            'count(*) > 5 THEN '' and more'' ELSE '''' END FROM (
            SELECT format(%L, %2$s::text, concat_ws('', '', %3$s)) AS t, row_number() OVER () AS n FROM %4$s
                WHERE NOT %5$s.ulid_is_valid(%2$s::text) LIMIT 6) x',
            CASE WHEN o.key = o.name THEN '%1$L' ELSE '%1$L (where ' || replace(o.key, '%', '%%')
                || ' is %2$s)' END, o.name, o.key, o.home, setting.schema) INTO found_text;
        IF found_text IS NOT NULL THEN
            INSERT INTO problem (text) VALUES (format('column %s of table %s has what is no ULID: %s', o.name,
                o.home, found_text));
            CONTINUE;
        END IF;
        EXECUTE format('SELECT NULL FROM %2$s WHERE %1$s::text COLLATE "C" <> '
            'textin(%3$s.ulid_out(%1$s::text::%3$s.ulid)) COLLATE "C" LIMIT 1', o.name, o.home, setting.schema);
        GET DIAGNOSTICS found_text = ROW_COUNT;
        CONTINUE WHEN found_text = '0';
        FOR keys IN
            SELECT (SELECT string_agg(format(CASE WHEN c.changes AND c.is_text THEN '%s::text::'
                || setting.schema || '.ulid' ELSE '%s' END, c.name), ', ')
                FROM generate_series(0, indnkeyatts - 1) n JOIN copied_column c ON rel = indrelid
                    AND att = indkey[n])
            FROM pg_index WHERE indrelid = o.rel AND indisunique AND indexprs IS NULL AND indpred IS NULL
                AND o.att = ANY (indkey[0:indnkeyatts - 1])
        LOOP
            EXECUTE format('SELECT string_agg(t, ''; '') FROM (SELECT '
                'string_agg(quote_literal(%1$s), '' and '') AS t FROM %2$s GROUP BY %3$s HAVING count(*) > 1 '
                'LIMIT 5) x',
                o.name || '::text', o.home, keys) INTO found_text;
            IF found_text IS NOT NULL THEN
                INSERT INTO problem (text) VALUES
                    (format('column %s of table %s has keys that are the same as ulid: %s', o.name, o.home,
                    found_text));
            END IF;
        END LOOP;
        INSERT INTO note (text) VALUES
            (format('column %s of table %s has ULIDs in other spellings than the canonical one, in which all '
            'come back', o.name, o.home));
    END LOOP;

    -- Tables without rows: with the new types, to try definitions on, and with names that can be told
    -- from others.
    FOR o IN SELECT DISTINCT typed_schema FROM copied LOOP
        EXECUTE 'CREATE SCHEMA ' || o.typed_schema;
    END LOOP;
    FOR o IN SELECT rel, (SELECT typed FROM copied x WHERE x.rel = c.rel) AS name,
        string_agg(format('%s %s', name, target), ', ' ORDER BY att) AS typed,
            (SELECT string_agg(format('%I integer', CASE WHEN a.attisdropped THEN 'ulid_move_gone_' || attnum
                WHEN x.changes THEN format('ulid_move_mark_%s_', attnum) ELSE attname END), ', '
                    ORDER BY attnum)
                FROM pg_attribute a LEFT JOIN copied_column x ON x.rel = attrelid AND att = attnum
                    WHERE attrelid = c.rel AND attnum > 0) AS marks
        FROM copied_column c GROUP BY rel
    LOOP
        EXECUTE format('CREATE TABLE %s (%s)', o.name, o.typed
            || COALESCE((SELECT ', ' || pg_get_constraintdef(oid) FROM pg_constraint
            WHERE conrelid = o.rel AND contype = 'p'), ''));
        EXECUTE format('CREATE TEMP TABLE ulid_move_marks_%s (%s) ON COMMIT DROP', o.rel, o.marks);
    END LOOP;

    INSERT INTO copied_view
    WITH RECURSIVE direct (view) AS (
        SELECT ev_class FROM pg_depend JOIN copied ON refobjid = rel JOIN pg_rewrite w ON w.oid = objid
        WHERE refclassid = 'pg_class'::regclass AND classid = 'pg_rewrite'::regclass AND rulename = '_RETURN'
    ), views (view, level) AS (
        SELECT view, 1 FROM direct
        UNION
        SELECT ev_class, level + 1 FROM views JOIN pg_depend ON refclassid = 'pg_class'::regclass
            AND refobjid = view AND classid = 'pg_rewrite'::regclass
            JOIN pg_rewrite w ON w.oid = objid WHERE ev_class <> view AND rulename = '_RETURN'
    )
    SELECT view, max(level) FROM views GROUP BY view;
    INSERT INTO problem (text)
    SELECT DISTINCT format('%s depends on the view %s, which is made again: drop it meanwhile',
        pg_describe_object(d.classid, d.objid, d.objsubid),
        view::regclass)
        FROM copied_view JOIN pg_class v ON v.oid = view JOIN pg_type t ON t.oid = v.reltype
            JOIN pg_depend d ON d.refclassid = 'pg_type'::regclass AND d.refobjid IN (t.oid, t.typarray)
                AND d.deptype <> 'i'
    UNION ALL
    SELECT pg_temp.view_problems(ARRAY(SELECT view FROM copied_view))
    UNION ALL
    SELECT pg_temp.other_problems(ARRAY(SELECT view FROM copied_view), '{}');

    -- What will be made is made, and undone.
    FOR o IN SELECT root, string_agg(home, ', ' ORDER BY level, home) AS tables FROM copied GROUP BY root
        ORDER BY 2 LOOP
        PERFORM pg_temp.copy_create(rel) FROM copied WHERE root = o.root;
    END LOOP;
    IF NOT EXISTS (SELECT FROM problem) THEN
        UPDATE copied SET work = 'ulid_move_trial.' || name, work_schema = 'ulid_move_trial' WHERE true;
        FOR o IN SELECT schema, root FROM copied WHERE rel = root LOOP
            PERFORM pg_temp.copy_try(format('CREATE SCHEMA ulid_move_trial; GRANT ALL ON SCHEMA '
                'ulid_move_trial TO %I;', (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = o.root))
                || string_agg(pg_temp.copy_create(rel), '' ORDER BY level, home)
                || COALESCE((SELECT string_agg(pg_temp.copy_index(indexrelid, c.work), '') FROM copied c
                    JOIN pg_index ON indrelid = rel
                    WHERE c.root = o.root AND indisvalid AND pg_temp.copy_late(indexrelid)), ''), 'table '
                        || o.root::regclass)
            FROM copied WHERE root = o.root;
        END LOOP;
        UPDATE copied SET work_schema = quote_ident(pg_temp.name_with('ulid_move_', (parse_ident(schema))[1],
            '')) WHERE true;
        UPDATE copied SET work = work_schema || '.' || name WHERE true;
        -- every table is named with its schema then
        PERFORM set_config('search_path', 'pg_catalog', true);
        -- each over those that were tried before it, and over what has a rule or a policy that depends on them
        PERFORM pg_temp.begin_trial(ARRAY(SELECT view FROM copied_view
            UNION SELECT ev_class FROM pg_rewrite WHERE oid IN (SELECT pg_temp.copy_dependents('pg_rewrite'))
            UNION SELECT polrelid FROM pg_policy WHERE oid IN (SELECT pg_temp.copy_dependents('pg_policy'))
            EXCEPT SELECT rel FROM copied));
        FOR o IN SELECT t.*, relkind FROM trial t JOIN pg_class c ON c.oid = rel LEFT JOIN copied_view v ON view = rel
            ORDER BY v.level NULLS FIRST LOOP
            IF o.relkind IN ('v', 'm') THEN
                PERFORM pg_temp.copy_try(pg_temp.copy_retarget(format('CREATE %sVIEW %s AS %s%s', CASE o.relkind
                    WHEN 'm' THEN 'MATERIALIZED ' END, o.home, rtrim(pg_get_viewdef(o.rel), ';'), CASE o.relkind
                    WHEN 'm' THEN ' WITH NO DATA' END)), 'view ' || o.rel::regclass, true);
            ELSE
                EXECUTE format('CREATE TABLE %s.%s (LIKE %s)', o.schema, o.name, o.home);
            END IF;
        END LOOP;
        FOR o IN SELECT g.oid, tgname, tgrelid FROM pg_trigger g JOIN copied ON rel = tgrelid
            WHERE tgparentid = 0 AND NOT tgisinternal LOOP
            PERFORM pg_temp.copy_try(pg_temp.copy_retarget(pg_get_triggerdef(o.oid)),
                format('trigger %I of %s', o.tgname, o.tgrelid::regclass));
        END LOOP;
        INSERT INTO copied_policy SELECT d, pg_temp.copy_policy(d) FROM pg_temp.copy_dependents('pg_policy') d;
        PERFORM pg_temp.try(class, object, definition, false) FROM (
            SELECT 'pg_proc'::regclass, p, pg_temp.function_to_try(p) FROM pg_temp.copy_dependents('pg_proc') p
            UNION ALL SELECT 'pg_rewrite', w.oid, pg_temp.rule_definition(w.oid) FROM pg_rewrite w
                WHERE w.oid IN (SELECT pg_temp.copy_dependents('pg_rewrite')) AND rulename <> '_RETURN'
            UNION ALL SELECT 'pg_policy', policy, definition FROM copied_policy
            UNION ALL SELECT 'pg_statistic_ext', x.oid, regexp_replace(pg_temp.as_target(pg_get_statisticsobjdef(x.oid),
                    'pg_statistic_ext', x.oid), '^CREATE STATISTICS (?:"[^"]*"|\w+)\.(?:"(?:[^"]|"")*"|\w+)',
                    format('CREATE STATISTICS %s.ulid_move_trial', typed_schema))
                FROM pg_statistic_ext x, (SELECT typed_schema FROM copied LIMIT 1) c
                WHERE stxrelid IN (SELECT rel FROM copied UNION SELECT view FROM copied_view)
            UNION ALL SELECT 'pg_class', indexrelid, pg_temp.index_definition(indexrelid, false)
                FROM pg_index JOIN copied_view ON view = indrelid) d (class, object, definition);
        PERFORM set_config('search_path', 'pg_catalog, pg_temp', true);
        PERFORM pg_temp.end_trial();
    END IF;

    INSERT INTO note (text)
    SELECT format('what is copied takes the same of disk space again, and as much of WAL, %s with its indexes: %s',
        pg_size_pretty(sum(size)), string_agg(format('%s (%s)', home, pg_size_pretty(size)), ', ' ORDER BY size DESC, home))
        FROM copied c, LATERAL (SELECT sum(pg_total_relation_size(rel)) FROM copied x WHERE x.root = c.root) s (size)
        WHERE rel = root HAVING count(*) > 0
    UNION ALL
    SELECT pg_temp.view_notes(ARRAY(SELECT view FROM copied_view))
    UNION ALL
    SELECT format('publication %I publishes all tables, and so the copies too: see that each subscriber has '
        'the schemas %s with tables for them', pubname,
            (SELECT string_agg(DISTINCT work_schema, ', ') FROM copied)) FROM pg_publication WHERE puballtables;
END $f$;
