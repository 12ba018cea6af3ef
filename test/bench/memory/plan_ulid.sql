EXPLAIN SELECT n FROM item_ulid
WHERE id >= '2025-01-01 01:00Z'::timestamptz AND id < '2025-01-01 01:10Z'::timestamptz;
