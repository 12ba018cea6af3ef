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

# Each after a query, a prepared one, and one that fails.
my @queries = (
	q{SELECT count(*) FROM made WHERE id::timestamptz > now() - interval '1 min'},
	'PREPARE q(timestamptz) AS SELECT count(*) FROM made WHERE id::timestamptz > $1', ('EXECUTE q(now())') x 6,
	'DEALLOCATE q',
	q{DO $$BEGIN PERFORM 1 / (x - x) FROM made WHERE id::timestamptz < 'infinity' AND 1 / 0 = x;
		EXCEPTION WHEN division_by_zero THEN NULL; END$$});
for my $made (
	'TABLE made AS SELECT id, id::timestamptz AS tt, x FROM t',
	'MATERIALIZED VIEW made AS SELECT id, ulid_timestamp(id) AS tt, x FROM t WHERE id::timestamptz < now()')
{
	my ($kind) = $made =~ /^(\w+(?: VIEW)?)/;
	for my $workers (0, 2)
	{
		is(trouble(join ";\n", "SET max_parallel_maintenance_workers = $workers", "CREATE $made", map { ($_, @queries) }
				'CREATE INDEX made_tt ON made (tt)', 'CREATE INDEX made_id ON made (x, id)',
				'CREATE INDEX made_cast ON made ((id::timestamptz), x)',
				q{CREATE INDEX made_partial ON made (x) WHERE id::timestamptz > '2026-01-01+00'},
				'CREATE INDEX CONCURRENTLY made_time ON made ((ulid_timestamp(id)))',
				'CLUSTER made USING made_id', 'VACUUM FULL made', 'REINDEX TABLE made',
				$kind eq 'TABLE' ? () : 'REFRESH MATERIALIZED VIEW made'),
			'', "each of them on a $kind, with $workers workers");
		$node->safe_psql('postgres', "DROP $kind made");
	}
}

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
