-- Whether what is dropped in the switch can be made again with the new types: tried, on tables without rows, before the
-- script is written, as the switch comes after all the preparation. `array_of_uuid @> ARRAY[id]` is one that cannot.

-- Executes a statement, and says how it failed, if it did. Nothing of it is left, unless it is to be kept.
CREATE FUNCTION pg_temp.attempt(statement text, keep boolean, OUT state text, OUT message text) LANGUAGE plpgsql AS $$
DECLARE
    hint text;
BEGIN
    EXECUTE statement;
    IF NOT keep THEN
        RAISE EXCEPTION USING ERRCODE = 'UL000';
    END IF;
EXCEPTION WHEN SQLSTATE 'UL000' THEN
    NULL;
WHEN insufficient_resources THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RAISE EXCEPTION USING ERRCODE = SQLSTATE, MESSAGE = concat_ws('. ', SQLERRM, hint);
WHEN OTHERS THEN
    state := SQLSTATE;
    message := SQLERRM;
END $$;

-- Makes or tries one definition. What cannot be made there for another reason than its types, such as a function of the
-- row type of the real table, is left to the switch.
CREATE FUNCTION pg_temp.try(class regclass, object oid, definition text, keep boolean) RETURNS void
    LANGUAGE sql AS $$
    INSERT INTO problem (text)
    SELECT format('%s cannot be made again with the new type: %s: cast what it has there, or drop it meanwhile',
        pg_describe_object(class, object, 0), message)
    FROM pg_temp.attempt(pg_temp.copy_retarget(definition), keep)
    -- undefined_function, datatype_mismatch, ambiguous_function, cannot_coerce, syntax_error
    WHERE state IN ('42883', '42804', '42725', '42846', '42601') AND message !~ 'ulid_move_typed'
$$;

-- A function as a temporary one.
CREATE FUNCTION pg_temp.function_to_try(function oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT regexp_replace(pg_temp.as_target(pg_get_functiondef(function), 'pg_proc', function),
        '^(CREATE OR REPLACE \w+ )(?:"[^"]*"|\w+)\.', '\1pg_temp.')
$$;

-- Names what tables and views are tried as, and makes the schemas for it.
CREATE FUNCTION pg_temp.begin_trial(rels oid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    o record;
BEGIN
    INSERT INTO trial SELECT c.oid, pg_temp.qualified(c.oid, relname),
        quote_ident(pg_temp.name_with('ulid_move_typed_', nspname, '')), quote_ident(relname)
        FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = ANY (rels);
    FOR o IN SELECT DISTINCT schema FROM trial LOOP
        EXECUTE 'CREATE SCHEMA IF NOT EXISTS ' || o.schema;
    END LOOP;
END $$;

-- Nothing of it is to be there when the real definitions are looked at.
CREATE FUNCTION pg_temp.end_trial() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    o record;
BEGIN
    FOR o IN SELECT relkind, t.* FROM trial t JOIN pg_class c ON c.oid = to_regclass(t.schema || '.' || t.name) LOOP
        EXECUTE format('DROP %s IF EXISTS %s.%s CASCADE', CASE o.relkind WHEN 'v' THEN 'VIEW'
            WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END,
            o.schema, o.name);
    END LOOP;
    DELETE FROM trial;
END $$;

CREATE FUNCTION pg_temp.try_definitions() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    o record;
BEGIN
    -- who may not make a schema meets it at the switch
    IF NOT has_database_privilege(current_database(), 'CREATE') THEN
        RETURN;
    END IF;
    PERFORM pg_temp.begin_trial(ARRAY(SELECT rel FROM all_moved UNION SELECT view FROM all_views));
    FOR o IN SELECT t.*, (SELECT string_agg(format('ALTER COLUMN %s TYPE %s', pg_temp.column_name(rel, att), becomes),
            ', ') FROM all_moved, ulid_move_setting WHERE rel = t.rel) AS changes FROM trial t
    LOOP
        CONTINUE WHEN o.changes IS NULL;
        EXECUTE format('CREATE TABLE %1$s.%2$s (LIKE %3$s); ALTER TABLE %1$s.%2$s %4$s', o.schema, o.name, o.home,
            o.changes);
    END LOOP;
    PERFORM pg_temp.try('pg_class', view, format('CREATE VIEW %s AS %s', home,
        pg_temp.as_target(pg_get_viewdef(view), 'pg_class', view)), true)
        FROM (SELECT view, home FROM all_views JOIN trial ON rel = view ORDER BY level, view) v;
    PERFORM pg_temp.try(class, object, definition, false) FROM (
        SELECT 'pg_constraint'::regclass, c.oid, format('ALTER TABLE %s ADD %s', home,
                pg_temp.as_target(pg_get_constraintdef(c.oid), 'pg_constraint', c.oid))
            FROM pg_constraint c JOIN trial ON rel = conrelid WHERE contype = 'c'
        UNION ALL SELECT 'pg_policy', p.oid, format('SELECT FROM %s WHERE %s', home,
                pg_temp.as_target(pg_get_expr(x, polrelid), 'pg_policy', p.oid))
            FROM pg_policy p JOIN trial ON rel = polrelid, LATERAL (VALUES (polqual), (polwithcheck)) v (x)
            WHERE x IS NOT NULL
        UNION ALL SELECT 'pg_class', index, pg_temp.index_definition(index, false) FROM all_indexes
            WHERE way IN ('late', 'locked') AND con IS NULL
        UNION ALL SELECT 'pg_trigger', g.oid, pg_temp.as_target(pg_get_triggerdef(g.oid), 'pg_trigger', g.oid)
            FROM pg_trigger g JOIN trial ON rel = tgrelid WHERE tgqual IS NOT NULL AND tgparentid = 0
        UNION ALL SELECT 'pg_rewrite', w.oid, pg_temp.as_target(pg_get_ruledef(w.oid), 'pg_rewrite', w.oid)
            FROM pg_rewrite w JOIN trial ON rel = ev_class WHERE rulename <> '_RETURN'
        UNION ALL SELECT 'pg_attrdef', d.oid, format('SELECT %s FROM %s',
                pg_temp.as_target(pg_get_expr(adbin, adrelid), 'pg_attrdef', d.oid), home)
            FROM pg_attrdef d JOIN trial ON rel = adrelid JOIN pg_attribute ON attrelid = rel AND attnum = adnum
            WHERE attgenerated <> ''
        UNION ALL SELECT 'pg_proc', p, pg_temp.function_to_try(p) FROM pg_temp.dependents('pg_proc') p
    ) d (class, object, definition);
END $$;
