# Planning of very many conditions on a ulid can be cancelled.
use lib 'test/lib';
use UlidCluster;

# The log says in which function a statement was cancelled.
my $node = started_cluster('main', "backtrace_functions = 'ProcessInterrupts'\n");
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE log AS SELECT gen_ulid('2025-01-01Z'::timestamptz + n * interval '1 min') AS id
FROM generate_series(1, 20000) AS n;
ANALYZE log;
SQL
my $windows = join ' OR ', map {
    my $minutes = $_;
    my ($from, $to) = map { sprintf "'2025-01-01Z'::timestamptz + interval '%d min'", $minutes + $_ } 0, 1;
    "(id >= $from AND id < $to)"
} 1 .. 60000;

# Of EXECUTE nearly all time is planning. The timeout may also end before or after it.
my $script = "PREPARE windows AS SELECT FROM log WHERE $windows;\n";
$script .= "SET statement_timeout = $_;\nEXPLAIN EXECUTE windows;\n" for 25, 50, 100, 200, 400;
$node->psql('postgres', $script, on_error_stop => 0);
cmp_ok(log_count($node, 'ulid_ineqsel'),
    '>', 0, 'statement_timeout ends the planning of 60,000 windows in the estimator');
done_testing();
