-- What a copy has: the definitions of a table and of all that is on it, as they are with the new types.

-- An expression of a table as it is to be when its columns have their new types: as it is where it can be,
-- else with the columns cast to the types that they had, which is read from a table that has the columns under
-- other names.
CREATE FUNCTION pg_temp.copy_expression(tree pg_node_tree, of oid, what text) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    plain text := pg_get_expr(tree, of);
    wrapped text; message text; o record; attempt text;
BEGIN
    IF plain IS NULL OR NOT EXISTS (SELECT FROM copied_column WHERE rel = of AND changes) THEN
        RETURN plain;
    END IF;
    wrapped := pg_get_expr(tree, format('pg_temp.ulid_move_marks_%s', of)::regclass);
    FOR o IN SELECT att, name, type FROM copied_column WHERE rel = of AND changes LOOP
        wrapped := replace(wrapped, format('ulid_move_mark_%s_', o.att), format('((%s)::%s)', o.name, o.type));
    END LOOP;
    FOREACH attempt IN ARRAY ARRAY[plain, wrapped] LOOP
        BEGIN
            EXECUTE format('SELECT %s FROM %s LIMIT 0', pg_temp.copy_retarget(attempt),
                (SELECT typed FROM copied WHERE rel = of));
            RETURN attempt;
        EXCEPTION WHEN syntax_error_or_access_rule_violation OR data_exception THEN
            message := COALESCE(message, SQLERRM);
        END;
    END LOOP;
    INSERT INTO problem (text) VALUES (format('%s of table %s cannot be made with the new type: %s: %s', what,
        of::regclass, plain, message));
    RETURN plain;
END $$;

-- A definition that names copied tables, over tables that have the new types and no rows.
CREATE FUNCTION pg_temp.copy_retarget(definition text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE o record;
BEGIN
    FOR o IN SELECT typed, regexp_replace(home, '([^\w ])', '\\\1', 'g') AS pattern FROM (
        SELECT typed, home FROM copied UNION ALL SELECT schema || '.' || name, home FROM trial) t
        WHERE strpos(definition, home) > 0 LOOP
        definition := regexp_replace(definition, '(?<![\w$".])' || o.pattern || '(?![\w$"])',
            replace(o.typed, '\', '\\'), 'g');
    END LOOP;
    RETURN definition;
END $$;

-- Tries a definition, and leaves nothing of it, unless it is to be kept.
CREATE FUNCTION pg_temp.copy_try(definition text, what text, keep boolean DEFAULT false) RETURNS void
    LANGUAGE sql AS $$
    INSERT INTO problem (text) SELECT format('%s cannot be made with the new type: %s', what, message)
    FROM pg_temp.attempt(definition, keep) WHERE state IS NOT NULL
$$;

-- A list of expressions, apart.
CREATE FUNCTION pg_temp.copy_split(list text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    depth integer := 0; part text := ''; parts text[] := '{}'; token text;
BEGIN
    FOR token IN SELECT m[1]
        FROM regexp_matches(list, $re$('(?:[^']|'')*'|"(?:[^"]|"")*"|, |[^'"])$re$, 'g') m LOOP
        depth := depth + CASE WHEN token IN ('(', '[') THEN 1 WHEN token IN (')', ']') THEN -1 ELSE 0 END;
        IF token = ', ' AND depth = 0 THEN
            parts := parts || part;
            part := '';
        ELSE
            part := part || token;
        END IF;
    END LOOP;
    RETURN parts || part;
END $$;

-- The bound of a partition, with the values of columns that change as the new type has them.
CREATE FUNCTION pg_temp.copy_bound(partition oid) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    bound text; parent oid; strategy "char"; keys int2[]; result text := ''; token text; place integer := 0;
        o record; value text;
BEGIN
    SELECT pg_get_expr(relpartbound, c.oid), inhparent, partstrat, string_to_array(partattrs::text, ' ')::int2[]
        INTO bound, parent, strategy, keys
        FROM pg_class c JOIN pg_inherits ON inhrelid = c.oid JOIN pg_partitioned_table ON partrelid = inhparent
            WHERE c.oid = partition;
    IF strategy = 'h' OR bound = 'DEFAULT' OR NOT EXISTS (SELECT FROM copied_column
        WHERE rel = parent AND changes AND att = ANY (keys)) THEN
        RETURN bound;
    END IF;
    FOR token IN SELECT m[1] FROM regexp_matches(bound, $re$('(?:[^']|'')*'|[A-Z]+|,|[^'A-Z,]+)$re$, 'g') m LOOP
        IF token IN ('FROM', 'TO') THEN
            place := 0;
        ELSIF token = ',' AND strategy = 'r' THEN
            place := place + 1;
        ELSIF token LIKE '''%' THEN
            SELECT * INTO o FROM copied_column WHERE rel = parent AND att = keys[place + 1] AND changes;
            IF FOUND THEN
                EXECUTE 'SELECT ' || token INTO value;
                BEGIN
                    -- with what a range of texts begins, the zeros after it begin one of ulids
                    IF o.is_text AND strategy = 'r' THEN
                        value := rpad(rtrim(value), 26, '0');
                    END IF;
                    EXECUTE format(format('SELECT (%s)::text', o.value), format('%L::%s', value, o.type)) INTO value;
                    token := quote_literal(value);
                EXCEPTION WHEN data_exception THEN
                    INSERT INTO problem (text) VALUES (format('partition %s is bound by %s, which is no %s',
                        partition::regclass, token, o.target));
                END;
            END IF;
        END IF;
        result := result || token;
    END LOOP;
    RETURN result;
END $$;

CREATE FUNCTION pg_temp.copy_options(reloptions text[]) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT ' WITH (' || string_agg(format('%s=%L', split_part(o, '=', 1), substr(o, strpos(o, '=') + 1)), ', ')
        || ')' FROM unnest(reloptions) o
$$;

CREATE FUNCTION pg_temp.copy_class(class oid, coll oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat((SELECT format(' COLLATE %I.%I', nspname, collname) FROM pg_collation o
        JOIN pg_namespace n ON n.oid = collnamespace WHERE o.oid = coll),
        (SELECT format(' %I.%I', nspname, opcname) FROM pg_opclass o JOIN pg_namespace n ON n.oid = opcnamespace
            WHERE o.oid = class AND NOT opcdefault))
$$;

-- How a table is partitioned. By an expression it is not: there is no key then.
CREATE FUNCTION pg_temp.copy_partition_key(of oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(' PARTITION BY %s (%s)', CASE partstrat WHEN 'r' THEN 'RANGE' WHEN 'l' THEN 'LIST'
        ELSE 'HASH' END,
        (SELECT string_agg(pg_temp.column_name(of, att) || CASE WHEN changes THEN ''
                ELSE pg_temp.copy_class(partclass[n - 1], partcollation[n - 1]) END, ', ' ORDER BY n)
            FROM unnest(string_to_array(partattrs::text, ' ')::int2[]) WITH ORDINALITY u (att, n)
                JOIN copied_column USING (att) WHERE rel = of))
    FROM pg_partitioned_table WHERE partrelid = of
$$;

-- An index as it will be. Where the type of a column changes, its class and its collation are the default.
CREATE FUNCTION pg_temp.copy_index(index oid, work text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    i record; expressions text; condition text; split text[]; element text; elements text[]; included text[];
        n integer := 0; attribute int2; begins text;
BEGIN
    SELECT x.*, c.relname, c.reloptions, amname, spcname, t.relkind AS kind INTO i
        FROM pg_index x JOIN pg_class c ON c.oid = indexrelid JOIN pg_class t ON t.oid = indrelid
            JOIN pg_am m ON m.oid = c.relam
            LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace WHERE indexrelid = index;
    begins := format('CREATE %sINDEX %I ON %s', CASE WHEN i.indisunique THEN 'UNIQUE '
        ELSE '' END, i.relname, CASE WHEN i.kind = 'p' THEN 'ONLY ' ELSE '' END);
    expressions := pg_temp.copy_expression(i.indexprs, i.indrelid, format('index %I', i.relname));
    condition := pg_temp.copy_expression(i.indpred, i.indrelid, format('the condition of index %I', i.relname));
    IF (expressions, condition) IS NOT DISTINCT
        FROM (pg_get_expr(i.indexprs, i.indrelid), pg_get_expr(i.indpred, i.indrelid))
        AND NOT EXISTS (SELECT FROM copied_column WHERE rel = i.indrelid AND att = ANY (i.indkey) AND changes)
    THEN
        RETURN begins || work
            || substr(pg_temp.index_definition(index, false),
            length(begins || (SELECT home FROM copied WHERE rel = i.indrelid)) + 1);
    END IF;
    split := pg_temp.copy_split(expressions);
    FOR k IN 1 .. i.indnatts LOOP
        attribute := i.indkey[k - 1];
        IF attribute = 0 THEN
            n := n + 1;
            element := format('(%s)', split[n]);
        ELSE
            element := pg_temp.column_name(i.indrelid, attribute);
        END IF;
        IF k > i.indnkeyatts THEN
            included := included || element;
            CONTINUE;
        END IF;
        IF NOT EXISTS (SELECT FROM copied_column WHERE rel = i.indrelid AND att = attribute AND changes) THEN
            element := element || pg_temp.copy_class(i.indclass[k - 1], CASE
                WHEN attribute <> 0 THEN i.indcollation[k - 1] END);
        END IF;
        elements := elements || (element || CASE WHEN i.amname <> 'btree' THEN '' ELSE
            CASE i.indoption[k - 1] & 3 WHEN 0 THEN '' WHEN 1 THEN ' DESC NULLS LAST' WHEN 2 THEN ' NULLS FIRST'
                ELSE ' DESC' END END);
    END LOOP;
    RETURN concat(begins, work, format(' USING %I (%s)', i.amname, array_to_string(elements, ', ')),
        ' INCLUDE (' || array_to_string(included, ', ') || ')',
        CASE WHEN i.indnullsnotdistinct THEN ' NULLS NOT DISTINCT' END, pg_temp.copy_options(i.reloptions),
            ' TABLESPACE ' || quote_ident(i.spcname),
        ' WHERE ' || condition, E';\n');
END $$;

-- The index of a constraint, with what pg_get_constraintdef leaves out.
CREATE FUNCTION pg_temp.copy_key(con oid, work text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'ALTER TABLE %s ADD CONSTRAINT %I %s;\n', work, conname,
        regexp_replace(pg_temp.with_operators(pg_get_constraintdef(con), ARRAY(
                SELECT pg_temp.column_name(conrelid, a) FROM unnest(conkey) a WHERE contype = 'x' AND (EXISTS (
                    SELECT FROM moved WHERE rel = conrelid AND att = a)
                    OR EXISTS (SELECT FROM copied_column WHERE rel = conrelid AND att = a AND moves)))),
            '^(.*?)( WHERE \(.*)?( (?:NOT )?DEFERRABLE.*)?$',
        '\1' || replace(concat(pg_temp.copy_options(c.reloptions), ' USING INDEX TABLESPACE '
            || quote_ident(spcname)), '\', '\\') || '\2\3'))
    FROM pg_constraint JOIN pg_class c ON c.oid = conindid LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace
        WHERE pg_constraint.oid = con
$$;

CREATE FUNCTION pg_temp.copy_check(con oid) RETURNS text LANGUAGE sql AS $$
    SELECT concat(format('CONSTRAINT %I CHECK (%s)', conname,
        pg_temp.copy_expression(conbin, conrelid, format('constraint %I', conname))),
        CASE WHEN connoinherit THEN ' NO INHERIT' END,
        substring(pg_get_constraintdef(oid) FROM ' NOT (?:VALID|ENFORCED)$'))
    FROM pg_constraint WHERE oid = con
$$;

CREATE FUNCTION pg_temp.copy_sequence(sequence oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(' START %s INCREMENT %s MINVALUE %s MAXVALUE %s CACHE %s%s', seqstart, seqincrement, seqmin, seqmax,
        seqcache, CASE WHEN seqcycle THEN ' CYCLE' END) FROM pg_sequence WHERE seqrelid = sequence
$$;

-- A new table with all that can be on it before the rows come. Its other indexes, foreign keys, triggers,
-- rules, policies and statistics come after, as do constraints that are not validated.
CREATE FUNCTION pg_temp.copy_create(of oid) RETURNS text LANGUAGE plpgsql AS $f$
DECLARE
    t record; o record; lines text[]; result text; version integer := current_setting('server_version_num');
        kind text; sequence_schema text; expression text;
    owner text;
BEGIN
    SELECT c.*, x.*, amname, spcname, (SELECT reloptions FROM pg_class s WHERE s.oid = c.reltoastrelid) AS toast
        INTO t
        FROM copied x JOIN pg_class c ON c.oid = x.rel LEFT JOIN pg_am m ON m.oid = c.relam
            LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace WHERE x.rel = of;
    owner := quote_ident(pg_get_userbyid(t.relowner));
    sequence_schema := t.work_schema;
    FOR o IN SELECT a.*, x.*, pg_get_expr(adbin, adrelid) AS plain, adbin FROM copied_column x
        JOIN pg_attribute a ON attrelid = rel AND attnum = att
        LEFT JOIN pg_attrdef ON adrelid = rel AND adnum = att WHERE rel = of ORDER BY att
    LOOP
        expression := CASE WHEN o.attgenerated <> '' THEN pg_temp.copy_expression(o.adbin, of, 'column '
            || o.name) ELSE o.plain END;
        IF o.changes THEN
            expression := pg_temp.new_default(expression, CASE WHEN o.target = 'pg_catalog.uuid' THEN 'uuid'
                WHEN (SELECT target FROM ulid_move_setting) = 'ulid' THEN 'ulid' ELSE 'text' END,
                pg_temp.is_key(of, o.att));
        END IF;
        lines := lines || concat('    ', o.name, ' ', o.target,
            CASE WHEN o.attgenerated <> '' THEN format(' GENERATED ALWAYS AS (%s) %s', expression,
                CASE o.attgenerated WHEN 's' THEN 'STORED' ELSE 'VIRTUAL' END)
                ELSE ' DEFAULT ' || expression END,
            CASE WHEN o.attidentity <> '' AND NOT t.relispartition THEN (
                SELECT format(' GENERATED %s AS IDENTITY (SEQUENCE NAME %s.%I%s)',
                    CASE o.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, sequence_schema, q.relname,
                    CASE WHEN seqtypid = o.atttypid THEN pg_temp.copy_sequence(seqrelid) END)
                FROM pg_depend d JOIN pg_sequence ON seqrelid = d.objid JOIN pg_class q ON q.oid = seqrelid
                WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = of AND d.refobjsubid = o.att
                    AND d.deptype = 'i') END,
            (SELECT format(' CONSTRAINT %I', conname) FROM pg_constraint
                WHERE conrelid = of AND contype = 'n' AND conkey = ARRAY[o.att] AND convalidated),
            CASE WHEN o.attnotnull AND NOT EXISTS (SELECT FROM pg_constraint
                WHERE conrelid = of AND contype = 'n' AND conkey = ARRAY[o.att] AND NOT convalidated)
                THEN ' NOT NULL' END,
            (SELECT ' NO INHERIT' FROM pg_constraint
                WHERE conrelid = of AND contype = 'n' AND conkey = ARRAY[o.att] AND convalidated
                AND connoinherit));
    END LOOP;
    FOR o IN SELECT pg_temp.copy_check(oid) AS line FROM pg_constraint
        WHERE conrelid = of AND contype = 'c' AND convalidated ORDER BY conname LOOP
        lines := lines || ('    ' || o.line);
    END LOOP;
    result := concat('CREATE ', CASE t.relpersistence WHEN 'u' THEN 'UNLOGGED ' END, 'TABLE ', t.work, E' (\n',
        array_to_string(lines, E',\n'), E'\n)',
        pg_temp.copy_partition_key(of), ' USING ' || quote_ident(t.amname),
        pg_temp.copy_options(COALESCE(t.reloptions, '{}')
            || COALESCE((SELECT array_agg('toast.' || x) FROM unnest(t.toast) x), '{}')),
        ' TABLESPACE ' || quote_ident(t.spcname), E';\n',
            format(E'ALTER TABLE %s OWNER TO %s;\n', t.work, owner));
    FOR o IN SELECT * FROM copied_column WHERE rel = of ORDER BY att LOOP
        result := concat(result,
            (SELECT string_agg(format(E'ALTER TABLE %s ALTER COLUMN %s SET %s;\n', t.work, o.name, setting), '')
                FROM pg_temp.column_settings(of, o.att) setting
                -- another type is stored in its own way
                WHERE NOT (o.changes AND setting ~ '^(STORAGE|COMPRESSION)')),
            pg_temp.comment('pg_class', of, o.att, format('COLUMN %s.%s', t.work, o.name)));
    END LOOP;
    -- keys and what else is unique; where there are partitions every index, as one of those cannot be
    -- built later without a lock
    FOR o IN SELECT indexrelid, con.oid AS con, c.relname FROM pg_index JOIN pg_class c ON c.oid = indexrelid
        LEFT JOIN pg_constraint con ON conindid = indexrelid AND conrelid = of AND contype IN ('p', 'u', 'x')
        WHERE indrelid = of AND indisvalid AND NOT pg_temp.copy_late(indexrelid)
            -- in this order the server asks them whether there is such a row, and names the first
            AND NOT pg_temp.copy_is_guard(indexrelid) ORDER BY indexrelid
    LOOP
        result := concat(result, CASE WHEN o.con IS NULL THEN pg_temp.copy_index(o.indexrelid, t.work)
            ELSE pg_temp.copy_key(o.con, t.work) END,
            pg_temp.comment('pg_constraint', o.con, 0, format('CONSTRAINT %I ON %s', o.relname, t.work)),
            pg_temp.copy_index_properties(o.indexrelid, t.work_schema, t.work));
    END LOOP;
    result := concat(result, CASE t.relreplident
        WHEN 'f' THEN format(E'ALTER TABLE %s REPLICA IDENTITY FULL;\n', t.work)
        WHEN 'n' THEN format(E'ALTER TABLE %s REPLICA IDENTITY NOTHING;\n', t.work) END,
        -- which an event trigger may have enabled
        format(E'ALTER TABLE %s %s ROW LEVEL SECURITY;\n', t.work,
            CASE WHEN t.relrowsecurity THEN 'ENABLE' ELSE 'DISABLE' END),
        CASE WHEN t.relforcerowsecurity THEN format(E'ALTER TABLE %s FORCE ROW LEVEL SECURITY;\n', t.work) END,
        pg_temp.comment('pg_class', of, 0, 'TABLE ' || t.work),
        (SELECT string_agg(pg_temp.comment('pg_constraint', oid, 0,
            format('CONSTRAINT %I ON %s', conname, t.work)), '') FROM pg_constraint
            WHERE conrelid = of AND contype IN ('c', 'n') AND convalidated),
        pg_temp.copy_revoke(t.work),
        -- who granted what he was granted has to see it there
        (SELECT string_agg(DISTINCT format(E'GRANT USAGE ON SCHEMA %s TO %I;\n', t.work_schema,
            pg_get_userbyid(grantor)), '') FROM (SELECT t.relacl AS acl
            UNION ALL SELECT attacl FROM pg_attribute WHERE attrelid = of) l, aclexplode(acl)
                WHERE grantor <> t.relowner),
        pg_temp.grants(COALESCE(t.relacl, acldefault('r', t.relowner)), t.relowner, t.work, ''),
        (SELECT string_agg(pg_temp.grants(attacl, t.relowner, t.work, format(' (%I)', attname)), ''
            ORDER BY attnum)
            FROM pg_attribute WHERE attrelid = of AND attacl IS NOT NULL AND NOT attisdropped),
        (SELECT string_agg(concat(pg_temp.comment('pg_class', q.oid, 0,
            format('SEQUENCE %s.%I', t.work_schema, q.relname)),
                pg_temp.copy_revoke(format('%s.%I', t.work_schema, q.relname)),
                pg_temp.grants(COALESCE(q.relacl, acldefault('s', q.relowner)), q.relowner,
                    format('SEQUENCE %s.%I', t.work_schema, q.relname), ''),
                CASE WHEN seqtypid <> atttypid THEN format(E'ALTER SEQUENCE %s.%I AS %s%s RESTART;\n', t.work_schema,
                    q.relname, seqtypid::regtype, pg_temp.copy_sequence(q.oid)) END,
                CASE WHEN q.relpersistence <> t.relpersistence THEN format(E'ALTER SEQUENCE %s.%I SET %s;\n',
                    t.work_schema, q.relname, CASE q.relpersistence WHEN 'u' THEN 'UNLOGGED' ELSE 'LOGGED' END) END),
                '')
            FROM pg_depend d JOIN pg_class q ON q.oid = d.objid AND q.relkind = 'S' JOIN pg_sequence ON seqrelid = q.oid
                JOIN pg_attribute ON attrelid = of AND attnum = d.refobjsubid
            WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = of AND d.deptype = 'i'
                AND NOT t.relispartition));
    IF t.relispartition THEN
        result := result || (SELECT format(E'ALTER TABLE %s ATTACH PARTITION %s %s;\n', p.work, t.work,
            pg_temp.copy_bound(of))
            FROM pg_inherits JOIN copied p ON p.rel = inhparent WHERE inhrelid = of);
    END IF;
    RETURN result;
END $f$;

-- Takes away what an owner has, and what default privileges have given.
CREATE FUNCTION pg_temp.copy_revoke(identity text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(pg_temp.tagged(E'DO $ulid_move_grants$ DECLARE r text; BEGIN\n    FOR r IN SELECT DISTINCT '
        'CASE grantee WHEN 0 THEN ''PUBLIC'' ELSE quote_ident(pg_get_userbyid(grantee)) END\n        FROM '
        'pg_class, aclexplode(COALESCE(relacl, acldefault(CASE relkind WHEN ''S'' THEN ''s'' ELSE ''r'' END::"char", '
        'relowner))) WHERE oid = %L::regclass\n    LOOP EXECUTE %L || r; END LOOP; END '
        '$ulid_move_grants$;\n'),
        identity, format('REVOKE ALL ON %s FROM ', identity))
$$;

-- Whether an index is built after the rows are there.
CREATE FUNCTION pg_temp.copy_late(index oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT NOT indisunique AND NOT indisexclusion AND relkind = 'r' AND NOT relispartition FROM pg_index
        JOIN pg_class t ON t.oid = indrelid WHERE indexrelid = index
$$;

-- Whether an index is the one of a text key as ulid, which a script has made that was stopped.
CREATE FUNCTION pg_temp.copy_is_guard(index oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT indisunique AND indexprs IS NOT NULL AND i.relname = pg_temp.name_with('', t.relname, '_ulid_move')
        AND EXISTS (SELECT FROM pg_opclass o, ulid_move_setting WHERE opcname = 'ulid_ops'
            AND opcnamespace = namespace AND o.oid = ANY (indclass))
    FROM pg_index JOIN pg_class i ON i.oid = indexrelid JOIN pg_class t ON t.oid = indrelid WHERE indexrelid = index
$$;

CREATE FUNCTION pg_temp.copy_index_properties(index oid, schema text, work text) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT concat(pg_temp.comment('pg_class', index, 0, format('INDEX %s.%I', schema, relname)),
        pg_temp.goes_with('pg_class', index, format('INDEX %s.%I', schema, relname)),
        (SELECT string_agg(format(E'ALTER INDEX %s.%I ALTER COLUMN %s SET STATISTICS %s;\n', schema, relname,
            attnum, attstattarget), '')
            FROM pg_attribute WHERE attrelid = index AND attstattarget >= 0),
        CASE WHEN indisclustered THEN format(E'ALTER TABLE %s CLUSTER ON %I;\n', work, relname) END,
        CASE WHEN indisreplident THEN format(E'ALTER TABLE %s REPLICA IDENTITY USING INDEX %I;\n', work,
            relname) END)
    FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indexrelid = index
$$;

CREATE FUNCTION pg_temp.copy_policy(policy oid) RETURNS text LANGUAGE sql AS $$
    SELECT pg_temp.policy_with(policy, pg_temp.copy_expression(polqual, polrelid, format('policy %I', polname)),
        pg_temp.copy_expression(polwithcheck, polrelid, format('policy %I', polname)))
    FROM pg_policy WHERE oid = policy
$$;
