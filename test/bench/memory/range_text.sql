SELECT sum(n) FROM item_text
WHERE id >= ulid_min('2025-01-01Z'::timestamptz + :rows / 2 * interval '7 ms')::text
    AND id < ulid_min('2025-01-01Z'::timestamptz + (:rows / 2 + :rows / 100) * interval '7 ms')::text;
