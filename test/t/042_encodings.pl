# Texts in databases of five encodings, against a second decoder, in SQL over strings of bits.
# ULID_TEST_TEXTS sets how many in each (4,000 by default).
use FindBin;
use lib "$FindBin::Bin/../perl";
use UlidCluster;

my $texts = $ENV{ULID_TEST_TEXTS} || 4_000;
my $node = new_cluster('main');
$node->start;

for my $encoding ('UTF8', 'LATIN1', 'WIN1252', 'EUC_JP', 'SQL_ASCII')
{
	my $database = lc $encoding;
	$node->safe_psql('postgres', "CREATE DATABASE $database TEMPLATE template0 ENCODING '$encoding' LOCALE 'C'");
	# A character that each encoding has in its own bytes.
	my $foreign = { UTF8 => 'é日', LATIN1 => 'é', WIN1252 => 'é', EUC_JP => '日', SQL_ASCII => 'é' }->{$encoding};
	my $counts = $node->safe_psql($database, qq{
		CREATE EXTENSION ulid;
		SET client_encoding = 'UTF8';
		-- Mostly of letters that are allowed, mostly of the right length.
		CREATE TABLE letters AS SELECT '0123456789ABCDEFGHJKMNPQRSTVWXYZ'::text AS allowed,
			'0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghijklmnopqrstuvwxyzIiLlOo'::text AS usual, 'Uu -_\@[`/:\\\x7f'::text || '$foreign' AS odd;
		CREATE FUNCTION letter(odds float8) RETURNS text LANGUAGE sql VOLATILE AS \$\$
			SELECT CASE WHEN random() < odds THEN substr(odd, 1 + (random() * length(odd))::int, 1)
				ELSE substr(usual, 1 + (random() * 63)::int, 1) END FROM letters \$\$;
		CREATE TABLE sample AS SELECT n, (SELECT CASE WHEN random() < 0.7 THEN substr('01234567', 1 + (random() * 7)::int, 1) ELSE '' END
				|| string_agg(letter(CASE WHEN n % 3 = 0 AND i > 0 THEN 0.03 ELSE 0 END), '') FROM generate_series(1, 25 + (n % 20 = 0)::int + (random() < 0.05)::int) AS i) AS text
			FROM generate_series(1, $texts) AS n;
		-- The second decoder: each letter is 5 bits, 130 in all, of which the first 2 must be 0.
		CREATE TABLE decoded AS
			SELECT n, text, length(canonical) = 26 AND canonical ~ '^[0-7]' AND translate(canonical, allowed, '') = '' AS is_valid, canonical,
				(SELECT string_agg((position(substr(canonical, i, 1) IN allowed) - 1)::bit(5)::text, '' ORDER BY i) FROM generate_series(1, 26) AS i) AS bits
			FROM (SELECT *, translate(upper(text), 'ILO', '110') AS canonical FROM sample, letters) AS s;
		CREATE FUNCTION accepts(value text) RETURNS text LANGUAGE plpgsql AS \$\$
			BEGIN RETURN value::ulid::text || encode(ulid_send(value::ulid), 'hex');
			EXCEPTION WHEN invalid_text_representation OR numeric_value_out_of_range THEN RETURN NULL; END \$\$;
		SELECT count(*), count(*) FILTER (WHERE is_valid) > $texts / 10, count(*) FILTER (WHERE NOT is_valid) > $texts / 10,
			count(*) FILTER (WHERE accepts(text) IS DISTINCT FROM CASE WHEN is_valid THEN canonical
				|| (SELECT string_agg(lpad(to_hex(substr(bits, 3 + 4 * i, 4)::bit(4)::int), 1), '' ORDER BY i) FROM generate_series(0, 31) AS i) END),
			count(*) FILTER (WHERE ulid_is_valid(text) IS DISTINCT FROM is_valid)
		FROM decoded});
	is($counts, "$texts|t|t|0|0", "$encoding: read as a second decoder does, or refused");
}
$node->stop;
done_testing();
