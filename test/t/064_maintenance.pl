# Commands that ask the planner for something outside of any query (CREATE INDEX, CLUSTER, VACUUM
# FULL, REINDEX), after queries with a time cast: the planner's hook copes with them, and what it
# knows from one planning has no effect on another.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

my $node = started_cluster('main', "shared_preload_libraries = 'ulid'\nrestart_after_crash = on\n");
$node->safe_psql('postgres', q{
	CREATE TABLE t (id ulid, tt timestamptz, x int);
	INSERT INTO t SELECT gen_ulid(now() - x * interval '1 s'), now(), x FROM generate_series(1, 1000) AS x});

# Runs statements in one session and says what went wrong, after the server is there again.
sub trouble
{
	my ($sql) = @_;
	my ($rc, undef, $err) = $node->psql('postgres', $sql, on_error_stop => 1);
	return '' if $rc == 0;
	$node->poll_query_until('postgres', 'SELECT true');
	return "$err\nafter: $sql";
}

is(trouble(q{
		CREATE TABLE t2 (id ulid, tt timestamptz, x int);
		INSERT INTO t2 SELECT gen_ulid(), now(), 1 FROM generate_series(1, 1000);
		CREATE TABLE xt AS SELECT id, id::timestamptz AS tt, x FROM t2;
		CREATE INDEX xt_tt ON xt (tt);
		CREATE INDEX xt_id ON xt (id);
		DROP TABLE xt}),
	'', 'indexes on a table made by a query with a time cast');

# The same sequences in each run.
srand(20261121);
sub one_of { return $_[ int rand @_ ] }

my $sequences = $ENV{ULID_TEST_SEQUENCES} || 60;
my @troubles;
for my $n (1 .. $sequences)
{
	my @sql = one_of(
		'CREATE TABLE made AS SELECT id, id::timestamptz AS tt, x FROM t',
		q{CREATE TABLE made AS SELECT id, tt, x FROM t WHERE id::timestamptz > now() - interval '1 hour'},
		q{CREATE MATERIALIZED VIEW made AS SELECT id, ulid_timestamp(id) AS tt, x FROM t WHERE id::timestamptz < now()},
		'CREATE TABLE made (id ulid, tt timestamptz, x int); INSERT INTO made SELECT id, id::timestamptz, x FROM t');
	my $is_table = $sql[0] =~ /TABLE/;
	my $indexes = 0;
	for (1 .. 1 + int rand 8)
	{
		my $what = one_of('index', 'index', 'index', 'index', 'cluster', 'vacuum', 'reindex', 'query',
			'prepared', 'error', 'refresh', 'concurrently');
		my $columns = one_of('tt', 'id', 'x', 'x, id', '(ulid_timestamp(id))', '((id::timestamptz)), x');
		my $where = one_of('', '', q{ WHERE id::timestamptz > '2026-01-01+00'});
		push @sql, 'SET max_parallel_maintenance_workers = ' . one_of(0, 2);
		push @sql, sprintf 'CREATE INDEX made_%d ON made (%s)%s', ++$indexes, $columns, $where if $what eq 'index';
		push @sql, sprintf 'CREATE INDEX CONCURRENTLY made_%d ON made (%s)%s', ++$indexes, $columns, $where if $what eq 'concurrently';
		push @sql, "CREATE INDEX made_c$_ ON made (id)", "CLUSTER made USING made_c$_" if $what eq 'cluster';
		push @sql, 'VACUUM FULL made' if $what eq 'vacuum';
		push @sql, 'REINDEX TABLE made' if $what eq 'reindex';
		push @sql, q{SELECT count(*) FROM made WHERE id::timestamptz > now() - interval '1 min'} if $what eq 'query';
		push @sql, "PREPARE q$_(timestamptz) AS SELECT count(*) FROM made WHERE id::timestamptz > \$1",
			("EXECUTE q$_(now())") x 6 if $what eq 'prepared';
		push @sql, q{DO $$BEGIN PERFORM 1 / (x - x) FROM made WHERE id::timestamptz < 'infinity' AND 1 / 0 = x;
			EXCEPTION WHEN division_by_zero THEN NULL; END$$} if $what eq 'error';
		push @sql, 'REFRESH MATERIALIZED VIEW made' if $what eq 'refresh' && !$is_table;
	}
	push @sql, $is_table ? 'DROP TABLE made' : 'DROP MATERIALIZED VIEW made';
	my $trouble = trouble(join ";\n", @sql);
	next unless $trouble;
	push @troubles, $trouble;
	$node->safe_psql('postgres', 'DROP TABLE IF EXISTS made') if $is_table;
	$node->safe_psql('postgres', 'DROP MATERIALIZED VIEW IF EXISTS made') unless $is_table;
	last if @troubles == 3;
}
is(join("\n", @troubles), '', "$sequences random sequences of such commands");

# What is known of a planning is there again after one within it, also after one that fails.
$node->safe_psql('postgres', q{
	CREATE TABLE events (id ulid PRIMARY KEY);
	INSERT INTO events SELECT id FROM t;
	ANALYZE events;
	CREATE FUNCTION folded(t timestamptz) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE AS $$
	BEGIN
		PERFORM FROM events WHERE id::timestamptz > t;
		RETURN t;
	END$$;
	CREATE FUNCTION folded_without(t timestamptz) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE AS
		'BEGIN PERFORM FROM pg_class WHERE relname = $$t$$; RETURN t; END';
	CREATE FUNCTION folded_with_error(t timestamptz) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE AS $$
	BEGIN
		PERFORM FROM events WHERE id::timestamptz > t AND 1 / 0 > 0;
	EXCEPTION WHEN division_by_zero THEN RETURN t;
	END$$});
for my $function (qw(folded folded_without folded_with_error))
{
	for my $session ('SELECT ulid_timestamp(gen_ulid()) IS NULL', 'SELECT 1')
	{
		for my $condition ("id::timestamptz > $function('2026-01-01')", "$function('2026-01-01') < id::timestamptz")
		{
			like($node->safe_psql('postgres', qq{$session; SET enable_seqscan = off;
					PREPARE q AS SELECT * FROM events WHERE $condition; EXPLAIN (COSTS OFF) EXECUTE q}),
				qr/Index Cond: \(id >= '01KDV/, "$condition uses the index after '$session'");
		}
	}
}

$node->stop;
done_testing();
