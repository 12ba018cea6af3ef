# Time conditions in sessions of all kinds, and doc/time.md's recipe for partitions.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

my $node = started_cluster('main');
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
		SELECT count(*) FROM events WHERE id::timestamptz >= '2026-01-30' AND id <@ tstzrange('2026-01-29', NULL)}),
	'720', 'parallel workers agree');

# Detach without blocking readers.
$node->safe_psql('postgres', q{
	CREATE TABLE orders (id ulid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE orders_1 PARTITION OF orders FOR VALUES FROM (ulid_min('2026-01-01')) TO (ulid_min('2026-02-01'));
	CREATE TABLE orders_2 PARTITION OF orders FOR VALUES FROM (ulid_min('2026-02-01')) TO (ulid_min('2026-03-01'));
	INSERT INTO orders SELECT gen_ulid('2026-01-20'::timestamptz + i * interval '1 day') FROM generate_series(1, 20) AS i});
$node->safe_psql('postgres', 'ALTER TABLE orders DETACH PARTITION orders_1 CONCURRENTLY');
is($node->safe_psql('postgres', q{SELECT count(*), (SELECT count(*) FROM orders_1 WHERE id < timestamptz '2026-02-01') FROM orders WHERE id >= timestamptz '2026-01-01'}),
	'9|11', 'a partition detached concurrently keeps its rows');

# The plans of doc/time.md are those that the regression tests show.
my $expected = join('', map { PostgreSQL::Test::Utils::slurp_file("$FindBin::Bin/../../expected/$_.out") } 'time', 'time_cast');
# (those over uuid columns: 066_examples.pl)
my @conditions = grep { !/::uuid\b/ } PostgreSQL::Test::Utils::slurp_file("$FindBin::Bin/../../doc/time.md") =~ /^ *(Index Cond: .*)$/mg;
is(scalar(@conditions), 5, 'doc/time.md shows plans');
ok(index($expected, $_) >= 0, "as they are: $_") for @conditions;

# The recipe of doc/time.md, as it stands there.
not_at_midnight();
$node->safe_psql('postgres', documented_sql('CREATE PROCEDURE maintain_partitions'));
$node->safe_psql('postgres', q{
	CREATE SCHEMA shop;
	CREATE TABLE shop."Orders" (id ulid PRIMARY KEY DEFAULT gen_ulid(), item text) PARTITION BY RANGE (id);
	CREATE TABLE shop."Orders_2020_01_01" PARTITION OF shop."Orders"
		FOR VALUES FROM (ulid_min('2020-01-01')) TO (ulid_min('2020-01-02'));
	INSERT INTO shop."Orders" VALUES (gen_ulid('2020-01-01 12:00'), 'old')});
# A day in another time zone than that of the partitions.
$node->safe_psql('postgres', q{SET timezone = 'Asia/Tokyo'; CALL maintain_partitions('shop."Orders"', 3, 30)}) for 1 .. 2;
is( $node->safe_psql('postgres', q{
		SELECT string_agg(inhrelid::regclass::text, ' ' ORDER BY inhrelid::regclass::text)
		FROM pg_inherits WHERE inhparent = 'shop."Orders"'::regclass}),
	$node->safe_psql('postgres', q{
		SELECT string_agg('shop."Orders_' || to_char(now() AT TIME ZONE 'UTC' + n * interval '1 day', 'YYYY_MM_DD') || '"', ' ' ORDER BY n)
		FROM generate_series(0, 3) AS n}),
	'there is a partition for today and each of the days ahead, and no old one');
is($node->safe_psql('postgres', q{SELECT item FROM shop."Orders_2020_01_01"}), 'old', 'the old one is detached, not dropped');
is( $node->safe_psql('postgres', q{
		INSERT INTO shop."Orders" (item) VALUES ('new');
		INSERT INTO shop."Orders" VALUES (gen_ulid(date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + interval '3 days 23:59:59.999'), 'ahead');
		SELECT item FROM shop."Orders" ORDER BY id}),
	"new\nahead", 'rows of today and of the last day ahead have their partition');
my $today = $node->safe_psql('postgres', q{SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM_DD')});
like( $node->safe_psql('postgres', q{EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
		SELECT * FROM shop."Orders" WHERE id >= now() - interval '1 hour' AND id <= now()}),
	qr/Subplans Removed: [23]/, 'a query of the last hour touches the partitions of that hour only');

$node->stop;
done_testing();
