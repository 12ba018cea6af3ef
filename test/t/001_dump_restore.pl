# pg_dump and restore keep data, defaults, indexes, domains and generated columns, with the extension in a schema that
# is in no search_path; and the statistics that newer servers dump.
use lib 'test/lib';
use UlidCluster;

# No statistics but those restored.
my $node = new_cluster('main', conf => "autovacuum = off\n");
$node->start;

$node->safe_psql('postgres', 'CREATE DATABASE original');
$node->safe_psql(
    'original', q{
    CREATE SCHEMA ids;
    CREATE EXTENSION ulid SCHEMA ids;
    CREATE DOMAIN key AS ids.ulid CHECK (VALUE > '00000000000000000000000000');
    CREATE TABLE parents (id key PRIMARY KEY DEFAULT ids.gen_ulid(), kind text,
        at timestamptz GENERATED ALWAYS AS (id::ids.ulid::timestamptz) STORED,
        others ids.ulid[] DEFAULT ARRAY[ids.gen_random_ulid(), NULL]);
    CREATE TABLE children (id ids.ulid DEFAULT ids.ulid_next('01GV5PA9EQG7D82Q3Y4PKBZSYV'),
        parent ids.ulid REFERENCES parents, CHECK (id::timestamptz >= '2020-01-01 00:00:00Z'));
    CREATE INDEX ON children USING hash (parent);
    CREATE INDEX ON children (ids.ulid_timestamp(id) DESC, id) WHERE id <> parent;
    CREATE INDEX ON parents USING gin (others);
    CREATE INDEX ON parents USING gin (id, others);
    CREATE INDEX ON children USING gist (parent, id);
    CREATE INDEX ON children (parent) WHERE parent ^@ '01';
    CREATE TABLE bookings (room ids.ulid, during tstzrange, EXCLUDE USING gist (room WITH =, during WITH &&));
    INSERT INTO bookings VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV', '[2026-01-01Z, 2026-01-02Z)');
    -- ulid and uuid together
    CREATE TABLE people (id uuid PRIMARY KEY, invited_by ids.ulid REFERENCES people, parent uuid REFERENCES parents,
        CHECK (id <> invited_by AND invited_by IS DISTINCT FROM id));
    CREATE INDEX ON people (parent) WHERE parent > invited_by;
    INSERT INTO people VALUES ('00000000-0000-0000-0000-000000000001', NULL, NULL),
        ('00000000-0000-0000-0000-000000000002', '00000000000000000000000001', NULL);
    CREATE VIEW latest AS SELECT max(id) AS id, count(*) FROM parents;
    CREATE MATERIALIZED VIEW per_day AS SELECT date_trunc('day', at) AS day, min(id) AS first FROM parents GROUP BY 1;
    CREATE TABLE parted (id ids.ulid PRIMARY KEY) PARTITION BY RANGE (id);
    CREATE TABLE parted_1 PARTITION OF parted FOR VALUES
        FROM ('00000000000000000000000000') TO ('01JGFJJZ000000000000000000');
    INSERT INTO parted VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV');
    INSERT INTO parents (kind) SELECT 'kind ' || n FROM generate_series(1, 1000) AS n;
    INSERT INTO children (parent) SELECT id FROM parents;
    INSERT INTO children VALUES ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ', NULL);
}
);

my $has_temporal_keys = $node->pg_version >= 18;
$node->safe_psql(
    'original', q{
    CREATE TABLE prices (item ids.ulid, during tstzrange, PRIMARY KEY (item, during WITHOUT OVERLAPS));
    CREATE TABLE sales (item ids.ulid, during tstzrange,
        FOREIGN KEY (item, PERIOD during) REFERENCES prices (item, PERIOD during));
    INSERT INTO prices VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV', '[2026-01-01Z, 2026-02-01Z)');
    INSERT INTO sales VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV', '[2026-01-03Z, 2026-01-04Z)');
}
) if $has_temporal_keys;

# The dump of a database, without lines that differ from run to run.
sub dump_of {
    my ($database, @options) = @_;
    my ($out, $err) = run_command([ 'pg_dump', @options, $node->connstr($database) ]);
    is($err, '', "pg_dump of $database prints no warnings");
    return join "\n", grep { !/^\\(un)?restrict/ } split /\n/, $out;
}
my $original = dump_of('original');
unlike(
    $original,
    qr/CREATE (TYPE|FUNCTION ids|OPERATOR|CAST|AGGREGATE)/,
    'the dump does not contain objects of the extension'
);

my $dir = $PostgreSQL::Test::Utils::tmp_check;
# A new database from a dump.
sub restored {
    my ($name, $file) = @_;
    $node->safe_psql('postgres', "CREATE DATABASE $name");
    $node->command_ok([ 'pg_restore', '-e', "$dir/$file", '-d', $name ], "$name: pg_restore restores");
    return;
}
# With pg_restore; with psql below.
$node->command_ok([ 'pg_dump', '--format=custom', '-f', "$dir/custom", 'original' ], 'pg_dump --format=custom');
restored('custom', 'custom');
is(dump_of('custom'), $original, 'the restored database is the same');
is(
    $node->safe_psql(
        'custom', q{
        INSERT INTO parents (kind) VALUES ('new');
        SET enable_seqscan = off;
        SELECT kind, (SELECT count(*) FROM children) FROM parents ORDER BY id DESC LIMIT 1;
        SELECT count(*) FROM children AS c JOIN parents AS p ON p.id = c.parent
        WHERE p.at = c.parent::timestamptz}
    ),
    "new|1001\n1000",
    "new rows get ids, and the indexes find rows"
);
is(
    $node->safe_psql(
        'custom', q{
        SET enable_seqscan = off;
        SELECT id FROM children ORDER BY id <-> '10889-08-02Z'::timestamptz::ids.ulid LIMIT 1;
        SELECT count(*) FROM parents WHERE id::ids.ulid ^@ '01'}
    ),
    "7ZZZZZZZZZZZZZZZZZZZZZZZZZ\n1001",
    "indexes find the nearest id and a prefix"
);
like(($node->psql('custom', 'INSERT INTO people VALUES (gen_random_uuid(), NULL, gen_random_uuid())'))[2],
    qr/people_parent_fkey/, 'a foreign key from uuid to ulid holds');
like(
    ($node->psql('custom', q{INSERT INTO sales VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV', '[2026-01-03Z,)')}))[2],
    qr/foreign key constraint/,
    'the temporal foreign key holds'
) if $has_temporal_keys;

# Every expression of ulids that the catalogs allow, and every kind of object that stores one, come back with the same
# text, type and plan: with the extension in public, in a schema of no search_path, and there as the owner of the
# database made it.
$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN');
for my $where ('public', 'extensions', 'owner') {
    my ($schema, $role) =
        $where eq 'owner' ? ('extensions', 'owner') : ($where, $node->safe_psql('postgres', 'SELECT user'));
    my ($from, $to) = map { "${_}_$where" } 'from', 'to';
    $node->safe_psql('postgres', "CREATE DATABASE $_ OWNER $role") for $from, $to;
    $node->safe_psql('postgres', "ALTER DATABASE $_ SET timezone = 'UTC'") for $from, $to;
    my @as = (extra_params => [ '-U', $role ]);
    my $objects = join '', map { slurp_file("test/lib/$_.sql") } 'expressions', 'objects', 'upgrade_forms';
    # Only the owner of a type creates a cast.
    $objects =~ s/^CREATE CAST .*//m if $where eq 'owner';
    $node->safe_psql(
        $from, "CREATE SCHEMA IF NOT EXISTS $schema;
        CREATE EXTENSION ulid SCHEMA $schema;
        SET search_path = public, $schema;
        $objects", @as
    );
    my $dump = dump_of($from, '-U', $role);
    append_to_file("$dir/$where.sql", $dump);
    $node->command_ok(
        [ 'psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', '-U', $role, '-d', $node->connstr($to), '-f', "$dir/$where.sql" ],
        "$where: the dump restores");
    ok(dump_of($to, '-U', $role) eq $dump, "$where: the restored database has the same dump");
    is(join(' ', $dump =~ /^.*OPERATOR\((?!\w+\.\^[<>=]+\^)\S+\) \S+/mg),
        '', "$where: no operator is written with its schema");
    my ($before, $after) = map {
        $node->safe_psql(
            $_, q{
        SELECT relname, string_agg(attname || ' ' || atttypid::regtype, ', ' ORDER BY attnum)
            FROM pg_attribute JOIN pg_class AS v ON v.oid = attrelid
        WHERE relkind IN ('v', 'm') AND relnamespace = 'public'::regnamespace GROUP BY 1 ORDER BY 1;
        SET enable_seqscan = off;
        SELECT format('EXPLAIN (COSTS OFF, VERBOSE) TABLE %s', oid::regclass) FROM pg_class
        WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace ORDER BY relname \gexec
        EXPLAIN (COSTS OFF) SELECT FROM t WHERE id IS DISTINCT FROM o AND k = 1;
        EXPLAIN (COSTS OFF) SELECT FROM joined_using WHERE id = '01GV5PA9EQG7D82Q3Y4PKBZSYV';
        EXPLAIN (COSTS OFF) SELECT FROM joined_naturally WHERE id = '01GV5PA9EQG7D82Q3Y4PKBZSYV'}
        )
    } $from, $to;
    cmp_ok(scalar(() = $before =~ /^v\d+\|/mg),
        '>', 250, "$where: there are " . (() = $before =~ /^v\d+\|/mg) . ' expressions');
    ok($after eq $before, "$where: all have the same types and plans") or diag $dump;
    like($after, qr/Index Scan on partial$/m, "$where: a partial index is used");
    is(scalar(() = $after =~ /Index Cond: \((?:\w+\.)?id = '01GV5PA9EQG7D82Q3Y4PKBZSYV'::(?:\w+\.)?ulid\)/g),
        4, "$where: a literal passes through USING and NATURAL JOIN to the indexes of both sides");
    is(
        $node->safe_psql($to, 'SELECT * FROM nullif_type', @as),
        $schema eq 'public' ? 'ulid' : 'extensions.ulid',
        "$where: NULLIF of two ulids is a ulid"
    );
}

# Statistics that pg_dump of 18 and later writes (--statistics): ranges of time are estimated after the restore as
# before, without an ANALYZE.
SKIP:
{
    skip 'statistics are dumped starting with PostgreSQL 18', 1 if $node->pg_version < 18;

    $node->safe_psql('postgres', 'CREATE DATABASE old');
    $node->safe_psql(
        'old', q{
    CREATE EXTENSION ulid;
    CREATE DOMAIN key AS ulid;
    CREATE TABLE event (id ulid PRIMARY KEY, as_key key, few ulid, kind int, at timestamptz);
    INSERT INTO event
    SELECT id, id, CASE WHEN n % 5 > 0 THEN ulid_min('2025-01-01Z'::timestamptz + n % 40 * interval '1 day') END,
        n % 7, ulid_timestamp(id)
    FROM generate_series(1, 20000) AS n,
         make_ulid('2025-01-01Z'::timestamptz + (n / 2000.0) ^ 2 * interval '1 day',
            substr(sha256(n::text::bytea), 1, 10)) AS id;
    CREATE INDEX event_time ON event ((ulid_timestamp(few)));
    CREATE TABLE part (id ulid, kind int) PARTITION BY LIST (kind);
    CREATE TABLE part_low PARTITION OF part FOR VALUES IN (0, 1, 2);
    CREATE TABLE part_rest PARTITION OF part DEFAULT;
    INSERT INTO part SELECT id, kind FROM event;
    VACUUM FULL;
    ANALYZE}
    );

    my @queries = (
        "SELECT FROM event WHERE id >= '2025-01-20Z'::timestamptz AND id < '2025-01-20 01:00Z'::timestamptz",
        "SELECT FROM event WHERE ulid_within(as_key, tstzrange('2025-02-01Z', '2025-02-07Z'))
            OR as_key > ulid_min('2025-04-08Z')",
        "SELECT FROM event WHERE few < '2025-01-02 03:04Z'::timestamptz AND few IS NOT NULL",
        "SELECT FROM event WHERE id::timestamptz >= '2025-01-20Z' AND kind = 3",
        "SELECT FROM event WHERE few = ulid_min('2025-01-05Z')",
        "SELECT FROM event WHERE ulid_timestamp(few) > '2025-01-20Z'",
        "SELECT FROM part WHERE id >= '2025-01-20Z'::timestamptz AND id < '2025-01-21Z'::timestamptz"
    );

    # The plans with the rows of each node.
    sub plans {
        my ($database) = @_;
        return map { $node->safe_psql($database, "EXPLAIN $_") =~ s{cost=\S+ }{}gr } @queries;
    }
    my @before = plans('old');
    my %dumps = (data => '--no-statistics', statistics => '--statistics-only');
    $node->command_ok([ 'pg_dump', '-Fc', $dumps{$_}, '-f', "$dir/$_", 'old' ], "pg_dump $dumps{$_}")
        for sort keys %dumps;
    restored('new', 'data');
    # The server scales by a table's pages, of which COPY may leave more than VACUUM FULL.
    $node->safe_psql('new', 'VACUUM FULL');
    my @without = plans('new');
    isnt($without[$_], $before[$_], "other estimates without statistics: $queries[$_]") for 0 .. 2;
    $node->command_ok([ 'pg_restore', '--exit-on-error', '-d', 'new', "$dir/statistics" ],
        'pg_restore restores the statistics');
    my @after = plans('new');
    is($after[$_], $before[$_], "as before: $queries[$_]") for 0 .. $#queries;
}

# The database owner restores over the extension of a superuser, as in a copy of a template1 that has it.
$node->safe_psql('postgres', "CREATE DATABASE $_ OWNER owner") for 'by_owner', 'copied';
$node->safe_psql('by_owner', 'CREATE EXTENSION ulid; CREATE TABLE t (id ulid)', extra_params => [ '-U', 'owner' ]);
$node->safe_psql('copied', 'CREATE EXTENSION ulid');
for my $case ([qr/must be owner of extension ulid/], [ qr/^\z/, '--no-comments' ]) {
    my ($message, @options) = @$case;
    my $dump = dump_of('by_owner', '-U', 'owner', @options);
    my $err = ($node->psql('copied', $dump, extra_params => [ '-1', '-U', 'owner' ], on_error_stop => 1))[2];
    like($err, $message, "the dump (@options) gives $message");
}

done_testing();
