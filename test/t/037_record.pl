# The record of gen_monotonic_ulid(), pg_stat/ulid.stat: whatever is found in its place, and however long
# its disk takes, the result is an error or a line in the log, and never a server that hangs, nor an
# error where the time on record still allows an id.
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;
use POSIX ();
use Time::HiRes ();

my $node = new_cluster('main');
my ($held, $full, $slow) = map { $node->basedir . "/$_" } qw(held full slow);
my $shim = compile("$FindBin::Bin/../perl/held_record.c", $node->basedir . '/held_record.so', '-shared', '-fPIC');
my $record = $node->data_dir . '/pg_stat/ulid.stat';
my $clock = $node->basedir . '/clock';
my %faketime = faketime_environment($clock);

sub start
{
	local %ENV = (%ENV, %faketime, LD_PRELOAD => "$faketime{LD_PRELOAD}:$shim", HELD_RECORD_FILE => $held, FULL_RECORD_FILE => $full,
		SLOW_RECORD_FILE => $slow);
	$node->start;
	return;
}

# The id or the error of a call, which must not take long.
sub call
{
	my ($out, $err, $timed_out) = ('', '', 0);
	$node->psql('postgres', "\\set VERBOSITY verbose\nSELECT gen_monotonic_ulid()",
		stdout => \$out, stderr => \$err, timeout => 10, timed_out => \$timed_out, on_error_stop => 0);
	return $timed_out ? 'timed out' : $out . $err;
}
my $id = qr/^[0-9A-HJKMNP-TV-Z]{26}$/;

# The time that is on record is used up.
my $ahead = 0;
sub use_up { set_clock($clock, '+' . ($ahead += 2) . 's'); return }

start();
create_extension($node);
like(call(), $id, 'the first call');
is(-s $record, 16, 'makes the record');

# Something else in its place, found when the record is read and when it is written.
my $elsewhere = $node->basedir . '/elsewhere';
append_to_file($elsewhere, '999999999999999');
my %instead = (
	'a FIFO' => sub { POSIX::mkfifo($record, 0600) or die $! },
	'a directory' => sub { mkdir $record or die $! },
	'a link' => sub { symlink $elsewhere, $record or die $! },
	'a link to nowhere' => sub { symlink "$elsewhere/nowhere", $record or die $! },
	'a device' => sub { symlink '/dev/full', $record or die $! });
sub put_away { return -d $record && !-l $record ? rmdir $record : unlink $record }
for my $what (sort keys %instead)
{
	for my $when ('read', 'written')
	{
		$node->stop if $when eq 'read';
		put_away();
		$instead{$what}->();
		start() if $when eq 'read';
		use_up();
		like(call(), qr/ERROR:  F0000: "pg_stat\/ulid.stat" is not a regular file.*HINT:  Remove it/s,
			"$what where the record is $when: an error that says so");
		put_away();
		like(call(), $id, 'and when it is gone, the next call works');
	}
}
is(slurp_file($elsewhere), '999999999999999', 'what a link led to is not touched');

# A damaged record is replaced, whatever its length; the order is lost once at most.
for my $text ('', '12345', '0' x 16, '9' x 15 . "\n\n", "0\n" x 5000, "281474976710656\n")
{
	$node->stop;
	unlink $record;
	append_to_file($record, $text);
	start();
	like(call(), $id, 'damaged, of ' . length($text) . ' bytes: a call works');
	like(slurp_file($record), qr/^0\d{14}\n/, 'and the record is whole again');
	my $damaged = log_count($node, 'ignoring damaged file');
	$node->stop;
	start();
	call();
	is(log_count($node, 'ignoring damaged file'), $damaged, 'and so after a restart');
}
$node->stop;
start();

# No permission.
SKIP: {
	skip 'root may do everything', 1 if $> == 0;
	call();
	chmod 0, $record;
	# What was on record at the start counts as well.
	use_up() for 1, 2;
	like(call(), qr/ERROR:  42501: could not access file "pg_stat\/ulid.stat": Permission denied/, 'not to be written: an error');
	chmod 0600, $record;
	my $before = call();
	chmod 0400, $record;
	$node->stop;
	start();
	use_up() for 1, 2;
	like(call(), qr/ERROR:  42501: could not access file/, 'only to be read, when the server starts: an error');
	chmod 0600, $record;
	cmp_ok(call(), 'gt', $before, 'and the order goes on when it can be written');
}

# A full disk, with a record and before there is one.
for my $there (1, 0)
{
	my $when = $there ? 'a disk that became full' : 'a disk that was full before the first call';
	my $before = call();
	$node->stop;
	unlink $record unless $there;
	append_to_file($full, '');
	start();
	use_up() for 1, 2;
	my $text = $there ? slurp_file($record) : '';
	for my $session (1, 2)
	{
		like(call(), qr/ERROR:  53100: could not access file "pg_stat\/ulid.stat": No space left on device/, "$when: an error");
	}
	is(slurp_file($record), $text, 'what was on record is still there');
	is($node->safe_psql('postgres', 'SELECT count(gen_ulid()) FROM generate_series(1, 1000)'), '1000', 'other generators go on');
	$node->stop('immediate');
	start();
	like(call(), qr/No space left on device/, 'and so after a crash');
	unlink $full;
	cmp_ok(call(), 'gt', $before, 'when there is space, the order goes on');
}

# A disk that does not answer. The session that writes waits for it; whoever waits for that session can
# be cancelled and terminated, and the rest of the server goes on.
sub background
{
	my ($sql) = @_;
	my %session = (out => '', err => '');
	$session{run} = IPC::Run::start([ 'psql', '-XqAt', '-d', $node->connstr('postgres'), '-c', $sql ],
		'<', '/dev/null', '>', \$session{out}, '2>', \$session{err});
	return \%session;
}
sub waiting
{
	return $node->poll_query_until('postgres', "SELECT count(*) = $_[0] FROM pg_stat_activity
		WHERE query ~ '^SELECT gen_monotonic' AND state = 'active'");
}
# By the real clock, as libfaketime may tell a handler of SIGALRM that one, and a timeout would come late.
$node->stop;
unlink $record;
set_clock($clock, '+0');
start();
my $before = call();
append_to_file($held, '');
select(undef, undef, undef, 1.2);
my $writes = background('SELECT gen_monotonic_ulid() -- writes');
waiting(1);
my $waits = background('SELECT gen_monotonic_ulid() -- waits');
my $terminated = background('SELECT gen_monotonic_ulid() -- terminated');
waiting(3);
my $begin = Time::HiRes::time();
my ($rc, $out, $err) = $node->psql('postgres', q{SET statement_timeout = '500ms'; SELECT gen_monotonic_ulid()}, timeout => 10,
	timed_out => \my $timed_out);
like($err // '', qr/canceling statement due to statement timeout/, 'a session that waits for the record is timed out');
cmp_ok(Time::HiRes::time() - $begin, '<', 8, 'at once');
$node->safe_psql('postgres', q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ '^SELECT gen_monotonic_ulid.. -- terminated'});
ok(waiting(2), 'and can be terminated');
is( $node->safe_psql('postgres', q{SELECT string_agg(DISTINCT wait_event_type, ' ') FROM pg_stat_activity
		WHERE query ~ '^SELECT gen_monotonic_ulid.. -- waits'}), 'Extension', 'it waits for no lock of the server\'s own');
is($node->safe_psql('postgres', 'SELECT count(gen_ulid()) FROM generate_series(1, 1000)'), '1000', 'other generators go on');
unlink $held;
$_->{run}->finish for $writes, $waits, $terminated;
like($terminated->{err}, qr/terminating connection/, 'the one that was terminated says so');
cmp_ok($writes->{out}, 'gt', $before, 'the disk answers, and the one that wrote goes on');
cmp_ok($waits->{out}, 'gt', $before, 'and the one that waited');

# A disk that answers each write, but only when the time that is written is over.
$node->stop;
unlink $record;
start();
$before = call();
append_to_file($slow, '');
sleep 2;
cmp_ok(my $late = call(), 'gt', $before, 'a disk that is slow: a call has its id nevertheless');
like($late, $id, 'and no error');
sleep 2;
my $endless = background(q{SELECT gen_monotonic_ulid() FROM generate_series(1, 1000000000) -- endless});
waiting(1);
$node->safe_psql('postgres', q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ '^SELECT gen_monotonic_ulid.*-- endless'});
ok(waiting(0), 'a session that writes to it can be terminated');
unlink $slow;
$endless->{run}->finish;

# A renewal, which is due while there is time left, fails: on a clock that stands still.
$node->stop;
unlink $record;
start();
my $second = time + 3600;
sub at_second
{
	set_clock($clock, POSIX::strftime('%Y-%m-%d %H:%M:%S', localtime($second + $_[0])));
	return;
}
sub recorded { return slurp_file($record) - 1000 * $second }
my $said = 'is not a regular file';
my $lines = log_count($node, $said);
at_second(0);
like(call(), $id, 'the clock stands still: a call');
is(recorded(), 1000, 'reserves a second');
at_second(1);
put_away();
mkdir $record or die $!;
like(my $first = call(), $id, 'a renewal fails: the call has its id');
like(my $next = call(), $id, 'and so has the next one');
cmp_ok($next, 'gt', $first, 'a greater one');
is(log_count($node, $said), ++$lines, 'the log has one line of it');
put_away();
like(call(), $id, 'when the record can be written, the next call');
is(recorded(), 2000, 'renews the reservation');
at_second(2);
put_away();
mkdir $record or die $!;
like(call(), $id, 'a renewal fails again: the call has its id');
is(log_count($node, $said), ++$lines, 'and the log a second line');
at_second(3);
like(call(), qr/ERROR:  F0000: .*$said/, 'the time on record is over: an error');
put_away();
like(call(), $id, 'and when the record can be written, an id');
is(recorded(), 4000, 'of a new reservation');

# The end of the time that a ULID can have.
$node->stop;
my $damaged = log_count($node, 'ignoring damaged file');
my ($last_but_one, $last) = ("281474976710654\n", "281474976710655\n");
unlink $record;
append_to_file($record, $last_but_one);
start();
like($first = call(), qr/^7ZZZZZZZZZ/, 'the last millisecond but one is on record: an id of the last one');
cmp_ok(call(), 'gt', $first, 'and the next');
is(slurp_file($record), $last, 'which is on record');
$node->stop;
start();
for my $session (1, 2)
{
	like(call(), qr/ERROR:  2200H: no ULID is left after .*HINT:  .*remove the file/s, 'after a restart none is left: an error');
}
is(slurp_file($record), $last, 'the record is as it was');
is(log_count($node, 'ignoring damaged file'), $damaged, 'and is not taken to be damaged');
unlink $record;
cmp_ok(call(), 'lt', $first, 'without it a new order begins');

is(log_count($node, 'PANIC'), 0, 'no PANIC in all of that');

$node->stop;
done_testing();
