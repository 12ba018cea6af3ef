TRUNCATE into_:kind;
INSERT INTO into_:kind (n) SELECT n FROM one;
