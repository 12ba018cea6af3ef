# Installation: by the owner of a database, superuser or not; and beside a server, in a directory of its own.
use FindBin;
use lib "$FindBin::Bin/../lib";
use UlidCluster;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(auth_extra => [ '--create-role', 'owner,guest' ]);
$node->start;
$node->safe_psql('postgres', q{
    CREATE ROLE owner LOGIN;
    CREATE ROLE guest LOGIN;
    CREATE DATABASE owned OWNER owner;
    CREATE DATABASE others;
});

# The status of psql and what it prints.
sub as_user {
    my ($user, $database, $sql) = @_;
    my ($status, $out, $err) = $node->psql($database, $sql, extra_params => [ '-U', $user ]);
    return ($status, $out . $err);
}

my ($status, $out) = as_user('owner', 'owned', q{
    CREATE SCHEMA mine;
    CREATE EXTENSION ulid SCHEMA mine;
    SET search_path = mine;
    CREATE TABLE t (id ulid PRIMARY KEY DEFAULT gen_ulid());
    INSERT INTO t VALUES (DEFAULT), (DEFAULT);
    SELECT count(*) FROM t WHERE id::timestamptz <= clock_timestamp()});
is("$status|$out", '0|2', 'the owner of a database creates the extension and uses it');
($status, $out) = as_user('owner', 'owned', q{
    DROP EXTENSION ulid CASCADE;
    CREATE EXTENSION ulid;
    DROP EXTENSION ulid});
is($status, 0, 'the owner of a database drops the extension and creates it again') or diag($out);
($status, $out) = as_user('guest', 'others', 'CREATE EXTENSION ulid');
isnt($status, 0, 'another role cannot create the extension');
like($out, qr/permission denied to create extension "ulid"/, 'the error says that permission is denied');

$node->safe_psql('others', q{
    CREATE SCHEMA shared;
    CREATE EXTENSION ulid SCHEMA shared;
    GRANT USAGE ON SCHEMA shared TO guest});
($status, $out) = as_user('guest', 'others', q{
    CREATE TEMP TABLE t (id shared.ulid PRIMARY KEY DEFAULT shared.gen_ulid());
    INSERT INTO t VALUES (DEFAULT);
    SELECT count(*) FROM t, shared.ulid_parse(t.id)});
is("$status|$out", '0|1', 'any role can use it with USAGE on its schema');
$node->stop;

# make install DESTDIR=..., and a server that finds the extension there by two settings (doc/installing.md).
SKIP:
{
skip 'extension_control_path starts with PostgreSQL 18', 1 if $node->pg_version < 18;

my $beside = PostgreSQL::Test::Cluster->new('beside');
$beside->init;
my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
my $destination = PostgreSQL::Test::Utils::tempdir();
is(system("make -s install PG_CONFIG='$pg_config' DESTDIR='$destination' >/dev/null"), 0, 'make install DESTDIR');
my ($share) = run_command([ $pg_config, '--sharedir' ]);
my ($lib) = run_command([ $pg_config, '--pkglibdir' ]);
ok(-e "$destination$share/extension/ulid.control", 'make install DESTDIR installs the control file');

# Before the server's own directories, where the extension may be installed too.
$beside->append_conf('postgresql.conf',
	"fsync = off\nextension_control_path = '$destination$share:\$system'\ndynamic_library_path = '$destination$lib:\$libdir'\n");
$beside->start;
$beside->safe_psql('postgres', 'CREATE EXTENSION ulid');
is($beside->safe_psql('postgres', "CREATE TABLE event (id ulid PRIMARY KEY DEFAULT gen_ulid()); INSERT INTO event DEFAULT VALUES;"
		. "SELECT count(*) FROM event WHERE id::timestamptz > now() - interval '1 minute'"), 1, 'extension_control_path: the extension works');
like($beside->safe_psql('postgres', q{SELECT gen_ulid(); SELECT pg_read_file('/proc/self/maps')}), qr/\Q$destination$lib\E\/ulid\.so/,
	'dynamic_library_path: the library is the one in DESTDIR');
is($beside->safe_psql('postgres', 'SELECT gen_monotonic_ulid() < gen_monotonic_ulid()'), 't', 'gen_monotonic_ulid() works with it');

# Loaded in advance
$beside->append_conf('postgresql.conf', "shared_preload_libraries = 'ulid'\n");
$beside->restart;
is($beside->safe_psql('postgres', 'SELECT count(*) FROM event WHERE id < now()::timestamptz'), 1, 'the extension works with that library preloaded');
$beside->stop;
}
done_testing();
