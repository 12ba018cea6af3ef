# Every function of the extension that SQL can call, called by a role without privileges with NULL, extreme
# and random values: a result or a plain error, never an internal one or a lost connection.
# ULID_TEST_CALLS sets how often (20,000 by default).
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

my $calls = $ENV{ULID_TEST_CALLS} || 20_000;
my $seed = $ENV{ULID_TEST_SEED} || time % 1000 / 1000;
note "ULID_TEST_SEED=$seed";

my $node = new_cluster('main');
$node->start;
create_extension($node);
$node->safe_psql('postgres', q{
	CREATE TABLE some_value (type regtype, value text);
	INSERT INTO some_value VALUES
		('ulid', '00000000000000000000000000'), ('ulid', '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), ('ulid', '01ARZ3NDEKTSV4RRFFQ69G5FAV'),
		('ulid', '01ARZ3NDEKZZZZZZZZZZZZZZZZ'),
		('uuid', '00000000-0000-0000-0000-000000000000'), ('uuid', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
		('text', ''), ('text', '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), ('text', '8ZZZZZZZZZZZZZZZZZZZZZZZZZ'), ('text', 'é'),
		('text', repeat('0', 26)), ('text', repeat('x', 10000)), ('text', '01arz3ndektsv4rrffq69g5fav'),
		('bytea', ''), ('bytea', '\x00'), ('bytea', '\x' || repeat('ff', 10)), ('bytea', '\x' || repeat('ff', 16)),
		('bytea', '\x' || repeat('ff', 17)), ('bytea', '\x' || repeat('00', 5000)),
		('interval', '0'), ('interval', '-178000000 years'), ('interval', '178000000 years'), ('interval', '-1 ms'), ('interval', '1 month'),
		('boolean', 't'), ('boolean', 'f'),
		('smallint', '-32768'), ('smallint', '32767'), ('smallint', '0'), ('integer', '-2147483648'), ('integer', '2147483647'), ('integer', '0'),
		('bigint', '-9223372036854775808'), ('bigint', '9223372036854775807'), ('bigint', '0'), ('oid', '0'), ('oid', '4294967295'),
		('double precision', 'NaN'), ('double precision', '-Infinity'), ('double precision', '0'), ('double precision', '1e300'),
		('regclass', '0'), ('regclass', 'pg_class'), ('regclass', 'some_value'), ('name', ''), ('name', 'id');
	INSERT INTO some_value SELECT type, value FROM unnest(ARRAY['timestamptz', 'timestamp']::regtype[]) AS type,
		unnest(ARRAY['-infinity', 'infinity', '4714-11-24 00:00:00 BC', '294276-12-31 23:59:59', '1969-12-31 23:59:59.999999',
			'1970-01-01', '10889-08-02 05:31:50.655', '10889-08-02 05:31:50.656', '2026-01-01 00:00:00.0005']) AS value;
	INSERT INTO some_value VALUES ('date', '-infinity'), ('date', '5874897-12-31'), ('date', '2026-01-01');
	INSERT INTO some_value SELECT type, value FROM unnest(ARRAY['tstzrange', 'tstzmultirange', 'anyrange', 'anymultirange']::regtype[]) AS type,
		unnest(ARRAY['empty', '(,)', '[2026-01-01,)', '[-infinity,infinity]', '(1960-01-01,11000-01-01)']) AS range,
		LATERAL (SELECT CASE WHEN type::text ~ 'multi' THEN replace('{' || range || '}', '{empty}', '{}') ELSE range END) AS v(value);
	-- A literal of a type, of an argument's: now and then NULL, now and then random.
	CREATE FUNCTION literal_of(argument regtype) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		type text := CASE argument::text WHEN 'anyrange' THEN 'tstzrange' WHEN 'anymultirange' THEN 'tstzmultirange'
			WHEN '"any"' THEN 'ulid' WHEN 'cstring' THEN 'text' WHEN 'anyelement' THEN 'ulid' ELSE argument::text END;
		is_array boolean := type ~ '\[\]$';
		element text := rtrim(type, '[]');
		element_type regtype := pg_catalog.to_regtype(element);
		chosen text;
	BEGIN
		IF random() < 0.05 THEN RETURN 'NULL::' || CASE type WHEN 'text' THEN argument::text ELSE type END; END IF;
		IF random() < 0.3 THEN
			chosen := CASE element
				WHEN 'ulid' THEN gen_random_ulid()::text
				WHEN 'uuid' THEN gen_random_uuid()::text
				WHEN 'text' THEN translate(md5(random()::text), 'abc', 'ILé')
				WHEN 'bytea' THEN '\x' || left(md5(random()::text), 2 * (random() * 16)::int)
				WHEN 'integer' THEN (random() * 4e9 - 2e9)::bigint::text
				WHEN 'bigint' THEN (random() * 1e18)::bigint::text
				WHEN 'interval' THEN (random() * 1e6 - 5e5)::int || ' seconds'
				WHEN 'timestamp with time zone' THEN to_timestamp(random() * 3e11 - 1e10)::text END;
		END IF;
		IF chosen IS NULL THEN
			SELECT value INTO chosen FROM public.some_value v WHERE v.type = element_type ORDER BY random() LIMIT 1;
		END IF;
		IF chosen IS NULL THEN RETURN NULL; END IF;
		RETURN CASE WHEN is_array THEN format('ARRAY[%L, NULL]::%s', chosen, type) ELSE format('%L::%s', chosen, type) END
			|| CASE WHEN argument::text = 'cstring' THEN '::cstring' ELSE '' END;
	END $$;
	CREATE ROLE nobody_much;
	GRANT SELECT ON some_value TO nobody_much;
	CREATE FUNCTION call_all(calls int, OUT called bigint, OUT failed bigint, OUT functions bigint, OUT internal text, OUT unknown text)
	LANGUAGE plpgsql AS $$
	DECLARE
		function record;
		statement text;
		state text;
		message text;
	BEGIN
		called := 0; failed := 0; functions := 0; internal := ''; unknown := '';
		FOR function IN SELECT p.oid::regprocedure AS name, p.oid::regproc AS short, proargtypes::oid[]::regtype[] AS arguments, prokind
			FROM pg_depend JOIN pg_proc p ON p.oid = objid
			WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ulid') AND classid = 'pg_proc'::regclass
				AND NOT 'internal'::regtype = ANY (proargtypes::oid[]) AND prorettype <> 'trigger'::regtype AND prokind IN ('f', 'a')
			ORDER BY 1
		LOOP
			functions := functions + 1;
			FOR i IN 1 .. calls LOOP
				SELECT format('SELECT pg_catalog.count(r) FROM (SELECT %s(%s) AS r) AS results', function.short,
						string_agg(literal, ', ' ORDER BY n)) INTO statement
					FROM (SELECT literal_of(a) AS literal, n FROM unnest(function.arguments) WITH ORDINALITY AS a(a, n) OFFSET 0) AS literals
					HAVING count(*) = count(literal);
				IF cardinality(function.arguments) = 0 THEN statement := format('SELECT %s()', function.short); END IF;
				IF statement IS NULL THEN unknown := unknown || function.name || ' '; EXIT; END IF;
				BEGIN
					called := called + 1;
					EXECUTE statement;
				EXCEPTION WHEN OTHERS THEN
					failed := failed + 1;
					GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
					-- Values that are refused are of class 22; what needs a privilege, 42501.
					IF state !~ '^(22|0A|42501|42804|42809)' THEN internal := internal || format('%s: %s %s; ', statement, state, message); END IF;
				END;
			END LOOP;
		END LOOP;
	END $$;
});
my $functions = $node->safe_psql('postgres', q{SELECT functions FROM call_all(0)});
my ($rc, $out, $err) = $node->psql('postgres', "SET ROLE nobody_much; SELECT setseed($seed); SELECT * FROM call_all(" . (1 + int($calls / $functions)) . ")");
is($rc, 0, 'no connection is lost') or diag $err;
my ($called, $failed, $count, $internal, $unknown) = split /\|/, (split /\n/, $out)[-1], 5;
note "$called calls of $count functions, $failed errors";
cmp_ok($called, '>', 0.7 * $calls, 'functions are called');
cmp_ok($failed, '>', 0, 'some values are refused');
cmp_ok($failed, '<', $called / 2, 'most are not');
is(substr($internal, 0, 2000), '', 'no error is internal');
like($unknown, qr/^(?:\w+\([^()]*\bulid_gist_key\b[^()]*\) )+$/, 'there are values for each function, but for a type that has none');
is(log_count($node, 'terminated by signal'), 0, 'no backend crashed');
$node->stop;
done_testing();
