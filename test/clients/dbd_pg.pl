# DBD::Pg.
use strict;
use warnings;
use DBD::Pg;
use DBI;
use Test::More;

my @ids = qw(01HWT0D7G004HMASW9NF6YY081 01HWT3V34004HMASW9NF6YY0G2 01HWT78YR004HMASW9NF6YY0R3);
my $dbh = DBI->connect("dbi:Pg:", $ENV{PGUSER}, undef, { RaiseError => 1, PrintError => 0 });
diag("DBD::Pg $DBD::Pg::VERSION");

sub add {
    my ($body) = @_;
    my ($id) = $dbh->selectrow_array("INSERT INTO message (body) VALUES (?) RETURNING id", undef, $body);
    return $id;
}

sub between {    # times as text, with a zone: 2024-05-01 13:00+00
    my ($begin, $end) = @_;
    return $dbh->selectcol_arrayref(
        "SELECT id FROM message WHERE id >= ?::timestamptz AND id < ?::timestamptz", undef, $begin, $end);
}

sub page_after {
    my ($id, $size) = @_;
    return $dbh->selectcol_arrayref("SELECT id FROM message WHERE id > ? ORDER BY id LIMIT ?", undef, $id, $size);
}

my $id = add('hello');
is(length $id, 26, "the default comes back as a string");
is(($dbh->selectrow_array("SELECT body FROM message WHERE id = ?", undef, $id))[0], 'hello', "find");
$dbh->do("DELETE FROM message");
$dbh->do("INSERT INTO message (id) VALUES (?)", undef, $_) for @ids;
is_deeply(between('2024-05-01 13:00+00', '2024-05-01 14:00+00'), [ $ids[1] ], "a range of time");
is_deeply(page_after($ids[0], 1), [ $ids[1] ], "a page after a cursor");
my ($array) = $dbh->selectrow_array(
    "SELECT array_agg(id ORDER BY id)::text[] FROM message WHERE id = ANY(?)", undef, \@ids);
is_deeply($array, \@ids, "arrays");

sub fails {
    my ($message, $work) = @_;
    eval { $work->() };
    like($@, qr/\Q$message\E/, "fails: $message");
    return;
}
fails('invalid input syntax for type ulid: "2024-05-01 13:00+00"',
    sub { $dbh->do("SELECT FROM message WHERE id >= ?", undef, '2024-05-01 13:00+00') });
fails('No suitable column found for last_insert_id of table "message"',
    sub { $dbh->last_insert_id(undef, undef, 'message', undef) });
fails('invalid input syntax for type ulid: "not an id"', sub { $dbh->do("SELECT ?::ulid", undef, "not an id") });
is($dbh->state, '22P02', "the SQLSTATE of an invalid id");
done_testing();
