-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION ulid" to load this file. \quit

--
-- Type
--

CREATE TYPE ulid;

CREATE FUNCTION ulid_in(cstring) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_in(cstring) IS 'I/O';

CREATE FUNCTION ulid_out(ulid) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_out(ulid) IS 'I/O';

CREATE FUNCTION ulid_recv(internal) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_recv(internal) IS 'I/O';

CREATE FUNCTION ulid_send(ulid) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_send(ulid) IS 'I/O';

CREATE TYPE ulid (
    INPUT = ulid_in,
    OUTPUT = ulid_out,
    RECEIVE = ulid_recv,
    SEND = ulid_send,
    LIKE = uuid
);
COMMENT ON TYPE ulid IS 'universally unique lexicographically sortable identifier';

CREATE FUNCTION ulid_is_valid(text) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_is_valid(text) IS 'whether a text is a ULID (a UUID, which can be cast too, is not)';

--
-- Order
--

CREATE FUNCTION ulid_lt(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_lt(ulid, ulid) IS 'implementation of < operator';

CREATE FUNCTION ulid_le(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_le(ulid, ulid) IS 'implementation of <= operator';

CREATE FUNCTION ulid_eq(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_eq(ulid, ulid) IS 'implementation of = operator';

CREATE FUNCTION ulid_ge(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_ge(ulid, ulid) IS 'implementation of >= operator';

CREATE FUNCTION ulid_gt(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gt(ulid, ulid) IS 'implementation of > operator';

CREATE FUNCTION ulid_ne(ulid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_ne(ulid, ulid) IS 'implementation of <> operator';

CREATE FUNCTION ulid_ineqsel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_ineqsel(internal, oid, internal, integer) IS
    'restriction selectivity of <, <=, >=, > of ulids';

CREATE OPERATOR pg_catalog.< (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_lt,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = ulid_ineqsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (ulid, ulid) IS 'less than';

CREATE OPERATOR pg_catalog.<= (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_le,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = ulid_ineqsel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (ulid, ulid) IS 'less than or equal';

CREATE OPERATOR pg_catalog.= (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_eq,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES
);
COMMENT ON OPERATOR = (ulid, ulid) IS 'equal';

CREATE OPERATOR pg_catalog.>= (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_ge,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = ulid_ineqsel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (ulid, ulid) IS 'greater than or equal';

CREATE OPERATOR pg_catalog.> (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_gt,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = ulid_ineqsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (ulid, ulid) IS 'greater than';

CREATE OPERATOR pg_catalog.<> (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_ne,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (ulid, ulid) IS 'not equal';

CREATE FUNCTION ulid_cmp(ulid, ulid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_cmp(ulid, ulid) IS 'less-equal-greater';

CREATE FUNCTION ulid_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_sortsupport(internal) IS 'sort support';

CREATE FUNCTION in_range(ulid, ulid, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME', 'ulid_in_range_interval' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION in_range(ulid, ulid, interval, boolean, boolean) IS
    'window RANGE support: by the times of the ulids';

CREATE FUNCTION ulid_hash(ulid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_hash(ulid) IS 'hash';

CREATE FUNCTION ulid_hash_extended(ulid, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_hash_extended(ulid, bigint) IS 'hash';

CREATE OPERATOR FAMILY ulid_ops USING btree;
COMMENT ON OPERATOR FAMILY ulid_ops USING btree IS 'order of ulids';

CREATE OPERATOR CLASS ulid_ops DEFAULT FOR TYPE ulid USING btree FAMILY ulid_ops AS
    OPERATOR 1 < (ulid, ulid),
    OPERATOR 2 <= (ulid, ulid),
    OPERATOR 3 = (ulid, ulid),
    OPERATOR 4 >= (ulid, ulid),
    OPERATOR 5 > (ulid, ulid),
    FUNCTION 1 ulid_cmp(ulid, ulid),
    FUNCTION 2 ulid_sortsupport(internal),
    FUNCTION 3 (ulid, interval) in_range(ulid, ulid, interval, boolean, boolean),
    FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS ulid_ops USING btree IS 'order of ulids';

CREATE OPERATOR FAMILY ulid_ops USING hash;
COMMENT ON OPERATOR FAMILY ulid_ops USING hash IS 'equality of ulids';

CREATE OPERATOR CLASS ulid_ops DEFAULT FOR TYPE ulid USING hash FAMILY ulid_ops AS
    OPERATOR 1 = (ulid, ulid),
    FUNCTION 1 ulid_hash(ulid),
    FUNCTION 2 ulid_hash_extended(ulid, bigint);
COMMENT ON OPERATOR CLASS ulid_ops USING hash IS 'equality of ulids';

CREATE OPERATOR FAMILY ulid_minmax_ops USING brin;
COMMENT ON OPERATOR FAMILY ulid_minmax_ops USING brin IS 'minimum and maximum ulid of a block range';

CREATE OPERATOR CLASS ulid_minmax_ops DEFAULT FOR TYPE ulid USING brin FAMILY ulid_minmax_ops AS
    OPERATOR 1 < (ulid, ulid),
    OPERATOR 2 <= (ulid, ulid),
    OPERATOR 3 = (ulid, ulid),
    OPERATOR 4 >= (ulid, ulid),
    OPERATOR 5 > (ulid, ulid),
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
    FUNCTION 4 brin_minmax_union(internal, internal, internal);
COMMENT ON OPERATOR CLASS ulid_minmax_ops USING brin IS 'minimum and maximum ulid of a block range';

CREATE FUNCTION ulid_brin_minmax_multi_distance(internal, internal) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_brin_minmax_multi_distance(internal, internal) IS
    'BRIN minmax-multi support: how far apart two ulids are';

CREATE OPERATOR FAMILY ulid_minmax_multi_ops USING brin;
COMMENT ON OPERATOR FAMILY ulid_minmax_multi_ops USING brin IS 'intervals of ulids of a block range';

CREATE OPERATOR CLASS ulid_minmax_multi_ops FOR TYPE ulid USING brin FAMILY ulid_minmax_multi_ops AS
    OPERATOR 1 < (ulid, ulid),
    OPERATOR 2 <= (ulid, ulid),
    OPERATOR 3 = (ulid, ulid),
    OPERATOR 4 >= (ulid, ulid),
    OPERATOR 5 > (ulid, ulid),
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 brin_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_multi_consistent(internal, internal, internal, integer),
    FUNCTION 4 brin_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 ulid_brin_minmax_multi_distance(internal, internal);
COMMENT ON OPERATOR CLASS ulid_minmax_multi_ops USING brin IS 'intervals of ulids of a block range';

CREATE OPERATOR FAMILY ulid_bloom_ops USING brin;
COMMENT ON OPERATOR FAMILY ulid_bloom_ops USING brin IS 'bloom filter of the ulids of a block range';

CREATE OPERATOR CLASS ulid_bloom_ops FOR TYPE ulid USING brin FAMILY ulid_bloom_ops AS
    OPERATOR 1 = (ulid, ulid),
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, integer),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 ulid_hash(ulid);
COMMENT ON OPERATOR CLASS ulid_bloom_ops USING brin IS 'bloom filter of the ulids of a block range';

CREATE FUNCTION ulid_smaller(ulid, ulid) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_smaller(ulid, ulid) IS 'smaller of two';

CREATE FUNCTION ulid_larger(ulid, ulid) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_larger(ulid, ulid) IS 'larger of two';

CREATE AGGREGATE pg_catalog.min(ulid) (
    SFUNC = ulid_smaller, STYPE = ulid, COMBINEFUNC = ulid_smaller, SORTOP = <, PARALLEL = SAFE
);
COMMENT ON AGGREGATE min(ulid) IS 'minimum value of all ulid input values';

CREATE AGGREGATE pg_catalog.max(ulid) (
    SFUNC = ulid_larger, STYPE = ulid, COMBINEFUNC = ulid_larger, SORTOP = >, PARALLEL = SAFE
);
COMMENT ON AGGREGATE max(ulid) IS 'maximum value of all ulid input values';

--
-- GiST
--

-- The key of an index: the minimum and the maximum ulid below it.
CREATE TYPE ulid_gist_key;

CREATE FUNCTION ulid_gist_key_in(cstring) RETURNS ulid_gist_key
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gist_key_in(cstring) IS 'I/O';

CREATE FUNCTION ulid_gist_key_out(ulid_gist_key) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gist_key_out(ulid_gist_key) IS 'I/O';

CREATE TYPE ulid_gist_key (
    INPUT = ulid_gist_key_in,
    OUTPUT = ulid_gist_key_out,
    INTERNALLENGTH = 32,
    ALIGNMENT = char
);
COMMENT ON TYPE ulid_gist_key IS 'key of a GiST index of ulids';

CREATE FUNCTION ulid_distance(ulid, ulid) RETURNS interval
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_distance(ulid, ulid) IS 'implementation of <-> operator';

CREATE OPERATOR pg_catalog.<-> (
    LEFTARG = ulid, RIGHTARG = ulid, FUNCTION = ulid_distance, COMMUTATOR = OPERATOR(pg_catalog.<->)
);
COMMENT ON OPERATOR <-> (ulid, ulid) IS 'time between';

CREATE FUNCTION ulid_gist_consistent(internal, ulid, smallint, oid, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gist_consistent(internal, ulid, smallint, oid, internal) IS 'GiST support';

CREATE FUNCTION ulid_gist_union(internal, internal) RETURNS ulid_gist_key
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gist_union(internal, internal) IS 'GiST support';

CREATE FUNCTION ulid_gist_compress(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gist_compress(internal) IS 'GiST support';

CREATE FUNCTION ulid_gist_penalty(internal, internal, internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gist_penalty(internal, internal, internal) IS 'GiST support';

CREATE FUNCTION ulid_gist_picksplit(internal, internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gist_picksplit(internal, internal) IS 'GiST support';

CREATE FUNCTION ulid_gist_same(ulid_gist_key, ulid_gist_key, internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gist_same(ulid_gist_key, ulid_gist_key, internal) IS 'GiST support';

CREATE FUNCTION ulid_gist_distance(internal, ulid, smallint, oid, internal) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gist_distance(internal, ulid, smallint, oid, internal) IS 'GiST support';

CREATE FUNCTION ulid_gist_fetch(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gist_fetch(internal) IS 'GiST support';

CREATE OPERATOR FAMILY gist_ulid_ops USING gist;
COMMENT ON OPERATOR FAMILY gist_ulid_ops USING gist IS 'order of ulids, and nearness in time';

-- The strategy numbers are those of btree_gist. To build an index, PostgreSQL sorts leaf keys with
-- ulid_sortsupport, which works because a leaf key begins with its ulid.
CREATE OPERATOR CLASS gist_ulid_ops DEFAULT FOR TYPE ulid USING gist FAMILY gist_ulid_ops AS
    OPERATOR 1 < (ulid, ulid),
    OPERATOR 2 <= (ulid, ulid),
    OPERATOR 3 = (ulid, ulid),
    OPERATOR 4 >= (ulid, ulid),
    OPERATOR 5 > (ulid, ulid),
    OPERATOR 6 <> (ulid, ulid),
    OPERATOR 15 <-> (ulid, ulid) FOR ORDER BY pg_catalog.interval_ops,
    FUNCTION 1 ulid_gist_consistent(internal, ulid, smallint, oid, internal),
    FUNCTION 2 ulid_gist_union(internal, internal),
    FUNCTION 3 ulid_gist_compress(internal),
    FUNCTION 5 ulid_gist_penalty(internal, internal, internal),
    FUNCTION 6 ulid_gist_picksplit(internal, internal),
    FUNCTION 7 ulid_gist_same(ulid_gist_key, ulid_gist_key, internal),
    FUNCTION 8 ulid_gist_distance(internal, ulid, smallint, oid, internal),
    FUNCTION 9 ulid_gist_fetch(internal),
    FUNCTION 11 ulid_sortsupport(internal),
    STORAGE ulid_gist_key;
COMMENT ON OPERATOR CLASS gist_ulid_ops USING gist IS 'order of ulids, and nearness in time';

--
-- GIN
--

CREATE FUNCTION ulid_gin_extract_value(ulid, internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gin_extract_value(ulid, internal) IS 'GIN support';

CREATE FUNCTION ulid_gin_extract_query(ulid, internal, smallint, internal, internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gin_extract_query(ulid, internal, smallint, internal, internal) IS 'GIN support';

CREATE FUNCTION ulid_gin_consistent(internal, smallint, ulid, integer, internal, internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gin_consistent(internal, smallint, ulid, integer, internal, internal) IS 'GIN support';

CREATE FUNCTION ulid_gin_compare_partial(ulid, ulid, smallint, internal) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gin_compare_partial(ulid, ulid, smallint, internal) IS 'GIN support';

CREATE OPERATOR FAMILY ulid_ops USING gin;
COMMENT ON OPERATOR FAMILY ulid_ops USING gin IS 'order of ulids';

CREATE OPERATOR CLASS ulid_ops DEFAULT FOR TYPE ulid USING gin FAMILY ulid_ops AS
    OPERATOR 1 < (ulid, ulid),
    OPERATOR 2 <= (ulid, ulid),
    OPERATOR 3 = (ulid, ulid),
    OPERATOR 4 >= (ulid, ulid),
    OPERATOR 5 > (ulid, ulid),
    FUNCTION 1 ulid_cmp(ulid, ulid),
    FUNCTION 2 ulid_gin_extract_value(ulid, internal),
    FUNCTION 3 ulid_gin_extract_query(ulid, internal, smallint, internal, internal),
    FUNCTION 4 ulid_gin_consistent(internal, smallint, ulid, integer, internal, internal),
    FUNCTION 5 ulid_gin_compare_partial(ulid, ulid, smallint, internal);
COMMENT ON OPERATOR CLASS ulid_ops USING gin IS 'order of ulids';

--
-- Generators
--

-- gen_ulid() and gen_uuidv7() are restricted, because a parallel worker does not know the last id of the session.
CREATE FUNCTION gen_ulid() RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_ulid() IS 'a ulid greater than every earlier one of this session';

CREATE FUNCTION gen_ulid(timestamptz) RETURNS ulid
    AS 'MODULE_PATHNAME', 'gen_ulid_at' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_ulid(timestamptz) IS 'a ulid of a time, with fresh randomness';

CREATE FUNCTION gen_random_ulid() RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_random_ulid() IS 'a ulid of the current time, with fresh randomness';

CREATE FUNCTION gen_monotonic_ulid() RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_monotonic_ulid() IS 'a ulid greater than every earlier one of this running server';

CREATE FUNCTION gen_uuidv7() RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_uuidv7() IS 'a UUID version 7 greater than every earlier one of this session';

CREATE FUNCTION gen_uuidv7(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME', 'gen_uuidv7_at' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_uuidv7(timestamptz) IS 'a UUID version 7 of a time, with fresh randomness';

CREATE FUNCTION ulid_next(ulid) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_next(ulid) IS 'the successor of a ulid at the current time';

CREATE FUNCTION ulid_next(ulid, timestamptz) RETURNS ulid
    AS 'MODULE_PATHNAME', 'ulid_next_at' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_next(ulid, timestamptz) IS 'the successor of a ulid at a time';

--
-- Parts
--

CREATE FUNCTION ulid_timestamp(ulid) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_timestamp(ulid) IS 'the time of a ulid, to the millisecond';

CREATE FUNCTION ulid_randomness(ulid) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_randomness(ulid) IS 'the randomness of a ulid, 10 bytes';

CREATE FUNCTION make_ulid(timestamptz, bytea) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION make_ulid(timestamptz, bytea) IS 'the ulid of a time and a randomness of 10 bytes';

CREATE FUNCTION ulid_parse(
    ulid, OUT "timestamp" timestamptz, OUT unix_ms bigint, OUT randomness bytea, OUT uuid uuid
)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_parse(ulid) IS 'the parts of a ulid: time, Unix milliseconds, randomness, uuid';

CREATE FUNCTION ulid_min(timestamptz) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_min(timestamptz) IS 'the minimum ulid of the millisecond of a time';

CREATE FUNCTION uuidv7_min(timestamptz) RETURNS uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_min(timestamptz) IS 'the minimum UUID version 7 of the millisecond of a time';

CREATE FUNCTION ulid_max(timestamptz) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_max(timestamptz) IS 'the maximum ulid of the millisecond of a time';

CREATE FUNCTION ulid_to_bytea(ulid) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_to_bytea(ulid) IS 'the 16 bytes of a ulid';

CREATE FUNCTION ulid_from_bytea(bytea) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_from_bytea(bytea) IS 'the ulid of 16 bytes';

--
-- Casts
--

-- Implicit in one direction only: with both, operators shared by the two types would be ambiguous.
CREATE CAST (ulid AS uuid) WITHOUT FUNCTION AS IMPLICIT;
COMMENT ON CAST (ulid AS uuid) IS 'the same 16 bytes';

CREATE CAST (uuid AS ulid) WITHOUT FUNCTION AS ASSIGNMENT;
COMMENT ON CAST (uuid AS ulid) IS 'the same 16 bytes';

-- Some drivers send ids as text, which INSERT has to accept. PostgreSQL itself casts every type to text.
CREATE CAST (text AS ulid) WITH INOUT AS ASSIGNMENT;
COMMENT ON CAST (text AS ulid) IS 'the input function';

CREATE CAST (varchar AS ulid) WITH INOUT AS ASSIGNMENT;
COMMENT ON CAST (varchar AS ulid) IS 'the input function';

CREATE CAST (bpchar AS ulid) WITH INOUT AS ASSIGNMENT;
COMMENT ON CAST (bpchar AS ulid) IS 'the input function';

CREATE CAST (ulid AS timestamptz) WITH FUNCTION ulid_timestamp(ulid);
COMMENT ON CAST (ulid AS timestamptz) IS 'the time, to the millisecond';

CREATE CAST (timestamptz AS ulid) WITH FUNCTION ulid_min(timestamptz);
COMMENT ON CAST (timestamptz AS ulid) IS 'the minimum ulid of the millisecond';

CREATE CAST (ulid AS bytea) WITH FUNCTION ulid_to_bytea(ulid);
COMMENT ON CAST (ulid AS bytea) IS 'the 16 bytes';

CREATE CAST (bytea AS ulid) WITH FUNCTION ulid_from_bytea(bytea);
COMMENT ON CAST (bytea AS ulid) IS 'the ulid of 16 bytes';

--
-- Time, compared in milliseconds. Each operator is an SQL function that the planner inlines: it plans id >= t as
-- id >= ulid_lower_bound(t). For a time past the end, the bound is the maximum ulid. The bounds have no cost,
-- so that the planner orders conditions as it does on a timestamptz column.
--

CREATE FUNCTION ulid_lower_bound(timestamptz) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE COST 1e-20;
COMMENT ON FUNCTION ulid_lower_bound(timestamptz) IS 'the first ulid of the millisecond of a time';

CREATE FUNCTION ulid_upper_bound(timestamptz) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE COST 1e-20;
COMMENT ON FUNCTION ulid_upper_bound(timestamptz) IS 'the first ulid after the millisecond of a time';

CREATE FUNCTION ulid_lt_timestamptz(ulid, timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE RETURN $1 < ulid_lower_bound($2);
CREATE OPERATOR pg_catalog.< (LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = ulid_lt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=), RESTRICT = scalarltsel,
    JOIN = scalarltjoinsel);
COMMENT ON FUNCTION ulid_lt_timestamptz(ulid, timestamptz) IS 'implementation of < operator';
COMMENT ON OPERATOR < (ulid, timestamptz) IS 'less than';

CREATE FUNCTION ulid_le_timestamptz(ulid, timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE RETURN $1 < ulid_upper_bound($2);
CREATE OPERATOR pg_catalog.<= (LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = ulid_le_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>), RESTRICT = scalarlesel,
    JOIN = scalarlejoinsel);
COMMENT ON FUNCTION ulid_le_timestamptz(ulid, timestamptz) IS 'implementation of <= operator';
COMMENT ON OPERATOR <= (ulid, timestamptz) IS 'less than or equal';

CREATE FUNCTION ulid_ge_timestamptz(ulid, timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE RETURN $1 >= ulid_lower_bound($2);
CREATE OPERATOR pg_catalog.>= (LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = ulid_ge_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<), RESTRICT = scalargesel,
    JOIN = scalargejoinsel);
COMMENT ON FUNCTION ulid_ge_timestamptz(ulid, timestamptz) IS 'implementation of >= operator';
COMMENT ON OPERATOR >= (ulid, timestamptz) IS 'greater than or equal';

CREATE FUNCTION ulid_gt_timestamptz(ulid, timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE RETURN $1 >= ulid_upper_bound($2);
CREATE OPERATOR pg_catalog.> (LEFTARG = ulid, RIGHTARG = timestamptz, FUNCTION = ulid_gt_timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=), RESTRICT = scalargtsel,
    JOIN = scalargtjoinsel);
COMMENT ON FUNCTION ulid_gt_timestamptz(ulid, timestamptz) IS 'implementation of > operator';
COMMENT ON OPERATOR > (ulid, timestamptz) IS 'greater than';

CREATE FUNCTION timestamptz_lt_ulid(timestamptz, ulid) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE RETURN $2 >= ulid_upper_bound($1);
CREATE OPERATOR pg_catalog.< (LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = timestamptz_lt_ulid,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=), RESTRICT = scalarltsel,
    JOIN = scalarltjoinsel);
COMMENT ON FUNCTION timestamptz_lt_ulid(timestamptz, ulid) IS 'implementation of < operator';
COMMENT ON OPERATOR < (timestamptz, ulid) IS 'less than';

CREATE FUNCTION timestamptz_le_ulid(timestamptz, ulid) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE RETURN $2 >= ulid_lower_bound($1);
CREATE OPERATOR pg_catalog.<= (LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = timestamptz_le_ulid,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>), RESTRICT = scalarlesel,
    JOIN = scalarlejoinsel);
COMMENT ON FUNCTION timestamptz_le_ulid(timestamptz, ulid) IS 'implementation of <= operator';
COMMENT ON OPERATOR <= (timestamptz, ulid) IS 'less than or equal';

CREATE FUNCTION timestamptz_ge_ulid(timestamptz, ulid) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE RETURN $2 < ulid_upper_bound($1);
CREATE OPERATOR pg_catalog.>= (LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = timestamptz_ge_ulid,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<), RESTRICT = scalargesel,
    JOIN = scalargejoinsel);
COMMENT ON FUNCTION timestamptz_ge_ulid(timestamptz, ulid) IS 'implementation of >= operator';
COMMENT ON OPERATOR >= (timestamptz, ulid) IS 'greater than or equal';

CREATE FUNCTION timestamptz_gt_ulid(timestamptz, ulid) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE RETURN $2 < ulid_lower_bound($1);
CREATE OPERATOR pg_catalog.> (LEFTARG = timestamptz, RIGHTARG = ulid, FUNCTION = timestamptz_gt_ulid,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=), RESTRICT = scalargtsel,
    JOIN = scalargtjoinsel);
COMMENT ON FUNCTION timestamptz_gt_ulid(timestamptz, ulid) IS 'implementation of > operator';
COMMENT ON OPERATOR > (timestamptz, ulid) IS 'greater than';

CREATE FUNCTION ulid_range_min(tstzrange) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE COST 1e-20;
COMMENT ON FUNCTION ulid_range_min(tstzrange) IS 'the first ulid in a range of times; the maximum if there is none';

CREATE FUNCTION ulid_range_max(tstzrange) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE COST 1e-20;
COMMENT ON FUNCTION ulid_range_max(tstzrange) IS 'the last ulid in a range of times; the minimum if there is none';

-- This and ulid_starts_with are not strict, because the planner inlines a strict function only if its body
-- is strict, and AND is not. The result for NULL is still NULL.
CREATE FUNCTION ulid_within(ulid, tstzrange) RETURNS boolean
    LANGUAGE sql IMMUTABLE LEAKPROOF PARALLEL SAFE
    RETURN $1 >= ulid_range_min($2) AND $1 <= ulid_range_max($2);
COMMENT ON FUNCTION ulid_within(ulid, tstzrange) IS 'whether the time of a ulid lies in a range';

--
-- Prefix
--

CREATE FUNCTION ulid_prefix_min(text) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE COST 1e-20;
COMMENT ON FUNCTION ulid_prefix_min(text) IS 'the first ulid that starts with a text; the maximum if none does';

CREATE FUNCTION ulid_prefix_max(text) RETURNS ulid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE COST 1e-20;
COMMENT ON FUNCTION ulid_prefix_max(text) IS 'the last ulid that starts with a text; the minimum if none does';

CREATE FUNCTION ulid_starts_with(ulid, text) RETURNS boolean
    LANGUAGE sql IMMUTABLE LEAKPROOF PARALLEL SAFE
    RETURN $1 >= ulid_prefix_min($2) AND $1 <= ulid_prefix_max($2);
COMMENT ON FUNCTION ulid_starts_with(ulid, text) IS 'implementation of ^@ operator';

CREATE OPERATOR pg_catalog.^@ (
    LEFTARG = ulid, RIGHTARG = text, FUNCTION = ulid_starts_with,
    RESTRICT = contsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR ^@ (ulid, text) IS 'starts with';

--
-- uuid. The bytes are the same, so ulid = uuid and the like are the server's comparisons of two uuids, through the
-- implicit cast. The operator families of ulid contain these. For foreign keys, also temporal ones, and for index
-- scans they need comparisons of a ulid with a uuid as well. Those have symbols of their own, which no query uses.
-- Equality is an SQL function that the planner inlines, so that the trigger of a foreign key uses the index of a
-- referencing uuid column.
--

CREATE FUNCTION ulid_lt_uuid(ulid, uuid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'ulid_lt' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE OPERATOR ^<^ (LEFTARG = ulid, RIGHTARG = uuid, FUNCTION = ulid_lt_uuid,
    COMMUTATOR = ^>^, NEGATOR = ^>=^, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON FUNCTION ulid_lt_uuid(ulid, uuid) IS 'implementation of ^<^ operator';
COMMENT ON OPERATOR ^<^ (ulid, uuid) IS 'less than, for operator families';

CREATE FUNCTION ulid_le_uuid(ulid, uuid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'ulid_le' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE OPERATOR ^<=^ (LEFTARG = ulid, RIGHTARG = uuid, FUNCTION = ulid_le_uuid,
    COMMUTATOR = ^>=^, NEGATOR = ^>^, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON FUNCTION ulid_le_uuid(ulid, uuid) IS 'implementation of ^<=^ operator';
COMMENT ON OPERATOR ^<=^ (ulid, uuid) IS 'less than or equal, for operator families';

CREATE FUNCTION ulid_eq_uuid(ulid, uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'SELECT $1::pg_catalog.uuid OPERATOR(pg_catalog.=) $2';
CREATE OPERATOR ^=^ (LEFTARG = ulid, RIGHTARG = uuid, FUNCTION = ulid_eq_uuid,
    COMMUTATOR = ^=^, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON FUNCTION ulid_eq_uuid(ulid, uuid) IS 'implementation of ^=^ operator';
COMMENT ON OPERATOR ^=^ (ulid, uuid) IS 'equal, for operator families';

CREATE FUNCTION ulid_ge_uuid(ulid, uuid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'ulid_ge' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE OPERATOR ^>=^ (LEFTARG = ulid, RIGHTARG = uuid, FUNCTION = ulid_ge_uuid,
    COMMUTATOR = ^<=^, NEGATOR = ^<^, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON FUNCTION ulid_ge_uuid(ulid, uuid) IS 'implementation of ^>=^ operator';
COMMENT ON OPERATOR ^>=^ (ulid, uuid) IS 'greater than or equal, for operator families';

CREATE FUNCTION ulid_gt_uuid(ulid, uuid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'ulid_gt' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE OPERATOR ^>^ (LEFTARG = ulid, RIGHTARG = uuid, FUNCTION = ulid_gt_uuid,
    COMMUTATOR = ^<^, NEGATOR = ^<=^, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON FUNCTION ulid_gt_uuid(ulid, uuid) IS 'implementation of ^>^ operator';
COMMENT ON OPERATOR ^>^ (ulid, uuid) IS 'greater than, for operator families';

CREATE FUNCTION uuid_lt_ulid(uuid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'ulid_lt' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE OPERATOR ^<^ (LEFTARG = uuid, RIGHTARG = ulid, FUNCTION = uuid_lt_ulid,
    COMMUTATOR = ^>^, NEGATOR = ^>=^, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON FUNCTION uuid_lt_ulid(uuid, ulid) IS 'implementation of ^<^ operator';
COMMENT ON OPERATOR ^<^ (uuid, ulid) IS 'less than, for operator families';

CREATE FUNCTION uuid_le_ulid(uuid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'ulid_le' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE OPERATOR ^<=^ (LEFTARG = uuid, RIGHTARG = ulid, FUNCTION = uuid_le_ulid,
    COMMUTATOR = ^>=^, NEGATOR = ^>^, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON FUNCTION uuid_le_ulid(uuid, ulid) IS 'implementation of ^<=^ operator';
COMMENT ON OPERATOR ^<=^ (uuid, ulid) IS 'less than or equal, for operator families';

CREATE FUNCTION uuid_eq_ulid(uuid, ulid) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'SELECT $1 OPERATOR(pg_catalog.=) $2::pg_catalog.uuid';
CREATE OPERATOR ^=^ (LEFTARG = uuid, RIGHTARG = ulid, FUNCTION = uuid_eq_ulid,
    COMMUTATOR = ^=^, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON FUNCTION uuid_eq_ulid(uuid, ulid) IS 'implementation of ^=^ operator';
COMMENT ON OPERATOR ^=^ (uuid, ulid) IS 'equal, for operator families';

CREATE FUNCTION uuid_ge_ulid(uuid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'ulid_ge' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE OPERATOR ^>=^ (LEFTARG = uuid, RIGHTARG = ulid, FUNCTION = uuid_ge_ulid,
    COMMUTATOR = ^<=^, NEGATOR = ^<^, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON FUNCTION uuid_ge_ulid(uuid, ulid) IS 'implementation of ^>=^ operator';
COMMENT ON OPERATOR ^>=^ (uuid, ulid) IS 'greater than or equal, for operator families';

CREATE FUNCTION uuid_gt_ulid(uuid, ulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'ulid_gt' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE OPERATOR ^>^ (LEFTARG = uuid, RIGHTARG = ulid, FUNCTION = uuid_gt_ulid,
    COMMUTATOR = ^<^, NEGATOR = ^<=^, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON FUNCTION uuid_gt_ulid(uuid, ulid) IS 'implementation of ^>^ operator';
COMMENT ON OPERATOR ^>^ (uuid, ulid) IS 'greater than, for operator families';

CREATE FUNCTION ulid_cmp_uuid(ulid, uuid) RETURNS integer
    AS 'MODULE_PATHNAME', 'ulid_cmp' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_cmp_uuid(ulid, uuid) IS 'less-equal-greater';

CREATE FUNCTION uuid_cmp_ulid(uuid, ulid) RETURNS integer
    AS 'MODULE_PATHNAME', 'ulid_cmp' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_cmp_ulid(uuid, ulid) IS 'less-equal-greater';

ALTER OPERATOR FAMILY ulid_ops USING btree ADD
    OPERATOR 1 ^<^ (ulid, uuid), OPERATOR 2 ^<=^ (ulid, uuid), OPERATOR 3 ^=^ (ulid, uuid),
    OPERATOR 4 ^>=^ (ulid, uuid), OPERATOR 5 ^>^ (ulid, uuid),
    FUNCTION 1 (ulid, uuid) ulid_cmp_uuid(ulid, uuid),
    OPERATOR 1 ^<^ (uuid, ulid), OPERATOR 2 ^<=^ (uuid, ulid), OPERATOR 3 ^=^ (uuid, ulid),
    OPERATOR 4 ^>=^ (uuid, ulid), OPERATOR 5 ^>^ (uuid, ulid),
    FUNCTION 1 (uuid, ulid) uuid_cmp_ulid(uuid, ulid),
    OPERATOR 1 pg_catalog.< (uuid, uuid), OPERATOR 2 pg_catalog.<= (uuid, uuid), OPERATOR 3 pg_catalog.= (uuid, uuid),
    OPERATOR 4 pg_catalog.>= (uuid, uuid), OPERATOR 5 pg_catalog.> (uuid, uuid),
    FUNCTION 1 (uuid, uuid) pg_catalog.uuid_cmp(uuid, uuid),
    FUNCTION 2 (uuid, uuid) pg_catalog.uuid_sortsupport(internal);

ALTER OPERATOR FAMILY ulid_ops USING hash ADD
    OPERATOR 1 ^=^ (ulid, uuid), OPERATOR 1 ^=^ (uuid, ulid), OPERATOR 1 pg_catalog.= (uuid, uuid),
    FUNCTION 1 (uuid, uuid) pg_catalog.uuid_hash(uuid),
    FUNCTION 2 (uuid, uuid) pg_catalog.uuid_hash_extended(uuid, bigint);

ALTER OPERATOR FAMILY gist_ulid_ops USING gist ADD
    OPERATOR 3 ^=^ (ulid, uuid),
    OPERATOR 1 pg_catalog.< (uuid, uuid), OPERATOR 2 pg_catalog.<= (uuid, uuid), OPERATOR 3 pg_catalog.= (uuid, uuid),
    OPERATOR 4 pg_catalog.>= (uuid, uuid), OPERATOR 5 pg_catalog.> (uuid, uuid), OPERATOR 6 pg_catalog.<> (uuid, uuid);

ALTER OPERATOR FAMILY ulid_ops USING gin ADD
    OPERATOR 1 pg_catalog.< (uuid, uuid), OPERATOR 2 pg_catalog.<= (uuid, uuid), OPERATOR 3 pg_catalog.= (uuid, uuid),
    OPERATOR 4 pg_catalog.>= (uuid, uuid), OPERATOR 5 pg_catalog.> (uuid, uuid);

--
-- PostgreSQL 18 and later: temporal keys. The Makefile leaves this section out for older servers. After pg_upgrade from
-- one of them, run these statements yourself (doc/upgrading.md).
--

CREATE FUNCTION ulid_gist_translate_cmptype(integer) RETURNS smallint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_gist_translate_cmptype(integer) IS 'GiST support';

ALTER OPERATOR FAMILY gist_ulid_ops USING gist ADD
    FUNCTION 12 ("any", "any") ulid_gist_translate_cmptype(integer);
