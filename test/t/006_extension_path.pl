# make install DESTDIR=..., and a server that finds the extension there by two settings (doc/installing.md).
#
# From PostgreSQL 18 on.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
plan skip_all => 'extension_control_path is of PostgreSQL 18' if $node->pg_version < 18;

my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
my $destination = PostgreSQL::Test::Utils::tempdir();
is(system("make -s install PG_CONFIG='$pg_config' DESTDIR='$destination' >/dev/null"), 0, 'make install DESTDIR');
my ($share) = run_command([ $pg_config, '--sharedir' ]);
my ($lib) = run_command([ $pg_config, '--pkglibdir' ]);
ok(-e "$destination$share/extension/ulid.control", 'the control file is there');

# Before where the server looks by itself, as the extension may be installed there as well.
$node->append_conf('postgresql.conf',
	"fsync = off\nextension_control_path = '$destination$share:\$system'\ndynamic_library_path = '$destination$lib:\$libdir'\n");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION ulid');
is($node->safe_psql('postgres', "CREATE TABLE event (id ulid PRIMARY KEY DEFAULT gen_ulid()); INSERT INTO event DEFAULT VALUES;"
		. "SELECT count(*) FROM event WHERE id::timestamptz > now() - interval '1 minute'"), 1, 'it works');
like($node->safe_psql('postgres', q{SELECT gen_ulid(); SELECT pg_read_file('/proc/self/maps')}), qr/\Q$destination$lib\E\/ulid\.so/,
	'by the library from there');
is($node->safe_psql('postgres', 'SELECT gen_monotonic_ulid() < gen_monotonic_ulid()'), 't', 'the monotonic generator, too');

# Loaded in advance
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'ulid'\n");
$node->restart;
is($node->safe_psql('postgres', 'SELECT count(*) FROM event WHERE id < now()::timestamptz'), 1, 'also when preloaded');
$node->stop;
done_testing();
