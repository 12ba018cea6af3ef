# A new build of the module is installed under a server that runs: its shared state is not that of the
# build before.
#
# From PostgreSQL 17 on.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

plan skip_all => 'the server has the library preloaded, and keeps it until it is restarted' unless named_shared_memory();

my $directory = PostgreSQL::Test::Utils::tempdir();
# As who changes the layout has to.
my $layout = 1;
sub layout { ++$layout; s/(kSharedMemoryName\[\] = "ulid )\d+/$1$layout/ or die; return }
my %variants = (
	'with a field more' => sub {
		layout();
		s/(struct SharedState \{\n)/$1    std::int64_t more[7] = {};\n/ or die;
	},
	'with fields in another order' => sub {
		layout();
		s/^    LWLock lock;\n//m or die;
		s/(struct SharedState \{\n)/$1    LWLock lock;\n/ or die;
	});

my $node = new_cluster('main');
my $clock = $node->basedir . '/clock';
start_faked($node);
create_extension($node);
my $next = 'SELECT gen_monotonic_ulid()';
my $session = $node->background_psql('postgres');
my $last = $session->query($next);
my $number = 0;
for my $what (sort keys %variants)
{
	# A database whose sessions load the new build.
	my $database = 'new' . ++$number;
	my $variant = build_variant("$directory/$database", $variants{$what});
	$node->safe_psql('postgres', "CREATE DATABASE $database TEMPLATE template0");
	$node->safe_psql($database, "CREATE EXTENSION ulid; UPDATE pg_proc SET probin = '$variant' WHERE probin = '\$libdir/ulid'");
	my $new = $node->safe_psql($database, $next);
	cmp_ok($new, 'gt', $last, "a build $what: goes on after what was given before");
	is( $node->safe_psql($database, "SELECT abs(extract(epoch FROM '$new'::ulid::timestamptz - clock_timestamp())) < 5"),
		't', 'and has the time now');
	is($node->safe_psql($database, 'SELECT count(DISTINCT gen_monotonic_ulid()) FROM generate_series(1, 10000)'), '10000', 'and works');
	my $old = $session->query($next);
	cmp_ok($old, 'gt', $last, 'a session of before goes on');
	is( $node->safe_psql('postgres', "SELECT abs(extract(epoch FROM '$old'::ulid::timestamptz - clock_timestamp())) < 5"),
		't', 'and has the time now');
	my $milliseconds = slurp_file($node->data_dir . '/pg_stat/ulid.stat');
	cmp_ok(abs($milliseconds / 1000 - time), '<', 5, 'and so has the record');
	($last) = sort { $b cmp $a } $new, $old;
}

# The clock is ahead, and corrected before the next build is asked, and before the restart.
set_clock($clock, '+1h');
$last = $session->query($next);
set_clock($clock, '+0');
my $variant = build_variant("$directory/ahead", sub { layout() });
$node->safe_psql('postgres', 'CREATE DATABASE ahead TEMPLATE template0');
$node->safe_psql('ahead', "CREATE EXTENSION ulid; UPDATE pg_proc SET probin = '$variant' WHERE probin = '\$libdir/ulid'");
cmp_ok(my $new = $node->safe_psql('ahead', $next), 'gt', $last, 'a build that is asked when the clock is behind: goes on after what was given before');
$last = $new;
$session->quit;
$node->stop;
start_faked($node);
cmp_ok($node->safe_psql('new1', $next), 'gt', $last, 'after a restart there is one order');
$node->stop;
done_testing();
