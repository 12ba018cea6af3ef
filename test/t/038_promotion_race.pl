# A standby is promoted in the middle of gen_monotonic_ulid(): at each point where the call has asked, or
# is about to ask, whether the server is in recovery; and while several sessions generate.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = new_cluster('primary', allows_streaming => 1);
my $directory = PostgreSQL::Test::Utils::tempdir();
# In the directory of the server: as often as the file "pause" says, a question; then it waits.
my $variant = build_variant($directory, sub {
	s{^namespace \{\n}{namespace \{
void PauseAt() \{
    static int points = 0;
    char text[16] = "";
    if (FILE *file = fopen("pause", "r")) \{
        const bool is_read = fgets(text, sizeof text, file) != nullptr;
        fclose(file);
        if (!is_read || atoi(text) != ++points)
            return;
        fclose(fopen("paused", "w"));
        while (access("paused", F_OK) == 0)
            usleep(5000);
    \}
\}
bool AskAndPause() \{
    PauseAt();
    const bool result = RecoveryInProgress();
    PauseAt();
    return result;
\}
#define RecoveryInProgress AskAndPause
}m or die;
});
# Whoever begins to use the extension loads what is installed.
$primary->adjust_conf('postgresql.conf', 'shared_preload_libraries', "''");
$primary->append_conf('postgresql.conf', "wal_keep_size = '1GB'");
$primary->start;
create_extension($primary);
$primary->safe_psql('postgres', "UPDATE pg_proc SET probin = '$variant' WHERE probin = '\$libdir/ulid'");
$primary->append_conf('postgresql.conf', qq{
dynamic_library_path = '$directory:\$libdir'
shared_preload_libraries = 'ulid'
});
$primary->restart;
$primary->safe_psql('postgres', 'CREATE TABLE event (id ulid DEFAULT gen_monotonic_ulid())');
$primary->backup('base');

my $standbys = 0;
sub standby
{
	my $node = PostgreSQL::Test::Cluster->new('standby' . ++$standbys);
	$node->init_from_backup($primary, 'base', has_streaming => 1);
	at_clock($node, '-1h', sub { $_[0]->start });
	return $node;
}
sub insert_and_promote
{
	my ($node) = @_;
	my $last = $primary->safe_psql('postgres', 'INSERT INTO event DEFAULT VALUES RETURNING id');
	$primary->wait_for_catchup($node, 'replay');
	$node->promote;
	return $last;
}
# Runs statements in a session that goes on.
sub session
{
	my ($node, @statements) = @_;
	my %session = (out => '', err => '');
	$session{run} = IPC::Run::start([ 'psql', '-XqAt', '-d', $node->connstr('postgres'), map { ('-c', $_) } @statements ],
		'<', '/dev/null', '>', \$session{out}, '2>', \$session{err});
	return \%session;
}

my $reached = 0;
for my $point (1 .. 20)
{
	my $node = standby();
	my $data = $node->data_dir;
	append_to_file("$data/pause", "$point\n");
	my $session = session($node, ('SELECT gen_monotonic_ulid()') x 3);
	my $waits = 0;
	until (-e "$data/paused" || $session->{out} =~ /\n/ || ++$waits > 1000)
	{
		$session->{run}->pump_nb;
		select(undef, undef, undef, 0.01);
	}
	# Whether the first call came so far: the next one asks again.
	select(undef, undef, undef, 0.2);
	$session->{run}->pump_nb;
	my $is_reached = $session->{out} eq '' && -e "$data/paused";
	my $last = insert_and_promote($node) if $is_reached;
	unlink "$data/pause", "$data/paused";
	$session->{run}->finish;
	my $after = (split /\n/, $session->{out})[2];
	$node->stop;
	last unless $is_reached;
	cmp_ok($after, 'gt', $last, "promoted at point $point of a call: the next calls go on after what was replayed");
	$reached = $point;
}
cmp_ok($reached, '>=', 2, 'a call asks whether the server is in recovery');

my $node = standby();
my @sessions = map { session($node, 'SELECT gen_monotonic_ulid() FROM generate_series(1, 1500) WHERE pg_sleep(0.002) IS NOT NULL') } 1 .. 4;
select(undef, undef, undef, 1);
my $last = insert_and_promote($node);
my $promoted = $node->safe_psql('postgres', 'SELECT gen_monotonic_ulid()');
cmp_ok($promoted, 'gt', $last, 'promoted while sessions generate: a new session goes on after what was replayed');
$_->{run}->finish for @sessions;
my %seen;
for my $session (@sessions)
{
	my @ids = split /\n/, $session->{out};
	is(scalar @ids, 1500, 'a session is not disturbed') or diag $session->{err};
	is((grep { $ids[ $_ - 1 ] ge $ids[$_] } 1 .. $#ids), 0, 'its ids ascend');
	cmp_ok($ids[-1], 'gt', $promoted, 'and go on after the promotion');
	is((grep { $seen{$_}++ } @ids), 0, 'no id is that of another session');
}
$node->stop;
$primary->stop;
done_testing();
