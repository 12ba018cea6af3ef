-- What the application of shop.sql writes, for pgbench.
\set n random(1, 100)
SELECT set_config('app.account', id::text, false) FROM app.account WHERE n = :n;
BEGIN;
INSERT INTO app.item (account, usr, tags, doc) SELECT id, id, ARRAY[id], jsonb_build_object('ref', id::uuid)
    FROM app.account WHERE n = :n;
INSERT INTO app.sale (item) SELECT id FROM app.items(app.current_account()) LIMIT 1;
DELETE FROM app.item WHERE id = (SELECT id FROM app.item WHERE account = app.current_account() ORDER BY id LIMIT 1);
INSERT INTO app.note (account, body) VALUES (app.current_account(), 'x'), (app.current_account(), 'y');
UPDATE app.note SET body = body || 'z' WHERE id = (SELECT id FROM app.note WHERE account = app.current_account() ORDER BY id LIMIT 1);
INSERT INTO app.plain VALUES (app.current_account(), :n), (app.current_account(), :n);
DELETE FROM app.plain WHERE ctid = (SELECT ctid FROM app.plain WHERE n = :n LIMIT 1);
INSERT INTO app.stamp (n) VALUES (nextval('app.ticket_seq'));
UPDATE app.hashed SET id = DEFAULT WHERE id = (SELECT id FROM app.hashed WHERE n % 100 = :n - 1 ORDER BY id DESC LIMIT 1);
END;
