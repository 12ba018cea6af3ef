# COPY takes ulids out and in again, as text, CSV and binary, and refuses anything else.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

my $node = started_cluster('main');
my $file = $PostgreSQL::Test::Utils::tmp_check . '/copied';
$node->safe_psql('postgres', q{
    CREATE TABLE ulids (id ulid);
    INSERT INTO ulids SELECT gen_random_ulid() FROM generate_series(1, 10000);
    INSERT INTO ulids VALUES ('00000000000000000000000000'), ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), (NULL);
    CREATE TABLE copied (id ulid);
    CREATE TABLE uuids (id uuid);
});

# Copies a query's rows into a table through a file; what psql says.
sub copy_through {
    my ($query, $table, $format) = @_;
    my ($status, $out, $err) = $node->psql('postgres', qq{
        \\set VERBOSITY sqlstate
        TRUNCATE $table;
        COPY ($query) TO '$file' (FORMAT $format);
        COPY $table FROM '$file' (FORMAT $format)});
    return $err;
}

# How many of the ulids a table does not hold.
sub lost {
    my ($table) = @_;
    return $node->safe_psql('postgres',
        "SELECT count(*) FROM (TABLE ulids EXCEPT ALL SELECT id::ulid FROM $table) AS lost");
}

for my $format (qw(text csv binary)) {
    is(copy_through('TABLE ulids', 'copied', $format), '', "COPY $format both ways");
    is(lost('copied'), 0, "COPY $format keeps every value");
}

# The binary form is 16 bytes, those of uuid and of bytea.
for my $case ([ 'TABLE ulids', 'uuids' ],
    [ 'SELECT id::uuid FROM ulids', 'copied' ],
    [ 'SELECT id::bytea FROM ulids', 'copied' ]) {
    my ($query, $table) = @$case;
    is(copy_through($query, $table, 'binary'), '', "COPY binary: $query to $table");
    is(lost($table), 0, 'the bytes are the same');
}

# A bytea's binary form is its bytes: with it any message can be made.
my %states = (
    0  => '08P01',
    1  => '08P01',
    15 => '08P01',
    17 => '22P03',
    4000 => '22P03');
like(copy_through("SELECT decode(repeat('ff', $_), 'hex')", 'copied', 'binary'),
    qr/ERROR:\s+$states{$_}/, "$_ bytes are refused with $states{$_}")
  for sort { $a <=> $b } keys %states;

my %texts = (
    '2025-01-01'                           => '22P02',
    ''                                     => '22P02',
    '01GV5PA9EQG7D82Q3Y4PKBZSYU'           => '22P02',
    '80000000000000000000000000'           => '22003',
    '0186cb65-25d7-81da-815c-7e25a6bfe7dg' => '22P02');
like(copy_through("SELECT '$_'::text", 'copied', 'text'), qr/ERROR:\s+$texts{$_}/,
    "'$_' is refused with $texts{$_}")
  for sort keys %texts;
is(copy_through(q{SELECT 'oiarz3ndektsv4rrffq69g5fav'::text}, 'copied', 'csv'), '',
    'any case, and I, L and O, are taken');
is($node->safe_psql('postgres', 'TABLE copied'), '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'and written canonically');

$node->stop;
done_testing();
