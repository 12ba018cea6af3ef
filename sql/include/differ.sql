-- Whether conditions on a key find by an index what a scan of the table finds: each with five values
-- from the least to the greatest of the key in place of $1, by a bitmap and by an index-only scan, with
-- a warning where they do not; and how many rows each has found. For \i with ECHO none.
CREATE FUNCTION differ(place regclass, key text, conditions text[], OUT condition text, OUT by_scan bigint)
    RETURNS SETOF record LANGUAGE plpgsql AS $$
DECLARE
    query text;
    value ulid;
    by_index text;
    by_table text;
BEGIN
    FOREACH condition IN ARRAY conditions LOOP
        by_scan := 0;
        FOR probe IN 0 .. 4 LOOP
            EXECUTE format('SELECT %1$I FROM %2$s WHERE %1$I IS NOT NULL ORDER BY %1$I '
                           'OFFSET %3$s * (SELECT count(%1$I) - 1 FROM %2$s) / 4 LIMIT 1', key, place, probe) INTO value;
            query := format('SELECT count(*) || '' '' || md5(array_agg(id ORDER BY id)::text) FROM %s WHERE ', place)
                || replace(condition, '$1', quote_literal(value) || '::ulid');
            SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off;
            SET LOCAL enable_bitmapscan = off; SET LOCAL enable_seqscan = on;
            EXECUTE query INTO by_table;
            SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = on;
            EXECUTE query INTO by_index;
            IF by_index IS DISTINCT FROM by_table THEN
                RAISE WARNING '%: % by the index, % by the table', condition, by_index, by_table;
            END IF;
            SET LOCAL enable_bitmapscan = off; SET LOCAL enable_indexonlyscan = on;
            EXECUTE query INTO by_index;
            IF by_index IS DISTINCT FROM by_table THEN
                RAISE WARNING '%: % by the index only, % by the table', condition, by_index, by_table;
            END IF;
            by_scan := by_scan + coalesce(split_part(by_table, ' ', 1)::int, 0);
        END LOOP;
        RETURN NEXT;
    END LOOP;
END
$$;
