# Other extensions in the same server: a ulid key and conditions on its time work with all of them loaded, before
# the library of ulid and after it, and each of them does its work on a table keyed by ulid.
use lib 'test/lib';
use UlidCluster;

my $node = started_cluster('main', <<'CONF');
autovacuum = off
max_worker_processes = 16
pgaudit.log = 'write'
pg_qualstats.sample_rate = 1
CONF

# What the server has: extensions by their control file, the others by their library.
my %has = map { $_ => 1 } split /\n/, $node->safe_psql('postgres', 'SELECT name FROM pg_available_extensions');
$has{$_} = ($node->psql('postgres', "LOAD '$_'"))[0] == 0 foreach qw(auto_explain pg_hint_plan);
my @preloaded =
    grep { $has{$_} } qw(pg_stat_statements auto_explain pg_qualstats pg_stat_kcache pgaudit pg_hint_plan);
my @created = grep { $has{$_} } qw(pg_stat_statements pg_qualstats pg_stat_kcache pgaudit plpgsql_check
    hypopg pg_repack vector);

sub query { my ($sql) = @_; return $node->safe_psql('postgres', $sql) }

# Restarts the server with these libraries preloaded, in this order.
sub preload {
    $node->append_conf('postgresql.conf', "shared_preload_libraries = '" . join(',', @_) . "'\n");
    $node->restart;
    return;
}

my $day = q{id >= '2026-03-10Z'::timestamptz AND id < '2026-03-11Z'::timestamptz};

# What a ulid key does without them.
sub ulid_works {
    my ($when) = @_;
    subtest "a ulid key, $when" => sub {
        foreach my $condition ($day, q{ulid_within(id, tstzrange('2026-03-10Z', '2026-03-11Z'))}) {
            is(query("SELECT count(*) FROM event WHERE $condition"), 24, "the rows of a day: $condition");
            like(query("EXPLAIN (COSTS OFF) SELECT * FROM event WHERE $condition"),
                qr/Index Cond: \(\(id >= '01KKA\w{21}'::ulid\) AND \(id <=? '01KK\w{22}'::ulid\)\)/, "the index serves $condition");
        }
        is(query("PREPARE p AS SELECT count(*) FROM event WHERE id >= \$1::timestamptz AND id < \$1::timestamptz + interval '1 day';"
                    . "SET plan_cache_mode = force_generic_plan; EXECUTE p ('2026-03-10Z')"), 24, 'a prepared statement');
        is(query('SELECT count(*) FROM event a JOIN event b USING (id)'), query('SELECT count(*) FROM event'), 'a join by the key');
        is(query('INSERT INTO event (n) VALUES (-1), (-2) RETURNING id > (SELECT max(id) FROM event)'), "t\nt", 'new keys');
        query('DELETE FROM event WHERE n < 0');
    };
    return;
}

preload('ulid', @preloaded);
query(join('', map { "CREATE EXTENSION IF NOT EXISTS $_ CASCADE;" } @created));
query(<<'SQL');
    CREATE TABLE event (id ulid PRIMARY KEY DEFAULT gen_ulid(), n integer);
    INSERT INTO event SELECT gen_ulid(t), extract(hour FROM t)
    FROM generate_series('2026-01-01Z'::timestamptz, '2026-06-30 23:00Z', '1 hour') AS t;
    ANALYZE event;
SQL
ulid_works("preloaded before them");
preload(@preloaded, 'ulid');
ulid_works("preloaded after them");

# Of each extension: the name of a test, statements, a query, and what it gives; without a query, what the log has of the statements.
my @tests = (
    pg_stat_statements => [ [ 'counts a query with a time condition',
            "SELECT pg_stat_statements_reset(); SELECT count(*) FROM event WHERE $day",
            q{SELECT calls, rows FROM pg_stat_statements WHERE query LIKE 'SELECT count(*) FROM event WHERE%'}, '1|1' ] ],
    auto_explain => [ [ 'logs the plan that was run',
            "SET auto_explain.log_min_duration = 0; SELECT count(*) FROM event WHERE $day", undef, qr/Index Cond: \(\(id >= '\w{26}'::ulid\)/ ] ],
    pg_qualstats => [ [ 'samples conditions of the table',
            "SELECT pg_qualstats_reset(); SELECT count(*) FROM event WHERE $day AND n = 3",
            "SELECT count(*) > 0 FROM pg_qualstats() WHERE lrelid = 'event'::regclass", 't' ] ],
    pg_stat_kcache => [ [ 'counts', "SELECT count(*) FROM event WHERE $day", 'SELECT count(*) > 0 FROM pg_stat_kcache()', 't' ] ],
    pgaudit => [ [ 'logs a change', "UPDATE event SET n = n WHERE $day", undef, qr/AUDIT: SESSION,.*WRITE,UPDATE,.*UPDATE event/ ] ],
    hypopg => [
        [ 'a hypothetical index serves a time condition', 'CREATE TABLE child AS SELECT n, id AS event_id FROM event; ANALYZE child',
            "SELECT FROM hypopg_create_index('CREATE INDEX ON child (event_id)');
            EXPLAIN (COSTS OFF) SELECT * FROM child WHERE @{[ $day =~ s/\bid\b/event_id/gr ]}",
            qr/Index.*Scan (using|on) "?<\d+>btree_child_event_id.*Index Cond: \(\(event_id >= '/s ] ],
    pg_repack => sub {
        my $state = q{SELECT pg_relation_filenode('event'), md5(string_agg(id::text || n, chr(10) ORDER BY id)) FROM event};
        my ($file, $rows) = split /\|/, query($state);
        $node->command_ok([ $node->installed_command('pg_repack'), '-h', $node->host, '-p', $node->port, '-d', 'postgres', '-t', 'event' ],
            'repacks a table keyed by ulid');
        my ($new_file, $new_rows) = split /\|/, query($state);
        isnt($new_file, $file, 'has repacked it');
        is($new_rows, $rows, 'every row is there');
    },
    plpgsql_check => [
        [ 'finds no fault in time conditions', q{
            CREATE FUNCTION of_day(ulid, timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
            DECLARE last ulid := gen_ulid();
            BEGIN
                RETURN (SELECT count(*) FROM event WHERE id >= $2 AND id < $2 + interval '1 day' AND id <> $1 AND id < last);
            END $$}, q{SELECT * FROM plpgsql_check_function('of_day(ulid, timestamptz)')}, '' ],
        [ 'finds a fault in a function',
            'CREATE FUNCTION wrong(ulid) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN $1 > 1; END $$',
            q{SELECT * FROM plpgsql_check_function('wrong(ulid)')}, qr/operator does not exist: ulid/ ] ],
    pg_hint_plan => [ map { [ "follows the hint $_->[0]", '',
                "/*+ $_->[0](event) */ EXPLAIN (COSTS OFF) SELECT * FROM event WHERE $day", $_->[1] ] }
            [ 'SeqScan', qr/^Seq Scan on event/ ], [ 'IndexScan', qr/^Index Scan using event_pkey/ ] ],
    vector => [ [ 'the nearest of a day', q{
        CREATE TABLE item (id ulid PRIMARY KEY, place vector(2));
        INSERT INTO item SELECT id, ('[' || n || ',0]')::vector FROM event; CREATE INDEX ON item USING hnsw (place vector_l2_ops)},
            "SELECT place FROM item WHERE $day ORDER BY place <-> '[5,0]' LIMIT 1", '[5,0]' ] ]);

my @tried;
while (my ($name, $tests) = splice(@tests, 0, 2))
{
SKIP:
    {
        skip "the server has no $name", 1 unless $has{$name};
        push @tried, $name;
        subtest $name => sub {
            return $tests->() if ref $tests eq 'CODE';
            foreach (@$tests)
            {
                my ($test, $statements, $query, $expected) = @$_;
                my $from = -s $node->logfile;
                query($statements) if $statements;
                my $got = defined $query ? query($query) : slurp_file($node->logfile, $from);
                ref $expected ? like($got, $expected, $test) : is($got, $expected, $test);
            }
        };
        query('DELETE FROM event WHERE n < 0');
    }
}

ulid_works('after all that they did');
$node->stop;

# test/run extensions has installed what Debian has of these.
SKIP:
{
    my ($major) = (run_command([ 'pg_config', '--bindir' ]))[0] =~ m{^/usr/lib/postgresql/(\d+)/};
    my %count;
    @count{ 15, 18 } = slurp_file('doc/installing.md') =~ /Other extensions .*\| (\d+) on PostgreSQL 15, (\d+) on 18 /;
    skip 'counted only by test/run extensions on the PostgreSQL 15 and 18 of Debian', 1 unless $ENV{ULID_SETUP} && $count{ $major // 0 };
    is(scalar @tried, $count{$major}, 'as many extensions as doc/installing.md says') or diag("tested: @tried");
}
done_testing();
