# The statements of doc/distributed.md about Citus, on a coordinator and two workers.
use lib 'test/lib';
use UlidCluster;

skip_unless_available('citus', 'https://github.com/citusdata/citus');

# Nothing is sent anywhere: what listens is the socket of each node.
my ($coordinator, @workers) = my @nodes = map { new_cluster($_, conf => <<'CONF') } qw(coordinator worker_1 worker_2);
wal_level = logical
max_connections = 100
max_prepared_transactions = 100
shared_preload_libraries = 'citus'
citus.enable_statistics_collection = off
citus.node_conninfo = 'sslmode=disable'
citus.shard_count = 8
CONF
$_->start foreach @nodes;

my ($distribute) = blocks('doc/distributed.md', 'Citus', 'sql');

sub query { my ($sql) = @_; return $coordinator->safe_psql('postgres', $sql) }

$_->safe_psql('postgres', 'CREATE EXTENSION citus') foreach @workers;
query('CREATE EXTENSION citus');
query("SELECT citus_set_coordinator_host('" . $coordinator->host . "', " . $coordinator->port . ')');
query("SELECT citus_add_node('" . $_->host . "', " . $_->port . ')') foreach @workers;
query('CREATE EXTENSION ulid');
is($_->safe_psql('postgres', "SELECT count(*) FROM pg_extension WHERE extname = 'ulid'"),
    1, 'Citus creates the extension on ' . $_->name)
    foreach @workers;

query($distribute);
query(<<'SQL');
    INSERT INTO customer VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV', 'Ada');
    INSERT INTO customer (name) SELECT n::text FROM generate_series(1, 99) n;
    -- 10 days of every customer, an hour apart
    INSERT INTO event SELECT c.id, gen_ulid(t), 1
    FROM customer c, generate_series('2026-02-25Z'::timestamptz, '2026-03-06 23:00Z', '1 hour') t;
SQL
cmp_ok(query("SELECT count(DISTINCT nodename || nodeport) FROM citus_shards WHERE table_name = 'event'::regclass"),
    '>=', 2, 'rows are on both workers');
is(
    query(
        "SELECT count(DISTINCT colocation_id) FROM citus_tables WHERE table_name IN ('customer'::regclass, 'event'::regclass)"
    ),
    1,
    'tables distributed by a ulid are co-located'
);
isnt(($coordinator->psql('postgres', 'INSERT INTO event (customer_id, amount) VALUES (gen_ulid(), 1)'))[0],
    0, 'the foreign key holds');
is(query('SELECT count(*) FROM event JOIN customer ON customer.id = customer_id'), 24000, 'a join on the shards');
is(
    query(
        "INSERT INTO event (customer_id, amount) SELECT id, 0 FROM customer WHERE name = 'Ada'
    RETURNING id > ulid_min('2026-03-10Z')"
    ),
    't',
    'the default generates ids'
);

my $all_shards = q{SELECT count(*), sum(amount) FROM event
    WHERE id >= '2026-03-01 00:00Z'::timestamptz AND id < '2026-03-02 00:00Z'::timestamptz};
my $one_shard = "$all_shards AND customer_id = '01GV5PA9EQG7D82Q3Y4PKBZSYV'";
is(query($one_shard), '24|24', 'a day of a customer');
is(query($all_shards), '2400|2400', 'a day of all of them');
my $plan = query("EXPLAIN (COSTS OFF) $one_shard");
like($plan, qr/Task Count: 1\b/, 'a day of a customer asks one shard');
like(
    $plan,
    qr/Index (?:Only )?Scan.*Index Cond: .*id >= '01KJ\w{22}'::ulid\) AND \(id < '01KJ\w{22}'::ulid/s,
    'a day of a customer uses the index of the shard'
);
$plan = query("EXPLAIN (COSTS OFF) $all_shards");
like($plan, qr/Task Count: 8\b/, 'a day of all customers asks all shards');
like($plan, qr/id >= '01KJ\w{22}'::ulid/, 'the worker gets the bound of the key');
query('CREATE TABLE other (customer_id uuid NOT NULL)');
like(
    (
        $coordinator->psql(
            'postgres', "SELECT create_distributed_table('other', 'customer_id', colocate_with => 'customer')"
        )
    )[2],
    qr/cannot colocate tables/,
    'a uuid and a ulid table are not co-located'
);

$_->stop foreach @nodes;
done_testing();
