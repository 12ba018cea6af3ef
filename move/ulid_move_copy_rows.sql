-- The rows: the triggers that keep a copy in step, and the copier of the rows from before.

-- A list made of the columns of a key: a format of 1 name, 2 place, 3 type, 4 what becomes of it in k, 5
-- equality of the new table, 6 whether o has the key k, 7 what becomes of it in o, 8 and without a table, 9 the key k.
-- A text is the key that it is as ulid: there is an index of that, and another spelling in another partition is refused
-- by the new table and not lost.
CREATE FUNCTION pg_temp.copy_key_list(of oid, template text, separator text) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT string_agg(format(template, k, n, source, format(value, 'k.' || k), equal,
        CASE WHEN by_ulid THEN format('%s %s k.%s', format(value, 'o.' || k), equal, k)
            ELSE format('o.%s %s k.%1$s', k, CASE WHEN moves AND source = schema || '.ulid'
                THEN format('OPERATOR(%s.=)', schema) WHEN moves THEN 'OPERATOR(pg_catalog.=)' ELSE equal END) END,
        format(value, 'o.' || k), format(value, k),
        CASE WHEN by_ulid THEN format('%s AS %s', format(value, k), k) ELSE k END), separator ORDER BY n)
    FROM (SELECT k, n, x.*, s.schema, moves AND is_text AND x.target = s.schema || '.ulid' AS by_ulid
        FROM copied c, unnest(key) WITH ORDINALITY u (k, n), copied_column x, ulid_move_setting s
        WHERE c.rel = of AND x.rel = of AND x.name = k) x
$$;

-- The columns that are written, and what of the old table goes into them.
CREATE FUNCTION pg_temp.copy_columns(of oid, alias text, as_copied boolean) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT string_agg(format(CASE WHEN as_copied THEN value ELSE '%s' END, concat(alias || '.', name)), ', ' ORDER BY name)
    FROM copied_column JOIN pg_attribute ON attrelid = rel AND attnum = att WHERE rel = of AND attgenerated = ''
$$;

-- The function that keeps a new table in step with the old one. It runs in the sessions of clients with the
-- rights of the owner of the table: nothing in it is found by search_path. The plans that it keeps must not
-- depend on how many rows the first statement wrote.
CREATE FUNCTION pg_temp.copy_sync(of oid) RETURNS text LANGUAGE plpgsql AS $f$
DECLARE
    c record; deletion text; insertion text; keys text; keyed text; deferring text; by_row text;
BEGIN
    SELECT x.*, pg_get_userbyid(relowner) AS owner INTO c FROM copied x JOIN pg_class p ON p.oid = x.rel
        WHERE x.rel = of;
    SELECT 'SET CONSTRAINTS ' || string_agg(DISTINCT format('%s.%I', work_schema, conname), ', ')
        || E' DEFERRED;\n' INTO deferring
        FROM pg_constraint JOIN copied x ON conrelid = x.rel WHERE x.root = of AND contype IN ('p', 'u', 'x')
            AND condeferrable;
    keys := pg_temp.copy_key_list(of, '%1$s', ', ');
    keyed := pg_temp.copy_key_list(of, '%9$s', ', ');
    -- Where not each statement has a snapshot of its own, a row is inserted before it is deleted.
    deletion := format($t$IF pg_catalog.current_setting('transaction_isolation') OPERATOR(pg_catalog.<>)
                'read committed' THEN
            INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE SELECT %3$s FROM %%1$s k ON CONFLICT (%4$s) DO NOTHING;
        END IF;
        DELETE FROM %1$s n USING %%1$s k WHERE %5$s;$t$, replace(c.work, '%', '%%'),
        replace(pg_temp.copy_columns(of, NULL, false), '%', '%%'), replace(pg_temp.copy_columns(of, 'k', true), '%', '%%'),
        replace(keys, '%', '%%'), replace(pg_temp.copy_key_list(of, 'n.%1$s %5$s %4$s', ' AND '), '%', '%%'));
    -- There a key has two rows, if another transaction has deleted the one; a join would end at the first of them.
    insertion := format($t$IF pg_catalog.current_setting('transaction_isolation') OPERATOR(pg_catalog.<>)
                'read committed' AND EXISTS (SELECT FROM (%%1$s) k, LATERAL (SELECT FROM %4$s o WHERE %5$s OFFSET 0) o
                    GROUP BY %6$s HAVING pg_catalog.count(*) OPERATOR(pg_catalog.>) 1) THEN
                RAISE EXCEPTION 'could not serialize access due to concurrent delete'
                    USING ERRCODE = 'serialization_failure';
            END IF;
            INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE
            SELECT %3$s FROM (%%1$s) k JOIN %4$s o ON %5$s;$t$, replace(c.work, '%', '%%'),
        replace(pg_temp.copy_columns(of, NULL, false), '%', '%%'), replace(pg_temp.copy_columns(of, 'o', true), '%', '%%'),
        replace(c.home, '%', '%%'), replace(pg_temp.copy_key_list(of, '%6$s', ' AND '), '%', '%%'),
        replace(pg_temp.copy_key_list(of, 'k.%1$s', ', '), '%', '%%'));
    SELECT string_agg(format(E'IF TG_LEVEL OPERATOR(pg_catalog.=) ''ROW'' AND TG_OP OPERATOR(pg_catalog.=) %L THEN\n'
        '        %s\n        %s\n    ELS', op, format(deletion, r),
        format(insertion, format('SELECT %s FROM %s r', keyed, r))), '')
        INTO by_row FROM (VALUES ('DELETE', '(SELECT OLD.*)'), ('INSERT', '(SELECT NEW.*)')) o (op, r)
        WHERE c.relkind = 'p';
    RETURN format(pg_temp.tagged($template$
CREATE FUNCTION %1$s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $ulid_move_sync$
#variable_conflict use_column
BEGIN
    IF TG_NAME OPERATOR(pg_catalog.=) 'ulid_move_apply' THEN
        RAISE EXCEPTION 'a subscription cannot write table %11$s while it is copied to another type'
            USING HINT = 'This is done again when the move is over or given up, and is not lost.';
    END IF;
    %2$s%12$sIF TG_OP OPERATOR(pg_catalog.=) 'INSERT' THEN
        %3$s
        %4$s
    ELSIF TG_OP OPERATOR(pg_catalog.=) 'TRUNCATE' THEN
        IF TG_ARGV[0] OPERATOR(pg_catalog.=) 'all' THEN
            TRUNCATE %1$s;
        ELSIF pg_catalog.current_setting('transaction_isolation') OPERATOR(pg_catalog.=) 'read committed' THEN
            DELETE FROM %1$s n WHERE NOT EXISTS (SELECT FROM %5$s o WHERE %6$s);
        ELSE
            RAISE EXCEPTION 'cannot truncate a partition in this isolation level while its table moves'
                USING ERRCODE = 'serialization_failure';
        END IF;
    ELSE
        %7$s
        IF TG_OP OPERATOR(pg_catalog.=) 'UPDATE' THEN
            %3$s
            %8$s
        ELSE
            %9$s
        END IF;
    END IF;
    RETURN NULL;
END $ulid_move_sync$;
ALTER FUNCTION %1$s() OWNER TO %10$I;
$template$), c.work, deferring, format(deletion, 'new_rows'),
    format(insertion, format('SELECT DISTINCT %s FROM new_rows', keyed)), c.home,
        pg_temp.copy_key_list(of, 'n.%1$s %5$s %7$s', ' AND '),
        format(deletion, 'old_rows'),
        format(insertion, format('SELECT %1$s FROM old_rows UNION SELECT %1$s FROM new_rows', keyed)),
            format(insertion, format('SELECT DISTINCT %s FROM old_rows', keyed)), c.owner,
        replace(replace(c.home, '%', '%%'), '''', ''''''), by_row);
END $f$;

-- The functions of the copier for one table that has rows. The first: of the rows after `low` and up to
-- `high` a batch, whose last key it returns, null if there is none; if `at_most` is 0, all of the range that
-- are missing; if `high` is null as well, nothing but the greatest key that is there. The second: how many of
-- a range are missing.
CREATE FUNCTION pg_temp.copy_batch(of oid) RETURNS text LANGUAGE plpgsql AS $f$
DECLARE
    c record; keys text; into_table text;
BEGIN
    SELECT x.*, pg_get_userbyid(relowner) AS owner INTO c FROM copied x JOIN pg_class p ON p.oid = x.rel
        WHERE x.rel = of;
    SELECT work INTO into_table FROM copied WHERE rel = c.root;
    keys := pg_temp.copy_key_list(c.root, '%1$s', ', ');
    RETURN format(pg_temp.tagged($template$
CREATE FUNCTION %1$s(low text[], INOUT high text[], at_most integer, OUT seen bigint, OUT taken bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
    SET datestyle = 'ISO' SET intervalstyle = 'postgres' SET extra_float_digits = 3
AS $ulid_move_copy$
#variable_conflict use_column
DECLARE
    range text := CASE WHEN low IS NULL THEN 'true' ELSE $q$(%2$s) > (%3$s)$q$ END
        || $q$ AND (%2$s) <= (%6$s)$q$;
BEGIN
    IF high IS NULL THEN
        SELECT ARRAY[%4$s] INTO high FROM (SELECT %2$s FROM ONLY %5$s ORDER BY %12$s LIMIT 1) a;
        RETURN;
    END IF;
    IF at_most = 0 THEN
        EXECUTE $q$WITH taken AS MATERIALIZED (SELECT * FROM ONLY %5$s o WHERE $q$ || range || $q$
                AND NOT EXISTS (SELECT FROM %7$s n WHERE %11$s) ORDER BY %2$s FOR SHARE SKIP LOCKED)
            INSERT INTO %7$s (%8$s) OVERRIDING SYSTEM VALUE SELECT %9$s
                FROM taken o ON CONFLICT (%2$s) DO NOTHING$q$ USING low, high;
        RETURN;
    END IF;
    EXECUTE $q$SELECT ARRAY[%4$s] FROM (SELECT %2$s, row_number() OVER () AS ulid_move_place
            FROM (SELECT %2$s FROM ONLY %5$s WHERE $q$ || range || $q$ ORDER BY %2$s LIMIT $3) a) b
        ORDER BY ulid_move_place DESC LIMIT 1$q$ INTO high USING low, high, at_most;
    IF high IS NULL THEN
        RETURN;
    END IF;
    EXECUTE $q$WITH taken AS MATERIALIZED (SELECT * FROM ONLY %5$s WHERE $q$ || range || $q$
        ORDER BY %2$s FOR SHARE SKIP LOCKED),
            put AS (INSERT INTO %7$s (%8$s) OVERRIDING SYSTEM VALUE SELECT %9$s
                FROM taken o ON CONFLICT (%2$s) DO NOTHING)
        SELECT (SELECT count(*) FROM ONLY %5$s
            WHERE $q$ || range || '), (SELECT count(*) FROM taken)' INTO seen, taken USING low, high;
END $ulid_move_copy$;
ALTER FUNCTION %1$s(text[], text[], integer) OWNER TO %10$I;
CREATE FUNCTION %1$s(low text[], high text[]) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
    SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off
    SET datestyle = 'ISO' SET intervalstyle = 'postgres' SET extra_float_digits = 3
AS $ulid_move_copy$
DECLARE
    missing bigint;
BEGIN
    EXECUTE $q$SELECT count(*) FROM ONLY %5$s o WHERE $q$ || CASE WHEN low IS NULL THEN 'true'
        ELSE $q$(%2$s) > (%3$s)$q$ END
        || $q$ AND (%2$s) <= (%6$s) AND NOT EXISTS (SELECT FROM %7$s n WHERE %11$s)$q$ INTO missing USING low,
            high;
    RETURN missing;
END $ulid_move_copy$;
ALTER FUNCTION %1$s(text[], text[]) OWNER TO %10$I;
$template$), c.work, keys, pg_temp.copy_key_list(c.root, '$1[%2$s]::%3$s', ', '),
    pg_temp.copy_key_list(c.root, '%1$s::text', ', '), c.home,
        replace(pg_temp.copy_key_list(c.root, '$1[%2$s]::%3$s', ', '), '$1', '$2'), into_table,
            pg_temp.copy_columns(of, NULL, false), pg_temp.copy_columns(of, 'o', true),
        c.owner, pg_temp.copy_key_list(c.root, 'n.%1$s %5$s %7$s', ' AND '),
        pg_temp.copy_key_list(c.root, '%1$s DESC', ', '));
END $f$;

-- The rows of one table, in batches, up to the greatest key that is there when the copying begins: what is
-- written after the triggers are there is theirs to copy. A range of which a client held a row is looked at
-- again, for as long as something is gained.
CREATE FUNCTION pg_temp.copy_rows(of oid, done text) RETURNS text LANGUAGE sql STABLE AS $f$
    SELECT format(pg_temp.tagged($template$DO $ulid_move$
DECLARE
    at_most integer := COALESCE(NULLIF(current_setting('ulid_move.batch_rows', true), ''), '1000');
    pause interval := COALESCE(NULLIF(current_setting('ulid_move.batch_pause', true), ''), '0');
    patience interval := COALESCE(NULLIF(current_setting('ulid_move.maintenance_timeout', true), ''), '1min');
    about bigint := (SELECT GREATEST(reltuples, 1) FROM pg_class WHERE oid = to_regclass(%1$L));
    begins text[]; ends text[]; last text[]; so_far bigint; seen bigint; locked bigint; missing bigint;
    fewest bigint; gained timestamptz; reported timestamptz := clock_timestamp(); failures integer := 0;
BEGIN
    IF %2$s THEN
        RETURN;
    END IF;
    SELECT low, high, copied INTO begins, last, so_far FROM %3$s.ulid_move_progress
        WHERE table_name = %1$L AND ended IS NULL;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF last IS NULL THEN
        SELECT high INTO last FROM %4$s(NULL, NULL, 0);
        UPDATE %3$s.ulid_move_progress SET high = last WHERE table_name = %1$L;
        COMMIT;
    END IF;
    WHILE last IS NOT NULL LOOP
        PERFORM set_config('lock_timeout', '200ms', true);
        BEGIN
            SELECT * FROM %4$s(begins, last, at_most) INTO ends, seen, locked;
            failures := 0;
        -- the last is that of a row which a client has just moved to another partition
        EXCEPTION WHEN lock_not_available OR deadlock_detected OR serialization_failure THEN
            failures := failures + 1;
            IF failures >= 200 THEN
                RAISE;
            END IF;
            PERFORM pg_sleep(0.1);
            CONTINUE;
        END;
        EXIT WHEN ends IS NULL;
        IF seen > locked THEN
            UPDATE %3$s.ulid_move_left SET high = ends WHERE table_name = %1$L AND high = begins;
            IF NOT FOUND THEN
                INSERT INTO %3$s.ulid_move_left VALUES (%1$L, begins, ends);
            END IF;
        END IF;
        so_far := so_far + locked;
        UPDATE %3$s.ulid_move_progress SET low = ends, copied = so_far WHERE table_name = %1$L;
        COMMIT;
        begins := ends;
        IF clock_timestamp() > reported + interval '10 s' THEN
            RAISE INFO '%%: %% of about %% rows', %1$L, so_far, about;
            reported := clock_timestamp();
        END IF;
        IF pause > interval '0' THEN
            PERFORM pg_sleep_for(pause);
        END IF;
    END LOOP;
    COMMIT;
    -- Rows that were missed do not become more: what is written now is copied by the triggers.
    LOOP
        missing := 0;
        FOR begins, ends IN SELECT low, high FROM %3$s.ulid_move_left WHERE table_name = %1$L LOOP
            PERFORM set_config('lock_timeout', '200ms', true);
            BEGIN
                PERFORM %4$s(begins, ends, 0);
            EXCEPTION WHEN lock_not_available OR deadlock_detected OR serialization_failure THEN
                NULL;
            END;
            COMMIT;
            seen := %4$s(begins, ends);
            IF seen = 0 THEN
                DELETE FROM %3$s.ulid_move_left WHERE table_name = %1$L
                    AND low IS NOT DISTINCT FROM begins AND high = ends;
            END IF;
            COMMIT;
            missing := missing + seen;
        END LOOP;
        EXIT WHEN missing = 0;
        IF fewest IS NULL OR missing < fewest THEN
            fewest := missing;
            gained := clock_timestamp();
        ELSIF clock_timestamp() > gained + patience THEN
            RAISE EXCEPTION '%% rows of %% are locked by clients', missing,
                %1$L USING ERRCODE = 'lock_not_available',
                HINT = 'What was copied stays. Run the script again when these have ended.',
                DETAIL = (SELECT string_agg(DISTINCT COALESCE('process ' || l.pid || format(', in a transaction for %%s',
                        date_trunc('second', clock_timestamp() - xact_start)), 'a prepared transaction'), E'\n')
                    FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
                    WHERE granted AND locktype = 'relation' AND relation = to_regclass(%1$L)
                        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                        AND mode IN ('RowShareLock', 'RowExclusiveLock') AND l.pid IS DISTINCT
                            FROM pg_backend_pid());
        END IF;
        IF clock_timestamp() > reported + interval '10 s' THEN
            RAISE INFO '%%: waiting for %% rows that clients have locked', %1$L, missing;
            reported := clock_timestamp();
        END IF;
        PERFORM pg_sleep(0.05);
    END LOOP;
    UPDATE %3$s.ulid_move_progress SET ended = pg_current_xact_id() WHERE table_name = %1$L;
    COMMIT;
END $ulid_move$;$template$), home, done, work_schema, work) FROM copied WHERE rel = of
$f$;
