# gen_monotonic_ulid(): one order for the whole server.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

my $node = started_cluster('main');

# Without the library preloaded.
if (named_shared_memory())
{
	is($node->safe_psql('postgres', 'SELECT count(DISTINCT gen_monotonic_ulid()) FROM generate_series(1, 1000)'),
		'1000', 'needs no configuration');
}
else
{
	my ($sqlstate, $message) = sqlstate($node, 'SELECT gen_monotonic_ulid()');
	is($sqlstate, '55000', 'fails where the server reserved no memory');
	like($message,
		qr/HINT:  Add ulid to shared_preload_libraries and restart the server\./,
		'says what to do');
	is( $node->safe_psql('postgres',
			'SELECT count(DISTINCT gen_ulid()) FROM generate_series(1, 1000)'),
		'1000', 'the other generators need no configuration');
}

# With it.
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'ulid'");
$node->restart;
is( $node->safe_psql('postgres', q{
		SELECT bool_and(ulid > previous) FROM (
			SELECT ulid, lag(ulid) OVER (ORDER BY n) AS previous
			FROM (SELECT n, gen_monotonic_ulid() AS ulid FROM generate_series(1, 200000) AS n) AS made
		) AS ordered}),
	't', 'every id is greater than the one before in its session');
is( $node->safe_psql('postgres',
		'SELECT gen_monotonic_ulid()::timestamptz - clock_timestamp() BETWEEN interval $$-1 s$$ AND interval $$1 s$$'),
	't', 'its time is the time now');

# Across sessions, against a linearisable log: positions are taken from one sequence before and
# after each call. Where one call ended before another began, its id must be the lesser.
$node->safe_psql('postgres', q{
	CREATE SEQUENCE position;
	CREATE UNLOGGED TABLE log (began bigint, id ulid, ended bigint);
});
my $calls = q{INSERT INTO log
	SELECT nextval('position'), gen_monotonic_ulid(), nextval('position') FROM generate_series(1, 25000);};
is_deeply([ run_clients($node, ($calls) x 8) ], [ (0) x 8 ], '8 sessions generate at once');
is($node->safe_psql('postgres', 'SELECT count(*), count(DISTINCT id) FROM log'),
	'200000|200000', 'no two ids are the same');
my $violations = q{
	SELECT count(*) FROM (
		SELECT began, id, max(ended_id) OVER (ORDER BY position) AS greatest_ended
		FROM (
			SELECT began AS position, began, id, NULL::ulid AS ended_id FROM log
			UNION ALL
			SELECT ended, NULL, NULL, id FROM log) AS events) AS calls
	WHERE began IS NOT NULL AND id <= greatest_ended};
is($node->safe_psql('postgres', $violations),
	'0', 'a call that began after another had ended, in any session, got a greater id');
# The question above can be answered otherwise: of two sessions that take turns, each as its clock reads
# the same millisecond, gen_ulid() promises nothing. Made up, as real sessions may happen to be in order.
is($node->safe_psql('postgres', q{
		TRUNCATE log;
		INSERT INTO log VALUES (1, '01ARZ3NDEKTSV4RRFFQ69G5FAW', 3), (2, '01ARZ3NDEKTSV4RRFFQ69G5FAV', 4),
			(5, '01ARZ3NDEKTSV4RRFFQ69G5FAV', 6), (7, '01ARZ3NDEKTSV4RRFFQ69G5FAX', 8);} . $violations),
	'1', 'a call that did not would be found, and one that overlapped is none');

# Ids of transactions that are rolled back are not given again.
my ($rolled_back, $next) = split /\n/, $node->safe_psql('postgres', q{
	BEGIN; SELECT gen_monotonic_ulid(); ROLLBACK; SELECT gen_monotonic_ulid();});
cmp_ok($next, 'gt', $rolled_back, 'a rollback gives nothing back');

is( $node->safe_psql('postgres', q{
		CREATE DATABASE other;
		SELECT gen_monotonic_ulid()}) lt $node->safe_psql('other', q{
		CREATE EXTENSION ulid;
		SELECT gen_monotonic_ulid()}),
	1, 'databases of a server share the order');

$node->stop;
done_testing();
