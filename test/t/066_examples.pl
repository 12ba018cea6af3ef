# The examples of doc/time.md and doc/reference.md that no other test runs.
use strict;
use warnings;

use File::Basename;
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# The SQL blocks of a section of a page.
sub blocks_of {
    my ($page, $heading) = @_;
    my ($section) = slurp_file("$FindBin::Bin/../../doc/$page") =~ /^## \Q$heading\E\n(.*?)(?=^## |\z)/ms
        or die "no $heading in $page";
    return $section =~ /^```sql\n(.*?)^```$/msg;
}

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\njit = off\ntimezone = 'UTC'\n");
$node->start;
create_extension($node);
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

my ($bounded) = blocks_of('time.md', 'A key that was a random uuid');
$node->safe_psql('postgres', q{
    CREATE TABLE customer (id ulid PRIMARY KEY, n int);
    INSERT INTO customer SELECT gen_random_uuid(), n FROM generate_series(1, 200) AS n;
    INSERT INTO customer VALUES (gen_ulid(), 0)});
like($node->safe_psql('postgres', $bounded), qr/^\w{26}\|0$/, 'of a key that was a random uuid, the row of the time alone');

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
