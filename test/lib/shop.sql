-- The schema of an application with uuid keys, for 017_moving.pl, in every kind of object that mentions the type.
SET ROLE shop; SET search_path = pg_catalog;
CREATE SCHEMA app; GRANT USAGE ON SCHEMA app TO clerk; COMMENT ON SCHEMA app IS 'each id is a uuid';
CREATE DOMAIN app.account_id AS uuid;
CREATE TYPE app.pair AS (id uuid, n integer);
CREATE TYPE app.state AS ENUM ('new', 'paid');
CREATE FUNCTION app.current_account() RETURNS uuid LANGUAGE sql STABLE AS
    $$SELECT nullif(current_setting('app.account', true), '')::uuid$$;
CREATE TABLE app.account (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer UNIQUE, boss uuid REFERENCES app.account,
    token uuid DEFAULT gen_random_uuid(), pair app.pair);
CREATE TABLE app.item (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), no bigint GENERATED ALWAYS AS IDENTITY,
    account uuid NOT NULL REFERENCES app.account ON DELETE CASCADE, usr app.account_id, tags uuid[] DEFAULT '{}', doc jsonb,
    ref uuid GENERATED ALWAYS AS ((doc->>'ref')::uuid) STORED);
CREATE INDEX item_account ON app.item (account); CREATE INDEX ON app.item USING gin (tags);
CREATE INDEX item_bloom ON app.item USING brin (id uuid_bloom_ops);
CREATE INDEX item_partial ON app.item (id) WHERE account <> '00000000-0000-0000-0000-000000000000';
CREATE TABLE app.sale (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), item uuid, state app.state DEFAULT 'new', paper json,
    shown text GENERATED ALWAYS AS (item::text) STORED);
CREATE INDEX sale_item ON app.sale (coalesce(item, '00000000-0000-0000-0000-000000000000'::uuid));
CREATE TABLE app.plain (account uuid, n integer);
CREATE TABLE app.hashed (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer) PARTITION BY HASH (id);
CREATE TABLE app.hashed_0 PARTITION OF app.hashed FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE app.hashed_1 PARTITION OF app.hashed FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE app.booking (room uuid, during tstzrange, id integer PRIMARY KEY, EXCLUDE USING gist (room WITH =, during WITH &&));
CREATE UNLOGGED TABLE app.cache (id uuid PRIMARY KEY);
CREATE TABLE app.note (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), account uuid, body text);
ALTER TABLE app.note ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON app.note USING (account = nullif(current_setting('app.account', true), '')::uuid);
CREATE UNLOGGED TABLE app.ran (who name); GRANT INSERT ON app.ran TO clerk;
CREATE TABLE app.stamp (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer);
CREATE FUNCTION app.run() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN INSERT INTO app.ran VALUES (current_user); RETURN NEW; END$$;
CREATE TRIGGER run BEFORE INSERT ON app.stamp FOR EACH ROW EXECUTE FUNCTION app.run();
ALTER TABLE app.stamp ENABLE ALWAYS TRIGGER run;
CREATE FUNCTION app.items(p uuid) RETURNS TABLE (id uuid, no bigint) LANGUAGE plpgsql STABLE AS $$
    BEGIN RETURN QUERY SELECT i.id, i.no FROM app.item i WHERE account = p; END$$;
CREATE FUNCTION app.dynamic(text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$DECLARE n bigint;
    BEGIN EXECUTE format('SELECT count(*) FROM app.item WHERE account = %L::uuid', $1) INTO n; RETURN n; END$$;
CREATE FUNCTION app.new_id() RETURNS uuid LANGUAGE sql AS 'SELECT gen_random_uuid()';
CREATE VIEW app.listed AS SELECT n, i.id, item, state, NULLIF(account, usr) AS other FROM app.account a (account)
    JOIN app.item i USING (account) JOIN app.sale s ON s.item = i.id;
CREATE VIEW app.tree AS WITH RECURSIVE r AS (SELECT id, n, NULL::uuid AS top FROM app.account WHERE boss IS NULL
    UNION ALL SELECT a.id, a.n, r.id FROM app.account a JOIN r ON a.boss = r.id) SELECT * FROM r;
CREATE MATERIALIZED VIEW app.sums AS SELECT account, count(*) FROM app.item GROUP BY 1;
CREATE SEQUENCE app.ticket_seq; CREATE SEQUENCE app.unused_seq; SELECT setval('app.ticket_seq', 77, false);
INSERT INTO app.account (n, pair) SELECT n, ROW(gen_random_uuid(), n)::app.pair FROM generate_series(1, 100) n;
UPDATE app.account SET boss = (SELECT id FROM app.account WHERE n = 1) WHERE n > 1;
INSERT INTO app.item (account, usr, tags, doc) SELECT id, boss, ARRAY[id, NULL], jsonb_build_object('ref', id)
    FROM app.account, generate_series(1, 20);
INSERT INTO app.sale (item, paper) SELECT id, '{}' FROM app.item; INSERT INTO app.cache SELECT id FROM app.item;
INSERT INTO app.booking SELECT id, '[2026-01-01Z, 2026-01-02Z)', no FROM app.item;
INSERT INTO app.hashed (n) SELECT generate_series(1, 1000); SELECT lo_from_bytea(0, '\x0102');
RESET ROLE; ALTER TABLE app.stamp OWNER TO clerk; GRANT ALL ON app.stamp TO shop; GRANT SELECT ON app.stamp TO clerk;
