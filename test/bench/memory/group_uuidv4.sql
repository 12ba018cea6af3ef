SELECT date_trunc('minute', created, 'UTC'), sum(n) FROM item_uuidv4 GROUP BY 1 ORDER BY 1;
