# pg_dump and restore keep data, defaults, indexes, domains and generated columns, with the
# extension in a schema that is in no search_path.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;

$node->safe_psql('postgres', 'CREATE DATABASE original');
$node->safe_psql('original', q{
    CREATE SCHEMA ids;
    CREATE EXTENSION ulid SCHEMA ids;
    CREATE DOMAIN key AS ids.ulid CHECK (VALUE OPERATOR(ids.>) '00000000000000000000000000');
    CREATE TABLE parents (
        id key PRIMARY KEY DEFAULT ids.gen_ulid(),
        at timestamp GENERATED ALWAYS AS (id::ids.ulid::timestamp) STORED,
        others ids.ulid[] DEFAULT ARRAY[ids.gen_random_ulid(), NULL],
        kind text
    );
    CREATE TABLE children (
        id ids.ulid DEFAULT ids.ulid_next('01GV5PA9EQG7D82Q3Y4PKBZSYV'),
        parent ids.ulid REFERENCES parents,
        CHECK (id::timestamptz >= '2020-01-01 00:00:00Z')
    );
    CREATE INDEX ON children USING hash (parent);
    CREATE INDEX ON children (ids.ulid_timestamp(id) DESC, id) WHERE id OPERATOR(ids.<>) parent;
    CREATE INDEX ON parents USING gin (others);
    CREATE INDEX ON parents USING gin (id, others);
    CREATE INDEX ON children USING gist (parent, id);
    CREATE INDEX ON children (parent) WHERE parent OPERATOR(ids.^@) '01';
    CREATE TABLE bookings (
        room ids.ulid, during tstzrange, EXCLUDE USING gist (room WITH OPERATOR(ids.=), during WITH &&)
    );
    INSERT INTO bookings VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV', '[2026-01-01Z, 2026-01-02Z)');
    CREATE VIEW latest AS SELECT ids.max(id) AS id, count(*) FROM parents;
    CREATE MATERIALIZED VIEW per_day AS
        SELECT date_trunc('day', at) AS day, ids.min(id) AS first FROM parents GROUP BY 1;
    CREATE TABLE parted (id ids.ulid PRIMARY KEY) PARTITION BY RANGE (id);
    CREATE TABLE parted_1 PARTITION OF parted
        FOR VALUES FROM ('00000000000000000000000000') TO ('01JGFJJZ000000000000000000');
    INSERT INTO parted VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV');
    INSERT INTO parents (kind) SELECT 'kind ' || n FROM generate_series(1, 1000) AS n;
    INSERT INTO children (parent) SELECT id FROM parents;
    INSERT INTO children VALUES ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ', NULL);
});

my $has_temporal_keys = $node->pg_version >= 18;
$node->safe_psql('original', q{
    CREATE TABLE prices (item ids.ulid, during tstzrange, PRIMARY KEY (item, during WITHOUT OVERLAPS));
    CREATE TABLE sales (
        item ids.ulid, during tstzrange,
        FOREIGN KEY (item, PERIOD during) REFERENCES prices (item, PERIOD during)
    );
    INSERT INTO prices VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV', '[2026-01-01Z, 2026-02-01Z)');
    INSERT INTO sales VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV', '[2026-01-03Z, 2026-01-04Z)');
}) if $has_temporal_keys;

# What a database is, as pg_dump tells it, without what differs from run to run.
sub dump_of {
    my ($database) = @_;
    my ($out, $err) = run_command([ 'pg_dump', '-h', $node->host, '-p', $node->port, $database ]);
    is($err, '', "pg_dump of $database complains of nothing");
    return join "\n", grep { !/^\\(un)?restrict/ } split /\n/, $out;
}
my $original = dump_of('original');
unlike($original, qr/CREATE (TYPE|FUNCTION|OPERATOR|CAST|AGGREGATE)/,
    'the dump holds no part of the extension itself');

my %restores = (
    plain  => sub {
        my $file = "$PostgreSQL::Test::Utils::tmp_check/plain.sql";
        $node->command_ok([ 'pg_dump', '-f', $file, 'original' ], 'pg_dump');
        $node->command_ok([ 'psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', '-f', $file, 'plain' ],
            'psql restores');
    },
    custom => sub {
        my $file = "$PostgreSQL::Test::Utils::tmp_check/custom.dump";
        $node->command_ok([ 'pg_dump', '-Fc', '-f', $file, 'original' ], 'pg_dump -Fc');
        $node->command_ok([ 'pg_restore', '-e', '-d', 'custom', $file ], 'pg_restore');
    });
for my $name (sort keys %restores) {
    $node->safe_psql('postgres', "CREATE DATABASE $name");
    $restores{$name}->();
    is(dump_of($name), $original, "$name: the restored database is the same");
    is( $node->safe_psql($name, q{
            INSERT INTO parents (kind) VALUES ('new');
            SET enable_seqscan = off;
            SELECT kind, (SELECT count(*) FROM children) FROM parents ORDER BY id DESC LIMIT 1;
            SELECT count(*) FROM children AS c JOIN parents AS p ON p.id OPERATOR(ids.=) c.parent
            WHERE p.at = c.parent::timestamp}),
        "new|1001\n1000", "$name: it works on");
    is( $node->safe_psql($name, q{
            SET enable_seqscan = off;
            SELECT id FROM children ORDER BY id OPERATOR(ids.<->) '10889-08-02Z'::timestamptz::ids.ulid LIMIT 1;
            SELECT count(*) FROM parents WHERE id::ids.ulid OPERATOR(ids.^@) '01'}),
        "7ZZZZZZZZZZZZZZZZZZZZZZZZZ\n1001", "$name: the nearest, and what begins so");
    $node->psql($name, q{INSERT INTO bookings VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV', '[2026-01-01 12:00Z,)')},
        stderr => \my $booking);
    like($booking, qr/exclusion constraint/, "$name: the exclusion constraint holds");
    next unless $has_temporal_keys;
    $node->psql($name, q{INSERT INTO sales VALUES ('01GV5PA9EQG7D82Q3Y4PKBZSYV', '[2026-01-03Z,)')},
        stderr => \my $sale);
    like($sale, qr/foreign key constraint/, "$name: the temporal foreign key holds");
}

$node->stop;
done_testing();
