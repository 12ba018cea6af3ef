# doc/distributed.md: its statements run, and its numbers are right.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

my $node = started_cluster('main');

my $guide = slurp_file('doc/distributed.md');
while ($guide =~ /^```sql\n(.*?)^```\n(?:```text\n(.*?)^```$)?/msg) {
    my ($sql, $expected) = ($1, $2);
    my ($name) = $sql =~ /^(.*)/;
    # As psql prints it at a terminal, without the line that counts the rows.
    my ($rc, $out, $err) = $node->psql('postgres', $sql,
        extra_params => [ map { ('-P', $_) } qw(format=aligned tuples_only=off footer=off) ]);
    is($err, '', "runs: $name");
    is($out =~ s/\n*\z/\n/r, $expected, "gives what the page says: $name") if defined $expected;
}

# Counting within a millisecond is never worse than drawing: places where two runs of k overlap.
is( $node->safe_psql('postgres', q{
        SELECT count(*) FROM generate_series(1, 50) AS k WHERE (
            SELECT count(*) FROM generate_series(0, 200) AS other
            WHERE int8range(100, 100 + k) && int8range(other, other + k)) <> 2 * k - 1}),
    0, 'two runs of k ids overlap at 2k - 1 of the places where one can begin');
is( $node->safe_psql('postgres', q{
        SELECT count(*) FROM generate_series(1, 100) AS n,
            LATERAL (SELECT gen_random_ulid() AS id OFFSET 0 * n) AS i
        WHERE ulid_hash(id) <> uuid_hash(id::uuid) OR ulid_hash_extended(id, 1) <> uuid_hash_extended(id::uuid, 1)}),
    0, 'a ulid hashes as the uuid of the same bytes');
$node->stop;
done_testing();
