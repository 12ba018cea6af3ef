# A client that has prepared statements, cursors and portals goes on over the switch of a move, as doc/moving-application.md
# says: only what returns the column itself is prepared again.
use FindBin;
use lib "$FindBin::Bin/../perl";
use IPC::Run;
use UlidCluster;
use UlidMove;

my $node = start_node('move_clients', '');
my ($include, $library) = map { my ($path) = run_command([ $ENV{PG_CONFIG} || 'pg_config', $_ ]); $path } '--includedir', '--libdir';
my $program = compile("$FindBin::Bin/../perl/move_client.c", PostgreSQL::Test::Utils::tempdir() . '/move_client',
	"-I$include", "-L$library", "-Wl,-rpath,$library", '-lpq');

query('postgres', 'CREATE DATABASE clients');
query('clients', <<'SQL');
	CREATE EXTENSION ulid;
	CREATE TABLE kept (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer, t text);
	CREATE TABLE parts (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer, t text) PARTITION BY HASH (id);
	CREATE TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
	CREATE TABLE texts (id varchar(26) PRIMARY KEY DEFAULT gen_ulid(), n integer, t text);
	INSERT INTO kept VALUES ('01563e3a-b5d3-d676-4c61-efb99302bd5b', 1);
	INSERT INTO parts VALUES ('01563e3a-b5d3-d676-4c61-efb99302bd5b', 1);
	INSERT INTO texts VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV', 1), ('01ARZ3NDEKTSV4RRFFQ69G0000', 0);
SQL
query('clients', "INSERT INTO $_ (n) SELECT n FROM generate_series(2, 500) n") foreach 'kept', 'parts', 'texts';
query('clients', 'ANALYZE');

sub start_client
{
	my ($table, $kind) = @_;
	my ($in, $out, $err) = ('', '', '');
	my $client = { in => \$in, out => \$out, err => \$err };
	$client->{handle} = IPC::Run::start([ $program, $node->connstr('clients'), $table, $kind ], '<', \$in, '>', \$out, '2>', \$err,
		IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	$client->{handle}->pump until $out =~ /^ready\n/m;
	return $client;
}

# What it says before the switch and after it, by name.
sub end_client
{
	my ($client) = @_;
	${ $client->{in} } .= "go on\n";
	$client->{handle}->finish or die ${ $client->{err} };
	return map { [ split /\n/ ] } split /^(?:ready|prepared again)\n/m, ${ $client->{out} };
}

my $changed = qr/0A000 cached plan must not change result type/;
foreach my $table ('kept', 'parts')
{
	my %file = map { $_ => (write_script('clients', $table, $_))[0] } 'ulid', 'uuid';
	foreach my $to ('ulid', 'uuid')
	{
		my $client = start_client($table, 'uuid');
		my ($code, $err) = run_file('clients', $file{$to});
		is($code, 0, "$table to $to: the script runs") or diag $err;
		my ($before, $after, $again) = end_client($client);
		is(scalar(grep { /: (?:\w{5} |SELECT 0)/ } @$before), 0, "$table to $to: statements are prepared, in binary and in text") or diag join "\n", @$before;
		my @first = grep { /^(?!declare|held)/ } @$before;
		my @held = grep { /^held/ } @$before, @$after;
		my @later = grep { /^(?!held)/ } @$after;
		like($held[1], qr/^held: .*, 498 rows$/, "$table to $to: a cursor WITH HOLD gives the rest of its rows");
		foreach my $n (0 .. $#first)
		{
			my ($name) = $first[$n] =~ /^(.*?): /;
			if ($name =~ /^(?:the column|returning)$/)
			{
				like($later[ 2 * $n + $_ ], qr/^$name: $changed/, "$table to $to: $name, prepared before, fails, time " . ($_ + 1)) foreach 0, 1;
			}
			else
			{
				is($later[ 2 * $n + $_ ], $first[$n], "$table to $to: $name, prepared before, gives the same, time " . ($_ + 1)) foreach 0, 1;
			}
			# also a text without a type, which is read as the column's
			is($again->[ $n + 1 ], $first[$n], "$table to $to: $name, prepared again, too");
		}
	}
}

# A table of texts.
{
	my ($file) = write_script('clients', 'texts', 'ulid');
	my $client = start_client('texts', 'text');
	is((run_file('clients', $file))[0], 0, 'from text: the script runs');
	my ($before, $after, $again) = end_client($client);
	my %first = map { /^(.*?): (.*)/ } @$before;
	my %later = map { /^(.*?): (.*)/ } @$after;
	my %again = map { /^(.*?): (.*)/ } @$again;
	is($first{$_}, '1, 1 rows', "from text: $_, before") foreach 'typed', 'varchar', 'inferred';
	like($later{$_}, qr/^42883 operator does not exist: ulid = (?:text|character varying)/, "from text: $_, prepared before, has no operator") foreach 'typed', 'varchar', 'inferred';
	is($later{$_}, $first{$_}, "from text: $_, prepared before, gives the same") foreach 'insert', 'as text';
	like($later{'the column'}, qr/^$changed/, 'from text: the column, prepared before, fails');
	is($again{$_}, $first{$_}, "from text: $_, prepared again, gives the same") foreach 'inferred', 'as text', 'the column';
	like($later{held}, qr/^01[0-9A-Z]{24}, 499 rows/, 'from text: a cursor WITH HOLD gives the rest of its rows');
}

# A portal that is open holds up the switch, which gives up its locks and tries again, and nothing fails.
foreach my $table ('kept', 'parts')
{
	my ($file) = write_script('clients', $table, 'ulid');
	# CREATE INDEX CONCURRENTLY would wait for it
	my ($one) = slurp_file($file) =~ /\A(.*?)^-- 2\. /ms;
	run_file('clients', write_part($one)) if $table eq 'kept';
	my $client = start_client($table, 'portal');
	local $ENV{PGOPTIONS} = '-c ulid_move.lock_attempts=1000';
	my ($out, $err) = ('', '');
	my $script = IPC::Run::start([ $node->installed_command('psql'), '-X', '-d', $node->connstr('clients') . ' application_name=mover', '-f', $file ], '<', \undef, '>', \$out, '2>', \$err);
	# it has made an attempt, and sleeps before the next
	ok($node->poll_query_until('clients', "SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = 'mover' AND wait_event = 'PgSleep' AND query LIKE 'CALL %'"),
		"$table: the switch waits for the client");
	is(query('clients', "SELECT pg_typeof(id), count(*) FROM $table GROUP BY 1"), 'uuid|500', "$table: and holds up no other");
	my ($before, $after) = end_client($client);
	like(join("\n", @$after), qr/\Afetch: [-0-9a-f]{36}, 499 rows\nupdate: UPDATE 1\ncommit: COMMIT\z/, "$table: the portal gives the rest of its rows, and its transaction ends");
	$script->finish;
	is($script->result(0), 0, "$table: then the switch is made") or diag $err;
	is(query('clients', "SELECT DISTINCT pg_typeof(id) FROM $table"), 'ulid', "$table: with the type");
}

# What PL/pgSQL has planned with the old type, of a row or of a record, in a session that goes on writing meanwhile.
query('clients', <<'SQL');
	CREATE TABLE watched (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer);
	CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$
	DECLARE
		one record;
		same uuid := NEW.id;
	BEGIN
		SELECT id INTO one FROM watched LIMIT 1;
		PERFORM set_config('my.id', NEW.id::uuid::text || one.id::uuid::text, false);
		RETURN NEW;
	END $$;
	CREATE TRIGGER watch BEFORE INSERT OR UPDATE ON watched FOR EACH ROW EXECUTE FUNCTION watch();
	INSERT INTO watched (n) VALUES (0);
SQL
foreach my $copy (undef, 'public.watched')
{
	my %file = map { $_ => (write_script('clients', 'watched', $_, $copy ? ('-v', "copy=$copy") : ()))[0] } 'ulid', 'uuid';
	my ($in, $out, $err) = ('', '', '');
	my $writer = IPC::Run::start([ $node->installed_command('psql'), '-X', '-q', '-d', $node->connstr('clients') . ' application_name=writer' ], '<', \$in, '>', \$out, '2>', \$err);
	foreach my $to ('ulid', 'uuid')
	{
		my $name = join ' ', 'PL/pgSQL', $copy ? 'by copying' : 'in place', "to $to";
		# it writes all the time: a plan is not made anew for another reason while the script runs
		$in .= "INSERT INTO watched (n) VALUES (1);\nSELECT pg_sleep(0.002) \\g /dev/null\n" x 500;
		$writer->pump_nb;
		is((run_file('clients', $file{$to}))[0], 0, "$name: the script runs");
		$in .= "UPDATE watched SET n = 2 WHERE n = 0;\nUPDATE watched SET n = 0 WHERE n = 2;\n\\echo done $to\n";
		$writer->pump until $out =~ /done $to/;
		is($err, '', "$name: what was planned with the other type is planned anew");
	}
	$writer->finish;
}

$node->stop;
done_testing();
