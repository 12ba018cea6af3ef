SELECT sum(n) FROM item_uuidv7
WHERE id >= uuidv7_min('2025-01-01Z'::timestamptz + :rows / 2 * interval '7 ms')
    AND id < uuidv7_min('2025-01-01Z'::timestamptz + (:rows / 2 + :rows / 100) * interval '7 ms');
