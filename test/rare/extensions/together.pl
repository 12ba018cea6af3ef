# Other extensions in the same server: a ulid key and conditions on its time work with all of them loaded, before the
# library of ulid and after it; and the job of doc/recipes.md runs under pg_cron.
use lib 'test/lib';
use UlidCluster;

my $node =
    started_cluster('main', "autovacuum = off\ncron.database_name = 'postgres'\ncron.use_background_workers = on\n");
sub query { my ($sql) = @_; return $node->safe_psql('postgres', $sql) }

# What the server has: extensions by their control file, the others by their library.
my %has = map { $_ => 1 } split /\n/, query('SELECT name FROM pg_available_extensions');
$has{$_} = ($node->psql('postgres', "LOAD '$_'"))[0] == 0 for qw(auto_explain pg_hint_plan);
my @preloaded =
    grep { $has{$_} } qw(pg_stat_statements auto_explain pg_qualstats pg_stat_kcache pgaudit pg_hint_plan pg_cron);
my @created = grep { $has{$_} } qw(pg_stat_statements pg_qualstats pg_stat_kcache pgaudit hypopg vector pg_cron);

# Restarts the server with these libraries preloaded, in this order.
sub preload {
    $node->append_conf('postgresql.conf', "shared_preload_libraries = '" . join(',', @_) . "'\n");
    $node->restart;
    return;
}

sub ulid_works {
    my ($when) = @_;
    my $day = q{id >= '2026-03-10Z'::timestamptz AND id < '2026-03-11Z'::timestamptz};
    like(
        query("EXPLAIN (COSTS OFF) SELECT * FROM event WHERE $day"),
        qr/Index Cond: \(\(id >= '01KKA\w{21}'::ulid\) AND \(id <=? '01KK\w{22}'::ulid\)\)/,
        "the index serves a day, $when"
    );
    is(query("SELECT count(*) FROM event WHERE $day"), 24, "its rows are found, $when");
    is(query('INSERT INTO event (n) VALUES (-1) RETURNING id > (SELECT max(id) FROM event)'),
        't', "new keys come last, $when");
    query('DELETE FROM event WHERE n < 0');
    return;
}
query(
    q{CREATE TABLE event (id ulid PRIMARY KEY DEFAULT gen_ulid(), n integer);
    INSERT INTO event SELECT gen_ulid(t), extract(hour FROM t)
    FROM generate_series('2026-01-01Z'::timestamptz, '2026-06-30 23:00Z', '1 hour') AS t; ANALYZE event}
);
preload('ulid', @preloaded);
query(join('', map { "CREATE EXTENSION IF NOT EXISTS $_ CASCADE;" } @created));
ulid_works("preloaded before @preloaded");
preload(@preloaded, 'ulid');
ulid_works("preloaded after @preloaded");

SKIP:
{
    skip 'the server has no pg_cron', 1 unless $has{pg_cron};
    query(documented_sql('CREATE PROCEDURE add_partition'));
    query(q{CALL add_partition('orders', now() - interval '14 months')});
    my (undef, $job) = split /\n/, query(documented_sql('SELECT cron.schedule'));
    # At once, not at night: 1.5 and later can do every second; before, the job's command is run by hand.
    my ($version) = query(q{SELECT extversion FROM pg_extension WHERE extname = 'pg_cron'}) =~ /^1\.(\d+)/;
    query(
        $version >= 5
        ? "SELECT cron.alter_job($job, schedule := '1 seconds')"
        : query("SELECT command FROM cron.job WHERE jobid = $job AND active")
    );
    ok($node->poll_query_until('postgres', q{SELECT bool_and(until > now()) FROM partitions('orders')}),
        'the scheduled job drops an old partition');
}
done_testing();
