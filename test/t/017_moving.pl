# doc/moving.md, run as written: a database that is written to moves from uuid to ulid on another server, and back; one in
# SQL_ASCII on the same server; a default; ALTER TABLE; bigint keys; uninstalling; dumps of other extensions.
use lib 'test/lib';
use UlidCluster;
use Cwd 'abs_path';

my $page = slurp_file('doc/moving.md');
sub blocks_of { return blocks('doc/moving.md', @_) }

my ($old_node, $new_node) = map {
    my $node = new_cluster($_, allows_streaming => 'logical',
        conf => "autovacuum = off\nmax_logical_replication_workers = 8\nmax_worker_processes = 16\n");
    $node->start;
    $node->safe_psql('postgres', 'CREATE ROLE shop LOGIN; CREATE ROLE mallory LOGIN');
    $node;
} 'old', 'new';
# A superuser who calls one of these by its name, as these databases' search_path lets him, makes mallory a superuser.
my $traps = q{CREATE FUNCTION public.trap() RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN EXECUTE 'ALTER ROLE mallory SUPERUSER'; RETURN true; END$$;};
$traps .= "CREATE FUNCTION public.$_ LANGUAGE sql AS 'SELECT public.trap()';" for (map { "format($_) RETURNS text" }
        'text, regclass', 'text, name', 'text, text, regclass', 'text, regclass, text, text', 'text, name, text'),
    'pg_terminate_backend(integer, integer) RETURNS boolean', 'ge(oid, integer) RETURNS boolean';
$traps .= 'CREATE OPERATOR public.>= (FUNCTION = public.ge, LEFTARG = oid, RIGHTARG = integer)';

# Runs commands of the page between two databases, and gives what they print.
my ($directory, $old, $new) = (PostgreSQL::Test::Utils::tempdir());
my ($prepare, $copy, $switch, $unlogged, $end) = blocks_of('A second database', 'sh');
symlink abs_path('scripts'), "$directory/scripts";
my $same_rows = qr/^the same rows$/m;
# Whether commands succeed, and print a text; or, given an error, fail with it.
sub commands {
    my ($name, $commands, $text, $error) = @_;
    $commands =~ s/^export (OLD|NEW)=.*/"export $1='" . ($1 eq 'OLD' ? $old : $new)->{address} . "'"/gme;
    my $ok = IPC::Run::run([ 'bash', '-ec', "cd $directory\nexport OLD='$old->{address}' NEW='$new->{address}'\n$commands" ],
        '>', \my $out, '2>', \my $err);
    ok($error ? !$ok && $err =~ $error && $out !~ $same_rows : $ok && $out =~ ($text // qr/^/), $name) or diag $out, $err;
    return;
}
sub fails { my ($name, $commands, $error) = @_; return commands($name, $commands, undef, $error) }
sub database {
    my ($node, $name) = @_;
    return { node => $node, name => $name, address => $node->connstr($name) =~ s/'//gr };
}
sub query { my ($db, $sql) = @_; return $db->{node}->safe_psql($db->{name}, $sql); }

# The application, which is not a superuser, writes until it is kept out or told to stop.
sub start_application {
    my ($db) = @_;
    my $log = '';
    my $before = query($db, 'SELECT count(*) FROM app.plain');
    my $handle = IPC::Run::start([ 'pgbench', '-n', '-c', 3, '-T', 300, '-h', $db->{node}->host, '-p', $db->{node}->port, '-U', 'shop',
            '-f', "$directory/writes.sql", $db->{name} ], '>', \my $out, '2>', \$log);
    $db->{node}->poll_query_until($db->{name}, "SELECT count(*) > $before + 50 FROM app.plain") or die $log;
    return { handle => $handle, log => \$log };
}
sub end_application {
    my ($application) = @_;
    $application->{handle}->finish;
    unlike(${ $application->{log} }, qr/ERROR/, 'the application met no error');
    like(${ $application->{log} }, qr/terminating connection due to administrator command/, 'and was kept out');
    return;
}
# ---------------------------------------------------------------- A second database, on another server
$old_node->safe_psql('postgres', 'CREATE DATABASE shop OWNER shop CONNECTION LIMIT 50');
$old_node->safe_psql('shop', 'CREATE EXTENSION "uuid-ossp"; CREATE EXTENSION btree_gist; GRANT CREATE ON SCHEMA public TO mallory;
    SET ROLE mallory; ' . $traps);
$old_node->safe_psql('shop', q{REVOKE CONNECT ON DATABASE shop FROM PUBLIC; GRANT CONNECT ON DATABASE shop TO shop;
    COMMENT ON DATABASE shop IS 'the shop'; ALTER DATABASE shop SET timezone = 'Asia/Tokyo';
    ALTER DATABASE shop SET synchronous_commit = off; ALTER ROLE shop IN DATABASE shop SET app.account = '00000000-0000-0000-0000-000000000000'});
($old, $new) = (database($old_node, 'shop'), database($new_node, 'shop_ulid'));
$old_node->safe_psql('shop', 'SET ROLE shop; ' . <<'SQL');
    CREATE SCHEMA app;
    CREATE DOMAIN app.user_id AS uuid DEFAULT gen_random_uuid() CHECK (VALUE <> '00000000-0000-0000-0000-000000000000'::uuid);
    CREATE TYPE app.pair AS (id uuid, n integer);
    CREATE TYPE app.ids AS RANGE (subtype = uuid);
    CREATE FUNCTION app.new_id() RETURNS uuid LANGUAGE sql AS 'SELECT gen_random_uuid()';
    CREATE FUNCTION app.same(uuid, b uuid DEFAULT NULL::uuid) RETURNS boolean LANGUAGE sql AS 'SELECT $1 = b';
    COMMENT ON FUNCTION app.same(uuid, uuid) IS 'compares (uuid, uuid)';
    REVOKE EXECUTE ON FUNCTION app.same(uuid, uuid) FROM PUBLIC;
    CREATE OPERATOR app.=== (FUNCTION = app.same, LEFTARG = uuid, RIGHTARG = uuid);
    CREATE FUNCTION app.first(uuid, uuid) RETURNS uuid LANGUAGE sql AS 'SELECT coalesce($1, $2)';
    CREATE AGGREGATE app.first(uuid) (sfunc = app.first, stype = uuid);
    CREATE FUNCTION app.to_pair(uuid) RETURNS app.pair LANGUAGE sql AS 'SELECT ROW($1, 1)::app.pair';
    CREATE CAST (uuid AS app.pair) WITH FUNCTION app.to_pair(uuid);
    CREATE TABLE app.made (id uuid DEFAULT app.new_id() PRIMARY KEY, token uuid, made uuid);
    CREATE FUNCTION app.make() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE v uuid := gen_random_uuid(); BEGIN NEW.made := v; RETURN NEW; END $$;
    CREATE TRIGGER make BEFORE INSERT ON app.made FOR EACH ROW EXECUTE FUNCTION app.make();
    CREATE VIEW app.listed AS SELECT x.id, NULLIF(x.id, x.id) AS other, NULLIF(x.id, NULL::uuid) AS edited
        FROM json_to_recordset('[{"id": "01563e3a-b5d3-d676-4c61-efb99302bd5b"}]') AS x (id uuid);
    CREATE SEQUENCE app.unused; CREATE SEQUENCE app.reset; SELECT setval('app.reset', 77, false);
    CREATE TABLE app."Account" (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer UNIQUE, "ownerId" uuid REFERENCES app."Account",
        balance integer DEFAULT 0, secret uuid DEFAULT gen_random_uuid(), session uuid DEFAULT gen_random_uuid(), pair app.pair);
    CREATE TABLE app.item (id uuid DEFAULT public.uuid_generate_v4() PRIMARY KEY, no bigint GENERATED ALWAYS AS IDENTITY, serial serial,
        account uuid NOT NULL REFERENCES app."Account" ON DELETE CASCADE, usr app.user_id, tags uuid[] DEFAULT '{}', uuid uuid, doc jsonb,
        ref uuid GENERATED ALWAYS AS ((doc->>'ref')::uuid) STORED, "a ""b" uuid, CHECK (id <> '00000000-0000-0000-0000-000000000000'));
    CREATE INDEX ON app.item (account, id); CREATE INDEX ON app.item USING gin (tags);
    CREATE INDEX ON app.item USING brin (id uuid_bloom_ops);
    CREATE INDEX ON app.item (((doc->>'ref')::uuid)) WHERE id > '10000000-0000-0000-0000-000000000000';
    CREATE TABLE app.plain (account uuid, n integer, uuid text);
    CREATE DOMAIN app.sub AS app.user_id; CREATE TABLE app.subs (id app.sub PRIMARY KEY, many app.user_id[]);
    INSERT INTO app.subs SELECT id, ARRAY[id] FROM gen_random_uuid() AS id;
    CREATE TABLE app.hashed (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer) PARTITION BY HASH (id);
    CREATE TABLE app.seat (id app.user_id DEFAULT gen_random_uuid() PRIMARY KEY);
    CREATE TABLE app.hashed_0 PARTITION OF app.hashed FOR VALUES WITH (MODULUS 2, REMAINDER 0);
    CREATE TABLE app.hashed_1 PARTITION OF app.hashed FOR VALUES WITH (MODULUS 2, REMAINDER 1);
    CREATE TABLE app.ranged (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer) PARTITION BY RANGE (id);
    CREATE TABLE app.ranged_0 PARTITION OF app.ranged FOR VALUES FROM (MINVALUE) TO ('80000000-0000-0000-0000-000000000000');
    CREATE TABLE app.ranged_1 PARTITION OF app.ranged FOR VALUES FROM ('80000000-0000-0000-0000-000000000000') TO (MAXVALUE);
    CREATE TABLE app.booking (room uuid, during tstzrange, EXCLUDE USING gist (room WITH =, during WITH &&));
    CREATE TABLE app.base (id uuid PRIMARY KEY DEFAULT gen_random_uuid());
    CREATE TABLE app.child (extra uuid, PRIMARY KEY (id)) INHERITS (app.base);
    CREATE UNLOGGED TABLE app.cache (id uuid PRIMARY KEY);
    CREATE TABLE app.note (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), account uuid, body text);
    CREATE FUNCTION app.current_account() RETURNS uuid LANGUAGE sql STABLE AS
        $$SELECT nullif(current_setting('app.account', true), '')::uuid$$;
    CREATE FUNCTION app.items(p uuid) RETURNS TABLE (id uuid, no bigint) LANGUAGE plpgsql STABLE AS $$
        BEGIN RETURN QUERY SELECT i.id, i.no FROM app.item i WHERE account = p; END $$;
    CREATE FUNCTION app.items_sql(p uuid) RETURNS TABLE (id uuid, no bigint) LANGUAGE sql STABLE AS
        $$SELECT i.id, i.no FROM app.item i WHERE account = p$$;
    CREATE FUNCTION app.items_atomic(p uuid) RETURNS SETOF uuid LANGUAGE sql STABLE BEGIN ATOMIC
        SELECT id FROM app.item WHERE account = p; END;
    CREATE FUNCTION app.counted() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE a uuid := NEW.account; BEGIN UPDATE app."Account" SET balance = balance + 1 WHERE id = a; RETURN NEW; END $$;
    CREATE TRIGGER counted AFTER INSERT ON app.item FOR EACH ROW
        WHEN (NEW.account <> '00000000-0000-0000-0000-000000000000'::uuid) EXECUTE FUNCTION app.counted();
    ALTER TABLE app.note ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY own ON app.note USING (account = app.current_account() AND account = (current_setting('app.account'))::uuid);
    CREATE VIEW app.per_account AS SELECT a.id, a.n, a."ownerId", count(i.id) AS items FROM app."Account" a
        LEFT JOIN app.item i ON i.account = a.id GROUP BY a.id;
    CREATE VIEW app.tagged AS SELECT i.no, t.id FROM app.item i JOIN app.item t ON t.account = ANY (i.tags)
        WHERE i.tags @> ARRAY[t.account];
    CREATE VIEW app.tree AS WITH RECURSIVE r AS (SELECT id, n, NULL::uuid AS boss FROM app."Account" WHERE "ownerId" IS NULL
        UNION ALL SELECT a.id, a.n, r.id FROM app."Account" a JOIN r ON a."ownerId" = r.id) SELECT * FROM r;
    CREATE VIEW app.users AS SELECT i.no, a.id FROM app.item i JOIN app."Account" a ON a.id = i.usr UNION SELECT 0, NULL::uuid;
    CREATE MATERIALIZED VIEW app.sums AS SELECT account, count(*) FROM app.item GROUP BY 1;
    INSERT INTO app."Account" (n, pair) SELECT n, ROW(gen_random_uuid(), n)::app.pair FROM generate_series(1, 100) n;
    UPDATE app."Account" SET "ownerId" = (SELECT id FROM app."Account" WHERE n = 1) WHERE n > 1;
    INSERT INTO app.item (account, usr, tags, uuid, doc, "a ""b")
        SELECT id, "ownerId", ARRAY[id, NULL], id, jsonb_build_object('ref', id), id FROM app."Account";
    INSERT INTO app.booking SELECT id, '[2026-01-01Z, 2026-01-02Z)' FROM app.item;
    INSERT INTO app.child (extra) SELECT id FROM app.item; INSERT INTO app.cache SELECT id FROM app.item;
    INSERT INTO app.hashed (n) SELECT generate_series(1, 1000); INSERT INTO app.ranged (n) SELECT generate_series(1, 1000);
SQL
query($old, 'SELECT lo_from_bytea(0, $$\x0102$$)');
append_to_file("$directory/writes.sql", <<'SQL');
    \set n random(1, 100)
    SELECT set_config('app.account', id::text, false) FROM app."Account" WHERE n = :n;
    BEGIN;
    INSERT INTO app.item (account, usr, tags, doc) SELECT id, id, ARRAY[id], jsonb_build_object('ref', id::uuid) FROM app."Account"
        WHERE n = :n;
    DELETE FROM app.item WHERE id = (SELECT id FROM app.item WHERE account = app.current_account() ORDER BY id LIMIT 1);
    INSERT INTO app.note (account, body) VALUES (app.current_account(), 'x'), (app.current_account(), 'y');
    UPDATE app.note SET body = body || 'z' WHERE id = (SELECT id FROM app.note ORDER BY id LIMIT 1);
    INSERT INTO app.plain SELECT i.id, n FROM app.items_sql(app.current_account()) i, app."Account" WHERE n = :n LIMIT 1;
    INSERT INTO app.plain VALUES (app.current_account(), 0, app.current_account());
    DELETE FROM app.plain WHERE ctid = (SELECT ctid FROM app.plain WHERE n = :n LIMIT 1);
    INSERT INTO app.hashed (n) VALUES (:n);
    UPDATE app.ranged SET id = DEFAULT WHERE id = (SELECT id FROM app.ranged WHERE n % 100 = :n - 1 ORDER BY id DESC LIMIT 1);
    END;
SQL
# What the application asks, with each id as the uuid that it is.
my @questions = (
    'SELECT id::uuid, n, "ownerId"::uuid, items FROM app.per_account', 'SELECT no, id::uuid FROM app.tagged',
    'SELECT id::uuid, n, boss::uuid FROM app.tree', 'SELECT no, id::uuid FROM app.users', 'SELECT account::uuid, count FROM app.sums',
    'SELECT ref::uuid, tags::uuid[], usr::uuid, "a ""b"::uuid FROM app.item', 'SELECT (pair).id, n FROM app."Account"',
    (map { "SELECT i.id::uuid FROM app.\"Account\" a, app.$_(a.id) i (id)" } 'items', 'items_sql', 'items_atomic'),
    'SELECT id::uuid FROM app.hashed WHERE id IN (SELECT id FROM app.hashed LIMIT 0) OR n > 990',
    'SELECT room::uuid, during FROM app.booking',
    'SELECT id::uuid FROM app.cache', 'SELECT tableoid::regclass, id::uuid FROM app.ranged', 'SELECT loid, data FROM pg_largeobject');
sub answers {
    my ($db) = @_;
    my $own = q{SET ROLE shop; SELECT set_config('app.account', id::text, false) IS NULL FROM app."Account" WHERE n = 7;
        SELECT count(*), sum(length(body)) FROM app.note};
    return { own => query($db, $own), map { $_ => query($db, "SELECT count(*), md5(string_agg(a::text, ' ' ORDER BY a::text))
        FROM ($_) a") } @questions };
}

# What belongs to the database, but for its name, and the owners and privileges of what is in it, with types as if they were uuid.
sub settings {
    my ($db) = @_;
    return query($db, q{SELECT datdba::regrole, (SELECT array_agg(a::text ORDER BY a::text) FROM unnest(datacl) a), datconnlimit,
            pg_encoding_to_char(encoding), datcollate, shobj_description(d.oid, 'pg_database'),
            (SELECT string_agg(concat(setrole::regrole, setconfig), ' ' ORDER BY setrole) FROM pg_db_role_setting WHERE setdatabase = d.oid)
        FROM pg_database d WHERE datname = current_database()});
}
sub objects {
    my ($db) = @_;
    return query($db, q{SET search_path = ''; SELECT replace(pg_describe_object(class, oid, 0), 'public.ulid', 'uuid'), owner::regrole, acl
        FROM (SELECT 'pg_class'::regclass, oid, relowner, relacl, relnamespace FROM pg_class
            UNION ALL SELECT 'pg_proc'::regclass, oid, proowner, proacl, pronamespace FROM pg_proc) o (class, oid, owner, acl, namespace)
        WHERE namespace IN ('app'::regnamespace, 'public'::regnamespace)
            AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = class AND objid = o.oid AND deptype = 'e') ORDER BY 1});
}
my $is_open = q{SELECT datconnlimit FROM pg_database WHERE datname = current_database()};
my $keys_full = q{SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relreplident = 'f'};

query($old, q{SELECT format('x %s', oid::regclass) FROM pg_class LIMIT 1});
is(query($old, q{SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory'}), 't', 'the traps work');
query($old, 'ALTER ROLE mallory NOSUPERUSER');
my ($settings, $objects) = (settings($old), objects($old));
my $application = start_application($old);
fails('a name that matches no column is an error', $prepare =~ s/prepare$/prepare --keep app.Account.session/mr,
    qr/no uuid column of this name: app.Account.session/);
commands('prepared', $prepare =~ s/prepare$/prepare --keep app.'"Account"'.session/mr);
my @lines = split /\n/, slurp_file("$directory/new.sql");
# 15 writes `x.id` where later servers write `id`.
my @look = map { /^(\d+): (.*)$/ && $lines[$1 - 1] eq $2 ? $2 =~ s/^\s+|\bx\.//gr : die $_ } split /\n/, slurp_file("$directory/look.txt");
is(join("\n", @look), <<'LOOK' =~ s/\n\z//r, 'what is listed, with its line');
subtype = uuid,
id uuid,
CREATE DOMAIN app.user_id AS public.ulid DEFAULT gen_random_uuid()
CREATE DOMAIN app.sub AS app.user_id DEFAULT gen_random_uuid();
DECLARE a uuid := NEW.account; BEGIN UPDATE app."Account" SET balance = balance + 1 WHERE id = a; RETURN NEW; END $$;
DECLARE v uuid := gen_random_uuid(); BEGIN NEW.made := v; RETURN NEW; END $$;
AS $$SELECT gen_random_uuid()$$;
secret public.ulid DEFAULT gen_random_uuid(),
session uuid DEFAULT gen_random_uuid(),
NULLIF(id, id) AS other,
NULLIF(id, NULL::public.ulid) AS edited
id public.ulid DEFAULT app.new_id() NOT NULL,
LOOK
commands('a NULLIF is edited', q{sed -i 's/\(NULLIF(.*)\) AS edited/\1::public.ulid AS edited/' new.sql});
s/^(?=bash)/export SUBSCRIPTION_OPTIONS=', run_as_owner = true'\n/m for $new_node->pg_version >= 16 ? ($copy, $switch) : ();
commands('copied', $copy);
is(query($old, $keys_full), 'booking plain', 'tables without a key have a replica identity');
is(settings($new), $settings, 'owner, privileges and settings of the database');
is(objects($new), $objects, 'and of all in it');
is(query($new, q{SELECT string_agg(DISTINCT concat_ws(' ', attrelid::regclass, attname), ', ')
    FROM pg_attribute WHERE attrelid::regclass::text ~ '^app' AND format_type(atttypid, -1) ~ 'uuid'}),
    'app."Account" session, app.listed other, app.pair id', 'what is still a uuid: NULLIF, a composite type, and what was to stay');
like(query($new, q{SELECT string_agg(pg_get_expr(indpred, indrelid), ' ') FROM pg_index}), qr/\(id\)::uuid > /,
    'and the condition of a partial index compares uuids');
is(query($new, q{SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
    WHERE adrelid = 'app."Account"'::regclass AND attname IN ('id', 'secret', 'session') ORDER BY attnum}),
    "gen_uuidv7()\ngen_random_uuid()\ngen_random_uuid()", 'defaults: keys in order, others as they were');
is(query($new, q{SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'app.seat'::regclass}), 'gen_uuidv7()',
    'also of a domain');
for my $form ('id', 'id::uuid') {
    my $id = query($new, qq{SELECT $form FROM app."Account" WHERE n = 7});
    is(query($new, "SELECT count(*), app.same('$id', '$id'), app.first('$id') IS NULL FROM app.items('$id')"), '1|t|f',
        "functions read what $form shows");
}

# A switch that fails, and one that does not.
query($new, 'INSERT INTO app.plain VALUES (gen_ulid(), -1)');
fails('a row that is on one side only is found', $switch, qr/^[<>] app\.plain.*the rows differ/ms);
end_application($application);
is(query($old, $is_open), 50, 'and the old database is open again');
query($new, 'DELETE FROM app.plain WHERE n = -1');
$application = start_application($old);
commands('switched over: with the same rows', $switch, $same_rows);
commands('what is not replicated', $unlogged);
end_application($application);
fails('a second switch is refused', $switch, qr/ulid_move is not ready/);
is(query($old, $is_open), 0, 'and opens nothing');
query($old, 'REFRESH MATERIALIZED VIEW app.sums');
my $answers = answers($old);
is_deeply(answers($new), $answers, 'the application gets the same answers');
cmp_ok(query($new, q{SELECT nextval('app.item_no_seq')}), '>', query($old, 'SELECT max(no) FROM app.item'), 'identity columns go on');
cmp_ok(query($new, q{SELECT nextval('app.item_serial_seq')}), '>', query($old, 'SELECT max(serial) FROM app.item'), 'and serial ones');
is(query($new, q{SELECT nextval('app.unused'), nextval('app.reset')}), '1|77', 'and sequences that nobody has used');

# ---------------------------------------------------------------- And back
$application = start_application($new);
is(query($new, q{SELECT count(*) > 50 FROM app.note WHERE id::timestamptz BETWEEN now() - interval '10 minutes' AND now()}), 't',
    'new keys have the time');
query($new, 'INSERT INTO app.made (token) VALUES (gen_ulid()); INSERT INTO app.seat SELECT');
my $sequences = query($new, q{SELECT setval('app.reset', 99, false), nextval('app.unused')});
commands('back: with the same rows', 'scripts/move back', $same_rows);
end_application($application);
is_deeply(answers($old), answers($new), 'back: the application gets the same answers');
is(query($old, q{SELECT nextval('app.unused'), nextval('app.reset')}), '3|99', 'back: and the same sequences');
$application = start_application($old);
query($old, q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'shop'});
end_application($application);
commands('ended', $end);
is(settings($old), $settings, 'the old database has its settings');
for ($old, $new) {
    is(query($_, q{SELECT (SELECT count(*) FROM pg_replication_slots), (SELECT count(*) FROM pg_publication),
        (SELECT count(*) FROM pg_subscription), (SELECT count(*) FROM pg_class WHERE relreplident = 'f'),
        (SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory')}), '0|0|0|0|f', "$_->{name}: nothing is left, and no trap has closed");
}
query($new, 'CREATE TABLE app.later (n integer); INSERT INTO app.later VALUES (1); UPDATE app.later SET n = 2');

# ---------------------------------------------------------------- In SQL_ASCII, on the same server
$old_node->safe_psql('postgres', q{CREATE DATABASE bytes ENCODING 'SQL_ASCII' TEMPLATE template0});
($old, $new) = (database($old_node, 'bytes'), database($old_node, 'bytes_ulid'));
query($old, q{CREATE SCHEMA ids; CREATE EXTENSION ulid SCHEMA ids; CREATE DOMAIN public.ulid AS uuid; } .
    qq{CREATE TABLE "caf\xe9" (id ulid PRIMARY KEY DEFAULT gen_random_uuid(), name text); } .
    qq{INSERT INTO "caf\xe9" (name) VALUES (E'\\351'); CREATE TABLE documents (j json)});
fails('a table without a key that cannot be compared', "$prepare\n$copy", qr/could not identify an equality operator for type json/);
commands('and the end succeeds quietly, as there is no new database', "{ $end } 2>&1", qr/\A\z/);
query($old, 'ALTER TABLE documents ADD id serial PRIMARY KEY; INSERT INTO documents (j) VALUES (NULL)');
fails('nor after it has got one, until it is prepared again', $copy, qr/could not identify an equality operator for type json/);
commands('SQL_ASCII: prepared', $prepare);
append_to_file("$directory/new.sql", 'TABLE nothing;');
fails('a schema that does not load', $copy, qr/relation "nothing" does not exist/);
commands('SQL_ASCII: ended', $end);
$old_node->safe_psql('postgres', 'DROP DATABASE bytes_ulid');
commands('SQL_ASCII: prepared again', $prepare);
append_to_file("$directory/new.sql", 'INSERT INTO public.documents VALUES (NULL, 1);');
fails('a table that is not empty', $copy, qr/a subscription failed/);
query($new, 'DELETE FROM documents');
commands('SQL_ASCII: copied', 'scripts/move wait');
commands('SQL_ASCII: switched over: with the same rows', $switch, $same_rows);
is(query($new, "SELECT pg_typeof(id), pg_typeof(id::ids.ulid), name = E'\\351', length(id::text) FROM \"caf\xe9\""), 'ulid|ids.ulid|t|26',
    'the extension is in the schema that it had, beside a domain named ulid');
query($new, "INSERT INTO \"caf\xe9\" (name) VALUES ('new')");
commands('SQL_ASCII: back: with the same rows', 'scripts/move back', $same_rows);
commands('SQL_ASCII: ended', $end);

# ---------------------------------------------------------------- Change only the default
$new_node->safe_psql('postgres', 'CREATE DATABASE places');
my $place = database($new_node, 'places');
query($place, 'CREATE EXTENSION ulid; CREATE TABLE customer (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text);
    CREATE TABLE invoice (n integer, customer_id uuid REFERENCES customer);
    INSERT INTO customer (name) SELECT n::text FROM generate_series(1, 5000) n;
    INSERT INTO invoice SELECT name::integer, id FROM customer');
my ($default, $recent) = blocks_of('Change only the default', 'sql');
my $files = q{SELECT pg_relation_filenode('customer'), pg_relation_filenode('invoice')};
my $file = query($place, $files);
query($place, $default);
query($place, "INSERT INTO customer (name) VALUES ('new')");
is(query($place, $recent) =~ s/^.*\|//r, 'new', 'the default: new rows are found by their time');
like(query($place, "EXPLAIN $recent"), qr/customer_pkey.*Index Cond: \(\(id >= .*AND \(id < /s, 'the default: by the index');
is(query($place, $recent =~ s/AND id < .*;/;/r =~ s/\*/count(*) > 4000/r), 't', 'the default: without the second bound old ones are too');
query($place, $default =~ s/gen_uuidv7/gen_random_uuid/r);

# ---------------------------------------------------------------- ALTER TABLE
my $rows = 'SELECT md5(string_agg(c.id::uuid || name || n, chr(10) ORDER BY n)), count(*) FROM customer c
    JOIN invoice ON c.id = customer_id';
my $before = query($place, $rows);
my ($alter) = blocks_of('ALTER TABLE in a maintenance window', 'sql');
(my $alter_back = $alter) =~ s/gen_ulid/gen_random_uuid/g;
$alter_back =~ s/\bulid\b/uuid/g;
for ([ $alter, 'ulid' ], [ $alter_back, 'uuid' ]) {
    my ($sql, $type) = @$_;
    query($place, $sql);
    is(query($place, 'SELECT DISTINCT pg_typeof(id), pg_typeof(customer_id) FROM customer JOIN invoice ON id = customer_id'), "$type|$type",
        "ALTER TABLE: to $type");
    is(query($place, $files), $file, 'rewrites no table');
    is(query($place, $rows), $before, 'and has the same rows');
}

# What PostgreSQL refuses, with the code and the message that the page has.
for (
    [ 'CREATE VIEW v AS SELECT id FROM customer' ], [ 'CREATE POLICY p ON customer USING (id IS NOT NULL)' ],
    (map { [ "CREATE TRIGGER t BEFORE UPDATE $_ EXECUTE FUNCTION suppress_redundant_updates_trigger()" ] }
        'OF id ON customer FOR EACH ROW', 'ON customer FOR EACH ROW WHEN (NEW.id IS NULL)'),
    [ 'CREATE FUNCTION f() RETURNS SETOF uuid LANGUAGE sql BEGIN ATOMIC SELECT id FROM customer; END' ],
    [ q{CREATE PUBLICATION p FOR TABLE customer WHERE (id <> '00000000-0000-0000-0000-000000000000')} ],
    [ 'ALTER TABLE customer ADD COLUMN no_id boolean GENERATED ALWAYS AS (id IS NULL) STORED' ],
    [ 'CREATE TABLE box (content invoice)', 'invoice', 'customer_id' ],
    [ 'CREATE TABLE event (id uuid) PARTITION BY HASH (id)', 'event' ],
    [ 'CREATE TABLE parent (id uuid); CREATE TABLE event () INHERITS (parent)', 'event' ],
    [ 'CREATE TABLE event (id bigint GENERATED ALWAYS AS IDENTITY)', 'event', 'id', 'gen_ulid()' ],
    [ 'CREATE TABLE event (id serial)', 'event', 'id', 'gen_ulid()' ],
    [ 'CREATE TABLE event (id text PRIMARY KEY); CREATE TABLE line (invoice text REFERENCES event)', 'event', 'id', 'id::ulid' ],
    [ 'CREATE TABLE event (id varchar(26)); CREATE INDEX ON event (id varchar_pattern_ops)', 'event', 'id', 'id::ulid' ],
    [ q{CREATE TABLE event (id text CHECK (id <= '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'))}, 'event', 'id', 'id::ulid' ]) {
    my ($there, $table, $column, $using) = @$_;
    my $alter = sprintf 'ALTER TABLE %s ALTER COLUMN %s TYPE ulid', $table // 'customer', $column // 'id';
    $alter .= " USING $using" if $using;
    my (undef, undef, $err) = $new_node->psql('places', "\\set VERBOSITY verbose\nBEGIN; SET client_min_messages = error; $there; $alter");
    my ($code, $message) = $err =~ /ERROR:  (\w{5}): (.*)/;
    ok($page =~ /^\|[^|]*\b\Q$code\E [^|]*`\Q$message\E`/m, "the page has $code $message");
}

# ---------------------------------------------------------------- From bigint
query($place, q{DROP TABLE invoice, customer;
    CREATE TABLE customer (id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, created_at timestamptz NOT NULL DEFAULT now(), name text);
    CREATE TABLE invoice (n integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, customer_id bigint NOT NULL REFERENCES customer);
    INSERT INTO customer (created_at, name) SELECT '2026-01-31 23:59:59.9Z'::timestamptz + (n # 64) / 3 * interval '100 us', n
        FROM generate_series(1, 30000) n;
    INSERT INTO invoice (customer_id) SELECT id FROM customer, generate_series(1, 2)});
my ($add, $fill, $index, $exchange) = blocks_of('From bigint', 'sql');
my ($batch) = $page =~ /add `(AND created_at[^`]*)`/;
query($place, $add);
query($place, $fill =~ s/WHERE key IS NULL/$& $batch/r);
my $filled = query($place, 'SELECT count(key) FROM customer');
ok($filled > 0 && $filled < 30000, 'bigint: a batch');
query($place, "INSERT INTO customer (name) VALUES ('new'); INSERT INTO invoice (customer_id) SELECT max(id) FROM customer");
query($place, $fill);
query($place, $_) for split /(?<=;)\n/, $index;
query($place, "INSERT INTO customer (name) VALUES ('newest'); INSERT INTO invoice (customer_id) SELECT max(id) FROM customer");
my $numbers = query($place, 'SELECT c.id, name, n FROM invoice JOIN customer c ON c.id = customer_id ORDER BY n');
query($place, "$fill$exchange");
is(query($place, q{SELECT pg_typeof(id), count(DISTINCT id), bool_and(id::timestamptz = date_trunc('milliseconds', created_at))
    FROM customer WHERE number <= 30000 GROUP BY 1}), 'ulid|30000|t', 'bigint: distinct keys of the right times');
is(query($place, q{SELECT count(*) FILTER (WHERE (time, n) > (created_at, number)), bool_or(n > number)
    FROM (SELECT *, lag(created_at) OVER w AS time, lag(number) OVER w AS n FROM customer WINDOW w AS (ORDER BY id)) t}), '0|t',
    'in the order of their times, and of the numbers where times are equal');
is(query($place, 'SELECT number, name, n FROM invoice JOIN customer c ON c.id = customer_id ORDER BY n'), $numbers, 'and all references');
is(query($place, "INSERT INTO customer (name) VALUES ('after') RETURNING number, id > (SELECT max(customer_id) FROM invoice)"), '30003|t',
    'new rows get both');
query($place, q{INSERT INTO invoice (customer_id) SELECT id FROM customer WHERE name = 'after';
    ALTER TABLE invoice ADD COLUMN number bigint; UPDATE invoice i SET number = c.number FROM customer c WHERE c.id = i.customer_id});
is(query($place, 'SELECT count(*), count(number) FROM invoice'), '60003|60003', 'and the way back');

# ---------------------------------------------------------------- Uninstalling
my ($lookup) = $page =~ /`(SELECT oid::regprocedure [^`]*)`/;
query($place, q{CREATE FUNCTION quoted() RETURNS text LANGUAGE sql AS 'SELECT gen_ulid()::text';
    CREATE FUNCTION quoted_uuid() RETURNS uuid LANGUAGE sql AS 'SELECT gen_uuidv7()'});
my ($refused, undef, $detail) = $new_node->psql('places', 'DROP EXTENSION ulid');
ok($refused && $detail =~ /column id of table customer depends on type ulid/, 'DROP EXTENSION says what depends on it');
query($place, 'ALTER TABLE customer ALTER COLUMN id DROP DEFAULT; ALTER TABLE customer ALTER COLUMN id TYPE uuid;
    ALTER TABLE invoice ALTER COLUMN customer_id TYPE uuid; DROP AGGREGATE ulid_run(timestamptz)');
is(query($place, $lookup), "quoted()\nquoted_uuid()", 'quoted bodies are found');
query($place, 'DROP EXTENSION ulid');
is(query($place, "SELECT count(*) FROM customer WHERE pg_typeof(id) = 'uuid'::regtype"), 30003, 'and no row is lost');

# ---------------------------------------------------------------- Dumps of pgx_ulid and pg-ulid
for my $theirs ('pgx_ulid', 'pg-ulid') {
    my ($sed) = $page =~ /`(sed 's\/ pgx_ulid [^`]*)`/ or die 'no sed';
    my $db = database($new_node, $theirs =~ s/-/_/r);
    $new_node->safe_psql('postgres', "CREATE DATABASE $db->{name}");
    # The casts that we do not have, as the page says to write them.
    my $timestamps = q{-e "s/(\(?id\)?)::timestamp without time zone/(\1::timestamptz AT TIME ZONE 'UTC')/; } .
        q{s/('[0-9: -]*)'::timestamp without time zone/\1Z'::timestamptz/g"};
    my $dump = abs_path("test/t/dumps/$theirs.sql");
    commands("$theirs: a dump restores", "$sed $dump | sed -E $timestamps | psql '$db->{address}' -q -v ON_ERROR_STOP=1");
    is(query($db, "SET timezone = 'UTC'; SELECT id, left(name, 3), created_at = id::timestamptz FROM users ORDER BY id"),
        join("\n", '01GV5PA9EQG7D82Q3Y4PKBZSYV|' . ($theirs eq 'pgx_ulid' ? 'Ada' : 'Jan') . '|t', '01H588JF7X0005PX34XGNZBBGV|Bob|t'),
            'with its rows');
    is(query($db, "INSERT INTO users (name) VALUES ('new') RETURNING id::timestamptz > now() - interval '1 minute'"), 't',
        "$theirs: DEFAULT gen_ulid()");
}

done_testing();
