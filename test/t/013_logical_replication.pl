# Logical replication: tables with a ulid key, both ways; ids made by the worker that applies; from uuid
# to ulid and back (017_moving.pl has the whole move). Where ULID_OLD_INSTALL names the installation of another
# version of PostgreSQL, one of the two servers is of that version (test/versions/run).
use FindBin;
use lib "$FindBin::Bin/../lib";
use UlidCluster;

my $old = PostgreSQL::Test::Cluster->new('old',
    $ENV{ULID_OLD_INSTALL} ? (install_path => $ENV{ULID_OLD_INSTALL}) : ());
my $new = PostgreSQL::Test::Cluster->new('new');
for my $node ($old, $new) {
    $node->init(allows_streaming => 'logical');
    # The test modules of 18 set it, and older servers do not have it.
    $node->adjust_conf('postgresql.conf', 'autovacuum_worker_slots', undef) if $node->pg_version < 18;
    $node->append_conf('postgresql.conf', "fsync = off\nmax_worker_processes = 20\nmax_logical_replication_workers = 12\n");
    # Which gen_monotonic_ulid() needs there.
    $node->append_conf('postgresql.conf', "shared_preload_libraries = 'ulid'\n") if $node->pg_version < 17;
    $node->start;
    $node->safe_psql('postgres', q{
        CREATE EXTENSION ulid;
        CREATE TABLE here (id ulid PRIMARY KEY DEFAULT gen_ulid(), refers uuid, body text);
        CREATE TABLE there (LIKE here INCLUDING ALL);
        CREATE TABLE full_identity (id ulid, body text);
        ALTER TABLE full_identity REPLICA IDENTITY FULL});
}
note 'from ', map { $_->safe_psql('postgres', 'SHOW server_version'), ' ' } $old, $new;

my @pairs = ([ $old, $new, 'here' ], [ $new, $old, 'there' ]);
for my $pair (@pairs) {
    my ($publisher, $subscriber, $table) = @$pair;
    $publisher->safe_psql('postgres', qq{
        INSERT INTO $table (body) SELECT 'copied' FROM generate_series(1, 100);
        CREATE PUBLICATION $table FOR TABLE $table});
    # Binary, as both have the type: its 16 bytes go over.
    my $connection = $publisher->connstr;
    $subscriber->safe_psql('postgres', qq{
        CREATE SUBSCRIPTION $table CONNECTION '$connection dbname=postgres' PUBLICATION $table WITH (binary = true)});
}
my $connection = $old->connstr;
$old->safe_psql('postgres', 'CREATE PUBLICATION full_identity FOR TABLE full_identity');
$new->safe_psql('postgres',
    "CREATE SUBSCRIPTION full_identity CONNECTION '$connection dbname=postgres' PUBLICATION full_identity");
for my $pair (@pairs) {
    my ($publisher, $subscriber, $table) = @$pair;
    $subscriber->wait_for_subscription_sync($publisher, $table);
    $publisher->safe_psql('postgres', qq{
        INSERT INTO $table (refers, body) SELECT gen_ulid()::uuid, 'streamed' FROM generate_series(1, 100);
        UPDATE $table SET body = 'changed' WHERE id = (SELECT min(id) FROM $table);
        UPDATE $table SET id = ulid_next(id, '1970-01-01') WHERE id = (SELECT max(id) FROM $table);
        DELETE FROM $table WHERE id = (SELECT id FROM $table ORDER BY id OFFSET 50 LIMIT 1)});
    $publisher->wait_for_catchup($table);
    my $all = "SELECT id, refers, body FROM $table ORDER BY id";
    my $expected = $publisher->safe_psql('postgres', $all);
    is(scalar(() = $expected =~ /\n/g), 198, "$table: 199 rows");
    is($subscriber->safe_psql('postgres', $all), $expected, "$table: inserted, updated, deleted alike");
}

# Without a key the row is found by comparing all of it.
$new->wait_for_subscription_sync($old, 'full_identity');
$old->safe_psql('postgres', q{
    INSERT INTO full_identity VALUES ('01HWT3V340024H36H2NCSVRH6S', 'a'), ('01HWT78YR0024H36H2NCSVRH6S', 'b');
    UPDATE full_identity SET body = 'c' WHERE body = 'b';
    DELETE FROM full_identity WHERE body = 'a'});
$old->wait_for_catchup('full_identity');
is($new->safe_psql('postgres', 'TABLE full_identity'), '01HWT78YR0024H36H2NCSVRH6S|c',
    'a row without a key is found by its ulid, too');

# Both write to one table, each with ids of its own.
SKIP: {
    skip 'subscriptions have an origin from 16 on', 2 if $old->pg_version < 16;
    $_->safe_psql('postgres', 'CREATE TABLE shared (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text);
        CREATE PUBLICATION shared FOR TABLE shared') for $old, $new;
    for my $pair ([ $old, $new ], [ $new, $old ]) {
        my ($publisher, $subscriber) = @$pair;
        my $connection = $publisher->connstr;
        my $name = 'shared_' . $subscriber->name;
        $subscriber->safe_psql('postgres', qq{
            CREATE SUBSCRIPTION $name CONNECTION '$connection dbname=postgres' PUBLICATION shared
                WITH (origin = none, copy_data = false)});
    }
    $_->safe_psql('postgres', q{INSERT INTO shared (body) SELECT 'new' FROM generate_series(1, 100)}) for $old, $new;
    $old->wait_for_catchup('shared_new');
    $new->wait_for_catchup('shared_old');
    my $all = 'SELECT count(*), md5(string_agg(id::text, chr(10) ORDER BY id)) FROM shared';
    my $expected = $old->safe_psql('postgres', $all);
    like($expected, qr/^200\|/, 'each server has the rows of both');
    is($new->safe_psql('postgres', $all), $expected, 'the same');
}

# Columns and indexes of the subscriber's own, whose ids the worker makes that applies what is replicated.
for my $format ('text', 'binary') {
    my $schema = "CREATE TABLE as_$format (id ulid PRIMARY KEY, random ulid)";
    $old->safe_psql('postgres', "$schema; INSERT INTO as_$format SELECT gen_ulid(), gen_random_ulid() FROM generate_series(1, 1000);
        CREATE PUBLICATION as_$format FOR TABLE as_$format");
    my $binary = $format eq 'binary' ? 'true' : 'false';
    $new->safe_psql('postgres', "$schema;
        ALTER TABLE as_$format ADD applied ulid UNIQUE DEFAULT gen_monotonic_ulid(), ADD own ulid DEFAULT gen_ulid();
        CREATE INDEX ON as_$format (ulid_timestamp(id));
        CREATE SUBSCRIPTION as_$format CONNECTION '$connection dbname=postgres' PUBLICATION as_$format WITH (binary = $binary)");
    $new->wait_for_subscription_sync($old, "as_$format");
    $old->safe_psql('postgres', "INSERT INTO as_$format SELECT gen_ulid(), gen_random_ulid() FROM generate_series(1, 1000);
        UPDATE as_$format SET random = '7ZZZZZZZZZZZZZZZZZZZZZZZZZ' WHERE id = (SELECT max(id) FROM as_$format);
        DELETE FROM as_$format WHERE id = (SELECT min(id) FROM as_$format)");
    $old->wait_for_catchup("as_$format");
    my $same = "SELECT count(*), md5(string_agg((id, random)::text, ',' ORDER BY id)) FROM as_$format";
    is($new->safe_psql('postgres', $same), $old->safe_psql('postgres', $same),
        "logical replication, $format: the same rows");
    is($new->safe_psql('postgres', "SELECT count(DISTINCT applied), count(DISTINCT own) FROM as_$format"),
        '1999|1999', 'and the ids that its worker generates are distinct');
    $new->safe_psql('postgres', "DROP SUBSCRIPTION as_$format");
}
$new->safe_psql('postgres', 'CREATE EXTENSION amcheck');
$new->command_ok([ 'pg_amcheck', '--heapallindexed', '-d', 'postgres' ],
    'pg_amcheck, heapallindexed: clean on the subscriber');

my ($publisher, $subscriber) = ($old, $new);
$_->safe_psql('postgres', 'CREATE DATABASE guide') for $publisher, $subscriber;
$subscriber->safe_psql('guide', 'CREATE EXTENSION ulid');
$connection = $publisher->connstr . ' dbname=guide';

# a subscriber with ulids from the start, in text and in binary; the first copy is in text before PostgreSQL 16
foreach my $binary ('false', 'true')
{
    my $table = "from_the_start_$binary";
    $publisher->safe_psql('guide', <<"SQL");
        CREATE TABLE $table (id uuid PRIMARY KEY);
        INSERT INTO $table SELECT gen_random_uuid() FROM generate_series(1, 100);
        CREATE PUBLICATION $table FOR TABLE $table;
SQL
    $subscriber->safe_psql('guide', <<"SQL");
        CREATE TABLE $table (id ulid PRIMARY KEY);
        CREATE SUBSCRIPTION $table CONNECTION '$connection' PUBLICATION $table WITH (binary = $binary);
SQL
    $subscriber->wait_for_subscription_sync($publisher, $table);
    $publisher->safe_psql('guide',
        "INSERT INTO $table SELECT gen_random_uuid(); DELETE FROM $table WHERE id IN (SELECT id FROM $table LIMIT 9)");
    $publisher->wait_for_catchup($table);
    is($subscriber->safe_psql('guide', "SELECT count(*), md5(string_agg(id::uuid::text, ',' ORDER BY id)) FROM $table"),
        $publisher->safe_psql('guide', "SELECT count(*), md5(string_agg(id::text, ',' ORDER BY id)) FROM $table"),
        "a subscriber can have ulids from the start, binary = $binary");
    $subscriber->safe_psql('guide', "DROP SUBSCRIPTION $table");
}

# the other way: the new server feeds the old one, which keeps its uuid
$subscriber->safe_psql('guide',
    'CREATE TABLE back (id ulid PRIMARY KEY DEFAULT gen_ulid(), n integer); CREATE PUBLICATION back FOR TABLE back');
my $back = $subscriber->connstr . ' dbname=guide';
$publisher->safe_psql('guide', <<"SQL");
    CREATE TABLE back (id uuid PRIMARY KEY, n integer);
    CREATE SUBSCRIPTION back CONNECTION '$back' PUBLICATION back WITH (binary = true, copy_data = false);
SQL
$subscriber->safe_psql('guide',
    'INSERT INTO back (n) SELECT n FROM generate_series(1, 100) n; UPDATE back SET n = -n WHERE n < 10; DELETE FROM back WHERE n > 90');
$subscriber->wait_for_catchup('back');
is($publisher->safe_psql('guide', "SELECT count(*), md5(string_agg(id || ' ' || n, ',' ORDER BY id)) FROM back"),
    $subscriber->safe_psql('guide', "SELECT count(*), md5(string_agg(id::uuid || ' ' || n, ',' ORDER BY id)) FROM back"),
    'a publisher with ulid feeds a subscriber with uuid');

$publisher->safe_psql('guide', 'DROP SUBSCRIPTION back');
$_->stop for $old, $new;
done_testing();
