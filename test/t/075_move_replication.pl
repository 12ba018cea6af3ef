# A published table moves by the scripts of ulid_move.sql, and one that a subscription writes: the publisher first and the
# subscriber first, in place and by copying, as text and in binary, there and back, while clients write. All rows of
# both are compared. Then: first copies that are made during a move, publications of all tables and of a schema,
# consumers of a slot, subscriptions that begin in the middle of a move, and standbys.
#
# Part of make test-moving.
use FindBin;
use lib "$FindBin::Bin/../perl";
use IPC::Run;
use Time::HiRes qw(sleep);
use UlidCluster;
use UlidMove;

my $tmp = $PostgreSQL::Test::Utils::tmp_check;
my $settings = <<'CONF';
max_replication_slots = 40
max_wal_senders = 40
max_worker_processes = 60
max_logical_replication_workers = 50
wal_retrieve_retry_interval = 200ms
wal_receiver_status_interval = 1s
CONF
my $subscriber = start_node('subscriber', $settings);
my $publisher = start_node('publisher', "$settings\nmax_prepared_transactions = 0");

# A script is written, or run, on one of the two servers.
sub there { my ($node, $do, @arguments) = @_; on_node($node); my @result = $do->(@arguments); on_node($publisher); return @result; }

# ---------------------------------------------------------------- The tables
my @uuids = qw(plain refers whole by_index listed filtered grown);
my $schema = <<'SQL';
CREATE EXTENSION ulid;
CREATE TABLE plain (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer NOT NULL DEFAULT 0, t text);
CREATE INDEX ON plain (n);
CREATE TABLE refers (no uuid PRIMARY KEY DEFAULT gen_random_uuid(), plain_id uuid REFERENCES plain ON UPDATE CASCADE ON DELETE CASCADE, n integer NOT NULL DEFAULT 0);
CREATE INDEX ON refers (plain_id);
CREATE TABLE whole (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer NOT NULL DEFAULT 0, t text);
ALTER TABLE whole REPLICA IDENTITY FULL;
CREATE TABLE by_index (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), code uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE, n integer NOT NULL DEFAULT 0);
ALTER TABLE by_index REPLICA IDENTITY USING INDEX by_index_code_key;
CREATE TABLE listed (secret text DEFAULT 'secret', id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer NOT NULL DEFAULT 0);
CREATE TABLE filtered (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer NOT NULL DEFAULT 0);
ALTER TABLE filtered REPLICA IDENTITY FULL;
CREATE TABLE grown (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer NOT NULL DEFAULT 0) PARTITION BY HASH (id);
CREATE TABLE grown_0 PARTITION OF grown FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE grown_1 PARTITION OF grown FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE texts (id text PRIMARY KEY DEFAULT gen_ulid(), n integer NOT NULL DEFAULT 0);
SQL
my $rows = join ';', map { "INSERT INTO $_ SELECT FROM generate_series(1, 500)" } qw(plain whole by_index listed filtered grown texts);
my $publications = <<'SQL';
CREATE PUBLICATION uuids FOR TABLE plain, refers, whole, by_index, listed (id, n), filtered WHERE (n % 2 = 0), grown;
CREATE PUBLICATION texts FOR TABLE texts;
SQL

# What the clients do, with ids as text without a type.
my %scripts = (
	insert => <<'SQL',
WITH p AS (INSERT INTO plain (t) VALUES ('load') RETURNING id) INSERT INTO refers (plain_id) SELECT id FROM p;
INSERT INTO grown DEFAULT VALUES;
SQL
	'update' => join("\n", 'BEGIN;', (map { "UPDATE $_ SET n = n + 1 WHERE id IN (SELECT id FROM $_ ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED);" } sort qw(plain whole by_index listed filtered grown texts)), 'END;'),
	rekey => join("\n", map { "UPDATE $_ SET id = gen_ulid() WHERE id IN (SELECT id FROM $_ ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED);" } sort qw(plain whole by_index listed filtered texts)),
	'delete' => join("\n", map { "WITH d AS (DELETE FROM $_ WHERE id IN (SELECT id FROM $_ ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id) INSERT INTO $_ (n) SELECT 0 FROM d;" } sort qw(plain whole by_index listed filtered grown texts)),
	# which goes over the switch of another table
	long => "BEGIN; INSERT INTO listed DEFAULT VALUES;\n\\sleep 20 ms\nINSERT INTO whole DEFAULT VALUES; INSERT INTO texts DEFAULT VALUES; END;",
	rollback => "BEGIN; UPDATE plain SET n = -1 WHERE t = 'load'; DELETE FROM grown; ROLLBACK;");
my @load = ('-M', 'simple', '-c', 3, '-j', 1, map { write_file("replicated-$_.pgbench", $scripts{$_}); ('-f', "$tmp/replicated-$_.pgbench\@" . ($_ eq 'rollback' ? 1 : 5)) } sort keys %scripts);

sub start_load
{
	my ($db) = @_;
	my $load = start_clients($db, "load-$db", '--max-tries=100', @load);
	go_on($db);
	return $load;
}

# Waits until the clients have written some more.
sub go_on
{
	my ($db) = @_;
	my $seen = query($db, 'SELECT count(*) FROM refers');
	$publisher->poll_query_until($db, "SELECT count(*) > $seen + 20 FROM refers") or die 'no load: ' . slurp_file("$tmp/load-$db.out");
	return;
}

sub stop_load
{
	my ($load, $when) = @_;
	my ($content, $said) = stop_clients($load);
	ok($content && $said !~ /failed transactions: [^0]|aborted/, "$when: no statement of a client failed") or diag substr($said, 0, 3000);
	return;
}

# ---------------------------------------------------------------- What is compared
sub subscribe
{
	my ($db, $name, $options, $as) = @_;
	$as //= $name;
	my $connection = $publisher->connstr . " dbname=$db";
	$subscriber->safe_psql($db, "CREATE SUBSCRIPTION ${as} CONNECTION '$connection' PUBLICATION $name WITH (slot_name = '${db}_${as}'" . ($options ? ", $options" : '') . ')');
	return;
}

sub synchronized
{
	my ($db) = @_;
	$subscriber->poll_query_until($db, "SELECT count(*) = 0 FROM pg_subscription_rel WHERE srsubstate <> 'r'") or die "$db is not synchronized";
	return;
}

sub caught_up
{
	my ($db, @names) = @_;
	foreach my $name (@names)
	{
		my $lsn = $publisher->lsn('insert');
		$publisher->poll_query_until('postgres', "SELECT confirmed_flush_lsn >= '$lsn' FROM pg_replication_slots WHERE slot_name = '${db}_$name'")
			or die "$db, $name: does not catch up\n" . join "\n", grep { /ERROR/ } (split /\n/, slurp_file($subscriber->logfile))[ -20 .. -1 ];
	}
	return;
}

# Each row of the tables, whichever type its ids have.
sub contents
{
	my ($node, $db, @tables) = @_;
	return join "\n", map {
		my $table = $_;
		my $row = $node->safe_psql($db, qq{SELECT string_agg(CASE WHEN attname IN ('id', 'code', 'no', 'plain_id') THEN format('%I::ulid::uuid::text', attname)
				ELSE format('%I::text', attname) END, ', ' ORDER BY attname)
			FROM pg_attribute WHERE attrelid = '$table'::regclass AND attnum > 0 AND attname <> 'secret'});
		my $filter = $table eq 'filtered' ? 'WHERE n % 2 = 0' : '';
		"$table " . $node->safe_psql($db, "SELECT count(*), md5(string_agg(t, E'\\n' ORDER BY t)) FROM (SELECT ROW($row)::text AS t FROM $table $filter) r");
	} @tables;
}

sub same_rows
{
	my ($db, $when, @tables) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is(contents($subscriber, $db, @tables), contents($publisher, $db, @tables), "$when: both have the same rows");
	return;
}

my %errors_before;
sub errors { my ($db) = @_; return $subscriber->safe_psql($db, 'SELECT COALESCE(sum(apply_error_count), 0) FROM pg_stat_subscription_stats'); }
sub types
{
	my ($node, $db, @tables) = @_;
	return $node->safe_psql($db, 'SELECT string_agg(DISTINCT format_type(atttypid, NULL), $$ $$) FROM pg_attribute WHERE attname = $$id$$ AND attrelid::regclass::text = ANY ($${' . join(',', @tables) . '}$$)');
}

$ENV{PGOPTIONS} = '-c ulid_move.lock_timeout=300ms -c ulid_move.lock_attempts=1000 -c ulid_move.batch_rows=100';
sub moves
{
	my ($node, $db, $file, $when) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my ($code, $err) = there($node, \&run_file, $db, $file);
	is($code, 0, "$when: the script") or diag $err;
	return;
}

# ---------------------------------------------------------------- The publisher first, and the subscriber first
foreach my $way ('in place', 'by copying')
{
	foreach my $format ('text', 'binary')
	{
		foreach my $first ('publisher', 'subscriber')
		{
			my $when = "$way, $format, the $first first";
			(my $db = $when) =~ s/\W+/_/g;
			query('postgres', "CREATE DATABASE $db");
			$subscriber->safe_psql('postgres', "CREATE DATABASE $db");
			query($db, "$schema $rows; $publications");
			$subscriber->safe_psql($db, $schema);
			subscribe($db, 'uuids', $format eq 'binary' ? 'binary = true' : '');
			subscribe($db, 'texts');
			synchronized($db);

			# A subscriber's tables are not copied: no trigger of a statement is fired there.
			my $columns = 'public.plain, public.refers, public.whole, public.by_index, public.by_index.code, public.listed, public.filtered';
			my @copy = $way eq 'in place' ? () : ('-v', 'copy=public.*');
			my %script;
			foreach my $to ('ulid', 'uuid')
			{
				foreach my $node ($publisher, $subscriber)
				{
					next if $node == $subscriber && $to eq 'uuid' && $format eq 'text'; # is refused, below
					my @options = $node == $publisher ? @copy : ();
					my $all = $columns . ($node == $publisher && $way eq 'by copying' ? ', public.grown' : '');
					my ($file, $why) = there($node, sub { return write_script($db, $all, $to, @options) });
					ok($file, "$when: a script to $to for the " . $node->name) or BAIL_OUT($why);
					rename $file, "$file." . $node->name;
					$script{ $node->name }{$to} = "$file." . $node->name;
				}
			}
			my ($texts) = write_script($db, 'public.texts', 'ulid');
			my ($texts_back) = write_script($db, 'public.texts', 'text');
			if ($format eq 'text' && $first eq 'publisher')
			{
				my ($none, $why) = there($subscriber, sub { return write_script($db, $columns, 'ulid', '-v', 'copy=public.*') });
				like($why, qr/is written by a subscription, which fires no trigger/, "$when: what a subscription writes is not copied");
				($none, $why) = there($subscriber, sub { return write_script($db, 'public.texts', 'ulid') });
				like($why, qr/is written by a subscription, which fires no trigger/, "$when: nor what is text");
			}

			my $load = start_load($db);
			my $errors = errors($db);
			# what the two differ in: as text a uuid does not read ULIDs
			my $stops = $format eq 'text';
			if ($first eq 'publisher')
			{
				moves($publisher, $db, $script{publisher}{ulid}, "$when: there, the publisher");
				go_on($db);
				if ($stops)
				{
					$subscriber->poll_query_until($db, "SELECT sum(apply_error_count) > $errors FROM pg_stat_subscription_stats") or fail("$when: an error");
					like(slurp_file($subscriber->logfile), qr/invalid input syntax for type uuid: "[0-7][0-9A-Z]{25}"/, "$when: a subscriber with uuid stops at the text of a ULID, and says so");
				}
				else { caught_up($db, 'uuids'); }
				moves($subscriber, $db, $script{subscriber}{ulid}, "$when: there, the subscriber");
			}
			else
			{
				moves($subscriber, $db, $script{subscriber}{ulid}, "$when: there, the subscriber");
				caught_up($db, 'uuids');
				moves($publisher, $db, $script{publisher}{ulid}, "$when: there, the publisher");
			}
			# the subscriber's partitioned table remains a uuid
			$subscriber->safe_psql($db, 'ALTER SUBSCRIPTION uuids SET (binary = true)') if $way eq 'by copying';
			moves($publisher, $db, $texts, "$when: there, a text key of the publisher");
			go_on($db);
			stop_load($load, "$when: there");
			caught_up($db, 'uuids', 'texts');
			same_rows($db, "$when: there", @uuids, 'texts');
			my @moved = qw(plain whole by_index listed filtered);
			is(types($_, $db, @moved), 'ulid', "$when: the types of the " . $_->name) foreach $publisher, $subscriber;
			is(types($publisher, $db, 'texts'), 'ulid', "$when: and of the text key");

			# back
			$load = start_load($db);
			$errors = errors($db);
			my $said = -s $subscriber->logfile;
			moves($publisher, $db, $texts_back, "$when: back, the text key");
			if ($first eq 'publisher')
			{
				moves($publisher, $db, $script{publisher}{uuid}, "$when: back, the publisher");
				caught_up($db, 'uuids');
				if ($subscriber->safe_psql($db, q{SELECT subbinary FROM pg_subscription WHERE subname = 'uuids'}) eq 'f')
				{
					my ($none, $why) = there($subscriber, sub { return write_script($db, $columns, 'uuid') });
					like($why, qr/subscription uuids writes table \S+, and may get ULIDs as text/, "$when: back, as text it is not written");
				}
				$subscriber->safe_psql($db, 'ALTER SUBSCRIPTION uuids SET (binary = true)');
				$script{subscriber}{uuid} //= (there($subscriber, sub { return write_script($db, $columns, 'uuid') }))[0];
				moves($subscriber, $db, $script{subscriber}{uuid}, "$when: back, the subscriber");
			}
			else
			{
				$subscriber->safe_psql($db, 'ALTER SUBSCRIPTION uuids SET (binary = true)');
				$script{subscriber}{uuid} //= (there($subscriber, sub { return write_script($db, $columns, 'uuid') }))[0];
				moves($subscriber, $db, $script{subscriber}{uuid}, "$when: back, the subscriber");
				caught_up($db, 'uuids');
				moves($publisher, $db, $script{publisher}{uuid}, "$when: back, the publisher");
			}
			go_on($db);
			stop_load($load, "$when: back");
			caught_up($db, 'uuids', 'texts');
			# From 16 on an apply worker that has known a table by two Oids of the publisher's learns for one of them alone that an
			# index of its own is gone, and begins again, sometimes before the one that failed has given back its origin.
			if ($way eq 'by copying' && $subscriber->pg_version >= 16)
			{
				is(join("\n", grep { !/^could not open relation with OID|^replication origin with ID \d+ is already active/ } slurp_file($subscriber->logfile, $said) =~ /\] ERROR:  (.*)/g), '', "$when: back, without another error");
			}
			else { is(errors($db), $errors, "$when: back, without an error"); }
			same_rows($db, "$when: back", @uuids, 'texts');
			is(types($_, $db, @moved), 'uuid', "$when: back, the types of the " . $_->name) foreach $publisher, $subscriber;
			$subscriber->safe_psql($db, 'DROP SUBSCRIPTION uuids');
			$subscriber->safe_psql($db, 'DROP SUBSCRIPTION texts');
			$_->safe_psql('postgres', "DROP DATABASE $db") foreach $publisher, $subscriber;
		}
	}
}


# ---------------------------------------------------------------- What begins during a move
# First copies, of publications of tables, of a schema and of all tables, into columns of ulid; and consumers of a slot.
# What such a consumer has after all changes of a table, each id in one form.
sub replayed
{
	my ($db, $slot, $table) = @_;
	my %row;
	foreach (split /\n/, query($db, "SELECT data FROM pg_logical_slot_get_changes('$slot', NULL, NULL, 'skip-empty-xacts', '1')"))
	{
		my ($verb, $values) = /^table public\.$table: (INSERT|UPDATE|DELETE):(.*)/ or next;
		my ($old) = $values =~ /old-key: id\[[\w.]+\]:'([^']*)'/;
		my ($id, $n) = $values =~ /(?:^|new-tuple:) id\[[\w.]+\]:'([^']*)'(?: n\[integer\]:(-?\d+))?/ or die "not understood: $_";
		$verb eq 'INSERT' or defined delete $row{ as_uuid($old // $id) } or die "not there: $_";
		$row{ as_uuid($id) } = $n if $verb ne 'DELETE';
	}
	return join "\n", map { "$_|$row{$_}" } sort keys %row;
}

sub as_uuid
{
	my ($text) = @_;
	return $text if $text =~ /-/;
	my $bits = join '', map { sprintf '%05b', index('0123456789ABCDEFGHJKMNPQRSTVWXYZ', $_) } split //, $text;
	return unpack('H*', pack('B*', substr($bits, 2))) =~ s/^(.{8})(.{4})(.{4})(.{4})/$1-$2-$3-$4-/r;
}

foreach my $way ('in place', 'by copying')
{
	(my $db = "begins $way") =~ s/\W+/_/g;
	my @tables = (qw(plain refers whole by_index), $way eq 'in place' ? () : 'texts');
	my $columns = join ', ', map { "public.$_" } @tables, 'by_index.code';
	my @copy = $way eq 'in place' ? () : ('-v', 'copy=public.*');
	query('postgres', "CREATE DATABASE $db");
	query($db, "$schema SELECT pg_create_logical_replication_slot('${db}_slot', 'test_decoding'); $rows;
		CREATE PUBLICATION few FOR TABLE @{[join ', ', @tables]}; CREATE PUBLICATION of_schema FOR TABLES IN SCHEMA public; CREATE PUBLICATION every FOR ALL TABLES;
		SELECT pg_create_logical_replication_slot('${db}_pgoutput', 'pgoutput')");
	# what they have in common with every subscriber: columns that read both forms
	(my $with_ulids = $schema) =~ s/\buuid\b/ulid/g;
	$with_ulids =~ s/gen_random_uuid/gen_ulid/g;
	my @subscribers = map { my $name = $_; map { [ "${db}_${name}_$_", $name ] } 1 .. ($name eq 'few' ? 6 : 2) } 'few', 'of_schema', $way eq 'in place' ? 'every' : ();
	foreach (@subscribers)
	{
		$subscriber->safe_psql('postgres', "CREATE DATABASE $_->[0]");
		$subscriber->safe_psql($_->[0], $with_ulids);
	}
	my ($there, $why) = write_script($db, $columns, 'ulid', @copy);
	ok($there, "$way: a script of what is published in every way") or BAIL_OUT($why);
	like(slurp_file($there), qr/publication every publishes all tables, and so the copies too/, "$way: which tells of a publication of all tables") if $way eq 'by copying';
	(my $back, $why) = write_script($db, $columns, $way eq 'in place' ? 'uuid' : 'text', @copy); # each as it was
	ok($back, "$way: and the script back") or BAIL_OUT($why);
	query($db, 'DROP PUBLICATION every') if $way eq 'by copying';
	my $load = start_load($db);
	foreach my $script ($there, $back)
	{
		my $when = "$way, " . ($script eq $there ? 'there' : 'back');
		my ($out, $err) = ('', '');
		my $run = IPC::Run::start([ $publisher->installed_command('psql'), '-X', '-d', $publisher->connstr($db), '-f', $script ], '<', \undef, '>', "$tmp/begins.out", '2>', "$tmp/begins.err");
		foreach (grep { ($_->[0] =~ /[135]$/) == ($script eq $there) } @subscribers)
		{
			my $connection = $publisher->connstr . " dbname=$db";
			$subscriber->safe_psql($_->[0], "CREATE SUBSCRIPTION s CONNECTION '$connection' PUBLICATION $_->[1] WITH (slot_name = '$_->[0]')");
			sleep 0.3;
		}
		$run->finish;
		is($run->full_result(0), 0, "$when: while subscriptions begin") or diag slurp_file("$tmp/begins.err");
	}
	go_on($db);
	stop_load($load, $way);
	my $lsn = $publisher->lsn('insert');
	foreach (@subscribers)
	{
		my ($name, $publication) = @$_;
		synchronized($name);
		$publisher->poll_query_until('postgres', "SELECT confirmed_flush_lsn >= '$lsn' FROM pg_replication_slots WHERE slot_name = '$name'") or fail("$name catches up");
		my @published = $publication eq 'few' ? @tables : (@tables, qw(listed grown));
		is(contents($subscriber, $name, @published), contents($publisher, $db, @published), "$name: every row, once");
		$subscriber->safe_psql($name, 'DROP SUBSCRIPTION s');
		$subscriber->safe_psql('postgres', "DROP DATABASE $name");
	}
	# of the table before, or of the copy that has its place
	is(replayed($db, "${db}_slot", 'plain'), query($db, 'SELECT id, n FROM plain ORDER BY id::text'), "$way: a slot has every change, once");
	cmp_ok(query($db, "SELECT count(*) FROM pg_logical_slot_get_binary_changes('${db}_pgoutput', NULL, NULL, 'proto_version', '2', 'publication_names', 'few')"),
		'>', 1000, "$way: and is read with pgoutput");
	query($db, "SELECT pg_drop_replication_slot('${db}_slot'), pg_drop_replication_slot('${db}_pgoutput')");
}

# A subscription that begins while the tables are copied: what it applies fires no trigger of a statement. It changes
# rows, which a comparison of the keys would not tell, in a table, in partitions and by their root, and is gone before
# the switch.
{
	my %type = (texts => 'text', grown => 'uuid');
	my @tables = sort keys %type;
	my $insert = join ';', map { "INSERT INTO $_ SELECT FROM generate_series(1, 100)" } @tables;
	query('postgres', 'CREATE DATABASE begins');
	$subscriber->safe_psql('postgres', 'CREATE DATABASE begins');
	query('begins', "$schema $insert; CREATE PUBLICATION leaves FOR TABLE texts, grown; CREATE PUBLICATION root FOR TABLE grown WITH (publish_via_partition_root = true)");
	$subscriber->safe_psql('begins', $schema);
	subscribe('begins', 'leaves');
	synchronized('begins');
	$subscriber->safe_psql('begins', 'DROP SUBSCRIPTION leaves');
	my ($file, $why) = there($subscriber, sub { return write_script('begins', 'public.texts, public.grown', 'ulid') });
	ok($file, 'a script, while there is no subscription') or BAIL_OUT($why);
	my ($begin) = slurp_file($file) =~ /\A(.*?)^-- 4\. /ms;
	is((there($subscriber, \&run_file, 'begins', write_part($begin)))[0], 0, 'its rows are copied');
	foreach my $name (qw(leaves root))
	{
		subscribe('begins', $name, 'copy_data = false');
		$publisher->safe_psql('begins', "UPDATE $_ SET n = n + 1; DELETE FROM $_ WHERE id = (SELECT min(id::text) FROM $_)::$type{$_}; INSERT INTO $_ DEFAULT VALUES") foreach @tables;
		$subscriber->poll_query_until('begins', "SELECT apply_error_count > 0 FROM pg_stat_subscription_stats WHERE subname = '$name'") or fail("$name: an error");
		like(slurp_file($subscriber->logfile), qr/a subscription cannot write table public\.(?:texts|grown) while it is copied to another type/, "$name: does not write, and says so");
		my ($code, $err) = there($subscriber, \&run_file, 'begins', $file);
		like($err, qr/table public\.grown\w* was changed/, "$name: no switch while it is there");
		# of a client that has the triggers of who replicates, as tools have them, nothing is missing
		$subscriber->safe_psql('begins', "SET session_replication_role = replica; UPDATE grown SET n = 100 WHERE n = 0 AND id = (SELECT id FROM grown WHERE n = 0 LIMIT 1)");
		$subscriber->safe_psql('begins', "DROP SUBSCRIPTION $name");
	}
	# the move is given up, and begins anew
	subscribe('begins', 'leaves', 'copy_data = false');
	my $errors = errors('begins');
	query('begins', 'UPDATE texts SET n = 77');
	$subscriber->poll_query_until('begins', "SELECT sum(apply_error_count) > $errors FROM pg_stat_subscription_stats") or fail('an error');
	$subscriber->safe_psql('begins', 'DROP SCHEMA ulid_move_public CASCADE');
	caught_up('begins', 'leaves');
	cmp_ok($subscriber->safe_psql('begins', 'SELECT count(*) FROM texts WHERE n = 77'), '>', 90, 'without the copy the subscription goes on');
	$subscriber->safe_psql('begins', 'DROP SUBSCRIPTION leaves');
	my $before = contents($subscriber, 'begins', @tables);
	moves($subscriber, 'begins', $file, 'without the subscription');
	is(contents($subscriber, 'begins', @tables), $before, 'every row is as it was');
	is(types($subscriber, 'begins', @tables), 'ulid', 'and moved');
}

# A walsender that keeps a snapshot for a first copy, or for a dump of another tool: who reads the new table with it would
# find it empty. Its client is as psql, which reads from a pipe.
{
	query('postgres', 'CREATE DATABASE snapshots');
	query('snapshots', "$schema INSERT INTO whole SELECT FROM generate_series(1, 100)");
	my ($file) = write_script('snapshots', 'public.whole', 'ulid', '-v', 'copy=public.*');
	my $walsender = $publisher->background_psql('snapshots', replication => 'database');
	my ($snapshot) = $walsender->query('CREATE_REPLICATION_SLOT snapshots TEMPORARY LOGICAL pgoutput EXPORT_SNAPSHOT') =~ /([0-9A-F]+-[0-9A-F]+-\d+)/;
	my ($run) = held_up('snapshots', $file, 'the switch waits for the snapshot of a walsender');
	is(query('snapshots', "BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT '$snapshot'; SELECT count(*) FROM whole; COMMIT"), 100, 'which has every row');
	$walsender->quit;
	$run->finish;
	is($run->full_result(0), 0, 'and goes on');
	is(query('snapshots', 'SELECT pg_typeof(id), count(*) FROM whole GROUP BY 1'), 'ulid|100', 'to its end');
}

# Where the subscriber's column remains a text it must not be sent in binary: 16 bytes would be taken for a text.
{
	query('postgres', 'CREATE DATABASE bytes');
	$subscriber->safe_psql('postgres', "CREATE DATABASE bytes ENCODING 'SQL_ASCII' TEMPLATE template0");
	query('bytes', "$schema $publications");
	$subscriber->safe_psql('bytes', $schema);
	my ($file) = write_script('bytes', 'public.texts, public.plain', 'ulid');
	like(slurp_file($file), qr/publication texts publishes public\.texts: a subscriber whose column remains a text has to have binary = false, and finds a row by the canonical spelling/, 'a note tells of a text key');
	like(slurp_file($file), qr/publication uuids publishes public\.plain, public\.refers: a subscriber whose column remains a uuid has to have binary = true, and one whose column is a text loses UPDATE and DELETE/, 'and of a uuid');
	subscribe('bytes', 'texts', 'binary = true');
	synchronized('bytes');
	moves($publisher, 'bytes', $file, 'a text key');
	query('bytes', q{INSERT INTO texts (id) VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV')});
	caught_up('bytes', 'texts');
	is($subscriber->safe_psql('bytes', q{SELECT encode(id::bytea, 'hex') FROM texts WHERE id !~ '[\\\\]'}), '01563e3ab5d3d6764c61efb99302bd5b', 'as without it a subscriber with another encoding has the bytes as a text');
	$subscriber->safe_psql('bytes', 'DROP SUBSCRIPTION texts');
}

$_->stop foreach $subscriber, $publisher;
done_testing();
