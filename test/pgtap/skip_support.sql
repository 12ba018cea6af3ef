-- Skip scans: PostgreSQL 18 and later search an index by its second column.
BEGIN;
SELECT no_plan();

-- Consecutive values of the first column, as gen_ulid() makes them within a millisecond: with skip
-- support one search of the index a value, without it nearly two. Across the end of the low 64 bits,
-- and at both ends of the type.
CREATE TABLE rows AS
SELECT id::ulid AS ulid, id::uuid AS uuid, n
FROM (SELECT ('018f000000000000000000000000' || lpad(to_hex(x), 4, '0'))::uuid
      FROM generate_series(0, 99) AS x
      UNION SELECT ('018f00000000001' || y || repeat(z, 15) || w)::uuid
      FROM (VALUES (0, 'f', 'e'), (0, 'f', 'f'), (1, '0', '0'), (1, '0', '1')) AS v (y, z, w)
      UNION SELECT '00000000-0000-0000-0000-000000000000'
      UNION SELECT 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS ids (id),
     generate_series(1, 500) AS n;
CREATE INDEX rows_ulid ON rows (ulid, n);
CREATE INDEX rows_uuid ON rows (uuid, n);
ANALYZE rows;
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = off;

CREATE FUNCTION index_searches(query text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT JSON) ' || query INTO plan;
    RETURN coalesce(plan #>> '{0,Plan,Index Searches}', plan #>> '{0,Plan,Plans,0,Index Searches}');
END
$$;

SELECT results_eq('SELECT ulid::uuid FROM rows WHERE n = 7 ORDER BY ulid',
                  'SELECT DISTINCT uuid FROM rows ORDER BY uuid',
                  'a search by the second column finds every row');
SELECT results_eq('SELECT ulid::uuid FROM rows WHERE n = 7 ORDER BY ulid DESC',
                  'SELECT DISTINCT uuid FROM rows ORDER BY uuid DESC',
                  'so does one backwards');

SELECT CASE WHEN current_setting('server_version_num')::integer < 180000 THEN
    skip('PostgreSQL before 18 has no skip scans', 4)
ELSE collect_tap(
    is((SELECT amproc::text FROM pg_amproc AS p JOIN pg_opfamily AS f ON p.amprocfamily = f.oid
        WHERE f.opfname = 'ulid_ops' AND amprocnum = 6
          AND amproclefttype = 'ulid'::regtype AND amprocrighttype = 'ulid'::regtype),
       'ulid_skipsupport', 'the operator class has skip support'),
    is(index_searches('SELECT ulid FROM rows WHERE n = 7 ORDER BY ulid'),
       index_searches('SELECT uuid FROM rows WHERE n = 7 ORDER BY uuid'),
       'a skip scan takes as many searches of the index as with uuid'),
    is(index_searches('SELECT ulid FROM rows WHERE n = 7 ORDER BY ulid DESC'),
       index_searches('SELECT uuid FROM rows WHERE n = 7 ORDER BY uuid DESC'),
       'backwards too'),
    cmp_ok(index_searches('SELECT ulid FROM rows WHERE n = 7 ORDER BY ulid'), '<',
           (1.5 * (SELECT count(DISTINCT ulid) FROM rows))::integer, 'about one a value'))
END;

SELECT * FROM finish();
ROLLBACK;
