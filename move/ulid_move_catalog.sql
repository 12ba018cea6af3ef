-- What is known of the columns that move and of what depends on them.

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

-- A name with something before or after it, not longer than names can be.
CREATE FUNCTION pg_temp.name_with(prefix text, name text, suffix text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT prefix || CASE WHEN octet_length(prefix || name || suffix) > 63 THEN md5(name)
        ELSE name END || suffix
$$;

CREATE FUNCTION pg_temp.is_text(type oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT type IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype)
$$;

-- What depends on one of the moved columns: the objects of a catalog.
CREATE FUNCTION pg_temp.dependents(class regclass) RETURNS SETOF oid LANGUAGE sql STABLE AS $$
    SELECT DISTINCT objid FROM pg_depend JOIN moved ON refobjid = rel AND refobjsubid = att
    WHERE classid = class AND refclassid = 'pg_class'::regclass
$$;

-- Whether an index was made by the script of a move.
CREATE FUNCTION pg_temp.is_bridge(index oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT relname ~ '_ulid_move$' AND EXISTS (SELECT FROM pg_opclass, ulid_move_setting
        WHERE opcname = 'ulid_uuid_ops' AND opcnamespace = namespace AND pg_opclass.oid = ANY (indclass))
    FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid WHERE pg_class.oid = index
$$;

-- Whether it is in the place of an index that the switch has dropped.
CREATE FUNCTION pg_temp.is_stand_in(index oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT obj_description(index, 'pg_class') LIKE 'In the place of %' AND pg_temp.is_bridge(index)
$$;

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
            AND (SELECT count(DISTINCT pg_get_expr(d.adbin, d.adrelid)) = 1 FROM relative
                JOIN pg_attrdef d ON adrelid = relative.rel AND adnum = relative.att)
            THEN 'expression' END
    FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
    WHERE pg_attrdef.oid = def
$$;

-- What an index is made of.
CREATE FUNCTION pg_temp.index_needs(index oid) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT json_agg(json_build_array(type, object_names, object_args) ORDER BY classid, objid, part)
    FROM (
        SELECT 'pg_class'::regclass::oid, indrelid, k::integer FROM pg_index, unnest(indkey) k
            WHERE indexrelid = index
        UNION SELECT refclassid, refobjid, refobjsubid FROM pg_depend
            WHERE classid = 'pg_class'::regclass AND objid = index AND deptype IN ('n', 'a')
            AND refclassid <> 'pg_constraint'::regclass
    ) n (classid, objid, part), pg_identify_object_as_address(classid, objid, part)
$$;

-- The default of a column, as it is or, if `after`, as it will be.
CREATE FUNCTION pg_temp.default_of(rel oid, att int2, type regtype, after boolean) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN NOT after OR atttypid = type THEN expression
        WHEN target = 'ulid' AND expression ~
            '^((\w+|"[^"]+")\.)?(gen_random_uuid|uuidv[47]|uuid_generate_v(1|1mc|4))\([^()]*\)$' THEN schema
            || '.gen_ulid()'
        -- of ulid_sql.sql: the extension's of that name
        WHEN target = 'ulid' AND expression ~ '^ulid_sql\.gen_(random_)?ulid\(\)$' THEN schema
            || substr(expression, 9)
        WHEN target = 'uuid' AND expression ~ '^((\w+|"[^"]+")\.)?gen_(random_|monotonic_)?ulid\(\)$'
            THEN 'pg_catalog.gen_random_uuid()'
        ELSE expression END
    FROM ulid_move_setting, pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum,
        LATERAL pg_get_expr(adbin, adrelid) x (expression)
    WHERE adrelid = rel AND adnum = att
$$;
