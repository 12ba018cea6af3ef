# extract.pl PAGES: writes the code that the pages show into files here. A block after the comment
# `<!-- NAME -->` is, or continues, the file NAME.
use strict;
use warnings;

my %file;
for my $page (glob "$ARGV[0]/*.md") {
    my $text = do { local (@ARGV, $/) = $page; <> };
    while ($text =~ /^<!-- (\S+\.\w+) -->\n```\w+\n(.*?)^```$/msg) {
        $file{$1} .= $2;
    }
}
for my $name (sort keys %file) {
    die "$name is both on a page and a test\n" if -e $name;
    open my $out, '>', $name or die "$name: $!";
    print $out $file{$name};
    close $out or die;
    print "$name\n";
}
