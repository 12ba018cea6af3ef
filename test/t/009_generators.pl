# Generators: parallel workers give distinct ids, 10 sessions at once do, and the randomness is never shared by two
# processes and never made up. ULID_TEST_IDS sets how many ids the sessions make. (Their order: pgtap/generators.sql.)
use lib 'test/lib';
use UlidCluster;

my $node = started_cluster('main', "max_worker_processes = 16\n");

# ---- parallel workers

sub sql { return $node->safe_psql('postgres', $_[0]) }

# Parallel workers generate, and their leader; gen_ulid() and gen_uuidv7(), whose order is of a session, are the
# leader's.
sql(q{CREATE TABLE many AS SELECT n FROM generate_series(1, 100000) AS n; ANALYZE many;});
my $settings = q{SET max_parallel_workers_per_gather = 4; SET min_parallel_table_scan_size = 0;
    SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;};
# pg_backend_pid() may only be called by the leader.
sql(q{CREATE FUNCTION worker() RETURNS int AS 'pg_backend_pid' LANGUAGE internal PARALLEL SAFE});
my $generate = q{SELECT worker() AS pid, gen_random_ulid() AS random, gen_ulid(clock_timestamp()) AS at,
    gen_monotonic_ulid() AS monotonic FROM many
    -- On a busy machine one process could be done before another begins.
    WHERE n % 1000 <> 0 OR pg_sleep(0.001) IS NOT NULL};
like(sql("$settings EXPLAIN $generate"), qr/Gather/, 'the plan is parallel');
sql("$settings CREATE TABLE from_workers AS $generate");
cmp_ok(sql('SELECT count(DISTINCT pid) FROM from_workers'), '>', 1, 'several processes generate');
is(
    sql(q{SELECT count(DISTINCT id) FROM from_workers, LATERAL (VALUES (random), (at), (monotonic)) AS ids (id)}),
    3 * sql('SELECT count(*) FROM from_workers'),
    'no id is made twice'
);

# ---- 10 sessions at once, over all generators

my $ids = $ENV{ULID_TEST_IDS} || 2_000_000;
# Each twice, so that sessions of one generator meet.
my %generators = (
    ulid => 'gen_ulid()',
    uuidv7 => 'gen_uuidv7()::ulid',
    at => 'gen_ulid(clock_timestamp())',
    random => 'gen_random_ulid()',
    monotonic => 'gen_monotonic_ulid()'
);
my $each = int($ids / 10);
my $directory = PostgreSQL::Test::Utils::tempdir();
chmod 0777, $directory;
my %script = map {
    my $name = $_;
    map {
        (
            "$directory/$name$_" => "COPY (SELECT $generators{$name} FROM (SELECT generate_series(1, $each)) AS calls)
        TO '$directory/$name$_';"
        )
    } 1, 2
} keys %generators;
my @files = sort keys %script;
is_deeply([ run_clients($node, @script{@files}) ], [ (0) x 10 ], '10 sessions generate at once');
# How many texts occur more than once.
$ENV{LC_ALL} = 'C';
sub duplicates { return (run_command([ 'sh', '-c', 'sort --parallel=2 "$@" | uniq -d | wc -l', 'sh', @_ ]))[0] }
is((run_command([ 'sh', '-c', 'cat "$@" | wc -l', 'sh', @files ]))[0], 10 * $each, 10 * $each . ' ids were made');
is(duplicates(@files), 0, 'no two are the same');
is(duplicates($files[0], $files[0]), $each, 'the test finds ids that occur twice');

unlink @files;
$node->stop;

# ---- randomness

# The shim fails OpenSSL's source.
SKIP:
{
    skip 'the server was built without OpenSSL', 1
        if `@{[$ENV{PG_CONFIG} || 'pg_config']} --configure` !~ /--with-(?:ssl=)?openssl/;

    $node = new_cluster('randomness');
    my $failing = $node->basedir . '/failing';
    my $shim = compile('test/lib/failing_random.c', $node->basedir . '/failing_random.so', '-shared', '-fPIC');
    # Starts the server with libraries preloaded.
    sub restart {
        my ($libraries) = @_;
        local %ENV = (%ENV, LD_PRELOAD => $shim, FAILING_RANDOM_FILE => $failing);
        $node->append_conf('postgresql.conf', "shared_preload_libraries = '$libraries'\n");
        $node->stop;
        $node->start;
        return;
    }

    # Backends forked one after another. A block of the pool serves 1,600 draws, so 1,700 see more than one.
    sub no_block_is_shared {
        my ($preloaded) = @_;
        sql(
            'CREATE EXTENSION IF NOT EXISTS ulid; DROP TABLE IF EXISTS drawn; CREATE UNLOGGED TABLE drawn (pid int, randomness bytea)'
        );
        my $draw = q{INSERT INTO drawn
        SELECT pg_backend_pid(), ulid_randomness(gen_random_ulid()) FROM generate_series(1, 1700);};
        # A session reconnects: each time the postmaster forks a new backend.
        is_deeply(
            [ run_clients($node, ("$draw\n\\connect\n" x 40) x 2) ],
            [ 0, 0 ],
            "80 backends draw, library $preloaded"
        );
        is(sql('SELECT count(DISTINCT pid), count(*), count(DISTINCT randomness) FROM drawn'),
            '80|136000|136000', "80 backends, library $preloaded: randomness is never shared");
        return;
    }
    restart('');
    no_block_is_shared('not preloaded');
    restart('ulid');
    no_block_is_shared('preloaded');
    # A process that has drawn forks: its children have a copy of what it has left, and must not use it.
    my $include = `@{[$ENV{PG_CONFIG} || 'pg_config']} --includedir-server`;
    chomp $include;
    my $module = $node->basedir . '/draws_before_fork';
    compile(
        'test/lib/draws_before_fork.c', "$module.so",
        '-shared', '-fPIC',
        "-I$include", '-Wno-unused-parameter',
        '-Wno-sign-compare', '-Wno-missing-field-initializers'
    );
    restart("ulid, $module");
    no_block_is_shared('preloaded, and used by the postmaster');
    restart('ulid');

    # The source fails.
    my @generators = (
        'gen_ulid()', 'gen_ulid(now())',
        'gen_random_ulid()', 'gen_monotonic_ulid()',
        'gen_uuidv7()::ulid', 'gen_uuidv7(now())::ulid',
        q{ulid_next('00000000000000000000000000')}
    );
    # A session is opened before, as the server needs randomness for it as well.
    for my $generator (@generators) {
        my $session = $node->background_psql('postgres', on_error_stop => 0);
        $session->query('\set VERBOSITY verbose');
        append_to_file($failing, '');
        for my $block ('first', 'next') {
            $session->{stderr} = '';
            unlike(scalar $session->query("SELECT $generator"),
                qr/[0-9A-Z]{26}/, "$generator: no id if the source fails, $block block");
            like($session->{stderr}, qr/XX000: could not generate random values/, "$generator: an error");
            unlink $failing;
            like(scalar $session->query("SELECT $generator"), qr/^[0-9A-Z]{26}$/, "$generator: the next call works");
            append_to_file($failing, '');
            # Uses up the block, and the millisecond, in which gen_ulid() would only count on.
            $session->query('SELECT pg_sleep(0.01)');
            $session->query('SELECT count(gen_random_ulid()) FROM generate_series(1, 1600)');
        }
        unlink $failing;
        $session->quit;
    }
    is(sql('SELECT count(DISTINCT gen_ulid()) FROM generate_series(1, 1000)'),
        '1000', 'ids are made after the source recovered');
    $node->stop;
}
done_testing();
