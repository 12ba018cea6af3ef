SELECT string_agg(id::uuid::text, ',') AS uuids FROM (SELECT id FROM shuffled_ulid LIMIT 100) AS s \gset
SELECT count(*) FROM same_uuid WHERE id <> ALL ('{:uuids}'::uuid[]);
