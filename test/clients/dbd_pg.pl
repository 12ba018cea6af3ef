# DBD::Pg of Perl: parameters in text and in binary, results in text.
use strict;
use warnings;
use lib '.';
use Message;
use Test::More;

my @ids = qw(01HWT0D7G004HMASW9NF6YY081 01HWT3V34004HMASW9NF6YY0G2 01HWT78YR004HMASW9NF6YY0R3);
my $dbh = $Message::dbh;

my $id = Message::add('hello');
is(length $id, 26, "a default comes back as text");
is_deeply(Message::those($id), [ [ $id, 'hello' ] ], "a text finds its row");
$dbh->do("DELETE FROM message");

$dbh->do("INSERT INTO message VALUES (?, 'x')", undef, $_) for @ids;
is_deeply($dbh->selectcol_arrayref("SELECT id FROM message ORDER BY id"), \@ids, "out as they went in");
is_deeply(Message::those(@ids[0, 2]), [ [ $ids[0], 'x' ], [ $ids[2], 'x' ] ], "any of many");
is_deeply(Message::all_ids(), \@ids, "an array comes back");
is(($dbh->selectrow_array("SELECT NULL::ulid"))[0], undef, "null");
is_deeply(Message::between('2024-05-01 13:00+00', '2024-05-01 14:00+00'), [ $ids[1] ], "range by time");
is_deeply(Message::between('2024-05-01 13:00:00.001+00', '2024-05-01 14:00:00.001+00'), [ $ids[2] ], "to the millisecond");
is_deeply(Message::page_after($ids[0], 1), [ $ids[1] ], "a page after a cursor");
is(Message::add_bytes(pack('H*', '018f343d8c800123456789abcdef0303')), '01HWT3V34004HMASW9NF6YY0R3', "16 bytes go in");
$dbh->do("DELETE FROM message");
Message::copy_in(map { [ $_, 'copied' ] } @ids);
is_deeply(Message::all_ids(), \@ids, "COPY");
$dbh->do("DELETE FROM message");
my @odd = ([ $ids[0], undef ], [ $ids[1], "a\tb\\c\nd\r" ], [ $ids[2], '\N' ]);
Message::copy_in(@odd);
is_deeply(Message::those(@ids), \@odd, "COPY of null, and of what it has to escape");

# The statement fails with this message, and a page quotes it.
my $pages = join '', map { local (@ARGV, $/) = $_; <> } glob "$ENV{PAGES}/*.md";
sub fails {
    my ($message, @statement) = @_;
    eval { $dbh->do(@statement) };
    like($@, qr/\Q$message\E/, "fails: $message");
    like($pages, qr/\Q$message\E/, "as a page says");
    return;
}
fails('invalid input syntax for type ulid: "no ulid"', "SELECT ?::ulid", undef, "no ulid");
fails('invalid input syntax for type ulid: "2024-05-01 13:00+00"', "SELECT FROM message WHERE id >= ?", undef,
    '2024-05-01 13:00+00');
my $lookup = $dbh->prepare("SELECT FROM message WHERE id = ?");
for ([ 'operator does not exist: ulid = character varying', sub { $lookup->bind_param(1, $ids[0], DBI::SQL_VARCHAR); $lookup->execute } ],
    [ 'No suitable column found for last_insert_id of table "message"', sub { $dbh->last_insert_id(undef, undef, 'message', undef) } ]) {
    my ($message, $work) = @$_;
    eval { $work->() };
    like($@, qr/\Q$message\E/, "fails: $message");
}
$dbh->disconnect;
done_testing();
