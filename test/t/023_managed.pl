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

my ($rc, $out, $err) = $node->psql('app', slurp_file('clients/sql/ulid_sql.sql'), extra_params => [ '-U', 'app', '--single-transaction' ]);
is($err, '', 'the file loads for the owner of a database');
($rc, $out, $err) = $node->psql('app', slurp_file('clients/sql/ulid_sql.sql'), extra_params => [ '-U', 'app', '--single-transaction' ]);
unlike($err, qr/ERROR/, 'and again');
$node->safe_psql('postgres', 'CREATE ROLE other LOGIN; GRANT CREATE ON DATABASE app TO other');
($rc, $out, $err) = $node->psql('app', slurp_file('clients/sql/ulid_sql.sql'), extra_params => [ '-U', 'other', '--single-transaction' ]);
like($err, qr/ERROR: .*the schema ulid_sql belongs to somebody else/m, 'nobody loads it into the schema of somebody else');
is($node->safe_psql('app', "SELECT count(*) FROM pg_extension WHERE extname = 'ulid'"), 0, 'without the extension');

query($table);
query('INSERT INTO event (what) SELECT n::text FROM generate_series(1, 500) AS n');
is(query("SELECT count(*) FROM event WHERE id >= ulid_sql.ulid_lower_bound(now() - interval '1 hour')"), 502,
	'a range of times finds the rows of that time');
query('CREATE VIEW shown AS SELECT ulid_sql.ulid_to_text(id) AS id, what FROM event');
my $before = query('SELECT string_agg(ulid_sql.ulid_to_text(id) || what, chr(10) ORDER BY id) FROM event');
my $file = "SELECT pg_relation_filenode('event')";
my $filenode = query($file);

like(query("SET ulid_sql.last = 'ffffffffffff00000000000000000000'; SELECT ulid_sql.gen_ulid(); RESET ALL; SELECT ulid_sql.ulid_timestamp(ulid_sql.gen_ulid()) < now() + interval '1 hour'"),
	qr/^ffffffff-ffff-.*\nt\z/, 'RESET ALL begins a new order');

# Dumped and restored: with functions in an index, a constraint, a generated column, a bound of a partition.
query(<<'SQL');
	CREATE TABLE uses (
		id    uuid PRIMARY KEY DEFAULT ulid_sql.gen_ulid() CHECK (ulid_sql.ulid_timestamp(id) > '2020-01-01Z'),
		text  text GENERATED ALWAYS AS (ulid_sql.ulid_to_text(id)) STORED,
		ref   text CHECK (ulid_sql.ulid_is_valid(ref))
	);
	CREATE INDEX ON uses (ulid_sql.ulid_timestamp(id));
	CREATE INDEX ON uses (ulid_sql.ulid_from_text(ref)) WHERE id >= ulid_sql.ulid_lower_bound('2025-01-01Z');
	CREATE TABLE month (id uuid PRIMARY KEY DEFAULT ulid_sql.gen_random_ulid()) PARTITION BY RANGE (id);
	CREATE TABLE month_1 PARTITION OF month FOR VALUES FROM (ulid_sql.ulid_min('2026-01-01Z')) TO (ulid_sql.ulid_min('2200-01-01Z'));
	INSERT INTO uses (ref) SELECT ulid_sql.ulid_to_text(id) FROM event;
	INSERT INTO month SELECT FROM event;
	INSERT INTO month VALUES (DEFAULT)
SQL
$node->safe_psql('postgres', 'CREATE DATABASE restored OWNER app');
my $dump = PostgreSQL::Test::Utils::tempdir . '/dump';
my $connection = $node->connstr('restored') . ' user=app';
command_ok([ 'pg_dump', '--format=custom', '--file', $dump, $node->connstr('app') ], 'dumped');
command_ok([ 'pg_restore', '--exit-on-error', '--dbname', $connection, $dump ], 'restored by the owner of a database');
my $rows = 'SELECT md5(string_agg(u::text, chr(10) ORDER BY u.id)), (SELECT count(*) FROM month) FROM uses u';
is($node->safe_psql('restored', $rows), query($rows), 'with the same rows');
# Newer ones begin with a random \restrict.
my ($there, $again) = map { scalar run_command([ 'pg_dump', $_ ]) =~ s/^\\(?:un)?restrict .*\n//mgr } $node->connstr('app'), $node->connstr('restored');
ok($there eq $again, 'and the same definitions');

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
query("CREATE FUNCTION made() RETURNS uuid LANGUAGE plpgsql AS 'BEGIN RETURN ulid_sql.gen_ulid(); END'");
like(query($uses), qr/^rule .* on view shown$/m, 'what still uses the functions is found');
like(query($uses), qr/^function made\(\)$/m, 'and what calls them in its source');
query('DROP VIEW shown; DROP FUNCTION made');

# The script of the guide.
query('ALTER TABLE uses DROP COLUMN text');
my $script = PostgreSQL::Test::Utils::tempdir . '/there.sql';
command_ok([ 'psql', '-X', '-q', '-d', $node->connstr('app') . ' user=app', '-v', 'columns=uses, month', '-v', "script=$script", '-f', 'move/ulid_move.sql' ],
	'the script of a move is written');
command_ok([ 'psql', '-X', '-q', '-d', $node->connstr('app') . ' user=app', '-f', $script ], 'and runs');
is(query("SELECT string_agg(pg_get_expr(adbin, adrelid), ' ' ORDER BY adrelid::regclass::text COLLATE \"C\") FROM pg_attrdef"),
	'gen_ulid() gen_random_ulid() gen_random_ulid() gen_ulid()', 'the generators are those of the extension');
is(query('SELECT count(ulid_sql.ulid_timestamp(id)), min(pg_typeof(id)::text) FROM uses'), '502|ulid', 'with all rows');
query('DROP TABLE uses, month');
is(query($uses), '', 'and when nothing does');
is(scalar $node->psql('app', $drop, extra_params => [ '-U', 'app' ]), 0, 'they can be dropped');
is(query('SELECT count(*) FROM event WHERE id IS NOT NULL'), 503, 'and the table is as it was');

$node->stop;
done_testing();
