# doc/managed.md, run as written: ULIDs without the extension, then the move to it.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('managed');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\nautovacuum = off\n");
$node->start;
# The owner of a database, who is not a superuser.
$node->safe_psql('postgres', 'CREATE ROLE app LOGIN; CREATE DATABASE app OWNER app');

my $page = slurp_file('doc/managed.md');
my @blocks = $page =~ /^```sql\n(.*?)^```$/msg;
is(scalar @blocks, 4, 'the page has its four pieces');
my ($table, $move, $uses, $drop) = @blocks;

# Runs as the owner, as psql does.
sub query
{
	my ($sql) = @_;
	my ($rc, $out, $err) = $node->psql('app', $sql, extra_params => [ '-U', 'app' ]);
	is($err, '', 'runs: ' . ($sql =~ s/\n.*//rs));
	return $out;
}

my ($rc, $out, $err) = $node->psql('app', slurp_file('sql/ulid_sql.sql'), extra_params => [ '-U', 'app', '--single-transaction' ]);
is($err, '', 'the file loads for the owner of a database');
($rc, $out, $err) = $node->psql('app', slurp_file('sql/ulid_sql.sql'), extra_params => [ '-U', 'app', '--single-transaction' ]);
unlike($err, qr/ERROR/, 'and again');
is($node->safe_psql('app', "SELECT count(*) FROM pg_extension WHERE extname = 'ulid'"), 0, 'without the extension');

query($table);
query('INSERT INTO event (what) SELECT n::text FROM generate_series(1, 500) AS n');
is(query("SELECT count(*) FROM event WHERE id >= ulid_sql.ulid_lower_bound(now() - interval '1 hour')"), 502,
	'a range of times finds the rows of that time');
query('CREATE VIEW shown AS SELECT ulid_sql.ulid_to_text(id) AS id, what FROM event');
my $before = query('SELECT string_agg(ulid_sql.ulid_to_text(id) || what, chr(10) ORDER BY id) FROM event');
my $file = "SELECT pg_relation_filenode('event')";
my $filenode = query($file);

# What the move names as in the way is dropped and created again.
query('DROP VIEW shown');
query($move);
is(query($file), $filenode, 'the move rewrites no table');
is(query("SELECT string_agg(id::text || what, chr(10) ORDER BY id) FROM event"), $before,
	'every row is there, in the same order, and the text of each id is the same');
query('CREATE VIEW shown AS SELECT ulid_sql.ulid_to_text(id) AS id, what FROM event');
is(query("INSERT INTO event (what) VALUES ('new') RETURNING id > (SELECT max(id) FROM event), pg_typeof(id)"), 't|ulid',
	'the new default continues the order');
is(query('SELECT count(*) FROM event WHERE id >= ulid_sql.ulid_lower_bound(now() - interval \'1 hour\')'), 503,
	'a bound of before compares with the new column');
like(query($uses), qr/\Arule .* on view shown\z/, 'what still uses the functions is found');
query('DROP VIEW shown');
is(query($uses), '', 'and when nothing does');
is(scalar $node->psql('app', $drop, extra_params => [ '-U', 'app' ]), 0, 'they can be dropped');
is(query('SELECT count(*) FROM event WHERE id IS NOT NULL'), 503, 'and the table is as it was');

$node->stop;
done_testing();
