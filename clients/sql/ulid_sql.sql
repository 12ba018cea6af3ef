-- ULIDs in uuid columns, for servers on which no extension can be installed. This file needs only
-- SQL and PL/pgSQL on PostgreSQL 15 or later. Each function returns the same bytes as the
-- extension's function of that name, but as `uuid` instead of `ulid`. See doc/managed.md.
--
--     psql --single-transaction -f ulid_sql.sql
--
-- Everything is in the schema ulid_sql, so that it does not conflict with the extension if that is
-- installed later. Nothing depends on the search_path of the caller or of the role that runs this file.

-- While this file runs, the search_path contains only the server's own objects. The end of the file restores it.
-- If another role owned the schema, that role could own functions that this file cannot replace.
DO $$
BEGIN
    PERFORM pg_catalog.set_config('ulid_sql.search_path', pg_catalog.current_setting('search_path'), false),
        pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', false);
    IF EXISTS (SELECT FROM pg_namespace WHERE nspname = 'ulid_sql' AND pg_get_userbyid(nspowner) <> current_user) THEN
        RAISE insufficient_privilege USING MESSAGE = 'schema "ulid_sql" belongs to another role';
    END IF;
END
$$;

CREATE SCHEMA IF NOT EXISTS ulid_sql;
GRANT USAGE ON SCHEMA ulid_sql TO PUBLIC;
-- pg_tle.sql and the npm package read the version from this comment.
COMMENT ON SCHEMA ulid_sql IS 'ULIDs over uuid columns, without the extension, version 1.0.0';

-- Internal functions pass a ULID as 32 hexadecimal digits: 12 of Unix milliseconds, 20 of randomness.
--
-- PostgreSQL resolves the names in an SQL function with RETURN when it creates the function, and can inline it
-- (a strict one only if all functions that it calls are strict).
-- It resolves the names in PL/pgSQL at run time. So PL/pgSQL functions qualify all names, even operators.
-- Setting the search_path for each call would also work, but takes longer than some of these functions.

CREATE OR REPLACE FUNCTION ulid_sql.hex(n bigint, digits integer) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN lpad(to_hex(n), digits, '0');
COMMENT ON FUNCTION ulid_sql.hex(bigint, integer) IS 'internal: a number in so many hexadecimal digits';

CREATE OR REPLACE FUNCTION ulid_sql.hex(id uuid) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN encode(uuid_send(id), 'hex');
COMMENT ON FUNCTION ulid_sql.hex(uuid) IS 'internal: the 32 hexadecimal digits of a ULID';

CREATE OR REPLACE FUNCTION ulid_sql.milliseconds(t timestamptz) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN extract(epoch FROM t AT TIME ZONE 'UTC') * 1000;
COMMENT ON FUNCTION ulid_sql.milliseconds(timestamptz) IS 'internal: a time in Unix milliseconds';

CREATE OR REPLACE FUNCTION ulid_sql.hex(t timestamptz) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    IF t OPERATOR(pg_catalog.<) '1970-01-01 00:00:00Z' OR t OPERATOR(pg_catalog.>=) '10889-08-02 05:31:50.656Z' THEN
        RAISE datetime_field_overflow USING MESSAGE =
            pg_catalog.format('timestamp "%s" is out of range for type ulid', t);
    END IF;
    RETURN ulid_sql.hex(pg_catalog.floor(ulid_sql.milliseconds(t))::bigint, 12);
END
$$;
COMMENT ON FUNCTION ulid_sql.hex(timestamptz) IS 'internal: the 12 hexadecimal digits of a time';

-- Text ---

-- Here and below, all operators have the same precedence: `a << 8 | b << 8 | c` is `((a << 8 | b) << 8) | c`.
CREATE OR REPLACE FUNCTION ulid_sql.base32(b bytea, at integer, digits bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN int8send(
        get_byte(digits, get_byte(b, at) >> 3)::bigint << 8
        | get_byte(digits, get_byte(b, at) << 8 | get_byte(b, at + 1) >> 6 & 31) << 8
        | get_byte(digits, get_byte(b, at + 1) >> 1 & 31) << 8
        | get_byte(digits, get_byte(b, at + 1) << 8 | get_byte(b, at + 2) >> 4 & 31) << 8
        | get_byte(digits, get_byte(b, at + 2) << 8 | get_byte(b, at + 3) >> 7 & 31) << 8
        | get_byte(digits, get_byte(b, at + 3) >> 2 & 31) << 8
        | get_byte(digits, get_byte(b, at + 3) << 8 | get_byte(b, at + 4) >> 5 & 31) << 8
        | get_byte(digits, get_byte(b, at + 4) & 31));
COMMENT ON FUNCTION ulid_sql.base32(bytea, integer, bytea) IS 'internal: 5 bytes as 8 of 32 digits';

CREATE OR REPLACE FUNCTION ulid_sql.base32(b bytea, digits bytea) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN encode(
        int2send((get_byte(digits, get_byte(b, 0) >> 5) << 8 | get_byte(digits, get_byte(b, 0) & 31))::smallint)
        || ulid_sql.base32(b, 1, digits) || ulid_sql.base32(b, 6, digits) || ulid_sql.base32(b, 11, digits),
        'escape');
COMMENT ON FUNCTION ulid_sql.base32(bytea, bytea) IS 'internal: 16 bytes as 26 of 32 digits';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_to_text(id uuid) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    b CONSTANT pg_catalog.bytea := pg_catalog.uuid_send(id);
    digits CONSTANT pg_catalog.bytea := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
BEGIN
    RETURN ulid_sql.base32(b, digits);
END
$$;
COMMENT ON FUNCTION ulid_sql.ulid_to_text(uuid) IS 'the 26 characters of a ULID';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_is_valid(t text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN t COLLATE "C" ~ '^[0-7IiLlOo][0-9A-TV-Za-tv-z]{25}$';
COMMENT ON FUNCTION ulid_sql.ulid_is_valid(text) IS 'whether a text is a ULID';

CREATE OR REPLACE FUNCTION ulid_sql.digit_values() RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN decode(
        repeat('ff', 48) || '00010203040506070809' || repeat('ff', 7)
        -- A to Z and a to z: I and L are 1, O is 0, U is invalid
        || '0a0b0c0d0e0f101101121301141500161718191aff1b1c1d1e1f' || repeat('ff', 6)
        || '0a0b0c0d0e0f101101121301141500161718191aff1b1c1d1e1f' || repeat('ff', 133),
        'hex');
COMMENT ON FUNCTION ulid_sql.digit_values() IS 'internal: of each byte the value as a digit; 255, if it is none';

CREATE OR REPLACE FUNCTION ulid_sql.all_bits(b bytea, at integer, v bytea) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN
        get_byte(v, get_byte(b, at)) | get_byte(v, get_byte(b, at + 1))
        | get_byte(v, get_byte(b, at + 2)) | get_byte(v, get_byte(b, at + 3))
        | get_byte(v, get_byte(b, at + 4)) | get_byte(v, get_byte(b, at + 5))
        | get_byte(v, get_byte(b, at + 6)) | get_byte(v, get_byte(b, at + 7));
COMMENT ON FUNCTION ulid_sql.all_bits(bytea, integer, bytea) IS 'internal: above 31 if one of 8 characters is no digit';

CREATE OR REPLACE FUNCTION ulid_sql.from_base32(b bytea, at integer, v bytea) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN
        get_byte(v, get_byte(b, at))::bigint << 5
        | get_byte(v, get_byte(b, at + 1)) << 5
        | get_byte(v, get_byte(b, at + 2)) << 5
        | get_byte(v, get_byte(b, at + 3)) << 5
        | get_byte(v, get_byte(b, at + 4)) << 5
        | get_byte(v, get_byte(b, at + 5)) << 5
        | get_byte(v, get_byte(b, at + 6)) << 5
        | get_byte(v, get_byte(b, at + 7));
COMMENT ON FUNCTION ulid_sql.from_base32(bytea, integer, bytea) IS 'internal: the 40 bits of 8 digits';

CREATE OR REPLACE FUNCTION ulid_sql.is_base32(b bytea, v bytea) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (get_byte(v, get_byte(b, 0)) | get_byte(v, get_byte(b, 1)) | ulid_sql.all_bits(b, 2, v)
            | ulid_sql.all_bits(b, 10, v) | ulid_sql.all_bits(b, 18, v)) < 32;
COMMENT ON FUNCTION ulid_sql.is_base32(bytea, bytea) IS 'internal: whether 26 characters are digits';

CREATE OR REPLACE FUNCTION ulid_sql.from_base32(b bytea, v bytea) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN encode(
        substr(int2send((get_byte(v, get_byte(b, 0)) << 5 | get_byte(v, get_byte(b, 1)))::smallint), 2)
        || substr(int8send(ulid_sql.from_base32(b, 2, v)), 4)
        || substr(int8send(ulid_sql.from_base32(b, 10, v)), 4)
        || substr(int8send(ulid_sql.from_base32(b, 18, v)), 4),
        'hex')::uuid;
COMMENT ON FUNCTION ulid_sql.from_base32(bytea, bytea) IS 'internal: the ULID of 26 digits';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_from_text(t text) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    -- the stored bytes, in any encoding
    b CONSTANT pg_catalog.bytea := pg_catalog.convert_to(t, 'SQL_ASCII');
    v CONSTANT pg_catalog.bytea := ulid_sql.digit_values();
BEGIN
    IF (CASE WHEN pg_catalog.length(b) OPERATOR(pg_catalog.=) 26 THEN ulid_sql.is_base32(b, v) END) IS NOT TRUE THEN
        RAISE invalid_text_representation USING MESSAGE =
            pg_catalog.format('invalid input syntax for type ulid: "%s"', t);
    ELSIF pg_catalog.get_byte(v, pg_catalog.get_byte(b, 0)) OPERATOR(pg_catalog.>) 7 THEN
        RAISE numeric_value_out_of_range USING MESSAGE =
            pg_catalog.format('value "%s" is out of range for type ulid', t);
    END IF;
    RETURN ulid_sql.from_base32(b, v);
END
$$;
COMMENT ON FUNCTION ulid_sql.ulid_from_text(text) IS 'the ULID of 26 characters';

-- Parts and bounds ---

-- Rounded to the millisecond, because seconds are a float, which is off by microseconds after the year 2255.
CREATE OR REPLACE FUNCTION ulid_sql.ulid_timestamp(id uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN to_timestamp(('x' || ulid_sql.hex(id))::bit(48)::bigint / 1000::float8)::timestamptz(3);
COMMENT ON FUNCTION ulid_sql.ulid_timestamp(uuid) IS 'the time of a ULID, to the millisecond';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_randomness(id uuid) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN substr(uuid_send(id), 7);
COMMENT ON FUNCTION ulid_sql.ulid_randomness(uuid) IS 'the randomness of a ULID, 10 bytes';

CREATE OR REPLACE FUNCTION ulid_sql.make_ulid(t timestamptz, randomness bytea) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    milliseconds CONSTANT pg_catalog.text := ulid_sql.hex(t);
BEGIN
    IF pg_catalog.length(randomness) OPERATOR(pg_catalog.<>) 10 THEN
        RAISE invalid_parameter_value USING MESSAGE = 'invalid length for the randomness of a ULID';
    END IF;
    RETURN (milliseconds OPERATOR(pg_catalog.||) pg_catalog.encode(randomness, 'hex'))::pg_catalog.uuid;
END
$$;
COMMENT ON FUNCTION ulid_sql.make_ulid(timestamptz, bytea) IS 'the ULID of a time and a randomness of 10 bytes';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_min(t timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN rpad(ulid_sql.hex(t), 32, '0')::uuid;
COMMENT ON FUNCTION ulid_sql.ulid_min(timestamptz) IS 'the minimum ULID of the millisecond of a time';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_max(t timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN rpad(ulid_sql.hex(t), 32, 'f')::uuid;
COMMENT ON FUNCTION ulid_sql.ulid_max(timestamptz) IS 'the maximum ULID of the millisecond of a time';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_lower_bound(t timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE
        WHEN t < '1970-01-01 00:00:00Z'::timestamptz THEN '00000000-0000-0000-0000-000000000000'::uuid
        WHEN t >= '10889-08-02 05:31:50.656Z'::timestamptz THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid
        ELSE rpad(ulid_sql.hex(floor(ulid_sql.milliseconds(t))::bigint, 12), 32, '0')::uuid
    END;
COMMENT ON FUNCTION ulid_sql.ulid_lower_bound(timestamptz) IS
    'the first ULID of the millisecond of a time; the maximum past the end';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_upper_bound(t timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE
        WHEN t < '1970-01-01 00:00:00Z'::timestamptz THEN '00000000-0000-0000-0000-000000000000'::uuid
        WHEN t >= '10889-08-02 05:31:50.655Z'::timestamptz THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid
        ELSE rpad(ulid_sql.hex(floor(ulid_sql.milliseconds(t))::bigint + 1, 12), 32, '0')::uuid
    END;
COMMENT ON FUNCTION ulid_sql.ulid_upper_bound(timestamptz) IS
    'the first ULID after the millisecond of a time; the maximum past the end';

-- Generators ---

-- gen_random_uuid() uses the server's strong random source. The first 8 and the last 12 digits of a uuid are
-- random. The version and the variant are between them.
CREATE OR REPLACE FUNCTION ulid_sql.randomness() RETURNS text
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE RETURN overlay(gen_random_uuid()::text PLACING '' FROM 9 FOR 16);
COMMENT ON FUNCTION ulid_sql.randomness() IS 'internal: 20 random hexadecimal digits';

-- The float is exact for microseconds until the year 2242. Adding 2^48 and cutting off the first digit leaves
-- 12 digits. A clock before 1970 leaves too few, so the cast to uuid fails.
CREATE OR REPLACE FUNCTION ulid_sql.clock() RETURNS text
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE
    RETURN substr(to_hex((date_part('epoch', clock_timestamp()) * 1000000)::bigint / 1000 + (1::bigint << 48)), 2);
COMMENT ON FUNCTION ulid_sql.clock() IS 'internal: the 12 hexadecimal digits of the current time';

CREATE OR REPLACE FUNCTION ulid_sql.gen_ulid(t timestamptz) RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE RETURN (ulid_sql.hex(t) || ulid_sql.randomness())::uuid;
COMMENT ON FUNCTION ulid_sql.gen_ulid(timestamptz) IS 'a ULID of that time with fresh randomness';

CREATE OR REPLACE FUNCTION ulid_sql.gen_random_ulid() RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE RETURN (ulid_sql.clock() || ulid_sql.randomness())::uuid;
COMMENT ON FUNCTION ulid_sql.gen_random_ulid() IS 'a ULID of the current time with fresh randomness';

CREATE OR REPLACE FUNCTION ulid_sql.word(digits text) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ('x' || digits)::bit(40)::bigint;
COMMENT ON FUNCTION ulid_sql.word(text) IS 'internal: the number for 10 hexadecimal digits';

-- A hash of a random uuid is 32 random bits.
CREATE OR REPLACE FUNCTION ulid_sql.random_step() RETURNS bigint
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE RETURN (uuid_hash(gen_random_uuid())::bigint & 4294967295) + 1;
COMMENT ON FUNCTION ulid_sql.random_step() IS 'internal: a random number of 1 to 2^32';

CREATE OR REPLACE FUNCTION ulid_sql.successor(last text, now text, step bigint) RETURNS text
    LANGUAGE plpgsql VOLATILE PARALLEL SAFE AS $$
DECLARE
    high pg_catalog.text;
    low bigint;
BEGIN
    IF (pg_catalog.left(last, 12) COLLATE pg_catalog."C" OPERATOR(pg_catalog.>=) now) IS NOT TRUE THEN
        RETURN now OPERATOR(pg_catalog.||) ulid_sql.randomness();
    END IF;
    high := pg_catalog.left(last, 22);
    low := ulid_sql.word(pg_catalog.right(last, 10)) OPERATOR(pg_catalog.+) COALESCE(step, ulid_sql.random_step());
    IF low OPERATOR(pg_catalog.>=) 1099511627776 THEN
        IF pg_catalog.right(high, 10) OPERATOR(pg_catalog.=) 'ffffffffff' THEN
            RAISE sequence_generator_limit_exceeded USING MESSAGE = 'no ULID is left in this millisecond';
        END IF;
        high := pg_catalog.left(last, 12)
            OPERATOR(pg_catalog.||)
            ulid_sql.hex(ulid_sql.word(pg_catalog.right(high, 10)) OPERATOR(pg_catalog.+) 1, 10);
        low := low OPERATOR(pg_catalog.-) 1099511627776;
    END IF;
    RETURN high OPERATOR(pg_catalog.||) ulid_sql.hex(low, 10);
END
$$;
COMMENT ON FUNCTION ulid_sql.successor(text, text, bigint) IS
    'internal: the last ULID plus a step below 2^40 (null: random), or fresh randomness in a later millisecond';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_next(id uuid, t timestamptz) RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE RETURN ulid_sql.successor(ulid_sql.hex(id), ulid_sql.hex(t), 1)::uuid;
COMMENT ON FUNCTION ulid_sql.ulid_next(uuid, timestamptz) IS 'the successor of a ULID at that time';

CREATE OR REPLACE FUNCTION ulid_sql.ulid_next(id uuid) RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE RETURN ulid_sql.successor(ulid_sql.hex(id), ulid_sql.clock(), 1)::uuid;
COMMENT ON FUNCTION ulid_sql.ulid_next(uuid) IS 'the successor of a ULID at the current time';

-- Keeps the order of a session: fresh randomness in a new millisecond, in the same one the last ULID
-- plus a random step of 1 to 2^32. A step of 1 would repeat ULIDs after a rollback, because the last
-- ULID is kept in a setting, which is rolled back with its transaction.
CREATE OR REPLACE FUNCTION ulid_sql.gen_ulid() RETURNS uuid
    LANGUAGE sql VOLATILE PARALLEL UNSAFE
    RETURN set_config('ulid_sql.last',
        ulid_sql.successor(current_setting('ulid_sql.last', true), ulid_sql.clock(), NULL), false)::uuid;
COMMENT ON FUNCTION ulid_sql.gen_ulid() IS
    'a ULID greater than every earlier one of this session, except those of transactions that were rolled back';

-- UUID version 7 in the layout of PostgreSQL's own uuidv7(). A time in ticks, 4096ths of a millisecond, is 60 bits. The
-- last 64 bits of gen_random_uuid() are the variant and 62 random bits, as here.
CREATE OR REPLACE FUNCTION ulid_sql.uuidv7(ticks bigint) RETURNS text
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE
    RETURN substr(to_hex((ticks >> 12) + (1::bigint << 48)), 2) || '7' || ulid_sql.hex(ticks & 4095, 3)
        || right(ulid_sql.hex(gen_random_uuid()), 16);
COMMENT ON FUNCTION ulid_sql.uuidv7(bigint) IS 'internal: 32 hexadecimal digits of a UUIDv7 with fresh randomness';

CREATE OR REPLACE FUNCTION ulid_sql.uuidv7_ticks(last text) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN ('x' || left(last, 12) || substr(last, 14, 3))::bit(60)::bigint;
COMMENT ON FUNCTION ulid_sql.uuidv7_ticks(text) IS 'internal: the time of a UUIDv7 in ticks';

CREATE OR REPLACE FUNCTION ulid_sql.uuidv7_tail(last text) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ('x' || right(last, 16))::bit(64)::bigint & ((1::bigint << 62) - 1);
COMMENT ON FUNCTION ulid_sql.uuidv7_tail(text) IS 'internal: the random bits of a UUIDv7';

CREATE OR REPLACE FUNCTION ulid_sql.uuidv7_next(last text, ticks bigint, step bigint) RETURNS text
    LANGUAGE sql VOLATILE PARALLEL SAFE
    RETURN CASE WHEN ulid_sql.uuidv7_ticks(last) >= ticks AND ulid_sql.uuidv7_tail(last) + step < 1::bigint << 62
        THEN left(last, 16) || to_hex(1::bigint << 63 | ulid_sql.uuidv7_tail(last) + step)
        ELSE ulid_sql.uuidv7(greatest(ticks, ulid_sql.uuidv7_ticks(last) + 1)) END;
COMMENT ON FUNCTION ulid_sql.uuidv7_next(text, bigint, bigint) IS
    'internal: a UUIDv7 after the last one: in a tick that has passed the random bits plus a step, else fresh randomness';

CREATE OR REPLACE FUNCTION ulid_sql.gen_uuidv7() RETURNS uuid
    LANGUAGE sql VOLATILE PARALLEL UNSAFE
    RETURN set_config('ulid_sql.last_uuidv7', ulid_sql.uuidv7_next(
        current_setting('ulid_sql.last_uuidv7', true),
        (date_part('epoch', clock_timestamp()) * 1000000)::bigint * 512 / 125, -- 4096 / 1000 would overflow in 2041
        ('x' || left(ulid_sql.randomness(), 14))::bit(56)::bigint + 1), false)::uuid;
COMMENT ON FUNCTION ulid_sql.gen_uuidv7() IS
    'a UUID version 7 greater than every earlier one of this session, except those of transactions that were rolled back';

CREATE OR REPLACE FUNCTION ulid_sql.gen_uuidv7(t timestamptz) RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE
    RETURN (ulid_sql.hex(t) || '7' || ulid_sql.hex(floor(ulid_sql.milliseconds(t) * 4096)::bigint & 4095, 3)
        || right(ulid_sql.hex(gen_random_uuid()), 16))::uuid;
COMMENT ON FUNCTION ulid_sql.gen_uuidv7(timestamptz) IS
    'a UUID version 7 of that time, to the microsecond, with fresh randomness';

CREATE OR REPLACE FUNCTION ulid_sql.uuidv7_min(t timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN (ulid_sql.hex(t) || '70008000000000000000')::uuid;
COMMENT ON FUNCTION ulid_sql.uuidv7_min(timestamptz) IS 'the minimum UUID version 7 of the millisecond of a time';

DO $$
BEGIN
    PERFORM set_config('search_path', current_setting('ulid_sql.search_path'), false);
END
$$;
