# The guides of doc/moving*.md and doc/copying.md, each run as written on tables prepared for it.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;
use File::Basename;
use IPC::Run;

my $here = dirname(__FILE__);

# The fenced blocks of a language under a heading.
sub blocks
{
	my ($heading, $language) = @_;
	my $guide = join '', map { slurp_file("$here/../../doc/$_.md") } 'moving', 'moving-database', 'moving-application', 'copying';
	$guide =~ /^#+ \Q$heading\E\n(.*?)(?=^##+ |\z)/ms or die "no page has a heading \"$heading\"";
	my $section = $1;
	my @blocks;
	# one within a list is indented
	while ($section =~ /^( *)```$language\n(.*?)^\1```$/msg)
	{
		my ($indent, $block) = ($1, $2);
		push @blocks, $block =~ s/^$indent//gmr;
	}
	die "no $language block under \"$heading\"" unless @blocks;
	return @blocks;
}

my $node = PostgreSQL::Test::Cluster->new('guides');
$node->init;
# gen_monotonic_ulid() needs it on servers before 17
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'ulid, pg_stat_statements'\n");
# so that it does not take a lock where a guide waits for one no longer than 2 seconds
$node->append_conf('postgresql.conf', "autovacuum = off\n");
$node->start;

# A database of its own, so that the guides do not meet.
sub database
{
	my ($name, $setup) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $name");
	$node->safe_psql($name, "CREATE EXTENSION ulid; " . ($setup // ''));
	return $name;
}

sub query { my ($db, $sql) = @_; return $node->safe_psql($db, $sql); }

# A dump of a database restores, and a dump of that is the same.
sub restores
{
	my ($db, $when) = @_;
	my $dump = "${PostgreSQL::Test::Utils::tmp_check}/$db.dump";
	my @dump = ($node->installed_command('pg_dump'), '--restrict-key=x', '-f');
	splice(@dump, 1, 1) unless `$dump[0] --help` =~ /--restrict-key/;
	my $restored = "${db}_restored";
	$node->safe_psql('postgres', "DROP DATABASE IF EXISTS $restored");
	$node->safe_psql('postgres', "CREATE DATABASE $restored TEMPLATE template0");
	system(@dump, "$dump.before", '-d', $node->connstr($db)) == 0 or die;
	$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($restored), '-f', "$dump.before" ], "$when: a dump restores");
	system(@dump, "$dump.after", '-d', $node->connstr($restored)) == 0 or die;
	is(slurp_file("$dump.after"), slurp_file("$dump.before"), "$when: and is the same again");
	return;
}

# Runs writer(), a procedure of the database, from another session until stop_writer.
sub start_writer
{
	my ($db) = @_;
	my ($in, $out, $err) = ('', '', '');
	my $handle = IPC::Run::start(
		[ $node->installed_command('psql'), '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($db), '-c', 'CALL writer()' ],
		'<', \$in, '>', \$out, '2>', \$err);
	$node->poll_query_until($db, 'SELECT count(*) > 10 FROM written') or die "the writer does not write: $err";
	return { handle => $handle, err => \$err };
}

sub stop_writer
{
	my ($db, $writer) = @_;
	my $seen = query($db, 'SELECT count(*) FROM written');
	$node->poll_query_until($db, "SELECT count(*) > $seen + 5 FROM written")
	  or fail('the writer went on writing');
	query($db, 'INSERT INTO stop VALUES (true)');
	ok($writer->{handle}->finish, 'the writer met no error') or diag ${ $writer->{err} };
	return;
}

# ---------------------------------------------------------------- The default alone
{
	my ($change, $recent, undef, $back) = blocks('The default alone', 'sql');
	my $db = database('default_alone', <<'SQL');
		CREATE TABLE customer (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text);
		CREATE TABLE invoice (customer_id uuid REFERENCES customer);
		INSERT INTO customer (name) SELECT n::text FROM generate_series(1, 100000) n;
		DELETE FROM customer WHERE id::ulid BETWEEN now() - interval '2 days' AND now() + interval '2 days'; -- in 1 of 8 runs there is one
		CREATE TABLE random_customer (LIKE customer INCLUDING ALL);
		INSERT INTO random_customer SELECT * FROM customer;
		VACUUM ANALYZE customer; VACUUM ANALYZE random_customer;
SQL
	# a client with prepared statements, connected from before to after
	my $client = $node->background_psql($db);
	$client->query_safe($_) foreach 'SET plan_cache_mode = force_generic_plan', 'PREPARE put AS INSERT INTO customer (name) VALUES ($1) RETURNING *',
	  'PREPARE get AS SELECT * FROM customer WHERE id = $1', 'PREPARE own AS INSERT INTO customer VALUES ($1, $2) RETURNING id';
	my $row = sub { $client->query_safe($_[0]) =~ s/\s+\z//r };
	my $uuid = qr/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
	like($row->("EXECUTE put('before')"), qr/^$uuid\|before$/, 'the default alone: a client writes');
	my $file = query($db, "SELECT pg_relation_filenode('customer'), pg_relation_filenode('customer_pkey')");
	query($db, $change);
	is(query($db, "SELECT pg_relation_filenode('customer'), pg_relation_filenode('customer_pkey')"), $file, 'the default alone: nothing is rewritten');
	my ($id) = (my $put = $row->("EXECUTE put('after')")) =~ /^($uuid)\|after$/;
	ok($id, 'the default alone: the same client goes on, and gets UUIDs') or diag $put;
	is($row->("EXECUTE get('$id')"), "$id|after", 'the default alone: and finds what it wrote');
	is($row->("EXECUTE own('00000000-0000-4000-8000-000000000000', 'own')"), '00000000-0000-4000-8000-000000000000', 'the default alone: and may make keys of its own');
	query($db, "INSERT INTO invoice VALUES ('$id')");
	is(query($db, "SELECT id::ulid::timestamptz BETWEEN now() - interval '1 minute' AND now() FROM customer WHERE id = '$id'"), 't', 'the default alone: the key knows its time');
	is(query($db, $recent), "$id|after", 'the default alone: a condition on it finds the new rows');
	like(query($db, "EXPLAIN (COSTS OFF) $recent"), qr/(?:Index|Bitmap).*Scan.*customer_pkey.*Index Cond: \(\(id >= .*AND \(id < /s, 'the default alone: by the index');
	query($db, 'VACUUM ANALYZE customer');
	my %wal = map {
		my $table = $_;
		query('postgres', 'CHECKPOINT');
		my $begin = query($db, 'SELECT pg_current_wal_insert_lsn()');
		query($db, "INSERT INTO $table (name) SELECT n::text FROM generate_series(1, 5000) n");
		$table => query($db, "SELECT pg_current_wal_insert_lsn() - '$begin'::pg_lsn");
	} 'customer', 'random_customer';
	cmp_ok($wal{customer} * 1.5, '<', $wal{random_customer}, 'the default alone: new rows write less WAL than with random keys');
	my $digits = 'SELECT count(DISTINCT left(id::text, 8)) < 5, count(DISTINCT left(id::text, 18)) < 2500, count(DISTINCT right(id::text, 8)) > 4990 FROM';
	is(query($db, "$digits (SELECT id FROM customer WHERE id::ulid BETWEEN now() - interval '1 hour' AND now() LIMIT 5000) new"), 't|t|t',
		'the default alone: the first digits of keys are not for the whole, the last are');
	is(query($db, "$digits (SELECT id FROM random_customer LIMIT 5000) random"), 'f|f|t', 'the default alone: as those of random keys');
	query($db, $back);
	like($row->("EXECUTE put('back')"), qr/^$uuid\|back$/, 'the default alone: back, the same client goes on');
	is(query($db, "SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'customer'::regclass"), 'gen_random_uuid()', 'the default alone: with the default from before');
	is(query($db, 'SELECT count(*) FROM invoice JOIN customer ON id = customer_id'), 1, 'the default alone: and every row');
	$client->quit;
}

# ---------------------------------------------------------------- Where functions are not everybody's
{
	my (undef, undef, $grant) = blocks('The default alone', 'sql');
	$node->safe_psql('postgres', 'CREATE DATABASE closed');
	query('closed', 'CREATE ROLE nobody LOGIN; ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC; CREATE EXTENSION ulid;
		CREATE FUNCTION secret() RETURNS integer RETURN 1; CREATE TABLE customer (id uuid PRIMARY KEY DEFAULT gen_ulid()); GRANT INSERT, SELECT ON customer TO nobody');
	my $as = sub { my (undef, undef, $err) = $node->psql('closed', "SET ROLE nobody; $_[0]"); return $err; };
	my $use = 'INSERT INTO customer DEFAULT VALUES; SELECT ulid_timestamp(max(id::ulid)) FROM customer WHERE id::ulid >= now()';
	like($as->($use), qr/permission denied for function gen_ulid/, 'functions that are not everybody\'s: a role that inserts needs a grant');
	query('closed', $grant);
	is($as->($use), '', 'functions that are not everybody\'s: with it, it has those of the extension');
	like($as->('SELECT secret()'), qr/permission denied for function secret/, 'functions that are not everybody\'s: and no other');
}

# ---------------------------------------------------------------- All keys of a database
{
	my ($change, $back) = blocks('All keys of a database', 'sql');
	my $db = database('all_keys', <<'SQL');
		CREATE EXTENSION "uuid-ossp";
		CREATE TABLE customer (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), token text DEFAULT gen_random_uuid()::text, reset uuid DEFAULT gen_random_uuid());
		CREATE SCHEMA "my ""shop";
		CREATE TABLE "my ""shop"."Invoice" ("the id" uuid DEFAULT uuid_generate_v4(), n integer, PRIMARY KEY (n, "the id")) PARTITION BY RANGE (n);
		CREATE TABLE part PARTITION OF "my ""shop"."Invoice" FOR VALUES FROM (1) TO (2);
		CREATE FUNCTION own() RETURNS uuid LANGUAGE sql RETURN uuid_generate_v5(uuid_ns_url(), now()::text);
		CREATE TABLE own_part PARTITION OF "my ""shop"."Invoice" ("the id" DEFAULT own()) FOR VALUES FROM (2) TO (3);
		CREATE TABLE other (by_time uuid DEFAULT uuid_generate_v1(), fixed uuid DEFAULT '01563e3a-b5d3-d676-4c61-efb99302bd5b', plain uuid);
		CREATE TABLE reset (id uuid PRIMARY KEY, secret uuid UNIQUE DEFAULT gen_random_uuid());
		CREATE SCHEMA app;
		CREATE FUNCTION app.gen_random_uuid() RETURNS uuid LANGUAGE sql RETURN public.uuid_generate_v5(public.uuid_ns_url(), now()::text);
		CREATE TABLE app.kept (id uuid PRIMARY KEY DEFAULT app.gen_random_uuid());
SQL
	my $defaults = <<'SQL';
		SELECT attrelid::regclass, attname, pg_get_expr(adbin, adrelid) FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
		ORDER BY attrelid::regclass::text COLLATE "C", attnum
SQL
	my $before = query($db, $defaults);
	# that of a table that is in use is left for the next time
	my $user = $node->background_psql($db);
	$user->query_safe('BEGIN; LOCK TABLE customer IN ACCESS SHARE MODE');
	my (undef, undef, $error) = $node->psql($db, $change, on_error_stop => 0);
	like($error, qr/canceling statement due to lock timeout/, 'all keys: what is in use says so');
	$user->query_safe('COMMIT');
	$user->quit;
	my $half = $before =~ s/^(part|"my.*Invoice")(.*)\|uuid_generate_v4\(\)$/$1$2|gen_ulid()/gmr;
	is(query($db, $defaults), $half, 'all keys: all else has its new default');
	query($db, $change);
	(my $after = $half) =~ s/^(customer\|id)\|gen_random_uuid\(\)$/$1|gen_ulid()/m;
	is(query($db, $defaults), $after, 'all keys: and with the next run it too; what is no random key, a secret among them, and a partition with another default keep it');
	query($db, $back);
	is(query($db, $defaults), $after =~ s/\|gen_ulid\(\)$/|gen_random_uuid()/gmr, 'all keys: back, and no others');
}

# ---------------------------------------------------------------- The statements that may make a text of an id
{
	my ($statements) = blocks('What can go wrong without an error', 'sql');
	my $db = database('statements', 'CREATE EXTENSION pg_stat_statements; CREATE TABLE customer (id uuid PRIMARY KEY, name text); CREATE TABLE version (item_id text)');
	my @texts = (
		'SELECT id::text FROM customer', 'SELECT * FROM customer JOIN version ON CAST(id AS varchar) = item_id', 'SELECT "id"::"text", name FROM customer',
		"SELECT 'user:' || id FROM customer", 'SELECT concat(id, name) FROM customer', "SELECT format('%s', id) FROM customer",
		'SELECT json_agg(c) FROM customer c', 'SELECT to_jsonb(c) FROM customer c', 'SELECT ROW(id, name)::varchar FROM customer',
		"SELECT array_to_string(array_agg(id), ',') FROM customer", "SELECT string_agg(id::text, ',') FROM customer",
		'SELECT left(id::text, 8) FROM customer', 'SELECT quote_literal(id) FROM customer', 'SELECT pg_advisory_xact_lock(hashtext(id::text)) FROM customer', 'COPY customer TO STDOUT');
	my @others = ('SELECT * FROM customer', 'SELECT id FROM customer WHERE id = gen_random_uuid()', 'SELECT count(*) FROM customer LEFT JOIN version ON true');
	query($db, $_) foreach @texts, @others;
	my %found = map { $_ => 1 } split /\n/, query($db, "SELECT query FROM ($1) found") if $statements =~ /\A(.*);\n\z/s;
	# as pg_stat_statements has them
	my $kept = sub { my $n = 0; return $_[0] =~ s/'[^']*'|\b\d+\b/'$' . ++$n/ger };
	is_deeply([ grep { !$found{ $kept->($_) } } @texts ], [], 'the statements that may make a text of an id are found');
	is_deeply([ grep { $found{$_} } @others ], [], 'and others are not');
}

# ---------------------------------------------------------------- JSON, while clients send UUIDs
{
	my (undef, $cast, $drops) = blocks('Casts for the time of a move', 'sql');
	my ($drop) = $drops =~ /^(DROP FUNCTION json_of_ulid.*)/m;
	my $db = database('json', <<'SQL');
		CREATE TABLE customer (id uuid PRIMARY KEY, name text, friends uuid[]);
		INSERT INTO customer SELECT id, 'first', ARRAY[id, NULL] FROM (SELECT '01563e3a-b5d3-d676-4c61-efb99302bd5b'::uuid AS id) u;
SQL
	my $json = <<'SQL';
		SELECT to_json(id), to_jsonb(c), row_to_json(c), json_build_object('id', id, 'of', jsonb_build_array(id)), json_agg(c) OVER (),
			jsonb_agg(id) OVER (), jsonb_object_agg(name, id) OVER (), jsonb_object_agg(id::uuid::text, 1) OVER ()
		FROM customer c
SQL
	my $before = query($db, $json);
	query($db, $cast);
	query($db, 'ALTER TABLE customer ALTER id TYPE ulid, ALTER friends TYPE ulid[]');
	is(query($db, $json), $before, 'JSON: with the cast it has UUIDs after the switch');
	my (undef, undef, $error) = $node->psql($db, 'SELECT jsonb_object_agg(id, 1) FROM customer');
	like($error, qr/key value must be scalar, not array, composite, or json/, 'JSON: but for an id as a key');
	restores($db, 'JSON');
	query($db, $drop);
	is(query($db, $json) =~ s/"01ARZ3NDEKTSV4RRFFQ69G5FAV"/"01563e3a-b5d3-d676-4c61-efb99302bd5b"/gr, $before, 'JSON: without it ULIDs');
	isnt(query($db, $json), $before, 'JSON: and no UUIDs');
}

# ---------------------------------------------------------------- Ids inside of texts
{
	my ($functions, $update, $paths) = blocks('Ids inside of texts', 'sql');
	my ($uuid, $ulid) = ('01563e3a-b5d3-d676-4c61-efb99302bd5b', '01ARZ3NDEKTSV4RRFFQ69G5FAV');
	my $db = database('inside', 'CREATE TABLE collections (tree jsonb)');
	query($db, $functions);
	foreach my $text ('', 'none', 'ID', 'ID ID', "a\nID,\n\nID\n", '/doc/ID?x=(ID)#ID', 'user_ID_7', '{"ID": ["ID", null]}', 'user:ID.json', "\\ ID \\1", '"a\nID\n\u00e4ID"', '/?to=%2Fdoc%2FID%2fID%20')
	{
		my ($before, $after) = map { my $id = $_; $text =~ s/ID/$id/gr } $uuid, $ulid;
		is(query($db, "SELECT ulids_in(\$\$$before\$\$) = \$\$$after\$\$, uuids_in(\$\$$after\$\$) = \$\$$before\$\$"), 't|t',
			'ids in ' . $text =~ s/\n/ /gr);
	}
	is(query($db, "SELECT ulids_in(upper('$uuid')), ulids_in('x$uuid'), ulids_in('${uuid}0'), uuids_in('X$ulid'), uuids_in(lower('$ulid')), ulids_in(NULL) IS NULL"),
		"$ulid|x$uuid|${uuid}0|X$ulid|" . lc($ulid) . '|t', 'in capitals too, and what is no id by itself stays');
	is(query($db, "SET statement_timeout = '60s'; SELECT bool_and(uuids_in(ulids_in(x)) = x) FROM (SELECT repeat('lorem ipsum ', 500000) UNION ALL SELECT repeat('$uuid, ', 20000)) t (x)"), 't',
		'of megabytes too');
	query($db, qq{INSERT INTO collections VALUES ('[{"id": "$uuid", "children": [{"id": "$uuid"}]}]'), ('[]'), (NULL)});
	is(query($db, "SET search_path = public; $update SELECT count(*) FROM collections; SELECT tree FROM collections WHERE tree <> '[]'"),
		qq{3\n[{"id": "$ulid", "children": [{"id": "$ulid"}]}]}, 'in jsonb');

	# paths of which the last one has stayed where it was, as it was
	query($db, qq{CREATE TABLE pages (id ulid PRIMARY KEY, "parentId" ulid, mpath text);
		INSERT INTO pages VALUES ('$uuid', NULL, '$uuid.'), ('00000000-0000-0000-0000-00000000000a', NULL, '0000000000000000000000000A.'),
			('00000000-0000-0000-0000-00000000000b', '00000000-0000-0000-0000-00000000000a', '$uuid.00000000-0000-0000-0000-00000000000b.'),
			('00000000-0000-0000-0000-00000000000c', '00000000-0000-0000-0000-00000000000b', NULL)});
	foreach my $of ([ $paths, 'id::text' ], [ $paths =~ s/\bid::text/id::uuid::text/gr, 'id::uuid::text' ])
	{
		query($db, $of->[0]);
		is(query($db, qq{SELECT bool_and(mpath = concat((SELECT p.mpath FROM pages p WHERE p.id = pages."parentId"), $of->[1], '.')), max(length(mpath) - length(replace(mpath, '.', ''))) FROM pages}), 't|3',
			"paths, $of->[1]");
	}
}

# ---------------------------------------------------------------- Texts, in a program that is not changed
{
	my ($casts, undef, $drops) = blocks('Casts for the time of a move', 'sql');
	my ($drop) = $drops =~ /(.*?^COMMIT;)/ms;
	my $db = database('texts', <<'SQL');
		CREATE TABLE customer (id uuid PRIMARY KEY, name text);
		CREATE TABLE version (item_id varchar(255), item text);
		CREATE INDEX ON customer ((id::text));
		INSERT INTO customer VALUES ('01563e3a-b5d3-d676-4c61-efb99302bd5b', 'first');
SQL
	my $texts = <<'SQL';
		INSERT INTO version SELECT id, id FROM customer;
		SELECT id::text, id::varchar(36), CAST(id AS char(8)), max(id::text) OVER (), md5(id::text), 'user:' || id, name, item_id, item
			FROM customer JOIN version ON CAST(id AS char(255)) = item_id AND item = id::text;
		DO $$ DECLARE t text; BEGIN SELECT id INTO t FROM customer; DELETE FROM version WHERE item_id <> t; END $$;
		SELECT count(*) FROM version; TRUNCATE version;
SQL
	my $before = query($db, $texts);
	query($db, $casts);
	query($db, 'ALTER TABLE customer ALTER id TYPE ulid');
	is(query($db, $texts), $before, 'texts: with the casts they are those of UUIDs after the switch');
	is(query($db, "SELECT '01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid::text"), '01563e3a-b5d3-d676-4c61-efb99302bd5b',
		'texts: so they have to be dropped before columns of text get ULIDs');
	is(query($db, "SELECT concat(id), format('%s', id), ROW(id)::text, ARRAY[id]::text FROM customer") =~ s/[\W]+/ /gr,
		join(' ', ('01ARZ3NDEKTSV4RRFFQ69G5FAV') x 4, ''), 'texts: but for these');
	restores($db, 'texts');
	query($db, 'CREATE VIEW shown AS SELECT id::text FROM customer');
	my (undef, undef, $error) = $node->psql($db, $drop);
	like($error, qr/cannot drop function text_of_ulid.*view shown depends/s, 'texts: what was made with the casts is named');
	is(query($db, 'SELECT id::text FROM customer'), '01563e3a-b5d3-d676-4c61-efb99302bd5b', 'texts: and nothing is dropped');
	query($db, "DROP VIEW shown; DROP INDEX customer_id_idx");
	query($db, $drop);
	is(query($db, 'SELECT id::text FROM customer'), '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'texts: without them ULIDs');
	foreach my $type ('ulid', 'uuid', 'ulid')
	{
		query($db, "ALTER TABLE customer ALTER id TYPE $type");
		is(query($db, q{SELECT count(*) FILTER (WHERE item_id::ulid = id), string_agg(item_id, ' ') FILTER (WHERE item_id = id::uuid::text)
				FROM customer, (VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV'), ('01563e3a-b5d3-d676-4c61-efb99302bd5b')) v (item_id)}),
			'2|01563e3a-b5d3-d676-4c61-efb99302bd5b', "texts: both forms are found by the type, one by id::uuid::text ($type)");
	}
	my $file = "${PostgreSQL::Test::Utils::tmp_check}/casts.sql";
	append_to_file($file, $casts);
	my $again = sprintf '\\! psql -Xq -d "%s" -f "%s"', $node->connstr($db), $file;
	is(query($db, "PREPARE before AS SELECT id::text FROM customer;\nEXECUTE before;\n$again\nEXECUTE before; SELECT id::text FROM customer"),
		"01ARZ3NDEKTSV4RRFFQ69G5FAV\n01ARZ3NDEKTSV4RRFFQ69G5FAV\n01563e3a-b5d3-d676-4c61-efb99302bd5b",
		'texts: casts that are made again are not for what a session has prepared');
}

# ---------------------------------------------------------------- From uuid
{
	my $db = database('from_uuid', <<'SQL');
		CREATE TABLE customer (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text);
		CREATE TABLE invoice (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), customer_id uuid NOT NULL REFERENCES customer);
		INSERT INTO customer (name) SELECT n::text FROM generate_series(1, 500) n;
		INSERT INTO invoice (customer_id) SELECT id FROM customer;
		CREATE TABLE before AS SELECT i.id, i.customer_id FROM invoice i;
SQL
	my ($move, $back) = blocks('By hand', 'sql');
	my $files = "SELECT pg_relation_filenode('customer'), pg_relation_filenode('invoice')";
	my $before = query($db, $files);

	# half of it: a uuid column refers to a ulid key
	my ($customer, $invoice) = split /(?=-- Now, or next week)/, $move;
	query($db, $customer);
	is(query($db, "SELECT format_type(atttypid, -1) FROM pg_attribute WHERE attname = 'customer_id' AND attrelid = 'invoice'::regclass"),
		'uuid', 'from uuid: the key alone can move');
	query($db, "INSERT INTO customer (name) VALUES ('new'); INSERT INTO invoice (customer_id) SELECT id FROM customer WHERE name = 'new'");
	isnt($node->psql($db, "INSERT INTO invoice (customer_id) VALUES (gen_random_uuid())"), 0, 'from uuid: the foreign key holds across types');

	# the other half: a ulid column refers to a uuid key
	query($db, 'CREATE TABLE plain_key (id uuid PRIMARY KEY); CREATE TABLE visit (id ulid PRIMARY KEY, plain_id ulid REFERENCES plain_key)');
	query($db, "INSERT INTO plain_key VALUES ('01563e3a-b5d3-d676-4c61-efb99302bd5b'); INSERT INTO visit VALUES (gen_ulid(), '01ARZ3NDEKTSV4RRFFQ69G5FAV')");
	isnt($node->psql($db, 'INSERT INTO visit VALUES (gen_ulid(), gen_ulid())'), 0, 'a ulid column refers to a uuid key');
	isnt($node->psql($db, 'DELETE FROM plain_key'), 0, 'and keeps it');
	restores($db, 'in the middle of the move');
	query($db, 'DROP TABLE visit, plain_key');

	# what it locks: the tables, and those at the other end of a foreign key
	is(query($db, <<'SQL'), "customer\ninvoice", 'from uuid: what is locked is as the guide says');
		BEGIN;
		ALTER TABLE invoice ALTER COLUMN customer_id TYPE ulid;
		SELECT relation::regclass FROM pg_locks JOIN pg_class c ON c.oid = relation
		WHERE pid = pg_backend_pid() AND relkind = 'r' AND relnamespace = 'public'::regnamespace
			AND mode = 'AccessExclusiveLock' ORDER BY relation::regclass::text;
		ROLLBACK;
SQL

	query($db, $invoice);
	is(query($db, $files), $before, 'from uuid: no table was rewritten');
	is(query($db, 'SELECT count(*) FROM customer JOIN invoice ON customer_id = customer.id JOIN before ON before.id = invoice.id'),
		500, 'from uuid: every row is there');
	is(query($db, "SELECT DISTINCT pg_typeof(c.id), pg_typeof(i.id), pg_typeof(customer_id) FROM customer c, invoice i"),
		'ulid|ulid|ulid', 'from uuid: the columns are ulids');
	is(query($db, "INSERT INTO customer (name) VALUES ('default') RETURNING abs(extract(epoch FROM id::timestamptz - clock_timestamp())) < 60"),
		't', 'from uuid: the default makes ulids');
	isnt(query($db, "SELECT count(*) FROM pg_stats WHERE tablename = 'customer' AND attname = 'id'"), 0, 'from uuid: the column has statistics');

	restores($db, 'from uuid');
	query($db, $back);
	is(query($db, $files), $before, 'back to uuid: no table was rewritten');
	is(query($db, 'SELECT count(*) FROM invoice JOIN before USING (id, customer_id)'), 500, 'back to uuid: every row is there');
	is(query($db, "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND convalidated"), 1, 'back to uuid: the foreign key is there');

}

# Runs commands of a shell with the server's psql, in a directory.
sub commands_run
{
	my ($directory, $commands, $name) = @_;
	local @ENV{ 'PGHOST', 'PGPORT' } = ($node->host, $node->port);
	return is(system('bash', '-ec', "cd '$directory'; { $commands\n} >/dev/null"), 0, $name);
}

# ---------------------------------------------------------------- Without stopping writers
{
	my ($commands) = blocks('The types', 'sh');
	my $db = database('shop', <<'SQL');
		CREATE SCHEMA sales;
		CREATE TABLE sales.customer (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), boss uuid REFERENCES sales.customer);
		CREATE TABLE sales.invoice (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), customer_id uuid NOT NULL REFERENCES sales.customer);
		CREATE INDEX ON sales.invoice (customer_id);
		CREATE VIEW sales.open AS SELECT i.id, customer_id FROM sales.invoice i JOIN sales.customer c ON c.id = customer_id;
		INSERT INTO sales.customer DEFAULT VALUES;
		INSERT INTO sales.invoice (customer_id) SELECT id FROM sales.customer;
SQL
	my $ids = query($db, 'SELECT id, customer_id FROM sales.open');
	my $directory = PostgreSQL::Test::Utils::tempdir();
	commands_run($directory, $commands, 'without stopping writers: the commands run');
	is(query($db, 'SELECT pg_typeof(id), pg_typeof(customer_id) FROM sales.open'), 'ulid|ulid', 'without stopping writers: the columns are ulids');
	restores($db, 'without stopping writers');
	commands_run($directory, 'psql -Xq -d shop -f back.sql', 'without stopping writers: the script back runs');
	is(query($db, 'SELECT id, customer_id FROM sales.open'), $ids, 'without stopping writers: the ids are as they were');
}

# ---------------------------------------------------------------- By copying the tables
{
	my ($begin) = blocks('The types', 'sh');
	my ($move) = $begin =~ /^(move=.*)$/m or die 'no move=';
	my ($commands) = blocks('By copying the tables', 'sh');
	my $db = 'shop';
	query('postgres', "DROP DATABASE $db");
	database($db, <<'SQL');
		CREATE SCHEMA sales;
		CREATE TABLE sales.account (id varchar(26) PRIMARY KEY DEFAULT gen_ulid(), boss varchar(26) REFERENCES sales.account);
		CREATE TABLE sales.by_month (id uuid DEFAULT gen_random_uuid(), month date, account_id varchar(26) NOT NULL REFERENCES sales.account, PRIMARY KEY (month, id))
			PARTITION BY RANGE (month, id);
		CREATE TABLE sales.may PARTITION OF sales.by_month FOR VALUES FROM ('2026-05-01', MINVALUE) TO ('2026-06-01', MINVALUE);
		CREATE VIEW sales.open AS SELECT m.id, account_id FROM sales.by_month m JOIN sales.account a ON a.id = account_id;
		INSERT INTO sales.account DEFAULT VALUES;
		INSERT INTO sales.by_month (month, account_id) SELECT '2026-05-02', id FROM sales.account;
SQL
	my $ids = query($db, 'SELECT id, account_id FROM sales.open');
	my $directory = PostgreSQL::Test::Utils::tempdir();
	commands_run($directory, "$move\n$commands", 'by copying: the commands run');
	is(query($db, 'SELECT pg_typeof(id), pg_typeof(account_id) FROM sales.open'), 'ulid|ulid', 'by copying: the columns are ulids');
	restores($db, 'by copying');
	commands_run($directory, "psql -Xq -d $db -f back.sql", 'by copying: the script back runs');
	is(query($db, "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'sales.open'::regclass AND attnum > 0 ORDER BY attnum"),
		"uuid\ncharacter varying(26)", 'by copying: the columns are of the types that they had');
	is(query($db, 'SELECT id, account_id FROM sales.open'), $ids, 'by copying: the ids are as they were');
}

# ---------------------------------------------------------------- From text, varchar(26) or char(26)
my ($find, $in_place, $swap) = blocks('From text, varchar(26) or char(26)', 'sql');
foreach my $type ('text', 'varchar(26)', 'char(26)')
{
	(my $name = $type) =~ s/\W//g;
	my $table = <<"SQL";
		CREATE TABLE event (id $type PRIMARY KEY DEFAULT gen_ulid()::text, n integer);
		INSERT INTO event SELECT CASE n % 2 WHEN 0 THEN lower(ulid::text) ELSE ulid::text END, n
		FROM (SELECT n, gen_random_ulid() AS ulid FROM generate_series(1, 3000) n) t;
		CREATE TABLE before AS SELECT id::text::ulid AS id, n FROM event;
SQL
	my $same = 'SELECT count(*) FROM (SELECT id, n FROM event INTERSECT SELECT id, n FROM before) t';

	# in place
	my $db = database("in_place_$name", $table);
	query($db, "INSERT INTO event VALUES ('not a ulid', 0)");
	like(query($db, $find), qr/^not a ulid *$/, "$type: finds what is no ULID");
	query($db, "DELETE FROM event WHERE n = 0");
	is(query($db, $find), '', "$type: and nothing else");
	query($db, $in_place);
	is(query($db, $same), 3000, "$type, in place: every row is there");
	is(query($db, 'INSERT INTO event (n) VALUES (0) RETURNING pg_typeof(id), id > (SELECT max(id) FROM before)'), 'ulid|t',
		"$type, in place: the default makes ulids");

	# by add, back-fill and swap, with a writer at work from before to after
	$db = database("swap_$name", $table . <<'SQL');
		CREATE TABLE written (id text);
		CREATE TABLE stop (now boolean);
		CREATE PROCEDURE writer() LANGUAGE plpgsql AS $$
		DECLARE key text;
		BEGIN
			WHILE NOT EXISTS (SELECT FROM stop) LOOP
				key := gen_ulid();
				EXECUTE format('INSERT INTO event (id, n) VALUES (%L, -1)', key);
				-- rows from before are written too
				EXECUTE 'UPDATE event SET n = n WHERE n = 1 + floor(random() * 3000)';
				INSERT INTO written VALUES (key);
				COMMIT;
				PERFORM pg_sleep(0.001);
			END LOOP;
		END $$;
SQL
	my $writer = start_writer($db);
	(my $small_batches = $swap) =~ s/\(10000\)/(100)/ or die 'no batch size';
	query($db, $small_batches);
	stop_writer($db, $writer);
	is(query($db, $same), 3000, "$type, swap: every row from before is there");
	is(query($db, 'SELECT count(*) - (SELECT count(*) FROM written) FROM event JOIN written ON event.id = written.id::ulid'), 0,
		"$type, swap: every row written meanwhile is there");
	is(query($db, 'SELECT count(*) - (SELECT count(*) FROM written) FROM event'), 3000, "$type, swap: and no other");
	is(query($db, <<'SQL'), 'ulid|event_pkey|t|gen_ulid()', "$type, swap: the key is a ulid with its primary key and default");
		SELECT format_type(atttypid, -1), conname, attnotnull, pg_get_expr(adbin, adrelid)
		FROM pg_attribute a JOIN pg_constraint ON conrelid = attrelid AND contype = 'p' AND conkey = ARRAY[attnum]
			JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
		WHERE attrelid = 'event'::regclass
SQL
	is(query($db, "SELECT count(*) FROM pg_proc WHERE proname LIKE 'event%' AND pronamespace = 'public'::regnamespace") + query($db, "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal"),
		0, "$type, swap: nothing is left behind");
}

# What the guide says of columns that refer to the moved one.
{
	my $setup = <<'SQL';
		CREATE TABLE event (id text PRIMARY KEY, n integer);
		CREATE TABLE detail (n integer PRIMARY KEY, event_id text REFERENCES event);
		INSERT INTO event SELECT gen_random_ulid(), n FROM generate_series(1, 100) n;
		INSERT INTO detail SELECT n, id FROM event;
SQL
	my $check = "SELECT count(*) FROM detail JOIN event ON event.id = event_id AND event.n = detail.n WHERE pg_typeof(event_id) = 'ulid'::regtype";
	my $db = database('in_place_reference', $setup);
	isnt($node->psql($db, 'ALTER TABLE event ALTER COLUMN id TYPE ulid USING id::ulid'), 0, 'text: a foreign key has to be dropped before');
	query($db, <<'SQL');
		BEGIN;
		ALTER TABLE detail DROP CONSTRAINT detail_event_id_fkey;
		ALTER TABLE event ALTER COLUMN id TYPE ulid USING id::ulid;
		ALTER TABLE detail ALTER COLUMN event_id TYPE ulid USING event_id::ulid,
			ADD CONSTRAINT detail_event_id_fkey FOREIGN KEY (event_id) REFERENCES event;
		COMMIT;
SQL
	is(query($db, $check), 100, 'text: and added after, in the same transaction');

	$db = database('swap_reference', $setup);
	my ($prepare, $exchange) = split /(?=^-- 4\. Swap)/m, $swap;
	my ($remains) = $exchange =~ s/^(DROP FUNCTION.*)//ms ? $1 : die 'no end';
	query($db, $prepare);
	query($db, <<'SQL');
		ALTER TABLE detail ADD COLUMN new_event_id ulid;
		CREATE FUNCTION detail_new_event_id() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN NEW.new_event_id := NEW.event_id::ulid; RETURN NEW; END $$;
		CREATE TRIGGER detail_new_event_id BEFORE INSERT OR UPDATE ON detail FOR EACH ROW EXECUTE FUNCTION detail_new_event_id();
		UPDATE detail SET new_event_id = event_id::ulid WHERE new_event_id IS NULL;
SQL
	$exchange =~ s/^BEGIN;$/BEGIN; ALTER TABLE detail DROP CONSTRAINT detail_event_id_fkey;/m or die;
	$exchange =~ s/^COMMIT;$/DROP TRIGGER detail_new_event_id ON detail;
		ALTER TABLE detail DROP COLUMN event_id;
		ALTER TABLE detail RENAME COLUMN new_event_id TO event_id;
		ALTER TABLE detail ADD FOREIGN KEY (event_id) REFERENCES event NOT VALID; COMMIT;
		ALTER TABLE detail VALIDATE CONSTRAINT detail_event_id_fkey;/m or die;
	query($db, $exchange . $remains);
	is(query($db, $check), 100, 'text: columns that refer to it are swapped with it');
}

# ---------------------------------------------------------------- From pgx_ulid and pg-ulid
my ($shell) = blocks('From pgx_ulid and pg-ulid', 'sh');
foreach my $theirs ('pgx_ulid', 'pg-ulid')
{
	(my $db = "from_$theirs") =~ s/\W/_/g;
	$node->safe_psql('postgres', "CREATE DATABASE $db");
	my $dump = "${PostgreSQL::Test::Utils::tmp_check}/$theirs.sql";
	# pg_dump of theirs is a fixture; what follows is the guide's
	(my $commands = $shell) =~ s/^pg_dump .*? > old\.sql$/cp "$here\/dumps\/$theirs.sql" "$dump"/m or die 'no pg_dump';
	$commands =~ s/\bold\.sql\b/"$dump"/g;
	my $psql = $node->installed_command('psql') . " -X -q -h '" . $node->host . "' -p " . $node->port;
	$commands =~ s/^psql (.*?)-d new/$psql $1 -d $db/m or die 'no psql';
	is(system('bash', '-ec', "{ $commands } >/dev/null"), 0, "$theirs: a dump restores");
	is(query($db, 'SELECT id, name, created_at FROM users ORDER BY id'),
		$theirs eq 'pgx_ulid'
		? "01GV5PA9EQG7D82Q3Y4PKBZSYV|Ada|2023-03-10 12:00:49.111\n01H588JF7X0005PX34XGNZBBGV|Bob|2023-07-13 18:35:18.653"
		: query($db, "SELECT '01GV5PA9EQG7D82Q3Y4PKBZSYV', 'Jane Doe', '2023-03-10 12:00:49.111Z'::timestamptz")
		  . "\n" . query($db, "SELECT '01H588JF7X0005PX34XGNZBBGV', 'Bob Doe', '2023-07-13 18:35:18.653Z'::timestamptz"),
		"$theirs: rows and generated times are there");
	is(query($db, "INSERT INTO users (name) VALUES ('new') RETURNING id::timestamptz > now() - interval '1 minute'"), 't',
		"$theirs: DEFAULT gen_ulid() works");
	next unless $theirs eq 'pgx_ulid';
	is(query($db, "INSERT INTO orders (user_id) SELECT id FROM users RETURNING id"),
		query($db, "SELECT id FROM orders ORDER BY id OFFSET 2"), "$theirs: DEFAULT gen_monotonic_ulid() works");
	is(query($db, 'SELECT name FROM recent_users'), 'Ada', "$theirs: a view with timestamp::ulid works");
	is(query($db, 'SELECT tags FROM orders WHERE tags IS NOT NULL'), '{01ARZ3NDEKTSV4RRFFQ69G5FAV,7ZZZZZZZZZZZZZZZZZZZZZZZZZ}', "$theirs: arrays are there");
	isnt($node->psql($db, "INSERT INTO orders (user_id) VALUES (gen_ulid())"), 0, "$theirs: the foreign key is there");
}

# What the table says to write for their functions.
{
	my $db = database('functions');
	is(query($db, "SET timezone = 'UTC'; SELECT $_->[0]"), $_->[1], "in place of theirs: $_->[0]")
	  foreach (
		[ q{'01GV5PA9EQG7D82Q3Y4PKBZSYV'::ulid::uuid}, '0186cb65-25d7-81da-815c-7e25a6bfe7db' ],
		[ q{'0186cb65-25d7-81da-815c-7e25a6bfe7db'::uuid::ulid}, '01GV5PA9EQG7D82Q3Y4PKBZSYV' ],
		[ q{'01GV5PA9EQG7D82Q3Y4PKBZSYV'::ulid::timestamp}, '2023-03-10 12:00:49.111' ],
		[ q{'01GV5PA9EQG7D82Q3Y4PKBZSYV'::ulid::timestamptz}, '2023-03-10 12:00:49.111+00' ],
		[ q{'2023-03-10 12:00:49.111'::timestamp::ulid}, '01GV5PA9EQ0000000000000000' ],
		[ q{'2023-03-10 12:00:49.111+00'::timestamptz::ulid}, '01GV5PA9EQ0000000000000000' ],
		[ q{gen_ulid('2023-03-10 12:00:49.111'::timestamp AT TIME ZONE 'UTC')::timestamp}, '2023-03-10 12:00:49.111' ],
		[ q{gen_ulid('2023-03-10 12:00:49.111+00'::timestamptz)::timestamptz}, '2023-03-10 12:00:49.111+00' ],
		[ q{ulid_to_bytea('01GV5PA9EQG7D82Q3Y4PKBZSYV')}, '\x0186cb6525d781da815c7e25a6bfe7db' ],
		[ q{'01GV5PA9EQG7D82Q3Y4PKBZSYV'::ulid::bytea}, '\x0186cb6525d781da815c7e25a6bfe7db' ],
		[ q{'\x0186cb6525d781da815c7e25a6bfe7db'::bytea::ulid}, '01GV5PA9EQG7D82Q3Y4PKBZSYV' ],
		[ q{'01gv5pa9eqg7d82q3y4pkbzsyv'::text::ulid::text}, '01GV5PA9EQG7D82Q3Y4PKBZSYV' ]);
}

# ---------------------------------------------------------------- Back-filling from created_at
{
	my ($simple, $ordered) = blocks('Back-filling from created_at', 'sql');
	my $table = <<'SQL';
		CREATE TABLE message (id integer PRIMARY KEY, created_at timestamptz);
		-- many in one millisecond, in no order of id, and a few in the same microsecond
		INSERT INTO message SELECT n, '2024-02-29 12:00Z'::timestamptz + (n * 7919 % 2000) / 3 * interval '50 microseconds'
		FROM generate_series(1, 2000) n;
SQL
	my $unique = 'SELECT count(DISTINCT ulid) FROM message';
	my $times = "SELECT count(*) FROM message WHERE ulid::timestamptz = date_trunc('milliseconds', created_at)";

	my $db = database('back_fill', $table);
	query($db, $simple);
	is(query($db, $unique), 2000, 'back-fill: unique');
	is(query($db, $times), 2000, 'back-fill: of the time of created_at');

	$db = database('back_fill_in_order', "$table INSERT INTO message VALUES (0, NULL), (-1, NULL)");
	query($db, $ordered);
	is(query($db, $unique), 2000, 'back-fill in order: unique');
	is(query($db, $times), 2000, 'back-fill in order: of the time of created_at');
	is(query($db, 'SELECT id FROM message WHERE created_at IS NOT NULL ORDER BY ulid'),
		query($db, 'SELECT id FROM message WHERE created_at IS NOT NULL ORDER BY created_at, id'),
		'back-fill in order: in the order of created_at, within a millisecond too');
	cmp_ok(query($db, "SELECT count(DISTINCT ulid_timestamp(ulid)) FROM message"), '<', 100, 'back-fill in order: of many in a millisecond');
	is(query($db, 'SELECT count(*) FROM message WHERE ulid IS NULL'), 2, 'back-fill in order: rows without a time have none');
}

$node->stop;
done_testing();
