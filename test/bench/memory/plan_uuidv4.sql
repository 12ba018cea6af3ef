EXPLAIN SELECT n FROM item_uuidv4
WHERE created >= '2025-01-01 01:00Z'::timestamptz AND created < '2025-01-01 01:10Z'::timestamptz;
