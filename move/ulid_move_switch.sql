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

-- A step that is left out when it is done, and begun anew when an index of it was left invalid. For an index
-- that was dropped by somebody after the switch there is no bridge, and none is built.
CREATE FUNCTION pg_temp.build_bridge(index oid, name text, qualified text, statement text) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT format(E'SELECT count(*) FILTER (WHERE made) = 0 AND (count(*) > 0 OR to_regclass(%5$L) IS NOT '
        'NULL) AND pg_temp.ulid_move_can_build(%1$L, %6$L) AS todo, count(*) FILTER (WHERE NOT made) > 0 AS '
        'broken\n'
            'FROM pg_index, LATERAL (SELECT indisvalid AND obj_description(indexrelid, ''pg_class'') IS NOT '
                'NULL AND obj_description(indexrelid, ''pg_class'') LIKE %2$L) m (made)\n'
            'WHERE indexrelid = to_regclass(%1$L) AND EXISTS (SELECT FROM pg_opclass o WHERE opcname '
                '= ''ulid_uuid_ops'' AND o.oid = ANY (indclass)) \\gset\n'
            '\\if :broken\nDROP INDEX CONCURRENTLY %1$s;\n\\endif\n\\if :todo\n%7$s\n%3$sCOMMENT ON INDEX '
                '%1$s IS '
                '%4$L;\n\\endif\n',
        qualified, '%' || mark, statement, format('For %s, when the type of its column changes. %s', name,
            mark),
        (SELECT move_index.qualified FROM move_index WHERE move_index.index = build_bridge.index),
            pg_temp.index_needs(index), pg_temp.say_building(qualified))
    FROM (SELECT format('(ulid_move.sql, %s)', hashtextextended(statement COLLATE "C", 0))) m (mark)
$$;

-- Builds an index again that the switch has dropped. `marker` is there until the move is over.
CREATE FUNCTION pg_temp.build_again(index oid, marker text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT pg_temp.build_index(m.qualified,
        CASE m.way WHEN 'bridged' THEN m.qualified_bridge END, marker, pg_temp.index_needs(m.index),
        pg_temp.index_definition(m.index, true), pg_temp.index_properties(m.index))
    FROM move_index m WHERE m.index = build_again.index
$$;

-- `bridge` is what stands in for the index, where something does; `any_bridge` is there until the move is over.
CREATE FUNCTION pg_temp.build_index(qualified text, bridge text, any_bridge text, needs json, statement text,
    properties text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'SELECT count(*) FILTER (WHERE indisvalid) = 0%3$s%4$s AS todo, count(*) FILTER (WHERE NOT '
        'indisvalid) > 0 AS broken\n'
            'FROM pg_index WHERE indexrelid = to_regclass(%1$L) \\gset\n'
            '\\if :broken\nDROP INDEX CONCURRENTLY %1$s;\n\\endif\n\\if :todo\n%5$s\n%2$s\\endif\n', qualified,
                statement,
            CASE WHEN bridge IS NOT NULL THEN format(' AND (count(*) > 0 OR to_regclass(%L) IS NOT NULL)',
                bridge) END,
            CASE WHEN needs IS NOT NULL THEN format(' AND pg_temp.ulid_move_can_build(%L, %L)', qualified,
                needs) END, pg_temp.say_building(qualified))
        -- while there are bridges the move is not over, and may have been stopped between the two
        || format(E'SELECT to_regclass(%L) IS NOT NULL AND (:''todo'' OR to_regclass(%L) IS NOT NULL) AS todo '
            '\\gset\n\\if :todo\n%s\\endif\n', qualified, any_bridge, NULLIF(properties, ''))
$$;

-- A transaction of the script. It makes an attempt at all its locks and its work, and rather gives them up
-- and makes another than hold anybody up for longer than `ulid_move.lock_timeout`. `first` is done before
-- the tables are locked: clients lock a view before its tables. `done` is an SQL condition under which
-- there is nothing to do. What `views` names was looked at without a lock.
CREATE FUNCTION pg_temp.transaction(done text, tables regclass[], views regclass[], first text, work text)
    RETURNS text LANGUAGE sql STABLE AS $f$
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
        PERFORM set_config('lock_timeout',
            COALESCE(NULLIF(current_setting('ulid_move.maintenance_timeout', true), ''), '1min'), true);
        EXECUTE format('LOCK TABLE %%s IN SHARE UPDATE EXCLUSIVE MODE', array_to_string(tables, ', '));
    EXCEPTION WHEN lock_not_available THEN
        RAISE EXCEPTION 'the tables are in use by a change, a VACUUM or a CREATE INDEX CONCURRENTLY'
            USING ERRCODE = 'lock_not_available',
            HINT = 'Nothing of this step was done. Run the script again when it has ended.',
            DETAIL = (SELECT string_agg(DISTINCT format('%%s is used by process %%s', relation::regclass, pid),
                E'\n')
                FROM pg_locks WHERE granted AND locktype = 'relation' AND pid <> pg_backend_pid()
                    AND relation = ANY (tables::regclass[])
                    AND mode NOT IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock'));
    END;
    queries := (SELECT string_agg(xmin::text, ' ' ORDER BY oid) FROM pg_rewrite
        WHERE ev_class = ANY (views::regclass[]));
    IF pg_temp.ulid_move_check(%6$s) THEN
        first := pg_temp.ulid_move_left(first, %7$L);
        work := pg_temp.ulid_move_left(work, %7$L);
    END IF;
    PERFORM set_config('lock_timeout', patience, true);
    FOR attempt IN 1 .. attempts LOOP
        BEGIN
            -- what changes without a lock on the tables: a privilege, a comment, a function
            IF attempt > 1 AND pg_temp.ulid_move_check(%6$s) THEN
                first := pg_temp.ulid_move_left(first, %7$L);
                work := pg_temp.ulid_move_left(work, %7$L);
            END IF;
            FOREACH view IN ARRAY views LOOP
                -- locks it, and does nothing, as it is dropped next
                EXECUTE format('ALTER VIEW %%s RESET (security_barrier)', view);
            END LOOP;
            IF queries <> (SELECT string_agg(xmin::text, ' ' ORDER BY oid) FROM pg_rewrite
                WHERE ev_class = ANY (views::regclass[])) THEN
                PERFORM pg_temp.ulid_move_check(%6$s);
            END IF;
            EXECUTE first;
            EXECUTE format('LOCK TABLE %%s IN ACCESS EXCLUSIVE MODE', array_to_string(tables, ', '));
            EXECUTE work;
            RETURN;
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
            IF attempt = attempts THEN
                RAISE EXCEPTION 'the tables are in use: no lock on them was had in %% attempts of %%', attempts,
                    patience
                    USING ERRCODE = 'lock_not_available',
                        HINT = 'Nothing of this step was done. Run the script again.',
                    DETAIL = (SELECT string_agg(DISTINCT format('%%s is used by %%s', relation::regclass,
                            COALESCE('process ' || l.pid, 'a prepared transaction')), E'\n')
                        FROM pg_locks l WHERE granted AND locktype = 'relation' AND l.pid IS DISTINCT
                            FROM pg_backend_pid()
                            AND relation = ANY (tables::regclass[]));
            END IF;
            PERFORM pg_sleep(0.05 + random() * 0.2);
        END;
    END LOOP;
END $ulid_move$;
$template$, '$ulid_move', '$' || pg_temp.tag(first || work || done)), done, tables, COALESCE(views, '{}'),
    first, work,
        format('%s, %L', current_setting('ulid_move.bundle'), views IS NULL), current_setting('ulid_move.tag'))
$f$;

-- The head of the script: what moves, what to know, and what is looked at before anything is done.
CREATE FUNCTION pg_temp.head() RETURNS SETOF text LANGUAGE plpgsql AS $f$
DECLARE
    setting record; o record; type text; other text; bundle integer;
BEGIN
    SELECT * INTO setting FROM ulid_move_setting;
    type := CASE setting.target WHEN 'uuid' THEN 'pg_catalog.uuid' ELSE setting.schema || '.ulid' END;
    other := CASE setting.target WHEN 'ulid' THEN 'pg_catalog.uuid' ELSE setting.schema || '.ulid' END;
    RETURN NEXT format(E'-- Moves to %s, while the application writes:', setting.target);
    FOR o IN SELECT format('--   %s.%s', rel::regclass, pg_temp.column_name(rel, att)) AS line
        FROM moved ORDER BY rel::regclass::text, att LOOP
        RETURN NEXT pg_temp.line(o.line);
    END LOOP;
    RETURN NEXT '-- For psql. It stops at an error, and goes on from there when it is run again.';
    RETURN NEXT $s$
-- Two at once would get in each other's way.
DO $ulid_move$ BEGIN
    IF NOT pg_try_advisory_lock(1970040945, 1836021349) THEN
        RAISE EXCEPTION 'a move is under way in process %', (SELECT pid FROM pg_locks
            WHERE locktype = 'advisory' AND classid = 1970040945 AND objid = 1836021349 AND granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
            USING ERRCODE = 'lock_not_available', HINT = 'Run the script again when that has ended.';
    END IF;
END $ulid_move$;$s$;
    RETURN NEXT E'\n-- All as it was when this was written.';
    RETURN NEXT 'DROP TABLE IF EXISTS pg_temp.ulid_move_column, pg_temp.ulid_move_was;';
    RETURN NEXT 'CREATE TABLE pg_temp.ulid_move_column (bundle integer, rel text, att text, relid oid, number '
        'int2, type regtype);';
    RETURN NEXT 'CREATE TABLE pg_temp.ulid_move_was (bundle integer, identity text, hash bigint, lasting '
        'boolean, bridge text, told boolean NOT NULL DEFAULT false);';
    FOR bundle IN SELECT DISTINCT m.bundle FROM all_moved m ORDER BY 1 LOOP
        PERFORM set_config('ulid_move.bundle', bundle::text, true);
        RETURN NEXT 'INSERT INTO pg_temp.ulid_move_column VALUES '
            || (SELECT string_agg(format('(%s, %L, %L, %s, %s, %L)', bundle, rel::regclass, attname, rel, att,
                type), ', ' ORDER BY rel, att) FROM moved JOIN pg_attribute ON attrelid = rel AND attnum = att) || ';';
        RETURN NEXT 'INSERT INTO pg_temp.ulid_move_was VALUES' || (
            SELECT string_agg(format(E'\n    (%s, %L, %s, %L, %L)', bundle, l.identity,
                hashtextextended(l.definition COLLATE "C", 0), l.lasting, i.bridge), ',' ORDER BY l.identity)
            FROM pg_temp.ulid_move_look((SELECT array_agg(rel::regclass::text ORDER BY rel, att) FROM moved),
                    (SELECT array_agg(attname::text ORDER BY rel, att) FROM moved
                        JOIN pg_attribute ON attrelid = rel AND attnum = att)) l
                LEFT JOIN (SELECT u.identity, CASE way WHEN 'bridged' THEN qualified_bridge ELSE '' END
                    FROM move_index, LATERAL (SELECT concat_ws(' ', x.type, x.identity)
                        FROM pg_identify_object('pg_class'::regclass, index, 0) x
                        UNION ALL SELECT concat_ws(' ', x.type, x.identity)
                            FROM pg_identify_object('pg_constraint'::regclass, con, 0) x
                            WHERE con IS NOT NULL) u (identity)
                    WHERE way IN ('bridged', 'late')) i (identity, bridge) ON i.identity = l.identity) || ';';
    END LOOP;
    PERFORM set_config('ulid_move.bundle', '', true);
    FOR o IN SELECT regexp_replace(pg_get_functiondef(f), 'pg_temp_\d+\.', 'pg_temp.') AS definition
        FROM unnest(ARRAY['pg_temp.column_settings', 'pg_temp.column_properties', 'pg_temp.ulid_move_same',
            'pg_temp.ulid_move_look', 'pg_temp.ulid_move_is_begun', 'pg_temp.ulid_move_is_under_way',
            'pg_temp.ulid_move_check_names', 'pg_temp.ulid_move_check', 'pg_temp.ulid_move_is_there',
            'pg_temp.ulid_move_can_build', 'pg_temp.ulid_move_left']::regproc[]) f
    LOOP
        RETURN NEXT rtrim(o.definition, E'\n') || ';';
    END LOOP;

    RETURN NEXT E'\n\\echo Looking whether all is as it was when this was written';
    RETURN NEXT format($s$DO $ulid_move$
DECLARE
    what text; o record;
    begun boolean := pg_temp.ulid_move_is_begun(NULL);
    under_way boolean := pg_temp.ulid_move_is_under_way();
BEGIN
    SELECT string_agg(format('%%s is owned by %%s', oid::regclass, pg_get_userbyid(relowner)), E'\n') INTO what
    FROM pg_class WHERE oid IN (SELECT to_regclass(rel) FROM pg_temp.ulid_move_column)
        AND NOT pg_has_role(relowner, 'USAGE');
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'permission denied' USING ERRCODE = 'insufficient_privilege', DETAIL = what;
    END IF;
    PERFORM pg_temp.ulid_move_check_names();
    FOR o IN SELECT bundle, count(*) FILTER (WHERE atttypid <> %1$L::regtype) = 0 AS switched,
            string_agg(format('%%s.%%I is of type %%s', rel, att, format_type(atttypid, atttypmod)),
                E'\n') FILTER (WHERE atttypid NOT IN (%1$L::regtype, %2$L::regtype)) AS other,
            string_agg(format('%%s.%%I is of type none: it is not there', rel, att),
                E'\n') FILTER (WHERE atttypid IS NULL) AS gone
        FROM pg_temp.ulid_move_column LEFT JOIN pg_attribute ON attrelid = to_regclass(rel) AND attname = att
            AND NOT attisdropped GROUP BY bundle ORDER BY bundle
    LOOP
        what := concat_ws(E'\n', o.other, CASE WHEN NOT o.switched AND NOT under_way THEN o.gone END);
        IF what <> '' AND NOT begun THEN
            RAISE EXCEPTION 'not as it was when this was written' USING DETAIL = what,
                HINT = 'Write the script again.';
        END IF;
        IF NOT o.switched THEN
            -- a bundle that was begun comes to its end before this stops at another
            IF NOT begun OR pg_temp.ulid_move_is_begun(o.bundle) THEN
                PERFORM pg_temp.ulid_move_check(o.bundle, false);
            END IF;
        ELSIF o.gone IS NOT NULL THEN
            FOR what IN SELECT format('%%s.%%I', rel, att) FROM pg_temp.ulid_move_column WHERE bundle = o.bundle
                AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass(rel) AND attname = att
                    AND NOT attisdropped)
            LOOP
                RAISE WARNING 'table column %% is gone, and is left out', what;
            END LOOP;
        END IF;
    END LOOP;
    SELECT string_agg(DISTINCT format('%%s is locked by the prepared transaction %%L', r.relation::regclass,
        gid), E'\n') INTO what
    FROM pg_locks r JOIN pg_locks t ON t.locktype = 'transactionid' AND t.pid IS NULL
        AND t.virtualtransaction = r.virtualtransaction
        JOIN pg_prepared_xacts ON transaction = t.transactionid
    WHERE r.pid IS NULL AND r.relation IN (SELECT to_regclass(rel) FROM pg_temp.ulid_move_column)
        AND r.database = (SELECT oid FROM pg_database WHERE datname = current_database());
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'a prepared transaction uses the tables' USING ERRCODE = 'lock_not_available',
            DETAIL = what,
            HINT = 'Commit it or roll it back, and run the script again.';
    END IF;
END $ulid_move$;$s$, type, other);
END $f$;

-- The script for a bundle.
CREATE FUNCTION pg_temp.script(which integer) RETURNS SETOF text LANGUAGE plpgsql AS $f$
DECLARE
    setting record; o record; down record; work text; done text; tables regclass[]; type text;
        version integer := current_setting('server_version_num');
    keyed oid[]; marker text;
    foreign_keys oid[]; checks oid[]; functions oid[]; policies oid[]; triggers oid[]; rules oid[];
        generated oid[]; publications oid[];
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
    SELECT array_agg(d) INTO publications FROM pg_temp.dependents('pg_publication_rel') d;

    IF (SELECT max(bundle) FROM all_moved) > 1 THEN
        RETURN NEXT E'\n' || pg_temp.line(format('-- Bundle %s of %s: %s', which, (SELECT max(bundle)
            FROM all_moved), (SELECT string_agg(format('%s.%s', rel::regclass, pg_temp.column_name(rel, att)),
            ', ' ORDER BY rel::regclass::text, att) FROM moved)));
    END IF;

    -- Whether all the columns of this bundle are of the type.
    done := format('NOT EXISTS (SELECT FROM pg_attribute JOIN (VALUES %s) v (rel, att) ON attrelid = '
        'to_regclass(rel) AND attname = att WHERE atttypid <> %L::regtype)',
        (SELECT string_agg(format('(%L, %L)', rel::regclass, attname), ', ' ORDER BY rel, att) FROM moved
            JOIN pg_attribute ON attrelid = rel AND attnum = att), type);

    -- 1
    RETURN NEXT E'\n-- 1. Indexes that outlive the change of type, built while the application writes.';
    RETURN NEXT format(E'SELECT NOT (%s) AS before \\gset\n\\if :before\nDO $ulid_move$ BEGIN PERFORM '
        'pg_temp.ulid_move_check(%s, false); END $ulid_move$;', done, which);
    FOR o IN SELECT * FROM move_index WHERE way = 'bridged' ORDER BY pg_relation_size(index), qualified LOOP
        RETURN NEXT pg_temp.build_bridge(o.index, o.name, o.qualified_bridge,
            pg_temp.bridge_definition(o.index, o.bridge));
    END LOOP;
    RETURN NEXT '\endif';

    -- 2
    RETURN NEXT E'\n-- 2. The switch, in one transaction that reads no row of the tables but for what the '
        'notes say.';
    SELECT * INTO down FROM pg_temp.taken_down(functions, (SELECT array_agg(view ORDER BY level DESC, view)
        FROM move_view), policies, rules);
    work := '';
    FOR o IN SELECT pubname, prrelid, p.oid FROM pg_publication_rel p JOIN pg_publication b ON b.oid = prpubid
        WHERE p.oid = ANY (publications) LOOP
        work := work || pg_temp.about('pg_publication_rel', o.oid, 0,
            format(E'ALTER PUBLICATION %I DROP TABLE ONLY %s;\n', o.pubname, o.prrelid::regclass));
    END LOOP;
    FOR o IN SELECT oid, tgname, tgrelid FROM pg_trigger WHERE oid = ANY (triggers) ORDER BY 2, 1 LOOP
        work := work || pg_temp.about('pg_trigger', o.oid, 0,
            format(E'DROP TRIGGER %I ON %s;\n', o.tgname, o.tgrelid::regclass));
    END LOOP;
    work := work || down.rest;
    FOR o IN SELECT conrelid, conname, oid FROM pg_constraint WHERE oid = ANY (foreign_keys || checks)
        ORDER BY contype DESC, 1, 2 LOOP
        work := work || pg_temp.about('pg_constraint', o.oid, 0,
            format(E'ALTER TABLE %s DROP CONSTRAINT %I;\n', o.conrelid::regclass, o.conname));
    END LOOP;
    FOR o IN SELECT * FROM move_index WHERE way IN ('bridged', 'late') ORDER BY qualified LOOP
        work := work || pg_temp.about('pg_class', o.rel, 0, CASE
            WHEN o.con IS NULL THEN format(E'DROP INDEX IF EXISTS %s;\n', o.qualified)
            ELSE format(E'ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I;\nDROP INDEX IF EXISTS %s;\n',
                o.rel::regclass, o.name, o.qualified) END);
    END LOOP;
    -- what the server cannot make again by itself: an operator is not found by its name alone
    FOR o IN SELECT * FROM move_index WHERE pg_temp.is_made_again(index) ORDER BY qualified LOOP
        work := work || pg_temp.about('pg_class', o.index, 0, CASE WHEN o.con IS NULL
            THEN format(E'DROP INDEX %s;\n', o.qualified)
            ELSE format(E'ALTER TABLE %s DROP CONSTRAINT %I;\n', o.rel::regclass, o.name) END);
    END LOOP;
    FOR o IN SELECT oid, adrelid, adnum FROM pg_attrdef WHERE oid = ANY (generated) ORDER BY 2, 3 LOOP
        work := work || pg_temp.about('pg_attrdef', o.oid, 0, format(CASE pg_temp.generated_way(o.oid)
            WHEN 'again' THEN E'ALTER TABLE %s DROP COLUMN %s;\n'
            ELSE E'ALTER TABLE %s ALTER COLUMN %s SET EXPRESSION AS (NULL);\n' END, o.adrelid::regclass,
                pg_temp.column_name(o.adrelid, o.adnum)));
    END LOOP;
    FOR o IN
        SELECT rel, string_agg(pg_temp.about('pg_class', rel, att,
            concat(CASE WHEN expression IS NOT NULL THEN format(E'    ALTER COLUMN %s DROP DEFAULT,\n',
            name) END,
            format('    ALTER COLUMN %s TYPE %s', name, type),
            CASE WHEN expression IS NOT NULL THEN format(E',\n    ALTER COLUMN %s SET DEFAULT %s', name,
                pg_temp.default_of(rel, att, type::regtype, true)) END)), E',\n' ORDER BY att) AS changes
        FROM (SELECT moved.*, atttypid, pg_temp.column_name(rel, att) AS name,
            pg_get_expr(adbin, adrelid) AS expression
            FROM moved JOIN pg_attribute ON attrelid = rel AND attnum = att
                LEFT JOIN pg_attrdef ON adrelid = rel AND adnum = att WHERE root) c
        GROUP BY rel ORDER BY rel::regclass::text
    LOOP
        work := concat(work, pg_temp.about('pg_class', o.rel, 0, format(E'ALTER TABLE %s\n', o.rel::regclass)),
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
        work := work || pg_temp.about('pg_class', o.rel, o.att,
            format(E'ALTER TABLE ONLY %s ALTER COLUMN %s %s;\n', o.rel::regclass,
            pg_temp.column_name(o.rel, o.att),
            COALESCE('SET DEFAULT ' || o.expression, 'DROP DEFAULT')));
    END LOOP;
    FOR o IN SELECT d.oid, adrelid::regclass AS rel, pg_temp.column_name(adrelid, adnum) AS name,
        pg_get_expr(adbin, adrelid) AS expression, a.* FROM pg_attrdef d
        JOIN pg_attribute a ON attrelid = adrelid AND attnum = adnum WHERE d.oid = ANY (generated)
            ORDER BY adrelid, adnum
    LOOP
        work := work || pg_temp.about('pg_attrdef', o.oid, 0, CASE pg_temp.generated_way(o.oid)
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
        work := work || pg_temp.about('pg_class', o.rel, 0, CASE WHEN o.con IS NULL
            THEN pg_temp.index_definition(o.index, false)
                ELSE pg_temp.copy_key(o.con, o.rel::regclass::text) END);
    END LOOP;
    -- the server makes the indexes of partitions anew with names of its own
    work := concat(work, pg_temp.anyway(pg_temp.partition_index_names()));
    SELECT concat(work, string_agg(pg_temp.about('pg_class', index, 0, concat(
            -- its partitions' got the comment of an index too
            CASE WHEN EXISTS (SELECT FROM pg_inherits
                WHERE inhrelid = index) THEN format(E'COMMENT ON INDEX %s IS NULL;\n', qualified)
                || COALESCE(pg_temp.partition_index_options(index), '') END, pg_temp.index_properties(index),
                pg_temp.comment('pg_constraint', con, 0, format('CONSTRAINT %I ON %s', name, rel::regclass)),
            CASE WHEN indisreplident THEN format(E'ALTER TABLE %s REPLICA IDENTITY USING INDEX %I;\n',
                rel::regclass, name) END)), '' ORDER BY qualified)) INTO work
        FROM move_index JOIN pg_index ON indexrelid = index WHERE way = 'locked';
    -- the server makes statistics anew with the type, but leaves out their target
    FOR o IN SELECT x.oid, format('%I.%I', nspname, stxname) AS name, stxstattarget FROM pg_statistic_ext x
        JOIN pg_namespace n ON n.oid = stxnamespace
        WHERE stxstattarget >= 0 AND x.oid IN (SELECT pg_temp.dependents('pg_statistic_ext'))
    LOOP
        work := work || pg_temp.about('pg_statistic_ext', o.oid, 0,
            format(E'ALTER STATISTICS %s SET STATISTICS %s;\n', o.name, o.stxstattarget));
    END LOOP;
    FOR o IN SELECT move_index.rel, bridge FROM move_index JOIN pg_index ON indexrelid = index
        JOIN pg_class t ON t.oid = rel
        WHERE way = 'bridged' AND (relreplident = 'd' AND indisprimary OR relreplident = 'i' AND indisreplident)
    LOOP
        work := work || pg_temp.about_bridge(o.rel, o.bridge,
            format(E'ALTER TABLE %s REPLICA IDENTITY USING INDEX %I;\n', o.rel::regclass, o.bridge));
    END LOOP;
    FOR o IN SELECT rel, name, bridge, qualified_bridge,
        substring(pg_temp.build_bridge(index, '', qualified_bridge, pg_temp.bridge_definition(index, bridge))
        FROM '\(ulid_move.sql, .*?\)') AS mark
        FROM move_index WHERE way = 'bridged' ORDER BY qualified
    LOOP
        work := work || pg_temp.about_bridge(o.rel, o.bridge,
            format(E'COMMENT ON INDEX %s IS %L;\n', o.qualified_bridge,
            format('In the place of %s until that is built again. %s', o.name, o.mark)));
    END LOOP;
    FOR o IN SELECT pg_temp.constraint_definition(c.oid) AS definition FROM pg_constraint c
        WHERE c.oid = ANY (foreign_keys || checks) ORDER BY contype, conrelid::regclass::text, conname LOOP
        work := work || o.definition;
    END LOOP;
    -- which the children get from it, but for their comments
    SELECT concat(work, string_agg(pg_temp.about('pg_constraint', c.oid, 0,
        pg_temp.comment('pg_constraint', c.oid, 0, format('CONSTRAINT %I ON %s', conname, conrelid::regclass))),
        '' ORDER BY conrelid, conname)) INTO work
        FROM pg_constraint c WHERE contype = 'c' AND coninhcount > 0
            AND c.oid IN (SELECT pg_temp.dependents('pg_constraint'));
    FOR o IN SELECT view FROM move_view ORDER BY level, view LOOP
        work := work || pg_temp.view_definition(o.view);
    END LOOP;
    FOR o IN SELECT oid, pg_temp.as_target(pg_get_functiondef(p.oid), 'pg_proc', p.oid) AS definition
        FROM pg_proc p
        WHERE p.oid = ANY (functions) LOOP
        work := work || pg_temp.about('pg_proc', o.oid, 0,
            concat(rtrim(o.definition, E'\n'), E';\n', pg_temp.goes_with('pg_proc', o.oid, 'ROUTINE '
            || o.oid::regprocedure)));
    END LOOP;
    SELECT concat(work, string_agg(pg_temp.refresh(view), '' ORDER BY level, view)) INTO work FROM move_view;
    SELECT concat(work, string_agg(pg_temp.rule_definition(oid), '' ORDER BY ev_class, rulename)) INTO work
        FROM pg_rewrite WHERE oid = ANY (rules);
    FOR o IN SELECT pg_temp.trigger_definition(g) AS definition FROM unnest(triggers) g
        UNION ALL SELECT pg_temp.policy_definition(p) FROM unnest(policies) p
    LOOP
        work := work || o.definition;
    END LOOP;
    -- a trigger of a partition can be on where that of its table is off
    FOR o IN SELECT pg_temp.about('pg_trigger', g.oid, 0,
        format(E'ALTER TABLE %s %s TRIGGER %I;\n', g.tgrelid::regclass,
            CASE g.tgenabled WHEN 'O' THEN 'ENABLE' WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS'
                ELSE 'ENABLE REPLICA' END, g.tgname)) AS definition
        FROM pg_trigger g JOIN pg_trigger above ON above.oid = g.tgparentid
        WHERE NOT g.tgisinternal AND g.tgenabled <> above.tgenabled
            AND g.oid IN (SELECT pg_temp.dependents('pg_trigger'))
        ORDER BY (SELECT count(*) FROM pg_partition_ancestors(g.tgrelid)), g.tgrelid, g.tgname
    LOOP
        work := work || o.definition;
    END LOOP;
    FOR o IN SELECT p.oid, pubname, prrelid, pg_get_expr(prqual, prrelid) AS filter,
            (SELECT string_agg(pg_temp.column_name(prrelid, c), ', ' ORDER BY n)
                FROM unnest(prattrs) WITH ORDINALITY u (c, n)) AS columns
        FROM pg_publication_rel p JOIN pg_publication b ON b.oid = prpubid WHERE p.oid = ANY (publications)
    LOOP
        work := work || pg_temp.about('pg_publication_rel', o.oid, 0,
            concat(format('ALTER PUBLICATION %I ADD TABLE ONLY %s', o.pubname, o.prrelid::regclass), ' ('
            || o.columns || ')',
            ' WHERE (' || o.filter || ')', E';\n'));
    END LOOP;
    -- without one definition the switch would do nothing, and say that it is done
    IF work IS NULL THEN
        RAISE EXCEPTION 'a definition of bundle % could not be read', which;
    END IF;
    SELECT array_agg(t ORDER BY t::text) INTO tables FROM (
        SELECT DISTINCT x.rel::regclass AS t FROM (SELECT rel FROM moved
            UNION SELECT conrelid FROM pg_constraint WHERE oid = ANY (foreign_keys)
                UNION SELECT confrelid FROM pg_constraint WHERE oid = ANY (foreign_keys)
            UNION SELECT polrelid FROM pg_policy WHERE oid = ANY (policies) UNION SELECT tgrelid FROM pg_trigger
                WHERE oid = ANY (triggers)
            UNION SELECT ev_class FROM pg_rewrite WHERE oid = ANY (rules)) x) y;
    RETURN NEXT pg_temp.step(format('Changing the type to %s, %s of %s: %s', setting.target, which,
        (SELECT max(bundle) FROM all_moved),
            (SELECT string_agg(DISTINCT rel::regclass::text, ', ' ORDER BY rel::regclass::text) FROM moved)),
        format('NOT (%s)', done), pg_temp.transaction(done, tables, ARRAY(SELECT view::regclass FROM move_view
        JOIN pg_class ON oid = view WHERE relkind = 'v' ORDER BY level DESC, view), down.first, work));

    -- 3
    RETURN NEXT E'-- 3. Statistics, which went with the type, and the keys, each attached as soon as it is '
        'built.';
    FOR o IN SELECT rel, array_agg(attname ORDER BY att) AS columns FROM (SELECT rel, att FROM moved WHERE root
            UNION SELECT refobjid, refobjsubid FROM pg_depend WHERE classid = 'pg_statistic_ext'::regclass
                AND refclassid = 'pg_class'::regclass AND refobjsubid > 0
                AND refobjid IN (SELECT rel FROM moved WHERE root)) c
        JOIN pg_attribute ON attrelid = rel AND attnum = att GROUP BY rel ORDER BY rel::regclass::text
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
            format(E'SELECT format(''ANALYZE %%s (%%s)'', %1$L, string_agg(quote_ident(attname), '', ''))\n'
                'FROM pg_attribute WHERE attrelid = to_regclass(%1$L) AND attname = ANY (%2$L) HAVING '
                    'count(*) > 0 \\gexec',
                o.rel::regclass, o.columns));
    END LOOP;
    keyed := ARRAY(SELECT rel FROM move_index WHERE way = 'bridged' AND is_unique
        GROUP BY rel ORDER BY max(pg_relation_size(index)), rel::regclass::text);
    marker := COALESCE((SELECT min(qualified_bridge) FROM move_index WHERE way = 'bridged' AND NOT is_unique),
        (SELECT min(qualified_bridge) FROM move_index
            WHERE way = 'bridged' AND rel = keyed[cardinality(keyed)]));
    FOR o IN SELECT rel, n = cardinality(keyed) AND marker IN (SELECT qualified_bridge FROM move_index
        WHERE is_unique) AS with_late
        FROM unnest(keyed) WITH ORDINALITY u (rel, n) ORDER BY n
    LOOP
        RETURN QUERY SELECT pg_temp.build_again(index, qualified_bridge) FROM move_index
            WHERE way = 'bridged' AND is_unique AND rel = o.rel ORDER BY con IS NULL, qualified;
        -- these have no bridge: they are built while that of a key tells that the move is not over
        RETURN QUERY SELECT pg_temp.build_again(index, marker) FROM move_index
            WHERE o.with_late AND way = 'late' ORDER BY qualified;
        SELECT string_agg(pg_temp.about('pg_constraint', oid, 0,
            format(E'ALTER TABLE %s DROP CONSTRAINT %I;\n', conrelid::regclass, conname)), '' ORDER BY conrelid,
            conname) INTO work
            FROM pg_constraint WHERE oid = ANY (foreign_keys) AND confrelid = o.rel;
        SELECT concat(work, string_agg(pg_temp.about('pg_class', index, 0, concat(
                format(E'ALTER TABLE %s ADD CONSTRAINT %I %s USING INDEX %2$I;\n', o.rel::regclass,
                    name, CASE contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END),
                pg_temp.comment('pg_constraint', con, 0,
                    format('CONSTRAINT %I ON %s', name, o.rel::regclass)))), '' ORDER BY contype, name))
                    INTO work
            FROM move_index JOIN pg_constraint c ON c.oid = con WHERE way = 'bridged' AND rel = o.rel;
        SELECT concat(work, string_agg(pg_temp.about('pg_class', index, 0, CASE relreplident
            WHEN 'd' THEN format(E'ALTER TABLE %s REPLICA IDENTITY DEFAULT;\n', o.rel::regclass)
                ELSE format(E'ALTER TABLE %s REPLICA IDENTITY USING INDEX %I;\n', o.rel::regclass, name) END),
                    '')) INTO work
            FROM move_index JOIN pg_index ON indexrelid = index JOIN pg_class t ON t.oid = rel
            WHERE way = 'bridged' AND rel = o.rel AND (relreplident = 'd' AND indisprimary OR relreplident = 'i'
                AND indisreplident);
        SELECT concat(work, pg_temp.anyway(string_agg(format(E'DROP INDEX IF EXISTS %s;\n', qualified_bridge),
            '' ORDER BY qualified_bridge))) INTO work
            FROM move_index WHERE way = 'bridged' AND is_unique AND rel = o.rel;
        SELECT concat(work, string_agg(pg_temp.constraint_definition(c.oid), '' ORDER BY conrelid, conname))
            INTO work
            FROM pg_constraint c WHERE c.oid = ANY (foreign_keys) AND confrelid = o.rel;
        SELECT array_agg(DISTINCT t::regclass) INTO tables
            FROM (SELECT o.rel UNION SELECT conrelid FROM pg_constraint
                WHERE oid = ANY (foreign_keys) AND confrelid = o.rel) x (t);
        -- nothing needs the bridges any more, or, where the switch was never made, not yet
        SELECT format('NOT EXISTS (SELECT FROM pg_constraint WHERE conindid IN (%1$s)) AND NOT EXISTS (SELECT '
            'FROM pg_index WHERE indisreplident AND indexrelid IN (%1$s))'
                ' AND NOT EXISTS (SELECT FROM unnest(%2$L::text[]) k WHERE to_regclass(k) IS NOT NULL AND NOT '
                    'EXISTS (SELECT FROM pg_constraint WHERE contype IN (''p'', ''u'') AND conindid = '
                    'to_regclass(k)))',
                string_agg(format('to_regclass(%L)', qualified_bridge), ', '),
                    COALESCE(array_agg(qualified) FILTER (WHERE con IS NOT NULL), '{}')) INTO done
            FROM move_index WHERE way = 'bridged' AND is_unique AND rel = o.rel;
        RETURN NEXT pg_temp.step(format('Attaching the keys of %s', o.rel::regclass), format('NOT (%s)', done),
            pg_temp.transaction(done, tables, NULL, '', work));
    END LOOP;

    -- 4
    RETURN NEXT E'\n-- 4. The other indexes, built while the application writes.';
    -- which says what is gone
    RETURN NEXT format(E'DO $ulid_move$ BEGIN\n    IF pg_temp.ulid_move_is_begun(%1$s) THEN PERFORM '
        'pg_temp.ulid_move_check(%1$s, true); '
        'END IF;\nEND $ulid_move$;', which);
    RETURN QUERY SELECT pg_temp.build_again(index, COALESCE(CASE WHEN NOT is_unique THEN qualified_bridge END,
        marker)) FROM move_index
        WHERE way = 'bridged' AND NOT is_unique OR way = 'late' ORDER BY pg_relation_size(index), qualified;
    FOR o IN SELECT * FROM move_index WHERE way = 'bridged' ORDER BY qualified LOOP
        RETURN NEXT format('DROP INDEX CONCURRENTLY IF EXISTS %s;', o.qualified_bridge);
    END LOOP;

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
