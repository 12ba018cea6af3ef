-- What is known of the columns that move and of what depends on them.

-- A relation by the parts of its name. Without a schema it is one of the extension's.
CREATE FUNCTION pg_temp.relation_named(parts text[]) RETURNS oid LANGUAGE sql STABLE AS $$
    SELECT to_regclass(CASE WHEN cardinality(parts) = 1 THEN schema || '.' ELSE '' END
        || (SELECT string_agg(quote_ident(p), '.' ORDER BY n) FROM unnest(parts) WITH ORDINALITY u (p, n)))::oid
    FROM ulid_move_setting
$$;

CREATE FUNCTION pg_temp.column_name(rel oid, att int2) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT quote_ident(attname) FROM pg_catalog.pg_attribute WHERE attrelid = rel AND attnum = att
$$;

CREATE FUNCTION pg_temp.qualified(rel oid, name text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format('%I.%I', nspname, name) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
        WHERE c.oid = rel
$$;

CREATE FUNCTION pg_temp.type_name(type oid, typmod integer, coll oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat(format_type(type, typmod), (SELECT format(' COLLATE %I.%I', nspname, collname)
        FROM pg_collation c JOIN pg_namespace n ON n.oid = collnamespace
        WHERE c.oid = coll AND coll <> (SELECT typcollation FROM pg_type t WHERE t.oid = type)))
$$;

-- What is set on a column beyond what its type brings, for ALTER COLUMN ... SET. Of the options only those that a
-- definition can set: any other is the server's own stamp on the columns of a new table, as 15.20 of Debian has it, and
-- differs from one table to the next.
CREATE FUNCTION pg_temp.column_settings(rel oid, att int2) RETURNS SETOF text LANGUAGE sql STABLE AS $$
    SELECT setting FROM pg_attribute JOIN pg_type t ON t.oid = atttypid, LATERAL (VALUES
        ('STATISTICS ' || CASE WHEN attstattarget >= 0 THEN attstattarget END),
        ('(' || (SELECT string_agg(o, ', ' ORDER BY o) FROM unnest(attoptions) o WHERE o LIKE 'n\_distinct%') || ')'),
        ('STORAGE ' || CASE NULLIF(attstorage, typstorage) WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL'
            WHEN 'm' THEN 'MAIN' WHEN 'x' THEN 'EXTENDED' END),
        ('COMPRESSION ' || CASE attcompression WHEN 'p' THEN 'pglz' WHEN 'l' THEN 'lz4' END)) s (setting)
    WHERE attrelid = rel AND attnum = att AND setting IS NOT NULL
$$;

-- A name with something before or after it, not longer than names can be.
CREATE FUNCTION pg_temp.name_with(prefix text, name text, suffix text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT prefix || CASE WHEN octet_length(prefix || name || suffix) > 63 THEN md5(name)
        ELSE name END || suffix
$$;

CREATE FUNCTION pg_temp.is_text(type oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT type IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype)
$$;

-- The tables of a bundle, as it is named: partitions are their table's.
CREATE FUNCTION pg_temp.tables_of_bundle(which integer) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT string_agg(DISTINCT named::regclass::text, ', ' ORDER BY named::regclass::text)
    FROM all_moved, COALESCE(pg_partition_root(rel), rel) named WHERE bundle = which
$$;

-- What depends on one of the moved columns: the objects of a catalog.
CREATE FUNCTION pg_temp.dependents(class regclass) RETURNS SETOF oid LANGUAGE sql STABLE AS $$
    SELECT DISTINCT objid FROM pg_depend JOIN moved ON refobjid = rel AND refobjsubid = att
    WHERE classid = class AND refclassid = 'pg_class'::regclass
    UNION SELECT objid FROM pg_depend JOIN moved ON refobjid = rel JOIN of_rows USING (classid, objid)
    WHERE classid = class AND refclassid = 'pg_class'::regclass
$$;

-- Whether an index was made by the script of a move.
CREATE FUNCTION pg_temp.is_bridge(index oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT relname ~ '_ulid_move$' AND EXISTS (SELECT FROM pg_opclass, ulid_move_setting
        WHERE opcname = 'ulid_uuid_ops' AND opcnamespace = namespace AND pg_opclass.oid = ANY (indclass))
    FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid WHERE pg_class.oid = index
$$;

-- The same column of a parent and of a child, either way.
CREATE TEMP VIEW relative (rel, att, other, other_att) AS
    SELECT a.attrelid, a.attnum, b.attrelid, b.attnum
    FROM (SELECT inhrelid, inhparent FROM pg_inherits UNION ALL SELECT inhparent, inhrelid FROM pg_inherits) i (one, other)
        JOIN pg_attribute a ON a.attrelid = one
        JOIN pg_attribute b ON b.attrelid = other AND b.attname = a.attname AND NOT b.attisdropped;

-- The columns of primary keys, of those too that a switch has dropped and that are built again.
CREATE TEMP VIEW key_column AS
    SELECT conrelid AS rel, unnest(conkey) AS att FROM pg_constraint WHERE contype = 'p'
    UNION SELECT indrelid, unnest(indkey) FROM pg_temp.ulid_move_stand_ins() JOIN pg_index ON indexrelid = stand_in
        WHERE what ->> 'key' = 'PRIMARY KEY';

-- Whether a foreign key of it cannot be NOT VALID: of a partitioned table, before PostgreSQL 18.
CREATE FUNCTION pg_temp.is_checked_at_once(rel oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT relkind = 'p' AND current_setting('server_version_num')::integer < 180000 FROM pg_class
        WHERE oid = rel
$$;

-- How a column that is generated from one that moves gets its expression back: "again", dropped and added,
-- where it is the last of its table, here and in those that inherit it; "expression", without one in between;
-- null where PostgreSQL has no way. A virtual column takes no type that is not PostgreSQL's own.
CREATE FUNCTION pg_temp.generated_way(def oid) RETURNS text LANGUAGE sql STABLE AS $$
    WITH RECURSIVE below (rel, name) AS (
        SELECT adrelid, attname FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
            WHERE pg_attrdef.oid = def
        UNION SELECT inhrelid, name FROM below JOIN pg_inherits ON inhparent = rel
    ), relative AS (
        SELECT rel, attnum AS att FROM below JOIN pg_attribute ON attrelid = rel AND attname = name
    )
    SELECT CASE WHEN attgenerated = 'v' THEN NULL
        WHEN NOT EXISTS (
                SELECT FROM relative JOIN pg_attribute l ON l.attrelid = relative.rel
                    AND l.attnum > relative.att AND NOT l.attisdropped
                    LEFT JOIN pg_attrdef ON adrelid = l.attrelid AND adnum = l.attnum
                WHERE l.attgenerated = '' OR pg_attrdef.oid NOT IN (SELECT pg_temp.dependents('pg_attrdef')))
            AND NOT EXISTS (SELECT FROM relative JOIN pg_depend x ON refclassid = 'pg_class'::regclass
                AND refobjid = relative.rel AND refobjsubid = relative.att
                WHERE classid <> 'pg_attrdef'::regclass
                    AND NOT (classid = 'pg_constraint'::regclass AND EXISTS (SELECT FROM pg_constraint c
                    WHERE c.oid = objid AND contype = 'n')))
            AND NOT EXISTS (SELECT FROM relative JOIN pg_attribute l ON l.attrelid = relative.rel
                AND l.attnum = relative.att
                WHERE attinhcount > 0
                    AND (attislocal OR attacl IS NOT NULL OR col_description(l.attrelid, attnum) IS NOT NULL))
            THEN 'again'
        WHEN current_setting('server_version_num')::integer >= 170000 AND NOT attnotnull
            AND NOT EXISTS (SELECT FROM pg_type WHERE pg_type.oid = atttypid AND typnotnull)
            AND NOT EXISTS (SELECT FROM relative JOIN pg_index ON indrelid = rel AND att = ANY (indkey)
                WHERE indnullsnotdistinct)
            AND (SELECT count(DISTINCT pg_get_expr(d.adbin, d.adrelid)) = 1 FROM relative
                JOIN pg_attrdef d ON adrelid = relative.rel AND adnum = relative.att)
            THEN 'expression' END
    FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
    WHERE pg_attrdef.oid = def
$$;

-- Whether an index that is built again by the change of type has to be dropped before it, and made after it.
CREATE FUNCTION pg_temp.is_made_again(index oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT way = 'locked' AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = m.index)
        AND (EXISTS (SELECT FROM pg_constraint c WHERE c.oid = con AND contype = 'x')
            OR target = 'uuid' AND con IS NULL AND pg_temp.compares('pg_class', m.index, false))
    FROM move_index m, ulid_move_setting WHERE m.index = is_made_again.index
$$;

-- A definition as it can be read when the columns have their new type. An operator of ulids is named with its
-- schema, where no such operator takes a uuid or a text: without it, it is the server's of that name, which
-- means the same. (The other way the server's operators remain: they take a ulid as a uuid, and an index of
-- ulids serves them.) A comparison with a time stays as it is.
CREATE FUNCTION pg_temp.as_target(definition text, class regclass, object oid) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN target <> 'ulid' AND pg_temp.compares(class, object, false) THEN
        regexp_replace(definition,
            format('OPERATOR\(%s\.([<>=]+)\)', regexp_replace(schema, '(\W)', '\\\1', 'g')),
            '\1', 'g')
        ELSE definition END
    FROM ulid_move_setting
$$;

-- Whether an object uses an operator of the extension between two ids, or, if `times`, between an id and a
-- time. Of a view its rules are meant.
CREATE FUNCTION pg_temp.compares(class regclass, object oid, times boolean) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM ulid_move_setting s
        JOIN pg_operator p ON oprnamespace = s.namespace AND oprname IN ('=', '<>', '<', '<=', '>', '>=')
        JOIN pg_depend ON refclassid = 'pg_operator'::regclass AND refobjid = p.oid
        WHERE times <> (oprleft IN (s.ulid, 'uuid'::regtype) AND oprright IN (s.ulid, 'uuid'::regtype))
            AND (classid = class AND objid = object OR class = 'pg_class'::regclass
                AND classid = 'pg_rewrite'::regclass
                AND objid IN (SELECT w.oid FROM pg_rewrite w WHERE ev_class = object)))
$$;

-- Whether an expression calls, without arguments, a function of one of these names that is the server's own, an
-- extension's or of ulid_sql.sql. What somebody else has written under such a name may do anything.
CREATE FUNCTION pg_temp.is_call_of(expression text, VARIADIC names name[]) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
        WHERE proname = ANY (names) AND pronargs = 0 AND expression = concat(
                CASE WHEN nspname <> 'pg_catalog' THEN quote_ident(nspname) || '.' END, quote_ident(proname), '()')
            AND (nspname IN ('pg_catalog', 'ulid_sql') OR EXISTS (SELECT FROM pg_depend
                WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')))
$$;

CREATE FUNCTION pg_temp.makes_ulids(expression text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT pg_temp.is_call_of(expression, 'gen_ulid', 'gen_random_ulid', 'gen_monotonic_ulid')
$$;

-- The default of a column whose type becomes another: `new_type` is ulid, uuid or text. What makes ids for
-- the old type makes them for the new one; a cast of what makes ulids is not needed any more; all else stays.
-- A random one that is no key may be a secret: it remains one that cannot be guessed from another. Where there is
-- ulid_sql.sql, the keys of a column that becomes uuid are made by its generators, so that the order goes on.
CREATE FUNCTION pg_temp.new_default(expression text, new_type text, is_key boolean) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN new_type <> 'uuid' AND (NOT is_key AND is_random OR expression = 'ulid_sql.gen_random_ulid()')
            THEN schema || '.gen_random_ulid()'
        WHEN new_type <> 'uuid' AND (is_random OR expression = 'ulid_sql.gen_ulid()'
                OR pg_temp.is_call_of(expression, 'uuidv7', 'uuid_generate_v1', 'uuid_generate_v1mc'))
            THEN schema || '.gen_ulid()'
        WHEN new_type = 'uuid' AND pg_temp.makes_ulids(expression)
            THEN CASE WHEN to_regprocedure('ulid_sql.gen_ulid()') IS NULL THEN 'pg_catalog.gen_random_uuid()'
                WHEN expression ~ 'gen_random_ulid' THEN 'ulid_sql.gen_random_ulid()' ELSE 'ulid_sql.gen_ulid()' END
        WHEN pg_temp.makes_ulids(without_cast) THEN without_cast
        ELSE expression END
    FROM ulid_move_setting,
        LATERAL pg_temp.is_call_of(expression, 'gen_random_uuid', 'uuidv4', 'uuid_generate_v4') v (is_random),
        LATERAL (SELECT (regexp_match(expression,
            '^\(*((?:(?:\w+|"[^"]+")\.)?gen_(?:random_|monotonic_)?ulid\(\))\)*::[\w .()]*$'))[1]) c (without_cast)
$$;

CREATE FUNCTION pg_temp.is_key(rel oid, att int2) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM pg_index WHERE indrelid = rel AND indisprimary AND att = ANY (indkey))
$$;

-- The default of a column, as it is or, if `after`, as it will be.
CREATE FUNCTION pg_temp.default_of(rel oid, att int2, type regtype, after boolean) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN NOT after OR atttypid = type THEN expression
        ELSE pg_temp.new_default(expression, target, pg_temp.is_key(rel, att)) END
    FROM ulid_move_setting, pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum,
        LATERAL pg_get_expr(adbin, adrelid) x (expression)
    WHERE adrelid = rel AND adnum = att
$$;
