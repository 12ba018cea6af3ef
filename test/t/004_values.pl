# Values: COPY, errors in five encodings, and every function with extreme values.
use lib 'test/lib';
use UlidCluster;

my $node = started_cluster('main');
my $file = $PostgreSQL::Test::Utils::tmp_check . '/copied';
$node->safe_psql(
    'postgres', q{
    CREATE TABLE ulids (id ulid);
    INSERT INTO ulids SELECT gen_random_ulid() FROM generate_series(1, 10000);
    INSERT INTO ulids VALUES ('00000000000000000000000000'), ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), (NULL);
    CREATE TABLE copied (id ulid);
    CREATE TABLE uuids (id uuid);
}
);

# Copies a query's rows into a table through a file. Returns psql's errors.
sub copy_through {
    my ($query, $table, $format) = @_;
    my ($status, $out, $err) = $node->psql(
        'postgres', qq{
        \\set VERBOSITY sqlstate
        TRUNCATE $table;
        COPY ($query) TO '$file' (FORMAT $format);
        COPY $table FROM '$file' (FORMAT $format)}
    );
    return $err;
}

# How many of the ulids a table does not hold.
sub lost {
    my ($table) = @_;
    return $node->safe_psql('postgres',
        "SELECT count(*) FROM (TABLE ulids EXCEPT ALL SELECT id::ulid FROM $table) AS lost");
}

# The binary form is 16 bytes, those of uuid and of bytea.
for my $case (
    (map { [ 'TABLE ulids', 'copied', $_ ] } 'text', 'csv', 'binary'),
    [ 'TABLE ulids', 'uuids', 'binary' ],
    map { [ "SELECT id::$_ FROM ulids", 'copied', 'binary' ] } 'uuid', 'bytea'
    )
{
    my ($query, $table, $format) = @$case;
    is(copy_through(@$case), '', "COPY $format: $query to $table");
    is(lost($table), 0, "COPY $format: $query to $table keeps every value");
}

# COPY of a bytea column makes any binary message.
for my $case ([ '08P01', 0, 1, 15 ], [ '22P03', 17, 4000 ]) {
    my ($state, @lengths) = @$case;
    like(copy_through("SELECT decode(repeat('ff', $_), 'hex')", 'copied', 'binary'),
        qr/ERROR:\s+$state/, "$_ bytes are refused with $state")
        for @lengths;
}

# The position of a character that is no digit, in databases of five encodings: in characters, or in SQL_ASCII in bytes.
for my $encoding ('UTF8', 'LATIN1', 'WIN1252', 'EUC_JP', 'SQL_ASCII') {
    my $database = lc $encoding;
    $node->safe_psql('postgres', "CREATE DATABASE $database TEMPLATE template0 ENCODING '$encoding' LOCALE 'C'");
    $node->safe_psql($database, 'CREATE EXTENSION ulid');
    # A character that each encoding has in its own bytes.
    my $foreign = { UTF8 => 'é日', LATIN1 => 'é', WIN1252 => 'é', EUC_JP => '日', SQL_ASCII => 'é' }->{$encoding};
    my $text = '0' x ($encoding =~ /^(UTF8|SQL_ASCII)$/ ? 24 : 25) . $foreign;
    my (undef, undef, $error) =
        $node->psql($database, "\\set VERBOSITY verbose\nSET client_encoding = 'UTF8';\nSELECT '$text'::ulid");
    like(
        $error,
        qr/ERROR:  22P02: .*DETAIL:  .* at position 2[56] is not a Crockford/s,
        "$encoding: the detail says where"
    );
}
# Every function of the extension that SQL can call, called by a role without privileges with NULL and every extreme
# value, in all combinations: a result or a plain error, never an internal one or a lost connection.
$node->safe_psql(
    'postgres', q{
    CREATE TABLE extreme (argument regtype, value text);
    INSERT INTO extreme SELECT argument, unnest(('{NULL,' || edges || '}')::text[]) FROM (VALUES
        ('ulid'::regtype, '00000000000000000000000000,7ZZZZZZZZZZZZZZZZZZZZZZZZZ,01ARZ3NDEKTSV4RRFFQ69G5FAV,01ARZ3NDEKZZZZZZZZZZZZZZZZ'),
        ('uuid', '00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff'),
        ('text', '"",7ZZZZZZZZZZZZZZZZZZZZZZZZZ,8ZZZZZZZZZZZZZZZZZZZZZZZZZ,é,oi000000000000000000000000,0,' || repeat('x', 10000)),
        ('bytea', '"","\\\\x00","\\\\x' || repeat('ff', 10) || '","\\\\x' || repeat('ff', 16) || '","\\\\x' || repeat('00', 5000) || '"'),
        ('interval', '0,-178000000 years,178000000 years,-1 ms,1 month'),
        ('boolean', 't,f'), ('integer', '-2147483648,0,3,2147483647'), ('bigint', '-9223372036854775808,9223372036854775807,0'),
        ('date', '-infinity,5874897-12-31,2026-01-01')) AS v (argument, edges);
    INSERT INTO extreme SELECT 'cstring', value FROM extreme WHERE argument = 'text'::regtype;
    INSERT INTO extreme SELECT 'timestamptz', unnest('{NULL,-infinity,infinity,4714-11-24 00:00:00 BC,294276-12-31 23:59:59,
        1969-12-31 23:59:59.999999,1970-01-01,10889-08-02 05:31:50.655,10889-08-02 05:31:50.656}'::text[]);
    INSERT INTO extreme SELECT 'tstzrange', unnest(
        '{NULL,empty,"(,)","[2026-01-01,)","[-infinity,infinity]","(1960-01-01,11000-01-01)"}'::text[]);
    CREATE ROLE nobody_much; GRANT SELECT ON extreme TO nobody_much;
    CREATE FUNCTION call_all(OUT called bigint, OUT failed bigint, OUT internal text, OUT unknown text) LANGUAGE plpgsql AS $$
    DECLARE function record; statement text; result text;
    BEGIN
        called := 0; failed := 0; internal := ''; unknown := '';
        FOR function IN SELECT p.oid::regprocedure AS name, p.oid::regproc AS short, proargtypes::oid[]::regtype[] AS arguments
            FROM pg_depend JOIN pg_proc p ON p.oid = objid
            WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ulid') AND classid = 'pg_proc'::regclass
                AND NOT 'internal'::regtype = ANY (proargtypes::oid[])
        LOOP
            IF NOT function.arguments <@ ARRAY(SELECT argument FROM public.extreme) THEN unknown := unknown || function.name || ' '; END IF;
            FOR statement IN
                WITH RECURSIVE calls (n, list) AS (
                    SELECT 0, ''
                    UNION ALL SELECT n + 1, concat_ws(', ', nullif(list, ''), format('%L::%s', value, argument))
                    FROM calls JOIN public.extreme ON argument = function.arguments[n])
                SELECT format('SELECT %s(%s)', function.short, list) FROM calls WHERE n = cardinality(function.arguments)
            LOOP
                called := called + 1;
                BEGIN
                    EXECUTE statement INTO result;
                EXCEPTION WHEN OTHERS THEN
                    failed := failed + 1;
                    -- Values that are refused are of class 22; what needs a privilege, 42501.
                    CONTINUE WHEN SQLSTATE ~ '^(22|0A|42501)';
                    internal := internal || format('%s: %s %s; ', left(statement, 300), SQLSTATE, SQLERRM);
                END;
            END LOOP;
        END LOOP;
    END $$;
}
);
my ($rc, $out, $err) = $node->psql('postgres', 'SET ROLE nobody_much; SELECT * FROM call_all()');
is($rc, 0, 'no connection is lost') or diag $err;
my ($called, $failed, $internal, $unknown) = split /\|/, $out, 4;
note "$called calls, $failed errors";
cmp_ok($called, '>', 2000, 'functions are called');
cmp_ok($failed, '>', 100, 'some values are refused');
cmp_ok($failed, '<', $called / 2, 'most are not');
is(substr($internal, 0, 2000), '', 'no error is internal');
is($unknown, 'ulid_gist_key_out(ulid_gist_key) ', 'there are values for each function, but for a type that has none');
is(log_count($node, 'terminated by signal'), 0, 'no backend crashed');

done_testing();
