# A ulid key over postgres_fdw: what the remote server is asked, and partitions on it.
use lib 'test/lib';
use UlidCluster;

# Both are databases of one server: postgres_fdw connects as it does to another one.
my $node = started_cluster('main');
sub near { return $node->safe_psql('postgres', $_[0]) }
sub far { return $node->safe_psql($_[1] // 'far', $_[0]) }
near('CREATE DATABASE far');

# Three messages, on the hours after noon; each by an author of its own.
far(q{
    CREATE EXTENSION ulid;
    CREATE TABLE author (id ulid PRIMARY KEY, name text);
    CREATE TABLE message (id ulid PRIMARY KEY, author ulid, body text);
    INSERT INTO author SELECT make_ulid('2024-01-01 00:00Z', decode(repeat(to_hex(n + 160), 10), 'hex')), 'author ' || n
        FROM generate_series(1, 3) n;
    INSERT INTO message SELECT make_ulid(timestamptz '2024-05-01 12:00Z' + right(name, 1)::int * interval '1 hour',
        '\x00112233445566778899'), id, replace(name, 'author', 'message') FROM author;
});

near('CREATE EXTENSION postgres_fdw');
# A server of that name.
sub connect_to {
    my ($server, $database, $options) = @_;
    my ($host, $port) = ($node->host, $node->port);
    near("CREATE SERVER $server FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$host', port '$port', dbname '$database' $options);
        CREATE USER MAPPING FOR CURRENT_USER SERVER $server");
    return;
}
connect_to('far', 'far', ", extensions 'ulid', use_remote_estimate 'true'");
connect_to('unaware', 'far', '');
near(q{IMPORT FOREIGN SCHEMA public LIMIT TO (author, message) FROM SERVER far INTO public;
    CREATE FOREIGN TABLE unaware_message (id ulid, author ulid, body text) SERVER unaware OPTIONS (table_name 'message')});
is(near(q{SELECT atttypid::regtype FROM pg_attribute WHERE attrelid = 'message'::regclass AND attname = 'id'}),
    'ulid', 'IMPORT FOREIGN SCHEMA brings the type');

# What a query asks of the far server, and its rows.
sub asks {
    my ($sql, $remote, $rows, $name) = @_;
    like(join("\n", near("EXPLAIN (VERBOSE, COSTS OFF) $sql") =~ /Remote SQL: (.*)/g), $remote, "$name: the remote SQL");
    is(near($sql), $rows, "$name: the rows");
    return;
}

my @id = ('', split /\n/, far('SELECT id FROM message ORDER BY id'));
my ($two, $three) = map { far("SELECT ulid_min('2024-05-01 $_:00Z')") } 14, 15;

asks("SELECT body FROM message WHERE id = '$id[1]'", qr/WHERE \(\(id = '$id[1]'\)\)$/, 'message 1', 'equality');
asks("SELECT body FROM message WHERE id > '$id[1]' AND id <> '$id[3]'",
    qr/WHERE \(\(id > '$id[1]'\)\) AND \(\(id <> '$id[3]'\)\)$/, 'message 2', 'comparison');
asks(q{SELECT body FROM message WHERE id >= timestamptz '2024-05-01 14:00Z' AND id < timestamptz '2024-05-01 15:00Z'},
    qr/WHERE \(\(id >= '$two'\)\) AND \(\(id < '$three'\)\)$/, 'message 2', 'a time condition, as the bounds of the key');
asks("SELECT m.body, a.name FROM message m JOIN author a ON a.id = m.author WHERE m.id > '$id[2]'",
    qr/INNER JOIN public\.author.*r1\.author = r2\.id/, 'message 3|author 3', 'a join');
asks('SELECT min(id), max(id) FROM message', qr/SELECT min\(id\), max\(id\) FROM public\.message$/,
    "$id[1]|$id[3]", 'aggregates');
asks(q{SELECT body FROM message WHERE ulid_timestamp(id) >= '2024-05-01 14:00Z' AND id::timestamptz < '2024-05-01 15:00Z'},
    qr/WHERE \(\(public\.ulid_timestamp\(id\) >= .*\) AND \(\(.*id\W.* < /, 'message 2', 'the time of the id');
asks("SELECT body FROM unaware_message WHERE id = '$id[1]'",
    qr/SELECT id, body FROM public\.message$/, 'message 1', "without extensions 'ulid' the whole table is fetched");

# A far server with the extension in another schema: operators, min and max do not name one. And a far column of text, which is
# compared as text.
near("CREATE DATABASE others");
far(qq{CREATE SCHEMA ids; CREATE EXTENSION ulid SCHEMA ids; CREATE TABLE message (id ids.ulid PRIMARY KEY, body text);
    CREATE TABLE as_text (id text); INSERT INTO message VALUES ('$id[1]', 'message 1'), ('$id[2]', 'message 2');
    INSERT INTO as_text VALUES ('$id[1]'), (lower('$id[2]'))}, 'others');
connect_to('others', 'others', ", extensions 'ulid'");
near(qq{CREATE FOREIGN TABLE others_message (id ulid, body text) SERVER others OPTIONS (table_name 'message');
    CREATE FOREIGN TABLE others_text (id ulid) SERVER others OPTIONS (table_name 'as_text')});
asks("SELECT body FROM others_message WHERE id = '$id[1]'", qr/WHERE \(\(id = '$id[1]'\)\)$/, 'message 1', 'another schema: equality');
asks(q{SELECT body FROM others_message WHERE id >= timestamptz '2024-05-01 14:00Z'}, qr/WHERE \(\(id >= '$two'\)\)$/, 'message 2',
    'another schema: a time condition');
asks('SELECT min(id), max(id) FROM others_message', qr/SELECT min\(id\), max\(id\)/, "$id[1]|$id[2]", 'another schema: aggregates');
like((sqlstate($node, "SELECT body FROM others_message WHERE ulid_timestamp(id) = '2024-05-01 14:00Z'"))[1],
    qr/schema "public" does not exist|function public\.ulid_timestamp\(\S+\) does not exist/, 'another schema: a function has ours');
asks("SELECT count(*) FROM others_text WHERE id = '$id[$_]'", qr/WHERE \(\(id = '$id[$_]'\)\)$/, 2 - $_,
    "a column of text is compared as text: " . ('', 'upper case', 'lower case')[$_]) for 1, 2;

# Partitions by hash and by time on the far server, in two databases.
near('CREATE TABLE by_hash (id ulid DEFAULT gen_ulid(), body text) PARTITION BY HASH (id);
    CREATE TABLE by_time (id ulid DEFAULT gen_ulid(), body text) PARTITION BY RANGE (id)');
for my $n (0, 1) {
    my ($start, $end) = ('2024-05-01', '2024-06-01', '2024-07-01')[ $n, $n + 1 ];
    near("CREATE DATABASE shard$n");
    far('CREATE EXTENSION ulid; CREATE TABLE by_hash (id ulid PRIMARY KEY, body text); CREATE TABLE by_time (LIKE by_hash INCLUDING ALL)',
        "shard$n");
    connect_to("shard$n", "shard$n", ", extensions 'ulid'");
    near(qq{
        CREATE FOREIGN TABLE by_hash_$n PARTITION OF by_hash
            FOR VALUES WITH (MODULUS 2, REMAINDER $n) SERVER shard$n OPTIONS (table_name 'by_hash');
        CREATE FOREIGN TABLE by_time_$n PARTITION OF by_time
            FOR VALUES FROM (ulid_min('$start 00:00Z')) TO (ulid_min('$end 00:00Z')) SERVER shard$n OPTIONS (table_name 'by_time')});
}
near(q{
    INSERT INTO by_hash (body) SELECT 'message ' || n FROM generate_series(1, 200) n;
    INSERT INTO by_time SELECT gen_ulid(t), 'message' FROM generate_series(timestamptz '2024-05-01 00:00Z',
        '2024-06-30 00:00Z', '1 day') t});

my $id = far('SELECT id FROM by_hash LIMIT 1', 'shard1');
like(near("EXPLAIN (COSTS OFF) SELECT body FROM by_hash WHERE id = '$id'"),
    qr/Foreign Scan on by_hash_1/, 'a lookup by id asks only the shard that has it');
my $by_time = q{FROM by_time WHERE id >= timestamptz '2024-06-10 00:00Z' AND id < timestamptz '2024-06-20 00:00Z'};
like(near("EXPLAIN (COSTS OFF) SELECT body $by_time"), qr/\AForeign Scan on by_time_1 by_time\z/,
    'a time condition asks one shard of those partitioned by time');
is(near("SELECT count(*) $by_time"), 10, 'a time condition gets the rows of its shard');

done_testing();
