-- The script for tables that are copied: the copies, the rows, the switch, and what is left to do.

-- A step that is done once, in one transaction.
CREATE FUNCTION pg_temp.copy_once(done text, work text) RETURNS text LANGUAGE sql STABLE AS $f$
    SELECT format(pg_temp.tagged($template$DO $ulid_move$
BEGIN
    IF %s THEN
        RETURN;
    END IF;
    EXECUTE $ulid_move_work$
%s$ulid_move_work$;
END $ulid_move$;
$template$), done, work)
$f$;

-- Takes away a schema of the move, unless another move has something in it.
CREATE FUNCTION pg_temp.copy_clear(schema text) RETURNS text LANGUAGE sql STABLE AS $f$
    SELECT format(pg_temp.tagged($template$DO $ulid_move_clear$
BEGIN
    IF to_regclass(%2$L) IS NOT NULL THEN
        DELETE FROM %1$s.ulid_move_progress
            WHERE to_regclass(%3$L || quote_ident((parse_ident(table_name))[2])) IS NULL;
        DELETE FROM %1$s.ulid_move_left
            WHERE to_regclass(%3$L || quote_ident((parse_ident(table_name))[2])) IS NULL;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace(%4$L) AND relkind IN ('r', 'p')
        AND relname NOT IN ('ulid_move_progress', 'ulid_move_left')) THEN
        DROP TABLE IF EXISTS %1$s.ulid_move_progress, %1$s.ulid_move_left;
        DROP SCHEMA IF EXISTS %1$s;
    END IF;
END $ulid_move_clear$;
$template$), schema, schema || '.ulid_move_progress', schema || '.', schema)
$f$;

-- Drops a copy, with what keeps it in step.
CREATE FUNCTION pg_temp.copy_drop(of oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT string_agg(format(E'DROP FUNCTION IF EXISTS %1$s() CASCADE;\nDROP TABLE IF EXISTS %1$s CASCADE;\n'
        'DROP FUNCTION IF EXISTS %1$s(text[], text[], integer);\nDROP FUNCTION IF EXISTS %1$s(text[], text[]);\n',
        work), '' ORDER BY level, work) FROM copied WHERE root = of
$$;

-- The script for the tables that are copied.
CREATE FUNCTION pg_temp.copy_script() RETURNS SETOF text LANGUAGE plpgsql AS $f$
DECLARE
    setting record; o record; done text := 'pg_temp.ulid_move_is_done(0)'; body text;
        late text := ''; guards text := ''; tables text[]; columns text; schemas text;
        mark text;
    version integer := current_setting('server_version_num');
    foreign_keys oid[]; functions oid[]; policies oid[]; rules oid[];
BEGIN
    IF NOT EXISTS (SELECT FROM copied) THEN
        RETURN;
    END IF;
    SELECT * INTO setting FROM ulid_move_setting;
    SELECT array_agg(c.oid) INTO foreign_keys FROM pg_constraint c WHERE contype = 'f' AND conparentid = 0
        AND (conrelid IN (SELECT rel FROM copied) OR confrelid IN (SELECT rel FROM copied));
    SELECT array_agg(d) INTO functions FROM pg_temp.copy_dependents('pg_proc') d;
    SELECT array_agg(policy) INTO policies FROM copied_policy;
    -- that of a view is made again with it
    SELECT array_agg(d) INTO rules FROM pg_temp.copy_dependents('pg_rewrite') d JOIN pg_rewrite w ON w.oid = d
        WHERE rulename <> '_RETURN' AND ev_class NOT IN (SELECT view FROM copied_view);
    SELECT string_agg(DISTINCT work_schema, ', ') INTO schemas FROM copied;

    RETURN NEXT format(pg_temp.tagged($s$CREATE OR REPLACE FUNCTION pg_temp.check_copies() RETURNS text
        LANGUAGE plpgsql AS $ulid_move$
DECLARE
    tables CONSTANT text[] := %1$L; what text;
BEGIN
    -- DISABLE TRIGGER ALL and ENABLE TRIGGER ALL, as of a restore or of fixtures, leave them not as they were made
    SELECT string_agg('table ' || name, E'\n') INTO what FROM unnest(tables) name, LATERAL (
        SELECT count(*) AS triggers, count(*) FILTER (WHERE tgenabled = 'A') AS working FROM pg_trigger
        WHERE tgrelid = to_regclass(name) AND tgname ~ '^ulid_move_(insert|update|delete|truncate)$') g
    WHERE triggers <> working OR triggers NOT IN (0, 4) OR triggers = 0 AND name IN (%4$s);
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'triggers that keep a copy in step are gone, or were off: it misses what was written meanwhile'
            USING DETAIL = what, HINT = 'Begin anew: ' || %2$L;
    END IF;
    -- what is another after a change of values that no trigger is told of: a column, a partition, a trigger
    RETURN (SELECT md5(string_agg(s::text, ',' ORDER BY s::text)) FROM (
        SELECT name, attrelid, attnum, a.xmin FROM unnest(tables || %5$L) name JOIN pg_attribute a
            ON attrelid = to_regclass(name)
        UNION ALL SELECT name, inhrelid, NULL, i.xmin FROM unnest(tables) name JOIN pg_inherits i
            ON inhrelid = to_regclass(name)
        UNION ALL SELECT tgname, tgrelid, NULL, g.xmin FROM unnest(tables) name JOIN pg_trigger g
            ON tgrelid = to_regclass(name) AND tgname LIKE 'ulid\_move\_%%') s);
END $ulid_move$;
SELECT %3$s AS done \gset
\if :done
\else
DO $ulid_move$ BEGIN PERFORM pg_temp.ulid_move_check(0); END $ulid_move$;
\endif$s$), ARRAY(SELECT home FROM copied), format('DROP SCHEMA %s CASCADE.', schemas), done,
        (SELECT string_agg(DISTINCT format('SELECT table_name FROM %s.ulid_move_progress WHERE copied IS NOT NULL',
            work_schema), ' UNION ALL ') FROM copied), ARRAY(SELECT work FROM copied));

    -- 1
    RETURN NEXT E'\n-- 1. Copies without rows, of the new type.';
    FOR o IN SELECT c.*, pg_temp.qualified(rel, pg_temp.name_with('', relname, '_ulid_move')) AS index,
        pg_temp.name_with('', relname, '_ulid_move') AS index_name
        FROM copied c JOIN pg_class i ON i.oid = rel
        WHERE c.relkind = 'r' AND setting.target <> 'uuid' AND EXISTS (SELECT FROM copied_column x
            WHERE x.rel = c.root AND x.name = ANY (key) AND x.moves AND x.type <> 'pg_catalog.uuid')
        ORDER BY c.home
    LOOP
        late := late || format(E'DROP INDEX IF EXISTS %s;\n', o.index);
        -- which a script has made that was stopped before it made a copy
        guards := guards || format(' OR EXISTS (SELECT FROM pg_index JOIN pg_opclass o ON o.oid = ANY (indclass) WHERE '
            'indexrelid = to_regclass(%L) AND indexprs IS NOT NULL AND opcname = ''ulid_ops'')', o.index);
        CONTINUE WHEN setting.target <> 'ulid';
        -- in which no two keys are the same as ulid
        RETURN NEXT E'\\if :done\n\\else\n' || pg_temp.build_index(o.index,
            format(E'CREATE UNIQUE INDEX CONCURRENTLY %I ON %s (%s);\n', o.index_name, o.home,
            pg_temp.copy_key_list(o.root, '(%8$s)', ', ')), '', NULL) || '\endif';
    END LOOP;
    RETURN NEXT (SELECT pg_temp.step('Making the schemas ' || schemas, format('NOT (%s)', done),
        pg_temp.copy_once(done, string_agg(DISTINCT format(
        E'CREATE SCHEMA IF NOT EXISTS %s;\nGRANT ALL ON SCHEMA %1$s TO %I;\nCREATE SCHEMA IF NOT EXISTS '
            '%s;\nGRANT ALL ON SCHEMA %3$s TO %2$I;\n'
        'CREATE TABLE IF NOT EXISTS %1$s.ulid_move_progress (table_name text PRIMARY KEY, low text[], high '
            'text[], copied '
            'bigint, ended xid8);\n'
        'CREATE TABLE IF NOT EXISTS %1$s.ulid_move_left (table_name text, low text[], high text[]);\n'
        -- for a publication of all tables
        'ALTER TABLE %1$s.ulid_move_left REPLICA IDENTITY FULL;\n',
        work_schema, pg_get_userbyid(relowner), gone_schema), ''))) FROM copied JOIN pg_class ON oid = rel);
    FOR o IN SELECT * FROM copied WHERE rel = root ORDER BY home LOOP
        SELECT string_agg(pg_temp.copy_create(rel), '' ORDER BY level, home) || pg_temp.copy_sync(o.root)
            || string_agg(CASE WHEN relkind = 'r' THEN pg_temp.copy_batch(rel)
                || format(E'INSERT INTO %s.ulid_move_progress VALUES (%L, NULL, NULL, NULL, NULL);\n', work_schema,
                    home)
                ELSE '' END, '' ORDER BY level, home)
            INTO body FROM copied WHERE root = o.root;
        -- the copy has what was written when it was made, by this script or one before it that was the same in that, of
        -- the table and the partitions that are there, and not of such in whose place a dump was restored since
        mark := format('''Made by '' || md5(%L || ARRAY(SELECT to_regclass(name)::oid '
            'FROM unnest(%L::text[]) name)::text)',
            md5(replace(body, current_setting('ulid_move.tag'), '')), ARRAY(SELECT home FROM copied WHERE root = o.root
            ORDER BY level, home));
        RETURN NEXT pg_temp.step(format('Dropping %s, as its table is another or was changed since', o.work),
            format('NOT (%s) AND COALESCE(obj_description(to_regprocedure(%L), ''pg_proc'') <> %s, false)', done,
                o.work || '()', mark),
            pg_temp.transaction(NULL, ARRAY[o.home], NULL, pg_temp.copy_drop(o.root) || (
                SELECT string_agg(format(E'DELETE FROM %1$s.ulid_move_progress WHERE table_name = %2$L;\n'
                'DELETE FROM %1$s.ulid_move_left WHERE table_name = %2$L;\n', work_schema, home), '')
                FROM copied WHERE root = o.root)));
        body := body || format(pg_temp.tagged(E'DO $ulid_move_mark$ BEGIN EXECUTE concat(%L, quote_literal(%s)); END '
            '$ulid_move_mark$;\n'), format('COMMENT ON FUNCTION %s() IS ', o.work), mark);
        RETURN NEXT pg_temp.step('Making ' || o.work, format('NOT (%s OR to_regclass(%L) IS NOT NULL)', done,
            o.work), pg_temp.copy_once(format('%s OR to_regclass(%L) IS NOT NULL', done, o.work),
            format(pg_temp.tagged(E'DO $ulid_move_gone$ BEGIN IF to_regclass(%1$L) IS NOT NULL THEN RAISE '
                'EXCEPTION ''%%'', %2$L USING HINT = %3$L; END IF; END $ulid_move_gone$;\n'), o.gone,
                format('%s is there, from an earlier move', o.gone),
                    format('Drop it, when you are sure of that: DROP SCHEMA %s CASCADE.', o.gone_schema))
                    || body));
    END LOOP;
    RETURN NEXT E'\\if :done\n\\else\nDO $$ BEGIN PERFORM pg_temp.check_copies(); END $$;\n\\endif';

    -- 2
    RETURN NEXT '-- 2. From here on every statement of a client writes to both.';
    FOR o IN SELECT * FROM copied WHERE rel = root ORDER BY home LOOP
        SELECT string_agg(format(E'CREATE TRIGGER ulid_move_insert AFTER INSERT ON %1$s REFERENCING NEW TABLE '
            'AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION %2$s();\n'
                'CREATE TRIGGER ulid_move_update AFTER UPDATE ON %1$s REFERENCING OLD TABLE AS old_rows NEW '
                    'TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION %2$s();\n'
                'CREATE TRIGGER ulid_move_delete AFTER DELETE ON %1$s REFERENCING OLD TABLE AS old_rows FOR '
                    'EACH STATEMENT EXECUTE FUNCTION %2$s();\n'
                'CREATE TRIGGER ulid_move_truncate AFTER TRUNCATE ON %1$s FOR EACH STATEMENT EXECUTE FUNCTION '
                    '%2$s(%3$L);\n'
                'ALTER TABLE %1$s ENABLE ALWAYS TRIGGER ulid_move_insert, ENABLE ALWAYS TRIGGER '
                    'ulid_move_update, ENABLE ALWAYS TRIGGER ulid_move_delete, ENABLE ALWAYS TRIGGER '
                    'ulid_move_truncate;\n',
                home, o.work, CASE WHEN rel = root THEN 'all' ELSE 'part' END), '' ORDER BY level DESC, home)
            -- who applies what is replicated fires no trigger of a statement, and has no query
            || format(E'CREATE TRIGGER ulid_move_apply AFTER INSERT OR UPDATE OR DELETE ON %1$s FOR EACH ROW '
                'WHEN (pg_catalog.current_query() IS NULL) EXECUTE FUNCTION %2$s();\n'
                'ALTER TABLE %1$s ENABLE REPLICA TRIGGER ulid_move_apply;\n', o.home, o.work)
            -- which tells that they were there
            || string_agg(format(E'UPDATE %s.ulid_move_progress SET copied = 0 WHERE table_name = %L;\n', work_schema,
                home), '')
                    INTO body FROM copied WHERE root = o.root;
        columns := format('%s OR EXISTS (SELECT FROM pg_trigger WHERE tgrelid = to_regclass(%L) AND tgname '
            '= ''ulid_move_insert'')',
            done, o.home);
        RETURN NEXT pg_temp.step(format('Keeping %s in step', o.work), format('NOT (%s)', columns),
            pg_temp.transaction(NULL, ARRAY[o.home], NULL, body));
    END LOOP;

    -- 3
    RETURN NEXT '-- 3. The rows from before, in batches, each a transaction.';
    RETURN NEXT 'SET synchronous_commit = off;';
    FOR o IN SELECT c.* FROM copied c WHERE relkind = 'r' ORDER BY home LOOP
        RETURN NEXT pg_temp.step('Copying ' || o.home, format('NOT (%s)', done),
            pg_temp.copy_rows(o.rel, done));
    END LOOP;
    RETURN NEXT 'RESET synchronous_commit;';

    -- 4
    RETURN NEXT E'\n-- 4. The other indexes, and statistics, while the application writes.\n\\if :done\n\\else';
    -- those that a script before this one has built for others than there are now
    FOR o IN SELECT work, 'Indexes ' || md5(COALESCE((SELECT string_agg(pg_temp.copy_index(indexrelid, work)
            || pg_temp.copy_index_properties(indexrelid, work_schema, work), '' ORDER BY indexrelid) FROM pg_index
            WHERE indrelid = rel AND indisvalid AND pg_temp.copy_late(indexrelid)), '')) AS mark
        FROM copied WHERE relkind = 'r' AND rel = root ORDER BY work
    LOOP
        RETURN NEXT format(E'SELECT format(''DROP INDEX CONCURRENTLY %%s'', indexrelid::regclass) FROM pg_index\n'
            'WHERE indrelid = to_regclass(%1$L) AND NOT indisunique AND NOT indisexclusion '
            'AND obj_description(to_regprocedure(%2$L), ''pg_proc'') <> %3$L \\gexec\nCOMMENT ON FUNCTION %2$s IS %3$L;',
            o.work, o.work || '(text[], text[])', o.mark);
    END LOOP;
    FOR o IN SELECT c.*, indexrelid, format('%s.%I', work_schema, i.relname) AS index FROM copied c
        JOIN pg_index ON indrelid = rel JOIN pg_class i ON i.oid = indexrelid
        WHERE indisvalid AND pg_temp.copy_late(indexrelid) ORDER BY pg_relation_size(indexrelid), 1
    LOOP
        RETURN NEXT pg_temp.build_index(o.index,
            regexp_replace(pg_temp.copy_index(o.indexrelid, o.work), '^CREATE INDEX ', 'CREATE INDEX CONCURRENTLY '),
            pg_temp.copy_index_properties(o.indexrelid, o.work_schema, o.work), NULL);
    END LOOP;
    FOR o IN SELECT c.work FROM copied c WHERE rel = root ORDER BY c.work LOOP
        RETURN NEXT pg_temp.say('Analyzing ' || o.work) || format(E'\nANALYZE %s;', o.work);
    END LOOP;
    RETURN NEXT pg_temp.say('Waiting for the transactions that began before the last row was copied');
    RETURN NEXT format(pg_temp.tagged($s$DO $ulid_move$
DECLARE who text; said text := '';
BEGIN
    LOOP
        -- of a standby that tells (hot_standby_feedback) its connection has what is the oldest there, or its slot has
        SELECT string_agg('process ' || pid, ', ' ORDER BY pid) INTO who FROM (
            SELECT pid, backend_xmin FROM pg_stat_activity WHERE COALESCE(datname = current_database(), true)
                -- who is no superuser is not told of another's
                AND (backend_type <> 'autovacuum worker' OR backend_type IS NULL AND usesysid IS NOT NULL)
            UNION ALL SELECT active_pid, xmin FROM pg_replication_slots JOIN pg_stat_replication ON pid = active_pid) x
            (pid, xmin)
        WHERE pid <> pg_backend_pid() AND age(xmin) > age((SELECT max(ended)::xid FROM (%s) p (ended)));
        EXIT WHEN who IS NULL;
        IF who <> said THEN
            RAISE INFO 'waiting for %%', who;
            said := who;
        END IF;
        PERFORM pg_sleep(0.2);
        COMMIT;
    END LOOP;
END $ulid_move$;$s$),
    -- of these tables alone: if a dump was restored, that of others is a number of another server
    (SELECT string_agg(format('SELECT ended FROM %s.ulid_move_progress WHERE table_name = ANY (%L)', work_schema, homes),
        ' UNION ALL ') FROM (SELECT work_schema, array_agg(home ORDER BY home) AS homes FROM copied GROUP BY 1) x));
    FOR o IN SELECT * FROM copied WHERE rel = root AND relkind = 'p' ORDER BY home LOOP
        RETURN NEXT pg_temp.step(format('Keeping %s in step row by row', o.work),
            format('NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = to_regclass(%L) AND tgname = ''ulid_move_row'')',
                o.home), pg_temp.transaction(NULL, ARRAY[o.home], NULL,
            format(E'CREATE TRIGGER ulid_move_row AFTER INSERT OR DELETE ON %1$s FOR EACH ROW EXECUTE FUNCTION %2$s();\n'
                'ALTER TABLE %1$s ENABLE ALWAYS TRIGGER ulid_move_row;\n', o.home, o.work)));
    END LOOP;
    -- last: the wait may be long
    RETURN NEXT 'SELECT set_config(''ulid_move.compared'', pg_temp.check_copies(), false) AS compared \gset';
    FOR o IN SELECT c.*, pg_temp.copy_key_list(rel, 'n.%1$s %5$s %7$s', ' AND ') AS same_key,
            pg_temp.copy_columns(rel, 'o', true) AS values, pg_temp.copy_columns(rel, 'n', false) AS copies,
            pg_get_userbyid(relowner) AS owner
        FROM copied c JOIN pg_class p ON p.oid = rel WHERE rel = root ORDER BY home LOOP
        RETURN NEXT pg_temp.say(format('Comparing %s with %s', o.home, o.work));
        -- the bytes of each row, but for what is generated, in one snapshot
        RETURN NEXT format(pg_temp.tagged($s$DO $ulid_move$
DECLARE old_rows bigint; new_rows bigint; missing bigint;
BEGIN
    -- from whom row level security hides nothing
    PERFORM set_config('role', %4$L, true);
    SELECT (SELECT count(*) FROM %1$s), (SELECT count(*) FROM %2$s), (SELECT count(*) FROM %1$s o
        WHERE NOT EXISTS (SELECT FROM %2$s n WHERE %3$s AND ROW(%7$s)::record *= ROW(%8$s)::record))
        INTO old_rows, new_rows, missing;
    IF missing > 0 OR old_rows <> new_rows THEN
        RAISE EXCEPTION '%% has %% rows, and its copy %% and misses %%, or has them otherwise', %5$L, old_rows, new_rows,
            missing USING HINT = 'A change was made that no trigger is told of: with its triggers off, by ALTER TABLE, or '
                'by a MERGE that moves rows to other partitions; or its keys are not distinct as ulid. Begin anew: '
                || %6$L;
    END IF;
END $ulid_move$;$s$), o.home, o.work, o.same_key, o.owner, o.home, format('DROP SCHEMA %s CASCADE.', schemas),
            o.values, o.copies);
    END LOOP;
    RETURN NEXT '\endif';

    -- 5
    RETURN NEXT E'\n-- 5. The switch: in one transaction that reads no row, the tables change places.';
    body := $s$DO $$ BEGIN
    IF pg_temp.check_copies() <> current_setting('ulid_move.compared') THEN
        RAISE EXCEPTION 'columns, partitions or triggers of what is copied were changed since it was compared'
            USING HINT = 'Run the script again: it compares again.';
    END IF;
END $$;
$s$ || pg_temp.taken_down(functions, (SELECT array_agg(view ORDER BY level DESC, view) FROM copied_view), policies, rules);
    FOR o IN SELECT pubname, prrelid FROM pg_publication_rel p JOIN pg_publication b ON b.oid = prpubid
        WHERE prrelid IN (SELECT rel FROM copied) LOOP
        body := body || format(E'ALTER PUBLICATION %I DROP TABLE %s;\n', o.pubname, o.prrelid::regclass);
    END LOOP;
    FOR o IN SELECT conrelid, conname FROM pg_constraint WHERE oid = ANY (foreign_keys) ORDER BY 1, 2 LOOP
        body := body || format(E'ALTER TABLE %s DROP CONSTRAINT %I;\n', o.conrelid::regclass, o.conname);
    END LOOP;
    FOR o IN SELECT format('%I.%I', nspname, stxname) AS name FROM pg_statistic_ext x
        JOIN pg_namespace n ON n.oid = stxnamespace WHERE stxrelid IN (SELECT rel FROM copied) LOOP
        body := body || format(E'DROP STATISTICS %s;\n', o.name);
    END LOOP;
    SELECT concat(body, string_agg(format(E'DROP FUNCTION %s() CASCADE;\n', c.work), '')) INTO body
        FROM copied c WHERE rel = root;
    SELECT concat(body, string_agg(format(E'DROP FUNCTION %1$s(text[], text[], integer);\nDROP FUNCTION '
        '%1$s(text[], text[]);\n', c.work), '')) INTO body FROM copied c WHERE relkind = 'r';
    FOR o IN SELECT d.objid::regclass AS sequence FROM copied
        JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = rel AND d.deptype = 'a'
        JOIN pg_class q ON q.oid = d.objid AND q.relkind = 'S' WHERE d.classid = 'pg_class'::regclass
    LOOP
        body := body || format(E'ALTER SEQUENCE %s OWNED BY NONE;\n', o.sequence);
    END LOOP;
    SELECT concat(body, string_agg(format(E'ALTER TABLE %s SET SCHEMA %s;\nALTER TABLE %s SET SCHEMA %s;\n',
        home, gone_schema, c.work, schema), '' ORDER BY level, home)) INTO body FROM copied c;
    FOR o IN SELECT d.objid::regclass AS sequence, q.relname, deptype, c.*, x.name AS att FROM copied c
        JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = c.rel
        AND d.deptype IN ('a', 'i')
        JOIN pg_class q ON q.oid = d.objid AND q.relkind = 'S' JOIN copied_column x ON x.rel = c.rel
            AND x.att = d.refobjsubid WHERE d.classid = 'pg_class'::regclass
    LOOP
        body := body || CASE o.deptype
            WHEN 'a' THEN format(E'ALTER SEQUENCE %s OWNED BY %s.%s;\n', o.sequence, o.home, o.att)
            ELSE format(E'SELECT setval(%L, last_value, is_called) FROM %s.%I;\n', o.sequence, o.gone_schema,
                o.relname) END;
    END LOOP;
    FOR o IN SELECT c.*, x.home FROM pg_constraint c JOIN copied x ON conrelid = rel
        WHERE contype IN ('c', 'n') AND NOT convalidated ORDER BY conrelid, conname LOOP
        body := concat(body, CASE o.contype
            WHEN 'c' THEN format(E'ALTER TABLE %s ADD %s;\n', o.home, pg_temp.copy_check(o.oid))
            ELSE format(E'ALTER TABLE %s ADD CONSTRAINT %I NOT NULL %s NOT VALID;\n', o.home, o.conname,
                pg_temp.column_name(o.conrelid, o.conkey[1])) END,
            pg_temp.comment('pg_constraint', o.oid, 0, format('CONSTRAINT %I ON %s', o.conname, o.home)));
    END LOOP;
    -- a foreign key from a partitioned table begins as one of each partition: only such can be NOT
    -- VALID before PostgreSQL 18
    FOR o IN SELECT c.*, relkind FROM pg_constraint c JOIN pg_class r ON r.oid = conrelid
        WHERE c.oid = ANY (foreign_keys) ORDER BY c.oid LOOP
        IF o.relkind = 'p' AND version < 180000 THEN
            -- no digit comes before a -, so that they act one after the other
            SELECT concat(body, string_agg(format(E'ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID;\n%s', relid,
                o.conname, pg_get_constraintdef(o.oid), pg_temp.ulid_move_names_again(o.oid, relid, '-' || n)), '')) INTO body
                FROM pg_partition_tree(o.conrelid) WITH ORDINALITY t (relid, parent, isleaf, level, n) WHERE isleaf;
        ELSE
            body := concat(body, format(E'ALTER TABLE %s ADD CONSTRAINT %I %s%s;\n', o.conrelid::regclass,
                o.conname, pg_get_constraintdef(o.oid), CASE WHEN o.convalidated THEN ' NOT VALID' END),
                pg_temp.ulid_move_names_again(o.oid, o.conrelid, ''), pg_temp.comment('pg_constraint', o.oid, 0,
                    format('CONSTRAINT %I ON %s', o.conname, o.conrelid::regclass)));
        END IF;
    END LOOP;
    FOR o IN SELECT x.oid, format('%I.%I', nspname, stxname) AS name, stxstattarget, stxowner
        FROM pg_statistic_ext x JOIN pg_namespace n ON n.oid = stxnamespace
        WHERE stxrelid IN (SELECT rel FROM copied) LOOP
        body := concat(body, pg_temp.as_target(pg_get_statisticsobjdef(o.oid), 'pg_statistic_ext', o.oid),
            E';\n',
            format(E'ALTER STATISTICS %s OWNER TO %I;\n', o.name, pg_get_userbyid(o.stxowner)),
            CASE WHEN o.stxstattarget >= 0 THEN format(E'ALTER STATISTICS %s SET STATISTICS %s;\n', o.name,
                o.stxstattarget) END,
            pg_temp.comment('pg_statistic_ext', o.oid, 0, 'STATISTICS ' || o.name));
    END LOOP;
    FOR o IN SELECT view FROM copied_view ORDER BY level, view LOOP
        body := body || pg_temp.view_definition(o.view);
    END LOOP;
    FOR o IN SELECT oid, pg_temp.as_target(pg_get_functiondef(p.oid), 'pg_proc', p.oid) AS definition
        FROM pg_proc p
        WHERE p.oid = ANY (functions) AND prosqlbody IS NOT NULL LOOP
        body := concat(body, rtrim(o.definition, E'\n'), E';\n', pg_temp.goes_with('pg_proc', o.oid, 'ROUTINE '
            || o.oid::regprocedure));
    END LOOP;
    SELECT concat(body, string_agg(pg_temp.refresh(view), '' ORDER BY level, view)) INTO body FROM copied_view;
    SELECT concat(body, string_agg(pg_temp.rule_definition(oid), '' ORDER BY ev_class, rulename)) INTO body
        FROM pg_rewrite WHERE oid = ANY (rules);
    SELECT concat(body, string_agg(pg_temp.trigger_definition(oid), '' ORDER BY tgrelid, tgname)) INTO body
        FROM pg_trigger
        WHERE tgparentid = 0 AND NOT tgisinternal AND tgname NOT LIKE 'ulid\_move\_%' AND tgrelid IN (SELECT rel
            FROM copied);
    body := concat(body, pg_temp.partition_triggers(ARRAY(SELECT g.oid FROM pg_trigger g JOIN copied ON rel = tgrelid
        WHERE tgname NOT LIKE 'ulid\_move\_%')));
    SELECT concat(body, string_agg(definition, '' ORDER BY polrelid, polname)) INTO body
        FROM copied_policy JOIN pg_policy ON oid = policy;
    FOR o IN SELECT pubname, prrelid, pg_get_expr(prqual, prrelid) AS filter,
            (SELECT string_agg(pg_temp.column_name(prrelid, c), ', ' ORDER BY n)
                FROM unnest(prattrs) WITH ORDINALITY u (c, n)) AS columns
        FROM pg_publication_rel p JOIN pg_publication b ON b.oid = prpubid
            WHERE prrelid IN (SELECT rel FROM copied)
    LOOP
        body := body || concat(format('ALTER PUBLICATION %I ADD TABLE %s', o.pubname, o.prrelid::regclass), ' ('
            || o.columns || ')', ' WHERE (' || o.filter || ')', E';\n');
    END LOOP;
    SELECT array_agg(DISTINCT t::regclass::text) INTO tables FROM (
        SELECT rel FROM copied WHERE rel = root
        UNION SELECT COALESCE(pg_partition_root(conrelid), conrelid) FROM pg_constraint
            WHERE oid = ANY (foreign_keys)
        UNION SELECT COALESCE(pg_partition_root(confrelid), confrelid) FROM pg_constraint
            WHERE oid = ANY (foreign_keys)
        UNION SELECT polrelid FROM pg_policy WHERE oid = ANY (policies)
        UNION SELECT ev_class FROM pg_rewrite WHERE oid = ANY (rules)) x (t);
    RETURN NEXT pg_temp.step(format('Changing the type to %s: %s', setting.target,
        (SELECT string_agg(home, ', ' ORDER BY home) FROM copied WHERE rel = root)),
        format('NOT (%s)', done), pg_temp.transaction(0, tables, ARRAY(SELECT view::regclass::text FROM copied_view
            ORDER BY level DESC, view), body));

    -- 6
    RETURN NEXT '-- 6. What is left of the move goes, and the old tables.';
    RETURN NEXT (SELECT format(E'SELECT %s AS todo \\gset\n\\if :todo\n%s\n\\endif', string_agg(format(
        'to_regprocedure(%L) IS NOT NULL', c.work || '()'), ' OR ') || guards, pg_temp.transaction(NULL,
        array_agg(home ORDER BY home), NULL, string_agg(format(E'DROP FUNCTION IF EXISTS %s() CASCADE;\n',
            c.work), '' ORDER BY c.work) || late))
            FROM copied c WHERE rel = root);
    RETURN NEXT (SELECT pg_temp.copy_once('false', string_agg(CASE WHEN rel = root THEN pg_temp.copy_drop(root) END, ''
        ORDER BY home) || string_agg(DISTINCT pg_temp.copy_clear(work_schema), '')) FROM copied);
    RETURN NEXT (SELECT E'\\if :{?ulid_move_keep}\n\\echo Keeping the old tables\n\\else\n'
        || pg_temp.step('Dropping the old tables',
            (SELECT string_agg(DISTINCT format('to_regnamespace(%L) IS NOT NULL', gone_schema), ' OR ')
            FROM copied),
            pg_temp.copy_once('false',
            (SELECT string_agg(format(E'DROP TABLE IF EXISTS %s;\n', c.gone), '' ORDER BY c.gone) FROM copied c
            WHERE rel = root)
        || string_agg(DISTINCT pg_temp.copy_clear(gone_schema), ''))) || E'\n\\endif' FROM copied);

    -- 7
    RETURN NEXT E'\n-- 7. Foreign keys, for the rows from before, while the application writes.';
    FOR o IN SELECT DISTINCT stxrelid::regclass AS rel FROM pg_statistic_ext
        WHERE stxrelid IN (SELECT rel FROM copied) LOOP
        RETURN NEXT pg_temp.step(format('Analyzing %s', o.rel),
            format('NOT :''done''::boolean AND to_regclass(%L) IS NOT NULL', o.rel), format('ANALYZE %s;', o.rel));
    END LOOP;
    FOR o IN SELECT conname, rel FROM pg_constraint c JOIN pg_class r ON r.oid = conrelid, LATERAL (
            SELECT conrelid WHERE relkind = 'r' OR version >= 180000
                UNION ALL SELECT relid FROM pg_partition_tree(conrelid)
                WHERE isleaf AND relkind = 'p' AND version < 180000) x (rel)
        WHERE c.oid = ANY (foreign_keys) AND convalidated ORDER BY rel::regclass::text, conname
    LOOP
        RETURN NEXT pg_temp.validate(o.rel::regclass, o.conname);
    END LOOP;
    FOR o IN SELECT conrelid::regclass AS rel, confrelid::regclass AS target, conname, c.oid
        FROM pg_constraint c JOIN pg_class r ON r.oid = conrelid
        WHERE c.oid = ANY (foreign_keys) AND relkind = 'p' AND version < 180000
            ORDER BY c.oid
    LOOP
        columns := format('to_regclass(%1$L) IS NULL OR EXISTS (SELECT FROM '
            'pg_constraint WHERE conrelid = to_regclass(%1$L) AND conname = %2$L)'
                -- it is gone
                ' OR (SELECT count(relid) > 0 AND count(conname) = 0 FROM '
                    'pg_partition_tree(to_regclass(%1$L)) LEFT JOIN pg_constraint ON conrelid = relid AND '
                    'conname = %2$L WHERE isleaf)', o.rel, o.conname);
        RETURN NEXT pg_temp.step(format('Attaching %I of %s', o.conname, o.rel), format('NOT (%s)', columns),
            pg_temp.transaction(NULL, ARRAY(SELECT DISTINCT t::text FROM unnest(ARRAY[o.rel, o.target]) t), NULL,
            concat(format(E'ALTER TABLE %s ADD CONSTRAINT %I %s;\n', o.rel, o.conname,
                pg_get_constraintdef(o.oid)), pg_temp.ulid_move_names_again(o.oid, o.rel, ''),
                pg_temp.comment('pg_constraint', o.oid, 0, format('CONSTRAINT %I ON %s', o.conname, o.rel)))));
    END LOOP;
END $f$;
