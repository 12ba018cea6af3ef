# What the pages show is what is run: each block of code has a name, is written to the file of that
# name as it stands (extract.pl), and a test loads that file.
use strict;
use warnings;
use Test::More;

sub contents { local (@ARGV, $/) = shift; <> }

my %shown = map { chomp; $_ => 1 } split /^/, contents('extracted');
my $tests = join '', map { contents($_) } grep { !$shown{$_} && !/^(?:pages|extract)\.pl$/ } glob '*.{c,go,java,mjs,php,pl,pm,py,rb,R,rs,sh}';
my $programs = $tests . join '', map { contents($_) } keys %shown; # one may load another
# How a language names another file of its own; what is not in the list is opened by its name.
my %loaded = (java => '(?<![<"])(?<!class )%s(?=[.(;)]|::)|"%s"', pm => 'use %s\b', py => '(?:from|import) %s\b', rb => 'require\w* "(?:\./)?%s"');
for my $name (sort keys %shown) {
    my ($stem, $extension) = $name =~ /^(.*)\.(\w+)$/;
    my $pattern = ($loaded{$extension} // '\b%s\.') =~ s/%s/\Q$stem\E/gr;
    $pattern = "$pattern|\\b\Q$name\E";
    ok($programs =~ $pattern, "$name is loaded by a test");
}
# What fails as a page says is in a test, but for what says no message.
for my $page (glob "$ENV{PAGES}/*.md") {
    my @messages = map { /^\| (?:`` (.*?) ``|`(.*?)`)/mg } contents($page) =~ /^\| what fails \|.*\n.*\n((?:\|.*\n)+)/mg;
    for my $message (grep { defined } @messages) {
        ok(index($tests =~ s/\\(["'\\])/$1/gr, $message) >= 0, "$page: $message");
    }
}
for my $page ("$ENV{PAGES}.md", glob "$ENV{PAGES}/*.md") {
    my $text = contents($page);
    $text =~ s/^<!-- \S+\.\w+ -->\n```\w+\n.*?^```$//msg;
    unlike($text, qr/^```(?!sql|text|sh)\w/m, "$page shows no code that is not run");
}

# The same recipes on each page, in the same order.
my @recipes = ('A table from nothing', 'An existing uuid application', 'An id that is no ULID', 'A range of time',
    'A page after a cursor', 'The second run');
for my $page (grep { !m{/tools\.md$} } glob "$ENV{PAGES}/*.md") {
    my $text = contents($page);
    my ($table) = $text =~ /^## Six recipes\n\n(.*?)^(?!\|)/ms;
    is_deeply([ ($table // '') =~ /^\| \*\*(.*?)\*\* \| \S/mg ], \@recipes, "$page has the six recipes");
    for my $list ($text =~ /^(- \*\*A table from nothing\.\*\*.*?)^(?![- ])/msg) {
        is_deeply([ $list =~ /^- \*\*(.*?)\.\*\*/mg ], \@recipes, "and so has a section of it");
    }
    # Each program that knows the table pages through it.
    for my $block ($text =~ /^<!-- message_\w+\.\w+ -->\n(```(?!ini|sql|r\n|c\n).*?)^```$/msg) {
        next unless $block =~ /between|made_in|last_hour/i;
        like($block, qr/page_?after/i, "$page: a page after a cursor: " . ($block =~ /\n(.*)/)[0]);
    }
}

# The table in front.
my $front = contents("$ENV{PAGES}.md");
my $package = contents('package.json');
while ($package =~ /^    "([^"]+)": "([\d.]+)",?$/mg) {
    my ($name, $version) = ($1, $2);
    like($front, qr/\Q$version\E/, "$name is tested with $version, as the table says") if $front =~ /\[\Q$name\E\]/i;
}
# Of those of Debian the table names the version that is installed here: of bookworm first, then of its testing release.
my %package = (
    'psycopg 3' => 'python3-psycopg', psycopg2 => 'python3-psycopg2', asyncpg => 'python3-asyncpg',
    SQLAlchemy => 'python3-sqlalchemy', Alembic => 'python3-alembic', Peewee => 'python3-peewee', pandas => 'python3-pandas',
    Django => 'python3-django', 'Active Record (Ruby)' => 'ruby-activerecord', 'pg (Ruby)' => 'ruby-pg', 'Sequel (Ruby)' => 'ruby-sequel',
    JDBC => 'libpostgresql-jdbc-java', 'Hibernate (Java)' => 'libhibernate3-java', 'EclipseLink (Java)' => 'libeclipselink-java',
    'lib/pq (Go)' => 'golang-github-lib-pq-dev',
    'pgx 5 (Go)' => 'golang-github-jackc-pgx-v5-dev', 'DBD::Pg (Perl)' => 'libdbd-pg-perl', 'DBIx::Class (Perl)' => 'libdbix-class-perl', 'PDO (PHP)' => 'php-cli',
    'Eloquent (PHP)' => 'php-illuminate-database', 'Doctrine (PHP)' => 'php-doctrine-orm', 'RPostgreSQL (R)' => 'r-cran-rpostgresql',
    pgloader => 'pgloader', pyodbc => 'python3-pyodbc', sqlacodegen => 'sqlacodegen', 'sqlx (Rust)' => 'librust-sqlx-dev',
);
my %row; # the last cell by the first
$row{ $1 . ($2 // '') } //= $3 while $front =~ m{^\| \[([^]]+)\]\(\S+\)( [^|]*[^|\s])? \|.*\| ([^|]+) \|$}mg;
for my $client (sort keys %package) {
    my $tested = $row{$client} // '';
    my ($installed) = `dpkg-query -W -f '\${Version}' $package{$client} 2>/dev/null` =~ /^(?:\d+:)?(\d+\.\d+)/;
    SKIP: {
        skip "$client is not packaged here", 1 unless $installed;
        ok((grep { $_ eq $installed } $tested =~ /\d+\.\d+/g), "$client is tested with $installed, and the table says $tested");
    }
}
for my $link ($front =~ /\]\((clients\/\w+\.md(?:#[\w-]+)?)\)/g) {
    my ($page, $anchor) = $link =~ m{/(\w+\.md)(?:#(.*))?};
    my $text = contents("$ENV{PAGES}/$page");
    my %sections = map { /^#+ (.*)$/m ? (lc($1 =~ s/[^\w\- ]//gr =~ s/ /-/gr) => $_) : () } split /^(?=##+ )/m, $text;
    ok(!defined $anchor || $sections{$anchor}, "$link leads somewhere");
    like($sections{$anchor} // '', qr/^\| what fails \|/m, "$link says what fails") if defined $anchor && $anchor !~ /from-uuid-to-ulid$/;
}
# Lines of glue: those of the files that the page names as such.
while ($front =~ /^\|.*`(ulid[\w.-]+)`, (\d+) lines.*$/mg) {
    my ($name, $lines) = ($1, $2);
    is(scalar(() = contents($name) =~ /\S.*\n/g), $lines, "$name has $lines lines");
}
done_testing();
