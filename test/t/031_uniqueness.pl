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
			TO '$directory/$name$session';";
	}
}
is_deeply([ run_clients($node, @scripts) ], [ (0) x 8 ], '8 sessions generate at once');
$node->stop;

# What sort(1) says of the texts, whose order is that of the ids: how many occur more than once, and whether those of a
# file ascend.
$ENV{LC_ALL} = 'C';
sub duplicates { return (run_command([ 'sh', '-c', 'sort --parallel=2 "$@" | uniq -d | wc -l', 'sh', @_ ]))[0] }
sub ascends { return system("sort --check=quiet --unique $_[0]") == 0 }
is((run_command([ 'sh', '-c', 'cat "$@" | wc -l', 'sh', @files ]))[0], 8 * $each, 8 * $each . ' ids were made');
is(duplicates(@files), 0, 'no two are the same');
for my $name ('ulid', 'monotonic')
{
	ok(ascends("$directory/$name$_"), "$generators{$name}: the ids of session $_ ascend") for 1, 2;
}

# It sees what it looks for.
is(duplicates($files[0], $files[0]), $each, 'ids given twice would be found');
ok(!ascends("$directory/random1"), 'ids out of order would be found');

unlink @files;
done_testing();
