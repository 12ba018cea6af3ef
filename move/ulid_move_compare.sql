-- Whether all is as it was when a script was written. What the catalogs say of the tables that move, and of all that
-- depends on them, is compared as a whole: the rows as they are, but for what is known not to matter. So whatever a
-- definition has, also in a later version of PostgreSQL, is noticed when it changes, and a switch undoes nothing that
-- somebody did since. A script takes these functions with it.

-- A definition without parentheses that PostgreSQL shows the first time alone, `(((n >= 1) AND (n <= 5)) AND x)` of
-- BETWEEN, and, where a pattern of a cast is given, without such casts and the parentheses that they need:
-- `((a.id)::<id> = x)` is `(a.id = x)`. What is in parentheses is taken out, the innermost first, and put back at the end.
CREATE FUNCTION pg_temp.ulid_move_parentheses(definition text, id_cast text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE AS $parentheses$
DECLARE
    token text; depth integer := 1; level text[] := '{""}'; taken text[] := '{}'; first text[];
    -- what stands for it, with its number
    place CONSTANT text := '\u0001(\d+)\u0002';
BEGIN
    FOR token IN SELECT m[1] FROM regexp_matches(definition,
        format($re$('(?:[^']|'')*'|"(?:[^"]|"")*"|\)(?:%s)?|\(|[^()'"]+|['"])$re$, id_cast), 'g') m
    LOOP
        IF token = '(' THEN
            depth := depth + 1;
            level[depth] := '';
        ELSIF token !~ '^\)' OR depth = 1 THEN
            level[depth] := level[depth] || token;
        ELSE
            first := regexp_match(level[depth], format('^%s (AND|OR) ', place));
            IF taken[first[1]::integer] ~ format('^%1$s(?: %2$s %1$s)+$', place, first[2]) THEN
                level[depth] := taken[first[1]::integer] || regexp_replace(level[depth], place, '');
            END IF;
            depth := depth - 1;
            IF token = ')' THEN
                taken := taken || level[depth + 1];
                level[depth] := level[depth] || format(E'\u0001%s\u0002', cardinality(taken));
            ELSE
                level[depth] := level[depth] || level[depth + 1];
            END IF;
        END IF;
    END LOOP;
    definition := array_to_string(level[:depth], '(');
    FOR n IN REVERSE cardinality(taken)..1 LOOP
        definition := replace(definition, format(E'\u0001%s\u0002', n), '(' || taken[n] || ')');
    END LOOP;
    RETURN definition;
END $parentheses$;

-- A definition as it is to be compared when it may have been made again: `(ARRAY['a'::varchar])::text[]` is then
-- `ARRAY[('a'::varchar)::text]`. If it depends on a column that moves, the types are the same: their names, what makes
-- ids, the operators and the casts. What is copied may be of a type of text, with casts, collations and parentheses that
-- come and go with it.
CREATE FUNCTION pg_temp.ulid_move_alike(definition text, depends boolean, copied boolean) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT AS $alike$
DECLARE
    before text; list text[];
    -- in which nothing is the same that is not
    literals text := (SELECT string_agg(m[1], ' ') FROM regexp_matches(definition, $re$('(?:[^']|'')*')$re$, 'g') m);
    types text := 'uuid|ulid' || CASE WHEN copied THEN '|text|bpchar|varchar|character varying|character' ELSE '' END;
BEGIN
    -- as a view is shown the first time
    definition := replace(definition, '( VALUES ', '(VALUES ');
    LOOP
        list := regexp_match(definition, $re$\(ARRAY\[((?:'(?:[^']|'')*'|[^][''])*)\]\)::([\w ."]+(?:\(\d+\))?)\[\]$re$);
        EXIT WHEN list IS NULL;
        definition := replace(definition, format('(ARRAY[%s])::%s[]', list[1], list[2]), format('ARRAY[%s]',
            regexp_replace(list[1], $re$(^|, )((?:'(?:[^']|'')*'|[^,'])+)$re$,
            format('\1(\2)::%s', replace(list[2], '\', '\\')), 'g')));
    END LOOP;
    definition := pg_temp.ulid_move_parentheses(definition, '');
    IF NOT depends THEN
        RETURN concat(definition, literals);
    END IF;
    definition := regexp_replace(definition, 'OPERATOR\((?:\w+|"(?:[^"]|"")+")\.([^)]+)\)', '\1', 'g');
    definition := regexp_replace(definition, '((\w+|"([^"]|"")+")\.)?\m(gen_random_uuid|uuidv[47]|'
        'uuid_generate_v(1|1mc|4)|gen_(random_|monotonic_)?ulid)\([^()]*\)', 'generated()', 'g');
    -- not as a column can be named
    definition := regexp_replace(definition, format('((\w+|"[^"]+")\.ulid|(?<![.\w"$])(%s)(\(\d+\))?)(?![\w"$])',
        types), '<id>', 'g');
    IF copied THEN
        definition := regexp_replace(definition, ' COLLATE ((\w+|"([^"]|"")+")\.)?(\w+|"([^"]|"")+")', '', 'g');
        definition := regexp_replace(definition, ' ?((\w+|"([^"]|"")+")\.)?\m(text|varchar|bpchar|uuid|ulid)_\w*ops\M',
            '', 'g');
        definition := regexp_replace(pg_temp.ulid_move_parentheses(definition, '::<id>(?:\[\])?'), '::<id>(?:\[\])?', '',
            'g');
        IF definition LIKE 'FOR VALUES %' THEN
            definition := regexp_replace(definition, '''[^'']*''', '', 'g');
        END IF;
        -- those around a single thing, no others
        definition := replace(definition, ', ', ',');
        LOOP
            before := definition;
            definition := regexp_replace(before, '\(((?:[^() "]|"[^"]*")*)\)', '\1', 'g');
            EXIT WHEN definition = before;
        END LOOP;
        RETURN definition;
    END IF;
    definition := regexp_replace(definition, '((\w+|"[^"]+")\.)?\m(gist_)?(uuid|ulid)(_\w*ops)\M', '\3id\5', 'g');
    -- as statistics show it
    definition := regexp_replace(definition, '([\w"\]])::<id>(?:\[\])?', '\1', 'g');
    RETURN pg_temp.ulid_move_parentheses(definition, '::<id>(?:\[\])?');
END $alike$;

-- What the catalogs say of tables, and of all that depends on them: for each object a hash of it as it is, and one in
-- which the columns `atts` of the tables `rels`, and what is made of them, may be of either type. `all_rels` and
-- `all_atts` are those of all bundles. `own`: it depends on one of `atts`, so that the switch makes it again.
CREATE FUNCTION pg_temp.ulid_move_state(rels text[], atts text[], all_rels text[], all_atts text[], copied boolean)
    RETURNS TABLE (object text, exact bigint, alike bigint, own boolean) LANGUAGE sql STABLE
    SET jit = off SET timezone = 'UTC' SET datestyle = 'ISO, MDY' SET intervalstyle = 'postgres' SET bytea_output = 'hex'
        SET extra_float_digits = 3 SET quote_all_identifiers = off SET search_path = pg_catalog, pg_temp AS $state$
    WITH RECURSIVE thing (classid, objid) AS (
        SELECT 'pg_class'::regclass::oid, to_regclass(rel)::oid FROM unnest(rels) rel
        UNION
        SELECT x.* FROM thing t, LATERAL (
            SELECT d.classid, d.objid FROM pg_depend d WHERE d.refclassid = t.classid AND d.refobjid = t.objid
                AND t.classid <> 'pg_proc'::regclass
            UNION ALL SELECT 'pg_class'::regclass, ev_class FROM pg_rewrite
                WHERE t.classid = 'pg_rewrite'::regclass AND oid = t.objid AND rulename = '_RETURN') x
    ), relation AS (
        -- what the script makes is no part of it, nor what it has half built
        SELECT c.* FROM thing JOIN pg_class c ON classid = 'pg_class'::regclass AND c.oid = objid
        WHERE relnamespace <> 'pg_toast'::regnamespace AND objid NOT IN (SELECT to_regclass(qualified)
                FROM pg_temp.ulid_move_stand_ins() WHERE to_regclass(qualified) IS NOT NULL)
            AND NOT (relkind = 'i' AND relname LIKE '%\_ulid\_move' AND EXISTS (SELECT FROM pg_index
                JOIN pg_opclass o ON o.oid = ANY (indclass) WHERE indexrelid = c.oid
                AND opcname IN ('ulid_uuid_ops', CASE WHEN copied THEN 'ulid_ops' END)))
    ), moved (rel, att, own) AS MATERIALIZED (
        SELECT attrelid, attnum, m.rel = ANY (rels) FROM unnest(all_rels, all_atts) m (rel, att)
            JOIN pg_attribute ON attrelid = to_regclass(rel) AND attname = att
    ), touched (classid, objid, own) AS (
        -- what depends on a column that moves, and may be another text then; a partition, if its bound may
        SELECT classid, objid, own FROM thing JOIN pg_depend USING (classid, objid) JOIN moved ON refobjid = rel
            AND refobjsubid = att WHERE refclassid = 'pg_class'::regclass
        UNION SELECT 'pg_class'::regclass, partrelid, own FROM thing JOIN pg_partitioned_table ON partrelid = objid
            JOIN moved ON rel = partrelid AND att = ANY (partattrs)
        UNION
        SELECT x.*, own
        FROM touched t LEFT JOIN pg_class c ON t.classid = 'pg_class'::regclass AND c.oid = t.objid, LATERAL (
            SELECT d.classid, d.objid FROM pg_depend d WHERE d.refclassid = t.classid AND d.refobjid = t.objid
                AND t.classid <> 'pg_proc'::regclass AND relkind IN ('r', 'p') IS NOT true
            UNION ALL SELECT 'pg_class'::regclass, ev_class FROM pg_rewrite
                WHERE t.classid = 'pg_rewrite'::regclass AND oid = t.objid AND rulename = '_RETURN'
            UNION ALL SELECT 'pg_class'::regclass, inhrelid FROM pg_inherits WHERE inhparent = c.oid) x
    ), fact (catalog, classid, objid, part, columns, of_type, definition) AS (
        SELECT 'pg_class'::regclass::oid, 'pg_class'::regclass::oid, oid, 0, to_jsonb(r) || jsonb_build_object('relacl',
            ARRAY(SELECT a::text FROM unnest(COALESCE(relacl,
                acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", relowner))) a ORDER BY 1),
            -- which index it is the index tells
            'relreplident', replace(relreplident::text, 'i', 'd'),
            'toast', (SELECT reloptions FROM pg_class t WHERE t.oid = r.reltoastrelid)), '{}'::text[],
            pg_get_expr(relpartbound, oid) FROM relation r
        UNION ALL SELECT 'pg_attribute'::regclass, 'pg_class'::regclass, attrelid, attnum,
            to_jsonb(a) || jsonb_build_object('attoptions', ARRAY(SELECT o FROM unnest(attoptions) o
                WHERE o NOT LIKE 'pg\_attver=%'), 'attacl', ARRAY(SELECT x::text FROM unnest(attacl) x ORDER BY 1),
                'storage', CASE WHEN m.rel IS NULL THEN concat(NULLIF(attstorage, typstorage), attcompression) END),
            CASE WHEN m.rel IS NOT NULL OR relkind IN ('v', 'm')
                THEN '{atttypid,atttypmod,attcollation,attstorage,attcompression}'::text[] END,
            pg_get_expr(adbin, adrelid)
            FROM relation r JOIN pg_attribute a ON attrelid = r.oid JOIN pg_type t ON t.oid = atttypid
                LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
                LEFT JOIN unnest(rels, atts) m (rel, att) ON to_regclass(rel) = attrelid AND att = attname
            WHERE attnum > 0 AND NOT attisdropped AND relkind NOT IN ('i', 'I', 'S')
        UNION ALL SELECT 'pg_index'::regclass, 'pg_class'::regclass, indexrelid, 0, to_jsonb(i)
            || jsonb_build_object('targets', ARRAY(SELECT attstattarget FROM pg_attribute
                WHERE attrelid = indexrelid ORDER BY attnum)), NULL, pg_get_indexdef(indexrelid)
            FROM relation r JOIN pg_index i ON indexrelid = r.oid
        UNION ALL SELECT 'pg_sequence'::regclass, 'pg_class'::regclass, seqrelid, 0, to_jsonb(s), NULL, NULL
            FROM relation r JOIN pg_sequence s ON seqrelid = r.oid
        UNION ALL SELECT 'pg_partitioned_table'::regclass, 'pg_class'::regclass, partrelid, 0, to_jsonb(p), NULL,
            pg_get_partkeydef(partrelid) FROM relation r JOIN pg_partitioned_table p ON partrelid = r.oid
        UNION ALL SELECT 'pg_inherits'::regclass, 'pg_class'::regclass, inhrelid, 0, to_jsonb(i), NULL, NULL
            FROM relation r JOIN pg_inherits i ON inhrelid = r.oid
        UNION ALL SELECT 'pg_subscription'::regclass, 'pg_class'::regclass, srrelid, 0,
            jsonb_build_object('by', subname), NULL, NULL
            FROM relation r JOIN pg_subscription_rel ON srrelid = r.oid JOIN pg_subscription s ON s.oid = srsubid
        UNION ALL SELECT classid, classid, objid, 0, to_jsonb(c)
            -- what a partition has from its table is known by that, whether it was attached with it or got it
            - CASE WHEN conparentid = 0 THEN '{}'
                WHEN contype = 'f' THEN '{conname,conislocal,coninhcount,connoinherit}'
                ELSE '{conislocal,coninhcount,connoinherit}' END::text[] || jsonb_build_object('triggers',
            ARRAY(SELECT tgenabled FROM pg_trigger WHERE tgconstraint = c.oid
                ORDER BY tgrelid::regclass::text, tgtype)),
            NULL, regexp_replace(pg_get_constraintdef(c.oid), ' NOT VALID$', '')
            FROM thing JOIN pg_constraint c ON c.oid = objid WHERE classid = 'pg_constraint'::regclass
        UNION ALL SELECT classid, classid, objid, 0, to_jsonb(g), NULL, pg_get_triggerdef(g.oid)
            FROM thing JOIN pg_trigger g ON g.oid = objid WHERE classid = 'pg_trigger'::regclass AND NOT tgisinternal
                -- in place they are another script's, which was stopped
                AND NOT (copied AND tgname ~ '^ulid_move_(insert|update|delete|truncate|apply|row)$')
        UNION ALL SELECT classid, classid, objid, 0, to_jsonb(p), NULL,
            concat_ws(' CHECK ', pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
            FROM thing JOIN pg_policy p ON p.oid = objid WHERE classid = 'pg_policy'::regclass
        UNION ALL SELECT classid, CASE rulename WHEN '_RETURN' THEN 'pg_class'::regclass ELSE classid END,
            CASE rulename WHEN '_RETURN' THEN ev_class ELSE objid END, 0, to_jsonb(w), NULL, pg_get_ruledef(w.oid)
            FROM thing JOIN pg_rewrite w ON w.oid = objid WHERE classid = 'pg_rewrite'::regclass
        UNION ALL SELECT classid, classid, objid, 0, to_jsonb(s), NULL, pg_get_statisticsobjdef(s.oid)
            FROM thing JOIN pg_statistic_ext s ON s.oid = objid WHERE classid = 'pg_statistic_ext'::regclass
                AND stxname NOT LIKE '%\_ulid\_move'
        UNION ALL SELECT classid, classid, objid, 0, to_jsonb(p), NULL, concat_ws(' ', pg_get_expr(prqual, prrelid),
            ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = prrelid AND attnum = ANY (prattrs) ORDER BY 1))
            FROM thing JOIN pg_publication_rel p ON p.oid = objid WHERE classid = 'pg_publication_rel'::regclass
        UNION ALL SELECT classid, classid, objid, 0, to_jsonb(p), NULL,
            CASE WHEN prokind <> 'a' THEN pg_get_functiondef(objid) END
            FROM thing JOIN pg_proc p ON p.oid = objid WHERE classid = 'pg_proc'::regclass
        -- of what is something else it is enough that it is there; a default is told with its column
        UNION ALL SELECT classid, classid, objid, 0, '{}', NULL, NULL FROM thing
            WHERE classid NOT IN ('pg_class'::regclass, 'pg_constraint'::regclass, 'pg_trigger'::regclass,
                'pg_policy'::regclass, 'pg_rewrite'::regclass, 'pg_statistic_ext'::regclass,
                'pg_publication_rel'::regclass, 'pg_proc'::regclass, 'pg_attrdef'::regclass)
    ), told AS MATERIALIZED (
        SELECT * FROM fact
        UNION ALL SELECT 'pg_description'::regclass, f.classid, f.objid, objsubid,
            jsonb_build_object('is', description), NULL, NULL
            FROM (SELECT DISTINCT classid, objid, part FROM fact) f JOIN pg_description d
                ON d.classoid = classid AND d.objoid = objid AND d.objsubid = part
        UNION ALL SELECT 'pg_seclabel'::regclass, f.classid, f.objid, objsubid, jsonb_build_object(provider, label),
            NULL, NULL FROM (SELECT DISTINCT classid, objid, part FROM fact) f JOIN pg_seclabel l
                ON l.classoid = classid AND l.objoid = objid AND l.objsubid = part
        UNION ALL SELECT 'pg_extension'::regclass, f.classid, f.objid, 0, jsonb_build_object('with', extname),
            NULL, NULL
            FROM (SELECT DISTINCT classid, objid FROM fact) f JOIN pg_depend d USING (classid, objid)
                JOIN pg_extension e ON refclassid = 'pg_extension'::regclass AND e.oid = refobjid
    ), reference AS MATERIALIZED (
        -- which column of a catalog holds the Oid of what: in place of the Oid there is its name
        SELECT fktable::oid AS catalog, fkcols[1] AS name, pktable FROM pg_get_catalog_foreign_keys()
            WHERE cardinality(fkcols) = 1
    ), line AS MATERIALIZED (
        SELECT classid, objid, part, concat_ws(E'\n', x.exact,
                pg_temp.ulid_move_alike(definition, false, copied)) AS exact,
            concat_ws(E'\n', x.alike, pg_temp.ulid_move_alike(definition, CASE part
                WHEN 0 THEN EXISTS (SELECT FROM touched d WHERE (d.classid, d.objid) = (t.classid, t.objid))
                ELSE of_type IS NOT NULL OR columns ->> 'attgenerated' <> '' END, copied)) AS alike
        FROM told t, LATERAL (
            SELECT string_agg(text, E'\n' ORDER BY text) AS exact,
                string_agg(text, E'\n' ORDER BY text) FILTER (WHERE key = ANY (of_type) IS NOT true) AS alike
            -- What does not matter: what the server sets by itself, what is told by the definition, and where an
            -- object stands among others. Which index a foreign key uses follows from the columns.
            FROM jsonb_each(columns - '{oid,relfilenode,relpages,reltuples,relallvisible,relallfrozen,relfrozenxid,
                relminmxid,reltoastrelid,relhasindex,relhasrules,relhastriggers,relhassubclass,relnatts,
                relpartbound,attrelid,attnum,attcacheoff,attlen,attndims,attbyval,attalign,atthasdef,atthasmissing,
                attmissingval,indisready,indislive,indcheckxmin,indkey,indclass,indcollation,indoption,indexprs,
                indpred,partattrs,partclass,partcollation,partexprs,conkey,confkey,conindid,conpfeqop,conppeqop,
                conffeqop,conexclop,confdelsetcols,conbin,convalidated,tgattr,tgqual,polqual,polwithcheck,ev_qual,
                ev_action,stxkeys,stxexprs,prqual,prattrs,prosqlbody,proargdefaults}'::text[])
                LEFT JOIN reference r ON r.catalog = t.catalog AND r.name = key,
                LATERAL (SELECT concat(key, ' ', CASE
                    WHEN r.name IS NOT NULL AND jsonb_typeof(value) = 'array' THEN (SELECT string_agg(i.identity, ' '
                        ORDER BY i.identity)
                        FROM jsonb_array_elements_text(value) v, pg_identify_object(pktable, v::oid, 0) i)
                    WHEN r.name IS NULL OR value #>> '{}' !~ '^\d+$' THEN value #>> '{}'
                    ELSE (pg_identify_object(pktable, (value #>> '{}')::oid, 0)).identity END)) v (text)) x
    )
    SELECT COALESCE(o.name, concat_ws(' ', i.type, i.identity)), hashtextextended(l.exact COLLATE "C", 0),
        hashtextextended(l.alike COLLATE "C", 0),
        EXISTS (SELECT FROM touched d WHERE (d.classid, d.objid) = (l.classid, l.objid) AND d.own)
    FROM (SELECT classid, objid, part, string_agg(line.exact, E'\n' ORDER BY line.exact) AS exact,
            string_agg(line.alike, E'\n' ORDER BY line.alike) AS alike FROM line GROUP BY classid, objid, part) l,
        LATERAL pg_identify_object(classid, objid, part) i LEFT JOIN LATERAL (
            -- which has another name when it is made again
            SELECT format('constraint %s of %s, from %s to %s', p.conname, p.conrelid::regclass, c.conrelid::regclass,
                c.confrelid::regclass) FROM pg_constraint c JOIN pg_constraint p ON p.oid = c.conparentid
                WHERE classid = 'pg_constraint'::regclass AND c.oid = objid AND c.contype = 'f') o (name) ON true
    UNION ALL SELECT 'validation of ' || pg_describe_object(classid, objid, 0), 1, 1, false
    FROM thing JOIN pg_constraint c ON c.oid = objid
        WHERE classid = 'pg_constraint'::regclass AND conparentid = 0 AND convalidated
$state$;

-- Whether the columns of a bundle, those that are left of it, have their new type. Bundle 0 is what is copied.
CREATE FUNCTION pg_temp.ulid_move_is_done(which integer) RETURNS boolean LANGUAGE sql STABLE AS $done$
    SELECT (count(atttypid) > 0 OR which = 0) AND count(*) FILTER (WHERE atttypid <> target) = 0
    FROM pg_temp.ulid_move_column LEFT JOIN pg_attribute ON attrelid = to_regclass(rel) AND attname = att
        AND NOT attisdropped WHERE bundle = which
$done$;

-- Whether nothing of what a script moves, or of a bundle, has another type than when it was written.
CREATE FUNCTION pg_temp.ulid_move_is_fresh(which integer) RETURNS boolean LANGUAGE sql STABLE AS $fresh$
    SELECT count(*) FILTER (WHERE atttypid <> was) = 0 FROM pg_temp.ulid_move_column
        JOIN pg_attribute ON attrelid = to_regclass(rel) AND attname = att AND NOT attisdropped
        WHERE which IS NULL OR bundle = which
$fresh$;

-- What of a bundle is not as it was when this was written. What has no column of it that moves, but one of another
-- bundle, the switch of that makes again, and this one's does not. A view may have columns of what is copied too, which
-- may have been changed; a column of its tables has nothing of that.
CREATE FUNCTION pg_temp.ulid_move_changes(which integer, fresh boolean) RETURNS text LANGUAGE sql STABLE AS $changes$
    SELECT string_agg(object || CASE WHEN w.exact IS NULL THEN ' is new'
        WHEN n.exact IS NULL THEN ' is gone' ELSE ' was changed' END, E'\n' ORDER BY object COLLATE "C")
    FROM (SELECT * FROM pg_temp.ulid_move_was WHERE bundle = which) w FULL JOIN (SELECT s.*
        FROM (SELECT array_agg(rel) FILTER (WHERE bundle = which) AS rels, array_agg(rel) AS all_rels,
            array_agg(att) FILTER (WHERE bundle = which) AS atts, array_agg(att) AS all_atts
            FROM pg_temp.ulid_move_column) c, pg_temp.ulid_move_state(rels, atts, all_rels, all_atts, which = 0) s) n
        USING (object)
    WHERE CASE WHEN fresh AND (object LIKE 'table column %'
            OR (n.own OR which = 0) AND ((SELECT pg_temp.ulid_move_is_fresh(0))
                OR object NOT IN (SELECT o.object FROM pg_temp.ulid_move_was o WHERE o.bundle = 0)))
            THEN w.exact IS DISTINCT FROM n.exact ELSE w.alike IS DISTINCT FROM n.alike END
        AND NOT (n.alike IS NULL AND object LIKE 'validation of %' AND NOT (fresh AND pg_temp.ulid_move_is_fresh(NULL)))
$changes$;

-- Stops a script where a bundle is not as it was when this was written: to the letter, or, when its switch was made, but
-- for the types. What a script has left NOT VALID is validated by the next.
CREATE FUNCTION pg_temp.ulid_move_check(which integer) RETURNS void LANGUAGE plpgsql AS $check$
DECLARE
    what text;
BEGIN
    SELECT string_agg(format('%s.%I is of type %s', rel, att, COALESCE(format_type(atttypid, atttypmod),
        'none: it is not there')), E'\n' ORDER BY rel, att) INTO what
    FROM pg_temp.ulid_move_column LEFT JOIN pg_attribute ON attrelid = to_regclass(rel) AND attname = att
        AND NOT attisdropped
        WHERE bundle = which AND (atttypid IS NULL
            -- what is copied changes in one switch
            OR atttypid NOT IN (source, CASE bundle WHEN 0 THEN source ELSE target END));
    what := concat_ws(E'\n', what, pg_temp.ulid_move_changes(which, pg_temp.ulid_move_is_fresh(which)));
    IF what <> '' THEN
        RAISE EXCEPTION 'not as it was when this was written' USING DETAIL = what,
            HINT = 'Nothing of this step was done. Write the script again.';
    END IF;
END $check$;

-- What is looked at before anything is done; and all bundles, so that the work of one is not in vain.
CREATE FUNCTION pg_temp.ulid_move_begin() RETURNS void LANGUAGE plpgsql AS $begin$
DECLARE
    what text;
BEGIN
    SELECT string_agg(format('%s is owned by %s', oid::regclass, pg_get_userbyid(relowner)), E'\n') INTO what
    FROM pg_class WHERE oid IN (SELECT to_regclass(rel) FROM pg_temp.ulid_move_column)
        AND NOT pg_has_role(relowner, 'USAGE');
    IF EXISTS (SELECT FROM pg_temp.ulid_move_column WHERE bundle = 0)
        AND NOT has_database_privilege(current_database(), 'CREATE') THEN
        what := concat_ws(E'\n', what, format('no CREATE on database %I', current_database()));
    END IF;
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'permission denied' USING ERRCODE = 'insufficient_privilege', DETAIL = what;
    END IF;
    SELECT string_agg(DISTINCT format('%s is locked by the prepared transaction %L', r.relation::regclass, gid), E'\n')
        INTO what
    FROM pg_locks r JOIN pg_locks t ON t.locktype = 'transactionid' AND t.pid IS NULL
        AND t.virtualtransaction = r.virtualtransaction
        JOIN pg_prepared_xacts ON transaction = t.transactionid
    WHERE r.pid IS NULL AND r.relation IN (SELECT to_regclass(rel) FROM pg_temp.ulid_move_column)
        AND r.database = (SELECT oid FROM pg_database WHERE datname = current_database());
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'a prepared transaction uses the tables' USING ERRCODE = 'lock_not_available',
            DETAIL = what, HINT = 'Commit it or roll it back, and run the script again.';
    END IF;
END $begin$;

-- A bundle that was begun comes to its end before this stops at another.
CREATE FUNCTION pg_temp.ulid_move_check_all() RETURNS void LANGUAGE sql AS $all$
    SELECT pg_temp.ulid_move_check(bundle) FROM (SELECT DISTINCT bundle FROM pg_temp.ulid_move_column) b
        WHERE NOT pg_temp.ulid_move_is_done(bundle)
            -- else there is only what a move has left of tables that are gone
            AND EXISTS (SELECT FROM pg_temp.ulid_move_column WHERE to_regclass(rel) IS NOT NULL)
            AND (pg_temp.ulid_move_is_fresh(NULL) OR NOT EXISTS (SELECT FROM pg_temp.ulid_move_column
                JOIN pg_attribute ON attrelid = to_regclass(rel) AND attname = att AND NOT attisdropped
                WHERE atttypid = target))
$all$;

-- That a table is kept in step with a copy. Of what a script copies itself it has dropped those at its end.
CREATE FUNCTION pg_temp.ulid_move_half_copied(of oid) RETURNS SETOF text LANGUAGE sql STABLE AS $half$
    SELECT format('a move of table %s by copying was begun and has not come to its end: run its script to the end, or '
        'give it up, DROP SCHEMA %s CASCADE', of::regclass, pronamespace::regnamespace)
    FROM pg_trigger JOIN pg_proc p ON p.oid = tgfoid WHERE tgrelid = of AND tgname = 'ulid_move_insert'
$half$;

-- The end of a script: whether all that it moves is there and of its type, and validated is what was.
CREATE FUNCTION pg_temp.ulid_move_end() RETURNS void LANGUAGE plpgsql AS $end$
DECLARE
    what text;
BEGIN
    SELECT string_agg(line, E'\n' ORDER BY line COLLATE "C") INTO what FROM (
        SELECT format('%s.%I is of type %s', rel, att, COALESCE(format_type(atttypid, atttypmod),
            'none: it is not there'))
        FROM pg_temp.ulid_move_column LEFT JOIN pg_attribute ON attrelid = to_regclass(rel) AND attname = att
            AND NOT attisdropped WHERE atttypid IS DISTINCT FROM target
        UNION ALL SELECT pg_describe_object('pg_constraint'::regclass, oid, 0) || ' is NOT VALID' FROM pg_constraint
            WHERE NOT convalidated AND 'validation of ' || pg_describe_object('pg_constraint'::regclass, oid, 0)
                IN (SELECT object FROM pg_temp.ulid_move_was)) l (line);
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'this has not come to its end' USING DETAIL = what, HINT = 'All else was done. Write the '
            'script again for what is left.';
    END IF;
    -- what is new may have been built after this was written
    SELECT string_agg(DISTINCT line, E'\n') INTO what FROM (SELECT DISTINCT bundle FROM pg_temp.ulid_move_column) b,
        string_to_table(pg_temp.ulid_move_changes(bundle, false), E'\n') line WHERE line !~ ' is new$';
    IF what IS NOT NULL THEN
        RAISE WARNING 'not all is as it was when this was written' USING DETAIL = what, HINT = 'The move is done, and '
            'nothing of this was made again: see that it is meant.';
    END IF;
    SELECT string_agg(DISTINCT told, E'\n') INTO what FROM pg_temp.ulid_move_column,
        pg_temp.ulid_move_half_copied(to_regclass(rel)) told;
    IF what IS NOT NULL THEN
        RAISE WARNING '%', what;
    END IF;
END $end$;

-- What a script compares with: written into it.
CREATE FUNCTION pg_temp.written_state() RETURNS SETOF text LANGUAGE plpgsql AS $f$
DECLARE
    which integer;
BEGIN
    RETURN NEXT 'DROP TABLE IF EXISTS pg_temp.ulid_move_column, pg_temp.ulid_move_was;';
    RETURN NEXT 'CREATE TABLE pg_temp.ulid_move_column (bundle integer, rel text, att text, was regtype, '
        'source regtype, target regtype);';
    RETURN NEXT 'CREATE TABLE pg_temp.ulid_move_was (bundle integer, object text, exact bigint, alike bigint);';
    FOR which IN SELECT DISTINCT bundle FROM planned ORDER BY 1 LOOP
        RETURN NEXT (SELECT format('INSERT INTO pg_temp.ulid_move_column VALUES %s;', string_agg(format(
            '(%s, %L, %L, %L, %L, %L)', bundle, rel::regclass, name, was, source, target), ', ' ORDER BY rel, att))
            FROM planned WHERE bundle = which);
        RETURN NEXT (SELECT format('INSERT INTO pg_temp.ulid_move_was VALUES%s;', string_agg(format(
            E'\n    (%s, %L, %s, %s)', which, object, exact, alike), ',' ORDER BY object))
            FROM (SELECT array_agg(rel::regclass::text) FILTER (WHERE bundle = which) AS rels,
                array_agg(rel::regclass::text) AS all_rels, array_agg(name) FILTER (WHERE bundle = which) AS atts,
                array_agg(name) AS all_atts FROM planned) p,
                pg_temp.ulid_move_state(rels, atts, all_rels, all_atts, which = 0));
    END LOOP;
END $f$;
