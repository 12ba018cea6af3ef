# What the tests of ulid_move.sql share: a server of its own, and psql, pg_dump and pgbench on it.
package UlidMove;

use strict;
use warnings;

use Exporter 'import';
use IPC::Run;
use List::Util qw(max);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(start_node on_node query write_file write_part ended run_file held_up run_killed run_writer write_script dump_of same_schema restores start_clients stop_clients);

my ($node, $writer, @restrict);

# Starts the server on which all that follows is done. Settings are lines of postgresql.conf.
sub start_node
{
	my ($name, $settings) = @_;
	my $sharedir = `@{[$ENV{PG_CONFIG} || 'pg_config']} --sharedir`;
	chomp $sharedir;
	$writer = "$sharedir/extension/ulid_move.sql";
	$node = PostgreSQL::Test::Cluster->new($name);
	$node->init(extra => ['--locale=C', '--encoding=UTF8']);
	$node->append_conf('postgresql.conf', <<"CONF");
fsync = off
wal_level = logical
max_prepared_transactions = 2
jit = off
log_statement = none
max_wal_size = 8GB
$settings
CONF
	$node->start;
	@restrict = `@{[$node->installed_command('pg_dump')]} --help` =~ /--restrict-key/ ? '--restrict-key=x' : ();
	return $node;
}

# Where there is more than one server: all that follows is done on this one.
sub on_node { ($node) = @_; return; }

sub query { my ($db, $sql) = @_; return $node->safe_psql($db, $sql); }

# A part of a script, as one that was made to end there: else psql says that it was cut off.
sub ended
{
	my ($part) = @_;
	my ($open, $closed) = map { scalar(() = $part =~ /^\\$_\b/mg) } 'if', 'endif';
	return $part . "\n" . "\\endif\n" x ($open - $closed);
}

sub write_part
{
	return write_file('part.sql', ended(@_));
}

# Writes a file anew into the directory of the test, and returns its path.
sub write_file
{
	my ($name, $text) = @_;
	my $file = "$PostgreSQL::Test::Utils::tmp_check/$name";
	unlink $file;
	append_to_file($file, $text);
	return $file;
}

# Runs psql on a file: its exit code, and what it said. No script takes a quarter of an hour: one that does hangs, and
# the test ends.
sub run_file
{
	my ($db, $file, @options) = @_;
	my ($out, $err) = ('', '');
	IPC::Run::run([ $node->installed_command('psql'), '-X', '-d', $node->connstr($db), '-f', $file, @options ], '<', \undef, '>', \$out, '2>', \$err,
		IPC::Run::timeout(900));
	return ($? >> 8, $err, $out);
}

# Starts psql on a file, and tests that the script waits for a process: the run, and what it says.
sub held_up
{
	my ($db, $file, $who, @options) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my ($out, $err) = ('', '');
	my $run = IPC::Run::start([ $node->installed_command('psql'), '-X', '-d', $node->connstr($db), '-f', $file, @options ], '<', \undef, '>', \$out, '2>', \$err,
		IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	$run->pump until $err =~ /waiting for process \d+/ || !$run->pumpable;
	like($err, qr/waiting for process \d+/, $who);
	return ($run, \$err);
}

# Kills the script that psql runs on a file some time after its start: psql, its session, or the server.
sub run_killed
{
	my ($db, $file, $way, $longest) = @_;
	my ($out, $err) = ('', '');
	my $run = IPC::Run::start([ $node->installed_command('psql'), '-X', '-d', $node->connstr($db) . ' application_name=killed', '-f', $file ], '<', \undef, '>', \$out, '2>', \$err);
	select undef, undef, undef, rand $longest;
	if ($way eq 'psql') { $run->signal('KILL'); }
	elsif ($way eq 'session') { query('postgres', "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'killed'"); }
	else { $node->stop('immediate'); $node->start; }
	$run->finish;
	$node->poll_query_until('postgres', "SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'killed'");
	return;
}

# Has the script that moves columns of a database written, to where the options say: what psql said, as run_file().
sub run_writer
{
	my ($db, $columns, $to, @options) = @_;
	return run_file($db, $writer, '-v', "columns=$columns", '-v', "to=$to", @options);
}

# That script as a file; or undef, and why there is none.
sub write_script
{
	my ($db, $columns, $to, @options) = @_;
	(my $name = "$db-$to-$columns") =~ s/\W+/-/g;
	my $file = "$PostgreSQL::Test::Utils::tmp_check/" . substr($name, 0, 100) . '.sql';
	my ($code, $err) = run_writer($db, $columns, $to, '-v', "script=$file", @options);
	return ($code == 0 ? $file : undef, $err);
}

sub dump_of
{
	my ($db, @options) = @_;
	my ($out, $err);
	IPC::Run::run([ $node->installed_command('pg_dump'), @restrict, @options, '-d', $node->connstr($db) ], '>', \$out, '2>', \$err) or die $err;
	return $out;
}

# Tests that two dumps are the same; else shows how they differ.
sub same_schema
{
	my ($got, $expected, $when) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return if ok($got eq $expected, $when);
	my $diff = '';
	IPC::Run::run([ 'diff', write_file('expected', $expected), write_file('got', $got) ], '>', \$diff);
	diag substr($diff, 0, 5000);
	return;
}

# Tests that a dump of a database restores, and gives the same schema.
sub restores
{
	my ($db, $when, @options) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	query('postgres', "DROP DATABASE IF EXISTS restored");
	query('postgres', "CREATE DATABASE restored TEMPLATE template0");
	my ($code, $err) = run_file('restored', write_file('restored.sql', dump_of($db, @options)), '-q', '-v', 'ON_ERROR_STOP=1');
	is($code, 0, "$when: a dump restores") or diag $err;
	# where a dump is restored IS DISTINCT FROM finds uuid's operator, as that of ulid is in no schema searched
	# and an array of ulids is one of uuids, as a whole or each element
	same_schema((map { s/\(((?:\w+(?:\.\w+)?)|ARRAY\[[^][()]*\])\)::uuid(?:\[\])?/$1/gr =~ s/\(\((.*?)\)\)/($1)/gr } map { dump_of($_, '-s', @options) } 'restored', $db),
		"$when: and gives the same schema");
	return;
}

# Starts clients, which go on until stop_clients(). What pgbench says goes to a file: with a pipe that nobody
# reads while a script runs it would stop in the middle of a transaction, and keep its locks.
sub start_clients
{
	my ($db, $log, @options) = @_;
	my $prefix = "$PostgreSQL::Test::Utils::tmp_check/$log";
	return { log => $prefix, handle => IPC::Run::start(
		[ $node->installed_command('pgbench'), '-n', '-T', 36000, '--log', "--log-prefix=$prefix", @options, $node->connstr($db) ],
		'<', \undef, '>', "$prefix.out", '2>&1') };
}

# Ends them. Returns whether pgbench is content, what it said, the longest of its transactions in ms, and
# how many there were. What was not done counts for nothing.
sub stop_clients
{
	my ($clients) = @_;
	# what ends a run of pgbench when its time is over
	$clients->{handle}->signal('ALRM');
	my $content = $clients->{handle}->finish;
	my @latencies = map { my @f = split; $f[2] =~ /^\d+$/ ? $f[2] / 1000 : () } map { split /\n/, slurp_file($_) } grep { !/\.out$/ } glob("$clients->{log}.*");
	return ($content, slurp_file("$clients->{log}.out"), max(@latencies), scalar @latencies);
}

1;
