-- Fills every table of a database by its constraints, and has clients write to them. Row n of every table has in each
-- column the nth value of its type. So a reference finds row n of the other table, and what is unique is unique. Where
-- a column or a CHECK does not take that, others are tried: null, and the constants of the constraints.
--
--   psql -d DATABASE -v rows=20 -f fill.sql
\set ON_ERROR_STOP on
CREATE SCHEMA filled;
SET search_path = pg_catalog, filled, pg_temp;
SET session_replication_role = replica;
SET filled.rows = :rows;
SET client_min_messages = warning;
SELECT setseed(0.5) \g /dev/null

-- `candidates` are the constants that the column takes; null is the nth value of its type.
CREATE TABLE filled.col (rel text, att text, number int2, type text, kind text, length integer, candidates text[],
    chosen integer NOT NULL DEFAULT 1, PRIMARY KEY (rel, number));
-- `key` is the column that tells a row; `writable`, where no trigger does what this cannot know.
CREATE TABLE filled.tab (rel text PRIMARY KEY, key text, rows integer, writable boolean, is_leaf boolean, error text);
-- The rows that clients have written.
CREATE TABLE filled.ledger (rel text, n integer, PRIMARY KEY (rel, n));

CREATE FUNCTION filled.id(n integer) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$ SELECT md5('filled ' || n)::uuid $$;

-- The nth value of a type.
CREATE FUNCTION filled.nth(kind text, length integer, n integer) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN kind = 'uuid' THEN filled.id(n)::text
        WHEN kind ~ '^enum ' THEN (SELECT enumlabel FROM pg_enum WHERE enumtypid = substr(kind, 6)::oid
            ORDER BY enumsortorder OFFSET n % (SELECT count(*) FROM pg_enum WHERE enumtypid = substr(kind, 6)::oid)
            LIMIT 1)
        WHEN kind ~ '\[\]$' THEN '{}'
        WHEN kind IN ('json', 'jsonb') THEN '{"n":' || n || '}'
        WHEN kind = 'bytea' THEN '\x' || md5(n::text)
        WHEN kind ~ 'range$' THEN 'empty'
        WHEN kind = 'boolean' THEN (n % 2)::text
        WHEN kind IN ('inet', 'cidr') THEN format('10.%s.%s.%s', n / 65536, n / 256 % 256, n % 256)
        WHEN kind = 'point' THEN format('(%s,%1$s)', n)
        WHEN kind ~ '^(date|time)' THEN (timestamp '2020-01-01' + n * interval '1 day 1 s')::text
        WHEN kind IN ('text', 'character varying', 'character', 'citext') THEN left(md5(n::text), COALESCE(length, 32))
        ELSE n::text END
$$;

CREATE FUNCTION filled.is_valid(type text, value text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT %L::%s', value, type);
    RETURN true;
EXCEPTION WHEN OTHERS THEN
    RETURN false;
END $$;

-- The statement that inserts a row, or, as a circle of references begins, one without those that it may do without.
CREATE FUNCTION filled.statement(of text, n integer, alone boolean DEFAULT false) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format('INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE VALUES (%s)', of, string_agg(quote_ident(att), ', '
        ORDER BY number), string_agg(CASE WHEN candidates[chosen] = 'null' OR alone AND 'null' = ANY (candidates)
            AND EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND conrelid = of::regclass
                AND number = ANY (conkey)) THEN 'NULL'
            WHEN candidates[chosen] = 'nth' THEN quote_literal(filled.nth(kind, length, n))
            ELSE quote_literal(substr(candidates[chosen], 2)) END, ', ' ORDER BY number))
    FROM filled.col WHERE rel = of
$$;

-- not the unlogged ones, whose rows do not outlive the server that is killed
INSERT INTO filled.tab (rel)
SELECT c.oid::regclass FROM pg_class c JOIN pg_namespace s ON s.oid = relnamespace
WHERE relkind IN ('r', 'p') AND NOT relispartition AND nspname <> 'filled' AND nspname !~ '^pg_'
    AND nspname <> 'information_schema' AND relpersistence = 'p'
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e');
INSERT INTO filled.col (rel, att, number, type, kind, length, candidates)
SELECT rel, attname, attnum, format_type(atttypid, atttypmod), k.kind, length,
    ARRAY(SELECT candidate FROM (
        SELECT 'nth', 0 WHERE filled.is_valid(format_type(atttypid, atttypmod), filled.nth(k.kind, length, 1))
        UNION SELECT 'null', 1 WHERE NOT attnotnull AND filled.is_valid(format_type(atttypid, atttypmod), NULL)
        UNION SELECT '=' || literal, 2 FROM (
            SELECT COALESCE(replace(m[1], '''''', ''''), m[2]) FROM (
                SELECT pg_get_constraintdef(x.oid) FROM pg_constraint x
                    WHERE contype = 'c' AND (conrelid = attrelid AND attnum = ANY (conkey) OR contypid = atttypid)
                UNION ALL SELECT pg_get_expr(relpartbound, p.oid) FROM pg_inherits JOIN pg_class p ON p.oid = inhrelid
                    WHERE inhparent = attrelid) d (definition),
                regexp_matches(definition, '''((?:[^'']|'''')*)''|(?<![\w.])(\d+)', 'g') m
            UNION SELECT unnest(ARRAY['0', '1', '', '{}'])) l (literal)
        WHERE filled.is_valid(format_type(atttypid, atttypmod), literal)) c (candidate, place)
        ORDER BY place, candidate)
FROM filled.tab JOIN pg_attribute ON attrelid = rel::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    JOIN pg_type t ON t.oid = atttypid LEFT JOIN pg_type b ON b.oid = t.typbasetype,
    LATERAL (SELECT CASE WHEN COALESCE(b.typtype, t.typtype) = 'e' THEN 'enum ' || COALESCE(b.oid, t.oid)
        ELSE replace(format_type(COALESCE(b.oid, t.oid), NULL), 'ulid', 'uuid') END,
        NULLIF(GREATEST(CASE WHEN t.typbasetype <> 0 THEN t.typtypmod ELSE atttypmod END, 3) - 4, -1)) k (kind, length);

-- One row first: where it is not taken, the columns of the constraint, or any, get other values.
DO $$
DECLARE
    t text; failed text; failed_column text; refused text; n integer; done integer;
BEGIN
    FOR t IN SELECT rel FROM filled.tab ORDER BY rel LOOP
        FOR attempt IN 1 .. 500 LOOP
            BEGIN
                EXECUTE filled.statement(t, 1);
                refused := NULL;
                EXIT;
            EXCEPTION WHEN OTHERS THEN
                GET STACKED DIAGNOSTICS failed = CONSTRAINT_NAME, failed_column = COLUMN_NAME, refused = MESSAGE_TEXT;
                UPDATE filled.col SET chosen = 1 + floor(random() * cardinality(candidates))
                WHERE rel = t AND CASE WHEN failed_column <> '' THEN att = failed_column ELSE number = ANY (COALESCE(
                    (SELECT conkey FROM pg_constraint WHERE conrelid = t::regclass AND conname = failed
                        AND contype = 'c'), ARRAY[number])) END;
            END;
        END LOOP;
        done := 0;
        IF refused IS NULL THEN
            done := 1;
            FOR n IN 2 .. current_setting('filled.rows')::integer LOOP
                BEGIN
                    EXECUTE filled.statement(t, n);
                    done := done + 1;
                EXCEPTION WHEN OTHERS THEN
                    NULL;
                END;
            END LOOP;
        END IF;
        UPDATE filled.tab SET error = refused WHERE rel = t;
    END LOOP;
END $$;

-- What refers to a row that was not taken goes.
DO $$
DECLARE
    o record; gone bigint; total bigint;
BEGIN
    LOOP
        total := 0;
        FOR o IN SELECT conrelid::regclass AS rel, confrelid::regclass AS other,
                (SELECT string_agg(format('x.%I IS NOT NULL', a.attname), ' AND ') AS is_set FROM unnest(conkey) k
                    JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = k),
                (SELECT string_agg(format('x.%I::text = y.%I::text', a.attname, b.attname), ' AND ') AS refers
                    FROM unnest(conkey, confkey) k (n, m) JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = n
                    JOIN pg_attribute b ON b.attrelid = confrelid AND b.attnum = m)
            FROM pg_constraint WHERE contype = 'f' AND conparentid = 0
        LOOP
            EXECUTE format('DELETE FROM %s x WHERE %s AND NOT EXISTS (SELECT FROM %s y WHERE %s)', o.rel, o.is_set,
                o.other, o.refers);
            GET DIAGNOSTICS gone = ROW_COUNT;
            total := total + gone;
        END LOOP;
        EXIT WHEN total = 0;
    END LOOP;
    FOR o IN SELECT rel FROM filled.tab LOOP
        EXECUTE format('UPDATE filled.tab SET rows = (SELECT count(*) FROM %s) WHERE rel = %L', o.rel, o.rel);
    END LOOP;
END $$;

UPDATE filled.tab t SET
    key = (SELECT att FROM filled.col c WHERE c.rel = t.rel AND kind = 'uuid' AND candidates[chosen] = 'nth'
            AND 'null' <> ALL (candidates)
        ORDER BY EXISTS (SELECT FROM pg_constraint WHERE contype = 'p' AND conrelid = t.rel::regclass
            AND number = ANY (conkey)) DESC, number LIMIT 1),
    writable = error IS NULL AND NOT EXISTS (SELECT FROM pg_partition_tree(t.rel::regclass) JOIN pg_trigger
            ON tgrelid = relid AND NOT tgisinternal AND tgenabled <> 'D')
        AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = t.rel::regclass AND NOT tgisinternal)
        AND NOT EXISTS (SELECT FROM pg_rewrite WHERE ev_class = t.rel::regclass),
    is_leaf = NOT EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND confrelid = t.rel::regclass);

-- What a client does: inserts one of ten rows and enters it in the ledger, deletes one, writes one again, or reads by
-- way of a reference. It sends ids as text.
CREATE FUNCTION filled.work() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    t record; n integer := 1000 + floor(random() * 10); what double precision := random();
BEGIN
    SELECT rel, key, is_leaf INTO t FROM filled.tab WHERE writable AND key IS NOT NULL ORDER BY random() LIMIT 1;
    SET CONSTRAINTS ALL IMMEDIATE;
    IF what < 0.5 THEN
        INSERT INTO filled.ledger VALUES (t.rel, n);
        EXECUTE filled.statement(t.rel, n, what < 0.2);
    ELSIF what < 0.6 AND t.is_leaf THEN
        DELETE FROM filled.ledger l WHERE l.rel = t.rel AND l.n = work.n;
        EXECUTE format('DELETE FROM %s WHERE %I = %L', t.rel, t.key, filled.id(n));
    ELSIF what < 0.8 THEN
        EXECUTE format('UPDATE %s SET %I = %2$I WHERE %2$I = %L', t.rel, t.key, filled.id(n));
    ELSE
        SELECT conrelid::regclass AS x, confrelid::regclass AS y, a.attname AS a, b.attname AS b INTO t
        FROM pg_constraint JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = conkey[1]
            JOIN pg_attribute b ON b.attrelid = confrelid AND b.attnum = confkey[1]
        WHERE contype = 'f' AND conparentid = 0 ORDER BY random() LIMIT 1;
        EXECUTE format('SELECT FROM %s x JOIN %s y ON x.%I = y.%I', t.x, t.y, t.a, t.b);
    END IF;
EXCEPTION WHEN unique_violation OR foreign_key_violation OR exclusion_violation OR check_violation OR data_exception
    OR undefined_table THEN
    NULL;
END $$;

-- How many rows are not as the ledger has them.
CREATE FUNCTION filled.lost() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    t record; lost bigint; total bigint := 0;
BEGIN
    FOR t IN SELECT rel, key FROM filled.tab WHERE writable AND key IS NOT NULL LOOP
        EXECUTE format('SELECT count(*) FROM generate_series(1000, 1009) n
            WHERE (SELECT count(*) FROM %s WHERE %I::uuid = filled.id(n))
                <> (SELECT count(*) FROM filled.ledger l WHERE l.rel = %1$L AND l.n = n.n)', t.rel, t.key) INTO lost;
        total := total + lost;
    END LOOP;
    RETURN total;
END $$;

-- Takes away what clients have written.
CREATE FUNCTION filled.clean() RETURNS void LANGUAGE plpgsql SET session_replication_role = replica AS $$
DECLARE
    t record;
BEGIN
    FOR t IN SELECT rel, key FROM filled.tab WHERE writable AND key IS NOT NULL LOOP
        EXECUTE format('DELETE FROM %s WHERE %I = ANY (SELECT filled.id(n) FROM generate_series(1000, 1009) n)', t.rel,
            t.key);
    END LOOP;
    TRUNCATE filled.ledger;
END $$;

-- A line for each table, with what is in it: ids as uuids, and without what is generated from them.
CREATE FUNCTION filled.contents() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    t record; line text;
BEGIN
    FOR t IN SELECT rel, string_agg(format(CASE WHEN kind ~ '^uuid' AND format_type(atttypid, NULL) ~ 'ulid'
            THEN '%I::' || kind ELSE '%I' END, att), ', ' ORDER BY number) AS row
        FROM filled.tab JOIN filled.col USING (rel)
            JOIN pg_attribute ON attrelid = rel::regclass AND attname = att GROUP BY rel ORDER BY rel LOOP
        EXECUTE format('SELECT concat_ws('' '', %L, count(*), md5(string_agg(r, E''\n'' ORDER BY r)))
            FROM (SELECT ROW(%s)::text FROM %1$s) x (r)', t.rel, t.row) INTO line;
        RETURN NEXT line;
    END LOOP;
END $$;
