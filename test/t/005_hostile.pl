# The owner of a database, not a superuser, installs the extension where somebody else has made objects of the
# same names. It is refused, or it is what it is in an empty database; and none of them runs, neither then nor
# when the extension is used.
use lib 'test/lib';
use UlidCluster;

my $node = new_cluster('main');
$node->start;
$node->safe_psql('postgres',
    'CREATE ROLE owner; CREATE ROLE mallory; CREATE DATABASE clean OWNER owner; CREATE DATABASE owned OWNER owner');
$node->safe_psql('owned', 'CREATE SCHEMA evil; GRANT ALL ON SCHEMA public, evil TO owner, mallory');
$node->safe_psql('clean', 'SET ROLE owner; CREATE EXTENSION ulid');
my $clean = $node->safe_psql('clean', extension_catalog_sql());
cmp_ok(scalar(() = $clean =~ /^pg_proc\|/mg), '>', 50, 'the catalog of the extension is compared');

# SQL that makes functions in a schema, given as signature and result. What they do is to tell.
sub functions {
    my ($schema, %results) = @_;
    return join '', map { "CREATE FUNCTION $schema.$_ RETURNS $results{$_} LANGUAGE plpgsql IMMUTABLE AS
        \$\$ BEGIN RAISE WARNING 'hostile ran: %', \$f\$$_\$f\$; RETURN NULL; END \$\$;\n" } sort keys %results;
}

# SQL that makes operators of two types.
sub operators {
    my ($schema, $left, $right, @names) = @_;
    return functions($schema, "op($left, $right)" => 'boolean')
        . join '', map { "CREATE OPERATOR $schema.$_ (LEFTARG = $left, RIGHTARG = $right, FUNCTION = $schema.op);\n" } @names;
}
my @comparisons = qw(< <= = >= > <>);

# What psql says of SQL that ends a transaction.
sub said {
    my ($database, $sql) = @_;
    my ($status, $out, $err) = $node->psql($database, "\\set VERBOSITY verbose\nBEGIN;\n$sql;\nROLLBACK", on_error_stop => 1);
    return ($out, $err);
}

my %of_ours = (
    'gen_ulid(timestamp)' => 'uuid', 'gen_ulid(date)' => 'uuid', 'gen_ulid(VARIADIC text[])' => 'uuid',
    'gen_random_ulid(text)' => 'uuid', 'ulid_is_valid(varchar)' => 'boolean', 'ulid_min(timestamp)' => 'uuid',
    'ulid_next(uuid)' => 'uuid', 'ulid_timestamp(uuid)' => 'timestamptz', 'ulid_eq(uuid, uuid)' => 'boolean',
    'make_ulid(timestamp, bytea)' => 'uuid');
my %of_any = (
    (map { ("ulid_$_(anyelement, anyelement)" => 'boolean') } qw(lt le eq ge gt ne lt_uuid lt_timestamptz)),
    'ulid_cmp(anyelement, anyelement)' => 'integer', 'ulid_hash(anyelement)' => 'integer',
    'ulid_larger(anyelement, anyelement)' => 'anyelement', 'ulid_to_bytea(anyelement)' => 'bytea',
    'ulid_timestamp(VARIADIC anyarray)' => 'timestamptz');
my %of_the_server = (
    'btequalimage(oid)' => 'boolean', 'uuid_cmp(uuid, uuid)' => 'integer', 'uuid_hash(uuid)' => 'integer',
    'uuid_hash_extended(uuid, bigint)' => 'bigint',
    'in_range(anyelement, anyelement, interval, boolean, boolean)' => 'boolean');
my @types = qw(timestamptz timestamp interval bytea oid cstring internal text bpchar date);

# Kinds of hostile objects, each with who makes it and the SQL. `path` is the search path that the owner
# installs with, and `refused` the SQLSTATE he gets.
my @kinds = (
    [ 'functions of the server', 'mallory', functions('public', %of_the_server) ],
    [ 'functions of ours with other arguments', 'mallory', functions('public', %of_ours) ],
    [ 'functions of ours for any argument', 'mallory', functions('public', %of_any) ],
    (map { [ "operators of $_", 'mallory', operators('public', $_, $_, @comparisons) ] } 'uuid', 'timestamptz'),
    [ 'operators of any type', 'mallory', operators('public', 'anyelement', 'anyelement', @comparisons, qw(<-> <@ @> ^@)) ],
    [ 'aggregates', 'mallory', functions('public', 'step(anyelement, anyelement)' => 'anyelement')
            . join '', map { "CREATE AGGREGATE public.$_(anyelement) (SFUNC = public.step, STYPE = anyelement);" } 'min', 'max' ],
    [ 'a domain named uuid', 'mallory', 'CREATE DOMAIN public.uuid AS text' ],
    [ 'domains named as types of arguments', 'mallory', functions('public', 'accept(text)' => 'boolean')
            . join '', map { qq{CREATE DOMAIN public."$_" AS pg_catalog.text CHECK (public.accept(VALUE));} } @types ],
    [ 'tables named as types of arguments', 'mallory', join '', map { qq{CREATE TABLE public."$_" (a int);} } 'uuid', @types ],
    [ 'a range named anyrange', 'mallory', 'CREATE TYPE public.anyrange AS RANGE (subtype = int4)' ],
    [ 'a type that timestamptz is cast to', 'mallory', 'CREATE TYPE public.bait AS (a int);'
            . functions('public', 'bait_of(timestamptz)' => 'public.bait', map { ($_ => 'uuid') } 'gen_ulid(public.bait)', 'ulid_min(public.bait)')
            . 'CREATE CAST (timestamptz AS public.bait) WITH FUNCTION public.bait_of AS IMPLICIT' ],
    [ 'a schema named ulid', 'superuser', 'CREATE SCHEMA ulid;' . functions('ulid', %of_ours), path => 'public, ulid' ],
    [ 'a schema that is searched first', 'mallory', functions('evil', %of_ours, %of_any, %of_the_server)
            . operators('evil', 'anyelement', 'anyelement', @comparisons), path => 'evil, public, pg_catalog' ],
    [ 'a schema that is searched last', 'mallory', functions('evil', %of_ours, %of_any, %of_the_server)
            . operators('evil', 'anyelement', 'anyelement', @comparisons), path => 'public, pg_catalog, evil' ],
    [ 'an empty search path', 'owner', 'SELECT', path => q{''}, create => 'CREATE EXTENSION ulid SCHEMA public' ],
    [ 'a temporary table named ulid', 'owner', 'CREATE TEMP TABLE ulid (a int)' ],
    [ 'a temporary domain named ulid', 'owner', 'CREATE DOMAIN pg_temp.ulid AS text' ],
    [ 'temporary functions, operators and types', 'owner', functions('pg_temp', %of_any, %of_the_server)
            . operators('pg_temp', 'anyelement', 'anyelement', @comparisons) . 'CREATE DOMAIN pg_temp.uuid AS text' ],
    [ 'settings', 'owner', ($node->pg_version->major < 19 ? 'SET standard_conforming_strings = off; ' : '')
            . 'SET check_function_bodies = off; SET transform_null_equals = on; SET quote_all_identifiers = on; SET array_nulls = off;
            SET bytea_output = escape; SET default_toast_compression = pglz' ],
    [ 'privileges by default', 'mallory', 'ALTER DEFAULT PRIVILEGES GRANT ALL ON FUNCTIONS TO mallory;
        ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC' ],
    [ 'an event trigger', 'superuser', q{CREATE FUNCTION evil.audit() RETURNS event_trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM object_identity FROM pg_event_trigger_ddl_commands(); END $$;
        CREATE EVENT TRIGGER audit ON ddl_command_end EXECUTE FUNCTION evil.audit()} ],
    (map { [ "the type of CREATE $_", 'mallory', "CREATE $_", refused => '42710' ] } q{TYPE public.ulid AS ENUM ('a')},
        'DOMAIN public.ulid AS uuid', 'TYPE public.ulid AS RANGE (subtype = uuid)', 'TYPE public.ulid AS (a uuid)',
        'TABLE public.ulid (a uuid)', 'DOMAIN public.ulid_gist_key AS bytea'),
    [ 'a shell type named ulid', 'superuser', 'CREATE TYPE public.ulid', refused => '42710' ],
    (map { [ "the function $_", 'mallory', functions('public', $_ => 'uuid'), refused => '42723' ] }
            'gen_ulid()', 'gen_ulid(timestamptz)', 'gen_random_ulid()', 'gen_monotonic_ulid()', 'ulid_is_valid(text)',
        'ulid_lower_bound(timestamptz)'),
    [ 'a procedure', 'mallory', 'CREATE PROCEDURE public.gen_random_ulid() LANGUAGE sql AS $$ SELECT 1 $$', refused => '42723' ],
    (map { [ "an operator family of $_", 'superuser', "CREATE OPERATOR FAMILY public.ulid_ops USING $_", refused => '42710' ] }
            qw(btree hash gin)),
    [ 'an operator class', 'superuser', 'CREATE OPERATOR CLASS public.ulid_ops FOR TYPE uuid USING hash AS OPERATOR 1 pg_catalog.=',
        refused => '42710' ]);

for (@kinds) {
    my ($kind, $role, $hostile, %case) = @$_;
    my $path = $case{path} // '';
    my ($out, $err) = said('owned', join ";\n", ($role eq 'superuser' ? () : "SET SESSION AUTHORIZATION $role"), $hostile,
        'SET SESSION AUTHORIZATION owner', ($path ? "SET search_path = $path" : ()), 'SELECT $$made$$',
        $case{create} // 'CREATE EXTENSION ulid', 'RESET SESSION AUTHORIZATION', 'RESET ALL', extension_catalog_sql());
    unlike($err, qr/hostile ran/, "$kind: nothing of it runs");
    if ($case{refused}) {
        ok($out eq 'made' && $err =~ /ERROR:  $case{refused}: .* already exists/, "$kind: the installation is refused") or diag $out, $err;
        next;
    }
    is($err =~ s/^.*NOTICE.*\n//mgr, '', "$kind: no error");
    # It goes where the owner's search path says.
    $out =~ s/evil\./public./g if $path =~ /^evil/;
    my %differing;
    $differing{$_}++ for split /\n/, $clean;
    $differing{$_}-- for grep { $_ ne 'made' } split /\n/, $out;
    is(join("\n", grep { $differing{$_} } sort keys %differing), '', "$kind: the extension is what it is elsewhere");
}

# Once it is there: for each function of the extension, and for each of its operators and of the server's of
# those names, one of the same name and types in a schema that is searched first.
sub owned { return $node->safe_psql('owned', $_[0]) }
owned('SET ROLE owner; CREATE EXTENSION ulid');
my @functions = split /\n/, owned(q{SELECT format('%I(%s)', proname, oidvectortypes(proargtypes))
    FROM pg_depend JOIN pg_proc p ON classid = 'pg_proc'::regclass AND p.oid = objid
    WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ulid')
        AND NOT proargtypes::oid[] && ARRAY['internal', 'cstring', '"any"']::regtype[]::oid[]});
my @operators = split /\n/, owned(q{
    SELECT concat_ws(E'\t', oprleft::regtype, oprright::regtype, string_agg(DISTINCT oprname, E'\t'))
    FROM pg_operator, (SELECT ARRAY['ulid', 'uuid', 'timestamptz', 'timestamp', 'interval', 'date', 'text', 'anyrange', 'anymultirange',
            'anyarray', 'anyelement']::regtype[]::oid[]) AS t (types)
    WHERE oprname IN (SELECT oprname FROM pg_operator WHERE 'ulid'::regtype IN (oprleft, oprright))
        AND oprleft = ANY (types) AND oprright = ANY (types)
    GROUP BY oprleft, oprright});
owned(join "\n", 'SET ROLE mallory;', functions('evil', map { $_ => 'boolean' } @functions),
    (map { operators('evil', split /\t/) } @operators),
    'CREATE DOMAIN evil.ulid AS public.ulid; CREATE DOMAIN evil.timestamptz AS text; CREATE DOMAIN evil.uuid AS text');
cmp_ok(owned(q{SELECT count(*) FROM pg_operator WHERE oprnamespace = 'evil'::regnamespace}), '>', 60,
    'hostile operators of the same types');

# What is named with its schema is what runs, with all that follows from it.
my $use = q{
    CREATE TABLE public.used (id public.ulid PRIMARY KEY DEFAULT public.gen_ulid(), n int,
        EXCLUDE USING gist (id WITH OPERATOR(pg_catalog.=)));
    INSERT INTO public.used (id, n)
        SELECT public.ulid_min('2026-01-01'::pg_catalog.timestamptz OPERATOR(pg_catalog.+) i * '1 h'::pg_catalog.interval), i FROM pg_catalog.generate_series(1, 2000) AS i;
    INSERT INTO public.used (n) VALUES (0) ON CONFLICT (id) DO NOTHING;
    DELETE FROM public.used WHERE n OPERATOR(pg_catalog.=) 0;
    CREATE INDEX ON public.used USING hash (id);
    CREATE INDEX ON public.used USING brin (id, id public.ulid_minmax_multi_ops, id public.ulid_bloom_ops);
    CREATE INDEX ON public.used USING gin (id);
    CREATE INDEX ON public.used ((id::pg_catalog.timestamptz)) WHERE id OPERATOR(pg_catalog.>) '2026-03-01'::pg_catalog.timestamptz;
    CREATE TABLE public.refers (ref pg_catalog.uuid REFERENCES public.used);
    INSERT INTO public.refers SELECT id FROM public.used WHERE n OPERATOR(pg_catalog.<) 100;
    CREATE TABLE public.parted (id public.ulid) PARTITION BY RANGE (id);
    CREATE TABLE public.parted_1 PARTITION OF public.parted
        FOR VALUES FROM (MINVALUE) TO (public.ulid_min('2026-02-01'::pg_catalog.timestamptz));
    CREATE TABLE public.parted_2 PARTITION OF public.parted
        FOR VALUES FROM (public.ulid_min('2026-02-01'::pg_catalog.timestamptz)) TO (MAXVALUE);
    INSERT INTO public.parted SELECT id FROM public.used;
    CREATE STATISTICS public.s ON id, n FROM public.used;
    ANALYZE public.used, public.refers, public.parted;
    CLUSTER public.used USING used_pkey;
    PREPARE q(pg_catalog.timestamptz) AS SELECT pg_catalog.count(*) FROM public.used
        WHERE id::pg_catalog.timestamptz OPERATOR(pg_catalog.>=) $1;
    SET plan_cache_mode = force_generic_plan;
};
my @queries = (
    'EXECUTE q($t)',
    (map { "SELECT count(*) FROM used WHERE $_" } 'id OPERATOR(pg_catalog.<) $t', 'public.ulid_within(id, tstzrange($t, NULL))',
        'id::timestamptz OPERATOR(pg_catalog.<@) tstzrange($t, NULL)', 'id::timestamptz OPERATOR(pg_catalog.<) $t',
        'id::timestamptz OPERATOR(pg_catalog.=) $t', q{id OPERATOR(pg_catalog.^@) '01KE'},
        'id OPERATOR(pg_catalog.=) ANY (ARRAY[public.ulid_min($t), NULL])'),
    'SELECT count(*) FROM parted WHERE id::timestamptz OPERATOR(pg_catalog.>=) $t',
    'SELECT count(*) FROM used AS a JOIN refers AS b ON a.id OPERATOR(pg_catalog.=) b.ref',
    'SELECT count(*) FROM used AS a JOIN parted AS b ON a.id OPERATOR(pg_catalog.=) b.id',
    'SELECT id FROM used ORDER BY id OPERATOR(pg_catalog.<->) ($t)::public.ulid LIMIT 3',
    'SELECT DISTINCT id FROM used ORDER BY id DESC LIMIT 2',
    'SELECT pg_catalog.min(id), pg_catalog.max(id) FROM used',
    q{SELECT count(*) OVER (ORDER BY id RANGE '1 day' PRECEDING) FROM used ORDER BY id OFFSET 100 LIMIT 1},
    'SELECT count(*) FROM (SELECT id FROM used GROUP BY id INTERSECT SELECT id FROM parted) AS a',
    'UPDATE used SET id = public.ulid_next(id, $t) WHERE n OPERATOR(pg_catalog.=) 500',
    'DELETE FROM used WHERE n OPERATOR(pg_catalog.=) 600');
my $answers = join ";\n", map { (/^EXECUTE|^[UD]/ ? () : "EXPLAIN (COSTS OFF) $_"), $_ }
    map { s/\$t/'2026-02-10'::timestamptz/gr =~ s/(?<!\.)\b(count|tstzrange|timestamptz|timestamp)\b/pg_catalog.$1/gr
        =~ s/\b(used|parted|refers)\b/public.$1/gr } @queries;
my %result;
for my $path ('public', q{''}, 'evil, public', 'evil, public, pg_catalog') {
    my ($out, $err) = said('owned', "SET SESSION AUTHORIZATION owner;\nSET search_path = $path;\n$use$answers");
    is($err, '', "$path: used with no error and nothing hostile");
    # A plan names what is not found by its name alone with its schema.
    $result{$path} = $out =~ s/OPERATOR\((?:public|pg_catalog)\.(\S+)\)/$1/gr =~ s/\b(?:public|pg_catalog)\.//gr;
}
is($result{$_}, $result{public}, "$_: the answers and the plans are those of a clean search path") for sort keys %result;
like($result{public}, qr/Index Cond: .*Index Cond: /s, 'the plans use indexes');
my ($out, $err) = said('owned',
    'SET search_path = evil, public, pg_catalog; SELECT public.gen_ulid() < now(); SELECT ulid_timestamp(public.gen_ulid())');
is(scalar(() = $err =~ /hostile ran/g), 2, 'unqualified names find the hostile objects');

# Operators of the user's own with the same names and types. Those of the extension win, unless the path says otherwise.
($out, $err) = said('owned', "CREATE FUNCTION public.never(public.ulid, public.ulid) RETURNS boolean LANGUAGE sql AS 'SELECT NULL::boolean';
    CREATE OPERATOR public.= (LEFTARG = public.ulid, RIGHTARG = public.ulid, FUNCTION = public.never);
    CREATE AGGREGATE public.min(public.ulid) (SFUNC = public.ulid_larger, STYPE = public.ulid);
    SELECT public.ulid_min(now()) = public.ulid_min(now()), min(i)
        FROM unnest('{01GV5PA9EQG7D82Q3Y4PKBZSYV,7ZZZZZZZZZZZZZZZZZZZZZZZZZ}'::public.ulid[]) AS i;
    SELECT public.ulid_min(now()) OPERATOR(public.=) public.ulid_min(now()) IS NULL");
is("$out$err", "t|01GV5PA9EQG7D82Q3Y4PKBZSYV\nt", 'an operator and an aggregate in public are used only by their schema');
is(owned(extension_catalog_sql()), $clean, 'the extension is what it was');

done_testing();
