# pg_upgrade keeps ulid data, indexes and views, except for the views that doc/upgrading.md names. If ULID_OLD_INSTALL names
# the installation of an older version of PostgreSQL, the upgrade is from that version (test/versions/run).
use FindBin;
use lib "$FindBin::Bin/../lib";
use UlidCluster;

my $old = PostgreSQL::Test::Cluster->new('old',
    $ENV{ULID_OLD_INSTALL} ? (install_path => $ENV{ULID_OLD_INSTALL}) : ());
my ($new, $stopped) = map { PostgreSQL::Test::Cluster->new($_) } 'new', 'stopped';
for my $node ($old, $new, $stopped) {
    # Checksums are the default from 18 on, and both must agree.
    my @checksums = $node->pg_version >= 18 ? '--no-data-checksums' : ();
    $node->init(extra => [ '--encoding=UTF8', '--locale=C', @checksums ]);
    # The test modules of 18 set it, and older servers do not have it.
    $node->adjust_conf('postgresql.conf', 'autovacuum_worker_slots', undef) if $node->pg_version < 18;
    $node->append_conf('postgresql.conf', "fsync = off\ntimezone = 'UTC'\nshared_preload_libraries = 'ulid'\n");
}

$old->start;
note 'from ', $old->safe_psql('postgres', 'SHOW server_version');
$old->safe_psql('postgres', q{
    CREATE EXTENSION ulid;
    CREATE TABLE message (
        id ulid PRIMARY KEY DEFAULT gen_ulid(),
        thread ulid, refers uuid, versions ulid[],
        at timestamptz GENERATED ALWAYS AS (id::timestamptz) STORED);
    CREATE INDEX message_thread ON message USING hash (thread);
    CREATE INDEX message_day ON message ((ulid_timestamp(id)));
    CREATE TABLE parted (id ulid PRIMARY KEY) PARTITION BY RANGE (id);
    CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (ulid_min('2024-01-01Z')) TO (ulid_min('2024-07-01Z'));
    CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (ulid_min('2024-07-01Z')) TO (ulid_min('2025-01-01Z'));
    CREATE TABLE hashed (id ulid PRIMARY KEY) PARTITION BY HASH (id);
    CREATE TABLE hashed_0 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 0);
    CREATE TABLE hashed_1 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 1);
    CREATE VIEW latest AS SELECT max(id) AS id FROM message;
    CREATE TABLE plain_key (id uuid PRIMARY KEY);
    CREATE TABLE visit (id ulid PRIMARY KEY, plain_id ulid REFERENCES plain_key);
    INSERT INTO plain_key VALUES ('01563e3a-b5d3-d676-4c61-efb99302bd5b');
    INSERT INTO visit VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV', '01ARZ3NDEKTSV4RRFFQ69G5FAV');
    CREATE VIEW both_types AS SELECT id FROM plain_key UNION SELECT plain_id FROM visit;
    INSERT INTO message (id, thread, refers, versions)
        SELECT gen_ulid(t), gen_ulid(t), gen_random_ulid()::uuid, ARRAY[gen_ulid(), NULL]
        FROM generate_series(timestamptz '2024-01-01Z', '2024-12-31Z', '1 hour') t;
    INSERT INTO parted SELECT id FROM message WHERE id < ulid_min('2025-01-01Z');
    INSERT INTO hashed SELECT id FROM message});
$old->safe_psql('postgres', q{
    CREATE INDEX message_brin ON message USING brin (id);
    CREATE INDEX message_gist ON message USING gist (id);
    CREATE INDEX message_gin ON message USING gin (thread, versions);
    CREATE TABLE booking (room ulid, during tstzrange, EXCLUDE USING gist (room WITH =, during WITH &&));
    INSERT INTO booking SELECT id, '[2026-01-01Z, 2026-01-02Z)' FROM message});

my %questions = (
    'every row' => 'SELECT md5(string_agg(m::text, chr(10) ORDER BY id)) FROM message m',
    'rows by their hash index' => q{
        SET enable_seqscan = off;
        SELECT count(*) FROM (SELECT thread AS t FROM message) q WHERE EXISTS (SELECT FROM message WHERE thread = t)},
    'rows by their key' => q{
        SET enable_seqscan = off;
        SELECT count(*), min(id), max(id) FROM message WHERE id > '01HWT3V340024H36H2NCSVRH6S'},
    'rows by their time' => q{
        SET enable_seqscan = off;
        SELECT count(*) FROM message WHERE id >= timestamptz '2024-03-01Z' AND id < timestamptz '2024-04-01Z'},
    'rows of each partition' => q{
        SELECT tableoid::regclass, count(*) FROM parted GROUP BY 1
        UNION ALL SELECT tableoid::regclass, count(*) FROM hashed GROUP BY 1 ORDER BY 1},
    'the nearest by their time' => q{
        SET enable_seqscan = off;
        SELECT id FROM message ORDER BY id <-> (timestamptz '2024-03-01Z')::ulid LIMIT 5},
    'rows by how they begin' => q{
        SET enable_seqscan = off;
        SELECT count(*) FROM message WHERE id ^@ '01HW' AND thread ^@ '01HW'},
    'an exclusion constraint' => q{
        INSERT INTO booking SELECT * FROM booking ON CONFLICT DO NOTHING; SELECT count(*) FROM booking},
    'a view' => 'TABLE latest',
    'a view of both types' => 'TABLE both_types');
my %answers = map { $_ => $old->safe_psql('postgres', $questions{$_}) } sort keys %questions;

# Views of all expressions of ulids, with the extension in either schema.
for my $schema ('public', 'pg_catalog') {
    $old->safe_psql('postgres', "CREATE DATABASE in_$schema");
    $old->safe_psql("in_$schema", "CREATE EXTENSION ulid SCHEMA $schema; " . slurp_file("$FindBin::Bin/../lib/expressions.sql"));
}
sub drop_views {
    my ($condition) = @_;
    $old->safe_psql('in_public', "SELECT 'DROP VIEW v' || n FROM expressions WHERE $condition \\gexec");
    return;
}
# This view stops pg_upgrade, too, and would be the first to do so.
drop_views(q{expression = 'NULLIF(id, o)::timestamptz'});

sub types_of_expressions {
    my ($node, $schema) = @_;
    return $node->safe_psql("in_$schema", q{SELECT expression, atttypid::regtype
        FROM expressions JOIN pg_class ON relname = 'v' || n JOIN pg_attribute ON attrelid = pg_class.oid AND attnum = 1 ORDER BY 1});
}

# pg_upgrade writes to the current directory.
chdir $PostgreSQL::Test::Utils::tmp_check or die;

# Upgrades the old server to another one. Returns whether it succeeded, and what pg_upgrade and its logs say.
sub upgrade {
    my ($to) = @_;
    my ($old_bin, $bin) = map { $_->config_data('--bindir') } $old, $to;
    $old->stop;
    my $upgraded = IPC::Run::run([ "$bin/pg_upgrade", '--no-sync', '-d', $old->data_dir, '-D', $to->data_dir,
            '-b', $old_bin, '-B', $bin, '-s', $to->host, '-p', $old->port, '-P', $to->port ], '>&', \my $output);
    $output .= slurp_file($_) for glob $to->data_dir . '/pg_upgrade_output.d/*/log/*.log';
    return ($upgraded, $output);
}

my ($upgraded, $output) = upgrade($stopped);
# From Debian's 17.12 to its 18.6, pg_upgrade fails without ulid too.
plan(skip_all => "pg_upgrade between these servers fails: $1") if $output =~ /(unrecognized parameter "pg_attver")/;
ok(!$upgraded, 'a view of a row comparison that begins with a ulid stops pg_upgrade');
like($output, qr/operator does not exist: .* public\.[<>]/, 'a log of pg_upgrade names the operator');

$old->start;
drop_views(q{expression ~ '^\(id, (k|at)\) (>|<=|IN \(SELECT|<> ALL)'});
my %types = map { $_ => types_of_expressions($old, $_) } 'public', 'pg_catalog';
($upgraded, $output) = upgrade($new);
ok($upgraded, 'pg_upgrade succeeds without such views') or die $output;

$new->start;
note 'to ', $new->safe_psql('postgres', 'SHOW server_version');
is($new->safe_psql('postgres', $questions{$_}), $answers{$_}, "$_, as before") foreach sort keys %questions;
is(types_of_expressions($new, 'pg_catalog'), $types{pg_catalog}, 'in pg_catalog, all expressions keep their type');
is(types_of_expressions($new, 'public'), $types{public} =~ s/^NULLIF\(id, o\)\|\Kulid$/uuid/mr, 'in public, all but NULLIF(ulid, ulid), a uuid');
is( $new->safe_psql('postgres', q{
        CREATE EXTENSION amcheck;
        SELECT bt_index_check(oid, true) FROM pg_class
        WHERE relkind = 'i' AND relam = (SELECT oid FROM pg_am WHERE amname = 'btree') AND relnamespace = 'public'::regnamespace;
        SELECT count(*) FROM pg_class WHERE relkind = 'i' AND relnamespace = 'public'::regnamespace}) =~ /(\d+)$/,
    1, 'amcheck finds the btree indexes in order');
is($new->safe_psql('postgres', "SELECT gin_index_check('message_gin')"), '', 'gin_index_check finds no fault')
    if $new->pg_version >= 18;
# An upgraded server's type may still be given new values.
is( $new->safe_psql('postgres', q{
        INSERT INTO message (thread) SELECT gen_ulid() FROM generate_series(1, 100);
        SELECT count(*) FROM message WHERE id > ulid_min('2025-01-01Z') AND thread IS NOT NULL}),
    100, 'new rows can be inserted');
isnt($new->psql('postgres', 'INSERT INTO visit VALUES (gen_ulid(), gen_ulid())'), 0, 'a foreign key from ulid to uuid still holds');

# The statements of doc/upgrading.md add what only the newer server supports.
sub members {
    return $new->safe_psql($_[0], q{
        SELECT pg_describe_object(classid, objid, objsubid) FROM pg_depend
        WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ulid')
        UNION ALL SELECT pg_describe_object('pg_amop'::regclass, a.oid, 0) FROM pg_amop a JOIN pg_opfamily f ON f.oid = amopfamily
            WHERE opfname ~ 'ulid'
        UNION ALL SELECT pg_describe_object('pg_amproc'::regclass, a.oid, 0) FROM pg_amproc a JOIN pg_opfamily f ON f.oid = amprocfamily
            WHERE opfname ~ 'ulid'
        ORDER BY 1});
}
$new->safe_psql('postgres', 'CREATE DATABASE fresh');
$new->safe_psql('fresh', 'CREATE EXTENSION ulid');
my $is_older = $old->pg_version < 18 && $new->pg_version >= 18;
is(members('postgres') eq members('fresh'), $is_older ? '' : 1, 'before them the extension is that of the older server');
$new->safe_psql('postgres', documented_sql("SET search_path = '';\nCREATE FUNCTION public.ulid_gist_translate_cmptype")) if $is_older;
is(members('postgres'), members('fresh'), 'after them it is that of a new installation');
is($new->safe_psql('postgres', order_is_at_clock_sql()), 't', 'the order of the server begins at the clock');
$new->stop;
done_testing();
