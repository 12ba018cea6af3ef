SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
SET enable_memoize = off;
SELECT count(*) FROM wanted_:kind JOIN item_:kind USING (id);
