-- The truth of conditions on time: for 50,000 pairs of ids of several kinds and times near them, and every pair of
-- edges, the operators, called as functions, inlined, and by an index, agree with the milliseconds of the times,
-- compared directly.
BEGIN;
SELECT no_plan();
SET LOCAL timezone = 'UTC';

\ir ../lib/plan_of.psql
\ir ../lib/ids.psql

CREATE FUNCTION random_between(low int, high int) RETURNS int LANGUAGE sql VOLATILE
    RETURN low + floor(random() * (high - low + 1))::int;

CREATE TABLE ids (id ulid PRIMARY KEY);
INSERT INTO ids SELECT id
FROM (VALUES ('uniform', '30 days'), ('uniform', '8000 years'), ('counted', '1 hour'), ('UUIDv7', '1 day'),
    ('random UUIDs', '0'))
    AS v (kind, span), ids(kind, span::interval, 5000)
UNION SELECT decode(ms || randomness, 'hex')::ulid
FROM unnest('{000000000000,000000000001,019b76daa800,fffffffffffe,ffffffffffff}'::text[]) AS ms,
     unnest('{00000000000000000000,00000000000000000001,fffffffffffffffffffe,ffffffffffffffffffff}'::text[])
         AS randomness;

-- With each id twice a time near its own (inside the millisecond, in one beside it, at its start,
-- days away) and one after that; and with each edge every edge of time.
CREATE TABLE pairs AS
SELECT row_number() OVER () AS pair, id, t, t2, ('{[),(],[],()}'::text[])[random_between(1, 4)] AS bounds
FROM (SELECT id, t, t + make_interval(secs => ('{0,1e-6,1e-3,1e5}'::float8[])[random_between(1, 4)]
        * random_between(0, 3)) AS t2
      FROM (SELECT id, id::timestamptz + make_interval(secs => ('{1e-6,1e-3,1}'::float8[])[random_between(1, 3)]
                                        * random_between(-2000, 2000) / ('{1,1000}'::int[])[random_between(1, 2)])
            FROM ids, generate_series(1, 2)) AS near (id, t)
      UNION ALL SELECT id, t, greatest(t, t2)
      FROM ids, unnest('{-infinity,1969-12-31 23:59:59.999999Z,1970-01-01Z,1970-01-01 00:00:00.000001Z,
                1970-01-01 00:00:00.001Z,2026-01-01Z,10889-08-02 05:31:50.654999Z,10889-08-02 05:31:50.655Z,
                10889-08-02 05:31:50.655001Z,infinity}'::timestamptz[]) AS t,
           unnest('{1970-01-01Z,10889-08-02 05:31:50.655Z,infinity}'::timestamptz[]) AS t2
      WHERE id::text ~ '^(000000000|01KDVDNA00|7ZZZZZZZZ)') AS times;
ANALYZE pairs, ids;
SELECT ok(count(*) >= 50000 AND count(*) FILTER (WHERE id::timestamptz = t) > 1000
          AND count(*) FILTER (WHERE abs(extract(epoch FROM id::timestamptz - t)) < 0.001
              AND id::timestamptz <> t) > 1000,
          'pairs enough, of equal times and of times within the millisecond too')
FROM pairs WHERE isfinite(t);

-- What the milliseconds say.
CREATE TABLE truth AS
SELECT p.*, NOT is_maximum AND ts < ms AS lt, NOT is_maximum AND ts <= ms AS le,
       is_maximum OR ts >= ms AS ge, is_maximum OR ts > ms AS gt,
       NOT is_maximum AND ts <@ tstzrange(ms, date_trunc('milliseconds', t2), bounds) AS contained
FROM (SELECT *, id::timestamptz AS ts, date_trunc('milliseconds', t) AS ms,
    id = '7ZZZZZZZZZZZZZZZZZZZZZZZZZ' AS is_maximum
      FROM pairs) AS p;

SELECT is_empty($$SELECT * FROM truth
WHERE (lt, le, ge, gt) <> (id < t, id <= t, id >= t, id > t) OR (lt, le, ge, gt) <> (t > id, t >= id, t <= id, t < id)
   OR contained <> ulid_within(id, tstzrange(t, t2, bounds))$$, 'inlined, row by row');
-- ANY is not inlined.
SELECT is_empty($$SELECT * FROM truth
WHERE (pair % 10 = 0 OR pair > 50000) AND (
   (lt, le, ge, gt) <> (id < ANY (ARRAY[t]), id <= ANY (ARRAY[t]), id >= ANY (ARRAY[t]), id > ANY (ARRAY[t]))
   OR (lt, le, ge, gt) <> (t > ANY (ARRAY[id]), t >= ANY (ARRAY[id]), t <= ANY (ARRAY[id]), t < ANY (ARRAY[id])))$$,
       'called');

-- Over the index, with the operators that it is given.
SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
SELECT string_agg(format('EXISTS (SELECT FROM ids AS i WHERE i.id >= p.id AND i.id <= p.id AND %s)', condition),
    ', ') AS found
FROM unnest(ARRAY['i.id < t', 'i.id <= t', 'i.id >= t', 't < i.id',
    'ulid_within(i.id, tstzrange(t, t2, bounds))']) AS condition \gset
SELECT is((SELECT count(*) FROM regexp_matches(plan_of('SELECT ' || :'found' || ' FROM truth AS p'),
    'Index Cond: \(\(id >= p.id\) AND \(id <= p.id\) AND \(id [<>]=? ulid_(lower|upper)_bound\(p.t\)\)\)'
    '|Index Cond: \(\(id >= p.id\) AND \(id <= p.id\) AND \(id >= ulid_range_min[^\n]* AND \(id <= ulid_range_max', 'g')),
        5::bigint,
    'each condition is one of the index');
SELECT is_empty(format('SELECT * FROM truth AS p WHERE (lt, le, ge, gt, contained) <> (%s)', :'found'), 'by the index');

-- 100,000 rows, one made at each microsecond of a tenth of a second: none made at or after t is missed, whatever t is.
CREATE TABLE made AS
SELECT gen_ulid(t) AS id, t, ('{0,1 us,499 us,999 us,1 ms,1 s}'::interval[])[1 + random() * 5] AS gap
FROM (SELECT '2026-01-05Z'::timestamptz + n * interval '1 us' FROM generate_series(0, 99999) AS n) AS times (t);
SELECT is(count(*) FILTER (WHERE NOT (id >= t - gap AND ulid_within(id, tstzrange(t - gap, NULL)))), 0::bigint,
    'a row made at or after t is found by id >= t: ' || count(*)) FROM made;
SELECT is(count(*) FILTER (WHERE NOT (id <= t + gap AND ulid_within(id, tstzrange(NULL, t + gap, '(]')))), 0::bigint,
    'a row made at or before t is found by id <= t: ' || count(*)) FROM made;

SELECT * FROM finish();
ROLLBACK;
