# A move made by the owner of the tables, who is no superuser and for whom settings are made that would stop it.
#
# Part of make test-moving.
use FindBin;
use lib "$FindBin::Bin/../perl";
use IPC::Run;
use UlidCluster;
use UlidMove;

my $node = start_node('move_settings', '');

query('postgres', 'CREATE ROLE mover LOGIN; CREATE ROLE other LOGIN; CREATE ROLE reader; GRANT reader TO mover');
query('postgres', 'CREATE DATABASE settings');
query('settings', <<'SQL');
	CREATE EXTENSION ulid;
	GRANT CREATE ON DATABASE settings TO mover;
	CREATE SCHEMA s AUTHORIZATION mover;
	GRANT USAGE ON SCHEMA s TO other, reader;
	SET ROLE mover;
	SET search_path = s, public;
	CREATE TABLE kept (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), up uuid REFERENCES kept, n integer, day text DEFAULT '03/04/2026');
	CREATE INDEX ON kept (up);
	CREATE POLICY p ON kept USING (id IS NOT NULL);
	ALTER TABLE kept ENABLE ROW LEVEL SECURITY;
	CREATE TABLE texts (id varchar(26) PRIMARY KEY DEFAULT gen_ulid(), n integer, CHECK (length(id) = 26));
	CREATE TABLE of_texts (no integer PRIMARY KEY, text_id varchar(26) REFERENCES texts);
	CREATE TABLE parts (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), text_id varchar(26) REFERENCES texts) PARTITION BY HASH (id);
	CREATE TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	CREATE VIEW seen AS SELECT kept.id, up, t.n FROM kept JOIN texts t USING (n);
	CREATE MATERIALIZED VIEW filled AS SELECT id, n FROM seen;
	CREATE MATERIALIZED VIEW days AS SELECT id, day::date AS day, day::date::text AS said FROM kept;
	CREATE TRIGGER t BEFORE UPDATE OF id ON kept FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
	CREATE FUNCTION f() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(id) FROM s.kept; END;
	GRANT SELECT ON texts, kept TO other;
	INSERT INTO kept (n) SELECT n FROM generate_series(1, 100) n;
	INSERT INTO texts (n) SELECT n FROM generate_series(1, 100) n;
	INSERT INTO of_texts SELECT n, id FROM texts;
	INSERT INTO parts (text_id) SELECT id FROM texts;
	REFRESH MATERIALIZED VIEW filled;
SQL
my $dump = dump_of('settings', '-s');

# ---------------------------------------------------------------- Settings, of the role and of the database
my $by_role = join ' ', map { "ALTER ROLE mover SET $_;" } "default_transaction_isolation = 'serializable'", 'default_transaction_read_only = on', "idle_in_transaction_session_timeout = '1ms'",
  "lock_timeout = '1ms'", "statement_timeout = '300ms'", 'row_security = off', "search_path = 'nowhere'", "datestyle = 'SQL, DMY'", 'backslash_quote = off', "client_min_messages = 'error'",
  query('postgres', 'SHOW server_version_num') >= 170000 ? "transaction_timeout = '400ms'" : ();
sub runs_as_mover
{
	my ($file, $name) = @_;
	# each row takes longer than the timeouts
	local $ENV{PGOPTIONS} = '-c ulid_move.batch_rows=20 -c ulid_move.batch_pause=100ms -c ulid_move.lock_timeout=1s';
	my ($code, $err) = run_file('settings', $file, '-U', 'mover');
	return is($code, 0, $name) || diag $err;
}
foreach my $set ([ 'ALTER ROLE', $by_role ], [ 'ALTER DATABASE', $by_role =~ s/ROLE mover/DATABASE settings/gr ])
{
	my ($of, $settings) = @$set;
	query('postgres', $settings);
	# a view has columns of both, so the scripts of the second are written when the first have moved
	my @back;
	foreach ([ 's.kept', 'ulid', 'uuid' ], [ 's.texts, s.parts', 'ulid', 'varchar(26)' ])
	{
		my ($columns, @types) = @$_;
		my ($there, $back) = map {
			my ($file, $err) = write_script('settings', $columns, $_, '-U', 'mover');
			ok($file, "$of: a script for $columns to $_") or diag $err;
			$file // '/dev/null' } @types;
		runs_as_mover($there, "$of: $columns to ulid, by the owner");
		is(query('settings', 'SELECT day = make_date(2026, 4, 3), said, count(*) FROM s.days GROUP BY 1, 2'), 't|03/04/2026|100', "$of: a materialized view has the day that was meant, in its form");
		unshift @back, $back;
	}
	runs_as_mover($_, "$of: and back") foreach @back;
	query('postgres', 'ALTER ROLE mover RESET ALL; ALTER DATABASE settings RESET ALL');
	is(dump_of('settings', '-s'), $dump, "$of: to the same schema");
}

# ---------------------------------------------------------------- What the owner may not do
my ($file) = write_script('settings', 's.texts', 'ulid', '-U', 'mover');
query('settings', 'REVOKE CREATE ON DATABASE settings FROM mover');
like((write_script('settings', 's.texts', 'ulid', '-U', 'mover'))[1], qr/you have no CREATE on database settings/, 'no CREATE on the database: no script');
like((run_file('settings', $file, '-U', 'mover'))[1], qr/permission denied.*no CREATE on database settings/s, 'nor does one begin');
query('settings', 'GRANT CREATE ON DATABASE settings TO mover; CREATE PUBLICATION of_another FOR TABLE s.texts; CREATE TABLE s.of_another (text_id varchar(26) REFERENCES s.texts)');
like((write_script('settings', 's.texts', 'ulid', '-U', 'mover'))[1], qr/s\.of_another is owned by postgres.*publication of_another is owned by postgres/s, 'the table and the publication of another');
query('settings', 'DROP PUBLICATION of_another; DROP TABLE s.of_another; ALTER SCHEMA s OWNER TO postgres; GRANT USAGE ON SCHEMA s TO mover');
like((write_script('settings', 's.texts', 'ulid', '-U', 'mover'))[1], qr/you have no CREATE on schema s, where table s\.texts is made anew/, 'no CREATE on the schema');
query('settings', 'ALTER SCHEMA s OWNER TO mover');
is(dump_of('settings', '-s'), $dump, 'nothing was changed');

# A materialized view is filled again with the rights of its owner.
query('settings', 'GRANT CREATE ON SCHEMA s TO reader; ALTER MATERIALIZED VIEW s.filled OWNER TO reader');
foreach my $columns ('s.kept', 's.texts')
{
	my $back;
	foreach (
		[ '', qr/materialized view s\.filled cannot be filled again: reader may not read s\.seen/ ],
		[ 'GRANT SELECT (n) ON s.seen TO reader', qr/reader may not read s\.seen/ ],
		[ 'GRANT SELECT (id) ON s.seen TO reader', undef ],
		[ 'ALTER VIEW s.seen SET (security_invoker)', qr/reader may not read s\.kept.*reader may not read s\.texts/s ],
		[ 'GRANT SELECT ON s.kept, s.texts TO reader', undef ])
	{
		my ($change, $error) = @$_;
		query('settings', $change);
		my ($written, $err) = write_script('settings', $columns, 'ulid', '-U', 'mover');
		($back) = write_script('settings', $columns, $columns eq 's.kept' ? 'uuid' : 'varchar(26)', '-U', 'mover') if $change =~ /s\.kept/;
		if ($error) { like($err, $error, "$columns, a materialized view, $change: is named"); }
		else { ok($written, "$columns, a materialized view, $change: and then there is a script") or diag $err; }
		next if $error;
		next unless $change =~ /s\.kept/;
		my ($code, $said) = run_file('settings', $written, '-U', 'mover');
		is($code, 0, 'which runs') or diag $said;
	}
	is((run_file('settings', $back, '-U', 'mover'))[0], 0, 'and back');
	query('settings', 'ALTER VIEW s.seen RESET (security_invoker); REVOKE SELECT (id, n) ON s.seen FROM reader; REVOKE SELECT ON s.kept, s.texts FROM reader');
}

query('settings', 'ALTER MATERIALIZED VIEW s.filled OWNER TO mover');

# ---------------------------------------------------------------- The old snapshot of another role
# of which the owner is not told what it is; it holds up the switch all the same.
{
	($file) = write_script('settings', 's.texts', 'ulid', '-U', 'mover');
	my ($keep, $copy) = slurp_file($file) =~ /\A(.*?)(^-- 3\. .*?)^-- 4\. /ms;
	is((run_file('settings', write_part($keep), '-U', 'mover'))[0], 0, 'a copy without rows');
	my $client = $node->background_psql('settings', extra_params => [ '-U', 'other' ]);
	$client->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ');
	is($client->query_safe('SELECT count(*) FROM s.texts'), 100, 'a reader of another role');
	my ($script, $err) = held_up('settings', $file, 'holds up the switch', '-U', 'mover');
	is($client->query_safe('SELECT count(*) FROM s.texts'), 100, 'and reads what it read');
	$client->query_safe('COMMIT');
	$client->quit;
	$script->finish;
	is($script->result(0), 0, 'which is made then') or diag $$err;
	is(query('settings', 'SELECT pg_typeof(id), count(*) FROM s.texts GROUP BY 1'), 'ulid|100', 'with every row');
}

$node->stop;
done_testing();
