# Other extensions in the same server: a ulid key and conditions on its time work with all of them loaded, before
# the library of ulid and after it, and each of them does its work on a table keyed by ulid.
use FindBin;
use lib "$FindBin::Bin/../lib";
use UlidCluster;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(allows_streaming => 'logical');
$node->append_conf('postgresql.conf', <<'CONF');
fsync = off
jit = off
timezone = 'UTC'
autovacuum = off
max_worker_processes = 16
log_statement = none
pgaudit.log = 'write'
pg_qualstats.sample_rate = 1
CONF
$node->start;

# What the server has: extensions by their control file, the others by their library.
my %has = map { $_ => 1 } split /\n/, $node->safe_psql('postgres', 'SELECT name FROM pg_available_extensions');
foreach my $library (qw(auto_explain wal2json pg_hint_plan))
{
	$has{$library} = ($node->psql('postgres', "LOAD '$library'"))[0] == 0;
}
# Not plpgsql_check: with it and pglogical the server does not start, without ulid too.
my @preloaded =
  grep { $has{$_} } qw(pg_stat_statements auto_explain pg_qualstats pg_stat_kcache pgaudit pglogical pg_hint_plan);
my @created = grep { $has{$_} } qw(pg_stat_statements pg_qualstats pg_stat_kcache pgaudit pglogical plpgsql_check
  hypopg pg_repack orafce pgq table_log amcheck vector periods btree_gist btree_gin);
note('found: ' . join(' ', @created, grep { $has{$_} } qw(auto_explain wal2json pg_hint_plan)));

sub query { my ($sql) = @_; return $node->safe_psql('postgres', $sql) }

# Updates of 2026 name the output plugins that may be used.
my $plugins = query(q{SELECT setting FROM pg_settings WHERE name = 'output_plugin_libraries'});
$node->append_conf('postgresql.conf', "output_plugin_libraries = '$plugins, pglogical_output, wal2json'\n") if $plugins;

# Restarts the server with these libraries preloaded, in this order.
sub preload
{
	$node->append_conf('postgresql.conf', "shared_preload_libraries = '" . join(',', @_) . "'\n");
	$node->restart;
	return;
}

# Runs the tests in the block, as one, if the server has the extension.
my (@tried, @skipped);
sub with(&@)
{
	my ($tests, $name) = @_;
  SKIP:
	{
		push @{ $has{$name} ? \@tried : \@skipped }, $name;
		skip "the server has no $name", 1 unless $has{$name};
		subtest $name => $tests;
	}
	return;
}

my $day = q{id >= '2026-03-10Z'::timestamptz AND id < '2026-03-11Z'::timestamptz};

# What a ulid key does without them.
sub ulid_works
{
	my ($when) = @_;
	subtest "a ulid key, $when" => sub {
		foreach my $condition ($day, q{ulid_within(id, tstzrange('2026-03-10Z', '2026-03-11Z'))})
		{
			is(query("SELECT count(*) FROM event WHERE $condition"), 24, "the rows of a day: $condition");
			like(query("EXPLAIN (COSTS OFF) SELECT * FROM event WHERE $condition"),
				qr/Index Cond: \(\(id >= '01KKA\w{21}'::ulid\) AND \(id <=? '01KK\w{22}'::ulid\)\)/, "the index serves $condition");
		}
		is(query("PREPARE p AS SELECT count(*) FROM event WHERE id >= \$1::timestamptz AND id < \$1::timestamptz + interval '1 day';"
				. "SET plan_cache_mode = force_generic_plan; EXECUTE p ('2026-03-10Z')"), 24, 'a prepared statement');
		is(query('SELECT count(*) FROM event a JOIN event b USING (id)'), query('SELECT count(*) FROM event'), 'a join by the key');
		is(query('INSERT INTO event (n) VALUES (-1), (-2) RETURNING id > (SELECT max(id) FROM event)'), "t\nt", 'new keys');
		query('DELETE FROM event WHERE n < 0');
	};
	return;
}

preload('ulid', @preloaded);
query('CREATE EXTENSION ulid;' . join('', map { "CREATE EXTENSION IF NOT EXISTS $_ CASCADE;" } @created));
query(<<'SQL');
	CREATE TABLE event (id ulid PRIMARY KEY DEFAULT gen_ulid(), n integer);
	INSERT INTO event SELECT gen_ulid(t), extract(hour FROM t)
	FROM generate_series('2026-01-01Z'::timestamptz, '2026-06-30 23:00Z', '1 hour') AS t;
	ANALYZE event;
SQL
ulid_works("preloaded before them");
preload(@preloaded, 'ulid');
ulid_works("preloaded after them");

with {
	query("SELECT pg_stat_statements_reset(); SELECT count(*) FROM event WHERE $day");
	is(query(q{SELECT calls, rows FROM pg_stat_statements WHERE query LIKE 'SELECT count(*) FROM event WHERE%'}), '1|1',
		'counts a query with a time condition');
} 'pg_stat_statements';

with {
	my $from = -s $node->logfile;
	query("SET auto_explain.log_min_duration = 0; SELECT count(*) FROM event WHERE $day");
	like(slurp_file($node->logfile, $from), qr/Index Cond: \(\(id >= '\w{26}'::ulid\)/, 'logs the plan that was run');
} 'auto_explain';

with {
	query("SELECT pg_qualstats_reset(); SELECT count(*) FROM event WHERE $day AND n = 3");
	is(query("SELECT count(*) > 0 FROM pg_qualstats() WHERE lrelid = 'event'::regclass"), 't', 'samples conditions of the table');
} 'pg_qualstats';

with {
	query("SELECT count(*) FROM event WHERE $day");
	is(query('SELECT count(*) > 0 FROM pg_stat_kcache()'), 't', 'counts');
} 'pg_stat_kcache';

with {
	my $from = -s $node->logfile;
	query("UPDATE event SET n = n WHERE $day");
	like(slurp_file($node->logfile, $from), qr/AUDIT: SESSION,.*WRITE,UPDATE,.*UPDATE event/, 'logs a change');
} 'pgaudit';

with {
	query('CREATE TABLE child (n integer, event_id ulid)');
	query('INSERT INTO child SELECT n, id FROM event; ANALYZE child');
	my ($condition) = $day =~ s/\bid\b/event_id/gr;
	like(query("SELECT FROM hypopg_create_index('CREATE INDEX ON child (event_id)');"
			. "EXPLAIN (COSTS OFF) SELECT * FROM child WHERE $condition"),
		qr/Index.*Scan (using|on) "?<\d+>btree_child_event_id.*Index Cond: \(\(event_id >= '/s,
			'a hypothetical index serves a time condition');
	like(query("SELECT FROM hypopg_reset(), hypopg_create_index('CREATE INDEX ON child ((event_id::timestamptz))');"
			. "EXPLAIN SELECT * FROM child WHERE event_id::timestamptz = '2026-05-05Z'"), qr/Index Scan (using|on) "?<\d+>btree_child_expr/,
		'a hypothetical index on the cast serves a condition on it');
	like(query("SELECT FROM hypopg_reset(), hypopg_create_index('CREATE INDEX ON child ((event_id::timestamptz))');"
			. "EXPLAIN SELECT * FROM child WHERE event_id::timestamptz = (SELECT now())"), qr/Index Scan (using|on) "?<\d+>btree_child_expr/,
		'a hypothetical index on the cast serves a time known only at run time');
} 'hypopg';

with {
	my $before = query('SELECT md5(string_agg(id::text || n, chr(10) ORDER BY id)) FROM event');
	my $file = query(q{SELECT pg_relation_filenode('event')});
	$node->command_ok([ $node->installed_command('pg_repack'), '-h', $node->host, '-p', $node->port, '-d', 'postgres', '-t', 'event' ],
		'repacks a table keyed by ulid');
	isnt(query(q{SELECT pg_relation_filenode('event')}), $file, 'has repacked it');
	is(query('SELECT md5(string_agg(id::text || n, chr(10) ORDER BY id)) FROM event'), $before, 'every row is there');
} 'pg_repack';

with {
	$node->safe_psql('postgres', 'CREATE DATABASE subscriber');
	$node->safe_psql('subscriber', 'CREATE EXTENSION ulid; CREATE EXTENSION pglogical; CREATE TABLE event (id ulid PRIMARY KEY, n integer)');
	my $dsn = $node->connstr('postgres');
	query("SELECT pglogical.create_node('provider', \$\$$dsn\$\$);"
		. "SELECT pglogical.replication_set_add_table('default', 'event', false, NULL, \$\$$day\$\$)");
	my $sub = $node->connstr('subscriber');
	$node->safe_psql('subscriber', "SELECT pglogical.create_node('subscriber', \$\$$sub\$\$);"
		. "SELECT pglogical.create_subscription('sub', \$\$$dsn\$\$, '{default}', false, true)");
	$node->poll_query_until('subscriber', q{SELECT status = 'replicating' FROM pglogical.show_subscription_status()})
	  or die 'no subscription';
	query(q{INSERT INTO event SELECT gen_ulid(t), -1 FROM unnest('{2026-03-10 12:00Z, 2026-03-11 12:00Z}'::timestamptz[]) t});
	$node->poll_query_until('subscriber', 'SELECT count(*) > 0 FROM event WHERE n = -1') or die 'nothing arrives';
	is($node->safe_psql('subscriber', "SELECT id, n FROM event WHERE n = -1"), query("SELECT id, n FROM event WHERE n = -1 AND $day"),
		'sends the rows that a filter by time lets through');
	$node->safe_psql('subscriber', q{SELECT pglogical.drop_subscription('sub')});
	query('DELETE FROM event WHERE n < 0');
} 'pglogical';

with {
	query(q{SELECT FROM pg_create_logical_replication_slot('slot', 'wal2json')});
	my $id = query('INSERT INTO event (n) VALUES (-1) RETURNING id');
	like(query(q{SELECT data FROM pg_logical_slot_get_changes('slot', NULL, NULL)}), qr/"ulid".*"\Q$id\E"/, 'shows a ulid as text');
	query(q{SELECT FROM pg_drop_replication_slot('slot'); DELETE FROM event WHERE n < 0});
} 'wal2json';

with {
	query(<<'SQL');
		CREATE FUNCTION of_day(ulid, timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
		DECLARE last ulid := gen_ulid();
		BEGIN
			RETURN (SELECT count(*) FROM event WHERE id >= $2 AND id < $2 + interval '1 day' AND id <> $1 AND id < last);
		END $$
SQL
	is(query(q{SELECT * FROM plpgsql_check_function('of_day(ulid, timestamptz)')}), '', 'finds no fault in time conditions');
	like(query(<<'SQL'), qr/operator does not exist: ulid/, 'finds a fault in a function');
		CREATE FUNCTION wrong(ulid) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN $1 > 1; END $$;
		SELECT * FROM plpgsql_check_function('wrong(ulid)')
SQL
} 'plpgsql_check';

with {
	like(query('/*+ SeqScan(event) */ EXPLAIN (COSTS OFF) SELECT * FROM event WHERE ' . $day), qr/^Seq Scan on event/, 'follows a hint');
	like(query('/*+ IndexScan(event) */ EXPLAIN (COSTS OFF) SELECT * FROM event WHERE ' . $day), qr/^Index Scan using event_pkey/,
		'follows a hint for the index');
} 'pg_hint_plan';

with {
	is(query("SELECT oracle.nvl(NULL::ulid, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'::ulid)"), '7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'nvl takes a ulid')
	  if query(q{SELECT to_regprocedure('oracle.nvl(anyelement, anyelement)') IS NOT NULL}) eq 't';
	is(query("SET search_path = oracle, public; SELECT count(*) FROM event WHERE $day"), 24,
		'time conditions mean the same with its schema in front');
} 'orafce';

with {
	query(q{SELECT pgq.create_queue('changes');
		CREATE TRIGGER changes AFTER INSERT ON event FOR EACH ROW EXECUTE FUNCTION pgq.logutriga('changes')});
	my $id = query('INSERT INTO event (n) VALUES (-1) RETURNING id');
	like(query(q{SELECT ev_data FROM pgq.event_template}), qr/id=\Q$id\E\b/i, 'queues a row with its key');
	query('DROP TRIGGER changes ON event; DELETE FROM event WHERE n < 0');
} 'pgq';

with {
	query(q{SELECT table_log_init(5, 'public', 'event', 'public', 'event_log')});
	my $id = query('INSERT INTO event (n) VALUES (-1) RETURNING id');
	is(query('SELECT DISTINCT id FROM event_log WHERE n = -1'), $id, 'logs a row with its key');
	query('DELETE FROM event WHERE n < 0; DROP TRIGGER table_log_trigger ON event');
} 'table_log';

with {
	is(query(q{SELECT bt_index_parent_check('event_pkey', true, true)}), '', 'finds no fault with an index of a ulid');
} 'amcheck';

with {
	query(q{CREATE TABLE item (id ulid PRIMARY KEY, place vector(2));
		INSERT INTO item SELECT id, ('[' || n || ',0]')::vector FROM event; CREATE INDEX ON item USING hnsw (place vector_l2_ops)});
	is(query("SELECT place FROM item WHERE $day ORDER BY place <-> '[5,0]' LIMIT 1"), '[5,0]', 'the nearest of a day');
} 'vector';

with {
	query('CREATE TABLE booking (id ulid PRIMARY KEY DEFAULT gen_ulid(), room integer, during tstzrange,'
		. 'EXCLUDE USING gist (room WITH =, during WITH &&))');
	query(q{INSERT INTO booking (room, during) VALUES (1, '[2026-05-01Z,2026-05-02Z)')});
	isnt(($node->psql('postgres', q{INSERT INTO booking (room, during) VALUES (1, '[2026-05-01 12:00Z,2026-05-03Z)')}))[0], 0,
		'an exclusion constraint holds in a table keyed by ulid');
	like(query("SET enable_seqscan = off; SET enable_indexonlyscan = off; EXPLAIN (COSTS OFF) SELECT * FROM booking WHERE room = 1"),
		qr/booking_room_during_excl/, 'its classes still serve');
} 'btree_gist';

with {
	query('CREATE INDEX event_gin ON event USING gin (n)');
	like(query('SET enable_seqscan = off; EXPLAIN (COSTS OFF) SELECT * FROM event WHERE n = 3'), qr/event_gin/, 'its classes still serve');
} 'btree_gin';

with {
	query('CREATE TABLE price (id ulid NOT NULL, amount integer, from_day date, to_day date);'
		. q{SELECT periods.add_period('price', 'during', 'from_day', 'to_day');}
		. q{SELECT periods.add_unique_key('price', ARRAY['id'], 'during')});
	query(q{INSERT INTO price VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV', 1, '2026-01-01', '2026-02-01')});
	isnt(($node->psql('postgres', q{INSERT INTO price VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV', 2, '2026-01-15', '2026-02-15')}))[0], 0,
		'a ulid is unique in a period');
} 'periods';

ulid_works('after all that they did');
$node->stop;

# `make test` has installed what the release has of these (test/tools/setup), unless the server is not Debian's.
my %package = (hypopg => 'hypopg', orafce => 'orafce', pg_hint_plan => 'pg-hint-plan', pg_qualstats => 'pg-qualstats',
	pg_stat_kcache => 'pg-stat-kcache', pgaudit => 'pgaudit', pglogical => 'pglogical', pgq => 'pgq3', vector => 'pgvector',
	periods => 'periods', plpgsql_check => 'plpgsql-check', pg_repack => 'repack', table_log => 'tablelog', wal2json => 'wal2json');
SKIP:
{
	my $count = @skipped . ' of ' . (@tried + @skipped) . ' extensions';
	my ($bin) = run_command([ 'pg_config', '--bindir' ]);
	skip "$count are not installed: @skipped", 1 unless $ENV{ULID_SETUP} && $bin =~ m{^/usr/lib/postgresql/(\d+)/};
	my $major = $1;
	my @due = grep { !$package{$_} || (run_command([ 'apt-cache', 'policy', "postgresql-$major-$package{$_}" ]))[0] =~ /Candidate: [^(]/ }
	  @skipped;
	is("@due", '', "every extension that setup installs has been tried: @tried");
	my %says;
	@says{ 15, 18 } = slurp_file("$FindBin::Bin/../../doc/installing.md") =~ /^\| Other extensions .*\| (\d+) on PostgreSQL 15, (\d+) on 18 /m;
	is(scalar @tried, $says{$major}, "as many as doc/installing.md says of $major") if $major == 15 || $major == 18;
}
done_testing();
