-- What a schema can have on a key, for test/t/022_move.pl: more than 40 tables. The extension is there.
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
CREATE UNIQUE INDEX customer_text ON customer ((id::text || '.'));
ALTER INDEX customer_text ALTER COLUMN 1 SET STATISTICS 66;
ALTER INDEX customer_text DEPENDS ON EXTENSION ulid;
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
-- what is on a partition alone
CREATE TABLE event_2026 (LIKE event);
ALTER TABLE event ATTACH PARTITION event_2026 FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
COMMENT ON INDEX event_customer_id_idx IS 'comment of an index of a partitioned table';
ALTER INDEX event_2024_pkey RENAME TO "Key of 2024";
COMMENT ON CONSTRAINT "Key of 2024" ON event_2024 IS 'comment of the key of a partition';
COMMENT ON INDEX "Key of 2024" IS 'comment of the key''s index of a partition';
ALTER TABLE event_2024 REPLICA IDENTITY USING INDEX "Key of 2024";
CREATE TRIGGER event_changes AFTER UPDATE OF id ON event FOR EACH ROW EXECUTE FUNCTION touch();
ALTER TABLE event_2024 ENABLE ALWAYS TRIGGER event_changes;
ALTER TABLE event_2025 DISABLE TRIGGER event_changes;
COMMENT ON TRIGGER event_changes ON event_2025 IS 'comment of a trigger of a partition';
ALTER TABLE event ADD CONSTRAINT event_id CHECK (id <> customer_id);
COMMENT ON CONSTRAINT event_id ON event_2025 IS 'comment of an inherited check';
COMMENT ON CONSTRAINT event_customer_id_fkey ON event_2025 IS 'comment of an inherited foreign key';
ALTER INDEX event_2025_customer_id_idx SET (fillfactor = 75);
ALTER INDEX event_2026_pkey SET (deduplicate_items = off, fillfactor = 60);
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
CREATE FUNCTION count_invoices() RETURNS bigint LANGUAGE sql STABLE BEGIN ATOMIC SELECT count(id) FROM shop.invoice; END;
CREATE MATERIALIZED VIEW calls_functions AS SELECT id, count_invoices(), invoices_of(id) FROM customer WHERE name = 'name 1';
CREATE VIEW calls_function AS SELECT id, name_of(COALESCE(boss, id)) FROM customer WHERE invoices_of(id) > 0;
CREATE FUNCTION names_the_type(uuid) RETURNS uuid LANGUAGE sql AS 'SELECT $1';

-- Every action of a foreign key, and what is beside it.
CREATE TABLE action (
    id integer PRIMARY KEY,
    a uuid REFERENCES customer ON UPDATE NO ACTION ON DELETE NO ACTION,
    b uuid REFERENCES customer ON UPDATE RESTRICT ON DELETE RESTRICT,
    c uuid REFERENCES customer ON UPDATE SET NULL ON DELETE SET NULL,
    d uuid DEFAULT '01563e3a-b5d3-d676-4c61-efb99302bd5b' REFERENCES customer ON UPDATE SET DEFAULT ON DELETE SET DEFAULT,
    e uuid REFERENCES customer DEFERRABLE INITIALLY IMMEDIATE,
    f uuid CONSTRAINT "twice" REFERENCES customer CONSTRAINT "twice again" REFERENCES customer (external),
    gone_1 integer, gone_2 integer,
    tree_1 uuid, tree_2 uuid,
    UNIQUE (tree_1, id), FOREIGN KEY (tree_2, id) REFERENCES action (tree_1, id) ON DELETE SET DEFAULT (tree_2),
    CONSTRAINT only_here CHECK (a IS NULL OR b IS NULL) NO INHERIT
);
ALTER TABLE action DROP COLUMN gone_1, DROP COLUMN gone_2;
COMMENT ON CONSTRAINT only_here ON action IS 'comment of a check that is not inherited';
ALTER TABLE action ALTER COLUMN a SET (n_distinct = 100, n_distinct_inherited = -0.5), ALTER COLUMN b SET STORAGE PLAIN;
CREATE STATISTICS action_expressions ON (a::text), (left(b::text, 2)), id FROM action;
ALTER STATISTICS action_expressions SET STATISTICS 77;

-- Triggers of every kind.
CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER checked AFTER UPDATE OF a, b ON action DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.a IS DISTINCT FROM NEW.a) EXECUTE FUNCTION see();
COMMENT ON CONSTRAINT checked ON action IS 'comment of the constraint of a trigger';
CREATE TRIGGER always AFTER UPDATE OF c ON action FOR EACH ROW EXECUTE FUNCTION see('it''s', '2');
ALTER TABLE action ENABLE ALWAYS TRIGGER always;
CREATE TRIGGER on_replica AFTER UPDATE OF c ON action FOR EACH STATEMENT EXECUTE FUNCTION see();
ALTER TABLE action ENABLE REPLICA TRIGGER on_replica;
CREATE TRIGGER transition AFTER UPDATE ON action REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION see();
CREATE TRIGGER depends AFTER UPDATE OF id, d ON action FOR EACH ROW WHEN (NEW.d IS NOT NULL) EXECUTE FUNCTION see();
ALTER TRIGGER depends ON action DEPENDS ON EXTENSION ulid;

-- Indexes of every kind.
CREATE UNLOGGED TABLE indexed (
    id uuid NOT NULL DEFAULT gen_random_uuid(), n integer, u uuid, t text,
    CONSTRAINT indexed_key PRIMARY KEY (id) INCLUDE (n, u) WITH (fillfactor = 80),
    CONSTRAINT one_null UNIQUE NULLS NOT DISTINCT (u),
    CONSTRAINT deferred_key UNIQUE (n, id) DEFERRABLE,
    CONSTRAINT excluded EXCLUDE USING hash (u WITH =) DEFERRABLE
);
CREATE INDEX indexed_bloom ON indexed USING brin (u uuid_bloom_ops (n_distinct_per_range = 100, false_positive_rate = 0.02)) WITH (autosummarize);
CREATE INDEX indexed_multi ON indexed USING brin (u uuid_minmax_multi_ops (values_per_range = 16), n);
CREATE INDEX indexed_expression ON indexed ((id::text COLLATE "C") text_pattern_ops DESC, u) WHERE n > 0;
CREATE INDEX indexed_hash ON indexed USING hash (u) WITH (fillfactor = 50);
CREATE INDEX indexed_many ON indexed (id, n, u, t) WITH (deduplicate_items = off);
CREATE INDEX indexed_null ON indexed (u NULLS FIRST, id DESC NULLS LAST);
CREATE INDEX indexed_gin ON indexed USING gin ((ARRAY[u])) WITH (fastupdate = off, gin_pending_list_limit = 128);
ALTER TABLE indexed CLUSTER ON indexed_many;
ALTER INDEX indexed_expression ALTER COLUMN 1 SET STATISTICS 44;
ALTER TABLE indexed REPLICA IDENTITY USING INDEX indexed_key;

-- Inheritance that meets again.
CREATE TABLE elder (id uuid NOT NULL DEFAULT gen_random_uuid(), n integer, CHECK (id IS NOT NULL));
CREATE TABLE father () INHERITS (elder);
ALTER TABLE father ALTER COLUMN id DROP DEFAULT;
CREATE TABLE mother (t text, UNIQUE (id)) INHERITS (elder);
CREATE TABLE son (UNIQUE (id)) INHERITS (father, mother);
CREATE TABLE grandson (x integer, UNIQUE (n, id)) INHERITS (son);

-- Row security, forced.
CREATE TABLE secret (id uuid PRIMARY KEY, customer_id uuid REFERENCES customer);
ALTER TABLE secret ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY mine ON secret FOR UPDATE TO clerk, auditor USING (EXISTS (SELECT FROM customer_name c WHERE c.id = customer_id)) WITH CHECK (customer_id IS NOT NULL);
CREATE POLICY any_insert ON secret FOR INSERT WITH CHECK (id IS NOT NULL);

-- Views of every kind.
CREATE RECURSIVE VIEW chain (id, boss, depth) AS
    SELECT id, boss, 0 FROM customer WHERE boss IS NULL UNION ALL SELECT c.id, c.boss, depth + 1 FROM customer c JOIN chain ON chain.id = c.boss WHERE depth < 10;
CREATE VIEW invoker WITH (security_invoker, security_barrier) AS SELECT id, name FROM customer WITH CASCADED CHECK OPTION;
CREATE VIEW mixed AS SELECT id, 'c' AS kind FROM customer UNION SELECT id, 'i' FROM invoice UNION ALL SELECT COALESCE(boss, id), CASE WHEN boss = id THEN '!' ELSE id::text END FROM customer;
CREATE VIEW typed_columns AS SELECT ARRAY[id, boss] AS ids, array_agg(id) OVER () AS all_ids, id::text || 'x' AS t, id = ANY (ARRAY[boss]) AS own, id IN ('01563e3a-b5d3-d676-4c61-efb99302bd5b', external) AS listed FROM customer;
CREATE VIEW lateral_view AS SELECT c.id, i.* FROM customer c LEFT JOIN LATERAL (SELECT i.id AS invoice, i.no FROM invoice i WHERE i.customer_id = c.id ORDER BY i.id DESC LIMIT 1) i ON true;
GRANT SELECT (id) ON invoker TO clerk WITH GRANT OPTION;
GRANT ALL ON mixed TO auditor WITH GRANT OPTION;
REVOKE ALL ON chain FROM shop_owner;
CREATE MATERIALIZED VIEW summary AS SELECT customer_id, count(*) AS n FROM invoice_of i JOIN invoice USING (id) GROUP BY 1;
CREATE INDEX summary_n ON summary (n);
CREATE UNIQUE INDEX summary_customer ON summary (customer_id);
ALTER MATERIALIZED VIEW summary CLUSTER ON summary_n;
ALTER MATERIALIZED VIEW summary ALTER COLUMN customer_id SET STATISTICS 33;
CREATE STATISTICS summary_statistics ON customer_id, n FROM summary;
CREATE VIEW of_summary AS SELECT * FROM summary;
CREATE MATERIALIZED VIEW of_materialized AS SELECT max(n) AS n, 'x'::text AS t FROM of_summary;
ALTER MATERIALIZED VIEW of_materialized ALTER COLUMN n SET (n_distinct = 5);
ALTER MATERIALIZED VIEW of_materialized ALTER COLUMN t SET STORAGE EXTERNAL, ALTER COLUMN t SET COMPRESSION pglz;
ALTER MATERIALIZED VIEW of_materialized SET (toast.autovacuum_enabled = off);

-- Identity, and other tables' columns with the type that nothing refers to.
CREATE TABLE numbered (n integer GENERATED ALWAYS AS IDENTITY (START 10), m bigint GENERATED BY DEFAULT AS IDENTITY, id uuid PRIMARY KEY, ids uuid[] DEFAULT '{}');
CREATE TYPE pair AS (id uuid, n integer);
CREATE DOMAIN not_a_key AS uuid CHECK (VALUE IS NOT NULL);
CREATE TABLE other_types (p pair, d not_a_key, ids uuid[], customer_id uuid REFERENCES customer);

-- A rule of another kind, and one that is disabled.
CREATE RULE instead AS ON UPDATE TO action WHERE NEW.a IS DISTINCT FROM OLD.a DO INSTEAD UPDATE action SET id = OLD.id WHERE a = NEW.b;
ALTER TABLE action DISABLE RULE instead;
CREATE RULE reads_view AS ON DELETE TO action DO ALSO INSERT INTO gone SELECT id FROM customer_name WHERE id = OLD.a;

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
INSERT INTO indexed SELECT gen_random_uuid(), n, gen_random_uuid(), 't' FROM generate_series(1, 20) n;
INSERT INTO action (id, a, d, tree_1) SELECT row_number() OVER (), id, id, id FROM customer LIMIT 20;
INSERT INTO secret SELECT id, id FROM customer LIMIT 20;
REFRESH MATERIALIZED VIEW per_customer;
REFRESH MATERIALIZED VIEW summary;
REFRESH MATERIALIZED VIEW calls_functions;
RESET ROLE;
\set ON_ERROR_STOP on

SELECT current_setting('server_version_num')::integer >= 180000 AS has_18 \gset
\if :has_18
-- What PostgreSQL 18 brought.
CREATE EXTENSION btree_gist SCHEMA public;
SET ROLE shop_owner;
CREATE TABLE newer (
    id uuid CONSTRAINT "it is there" NOT NULL,
    customer_id uuid CONSTRAINT newer_customer REFERENCES customer NOT ENFORCED,
    n integer CONSTRAINT newer_n CHECK (n > 0) NOT ENFORCED,
    other integer GENERATED ALWAYS AS (n + 1) VIRTUAL,
    CONSTRAINT newer_id CHECK (id <> customer_id) NOT ENFORCED,
    label text COLLATE "C" CONSTRAINT "has a label" NOT NULL GENERATED ALWAYS AS (left(customer_id::text, 0) || n) STORED,
    CONSTRAINT newer_key PRIMARY KEY (id)
);
COMMENT ON CONSTRAINT "it is there" ON newer IS 'comment of NOT NULL';
ALTER TABLE newer ALTER COLUMN label SET STORAGE EXTERNAL, ALTER COLUMN label SET COMPRESSION pglz, ALTER COLUMN label SET STATISTICS 11, ALTER COLUMN label SET (n_distinct = 5);
CREATE TABLE newer_child () INHERITS (newer);
COMMENT ON CONSTRAINT "it is there" ON newer_child IS 'comment of its own';
ALTER TABLE newer ADD CONSTRAINT customer_is_there NOT NULL customer_id NOT VALID;
ALTER TABLE newer_child ALTER COLUMN label SET STATISTICS 12;
CREATE TABLE room (id uuid, during tstzrange, t text, CONSTRAINT room_key PRIMARY KEY (id, during WITHOUT OVERLAPS), CONSTRAINT room_t UNIQUE (t, id, during WITHOUT OVERLAPS));
CREATE TABLE booking (room_id uuid, during tstzrange, FOREIGN KEY (room_id, PERIOD during) REFERENCES room (id, PERIOD during));
RESET ROLE;
CREATE PUBLICATION generated FOR TABLE newer WITH (publish_generated_columns = stored);
INSERT INTO newer SELECT id, id, 1 FROM customer LIMIT 5;
INSERT INTO room SELECT id, '[2026-01-01Z, 2026-02-01Z)', name FROM customer LIMIT 5;
INSERT INTO booking SELECT id, '[2026-01-02Z, 2026-01-03Z)' FROM room;
\endif

CREATE PUBLICATION by_row FOR TABLE shop.customer (id, name) WHERE (n >= 0) WITH (publish = 'insert');
CREATE PUBLICATION by_column FOR TABLE shop.published (id, n), shop.gone;
CREATE PUBLICATION inherited FOR TABLE shop.elder (id, n);
CREATE PUBLICATION whole FOR ALL TABLES;
-- An event trigger, which finds no table written anew but those that have to be.
CREATE FUNCTION shop.no_rewrite() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    IF pg_event_trigger_table_rewrite_oid()::regclass::text NOT IN ('shop.labelled', 'shop.newer', 'shop.newer_child') THEN
        RAISE EXCEPTION '% is written anew', pg_event_trigger_table_rewrite_oid()::regclass;
    END IF;
END $$;
CREATE EVENT TRIGGER no_rewrite ON table_rewrite EXECUTE FUNCTION shop.no_rewrite();
CREATE FUNCTION shop.looks_on() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM object_identity, command_tag FROM pg_event_trigger_ddl_commands();
END $$;
CREATE EVENT TRIGGER looks_on ON ddl_command_end EXECUTE FUNCTION shop.looks_on();
-- what another than the owner granted
SET ROLE auditor;
GRANT SELECT ON shop.customer TO clerk;
RESET ROLE;
-- for the clients: what they wrote and what they deleted, of a type of its own
CREATE TABLE shop.ledger (id uuid, customer_id uuid, deleted boolean NOT NULL DEFAULT false);
CREATE INDEX ON shop.ledger (id);
ALTER TABLE shop.ledger REPLICA IDENTITY FULL;
ANALYZE;
