# A query without a ulid means the same with the extension as without it: every operator, function
# name and construct that the extension could affect, with every type of the server on one
# side and something untyped on the other, is resolved in a database with the extension and in one
# without it. The probes are made from the catalogs, so that what the extension adds later is probed
# too.
use lib 'test/lib';
use UlidCluster;

# The server prints what it has made of each query, with the oid of every type, operator and
# function: we look at the trees, not only at whether a query passes.
my $node = new_cluster('main', conf => "debug_pretty_print = off\nlog_line_prefix = ''\n");
$node->start;

# What an application brings, alike in both databases down to the oids.
$node->safe_psql(
    'template1', q{
    CREATE TYPE mood AS ENUM ('sad', 'happy');
    CREATE TYPE pair AS (a uuid, b text);
    CREATE DOMAIN code AS text;
    CREATE DOMAIN key AS uuid;
    CREATE DOMAIN moment AS timestamptz;
    CREATE DOMAIN period AS tstzrange;
    CREATE TYPE uuidrange AS RANGE (subtype = uuid);
    CREATE TYPE textrange AS RANGE (subtype = text);
    CREATE SCHEMA own;
    CREATE OPERATOR own.= (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uuid_eq);
}
);
$node->safe_psql('postgres', "CREATE DATABASE $_") for qw(plain extended);
# Contrib has <-> of two times.
$node->safe_psql('template1', 'CREATE EXTENSION btree_gist');
$node->safe_psql('postgres', "CREATE DATABASE $_") for qw(plain_with_btree_gist extended_with_btree_gist);
$node->safe_psql($_, 'CREATE EXTENSION ulid') for qw(extended extended_with_btree_gist);

sub rows { my ($database, $query) = @_; return split /\n/, $node->safe_psql($database, $query) }

my $member = q{EXISTS (SELECT FROM pg_depend AS d JOIN pg_extension AS e ON d.refobjid = e.oid
    WHERE e.extname = 'ulid' AND d.deptype = 'e' AND d.objid = o.oid AND d.classid = o.tableoid)};
# The operators of families have symbols that nothing else has (test/pgtap/uuid_parity.sql), so no query meets them.
my @symbols = rows('extended',
    "SELECT DISTINCT oprname FROM pg_operator AS o WHERE $member AND oprname !~ '^\\^[<>=]+\\^\$' ORDER BY 1");
# The overloads that the server has of names that the extension uses too.
my @overloads = rows(
    'extended', qq{SELECT DISTINCT concat_ws(',', proname, array_to_string(proargtypes::regtype[], ','))
    FROM pg_proc WHERE oid < 16384 AND pronargs > 0 AND proname IN (SELECT proname FROM pg_proc AS o WHERE $member) ORDER BY 1}
);
my @functions = do {
    my %seen;
    grep { !$seen{$_}++ } map { /^([^,]+)/ } @overloads;
};
# Types that a column or an expression can have. Of the catalogs' row types one will do.
my @types = rows(
    'plain', q{SET search_path = '';
    SELECT format_type(oid, NULL) FROM pg_type
    WHERE typtype <> 'c' AND (typelem = 0 OR typelem IN (SELECT oid FROM pg_type WHERE typtype <> 'c'))
       OR typname IN ('pair', '_pair', 'pg_class')
    ORDER BY oid}
);
# The types that the extension casts from or to, or has operators with.
my @related = rows(
    'extended', qq{
    SELECT DISTINCT format_type(t, NULL)
    FROM (SELECT unnest(ARRAY[castsource, casttarget]) FROM pg_cast AS o WHERE $member
          UNION SELECT unnest(ARRAY[oprleft, oprright]) FROM pg_operator AS o WHERE $member) AS r (t)
         JOIN pg_type AS o ON o.oid = t
    WHERE NOT $member AND typtype <> 'p' ORDER BY 1}
);

cmp_ok(@symbols, '>=', 8, "operators: @symbols");
cmp_ok(@functions, '>=', 3, "functions: @functions");
cmp_ok(@types, '>', 200, @types . ' types');
cmp_ok(@related, '>=', 4, "types related to ulid: @related");

# What is probed: OP is each operator, F each function, X a value of each type, S of those that are no array, R of
# those that are related, and Y something untyped.
my %stands_for = (
    OP => \@symbols,
    F => \@functions,
    Y => [ '$1', "'0'" ],
    X => [ map { "NULL::$_" } @types ],
    S => [ map { "NULL::$_" } grep { !/\[\]/ } @types ],
    R => [ map { "NULL::$_" } @related ]
);
my @probes = split /;\s+/, q{$1 OP $2; '0' OP '0'; NULL OP $1; $1 OP ANY ($2); '0' OP ANY ('{}');
    X OP $1; $1 OP X; X OP '0'; '0' OP X; X OP ANY ($1); $1 OP ANY (X); X OP ALL (NULL); NULL OP ALL (X);
    X OP ANY (ARRAY[$1, NULL]); NULL OP ANY (SELECT X); ROW(X, 1) OP ROW($1, 1); S OP R; R OP S;
    X IN (Y, NULL); Y IN (X, NULL); Y NOT IN (X); X BETWEEN Y AND '1'; Y BETWEEN SYMMETRIC X AND NULL; X IS DISTINCT FROM Y;
    nullif(Y, X); coalesce(Y, X); greatest(X, Y); ARRAY[Y, X]; CASE X WHEN Y THEN 1 END; CASE WHEN true THEN X ELSE Y END;
    X UNION SELECT Y; Y UNION ALL SELECT X; Y EXCEPT SELECT X; * FROM (SELECT X AS a) AS s JOIN (SELECT Y AS a) AS t USING (a);
    * FROM (VALUES (Y), (X)) AS v; X IN (SELECT Y); a FROM (SELECT X) AS s (a) ORDER BY a;
    a FROM (SELECT X) AS s (a) ORDER BY a USING <; DISTINCT X; coalesce(X, R); F(X); F(X, $1); F(NULL, X)};
for my $name (sort keys %stands_for) {
    @probes = map {
        my $probe = $_;
        $probe =~ /\b$name\b/ ? map { $probe =~ s/\b$name\b/$_/gr } @{ $stands_for{$name} } : $probe
    } @probes;
}
# Each way to leave arguments of a function untyped.
for (@overloads) {
    my ($name, @arguments) = split /,/;
    for my $untyped (1 .. 2**@arguments - 1) {
        push @probes, map {
            my $y = $_;
            "$name(" . join(', ', map { $untyped & 2**$_ ? $y : "NULL::$arguments[$_]" } 0 .. $#arguments) . ')'
        } '$1', 'NULL';
    }
}

# Whether the operator did not exist, and now is not unique: an error as before, in other words.
sub is_refused_as_before {
    my ($before, $after) = @_;
    return $before =~ /ERROR:  operator does not exist: ([^\n]*)/
        && $after =~ /ERROR:  operator is not unique: \Q$1\E\n/;
}

# Resolves probes in two databases, without the extension and with it, and tells those that changed. The server is in
# single-user mode, where a prompt ends each answer, because psql takes twice the time.
sub resolve {
    my ($name, $databases, @chosen) = @_;
    local $/ = 'backend> ';
    my $script = $node->basedir . '/' . $name =~ s/\W+/_/gr . '.sql';
    append_to_file(
        $script,
        join("\n",
            ($name =~ /^SET / ? $name : ''),
            'SET debug_print_parse = on',
            map { "DEALLOCATE ALL; PREPARE p AS SELECT $_" } @chosen)
    );
    my @outputs = map {
        my $output = $node->basedir . "/$_.out";
        system("postgres --single -D " . $node->data_dir . " $_ <$script >$output 2>&1") == 0 or die;
        open(my $file, '<', $output) or die "$output: $!";
        <$file> for 1 .. 3;    # the version, and what comes before the probes
        $file;
    } @$databases;
    my ($resolved, $refused, $reworded, @changed) = (0, 0, 0);
    for my $probe (@chosen) {
        my ($before, $after) = map { scalar <$_> // die 'no answer' } @outputs;
        if ($before =~ /ERROR: /) { $refused++ }
        elsif ($before =~ /:opno|:funcid|:commandType 1/) { $resolved++ }
        if (is_refused_as_before($before, $after)) { $reworded++ }
        elsif ($before ne $after) { push @changed, [ $probe, $before, $after ] }
    }
    is($resolved + $refused,
        @chosen, "$name: " . @chosen . " probes, $resolved resolved, $refused refused, $reworded in other words");
    cmp_ok($resolved, '>', @chosen / 40, "$name: many of them resolve");
    is(@changed, 0, "$name: all resolve as they do without the extension");
    for (@changed) {
        my ($probe, @answers) = @$_;
        diag(
            "$probe: ",
            join(' became ', map { /(ERROR: [^\n]*)/ ? $1 : /:opno (\d+)/ ? "operator $1" : 'another tree' } @answers)
        );
    }
    return $reworded;
}

$node->stop;
my $reworded = resolve('the server alone', [qw(plain extended)], @probes);
# A part of them with each other search path.
my @paths = (q{''}, 'public', 'public, pg_catalog', 'own, public, pg_catalog');
for my $path (0 .. $#paths) {
    resolve("SET search_path = $paths[$path]",
        [qw(plain extended)], map { $probes[ 16 * $_ + $path ] } 0 .. @probes / 16 - 1);
}
cmp_ok(scalar @probes, '>', 40_000, 'as many probes as doc/guarantees.md says');
cmp_ok($reworded, '<', 200, 'few errors are in other words');
is(resolve('with btree_gist', [qw(plain_with_btree_gist extended_with_btree_gist)], grep { / <-> / } @probes),
    0, 'with btree_gist none is');

done_testing();
