# The clock of a server steps, by libfaketime: while it runs, and over a restart.
use lib 'test/lib';
use UlidCluster;

my $node = new_cluster('main');
my $clock = $node->basedir . '/clock';
sub sql { return $node->safe_psql('postgres', $_[0]) }
start_faked($node);
create_extension($node);
my $behind = 'ms behind the last ULID';

# While it runs. Each session goes on through every step.
my $session = $node->background_psql('postgres');
my (@ulids, @uuids, @monotonic);
my $by_uuid = $node->background_psql('postgres');
my $warnings = 0;
sub generate {
    $session->{stderr} = '';
    push @ulids, scalar $session->query('SELECT gen_ulid()');
    $warnings += () = $session->{stderr} =~ /WARNING:/g;
    push @uuids, scalar $by_uuid->query('SELECT gen_uuidv7()');
    push @monotonic, sql('SELECT gen_monotonic_ulid()');
    return;
}
sub step {
    my ($offset) = @_;
    set_clock($clock, $offset);
    generate() for 1 .. 3;
    return;
}
sub ascends {
    return !grep { $_[ $_ - 1 ] ge $_[$_] } 1 .. $#_;
}

generate();
# A session warns, and the log has a line, once for each step of more than a second.
for my $case (
    [ 'half a second back', 0, '-0.5s' ],
    [ '0.9 seconds more', 0, '-1.4s' ],
    [ '10 seconds back', 1, '-10s' ],
    [ 'an hour and a year back', 3, '-1h', '-365d' ],
    [ 'the clock catches up and steps back again', 4, '+0', '-1h' ]
    )
{
    my ($when, $count, @offsets) = @$case;
    step($_) for @offsets;
    is($warnings, $count, "$when: the session has had $count warnings");
    is(log_count($node, $behind), $count, "$when: the log has $count lines");
}
ok(ascends(@ulids), 'gen_ulid() keeps the order of the session');
ok(ascends(@uuids), 'gen_uuidv7() keeps the order of the session');
is(() = $by_uuid->{stderr} =~ /WARNING:.*behind the last id of this session\n.*gen_uuidv7\(\)/g,
    4, 'and warns as often');
$by_uuid->quit;
ok(ascends(@monotonic), 'gen_monotonic_ulid() keeps the order of the server');
$session->quit;
is(sql('SELECT gen_ulid()::timestamptz < clock_timestamp() + interval $$1 s$$'),
    't', 'a new session starts with the clock as it is');
is(sql('SELECT count(DISTINCT gen_monotonic_ulid()) FROM generate_series(1, 100000)'),
    '100000', 'ids go on for as long as the clock is behind');

# All databases share the order, which stays where it is until the server restarts.
sql('CREATE DATABASE other');
$node->safe_psql('other', 'CREATE EXTENSION ulid');
set_clock($clock, '+365d');
$node->safe_psql('other', 'SELECT gen_monotonic_ulid()');
set_clock($clock, '+0');
is(sql('SELECT gen_monotonic_ulid()::timestamptz > clock_timestamp() + interval $$360 days$$'),
    't', 'the order does not go back by itself');
# Then it begins again at the clock, wherever that is, in each kind of restart.
for my $mode ('fast', 'immediate') {
    for my $offset ('-1h', '+1h') {
        $node->stop($mode);
        set_clock($clock, $offset);
        start_faked($node);
        is(sql(order_is_at_clock_sql()), 't', "after a restart ($mode) the order begins at the clock, $offset");
    }
}

# Times that no ULID can hold.
set_clock($clock, '-25000d');
my @generators = ('gen_ulid()', 'gen_random_ulid()', 'gen_uuidv7()');
my $year = 1900 + (gmtime(time - 25000 * 86400))[5];
like(
    (sqlstate($node, "SELECT $_"))[1],
    qr/ERROR:  22008: timestamp "$year-.*" is out of range for ${\ (m|uuid| ? 'UUIDv7' : 'type ulid')}\n/,
    "$_: 22008 before 1970, with the time of the clock and the type"
) for @generators;

$node->stop;

# A session is stopped after it has read the clock, which is then a second late. The clock has not stepped.
my $directory = PostgreSQL::Test::Utils::tempdir();
my $variant = build_variant(
    $directory,
    sub {
        s{^(    LWLockAcquire\(&state)}{    if (strcmp(application_name, "stopped") == 0) {
        fclose(fopen("$directory/stopped", "w"));
        while (fopen("$directory/continue", "r") == nullptr)
            pg_usleep(10000L);
    }
$1}m or die;
        s/^extern "C" \{\n/$&#include "utils\/guc.h"\n/m or die;
    }
);
$node = new_cluster('stopped', conf => "shared_preload_libraries = '$variant'\n");
$node->start;
create_extension($node);
sql("UPDATE pg_proc SET probin = '$variant' WHERE probin = '\$libdir/ulid'");
my $late = '';
my $stopped = IPC::Run::start(
    [
        'psql', '-XAtq',
        '-d', $node->connstr('postgres') . ' application_name=stopped',
        '-c', 'SELECT gen_monotonic_ulid()'
    ],
    '<',
    '/dev/null',
    '>',
    \$late
);
select(undef, undef, undef, 0.01) until -e "$directory/stopped" || !$stopped->pumpable;
select(undef, undef, undef, 1.2);
my $other = sql('SELECT gen_monotonic_ulid()');
append_to_file("$directory/continue", '');
$stopped->finish;
cmp_ok($late, 'gt', $other, 'a session that was stopped after it has read the clock keeps the order');
is(log_count($node, $behind), 0, 'and the log does not say that the clock is behind');
done_testing();
