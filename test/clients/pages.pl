# Each block of code on a page of a client names a file and stands in it, so that a test runs it: run has put blocks
# into the files here. An error message that begins a pitfall stands in a test.
use strict;
use warnings;
use Test::More;

sub contents { local (@ARGV, $/) = shift; <> }
sub squeezed { $_[0] =~ s/^\s+//mgr }    # a block may stand elsewhere in the file than on the first column

my %run = map { ("test/clients/$_", scalar contents($_)) } grep { -f } glob '{,ent/schema/,pipelines/}*.*';
chdir $ENV{checkout} or die;
my @pages = ('clients/README.md', 'doc/pipelines.md', map { "clients/$_/README.md" } qw(php ruby rust));
my $tests = join("", map { contents($_) } glob "test/clients/{,pipelines/}*") =~ s{\\(["'])}{$1}gr;
for my $page (@pages) {
    my $text = contents($page);
    while ($text =~ /^(?:<!-- (\S+) -->\n)?```(\w+)\n(.*?)^```$/msg) {
        my ($file, $kind, $block) = ($1, $2, $3);
        next if !$file && $kind =~ /^(?:sh|text)$/;
        ok($file =~ /\.m?ts$/, "$page: tsc compiles $file") if $kind =~ /^[jt]s$/;
        my $found = $file && index(squeezed($run{$file} // contents($file)), squeezed($block)) >= 0;
        ok($found, "$page: " . ($file // $kind) . ": " . ($block =~ /(.*)/)[0]);
    }
    for my $message ($text =~ /^- `([^`]+)`[:,.]/mg) {
        ok(index($tests, $message) >= 0, "$page: $message");
    }
}
done_testing();
