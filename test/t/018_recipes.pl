# doc/recipes.md: what its recipes promise beyond what 015_documents.pl runs.
use lib 'test/lib';
use UlidCluster;

my $node = started_cluster('main', "max_prepared_transactions = 1\nautovacuum = off\n");
sub sql { return $node->safe_psql('postgres', $_[0]) }

# ---- What is new since my last look

sql(documented_sql('CREATE FUNCTION horizon()'));
sql(q{
	ALTER TABLE outbox ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id();
	CREATE TABLE xid_reader AS SELECT '0'::xid8 AS since, '0'::xid8 AS until;
	CREATE TABLE got (form text, id ulid);
	CREATE TABLE finished (n int);
	CREATE ROLE worker;
	INSERT INTO reader SELECT 'statement', position, position FROM reader;
	CREATE FUNCTION wrong(checked text) RETURNS text LANGUAGE sql AS $$
		SELECT (SELECT count(*) FROM outbox WHERE id NOT IN (SELECT id FROM got WHERE form = checked)) || ' lost, '
			|| (SELECT count(*) - count(DISTINCT id) FROM got WHERE form = checked) || ' repeated' $$});
my %look = (
	naive => q{INSERT INTO got SELECT 'naive', id FROM outbox
		WHERE id > coalesce((SELECT max(id) FROM got WHERE form = 'naive'), '00000000000000000000000000');},
	horizon => documented_sql("BEGIN;\nUPDATE reader") =~ s/SELECT o\.id, o\.body/INSERT INTO got SELECT 'horizon', o.id/r,
	statement => q{WITH look AS (
			UPDATE reader SET position = horizon, horizon = greatest(horizon(), horizon) WHERE name = 'statement' RETURNING *)
		INSERT INTO got SELECT 'statement', o.id FROM look r JOIN outbox o ON o.id >= r.position AND o.id < r.horizon;},
	xid => q{WITH look AS (UPDATE xid_reader SET since = until, until = pg_snapshot_xmin(pg_current_snapshot()) RETURNING *)
		INSERT INTO got SELECT 'xid', id FROM look JOIN outbox ON xid >= since AND xid < until;});
my $look = join("\n", @look{'naive', 'statement', 'horizon', 'xid'});
sub begin_again { sql('TRUNCATE outbox, got') }
sub wrong { return sql("SELECT wrong('$_[0]')") }
sub loses { my ($form, $lost, $name) = @_; return is(wrong($form), "$lost lost, 0 repeated", $name) }
# After the millisecond of the last row.
sub last_look { return sql("SELECT pg_sleep(0.01);\n$look") }

# 8 writers.
my $directory = PostgreSQL::Test::Utils::tempdir();
my $write = q{DO $$ BEGIN
		FOR i IN 1 .. 100 LOOP
			INSERT INTO outbox DEFAULT VALUES;
			PERFORM pg_sleep(random() * 0.03);
			INSERT INTO outbox (id) VALUES (gen_uuidv7());
			COMMIT;
		END LOOP;
	END $$};
my @writer = ('psql', '-Xq', '-d', $node->connstr('postgres'), '-c', $write, '-c', 'INSERT INTO finished VALUES (1)');
my @writers = map { IPC::Run::start(\@writer, '<', '/dev/null') } 1 .. 8;
my $reader = $node->background_psql('postgres');
my $looks = 0;
append_to_file("$directory/look", $look);
do { $reader->query("\\i $directory/look"); $looks++ } until $reader->query('SELECT count(*) FROM finished') == 8 || $looks == 100_000;
$_->finish for @writers;
last_look();
is(sql('SELECT count(*) FROM outbox'), 1600, '8 writers commit 100 transactions of two rows each');
cmp_ok($looks, '>', 3, "the reader looks while they write ($looks times)");
like(wrong('naive'), qr/^[1-9]\d* lost/, 'id > last loses rows');
loses($_, 0, "the $_ loses and repeats no row") for 'horizon', 'xid';
like(wrong('statement'), qr/ 0 repeated/, 'a horizon read with the rows repeats no row');

# Two transactions that commit in the other order than that of their ids.
my $writer = $node->background_psql('postgres');
for my $tracked ('off', 'on')
{
	begin_again();
	$writer->query("SET track_activities = $tracked; BEGIN; INSERT INTO outbox DEFAULT VALUES;");
	sql('INSERT INTO outbox DEFAULT VALUES');
	last_look();
	$writer->query('COMMIT;');
	last_look();
	loses('naive', 1, 'id > last loses the row that commits later');
	loses('xid', 0, 'the xid finds it');
	loses('horizon', $tracked eq 'on' ? 0 : 1, "so does the horizon if track_activities is on: $tracked");
}

# A transaction that commits after a reader's snapshot and before the reader's horizon.
my $wait = 'SELECT pg_advisory_xact_lock(1)';
my $in_one = $look{statement} =~ s/WITH (.*?) WHERE/WITH wait AS MATERIALIZED ($wait), $1 FROM wait WHERE/sr;
for my $case ([ 'in the statement of the rows', 'statement', $in_one, 1 ],
	[ 'in REPEATABLE READ', 'horizon', $look{horizon} =~ s/BEGIN;/BEGIN ISOLATION LEVEL REPEATABLE READ; $wait;/r, 1 ],
	[ 'in a statement before', 'horizon', $look{horizon} =~ s/BEGIN;/BEGIN; $wait;/r, 0 ])
{
	my ($where, $form, $waiting, $lost) = @$case;
	begin_again();
	$writer->query('BEGIN; INSERT INTO outbox DEFAULT VALUES; SELECT pg_advisory_lock(1), pg_sleep(0.01);');
	$reader->query_until(qr/started/, "\\echo started\n$waiting\n");
	$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'advisory'}) or die;
	$writer->query('COMMIT; SELECT pg_advisory_unlock(1);');
	$reader->query('SELECT 1');
	last_look();
	loses($form, $lost, "a horizon read $where loses " . ($lost ? 'the row' : 'nothing'));
}
$writer->quit;
$reader->quit;

# Its limits.
begin_again();
sql(q{INSERT INTO outbox VALUES (gen_ulid(clock_timestamp() + interval '1 s'))});
last_look();
sql('SELECT pg_sleep(1)');
last_look();
loses('horizon', 0, 'an id ahead of the clock is read later');
sql(q{INSERT INTO outbox VALUES (gen_ulid(now() - interval '1 min'))});
last_look();
loses('horizon', 1, 'an old id is lost');
loses('xid', 0, 'but not by the xid');
begin_again();
sql(q{BEGIN; INSERT INTO outbox DEFAULT VALUES; PREPARE TRANSACTION 'p'});
sql('INSERT INTO outbox DEFAULT VALUES');
last_look();
is(sql(q{SELECT count(*) FROM got WHERE form IN ('horizon', 'xid')}), 0, 'a prepared transaction delays rows');
sql(q{COMMIT PREPARED 'p'});
last_look();
loses($_, 0, "then the $_ reads them") for 'horizon', 'xid';
like((sqlstate($node, 'SET ROLE worker; SELECT horizon()'))[1], qr/needs the role pg_read_all_stats/,
	'a role that does not see others is told so');
is(sql('GRANT pg_read_all_stats TO worker; SET ROLE worker; SELECT horizon() = ulid_min(now())'), 't', 'a role that does has a horizon');

# ---- What the index serves

sql(documented_sql($_)) for 'CREATE TABLE post', 'CREATE TABLE account', 'CREATE VIEW api_post', 'CREATE TABLE audit';
sql(q{
	INSERT INTO account SELECT gen_uuidv7(), n FROM generate_series(1, 5000) AS n;
	INSERT INTO audit SELECT gen_ulid() FROM generate_series(1, 5000)});
sql('VACUUM ANALYZE');
sub plan_for { return sql("EXPLAIN $_[0]") }
my @pages = documented_sql('CREATE TABLE post') =~ /^(SELECT .*)/mg;
my $typeid = q{'user_01h455vb4pex5vsknk084sn02q'};
for my $case (
	[ $pages[0], qr/^Limit[^\n]*\n[^\n]*Index Scan Backward using post_pkey.*Index Cond: \(\(blog = 1\) AND \(id < /s ],
	[ $pages[1], qr/^Limit[^\n]*\n[^\n]*Index Scan Backward using post_likes.*Index Cond: \(ROW\(likes, id\) < /s ],
	[ "SELECT name FROM account WHERE id = from_typeid('user', $typeid)", qr/Index Scan using account_pkey/ ],
	[ q{SELECT * FROM audit WHERE CASE WHEN ulid_is_valid(subject) THEN subject::ulid END = now()::ulid}, qr/Index Scan.* audit_ulid/ ],
	[ q{SELECT * FROM api_post WHERE blog = 1 AND id >= '2026-01-07 22:00'::timestamptz}, qr/post_pkey/ ],
	map { [ "SELECT * FROM $_ >= '2026-01-07 22:00'", qr/^(Gather.*)?Seq Scan/s ] }
	'api_post WHERE created_at', 'post WHERE made', 'post WHERE created_at(post)')
{
	like(plan_for($case->[0]), $case->[1], "the plan of $case->[0]");
}
is(sql(qq{SELECT count(*) FROM account WHERE id = from_typeid('user', $_)}), 0, "from_typeid('user', ...) finds nothing for $_")
	for "'invoice_' || substr($typeid, 6)", "substr($typeid, 6)", "rtrim($typeid, 'q')", q{'user_'}, q{''}, "'x' || $typeid",
	"replace($typeid, '_0', '_8')";
my ($column) = slurp_file('doc/recipes.md') =~ /`(typeid text GENERATED [^`]*)`/;
sql("ALTER TABLE account ADD COLUMN $column");
is(sql(q{SELECT count(*) FROM account WHERE id = from_typeid('user', typeid)}), 5001, 'every TypeID is read again');

# Rows of clients: a dump can be restored, but not with a condition on now().
my $old = q{INSERT INTO upload SELECT gen_ulid(at), at FROM (SELECT now() - interval '2 days' AS at) AS old};
sql(documented_sql('CREATE TABLE upload') . $old);
is(sql('BEGIN; SELECT pg_sleep(0.01) \gset
    INSERT INTO upload VALUES (gen_ulid()) RETURNING received > now(); COMMIT'), 't', 'a row is received when it is inserted');
sql('TRUNCATE upload; ALTER TABLE upload ADD CONSTRAINT recent CHECK (id > now() - interval $$1 day$$)');
like((sqlstate($node, $old))[1], qr/violates check constraint "recent"/, 'a CHECK with now() refuses rows of before');

# ---- Statistics tell the planner how many days there are.

my $by_day = (documented_sql('CREATE STATISTICS post_days') =~ /^(SELECT .*) ORDER BY/m)[0];
sub groups { return (plan_for($by_day) =~ /rows=(\d+)/)[0] }
sql('INSERT INTO post (blog) VALUES (1)');
cmp_ok(groups(), '>', 5000, 'without statistics the planner expects a group for each id');
sql(documented_sql('CREATE STATISTICS post_days'));
cmp_ok(groups(), '<', 20, 'with statistics it expects a group for each day');

# ---- Partitions, in another time zone than that of the partitions

sql(documented_sql('CREATE PROCEDURE add_partition'));
sql("SET timezone = 'Asia/Tokyo'; CALL add_partition('orders', '$_')") for ('2026-01-31 23:00Z', '2026-02-01 00:00Z') x 2;
is(sql(q{
		INSERT INTO orders VALUES (ulid_max('2026-01-31 23:59:59.999Z')), (ulid_min('2026-02-01Z'));
		SELECT string_agg(tableoid::regclass::text, ' ' ORDER BY id) FROM orders}),
	'orders_2026_01 orders_2026_02', 'rows have the partition of their month');
sql(q{
	CREATE SCHEMA "App one"; CREATE TABLE "App one"."Order" (id ulid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE "App one".rest PARTITION OF "App one"."Order" DEFAULT});
sql(qq{CALL add_partition('"App one"."Order"', '2026-0$_-15Z')}) for 1, 2, 3, 3;
my $longest = 'x' x 55;
sql("CREATE TABLE $longest (id ulid) PARTITION BY RANGE (id); CALL add_partition('$longest', '2026-01-15Z'); CALL add_partition('$longest', '2026-02-15Z')");
is(sql("SELECT count(*) FROM partitions('$longest')"), 2, 'the name of a table can have 55 bytes');
is(sql(q{SELECT string_agg(concat_ws(' ', partition, since::date, until::date), ', ') FROM partitions('orders')}),
	'orders_2026_01 2026-01-01 2026-02-01, orders_2026_02 2026-02-01 2026-03-01', 'partitions are listed with their times');
sql(q{CALL drop_partitions('"App one"."Order"', '2026-02-28Z')}) for 1, 2;
is(sql(q{SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relnamespace = '"App one"'::regnamespace AND relkind = 'r'}),
	'Order_2026_02 Order_2026_03 rest', 'partitions that end before a time are dropped in the schema of their table');
is(sql(q{CALL drop_partitions('orders', '2026-03-01Z'); SELECT count(*) FROM partitions('orders')}), 0, 'several are dropped at once');

done_testing();
