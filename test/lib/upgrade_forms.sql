-- What stops pg_upgrade (doc/upgrading.md), and not a dump: one form a paragraph. For test/t/001_dump_restore.pl and
-- test/rare/versions/pg_upgrade.pl.

CREATE DOMAIN d1 AS ulid DEFAULT gen_uuidv7();

CREATE DOMAIN d2 AS uuid DEFAULT gen_ulid();

CREATE DOMAIN d3 AS timestamptz DEFAULT gen_ulid()::timestamptz;

CREATE DOMAIN d4 AS ulid CHECK (VALUE <> '00000000-0000-0000-0000-000000000000'::uuid);

CREATE DOMAIN d5 AS ulid CHECK (VALUE::timestamptz > '2020-01-01Z');

CREATE DOMAIN d6 AS ulid CHECK ((VALUE, 1) > ('01GV5PA9EQG7D82Q3Y4PKBZSYV'::ulid, 0));

CREATE DOMAIN d7 AS ulid[] CHECK (VALUE[1]::timestamptz > '2020-01-01Z');

CREATE TYPE p8 AS (id ulid, n int);
CREATE DOMAIN d8 AS p8 CHECK ((VALUE).id::timestamptz > '2020-01-01Z');

CREATE DOMAIN d9 AS timestamptz CHECK (VALUE::ulid > '01GV5PA9EQG7D82Q3Y4PKBZSYV');

CREATE DOMAIN b11 AS ulid;
CREATE DOMAIN d11 AS b11 CHECK (VALUE::timestamptz > '2020-01-01Z');

CREATE FUNCTION f1(ulid, ulid) RETURNS boolean LANGUAGE sql RETURN ($1, 1) > ($2, 0);

CREATE FUNCTION f2(ulid[]) RETURNS bigint LANGUAGE sql RETURN
    (SELECT count(*) FROM unnest($1) x WHERE (x, 1) IN (SELECT y, 1 FROM unnest($1) y));

CREATE FUNCTION f3(ulid[]) RETURNS bigint LANGUAGE sql RETURN
    (SELECT count(*) OVER (ORDER BY x RANGE BETWEEN '1 hour' PRECEDING AND CURRENT ROW) FROM unnest($1) x LIMIT 1);

CREATE FUNCTION f4(ulid) RETURNS date LANGUAGE sql IMMUTABLE RETURN ($1::timestamptz AT TIME ZONE 'UTC')::date;
CREATE CAST (ulid AS date) WITH FUNCTION f4(ulid);

CREATE FUNCTION f5(boolean DEFAULT (gen_ulid(), 1) > (gen_ulid(), 0)) RETURNS boolean LANGUAGE sql AS 'SELECT $1';

CREATE FUNCTION f6(ulid, ulid) RETURNS float8 LANGUAGE sql IMMUTABLE
    RETURN extract(epoch FROM $1::timestamptz - $2::timestamptz);
CREATE TYPE r6 AS RANGE (subtype = ulid, subtype_diff = f6);

CREATE FUNCTION f7(ulid) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN $1::timestamptz > '2020-01-01Z';
CREATE DOMAIN d13 AS ulid CHECK (f7(VALUE));

CREATE FUNCTION f8(integer) RETURNS boolean LANGUAGE sql RETURN extract(year FROM gen_ulid()::timestamptz) > $1;
CREATE FUNCTION f9(integer) RETURNS boolean LANGUAGE sql RETURN NOT f8($1);
CREATE DOMAIN d14 AS integer CHECK (f9(VALUE));

CREATE FUNCTION f10(integer, uuid DEFAULT gen_ulid()::uuid) RETURNS boolean LANGUAGE sql AS 'SELECT $2 IS NOT NULL';
CREATE DOMAIN d15 AS integer CHECK (f10(VALUE));
