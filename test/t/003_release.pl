# A release: a module that needs no C++ library at run time, one version in every file, a META.json that PGXN
# accepts, and updates from each earlier version to the catalog of a new installation.
use lib 'test/lib';
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
is_deeply([ grep { !/^(libc|libm|libgcc_s|ld-linux[^.]*)\.so/ } @needed ], [], "the module needs only the C library: @needed");
my @undefined = output_of('nm', '-D', '--undefined-only', $module) =~ /^\s+[Uw] (\S+)/mg;
is_deeply([ grep { /^(_Z|__cxa_(?!finalize)|__gxx)/ } @undefined ], [], 'the module uses no symbol of the C++ library');
my @defined = output_of('nm', '-D', '--defined-only', $module) =~ /^\S+ [TD] (\S+)/mg;
is_deeply([ grep { /^_Z/ } @defined ], [], 'the module exports no C++ symbol');
unlike(output_of('readelf', '-lW', $module), qr/GNU_STACK.*RWE/, 'the stack is not executable');

# One version, and one set of addresses.
my ($version) = slurp_file('ulid.control') =~ /^default_version = '(.*)'$/m;
like($version, qr/^\d+\.\d+\.\d+$/, 'ulid.control names a version');
my $meta = decode_json(slurp_file('META.json'));
my $resources = $meta->{resources};
my ($homepage, $git, $web) = map { quotemeta } $resources->{homepage}, @{ $resources->{repository} }{ 'url', 'web' };
my $addresses = qr/^Homepage: $homepage\nVcs-Git: $git\nVcs-Browser: $web$/m;
my $v = quotemeta $version;
for my $case (
    [ 'META.json has', qr/^  "version": "$v",$/m ], [ 'META.json provides', qr/^      "version": "$v"$/m ],
    [ 'CHANGELOG.md has a section for', qr/^## \[?$v\b/m ], [ 'debian/changelog has', qr/\A\S+ \($v-\d+\)/ ],
    [ 'rpm/ulid.spec has', qr/^Version: +$v$/m ], [ 'clients/sql/ulid_sql.sql has', qr/^COMMENT ON SCHEMA ulid_sql IS '.* version $v';$/m ],
    [ 'clients/pglite/package.json has', qr/^  "version": "$v",$/m ], [ 'doc/managed.md names', qr/postgresql-ulid-pglite-$v\.tgz/ ],
    [ 'README.md has', qr/^Version $v · /m ], [ 'README.md has', qr/^git clone --branch v$v /m ], [ 'README.md has',
        qr{pgxn install \./ulid-$v\.zip} ],
    [ 'doc/installing.md has', qr{pgxn install \./ulid-$v\.zip} ], [ 'clients/django/pyproject.toml has', qr/^version = "$v"$/m ],
    [ 'clients/activerecord/postgresql-ulid-activerecord.gemspec has', qr/^  spec\.version = "$v"$/m ], [ 'rpm/ulid.spec has',
        qr/> - $v-1PGDG$/m ],
    [ 'rpm/ulid.spec has', qr/^URL: +$homepage$/m, 'the address of META.json' ],
    # The archive has no workflow.
    (grep { -e '.github' } [ '.github/workflows/test.yml has', qr/^permissions:\n  contents: read\n(?! )/m, 'read permission only' ],
        [ '.github/workflows/test.yml runs',
            qr/^on:\n  push:\n    branches: \[main\]\n  pull_request:\n  schedule:\n    - cron: '[\d* ]+'\n(?! )/m,
            'for main, for pull requests, and at night' ]),
    map { [ "$_ has", $addresses, 'the addresses of META.json' ] } 'debian/control.in', 'debian/control') {
    my ($file) = $case->[0] =~ /^(\S+)/;
    like(slurp_file($file), $case->[1], "$case->[0] " . ($case->[2] // "version $version"));
}
# make addresses leaves no placeholder.
my $copy = PostgreSQL::Test::Utils::tempdir();
system("tar --exclude=./.git --exclude=./tmp_check --exclude='*.o' -cf - . | tar -C $copy -xf -") == 0 or die;
is(system("make -s -C $copy addresses HOMEPAGE=https://host.test/owner/pg-ulid EMAIL=me\@host.test"), 0, 'make addresses');
is(join('', grep { !/^Makefile/ } map { s{^\Q$copy\E/}{}r } qx(grep -rn 'example\\.org' $copy --include='*' --exclude-dir=test)), '',
    '  leaves no placeholder');
like(slurp_file("$copy/README.md"), qr{^git clone --branch v\S+ https://host\.test/owner/pg-ulid\.git && cd pg-ulid$}m,
    '  and changes the clone of README.md');
like(slurp_file("$copy/$_->[0]"), $_->[1], "  and $_->[0]") for [ 'SECURITY.md', qr/<me\@host\.test>/ ], [ 'debian/control',
    qr/<me\@host\.test>/ ],
    [ 'META.json', qr{"url": "https://host\.test/owner/pg-ulid\.git"} ], [ 'debian/watch', qr{https://host\.test/owner/pg-ulid\.git refs} ];
is(slurp_file('debian/control'), slurp_file('debian/control.in') =~ s/PGVERSION/15/gr, 'debian/control is made from debian/control.in');
my ($share_dir) = run_command([ 'pg_config', '--sharedir' ]);
is(slurp_file("$share_dir/extension/ulid.control"), slurp_file('ulid.control'), 'the installed control file is that of the checkout');

# META.json: the PGXN Meta Spec, version 1.0.0 (https://pgxn.org/meta/spec.txt). The first rule whose left side matches the path
# of a value says what the value must match. A path without a rule is unknown.
my $term = qr{[^\s/\\[:cntrl:]]{2,}};
my $semver = qr/(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[0-9A-Za-z-]+)?/;
my $license = join '|', qw(agpl_3 apache_1_1 apache_2_0 artistic_1 artistic_2 bsd freebsd gfdl_1_2 gfdl_1_3 gpl_1 gpl_2 gpl_3 lgpl_2_1
    lgpl_3_0 mit mozilla_1_0 mozilla_1_1 openssl perl_5 postgresql qpl_1_0 ssleay sun zlib open_source restricted unrestricted unknown);
my @rules = (
    [ qr/(.*\.)?[xX]_.*/ => qr/.*/s ],
    [ qr/(provides\.$term\.)?abstract|description|generated_by|maintainer(\.\d+)?|no_index\..*/ => qr/.+/s ],
    [ qr/name/ => $term ], [ qr/(provides\.$term\.)?version/ => $semver ],
    [ qr/license/ => qr/$license/ ], [ qr/meta-spec\.version/ => qr/1\.0\.\d+/ ],
    [ qr/meta-spec\.url/ => qr{https://pgxn\.org/meta/spec\.txt} ],
    [ qr/release_status/ => qr/stable|testing|unstable/ ],
    [ qr/tags\.\d+/ => qr{[^/\\[:cntrl:]]{1,255}} ],
    [ qr/provides\.$term\.(doc)?file/ => join '|', map { quotemeta } glob('sql/*'), glob('*.md') ],
    [ qr/prereqs\.(configure|build|test|runtime|develop)\.(requires|recommends|suggests|conflicts)\.$term/
            => qr/0|([<>=!]=? *)?\d+\.\d+\.\d+/ ],
    [ qr/resources\.(homepage|(bugtracker|repository)\.web|repository\.url)/ => qr{[a-z][a-z+.-]*://\S+} ],
    [ qr/resources\.repository\.type/ => qr/[a-z]+/ ]);
my @required = (qw(abstract license maintainer name version tags.0 meta-spec.version meta-spec.url provides.ulid.version
        provides.ulid.file), map { "resources.$_" } qw(homepage bugtracker.web repository.url repository.web repository.type));

# The values of a JSON object by their paths: resources.homepage, tags.0.
sub values_of {
    my ($prefix, $value) = @_;
    return ($prefix =~ s/\.$//r => $value) unless ref $value;
    my %children = ref $value eq 'HASH' ? %$value : map { $_ => $value->[$_] } 0 .. $#$value;
    return map { values_of("$prefix$_.", $children{$_}) } keys %children;
}
sub faults {
    my %value = values_of('', $_[0]);
    my @wrong = grep {
        my $path = $_;
        my ($rule) = grep { $path =~ /\A$_->[0]\z/ } @rules;
        !$rule || $value{$path} !~ /\A(?:$rule->[1])\z/
    } keys %value;
    return [ sort @wrong, grep { !defined $value{$_} } @required ];
}
is_deeply(faults($meta), [], 'META.json follows the PGXN Meta Spec');
is_deeply(faults({ %$meta, license => 'mine', resources => { %$resources, license => 'x', homepage => 'x' },
            version => '1.0', hompage => 'x', provides => { ulid => { file => 'sql/none.sql' } } }),
    [qw(hompage license provides.ulid.file provides.ulid.version resources.homepage resources.license version)],
    'faults in META.json are found');
is($meta->{prereqs}{runtime}{requires}{PostgreSQL}, '15.0.0', 'the oldest server is the one tested');

# Updates from each version.
my $node = started_cluster('main');

sub catalog { return $node->safe_psql($_[0], extension_catalog_sql()) }
my $fresh = catalog('postgres');
cmp_ok(scalar(() = $fresh =~ /^pg_proc\|/mg), '>', 50, 'the catalog of the extension is compared');

# The first version, and each that an update begins with.
for my $from ('1.0.0', map { /ulid--([\d.]+)--/ && $1 ne '1.0.0' ? $1 : () } glob 'sql/ulid--*--*.sql') {
    my $database = "from_$from";
    $node->safe_psql('postgres', qq{CREATE DATABASE "$database"});
    $node->safe_psql($database, "CREATE EXTENSION ulid VERSION '$from'; CREATE TABLE t (id ulid PRIMARY KEY DEFAULT gen_ulid());
        INSERT INTO t DEFAULT VALUES");
    $node->safe_psql($database, 'ALTER EXTENSION ulid UPDATE');
    is($node->safe_psql($database, q{SELECT extversion FROM pg_extension WHERE extname = 'ulid'}), $version,
        "$from: updates to $version");
    is(catalog($database), $fresh, "$from: then its catalog is that of a new installation");
    is($node->safe_psql($database, 'INSERT INTO t DEFAULT VALUES; SELECT count(*) FROM t WHERE id <= gen_ulid()'), 2,
        "$from: its tables get new ids");
}
# Every upgrade script begins where another ends, and is installed.
for my $script (glob 'sql/ulid--*--*.sql') {
    my ($from) = $script =~ /ulid--(.*)--/;
    is($node->safe_psql('postgres', "SELECT count(*) > 0 FROM pg_extension_update_paths('ulid')
        WHERE source = '$from' AND target = '$version' AND path IS NOT NULL"), 't', "$script leads to $version");
}
SKIP: {
    skip 'modules have a version from 18 on', 1 if $node->pg_version < 18;
    is($node->safe_psql('postgres', q{
            LOAD 'ulid'; SELECT version FROM pg_get_loaded_modules() WHERE module_name = 'ulid'}),
        $version, 'the module tells the server its version');
}
$node->safe_psql('postgres', 'ALTER FUNCTION ulid_timestamp(ulid) COST 7');
isnt(catalog('postgres'), $fresh, 'a changed function changes the catalog');

done_testing();
