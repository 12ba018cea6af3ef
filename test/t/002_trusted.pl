# The owner of a database can install the extension in it, superuser or not.
use FindBin;
use lib "$FindBin::Bin/../perl";
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

# What psql says to a user: its status and errors.
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
is($status, 0, 'drops it, creates it anew and drops it') or diag($out);
($status, $out) = as_user('guest', 'others', 'CREATE EXTENSION ulid');
isnt($status, 0, 'who owns no database cannot');
like($out, qr/permission denied to create extension "ulid"/, 'and is told so');

# Whoever may use the schema may use the extension.
$node->safe_psql('others', q{
    CREATE SCHEMA shared;
    CREATE EXTENSION ulid SCHEMA shared;
    GRANT USAGE ON SCHEMA shared TO guest});
($status, $out) = as_user('guest', 'others', q{
    CREATE TEMP TABLE t (id shared.ulid PRIMARY KEY DEFAULT shared.gen_ulid());
    INSERT INTO t VALUES (DEFAULT);
    SELECT count(*) FROM t, shared.ulid_parse(t.id)});
is("$status|$out", '0|1', 'any user uses it');

$node->stop;
done_testing();
