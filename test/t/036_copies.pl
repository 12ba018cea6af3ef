# The order of gen_monotonic_ulid() belongs to a data directory. A copy of one knows the ids that were
# given before it was made, and not those since, though it may recover them: a backup, a standby that is
# promoted, a recovery to a point in time, pg_rewind. Each copy has a clock that is an hour behind.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;
use File::Copy qw(copy);

my $next = 'SELECT gen_monotonic_ulid()';
sub sql { my ($node, $sql) = @_; return $node->safe_psql('postgres', $sql) }
sub insert { return sql($_[0], 'INSERT INTO event DEFAULT VALUES RETURNING id') }
sub record { return $_[0]->data_dir . '/pg_stat/ulid.stat' }
sub start { my ($node, $offset) = @_; return at_clock($node, $offset // '-1h', sub { $_[0]->start }) }

my $primary = new_cluster('primary', allows_streaming => 1, has_archiving => 1);
$primary->append_conf('postgresql.conf', "wal_log_hints = on\nwal_keep_size = '1GB'\n");
start($primary, '+0');
create_extension($primary);
sql($primary, 'CREATE TABLE event (id ulid DEFAULT gen_monotonic_ulid())');

# Each id that the primary gives is a minute later than what it has on record: none is followed because
# it happens to be within a reservation.
my $minutes = 0;
sub later
{
	set_clock($primary->basedir . '/clock', '+' . ++$minutes . 'm');
	return insert($primary);
}

my $copies = 0;
sub a_copy
{
	my ($from, $backup, %options) = @_;
	my $node = PostgreSQL::Test::Cluster->new('copy' . ++$copies);
	$node->init_from_backup($from, $backup, %options);
	# The archive is the primary's.
	$node->append_conf('postgresql.conf', "archive_mode = off\n");
	return $node;
}

# Its first id is after $before, given before the copy was made, and not after $since; then it keeps its
# order. Returns its last id.
sub is_as_promised
{
	my ($node, $before, $since, $what) = @_;
	is(sql($node, "SELECT count(*) FROM event WHERE id IN ('$before', '$since')"), '2', "$what: has recovered the ids");
	my $first = sql($node, $next);
	cmp_ok($first, 'gt', $before, '  its first is greater than those from before the copy was made');
	cmp_ok($first, 'lt', $since, '  and less than one since, as the page says');
	$node->stop;
	start($node);
	my $second = sql($node, $next);
	cmp_ok($second, 'gt', $first, '  and it keeps its order over a restart');
	return $second;
}

my $before = later();
$primary->backup('base');

# ---- a backup without recovery.signal ----------------------------------------------------------------

# Ids are given while the files are copied, and the server recovers them.
my $hot = $primary->backup_dir . '/hot';
my $session = $primary->background_psql('postgres');
$session->query(q{SELECT pg_backup_start('hot', true)});
PostgreSQL::Test::RecursiveCopy::copypath($primary->data_dir, $hot, filterfn => sub { $_[0] !~ m{^postmaster\.pid$|^pg_wal/.} });
my $since = later();
my $label = $session->query('SELECT labelfile FROM pg_backup_stop(false)');
$session->quit;
copy($_, "$hot/pg_wal") or die $! for glob($primary->data_dir . '/pg_wal/' . '[0-9A-F]' x 24);
append_to_file("$hot/backup_label", "$label\n");
my $restored = a_copy($primary, 'hot');
start($restored);
is_as_promised($restored, $before, $since, 'a backup that was taken while ids were given');
$restored->stop;

$restored = a_copy($primary, 'hot');
start($restored, '+1h');
cmp_ok(sql($restored, $next), 'gt', $since, 'one whose clock is right, or ahead: starts from its clock');
$restored->stop;

# ---- recovery to a point in time ---------------------------------------------------------------------

$since = later();
sql($primary, q{SELECT pg_create_restore_point('here'); SELECT pg_switch_wal()});
my $recovered = a_copy($primary, 'base', has_restoring => 1, standby => 0);
$recovered->append_conf('postgresql.conf', "recovery_target_name = 'here'\nrecovery_target_action = 'promote'\n");
start($recovered);
$recovered->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()');
is_as_promised($recovered, $before, $since, 'recovery to a point in time');
$recovered->stop;

# ---- promotion -----------------------------------------------------------------------------------------

sub standby
{
	my ($from, $backup) = @_;
	my $node = a_copy($from, $backup, has_streaming => 1);
	start($node);
	return $node;
}

# A standby that gives ids itself, and goes on while it is promoted.
my $standby = standby($primary, 'base');
my @sessions = map {
	my %session = (out => '', err => '');
	$session{run} = IPC::Run::start(
		[ 'psql', '-XqAt', '-d', $standby->connstr('postgres'), '-c', "$next FROM generate_series(1, 1500) WHERE pg_sleep(0.002) IS NOT NULL" ],
		'<', '/dev/null', '>', \$session{out}, '2>', \$session{err});
	\%session
} 1 .. 4;
my $own = sql($standby, $next);
$since = later();
$primary->wait_for_catchup($standby, 'replay');
$standby->promote;
my $promoted = sql($standby, $next);
cmp_ok($promoted, 'gt', $own, 'a standby promoted while it gives ids: they go on after its own');
$_->{run}->finish for @sessions;
my %seen;
for my $session (@sessions)
{
	my @ids = split /\n/, $session->{out};
	is(scalar @ids, 1500, '  a session is not disturbed') or diag $session->{err};
	is((grep { $ids[ $_ - 1 ] ge $ids[$_] } 1 .. $#ids), 0, '  its ids ascend');
	is((grep { $seen{$_}++ } @ids), 0, '  none is that of another session');
}
my ($greatest) = sort { $b cmp $a } keys %seen;
cmp_ok(sql($standby, $next), 'gt', $greatest, '  a call after all of them gets a greater one');
is_as_promised($standby, $before, $since, 'a promoted standby');

# As for pg_upgrade, the file of the old server lets the new one go on after it.
$standby->stop;
copy(record($primary), record($standby)) or die $!;
start($standby);
cmp_ok(sql($standby, $next), 'gt', $since, '  with the file of the primary it goes on after all that the primary gave');
$standby->stop;

# A chain: the last is a standby of a standby, made from a backup of that. The first gives an id, the
# second is promoted and gives none, and commits with its clock, which is an hour behind.
# That backup knows what the second has given, and of the first what the second does.
my $second = standby($primary, 'base');
$since = later();
$primary->wait_for_catchup($second, 'replay');
$second->backup('of_standby');
my $third = standby($second, 'of_standby');
$second->promote;
sql($second, 'CREATE TABLE committed ()');
$second->wait_for_catchup($third, 'replay');
$third->promote;
my $last = is_as_promised($third, $before, $since, 'a standby of a standby, promoted after it');
$third->stop;

# ---- pg_rewind -----------------------------------------------------------------------------------------

# So that there is something to rewind.
sql($primary, 'CREATE TABLE lost (); DROP TABLE lost');
$primary->stop;
start($third);
$last = sql($third, $next);
sql($third, 'CHECKPOINT');
my $conf = slurp_file($primary->data_dir . '/postgresql.conf');
command_ok([ 'pg_rewind', '--no-sync', '--target-pgdata', $primary->data_dir, '--source-server', $third->connstr('postgres') ],
	'pg_rewind of the old primary');
is(slurp_file(record($primary)), slurp_file(record($third)), '  brings the record of the new one');
unlink $primary->data_dir . '/postgresql.conf';
append_to_file($primary->data_dir . '/postgresql.conf', $conf);
$primary->enable_streaming($third);
start($primary);
$third->wait_for_catchup($primary, 'replay');
$third->stop;
$primary->promote;
is_as_promised($primary, $before, $since, 'the old primary, promoted again');
cmp_ok(sql($primary, $next), 'gt', $last, '  goes on after what the new one had given by then');
$primary->stop;

done_testing();
