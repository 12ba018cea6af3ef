-- Where an id becomes a text: a policy, a view, a CHECK, an index or a function that has `id::text` or
-- `json_build_object('id', id)` means another text when the column has another type, and nothing fails. These
-- are found in the parse trees that the server keeps, not in what somebody wrote.

-- The parse trees of all that can name a column, with the table that a tree is over, if it is one, and how bad it is when
-- what they say changes.
CREATE TEMP VIEW parse_tree (risk, classid, objid, rel, tree) AS
    SELECT 1, 'pg_policy'::regclass, oid, polrelid, concat_ws(' ', polqual::text, polwithcheck::text)
        FROM pg_policy
    UNION ALL SELECT 2, 'pg_constraint'::regclass, oid, conrelid, conbin::text FROM pg_constraint
        WHERE contype = 'c'
        AND coninhcount = 0
    UNION ALL SELECT 2, 'pg_trigger'::regclass, oid, NULL, tgqual::text FROM pg_trigger
        WHERE NOT tgisinternal
    UNION ALL SELECT CASE WHEN indisunique THEN 2 ELSE 3 END, 'pg_class'::regclass, indexrelid, indrelid,
        concat_ws(' ', indexprs::text, indpred::text) FROM pg_index
    UNION ALL SELECT 3, 'pg_attrdef'::regclass, oid, adrelid, adbin::text FROM pg_attrdef
    UNION ALL SELECT CASE rulename WHEN '_RETURN' THEN 4 ELSE 3 END, 'pg_rewrite'::regclass, oid, NULL,
        concat_ws(' ', ev_qual::text, ev_action::text) FROM pg_rewrite
    UNION ALL SELECT 4, 'pg_proc'::regclass, oid, NULL, prosqlbody::text FROM pg_proc
        WHERE prosqlbody IS NOT NULL;

-- A whole row of a join or of a subquery, as `row_to_json(j)` has it, in a parse tree.
CREATE FUNCTION pg_temp.row_of_join() RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT format('\{VAR :varno \d+ :varattno 0 :vartype %s ', 'record'::regtype::oid)
$$;

-- What has such a row in it, or a MERGE: of these the server does not record on which columns they depend, so it is on
-- all of their tables.
CREATE FUNCTION pg_temp.collect_of_rows() RETURNS void LANGUAGE sql AS $$
    INSERT INTO of_rows SELECT classid, objid FROM parse_tree
    WHERE classid IN ('pg_rewrite'::regclass, 'pg_policy'::regclass, 'pg_proc'::regclass) AND objid >= 16384
        AND tree ~ (pg_temp.row_of_join() || '|:commandType 5 ')
$$;

-- The nodes of a parse tree that begin with a pattern, each whole.
CREATE FUNCTION pg_temp.nodes(tree text, pattern text) RETURNS SETOF text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    rest text := tree; head text; token text; depth integer; length_so_far integer;
BEGIN
    LOOP
        head := substring(rest FROM pattern);
        EXIT WHEN head IS NULL;
        rest := substr(rest, strpos(rest, head));
        depth := 0;
        length_so_far := 0;
        -- what is quoted has a backslash before each brace
        FOR token IN SELECT m[1] FROM regexp_matches(rest, '((?:[^{}\\]|\\.)*[{}])', 'g') m LOOP
            depth := depth + CASE right(token, 1) WHEN '{' THEN 1 ELSE -1 END;
            length_so_far := length_so_far + length(token);
            EXIT WHEN depth = 0;
        END LOOP;
        RETURN NEXT left(rest, length_so_far);
        rest := substr(rest, length(head) + 1);
    END LOOP;
END $$;

-- The calls, in a parse tree, of functions that may turn what they are given into text.
CREATE FUNCTION pg_temp.calls_that_give_text() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format('\{\w+ :(?:funcid|aggfnoid|winfnoid|opno \d+ :opfuncid) (?:%s)\M', string_agg(p.oid::text, '|'))
    FROM pg_proc p JOIN pg_type t ON t.oid = prorettype
    -- of one that is the server's own the result tells whether it goes by the text
    WHERE (typcategory IN ('S', 'U') OR p.oid = 'pg_typeof'::regproc OR (typtype <> 'p' OR typname !~ '^any')
            AND pronamespace <> 'pg_catalog'::regnamespace)
        AND EXISTS (SELECT FROM pg_type a WHERE a.oid = ANY (proargtypes) AND a.typtype = 'p')
        -- a cast of one's own: the other type has another, or goes by its text
        OR pronamespace <> 'pg_catalog'::regnamespace AND p.oid IN (SELECT castfunc FROM pg_cast
            JOIN ulid_move_setting s ON castsource = s.source)
$$;

-- Whether a parse tree turns an id of a column that changes into text: by a cast, which goes by the text whatever the
-- type it gives, as xml, or by a function of any type that gives text or something like json, or that is not the
-- server's own and may do so within: `in_list(id, 'a,b')`. What such a one gives of the same type counts as the id
-- that it was given. A row counts as what is in it, and a subquery too. In a tree over one table (`rel`) the column is
-- known; in one with tables of its own any id counts. `calls` is calls_that_give_text(), which is the same for all.
CREATE FUNCTION pg_temp.has_text_of_id(tree text, rel oid, calls text) RETURNS boolean LANGUAGE sql STABLE AS $$
    WITH found (node) AS (
        SELECT pg_temp.nodes(tree, '\{COERCEVIAIO ')
        UNION ALL SELECT pg_temp.nodes(tree, '\{JSONCONSTRUCTOREXPR ')
        UNION ALL SELECT pg_temp.nodes(tree, '\{XMLEXPR ')
        UNION ALL SELECT pg_temp.nodes(tree, calls)
    )
    SELECT EXISTS (SELECT FROM found, setting_of_ids
        WHERE CASE WHEN node ~ '^\{COERCEVIAIO :arg \{(?!ROW|SUBLINK)'
            THEN node ~ format('^\{COERCEVIAIO :arg \{(?!CONST)\w+ [^{}]*:%s %s\M', types, source)
                OR node ~ '^\{COERCEVIAIO :arg \{VAR :varno \d+ :varattno 0 '
                -- (row).id
                OR node ~ format('^\{COERCEVIAIO :arg \{FIELDSELECT .*:fieldnum \d+ :resulttype %s\M', source)
            ELSE node ~ format(':%s %s\M', types, source) OR node ~ ':varattno 0 ' END
        -- the text of what a function gives that is given no id, auth.uid()::text
        AND NOT (node ~ (SELECT format('^\{COERCEVIAIO :arg \{FUNCEXPR :funcid \d+ :funcresulttype %s ', s.source::oid)
            FROM ulid_move_setting s) AND node !~ '\{(VAR|PARAM|SUBLINK) ')
        AND (tree ~ ':rtable ' OR rel IS NULL OR node !~ '\{VAR ' OR EXISTS (SELECT FROM changing c
            WHERE c.rel = has_text_of_id.rel AND (node ~ format('\{VAR :varno 1 :varattno %s ', c.att)
                OR node ~ ':varattno 0 '))))
$$;

-- What is made again by its definition, and cannot be: a whole row of a join, or one in which a name is there twice,
-- has the columns that there were when it was written, under their own names, and its definition says otherwise
-- (row_to_json(j) in a view); and rows that are compared as wholes have to be of one type, which is found out when they
-- are.
CREATE FUNCTION pg_temp.row_problems() RETURNS SETOF text LANGUAGE sql STABLE AS $$
    WITH made (classid, objid) AS (
        SELECT 'pg_rewrite'::regclass, oid FROM pg_rewrite
            WHERE ev_class IN (SELECT view FROM all_views UNION SELECT view FROM copied_view)
        UNION SELECT class, d FROM unnest(
                '{pg_rewrite,pg_policy,pg_proc,pg_constraint,pg_trigger,pg_attrdef,pg_class}'::regclass[]) class,
            LATERAL (SELECT pg_temp.dependents(class) UNION SELECT pg_temp.copy_dependents(class)) x (d)
    )
    SELECT DISTINCT format(problem,
        regexp_replace(pg_describe_object(classid, objid, 0), '^rule "?_RETURN"? on ', ''))
    FROM made JOIN parse_tree USING (classid, objid), LATERAL (
        SELECT '%s has whole rows of a join, or of a subquery that has a name twice, which its definition does not tell: '
                'name their columns, or drop it meanwhile'
            WHERE tree ~ pg_temp.row_of_join()
                AND (tree ~ '\{(?:RTE|RANGETBLENTRY) :alias \{ALIAS [^{}]*\} :eref \{ALIAS [^{}]*\} :rtekind 2 '
                    OR EXISTS (SELECT
                        FROM regexp_matches(tree, ':eref \{ALIAS :aliasname \S+ :colnames \(([^{}]*)\)\} :rtekind 1 ', 'g') m,
                            LATERAL (SELECT name FROM regexp_matches(m[1], '"((?:[^"\\]|\\.)*)"', 'g') name) n
                        GROUP BY m, name HAVING count(*) > 1))
                -- as a later server keeps them in a function: ROW(...), with names that only the tree has
                OR tree ~ format(':row_typeid %s :row_format \d+ :colnames \((?!"f1"[ )])', 'record'::regtype::oid)
        UNION ALL
        SELECT '%s compares rows as wholes, with an id in them, which have to be of one type: compare the columns, or '
                'drop it meanwhile'
            FROM setting_of_ids, pg_temp.nodes(tree, (SELECT format('\{\w+ :opno \d+ :(?:opfuncid|hashfuncid) (?:%s) ',
                string_agg(oid::text, '|')) FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
                AND proname ~ '^record_(image_)?(eq|ne|lt|le|gt|ge)$')) node
            WHERE node ~ format('\{ROW(?:EXPR)? |:%s %s ', types, 'record'::regtype::oid)
                AND tree ~ format(':%s %s\M', types, source)) p (problem)
$$;

-- Looks for them, and says what was found: the worst first. A policy fails open or shut in silence, and is
-- refused unless it is said to be known (-v texts=known).
CREATE FUNCTION pg_temp.collect_texts() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    known boolean := (SELECT texts = 'known' FROM ulid_move_setting);
BEGIN
    CREATE TEMP TABLE text_of_id ON COMMIT DROP AS
    WITH RECURSIVE depends (classid, objid) AS (
        SELECT d.classid, d.objid FROM pg_depend d JOIN changing c ON d.refclassid = 'pg_class'::regclass
            AND d.refobjid = c.rel LEFT JOIN of_rows r ON (r.classid, r.objid) = (d.classid, d.objid)
            -- a row of the table depends on no column of it
            WHERE d.refobjsubid IN (c.att, 0) OR r.objid IS NOT NULL
        UNION
        SELECT d.classid, d.objid FROM depends JOIN pg_rewrite w ON classid = 'pg_rewrite'::regclass
            AND objid = w.oid
            AND rulename = '_RETURN' JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass
                AND d.refobjid = ev_class
    ), call (pattern) AS MATERIALIZED (
        SELECT pg_temp.calls_that_give_text()
    )
    SELECT DISTINCT risk, COALESCE((SELECT format('generated column %s of %s', pg_temp.column_name(adrelid, adnum),
            adrelid::regclass) FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
            WHERE classid = 'pg_attrdef'::regclass AND pg_attrdef.oid = objid AND attgenerated <> ''),
        regexp_replace(pg_describe_object(classid, objid, 0), '^rule "?_RETURN"? on ', '')) AS what, by_text
        FROM parse_tree JOIN depends USING (classid, objid), call, LATERAL (
            SELECT true WHERE pg_temp.has_text_of_id(tree, rel, pattern)
                -- which is given the table by its name
                OR tree ~ (SELECT format('\{FUNCEXPR :funcid (?:%s)\M', string_agg(oid::text, '|')) FROM pg_proc
                    WHERE proname ~ '^table_to_xml' AND pronamespace = 'pg_catalog'::regnamespace)
            -- uuid_extract_version(), uuid_extract_timestamp() and those of extensions
            UNION ALL SELECT false WHERE tree ~ (SELECT format('\{FUNCEXPR :funcid (?:%s)\M',
                string_agg(oid::text, '|')) FROM pg_proc WHERE proname ~ '^uuid_.*(version|timestamp)'
                    AND proargtypes[0] = 'uuid'::regtype)
                AND (SELECT target = 'ulid' FROM ulid_move_setting)) x (by_text);
    INSERT INTO problem (text)
    SELECT format('%s turns an id into text, and would judge by another text: write it with the id itself, '
        'drop it meanwhile, '
        'or say that it suits both: -v texts=known', what) FROM text_of_id WHERE by_text AND risk = 1 AND NOT known;
    INSERT INTO note (risk, text)
    SELECT risk, format(CASE WHEN by_text
        THEN '%s turns an id into text, which is another text then: see that it suits both'
        ELSE '%s takes the version or the time of a UUID from an id, which a new ULID has not: see that it suits '
            'both' END,
        what) FROM text_of_id WHERE risk > 1 OR known OR NOT by_text;
END $$;
