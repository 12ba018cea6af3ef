-- Every operator of uuid in the server and in the extensions at hand, and every operator class with its operators and
-- support functions, ulid has. What it lacks is listed here with the reason, so that additions of a later version are
-- noticed. (Functions: uuid_ambiguity.sql. Casts: sql/parts.sql.)
BEGIN;
SET LOCAL client_min_messages = warning;
SELECT no_plan();

-- Every extension at hand but languages, test tools, and those that are no part of the server.
CREATE FUNCTION create_extensions() RETURNS void LANGUAGE plpgsql AS $$
DECLARE name text;
BEGIN
    FOR name IN SELECT e.name FROM pg_available_extensions AS e
        WHERE e.name !~ '^(pl|pgtap|pg_(cron|partman|uuidv7)|timescaledb|orafce|(pgx?_?)?ulid)|_pl(perl|python)'
        ORDER BY e.name COLLATE "C"
    LOOP
        BEGIN
            EXECUTE format('CREATE EXTENSION IF NOT EXISTS %I CASCADE', name);
        EXCEPTION WHEN OTHERS THEN
            RAISE NOTICE '%: %', name, SQLERRM;
        END;
    END LOOP;
END $$;
SELECT create_extensions();
SELECT has_extension(name) FROM unnest('{amcheck,bloom,btree_gin,btree_gist,hstore,pageinspect,pgstattuple,postgres_fdw,
    uuid-ossp}'::text[]) AS name;

-- The five symbols of operators of ulid and uuid, which only operator families use, are those of no other operator.
CREATE TEMP TABLE hidden AS SELECT o.oid, oprname FROM pg_operator AS o
WHERE (oprleft, oprright) IN (('ulid'::regtype, 'uuid'::regtype), ('uuid'::regtype, 'ulid'::regtype));
SELECT is(count(DISTINCT oprname), 5::bigint, 'there are five') FROM hidden;
SELECT is_empty('SELECT p.oid::regoperator FROM pg_operator AS p JOIN hidden USING (oprname)
    EXCEPT SELECT oid::regoperator FROM hidden',
    'no operator of the server and of the extensions at hand has such a symbol');

-- A type's name, where uuid and ulid are both T, alone, in arrays and in names.
CREATE FUNCTION as_t(name text) RETURNS text LANGUAGE sql
    RETURN regexp_replace(regexp_replace(name, '(public|pg_catalog)\.', '', 'g'), 'u[lu]id', 'T', 'g');

-- What a class can do: its operators and which support functions it has, between T and T.
CREATE TEMP VIEW class AS
SELECT c.opcintype::regtype::text AS type, am.amname || ' ' || regexp_replace(as_t(c.opcname), '^(gist_)?',
    '') AS class,
       c.opcdefault, entry
FROM pg_opclass AS c JOIN pg_am AS am ON am.oid = c.opcmethod, LATERAL (
        SELECT format('operator %s %s%s', amopstrategy, o.oprname, CASE amoppurpose WHEN 'o' THEN ' (order)'
            ELSE '' END)
        FROM pg_amop JOIN pg_operator AS o ON o.oid = amopopr
        WHERE amopfamily = c.opcfamily AND amoplefttype = c.opcintype AND amoprighttype = c.opcintype
        UNION ALL SELECT format('function %s', amprocnum) FROM pg_amproc
        WHERE amprocfamily = c.opcfamily AND amproclefttype IN (c.opcintype, '"any"'::regtype)
            AND amprocrighttype = amproclefttype
        UNION ALL SELECT 'the class') AS e (entry)
WHERE c.opcintype IN ('uuid'::regtype, 'ulid'::regtype);
SELECT cmp_ok(count(*), '>=', 7::bigint, 'uuid has its classes') FROM class WHERE type = 'uuid' AND entry = 'the class';
SELECT is_empty($$SELECT class, entry FROM class WHERE type = 'uuid'
                  EXCEPT SELECT class, entry FROM class WHERE type = 'ulid'
                  EXCEPT VALUES ('gist T_ops', 'function 4'), -- decompression, which does nothing in btree_gist
                      ('btree T_ops', 'function 6')$$,        -- skip support, which a unique key does not need
                'every operator class of uuid, with its operators and support functions');
SELECT is_empty($$SELECT class FROM class WHERE type = 'uuid' AND opcdefault
                  EXCEPT SELECT class FROM class WHERE type = 'ulid' AND opcdefault$$, 'the default where uuid''s is');
SELECT bag_eq($$SELECT class, entry FROM class WHERE type = 'ulid'
      EXCEPT SELECT class, entry FROM class WHERE type = 'uuid'$$,
    $$VALUES ('gist T_ops', 'operator 15 <-> (order)'), ('gist T_ops', 'function 8') -- distance in time
      -- what btree_gist has for uuid, too, in PostgreSQL 18 and later
      UNION ALL SELECT 'gist T_ops', 'function 11' WHERE current_setting('server_version_num')::int < 180000$$,
    'and what ulid has beyond that');

-- To sort uuids, for example, the server may take the family of ulid, which also has the comparison of two uuids.
SELECT is_empty($$SELECT f.opfname, amprocnum, amproc FROM pg_amproc JOIN pg_opfamily AS f ON f.oid = amprocfamily
    WHERE opfname = 'uuid_ops' AND opfmethod IN (SELECT oid FROM pg_am WHERE amname IN ('btree', 'hash'))
    EXCEPT SELECT 'uuid_ops', amprocnum, amproc FROM pg_amproc JOIN pg_opfamily AS f ON f.oid = amprocfamily
        WHERE opfname = 'ulid_ops' AND (amproclefttype, amprocrighttype) = ('uuid'::regtype, 'uuid'::regtype)
    EXCEPT VALUES ('uuid_ops', 4, 'btequalimage'::regproc)        -- deduplication, which only a class asks for
    EXCEPT SELECT 'uuid_ops', 6, amproc FROM pg_amproc WHERE amprocnum = 6$$,
    'the families of ulid have the support functions of uuid for two uuids');

-- Operators, whose other side may be anything. In place of scalarltsel and its like stands the one
-- estimator that test/pgtap/estimate_conditions.sql compares with them.
CREATE TEMP VIEW operator AS
SELECT type, format('%s %s %s %s', as_t(oprleft::regtype::text), oprname, as_t(oprright::regtype::text),
                    as_t(oprresult::regtype::text)) AS operator,
       format('%s %s %s %s', oprcanmerge, oprcanhash,
              regexp_replace(oprrest::text, '^scalar..sel$', 'ulid_ineqsel'), oprjoin) AS properties
FROM unnest(ARRAY['uuid', 'ulid']) AS type, pg_operator
WHERE type::regtype IN (oprleft, oprright) AND NOT ('uuid'::regtype IN (oprleft, oprright)
    AND 'ulid'::regtype IN (oprleft, oprright));
SELECT is_empty($$SELECT operator, properties FROM operator WHERE type = 'uuid'
                  EXCEPT SELECT operator, properties FROM operator WHERE type = 'ulid'$$,
                'every operator of uuid, with its estimators');

SELECT * FROM finish();
ROLLBACK;
