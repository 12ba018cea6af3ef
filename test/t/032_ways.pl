# Every way to have an id made: plain and prepared statements, loops, COPY, parallel workers, prepared
# transactions, workers of the server. (Backends that are killed meanwhile: 040_storm.pl.)
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

my $node = new_cluster('main');
$node->append_conf('postgresql.conf', q{
max_prepared_transactions = 10
autovacuum_naptime = 1
max_worker_processes = 16
});
$node->start;
create_extension($node);

sub sql { return $node->safe_psql('postgres', $_[0]) }

sql(q{
	CREATE SEQUENCE position;
	-- "position" is taken before the ids are, as columns are evaluated in order.
	CREATE TABLE made (
		position  bigint DEFAULT nextval('position'),
		way       text,
		pid       int DEFAULT pg_backend_pid(),
		ulid      ulid DEFAULT gen_ulid(),
		random    ulid DEFAULT gen_random_ulid(),
		at        ulid DEFAULT gen_ulid(clock_timestamp()),
		monotonic ulid DEFAULT gen_monotonic_ulid());
});

# Of the rows made in one way: how many, and whether gen_ulid() ascends in each session and
# gen_monotonic_ulid() in the order of positions.
sub holds
{
	my ($way, $rows) = @_;
	is(sql("SELECT count(*) FROM made WHERE way = '$way'"), $rows, "$way: $rows rows");
	is( sql(qq{SELECT bool_and(ulid > previous) FROM (
			SELECT ulid, lag(ulid) OVER (PARTITION BY pid ORDER BY position) AS previous
			FROM made WHERE way = '$way') AS made}),
		't', "$way: gen_ulid() ascends in each session");
	is( sql(qq{SELECT bool_and(monotonic > previous) FROM (
			SELECT monotonic, lag(monotonic) OVER (ORDER BY position) AS previous
			FROM made WHERE way = '$way') AS made}),
		't', "$way: gen_monotonic_ulid() ascends");
	return;
}

sub all_distinct
{
	is( sql(q{SELECT count(*) - count(DISTINCT id) FROM (
			SELECT ulid FROM made UNION ALL SELECT random FROM made
			UNION ALL SELECT at FROM made UNION ALL SELECT monotonic FROM made) AS ids(id)}),
		'0', $_[0] . ': no two ids are the same');
	return;
}

# One session after another.
sql(q{INSERT INTO made (way) SELECT 'select' FROM generate_series(1, 5000)});
holds('select', 5000);
sql("COPY made (way) FROM stdin;\n" . "copy\n" x 5000 . "\\.\n");
holds('copy', 5000);
sql(q{DO $$ BEGIN FOR i IN 1..5000 LOOP INSERT INTO made (way) VALUES ('loop'); END LOOP; END $$});
holds('loop', 5000);
sql(q{DO $$ BEGIN FOR i IN 1..100 LOOP
	INSERT INTO made (way) VALUES ('procedure');
	IF i % 2 = 0 THEN COMMIT; ELSE ROLLBACK; END IF;
	END LOOP; END $$});
holds('procedure', 50);
sql(q{DO $$ BEGIN FOR i IN 1..1000 LOOP
	BEGIN
		INSERT INTO made (way) VALUES ('subtransaction');
		IF i % 2 = 0 THEN RAISE division_by_zero; END IF;
	EXCEPTION WHEN division_by_zero THEN NULL;
	END;
	END LOOP; END $$});
holds('subtransaction', 500);
sql(q{PREPARE p AS INSERT INTO made (way) VALUES ('prepared');} . 'EXECUTE p;' x 200);
holds('prepared', 200);
sql(join '', map {
		"BEGIN; INSERT INTO made (way) SELECT 'two-phase' FROM generate_series(1, 100); PREPARE TRANSACTION 't$_';"
	} 1 .. 5);
sql("COMMIT PREPARED 't$_'") for 3, 1, 5;
sql("ROLLBACK PREPARED 't$_'") for 2, 4;
holds('two-phase', 300);

# Parallel workers generate, and their leader; gen_ulid(), whose order is of a session, is the leader's.
my $parallel = $node->safe_psql('postgres', q{SELECT name FROM pg_settings
	WHERE name IN ('force_parallel_mode', 'debug_parallel_query')});
sql(q{CREATE TABLE many AS SELECT n FROM generate_series(1, 100000) AS n; ANALYZE many;});
my $settings = q{SET max_parallel_workers_per_gather = 4; SET min_parallel_table_scan_size = 0;
	SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;};
# pg_backend_pid() may only be called by the leader.
sql(q{CREATE FUNCTION worker() RETURNS int AS 'pg_backend_pid' LANGUAGE internal PARALLEL SAFE});
my $generate = q{SELECT worker() AS pid, gen_random_ulid() AS random, gen_ulid(clock_timestamp()) AS at,
	gen_monotonic_ulid() AS monotonic FROM many
	-- On a busy machine one process could be done before another begins.
	WHERE n % 1000 <> 0 OR pg_sleep(0.001) IS NOT NULL};
like(sql("$settings EXPLAIN $generate"), qr/Gather/, 'the plan is parallel');
sql("$settings CREATE TABLE from_workers AS $generate");
cmp_ok(sql('SELECT count(DISTINCT pid) FROM from_workers'), '>', 1, 'several processes generate');
sql(q{INSERT INTO made (way, pid, random, at, monotonic)
	SELECT 'parallel', pid, random, at, monotonic FROM from_workers});
sql("SET $parallel = on; CREATE TABLE from_one AS SELECT * FROM ($generate) AS made LIMIT 1000");
sql(q{INSERT INTO made (way, pid, random, at, monotonic)
	SELECT 'one worker', pid, random, at, monotonic FROM from_one});
is(sql(q{SELECT count(*) FROM made WHERE way = 'parallel'}), '100000', 'parallel: 100000 rows');

# Workers of the server: an index expression that generates and says who evaluates it. (It calls itself
# immutable, which it is not: its index is never read.)
sql(q{
	CREATE FUNCTION witness(ulid) RETURNS ulid LANGUAGE plpgsql IMMUTABLE AS $$
	DECLARE
		monotonic public.ulid := public.gen_monotonic_ulid();
	BEGIN
		RAISE LOG 'witness: %: % % % %', (SELECT backend_type FROM pg_catalog.pg_stat_activity WHERE pid = pg_catalog.pg_backend_pid()),
			public.gen_ulid(), public.gen_random_ulid(), public.gen_ulid(pg_catalog.clock_timestamp()), monotonic;
		RETURN monotonic;
	END $$;
	CREATE TABLE indexed (id ulid PRIMARY KEY DEFAULT gen_ulid()) WITH (autovacuum_analyze_threshold = 10);
	CREATE INDEX ON indexed (witness(id));
	CREATE INDEX ON indexed (ulid_timestamp(id));
	INSERT INTO indexed SELECT FROM generate_series(1, 100);
});
ok($node->poll_query_until('postgres', q{
		SELECT last_autoanalyze IS NOT NULL FROM pg_stat_user_tables WHERE relname = 'indexed'}),
	'autovacuum analyzes a table with indexes on expressions');
my $ulid = '[0-9A-Z]{26}';
my @by_autovacuum = slurp_file($node->logfile) =~ /witness: autovacuum worker: ($ulid) ($ulid) ($ulid) ($ulid)/g;
cmp_ok(scalar @by_autovacuum, '>=', 400, 'and generates as it does');
sql("INSERT INTO made (way, pid, ulid, random, at, monotonic) VALUES "
	. join ', ', map { "('autovacuum', 0, '" . join("', '", splice @by_autovacuum, 0, 4) . "')" } 1 .. @by_autovacuum / 4);
holds('autovacuum', sql(q{SELECT count(*) FROM made WHERE way = 'autovacuum'}));
is(sql(q{SELECT count(*) FROM pg_stats WHERE tablename LIKE 'indexed_ulid_timestamp%'}),
	'1', 'and has statistics of the time in the key');
sql('DROP TABLE indexed');

all_distinct('all of them');
$node->stop;
done_testing();
