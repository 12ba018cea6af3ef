# pg_partman keeps the partitions of a table keyed by the uuid of a ulid, starting with PostgreSQL 17.
use lib 'test/lib';
use UlidCluster;

skip_unless_available('pg_partman', 'partman');

my $node = started_cluster('main');
sub query { my ($sql) = @_; return $node->safe_psql('postgres', $sql) }
plan(skip_all => 'pg_partman before 5 does not support encoded times')
    if query(q{SELECT default_version FROM pg_available_extensions WHERE name = 'pg_partman'}) =~ /^[1-4]\./;
query('CREATE SCHEMA partman; CREATE EXTENSION pg_partman SCHEMA partman');

# Why not a ulid column.
query('CREATE TABLE direct (id ulid PRIMARY KEY) PARTITION BY RANGE (id)');
my ($rc, $out, $err) = $node->psql('postgres', q{SELECT partman.create_parent('public.direct', 'id', '1 day')});
like($err, qr/Supplied column is of type ulid/, 'pg_partman refuses a ulid column');

not_at_midnight();
query(documented_sql('CREATE FUNCTION ulid_time_encoder'));
my $query = q{SELECT * FROM visit_store WHERE id >= ulid_min(now() - interval '1 hour')};
sub partitions_are {
    my ($from, $until, $test) = @_;
    is(
        query(
            q{SELECT string_agg(partition_tablename, ' ' ORDER BY partition_tablename)
            FROM partman.show_partitions('public.visit_store')}
        ),
        query(
            "SELECT string_agg('visit_store_p' || to_char(now() + n * interval '1 day', 'YYYYMMDD'), ' ' ORDER BY n)
            FROM generate_series($from, $until) AS n"
        ),
        $test
    );
    return;
}
partitions_are(-4, 4, 'there is a partition for every day');
query(
    q{INSERT INTO visit_store (page) VALUES ('now');
    INSERT INTO visit_store VALUES (gen_ulid(now() - interval '3 days')::uuid, 'before')}
);
is(
    query(
        q{SELECT page, tableoid::regclass::text = 'visit_store_p' || to_char(id::ulid::timestamptz, 'YYYYMMDD')
    FROM visit_store ORDER BY id}
    ),
    "before|t\nnow|t",
    'a row goes to the partition of its day'
);

# By time.
my $plan = query("EXPLAIN (COSTS OFF) $query");
like($plan, qr/Subplans Removed: [34]/, 'a time condition prunes partitions');
like($plan, qr/Index Cond: \(id >= /, 'a time condition uses the index of the partitions');
is(query($query =~ s/\*/page/r), 'now', 'a time condition finds its rows');

# Rows move out of the default partition, starting with 5.3.
SKIP:
{
    skip 'pg_partman before 5.3 does not move rows by encoded times', 3
        if query(q{SELECT extversion FROM pg_extension WHERE extname = 'pg_partman'}) =~ /^5\.[0-2]\b/;
    my $left = q{SELECT count(*) FROM ONLY visit_store_default};
    query(q{INSERT INTO visit_store VALUES (gen_ulid(now() - interval '30 days')::uuid, 'old')});
    ($rc, $out, $err) = $node->psql('postgres', q{CALL partman.partition_data_proc('public.visit_store')});
    like($err, qr/function partman\.partition_data_uuid\(.* does not exist/, 'partition_data_proc() fails');
    is(query($left), 1, 'and moves no row');
    query(q{SELECT partman.partition_data_time('public.visit_store')});
    is(query($left), 0, 'partition_data_time() moves it to a partition of its day');
}

# Maintenance drops what is past the retention, and keeps ahead.
query(
    q{UPDATE partman.part_config SET retention = '2 days', retention_keep_table = false, premake = 6
    WHERE parent_table = 'public.visit_store';
    SELECT partman.run_maintenance('public.visit_store')}
);
partitions_are(-2, 6, 'maintenance drops old partitions and makes new ones');

$node->stop;
done_testing();
