-- ULIDs over uuid columns, for servers on which no extension can be installed: SQL and PL/pgSQL
-- alone, PostgreSQL 14 and later. What a function gives is byte for byte what the extension's
-- function of that name gives, with `uuid` in place of `ulid`. See doc/managed.md.
--
--     psql --single-transaction -f ulid_sql.sql
--
-- All is in the schema ulid_sql, so that the extension, when it comes, is not in the way. Nothing
-- depends on the search_path, neither of who calls it nor of who runs this file.

-- While it runs only the server's own operators and functions are found; at its end the path is as it was.
-- A schema of somebody else's could hold functions that stay his.
DO $$
BEGIN
    PERFORM pg_catalog.set_config('ulid_sql.search_path', pg_catalog.current_setting('search_path'), false),
        pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', false);
    IF EXISTS (SELECT FROM pg_namespace WHERE nspname = 'ulid_sql' AND pg_get_userbyid(nspowner) <> current_user) THEN
        RAISE insufficient_privilege USING MESSAGE = 'the schema ulid_sql belongs to somebody else';
    END IF;
END
$$;

CREATE SCHEMA IF NOT EXISTS ulid_sql;
GRANT USAGE ON SCHEMA ulid_sql TO PUBLIC;
COMMENT ON SCHEMA ulid_sql IS 'ULIDs over uuid columns, without the extension';

--
-- A ULID is 48 bits of Unix milliseconds and, here, two words of 40 bits of randomness
--

CREATE OR REPLACE FUNCTION ulid_sql.word(id uuid, first integer, digits integer) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ('x' || lpad(substr(replace(id::text, '-', ''), first, digits), 16, '0'))::bit(64)::bigint;
COMMENT ON FUNCTION ulid_sql.word(uuid, integer, integer) IS
    'internal: the number that some hexadecimal digits of a uuid are';

CREATE OR REPLACE FUNCTION ulid_sql.from_words(milliseconds bigint, high bigint, low bigint) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (lpad(to_hex(milliseconds), 12, '0') || lpad(to_hex(high), 10, '0') ||
            lpad(to_hex(low), 10, '0'))::uuid;
COMMENT ON FUNCTION ulid_sql.from_words(bigint, bigint, bigint) IS
    'internal: the ULID of its time and of two words of 40 bits of randomness';

CREATE OR REPLACE FUNCTION ulid_sql.milliseconds(t timestamptz) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN extract(epoch FROM t AT TIME ZONE 'UTC') * 1000;
COMMENT ON FUNCTION ulid_sql.milliseconds(timestamptz) IS 'internal: a time in Unix milliseconds';

-- What is below the millisecond is cut off towards the past.
CREATE OR REPLACE FUNCTION ulid_sql.of_time(t timestamptz, high bigint, low bigint) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF t < '1970-01-01 00:00:00Z' OR t >= '10889-08-02 05:31:50.656Z' THEN
        RAISE datetime_field_overflow USING
            MESSAGE = format('timestamp "%s" is out of range for type ulid', t);
    END IF;
    RETURN ulid_sql.from_words(floor(ulid_sql.milliseconds(t))::bigint, high, low);
END
$$;
COMMENT ON FUNCTION ulid_sql.of_time(timestamptz, bigint, bigint) IS
    'internal: the ULID of a time and of two words of 40 bits of randomness';

--
-- Text
--

CREATE OR REPLACE FUNCTION ulid_sql.ulid_to_text(id uuid) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    digits CONSTANT text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    milliseconds CONSTANT bigint := ulid_sql.word(id, 1, 12);
    high CONSTANT bigint := ulid_sql.word(id, 13, 10);
    low CONSTANT bigint := ulid_sql.word(id, 23, 10);
BEGIN
    RETURN
        substr(digits, (milliseconds >> 45 & 31)::integer + 1, 1) || substr(digits, (milliseconds >> 40 & 31)::integer + 1, 1) ||
        substr(digits, (milliseconds >> 35 & 31)::integer + 1, 1) || substr(digits, (milliseconds >> 30 & 31)::integer + 1, 1) ||
        substr(digits, (milliseconds >> 25 & 31)::integer + 1, 1) || substr(digits, (milliseconds >> 20 & 31)::integer + 1, 1) ||
        substr(digits, (milliseconds >> 15 & 31)::integer + 1, 1) || substr(digits, (milliseconds >> 10 & 31)::integer + 1, 1) ||
        substr(digits, (milliseconds >> 5 & 31)::integer + 1, 1) || substr(digits, (milliseconds & 31)::integer + 1, 1) ||
        substr(digits, (high >> 35 & 31)::integer + 1, 1) || substr(digits, (high >> 30 & 31)::integer + 1, 1) ||
        substr(digits, (high >> 25 & 31)::integer + 1, 1) || substr(digits, (high >> 20 & 31)::integer + 1, 1) ||
        substr(digits, (high >> 15 & 31)::integer + 1, 1) || substr(digits, (high >> 10 & 31)::integer + 1, 1) ||
        substr(digits, (high >> 5 & 31)::integer + 1, 1) || substr(digits, (high & 31)::integer + 1, 1) ||
        substr(digits, (low >> 35 & 31)::integer + 1, 1) || substr(digits, (low >> 30 & 31)::integer + 1, 1) ||
        substr(digits, (low >> 25 & 31)::integer + 1, 1) || substr(digits, (low >> 20 & 31)::integer + 1, 1) ||
        substr(digits, (low >> 15 & 31)::integer + 1, 1) || substr(digits, (low >> 10 & 31)::integer + 1, 1) ||
        substr(digits, (low >> 5 & 31)::integer + 1, 1) || substr(digits, (low & 31)::integer + 1, 1);
END
$$;
COMMENT ON FUNCTION ulid_sql.ulid_to_text(uuid) IS 'the 26 characters of a ULID';

-- In any case; I and L read as 1 and O as 0, as Crockford says.
CREATE OR REPLACE FUNCTION ulid_sql.canonical(t text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN translate(t, 'abcdefghjkmnpqrstvwxyzIiLlOo', 'ABCDEFGHJKMNPQRSTVWXYZ111100');
COMMENT ON FUNCTION ulid_sql.canonical(text) IS 'internal: a text in the digits that ulid_to_text writes';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_is_valid(t text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ulid_sql.canonical(t) COLLATE "C" ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$';
COMMENT ON FUNCTION ulid_sql.ulid_is_valid(text) IS 'whether a text is a ULID';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_from_text(t text) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    -- not the collation of t, by which no text may be searched if it is not deterministic
    digits CONSTANT text COLLATE "C" := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    canonical CONSTANT text COLLATE "C" := ulid_sql.canonical(t);
BEGIN
    IF canonical !~ '^[0-9A-HJKMNP-TV-Z]{26}$' THEN
        RAISE invalid_text_representation USING
            MESSAGE = format('invalid input syntax for type ulid: "%s"', t);
    ELSIF canonical !~ '^[0-7]' THEN
        RAISE numeric_value_out_of_range USING
            MESSAGE = format('value "%s" is out of range for type ulid', t);
    END IF;
    RETURN ulid_sql.from_words(
        ((strpos(digits, substr(canonical, 1, 1)) - 1)::bigint << 45) | ((strpos(digits, substr(canonical, 2, 1)) - 1)::bigint << 40) |
        ((strpos(digits, substr(canonical, 3, 1)) - 1)::bigint << 35) | ((strpos(digits, substr(canonical, 4, 1)) - 1)::bigint << 30) |
        ((strpos(digits, substr(canonical, 5, 1)) - 1)::bigint << 25) | ((strpos(digits, substr(canonical, 6, 1)) - 1)::bigint << 20) |
        ((strpos(digits, substr(canonical, 7, 1)) - 1)::bigint << 15) | ((strpos(digits, substr(canonical, 8, 1)) - 1)::bigint << 10) |
        ((strpos(digits, substr(canonical, 9, 1)) - 1)::bigint << 5) | (strpos(digits, substr(canonical, 10, 1)) - 1)::bigint,
        ((strpos(digits, substr(canonical, 11, 1)) - 1)::bigint << 35) | ((strpos(digits, substr(canonical, 12, 1)) - 1)::bigint << 30) |
        ((strpos(digits, substr(canonical, 13, 1)) - 1)::bigint << 25) | ((strpos(digits, substr(canonical, 14, 1)) - 1)::bigint << 20) |
        ((strpos(digits, substr(canonical, 15, 1)) - 1)::bigint << 15) | ((strpos(digits, substr(canonical, 16, 1)) - 1)::bigint << 10) |
        ((strpos(digits, substr(canonical, 17, 1)) - 1)::bigint << 5) | (strpos(digits, substr(canonical, 18, 1)) - 1)::bigint,
        ((strpos(digits, substr(canonical, 19, 1)) - 1)::bigint << 35) | ((strpos(digits, substr(canonical, 20, 1)) - 1)::bigint << 30) |
        ((strpos(digits, substr(canonical, 21, 1)) - 1)::bigint << 25) | ((strpos(digits, substr(canonical, 22, 1)) - 1)::bigint << 20) |
        ((strpos(digits, substr(canonical, 23, 1)) - 1)::bigint << 15) | ((strpos(digits, substr(canonical, 24, 1)) - 1)::bigint << 10) |
        ((strpos(digits, substr(canonical, 25, 1)) - 1)::bigint << 5) | (strpos(digits, substr(canonical, 26, 1)) - 1)::bigint);
END
$$;
COMMENT ON FUNCTION ulid_sql.ulid_from_text(text) IS 'the ULID of 26 characters';

--
-- Parts and bounds
--

-- In seconds and milliseconds, as an interval is multiplied by a float, which has not enough digits
-- for a number of milliseconds after the year 2255.
CREATE OR REPLACE FUNCTION ulid_sql.ulid_timestamp(id uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ('1970-01-01'::timestamp + ulid_sql.word(id, 1, 12) / 1000 * interval '1 second'
            + ulid_sql.word(id, 1, 12) % 1000 * interval '1 millisecond') AT TIME ZONE 'UTC';
COMMENT ON FUNCTION ulid_sql.ulid_timestamp(uuid) IS 'the time of a ULID, to the millisecond';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_randomness(id uuid) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN substr(uuid_send(id), 7);
COMMENT ON FUNCTION ulid_sql.ulid_randomness(uuid) IS 'the randomness of a ULID, 10 bytes';

CREATE OR REPLACE FUNCTION ulid_sql.make_ulid(t timestamptz, randomness bytea) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    first CONSTANT uuid := ulid_sql.of_time(t, 0, 0);
BEGIN
    IF length(randomness) <> 10 THEN
        RAISE invalid_parameter_value USING MESSAGE = 'invalid length for the randomness of a ULID';
    END IF;
    RETURN encode(overlay(uuid_send(first) PLACING randomness FROM 7), 'hex')::uuid;
END
$$;
COMMENT ON FUNCTION ulid_sql.make_ulid(timestamptz, bytea) IS
    'the ULID of a time and a randomness of 10 bytes';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_min(t timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ulid_sql.of_time(t, 0, 0);
COMMENT ON FUNCTION ulid_sql.ulid_min(timestamptz) IS 'the least ULID of the millisecond of a time';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_max(t timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ulid_sql.of_time(t, (1::bigint << 40) - 1, (1::bigint << 40) - 1);
COMMENT ON FUNCTION ulid_sql.ulid_max(timestamptz) IS 'the greatest ULID of the millisecond of a time';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_lower_bound(t timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE
        WHEN t <= '1970-01-01 00:00:00Z'::timestamptz THEN '00000000-0000-0000-0000-000000000000'::uuid
        WHEN t > '10889-08-02 05:31:50.655Z'::timestamptz THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid
        ELSE ulid_sql.from_words(ceil(ulid_sql.milliseconds(t))::bigint, 0, 0)
    END;
COMMENT ON FUNCTION ulid_sql.ulid_lower_bound(timestamptz) IS
    'the first ULID that is not earlier; the greatest past the end';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_upper_bound(t timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE
        WHEN t < '1970-01-01 00:00:00Z'::timestamptz THEN '00000000-0000-0000-0000-000000000000'::uuid
        WHEN t >= '10889-08-02 05:31:50.655Z'::timestamptz THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid
        ELSE ulid_sql.from_words(floor(ulid_sql.milliseconds(t))::bigint + 1, 0, 0)
    END;
COMMENT ON FUNCTION ulid_sql.ulid_upper_bound(timestamptz) IS
    'the first ULID that is later; the greatest past the end';

--
-- Generators
--

-- The randomness is the server's strong one. The first 40 bits of a random uuid are all random: its
-- version and its variant come later.
CREATE OR REPLACE FUNCTION ulid_sql.gen_ulid(t timestamptz) RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE
    RETURN ulid_sql.of_time(
        t, ulid_sql.word(gen_random_uuid(), 1, 10), ulid_sql.word(gen_random_uuid(), 1, 10));
COMMENT ON FUNCTION ulid_sql.gen_ulid(timestamptz) IS 'a ULID of that time with fresh randomness';

CREATE OR REPLACE FUNCTION ulid_sql.gen_random_ulid() RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE
    RETURN ulid_sql.gen_ulid(clock_timestamp());
COMMENT ON FUNCTION ulid_sql.gen_random_ulid() IS 'a ULID of the time now with fresh randomness';

CREATE OR REPLACE FUNCTION ulid_sql.next_by(id uuid, t timestamptz, step bigint) RETURNS uuid
    LANGUAGE plpgsql VOLATILE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    low CONSTANT bigint := ulid_sql.word(id, 23, 10) + step;
    high CONSTANT bigint := ulid_sql.word(id, 13, 10) + (low >> 40);
BEGIN
    -- gen_ulid() refuses a time that no ULID can have, before 1970 as well.
    IF id IS NULL OR t >= ulid_sql.ulid_timestamp(id) + interval '1 millisecond' OR t < '1970-01-01 00:00:00Z' THEN
        RETURN ulid_sql.gen_ulid(t);
    ELSIF high >> 40 > 0 THEN
        RAISE sequence_generator_limit_exceeded USING MESSAGE = 'no ULID is left in this millisecond';
    END IF;
    RETURN ulid_sql.from_words(ulid_sql.word(id, 1, 12), high, low & ((1::bigint << 40) - 1));
END
$$;
COMMENT ON FUNCTION ulid_sql.next_by(uuid, timestamptz, bigint) IS
    'internal: fresh in a later millisecond than that of the ULID, or else it plus a step of at most 40 bits';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_next(id uuid, t timestamptz) RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE
    RETURN ulid_sql.next_by(id, t, 1);
COMMENT ON FUNCTION ulid_sql.ulid_next(uuid, timestamptz) IS 'the successor of a ULID at that time';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_next(id uuid) RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE
    RETURN ulid_sql.next_by(id, clock_timestamp(), 1);
COMMENT ON FUNCTION ulid_sql.ulid_next(uuid) IS 'the successor of a ULID now';

-- The order of a session: in a new millisecond fresh randomness, in the same one the last plus a
-- random step of 1 to 2^32. Not plus 1: what was last is kept in a setting, which is rolled back with
-- its transaction, and the same ULID would be given again.
CREATE OR REPLACE FUNCTION ulid_sql.gen_ulid() RETURNS uuid
    LANGUAGE sql VOLATILE PARALLEL UNSAFE
    RETURN set_config('ulid_sql.last',
        ulid_sql.next_by(nullif(current_setting('ulid_sql.last', true), '')::uuid, clock_timestamp(),
                         ulid_sql.word(gen_random_uuid(), 1, 8) + 1)::text,
        false)::uuid;
COMMENT ON FUNCTION ulid_sql.gen_ulid() IS
    'a ULID greater than every one it gave before in this session, save in what was rolled back';

DO $$
BEGIN
    PERFORM set_config('search_path', current_setting('ulid_sql.search_path'), false);
END
$$;
