-- What every script of a move has: its settings, and texts that psql reads as they were meant.

-- No name and no comment can have foreseen what is in the tags of a script.
SELECT set_config('ulid_move.tag', 'm' || left(encode(sha256(uuid_send(gen_random_uuid())), 'hex'), 12),
    true) AS tag \gset

-- The settings of a script, whatever is set for the role or the database; but not how a date is read and written, which
-- a materialized view and an index are filled with. The last line of a script ends the \if: so psql says of one that was
-- cut off, whose writing was stopped, that it was.
CREATE FUNCTION pg_temp.settings() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat_ws(E'\n', '\set ON_ERROR_STOP on', '\set QUIET on', '\if true',
        'SET search_path = pg_catalog, pg_temp;',
        'SET statement_timeout = 0;', 'SET lock_timeout = 0;', 'SET idle_in_transaction_session_timeout = 0;',
        (SELECT 'SET transaction_timeout = 0;' FROM pg_settings WHERE name = 'transaction_timeout'),
        'SET default_transaction_read_only = off;', 'SET default_transaction_isolation = ''read committed'';',
        'SET client_min_messages = warning;', 'SET row_security = on;', 'SET check_function_bodies = off;',
        'SET standard_conforming_strings = on;', 'SET quote_all_identifiers = off;', 'SET default_tablespace = '''';',
        'SET array_nulls = on;',
        '\encoding ' || getdatabaseencoding(),
        '\pset format unaligned', '\pset tuples_only on', '\pset pager off',
        'SELECT set_config(''ulid_move.began'', extract(epoch FROM clock_timestamp())::text, false) AS began \gset')
$$;

-- A step: what is to be done, if it is, below a line that says so, and when. A script that is run again says
-- nothing of what is done.
CREATE FUNCTION pg_temp.step(title text, todo text, body text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'SELECT %s AS todo \\gset\n\\if :todo\n%s\n%s\n\\endif', todo, pg_temp.say(title),
        rtrim(body, E'\n'))
$$;

CREATE FUNCTION pg_temp.say(title text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'SELECT pg_temp.ulid_move_say(%L);\n\\set ulid_move_worked 1', pg_temp.line(title))
$$;

-- The end of a script, with what it has come to.
CREATE FUNCTION pg_temp.summary() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'\nDO ''BEGIN PERFORM pg_temp.ulid_move_end(); END'';\n'
        '\\if :{?ulid_move_worked}\n%s\n\\else\n\\echo Nothing to do: %s\n\\endif\n\\endif',
        pg_temp.say('Done: ' || what), what)
    FROM (SELECT format('%s columns of %s tables are of %s', count(*), count(DISTINCT rel),
            CASE (SELECT target FROM ulid_move_setting) WHEN 'text' THEN 'their type'
                ELSE 'type ' || (SELECT target FROM ulid_move_setting) END)
        FROM (SELECT rel, att FROM all_moved UNION SELECT rel, att FROM copied_column WHERE moves) m) x (what)
$$;

-- Stops a script that is run in another database than it was written for, unless that is a copy of it.
CREATE FUNCTION pg_temp.in_database() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(pg_temp.tagged($template$DO $ulid_move$
BEGIN
    IF to_regtype(%1$L) IS NULL OR NOT EXISTS (SELECT FROM unnest(%2$L::text[], %3$L::text[]) u (rel, att)
        JOIN pg_attribute ON attrelid = to_regclass(rel) AND attname = att AND NOT attisdropped)
        -- what a move has left here, if all else was dropped meanwhile
        AND NOT EXISTS (SELECT FROM unnest(%5$L::text[]) s WHERE to_regnamespace(s) IS NOT NULL)
    THEN
        RAISE EXCEPTION 'database %% has %%', current_database(), CASE WHEN to_regtype(%1$L) IS NULL
                THEN format('no type %%s', %1$L) ELSE 'none of the columns that this moves' END
            USING ERRCODE = 'undefined_object', HINT = 'Nothing was done. This was written in database ' || %4$L
                || '.';
    END IF;
END $ulid_move$;$template$), schema || '.ulid', rels, atts, quote_ident(current_database()),
        ARRAY(SELECT DISTINCT gone_schema FROM copied))
    FROM ulid_move_setting, (SELECT array_agg(rel::regclass::text ORDER BY rel, att),
        array_agg(attname ORDER BY rel, att)
        FROM (SELECT rel, att FROM all_moved UNION SELECT rel, att FROM copied_column WHERE moves) m
            JOIN pg_attribute ON attrelid = rel AND attnum = att) m (rels, atts)
$$;

-- Names may hold anything, and psql reads what it is given: a comment and an \echo end with their line, a
-- quoted body at its tag.
CREATE FUNCTION pg_temp.line(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT regexp_replace($1, '[\r\n]+', ' ', 'g')
$$;
CREATE FUNCTION pg_temp.tag(body text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT 'm' || left(encode(sha256(textsend(body)), 'hex'), 20)
$$;

-- A template with tags that no name and no comment can have foreseen.
CREATE FUNCTION pg_temp.tagged(template text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT regexp_replace(template, '\$(ulid_move|q(?=\$))', '$' || current_setting('ulid_move.tag') || '\1',
        'g')
$$;
