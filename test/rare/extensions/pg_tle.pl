# clients/sql/pg_tle.sql with pg_tle: the SQL edition as an extension.
use lib 'test/lib';
use UlidCluster;

skip_unless_available('pg_tle', 'https://github.com/aws/pg_tle');

my $node = new_cluster('tle', conf => "shared_preload_libraries = 'pg_tle'\n");
$node->start;
# One role manages extensions, the other owns a database. Neither is a superuser.
$node->safe_psql('postgres',
    'CREATE ROLE manager LOGIN; CREATE ROLE app LOGIN; CREATE DATABASE app OWNER app; CREATE DATABASE restored OWNER app'
);

# What psql prints when a role runs these statements.
sub says {
    my ($role, $sql) = @_;
    my ($rc, $out, $err) = $node->psql('app', $sql, extra_params => [ '-U', $role ]);
    return "$out$err";
}

# The psql script in a directory with its source: its standard error.
sub register {
    my ($directory) = @_;
    my ($out, $err) = ('', '');
    IPC::Run::run([ 'psql', '-X', '-q', '-d', $node->connstr('app') . ' user=manager', '-f', 'pg_tle.sql' ],
        '>', \$out, '2>', \$err, init => sub { chdir $directory or die });
    return $err;
}

# The statements of the page.
my ($page) = slurp_file('doc/managed.md') =~ /^## Amazon RDS.*?\n(.*?)^## /ms;
my ($manage, $create, $update) = $page =~ /^ *```sql\n(.*?)^ *```$/msg;
$node->safe_psql('app', $manage);
like(
    says('app', 'CREATE EXTENSION ulid_sql'),
    qr/ERROR: .*"ulid_sql" is not available/,
    'not available before it is registered'
);
is(register('clients/sql'), '', 'the script registers it');
like(register('clients/sql'), qr/^ulid_sql \S+ is registered$/, 'run again, the script says that it is registered');
my ($version) = slurp_file('clients/sql/ulid_sql.sql') =~ /without the extension, version (\S+)'/;

is(says('app', $create), '', 'the owner of the database creates it');
my $installed = "SELECT extversion FROM pg_extension WHERE extname = 'ulid_sql'";
is(says('app', $installed), $version, 'the extension has the version of the script');
is(
    says(
        'app', "CREATE TABLE event (id uuid PRIMARY KEY DEFAULT ulid_sql.gen_ulid(), what text,
    at timestamptz GENERATED ALWAYS AS (ulid_sql.ulid_timestamp(id)) STORED);
    INSERT INTO event (what) VALUES ('a'), ('b'), ('c'); SELECT string_agg(what, '' ORDER BY id) FROM event"
    ),
    'abc',
    'a table uses it'
);

# The next version: other in what it says of itself, and in one function.
my $next = PostgreSQL::Test::Utils::tempdir;
append_to_file("$next/pg_tle.sql", slurp_file('clients/sql/pg_tle.sql'));
append_to_file("$next/ulid_sql.sql",
    slurp_file('clients/sql/ulid_sql.sql') =~ s/(without the extension, version )[^']+/${1}9.9.9/r =~
        s/^(COMMENT ON FUNCTION ulid_sql.gen_ulid\(\) IS\s+')/$1next: /mr);
is(register($next), '', 'the script registers a new version beside it');
is(says('app', $installed), $version, 'registering a version does not update the extension');
is(says('app', $update), '', 'ALTER EXTENSION ... UPDATE');
is(says('app', $installed), '9.9.9', 'the extension has the new version after the update');
like(says('app', "SELECT obj_description('ulid_sql.gen_ulid()'::regprocedure)"),
    qr/^next: /, 'the update changes a comment');

# Dumped and restored, by a superuser, as pg_tle wants it.
my $dump = "$next/dump";
command_ok([ 'pg_dump', '--format=custom', '--file', $dump, $node->connstr('app') ], 'dumped');
command_ok([ 'pg_restore', '--exit-on-error', '--dbname', $node->connstr('restored'), $dump ], 'restored');
is($node->safe_psql('restored', $installed), '9.9.9', 'the restored database has the extension in the new version');
my $rows = 'SELECT string_agg(ulid_sql.ulid_to_text(id) || what || at, chr(10) ORDER BY id) FROM event';
is($node->safe_psql('restored', $rows), $node->safe_psql('app', $rows), 'the restored database has the rows');

is(says('app', 'ALTER TABLE event ALTER id DROP DEFAULT, DROP at; DROP EXTENSION ulid_sql'),
    '', 'it can be dropped when unused');
is(says('app', "SELECT to_regnamespace('ulid_sql'), count(*) FROM event"),
    '|3', 'the schema is dropped too, and the table stays');

$node->stop;
done_testing();
