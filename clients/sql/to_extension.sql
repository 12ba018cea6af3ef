-- Makes the functions of ulid_sql.sql call the extension. Defaults, views, functions, indexes and policies that call
-- them do not change, but become as fast as the extension. The ids and the texts are the same. To undo this, run
-- ulid_sql.sql again. See doc/managed.md.
--
--     psql --single-transaction -d DATABASE -f to_extension.sql
\set ON_ERROR_STOP on
SELECT pg_catalog.current_setting('search_path') AS path \gset
-- All names below are the server's own, unless they name the schema of the extension.
SET search_path = pg_catalog, pg_temp;
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'ulid') THEN
        RAISE undefined_object USING MESSAGE = 'extension "ulid" is not installed in this database',
            HINT = 'Run CREATE EXTENSION ulid.';
    END IF;
END
$$;
SELECT quote_ident(nspname) AS schema
FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ulid' \gset

CREATE OR REPLACE FUNCTION ulid_sql.gen_ulid() RETURNS uuid
    LANGUAGE sql VOLATILE PARALLEL RESTRICTED RETURN :schema.gen_ulid();
CREATE OR REPLACE FUNCTION ulid_sql.gen_ulid(t timestamptz) RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE RETURN :schema.gen_ulid(t);
CREATE OR REPLACE FUNCTION ulid_sql.gen_random_ulid() RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE RETURN :schema.gen_random_ulid();
CREATE OR REPLACE FUNCTION ulid_sql.gen_uuidv7() RETURNS uuid
    LANGUAGE sql VOLATILE PARALLEL RESTRICTED RETURN :schema.gen_uuidv7();
CREATE OR REPLACE FUNCTION ulid_sql.gen_uuidv7(t timestamptz) RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE RETURN :schema.gen_uuidv7(t);
CREATE OR REPLACE FUNCTION ulid_sql.ulid_next(id uuid, t timestamptz) RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE RETURN :schema.ulid_next(id:::schema.ulid, t);
CREATE OR REPLACE FUNCTION ulid_sql.ulid_next(id uuid) RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE RETURN :schema.ulid_next(id:::schema.ulid);

CREATE OR REPLACE FUNCTION ulid_sql.ulid_to_text(id uuid) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN id:::schema.ulid::text;
CREATE OR REPLACE FUNCTION ulid_sql.ulid_from_text(t text) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN t:::schema.ulid;
CREATE OR REPLACE FUNCTION ulid_sql.ulid_is_valid(t text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN :schema.ulid_is_valid(t);

CREATE OR REPLACE FUNCTION ulid_sql.ulid_timestamp(id uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN :schema.ulid_timestamp(id:::schema.ulid);
CREATE OR REPLACE FUNCTION ulid_sql.ulid_randomness(id uuid) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN :schema.ulid_randomness(id:::schema.ulid);
CREATE OR REPLACE FUNCTION ulid_sql.make_ulid(t timestamptz, randomness bytea) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN :schema.make_ulid(t, randomness);
CREATE OR REPLACE FUNCTION ulid_sql.ulid_min(t timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN :schema.ulid_min(t);
CREATE OR REPLACE FUNCTION ulid_sql.ulid_max(t timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN :schema.ulid_max(t);
CREATE OR REPLACE FUNCTION ulid_sql.uuidv7_min(t timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN :schema.uuidv7_min(t);
CREATE OR REPLACE FUNCTION ulid_sql.ulid_lower_bound(t timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN :schema.ulid_lower_bound(t);
CREATE OR REPLACE FUNCTION ulid_sql.ulid_upper_bound(t timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN :schema.ulid_upper_bound(t);

SELECT pg_catalog.set_config('search_path', :'path', false) AS search_path \gset
