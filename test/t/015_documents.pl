# The SQL of README.md and doc/*.md runs, with the results and the plans that the pages show. The pages of other servers and
# clients have tests of their own.
use FindBin;
use lib "$FindBin::Bin/../lib";
use UlidCluster;

my $node = started_cluster('main');
my $top = "$FindBin::Bin/../..";
# These need other extensions and servers.
my $elsewhere = qr/\b(?:create_hypertable|partman|cron\.schedule|SUBSCRIPTION)\b/;

sub database
{
	my ($name) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $name");
	$node->safe_psql($name, q{
		CREATE EXTENSION ulid;
		CREATE TABLE visits (id uuid PRIMARY KEY, n int);
		INSERT INTO visits SELECT gen_ulid('2026-01-01'::timestamptz + i * interval '2 min'), i FROM generate_series(0, 21599) AS i;
		CREATE TABLE customer (id ulid PRIMARY KEY, n int);
		INSERT INTO customer SELECT gen_random_uuid(), n FROM generate_series(1, 200) AS n;
		INSERT INTO customer VALUES (gen_ulid(), 0)});
	# Outside of a transaction.
	$node->safe_psql($name, 'VACUUM ANALYZE');
	return $name;
}

# As psql prints it at a terminal, without the line that counts the rows.
sub run
{
	my ($db, $sql) = @_;
	my (undef, $out, $err) = $node->psql($db, $sql, extra_params => [ map { ('-P', $_) } qw(format=aligned tuples_only=off footer=off) ]);
	return ($out =~ s/\n*\z/\n/r, $err =~ s/^.*NOTICE:.*\n?//mgr);
}

# The statements of a block one by one, as VACUUM is no part of a transaction; a body in dollar quotes is one.
sub statements { return $_[0] =~ /\G\s*((?:\$\$.*?\$\$|--[^\n]*|[^;\$]|\$(?!\$))*;)/sg }

my ($blocks, $plans, $examples) = (0, 0, 0);
for my $file ('README.md', map { "doc/$_.md" } qw(time recipes reference faq distributed guarantees upgrading))
{
	my $page = slurp_file("$top/$file") =~ s/^## Citus\n.*//msr; # test/extensions
	my $db = database(lc(($file =~ /(\w+)\.md$/)[0]));
	# A block of SQL, perhaps with what it gives, or a plan. "error": it fails with that message; "alone": without a transaction.
	while ($page =~ /^```sql(?: (\d+|error|alone))?\n(.*?)^```\n(?:```text\n(.*?)^```$)?|^=> (EXPLAIN \(COSTS OFF\) [^;]*;)\n((?: [^\n]*\n)+)/msg)
	{
		my ($from, $sql, $expected, $query, $plan) = ($1, $2, $3, $4, $5);
		if (defined $query)
		{
			my ($out, $err) = run($db, "SET enable_bitmapscan = off; SET enable_seqscan = off; $query");
			is(join("\n", grep { !/QUERY PLAN|^-+$|^SET$/ } split /\n/, $out) . "\n", $plan, "$file: the plan of $query");
			is($err, '', "$file: no message with the plan of $query");
			$plans++;
			next;
		}
		my ($first) = $sql =~ /^(.*)/;
	  SKIP:
		{
			my $server = ($from // '') =~ /^\d+$/ ? $from : 0;
			skip "$file: not on this server: $first", 1 if $sql =~ $elsewhere || $node->pg_version < $server;
			next if $file =~ /upgrading/ && $sql =~ /CREATE FUNCTION/; # test/versions
			$sql =~ s/^CREATE EXTENSION ulid/CREATE EXTENSION IF NOT EXISTS ulid/mg;
			# A line with an arrow returns or fails with what follows, after the rest of its block.
			my @arrows;
			$sql =~ s/^(.*;) -- → (.*)\n/push @arrows, [ $1, $2 ]; ''/mge;
			my @results = map { [ run($db, $_) ] } $sql =~ /^VACUUM/m || ($from // '') eq 'alone' ? statements($sql) : $sql;
			if (($from // '') eq 'error')
			{
				is(($results[0][1] =~ /^(?:psql:[^:]*:\d+: )?(ERROR: [^\n]*\n)/)[0], $expected, "$file: fails as it says: $first");
				$blocks++;
				next;
			}
			is(join('', map { $_->[1] } @results), '', "$file runs: $first");
			is($results[-1][0], $expected, "$file gives what it shows: $first") if defined $expected;
			$blocks++;
			for my $arrow (@arrows)
			{
				my (undef, $out, $err) = $node->psql($db, $arrow->[0]);
				is($err =~ /ERROR:  (.*)/ ? $1 : $out, $arrow->[1], "$file: $arrow->[0]");
				$examples++;
			}
		}
	}
	# The results beside the functions.
	while ($page =~ /`([a-z_(]*ulid_[a-z_]+\([^`]*|make_ulid\([^`]*)` → `([^`]*)`/g)
	{
		my ($call, $result) = ($1, $2);
		is($node->safe_psql($db, "SET timezone = 'UTC'; SELECT $call"), $result, "$file: $call");
		$examples++;
	}
}
cmp_ok($blocks, '>', 15, 'blocks of SQL are run');
cmp_ok($plans, '>=', 3, 'plans are compared');
cmp_ok($examples, '>=', 27, 'examples of functions are compared');

# A time finds rows by the key in the order of time, from either side and by the nearest.
my $db = database('results');
$node->safe_psql($db, 'CREATE TABLE events (id ulid PRIMARY KEY, n int); INSERT INTO events SELECT * FROM visits');
$node->safe_psql($db, 'VACUUM ANALYZE');
my $newest = 'SELECT id::timestamptz AS at, n FROM events ORDER BY id DESC LIMIT 10';
my $ends = 'SELECT min(id)::timestamptz, max(id)::timestamptz FROM events';
is($node->safe_psql($db, $newest), $node->safe_psql($db, 'SELECT id::timestamptz, n FROM events ORDER BY id::timestamptz DESC LIMIT 10'),
	'rows in the order of the key are in the order of time');
is($node->safe_psql($db, $ends), $node->safe_psql($db, 'SELECT min(id::timestamptz), max(id::timestamptz) FROM events'),
	'the first and the last by key are those by time');
for my $query ($newest, $ends)
{
	my $plan = $node->safe_psql($db, "EXPLAIN (COSTS OFF) $query");
	like($plan, qr/Index (Only )?Scan/, 'the order uses an index');
	unlike($plan, qr/Sort|Seq Scan/, 'the order needs no sort');
}
my $noon = q{timestamptz '2026-01-05 12:00Z'};
my $nearest = "SELECT * FROM events ORDER BY id <-> $noon\::ulid LIMIT 20";
my $by_key = "SELECT * FROM ((SELECT * FROM events WHERE id >= $noon ORDER BY id LIMIT 20) UNION ALL
	(SELECT * FROM events WHERE id < $noon ORDER BY id DESC LIMIT 20)) AS around ORDER BY id <-> $noon\::ulid LIMIT 20";
my $distances = "SELECT array_agg(id <-> $noon\::ulid) FROM (%s) AS q";
my $expected = $node->safe_psql($db, q{
	SELECT array_agg(d) FROM (SELECT abs(n * 2 - (4 * 24 + 12) * 60) * interval '1 min' AS d FROM events ORDER BY 1 LIMIT 20) AS q});
is($node->safe_psql($db, sprintf $distances, $by_key), $expected, 'the nearest by the key');
unlike($node->safe_psql($db, "EXPLAIN (COSTS OFF) $by_key"), qr/Seq Scan/, 'the nearest by the key do not read the table');
$node->safe_psql($db, 'CREATE INDEX events_nearest ON events USING gist (id)');
is($node->safe_psql($db, sprintf $distances, $nearest), $expected, 'the nearest by GiST');
like($node->safe_psql($db, "EXPLAIN (COSTS OFF) $nearest"), qr/Index Scan using events_nearest.*Order By/s, 'GiST orders the nearest');

# Over a uuid column the bounds find the same, and are estimated to a bucket of the histogram.
for my $condition (q{ID >= ulid_min('2026-01-05Z') AND ID < ulid_min('2026-01-06Z')}, q{ID >= ulid_lower_bound('2026-01-30Z')})
{
	my ($of_uuid, $of_ulid) = map {
		my $where = "FROM $_ WHERE " . $condition =~ s/ID/id/gr;
		my ($rows) = $node->safe_psql($db, "EXPLAIN SELECT * $where") =~ /rows=(\d+)/;
		[ $node->safe_psql($db, "SELECT count(*), min(n), max(n) $where"), $rows ];
	} 'visits', 'events';
	is($of_uuid->[0], $of_ulid->[0], "over a uuid column: $condition finds the same");
	my ($actual) = split /\|/, $of_uuid->[0];
	cmp_ok(abs($of_uuid->[1] - $actual), '<=', 21600 / 100, "and is estimated to 1 % of the table ($of_uuid->[1] for $actual)");
}
# Keys that were random UUIDs have a time, mostly in the far future.
my $hour = q{SELECT n FROM customer WHERE id >= now() - interval '1 hour'};
is($node->safe_psql($db, "$hour AND id < now() + interval '1 day'"), 0,
    'a range of times does not find random UUIDs');
is($node->safe_psql($db, q{SELECT n FROM customer WHERE ulid_within(id, tstzrange(now() - interval '1 hour', now() + interval '1 day'))}),
	0, 'ulid_within() does not find random UUIDs');
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

done_testing();
