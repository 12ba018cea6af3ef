# The owner of a database, not a superuser, installs the extension where somebody else has made objects of the
# same names. It is refused, or it is what it is in an empty database, and none of them runs. (C finds its objects by
# OID, and parsed bodies are resolved then.)
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
    return join '', map {
        "CREATE FUNCTION $schema.$_ RETURNS $results{$_} LANGUAGE plpgsql IMMUTABLE AS
        \$\$ BEGIN RAISE WARNING 'hostile ran: %', \$f\$$_\$f\$; RETURN NULL; END \$\$;\n"
    } sort keys %results;
}

# SQL that makes operators of two types.
sub operators {
    my ($schema, $left, $right, @names) = @_;
    return functions($schema, "op($left, $right)" => 'boolean') . join '',
        map { "CREATE OPERATOR $schema.$_ (LEFTARG = $left, RIGHTARG = $right, FUNCTION = $schema.op);\n" } @names;
}
my @comparisons = qw(< <= = >= > <>);

# What psql says of SQL that ends a transaction.
sub said {
    my ($database, $sql) = @_;
    my ($status, $out, $err) =
        $node->psql($database, "\\set VERBOSITY verbose\nBEGIN;\n$sql;\nROLLBACK", on_error_stop => 1);
    return ($out, $err);
}

my %of_ours = (
    'gen_ulid(timestamp)' => 'uuid',
    'gen_ulid(date)' => 'uuid',
    'gen_ulid(VARIADIC text[])' => 'uuid',
    'gen_random_ulid(text)' => 'uuid',
    'ulid_is_valid(varchar)' => 'boolean',
    'ulid_min(timestamp)' => 'uuid',
    'ulid_next(uuid)' => 'uuid',
    'ulid_timestamp(uuid)' => 'timestamptz',
    'ulid_eq(uuid, uuid)' => 'boolean',
    'make_ulid(timestamp, bytea)' => 'uuid'
);
my %of_any = (
    (map { ("ulid_$_(anyelement, anyelement)" => 'boolean') } qw(lt le eq ge gt ne lt_uuid lt_timestamptz)),
    'ulid_cmp(anyelement, anyelement)' => 'integer',
    'ulid_hash(anyelement)' => 'integer',
    'ulid_larger(anyelement, anyelement)' => 'anyelement',
    'ulid_to_bytea(anyelement)' => 'bytea',
    'ulid_timestamp(VARIADIC anyarray)' => 'timestamptz'
);
my %of_the_server = (
    'btequalimage(oid)' => 'boolean',
    'uuid_cmp(uuid, uuid)' => 'integer',
    'uuid_hash(uuid)' => 'integer',
    'uuid_hash_extended(uuid, bigint)' => 'bigint',
    'in_range(anyelement, anyelement, interval, boolean, boolean)' => 'boolean'
);
my @types = qw(timestamptz timestamp interval bytea oid cstring internal text bpchar date);

# Kinds of hostile objects, each with who makes it and the SQL. `path` is the search path that the owner
# installs with, and `refused` the SQLSTATE he gets.
my @kinds = (
    [ 'functions of the server', 'mallory', functions('public', %of_the_server) ],
    [ 'functions of ours with other arguments', 'mallory', functions('public', %of_ours) ],
    [ 'functions of ours for any argument', 'mallory', functions('public', %of_any) ],
    (map { [ "operators of $_", 'mallory', operators('public', $_, $_, @comparisons) ] } 'uuid', 'timestamptz'),
    [
        'operators of any type',
        'mallory', operators('public', 'anyelement', 'anyelement', @comparisons, qw(<-> <@ @> ^@))
    ],
    [
        'aggregates', 'mallory',
        functions('public', 'step(anyelement, anyelement)' => 'anyelement') . join '',
        map { "CREATE AGGREGATE public.$_(anyelement) (SFUNC = public.step, STYPE = anyelement);" } 'min', 'max'
    ],
    [ 'a domain named uuid', 'mallory', 'CREATE DOMAIN public.uuid AS text' ],
    [
        'domains named as types of arguments',
        'mallory',
        functions('public', 'accept(text)' => 'boolean') . join '',
        map { qq{CREATE DOMAIN public."$_" AS pg_catalog.text CHECK (public.accept(VALUE));} } @types
    ],
    [
        'tables named as types of arguments',
        'mallory', join '', map { qq{CREATE TABLE public."$_" (a int);} } 'uuid', @types
    ],
    [
        'a type that timestamptz is cast to',
        'mallory',
        'CREATE TYPE public.bait AS (a int);'
            . functions(
            'public',
            'bait_of(timestamptz)' => 'public.bait',
            map { ($_ => 'uuid') } 'gen_ulid(public.bait)', 'ulid_min(public.bait)'
            )
            . 'CREATE CAST (timestamptz AS public.bait) WITH FUNCTION public.bait_of AS IMPLICIT'
    ],
    [ 'a schema named ulid', 'superuser', 'CREATE SCHEMA ulid;' . functions('ulid', %of_ours), path => 'public, ulid' ],
    (
        map {
            [
                "objects in a schema with the search path $_",
                'mallory',
                functions('evil', %of_ours, %of_any, %of_the_server)
                    . operators('evil', 'anyelement', 'anyelement', @comparisons),
                path => $_
            ]
        } 'evil, public, pg_catalog',
        'public, pg_catalog, evil'
    ),
    [ 'an empty search path', 'owner', 'SELECT', path => q{''}, create => 'CREATE EXTENSION ulid SCHEMA public' ],
    [ 'a temporary domain named ulid', 'owner', 'CREATE DOMAIN pg_temp.ulid AS text' ],
    [
        'temporary functions, operators and types',
        'owner',
        functions('pg_temp', %of_any, %of_the_server)
            . operators('pg_temp', 'anyelement', 'anyelement', @comparisons)
            . 'CREATE DOMAIN pg_temp.uuid AS text'
    ],
    [
        'settings',
        'owner',
        ($node->pg_version->major < 19 ? 'SET standard_conforming_strings = off; ' : '')
            . 'SET check_function_bodies = off; SET transform_null_equals = on; SET quote_all_identifiers = on; SET array_nulls = off;
            SET bytea_output = escape; SET default_toast_compression = pglz'
    ],
    [
        'privileges by default', 'mallory', 'ALTER DEFAULT PRIVILEGES GRANT ALL ON FUNCTIONS TO mallory;
        ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC'
    ],
    (
        map { [ "the type of CREATE $_", 'mallory', "CREATE $_", refused => '42710' ] } 'DOMAIN public.ulid AS uuid',
        'TABLE public.ulid (a uuid)',
        'DOMAIN public.ulid_gist_key AS bytea'
    ),
    (
        map { [ "the function $_", 'mallory', functions('public', $_ => 'uuid'), refused => '42723' ] } 'gen_ulid()',
        'ulid_lower_bound(timestamptz)'
    ),
    [
        'an operator class',
        'superuser',
        'CREATE OPERATOR CLASS public.ulid_ops FOR TYPE uuid USING hash AS OPERATOR 1 pg_catalog.=',
        refused => '42710'
    ]
);

for (@kinds) {
    my ($kind, $role, $hostile, %case) = @$_;
    my $path = $case{path} // '';
    my ($out, $err) = said(
        'owned',
        join ";\n",
        ($role eq 'superuser' ? () : "SET SESSION AUTHORIZATION $role"),
        $hostile,
        'SET SESSION AUTHORIZATION owner',
        ($path ? "SET search_path = $path" : ()),
        'SELECT $$made$$',
        $case{create} // 'CREATE EXTENSION ulid',
        'RESET SESSION AUTHORIZATION',
        'RESET ALL',
        extension_catalog_sql()
    );
    unlike($err, qr/hostile ran/, "$kind: nothing of it runs");
    if ($case{refused}) {
        ok($out eq 'made' && $err =~ /ERROR:  $case{refused}: .* already exists/, "$kind: the installation is refused")
            or diag $out, $err;
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

sub owned { return $node->safe_psql('owned', $_[0]) }
owned('SET ROLE owner; CREATE EXTENSION ulid');

# Operators of the user's own with the same names and types. Those of the extension win, unless the path says otherwise.
my ($out, $err) = said(
    'owned',
    "CREATE FUNCTION public.never(public.ulid, public.ulid) RETURNS boolean LANGUAGE sql AS 'SELECT NULL::boolean';
    CREATE OPERATOR public.= (LEFTARG = public.ulid, RIGHTARG = public.ulid, FUNCTION = public.never);
    CREATE AGGREGATE public.min(public.ulid) (SFUNC = public.ulid_larger, STYPE = public.ulid);
    SELECT public.ulid_min(now()) = public.ulid_min(now()), min(i)
        FROM unnest('{01GV5PA9EQG7D82Q3Y4PKBZSYV,7ZZZZZZZZZZZZZZZZZZZZZZZZZ}'::public.ulid[]) AS i;
    SELECT public.ulid_min(now()) OPERATOR(public.=) public.ulid_min(now()) IS NULL"
);
is(
    "$out$err",
    "t|01GV5PA9EQG7D82Q3Y4PKBZSYV\nt",
    'an operator and an aggregate in public are used only by their schema'
);
is(owned(extension_catalog_sql()), $clean, 'the extension is what it was');

done_testing();
