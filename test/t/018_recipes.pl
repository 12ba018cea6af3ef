# doc/recipes.md: what its recipes promise beyond what 015_documents.pl runs.
use lib 'test/lib';
use UlidCluster;

my $node = started_cluster('main', "max_prepared_transactions = 1\nautovacuum = off\n");
sub sql { return $node->safe_psql('postgres', $_[0]) }
my $page = slurp_file('doc/recipes.md') =~ s/\s+/ /gr;

# ---- Read new rows without losing any

sql(documented_sql('CREATE FUNCTION horizon()'));
sql(
    q{
    ALTER TABLE outbox ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id();
    CREATE TABLE xid_reader AS SELECT '0'::xid8 AS since, '0'::xid8 AS until;
    CREATE TABLE got (form text, id ulid);
    CREATE TABLE finished (n int);
    CREATE ROLE worker;
    INSERT INTO reader SELECT 'statement', position, position FROM reader;
    CREATE FUNCTION wrong(checked text) RETURNS text LANGUAGE sql AS $$
        SELECT (SELECT count(*) FROM outbox WHERE id NOT IN (SELECT id FROM got WHERE form = checked)) || ' lost, '
            || (SELECT count(*) - count(DISTINCT id) FROM got WHERE form = checked) || ' repeated' $$}
);
my %look = (
    naive => q{INSERT INTO got SELECT 'naive', id FROM outbox
        WHERE id > coalesce((SELECT max(id) FROM got WHERE form = 'naive'), '00000000000000000000000000');},
    horizon => documented_sql("BEGIN;\nUPDATE reader") =~
        s/SELECT o\.id, o\.body/INSERT INTO got SELECT 'horizon', o.id/r,
    statement => q{WITH look AS (
            UPDATE reader SET position = horizon, horizon = greatest(horizon(), horizon)
            WHERE name = 'statement' RETURNING *)
        INSERT INTO got SELECT 'statement', o.id FROM look r JOIN outbox o ON o.id >= r.position AND o.id < r.horizon;},
    xid => q{WITH look AS (
            UPDATE xid_reader SET since = until, until = pg_snapshot_xmin(pg_current_snapshot()) RETURNING *)
        INSERT INTO got SELECT 'xid', id FROM look JOIN outbox ON xid >= since AND xid < until;}
);
my $look = join("\n", @look{ 'naive', 'statement', 'horizon', 'xid' });
sub begin_again { sql('TRUNCATE outbox, got') }
sub wrong { return sql("SELECT wrong('$_[0]')") }
sub loses { my ($form, $lost, $name) = @_; return is(wrong($form), "$lost lost, 0 repeated", $name) }
# After the millisecond of the last row.
sub last_look { return sql("SELECT pg_sleep(0.01);\n$look") }

# 8 writers.
my $directory = PostgreSQL::Test::Utils::tempdir();
my $write = q{DO $$ BEGIN
        FOR i IN 1 .. 100 LOOP
            INSERT INTO outbox DEFAULT VALUES;
            PERFORM pg_sleep(random() * 0.03);
            INSERT INTO outbox (id) VALUES (gen_uuidv7());
            COMMIT;
        END LOOP;
    END $$};
my @writer = ('psql', '-Xq', '-d', $node->connstr('postgres'), '-c', $write, '-c', 'INSERT INTO finished VALUES (1)');
my @writers = map { IPC::Run::start(\@writer, '<', '/dev/null') } 1 .. 8;
my $reader = $node->background_psql('postgres');
my $looks = 0;
append_to_file("$directory/look", "$look\nSELECT pg_sleep(0.005);\n");
do { $reader->query("\\i $directory/look"); $looks++ }
    until $reader->query('SELECT count(*) FROM finished') == 8 || $looks == 100_000;
$_->finish for @writers;
last_look();
is(sql('SELECT count(*) FROM outbox'), 1600, '8 writers commit 100 transactions of two rows each');
cmp_ok($looks, '>', 3, "the reader looks while they write ($looks times)");
like(wrong('naive'), qr/^[1-9]\d* lost/, 'id > last loses rows');
loses($_, 0, "the $_ loses and repeats no row") for 'horizon', 'xid';

# Two transactions that commit in the other order than that of their ids.
my $writer = $node->background_psql('postgres');
for my $tracked ('off', 'on') {
    begin_again();
    $writer->query("SET track_activities = $tracked; BEGIN; INSERT INTO outbox DEFAULT VALUES;");
    sql('INSERT INTO outbox DEFAULT VALUES');
    last_look();
    $writer->query('COMMIT;');
    last_look();
    loses('naive', 1, 'id > last loses the row that commits later');
    loses('xid', 0, 'the xid finds it');
    loses('horizon', $tracked eq 'on' ? 0 : 1, "so does the horizon if track_activities is on: $tracked");
}

# A transaction that commits after a reader's snapshot and before the reader's horizon.
my $wait = 'SELECT pg_advisory_xact_lock(1)';
my $in_one = $look{statement} =~ s/WITH (.*?) WHERE/WITH wait AS MATERIALIZED ($wait), $1 FROM wait WHERE/sr;
for my $case (
    [ 'in the statement of the rows', 'statement', $in_one, 1 ],
    [ 'in REPEATABLE READ', 'horizon', $look{horizon} =~ s/BEGIN;/BEGIN ISOLATION LEVEL REPEATABLE READ; $wait;/r, 1 ],
    [ 'in a statement before', 'horizon', $look{horizon} =~ s/BEGIN;/BEGIN; $wait;/r, 0 ]
    )
{
    my ($where, $form, $waiting, $lost) = @$case;
    begin_again();
    $writer->query('BEGIN; INSERT INTO outbox DEFAULT VALUES; SELECT pg_advisory_lock(1), pg_sleep(0.01);');
    $reader->query_until(qr/started/, "\\echo started\n$waiting\n");
    $node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'advisory'})
        or die;
    $writer->query('COMMIT; SELECT pg_advisory_unlock(1);');
    $reader->query('SELECT 1');
    last_look();
    loses($form, $lost, "a horizon read $where loses " . ($lost ? 'the row' : 'nothing'));
}
$writer->quit;
$reader->quit;

# Its limits.
begin_again();
sql(q{INSERT INTO outbox VALUES (gen_ulid(clock_timestamp() + interval '1 s'))});
last_look();
sql('SELECT pg_sleep(1)');
last_look();
loses('horizon', 0, 'an id ahead of the clock is read later');
sql(q{INSERT INTO outbox VALUES (gen_ulid(now() - interval '1 min'))});
last_look();
loses('horizon', 1, 'an old id is lost');
loses('xid', 0, 'but not by the xid');
begin_again();
sql(q{BEGIN; INSERT INTO outbox DEFAULT VALUES; PREPARE TRANSACTION 'p'});
sql('INSERT INTO outbox DEFAULT VALUES');
last_look();
is(sql(q{SELECT count(*) FROM got WHERE form IN ('horizon', 'xid')}), 0, 'a prepared transaction delays rows');
sql(q{COMMIT PREPARED 'p'});
last_look();
loses($_, 0, "then the $_ reads them") for 'horizon', 'xid';
like(
    (sqlstate($node, 'SET ROLE worker; SELECT horizon()'))[1],
    qr/needs the role pg_read_all_stats/,
    'a role that does not see others is told so'
);
is(sql('GRANT pg_read_all_stats TO worker; SET ROLE worker; SELECT horizon() = ulid_min(now())'),
    't', 'a role that does has a horizon');

# ---- Read rows that changed

sql(
    documented_sql('CREATE TABLE item') . q{INSERT INTO item (body) SELECT n FROM generate_series(1, 400) AS n;
    CREATE TABLE seen (form text, body text); UPDATE reader SET position = ulid_min(now()), horizon = position}
);
my ($changed) = $page =~ /`(changed >= r.position[^`]*)`/;
my $changes = $look{horizon} =~ s/INSERT.*?o.id;/INSERT INTO seen SELECT 'horizon', body FROM reader r
    JOIN item ON $changed WHERE r.name = 'search';/sr . q{UPDATE reader SET horizon = (SELECT max(changed) FROM item)
    WHERE name = 'statement'; SELECT pg_sleep(0.01)};
my $naive = q{INSERT INTO seen SELECT 'naive', body FROM item, reader WHERE changed > horizon AND name = 'statement'};
$writer = $node->background_psql('postgres');
$writer->query(q{BEGIN; UPDATE item SET body = body || ' early' WHERE body::int <= 200;});
sql(
    qq{UPDATE item SET body = body || ' late', changed = '00000000000000000000000000' WHERE body::int > 200;
    SELECT pg_sleep(0.01); $naive; $changes}
);
$writer->query('COMMIT;');
$writer->quit;
sql("$naive; $changes");
is(sql("SELECT count(DISTINCT body) FROM seen WHERE form = '$_->[0]' AND body ~ '[a-z]'"),
    $_->[1], "$_->[0] sees $_->[1] changes")
    for [ 'horizon', 400 ], [ 'naive', 200 ];

# ---- What the index serves

sql(documented_sql($_))
    for 'CREATE TABLE post', 'CREATE TABLE account (id ulid', 'CREATE VIEW api_post',
    'CREATE EXTENSION pgcrypto';
sql(
    q{
    INSERT INTO account SELECT gen_uuidv7(), n FROM generate_series(1, 5000) AS n}
);
sql('VACUUM ANALYZE');
sub plan_for { return sql("EXPLAIN $_[0]") }
my @pages = documented_sql('CREATE TABLE post') =~ /^(SELECT \*[^;]*)/mg;
my $typeid = q{'user_01h455vb4pex5vsknk084sn02q'};
for my $case (
    [ $pages[0], qr/^Limit[^\n]*\n[^\n]*Index Scan Backward using post_pkey.*Index Cond: \(\(blog = 1\) AND \(id < /s ],
    [ $pages[1], qr/^Limit[^\n]*\n[^\n]*Index Scan Backward using post_likes.*Index Cond: \(ROW\(likes, id\) < /s ],
    [ "SELECT name FROM account WHERE id = from_typeid('user', $typeid)", qr/Index Scan using account_pkey/ ],
    [ q{SELECT * FROM api_post WHERE blog = 1 AND id >= '2026-01-07 22:00'::timestamptz}, qr/post_pkey/ ],
    map { [ "SELECT * FROM $_ >= '2026-01-07 22:00'", qr/^(Gather.*)?Seq Scan/s ] } 'api_post WHERE created_at',
    'post WHERE made',
    'post WHERE created_at(post)'
    )
{
    like(plan_for($case->[0]), $case->[1], "the plan of $case->[0]");
}
is(
    sql(
        qq{SELECT string_agg(text, ' ') FROM unnest(ARRAY['invoice_' || substr($typeid, 6), substr($typeid, 6), 'user_', '',
            rtrim($typeid, 'q'), 'x' || $typeid, replace($typeid, '_0', '_8'), 'user_' || upper(right($typeid, 26)),
            replace($typeid, '01h', '0ih'), replace($typeid, '01h', 'o1h')]) AS text
        WHERE from_typeid('user', text) IS NOT NULL}
    ),
    '',
    'from_typeid() returns NULL for other texts'
);
is(
    sql("SELECT from_typeid('', right($typeid, 26)) = from_typeid('user', $typeid), from_typeid('', $typeid) IS NULL"),
    't|t', 'a TypeID without a prefix is the suffix'
);
is(sql(q{SELECT count(*) FROM account WHERE id = from_typeid('user', 'user_' || lower(id::text))}),
    5001, 'every TypeID is read again');

# Rows of clients: a dump can be restored, but not with a condition on now().
my $old = q{INSERT INTO upload SELECT gen_ulid(at), at FROM (SELECT now() - interval '2 days' AS at) AS old};
sql(documented_sql('CREATE TABLE upload') . $old);
is(
    sql(
        'BEGIN; SELECT pg_sleep(0.01) \gset
    INSERT INTO upload VALUES (gen_ulid()) RETURNING received > now(); COMMIT'
    ),
    't',
    'a row is received when it is inserted'
);
# In New York, interval '1 day' before this row are 25 hours.
for my $zone ('America/New_York', 'UTC') {
    my $insert = "SET timezone = '$zone';
        INSERT INTO upload VALUES (gen_ulid('2026-11-01 17:20Z'::timestamptz - interval '%s'),
        '2026-11-01 17:20Z')";
    is((sqlstate($node, sprintf $insert, '24 hours 1 min'))[0], '23514', "older than 24 hours is too old in $zone");
    is((sqlstate($node, sprintf $insert, '23 hours 59 min'))[0], '', "and less is not in $zone");
}
sql('TRUNCATE upload; ALTER TABLE upload ADD CONSTRAINT recent CHECK (id > now() - interval $$1 day$$)');
like((sqlstate($node, $old))[1], qr/violates check constraint "recent"/, 'a CHECK with now() refuses rows of before');

# ---- Statistics tell the planner how many days there are.

my $by_day = (documented_sql('CREATE STATISTICS post_days') =~ /^(SELECT .*) ORDER BY/m)[0];
sub groups { return (plan_for($by_day) =~ /rows=(\d+)/)[0] }
sql('INSERT INTO post (blog) VALUES (1)');
cmp_ok(groups(), '>', 5000, 'without statistics the planner expects a group for each id');
sql(documented_sql('CREATE STATISTICS post_days'));
cmp_ok(groups(), '<', 20, 'with statistics it expects a group for each day');

# ---- Public ids

sql(
    q{INSERT INTO note SELECT id, n FROM generate_series(1, 5000) AS n,
        LATERAL (SELECT CASE n % 3 WHEN 0 THEN gen_ulid() WHEN 1 THEN gen_uuidv7()
            ELSE gen_random_ulid() END) AS made (id);
    ANALYZE note; CREATE ROLE api; GRANT SELECT ON note, api_note TO api}
);
is(
    sql(
        'SELECT count(*), count(DISTINCT public_id(id)), bool_and(private_id(public_id(id)) = id),
        bool_or(public_id(id) = id) FROM note'
    ),
    '5002|5002|t|f',
    'public ids of every generator come back, and none is the id'
);
cmp_ok(
    sql(
        q{SELECT count(*) FROM note
        WHERE abs(extract(epoch FROM public_id(id)::timestamptz - id::timestamptz)) < 365 * 86400}
    ),
    '<',
    50,
    'public ids do not show the time'
);
my $shown = sql("SELECT public_id(id) FROM note WHERE body = '7'");
for my $condition ("id = private_id('$shown')", "id > private_id('$shown') ORDER BY id LIMIT 20") {
    like(
        plan_for("SELECT body FROM note WHERE $condition"),
        qr/Index Scan using note_pkey.*Index Cond: \(id [=>] private_id/s,
        "by the key: $condition"
    );
}
like(
    plan_for("SELECT body FROM api_note WHERE id = '$shown'"),
    qr/Seq Scan on note/,
    'a condition on the view reads the table'
);
is(sql("SET ROLE api; SELECT body FROM note WHERE id = private_id('$shown'); SELECT count(*) FROM api_note"),
    "7\n5002", 'an application role uses them');
is((sqlstate($node, "SET ROLE api; $_"))[0], '42501', "but it cannot: $_")
    for 'SELECT * FROM secret.id_key',
    'DELETE FROM secret.id_key';
# ---- Days, batches, and small things

my $delete = documented_sql('DELETE FROM outbox');
sql(
    q{TRUNCATE outbox; INSERT INTO outbox SELECT gen_ulid(now() - n * interval '10 min')
    FROM generate_series(1, 40000) AS n; ANALYZE outbox}
);
like(
    plan_for($delete),
    qr/Index (?:Only )?Scan using outbox_pkey on outbox outbox_1.*Index Cond: \(id < /s,
    'a batch finds its rows by the key'
);
is(
    join(' ', map { sql("WITH d AS (${\($delete =~ s/;\n//r)} RETURNING 1) SELECT count(*) FROM d") } 1 .. 4),
    '10000 10000 7041 0',
    'batches until there is none'
);
my ($setting) = slurp_file('doc/errors.md') =~ /`(NULLIF[^`]*)`/;
sql(
    "CREATE TABLE tenanted (tenant ulid);
    INSERT INTO tenanted VALUES ('$shown');
    ALTER TABLE tenanted ENABLE ROW LEVEL SECURITY;
    CREATE POLICY p ON tenanted USING (tenant = $setting); GRANT SELECT ON tenanted TO api"
);
my $set = "SET ROLE api; BEGIN; SET LOCAL app.tenant = '$shown'; SELECT count(*) FROM tenanted; COMMIT;
    SELECT count(*) FROM tenanted";
is(sql($set), "1\n0", 'row security by a setting: one row in the transaction, none after it');
sql("ALTER POLICY p ON tenanted USING (tenant = current_setting('app.tenant', true)::ulid)");
is((sqlstate($node, $set))[0], '22P02', 'without NULLIF it fails after the transaction');

# ---- The time out of the id

SKIP: {
    skip 'virtual columns are of 18', 1 if $node->pg_version < 18;
    sql(documented_sql('CREATE TABLE visit') . q{INSERT INTO visit VALUES (DEFAULT), (uuidv7_min('2026-01-01Z'))});
    is(sql('SELECT bool_and(created_at = id::ulid::timestamptz) FROM visit'),
        't', 'a virtual column of a uuid has the time');
}
my ($differ) = $page =~ /`(SELECT \* FROM t WHERE \(id BETWEEN [^`]*)`/;
is(
    sql(
        qq{CREATE TABLE t (n int, id ulid DEFAULT gen_ulid(), created_at timestamptz DEFAULT now());
        INSERT INTO t (n) VALUES (1);
        INSERT INTO t VALUES (2, gen_ulid(), NULL), (3, gen_ulid(), '2026-01-02Z'), (4, gen_ulid('2026-01-01Z'), now());
        SELECT string_agg(n::text, ' ' ORDER BY n) FROM ($differ) AS d; DROP TABLE t}
    ),
    '2 3 4',
    'rows whose id has another time are found'
);

# ---- Partitions, in another time zone than that of the partitions

sql(documented_sql('CREATE PROCEDURE add_partition'));
sql("SET timezone = 'Asia/Tokyo'; CALL add_partition('orders', '$_')")
    for ('2026-01-31 23:00Z', '2026-02-01 00:00Z') x 2;
is(
    sql(
        q{
        INSERT INTO orders VALUES (ulid_max('2026-01-31 23:59:59.999Z')), (ulid_min('2026-02-01Z'));
        SELECT string_agg(tableoid::regclass::text, ' ' ORDER BY id) FROM orders WHERE id < '2026-03-01'::timestamptz}
    ),
    'orders_2026_01 orders_2026_02',
    'rows have the partition of their month'
);
sql(
    q{
    CREATE SCHEMA "App one"; CREATE TABLE "App one"."Order" (id ulid PRIMARY KEY) PARTITION BY RANGE (id);
    CREATE TABLE "App one".rest PARTITION OF "App one"."Order" DEFAULT}
);
sql(qq{CALL add_partition('"App one"."Order"', '2026-0$_-15Z')}) for 1, 2, 3, 3;
my $longest = 'x' x 55;
sql(
    "CREATE TABLE $longest (id ulid) PARTITION BY RANGE (id); CALL add_partition('$longest',
    '2026-01-15Z'); CALL add_partition('$longest', '2026-02-15Z')"
);
is(sql("SELECT count(*) FROM partitions('$longest')"), 2, 'the name of a table can have 55 bytes');
sql('CREATE TABLE visits (id uuid) PARTITION BY RANGE (id)');
sql("CALL add_partition('visits', '2026-0$_-15Z')") for 1, 2;
sql("INSERT INTO visits VALUES (uuidv7_min('2026-02-01Z')), (ulid_min('2026-02-01Z'))");
is(
    sql("SELECT string_agg(concat_ws(' ', partition, since::date, until::date), ', ') FROM partitions('visits')"),
    'visits_2026_01 2026-01-01 2026-02-01, visits_2026_02 2026-02-01 2026-03-01',
    'a uuid column has the same partitions'
);
is(
    sql("EXPLAIN (COSTS OFF) SELECT FROM visits WHERE id >= $_('2026-02-01Z')"),
    "Seq Scan on visits_2026_02 visits\n  Filter: (id >= '@{[sql(qq{SELECT $_('2026-02-01Z')::uuid})]}'::uuid)",
    "a condition by $_() reads one of them"
) for 'ulid_min', 'uuidv7_min';
sql("CALL drop_partitions('visits', '2026-02-01Z')");
is(sql("SELECT count(*) FROM partitions('visits')"), 1, 'and the old ones are dropped');

# A partition has what its parent has, and neither readers nor writers wait for it.
sql(
    q{CREATE TABLE busy (id ulid PRIMARY KEY DEFAULT gen_ulid(), n int GENERATED ALWAYS AS IDENTITY,
        day date GENERATED ALWAYS AS ((id::timestamptz AT TIME ZONE 'UTC')::date) STORED,
        item text CHECK (item <> '')) PARTITION BY RANGE (id);
    CREATE INDEX ON busy (item);
    CREATE TRIGGER same BEFORE UPDATE ON busy FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
    CALL add_partition('busy', now())}
);
sql(q{CREATE TABLE by_server PARTITION OF busy FOR VALUES FROM (ulid_min('2020-01-01Z')) TO (ulid_min('2020-02-01Z'))});
my ($by_page, $by_server) = map { sql("\\d $_") =~ s/$_/p/gr =~ s/^Partition.*\n//mgr }
    sql(q{SELECT relname FROM pg_class WHERE relname ~ '^busy_2\d+_\d+$'}), 'by_server';
is($by_page, $by_server, 'a partition has what CREATE TABLE ... PARTITION OF gives it');
my @reads = ($node, 'postgres', 'SELECT FROM busy');
my $insert = q{INSERT INTO busy (item) VALUES ('a book')};
is(join(' ', beside_a_reader(@reads, $_->[0], $insert)), $_->[1], "beside a reader: $_->[2]")
    for [ q{CALL add_partition('busy', '2027-01-15Z')}, '00000 00000', 'a partition is added, and a writer goes on' ],
    [ q{CALL drop_partitions('busy', '2020-03-01Z')}, '55P03 00000',
    'dropping gives up, and a writer waits no longer' ],
    [
    q{CREATE TABLE later PARTITION OF busy FOR VALUES FROM (ulid_min('2028-01-01Z')) TO (ulid_min('2028-02-01Z'))},
    '00000 57014', 'PARTITION OF makes a writer wait for the reader'
    ];
is(sql("SELECT count(*) FROM partitions('busy')"), 4, 'the partition is there, and the old one, too');
sql(q{CALL drop_partitions('busy', '2020-03-01Z')});
is(sql("SELECT count(*) FROM partitions('busy')"), 3, 'which is dropped later');
sql(q{CALL drop_partitions('"App one"."Order"', '2026-03-01Z')}) for 1, 2;
is(
    sql(
        q{SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class
        WHERE relnamespace = '"App one"'::regnamespace AND relkind = 'r'}
    ),
    'Order_2026_03 rest',
    'partitions that end before a time are dropped in the schema of their table'
);
# ---- What the page says is refused, with its messages

for my $sql (
    'INSERT INTO upload (id) VALUES (gen_random_uuid())',
    'ALTER TABLE post ADD wrong date GENERATED ALWAYS AS (id::timestamptz::date) STORED',
    q{CREATE TABLE orders_x PARTITION OF orders FOR VALUES FROM ('2026-02-01') TO ('2026-03-01')}
    )
{
    my ($message) = (sqlstate($node, $sql))[1] =~ /ERROR:  \w+: (.*?)(?:: |\n)/ or die $sql;
    like($page, qr/`\Q$message\E`/, "$message: $sql");
}

# ---- With the clock 40 days and a year later; as a client with the fewest rights

my $later = new_cluster('later');
my $clock = $later->basedir . '/clock';
start_faked($later);
create_extension($later);
sub at_later {
    my (undef, $out, $err) = $later->psql('postgres', "\\set VERBOSITY verbose\n$_[0]", on_error_stop => 1);
    return $err =~ /ERROR:  (\w{5}):/ ? $1 : $out;
}
at_later(documented_sql($_)) for 'CREATE PROCEDURE add_partition', 'CREATE TABLE upload';
my $job = join ';', documented_sql('SELECT cron.schedule') =~ /\$\$(.*?)\$\$/sg;
at_later("CREATE ROLE client; DO \$do\$ BEGIN $job; END \$do\$");
my $upload = sub {
    'SET ROLE client; ' . documented_sql('CREATE TABLE upload') =~ s/.*(?=^INSERT)//smr =~ s/gen_ulid\(\)/'$_[0]'/r;
};
my $of_client = at_later('SELECT gen_ulid()');
is(at_later($upload->($of_client)), '', 'a client inserts an id') for 1, 2;
is(at_later('SELECT count(*) FROM upload WHERE id = $$' . $of_client . '$$'),
    1, 'and a second time, which does nothing');
is(at_later("SET ROLE client; INSERT INTO upload VALUES (gen_ulid(), now())"),
    '42501', 'it cannot set when the row was received');
for my $days (20, 40, 80, 400, 440) {
    set_clock($clock, "+${days}d");
    at_later("DO \$do\$ BEGIN $job; END \$do\$") for 1, 2;
    is(
        at_later(
            'INSERT INTO orders (item) VALUES ($$later$$);
        SELECT tableoid::regclass::text = to_char(now(), $$"orders_"YYYY_MM$$)
        FROM orders ORDER BY id DESC LIMIT 1'
        ),
        't',
        "$days days later a row has the partition of its month"
    );
}
is(at_later('SELECT min(until) > now() - interval $$13 months$$, count(*) <= 14 FROM partitions($$orders$$)'),
    't|t', 'partitions of twelve months stay');
is(at_later($upload->($of_client)), '23514', 'an insert that is repeated much later fails');

done_testing();
