SELECT date_trunc('minute', id::timestamptz, 'UTC'), sum(n) FROM item_ulid GROUP BY 1 ORDER BY 1;
