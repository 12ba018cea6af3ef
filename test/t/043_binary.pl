# Values bound and copied in their binary form, of any length.
# ULID_TEST_BINDS sets how many (20,000 by default).
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

my $binds = $ENV{ULID_TEST_BINDS} || 20_000;
my $seed = $ENV{ULID_TEST_SEED} || time;
note "ULID_TEST_SEED=$seed";

my $node = new_cluster('main');
$node->start;
create_extension($node);

my ($include, $library) = map { my ($path) = run_command([ $ENV{PG_CONFIG} || 'pg_config', $_ ]); $path } '--includedir', '--libdir';
my $program = compile("$FindBin::Bin/../perl/binary_binds.c", PostgreSQL::Test::Utils::tempdir() . '/binary_binds',
	"-I$include", "-L$library", "-Wl,-rpath,$library", '-lpq');
my ($out, $err) = run_command([ $program, $node->connstr('postgres'), $binds, $seed ]);
like($out, qr/^\d+ bound, \d+ refused, 0 wrong$/, 'what is bound comes back, or is refused') or diag $err;
my ($bound, $refused) = $out =~ /^(\d+) bound, (\d+) refused/;
cmp_ok($bound, '>=', $binds, "$out");
cmp_ok($refused, '>', $bound / 100, 'bad lengths are among them');
is(log_count($node, 'terminated by signal'), 0, 'no backend crashed');
$node->stop;
done_testing();
