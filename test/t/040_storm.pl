# One order, whatever happens: sessions in two databases generate while backends are killed, queries
# cancelled, sessions terminated, the server stopped in each way and its clock set forward and back.
# ULID_TEST_ROUNDS sets how often (6 by default, a round of each kind; each takes about two seconds).
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

my $rounds = $ENV{ULID_TEST_ROUNDS} || 6;
my $seed = $ENV{ULID_TEST_SEED} || time;
srand $seed;
note "ULID_TEST_SEED=$seed";

my $node = new_cluster('main');
$node->append_conf('postgresql.conf', 'restart_after_crash = on');
my $clock = $node->basedir . '/clock';
start_faked($node);
create_extension($node);
$node->safe_psql('postgres', 'CREATE DATABASE other');
$node->safe_psql('other', 'CREATE EXTENSION ulid');

my $directory = PostgreSQL::Test::Utils::tempdir();
append_to_file("$directory/script", "SELECT gen_monotonic_ulid() FROM generate_series(1, 300);\n" x 400);
my $backends = q{FROM pg_stat_activity WHERE query ~ '^SELECT gen_monotonic' AND pid <> pg_backend_pid()};
sub one_of
{
	my $pid = $node->safe_psql('postgres', "SELECT pid $backends ORDER BY random() LIMIT 1");
	return $pid || ();
}
my @events = (
	'killed' => sub { kill 'KILL', one_of() },
	'stopped at once' => sub { $node->stop('immediate'); start_faked($node) },
	'restarted' => sub { $node->stop; start_faked($node) },
	'postmaster killed' => sub {
		my @processes = split /\n/, $node->safe_psql('postgres', 'SELECT pid FROM pg_stat_activity');
		$node->kill9;
		# They notice when they next wait; until then no server can start.
		select(undef, undef, undef, 0.01) while grep { kill 0, $_ } @processes;
		start_faked($node);
	},
	'clock' => sub { set_clock($clock, sprintf('%+ds', int(rand 7200) - 3600)) },
	'cancelled and terminated' => sub {
		for (1 .. 30)
		{
			$node->safe_psql('postgres', "SELECT pg_cancel_backend(pid) $backends");
			$node->safe_psql('postgres', "SELECT pg_terminate_backend(pid) $backends ORDER BY random() LIMIT 1") if rand() < 0.1;
		}
	});

my ($made, %seen, $duplicates, $descents, $early) = (0, (), 0, 0, 0);
my $greatest = '0';
my $file = 0;
for my $round (1 .. $rounds)
{
	my $event = $events[ 2 * (($round - 1) % (@events / 2)) + 1 ];
	my @files;
	my @clients = map {
		push @files, "$directory/" . ++$file;
		IPC::Run::start([ 'psql', '-XqAt', '-d', $node->connstr($_), '-f', "$directory/script" ],
			'<', '/dev/null', '>', $files[-1], '2>', '/dev/null');
	} ('postgres', 'other') x 2;
	for my $name (@files)
	{
		my $waits = 0;
		select(undef, undef, undef, 0.01) until -s $name || ++$waits > 3000;
	}
	$event->();
	$_->finish for @clients;
	$node->poll_query_until('postgres', 'SELECT true');
	my $last = $greatest;
	for my $name (@files)
	{
		# The last line may have been cut off.
		my @ids = slurp_file($name) =~ /^([0-9A-Z]{26})\n/mg;
		$made += @ids;
		$descents += grep { $ids[ $_ - 1 ] ge $ids[$_] } 1 .. $#ids;
		$duplicates += grep { $seen{$_}++ } @ids;
		$early += grep { $_ le $greatest } @ids;
		$last = $ids[-1] if @ids && $ids[-1] gt $last;
		unlink $name;
	}
	# Those of the rounds to come are greater, so these need not be kept.
	%seen = ();
	$greatest = $last;
}
cmp_ok($made, '>', 1000 * $rounds, "$made ids were made");
is($duplicates, 0, 'no two are the same');
is($descents, 0, 'those of a session ascend');
is($early, 0, 'those of each round are greater than all of the rounds before');
is(log_count($node, 'PANIC'), 0, 'no PANIC');
$node->stop;
done_testing();
