# doc/moving.md and doc/bigint.md, run as written, by a role that only owns the tables: each recipe twice, while an
# application writes.
use lib 'test/lib';
use UlidCluster;

my $page = slurp_file('doc/moving.md') . slurp_file('doc/bigint.md');
# Code of the pages within a paragraph, the blocks of SQL under a heading, and the queries of the catalogs.
sub code {
    my $pattern = $_[0] =~ s/ /\\s+/gr;
    $page =~ /`($pattern)`/s or die "the page lacks $pattern";
    return $1 =~ s/\s+/ /gr;
}
sub blocks_of { return blocks('doc/moving.md', $_[0], 'sql') }
my ($refuses, $stays) = blocks_of('What refuses, and what stays');

my $node = started_cluster('main', undef, allows_streaming => 'logical');
$node->safe_psql('postgres', 'CREATE ROLE shop LOGIN; CREATE DATABASE shop; CREATE DATABASE receiver');
# Runs SQL in a database: as a superuser, or as the owner of the tables.
our $database = 'shop';
sub query { return $node->safe_psql($database, $_[0]) }
sub as_owner { return $node->safe_psql($database, $_[0], extra_params => [ '-U', 'shop' ]) }
# The errors of SQL, with their codes.
sub error_of {
    return ($node->psql($database, "\\set VERBOSITY verbose\n$_[0]"))[2];
}
sub is_refused { return like(error_of($_[0]), $_[1], $_[2]) }

query(
    'CREATE EXTENSION ulid;
    CREATE TABLE customer (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text);
    CREATE TABLE invoice (n integer, customer_id uuid REFERENCES customer);
    INSERT INTO customer (name) SELECT n::text FROM generate_series(1, 5000) n;
    INSERT INTO invoice SELECT name::integer, id FROM customer;
    ALTER TABLE customer OWNER TO shop;
    ALTER TABLE invoice OWNER TO shop'
);

# ---- Change only the default

my ($default, $recent, $generator, $defaults) = blocks_of('Change only the default');
as_owner($default) for 1, 2;
as_owner("INSERT INTO customer (name) VALUES ('new')");
# And perhaps one of 5,000 random keys, by chance (once in 600 runs).
like(as_owner($recent), qr/^(?:.*\n)?.*\|new\z/, 'the default: new rows are found by their time');
is(
    query(
        q{SELECT count(*) FILTER (WHERE id >= ulid_min(t)),
        count(*) FILTER (WHERE id >= uuidv7_min(t)) BETWEEN 450 AND 670
        FROM (SELECT t, gen_ulid(t)::uuid AS id
            FROM generate_series(1, 1000), CAST(now() AS timestamptz) AS t) AS made}
    ),
    '1000|t',
    'uuidv7_min() misses nearly half of the ULIDs of its millisecond'
);
as_owner($default =~ s/gen_uuidv7/gen_random_uuid/r) for 1, 2;
is(
    join(
        ' ',
        beside_a_reader(
            $node, 'shop', 'SELECT FROM customer',
            $_->[0], q{INSERT INTO customer (name) VALUES ('beside')}
        )
    ),
    $_->[1],
    "beside a reader, $_->[2]"
    )
    for [ $default, '55P03 00000', 'the default gives up, and a writer waits no longer' ],
    [ $default =~ s/SET lock_timeout.*\n//r, '00000 57014', 'without lock_timeout, the writer waits for the reader' ];
as_owner('ALTER TABLE customer ALTER COLUMN id SET DEFAULT gen_random_uuid()');
as_owner($defaults =~ s/;$/ \\gexec/r) for 1, 2;
my $of_id = q{SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'customer'::regclass};
is(query($of_id), 'gen_uuidv7()', 'the defaults of primary keys that are random');
query(
    q{CREATE FUNCTION uuid_generate_v7() RETURNS uuid LANGUAGE plpgsql AS 'BEGIN RETURN gen_random_uuid(); END';
    ALTER TABLE customer ALTER COLUMN id SET DEFAULT uuid_generate_v7();} . $generator
);
is(query(q{INSERT INTO customer (name) VALUES ('own') RETURNING substr(id::text, 15, 1)}),
    7, 'a generator is replaced for all its defaults');
query('ALTER TABLE customer ALTER COLUMN id SET DEFAULT gen_random_uuid(); DROP FUNCTION uuid_generate_v7');

# ---- Receivers that hold ids as text

query('CREATE DATABASE sender TEMPLATE template0');
{
    local $database = 'sender';
    my $to = code('ALTER TABLE t ALTER COLUMN id TYPE ulid USING id::ulid');
    my ($ids, $connection) = (
        'SELECT count(*), md5(string_agg(upper(id::text::ulid::text) || n, NULL ORDER BY n)) FROM t',
        $node->connstr('sender') =~ s/'//gr
    );
    query('CREATE EXTENSION ulid; CREATE PUBLICATION t');
    receiver('CREATE EXTENSION ulid');
    for my $case (
        map {
            my $from = $_;
            map { [ $from, $_ ] } 0, 1
        } 'uuid',
        'varchar'
        )
    {
        my ($from, $first) = @$case;
        query(
            "CREATE TABLE t (id $from PRIMARY KEY, n integer);
            INSERT INTO t SELECT lower(gen_ulid()@{[$from eq 'uuid' ? '::uuid' : '']}::text)::$from, n
            FROM generate_series(1, 100) AS n; ALTER PUBLICATION t ADD TABLE t"
        );
        receiver('CREATE TABLE t (id text PRIMARY KEY, n integer)');
        # Made by CREATE SUBSCRIPTION, a slot of the same server would wait for its transaction.
        query("SELECT pg_create_logical_replication_slot('t', 'pgoutput')");
        receiver("CREATE SUBSCRIPTION t CONNECTION '$connection' PUBLICATION t WITH (create_slot = false)");
        $node->wait_for_subscription_sync($node, 't', 'receiver');
        receiver($to) if $first;
        query($to =~ s/USING id/USING id::text/r);
        query('UPDATE t SET n = n + 1000 WHERE n % 2 = 0; DELETE FROM t WHERE n % 10 = 1');
        $node->wait_for_catchup('t');
        my $same = receiver($ids) eq query($ids);
        ok($first ? $same : !$same,
            "$from to ulid: a receiver with text " . ($first ? 'that changes first loses nothing' : 'loses updates'));
        receiver('DROP SUBSCRIPTION t; DROP TABLE t');
        query('DROP TABLE t');
    }
}
receiver('DROP EXTENSION ulid');

# ---- ALTER TABLE, with a subscriber and a foreign table

my ($alter) = blocks_of('ALTER TABLE in a maintenance window');
my $alter_back = $alter =~ s/gen_ulid/gen_random_uuid/gr =~ s/\bulid\b/uuid/gr;
my $connection = $node->connstr('shop') =~ s/'//gr;
my ($host, $port) = ($node->host, $node->port);
query('CREATE PUBLICATION shop FOR TABLE customer');
query(q{SELECT pg_create_logical_replication_slot('shop', 'pgoutput')});
{
    local $database = 'receiver';
    query(
        "CREATE EXTENSION ulid; CREATE EXTENSION postgres_fdw;
        CREATE TABLE customer (id uuid PRIMARY KEY, name text);
        CREATE SUBSCRIPTION shop CONNECTION '$connection' PUBLICATION shop WITH (create_slot = false);
        CREATE SERVER shop FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$host', port '$port', dbname 'shop');
        CREATE USER MAPPING FOR CURRENT_USER SERVER shop;
        CREATE FOREIGN TABLE far (id uuid, name text) SERVER shop OPTIONS (table_name 'customer')"
    );
}
sub receiver { local $database = 'receiver'; return query($_[0]) }
sub receivers_become {
    my ($type) = @_;
    return receiver(
        "ALTER TABLE customer ALTER COLUMN id TYPE $type;
        ALTER FOREIGN TABLE far ALTER COLUMN id TYPE $type"
    );
}
my $ids = q{SELECT count(*), md5(string_agg(id::text::ulid::text, ' ' ORDER BY id::text::ulid)) FROM %s};
sub receivers_follow {
    my ($name) = @_;
    $node->wait_for_catchup('shop');
    my $rows = query(sprintf $ids, 'customer');
    return is(join(' ', map { receiver(sprintf $ids, $_) } 'customer', 'far'),
        "$rows $rows", "$name: the subscriber and the foreign table have the rows");
}
my $rows = q{SELECT md5(string_agg(c.id::uuid || name || n, chr(10) ORDER BY n)), count(*) FROM customer c
    JOIN invoice ON c.id = customer_id};
my $before = query($rows);
receivers_become('ulid');
receivers_follow('before');
{
    local $database = 'receiver';
    query(q{ALTER SERVER shop OPTIONS (ADD extensions 'ulid')});
    is_refused(
        q{SELECT FROM far WHERE id = '01GV5PA9EQG7D82Q3Y4PKBZSYV'},
        qr/22P02: invalid input syntax for type uuid/,
        "with extensions 'ulid', conditions fail until the table itself has ulids"
    );
}
my $size = "SELECT pg_database_size('shop')";
is(
    as_owner(
        "$size AS size, pg_indexes_size('customer') \\gset\n" . $alter =~
            s/COMMIT.*/$size > :size + :pg_indexes_size \/ 2/sr
    ),
    't',
    'the old indexes stay until the transaction ends'
);
for ([ $alter, 'ulid' ], [ $alter_back, 'uuid' ]) {
    my ($sql, $type) = @$_;
    for my $time (1, 2) {
        as_owner($sql);
        as_owner("INSERT INTO customer (name) VALUES ('to $type, $time')");
    }
    is(query('SELECT DISTINCT pg_typeof(id), pg_typeof(customer_id) FROM customer JOIN invoice ON id = customer_id'),
        "$type|$type", "ALTER TABLE: to $type");
    is(query($rows), $before, 'and has the same rows');
    receivers_follow("to $type");
}
receivers_become('uuid');
receivers_follow('back');

# What receivers do that still have uuid.
as_owner($alter);
is_refused(
    q{CREATE PUBLICATION recent FOR TABLE customer WHERE (id > '01GV5PA9EQG7D82Q3Y4PKBZSYV')},
    qr/0A000: invalid publication WHERE expression/,
    'a publication cannot filter by a ulid'
);
as_owner("INSERT INTO customer (name) VALUES ('stopped')");
$node->wait_for_log(qr/invalid input syntax for type uuid/);
is(receiver(q{SELECT count(*) FROM customer WHERE name = 'stopped'}), 0, 'a subscriber that still has uuid stops');
cmp_ok(query('SELECT pg_current_wal_lsn() - confirmed_flush_lsn FROM pg_replication_slots'),
    '>', 0, 'and the publisher keeps its WAL');
{
    local $database = 'receiver';
    is_refused('SELECT id FROM far', qr/22P02: invalid input syntax for type uuid/, 'a foreign table cannot be read');
}
receivers_become('ulid');
receivers_follow('after all');
receiver('DROP SUBSCRIPTION shop');
query('DROP PUBLICATION shop');
as_owner($alter_back);

my $id = '01GV5PA9EQG7D82Q3Y4PKBZSYV';

# ---- What stays

query(
    q{CREATE SCHEMA app;
    CREATE TABLE app.log (at timestamptz, body json, doc jsonb, tags text[], subject text, other text, size integer);
    INSERT INTO app.log SELECT now(), to_json(id), to_jsonb(id), ARRAY[id], id, 'x', 1
        FROM (SELECT gen_random_uuid()::text AS id FROM generate_series(1, 50000)) r;
    CREATE ROLE reader LOGIN IN ROLE pg_read_all_data;
    ANALYZE app.log}
);
my ($text) = blocks_of('What depends on the text');
my $texts = $node->safe_psql('shop', $text, extra_params => [ '-U', 'reader' ]);
is(join(' ', sort $texts =~ /^app\|log\|(\w+)/mg), 'doc subject tags', 'columns that contain UUIDs are found');
like($texts, qr/^\(.*-/m, 'and in a sample, those of json');
query('DROP SCHEMA app CASCADE');

# ---- From bigint, as the owner with CREATE on the schema

my ($add, $fill, $index, $exchange, $back) =
    map { blocks('doc/bigint.md', $_, 'sql') } 'Add and fill the columns', 'Create the indexes', 'Swap the columns';
is_refused("SET ROLE shop; $add", qr/42501: permission denied for schema public/, 'CREATE on the schema is needed');

# A reference may be null, and the application changes and clears references between all steps.
query(
    q{DROP TABLE invoice, customer;
    GRANT CREATE ON SCHEMA public TO shop;
    SET ROLE shop;
    CREATE TABLE customer (id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        created_at timestamptz NOT NULL DEFAULT now(), name text);
    CREATE TABLE invoice (n integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        customer_id bigint REFERENCES customer ON DELETE SET NULL);
    INSERT INTO customer (created_at, name)
        SELECT '2026-01-31 23:59:59.9Z'::timestamptz + (n # 64) / 3 * interval '100 us', n
        FROM generate_series(1, 30000) n;
    INSERT INTO invoice (customer_id) SELECT id FROM customer, generate_series(1, 2)}
);
my $of_subscriber = 'CREATE TABLE customer (id bigint PRIMARY KEY, created_at timestamptz, name text);
    CREATE TABLE invoice (n integer PRIMARY KEY, customer_id bigint);';
{
    local $database = 'receiver';
    query("DROP TABLE customer; $of_subscriber");
}
query('CREATE PUBLICATION shop FOR TABLE customer, invoice');
query(q{SELECT pg_create_logical_replication_slot('shop', 'pgoutput')});
receiver("CREATE SUBSCRIPTION shop CONNECTION '$connection' PUBLICATION shop WITH (create_slot = false)");
$node->wait_for_subscription_sync($node, 'shop', 'receiver');
as_owner(
    'BEGIN; ALTER TABLE customer ADD COLUMN key ulid; UPDATE customer SET name = name WHERE id = 1;
    ALTER TABLE customer DROP COLUMN key; COMMIT'
);
$node->wait_for_log(qr/missing replicated column: "key"/);
receiver(join ' ', $add =~ /^(ALTER TABLE \w+ ADD COLUMN.*?;)/mg);
my $batch = code('AND created_at[^`]*');
my $rounds = 0;
sub application {
    $rounds++;
    return as_owner(
        "INSERT INTO customer (name) SELECT 'new $rounds ' || n FROM generate_series(1, 3) n;
        INSERT INTO invoice (customer_id) SELECT id FROM customer ORDER BY id DESC LIMIT 2;
        UPDATE invoice SET customer_id = 777 + $rounds WHERE n % 1000 = 10 * $rounds;
        UPDATE invoice SET customer_id = NULL WHERE n % 1000 = 10 * $rounds + 1;
        UPDATE invoice SET customer_id = (SELECT max(id) FROM customer) WHERE n % 1000 = 10 * $rounds - 9;
        DELETE FROM invoice WHERE n % 1000 = 10 * $rounds + 2;
        DELETE FROM customer WHERE id = 100 * $rounds"
    );
}
as_owner($_), application() for split /(?<=;)\n/, $add;
as_owner($add =~ s/;.*/;/sr);
as_owner($fill =~ s/WHERE key IS NULL/$& $batch/r) for 1, 2;
is(query('SELECT count(key) BETWEEN 1 AND 29990 FROM customer'), 't', 'bigint: a batch');
application();
as_owner($_), application() for $fill =~ /(.*?;\n)/sg, (split /(?<=;)\n/, $index), $fill, $fill =~ /(.*?;\n)/sg;
my $mixed = 'SELECT count(*) FROM invoice LEFT JOIN customer c ON c.id = customer_id
    WHERE customer_key IS DISTINCT FROM key';
cmp_ok(query($mixed), '>', 20, 'references have changed since');
my $references = 'SELECT n, %s, %s, name FROM invoice LEFT JOIN customer c ON c.id = customer_id ORDER BY n';
my $numbers = query(sprintf $references, 'customer_id', 'c.id');
my $exchange_all = $exchange =~ s/^-- .* three UPDATEs.*\n/$fill/mr;
query(
    'CREATE VIEW of_id AS SELECT id FROM customer;
    CREATE FUNCTION last() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT max(id) FROM customer; END;
    CREATE POLICY few ON customer TO reader USING (id < 100)'
);
my @of_number = query($refuses =~ s/'uuid'/'bigint'/r) =~ /^column id of table public.customer\|(.*)/mg;
is(
    join(', ', sort @of_number),
    'function public.last(), policy few on table public.customer, rule _RETURN on view public.of_id',
    'the first query lists what would stay with the number'
);
as_owner($exchange_all);
is(query(sprintf $references, 'number', 'number'), $numbers, 'bigint: all references');
is(
    query('SELECT max(id), last() FROM of_id'),
    query('SELECT max(number), max(number) FROM customer'),
    'a view and a function of the key keep the number'
);
query('DROP FUNCTION last');
$node->wait_for_catchup('shop');
receiver(
    'DROP AGGREGATE IF EXISTS ulid_run(timestamptz);' . join '',
    $index =~ s/CONCURRENTLY //gr,
    $exchange =~ /^((?:ALTER|    ADD).*\n)/mg
);
is(
    query(
        q{SELECT pg_typeof(id), count(*) - count(DISTINCT id),
        bool_and(id::timestamptz = date_trunc('milliseconds', created_at))
        FROM customer WHERE number <= 30000 GROUP BY 1}
    ),
    'ulid|0|t',
    'distinct keys of the right times'
);
is(
    query(
        q{SELECT count(*) FILTER (WHERE (time, n) > (created_at, number)), bool_or(n > number) FROM (
        SELECT *, lag(created_at) OVER w AS time, lag(number) OVER w AS n FROM customer
        WHERE number <= 30000 WINDOW w AS (ORDER BY id)) t}
    ),
    '0|t',
    'in the order of their times, and of the numbers where times are equal'
);
my $last = query('SELECT max(number) FROM customer');
is(
    as_owner(
        q{INSERT INTO customer (name) VALUES ('after')
        RETURNING number, id > (SELECT max(customer_id) FROM invoice)}
    ),
    $last + 1 . '|t',
    'new rows get both'
);
as_owner(q{INSERT INTO invoice (customer_id) SELECT id FROM customer WHERE name = 'after'});
$node->wait_for_catchup('shop');
my $pairs = q{SELECT count(*), sum(hash_record_extended(ROW(i.n, c.id, c.number, c.name), 0))
    FROM invoice i LEFT JOIN customer c ON c.id = customer_id};
is(receiver($pairs), query($pairs), 'a subscriber has the same rows');
receiver('DROP SUBSCRIPTION shop');
$numbers = query(sprintf $references, 'number', 'number');
$node->safe_psql('postgres', 'CREATE DATABASE back TEMPLATE shop');
{
    local $database = 'back';
    as_owner($back);
    is(query(sprintf $references, 'customer_id', 'c.id'), $numbers, 'bigint again: all references');
    is_refused("SET ROLE shop; $back", qr/42703: column c.number does not exist/, 'a second time, it fails');
    is(query(sprintf $references, 'customer_id', 'c.id'), $numbers, 'and changes nothing');
    as_owner(q{INSERT INTO customer (name) VALUES ('back')});
    is(query(q{SELECT count(*) FROM customer WHERE name = 'back' AND id > (SELECT max(customer_id) FROM invoice)}),
        1, 'new rows get a number');
}

# ---- Uninstalling

query(
    q{CREATE FUNCTION quoted() RETURNS text LANGUAGE sql AS 'SELECT gen_ulid()::text';
    CREATE FUNCTION quoted_uuid() RETURNS uuid LANGUAGE sql AS 'SELECT gen_uuidv7()'}
);
is(
    query(
        q{BEGIN; CREATE TABLE p (id ulid) PARTITION BY RANGE (id); CREATE TABLE c AS SELECT gen_ulid() AS id, 1 AS n;
        DROP EXTENSION ulid CASCADE; SELECT to_regclass('p') IS NULL, c FROM c; ROLLBACK}
    ),
    't|(1)',
    'CASCADE drops columns, and partitioned tables whole'
);
as_owner(
    'ALTER TABLE customer ALTER COLUMN id DROP DEFAULT;
    ALTER TABLE customer ALTER COLUMN id TYPE uuid;
    ALTER TABLE invoice ALTER COLUMN customer_id TYPE uuid'
);
is(
    join(', ', sort split /\n/, query($stays =~ s/'uuid'/'@{[code('ulid\|uuidv7')]}'/r)),
    'function public.quoted(), function public.quoted_uuid()',
    'quoted bodies are found'
);
query('DROP EXTENSION ulid');
is(
    query(q{SELECT count(*) > 0, max(number) FROM customer WHERE pg_typeof(id) = 'uuid'::regtype}),
    't|' . ($last + 1),
    'and no row is lost'
);
my $configuration = $node->data_dir . '/postgresql.auto.conf';
query("ALTER SYSTEM SET shared_preload_libraries = ''");
like(slurp_file($configuration), qr/^shared_preload_libraries = '""'$/m, 'a library without a name, on 15')
    if $node->pg_version < 16;
query(code('ALTER SYSTEM RESET [^`]*'));
unlike(slurp_file($configuration), qr/^shared_preload_libraries/m, 'RESET removes the line');

# ---- Text keys, in a database with a gen_ulid() of its own

$database = 'texts';
$node->safe_psql('postgres', 'CREATE DATABASE texts OWNER shop');
as_owner(
    q{CREATE FUNCTION gen_ulid() RETURNS char(26) LANGUAGE sql AS $$
        SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (ms >> 45 - 5 * i & 31)::int + 1, 1), ''
                ORDER BY i)
            || upper(left(md5(random()::text), 16))
        FROM generate_series(0, 9) AS i, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS ms $$;
    CREATE TABLE account (id varchar(26) PRIMARY KEY DEFAULT gen_ulid() CHECK (char_length(id) = 26),
        created_at timestamptz DEFAULT clock_timestamp(), name text);
    CREATE TABLE payment (id char(26) PRIMARY KEY DEFAULT gen_ulid(),
        account varchar(26) NOT NULL REFERENCES account ON DELETE CASCADE);
    CREATE FUNCTION copied() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN INSERT INTO history (id) VALUES (gen_ulid()); RETURN NEW; END';
    CREATE TABLE history (id text PRIMARY KEY);
    CREATE FUNCTION keyed() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN NEW.id := coalesce(NEW.id, gen_ulid()); RETURN NEW; END';
    CREATE TRIGGER keyed BEFORE INSERT ON history FOR EACH ROW EXECUTE FUNCTION keyed();
    CREATE TRIGGER copied AFTER INSERT ON account FOR EACH ROW EXECUTE FUNCTION copied();
    CREATE VIEW next_id AS SELECT gen_ulid() AS id}
);
my $written = 0;
sub application_writes {
    $written++;
    return as_owner(
        q{WITH a AS (INSERT INTO account (name) VALUES ('x') RETURNING id)
        INSERT INTO payment (account) SELECT id FROM a}
    );
}
sub step { as_owner($_[0]); return application_writes() }
application_writes() for 1 .. 3;
is_refused(
    'SET ROLE shop; CREATE EXTENSION ulid',
    qr/42723: @{[code('function "gen_ulid" already exists[^`]*')]}/,
    'CREATE EXTENSION fails'
);
as_owner('CREATE SCHEMA ids; CREATE EXTENSION ulid SCHEMA ids; CREATE TABLE silent (id ids.ulid DEFAULT gen_ulid())');
is(
    query(
        q{SELECT count(*) FROM pg_depend
        WHERE classid = 'pg_attrdef'::regclass AND refobjid = 'public.gen_ulid()'::regprocedure}
    ),
    3,
    'in another schema, a default is the old function'
);
as_owner('DROP TABLE silent; DROP EXTENSION ulid');

my $rename = code('ALTER FUNCTION public.gen_ulid[^`]*');
my $message = code('COALESCE types [^`]*');
is_refused("SET ROLE shop; BEGIN; $rename; CREATE EXTENSION ulid; INSERT INTO account DEFAULT VALUES",
    qr/$message/, 'quoted bodies that call ours fail');
sub uses {
    my ($name) = @_;
    return join(', ', sort split /\n/, as_owner($stays =~ s/'uuid'/'$name'/r)) =~ s/public\.//gr;
}
is(
    uses('gen_ulid'),
    'default value for column id of table account, default value for column id of table payment, '
        . 'function copied(), function gen_ulid(), function keyed(), rule _RETURN on view next_id',
    'the second query lists what calls the function'
);
sub mended {
    my ($from, $to) = @_;
    return join ' ', map { query("SELECT pg_get_functiondef('$_'::regproc)") =~ s/\b$from\(\)/$to/r . ';' } 'copied',
        'keyed';
}
step("BEGIN; $rename; " . mended('gen_ulid', 'old_gen_ulid()') . ' CREATE EXTENSION ulid; COMMIT');
my ($look, $change) = blocks_of('Text keys');
my ($not_canonical, $times) = split /(?<=;)\n/, $look;
is(query($not_canonical =~ s/ t / account /r), '', 'all keys are ULIDs in upper case');
is(
    query(
        "CREATE TABLE t (id text); INSERT INTO t VALUES ('$id'), (lower('$id')), ('no'),
        ('00000000-0000-0000-0000-000000000000'), (translate('$id', '1', 'I')); $not_canonical DROP TABLE t"
    ),
    lc($id) . "|t\nno|f\n00000000-0000-0000-0000-000000000000|f\n" . $id =~ tr/1/I/r . '|t',
    'others are listed, beside invalid ones'
);
my @looks = map { [ split /\|/ ] }
    split /\n/, query($times =~ s/ t / account /r);
cmp_ok(
    scalar(grep { substr($_->[1], 0, 16) eq substr($_->[2], 0, 16) } @looks),
    '>',
    $written - 2,
    'their times are those of created_at'
);
my $to_ulid = 'ALTER COLUMN id TYPE ulid USING id::ulid';
as_owner($_) for $change, "ALTER TABLE payment $to_ulid";
application_writes();
is_refused(
    'PREPARE by_text(text) AS SELECT FROM account WHERE id = $1',
    qr/42883: operator does not exist: ulid = text/,
    'a comparison with a text fails'
);
is(
    query(
        q{PREPARE by_text(text) AS SELECT count(*) FROM account WHERE id = $1::ulid AND id ^@ '01';
        SELECT format('EXECUTE by_text(%L)', max(id)) FROM account \\gexec}
    ),
    1,
    'with casts, it works'
);
step(code('ALTER TABLE t ALTER COLUMN id SET DEFAULT gen_ulid[^`]*') =~ s/ t / $_ /r) for 'account', 'payment';
step(mended('old_gen_ulid', 'gen_ulid()::text'));
is(uses('old_gen_ulid'), 'function old_gen_ulid(), rule _RETURN on view next_id', 'what is left');
as_owner('DROP VIEW next_id');
step(code('DROP FUNCTION public.old_gen_ulid[^`]*'));
is(query("SELECT count(*), bool_and(id::ulid::timestamptz > now() - interval '1 hour') FROM $_"),
    "$written|t", "no row of $_ is lost")
    for 'account', 'payment', 'history';
is_refused(
    'CREATE OR REPLACE FUNCTION gen_ulid() RETURNS char(26) LANGUAGE sql RETURN NULL',
    qr/42P13: cannot change return type of existing function/,
    'an old migration fails'
);
as_owner('ALTER TABLE payment DROP CONSTRAINT payment_account_fkey');
as_owner('ALTER TABLE account ALTER COLUMN id DROP DEFAULT, ALTER COLUMN id ' . code('TYPE text USING id::text'));
is(query(q{SELECT count(*) FROM account JOIN payment p ON p.account::text = account.id}), $written, 'and back to text');

# ---- Other extensions

my %values = (id => "'$id'::ulid", t => "'2026-01-01'::timestamp", text => "'$id'::text", uuid => "'$id'::ulid::uuid");
my ($table) = $page =~ /^\| theirs (.*?)^$/ms or die;
for my $expression (map { /`([^`]*)`/g } $table =~ /\|([^|\n]*)\|$/mg) {
    my $sql = $expression =~ s/\b(id|t|text|uuid)\b(?=::| AT|\))/$values{$1}/r;
    isnt(query("SET timezone = 'UTC'; SELECT $sql"), '', "ours: $expression");
}
my $stored = 'GENERATED ALWAYS AS (id::timestamptz) STORED';
query(
    "CREATE TABLE stored (id ulid, created_at timestamp $stored, day date $stored);
    CREATE TABLE restored (LIKE stored INCLUDING ALL)"
);
query("SET timezone = 'Asia/Tokyo'; INSERT INTO stored SELECT ulid_min('2026-01-01 20:00Z')");
query("SET timezone = 'America/New_York'; INSERT INTO restored SELECT id FROM stored");
is(query('SELECT s.id = r.id, s.created_at = r.created_at, s.day = r.day FROM stored s, restored r'),
    't|f|f', 'a timestamp generated by the implicit cast is that of the session that wrote it');

# Dumps of pgx_ulid and pg-ulid, in the sections of pg_dump.
for my $theirs ('pgx_ulid', 'pg-ulid') {
    $database = 'new';
    $node->safe_psql('postgres', $_) for 'DROP DATABASE IF EXISTS new', 'CREATE DATABASE new';
    # Data that the command would change.
    my $name = 'uses pgx_ulid with OPERATOR(public.=)';
    my $dump = slurp_file("test/t/dumps/$theirs.sql") =~ s/\t(?:Ada|Jane Doe)\n/\t$name\n/r;
    # The casts that we do not have, as the page says to write them.
    $dump =~ s/(\(?id\)?)::timestamp without time zone/($1::timestamptz AT TIME ZONE 'UTC')/g;
    $dump =~ s/('[0-9: -]*)'::timestamp without time zone/$1Z'::timestamptz/g;
    my ($settings) = $dump =~ /\A(.*?)^CREATE/ms;
    my %section;
    @section{qw(pre-data data post-data)} = $dump =~ /\A(.*?)(^COPY.*^\\\.\n)(.*)\z/ms;
    my $directory = PostgreSQL::Test::Utils::tempdir();
    append_to_file("$directory/--section=$_", ($_ eq 'pre-data' ? '' : $settings) . $section{$_}) for keys %section;
    append_to_file("$directory/pg_dump", qq{#!/bin/sh\ncat ./\$1\n[ \$1 != --section=data ] || cat \$extra\n});
    append_to_file("$directory/fails.sql", "COPY missing FROM stdin;\n\\.\n");
    chmod 0755, "$directory/pg_dump";
    my $block = join '', blocks('doc/moving.md', 'From pgx_ulid and pg-ulid', 'sh');
    my $shell = sub {
        local %ENV = (
            %ENV,
            PGHOST => $node->host,
            PGPORT => $node->port,
            extra => $_[1] // '/dev/null',
            PATH => ".:$ENV{PATH}"
        );
        IPC::Run::run([ 'bash', '-c', "cd $directory; $_[0]" ], '>&', \my $out);
        return $out;
    };
    like($shell->($block, 'fails.sql'), qr/ERROR:  relation "missing" does not exist/, "$theirs: the data fail");
    like($shell->($block), qr/ERROR: .* already exists/, '  a second time, the block stops at the first command');
    my $again = $block =~ s/.*(?=pg_dump --section=data)/$block =~ m{^(.*\n)} && $1/ser;
    unlike($shell->($again), qr/ERROR/, '  from that command on, the dump restores');
    my $loaded = query('SELECT count(*) FROM users');
    if ($theirs eq 'pg-ulid') {
        $again =~ s/psql -1 /psql /g;
        query('ALTER TABLE users DROP CONSTRAINT users_pkey; TRUNCATE users');
        $shell->($again =~ s/ON_ERROR_STOP=1 -f post/ON_ERROR_STOP=0 -f post/r, $_) for 'fails.sql', '/dev/null';
        is(query('SELECT count(*) FROM users'), 2 * $loaded, '  without psql -1, rows are doubled');
        query(q{DELETE FROM users u USING users v WHERE u.id = v.id AND u.ctid > v.ctid});
    }
    is(query("SET timezone = 'UTC'; SELECT id, name, created_at = id::timestamptz FROM users ORDER BY id LIMIT 1"),
        "$id|$name|t", 'with its rows as they were');
    is(query(q{INSERT INTO users (name) VALUES ('new') RETURNING id::timestamptz > now() - interval '1 minute'}),
        't', "$theirs: DEFAULT gen_ulid()");
}

done_testing();
