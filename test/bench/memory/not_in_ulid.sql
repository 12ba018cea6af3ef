SELECT string_agg(id::uuid::text, ',') AS uuids FROM (SELECT id FROM shuffled_ulid LIMIT 100) AS s \gset
SELECT count(*) FROM shuffled_ulid WHERE id <> ALL ('{:uuids}'::uuid[]);
