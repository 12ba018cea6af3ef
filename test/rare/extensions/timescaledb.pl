# A TimescaleDB hypertable whose time is a ulid column, starting with PostgreSQL 17.
use lib 'test/lib';
use UlidCluster;

skip_unless_available('timescaledb', 'timescaledb');

my $node = started_cluster('main', "shared_preload_libraries = 'timescaledb'\ntimescaledb.telemetry_level = off\n");
sub query { my ($sql) = @_; return $node->safe_psql('postgres', $sql) }

# Ten days until now, a row a minute; the same in a plain table to compare with.
query('CREATE EXTENSION timescaledb; CREATE TABLE metrics (id ulid PRIMARY KEY, n int);'
        . (documented_sql('SELECT create_hypertable') =~ /^(.*?;)\n/s)[0]);
query(
    q{INSERT INTO metrics SELECT gen_ulid(now() - i * interval '1 min'), i FROM generate_series(0, 14399) AS i;
    CREATE TABLE plain AS SELECT * FROM metrics; ANALYZE}
);
cmp_ok(query(q{SELECT count(*) FROM show_chunks('metrics')}), '>=', 10, 'there is a chunk for every day of the rows');

# An hour in the middle of a day.
my $from = query(q{SELECT date_trunc('day', now()) - interval '3 days 12 hours'});
my $until = query("SELECT '$from'::timestamptz + interval '1 hour'");
sub explain_where { return query("EXPLAIN (COSTS OFF) SELECT * FROM metrics WHERE $_[0]") }
sub chunks { return scalar(() = $_[0] =~ / on _hyper_\d+_\d+_chunk/g) }
for my $condition (
    "id >= '$from'::timestamptz AND id < '$until'::timestamptz",
    "ulid_within(id, tstzrange('$from', '$until'))",
    "ulid_timestamp(id) BETWEEN '$from' AND '$until'"
    )
{
    my $plan = explain_where($condition);
    is(chunks($plan), 1, "one chunk: $condition");
    # TimescaleDB knows the chunks by the cast, the index by the id.
    like(
        $plan,
        $condition =~ /^ulid_timestamp/
        ? qr/Filter: .*timestamp/
        : qr/Index Cond: \(\(id >= '\w{26}'::ulid\) AND \(id <=? '\w{26}'::ulid\)\)/,
        "by its index or by the cast: $condition"
    );
    is(
        query("SELECT count(*) FROM metrics WHERE $condition"),
        query("SELECT count(*) FROM plain WHERE $condition"),
        "its rows: $condition"
    );
}

# Times that are known only when the query runs.
like(
    explain_where("id >= now() - interval '1 hour'"),
    qr/Index Cond: \(id >= ulid_\w+\(\(now\(\)/,
    'a time known at run time uses the index'
);
my ($both) = documented_sql('SELECT create_hypertable') =~ /^(SELECT \* FROM metrics[^;]*;)/m;
my $plan = query("SET enable_seqscan = off; EXPLAIN (COSTS OFF) $both");
like($plan, qr/Chunks excluded during startup: ([89]|1\d)\b/, 'the cast excludes chunks when the query starts');
like($plan, qr/Index Cond: \(id >= ulid_lower_bound/, 'the operator beside the cast uses the index');
my $rows = () = query($both) =~ /^/mg;
ok($rows >= 59 && $rows <= 61, 'the rows of the hour are found');

# Buckets are of the time.
is(
    query(
        q{SELECT count(*) FROM metrics
    WHERE time_bucket('1 day', id::timestamptz) <> date_trunc('day', id::timestamptz, 'UTC')}
    ),
    0,
    'time_bucket() takes the time of an id'
);
isnt($node->psql('postgres', q{SELECT time_bucket('1 day', id) FROM metrics}), 0, 'time_bucket() does not take an id');

# Chunks are dropped by a time.
query("SELECT drop_chunks('metrics', older_than => '$from'::timestamptz)");
my $midnight = "date_trunc('day', '$from'::timestamptz)";
is(
    query("SELECT count(*) FROM metrics"),
    query("SELECT count(*) FROM plain WHERE id >= $midnight"),
    'drop_chunks keeps the rows of the day of the time, and those after'
);

# From 18 on a hypertable by UUIDv7s, which takes no other bounds than valid ones.
if ($node->pg_version >= 18) {
    query(
        q{CREATE TABLE visits (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), n int);
        SELECT create_hypertable('visits', by_range('id', interval '1 day'));
        INSERT INTO visits SELECT gen_uuidv7(now() - i * interval '1 min'), i
        FROM generate_series(0, 14399) AS i; ANALYZE visits}
    );
    my $hour = "id >= uuidv7_min('$from') AND id < uuidv7_min('$until')";
    is(chunks(query("EXPLAIN (COSTS OFF) SELECT * FROM visits WHERE $hour")), 1, "one chunk of UUIDv7s: $hour");
    is(query("SELECT count(*) FROM visits WHERE $hour"), 60, 'and all rows of the hour');
    is(
        query(
            "SELECT count(*) FROM visits WHERE id >= to_uuidv7_boundary('$from') AND id < to_uuidv7_boundary('$until')"
        ),
        60,
        "as many as by TimescaleDB's to_uuidv7_boundary()"
    );
    like(
        (sqlstate($node, "SELECT FROM visits WHERE id >= ulid_min('$from')"))[1],
        qr/is not a version 7 UUID/,
        'ulid_min() is refused'
    );
}

$node->stop;
done_testing();
