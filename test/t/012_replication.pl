# Ids and their indexes on other servers: base backup, streaming replica, promoted, point-in-time recovery, with amcheck of each;
# the order of gen_monotonic_ulid() while a standby is promoted.
use lib 'test/lib';
use UlidCluster;

my $rows = q{SELECT count(*), md5(string_agg(e::text, ',' ORDER BY id)) FROM event AS e};

# The replica compares each page that it replays, indexes included, with the primary's.
# It may be slow, so the primary keeps what it has not sent yet.
my $primary = started_cluster('primary', "wal_consistency_checking = 'all'\nmax_worker_processes = 16\nwal_keep_size = '4GB'\n",
    allows_streaming => 1, has_archiving => 1);
sub insert {
    my ($node, $count, $what) = @_;
    $node->safe_psql('postgres', "INSERT INTO event (what) SELECT '$what' FROM generate_series(1, $count)");
    return;
}
sub is_clean {
    my ($node) = @_;
    $node->command_ok([ 'pg_amcheck', '--heapallindexed', '-d', 'postgres' ], 'pg_amcheck, heapallindexed: clean on the ' . $node->name);
    return;
}
$primary->safe_psql('postgres', q{
    CREATE EXTENSION amcheck;
    CREATE TABLE event (
        id        ulid PRIMARY KEY DEFAULT gen_ulid(),
        random    ulid DEFAULT gen_random_ulid(),
        monotonic ulid UNIQUE DEFAULT gen_monotonic_ulid(),
        what      text);
    CREATE INDEX event_random ON event (random);
    CREATE INDEX event_hash ON event USING hash (random);
    CREATE INDEX event_brin ON event USING brin (ulid_timestamp(id));
    CREATE INDEX event_time ON event (ulid_timestamp(id));
});
insert($primary, 3000, 'before the backup');
$primary->backup('base');

# Streaming, to a replica that started with what pg_basebackup copied.
my $replica = PostgreSQL::Test::Cluster->new('replica');
$replica->init_from_backup($primary, 'base', has_streaming => 1);
$replica->start;
insert($primary, 3000, 'streamed');
$primary->safe_psql('postgres', 'CREATE INDEX event_later ON event (random, id)');
$primary->wait_for_catchup($replica, 'replay');
is($replica->safe_psql('postgres', $rows), $primary->safe_psql('postgres', $rows), 'replica: the same rows');

my $by_index = join ';', map {
    "SET enable_seqscan = off; SELECT count(*), min(id), max(id), md5(string_agg(random::text, ',' ORDER BY random, id)) FROM event WHERE $_"
    } 'id >= (SELECT min(id) FROM event)', 'random IN (SELECT random FROM event)',
    'ulid_timestamp(id) > now() - interval $$1 day$$ - interval $$1 h$$';
is($replica->safe_psql('postgres', $by_index), $primary->safe_psql('postgres', $by_index), 'replica: its indexes find the same');
is(log_count($replica, 'inconsistent page'), 0, 'replica: each page of its indexes is equal to the primary\'s');
is_clean($_) for $primary, $replica;

# The replica generates, read-only.
is($replica->safe_psql('postgres', "SELECT count(DISTINCT $_()) FROM generate_series(1, 1000)"), '1000', "replica: $_() works")
    for 'gen_ulid', 'gen_random_ulid', 'gen_monotonic_ulid';

# Point-in-time recovery.
insert($primary, 1000, 'to be recovered');
my $recovered_rows = $primary->safe_psql('postgres', $rows);
$primary->safe_psql('postgres', q{SELECT pg_create_restore_point('here')});
insert($primary, 1000, 'too late');
$primary->safe_psql('postgres', 'SELECT pg_switch_wal()');
my $recovered = PostgreSQL::Test::Cluster->new('recovered');
$recovered->init_from_backup($primary, 'base', has_restoring => 1);
$recovered->append_conf('postgresql.conf',
    "recovery_target_name = 'here'\nrecovery_target_action = 'promote'\narchive_mode = off\n");
$recovered->start;
$recovered->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()');
is($recovered->safe_psql('postgres', $rows), $recovered_rows, 'recovered: the rows of that point in time');
is_clean($recovered);
$recovered->stop;

# The primary is lost and the replica promoted.
insert($primary, 20, 'the last');
$primary->wait_for_catchup($replica, 'replay');
$primary->stop('immediate');
# Four sessions of the replica generate during the promotion, and 200 ids after it.
my $next = 'SELECT gen_monotonic_ulid()';
my $generate = "WITH RECURSIVE made (id, after) AS ($next, 0
    UNION ALL $next, after + (NOT pg_is_in_recovery())::int FROM made WHERE after < 200 AND pg_sleep(0.002) IS NOT NULL)
    SELECT id FROM made";
my @sessions = map {
    my %session = (out => '', err => '');
    $session{run} = IPC::Run::start([ 'psql', '-XqAt', '-d', $replica->connstr('postgres'), '-c', $generate ],
        '<', '/dev/null', '>', \$session{out}, '2>', \$session{err});
    \%session
} 1 .. 4;
$replica->poll_query_until('postgres', "SELECT count(*) = 4 FROM pg_stat_activity WHERE query LIKE 'WITH RECURSIVE made%'");
my $own = $replica->safe_psql('postgres', $next);
$replica->promote;
cmp_ok($replica->safe_psql('postgres', $next), 'gt', $own, 'a standby promoted while it generates: its order goes on');
$_->{run}->finish for @sessions;
my %seen;
for my $session (@sessions) {
    my @ids = split /\n/, $session->{out};
    cmp_ok(scalar @ids, '>', 200, '  a session is not disturbed') or diag $session->{err};
    is((grep { $ids[ $_ - 1 ] ge $ids[$_] } 1 .. $#ids), 0, '  its ids ascend');
    is((grep { $seen{$_}++ } @ids), 0, '  none is that of another session');
}
my ($greatest) = sort { $b cmp $a } keys %seen;
cmp_ok($replica->safe_psql('postgres', $next), 'gt', $greatest, '  a call after all of them gets a greater one');
insert($replica, 1000, 'promoted');
is($replica->safe_psql('postgres', 'SELECT count(*) FROM event'), '9020', 'promoted: rows are added to those of the primary');
is_clean($replica);

done_testing();
