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
is_deeply([ grep { !/^(libc|libm|libgcc_s|ld-linux[^.]*)\.so/ } @needed ],
    [], "the module needs only the C library: @needed");
my @undefined = output_of('nm', '-D', '--undefined-only', $module) =~ /^\s+[Uw] (\S+)/mg;
is_deeply([ grep { /^(_Z|__cxa_(?!finalize)|__gxx)/ } @undefined ], [], 'the module uses no symbol of the C++ library');
my @defined = output_of('nm', '-D', '--defined-only', $module) =~ /^\S+ [TD] (\S+)/mg;
is_deeply([ grep { /^_Z/ } @defined ], [], 'the module exports no C++ symbol');
unlike(output_of('readelf', '-lW', $module), qr/GNU_STACK.*RWE/, 'the stack is not executable');

# One version, and one set of addresses.
my ($version) = slurp_file('ulid.control') =~ /^default_version = '(.*)'$/m;
my $meta = decode_json(slurp_file('META.json'));
my $resources = $meta->{resources};
my ($homepage, $git, $web) = map { quotemeta } $resources->{homepage}, @{ $resources->{repository} }{ 'url', 'web' };
my $addresses = qr/^Homepage: $homepage\nVcs-Git: $git\nVcs-Browser: $web$/m;
my $v = quotemeta $version;
for my $case (
    [ 'META.json has', qr/^  "version": "$v",$/m ],
    [ 'CHANGELOG.md has a section for', qr/^## \[?$v\b/m ], [ 'debian/changelog has', qr/\A\S+ \($v-\d+\)/ ],
    [ 'rpm/ulid.spec has', qr/^Version: +$v$/m ],
    [ 'clients/sql/ulid_sql.sql has', qr/^COMMENT ON SCHEMA ulid_sql IS '.* version $v';$/m ],
    [ 'clients/pglite/package.json has', qr/^  "version": "$v",$/m ],
    [ 'doc/managed.md names', qr/postgresql-ulid-pglite-$v\.tgz/ ],
    [ 'README.md has', qr/^Version $v · /m ], [ 'doc/installing.md has', qr{pgxn install \./ulid-$v\.zip} ],
    [ 'rpm/ulid.spec has',
        qr/> - $v-1PGDG$/m ],
    [ 'rpm/ulid.spec has', qr/^URL: +$homepage$/m, 'the address of META.json' ],
    # The archive has no workflow.
    (
        grep { -e '.github' }
            [ '.github/workflows/test.yml has', qr/^permissions:\n  contents: read\n(?! )/m, 'read permission only' ],
        [
            '.github/workflows/test.yml runs',
            qr/^on:\n  push:\n    branches: \[main\]\n  pull_request:\n  schedule:\n    - cron: '[\d* ]+'\n(?! )/m,
            'for main, for pull requests, and at night'
        ]
    ),
    map { [ "$_ has", $addresses, 'the addresses of META.json' ] } 'debian/control.in',
    'debian/control'
    )
{
    my ($file) = $case->[0] =~ /^(\S+)/;
    like(slurp_file($file), $case->[1], "$case->[0] " . ($case->[2] // "version $version"));
}
# A package has a version of its own, which its pages repeat.
for my $case (
    [ 'clients/node/package.json', qr/^  "version": "(.*)",$/m, 'pgulid-%s.tgz', 'clients/node/README.md' ],
    [
        'clients/debezium/pom.xml', qr{^  <version>(.*)</version>$}m,
        'pgulid-debezium-%s.jar', 'clients/debezium/README.md',
        'doc/pipelines.md'
    ],
    [
        'clients/debezium/pom.xml', qr{^  <version>(.*)</version>$}m,
        '<version>%s</version><classifier>', 'clients/debezium/flink/pom.xml'
    ],
    )
{
    my ($file, $pattern, $text, @pages) = @$case;
    my ($own) = slurp_file($file) =~ $pattern or die "$file has no version";
    $text = sprintf $text, $own;
    like(slurp_file($_), qr/\Q$text\E/, "$_ names the version $own of $file") for @pages;
}
# make addresses leaves no placeholder.
my $copy = PostgreSQL::Test::Utils::tempdir();
system("tar --exclude=./.git --exclude=./tmp_check --exclude='*.o' -cf - . | tar -C $copy -xf -") == 0 or die;
is(system("make -s -C $copy addresses HOMEPAGE=https://host.test/owner/pg-ulid EMAIL=me\@host.test"),
    0, 'make addresses');
is(
    qx(cd $copy && grep -rnIE 'example\\.org|org\\.example' . --exclude=Makefile --exclude-dir=target --exclude-dir=node_modules | grep -v '^\\./test/'),
    '',
    '  leaves no placeholder'
);
like(
    slurp_file("$copy/README.md"),
    qr{^git clone --branch v\S+ https://host\.test/owner/pg-ulid\.git && cd pg-ulid$}m,
    '  and changes the clone of README.md'
);
like(slurp_file("$copy/$_->[0]"), $_->[1], "  and $_->[0]")
    for [ 'SECURITY.md', qr/<me\@host\.test>/ ], [ 'debian/control', qr/<me\@host\.test>/ ],
    [ 'META.json', qr{"url": "https://host\.test/owner/pg-ulid\.git"} ],
    [ 'clients/go/go.mod', qr{^module host\.test/owner/pg-ulid/clients/go$}m ],
    [ 'clients/java/pom.xml', qr{^  <groupId>test\.host\.owner</groupId>$}m ],
    [ 'clients/ruby/test/test_rails.rb', qr{git: "https://host\.test/owner/pg-ulid\.git"} ],
    [ 'debian/watch', qr{https://host\.test/owner/pg-ulid\.git refs} ];
is(
    slurp_file('debian/control'),
    slurp_file('debian/control.in') =~ s/PGVERSION/15/gr,
    'debian/control is made from debian/control.in'
);
my ($share_dir) = run_command([ 'pg_config', '--sharedir' ]);
is(
    slurp_file("$share_dir/extension/ulid.control"),
    slurp_file('ulid.control'),
    'the installed control file is that of the checkout'
);

# META.json has what PGXN refuses to do without (https://pgxn.org/meta/spec.txt).
like($meta->{version}, qr/\A\d+\.\d+\.\d+\z/, 'META.json has a semantic version');
is_deeply([ grep { !$meta->{$_} } qw(name abstract description license maintainer tags release_status resources) ],
    [], '  and all keys that PGXN needs');
is_deeply($meta->{'meta-spec'}, { version => '1.0.0', url => 'https://pgxn.org/meta/spec.txt' }, '  and its format');
my $provides = $meta->{provides}{ulid};
is($provides->{version}, $version, '  and the version of the extension');
ok(-e $provides->{$_}, "  and names a file of the archive: $provides->{$_}") for 'file', 'docfile';
is($meta->{prereqs}{runtime}{requires}{PostgreSQL}, '15.0.0', 'the oldest server is the one tested');

# Updates from each version.
my $node = started_cluster('main');

sub catalog { return $node->safe_psql($_[0], extension_catalog_sql()) }
my $fresh = catalog('postgres');
cmp_ok(scalar(() = $fresh =~ /^pg_proc\|/mg), '>', 50, 'the catalog of the extension is compared');

for my $file ('doc/installing.md') {
    my ($look, $begins) = slurp_file($file) =~ /`(SELECT\s+comment\s[^`]*)`[^`]*begins\s+with\s+`([^`]*)`/ or die $file;
    like($node->safe_psql('postgres', $look), qr/^\Q$begins\E/, "$file says how to recognize this extension");
}

# The first version, and each that an update begins with.
for my $from ('1.0.0', map { /ulid--([\d.]+)--/ && $1 ne '1.0.0' ? $1 : () } glob 'sql/ulid--*--*.sql') {
    my $database = "from_$from";
    $node->safe_psql('postgres', qq{CREATE DATABASE "$database"});
    $node->safe_psql(
        $database, "CREATE EXTENSION ulid VERSION '$from'; CREATE TABLE t (id ulid PRIMARY KEY DEFAULT gen_ulid());
        INSERT INTO t DEFAULT VALUES"
    );
    $node->safe_psql($database, 'ALTER EXTENSION ulid UPDATE');
    is($node->safe_psql($database, q{SELECT extversion FROM pg_extension WHERE extname = 'ulid'}),
        $version, "$from: updates to $version");
    is(catalog($database), $fresh, "$from: then its catalog is that of a new installation");
    is($node->safe_psql($database, 'INSERT INTO t DEFAULT VALUES; SELECT count(*) FROM t WHERE id <= gen_ulid()'),
        2, "$from: its tables get new ids");
}
SKIP: {
    skip 'modules have a version from 18 on', 1 if $node->pg_version < 18;
    is(
        $node->safe_psql(
            'postgres', q{
            LOAD 'ulid'; SELECT version FROM pg_get_loaded_modules() WHERE module_name = 'ulid'}
        ),
        $version,
        'the module tells the server its version'
    );
}
$node->safe_psql('postgres', 'ALTER FUNCTION ulid_timestamp(ulid) COST 7');
isnt(catalog('postgres'), $fresh, 'a changed function changes the catalog');

done_testing();
