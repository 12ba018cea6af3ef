# The installed module needs nothing of C++ at run time, and every file names one version.
use strict;
use warnings;
use JSON::PP qw(decode_json);
use PostgreSQL::Test::Utils;
use Test::More;

sub output_of {
    my ($out, $err) = run_command([@_]);
    is($err, '', "$_[0] reads the file");
    return $out;
}
my ($library_dir) = run_command([ 'pg_config', '--pkglibdir' ]);
my $module = "$library_dir/ulid.so";
ok(-e $module, 'the module is installed');

my @needed = output_of('readelf', '-dW', $module) =~ /\(NEEDED\).*\[(.*)\]/g;
is_deeply([ grep { !/^(libc|libm|libgcc_s|ld-linux[^.]*)\.so/ } @needed ], [],
    "needs only the C library: @needed");

my @undefined = output_of('nm', '-D', '--undefined-only', $module) =~ /^\s+[Uw] (\S+)/mg;
is_deeply([ grep { /^(_Z|__cxa_(?!finalize)|__gxx)/ } @undefined ], [],
    'no symbol of the C++ run time is undefined');
my @defined = output_of('nm', '-D', '--defined-only', $module) =~ /^\S+ [TD] (\S+)/mg;
is_deeply([ grep { /^_Z/ } @defined ], [],
    'no C++ symbol is exported, that could clash with another module');
unlike(output_of('readelf', '-lW', $module), qr/GNU_STACK.*RWE/, 'the stack is not executable');

my ($control) = slurp_file('ulid.control') =~ /^default_version = '(.*)'$/m;
like($control, qr/^\d+\.\d+\.\d+$/, 'ulid.control names a version');
my $meta = decode_json(slurp_file('META.json'));
is($meta->{version}, $control, 'META.json names the same');
is($meta->{provides}{ulid}{version}, $control, 'for the extension it provides, too');
is($meta->{provides}{ulid}{file}, "sql/ulid--$control.sql", 'and its install script');
like(slurp_file('CHANGELOG.md'), qr/^## \[?\Q$control\E\b/m, 'CHANGELOG.md has a section for it');
ok(-e "sql/ulid--$control.sql", 'which is there');
my ($share_dir) = run_command([ 'pg_config', '--sharedir' ]);
my ($server) = run_command([ 'pg_config', '--version' ]);
my ($major) = $server =~ /(\d+)/;
is( slurp_file("$share_dir/extension/ulid.control"),
    slurp_file($major < 18 ? 'ulid.control' : 'sql/pg18/ulid.control'),
    'it is the one installed');
is( slurp_file('sql/pg18/ulid.control') =~ s/^#.*\n//mgr,
    slurp_file('ulid.control') =~ s/^#.*\n//mgr =~ s/'\Q$control\E'/'$control+pg18'/r,
    'the one of PostgreSQL 18 is the same but for its version');

# What BENCHMARKS.md tells of a server is what its file of results says.
my $benchmarks = slurp_file('BENCHMARKS.md');
for my $results (glob('test/bench/data/*.csv')) {
    my $told = grep { index($benchmarks, (run_command([ 'test/bench/table', $results, $_ ]))[0]) >= 0 }
        'ulid', 'gen_ulid()';
    ok($told, "BENCHMARKS.md has the table of $results");
}

done_testing();
