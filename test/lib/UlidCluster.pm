# Shared by the Perl tests: clusters with the extension, and queries about them.
package UlidCluster;

use strict;
use warnings;

use Cwd qw(abs_path getcwd);
use File::Basename 'dirname';

# So that `prove test/t/NAME.pl` works: the server's test modules are beside its PGXS.
BEGIN {
    my $config = $ENV{PG_CONFIG} || 'pg_config';
    my ($pgxs, $bin) = map { `$config $_` =~ s/\s+$//r } qw(--pgxs --bindir);
    my $top = $pgxs =~ s{/makefiles/pgxs\.mk$}{}r;
    unshift @INC, "$top/test/perl";
    $ENV{PG_REGRESS} //= "$top/test/regress/pg_regress";
    $ENV{PATH} = "$bin:$ENV{PATH}";
    $ENV{TESTDIR} //= getcwd();
    $ENV{TESTDATADIR} //= "$ENV{TESTDIR}/tmp_check";
    $ENV{TESTLOGDIR} //= "$ENV{TESTDIR}/tmp_check/log";
    # Seconds, for slow machines.
    $ENV{$_} //= 900 for qw(PG_TEST_TIMEOUT_DEFAULT PGCTLTIMEOUT);
}
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Exporter ();
use Test::More ();

# The checkout.
my $top = abs_path(dirname(__FILE__) . '/../..');

# Interrupted, a test stops its servers, as it does when it dies.
$SIG{$_} = sub { exit 1 }
    for 'INT', 'TERM';

our @EXPORT =
    qw(new_cluster started_cluster create_extension extension_catalog_sql order_is_at_clock_sql named_shared_memory sqlstate
    log_count run_clients beside_a_reader start_faked set_clock compile build_variant
    documented_sql blocks skip_unless_available not_at_midnight);

# Gives the caller strict, warnings, and the exports of the server's test modules and Test::More.
sub import {
    my $caller = caller;
    strict->import;
    warnings->import;
    eval "package $caller; \$_->import for qw(PostgreSQL::Test::Cluster PostgreSQL::Test::Utils Test::More); 1" or die;
    goto &Exporter::import;
}

# The major version of the server under test.
my $major = do { `@{[$ENV{PG_CONFIG} || 'pg_config']} --version` =~ /(\d+)/; $1 };

# Whether gen_monotonic_ulid() needs no configuration.
sub named_shared_memory { return $major >= 17 }

# A cluster in which gen_monotonic_ulid() works, not yet started. Options: `conf` has lines of postgresql.conf,
# `install_path` is new()'s, all others are init()'s.
sub new_cluster {
    my ($name, %options) = @_;
    my ($conf, $installation) = delete @options{qw(conf install_path)};
    my $node = PostgreSQL::Test::Cluster->new($name, $installation ? (install_path => $installation) : ());
    # initdb takes a second, so test/run has made a cluster to copy.
    no warnings 'redefine';
    my $run = \&PostgreSQL::Test::Utils::system_or_bail;
    local *PostgreSQL::Test::Utils::system_or_bail = sub {
        @_ = ('cp', '-RPp', $ENV{ULID_TEST_CLUSTER}, $node->data_dir)
            if $_[0] eq 'initdb' && $ENV{ULID_TEST_CLUSTER} && !$installation;
        goto &$run;
    };
    $node->init(extra => [ '--encoding=UTF8', '--locale=C' ], %options);
    # The clusters of a test share a small machine, so WAL files are not filled in advance. Replication starts at once.
    $conf =
          "log_statement = none\njit = off\ntimezone = 'UTC'\nwal_init_zero = off\nwal_recycle = off\n"
        . "wal_retrieve_retry_interval = '50ms'\n"
        . ($conf // '');
    $conf = "shared_preload_libraries = 'ulid'\n$conf" if $node->pg_version < 17;
    $node->append_conf('postgresql.conf', $conf);
    return $node;
}

# The same, started, with the extension.
sub started_cluster {
    my ($name, $conf, %options) = @_;
    my $node = new_cluster($name, %options, conf => $conf);
    $node->start;
    create_extension($node);
    return $node;
}

sub create_extension {
    my ($node) = @_;
    $node->safe_psql('postgres', 'CREATE EXTENSION ulid');
    return;
}

# SQL that lists the objects of the extension with their properties and without OIDs.
sub extension_catalog_sql {
    return q{
        SET search_path = pg_catalog, pg_temp;
        SELECT d.classid::regclass, i.type, i.identity,
            (SELECT concat(prorettype::regtype, pg_get_function_sqlbody(oid), to_jsonb(p)
                    - '{oid,proowner,pronamespace,proargtypes,prorettype,proallargtypes,prosqlbody}'::text[])
                FROM pg_proc p WHERE d.classid = 'pg_proc'::regclass AND p.oid = d.objid),
            (SELECT concat_ws(' ', oprrest, oprjoin, oprcanmerge, oprcanhash, oprcode, oprcom::regoperator,
                    oprnegate::regoperator)
                FROM pg_operator o WHERE d.classid = 'pg_operator'::regclass AND o.oid = d.objid),
            (SELECT string_agg(concat_ws(' ', amopstrategy, amopopr::regoperator), ',' ORDER BY 1, amopstrategy, amopopr::regoperator::text)
                FROM pg_amop WHERE d.classid = 'pg_opfamily'::regclass AND amopfamily = d.objid),
            (SELECT string_agg(concat_ws(' ', amprocnum, amproc::regprocedure), ',' ORDER BY amprocnum, amproc::regprocedure::text)
                FROM pg_amproc WHERE d.classid = 'pg_opfamily'::regclass AND amprocfamily = d.objid),
            (SELECT concat_ws(' ', castcontext, castmethod, castfunc::regprocedure) FROM pg_cast c
                WHERE d.classid = 'pg_cast'::regclass AND c.oid = d.objid),
            (SELECT concat_ws(' ', typlen, typbyval, typalign, typstorage, typcategory, typanalyze, typinput, typoutput, typsend,
                typreceive)
                FROM pg_type t WHERE d.classid = 'pg_type'::regclass AND t.oid = d.objid),
            (SELECT concat_ws(' ', a.aggtransfn, a.aggcombinefn, a.aggsortop::regoperator) FROM pg_aggregate a
                WHERE d.classid = 'pg_proc'::regclass AND a.aggfnoid = d.objid),
            obj_description(d.objid, d.classid::regclass::name)
        FROM pg_depend d, pg_identify_object(d.classid, d.objid, d.objsubid) i
        WHERE d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ulid')
        ORDER BY 1, 2, 3};
}

# SQL that says whether gen_monotonic_ulid() has the time of the clock.
sub order_is_at_clock_sql {
    return q{SELECT made BETWEEN date_trunc('milliseconds', before) AND after FROM (SELECT
        clock_timestamp() AS before, gen_monotonic_ulid()::timestamptz AS made, clock_timestamp() AS after) AS times};
}

# The SQLSTATE with which a statement fails, and its messages.
sub sqlstate {
    my ($node, $sql) = @_;
    my ($rc, $out, $err) = $node->psql('postgres', "\\set VERBOSITY verbose\n$sql", on_error_stop => 0);
    return ($err =~ /ERROR:  (\w{5}):/ ? $1 : '', $err);
}

# Builds the module into a directory. $change edits monotonic.cpp, in $_.
sub build_variant {
    my ($directory, $change) = @_;
    # Keeps the times of the files, so that make builds only what changes.
    my $files = join(' ', grep { -e } map { "$top/$_" } qw(Makefile ulid.control server.stamp src));
    system("mkdir -p $directory && cp -a $files $directory/") == 0 or die;
    my $file = "$directory/src/pg/monotonic.cpp";
    local $_ = PostgreSQL::Test::Utils::slurp_file($file);
    $change->();
    unlink $file;
    PostgreSQL::Test::Utils::append_to_file($file, $_);
    # A make may run this test.
    local %ENV = %ENV;
    delete @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS)};
    my $config = $ENV{PG_CONFIG} || 'pg_config';
    system("make -s -C $directory ulid.so with_llvm=no PG_CONFIG=$config >$directory/log 2>&1") == 0
        or die PostgreSQL::Test::Utils::slurp_file("$directory/log");
    return "$directory/ulid";
}

# The block of SQL in README.md or on a page of doc that begins with a text, without statements whose results the page
# shows.
sub documented_sql {
    my ($beginning) = @_;
    for my $page ("$top/README.md", glob("$top/doc/*.md")) {
        my ($sql) = PostgreSQL::Test::Utils::slurp_file($page) =~ /^```sql(?: \d+)?\n(\Q$beginning\E.*?)^```$/ms;
        return $sql =~ s/^.*;[ \n]-- → .*\n//mgr if $sql;
    }
    die "no page has SQL that begins with $beginning";
}

# The blocks of a language under a heading of a page.
sub blocks {
    my ($page, $heading, $language) = @_;
    my ($section) = PostgreSQL::Test::Utils::slurp_file($page) =~ /^##+ \Q$heading\E\n(.*?)(?=^##|\z)/ms
        or die "$page has no heading $heading";
    # Those of a list are indented.
    my @blocks;
    while ($section =~ /^( *)```$language\n(.*?)^\1```$/msg) { push @blocks, $2 =~ s/^$1//mgr }
    return @blocks;
}

# Skips the whole test if the server does not have another project's extension, which comes from a Debian package or
# an address.
sub skip_unless_available {
    my ($extension, $source) = @_;
    $source = "Debian: postgresql-$major-$source" unless $source =~ /^https:/;
    my $directory = `@{[$ENV{PG_CONFIG} || 'pg_config']} --sharedir`;
    chomp $directory;
    Test::More::plan(skip_all => "$extension is not installed ($source)")
        unless -e "$directory/extension/$extension.control";
    return;
}

# Waits for the next day if this one, in UTC, ends within minutes: for tests that ask for today's
# partition more than once.
sub not_at_midnight {
    my $left = 86400 - time() % 86400;
    sleep($left + 1) if $left <= 300;
    return;
}

# How often a text stands in the server's log.
sub log_count {
    my ($node, $text) = @_;
    my $log = PostgreSQL::Test::Utils::slurp_file($node->logfile);
    return scalar(() = $log =~ /\Q$text\E/g);
}

# Runs one psql for each script at the same time, and returns their exit codes.
sub run_clients {
    my ($node, @scripts) = @_;
    my $directory = PostgreSQL::Test::Utils::tempdir();
    my $number = 0;
    # From files, as IPC::Run feeds only the client it waits for.
    my @clients = map {
        my $file = "$directory/" . $number++ . '.sql';
        PostgreSQL::Test::Utils::append_to_file($file, $_);
        IPC::Run::start([ 'psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres'), '-f', $file ],
            '>', "$file.out", '2>', "$file.err");
    } @scripts;
    return map { $_->finish; $_->full_result(0) } @clients;
}

# Runs SQL while a transaction that has read is open, and beside it an insert, which may take 3 seconds. Returns the
# SQLSTATE of each.
sub beside_a_reader {
    my ($node, $database, $read, $sql, $insert) = @_;
    my @psql = ('psql', '-Xq', '-v', 'VERBOSITY=sqlstate', '-d', $node->connstr($database));
    my $reader = $node->background_psql($database);
    $reader->query("BEGIN; $read;");
    my ($out, @errors);
    my $run = IPC::Run::start([ @psql, '-c', $sql ], '<', '/dev/null', '>', \$out, '2>', \$errors[0]);
    my $waits = "SELECT count(*) > 0 FROM pg_locks WHERE NOT granted";
    for (1 .. 200) {
        $run->pump_nb;
        last unless $run->pumpable && $node->safe_psql($database, $waits) ne 't';
        select undef, undef, undef, 0.02;
    }
    IPC::Run::run([ @psql, '-c', "SET statement_timeout = '3s'", '-c', $insert ], '>', \$out, '2>', \$errors[1]);
    $reader->query('COMMIT');
    $reader->quit;
    $run->finish;
    return map { /ERROR:  (\w{5})/ ? $1 : '00000' } @errors;
}

# The environment in which set_clock() sets a server's clock, by libfaketime.
sub faketime_environment {
    my ($file) = @_;
    my ($library) = glob('/usr/lib/*/faketime/libfaketime.so.1');
    die 'libfaketime (Debian: faketime) is not installed' unless $library;
    set_clock($file, '+0') unless -e $file;
    return (
        LD_PRELOAD => $library,
        FAKETIME_TIMESTAMP_FILE => $file,
        FAKETIME_NO_CACHE => 1,
        # Timeouts and latches keep the real clock.
        FAKETIME_DONT_FAKE_MONOTONIC => 1,
        DONT_FAKE_MONOTONIC => 1
    );
}

# Starts a node whose clock set_clock() sets by the file `clock` in its base directory.
sub start_faked {
    my ($node) = @_;
    local %ENV = (%ENV, faketime_environment($node->basedir . '/clock'));
    $node->start;
    return;
}

# Sets the clock of servers started in that environment to an offset from the real one: '-1h', '+30d'.
sub set_clock {
    my ($file, $offset) = @_;
    # Renamed into place, as a server may read it at any time.
    PostgreSQL::Test::Utils::append_to_file("$file.new", "$offset\n");
    rename("$file.new", $file) or die "$file: $!";
    return;
}

# Compiles a C file of this directory.
sub compile {
    my ($source, $target, @flags) = @_;
    system($ENV{CC} || 'cc', '-O2', '-Wall', '-Wextra', '-Werror', '-o', $target, $source, @flags) == 0
        or die "cannot compile $source";
    return $target;
}

1;
