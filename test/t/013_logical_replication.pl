# Logical replication: tables with a ulid key, both ways, in text and in binary; ids made by the worker that applies; from uuid
# to ulid and back (017_moving.pl has the whole move). Where ULID_OLD_INSTALL names the installation of another
# version of PostgreSQL, one of the two servers is of that version (test/rare/versions/run).
use lib 'test/lib';
use UlidCluster;

my ($old, $new) = map {
    my $node = new_cluster($_, allows_streaming => 'logical', install_path => $_ eq 'old' ? $ENV{ULID_OLD_INSTALL} : undef,
        conf => "max_worker_processes = 20\nmax_logical_replication_workers = 12\n");
    # The test modules of 18 set it, and older servers do not have it.
    $node->adjust_conf('postgresql.conf', 'autovacuum_worker_slots', undef) if $node->pg_version < 18;
    $node->start;
    create_extension($node);
    $node;
} 'old', 'new';
note 'from ', map { $_->safe_psql('postgres', 'SHOW server_version'), ' ' } $old, $new;
# A server without the extension.
$old->safe_psql('postgres', 'CREATE DATABASE plain');

# Replicates a table: rows that are there before, and what changes after. `from` and `to` are the columns and constraints of the
# two tables, by default the same, and `columns` those that both have.
sub replicate {
    my ($table, $publisher, $subscriber, %case) = @_;
    my ($from, $to) = map { $case{$_} // 'postgres' } 'publisher', 'subscriber';
    $publisher->safe_psql($from,
        "CREATE TABLE $table ($case{from}); " . ($case{before} // '') . "; CREATE PUBLICATION $table FOR TABLE $table");
    my $connection = $publisher->connstr($from) =~ s/'//gr;
    $subscriber->safe_psql($to, "CREATE TABLE $table (" . ($case{to} // $case{from}) . '); ' . ($case{indexes} // '') .
            "CREATE SUBSCRIPTION $table CONNECTION '$connection' PUBLICATION $table WITH ($case{with})");
    $subscriber->wait_for_subscription_sync($publisher, $table);
    $publisher->safe_psql($from, $case{after});
    $publisher->wait_for_catchup($table);
    my $rows = "SELECT count(*), md5(string_agg(($case{columns})::text, ',' ORDER BY id)) FROM $table";
    my $expected = $publisher->safe_psql($from, $rows);
    like($expected, qr/^$case{count}\|/, "$table: the publisher has $case{count} rows");
    is($subscriber->safe_psql($to, $rows), $expected, "$table: the same rows");
    return;
}

# Also with columns and indexes of the subscriber's own, whose ids the worker makes that applies what is replicated.
my $columns = 'id ulid PRIMARY KEY DEFAULT gen_ulid(), random ulid DEFAULT gen_random_ulid(), refers uuid, body text';
for my $case ([ 'here', $old, $new, 'true' ], [ 'there', $new, $old, 'true' ], [ 'as_text', $old, $new, 'false' ]) {
    my ($table, $publisher, $subscriber, $binary) = @$case;
    my $insert = "INSERT INTO $table (refers, body) SELECT gen_ulid()::uuid, %s FROM generate_series(1, 1000)";
    replicate($table, $publisher, $subscriber, count => 1999, columns => 'id, random, refers, body', with => "binary = $binary",
        from => $columns, to => "$columns, applied ulid UNIQUE DEFAULT gen_monotonic_ulid(), own ulid DEFAULT gen_ulid()",
        indexes => "CREATE INDEX ON $table (ulid_timestamp(id));", before => sprintf($insert, "'copied'"),
        after => sprintf($insert, "'streamed'") . ";
            UPDATE $table SET body = 'changed', random = '7ZZZZZZZZZZZZZZZZZZZZZZZZZ' WHERE id = (SELECT min(id) FROM $table);
            UPDATE $table SET id = ulid_next(id, '1970-01-01') WHERE id = (SELECT max(id) FROM $table);
            DELETE FROM $table WHERE id = (SELECT id FROM $table ORDER BY id OFFSET 50 LIMIT 1)");
    is($subscriber->safe_psql('postgres', "SELECT count(DISTINCT applied), count(DISTINCT own) FROM $table"), '1999|1999',
        "$table: the ids that the subscriber's worker generates are distinct");
}

# Without a key the row is found by comparing all of it.
replicate('without_key', $old, $new, from => 'id ulid, body text', columns => 'id, body', with => 'binary = false', count => 1,
    before => 'ALTER TABLE without_key REPLICA IDENTITY FULL', after => q{
    INSERT INTO without_key VALUES ('01HWT3V340024H36H2NCSVRH6S', 'a'), ('01HWT78YR0024H36H2NCSVRH6S', 'b');
    UPDATE without_key SET body = 'c' WHERE body = 'b';
    DELETE FROM without_key WHERE body = 'a'});

# A subscriber has ulids for the publisher's uuids from the start; the first copy is in text before PostgreSQL 16.
for my $binary ('false', 'true') {
    my $table = "from_uuid_$binary";
    replicate($table, $old, $new, publisher => 'plain', from => 'id uuid PRIMARY KEY', to => 'id ulid PRIMARY KEY',
        columns => 'id::uuid', with => "binary = $binary", count => 92,
        before => "INSERT INTO $table SELECT gen_random_uuid() FROM generate_series(1, 100)",
        after => "INSERT INTO $table SELECT gen_random_uuid(); DELETE FROM $table WHERE id IN (SELECT id FROM $table LIMIT 9)");
}
# The other way: the new server feeds the old one, which keeps its uuid.
replicate('to_uuid', $new, $old, subscriber => 'plain', from => 'id ulid PRIMARY KEY DEFAULT gen_ulid(), n integer',
    to => 'id uuid PRIMARY KEY, n integer', columns => 'id::uuid, n', with => 'binary = true, copy_data = false', count => 90,
    after => 'INSERT INTO to_uuid (n) SELECT n FROM generate_series(1, 100) n; UPDATE to_uuid SET n = -n WHERE n < 10;
        DELETE FROM to_uuid WHERE n > 90');

# Both write to one table, each with ids of its own.
SKIP: {
    skip 'subscriptions have an origin from 16 on', 2 if $old->pg_version < 16;
    $_->safe_psql('postgres', 'CREATE TABLE shared (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text);
        CREATE PUBLICATION shared FOR TABLE shared') for $old, $new;
    for my $pair ([ $old, $new ], [ $new, $old ]) {
        my ($publisher, $subscriber) = @$pair;
        my ($connection, $name) = ($publisher->connstr, $subscriber->name);
        $subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION shared_$name CONNECTION '$connection dbname=postgres'
            PUBLICATION shared WITH (origin = none, copy_data = false)");
    }
    $_->safe_psql('postgres', q{INSERT INTO shared (body) SELECT 'new' FROM generate_series(1, 100)}) for $old, $new;
    $old->wait_for_catchup('shared_new');
    $new->wait_for_catchup('shared_old');
    my $all = 'SELECT count(*), md5(string_agg(id::text, chr(10) ORDER BY id)) FROM shared';
    my $expected = $old->safe_psql('postgres', $all);
    like($expected, qr/^200\|/, 'each server has the rows of both');
    is($new->safe_psql('postgres', $all), $expected, 'the same');
}

$new->safe_psql('postgres', 'CREATE EXTENSION amcheck');
$new->command_ok([ 'pg_amcheck', '--heapallindexed', '-d', 'postgres' ], 'pg_amcheck, heapallindexed: clean on the subscriber');

done_testing();
