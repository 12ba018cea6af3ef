# What a script says before it is run, and in which order it works: patterns and exceptions, the columns that do not
# move, where an id becomes a text, and that a key is attached as soon as it is built.
#
# Part of make test-moving.
use FindBin;
use lib "$FindBin::Bin/../perl";
use IPC::Run;
use UlidCluster;
use UlidMove;

my $node = start_node('move_plan', '');
query('postgres', 'CREATE DATABASE plan');
query('plan', <<'SQL');
	CREATE EXTENSION ulid;
	CREATE SCHEMA other;
	CREATE TABLE account (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), other uuid, ids uuid[], owner_id uuid, owner_type text);
	CREATE TABLE payment (id uuid PRIMARY KEY, account_id uuid REFERENCES account, old_id uuid REFERENCES account, n integer);
	CREATE TABLE audit (id uuid PRIMARY KEY, account_id uuid REFERENCES account);
	CREATE TABLE loose (n integer PRIMARY KEY, account_id uuid);
	CREATE DOMAIN id_domain AS uuid;
	CREATE TABLE of_domain (n integer PRIMARY KEY, x id_domain);
	CREATE TYPE two AS (a uuid, b integer);
	CREATE TYPE ids AS RANGE (SUBTYPE = uuid, MULTIRANGE_TYPE_NAME = many_ids);
	CREATE DOMAIN list AS uuid[];
	CREATE TABLE of_types (n integer PRIMARY KEY, c two, r ids, m many_ids, other int4range, l list, p two[]);
	CREATE TABLE "Aud*it" (id uuid PRIMARY KEY);
	CREATE TABLE other.far (id uuid PRIMARY KEY);
	CREATE TABLE no_id (n integer PRIMARY KEY);
	CREATE TABLE parts (id uuid, n integer, PRIMARY KEY (id, n)) PARTITION BY LIST (n);
	CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
	INSERT INTO account SELECT gen_random_uuid() FROM generate_series(1, 10);
	INSERT INTO payment SELECT gen_random_uuid(), id, id, 1 FROM account;
SQL

# The columns that a script moves, and its notes.
sub plan_of
{
	my ($columns, @options) = @_;
	my ($file, $err) = write_script('plan', $columns, 'ulid', @options);
	return ($err) unless $file;
	my $script = slurp_file($file);
	return (join(' ', sort $script =~ /^--   (\S.*)/mg), [ $script =~ /^-- Note: (.*)\.$/mg ], $file);
}

foreach (
	[ 'public.*', 'public."Aud*it".id public.account.id public.audit.account_id public.audit.id public.parts.id public.parts_1.id public.payment.account_id public.payment.id public.payment.old_id', 'the keys of a schema, with what refers to them' ],
	[ 'public.*, -public.audit', 'public."Aud*it".id public.account.id public.parts.id public.parts_1.id public.payment.account_id public.payment.id public.payment.old_id', 'without a table' ],
	[ 'public.acc*, -audit, -public.payment.old*', 'public.account.id public.payment.account_id', 'without columns' ],
	[ 'public."Aud*it"', 'public."Aud*it".id', 'a * in quotes is one' ],
	[ 'public."Aud*it", public.*.other', 'public."Aud*it".id public.account.other', 'a column of any table' ],
	[ '*.*.*, -public."Aud*it", -public.p*', 'other.far.id public.account.id public.account.other public.account.owner_id public.audit.account_id public.audit.id public.loose.account_id', 'every column' ])
{
	my ($columns, $moved, $what) = @$_;
	is((plan_of($columns))[0], $moved, "$columns: $what");
}
is(join(' ', sort(slurp_file((write_script('plan', 'public.*', 'uuid'))[0]) =~ /^--   (\S.*)/mg)), (plan_of('public.*'))[0], 'the script back, written before the move, means the same columns');
like((plan_of($_))[0], qr/nothing is meant by \Q$_\E/, "$_: nothing is meant") foreach 'nowhere.*', 'public.no_id*';
like((plan_of('account, -nothing'))[0], qr/nothing is meant by -nothing/, 'an exception that excepts nothing');
is_deeply([ grep { /does not move/ } @{ (plan_of('public.account, -public.payment.old_id'))[1] } ], [
	'uuid of public.account does not move: other, ids, owner_id (beside owner_type)', 'uuid of public.payment does not move: id, old_id',
	'uuid of public.audit does not move: id', 'uuid of public.loose does not move: account_id', 'uuid of public.of_domain does not move: x',
	'uuid of public.of_types does not move: c, r, m, l, p', 'uuid of public."Aud*it" does not move: id', 'uuid of other.far does not move: id', 'uuid of public.parts does not move: id' ],
	'every uuid that does not move is named');

like((plan_of('public.account, -public.acc*'))[0], qr/nothing is left of public\.account, -public\.acc\*/, 'exceptions that leave nothing');

# Who may not call what moved columns are made by is not surprised.
{
	my $may_not = sub { return scalar grep { /not everybody may call the functions/ } @{ (plan_of('public.account'))[1] } };
	is($may_not->(), 0, 'everybody may call the functions of the extension');
	query('plan', 'REVOKE EXECUTE ON FUNCTION gen_ulid() FROM PUBLIC');
	is($may_not->(), 1, 'where not, the plan says so');
	query('plan', 'GRANT EXECUTE ON FUNCTION gen_ulid() TO PUBLIC');
}

# What cannot be made again as it is: whole rows of a join, which have the columns of the time when they were written, and
# of a subquery with a name twice; and rows that are compared as wholes. And what can: other rows, and MERGE, of which the
# server, as of those of a join, records on no column that they depend.
foreach my $copied ('', 'public.joined')
{
	query('plan', q{CREATE TABLE joined (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer UNIQUE); CREATE TABLE beside_joined (k integer PRIMARY KEY, joined_id uuid REFERENCES joined);
		CREATE VIEW of_join AS SELECT row_to_json(j) AS t FROM (joined JOIN beside_joined ON n = k) j; CREATE MATERIALIZED VIEW kept_join AS SELECT j::text AS t FROM (joined JOIN beside_joined ON n = k) j;
		CREATE VIEW not_null AS SELECT count(*) FROM (joined JOIN beside_joined ON n = k) j WHERE j IS NOT NULL; CREATE VIEW over_it AS SELECT to_jsonb(o) FROM (of_join CROSS JOIN not_null) o;
		CREATE VIEW twice AS SELECT to_jsonb(q) ->> 'n' AS n FROM (SELECT id, n, 'x' || n AS n FROM joined) q;
		CREATE FUNCTION texts_of_join() RETURNS text LANGUAGE sql BEGIN ATOMIC SELECT string_agg(j::text, ' ') FROM (joined JOIN beside_joined ON n = k) j; END;
		CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
		ALTER TABLE joined ADD CONSTRAINT compared CHECK (CASE ROW(id, n) WHEN ROW('00000000-0000-0000-0000-000000000001'::uuid, 1) THEN false ELSE true END);
		CREATE POLICY compared ON joined USING (ROW(id, n) = ANY (ARRAY[ROW('00000000-0000-0000-0000-000000000001'::uuid, 1)]));
		CREATE TRIGGER compared BEFORE INSERT ON joined FOR EACH ROW WHEN (CASE ROW(NEW.id, NEW.n) WHEN ROW('00000000-0000-0000-0000-000000000001'::uuid, 1) THEN false ELSE true END) EXECUTE FUNCTION nothing();
		CREATE VIEW compares AS SELECT count(*) FROM (SELECT ROW(id) AS r FROM joined) x JOIN (SELECT ROW(joined_id) AS r FROM beside_joined) y ON x.r = y.r;
		CREATE TABLE guarded (t text); ALTER TABLE guarded ENABLE ROW LEVEL SECURITY; CREATE POLICY of_join ON guarded USING (t <> (SELECT j::text FROM (joined JOIN beside_joined ON n = k) j LIMIT 1));
		CREATE TRIGGER as_it_is BEFORE UPDATE ON joined FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.* OR ROW(OLD.id, OLD.n) IS DISTINCT FROM ROW(NEW.id, NEW.n)) EXECUTE FUNCTION nothing();
		CREATE VIEW once AS SELECT to_jsonb(q) ->> 'n' AS n FROM (SELECT id, n FROM joined WHERE (id, n) IN (SELECT joined_id, k FROM beside_joined) AND (id, n) >= (id, 0)) q;
		CREATE FUNCTION merges(no integer) RETURNS void LANGUAGE sql BEGIN ATOMIC MERGE INTO beside_joined USING (SELECT * FROM joined WHERE n = no) j ON k = n
			WHEN MATCHED THEN UPDATE SET joined_id = j.id WHEN NOT MATCHED THEN INSERT VALUES (j.n, j.id); END;
		INSERT INTO joined (n) VALUES (1), (2); INSERT INTO beside_joined SELECT n, id FROM joined WHERE n = 1});
	my @refused = map { /^  (.*?) (has whole rows|compares rows)/ ? "$1 $2" : () } split /\n/, (plan_of('public.joined', '-v', "copy=$copied", '-v', 'texts=known'))[0];
	is_deeply([ sort @refused ], [ 'constraint compared on table public.joined compares rows', 'function public.texts_of_join() has whole rows', 'materialized view public.kept_join has whole rows',
		'policy compared on table public.joined compares rows', 'policy of_join on table public.guarded has whole rows', 'trigger compared on table public.joined compares rows',
		'view public.compares compares rows', 'view public.not_null has whole rows', 'view public.of_join has whole rows', 'view public.over_it has whole rows', 'view public.twice has whole rows' ],
		"what cannot be made again is refused, and no more, copied '$copied'");
	query('plan', 'DROP VIEW compares, not_null, of_join, twice CASCADE; DROP MATERIALIZED VIEW kept_join; DROP FUNCTION texts_of_join(); DROP TABLE guarded; DROP TRIGGER compared ON joined;
		DROP POLICY compared ON joined; ALTER TABLE joined DROP CONSTRAINT compared');
	my %file = map { my ($f, $said) = write_script('plan', 'public.joined', $_, '-v', "copy=$copied"); $f or BAIL_OUT($said); ($_ => $f) } 'ulid', 'uuid';
	my $state = sub { return query('plan', q{SELECT merges(2); SELECT (SELECT string_agg(n, ' ' ORDER BY n) FROM once), pg_typeof(joined_id) FROM beside_joined WHERE k = 2; DELETE FROM beside_joined WHERE k = 2}) };
	foreach my $to ('ulid', 'uuid')
	{
		my ($code, $said) = run_file('plan', $file{$to});
		is("$code$said", 0, "to $to, copied '$copied'");
		is($state->(), "\n1 2|$to", 'what is made again works');
	}
	query('plan', 'DROP VIEW once; DROP FUNCTION merges(integer); DROP TABLE joined, beside_joined; DROP FUNCTION nothing()');
}

# Rows that are hidden from the owner are from VALIDATE.
{
	query('plan', q{CREATE ROLE forced LOGIN; CREATE TABLE hides (id uuid PRIMARY KEY); CREATE TABLE of_hides (id uuid REFERENCES hides); ALTER TABLE hides ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
		CREATE POLICY hide_all ON hides USING (false); INSERT INTO hides VALUES (gen_ulid()); INSERT INTO of_hides SELECT id FROM hides; ALTER TABLE hides OWNER TO forced; ALTER TABLE of_hides OWNER TO forced; GRANT CREATE ON SCHEMA public TO forced});
	like((plan_of('public.hides', '-U', 'forced'))[0], qr/row level security of public\.hides hides rows from its owner/, 'FORCE ROW LEVEL SECURITY is refused to an owner');
	my ($file, $said) = write_script('plan', 'public.hides', 'ulid');
	is((run_file('plan', $file))[0], 0, 'and not to a superuser') or diag $said;
	query('plan', 'DROP TABLE hides, of_hides; REVOKE CREATE ON SCHEMA public FROM forced; DROP ROLE forced');
}

# What is left out is so with its partitions.
{
	query('plan', q{CREATE TABLE whole (id uuid PRIMARY KEY); CREATE TABLE tree (whole_id uuid REFERENCES whole, n integer) PARTITION BY LIST (n); CREATE TABLE tree_1 PARTITION OF tree FOR VALUES IN (1)});
	is((plan_of("public.whole, $_"))[0], 'public.whole.id', "$_: without its partitions") foreach '-public.tree', '-public.tree.whole_id', '-public.tree_1';
	query('plan', 'DROP TABLE whole, tree');
}

# A function of one's own that has the name of a generator remains.
{
	query('plan', q{CREATE SCHEMA own; CREATE FUNCTION own.uuid_generate_v4() RETURNS uuid LANGUAGE sql AS 'SELECT gen_random_uuid()';
		CREATE TABLE kept (id uuid PRIMARY KEY DEFAULT own.uuid_generate_v4(), secret uuid DEFAULT own.uuid_generate_v4(), other uuid DEFAULT gen_random_uuid())});
	is_deeply([ grep { /what makes new ids/ } @{ (plan_of('public.kept.*'))[1] } ],
		[ 'what makes new ids of these columns remains, and is not gen_ulid(): public.kept.id (own.uuid_generate_v4()), public.kept.secret (own.uuid_generate_v4())' ], 'and the plan names it');
	my ($file, $said) = write_script('plan', 'public.kept.*', 'ulid');
	is((run_file('plan', $file))[0], 0, 'moved') or diag $said;
	is(query('plan', "SELECT string_agg(pg_get_expr(adbin, adrelid), ' ' ORDER BY adnum) FROM pg_attrdef WHERE adrelid = 'kept'::regclass"),
		'own.uuid_generate_v4() own.uuid_generate_v4() gen_random_ulid()', 'it is called as before');
	query('plan', 'DROP TABLE kept; DROP SCHEMA own CASCADE');
}

# What a view would lose, and a partition that is neither one nor none.
{
	query('plan', q{CREATE TABLE seen (id uuid PRIMARY KEY); CREATE VIEW sees AS SELECT * FROM seen; COMMENT ON TYPE sees IS 'a row'});
	like((plan_of('public.seen', @$_))[0], qr/the row type of public\.sees has a comment, which would be lost: take it away/, "a comment on the row type of a view: @$_") foreach [], [ '-v', 'copy=public.seen' ];
	query('plan', q{COMMENT ON TYPE sees IS NULL; REVOKE USAGE ON TYPE sees FROM PUBLIC});
	like((plan_of('public.seen'))[0], qr/the row type of public\.sees has privileges of its own/, 'and privileges');
	query('plan', 'DROP VIEW sees; DROP TABLE seen');
	query('plan', q{CREATE TABLE half (id uuid, n integer) PARTITION BY LIST (n); CREATE TABLE half_1 PARTITION OF half FOR VALUES IN (1)});
	my $holder = $node->background_psql('plan');
	$holder->query_safe('BEGIN; SELECT count(*) FROM half');
	$node->psql('plan', "SET lock_timeout = '100ms'; ALTER TABLE half DETACH PARTITION half_1 CONCURRENTLY");
	$holder->query_safe('COMMIT');
	$holder->quit;
	like((plan_of('public.half.id', @$_))[0], qr/partition public\.half_1 is half detached: ALTER TABLE public\.half DETACH PARTITION public\.half_1 FINALIZE/, "a partition that is half detached: @$_") foreach [], [ '-v', 'copy=public.half' ];
	query('plan', 'DROP TABLE half, half_1');
}

# An index of a partitioned table is one, however many partitions there are.
{
	query('plan', q{CREATE TABLE tree (id uuid NOT NULL, n integer) PARTITION BY LIST (n); CREATE INDEX of_tree ON tree (id) WHERE n > 0;
		SELECT format('CREATE TABLE tree_%s PARTITION OF tree FOR VALUES IN (%1$s)', n) FROM generate_series(1, 3) n \gexec
		INSERT INTO tree SELECT gen_random_uuid(), n FROM generate_series(1, 3) n;});
	my $notes = (plan_of("public.tree.id"))[1];
	is_deeply([ grep { /is built again while/ } @$notes ], [ 'index public.of_tree is built again while public.tree is locked, all of which is read (24 kB): it is partitioned; -v copy=public.tree has the table copied instead' ],
		'a note for the index of a partitioned table, not for that of each partition');
	query('plan', 'DROP TABLE tree');
}

# A foreign key to a key that has the id beside it; NULLIF in a view, an array of a view.
{
	query('plan', q{CREATE TABLE beside (id uuid PRIMARY KEY, up uuid, no integer NOT NULL, UNIQUE (no) INCLUDE (id)); CREATE TABLE of_beside (no integer REFERENCES beside (no));
		INSERT INTO beside SELECT gen_random_uuid(), NULL, n FROM generate_series(1, 10) n; INSERT INTO of_beside SELECT no FROM beside;
		CREATE VIEW no_loop AS SELECT NULLIF(id, up) AS id FROM beside;
		CREATE VIEW listed (z) AS SELECT id FROM beside UNION ALL VALUES (NULL::uuid)});
	my $schema = dump_of('plan', '-s');
	my ($moved, $notes, $there) = plan_of('public.beside, public.beside.up');
	is(scalar(grep { $_ eq 'view public.no_loop has NULLIF of ids, which gives a uuid then' } @$notes), 1, 'NULLIF in a view is named');
	my ($back) = write_script('plan', 'public.beside, public.beside.up', 'uuid');
	my ($code, $err) = run_file('plan', $there);
	is("$code$err", 0, 'a key with INCLUDE (id), and what refers to it: there');
	isnt($node->psql('plan', 'INSERT INTO of_beside VALUES (11)'), 0, 'where the foreign key holds');
	($code, $err) = run_file('plan', $back);
	is("$code$err", 0, 'and back');
	# the server shows a view with VALUES otherwise the second time
	same_schema((map { s/\( VALUES/(VALUES/gr } dump_of('plan', '-s'), $schema), 'as it was');
	query('plan', 'DROP TABLE beside, of_beside CASCADE');
}

# What is of the row type by a domain, and a view with privileges that nobody could grant again.
{
	query('plan', q{CREATE ROLE granter; CREATE ROLE granted; CREATE SCHEMA shut; GRANT USAGE ON SCHEMA shut TO granter;
		CREATE TABLE shut.a (id uuid PRIMARY KEY); CREATE VIEW shut.v AS SELECT * FROM shut.a; GRANT SELECT (id) ON shut.v TO granter WITH GRANT OPTION;
		SET ROLE granter; GRANT SELECT (id) ON shut.v TO granted; RESET ROLE; REVOKE USAGE ON SCHEMA shut FROM granter;
		CREATE TABLE whole (id uuid PRIMARY KEY); CREATE DOMAIN of_whole AS whole; CREATE TABLE past (n integer, was of_whole)});
	like((plan_of('shut.a'))[0], qr/granter, who granted privileges on shut\.v, has no USAGE on schema shut$/m, 'a grantor who has no USAGE any more stands in the way');
	like((plan_of('whole'))[0], qr/column was of public\.past has the row type of table public\.whole/, 'and a domain over the row type');
	query('plan', q{DROP TABLE past; ALTER TABLE whole ADD n integer; CREATE FUNCTION takes_whole(whole) RETURNS integer BEGIN ATOMIC SELECT ($1).n; END;
		CREATE FUNCTION reads_whole() RETURNS SETOF integer BEGIN ATOMIC SELECT (ROW(id, n)::whole).n FROM whole; END});
	is((plan_of('whole'))[0], 'public.whole.id', 'functions that take its rows, or read them, do not');
	query('plan', q{CREATE FUNCTION makes_whole() RETURNS whole BEGIN ATOMIC SELECT ROW(NULL, 1)::whole; END});
	like((plan_of('whole'))[0], qr/function public\.makes_whole\(\) makes a row of table public\.whole, ROW\(\.\.\.\)::public\.whole/, 'nor can one that makes them move on');
	query('plan', 'DROP TABLE whole CASCADE; DROP SCHEMA shut CASCADE');
}

# A key that a random default makes is one that can be guessed then.
{
	my $guessed = sub { return [ grep { /guessed/ } @{ (plan_of('public.*'))[1] } ] };
	is_deeply($guessed->(), [ 'gen_ulid() makes the ids of public.account.id then, which can be guessed from one another, as random ones cannot: ' .
		'where an id is a secret, give it DEFAULT public.gen_random_ulid() beforehand' ], 'a key that was random and will not be is named');
	query('plan', 'ALTER TABLE account ALTER id SET DEFAULT gen_random_ulid()');
	is_deeply($guessed->(), [], 'and not when it remains so');
	query('plan', 'ALTER TABLE account ALTER id SET DEFAULT gen_random_uuid()');
}

# What holds ids as text is told by the statistics.
query('plan', <<'SQL');
	CREATE EXTENSION ltree;
	CREATE TABLE versions (n integer, item_id varchar, item_type text, link text, what jsonb, tags text[], ulids text, old text, doc json, long text,
		key text, path ltree, ulid_key text, words tsvector) PARTITION BY LIST (n);
	CREATE TABLE versions_1 PARTITION OF versions FOR VALUES IN (1);
	INSERT INTO versions SELECT 1, gen_random_uuid(), 'Account', '/a/' || upper(gen_random_uuid()::text), jsonb_build_object('id', gen_random_uuid()), ARRAY[gen_random_uuid()::text, 'x'],
		gen_ulid(), md5(i::text), '{}', repeat('x', 2000) || i, 'account_' || gen_random_uuid(), replace('a.' || gen_random_uuid(), '-', '_')::ltree, 'account_' || gen_ulid(), to_tsvector('common words')
		FROM generate_series(1, 50) i;
SQL
is_deeply([ grep { /the text of/ } @{ (plan_of('public.account'))[1] } ], [], 'without statistics nothing is said of texts');
like(join("\n", @{ (plan_of('public.account'))[1] }), qr/^see whether these hold ids as text, .*: public\.account, public\.versions$/m,
	'but that they do not tell');
query('plan', 'ANALYZE versions_1');
is_deeply([ grep { /the text of/ } @{ (plan_of('public.account'))[1] } ],
	[ 'public.versions has the text of UUIDs in item_id, key, link, path, tags, what, which remains as it is: it is another than that of the key' ], 'columns that hold uuids as text');
like(join("\n", @{ (plan_of('public.account'))[1] }), qr/^see whether these hold ids as text, .*, public\.versions \(doc, long, words\)$/m, 'json, long values and the words of a tsvector are not in the statistics');
like(slurp_file((write_script('plan', 'public.account', 'uuid'))[0]), qr/^-- Note: public\.versions has the text of ULIDs in ulid_key, ulids,/m, 'and, on the way back, ULIDs');
query('plan', 'DROP TABLE versions; DROP EXTENSION ltree');
# coder's: what is generated from the key does not remain as it is
query('plan', 'CREATE TABLE session (id uuid PRIMARY KEY, root_id uuid, of text GENERATED ALWAYS AS (COALESCE(root_id::text, id::text)) STORED);
	INSERT INTO session SELECT gen_random_uuid() FROM generate_series(1, 50); ANALYZE session');
is_deeply([ sort grep { /text/ && /session/ } @{ (plan_of('session', '-v', $_))[1] } ], [ 'generated column of of public.session turns an id into text, which is another text then: see that it suits both' ],
	'a column that is generated from the key is named once') foreach 'copy=', 'copy=public.session';
query('plan', 'DROP TABLE session');

# What is left out remains a uuid, and refers to the key.
my (undef, undef, $file) = plan_of('account, payment, -payment.old_id');
ok(!defined $file, 'an exception is named with its schema');
(undef, undef, $file) = plan_of('account, payment, -public.payment.old_id');
is((run_file('plan', $file))[0], 0, 'with an exception the script runs');
is(query('plan', "SELECT string_agg(format_type(atttypid, -1), ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'payment'::regclass AND attnum IN (1, 2, 3)"), 'ulid ulid uuid', 'and the column keeps its type');
is(query('plan', "SELECT count(*) FROM pg_constraint WHERE conrelid = 'payment'::regclass AND contype = 'f' AND convalidated"), 2, 'and its foreign key');
isnt($node->psql('plan', 'INSERT INTO payment VALUES (gen_ulid(), NULL, gen_random_uuid())'), 0, 'which holds');
is((run_file('plan', (write_script('plan', 'account, payment', 'uuid'))[0]))[0], 0, 'back');

# Where an id becomes a text: by the parse tree, so also behind names and spaces, and not where the text says so only.
query('plan', <<'SQL');
	CREATE POLICY by_text ON account USING (CAST (id AS varchar) <> current_setting('x.y', true));
	CREATE POLICY by_json ON payment USING (to_jsonb(account_id) <> 'null');
	CREATE POLICY by_id ON payment USING (id = current_setting('x.y', true)::uuid);
	CREATE FUNCTION same(anyelement) RETURNS anyelement LANGUAGE sql AS 'SELECT $1';
	CREATE POLICY by_id_2 ON payment USING (same(id) = current_setting('x.y', true)::uuid);
	CREATE FUNCTION who() RETURNS uuid LANGUAGE sql STABLE AS $$ SELECT NULL::uuid $$;
	CREATE POLICY by_id_3 ON payment USING (EXISTS (SELECT FROM account WHERE id = account_id) AND who()::text = current_setting('x.y', true));
SQL
my ($refused) = plan_of('account, payment');
like($refused, qr/policy $_ turns an id into text.*-v texts=known/, "$_: refused") foreach 'by_text on table public\.account', 'by_json on table public\.payment';
unlike($refused, qr/by_id/, 'but not one that compares ids');
query('plan', 'DROP POLICY by_text ON account; DROP POLICY by_json ON payment; DROP POLICY by_id_2 ON payment; DROP POLICY by_id_3 ON payment; DROP FUNCTION same, who; CREATE DOMAIN a_text AS text');
query('plan', 'CREATE FUNCTION an_account() RETURNS account LANGUAGE sql STABLE AS $$ SELECT * FROM account LIMIT 1 $$');
query('plan', 'CREATE FUNCTION of_any(anyelement) RETURNS text LANGUAGE sql AS $$ SELECT $1::text $$');
query('plan', 'CREATE FUNCTION hash_of(anyelement) RETURNS bigint LANGUAGE sql AS $$ SELECT hashtextextended($1::text, 0) $$');
query('plan', 'CREATE FUNCTION parts_of(anyelement, OUT head text, OUT tail text) LANGUAGE sql AS $$ SELECT left($1::text, 4), right($1::text, 4) $$');
query('plan', 'CREATE FUNCTION head_of(uuid) RETURNS text LANGUAGE sql AS $$ SELECT left(uuid_out($1)::text, 8) $$; CREATE CAST (uuid AS text) WITH FUNCTION head_of(uuid)');
my @texts = ('account_id::name', 'account_id::a_text', "'user:' || account_id", "account_id || ''", '(SELECT a.id FROM account a)::text',
	'ARRAY[account_id]::text', 'array_to_string(ARRAY[account_id], NULL)', 'of_any(account_id)', 'hash_of(account_id)::text', 'ROW(account_id)::text', 'payment::text', 'to_jsonb(payment)::text',
	'xmlforest(account_id)::text', '(SELECT (x.p).id::text FROM (SELECT p FROM payment p) x LIMIT 1)', '(SELECT x.p::text FROM (SELECT p FROM payment p) x LIMIT 1)',
	'(SELECT to_json(x.p)::text FROM (SELECT p FROM payment p) x LIMIT 1)', '(SELECT (first_value(a.id) OVER ())::text FROM account a LIMIT 1)',
	'(SELECT (json_agg(a.id) OVER ())::text FROM account a LIMIT 1)', 'pg_typeof(account_id)::text',
	'(SELECT array_agg(ROW(id))::text FROM account)', '(SELECT array_agg(q)::text FROM (SELECT id, owner_type FROM account) q)',
	'(SELECT r.p::text FROM (SELECT ROW(id, owner_type) AS p FROM account OFFSET 0) r LIMIT 1)', '(SELECT jsonb_agg(r.p)::text FROM (SELECT ROW(id, owner_type) AS p FROM account OFFSET 0) r)',
	'(SELECT to_jsonb(l.a)::text FROM loose d, LATERAL (SELECT array_agg(q) a FROM (SELECT id FROM account WHERE id = d.account_id) q) l LIMIT 1)',
	'(ARRAY(SELECT id FROM account)::text[])[1]', "array_to_string((SELECT array_agg(id) FROM account)::text[], '')", '(an_account()).id::text', "to_jsonb(an_account()) ->> 'id'",
	'(parts_of(account_id)).head', '(SELECT p.tail FROM parts_of(account_id) p)', 'account_id::text');
query('plan', join ';', map { "CREATE POLICY by_text_$_ ON payment USING ($texts[$_] <> current_setting('x.y', true))" } 0 .. $#texts);
$refused = (plan_of('account, payment'))[0];
like($refused, qr/policy by_text_$_ on table public\.payment turns an id into text/, "$texts[$_]: refused") foreach 0 .. $#texts;
query('plan', join ';', map { "DROP POLICY by_text_$_ ON payment" } 0 .. $#texts);
# what storage.objects of Supabase has, which does not move
query('plan', "CREATE TABLE object (name text); CREATE POLICY by_owner ON object USING (name = (an_account()).id::text)");
like((plan_of('account'))[0], qr/policy by_owner on table public\.object turns an id into text/, 'also in a policy of a table that does not move');
query('plan', 'DROP TABLE object; DROP FUNCTION an_account; DROP CAST (uuid AS text); DROP FUNCTION head_of, parts_of');
query('plan', q{CREATE POLICY by_text ON account USING (CAST (id AS varchar) <> current_setting('x.y', true));
	CREATE POLICY by_json ON payment USING (to_jsonb(account_id) <> 'null')});
query('plan', <<'SQL');
	DROP POLICY by_json ON payment;
	CREATE VIEW as_json AS SELECT json_build_object('id', id) FROM account;
	CREATE VIEW as_row AS SELECT row_to_json(p) FROM payment p;
	CREATE VIEW over AS SELECT 'x' || COALESCE(key, owner_id)::text AS t FROM (SELECT id AS key, owner_id FROM account) a;
	CREATE VIEW over_view AS SELECT id AS key FROM account;
	CREATE VIEW over_over AS SELECT string_agg(key::text, ',') FROM over_view;
	CREATE VIEW not_it AS SELECT 'id::text' AS t, owner_type::varchar, concat(owner_type, 'x') AS c, id FROM account;
	CREATE VIEW not_moved AS SELECT n::text, account_id IS NULL AS x FROM loose WHERE false;
	ALTER TABLE account ADD CHECK (left(id::text, 1) <> 'x'), ADD CHECK (other::text <> 'x');
	CREATE INDEX by_text ON payment (md5(id::text));
	CREATE UNIQUE INDEX by_head ON payment (left(id::text, 30));
	CREATE FUNCTION texts() RETURNS text LANGUAGE sql BEGIN ATOMIC SELECT string_agg(id::text, ',') FROM account; END;
	CREATE TRIGGER on_text BEFORE UPDATE ON account FOR EACH ROW WHEN (NEW.id::text <> OLD.id::text) EXECUTE FUNCTION suppress_redundant_updates_trigger();
	CREATE RULE by_rule AS ON DELETE TO account WHERE OLD.id::text = 'x' DO INSTEAD NOTHING;
	ALTER TABLE payment ADD COLUMN head text GENERATED ALWAYS AS (left(id::text, 8)) STORED;
SQL
my (undef, $notes);
(undef, $notes, $file) = plan_of('account, payment', '-v', 'texts=known');
is_deeply([ map { /^(.*) turns an id into text/ } @$notes ], [ 'policy by_text on table public.account',
	'constraint account_id_check on table public.account', 'index public.by_head', 'trigger on_text on table public.account',
	'generated column head of public.payment', 'index public.by_text', 'rule by_rule on table public.account',
	'function public.texts()', 'view public.as_json', 'view public.as_row', 'view public.over', 'view public.over_over' ],
	'each place is named, the worst first, and no other') or diag join "\n", @$notes;
is((run_file('plan', $file))[0], 0, 'and the script runs');
(undef, $notes) = plan_of('loose.account_id', '-v', 'texts=known');
is_deeply([ grep { /into text/ } @$notes ], [], 'of a column that nothing makes a text of, nothing is said');
($refused) = (write_script('plan', 'account, payment', 'uuid'))[1];
like($refused, qr/policy by_text on table public\.account turns an id into text/, 'back: refused as well');
is((run_file('plan', (write_script('plan', 'account, payment', 'uuid', '-v', 'texts=known'))[0]))[0], 0, 'back');

# What is no key may be a secret.
query('plan', 'CREATE EXTENSION "uuid-ossp"; CREATE TABLE reset (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), token uuid DEFAULT gen_random_uuid(), at_time uuid DEFAULT uuid_generate_v1())');
foreach my $copy ('', 'public.reset')
{
	my %script = map { $_ => (write_script('plan', 'reset, public.reset.*', $_, '-v', "copy=$copy"))[0] } 'ulid', 'uuid';
	my $defaults = "SELECT string_agg(pg_get_expr(adbin, adrelid), ' ' ORDER BY adnum) FROM pg_attrdef WHERE adrelid = 'reset'::regclass";
	my $before = query('plan', $defaults);
	is((run_file('plan', $script{ulid}))[0], 0, "a default that may make secrets, copying ($copy)");
	is(query('plan', $defaults), 'gen_ulid() gen_random_ulid() gen_ulid()', 'makes none that can be guessed');
	is((run_file('plan', $script{uuid}))[0], 0, 'and back');
	is(query('plan', $defaults), $before, 'it is as it was');
	query('plan', 'ALTER TABLE reset ALTER id SET DEFAULT gen_random_ulid()');
	is((run_file('plan', (write_script('plan', 'reset', 'ulid', '-v', "copy=$copy"))[0]))[0], 0, 'a key that is a secret');
	like(query('plan', $defaults), qr/^gen_random_ulid\(\) /, 'keeps the default that it has been given, as the page says');
	is((run_file('plan', (write_script('plan', 'reset', 'uuid', '-v', "copy=$copy"))[0]))[0], 0, 'and back, without');
	query('plan', 'ALTER TABLE reset ALTER id SET DEFAULT gen_random_uuid()');
}
query('plan', 'DROP TABLE reset; DROP EXTENSION "uuid-ossp"');

# What goes by the version of a UUID does so by that of new ULIDs, which have none; a function of any type that gives nothing
# may have written the text.
query('plan', <<'SQL');
	CREATE TABLE written (t text);
	CREATE FUNCTION write_down(anyelement) RETURNS void LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.written VALUES ($1::text); END $$;
	CREATE RULE write_down AS ON UPDATE TO payment DO ALSO SELECT write_down(NEW.id);
	CREATE VIEW in_xml AS SELECT table_to_xml('payment', true, false, '');
	CREATE VIEW made_again AS SELECT id FROM payment;
	CREATE TABLE of_relations (rel regclass);
	CREATE FUNCTION notifies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
	ALTER EXTENSION plpgsql ADD FUNCTION notifies();
	CREATE FUNCTION secures() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
	CREATE EVENT TRIGGER secures ON ddl_command_end EXECUTE FUNCTION secures();
	CREATE SCHEMA ulid_moved_old CREATE TABLE old (n integer);
	CREATE TRIGGER notifies AFTER UPDATE ON payment FOR EACH ROW EXECUTE FUNCTION notifies();
	CREATE TRIGGER searches BEFORE UPDATE ON payment FOR EACH ROW EXECUTE FUNCTION tsvector_update_trigger(words, 'pg_catalog.simple', id);
	CREATE TABLE lists (rel regclass);
	ALTER EXTENSION plpgsql ADD TABLE lists;
	CREATE FOREIGN DATA WRAPPER away; CREATE SERVER away FOREIGN DATA WRAPPER away;
	CREATE FOREIGN TABLE far_away (n integer) SERVER away;
	CREATE VIEW over_away AS SELECT n FROM far_away;
	CREATE MATERIALIZED VIEW from_away AS SELECT id, n FROM payment LEFT JOIN over_away USING (n) WHERE false WITH NO DATA;
	CREATE MATERIALIZED VIEW not_away AS SELECT id FROM payment;
	UPDATE pg_class SET relispopulated = true WHERE relname = 'from_away';
SQL
query('plan', <<'SQL') if $node->pg_version >= 17;
	ALTER TABLE payment ADD CONSTRAINT is_version CHECK (uuid_extract_version(id) < 16);
	CREATE VIEW at AS SELECT uuid_extract_timestamp(id) FROM account;
SQL
(undef, $notes) = plan_of('account, payment', '-v', 'texts=known');
is(scalar(grep { /^rule write_down on table public\.payment turns an id into text/ } @$notes), 1, 'a rule that calls a function without a result is named');
is(scalar(grep { /^view public\.in_xml turns an id into text/ } @$notes), 1, 'and a view of a table by its name');
is(scalar(grep { /^public\.of_relations has Oids of relations in rel/ } @$notes), 1, 'and what holds the Oid of a view that is made again');
is(scalar(grep { /^event triggers run .*: secures \(public\.secures\(\)\)$/ } @$notes), 1, 'and an event trigger');
is(scalar(grep { /^schema ulid_moved_old has the old tables/ } @$notes), 1, 'and what a copy has left');
query('plan', 'DROP EVENT TRIGGER secures; DROP SCHEMA ulid_moved_old CASCADE');
is(scalar(grep { /^functions that name .*[: ]public\.notifies\(\)/ } @$notes), 1, 'and a function of an extension that a trigger calls');
is(scalar(grep { /^functions that name .*[: ]tsvector_update_trigger\(\)/ } @$notes), 1, 'and one of the server that takes an id for a text');
is_deeply([ map { /^extensions that may keep a list of tables, .*: (.*)/ } @$notes ], ['plpgsql'], 'and an extension that keeps a list of tables');
is_deeply([ sort map { /^materialized view (\w+\.\w+) is filled again in the switch \(\d+ (?:bytes|kB)\)(, from \S+ too)?/ ? $1 . ($2 // '') : () } @$notes ],
	[ 'public.from_away, from public.far_away too', 'public.not_away' ], 'and a materialized view that is filled from elsewhere too');
query('plan', 'DROP MATERIALIZED VIEW from_away, not_away; DROP FOREIGN DATA WRAPPER away CASCADE');
query('plan', 'ALTER EXTENSION plpgsql DROP TABLE lists; DROP TABLE lists; DROP TRIGGER searches ON payment');
is_deeply([ map { /^(.*) takes the version or the time of a UUID/ } @$notes ], $node->pg_version >= 17 ? [ 'constraint is_version on table public.payment', 'view public.at' ] : [],
	'what takes the version or the time of a UUID too');
query('plan', 'ALTER EXTENSION plpgsql DROP FUNCTION notifies(); DROP FUNCTION notifies() CASCADE; DROP VIEW in_xml, made_again; DROP TABLE of_relations; DROP RULE write_down ON payment; DROP FUNCTION write_down; DROP TABLE written; ALTER TABLE payment DROP CONSTRAINT IF EXISTS is_version; DROP VIEW IF EXISTS at');
if ($node->pg_version >= 17)
{
	query('plan', q{CREATE TABLE headed (id uuid PRIMARY KEY, head text GENERATED ALWAYS AS (left(id::text, 4)) STORED CHECK (head IS NOT NULL), n integer);
		INSERT INTO headed VALUES (gen_random_uuid())});
	is((run_file('plan', (write_script('plan', 'headed', 'ulid'))[0]))[0], 0, 'a check of a generated column, which is null in between');
	is(query('plan', "SELECT convalidated FROM pg_constraint WHERE conname = 'headed_head_check'"), 't', 'and is there again');
	query('plan', 'DROP TABLE headed');
}
if ($node->pg_version >= 18)
{
	query('plan', q{CREATE TABLE shifted (id uuid PRIMARY KEY DEFAULT uuidv7('-1 day'), other uuid DEFAULT uuidv7())});
	is((run_file('plan', (write_script('plan', 'shifted, shifted.other', 'ulid'))[0]))[0], 0, 'defaults');
	is(query('plan', q{SELECT string_agg(pg_get_expr(adbin, adrelid), ' ' ORDER BY adnum) FROM pg_attrdef WHERE adrelid = 'shifted'::regclass}),
		"uuidv7('-1 days'::interval) gen_ulid()", 'one that makes keys of another time remains');
	query('plan', 'DROP TABLE shifted');
}

# What cannot be made again with the new type is said before the script is written, not at the switch; and what can is not.
query('plan', <<'SQL');
	CREATE TABLE member (id uuid PRIMARY KEY REFERENCES account, ids uuid[], g boolean GENERATED ALWAYS AS (ids @> ARRAY[id]) STORED);
	CREATE VIEW v AS SELECT id FROM account WHERE ids @> ARRAY[id];
	CREATE VIEW under AS SELECT id FROM account;
	CREATE VIEW over_under AS SELECT FROM under u JOIN account a ON a.ids && ARRAY[u.id];
	CREATE VIEW recursive AS WITH RECURSIVE x AS (SELECT id FROM account UNION ALL SELECT other FROM account JOIN x USING (id)) TABLE x;
	CREATE POLICY by_array ON account USING (ids @> ARRAY[id]);
	ALTER TABLE account ADD CONSTRAINT by_array CHECK (NOT ids @> ARRAY[id]);
	CREATE TRIGGER by_array BEFORE UPDATE ON account FOR EACH ROW WHEN (NEW.ids @> ARRAY[NEW.id]) EXECUTE FUNCTION suppress_redundant_updates_trigger();
	CREATE RULE by_array AS ON DELETE TO payment WHERE EXISTS (SELECT FROM account WHERE ids @> ARRAY[OLD.account_id]) DO INSTEAD NOTHING;
	CREATE FUNCTION by_array() RETURNS bigint BEGIN ATOMIC SELECT count(*) FROM account WHERE ids @> ARRAY[id]; END;
	CREATE FUNCTION of_row(account) RETURNS integer LANGUAGE sql AS 'SELECT 1';
	CREATE VIEW row AS SELECT of_row(a.*), a.id FROM account a;
	CREATE VIEW both_types AS SELECT id, other, COALESCE(id, other) AS one FROM account WHERE id = other OR id IN (other, owner_id) OR ids @> ARRAY[other];
SQL
my @cannot = ('view public\.v', 'view public\.over_under', 'view public\.recursive', 'policy by_array on table public\.account',
	'constraint by_array on table public\.account', 'trigger by_array on table public\.account', 'rule by_array on table public\.payment',
	'default value for column g of table public\.member', 'function public\.by_array\(\)');
$refused = (write_script('plan', 'account, payment', 'ulid', '-v', 'texts=known', '-v', 'dry_run=1'))[1];
like($refused, qr/$_ cannot be made again with the new type: .*(?:u[lu]id\[\]|ulid in non-recursive)/, "$_: refused") foreach @cannot;
is(scalar(() = $refused =~ /cannot be made again/g), scalar @cannot, 'and nothing else is');
query('plan', 'DROP TABLE member; DROP VIEW v, over_under, under, recursive; DROP POLICY by_array ON account; ALTER TABLE account DROP CONSTRAINT by_array;
	DROP TRIGGER by_array ON account; DROP RULE by_array ON payment; DROP FUNCTION by_array');
is((run_file('plan', (write_script('plan', 'account, payment', $_, '-v', 'texts=known'))[0]))[0], 0, "to $_ without them") foreach 'ulid', 'uuid';
query('plan', 'DROP VIEW row, both_types; DROP FUNCTION of_row');

# Bodies that are strings are not parsed: who might make a text of an id is named.
query('plan', <<'SQL');
	CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_notify('x', NEW.id::text); RETURN NULL; END $$;
	CREATE TRIGGER tell AFTER INSERT ON payment FOR EACH ROW EXECUTE FUNCTION tell();
	CREATE FUNCTION owner_of(account) RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN $1.id; END $$;
	CREATE POLICY by_function ON account USING (owner_of(account) <> '');
	CREATE FUNCTION key_of(text) RETURNS text LANGUAGE sql STABLE AS $$ SELECT id::text FROM Account WHERE owner_type = $1 $$;
	CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN SELECT id INTO NEW.t FROM "account"; RETURN NEW; END $$;
	CREATE TABLE kept (n integer PRIMARY KEY, t text);
	CREATE TRIGGER keep BEFORE INSERT ON kept FOR EACH ROW EXECUTE FUNCTION keep();
	CREATE FUNCTION show(p payment) RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN p.id; END $$;
	CREATE FUNCTION all_of() RETURNS SETOF payment LANGUAGE plpgsql STABLE AS $$ BEGIN END $$;
	CREATE FUNCTION by_view() RETURNS text LANGUAGE sql STABLE AS $$ SELECT key::text FROM over_view $$;
	CREATE FUNCTION array_of(uuid[]) RETURNS text LANGUAGE sql AS $$ SELECT $1[1]::text $$;
	CREATE FUNCTION not_it() RETURNS text LANGUAGE sql STABLE AS $$ SELECT 'accounts, pre_payment' FROM loose, of_types $$;
	CREATE TYPE some_ids AS (n integer, ids uuid[]);
	CREATE FUNCTION gives(integer) RETURNS TABLE (n integer, id uuid) LANGUAGE plpgsql AS $$ BEGIN RETURN  QUERY SELECT 1, a.id FROM account a; END $$;
	CREATE FUNCTION gives_all() RETURNS SETOF some_ids LANGUAGE plpgsql AS $$ BEGIN return query SELECT 1, array_agg(a.id) FROM account a; END $$;
	CREATE FUNCTION gives_one() RETURNS uuid LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT a.id FROM account a LIMIT 1); END $$;
	CREATE FUNCTION gives_none() RETURNS TABLE (n integer) LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY SELECT 1 FROM account; END $$;
	CREATE FUNCTION with_ids() RETURNS SETOF text LANGUAGE sql AS $$ SELECT table_name::text FROM information_schema.columns WHERE data_type = 'uuid' AND table_name = 'account' $$;
SQL
(undef, $notes) = plan_of('account, payment', '-v', 'texts=known');
is_deeply([ map { /^functions that name uuid, ulid or what moves, or that a trigger or a policy of that calls: .*: (.+)/ } @$notes ],
	[ 'public.all_of(), public.gives(integer), public.gives_all(), public.gives_none(), public.gives_one(), public.keep(), public.owner_of(public.account), public.show(public.payment)' ],
	'functions of a trigger and of a policy, and those that name a type or a table');
is_deeply([ sort map { /^function (.+) makes a text, JSON or a digest of something/ } @$notes ],
	[ 'public.array_of(uuid[])', 'public.by_view()', 'public.key_of(text)', 'public.tell()', 'public.with_ids()' ], 'before them those that make a text of something');
my @first = grep { /RETURN QUERY|looks at types/ } @$notes;
is_deeply(\@first, [ map({ "function public.$_->[0] gives rows of $_->[1] by RETURN QUERY, which fails where an id that moves is one of them, structure of query does not match function result type: write id::$_->[1] in it" }
		[ 'gives(integer)', 'uuid' ], [ 'gives_all()', 'uuid[]' ]), 'function public.with_ids() looks at types: what it does for a uuid alone is not done any more, without an error' ], 'before them those that will fail, or find nothing');
{
	my $move = 'CREATE TEMP TABLE account AS SELECT gen_ulid() AS id;';
	like(($node->psql('plan', "$move SELECT * FROM $_"))[2], qr/structure of query does not match function result type/, "$_ fails") foreach 'gives(1)', 'gives_all()';
	is(($node->psql('plan', "$move SELECT * FROM $_"))[0], 0, "$_ does not") foreach 'gives_one()', 'gives_none()';
	is(query('plan', 'SELECT DISTINCT with_ids()'), 'account', 'what asks for uuid finds its table before');
}
query('plan', 'DROP POLICY by_function ON account; DROP FUNCTION owner_of, key_of, show, all_of, by_view, array_of, not_it, gives, gives_all, gives_one, gives_none, with_ids; DROP TYPE some_ids; DROP FUNCTION tell, keep CASCADE; DROP TABLE kept');

# What is NOT VALID remains so: a script that was stopped in its last part, and is written anew, does not know.
query('plan', "UPDATE pg_constraint SET convalidated = false WHERE conname = 'payment_account_id_fkey'");
(undef, $notes, $file) = plan_of('account, payment', '-v', 'texts=known');
is_deeply([ grep { /NOT VALID/ } @$notes ], [ 'constraint payment_account_id_fkey of public.payment is NOT VALID, and remains so: ALTER TABLE public.payment '
	. 'VALIDATE CONSTRAINT payment_account_id_fkey, if a script of a move that was stopped has left it so' ], 'which the notes say');
query('plan', 'ALTER TABLE payment VALIDATE CONSTRAINT payment_account_id_fkey');
like((run_file('plan', $file))[1], qr/validation of constraint payment_account_id_fkey on table public\.payment is new/,
	'if it is validated then, the script notices, which would leave it NOT VALID');

# In the middle of a move no script to the other type is written, not even where a pattern means no column of that table;
# one to the same type is, and goes on: the key that is to be built again is one.
query('plan', q{CREATE TABLE midway (id ulid NOT NULL); CREATE UNIQUE INDEX midway_pkey_ulid_move ON midway (id ulid_uuid_ops);
	COMMENT ON INDEX midway_pkey_ulid_move IS 'In the place of midway_pkey until that is built again: {"name": "midway_pkey", "rel": "public.midway", "as": "USING btree (id)", "key": "PRIMARY KEY"}'});
like((write_script('plan', 'public.a*', 'uuid', '-v', 'texts=known'))[1], qr/a move of table public\.midway was begun and has not come to its end/,
	'a pattern in the middle of a move');
like((plan_of('public.*', '-v', 'texts=known'))[0], qr/public\.midway\.id/, 'and one to the same type');
query('plan', 'DROP TABLE midway');

# LIKE takes over the comment of what stands in for a key: no move of the new table was begun.
query('plan', q{CREATE TABLE midway (id ulid NOT NULL); CREATE UNIQUE INDEX midway_pkey_ulid_move ON midway (id ulid_uuid_ops);
	DO $$ BEGIN EXECUTE format('COMMENT ON INDEX midway_pkey_ulid_move IS %L', 'In the place of midway_pkey until that is built again: {"name": "midway_pkey", "rel": "public.midway", '
		|| format('"relid": "%s", "as": "USING btree (id)", "key": "PRIMARY KEY"}', 'midway'::regclass::oid)); END $$;
	CREATE TABLE midway_too (LIKE midway INCLUDING ALL)});
my $midway = (write_script('plan', 'public.a*', 'uuid', '-v', 'texts=known'))[1];
like($midway, qr/a move of table public\.midway was begun/, 'a move that was begun');
unlike($midway, qr/midway_too/, 'and not one of a table that was made like its table');
query('plan', 'DROP TABLE midway, midway_too');

# Each key is attached before the next is built, and all of them before what is no key.
query('plan', 'CREATE INDEX payment_account ON payment (account_id)');
(undef, undef, $file) = plan_of('account, payment, audit', '-v', 'texts=known');
my ($bundle) = (run_file('plan', $file))[2] =~ /Changing the type to ulid, \d of \d: public\.payment\n(.*?)(?:Changing|Done)/s;
my @done = grep { !/_ulid_move$/ } $bundle =~ /((?:Building|Attaching).*)/g;
my ($last_key) = reverse grep { $done[$_] =~ /^Attaching/ } 0 .. $#done;
is(join(' | ', @done[ 0 .. $last_key ]) =~ s/Building \S+ \| (?=Attaching)/key /gr =~ s/public\.//gr,
	'key Attaching the keys of payment', 'a key is built and attached');
like(join(' ', @done[ $last_key + 1 .. $#done ]), qr/^Building public\.by_text Building public\.payment_account$/, 'then the other indexes');

is((run_file('plan', (write_script('plan', 'account, payment, audit', 'uuid', '-v', 'texts=known'))[0]))[0], 0, 'back');

# The plan alone: each switch, with what it locks, and the notes, and no script.
{
	my ($code, $err, $out) = run_writer('plan', 'account, payment', 'ulid', '-v', 'texts=known', '-v', 'dry_run=1');
	is($code, 0, 'the plan alone') or diag $err;
	like($out, qr/\APlan: to ulid, in database plan\n/, 'says what it is of');
	like($out, qr/^Switch \d of \d: 1 columns of public\.account \([\d.]+ kB with indexes\)\n    locks 3 tables, with 3 foreign keys and 5 views, for about \d+ ms$/m, 'each switch, and what it locks');
	like($out, qr/^    of which index public\.by_head: [\d.]+ (?:bytes|kB) of table are read, about \d+ ms$/m, 'and what is built under the lock');
	like($out, qr/^Asked of the application, .*ids arrive as ULIDs/m, 'what it asks of the application');
	is(() = $out =~ /^Note: /mg, @{ (plan_of('account, payment', '-v', 'texts=known'))[1] }, 'the notes');
	unlike($out, qr/ALTER|\\echo/, 'and no script');
}

# What a script says while it runs: how far it is, and at the end what it has come to; of what is done, nothing.
(undef, undef, $file) = plan_of('audit', '-v', 'texts=known');
{
	my ($code, $err, $out) = run_file('plan', $file);
	like($out, qr/^00:00:\d\d Changing the type to ulid, 1 of 1: public\.audit$/m, 'a script names each switch');
	like($out, qr/^00:00:\d\d Done: 1 columns of 1 tables are of type ulid\n\z/m, 'and what it has come to');
	($code, $err, $out) = run_file('plan', $file);
	is($out, "Looking whether all is as it was when this was written\nNothing to do: 1 columns of 1 tables are of type ulid\n", 'run again it says that there is nothing to do');
}

# A table that is to be copied, as an index of it would be built under the lock.
query('postgres', 'CREATE DATABASE copying');
query('copying', <<'SQL');
	CREATE EXTENSION ulid;
	CREATE TABLE a (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer, up uuid REFERENCES a);
	CREATE UNIQUE INDEX one ON a (n) WHERE up IS NULL;
	CREATE TABLE b (id uuid PRIMARY KEY, a_id uuid REFERENCES a);
	CREATE VIEW v AS SELECT a.id, b.id AS b_id FROM a JOIN b ON a.id = a_id;
	INSERT INTO a (n) SELECT n FROM generate_series(1, 100) n;
	INSERT INTO b SELECT gen_random_uuid(), id FROM a;
SQL
query('copying', 'ALTER TABLE a ADD COLUMN no integer GENERATED ALWAYS AS IDENTITY; ALTER SEQUENCE a_no_seq SET UNLOGGED');
query('copying', 'CREATE TABLE c (id uuid PRIMARY KEY) PARTITION BY HASH (id)' . ($node->pg_version >= 17 ? ' USING heap' : ''));
{
	my $before = dump_of('copying', '-s');
	my $rows = query('copying', 'SELECT a.id, b_id FROM a JOIN v USING (id) ORDER BY 1');
	like((run_writer('copying', 'a, b', 'ulid', '-v', 'dry_run=1'))[2], qr/^Note: index public\.one is built again while public\.a is locked, all of which is read \(8192 bytes\).*-v copy=public\.a has the table copied instead/m, 'what is built under the lock is said, with the way out');
	my %file = map { $_ => (write_script('copying', 'a, b, c', $_, '-v', 'copy=public.a'))[0] } 'ulid', 'uuid';
	is((run_file('copying', $file{ulid}))[0], 0, 'a table is copied that could have been changed in place');
	is(query('copying', "SELECT string_agg(DISTINCT format_type(atttypid, -1), ' ') FROM pg_attribute WHERE attrelid IN ('a'::regclass, 'b'::regclass, 'v'::regclass) AND attnum > 0 AND attname NOT IN ('n', 'no')"), 'ulid', 'to the type');
	# an index waits for who has looked at the database before; this is said
	is((run_file('copying', $file{uuid}))[0], 0, 'and back');
	same_schema(dump_of('copying', '-s'), $before, 'to the same schema');
	is(query('copying', 'SELECT a.id, b_id FROM a JOIN v USING (id) ORDER BY 1'), $rows, 'with the same rows');

	my $holder = $node->background_psql('copying');
	$holder->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
	$node->poll_query_until('copying', "SELECT count(*) > 0 FROM pg_stat_activity WHERE state = 'idle in transaction' AND xact_start < clock_timestamp() - interval '6 s'");
	my ($out, $err) = ('', '');
	my $script = IPC::Run::start([ $node->installed_command('psql'), '-X', '-d', $node->connstr('copying') . ' application_name=mover', '-f', (write_script('copying', 'b.id', 'ulid'))[0] ],
		'<', \undef, '>', \$out, '2>', \$err, IPC::Run::timeout(300));
	ok($node->poll_query_until('copying', "SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = 'mover' AND wait_event = 'virtualxid'"), 'an index waits for an old snapshot');
	$holder->query_safe('COMMIT');
	$holder->quit;
	ok($script->finish, 'and goes on when that is gone') or diag $err;
	like($out, qr/Building public\.b_pkey_ulid_move\n00:00:\d\d which waits for process \d+, in a transaction for 00:00:/, 'and said for whom');
}

$node->stop;
done_testing();
