# Time conditions in a new session and without USAGE on the schema, and conditions that run no nested statement.
use lib 'test/lib';
use UlidCluster;

my $node = started_cluster('main');
sub sql { return $node->safe_psql('postgres', $_[0]) }
sql(q{
    CREATE TABLE events (id ulid PRIMARY KEY, n int);
    INSERT INTO events SELECT gen_ulid('2026-01-01'::timestamptz + i * interval '2 min'), i
    FROM generate_series(0, 21599) AS i;
    ANALYZE events;
    CREATE ROLE stranger;
    GRANT SELECT ON events TO stranger;
});

my $by_time = q{EXPLAIN (COSTS OFF) SELECT * FROM events WHERE id >= timestamptz '2026-01-05'
    AND id < timestamptz '2026-01-05 01:00'};
my $range = qr/Index Cond: \(\(id \S+ '01KE5Q86000000000000000000'::\S*ulid\) AND \(id /;

# The first statement of a session, which loads the module while it is planned.
like(sql($by_time), $range, 'a time condition uses the index, first of all');

# Whoever may not use the schema of the extension may still use conditions written before, in views.
sql(q{
    CREATE VIEW recent AS SELECT * FROM events WHERE id >= timestamptz '2026-01-05' AND id < timestamptz '2026-01-05 01:00';
    CREATE VIEW recent_range AS SELECT * FROM events WHERE ulid_within(id, '[2026-01-05, 2026-01-05 01:00)');
    GRANT SELECT ON recent, recent_range TO stranger;
});
for my $view ('recent', 'recent_range') {
    like(sql("SET ROLE stranger; EXPLAIN (COSTS OFF) SELECT * FROM $view"), $range,
        "the index serves $view whatever the search path and without USAGE on the schema");
    is(sql("SET ROLE stranger; SELECT count(*) FROM $view"), '30', 'with the same rows');
}

# No comparison of ulids runs an SQL function, so tools that log nested statements, such as pgaudit, log none.
sub nested_statements {
    my ($condition) = @_;
    my $from = -s $node->logfile;
    sql("LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
        SELECT count(*) FROM events, keys WHERE $condition");
    return scalar(() = slurp_file($node->logfile, $from) =~ /Query Text:/g) - 1;
}
sql('CREATE TABLE keys AS SELECT id::uuid AS key, id::uuid AS other FROM events LIMIT 20');
is(nested_statements($_), 0, "no nested statement: $_")
    for 'id = key', 'key = id', 'id <> key', 'id < key AND key > id', 'id <= key AND key >= id', 'id IN (key, other)', 'key NOT IN (id)',
    'id = ANY (ARRAY[key])', 'id <> ALL (ARRAY[key, other])', 'key = ANY (ARRAY[id])', 'id IS DISTINCT FROM key', 'key IS NOT DISTINCT FROM id',
    'NULLIF(id, key) IS NULL', 'CASE id WHEN key THEN true END', '(id, key) > (key, id)', 'id BETWEEN key AND other',
    'coalesce(id = key, id <> key)', 'id >= now()', q{ulid_within(id, '[2026-01-05, 2026-01-06)')}, q{id ^@ '01K'};
cmp_ok(nested_statements('id >= ANY (ARRAY[now()])'), '>', 100, 'a function that is not inlined would be seen');

done_testing();
