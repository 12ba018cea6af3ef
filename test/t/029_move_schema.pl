# Any schema moves to ulid and back, while clients write, killed on the way: the schema of test/t/moving/application.sql,
# which has what the schemas of well-known applications had, or with make test-schema any other.
#
# ULID_SCHEMA      a dump in SQL, which the server's user can read
# ULID_COLUMNS     what moves: the primary keys of uuid, unless it says
# ULID_COPY        what is copied of that, as -v copy=... has it
# ULID_MOVE_KILLS  how many times a script is killed before it may come to its end
use FindBin;
use lib "$FindBin::Bin/../perl";
use List::Util qw(max);
use Time::HiRes qw(time);
use UlidCluster;
use UlidMove;

my $columns = $ENV{ULID_COLUMNS} || '*.*';
my $kills = $ENV{ULID_MOVE_KILLS} || 3;
my $here = "$FindBin::Bin/moving";

# What fills the tables is no part of the schema.
my @without = ('-N', 'filled');
my $node = start_node('move_schema', 'max_locks_per_transaction = 256');
query('postgres', 'CREATE DATABASE app');
{
	# roles and extensions of others may be missing
	my ($code, $err) = run_file('app', $ENV{ULID_SCHEMA} || "$here/application.sql", '-q');
	diag 'what the schema misses here: ', join "\n", $err =~ /ERROR:  (.*)/g if $err =~ /ERROR/;
	query('app', 'CREATE EXTENSION ulid SCHEMA public');
	($code, $err) = run_file('app', "$here/fill.sql", '-q', '-v', 'rows=20');
	is($code, 0, 'every table is filled') or BAIL_OUT($err);
}
my ($tables, $filled, $writable) = split /\|/, query('app', 'SELECT count(*), count(*) FILTER (WHERE rows > 0), count(*) FILTER (WHERE writable AND key IS NOT NULL) FROM filled.tab');
cmp_ok($filled, '>=', 0.8 * $tables, "$filled of $tables tables, that is; clients write to $writable");
diag query('app', q{SELECT format('not filled: %s: %s', rel, error) FROM filled.tab WHERE rows = 0}) if $filled < $tables;

my $schema = dump_of('app', '-s', @without);
my $contents = query('app', 'SELECT filled.contents()');

sub start_load
{
	my ($log) = @_;
	my $load = start_clients('app', $log, '-c', 2, '-f', write_file('work.pgbench', "SELECT filled.work();\n"));
	$node->poll_query_until('app', 'SELECT count(*) >= 10 FROM filled.ledger') or die 'no load: ' . slurp_file("$load->{log}.out");
	return $load;
}

sub stop_load
{
	my ($load, $when) = @_;
	my ($content, $said, $longest, $count) = stop_clients($load);
	ok($content && $said !~ /aborted/, "$when: no statement of a client failed") or diag substr($said, 0, 3000);
	return ($longest, $count);
}

# Those of the fixture in place, and once more with two tables that are copied.
foreach my $copy ($ENV{ULID_COPY} || $ENV{ULID_SCHEMA} ? $ENV{ULID_COPY} // '' : ('', 'public.customer, public.invoice'))
{
	my $with = $copy && ', with copies';
	my %file;
	foreach my $type ('ulid', 'uuid')
	{
		($file{$type}, my $err) = write_script('app', $columns, $type, '-v', 'texts=known', '-v', "copy=$copy");
		ok($file{$type}, "a script to $type is written$with") or BAIL_OUT($err);
	}
	my @moved = slurp_file($file{ulid}) =~ /^--   (\S.*)/mg;
	my $plan = slurp_file($file{ulid});
	my @changed = map { scalar split /, / } $plan =~ /^-- Switch.*?: \d+ columns of (.*) \(/mg;
	my @locked = $plan =~ /^--     locks (\d+) tables/mg;
	diag sprintf '%d columns, %d switches; in one of them up to %d tables change, and up to %d are locked', scalar @moved, scalar @changed, max(@changed), max(@locked) if @changed;

	foreach my $type ('ulid', 'uuid')
	{
		my $load = start_load("to_$type" . !!$copy);
		my $begin = time;
		foreach my $n (1 .. $kills)
		{
			my $way = (qw(psql session server))[ ($n - 1) % 3 ];
			# who is connected to a server that is killed fails
			stop_load($load, "to $type$with, kill $n") if $way eq 'server';
			run_killed('app', $file{$type}, $way, 3);
			$load = start_load("to_${type}_$n" . !!$copy) if $way eq 'server';
		}
		my ($code, $err, $out) = run_file('app', $file{$type});
		is($code, 0, "to $type$with: killed $kills times it comes to its end") or diag $err;
		my $took = time - $begin;
		my ($longest, $count) = stop_load($load, "to $type$with");
		diag sprintf 'to %s%s: %.0f s; the longest of %d transactions took %.0f ms', $type, $with, $took, $count, $longest;
		is(query('app', 'SELECT filled.lost()'), 0, "to $type$with: no row of a client is lost");
		query('app', 'SELECT filled.clean()');
		same_schema(query('app', 'SELECT filled.contents()'), $contents, "to $type$with: the rows from before are as they were");
		is(query('app', 'SELECT string_agg(DISTINCT format_type(atttypid, -1), \' \') FROM pg_attribute JOIN (VALUES '
				. join(', ', map { my ($rel, $att) = /^(.*)\.("(?:[^"]|"")+"|[^."]+)$/; "('" . $rel =~ s/'/''/gr . "', '" . $att =~ s/'/''/gr . "')" } @moved)
				. ') v (rel, att) ON attrelid = rel::regclass AND quote_ident(attname) = att'), $type, "to $type$with: every column is of the type");
		is(query('app', 'SELECT count(*) FROM pg_class WHERE relname LIKE \'%ulid_move\''), 0, "to $type$with: and nothing else is left");
		restores('app', "to $type$with", @without);
		($code, $err, $out) = run_file('app', $file{$type});
		like($out, qr/^Nothing to do/m, "to $type$with: once more it does nothing") or diag $err;
	}
	same_schema(dump_of('app', '-s', @without), $schema, "there and back$with: the dump is the same");
}

$node->stop;
done_testing();
