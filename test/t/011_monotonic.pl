# gen_monotonic_ulid(): one order for all sessions of a running server, whatever happens to them. ULID_TEST_ROUNDS
# sets how often something happens (6 by default, a round of each kind; each takes about two seconds).
use lib 'test/lib';
use UlidCluster;

# Without the library preloaded.
my $node = started_cluster('main', "shared_preload_libraries = ''\n");
sub sql { return $node->safe_psql($_[1] // 'postgres', $_[0]) }
my $thousand = 'SELECT count(DISTINCT %s()) FROM generate_series(1, 1000)';
if (named_shared_memory()) {
    is(sql(sprintf $thousand, 'gen_monotonic_ulid'), '1000', 'gen_monotonic_ulid() needs no configuration');
}
else {
    my ($sqlstate, $message) = sqlstate($node, 'SELECT gen_monotonic_ulid()');
    is($sqlstate, '55000', 'gen_monotonic_ulid() fails if the server reserved no memory');
    like(
        $message,
        qr/HINT:  Add ulid to shared_preload_libraries and restart the server\./,
        'the hint says how to reserve it'
    );
    is(sql(sprintf $thousand, 'gen_ulid'), '1000', 'gen_ulid() needs no configuration');
}

# With it, after a library that reserves shared memory, too.
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'pg_stat_statements, ulid'");
$node->restart;
is(sql('CREATE EXTENSION pg_stat_statements; SELECT count(*) > 0 FROM pg_stat_statements'),
    't', 'a library that was preloaded before has the memory that it reserved');
is(sql(order_is_at_clock_sql()), 't', 'its time is the time now');

# Across sessions, against a linearisable log: positions are taken from one sequence before and
# after each call. Where one call ended before another began, its id must be the lesser.
sql('CREATE SEQUENCE position; CREATE UNLOGGED TABLE log (began bigint, id ulid, ended bigint)');
my $calls =
    q{INSERT INTO log SELECT nextval('position'), gen_monotonic_ulid(), nextval('position') FROM generate_series(1, 25000);};
is_deeply([ run_clients($node, ($calls) x 8) ], [ (0) x 8 ], '8 sessions generate at once');
is(sql('SELECT count(*), count(DISTINCT id) FROM log'), '200000|200000', 'no two ids are the same');
my $violations = q{
    SELECT count(*) FROM (SELECT began, id, max(ended_id) OVER (ORDER BY position) AS greatest_ended
        FROM (SELECT began AS position, began, id, NULL::ulid AS ended_id FROM log
            UNION ALL SELECT ended, NULL, NULL, id FROM log) AS events) AS calls
    WHERE began IS NOT NULL AND id <= greatest_ended};
is(sql($violations), '0', 'a call that began after another had ended, in any session, got a greater id');
# The question above can be answered otherwise: of two sessions that take turns, each as its clock reads
# the same millisecond, gen_ulid() promises nothing. Made up, as real sessions may happen to be in order.
is(
    sql(
        q{TRUNCATE log; INSERT INTO log VALUES (1, '01ARZ3NDEKTSV4RRFFQ69G5FAW', 3), (2, '01ARZ3NDEKTSV4RRFFQ69G5FAV', 4),
            (5, '01ARZ3NDEKTSV4RRFFQ69G5FAV', 6), (7, '01ARZ3NDEKTSV4RRFFQ69G5FAX', 8);} . $violations
    ),
    '1',
    'the test finds a violation, and ignores calls that overlap'
);

# Ids of transactions that are rolled back are not given again.
my $next = 'SELECT gen_monotonic_ulid()';
my ($rolled_back, $after) = split /\n/, sql("BEGIN; $next; ROLLBACK; $next");
cmp_ok($after, 'gt', $rolled_back, 'ids of a rolled-back transaction are not given again');
sql('CREATE DATABASE other');
my $here = sql($next);
cmp_ok(sql("CREATE EXTENSION ulid; $next", 'other'), 'gt', $here, 'databases of a server share the order');
$node->stop;

# ---- backends killed, queries cancelled, sessions terminated, the server stopped in each way, its clock set

my $rounds = $ENV{ULID_TEST_ROUNDS} || 6;
my $seed = $ENV{ULID_TEST_SEED} || time;
srand $seed;
note "ULID_TEST_SEED=$seed";

$node = new_cluster('storm', conf => "restart_after_crash = on\n");
my $clock = $node->basedir . '/clock';
start_faked($node);
create_extension($node);
sql('CREATE DATABASE other');
sql('CREATE EXTENSION ulid', 'other');

my $directory = PostgreSQL::Test::Utils::tempdir();
append_to_file("$directory/script", "SELECT gen_monotonic_ulid() FROM generate_series(1, 300);\n" x 80);
my $generating = q{FROM pg_stat_activity WHERE query ~ '^SELECT gen_monotonic_ulid' AND pid <> pg_backend_pid()};
sub one_of { return sql("SELECT pid $generating ORDER BY random() LIMIT 1") || () }
my $greatest = '0';
# After a restart the order begins again at the clock, which is behind the ids of before if it was set back since.
my $was_set = 0;
sub restarts { $greatest = '0' if $was_set; $was_set = 0; return }
my @events = (
    sub { restarts(); kill 'KILL', one_of() },
    (
        map {
            my $mode = $_;
            sub { restarts(); $node->stop($mode); start_faked($node) }
        } 'immediate',
        'fast'
    ),
    sub {
        restarts();
        my @processes = split /\n/, sql('SELECT pid FROM pg_stat_activity');
        $node->kill9;
        # They notice when they next wait; until then no server can start.
        select(undef, undef, undef, 0.01) while grep { kill 0, $_ } @processes;
        start_faked($node);
    },
    sub { $was_set = 1; set_clock($clock, sprintf('%+ds', int(rand 7200) - 3600)) },
    sub {
        for (1 .. 30) {
            sql("SELECT pg_cancel_backend(pid) $generating");
            sql("SELECT pg_terminate_backend(pid) $generating ORDER BY random() LIMIT 1") if rand() < 0.1;
        }
    }
);

my ($made, %seen, $duplicates, $descents, $early) = (0, (), 0, 0, 0);
my $file = 0;
for my $round (1 .. $rounds) {
    my $event = $events[ ($round - 1) % @events ];
    my @files;
    my @clients = map {
        push @files, "$directory/" . ++$file;
        IPC::Run::start([ 'psql', '-XqAt', '-d', $node->connstr($_), '-f', "$directory/script" ],
            '<', '/dev/null', '>', $files[-1], '2>', '/dev/null');
    } ('postgres', 'other') x 2;
    for my $name (@files) {
        my $waits = 0;
        select(undef, undef, undef, 0.01) until -s $name || ++$waits > 3000;
    }
    $event->();
    $_->finish for @clients;
    $node->poll_query_until('postgres', 'SELECT true');
    my $last = $greatest;
    for my $name (@files) {
        # The last line may have been cut off.
        my @ids = slurp_file($name) =~ /^([0-9A-Z]{26})\n/mg;
        $made += @ids;
        $descents += grep { $ids[ $_ - 1 ] ge $ids[$_] } 1 .. $#ids;
        $duplicates += grep { $seen{$_}++ } @ids;
        $early += grep { $_ le $greatest } @ids;
        $last = $ids[-1] if @ids && $ids[-1] gt $last;
        unlink $name;
    }
    # Those of the rounds to come are greater, so these need not be kept.
    %seen = ();
    $greatest = $last;
}
cmp_ok($made, '>', 1000 * $rounds, "$made ids were made");
is($duplicates, 0, 'no two are the same');
is($descents, 0, 'those of a session ascend');
is($early, 0, 'those of each round are greater than all of the rounds before');
is(log_count($node, 'PANIC'), 0, 'no PANIC');
$node->stop;

# ---- a new build of the module under a running server, with a layout of its own of what sessions share

SKIP:
{
    skip 'the server keeps the library that it preloaded', 1 unless named_shared_memory();

    $node = started_cluster('builds');
    my $session = $node->background_psql('postgres');
    my $last = $session->query($next);
    # Whoever changes the layout changes its number.
    my $variant = build_variant(
        "$directory/new",
        sub {
            s/(kSharedMemoryName\[\] = "ulid )\d+/${1}100/ or die;
            s/(struct SharedState \{\n)/$1    std::int64_t more[7] = {};\n/ or die;
        }
    );
    # A database whose sessions load the new build.
    sql('CREATE DATABASE new TEMPLATE template0');
    sql("CREATE EXTENSION ulid; UPDATE pg_proc SET probin = '$variant' WHERE probin = '\$libdir/ulid'", 'new');
    is(sql(order_is_at_clock_sql(), 'new'), 't', 'a new build has the time now');
    is(sql(sprintf($thousand, 'gen_monotonic_ulid'), 'new'), '1000', 'its ids are distinct');
    cmp_ok($session->query($next), 'gt', $last, 'a session with the old build keeps its order');
    $session->quit;
}
done_testing();
