# No two ids are ever the same, and those of a session ascend: 8 sessions at once, over all generators.
# ULID_TEST_IDS sets how many ids are made.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

my $ids = $ENV{ULID_TEST_IDS} || 5_000_000;

my $node = new_cluster('main');
$node->start;
create_extension($node);

# Each twice, so that sessions of one generator meet.
my %generators = (
	ulid => 'gen_ulid()',
	at => 'gen_ulid(clock_timestamp())',
	random => 'gen_random_ulid()',
	monotonic => 'gen_monotonic_ulid()');
my $each = int($ids / 8);
my $directory = PostgreSQL::Test::Utils::tempdir();
chmod 0777, $directory;
my (@files, @scripts);
for my $name (sort keys %generators)
{
	for my $session (1, 2)
	{
		push @files, "$directory/$name$session";
		push @scripts, "COPY (SELECT $generators{$name} FROM (SELECT generate_series(1, $each)) AS calls)
			TO '$directory/$name$session' (FORMAT binary);";
	}
}
is_deeply([ run_clients($node, @scripts) ], [ (0) x 8 ], '8 sessions generate at once');
$node->stop;

my $checker = compile("$FindBin::Bin/../perl/check_unique.cpp", "$directory/check_unique");
my ($out, $err);
IPC::Run::run([ $checker, @files ], '>', \$out, '2>', \$err) or die $err;
like($out, qr/^ids ${\(8 * $each)}$/m, 8 * $each . ' ids were made');
like($out, qr/^duplicates 0$/m, 'no two are the same');
for my $name ('ulid', 'monotonic')
{
	like($out, qr/\Q$directory\E\/$name$_ ascends$/m,
		"$generators{$name}: the ids of session $_ ascend")
	  for 1, 2;
}

# The checker sees what it looks for.
IPC::Run::run([ $checker, $files[0], $files[0] ], '>', \$out) or die;
like($out, qr/^duplicates $each$/m, 'ids given twice would be found');
IPC::Run::run([ $checker, grep { /random/ } @files ], '>', \$out) or die;
like($out, qr/does not ascend/, 'ids out of order would be found');

unlink @files;
done_testing();
