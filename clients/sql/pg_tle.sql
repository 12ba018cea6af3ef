-- Registers ulid_sql.sql with pg_tle, so that it is an extension without a file on the server, or registers a new
-- version of it and the way there. See doc/managed.md.
--
--     cd clients/sql && psql -d DATABASE -f pg_tle.sql
--
-- as a member of pgtle_admin; then, as who is to own it, CREATE EXTENSION ulid_sql, or ALTER EXTENSION ulid_sql UPDATE.
\set ON_ERROR_STOP on
\set source `cat ulid_sql.sql`

BEGIN;
-- The version is that of the comment. CREATE EXTENSION sets the search_path, and takes it back, by itself.
SELECT substring(:'source' FROM '''ULIDs over[^'']* version ([^'']+)''') AS version,
    'SET LOCAL search_path = pg_catalog, pg_temp;' || regexp_replace(:'source', '\nDO \$\$\n.*?\n\$\$;', '', 'g') AS script \gset
\if :{?version}
\else
    DO 'BEGIN RAISE ''ulid_sql.sql is not in the directory in which psql runs''; END';
\endif
SELECT count(*) > 0 AS is_registered, count(*) FILTER (WHERE version = :'version') > 0 AS is_known
FROM pgtle.available_extension_versions() WHERE name = 'ulid_sql' \gset

\if :is_known
    \warn ulid_sql :version 'is registered'
\elif :is_registered
    -- Each version creates or replaces all there is, so it is an update of every one before it.
    SELECT array_agg(version) AS versions FROM pgtle.available_extension_versions() WHERE name = 'ulid_sql' \gset
    SELECT pgtle.install_extension_version_sql('ulid_sql', :'version', :'script');
    SELECT pgtle.install_update_path('ulid_sql', before, :'version', :'script') FROM unnest(:'versions'::text[]) AS before;
    SELECT pgtle.set_default_version('ulid_sql', :'version');
\else
    SELECT pgtle.install_extension('ulid_sql', :'version', 'ULIDs over uuid columns', :'script');
\endif
COMMIT;
