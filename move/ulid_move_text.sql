-- What every script of a move has: its settings, and texts that psql reads as they were meant.

-- The settings of a script, whatever is set for the role or the database.
CREATE FUNCTION pg_temp.settings() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'\\set ON_ERROR_STOP on\n\\set QUIET on\nSET statement_timeout = 0;\nSET lock_timeout = '
        '0;\nSET idle_in_transaction_session_timeout = 0;\n'
        '%sSET default_transaction_read_only = off;\nSET default_transaction_isolation = ''read committed'';\n'
        'SET client_min_messages = warning;\nSET search_path = %s;\nSET row_security = on;\nSET '
            'check_function_bodies = off;\nSET standard_conforming_strings = on;\n'
        'SET datestyle = ''ISO, MDY'';\nSET intervalstyle = ''postgres'';\nSET default_tablespace '
            '= '''';\n\\encoding %s',
        (SELECT E'SET transaction_timeout = 0;\n' FROM pg_settings WHERE name = 'transaction_timeout'),
        concat_ws(', ', 'pg_catalog', schema, 'pg_temp'), getdatabaseencoding())
    FROM ulid_move_setting
$$;

-- Names may hold anything, and psql reads what it is given: a comment and an \echo end with their line, a
-- quoted body at its tag.
CREATE FUNCTION pg_temp.line(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT regexp_replace($1, '[\r\n]+', ' ', 'g') $$;
CREATE FUNCTION pg_temp.tag(body text) RETURNS text LANGUAGE sql STABLE AS $$ SELECT 'm'
    || left(encode(sha256(textsend(body)), 'hex'), 20) $$;

-- A template with tags that no name and no comment can have foreseen.
CREATE FUNCTION pg_temp.tagged(template text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT regexp_replace(template, '\$(ulid_move|q(?=\$))', '$' || current_setting('ulid_move.tag') || '\1',
        'g')
$$;
