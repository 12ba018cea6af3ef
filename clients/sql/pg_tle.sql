-- Registers ulid_sql.sql with pg_tle as an extension that needs no file on the server. If an older version is
-- registered, registers the new version and an update to it. See doc/managed.md.
--
--     cd clients/sql && psql -d DATABASE -f pg_tle.sql
--
-- Run it as a member of pgtle_admin. Then run CREATE EXTENSION ulid_sql, or ALTER EXTENSION ulid_sql UPDATE, as the
-- owner.
\set ON_ERROR_STOP on
\set source `cat ulid_sql.sql`

BEGIN;
-- The comment on the schema has the version. CREATE EXTENSION itself sets and restores the search_path.
SELECT substring(:'source' FROM '''ULIDs over[^'']* version ([^'']+)''') AS version,
    'SET LOCAL search_path = pg_catalog, pg_temp;'
    || regexp_replace(:'source', '\nDO \$\$\n.*?\n\$\$;', '', 'g') AS script \gset
\if :{?version}
\else
    DO 'BEGIN RAISE ''ulid_sql.sql is not in the directory in which psql runs''; END';
\endif
SELECT count(*) > 0 AS is_registered, count(*) FILTER (WHERE version = :'version') > 0 AS is_known
FROM pgtle.available_extension_versions() WHERE name = 'ulid_sql' \gset

\if :is_known
    \warn ulid_sql :version 'is registered'
\elif :is_registered
    -- Each version creates or replaces all functions, so it can update every earlier version.
    SELECT array_agg(version) AS versions FROM pgtle.available_extension_versions() WHERE name = 'ulid_sql' \gset
    SELECT pgtle.install_extension_version_sql('ulid_sql', :'version', :'script');
    SELECT pgtle.install_update_path('ulid_sql', before, :'version', :'script')
    FROM unnest(:'versions'::text[]) AS before;
    SELECT pgtle.set_default_version('ulid_sql', :'version');
\else
    SELECT pgtle.install_extension('ulid_sql', :'version', 'ULIDs over uuid columns', :'script');
\endif
COMMIT;
