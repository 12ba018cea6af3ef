# Values: COPY, and errors in five encodings.
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
    # The bytes of a no-break space in UTF-8 are two characters in LATIN1.
    my %details = ('0' x 25 . '!' => 'Character "!" at position 26 is not a Crockford Base32 digit');
    $details{ '\00A0' . '0' x 25 } = 'The text begins with a no-break space' if $encoding eq 'UTF8';
    $details{ '\00C2\00A0' . '0' x 24 } = 'Character "Â" at position 1 is not' if $encoding eq 'LATIN1';
    for my $escaped (sort keys %details) {
        (undef, undef, $error) = $node->psql($database, "SET client_encoding = 'UTF8'; SELECT U&'$escaped'::ulid");
        like($error, qr/DETAIL:  \Q$details{$escaped}\E/, "$encoding: $details{$escaped}");
    }
}
is(log_count($node, 'terminated by signal'), 0, 'no backend crashed');

done_testing();
