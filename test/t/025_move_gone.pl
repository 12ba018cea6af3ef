# What is dropped in the middle of a move is left out from there on: the script runs to its end, and so does the
# script back, and what they make is what there would be if it had been dropped before the move or after.
#
# Part of make test-moving.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;
use UlidMove;

my $node = start_node('move_gone', 'autovacuum = off');

sub schema_without_types
{
	my $dump = dump_of($_[0], '-s');
	$dump =~ s/public\.ulid\b|\buuid\b/TYPE/g;
	$dump =~ s/public\.gen_ulid\(\)|gen_random_uuid\(\)/GENERATOR/g;
	$dump =~ s/\(((?:\w+\.)?\w+)\)::TYPE/$1/g;
	# operators outside pg_catalog are named with their schema
	$dump =~ s/OPERATOR\(public\.([<>=]+)\)/$1/g;
	return $dump;
}

sub clone
{
	my ($name, $of) = @_;
	query('postgres', "DROP DATABASE IF EXISTS $name");
	query('postgres', "CREATE DATABASE $name TEMPLATE $of");
	return;
}

# The script up to the end of a part; part "3." up to the middle of part 3, where the keys of one table are attached.
sub parts
{
	my ($script, $last) = @_;
	my @at = map { my $n = $_; $script =~ /^-- $n\. /m ? $-[0] : die "no part $n" } 2 .. 5;
	my $part = substr($script, 0, $last eq '3.' ? index($script, '\echo :at Attaching', index($script, '\echo :at Attaching', $at[1]) + 1) : $at[ $last - 1 ]);
	# it may end within a step
	my ($open, $closed) = map { scalar(() = $part =~ /^\\$_\b/mg) } 'if', 'endif';
	return $part . "\n\\endif" x ($open - $closed) . "\n";
}

# ---------------------------------------------------------------- In the catalogue
query('postgres', 'CREATE DATABASE original');
query('original', <<'SQL');
	CREATE EXTENSION ulid;
	CREATE TABLE a (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer, parent uuid CONSTRAINT a_parent REFERENCES a, t text);
	CREATE TABLE b (a_id uuid CONSTRAINT b_a REFERENCES a ON DELETE CASCADE, n integer, PRIMARY KEY (a_id, n), CONSTRAINT b_check CHECK (a_id IS NOT NULL));
	CREATE FUNCTION four(uuid) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT left($1::text, 4) $$;
	CREATE TABLE c (id uuid NOT NULL CONSTRAINT c_key UNIQUE DEFAULT gen_random_uuid(), a_id uuid CONSTRAINT c_a REFERENCES a, n integer, t text);
	ALTER TABLE c REPLICA IDENTITY USING INDEX c_key;
	CREATE INDEX a_late ON a (n, t) WHERE id IS NOT NULL;
	CREATE INDEX a_up ON a (parent);
	CREATE INDEX c_bridged ON c (a_id) INCLUDE (n);
	COMMENT ON INDEX c_bridged IS 'comment';
	CREATE INDEX c_late ON c (four(a_id));
	CREATE UNIQUE INDEX c_locked ON c (a_id) WHERE n > 0;
	CREATE STATISTICS c_statistics ON a_id, n FROM c;
	ALTER STATISTICS c_statistics SET STATISTICS 7;
	CREATE VIEW v AS SELECT id, parent FROM a;
	CREATE VIEW w AS SELECT v.id, b.n FROM v JOIN b ON a_id = id;
	CREATE MATERIALIZED VIEW m AS SELECT id, a_id FROM c;
	CREATE INDEX m_id ON m (id);
	CREATE POLICY p ON b USING (a_id IS NOT NULL);
	CREATE POLICY of_view ON c USING (EXISTS (SELECT FROM w WHERE w.id = a_id));
	CREATE RULE r AS ON DELETE TO c WHERE OLD.a_id IS NULL DO INSTEAD NOTHING;
	CREATE TRIGGER t BEFORE UPDATE OF a_id ON c FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
	CREATE FUNCTION f() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM a WHERE id IS NOT NULL; END;
	CREATE PUBLICATION published FOR TABLE c (id, n);
	CREATE TABLE e (no integer PRIMARY KEY, a_id uuid CONSTRAINT e_a REFERENCES a) PARTITION BY LIST (no);
	CREATE TABLE e_1 PARTITION OF e FOR VALUES IN (1);
	CREATE INDEX e_index ON e (a_id);
	CREATE TABLE g (a_id uuid PRIMARY KEY CONSTRAINT g_a REFERENCES a, label text GENERATED ALWAYS AS (left(a_id::text, 2)) STORED);
	CREATE TABLE parent (id uuid NOT NULL, x uuid DEFAULT gen_random_uuid());
	CREATE TABLE child (a_id uuid CONSTRAINT child_a REFERENCES a, UNIQUE (id)) INHERITS (parent);
	ALTER TABLE child ALTER COLUMN x DROP DEFAULT;
	CREATE TABLE alone (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer);
	CREATE INDEX alone_late ON alone (n) WHERE id IS NOT NULL;
	INSERT INTO a (n) SELECT n FROM generate_series(1, 20) n;
	UPDATE a SET parent = id;
	INSERT INTO b SELECT id, n FROM a;
	INSERT INTO c SELECT id, id, n FROM a;
	INSERT INTO e SELECT 1, id FROM a LIMIT 1;
	INSERT INTO g SELECT id FROM a;
	INSERT INTO child SELECT id, id, id FROM a;
	REFRESH MATERIALIZED VIEW m;
SQL
my $columns = 'a, b, c.id, parent.id, parent.x, alone';
my %file = map { $_ => (write_script('original', $columns, $_))[0] } 'ulid', 'uuid';
foreach my $last (2, 3, '3.')
{
	(my $db = "begun_$last") =~ s/\W/half/;
	clone($db, 'original');
	my ($code, $err) = run_file($db, write_file('part.sql', parts(slurp_file($file{ulid}), $last)));
	is($code, 0, "a move up to part $last") or diag $err;
	is($err, '', "part $last: of nothing gone nothing is said");
}

# What is dropped, after which part, and what is said of it.
my @cases = (
	[ 2, 'DROP TABLE b CASCADE', qr/table constraint b_a on public\.b is gone, and is left out/ ],
	[ '3.', 'DROP TABLE b CASCADE', qr/b\.a_id is gone/ ],
	[ 2, 'ALTER TABLE c DROP COLUMN a_id CASCADE', qr/c\.a_id is gone.*c_a on public\.c is gone/s ],
	[ 3, 'ALTER TABLE c DROP COLUMN n CASCADE', qr/table column public\.c\.n is gone: index public\.c_bridged is not built|index public\.c_bridged is gone/ ],
	[ 2, 'ALTER TABLE a DROP COLUMN parent CASCADE', qr/a\.parent is gone/ ],
	[ 2, 'ALTER TABLE b DROP CONSTRAINT b_a', qr/table constraint b_a on public\.b is gone/ ],
	[ 3, 'ALTER TABLE a DROP CONSTRAINT a_parent; ALTER TABLE b DROP CONSTRAINT b_check; ALTER TABLE e DROP CONSTRAINT e_a', qr/a_parent on public\.a is gone/ ],
	[ 2, 'DROP TABLE a CASCADE; DROP FUNCTION IF EXISTS f()', qr/a\.id is gone/ ],
	[ 3, 'DROP TABLE a, b, c, e, g, child, parent CASCADE; DROP FUNCTION IF EXISTS f()', qr/a\.id is gone/ ],
	[ 2, 'DROP TABLE alone', qr/alone\.id is gone/ ],
	[ 2, 'DROP TABLE child', qr/child_a on public\.child is gone/ ],
	[ '3.', 'DROP TABLE c, g, e CASCADE', qr/c\.a_id is gone/ ],
	[ 2, 'DROP INDEX c_locked, e_index, m_id', qr/index public\.c_locked is gone/ ],
	[ 2, 'DROP FUNCTION four(uuid) CASCADE', undef ],
	[ 2, 'DROP VIEW w CASCADE', qr/view public\.w is gone/ ],
	[ 3, 'DROP VIEW v CASCADE; DROP MATERIALIZED VIEW m', qr/view public\.v is gone.*view public\.w is gone/s ],
	[ 2, 'DROP POLICY p ON b; DROP RULE r ON c; DROP TRIGGER t ON c; DROP FUNCTION f(); DROP STATISTICS c_statistics; DROP PUBLICATION published', qr/policy p on public\.b is gone/ ],
	[ 3, 'ALTER PUBLICATION published DROP TABLE c; ALTER TABLE g DROP COLUMN label; DROP POLICY of_view ON c', qr/policy of_view on public\.c is gone/ ],
	[ 2, 'ALTER TABLE e DROP CONSTRAINT e_a; DROP INDEX a_up_ulid_move', qr/index public\.a_up is gone/ ]);
foreach my $case (@cases)
{
	my ($last, $drop, $said) = @$case;
	(my $begun = "begun_$last") =~ s/\W/half/;
	clone('expected', 'original');
	query('expected', "SET client_min_messages = error; " . $drop =~ s/_ulid_move//r);
	my $expected = schema_without_types('expected');
	foreach my $to ('ulid', 'uuid')
	{
		my $when = "after part $last $drop, " . ($to eq 'ulid' ? 'the script' : 'the script back');
		clone('test', $begun);
		query('test', "SET client_min_messages = error; $drop");
		my ($code, $err) = run_file('test', $file{$to});
		is($code, 0, "$when: runs") or diag $err;
		like($err, $said, "$when: says what is gone") if $said;
		same_schema(schema_without_types('test'), $expected, "$when: and all else is there");
		is(query('test', "SELECT count(*) FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND atttypid = '"
			  . ($to eq 'ulid' ? 'uuid' : 'ulid') . "'::regtype"), 0, "$when: with the type");
		is((run_file('test', $file{$to}))[0], 0, "$when: and can be run again") if $drop =~ /TABLE [ab] /;
	}
}

# What has another name is not gone: left out, its key would be lost.
foreach my $case (
	[ 2, 'ALTER TABLE c RENAME COLUMN id TO renamed', 'ALTER TABLE c RENAME COLUMN renamed TO id', qr/c\.id is now public\.c\.renamed/ ],
	[ 3, 'ALTER TABLE c RENAME id TO x; ALTER TABLE c RENAME a_id TO id; ALTER TABLE c RENAME x TO a_id', 'ALTER TABLE c RENAME id TO x; ALTER TABLE c RENAME a_id TO id; ALTER TABLE c RENAME x TO a_id',
		qr/c\.a_id is now public\.c\.id\npublic\.c\.id is now public\.c\.a_id/ ],
	[ '3.', 'ALTER TABLE child RENAME TO renamed', 'ALTER TABLE renamed RENAME TO child', qr/child\.a_id is now public\.renamed\.a_id|child_a on public\.renamed is new/ ],
	[ 2, 'CREATE SCHEMA elsewhere; ALTER TABLE c SET SCHEMA elsewhere', 'ALTER TABLE elsewhere.c SET SCHEMA public; DROP SCHEMA elsewhere', qr/c\.id is now elsewhere\.c\.id/ ],
	[ 2, 'ALTER INDEX c_key_ulid_move RENAME TO renamed', 'ALTER INDEX renamed RENAME TO c_key_ulid_move', qr/index public\.c_key_ulid_move is now public\.renamed/ ],
	[ 2, 'ALTER TABLE c RENAME TO renamed; CREATE TABLE c (id uuid PRIMARY KEY, a_id uuid)', 'DROP TABLE c; ALTER TABLE renamed RENAME TO c', qr/c\.id is now public\.renamed\.id/ ],
	[ 2, 'CREATE UNIQUE INDEX c_key ON c (n)', 'DROP INDEX c_key', qr/index public\.c_key is not the one that public\.c_key_ulid_move stands in for/ ])
{
	my ($last, $change, $undo, $said) = @$case;
	(my $begun = "begun_$last") =~ s/\W/half/;
	foreach my $to ('ulid', 'uuid')
	{
		clone('test', $begun);
		query('test', $change);
		my ($code, $err) = run_file('test', $file{$to});
		ok($code == 3 && $err =~ $said, "after part $last $change: the script to $to stops, and says so") or diag $err;
		query('test', $undo);
		($code, $err) = run_file('test', $file{$to});
		is($code, 0, 'and runs when that is undone') or diag $err;
		same_schema(schema_without_types('test'), schema_without_types('original'), 'to the same schema');
	}
}

# of a bundle whose turn has not come
foreach my $change ('ALTER TABLE parent ALTER COLUMN x TYPE text', 'CREATE INDEX added ON parent (id)')
{
	clone('test', 'begun_2');
	query('test', $change);
	my ($code, $err) = run_file('test', $file{ulid});
	ok($code == 3 && $err =~ /not as it was when this was written.*Write the script again/s, "$change: the script stops there") or diag $err;
	is(query('test', 'SELECT pg_typeof(id) FROM a LIMIT 1'), 'ulid', 'when it has ended what it had begun');
	is(query('test', "SELECT count(*) FROM pg_class WHERE relname LIKE '%ulid_move'"), 0, 'to the end');
}
is((run_file('test', (write_script('test', 'a, b, c.id, parent.id, alone', 'ulid'))[0]))[0], 0, 'and is written again');
is((run_file('test', $file{uuid}))[0], 3, 'the script back tells of them too');

# ---------------------------------------------------------------- By copying the tables
query('postgres', 'CREATE DATABASE copied');
query('copied', <<'SQL');
	CREATE EXTENSION ulid;
	CREATE SCHEMA s;
	SET search_path = s, public;
	CREATE TABLE a (id varchar(26) PRIMARY KEY DEFAULT gen_ulid(), n integer, up varchar(26) CONSTRAINT a_up REFERENCES a);
	CREATE INDEX a_n ON a (n, up);
	CREATE STATISTICS a_statistics ON n, up FROM a;
	CREATE TABLE b (a_id varchar(26) CONSTRAINT b_a REFERENCES a, no integer PRIMARY KEY);
	CREATE POLICY p ON b USING (a_id IS NOT NULL);
	CREATE TABLE h (id uuid PRIMARY KEY, a_id varchar(26) CONSTRAINT h_a REFERENCES a) PARTITION BY HASH (id);
	CREATE TABLE h_0 PARTITION OF h FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	CREATE TABLE of_h (no integer PRIMARY KEY, h_id uuid CONSTRAINT of_h_h REFERENCES h);
	CREATE VIEW v AS SELECT a.id, b.no FROM a JOIN b ON a_id = id;
	INSERT INTO a (n) SELECT n FROM generate_series(1, 20) n;
	INSERT INTO b SELECT id, n FROM a;
	INSERT INTO h SELECT md5(n::text)::uuid, id FROM a;
	INSERT INTO of_h SELECT n, md5(n::text)::uuid FROM a;
SQL
my ($there) = write_script('copied', 's.a, s.h', 'ulid');
my %home = map { $_->[0] => (write_script('copied', $_->[0], $_->[1]))[0] } [ 's.a', 'varchar(26)' ], [ 's.h', 'uuid' ];
clone('copied_begun', 'copied');
my ($until_six) = slurp_file($there) =~ /\A(.*?)^-- 6\. /ms;
is((run_file('copied_begun', write_file('part.sql', $until_six)))[0], 0, 'a move by copying, up to the switch');
foreach (
	[ 'DROP TABLE s.b CASCADE', qr/s\.b\.a_id is gone/ ],
	[ 'ALTER TABLE s.b DROP COLUMN a_id CASCADE', qr/s\.b\.a_id is gone/ ],
	[ 'ALTER TABLE s.b DROP CONSTRAINT b_a', qr/foreign key b_a of s\.b is gone/ ],
	[ 'ALTER TABLE s.h_0 DROP CONSTRAINT h_a', qr/foreign key h_a of s\.h is gone/, 'ALTER TABLE s.h DROP CONSTRAINT h_a' ],
	[ 'DROP TABLE s.h CASCADE', qr/s\.h\.id is gone/ ],
	[ 'DROP TABLE s.a CASCADE', qr/s\.a\.id is gone/ ],
	[ 'DROP SCHEMA s CASCADE', qr/s\.a\.id is gone/ ],
	[ 'DROP VIEW s.v; DROP POLICY p ON s.b; DROP INDEX s.a_n; DROP STATISTICS s.a_statistics', undef ])
{
	my ($drop, $said, $before) = @$_;
	# what refers to it moves after it, in the catalogue
	my $stops = $drop =~ /TABLE s\.h /;
	clone('expected', 'copied');
	query('expected', 'SET client_min_messages = error; ' . ($drop =~ /h_0/ && query('postgres', 'SHOW server_version_num') < 180000 ? $before : $drop =~ s/h_0/h/r));
	clone('test', 'copied_begun');
	query('test', 'SET client_min_messages = error; ' . (query('postgres', 'SHOW server_version_num') < 180000 ? $drop : $drop =~ s/h_0/h/r));
	my ($code, $err) = run_file('test', $there);
	is($code, $stops ? 3 : 0, "copied, $drop: the script comes to its end") or diag $err;
	like($err, qr/not as it was when this was written.*of_h_h on s\.of_h is gone.*Write the script again/s, 'but for what refers to it') if $stops;
	like($err, $said, 'and says what is gone') if $said;
	is(query('test', "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'ulid%'"), 0, 'nothing is left of the move');
	# the script back that was written before may refuse it; another can be written
	foreach my $table (grep { query('test', "SELECT to_regclass('$_')") } sort keys %home)
	{
		($code, $err) = run_file('test', $home{$table});
		next if $code == 0;
		like($err, qr/not as it was when this was written.*Write the script again/s, "the script back of $table tells of it");
		is((run_file('test', (write_script('test', $table, $table eq 's.a' ? 'varchar(26)' : 'uuid'))[0]))[0], 0, 'and is written again');
	}
	my ($got, $expected) = map { dump_of($_, '-s') =~ s/(?<= )(?:public\.ulid|uuid|character varying\(26\))(?: DEFAULT [^\n]*(?=,\n)|(?= NOT NULL|,?\n))/TYPE/gr =~ s/TYPE DEFAULT [^\n]*?(?= NOT NULL)/TYPE/gr } 'test', 'expected';
	same_schema($got, $expected, 'and all else is there');
}

# given up before the switch
my ($until_four) = slurp_file($there) =~ /\A(.*?)^-- 4\. /ms;
clone('test', 'copied');
is((run_file('test', write_file('part.sql', $until_four)))[0], 0, 'a move by copying, up to the rows');
query('test', 'DROP TABLE s.b, s.h CASCADE');
like((run_file('test', $there))[1], qr/not as it was when this was written/, 'a table is gone before the switch: the script tells of it');
foreach my $table (sort keys %home)
{
	my ($code, $err) = run_file('test', $home{$table});
	is($code, 0, "the script back of $table gives the move up") or diag $err;
}
is(query('test', "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'ulid%'"), 0, 'nothing is left of it');
is(query('test', "SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'ulid%'"), 0, 'nor on the tables');

$node->stop;
done_testing();
