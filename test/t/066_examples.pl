# The examples of doc/time.md and doc/reference.md that no other test runs.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;
use File::Basename;

# The SQL blocks of a section of a page.
sub blocks_of {
    my ($page, $heading) = @_;
    my ($section) = slurp_file("$FindBin::Bin/../../doc/$page") =~ /^## \Q$heading\E\n(.*?)(?=^## |\z)/ms
        or die "no $heading in $page";
    return $section =~ /^```sql\n(.*?)^```$/msg;
}

my $node = started_cluster('main');
$node->safe_psql('postgres', q{
    CREATE TABLE events (id ulid PRIMARY KEY, n int);
    INSERT INTO events SELECT gen_ulid('2026-01-01'::timestamptz + i * interval '2 min'), i
    FROM generate_series(0, 21599) AS i;
    VACUUM ANALYZE events});

my ($order) = blocks_of('time.md', 'Order');
my ($newest, $ends) = split /\n(?=SELECT)/, $order;
is( $node->safe_psql('postgres', $newest),
    $node->safe_psql('postgres', 'SELECT id::timestamptz, n FROM events ORDER BY id::timestamptz DESC LIMIT 10'),
    'by the key is by the time');
is( $node->safe_psql('postgres', $ends),
    $node->safe_psql('postgres', 'SELECT min(id::timestamptz), max(id::timestamptz) FROM events'),
    'so are the first and the last');
for my $query ($newest, $ends) {
    my $plan = $node->safe_psql('postgres', "EXPLAIN (COSTS OFF) $query");
    like($plan, qr/Index (Only )?Scan/, 'by the index');
    unlike($plan, qr/Sort|Seq Scan/, 'alone');
}

my ($by_gist, $by_key) = blocks_of('time.md', 'The nearest to a moment');
my ($create, $nearest) = split /\n(?=SELECT)/, $by_gist;
my $distances = 'SELECT array_agg(id <-> (timestamptz \'2026-01-05 12:00Z\')::ulid) FROM (%s) AS q';
my $expected = $node->safe_psql('postgres', q{
    SELECT array_agg(d) FROM (SELECT abs(n * 2 - (4 * 24 + 12) * 60) * interval '1 min' AS d FROM events ORDER BY 1 LIMIT 20) AS q});
is($node->safe_psql('postgres', sprintf $distances, $by_key =~ s/;\s*$//r), $expected, 'the nearest by the key');
unlike($node->safe_psql('postgres', "EXPLAIN (COSTS OFF) $by_key"), qr/Seq Scan/, 'from either side');
$node->safe_psql('postgres', $create);
is($node->safe_psql('postgres', sprintf $distances, $nearest =~ s/;\s*$//r), $expected, 'the nearest by GiST');
like($node->safe_psql('postgres', "EXPLAIN (COSTS OFF) $nearest"), qr/Index Scan using events_nearest.*Order By/s,
    'in the order of the index');

# The plans over a uuid column, as the page shows them, with estimates to a bucket of the histogram.
$node->safe_psql('postgres', q{
    CREATE TABLE uuid_events (id uuid PRIMARY KEY, n int);
    INSERT INTO uuid_events SELECT * FROM events;
    VACUUM ANALYZE uuid_events});
my ($over_uuid) = slurp_file("$FindBin::Bin/../../doc/time.md") =~ /^## uuid columns\n(.*?)(?=^## )/ms or die 'no section';
my @shown = $over_uuid =~ /^=> (EXPLAIN \(COSTS OFF\) [^;]*;\n(?: .*\n)+)/mg;
is(scalar @shown, 2, 'plans over a uuid column are shown');
for (@shown) {
    my ($query, $plan) = /\A(.*?;)\n(.*)\z/s;
    is($node->safe_psql('postgres', "SET enable_bitmapscan = off; SET enable_seqscan = off; $query") . "\n", $plan =~ s/^ //mgr, 'as they are');
}
for my $condition (q{ID >= '2026-01-05Z'::timestamptz AND ID < '2026-01-06Z'::timestamptz}, q{ID <@ tstzrange('2026-01-05Z', '2026-01-06Z')},
    q{ID >= '2026-01-30Z'::timestamptz}, q{ID::timestamptz >= '2026-01-05Z' AND ID::timestamptz < '2026-01-06Z'}, q{ID ^@ '01KE5'}) {
    my ($of_uuid, $of_ulid) = map {
        my ($table, $id) = @$_;
        my $where = "FROM $table WHERE " . $condition =~ s/ID/$id/gr;
        my ($rows) = $node->safe_psql('postgres', "EXPLAIN SELECT * $where") =~ /rows=(\d+)/;
        [ $node->safe_psql('postgres', "SELECT count(*), min(n), max(n) $where"), $rows ];
    } [ 'uuid_events', 'id::ulid' ], [ 'events', 'id' ];
    is($of_uuid->[0], $of_ulid->[0], "over a uuid column: $condition finds the same");
    my ($actual) = split /\|/, $of_uuid->[0];
    cmp_ok(abs($of_uuid->[1] - $actual), '<=', 21600 / 100, "and is estimated to 1 % of the table ($of_uuid->[1] for $actual)");
}
my ($bounded) = blocks_of('time.md', 'A key that was a random uuid');
$node->safe_psql('postgres', q{
    CREATE TABLE customer (id ulid PRIMARY KEY, n int);
    INSERT INTO customer SELECT gen_random_uuid(), n FROM generate_series(1, 200) AS n;
    INSERT INTO customer VALUES (gen_ulid(), 0)});
like($node->safe_psql('postgres', $bounded), qr/^\w{26}\|0$/, 'of a key that was a random uuid, the row of the time alone');
is( $node->safe_psql('postgres', q{
        SELECT n FROM customer WHERE id <@ tstzrange(now() - interval '1 hour', now() + interval '1 day')}),
    0, 'a range likewise');
cmp_ok(
    $node->safe_psql('postgres', q{SELECT count(*) FROM customer WHERE id >= now() - interval '1 hour' AND n > 0}),
    '>', 180, 'a time alone finds most of the old rows');
cmp_ok($node->safe_psql('postgres', 'SELECT n FROM customer ORDER BY id DESC LIMIT 1'), '>', 0,
    'the last by id is an old one');

my ($partitions) = blocks_of('time.md', 'Partitions');
$node->safe_psql('postgres', $partitions);
is($node->safe_psql('postgres', q{INSERT INTO orders VALUES (gen_ulid('2026-01-31 23:59Z')) RETURNING tableoid::regclass}), 'orders_2026_01',
    'partitions by month');

SKIP: {
    skip 'PostgreSQL before 18 has no temporal keys', 1 if $node->pg_version < 18;
    my ($temporal) = blocks_of('reference.md', 'Operator classes');
    $node->safe_psql('postgres', $temporal . q{
        INSERT INTO price VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV', '[2026-01-01,)', 1)});
    $node->psql('postgres', q{INSERT INTO price VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV', '[2026-02-01,)', 1)},
        stderr => \my $error);
    like($error, qr/conflicting key value/, 'a temporal key');
}

$node->stop;
done_testing();
