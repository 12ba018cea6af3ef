-- Operators, operator classes, aggregates.
-- neighbors, the bounds of a millisecond, the least and the greatest, and NULL
CREATE TEMP TABLE ulids (id ulid);
INSERT INTO ulids VALUES
    ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), ('00000000000000000000000000'), ('01GV5PA9EQG7D82Q3Y4PKBZSYV'),
    ('01GV5PA9EQG7D82Q3Y4PKBZSYW'), ('01GV5PA9EQZZZZZZZZZZZZZZZZ'), ('01GV5PA9ER0000000000000000'),
    ('4000000000000000000000000Z'), (NULL);
SELECT a.id AS a, b.id AS b, a.id < b.id AS lt, a.id <= b.id AS le, a.id = b.id AS eq,
       a.id >= b.id AS ge, a.id > b.id AS gt, a.id <> b.id AS ne, ulid_cmp(a.id, b.id) AS cmp
FROM ulids AS a, ulids AS b
WHERE a.id IS NULL OR b.id IS NULL OR a.id::uuid <= b.id::uuid
ORDER BY a.id::uuid, b.id::uuid;
-- the order of uuid, of the text in collation C, and of the bytes
SELECT count(*) AS differ
FROM ulids AS a, ulids AS b
WHERE (a.id < b.id, a.id <= b.id, a.id = b.id, a.id >= b.id, a.id > b.id, a.id <> b.id)
    IS DISTINCT FROM (a.id::uuid < b.id::uuid, a.id::uuid <= b.id::uuid, a.id::uuid = b.id::uuid,
                      a.id::uuid >= b.id::uuid, a.id::uuid > b.id::uuid, a.id::uuid <> b.id::uuid)
   OR (a.id < b.id) IS DISTINCT FROM (a.id::text < b.id::text COLLATE "C")
   OR (a.id < b.id) IS DISTINCT FROM (a.id::bytea < b.id::bytea);
SELECT id FROM ulids ORDER BY id DESC;
SELECT id FROM ulids ORDER BY id USING > NULLS LAST LIMIT 2;
SELECT min(id), max(id), min(id) FILTER (WHERE false) AS none, count(DISTINCT id) FROM ulids;
