# Time conditions in sessions of all kinds, and around commands that ask the planner outside of any query.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

my $node = started_cluster('main', "restart_after_crash = on\n");
$node->safe_psql('postgres', q{
	CREATE TABLE events (id ulid PRIMARY KEY, n int);
	INSERT INTO events SELECT gen_ulid('2026-01-01'::timestamptz + i * interval '2 min'), i
	FROM generate_series(0, 21599) AS i;
	ANALYZE events;
	CREATE SCHEMA hidden;
	CREATE ROLE stranger;
	GRANT SELECT ON events TO stranger;
});

my $by_time = q{EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id >= timestamptz '2026-01-05'
	AND id < timestamptz '2026-01-05 01:00'};
my $by_cast = q{EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz >= '2026-01-05'
	AND id::timestamptz < '2026-01-05 01:00'};
my $range = qr/Index Cond: \(\(id \S+ '01KE5Q86000000000000000000'::\S*ulid\) AND \(id /;

# The first statement of a session, which loads the module while it is planned.
like($node->safe_psql('postgres', $by_time), $range, 'a time condition uses the index, first of all');
like($node->safe_psql('postgres', $by_cast), $range, 'so does a condition on the cast');

# Whoever may not use the schema of the extension may still use conditions written before, in views.
$node->safe_psql('postgres', q{
	CREATE VIEW recent AS SELECT * FROM events WHERE id >= timestamptz '2026-01-05' AND id < timestamptz '2026-01-05 01:00';
	CREATE VIEW recent_cast AS SELECT * FROM events WHERE id::timestamptz >= '2026-01-05' AND id::timestamptz < '2026-01-05 01:00';
	GRANT SELECT ON recent, recent_cast TO stranger;
	ALTER EXTENSION ulid SET SCHEMA hidden;
});
for my $view ('recent', 'recent_cast')
{
	like( $node->safe_psql('postgres', "SET ROLE stranger; EXPLAIN (COSTS OFF) SELECT * FROM $view"),
		$range, "the index serves $view whatever the search path and without USAGE on the schema");
	is( $node->safe_psql('postgres', "SET ROLE stranger; SELECT count(*) FROM $view"),
		'30', 'with the same rows');
}
$node->safe_psql('postgres', 'ALTER EXTENSION ulid SET SCHEMA public');

# Beside another extension that hooks the same place, loaded before ours or after.
SKIP:
{
	skip 'the server has no hypopg', 1 if ($node->psql('postgres', 'CREATE EXTENSION hypopg'))[0];
	for my $loads ("LOAD 'hypopg'; LOAD 'ulid'", "LOAD 'ulid'; LOAD 'hypopg'")
	{
		my $plans = $node->safe_psql('postgres', "$loads; SELECT FROM hypopg_create_index('CREATE INDEX ON events (n)');
			EXPLAIN SELECT * FROM events WHERE n = 5; $by_cast");
		like($plans, $range, "$loads: rewritten beside another hook");
		like($plans, qr/<\d+>btree_events_n/, 'which is called as well');
	}
}

# What is remembered of one query changes no other: plans nested in planning, and many at a time.
$node->safe_psql('postgres', q{
	CREATE FUNCTION newest() RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE AS
		'BEGIN RETURN (SELECT max(id)::timestamptz FROM events WHERE id::timestamptz > ''2026-01-02''); END';
	CREATE FUNCTION since(t timestamptz) RETURNS bigint LANGUAGE sql STABLE AS
		'SELECT count(*) FROM events WHERE id::timestamptz >= t';
});
is( $node->safe_psql('postgres', q{SELECT count(*) FROM events WHERE id::timestamptz = newest()}),
	'1', 'a query planned while another is');
is( $node->safe_psql('postgres', q{
		SELECT sum(since(day) - (SELECT count(*) FROM events WHERE id >= day))
		FROM generate_series(timestamptz '2026-01-01', '2026-02-02', '1 day') AS day}),
	'0', 'queries within queries');

# Parallel workers.
is( $node->safe_psql('postgres', q{
		SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
		SET min_parallel_index_scan_size = 0; SET max_parallel_workers_per_gather = 2;
		SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off;
		SELECT count(*) FROM events WHERE id::timestamptz >= '2026-01-30' AND ulid_within(id, tstzrange('2026-01-29', NULL))}),
	'720', 'parallel workers agree');

# Detach without blocking readers.
$node->safe_psql('postgres', q{
	CREATE TABLE orders (id ulid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE orders_1 PARTITION OF orders FOR VALUES FROM (ulid_min('2026-01-01')) TO (ulid_min('2026-02-01'));
	CREATE TABLE orders_2 PARTITION OF orders FOR VALUES FROM (ulid_min('2026-02-01')) TO (ulid_min('2026-03-01'));
	INSERT INTO orders SELECT gen_ulid('2026-01-20'::timestamptz + i * interval '1 day') FROM generate_series(1, 20) AS i});
$node->safe_psql('postgres', 'ALTER TABLE orders DETACH PARTITION orders_1 CONCURRENTLY');
is($node->safe_psql('postgres', q{SELECT count(*), (SELECT count(*) FROM orders_1 WHERE id < timestamptz '2026-02-01') FROM orders
    WHERE id >= timestamptz '2026-01-01'}),
	'9|11', 'a partition detached concurrently keeps its rows');

# CREATE INDEX, CLUSTER, VACUUM FULL and REINDEX ask the planner for something outside of any query, here after queries with a
# time cast.
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

# Nothing that one planning has found has an effect on another: one within it, also one that fails.
$node->safe_psql('postgres', q{
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

# An index on the cast, which another session creates and drops: the condition keeps its cast only while it is there.
my $session = $node->background_psql('postgres');
$session->query_safe('SET enable_seqscan = off; SET enable_bitmapscan = off');
my $plan = sub { return $session->query_safe('EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id::timestamptz >= now()') };
like($plan->(), qr/Index Cond: \(id >= ulid_lower_bound\(now\(\)\)\)/, 'a condition on the cast uses the index of the key');
$node->safe_psql('postgres', 'CREATE INDEX by_time ON events (ulid_timestamp(id))');
like($plan->(), qr/Index Cond: \(.*\(?id\)?.* >= now\(\)\)/, 'or the new index on the cast');
unlike($plan->(), qr/ulid_lower_bound/, 'without the bound');
$node->safe_psql('postgres', 'DROP INDEX by_time');
like($plan->(), qr/Index Cond: \(id >= ulid_lower_bound\(now\(\)\)\)/, 'and that of the key again');
$session->quit;

$node->stop;
done_testing();
