# doc/clients.md shows what is run here: each of its blocks is a region of a file beside this one,
# between the comments `snippet: NAME` and `end`, and each region is in the guide.
use strict;
use warnings;
use List::Util 'min';
use Test::More;

sub contents { local (@ARGV, $/) = shift; <> }

# A guide shows code from the margin on.
sub dedent {
    my $text = shift;
    my $margin = min map { length } $text =~ /^([ \t]*)\S/mg;
    return $text =~ s/^\s{$margin}//mgr =~ s/\A\n+//r =~ s/\n+\z/\n/r;
}

my %snippets;
for my $file (glob '*.{c,go,java,mjs,pl,py}') {
    next if $file eq 'guide.pl';
    my $text = contents($file);
    while ($text =~ m{^[^\n]*\bsnippet: (\w+)[^\n]*\n(.*?)^\s*(?:\#|//|/\*) end\b}msg) {
        $snippets{"$file: $1"} = dedent($2);
    }
}

my $guide = contents($ENV{GUIDE});
while ($guide =~ /^<!-- (\S+: \w+) -->\n```\w*\n(.*?)^```$/msg) {
    is($2, delete $snippets{$1}, "$1, as it is run");
}
my ($table) = $guide =~ /^```sql\n(.*);\n```$/m;
for my $file (qw(libpq.c psycopg_3.py psycopg_2.py node_pg.mjs node_postgres.mjs Jdbc.java lib_pq.go dbd_pg.pl)) {
    ok(index(contents($file), $table) > 0, "$file makes the guide's table");
}
is_deeply([ sort keys %snippets ], [], "nothing that is run is missing from the guide");
unlike($guide =~ s/^<!-- \S+: \w+ -->\n```\w*\n.*?^```$//msgr, qr/^```(?!sql)\w/m,
    "nothing is shown that is not run");
done_testing();
