# Nobody else's code runs with the rights of whoever moves a database: somebody who may create objects in the
# extension's schema, and in one that the database searches first, has made functions, operators, tables and types of
# the names that the scripts of a move use. None of them is called while scripts are written and run, there and back,
# nor by the triggers that keep a copy in step, whatever the client searches.
#
# Part of make test-moving.
use File::Basename;
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;
use UlidMove;

my $here = dirname(__FILE__);
my $node = start_node('move_hostile', 'max_locks_per_transaction = 2000');
my $more = <<'SQL';
	CREATE TABLE shop.no_two (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), EXCLUDE USING hash (id WITH =));
	CREATE TABLE shop.partly (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), up uuid, n integer);
	CREATE UNIQUE INDEX ON shop.partly (n) WHERE id <> up;
	CREATE UNIQUE INDEX ON shop.partly ((CASE WHEN id = up THEN n END));
	CREATE VIEW shop.compares AS SELECT a.id, a.id = b.up AS same, a.id <> ALL (ARRAY[b.id, b.up]) AS other, max(a.n) OVER () AS n
		FROM shop.partly a LEFT JOIN shop.partly b ON a.id <= b.up AND NULLIF(a.id, b.id) IS DISTINCT FROM b.up;
	CREATE STATISTICS shop.of_both ON id, (id = up) FROM shop.partly;
	INSERT INTO shop.partly (n) SELECT n FROM generate_series(1, 20) n;
	CREATE TABLE store.plain (id text PRIMARY KEY DEFAULT gen_ulid(), n integer);
	INSERT INTO store.plain (n) SELECT 1 FROM generate_series(1, 20);
	CREATE TABLE store.parts (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer) PARTITION BY HASH (id);
	CREATE TABLE store.parts_0 PARTITION OF store.parts FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	INSERT INTO store.parts (n) SELECT 1 FROM generate_series(1, 20);
SQL

# The names of functions that the scripts use, whether or not they are in the branches that run here.
my $used = join '', map { slurp_file($_) } glob "$here/../../move/*.sql";
my %names = map { lc $_ => 1 } $used =~ /\b([a-z]\w+)\s*\(/gi;
my $names = join ', ', map { "'$_'" } sort keys %names;

my $hostile = "CREATE SCHEMA evil; GRANT ALL ON SCHEMA evil, public TO mallory; SET ROLE mallory; SET search_path = pg_catalog;" . <<'SQL' =~ s/NAMES/$names/r;
	CREATE FUNCTION evil.tell(what text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'hostile ran: %', what; RETURN NULL; END $$;
	-- what it makes: in evil, which is searched first, the same as the server's; in public what fits better than the server's
	DO $do$
	DECLARE
		o record; arguments text; result text; alike text[] := ARRAY['text', 'name', 'varchar', 'oid', 'regclass', 'int2', 'int4', 'int8',
			'"char"', 'bool', 'uuid', 'public.ulid', 'regtype', 'text[]', 'int2[]', 'oid[]', 'timestamptz', 'interval', 'json', 'jsonb', 'xid', 'bytea'];
		body text := ' LANGUAGE plpgsql AS $f$ BEGIN PERFORM evil.tell(%L); RETURN NULL; END $f$';
	BEGIN
		FOR o IN SELECT p.oid, proname, pronargs, prokind, format_type(prorettype, -1) AS result, oidvectortypes(proargtypes) AS types
			FROM pg_proc p WHERE pronamespace = 'pg_catalog'::regnamespace AND proname IN (NAMES) AND prokind IN ('f', 'a', 'w')
				AND NOT proargtypes::oid[] && ARRAY['internal', 'cstring', 'event_trigger']::regtype[]::oid[]
		LOOP
			result := CASE WHEN o.result LIKE 'any%' OR o.result IN ('record', 'internal', 'trigger') THEN 'text' ELSE o.result END;
			FOREACH arguments IN ARRAY ARRAY['evil.' || replace(o.types, '"any"', 'VARIADIC text[]'),
				'public.' || replace(o.types, 'text', 'name'), 'public.' || replace(o.types, 'text', 'varchar'),
				'public.' || replace(o.types, 'name', 'varchar'), 'public.' || replace(o.types, 'oid', 'regclass'),
				'public.' || replace(o.types, 'bigint', 'smallint'), 'public.' || replace(o.types, 'anyelement', 'text'),
				'public.' || replace(o.types, 'anyarray', 'text[]'), 'public.' || replace(o.types, '"any"', 'VARIADIC text[]'),
				'public.' || replace(o.types, '"any"', 'text')]
			LOOP
				BEGIN
					EXECUTE format('CREATE FUNCTION %s.%I(%s) RETURNS %s' || format(body, o.proname), split_part(arguments, '.', 1), o.proname,
						substr(arguments, strpos(arguments, '.') + 1), result);
				EXCEPTION WHEN OTHERS THEN NULL;
				END;
			END LOOP;
		END LOOP;
		FOR o IN SELECT DISTINCT oprname, l, r FROM unnest(ARRAY['=', '<>', '<', '<=', '>', '>=', '||', '~', '!~', '~~', '!~~', '~*', '&', '-', '+', '&&', '@>', '->', '->>', '*']) oprname,
			unnest(alike) l, unnest(alike) r
		LOOP
			BEGIN
				EXECUTE format('CREATE FUNCTION evil.op_%s(%s, %s) RETURNS boolean' || format(body, o.oprname || o.l || o.r), md5(o.oprname), o.l, o.r);
				EXECUTE format('CREATE OPERATOR evil.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = evil.op_%s)', o.oprname, o.l, o.r, md5(o.oprname));
				EXECUTE format('CREATE OPERATOR public.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = evil.op_%s)', o.oprname, o.l, o.r, md5(o.oprname));
			EXCEPTION WHEN OTHERS THEN NULL;
			END;
		END LOOP;
	END $do$;
	CREATE VIEW evil.pg_settings AS SELECT name, setting, evil.tell('pg_settings') AS hostile FROM pg_catalog.pg_settings WHERE evil.tell('pg_settings') IS NULL;
	CREATE VIEW evil.pg_class AS SELECT *, evil.tell('pg_class') AS hostile FROM pg_catalog.pg_class WHERE evil.tell('pg_class') IS NULL;
	CREATE TABLE evil.pg_extension (extname name, extnamespace oid);
	CREATE DOMAIN evil.text AS pg_catalog.text CHECK (evil.tell('text') IS NULL);
	CREATE DOMAIN evil.regclass AS pg_catalog.text CHECK (evil.tell('regclass') IS NULL);
	CREATE DOMAIN evil.uuid AS pg_catalog.uuid CHECK (evil.tell('uuid') IS NULL);
	CREATE DOMAIN evil.ulid AS public.ulid CHECK (evil.tell('ulid') IS NULL);
SQL
# What ran since the last time that this was asked.
my $seen = 0;
sub ran
{
	my $log = substr(slurp_file($node->logfile), $seen);
	$seen = -s $node->logfile;
	my %ran = map { $_ => 1 } $log =~ /hostile ran: (.*)/g;
	return join "\n", sort keys %ran;
}
query('postgres', 'CREATE ROLE mallory');
query('postgres', 'CREATE DATABASE shop');
query('shop', 'CREATE EXTENSION ulid');
# In one database, so that what is copied is in the first one's publication of all tables.
foreach my $schema ('schema', 'copied')
{
	my ($code, $err) = run_file('shop', "$here/moving/$schema.sql", '-q', '-v', 'ON_ERROR_STOP=1', '-v', 'rows=20');
	$code == 0 or BAIL_OUT($err);
}
query('shop', $more);
my @dump = ('shop', '-s', '-N', 'evil', '-N', 'public');
my $before = dump_of(@dump);
query('shop', $hostile);
cmp_ok(query('shop', "SELECT count(*) FROM pg_proc WHERE proowner = 'mallory'::regrole AND pronamespace = 'public'::regnamespace"), '>', 150, 'functions in the schema of the extension');
cmp_ok(query('shop', "SELECT count(*) FROM pg_operator WHERE oprowner = 'mallory'::regrole AND oprnamespace = 'public'::regnamespace"), '>', 2000, 'and operators');
query('postgres', 'ALTER DATABASE shop SET search_path = evil, public, pg_catalog');
ran();
$node->psql('shop', "SELECT quote_ident('x'::pg_catalog.name), 1::pg_catalog.oid OPERATOR(public.=) 1::pg_catalog.int4");
like(ran(), qr/quote_ident/, 'they would be called');
there_and_back('in place', 'shop.customer, shop.customer.external, shop.invoice, shop.line, shop.parent.id, shop.event, shop.indexed, shop.indexed.u, shop.no_two, shop.partly, shop.partly.up', 'uuid');
there_and_back('of text, by copying', 'store.account, store.account.external, store.item, store.plain', 'text', 'store.plain');
there_and_back('of uuid, by copying', 'store.hashed, store.parts', 'uuid', 'store.parts');
query('postgres', 'ALTER DATABASE shop RESET search_path');
same_schema(dump_of(@dump), $before, 'there and back: the schema is as it was, to the letter');

sub there_and_back
{
	my ($set, $columns, $back, $table) = @_;
	my %file;
	foreach my $to ('ulid', $back)
	{
		my $why;
		($file{$to}, $why) = write_script('shop', $columns, $to, '-v', 'texts=known');
		ok($file{$to}, "$set: a script to $to is written") or BAIL_OUT($why);
		is(ran(), '', "$set: and nothing of it runs");
	}
	foreach my $to ('ulid', $back)
	{
		if ($table)
		{
			# clients while it runs, with every kind of statement
			my ($begin) = slurp_file($file{$to}) =~ /\A(.*?)^-- 3\. /ms;
			is((run_file('shop', write_part($begin)))[0], 0, "$set, to $to: begun");
			is(ran(), '', "$set, to $to: nothing runs");
			$node->psql('shop', "INSERT INTO $table (n) VALUES (2), (3); UPDATE $table SET n = NULL; DELETE FROM $table; INSERT INTO $table (n) VALUES (4);
				BEGIN ISOLATION LEVEL REPEATABLE READ; UPDATE $table SET n = 5; DELETE FROM $table; COMMIT; TRUNCATE $table; INSERT INTO $table (n) VALUES (6)", on_error_die => 1);
			is(ran(), '', "$set, to $to: nor for a client that searches it first");
		}
		foreach my $time ('', ', again')
		{
			my ($code, $err) = run_file('shop', $file{$to});
			is($code, 0, "$set: the script to $to runs$time") or diag $err;
			is(ran(), '', "$set, to $to: and nothing of it$time");
		}
	}
	return;
}

$node->stop;
done_testing();
