-- Whether each index of a table finds what a scan of the table finds: every condition with five values from the least to the
-- greatest of the key in place of $1, by a bitmap and by an index-only scan. For \i with ECHO none.
CREATE FUNCTION differ(place regclass, key text, conditions text[]) RETURNS TABLE (
    index text, condition text, is_served boolean, by_scan bigint, differs boolean
) LANGUAGE plpgsql
SET jit = off SET enable_indexscan = off SET enable_indexonlyscan = off SET enable_bitmapscan = off SET enable_seqscan = off AS $$
DECLARE
    own regclass;
    probes ulid[];
    probe ulid;
    template text;
    query text;
    by_table text;
    by_index text;
    ways text[];
    way text;
    line text;
BEGIN
    EXECUTE format('SELECT percentile_disc(''{0,0.25,0.5,0.75,1}''::float8[]) WITHIN GROUP (ORDER BY %I) FROM %s', key, place)
        INTO probes;
    FOR own, index IN
        SELECT indexrelid, substring(pg_get_indexdef(indexrelid) FROM 'USING (.*)') FROM pg_index WHERE indrelid = place
    LOOP
        UPDATE pg_index SET indisvalid = indexrelid = own WHERE indrelid = place;
        FOREACH condition IN ARRAY conditions LOOP
            by_scan := 0; differs := false; ways := '{}';
            template := format(CASE WHEN condition ~ '^ORDER BY'
                THEN 'SELECT concat(count(*), '' '', md5(array_agg(d)::text)) FROM (SELECT %2$I <-> $1 AS d FROM %1$s %3$s LIMIT 300) AS s'
                ELSE 'SELECT concat(count(*), '' '', sum(hashtext(%2$I::text))) FROM %1$s WHERE %3$s' END, place, key, condition);
            FOREACH way IN ARRAY '{enable_bitmapscan,enable_indexonlyscan}'::text[] LOOP
                PERFORM set_config(way, 'on', true);
                FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || replace(template, '$1', quote_literal(probes[3]) || '::ulid') LOOP
                    IF line ~ 'Index Cond|Order By' THEN ways := array_remove(ways, way) || way; END IF;
                END LOOP;
                PERFORM set_config(way, 'off', true);
            END LOOP;
            is_served := ways <> '{}';
            FOREACH probe IN ARRAY CASE WHEN is_served THEN probes ELSE '{}' END LOOP
                query := replace(template, '$1', quote_literal(probe) || '::ulid');
                SET LOCAL enable_seqscan = on;
                EXECUTE query INTO by_table;
                SET LOCAL enable_seqscan = off;
                FOREACH way IN ARRAY ways LOOP
                    PERFORM set_config(way, 'on', true);
                    EXECUTE query INTO by_index;
                    differs := differs OR by_index IS DISTINCT FROM by_table;
                    PERFORM set_config(way, 'off', true);
                END LOOP;
                by_scan := by_scan + split_part(by_table, ' ', 1)::int;
            END LOOP;
            RETURN NEXT;
        END LOOP;
    END LOOP;
    UPDATE pg_index SET indisvalid = true WHERE indrelid = place;
END
$$;
