SELECT sum(n) FROM item_uuidv4
WHERE created >= '2025-01-01Z'::timestamptz + :rows / 2 * interval '7 ms'
    AND created < '2025-01-01Z'::timestamptz + (:rows / 2 + :rows / 100) * interval '7 ms';
