-- The plan: which columns move, in which bundles, what stands in their way and what to know.

-- What could not be restored of tables and views that are made anew, or of constraints.
CREATE FUNCTION pg_temp.other_problems(made_anew oid[], constraints oid[]) RETURNS SETOF text
    LANGUAGE sql STABLE AS $$
    SELECT DISTINCT format('constraint %I of %s has triggers that are disabled, or for replicas alone: ALTER '
        'TABLE %s ENABLE TRIGGER ALL', conname, conrelid::regclass, tgrelid::regclass)
        FROM pg_trigger JOIN pg_constraint c ON c.oid = tgconstraint
            WHERE tgisinternal AND tgenabled <> 'O' AND c.oid = ANY (constraints)
    UNION ALL
    SELECT DISTINCT format('%s has a security label: SECURITY LABEL FOR %I ... IS NULL',
        pg_describe_object(classoid, objoid, objsubid), provider)
        FROM pg_seclabel WHERE classoid = 'pg_class'::regclass AND objoid = ANY (made_anew)
$$;

-- What you cannot make again, as you are none of the role that owns it.
CREATE FUNCTION pg_temp.not_yours(what text, owner oid) RETURNS SETOF text LANGUAGE sql STABLE AS $$
    SELECT format('%s is owned by %s, of whom you are none: run this as the owner, or as a member of that role', what,
        pg_get_userbyid(owner)) WHERE NOT pg_has_role(owner, 'USAGE')
$$;

-- What a row type has that another, of the relation that is made anew, would not have.
CREATE FUNCTION pg_temp.row_type_problems(rels oid[]) RETURNS SETOF text LANGUAGE sql STABLE AS $$
    SELECT format('the row type of %s has %s, which would be lost: take it away', typrelid::regclass, what)
    FROM pg_type y, LATERAL (SELECT 'a comment' WHERE obj_description(y.oid, 'pg_type') IS NOT NULL
        UNION ALL SELECT 'privileges of its own' WHERE NOT (typacl @> acldefault('T', typowner)
            AND typacl <@ acldefault('T', typowner))) x (what)
    WHERE typrelid = ANY (rels)
$$;

-- Who has granted privileges on a relation or on columns of it.
CREATE FUNCTION pg_temp.all_privileges(of oid, OUT grantor oid) RETURNS SETOF oid LANGUAGE sql STABLE AS $$
    SELECT DISTINCT x.grantor FROM (SELECT relacl FROM pg_class WHERE oid = of
        UNION ALL SELECT attacl FROM pg_attribute WHERE attrelid = of) l (acl), aclexplode(acl) x
$$;

-- Why views could not be made again, or materialized ones not filled.
CREATE FUNCTION pg_temp.view_problems(views oid[]) RETURNS SETOF text LANGUAGE sql STABLE AS $$
    SELECT format('view %s is a temporary one of a session, and nobody else can make it again: drop it meanwhile',
        c.oid::regclass) FROM pg_class c WHERE c.oid = ANY (views) AND relpersistence = 't'
    UNION ALL
    SELECT pg_temp.row_type_problems(views)
    UNION ALL
    SELECT pg_temp.not_yours('view ' || c.oid::regclass, relowner) FROM pg_class c WHERE c.oid = ANY (views)
    UNION ALL
    SELECT DISTINCT format('%s has privileges granted by %s, of whom you are none: run this as the owner, or '
        'as a member of that role', c.oid::regclass,
        pg_get_userbyid(grantor))
        FROM pg_class c, pg_temp.all_privileges(c.oid) WHERE c.oid = ANY (views) AND NOT pg_has_role(grantor, 'MEMBER')
    UNION ALL
    SELECT DISTINCT format('%s, who granted privileges on %s, has no USAGE on schema %s', pg_get_userbyid(grantor),
        c.oid::regclass, relnamespace::regnamespace)
        FROM pg_class c, pg_temp.all_privileges(c.oid) WHERE c.oid = ANY (views) AND grantor <> relowner
            AND NOT has_schema_privilege(grantor, relnamespace, 'USAGE')
    UNION ALL
    SELECT format('%s, who owns %s, has no CREATE on schema %s, where it is made again',
        pg_get_userbyid(relowner), c.oid::regclass, nspname)
        FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
        WHERE c.oid = ANY (views) AND NOT has_schema_privilege(relowner, n.oid, 'CREATE')
            AND NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
    UNION ALL
    SELECT format('you have no CREATE on schema %s, where %s is made again', nspname, c.oid::regclass)
        FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
            WHERE c.oid = ANY (views) AND NOT has_schema_privilege(n.oid, 'CREATE')
    UNION ALL
    -- It is filled with the rights of its owner, and what is read by way of a view with those of the view's.
    SELECT * FROM (
        WITH RECURSIVE uses (filled, owner, reader, view) AS (
            SELECT c.oid, relowner, relowner, c.oid FROM pg_class c WHERE c.oid = ANY (views) AND relkind = 'm'
                AND relispopulated
            UNION
            SELECT filled, owner, CASE WHEN EXISTS (SELECT FROM unnest(c.reloptions) o
                WHERE o ~ '^security_invoker=(t|on|y|1)') THEN reader ELSE relowner END, c.oid
            FROM uses JOIN pg_rewrite w ON ev_class = uses.view AND rulename = '_RETURN'
                JOIN pg_depend ON classid = 'pg_rewrite'::regclass AND objid = w.oid
                AND refclassid = 'pg_class'::regclass
                JOIN pg_class c ON c.oid = refobjid WHERE c.oid <> uses.view AND c.relkind = 'v'
        ), needs AS (
            SELECT filled, owner, reader, refclassid, refobjid,
                array_agg(refobjsubid::int2) FILTER (WHERE refobjsubid > 0) AS columns
            FROM uses JOIN pg_rewrite w ON ev_class = uses.view AND rulename = '_RETURN'
                JOIN pg_depend ON classid = 'pg_rewrite'::regclass AND objid = w.oid
            WHERE refobjid <> uses.view GROUP BY filled, owner, reader, refclassid, refobjid
        )
        SELECT format('materialized view %s cannot be filled again: %s may not read %s', filled::regclass,
            pg_get_userbyid(reader), c.oid::regclass)
            FROM needs JOIN pg_class c ON refclassid = 'pg_class'::regclass AND c.oid = refobjid
            WHERE NOT has_table_privilege(reader, c.oid, 'SELECT')
                AND (columns IS NULL AND NOT has_any_column_privilege(reader, c.oid, 'SELECT') OR EXISTS (SELECT
                    FROM unnest(columns) a WHERE NOT has_column_privilege(reader, c.oid, a, 'SELECT')))
        UNION
        SELECT format('materialized view %s cannot be filled again: %s may not call %s', filled::regclass,
            pg_get_userbyid(owner), refobjid::regprocedure)
            FROM needs WHERE refclassid = 'pg_proc'::regclass AND NOT has_function_privilege(owner, refobjid,
                'EXECUTE')) m
$$;

-- What to know of them: those that are filled again, and from where. A session that a foreign table opens and that wants
-- a table which the switch has locked waits for it, and it for that: no server sees the two as one.
CREATE FUNCTION pg_temp.view_notes(views oid[]) RETURNS SETOF text LANGUAGE sql STABLE AS $$
    WITH RECURSIVE uses (filled, rel) AS (
        SELECT oid, oid FROM pg_class WHERE oid = ANY (views) AND relkind = 'm' AND relispopulated
        UNION SELECT filled, x.rel FROM uses, LATERAL (
            SELECT refobjid FROM pg_rewrite w JOIN pg_depend ON classid = 'pg_rewrite'::regclass AND objid = w.oid
                AND refclassid = 'pg_class'::regclass JOIN pg_class c ON c.oid = ev_class
                WHERE ev_class = uses.rel AND rulename = '_RETURN' AND (relkind = 'v' OR ev_class = filled)
            UNION ALL SELECT inhrelid FROM pg_inherits WHERE inhparent = uses.rel) x (rel)
    )
    SELECT format('materialized view %s is filled again in the switch (%s)%s', filled::regclass,
        pg_size_pretty(pg_relation_size(filled)), ', from ' || string_agg(rel::regclass::text, ', '
            ORDER BY rel::regclass::text) FILTER (WHERE relkind = 'f')
            || ' too: where that leads back to a table of the switch, both wait without end: drop it meanwhile')
    FROM uses JOIN pg_class c ON c.oid = rel GROUP BY filled
$$;

-- Collects what moves, and looks for what stands in its way.
CREATE FUNCTION pg_temp.collect() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT namespace IS NULL FROM ulid_move_setting) THEN
        RAISE EXCEPTION 'the extension ulid is not in this database' USING HINT = 'CREATE EXTENSION ulid;';
    END IF;
    IF (SELECT target NOT IN ('ulid', 'uuid') FROM ulid_move_setting) THEN
        PERFORM pg_temp.copy_to_text(target) FROM ulid_move_setting;
    END IF;
    PERFORM pg_temp.collect_of_rows();
    PERFORM pg_temp.collect_named();
    PERFORM pg_temp.collect_references();
    PERFORM pg_temp.copy_collect();
    UPDATE moved SET root = NOT EXISTS (SELECT FROM pg_inherits JOIN pg_attribute p ON p.attrelid = inhparent
        JOIN pg_attribute c ON c.attname = p.attname
        WHERE inhrelid = rel AND c.attrelid = rel AND c.attnum = att);
    PERFORM pg_temp.collect_indexes();
    PERFORM pg_temp.collect_views();
    PERFORM pg_temp.collect_problems();
    PERFORM pg_temp.collect_texts();
    IF NOT EXISTS (SELECT FROM problem) THEN
        PERFORM pg_temp.try_definitions();
        PERFORM pg_temp.end_trial();
    END IF;
    IF EXISTS (SELECT FROM problem) THEN
        RAISE EXCEPTION E'this cannot move:\n%', (SELECT string_agg('  ' || text, E'\n' ORDER BY n)
            FROM problem)
            USING HINT = 'Nothing was changed.';
    END IF;
    PERFORM pg_temp.collect_notes();
    PERFORM pg_temp.collect_bundles();
END $$;

-- The columns that a pattern means: schema.table.column, or schema.table for the primary key, or for all
-- columns if `every`; a table alone is one of the extension's schema. A partition or a child moves with its
-- parent.
CREATE FUNCTION pg_temp.columns_like(pattern text, every boolean) RETURNS TABLE (rel oid, att int2)
    LANGUAGE sql STABLE AS $$
    WITH part AS (
        SELECT n, '^' || CASE WHEN m[1] LIKE '"%'
            THEN regexp_replace(replace(substr(m[1], 2, length(m[1]) - 2), '""', '"'), '(\W)', '\\\1', 'g')
            ELSE replace(regexp_replace(lower(trim(m[1])), '(\W)', '\\\1', 'g'), '\*', '.*') END
                || '$' AS expression,
            count(*) OVER () AS parts
        FROM regexp_matches(pattern, '("(?:[^"]|"")*"|[^."]+)(?:\.|$)', 'g') WITH ORDINALITY u (m, n)
    )
    SELECT c.oid, attnum
    FROM ulid_move_setting s, pg_class c JOIN pg_namespace n ON n.oid = relnamespace
        JOIN pg_attribute a ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
    WHERE relkind IN ('r', 'p') AND relpersistence <> 't' AND nspname !~ '^pg_'
        -- nor what a script that was stopped has copied
        AND nspname <> 'information_schema' AND nspname !~ '^ulid_moved?_'
        AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid
            AND deptype = 'e')
        -- before the move the script back means the same columns
        -- and in the middle of it a table that has keys to be built
        AND (every OR (atttypid IN (s.source, 'uuid'::regtype) OR atttypid = s.ulid
            AND c.oid IN (SELECT i.rel FROM pg_temp.ulid_move_stand_ins() i)) AND attinhcount = 0)
        AND CASE WHEN (SELECT count(*) FROM part) = 1 THEN nspname = (parse_ident(s.schema))[1]
            ELSE nspname ~ (SELECT expression FROM part WHERE part.n = 1) END
        AND relname ~ (SELECT expression FROM part WHERE part.n = LEAST(2, parts))
        AND CASE WHEN (SELECT count(*) FROM part) = 3 THEN attname ~ (SELECT expression FROM part
            WHERE part.n = 3)
            ELSE every OR EXISTS (SELECT FROM key_column WHERE rel = c.oid AND att = attnum) END
$$;

-- The columns named, and the primary keys of the tables named.
CREATE FUNCTION pg_temp.collect_named() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    setting record; item text; parts text[]; r oid; a int2;
BEGIN
    SELECT * INTO setting FROM ulid_move_setting;
    FOR item IN SELECT trim(m[1])
        FROM regexp_matches(setting.columns, '((?:[^",]|"(?:[^"]|"")*")+)', 'g') m LOOP
        IF item LIKE '-%' THEN
            INSERT INTO left_out SELECT *
                FROM pg_temp.columns_like(trim(substr(item, 2)), true) ON CONFLICT DO NOTHING;
        ELSIF regexp_replace(item, '"(?:[^"]|"")*"', '', 'g') LIKE '%*%' THEN
            INSERT INTO moved SELECT * FROM pg_temp.columns_like(item, false) ON CONFLICT DO NOTHING;
        ELSE
            CONTINUE;
        END IF;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'nothing is meant by %', item
                USING HINT = 'Name columns as schema.table.column, and tables as schema.table; a * stands for '
                    'any part of a name.';
        END IF;
    END LOOP;
    -- with those that it is inherited from, and by
    INSERT INTO left_out
    WITH RECURSIVE l (rel, att) AS (
        SELECT rel, att FROM left_out UNION SELECT other, other_att FROM l JOIN relative USING (rel, att)
    )
    SELECT * FROM l ON CONFLICT DO NOTHING;
    FOR item IN SELECT trim(m[1])
        FROM regexp_matches(setting.columns, '((?:[^",]|"(?:[^"]|"")*")+)', 'g') m LOOP
        CONTINUE WHEN item LIKE '-%' OR regexp_replace(item, '"(?:[^"]|"")*"', '', 'g') LIKE '%*%';
        parts := parse_ident(item);
        r := CASE WHEN cardinality(parts) < 3 THEN pg_temp.relation_named(parts) END;
        a := NULL;
        IF r IS NULL AND cardinality(parts) > 1 THEN
            r := pg_temp.relation_named(parts[:cardinality(parts) - 1]);
            SELECT attnum INTO a FROM pg_attribute WHERE attrelid = r AND attname = parts[cardinality(parts)]
                AND attnum > 0 AND NOT attisdropped;
            IF r IS NOT NULL AND a IS NULL THEN
                RAISE EXCEPTION 'table % has no column %', r::regclass, parts[cardinality(parts)];
            END IF;
        END IF;
        IF r IS NULL THEN
            RAISE EXCEPTION 'there is no table or column %', item
                USING HINT = 'Name it with its schema: schema.table or schema.table.column.';
        END IF;
        IF (SELECT relkind NOT IN ('r', 'p') FROM pg_class WHERE oid = r) THEN
            RAISE EXCEPTION '% is not a table', r::regclass;
        END IF;
        IF a IS NOT NULL THEN
            IF (SELECT atttypid NOT IN (setting.ulid, 'uuid'::regtype) AND NOT pg_temp.is_text(atttypid)
                FROM pg_attribute WHERE attrelid = r AND attnum = a) THEN
                RAISE EXCEPTION 'column % of table % is of type %, not uuid, ulid or text',
                    parts[cardinality(parts)], r::regclass,
                    (SELECT format_type(atttypid, atttypmod) FROM pg_attribute
                        WHERE attrelid = r AND attnum = a);
            END IF;
            INSERT INTO moved VALUES (r, a) ON CONFLICT DO NOTHING;
        ELSE
            INSERT INTO moved
            SELECT r, attnum FROM key_column JOIN pg_attribute ON attrelid = rel AND attnum = att
                WHERE rel = r AND atttypid IN (setting.ulid, 'uuid'::regtype)
            ON CONFLICT DO NOTHING;
            IF NOT EXISTS (SELECT FROM key_column JOIN moved USING (rel, att) WHERE rel = r) THEN
                INSERT INTO moved
                SELECT r, attnum FROM key_column JOIN pg_attribute ON attrelid = rel AND attnum = att
                    WHERE rel = r AND pg_temp.is_text(atttypid)
                ON CONFLICT DO NOTHING;
            END IF;
            IF NOT EXISTS (SELECT FROM key_column JOIN moved USING (rel, att) WHERE rel = r) THEN
                RAISE EXCEPTION 'table % has no primary key of type uuid, ulid or text', r::regclass;
            END IF;
        END IF;
    END LOOP;
    DELETE FROM all_moved m USING left_out l WHERE l.rel = m.rel AND l.att = m.att;
    IF NOT EXISTS (SELECT FROM all_moved) THEN
        RAISE EXCEPTION 'nothing is left of %', setting.columns USING HINT = 'What begins with a - is left out.';
    END IF;
END $$;

-- With a column what refers to it, and what it shares with its parents and children.
CREATE FUNCTION pg_temp.collect_references() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    setting record; added bigint;
BEGIN
    SELECT * INTO setting FROM ulid_move_setting;
    LOOP
        INSERT INTO moved
        SELECT conrelid, conkey[k] FROM pg_constraint, generate_subscripts(conkey, 1) k JOIN moved ON true
            WHERE contype = 'f' AND confrelid = rel AND confkey[k] = att
                AND NOT EXISTS (SELECT FROM left_out l WHERE l.rel = conrelid AND l.att = conkey[k])
        UNION
        -- text refers to text only
        SELECT confrelid, confkey[k] FROM pg_constraint, generate_subscripts(conkey, 1) k JOIN moved ON true
            JOIN pg_attribute ON attrelid = rel AND attnum = att
            WHERE contype = 'f' AND conrelid = rel AND conkey[k] = att
                AND (setting.target = 'text' OR pg_temp.is_text(atttypid))
        UNION
        SELECT other, other_att FROM moved JOIN relative USING (rel, att)
        ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS added = ROW_COUNT;
        EXIT WHEN added = 0;
    END LOOP;
END $$;

-- Indexes. A class that already serves both types stays; what has no class for both cannot be bridged.
CREATE FUNCTION pg_temp.collect_indexes() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    setting record;
BEGIN
    SELECT * INTO setting FROM ulid_move_setting;
    INSERT INTO move_index
    SELECT indexrelid, indrelid, c.relname, pg_temp.qualified(indexrelid, c.relname), b.bridge,
        pg_temp.qualified(indexrelid, b.bridge),
        CASE WHEN NOT indisvalid THEN 'kept'
            WHEN indpred IS NULL AND indexprs IS NULL AND NOT EXISTS (
                    SELECT FROM generate_series(0, indnkeyatts - 1) k
                        JOIN moved ON rel = indrelid AND att = indkey[k]
                    WHERE indclass[k] NOT IN (SELECT oid FROM pg_opclass
                        WHERE opcname = 'ulid_uuid_ops' AND opcnamespace = setting.namespace)) THEN 'kept'
            WHEN t.relkind = 'p' OR t.relispartition THEN 'locked'
            WHEN indisunique AND (indpred IS NOT NULL OR indexprs IS NOT NULL OR NOT indimmediate)
                OR indisexclusion THEN 'locked'
            WHEN indpred IS NULL AND indexprs IS NULL AND amname IN ('btree', 'hash') THEN 'bridged'
            ELSE 'late' END,
        indisunique, con.oid
    FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_am m ON m.oid = c.relam
        JOIN pg_class t ON t.oid = indrelid
        LEFT JOIN pg_constraint con ON conindid = indexrelid AND contype IN ('p', 'u', 'x'),
        LATERAL (SELECT CASE WHEN octet_length(c.relname) > 53
            THEN left(encode(sha256(textsend(c.relname::text)), 'hex'), 40)
            ELSE c.relname END || '_ulid_move') b (bridge)
    -- what a move that was begun has made is none of these
    WHERE NOT pg_temp.is_bridge(indexrelid) AND indexrelid IN (SELECT pg_temp.dependents('pg_class')
            UNION SELECT x.conindid FROM pg_constraint x
                WHERE x.oid IN (SELECT pg_temp.dependents('pg_constraint')) AND contype IN ('p', 'u', 'x')
            UNION SELECT i.indexrelid FROM pg_index i JOIN moved ON rel = i.indrelid AND att = ANY (i.indkey))
        AND c.relkind IN ('i', 'I') AND t.relkind IN ('r', 'p');
END $$;

-- Views, and views of views. Those that need a primary key, as GROUP BY it does, cannot be without it.
CREATE FUNCTION pg_temp.collect_views() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    setting record;
BEGIN
    SELECT * INTO setting FROM ulid_move_setting;
    INSERT INTO move_view
    WITH RECURSIVE found (view, level) AS (
        SELECT ev_class, 1 FROM pg_rewrite WHERE oid IN (SELECT pg_temp.dependents('pg_rewrite'))
            AND rulename = '_RETURN'
        UNION
        SELECT ev_class, level + 1 FROM found JOIN pg_depend ON refclassid = 'pg_class'::regclass
            AND refobjid = view AND classid = 'pg_rewrite'::regclass
            JOIN pg_rewrite w ON w.oid = objid WHERE ev_class <> view AND rulename = '_RETURN'
    )
    SELECT view, max(level) FROM found GROUP BY view;
    INSERT INTO problem (text)
    SELECT DISTINCT format('%s needs the constraint %s, as it groups by the key, or names it in ON CONFLICT: '
        'group by every column, or name the columns, instead, or drop it meanwhile',
            regexp_replace(pg_describe_object(classid, objid, 0), '^rule "?_RETURN"? on ', ''),
                quote_ident(conname))
        FROM pg_depend d JOIN pg_constraint con ON con.oid = refobjid
            JOIN move_index ON move_index.con = con.oid
        WHERE classid IN ('pg_rewrite'::regclass, 'pg_proc'::regclass, 'pg_policy'::regclass)
            AND refclassid = 'pg_constraint'::regclass AND way = 'bridged'
    UNION ALL
    SELECT DISTINCT format('%s depends on the view %s, which is made again: drop it meanwhile',
        pg_describe_object(d.classid, d.objid, d.objsubid),
        view::regclass)
        FROM move_view JOIN pg_class v ON v.oid = view JOIN pg_type t ON t.oid = v.reltype
            JOIN pg_depend d ON d.deptype IN ('n', 'e')
                AND (d.refclassid = 'pg_class'::regclass AND d.refobjid = view
                OR d.refclassid = 'pg_type'::regclass AND d.refobjid IN (t.oid, t.typarray))
        WHERE NOT (d.classid = 'pg_rewrite'::regclass AND EXISTS (SELECT FROM pg_rewrite w
            WHERE w.oid = d.objid AND (w.ev_class IN (SELECT view FROM move_view)
                OR w.oid IN (SELECT pg_temp.dependents('pg_rewrite')))))
            AND NOT (d.classid = 'pg_policy'::regclass AND d.objid IN (SELECT pg_temp.dependents('pg_policy')))
            AND NOT (d.classid = 'pg_proc'::regclass AND d.objid IN (SELECT pg_temp.dependents('pg_proc')))
            AND NOT (d.classid = 'pg_trigger'::regclass AND EXISTS (SELECT FROM pg_trigger g
                WHERE g.oid = d.objid AND tgrelid = view));
END $$;

-- What cannot move.
CREATE FUNCTION pg_temp.collect_problems() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    setting record;
BEGIN
    SELECT * INTO setting FROM ulid_move_setting;
    INSERT INTO problem (text)
    SELECT format('column %s of table %s is of type %s: only uuid and ulid can move',
        pg_temp.column_name(rel, att), rel::regclass, format_type(atttypid, atttypmod))
        FROM moved JOIN pg_attribute ON attrelid = rel AND attnum = att
            WHERE atttypid NOT IN (setting.source, setting.becomes)
    UNION ALL
    SELECT format('column %s of table %s is inherited from several tables that have no parent in common: '
        'PostgreSQL gives it no new type', pg_temp.column_name(rel, att), rel::regclass)
        FROM moved WHERE (WITH RECURSIVE above (relation) AS (SELECT rel
            UNION SELECT inhparent FROM above JOIN pg_inherits ON inhrelid = relation)
            SELECT count(*) FROM above JOIN moved m ON m.rel = relation JOIN pg_attribute ON attrelid = m.rel
                AND attnum = m.att
            WHERE m.root AND quote_ident(attname) = pg_temp.column_name(moved.rel, moved.att)) > 1
    UNION ALL
    SELECT DISTINCT format('%s %s is not a table of this database', CASE relkind WHEN 'f' THEN 'foreign table'
        ELSE 'relation' END, rel::regclass)
        FROM moved JOIN pg_class ON oid = rel WHERE relkind NOT IN ('r', 'p')
    UNION ALL
    SELECT DISTINCT format('table %s is temporary, and needs no move: leave it out', rel::regclass) FROM moved
        JOIN pg_class ON oid = rel
        WHERE relpersistence = 't'
    UNION ALL
    SELECT DISTINCT format('partition %s is half detached: ALTER TABLE %s DETACH PARTITION %1$s FINALIZE',
        inhrelid::regclass, inhparent::regclass)
        FROM pg_inherits WHERE inhdetachpending AND (inhparent IN (SELECT rel FROM moved)
            OR inhparent IN (SELECT rel FROM copied))
    UNION ALL
    SELECT DISTINCT format('table %s is of the type %s, which gives it its columns', rel::regclass,
        reloftype::regtype)
        FROM moved JOIN pg_class ON oid = rel WHERE reloftype <> 0
    UNION ALL
    SELECT DISTINCT format('%s belongs to the extension %s', pg_describe_object(classid, objid, 0), extname)
        FROM (SELECT rel FROM moved UNION SELECT view FROM move_view) x
            JOIN pg_depend ON classid = 'pg_class'::regclass AND objid = rel AND deptype = 'e'
            JOIN pg_extension e ON e.oid = refobjid
    UNION ALL
    SELECT format('publication %I filters the rows of %s by %s: PostgreSQL takes only its own types there, so '
        'take the filter away meanwhile',
        pubname, rel::regclass, pg_temp.column_name(rel, att))
        FROM moved JOIN pg_publication_rel ON prrelid = rel JOIN pg_publication b ON b.oid = prpubid
        WHERE setting.target = 'ulid' AND prqual::text ~ format(':varattno %s\M', att)
    UNION ALL
    SELECT DISTINCT format('subscription %I writes table %s, and may get ULIDs as text, which a uuid does '
        'not read: ALTER SUBSCRIPTION %1$I SET (binary = true)', subname, rel::regclass)
        FROM moved JOIN pg_subscription_rel ON srrelid = rel JOIN pg_subscription s ON s.oid = srsubid
            WHERE setting.target = 'uuid' AND subenabled AND NOT subbinary
    UNION ALL
    SELECT format('NOT NULL of column %s is %I in table %s and %I in %s: PostgreSQL cannot make the two again '
        'with the type%s', pg_temp.column_name(rel, att), c.conname, rel::regclass, p.conname, inhparent::regclass,
            (SELECT format(', but have the table copied: -v copy=%s', pg_partition_root(rel)) FROM pg_class
                WHERE oid = rel AND relispartition))
        FROM moved JOIN pg_inherits ON inhrelid = rel JOIN pg_constraint c ON c.conrelid = rel
            AND c.contype = 'n' AND c.conkey = ARRAY[att]
            JOIN pg_constraint p ON p.conrelid = inhparent AND p.contype = 'n'
                AND pg_temp.column_name(inhparent, p.conkey[1]) = pg_temp.column_name(rel, att)
        WHERE c.conname <> p.conname
    UNION ALL
    SELECT DISTINCT format('column %I of %s has the row type of table %s: drop the column meanwhile', attname,
        attrelid::regclass, rel::regclass)
        FROM (WITH RECURSIVE of_row (rel, type) AS (SELECT rel, reltype FROM moved JOIN pg_class ON oid = rel
                -- domains, arrays and ranges of it, and of these
                UNION SELECT rel, t.oid FROM of_row JOIN pg_type t ON type IN (typbasetype, typelem)
                    OR EXISTS (SELECT FROM pg_range WHERE rngsubtype = type AND t.oid IN (rngtypid, rngmultitypid)))
            SELECT * FROM of_row) r JOIN pg_attribute ON atttypid = type
        WHERE NOT attisdropped
    UNION ALL
    -- a row that has the column's old type in it, which is not made again as it reads no column that changes
    SELECT DISTINCT format('%s makes a row of table %s, ROW(...)::%2$s: write it otherwise, or drop it meanwhile',
        pg_describe_object(d.classid, d.objid, 0), r.rel::regclass)
        FROM (SELECT DISTINCT rel, reltype FROM moved JOIN pg_class c ON c.oid = rel) r
            JOIN pg_depend d ON refclassid = 'pg_type'::regclass AND refobjid = reltype
            JOIN parse_tree t ON (t.classid, t.objid) = (d.classid, d.objid)
        WHERE tree ~ format('\{CONST :consttype %s |:row_typeid %1$s ', reltype)
            AND d.objid NOT IN (SELECT pg_temp.dependents(d.classid::regclass))
    UNION ALL
    SELECT format('column %I of table %s is generated from %s, and %s: drop it before, and add it after',
            attname, adrelid::regclass, (SELECT string_agg(DISTINCT pg_temp.column_name(rel, att), ', ')
                FROM moved JOIN pg_depend ON refobjid = rel AND refobjsubid = att
                WHERE classid = 'pg_attrdef'::regclass AND objid = d.oid),
            CASE attgenerated WHEN 'v' THEN 'a virtual column takes only PostgreSQL''s own types'
                ELSE format('this server cannot give it its expression again where it stands; -v copy=%s has the table '
                    'copied instead, or', adrelid::regclass) END)
        FROM pg_attrdef d JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
        WHERE d.oid IN (SELECT pg_temp.dependents('pg_attrdef'))
            AND CASE WHEN attgenerated <> '' AND attinhcount = 0 THEN pg_temp.generated_way(d.oid) IS NULL END
    UNION ALL
    SELECT format('column %s of table %s is generated: leave it out of `columns`, or drop it before and add it after',
        pg_temp.column_name(rel, att), rel::regclass)
        FROM moved JOIN pg_attribute ON attrelid = rel AND attnum = att WHERE attgenerated <> '' AND root;

    INSERT INTO problem (text)
    SELECT format('%s compares with ids and with times, which are the same operators of the extension: drop it '
            'meanwhile, or write id::ulid >= time', pg_describe_object(classid, objid, 0))
        FROM (SELECT DISTINCT classid, objid FROM pg_depend JOIN moved ON refobjid = rel AND refobjsubid = att
            WHERE refclassid = 'pg_class'::regclass) d
        WHERE setting.target = 'uuid' AND pg_temp.compares(classid, objid, false)
            AND pg_temp.compares(classid, objid, true)
    UNION ALL
    -- what it has left to do another script does first, but what that would find is not to be known yet
    SELECT DISTINCT format('a move of table %s was begun and has not come to its end: run its script to the '
        'end, or the script back that was written with it', rel)
        FROM pg_temp.ulid_move_stand_ins() JOIN pg_index ON indexrelid = stand_in
            JOIN pg_attribute ON attrelid = rel AND attnum = ANY (indkey) AND atttypid = setting.source
    UNION ALL
    -- what keeps a copy in step would find another type
    SELECT DISTINCT told FROM moved, pg_temp.ulid_move_half_copied(rel) told
    UNION ALL
    -- the change of type would build it, and a copy would be without it
    SELECT format('index %s is not valid: drop it, or have it built to its end', indexrelid::regclass)
        FROM pg_index WHERE NOT indisvalid AND (indexrelid IN (SELECT index FROM move_index)
                OR indrelid IN (SELECT rel FROM copied))
            AND indexrelid NOT IN (SELECT to_regclass(qualified) FROM pg_temp.ulid_move_stand_ins()
                WHERE to_regclass(qualified) IS NOT NULL)
    UNION ALL
    -- which the change of type neither builds again nor looks at
    SELECT DISTINCT format('%s is of whole rows of %s, in which the id is of another type: drop it meanwhile',
        pg_describe_object(classid, objid, 0), rel::regclass)
        FROM moved JOIN (SELECT 'pg_class'::regclass, indexrelid, indrelid, concat(indexprs::text, indpred::text)
            FROM pg_index
            UNION ALL SELECT 'pg_constraint'::regclass, oid, conrelid, conbin::text FROM pg_constraint
                WHERE contype = 'c') w (classid, objid, of, tree) ON of = rel
        WHERE tree ~ '\{VAR :varno 1 :varattno 0 '
    UNION ALL
    SELECT format('relation %s has the name of an index that the script has to make', qualified_bridge)
    FROM move_index WHERE way = 'bridged' AND to_regclass(qualified_bridge) IS NOT NULL
        AND pg_temp.is_bridge(to_regclass(qualified_bridge)) IS NOT TRUE;

    INSERT INTO problem (text)
    SELECT pg_temp.not_yours(rel::regclass::text, relowner)
    FROM (SELECT rel FROM moved
        UNION SELECT conrelid FROM pg_constraint
            WHERE contype = 'f' AND oid IN (SELECT pg_temp.dependents('pg_constraint'))
        UNION SELECT confrelid FROM pg_constraint
            WHERE contype = 'f' AND oid IN (SELECT pg_temp.dependents('pg_constraint'))) x (rel)
        JOIN pg_class ON oid = rel
    UNION ALL
    SELECT DISTINCT pg_temp.not_yours('publication ' || quote_ident(pubname), pubowner)
    FROM pg_publication_rel r JOIN pg_publication b ON b.oid = prpubid
        WHERE r.oid IN (SELECT pg_temp.dependents('pg_publication_rel'))
    UNION ALL
    SELECT pg_temp.not_yours('function ' || oid::regprocedure, proowner)
    FROM pg_proc WHERE oid IN (SELECT pg_temp.dependents('pg_proc'))
    UNION ALL
    SELECT pg_temp.not_yours(format('statistics %I.%I', nspname, stxname), stxowner)
    FROM pg_statistic_ext x JOIN pg_namespace n ON n.oid = stxnamespace
        WHERE x.oid IN (SELECT pg_temp.dependents('pg_statistic_ext'))
    UNION ALL
    -- VALIDATE looks at them with the rights of the owner
    SELECT DISTINCT format('row level security of %s hides rows from its owner, and the foreign keys that refer to it could '
        'not be validated: NO FORCE ROW LEVEL SECURITY meanwhile, or run this as a superuser', confrelid::regclass)
    FROM pg_constraint c JOIN pg_class r ON r.oid = confrelid
        WHERE contype = 'f' AND convalidated AND relrowsecurity AND relforcerowsecurity
        AND c.oid IN (SELECT pg_temp.dependents('pg_constraint'))
        AND NOT (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user)
    UNION ALL
    SELECT format('you have no CREATE on schema %s, where %s is made again', nspname, c.oid::regclass)
    FROM pg_namespace n JOIN pg_class c ON relnamespace = n.oid WHERE c.oid IN (SELECT index FROM move_index)
        AND NOT has_schema_privilege(n.oid, 'CREATE')
    UNION ALL
    SELECT pg_temp.row_problems()
    UNION ALL
    SELECT pg_temp.view_problems(ARRAY(SELECT view FROM move_view))
    UNION ALL
    SELECT pg_temp.other_problems(ARRAY(SELECT view FROM move_view),
        ARRAY(SELECT pg_temp.dependents('pg_constraint')))
    UNION ALL
    SELECT format('constraint %I of %s, a partition, has a comment, and not the name that PostgreSQL would '
        'give it again', c.conname, c.conrelid::regclass)
        FROM pg_constraint c JOIN pg_constraint p ON p.oid = c.conparentid
        WHERE c.contype = 'f' AND c.oid IN (SELECT pg_temp.dependents('pg_constraint'))
            AND c.conname <> p.conname AND obj_description(c.oid, 'pg_constraint') IS NOT NULL;
END $$;

-- Functions whose bodies are strings, which nobody parses: those that name a type of ids or what moves, or that it calls.
CREATE FUNCTION pg_temp.function_notes() RETURNS TABLE (risk integer, text text) LANGUAGE sql STABLE AS $$
    WITH changed AS (
        SELECT array_agg(rel) AS rels, array_agg(reltype) || array_agg(typarray) AS types,
            -- in any case of letters, as a name without quotes is read
            format('(?<!\w)(?:%s)(?!\w)', string_agg(regexp_replace(relname, '(\W)', '\\\1', 'g'), '|')) AS names
        FROM (SELECT rel FROM all_moved UNION SELECT rel FROM copied_column WHERE changes
            UNION SELECT view FROM all_views UNION SELECT view FROM copied_view) r
            JOIN pg_class c ON c.oid = rel JOIN pg_type t ON t.oid = reltype
    ), type_of_id AS (
        SELECT unnest(ARRAY[t.oid, typarray]) AS type FROM pg_type t, ulid_move_setting
        WHERE t.oid = source OR t.oid IN (SELECT atttypid FROM copied_column c
            JOIN pg_attribute ON attrelid = rel AND attnum = c.att WHERE changes)
    ), named AS (
        SELECT p.oid, p.oid::regprocedure AS function, prosrc, lanname = 'plpgsql' AND proretset
            AND prosrc ~* '\mreturn\s+query\M' AS gives_rows,
            prosrc ~* '::\s*"?(text|(var)?char|character|citext|name)|\mcast\s*\(|\|\||concat|format\s*\(|quote_|json|xml|'
                '\mrow\s*\(|to_string|string_agg|hash|md5|digest|encode|\m(left|right|substr(ing)?)\s*\(|\mcopy\M|notify'
                AS to_text
        FROM pg_proc p JOIN pg_language l ON l.oid = prolang JOIN pg_namespace n ON n.oid = pronamespace, changed
        WHERE ((concat_ws(' ', prosrc, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid))
                ~* '\m(uuid|ulid)\M'
            OR prosrc ~* names OR prorettype = ANY (types) OR proargtypes::oid[] && types
            OR EXISTS (SELECT FROM pg_depend JOIN pg_policy l ON classid = 'pg_policy'::regclass AND objid = l.oid
                WHERE polrelid = ANY (rels) AND refclassid = 'pg_proc'::regclass AND refobjid = p.oid))
                -- nor an extension's, nor what makes a range
                AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid
                    AND deptype IN ('e', 'i'))
            -- that of an extension gets the row too: tcn sends its key
            OR EXISTS (SELECT FROM pg_trigger WHERE tgrelid = ANY (rels) AND tgfoid = p.oid AND NOT tgisinternal))
            -- of the server's own only those that make a tsvector look at types
            AND (nspname NOT IN ('pg_catalog', 'information_schema') OR proname LIKE 'tsvector\_update\_trigger%')
            AND pronamespace <> pg_my_temp_schema()
    )
    SELECT 2, format('function %s gives rows of %s by RETURN QUERY, which fails where an id that moves is one of them, '
            'structure of query does not match function result type: write id::%2$s in it', function, min(type::regtype::text))
        FROM named JOIN pg_proc p USING (oid) JOIN type_of_id ON type = prorettype
            OR type IN (SELECT t FROM unnest(proallargtypes, proargmodes) a (t, mode) WHERE mode <> 'i')
            OR type IN (SELECT atttypid FROM pg_class c JOIN pg_attribute ON attrelid = c.oid AND NOT attisdropped
                WHERE relkind = 'c' AND reltype = prorettype)
        WHERE gives_rows GROUP BY function
    UNION ALL
    SELECT 3, format('function %s looks at types: what it does for a %s alone is not done any more, without an error',
            function, source)
        FROM named, ulid_move_setting
        WHERE prosrc ~* '\m(atttypid|format_type|pg_typeof|regtype|udt_name)\M|''(uuid|ulid)(\[\])?'''
            OR prosrc ~* 'information_schema' AND prosrc ~* '\mdata_type\M'
    UNION ALL
    SELECT 4, format('function %s makes a text, JSON or a digest of something: where that is an id, it is another then',
            function)
        FROM named WHERE to_text
    UNION ALL
    SELECT 5, format('functions that name uuid, ulid or what moves, or that a trigger or a policy of that calls: see that '
            'they suit both: %s', string_agg(function::text, ', ' ORDER BY function::text))
        FROM named WHERE NOT to_text HAVING count(*) > 0
$$;

-- What to know.
CREATE FUNCTION pg_temp.collect_notes() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    setting record;
BEGIN
    SELECT * INTO setting FROM ulid_move_setting;
    INSERT INTO note (text)
    SELECT format('index %s is built again while %s is locked, all of which is read (%s): it is %s; -v copy=%2$s has the '
            'table copied instead', root_index::regclass, root::regclass, pg_size_pretty(sum(pg_relation_size(rel))),
            CASE WHEN bool_or(t.relispartition) THEN 'partitioned'
                ELSE 'unique and partial or of an expression, deferrable, or an exclusion constraint' END)
        FROM move_index JOIN pg_class c ON c.oid = index JOIN pg_class t ON t.oid = rel,
            LATERAL COALESCE(pg_partition_root(index), index) root_index, LATERAL COALESCE(pg_partition_root(rel), rel) root
        WHERE way = 'locked' AND c.relkind = 'i' GROUP BY root_index, root
    UNION ALL
    SELECT format('index %s is missing from the switch until it is built again', index::regclass)
        FROM move_index WHERE way = 'late'
    UNION ALL
    SELECT format('foreign key %I of %s is checked for all rows while the tables are locked, as %2$s is '
        'partitioned', conname, conrelid::regclass)
        FROM pg_constraint f WHERE contype = 'f' AND conparentid = 0
            AND f.oid IN (SELECT pg_temp.dependents('pg_constraint'))
            AND pg_temp.is_checked_at_once(conrelid)
    UNION ALL
    SELECT format('constraint %I of %s is NOT VALID, and remains so: ALTER TABLE %2$s VALIDATE CONSTRAINT %1$I, if a '
        'script of a move that was stopped has left it so', conname, conrelid::regclass)
        FROM pg_constraint c WHERE contype IN ('f', 'c') AND pg_get_constraintdef(c.oid) ~ ' NOT VALID$' AND EXISTS (
            SELECT FROM moved WHERE rel IN (conrelid, confrelid)) AND conparentid = 0
    UNION ALL
    SELECT format('foreign key %I is one of each partition of %s, and none of a partition that is made later: ALTER '
        'TABLE %2$s ADD CONSTRAINT %1$I %3$s, if a script of a move that was stopped has left it so', conname,
        root::regclass, regexp_replace(min(pg_get_constraintdef(c.oid)), ' NOT VALID$', ''))
        FROM pg_constraint c JOIN pg_class p ON p.oid = conrelid AND relispartition, pg_partition_root(conrelid) root
        WHERE contype = 'f' AND conparentid = 0 AND EXISTS (SELECT FROM planned WHERE rel IN (root, confrelid))
        GROUP BY conname, root HAVING count(*) = (SELECT count(*) FROM pg_partition_tree(root) WHERE isleaf)
    UNION ALL
    SELECT pg_temp.view_notes(ARRAY(SELECT view FROM move_view))
    UNION ALL
    SELECT DISTINCT format('view %s has NULLIF of ids, which gives a uuid then', view::regclass)
        FROM (SELECT view FROM all_views UNION SELECT view FROM copied_view) v JOIN pg_rewrite ON ev_class = view
        WHERE setting.target = 'ulid' AND ev_action::text
            ~ format('\{NULLIFEXPR :opno \d+ (?::opfuncid \d+ )?:opresulttype %s ', 'uuid'::regtype::oid)
    UNION ALL
    SELECT format('column %s of view %s has a default of its own, which stays: %s', pg_temp.column_name(adrelid, adnum),
        adrelid::regclass, expression)
        FROM pg_attrdef JOIN (SELECT view FROM all_views UNION SELECT view FROM copied_view) v ON view = adrelid,
            LATERAL pg_get_expr(adbin, adrelid) x (expression)
        WHERE pg_temp.new_default(expression, setting.target, true) <> expression
    UNION ALL
    SELECT format('column %s of %s is generated: its table is written again in the switch, after which a transaction of '
        'REPEATABLE READ that began before it finds no rows there; -v copy=%2$s has the table copied instead',
        pg_temp.column_name(adrelid, adnum), adrelid::regclass)
        FROM pg_attrdef d JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
        WHERE d.oid IN (SELECT pg_temp.dependents('pg_attrdef')) AND attgenerated = 's'
    UNION ALL
    SELECT format('publication %I publishes %s: a subscriber whose column remains a %s', pubname,
        string_agg(rel::regclass::text, ', ' ORDER BY rel::regclass::text), CASE WHEN is_text
            THEN 'text has to have binary = false, and finds a row by the canonical spelling of its id alone'
            ELSE 'uuid has to have binary = true, and one whose column is a text loses UPDATE and DELETE, as it finds '
                'no row any more: make it a uuid or a ulid before' END)
        FROM pg_publication_tables
            JOIN (SELECT rel, false AS is_text FROM moved UNION SELECT rel, m.is_text FROM copied_column m
                WHERE moves AND type <> setting.schema || '.ulid') m
                ON rel = to_regclass(format('%I.%I', schemaname, tablename))
            WHERE setting.target = 'ulid' GROUP BY pubname, is_text;
    INSERT INTO note (risk, text) SELECT * FROM pg_temp.function_notes();
    INSERT INTO note (risk, text)
    SELECT 4, format('%s has Oids of relations in %s (regclass): what is copied, and views that are made again, have '
        'others then', attrelid::regclass, string_agg(quote_ident(attname), ', ' ORDER BY attnum))
        FROM pg_attribute JOIN pg_class c ON c.oid = attrelid JOIN pg_type t ON t.oid = atttypid
        WHERE relkind IN ('r', 'p') AND NOT relispartition AND relpersistence <> 't' AND NOT attisdropped
            AND 'regclass'::regtype IN (atttypid, typelem, typbasetype) AND relnamespace <> 'pg_catalog'::regnamespace
            AND relnamespace NOT IN (SELECT typed_schema::regnamespace FROM copied)
            AND (EXISTS (SELECT FROM copied) OR EXISTS (SELECT FROM all_views))
            AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid
                AND deptype = 'e')
        GROUP BY attrelid;
    -- An extension that keeps a list of tables, as of those that it partitions or replicates, may know nothing of
    -- another type, nor of the other Oid of a copy. What is in its tables is not read: they may be anybody's.
    INSERT INTO note (risk, text)
    SELECT 3, format('extensions that may keep a list of tables, and take no other type in it, nor the other Oid of what '
        'is copied: see what they have of these: %s', string_agg(DISTINCT quote_ident(extname), ', '))
        FROM pg_extension e JOIN pg_depend ON refclassid = 'pg_extension'::regclass AND refobjid = e.oid
            AND classid = 'pg_class'::regclass AND deptype = 'e' JOIN pg_class c ON c.oid = objid
        WHERE relkind = 'r' AND (c.oid = ANY (extconfig) OR EXISTS (SELECT FROM pg_attribute
            WHERE attrelid = c.oid AND atttypid = 'regclass'::regtype AND NOT attisdropped))
        HAVING count(*) > 0;
    -- as when one was made after the foreign keys, and another before; the triggers of all get one name
    WITH RECURSIVE child (top, con, root) AS (
        SELECT c.oid, c.oid, confrelid FROM pg_constraint c JOIN pg_class r ON r.oid = confrelid AND relkind = 'p'
            WHERE contype = 'f' AND conparentid = 0 AND confrelid IN (SELECT rel FROM planned)
        UNION ALL SELECT top, c.oid, root FROM child JOIN pg_constraint c ON conparentid = con
    ), acting AS (
        SELECT root, tgtype, string_agg(top::text, ' ' ORDER BY tgname) AS keys
        FROM child JOIN pg_trigger ON tgconstraint = con JOIN pg_class r ON r.oid = tgrelid AND relkind <> 'p'
            JOIN pg_proc p ON p.oid = tgfoid AND proname NOT LIKE 'RI\_FKey\_check%' GROUP BY root, tgrelid, tgtype
    )
    INSERT INTO note (risk, text)
    SELECT 3, format('foreign keys that refer to %s act in one order in some of its partitions, and in another in others: '
        'afterwards in one order in all', root::regclass)
        FROM acting GROUP BY root HAVING count(DISTINCT (tgtype, keys)) > count(DISTINCT tgtype);
    -- as default privileges may have it, which take functions from PUBLIC
    INSERT INTO note (risk, text)
    SELECT 2, 'not everybody may call the functions of the extension, as its defaults, operators and casts do: grant '
        'these to whoever uses what moves, and no others of their schema, as doc/moving.md does'
        WHERE setting.target = 'ulid' AND EXISTS (SELECT FROM pg_depend JOIN pg_extension e ON e.oid = refobjid
            WHERE refclassid = 'pg_extension'::regclass AND extname = 'ulid' AND classid = 'pg_proc'::regclass
                AND NOT has_function_privilege('public', objid, 'EXECUTE'));
    INSERT INTO note (risk, text)
    SELECT 3, format('event triggers run at what the script does, and see tables and views made that are there already: '
        '%s', string_agg(format('%I (%s)', evtname, evtfoid::regprocedure), ', ' ORDER BY evtname))
        FROM pg_event_trigger e WHERE evtenabled <> 'D' AND evtevent <> 'login' AND NOT EXISTS (SELECT FROM pg_depend
            WHERE classid = 'pg_event_trigger'::regclass AND objid = e.oid AND deptype = 'e')
        HAVING count(*) > 0
    UNION ALL
    SELECT 3, format('gen_ulid() makes the ids of %s then, which can be guessed from one another, as random ones cannot: '
        'where an id is a secret, give it DEFAULT %s.gen_random_ulid() beforehand',
        string_agg(format('%s.%I', rel::regclass, name), ', ' ORDER BY rel::regclass::text), min(setting.schema))
        FROM planned JOIN pg_class c ON c.oid = rel AND NOT relispartition
            JOIN pg_attrdef ON adrelid = rel AND adnum = att, LATERAL pg_get_expr(adbin, adrelid) x (expression)
        -- what would remain random, were it no key
        WHERE pg_temp.is_key(rel, att) AND pg_temp.new_default(expression, setting.target, true)
            <> pg_temp.new_default(expression, setting.target, false)
        HAVING count(*) > 0
    UNION ALL
    -- as a function of one's own
    SELECT 4, format('what makes new ids of these columns remains, and is not gen_ulid(): %s', string_agg(
        format('%s.%I (%s)', rel::regclass, name, expression), ', ' ORDER BY rel::regclass::text, att))
        FROM planned JOIN pg_class c ON c.oid = rel AND NOT relispartition
            JOIN pg_attrdef ON adrelid = rel AND adnum = att, LATERAL pg_get_expr(adbin, adrelid) x (expression)
        WHERE setting.target = 'ulid' AND pg_temp.new_default(expression, 'ulid', true) = expression
            AND expression ~ '\('
            AND NOT pg_temp.makes_ulids(expression)
        HAVING count(*) > 0
    UNION ALL
    SELECT 4, format('schema %I has the old tables of a move that was stopped after its switch: run its script to the '
        'end, or drop the schema', nspname) FROM pg_namespace n WHERE nspname LIKE 'ulid\_moved\_%'
        AND EXISTS (SELECT FROM pg_class WHERE relnamespace = n.oid AND relkind IN ('r', 'p'));
    -- what does not move, which nothing else tells: a column without a foreign key may refer to a key
    -- that moves
    WITH RECURSIVE type_of_ids (type) AS (
        SELECT setting.source::oid
        -- domains, arrays, ranges and rows of it, and of these
        UNION SELECT t.oid FROM type_of_ids JOIN pg_type t ON type IN (typbasetype, typelem)
            OR EXISTS (SELECT FROM pg_range WHERE rngsubtype = type AND t.oid IN (rngtypid, rngmultitypid))
            OR EXISTS (SELECT FROM pg_attribute WHERE attrelid = typrelid AND atttypid = type AND attnum > 0
                AND NOT attisdropped)
    )
    INSERT INTO note (risk, text)
    SELECT 4, format('%s of %s does not move: %s', CASE setting.target WHEN 'ulid' THEN 'uuid'
        ELSE 'ulid' END, rel::regclass,
        string_agg(name, ', ' ORDER BY att))
    FROM (
        SELECT a.attrelid AS rel, a.attnum AS att, quote_ident(a.attname) || CASE WHEN y.attname IS NOT NULL
            THEN format(' (beside %I)', y.attname) ELSE '' END AS name
        FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
            AND a.attnum > 0 AND NOT a.attisdropped
            LEFT JOIN pg_attribute y ON y.attrelid = c.oid AND NOT y.attisdropped
                AND y.attname = regexp_replace(a.attname, '_id$', '') || '_type'
        WHERE relkind IN ('r', 'p') AND NOT relispartition AND relpersistence <> 't'
            AND nspname !~ '^pg_' AND nspname <> 'information_schema'
            AND a.atttypid IN (SELECT type FROM type_of_ids)
            AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid
                AND deptype = 'e')
            AND n.oid NOT IN (SELECT typed_schema::regnamespace FROM copied)
    ) x
    WHERE setting.target <> 'text' AND NOT EXISTS (SELECT FROM all_moved m
        WHERE m.rel = x.rel AND m.att = x.att)
        AND NOT EXISTS (SELECT FROM copied_column m WHERE m.rel = x.rel AND m.att = x.att AND moves)
    GROUP BY rel;
    -- and what holds ids as text, as the statistics tell without a look at the rows
    WITH holder AS (
        SELECT COALESCE(pg_partition_root(c.oid), c.oid)::regclass AS rel, quote_ident(a.attname) AS name,
            bool_or(seen ~ CASE setting.target
                WHEN 'ulid' THEN '(?i)[0-9a-f]{8}[-_]([0-9a-f]{4}[-_]){3}[0-9a-f]{12}'
                ELSE '(?<![0-9A-Za-z])[0-7][0-9A-HJKMNP-TV-Z]{25}(?![0-9A-Za-z])' END) AS has_ids,
            bool_or((seen IS NULL OR e.oid = 'tsvector'::regtype) AND pg_relation_size(c.oid) > 0
                AND null_frac IS DISTINCT FROM 1) AS unknown,
            bool_or(relkind = 'r' AND s.attname IS NULL) AS new
        FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
            JOIN pg_attribute a ON attrelid = c.oid AND a.attnum > 0 AND NOT attisdropped
            JOIN pg_type t ON t.oid = atttypid JOIN pg_type e ON e.oid = COALESCE(NULLIF(t.typelem, 0), t.oid)
            LEFT JOIN pg_stats s ON schemaname = nspname AND tablename = relname AND s.attname = a.attname,
            LATERAL NULLIF(concat(most_common_vals, histogram_bounds, most_common_elems), '') seen
        WHERE setting.target <> 'text' AND relkind IN ('r', 'p') AND relpersistence <> 't'
            AND nspname !~ '^pg_' AND nspname <> 'information_schema'
            AND (e.typcategory = 'S' OR COALESCE(NULLIF(e.typbasetype, 0), e.oid)::regtype::text
                ~ '^(json|jsonb|xml|tsvector|(.*\.)?(hstore|ltree))$')
            AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid
                AND deptype = 'e')
            AND NOT EXISTS (SELECT FROM copied_column m WHERE m.rel = a.attrelid AND m.att = a.attnum AND moves)
            -- which is computed anew
            AND NOT EXISTS (SELECT FROM pg_attrdef d JOIN pg_depend ON classid = 'pg_attrdef'::regclass AND objid = d.oid
                JOIN planned p ON refclassid = 'pg_class'::regclass AND refobjid = rel AND refobjsubid = att
                WHERE adrelid = a.attrelid AND adnum = a.attnum AND a.attgenerated <> '')
        GROUP BY 1, 2
    )
    INSERT INTO note (risk, text)
    SELECT 4, format('%s has the text of %s in %s, which remains as it is: it is another than that of the key', rel,
        CASE setting.target WHEN 'ulid' THEN 'UUIDs' ELSE 'ULIDs' END, string_agg(name, ', ' ORDER BY name))
        FROM holder WHERE has_ids GROUP BY rel
    UNION ALL
    SELECT 4, format('see whether these hold ids as text, as the statistics do not tell (before ANALYZE, of long '
        'values, of json and of tsvector): %s', string_agg(of_rel, ', ' ORDER BY of_rel))
        FROM (SELECT concat(rel, ' (' || string_agg(name, ', ' ORDER BY name) FILTER (WHERE NOT new) || ')') AS of_rel
            FROM holder WHERE unknown AND has_ids IS NOT true GROUP BY rel) u
        HAVING count(*) > 0;
END $$;

-- The bundles: the columns of a table move together, and those that have an object in common. A foreign key is
-- none: it is one like any other between a uuid and a ulid, so each end has a switch of its own. Of a table that
-- cannot have it NOT VALID all rows are checked under the lock, so once has to do.
CREATE FUNCTION pg_temp.collect_bundles() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    CREATE TEMP TABLE link ON COMMIT DROP AS
    SELECT m.rel, m.att, bundle, thing FROM all_moved m, LATERAL (
        SELECT format('table %s', m.rel)
        UNION SELECT format('table %s', inhparent) FROM pg_inherits WHERE inhrelid = m.rel
        UNION SELECT format('%s %s', 'pg_class'::regclass::oid, indexrelid) FROM pg_index
            WHERE indrelid = m.rel AND m.att = ANY (indkey)
        UNION (WITH RECURSIVE d (classid, objid) AS (
            SELECT classid, objid FROM pg_depend LEFT JOIN of_rows r USING (classid, objid)
                WHERE refclassid = 'pg_class'::regclass AND refobjid = m.rel
                AND (refobjsubid = m.att OR r.objid IS NOT NULL)
                AND NOT (classid = 'pg_constraint'::regclass AND EXISTS (SELECT FROM pg_constraint c
                    WHERE c.oid = objid AND contype = 'f' AND NOT pg_temp.is_checked_at_once(conrelid)))
            UNION
            SELECT x.classid, x.objid FROM d JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass
                AND w.oid = d.objid AND rulename = '_RETURN'
                JOIN pg_depend x ON x.refclassid = 'pg_class'::regclass AND x.refobjid = ev_class
                    AND x.deptype = 'n'
            ) SELECT format('%s %s', classid, objid) FROM d)) t (thing);
    CREATE INDEX ON link (thing);
    CREATE INDEX ON link (rel, att);
    ANALYZE link;
    LOOP
        UPDATE link SET bundle = x.bundle FROM (SELECT thing, min(bundle) AS bundle FROM link GROUP BY thing) x
            WHERE x.thing = link.thing AND link.bundle > x.bundle;
        UPDATE link SET bundle = x.bundle
            FROM (SELECT rel, att, min(bundle) AS bundle FROM link GROUP BY rel, att) x
            WHERE x.rel = link.rel AND x.att = link.att AND link.bundle > x.bundle;
        EXIT WHEN NOT FOUND;
    END LOOP;
    UPDATE link SET bundle = x.number FROM (SELECT bundle, row_number() OVER (ORDER BY bundle) AS number
        FROM link GROUP BY bundle) x WHERE x.bundle = link.bundle;
    UPDATE all_moved m SET bundle = l.bundle FROM link l WHERE l.rel = m.rel AND l.att = m.att;
    UPDATE all_indexes i SET bundle = (SELECT min(l.bundle) FROM link l
        WHERE l.thing IN (format('%s %s', 'pg_class'::regclass::oid, i.index),
        format('%s %s', 'pg_constraint'::regclass::oid, i.con)));
    UPDATE all_views v SET bundle = (SELECT min(l.bundle) FROM pg_rewrite w
        JOIN link l ON l.thing = format('%s %s', 'pg_rewrite'::regclass::oid, w.oid) WHERE ev_class = v.view);
END $$;

-- What a switch holds up: the tables that it locks, and for how long. About 2 ms for each table, foreign key
-- and view (doc/moving-database.md); and what is built under the lock: a table is read at 200 MB/s, a row of an index
-- takes 1 µs, an index, also of a partition, 4 ms.
CREATE FUNCTION pg_temp.plan_of_bundle(which integer) RETURNS SETOF text LANGUAGE sql STABLE AS $$
    WITH key AS (
        SELECT c.* FROM pg_constraint c WHERE contype = 'f' AND conparentid = 0 AND EXISTS (SELECT
            FROM all_moved m
            WHERE m.bundle = which AND (m.rel = conrelid AND m.att = ANY (conkey) OR m.rel = confrelid
                AND m.att = ANY (confkey)))
    ), locked AS (
        SELECT rel FROM all_moved WHERE bundle = which UNION SELECT conrelid FROM key
            UNION SELECT confrelid FROM key
    ), built AS (
        SELECT root::regclass::text AS name, sum(pg_relation_size(i.rel)) AS size,
            sum(4 + pg_relation_size(i.rel) / 200000.0 + GREATEST(c.reltuples, 0) / 1000.0) AS ms
        FROM all_indexes i JOIN pg_class c ON c.oid = i.index, LATERAL COALESCE(pg_partition_root(index), index) root
            WHERE i.bundle = which AND way = 'locked' AND relkind = 'i' GROUP BY root
    ), total AS (
        SELECT (SELECT count(*) FROM locked) AS tables, (SELECT count(*) FROM key) AS keys,
            (SELECT count(*) FROM all_views WHERE bundle = which) AS views,
                COALESCE((SELECT sum(ms) FROM built), 0) AS built
    )
    SELECT format('Switch %s of %s: %s columns of %s (%s with indexes)', which, (SELECT max(bundle) FROM all_moved),
        (SELECT count(*) FROM all_moved WHERE bundle = which), pg_temp.tables_of_bundle(which),
        pg_size_pretty((SELECT sum(pg_total_relation_size(rel))
            FROM (SELECT DISTINCT rel FROM all_moved WHERE bundle = which) r)))
    UNION ALL
    SELECT format('    locks %s tables, with %s foreign keys and %s views, for about %s', tables, keys, views,
        pg_temp.duration(2 * (tables + keys + views) + built)) FROM total
    UNION ALL
    (SELECT format('    of which index %s: %s of table are read, about %s', name, pg_size_pretty(size),
        pg_temp.duration(ms))
        FROM built ORDER BY ms DESC, name)
$$;

CREATE FUNCTION pg_temp.duration(ms double precision) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN ms < 1000 THEN format('%s ms', ceil(ms))
        WHEN ms < 120000 THEN format('%s s', round(ms::numeric / 1000, 1))
        ELSE format('%s min', round(ms / 60000)) END
$$;

CREATE FUNCTION pg_temp.plan() RETURNS SETOF text LANGUAGE sql STABLE AS $$
    SELECT format('Plan: to %s, in database %I', target, current_database()) FROM ulid_move_setting
    UNION ALL
    SELECT format('Copy: %s (%s with indexes)', c.home,
        pg_size_pretty((SELECT sum(pg_total_relation_size(x.rel)) FROM copied x
        WHERE x.root = c.root))) FROM copied c WHERE c.rel = c.root
    UNION ALL
    SELECT pg_temp.plan_of_bundle(bundle) FROM (SELECT DISTINCT bundle FROM all_moved ORDER BY bundle) b
    UNION ALL
    SELECT 'Asked of the application, from the switch of a table on: ids arrive as ' || CASE target
        WHEN 'ulid' THEN 'ULIDs'
        WHEN 'uuid' THEN 'UUIDs' ELSE 'text' END || '; statements that return the column itself are prepared '
            'again'
        || CASE target WHEN 'uuid' THEN '; ids are sent as uuids, not as the text of ULIDs' ELSE '' END
            FROM ulid_move_setting
    UNION ALL
    (SELECT format('Note: %s.', text) FROM note ORDER BY risk, n)
$$;
