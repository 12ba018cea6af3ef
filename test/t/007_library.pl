# The library in a server: without the extension, in single-user mode, and beside a twin server.
use lib 'test/lib';
use UlidCluster;

my $node = new_cluster('main', conf => "autovacuum = off\nrestart_after_crash = on\n");
$node->start;
sub sql { return $node->safe_psql('postgres', $_[0]) }

# ---- the library without the extension -----------------------------------------------------------

sql('CREATE DATABASE bare');
sql("ALTER DATABASE bare SET session_preload_libraries = 'ulid'");
like($node->safe_psql('bare', q{SELECT pg_read_file('/proc/self/maps')}), qr{/ulid\.so$}m, 'the library is loaded without the extension');
is($node->safe_psql('bare', q{SELECT count(*) FROM pg_class AS c JOIN pg_attribute AS a ON attrelid = c.oid
        WHERE relname = 'pg_class' AND now()::timestamptz >= '2026-01-01'::timestamptz AND attnum = 1}), '1', 'queries work without the extension');
is($node->safe_psql('bare', 'BEGIN; CREATE EXTENSION ulid; SELECT gen_ulid() >= now(); ROLLBACK'), 't',
    'CREATE EXTENSION works in a session with the library preloaded');

sql('CREATE EXTENSION ulid');

# ---- single-user mode ----------------------------------------------------------------------------

# The output of statements in single-user mode, which reads one on each line.
sub single_user {
    my ($database, $options, @statements) = @_;
    my ($out, $err, $in) = ('', '', join('', map { s/\s+/ /gr . "\n" } @statements));
    IPC::Run::run([ $node->installed_command('postgres'), '--single', '-D', $node->data_dir, @$options, $database ],
        '<', \$in, '>', \$out, '2>', \$err) or die $err;
    return $out . $err;
}
my $last = sql('SELECT gen_monotonic_ulid()');
sql('CREATE DATABASE alone');
$node->stop;
for my $library ('ulid', '') {
    my @options = ('-c', "shared_preload_libraries=$library");
    my $when = 'single-user mode, the library ' . ($library ? 'preloaded' : 'not preloaded');
    my $said = single_user('alone', \@options, 'CREATE EXTENSION IF NOT EXISTS ulid', 'SELECT gen_ulid() AS made');
    like($said, qr/made = "\w{26}"/, "$when: ids are made");
    next unless $library || named_shared_memory();
    $said = single_user('postgres', \@options, 'SELECT gen_monotonic_ulid() AS next');
    my ($next) = $said =~ /next = "(\w{26})"/;
    cmp_ok($next // $said, 'gt', $last, '  in the order of the server');
    $last = $next // $last;
}
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'ulid'\n");
$node->start;
cmp_ok(sql('SELECT gen_monotonic_ulid()'), 'gt', $last, 'after single-user mode the order goes on');

is(log_count($node, 'was terminated by signal'), 0, 'no process is lost in all of that');
$node->stop;

# ---- a twin --------------------------------------------------------------------------------------

# Two servers with the same port, whose data directories have the same name.
my $script = 'test/tools/server';
my $parent = PostgreSQL::Test::Utils::tempdir_short();
sub start_twin { return system($script, 'start', "$parent/$_[0]", "shared_preload_libraries = 'ulid'") }
sub ask_twin {
    my ($twin, $query) = @_;
    my ($out, $err) = ('', '');
    IPC::Run::run([ 'psql', '-XqAt', '-h', "$parent/$twin", '-p', '5432', '-U', 'postgres', '-d', 'postgres', '-c', $query ], '>', \$out, '2>', \$err);
    chomp $out;
    return $out . $err;
}
is(start_twin('a'), 0, 'a server');
{
    local %ENV = (%ENV, faketime_environment("$parent/clock"));
    set_clock("$parent/clock", '+1h');
    is(start_twin('b'), 0, 'its twin, whose clock is an hour ahead');
}
my %of = map { ($_ => ask_twin($_, 'CREATE EXTENSION ulid')) } qw(a b);
for my $twin (qw(b a) x 5) {
    my $id = ask_twin($twin, 'SELECT gen_monotonic_ulid()');
    cmp_ok($id, 'gt', $of{$twin}, "$twin: its order");
    $of{$twin} = $id;
}
is(ask_twin('a', "SELECT '$of{b}'::ulid::timestamptz - '$of{a}'::ulid::timestamptz BETWEEN '59 min' AND '61 min'"), 't',
    'neither follows the other');
system($script, 'stop', "$parent/$_") == 0 or die for qw(a b);
done_testing();
