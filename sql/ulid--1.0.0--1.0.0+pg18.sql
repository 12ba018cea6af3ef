-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION ulid UPDATE" to load this file. \quit

--
-- What the extension has on PostgreSQL 18 and later, after a new installation as after pg_upgrade
--

-- Skip scans of btree indexes.
CREATE FUNCTION ulid_skipsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_skipsupport(internal) IS 'skip support';
ALTER OPERATOR FAMILY ulid_ops USING btree
    ADD FUNCTION 6 (ulid, ulid) ulid_skipsupport(internal);

-- Temporal keys.
CREATE FUNCTION ulid_gist_translate_cmptype(integer) RETURNS smallint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gist_translate_cmptype(integer) IS 'GiST support';
ALTER OPERATOR FAMILY gist_ulid_ops USING gist
    ADD FUNCTION 12 ("any", "any") ulid_gist_translate_cmptype(integer);
