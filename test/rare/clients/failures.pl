#!/usr/bin/perl
# A package that is missing, or that cannot be set up, is a failed test of `run`. Prints TAP.
use strict;
use warnings;
use File::Basename 'dirname';
use File::Temp 'tempdir';
use Test::More;

my $copy = tempdir(CLEANUP => 1);
mkdir "$copy/$_" for 'checkout', 'bin';
my $checkout = dirname(__FILE__) . '/../../..';
system(
    "tar -C '$checkout' --exclude=.git --exclude=node_modules --exclude=target -cf - . | tar -C $copy/checkout -xf -")
    == 0
    or die;
open(my $cargo, '>', "$copy/bin/cargo") or die;
print $cargo "#!/bin/sh\necho 'the registry does not answer'; exit 7\n";
close $cargo;
chmod 0755, "$copy/bin/cargo";
delete $ENV{TEST_SUMS};
$ENV{PATH} = "$copy/bin:$ENV{PATH}";
$ENV{ULID_CLIENT_RELEASES} = '';
$ENV{TMPDIR} = $copy;

sub fails {
    my ($name, $why, $test) = @_;
    my $output = qx($copy/checkout/test/rare/clients/run $name 2>&1);
    my ($sum) = $output =~ /^(\d+ passed, .*)$/m;
    ok($? != 0 && $output =~ /^\Q$name: 0 passed, 1 failed: $why\E$/m && $sum eq '0 passed, 1 failed', $test)
        or diag($output);
}
fails('rust', 'the set-up failed: the registry does not answer', 'a package whose set-up fails has failed');
system('rm', '-r', "$copy/checkout/clients/rust") == 0 or die;
fails('rust', 'there is no clients/rust', 'a package whose folder is missing has failed');
fails('nonsense', 'there are no tests of this name', 'a name that is unknown has failed');
done_testing();
