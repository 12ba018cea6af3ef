# Logical replication of tables with a ulid key, both ways. Where ULID_OLD_INSTALL names the
# installation of another version of PostgreSQL, one of the two servers is of that version
# (test/versions/run).
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $old = PostgreSQL::Test::Cluster->new('old',
    $ENV{ULID_OLD_INSTALL} ? (install_path => $ENV{ULID_OLD_INSTALL}) : ());
my $new = PostgreSQL::Test::Cluster->new('new');
for my $node ($old, $new) {
    $node->init(allows_streaming => 'logical');
    # Written by the tests' library of 18, unknown to a server before it.
    $node->adjust_conf('postgresql.conf', 'autovacuum_worker_slots', undef) if $node->pg_version < 18;
    $node->append_conf('postgresql.conf', "fsync = off\n");
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

$_->stop for $old, $new;
done_testing();
