# DBD::Pg of Perl: parameters in text and in binary, results in text.
use strict;
use warnings;
use DBI;
use DBD::Pg ':pg_types';
use Test::More;

my @ids = qw(01HWT0D7G004HMASW9NF6YY081 01HWT3V34004HMASW9NF6YY0G2 01HWT78YR004HMASW9NF6YY0R3);
my $dbh = DBI->connect("dbi:Pg:dbname=$ENV{PGDATABASE}", $ENV{PGUSER}, undef,
    { RaiseError => 1, PrintError => 0 });
$dbh->do("CREATE TABLE message (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text)");

# snippet: plain
my ($id) = $dbh->selectrow_array("INSERT INTO message (body) VALUES ('hello') RETURNING id");
my ($body) = $dbh->selectrow_array("SELECT body FROM message WHERE id = ?", undef, $id);
# end
is(length $id, 26, "a default comes back as text");
is($body, 'hello', "a text finds its row");
$dbh->do("DELETE FROM message");

$dbh->do("INSERT INTO message VALUES (?, 'x')", undef, $_) for @ids;
is_deeply($dbh->selectcol_arrayref("SELECT id FROM message ORDER BY id"), \@ids,
    "out as they went in");

# snippet: array
my $rows = $dbh->selectcol_arrayref("SELECT id FROM message WHERE id = ANY(?) ORDER BY id", undef,
    [ $ids[0], $ids[2] ]);
my ($all) = $dbh->selectrow_array("SELECT array_agg(id ORDER BY id)::text[] FROM message");
# end
is_deeply($rows, [ @ids[0, 2] ], "an array");
is_deeply($all, \@ids, "an array comes back");
is(($dbh->selectrow_array("SELECT NULL::ulid"))[0], undef, "null");

# snippet: range
$rows = $dbh->selectcol_arrayref(
    "SELECT id FROM message WHERE id >= ?::timestamptz AND id < ?::timestamptz", undef,
    '2024-05-01 13:00+00', '2024-05-01 14:00+00');
# end
is_deeply($rows, [ $ids[1] ], "range by time");

# snippet: binary
my $insert = $dbh->prepare("INSERT INTO message VALUES (?::bytea::ulid, 'binary') RETURNING id");
$insert->bind_param(1, pack('H*', '018f343d8c800123456789abcdef0303'), { pg_type => PG_BYTEA });
$insert->execute;
# end
is($insert->fetchrow_array, '01HWT3V34004HMASW9NF6YY0R3', "16 bytes go in");

eval { $dbh->do("SELECT ?::ulid", undef, "no ulid") };
is($dbh->state, '22P02', "a bad text is refused");
$insert->finish;
$dbh->disconnect;
done_testing();
