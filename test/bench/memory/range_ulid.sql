SELECT sum(n) FROM item_ulid
WHERE id >= '2025-01-01Z'::timestamptz + :rows / 2 * interval '7 ms'
    AND id < '2025-01-01Z'::timestamptz + (:rows / 2 + :rows / 100) * interval '7 ms';
