# The SQL of README.md and doc/*.md runs, with the results and the plans that the pages show. The pages of other servers and
# clients have tests of their own.
use lib 'test/lib';
use UlidCluster;

my $node = started_cluster('main');
$node->safe_psql('postgres', 'CREATE ROLE app');
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
	my $page = slurp_file($file) =~ s/^## Citus\n.*//msr; # test/extensions
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
			$sql =~ s/^(.*;)[ \n]-- → (.*)\n/push @arrows, [ $1, $2 ]; ''/mge;
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

# The order of the key is that of time, so the key finds the nearest in time, from either side.
my $db = database('results');
$node->safe_psql($db, 'CREATE TABLE events (id ulid PRIMARY KEY, n int); INSERT INTO events SELECT * FROM visits; ANALYZE events');
is($node->safe_psql($db, 'SELECT count(*) FROM (SELECT n, lag(n) OVER (ORDER BY id) AS before FROM events) AS e WHERE n <= before'), 0,
	'rows in the order of the key are in the order of time');
my $noon = q{timestamptz '2026-01-05 12:00Z'};
my $by_key = "SELECT * FROM ((SELECT * FROM events WHERE id >= $noon ORDER BY id LIMIT 20) UNION ALL
	(SELECT * FROM events WHERE id < $noon ORDER BY id DESC LIMIT 20)) AS around ORDER BY id <-> $noon\::ulid LIMIT 20";
is($node->safe_psql($db, "SELECT count(*), max(abs(n * 2 - (4 * 24 + 12) * 60)) FROM ($by_key) AS q"), '20|20',
	'the key finds the nearest');
unlike($node->safe_psql($db, "EXPLAIN (COSTS OFF) $by_key"), qr/Seq Scan/, 'finding the nearest does not read the table');
# Keys that were random UUIDs have a time, mostly in the far future.
my $hour = q{SELECT n FROM customer WHERE id >= now() - interval '1 hour'};
is($node->safe_psql($db, $_), 0, "random UUIDs are not found by $_") for "$hour AND id < now() + interval '1 day'",
	q{SELECT n FROM customer WHERE ulid_within(id, tstzrange(now() - interval '1 hour', now() + interval '1 day'))};
cmp_ok(scalar(split /\n/, $node->safe_psql($db, $hour)), '>', 180, 'a time without an end finds most of the old rows');
cmp_ok($node->safe_psql($db, 'SELECT n FROM customer ORDER BY id DESC LIMIT 1'), '>', 0, 'the last by id is an old one');

# doc/distributed.md: counting within a millisecond is never worse than drawing.
is($node->safe_psql($db, q{SELECT count(*) FROM generate_series(1, 50) AS k WHERE (
			SELECT count(*) FROM generate_series(0, 200) AS other
			WHERE int8range(100, 100 + k) && int8range(other, other + k)) <> 2 * k - 1}),
	0, 'two runs of k ids overlap at 2k - 1 of the places where one can begin');

# GitHub cuts off wider lines.
for my $file ('README.md', glob('doc/*.md doc/clients/*.md'))
{
	my $in_code = 0;
	is(join("\n", grep { $in_code = !$in_code if /^ *```/; $in_code && length > 100 } split /\n/, slurp_file($file)), '',
		"$file: no line of code is wider than 100 columns");
}

# doc/faq.md: keys in order fill the pages of their index.
$node->safe_psql($db, 'CREATE EXTENSION pgstattuple; CREATE TABLE full_pages (id ulid PRIMARY KEY, r uuid UNIQUE);
	INSERT INTO full_pages SELECT gen_ulid(), gen_random_uuid() FROM generate_series(1, 100000)');
is($node->safe_psql($db, q{SELECT CASE WHEN avg_leaf_density BETWEEN 62 AND 78 THEN 70 ELSE round(avg_leaf_density / 5) * 5 END FROM unnest('{full_pages_pkey,full_pages_r_key}'::regclass[]) AS i, pgstatindex(i)}),
	"90\n70", 'to 90 %, and random keys to about 70 %');

done_testing();
