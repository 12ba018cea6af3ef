# doc/moving.md, run as written: a database that is written to moves from uuid to ulid on another server, and back;
# one with text keys on the same server; a default; ALTER TABLE; dumps of other extensions.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;
use IPC::Run;

my $page = slurp_file('doc/moving.md');

# The blocks of a language under a heading.
sub blocks {
    my ($heading, $language) = @_;
    my ($section) = $page =~ /^##+ \Q$heading\E\n(.*?)(?=^##|\z)/ms or die "no heading $heading";
    return $section =~ /^```$language\n(.*?)^```$/msg;
}

my ($old_node, $new_node) = map {
    my $node = new_cluster($_, allows_streaming => 'logical', extra => [ '--encoding=UTF8', '--locale=C' ]);
    $node->append_conf('postgresql.conf', "autovacuum = off\nmax_logical_replication_workers = 8\nmax_worker_processes = 16\n");
    $node->start;
    $node->safe_psql('postgres', 'CREATE ROLE shop LOGIN');
    $node;
} 'old', 'new';
my ($prepare_keys, $prepare_schema) = blocks('Prepare', 'sh');
my ($copy) = blocks('Copy', 'sh');
my ($stop, $check, $exchange, $back) = blocks('Switch over', 'sh');

# Runs the page's commands between two databases, and gives what they print.
my ($directory, $old, $new) = (PostgreSQL::Test::Utils::tempdir());
sub commands {
    my ($name, @commands) = @_;
    my ($out, $err);
    my $script = join "\n", 'set -eo pipefail', "old='$old->{address}' new='$new->{address}'", @commands;
    local @ENV{ 'PGHOST', 'PGPORT' } = ($new->{node}->host, $new->{node}->port);
    my $top = "$FindBin::Bin/../..";
    $script =~ s{\bto_ulid\.pl}{$top/doc/to_ulid.pl}g;
    my $ok = IPC::Run::run([ 'bash', '-c', "cd $directory\n$script" ], '>', \$out, '2>', \$err);
    ok($ok, $name) or diag $err;
    return ($out, $err);
}
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
    my @errors = grep { /ERROR/ } split /\n/, ${ $application->{log} };
    is(join("\n", @errors), '', 'the application met no error');
    like(${ $application->{log} }, qr/terminating connection due to administrator command/, 'and was kept out');
    return;
}
sub same_rows {
    my ($name) = @_;
    my ($out) = commands("$name: the check runs", $check);
    like($out, qr/^the same rows$/m, "$name: both sides have the same rows");
    return $out;
}

# ---------------------------------------------------------------- A second database, on another server
$old_node->safe_psql('postgres', 'CREATE DATABASE shop OWNER shop');
$old_node->safe_psql('shop', 'CREATE EXTENSION "uuid-ossp"; CREATE EXTENSION btree_gist');
($old, $new) = (database($old_node, 'shop'), database($new_node, 'shop_ulid'));
$old_node->safe_psql('shop', 'SET ROLE shop; ' . <<'SQL');
    CREATE SCHEMA app;
    CREATE DOMAIN app.user_id AS uuid CHECK (VALUE <> '00000000-0000-0000-0000-000000000000'::uuid);
    CREATE TYPE app.pair AS (id uuid, n integer);
    CREATE TABLE app."Account" (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer UNIQUE, "ownerId" uuid REFERENCES app."Account",
        balance integer DEFAULT 0, secret uuid DEFAULT gen_random_uuid(), session uuid DEFAULT gen_random_uuid(), pair app.pair);
    CREATE TABLE app.item (id uuid DEFAULT public.uuid_generate_v4() PRIMARY KEY, no bigint GENERATED ALWAYS AS IDENTITY, serial serial,
        account uuid NOT NULL REFERENCES app."Account" ON DELETE CASCADE, usr app.user_id, tags uuid[] DEFAULT '{}', uuid uuid, doc jsonb,
        ref uuid GENERATED ALWAYS AS ((doc->>'ref')::uuid) STORED, "a ""b" uuid, CHECK (id <> '00000000-0000-0000-0000-000000000000'));
    CREATE INDEX ON app.item (account, id);
    CREATE INDEX ON app.item USING gin (tags);
    CREATE INDEX ON app.item USING brin (id uuid_bloom_ops);
    CREATE INDEX ON app.item (((doc->>'ref')::uuid)) WHERE id > '10000000-0000-0000-0000-000000000000';
    CREATE TABLE app.plain (account uuid, n integer, uuid text);
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
    INSERT INTO app.item (account, usr, tags, uuid, doc, "a ""b") SELECT id, "ownerId", ARRAY[id, NULL], id,
        jsonb_build_object('ref', id), id
        FROM app."Account";
    INSERT INTO app.booking SELECT id, '[2026-01-01Z, 2026-01-02Z)' FROM app.item;
    INSERT INTO app.child (extra) SELECT id FROM app.item;
    INSERT INTO app.hashed (n) SELECT n FROM generate_series(1, 1000) n;
    INSERT INTO app.ranged (n) SELECT n FROM generate_series(1, 1000) n;
    INSERT INTO app.cache SELECT id FROM app.item;
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
    (map { "SELECT i.* FROM app.\"Account\" a, app.$_(a.id) i" } 'items', 'items_sql', 'items_atomic'),
    'SELECT id::uuid FROM app.hashed WHERE id IN (SELECT id FROM app.hashed LIMIT 0) OR n > 990',
    'SELECT room::uuid, during FROM app.booking',
    'SELECT id::uuid FROM app.cache', 'SELECT tableoid::regclass, id::uuid FROM app.ranged', 'SELECT loid, data FROM pg_largeobject');
sub answers {
    my ($db) = @_;
    my $own = q{SET ROLE shop; SELECT set_config('app.account', id::text, false) IS NULL FROM app."Account" WHERE n = 7; } .
        "SELECT count(*), sum(length(body)) FROM app.note";
    return { own => query($db, $own), map { $_ => query($db, "SELECT count(*), md5(string_agg(a::text, ' ' ORDER BY a::text))
        FROM ($_) a") } @questions };
}

my $application = start_application($old);
commands('replica identities', $prepare_keys);
is(query($old, q{SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relreplident = 'f'}), 'booking plain',
    'of tables without a key');
my ($diff, $look) = commands('a schema', $prepare_schema =~ s/to_ulid\.pl/to_ulid.pl '-app."Account".session'/r);
is($look, "look at app.current_account()\nlook at app.items(uuid)\n", 'the functions to look at are named');
my $schema = slurp_file("$directory/new.sql");
$schema =~ s/(app\.account'.*?)::uuid\$\$/$1::public.ulid\$\$/ or die;
$schema =~ s/RETURN QUERY SELECT i\.id/$&::uuid/ or die;
unlink "$directory/new.sql";
append_to_file("$directory/new.sql", $schema);
s/create_slot = false/$&, run_as_owner = true/ for $new_node->pg_version >= 16 ? ($copy, $exchange) : ();
commands('copied', $copy);
is(query($new, q{SELECT string_agg(DISTINCT attname || ' ' || format_type(atttypid, -1), ', '
    ORDER BY attname || ' ' || format_type(atttypid, -1))
    FROM pg_attribute WHERE attrelid::regclass::text ~ '^app' AND format_type(atttypid, -1) ~ 'uuid'}),
    'id uuid, session uuid', 'what is still a uuid: a composite type, and what was to stay');
is(query($new, q{SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
    WHERE adrelid = 'app."Account"'::regclass AND attname IN ('id', 'secret', 'session') ORDER BY attnum}),
    "gen_ulid()\ngen_random_ulid()\ngen_random_uuid()", 'defaults: keys in order, others random');
is(query($new, q{SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'app.seat'::regclass}), 'gen_ulid()', 'also of a domain');
my $begin = time;
commands('switched over', $stop);
note 'seconds without the application: ', time - $begin;
commands('what is not replicated', 'from=$old to=$new', $page =~ /`(pg_dump -a -t [^`]*)`/, $page =~ /`(pg_dump -a -b [^`]*)`/);
end_application($application);
same_rows('there');
query($new, 'INSERT INTO app.plain VALUES (gen_ulid(), -1)');
unlike((commands('the check runs', "$check\ntrue"))[0], qr/the same rows/, 'a row that is on one side only is found');
query($new, 'DELETE FROM app.plain WHERE n = -1');
query($old, 'REFRESH MATERIALIZED VIEW app.sums');
my $answers = answers($old);
is_deeply(answers($new), $answers, 'the application gets the same answers');
cmp_ok(query($new, q{SELECT nextval('app.item_no_seq')}), '>', query($old, 'SELECT max(no) FROM app.item'), 'identity columns go on');
cmp_ok(query($new, q{SELECT nextval('app.item_serial_seq')}), '>', query($old, 'SELECT max(serial) FROM app.item'), 'and serial ones');
commands('the direction is exchanged', $exchange);

# ---------------------------------------------------------------- And back
$application = start_application($new);
is(query($new, q{SELECT count(*) > 50 FROM app.note WHERE id::timestamptz BETWEEN now() - interval '10 minutes' AND now()}), 't',
    'new keys are ULIDs');
like(query($new, 'SELECT uuid FROM app.plain WHERE n = 0 AND uuid IS NOT NULL LIMIT 1'), qr/^[0-9a-f-]{36}$/, 'a function of uuid has one');
(my $stop_new = $stop) =~ s/^from=.*/from=\$new to=\$old name=back/;
commands('back: switched over', $stop_new);
end_application($application);
same_rows('back');
is_deeply(answers($old), answers($new), 'back: the application gets the same answers');
commands('back: open to the application', $back);
$application = start_application($old);
query($old, q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'shop'});
end_application($application);
is(join(' ', map { $_->{node}->safe_psql('postgres', 'SELECT count(*) FROM pg_replication_slots') } $old, $new), '0 0', 'no slot is left');

# ---------------------------------------------------------------- Text keys, on the same server
$old_node->safe_psql('postgres', 'CREATE DATABASE texts');
($old, $new) = (database($old_node, 'texts'), database($old_node, 'texts_ulid'));
query($old, q{CREATE TABLE event (id text PRIMARY KEY, parent varchar(26) REFERENCES event, code char(26), name text);
    INSERT INTO event SELECT k, k, k, k FROM (VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV'), ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ')) v (k)});
commands('text keys: a schema', $prepare_schema =~ s/to_ulid\.pl/to_ulid.pl public.event.id public.event.parent public.event.code/r);
commands('text keys: copied', $copy =~ s/shop_ulid/texts_ulid/r);
query($old, q{UPDATE event SET name = 'changed' WHERE id = '01GV5PA9EQG7D82Q3Y4PKBZSYV'});
commands('text keys: switched over', $stop);
same_rows('text keys');
is(query($new, 'SELECT DISTINCT pg_typeof(id), pg_typeof(parent), pg_typeof(code), pg_typeof(name) FROM event'), 'ulid|ulid|ulid|text',
    'text keys: are ulids');
commands('text keys: exchanged', $exchange =~ s/, binary = true//r);
query($new, q{INSERT INTO event VALUES (gen_ulid(), '7ZZZZZZZZZZZZZZZZZZZZZZZZZ')});
commands('text keys: back', $stop_new);
same_rows('text keys, back');
commands('text keys: open again', $back =~ s/shop/texts/r);

# A table that has both kinds.
query($old, 'CREATE TABLE mixed (id uuid PRIMARY KEY, key text)');
query($new, 'CREATE TABLE mixed (id ulid PRIMARY KEY, key ulid)');
commands('both kinds: begun', $exchange =~ s/^psql "\$new" -c 'DROP SUBSCRIPTION move'\n|-c 'DROP PUBLICATION move'|-c 'CREATE PUBLICATION back FOR ALL TABLES'//gmr);
query($new, 'INSERT INTO mixed VALUES (gen_ulid(), gen_ulid())');
ok($old_node->wait_for_log(qr/invalid byte sequence for encoding/), 'both kinds: stops with the error that the page names');
query($old, 'DROP SUBSCRIPTION back');

# ---------------------------------------------------------------- Change only the default
$new_node->safe_psql('postgres', 'CREATE DATABASE places');
my $place = database($new_node, 'places');
query($place, 'CREATE EXTENSION ulid; CREATE TABLE customer (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text);
    CREATE TABLE invoice (n integer, customer_id uuid REFERENCES customer);
    INSERT INTO customer (name) SELECT n::text FROM generate_series(1, 5000) n;
    INSERT INTO invoice SELECT name::integer, id FROM customer');
my ($default, $recent) = blocks('Change only the default', 'sql');
my $files = q{SELECT pg_relation_filenode('customer'), pg_relation_filenode('invoice')};
my $file = query($place, $files);
query($place, $default);
query($place, "INSERT INTO customer (name) VALUES ('new')");
is(query($place, $recent) =~ s/^.*\|//r, 'new', 'the default: new rows are found by their time');
like(query($place, "EXPLAIN $recent"), qr/customer_pkey.*Index Cond: \(\(id >= .*AND \(id < /s, 'the default: by the index');
is(query($place, $recent =~ s/AND id < .*;/;/r =~ s/\*/count(*) > 4000/r), 't', 'the default: without the second bound old ones are too');
query($place, $default =~ s/gen_ulid/gen_random_uuid/r);

# ---------------------------------------------------------------- ALTER TABLE
my $rows = 'SELECT md5(string_agg(c.id::uuid || name || n, chr(10) ORDER BY n)), count(*) FROM customer c
    JOIN invoice ON c.id = customer_id';
my $before = query($place, $rows);
my ($alter) = blocks('ALTER TABLE in a maintenance window', 'sql');
(my $alter_back = $alter) =~ s/gen_ulid/gen_random_uuid/g;
$alter_back =~ s/\bulid\b/uuid/g;
for ([ $alter, 'ulid' ], [ $alter_back, 'uuid' ]) {
    my ($sql, $type) = @$_;
    query($place, $sql);
    is(query($place, 'SELECT DISTINCT pg_typeof(id), pg_typeof(customer_id) FROM customer, invoice'), "$type|$type",
        "ALTER TABLE: to $type");
    is(query($place, $files), $file, 'rewrites no table');
    is(query($place, $rows), $before, 'and has the same rows');
}

# ---------------------------------------------------------------- Dumps of pgx_ulid and pg-ulid
for my $theirs ('pgx_ulid', 'pg-ulid') {
    my ($sed) = $page =~ /`(sed 's\/ pgx_ulid [^`]*)`/ or die 'no sed';
    my $db = database($new_node, $theirs =~ s/-/_/r);
    $new_node->safe_psql('postgres', "CREATE DATABASE $db->{name}");
    # The casts that we do not have, as the page says to write them.
    my $timestamps = q{-e "s/(\(?id\)?)::timestamp without time zone/(\1::timestamptz AT TIME ZONE 'UTC')/; } .
        q{s/('[0-9: -]*)'::timestamp without time zone/\1Z'::timestamptz/g"};
    commands("$theirs: a dump restores", qq{$sed $FindBin::Bin/dumps/$theirs.sql | sed -E $timestamps | psql '$db->{address}' -q -v ON_ERROR_STOP=1});
    is(query($db, "SET timezone = 'UTC'; SELECT id, left(name, 3), created_at = id::timestamptz FROM users ORDER BY id"),
        join("\n", '01GV5PA9EQG7D82Q3Y4PKBZSYV|' . ($theirs eq 'pgx_ulid' ? 'Ada' : 'Jan') . '|t', '01H588JF7X0005PX34XGNZBBGV|Bob|t'),
            'with its rows');
    is(query($db, "INSERT INTO users (name) VALUES ('new') RETURNING id::timestamptz > now() - interval '1 minute'"), 't',
        "$theirs: DEFAULT gen_ulid()");
}

$_->stop for $old_node, $new_node;
done_testing();
