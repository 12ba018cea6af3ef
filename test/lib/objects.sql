-- An object of each kind that stores an expression, with forms that PostgreSQL writes without the operator's schema.
-- After expressions.sql.
CREATE INDEX partial ON t (k) WHERE id IS DISTINCT FROM o;
CREATE TABLE c (id ulid PRIMARY KEY, k int, o ulid, CHECK ((id, k) > ('01GV5PA9EQG7D82Q3Y4PKBZSYV'::ulid, 0)),
    first boolean DEFAULT ('01GV5PA9EQG7D82Q3Y4PKBZSYV'::ulid, 1) > ('01GV5PA9EQG7D82Q3Y4PKBZSYV'::ulid, 0),
    other ulid GENERATED ALWAYS AS (NULLIF(id, o)) STORED, EXCLUDE USING gist (o WITH =));
CREATE TABLE d (id ulid PRIMARY KEY, a int);
CREATE VIEW joined_using AS SELECT c.k, d.a, id FROM c JOIN d USING (id);
CREATE VIEW joined_naturally AS SELECT * FROM c NATURAL JOIN d;
CREATE VIEW nullif_type AS
    SELECT pg_typeof(NULLIF('01GV5PA9EQG7D82Q3Y4PKBZSYV'::ulid, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'::ulid)) AS type;
CREATE MATERIALIZED VIEW m AS
    SELECT max(id) FROM c WHERE (id, k) IN (SELECT id, a FROM d) AND id >= now() - interval '1 day';
CREATE FUNCTION f(ulid, int) RETURNS boolean LANGUAGE sql
    BEGIN ATOMIC SELECT $1 IS DISTINCT FROM '7ZZZZZZZZZZZZZZZZZZZZZZZZZ' AND $1::timestamptz > now(); END;
CREATE FUNCTION with_empty_path() RETURNS text LANGUAGE plpgsql SET search_path = '' AS
    'BEGIN RETURN (SELECT max(id) FROM public.c WHERE id >= now() OR id <> ''01GV5PA9EQG7D82Q3Y4PKBZSYV''); END';
CREATE POLICY p ON c USING ((id, k) > (o, 0) AND CASE id WHEN o THEN false ELSE true END);
CREATE INDEX i ON c (k) WHERE (id, k) > (o, 0);
CREATE FUNCTION g() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER h AFTER UPDATE ON c FOR EACH ROW WHEN ((NEW.id, NEW.k) > (OLD.id, OLD.k)) EXECUTE FUNCTION g();
CREATE RULE r AS ON UPDATE TO c WHERE (NEW.id, NEW.k) > (OLD.id, OLD.k) DO ALSO NOTHING;
CREATE STATISTICS s ON k, (NULLIF(id, o)) FROM c;
CREATE TABLE by_list (id ulid, o ulid) PARTITION BY LIST ((NULLIF(id, o)));
CREATE TYPE ulid_range AS RANGE (subtype = ulid);
CREATE DOMAIN checked AS ulid CHECK (VALUE >= '2020-01-01Z'::timestamptz AND ulid_timestamp(VALUE) > '2020-01-01Z');
