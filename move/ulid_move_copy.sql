-- The copying way of ulid_move.sql, which includes this file: for tables of which PostgreSQL would not
-- give a column another type without writing every row again, or not at all. They are those with a key
-- of text, varchar or char, and those that are partitioned by the column.
--
-- Each is made anew in a schema beside its own, ulid_move_SCHEMA, with the same names. Triggers on the
-- old table keep the new one in step with every statement, the rows from before are copied in batches,
-- and one short transaction has the two tables change places.
--
-- Why no row is lost, doubled or brought back:
--
-- (1) A trigger of a statement takes the keys that the statement wrote, old and new, deletes what the new
--     table has under them and inserts what the old table has. It looks at what is there and not at what
--     the statement did. So it does not matter in which order the triggers of nested statements come, nor
--     that one row is written twice, and its effect is part of the client's transaction. To make a trigger
--     waits for every transaction that writes to the table: all that write later have it.
-- (2) The copier locks the rows of a batch FOR SHARE before it inserts them, and inserts where no such key
--     is (ON CONFLICT DO NOTHING), in one transaction. A client that wants to change or to delete one
--     of them waits for its end, and then its trigger finds the copy, as each of its statements has a
--     new snapshot. So what the copier inserts is the last committed version of the row, and no row
--     that is deleted is brought back by it.
-- (3) A row that a client holds is left out by the copier (SKIP LOCKED). If the client wrote it, its trigger
--     has copied it; if it rolled back or locked it only, the row is missing. The copier notes the range,
--     and comes back to it until none of it is missing. It never waits for a row with locks on others, so
--     it is part of no deadlock. In the new table it can wait for a client at a deferrable constraint
--     only, and gives up soon after (lock_timeout, which is less than deadlock_timeout).
-- (4) In a REPEATABLE READ or SERIALIZABLE transaction the trigger does not see copies that were committed
--     since its snapshot, and a DELETE would leave them. So it first inserts the old row, ON CONFLICT DO
--     NOTHING: where such a copy is, that is a serialization failure (40001), as these transactions have
--     to expect. A reader of such a snapshot would miss copies after the switch: so this waits, before
--     it, for all that began before the last batch, as CREATE INDEX CONCURRENTLY does.
-- (5) Two keys that were different may be the same as ulid (`01ab…` and `01AB…`). An index on the old table
--     that is unique on the key as ulid is there before the copying begins.
-- (6) Before the switch both tables have the same keys, in one snapshot, or there is an error.

-- The tables that are copied: all of a tree of partitions. `home` is the name, `work` that of the new one,
-- `gone` that of the old one after the switch; all of them quoted and qualified.
CREATE TEMP TABLE copied (rel oid PRIMARY KEY, root oid, level integer, relkind "char", schema text, work_schema text, gone_schema text,
    name text, home text, work text, gone text, typed text, key_index oid, key text[]) ON COMMIT DROP;
-- Their columns. `changes`: the type is another now than it will be. `source`: the type that it has when
-- the script is run. `value`: what becomes of it, as a format of its name.
CREATE TEMP TABLE copied_column (rel oid, att int2, name text, moves boolean, changes boolean, is_text boolean, type text, source text, target text,
    value text, equal text, PRIMARY KEY (rel, att)) ON COMMIT DROP;
CREATE TEMP TABLE copied_view (view oid PRIMARY KEY, level integer) ON COMMIT DROP;

-- A template with tags that no name and no comment can have foreseen.
CREATE FUNCTION pg_temp.tagged(template text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT regexp_replace(template, '\$(ulid_move|q(?=\$))', '$' || current_setting('ulid_move.tag') || '\1', 'g')
$$;

CREATE FUNCTION pg_temp.is_text(type oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT type IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype)
$$;

-- A name with something before or after it, not longer than names can be.
CREATE FUNCTION pg_temp.name_with(prefix text, name text, suffix text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT prefix || CASE WHEN octet_length(prefix || name || suffix) > 63 THEN md5(name) ELSE name END || suffix
$$;

-- An expression of a table as it is to be when its columns have their new types: as it is where it can be,
-- else with the columns cast to the types that they had, which is read from a table that has the columns under
-- other names.
CREATE FUNCTION pg_temp.copy_expression(tree pg_node_tree, of oid, what text) RETURNS text LANGUAGE plpgsql AS $$
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
            EXECUTE format('SELECT %s FROM %s LIMIT 0', attempt, (SELECT typed FROM copied WHERE rel = of));
            RETURN attempt;
        EXCEPTION WHEN syntax_error_or_access_rule_violation OR data_exception THEN
            message := COALESCE(message, SQLERRM);
        END;
    END LOOP;
    INSERT INTO problem (text) VALUES (format('%s of table %s cannot be made with the new type: %s: %s', what, of::regclass, plain, message));
    RETURN plain;
END $$;

-- A definition that names copied tables, over tables that have the new types and no rows.
CREATE FUNCTION pg_temp.copy_retarget(definition text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE o record;
BEGIN
    FOR o IN SELECT typed, regexp_replace(home, '([^\w ])', '\\\1', 'g') AS pattern FROM copied LOOP
        definition := regexp_replace(definition, '(?<![\w$".])' || o.pattern || '(?![\w$"])', replace(o.typed, '\', '\\'), 'g');
    END LOOP;
    RETURN definition;
END $$;

-- Tries a definition, and leaves nothing of it.
CREATE FUNCTION pg_temp.copy_try(definition text, what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    BEGIN
        EXECUTE definition;
        RAISE EXCEPTION USING ERRCODE = 'UL000';
    EXCEPTION WHEN SQLSTATE 'UL000' THEN
        NULL;
    WHEN OTHERS THEN
        INSERT INTO problem (text) VALUES (format('%s cannot be made with the new type: %s', what, SQLERRM));
    END;
END $$;

-- A list of expressions, apart.
CREATE FUNCTION pg_temp.copy_split(list text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    depth integer := 0; part text := ''; parts text[] := '{}'; token text;
BEGIN
    FOR token IN SELECT m[1] FROM regexp_matches(list, $re$('(?:[^']|'')*'|"(?:[^"]|"")*"|, |[^'"])$re$, 'g') m LOOP
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
    bound text; parent oid; strategy "char"; keys int2[]; result text := ''; token text; place integer := 0; o record; value text;
BEGIN
    SELECT pg_get_expr(relpartbound, c.oid), inhparent, partstrat, string_to_array(partattrs::text, ' ')::int2[] INTO bound, parent, strategy, keys
        FROM pg_class c JOIN pg_inherits ON inhrelid = c.oid JOIN pg_partitioned_table ON partrelid = inhparent WHERE c.oid = partition;
    IF strategy = 'h' OR bound = 'DEFAULT' OR NOT EXISTS (SELECT FROM copied_column WHERE rel = parent AND changes AND att = ANY (keys)) THEN
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
                    EXECUTE format('SELECT %L::%s::%s::text', value, o.type, o.target) INTO value;
                    token := quote_literal(value);
                EXCEPTION WHEN data_exception THEN
                    INSERT INTO problem (text) VALUES (format('partition %s is bound by %s, which is no %s', partition::regclass, token, o.target));
                END;
            END IF;
        END IF;
        result := result || token;
    END LOOP;
    RETURN result;
END $$;

CREATE FUNCTION pg_temp.copy_options(reloptions text[]) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT ' WITH (' || string_agg(format('%s=%L', split_part(o, '=', 1), substr(o, strpos(o, '=') + 1)), ', ') || ')' FROM unnest(reloptions) o
$$;

CREATE FUNCTION pg_temp.copy_class(class oid, coll oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat((SELECT format(' COLLATE %I.%I', nspname, collname) FROM pg_collation o JOIN pg_namespace n ON n.oid = collnamespace WHERE o.oid = coll),
        (SELECT format(' %I.%I', nspname, opcname) FROM pg_opclass o JOIN pg_namespace n ON n.oid = opcnamespace WHERE o.oid = class AND NOT opcdefault))
$$;

-- How a table is partitioned. By an expression it is not: there is no key then.
CREATE FUNCTION pg_temp.copy_partition_key(of oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(' PARTITION BY %s (%s)', CASE partstrat WHEN 'r' THEN 'RANGE' WHEN 'l' THEN 'LIST' ELSE 'HASH' END,
        (SELECT string_agg(pg_temp.column_name(of, att) || CASE WHEN changes THEN ''
                ELSE pg_temp.copy_class(partclass[n - 1], partcollation[n - 1]) END, ', ' ORDER BY n)
            FROM unnest(string_to_array(partattrs::text, ' ')::int2[]) WITH ORDINALITY u (att, n) JOIN copied_column USING (att) WHERE rel = of))
    FROM pg_partitioned_table WHERE partrelid = of
$$;

-- An index as it will be. Where the type of a column changes, its class and its collation are the default.
CREATE FUNCTION pg_temp.copy_index(index oid, work text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    i record; expressions text; condition text; split text[]; element text; elements text[]; included text[]; n integer := 0; attribute int2; begins text;
BEGIN
    SELECT x.*, c.relname, c.reloptions, amname, spcname, t.relkind AS kind INTO i
        FROM pg_index x JOIN pg_class c ON c.oid = indexrelid JOIN pg_class t ON t.oid = indrelid JOIN pg_am m ON m.oid = c.relam
            LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace WHERE indexrelid = index;
    begins := format('CREATE %sINDEX %I ON %s', CASE WHEN i.indisunique THEN 'UNIQUE ' ELSE '' END, i.relname, CASE WHEN i.kind = 'p' THEN 'ONLY ' ELSE '' END);
    expressions := pg_temp.copy_expression(i.indexprs, i.indrelid, format('index %I', i.relname));
    condition := pg_temp.copy_expression(i.indpred, i.indrelid, format('the condition of index %I', i.relname));
    IF (expressions, condition) IS NOT DISTINCT FROM (pg_get_expr(i.indexprs, i.indrelid), pg_get_expr(i.indpred, i.indrelid))
        AND NOT EXISTS (SELECT FROM copied_column WHERE rel = i.indrelid AND att = ANY (i.indkey) AND changes)
    THEN
        RETURN begins || work || substr(pg_temp.index_definition(index, false), length(begins || (SELECT home FROM copied WHERE rel = i.indrelid)) + 1);
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
            element := element || pg_temp.copy_class(i.indclass[k - 1], CASE WHEN attribute <> 0 THEN i.indcollation[k - 1] END);
        END IF;
        elements := elements || (element || CASE WHEN i.amname <> 'btree' THEN '' ELSE
            CASE i.indoption[k - 1] & 3 WHEN 0 THEN '' WHEN 1 THEN ' DESC NULLS LAST' WHEN 2 THEN ' NULLS FIRST' ELSE ' DESC' END END);
    END LOOP;
    RETURN concat(begins, work, format(' USING %I (%s)', i.amname, array_to_string(elements, ', ')), ' INCLUDE (' || array_to_string(included, ', ') || ')',
        CASE WHEN i.indnullsnotdistinct THEN ' NULLS NOT DISTINCT' END, pg_temp.copy_options(i.reloptions), ' TABLESPACE ' || quote_ident(i.spcname),
        ' WHERE ' || condition, E';\n');
END $$;

-- The index of a constraint, with what pg_get_constraintdef leaves out.
CREATE FUNCTION pg_temp.copy_key(con oid, work text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'ALTER TABLE %s ADD CONSTRAINT %I %s;\n', work, conname, regexp_replace(pg_get_constraintdef(con), '^(.*?)( WHERE \(.*)?( (?:NOT )?DEFERRABLE.*)?$',
        '\1' || replace(concat(pg_temp.copy_options(c.reloptions), ' USING INDEX TABLESPACE ' || quote_ident(spcname)), '\', '\\') || '\2\3'))
    FROM pg_constraint JOIN pg_class c ON c.oid = conindid LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace WHERE pg_constraint.oid = con
$$;

CREATE FUNCTION pg_temp.copy_check(con oid) RETURNS text LANGUAGE sql AS $$
    SELECT concat(format('CONSTRAINT %I CHECK (%s)', conname, pg_temp.copy_expression(conbin, conrelid, format('constraint %I', conname))),
        CASE WHEN connoinherit THEN ' NO INHERIT' END)
    FROM pg_constraint WHERE oid = con
$$;

-- A new table with all that can be on it before the rows come. Its other indexes, foreign keys, triggers,
-- rules, policies and statistics come after, as do constraints that are not validated.
CREATE FUNCTION pg_temp.copy_create(of oid) RETURNS text LANGUAGE plpgsql AS $f$
DECLARE
    t record; o record; lines text[]; result text; version integer := current_setting('server_version_num'); kind text; sequence_schema text; expression text;
    ulid text := (SELECT schema FROM ulid_move_setting) || '.gen_ulid()'; owner text;
BEGIN
    SELECT c.*, x.*, amname, spcname, (SELECT reloptions FROM pg_class s WHERE s.oid = c.reltoastrelid) AS toast INTO t
        FROM copied x JOIN pg_class c ON c.oid = x.rel LEFT JOIN pg_am m ON m.oid = c.relam LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace WHERE x.rel = of;
    owner := quote_ident(pg_get_userbyid(t.relowner));
    sequence_schema := t.work_schema;
    FOR o IN SELECT a.*, x.*, pg_get_expr(adbin, adrelid) AS plain, adbin FROM copied_column x JOIN pg_attribute a ON attrelid = rel AND attnum = att
        LEFT JOIN pg_attrdef ON adrelid = rel AND adnum = att WHERE rel = of ORDER BY att
    LOOP
        expression := CASE WHEN o.attgenerated <> '' THEN pg_temp.copy_expression(o.adbin, of, 'column ' || o.name) ELSE o.plain END;
        IF o.changes THEN
            IF expression ~ '^((\w+|"[^"]+")\.)?(gen_random_uuid|uuidv[47]|uuid_generate_v(1|1mc|4))\([^()]*\)$' THEN
                expression := ulid;
            ELSIF o.target <> 'pg_catalog.uuid' AND expression ~ '^ulid_sql\.gen_(random_)?ulid\(\)$' THEN
                -- of ulid_sql.sql: the extension's of that name
                expression := (SELECT schema FROM ulid_move_setting) || substr(expression, 9);
            ELSIF o.target = 'pg_catalog.uuid' AND expression ~ '^(\w+\.)?gen_(random_|monotonic_)?ulid\(\)$' THEN
                expression := pg_temp.generator_of_uuid(expression);
            ELSE
                expression := COALESCE((regexp_match(expression, '^\(*((?:\w+\.)?gen_(?:random_|monotonic_)?ulid\(\))\)*::[\w ()]*$'))[1], expression);
            END IF;
        END IF;
        lines := lines || concat('    ', o.name, ' ', o.target,
            CASE WHEN o.attcompression <> '' AND NOT o.changes THEN ' COMPRESSION ' || CASE o.attcompression WHEN 'p' THEN 'pglz' ELSE 'lz4' END END,
            CASE WHEN o.attgenerated <> '' THEN format(' GENERATED ALWAYS AS (%s) %s', expression, CASE o.attgenerated WHEN 's' THEN 'STORED' ELSE 'VIRTUAL' END)
                ELSE ' DEFAULT ' || expression END,
            CASE WHEN o.attidentity <> '' AND NOT t.relispartition THEN (
                SELECT format(' GENERATED %s AS IDENTITY (SEQUENCE NAME %s.%I START %s INCREMENT %s MINVALUE %s MAXVALUE %s CACHE %s%s)',
                    CASE o.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, sequence_schema, q.relname, seqstart, seqincrement, seqmin, seqmax, seqcache,
                    CASE WHEN seqcycle THEN ' CYCLE' END)
                FROM pg_depend d JOIN pg_sequence ON seqrelid = d.objid JOIN pg_class q ON q.oid = seqrelid
                WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = of AND d.refobjsubid = o.att AND d.deptype = 'i') END,
            (SELECT format(' CONSTRAINT %I', conname) FROM pg_constraint WHERE conrelid = of AND contype = 'n' AND conkey = ARRAY[o.att] AND convalidated),
            CASE WHEN o.attnotnull AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = of AND contype = 'n' AND conkey = ARRAY[o.att] AND NOT convalidated)
                THEN ' NOT NULL' END,
            (SELECT ' NO INHERIT' FROM pg_constraint WHERE conrelid = of AND contype = 'n' AND conkey = ARRAY[o.att] AND convalidated AND connoinherit));
    END LOOP;
    FOR o IN SELECT pg_temp.copy_check(oid) AS line FROM pg_constraint WHERE conrelid = of AND contype = 'c' AND convalidated ORDER BY conname LOOP
        lines := lines || ('    ' || o.line);
    END LOOP;
    result := concat('CREATE ', CASE t.relpersistence WHEN 'u' THEN 'UNLOGGED ' END, 'TABLE ', t.work, E' (\n', array_to_string(lines, E',\n'), E'\n)',
        pg_temp.copy_partition_key(of), ' USING ' || CASE WHEN t.relkind = 'r' THEN quote_ident(t.amname) END,
        pg_temp.copy_options(COALESCE(t.reloptions, '{}') || COALESCE((SELECT array_agg('toast.' || x) FROM unnest(t.toast) x), '{}')),
        ' TABLESPACE ' || quote_ident(t.spcname), E';\n', format(E'ALTER TABLE %s OWNER TO %s;\n', t.work, owner));
    FOR o IN SELECT a.*, x.*, typstorage FROM copied_column x JOIN pg_attribute a ON attrelid = rel AND attnum = att JOIN pg_type ty ON ty.oid = atttypid WHERE rel = of ORDER BY att LOOP
        result := concat(result, CASE WHEN o.attstattarget >= 0 THEN format(E'ALTER TABLE %s ALTER COLUMN %s SET STATISTICS %s;\n', t.work, o.name, o.attstattarget) END,
            CASE WHEN o.attoptions IS NOT NULL THEN format(E'ALTER TABLE %s ALTER COLUMN %s SET (%s);\n', t.work, o.name, array_to_string(o.attoptions, ', ')) END,
            CASE WHEN o.attstorage <> o.typstorage AND NOT o.changes THEN format(E'ALTER TABLE %s ALTER COLUMN %s SET STORAGE %s;\n', t.work, o.name,
                CASE o.attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END) END,
            pg_temp.comment('pg_class', of, o.att, format('COLUMN %s.%s', t.work, o.name)));
    END LOOP;
    -- keys and what else is unique; where there are partitions every index, as one of those cannot be built later without a lock
    FOR o IN SELECT indexrelid, con.oid AS con, c.relname FROM pg_index JOIN pg_class c ON c.oid = indexrelid
        LEFT JOIN pg_constraint con ON conindid = indexrelid AND conrelid = of AND contype IN ('p', 'u', 'x')
        WHERE indrelid = of AND indisvalid AND NOT pg_temp.copy_late(indexrelid) ORDER BY indisprimary DESC, c.relname
    LOOP
        result := concat(result, CASE WHEN o.con IS NULL THEN pg_temp.copy_index(o.indexrelid, t.work) ELSE pg_temp.copy_key(o.con, t.work) END,
            pg_temp.comment('pg_constraint', o.con, 0, format('CONSTRAINT %I ON %s', o.relname, t.work)),
            pg_temp.copy_index_properties(o.indexrelid, t.work_schema, t.work));
    END LOOP;
    result := concat(result, CASE t.relreplident WHEN 'f' THEN format(E'ALTER TABLE %s REPLICA IDENTITY FULL;\n', t.work) WHEN 'n' THEN format(E'ALTER TABLE %s REPLICA IDENTITY NOTHING;\n', t.work) END,
        CASE WHEN t.relrowsecurity THEN format(E'ALTER TABLE %s ENABLE ROW LEVEL SECURITY;\n', t.work) END,
        CASE WHEN t.relforcerowsecurity THEN format(E'ALTER TABLE %s FORCE ROW LEVEL SECURITY;\n', t.work) END,
        pg_temp.comment('pg_class', of, 0, 'TABLE ' || t.work),
        (SELECT string_agg(pg_temp.comment('pg_constraint', oid, 0, format('CONSTRAINT %I ON %s', conname, t.work)), '') FROM pg_constraint
            WHERE conrelid = of AND contype IN ('c', 'n') AND convalidated),
        pg_temp.copy_revoke(t.work),
        -- who granted what he was granted has to see it there
        (SELECT string_agg(DISTINCT format(E'GRANT USAGE ON SCHEMA %s TO %I;\n', t.work_schema, pg_get_userbyid(grantor)), '') FROM (SELECT t.relacl AS acl
            UNION ALL SELECT attacl FROM pg_attribute WHERE attrelid = of) l, aclexplode(acl) WHERE grantor <> t.relowner),
        pg_temp.grants(COALESCE(t.relacl, acldefault('r', t.relowner)), t.relowner, t.work, ''),
        (SELECT string_agg(pg_temp.grants(attacl, t.relowner, t.work, format(' (%I)', attname)), '' ORDER BY attnum)
            FROM pg_attribute WHERE attrelid = of AND attacl IS NOT NULL AND NOT attisdropped),
        (SELECT string_agg(concat(pg_temp.comment('pg_class', q.oid, 0, format('SEQUENCE %s.%I', t.work_schema, q.relname)),
                pg_temp.copy_revoke(format('%s.%I', t.work_schema, q.relname)),
                pg_temp.grants(COALESCE(q.relacl, acldefault('s', q.relowner)), q.relowner, format('SEQUENCE %s.%I', t.work_schema, q.relname), '')), '')
            FROM pg_depend d JOIN pg_class q ON q.oid = d.objid AND q.relkind = 'S'
            WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = of AND d.deptype = 'i' AND NOT t.relispartition));
    IF t.relispartition THEN
        result := result || (SELECT format(E'ALTER TABLE %s ATTACH PARTITION %s %s;\n', p.work, t.work, pg_temp.copy_bound(of))
            FROM pg_inherits JOIN copied p ON p.rel = inhparent WHERE inhrelid = of);
    END IF;
    RETURN result;
END $f$;

-- Takes away what default privileges have given.
CREATE FUNCTION pg_temp.copy_revoke(identity text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(pg_temp.tagged(E'DO $ulid_move_grants$ DECLARE r text; BEGIN\n    FOR r IN SELECT DISTINCT CASE grantee WHEN 0 THEN ''PUBLIC'' ELSE quote_ident(pg_get_userbyid(grantee)) END\n        FROM pg_class, aclexplode(relacl) WHERE oid = %L::regclass\n    LOOP EXECUTE %L || r; END LOOP; END $ulid_move_grants$;\n'),
        identity, format('REVOKE ALL ON %s FROM ', identity))
$$;

-- Whether an index is built after the rows are there.
CREATE FUNCTION pg_temp.copy_late(index oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT NOT indisunique AND NOT indisexclusion AND relkind = 'r' AND NOT relispartition FROM pg_index JOIN pg_class t ON t.oid = indrelid WHERE indexrelid = index
$$;

CREATE FUNCTION pg_temp.copy_index_properties(index oid, schema text, work text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat(pg_temp.comment('pg_class', index, 0, format('INDEX %s.%I', schema, relname)), pg_temp.goes_with('pg_class', index, format('INDEX %s.%I', schema, relname)),
        (SELECT string_agg(format(E'ALTER INDEX %s.%I ALTER COLUMN %s SET STATISTICS %s;\n', schema, relname, attnum, attstattarget), '')
            FROM pg_attribute WHERE attrelid = index AND attstattarget >= 0),
        CASE WHEN indisclustered THEN format(E'ALTER TABLE %s CLUSTER ON %I;\n', work, relname) END,
        CASE WHEN indisreplident THEN format(E'ALTER TABLE %s REPLICA IDENTITY USING INDEX %I;\n', work, relname) END)
    FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indexrelid = index
$$;

-- Takes the tables that are to be copied out of `moved`, with all that has to be known of them.
CREATE FUNCTION pg_temp.copy_collect() RETURNS void LANGUAGE plpgsql AS $f$
DECLARE
    setting record; ulid oid; o record; found_text text; keys text;
BEGIN
    SELECT * INTO setting FROM ulid_move_setting;
    ulid := (setting.schema || '.ulid')::regtype;

    WITH RECURSIVE begun (rel) AS (
        SELECT rel FROM moved JOIN pg_attribute ON attrelid = rel AND attnum = att
            WHERE pg_temp.is_text(atttypid) OR setting.target = 'text'
        UNION
        SELECT rel FROM moved JOIN pg_partitioned_table ON partrelid = rel WHERE att = ANY (partattrs)
            OR EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = rel AND objsubid = att AND refclassid = 'pg_class'::regclass
                AND refobjid = rel AND refobjsubid = 0 AND deptype = 'i')
    ), trees (rel) AS (
        SELECT rel FROM begun
        UNION
        SELECT x FROM trees JOIN LATERAL (SELECT inhrelid FROM pg_inherits WHERE inhparent = rel UNION SELECT inhparent FROM pg_inherits WHERE inhrelid = rel) i (x) ON true
    )
    INSERT INTO copied (rel, root, relkind, level, schema, work_schema, gone_schema, name)
    SELECT rel, COALESCE(pg_partition_root(rel), rel), relkind, COALESCE((SELECT level FROM pg_partition_tree(pg_partition_root(rel)) WHERE relid = rel), 0),
        quote_ident(nspname), quote_ident(pg_temp.name_with('ulid_move_', nspname, '')), quote_ident(pg_temp.name_with('ulid_moved_', nspname, '')), quote_ident(relname)
    FROM trees JOIN pg_class c ON c.oid = rel JOIN pg_namespace n ON n.oid = relnamespace;
    UPDATE copied SET home = schema || '.' || name, work = work_schema || '.' || name, gone = gone_schema || '.' || name,
        typed = quote_ident(pg_temp.name_with('ulid_move_typed_', (parse_ident(schema))[1], '')) || '.' || name;
    IF NOT EXISTS (SELECT FROM copied) THEN
        RETURN;
    END IF;

    INSERT INTO copied_column
    SELECT rel, att, name, moves, moves AND type <> target, is_text, type, source, target,
        CASE WHEN NOT moves THEN '%s'
            WHEN target = source THEN '%s'
            WHEN setting.target = 'ulid' AND source NOT IN ('pg_catalog.uuid', setting.schema || '.ulid') THEN '%s::pg_catalog.text::' || target
            WHEN setting.target = 'text' AND target <> 'pg_catalog.uuid' THEN '%s::pg_catalog.text::' || regexp_replace(target, ' COLLATE .*', '')
            ELSE '%s::' || target END,
        NULL
    FROM (
        SELECT c.rel, attnum AS att, quote_ident(attname) AS name, v.rel IS NOT NULL AS moves, pg_temp.is_text(atttypid) AS is_text, n.type,
            CASE WHEN v.rel IS NULL THEN n.type WHEN setting.target <> 'ulid' THEN setting.schema || '.ulid' ELSE n.type END AS source,
            CASE WHEN v.rel IS NULL THEN n.type WHEN setting.target = 'ulid' THEN setting.schema || '.ulid' WHEN setting.target = 'uuid' THEN 'pg_catalog.uuid'
                WHEN pg_temp.is_text(atttypid) OR n.type = 'pg_catalog.uuid' THEN n.type ELSE setting.text_type END AS target
        FROM copied c JOIN pg_attribute a ON attrelid = c.rel AND attnum > 0 AND NOT attisdropped LEFT JOIN moved v ON v.rel = c.rel AND v.att = attnum,
            LATERAL (SELECT CASE atttypid WHEN ulid THEN setting.schema || '.ulid' WHEN 'uuid'::regtype THEN 'pg_catalog.uuid'
                ELSE pg_temp.type_name(atttypid, atttypmod, attcollation) END) n (type)
    ) x;
    DELETE FROM moved WHERE rel IN (SELECT rel FROM copied);

    -- By which key a row is known. That of the whole tree.
    UPDATE copied SET key_index = k.index, key = k.columns FROM (
        SELECT DISTINCT ON (indrelid) indrelid, indexrelid AS index,
            (SELECT array_agg(pg_temp.column_name(indrelid, indkey[n]) ORDER BY n) FROM generate_series(0, indnkeyatts - 1) n) AS columns
        FROM pg_index i JOIN pg_class c ON c.oid = indexrelid JOIN pg_am m ON m.oid = c.relam
        WHERE indisunique AND indimmediate AND indisvalid AND indpred IS NULL AND indexprs IS NULL AND amname = 'btree'
            AND NOT EXISTS (SELECT FROM generate_series(0, indnkeyatts - 1) n JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[n] WHERE NOT attnotnull)
        ORDER BY indrelid, indisprimary DESC, indisreplident DESC, indnkeyatts, indexrelid
    ) k WHERE k.indrelid = copied.root;
    UPDATE copied_column SET equal = CASE WHEN NOT moves THEN e.equal WHEN target = setting.schema || '.ulid' THEN format('OPERATOR(%s.=)', setting.schema)
            ELSE 'OPERATOR(pg_catalog.=)' END
        FROM (SELECT rel, indkey[k] AS att, format('OPERATOR(%I.%s)', nspname, oprname) AS equal
            FROM copied JOIN pg_index ON indexrelid = key_index, generate_series(0, indnkeyatts - 1) k, pg_opclass c, pg_amop, pg_operator p, pg_namespace n
            WHERE rel = root AND c.oid = indclass[k] AND amopfamily = opcfamily AND amopstrategy = 3 AND amoplefttype = opcintype AND amoprighttype = opcintype
                AND p.oid = amopopr AND n.oid = oprnamespace) e
        WHERE e.rel = copied_column.rel AND e.att = copied_column.att;

    INSERT INTO problem (text)
    SELECT format('column %s of table %s is of type %s', x.name, home, type) FROM copied_column x JOIN copied USING (rel)
        WHERE moves AND setting.target = 'uuid' AND is_text
    UNION ALL
    SELECT format('table %s has to be copied, and has no primary key, nor another key of columns that are NOT NULL, by which a row is known%s', home,
            CASE WHEN EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = root AND partexprs IS NOT NULL) THEN ': PostgreSQL allows none where an expression partitions' END)
        FROM copied WHERE rel = root AND key IS NULL
    UNION ALL
    SELECT format('table %s has to be copied, and inherits or is inherited from', home) FROM copied
        WHERE relkind = 'r' AND EXISTS (SELECT FROM pg_inherits WHERE inhparent = rel)
            OR EXISTS (SELECT FROM pg_inherits JOIN pg_class p ON p.oid = inhparent WHERE inhrelid = rel AND p.relkind = 'r')
    UNION ALL
    SELECT format('%s is a foreign table', home) FROM copied WHERE relkind NOT IN ('r', 'p')
    UNION ALL
    SELECT format('table %s is temporary', home) FROM copied JOIN pg_class c ON c.oid = rel WHERE relpersistence = 't'
    UNION ALL
    SELECT format('table %s is of the type %s, which gives it its columns', home, reloftype::regtype) FROM copied JOIN pg_class c ON c.oid = rel WHERE reloftype <> 0
    UNION ALL
    SELECT format('table %s belongs to the extension %s', home, extname)
        FROM copied JOIN pg_depend ON classid = 'pg_class'::regclass AND objid = rel AND deptype = 'e' JOIN pg_extension e ON e.oid = refobjid
    UNION ALL
    SELECT format('table %s has to be copied, and row level security would hide rows from its owner: NO FORCE ROW LEVEL SECURITY', home)
        FROM copied JOIN pg_class c ON c.oid = rel JOIN pg_roles r ON r.oid = relowner WHERE relforcerowsecurity AND NOT rolsuper AND NOT rolbypassrls
    UNION ALL
    SELECT format('table %s has to be copied, and is written by a subscription, which fires no trigger of a statement', home) FROM copied JOIN pg_subscription_rel ON srrelid = rel
    UNION ALL
    SELECT format('publication %I filters the rows of %s by %s: PostgreSQL takes only its own types there', pubname, home, x.name)
        FROM copied_column x JOIN copied USING (rel) JOIN pg_publication_rel ON prrelid = rel JOIN pg_publication b ON b.oid = prpubid
        WHERE moves AND setting.target = 'ulid' AND prqual::text ~ format(':varattno %s\M', att)
    UNION ALL
    SELECT format('%s depends on the row type of table %s', pg_describe_object(d.classid, d.objid, d.objsubid), home)
        FROM copied JOIN pg_class c ON c.oid = rel JOIN pg_type t ON t.oid = c.reltype JOIN pg_depend d ON d.refclassid = 'pg_type'::regclass AND d.refobjid IN (t.oid, t.typarray)
        WHERE d.deptype <> 'i'
    UNION ALL
    SELECT format('table %s is owned by %s, of whom you are none', home, pg_get_userbyid(relowner))
        FROM copied JOIN pg_class c ON c.oid = rel WHERE NOT pg_has_role(relowner, 'USAGE')
    UNION ALL
    SELECT DISTINCT format('table %s has a foreign key from or to a table that is copied, and is owned by %s, of whom you are none', c.oid::regclass, pg_get_userbyid(relowner))
        FROM copied JOIN pg_constraint f ON f.contype = 'f' AND rel IN (conrelid, confrelid) JOIN pg_class c ON c.oid IN (conrelid, confrelid)
        WHERE NOT pg_has_role(relowner, 'USAGE') AND c.oid NOT IN (SELECT rel FROM copied)
    UNION ALL
    SELECT DISTINCT format('publication %s is owned by %s, of whom you are none', quote_ident(pubname), pg_get_userbyid(pubowner))
        FROM copied JOIN pg_publication_rel ON prrelid = rel JOIN pg_publication b ON b.oid = prpubid WHERE NOT pg_has_role(pubowner, 'USAGE')
    UNION ALL
    SELECT DISTINCT format('constraint %I of %s, a partition, has a comment, which a table that is copied could not have again', conname, home)
        FROM copied JOIN pg_constraint f ON conrelid = rel AND contype = 'f' AND conparentid <> 0 WHERE obj_description(f.oid, 'pg_constraint') IS NOT NULL
    UNION ALL
    SELECT pg_temp.other_problems(ARRAY(SELECT rel FROM copied), ARRAY(SELECT c.oid FROM pg_constraint c JOIN copied ON rel IN (conrelid, confrelid)))
    UNION ALL
    SELECT format('you have no CREATE on database %s, where the copies have a schema', quote_ident(current_database())) WHERE NOT has_database_privilege(current_database(), 'CREATE')
    UNION ALL
    SELECT DISTINCT format('you have no CREATE on schema %s, where table %s is made anew', schema, home)
        FROM copied JOIN pg_class c ON c.oid = rel WHERE NOT has_schema_privilege(relnamespace, 'CREATE');
    IF EXISTS (SELECT FROM problem) THEN
        RETURN;
    END IF;

    -- What is no ULID, and what would be the same.
    FOR o IN SELECT x.*, c.home, array_to_string(c.key, ', ') AS key FROM copied_column x JOIN copied c USING (rel)
        WHERE rel = root AND changes AND is_text AND setting.target = 'ulid' ORDER BY home, att
    LOOP
        EXECUTE format('SELECT string_agg(t, '', '' ORDER BY t) FILTER (WHERE n <= 5) || CASE WHEN count(*) > 5 THEN '' and more'' ELSE '''' END FROM (
            SELECT format(%L, %2$s::text, concat_ws('', '', %3$s)) AS t, row_number() OVER () AS n FROM %4$s WHERE NOT %5$s.ulid_is_valid(%2$s::text) LIMIT 6) x',
            CASE WHEN o.key = o.name THEN '%1$L' ELSE '%1$L (where ' || replace(o.key, '%', '%%') || ' is %2$s)' END, o.name, o.key, o.home, setting.schema) INTO found_text;
        IF found_text IS NOT NULL THEN
            INSERT INTO problem (text) VALUES (format('column %s of table %s has what is no ULID: %s', o.name, o.home, found_text));
            CONTINUE;
        END IF;
        EXECUTE format('SELECT NULL FROM %2$s WHERE %1$s::text COLLATE "C" <> %1$s::text::%3$s.ulid::text COLLATE "C" LIMIT 1', o.name, o.home, setting.schema);
        GET DIAGNOSTICS found_text = ROW_COUNT;
        CONTINUE WHEN found_text = '0';
        FOR keys IN
            SELECT (SELECT string_agg(format(CASE WHEN c.changes AND c.is_text THEN '%s::text::' || setting.schema || '.ulid' ELSE '%s' END, c.name), ', ')
                FROM generate_series(0, indnkeyatts - 1) n JOIN copied_column c ON rel = indrelid AND att = indkey[n])
            FROM pg_index WHERE indrelid = o.rel AND indisunique AND indexprs IS NULL AND indpred IS NULL AND o.att = ANY (indkey[0:indnkeyatts - 1])
        LOOP
            EXECUTE format('SELECT string_agg(t, ''; '') FROM (SELECT string_agg(quote_literal(%1$s), '' and '') AS t FROM %2$s GROUP BY %3$s HAVING count(*) > 1 LIMIT 5) x',
                o.name || '::text', o.home, keys) INTO found_text;
            IF found_text IS NOT NULL THEN
                INSERT INTO problem (text) VALUES (format('column %s of table %s has keys that are the same as ulid: %s', o.name, o.home, found_text));
            END IF;
        END LOOP;
        INSERT INTO note (text) VALUES (format('column %s of table %s has ULIDs in other spellings than the canonical one, in which all come back', o.name, o.home));
    END LOOP;

    -- Tables without rows: with the new types, to try definitions on, and with names that can be told from others.
    FOR o IN SELECT DISTINCT regexp_replace(typed, '\.(\w+|"([^"]|"")+")$', '') AS schema FROM copied LOOP
        EXECUTE 'CREATE SCHEMA ' || o.schema;
    END LOOP;
    FOR o IN SELECT rel, (SELECT typed FROM copied x WHERE x.rel = c.rel) AS name, string_agg(format('%s %s', name, target), ', ' ORDER BY att) AS typed,
            (SELECT string_agg(format('%I integer', CASE WHEN a.attisdropped THEN 'ulid_move_gone_' || attnum
                WHEN x.changes THEN format('ulid_move_mark_%s_', attnum) ELSE attname END), ', ' ORDER BY attnum)
                FROM pg_attribute a LEFT JOIN copied_column x ON x.rel = attrelid AND att = attnum WHERE attrelid = c.rel AND attnum > 0) AS marks
        FROM copied_column c GROUP BY rel
    LOOP
        EXECUTE format('CREATE TABLE %s (%s)', o.name, o.typed || COALESCE((SELECT ', ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = o.rel AND contype = 'p'), ''));
        EXECUTE format('CREATE TEMP TABLE ulid_move_marks_%s (%s) ON COMMIT DROP', o.rel, o.marks);
    END LOOP;

    INSERT INTO copied_view
    WITH RECURSIVE direct (view) AS (
        SELECT ev_class FROM pg_depend JOIN copied ON refobjid = rel JOIN pg_rewrite w ON w.oid = objid
        WHERE refclassid = 'pg_class'::regclass AND classid = 'pg_rewrite'::regclass AND rulename = '_RETURN'
    ), views (view, level) AS (
        SELECT view, 1 FROM direct
        UNION
        SELECT ev_class, level + 1 FROM views JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = view AND classid = 'pg_rewrite'::regclass
            JOIN pg_rewrite w ON w.oid = objid WHERE ev_class <> view AND rulename = '_RETURN'
    )
    SELECT view, max(level) FROM views GROUP BY view;
    INSERT INTO problem (text)
    SELECT DISTINCT format('%s depends on the view %s', pg_describe_object(d.classid, d.objid, d.objsubid), view::regclass)
        FROM copied_view JOIN pg_class v ON v.oid = view JOIN pg_type t ON t.oid = v.reltype
            JOIN pg_depend d ON d.refclassid = 'pg_type'::regclass AND d.refobjid IN (t.oid, t.typarray) AND d.deptype <> 'i'
    UNION ALL
    SELECT pg_temp.view_problems(ARRAY(SELECT view FROM copied_view))
    UNION ALL
    SELECT pg_temp.other_problems(ARRAY(SELECT view FROM copied_view), '{}');

    -- What will be made is made, and undone.
    FOR o IN SELECT root, string_agg(home, ', ' ORDER BY level, home) AS tables FROM copied GROUP BY root ORDER BY 2 LOOP
        PERFORM pg_temp.copy_create(rel) FROM copied WHERE root = o.root;
    END LOOP;
    IF NOT EXISTS (SELECT FROM problem) THEN
        UPDATE copied SET work = 'ulid_move_trial.' || name, work_schema = 'ulid_move_trial' WHERE true;
        FOR o IN SELECT schema, root FROM copied WHERE rel = root LOOP
            PERFORM pg_temp.copy_try(format('CREATE SCHEMA ulid_move_trial; GRANT ALL ON SCHEMA ulid_move_trial TO %I;', (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = o.root)) || string_agg(pg_temp.copy_create(rel), '' ORDER BY level, home)
                || COALESCE((SELECT string_agg(pg_temp.copy_index(indexrelid, c.work), '') FROM copied c JOIN pg_index ON indrelid = rel
                    WHERE c.root = o.root AND indisvalid AND pg_temp.copy_late(indexrelid)), ''), 'table ' || o.root::regclass)
            FROM copied WHERE root = o.root;
        END LOOP;
        UPDATE copied SET work_schema = quote_ident(pg_temp.name_with('ulid_move_', (parse_ident(schema))[1], '')) WHERE true;
        UPDATE copied SET work = work_schema || '.' || name WHERE true;
        -- every table is named with its schema then
        PERFORM set_config('search_path', 'pg_catalog', true);
        FOR o IN SELECT view, level FROM copied_view ORDER BY level LOOP
            PERFORM pg_temp.copy_try('CREATE TEMP VIEW ulid_move_trial AS ' || pg_temp.copy_retarget(pg_get_viewdef(o.view)), 'view ' || o.view::regclass);
        END LOOP;
        FOR o IN SELECT DISTINCT p.oid, pg_get_functiondef(p.oid) AS definition FROM copied JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = rel
            JOIN pg_proc p ON classid = 'pg_proc'::regclass AND p.oid = objid
        LOOP
            PERFORM pg_temp.copy_try(pg_temp.copy_retarget(regexp_replace(o.definition, '^(CREATE OR REPLACE \w+ )(?:"[^"]*"|\w+)\.', '\1pg_temp.')), 'function ' || o.oid::regprocedure);
        END LOOP;
        FOR o IN SELECT g.oid, tgname, tgrelid FROM pg_trigger g JOIN copied ON rel = tgrelid WHERE tgparentid = 0 AND NOT tgisinternal LOOP
            PERFORM pg_temp.copy_try(pg_temp.copy_retarget(pg_get_triggerdef(o.oid)), format('trigger %I of %s', o.tgname, o.tgrelid::regclass));
        END LOOP;
        FOR o IN SELECT w.oid, rulename, ev_class FROM pg_rewrite w JOIN copied ON rel = ev_class LOOP
            PERFORM pg_temp.copy_try(pg_temp.copy_retarget(pg_get_ruledef(o.oid)), format('rule %I of %s', o.rulename, o.ev_class::regclass));
        END LOOP;
        PERFORM set_config('search_path', concat_ws(', ', 'pg_catalog', 'pg_temp', setting.schema), true);
    END IF;

    INSERT INTO note (text)
    SELECT format('table %s is copied (%s with its indexes): this takes the same of disk space again, and as much of WAL', home,
            pg_size_pretty((SELECT sum(pg_total_relation_size(rel)) FROM copied x WHERE x.root = c.root))) FROM copied c WHERE rel = root
    UNION ALL
    SELECT format('materialized view %s is filled again in the switch (%s)', view::regclass, pg_size_pretty(pg_relation_size(view)))
        FROM copied_view JOIN pg_class ON oid = view WHERE relkind = 'm' AND relispopulated
    UNION ALL
    SELECT format('publication %I publishes all tables, and so the copies too: see that each subscriber has the schemas %s with tables for them', pubname,
            (SELECT string_agg(DISTINCT work_schema, ', ') FROM copied)) FROM pg_publication WHERE puballtables
    UNION ALL
    SELECT format('function %s names a text type or ulid and a table that is copied: see that it suits both', p.oid::regprocedure)
        FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
        WHERE EXISTS (SELECT FROM copied WHERE p.prosrc ~* ('\m' || regexp_replace(btrim(name, '"'), '(\W)', '\\\1', 'g') || '\M'))
            AND nspname NOT IN ('pg_catalog', 'information_schema') AND pronamespace <> pg_my_temp_schema()
            AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e');
END $f$;

-- A list made of the columns of a key: a format of 1 name, 2 place, 3 type, 4 what becomes of it in k, 5 equality
-- of the new table, 6 equality of the old one, 7 what becomes of it in o, 8 and without a table.
CREATE FUNCTION pg_temp.copy_key_list(of oid, template text, separator text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT string_agg(format(template, k, n, source, format(value, 'k.' || k), equal,
        CASE WHEN moves AND source = (SELECT schema FROM ulid_move_setting) || '.ulid' THEN format('OPERATOR(%s.=)', (SELECT schema FROM ulid_move_setting))
            WHEN moves THEN 'OPERATOR(pg_catalog.=)' ELSE equal END, format(value, 'o.' || k), format(value, k)), separator ORDER BY n)
    FROM copied c, unnest(key) WITH ORDINALITY u (k, n), copied_column x WHERE c.rel = of AND x.rel = of AND x.name = k
$$;

-- The columns that are written, and what of the old table goes into them.
CREATE FUNCTION pg_temp.copy_columns(of oid, alias text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT string_agg(CASE WHEN alias IS NULL THEN name ELSE format(value, alias || '.' || name) END, ', ' ORDER BY name)
    FROM copied_column JOIN pg_attribute ON attrelid = rel AND attnum = att WHERE rel = of AND attgenerated = ''
$$;

-- The function that keeps a new table in step with the old one. It runs in the sessions of clients with the
-- rights of the owner of the table: nothing in it is found by search_path. The plans that it keeps must not
-- depend on how many rows the first statement wrote.
CREATE FUNCTION pg_temp.copy_sync(of oid) RETURNS text LANGUAGE plpgsql AS $f$
DECLARE
    c record; deletion text; insertion text; keys text; deferring text; probe text;
BEGIN
    SELECT x.*, pg_get_userbyid(relowner) AS owner INTO c FROM copied x JOIN pg_class p ON p.oid = x.rel WHERE x.rel = of;
    SELECT 'SET CONSTRAINTS ' || string_agg(DISTINCT format('%s.%I', work_schema, conname), ', ') || E' DEFERRED;\n' INTO deferring
        FROM pg_constraint JOIN copied x ON conrelid = x.rel WHERE x.root = of AND contype IN ('p', 'u', 'x') AND condeferrable;
    keys := pg_temp.copy_key_list(of, '%1$s', ', ');
    deletion := format('DELETE FROM %s n USING %%1$s k WHERE %s;', replace(c.work, '%', '%%'), replace(pg_temp.copy_key_list(of, 'n.%1$s %5$s %4$s', ' AND '), '%', '%%'));
    insertion := format(E'INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE\n            SELECT %s FROM (%%1$s) k JOIN %s o ON %s;', replace(c.work, '%', '%%'), replace(pg_temp.copy_columns(of, NULL), '%', '%%'),
        replace(pg_temp.copy_columns(of, 'o'), '%', '%%'), replace(c.home, '%', '%%'), replace(pg_temp.copy_key_list(of, 'o.%1$s %6$s k.%1$s', ' AND '), '%', '%%'));
    probe := format(E'INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM old_rows k ON CONFLICT (%s) DO NOTHING;', c.work, pg_temp.copy_columns(of, NULL),
        pg_temp.copy_columns(of, 'k'), keys);
    RETURN format(pg_temp.tagged($template$
CREATE FUNCTION %1$s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $ulid_move_sync$
BEGIN
    %2$sIF TG_OP OPERATOR(pg_catalog.=) 'INSERT' THEN
        %3$s
        %4$s
    ELSIF TG_OP OPERATOR(pg_catalog.=) 'TRUNCATE' THEN
        IF TG_ARGV[0] OPERATOR(pg_catalog.=) 'all' THEN
            TRUNCATE %1$s;
        ELSIF pg_catalog.current_setting('transaction_isolation') OPERATOR(pg_catalog.=) 'read committed' THEN
            DELETE FROM %1$s n WHERE NOT EXISTS (SELECT FROM %5$s o WHERE %6$s);
        ELSE
            RAISE EXCEPTION 'cannot truncate a partition in this isolation level while its table moves' USING ERRCODE = 'serialization_failure';
        END IF;
    ELSE
        IF pg_catalog.current_setting('transaction_isolation') OPERATOR(pg_catalog.<>) 'read committed' THEN
            %7$s
        END IF;
        %8$s
        IF TG_OP OPERATOR(pg_catalog.=) 'UPDATE' THEN
            %3$s
            %9$s
        ELSE
            %10$s
        END IF;
    END IF;
    RETURN NULL;
END $ulid_move_sync$;
ALTER FUNCTION %1$s() OWNER TO %11$I;
$template$), c.work, deferring, format(deletion, 'new_rows'), format(insertion, format('SELECT DISTINCT %s FROM new_rows', keys)), c.home,
        pg_temp.copy_key_list(of, 'n.%1$s %5$s %7$s', ' AND '), probe, format(deletion, 'old_rows'),
        format(insertion, format('SELECT %1$s FROM old_rows UNION SELECT %1$s FROM new_rows', keys)), format(insertion, format('SELECT DISTINCT %s FROM old_rows', keys)), c.owner);
END $f$;

-- The functions of the copier for one table that has rows: a batch, and what of a range is missing.
CREATE FUNCTION pg_temp.copy_batch(of oid) RETURNS text LANGUAGE plpgsql AS $f$
DECLARE
    c record; keys text; into_table text;
BEGIN
    SELECT x.*, pg_get_userbyid(relowner) AS owner INTO c FROM copied x JOIN pg_class p ON p.oid = x.rel WHERE x.rel = of;
    SELECT work INTO into_table FROM copied WHERE rel = c.root;
    keys := pg_temp.copy_key_list(c.root, '%1$s', ', ');
    RETURN format(pg_temp.tagged($template$
CREATE FUNCTION %1$s(low text[], INOUT high text[], at_most integer, OUT seen bigint, OUT taken bigint) LANGUAGE plpgsql SECURITY DEFINER
    SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $ulid_move_copy$
DECLARE
    range text := CASE WHEN low IS NULL THEN 'true' ELSE $q$(%2$s) > (%3$s)$q$ END;
BEGIN
    IF high IS NULL THEN
        EXECUTE $q$SELECT ARRAY[%4$s] FROM (SELECT %2$s, row_number() OVER () AS ulid_move_place FROM (SELECT %2$s FROM ONLY %5$s WHERE $q$ || range
            || $q$ ORDER BY %2$s LIMIT $2) a) b ORDER BY ulid_move_place DESC LIMIT 1$q$ INTO high USING low, at_most;
        IF high IS NULL THEN
            RETURN;
        END IF;
    END IF;
    range := range || $q$ AND (%2$s) <= (%6$s)$q$;
    EXECUTE $q$WITH taken AS MATERIALIZED (SELECT * FROM ONLY %5$s WHERE $q$ || range || $q$ ORDER BY %2$s FOR SHARE SKIP LOCKED),
            put AS (INSERT INTO %7$s (%8$s) OVERRIDING SYSTEM VALUE SELECT %9$s FROM taken o ON CONFLICT (%2$s) DO NOTHING)
        SELECT (SELECT count(*) FROM ONLY %5$s WHERE $q$ || range || '), (SELECT count(*) FROM taken)' INTO seen, taken USING low, high;
END $ulid_move_copy$;
ALTER FUNCTION %1$s(text[], text[], integer) OWNER TO %10$I;
CREATE FUNCTION %1$s(low text[], high text[]) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
    SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off
AS $ulid_move_copy$
DECLARE
    missing bigint;
BEGIN
    EXECUTE $q$SELECT count(*) FROM ONLY %5$s o WHERE $q$ || CASE WHEN low IS NULL THEN 'true' ELSE $q$(%2$s) > (%3$s)$q$ END
        || $q$ AND (%2$s) <= (%6$s) AND NOT EXISTS (SELECT FROM %7$s n WHERE %11$s)$q$ INTO missing USING low, high;
    RETURN missing;
END $ulid_move_copy$;
ALTER FUNCTION %1$s(text[], text[]) OWNER TO %10$I;
$template$), c.work, keys, pg_temp.copy_key_list(c.root, '$1[%2$s]::%3$s', ', '), pg_temp.copy_key_list(c.root, '%1$s::text', ', '), c.home,
        replace(pg_temp.copy_key_list(c.root, '$1[%2$s]::%3$s', ', '), '$1', '$2'), into_table, pg_temp.copy_columns(of, NULL), pg_temp.copy_columns(of, 'o'),
        c.owner, pg_temp.copy_key_list(c.root, 'n.%1$s %5$s %7$s', ' AND '));
END $f$;

-- A definition without what differs between the types: casts, collations, classes and parentheses.
CREATE FUNCTION pg_temp.ulid_move_plain(definition text) RETURNS text LANGUAGE sql IMMUTABLE AS $plain$
    SELECT translate(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(definition,
        'OPERATOR\((?:\w+|"(?:[^"]|"")+")\.([^)]+)\)', '\1', 'g'),
        ' COLLATE ((\w+|"([^"]|"")+")\.)?(\w+|"([^"]|"")+")', '', 'g'),
        '((\w+|"([^"]|"")+")\.)?\m(gen_random_uuid|uuidv[47]|uuid_generate_v(1|1mc|4)|gen_(random_|monotonic_)?ulid)\([^()]*\)', 'generated', 'g'),
        '((\w+|"([^"]|"")+")\.)?\m(text|varchar|bpchar|uuid|ulid)_\w*ops\M', '', 'g'),
        '(::)?((\w+|"([^"]|"")+")\.)?\m(uuid|ulid|text|bpchar|varchar|character varying|character)\M(\(\d+\))?', '', 'g'), '() ', '')
$plain$;

-- What a table has on it, with definitions: a JSON object, as an expression of its regclass `t`. It is the same
-- before a move and after it.
CREATE FUNCTION pg_temp.copy_parts() RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT $q$(SELECT jsonb_object_agg(part, left(md5(pg_temp.ulid_move_plain(definition)), 8)) FROM (
            SELECT 'column ' || attname, concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, attacl, (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = t AND adnum = attnum))
                FROM pg_attribute WHERE attrelid = t AND attnum > 0 AND NOT attisdropped
            UNION ALL SELECT 'constraint ' || conname, concat(replace(pg_get_constraintdef(oid), ' NOT VALID', ''), obj_description(oid, 'pg_constraint')) FROM pg_constraint WHERE conrelid = t AND conparentid = 0 AND contype <> 't'
            UNION ALL SELECT format('reference %s of %s', conname, conrelid::regclass), concat(replace(pg_get_constraintdef(oid), ' NOT VALID', ''), obj_description(oid, 'pg_constraint')) FROM pg_constraint WHERE confrelid = t AND conparentid = 0
            UNION ALL SELECT 'index ' || relname, concat(pg_get_indexdef(oid), obj_description(oid, 'pg_class')) FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid = t AND relname NOT LIKE '%ulid\_move'
            UNION ALL SELECT 'trigger ' || tgname, concat(pg_get_triggerdef(oid), tgenabled, obj_description(oid, 'pg_trigger')) FROM pg_trigger
                WHERE tgrelid = t AND NOT tgisinternal AND tgparentid = 0 AND tgname NOT LIKE 'ulid\_move\_%'
            UNION ALL SELECT 'policy ' || polname, concat_ws(' ', polcmd, polpermissive, polroles, pg_get_expr(polqual, polrelid), ',', pg_get_expr(polwithcheck, polrelid), obj_description(oid, 'pg_policy'))
                FROM pg_policy WHERE polrelid = t
            UNION ALL SELECT 'partition ' || inhrelid::regclass, regexp_replace(pg_get_expr(relpartbound, oid), '''[^'']*''', '', 'g') FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = t
            UNION ALL SELECT format('rule %s of %s', rulename, ev_class::regclass), concat(pg_get_ruledef(w.oid), ev_enabled, obj_description(w.oid, 'pg_rewrite'), CASE WHEN relkind IN ('v', 'm') THEN COALESCE(relacl, acldefault('r', relowner)) END, CASE WHEN relkind IN ('v', 'm') THEN reloptions END)
                FROM pg_rewrite w JOIN pg_class c ON c.oid = ev_class WHERE w.oid IN (SELECT objid FROM pg_depend WHERE classid = 'pg_rewrite'::regclass AND refclassid = 'pg_class'::regclass AND refobjid = t)
            UNION ALL SELECT 'statistics ' || stxname, concat_ws(' ', pg_get_statisticsobjdef(oid), stxstattarget) FROM pg_statistic_ext WHERE stxrelid = t
            UNION ALL SELECT 'publication ' || pubname, concat_ws(' ', pg_get_expr(prqual, prrelid), (SELECT string_agg(attname, ',' ORDER BY attname) FROM pg_attribute WHERE attrelid = t AND attnum = ANY (prattrs)))
                FROM pg_publication_rel JOIN pg_publication b ON b.oid = prpubid WHERE prrelid = t
            UNION ALL SELECT 'privilege ' || a, '' FROM pg_class, unnest(COALESCE(relacl, acldefault('r', relowner))) a WHERE oid = t) p (part, definition))$q$
$$;

-- A transaction of the script that locks tables, as in the other way. It gives up its locks where one is not
-- had soon, and tries again. Where a client holds one table and wants another, while this holds that and
-- wants the first, none gets on: so the table that is used most is locked first, and the one that was not
-- had is the first of the next attempt.
CREATE FUNCTION pg_temp.copy_transaction(done text, tables text, first text, work text) RETURNS text LANGUAGE sql STABLE AS $f$
    SELECT format(pg_temp.tagged($template$DO $ulid_move$
DECLARE
    patience text := COALESCE(NULLIF(current_setting('ulid_move.lock_timeout', true), ''), '30ms');
    attempts integer := COALESCE(NULLIF(current_setting('ulid_move.lock_attempts', true), ''), '200');
    tables text[] := ARRAY(SELECT t FROM unnest(%2$L::text[]) WITH ORDINALITY u (t, n) LEFT JOIN pg_stat_user_tables ON relid = to_regclass(t)
        WHERE to_regclass(t) IS NOT NULL ORDER BY seq_scan + COALESCE(idx_scan, 0) DESC NULLS LAST, n);
    next_table text;
BEGIN
    IF %1$s THEN
        RETURN;
    END IF;
    -- Holds up no reader and no writer, and waits until the server has ended a vacuum of its own.
    PERFORM set_config('lock_timeout', '1min', true);
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
                RAISE EXCEPTION 'the tables are in use: no lock on them was had in %% attempts of %%, at last on %%', attempts, patience, COALESCE(next_table, 'what depends on them')
                    USING ERRCODE = 'lock_not_available', HINT = 'Nothing of this step was done. Run the script again, with a longer ulid_move.lock_timeout where transactions are long.',
                    DETAIL = (SELECT string_agg(DISTINCT format('%%s is used by %%s', relation::regclass,
                            COALESCE('process ' || l.pid, 'a prepared transaction')), E'\n')
                        FROM pg_locks l WHERE granted AND locktype = 'relation' AND l.pid IS DISTINCT FROM pg_backend_pid()
                            AND relation = ANY (tables::regclass[]));
            END IF;
            IF next_table IS NOT NULL THEN
                tables := next_table || array_remove(tables, next_table);
            END IF;
            PERFORM pg_sleep(0.05 + random() * 0.2);
        END;
    END LOOP;
END $ulid_move$;
$template$), done, (SELECT array_agg(trim(m[1])) FROM regexp_matches(tables, '((?:[^",]|"(?:[^"]|"")*")+)', 'g') m), first, work)
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
        DELETE FROM %1$s.ulid_move_progress WHERE to_regclass(%3$L || quote_ident((parse_ident(table_name))[2])) IS NULL;
        DELETE FROM %1$s.ulid_move_left WHERE to_regclass(%3$L || quote_ident((parse_ident(table_name))[2])) IS NULL;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace(%4$L) AND relkind IN ('r', 'p') AND relname NOT IN ('ulid_move_progress', 'ulid_move_left')) THEN
        DROP TABLE IF EXISTS %1$s.ulid_move_progress, %1$s.ulid_move_left;
        DROP SCHEMA IF EXISTS %1$s;
    END IF;
END $ulid_move_clear$;
$template$), schema, schema || '.ulid_move_progress', schema || '.', schema)
$f$;

-- The script for the tables that are copied.
CREATE FUNCTION pg_temp.copy_script() RETURNS SETOF text LANGUAGE plpgsql AS $f$
DECLARE
    setting record; o record; down record; done text; body text := ''; late text := ''; tables text; columns text; schemas text;
    version integer := current_setting('server_version_num');
    foreign_keys oid[]; functions oid[]; policies oid[]; rules oid[];
BEGIN
    IF NOT EXISTS (SELECT FROM copied) THEN
        RETURN;
    END IF;
    SELECT * INTO setting FROM ulid_move_setting;
    SELECT string_agg(format('(%L, %s, %L, %L)', home, CASE WHEN x.name LIKE '"%' THEN quote_literal(replace(substr(x.name, 2, length(x.name) - 2), '""', '"')) ELSE quote_literal(x.name) END,
        regexp_replace(source, ' COLLATE .*', ''), regexp_replace(target, ' COLLATE .*', '')), ', ' ORDER BY home, att) INTO columns FROM copied_column x JOIN copied USING (rel) WHERE moves;
    done := format('NOT EXISTS (SELECT FROM pg_attribute JOIN (VALUES %s) v (rel, att, source, target) ON attrelid = to_regclass(rel) AND attname = att WHERE atttypid <> target::regtype)', columns);
    SELECT array_agg(c.oid ORDER BY conrelid::regclass::text, conname) INTO foreign_keys FROM pg_constraint c
        WHERE contype = 'f' AND conparentid = 0 AND (conrelid IN (SELECT rel FROM copied) OR confrelid IN (SELECT rel FROM copied));
    SELECT array_agg(DISTINCT objid) INTO functions FROM pg_depend WHERE classid = 'pg_proc'::regclass AND refclassid = 'pg_class'::regclass
        AND (refobjid IN (SELECT rel FROM copied) OR refobjid IN (SELECT view FROM copied_view));
    SELECT array_agg(DISTINCT p.oid) INTO policies FROM pg_policy p WHERE polrelid IN (SELECT rel FROM copied)
        OR EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_policy'::regclass AND objid = p.oid AND refclassid = 'pg_class'::regclass
            AND (refobjid IN (SELECT rel FROM copied) OR refobjid IN (SELECT view FROM copied_view)));
    SELECT array_agg(DISTINCT w.oid) INTO rules FROM pg_rewrite w WHERE rulename <> '_RETURN' AND ev_class NOT IN (SELECT view FROM copied_view)
        AND (ev_class IN (SELECT rel FROM copied) OR EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_rewrite'::regclass AND objid = w.oid AND refclassid = 'pg_class'::regclass
            AND (refobjid IN (SELECT rel FROM copied) OR refobjid IN (SELECT view FROM copied_view))));
    SELECT string_agg(DISTINCT work_schema, ', ') INTO schemas FROM copied;

    RETURN NEXT format('-- Moves to %s by copying the tables, while the application writes:', setting.target);
    FOR o IN SELECT format('--   %s.%s', home, x.name) AS line FROM copied_column x JOIN copied USING (rel) WHERE moves ORDER BY home, att LOOP
        RETURN NEXT pg_temp.line(o.line);
    END LOOP;
    RETURN NEXT '-- For psql. It stops at an error, and goes on from there when it is run again.';
    RETURN NEXT '-- It reads settings, as in PGOPTIONS=''-c ulid_move.batch_rows=500 -c ulid_move.batch_pause=100ms'' psql ...';
    FOR o IN SELECT text FROM note ORDER BY n LOOP
        RETURN NEXT pg_temp.line('-- Note: ' || o.text || '.');
    END LOOP;
    RETURN NEXT pg_temp.settings();
    RETURN NEXT rtrim(regexp_replace(pg_get_functiondef('pg_temp.ulid_move_plain'::regproc), 'pg_temp_\d+\.', 'pg_temp.'), E'\n') || ';';
    RETURN NEXT E'\n\\echo Looking whether all is as it was when this was written';
    RETURN NEXT format(pg_temp.tagged($s$CREATE OR REPLACE FUNCTION pg_temp.ulid_move_look() RETURNS void LANGUAGE plpgsql AS $ulid_move$
DECLARE what text;
BEGIN
    SELECT string_agg(format('%%s.%%I is of type %%s', rel, att, COALESCE(format_type(atttypid, atttypmod), 'none: it is not there')), E'\n') INTO what
    FROM (VALUES %1$s) v (rel, att, source, target) LEFT JOIN pg_attribute ON attrelid = to_regclass(rel) AND attname = att AND NOT attisdropped
    WHERE atttypid IS NULL OR atttypid NOT IN (source::regtype, target::regtype);
    what := concat_ws(E'\n', what, (SELECT string_agg(format('%%s.%%I is of type %%s, and was of type %%s', rel, att, format_type(atttypid, atttypmod), type), E'\n')
        FROM (VALUES %8$s) v (rel, att, type) JOIN pg_attribute ON attrelid = to_regclass(rel) AND attname = att WHERE atttypid <> type::regtype));
    what := NULLIF(what, '');
    IF what IS NULL THEN
        SELECT string_agg(format('%%s of %%s %%s', COALESCE(is_key, was_key), t, CASE WHEN was_key IS NULL THEN 'is new' WHEN is_key IS NULL THEN 'is gone' ELSE 'was changed' END), E'\n') INTO what
        FROM (VALUES %2$s) v (name, parts), LATERAL to_regclass(name) t, LATERAL (SELECT %3$s AS now) x,
            LATERAL (SELECT n.key AS is_key, w.key AS was_key FROM jsonb_each_text(x.now) n FULL JOIN jsonb_each_text(parts::jsonb) w ON n.key = w.key WHERE n.value IS DISTINCT FROM w.value) d;
    END IF;
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'not as it was when this was written' USING DETAIL = what, HINT = 'Write the script again. What was copied for the old one has to go: ' || %4$L;
    END IF;
    SELECT string_agg(format('%%s is owned by %%s', t, pg_get_userbyid(relowner)), E'\n') INTO what
    FROM (VALUES %2$s) v (name, parts), LATERAL to_regclass(name) t, pg_class WHERE oid = t AND NOT pg_has_role(relowner, 'USAGE');
    IF NOT has_database_privilege(current_database(), 'CREATE') THEN
        what := concat_ws(E'\n', what, format('no CREATE on database %%I', current_database()));
    END IF;
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'permission denied' USING ERRCODE = 'insufficient_privilege', DETAIL = what;
    END IF;
    SELECT string_agg(format('%%s is locked by the prepared transaction %%L', r.relation::regclass, gid), E'\n') INTO what
    FROM pg_locks r JOIN pg_locks t ON t.locktype = 'transactionid' AND t.pid IS NULL AND t.virtualtransaction = r.virtualtransaction
        JOIN pg_prepared_xacts ON transaction = t.transactionid
    WHERE r.pid IS NULL AND r.relation IN (SELECT to_regclass(name) FROM (VALUES %2$s) v (name, parts)) AND r.database = (SELECT oid FROM pg_database WHERE datname = current_database());
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'a prepared transaction uses the tables' USING ERRCODE = 'lock_not_available', DETAIL = what,
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
        UNION ALL SELECT format('foreign key %%I of %%s', name, rel) FROM unnest(%6$L::text[], %7$L::text[]) v (rel, name)
            WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND conname = name
                AND (conrelid = to_regclass(rel) OR conrelid IN (SELECT relid FROM pg_partition_tree(to_regclass(rel)))))
    LOOP
        RAISE WARNING '%% is gone, and is left out', what;
    END LOOP;
END $ulid_move$;
\else
DO $ulid_move$ BEGIN PERFORM pg_temp.ulid_move_look(); END $ulid_move$;
\endif$s$), columns, (SELECT string_agg(format('(%L, %L)', home, parts), ', ' ORDER BY home) FROM (SELECT home, pg_temp.copy_parts_of(rel) AS parts FROM copied) p), pg_temp.copy_parts(), format('DROP SCHEMA %s CASCADE.', schemas), done,
        (SELECT COALESCE(array_agg(conrelid::regclass::text ORDER BY oid), '{}') FROM pg_constraint WHERE oid = ANY (foreign_keys)),
        (SELECT COALESCE(array_agg(conname::text ORDER BY oid), '{}') FROM pg_constraint WHERE oid = ANY (foreign_keys)),
        (SELECT COALESCE(string_agg(format('(%L, %L, %L)', home, attname, regexp_replace(type, ' COLLATE .*', '')), ', ' ORDER BY home, x.att), '(NULL, NULL, NULL)')
            FROM copied_column x JOIN copied USING (rel) JOIN pg_attribute ON attrelid = rel AND attnum = x.att WHERE NOT moves));

    -- 1
    RETURN NEXT E'\n-- 1. Copies without rows, of the new type.';
    FOR o IN SELECT c.*, pg_temp.qualified(rel, pg_temp.name_with('', relname, '_ulid_move')) AS index, pg_temp.name_with('', relname, '_ulid_move') AS index_name
        FROM copied c JOIN pg_class i ON i.oid = rel
        WHERE c.relkind = 'r' AND setting.target <> 'uuid' AND EXISTS (SELECT FROM copied_column x WHERE x.rel = c.root AND x.name = ANY (key) AND x.moves AND x.type <> 'pg_catalog.uuid')
        ORDER BY c.home
    LOOP
        late := late || format(E'DROP INDEX IF EXISTS %s;\n', o.index);
        CONTINUE WHEN setting.target <> 'ulid';
        RETURN NEXT pg_temp.line(format('\echo Building %s, in which no two keys are the same as ulid', o.index)) || E'\n\\if :done\n\\else';
        RETURN NEXT pg_temp.build_index(o.index, NULL, NULL, NULL, format(E'CREATE UNIQUE INDEX CONCURRENTLY %I ON %s (%s);\n', o.index_name, o.home,
            pg_temp.copy_key_list(o.root, '(%8$s)', ', ')), '') || '\endif';
    END LOOP;
    RETURN NEXT (SELECT pg_temp.line(format('\echo Making the schemas %s', schemas)) || E'\n' || pg_temp.copy_once(done, string_agg(DISTINCT format(
        E'CREATE SCHEMA IF NOT EXISTS %s;\nGRANT ALL ON SCHEMA %1$s TO %I;\nCREATE SCHEMA IF NOT EXISTS %s;\nGRANT ALL ON SCHEMA %3$s TO %2$I;\n'
        'CREATE TABLE IF NOT EXISTS %1$s.ulid_move_progress (table_name text PRIMARY KEY, low text[], copied bigint NOT NULL, ended xid8);\n'
        'CREATE TABLE IF NOT EXISTS %1$s.ulid_move_left (table_name text, low text[], high text[]);\n',
        work_schema, pg_get_userbyid(relowner), gone_schema), '')) FROM copied JOIN pg_class ON oid = rel);
    FOR o IN SELECT * FROM copied WHERE rel = root ORDER BY home LOOP
        SELECT string_agg(pg_temp.copy_create(rel), '' ORDER BY level, home) || pg_temp.copy_sync(o.root)
            || string_agg(CASE WHEN relkind = 'r' THEN pg_temp.copy_batch(rel) || format(E'INSERT INTO %s.ulid_move_progress VALUES (%L, NULL, 0, NULL);\n', work_schema, home) ELSE '' END, '' ORDER BY level, home)
            INTO body FROM copied WHERE root = o.root;
        RETURN NEXT pg_temp.line(format('\echo Making %s', o.work)) || E'\n' || pg_temp.copy_once(format('%s OR to_regclass(%L) IS NOT NULL', done, o.work),
            format(pg_temp.tagged(E'DO $ulid_move_gone$ BEGIN IF to_regclass(%1$L) IS NOT NULL THEN RAISE EXCEPTION ''%%'', %2$L USING HINT = %3$L; END IF; END $ulid_move_gone$;\n'), o.gone,
                format('%s is there, from an earlier move', o.gone), format('Drop it, when you are sure of that: DROP SCHEMA %s CASCADE.', o.gone_schema)) || body);
    END LOOP;

    -- 2
    RETURN NEXT '-- 2. From here on every statement of a client writes to both.';
    FOR o IN SELECT * FROM copied WHERE rel = root ORDER BY home LOOP
        SELECT string_agg(format(E'CREATE TRIGGER ulid_move_insert AFTER INSERT ON %1$s REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION %2$s();\n'
                'CREATE TRIGGER ulid_move_update AFTER UPDATE ON %1$s REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION %2$s();\n'
                'CREATE TRIGGER ulid_move_delete AFTER DELETE ON %1$s REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION %2$s();\n'
                'CREATE TRIGGER ulid_move_truncate AFTER TRUNCATE ON %1$s FOR EACH STATEMENT EXECUTE FUNCTION %2$s(%3$L);\n'
                'ALTER TABLE %1$s ENABLE ALWAYS TRIGGER ulid_move_insert, ENABLE ALWAYS TRIGGER ulid_move_update, ENABLE ALWAYS TRIGGER ulid_move_delete, ENABLE ALWAYS TRIGGER ulid_move_truncate;\n',
                home, o.work, CASE WHEN rel = root THEN 'all' ELSE 'part' END), '' ORDER BY level DESC, home) INTO body FROM copied WHERE root = o.root;
        RETURN NEXT pg_temp.line(format('\echo Keeping %s in step', o.work));
        RETURN NEXT pg_temp.copy_transaction(format('%s OR EXISTS (SELECT FROM pg_trigger WHERE tgrelid = to_regclass(%L) AND tgname = ''ulid_move_insert'')', done, o.home), o.home, '', body);
    END LOOP;

    -- 3
    RETURN NEXT '-- 3. The rows from before, in batches, each a transaction.';
    RETURN NEXT 'SET synchronous_commit = off;';
    FOR o IN SELECT c.* FROM copied c WHERE relkind = 'r' ORDER BY home LOOP
        RETURN NEXT pg_temp.line(format('\echo Copying %s', o.home));
        RETURN NEXT pg_temp.copy_rows(o.rel, done);
    END LOOP;
    RETURN NEXT 'RESET synchronous_commit;';

    -- 4
    RETURN NEXT E'\n-- 4. The other indexes, and statistics, while the application writes.\n\\if :done\n\\else';
    FOR o IN SELECT c.*, indexrelid, format('%s.%I', work_schema, i.relname) AS index FROM copied c JOIN pg_index ON indrelid = rel JOIN pg_class i ON i.oid = indexrelid
        WHERE indisvalid AND pg_temp.copy_late(indexrelid) ORDER BY pg_relation_size(indexrelid), 1
    LOOP
        RETURN NEXT pg_temp.line(format('\echo Building %s', o.index));
        RETURN NEXT pg_temp.build_index(o.index, NULL, NULL, NULL, regexp_replace(pg_temp.copy_index(o.indexrelid, o.work), '^CREATE INDEX ', 'CREATE INDEX CONCURRENTLY '),
            pg_temp.copy_index_properties(o.indexrelid, o.work_schema, o.work));
    END LOOP;
    FOR o IN SELECT c.work FROM copied c WHERE rel = root ORDER BY c.work LOOP
        RETURN NEXT pg_temp.line(format('\echo Analyzing %s', o.work)) || format(E'\nANALYZE %s;', o.work);
    END LOOP;
    FOR o IN SELECT c.*, pg_temp.copy_key_list(rel, 'n.%1$s %5$s %7$s', ' AND ') AS same FROM copied c WHERE rel = root ORDER BY home LOOP
        RETURN NEXT pg_temp.line(format('\echo Comparing %s with %s', o.home, o.work));
        RETURN NEXT format(pg_temp.tagged($s$DO $ulid_move$
DECLARE old_rows bigint; new_rows bigint; missing bigint;
BEGIN
    SELECT (SELECT count(*) FROM %1$s), (SELECT count(*) FROM %2$s), (SELECT count(*) FROM %1$s o WHERE NOT EXISTS (SELECT FROM %2$s n WHERE %3$s)) INTO old_rows, new_rows, missing;
    IF missing > 0 OR old_rows <> new_rows THEN
        RAISE EXCEPTION '%% has %% rows, and its copy %% and misses %%', %5$L, old_rows, new_rows, missing
            USING HINT = 'It was written with its triggers off, or its keys are not distinct as ulid. Begin anew: ' || %6$L;
    END IF;
END $ulid_move$;$s$), o.home, o.work, o.same, NULL, o.home, format('DROP SCHEMA %s CASCADE.', schemas));
    END LOOP;
    RETURN NEXT E'\\echo Waiting for the transactions that began before the last row was copied';
    RETURN NEXT format($s$DO $ulid_move$
DECLARE who text; said text := '';
BEGIN
    LOOP
        SELECT string_agg('process ' || pid, ', ' ORDER BY pid) INTO who FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
            -- who is no superuser is not told of another's
            AND (backend_type = 'client backend' OR backend_type IS NULL AND usesysid IS NOT NULL)
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
\endif$s$, (SELECT string_agg(DISTINCT format('SELECT ended FROM %s.ulid_move_progress', work_schema), ' UNION ALL ') FROM copied));

    -- 5
    RETURN NEXT E'\n-- 5. The switch: in one transaction that reads no row, the tables change places.';
    RETURN NEXT format('\echo Changing the type to %s', setting.target);
    SELECT * INTO down FROM pg_temp.taken_down(functions, (SELECT array_agg(view ORDER BY level DESC, view) FROM copied_view), policies, rules);
    body := down.rest;
    FOR o IN SELECT pubname, prrelid FROM pg_publication_rel p JOIN pg_publication b ON b.oid = prpubid WHERE prrelid IN (SELECT rel FROM copied) LOOP
        body := body || format(E'ALTER PUBLICATION %I DROP TABLE %s;\n', o.pubname, o.prrelid::regclass);
    END LOOP;
    FOR o IN SELECT conrelid, conname FROM pg_constraint WHERE oid = ANY (foreign_keys) ORDER BY 1, 2 LOOP
        body := body || format(E'ALTER TABLE %s DROP CONSTRAINT %I;\n', o.conrelid::regclass, o.conname);
    END LOOP;
    FOR o IN SELECT format('%I.%I', nspname, stxname) AS name FROM pg_statistic_ext x JOIN pg_namespace n ON n.oid = stxnamespace WHERE stxrelid IN (SELECT rel FROM copied) LOOP
        body := body || format(E'DROP STATISTICS %s;\n', o.name);
    END LOOP;
    SELECT concat(body, string_agg(format(E'DROP FUNCTION %s() CASCADE;\n', c.work), '')) INTO body FROM copied c WHERE rel = root;
    SELECT concat(body, string_agg(format(E'DROP FUNCTION %1$s(text[], text[], integer);\nDROP FUNCTION %1$s(text[], text[]);\n', c.work), '')) INTO body FROM copied c WHERE relkind = 'r';
    FOR o IN SELECT d.objid::regclass AS sequence FROM copied JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = rel AND d.deptype = 'a'
        JOIN pg_class q ON q.oid = d.objid AND q.relkind = 'S' WHERE d.classid = 'pg_class'::regclass
    LOOP
        body := body || format(E'ALTER SEQUENCE %s OWNED BY NONE;\n', o.sequence);
    END LOOP;
    SELECT concat(body, string_agg(format(E'ALTER TABLE %s SET SCHEMA %s;\nALTER TABLE %s SET SCHEMA %s;\n', home, gone_schema, c.work, schema), '' ORDER BY level, home)) INTO body FROM copied c;
    FOR o IN SELECT d.objid::regclass AS sequence, q.relname, deptype, c.*, x.name AS att FROM copied c JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = c.rel AND d.deptype IN ('a', 'i')
        JOIN pg_class q ON q.oid = d.objid AND q.relkind = 'S' JOIN copied_column x ON x.rel = c.rel AND x.att = d.refobjsubid WHERE d.classid = 'pg_class'::regclass
    LOOP
        body := body || CASE o.deptype WHEN 'a' THEN format(E'ALTER SEQUENCE %s OWNED BY %s.%s;\n', o.sequence, o.home, o.att)
            ELSE format(E'SELECT setval(%L, last_value, is_called) FROM %s.%I;\n', o.sequence, o.gone_schema, o.relname) END;
    END LOOP;
    FOR o IN SELECT c.*, x.home FROM pg_constraint c JOIN copied x ON conrelid = rel WHERE contype IN ('c', 'n') AND NOT convalidated ORDER BY conrelid, conname LOOP
        body := concat(body, CASE o.contype WHEN 'c' THEN format(E'ALTER TABLE %s ADD %s NOT VALID;\n', o.home, pg_temp.copy_check(o.oid))
            ELSE format(E'ALTER TABLE %s ADD CONSTRAINT %I NOT NULL %s NOT VALID;\n', o.home, o.conname, pg_temp.column_name(o.conrelid, o.conkey[1])) END,
            pg_temp.comment('pg_constraint', o.oid, 0, format('CONSTRAINT %I ON %s', o.conname, o.home)));
    END LOOP;
    -- a foreign key from a partitioned table begins as one of each partition: only such can be NOT VALID before PostgreSQL 18
    FOR o IN SELECT c.*, relkind FROM pg_constraint c JOIN pg_class r ON r.oid = conrelid WHERE c.oid = ANY (foreign_keys) ORDER BY conrelid::regclass::text, conname LOOP
        IF o.relkind = 'p' AND version < 180000 THEN
            SELECT concat(body, string_agg(format(E'ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID;\n', relid, o.conname, pg_get_constraintdef(o.oid)), '')) INTO body
                FROM pg_partition_tree(o.conrelid) WHERE isleaf;
        ELSE
            body := concat(body, format(E'ALTER TABLE %s ADD CONSTRAINT %I %s%s;\n', o.conrelid::regclass, o.conname, pg_get_constraintdef(o.oid), CASE WHEN o.convalidated THEN ' NOT VALID' END),
                pg_temp.comment('pg_constraint', o.oid, 0, format('CONSTRAINT %I ON %s', o.conname, o.conrelid::regclass)));
        END IF;
    END LOOP;
    FOR o IN SELECT x.oid, format('%I.%I', nspname, stxname) AS name, stxstattarget, stxowner FROM pg_statistic_ext x JOIN pg_namespace n ON n.oid = stxnamespace WHERE stxrelid IN (SELECT rel FROM copied) LOOP
        body := concat(body, pg_get_statisticsobjdef(o.oid), E';\n', format(E'ALTER STATISTICS %s OWNER TO %I;\n', o.name, pg_get_userbyid(o.stxowner)),
            CASE WHEN o.stxstattarget >= 0 THEN format(E'ALTER STATISTICS %s SET STATISTICS %s;\n', o.name, o.stxstattarget) END,
            pg_temp.comment('pg_statistic_ext', o.oid, 0, 'STATISTICS ' || o.name));
    END LOOP;
    FOR o IN SELECT view FROM copied_view ORDER BY level, view LOOP
        body := body || pg_temp.view_definition(o.view);
    END LOOP;
    FOR o IN SELECT oid, pg_get_functiondef(p.oid) AS definition FROM pg_proc p WHERE p.oid = ANY (functions) AND prosqlbody IS NOT NULL LOOP
        body := concat(body, rtrim(o.definition, E'\n'), E';\n', pg_temp.goes_with('pg_proc', o.oid, 'ROUTINE ' || o.oid::regprocedure));
    END LOOP;
    SELECT concat(body, string_agg(pg_temp.refresh(view), '' ORDER BY level, view)) INTO body FROM copied_view;
    SELECT concat(body, string_agg(pg_temp.rule_definition(oid), '' ORDER BY ev_class, rulename)) INTO body FROM pg_rewrite WHERE oid = ANY (rules);
    SELECT concat(body, string_agg(pg_temp.trigger_definition(oid), '' ORDER BY tgrelid, tgname)) INTO body FROM pg_trigger
        WHERE tgparentid = 0 AND NOT tgisinternal AND tgname NOT LIKE 'ulid\_move\_%' AND tgrelid IN (SELECT rel FROM copied);
    SELECT concat(body, string_agg(pg_temp.copy_policy(oid), '' ORDER BY polrelid, polname)) INTO body FROM pg_policy WHERE oid = ANY (policies);
    FOR o IN SELECT pubname, prrelid, pg_get_expr(prqual, prrelid) AS filter,
            (SELECT string_agg(pg_temp.column_name(prrelid, c), ', ' ORDER BY n) FROM unnest(prattrs) WITH ORDINALITY u (c, n)) AS columns
        FROM pg_publication_rel p JOIN pg_publication b ON b.oid = prpubid WHERE prrelid IN (SELECT rel FROM copied)
    LOOP
        body := body || concat(format('ALTER PUBLICATION %I ADD TABLE %s', o.pubname, o.prrelid::regclass), ' (' || o.columns || ')', ' WHERE (' || o.filter || ')', E';\n');
    END LOOP;
    SELECT string_agg(DISTINCT t::regclass::text, ', ') INTO tables FROM (
        SELECT rel FROM copied WHERE rel = root
        UNION SELECT COALESCE(pg_partition_root(conrelid), conrelid) FROM pg_constraint WHERE oid = ANY (foreign_keys)
        UNION SELECT COALESCE(pg_partition_root(confrelid), confrelid) FROM pg_constraint WHERE oid = ANY (foreign_keys)
        UNION SELECT polrelid FROM pg_policy WHERE oid = ANY (policies)
        UNION SELECT ev_class FROM pg_rewrite WHERE oid = ANY (rules)) x (t);
    RETURN NEXT pg_temp.copy_transaction(done, tables, E'SELECT pg_temp.ulid_move_look();\n' || down.first, body);

    -- 6
    RETURN NEXT '-- 6. What is left of the move goes, and the old tables.';
    SELECT string_agg(home, ', ' ORDER BY home) INTO tables FROM copied WHERE rel = root;
    RETURN NEXT (SELECT pg_temp.copy_transaction(string_agg(format('to_regprocedure(%L) IS NULL', c.work || '()'), ' AND '), tables, '',
        string_agg(format(E'DROP FUNCTION IF EXISTS %s() CASCADE;\n', c.work), '' ORDER BY c.work) || late) FROM copied c WHERE rel = root);
    RETURN NEXT (SELECT pg_temp.copy_once('false', string_agg(format(E'DROP TABLE IF EXISTS %1$s CASCADE;\nDROP FUNCTION IF EXISTS %1$s(text[], text[], integer);\n'
                'DROP FUNCTION IF EXISTS %1$s(text[], text[]);\n', c.work), '' ORDER BY c.work)
            || string_agg(DISTINCT pg_temp.copy_clear(work_schema), '')) FROM copied c);
    RETURN NEXT (SELECT E'\\if :{?ulid_move_keep}\n\\echo Keeping the old tables\n\\else\n\\echo Dropping the old tables\n'
        || pg_temp.copy_once('false', (SELECT string_agg(format(E'DROP TABLE IF EXISTS %s;\n', c.gone), '' ORDER BY c.gone) FROM copied c WHERE rel = root)
        || string_agg(DISTINCT pg_temp.copy_clear(gone_schema), '')) || '\endif' FROM copied);

    -- 7
    RETURN NEXT E'\n-- 7. Foreign keys, for the rows from before, while the application writes.';
    FOR o IN SELECT DISTINCT stxrelid::regclass AS rel FROM pg_statistic_ext WHERE stxrelid IN (SELECT rel FROM copied) LOOP
        RETURN NEXT pg_temp.line(format('\echo Analyzing %s', o.rel)) || format(E'\nSELECT %L WHERE to_regclass(%L) IS NOT NULL \\gexec', 'ANALYZE ' || o.rel, o.rel);
    END LOOP;
    FOR o IN SELECT conname, rel FROM pg_constraint c JOIN pg_class r ON r.oid = conrelid, LATERAL (
            SELECT conrelid WHERE relkind = 'r' OR version >= 180000 UNION ALL SELECT relid FROM pg_partition_tree(conrelid) WHERE isleaf AND relkind = 'p' AND version < 180000) x (rel)
        WHERE c.oid = ANY (foreign_keys) AND convalidated ORDER BY rel::regclass::text, conname
    LOOP
        RETURN NEXT pg_temp.line(format('\echo Validating %I of %s', o.conname, o.rel::regclass)) || format(E'\nSELECT count(*) > 0 AS todo FROM pg_constraint WHERE conrelid = to_regclass(%2$L) AND conname = %3$L AND NOT convalidated \\gset\n'
            '\\if :todo\nALTER TABLE %2$s VALIDATE CONSTRAINT %1$I;\n\\endif', o.conname, o.rel::regclass, o.conname);
    END LOOP;
    FOR o IN SELECT conrelid::regclass AS rel, confrelid::regclass AS target, conname, c.oid FROM pg_constraint c JOIN pg_class r ON r.oid = conrelid
        WHERE c.oid = ANY (foreign_keys) AND relkind = 'p' AND version < 180000 ORDER BY conrelid::regclass::text, conname
    LOOP
        RETURN NEXT pg_temp.line(format('\echo Attaching %I of %s', o.conname, o.rel));
        RETURN NEXT pg_temp.copy_transaction(format('to_regclass(%1$L) IS NULL OR EXISTS (SELECT FROM pg_constraint WHERE conrelid = to_regclass(%1$L) AND conname = %2$L)'
                -- it is gone
                ' OR (SELECT count(relid) > 0 AND count(conname) = 0 FROM pg_partition_tree(to_regclass(%1$L)) LEFT JOIN pg_constraint ON conrelid = relid AND conname = %2$L WHERE isleaf)', o.rel, o.conname), concat_ws(', ', o.rel, CASE WHEN o.target <> o.rel THEN o.target END), '',
            concat(format(E'ALTER TABLE %s ADD CONSTRAINT %I %s;\n', o.rel, o.conname, pg_get_constraintdef(o.oid)),
                pg_temp.comment('pg_constraint', o.oid, 0, format('CONSTRAINT %I ON %s', o.conname, o.rel))));
    END LOOP;
END $f$;

CREATE FUNCTION pg_temp.copy_parts_of(of regclass) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE parts text;
BEGIN
    EXECUTE 'SELECT ' || pg_temp.copy_parts() || '::text FROM (SELECT $1 AS t) x' INTO parts USING of;
    RETURN parts;
END $$;

CREATE FUNCTION pg_temp.copy_policy(policy oid) RETURNS text LANGUAGE sql AS $$
    SELECT pg_temp.policy_with(policy, pg_temp.copy_expression(polqual, polrelid, format('policy %I', polname)),
        pg_temp.copy_expression(polwithcheck, polrelid, format('policy %I', polname)))
    FROM pg_policy WHERE oid = policy
$$;

-- The rows of one table, in batches. A range of which a client held a row is looked at again.
CREATE FUNCTION pg_temp.copy_rows(of oid, done text) RETURNS text LANGUAGE sql STABLE AS $f$
    SELECT format(pg_temp.tagged($template$DO $ulid_move$
DECLARE
    at_most integer := COALESCE(NULLIF(current_setting('ulid_move.batch_rows', true), ''), '1000');
    pause interval := COALESCE(NULLIF(current_setting('ulid_move.batch_pause', true), ''), '0');
    about bigint := (SELECT GREATEST(reltuples, 1) FROM pg_class WHERE oid = to_regclass(%1$L));
    begins text[]; ends text[]; so_far bigint; seen bigint; locked bigint; reported timestamptz := clock_timestamp(); failures integer := 0;
BEGIN
    IF %2$s THEN
        RETURN;
    END IF;
    SELECT low, copied INTO begins, so_far FROM %3$s.ulid_move_progress WHERE table_name = %1$L AND ended IS NULL;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    LOOP
        PERFORM set_config('lock_timeout', '200ms', true);
        BEGIN
            SELECT * FROM %4$s(begins, NULL, at_most) INTO ends, seen, locked;
            failures := 0;
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
            failures := failures + 1;
            IF failures >= 200 THEN
                RAISE;
            END IF;
            PERFORM pg_sleep(0.1);
            CONTINUE;
        END;
        EXIT WHEN ends IS NULL;
        IF seen > locked THEN
            INSERT INTO %3$s.ulid_move_left VALUES (%1$L, begins, ends);
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
    LOOP
        SELECT low, high INTO begins, ends FROM %3$s.ulid_move_left WHERE table_name = %1$L LIMIT 1;
        EXIT WHEN NOT FOUND;
        PERFORM set_config('lock_timeout', '200ms', true);
        BEGIN
            PERFORM %4$s(begins, ends, 0);
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
            NULL;
        END;
        COMMIT;
        seen := %4$s(begins, ends);
        IF seen = 0 THEN
            DELETE FROM %3$s.ulid_move_left WHERE table_name = %1$L AND low IS NOT DISTINCT FROM begins AND high = ends;
            COMMIT;
        ELSE
            COMMIT;
            IF clock_timestamp() > reported + interval '10 s' THEN
                RAISE INFO '%%: waiting for %% rows that clients have locked', %1$L, seen;
                reported := clock_timestamp();
            END IF;
            PERFORM pg_sleep(0.05);
        END IF;
    END LOOP;
    UPDATE %3$s.ulid_move_progress SET ended = pg_current_xact_id() WHERE table_name = %1$L;
    COMMIT;
END $ulid_move$;$template$), home, done, work_schema, work) FROM copied WHERE rel = of
$f$;

-- A type of text to move to, as -v to=... names it.
CREATE FUNCTION pg_temp.copy_to_text(type text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE a record;
BEGIN
    BEGIN
        EXECUTE format('CREATE TEMP TABLE ulid_move_to (c %s) ON COMMIT DROP', type);
    EXCEPTION WHEN OTHERS THEN
        RAISE EXCEPTION 'to must be ulid, uuid, text, varchar(26) or char(26), not %', type;
    END;
    SELECT atttypid, atttypmod, pg_temp.type_name(atttypid, atttypmod, attcollation) AS name INTO a FROM pg_attribute WHERE attrelid = 'pg_temp.ulid_move_to'::regclass AND attnum = 1;
    IF NOT pg_temp.is_text(a.atttypid) OR a.atttypmod BETWEEN 0 AND 29 THEN
        RAISE EXCEPTION 'to must be ulid, uuid, text, varchar(26) or char(26), not %', type;
    END IF;
    UPDATE ulid_move_setting SET target = 'text', text_type = a.name WHERE true;
END $$;
