# Installation: by the owner of a database, superuser or not; and beside a server, in a directory of its own.
use lib 'test/lib';
use UlidCluster;

my $node =
    new_cluster('main', auth_extra => [ '--create-role', 'owner,guest' ], conf => "shared_preload_libraries = ''\n");
$node->start;
$node->safe_psql('postgres',
    'CREATE ROLE owner LOGIN; CREATE ROLE guest LOGIN; CREATE DATABASE owned OWNER owner; CREATE DATABASE others');

# The results and messages of SQL for a user.
sub as_user {
    my ($user, $database, $sql) = @_;
    my (undef, $out, $err) = $node->psql($database, $sql, extra_params => [ '-U', $user ]);
    return $out . $err;
}

is(
    as_user(
        'owner', 'owned', q{
    CREATE SCHEMA "a ""Schema";
    CREATE EXTENSION ulid SCHEMA "a ""Schema";
    SET search_path = "a ""Schema";
    CREATE TABLE t (id ulid PRIMARY KEY DEFAULT gen_ulid());
    INSERT INTO t VALUES (DEFAULT), (DEFAULT);
    SELECT count(*) FROM t WHERE id::timestamptz <= clock_timestamp()}
    ),
    2,
    'the owner of a database creates the extension in a schema of any name and uses it'
);
like(
    as_user('guest', 'others', 'CREATE EXTENSION ulid'),
    qr/ERROR: .*permission denied to create extension "ulid"/,
    'another role cannot create the extension, and is told so'
);

$node->safe_psql('others',
    'CREATE SCHEMA shared; CREATE EXTENSION ulid SCHEMA shared; GRANT USAGE ON SCHEMA shared TO guest');
is(
    as_user(
        'guest', 'others', q{
    CREATE TEMP TABLE t (id shared.ulid PRIMARY KEY DEFAULT shared.gen_ulid());
    INSERT INTO t VALUES (DEFAULT);
    SELECT count(*) FROM t, shared.ulid_parse(t.id)}
    ),
    1,
    'any role can use it with USAGE on its schema'
);

# make install DESTDIR=..., and a server that finds the extension there by two settings (doc/installing.md).
SKIP:
{
    skip 'extension_control_path starts with PostgreSQL 18', 1 if $node->pg_version < 18;

    my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
    my $destination = PostgreSQL::Test::Utils::tempdir();
    is(system("make -s install PG_CONFIG='$pg_config' DESTDIR='$destination' >/dev/null"), 0, 'make install DESTDIR');
    my ($share) = run_command([ $pg_config, '--sharedir' ]);
    my ($lib) = run_command([ $pg_config, '--pkglibdir' ]);
    ok(-e "$destination$share/extension/ulid.control", 'make install DESTDIR installs the control file');

    # Before the server's own directories, where the extension may be installed too.
    my $second = started_cluster('second',
        "extension_control_path = '$destination$share:\$system'\ndynamic_library_path = '$destination$lib:\$libdir'\n");
    is(
        $second->safe_psql(
            'postgres', "CREATE TABLE event (id ulid PRIMARY KEY DEFAULT gen_ulid()); INSERT INTO event DEFAULT VALUES;
            SELECT count(*) FROM event WHERE id::timestamptz > now() - interval '1 minute'"
        ),
        1,
        'extension_control_path works'
    );
    like(
        $second->safe_psql('postgres', q{SELECT gen_ulid(); SELECT pg_read_file('/proc/self/maps')}),
        qr/\Q$destination$lib\E\/ulid\.so/,
        'dynamic_library_path: the library is the one in DESTDIR'
    );
}
# The Makefile: a server that is too old, and an update script with a section for newer servers.
my $copy = PostgreSQL::Test::Utils::tempdir();
system("cp -r Makefile ulid.control sql src $copy/") == 0 or die;
append_to_file("$copy/14.mk", "MAJORVERSION = 14\nVERSION = 14.20\nall:\n");
append_to_file("$copy/postgres.h", '');
append_to_file("$copy/pg_config", "#!/bin/sh\n[ \$1 = --pgxs ] && echo $copy/14.mk || echo $copy\n");
chmod 0755, "$copy/pg_config";
like(
    `make -C $copy PG_CONFIG=$copy/pg_config 2>&1`,
    qr/ulid needs PostgreSQL 15 or later, and \S+ is of 14\.20/,
    'make says that a server is too old'
);
# A build without PostgreSQL's development files says what to install.
append_to_file("$copy/client_only", "#!/bin/sh\n[ \$1 = --includedir-server ] && echo $copy/include\n");
append_to_file("$copy/fails", "#!/bin/sh\necho You need to install postgresql-server-dev-NN >&2\nexit 1\n");
chmod 0755, "$copy/client_only", "$copy/fails";
my $install = 'Install postgresql-server-dev-NN (Debian, Ubuntu) or postgresqlNN-devel (RPM), or set'
    . " PG_CONFIG=/path/to/pg_config.  Stop.\n";
for my $case (
    [ 'without the headers of a server', 'client_only', "there is no $copy/include/postgres.h" ],
    [ 'without pg_config', 'absent', "$copy/absent is missing or fails" ],
    [ 'with a pg_config that fails', 'fails', "$copy/fails is missing or fails" ]
    )
{
    my ($when, $name, $reason) = @$case;
    is(
        `make -C $copy PG_CONFIG=$copy/$name 2>&1 | sed '/^make[^:]*: .* directory/d; s/^Makefile:[0-9]*: //'`,
        "*** $reason. $install",
        "$when, make says in one line what to install"
    );
}
append_to_file("$copy/sql/ulid--1.0.0--1.1.0.sql", "SELECT 1;\n-- PostgreSQL 18 and later: more\nSELECT 18;\n");
is(system("make -s -C $copy ulid--1.0.0--1.1.0.sql PG_CONFIG=" . ($ENV{PG_CONFIG} || 'pg_config')),
    0, 'make makes an update script');
is(
    slurp_file("$copy/ulid--1.0.0--1.1.0.sql") =~ /SELECT 18/,
    $node->pg_version >= 18 ? 1 : '',
    'its last section is for the servers that it names'
);

# A build in another directory: it installs, and passes a regression test with an include. Bitcode is left to the
# packages.
my $build = PostgreSQL::Test::Utils::tempdir();
my ($make, $source) = ('make -s PG_CONFIG=' . ($ENV{PG_CONFIG} || 'pg_config'), Cwd::getcwd());
is(
    system(
        "cd $build && $make -f $source/Makefile VPATH=$source with_llvm=no CXXFLAGS=-O0 all install \\
        DESTDIR=$build/root >$build/log 2>&1"
    ),
    0,
    'a build in another directory'
) or diag slurp_file("$build/log");
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
is(system("cd $build && $make -f $source/Makefile VPATH=$source installcheck REGRESS=parts >>$build/log 2>&1"),
    0, 'make installcheck there')
    or diag slurp_file("$build/log");

done_testing();
