# The guide "By logical replication" of doc/moving.md: a live table moves from uuid on one server to ulid
# on another, and its writers never stop.
use strict;
use warnings;

use File::Basename;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $page = slurp_file(dirname(__FILE__) . '/../../doc/moving.md');
my ($guide) = $page =~ /^## By logical replication\n(.*?)(?=^##)/ms or die 'no guide';
my ($publish, $subscribe, $alter) = $guide =~ /^```sql\n(.*?)^```$/msg or die 'no blocks';

my $publisher = PostgreSQL::Test::Cluster->new('publisher');
$publisher->init(allows_streaming => 'logical');
$publisher->start;
my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$subscriber->init(allows_streaming => 'logical');
$subscriber->start;
my $major = int($publisher->safe_psql('postgres', 'SHOW server_version_num') / 10000);

# The old server does not have the extension.
$publisher->safe_psql('postgres', <<'SQL');
	CREATE TABLE account (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer);
	INSERT INTO account (n) SELECT n FROM generate_series(1, 3000) n;
	CREATE TABLE stop (now boolean);
	CREATE TABLE progress (writes integer);
	INSERT INTO progress VALUES (0);
	CREATE PROCEDURE writer() LANGUAGE plpgsql AS $$
	BEGIN
		WHILE NOT EXISTS (SELECT FROM stop) LOOP
			INSERT INTO account (n) VALUES (-1);
			UPDATE account SET n = n + 1 WHERE id = (SELECT id FROM account ORDER BY random() LIMIT 1);
			UPDATE account SET id = gen_random_uuid() WHERE id = (SELECT id FROM account ORDER BY random() LIMIT 1);
			DELETE FROM account WHERE id = (SELECT id FROM account ORDER BY random() LIMIT 1);
			UPDATE progress SET writes = writes + 1;
			COMMIT;
		END LOOP;
	END $$;
SQL
my $writes = sub { $publisher->safe_psql('postgres', 'SELECT writes FROM progress') };
my $more_writes = sub {
	my $seen = $writes->();
	$publisher->poll_query_until('postgres', "SELECT writes > $seen + 10 FROM progress") or die 'the writer stopped';
};

my ($out, $err) = ('', '');
my $writer = IPC::Run::start(
	[ $publisher->installed_command('psql'), '-XAtq', '-d', $publisher->connstr('postgres'), '-c', 'CALL writer()' ],
	'<', \undef, '>', \$out, '2>', \$err);
$more_writes->();

$subscriber->safe_psql('postgres', 'CREATE EXTENSION ulid; CREATE TABLE account (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer)');
$publisher->safe_psql('postgres', $publish);
my $connection = $publisher->connstr . ' dbname=postgres';
(my $subscribe_here = $subscribe) =~ s/CONNECTION '[^']*'/CONNECTION '$connection'/ or die 'no CONNECTION';
$subscriber->safe_psql('postgres', $subscribe_here);
ok($subscriber->poll_query_until('postgres', "SELECT srsubstate = 'r' FROM pg_subscription_rel"), 'the rows are copied');
$more_writes->();

my $file = $subscriber->safe_psql('postgres', "SELECT pg_relation_filenode('account')");
$subscriber->safe_psql('postgres', $alter);
is($subscriber->safe_psql('postgres', "SELECT pg_relation_filenode('account')"), $file, 'the subscriber rewrote no table');
$more_writes->();
$publisher->safe_psql('postgres', 'INSERT INTO stop VALUES (true)');
ok($writer->finish, 'the writer met no error') or diag $err;

$publisher->wait_for_catchup('move');
is($subscriber->safe_psql('postgres', "SELECT count(*), md5(string_agg(id::uuid || ' ' || n, ',' ORDER BY id)) FROM account"),
	$publisher->safe_psql('postgres', "SELECT count(*), md5(string_agg(id || ' ' || n, ',' ORDER BY id)) FROM account"),
	'both servers hold the same rows after ' . $writes->() . ' rounds of writes');
is($subscriber->safe_psql('postgres', 'INSERT INTO account (n) VALUES (0) RETURNING pg_typeof(id), id::timestamptz > now() - interval \'1 minute\''),
	'ulid|t', 'the subscriber has ulids, and makes ulids');
is($subscriber->safe_psql('postgres', 'SELECT apply_error_count FROM pg_stat_subscription_stats'), 0, 'without an error on the way');

# why binary: as text a uuid is no ulid
$publisher->safe_psql('postgres', 'CREATE TABLE as_text (id uuid PRIMARY KEY); CREATE PUBLICATION as_text FOR TABLE as_text');
$subscriber->safe_psql('postgres', <<"SQL");
	CREATE TABLE as_text (id ulid PRIMARY KEY);
	CREATE SUBSCRIPTION as_text CONNECTION '$connection' PUBLICATION as_text WITH (binary = false, copy_data = false);
SQL
$publisher->safe_psql('postgres', 'INSERT INTO as_text SELECT gen_random_uuid()');
ok($subscriber->poll_query_until('postgres', "SELECT apply_error_count > 0 FROM pg_stat_subscription_stats WHERE subname = 'as_text'"),
	'a subscription that is not binary fails');
like(slurp_file($subscriber->logfile), qr/invalid input syntax for type ulid/, 'and says why');
$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION as_text');

# the first copy, binary from 16 on
SKIP:
{
	skip 'the first copy is text before PostgreSQL 16', 1 if $major < 16;
	$publisher->safe_psql('postgres', <<'SQL');
		CREATE TABLE copied (id uuid PRIMARY KEY);
		INSERT INTO copied SELECT gen_random_uuid() FROM generate_series(1, 100);
		CREATE PUBLICATION copied FOR TABLE copied;
SQL
	$subscriber->safe_psql('postgres', <<"SQL");
		CREATE TABLE copied (id ulid PRIMARY KEY);
		CREATE SUBSCRIPTION copied CONNECTION '$connection' PUBLICATION copied WITH (binary = true);
SQL
	$subscriber->wait_for_subscription_sync($publisher, 'copied');
	$publisher->safe_psql('postgres', 'INSERT INTO copied SELECT gen_random_uuid()');
	$publisher->wait_for_catchup('copied');
	is($subscriber->safe_psql('postgres', "SELECT count(*), md5(string_agg(id::uuid::text, ',' ORDER BY id)) FROM copied"),
		$publisher->safe_psql('postgres', "SELECT count(*), md5(string_agg(id::text, ',' ORDER BY id)) FROM copied"),
		'from 16 on the subscriber can have ulids from the start');
}

# the other way: the new server feeds the old one, which keeps its uuid
$subscriber->safe_psql('postgres', 'CREATE TABLE back (id ulid PRIMARY KEY DEFAULT gen_ulid(), n integer); CREATE PUBLICATION back FOR TABLE back');
my $back = $subscriber->connstr . ' dbname=postgres';
$publisher->safe_psql('postgres', <<"SQL");
	CREATE TABLE back (id uuid PRIMARY KEY, n integer);
	CREATE SUBSCRIPTION back CONNECTION '$back' PUBLICATION back WITH (binary = true, copy_data = false);
SQL
$subscriber->safe_psql('postgres', 'INSERT INTO back (n) SELECT n FROM generate_series(1, 100) n; UPDATE back SET n = -n WHERE n < 10; DELETE FROM back WHERE n > 90');
$subscriber->wait_for_catchup('back');
is($publisher->safe_psql('postgres', "SELECT count(*), md5(string_agg(id || ' ' || n, ',' ORDER BY id)) FROM back"),
	$subscriber->safe_psql('postgres', "SELECT count(*), md5(string_agg(id::uuid || ' ' || n, ',' ORDER BY id)) FROM back"),
	'a publisher with ulid feeds a subscriber with uuid');

$publisher->safe_psql('postgres', 'DROP SUBSCRIPTION back');
$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION move');
$subscriber->stop;
$publisher->stop;
done_testing();
