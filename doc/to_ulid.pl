#!/usr/bin/perl
# Reads the output of pg_dump -s and writes it with ulid in place of uuid: see moving.md, "A second database".
#     to_ulid.pl [public.event.key] [-public.session.token] <old.sql >new.sql
# The types of columns and domains change, and what is cast to uuid outside of functions. Functions, foreign tables and
# composite types stay; the functions to look at are listed on standard error. A text column that is named becomes a ulid, too,
# and one with - in front stays.
use strict;
use warnings;
my ($name, %named) = (qr/(?:"(?:[^"]|"")+"|[^\s".,()]+)/, map { (s/^-//r) => /^-/ ? 'stays' : 'moves' } @ARGV);
local $/;
my $dump = <STDIN>;
my %key; # the columns of primary keys: only their random defaults become gen_ulid()
while ($dump =~ /^ALTER TABLE ONLY ($name\.$name)\n    ADD CONSTRAINT $name PRIMARY KEY \((.*?)\)/mg) {
    my $table = $1;
    $key{"$table.$_"} = 1 for $2 =~ /$name/g;
}
my $domain = join '|', '(?!)', map { quotemeta } $dump =~ /^CREATE DOMAIN (\S+) AS uuid\b/mg;
my $generator = qr/(?:$name\.)?(?:gen_random_uuid|uuid_generate_v(?:1mc|[147])|uuidv[47])\(\)/;
sub default {
    my ($column, $rest) = @_;
    return $rest =~ s/\bDEFAULT $generator/'DEFAULT public.gen_' . ($key{$column} ? '' : 'random_') . 'ulid()'/er;
}
for (split /^(?=--\n-- Name: )/m, $dump) {
    my ($what, $type) = /^-- Name: (.*?); Type: ([A-Z ]+); Schema: (.*?);/m ? ("$3.$1", $2) : ('', '');
    if ($type =~ /^(?:FUNCTION|PROCEDURE|AGGREGATE)$/) {
        print STDERR "look at $what\n" if /\buuid\b/i && /(?:::|\bas)\s*uuid\b|\breturn\s+query\b/i;
    } elsif ($type !~ /^(?:ACL|COMMENT|FOREIGN TABLE|TYPE|CAST|OPERATOR.*|DEFAULT ACL)$/) {
        my ($table) = /^(?:CREATE (?:UNLOGGED )?TABLE|ALTER TABLE ONLY) ($name\.$name)/m;
        s{^    ($name) (uuid|text|character varying|character)(\(\d+\))?(\[\])?(?=[ ,\n])(.*)}{
            my ($column, $old) = ("$table.$1", $2);
            my $is = $named{$column} // ($old eq 'uuid' ? 'moves' : 'stays');
            $is eq 'moves' ? "    $1 public.ulid" . ($4 // '') . default($column, $5) : $& }gme if $type eq 'TABLE';
        s{^(    ($name) (?:$domain)(?=[ ,\n]))(.*)}{ $1 . default("$table.$2", $3) }gme if $type eq 'TABLE';
        s{(ALTER COLUMN ($name) SET )(DEFAULT .*)}{ $1 . default("$table.$2", $3) }e if $type eq 'DEFAULT';
        s/^(CREATE DOMAIN \S+ AS) uuid\b/$1 public.ulid/m;
        s/::uuid\b(?!")/::public.ulid/g;
    }
    print;
}
