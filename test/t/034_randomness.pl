# The randomness: never shared by two processes, and never made up where the source fails.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

# The shim fails OpenSSL's source.
plan skip_all => 'the server was built without OpenSSL'
  if `@{[$ENV{PG_CONFIG} || 'pg_config']} --configure` !~ /--with-(?:ssl=)?openssl/;

my $node = new_cluster('main');
my $failing = $node->basedir . '/failing';
my $shim = compile("$FindBin::Bin/../perl/failing_random.c",
	$node->basedir . '/failing_random.so', '-shared', '-fPIC');
# gen_monotonic_ulid() needs the library preloaded on some servers; the first test is without that.
$node->append_conf('postgresql.conf', "shared_preload_libraries = ''\n");
{
	local %ENV = (%ENV, LD_PRELOAD => $shim, FAILING_RANDOM_FILE => $failing);
	$node->start;
}
create_extension($node);

# Backends forked one after another. A block of the pool serves 400 draws, so 500 see more than one.
sub no_block_is_shared
{
	my ($preloaded) = @_;
	$node->safe_psql('postgres', 'DROP TABLE IF EXISTS drawn; CREATE UNLOGGED TABLE drawn (pid int, randomness bytea)');
	my $draw = q{INSERT INTO drawn
		SELECT pg_backend_pid(), ulid_randomness(gen_random_ulid()) FROM generate_series(1, 500);};
	# A session reconnects: each time the postmaster forks a new backend.
	is_deeply([ run_clients($node, ("$draw\n\\connect\n" x 40) x 2) ], [ 0, 0 ], "80 backends draw, library $preloaded");
	is( $node->safe_psql('postgres',
			'SELECT count(DISTINCT pid), count(*), count(DISTINCT randomness) FROM drawn'),
		'80|40000|40000', 'and no two drew the same');
	return;
}
sub restart
{
	local %ENV = (%ENV, LD_PRELOAD => $shim, FAILING_RANDOM_FILE => $failing);
	$node->restart;
	return;
}
no_block_is_shared('not preloaded');
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'ulid'\n");
restart();
no_block_is_shared('preloaded');
# A process that has drawn forks: its children have a copy of what it has left, and must not use it.
my $include = `@{[$ENV{PG_CONFIG} || 'pg_config']} --includedir-server`;
chomp $include;
my $module = $node->basedir . '/draws_before_fork';
compile("$FindBin::Bin/../perl/draws_before_fork.c", "$module.so", '-shared', '-fPIC', "-I$include", '-Wno-unused-parameter',
	'-Wno-sign-compare', '-Wno-missing-field-initializers');
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'ulid, $module'\n");
restart();
no_block_is_shared('preloaded, and used by the postmaster');
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'ulid'\n");
restart();

# The source fails.
my @generators = ('gen_ulid()', 'gen_ulid(now())', 'gen_random_ulid()', 'gen_monotonic_ulid()',
	q{ulid_next('00000000000000000000000000')});
# A session is opened before, as the server needs randomness for it as well.
for my $generator (@generators)
{
	my $session = $node->background_psql('postgres', on_error_stop => 0);
	$session->query('\set VERBOSITY verbose');
	append_to_file($failing, '');
	for my $block ('first', 'next')
	{
		$session->{stderr} = '';
		unlike(scalar $session->query("SELECT $generator"),
			qr/[0-9A-Z]{26}/, "$generator: no id where the source fails to give the $block block");
		like($session->{stderr}, qr/XX000: could not generate random values/, 'but an error');
		unlink $failing;
		like(scalar $session->query("SELECT $generator"),
			qr/^[0-9A-Z]{26}$/, 'and the next call works');
		append_to_file($failing, '');
		# Uses up the block, and the millisecond, in which gen_ulid() would only count on.
		$session->query('SELECT pg_sleep(0.01)');
		$session->query('SELECT count(gen_random_ulid()) FROM generate_series(1, 1000)');
	}
	unlink $failing;
	$session->quit;
}
is( $node->safe_psql('postgres', 'SELECT count(DISTINCT gen_ulid()) FROM generate_series(1, 1000)'),
	'1000', 'all is well afterwards');

$node->stop;
done_testing();
