# The SQL of README.md and doc/*.md runs, with the results and the plans that the pages show. The pages of other
# servers and clients have tests of their own.
use lib 'test/lib';
use UlidCluster;

my $node = started_cluster('main');
$node->safe_psql('postgres', 'CREATE ROLE app');
# These need other extensions and servers.
my $elsewhere = qr/\b(?:create_hypertable|partman|cron\.schedule|SUBSCRIPTION)\b/;

$node->safe_psql('postgres', 'CREATE DATABASE pages');
$node->safe_psql(
    'pages', q{
    CREATE EXTENSION ulid;
    CREATE TABLE customer (id ulid PRIMARY KEY, n int);
    INSERT INTO customer SELECT gen_random_uuid(), n FROM generate_series(1, 200) AS n;
    INSERT INTO customer VALUES (gen_ulid(), 0)}
);
$node->safe_psql('pages', 'VACUUM ANALYZE');
sub database { my ($name) = @_; $node->safe_psql('postgres', "CREATE DATABASE $name TEMPLATE pages"); return $name }

# As psql prints it at a terminal, without the line that counts the rows.
sub run {
    my ($db, $sql) = @_;
    my (undef, $out, $err) =
        $node->psql($db, $sql, extra_params => [ map { ('-P', $_) } qw(format=aligned tuples_only=off footer=off) ]);
    return ($out =~ s/\n*\z/\n/r, $err =~ s/^.*NOTICE:.*\n?//mgr);
}

# The statements of a block one by one, as VACUUM is no part of a transaction; a body in dollar quotes is one.
sub statements { return $_[0] =~ /\G\s*((?:\$\$.*?\$\$|--[^\n]*|[^;\$]|\$(?!\$))*;)/sg }

my ($blocks, $plans, $examples) = (0, 0, 0);
for my $file ('README.md', map { "doc/$_.md" } qw(time recipes reference errors faq distributed guarantees upgrading)) {
    my $page = slurp_file($file) =~ s/^## Citus\n.*//msr;    # test/rare/extensions
    my $db = database(lc(($file =~ /(\w+)\.md$/)[0]));
    # A block of SQL, perhaps with what it gives, or a plan. "error": it fails with that message, in which line ends do
    # not count; "alone": without a transaction; "now": ids and times are of now, so only their form counts.
    while ($page =~
        /^```sql(?: (\d+|error|alone|now))?\n(.*?)^```\n(?:```text\n(.*?)^```$)?|^=> (EXPLAIN \(COSTS OFF\) [^;]*;)\n((?: [^\n]*\n)+)/msg
        )
    {
        my ($from, $sql, $expected, $query, $plan) = ($1, $2, $3, $4, $5);
        if (defined $query) {
            my ($out, $err) = run($db, $query);
            is(join("\n", grep { !/QUERY PLAN|^-+$/ } split /\n/, $out) . "\n", $plan, "$file: the plan of $query");
            is($err, '', "$file: no message with the plan of $query");
            $plans++;
            next;
        }
        my ($first) = $sql =~ /^(.*)/;
    SKIP:
        {
            my $server = ($from // '') =~ /^\d+$/ ? $from : 0;
            skip "$file: not on this server: $first", 1 if $sql =~ $elsewhere || $node->pg_version < $server;
            next if $file =~ /upgrading/ && $sql =~ /CREATE FUNCTION/;    # test/rare/versions
            $sql =~ s/^CREATE EXTENSION ulid/CREATE EXTENSION IF NOT EXISTS ulid/mg;
            # A line with an arrow returns or fails with what follows, after the rest of its block.
            my @arrows;
            $sql =~ s/^(.*;)[ \n]-- → (.*)\n/push @arrows, [ $1, $2 ]; ''/mge;
            my @results =
                map { [ run($db, $_) ] } $sql =~ /^VACUUM/m || ($from // '') eq 'alone' ? statements($sql) : $sql;
            if (($from // '') eq 'error') {
                my $error = $results[0][1] =~ s/^psql:[^:]*:\d+: //r =~ s/^LINE \d+: .*\n *\^\n//mr;
                is(join(' ', split ' ', $error), join(' ', split ' ', $expected), "$file: fails as it says: $first");
                $blocks++;
                next;
            }
            is(join('', map { $_->[1] } @results), '', "$file runs: $first");
            if (($from // '') eq 'now') {
                s/\b0\w{25}\b/ID/g, s/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00/TIME/g, s/[- ]+/ /g, s/ $//mg
                    for $expected, $results[-1][0];
            }
            is($results[-1][0], $expected, "$file gives what it shows: $first") if defined $expected;
            $blocks++;
            for my $arrow (@arrows) {
                my (undef, $out, $err) = $node->psql($db, $arrow->[0]);
                is($err =~ /ERROR:  (.*)/ ? $1 : $out, $arrow->[1], "$file: $arrow->[0]");
                $examples++;
            }
        }
    }
    # The results beside functions and casts.
    while ($page =~ /`([^`\n]+)` → `([^`]*)`/g) {
        my ($call, $result) = ($1, $2);
        is($node->safe_psql($db, "SET timezone = 'UTC'; SELECT $call"), $result, "$file: $call");
        $examples++;
    }
}
cmp_ok($blocks, '>', 15, 'blocks of SQL are run');
cmp_ok($plans, '>=', 3, 'plans are compared');
cmp_ok($examples, '>=', 24, 'examples of functions are compared');

my $db = database('results');
# Keys that were random UUIDs have a time, mostly in the far future.
my $hour = q{SELECT n FROM customer WHERE id >= now() - interval '1 hour'};
is($node->safe_psql($db, $_), 0, "random UUIDs are not found by $_")
    for "$hour AND id < now() + interval '1 day'",
    q{SELECT n FROM customer WHERE ulid_within(id, tstzrange(now() - interval '1 hour', now() + interval '1 day'))};
cmp_ok(scalar(split /\n/, $node->safe_psql($db, $hour)), '>', 180, 'a time without an end finds most of the old rows');
cmp_ok($node->safe_psql($db, 'SELECT n FROM customer ORDER BY id DESC LIMIT 1'), '>', 0,
    'the last by id is an old one');

$node->safe_psql(
    $db, q{CREATE TABLE events (id ulid PRIMARY KEY, n int);
    INSERT INTO events SELECT gen_ulid('2026-01-01Z'::timestamptz + i * interval '2 min'), i
    FROM generate_series(0, 21599) AS i}
);

# doc/errors.md has each message in the source, with its DETAIL and HINT; and those of PostgreSQL about ulids.
my $errors = slurp_file('doc/errors.md') =~ s/\s+/ /gr;
my $source = join '', map { slurp_file($_) } glob('src/pg/*.[ch]pp');
my @messages =
    map { join '', /"((?:[^"\\]|\\.)*)"/g } $source =~ /\berr(?:msg|detail|hint)\(((?:\s*"(?:[^"\\]|\\.)*")+)/g;
cmp_ok(scalar @messages, '>=', 30, 'messages in the source');
for my $message (@messages) {
    my $pattern = join '.*?', map { quotemeta } split /%(?:\.\*s|lld|[sd])/, $message =~ s/\\(.)/$1/gr, -1;
    like($errors, qr/$pattern/, "doc/errors.md has: $message");
}
$node->safe_psql($db, 'CREATE TABLE ranges (id ulid) PARTITION BY RANGE (id)');
for my $statement (
    (
        map { "SELECT $_ FROM events" } "date_trunc('day', id)",
        'extract(year FROM id)',
        "to_char(id, 'YYYY')",
        'age(id)',
        'id::date',
        'now() - id',
        "id + interval '1 day'",
        "id LIKE '01%'",
        "id ILIKE '01%'",
        "id = 'x'::text",
        "id = 'x'::varchar",
        "'x'::text = id",
        'id = now()',
        'id = 5',
        '5::bigint::ulid',
        '5::int::ulid',
        'id::uuid >= now()',
        "'{}'::jsonb::ulid",
        'id::timestamp',
        'id::uuid::timestamptz',
        'ulid_timestamp(id::uuid)',
        'id = 5::bigint',
        'id - id',
        'id <@ tstzrange(now(), now())',
        "id ~ 'x'",
        'lower(id)',
        "string_agg(id, ',')"
    ),
    'CREATE TABLE invoice (customer text REFERENCES events)',
    'CREATE TABLE columns (x text); ALTER TABLE columns ALTER x TYPE ulid',
    'DROP EXTENSION ulid',
    'ALTER EXTENSION ulid SET SCHEMA public',
    'INSERT INTO events (id) SELECT now()',
    'CREATE TABLE january PARTITION OF ranges FOR VALUES FROM (now()) TO (now())',
    'CREATE FUNCTION gen_ulid() RETURNS text LANGUAGE sql RETURN 1'
    )
{
    my ($message) = ($node->psql($db, $statement))[2] =~ /ERROR:  (.*)/;
    cmp_ok(index($errors, "`$message`"), '>', 0, "doc/errors.md has: $message");
}
is(
    $node->safe_psql(
        $db,
        'CREATE TABLE so_far (id ulid DEFAULT gen_ulid(), at timestamptz DEFAULT now()); BEGIN; SELECT pg_sleep(0.01) \gset
    INSERT INTO so_far DEFAULT VALUES; SELECT id <= now(), id <= clock_timestamp(), at <= now() FROM so_far; COMMIT'
    ),
    'f|t|t',
    'in a transaction, id <= now() misses rows made since its start'
);
is(
    $node->safe_psql(
        $db, q{SELECT count(*) FROM events, (VALUES ('{2026-01-02Z,2026-01-05Z}'::timestamptz[])) AS a (t)
    WHERE (id >= ANY (t)) <> (id >= (SELECT min(u) FROM unnest(t) AS u))}
    ),
    0,
    'the replacement for ANY'
);
is(
    $node->safe_psql(
        $db, 'ALTER TABLE events ADD COLUMN later ulid DEFAULT gen_ulid();
    SELECT max(later)::timestamptz > min(later)::timestamptz FROM events'
    ),
    't',
    'a volatile default gives each row the time at which it is rewritten'
);
SKIP:
{
    skip 'the server has no ICU', 1
        unless $node->safe_psql($db, q{SELECT count(*) FROM pg_collation WHERE collname = 'cs-x-icu'});
    is(
        $node->safe_psql(
            $db, q{SELECT a < b, lower(a::text) < lower(b::text) COLLATE "C", a::text < b::text COLLATE "cs-x-icu",
        lower(a::text) < b::text COLLATE "C"
        FROM (VALUES ('01CH0000000000000000000000'::ulid, '01CJ0000000000000000000000'::ulid),
            ('01DVDNA0000000000000000000', '01EVDNA0000000000000000000')) AS v (a, b)}
        ),
        "t|t|f|f\nt|t|t|f",
        'the order of texts is that of ids in "C", but not in Czech or in mixed case'
    );
}
$node->safe_psql(
    $db, q{CREATE TABLE by_day AS SELECT gen_ulid('2025-01-01Z'::timestamptz + n % 365 * interval '1 day') AS id
    FROM generate_series(1, 73000) AS n;
    CREATE FUNCTION off(day int) RETURNS float8 LANGUAGE plpgsql AS $$
    DECLARE plan json; rows float8; from_day timestamptz := '2025-01-01Z'::timestamptz + day * interval '1 day';
    BEGIN
        EXECUTE format('EXPLAIN (FORMAT json) SELECT FROM by_day WHERE id >= %L::timestamptz
            AND id < %L::timestamptz', from_day, from_day + interval '1 day') INTO plan;
        rows := plan -> 0 -> 'Plan' ->> 'Plan Rows';
        RETURN greatest(rows / 200, 200 / rows);
    END $$}
);
my ($default, $more) = map {
    $node->safe_psql(
        $db, "ALTER TABLE by_day ALTER COLUMN id SET STATISTICS $_; ANALYZE by_day;
    SELECT round(max(off(day))) FROM generate_series(0, 364) AS day"
    )
} 100, 1000;
ok($default > 10 && $more <= 2,
    "rows filled in by day: estimates are up to $default times off, and $more times with SET STATISTICS 1000");
SKIP:
{
    skip 'uuid_extract_timestamp() reads UUIDv7s starting with PostgreSQL 18', 1 if $node->pg_version < 18;
    is(
        $node->safe_psql(
            $db, q{SELECT uuid_extract_timestamp(ulid_min(t)), uuid_extract_timestamp(uuidv7_min(t)) = t
        FROM (VALUES ('2026-01-05Z'::timestamptz)) AS v (t)}
        ),
        '|t',
        'it reads the bound of UUIDv7s, and not ulid_min()'
    );
}
# Of the recipes: which conditions use an index, and what a CSV file may hold.
$db = 'recipes';
for my $case (
    [ 'SELECT DISTINCT ON (user_id) user_id, address FROM login ORDER BY user_id, id DESC', 1 ],
    [ "SELECT d FROM document WHERE (d ->> 'id')::ulid >= '2026-01-01 UTC'::timestamptz", 1 ],
    [ "SELECT FROM message WHERE readers \@> '{01KDVDNA008RZ4T6V2M0N7B1CD}'", 1 ],
    [ "SELECT FROM message WHERE '01KDVDNA008RZ4T6V2M0N7B1CD' = ANY (readers)", 0 ]
    )
{
    my $plan = $node->safe_psql($db, "SET enable_seqscan = off; SET enable_sort = off; EXPLAIN $case->[0]");
    is($plan =~ /Index/ ? 1 : 0,
        $case->[1], "doc/recipes.md: $case->[0] " . ($case->[1] ? 'uses' : 'does not use') . ' an index');
}
like(
    ($node->psql($db, q{INSERT INTO document VALUES ('{"id": "x"}')}))[2],
    qr/invalid input syntax/,
    'doc/recipes.md: the index refuses a row without a valid id'
);
for my $case (
    [ '01kdvdna008rz4t6v2m0n7b1cd', 't' ],
    [ '019b76da-a800-463e-4d1b-62a02a75858d', 't' ],
    [ '', '' ],
    [ '""', undef ]
    )
{
    my (undef, $out, $err) = $node->psql($db,
              "TRUNCATE imported; COPY imported FROM STDIN (FORMAT csv);\n$case->[0],1\n\\.\n"
            . "SELECT id = '01KDVDNA008RZ4T6V2M0N7B1CD' FROM imported");
    is($err =~ /invalid input syntax/ ? undef : $out, $case->[1], "doc/recipes.md: CSV with the id <$case->[0]>");
}
$db = 'results';
# The sizes in README.md: rows that are inserted one after another.
my ($rows, $small, $large) =
    map { s/,//gr } slurp_file('README.md') =~ /^([\d,]+) such rows take (\d+) MB .*? take (\d+) MB\./ms;
$node->safe_psql(
    $db, "CREATE TABLE by_ulid (id ulid PRIMARY KEY DEFAULT gen_ulid(), what text);
    CREATE TABLE by_uuid (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), created_at timestamptz DEFAULT clock_timestamp(), what text);
    CREATE INDEX ON by_uuid (created_at);
    INSERT INTO by_ulid (what) SELECT 'logged in' FROM generate_series(1, $rows);
    INSERT INTO by_uuid (what) SELECT 'logged in' FROM generate_series(1, $rows)"
);
my @sizes = map { $node->safe_psql($db, "SELECT pg_total_relation_size('$_') / 1024 / 1024.0") } 'by_ulid', 'by_uuid';
ok(
    abs($sizes[0] - $small) <= 1 && abs($sizes[1] - $large) <= 2,
    "README.md: $rows rows take $small MB and $large MB: @sizes"
);
# A function that is not of an operator, an index or the type itself is for users, and in the reference.
my $reference = slurp_file('doc/reference.md');
my @functions = split /\n/, $node->safe_psql(
    $db, q{SELECT DISTINCT proname FROM pg_proc AS p JOIN pg_depend ON objid = p.oid
    WHERE classid = 'pg_proc'::regclass AND deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ulid')
        AND coalesce(obj_description(p.oid, 'pg_proc'),
            '') !~ '^implementation of|\msupport\M|^I/O$|^less-equal-greater$|er of two$|selectivity'}
);
cmp_ok(scalar @functions, '>', 20, 'functions for users');
is(join(' ', grep { $reference !~ /\b\Q$_\E\(/ } @functions), '', 'each is in doc/reference.md');

# GitHub cuts off wider lines.
for my $pattern ('*.md', 'doc/*.md', 'clients/*.md', 'clients/*/*.md') {
    my @pages = glob $pattern;
    ok(scalar @pages, "there are pages $pattern");
    for my $file (@pages) {
        my $in_code = 0;
        is(
            join("\n",
                grep { $in_code = !$in_code if /^ *```/; $in_code && length > 100 } split /\n/,
                slurp_file($file)),
            '',
            "$file: no line of code is wider than 100 columns"
        );
    }
}

done_testing();
