-- What a switch leaves to do: indexes that it has dropped are built again, and keys attached. All that is to be known
-- of it is in the catalogs, in the comments on what stands in for them, and not in the script: so it is done by
-- whatever script is run next, and is gone with the table or the column that it is of.

-- What stands in for an index: another index, or statistics where none can. The comment tells of the index that it
-- stands for. Whoever owns a table can write such a comment, so nothing of it is run as it is there but the end of one
-- CREATE INDEX, which is the owner's anyway; and a comment of somebody's own that begins like these is none.
CREATE FUNCTION pg_temp.ulid_move_told(description text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT AS $told$
BEGIN
    RETURN substring(description FROM '\{.*')::jsonb;
EXCEPTION WHEN data_exception THEN
    RETURN NULL;
END $told$;

CREATE FUNCTION pg_temp.ulid_move_stand_ins() RETURNS TABLE (rel regclass, stand_in oid, statement text, is_key boolean,
    qualified text, what jsonb) LANGUAGE sql STABLE AS $ins$
    -- once, and not for each table that a caller asks about
    WITH d (rel, stand_in, statement, is_key, description) AS MATERIALIZED (
        SELECT indrelid, indexrelid, format('INDEX CONCURRENTLY %s', indexrelid::regclass), indisunique,
            description FROM pg_index JOIN pg_description ON objoid = indexrelid AND classoid = 'pg_class'::regclass
                AND objsubid = 0 WHERE description LIKE 'In the place of %{%'
        UNION ALL SELECT stxrelid, s.oid, format('STATISTICS %I.%I', nspname, stxname), false, description
            FROM pg_statistic_ext s JOIN pg_namespace n ON n.oid = stxnamespace
                JOIN pg_description ON objoid = s.oid AND classoid = 'pg_statistic_ext'::regclass
            WHERE stxname LIKE '%\_ulid\_move' AND description LIKE 'In the place of %{%'
    ) SELECT d.rel::regclass, d.stand_in, d.statement, d.is_key, format('%I.%I', nspname, w.what ->> 'name'), w.what
    FROM d JOIN pg_class c ON c.oid = d.rel JOIN pg_namespace n ON n.oid = relnamespace,
        LATERAL pg_temp.ulid_move_told(description) w (what)
    WHERE what ->> 'name' <> '' AND what ->> 'rel' <> '' AND what ->> 'as' LIKE 'USING %'
        -- what a CREATE TABLE ... (LIKE ... INCLUDING ALL) took over from it is none
        AND (d.rel::text = what ->> 'relid' OR NOT EXISTS (SELECT FROM pg_class o
            WHERE o.oid::text = what ->> 'relid' AND o.oid::regclass::text = what ->> 'rel'))
$ins$;

-- The statements that build one index again. One that was left half built is dropped first.
CREATE FUNCTION pg_temp.ulid_move_build(rel regclass, stand_in oid, is_key boolean, qualified text, what jsonb)
    RETURNS SETOF text LANGUAGE plpgsql STABLE AS $build$
DECLARE
    index pg_index := (SELECT i FROM pg_index i WHERE indexrelid = to_regclass(qualified)); extension text;
BEGIN
    IF what ->> 'rel' <> rel::text OR (what ->> 'relid')::oid = rel AND EXISTS (SELECT
        FROM jsonb_each_text(what -> 'columns') JOIN pg_attribute ON attrelid = rel AND attnum = key::int2
        WHERE attname <> value) THEN
        RAISE EXCEPTION '% or a column of it was renamed: it was % when its type changed', rel, what ->> 'rel'
            USING DETAIL = format('Index %s is to be built %s', qualified, what ->> 'as'),
                HINT = 'Put this as it was, and run the script again.';
    END IF;
    IF index.indrelid <> rel OR EXISTS (SELECT FROM pg_index b WHERE b.indexrelid = stand_in
        AND (b.indkey::text, b.indnkeyatts, b.indisunique)
            <> (index.indkey::text, index.indnkeyatts, index.indisunique)) THEN
        RAISE EXCEPTION 'index % is not the one that % stands in for', qualified, stand_in::regclass
            USING HINT = 'The type is changed already: drop or rename it, and run the script again.';
    END IF;
    IF regexp_replace(what ->> 'as', $re$\mE'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"$re$, '', 'g')
        ~ $re$[;$'"]|--|/\*$re$ THEN
        RAISE data_exception;
    END IF;
    IF NOT index.indisvalid THEN
        RETURN NEXT format('DROP INDEX CONCURRENTLY %s', qualified);
    END IF;
    IF index.indisvalid IS NOT true THEN
        RETURN NEXT format('SELECT pg_temp.ulid_move_say(%L)', 'Building ' || qualified);
        RETURN NEXT format('CREATE %sINDEX CONCURRENTLY %I ON %s %s', CASE WHEN is_key THEN 'UNIQUE ' END,
            what ->> 'name', rel, what ->> 'as');
    END IF;
    RETURN NEXT format('COMMENT ON INDEX %s IS %L', qualified, what ->> 'comment');
    FOR extension IN SELECT jsonb_array_elements_text(what -> 'extensions') LOOP
        RETURN NEXT format('ALTER INDEX %s DEPENDS ON EXTENSION %I', qualified, extension);
    END LOOP;
    RETURN QUERY SELECT format('ALTER INDEX %s ALTER COLUMN %s SET STATISTICS %s', qualified, key::int2, value::integer)
        FROM jsonb_each_text(what -> 'targets');
    IF what ->> 'clustered' = 'true' THEN
        RETURN NEXT format('ALTER TABLE %s CLUSTER ON %I', rel, what ->> 'name');
    END IF;
EXCEPTION WHEN data_exception THEN
    RAISE EXCEPTION 'the comment of what stands in for index % is not that of a move', qualified
        USING DETAIL = what, HINT = format('Whoever owns %s has written it: take it away.', rel);
END $build$;

-- The statements that are left to do: keys first, each attached as soon as it is built.
CREATE FUNCTION pg_temp.ulid_move_unfinished() RETURNS SETOF text LANGUAGE plpgsql STABLE AS $unfinished$
DECLARE
    t regclass; s record;
BEGIN
    FOR t IN SELECT rel FROM pg_temp.ulid_move_stand_ins()
        WHERE is_key AND rel::text IN (SELECT c.rel FROM pg_temp.ulid_move_column c) GROUP BY rel
        ORDER BY pg_relation_size(rel), rel::text LOOP
        RETURN QUERY SELECT b FROM (SELECT * FROM pg_temp.ulid_move_stand_ins() WHERE rel = t AND is_key
            ORDER BY what ->> 'key' IS NULL, qualified) i,
            pg_temp.ulid_move_build(rel, stand_in, is_key, qualified, what) b;
        RETURN NEXT format('SELECT pg_temp.ulid_move_say(%L)', 'Attaching the keys of ' || t);
        RETURN NEXT format('CALL pg_temp.ulid_move_attach(%L)', t);
    END LOOP;
    FOR s IN SELECT * FROM pg_temp.ulid_move_stand_ins() WHERE NOT is_key
        AND rel::text IN (SELECT c.rel FROM pg_temp.ulid_move_column c) ORDER BY pg_relation_size(rel), qualified LOOP
        RETURN QUERY SELECT * FROM pg_temp.ulid_move_build(s.rel, s.stand_in, false, s.qualified, s.what);
        IF s.what ->> 'expressions' = 'true' THEN
            RETURN NEXT format('ANALYZE %s', s.rel);
        END IF;
        RETURN NEXT 'DROP ' || s.statement;
    END LOOP;
END $unfinished$;

-- The comments on a constraint, and on those that partitions have from it, to be made again with it.
CREATE FUNCTION pg_temp.ulid_move_comments(con oid) RETURNS text LANGUAGE sql STABLE AS $comments$
    WITH RECURSIVE child (oid) AS (SELECT con
        UNION ALL SELECT c.oid FROM child JOIN pg_constraint c ON conparentid = child.oid)
    SELECT string_agg(format(E'COMMENT ON CONSTRAINT %I ON %s IS %L;\n', conname, conrelid::regclass, description), ''
        ORDER BY conrelid) FROM child JOIN pg_constraint c USING (oid)
        JOIN pg_description ON classoid = 'pg_constraint'::regclass AND objoid = c.oid
$comments$;

-- The names of the triggers of a foreign key, by what they do. They act in the order of their names, among those of other
-- foreign keys, and what a DELETE takes along or is refused for can depend on it. Of a partitioned table it is those of a
-- partition that act.
CREATE FUNCTION pg_temp.ulid_move_trigger_names(foreign_key oid) RETURNS jsonb LANGUAGE sql STABLE AS $names$
    SELECT COALESCE(jsonb_object_agg(tgfoid, COALESCE((WITH RECURSIVE below (oid) AS (SELECT g.oid
            UNION ALL SELECT b.oid FROM below JOIN pg_trigger b ON b.tgparentid = below.oid)
            SELECT tgname FROM below JOIN pg_trigger USING (oid) JOIN pg_class c ON c.oid = tgrelid
            WHERE r.relkind = 'p' AND c.relkind <> 'p' ORDER BY below.oid LIMIT 1), tgname)), '{}')
    FROM pg_trigger g JOIN pg_class r ON r.oid = tgrelid WHERE tgconstraint = foreign_key AND tgparentid = 0
$names$;

-- Gives the triggers of a foreign key that was made again the names of those that it had. `after` comes after each, so
-- that one can be several for a time.
CREATE FUNCTION pg_temp.ulid_move_name_triggers(referring regclass, key name, names jsonb, after text) RETURNS void
    LANGUAGE plpgsql AS $rename$
DECLARE
    t record;
BEGIN
    FOR t IN SELECT tgname, tgrelid::regclass AS rel, names ->> tgfoid::oid::text || after AS name
        FROM pg_constraint c JOIN pg_trigger ON tgconstraint = c.oid
        WHERE conrelid = referring AND conname = key AND contype = 'f' AND tgparentid = 0 LOOP
        IF t.name <> t.tgname THEN
            EXECUTE format('ALTER TRIGGER %I ON %s RENAME TO %I', t.tgname, t.rel, t.name);
        END IF;
    END LOOP;
END $rename$;

-- What does that, for the names that they have now, when it was made again, or as one of `referring`.
CREATE FUNCTION pg_temp.ulid_move_names_again(foreign_key oid, referring regclass, after text) RETURNS text
    LANGUAGE sql STABLE AS $again$
    SELECT format(E'SELECT pg_temp.ulid_move_name_triggers(%L, %L, %L, %L);\n', referring, conname,
        pg_temp.ulid_move_trigger_names(foreign_key), after) FROM pg_constraint WHERE oid = foreign_key
$again$;

-- Makes built indexes the keys of a table, and the foreign keys, as they are now, refer to them. The tables are locked.
CREATE FUNCTION pg_temp.ulid_move_attach_keys(of regclass) RETURNS void LANGUAGE plpgsql AS $keys$
DECLARE
    s record; k record; again text := '';
BEGIN
    FOR s IN SELECT i.*, relname, indisreplident FROM pg_temp.ulid_move_stand_ins() i
        JOIN pg_index ON indexrelid = stand_in JOIN pg_class c ON c.oid = to_regclass(qualified)
        WHERE rel = of AND is_key
    LOOP
        FOR k IN SELECT c.oid, conrelid::regclass AS referring, conname, convalidated, relkind
            FROM pg_constraint c JOIN pg_class r ON r.oid = conrelid
            WHERE contype = 'f' AND conindid = s.stand_in AND conparentid = 0 ORDER BY c.oid
        LOOP
            IF EXISTS (SELECT FROM pg_trigger WHERE tgconstraint = k.oid AND tgenabled <> 'O') THEN
                RAISE EXCEPTION 'foreign key % of % has triggers that are disabled, or for replicas alone', k.conname,
                    k.referring USING HINT = format('ALTER TABLE %s ENABLE TRIGGER ALL, and of %s; then run the script '
                    'again.', k.referring, of);
            END IF;
            -- what is validated in part 5 need not be under the lock, if somebody has validated it since
            again := concat(again, format(E'ALTER TABLE %s ADD CONSTRAINT %I %s%s;\n', k.referring, k.conname,
                pg_get_constraintdef(k.oid), CASE WHEN k.convalidated AND k.relkind <> 'p' AND EXISTS (SELECT
                    FROM pg_temp.ulid_move_was WHERE object = 'validation of '
                        || pg_describe_object('pg_constraint'::regclass, k.oid, 0)) THEN ' NOT VALID' END),
                pg_temp.ulid_move_names_again(k.oid, k.referring, ''), pg_temp.ulid_move_comments(k.oid));
            EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', k.referring, k.conname);
        END LOOP;
        IF s.what ->> 'key' IS NOT NULL THEN
            EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s USING INDEX %2$I', of, s.relname,
                CASE s.what ->> 'key' WHEN 'PRIMARY KEY' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END);
            EXECUTE format('COMMENT ON CONSTRAINT %I ON %s IS %L', s.relname, of, s.what ->> 'key comment');
        END IF;
        IF s.indisreplident THEN
            EXECUTE format('ALTER TABLE %s REPLICA IDENTITY ', of) || CASE s.what ->> 'identity' WHEN 'd' THEN 'DEFAULT'
                ELSE format('USING INDEX %I', s.relname) END;
        END IF;
        EXECUTE format('DROP INDEX %s', s.stand_in::regclass);
    END LOOP;
    EXECUTE again;
END $keys$;

CREATE PROCEDURE pg_temp.ulid_move_attach(of regclass) LANGUAGE plpgsql AS $attach$
DECLARE
    tables text[] := of::text || ARRAY(SELECT DISTINCT conrelid::regclass::text
        FROM pg_constraint JOIN pg_temp.ulid_move_stand_ins() ON contype = 'f' AND conindid = stand_in
        WHERE rel = of AND conparentid = 0 AND conrelid <> of);
BEGIN
    CALL pg_temp.ulid_move_transact(NULL, tables, '{}',
        format('DO %L', format('BEGIN PERFORM pg_temp.ulid_move_attach_keys(%L); END', of)));
END $attach$;

-- Who vacuums tables, their partitions and their heirs, or builds an index of them. The locks that clients take are not
-- waited for: they may come without a gap.
CREATE FUNCTION pg_temp.ulid_move_busy(tables text[]) RETURNS TABLE (rel regclass, by_pid integer)
    LANGUAGE sql VOLATILE AS $busy$
    WITH RECURSIVE member (oid) AS (
        SELECT to_regclass(t)::oid FROM unnest(tables) t
        UNION SELECT inhrelid FROM member JOIN pg_inherits ON inhparent = oid
    )
    SELECT relation, pid FROM pg_locks JOIN member ON relation = oid
    WHERE granted AND locktype = 'relation' AND pid IS DISTINCT FROM pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND mode IN ('ShareUpdateExclusiveLock', 'ShareLock')
$busy$;

-- Waits until nobody does, without a lock and without a snapshot: who builds an index CONCURRENTLY waits for all that
-- have one, and would be in a deadlock. The server ends a vacuum of its own for who waits for a lock that long.
CREATE PROCEDURE pg_temp.ulid_move_await(tables text[]) LANGUAGE plpgsql AS $await$
DECLARE
    until CONSTANT timestamptz := clock_timestamp()
        + COALESCE(NULLIF(current_setting('ulid_move.maintenance_timeout', true), ''), '1min')::interval;
    users text; vacuumed regclass;
BEGIN
    LOOP
        SELECT string_agg(DISTINCT format('%s is used by %s', rel, COALESCE('process ' || by_pid, 'a prepared transaction')),
                E'\n'), min(rel::oid) FILTER (WHERE by_pid IN (SELECT pid FROM pg_stat_progress_vacuum
                    UNION SELECT pid FROM pg_stat_progress_analyze))
            INTO users, vacuumed FROM pg_temp.ulid_move_busy(tables);
        EXIT WHEN users IS NULL;
        IF clock_timestamp() > until THEN
            RAISE EXCEPTION 'the tables are in use by a VACUUM, a CREATE INDEX or another change'
                USING ERRCODE = 'lock_not_available', DETAIL = users,
                HINT = 'Nothing of this step was done. Run the script again when it has ended.';
        END IF;
        IF vacuumed IS NULL THEN
            PERFORM pg_sleep(0.1);
        ELSE
            BEGIN
                PERFORM set_config('lock_timeout', (setting::integer + 100)::text, true)
                    FROM pg_settings WHERE name = 'deadlock_timeout';
                EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', vacuumed);
            EXCEPTION WHEN lock_not_available OR undefined_table THEN
                NULL;
            END;
        END IF;
        COMMIT;
    END LOOP;
END $await$;

-- Compares a bundle, and gives up the locks that the server takes to show definitions.
CREATE FUNCTION pg_temp.ulid_move_check_apart(which integer) RETURNS void LANGUAGE plpgsql AS $apart$
BEGIN
    PERFORM pg_temp.ulid_move_check(which);
    RAISE SQLSTATE 'UL000';
EXCEPTION WHEN SQLSTATE 'UL000' THEN
    NULL;
END $apart$;

-- What the catalogs have of tables and views and of what depends on them, as a digest of who wrote it: another, where
-- anything was changed.
CREATE FUNCTION pg_temp.ulid_move_marks(names text[]) RETURNS text LANGUAGE sql VOLATILE AS $marks$
    WITH rel (oid) AS MATERIALIZED (
        SELECT to_regclass(name)::oid FROM unnest(names) name
        UNION SELECT relid FROM unnest(names) name, pg_partition_tree(to_regclass(name))
    ), own (oid) AS MATERIALIZED (
        SELECT oid FROM rel UNION SELECT indexrelid FROM pg_index WHERE indrelid IN (SELECT oid FROM rel)
        -- sequences
        UNION SELECT objid FROM pg_depend WHERE classid = 'pg_class'::regclass AND refclassid = 'pg_class'::regclass
            AND refobjid IN (SELECT oid FROM rel) AND deptype IN ('a', 'i')
    ), thing (classid, oid, row) AS MATERIALIZED (
        SELECT 'pg_class'::regclass, oid, xmin FROM pg_class WHERE oid IN (SELECT oid FROM own)
        UNION ALL SELECT 'pg_attrdef'::regclass, oid, xmin FROM pg_attrdef WHERE adrelid IN (SELECT oid FROM rel)
        UNION ALL SELECT 'pg_constraint'::regclass, oid, xmin FROM pg_constraint WHERE conrelid IN (SELECT oid FROM rel)
        UNION ALL SELECT 'pg_trigger'::regclass, oid, xmin FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM rel)
        UNION ALL SELECT 'pg_policy'::regclass, oid, xmin FROM pg_policy WHERE polrelid IN (SELECT oid FROM rel)
        UNION ALL SELECT 'pg_rewrite'::regclass, oid, xmin FROM pg_rewrite WHERE ev_class IN (SELECT oid FROM rel)
        UNION ALL SELECT 'pg_statistic_ext'::regclass, oid, xmin FROM pg_statistic_ext WHERE stxrelid IN (SELECT oid FROM rel)
        UNION ALL SELECT 'pg_publication_rel'::regclass, oid, xmin FROM pg_publication_rel
            WHERE prrelid IN (SELECT oid FROM rel)
        UNION ALL SELECT 'pg_proc'::regclass, oid, xmin FROM pg_proc WHERE oid IN (SELECT objid FROM pg_depend
            WHERE classid = 'pg_proc'::regclass AND refclassid = 'pg_class'::regclass AND refobjid IN (SELECT oid FROM rel))
    )
    SELECT md5(string_agg(mark, ',' ORDER BY mark)) FROM (
        SELECT concat_ws(' ', classid, thing.oid, row, (SELECT string_agg(concat_ws(' ', objsubid, d.xmin), ' '
                ORDER BY objsubid) FROM pg_description d WHERE objoid = thing.oid AND classoid = classid),
            (SELECT string_agg(concat_ws(' ', provider, objsubid, l.xmin), ' ' ORDER BY provider, objsubid)
                FROM pg_seclabel l WHERE objoid = thing.oid AND classoid = classid),
            (SELECT string_agg(d.xmin::text, ' ' ORDER BY refobjid) FROM pg_depend d WHERE d.classid = thing.classid
                AND objid = thing.oid AND refclassid = 'pg_extension'::regclass)) FROM thing
        UNION ALL SELECT concat_ws(' ', 'attribute', attrelid, attnum, xmin) FROM pg_attribute
            WHERE attrelid IN (SELECT oid FROM own)
        UNION ALL SELECT concat_ws(' ', 'index', indexrelid, xmin) FROM pg_index WHERE indexrelid IN (SELECT oid FROM own)
        UNION ALL SELECT concat_ws(' ', 'inherits', inhrelid, xmin) FROM pg_inherits
            WHERE inhrelid IN (SELECT oid FROM own) OR inhparent IN (SELECT oid FROM own)
        UNION ALL SELECT concat_ws(' ', 'sequence', seqrelid, xmin) FROM pg_sequence WHERE seqrelid IN (SELECT oid FROM own)
        UNION ALL SELECT concat_ws(' ', 'subscription', srrelid, srsubid) FROM pg_subscription_rel
            WHERE srrelid IN (SELECT oid FROM rel)
        UNION ALL SELECT concat_ws(' ', 'depend', classid, objid, objsubid, refobjsubid, xmin) FROM pg_depend
            WHERE refclassid = 'pg_class'::regclass AND refobjid IN (SELECT oid FROM own)) m (mark)
$marks$;

-- A transaction of a script that locks tables. It makes an attempt at all its locks and its work, and rather gives them
-- up and makes another, a transaction of its own, than hold anybody up for longer than `ulid_move.lock_timeout`. Where
-- a client holds one table and wants another, while this holds that and wants the first, none gets on: so the table
-- that is used most is locked first, and the one that was not had is the first of the next attempt. Views are locked
-- before the tables, as by clients. A bundle `which` is not null is compared in each attempt before there is a lock, as
-- it takes longer than a client is to wait. If anything was changed since, that is another attempt, and the tenth time
-- it is compared again under the locks: a client may TRUNCATE a table all the time. (A weaker lock in the meantime
-- would be a deadlock with whoever writes a table and wants to lock the whole of it.)
CREATE PROCEDURE pg_temp.ulid_move_transact(which integer, tables text[], views text[], work text)
    LANGUAGE plpgsql AS $transact$
DECLARE
    patience text := COALESCE(NULLIF(current_setting('ulid_move.lock_timeout', true), ''), '30ms');
    attempts integer := COALESCE(NULLIF(current_setting('ulid_move.lock_attempts', true), ''), '200');
    next_table text; view text; marks text; changes integer := 0;
BEGIN
    -- of what is gone the comparison tells
    tables := ARRAY(SELECT t FROM unnest(tables) t WHERE to_regclass(t) IS NOT NULL);
    tables := ARRAY(SELECT t FROM unnest(tables) WITH ORDINALITY u (t, n) LEFT JOIN pg_stat_user_tables
        ON relid = to_regclass(t) ORDER BY seq_scan + COALESCE(idx_scan, 0) DESC NULLS LAST, n);
    FOR attempt IN 1 .. attempts LOOP
        CALL pg_temp.ulid_move_await(tables);
        BEGIN
            next_table := NULL;
            IF which IS NOT NULL THEN
                -- whoever waits for this is in no deadlock yet
                PERFORM set_config('lock_timeout', (setting::integer / 2 + 1)::text, true)
                    FROM pg_settings WHERE name = 'deadlock_timeout';
                marks := pg_temp.ulid_move_marks(tables || views);
                PERFORM pg_temp.ulid_move_check_apart(which);
            END IF;
            IF EXISTS (SELECT FROM pg_temp.ulid_move_busy(tables)) THEN
                RAISE SQLSTATE 'UL000';
            END IF;
            PERFORM set_config('lock_timeout', patience, true);
            FOR view IN SELECT format('%s VIEW %s OWNER TO %I', CASE relkind WHEN 'm' THEN 'MATERIALIZED' END, name,
                    pg_get_userbyid(relowner))
                FROM unnest(views) WITH ORDINALITY v (name, n) JOIN pg_class ON oid = to_regclass(name) ORDER BY n LOOP
                -- locks it, and does nothing
                EXECUTE 'ALTER ' || view;
            END LOOP;
            FOREACH next_table IN ARRAY tables LOOP
                EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', next_table);
            END LOOP;
            next_table := NULL;
            IF which IS NOT NULL AND marks IS DISTINCT FROM pg_temp.ulid_move_marks(tables || views) THEN
                changes := changes + 1;
                IF changes < 10 AND attempt < attempts THEN
                    RAISE SQLSTATE 'UL000';
                END IF;
                PERFORM pg_temp.ulid_move_check(which);
            END IF;
            EXECUTE work;
            RETURN;
        EXCEPTION WHEN lock_not_available OR deadlock_detected OR SQLSTATE 'UL000' THEN
            IF attempt = attempts THEN
                RAISE EXCEPTION 'the tables are in use: no lock on them was had in % attempts of %, at last on %',
                    attempts, patience, COALESCE(next_table, 'what depends on them')
                    USING ERRCODE = 'lock_not_available',
                        HINT = 'Nothing of this step was done. Run the script again, with a longer '
                        'ulid_move.lock_timeout where transactions are long.',
                    DETAIL = (SELECT string_agg(DISTINCT format('%s is used by %s', relation::regclass,
                            COALESCE('process ' || l.pid, 'a prepared transaction')), E'\n')
                        FROM pg_locks l WHERE granted AND locktype = 'relation' AND l.pid IS DISTINCT
                            FROM pg_backend_pid()
                            AND relation = ANY (tables::regclass[])
                            AND database = (SELECT oid FROM pg_database WHERE datname = current_database()));
            END IF;
            IF next_table IS NOT NULL THEN
                tables := next_table || array_remove(tables, next_table);
            END IF;
        END;
        COMMIT;
        PERFORM pg_sleep(0.05 + random() * 0.2);
        COMMIT;
    END LOOP;
END $transact$;

-- Says what is done, and since when. An index that is built CONCURRENTLY waits for all that looked at the database
-- before: those who have done so for long are named.
CREATE FUNCTION pg_temp.ulid_move_say(title text) RETURNS text LANGUAGE sql VOLATILE AS $say$
    SELECT concat(at, ' ', title, (SELECT format(E'\n%s which waits for %s', at, string_agg(format(
            'process %s, in a transaction for %s', pid, date_trunc('second', clock_timestamp() - xact_start)), ', '))
        FROM pg_stat_activity WHERE title LIKE 'Building %' AND datname = current_database()
            AND pid <> pg_backend_pid() AND xact_start < clock_timestamp() - interval '5 s' HAVING count(*) > 0))
    FROM to_char(clock_timestamp() - to_timestamp(current_setting('ulid_move.began')::float8), 'HH24:MI:SS') at
$say$;

-- The statements of a script that do it.
CREATE FUNCTION pg_temp.finish() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT E'SELECT count(*) > 0 AS todo FROM pg_temp.ulid_move_unfinished() \\gset\n\\if :todo\n'
        '\\set ulid_move_worked 1\nSELECT * FROM pg_temp.ulid_move_unfinished() \\gexec\n\\endif'
$$;

-- Such a transaction, as a script has it. From the commit of a switch on, which has a number, every session plans anew what
-- it has planned, as it does when an operator is new. Else PL/pgSQL keeps the plan of an expression with NEW.id, or a
-- field of a record, which takes no other type.
CREATE FUNCTION pg_temp.transaction(which integer, tables text[], views text[], work text)
    RETURNS text LANGUAGE sql STABLE AS $f$
    SELECT format(pg_temp.tagged($template$CALL pg_temp.ulid_move_transact(%L, %L, %L, $ulid_move_work$
%s%s$ulid_move_work$);$template$), which, tables, COALESCE(views, '{}'), work, CASE WHEN which IS NOT NULL
        THEN E'CREATE OPERATOR pg_temp.=== (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = pg_catalog.uuid_eq);\n'
            'DROP OPERATOR pg_temp.=== (uuid, uuid);\n' END)
$f$;

-- The head of a script: the functions that it uses, and what it looks at before anything is done.
CREATE FUNCTION pg_temp.head() RETURNS SETOF text LANGUAGE plpgsql AS $f$
DECLARE
    o record;
BEGIN
    RETURN NEXT format(E'-- Moves to %s, while the application writes:', (SELECT target FROM ulid_move_setting));
    FOR o IN SELECT format('--   %s.%I', rel::regclass, name) AS line FROM planned
        ORDER BY rel::regclass::text, att LOOP
        RETURN NEXT pg_temp.line(o.line);
    END LOOP;
    RETURN NEXT '-- For psql. It stops at an error, and goes on from there when it is run again.';
    RETURN NEXT '-- It reads settings, as in PGOPTIONS=''-c ulid_move.lock_attempts=1000'' psql ...';
    RETURN NEXT $s$
-- Two at once would get in each other's way. A session that ended a moment ago may still be there.
DO $ulid_move$ BEGIN
    FOR attempt IN 1 .. 20 LOOP
        EXIT WHEN pg_try_advisory_lock(1970040945, 1836021349);
        IF attempt = 20 THEN
            RAISE EXCEPTION 'a move is under way in process %', (SELECT pid FROM pg_locks
                WHERE locktype = 'advisory' AND classid = 1970040945 AND objid = 1836021349 AND granted
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
                USING ERRCODE = 'lock_not_available', HINT = 'Run the script again when that has ended.';
        END IF;
        PERFORM pg_sleep(0.1);
    END LOOP;
END $ulid_move$;

-- All as it was when this was written.$s$;
    RETURN QUERY SELECT pg_temp.written_state();
    FOR o IN SELECT regexp_replace(pg_get_functiondef(oid), 'pg_temp_\d+\.', 'pg_temp.') AS definition FROM pg_proc
        WHERE pronamespace = pg_my_temp_schema() AND proname LIKE 'ulid\_move\_%' ORDER BY oid LOOP
        RETURN NEXT rtrim(o.definition, E'\n') || ';';
    END LOOP;
    RETURN NEXT E'\n\\echo Looking whether all is as it was when this was written';
    RETURN NEXT 'DO $$ BEGIN PERFORM pg_temp.ulid_move_begin(); END $$;';
    RETURN NEXT '-- what a move has left to do that was stopped';
    RETURN NEXT pg_temp.finish();
    RETURN NEXT 'DO $$ BEGIN PERFORM pg_temp.ulid_move_check_all(); END $$;';
END $f$;
