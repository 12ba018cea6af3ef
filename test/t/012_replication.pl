# A standby: the rows are those of the primary, it makes ids, and a promotion does not disturb the order of
# gen_monotonic_ulid().
use lib 'test/lib';
use UlidCluster;

my $primary = started_cluster('primary', "max_worker_processes = 16\n", allows_streaming => 1);
$primary->safe_psql(
    'postgres', 'CREATE TABLE event (
    id ulid PRIMARY KEY DEFAULT gen_ulid(), monotonic ulid UNIQUE DEFAULT gen_monotonic_ulid(), what text)'
);
sub insert {
    my ($node, $what) = @_;
    return $node->safe_psql('postgres', "INSERT INTO event (what) SELECT '$what' FROM generate_series(1, 1000)");
}
insert($primary, 'before the backup');
$primary->backup('base');
my $replica = PostgreSQL::Test::Cluster->new('replica');
$replica->init_from_backup($primary, 'base', has_streaming => 1);
$replica->start;
insert($primary, 'streamed');
$primary->wait_for_catchup($replica, 'replay');
my $rows = q{SELECT count(*), sum(hash_record_extended(ROW(e.*), 0)) FROM event AS e};
is(
    $replica->safe_psql('postgres', $rows),
    $primary->safe_psql('postgres', $rows),
    'the standby has the rows of the primary'
);
is($replica->safe_psql('postgres', "SELECT count(DISTINCT $_()) FROM generate_series(1, 1000)"),
    1000, "$_() works on a standby")
    for 'gen_ulid', 'gen_random_ulid', 'gen_uuidv7', 'gen_monotonic_ulid';

# The primary is lost. Four sessions of the standby generate during the promotion, and 200 ids after it.
$primary->stop('immediate');
my $next = 'SELECT gen_monotonic_ulid()';
my $generate = "WITH RECURSIVE made (id, after) AS (
        $next, 0
        UNION ALL
        $next, after + (NOT pg_is_in_recovery())::int FROM made WHERE after < 200 AND pg_sleep(0.002) IS NOT NULL)
    SELECT id FROM made";
my @sessions = map {
    my %session = (out => '', err => '');
    $session{run} = IPC::Run::start([ 'psql', '-XqAt', '-d', $replica->connstr('postgres'), '-c', $generate ],
        '<', '/dev/null', '>', \$session{out}, '2>', \$session{err});
    \%session
} 1 .. 4;
$replica->poll_query_until('postgres',
    "SELECT count(*) = 4 FROM pg_stat_activity WHERE query LIKE 'WITH RECURSIVE made%'");
my $own = $replica->safe_psql('postgres', $next);
$replica->promote;
cmp_ok($replica->safe_psql('postgres', $next),
    'gt', $own, 'a standby that is promoted while it generates keeps its order');
$_->{run}->finish for @sessions;
my %seen;
for my $session (@sessions) {
    my @ids = split /\n/, $session->{out};
    cmp_ok(scalar @ids, '>', 200, 'a session is not disturbed') or diag $session->{err};
    is((grep { $ids[ $_ - 1 ] ge $ids[$_] } 1 .. $#ids), 0, 'its ids ascend');
    is((grep { $seen{$_}++ } @ids), 0, 'no id is that of another session');
}
my ($greatest) = sort { $b cmp $a } keys %seen;
cmp_ok($replica->safe_psql('postgres', $next), 'gt', $greatest, 'a call after all of them gets a greater id');
insert($replica, 'promoted');
is($replica->safe_psql('postgres', 'SELECT count(*) FROM event'),
    3000, 'the promoted server adds rows to those of the primary');

done_testing();
