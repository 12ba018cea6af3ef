# pg_upgrade keeps ulid data and indexes as they are. Where ULID_OLD_INSTALL names the installation
# of an older version of PostgreSQL, the upgrade is from that (test/versions/run).
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;
use File::Basename;
use File::Copy 'copy';

my $old = PostgreSQL::Test::Cluster->new('old',
    $ENV{ULID_OLD_INSTALL} ? (install_path => $ENV{ULID_OLD_INSTALL}) : ());
my $new = PostgreSQL::Test::Cluster->new('new');
for my $node ($old, $new) {
    # Checksums are the default from 18 on, and both must agree.
    my @checksums = $node->pg_version >= 18 ? '--no-data-checksums' : ();
    $node->init(extra => [ '--encoding=UTF8', '--locale=C', @checksums ]);
    # Written by the tests' library of 18, unknown to a server before it.
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
        at timestamp GENERATED ALWAYS AS (id::timestamp) STORED);
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

# Schemas that ulid_move.sql has moved, in the catalogue and by copying, and one in the middle of its move: with
# the indexes that are to outlive it, and after the switch.
my $tmp = $PostgreSQL::Test::Utils::tmp_check;
my @moved = ('shop', 'store', 'begun', 'switched');

sub psql_on {
    my ($node, $db, @options) = @_;
    return ($node->installed_command('psql'), '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($db), @options);
}

# The script that moves columns, as a file.
sub script_on {
    my ($node, $db, $columns) = @_;
    command_ok([ psql_on($node, $db, '-v', "columns=$columns", '-v', "script=$tmp/$db.sql", '-f', $node->config_data('--sharedir') . '/extension/ulid_move.sql') ],
        "$db: a script is written");
    return "$tmp/$db.sql";
}

foreach ([ 'shop', 'schema.sql', 'shop.customer, shop.invoice, shop.event, shop.indexed.u, shop.secret' ], [ 'store', 'copied.sql', 'store.account, store.hashed' ]) {
    my ($db, $schema, $columns) = @$_;
    $old->safe_psql('postgres', "CREATE DATABASE $db");
    $old->safe_psql($db, 'CREATE EXTENSION ulid');
    command_ok([ psql_on($old, $db, '-v', 'rows=50', '-f', dirname(__FILE__) . "/moving/$schema") ], "$db: a schema");
    command_ok([ psql_on($old, $db, '-f', script_on($old, $db, $columns)) ], "$db: moved");
}
foreach ([ 'begun', 2 ], [ 'switched', 3 ]) {
    my ($db, $part) = @$_;
    $old->safe_psql('postgres', "CREATE DATABASE $db");
    $old->safe_psql($db, q{
        CREATE EXTENSION ulid;
        CREATE TABLE a (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer, parent uuid REFERENCES a);
        CREATE TABLE b (a_id uuid REFERENCES a ON DELETE CASCADE, n integer, PRIMARY KEY (a_id, n), CHECK (a_id IS NOT NULL));
        CREATE INDEX a_parent ON a (parent);
        CREATE INDEX a_some ON a (n) WHERE id IS NOT NULL;
        CREATE VIEW v AS SELECT id FROM a;
        INSERT INTO a (n) SELECT n FROM generate_series(1, 50) n;
        UPDATE a SET parent = id;
        INSERT INTO b SELECT id, n FROM a});
    my ($begin) = slurp_file(script_on($old, $db, 'a')) =~ /\A(.*?)^-- $part\. /ms;
    append_to_file("$tmp/$db.begin.sql", "$begin\\endif\n");
    command_ok([ psql_on($old, $db, '-f', "$tmp/$db.begin.sql") ], "$db: in the middle of a move");
}

# The schema, as the newer server's pg_dump tells it.
sub schema_of {
    my ($node, $db) = @_;
    my ($dump, $err);
    IPC::Run::run([ $new->installed_command('pg_dump'), '-s', '-d', $node->connstr($db) ], '>', \$dump, '2>', \$err) or die $err;
    # which server it is of, and a key of its own
    $dump =~ s/^(--.*|\\(un)?restrict .*)\n//mg;
    # The roles of a policy come in the order of their numbers. IS DISTINCT FROM is restored with uuid's
    # operator, as that of ulid is in no schema that is searched then.
    $dump =~ s/ TO auditor, clerk / TO clerk, auditor /g;
    $dump =~ s/\(((?:old|new)\.\w+)\)::uuid/$1/g;
    # A cast of an array is restored as one of its elements.
    $dump =~ s/\(\(ARRAY\[([\w.]+)\]\)::uuid\[\]\)/(ARRAY[($1)::uuid])/g;
    return $dump =~ s/\(\((.*?)\)\)/($1)/gr;
}

my @questions = (
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
my @answers;
for (my $i = 0; $i < @questions; $i += 2) {
    push @answers, $old->safe_psql('postgres', $questions[ $i + 1 ]);
}
my %schema = map { $_ => schema_of($old, $_) } @moved;
$old->stop;
append_to_file($old->data_dir . '/pg_stat/ulid.stat', sprintf("%015d\n", (time + 3600) * 1000));
$old->start;
my $last = $old->safe_psql('postgres', 'SELECT gen_monotonic_ulid()');
$old->stop;

my $dir = $PostgreSQL::Test::Utils::tmp_check;
my $bin = $new->config_data('--bindir');
my $old_bin = $old->config_data('--bindir');
# pg_upgrade writes where it stands.
chdir $dir or die;
command_ok([ "$bin/pg_upgrade", '--no-sync', '-d', $old->data_dir, '-D', $new->data_dir,
        '-b', $old_bin, '-B', $bin, '-s', $new->host, '-p', $old->port, '-P', $new->port ],
    'pg_upgrade');

$new->start;
note 'to ', $new->safe_psql('postgres', 'SHOW server_version');
for (my $i = 0; $i < @questions; $i += 2) {
    is($new->safe_psql('postgres', $questions[ $i + 1 ]), $answers[ $i / 2 ], "$questions[$i], as before");
}
is( $new->safe_psql('postgres', q{
        CREATE EXTENSION amcheck;
        SELECT bt_index_check(oid, true) FROM pg_class
        WHERE relkind = 'i' AND relam = (SELECT oid FROM pg_am WHERE amname = 'btree') AND relnamespace = 'public'::regnamespace;
        SELECT count(*) FROM pg_class WHERE relkind = 'i' AND relnamespace = 'public'::regnamespace}) =~ /(\d+)$/,
    1, 'amcheck finds the btree indexes in order');
is($new->safe_psql('postgres', "SELECT gin_index_check('message_gin')"), '', 'and the GIN index whole')
    if $new->pg_version >= 18;
# An upgraded server's type may still be given new values.
is( $new->safe_psql('postgres', q{
        INSERT INTO message (thread) SELECT gen_ulid() FROM generate_series(1, 100);
        SELECT count(*) FROM message WHERE id > ulid_min('2025-01-01Z') AND thread IS NOT NULL}),
    100, 'new rows are taken');
foreach my $db (@moved) {
    ok(schema_of($new, $db) eq $schema{$db}, "$db: the schema is the same") or do {
        my $diff;
        append_to_file("$tmp/$db.old", $schema{$db});
        append_to_file("$tmp/$db.new", schema_of($new, $db));
        IPC::Run::run([ 'diff', "$tmp/$db.old", "$tmp/$db.new" ], '>', \$diff);
        diag $diff;
    };
}
# A move goes on: after the switch by the script from before, before it by another.
foreach my $db ('switched', 'begun') {
    command_ok([ psql_on($new, $db, '-f', $db eq 'switched' ? "$tmp/$db.sql" : script_on($new, $db, 'a')) ], "$db: the move goes on");
    is($new->safe_psql($db, q{
            SELECT count(*) FILTER (WHERE relname LIKE '%ulid_move'), (SELECT count(*) FROM pg_constraint WHERE contype IN ('p', 'f', 'c') AND convalidated AND connamespace = 'public'::regnamespace),
                (SELECT string_agg(DISTINCT format_type(atttypid, -1), ' ') FROM pg_attribute WHERE attrelid IN ('a'::regclass, 'b'::regclass, 'v'::regclass) AND attnum > 0 AND attname ~ 'id|parent')
            FROM pg_class}), '0|5|ulid', "$db: to its end");
    is($new->safe_psql($db, 'SET enable_seqscan = off; SELECT count(*) FROM a JOIN b ON a_id = id JOIN v USING (id) WHERE parent = id'), 50, "$db: with every row");
}
is($new->safe_psql('store', 'SELECT count(*) FROM store.account a JOIN store.purchase p ON p.account_id = a.id JOIN store.hashed h ON true WHERE h.n IS NOT NULL AND a.n = 0'), 5000,
    'store: its rows are found by their keys');
is($new->safe_psql('shop', q{
        SET enable_seqscan = off;
        SELECT count(*) FROM shop.invoice i JOIN shop.customer c ON c.id = i.customer_id WHERE i.id = ANY (ARRAY(SELECT id FROM shop.invoice))}),
    100, 'shop: its rows are found by their keys');
isnt($new->psql('shop', 'INSERT INTO shop.reference_1 VALUES (-1, gen_ulid())'), 0, 'and refer to each other');
isnt($new->psql('postgres', 'INSERT INTO visit VALUES (gen_ulid(), gen_ulid())'), 0, 'a ulid still refers to a uuid key');

# What the newer server has and the older had not comes with the statements of doc/upgrading.md.
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
is(members('postgres') eq members('fresh'), $is_older ? '' : 1, 'without them the extension is that of the older server');
$new->safe_psql('postgres', documented_sql('CREATE FUNCTION ulid_skipsupport')) if $is_older;
is(members('postgres'), members('fresh'), 'with them, that of a new installation');
is( $new->safe_psql('postgres', q{SELECT count(*) FROM pg_amproc a JOIN pg_opfamily f ON f.oid = amprocfamily
        WHERE opfname = 'ulid_ops' AND amprocnum = 6 AND amproc::regproc::text = 'ulid_skipsupport'}),
    $new->pg_version >= 18 ? 1 : 0, 'skip support where the server has it');

# The record of gen_monotonic_ulid() is not taken along, and may be copied. (Here the clock of the old
# server was ahead by an hour.)
my ($old_record, $new_record) = map { $_->data_dir . '/pg_stat/ulid.stat' } $old, $new;
is($new->safe_psql('postgres', 'SELECT gen_monotonic_ulid()') lt $last, 1, 'the order begins anew');
$new->stop;
copy($old_record, $new_record) or die $!;
$new->start;
cmp_ok($new->safe_psql('postgres', 'SELECT gen_monotonic_ulid()'), 'gt', $last, 'with the old record it goes on');
$new->stop;
done_testing();
