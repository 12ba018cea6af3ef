# The SQL of README.md and doc/*.md runs, with the results and the plans that the pages show. The pages of other servers and
# clients have tests of their own.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

my $node = started_cluster('main');
my $top = "$FindBin::Bin/../..";
# What is not here: other extensions and servers.
my $elsewhere = qr/\b(?:citus|create_distributed_table|create_hypertable|partman|cron\.schedule|SUBSCRIPTION|metrics|visits?)\b/;

# A database for each page, with the tables that the pages use.
sub database
{
	my ($name) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $name");
	$node->safe_psql($name, q{
		CREATE EXTENSION ulid;
		CREATE TABLE events (id ulid PRIMARY KEY, n int);
		INSERT INTO events SELECT gen_ulid('2026-01-01'::timestamptz + i * interval '2 min'), i FROM generate_series(0, 21599) AS i;
		CREATE TABLE uuid_events (id uuid PRIMARY KEY, n int);
		INSERT INTO uuid_events SELECT * FROM events;
		CREATE TABLE customer (id ulid PRIMARY KEY, n int);
		INSERT INTO customer SELECT gen_random_uuid(), n FROM generate_series(1, 200) AS n;
		INSERT INTO customer VALUES (gen_ulid(), 0)});
	# Outside of a transaction.
	$node->safe_psql($name, 'VACUUM ANALYZE');
	return $name;
}

my $run = 0;
my $recipe;
for my $file ('README.md', map { "doc/$_.md" } qw(time reference distributed estimates guarantees installing))
{
	next unless -e "$top/$file";
	my $page = slurp_file("$top/$file");
	my ($name) = $file =~ /(\w+)\.md$/;
	my $db = database(lc $name);
	while ($page =~ /^```sql\n(.*?)^```\n(?:```text\n(.*?)^```$)?/msg)
	{
		my ($sql, $expected) = ($1, $2);
		my ($first) = $sql =~ /^(.*)/;
		$recipe = $sql if $sql =~ /CREATE PROCEDURE maintain_partitions/;
	  SKIP:
		{
			skip "$file: not on this server: $first", 1 if $sql =~ $elsewhere || ($sql =~ /WITHOUT OVERLAPS/ && $node->pg_version < 18);
			# As psql prints it at a terminal, without the line that counts the rows.
			my (undef, $out, $err) = $node->psql($db, $sql =~ s/^CREATE EXTENSION ulid/CREATE EXTENSION IF NOT EXISTS ulid/mr,
				extra_params => [ map { ('-P', $_) } qw(format=aligned tuples_only=off footer=off) ]);
			is($err =~ s/^.*NOTICE:.*\n?//mgr, '', "$file runs: $first");
			is($out =~ s/\n*\z/\n/r, $expected, "$file gives what it shows: $first") if defined $expected;
			$run++;
		}
	}
	next if $name eq 'README'; # its plan is of a table that it only mentions
	while ($page =~ /^=> (EXPLAIN \(COSTS OFF\) [^;]*;)\n((?: .*\n)+)/mg)
	{
		my ($query, $plan) = ($1, $2);
	  SKIP:
		{
			skip "$file: a plan of another table", 1 if $query !~ /\b(?:events|uuid_events|customer)\b/;
			my (undef, $out, $err) = $node->psql($db, "SET enable_bitmapscan = off; SET enable_seqscan = off; $query");
			is("$out\n$err", $plan =~ s/^ //mgr, "$file: the plan of $query");
		}
	}
}
cmp_ok($run, '>', 8, 'blocks of SQL are run');

# A time finds rows by the key in the order of time, from either side and by the nearest.
my $db = database('results');
my $newest = 'SELECT id::timestamptz AS at, n FROM events ORDER BY id DESC LIMIT 10';
my $ends = 'SELECT min(id)::timestamptz, max(id)::timestamptz FROM events';
is($node->safe_psql($db, $newest), $node->safe_psql($db, 'SELECT id::timestamptz, n FROM events ORDER BY id::timestamptz DESC LIMIT 10'),
	'by the key is by the time');
is($node->safe_psql($db, $ends), $node->safe_psql($db, 'SELECT min(id::timestamptz), max(id::timestamptz) FROM events'),
	'so are the first and the last');
for my $query ($newest, $ends)
{
	my $plan = $node->safe_psql($db, "EXPLAIN (COSTS OFF) $query");
	like($plan, qr/Index (Only )?Scan/, 'by the index');
	unlike($plan, qr/Sort|Seq Scan/, 'and nothing else');
}
my $noon = q{timestamptz '2026-01-05 12:00Z'};
my $nearest = "SELECT * FROM events ORDER BY id <-> $noon\::ulid LIMIT 20";
my $by_key = "SELECT * FROM ((SELECT * FROM events WHERE id >= $noon ORDER BY id LIMIT 20) UNION ALL
	(SELECT * FROM events WHERE id < $noon ORDER BY id DESC LIMIT 20)) AS around ORDER BY id <-> $noon\::ulid LIMIT 20";
my $distances = "SELECT array_agg(id <-> $noon\::ulid) FROM (%s) AS q";
my $expected = $node->safe_psql($db, q{
	SELECT array_agg(d) FROM (SELECT abs(n * 2 - (4 * 24 + 12) * 60) * interval '1 min' AS d FROM events ORDER BY 1 LIMIT 20) AS q});
is($node->safe_psql($db, sprintf $distances, $by_key), $expected, 'the nearest by the key');
unlike($node->safe_psql($db, "EXPLAIN (COSTS OFF) $by_key"), qr/Seq Scan/, 'from either side');
$node->safe_psql($db, 'CREATE INDEX events_nearest ON events USING gist (id)');
is($node->safe_psql($db, sprintf $distances, $nearest), $expected, 'the nearest by GiST');
like($node->safe_psql($db, "EXPLAIN (COSTS OFF) $nearest"), qr/Index Scan using events_nearest.*Order By/s, 'in the order of the index');

# Over a uuid column the bounds find the same, and are estimated to a bucket of the histogram.
for my $condition (q{ID >= ulid_min('2026-01-05Z') AND ID < ulid_min('2026-01-06Z')}, q{ID >= ulid_lower_bound('2026-01-30Z')})
{
	my ($of_uuid, $of_ulid) = map {
		my $where = "FROM $_ WHERE " . $condition =~ s/ID/id/gr;
		my ($rows) = $node->safe_psql($db, "EXPLAIN SELECT * $where") =~ /rows=(\d+)/;
		[ $node->safe_psql($db, "SELECT count(*), min(n), max(n) $where"), $rows ];
	} 'uuid_events', 'events';
	is($of_uuid->[0], $of_ulid->[0], "over a uuid column: $condition finds the same");
	my ($actual) = split /\|/, $of_uuid->[0];
	cmp_ok(abs($of_uuid->[1] - $actual), '<=', 21600 / 100, "and is estimated to 1 % of the table ($of_uuid->[1] for $actual)");
}
# Keys that were random UUIDs have a time, mostly in the far future.
my $hour = q{SELECT n FROM customer WHERE id >= now() - interval '1 hour'};
is($node->safe_psql($db, "$hour AND id < now() + interval '1 day'"), 0, 'of a key that was a random uuid, a range finds the row of the time');
is($node->safe_psql($db, q{SELECT n FROM customer WHERE ulid_within(id, tstzrange(now() - interval '1 hour', now() + interval '1 day'))}),
	0, 'ulid_within() likewise');
cmp_ok(scalar(split /\n/, $node->safe_psql($db, $hour)), '>', 180, 'a time without an end finds most of the old rows');
cmp_ok($node->safe_psql($db, 'SELECT n FROM customer ORDER BY id DESC LIMIT 1'), '>', 0, 'the last by id is an old one');

# doc/distributed.md: counting within a millisecond is never worse than drawing; a ulid hashes as a uuid.
is( $node->safe_psql($db, q{
		SELECT count(*) FROM generate_series(1, 50) AS k WHERE (
			SELECT count(*) FROM generate_series(0, 200) AS other
			WHERE int8range(100, 100 + k) && int8range(other, other + k)) <> 2 * k - 1}),
	0, 'two runs of k ids overlap at 2k - 1 of the places where one can begin');
is( $node->safe_psql($db, q{
		SELECT count(*) FROM generate_series(1, 100) AS n, LATERAL (SELECT gen_random_ulid() AS id OFFSET 0 * n) AS i
		WHERE ulid_hash(id) <> uuid_hash(id::uuid) OR ulid_hash_extended(id, 1) <> uuid_hash_extended(id::uuid, 1)}),
	0, 'a ulid hashes as the uuid of the same bytes');

# The recipe of doc/time.md for partitions.
SKIP:
{
	skip 'doc/time.md has no procedure maintain_partitions', 1 unless $recipe;
	not_at_midnight();
	$node->safe_psql($db, $recipe);
	$node->safe_psql($db, q{
		CREATE SCHEMA shop;
		CREATE TABLE shop."Orders" (id ulid PRIMARY KEY DEFAULT gen_ulid(), item text) PARTITION BY RANGE (id);
		CREATE TABLE shop."Orders_2020_01_01" PARTITION OF shop."Orders"
			FOR VALUES FROM (ulid_min('2020-01-01')) TO (ulid_min('2020-01-02'));
		INSERT INTO shop."Orders" VALUES (gen_ulid('2020-01-01 12:00'), 'old')});
	# A day in another time zone than that of the partitions.
	$node->safe_psql($db, q{SET timezone = 'Asia/Tokyo'; CALL maintain_partitions('shop."Orders"', 3, 30)}) for 1 .. 2;
	is( $node->safe_psql($db, q{
			SELECT string_agg(inhrelid::regclass::text, ' ' ORDER BY inhrelid::regclass::text)
			FROM pg_inherits WHERE inhparent = 'shop."Orders"'::regclass}),
		$node->safe_psql($db, q{
			SELECT string_agg('shop."Orders_' || to_char(now() AT TIME ZONE 'UTC' + n * interval '1 day', 'YYYY_MM_DD') || '"', ' ' ORDER BY n)
			FROM generate_series(0, 3) AS n}),
		'there is a partition for today and each of the days ahead, and no old one');
	is($node->safe_psql($db, q{SELECT item FROM shop."Orders_2020_01_01"}), 'old', 'the old one is detached, not dropped');
	is( $node->safe_psql($db, q{
			INSERT INTO shop."Orders" (item) VALUES ('new');
			INSERT INTO shop."Orders" VALUES (gen_ulid(date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + interval '3 days 23:59:59.999'), 'ahead');
			SELECT item FROM shop."Orders" ORDER BY id}),
		"new\nahead", 'rows of today and of the last day ahead have their partition');
	like( $node->safe_psql($db, q{EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
			SELECT * FROM shop."Orders" WHERE id >= now() - interval '1 hour' AND id <= now()}),
		qr/Subplans Removed: [23]/, 'a query of the last hour touches the partitions of that hour only');
}

$node->stop;
done_testing();
