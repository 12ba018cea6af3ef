-- What the schemas of well-known applications have on their keys, in small: a tenant that everything refers to, circles
-- of references, keys that only some rows refer to, views over many tables, partitions by time.
CREATE TYPE public.state AS ENUM ('draft', 'open', 'closed');
CREATE DOMAIN public.email AS text CHECK (VALUE LIKE '%@%' OR VALUE = 'a@b');
CREATE TABLE organization (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name varchar(20) NOT NULL UNIQUE,
	parent_id uuid REFERENCES organization, default_plan_id uuid);
CREATE TABLE plan (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE, code text NOT NULL, deleted_at timestamp);
CREATE UNIQUE INDEX plan_code ON plan (organization_id, code) WHERE deleted_at IS NULL;
ALTER TABLE organization ADD FOREIGN KEY (default_plan_id)
	REFERENCES plan ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED;
CREATE TABLE customer (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	organization_id uuid NOT NULL REFERENCES organization, email public.email NOT NULL,
	state public.state NOT NULL DEFAULT 'draft',
	place point, UNIQUE (organization_id, id));
CREATE TABLE subscription (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	organization_id uuid NOT NULL REFERENCES organization, customer_id uuid NOT NULL,
	plan_id uuid NOT NULL REFERENCES plan, previous_id uuid REFERENCES subscription,
	kind text NOT NULL CHECK (kind IN ('calendar', 'anniversary')),
	FOREIGN KEY (organization_id, customer_id) REFERENCES customer (organization_id, id));
CREATE TABLE invoice (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	organization_id uuid NOT NULL REFERENCES organization, customer_id uuid NOT NULL REFERENCES customer,
	subscription_id uuid REFERENCES subscription, wallet_id uuid,
	cents bigint NOT NULL CHECK (cents >= 0), CHECK (num_nonnulls(subscription_id, wallet_id) = 1));
CREATE INDEX invoice_of_wallet ON invoice (wallet_id) WHERE wallet_id IS NOT NULL;
CREATE TABLE attachment (id uuid PRIMARY KEY, organization_id uuid REFERENCES organization,
	record_type text NOT NULL, record_id uuid NOT NULL, meta jsonb NOT NULL DEFAULT '{}',
	UNIQUE (record_type, record_id));
CREATE TABLE invoice_tag (invoice_id uuid REFERENCES invoice ON DELETE CASCADE, tag varchar(26),
	PRIMARY KEY (invoice_id, tag));
CREATE TABLE event (id uuid NOT NULL, organization_id uuid NOT NULL REFERENCES organization,
	at timestamp NOT NULL, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
CREATE TABLE event_2020 PARTITION OF event FOR VALUES FROM ('2020-01-01') TO ('2030-01-01');
-- its partitions come with the rows
CREATE TABLE log (id uuid NOT NULL, at timestamp NOT NULL, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
CREATE UNLOGGED TABLE seen (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), customer_id uuid REFERENCES customer);
CREATE TABLE setting (key text PRIMARY KEY, value text);
CREATE TABLE audit (id bigserial PRIMARY KEY, setting text);
CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO audit (setting) VALUES (NEW.key); RETURN NULL; END $$;
CREATE TRIGGER audit AFTER INSERT OR UPDATE ON setting FOR EACH ROW EXECUTE FUNCTION audit();
CREATE VIEW invoice_export AS SELECT i.id AS external_id, o.name, json_build_object('id', c.id) AS customer,
	c.email, i.cents FROM invoice i JOIN organization o ON o.id = i.organization_id
	JOIN customer c ON c.id = i.customer_id;
CREATE VIEW plan_count AS SELECT organization_id, count(*) AS plans FROM plan GROUP BY organization_id;
CREATE VIEW known AS SELECT COALESCE(s.id, i.id) AS id FROM subscription s
	FULL JOIN invoice i ON i.subscription_id = s.id;
ALTER TABLE customer ENABLE ROW LEVEL SECURITY;
-- as published projects on Supabase have it, whose files lie in folders that are named by keys
CREATE FUNCTION folders(path text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$ SELECT string_to_array(path, '/') $$;
CREATE POLICY of_folder ON attachment FOR SELECT USING (EXISTS (SELECT FROM customer WHERE id = (SELECT customer_id FROM invoice
	WHERE invoice.id = (folders(attachment.meta->>'path'))[2]::uuid AND cents BETWEEN 1 AND 5)
	AND state <> 'draft'));
CREATE VIEW in_folder AS SELECT a.id, c.email FROM attachment a, customer c WHERE c.id = (SELECT customer_id FROM invoice i
	WHERE i.id = (SELECT invoice_id FROM invoice_tag t WHERE t.invoice_id = (folders(a.meta->>'path'))[2]::uuid AND tag <> 'x'));
CREATE POLICY of_tenant ON customer USING (organization_id = NULLIF(current_setting('app.organization', true),
	'')::uuid);
