# What a session keeps of the catalogs (the functions of this extension, the tables that are known by a time) is
# right after an error while it was read, and after changes by others.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;
use IPC::Run;

my $node = started_cluster('main');
$node->safe_psql('postgres', q{
	CREATE TABLE plain (id ulid PRIMARY KEY);
	INSERT INTO plain SELECT ulid_min('2026-01-01Z'::timestamptz + n * interval '1 min') FROM generate_series(1, 10000) AS n;
	CREATE TABLE parted (id ulid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE part PARTITION OF parted DEFAULT;
	INSERT INTO parted TABLE plain;
	ANALYZE plain, parted});

# A session: what it prints for statements, up to the mark after them.
sub session
{
	my ($in, $out) = ('', '');
	my $psql = IPC::Run::start([ 'psql', '-XAt', '-d', $node->connstr('postgres') ],
		'<', \$in, '>', \$out, '2>&1', IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	return sub {
		my ($sql) = @_;
		if (!defined $sql) { $in .= "\\q\n"; $psql->finish; return }
		$in .= "$sql;\n\\echo done\n";
		$psql->pump until $out =~ /^done$/m;
		my $printed = $out =~ s/^done\n//mr;
		$out = '';
		return $printed;
	};
}
my $locker = session();

for my $case (
	[ 'the operator', 'plain', 'id >= now()' ],
	[ 'the cast', 'plain', 'id::timestamptz >= now()' ],
	[ 'the cast of a partitioned table', 'parted', 'id::timestamptz >= now()' ])
{
	my ($name, $table, $condition) = @$case;
	my $explain = "EXPLAIN (COSTS OFF) SELECT * FROM $table WHERE $condition";
	my $tester = session();
	# Connected, and with all that the server itself reads of catalogs.
	$tester->("SET enable_seqscan = off; SET enable_bitmapscan = off; SELECT FROM $table WHERE id IS NULL");
	$locker->('BEGIN; LOCK pg_depend IN ACCESS EXCLUSIVE MODE');
	like($tester->("SET statement_timeout = '200ms'; $explain"), qr/statement timeout/, "$name: an error while the catalogs are read");
	$locker->('ROLLBACK');
	like($tester->("RESET statement_timeout; $explain"), qr/Index Cond: \(id >= ulid_\w+\(now\(\)\)\)/, "$name: and the index by the next query");

	# Others change what the session has read.
	$node->safe_psql('postgres', "CREATE INDEX by_time ON $table (ulid_timestamp(id))");
	like($tester->($explain), $condition =~ /^id::/ ? qr/\(id\)::timestamp/ : qr/\(id >= /, "$name: an index that is new");
	$node->safe_psql('postgres', 'DROP INDEX by_time; ALTER FUNCTION ulid_planner_ge(timestamptz) RENAME TO renamed');
	like($tester->($explain), qr/\(id >= (?:renamed|ulid_lower_bound)\(/, "$name: an index that is gone, and a function's new name");
	$node->safe_psql('postgres', 'ALTER FUNCTION renamed RENAME TO ulid_planner_ge');
	$tester->();
}
$locker->();

$node->stop;
done_testing();
