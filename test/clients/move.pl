# move.pl PROGRAM COMMAND...: takes the program through the steps of doc/moving.md and back, in one process but for what a
# deployment starts anew, while it writes; then looks in the database for every row that it said it had written. The types
# change by ALTER TABLE, where one column is to be a ulid and another not yet, and by the scripts of ulid_move.sql, in place
# and by copying, killed a few times and run again.
#
# The command is started with `uuid` (the library's own mapping), `both` (the page's type for the time of the move) or
# `ulid` behind it. It reads names, a line each, makes a round of each (below), several at a time if it can, and answers
# with a line, NAME, a tab, `done` and the customer's id, or `error` and what went wrong. At the end of its input it ends.
#
# A round: insert a customer of that name, the id by the default; an order with the customer, in record_id the customer of
# an earlier round, in others both. Change the name to `NAME changed`: one row. Read all of it again, and compare. With
# `both` and with `ulid`, the customer `first` is found by its UUID and by its ULID.
#
# An error is allowed where the program has a comment `happens: MESSAGE`, which has to, or `can happen: MESSAGE`; a page
# quotes it. `without: MESSAGE` is what happens where the library's own mapping is kept when the types change.
use strict;
use warnings;
use IO::Select;
use IPC::Open2;
use POSIX ();
use Test::More;

my ($program, @command) = @ARGV;
$SIG{PIPE} = 'IGNORE'; # of a program that skips
my $WINDOW = 4;    # rounds at a time
my $ROUNDS = 40;   # after each step: more than any library takes to prepare a statement
my $source = do { local (@ARGV, $/) = $program; <> };
my @happens = $source =~ /\bhappens: (.*)/g;
my @without = $source =~ /\bwithout: (.*)/g;
my @can_happen = (@happens, $source =~ /\bcan happen: (.*)/g);
my $page = join(' ', map { local (@ARGV, $/) = $_; <> } glob "$ENV{PAGES}/*.md") =~ s/\s+/ /gr;

sub sql {
    my $statements = join ';', @_;
    open my $psql, '-|', qw(psql -X -q -A -t -v ON_ERROR_STOP=1 -c), $statements or die "psql: $!";
    chomp(my $output = join '', <$psql>);
    close $psql or die "psql: $statements";
    return $output;
}

sql(<<'SQL');
CREATE TABLE customers (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text NOT NULL);
CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), customer_id uuid REFERENCES customers,
    record_type text, record_id uuid, others uuid[]);
CREATE INDEX ON orders (customer_id);
INSERT INTO customers VALUES ('018f3406-9e00-0123-4567-89abcdef0101', 'first');
CREATE TABLE told (name text PRIMARY KEY, outcome text, what text)
SQL
my %key = map { $_ => "ALTER TABLE customers ALTER id TYPE $_" } qw(ulid uuid);
my %rest = map { $_ => "ALTER TABLE orders ALTER id TYPE $_, ALTER customer_id TYPE $_, ALTER record_id TYPE $_, ALTER others TYPE $_\[]" }
    qw(ulid uuid);

# All locks or none, as the scripts take them.
sub together { return 'BEGIN', "SET LOCAL lock_timeout = '30ms'", 'LOCK orders, customers', @_, 'COMMIT' }

my (%process, %error, @told);
my $errors = { map { $_ => 0 } @can_happen }; # how often
my $errors_without = { map { $_ => 0 } @without };
my $reading = IO::Select->new;

sub start {
    my ($mode) = @_;
    my $pid = open2(my $out, my $in, @command, $mode);
    $in->autoflush(1);
    my $process = { mode => $mode, pid => $pid, in => $in, out => $out, given => 0, answered => 0, buffer => '' };
    $process{$out} = $process;
    $reading->add($out);
    rounds("$mode, from its start");
    return $process;
}

# The script there or back, written before the move.
sub script {
    my ($to, $copy) = @_;
    my $file = "$program.$to" . ($copy ? '.copy' : '') . '.sql';
    my @copy = $copy ? ('-v', 'copy=public.*') : ();
    system(qw(psql -X -q -v), 'columns=public.customers, public.orders, public.orders.record_id', '-v', "to=$to", @copy, '-v', "script=$file",
        '-f', "$ENV{here}/../../move/ulid_move.sql") and die "no script to $to";
    return $file;
}

# Runs it, after it was killed three times, and until it has the locks. The arrays, which it leaves as they are, change
# after it, and back before it.
sub run_script {
    my ($file) = @_;
    my ($to) = $file =~ /\.(u[lu]id)\./;
    my @arrays = (qw(psql -X -q -c), "ALTER TABLE orders ALTER others TYPE $to\[]");
    my @psql = (qw(psql -X -q -f), $file);
    open STDOUT, '>', '/dev/null';
    return 1 if $to eq 'uuid' && system @arrays;
    system(qw(timeout -s KILL), rand 1.5, @psql) for 1 .. 3;
    for (1 .. 20) {
        system(@psql) and sleep(1), next;
        return $to eq 'ulid' && system(@arrays) ? 1 : 0;
    }
    return 1;
}

# Each process makes this many rounds, and goes on for as long as the statements, or the script, take.
sub rounds {
    my ($name, @statements) = @_;
    my $pid;
    if (@statements) { # again, until it has the locks
        defined($pid = fork) or die "fork: $!";
        unless ($pid) {
            open STDERR, '>', "$program.psql";
            POSIX::_exit(run_script(@statements)) if $statements[0] =~ /\.sql$/;
            for (1 .. 300) { system(qw(psql -X -q -v ON_ERROR_STOP=1 -c), join ';', @statements) or POSIX::_exit(0) }
            POSIX::_exit(1);
        }
    }
    my ($altered, $end) = ($pid ? undef : 0, time + 300);
    my %goal;
    while (1) {
        if (!defined $altered && waitpid($pid, 1) == $pid) { # WNOHANG
            $altered = $?;
            %goal = ();
        }
        $goal{ $_->{pid} } //= $_->{answered} + $ROUNDS for values %process;
        last if defined $altered && !grep { $_->{answered} < $goal{ $_->{pid} } || $_->{answered} < $_->{given} } values %process;
        die "$name: no answer" if time > $end;
        for my $process (values %process) {
            while ($process->{given} < $process->{answered} + $WINDOW
                && (!defined $altered || $process->{given} < $goal{ $process->{pid} })) {
                print { $process->{in} } join('-', $process->{mode}, $process->{pid}, ++$process->{given}), "\n";
            }
        }
        for my $out ($reading->can_read(0.1)) {
            my $process = $process{$out};
            sysread($out, $process->{buffer}, 65536, length $process->{buffer}) or die "$name: the program ended";
            while ($process->{buffer} =~ s/^([^\n]*)\n//) {
                my ($round, $outcome, $what) = split /\t/, $1, 3;
                plan(skip_all => $1) if $round =~ /^1\.\.0 # SKIP (.*)/;
                next unless defined $what and ++$process->{answered}; # what a library prints
                push @told, [ $round, $outcome, $what ];
                my $length = $process->{mode} eq 'ulid' ? 26 : 36;
                push @{ $error{$name} }, "$round: an id of another form: $what" if $outcome eq 'done' && length $what != $length;
                next if $outcome eq 'done';
                my $expected = $name =~ /^without/ ? $errors_without : $errors;
                my ($allowed) = grep { index($what, $_) >= 0 } keys %$expected;
                $allowed ? $expected->{$allowed}++ : push @{ $error{$name} }, "$round: $what";
            }
        }
    }
    is($altered, 0, "$name: the statement") or diag(do { local (@ARGV, $/) = "$program.psql"; <> }) if @statements;
    is_deeply($error{$name} // [], [], "$name: no error that the page does not name") unless $name =~ /^without/;
}

sub end {
    my ($process) = @_;
    close $process->{in};
    $reading->remove($process->{out});
    delete $process{ $process->{out} };
    waitpid $process->{pid}, 0;
    is($?, 0, "$process->{mode}: it ends");
}

my $uuid = start('uuid');
rounds('1: the default', together('ALTER TABLE customers ALTER id SET DEFAULT gen_ulid()', 'ALTER TABLE orders ALTER id SET DEFAULT gen_ulid()'));
# of the last five, as a client may make one itself
is(sql("SELECT bool_or(id::ulid::timestamptz BETWEEN now() - '1 hour'::interval AND now()) FROM customers WHERE name IN ("
    . join(', ', map { "'$_->[0] changed'" } @told[ -5 .. -1 ]) . ')'), 't', '1: a new key is a ULID');
end($uuid);
my $both = start('both');
rounds('3: the key alone', together($key{ulid}));
rounds('3: the rest', together($rest{ulid}));
rounds('back to uuid', together($rest{uuid}, $key{uuid}));
my ($there, $back, $there_copying, $back_copying) = map { script('ulid', $_), script('uuid', $_) } 0, 1;
rounds('3: by copying', $there_copying);
rounds('back in place', $back);
rounds('3: in place', $there);
my $ulid = start('ulid');
end($both);
rounds('4: ULIDs alone');
$both = start('both');
end($ulid);
rounds('back by copying', $back_copying);
end($both);
$uuid = start('uuid');
if (@without) {
    rounds('without 2: the key alone', together($key{ulid}));
    rounds('without 2: the rest', together($rest{ulid}));
    cmp_ok($errors_without->{$_}, '>', 0, "happens without step 2: $_")
        or diag(map { "instead: $_\n" } grep { defined } map { @{ $error{$_} // [] }[ 0, -1 ] } grep { /^without/ } keys %error) for @without;
    rounds('without 2: back to uuid', together($rest{uuid}, $key{uuid}));
}
end($uuid);

open my $copy, '|-', qw(psql -X -q -c), 'COPY told FROM STDIN' or die "psql: $!";
print $copy join("\t", map { s/\\/\\\\/gr =~ s/\t/ /gr } @$_), "\n" for @told;
close $copy or die 'psql';
is(sql(<<'SQL'), 0, 'each round that was done is in the database, as it was told');
SELECT count(*) FROM told WHERE outcome = 'done' AND NOT EXISTS (SELECT FROM customers c JOIN orders o ON o.customer_id = c.id
    WHERE c.id = what::ulid AND c.name = told.name || ' changed' AND o.record_type = 'Customer' AND o.others = ARRAY[c.id, o.record_id]
    AND EXISTS (SELECT FROM customers r WHERE r.id = o.record_id))
SQL
is(sql(<<'SQL'), 0, 'and nothing that is not: NULLs, rows made twice, rows of no round');
SELECT (SELECT count(*) FROM orders WHERE customer_id IS NULL OR record_id IS NULL OR others IS NULL OR array_position(others, NULL) IS NOT NULL)
    + (SELECT count(*) FROM (SELECT FROM orders GROUP BY customer_id HAVING count(*) > 1) twice)
    + (SELECT count(*) FROM (SELECT FROM customers GROUP BY split_part(name, ' ', 1) HAVING count(*) > 1) twice)
    + (SELECT count(*) FROM customers WHERE name <> 'first' AND split_part(name, ' ', 1) NOT IN (SELECT name FROM told))
SQL
cmp_ok($errors->{$_}, '>', 0, "happens: $_") for @happens;
cmp_ok($errors->{$_}, '<', 50, "and not always: $_") for @can_happen;
ok(index($page, $_) >= 0, "a page names it: $_") for @can_happen, @without;
done_testing();
