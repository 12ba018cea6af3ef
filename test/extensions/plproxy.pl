# PL/Proxy finds the database of a ulid by the type's own hash.
use lib 'test/lib';
use UlidCluster;

skip_unless_available('plproxy', 'plproxy');

my $node = started_cluster('main');
sub query { my ($sql) = @_; return $node->safe_psql('postgres', $sql) }
my ($host, $port) = ($node->host, $node->port);
for my $n (0, 1) {
    query("CREATE DATABASE part$n");
    $node->safe_psql("part$n", q{
        CREATE EXTENSION ulid;
        CREATE TABLE message (id ulid PRIMARY KEY, body text);
        CREATE FUNCTION put(id ulid, body text) RETURNS void LANGUAGE sql AS 'INSERT INTO message VALUES (id, body)';
        CREATE FUNCTION body(i ulid) RETURNS text LANGUAGE sql AS 'SELECT body FROM message WHERE id = i';
        CREATE FUNCTION latest() RETURNS SETOF ulid LANGUAGE sql AS 'SELECT max(id) FROM message'});
}
query(qq{CREATE EXTENSION plproxy;
    CREATE SERVER parts FOREIGN DATA WRAPPER plproxy OPTIONS (
        p0 'dbname=part0 host=$host port=$port', p1 'dbname=part1 host=$host port=$port');
    CREATE USER MAPPING FOR CURRENT_USER SERVER parts;
    CREATE FUNCTION put(id ulid, body text) RETURNS void LANGUAGE plproxy AS 'CLUSTER ''parts''; RUN ON ulid_hash(id);';
    CREATE FUNCTION body(i ulid) RETURNS text LANGUAGE plproxy AS 'CLUSTER ''parts''; RUN ON ulid_hash(i);';
    CREATE FUNCTION latest() RETURNS SETOF ulid LANGUAGE plproxy AS 'CLUSTER ''parts''; RUN ON ALL;';
    CREATE TABLE ids AS SELECT gen_ulid() AS id FROM generate_series(1, 200)});
query(q{SELECT put(id, 'message ' || id) FROM ids});

my @rows = map { $node->safe_psql("part$_", 'SELECT count(*) FROM message') } 0, 1;
ok($rows[0] > 0 && $rows[1] > 0 && $rows[0] + $rows[1] == 200, "each row is in one of two databases: @rows");
is($node->safe_psql("part$_", "SELECT count(*) FROM message WHERE ulid_hash(id) & 1 <> $_"), 0,
    "database $_ has those of its hash") for 0, 1;
is(query(q{SELECT count(*) FROM ids WHERE body(id) = 'message ' || id}), 200, 'each row is found by its id');
is(query('SELECT max(l) = (SELECT max(id) FROM ids) FROM latest() l'), 't', 'the latest of all');
$node->stop;
done_testing();
