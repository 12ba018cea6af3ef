# ulid_move.sql moves keys of text, varchar and char, and keys that partition their tables, by copying the
# tables, there and back, while clients write. The schema is test/t/moving/copied.sql.
#
# ULID_MOVE_ROWS     the rows of each of its tables
# ULID_MOVE_CLIENTS  how many clients write
#
# Part of make test-moving.
use File::Basename;
use FindBin;
use lib "$FindBin::Bin/../perl";
use IPC::Run;
use Time::HiRes qw(time sleep);
use UlidCluster;
use UlidMove;

my $rows = $ENV{ULID_MOVE_ROWS} || 200;
my $clients = $ENV{ULID_MOVE_CLIENTS} || 3;
my $here = dirname(__FILE__);
my $tmp = $PostgreSQL::Test::Utils::tmp_check;

my $node = start_node('move_copy', 'max_wal_senders = 4');

# The schema, with what differs between the types made the same: expressions of text have a cast then, and
# the bounds of partitions are the same values.
sub schema_without_types
{
	my ($db) = @_;
	my $dump = dump_of($db, '-s');
	my $column = qr/(?:\w+\.)?(?:\w+|"(?:[^"]|"")+")/;
	$dump =~ s/OPERATOR\(public\.([<>=]+)\)/$1/g;
	$dump =~ s/public\.ulid\b|\buuid\b|\bcharacter varying\(26\)|\bcharacter\(26\)|\btext\b/TYPE/g;
	$dump =~ s/ COLLATE pg_catalog\."C"(?=,\n)//g;
	$dump =~ s/\(\(($column)\)::TYPE COLLATE "C"\)/$1/g;
	$dump =~ s/\(($column)\)::TYPE/$1/g;
	$dump =~ s/public\.gen_(?:random_)?ulid\(\)|gen_random_uuid\(\)/GENERATOR/g;
	$dump =~ s/(FOR VALUES.*);/join '', map { m{^'(.*)'$} ? bound($1) : $_ } split m{('[^']*')}, $1/ge;
	return $dump;
}

# A bound as a ulid has it.
sub bound
{
	my ($text) = @_;
	if ($text =~ /^[0-9a-f]{8}-/)
	{
		$text =~ tr/-//d;
		my $bits = '00' . unpack('B*', pack('H*', $text));
		return join '', map { substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', oct("0b$_"), 1) } $bits =~ /(.{5})/g;
	}
	return length $text < 26 ? $text . '0' x (26 - length $text) : $text;
}

# Every row of the tables of a schema, as text in which the types do not show, with how often it is there.
sub contents
{
	my ($db) = @_;
	my @tables = split /\n/, query($db, q{SELECT oid::regclass FROM pg_class WHERE relnamespace = 'store'::regnamespace AND relkind = 'r' AND NOT relispartition
		OR oid IN (SELECT partrelid FROM pg_partitioned_table) AND NOT relispartition ORDER BY 1});
	return join "\n", map {
		my $table = $_;
		my $row = query($db, qq{SELECT string_agg(format(CASE WHEN atttypid IN ('uuid'::regtype, to_regtype('ulid')) THEN
				CASE WHEN attrelid IN ('store.hashed'::regclass, 'store.ranged'::regclass, 'store.listed'::regclass, 'store.of_hashed'::regclass)
					THEN '%I::uuid::text' ELSE '%I::text' END ELSE '%I::text' END, attname), ', ' ORDER BY attname)
			FROM pg_attribute WHERE attrelid = '$table'::regclass AND attnum > 0 AND NOT attisdropped});
		"$table " . query($db, "SELECT count(*), md5(string_agg(t, E'\\n' ORDER BY t)) FROM (SELECT ROW($row)::text AS t FROM $table) r");
	} @tables;
}

my %sets = (
	text => [ 'store.account, store.account.external, store.item, store."Quoted ""Table""", store.note.id', 'text' ],
	uuid => [ 'store.hashed, store.ranged.id, store.listed.tenant, store.listed.id', 'uuid' ]);

# What the clients do to account, with the same in a table that does not move, in one transaction. They send
# ids without a type.
my %scripts = (
	text => {
		insert => [ 3, <<'SQL' ],
WITH a AS (INSERT INTO store.account (name, city) VALUES ('load', NULL) RETURNING id),
	p AS (INSERT INTO store.purchase (account_id, n, no) SELECT id, 0, -1 FROM a)
INSERT INTO store.mirror SELECT id::text, 0, 'load', 1 FROM a;
SQL
		update => [ 3, <<'SQL' ],
SELECT COALESCE((SELECT id FROM store.mirror WHERE name = 'load' OFFSET floor(random() * 100) LIMIT 1), repeat('0', 26)) AS key \gset
BEGIN;
SELECT FROM store.mirror WHERE id = :key FOR UPDATE;
UPDATE store.account SET n = n + 1 WHERE id = :key;
UPDATE store.mirror SET n = n + 1 WHERE id = :key;
END;
SQL
		rekey => [ 2, <<'SQL' ],
SELECT COALESCE((SELECT id FROM store.mirror WHERE name = 'load' OFFSET floor(random() * 100) LIMIT 1), repeat('0', 26)) AS key, gen_ulid() AS new \gset
BEGIN;
SELECT FROM store.mirror WHERE id = :key FOR UPDATE;
UPDATE store.account SET id = :new WHERE id = :key;
UPDATE store.mirror SET id = :new WHERE id = :key;
END;
SQL
		delete => [ 2, <<'SQL' ],
SELECT COALESCE((SELECT id FROM store.mirror WHERE name = 'load' OFFSET floor(random() * 100) LIMIT 1), repeat('0', 26)) AS key \gset
BEGIN;
SELECT FROM store.mirror WHERE id = :key FOR UPDATE;
DELETE FROM store.account WHERE id = :key;
DELETE FROM store.mirror WHERE id = :key;
END;
SQL
		# keys that come and go, in any spelling
		upsert => [ 3, <<'SQL' ],
\set no random(0, 31)
SELECT '01BX5ZZKBKACTAV9WEVGEMMVR' || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', :no + 1, 1) AS key \gset
BEGIN;
SELECT pg_advisory_xact_lock(:no);
INSERT INTO store.mirror (id, n, name) VALUES (:key, 0, 'pool') ON CONFLICT (id) DO UPDATE SET n = mirror.n + 1;
INSERT INTO store.account (id, name) VALUES (:key, 'pool') ON CONFLICT (id) DO UPDATE SET n = account.n + 1;
END;
SQL
		drop => [ 2, <<'SQL' ],
\set no random(0, 31)
SELECT '01BX5ZZKBKACTAV9WEVGEMMVR' || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', :no + 1, 1) AS key \gset
BEGIN;
SELECT pg_advisory_xact_lock(:no);
DELETE FROM store.mirror WHERE id = :key;
DELETE FROM store.account WHERE id = :key;
END;
SQL
		# what is rolled back has to be copied by another
		rollback => [ 2, <<'SQL' ],
BEGIN;
UPDATE store.account SET n = n + 1 WHERE id IN (SELECT id FROM store.account WHERE name LIKE 'name%' ORDER BY id LIMIT 1 OFFSET floor(random() * 100));
ROLLBACK;
SQL
		# many rows in a statement
		bulk => [ 1, <<'SQL' ],
BEGIN;
WITH a AS (INSERT INTO store.account (name) SELECT 'bulk ' || :client_id FROM generate_series(1, 6) RETURNING id, name)
INSERT INTO store.mirror SELECT id::text, 0, name, 0 FROM a;
SELECT FROM store.mirror WHERE name = 'bulk ' || :client_id FOR UPDATE;
UPDATE store.account SET n = n + 1, id = gen_ulid() WHERE name = 'bulk ' || :client_id;
DELETE FROM store.mirror WHERE name = 'bulk ' || :client_id;
DELETE FROM store.account WHERE name = 'bulk ' || :client_id AND no % 2 = 1;
INSERT INTO store.mirror SELECT id::text, n, name, 0 FROM store.account WHERE name = 'bulk ' || :client_id;
END;
SQL
		lookup => [ 3, <<'SQL' ] },
SELECT id AS key FROM store.mirror WHERE name LIKE 'name%' OFFSET floor(random() * 100) LIMIT 1 \gset
SELECT 1 / count(*) FROM store.account a JOIN store.purchase p ON p.account_id = a.id WHERE a.id = :key;
SELECT count(*) FROM store.purchase_of WHERE "account's" = :key;
SQL
	uuid => {
		insert => [ 3, <<'SQL' ],
WITH h AS (INSERT INTO store.hashed (t) VALUES ('load') RETURNING id),
	o AS (INSERT INTO store.of_hashed SELECT 1000000 + (random() * 1000000000)::integer, id FROM h ON CONFLICT DO NOTHING),
	r AS (INSERT INTO store.ranged (part, hashed_id) SELECT 1 + (random() * 3)::integer, id FROM h)
INSERT INTO store.hashed_mirror SELECT id::uuid, 0, 'load' FROM h;
SQL
		free => [ 2, <<'SQL' ],
WITH h AS (INSERT INTO store.hashed (t) VALUES ('free') RETURNING id)
INSERT INTO store.hashed_mirror SELECT id::uuid, 0, 'free' FROM h;
SQL
		update => [ 3, <<'SQL' ],
SELECT id AS key FROM store.hashed_mirror WHERE t = 'first' OFFSET floor(random() * 100) LIMIT 1 \gset
BEGIN;
SELECT FROM store.hashed_mirror WHERE id = :key::uuid FOR UPDATE;
UPDATE store.hashed SET n = n + 1 WHERE id = :key::uuid;
UPDATE store.hashed_mirror SET n = n + 1 WHERE id = :key::uuid;
END;
SQL
		# statements that name a partition
		partition => [ 2, <<'SQL' ],
SELECT COALESCE((SELECT id FROM store.hashed_mirror WHERE t = 'load' OFFSET floor(random() * 100) LIMIT 1), gen_random_uuid()) AS key \gset
BEGIN;
SELECT FROM store.hashed_mirror WHERE id = :key::uuid FOR UPDATE;
WITH h AS (UPDATE store.hashed_1 SET n = n + 1 WHERE id = :key::uuid RETURNING id)
UPDATE store.hashed_mirror m SET n = n + 1 FROM h WHERE m.id = h.id::uuid;
WITH h AS (DELETE FROM store.hashed_2 WHERE id = :key::uuid RETURNING id)
DELETE FROM store.hashed_mirror m USING h WHERE m.id = h.id::uuid;
END;
SQL
		# from partition to partition
		rekey => [ 2, <<'SQL' ],
SELECT COALESCE((SELECT id FROM store.hashed_mirror WHERE t = 'free' OFFSET floor(random() * 100) LIMIT 1), gen_random_uuid()) AS key, gen_random_uuid() AS new \gset
BEGIN;
SELECT FROM store.hashed_mirror WHERE id = :key::uuid FOR UPDATE;
UPDATE store.hashed SET id = :new::uuid WHERE id = :key::uuid;
UPDATE store.hashed_mirror SET id = :new::uuid WHERE id = :key::uuid;
END;
SQL
		upsert => [ 3, <<'SQL' ],
\set no random(0, 31)
SELECT md5(:no::text)::uuid AS key \gset
BEGIN;
SELECT pg_advisory_xact_lock(:no);
INSERT INTO store.hashed_mirror VALUES (:key::uuid, 0, 'pool') ON CONFLICT (id) DO UPDATE SET n = hashed_mirror.n + 1;
INSERT INTO store.hashed (id) VALUES (:key::uuid) ON CONFLICT (id) DO UPDATE SET n = hashed.n + 1;
END;
SQL
		drop => [ 2, <<'SQL' ],
\set no random(0, 31)
SELECT md5(:no::text)::uuid AS key \gset
BEGIN;
SELECT pg_advisory_xact_lock(:no);
DELETE FROM store.hashed_mirror WHERE id = :key::uuid;
DELETE FROM store.hashed WHERE id = :key::uuid;
END;
SQL
		lookup => [ 3, <<'SQL' ] });
SELECT id AS key FROM store.hashed_mirror WHERE t = 'first' OFFSET floor(random() * 100) LIMIT 1 \gset
SELECT 1 / count(*) FROM store.hashed h LEFT JOIN store.of_hashed o ON o.hashed_id = h.id LEFT JOIN store.ranged r ON r.hashed_id = h.id WHERE h.id = :key::uuid;
SQL

# Clients of READ COMMITTED, of whom no statement may fail, and of REPEATABLE READ, who repeat a transaction
# that could not be serialized.
sub start_load
{
	my ($db, $set, $log) = @_;
	my @files = map { write_file("$set-$_.pgbench", $scripts{$set}{$_}[1]); ('-f', "$tmp/$set-$_.pgbench\@$scripts{$set}{$_}[0]") } sort keys %{ $scripts{$set} };
	# the numbers of the clients differ, so that each has its own rows
	my %options = ('read committed' => [ '-c', $clients ], 'repeatable read' => [ '-c', 1, '--max-tries=1000', '--verbose-errors', '-D', 'client_id=1000' ]);
	my @load;
	foreach my $isolation (sort keys %options)
	{
		local $ENV{PGOPTIONS} = "-c default_transaction_isolation=" . ($isolation =~ s/ /\\ /gr);
		push @load, { isolation => $isolation, %{ start_clients($db, "$log-$isolation" =~ s/\W/_/gr, '-M', 'extended', '-j', 1, @{ $options{$isolation} }, @files) } };
	}
	write_some($db, "$log: the clients write", \@load);
	return \@load;
}

sub write_some
{
	my ($db, $what, $load) = @_;
	my $written = q{SELECT sum(n_tup_ins + n_tup_upd) FROM pg_stat_user_tables WHERE relname IN ('mirror', 'hashed_mirror')};
	my $seen = query($db, $written);
	for (1 .. 600)
	{
		return if query($db, "SELECT ($written) > $seen + 50") eq 't';
		sleep 0.05;
	}
	fail($what);
	diag substr(slurp_file("$_->{log}.out"), 0, 2000) foreach @$load;
	return;
}

# Ends them, and tells the longest that one waited for a transaction, in ms.
sub stop_load
{
	my ($load, $db, $when) = @_;
	write_some($db, "$when: the clients went on writing", $load);
	my @waits;
	foreach (@$load)
	{
		my ($content, $said, @latencies) = stop_clients($_);
		ok($content, "$when: no statement of a client failed ($_->{isolation})") or diag substr($said, 0, 3000);
		unlike($said, qr/failed transactions: [^0]|aborted/, "$when: and no transaction");
		push @waits, @latencies;
	}
	# of those who repeat no transaction
	return @waits[ 0, 1 ];
}

# That what the clients committed is there, once, and nothing else.
sub as_committed
{
	my ($db, $set, $when) = @_;
	is(query($db, $set eq 'text' ? <<'TEXT' : <<'UUID'), '0', "$when: every row is as it was committed");
		SELECT count(*) FROM store.mirror m FULL JOIN (SELECT id::text AS id, n, name, (SELECT count(*) FROM store.purchase p WHERE p.account_id = a.id) AS purchases FROM store.account a) a USING (id)
		WHERE (m.n, m.name, m.purchases) IS DISTINCT FROM (a.n, a.name, a.purchases)
TEXT
		SELECT count(*) FROM store.hashed_mirror m FULL JOIN (SELECT id::uuid AS id, n FROM store.hashed) h USING (id) WHERE m.n IS DISTINCT FROM h.n
UUID
	is(query($db, $set eq 'text' ? 'SELECT count(*) - count(DISTINCT id) FROM store.account' : 'SELECT count(*) - count(DISTINCT id) FROM store.hashed'), 0, "$when: and once");
	return;
}

# ---------------------------------------------------------------- Every kind of object, under load
query('postgres', 'CREATE DATABASE shop');
query('shop', 'CREATE EXTENSION ulid');
{
	my ($code, $err) = run_file('shop', "$here/moving/copied.sql", '-q', '-v', 'ON_ERROR_STOP=1', '-v', "rows=$rows");
	$code == 0 or die $err;
}
my $schema = schema_without_types('shop');
my $dump = dump_of('shop', '-s');
my $data = contents('shop');
my %file;
foreach my $set (sort keys %sets)
{
	foreach my $to ('ulid', $sets{$set}[1])
	{
		my ($written, $why) = write_script('shop', $sets{$set}[0], $to);
		ok($written, "$set: a script to $to is written") or BAIL_OUT($why);
		$file{$set}{$to} = $written;
	}
}
same_schema(dump_of('shop', '-s'), $dump, 'and changes nothing');
is(contents('shop'), $data, 'and no row');

foreach my $step ([ 'text', 'ulid' ], [ 'uuid', 'ulid' ], [ 'uuid', 'uuid' ], [ 'text', 'text' ])
{
	my ($set, $to) = @$step;
	my $when = "$set, to $to";
	my $load = start_load('shop', $set, $when);
	my $begin = time;
	# on a busy machine a transaction takes longer than the script would wait for it
	local $ENV{PGOPTIONS} = '-c ulid_move.lock_timeout=500ms -c ulid_move.lock_attempts=1000 -c ulid_move.batch_rows=50 -c ulid_move.batch_pause=10ms';
	my ($code, $err) = run_file('shop', $file{$set}{$to});
	delete $ENV{PGOPTIONS};
	my $took = time - $begin;
	is($code, 0, "$when: the script runs while clients write") or diag $err;
	is($err, '', "$when: and all is as it was");
	my ($longest, $count) = stop_load($load, 'shop', $when);
	as_committed('shop', $set, $when);
	diag sprintf '%s: the move took %.1f s; the longest of %d transactions took %.0f ms', $when, $took, $count, $longest;
	same_schema(schema_without_types('shop'), $schema, "$when: the schema differs in the types alone");
	is(query('shop', "SELECT string_agg(DISTINCT format_type(atttypid, -1), ' ') FROM pg_attribute WHERE NOT attisdropped AND (attrelid, attname) IN ("
			. ($set eq 'text'
				? "('store.account'::regclass, 'id'), ('store.account'::regclass, 'boss'), ('store.purchase'::regclass, 'account_id'), ('store.note_new_1'::regclass, 'id'), ('store.purchase_of'::regclass, 'account''s')"
				: "('store.hashed'::regclass, 'id'), ('store.hashed_1'::regclass, 'id'), ('store.ranged'::regclass, 'hashed_id'), ('store.of_hashed'::regclass, 'hashed_id'), ('store.listed_2'::regclass, 'tenant')")
			. ')'), $to eq 'text' ? 'character varying' : $to, "$when: the columns are of the type");
	is(query('shop', "SELECT count(*) FROM pg_constraint WHERE NOT convalidated AND conparentid = 0 AND conname <> ALL (ARRAY['unchecked_account_id_fkey', 'account_not_its_own_boss', 'account_not_enforced'])"),
		0, "$when: every constraint is validated that was");
	is(query('shop', 'SELECT count(*) FROM pg_index WHERE NOT indisvalid'), 0, "$when: every index is valid");
	is(query('shop', "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'ulid%'"), 0, "$when: nothing is left of the move");
	isnt($node->psql('shop', "INSERT INTO store.purchase (account_id) VALUES ('01ARZ3NDEKTSV4RRFFQ69G0000')"), 0, "$when: a foreign key holds") if $set eq 'text';
	isnt($node->psql('shop', 'INSERT INTO store.of_hashed VALUES (-1, gen_random_uuid())'), 0, "$when: a foreign key holds") if $set eq 'uuid';
	isnt(query('shop', "SELECT count(*) FROM pg_stats WHERE schemaname = 'store' AND tablename = 'account' AND attname = 'id'"), 0, "$when: the column has statistics");
	($code, $err) = run_file('shop', $file{$set}{$to});
	is($code, 0, "$when: the script can be run again") or diag $err;
	is($err, '', "$when: and finds nothing");
}
same_schema(dump_of('shop', '-s'), $dump, 'there and back: the schema is as it was, to the letter');

# ---------------------------------------------------------------- A failure at every step
my $small = <<'SQL';
	CREATE EXTENSION ulid;
	CREATE SCHEMA store;
	CREATE TABLE store.a (id text PRIMARY KEY DEFAULT gen_ulid(), n integer, parent text REFERENCES store.a);
	CREATE TABLE store.b (a_id text REFERENCES store.a ON DELETE CASCADE, n integer, PRIMARY KEY (a_id, n), CHECK (length(a_id) = 26));
	CREATE TABLE store.h (id uuid PRIMARY KEY, n integer) PARTITION BY HASH (id);
	CREATE TABLE store.h_0 PARTITION OF store.h FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE store.h_1 PARTITION OF store.h FOR VALUES WITH (MODULUS 2, REMAINDER 1);
	CREATE INDEX a_n ON store.a (n) WHERE id <> '';
	CREATE VIEW store.v AS SELECT id FROM store.a;
	INSERT INTO store.a (n) SELECT n FROM generate_series(1, 100) n;
	UPDATE store.a SET parent = id;
	INSERT INTO store.b SELECT id, n FROM store.a;
	INSERT INTO store.h SELECT md5(n::text)::uuid, n FROM generate_series(1, 100) n;
SQL
query('postgres', 'CREATE DATABASE steps');
query('steps', $small);
$dump = dump_of('steps', '-s');
my $there = query('steps', 'SELECT md5(string_agg(a::text, $$,$$ ORDER BY n)) FROM store.a') . query('steps', 'SELECT md5(string_agg(b::text, $$,$$ ORDER BY n)) FROM store.b');
my ($ulid) = write_script('steps', 'store.a, store.h', 'ulid');
my ($text) = write_script('steps', 'store.a', 'text');
my ($uuid) = write_script('steps', 'store.h', 'uuid');
foreach my $step ([ 'to ulid', $ulid, 'ulid' ], [ 'to text', $text, 'text' ])
{
	my ($when, $file, $type) = @$step;
	my @steps = split /^(?=\\echo |SELECT pg_temp\.ulid_move_say)/m, slurp_file($file);
	cmp_ok(@steps, '>', 15, "$when: the script has " . (@steps - 1) . ' steps');
	my $failed = 0;
	foreach my $n (1 .. $#steps)
	{
		my ($code) = run_file('steps', write_file('part.sql', ended(join '', @steps[ 0 .. $n ]) . "SELECT 1 / 0;\n"));
		$failed++ if $code != 0;
		# clients go on
		query('steps', 'UPDATE store.a SET n = n; INSERT INTO store.h VALUES (gen_random_uuid(), 1); DELETE FROM store.h WHERE n = 1');
	}
	is($failed, $#steps, "$when: it fails after each");
	my ($code, $err) = run_file('steps', $file);
	is($code, 0, "$when: and comes to its end when it is run again") or diag $err;
	is(query('steps', 'SELECT pg_typeof(id) FROM store.v LIMIT 1'), $type, "$when: with the type");
	is(query('steps', 'SELECT md5(string_agg(a::text, $$,$$ ORDER BY n)) FROM store.a') . query('steps', 'SELECT md5(string_agg(b::text, $$,$$ ORDER BY n)) FROM store.b'),
		$there, "$when: and the rows");
}
is((run_file('steps', $uuid))[0], 0, 'to uuid too');
same_schema(dump_of('steps', '-s'), $dump, 'there and back: the schema is as it was');

# The server ends, at once, while rows are copied and a client has one locked; and a move is given up.
{
	my ($begin) = slurp_file($ulid) =~ /\A(.*?)^-- 4\. /ms;
	query('steps', 'INSERT INTO store.a (n) SELECT n FROM generate_series(101, 2000) n');
	my ($keep) = $begin =~ /\A(.*?)^-- 3\. /ms;
	is((run_file('steps', write_part($keep)))[0], 0, 'the triggers are there');
	my $holder = $node->background_psql('steps');
	$holder->query_safe('BEGIN; UPDATE store.a SET n = -7 WHERE n = 1990');
	my $file = write_part($begin);
	my $err = '';
	my $psql = do {
		local $ENV{PGOPTIONS} = '-c ulid_move.batch_rows=10 -c ulid_move.batch_pause=1ms';
		IPC::Run::start([ $node->installed_command('psql'), '-X', '-d', $node->connstr('steps'), '-f', $file ], '<', \undef, '>', \my $out, '2>', \$err);
	};
	$node->poll_query_until('steps', 'SELECT count(*) > 0 FROM ulid_move_store.ulid_move_left');
	isnt(query('steps', 'SELECT count(*) FROM ulid_move_store.a'), 0, 'rows are copied');
	$node->stop('immediate');
	$psql->finish;
	eval { $holder->quit };
	$node->start;
	my ($code, $why) = run_file('steps', $ulid);
	is($code, 0, 'after a crash the script comes to its end') or diag $why;
	is(query('steps', 'SELECT count(*), count(*) FILTER (WHERE n = 1990) FROM store.a'), '2000|1', 'with every row, and that of the lost client as it was');
	is((run_file('steps', $text))[0], 0, 'and so does the script back');
	is((run_file('steps', $uuid))[0], 0, 'and that of the other type');

	is((run_file('steps', $file))[0], 0, 'a move begun');
	isnt(query('steps', "SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'ulid_move%'"), 0, 'keeps the copies in step');
	foreach my $home ($text, $uuid)
	{
		($code, $why) = run_file('steps', $home);
		is($code, 0, 'is given up by the script back') or diag $why;
	}
	same_schema(dump_of('steps', '-s'), $dump, 'which leaves nothing of it');
}

# A copy that is kept in step by a script which was stopped, and scripts that know nothing of it.
{
	query('steps', 'CREATE TABLE store.k (id uuid PRIMARY KEY, n integer); INSERT INTO store.k SELECT md5(n::text)::uuid, n FROM generate_series(1, 50) n; GRANT UPDATE (n) ON store.k TO PUBLIC');
	my %in_place = map { $_ => (write_script('steps', 'store.k', $_))[0] } 'ulid', 'uuid';
	my ($file) = write_script('steps', 'store.k.id', 'ulid', '-v', 'copy=store.k');
	my ($begun) = slurp_file($file) =~ /\A(.*?)^-- 4\. /ms;
	is((run_file('steps', write_part($begun)))[0], 0, 'a copy in step');
	my $told = qr/a move of table store\.k by copying was begun and has not come to its end.*DROP SCHEMA ulid_move_store CASCADE/;
	like((run_writer('steps', 'store.k', $_))[1], $told, "no script that changes the table in place to $_ is written then") foreach 'ulid', 'uuid';
	my ($code, $why) = run_file('steps', $in_place{ulid});
	ok($code == 3 && $why =~ /not as it was when this was written.*trigger ulid_move_insert on store\.k is new/s, 'one from before stops') or diag $why;
	($code, $why) = run_file('steps', $in_place{uuid});
	ok($code == 0 && $why =~ /WARNING:  $told/, 'and one that has nothing to do tells of it') or diag $why;
	query('steps', 'UPDATE store.k SET n = -n');
	my $half = PostgreSQL::Test::Utils::tempdir . '/half';
	$node->command_ok([ 'pg_dump', '-d', $node->connstr('steps'), '-f', $half ], 'it is dumped');
	query('postgres', 'CREATE DATABASE restored');
	$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('restored'), '-f', $half ], 'and restored');
	my ($there) = write_script('restored', 'store.k.id', 'ulid', '-v', 'copy=store.k');
	my ($restored, $warned, $said) = run_file('restored', $there);
	ok($restored == 0 && $said =~ /Dropping ulid_move_store\.k, as its table is another/, 'where the script that is written begins the copy anew') or diag $warned;
	is(query('restored', 'SELECT pg_typeof(id), sum(n) FROM store.k GROUP BY 1'), 'ulid|-1275', 'and comes to its end');
	query('postgres', 'DROP DATABASE restored');
	$node->command_ok([ 'pg_dump', '-d', $node->connstr('steps'), '-t', 'store.k', '--clean', '-f', $half ], 'the table is dumped');
	query('steps', 'UPDATE store.k SET n = 0');
	$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('steps'), '-f', $half ], 'and restored in its place');
	(undef, $warned, $said) = run_file('steps', $file);
	is($warned, '', 'the script comes to its end');
	like($said, qr/Dropping ulid_move_store\.k, as its table is another/, 'with another copy, as this one has what was written since');
	is(query('steps', 'SELECT pg_typeof(id), sum(n) FROM store.k GROUP BY 1'), 'ulid|-1275', 'with every change');
	query('steps', 'DROP TABLE store.k');
}

# ---------------------------------------------------------------- Clients in the way of the copier
query('postgres', 'CREATE DATABASE chased');
{
	query('chased', $small);
	query('chased', 'INSERT INTO store.a (n) SELECT -5 FROM generate_series(1, 2000)');
	my ($file) = write_script('chased', 'store.a', 'ulid');

	# New keys for many rows, which come behind the last one there is: the copier ends where the table ended when it began.
	write_file('rekey.pgbench', "UPDATE store.a SET id = gen_ulid() WHERE n = -5;\n");
	my $load = start_clients('chased', 'chased', '-c', 1, '-f', "$tmp/rekey.pgbench");
	$node->poll_query_until('chased', "SELECT n_tup_upd > 4000 FROM pg_stat_user_tables WHERE relname = 'a'") or die slurp_file("$tmp/chased.out");
	my ($ended, $err) = (0, '');
	{
		local $ENV{PGOPTIONS} = '-c ulid_move.batch_rows=10 -c ulid_move.batch_pause=5ms -c ulid_move.lock_timeout=500ms -c ulid_move.lock_attempts=1000';
		my $psql = IPC::Run::start([ $node->installed_command('psql'), '-X', '-d', $node->connstr('chased'), '-f', $file ], '<', \undef, '>', \my $out, '2>', \$err, IPC::Run::timeout(180));
		eval { $ended = $psql->finish; 1 } or $psql->kill_kill;
	}
	my ($content, $said) = stop_clients($load);
	ok($ended, 'clients that give rows new keys all the time: the script ends') or diag substr($err, 0, 2000);
	ok($content, 'and no statement of theirs failed') or diag substr($said, 0, 2000);
	is(query('chased', 'SELECT pg_typeof(id), count(*) FROM store.a GROUP BY 1'), 'ulid|2100', 'with every row');

	# A row that a client holds: the script waits for it, says who it is, and ends.
	($file) = write_script('chased', 'store.a', 'text');
	my ($begin) = slurp_file($file) =~ /\A(.*?)^-- 3\. /ms;
	is((run_file('chased', write_part($begin)))[0], 0, 'a move back begins');
	my $holder = $node->background_psql('chased');
	$holder->query_safe('BEGIN; SELECT FROM store.a WHERE n IN (7, 8) FOR UPDATE');
	{
		local $ENV{PGOPTIONS} = '-c ulid_move.maintenance_timeout=1s';
		my ($code, $why) = run_file('chased', $file);
		ok($code == 3 && $why =~ /2 rows of store\.a are locked by clients.*process \d+, in a transaction for 00:/s, 'rows that a client holds: the script says whose they are, and stops') or diag $code, $why;
	}
	is(query('chased', 'SELECT (SELECT count(*) FROM store.a) - count(*) FROM ulid_move_store.a'), 2, 'all others are copied');
	$holder->query_safe('COMMIT');
	$holder->quit;
	is((run_file('chased', $file))[0], 0, 'run again it comes to its end');
	is(query('chased', 'SELECT pg_typeof(id), count(*) FROM store.a GROUP BY 1'), 'text|2100', 'with every row');
}

# ---------------------------------------------------------------- Names that are commands
query('postgres', 'CREATE DATABASE names');
{
	my ($code, $err) = run_file('names', "$here/moving/copied_names.sql", '-q', '-v', 'ON_ERROR_STOP=1');
	$code == 0 or die $err;
	unlink 'psql_was_here';
	my $before = dump_of('names', '-s');
	my $rows_before = join "\n", sort split /\n/, dump_of('names', '-a');
	my $named = q{"sch.ema ""q"", %s :x :'y' \\' $q$"};
	my %named = (text => qq{$named."ta'b, 5% of \$ulid_move\$\n\\! touch psql_was_here\n"}, uuid => qq{$named."part\n\\! touch psql_was_here 's %s"});
	my $file = "$tmp/names.sql";
	my ($written, $why) = run_writer('names', join(', ', values %named), 'ulid', '-o', $file);
	is($written, 0, 'hostile names: a script is written') or diag $why;
	my %home = map { $_ => (write_script('names', $named{$_}, $_))[0] } keys %named;
	($code, $err) = run_file('names', $file);
	is($code, 0, 'hostile names: it runs') or diag $err;
	is(query('names', "SELECT count(*) FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE atttypid = 'ulid'::regtype AND attnum > 0 AND relkind IN ('r', 'p', 'v')"), 6, 'and does what it should');
	is((run_file('names', $home{$_} // '/dev/null'))[0], 0, "and back to $_") foreach sort keys %home;
	same_schema(dump_of('names', '-s'), $before, 'to the same schema');
	is(join("\n", sort split /\n/, dump_of('names', '-a')), $rows_before, 'with the same rows');
	ok(!-e 'psql_was_here', 'and no name was taken for a command');
}

# ---------------------------------------------------------------- Casts that let an id be the text of a UUID
{
	query('postgres', 'CREATE DATABASE casts');
	query('casts', <<'SQL');
		CREATE EXTENSION ulid;
		CREATE TABLE a (id varchar(26) PRIMARY KEY, n integer);
		CREATE TABLE b (n integer PRIMARY KEY, a text REFERENCES a);
		INSERT INTO a SELECT gen_ulid(now() - n * interval '1 day'), n FROM generate_series(1, 3) n;
		INSERT INTO b SELECT n, id FROM a;
		CREATE FUNCTION text_of(ulid) RETURNS text LANGUAGE sql IMMUTABLE STRICT RETURN $1::uuid::text;
SQL
	my $rows = 'SELECT b.n, b.a, a.* FROM a LEFT JOIN b ON b.a = a.id ORDER BY a.n';
	my $before = query('casts', $rows);
	my ($there, $back) = map { (write_script('casts', 'a', $_))[0] } 'ulid', 'varchar(26)';
	query('casts', "CREATE CAST (ulid AS $_) WITH FUNCTION text_of(ulid) AS ASSIGNMENT") for qw(text varchar char);
	is(join(' ', map { (run_file('casts', $_))[0] } $there, $back), '0 0', 'casts to texts of UUIDs: there and back');
	is(query('casts', $rows), $before, 'and the texts are those of ULIDs');
	query('casts', <<'SQL');
		CREATE TABLE parts (id varchar(26) COLLATE "C" PRIMARY KEY) PARTITION BY RANGE (id);
		CREATE TABLE low PARTITION OF parts FOR VALUES FROM (MINVALUE) TO ('01ARZ3NDEKTSV4RRFFQ69G5FAV');
		CREATE TABLE high PARTITION OF parts FOR VALUES FROM ('01ARZ3NDEKTSV4RRFFQ69G5FAV') TO (MAXVALUE);
		INSERT INTO parts VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAA'), ('01ARZ3NDEKTSV4RRFFQ69G5FAX');
SQL
	$rows = 'SELECT tableoid::regclass, id FROM parts ORDER BY id';
	$before = query('casts', $rows);
	my ($parts) = write_script('casts', 'parts', 'ulid');
	unlike(slurp_file($parts), qr/other spellings/, 'and no spelling is another by them');
	is((run_file('casts', $parts))[0], 0, 'a partitioned table with the casts, there');
	is((run_file('casts', (write_script('casts', 'parts', 'varchar(26)'))[0]))[0], 0, 'and back, by a script that was written with them');
	is(query('casts', $rows), $before, 'and each row is in the partition that it was in');
}

# ---------------------------------------------------------------- What bad input gets
query('postgres', 'CREATE DATABASE refused');
query('refused', <<'SQL');
	CREATE EXTENSION ulid;
	CREATE TABLE no_ulid (id text PRIMARY KEY);
	INSERT INTO no_ulid SELECT gen_ulid() FROM generate_series(1, 10);
	INSERT INTO no_ulid SELECT 'it''s ' || n FROM generate_series(1, 9) n;
	CREATE TABLE other (no integer PRIMARY KEY, id varchar(30));
	INSERT INTO other VALUES (1, gen_ulid()), (2, 'bad');
	CREATE TABLE same (id varchar(26) PRIMARY KEY);
	INSERT INTO same VALUES ('01arz3ndektsv4rrffq69g5fav'), ('01ARZ3NDEKTSV4RRFFQ69G5FAV');
	CREATE TABLE spelt (id text PRIMARY KEY);
	INSERT INTO spelt VALUES ('oiarz3ndektsv4rrffq69g5fav');
	CREATE TABLE keyless (id text NOT NULL);
	CREATE TABLE by_expression (id uuid) PARTITION BY LIST (left(id::text, 1));
	CREATE TABLE bounded (id text PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE bounded_1 PARTITION OF bounded FOR VALUES FROM ('no ulid') TO (MAXVALUE);
	CREATE TABLE hidden (id text PRIMARY KEY);
	ALTER TABLE hidden FORCE ROW LEVEL SECURITY;
	CREATE TABLE row_type (id text PRIMARY KEY);
	CREATE FUNCTION of_row(row_type) RETURNS text LANGUAGE sql AS 'SELECT $1.id';
	CREATE TABLE viewed (id text PRIMARY KEY);
	CREATE VIEW seen AS SELECT id FROM viewed WHERE id LIKE 'x%';
	CREATE TABLE labelled (id text PRIMARY KEY);
	INSERT INTO pg_seclabel VALUES ('labelled'::regclass, 'pg_class'::regclass, 1, 'nobody', 'label');
	CREATE TABLE off (id text PRIMARY KEY, up text CONSTRAINT off_up REFERENCES off);
	ALTER TABLE off DISABLE TRIGGER ALL;
	CREATE TABLE of_parts (id text PRIMARY KEY, up text, CONSTRAINT parts_up FOREIGN KEY (up) REFERENCES off) PARTITION BY HASH (id);
	CREATE TABLE of_parts_0 PARTITION OF of_parts FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	COMMENT ON CONSTRAINT parts_up ON of_parts_0 IS 'comment';
	CREATE TABLE bound (id text PRIMARY KEY, n integer GENERATED ALWAYS AS IDENTITY);
	CREATE TABLE bound_to (n integer DEFAULT nextval('bound_n_seq'), t regclass DEFAULT 'bound'::regclass, CHECK (t <> 'bound'::regclass));
	CREATE CONSTRAINT TRIGGER bound_from AFTER INSERT ON bound_to FROM bound FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
	CREATE DOMAIN a_ref AS text DEFAULT 'none' CHECK (VALUE <> '');
	CREATE TABLE of_domain (id text PRIMARY KEY, up a_ref REFERENCES of_domain);
	CREATE ROLE hider;
	ALTER TABLE hidden OWNER TO hider;
	CREATE SCHEMA closed;
	CREATE TABLE closed.of_none (id text PRIMARY KEY);
	ALTER TABLE closed.of_none OWNER TO hider;
	REVOKE SELECT, DELETE ON closed.of_none FROM hider;
	CREATE TABLE named (id text PRIMARY KEY);
	CREATE FUNCTION of_name(r regclass DEFAULT 'named'::regclass) RETURNS text LANGUAGE plpgsql AS 'BEGIN RETURN r; END';
	CREATE EXTENSION citext;
	CREATE TABLE folded (id text, name citext, PRIMARY KEY (name, id));
	CREATE TABLE twice (n integer, id text, PRIMARY KEY (n, id), CONSTRAINT twice_later UNIQUE (id, n) DEFERRABLE);
	CREATE TABLE above (id text PRIMARY KEY);
	CREATE TABLE below (id text PRIMARY KEY, up text CONSTRAINT below_up REFERENCES above);
SQL
my $has_except = query('postgres', 'SHOW server_version_num') >= 190000;
query('refused', 'CREATE TABLE left_out (id text PRIMARY KEY); CREATE PUBLICATION without FOR ALL TABLES EXCEPT (TABLE left_out)') if $has_except;
my $refused = dump_of('refused');
foreach (
	[ 'no_ulid', qr/column id of table .*no_ulid has what is no ULID: 'it''s 1', 'it''s 2', .* and more/ ],
	[ 'other.id', qr/column id of table .*other has what is no ULID: 'bad' \(where no is 2\)/ ],
	[ 'same', qr/has keys that are the same as ulid: '01(?i:arz3ndektsv4rrffq69g5fav)' and '01(?i:arz3ndektsv4rrffq69g5fav)'/ ],
	[ 'keyless.id', qr/keyless has to be copied, and has no primary key/ ],
	[ 'by_expression.id', qr/no primary key.*none where an expression partitions/ ],
	[ 'bounded', qr/partition .*bounded_1 is bound by 'no ulid'/ ],
	[ 'hidden', qr/row level security would hide rows from its owner/ ],
	[ 'row_type', qr/function public\.of_row\(public\.row_type\) depends on the row type/ ],
	[ 'labelled', qr/column id of table .*labelled has a security label: SECURITY LABEL FOR nobody/ ],
	[ 'off', qr/constraint off_up of .*off has triggers that are disabled.*ENABLE TRIGGER ALL/ ],
	[ 'of_parts', qr/constraint parts_up of .*of_parts_0, a partition, has a comment/ ],
	[ 'viewed', qr/view .*seen cannot be made with the new type/ ],
	[ 'of_domain', qr/column up of table public\.of_domain is of type public\.a_ref/ ],
	[ 'closed.of_none', qr/hider, who owns table closed\.of_none, has no USAGE on schema closed\n.*hider, who owns table closed\.of_none, has no SELECT, DELETE on it/ ],
	[ 'named', qr/function public\.of_name\(regclass\) depends on table public\.named, and would go or stay/ ],
	[ 'folded.id', qr/folded has to be copied, and its rows are known by name, of type public\.citext, whose operators are not the server's own/ ],
	[ 'twice.id', qr/constraint twice_later of public\.twice is deferrable, and of the columns by which its rows are known/ ],
	[ 'public.above, -public.below.up', qr/foreign key below_up of public\.below would be between a text and an id/ ],
	[ 'bound', qr/default value for column t of table public\.bound_to depends on table public\.bound, and would go or stay with the old one/ ],
	[ 'bound', qr/default value for column n of table public\.bound_to depends on table public\.bound/ ],
	[ 'bound', qr/constraint bound_to_t_check on table public\.bound_to depends on table public\.bound/ ],
	[ 'bound', qr/trigger bound_from on table public\.bound_to depends on table public\.bound/ ],
	$has_except ? [ 'left_out', qr/publication without leaves out table public\.left_out, and would publish its copy/ ] : ())
{
	my ($named, $error) = @$_;
	my ($file, $err) = write_script('refused', $named, 'ulid');
	is($file, undef, "refused: $named");
	like($err, $error, "with the reason");
}
like((write_script('refused', 'spelt', 'varchar(25)'))[1], qr/to must be ulid, uuid, text, varchar\(26\) or char\(26\)/, 'refused: a type that is too short');
is(dump_of('refused'), $refused, 'and nothing was changed');
query('refused', 'DROP PUBLICATION IF EXISTS without');
{
	my ($file) = write_script('refused', 'spelt', 'ulid');
	query('refused', q{BEGIN; INSERT INTO spelt VALUES (gen_ulid()); PREPARE TRANSACTION 'holds it'});
	like((run_file('refused', $file))[1], qr/a prepared transaction uses the tables.*'holds it'/s, 'a prepared transaction in the way');
	query('refused', q{ROLLBACK PREPARED 'holds it'});
	query('refused', 'ALTER TABLE spelt ADD COLUMN more integer');
	like((run_file('refused', $file))[1], qr/not as it was when this was written.*spelt/s, 'a script that is older than a change');
	query('refused', 'ALTER TABLE spelt DROP COLUMN more');
	my ($begin) = slurp_file($file) =~ /\A(.*?)^-- 4\. /ms;
	is((run_file('refused', write_part($begin)))[0], 0, 'a move begun');
	my ($out, $err);
	$node->psql('refused', q{INSERT INTO spelt VALUES ('none')}, stderr => \$err);
	like($err, qr/invalid input syntax for type ulid/, 'takes no more what is no ULID');
	$node->psql('refused', q{INSERT INTO spelt VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV')}, stderr => \$err);
	like($err, qr/duplicate key value violates unique constraint "spelt_ulid_move"/, 'nor what is the same as ulid');
	query('refused', q{INSERT INTO spelt VALUES ('01arz3ndektsv4rrffq69g5fzz'); UPDATE spelt SET id = '01ARZ3NDEKTSV4RRFFQ69G5FZY' WHERE id LIKE '%zz'});
	is((run_file('refused', $file))[0], 0, 'and comes to its end');
	is(query('refused', 'SELECT string_agg(id::text, $$ $$ ORDER BY id) FROM spelt'), '01ARZ3NDEKTSV4RRFFQ69G5FAV 01ARZ3NDEKTSV4RRFFQ69G5FZY', 'with the canonical spelling');
}

# Triggers that were off for a while, as a restore and the fixtures of a framework have them: what was changed then is
# in the old table alone.
{
	query('refused', 'CREATE TABLE paused (id uuid PRIMARY KEY, n integer); INSERT INTO paused SELECT gen_ulid(), n FROM generate_series(1, 50) n');
	my ($file) = write_script('refused', 'paused', 'ulid', '-v', 'copy=public.paused');
	my ($copied) = slurp_file($file) =~ /\A(.*?)^-- 5\. /ms;
	my $were_off = 'triggers that keep a copy in step are gone, or were off';
	my $otherwise = 'public\.paused has 50 rows, and its copy 50 and misses 1, or has them otherwise';
	foreach ([ 'ALTER TABLE paused DISABLE TRIGGER ALL; UPDATE paused SET n = 0 WHERE n = 5; ALTER TABLE paused ENABLE TRIGGER ALL', $were_off ],
		[ 'DROP TRIGGER ulid_move_update ON paused; UPDATE paused SET n = 0 WHERE n = 6', $were_off ],
		[ join('; ', map({ "DROP TRIGGER ulid_move_$_ ON paused" } 'insert', 'update', 'delete', 'truncate', 'apply'), 'UPDATE paused SET n = 0 WHERE n = 9'), $were_off ],
		[ 'ALTER TABLE paused ALTER n TYPE integer USING NULLIF(n, 7)', $otherwise ],
		[ 'ALTER TABLE paused DISABLE TRIGGER ulid_move_update; UPDATE paused SET n = 0 WHERE n = 10; ALTER TABLE paused ENABLE ALWAYS TRIGGER ulid_move_update', $otherwise ],
		[ 'UPDATE ulid_move_public.paused SET n = NULL WHERE n = 11', $otherwise ])
	{
		my ($off, $notice) = @$_;
		is((run_file('refused', write_part($copied)))[0], 0, 'rows are copied');
		query('refused', $off);
		my ($code, $err) = run_file('refused', $file);
		ok($code == 3 && $err =~ /$notice.*DROP SCHEMA ulid_move_public CASCADE/s, "$off: the script notices") or diag $err;
		query('refused', 'DROP SCHEMA ulid_move_public CASCADE; DROP SCHEMA ulid_moved_public');
	}
	# after they were compared
	foreach ('ALTER TABLE paused ALTER n TYPE integer USING NULLIF(n, 12)',
		'ALTER TABLE paused DISABLE TRIGGER ulid_move_update; UPDATE paused SET n = 0 WHERE n = 13; ALTER TABLE paused ENABLE ALWAYS TRIGGER ulid_move_update')
	{
		my $between = sprintf "\\! %s -X -d '%s' -c '%s'\n", $node->installed_command('psql'), $node->connstr('refused') =~ s/'//gr, $_;
		my ($code, $err) = run_file('refused', write_file('between.sql', slurp_file($file) =~ s/^-- 5\. /$between-- 5. /mr));
		ok($code == 3 && $err =~ /columns, partitions or triggers of what is copied were changed since it was compared.*Run the script again/s,
			"$_: noticed after the comparison") or diag $err;
		like((run_file('refused', $file))[1], qr/$otherwise/, 'and by the next');
		query('refused', 'DROP SCHEMA ulid_move_public CASCADE; DROP SCHEMA ulid_moved_public');
	}
	# another table of that name, with no trigger at all
	is((run_file('refused', write_part($copied)))[0], 0, 'it begins anew');
	query('refused', 'CREATE TABLE swapped (LIKE paused INCLUDING ALL); INSERT INTO swapped SELECT id, NULLIF(n, 8) FROM paused; DROP TABLE paused; ALTER TABLE swapped RENAME TO paused; ALTER INDEX swapped_pkey RENAME TO paused_pkey');
	is((run_file('refused', $file))[0], 0, 'and again, where another table has come in its place');
	is(query('refused', "SELECT pg_typeof(id), count(*) FROM paused WHERE n = 0 OR n IS NULL GROUP BY 1"), 'ulid|8', 'with every change');
}

# A reader of an old snapshot holds up the switch, and a deleted row does not come back to a client of one.
{
	query('refused', 'CREATE TABLE snapshot (id text PRIMARY KEY, n integer); INSERT INTO snapshot SELECT gen_ulid(), n FROM generate_series(1, 50) n');
	my ($file) = write_script('refused', 'snapshot', 'ulid');
	my ($keep, $copy) = slurp_file($file) =~ /\A(.*?)(^-- 3\. .*?)^-- 4\. /ms;
	is((run_file('refused', write_part($keep)))[0], 0, 'a copy without rows');
	my $client = $node->background_psql('refused', on_error_stop => 0);
	$client->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM snapshot');
	my $reader = $node->background_psql('refused');
	$reader->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
	is((run_file('refused', write_part($keep . $copy)))[0], 0, 'which are copied then');
	my ($text_of) = $client->query('DELETE FROM snapshot WHERE n = 25');
	like($client->{stderr}, qr/could not serialize access/, 'a row that was copied after the snapshot is not deleted in the old table alone');
	$client->query('ROLLBACK');
	$client->quit;
	# as of a table that was copied when a dump was made, on a server of many more transactions
	query('refused', "INSERT INTO ulid_move_public.ulid_move_progress VALUES ('public.other', NULL, NULL, 0, '3000000000')");
	my ($run, $err) = held_up('refused', $file, 'one that only reads holds up the switch');
	is($reader->query('SELECT count(*) FROM snapshot'), 50, 'and sees every row');
	$reader->query('COMMIT');
	$reader->quit;
	ok($run->finish, 'the script comes to its end') or diag $$err;
	is(query('refused', 'SELECT count(*) FROM snapshot'), 50, 'with every row');
}

# To a snapshot from before a DELETE the row is there, and so is one that takes its key.
{
	query('refused', 'CREATE TABLE again (id uuid PRIMARY KEY, n integer); INSERT INTO again SELECT gen_ulid(), n FROM generate_series(1, 50) n');
	my ($file) = write_script('refused', 'again', 'ulid', '-v', 'copy=public.again');
	my ($keep, $copy) = slurp_file($file) =~ /\A(.*?)(^-- 3\. .*?)^-- 4\. /ms;
	is((run_file('refused', write_part($keep)))[0], 0, 'a copy without rows');
	foreach my $n (25, 26)
	{
		my $id = query('refused', "SELECT id FROM again WHERE n = $n");
		my $change = $n == 25 ? "INSERT INTO again VALUES ('$id', -25)" : "UPDATE again SET id = '$id' WHERE n = 1";
		my $client = $node->background_psql('refused', on_error_stop => 0);
		$client->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM again');
		query('refused', "DELETE FROM again WHERE id = '$id'");
		$client->query($change);
		like($client->{stderr}, qr/could not serialize access/, "$change: a key that was taken when the snapshot began") or diag $client->{stderr};
		$client->query('ROLLBACK');
		$client->quit;
		query('refused', "INSERT INTO again VALUES ('$id', $n)");
	}
	is((run_file('refused', $file))[0], 0, 'the script comes to its end');
	is(query('refused', 'SELECT count(*), sum(n) FROM again'), '50|1275', 'with every row');
}

# So does one on a standby that tells of it, by its connection or its slot.
foreach my $slot ('', 'standby')
{
	query('refused', "SELECT pg_create_physical_replication_slot('standby')") if $slot;
	$node->backup("standby$slot");
	my $standby = PostgreSQL::Test::Cluster->new("standby$slot");
	$standby->init_from_backup($node, "standby$slot", has_streaming => 1);
	$standby->append_conf('postgresql.conf', "hot_standby_feedback = on\nwal_receiver_status_interval = 1s\nprimary_slot_name = '$slot'");
	$standby->start;
	query('refused', 'CREATE TABLE read_there (id uuid PRIMARY KEY); INSERT INTO read_there SELECT gen_ulid() FROM generate_series(1, 50)');
	$node->wait_for_catchup($standby);
	my ($file) = write_script('refused', 'read_there', 'ulid', '-v', 'copy=public.read_there');
	my $client = $standby->background_psql('refused');
	$client->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
	$node->poll_query_until('refused', 'SELECT count(*) > 0 FROM (SELECT backend_xmin FROM pg_stat_replication UNION ALL SELECT xmin FROM pg_replication_slots) x (of_standby) WHERE of_standby IS NOT NULL')
		or die 'no feedback';
	my ($run, $err) = held_up('refused', $file, 'a reader on a standby holds up the switch');
	is($client->query('SELECT count(*) FROM read_there'), 50, 'and sees every row');
	$client->query('COMMIT');
	ok($run->finish, 'and it comes to its end') or diag $$err;
	$client->quit;
	$standby->stop;
	query('refused', 'DROP TABLE read_there');
}
query('refused', "SELECT pg_drop_replication_slot('standby')");

# A statement in a trigger gives a row what is unique of another row, which the statement around it has deleted, and
# whose own trigger has yet to come: the client is told, as the page says.
{
	query('refused', 'CREATE TABLE turn (id text PRIMARY KEY DEFAULT gen_ulid(), n integer UNIQUE); INSERT INTO turn (n) VALUES (1), (2);
		CREATE FUNCTION take_turn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO turn (n) VALUES (OLD.n); RETURN NULL; END $$;
		CREATE TRIGGER turn AFTER DELETE ON turn FOR EACH ROW EXECUTE FUNCTION take_turn()');
	my ($file, $said) = write_script('refused', 'turn', 'ulid');
	ok($file, 'a table whose trigger hands on what is unique') or BAIL_OUT($said);
	my ($begun) = slurp_file($file) =~ /\A(.*?)^-- 4\. /ms;
	is((run_file('refused', write_part($begun)))[0], 0, 'a copy that is kept in step');
	my $rows = 'SELECT id::text, n FROM turn ORDER BY id';
	my $before = query('refused', $rows);
	my (undef, undef, $why) = $node->psql('refused', 'DELETE FROM turn WHERE n = 1');
	like($why, qr/duplicate key value violates unique constraint "turn_n_key"/, 'a statement that hands that on in a trigger fails');
	is(query('refused', $rows), $before, 'and changes nothing');
	query('refused', 'BEGIN; UPDATE turn SET n = -n WHERE n = 2; INSERT INTO turn (n) VALUES (2); END');
	is((run_file('refused', $file))[0], 0, 'nor do two statements fail, nor the switch');
	query('refused', 'DELETE FROM turn WHERE n = 1');
	is(query('refused', 'SELECT pg_typeof(id), n FROM turn ORDER BY n'), "ulid|-2\nulid|1\nulid|2", 'and after it that statement works');
}

# What partitions do that a table does not.
{
	# the same ULID in two spellings, where no index of the whole table keeps one of them out
	query('refused', "CREATE TABLE spread (id text PRIMARY KEY, n integer, tags text[], CONSTRAINT \"a check\" CHECK (id <> '')) PARTITION BY LIST (id)");
	query('refused', "CREATE TABLE spread_1 PARTITION OF spread FOR VALUES IN ('01ARZ3NDEKTSV4RRFFQ69G5FAV'); CREATE TABLE spread_2 PARTITION OF spread DEFAULT");
	query('refused', "INSERT INTO spread VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV', 1), ('01arz3ndektsv4rrffq69g5fax', 2)");
	my ($file, $said) = write_script('refused', 'spread', 'ulid');
	ok($file, 'a table that is partitioned by a text') or BAIL_OUT($said);
	my ($begun) = slurp_file($file) =~ /\A(.*?)^-- 5\. /ms;
	is((run_file('refused', write_part($begun)))[0], 0, 'which is copied and compared');
	my (undef, undef, $why) = $node->psql('refused', "INSERT INTO spread VALUES ('01arz3ndektsv4rrffq69g5fav', 3)");
	like($why, qr/duplicate key value/, 'a second spelling of a key is refused then, and takes the place of none');
	query('refused', "UPDATE spread SET id = upper(id), n = 4 WHERE n = 2");
	my ($ended, $warned) = run_file('refused', $file);
	is("$ended$warned", 0, 'the script comes to its end, and warns of nothing');
	is(query('refused', 'SELECT pg_typeof(id), string_agg(n::text, $$,$$ ORDER BY n) FROM spread GROUP BY 1'), 'ulid|1,4', 'with every row');

	# rows that go to another partition while they are copied; the copy has the CHECK, and so the copier takes its time
	query('refused', "CREATE FUNCTION nap() RETURNS boolean LANGUAGE plpgsql AS \$\$ BEGIN
			IF current_setting('ulid_move.began', true) <> '' THEN PERFORM pg_sleep(0.05); END IF; RETURN true; END \$\$;
		CREATE TABLE wandering (id uuid DEFAULT gen_random_uuid(), part integer, note text, PRIMARY KEY (id, part), CHECK (nap())) PARTITION BY LIST (part);
		CREATE TABLE wandering_1 PARTITION OF wandering FOR VALUES IN (1); CREATE TABLE wandering_2 PARTITION OF wandering DEFAULT;
		INSERT INTO wandering (part) SELECT 1 FROM generate_series(1, 40)");
	($file, $said) = write_script('refused', 'wandering.id', 'ulid', '-v', 'copy=public.wandering');
	ok($file, 'a table whose rows change their partitions') or BAIL_OUT($said);
	my ($out, $err) = ('', '');
	my $run = IPC::Run::start([ $node->installed_command('psql'), '-X', '-d', $node->connstr('refused'), '-f', $file ], '<', \undef, '>', \$out, '2>', \$err,
		IPC::Run::timeout(300));
	$node->poll_query_until('refused', "SELECT to_regclass('ulid_move_public.ulid_move_progress') IS NOT NULL");
	$node->poll_query_until('refused', "SELECT count(*) = 1 FROM ulid_move_public.ulid_move_progress WHERE table_name = 'public.wandering_1' AND high IS NOT NULL");
	query('refused', 'UPDATE wandering SET part = 2 WHERE id IN (SELECT id FROM wandering ORDER BY id DESC LIMIT 5)');
	ok($run->finish, 'the copier comes back to them') or diag $err;
	is(query('refused', 'SELECT pg_typeof(id), count(*), sum(part) FROM wandering GROUP BY 1'), 'ulid|40|45', 'and has every row once');

	# PostgreSQL tells no trigger of a statement of what a MERGE moves so
	($file, $said) = write_script('refused', 'wandering.id', 'uuid', '-v', 'copy=public.wandering');
	ok($file, 'and back') or BAIL_OUT($said);
	($begun) = slurp_file($file) =~ /\A(.*?)^-- 4\. /ms;
	is((run_file('refused', write_part($begun)))[0], 0, 'which has begun');
	query('refused', 'MERGE INTO wandering w USING (SELECT id FROM wandering WHERE part = 2 LIMIT 1) s ON s.id = w.id WHEN MATCHED THEN UPDATE SET part = 1');
	my ($code, $refusal) = run_file('refused', $file);
	ok($code == 3 && $refusal =~ /its copy 40 and misses 1,.*MERGE/s, 'a MERGE that moves a row is noticed before the switch') or diag $refusal;
	query('refused', 'DROP SCHEMA ulid_move_public CASCADE');
	($begun) = slurp_file($file) =~ /\A(.*?)^-- 5\. /ms;
	is((run_file('refused', write_part($begun)))[0], 0, 'and the copying begins anew, until the tables have been compared');
	my @rows = ('SELECT id::uuid, part, note FROM wandering ORDER BY 1, 2', 'SELECT id::uuid, part, note FROM ulid_move_public.wandering ORDER BY 1, 2');
	for my $level ('read committed', 'repeatable read') {
		query('refused', "BEGIN TRANSACTION ISOLATION LEVEL $level;
			MERGE INTO wandering w USING (SELECT DISTINCT ON (part) id FROM wandering ORDER BY part, id) s ON s.id = w.id
				WHEN MATCHED THEN UPDATE SET part = 3 - part, note = '$level';
			UPDATE wandering SET part = 3 - part, note = 'moved' WHERE id IN (SELECT id FROM wandering ORDER BY id DESC LIMIT 3);
			INSERT INTO wandering (part) VALUES (1), (2); DELETE FROM wandering WHERE id IN (SELECT id FROM wandering ORDER BY id OFFSET 5 LIMIT 3); END");
		is(query('refused', $rows[1]), query('refused', $rows[0]), "after that the copy has what a MERGE moves, and other changes, $level");
	}
	my $after = query('refused', $rows[0]);
	like($after, qr/repeatable read/, 'which were some');
	is((run_file('refused', $file))[0], 0, 'and the tables change places');
	is(query('refused', $rows[0]), $after, 'with every row');

	# what a script that is stopped before it attaches a foreign key leaves
	query('refused', 'CREATE TABLE visited (id uuid PRIMARY KEY); ALTER TABLE wandering ADD COLUMN visited_id uuid');
	query('refused', "ALTER TABLE wandering_$_ ADD CONSTRAINT visited_fkey FOREIGN KEY (visited_id) REFERENCES visited") foreach 1, 2;
	like((run_writer('refused', 'visited', 'ulid', '-v', 'dry_run=1'))[2],
		qr/Note: foreign key visited_fkey is one of each partition of public\.wandering, .*ALTER TABLE public\.wandering ADD CONSTRAINT visited_fkey FOREIGN KEY \(visited_id\) REFERENCES public\.visited\(id\), if/,
		'a foreign key of all partitions, and not of their table, is named');
}

# What the new type cannot have is refused before anything is copied, wherever it stands.
foreach (
	[ 'CREATE STATISTICS of_lower ON (lower(id)), v FROM plain', 'statistics object public\.of_lower' ],
	[ 'CREATE FUNCTION of_seen(x text) RETURNS text BEGIN ATOMIC SELECT v FROM looked WHERE id = x; END', 'function public\.of_seen\(text\)' ],
	[ 'CREATE POLICY of_plain ON beside USING (EXISTS (SELECT FROM plain WHERE plain.id = beside.t))', 'policy of_plain on table public\.beside' ],
	[ 'CREATE POLICY of_seen ON beside USING (t IN (SELECT id FROM looked))', 'policy of_seen on table public\.beside' ],
	[ "CREATE RULE of_plain AS ON INSERT TO beside DO ALSO UPDATE plain SET v = 'r' WHERE plain.id = new.t", 'rule of_plain on table public\.beside' ],
	[ 'CREATE RULE of_seen AS ON DELETE TO looked DO INSTEAD INSERT INTO beside VALUES (upper(old.id))', 'rule of_seen on view public\.looked' ],
	[ 'CREATE INDEX of_filled ON filled (id text_pattern_ops)', 'index public\.of_filled' ],
	[ 'CREATE STATISTICS of_filled ON (lower(id)), v FROM filled', 'statistics object public\.of_filled' ],
	[ "COMMENT ON TYPE plain IS 'a row'", 'the row type of public\.plain has a comment' ],
	[ 'REVOKE USAGE ON TYPE plain FROM PUBLIC', 'the row type of public\.plain has privileges' ])
{
	my ($act, $what) = @$_;
	query('refused', q{CREATE TABLE plain (id text PRIMARY KEY, v text); CREATE TABLE beside (t text); CREATE VIEW looked AS SELECT * FROM plain;
		CREATE MATERIALIZED VIEW filled AS SELECT id, v FROM plain;
		CREATE POLICY fits ON plain USING (id IN (SELECT id FROM looked)); CREATE POLICY fits ON beside USING (t IN (SELECT v FROM looked))});
	if ($act =~ /of_lower/)
	{
		my ($file, $said) = write_script('refused', 'plain', 'ulid');
		ok($file, 'what fits is not refused') or diag $said;
	}
	query('refused', $act);
	like((write_script('refused', 'plain', 'ulid'))[1], qr/^  $what/m, "$act: refused");
	query('refused', 'DROP TABLE plain, beside CASCADE');
}

# Foreign keys act in the order in which they were made, by either way; and so do unique indexes.
foreach my $way ([ 'uuid', 'ulid' ], [ 'uuid', 'ulid', '-v', 'copy=public.act*' ], [ 'text', 'ulid' ])
{
	my ($type, $to, @options) = @$way;
	foreach my $order ([ 'z', 'RESTRICT', 'b', 'CASCADE' ], [ 'z', 'CASCADE', 'b', 'RESTRICT' ])
	{
		my ($one, $does, $other, $does_other) = @$order;
		query('refused', "CREATE TABLE act (id $type PRIMARY KEY, n integer CONSTRAINT z_n UNIQUE, m integer CONSTRAINT b_m UNIQUE); INSERT INTO act SELECT gen_ulid(), n, n FROM generate_series(1, 3) n;
			CREATE TABLE acted (x $type NOT NULL, y $type NOT NULL, PRIMARY KEY (x, y));
			ALTER TABLE acted ADD CONSTRAINT $one FOREIGN KEY (y) REFERENCES act ON DELETE $does; ALTER TABLE acted ADD CONSTRAINT $other FOREIGN KEY (x) REFERENCES act ON DELETE $does_other;
			INSERT INTO acted SELECT id, id FROM act");
		my $delete = sub { my $err; $node->psql('refused', 'BEGIN; DELETE FROM act WHERE n = 1; ROLLBACK', stderr => \$err, on_error_stop => 1); return $err =~ s/.*ERROR: +|\n.*//gsr; };
		my $insert = sub { my $err; $node->psql('refused', 'INSERT INTO act VALUES (gen_ulid(), 1, 1)', stderr => \$err); return $err =~ /constraint "(\w+)"/ ? $1 : $err; };
		my @before = ($delete->(), $insert->());
		my ($file, $said) = write_script('refused', 'act', $to, @options);
		ok($file, "$type, @options: written") or BAIL_OUT($said);
		is((run_file('refused', $file))[0], 0, 'and run');
		is_deeply([ $delete->(), $insert->() ], \@before, "$type, @options: $one and $other act as they did");
		query('refused', 'DROP TABLE act, acted');
	}
}

# So they do where one follows from another, whatever the switches, there and back: of each order in which they can have been
# made, a DELETE does what it did, or is refused. The order is that of the names of triggers.
my $triggers_of = q{SELECT string_agg(concat_ws(' ', tgrelid::regclass, conname, tgfoid::regproc, tgname), E'\n' ORDER BY tgrelid::regclass::text, tgname)
	FROM pg_trigger JOIN pg_constraint c ON c.oid = tgconstraint JOIN pg_class r ON r.oid = tgrelid WHERE tgisinternal AND contype = 'f' AND relkind = 'r' AND r.relnamespace = 'public'::regnamespace};
foreach my $first (qw(a_b a_c))
{
	query('refused', q{CREATE TABLE a (id uuid PRIMARY KEY, n integer UNIQUE); CREATE TABLE b (id uuid PRIMARY KEY, a_id uuid, n integer); CREATE TABLE c (id uuid PRIMARY KEY, a_id uuid);
		CREATE TABLE e (id uuid, b_id uuid REFERENCES b, c_id uuid REFERENCES c ON DELETE CASCADE, n integer, PRIMARY KEY (id, n)) PARTITION BY LIST (n); CREATE TABLE e_1 PARTITION OF e DEFAULT;});
	my %key = (a_b => 'ALTER TABLE b ADD CONSTRAINT a_b FOREIGN KEY (a_id) REFERENCES a ON DELETE CASCADE', a_c => 'ALTER TABLE c ADD CONSTRAINT a_c FOREIGN KEY (a_id) REFERENCES a ON DELETE CASCADE');
	query('refused', join '; ', map { $key{$_} } $first, grep { $_ ne $first } sort keys %key);
	# one that no switch makes again, by what is no id
	query('refused', q{ALTER TABLE b ADD CONSTRAINT a_n FOREIGN KEY (n) REFERENCES a (n) ON DELETE SET NULL;
		INSERT INTO a VALUES (gen_ulid(), 1), (gen_ulid(), 2); INSERT INTO b SELECT gen_ulid(), id, n FROM a; INSERT INTO c SELECT gen_ulid(), id FROM a;
		INSERT INTO e SELECT gen_ulid(), b.id, c.id, 1 FROM a JOIN b ON a_id = a.id JOIN c ON c.a_id = a.id});
	my $delete = sub { my $err; $node->psql('refused', 'BEGIN; DELETE FROM a WHERE n = 1; ROLLBACK', stderr => \$err, on_error_stop => 1); return $err =~ s/.*ERROR: +|\n.*//gsr; };
	my @before = ($delete->(), query('refused', $triggers_of));
	is($before[0] =~ /violates foreign key constraint "e_b_id_fkey"/ ? 'refused' : $before[0] || 'done', $first eq 'a_b' ? 'refused' : 'done', "$first first");
	foreach my $copied ('', 'public.b', 'public.*')
	{
		my %file = map { my ($f, $said) = write_script('refused', 'public.a, public.b, public.c, public.e.*', $_, '-v', "copy=$copied"); $f or BAIL_OUT($said); ($_ => $f) } 'ulid', 'uuid';
		foreach my $to ('ulid', 'uuid')
		{
			my ($code, $said) = run_file('refused', $file{$to});
			is("$code$said", 0, "to $to, copied '$copied'");
			is_deeply([ $delete->(), query('refused', $triggers_of) ], \@before, 'and all foreign keys act as they did');
		}
	}
	query('refused', 'DROP TABLE a, b, c, e');
}

# The plan tells of partitions that have foreign keys in several orders.
foreach my $copied ('', 'public.p')
{
	query('refused', q{CREATE TABLE p (id uuid, k integer, PRIMARY KEY (id, k)) PARTITION BY RANGE (k); CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10); CREATE TABLE r (a uuid, b uuid, k integer);
		ALTER TABLE r ADD CONSTRAINT z_first FOREIGN KEY (a, k) REFERENCES p ON DELETE CASCADE; ALTER TABLE r ADD CONSTRAINT a_second FOREIGN KEY (b, k) REFERENCES p ON DELETE RESTRICT});
	my ($file, $said) = write_script('refused', 'public.p.id', 'ulid', '-v', "copy=$copied");
	unlike(slurp_file($file), qr/act in one order in some/, 'partitions that are alike');
	is((run_file('refused', $file))[0], 0, "partitioned, copied '$copied'") or diag $said;
	query('refused', q{INSERT INTO p VALUES (gen_ulid(), 1); INSERT INTO r SELECT id, id, k FROM p});
	is(query('refused', 'WITH d AS (DELETE FROM p WHERE k = 1 RETURNING k) SELECT k FROM d'), 1, 'a row of a partition is deleted, as before');
	query('refused', 'CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (10) TO (20)');
	my $names = sub { return split /\|/, query('refused', "SELECT string_agg(tgname, '|' ORDER BY tgparentid) FROM pg_trigger WHERE tgrelid = '$_[0]'::regclass AND tgtype = 9") };
	my @names = $names->('p2');
	@names[0, 1] = @names[1, 0] if ($names[0] lt $names[1]) == (($names->('p1'))[0] lt ($names->('p1'))[1]);
	query('refused', 'SET allow_system_table_mods = on; ' . join '; ', map { "UPDATE pg_trigger SET tgname = '$_->[1]' WHERE tgrelid = 'p2'::regclass AND tgname = '$_->[0]'" }
		[ ($names->('p2'))[0], 'x' ], [ ($names->('p2'))[1], $names[1] ], [ 'x', $names[0] ]);
	($file) = write_script('refused', 'public.p.id', 'uuid', '-v', "copy=$copied");
	like(slurp_file($file), qr/foreign keys that refer to public\.p act in one order in some of its partitions, and in another in others/, 'partitions that are not');
	query('refused', 'DROP TABLE p, r');
}

# An owner who took rights from himself, an event trigger, and partitions in a schema of their own.
{
	query('refused', q{CREATE ROLE modest; CREATE SCHEMA cold; CREATE TABLE kept (id uuid PRIMARY KEY, v int GENERATED ALWAYS AS IDENTITY) PARTITION BY HASH (id);
		CREATE TABLE cold.kept_0 PARTITION OF kept FOR VALUES WITH (MODULUS 1, REMAINDER 0);
		ALTER TABLE kept OWNER TO modest; ALTER TABLE cold.kept_0 OWNER TO modest; GRANT USAGE ON SCHEMA public, cold TO modest;
		REVOKE REFERENCES, TRIGGER ON kept FROM modest; ALTER SEQUENCE kept_v_seq AS bigint; REVOKE UPDATE ON SEQUENCE kept_v_seq FROM modest; GRANT SELECT ON kept TO PUBLIC;
		CREATE VIEW paths AS WITH RECURSIVE t (id, path) AS (SELECT id, ARRAY[id] FROM kept UNION ALL SELECT kept.id, t.path || kept.id FROM kept JOIN t ON kept.v = 1 + cardinality(path)
			WHERE NOT kept.id = ANY (t.path)) SELECT * FROM t;
		INSERT INTO kept SELECT gen_ulid() FROM generate_series(1, 10);
		CREATE FUNCTION secure() RETURNS event_trigger LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN
			FOR r IN SELECT * FROM pg_event_trigger_ddl_commands() WHERE object_type = 'table' LOOP EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', r.object_identity); END LOOP; END $$;
		CREATE EVENT TRIGGER secure ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION secure()});
	my @dumped = ('-s', '-t', 'kept', '-t', 'cold.*', '-t', 'paths');
	my $schema = dump_of('refused', @dumped);
	my %file = map { my ($f, $said) = write_script('refused', 'kept', $_); $f or BAIL_OUT($said); ($_ => $f) } 'ulid', 'uuid';
	my ($code, $said) = run_file('refused', $file{ulid});
	is("$code$said", 0, 'a table whose owner has few rights: there, with no warning');
	is(query('refused', 'SET ROLE pg_monitor; SELECT count(*) FROM kept'), 10, 'and everybody sees its rows');
	($code, $said) = run_file('refused', $file{uuid});
	is("$code$said", 0, 'and back');
	same_schema(dump_of('refused', @dumped), $schema, 'to the schema that it had');
	is(query('refused', q{SELECT string_agg(nspname, ' ') FROM pg_namespace WHERE nspname ~ '^ulid_move.*cold'}), '', 'nothing is left of the move');
	query('refused', 'DROP EVENT TRIGGER secure; DROP TABLE kept CASCADE; DROP SCHEMA cold');
}

# What is compared is what the owner sees, whoever runs the script.
{
	query('refused', q{CREATE ROLE keeper BYPASSRLS; CREATE ROLE helper LOGIN IN ROLE keeper; GRANT CREATE ON DATABASE refused TO keeper, helper; GRANT ALL ON SCHEMA public TO keeper, helper;
		CREATE TABLE unseen (id uuid PRIMARY KEY, n integer); INSERT INTO unseen SELECT gen_ulid(), n FROM generate_series(1, 50) n;
		ALTER TABLE unseen OWNER TO keeper; ALTER TABLE unseen ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY});
	query('refused', 'CREATE STATISTICS of_another ON id, n FROM unseen');
	foreach my $copy ('', 'public.unseen')
	{
		like((write_script('refused', 'unseen', 'ulid', '-v', "copy=$copy", '-U', 'helper'))[1], qr/statistics public\.of_another is owned by \w+, of whom you are none/,
			'statistics of another role stand in the way');
	}
	query('refused', 'DROP STATISTICS of_another');
	my ($file, $said) = write_script('refused', 'unseen', 'ulid', '-v', 'copy=public.unseen', '-U', 'helper');
	ok($file, 'a table whose rows a member of its owner does not see') or BAIL_OUT($said);
	my ($begun) = slurp_file($file) =~ /\A(.*?)^-- 4\. /ms;
	is((run_file('refused', write_part($begun), '-U', 'helper'))[0], 0, 'which is copied');
	like(join('', run_writer('refused', 'ulid_*.*.*', 'uuid', '-v', 'dry_run=1')), qr/nothing is meant by ulid_/, 'no pattern means a copy');
	query('refused', 'DELETE FROM ulid_move_public.unseen WHERE n = 1');
	like((run_file('refused', $file, '-U', 'helper'))[1], qr/unseen has 50 rows, and its copy 49 and misses 1\b/, 'and compared');
	query('refused', 'DROP SCHEMA ulid_move_public CASCADE');
	is((run_file('refused', $file, '-U', 'helper'))[0], 0, 'which begins anew');
	is(query('refused', 'SELECT pg_typeof(id), count(*) FROM unseen GROUP BY 1'), 'ulid|50', 'with every row');
}

# Columns of a key with the names of variables, one of which a setting shortens the text, and one of another collation.
{
	query('refused', 'CREATE TABLE named_so (found text, low float8, n integer, other text COLLATE "C" DEFAULT $$$$, PRIMARY KEY (found, low, other));
		INSERT INTO named_so SELECT gen_ulid(), random(), g FROM generate_series(1, 20) g;
		INSERT INTO named_so VALUES (repeat($$7$$, 26), 1.0000000000000002, 21)');
	query('postgres', 'ALTER DATABASE refused SET extra_float_digits = 0');
	my ($file, $said) = write_script('refused', 'named_so.found', 'ulid');
	ok($file, 'a key of columns such as "found"') or BAIL_OUT($said);
	my ($begun) = slurp_file($file) =~ /\A(.*?)^-- 3\. /ms;
	is((run_file('refused', write_part($begun)))[0], 0, 'begins to be copied');
	query('refused', 'UPDATE named_so SET n = -n WHERE n < 5; DELETE FROM named_so WHERE n = 6; INSERT INTO named_so VALUES (gen_ulid(), 0.1, 22)');
	my ($code, $why) = run_file('refused', $file);
	is($code, 0, 'and is') or diag $why;
	is(query('refused', 'SELECT pg_typeof(found), count(*), sum(n) FROM named_so GROUP BY 1'), 'ulid|21|227', 'with every row');
	query('postgres', 'ALTER DATABASE refused RESET ALL');
}

# Values that have other bytes than those that are equal to them, of types of every length, and of a generated column.
{
	query('refused', q{CREATE TYPE pair AS (a numeric, b text);
		CREATE TABLE exact (id text PRIMARY KEY DEFAULT gen_ulid(), num numeric, f float8, at timestamptz, flag boolean, code char(5), name name, list text[], what pair,
			doc json, long text, words tsvector, twice numeric GENERATED ALWAYS AS (num * 2) STORED);
		INSERT INTO exact (num, f, at, flag, code, name, list, what, doc, long, words)
			SELECT (ARRAY['1.0', '1.00', 'NaN', NULL])[1 + i % 4]::numeric, (ARRAY['0', '-0', 'NaN', '1e-300'])[1 + i % 4]::float8, '-infinity', i % 2 = 0, 'a', 'b', ARRAY['x', NULL],
				ROW(i, repeat('y', i))::pair, '{"a":  1}', (SELECT string_agg(md5(g::text), '') FROM generate_series(1, 300 * (i % 3)) g), 'a:1 b:2' FROM generate_series(1, 60) i;
		ALTER TABLE exact ADD COLUMN later integer DEFAULT 7; ALTER TABLE exact DROP COLUMN flag});
	my ($file, $said) = write_script('refused', 'exact', 'ulid');
	ok($file, 'a table of many types') or BAIL_OUT($said);
	my ($copied) = slurp_file($file) =~ /\A(.*?)^-- 4\. /ms;
	foreach (q{num = '1.000' WHERE num = 1}, q{f = 0 WHERE f = 0}, q{what.b = 'z'}, q{doc = '{"a": 1}'}, q{long = long || ' ' WHERE length(long) > 10000}, q{later = NULL})
	{
		is((run_file('refused', write_part($copied)))[0], 0, 'is copied');
		query('refused', "UPDATE ulid_move_public.exact SET $_");
		my ($code, $err) = run_file('refused', $file);
		ok($code == 3 && $err =~ /public\.exact has 60 rows, and its copy 60 and misses [1-6]\d?, or/, "$_ in a copy is noticed") or diag $err;
		query('refused', 'DROP SCHEMA ulid_move_public CASCADE');
	}
	my ($code, $err) = run_file('refused', $file);
	is("$code$err", 0, 'and the copy as the script makes it is the same');
	is(query('refused', 'SELECT pg_typeof(id), count(*), count(later), sum(length(long)) FROM exact GROUP BY 1'), 'ulid|60|60|576000', 'with every row');
}

$node->stop;
done_testing();
