-- The script for tables that are copied: the copies, the rows, the switch, and what is left to do.

-- A definition without what differs between the types: casts, collations, classes and parentheses.
CREATE FUNCTION pg_temp.ulid_move_plain(definition text) RETURNS text LANGUAGE sql IMMUTABLE AS $plain$
    SELECT translate(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(definition,
        'OPERATOR\((?:\w+|"(?:[^"]|"")+")\.([^)]+)\)', '\1', 'g'),
        ' COLLATE ((\w+|"([^"]|"")+")\.)?(\w+|"([^"]|"")+")', '', 'g'),
        '((\w+|"([^"]|"")+")\.)?\m(gen_random_uuid|uuidv[47]|uuid_generate_v(1|1mc|4)|gen_(random_|monotonic_)?ulid)\([^()]*\)', 'generated', 'g'),
        '((\w+|"([^"]|"")+")\.)?\m(text|varchar|bpchar|uuid|ulid)_\w*ops\M', '', 'g'),
        '(::)?((\w+|"([^"]|"")+")\.)?\m(uuid|ulid|text|bpchar|varchar|character varying|character)\M(\(\d+\))?',
            '', 'g'), '() ', '')
$plain$;

-- What a table has on it, and what is made again with it wherever it is, such as a policy of another table, with
-- definitions: a JSON object, as an expression of its regclass `t`. It is the same before a move and after it.
CREATE FUNCTION pg_temp.copy_parts() RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT $q$(WITH RECURSIVE over (rel) AS (SELECT t::oid
            UNION SELECT ev_class FROM over JOIN pg_depend ON refclassid = 'pg_class'::regclass
                AND refobjid = rel AND classid = 'pg_rewrite'::regclass
                JOIN pg_rewrite w ON w.oid = objid AND rulename = '_RETURN'
        ), uses (classid, oid) AS (
            SELECT DISTINCT classid, objid FROM over JOIN pg_depend ON refclassid = 'pg_class'::regclass
                AND refobjid = rel
        ) SELECT jsonb_object_agg(part, left(md5(pg_temp.ulid_move_plain(COALESCE(definition, ''))), 8)) FROM (
            SELECT name, setting FROM pg_class c LEFT JOIN pg_class s ON s.oid = c.reltoastrelid, LATERAL (VALUES
                ('row level security', concat_ws(' ', c.relrowsecurity, c.relforcerowsecurity)),
                ('owner', pg_get_userbyid(c.relowner)), ('comment', obj_description(t, 'pg_class')),
                ('storage', concat_ws(' ', c.relpersistence, c.relam, c.reltablespace, c.reloptions, s.reloptions)),
                ('replica identity', concat_ws(' ', c.relreplident, (SELECT relname FROM pg_index
                    JOIN pg_class i ON i.oid = indexrelid WHERE indrelid = t AND indisreplident)))) v (name, setting)
                WHERE c.oid = t
            UNION ALL SELECT 'column ' || attname, concat_ws(' ', format_type(atttypid, atttypmod), attnotnull,
                attidentity, attgenerated, pg_temp.column_properties(t, attnum),
                (SELECT concat_ws(' ', seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle,
                    (SELECT string_agg(a::text, ' ' ORDER BY a::text)
                        FROM unnest(COALESCE(relacl, acldefault('s', relowner))) a),
                    obj_description(seqrelid, 'pg_class')) FROM pg_depend
                    JOIN pg_sequence ON seqrelid = objid JOIN pg_class q ON q.oid = objid
                    WHERE refclassid = 'pg_class'::regclass AND refobjid = t AND refobjsubid = attnum
                    AND deptype = 'i'))
                FROM pg_attribute WHERE attrelid = t AND attnum > 0 AND NOT attisdropped
            UNION ALL SELECT 'constraint ' || conname,
                concat(replace(pg_get_constraintdef(oid), ' NOT VALID', ''),
                obj_description(oid, 'pg_constraint')) FROM pg_constraint
                WHERE conrelid = t AND conparentid = 0 AND contype <> 't'
            UNION ALL SELECT format('reference %s of %s', conname, conrelid::regclass),
                concat(replace(pg_get_constraintdef(oid), ' NOT VALID', ''),
                obj_description(oid, 'pg_constraint')) FROM pg_constraint
                WHERE confrelid = t AND conparentid = 0
            UNION ALL SELECT format('validation of %s of %s', conname, conrelid::regclass), '' FROM pg_constraint
                WHERE t IN (conrelid, confrelid) AND contype IN ('c', 'f') AND conparentid = 0 AND convalidated
            UNION ALL SELECT concat_ws(' of ', 'index ' || relname, NULLIF(indrelid, t)::regclass),
                concat(pg_get_indexdef(oid), obj_description(oid, 'pg_class'), indisclustered, reltablespace,
                (SELECT string_agg(attstattarget::text, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = oid))
                FROM pg_index JOIN pg_class ON oid = indexrelid
                WHERE indrelid IN (SELECT rel FROM over) AND relname NOT LIKE '%ulid\_move'
            UNION ALL SELECT concat_ws(' of ', 'trigger ' || tgname, NULLIF(tgrelid, t)::regclass),
                concat(pg_get_triggerdef(oid), tgenabled, obj_description(oid, 'pg_trigger')) FROM pg_trigger
                WHERE tgrelid IN (SELECT rel FROM over) AND NOT tgisinternal AND tgparentid = 0
                    AND tgname NOT LIKE 'ulid\_move\_%'
            UNION ALL SELECT concat_ws(' of ', 'policy ' || polname, NULLIF(polrelid, t)::regclass),
                concat_ws(' ', polcmd, polpermissive, polroles, pg_get_expr(polqual, polrelid), ',',
                pg_get_expr(polwithcheck, polrelid), obj_description(oid, 'pg_policy'))
                FROM pg_policy JOIN uses USING (oid) WHERE classid = 'pg_policy'::regclass
            UNION ALL SELECT 'function ' || oid::regprocedure, pg_get_functiondef(oid)
                FROM pg_proc JOIN uses USING (oid) WHERE classid = 'pg_proc'::regclass AND prosqlbody IS NOT NULL
            UNION ALL SELECT 'partition ' || inhrelid::regclass,
                regexp_replace(pg_get_expr(relpartbound, oid), '''[^'']*''', '', 'g') FROM pg_inherits
                JOIN pg_class ON oid = inhrelid WHERE inhparent = t
            UNION ALL SELECT format('rule %s of %s', rulename, ev_class::regclass),
                concat(pg_get_ruledef(w.oid), ev_enabled, obj_description(w.oid, 'pg_rewrite'), CASE
                WHEN relkind IN ('v', 'm') THEN COALESCE(relacl, acldefault('r', relowner)) END, CASE
                WHEN relkind IN ('v', 'm') THEN concat_ws(' ', reloptions, relispopulated,
                obj_description(ev_class, 'pg_class'), (SELECT string_agg(concat_ws(' ', attname,
                pg_temp.column_properties(ev_class, attnum)), ' ' ORDER BY attnum)
                FROM pg_attribute WHERE attrelid = ev_class AND attnum > 0)) END)
                FROM pg_rewrite w JOIN pg_class c ON c.oid = ev_class
                    WHERE w.oid IN (SELECT oid FROM uses WHERE classid = 'pg_rewrite'::regclass)
            UNION ALL SELECT concat_ws(' of ', 'statistics ' || stxname, NULLIF(stxrelid, t)::regclass),
                concat_ws(' ', pg_get_statisticsobjdef(oid), stxstattarget, pg_get_userbyid(stxowner),
                obj_description(oid, 'pg_statistic_ext')) FROM pg_statistic_ext
                WHERE stxrelid IN (SELECT rel FROM over)
            UNION ALL SELECT 'publication ' || pubname,
                concat_ws(' ', pg_get_expr(prqual, prrelid), (SELECT string_agg(attname, ',' ORDER BY attname)
                FROM pg_attribute WHERE attrelid = t AND attnum = ANY (prattrs)))
                FROM pg_publication_rel JOIN pg_publication b ON b.oid = prpubid WHERE prrelid = t
            UNION ALL SELECT 'subscription ' || subname, '' FROM pg_subscription_rel
                JOIN pg_subscription s ON s.oid = srsubid WHERE srrelid = t
            UNION ALL SELECT DISTINCT pg_describe_object(classid, objid, objsubid) || ', which uses the row type', ''
                FROM pg_type JOIN pg_depend ON refclassid = 'pg_type'::regclass
                AND refobjid IN (pg_type.oid, typarray) WHERE typrelid = t AND deptype <> 'i'
            UNION ALL SELECT 'privilege ' || a, ''
                FROM pg_class, unnest(COALESCE(relacl, acldefault('r', relowner))) a
                WHERE oid = t) p (part, definition))$q$
$$;

CREATE FUNCTION pg_temp.copy_parts_of(of regclass) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE parts text;
BEGIN
    EXECUTE 'SELECT ' || pg_temp.copy_parts() || '::text FROM (SELECT $1 AS t) x' INTO parts USING of;
    RETURN parts;
END $$;

-- A transaction of the script that locks tables, as in the other way. It gives up its locks where one is not
-- had soon, and tries again. Where a client holds one table and wants another, while this holds that and
-- wants the first, none gets on: so the table that is used most is locked first, and the one that was not
-- had is the first of the next attempt.
CREATE FUNCTION pg_temp.copy_transaction(done text, tables text, first text, work text) RETURNS text
    LANGUAGE sql STABLE AS $f$
    SELECT format(pg_temp.tagged($template$DO $ulid_move$
DECLARE
    patience text := COALESCE(NULLIF(current_setting('ulid_move.lock_timeout', true), ''), '30ms');
    attempts integer := COALESCE(NULLIF(current_setting('ulid_move.lock_attempts', true), ''), '200');
    tables text[] := ARRAY(SELECT t FROM unnest(%2$L::text[]) WITH ORDINALITY u (t, n)
        LEFT JOIN pg_stat_user_tables ON relid = to_regclass(t)
        WHERE to_regclass(t) IS NOT NULL ORDER BY seq_scan + COALESCE(idx_scan, 0) DESC NULLS LAST, n);
    next_table text;
BEGIN
    IF %1$s THEN
        RETURN;
    END IF;
    -- Holds up no reader and no writer, and waits until the server has ended a vacuum of its own.
    PERFORM set_config('lock_timeout',
        COALESCE(NULLIF(current_setting('ulid_move.maintenance_timeout', true), ''),
        '1min'), true);
    FOREACH next_table IN ARRAY tables LOOP
        EXECUTE format('LOCK TABLE %%s IN SHARE UPDATE EXCLUSIVE MODE', next_table);
    END LOOP;
    PERFORM set_config('lock_timeout', patience, true);
    FOR attempt IN 1 .. attempts LOOP
        BEGIN
            next_table := NULL;
            EXECUTE $ulid_move_first$
%3$s$ulid_move_first$;
            FOREACH next_table IN ARRAY tables LOOP
                EXECUTE format('LOCK TABLE %%s IN ACCESS EXCLUSIVE MODE', next_table);
            END LOOP;
            EXECUTE $ulid_move_work$
%4$s$ulid_move_work$;
            RETURN;
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
            IF attempt = attempts THEN
                RAISE EXCEPTION 'the tables are in use: no lock on them was had in %% attempts of %%, at last '
                    'on %%', attempts, patience, COALESCE(next_table, 'what depends on them')
                    USING ERRCODE = 'lock_not_available',
                        HINT = 'Nothing of this step was done. Run the script again, with a longer '
                        'ulid_move.lock_timeout where transactions are long.',
                    DETAIL = (SELECT string_agg(DISTINCT format('%%s is used by %%s', relation::regclass,
                            COALESCE('process ' || l.pid, 'a prepared transaction')), E'\n')
                        FROM pg_locks l WHERE granted AND locktype = 'relation' AND l.pid IS DISTINCT
                            FROM pg_backend_pid()
                            AND relation = ANY (tables::regclass[]));
            END IF;
            IF next_table IS NOT NULL THEN
                tables := next_table || array_remove(tables, next_table);
            END IF;
            PERFORM pg_sleep(0.05 + random() * 0.2);
        END;
    END LOOP;
END $ulid_move$;
$template$), done, (SELECT array_agg(trim(m[1]))
    FROM regexp_matches(tables, '((?:[^",]|"(?:[^"]|"")*")+)', 'g') m), first, work)
$f$;

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

-- The script for the tables that are copied.
CREATE FUNCTION pg_temp.copy_script() RETURNS SETOF text LANGUAGE plpgsql AS $f$
DECLARE
    setting record; o record; down record; done text; body text := ''; late text := ''; tables text;
        columns text; schemas text;
    version integer := current_setting('server_version_num');
    foreign_keys oid[]; functions oid[]; policies oid[]; rules oid[];
BEGIN
    IF NOT EXISTS (SELECT FROM copied) THEN
        RETURN;
    END IF;
    SELECT * INTO setting FROM ulid_move_setting;
    SELECT string_agg(format('(%L, %s, %L, %L)', home, CASE
        WHEN x.name LIKE '"%' THEN quote_literal(replace(substr(x.name, 2, length(x.name) - 2), '""', '"'))
        ELSE quote_literal(x.name) END,
        regexp_replace(source, ' COLLATE .*', ''), regexp_replace(target, ' COLLATE .*', '')), ', '
            ORDER BY home, att) INTO columns FROM copied_column x JOIN copied USING (rel) WHERE moves;
    done := format('NOT EXISTS (SELECT FROM pg_attribute JOIN (VALUES %s) v (rel, att, source, target) ON '
        'attrelid = to_regclass(rel) AND attname = att WHERE atttypid <> target::regtype)', columns);
    SELECT array_agg(c.oid ORDER BY conrelid::regclass::text, conname) INTO foreign_keys FROM pg_constraint c
        WHERE contype = 'f' AND conparentid = 0
            AND (conrelid IN (SELECT rel FROM copied) OR confrelid IN (SELECT rel FROM copied));
    SELECT array_agg(DISTINCT objid) INTO functions FROM pg_depend
        WHERE classid = 'pg_proc'::regclass AND refclassid = 'pg_class'::regclass
        AND (refobjid IN (SELECT rel FROM copied) OR refobjid IN (SELECT view FROM copied_view));
    SELECT array_agg(DISTINCT p.oid) INTO policies FROM pg_policy p WHERE polrelid IN (SELECT rel FROM copied)
        OR EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_policy'::regclass AND objid = p.oid
            AND refclassid = 'pg_class'::regclass
            AND (refobjid IN (SELECT rel FROM copied) OR refobjid IN (SELECT view FROM copied_view)));
    SELECT array_agg(DISTINCT w.oid) INTO rules FROM pg_rewrite w
        WHERE rulename <> '_RETURN' AND ev_class NOT IN (SELECT view FROM copied_view)
        AND (ev_class IN (SELECT rel FROM copied) OR EXISTS (SELECT FROM pg_depend
            WHERE classid = 'pg_rewrite'::regclass AND objid = w.oid AND refclassid = 'pg_class'::regclass
            AND (refobjid IN (SELECT rel FROM copied) OR refobjid IN (SELECT view FROM copied_view))));
    SELECT string_agg(DISTINCT work_schema, ', ') INTO schemas FROM copied;

    RETURN NEXT format('-- Moves to %s by copying the tables, while the application writes:', setting.target);
    FOR o IN SELECT format('--   %s.%s', home, x.name) AS line FROM copied_column x JOIN copied USING (rel)
        WHERE moves ORDER BY home, att LOOP
        RETURN NEXT pg_temp.line(o.line);
    END LOOP;
    RETURN NEXT '-- For psql. It stops at an error, and goes on from there when it is run again.';
    RETURN NEXT '-- It reads settings, as in PGOPTIONS=''-c ulid_move.batch_rows=500 -c '
        'ulid_move.batch_pause=100ms'' psql ...';
    FOR o IN SELECT regexp_replace(pg_get_functiondef(f), 'pg_temp_\d+\.', 'pg_temp.') AS definition
        FROM unnest(ARRAY['pg_temp.ulid_move_plain', 'pg_temp.column_settings',
            'pg_temp.column_properties']::regproc[]) f LOOP
        RETURN NEXT rtrim(o.definition, E'\n') || ';';
    END LOOP;
    RETURN NEXT E'\n\\echo Looking whether all is as it was when this was written';
    RETURN NEXT format(pg_temp.tagged($s$CREATE OR REPLACE FUNCTION pg_temp.ulid_move_look() RETURNS void
        LANGUAGE plpgsql AS $ulid_move$
DECLARE what text;
BEGIN
    SELECT string_agg(format('%%s.%%I is of type %%s', rel, att,
        COALESCE(format_type(atttypid, atttypmod), 'none: it is not there')), E'\n') INTO what
    FROM (VALUES %1$s) v (rel, att, source, target) LEFT JOIN pg_attribute ON attrelid = to_regclass(rel)
        AND attname = att AND NOT attisdropped
    WHERE atttypid IS NULL OR atttypid NOT IN (source::regtype, target::regtype);
    what := concat_ws(E'\n', what,
        (SELECT string_agg(format('%%s.%%I is of type %%s, and was of type %%s', rel, att,
        format_type(atttypid, atttypmod), type), E'\n')
        FROM (VALUES %8$s) v (rel, att, type) JOIN pg_attribute ON attrelid = to_regclass(rel) AND attname = att
            WHERE atttypid <> type::regtype));
    what := NULLIF(what, '');
    IF what IS NULL THEN
        SELECT string_agg(format('%%s of %%s %%s', COALESCE(is_key, was_key), t, CASE
            WHEN was_key IS NULL THEN 'is new' WHEN is_key IS NULL THEN 'is gone' ELSE 'was changed' END),
            E'\n') INTO what
        FROM (VALUES %2$s) v (name, parts), LATERAL to_regclass(name) t, LATERAL (SELECT %3$s AS now) x,
            LATERAL (SELECT n.key AS is_key, w.key AS was_key FROM jsonb_each_text(x.now) n FULL
                JOIN jsonb_each_text(parts::jsonb) w ON n.key = w.key WHERE n.value IS DISTINCT FROM w.value
                    -- which a script makes NOT VALID, and validates at its end
                    AND NOT (n.key IS NULL AND w.key LIKE 'validation of %%')) d;
    END IF;
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'not as it was when this was written' USING DETAIL = what,
            HINT = 'Write the script again. What was copied for the old one has to go: ' || %4$L;
    END IF;
    -- DISABLE TRIGGER ALL and ENABLE TRIGGER ALL, as of a restore or of fixtures, leave them not as they were made
    SELECT string_agg('table ' || name, E'\n') INTO what FROM (VALUES %2$s) v (name, parts), LATERAL (
        SELECT count(*) AS triggers, count(*) FILTER (WHERE tgenabled = 'A') AS working FROM pg_trigger
        WHERE tgrelid = to_regclass(name) AND tgname ~ '^ulid_move_(insert|update|delete|truncate)$') g
    WHERE triggers <> working OR triggers NOT IN (0, 4);
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'triggers that keep a copy in step are gone, or were off: it misses what was written meanwhile'
            USING DETAIL = what, HINT = 'Begin anew: ' || %4$L;
    END IF;
    -- ALTER COLUMN ... TYPE ... USING gives a column other values without a trigger
    SELECT string_agg(DISTINCT 'table ' || name, E'\n') INTO what FROM (VALUES %2$s) v (name, parts), pg_trigger g,
        pg_attribute a WHERE tgrelid = to_regclass(name) AND tgname = 'ulid_move_update' AND age(a.xmin) < age(g.xmin)
        AND attrelid IN (SELECT tgrelid UNION ALL SELECT relid FROM pg_partition_tree(tgrelid));
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'a column was changed since the copying began: the copy may miss what became of its values'
            USING DETAIL = what, HINT = 'Begin anew: ' || %4$L;
    END IF;
    SELECT string_agg(format('%%s is owned by %%s', t, pg_get_userbyid(relowner)), E'\n') INTO what
    FROM (VALUES %2$s) v (name, parts), LATERAL to_regclass(name) t, pg_class
        WHERE oid = t AND NOT pg_has_role(relowner, 'USAGE');
    IF NOT has_database_privilege(current_database(), 'CREATE') THEN
        what := concat_ws(E'\n', what, format('no CREATE on database %%I', current_database()));
    END IF;
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'permission denied' USING ERRCODE = 'insufficient_privilege', DETAIL = what;
    END IF;
    SELECT string_agg(format('%%s is locked by the prepared transaction %%L', r.relation::regclass, gid), E'\n')
        INTO what
    FROM pg_locks r JOIN pg_locks t ON t.locktype = 'transactionid' AND t.pid IS NULL
        AND t.virtualtransaction = r.virtualtransaction
        JOIN pg_prepared_xacts ON transaction = t.transactionid
    WHERE r.pid IS NULL AND r.relation IN (SELECT to_regclass(name) FROM (VALUES %2$s) v (name, parts))
        AND r.database = (SELECT oid FROM pg_database WHERE datname = current_database());
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'a prepared transaction uses the tables' USING ERRCODE = 'lock_not_available',
            DETAIL = what,
            HINT = 'Commit it or roll it back, and run the script again.';
    END IF;
END $ulid_move$;
SELECT %5$s AS done \gset
\if :done
DO $ulid_move$
DECLARE what text;
BEGIN
    FOR what IN SELECT format('table column %%s.%%I', rel, att) FROM (VALUES %1$s) v (rel, att, source, target)
            WHERE NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass(rel) AND attname = att)
        UNION ALL SELECT format('foreign key %%I of %%s', name, rel)
            FROM unnest(%6$L::text[], %7$L::text[]) v (rel, name)
            WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND conname = name
                AND (conrelid = to_regclass(rel) OR conrelid IN (SELECT relid
                    FROM pg_partition_tree(to_regclass(rel)))))
    LOOP
        RAISE WARNING '%% is gone, and is left out', what;
    END LOOP;
END $ulid_move$;
\else
DO $ulid_move$ BEGIN PERFORM pg_temp.ulid_move_look(); END $ulid_move$;
\endif$s$), columns, (SELECT string_agg(format('(%L, %L)', home, parts), ', ' ORDER BY home)
    FROM (SELECT home, pg_temp.copy_parts_of(rel) AS parts FROM copied) p), pg_temp.copy_parts(),
    format('DROP SCHEMA %s CASCADE.', schemas), done,
        (SELECT COALESCE(array_agg(conrelid::regclass::text ORDER BY oid), '{}') FROM pg_constraint
            WHERE oid = ANY (foreign_keys)),
        (SELECT COALESCE(array_agg(conname::text ORDER BY oid), '{}') FROM pg_constraint
            WHERE oid = ANY (foreign_keys)),
        (SELECT COALESCE(string_agg(format('(%L, %L, %L)', home, attname,
            regexp_replace(type, ' COLLATE .*', '')), ', ' ORDER BY home, x.att), '(NULL, NULL, NULL)')
            FROM copied_column x JOIN copied USING (rel) JOIN pg_attribute ON attrelid = rel AND attnum = x.att
                WHERE NOT moves));

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
        CONTINUE WHEN setting.target <> 'ulid';
        -- in which no two keys are the same as ulid
        RETURN NEXT E'\\if :done\n\\else\n' || pg_temp.build_index(o.index, NULL, NULL, NULL,
            format(E'CREATE UNIQUE INDEX CONCURRENTLY %I ON %s (%s);\n', o.index_name, o.home,
            pg_temp.copy_key_list(o.root, '(%8$s)', ', ')), '') || '\endif';
    END LOOP;
    RETURN NEXT (SELECT pg_temp.step('Making the schemas ' || schemas, format('NOT (%s)', done),
        pg_temp.copy_once(done, string_agg(DISTINCT format(
        E'CREATE SCHEMA IF NOT EXISTS %s;\nGRANT ALL ON SCHEMA %1$s TO %I;\nCREATE SCHEMA IF NOT EXISTS '
            '%s;\nGRANT ALL ON SCHEMA %3$s TO %2$I;\n'
        'CREATE TABLE IF NOT EXISTS %1$s.ulid_move_progress (table_name text PRIMARY KEY, low text[], high '
            'text[], copied '
            'bigint NOT NULL, ended xid8);\n'
        'CREATE TABLE IF NOT EXISTS %1$s.ulid_move_left (table_name text, low text[], high text[]);\n'
        -- for a publication of all tables
        'ALTER TABLE %1$s.ulid_move_left REPLICA IDENTITY FULL;\n',
        work_schema, pg_get_userbyid(relowner), gone_schema), ''))) FROM copied JOIN pg_class ON oid = rel);
    FOR o IN SELECT * FROM copied WHERE rel = root ORDER BY home LOOP
        SELECT string_agg(pg_temp.copy_create(rel), '' ORDER BY level, home) || pg_temp.copy_sync(o.root)
            || string_agg(CASE WHEN relkind = 'r' THEN pg_temp.copy_batch(rel)
                || format(E'INSERT INTO %s.ulid_move_progress VALUES (%L, NULL, NULL, 0, NULL);\n', work_schema,
                    home)
                ELSE '' END, '' ORDER BY level, home)
            INTO body FROM copied WHERE root = o.root;
        RETURN NEXT pg_temp.step('Making ' || o.work, format('NOT (%s OR to_regclass(%L) IS NOT NULL)', done,
            o.work), pg_temp.copy_once(format('%s OR to_regclass(%L) IS NOT NULL', done, o.work),
            format(pg_temp.tagged(E'DO $ulid_move_gone$ BEGIN IF to_regclass(%1$L) IS NOT NULL THEN RAISE '
                'EXCEPTION ''%%'', %2$L USING HINT = %3$L; END IF; END $ulid_move_gone$;\n'), o.gone,
                format('%s is there, from an earlier move', o.gone),
                    format('Drop it, when you are sure of that: DROP SCHEMA %s CASCADE.', o.gone_schema))
                    || body));
    END LOOP;

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
                    INTO body FROM copied WHERE root = o.root;
        columns := format('%s OR EXISTS (SELECT FROM pg_trigger WHERE tgrelid = to_regclass(%L) AND tgname '
            '= ''ulid_move_insert'')',
            done, o.home);
        RETURN NEXT pg_temp.step(format('Keeping %s in step', o.work), format('NOT (%s)', columns),
            pg_temp.copy_transaction(columns, o.home, '', body));
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
    FOR o IN SELECT c.*, indexrelid, format('%s.%I', work_schema, i.relname) AS index FROM copied c
        JOIN pg_index ON indrelid = rel JOIN pg_class i ON i.oid = indexrelid
        WHERE indisvalid AND pg_temp.copy_late(indexrelid) ORDER BY pg_relation_size(indexrelid), 1
    LOOP
        RETURN NEXT pg_temp.build_index(o.index, NULL, NULL, NULL,
            regexp_replace(pg_temp.copy_index(o.indexrelid, o.work), '^CREATE INDEX ',
            'CREATE INDEX CONCURRENTLY '),
            pg_temp.copy_index_properties(o.indexrelid, o.work_schema, o.work));
    END LOOP;
    FOR o IN SELECT c.work FROM copied c WHERE rel = root ORDER BY c.work LOOP
        RETURN NEXT pg_temp.say('Analyzing ' || o.work) || format(E'\nANALYZE %s;', o.work);
    END LOOP;
    FOR o IN SELECT c.*, pg_temp.copy_key_list(rel, 'n.%1$s %5$s %7$s', ' AND ') AS same FROM copied c
        WHERE rel = root ORDER BY home LOOP
        RETURN NEXT pg_temp.say(format('Comparing %s with %s', o.home, o.work));
        RETURN NEXT format(pg_temp.tagged($s$DO $ulid_move$
DECLARE old_rows bigint; new_rows bigint; missing bigint;
BEGIN
    SELECT (SELECT count(*) FROM %1$s), (SELECT count(*) FROM %2$s), (SELECT count(*) FROM %1$s o
        WHERE NOT EXISTS (SELECT FROM %2$s n WHERE %3$s)) INTO old_rows, new_rows, missing;
    IF missing > 0 OR old_rows <> new_rows THEN
        RAISE EXCEPTION '%% has %% rows, and its copy %% and misses %%', %5$L, old_rows, new_rows, missing
            USING HINT = 'It was written with its triggers off, or its keys are not distinct as ulid. Begin '
                'anew: ' || %6$L;
    END IF;
END $ulid_move$;$s$), o.home, o.work, o.same, NULL, o.home, format('DROP SCHEMA %s CASCADE.', schemas));
    END LOOP;
    RETURN NEXT pg_temp.say('Waiting for the transactions that began before the last row was copied');
    RETURN NEXT format($s$DO $ulid_move$
DECLARE who text; said text := '';
BEGIN
    LOOP
        SELECT string_agg('process ' || pid, ', ' ORDER BY pid) INTO who FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
            -- who is no superuser is not told of another's
            AND (backend_type <> 'autovacuum worker' OR backend_type IS NULL AND usesysid IS NOT NULL)
            AND age(backend_xmin) > age((SELECT max(ended)::xid FROM (%s) p (ended)));
        EXIT WHEN who IS NULL;
        IF who <> said THEN
            RAISE INFO 'waiting for %%', who;
            said := who;
        END IF;
        PERFORM pg_sleep(0.2);
        COMMIT;
    END LOOP;
END $ulid_move$;
\endif$s$, (SELECT string_agg(DISTINCT format('SELECT ended FROM %s.ulid_move_progress', work_schema),
    ' UNION ALL ') FROM copied));

    -- 5
    RETURN NEXT E'\n-- 5. The switch: in one transaction that reads no row, the tables change places.';
    SELECT * INTO down FROM pg_temp.taken_down(functions, (SELECT array_agg(view ORDER BY level DESC, view)
        FROM copied_view), policies, rules);
    body := down.rest;
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
            WHEN 'c' THEN format(E'ALTER TABLE %s ADD %s NOT VALID;\n', o.home, pg_temp.copy_check(o.oid))
            ELSE format(E'ALTER TABLE %s ADD CONSTRAINT %I NOT NULL %s NOT VALID;\n', o.home, o.conname,
                pg_temp.column_name(o.conrelid, o.conkey[1])) END,
            pg_temp.comment('pg_constraint', o.oid, 0, format('CONSTRAINT %I ON %s', o.conname, o.home)));
    END LOOP;
    -- a foreign key from a partitioned table begins as one of each partition: only such can be NOT
    -- VALID before PostgreSQL 18
    FOR o IN SELECT c.*, relkind FROM pg_constraint c JOIN pg_class r ON r.oid = conrelid
        WHERE c.oid = ANY (foreign_keys) ORDER BY conrelid::regclass::text, conname LOOP
        IF o.relkind = 'p' AND version < 180000 THEN
            SELECT concat(body, string_agg(format(E'ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID;\n', relid,
                o.conname, pg_get_constraintdef(o.oid)), '')) INTO body
                FROM pg_partition_tree(o.conrelid) WHERE isleaf;
        ELSE
            body := concat(body, format(E'ALTER TABLE %s ADD CONSTRAINT %I %s%s;\n', o.conrelid::regclass,
                o.conname, pg_get_constraintdef(o.oid), CASE WHEN o.convalidated THEN ' NOT VALID' END),
                pg_temp.comment('pg_constraint', o.oid, 0,
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
    SELECT concat(body, string_agg(pg_temp.copy_policy(oid), '' ORDER BY polrelid, polname)) INTO body
        FROM pg_policy WHERE oid = ANY (policies);
    FOR o IN SELECT pubname, prrelid, pg_get_expr(prqual, prrelid) AS filter,
            (SELECT string_agg(pg_temp.column_name(prrelid, c), ', ' ORDER BY n)
                FROM unnest(prattrs) WITH ORDINALITY u (c, n)) AS columns
        FROM pg_publication_rel p JOIN pg_publication b ON b.oid = prpubid
            WHERE prrelid IN (SELECT rel FROM copied)
    LOOP
        body := body || concat(format('ALTER PUBLICATION %I ADD TABLE %s', o.pubname, o.prrelid::regclass), ' ('
            || o.columns || ')', ' WHERE (' || o.filter || ')', E';\n');
    END LOOP;
    SELECT string_agg(DISTINCT t::regclass::text, ', ') INTO tables FROM (
        SELECT rel FROM copied WHERE rel = root
        UNION SELECT COALESCE(pg_partition_root(conrelid), conrelid) FROM pg_constraint
            WHERE oid = ANY (foreign_keys)
        UNION SELECT COALESCE(pg_partition_root(confrelid), confrelid) FROM pg_constraint
            WHERE oid = ANY (foreign_keys)
        UNION SELECT polrelid FROM pg_policy WHERE oid = ANY (policies)
        UNION SELECT ev_class FROM pg_rewrite WHERE oid = ANY (rules)) x (t);
    RETURN NEXT pg_temp.step(format('Changing the type to %s: %s', setting.target,
        (SELECT string_agg(home, ', ' ORDER BY home) FROM copied WHERE rel = root)),
        format('NOT (%s)', done), pg_temp.copy_transaction(done, tables, E'SELECT pg_temp.ulid_move_look();\n'
            || down.first, body));

    -- 6
    RETURN NEXT '-- 6. What is left of the move goes, and the old tables.';
    SELECT string_agg(home, ', ' ORDER BY home) INTO tables FROM copied WHERE rel = root;
    RETURN NEXT (SELECT pg_temp.copy_transaction(string_agg(format('to_regprocedure(%L) IS NULL', c.work
        || '()'), ' AND '), tables, '',
        string_agg(format(E'DROP FUNCTION IF EXISTS %s() CASCADE;\n', c.work), '' ORDER BY c.work) || late)
            FROM copied c WHERE rel = root);
    RETURN NEXT (SELECT pg_temp.copy_once('false',
        string_agg(format(E'DROP TABLE IF EXISTS %1$s CASCADE;\nDROP FUNCTION IF EXISTS %1$s(text[], text[], '
        'integer);\n'
                'DROP FUNCTION IF EXISTS %1$s(text[], text[]);\n', c.work), '' ORDER BY c.work)
            || string_agg(DISTINCT pg_temp.copy_clear(work_schema), '')) FROM copied c);
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
            ORDER BY conrelid::regclass::text, conname
    LOOP
        columns := format('to_regclass(%1$L) IS NULL OR EXISTS (SELECT FROM '
            'pg_constraint WHERE conrelid = to_regclass(%1$L) AND conname = %2$L)'
                -- it is gone
                ' OR (SELECT count(relid) > 0 AND count(conname) = 0 FROM '
                    'pg_partition_tree(to_regclass(%1$L)) LEFT JOIN pg_constraint ON conrelid = relid AND '
                    'conname = %2$L WHERE isleaf)', o.rel, o.conname);
        RETURN NEXT pg_temp.step(format('Attaching %I of %s', o.conname, o.rel), format('NOT (%s)', columns),
            pg_temp.copy_transaction(columns, concat_ws(', ', o.rel, CASE
                    WHEN o.target <> o.rel THEN o.target END), '',
            concat(format(E'ALTER TABLE %s ADD CONSTRAINT %I %s;\n', o.rel, o.conname,
                pg_get_constraintdef(o.oid)),
                pg_temp.comment('pg_constraint', o.oid, 0, format('CONSTRAINT %I ON %s', o.conname, o.rel)))));
    END LOOP;
END $f$;
