# Logical replication between columns of uuid, text and ulid, both ways, as text and in binary, and ids that the
# applying worker makes (doc/moving.md, doc/managed.md). If ULID_OLD_INSTALL names the installation of another
# version of PostgreSQL, one of the two servers is of that version (test/rare/versions/run).
use lib 'test/lib';
use UlidCluster;

my %server;
for my $name ('old', 'new') {
    my $node = $server{$name} = new_cluster(
        $name,
        allows_streaming => 'logical',
        conf => "max_worker_processes = 20\nmax_logical_replication_workers = 12\n",
        install_path => $name eq 'old' ? $ENV{ULID_OLD_INSTALL} : undef
    );
    # The test modules of 18 set it, and older servers do not have it.
    $node->adjust_conf('postgresql.conf', 'autovacuum_worker_slots', undef) if $node->pg_version < 18;
    $node->start;
    create_extension($node);
}
note 'from ', map { $_->safe_psql('postgres', 'SHOW server_version'), ' ' } @server{ 'old', 'new' };

sub query {
    my ($node, $sql) = @_;
    return $node->safe_psql('postgres', $sql);
}

# A publisher and a subscriber with that type. A uuid column cannot read the text of a ulid, and before PostgreSQL 16
# the first copy is text.
my $case = 0;
for (
    [ 'uuid', 'ulid', 'old', 'new', 'binary = false' ],
    [ 'uuid', 'ulid', 'old', 'new', 'binary = true' ],
    [ 'ulid', 'uuid', 'new', 'old', 'binary = true, copy_data = false' ],
    [ 'ulid', 'ulid', 'old', 'new', 'binary = false' ],
    [ 'ulid', 'ulid', 'new', 'old', 'binary = true' ],
    [ 'text', 'ulid', 'old', 'new', 'binary = false' ],
    [ 'ulid', 'text', 'new', 'old', 'binary = false, copy_data = false' ]
    )
{
    my ($type, $other, $from, $to, $with) = @$_;
    my ($publisher, $subscriber) = @server{ $from, $to };
    my $table = 'replicated_' . $case++;
    my $columns = 'id %1$s PRIMARY KEY DEFAULT gen_ulid(), refers %1$s, many %1$s[], pair %2$s_pair, n integer';
    query($publisher, "CREATE TYPE ${table}_pair AS (id $type, n integer)");
    query($subscriber, "CREATE TYPE ${table}_pair AS (id $other, n integer)");
    query($publisher, sprintf "CREATE TABLE $table ($columns)", $type, $table);
    # Columns of the subscriber's own: the worker that applies makes their ids.
    query(
        $subscriber,
        sprintf "CREATE TABLE $table ($columns,
        own ulid UNIQUE DEFAULT gen_ulid(), own_v7 uuid UNIQUE DEFAULT gen_uuidv7(),
        of_server ulid UNIQUE DEFAULT gen_monotonic_ulid())", $other, $table
    );
    my $insert = "INSERT INTO $table (refers, many, pair, n)
        SELECT id, ARRAY[id, NULL], ROW(id, n)::${table}_pair, n
        FROM (SELECT gen_random_uuid()::ulid::$type AS id, n FROM generate_series(%d, %d) AS n) AS made";
    query($publisher, "CREATE PUBLICATION $table FOR TABLE $table");
    query($publisher, sprintf $insert, 1, 300) unless $with =~ /copy_data = false/;
    my $connection = $publisher->connstr('postgres') =~ s/'//gr;
    query($subscriber, "CREATE SUBSCRIPTION $table CONNECTION '$connection' PUBLICATION $table WITH ($with)");
    $subscriber->wait_for_subscription_sync($publisher, $table);
    query($publisher, sprintf $insert, 1, 300) if $with =~ /copy_data = false/;
    query($publisher, sprintf $insert, 301, 600);
    query($publisher, "UPDATE $table SET refers = id, many = many || refers WHERE n % 100 = 1");
    query($publisher, "UPDATE $table SET id = gen_random_uuid()::ulid WHERE n % 100 = 2");
    query($publisher, "DELETE FROM $table WHERE n % 100 = 3");
    $publisher->wait_for_catchup($table);

    my $how = "$type to $other from the $from server, $with";
    # The hash of a text is another one.
    my $as = $how =~ /text/ ? '::text' : '';
    my $all = "SELECT count(*), sum(hash_record_extended(ROW(id$as, refers$as, many$as, pair$as, n), 0)) FROM $table";
    my $rows = query($publisher, $all);
    like($rows, qr/^594\|/, "$how: there are 594 rows");
    is(query($subscriber, $all), $rows, "$how: the sum of the hashes is that of the publisher");
    is(query($subscriber, "SELECT count(own), count(own_v7), count(of_server) FROM $table"),
        '594|594|594', "$how: the applying worker makes distinct ids");
    next unless $other eq 'uuid';

    # As text, it stops, and loses nothing.
    query($subscriber, "ALTER SUBSCRIPTION $table SET (binary = false)");
    query($publisher, sprintf $insert, 601, 601);
    $subscriber->wait_for_log(qr/invalid input syntax for type uuid/);
    query($subscriber, "ALTER SUBSCRIPTION $table SET (binary = true)");
    $publisher->wait_for_catchup($table);
    is(query($subscriber, "SELECT count(*) FROM $table"), 595, "$how: as text, it stops until it is binary again");
}

done_testing();
