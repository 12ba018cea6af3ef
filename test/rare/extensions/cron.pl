# pg_cron runs the recipe of doc/recipes.md for partitions.
use lib 'test/lib';
use UlidCluster;

skip_unless_available('pg_cron', 'cron');

my $node = started_cluster('main',
    "shared_preload_libraries = 'pg_cron'\ncron.database_name = 'postgres'\ncron.use_background_workers = on\n");
$node->safe_psql('postgres', 'CREATE EXTENSION pg_cron');
$node->safe_psql('postgres', documented_sql('CREATE PROCEDURE add_partition'));
$node->safe_psql('postgres', q{CALL add_partition('orders', now() - interval '14 months')});
$node->safe_psql('postgres', q{DO $$BEGIN EXECUTE (SELECT 'DROP TABLE ' || partition FROM partitions('orders') WHERE since > now()); END$$});
my $job = $node->safe_psql('postgres', documented_sql('SELECT cron.schedule'));

# At once, not at night: 1.5 and later can do every second; before, the job's command is run by hand.
my ($version) = $node->safe_psql('postgres', q{SELECT extversion FROM pg_extension WHERE extname = 'pg_cron'}) =~ /^1\.(\d+)/;
if ($version >= 5) { $node->safe_psql('postgres', "SELECT cron.alter_job($job, schedule := '1 seconds')") }
else { $node->safe_psql('postgres', $node->safe_psql('postgres', "SELECT command FROM cron.job WHERE jobid = $job AND active")) }
ok($node->poll_query_until('postgres', q{SELECT array_agg(since > now()) = '{false,true}' FROM partitions('orders')}),
    'the scheduled job makes the partition of the next month, keeps that of this one, and drops an old one');
$node->safe_psql('postgres', q{INSERT INTO orders VALUES (gen_ulid(now() + interval '1 month'))});

$node->stop;
done_testing();
