# pg_upgrade keeps ulid data, indexes, and every object that stores an expression. It stops at the ones that
# doc/upgrading.md names. If ULID_OLD_INSTALL names the installation of an older version of PostgreSQL, the upgrade is
# from that version (test/rare/versions/run).
use lib 'test/lib';
use UlidCluster;

our ($old, $rehearsal) =
    map { PostgreSQL::Test::Cluster->new($_, $ENV{ULID_OLD_INSTALL} ? (install_path => $ENV{ULID_OLD_INSTALL}) : ()) }
    'old', 'rehearsal';
# What stops it, and the errors: doc/upgrading.md.
my @stopping = grep { /^CREATE/ } split /\n\n/, slurp_file('test/lib/upgrade_forms.sql');
my $errors = qr/cannot cast type|default expression is of type|row comparison operator|RANGE with offset/;
my ($new, $refusing, $rehearsed, @stopped) =
    map { PostgreSQL::Test::Cluster->new($_) } 'new', 'refusing', 'rehearsed', map { "stopped_$_" } 0 .. $#stopping;
for my $node ($old, $rehearsal, $new, $refusing, $rehearsed, @stopped) {
    # Checksums are the default from 18 on, and both must agree.
    my @checksums = $node->pg_version >= 18 ? '--no-data-checksums' : ();
    $node->init(extra => [ '--encoding=UTF8', '--locale=C', @checksums ]);
    # The test modules of 18 set it, and older servers do not have it.
    $node->adjust_conf('postgresql.conf', 'autovacuum_worker_slots', undef) if $node->pg_version < 18;
    $node->append_conf('postgresql.conf', "fsync = off\ntimezone = 'UTC'\nshared_preload_libraries = 'ulid'\n");
}

$_->start for $old, $rehearsal;
$old->safe_psql(
    'postgres', q{
    CREATE EXTENSION ulid;
    CREATE TABLE message (
        id ulid PRIMARY KEY DEFAULT gen_ulid(), refers uuid, versions ulid[],
        at timestamptz GENERATED ALWAYS AS (id::timestamptz) STORED);
    CREATE INDEX ON message USING hash (id);
    CREATE INDEX ON message USING brin (id);
    CREATE INDEX ON message USING gist (id);
    CREATE INDEX message_gin ON message USING gin (id, versions);
    CREATE INDEX ON message (ulid_timestamp(id));
    CREATE TABLE parted (id ulid PRIMARY KEY) PARTITION BY RANGE (id);
    CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (ulid_min('2024-01-01Z')) TO (ulid_min('2024-07-01Z'));
    CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (ulid_min('2024-07-01Z')) TO (ulid_min('2025-01-01Z'));
    CREATE TABLE hashed (id ulid PRIMARY KEY) PARTITION BY HASH (id);
    CREATE TABLE hashed_0 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 0);
    CREATE TABLE hashed_1 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 1);
    CREATE TABLE plain_key (id uuid PRIMARY KEY);
    CREATE TABLE visit (id ulid PRIMARY KEY, plain_id ulid REFERENCES plain_key);
    INSERT INTO plain_key VALUES ('01563e3a-b5d3-d676-4c61-efb99302bd5b');
    INSERT INTO visit VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV', '01ARZ3NDEKTSV4RRFFQ69G5FAV');
    CREATE FUNCTION sorted(ulid[]) RETURNS ulid[] LANGUAGE sql RETURN ARRAY(SELECT x FROM unnest($1) AS x ORDER BY x);
    CREATE VIEW both_types AS SELECT id FROM plain_key UNION SELECT plain_id FROM visit;
    INSERT INTO message (id, refers, versions)
        SELECT gen_ulid(t), gen_random_ulid()::uuid, ARRAY[gen_ulid(), NULL]
        FROM generate_series(timestamptz '2024-01-01Z', '2024-12-31Z', '1 hour') t;
    INSERT INTO parted SELECT id FROM message;
    INSERT INTO hashed SELECT id FROM message;
    CREATE TABLE booking (room ulid, during tstzrange, EXCLUDE USING gist (room WITH =, during WITH &&));
    INSERT INTO booking SELECT id, '[2026-01-01Z, 2026-01-02Z)' FROM message;}
        . slurp_file('test/lib/compare_indexes.psql')
);

my %questions = (
    'every row' => 'SELECT md5(string_agg(m::text, chr(10) ORDER BY id)) FROM message m',
    'what each index finds' => q{SELECT * FROM compare_indexes('message', 'id', ARRAY[
        'id = $1', 'id < $1', 'id >= $1::timestamptz', 'id ^@ left($1::text, 4)', 'ORDER BY id <-> $1']) ORDER BY 1, 2},
    'rows of each partition' => q{
        SELECT tableoid::regclass, count(*) FROM parted GROUP BY 1
        UNION ALL SELECT tableoid::regclass, count(*) FROM hashed GROUP BY 1 ORDER BY 1},
    'an exclusion constraint' => q{
        INSERT INTO booking SELECT * FROM booking ON CONFLICT DO NOTHING; SELECT count(*) FROM booking},
    'ulids in the order of a function' => q{SELECT md5(sorted(array_agg(id ORDER BY refers))::text) FROM message},
    'a view of both types' => 'TABLE both_types'
);
my %answers = map { $_ => $old->safe_psql('postgres', $questions{$_}) } sort keys %questions;
unlike($answers{'what each index finds'}, qr/\|t$/m, 'each index finds what a scan finds');

# All expressions of ulids and all kinds of objects that store one, with the extension in either schema.
for my $schema ('public', 'extensions') {
    $old->safe_psql('postgres', "CREATE DATABASE in_$schema");
    $old->safe_psql(
        "in_$schema", "CREATE SCHEMA IF NOT EXISTS $schema;
        CREATE EXTENSION ulid SCHEMA $schema;
        SET search_path = public, $schema;"
            . join '', map { slurp_file("test/lib/$_.sql") } 'expressions', 'objects'
    );
}

# Without what servers write differently: names of tables before columns, and NOT NULL as a constraint.
sub stored {
    my ($node, $schema) = @_;
    return $node->safe_psql(
        "in_$schema", q{
        SELECT relname, atttypid::regtype, regexp_replace(pg_get_viewdef(c.oid), '\m[tcd]\.', '', 'g')
            FROM pg_class c JOIN pg_attribute ON attrelid = c.oid
        WHERE relkind IN ('v', 'm') AND relnamespace = 'public'::regnamespace AND attnum > 0 ORDER BY 1, attnum;
        SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE conrelid >= 16384 AND contype <> 'n' ORDER BY 1;
        SELECT indexrelid::regclass, pg_get_indexdef(indexrelid) FROM pg_index WHERE indexrelid >= 16384 ORDER BY 1;
        SELECT polname, pg_get_expr(polqual, polrelid) FROM pg_policy;
        SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef ORDER BY 1;
        SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger;
        SELECT rulename, pg_get_ruledef(oid) FROM pg_rewrite WHERE rulename = 'r';
        SELECT pg_get_partkeydef(partrelid) FROM pg_partitioned_table; SELECT with_empty_path(); TABLE nullif_type;
        SET enable_seqscan = off;
        EXPLAIN (COSTS OFF) SELECT FROM joined_using WHERE id = '01GV5PA9EQG7D82Q3Y4PKBZSYV'}
    );
}

# pg_upgrade writes to the current directory.
chdir $PostgreSQL::Test::Utils::tmp_check or die;

# Upgrades the old server to another one. Returns whether it succeeded, and what pg_upgrade and its logs say.
# Without pg_attver, an option of every column, after a server has refused it.
my $removes_pg_attver = 0;
sub upgrade {
    my ($to) = @_;
    my ($old_bin, $bin) = map { $_->config_data('--bindir') } $old, $to;
    if ($removes_pg_attver) {
        $old->safe_psql($_, q{UPDATE pg_attribute SET attoptions = NULL WHERE attoptions::text LIKE '%pg_attver=%'})
            for split /\n/, $old->safe_psql('postgres', 'SELECT datname FROM pg_database WHERE datallowconn');
    }
    $old->stop;
    my $upgraded = IPC::Run::run(
        [
            "$bin/pg_upgrade", '--no-sync', '-d', $old->data_dir, '-D', $to->data_dir,
            '-b', $old_bin, '-B', $bin, '-s', $to->host, '-p', $old->port, '-P', $to->port
        ],
        '>&',
        \my $output
    );
    $output .= slurp_file($_) for glob $to->data_dir . '/pg_upgrade_output.d/*/log/*.log';
    unless ($upgraded) {
        # It has renamed the control file if it came to link or copy data.
        my $control = $old->data_dir . '/global/pg_control';
        rename "$control.old", $control if -e "$control.old";
        $old->start;
    }
    return ($upgraded, $output);
}

sub dump_by {
    my ($by) = @_;
    IPC::Run::run([ $by->config_data('--bindir') . '/pg_dump', '-d', $old->connstr('postgres') ], '>', \my $dump)
        or die;
    return $dump;
}
unlike(dump_by($old), qr/pg_attver/, "the old server's pg_dump leaves pg_attver out");
SKIP: {
    skip "the new one leaves it out, too", 2 unless dump_by($new) =~ /pg_attver/;
    my ($upgraded, $output) = upgrade($refusing);
    ok(!$upgraded, 'pg_attver stops pg_upgrade');
    like($output, qr/unrecognized parameter "pg_attver"/, '  with that error');
    $removes_pg_attver = 1;
}

my $find = documented_sql("SET search_path = '';\nSELECT oid::regtype");
for my $n (0 .. $#stopping) {
    my $form = $stopping[$n];
    $old->safe_psql('postgres', 'CREATE DATABASE stopping');
    $old->safe_psql('stopping', "CREATE EXTENSION ulid; $form");
    my $kind = $form =~ /FUNCTION/ ? 'f' : 'd';
    like($old->safe_psql('stopping', $find), qr/^public\.$kind\d/m, "the query of doc/upgrading.md finds $form");
    if ($n == 0) {
        my @dump = ($old->config_data('--bindir') . '/pg_dumpall', '--schema-only', '-d', $old->connstr('postgres'));
        IPC::Run::run(\@dump, '>', 'schema.sql') or die;
        IPC::Run::run([ 'psql', '-Xq', '-d', $rehearsal->connstr('postgres'), '-f', 'schema.sql' ], '>&', \my $out);
        local $old = $rehearsal;
        my ($upgraded, $output) = upgrade($rehearsed);
        ok(!$upgraded, 'it stops the upgrade of a copy of the schema');
        like($output, $errors, '  with that error');
        $rehearsal->stop;
    }
    my ($upgraded, $output) = upgrade($stopped[$n]);
    ok(!$upgraded, "it stops pg_upgrade: $form");
    like($output, $errors, '  with an error of a cast, a row or a frame');
    $old->safe_psql('postgres', 'DROP DATABASE stopping');
}

like($old->safe_psql('postgres', $find), qr/^public\.sorted\(/m, 'the query finds a function that sorts');
my %stored = map { $_ => stored($old, $_) } 'public', 'extensions';
my ($upgraded, $output) = upgrade($new);
ok($upgraded, 'pg_upgrade succeeds without them') or die $output;

$new->start;
note "from @{[ $old->pg_version ]} to @{[ $new->pg_version ]}";
is($new->safe_psql('postgres', $questions{$_}), $answers{$_}, "$_, as before") foreach sort keys %questions;
like(
    $new->safe_psql('postgres', q{SELECT pg_get_function_sqlbody('sorted'::regproc)}),
    qr/USING OPERATOR\(pg_catalog\.<\)/,
    'a function that sorts has the operators of uuid'
);
is(stored($new, $_), $stored{$_}, "every expression and object is as before, with the extension in $_")
    for sort keys %stored;
is(
    $new->safe_psql(
        'postgres', q{
        CREATE EXTENSION amcheck;
        SELECT bt_index_check(oid, true) FROM pg_class
        WHERE relkind = 'i' AND relam = (SELECT oid FROM pg_am WHERE amname = 'btree')
            AND relnamespace = 'public'::regnamespace;
        SELECT count(*) FROM pg_class WHERE relkind = 'i' AND relnamespace = 'public'::regnamespace}
    ) =~ /(\d+)$/,
    1,
    'amcheck finds the btree indexes in order'
);
is($new->safe_psql('postgres', "SELECT gin_index_check('message_gin')"), '', 'gin_index_check finds no fault')
    if $new->pg_version >= 18;
isnt($new->psql('postgres', 'INSERT INTO visit VALUES (gen_ulid(), gen_ulid())'),
    0, 'a foreign key from ulid to uuid still holds');

# The statements of doc/upgrading.md add what only the newer server supports.
sub members { return $new->safe_psql($_[0], extension_catalog_sql()) }
$new->safe_psql('postgres', 'CREATE DATABASE fresh');
$new->safe_psql('fresh', 'CREATE EXTENSION ulid');
my $is_older = $old->pg_version < 18 && $new->pg_version >= 18;
is(members('postgres') eq members('fresh'), $is_older ? '' : 1,
    'before them the extension is that of the older server');
my $translate = documented_sql("SET search_path = '';\nCREATE FUNCTION public.ulid_gist_translate_cmptype");
$new->safe_psql('postgres', $translate) if $is_older;
is(members('postgres'), members('fresh'), 'after them it is that of a new installation');
is($new->safe_psql('postgres', order_is_at_clock_sql()), 't', 'the order of the server begins at the clock');
$new->stop;
done_testing();
