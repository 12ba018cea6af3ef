#!/usr/bin/perl
# Reads the output of pg_dump -s -C, and writes it for a database of another name, with ulid in place of uuid.
#     to_ulid.pl NEW_DATABASE [--keep public.session.token]... <old.sql >new.sql
# The types of columns, domains, parameters and results change, and casts to uuid. Random defaults of primary keys become
# gen_uuidv7(). Columns that are kept, composite types, foreign tables, and other code in function bodies stay as they are. What
# may need a change by hand is listed on standard error, with its line of the output.
use strict;
use warnings;
use Getopt::Long;
GetOptions('keep=s' => \my @keep) && @ARGV == 1 or die "usage: to_ulid.pl NEW_DATABASE [--keep SCHEMA.TABLE.COLUMN]...\n";
my $name = qr/(?:"(?:[^"]|"")+"|[a-z_\x80-\xff][\w\$\x80-\xff]*)/;    # as the server prints an identifier
my $new = '"' . $ARGV[0] =~ s/"/""/gr . '"';
my $dump = do { local $/; <STDIN> };
my ($schema) = $dump =~ /^CREATE EXTENSION IF NOT EXISTS ulid WITH SCHEMA ($name);$/m or die "the database lacks the extension ulid\n";
my ($old) = $dump =~ /^CREATE DATABASE ($name) /m or die "the dump was made without -C\n";
my (%keep, %key) = map { $_ => 0 } @keep;
while ($dump =~ /^ALTER TABLE ONLY ($name\.$name)\n    ADD CONSTRAINT $name PRIMARY KEY \((.*?)\)/mg) {
    my $table = $1;
    $key{"$table.$_"} = 1 for $2 =~ /$name/g;
}
my $domain = join '|', '(?!)', map { quotemeta } $dump =~ /^CREATE DOMAIN (\S+) AS uuid\b/mg;
my $random = qr/(?:$name\.)?(?:gen_random_uuid|uuid_generate_v(?:1|1mc|4)|uuidv4)\(\)/;
my $signed = qr/(?:FUNCTION|PROCEDURE|AGGREGATE|OPERATOR|CAST)/;    # what is named with types

sub default {
    my ($column, $rest) = @_;
    return $rest if $key{$column} && $rest =~ s/\bDEFAULT $random/DEFAULT $schema.gen_uuidv7()/;
    return $rest =~ s/\bDEFAULT (?!NULL|'|nextval\().*/$&\x01/r;    # \x01 marks a line to look at
}

sub moved {    # a column of a table: its name, its type and the rest of its line
    my ($column, $type, $rest) = @_;
    return "$type$rest" if $type =~ /^uuid/ && exists $keep{$column} && ++$keep{$column};
    return ($type =~ s/^uuid/$schema.ulid/r) . default($column, $rest);
}
my $line = 0;
for (split /^(?=--\n-- Name: )/m, $dump) {
    my ($object, $type) = /^-- Name: (.*?); Type: ([A-Z ]+);/m ? ($1, $2) : ('', '');
    my ($table) = /^(?:CREATE (?:UNLOGGED )?TABLE|ALTER TABLE ONLY) ($name\.$name)/m;
    if ($type =~ /^DATABASE/ || $object =~ /^DATABASE /) {
        s/^\\connect .*/\\connect $new/mg;
        s/^([A-Z, ]*(?: ROLE \S+ IN)? DATABASE) \Q$old\E(?=[ ;])/$1 $new/mg;
    } elsif ($type eq 'TABLE') {
        s/^    ($name) (uuid\b(?:\[\])?|(?:$domain)(?=[ ,\n]))(.*)/"    $1 " . moved("$table.$1", $2, $3)/gme;
    } elsif ($type eq 'DEFAULT') {
        s/(ALTER COLUMN ($name) SET )(DEFAULT .*)/$1 . default("$table.$2", $3)/e;
    } elsif ($type eq 'DOMAIN') {
        s/^(CREATE DOMAIN \S+ AS) uuid\b/$1 $schema.ulid/m;
    } elsif ($type =~ /^$signed$/ || $object =~ /^$signed /) {
        s/^(?:(?:CREATE|ALTER|COMMENT ON|(?:GRANT|REVOKE) .* ON) $signed | {4}(?:[LR]EFT|RIGHT)ARG|    STYPE).*?(?= IS '|$)/
            $& =~ s{(?<![\w".'])uuid(?=\[\]|[,);]|$| (?:DEFAULT|AS)\b)}{$schema.ulid}gr/gme;
    } elsif ($type !~ /^(?:FOREIGN TABLE|TYPE|ACL|COMMENT)$/) {
        s/((?:\(|, )$name) uuid(?=(?:\[\])?(?:[,)]| PATH))/$1 $schema.ulid/g;    # AS x(id uuid)
        s/\buuid_(bloom|minmax_multi)_ops\b/$schema.ulid_$1_ops/g;
    }
    s/::\s*uuid\b(?!")/::$schema.ulid/gi unless $type =~ /^(?:COMMENT|FOREIGN TABLE)$/;
    for (split /^/) {
        $line++;
        my $look = s/\x01$//;
        print;
        next if /^--|^COMMENT |EXTENSION/;
        $look ||= $type =~ /VIEW$/ && /\bNULLIF\(/;    # a uuid, as no operator of ulid is in the search_path
        $look ||= $type =~ /^(?:FUNCTION|PROCEDURE)$/ && /(?<![.\w])uuid\b/i;
        print STDERR "$line: $_" if $look || /(?<!gen_)uuid\w*\(|^\s+(?:$name|subtype =) uuid\b/i;
    }
}
my @unknown = sort grep { !$keep{$_} } keys %keep;
die "no uuid column of this name: @unknown\n" if @unknown;
