# DBIx::Class of Perl.
use strict;
use warnings;
use lib '.';
use DateTime;
use MessageSchema;
use Test::More;

note("DBIx::Class $DBIx::Class::VERSION");
my @ids = qw(01HWT0D7G004HMASW9NF6YY081 01HWT3V34004HMASW9NF6YY0G2 01HWT78YR004HMASW9NF6YY0R3);
my $noon = DateTime->new(year => 2024, month => 5, day => 1, hour => 12, time_zone => 'UTC');
my $schema = $MessageSchema::schema;
my $dbh = $schema->storage->dbh;
my $messages = $schema->resultset('Message');

$dbh->do('DROP TABLE message');
$schema->deploy;
is_deeply($dbh->selectcol_arrayref("SELECT format_type(atttypid, atttypmod) || coalesce(' ' || pg_get_expr(adbin, adrelid), '')
    FROM pg_attribute LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
    WHERE attrelid = 'message'::regclass AND attnum > 0 ORDER BY attnum"), [ 'ulid gen_ulid()', 'text', 'ulid', 'ulid[]' ], 'the columns made');
# Its two scripts; once the second is there, it is what deployment_statements gives.
open my $statements, '>', 'statements.sql' or die;
print $statements $schema->deployment_statements('PostgreSQL', '1');
close $statements or die;
$schema->create_ddl_dir('PostgreSQL', '1', '.', undef, { add_drop_table => 0 });
for my $script ('statements.sql', 'MessageSchema-1-PostgreSQL.sql') {
    open my $restored, '-|', 'bash', 'restored.sh', "psql -q -v ON_ERROR_STOP=1 -c 'CREATE EXTENSION ulid' -f $script",
        'perl -I. -MMessageSchema -e \'print length $MessageSchema::schema->resultset("Message")->create({})->id\'' or die;
    is(do { local $/; <$restored> }, "same\n26", "restored from $script, it goes on");
}
my $message = $messages->create({ body => 'hello' });
is(length $message->id, 26, 'the id comes back from the insert');
is($messages->find($message->id)->body, 'hello', 'lookup by the id');
$message->update({ body => 'changed' });
is_deeply([ $messages->get_column('body')->all ], ['changed'], 'saved again, it is the same row');
$message->delete;
is($messages->count, 0, 'deleted');

my @many = $messages->populate([ { body => 'a' }, { body => 'b', id => $ids[0] }, { body => 'c' } ]);
is_deeply([ sort map { $_->id . $_->body } @many ], [ sort @{ $dbh->selectcol_arrayref('SELECT id || body FROM message') } ],
    'given and generated ids');
is($messages->find($ids[0])->body, 'b', 'the one that was given');
$messages->delete;
$messages->populate([ map { { id => $_, body => 'x', mentions => \@ids } } @ids ]);    # in one statement
is_deeply([ map { $_->id } MessageSchema::those(@ids[ 0, 2 ]) ], [ @ids[ 0, 2 ] ], 'any of many');
my @between = map { $noon->clone->set_time_zone('Asia/Tokyo')->add(hours => $_) } 1, 2;
is_deeply([ map { $_->id } MessageSchema::between(@between) ], [ $ids[1] ], 'range by time');
is_deeply([ map { $_->id } MessageSchema::between(map { $_->add(nanoseconds => 1_000_000) } @between) ], [ $ids[2] ], 'to the millisecond');
is_deeply([ map { $_->id } MessageSchema::page_after($ids[0], 1) ], [ $ids[1] ], 'a page after a cursor');
my $first = $messages->find($ids[0]);
is_deeply([ $first->mentions, $first->answers ], [ \@ids, undef ], 'an array column, and null');
$first->update({ answers => $ids[1], mentions => [ undef, $ids[2] ] });
$first->discard_changes;
is_deeply($first->mentions, [ undef, $ids[2] ], 'an array changed, with null in it');
is($messages->search({ 'me.id' => $ids[0] }, { prefetch => 'answered' })->single->answered->id, $ids[1], 'a relation, prefetched');
is_deeply([ map { $_->id } $messages->find($ids[1])->answered_by ], [ $ids[0] ], 'from the other side');

# Its own generator, run twice, with what the page adds between.
my @dump = ('dbicdump', '-o', 'dump_directory=dumped', 'Dumped', 'dbi:Pg:', $ENV{PGUSER});
my $written = 'dumped/Dumped/Result/Message.pm';
is(system(@dump), 0, 'dbicdump');
my $page = do { local (@ARGV, $/) = 'MessageSchema.pm'; <> };
my ($filter) = $page =~ /^(__PACKAGE__->filter_column\(mentions.*?^\}\);\n)/ms;
my $dumped = do { local (@ARGV, $/) = $written; <> };
my $kept = "\n__PACKAGE__->load_components('FilterColumn');\n$filter";
my $done = $dumped =~ s/(DO NOT MODIFY THIS OR ANYTHING ABOVE.*\n)/$1$kept/r;
open my $out, '>', $written or die "$written: $!";
print $out $done;
close $out or die;
is(system(@dump), 0, 'dbicdump again');
is(do { local (@ARGV, $/) = $written; <> }, $done, 'leaves what was added, and changes nothing');
unshift @INC, 'dumped';
require Dumped;
my $loaded = Dumped->connect('dbi:Pg:', $ENV{PGUSER}, undef, { pg_enable_utf8 => 1 })->resultset('Message');
my $one = $loaded->create({ mentions => [ $ids[1], undef ], answers => $ids[0] });
$one->discard_changes;
is_deeply([ length $one->id, $one->mentions, $one->answer->id ], [ 26, [ $ids[1], undef ], $ids[0] ], 'the classes written');
$one->delete;

my $pages = join '', map { local (@ARGV, $/) = $_; <> } glob "$ENV{PAGES}/*.md";
my $null = 'null value in column "id" of relation "message" violates not-null constraint';
eval { $messages->populate([ { body => 'a' }, { body => 'b', id => '01HWT78YR004HMASW9NF6YY0R4' } ]); 1 };
like($@, qr/\Q$null\E/, 'populate, its result unused, of rows with an id and without');
like($pages, qr/\Q$null\E/, 'as a page says');
for ([ 'no ulid', 'invalid input syntax for type ulid: "no ulid"' ],
    [ $noon->clone->add(hours => 1), 'invalid input syntax for type ulid: "2024-05-01T13:00:00"' ]) {
    my ($id, $text) = @$_;
    eval { $messages->search({ id => { '>=' => "$id" } })->count };
    like($@, qr/\Q$text\E/, "fails: $text");
    like($pages, qr/\Q$text\E/, 'as a page says');
}
done_testing();
