# A release: a module that needs no C++ library at run time, one version in every file, a META.json that PGXN
# accepts, and updates from each earlier version to the catalog of a new installation.
use FindBin;
use lib "$FindBin::Bin/../lib";
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
    "the module needs only the C library: @needed");

my @undefined = output_of('nm', '-D', '--undefined-only', $module) =~ /^\s+[Uw] (\S+)/mg;
is_deeply([ grep { /^(_Z|__cxa_(?!finalize)|__gxx)/ } @undefined ], [],
    'the module uses no symbol of the C++ library');
my @defined = output_of('nm', '-D', '--defined-only', $module) =~ /^\S+ [TD] (\S+)/mg;
is_deeply([ grep { /^_Z/ } @defined ], [],
    'the module exports no C++ symbol');
unlike(output_of('readelf', '-lW', $module), qr/GNU_STACK.*RWE/, 'the stack is not executable');

# One version everywhere.
my ($version) = slurp_file('ulid.control') =~ /^default_version = '(.*)'$/m;
like($version, qr/^\d+\.\d+\.\d+$/, 'ulid.control names a version');
my $meta = decode_json(slurp_file('META.json'));
is($meta->{version}, $version, 'META.json has the version');
is($meta->{provides}{ulid}{version}, $version, 'META.json provides the extension in that version');
ok(-e $meta->{provides}{ulid}{file}, 'META.json names an install script that exists');
like(slurp_file('CHANGELOG.md'), qr/^## \[?\Q$version\E\b/m, 'CHANGELOG.md has a section for it');
my ($packaged) = slurp_file('debian/changelog') =~ /\A\S+ \((.*?)\)/;
is($packaged, $version, 'debian/changelog has the version');
is(slurp_file('debian/control'), slurp_file('debian/control.in') =~ s/PGVERSION/15/gr,
    'debian/control is made from debian/control.in');
my $resources = $meta->{resources};
my $repository = $resources->{repository};
for my $file ('debian/control.in', 'debian/control') {
    like(slurp_file($file), qr/^Homepage: \Q$resources->{homepage}\E\nVcs-Git: \Q$repository->{url}\E\nVcs-Browser: \Q$repository->{web}\E$/m,
        "$file has the addresses of META.json (make addresses)");
}
like(slurp_file('rpm/ulid.spec'), qr/^URL: +\Q$resources->{homepage}\E$/m, 'the RPM spec has the address of META.json');
like(slurp_file('rpm/ulid.spec'), qr/^Version: +\Q$version\E$/m, 'the RPM spec has the version');
my ($share_dir) = run_command([ 'pg_config', '--sharedir' ]);
my ($server) = run_command([ 'pg_config', '--version' ]);
my ($major) = $server =~ /(\d+)/;
is(slurp_file("$share_dir/extension/ulid.control"), slurp_file('ulid.control'), 'the installed control file is that of the checkout');

# The workflow of GitHub may only read, and runs once for a pull request.
SKIP: {
    my $file = '.github/workflows/test.yml';
    skip 'the archive has no workflow', 2 unless -e $file;
    my $workflow = slurp_file($file);
    like($workflow, qr/^permissions:\n  contents: read\n(?! )/m, "$file has read permission only");
    like($workflow, qr/^on:\n  push:\n    branches: \[main\]\n  pull_request:\n  schedule:\n    - cron: '[\d* ]+'\n(?! )/m,
        'the workflow runs for main, for pull requests, and at night');
}

# META.json: the PGXN Meta Spec, version 1.0.0 (https://pgxn.org/meta/spec.txt).
sub faults {
    my ($meta) = @_;
    my @faults;
    my $check = sub { my ($name, $ok) = @_; push @faults, $name unless $ok };
    my $string = sub { defined $_[0] && !ref $_[0] && length $_[0] };
    my $semver = qr/\A(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[0-9A-Za-z-]+)?\z/;
    my $term = qr{\A[^\s/\\[:cntrl:]]{2,}\z};

    my %known = map { $_ => 1 } qw(abstract description generated_by license maintainer meta-spec name no_index
        prereqs provides release_status resources tags version);
    $check->("unknown key $_", $known{$_} || /\A[xX]_/) for sort keys %$meta;
    $check->($_, $string->($meta->{$_})) for qw(abstract name version);
    $check->($_, !exists $meta->{$_} || $string->($meta->{$_})) for qw(description generated_by);
    $check->('name', $meta->{name} =~ $term);
    $check->('version', $meta->{version} =~ $semver);
    my @maintainers = ref $meta->{maintainer} eq 'ARRAY' ? @{ $meta->{maintainer} } : $meta->{maintainer};
    $check->('maintainer', @maintainers > 0 && !grep { !$string->($_) } @maintainers);
    my %license = map { $_ => 1 } qw(agpl_3 apache_1_1 apache_2_0 artistic_1 artistic_2 bsd freebsd gfdl_1_2 gfdl_1_3
        gpl_1 gpl_2 gpl_3 lgpl_2_1 lgpl_3_0 mit mozilla_1_0 mozilla_1_1 openssl perl_5 postgresql qpl_1_0 ssleay sun
        zlib open_source restricted unrestricted unknown);
    $check->('license', $string->($meta->{license}) && $license{ $meta->{license} });
    $check->('meta-spec', ($meta->{'meta-spec'}{version} // '') =~ /\A1\.0\.\d+\z/
        && ($meta->{'meta-spec'}{url} // '') eq 'https://pgxn.org/meta/spec.txt');
    $check->('release_status', ($meta->{release_status} // 'stable') =~ /\A(?:stable|testing|unstable)\z/);
    my @tags = @{ $meta->{tags} // ['none'] };
    $check->('tags', @tags > 0 && !grep { !$string->($_) || m{[/\\[:cntrl:]]} || length > 255 } @tags);
    $check->('provides', %{ $meta->{provides} // {} });
    for my $name (sort keys %{ $meta->{provides} // {} }) {
        my $extension = $meta->{provides}{$name};
        $check->("provides $name", $name =~ $term && ($extension->{version} // '') =~ $semver);
        $check->("provides $name: file", $string->($extension->{file}) && -e $extension->{file});
        $check->("provides $name: docfile", !exists $extension->{docfile} || -e $extension->{docfile});
        $check->("provides $name: $_", /\A(?:abstract|file|docfile|version|[xX]_.*)\z/) for sort keys %$extension;
    }
    for my $phase (sort keys %{ $meta->{prereqs} // {} }) {
        $check->("prereqs $phase", $phase =~ /\A(?:configure|build|test|runtime|develop|[xX]_.*)\z/);
        for my $relation (sort keys %{ $meta->{prereqs}{$phase} }) {
            $check->("prereqs $phase $relation", $relation =~ /\A(?:requires|recommends|suggests|conflicts|[xX]_.*)\z/);
            my $needs = $meta->{prereqs}{$phase}{$relation};
            $check->("prereqs $phase $relation $_", $_ =~ $term && $needs->{$_} =~ /\A(?:0|(?:[<>=!]=? *)?\d+\.\d+\.\d+)\z/)
                for sort keys %$needs;
        }
    }
    my $resources = $meta->{resources} // {};
    my $uri = sub { ($_[0] // '') =~ m{\A[a-z][a-z+.-]*://\S+\z} };
    $check->("resources $_", /\A(?:homepage|bugtracker|repository|[xX]_.*)\z/) for sort keys %$resources;
    $check->('resources homepage', $uri->($resources->{homepage}));
    $check->('resources bugtracker', $uri->($resources->{bugtracker}{web}));
    $check->('resources repository', $uri->($resources->{repository}{url}) && $uri->($resources->{repository}{web})
        && ($resources->{repository}{type} // '') =~ /\A[a-z]+\z/);
    return \@faults;
}
is_deeply(faults($meta), [], 'META.json follows the PGXN Meta Spec');
is_deeply(faults({ %$meta, license => 'mine', resources => { %$resources, license => 'x', homepage => 'x' }, version => '1.0', hompage => 'x' }),
    [ 'unknown key hompage', 'version', 'license', 'resources license', 'resources homepage' ], 'faults in META.json are found');
is($meta->{prereqs}{runtime}{requires}{PostgreSQL}, '15.0.0', 'the oldest server is the one tested');

# Updates from each version.
my $node = PostgreSQL::Test::Cluster->new('main');
my $default = $version;
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\n");
$node->start;

sub catalog {
    my ($database) = @_;
    return $node->safe_psql($database, extension_catalog_sql());
}
$node->safe_psql('postgres', 'CREATE EXTENSION ulid');
my $fresh = catalog('postgres');
cmp_ok(scalar(() = $fresh =~ /^pg_proc\|/mg), '>', 50, 'the catalog of the extension is compared');

# The first version, and each that an update begins with.
for my $from ('1.0.0', map { /ulid--([\d.]+)--/ && $1 ne '1.0.0' ? $1 : () } glob 'sql/ulid--*--*.sql') {
    my $database = "from_$from";
    $node->safe_psql('postgres', qq{CREATE DATABASE "$database"});
    $node->safe_psql($database, "CREATE EXTENSION ulid VERSION '$from'; CREATE TABLE t (id ulid PRIMARY KEY DEFAULT gen_ulid());
        INSERT INTO t DEFAULT VALUES");
    $node->safe_psql($database, 'ALTER EXTENSION ulid UPDATE');
    is($node->safe_psql($database, q{SELECT extversion FROM pg_extension WHERE extname = 'ulid'}), $default,
        "$from: updates to $default");
    is(catalog($database), $fresh, "$from: then its catalog is that of a new installation");
    is($node->safe_psql($database, 'INSERT INTO t DEFAULT VALUES; SELECT count(*) FROM t WHERE id <= gen_ulid()'), 2,
        "$from: its tables get new ids");
}
# Every upgrade script begins where another ends, and is installed.
for my $script (glob 'sql/ulid--*--*.sql') {
    my ($from) = $script =~ /ulid--(.*)--/;
    is($node->safe_psql('postgres', "SELECT count(*) > 0 FROM pg_extension_update_paths('ulid')
        WHERE source = '$from' AND target = '$default' AND path IS NOT NULL"), 't', "$script leads to $default");
}
SKIP: {
    skip 'modules have a version from 18 on', 1 if $node->pg_version < 18;
    is( $node->safe_psql('postgres', q{
            LOAD 'ulid'; SELECT version FROM pg_get_loaded_modules() WHERE module_name = 'ulid'}),
        $version, 'the module tells the server its version');
}
$node->safe_psql('postgres', 'ALTER FUNCTION ulid_timestamp(ulid) COST 7');
isnt(catalog('postgres'), $fresh, 'a changed function changes the catalog');
$node->stop;
done_testing();
