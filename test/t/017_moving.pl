# doc/moving.md, run as written. With ULID_OLD_INSTALL the old server is that installation's (test/rare/versions/run).
use lib 'test/lib';
use UlidCluster;
use Cwd 'abs_path';

my $page = slurp_file('doc/moving.md');
sub blocks_of { return blocks('doc/moving.md', @_) }
# Code of the page within a paragraph.
sub code {
    my ($pattern, $text) = @_;
    ($text // $page) =~ /`($pattern)`/s or die $pattern;
    return $1 =~ s/\s+/ /gr;
}

# ---------------------------------------------------------------- A second database: its steps
my (%node, %database);
for my $name ('old', 'new') {
    my $node = $node{$name} = new_cluster($name, allows_streaming => 'logical', install_path => $name eq 'old' && $ENV{ULID_OLD_INSTALL},
        conf => "autovacuum = off\nmax_logical_replication_workers = 8\nmax_worker_processes = 16\n");
    # The test modules of 18 set it, and older servers do not have it.
    $node->adjust_conf('postgresql.conf', 'autovacuum_worker_slots', undef) if $node->pg_version < 18;
    $node->start;
    $node->safe_psql('postgres', 'CREATE ROLE shop LOGIN; CREATE ROLE clerk LOGIN');
}
note 'from ', map { $_->safe_psql('postgres', 'SHOW server_version'), ' ' } @node{ 'old', 'new' };
my $directory = PostgreSQL::Test::Utils::tempdir();
my $superuser = $node{old}->safe_psql('postgres', 'SELECT current_user');
my ($section) = $page =~ /^## A second database\n(.*?)^## /ms;
my %step = map { /^(\d)/ ? ($1 => $_) : () } split /^(?=\d\. )/m, $section;

sub address { my ($where, $user) = @_; return $node{$where}->connstr($database{$where}) =~ s/'//gr . " user=$user" }
sub query { my ($where, $sql) = @_; return $node{$where}->safe_psql($database{$where}, $sql) }
sub until_true { my ($where, $sql) = @_; return $node{$where}->poll_query_until($database{$where}, $sql) || die "$where: $sql" }
# What psql prints for SQL that a user runs, and its error.
sub as_user {
    my ($where, $user, $sql) = @_;
    IPC::Run::run([ 'psql', '-XAtqv', 'ON_ERROR_STOP=1', '-f', '-', address($where, $user) ], '<', \$sql, '>&', \my $out);
    return $out =~ s/\n\z//r;
}
# Runs the SQL of a step, which $change has changed (in $_), from one database to the other. Returns what it prints.
sub step {
    my ($number, $change, $from, $to) = @_;
    ($from, $to) = ('old', 'new') unless $from;
    local $ENV{PGOPTIONS} = '-c search_path=';
    my $printed = '';
    my ($block) = $step{$number} =~ /^   ```sql\n(.*?)^   ```/ms;
    my ($where, $user) = ('', '');
    for (split /^(?=[^\n]* -- (?:each|new|old)\b)/m, $block) {
        ($where, $user) = ($1, $2 // $user) if / -- (each|new|old)\b(?:[^\n]*, as (?:a )?(superuser|mover))?/;
        my $sql = $_;
        for my $there ($where eq 'each' ? ('old', 'new') : $where eq 'old' ? $from : $to) {
            local $_ = $sql =~ s/'host=db1 [^']*'/"'" . address($from, 'mover') . "'"/er =~ s/'shop'/'$database{$from}'/r;
            s/DATABASE shop\b/DATABASE $database{$from}/g;
            s/create_slot = false\K/, password_required = false/ if $node{$there}->pg_version >= 16;
            $change->() if $change;
            local $database{$there} = 'postgres' if /CREATE (?:ROLE|DATABASE)/;
            $printed .= as_user($there, $user eq 'mover' ? $user : $superuser, $_) . "\n";
        }
    }
    return $printed;
}
# Runs commands.
sub commands {
    my ($commands) = @_;
    my $environment = join '', map { 'export ' . uc($_) . "='" . address($_, 'mover') . "'\n" } 'old', 'new';
    IPC::Run::run([ 'bash', '-c', "cd $directory\n${environment}export PGOPTIONS='-c search_path='\n$commands" ], '>&', \my $out);
    return $out;
}
# Copies the schema, which $edit edits in $_. Returns what the commands of the page print.
my ($dump, $load) = $step{2} =~ /^   ```sh\n   export [^\n]*\n(   pg_dump[^\n]*\n)(.*?)^   ```/ms;
sub schema {
    my ($edit) = @_;
    my $out = commands($dump);
    local $_ = slurp_file("$directory/new.sql");
    # PostgreSQL 18.6 refuses a parameter of columns that pg_dump 15.20 and 18.6 write.
    note 'without pg_attver' if s/^ALTER TABLE .*pg_attver.*\n//mg;
    $edit->();
    unlink "$directory/new.sql";
    append_to_file("$directory/new.sql", $_);
    return $out . commands($load);
}
# Step 3: waits until all tables are copied, or until a subscription has failed. PostgreSQL 19 has other columns of errors.
my ($missing, $errors, $behind) = $step{3} =~ /^   (SELECT srrelid.*;)\n   (SELECT \* .*;)\n   (SELECT slot_name.*;)/m;
my $failed = "SELECT sum(value::bigint) > 0 FROM (" . $errors =~ s/;//r . ") s, jsonb_each_text(to_jsonb(s))
    WHERE key LIKE '%error_count'";
sub copied {
    my ($to) = @_;
    return until_true($to, 'SELECT NOT EXISTS (' . $missing =~ s/;//r . ') AND EXISTS (SELECT FROM pg_subscription_rel)');
}
# Closes a database, and waits as the page says.
my ($check) = $step{4} =~ /^   (SELECT confirmed_flush_lsn.*;)/m;
sub closed {
    my ($slot, $from, $to) = @_;
    my $printed = step(4, sub { s/'move'/'$slot'/g; $_ .= "   \\echo :closed\n" }, $from, $to);
    my ($lsn) = $printed =~ /^([0-9A-F]+\/[0-9A-F]+)\n*\z/m or return $printed;
    return until_true($from, $check =~ s/:'closed'/'$lsn'/r =~ s/'move'/'$slot'/r);
}

# ---------------------------------------------------------------- A second database: the application
%database = (old => 'shop', new => 'shop_ulid');
$node{old}->safe_psql('postgres', 'CREATE DATABASE shop OWNER shop');
query('old', 'CREATE EXTENSION btree_gist; CREATE EXTENSION pageinspect;
    CREATE FUNCTION public.pg_terminate_backend(integer, integer) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN ALTER ROLE clerk SUPERUSER; RETURN true; END$$; ALTER FUNCTION public.pg_terminate_backend(integer, integer) OWNER TO shop;
    ALTER DATABASE shop SET search_path = public, pg_catalog');
query('old', slurp_file('test/lib/shop.sql'));
my %application;
sub application_starts {
    my ($where) = @_;
    my $rows = query($where, 'SELECT max(n) FROM app.stamp') || 0;
    my $log = '';
    $application{log} = \$log;
    $application{handle} = IPC::Run::start([ 'pgbench', '-n', '-c', 3, '-R', 100, '-T', 90, '-h', $node{$where}->host, '-p', $node{$where}->port,
            '-U', 'shop', '-f', 'test/lib/shop_writes.sql', $database{$where} ], '>', \my $out, '2>', \$log);
    $node{$where}->poll_query_until($database{$where}, "SELECT count(*) > 0 FROM app.stamp WHERE n > $rows + 50") or die $log;
    return;
}
sub application_was_kept_out {
    $application{handle}->finish;
    unlike(${ $application{log} }, qr/ERROR/, 'the application met no error');
    return like(${ $application{log} }, qr/terminating connection due to administrator command/, 'and was kept out');
}
# What it asks, with each id as the uuid that it is.
my @questions = ('SELECT n, id::uuid, item::uuid, state, other::uuid FROM app.listed', 'SELECT id::uuid, n, top::uuid FROM app.tree',
    'SELECT account::uuid, count FROM app.sums', 'SELECT ref::uuid, tags::uuid[], usr::uuid FROM app.item',
    'SELECT id::uuid, (pair).id::uuid FROM app.account', 'SELECT room::uuid, during FROM app.booking', 'SELECT id::uuid FROM app.cache',
    'SELECT i.id::uuid, app.dynamic(a.id::text) FROM app.account a, app.items(a.id) i',
    'SELECT tableoid::regclass, id::uuid FROM app.hashed', 'SELECT loid, data FROM pg_largeobject');
sub answers {
    my ($where) = @_;
    my $own = q{SET ROLE shop; SELECT set_config('app.account', id::text, false) IS NULL FROM app.account WHERE n = 7;
        SELECT count(*), sum(length(body)) FROM app.note WHERE account = app.current_account()};
    return { own => query($where, $own), map { $_ => query($where, "SELECT count(*), md5(string_agg(a::text, ' ' ORDER BY a::text))
        FROM ($_) a") } @questions };
}
# The page's comparison of a table, and of all.
my ($compare) = code('SELECT count\(\*\)[^`]*', $step{5});
sub compared {
    my ($table) = @_;
    my $columns = $table eq 'app.sale' ? 't.id, t.item, t.state::text, t.paper::text' : 't.*';
    return $compare =~ s/t\.\*/$columns/r =~ s/app\.item/$table/r;
}
sub rows {
    my ($where) = @_;
    return join "\n", map { "$_ " . as_user($where, 'mover', compared("app.$_")) } qw(account item sale plain hashed booking note stamp);
}
# ---------------------------------------------------------------- A second database: there
is(as_user('old', $superuser, 'SELECT pg_terminate_backend(0, 9999); SELECT rolsuper FROM pg_roles WHERE rolname = $$clerk$$'), "t\nt",
    'a superuser with the search_path of the database calls what a user has made');
query('old', 'ALTER ROLE clerk NOSUPERUSER');
application_starts('old');
my $listed = step(1, sub { s/IN ROLE shop/$&, clerk/; s/^ *ALTER TABLE/-- $&/m });
is(join(' ', sort split ' ', $listed), 'app.plain app.ran', 'tables without a primary key are listed');
query('old', 'SET ROLE mover; ALTER TABLE app.plain REPLICA IDENTITY FULL');
is(as_user('old', 'mover', 'SELECT rolsuper, rolbypassrls, rolcreaterole FROM pg_roles WHERE rolname = current_user'), 'f|f|f',
    'mover can do little');
like(as_user('old', 'mover', 'COPY app.note TO stdout'), qr/ERROR: .*row-level security/,
    'it refuses to copy with FORCE ROW LEVEL SECURITY');
is(as_user('old', 'mover', 'SET row_security = on; COPY app.note TO stdout'), '', 'with row_security = on, rows would be missing');
query('old', 'ALTER TABLE app.note NO FORCE ROW LEVEL SECURITY');

# An editor that only changes what PostgreSQL complains about.
my $short = sub {
    s/^(    "?\w+"?) uuid\b/$1 public.ulid/mg;
    s/^CREATE EXTENSION IF NOT EXISTS pageinspect.*\n//m; s/^COMMENT ON EXTENSION pageinspect.*\n//m;
};
like(schema($short), qr/permission denied for schema app/, 'an owner without CREATE');
my $grants = sub { $short->(); s/^ALTER SCHEMA app OWNER .*\n/$&GRANT CREATE ON SCHEMA app TO clerk;\n/m;
    $_ .= 'REVOKE CREATE ON SCHEMA app FROM clerk;' };
my $left = schema($grants);
like($left, qr/^\d+:.*\Q$_\E/m, "what is left: $_") for "DOMAIN app.account_id AS uuid", 'id uuid,', 'RETURNS uuid', "'')::uuid",
    '%L::uuid', 'p uuid', 'gen_random_uuid()', '((item)::text)', 'NULL::uuid AS top', 'id uuid_bloom_ops', '(account)::uuid <>',
    'COALESCE((item)::uuid', 'CREATE POLICY own';
# Of which PostgreSQL says nothing.
query('new', q{INSERT INTO app.account (n) VALUES (1); INSERT INTO app.item (account) SELECT id FROM app.account;
    INSERT INTO app.sale (item) SELECT id FROM app.item});
like(query('new', 'SELECT id::uuid FROM app.account'), qr/^.{14}4/, 'a random default stays random');
my $id = '01GV5PA9EQG7D82Q3Y4PKBZSYV';
like(as_user('new', 'shop', "SET app.account = '$id'; $_"), qr/invalid input syntax for type uuid/, "what is a uuid refuses a ULID: $_")
    for "SELECT * FROM app.items('$id')", "SELECT app.dynamic('$id')", 'SELECT app.current_account()', "SELECT '$id'::app.account_id";
like(as_user('new', 'clerk', "SET ROLE shop; SET app.account = '$id'; INSERT INTO app.note (account) VALUES ('$id'); TABLE app.note"),
    qr/permission denied to set role|must be member/, 'clerk is not shop');
query('new', 'GRANT USAGE ON SCHEMA app TO clerk; GRANT SELECT ON app.note TO clerk');
like(as_user('new', 'clerk', "SET app.account = '$id'; TABLE app.note"), qr/invalid input syntax for type uuid/, 'so does a policy');
like(query('new', 'SELECT app.new_id()'), qr/-/, 'and a function shows UUIDs');
sub uses {
    my ($index, $where) = @_;
    return query('new', "BEGIN; DROP INDEX app.item_account; ALTER TABLE app.item DROP CONSTRAINT item_pkey CASCADE;
        SET enable_seqscan = off; EXPLAIN SELECT * FROM app.$where; ROLLBACK") =~ /$index/ ? 'yes' : 'no';
}
my %conditions = (item_bloom => "item WHERE id = '$id'::public.ulid AND no > 1",
    sale_item => "sale WHERE coalesce(item, '00000000000000000000000000') = '$id'::public.ulid",
    item_partial => "item WHERE account <> '00000000000000000000000000'::public.ulid AND id > '$id'::public.ulid");
is(uses($_, $conditions{$_}), 'no', "the index $_ is not used") for sort keys %conditions;
isnt(query('new', 'SELECT shown FROM app.sale'), query('new', 'SELECT item::uuid FROM app.sale'),
    'a generated column has the text of a ULID');
$node{new}->safe_psql('postgres', 'DROP DATABASE shop_ulid; CREATE DATABASE shop_ulid OWNER shop');

# An editor that knows the page.
$left = schema(sub {
        $grants->();
        s/(?<!a )\buuid\b/public.ulid/g;    # but for a string
        s/gen_random_uuid(?=\(\) (?:CONSTRAINT \w+ )?NOT NULL|\(\)\$\$)/public.gen_uuidv7/g;
        s/pg_catalog\.public\.ulid|uuid_bloom_ops/$& eq 'uuid_bloom_ops' ? 'public.ulid_bloom_ops' : die/ge;
});
my $kept = join "\n", sort map { /^\d+:\s*(.*)/ && $1 !~ /^--|::text|gen_uuidv7/ ? $1 : () } split /\n/, $left;
is($kept, "COMMENT ON SCHEMA app IS 'each id is a uuid';\ntoken public.ulid DEFAULT gen_random_uuid(),", 'what is left afterwards');
is(as_user('new', 'shop', "SELECT count(*) FROM app.items('$id')"), 0, 'a function reads a ULID');
is(uses($_, $conditions{$_}), 'yes', "the index $_ is used") for sort keys %conditions;

# A row that is already there, as an extension may leave one.
query('new', 'INSERT INTO app.account (id, n) SELECT ulid_min(now()), 1');
step(3);
until_true('new', $failed);
query('new', 'DELETE FROM app.account WHERE id::timestamptz > now() - interval $$1 h$$');
copied('new');

is(as_user('new', $superuser, 'SELECT rolsuper FROM pg_roles WHERE rolname = $$mover$$'), 'f', 'mover is no superuser');
like(as_user('old', $superuser, $behind), qr/^move\|\d+$/, 'and how far behind it is');
as_user('new', 'mover', 'VACUUM ANALYZE');

# Closes one database, copies what is not replicated, and compares.
my ($rest, $unlogged, $refresh) = map { code("$_\\s[^`]*", $step{5}) } 'pg_dump -a', '-t', 'REFRESH';
sub switches {
    my ($slot, $from, $to, $commands) = @_;
    is(closed($slot, $from, $to), 1, "$slot: closed, and all is copied");
    application_was_kept_out();
    unlike(commands($commands), qr/ERROR(?!.*"transaction_timeout")/, 'sequences, large objects, unlogged tables');
    is(as_user($to, 'mover', $refresh), '', 'a materialized view');
    query($from, $refresh);
    is(rows($to), rows($from), 'the same rows');
    return is_deeply(answers($to), answers($from), 'the application gets the same answers');
}
switches('move', 'old', 'new', "$rest\n" . $rest =~ s/--exclude\S*/$unlogged/r);
for ('UPDATE app.item SET tags = NULL WHERE no = (SELECT min(no) FROM app.item)', 'UPDATE app.account SET pair.n = 0 WHERE n = 3',
    'DELETE FROM app.plain WHERE ctid = (SELECT min(ctid) FROM app.plain)',
    q{UPDATE app.sale SET state = 'paid' WHERE id = (SELECT min(id) FROM app.sale)}) {
    my $query = compared(/(app\.\w+)/);
    isnt(query('new', "BEGIN; $_; $query; ROLLBACK"), query('new', $query), "the comparison finds: $_");
}
cmp_ok(query('new', q{SELECT nextval('app.item_no_seq')}), '>', query('old', 'SELECT max(no) FROM app.item'), 'identity columns go on');

# Turns around.
unlike(as_user('new', $superuser, 'DROP SUBSCRIPTION move') . as_user('old', $superuser, 'DROP PUBLICATION move'), qr/ERROR/, 'dropped');
my ($with) = code('WITH \([^`]*', $step{6}) =~ /(.*)\)/;
like(step(3, sub { s/\bmove\b/back/g; s/WITH \(create_slot = false/$with/ }, 'new', 'old'), qr/^back\|/m, 'the way back begins');
application_starts('new');
query('new', q{SELECT nextval('app.ticket_seq'), setval('app.unused_seq', 5)});
cmp_ok(query('new', q{SELECT count(*) FROM app.note WHERE id::timestamptz BETWEEN now() - interval '10 minutes' AND now()}), '>', 50,
    'new keys have the time');
# Back.
switches('back', 'new', 'old', $rest =~ s/"\$OLD"(.*)"\$NEW"/"\$NEW"$1"\$OLD"/r =~ s/-a/-a -B/r);
is(query('old', q{SELECT last_value FROM app.unused_seq}), 5, 'sequences have the values of the new database');
unlike(as_user('old', $superuser, 'DROP SUBSCRIPTION back; GRANT CONNECT ON DATABASE shop TO shop, PUBLIC'), qr/ERROR/, 'back');
application_starts('old');
query('old', q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'shop'});
application_was_kept_out();
is(query('new', 'SELECT DISTINCT who FROM app.ran WHERE who <> $$shop$$'), $node{new}->pg_version < 16 ? 'mover' : 'clerk',
    'a trigger ran as the page says');
is(query('old', q{SELECT rolsuper FROM pg_roles WHERE rolname = 'clerk'}), 'f', 'no superuser has called a function of a user');

# The end, in this order.
is(as_user('new', $superuser, 'DROP PUBLICATION back; ALTER TABLE app.plain REPLICA IDENTITY DEFAULT'), '', 'ended');
query('old', 'ALTER TABLE app.plain REPLICA IDENTITY DEFAULT');
my ($reassign, $drop, $drop_role) = map { code("$_\\s[^`]*", $step{7}) } 'REASSIGN OWNED', 'DROP OWNED', 'DROP ROLE';
like(as_user('new', $superuser, $drop), qr/ERROR:  cannot drop desired object/,
    'DROP OWNED before REASSIGN OWNED fails where tables depend on the extension');
$node{new}->safe_psql('postgres', 'CREATE DATABASE unused; GRANT CREATE ON DATABASE unused TO mover');
{
    local $database{new} = 'unused';
    query('new', 'GRANT CREATE ON SCHEMA public TO mover; SET ROLE mover; CREATE EXTENSION ulid');
    as_user('new', $superuser, $drop);
    is(query('new', q{SELECT count(*) FROM pg_extension WHERE extname = 'ulid'}), 0, 'and drops the extension where none does');
}
for my $where ('old', 'new') {
    local $ENV{PGOPTIONS} = '-c search_path=';
    is(as_user($where, $superuser, "$reassign; $drop"), '', "$where: $drop");
    is(query($where, q{SELECT (SELECT count(*) FROM pg_replication_slots), (SELECT count(*) FROM pg_publication),
        (SELECT count(*) FROM pg_subscription), (SELECT count(*) FROM pg_class WHERE relreplident = 'f')}), '0|0|0|0',
        "$where: nothing is left");
    is($node{$where}->safe_psql('postgres', $drop_role), '', "$where: $drop_role");
}
is(query('new', q{SELECT extowner::regrole FROM pg_extension WHERE extname = 'ulid'}), 'shop', 'the extension stays');

# ---------------------------------------------------------------- A second database: what each wrong order costs
%database = (old => 'wrong', new => 'wrong');
for my $where ('old', 'new') {
    $node{$where}->safe_psql('postgres', 'CREATE DATABASE wrong OWNER shop; CREATE ROLE mover LOGIN REPLICATION IN ROLE shop');
    query($where, 'CREATE EXTENSION ulid; SET ROLE shop; CREATE SCHEMA app; CREATE TABLE app.plain (id ' .
            ($where eq 'old' ? 'uuid' : 'ulid') . ', n integer); CREATE TABLE app.late (LIKE app.plain, doc jsonb)');
}
query('old', 'INSERT INTO app.plain VALUES (gen_random_uuid(), 1); INSERT INTO app.late VALUES (gen_random_uuid(), 1)');
my $locked = $node{new}->background_psql('wrong');
$locked->query_safe('BEGIN; LOCK TABLE app.late IN SHARE MODE');
step(3);
until_true('new', q{SELECT count(*) = 1 FROM app.plain});
like(as_user('old', 'shop', 'UPDATE app.plain SET n = 2'), qr/cannot update table "plain" because it does not have a replica identity/,
    'without REPLICA IDENTITY FULL, the application fails');
until_true('old', "SELECT bytes < 1000 FROM (" . $behind =~ s/;//r . ') s (slot, bytes)');
like(as_user('new', $superuser, $missing), qr/^app\.late\|/m, 'a table that is not copied yet does not count in the bytes');
$locked->quit;
copied('new');
# The application starts before the way back has a slot, and both directions exist at a time.
query('new', 'INSERT INTO app.plain VALUES (gen_ulid(), 3)');
step(3, sub { s/\bmove\b/back/g; s/create_slot = false/$&, copy_data = false, binary = true/ }, 'new', 'old');
query('new', 'INSERT INTO app.plain VALUES (gen_ulid(), 4)');
until_true('new', 'SELECT count(*) > 2 FROM app.plain WHERE n = 4');
as_user('new', $superuser, 'DROP SUBSCRIPTION move');
is(query('old', 'SELECT count(*) FROM app.plain WHERE n = 3'), 0, 'rows of before the second slot do not return');
pass('and with both subscriptions one row becomes many');
# A ULID in jsonb, that an index of the old database casts to uuid.
query('old', q{CREATE INDEX late_ref ON app.late (((doc->>'ref')::uuid))});
query('new', q{INSERT INTO app.late (doc) SELECT jsonb_build_object('ref', gen_ulid())});
until_true('old', $failed);
query('old', 'DROP INDEX app.late_ref');
until_true('old', q{SELECT count(*) = 2 FROM app.late});
pass('a ULID in jsonb stops replication until the index is dropped');
as_user('old', $superuser, 'DROP SUBSCRIPTION back');

# ---------------------------------------------------------------- Change only the default
$node{new}->safe_psql('postgres', 'CREATE DATABASE places');
$database{new} = 'places';
query('new', 'CREATE EXTENSION ulid; CREATE TABLE customer (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text);
    CREATE TABLE invoice (n integer, customer_id uuid REFERENCES customer);
    INSERT INTO customer (name) SELECT n::text FROM generate_series(1, 5000) n;
    INSERT INTO invoice SELECT name::integer, id FROM customer');
my ($default, $recent) = blocks_of('Change only the default', 'sql');
my $files = q{SELECT pg_relation_filenode('customer'), pg_relation_filenode('invoice')};
my $file = query('new', $files);
query('new', $default);
query('new', "INSERT INTO customer (name) VALUES ('new')");
is(query('new', $recent) =~ s/^.*\|//r, 'new', 'the default: new rows are found by their time');
like(query('new', "EXPLAIN $recent"), qr/customer_pkey.*Index Cond: \(\(id >= .*AND \(id < /s, 'the default: by the index');
is(query('new', $recent =~ s/AND id < .*;/;/r =~ s/\*/count(*) > 4000/r), 't', 'the default: without the second bound old ones are too');
query('new', $default =~ s/gen_uuidv7/gen_random_uuid/r);

# ---------------------------------------------------------------- ALTER TABLE
my $rows = 'SELECT md5(string_agg(c.id::uuid || name || n, chr(10) ORDER BY n)), count(*) FROM customer c
    JOIN invoice ON c.id = customer_id';
my $before = query('new', $rows);
my ($alter) = blocks_of('ALTER TABLE in a maintenance window', 'sql');
(my $alter_back = $alter) =~ s/gen_ulid/gen_random_uuid/g;
$alter_back =~ s/\bulid\b/uuid/g;
for ([ $alter, 'ulid' ], [ $alter_back, 'uuid' ]) {
    my ($sql, $type) = @$_;
    query('new', $sql);
    is(query('new', 'SELECT DISTINCT pg_typeof(id), pg_typeof(customer_id) FROM customer JOIN invoice ON id = customer_id'),
        "$type|$type", "ALTER TABLE: to $type");
    is(query('new', $files), $file, 'rewrites no table');
    is(query('new', $rows), $before, 'and has the same rows');
}

# What PostgreSQL refuses, with the code and the message that the page has.
for (
    ['CREATE VIEW v AS SELECT id FROM customer'], ['CREATE POLICY p ON customer USING (id IS NOT NULL)'],
    (map { ["CREATE TRIGGER t BEFORE UPDATE $_ EXECUTE FUNCTION suppress_redundant_updates_trigger()"] }
            'OF id ON customer FOR EACH ROW', 'ON customer FOR EACH ROW WHEN (NEW.id IS NULL)'),
    ['CREATE FUNCTION f() RETURNS SETOF uuid LANGUAGE sql BEGIN ATOMIC SELECT id FROM customer; END'],
    [q{CREATE PUBLICATION p FOR TABLE customer WHERE (id <> '00000000-0000-0000-0000-000000000000')}],
    ['ALTER TABLE customer ADD COLUMN no_id boolean GENERATED ALWAYS AS (id IS NULL) STORED'],
    [ 'CREATE TABLE box (content invoice)', 'invoice', 'customer_id' ],
    [ 'CREATE TABLE event (id uuid) PARTITION BY HASH (id)', 'event' ], [ 'CREATE TYPE t AS (id uuid); CREATE TABLE event OF t',
        'event' ],
    [ 'CREATE TABLE parent (id uuid); CREATE TABLE event () INHERITS (parent)', 'event' ],
    [ 'CREATE TABLE event (id bigint GENERATED ALWAYS AS IDENTITY)', 'event', 'id', 'gen_ulid()' ],
    [ 'CREATE TABLE event (id serial)', 'event', 'id', 'gen_ulid()' ],
    [ 'CREATE TABLE event (id text PRIMARY KEY); CREATE TABLE line (invoice text REFERENCES event)', 'event', 'id', 'id::ulid' ],
    [ 'CREATE TABLE event (id varchar(26)); CREATE INDEX ON event (id varchar_pattern_ops)', 'event', 'id', 'id::ulid' ],
    [ q{CREATE TABLE event (id text CHECK (id <= '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'))}, 'event', 'id', 'id::ulid' ],
    $node{new}->pg_version < 18 ? () : [ 'CREATE EXTENSION btree_gist; CREATE TABLE price (id uuid, at tstzrange, PRIMARY KEY (id,
        at WITHOUT OVERLAPS));
        CREATE TABLE event (id uuid, at tstzrange, FOREIGN KEY (id, PERIOD at) REFERENCES price (id, PERIOD at))', 'event' ]) {
    my ($there, $table, $column, $using) = @$_;
    my $alter = sprintf 'ALTER TABLE %s ALTER COLUMN %s TYPE ulid', $table // 'customer', $column // 'id';
    $alter .= " USING $using" if $using;
    my (undef, undef, $err) = $node{new}->psql('places', "\\set VERBOSITY verbose\nBEGIN; SET client_min_messages = error; $there;
        $alter");
    my ($code, $message) = $err =~ /ERROR:  (\w{5}): (.*)/;
    ok($page =~ /^\|[^|]*\b\Q$code\E [^|]*`\Q$message\E`/m, "the page has $code $message");
}

# What it says about domains, typed tables, and columns of other kinds.
my ($typed) = code('ALTER TYPE [^`]*');
query('new', "CREATE TYPE t AS (id uuid); CREATE TABLE event OF t; $typed; CREATE DOMAIN ulid_domain AS ulid;
    CREATE TABLE domains (id ulid_domain)");
my ($brin) = code('USING brin [^`]*');
my $two = 'INSERT INTO domains SELECT gen_ulid() FROM generate_series(1, 2)';
like(as_user('new', $superuser, "BEGIN; CREATE INDEX ON domains USING brin (id); $two"), qr/missing operator/,
    'a BRIN index on a domain refuses rows');
query('new', "CREATE INDEX ON domains $brin; $two");
my ($other) = $page =~ /^  ```sql\n(.*?)^  ```/ms;
my ($sample) = code('SELECT t FROM log [^`]*');
query('new', q{CREATE TABLE log (at timestamptz, body json, doc jsonb, tags text[], subject text, other text, size integer);
    INSERT INTO log SELECT now(), to_json(id), to_jsonb(id), ARRAY[id], id, 'x', 1 FROM (SELECT gen_random_uuid()::text AS id
        FROM generate_series(1, 50000)) r;
    CREATE ROLE reader LOGIN IN ROLE pg_read_all_data; ANALYZE log});
is(as_user('new', 'reader', "SELECT string_agg(tablename || '.' || attname, ' ' ORDER BY attname) FROM (" . $other =~ s/;//r .
            ") s WHERE tablename = 'log'"), 'log.doc log.subject log.tags', 'columns that contain UUIDs are found');
like(as_user('new', 'reader', $sample), qr/^\(.*-/, 'and in a sample, those of json');
query('new', 'DROP TABLE event, domains, log; DROP DOMAIN ulid_domain; DROP TYPE t');

# ---------------------------------------------------------------- From bigint
# A reference may be null, and the application changes and clears references between all steps.
query('new', q{DROP TABLE invoice, customer;
    CREATE TABLE customer (id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, created_at timestamptz NOT NULL DEFAULT now(), name text);
    CREATE TABLE invoice (n integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, customer_id bigint REFERENCES customer ON DELETE SET NULL);
    INSERT INTO customer (created_at, name) SELECT '2026-01-31 23:59:59.9Z'::timestamptz + (n # 64) / 3 * interval '100 us', n
        FROM generate_series(1, 30000) n;
    INSERT INTO invoice (customer_id) SELECT id FROM customer, generate_series(1, 2)});
my ($add, $fill, $index, $exchange) = blocks_of('From bigint', 'sql');
my ($batch) = code('AND created_at[^`]*');
my $rounds = 0;
sub application {
    $rounds++;
    query('new', "INSERT INTO customer (name) SELECT 'new $rounds ' || n FROM generate_series(1, 3) n;
        INSERT INTO invoice (customer_id) SELECT id FROM customer ORDER BY id DESC LIMIT 2;
        UPDATE invoice SET customer_id = 777 + $rounds WHERE n % 1000 = 10 * $rounds;
        UPDATE invoice SET customer_id = NULL WHERE n % 1000 = 10 * $rounds + 1;
        UPDATE invoice SET customer_id = (SELECT max(id) FROM customer) WHERE n % 1000 = 10 * $rounds - 9;
        DELETE FROM invoice WHERE n % 1000 = 10 * $rounds + 2; DELETE FROM customer WHERE id = 100 * $rounds");
}
query('new', $_), application() for split /(?<=;)\n/, $add;
query('new', $fill =~ s/WHERE key IS NULL/$& $batch/r);
is(query('new', 'SELECT count(key) BETWEEN 1 AND 29990 FROM customer'), 't', 'bigint: a batch');
application();
query('new', $_), application() for $fill =~ /(.*?;\n)/sg, (split /(?<=;)\n/, $index), $fill;
my $mixed = 'SELECT count(*) FROM invoice LEFT JOIN customer c ON c.id = customer_id WHERE customer_key IS DISTINCT FROM key';
cmp_ok(query('new', $mixed), '>', 100, 'references have changed since');
my $numbers = query('new', 'SELECT n, customer_id, c.id, name FROM invoice LEFT JOIN customer c ON c.id = customer_id ORDER BY n');
query('new', $exchange =~ s/^-- .* three UPDATEs.*\n/$fill/mr);
is(query('new', 'SELECT n, number, number, name FROM invoice LEFT JOIN customer c ON c.id = customer_id ORDER BY n'), $numbers,
    'bigint: all references');
is(query('new', q{SELECT pg_typeof(id), count(*) - count(DISTINCT id), bool_and(id::timestamptz = date_trunc('milliseconds', created_at))
    FROM customer WHERE number <= 30000 GROUP BY 1}), 'ulid|0|t', 'distinct keys of the right times');
is(query('new', q{SELECT count(*) FILTER (WHERE (time, n) > (created_at, number)), bool_or(n > number) FROM (SELECT *,
    lag(created_at) OVER w AS time, lag(number) OVER w AS n FROM customer WHERE number <= 30000 WINDOW w AS (ORDER BY id)) t}), '0|t',
    'in the order of their times, and of the numbers where times are equal');
my $last = query('new', 'SELECT max(number) FROM customer');
is(query('new', "INSERT INTO customer (name) VALUES ('after') RETURNING number, id > (SELECT max(customer_id) FROM invoice)"),
    $last + 1 . '|t', 'new rows get both');
query('new', q{INSERT INTO invoice (customer_id) SELECT id FROM customer WHERE name = 'after';
    ALTER TABLE invoice ADD COLUMN number bigint; UPDATE invoice i SET number = c.number FROM customer c WHERE c.id = i.customer_id});
is(query('new', 'SELECT count(*) FROM invoice WHERE (number IS NULL) <> (customer_id IS NULL)'), 0, 'and the way back');

# ---------------------------------------------------------------- Uninstalling
my ($lookup) = code('SELECT oid::regprocedure [^`]*');
query('new', q{CREATE FUNCTION quoted() RETURNS text LANGUAGE sql AS 'SELECT gen_ulid()::text';
    CREATE FUNCTION quoted_uuid() RETURNS uuid LANGUAGE sql AS 'SELECT gen_uuidv7()'});
my ($refused, undef, $detail) = $node{new}->psql('places', 'DROP EXTENSION ulid');
ok($refused && $detail =~ /column id of table customer depends on type ulid/, 'DROP EXTENSION says what depends on it');
query('new', 'ALTER TABLE customer ALTER COLUMN id DROP DEFAULT; ALTER TABLE customer ALTER COLUMN id TYPE uuid;
    ALTER TABLE invoice ALTER COLUMN customer_id TYPE uuid; DROP AGGREGATE ulid_run(timestamptz)');
is(join("\n", sort split /\n/, query('new', $lookup)), "quoted()\nquoted_uuid()", 'quoted bodies are found');
query('new', 'DROP EXTENSION ulid');
is(query('new', "SELECT count(*), max(number) FROM customer WHERE pg_typeof(id) = 'uuid'::regtype") =~ s/.*\|//r, $last + 1,
    'and no row is lost');

# ---------------------------------------------------------------- Dumps of pgx_ulid and pg-ulid
for my $theirs ('pgx_ulid', 'pg-ulid') {
    my ($sed) = code("sed 's/ pgx_ulid [^`]*");
    local $database{new} = $theirs =~ s/-/_/r;
    $node{new}->safe_psql('postgres', "CREATE DATABASE $database{new}");
    # The casts that we do not have, as the page says to write them.
    my $timestamps = q{-e "s/(\(?id\)?)::timestamp without time zone/(\1::timestamptz AT TIME ZONE 'UTC')/; } .
        q{s/('[0-9: -]*)'::timestamp without time zone/\1Z'::timestamptz/g"};
    my $dump = abs_path("test/t/dumps/$theirs.sql");
    unlike(commands("$sed $dump | sed -E $timestamps | psql '" . address('new', $superuser) . "' -Xq -v ON_ERROR_STOP=1"), qr/ERROR/,
        "$theirs: a dump restores");
    is(query('new', "SET timezone = 'UTC'; SELECT id, left(name, 3), created_at = id::timestamptz FROM users ORDER BY id"),
        "01GV5PA9EQG7D82Q3Y4PKBZSYV|@{[$theirs eq 'pgx_ulid' ? 'Ada' : 'Jan']}|t\n01H588JF7X0005PX34XGNZBBGV|Bob|t", 'with its rows');
    is(query('new', "INSERT INTO users (name) VALUES ('new') RETURNING id::timestamptz > now() - interval '1 minute'"), 't',
        "$theirs: DEFAULT gen_ulid()");
}

done_testing();
