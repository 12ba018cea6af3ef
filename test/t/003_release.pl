# What a release must keep: a module that needs nothing of C++ at run time, one version in every file, a
# META.json that PGXN takes, and a way from each version released before that
# ends in the same catalog as a new installation.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;
use JSON::PP 'decode_json';

# The module installed.
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

# One version everywhere.
my ($version) = slurp_file('ulid.control') =~ /^default_version = '(.*)'$/m;
like($version, qr/^\d+\.\d+\.\d+$/, 'ulid.control names a version');
my $meta = decode_json(slurp_file('META.json'));
is($meta->{version}, $version, 'META.json names the same');
is($meta->{provides}{ulid}{version}, $version, 'for the extension it provides, too');
is($meta->{provides}{ulid}{file}, "sql/ulid--$version.sql", 'and its install script');
ok(-e "sql/ulid--$version.sql", 'which is there');
like(slurp_file('CHANGELOG.md'), qr/^## \[?\Q$version\E\b/m, 'CHANGELOG.md has a section for it');
my ($packaged) = slurp_file('debian/changelog') =~ /\A\S+ \((.*?)\)/;
is($packaged, $version, 'debian/changelog packages it');
is(slurp_file('debian/control'), slurp_file('debian/control.in') =~ s/PGVERSION/15/gr,
    'debian/control is made from debian/control.in');
my $resources = $meta->{resources};
my $repository = $resources->{repository};
for my $file ('debian/control.in', 'debian/control') {
    like(slurp_file($file), qr/^Homepage: \Q$resources->{homepage}\E\nVcs-Git: \Q$repository->{url}\E\nVcs-Browser: \Q$repository->{web}\E$/m,
        "$file has the addresses of META.json (make addresses)");
}
like(slurp_file('rpm/ulid.spec'), qr/^URL: +\Q$resources->{homepage}\E$/m, 'so does the RPM spec');
like(slurp_file('rpm/ulid.spec'), qr/^Version: +\Q$version\E$/m, 'which packages the version');
my ($share_dir) = run_command([ 'pg_config', '--sharedir' ]);
my ($server) = run_command([ 'pg_config', '--version' ]);
my ($major) = $server =~ /(\d+)/;
is(slurp_file("$share_dir/extension/ulid.control"), slurp_file('ulid.control'), 'the control file is the one installed');

# The workflow of GitHub may only read, and runs once for a pull request.
SKIP: {
    my $file = '.github/workflows/test.yml';
    skip 'the archive has no workflow', 2 unless -e $file;
    my $workflow = slurp_file($file);
    like($workflow, qr/^permissions:\n  contents: read\n(?! )/m, "$file may only read");
    like($workflow, qr/^on:\n  push:\n    branches: \[main\]\n  pull_request:\n  schedule:\n    - cron: '[\d* ]+'\n(?! )/m,
        'it runs for main, for pull requests, and at night');
}
