# gen_monotonic_ulid() continues after what was recovered, on a server whose clock is an hour behind that
# of the one it was recovered from: whatever happens between the end of recovery and the first call.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = new_cluster('primary', allows_streaming => 1, has_archiving => 1);
$primary->append_conf('postgresql.conf', q{
shared_preload_libraries = 'ulid'
max_prepared_transactions = 5
wal_log_hints = on
wal_keep_size = '1GB'
restart_after_crash = on
# Nobody else's commits.
autovacuum = off
});
$primary->start;
create_extension($primary);
$primary->safe_psql('postgres', 'CREATE TABLE event (id ulid DEFAULT gen_monotonic_ulid())');

sub sql { my ($node, $sql) = @_; return $node->safe_psql('postgres', $sql) }
my $next = 'SELECT gen_monotonic_ulid()';
sub insert { return sql($primary, 'INSERT INTO event DEFAULT VALUES RETURNING id') }

insert();
$primary->backup('base');

# A standby of the primary, its clock an hour behind.
my $standbys = 0;
sub standby
{
	my ($conf) = @_;
	my $node = PostgreSQL::Test::Cluster->new('standby' . ++$standbys);
	$node->init_from_backup($primary, 'base', has_streaming => 1);
	# The archive is the primary's.
	$node->append_conf('postgresql.conf', "archive_mode = off\n" . ($conf // ''));
	at_clock($node, '-1h', sub { $_[0]->start });
	return $node;
}
sub restart { return at_clock($_[0], '-1h', sub { $_[0]->restart }) }

# A standby on which a restart begins after the last commit, so that it replays none.
sub idle_standby
{
	my $node = standby();
	my $last = insert();
	sql($primary, 'CHECKPOINT');
	$primary->wait_for_catchup($node, 'replay');
	sql($node, 'CHECKPOINT');
	return ($node, $last);
}
sub replays_nothing
{
	my ($node) = @_;
	is(sql($node, 'SELECT pg_last_xact_replay_timestamp() IS NULL'), 't', '  (no commit is replayed again)');
	return;
}

# What the record says, and waits until it says something later.
sub record
{
	my $file = $_[0]->data_dir . '/pg_stat/ulid.stat';
	return -e $file ? slurp_file($file) : '';
}
sub wait_for_record
{
	my ($node, $before) = @_;
	my $waits = 0;
	select(undef, undef, undef, 0.05) until record($node) gt $before || ++$waits > 100;
	return;
}

sub follows
{
	my ($node, $last, $what) = @_;
	cmp_ok(sql($node, $next), 'gt', $last, $what);
	$node->stop;
	return;
}

{
	my ($node, $last) = idle_standby();
	restart($node);
	replays_nothing($node);
	$node->promote;
	follows($node, $last, 'an idle standby restarted and then promoted');
}

{
	my ($node, $last) = idle_standby();
	# A backend crashes, and the server starts anew with the last restart point.
	my $session = $node->background_psql('postgres', on_error_die => 0, on_error_stop => 0);
	my $pid = $session->query('SELECT pg_backend_pid()');
	kill 'KILL', $pid;
	eval { $session->quit };
	$node->poll_query_until('postgres', 'SELECT true');
	replays_nothing($node);
	$node->promote;
	follows($node, $last, 'a standby of which a backend crashed, promoted');
}

for my $event ('restarted', 'checkpointed and crashed', 'crashed')
{
	my $node = standby();
	my $last = insert();
	$primary->wait_for_catchup($node, 'replay');
	my $before = record($node);
	$node->promote;
	# The server's first moment: told in doc/guarantees.md.
	wait_for_record($node, $before) unless $event eq 'restarted';
	sql($node, 'CHECKPOINT') if $event =~ /checkpoint/;
	if ($event eq 'restarted')
	{
		restart($node);
	}
	else
	{
		$node->stop('immediate');
		at_clock($node, '-1h', sub { $_[0]->start });
	}
	follows($node, $last, "a standby promoted, and $event before the first call");
}

{
	my $node = standby();
	insert();
	# Later than the tolerance for what is close to a commit.
	select(undef, undef, undef, 2.5);
	my $last = sql($primary, q{BEGIN; INSERT INTO event DEFAULT VALUES RETURNING id; PREPARE TRANSACTION 'p'});
	$primary->wait_for_catchup($node, 'replay');
	$node->promote;
	cmp_ok(sql($node, $next), 'gt', $last, 'greater than an id of a prepared transaction');
	sql($node, q{COMMIT PREPARED 'p'});
	is(sql($node, "SELECT count(*) FROM event WHERE id = '$last'"), '1', '  (which can be committed)');
	$node->stop;
	sql($primary, q{ROLLBACK PREPARED 'p'});
}

{
	my $last = insert();
	sql($primary, q{SELECT pg_create_restore_point('here'); SELECT pg_switch_wal()});
	my $node = PostgreSQL::Test::Cluster->new('recovered');
	$node->init_from_backup($primary, 'base', has_restoring => 1);
	$node->append_conf('postgresql.conf',
		"recovery_target_name = 'here'\nrecovery_target_action = 'promote'\narchive_mode = off\n");
	at_clock($node, '-1h', sub { $_[0]->start });
	$node->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()');
	restart($node);
	follows($node, $last, 'recovery to a point in time, and a restart before the first call');
}

# Where the library is not preloaded, it begins with the first call: after a commit that was replayed
# since the server started, and before a restart.
if (named_shared_memory())
{
	my $node = standby("shared_preload_libraries = ''");
	my $last = insert();
	$primary->wait_for_catchup($node, 'replay');
	$node->promote;
	follows($node, $last, 'without the library preloaded: promoted, and called');
}

# Stopped in the midst of a promotion, before there is a worker to write that down.
for my $milliseconds (0, 20)
{
	my $node = standby();
	my $last = insert();
	$primary->wait_for_catchup($node, 'replay');
	my ($postmaster) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;
	append_to_file($node->data_dir . '/promote', '');
	kill 'USR1', $postmaster;
	select(undef, undef, undef, $milliseconds / 1000);
	kill 'INT', $postmaster;
	for (1 .. 600)
	{
		last unless kill 0, $postmaster;
		select(undef, undef, undef, 0.05);
	}
	$node->_update_pid(0);
	at_clock($node, '-1h', sub { $_[0]->start });
	$node->promote if sql($node, 'SELECT pg_is_in_recovery()') eq 't';
	follows($node, $last, "a standby stopped $milliseconds ms after it was told to promote itself");
}

# The worker that writes down what was replayed has a disk that does not respond, and something happens
# meanwhile.
my $shim = compile("$FindBin::Bin/../perl/held_record.c", PostgreSQL::Test::Utils::tempdir() . '/held_record.so', '-shared', '-fPIC');
sub held { return $_[0]->basedir . '/held' }
sub start_held
{
	my ($node) = @_;
	return at_clock($node, '-1h', sub {
		local %ENV = (%ENV, LD_PRELOAD => "$ENV{LD_PRELOAD}:$shim", HELD_RECORD_FILE => held($node));
		$_[0]->start;
	});
}

# The worker's process, which is in no view as it has no database; 0 where there is none.
sub worker
{
	my ($node) = @_;
	my ($postmaster) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;
	for my $directory (glob('/proc/[0-9]*'))
	{
		my ($title, $status) = map { eval { slurp_file("$directory/$_") } // '' } qw(cmdline status);
		return $directory =~ s/\D//gr if $title =~ /ulid recovery recorder/ && $status =~ /^PPid:\s+$postmaster$/m;
	}
	return 0;
}
sub wait_for_worker
{
	my ($node, $is_wanted) = @_;
	for (1 .. 200)
	{
		my $pid = worker($node);
		return $pid if !$pid == !$is_wanted;
		select(undef, undef, undef, 0.05);
	}
	return -1;
}
for my $event ('TERM', 'stop', 'KILL')
{
	my $node = standby();
	$node->stop;
	start_held($node);
	my $last = insert();
	$primary->wait_for_catchup($node, 'replay');
	append_to_file(held($node), '');
	$node->promote;
	my $worker = wait_for_worker($node, 1);
	cmp_ok($worker, '>', 0, "$event: the worker waits for its disk");
	is(sql($node, 'SELECT count(*) > 0 FROM event'), 't', '  and the server works');
	like(($node->psql('postgres', "SET statement_timeout = '300ms'; $next"))[2], qr/statement timeout/, '  save for calls, which can be cancelled');
	if ($event eq 'stop')
	{
		my $stop = IPC::Run::start([ 'pg_ctl', 'stop', '-D', $node->data_dir, '-m', 'fast', '-s', '-w' ], '<', '/dev/null');
		select(undef, undef, undef, 0.5);
		unlink held($node);
		$stop->finish;
		$node->_update_pid(0);
		at_clock($node, '-1h', sub { $_[0]->start });
		follows($node, $last, 'when the disk responds, the server stops, and the order goes on when it is started');
		next;
	}
	kill $event, $worker;
	if ($event eq 'KILL')
	{
		unlink held($node);
		$node->poll_query_until('postgres', 'SELECT true');
		is(wait_for_worker($node, 0), 0, '  the server recovers, and the worker ends');
		# Nothing is promised of its order: see doc/guarantees.md.
		like(sql($node, $next), qr/^\w{26}$/, '  and calls work');
		is(log_count($node, 'PANIC'), 0, '  without a PANIC');
		$node->stop;
		next;
	}
	select(undef, undef, undef, 0.3);
	is(worker($node), $worker, '  it still waits');
	unlink held($node);
	is(wait_for_worker($node, 0), 0, '  and ends when the disk responds');
	restart($node);
	follows($node, $last, 'having written what was replayed');
}

# pg_rewind takes the record of the old primary away, and brings that of the new one, which has given
# none yet.
{
	my $node = standby();
	my $last = insert();
	$primary->wait_for_catchup($node, 'replay');
	# As on a server that was a standby from the first.
	unlink $node->data_dir . '/pg_stat/ulid.stat';
	$node->promote;
	wait_for_record($node, '');
	sql($node, 'CHECKPOINT');
	# So that there is something to rewind.
	sql($primary, 'CREATE TABLE lost (); DROP TABLE lost');
	$primary->stop;
	my $conf = slurp_file($primary->data_dir . '/postgresql.conf');
	command_ok([ 'pg_rewind', '--no-sync', '--target-pgdata', $primary->data_dir,
			'--source-server', $node->connstr('postgres') ], 'pg_rewind of the old primary');
	is(record($primary), record($node), 'brings the record of the new one');
	unlink $primary->data_dir . '/postgresql.conf';
	append_to_file($primary->data_dir . '/postgresql.conf', $conf);
	$primary->enable_streaming($node);
	at_clock($primary, '-1h', sub { $_[0]->start });
	# By the clock of the new primary.
	sql($node, 'CREATE TABLE after ()');
	$node->wait_for_catchup($primary, 'replay');
	$node->stop;
	$primary->promote;
	follows($primary, $last, 'an old primary rewound, and promoted again');
}

done_testing();
