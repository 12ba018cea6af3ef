# The library in a server: without the extension, in single-user mode, beside a twin server; and the extension dropped,
# created and moved under the plans of other sessions.
use lib 'test/lib';
use UlidCluster;

my $node = new_cluster('main', conf => "autovacuum = off\nrestart_after_crash = on\n");
$node->start;
sub sql { return $node->safe_psql('postgres', $_[0]) }

my $tables = q{
	CREATE TABLE event AS SELECT gen_ulid('2026-01-01Z'::timestamptz + n * interval '1 h') AS id, n FROM generate_series(1, 2000) AS n;
	CREATE TABLE key AS SELECT id::uuid AS id, n FROM event;
	CREATE INDEX ON event (id); CREATE INDEX ON key (id); ANALYZE event, key};
my $condition = q{id >= '2026-03-01Z'::timestamptz AND id < '2026-03-02Z'::timestamptz};
my $index_condition = qr/Index Cond: \(\(id >= '\w{10}0{16}'::ulid\) AND \(id < '\w{10}0{16}'::ulid\)\)/;

# ---- the library without the extension -----------------------------------------------------------

sql('CREATE DATABASE bare');
sql("ALTER DATABASE bare SET session_preload_libraries = 'ulid'");
like($node->safe_psql('bare', q{SELECT pg_read_file('/proc/self/maps')}), qr{/ulid\.so$}m, 'the library is loaded without the extension');
is($node->safe_psql('bare', q{SELECT count(*) FROM pg_class AS c JOIN pg_attribute AS a ON attrelid = c.oid
		WHERE relname = 'pg_class' AND now()::timestamptz >= '2026-01-01'::timestamptz AND attnum = 1}), '1', 'queries work without the extension');
like($node->safe_psql('bare', "BEGIN; CREATE EXTENSION ulid; $tables; EXPLAIN (COSTS OFF) SELECT * FROM event WHERE $condition; ROLLBACK"),
	$index_condition, 'CREATE EXTENSION works in a session with the library preloaded');
is($node->safe_psql('bare', "SELECT count(*) FROM pg_type WHERE typname = 'ulid'"), '0', '  (and is gone)');

sql("CREATE EXTENSION ulid; $tables");

# ---- single-user mode ----------------------------------------------------------------------------

# The output of statements in single-user mode, which reads one on each line.
sub single_user
{
	my ($database, $options, @statements) = @_;
	my ($out, $err, $in) = ('', '', join('', map { s/\s+/ /gr . "\n" } @statements));
	IPC::Run::run([ $node->installed_command('postgres'), '--single', '-D', $node->data_dir, @$options, $database ],
		'<', \$in, '>', \$out, '2>', \$err) or die $err;
	return $out . $err;
}
my $last = sql('SELECT gen_monotonic_ulid()');
sql('CREATE DATABASE alone');
$node->stop;
for my $library ('ulid', '')
{
	my @options = ('-c', "shared_preload_libraries=$library");
	my $when = 'single-user mode, the library ' . ($library ? 'preloaded' : 'not preloaded');
	my $said = single_user('postgres', \@options, "EXPLAIN (COSTS OFF) SELECT * FROM event WHERE $condition",
		"EXPLAIN (COSTS OFF) SELECT * FROM key WHERE id >= ulid_lower_bound(now())",
		"SELECT count(*) AS found FROM event WHERE $condition");
	like($said, $index_condition, "$when: a condition on the time by the index");
	like($said, qr/Index Cond: \(id >= \(ulid_lower_bound\(now\(\)\)\)::uuid\)/, '  and of a uuid column');
	like($said, qr/found = "24"/, '  which finds the rows');
	$said = single_user('alone', \@options, 'DROP EXTENSION IF EXISTS ulid CASCADE', 'CREATE EXTENSION ulid', (split /;/, $tables),
		"EXPLAIN (COSTS OFF) SELECT * FROM event WHERE $condition", 'DROP TABLE event, key', 'SELECT gen_ulid() AS made');
	like($said, $index_condition, '  the extension is made, and serves');
	like($said, qr/made = "\w{26}"/, '  ids are made');
	next unless $library || named_shared_memory();
	$said = single_user('postgres', \@options, 'SELECT gen_monotonic_ulid() AS next');
	my ($next) = $said =~ /next = "(\w{26})"/;
	cmp_ok($next // $said, 'gt', $last, '  in the order of the server');
	$last = $next // $last;
}
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'ulid'\n");
$node->start;
cmp_ok(sql('SELECT gen_monotonic_ulid()'), 'gt', $last, 'after single-user mode the order goes on');

# ---- dropped under the plans of others -----------------------------------------------------------

my @sessions = map { $node->background_psql('postgres', on_error_stop => 0) } 1 .. 2;
my %prepared = (
	of_cast => 'SELECT count(*) FROM key WHERE id::ulid::timestamptz >= $1',
	of_operator => 'SELECT count(*) FROM key WHERE id::ulid >= $1',
	of_bound => 'SELECT count(*) FROM key WHERE id >= ulid_min($1)',
	of_range => 'SELECT count(*) FROM key WHERE ulid_within(id::ulid, tstzrange($1, NULL))',
	of_prefix => q{SELECT count(*) FROM key WHERE id::ulid ^@ '01KJ' AND $1 IS NOT NULL});
my $all = 'SELECT count(*) FROM key WHERE n >= 1416';
for my $other (@sessions)
{
	$other->query("SET search_path = public, s1, s2; SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan");
	$other->query("PREPARE $_(timestamptz) AS $prepared{$_}") for sort keys %prepared;
}
# The results of each prepared statement in a session, and its errors.
sub answers
{
	my ($other) = @_;
	$other->{stderr} = '';
	my @rows = map { $other->query("EXECUTE $_('2026-03-01Z')") || '-' } sort keys %prepared;
	return (join(' ', @rows), $other->{stderr});
}
sub answer { return (answers($_[0]))[0] }
my $right = answer($sessions[0]);
is($right, join(' ', map { sql($_) } ($all) x 3, "SELECT count(*) FROM key WHERE id::ulid ^@ '01KJ'", $all), 'prepared statements');
is(answer($sessions[1]), $right, 'prepared statements of a second session');
sql('CREATE SCHEMA s1; CREATE SCHEMA s2');
for my $schema ('public', 's1', 's2', 's1')
{
	sql('DROP EXTENSION ulid CASCADE');
	for my $other (@sessions)
	{
		my ($rows, $errors) = answers($other);
		is($rows, '- - - - -', 'the extension is dropped: they fail');
		is(scalar(() = $errors =~ /ERROR:  (?:type "ulid"|function \S+\(.*\)) does not exist/g), 5, '  and say what does not exist')
			or diag $errors;
	}
	sql("CREATE EXTENSION ulid SCHEMA $schema");
	for my $other (@sessions)
	{
		is(answer($other), $right, "made again in $schema: they work");
		like($other->query("EXPLAIN (COSTS OFF) EXECUTE of_bound('2026-03-01Z')"), qr/Index Cond: \(id >= \(\S*ulid_min\(/, '  by the index');
	}
}
# In the session itself, in a transaction that is rolled back.
my ($one) = @sessions;
$one->query('BEGIN; DROP EXTENSION ulid CASCADE; CREATE EXTENSION ulid SCHEMA s2');
is(answer($one), $right, 'dropped and made in another schema by the session itself');
$one->query('ROLLBACK');
is(answer($one), $right, '  and all of it undone');

is(log_count($node, 'cache lookup failed'), 0, 'nothing is looked for that is gone');

# While a cursor is open. That it finds no type then is the server's behavior for any type that is dropped.
$one->query("BEGIN; DECLARE c CURSOR FOR SELECT id::ulid::timestamptz, gen_ulid() FROM key
    WHERE id::ulid::timestamptz >= '2026-01-02Z' ORDER BY id");
is(scalar(split /\n/, $one->query('FETCH 3 FROM c')), 3, 'a cursor');
sql('DROP EXTENSION ulid CASCADE');
$one->query('FETCH 500 FROM c');
$one->query('ROLLBACK');
sql('CREATE EXTENSION ulid');
is(answer($_), $right, 'prepared statements work after the extension was dropped under a cursor') for @sessions;
$_->quit for @sessions;
is(log_count($node, 'was terminated by signal'), 0, 'no process is lost in all of that');
$node->stop;

# ---- a twin --------------------------------------------------------------------------------------

# Two servers with the same port, whose data directories have the same name.
my $script = 'test/tools/server';
my $parent = PostgreSQL::Test::Utils::tempdir_short();
sub start_twin { return system($script, 'start', "$parent/$_[0]", "shared_preload_libraries = 'ulid'") }
sub ask_twin
{
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
for my $twin (qw(b a) x 5)
{
	my $id = ask_twin($twin, 'SELECT gen_monotonic_ulid()');
	cmp_ok($id, 'gt', $of{$twin}, "$twin: its order");
	$of{$twin} = $id;
}
is(ask_twin('a', "SELECT '$of{b}'::ulid::timestamptz - '$of{a}'::ulid::timestamptz BETWEEN '59 min' AND '61 min'"), 't',
    'neither follows the other');
system($script, 'stop', "$parent/$_") == 0 or die for qw(a b);
done_testing();
