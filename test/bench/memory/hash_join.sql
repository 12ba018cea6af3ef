SET enable_nestloop = off;
SELECT count(*) FROM shuffled_:kind JOIN item_:kind USING (id);
