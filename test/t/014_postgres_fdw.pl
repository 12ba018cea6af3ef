# What postgres_fdw asks of the remote server for conditions on a ulid (doc/distributed.md).
use lib 'test/lib';
use UlidCluster;

# Both are databases of one server: postgres_fdw connects as it does to another one.
my $node = started_cluster('main');
sub near { return $node->safe_psql('postgres', $_[0]) }
sub far { return $node->safe_psql($_[1], $_[0]) }

# Three messages, on the hours after noon, each by an author of its own; with the extension in public, and in another
# schema.
my ($host, $port) = ($node->host, $node->port);
near('CREATE EXTENSION postgres_fdw');
for my $case ([ 'far', 'public' ], [ 'others', 'ids' ]) {
    my ($database, $schema) = @$case;
    near("CREATE DATABASE $database");
    far(
        "CREATE SCHEMA IF NOT EXISTS $schema;
        CREATE EXTENSION ulid SCHEMA $schema;
        SET search_path = public, $schema;" . q{
        CREATE TABLE author (id ulid PRIMARY KEY, name text);
        CREATE TABLE message (id ulid PRIMARY KEY, author ulid, body text);
        INSERT INTO author
            SELECT make_ulid('2024-01-01 00:00Z', decode(repeat(to_hex(n + 160), 10), 'hex')), 'author ' || n
            FROM generate_series(1, 3) n;
        INSERT INTO message
            SELECT make_ulid(timestamptz '2024-05-01 12:00Z' + right(name, 1)::int * interval '1 hour',
                '\x00112233445566778899'), id, replace(name, 'author', 'message') FROM author}, $database
    );
    near(
        "CREATE SERVER $database FOREIGN DATA WRAPPER postgres_fdw
        OPTIONS (host '$host', port '$port', dbname '$database', extensions 'ulid', use_remote_estimate 'true');
        CREATE USER MAPPING FOR CURRENT_USER SERVER $database"
    );
}
near(
    "CREATE SERVER unaware FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$host', port '$port', dbname 'far');
    CREATE USER MAPPING FOR CURRENT_USER SERVER unaware"
);
near(
    q{IMPORT FOREIGN SCHEMA public LIMIT TO (author, message) FROM SERVER far INTO public;
    CREATE FOREIGN TABLE unaware_message (id ulid, body text) SERVER unaware OPTIONS (table_name 'message');
    CREATE FOREIGN TABLE others_message (id ulid, body text) SERVER others OPTIONS (table_name 'message')}
);
# What a query asks of the far server, and its rows.
sub asks {
    my ($sql, $remote, $rows, $name) = @_;
    my $asked = join "\n", near("EXPLAIN (VERBOSE, COSTS OFF) $sql") =~ /Remote SQL: (.*)/g;
    like($asked, $remote, "$name: the remote SQL");
    is(near($sql), $rows, "$name: the rows");
    return;
}
my @id = ('', split /\n/, far('SELECT id FROM message ORDER BY id', 'far'));
my ($two, $three) = map { far("SELECT ulid_min('2024-05-01 $_:00Z')", 'far') } 14, 15;
for my $table ('message', 'others_message') {
    asks(
        "SELECT body FROM $table WHERE id = '$id[1]'",
        qr/WHERE \(\(id = '$id[1]'\)\)$/,
        'message 1',
        "$table: equality"
    );
    asks(
        "SELECT body FROM $table WHERE id >= timestamptz '2024-05-01 14:00Z' AND id < timestamptz '2024-05-01 15:00Z'",
        qr/WHERE \(\(id >= '$two'\)\) AND \(\(id < '$three'\)\)$/,
        'message 2',
        "$table: a time, as the bounds of the key"
    );
    asks(
        "SELECT min(id), max(id) FROM $table",
        qr/SELECT min\(id\), max\(id\) FROM public\.message$/,
        "$id[1]|$id[3]",
        "$table: aggregates"
    );
}
asks(
    "SELECT m.body, a.name FROM message m JOIN author a ON a.id = m.author WHERE m.id > '$id[2]'",
    qr/INNER JOIN public\.author.*r1\.author = r2\.id/,
    'message 3|author 3',
    'a join'
);
asks('SELECT body FROM message ORDER BY id DESC', qr/ORDER BY id DESC/, "message 3\nmessage 2\nmessage 1", 'a sort');
asks(
    q{SELECT body FROM message
        WHERE ulid_timestamp(id) >= '2024-05-01 14:00Z' AND id::timestamptz < '2024-05-01 15:00Z'},
    qr/WHERE \(\(public\.ulid_timestamp\(id\) >= .*\) AND \(\(.*id\W.* < /, 'message 2', 'the time of the id'
);
asks(
    q{SELECT count(*) FROM message WHERE id < now() - interval '1 hour'},
    qr/SELECT id FROM public\.message$/,
    '3', 'now() - interval is not sent'
);
asks(
    q{SELECT count(*) FROM message WHERE id < (SELECT now() - interval '1 hour')},
    qr/SELECT count\(\*\) FROM public\.message WHERE \(\(id < /,
    '3', 'in a subquery, it is'
);
asks(
    "SELECT body FROM unaware_message WHERE id = '$id[1]'",
    qr/SELECT id, body FROM public\.message$/,
    'message 1',
    "without extensions 'ulid' the whole table is fetched"
);
like(
    (sqlstate($node, "SELECT body FROM others_message WHERE ulid_timestamp(id) = '2024-05-01 14:00Z'"))[1],
    qr/function public\.ulid_timestamp\(\S+\) does not exist/,
    'a function is looked for in the local schema'
);

done_testing();
