# Time conditions in sessions of all kinds, and around commands that ask the planner outside of any query.
use lib 'test/lib';
use UlidCluster;

my $node = started_cluster('main', "restart_after_crash = on\n");
sub sql { return $node->safe_psql('postgres', $_[0]) }
sql(q{
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
my $range = qr/Index Cond: \(\(id \S+ '01KE5Q86000000000000000000'::\S*ulid\) AND \(id /;

# The first statement of a session, which loads the module while it is planned.
like(sql($by_time), $range, 'a time condition uses the index, first of all');

# Whoever may not use the schema of the extension may still use conditions written before, in views.
sql(q{
	CREATE VIEW recent AS SELECT * FROM events WHERE id >= timestamptz '2026-01-05' AND id < timestamptz '2026-01-05 01:00';
	CREATE VIEW recent_range AS SELECT * FROM events WHERE ulid_within(id, '[2026-01-05, 2026-01-05 01:00)');
	GRANT SELECT ON recent, recent_range TO stranger;
});
for my $view ('recent', 'recent_range')
{
	like(sql("SET ROLE stranger; EXPLAIN (COSTS OFF) SELECT * FROM $view"), $range,
		"the index serves $view whatever the search path and without USAGE on the schema");
	is(sql("SET ROLE stranger; SELECT count(*) FROM $view"), '30', 'with the same rows');
}

# Parallel workers.
is(sql(q{
		SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
		SET min_parallel_index_scan_size = 0; SET max_parallel_workers_per_gather = 2;
		SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off;
		SELECT count(*) FROM events WHERE id >= timestamptz '2026-01-30' AND ulid_within(id, tstzrange('2026-01-29', NULL))}),
	'720', 'parallel workers agree');

# Detach without blocking readers.
sql(q{
	CREATE TABLE orders (id ulid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE orders_1 PARTITION OF orders FOR VALUES FROM (ulid_min('2026-01-01')) TO (ulid_min('2026-02-01'));
	CREATE TABLE orders_2 PARTITION OF orders FOR VALUES FROM (ulid_min('2026-02-01')) TO (ulid_min('2026-03-01'));
	INSERT INTO orders SELECT gen_ulid('2026-01-20'::timestamptz + i * interval '1 day') FROM generate_series(1, 20) AS i});
sql('ALTER TABLE orders DETACH PARTITION orders_1 CONCURRENTLY');
is(sql(q{SELECT count(*), (SELECT count(*) FROM orders_1 WHERE id < timestamptz '2026-02-01') FROM orders
    WHERE id >= timestamptz '2026-01-01'}), '9|11', 'a partition detached concurrently keeps its rows');

# CREATE INDEX, CLUSTER, VACUUM FULL and REINDEX ask the planner for something outside of any query, here after queries with
# time conditions.
sql(q{
	CREATE TABLE t (id ulid, tt timestamptz, x int);
	INSERT INTO t SELECT gen_ulid(now() - x * interval '1 s'), now(), x FROM generate_series(1, 1000) AS x});

# Runs statements in one session and says what went wrong, after the server is there again.
sub trouble
{
	my ($sql) = @_;
	my ($rc, undef, $err) = $node->psql('postgres', $sql, on_error_stop => 1);
	$node->poll_query_until('postgres', 'SELECT true');
	return $rc == 0 ? '' : "$err\nafter: $sql";
}

# Each after a query, a prepared one, and one that fails.
my @queries = (
	q{SELECT count(*) FROM made WHERE id > now() - interval '1 min'},
	'PREPARE q(timestamptz) AS SELECT count(*) FROM made WHERE id > $1', ('EXECUTE q(now())') x 6,
	'DEALLOCATE q',
	q{DO $$BEGIN PERFORM 1 / (x - x) FROM made WHERE id < timestamptz 'infinity' AND 1 / 0 = x;
		EXCEPTION WHEN division_by_zero THEN NULL; END$$});
for my $case (map { my $kind = $_; map { [ $kind, $_ ] } 0, 2 } 'TABLE', 'MATERIALIZED VIEW')
{
	my ($kind, $workers) = @$case;
	is(trouble(join ";\n", "SET max_parallel_maintenance_workers = $workers",
			"CREATE $kind made AS SELECT id, ulid_timestamp(id) AS tt, x FROM t WHERE id < now()", map { ($_, @queries) }
			'CREATE INDEX made_tt ON made (tt)', 'CREATE INDEX made_id ON made (x, id)',
			'CREATE INDEX made_cast ON made ((id::timestamptz), x)',
			q{CREATE INDEX made_partial ON made (x) WHERE id > timestamptz '2026-01-01+00'},
			'CREATE INDEX CONCURRENTLY made_time ON made ((ulid_timestamp(id)))',
			'CLUSTER made USING made_id', 'VACUUM FULL made', 'REINDEX TABLE made',
			$kind eq 'TABLE' ? () : 'REFRESH MATERIALIZED VIEW made'),
		'', "each of them on a $kind, with $workers workers");
	sql("DROP $kind made");
}

# No comparison of ulids runs an SQL function, so tools that log nested statements, such as pgaudit, log none.
sub nested_statements
{
	my ($condition) = @_;
	my $from = -s $node->logfile;
	sql("LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
		SELECT count(*) FROM events, keys WHERE $condition");
	return scalar(() = slurp_file($node->logfile, $from) =~ /Query Text:/g) - 1;
}
sql('CREATE TABLE keys AS SELECT id::uuid AS key, id::uuid AS other FROM events LIMIT 20');
is(nested_statements($_), 0, "no nested statement: $_")
	for 'id = key', 'key = id', 'id <> key', 'id < key AND key > id', 'id <= key AND key >= id', 'id IN (key, other)', 'key NOT IN (id)',
	'id = ANY (ARRAY[key])', 'id <> ALL (ARRAY[key, other])', 'key = ANY (ARRAY[id])', 'id IS DISTINCT FROM key', 'key IS NOT DISTINCT FROM id',
	'NULLIF(id, key) IS NULL', 'CASE id WHEN key THEN true END', '(id, key) > (key, id)', 'id BETWEEN key AND other',
	'coalesce(id = key, id <> key)', 'id >= now()', q{ulid_within(id, '[2026-01-05, 2026-01-06)')}, q{id ^@ '01K'};
cmp_ok(nested_statements('id >= ANY (ARRAY[now()])'), '>', 100, 'a function that is not inlined would be seen');

done_testing();
