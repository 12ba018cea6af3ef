# What a release must keep: a module that needs nothing of C++ at run time, one version in every file, a
# META.json that PGXN takes, the numbers of README.md and BENCHMARKS.md, and a way from each version released before that
# ends in the same catalog as a new installation.
use strict;
use warnings;

use JSON::PP 'decode_json';
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

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

# The workflow of GitHub: it can read and no more, runs once for a pull request, and has every target that tests
# a machine can do alone.
SKIP: {
    my $file = '.github/workflows/test.yml';
    skip 'the archive has no workflow', 4 unless -e $file;
    my $workflow = slurp_file($file);
    like($workflow, qr/^permissions:\n  contents: read\n(?! )/m, "$file may only read");
    like($workflow, qr/^on:\n  push:\n    branches: \[main\]\n  pull_request:\n(?! )/m, 'it runs for main, and for pull requests');
    my ($targets) = $workflow =~ /^ *target: \[(.*?)\]/ms;
    my %targets = map { $_ => 1 } split /[\s,]+/, $targets;
    my ($ours) = slurp_file('Makefile') =~ /^ROOT_TARGETS = ((?:.*\\\n)*.*)/m;
    is_deeply([ grep { $ours !~ /(?<!\S)\Q$_\E(?!\S)/ } sort keys %targets ], [], 'its targets are there');
    is_deeply([ grep { !$targets{$_} } qw(test test-matrix test-versions test-package test-clients) ], [], 'with the clients');
}

# The tables of BENCHMARKS.md are those of the files of results.
my $benchmarks = slurp_file('BENCHMARKS.md');
for my $results (grep { !/estimates/ } glob('test/bench/data/*.csv')) {
    # With a row at least.
    my ($table) = grep { tr/\n// >= 2 } map { (run_command([ 'test/bench/table', $results, $_ ]))[0] } 'ulid', 'gen_ulid()';
    ok(index($benchmarks, $table) >= 0, "BENCHMARKS.md has the table of $results");
}

# The rows of a file of results, as hashes.
sub results_of {
    my ($name) = @_;
    my ($header, @rows) = map {
        [ map { s/^"(.*)"$/$1/r =~ s/""/"/gr } /\G((?:"(?:[^"]|"")*"|[^,]*))(?:,|$)/g ]
    } grep { !/^#/ } split /\n/, slurp_file("test/bench/data/$name.csv");
    return map { my %row; @row{@$header} = @$_; \%row } @rows;
}
my %results = map { $_ => [ results_of($_) ] } qw(15 15-quiet 15-estimates 18 scale/18);

# One row; the ratio of processor time or, if there is none, that of elapsed time or of size.
sub result {
    my ($name, $comparison, $variant, $base, $rows) = @_;
    my @found = grep {
        $_->{comparison} eq $comparison && $_->{variant} eq $variant && $_->{base} eq $base && $_->{rows} == ($rows // 1_000_000)
    } @{ $results{$name} };
    die "$name: $comparison, $variant to $base: " . @found if @found != 1;
    return $found[0];
}
sub ratio {
    my $row = ref $_[0] ? $_[0] : result(@_);
    return sprintf '%.2f', $row->{cpu_ratio} || $row->{ratio};
}

# What each row of a table compares.
my $same = 'uuid, same bytes';
my $calls = 'generation, rows of generate_series';
my %compared = (
    '`gen_ulid()` / `clock_timestamp()`, rows of `generate_series`, quiet machine' => [ $calls, 'gen_ulid()', 'clock_timestamp()' ],
    '… the least it could be: reading the clock and returning 16 bytes' => [ $calls, 'floor: the clock, a result of 16 bytes', 'clock_timestamp()' ],
    '`gen_ulid()` / `clock_timestamp()`, rows of `generate_series`' => [ $calls, 'gen_ulid()', 'clock_timestamp()' ],
    '`gen_random_ulid()` / `clock_timestamp()`, rows of `generate_series`' => [ $calls, 'gen_random_ulid()', 'clock_timestamp()' ],
    '`gen_ulid()` / `gen_random_uuid()`, counted over a table' => [ 'generation, counted over a table, to gen_random_uuid()', 'gen_ulid()', 'gen_random_uuid()' ],
    'inserts with `DEFAULT gen_ulid()` / with `gen_random_uuid()`' => [ 'bulk insert', 'ulid', 'uuid v4' ],
    '… size of the index' => [ 'index after the bulk insert', 'ulid', 'uuid v4' ],
    'inserts with `DEFAULT gen_ulid()` / `bigint` identity' => [ 'bulk insert, to bigint identity', 'ulid', 'bigint identity' ],
    'sort, times spread over hours / `uuid`' => [ 'sort in memory', 'ulid', $same ],
    'sort, ids of one statement / `uuid`' => [ 'sort in memory, ids of one statement', 'ulid', $same ],
    'index build, times spread over hours / `uuid`' => [ 'CREATE INDEX', 'ulid', $same ],
    'index build, ids of one statement / `uuid`' => [ 'CREATE INDEX, ids of one statement', 'ulid', $same ],
    'text output / `uuid`' => [ 'text output', 'ulid', $same ],
    'text input / `uuid`' => [ 'text input', 'ulid', $same ],
    'hash join / `uuid`' => [ 'hash join', 'ulid', $same ],
    'codec: encode / plain loop over a 128-bit integer' => [ 'codec: encode', 'the codec', 'plain loop over a 128-bit integer', 0 ],
    'codec: decode / plain loop over a 128-bit integer' => [ 'codec: decode', 'the codec', 'plain loop over a 128-bit integer', 0 ]);

# Of BENCHMARKS.md its goals, and what is said about them below the table.
my ($goals) = $benchmarks =~ /^## Goals\n(.*?)^## /ms;
my $goals_seen = 0;
for my $line ($goals =~ /^\| ([^-|].* \|)$/mg) {
    my ($label, undef, @cells) = split /\s*\|\s*/, $line;
    my $compared = $compared{ $label } or do { fail("the goals of BENCHMARKS.md: what was measured of '$label'?"); next };
    my $quiet = $label =~ /quiet|least it could be/ ? '-quiet' : '';
    is($cells[0], ratio("15$quiet", @$compared), "the goals of BENCHMARKS.md: $label, PostgreSQL 15");
    is($cells[1], $quiet ? 'not measured' : ratio(18, @$compared), "the goals of BENCHMARKS.md: $label, PostgreSQL 18");
    $goals_seen++;
}
is($goals_seen, scalar keys %compared, 'all of them');

# Asserts that a text has a sentence with numbers in it, as here.
sub says {
    my ($file, $text, $sentence) = @_;
    ok(index($text =~ s/\s+/ /gr, $sentence) >= 0, "$file says: $sentence");
    return;
}
my ($least, $most) = sort { $a <=> $b } map {
    my $of = $_;
    my ($clock, $ulid) = map { result('15-quiet', $of, $_, 'clock_timestamp()')->{median} } 'floor: the clock, a result of 16 bytes', 'gen_ulid()';
    # ms for a million are ns for one
    sprintf '%.1f', $ulid - $clock
} 'generation, rows of generate_series', 'generation, counted over a table';
says('BENCHMARKS.md', $goals, "`gen_ulid()` takes $least to $most ns a call longer");
my $hash_join = result(15, 'hash join', 'ulid', $same);
says('BENCHMARKS.md', $goals, sprintf('The quartiles are %.2f and %.2f; at 10 million rows the ratio is %s.',
    $hash_join->{cpu_ratio_q1}, $hash_join->{cpu_ratio_q3}, ratio(15, 'hash join', 'ulid', $same, 10_000_000)));
my @full = map {
    my ($ulid, $uuid) = (result($_, 'index after the bulk insert', 'ulid', 'uuid v4'), result($_, 'index after the bulk insert', 'uuid v4', 'uuid v4'));
    sprintf '%.0f', 90 * $ulid->{median} / $uuid->{median}
} 15, 18;
says('BENCHMARKS.md', $goals, "here $full[0] % on 15 and $full[1] % on 18");
cmp_ok(abs(ratio(15, 'index after the bulk insert', 'ulid, random', 'uuid v4') - 1.1), '<', 0.025, 'BENCHMARKS.md: a tenth larger');

# How far two uuid columns differ: by how many percent, most first.
sub differences {
    my ($name, $of) = @_;
    return sort { $b <=> $a } map { sprintf '%.0f', 100 * abs(ratio($_) - 1) }
        grep { $_->{variant} eq 'uuid v4' && $_->{base} eq $same && $_->{rows} == 1_000_000 && $_->{comparison} =~ $of } @{ $results{$name} };
}
my ($on_15) = differences(15, qr/./);
my ($on_18, $others_on_18) = differences(18, qr/./);
says('BENCHMARKS.md', $benchmarks, "differ by up to $on_15 % at a million rows");
says('BENCHMARKS.md', $benchmarks, "on 18 the join by index differs by $on_18 %");
cmp_ok($others_on_18, '<=', $on_15, 'and the others no more');

# The other tables: each cell is rounded as its file's number would be.
sub rounds_to {
    my ($number, $cell, $name) = @_;
    my ($decimals) = $cell =~ /\.(\d+)/;
    is(sprintf('%.*f', length($decimals // ''), $number), $cell =~ tr/,//dr, $name);
    return;
}
my ($estimates) = $benchmarks =~ /^## Estimates\n(.*?)^## /ms;
my $shapes = 0;
for my $line ($estimates =~ /^\| (\d+(?:,\d{3})+, .* \|)$/mg) {
    my ($rows, $shape, @cells) = $line =~ s/, ever more \|/, skewed |/r =~ /^([\d,]+), (.*?) \| (.*?) \| (.*?) \| (.*?) \|$/;
    for my $variant (qw(timestamptz ulid uuid)) {
        my @quantiles = split /, /, shift @cells;
        rounds_to(result('15-estimates', "q-error of ranges of time, $shape, constants, $_", $variant, 'timestamptz', $rows =~ tr/,//dr)->{median},
            shift @quantiles, "BENCHMARKS.md: q-error, $rows rows, $shape, $variant, $_") for 'median', '99th percentile';
    }
    $shapes++;
}
is($shapes, 6, 'BENCHMARKS.md has the table of the estimates');
my %planning = ('a range' => 'a range of time, 1000 times', '23 ranges, under OR' => '23 ranges of time, 100 times',
    q{`>= now() - interval '1 hour'`} => 'a range until now, 1000 times');
for my $label (sort keys %planning) {
    my @cells = $estimates =~ /^\| \Q$label\E \| (.*?) ?\| (.*?) \|$/m;
    for my $variant ('ulid, by ulids', 'ulid, by time') {
        my $cell = shift @cells or next;
        my $row = result('15-estimates', "planning $planning{$label}", $variant, 'timestamptz');
        is($cell, sprintf('%.2f (%.2f to %.2f)', map { $row->{"cpu_ratio$_"} } '', '_q1', '_q3'), "BENCHMARKS.md: planning $label, $variant");
    }
}
my $scale_results = 'test/bench/data/scale/18.csv';
my $scale_tables = qx(test/bench/scale table $scale_results);
like($scale_tables, qr/^\*\*64,000,000 rows, 2 clients, 1024 MB of memory\*\*$/m, 'the tables of tables larger than the cache');
ok(index($benchmarks, $scale_tables) >= 0, "BENCHMARKS.md has the tables of $scale_results");
sub scale {
    my ($key, $column, %of) = @_;
    %of = (key => $key, rows => 64_000_000, clients => 2, what => '', %of);
    my @found = grep { my $row = $_; !grep { $row->{$_} ne $of{$_} } keys %of } @{ $results{'scale/18'} };
    die "$scale_results: $column, @{[ %of ]}: " . @found if @found != 1;
    return $found[0]{$column};
}
# How many times ulid's the number of another key is.
sub scale_ratio {
    my ($format, $key, @which) = @_;
    return sprintf $format, scale($key, @which) / scale('ulid', @which);
}
my ($larger) = $benchmarks =~ /^## Tables larger than the cache\n(.*)/ms;
my %variant = (three => 'three more indexes', memory => '1024 MB of memory');
my ($wal, $rate) = ('WAL bytes/row', 'rows/s');
says('BENCHMARKS.md', $larger, sprintf '%s times the WAL of `ulid` at a million rows, %s times at 8 million, and %s times at 64 million',
    map { scale_ratio('%.0f', 'uuid v4', $wal, rows => $_) } 1_000_000, 8_000_000, 64_000_000);
says('BENCHMARKS.md', $larger, sprintf 'the WAL of a `bigint` is %s times and its index %s times as large', map { scale_ratio('%.2f', 'bigint', $_) } $wal, 'index MB');
says('BENCHMARKS.md', $larger, sprintf 'a random key has %s times the rows a second of `ulid`, with 32 clients %s times, with 128 clients %s times',
    map { scale_ratio('%.2f', 'uuid v4', $rate, clients => $_) } 2, 32, 128);
says('BENCHMARKS.md', $larger, sprintf 'The WAL of a random key is %s times that of `ulid` then', scale_ratio('%.1f', 'uuid v4', $wal, what => $variant{three}));
says('BENCHMARKS.md', $larger, sprintf 'a random key has %s times the rows a second of `ulid`, and %s times the WAL',
    scale_ratio('%.2f', 'uuid v4', $rate, what => $variant{memory}), scale_ratio('%.0f', 'uuid v4', $wal, what => $variant{memory}));

# The numbers of README.md.
my $readme = slurp_file('README.md');
says('README.md', $readme, sprintf 'each row with a random UUID writes %s times as much WAL as one with a ULID', scale_ratio('%.0f', 'uuid v4', $wal));
says('README.md', $readme, sprintf 'rows come %s times as fast', scale_ratio('%.2f', 'uuid v4', $rate, what => $variant{memory}));
for my $column ('blocks read/row', 'blocks written/row') {
    cmp_ok(scale('uuid v4', $column), '>', 0.95, "README.md: a random UUID: $column");
    cmp_ok(scale('ulid', $column), '<', 0.02, "README.md: a ULID: $column");
}
my ($costs) = $readme =~ /^## What it costs\n(.*?)^## /ms;
says('README.md', $costs, "| bulk insert with `gen_ulid()`, to `gen_random_uuid()`: time | " . ratio(15, 'bulk insert', 'ulid', 'uuid v4') . ' |');
says('README.md', $costs, "| bulk insert with `gen_ulid()`, to `gen_random_uuid()`: size of the index | "
    . ratio(15, 'index after the bulk insert', 'ulid', 'uuid v4') . ' |');
says('README.md', $costs, '| generating an id, to `gen_random_uuid()`: time | '
    . ratio(15, @{ $compared{'`gen_ulid()` / `gen_random_uuid()`, counted over a table'} }) . ' |');
says('README.md', $costs, '| text output and text input, to `uuid`: time | '
    . join(', ', map { ratio(15, $_, 'ulid', $same) } 'text output', 'text input') . ' |');
is(scalar(() = $costs =~ /^\| .*\d \|$/mg), 4, 'these are all of its table');
my $of = qr/^sort|join|lookups|^CREATE INDEX/;
my @ratios = sort { $a <=> $b } map { ratio($_) }
    grep { $_->{variant} eq 'ulid' && $_->{base} eq $same && $_->{rows} == 1_000_000 && $_->{comparison} =~ $of } @{ $results{15} };
cmp_ok(scalar @ratios, '>=', 8, 'sorts, joins, lookups and index builds');
says('README.md', $costs, "Sorts, joins, lookups and index builds take $ratios[0] to $ratios[-1] times as long as with `uuid`");
says('README.md', $costs, 'two `uuid` columns with different bytes differ by up to ' . (differences(15, $of))[0] . ' %.');
says('README.md', $readme, sprintf('its index is %.1f times as large', result(15, 'index after the bulk insert', 'text COLLATE "C"', 'uuid v4')->{median}
    / result(15, 'index after the bulk insert', 'ulid', 'uuid v4')->{median}));

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
    [ 'unknown key hompage', 'version', 'license', 'resources license', 'resources homepage' ], 'a fault in it would be found');
is($meta->{prereqs}{runtime}{requires}{PostgreSQL}, '15.0.0', 'the oldest server is the one tested');

# The way from each version.
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

# Each install script is a version that was released; the default is there for the first release.
my @released = map { /--(\d+\.\d+\.\d+)\.sql\z/ ? $1 : () } glob 'sql/ulid--*.sql';
ok((grep { $_ eq '1.0.0' } @released), 'the first version can be installed');
for my $from (@released) {
    my $database = "from_$from";
    $node->safe_psql('postgres', qq{CREATE DATABASE "$database"});
    $node->safe_psql($database, "CREATE EXTENSION ulid VERSION '$from'; CREATE TABLE t (id ulid PRIMARY KEY DEFAULT gen_ulid());
        INSERT INTO t DEFAULT VALUES");
    $node->safe_psql($database, 'ALTER EXTENSION ulid UPDATE');
    is($node->safe_psql($database, q{SELECT extversion FROM pg_extension WHERE extname = 'ulid'}), $default,
        "$from: updates to $default");
    is(catalog($database), $fresh, "$from: then its catalog is that of a new installation");
    is($node->safe_psql($database, 'INSERT INTO t DEFAULT VALUES; SELECT count(*) FROM t WHERE id <= gen_ulid()'), 2,
        "$from: its tables work on");
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
isnt(catalog('postgres'), $fresh, 'a difference would be found');
$node->stop;
done_testing();
