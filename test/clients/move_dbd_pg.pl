# DBD::Pg, through the move: see move.pl. It stands for the clients for which there is no type: SQL makes UUIDs of the ids.
use strict;
use warnings;
use DBI;

my ($mode) = @ARGV;
my ($uuid, $several) = $mode eq 'both' ? ('::uuid', '::uuid[]') : ('', $mode eq 'ulid' ? '::text[]' : '');
my @first = qw(018f3406-9e00-0123-4567-89abcdef0101 01HWT0D7G004HMASW9NF6YY081);
my $previous = $first[ $mode eq 'ulid' ];
my $db = DBI->connect('dbi:Pg:', '', '', { RaiseError => 1, PrintError => 0 });
$db->{pg_switch_prepared} = 1;
my %prepared = map { $_->[0] => $db->prepare($_->[1]) } (
    [ add => "INSERT INTO customers (name) VALUES (?) RETURNING id$uuid" ],
    [ order => 'INSERT INTO orders (customer_id, record_type, record_id, others) VALUES (?, ?, ?, ?)' ],
    [ rename => 'UPDATE customers SET name = ? WHERE id = ?' ],
    [ customer => "SELECT id$uuid, name FROM customers WHERE id = ?" ],
    [ orders => "SELECT customer_id$uuid, record_type, record_id$uuid, others$several FROM orders WHERE customer_id = ?" ]);

sub run { my $statement = $prepared{ +shift }; $statement->execute(@_); return $statement }

sub row { my $statement = run(@_); my $row = $statement->fetch or die 'no row'; $row = [@$row]; $statement->finish; return $row }

sub same {
    my ($got, $expected) = map { join ' ', map { ref ? @$_ : $_ } @$_ } @_;
    die "$got instead of $expected\n" if $got ne $expected;
}

$| = 1;
while (defined(my $name = <STDIN>)) {
    chomp $name;
    my $record = $previous;
    my $id = eval {
        my ($id) = @{ row(add => $name) };
        run(order => $id, 'Customer', $record, [ $id, $record ]);
        same([ run(rename => "$name changed", $id)->rows ], [1]);
        same(row(customer => $id), [ $id, "$name changed" ]);
        same(row(orders => $id), [ $id, 'Customer', $record, $id, $record ]);
        same([ row(customer => $record)->[0] ], [$record]);
        same(row(customer => $_), [ $first[ $mode eq 'ulid' ], 'first' ]) for $mode eq 'both' ? $first[0] : $mode eq 'ulid' ? @first : ();
        $id;
    };
    my $error = ($@ // '') =~ s/\s+/ /gr;
    print "$name\t", defined $id ? "done\t$id" : "error\t$error", "\n";
    $previous = $id // $record;
}
