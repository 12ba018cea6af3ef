# ulid_move.sql writes the script that moves keys to ulid, and the script back, while clients write. The
# schema is test/t/moving/schema.sql: more than 30 tables with what a schema can have on a key.
#
# ULID_MOVE_ROWS     the customers of that schema, with 26 rows each that refer to them
# ULID_MOVE_SIZE     the rows of each of the four tables on which the longest wait is measured, beside that
#                    of the plain ALTER TABLE
# ULID_MOVE_CLIENTS  how many clients write
# ULID_MOVE_KILLS    how many times a script is killed before it may come to its end
#
# Part of make test-moving.
use File::Basename;
use FindBin;
use lib "$FindBin::Bin/../perl";
use IPC::Run;
use Time::HiRes qw(time);
use UlidCluster;
use UlidMove;

my $rows = $ENV{ULID_MOVE_ROWS} || 200;
my $size = $ENV{ULID_MOVE_SIZE} || 20000;
my $clients = $ENV{ULID_MOVE_CLIENTS} || 4;
my $kills = $ENV{ULID_MOVE_KILLS} || 3;
my $here = dirname(__FILE__);
my $tmp = $PostgreSQL::Test::Utils::tmp_check;

my $node = start_node('move', 'maintenance_work_mem = 256MB');
my $version = int($node->safe_psql('postgres', 'SHOW server_version_num') / 10000);

# The schema, with what differs between the types made the same.
sub schema_without_types
{
	my $dump = dump_of($_[0], '-s');
	$dump =~ s/public\.ulid\b|\buuid\b/TYPE/g;
	$dump =~ s/public\.gen_(?:random_)?ulid\(\)|gen_random_uuid\(\)/GENERATOR/g;
	$dump =~ s/\b(?:public\.ulid|uuid)(?=_(?:bloom|minmax_multi)_ops\b)/TYPE/g;
	# the operators and the functions of uuid show the cast of a ulid
	$dump =~ s/\(((?:\w+(?:\.\w+)?|COALESCE\([^()]*\)|ARRAY\[[^][()]*\]))\)::TYPE(?:\[\])?/$1/g;
	# operators outside pg_catalog are named with their schema
	$dump =~ s/OPERATOR\(public\.([<>=]+)\)/$1/g;
	return $dump;
}

# The rows of every table, in order.
sub contents { return join "\n", sort split /\n/, dump_of($_[0], '-a'); }

# ---------------------------------------------------------------- Every kind of object, under load
my $columns = join ', ', 'shop.customer', 'shop.customer.external', 'shop.invoice', 'shop.line', '"shop"."Quoted ""Table"""',
  'shop.published.id', 'shop.published_full', 'shop.parent.id', 'shop.event', 'shop.action.tree_1', 'shop.indexed', 'shop.indexed.u',
  'shop.elder.id', 'shop.secret', 'shop.numbered', $version >= 18 ? ('shop.newer', 'shop.room') : ();
query('postgres', 'CREATE DATABASE shop');
query('shop', 'CREATE EXTENSION ulid');
{
	my ($code, $err) = run_file('shop', "$here/moving/schema.sql", '-q', '-v', 'ON_ERROR_STOP=1', '-v', "rows=$rows");
	$code == 0 or die $err;
}
cmp_ok(query('shop', "SELECT count(*) FROM pg_class WHERE relnamespace = 'shop'::regnamespace AND relkind IN ('r', 'p')"), '>=', 30, '30 tables or more');

# What the clients do. Ids are sent with their type, uuid, as drivers send them. A client fails when a row
# that was written is not there (1 / 0).
my %scripts = (
	insert => <<'SQL',
WITH c AS (INSERT INTO shop.customer (name, city) VALUES ('load', NULL) RETURNING id),
	i AS (INSERT INTO shop.invoice (customer_id, no) SELECT id, -1 FROM c RETURNING id, customer_id)
INSERT INTO shop.ledger SELECT id, customer_id FROM i;
SQL
	lookup => <<'SQL',
SELECT COALESCE((SELECT id FROM shop.ledger WHERE NOT deleted OFFSET floor(random() * 100) LIMIT 1), gen_random_uuid()) AS key \gset
SELECT 1 / (1 - count(*)) FROM shop.ledger l LEFT JOIN shop.invoice i ON i.id = l.id WHERE l.id = :key::uuid AND NOT l.deleted AND i.id IS NULL;
SELECT 1 / (1 - count(*)) FROM shop.ledger l LEFT JOIN shop.invoice i USING (id) LEFT JOIN shop.customer c ON c.id = i.customer_id WHERE l.id = :key::uuid AND NOT l.deleted AND c.id IS NULL;
SELECT count(*) FROM shop.invoice_of WHERE id = :key::uuid;
SELECT count(*) FROM shop.customer_name WHERE id IN (SELECT customer_id FROM shop.ledger WHERE id = :key::uuid);
SQL
	update => <<'SQL',
SELECT COALESCE((SELECT id FROM shop.ledger WHERE NOT deleted OFFSET floor(random() * 100) LIMIT 1), gen_random_uuid()) AS key \gset
UPDATE shop.invoice SET n = n + 1 WHERE id = :key::uuid;
UPDATE shop.customer SET name = 'loaded' WHERE id = (SELECT customer_id FROM shop.ledger WHERE id = :key::uuid);
SQL
	delete => <<'SQL');
SELECT COALESCE((SELECT id FROM shop.ledger WHERE NOT deleted OFFSET floor(random() * 100) LIMIT 1), gen_random_uuid()) AS key \gset
BEGIN;
UPDATE shop.ledger SET deleted = true WHERE id = :key::uuid;
DELETE FROM shop.invoice WHERE id = :key::uuid;
END;
SQL
write_file("$_.pgbench", $scripts{$_}) foreach keys %scripts;

sub start_load
{
	my ($db, $log) = @_;
	my $load = start_clients($db, $log, '-M', 'prepared', '-c', $clients, '-j', 2,
		'-f', "$tmp/insert.pgbench\@3", '-f', "$tmp/lookup.pgbench\@4", '-f', "$tmp/update.pgbench\@2", '-f', "$tmp/delete.pgbench\@1");
	my $seen = query($db, 'SELECT count(*) FROM shop.ledger');
	$node->poll_query_until($db, "SELECT count(*) > $seen + 50 FROM shop.ledger") or die 'no load: ' . slurp_file("$tmp/$log.out");
	return { %$load, db => $db };
}

# Ends it, and tells the longest that a client waited for a transaction, in ms.
sub stop_load
{
	my ($load, $when, $deadlocks) = @_;
	my $seen = query($load->{db}, 'SELECT count(*) FROM shop.ledger');
	$node->poll_query_until($load->{db}, "SELECT count(*) > $seen + 20 FROM shop.ledger") or fail("$when: the clients went on writing");
	my ($content, $said, $longest, $count) = stop_clients($load);
	ok($content, "$when: no statement of a client failed") or diag substr($said, 0, 3000);
	unlike($said, $deadlocks ? qr/aborted/ : qr/failed transactions: [^0]|aborted/, "$when: and no transaction");
	return ($longest, $count);
}

# That what the clients wrote is there, once.
sub nothing_lost
{
	my ($db, $when) = @_;
	is(query($db, <<'SQL'), '0|0', "$when: no row is lost or doubled");
		SELECT count(*) FILTER (WHERE l.deleted IS DISTINCT FROM (i.n IS NULL)), count(*) - count(DISTINCT id)
		FROM shop.ledger l FULL JOIN (SELECT id::uuid AS id, count(*) AS n FROM shop.invoice WHERE no = -1 GROUP BY 1 HAVING count(*) = 1) i USING (id)
SQL
	return;
}

my $schema = schema_without_types('shop');
my $data = contents('shop');
my $not_validated = "SELECT string_agg(format('%s %s', conrelid::regclass, conname), ',' ORDER BY conrelid::regclass::text, conname) FROM pg_constraint WHERE NOT convalidated AND conparentid = 0";
my $unchecked = query('shop', $not_validated);
my $has_statistics = "SELECT format('%I.%I %s', tablename, attname, inherited) FROM pg_stats WHERE schemaname = 'shop'";
my @statistics = split /\n/, query('shop', $has_statistics);
my ($there, $why) = write_script('shop', $columns, 'ulid');
ok($there, 'a script is written') or BAIL_OUT($why);
my ($back) = write_script('shop', $columns, 'uuid');
is(contents('shop'), $data, 'and changes nothing');
is(query('shop', "SELECT count(*) FROM pg_class WHERE relnamespace = 'shop'::regnamespace AND relname LIKE '%ulid_move'"), 0, 'and leaves nothing behind');

foreach my $step ([ 'to ulid', $there, 'ulid' ], [ 'back to uuid', $back, 'uuid' ])
{
	my ($when, $file, $type) = @$step;
	(my $log = $when) =~ s/\W/_/g;
	my $load = start_load('shop', $log);
	my $begin = time;
	my ($code, $err) = run_file('shop', $file);
	my $took = time - $begin;
	is($code, 0, "$when: the script runs while $clients clients write") or diag $err;
	is($err, '', "$when: and all is as it was");
	my ($longest, $count) = stop_load($load, $when);
	nothing_lost('shop', $when);
	diag sprintf '%s: %d rows of the key; the move took %.1f s; the longest of %d transactions took %.0f ms',
	  $when, query('shop', 'SELECT count(*) FROM shop.customer'), $took, $count, $longest;
	is(schema_without_types('shop'), $schema, "$when: the schema differs in the types alone");
	is(query('shop', "SELECT string_agg(DISTINCT format_type(atttypid, -1), ' ') FROM pg_attribute
		WHERE attrelid::regclass::text ~ '^shop\.' AND attname IN ('customer_id', 'invoice_id', 'boss', 'external', 'The Id')
			AND attrelid NOT IN ('shop.ledger'::regclass, 'shop.gone'::regclass)
			AND attrelid IN (SELECT oid FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm'))"), $type, "$when: the columns are of the type");
	is(query('shop', "SELECT pg_typeof(id) FROM shop.customer LIMIT 1"), $type, "$when: the key too");
	is(query('shop', $not_validated), $unchecked, "$when: every constraint is validated that was");
	is(query('shop', 'SELECT count(*) FROM pg_index WHERE NOT indisvalid'), 0, "$when: every index is valid");
	isnt($node->psql('shop', 'INSERT INTO shop.reference_1 VALUES (-1, gen_random_uuid())'), 0, "$when: a foreign key holds");
	my %statistics = map { $_ => 1 } split /\n/, query('shop', $has_statistics);
	is(join("\n", grep { !$statistics{$_} } @statistics), '', "$when: what had statistics has some, also expressions of indexes, children and materialized views");
	restores('shop', $when);

	# once more changes nothing
	my $before = query('shop', "SELECT string_agg(format('%s %s', oid, relfilenode), ',' ORDER BY oid) FROM pg_class WHERE relnamespace = 'shop'::regnamespace");
	($code, $err) = run_file('shop', $file);
	is($code, 0, "$when: the script can be run again") or diag $err;
	is($err, '', "$when: and finds nothing");
	is(query('shop', "SELECT string_agg(format('%s %s', oid, relfilenode), ',' ORDER BY oid) FROM pg_class WHERE relnamespace = 'shop'::regnamespace"),
		$before, "$when: and does nothing then");
}
query('shop', q{DELETE FROM shop.customer WHERE name LIKE 'load%'; TRUNCATE shop.ledger});
is(contents('shop'), $data, 'there and back: every row from before is as it was');

# ---------------------------------------------------------------- How long the longest waits
# A key with references from three tables, itself among them, and a composite key.
query('postgres', 'CREATE DATABASE large');
query('large', <<"SQL");
	CREATE EXTENSION ulid;
	CREATE SCHEMA shop;
	SET search_path = shop, public;
	CREATE TABLE customer (id uuid DEFAULT gen_random_uuid(), boss uuid, name text, city text, n integer DEFAULT 0);
	INSERT INTO customer SELECT md5(n::text)::uuid, md5((n % 1000 + 1)::text)::uuid, 'name ' || n, 'city ' || n % 100 FROM generate_series(1, $size) n;
	CREATE TABLE invoice (id uuid DEFAULT gen_random_uuid(), customer_id uuid NOT NULL, n integer DEFAULT 0, no integer);
	INSERT INTO invoice SELECT md5(n || 'i')::uuid, md5(n::text)::uuid, 1, 1 FROM generate_series(1, $size) n;
	CREATE TABLE line (invoice_id uuid, no integer, t text);
	INSERT INTO line SELECT id, 1 FROM invoice;
	CREATE TABLE line_note (invoice_id uuid, no integer, t text);
	INSERT INTO line_note SELECT invoice_id, no, 't' FROM line;
	ALTER TABLE customer ADD PRIMARY KEY (id), ADD FOREIGN KEY (boss) REFERENCES customer;
	CREATE INDEX ON customer (boss);
	ALTER TABLE invoice ADD PRIMARY KEY (id), ADD FOREIGN KEY (customer_id) REFERENCES customer ON DELETE CASCADE;
	CREATE INDEX ON invoice (customer_id);
	ALTER TABLE line ADD PRIMARY KEY (invoice_id, no), ADD FOREIGN KEY (invoice_id) REFERENCES invoice ON DELETE CASCADE;
	ALTER TABLE line_note ADD FOREIGN KEY (invoice_id, no) REFERENCES line ON DELETE CASCADE;
	CREATE INDEX ON line_note (invoice_id, no);
	CREATE VIEW customer_name AS SELECT id, name FROM customer;
	CREATE VIEW invoice_of AS SELECT i.id, c.name FROM invoice i JOIN customer_name c ON c.id = i.customer_id;
	CREATE TABLE ledger (id uuid, customer_id uuid, deleted boolean NOT NULL DEFAULT false);
	CREATE INDEX ON ledger (id);
SQL
query('large', 'VACUUM ANALYZE');
query('postgres', 'CREATE DATABASE plain TEMPLATE large');
{
	# how long they wait for the processor and the disk alone, while an index is built that has nothing to do with it
	my $load = start_load('large', 'beside');
	query('large', 'CREATE INDEX CONCURRENTLY other ON shop.invoice (n, id)');
	query('large', 'DROP INDEX CONCURRENTLY shop.other');
	my ($beside) = stop_load($load, "$size rows, an index");

	my ($file) = write_script('large', 'shop.customer, shop.invoice, shop.line', 'ulid');
	$load = start_load('large', 'size');
	my $begin = time;
	my ($code, $err) = run_file('large', $file);
	is($code, 0, "$size rows: the script runs") or diag $err;
	my $took = time - $begin;
	my ($longest, $count) = stop_load($load, "$size rows");
	nothing_lost('large', "$size rows");

	# the same by ALTER TABLE
	write_file('plain.sql', <<'SQL');
		\set ON_ERROR_STOP on
		SET search_path = shop, public;
		BEGIN;
		DROP VIEW invoice_of, customer_name;
		ALTER TABLE customer ALTER COLUMN id TYPE ulid, ALTER COLUMN id SET DEFAULT gen_ulid(), ALTER COLUMN boss TYPE ulid;
		ALTER TABLE invoice ALTER COLUMN id TYPE ulid, ALTER COLUMN id SET DEFAULT gen_ulid(), ALTER COLUMN customer_id TYPE ulid;
		ALTER TABLE line ALTER COLUMN invoice_id TYPE ulid;
		ALTER TABLE line_note ALTER COLUMN invoice_id TYPE ulid;
		CREATE VIEW customer_name AS SELECT id, name FROM customer;
		CREATE VIEW invoice_of AS SELECT i.id, c.name FROM invoice i JOIN customer_name c ON c.id = i.customer_id;
		COMMIT;
SQL
	$load = start_load('plain', 'plain');
	$begin = time;
	($code, $err) = run_file('plain', "$tmp/plain.sql");
	is($code, 0, "$size rows: so does ALTER TABLE") or diag $err;
	my $plain = time - $begin;
	# which locks one table after the other, as do they
	my ($plain_longest) = stop_load($load, "$size rows, ALTER TABLE", 1);
	diag sprintf '%d rows: by the script in %.1f s, the longest of %d transactions took %.0f ms; by ALTER TABLE in %.1f s, the longest %.0f ms; beside another index that is built, %.0f ms',
	  $size, $took, $count, $longest, $plain, $plain_longest, $beside;
}

# ---------------------------------------------------------------- A failure at every step
my $small = <<'SQL';
	CREATE EXTENSION ulid;
	CREATE TABLE a (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer, parent uuid REFERENCES a);
	CREATE TABLE b (a_id uuid REFERENCES a ON DELETE CASCADE, n integer, PRIMARY KEY (a_id, n), CHECK (a_id IS NOT NULL));
	CREATE INDEX ON a (n) WHERE id IS NOT NULL;
	CREATE VIEW v AS SELECT id FROM a;
	INSERT INTO a (n) SELECT n FROM generate_series(1, 100) n;
	UPDATE a SET parent = id;
	INSERT INTO b SELECT id, n FROM a;
SQL
query('postgres', 'CREATE DATABASE steps');
query('steps', $small);
$schema = schema_without_types('steps');
$data = contents('steps');
my %written = map { $_ => (write_script('steps', 'a', $_))[0] } 'ulid', 'uuid';
foreach my $type ('ulid', 'uuid')
{
	my $file = $written{$type};
	my @steps = split /^(?=\\echo |SELECT pg_temp\.ulid_move_say)/m, slurp_file($file);
	cmp_ok(@steps, '>', 10, "to $type: the script has " . (@steps - 1) . ' steps');
	my $failed = 0;
	foreach my $n (1 .. $#steps)
	{
		# an index left half made by this step, if it makes one; of what the switch has left to do a statement more each time
		my ($index) = $steps[$n] =~ /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\S+)/m;
		my @parts = join '', @steps[ 0 .. $n ];
		unshift @parts, map { $parts[0] =~ s/.*ulid_move_unfinished\(\)\K (?=\\gexec)/ LIMIT $_ /sr =~ s/.*\\gexec\n\\endif\n\K.*//sr } 1 .. 12 if $steps[$n] =~ /unfinished\(\) \\gexec/ && $n > 1;
		foreach my $part (@parts)
		{
			my ($code) = run_file('steps', write_file('part.sql', ended($part) . ($index ? "\nUPDATE pg_index SET indisvalid = false WHERE indexrelid = '$index'::regclass;\n" : '') . "\nSELECT 1 / 0;\n"));
			$failed++ if $code != 0 && $part eq $parts[-1];
		}
	}
	cmp_ok($failed, '>=', $#steps - 1, "to $type: it fails at each");
	my ($code, $err) = run_file('steps', $file);
	is($code, 0, "to $type: and comes to its end when it is run again") or diag $err;
	is(schema_without_types('steps'), $schema, "to $type: with the same schema");
	is(query('steps', 'SELECT pg_typeof(id) FROM v LIMIT 1'), $type, "to $type: with the type");
}
is(contents('steps'), $data, 'and the same rows');

# given up before the switch: the script back takes away what the script there made
{
	my ($file) = write_script('steps', 'a', 'ulid');
	my ($home) = write_script('steps', 'a', 'uuid');
	my ($before_switch) = slurp_file($file) =~ /\A(.*?)^-- 2\. /ms;
	my ($code, $err) = run_file('steps', write_file('part.sql', $before_switch));
	is($code, 3, 'a script that was cut off fails at its end');
	like($err, qr/reached EOF/, 'which it names');
	isnt(query('steps', "SELECT count(*) FROM pg_class WHERE relname LIKE '%ulid_move'"), 0, 'and has made indexes');
	($code, $err) = run_file('steps', $home);
	is($code, 0, 'is given up by the script back') or diag $err;
	is(schema_without_types('steps'), $schema, 'which takes them away');
}

# ---------------------------------------------------------------- A change made after the script was written
{
	my ($file) = write_script('steps', 'a', 'ulid');
	my ($home) = write_script('steps', 'a', 'uuid');
	foreach (
		[ 'CREATE INDEX added ON a (id, n)', 'DROP INDEX added', 'index public.added is new' ],
		[ 'DROP VIEW v', 'CREATE VIEW v AS SELECT id FROM a', 'view public.v is gone' ],
		[ 'CREATE OR REPLACE VIEW v AS SELECT id FROM a WHERE n > 0', 'CREATE OR REPLACE VIEW v AS SELECT id FROM a', 'view public.v was changed' ],
		[ 'GRANT SELECT ON v TO PUBLIC', 'REVOKE SELECT ON v FROM PUBLIC', 'view public.v was changed' ],
		[ "ALTER VIEW v ALTER COLUMN id SET DEFAULT '01563e3a-b5d3-d676-4c61-efb99302bd5b'", 'ALTER VIEW v ALTER COLUMN id DROP DEFAULT', 'view column public.v.id was changed' ],
		[ 'CREATE VIEW w AS TABLE v', 'DROP VIEW w', 'view public.w is new' ],
		[ 'CREATE TABLE c (a_id uuid REFERENCES a)', 'DROP TABLE c', 'table constraint c_a_id_fkey on public.c is new' ],
		[ 'ALTER TABLE b DROP CONSTRAINT b_a_id_fkey', 'ALTER TABLE b ADD FOREIGN KEY (a_id) REFERENCES a ON DELETE CASCADE', 'table constraint b_a_id_fkey on public.b is gone' ],
		[ 'ALTER TABLE b RENAME CONSTRAINT b_a_id_check TO renamed', 'ALTER TABLE b RENAME CONSTRAINT renamed TO b_a_id_check', 'constraint b_a_id_check on public.b is gone' ],
		[ 'ALTER TABLE a ALTER COLUMN id DROP DEFAULT', 'ALTER TABLE a ALTER COLUMN id SET DEFAULT gen_random_uuid()', 'table column public.a.id was changed' ],
		[ 'ALTER TABLE a REPLICA IDENTITY FULL', 'ALTER TABLE a REPLICA IDENTITY DEFAULT', 'table public.a was changed' ],
		[ 'ALTER TABLE a RENAME COLUMN parent TO up', 'ALTER TABLE a RENAME COLUMN up TO parent', 'a.parent is of type none: it is not there' ],
		[ 'CREATE TABLE under () INHERITS (a)', 'DROP TABLE under', 'table public.under is new' ],
		[ 'CREATE POLICY p ON a USING (id IS NOT NULL)', 'DROP POLICY p ON a', 'policy p on public.a is new' ],
		[ 'CREATE STATISTICS s ON id, n FROM a', 'DROP STATISTICS s', 'statistics object public.s is new' ],
		[ 'CREATE PUBLICATION p FOR TABLE a (id)', 'DROP PUBLICATION p', 'publication relation public.a in publication p is new' ],
		[ 'CREATE RULE r AS ON DELETE TO b WHERE OLD.a_id IS NULL DO INSTEAD NOTHING', 'DROP RULE r ON b', 'rule r on public.b is new' ],
		[ 'CREATE TRIGGER t BEFORE UPDATE OF id ON a FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()', 'DROP TRIGGER t ON a', 'trigger t on public.a is new' ],
		[ "COMMENT ON INDEX a_n_idx IS 'new'", 'COMMENT ON INDEX a_n_idx IS NULL', 'index public.a_n_idx was changed' ])
	{
		my ($change, $undo, $what) = @$_;
		query('steps', $change);
		my ($code, $err) = run_file('steps', $file);
		ok($code == 3 && $err =~ /not as it was when this was written.*\Q$what\E.*Write the script again/s, "$change: the script notices") or diag $err;
		query('steps', $undo);
	}
	is(schema_without_types('steps'), $schema, 'and did nothing');
	is(query('steps', 'SELECT pg_typeof(id) FROM v LIMIT 1'), 'uuid', 'nothing at all');

	# while it runs, before the switch
	my ($one, $switch, $three, $four) = slurp_file($file) =~ /\A(.*?)(^-- 2\. .*?)(^-- 3\. .*?)(^-- 4\. .*)/ms;
	my $part = sub {
		return run_file('steps', write_part(join '', @_));
	};
	my ($code, $err) = $part->($one, 'CREATE INDEX added ON public.a (id, n);', $switch);
	like($err, qr/not as it was when this was written.*index public\.added is new/s, 'a change while it runs: it notices');
	is(query('steps', 'SELECT pg_typeof(id) FROM a LIMIT 1'), 'uuid', 'and makes no switch');
	query('steps', 'DROP INDEX added');

	# after the switch
	is(($part->($one, $switch))[0], 0, 'the switch made');
	like((write_script('steps', 'a', 'uuid'))[1], qr/a move of table public.a was begun and has not come to its end/, 'no script to another type is written in the middle of a move');
	# what the script makes again then is as it is then, and what is new stays
	query('steps', 'CREATE TABLE c (a_id uuid CONSTRAINT c_a REFERENCES a (id) ON UPDATE CASCADE); ALTER TABLE a DROP CONSTRAINT a_parent_fkey, ADD CONSTRAINT a_parent_fkey FOREIGN KEY (parent) REFERENCES a (id) ON DELETE RESTRICT');
	($code, $err) = run_file('steps', $file);
	is($code, 0, 'after the switch a change is kept') or diag $err;
	is(query('steps', "SELECT string_agg(concat(conname, confdeltype, confupdtype, convalidated), ' ' ORDER BY conname) FROM pg_constraint WHERE conname IN ('c_a', 'a_parent_fkey')"), 'a_parent_fkeyrat c_aact', 'to the letter');
	like((run_file('steps', $home))[1], qr/not as it was when this was written.*constraint a_parent_fkey on public\.a was changed.*constraint c_a on public\.c is new/s, 'and the script back, written before, notices it');
	query('steps', 'DROP TABLE c; ALTER TABLE a DROP CONSTRAINT a_parent_fkey, ADD CONSTRAINT a_parent_fkey FOREIGN KEY (parent) REFERENCES a');
	is(schema_without_types('steps'), $schema, 'to the same schema');
	is((run_file('steps', $home))[0], 0, 'and back');

	# the script back from the middle
	foreach ([ '2', $one, $switch ], [ '3', $one, $switch, $three ])
	{
		my ($last, @parts) = @$_;
		is(($part->(@parts))[0], 0, "given up after part $last");
		($code, $err) = run_file('steps', $home);
		is($code, 0, "the script back takes it from there") or diag $err;
		is(schema_without_types('steps'), $schema, 'to the same schema');
		is(query('steps', 'SELECT pg_typeof(id) FROM v LIMIT 1'), 'uuid', 'and the type');
	}
	is(contents('steps'), $data, 'with the same rows');

	# written again in the middle: it does what is left
	is(($part->($one, $switch))[0], 0, 'stopped after the switch');
	($file) = write_script('steps', 'a', 'ulid');
	is((run_file('steps', $file))[0], 0, 'a script that is written then comes to the end');
	query('steps', 'ALTER TABLE a VALIDATE CONSTRAINT a_parent_fkey; ALTER TABLE b VALIDATE CONSTRAINT b_a_id_fkey; ALTER TABLE b VALIDATE CONSTRAINT b_a_id_check');
	is(schema_without_types('steps'), $schema, 'but for the constraints that its notes name, to the same schema');
	is((run_file('steps', $home))[0], 0, 'and back');
}

# ---------------------------------------------------------------- Killed, twice at once, and beside maintenance
foreach my $type ('ulid', 'uuid')
{
	my ($file) = write_script('steps', 'a', $type);
	foreach my $n (1 .. $kills)
	{
		run_killed('steps', $file, (qw(psql session server))[ ($n - 1) % 3 ], 0.6);
	}
	my ($code, $err) = run_file('steps', $file);
	is($code, 0, "to $type: killed $kills times it comes to its end") or diag $err;
	is(schema_without_types('steps'), $schema, "to $type: with the same schema");
	is(query('steps', 'SELECT pg_typeof(id) FROM v LIMIT 1'), $type, "to $type: and the type");
}
is(contents('steps'), $data, 'and the same rows');
{
	my ($file) = write_script('steps', 'a', 'ulid');
	my $other = $node->background_psql('steps');
	$other->query_safe('SELECT pg_advisory_lock(1970040945, 1836021349)');
	my ($code, $err) = run_file('steps', $file);
	like($err, qr/a move is under way in process \d+/, 'two at once: the second is told of the first');
	$other->query_safe('SELECT pg_advisory_unlock_all()');
	my ($one, $switch) = slurp_file($file) =~ /\A(.*?)(^-- 2\. .*?)^-- 3\. /ms;
	is((run_file('steps', write_part($one)))[0], 0, 'indexes are built');
	# as if it had been stopped before it said what the index is for
	query('steps', 'COMMENT ON INDEX a_pkey_ulid_move IS NULL');
	# as a VACUUM does
	$other->query_safe('BEGIN; LOCK TABLE b IN SHARE UPDATE EXCLUSIVE MODE');
	append_to_file("$tmp/part.sql", $switch);
	local $ENV{PGOPTIONS} = '-c ulid_move.maintenance_timeout=200ms';
	($code, $err) = run_file('steps', "$tmp/part.sql");
	like($err, qr/the tables are in use by a VACUUM, a CREATE INDEX or another change.*b is used by process \d+/s, 'maintenance in the way is named');
	is(query('steps', 'SELECT pg_typeof(id) FROM v LIMIT 1'), 'uuid', 'and nothing is done');
	$other->query_safe('ROLLBACK');
	# nor is it waited for without end, when the switch looks whether anything was changed
	$other->query_safe('BEGIN; LOCK TABLE b');
	$ENV{PGOPTIONS} = '-c ulid_move.lock_attempts=3';
	($code, $err) = run_file('steps', write_file('looked.sql', slurp_file("$tmp/part.sql") =~ s/^DO .*ulid_move_check_all\(.*\n//mr));
	like($err, qr/no lock on them was had in 3 attempts.*b is used by process \d+/s, 'nor does a lock of a whole table that is kept hold it up without end');
	$other->query_safe('ROLLBACK');

	# Who locks the whole of a table that he writes is not held up by the attempts to lock it, of which none succeeds before
	# he has ended: else each would wait for the other until the last attempt.
	$other->query_safe('BEGIN; INSERT INTO b SELECT * FROM b LIMIT 0');
	$ENV{PGOPTIONS} = '-c ulid_move.lock_attempts=100000';
	my ($out, $said) = ('', '');
	my $script = IPC::Run::start([ $node->installed_command('psql'), '-X', '-d', $node->connstr('steps'), '-f', "$tmp/part.sql" ], '<', \undef, '>', \$out, '2>', \$said,
		IPC::Run::timeout(180));
	$node->poll_query_until('steps', "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'b'::regclass)") or BAIL_OUT('no attempt to lock b');
	is($other->query("SET lock_timeout = '20s'; TRUNCATE b; SELECT 'truncated'"), 'truncated', 'a TRUNCATE gets its lock between two attempts');
	$other->query_safe('ROLLBACK');
	$script->finish;
	is($script->result(0), 0, 'and then the switch its own') or diag $said;
	is(query('steps', 'SELECT pg_typeof(id) FROM v LIMIT 1'), 'ulid', 'which is made');
	$other->quit;
	is((run_file('steps', $file))[0], 0, 'the rest is done');
	is((run_file('steps', (write_script('steps', 'a', 'uuid'))[0]))[0], 0, 'and back');
}

# Who builds an index CONCURRENTLY of a table that the switch locks, while the script waits for that, is in no deadlock.
{
	my ($file) = write_script('steps', 'a', 'ulid');
	my ($one, $switch) = slurp_file($file) =~ /\A(.*?)(^-- 2\. .*?)^-- 3\. /ms;
	is((run_file('steps', write_part($one)))[0], 0, 'indexes are built once more');
	# it begins when the script has looked whether anything is new
	write_part($one =~ s/^DO .*ulid_move_check(?:_all)?\(.*\n//mgr);
	append_to_file("$tmp/part.sql", $switch);
	my $client = $node->background_psql('steps');
	$client->query_safe('BEGIN; INSERT INTO b SELECT * FROM b LIMIT 0');
	my @psql = ($node->installed_command('psql'), '-X', '-d', $node->connstr('steps'));
	my ($out, $said, $told) = ('', '', '');
	my $reindex = IPC::Run::start([ @psql, '-c', 'REINDEX TABLE CONCURRENTLY b' ], '<', \undef, '>', \$out, '2>', \$told, IPC::Run::timeout(180));
	$node->poll_query_until('steps', "SELECT EXISTS (SELECT FROM pg_stat_progress_create_index WHERE phase = 'waiting for writers before build')") or BAIL_OUT('no REINDEX');
	my $script = IPC::Run::start([ @psql, '-f', "$tmp/part.sql" ], '<', \undef, '>', \$out, '2>', \$said, IPC::Run::timeout(180));
	$node->poll_query_until('steps', "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE '%ulid_move_transact%' AND pid <> pg_backend_pid() AND state = 'active')") or BAIL_OUT('no switch');
	$client->query_safe('COMMIT');
	$_->finish foreach $reindex, $script;
	is($reindex->result(0), 0, 'an index of a table that a switch locks is built CONCURRENTLY meanwhile') or diag $told;
	is($script->result(0), 0, 'and the switch is made afterwards') or diag $said;
	$client->quit;
	is((run_file('steps', $file))[0], 0, 'and the rest');

	# Clients whose locks come without a gap are not waited for.
	($file) = write_script('steps', 'a', 'uuid');
	($one, $switch) = slurp_file($file) =~ /\A(.*?)(^-- 2\. .*?)^-- 3\. /ms;
	is((run_file('steps', write_part($one)))[0], 0, 'and back: indexes are built');
	append_to_file("$tmp/part.sql", $switch);
	my $load = start_clients('steps', 'whole', '-c', 3, '-f',
		write_file('whole.pgbench', "BEGIN;\nLOCK TABLE b IN SHARE ROW EXCLUSIVE MODE;\nSELECT pg_sleep(0.01);\nCOMMIT;\n"));
	$node->poll_query_until('steps', "SELECT count(*) > 0 FROM pg_locks WHERE relation = 'b'::regclass AND mode = 'ShareRowExclusiveLock'") or BAIL_OUT('no locks');
	local $ENV{PGOPTIONS} = '-c ulid_move.maintenance_timeout=1s';
	my ($code, $err) = run_file('steps', "$tmp/part.sql");
	is($code, 0, 'a switch has its locks beside clients that lock a whole table all the time') or diag $err;
	stop_clients($load);
	is((run_file('steps', $file))[0], 0, 'and the rest once more');
}

# ---------------------------------------------------------------- In another database
{
	my ($file) = write_script('steps', 'a', 'ulid');
	query('postgres', 'CREATE DATABASE wrong');
	my ($code, $err) = run_file('wrong', $file);
	ok($code == 3 && $err =~ /database wrong has no type public\.ulid.*written in database steps/s, 'in a database without the extension it stops') or diag $code, $err;
	query('wrong', 'CREATE EXTENSION ulid; CREATE TABLE a (n integer)');
	($code, $err) = run_file('wrong', $file);
	ok($code == 3 && $err =~ /database wrong has none of the columns that this moves.*written in database steps/s, 'in one without the tables too') or diag $code, $err;
}

# ---------------------------------------------------------------- Names that are commands
query('postgres', 'CREATE DATABASE names');
{
	my ($code, $err) = run_file('names', "$here/moving/names.sql", '-q', '-v', 'ON_ERROR_STOP=1');
	$code == 0 or die $err;
	my $before = dump_of('names', '-s');
	my $named = qq{"sch.ema ""q"", %s :x :'y' \\"."ta\n\\! touch psql_was_here\n"};
	my ($file, $why) = write_script('names', $named, 'ulid');
	ok($file, 'hostile names: a script is written') or diag $why;
	my ($home) = write_script('names', $named, 'uuid');
	($code, $err) = run_file('names', $file);
	is($code, 0, 'hostile names: it runs') or diag $err;
	is(query('names', "SELECT count(*) FROM pg_attribute WHERE atttypid = to_regtype('\"an ext, 100%\".ulid') AND attnum > 0 AND attrelid IN (SELECT oid FROM pg_class WHERE relkind IN ('r', 'v'))"), 3, 'and does what it should');
	is((run_file('names', $home))[0], 0, 'and back');
	is(dump_of('names', '-s'), $before, 'to the same schema');
	ok(!-e 'psql_was_here', 'and no name was taken for a command');
}

# ---------------------------------------------------------------- Names that are the script's own, and settings
query('postgres', 'CREATE DATABASE own');
query('own', <<'SQL');
	CREATE EXTENSION ulid;
	CREATE SCHEMA "an ext";
	CREATE EXTENSION "uuid-ossp" SCHEMA "an ext";
	CREATE TABLE note (id uuid PRIMARY KEY DEFAULT "an ext".uuid_generate_v4(), text text DEFAULT E'\\\\\n', problem uuid REFERENCES note);
	CREATE FUNCTION trapped() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''trapped''; END';
	CREATE TRIGGER trap BEFORE INSERT ON note EXECUTE FUNCTION trapped();
SQL
foreach my $table (qw(moved all_moved problem link all_indexes all_views move_index move_view copied copied_column copied_view ulid_move_setting ulid_move_was ulid_move_column))
{
	query('own', "CREATE TABLE $table (id uuid PRIMARY KEY); CREATE TRIGGER trap BEFORE INSERT ON $table EXECUTE FUNCTION trapped()");
}
$schema = schema_without_types('own');
# 19 has no strings but standard ones
foreach my $settings ('datestyle=SQL', $version < 19 ? 'standard_conforming_strings=off' : (), 'quote_all_identifiers=on', 'default_transaction_isolation=serializable')
{
	my %named;
	{
		local $ENV{PGOPTIONS} = "-c $settings";
		$named{$_} = (write_script('own', 'note, link, public.moved.id', $_))[0] foreach 'ulid', 'uuid';
		foreach my $type ('ulid', 'uuid')
		{
			my ($code, $err) = run_file('own', $named{$type} // '/dev/null');
			is($code, 0, "$settings: to $type beside tables with the names of the script's own") or diag $err;
			last if $type eq 'uuid';
			is(query('own', "SELECT count(*) FROM pg_attribute WHERE atttypid = 'ulid'::regtype AND attrelid IN ('note'::regclass, 'link'::regclass, 'moved'::regclass)"), 4, "$settings: four columns moved");
			like(query('own', "SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'note'::regclass AND adnum = 1"), qr/^"?gen_ulid/, "$settings: with the default");
		}
	}
	is(schema_without_types('own'), $schema, "$settings: and back to the same schema");
}

# names of bytes that are no characters
query('postgres', "CREATE DATABASE bytes TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'");
{
	write_file('bytes.sql', qq{CREATE EXTENSION ulid; CREATE TABLE t (id uuid PRIMARY KEY, "caf\xe9" uuid); CREATE INDEX "caf\xe9@{['x' x 50]}" ON t ("caf\xe9");});
	is((run_file('bytes', "$tmp/bytes.sql"))[0], 0, 'names of bytes');
	my ($code, $err) = run_file('bytes', (write_script('bytes', 't, t.caf' . "\xe9", 'ulid'))[0] // '/dev/null');
	is(query('bytes', "SELECT count(*) FROM pg_attribute WHERE attrelid = 't'::regclass AND atttypid = 'ulid'::regtype"), 2, 'of a database without an encoding') or diag $err;
}

# ---------------------------------------------------------------- What bad input gets
query('postgres', 'CREATE DATABASE refused');
query('refused', <<'SQL');
	CREATE EXTENSION ulid;
	CREATE TABLE number (id integer PRIMARY KEY, t text);
	CREATE TABLE number_of (id uuid PRIMARY KEY);
	CREATE TYPE pair AS (id uuid, n integer);
	CREATE TABLE typed OF pair (PRIMARY KEY (id));
	CREATE TABLE row_type (id uuid PRIMARY KEY);
	CREATE TABLE has_row (r row_type);
	CREATE TABLE grouped (id uuid PRIMARY KEY, t text);
	CREATE VIEW by_key AS SELECT id, t FROM grouped GROUP BY id;
	CREATE TABLE filtered (id uuid PRIMARY KEY, n integer);
	CREATE PUBLICATION filter FOR TABLE filtered WHERE (id IS NOT NULL);
	CREATE TABLE viewed (id uuid PRIMARY KEY);
	CREATE VIEW seen AS SELECT id FROM viewed;
	CREATE FUNCTION of_view() RETURNS SETOF seen LANGUAGE sql AS 'SELECT * FROM seen';
	CREATE ROLE stranger LOGIN;
	CREATE TABLE owned (id uuid PRIMARY KEY);
	CREATE TABLE generated (id uuid PRIMARY KEY, one uuid GENERATED ALWAYS AS ('00000000-0000-0000-0000-000000000037') STORED, same uuid GENERATED ALWAYS AS (id) STORED);
	CREATE TABLE not_last (id uuid PRIMARY KEY, t text GENERATED ALWAYS AS (id::text) STORED, n integer);
	CREATE TABLE not_twice (id uuid PRIMARY KEY, t text GENERATED ALWAYS AS (id::text) STORED UNIQUE NULLS NOT DISTINCT, n integer);
	CREATE TABLE father (id uuid);
	CREATE TABLE mother (id uuid);
	CREATE TABLE child () INHERITS (father, mother);
	CREATE FOREIGN DATA WRAPPER elsewhere;
	CREATE SERVER elsewhere FOREIGN DATA WRAPPER elsewhere;
	CREATE TABLE near (id uuid PRIMARY KEY);
	CREATE FOREIGN TABLE far () INHERITS (near) SERVER elsewhere;
	CREATE FUNCTION groups() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM (SELECT id, t FROM grouped GROUP BY id) g; END;
	CREATE POLICY groups ON number USING (EXISTS (SELECT id, t FROM grouped GROUP BY id));
	CREATE RULE by_constraint AS ON UPDATE TO number DO ALSO INSERT INTO grouped VALUES (gen_random_uuid()) ON CONFLICT ON CONSTRAINT grouped_pkey DO NOTHING;
	CREATE TABLE off (id uuid PRIMARY KEY, up uuid CONSTRAINT off_up REFERENCES off);
	ALTER TABLE off DISABLE TRIGGER ALL;
	CREATE TABLE labelled (id uuid PRIMARY KEY);
	CREATE VIEW with_label AS SELECT id FROM labelled;
	INSERT INTO pg_seclabel VALUES ('with_label'::regclass, 'pg_class'::regclass, 0, 'nobody', 'label');
	CREATE TABLE renamed (id uuid PRIMARY KEY, up uuid, CONSTRAINT up FOREIGN KEY (up) REFERENCES number_of) PARTITION BY HASH (id);
	CREATE TABLE renamed_0 (id uuid NOT NULL, up uuid CONSTRAINT own_name REFERENCES number_of);
	ALTER TABLE renamed ATTACH PARTITION renamed_0 FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	COMMENT ON CONSTRAINT own_name ON renamed_0 IS 'comment';
	CREATE DOMAIN key AS uuid;
	CREATE TABLE has_domain (id uuid PRIMARY KEY);
	CREATE TABLE domain_refers (id key REFERENCES has_domain);
	CREATE TABLE taken (id uuid PRIMARY KEY);
	CREATE TABLE taken_pkey_ulid_move ();
	CREATE ROLE half LOGIN;
	GRANT CREATE ON SCHEMA public TO half;
	CREATE TABLE published (id uuid PRIMARY KEY);
	ALTER TABLE published OWNER TO half;
	CREATE PUBLICATION of_another FOR TABLE published (id);
	CREATE ROLE viewer;
	CREATE ROLE owns_both LOGIN;
	GRANT half, viewer TO owns_both;
	GRANT CREATE ON SCHEMA public TO owns_both;
	CREATE TABLE is_viewed (id uuid PRIMARY KEY);
	ALTER TABLE is_viewed OWNER TO half;
	CREATE VIEW viewing AS SELECT id FROM is_viewed;
	ALTER VIEW viewing OWNER TO viewer;
	CREATE TABLE broken (id uuid PRIMARY KEY, n integer) PARTITION BY HASH (id);
	CREATE TABLE broken_0 PARTITION OF broken FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	CREATE INDEX broken_id ON ONLY broken (n, id);
	CREATE TABLE whole (id uuid PRIMARY KEY, n integer, CONSTRAINT whole_row CHECK (whole::text <> ''));
	CREATE FUNCTION of_whole(whole) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT $1.id::text $$;
	CREATE INDEX whole_id ON whole (of_whole(whole));
	CREATE INDEX whole_set ON whole (n) WHERE whole IS NOT NULL;
SQL
query('refused', "CREATE TABLE virtual (id uuid PRIMARY KEY, t text GENERATED ALWAYS AS (id::text) VIRTUAL)") if $version >= 18;
query('refused', 'CREATE TABLE base (id uuid NOT NULL); CREATE TABLE derived (PRIMARY KEY (id)) INHERITS (base)') if $version >= 18;
my $refused = schema_without_types('refused');
foreach (
	[ 'number.id', qr/column id of table .*number is of type integer, not uuid, ulid or text/ ],
	[ 'number', qr/table .*number has no primary key of type uuid, ulid or text/ ],
	[ 'nowhere', qr/there is no table or column nowhere/ ],
	[ 'grouped.nothing', qr/table .*grouped has no column nothing/ ],
	[ 'seen', qr/seen is not a table/ ],
	[ 'typed', qr/typed is of the type .*pair/ ],
	[ 'row_type', qr/column r of .*has_row has the row type of table .*row_type/ ],
	[ 'grouped', qr/view .*by_key needs the constraint grouped_pkey/ ],
	[ 'grouped', qr/function public\.groups\(\) needs the constraint grouped_pkey/ ],
	[ 'grouped', qr/policy groups on table public\.number needs the constraint grouped_pkey/ ],
	[ 'grouped', qr/rule by_constraint on table public\.number needs the constraint grouped_pkey/ ],
	[ 'filtered', qr/publication filter filters the rows of .*filtered by id/ ],
	[ 'viewed', qr/function public\.of_view\(\) depends on the view .*seen/ ],
	$version >= 18 ? [ 'derived', qr/NOT NULL of column id is derived_id_not_null in table .*derived and base_id_not_null in .*base/ ] : (),
	[ 'father.id', qr/column id of table .*child is inherited from several tables that have no parent in common/ ],
	[ 'near', qr/foreign table .*far is not a table of this database/ ],
	[ 'far.id', qr/far is not a table/ ],
	[ 'domain_refers.id', qr/column id of table .*domain_refers is of type .*key, not uuid, ulid or text/ ],
	[ 'off', qr/constraint off_up of .*off has triggers that are disabled.*ENABLE TRIGGER ALL/ ],
	[ 'labelled', qr/view .*with_label has a security label: SECURITY LABEL FOR nobody/ ],
	[ 'renamed.up', qr/constraint own_name of .*renamed_0, a partition, has a comment, and not the name/ ],
	[ 'has_domain', qr/column id of table .*domain_refers is of type .*key: only uuid and ulid can move/ ],
	[ 'taken', qr/relation .*taken_pkey_ulid_move has the name of an index that the script has to make/ ],
	$version >= 18 ? [ 'virtual', qr/column t of table .*virtual is generated from id, and a virtual column takes only PostgreSQL's own types/ ] : (),
	map({ [ 'public.generated.*', qr/column $_ of table public\.generated is generated: leave it out of `columns`/ ] } 'same', 'one'),
	[ 'public.generated.*, -public.generated.same, -public.generated.one', qr/^$/ ],
	[ 'not_twice', qr/column t of table .*not_twice is generated from id, and this server cannot/ ],
	[ 'not_last', $version >= 17 ? qr/^$/ : qr/column t of table .*not_last is generated from id, and this server cannot/ ],
	[ 'broken', qr/index public\.broken_id is not valid: drop it/ ],
	map({ [ 'whole', qr/$_ is of whole rows of .*whole, in which the id is of another type: drop it meanwhile/ ] } 'constraint whole_row on table public\.whole', 'index public\.whole_id', 'index public\.whole_set'),
	[ 'typed, row_type', qr/is of the type.*has the row type/s ])
{
	my ($named, $error) = @$_;
	my ($file, $err) = write_script('refused', $named, 'ulid');
	like($err, $error, "refused: $named");
}
is((write_script('refused', 'owned', 'float8'))[0], undef, 'refused: another type');
query('refused', q{CREATE TABLE subscribed (id uuid PRIMARY KEY); CREATE SUBSCRIPTION as_text CONNECTION 'dbname=nowhere' PUBLICATION p WITH (connect = false)});
query('refused', q{INSERT INTO pg_subscription_rel (srsubid, srrelid, srsubstate) SELECT oid, 'subscribed'::regclass, 'r' FROM pg_subscription});
ok((write_script('refused', 'subscribed', 'ulid'))[0], 'a subscription that is off is none');
query('refused', 'UPDATE pg_subscription SET subenabled = true');
ok((write_script('refused', 'subscribed', 'ulid'))[0], 'nor does one that gets UUIDs as text stand in the way');
query('refused', 'ALTER TABLE subscribed ALTER COLUMN id TYPE ulid');
like((write_script('refused', 'subscribed', 'uuid'))[1], qr/subscription as_text writes table public\.subscribed, and may get ULIDs as text/, 'refused: a subscription that gets text, where the column is to be a uuid');
query('refused', 'UPDATE pg_subscription SET subenabled = false; ALTER SUBSCRIPTION as_text SET (slot_name = NONE); DROP SUBSCRIPTION as_text; DROP TABLE subscribed');
like((write_script('refused', 'owned', 'ulid', '-U', 'stranger'))[1], qr/owned is owned by/, 'refused: the table of another');
like((write_script('refused', 'published', 'ulid', '-U', 'half'))[1], qr/publication of_another is owned by/, 'refused: the publication of another');
like((write_script('refused', 'is_viewed', 'ulid', '-U', 'owns_both'))[1], qr/viewer, who owns public\.viewing, has no CREATE on schema public/, 'refused: a view whose owner could not have it again');
is(schema_without_types('refused'), $refused, 'and nothing was changed');

# a script that is run by another, or too late
{
	my ($file) = write_script('refused', 'owned', 'ulid');
	my ($code, $err) = run_file('refused', $file, '-U', 'stranger');
	like($err, qr/permission denied/, 'a script that is run by another than the owner');
	is($code, 3, 'ends there');
	query('refused', 'ALTER TABLE owned ALTER COLUMN id TYPE text');
	like((run_file('refused', $file))[1], qr/not as it was when this was written/, 'a script that is older than a change');
	query('refused', 'ALTER TABLE owned ALTER COLUMN id TYPE uuid USING id::uuid');

	# a prepared transaction
	query('refused', q{BEGIN; INSERT INTO owned VALUES (gen_random_uuid()); PREPARE TRANSACTION 'holds it'});
	($code, $err) = run_file('refused', $file);
	like($err, qr/a prepared transaction uses the tables.*'holds it'/s, 'a prepared transaction in the way');
	query('refused', q{ROLLBACK PREPARED 'holds it'});

	# a session that holds a lock, and those that want to read meanwhile
	my $holder = $node->background_psql('refused');
	$holder->query_safe('BEGIN; SELECT FROM owned');
	local $ENV{PGOPTIONS} = '-c ulid_move.lock_attempts=3';
	($code, $err) = run_file('refused', $file);
	is($code, 3, 'a table in use');
	like($err, qr/in use: no lock on them was had in 3 attempts.*is used by process/s, 'is named, with who uses it');
	is(query('refused', 'SELECT pg_typeof(id) FROM owned UNION ALL SELECT pg_typeof(NULL::uuid) LIMIT 1'), 'uuid', 'and is as it was');

	# what is changed while it tries to get its locks, without a lock on the tables
	query('refused', 'CREATE VIEW over_owned AS SELECT id FROM owned; CREATE ROLE reader; GRANT SELECT ON over_owned TO reader');
	($file) = write_script('refused', 'owned', 'ulid');
	$ENV{PGOPTIONS} = '-c ulid_move.lock_attempts=1000';
	my ($out, $said) = ('', '');
	my $script = IPC::Run::start([ $node->installed_command('psql'), '-X', '-d', $node->connstr('refused'), '-f', $file ], '<', \undef, '>', \$out, '2>', \$said,
		IPC::Run::timeout(180));
	$node->poll_query_until('refused', q{SELECT count(*) > 0 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock' AND relation = 'owned'::regclass})
		or die 'it does not try';
	query('refused', 'REVOKE SELECT ON over_owned FROM reader');
	# until the next attempt
	select undef, undef, undef, 1;
	$holder->query_safe('COMMIT');
	$holder->quit;
	$script->finish;
	like($said, qr/view public\.over_owned was changed/, 'a privilege that is taken away meanwhile is noticed');
	is(query('refused', q{SELECT has_table_privilege('reader', 'over_owned', 'SELECT')}), 'f', 'and not given back');
	query('refused', 'DROP VIEW over_owned');
	($file) = write_script('refused', 'owned', 'ulid');
	is((run_file('refused', $file))[0], 0, 'the script can be run again');
	is(query('refused', "SELECT format_type(atttypid, -1) FROM pg_attribute WHERE attrelid = 'owned'::regclass AND attname = 'id'"), 'ulid', 'and does its work then');
}

$node->stop;
done_testing();
