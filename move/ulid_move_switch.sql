-- The script for columns whose type is changed in place: indexes that outlive the change, the switch, the keys.

-- The index of ulid_uuid_ops that stands in for an index while the type changes.
CREATE FUNCTION pg_temp.bridge_definition(index oid, bridge text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format('CREATE %sINDEX CONCURRENTLY %I ON %s%s USING %I (%s)%s%s%s%s;' || E'\n',
        CASE WHEN indisunique THEN 'UNIQUE ' ELSE '' END, bridge, CASE t.relkind WHEN 'p' THEN 'ONLY '
            ELSE '' END, t.oid::regclass, amname,
        (SELECT string_agg(pg_get_indexdef(index, k, true)
            || CASE WHEN indcollation[k - 1] NOT IN (0, a.attcollation) THEN
                (SELECT format(' COLLATE %I.%I', nspname, collname) FROM pg_collation o
                    JOIN pg_namespace n ON n.oid = collnamespace
                    WHERE o.oid = indcollation[k - 1]) ELSE '' END
            || CASE WHEN EXISTS (SELECT FROM moved WHERE rel = t.oid AND att = indkey[k - 1]) THEN
                (SELECT format(' %s.ulid_uuid_ops', schema) FROM ulid_move_setting)
                ELSE (SELECT format(' %I.%I', nspname, opcname) FROM pg_opclass o
                    JOIN pg_namespace n ON n.oid = opcnamespace
                    WHERE o.oid = indclass[k - 1]) END
            || CASE WHEN amname = 'btree' THEN CASE indoption[k - 1] & 3 WHEN 0 THEN ''
                WHEN 1 THEN ' DESC NULLS LAST'
                WHEN 2 THEN ' NULLS FIRST' ELSE ' DESC' END ELSE '' END, ', ' ORDER BY k)
            FROM generate_series(1, indnkeyatts) k LEFT JOIN pg_attribute a ON a.attrelid = t.oid
                AND a.attnum = indkey[k - 1]),
        (SELECT format(' INCLUDE (%s)', string_agg(pg_get_indexdef(index, k, true), ', ' ORDER BY k))
            FROM generate_series(indnkeyatts + 1, indnatts) k HAVING count(*) > 0),
        CASE WHEN indnullsnotdistinct THEN ' NULLS NOT DISTINCT' ELSE '' END,
        ' WITH (' || array_to_string(c.reloptions, ', ') || ')', ' TABLESPACE ' || quote_ident(s.spcname))
    FROM pg_index i JOIN pg_class c ON c.oid = indexrelid JOIN pg_class t ON t.oid = indrelid
        JOIN pg_am m ON m.oid = c.relam
        LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace
    WHERE indexrelid = index
$$;

-- A step that builds an index, or begins it anew when it was left invalid. Its comment says that it is done,
-- and of what `statement`.
CREATE FUNCTION pg_temp.build_bridge(index oid, name text, qualified text, statement text) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT pg_temp.build_index(qualified, statement, format(E'COMMENT ON INDEX %s IS %L;\n', qualified,
        format('For %s, when the type of its column changes. (ulid_move.sql, %s)', name,
            hashtextextended(statement COLLATE "C", 0))), format('%%(ulid_move.sql, %s)',
            hashtextextended(statement COLLATE "C", 0)))
$$;

-- An index that has the comment that `mark` matches, where that is not null, is done.
CREATE FUNCTION pg_temp.build_index(qualified text, statement text, properties text, mark text) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT format(E'SELECT count(*) FILTER (WHERE made) = 0 AS todo, count(*) FILTER (WHERE NOT made) > 0 AS broken\n'
        'FROM pg_index, LATERAL (SELECT indisvalid%4$s) m (made) WHERE indexrelid = to_regclass(%1$L) \\gset\n'
        '\\if :broken\nDROP INDEX CONCURRENTLY %1$s;\n\\endif\n\\if :todo\n%2$s\n%3$s%5$s\\endif\n', qualified,
        pg_temp.say('Building ' || qualified), statement,
        CASE WHEN mark IS NOT NULL
            THEN format(' AND COALESCE(obj_description(indexrelid, ''pg_class'') LIKE %L, false)', mark) END,
        properties)
$$;

-- What is to be known of an index that the switch drops, in a comment on what stands in for it.
CREATE FUNCTION pg_temp.stand_in_comment(index oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format('In the place of %s until that is built again: %s', name, json_build_object('name', name,
        'key', CASE contype WHEN 'p' THEN 'PRIMARY KEY' WHEN 'u' THEN 'UNIQUE' END,
        'as', rtrim(substr(pg_temp.index_definition(m.index, true),
            length(format('CREATE %sINDEX CONCURRENTLY %I ON %s ', CASE WHEN is_unique THEN 'UNIQUE ' END, name,
                rel::regclass)) + 1), E';\n'),
        'comment', obj_description(m.index, 'pg_class'), 'key comment', obj_description(con, 'pg_constraint'),
        'extensions', (SELECT COALESCE(json_agg(extname), '[]') FROM pg_depend JOIN pg_extension e ON e.oid = refobjid
            WHERE classid = 'pg_class'::regclass AND objid = m.index AND refclassid = 'pg_extension'::regclass
            AND deptype = 'x'),
        'targets', (SELECT COALESCE(json_object_agg(attnum, attstattarget), '{}') FROM pg_attribute
            WHERE attrelid = m.index AND attstattarget >= 0),
        'clustered', (SELECT indisclustered FROM pg_index WHERE indexrelid = m.index),
        'expressions', (SELECT indexprs IS NOT NULL FROM pg_index WHERE indexrelid = m.index),
        'identity', relreplident, 'rel', rel::regclass, 'relid', rel, 'columns', (
            SELECT json_object_agg(DISTINCT attnum, attname) FROM pg_index JOIN pg_attribute ON attrelid = indrelid
            WHERE indexrelid = m.index AND (attnum = ANY (indkey) OR EXISTS (SELECT FROM pg_depend
                WHERE classid = 'pg_class'::regclass AND objid = indexrelid AND refclassid = 'pg_class'::regclass
                AND refobjid = indrelid AND refobjsubid = attnum)))))
    FROM move_index m JOIN pg_class t ON t.oid = rel LEFT JOIN pg_constraint c ON c.oid = con
        WHERE m.index = stand_in_comment.index
$$;

-- The script for a bundle.
CREATE FUNCTION pg_temp.script(which integer) RETURNS SETOF text LANGUAGE plpgsql AS $f$
DECLARE
    setting record; o record; work text; tables text[]; type text;
    done text := format('pg_temp.ulid_move_is_done(%s)', which);
    foreign_keys oid[]; checks oid[]; functions oid[]; policies oid[]; triggers oid[]; rules oid[];
        generated oid[]; publications oid[];
BEGIN
    PERFORM set_config('ulid_move.bundle', which::text, true);
    SELECT * INTO setting FROM ulid_move_setting;
    type := CASE setting.target WHEN 'uuid' THEN 'pg_catalog.uuid' ELSE setting.schema || '.ulid' END;

    SELECT array_agg(c.oid) INTO foreign_keys FROM pg_constraint c
        WHERE contype = 'f' AND conparentid = 0 AND (c.oid IN (SELECT pg_temp.dependents('pg_constraint'))
            -- of a key that has the id beside it, INCLUDE (id)
            OR conindid IN (SELECT index FROM move_index));
    SELECT array_agg(d) INTO functions FROM pg_temp.dependents('pg_proc') d;
    SELECT array_agg(d) INTO policies FROM (SELECT pg_temp.dependents('pg_policy')
        UNION SELECT objid FROM pg_depend JOIN move_view ON refobjid = view
            WHERE classid = 'pg_policy'::regclass) x (d);
    SELECT array_agg(g.oid) INTO triggers FROM pg_trigger g
        WHERE tgparentid = 0 AND NOT tgisinternal AND g.oid IN (SELECT pg_temp.dependents('pg_trigger'));
    SELECT array_agg(w.oid) INTO rules FROM pg_rewrite w
        WHERE rulename <> '_RETURN' AND ev_class NOT IN (SELECT view FROM move_view)
        AND (w.oid IN (SELECT pg_temp.dependents('pg_rewrite'))
            OR EXISTS (SELECT FROM pg_depend JOIN move_view ON refobjid = view
                WHERE classid = 'pg_rewrite'::regclass AND objid = w.oid));
    SELECT array_agg(d.oid) INTO generated FROM pg_attrdef d JOIN pg_attribute ON attrelid = adrelid
        AND attnum = adnum
        WHERE attgenerated <> '' AND attinhcount = 0 AND d.oid IN (SELECT pg_temp.dependents('pg_attrdef'));
    SELECT array_agg(c.oid ORDER BY conrelid::regclass::text, conname) INTO checks FROM pg_constraint c
        WHERE contype = 'c' AND coninhcount = 0 AND (c.oid IN (SELECT pg_temp.dependents('pg_constraint'))
            -- which is null in between
            OR EXISTS (SELECT FROM pg_attrdef d WHERE d.oid = ANY (generated) AND adrelid = conrelid
                AND adnum = ANY (conkey)));
    SELECT array_agg(d) INTO publications FROM pg_temp.dependents('pg_publication_rel') d;

    IF (SELECT max(bundle) FROM all_moved) > 1 THEN
        RETURN NEXT E'\n' || pg_temp.line(format('-- Bundle %s of %s: %s', which, (SELECT max(bundle)
            FROM all_moved), (SELECT string_agg(format('%s.%s', rel::regclass, pg_temp.column_name(rel, att)),
            ', ' ORDER BY rel::regclass::text, att) FROM moved)));
    END IF;

    -- 1
    RETURN NEXT E'\n-- 1. Indexes that outlive the change of type, built while the application writes.';
    RETURN NEXT format(E'SELECT NOT (%s) AS before \\gset\n\\if :before\nDO $$ BEGIN PERFORM '
        'pg_temp.ulid_move_check(%s); END $$;', done, which);
    -- those for an index that has another name since, or is gone
    RETURN NEXT format(E'SELECT format(''DROP INDEX CONCURRENTLY %%s'', c.oid::regclass) FROM pg_index JOIN pg_class c '
        'ON c.oid = indexrelid\nWHERE indrelid IN (SELECT to_regclass(r) FROM unnest(%L::text[]) r) AND '
        'c.oid::regclass::text <> ALL (%L) AND relname LIKE ''%%\_ulid\_move'' AND obj_description(c.oid, ''pg_class'') '
        'LIKE ''For %%(ulid_move.sql, %%)'' \\gexec', ARRAY(SELECT DISTINCT rel::regclass::text FROM moved),
        ARRAY(SELECT qualified_bridge FROM move_index WHERE way = 'bridged' ORDER BY 1));
    FOR o IN SELECT * FROM move_index WHERE way = 'bridged' ORDER BY pg_relation_size(index), qualified LOOP
        RETURN NEXT pg_temp.build_bridge(o.index, o.name, o.qualified_bridge,
            pg_temp.bridge_definition(o.index, o.bridge));
    END LOOP;
    RETURN NEXT '\endif';

    -- 2
    RETURN NEXT E'\n-- 2. The switch, in one transaction that reads no row of the tables but for what the '
        'notes say.';
    work := pg_temp.taken_down(functions, (SELECT array_agg(view ORDER BY level DESC, view) FROM move_view), policies,
        rules);
    FOR o IN SELECT pubname, prrelid, p.oid FROM pg_publication_rel p JOIN pg_publication b ON b.oid = prpubid
        WHERE p.oid = ANY (publications) LOOP
        work := work || format(E'ALTER PUBLICATION %I DROP TABLE ONLY %s;\n', o.pubname, o.prrelid::regclass);
    END LOOP;
    FOR o IN SELECT oid, tgname, tgrelid FROM pg_trigger WHERE oid = ANY (triggers) ORDER BY 2, 1 LOOP
        work := work || format(E'DROP TRIGGER %I ON %s;\n', o.tgname, o.tgrelid::regclass);
    END LOOP;
    FOR o IN SELECT conrelid, conname, oid FROM pg_constraint WHERE oid = ANY (foreign_keys || checks)
        ORDER BY contype DESC, 1, 2 LOOP
        work := work || format(E'ALTER TABLE %s DROP CONSTRAINT %I;\n', o.conrelid::regclass, o.conname);
    END LOOP;
    FOR o IN SELECT * FROM move_index WHERE way IN ('bridged', 'late') ORDER BY qualified LOOP
        work := work || (CASE
            WHEN o.con IS NULL THEN format(E'DROP INDEX IF EXISTS %s;\n', o.qualified)
            ELSE format(E'ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I;\nDROP INDEX IF EXISTS %s;\n',
                o.rel::regclass, o.name, o.qualified) END);
    END LOOP;
    -- what the server cannot make again by itself: an operator is not found by its name alone
    FOR o IN SELECT * FROM move_index WHERE pg_temp.is_made_again(index) ORDER BY qualified LOOP
        work := work || (CASE WHEN o.con IS NULL
            THEN format(E'DROP INDEX %s;\n', o.qualified)
            ELSE format(E'ALTER TABLE %s DROP CONSTRAINT %I;\n', o.rel::regclass, o.name) END);
    END LOOP;
    FOR o IN SELECT oid, adrelid, adnum FROM pg_attrdef WHERE oid = ANY (generated) ORDER BY 2, 3 LOOP
        work := work || format(CASE pg_temp.generated_way(o.oid)
            WHEN 'again' THEN E'ALTER TABLE %s DROP COLUMN %s;\n'
            ELSE E'ALTER TABLE %s ALTER COLUMN %s SET EXPRESSION AS (NULL);\n' END, o.adrelid::regclass,
                pg_temp.column_name(o.adrelid, o.adnum));
    END LOOP;
    FOR o IN
        SELECT rel, string_agg(concat(CASE WHEN expression IS NOT NULL
                THEN format(E'    ALTER COLUMN %s DROP DEFAULT,\n', name) END,
            format('    ALTER COLUMN %s TYPE %s', name, type),
            CASE WHEN expression IS NOT NULL THEN format(E',\n    ALTER COLUMN %s SET DEFAULT %s', name,
                pg_temp.default_of(rel, att, type::regtype, true)) END), E',\n' ORDER BY att) AS changes
        FROM (SELECT moved.*, atttypid, pg_temp.column_name(rel, att) AS name,
            pg_get_expr(adbin, adrelid) AS expression
            FROM moved JOIN pg_attribute ON attrelid = rel AND attnum = att
                LEFT JOIN pg_attrdef ON adrelid = rel AND adnum = att WHERE root) c
        GROUP BY rel ORDER BY rel::regclass::text
    LOOP
        work := concat(work, format(E'ALTER TABLE %s\n', o.rel::regclass),
            o.changes, E';\n');
    END LOOP;
    -- a child that has a default of its own, or none
    FOR o IN WITH RECURSIVE below (root, child, att) AS (
            SELECT rel, rel, att FROM moved WHERE root
            UNION SELECT below.root, inhrelid, att FROM below JOIN pg_inherits ON inhparent = child)
        SELECT DISTINCT m.rel, m.att, pg_temp.default_of(m.rel, m.att, type::regtype, true) AS expression
        FROM below b JOIN moved m ON m.rel = b.child AND NOT m.root
            AND pg_temp.column_name(m.rel, m.att) = pg_temp.column_name(b.root, b.att)
        WHERE pg_temp.default_of(m.rel, m.att, type::regtype, false) IS DISTINCT
            FROM pg_temp.default_of(b.root, b.att, type::regtype, false) ORDER BY 1, 2
    LOOP
        work := work || format(E'ALTER TABLE ONLY %s ALTER COLUMN %s %s;\n', o.rel::regclass,
            pg_temp.column_name(o.rel, o.att),
            COALESCE('SET DEFAULT ' || o.expression, 'DROP DEFAULT'));
    END LOOP;
    FOR o IN SELECT d.oid, adrelid::regclass AS rel, pg_temp.column_name(adrelid, adnum) AS name,
        pg_get_expr(adbin, adrelid) AS expression, a.* FROM pg_attrdef d
        JOIN pg_attribute a ON attrelid = adrelid AND attnum = adnum WHERE d.oid = ANY (generated)
            ORDER BY adrelid, adnum
    LOOP
        work := work || (CASE pg_temp.generated_way(o.oid)
            WHEN 'again' THEN concat(format('ALTER TABLE %s ADD COLUMN %s %s', o.rel, o.name,
                pg_temp.type_name(o.atttypid, o.atttypmod, o.attcollation)),
                format(' GENERATED ALWAYS AS (%s) STORED',
                    pg_temp.as_target(o.expression, 'pg_attrdef', o.oid)),
                CASE WHEN o.attnotnull THEN COALESCE((SELECT format(' CONSTRAINT %I NOT NULL', conname)
                    FROM pg_constraint WHERE conrelid = o.attrelid AND contype = 'n'
                    AND conkey = ARRAY[o.attnum]), ' NOT NULL') END, E';\n',
                (SELECT pg_temp.comment('pg_constraint', c.oid, 0,
                    format('CONSTRAINT %I ON %s', conname, o.rel)) FROM pg_constraint c
                    WHERE conrelid = o.attrelid AND contype = 'n' AND conkey = ARRAY[o.attnum]),
                (WITH RECURSIVE below (rel) AS (SELECT o.attrelid
                    UNION SELECT inhrelid FROM below JOIN pg_inherits ON inhparent = below.rel)
                    SELECT string_agg(format(E'ALTER TABLE ONLY %s %s;\n', below.rel::regclass, x.change), ''
                        ORDER BY below.rel)
                    FROM below JOIN pg_attribute a ON a.attrelid = below.rel AND a.attname = o.attname, LATERAL (
                        SELECT string_agg(format('ALTER COLUMN %s SET %s', o.name, s), ', ')
                            FROM pg_temp.column_settings(a.attrelid, a.attnum) s) x (change)
                    WHERE change IS NOT NULL),
                pg_temp.comment('pg_class', o.attrelid, o.attnum, format('COLUMN %s.%s', o.rel, o.name)),
                (SELECT pg_temp.grants(o.attacl, relowner, o.rel::text, format(' (%s)', o.name)) FROM pg_class c
                    WHERE c.oid = o.attrelid AND o.attacl IS NOT NULL))
            ELSE format(E'ALTER TABLE %s ALTER COLUMN %s SET EXPRESSION AS (%s);\n', o.rel, o.name,
                pg_temp.as_target(o.expression, 'pg_attrdef', o.oid)) END);
    END LOOP;
    FOR o IN SELECT * FROM move_index WHERE pg_temp.is_made_again(index) ORDER BY qualified LOOP
        work := work || (CASE WHEN o.con IS NULL
            THEN pg_temp.index_definition(o.index, false)
                ELSE pg_temp.copy_key(o.con, o.rel::regclass::text) END);
    END LOOP;
    -- the server makes the indexes of partitions anew with names of its own
    work := concat(work, pg_temp.partition_index_names());
    SELECT concat(work, string_agg(concat(
            -- its partitions' got the comment of an index too
            CASE WHEN EXISTS (SELECT FROM pg_inherits
                WHERE inhrelid = index) THEN format(E'COMMENT ON INDEX %s IS NULL;\n', qualified)
                || COALESCE(pg_temp.partition_index_options(index), '') END, pg_temp.index_properties(index),
                pg_temp.comment('pg_constraint', con, 0, format('CONSTRAINT %I ON %s', name, rel::regclass)),
            CASE WHEN indisreplident THEN format(E'ALTER TABLE %s REPLICA IDENTITY USING INDEX %I;\n',
                rel::regclass, name) END), '' ORDER BY qualified)) INTO work
        FROM move_index JOIN pg_index ON indexrelid = index WHERE way = 'locked';
    -- the server makes statistics anew with the type, but leaves out their target; 15.18 leaves out their owner too
    FOR o IN SELECT x.oid, format('%I.%I', nspname, stxname) AS name, stxstattarget, stxowner FROM pg_statistic_ext x
        JOIN pg_namespace n ON n.oid = stxnamespace WHERE x.oid IN (SELECT pg_temp.dependents('pg_statistic_ext'))
    LOOP
        work := concat(work, format(E'ALTER STATISTICS %s OWNER TO %I;\n', o.name, pg_get_userbyid(o.stxowner)),
            CASE WHEN o.stxstattarget >= 0 THEN format(E'ALTER STATISTICS %s SET STATISTICS %s;\n', o.name,
                o.stxstattarget) END);
    END LOOP;
    FOR o IN SELECT move_index.rel, bridge FROM move_index JOIN pg_index ON indexrelid = index
        JOIN pg_class t ON t.oid = rel
        WHERE way = 'bridged' AND (relreplident = 'd' AND indisprimary OR relreplident = 'i' AND indisreplident)
    LOOP
        work := work || format(E'ALTER TABLE %s REPLICA IDENTITY USING INDEX %I;\n', o.rel::regclass, o.bridge);
    END LOOP;
    FOR o IN SELECT *, pg_temp.stand_in_comment(index) AS comment FROM move_index WHERE way IN ('bridged', 'late')
        ORDER BY qualified
    LOOP
        work := work || CASE o.way WHEN 'bridged' THEN format(E'COMMENT ON INDEX %s IS %L;\n', o.qualified_bridge,
                o.comment)
            -- where no index of both types can stand in for it, what goes when the index would
            ELSE (SELECT format(E'CREATE STATISTICS %1$s ON %3$s FROM %2$s;\nCOMMENT ON STATISTICS %1$s IS %4$L;\n',
                o.qualified_bridge, o.rel::regclass, string_agg(DISTINCT format('((%s) IS NULL)',
                    pg_temp.as_target(x, 'pg_class', o.index)), ', '), o.comment)
                FROM (SELECT pg_get_indexdef(o.index, k, true) FROM pg_index, generate_series(1, indnatts) k
                        WHERE indexrelid = o.index
                    UNION SELECT pg_get_expr(indpred, indrelid) FROM pg_index
                        WHERE indexrelid = o.index AND indpred IS NOT NULL LIMIT 8) e (x)) END;
    END LOOP;
    FOR o IN SELECT pg_temp.constraint_definition(c.oid) AS definition FROM pg_constraint c
        WHERE c.oid = ANY (foreign_keys || checks)
        ORDER BY contype, c.oid LOOP
        work := work || o.definition;
    END LOOP;
    -- which the children get from it, but for their comments
    SELECT concat(work, string_agg(pg_temp.comment('pg_constraint', c.oid, 0,
            format('CONSTRAINT %I ON %s', conname, conrelid::regclass)),
        '' ORDER BY conrelid, conname)) INTO work
        FROM pg_constraint c WHERE contype IN ('c', 'n') AND coninhcount > 0
            AND c.oid IN (SELECT pg_temp.dependents('pg_constraint'));
    FOR o IN SELECT view FROM move_view ORDER BY level, view LOOP
        work := work || pg_temp.view_definition(o.view);
    END LOOP;
    FOR o IN SELECT oid, pg_temp.as_target(pg_get_functiondef(p.oid), 'pg_proc', p.oid) AS definition
        FROM pg_proc p
        WHERE p.oid = ANY (functions) LOOP
        work := work || concat(rtrim(o.definition, E'\n'), E';\n', pg_temp.goes_with('pg_proc', o.oid, 'ROUTINE '
            || o.oid::regprocedure));
    END LOOP;
    SELECT concat(work, string_agg(pg_temp.refresh(view), '' ORDER BY level, view)) INTO work FROM move_view;
    SELECT concat(work, string_agg(pg_temp.rule_definition(oid), '' ORDER BY ev_class, rulename)) INTO work
        FROM pg_rewrite WHERE oid = ANY (rules);
    FOR o IN SELECT pg_temp.trigger_definition(g) AS definition FROM unnest(triggers) g
        UNION ALL SELECT pg_temp.policy_definition(p) FROM unnest(policies) p
    LOOP
        work := work || o.definition;
    END LOOP;
    work := concat(work, pg_temp.partition_triggers(ARRAY(SELECT pg_temp.dependents('pg_trigger'))));
    FOR o IN SELECT p.oid, pubname, prrelid, pg_get_expr(prqual, prrelid) AS filter,
            (SELECT string_agg(pg_temp.column_name(prrelid, c), ', ' ORDER BY n)
                FROM unnest(prattrs) WITH ORDINALITY u (c, n)) AS columns
        FROM pg_publication_rel p JOIN pg_publication b ON b.oid = prpubid WHERE p.oid = ANY (publications)
    LOOP
        work := work || concat(format('ALTER PUBLICATION %I ADD TABLE ONLY %s', o.pubname, o.prrelid::regclass), ' ('
            || o.columns || ')',
            ' WHERE (' || o.filter || ')', E';\n');
    END LOOP;
    -- without one definition the switch would do nothing, and say that it is done
    IF work IS NULL THEN
        RAISE EXCEPTION 'a definition of bundle % could not be read', which;
    END IF;
    SELECT array_agg(t::text ORDER BY t::text) INTO tables FROM (
        SELECT DISTINCT x.rel::regclass AS t FROM (SELECT rel FROM moved
            UNION SELECT conrelid FROM pg_constraint WHERE oid = ANY (foreign_keys)
                UNION SELECT confrelid FROM pg_constraint WHERE oid = ANY (foreign_keys)
            UNION SELECT polrelid FROM pg_policy WHERE oid = ANY (policies) UNION SELECT tgrelid FROM pg_trigger
                WHERE oid = ANY (triggers)
            UNION SELECT ev_class FROM pg_rewrite WHERE oid = ANY (rules)) x) y;
    RETURN NEXT pg_temp.step(format('Changing the type to %s, %s of %s: %s', setting.target, which,
        (SELECT max(bundle) FROM all_moved), pg_temp.tables_of_bundle(which)), format('NOT (%s)', done),
        pg_temp.transaction(which, tables, ARRAY(SELECT view::regclass::text FROM move_view ORDER BY level DESC, view),
            work));

    -- 3
    RETURN NEXT E'-- 3. Statistics, which went with the type.';
    -- those of the expressions of indexes are made with the whole table alone, and a child's are not made with its
    -- parent's
    FOR o IN SELECT rel, array_agg(attname ORDER BY att) AS columns, relkind = 'm' OR EXISTS (SELECT FROM pg_index
                WHERE indexprs IS NOT NULL AND indrelid IN (SELECT rel UNION ALL SELECT relid
                FROM pg_partition_tree(rel))) AS is_whole
        FROM (SELECT rel, att FROM moved
            UNION SELECT refobjid, refobjsubid FROM pg_depend WHERE classid = 'pg_statistic_ext'::regclass
                AND refclassid = 'pg_class'::regclass AND refobjsubid > 0
                AND refobjid IN (SELECT rel FROM moved)
            UNION SELECT view, attnum FROM move_view JOIN pg_attribute ON attrelid = view AND attnum > 0
            UNION SELECT adrelid, adnum FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
                WHERE attgenerated <> '' AND pg_attrdef.oid IN (SELECT pg_temp.dependents('pg_attrdef'))) c
        JOIN pg_attribute ON attrelid = rel AND attnum = att
        JOIN pg_class t ON t.oid = rel AND relkind IN ('r', 'p', 'm') AND NOT relispartition
        GROUP BY rel, relkind ORDER BY rel::regclass::text
    LOOP
        -- where that is not done; of a table without rows there is nothing to know
        RETURN NEXT pg_temp.step(format('Analyzing %s', o.rel::regclass),
            format('EXISTS (SELECT FROM pg_attribute a '
                'JOIN pg_class c ON c.oid = attrelid JOIN pg_namespace n ON n.oid = relnamespace WHERE '
                    'attrelid = to_regclass(%1$L) '
                'AND attname = ANY (%2$L) AND EXISTS (SELECT FROM pg_class p WHERE relkind <> ''p'' AND '
                    'reltuples <> 0 AND p.oid IN (SELECT attrelid UNION ALL SELECT relid FROM '
                    'pg_partition_tree(attrelid))) AND NOT EXISTS (SELECT FROM pg_stats s WHERE s.schemaname = nspname '
                'AND s.tablename = relname AND s.attname = a.attname))', o.rel::regclass, o.columns),
            CASE WHEN o.is_whole THEN format('ANALYZE %s;', o.rel::regclass) ELSE
            format(E'SELECT format(''ANALYZE %%s (%%s)'', %1$L, string_agg(quote_ident(attname), '', ''))\n'
                'FROM pg_attribute WHERE attrelid = to_regclass(%1$L) AND attname = ANY (%2$L) HAVING '
                    'count(*) > 0 \\gexec',
                o.rel::regclass, o.columns) END);
    END LOOP;
    -- 4
    RETURN NEXT E'\n-- 4. The keys, each attached as soon as it is built, and the other indexes.';
    RETURN NEXT pg_temp.finish();
    -- of a move that was given up before its switch; one that stands in for an index, though nothing tells so, remains
    RETURN NEXT (SELECT format(E'SELECT format(''DROP INDEX CONCURRENTLY %%s'', made) '
        'FROM (VALUES %s) v (made, for_index)\n'
        'WHERE to_regclass(made) IS NOT NULL AND (to_regclass(for_index) IS NOT NULL '
            'OR obj_description(to_regclass(made), ''pg_class'') LIKE ''%%(ulid_move.sql, %%'') \\gexec',
        string_agg(format('(%L, %L)', qualified_bridge, qualified), ', ' ORDER BY qualified))
        FROM move_index WHERE way = 'bridged' HAVING count(*) > 0);

    -- 5
    RETURN NEXT E'\n-- 5. The constraints, for the rows from before, while the application writes.';
    FOR o IN SELECT conrelid::regclass AS rel, conname FROM pg_constraint
        WHERE oid = ANY (foreign_keys || checks) AND convalidated ORDER BY 1, 2 LOOP
        RETURN NEXT pg_temp.validate(o.rel, o.conname);
    END LOOP;
END $f$;

CREATE FUNCTION pg_temp.validate(rel regclass, name text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT pg_temp.step(format('Validating %I of %s', name, rel),
        format('EXISTS (SELECT FROM pg_constraint WHERE conrelid = '
        'to_regclass(%L) AND conname = %L AND NOT convalidated)', rel, name),
            format('ALTER TABLE %s VALIDATE CONSTRAINT %I;', rel, name))
$$;
