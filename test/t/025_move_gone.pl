# What is dropped in the middle of a move: the script ends what it had begun, and says whether it has to be written again
# for the rest. What is made then is what there would be if it had been dropped before the move or after.
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
	$dump =~ s/public\.gen_(?:random_)?ulid\(\)|gen_random_uuid\(\)/GENERATOR/g;
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

# The script up to the end of part 2; or up to the middle of part 4, after some of its statements.
sub parts
{
	my ($script, $last) = @_;
	my @at = map { my $n = $_; $script =~ /^-- $n\. /m ? $-[0] : die "no part $n" } 3 .. 5;
	return substr($script, 0, $at[0]) if $last == 2;
	my $rest = substr($script, $at[1], $at[2] - $at[1]);
	$rest =~ s/(ulid_move_unfinished\(\)) (\\gexec\n\\endif\n).*/$1 LIMIT $last $2/s or die 'no part 4';
	return substr($script, 0, $at[1]) . $rest;
}

# A move that is stopped by what was changed goes on with a script that is written then, which is of what is left.
sub written_again
{
	my ($db, $to, $when) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my ($file, $why) = write_script($db, 'public.*.*', $to);
	return ok($why =~ /nothing is meant/, "$when: nothing is left") if !$file;
	my ($code, $err) = run_file($db, $file);
	is($code, 0, "$when: written again it comes to its end") or diag $err;
	# as its notes say
	query($db, $_) foreach split /\n/, query($db, "SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname) FROM pg_constraint WHERE NOT convalidated");
	return;
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
foreach my $last (2, 3, 11)
{
	my $db = "begun_$last";
	clone($db, 'original');
	my ($code, $err) = run_file($db, write_part(parts(slurp_file($file{ulid}), $last)));
	is($code, 0, "a move up to $last") or diag $err;
	is($err, '', "$last: of nothing gone nothing is said");
}

# What is changed after a switch has compared and before it has its locks is seen under these: the digest by which it sees
# it is another after each kind of change of the tables and views that it locks.
{
	my ($marks) = slurp_file($file{ulid}) =~ /^(CREATE OR REPLACE FUNCTION pg_temp\.ulid_move_marks\(.*?\$function\$;)$/ms or BAIL_OUT('no ulid_move_marks');
	my $names = "pg_temp.ulid_move_marks('{public.a,public.b,public.c,public.e,public.parent,public.v,public.w,public.m}')";
	clone('changed', 'original');
	query('changed', 'CREATE ROLE grantee; CREATE SEQUENCE owned OWNED BY a.n; CREATE EXTENSION pgcrypto');
	foreach my $change ('SELECT 1', 'ALTER SEQUENCE owned INCREMENT BY 7', 'GRANT USAGE ON SEQUENCE owned TO grantee', q{COMMENT ON SEQUENCE owned IS 'x'}, 'ALTER TRIGGER t ON c DEPENDS ON EXTENSION pgcrypto',
		'ALTER INDEX a_up DEPENDS ON EXTENSION pgcrypto', 'ALTER TABLE a ADD COLUMN x integer', 'ALTER TABLE a ALTER COLUMN n SET DEFAULT 1', 'ALTER TABLE a ALTER COLUMN n SET NOT NULL', 'ALTER TABLE a RENAME COLUMN n TO x',
		'ALTER TABLE a ALTER COLUMN t SET STORAGE EXTERNAL', 'ALTER TABLE a ALTER COLUMN t SET STATISTICS 5', 'ALTER TABLE a SET (fillfactor = 50)', 'ALTER TABLE a OWNER TO grantee', 'ALTER TABLE a RENAME TO x',
		'ALTER TABLE a ADD CHECK (n > 0)', 'ALTER TABLE b DROP CONSTRAINT b_a', 'ALTER TABLE g DROP CONSTRAINT g_a', 'CREATE TABLE x (a_id uuid REFERENCES a)', 'CREATE INDEX ON a (t)', 'DROP INDEX a_up',
		'ALTER INDEX a_up SET (fillfactor = 50)', 'ALTER INDEX a_up RENAME TO x', q{COMMENT ON INDEX a_up IS 'x'}, 'ALTER TABLE c REPLICA IDENTITY DEFAULT', 'ALTER TABLE a CLUSTER ON a_up',
		'CREATE TRIGGER x BEFORE INSERT ON a FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()', 'ALTER TABLE c DISABLE TRIGGER t', 'ALTER TABLE a ENABLE ROW LEVEL SECURITY',
		'CREATE POLICY x ON a USING (n > 0)', 'ALTER POLICY p ON b USING (a_id IS NULL)', 'CREATE RULE x AS ON DELETE TO a DO ALSO SELECT 1', q{COMMENT ON TABLE a IS 'x'}, q{COMMENT ON COLUMN a.n IS 'x'},
		'GRANT SELECT ON a TO grantee', 'GRANT SELECT (n) ON a TO grantee', 'CREATE STATISTICS x ON n, t FROM a', 'CREATE PUBLICATION x FOR TABLE a', 'CREATE TABLE x () INHERITS (parent)',
		'CREATE TABLE e_2 PARTITION OF e FOR VALUES IN (2)', 'ALTER TABLE e DETACH PARTITION e_1', 'ALTER TABLE e_1 ADD CHECK (no > 0)', 'GRANT SELECT ON e_1 TO grantee', 'CREATE VIEW x AS SELECT n FROM a',
		'CREATE FUNCTION x() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(n) FROM a; END', 'CREATE OR REPLACE VIEW v AS SELECT id, parent, 1 AS x FROM a', 'ALTER VIEW w SET (security_barrier)',
		'GRANT SELECT ON w TO grantee', 'ALTER VIEW w ALTER COLUMN n SET DEFAULT 1', q{COMMENT ON VIEW w IS 'x'}, q{COMMENT ON CONSTRAINT b_check ON b IS 'x'}, q{COMMENT ON POLICY p ON b IS 'x'}, 'ALTER FUNCTION f() COST 7', q{COMMENT ON FUNCTION f() IS 'x'},
		'CREATE TRIGGER x INSTEAD OF INSERT ON v FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()', 'ALTER MATERIALIZED VIEW m SET (fillfactor = 50)', 'ALTER STATISTICS c_statistics SET STATISTICS 8', 'CREATE INDEX ON m (a_id)', 'ALTER MATERIALIZED VIEW m OWNER TO grantee')
	{
		my ($was, $is) = split /\n/, $node->safe_psql('changed', "SET search_path = pg_catalog, pg_temp;\n$marks\nSET search_path = public;\nBEGIN;\nSELECT $names;\n$change" . ($change =~ /^SELECT/ ? ' LIMIT 0' : '') . ";\nSELECT $names;\nROLLBACK;");
		is($was eq $is ? 'the same' : 'another', $change =~ /^SELECT/ ? 'the same' : 'another', "the digest after $change");
	}
	query('postgres', 'DROP DATABASE changed; DROP ROLE grantee');
}

# A foreign key that somebody validates between the switch and part 4 is not looked at under the lock, and is valid at the
# end; with its triggers off the script stops until they are on.
{
	clone('between', 'begun_2');
	query('between', 'ALTER TABLE c VALIDATE CONSTRAINT c_a; ALTER TABLE b DISABLE TRIGGER ALL');
	my ($code, $err) = run_file('between', $file{ulid});
	like($err, qr/foreign key b_a of public\.b has triggers that are disabled, or for replicas alone.*ALTER TABLE public\.b ENABLE TRIGGER ALL/s, 'with its triggers off the script stops');
	query('between', 'ALTER TABLE b ENABLE TRIGGER ALL');
	($code, $err) = run_file('between', $file{ulid});
	is("$code$err", 0, 'with its triggers on it goes on');
	is(query('between', q{SELECT string_agg(conname, ' ' ORDER BY conname) FROM pg_constraint WHERE contype = 'f' AND NOT convalidated}), '', 'all is valid');
	clone('between', 'begun_2');
	query('between', 'ALTER TABLE c VALIDATE CONSTRAINT c_a');
	my $script = slurp_file($file{ulid});
	$script =~ /^-- 5\. /m or BAIL_OUT('no part 5');
	is((run_file('between', write_part(substr($script, 0, $-[0]))))[0], 0, 'up to part 5');
	is(query('between', q{SELECT convalidated FROM pg_constraint WHERE conname = 'c_a'}), 'f', 'which looks at its rows, not part 4');
}

# What is dropped, after which part.
my @cases = (
	[ 2, 'DROP TABLE b CASCADE' ],
	[ 11, 'DROP TABLE b CASCADE' ],
	[ 2, 'ALTER TABLE c DROP COLUMN a_id CASCADE' ],
	[ 3, 'ALTER TABLE c DROP COLUMN n CASCADE' ],
	[ 2, 'ALTER TABLE a DROP COLUMN parent CASCADE' ],
	[ 2, 'ALTER TABLE b DROP CONSTRAINT b_a' ],
	[ 3, 'ALTER TABLE a DROP CONSTRAINT a_parent; ALTER TABLE b DROP CONSTRAINT b_check; ALTER TABLE e DROP CONSTRAINT e_a' ],
	[ 2, 'DROP TABLE a CASCADE; DROP FUNCTION IF EXISTS f()' ],
	[ 3, 'DROP TABLE a, b, c, e, g, child, parent CASCADE; DROP FUNCTION IF EXISTS f()' ],
	[ 2, 'DROP TABLE alone' ],
	[ 2, 'DROP TABLE child' ],
	[ 11, 'DROP TABLE c, g, e CASCADE' ],
	[ 2, 'DROP INDEX c_locked, e_index, m_id' ],
	[ 2, 'DROP FUNCTION four(uuid) CASCADE' ],
	[ 2, 'DROP VIEW w CASCADE' ],
	[ 3, 'DROP VIEW v CASCADE; DROP MATERIALIZED VIEW m' ],
	[ 2, 'DROP POLICY p ON b; DROP RULE r ON c; DROP TRIGGER t ON c; DROP FUNCTION f(); DROP STATISTICS c_statistics; DROP PUBLICATION published' ],
	[ 3, 'ALTER PUBLICATION published DROP TABLE c; ALTER TABLE g DROP COLUMN label; DROP POLICY of_view ON c' ],
	[ 2, 'ALTER TABLE e DROP CONSTRAINT e_a; DROP INDEX a_up_ulid_move' ]);
foreach my $case (@cases)
{
	my ($last, $drop) = @$case;
	clone('expected', 'original');
	query('expected', "SET client_min_messages = error; " . $drop =~ s/_ulid_move//r);
	my $expected = schema_without_types('expected');
	foreach my $to ('ulid', 'uuid')
	{
		my $when = "after part $last $drop, " . ($to eq 'ulid' ? 'the script' : 'the script back');
		clone('test', "begun_$last");
		query('test', "SET client_min_messages = error; $drop");
		my ($code, $err) = run_file('test', $file{$to});
		ok($code == 0 || $code == 3 && $err =~ /Write the script again/, "$when: runs, or says that it has to be written again") or diag $err;
		is(query('test', "SELECT count(*) FROM pg_class WHERE relname LIKE '%ulid_move' AND obj_description(oid) LIKE 'In the place%'"), 0, "$when: what was begun has its end");
		written_again('test', $to, $when) if $code;
		same_schema(schema_without_types('test'), $expected, "$when: and all else is there");
		is(query('test', "SELECT count(*) FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND atttypid = '"
			  . ($to eq 'ulid' ? 'uuid' : 'ulid') . "'::regtype"), 0, "$when: with the type");
	}
}

# What has another name is not gone: its key would be another's.
foreach my $case (
	[ 2, 'ALTER TABLE c RENAME COLUMN id TO renamed', 'ALTER TABLE c RENAME COLUMN renamed TO id' ],
	[ 3, 'ALTER TABLE c RENAME id TO x; ALTER TABLE c RENAME a_id TO id; ALTER TABLE c RENAME x TO a_id', 'ALTER TABLE c RENAME id TO x; ALTER TABLE c RENAME a_id TO id; ALTER TABLE c RENAME x TO a_id' ],
	[ 11, 'ALTER TABLE child RENAME TO renamed', 'ALTER TABLE renamed RENAME TO child' ],
	[ 2, 'CREATE SCHEMA elsewhere; ALTER TABLE c SET SCHEMA elsewhere', 'ALTER TABLE elsewhere.c SET SCHEMA public; DROP SCHEMA elsewhere' ],
	[ 2, 'ALTER TABLE c RENAME TO renamed; CREATE TABLE c (id uuid PRIMARY KEY, a_id uuid)', 'DROP TABLE c; ALTER TABLE renamed RENAME TO c' ],
	[ 2, 'CREATE UNIQUE INDEX c_key ON c (n)', 'DROP INDEX c_key' ])
{
	my ($last, $change, $undo) = @$case;
	foreach my $to ('ulid', 'uuid')
	{
		clone('test', "begun_$last");
		query('test', $change);
		my ($code, $err) = run_file('test', $file{$to});
		ok($code == 3 && $err =~ /(?:was renamed: it was|is not the one that|not as it was when this was written|has not come to its end.*is not there)/s, "after part $last $change: the script to $to stops, and says so") or diag $err;
		query('test', $undo);
		($code, $err) = run_file('test', $file{$to});
		is($code, 0, 'and runs when that is undone') or diag $err;
		same_schema(schema_without_types('test'), schema_without_types('original'), 'to the same schema');
	}
}

# What stands in for a key is gone, or its comment is, as in a dump without comments: that is said, and what is still
# there remains.
foreach my $lost ('DROP INDEX c_key_ulid_move', 'COMMENT ON INDEX c_key_ulid_move IS NULL', "COMMENT ON INDEX c_key_ulid_move IS 'In the place of {'")
{
	clone('test', 'begun_2');
	query('test', $lost);
	my ($code, $err) = run_file('test', $file{ulid});
	is($code, 0, "$lost: the script comes to its end") or diag $err;
	like($err, qr/WARNING:  not all is as it was.*index public\.c_key is gone.*constraint c_key on public\.c is gone/s, 'and says which key is gone');
	is(query('test', "SELECT to_regclass('c_key_ulid_move') IS NULL"), $lost =~ /DROP/ ? 't' : 'f', 'which is all that is');
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
is((run_file('copied_begun', write_part($until_six)))[0], 0, 'a move by copying, up to the switch');
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
	my ($drop, undef, $before) = @$_;
	clone('expected', 'copied');
	query('expected', 'SET client_min_messages = error; ' . ($drop =~ /h_0/ && query('postgres', 'SHOW server_version_num') < 180000 ? $before : $drop =~ s/h_0/h/r));
	clone('test', 'copied_begun');
	query('test', 'SET client_min_messages = error; ' . (query('postgres', 'SHOW server_version_num') < 180000 ? $drop : $drop =~ s/h_0/h/r));
	my ($code, $err) = run_file('test', $there);
	ok($code == 0 || $code == 3 && $err =~ /Write the script again/, "copied, $drop: the script comes to its end, or says that it has to be written again") or diag $err;
	query('test', "ALTER TABLE $_ VALIDATE CONSTRAINT " . ($_ eq 's.b' ? 'b_a' : 'a_up')) foreach grep { query('test', "SELECT count(*) FROM pg_constraint WHERE NOT convalidated AND conrelid = to_regclass('$_')") } 's.a', 's.b';
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
is((run_file('test', write_part($until_four)))[0], 0, 'a move by copying, up to the rows');
query('test', 'DROP TABLE s.b, s.h CASCADE');
like((run_file('test', $there))[1], qr/not as it was when this was written/, 'a table is gone before the switch: the script tells of it');
foreach my $table (sort keys %home)
{
	my ($code, $err) = run_file('test', $home{$table});
	ok($code == 0 || $err =~ /has not come to its end.*is not there/s, "the script back of $table gives the move up, and says what is gone") or diag $err;
}
is(query('test', "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'ulid%'"), 0, 'nothing is left of it');
is(query('test', "SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'ulid%'"), 0, 'nor on the tables');

# ---------------------------------------------------------------- What is changed between writing and running
# Whatever the catalogs say of a table, and of what depends on it, is compared: nothing is undone that was done since.
query('postgres', 'CREATE DATABASE changed');
query('changed', <<'SQL');
	CREATE EXTENSION ulid;
	CREATE ROLE other;
	CREATE TABLE checked (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer DEFAULT 1 CONSTRAINT positive CHECK (n > 0), x text, y text,
		k integer GENERATED BY DEFAULT AS IDENTITY, uuid uuid, up uuid CONSTRAINT up REFERENCES checked, CONSTRAINT pair UNIQUE (n, id), CONSTRAINT said CHECK (x <> '(((a) AND (b)) AND (c))'));
	ALTER TABLE checked ADD CONSTRAINT unchecked CHECK (n > 0) NOT VALID;
	CREATE INDEX checked_n ON checked (n);
	CREATE INDEX checked_id ON checked (id, n);
	CREATE INDEX checked_x ON checked (x);
	CREATE VIEW checks AS SELECT id FROM checked WHERE n > 1;
	CREATE POLICY p ON checked USING (n > 2);
	CREATE POLICY compound ON checked USING ((n = 1 OR x = 'a') AND n < 100);
	CREATE POLICY named ON checked USING (up = uuid);
	CREATE RULE r AS ON DELETE TO checked WHERE OLD.n = 7 DO INSTEAD NOTHING;
	CREATE TRIGGER t BEFORE UPDATE ON checked FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
	CREATE STATISTICS s ON n, x FROM checked;
	CREATE VIEW checks_over AS SELECT id FROM checks;
	CREATE TABLE beside (n integer, checked_id uuid CONSTRAINT beside REFERENCES checked);
	CREATE POLICY p ON beside USING (EXISTS (SELECT FROM checked c WHERE c.id = beside.checked_id));
	CREATE FUNCTION checked_n(above integer) RETURNS bigint BEGIN ATOMIC SELECT count(id) FROM checked WHERE n > above; END;
	CREATE MATERIALIZED VIEW checks_filled AS SELECT n, x, id FROM checks_over JOIN checked USING (id);
	CREATE PUBLICATION p FOR TABLE checked (id, n);
	INSERT INTO checked (n) SELECT n FROM generate_series(1, 10) n;
SQL
my @changes = (
	[ 'ALTER TABLE checked DROP CONSTRAINT positive, ADD CONSTRAINT positive CHECK (n > -1)', 'ALTER TABLE checked DROP CONSTRAINT positive, ADD CONSTRAINT positive CHECK (n > 0)', 'table constraint positive on public\.checked was changed' ],
	[ 'ALTER TABLE checked RENAME CONSTRAINT positive TO renamed', 'ALTER TABLE checked RENAME CONSTRAINT renamed TO positive', 'constraint positive on public\.checked is gone' ],
	# which would mean the same if it were no literal
	[ "ALTER TABLE checked DROP CONSTRAINT said, ADD CONSTRAINT said CHECK (x <> '((a) AND (b) AND (c))')", "ALTER TABLE checked DROP CONSTRAINT said, ADD CONSTRAINT said CHECK (x <> '(((a) AND (b)) AND (c))')", 'table constraint said on public\.checked was changed' ],
	[ 'ALTER TABLE checked ALTER CONSTRAINT up DEFERRABLE', 'ALTER TABLE checked ALTER CONSTRAINT up NOT DEFERRABLE', 'constraint up on public\.checked was changed' ],
	[ 'ALTER TABLE beside DROP CONSTRAINT beside, ADD CONSTRAINT beside FOREIGN KEY (checked_id) REFERENCES checked ON DELETE CASCADE', 'ALTER TABLE beside DROP CONSTRAINT beside, ADD CONSTRAINT beside FOREIGN KEY (checked_id) REFERENCES checked', 'constraint beside on public\.beside was changed' ],
	[ 'ALTER TABLE beside DISABLE TRIGGER ALL', 'ALTER TABLE beside ENABLE TRIGGER ALL', 'constraint beside on public\.beside was changed' ],
	[ "COMMENT ON CONSTRAINT beside ON beside IS 'x'", 'COMMENT ON CONSTRAINT beside ON beside IS NULL', 'constraint beside on public\.beside was changed' ],
	[ 'ALTER TABLE checked VALIDATE CONSTRAINT unchecked', 'ALTER TABLE checked DROP CONSTRAINT unchecked, ADD CONSTRAINT unchecked CHECK (n > 0) NOT VALID', 'validation of constraint unchecked on table public\.checked is new' ],
	[ 'DROP INDEX checked_n; CREATE INDEX checked_n ON checked (n DESC)', 'DROP INDEX checked_n; CREATE INDEX checked_n ON checked (n)', 'index public\.checked_n was changed' ],
	[ 'DROP INDEX checked_x; CREATE INDEX checked_x ON checked (x text_pattern_ops)', 'DROP INDEX checked_x; CREATE INDEX checked_x ON checked (x)', 'index public\.checked_x was changed' ],
	[ 'ALTER INDEX checked_id SET (fillfactor = 60)', 'ALTER INDEX checked_id RESET (fillfactor)', 'index public\.checked_id was changed' ],
	[ "COMMENT ON INDEX checked_id IS 'x'", 'COMMENT ON INDEX checked_id IS NULL', 'index public\.checked_id was changed' ],
	[ 'ALTER TABLE checked CLUSTER ON checked_n', 'ALTER TABLE checked SET WITHOUT CLUSTER', 'index public\.checked_n was changed' ],
	[ 'CREATE OR REPLACE VIEW checks AS SELECT id FROM checked', 'CREATE OR REPLACE VIEW checks AS SELECT id FROM checked WHERE n > 1', 'view public\.checks was changed' ],
	[ 'GRANT SELECT ON checks TO other', 'REVOKE ALL ON checks FROM other', 'view public\.checks was changed' ],
	[ 'GRANT SELECT ON checks_over TO PUBLIC', 'REVOKE ALL ON checks_over FROM PUBLIC', 'view public\.checks_over was changed' ],
	[ 'GRANT SELECT (id) ON checks TO PUBLIC', 'REVOKE SELECT (id) ON checks FROM PUBLIC', 'view column public\.checks\.id was changed' ],
	[ 'ALTER VIEW checks SET (security_barrier)', 'ALTER VIEW checks RESET (security_barrier)', 'view public\.checks was changed' ],
	[ 'ALTER VIEW checks OWNER TO other', 'ALTER VIEW checks OWNER TO CURRENT_USER', 'view public\.checks was changed' ],
	[ "COMMENT ON VIEW checks IS 'x'", 'COMMENT ON VIEW checks IS NULL', 'view public\.checks was changed' ],
	[ "ALTER VIEW checks ALTER COLUMN id SET DEFAULT '01563e3a-b5d3-d676-4c61-efb99302bd5b'", 'ALTER VIEW checks ALTER COLUMN id DROP DEFAULT', 'view column public\.checks\.id was changed' ],
	[ 'CREATE INDEX filled ON checks_filled (n)', 'DROP INDEX filled', 'index public\.filled is new' ],
	[ 'ALTER MATERIALIZED VIEW checks_filled ALTER COLUMN x SET STORAGE EXTERNAL', 'ALTER MATERIALIZED VIEW checks_filled ALTER COLUMN x SET STORAGE EXTENDED', 'materialized view column public\.checks_filled\.x was changed' ],
	[ 'REFRESH MATERIALIZED VIEW checks_filled WITH NO DATA', 'REFRESH MATERIALIZED VIEW checks_filled', 'materialized view public\.checks_filled was changed' ],
	[ 'ALTER POLICY p ON checked USING (n > 3)', 'ALTER POLICY p ON checked USING (n > 2)', 'policy p on public\.checked was changed' ],
	[ 'ALTER POLICY p ON checked TO other', 'ALTER POLICY p ON checked TO PUBLIC', 'policy p on public\.checked was changed' ],
	[ 'ALTER POLICY p ON beside USING (false)', 'DROP POLICY p ON beside; CREATE POLICY p ON beside USING (EXISTS (SELECT FROM checked c WHERE c.id = beside.checked_id))', 'policy p on public\.beside (?:is gone|was changed)' ],
	[ 'CREATE POLICY q ON checked USING (true)', 'DROP POLICY q ON checked', 'policy q on public\.checked is new' ],
	[ 'ALTER TABLE checked DISABLE RULE r', 'ALTER TABLE checked ENABLE RULE r', 'rule r on public\.checked was changed' ],
	[ 'ALTER TABLE checked DISABLE TRIGGER t', 'ALTER TABLE checked ENABLE TRIGGER t', 'trigger t on public\.checked was changed' ],
	[ "COMMENT ON TRIGGER t ON checked IS 'x'", 'COMMENT ON TRIGGER t ON checked IS NULL', 'trigger t on public\.checked was changed' ],
	[ 'ALTER FUNCTION checked_n SECURITY DEFINER', 'ALTER FUNCTION checked_n SECURITY INVOKER', 'function public\.checked_n\(integer\) was changed' ],
	[ 'ALTER STATISTICS s SET STATISTICS 5', 'ALTER STATISTICS s SET STATISTICS -1', 'statistics object public\.s was changed' ],
	[ 'ALTER STATISTICS s OWNER TO other', 'ALTER STATISTICS s OWNER TO CURRENT_USER', 'statistics object public\.s was changed' ],
	[ 'ALTER TABLE checked ALTER COLUMN n SET DEFAULT 2', 'ALTER TABLE checked ALTER COLUMN n SET DEFAULT 1', 'table column public\.checked\.n was changed' ],
	[ 'ALTER TABLE checked ALTER COLUMN n SET NOT NULL', 'ALTER TABLE checked ALTER COLUMN n DROP NOT NULL', 'table column public\.checked\.n was changed' ],
	[ 'ALTER TABLE checked ALTER COLUMN n SET (n_distinct = 5)', 'ALTER TABLE checked ALTER COLUMN n RESET (n_distinct)', 'table column public\.checked\.n was changed' ],
	[ 'ALTER TABLE checked ALTER COLUMN n SET STATISTICS 7', 'ALTER TABLE checked ALTER COLUMN n SET STATISTICS -1', 'table column public\.checked\.n was changed' ],
	[ 'ALTER TABLE beside ALTER COLUMN n SET DEFAULT 2', 'ALTER TABLE beside ALTER COLUMN n DROP DEFAULT', 'table column public\.beside\.n was changed' ],
	[ "COMMENT ON COLUMN checked.n IS 'x'", 'COMMENT ON COLUMN checked.n IS NULL', 'table column public\.checked\.n was changed' ],
	[ 'GRANT UPDATE (n) ON checked TO other', 'REVOKE UPDATE (n) ON checked FROM other', 'table column public\.checked\.n was changed' ],
	[ 'ALTER TABLE checked ALTER COLUMN k SET INCREMENT 3', 'ALTER TABLE checked ALTER COLUMN k SET INCREMENT 1', 'sequence public\.checked_k_seq was changed' ],
	[ 'ALTER TABLE checked ALTER COLUMN k SET GENERATED ALWAYS', 'ALTER TABLE checked ALTER COLUMN k SET GENERATED BY DEFAULT', 'table column public\.checked\.k was changed' ],
	[ 'GRANT USAGE ON SEQUENCE checked_k_seq TO other', 'REVOKE ALL ON SEQUENCE checked_k_seq FROM other', 'sequence public\.checked_k_seq was changed' ],
	[ 'ALTER TABLE checked ADD COLUMN more integer', 'ALTER TABLE checked DROP COLUMN more', 'table column public\.checked\.more is new' ],
	[ 'ALTER TABLE checked ENABLE ROW LEVEL SECURITY', 'ALTER TABLE checked DISABLE ROW LEVEL SECURITY', 'table public\.checked was changed' ],
	[ 'ALTER TABLE checked FORCE ROW LEVEL SECURITY', 'ALTER TABLE checked NO FORCE ROW LEVEL SECURITY', 'table public\.checked was changed' ],
	[ 'GRANT SELECT ON checked TO other', 'REVOKE ALL ON checked FROM other', 'table public\.checked was changed' ],
	[ 'ALTER TABLE checked OWNER TO other', 'ALTER TABLE checked OWNER TO CURRENT_USER', 'table public\.checked was changed' ],
	[ "COMMENT ON TABLE checked IS 'x'", 'COMMENT ON TABLE checked IS NULL', 'table public\.checked was changed' ],
	[ 'ALTER TABLE checked SET (fillfactor = 60)', 'ALTER TABLE checked RESET (fillfactor)', 'table public\.checked was changed' ],
	[ 'ALTER TABLE checked SET (toast.autovacuum_enabled = off)', 'ALTER TABLE checked RESET (toast.autovacuum_enabled)', 'table public\.checked was changed' ],
	[ 'ALTER TABLE checked REPLICA IDENTITY FULL', 'ALTER TABLE checked REPLICA IDENTITY DEFAULT', 'table public\.checked was changed' ],
	[ 'ALTER TABLE checked REPLICA IDENTITY USING INDEX checked_pkey', 'ALTER TABLE checked REPLICA IDENTITY DEFAULT', 'index public\.checked_pkey was changed' ],
	[ "CREATE INDEX broken ON checked (n); UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'broken'::regclass", 'DROP INDEX broken', 'index public\.broken is new' ],
	[ "ALTER POLICY compound ON checked USING (n = 1 OR (x = 'a' AND n < 100))", "ALTER POLICY compound ON checked USING ((n = 1 OR x = 'a') AND n < 100)", 'policy compound on public\.checked was changed' ],
	[ 'ALTER POLICY named ON checked USING (up = id)', 'ALTER POLICY named ON checked USING (up = uuid)', 'policy named on public\.checked was changed' ],
	[ 'ALTER MATERIALIZED VIEW checks_filled ALTER COLUMN x SET COMPRESSION pglz', 'ALTER MATERIALIZED VIEW checks_filled ALTER COLUMN x SET COMPRESSION default', 'materialized view column public\.checks_filled\.x was changed' ],
	[ 'CREATE TABLE child () INHERITS (checked)', 'DROP TABLE child', 'table public\.child is new' ],
	[ 'ALTER PUBLICATION p SET TABLE checked (id, n, k)', 'ALTER PUBLICATION p SET TABLE checked (id, n)', 'publication relation public\.checked in publication p was changed' ],
	[ "CREATE SUBSCRIPTION s CONNECTION '' PUBLICATION s WITH (connect = false); INSERT INTO pg_subscription_rel SELECT oid, 'checked'::regclass, 'r' FROM pg_subscription", "DELETE FROM pg_subscription_rel; ALTER SUBSCRIPTION s SET (slot_name = NONE); DROP SUBSCRIPTION s", 'table public\.checked was changed' ],
	[ 'CREATE FUNCTION of_checked(checked) RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$', 'DROP FUNCTION of_checked', 'function public\.of_checked\(public\.checked\) is new' ]);
foreach my $way ('in place', 'by copying')
{
	my @options = $way eq 'in place' ? () : ('-v', 'copy=public.checked');
	my $dump = dump_of('changed', '-s');
	my %script = map { $_ => (write_script('changed', 'checked', $_, @options))[0] } 'ulid', 'uuid';
	foreach my $to ('ulid', 'uuid')
	{
		# a generator is one like any other to the script back, whose column may have that of the other type
		foreach (@changes, $to eq 'ulid' ? [ 'ALTER TABLE checked ALTER COLUMN id SET DEFAULT gen_ulid()', 'ALTER TABLE checked ALTER COLUMN id SET DEFAULT gen_random_uuid()', 'table column public\.checked\.id was changed' ] : ())
		{
			my ($change, $undo, $what) = @$_;
			query('changed', $change);
			my ($code, $err) = run_file('changed', $script{$to});
			ok($code == 3 && $err =~ /not as it was when this was written.*$what.*Write the script again/s, "$way, to $to, $change: the script notices") or diag $err;
			query('changed', $undo);
		}
		# what is no change: upkeep, values, and what was taken back
		query('changed', $_) foreach 'REINDEX TABLE CONCURRENTLY checked', 'VACUUM FULL ANALYZE checked', "SELECT nextval('checked_k_seq')", 'CLUSTER checked USING checked_pkey; ALTER TABLE checked SET WITHOUT CLUSTER',
			'REFRESH MATERIALIZED VIEW checks_filled';
		my ($code, $err) = run_file('changed', $script{$to});
		is($code, 0, "$way, to $to: and runs when that is undone") or diag $err;
		is($err, '', "$way, to $to: with nothing gone");
	}
	same_schema(dump_of('changed', '-s'), $dump, "$way: there and back");
}

# What one bundle's switch changes, or that of a copy, is nothing of another: to the letter until that has its own.
foreach my $copy ('', 'public.sooner')
{
	my @write = ('changed', 'sooner, later', 'ulid', '-v', "copy=$copy");
	query('changed', 'DROP TABLE IF EXISTS later, sooner; CREATE TABLE sooner (id uuid PRIMARY KEY); CREATE TABLE later (id uuid PRIMARY KEY DEFAULT gen_ulid(), sooner_id uuid REFERENCES sooner)');
	my ($file) = write_script(@write);
	my ($first) = slurp_file($file) =~ ($copy ? qr/\A(.*?)^-- 1\. Indexes/ms : qr/\A(.*?)^-- Bundle 2 of 2/ms);
	is((run_file('changed', write_part($first)))[0], 0, "the first of two bundles: copying ($copy)");
	query('changed', 'ALTER TABLE later ALTER COLUMN id SET DEFAULT gen_random_ulid()');
	my ($code, $err) = run_file('changed', $file);
	ok($code == 3 && $err =~ /not as it was when this was written.*column public\.later\.id was changed/s, 'a default of the second is no other in silence') or diag $err;
	is((run_file('changed', (write_script(@write))[0]))[0], 0, 'written again it comes to its end');
	is(query('changed', "SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'later'::regclass"), 'gen_random_ulid()', 'with the default that it has then');
}

# A view, or a function, that has the key of one bundle and of the next another column alone is made again with the first.
{
	query('changed', <<'SQL');
		CREATE TABLE one_side (id uuid PRIMARY KEY, n integer);
		CREATE TABLE other_side (id uuid PRIMARY KEY, n integer);
		CREATE VIEW of_one AS SELECT o.id, x.n FROM one_side o JOIN other_side x USING (n);
		CREATE VIEW of_other AS SELECT x.id, o.n FROM one_side o JOIN other_side x USING (n);
		CREATE VIEW text_of_other AS SELECT x.id::text AS id, o.n FROM one_side o JOIN other_side x USING (n);
		CREATE FUNCTION of_both() RETURNS bigint LANGUAGE sql STABLE BEGIN ATOMIC SELECT count(o.id) FROM one_side o JOIN other_side x USING (n); END;
SQL
	my $dump = dump_of('changed', '-s');
	my %script = map { $_ => (write_script('changed', 'one_side, other_side', $_))[0] } 'ulid', 'uuid';
	foreach my $to ('ulid', 'uuid')
	{
		my ($code, $err) = run_file('changed', $script{$to});
		is($code, 0, "to $to: two bundles of which the first changes a view of both") or diag $err;
		is($err, '', "to $to: with nothing otherwise");
	}
	same_schema(dump_of('changed', '-s'), $dump, 'there and back');
	my ($first) = slurp_file($script{ulid}) =~ /\A(.*?)^-- Bundle 2 of 2/ms;
	is((run_file('changed', write_part($first)))[0], 0, 'the first of them');
	query('changed', 'CREATE OR REPLACE VIEW of_other AS SELECT x.id, o.n + 1 AS n FROM one_side o JOIN other_side x USING (n)');
	my ($code, $err) = run_file('changed', $script{ulid});
	ok($code == 3 && $err =~ /not as it was when this was written.*of_other was changed/s, 'a view of the second is no other in silence') or diag $err;
	query('changed', 'CREATE OR REPLACE VIEW of_other AS SELECT x.id, o.n FROM one_side o JOIN other_side x USING (n);
		CREATE OR REPLACE VIEW text_of_other AS SELECT x.id::ulid::uuid::text AS id, o.n FROM one_side o JOIN other_side x USING (n)');
	($code, $err) = run_file('changed', $script{ulid});
	ok($code == 3 && $err =~ /not as it was when this was written.*text_of_other was changed/s, 'nor where a cast to another type of id alone is new') or diag $err;
	is((run_file('changed', (write_script('changed', 'one_side, other_side', 'uuid'))[0]))[0], 0, 'back, written anew');
	query('changed', 'DROP FUNCTION of_both; DROP TABLE one_side, other_side CASCADE');
}

# Nor is a view of what moves in place, after the switch of what is copied.
{
	query('changed', 'CREATE TABLE in_place (id uuid PRIMARY KEY); CREATE TABLE first_copied (id uuid PRIMARY KEY); CREATE VIEW of_in_place AS SELECT id::text FROM in_place');
	my ($file) = write_script('changed', 'in_place, first_copied', 'ulid', '-v', 'copy=first_copied');
	my ($first) = slurp_file($file) =~ /\A(.*?)^-- 1\. Indexes that outlive/ms;
	is((run_file('changed', write_part($first)))[0], 0, 'what is copied');
	query('changed', 'CREATE OR REPLACE VIEW of_in_place AS SELECT id::ulid::uuid::text AS id FROM in_place');
	my ($code, $err) = run_file('changed', $file);
	ok($code == 3 && $err =~ /not as it was when this was written.*of_in_place was changed/s, 'a view of what is not is no other in silence') or diag $err;
	query('changed', 'DROP TABLE in_place, first_copied CASCADE');
}

# The index of a text key as ulid is the script's, in one that is written meanwhile and in the script back too.
foreach my $until (qr/^SELECT [^\n]*todo \\gset\n\\if :todo\n[^\n]*Making the schemas/m, qr/^-- 4\. /m)
{
	query('changed', "DROP TABLE IF EXISTS texts; CREATE TABLE texts (id text PRIMARY KEY); INSERT INTO texts VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV')");
	my $names = "SELECT string_agg(indexrelid::regclass::text, ' ') FROM pg_index WHERE indrelid = 'texts'::regclass";
	my %script = map { $_ => (write_script('changed', 'texts', $_))[0] } 'ulid', 'text';
	my ($begun) = slurp_file($script{ulid}) =~ /\A(.*?)$until/ms;
	foreach my $to ('text', 'ulid')
	{
		is((run_file('changed', write_part($begun)))[0], 0, 'stopped');
		is(query('changed', $names), 'texts_pkey texts_ulid_move', 'its index is there');
		my ($code, $err, $out) = run_file('changed', $to eq 'text' ? $script{text} : (write_script('changed', 'texts', 'ulid'))[0]);
		ok($code == 0 && $out !~ /Dropping ulid_move_public\.texts/, "$to: comes to its end with the rows that are copied") or diag $err;
		is(query('changed', $names), 'texts_pkey', 'without it');
	}
}

# An index that stands in for one that is gone or has another name since is none of those that a script knows, and goes.
{
	query('changed', 'CREATE TABLE named (id uuid PRIMARY KEY, n integer); CREATE INDEX named_n ON named (n, id); CREATE TABLE of_named (id uuid CONSTRAINT of_named REFERENCES named)');
	my ($begun) = slurp_file((write_script('changed', 'named', 'ulid'))[0]) =~ /\A(.*?)^-- 2\. /ms;
	is((run_file('changed', write_part($begun)))[0], 0, 'indexes are made');
	query('changed', 'ALTER INDEX named_pkey RENAME TO named_key; DROP INDEX named_n');
	my ($code, $err) = run_file('changed', (write_script('changed', 'named', 'ulid'))[0]);
	is($code, 0, 'and not all are of use') or diag $err;
	is(query('changed', "SELECT string_agg(indexrelid::regclass::text, ' ') FROM pg_index WHERE indrelid = 'named'::regclass"), 'named_key', 'and none is left over');
}

# A list of a varchar is shown otherwise when it is made again, and BETWEEN beside another condition, and mean the same. What depends on no column that moves
# is compared to the letter by the script back too.
query('changed', <<'SQL');
	CREATE TABLE listed (id uuid PRIMARY KEY, n integer, CONSTRAINT n CHECK (n BETWEEN 1 AND 9 AND n <> 3), CONSTRAINT n_true CHECK (n BETWEEN 1 AND 9 AND true), CONSTRAINT n_id CHECK ((n, id::text) IN ((1, 'x'), (2, 'y')) OR n NOT IN (n, 2) OR n > 0), status varchar(9) CONSTRAINT listed CHECK (status IN ('a', 'b, ''c]')), CONSTRAINT of_id CHECK (id IS NOT NULL OR status IN ('a', status)));
	CREATE INDEX listed_id ON listed (id) WHERE status IN ('a', 'b');
	CREATE VIEW lists AS SELECT id, status FROM listed WHERE n BETWEEN 1 AND 5 AND status NOT IN ('a', 'b');
	CREATE POLICY p ON listed USING (id IS NOT NULL AND status IN ('a', 'b'));
	CREATE TABLE bound (id uuid, n integer, PRIMARY KEY (id, n)) PARTITION BY RANGE (n);
	CREATE TABLE bound_1 PARTITION OF bound FOR VALUES FROM ('1') TO ('2');
	CREATE TABLE bound_rest PARTITION OF bound DEFAULT;
SQL
foreach my $copy ('', 'public.listed, public.bound')
{
	my %script = map { $_ => (write_script('changed', 'listed, bound.id', $_, '-v', "copy=$copy"))[0] } 'ulid', 'uuid';
	my ($code, $err) = run_file('changed', $script{ulid});
	is("$code$err", '0', "lists: copying ($copy): there");
	query('changed', 'ALTER TABLE bound DETACH PARTITION bound_1; ALTER TABLE bound ATTACH PARTITION bound_1 FOR VALUES FROM (1) TO (3)');
	($code, $err) = run_file('changed', $script{uuid});
	ok($code == 3 && $err =~ /DETAIL:  table public\.bound_1 was changed\nHINT/s, 'another bound is noticed, and nothing else') or diag $err;
	query('changed', 'ALTER TABLE bound DETACH PARTITION bound_1; ALTER TABLE bound ATTACH PARTITION bound_1 FOR VALUES FROM (1) TO (2)');
	foreach my $to ('uuid', 'ulid', 'uuid')
	{
		($code, $err) = run_file('changed', $script{$to});
		is("$code$err", '0', "and to $to");
	}
	query('changed', q{ALTER TABLE listed DROP CONSTRAINT listed, ADD CONSTRAINT listed CHECK (status IN ('a', 'b, ''c]'))});
}

# By copying: what is changed while rows are copied is in the copy when the script is written again.
{
	my ($file) = write_script('changed', 'checked', 'ulid', '-v', 'copy=public.checked');
	my ($copied) = slurp_file($file) =~ /\A(.*?)^-- 5\. /ms;
	is((run_file('changed', write_part($copied)))[0], 0, 'rows are copied');
	foreach (
		[ 'ALTER POLICY p ON checked USING (n > 5)', 'the copy serves' ],
		[ 'DROP INDEX checked_x, checked_n; CREATE INDEX checked_n ON checked (n DESC)', 'the copy serves' ],
		[ 'ALTER TABLE checked ENABLE ROW LEVEL SECURITY; ALTER TABLE checked ADD COLUMN late integer DEFAULT 3; ALTER TABLE checked ALTER y TYPE text USING n::text', 'another copy is made', 1 ])
	{
		my ($change, $what, $made) = @$_;
		query('changed', $change);
		like((run_file('changed', $file))[1], qr/not as it was when this was written.*Write the script again/s, "$change: the script notices");
		($file) = write_script('changed', 'checked', 'ulid', '-v', 'copy=public.checked');
		my ($until) = slurp_file($file) =~ /\A(.*?)^-- 5\. /ms;
		my ($code, $err, $out) = run_file('changed', write_part($until));
		is($code, 0, "$change: written again it goes on") or diag $err;
		is($out =~ /Dropping ulid_move_public\.checked, as its table is another or was changed since/ ? 1 : 0, $made // 0, "$change: $what");
	}
	my $rows = query('changed', 'SELECT string_agg(ROW(id::uuid, n, x, y, k, late)::text, $$,$$ ORDER BY k) FROM checked');
	my $indexes = "SELECT string_agg(indexdef, ', ' ORDER BY indexname) FROM pg_indexes WHERE tablename = 'checked'";
	my $were = query('changed', $indexes =~ s/WHERE/WHERE schemaname = 'public' AND indexname <> 'checked_ulid_move' AND/r);
	is((run_file('changed', $file))[0], 0, 'and comes to its end');
	is(query('changed', $indexes), $were, 'with the indexes that there are then');
	is(query('changed', 'SELECT string_agg(ROW(id::uuid, n, x, y, k, late)::text, $$,$$ ORDER BY k) FROM checked'), $rows, 'with every value');
	is(query('changed', q{SELECT pg_typeof(id), relrowsecurity, pg_get_expr(polqual, polrelid) FROM pg_class c JOIN pg_policy ON polrelid = c.oid AND polname = 'p', LATERAL (SELECT id FROM checked LIMIT 1) x WHERE c.oid = 'checked'::regclass}),
		'ulid|t|(n > 5)', 'and every change');
}

# Of the comment that an index has nothing is run but the end of a CREATE INDEX: whoever owns the table can write it. One
# that only begins as ours do is left alone, on whatever table it is.
query('changed', 'CREATE INDEX planted ON checked (n); CREATE TABLE elsewhere (n integer); CREATE INDEX own ON elsewhere (n)');
query('changed', "COMMENT ON INDEX own IS 'In the place of {another}'");
foreach my $is (map({ qq{"as": "$_"} } 'USING btree (n); CREATE TABLE hacked ()', q{USING btree (n) WHERE xE'\\\\'; CREATE TABLE hacked (); --'}, 'USING btree (n) WHERE x <> $a$;$a$'),
	map { qq{"as": "USING btree (n)", $_} } '"relid": "x"', '"extensions": {}', '"targets": {"x": 1}')
{
	query('changed', qq{COMMENT ON INDEX planted IS \$c\$In the place of x: {"name": "x", "rel": "public.checked", $is}\$c\$});
	my ($code, $err) = run_file('changed', (write_script('changed', 'beside.checked_id, checked', 'ulid'))[0]);
	ok($code == 3 && $err =~ /the comment of what stands in for index public\.x is not that of a move/, "$is: is not run") or diag $err;
}
foreach my $comment ('In the place of the {old} one', 'In the place of {}', 'In the place of x: {"name": "\u0000", "rel": "public.checked", "as": "USING btree (n)"}', 'In the place of x: {"name": "x"}', 'In the place of x: [{')
{
	query('changed', "COMMENT ON INDEX planted IS '$comment'");
	my ($file, $err) = write_script('changed', 'beside.checked_id, checked', 'uuid');
	ok($file && (run_file('changed', $file))[0] == 0, "$comment: is none of ours") or diag $err;
	is(query('changed', "SELECT obj_description('planted'::regclass)"), $comment, 'and stays');
}
is(query('changed', "SELECT to_regclass('hacked') IS NULL"), 't', 'not at all');

$node->stop;
done_testing();
