\set n random(1, 1000000)
INSERT INTO item (n) VALUES (:n);
