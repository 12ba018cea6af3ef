-- What a schema can have on a key, for test/t/022_move.pl: 34 tables. The extension is there.
CREATE ROLE shop_owner;
CREATE ROLE clerk;
CREATE ROLE auditor;
CREATE SCHEMA shop AUTHORIZATION shop_owner;
GRANT USAGE ON SCHEMA shop TO clerk, auditor;
SET ROLE shop_owner;
SET search_path = shop, public;
ALTER DEFAULT PRIVILEGES IN SCHEMA shop GRANT TRIGGER ON TABLES TO auditor;

-- A key with all that hangs on a column.
CREATE TABLE customer (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    boss uuid REFERENCES customer ON DELETE SET NULL,
    external uuid CONSTRAINT customer_external UNIQUE,
    name text COLLATE "C",
    city text,
    n integer NOT NULL DEFAULT 0,
    deleted boolean NOT NULL DEFAULT false,
    CONSTRAINT customer_is_someone CHECK (id <> '00000000-0000-0000-0000-000000000000')
);
ALTER TABLE customer ADD CONSTRAINT customer_not_its_own_boss CHECK (boss <> id) NOT VALID;
COMMENT ON COLUMN customer.id IS 'the key''s comment';
COMMENT ON CONSTRAINT customer_pkey ON customer IS 'comment of the key';
COMMENT ON CONSTRAINT customer_is_someone ON customer IS 'comment of the check';
COMMENT ON INDEX customer_pkey IS 'comment of the key''s index';
ALTER TABLE customer ALTER COLUMN id SET STATISTICS 500;
ALTER TABLE customer ALTER COLUMN id SET (n_distinct = -1);
CREATE INDEX customer_boss ON customer (boss DESC NULLS LAST, name COLLATE "POSIX" text_pattern_ops) INCLUDE (n) WITH (fillfactor = 70);
COMMENT ON INDEX customer_boss IS 'comment of an index';
CREATE INDEX customer_index_with_a_name_that_is_as_long_as_names_can_be_at_1 ON customer (boss, n);
CREATE INDEX customer_index_with_a_name_that_is_as_long_as_names_can_be_at_2 ON customer (boss, city);
CREATE INDEX customer_hash ON customer USING hash (id);
CREATE INDEX customer_brin ON customer USING brin (id) WITH (pages_per_range = 32);
CREATE INDEX customer_by_name ON customer (name) INCLUDE (id);
CREATE INDEX customer_alive ON customer (id) WHERE NOT deleted;
CREATE INDEX customer_head ON customer (left(id::text, 4), city);
ALTER INDEX customer_head ALTER COLUMN 1 SET STATISTICS 300;
CREATE UNIQUE INDEX customer_one_boss ON customer (boss, city) WHERE deleted AND boss IS NOT NULL;
CREATE UNIQUE INDEX "Customer by city" ON customer (city, id) NULLS NOT DISTINCT;
ALTER TABLE customer CLUSTER ON customer_boss;
CREATE STATISTICS customer_statistics (ndistinct, dependencies) ON id, city FROM customer;
ALTER STATISTICS customer_statistics SET STATISTICS 200;
COMMENT ON STATISTICS customer_statistics IS 'comment of statistics';
GRANT SELECT (id, name), UPDATE (name) ON customer TO clerk;
GRANT SELECT, INSERT, UPDATE, DELETE ON customer TO auditor WITH GRANT OPTION;
ALTER TABLE customer ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_only ON customer FOR SELECT TO clerk USING (id = current_setting('shop.customer')::uuid);
COMMENT ON POLICY own_only ON customer IS 'comment of a policy';
CREATE POLICY all_of_it ON customer AS PERMISSIVE TO auditor USING (true) WITH CHECK (id IS NOT NULL);
CREATE POLICY not_the_boss ON customer AS RESTRICTIVE FOR DELETE TO PUBLIC USING (boss IS NULL OR id <> boss);
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.n := NEW.n; RETURN NEW; END $$;
CREATE TRIGGER id_changes BEFORE UPDATE OF id, boss ON customer FOR EACH ROW EXECUTE FUNCTION touch();
COMMENT ON TRIGGER id_changes ON customer IS 'comment of a trigger';
CREATE TRIGGER id_is_new BEFORE INSERT ON customer FOR EACH ROW WHEN (NEW.id IS NOT NULL) EXECUTE FUNCTION touch();
CREATE TRIGGER never BEFORE UPDATE OF id ON customer FOR EACH ROW EXECUTE FUNCTION touch();
ALTER TABLE customer DISABLE TRIGGER never;
CREATE TABLE gone (customer_id uuid, at timestamptz DEFAULT now());
CREATE RULE remember AS ON DELETE TO customer WHERE OLD.deleted DO ALSO INSERT INTO gone VALUES (OLD.id);
COMMENT ON RULE remember ON customer IS 'comment of a rule';

-- References of every kind.
CREATE TABLE invoice (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    customer_id uuid NOT NULL REFERENCES customer ON UPDATE CASCADE ON DELETE CASCADE,
    n integer NOT NULL DEFAULT 0,
    no integer,
    UNIQUE (id, n)
);
CREATE INDEX ON invoice (customer_id);
CREATE TABLE by_external (external uuid REFERENCES customer (external) DEFERRABLE INITIALLY DEFERRED, n integer);
CREATE TABLE line (
    invoice_id uuid, n integer, no integer,
    PRIMARY KEY (invoice_id, n, no),
    CONSTRAINT "The invoice" FOREIGN KEY (invoice_id, n) REFERENCES invoice (id, n) MATCH FULL ON UPDATE CASCADE ON DELETE CASCADE
);
COMMENT ON CONSTRAINT "The invoice" ON line IS 'comment of a foreign key';
CREATE TABLE line_note (
    id integer PRIMARY KEY, invoice_id uuid, n integer, no integer, t text,
    FOREIGN KEY (invoice_id, n, no) REFERENCES line ON DELETE SET NULL (invoice_id) DEFERRABLE
);
CREATE TABLE unchecked (customer_id uuid);
INSERT INTO unchecked VALUES ('01563e3a-b5d3-d676-4c61-efb99302bd5b');
ALTER TABLE unchecked ADD FOREIGN KEY (customer_id) REFERENCES customer NOT VALID;
CREATE TABLE profile (id uuid PRIMARY KEY REFERENCES customer ON DELETE CASCADE, t text);
CREATE TABLE "Quoted ""Table""" ("The Id" uuid PRIMARY KEY DEFAULT gen_random_uuid(), "customer Id" uuid REFERENCES customer);

-- What is rebuilt in the switch.
CREATE TABLE slot (
    customer_id uuid REFERENCES customer, position integer,
    CONSTRAINT slot_position UNIQUE (customer_id, position) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT slot_one EXCLUDE USING btree (customer_id WITH =, position WITH =) WHERE (position > 0)
);

-- A generated column.
CREATE TABLE labelled (id uuid PRIMARY KEY REFERENCES customer ON DELETE CASCADE, n integer,
    label text GENERATED ALWAYS AS ('n-' || n || CASE WHEN id IS NULL THEN '?' ELSE '' END) STORED);
COMMENT ON COLUMN labelled.label IS 'comment of a generated column';
GRANT SELECT (label) ON labelled TO clerk;

-- Replica identities and publications.
CREATE TABLE published (id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(), customer_id uuid REFERENCES customer, n integer);
ALTER TABLE published REPLICA IDENTITY USING INDEX published_id_key;
CREATE TABLE published_full (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), customer_id uuid REFERENCES customer);
ALTER TABLE published_full REPLICA IDENTITY FULL;

-- Inheritance, and partitions by another column.
CREATE TABLE parent (id uuid NOT NULL, customer_id uuid, t text, CHECK (customer_id IS NOT NULL OR t IS NOT NULL));
CREATE TABLE child (more text, UNIQUE (id)) INHERITS (parent);
ALTER TABLE child ADD FOREIGN KEY (customer_id) REFERENCES customer;
CREATE TABLE event (id uuid NOT NULL DEFAULT gen_random_uuid(), customer_id uuid REFERENCES customer, at date, PRIMARY KEY (at, id)) PARTITION BY RANGE (at);
CREATE TABLE event_2024 PARTITION OF event FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE TABLE event_2025 PARTITION OF event FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE INDEX ON event (customer_id);
CREATE TABLE event_detail (at date, event_id uuid, n integer, FOREIGN KEY (at, event_id) REFERENCES event);

-- Views.
CREATE VIEW customer_name AS SELECT id, name FROM customer WHERE NOT deleted;
COMMENT ON VIEW customer_name IS 'comment of a view';
COMMENT ON COLUMN customer_name.id IS 'comment of a view''s column';
ALTER VIEW customer_name ALTER COLUMN name SET DEFAULT 'nobody';
GRANT SELECT ON customer_name TO clerk;
GRANT SELECT (name) ON customer_name TO auditor;
CREATE VIEW customer_barrier WITH (security_barrier, check_option = 'local') AS SELECT id, name, n FROM customer WHERE n >= 0 AND id <> '00000000-0000-0000-0000-000000000000';
CREATE VIEW invoice_of AS SELECT i.id, c.name, i.customer_id AS "customer's" FROM invoice i JOIN customer_name c ON c.id = i.customer_id;
CREATE VIEW counted AS SELECT "customer's", count(*) AS invoices FROM invoice_of GROUP BY 1;
CREATE FUNCTION write_view() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER instead INSTEAD OF DELETE ON invoice_of FOR EACH ROW EXECUTE FUNCTION write_view();
CREATE RULE nothing AS ON INSERT TO counted DO INSTEAD NOTHING;
CREATE MATERIALIZED VIEW per_customer WITH (fillfactor = 90) AS SELECT customer_id, count(*) AS invoices FROM invoice GROUP BY 1;
CREATE UNIQUE INDEX per_customer_key ON per_customer (customer_id);
COMMENT ON MATERIALIZED VIEW per_customer IS 'comment of a materialized view';
GRANT SELECT ON per_customer TO clerk;
CREATE MATERIALIZED VIEW not_filled AS SELECT id FROM customer WITH NO DATA;

-- Functions.
CREATE FUNCTION invoices_of(uuid) RETURNS bigint LANGUAGE sql STABLE BEGIN ATOMIC SELECT count(*) FROM shop.invoice WHERE customer_id = $1; END;
COMMENT ON FUNCTION invoices_of IS 'comment of a function';
CREATE FUNCTION name_of(id uuid, t text DEFAULT 'x') RETURNS text LANGUAGE sql STABLE RETURN (SELECT name FROM shop.customer c WHERE c.id = name_of.id);
CREATE FUNCTION names_the_type(uuid) RETURNS uuid LANGUAGE sql AS 'SELECT $1';

-- And many more that refer to it, each with an index.
SELECT format('CREATE TABLE reference_%1$s (id integer PRIMARY KEY, customer_id uuid REFERENCES customer); CREATE INDEX ON reference_%1$s (customer_id)', n)
FROM generate_series(1, 14) n \gexec

-- Rows.
INSERT INTO customer (name, city, external) SELECT 'name ' || n, 'city ' || n % 7, gen_random_uuid() FROM generate_series(1, :rows) n;
UPDATE customer SET boss = (SELECT id FROM customer ORDER BY name LIMIT 1) WHERE name LIKE '%7';
INSERT INTO invoice (customer_id, n, no) SELECT id, 1, m FROM customer, generate_series(1, 2) m;
INSERT INTO by_external SELECT external, 1 FROM customer;
INSERT INTO line SELECT id, n, no FROM invoice;
INSERT INTO line_note SELECT row_number() OVER (), invoice_id, n, no, 't' FROM line;
INSERT INTO profile SELECT id, name FROM customer;
INSERT INTO "Quoted ""Table""" ("customer Id") SELECT id FROM customer;
INSERT INTO slot SELECT id, 1 FROM customer;
INSERT INTO labelled SELECT id, 1 FROM customer;
INSERT INTO published (customer_id, n) SELECT id, 1 FROM customer;
INSERT INTO published_full (customer_id) SELECT id FROM customer;
INSERT INTO parent SELECT gen_random_uuid(), id, name FROM customer LIMIT 10;
INSERT INTO child SELECT gen_random_uuid(), id, name, 'more' FROM customer LIMIT 10;
INSERT INTO event (customer_id, at) SELECT id, date '2024-12-25' + (row_number() OVER ())::int % 14 FROM customer;
INSERT INTO event_detail SELECT at, id, 1 FROM event;
SELECT format('INSERT INTO reference_%1$s SELECT row_number() OVER (), id FROM customer', n) FROM generate_series(1, 14) n \gexec
REFRESH MATERIALIZED VIEW per_customer;
RESET ROLE;

CREATE PUBLICATION by_row FOR TABLE shop.customer (id, name) WHERE (n >= 0) WITH (publish = 'insert');
CREATE PUBLICATION by_column FOR TABLE shop.published (id, n), shop.gone;
CREATE PUBLICATION whole FOR ALL TABLES;
-- what another than the owner granted
SET ROLE auditor;
GRANT SELECT ON shop.customer TO clerk;
RESET ROLE;
-- for the clients: what they wrote and what they deleted, of a type of its own
CREATE TABLE shop.ledger (id uuid, customer_id uuid, deleted boolean NOT NULL DEFAULT false);
CREATE INDEX ON shop.ledger (id);
ALTER TABLE shop.ledger REPLICA IDENTITY FULL;
ANALYZE;
