# doc/managed.md, run as written: ULIDs without the extension, then the move to it.
use lib 'test/lib';
use UlidCluster;

my $node = new_cluster('managed', allows_streaming => 'logical', conf => "autovacuum = off\n");
$node->start;
# The owner of a database, who is not a superuser.
$node->safe_psql('postgres', 'CREATE ROLE app LOGIN; CREATE DATABASE app OWNER app');

# Every block of SQL on the page, but for ALTER EXTENSION ulid_sql UPDATE (test/rare/extensions/pg_tle.pl).
my $page = slurp_file('doc/managed.md');
my ($table, $column, $note, $move, $drop) = my @blocks =
    map { blocks('doc/managed.md', $_, 'sql') } 'A table', 'A column of the time, for tools',
    'Supabase, Neon, Azure, Cloud SQL, Aiven and any other server',
    'When the extension becomes available';
is(scalar @blocks, 5, 'the page has the blocks that are run');
is(scalar(() = $page =~ /^```sql/mg), 6, 'the page has one other block');
my $uses = (blocks('doc/moving.md', 'What refuses, and what stays', 'sql'))[1] =~ s/'uuid'/'ulid_sql'/r;

# Runs as the owner, as psql does.
sub query {
    my ($sql) = @_;
    my (undef, $out, $err) = $node->psql('app', $sql, extra_params => [ '-U', 'app' ]);
    is($err, '', 'runs: ' . ($sql =~ s/\n.*//rs));
    return $out;
}
# The errors of SQL, and of a file that a role loads.
sub errors { my ($sql, @options) = @_; return ($node->psql('app', $sql, extra_params => [ '-U', 'app', @options ]))[2] }
sub load {
    my ($file, @role) = @_;
    return errors(slurp_file("clients/sql/$file.sql"), '--single-transaction', map { ('-U', $_) } @role);
}

# An insert by the default, which says whether its id comes last, and its type.
sub inserted {
    return "INSERT INTO event (what) VALUES ('$_[0]')
        RETURNING id > (SELECT id FROM event ORDER BY id DESC LIMIT 1), pg_typeof(id)";
}

is(load('ulid_sql'), '', 'the file loads for the owner of a database');
$node->safe_psql('postgres', 'CREATE ROLE other LOGIN; GRANT CREATE ON DATABASE app TO other');
like(
    load('ulid_sql', 'other'),
    qr/ERROR: .*schema "ulid_sql" belongs to another role/m,
    'nobody loads it into the schema of somebody else'
);
query($table);
query('INSERT INTO event (what) SELECT n::text FROM generate_series(1, 500) AS n');
is(query("SELECT count(*) FROM event WHERE id >= ulid_sql.ulid_lower_bound(now() - interval '1 hour')"),
    502, 'a range of times finds the rows of that time');
query($column);
is(query('SELECT bool_and(at = ulid_sql.ulid_timestamp(id)) FROM event'), 't', 'the column has the time');
query(
    "INSERT INTO event (id, what) VALUES (ulid_sql.ulid_from_text('01GV5PA9EQG7D82Q3Y4PKBZSYV'), 'of long ago');
    DELETE FROM event WHERE what = 'of long ago'"
);

query($note);
is(query(q{INSERT INTO note (body) VALUES ('first'); SELECT note.ulid = ulid_sql.ulid_to_text(id) FROM note}),
    't', 'the computed field is the ULID of the row');
query('SET client_min_messages = warning; DROP TABLE note CASCADE');

query('CREATE VIEW shown AS SELECT ulid_sql.ulid_to_text(id) AS id, what FROM event');
my $before = query('SELECT string_agg(ulid_sql.ulid_to_text(id) || what, chr(10) ORDER BY id) FROM event');

# Dumped and restored: with functions in an index, a constraint, a generated column, a bound of a partition.
query(<<'SQL');
    CREATE TABLE uses (id uuid PRIMARY KEY DEFAULT ulid_sql.gen_ulid()
            CHECK (ulid_sql.ulid_timestamp(id) > '2020-01-01Z'),
        text text GENERATED ALWAYS AS (ulid_sql.ulid_to_text(id)) STORED, ref text CHECK (ulid_sql.ulid_is_valid(ref)));
    CREATE INDEX ON uses (ulid_sql.ulid_timestamp(id));
    CREATE INDEX ON uses (ulid_sql.ulid_from_text(ref)) WHERE id >= ulid_sql.ulid_lower_bound('2025-01-01Z');
    CREATE TABLE month (id uuid PRIMARY KEY DEFAULT ulid_sql.gen_random_ulid()) PARTITION BY RANGE (id);
    CREATE TABLE month_1 PARTITION OF month FOR VALUES
        FROM (ulid_sql.ulid_min('2026-01-01Z')) TO (ulid_sql.ulid_min('2200-01-01Z'));
    INSERT INTO uses (ref) SELECT ulid_sql.ulid_to_text(id) FROM event;
    INSERT INTO month SELECT FROM event;
    INSERT INTO month VALUES (DEFAULT)
SQL
$node->safe_psql('postgres', 'CREATE DATABASE restored OWNER app');
my $dump = PostgreSQL::Test::Utils::tempdir . '/dump';
my $connection = $node->connstr('restored') . ' user=app';
command_ok([ 'pg_dump', '--format=custom', '--file', $dump, $node->connstr('app') ],
    'pg_dump dumps the functions and what uses them');
command_ok([ 'pg_restore', '--exit-on-error', '--dbname', $connection, $dump ],
    'the owner of a database restores them');
# Newer ones begin with a random \restrict.
my ($there, $again) =
    map { scalar run_command([ 'pg_dump', $_ ]) =~ s/^\\(?:un)?restrict .*\n//mgr } map { $node->connstr($_) } 'app',
    'restored';
ok($there eq $again, 'the restored database has the same definitions and rows');

# The way to the extension: the functions first.
like(
    load('to_extension'),
    qr/ERROR: .*extension "ulid" is not installed in this database/,
    'to_extension.sql says what is missing'
);
query('CREATE EXTENSION ulid');
my $calls = q{SELECT md5(string_agg(concat(ulid_sql.ulid_to_text(id),
    ulid_sql.ulid_from_text(ulid_sql.ulid_to_text(id)),
    ulid_sql.ulid_is_valid(what),
    ulid_sql.ulid_timestamp(id), ulid_sql.ulid_randomness(id), ulid_sql.make_ulid(ulid_sql.ulid_timestamp(id),
    ulid_sql.ulid_randomness(id)),
    ulid_sql.ulid_min(at), ulid_sql.ulid_max(at), ulid_sql.ulid_lower_bound(at), ulid_sql.ulid_upper_bound(at),
        ulid_sql.ulid_next(id, at)), ' ' ORDER BY id)) FROM event};
my $results = query($calls);
my $functions = q{SELECT string_agg(concat(p.oid::regprocedure, provolatile, proisstrict), ' ' ORDER BY p.oid), count(*)
    FROM pg_proc p WHERE pronamespace = 'ulid_sql'::regnamespace};
my $known = query($functions);
is(load('to_extension'), '', 'to_extension.sql loads');
is(query($calls), $results, 'the functions give the same results after to_extension.sql');
# gen_ulid() is strict there, which without arguments means nothing.
is(query($functions), $known, 'the functions keep their names and labels');
is(
    query(
        q{SELECT string_agg(p.oid::regprocedure::text, ', ') FROM pg_proc p
    WHERE pronamespace = 'ulid_sql'::regnamespace
    AND obj_description(oid, 'pg_proc') NOT LIKE 'internal:%' AND NOT EXISTS (SELECT FROM pg_depend d
        JOIN pg_depend e ON (e.classid, e.objid) = (d.refclassid, d.refobjid) AND e.deptype = 'e'
        WHERE (d.classid, d.objid) = ('pg_proc'::regclass, p.oid))}
    ),
    '',
    'each function calls the extension after to_extension.sql'
);
is(query(inserted('by the extension')), 't|uuid', 'a default continues the order with uuids');
query("DELETE FROM event WHERE what = 'by the extension'");
is(query('SELECT string_agg(id || what, chr(10) ORDER BY id) FROM shown'), $before, 'a view shows the same ids');
like(
    errors('DROP EXTENSION ulid'),
    qr/ERROR: .*function ulid_sql\.gen_ulid\(\) depends on/s,
    'the extension cannot be dropped while the functions need it'
);

# What the move names as in the way is dropped and created again.
query('DROP VIEW shown');
query($move);
is(query("SELECT string_agg(id::text || what, chr(10) ORDER BY id) FROM event"),
    $before, 'every row is there, in the same order, and the text of each id is the same');
query('CREATE VIEW shown AS SELECT ulid_sql.ulid_to_text(id) AS id, what FROM event');
is(query(inserted('new')), 't|ulid', 'the new default continues the order');
is(query('SELECT count(*) FROM event WHERE id >= ulid_sql.ulid_lower_bound(now() - interval \'1 hour\')'),
    503, 'a bound of ulid_sql compares with the new column');
query("CREATE FUNCTION made() RETURNS uuid LANGUAGE plpgsql AS 'BEGIN RETURN ulid_sql.gen_ulid(); END'");
like(query($uses), qr/^rule .* on view public.shown$/m, 'a view that still uses the functions is found');
like(query($uses), qr/^function public.made\(\)$/m, 'functions that call the functions in their source are found');
query('DROP VIEW shown; DROP FUNCTION made');

# The same for a table with indexes on the functions, and back, as the page says.
query('ALTER TABLE uses DROP COLUMN text');
$move =~ s/^ALTER TABLE event DROP COLUMN .*\n//m;
(my $move_uses = $move) =~ s/\bevent\b/uses/g;
query($move_uses);
is(query('SELECT count(ulid_sql.ulid_timestamp(id)), min(pg_typeof(id)::text) FROM uses'),
    '502|ulid', 'a table with indexes on them keeps its rows');
my ($back) = $page =~ /^`(ALTER TABLE event ALTER COLUMN id TYPE uuid.*?)`/m or die 'no way back';
query($back);
query($back =~ s/\bevent\b/uses/r);
query('CREATE VIEW shown AS SELECT ulid_sql.ulid_to_text(id) AS id, what FROM event');
query($column);
unlike(load('ulid_sql'), qr/ERROR/, 'the file replaces the functions again');
query('DROP EXTENSION ulid');
is(
    query(
        "SELECT string_agg(pg_get_expr(adbin, adrelid), ' ' ORDER BY adrelid::regclass::text COLLATE \"C\")
    FROM pg_attrdef
    JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum WHERE attgenerated = ''"
    ),
    'ulid_sql.gen_uuidv7() ulid_sql.gen_random_ulid() ulid_sql.gen_random_ulid() ulid_sql.gen_uuidv7()',
    'the defaults are those of ulid_sql'
);
is(query("SELECT string_agg(id || what, chr(10) ORDER BY id) FROM shown WHERE what <> 'new'"),
    $before, 'a view shows the same ids again');
is(query(inserted('newer')), 't|uuid', 'the order continues after the way back');
query("DELETE FROM event WHERE what = 'newer'");

# A subscription of a server with the extension, whose column is a ulid.
my $subscriber = started_cluster('subscriber');
$subscriber->safe_psql('postgres',
    'CREATE TABLE event (id ulid PRIMARY KEY DEFAULT gen_ulid(), what text NOT NULL, at timestamptz)');
query('CREATE PUBLICATION app FOR TABLE event');
my $address = $node->connstr('app');
$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION app CONNECTION \$\$$address\$\$ PUBLICATION app");
$subscriber->wait_for_subscription_sync($node, 'app');
query("INSERT INTO event (what) VALUES ('replicated')");
query("UPDATE event SET what = what || '!' WHERE what = 'replicated'");
$node->wait_for_catchup('app');
is(
    $subscriber->safe_psql('postgres', 'SELECT string_agg(id || what, chr(10) ORDER BY id) FROM event'),
    query('SELECT string_agg(ulid_sql.ulid_to_text(id) || what, chr(10) ORDER BY id) FROM event'),
    'a ulid column of a subscriber has the rows in the same order'
);
$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION app');
$subscriber->stop;
query("DROP PUBLICATION app; DELETE FROM event WHERE what LIKE 'replicated%'; DROP VIEW shown");

# Again, up to where nothing of it is left.
query('CREATE EXTENSION ulid');
is(load('to_extension'), '', 'to_extension.sql loads again');
query('ALTER TABLE event DROP COLUMN at');
query($move);
query('DROP TABLE uses, month');
unlike(query($uses), qr/^(?!function ulid_sql\.)/m, 'nothing uses the functions any more');
unlike(errors($drop), qr/ERROR/, 'the functions can be dropped');
is(query('SELECT count(*) FROM event WHERE id IS NOT NULL'), 503,
    'the table has all of its rows without the functions');

done_testing();
