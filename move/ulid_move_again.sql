-- A script that is run again, or after something was changed: what is looked at before anything is done, and
-- what is left out as it is gone.

-- Statements about an object, below a line that names it. Where an object is gone by the time that the script
-- has to go on, ulid_move_left() leaves these out. No name and no comment can have foreseen the mark.
SELECT set_config('ulid_move.tag', 'm' || left(encode(sha256(uuid_send(gen_random_uuid())), 'hex'), 12),
    true) AS tag \gset
CREATE FUNCTION pg_temp.about_named(type text, names text[], args text[], statements text) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT format(E'-- %s %s\n%s', current_setting('ulid_move.tag'), json_build_array(type, names, args),
        statements) WHERE statements <> ''
$$;
CREATE FUNCTION pg_temp.about(class regclass, object oid, part integer, statements text) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT pg_temp.about_named(type, object_names, object_args, statements)
        FROM pg_identify_object_as_address(class, object, part)
$$;
CREATE FUNCTION pg_temp.about_bridge(rel oid, bridge text, statements text) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT pg_temp.about_named('index', ARRAY[nspname, bridge], '{}', statements) FROM pg_class c
        JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = rel
$$;
CREATE FUNCTION pg_temp.anyway(statements text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'-- %s null\n%s', current_setting('ulid_move.tag'), statements) WHERE statements <> ''
$$;

-- Whether an object is there, as json_build_array() above names it; null is.
CREATE FUNCTION pg_temp.ulid_move_is_there(address json) RETURNS boolean LANGUAGE plpgsql AS $there$
BEGIN
    IF json_typeof(address) = 'array' THEN
        PERFORM pg_get_object_address(address ->> 0, ARRAY(SELECT json_array_elements_text(address -> 1)),
            ARRAY(SELECT json_array_elements_text(address -> 2)));
    END IF;
    RETURN true;
EXCEPTION WHEN undefined_object OR undefined_table OR undefined_column OR undefined_function
    OR invalid_schema_name OR wrong_object_type THEN
    RETURN false;
END $there$;

-- Whether an index is to be built: not where what it is made of is gone.
CREATE FUNCTION pg_temp.ulid_move_can_build(index text, needs json) RETURNS boolean LANGUAGE plpgsql AS $build$
DECLARE need json;
BEGIN
    FOR need IN SELECT json_array_elements(needs) LOOP
        IF NOT pg_temp.ulid_move_is_there(need) THEN
            RAISE WARNING '% % is gone: index % is not built', need ->> 0,
                array_to_string(ARRAY(SELECT json_array_elements_text(need -> 1)), '.'), index;
            RETURN false;
        END IF;
    END LOOP;
    RETURN true;
END $build$;

-- Of the statements of a script, those about what is there. A clause of ALTER TABLE is about a column.
CREATE FUNCTION pg_temp.ulid_move_left(statements text, mark text) RETURNS text LANGUAGE plpgsql AS $left$
DECLARE
    parts text[] := regexp_split_to_array(statements, '^-- ' || mark || ' ', 'n');
    result text := parts[1]; part text; head text; clauses text[]; is_there boolean;
BEGIN
    FOREACH part IN ARRAY parts[2:] || 'null'::text LOOP
        is_there := pg_temp.ulid_move_is_there(split_part(part, E'\n', 1)::json);
        part := substr(part, strpos(part || E'\n', E'\n') + 1);
        IF part LIKE '    %' THEN
            clauses := clauses || CASE WHEN is_there THEN rtrim(part, E',;\n') END;
            CONTINUE;
        END IF;
        result := concat(result, head || NULLIF(array_to_string(clauses, E',\n'), '') || E';\n');
        head := NULL;
        clauses := NULL;
        IF is_there AND part ~ ';\s*$' THEN
            result := result || part;
        ELSIF is_there THEN
            head := part;
        END IF;
    END LOOP;
    RETURN result;
END $left$;

-- A definition in which uuid and ulid are the same: their names, what makes them, the operators, and the
-- casts that the operators and the functions of uuid show of a ulid.
CREATE FUNCTION pg_temp.ulid_move_same(definition text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $same$
DECLARE
    before text;
BEGIN
    definition := regexp_replace(definition, 'OPERATOR\((?:\w+|"(?:[^"]|"")+")\.([^)]+)\)', '\1', 'g');
    definition := regexp_replace(definition, '((\w+|"[^"]+")\.)?\m(gen_random_uuid|uuidv[47]|'
        'uuid_generate_v(1|1mc|4)|gen_(random_|monotonic_)?ulid)\([^()]*\)', 'generated()', 'g');
    definition := regexp_replace(definition, '((\w+|"[^"]+")\.)?\m(gist_)?(uuid|ulid)(?=(_\w*ops)?\M)', '\3id',
        'g');
    -- as statistics show it
    definition := regexp_replace(definition, '([\w"\]])::id\M(?:\[\])?', '\1', 'g');
    LOOP
        before := definition;
        definition := regexp_replace(before, '\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)::id\M(?:\[\])?',
            '\1', 'g');
        EXIT WHEN definition = before;
    END LOOP;
    RETURN definition;
END $same$;

-- What the script drops, makes again or counts on, each with its definition, in which uuid and ulid are the
-- same. The script takes this function with it, and looks again before it locks anything.
CREATE FUNCTION pg_temp.ulid_move_look(rels text[], atts text[]) RETURNS TABLE (identity text, definition text,
    lasting boolean) LANGUAGE sql STABLE
    SET timezone = 'UTC' SET datestyle = 'ISO, MDY' SET intervalstyle = 'postgres' SET extra_float_digits = 3
        SET quote_all_identifiers = off SET search_path = pg_catalog, pg_temp AS $look$
    WITH RECURSIVE col AS (
        SELECT a.* FROM unnest(rels, atts) u (rel, att) JOIN pg_attribute a ON attrelid = to_regclass(rel)
            AND attname = att AND NOT attisdropped
    ), dep AS (
        SELECT DISTINCT classid, objid FROM pg_depend JOIN col ON refclassid = 'pg_class'::regclass
            AND refobjid = attrelid AND refobjsubid = attnum
    ), view (oid) AS (
        SELECT ev_class FROM dep JOIN pg_rewrite w ON classid = 'pg_rewrite'::regclass AND objid = w.oid
            WHERE rulename = '_RETURN'
        UNION
        SELECT ev_class FROM view JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = view.oid
            AND classid = 'pg_rewrite'::regclass
            JOIN pg_rewrite w ON w.oid = objid WHERE ev_class <> view.oid AND rulename = '_RETURN'
    ), thing AS (
        SELECT classid, objid FROM dep
        UNION SELECT 'pg_class'::regclass, oid FROM view
        UNION SELECT 'pg_class'::regclass, indexrelid FROM pg_index LEFT JOIN col ON attrelid = indrelid
            AND attnum = ANY (indkey) LEFT JOIN view ON view.oid = indrelid
            WHERE col.attnum IS NOT NULL OR view.oid IS NOT NULL
        UNION SELECT 'pg_class'::regclass, attrelid FROM col
        UNION SELECT 'pg_class'::regclass, inhrelid FROM pg_inherits JOIN col ON attrelid = inhparent
        UNION SELECT 'pg_rewrite'::regclass, w.oid FROM pg_rewrite w JOIN view ON ev_class = view.oid
        UNION SELECT 'pg_trigger'::regclass, g.oid FROM pg_trigger g JOIN view ON tgrelid = view.oid
        UNION SELECT 'pg_statistic_ext'::regclass, x.oid FROM pg_statistic_ext x
            JOIN view ON stxrelid = view.oid
        UNION SELECT d.classid, d.objid FROM view JOIN pg_depend d ON refclassid = 'pg_class'::regclass
            AND refobjid = view.oid AND deptype = 'n'
    )
    SELECT 'validation of ' || pg_describe_object(classid, objid, 0), 'validated', false
    FROM thing JOIN pg_constraint c ON c.oid = objid
        WHERE classid = 'pg_constraint'::regclass AND contype IN ('c', 'f') AND conparentid = 0 AND convalidated
    UNION ALL
    SELECT concat_ws(' ', i.type, i.identity),
        pg_temp.ulid_move_same(x.definition || ' ' || COALESCE(obj_description(objid, classid::regclass::name),
            '')),
        classid = 'pg_constraint'::regclass AND x.definition ~ '^(FOREIGN KEY|CHECK)'
    FROM (SELECT 'pg_class'::regclass::oid, attrelid, attnum::integer,
        concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, (SELECT pg_get_expr(adbin, adrelid)
        FROM pg_attrdef WHERE adrelid = attrelid AND adnum = attnum)) FROM col
        UNION ALL SELECT classid, objid, 0, y.definition FROM (
        SELECT classid, objid,
            concat_ws(' ', pg_get_viewdef(c.oid), COALESCE(relacl, acldefault('r', relowner)), reloptions,
            pg_get_userbyid(relowner), relreplident, relispopulated,
            (SELECT string_agg(concat_ws(' ', attnum, pg_temp.column_properties(c.oid, attnum)), ' '
                ORDER BY attnum) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0)) AS definition
            FROM thing JOIN pg_class c ON c.oid = objid
                WHERE classid = 'pg_class'::regclass AND relkind IN ('v', 'm')
        UNION ALL SELECT classid, objid, concat_ws(' ', replace(relreplident::text, 'i', 'd'),
            pg_get_userbyid(relowner),
            (SELECT COALESCE(substring(obj_description(indexrelid, 'pg_class')
                FROM '^In the place of (.*) until that is built again'), i.relname)
                FROM pg_index JOIN pg_class i ON i.oid = indexrelid
                    WHERE indrelid = c.oid AND CASE c.relreplident WHEN 'd' THEN indisprimary
                    WHEN 'i' THEN indisreplident END),
            (SELECT string_agg(inhparent::regclass::text, ' ' ORDER BY inhseqno) FROM pg_inherits
                WHERE inhrelid = c.oid))
            FROM thing JOIN pg_class c ON c.oid = objid
                WHERE classid = 'pg_class'::regclass AND relkind IN ('r', 'p', 'f')
        UNION ALL SELECT classid, objid, concat_ws(' ', pg_get_indexdef(objid), reltablespace, indisclustered,
            (SELECT string_agg(attstattarget::text, ' ' ORDER BY attnum) FROM pg_attribute
                WHERE attrelid = objid))
            FROM thing JOIN pg_index ON indexrelid = objid JOIN pg_class c ON c.oid = objid
                WHERE classid = 'pg_class'::regclass AND indisvalid AND relname !~ '_ulid_move$'
        UNION ALL SELECT classid, objid, replace(pg_get_constraintdef(c.oid), ' NOT VALID', '')
            FROM thing JOIN pg_constraint c ON c.oid = objid
                WHERE classid = 'pg_constraint'::regclass AND contype <> 'n' AND conparentid = 0
        UNION ALL SELECT classid, objid, concat_ws(' ', pg_get_ruledef(w.oid), ev_enabled)
            FROM thing JOIN pg_rewrite w ON w.oid = objid
                WHERE classid = 'pg_rewrite'::regclass AND rulename <> '_RETURN'
        UNION ALL SELECT classid, objid, concat_ws(' ', pg_get_triggerdef(g.oid), tgenabled)
            FROM thing JOIN pg_trigger g ON g.oid = objid
                WHERE classid = 'pg_trigger'::regclass AND NOT tgisinternal
        UNION ALL SELECT classid, objid, concat_ws(' ', polname, polcmd, polpermissive, polroles,
            pg_get_expr(polqual, polrelid), ',', pg_get_expr(polwithcheck, polrelid))
            FROM thing JOIN pg_policy p ON p.oid = objid WHERE classid = 'pg_policy'::regclass
        UNION ALL SELECT classid, objid, pg_get_functiondef(objid) FROM thing
            WHERE classid = 'pg_proc'::regclass
        UNION ALL SELECT classid, objid, concat_ws(' ', pg_get_statisticsobjdef(x.oid), stxstattarget)
            FROM thing JOIN pg_statistic_ext x ON x.oid = objid WHERE classid = 'pg_statistic_ext'::regclass
        UNION ALL SELECT classid, objid, concat_ws(' ', pg_get_expr(adbin, adrelid), attacl,
            col_description(adrelid, adnum))
            FROM thing JOIN pg_attrdef d ON d.oid = objid JOIN pg_attribute ON attrelid = adrelid
                AND attnum = adnum WHERE classid = 'pg_attrdef'::regclass AND attgenerated <> ''
        UNION ALL SELECT classid, objid,
            concat_ws(' ', pg_get_expr(prqual, prrelid), (SELECT string_agg(attname, ' ' ORDER BY attnum)
            FROM pg_attribute WHERE attrelid = prrelid AND attnum = ANY (prattrs)))
            FROM thing JOIN pg_publication_rel p ON p.oid = objid WHERE classid = 'pg_publication_rel'::regclass
        UNION ALL SELECT classid, objid, '' FROM thing
            WHERE classid NOT IN ('pg_class'::regclass, 'pg_constraint'::regclass, 'pg_rewrite'::regclass,
            'pg_trigger'::regclass,
            'pg_policy'::regclass, 'pg_proc'::regclass, 'pg_statistic_ext'::regclass, 'pg_attrdef'::regclass,
                'pg_publication_rel'::regclass)) y) x (classid, objid, part, definition),
        LATERAL pg_identify_object(classid, objid, part) i
$look$;

-- Whether a bundle, or any if null, is in the middle of a move, this one or that of the script the other way:
-- an index stands in for one that is not built again yet.
CREATE FUNCTION pg_temp.ulid_move_is_begun(which integer) RETURNS boolean LANGUAGE sql STABLE AS $begun$
    SELECT EXISTS (SELECT FROM pg_temp.ulid_move_was
        WHERE bundle = COALESCE(which, bundle) AND obj_description(to_regclass(NULLIF(bridge, '')),
        'pg_class') LIKE 'In the place of %')
$begun$;

-- Whether a switch was made: a column has its new type.
CREATE FUNCTION pg_temp.ulid_move_is_under_way() RETURNS boolean LANGUAGE sql STABLE AS $way$
    SELECT EXISTS (SELECT FROM pg_temp.ulid_move_column JOIN pg_attribute ON attrelid = to_regclass(rel)
        AND attname = att AND atttypid = type AND NOT attisdropped)
$way$;

-- In the middle of a move, what has another name than when this was written: it is not gone, and what was on it
-- is not to be left out. And what has taken the name of a key. In a copy of the database the Oids may
-- be others, and then tell of nothing.
CREATE FUNCTION pg_temp.ulid_move_check_names() RETURNS void LANGUAGE plpgsql AS $names$
DECLARE what text; under_way boolean := pg_temp.ulid_move_is_under_way();
BEGIN
    WITH stand_in AS (
        SELECT DISTINCT bundle, indrelid, indexrelid, substring(obj_description(indexrelid, 'pg_class')
            FROM '^In the place of (.*) until that is built again') AS name
        FROM pg_temp.ulid_move_column JOIN pg_index ON indrelid IN (relid, to_regclass(rel))
            WHERE obj_description(indexrelid, 'pg_class') LIKE 'In the place of %'
    )
    SELECT string_agg(line, E'\n' ORDER BY line COLLATE "C") INTO what FROM (
        SELECT format('%s.%I is now %s.%I', rel, att, relid::regclass, x.attname)
        FROM pg_temp.ulid_move_column c JOIN pg_attribute x ON attrelid = relid AND attnum = number
            AND NOT attisdropped
            LEFT JOIN pg_attribute n ON n.attrelid = to_regclass(rel) AND n.attname = att AND NOT n.attisdropped
        WHERE (n.attrelid IS NULL OR n.attrelid = relid AND n.attnum <> number OR n.attrelid <> relid
            AND EXISTS (SELECT FROM stand_in s WHERE s.indrelid = relid))
            AND format_type(x.atttypid, NULL) ~ '\mu[ul]id$' AND (EXISTS (SELECT FROM stand_in s
                WHERE s.bundle = c.bundle) OR under_way AND x.atttypid <> type)
        UNION
        SELECT format('index %s is now %s', bridge, indexrelid::regclass)
        FROM pg_temp.ulid_move_was w JOIN stand_in s ON s.bundle = w.bundle
            AND right(identity, length('.' || quote_ident(name))) = '.' || quote_ident(name)
        WHERE bridge <> '' AND identity LIKE 'index %' AND to_regclass(bridge) IS NULL
        UNION
        -- which a key would be attached to
        SELECT format('%s is not the one that %s stands in for', identity, bridge)
        FROM pg_temp.ulid_move_was JOIN stand_in ON indexrelid = to_regclass(NULLIF(bridge, ''))
            JOIN pg_index b USING (indexrelid)
            JOIN pg_index i ON i.indexrelid = to_regclass(substr(identity, 7))
        WHERE identity LIKE 'index %' AND (i.indrelid, i.indkey::text, i.indnkeyatts,
            i.indisunique) <> (b.indrelid, b.indkey::text, b.indnkeyatts, b.indisunique)) l (line);
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'not as it was when this was written' USING DETAIL = what,
            HINT = 'The type is changed already: put this as it was, and run the script again.';
    END IF;
END $names$;

-- Looks whether all that a bundle touches is as it was when it was written; after the switch, its foreign
-- keys and CHECK constraints. What is gone once a switch was made, of this bundle or of another, is left out from
-- there on: then it is true.
CREATE FUNCTION pg_temp.ulid_move_check(which integer, switched boolean) RETURNS boolean
    LANGUAGE plpgsql AS $check$
DECLARE
    begun boolean := switched OR pg_temp.ulid_move_is_begun(which);
    under_way boolean := begun OR pg_temp.ulid_move_is_under_way();
    something_is_gone boolean := false; what text; o record;
BEGIN
    PERFORM pg_temp.ulid_move_check_names();
    FOR o IN SELECT COALESCE(n.identity, w.identity) AS identity, w.identity IS NULL AS is_new,
        n.identity IS NULL AS is_gone, told
        FROM (SELECT * FROM pg_temp.ulid_move_was WHERE bundle = which) w FULL JOIN pg_temp.ulid_move_look(
                (SELECT array_agg(rel ORDER BY rel, att) FROM pg_temp.ulid_move_column WHERE bundle = which),
                (SELECT array_agg(att ORDER BY rel, att) FROM pg_temp.ulid_move_column WHERE bundle = which)) n
                    ON n.identity = w.identity
        WHERE hashtextextended(n.definition COLLATE "C", 0) IS DISTINCT
            FROM w.hash AND (NOT switched OR n.identity IS NULL OR n.lasting)
            -- what the script makes NOT VALID, and validates at its end
            AND NOT (n.identity IS NULL AND w.identity LIKE 'validation of %')
            -- an index that is to be made again: one stands in for it, or none can
            AND NOT COALESCE(begun AND (w.bridge = '' OR to_regclass(NULLIF(w.bridge, '')) IS NOT NULL), false)
        ORDER BY 1
    LOOP
        IF NOT (o.is_gone AND under_way) THEN
            what := concat_ws(E'\n', what, concat(o.identity, CASE WHEN o.is_new THEN ' is new'
                WHEN o.is_gone THEN ' is gone' ELSE ' was changed' END));
            CONTINUE;
        END IF;
        something_is_gone := true;
        -- of a table its columns are named
        IF NOT o.told AND o.identity !~ '^(foreign )?table (?!column |constraint )' THEN
            RAISE WARNING '% is gone, and is left out', o.identity;
        END IF;
        UPDATE pg_temp.ulid_move_was SET told = true WHERE identity = o.identity;
    END LOOP;
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'not as it was when this was written' USING DETAIL = what, HINT = CASE WHEN switched
            THEN 'The type is changed already: put this as it was, or take it out of the script, and run the '
                'script again.'
            WHEN begun THEN 'The type is changed already by the script the other way: put this as it was and '
                'run this again, or run that to its end.'
            ELSE 'Nothing of this step was done. Write the script again.' END;
    END IF;
    RETURN something_is_gone;
END $check$;
