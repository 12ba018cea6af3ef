/* Binds values in binary and copies them in binary, and compares what comes back with a second
 * codec. Usage: binary_binds CONNINFO COUNT SEED. The last line is `N bound, N refused, N wrong`. */
#include <libpq-fe.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 number;

enum { kBytes = 16, kLetters = 26 };

static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
static const char too_few[] = "08P01";
static const char too_many[] = "22P03";
static PGconn *connection;
static long bound, refused, wrong;
static uint64_t state;

/* splitmix64 */
static uint64_t random_bits(void)
{
	uint64_t z = (state += 0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static int below(int limit) { return (int)(random_bits() % (uint64_t)limit); }

static void tell(const char *format, ...)
{
	va_list arguments;
	if (++wrong > 20)
		return;
	va_start(arguments, format);
	fprintf(stderr, "wrong: ");
	vfprintf(stderr, format, arguments);
	fprintf(stderr, "\n");
	va_end(arguments);
}

/* The second codec: 26 digits of base 32. */
static number number_of(const unsigned char *bytes)
{
	number n = 0;
	for (int i = 0; i < kBytes; i++)
		n = n * 256 + bytes[i];
	return n;
}

static void text_of(number n, char *text)
{
	for (int i = kLetters - 1; i >= 0; i--, n /= 32)
		text[i] = alphabet[(int)(n % 32)];
}

/* The SQLSTATE of a text, or NULL for one that is a ulid. */
static const char *state_of_text(const char *text, int length, number *n)
{
	*n = 0;
	if (memchr(text, '\0', (size_t)length) != NULL)
		return "22021";
	if (length != kLetters)
		return "22P02";
	for (int i = 0; i < kLetters; i++)
	{
		char letter = text[i];
		if (letter >= 'a' && letter <= 'z')
			letter = (char)(letter - 'a' + 'A');
		letter = letter == 'I' || letter == 'L' ? '1' : letter == 'O' ? '0' : letter;
		if (letter == '\0' || strchr(alphabet, letter) == NULL)
			return "22P02";
		*n = *n * 32 + (number)(strchr(alphabet, letter) - alphabet);
	}
	return strchr("01234567", text[0]) || strchr("iIlLoO", text[0]) ? NULL : "22003";
}

static void random_value(unsigned char *bytes)
{
	const uint64_t words[2] = {random_bits(), random_bits()};
	memcpy(bytes, words, kBytes);
	if (below(8) == 0)
		memset(bytes, below(2) ? 0xff : 0, (size_t)below(kBytes + 1));
	if (below(8) == 0)
		memset(bytes + below(kBytes), below(2) ? 0xff : 0, 1);
}

/* 16, or one of the other lengths that there may be. */
static int random_length(void)
{
	return below(6) ? kBytes : below(20) ? below(2 * kBytes + 4) : below(4000);
}

static const char *state_of_length(int length)
{
	return length < kBytes ? too_few : length > kBytes ? too_many : NULL;
}

/* Binds, and tells of an answer that is not as expected: NULL for rows, or the SQLSTATE, of which
 * two may be. */
static PGresult *bind(const char *statement, int count, const char *const *values, const int *lengths,
                      const char *expected, const char *alternative)
{
	static const int binary[] = {1, 1};
	PGresult *result = PQexecPrepared(connection, statement, count, values, lengths, binary, 1);
	const bool rows = PQresultStatus(result) == PGRES_TUPLES_OK;
	const char *got = rows ? NULL : PQresultErrorField(result, PG_DIAG_SQLSTATE);
	bound += count;
	if (!rows && got == NULL)
	{
		fprintf(stderr, "lost the connection: %s", PQerrorMessage(connection));
		exit(1);
	}
	if (got != NULL)
		refused++;
	if (!(got == NULL && expected == NULL) &&
	    !(got != NULL && expected != NULL && strcmp(got, expected) == 0) &&
	    !(got != NULL && alternative != NULL && strcmp(got, alternative) == 0))
		tell("%s: %s instead of %s", statement, got ? got : "rows", expected ? expected : "rows");
	if (rows && expected == NULL)
		return result;
	PQclear(result);
	return NULL;
}

static void check_field(PGresult *result, int field, const void *expected, int length, const char *name)
{
	if (PQgetisnull(result, 0, field) || PQgetlength(result, 0, field) != length ||
	    memcmp(PQgetvalue(result, 0, field), expected, (size_t)length) != 0)
		tell("%s", name);
}

static void put_integer(unsigned char *at, uint64_t value, int bytes)
{
	while (bytes-- > 0)
	{
		at[bytes] = (unsigned char)value;
		value >>= 8;
	}
}

/* One value: what it is as a text, as a uuid, and its parts. */
static void bind_one(void)
{
	unsigned char bytes[4096] = {0}, time[8];
	char text[kLetters];
	int length = random_length();
	const char *value = (const char *)bytes;
	random_value(bytes);
	if (below(50) == 0)
		value = NULL;
	PGresult *result = bind("one", 1, &value, &length, value ? state_of_length(length) : NULL, NULL);
	if (result == NULL)
		return;
	if (value == NULL)
	{
		if (!PQgetisnull(result, 0, 0) || !PQgetisnull(result, 0, 1))
			tell("NULL");
	}
	else
	{
		const number n = number_of(bytes);
		text_of(n, text);
		put_integer(time, (uint64_t)(n >> 80) * 1000 - UINT64_C(946684800000000), 8);
		check_field(result, 0, bytes, kBytes, "the bytes");
		check_field(result, 1, text, kLetters, "the text");
		check_field(result, 2, bytes, kBytes, "the uuid");
		check_field(result, 3, time, 8, "the time");
		check_field(result, 4, bytes + 6, 10, "the randomness");
	}
	PQclear(result);
}

/* Two values: their order. */
static void bind_two(void)
{
	unsigned char a[kBytes], b[kBytes];
	const char *values[] = {(const char *)a, (const char *)b};
	const int lengths[] = {kBytes, kBytes};
	random_value(a);
	random_value(b);
	if (below(2))
	{
		memcpy(b, a, kBytes);
		b[below(kBytes)] ^= (unsigned char)below(256);
	}
	PGresult *result = bind("two", 2, values, lengths, NULL, NULL);
	if (result == NULL)
		return;
	const number x = number_of(a), y = number_of(b);
	check_field(result, 0, x < y ? "\1" : "\0", 1, "<");
	check_field(result, 1, x <= y ? "\1" : "\0", 1, "<=");
	check_field(result, 2, x == y ? "\1" : "\0", 1, "=");
	check_field(result, 3, x < y ? a : b, kBytes, "least()");
	check_field(result, 4, x == y ? "\1" : "\0", 1, "= of a ulid and a uuid");
	if (x == y)
		check_field(result, 5, "\1", 1, "hash values of what is equal");
	PQclear(result);
}

/* A text in its binary form, which may hold any byte but those that are no UTF-8. */
static void bind_text(void)
{
	char text[64];
	unsigned char bytes[kBytes];
	const char *value = text;
	int length = below(6) ? kLetters : below(60);
	for (int i = 0; i < length; i++)
		text[i] = "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyzILOilo"[below(60)];
	if (below(4))
		text[0] = (char)('0' + below(8));
	if (length > 0 && below(6) == 0)
		text[below(length)] = (char)below(128);
	number n;
	const char *expected = state_of_text(text, length, &n);
	PGresult *result = bind("text", 1, &value, &length, expected, NULL);
	if (result == NULL)
		return;
	put_integer(bytes, (uint64_t)(n >> 64), 8);
	put_integer(bytes + 8, (uint64_t)n, 8);
	check_field(result, 0, bytes, kBytes, "the bytes of a text");
	PQclear(result);
}

/* An array of up to 5, each with its own length; and such a message cut off. */
static void bind_array(uint32_t type)
{
	unsigned char message[20 + 5 * (4 + 4096)] = {0}, *at = message + 20;
	const int count = 1 + below(5);
	bool has_null = false;
	const char *expected = NULL;
	for (int i = 0; i < count; i++)
	{
		int length = below(3) ? kBytes : random_length();
		if (below(6) == 0)
		{
			put_integer(at, UINT32_MAX, 4);
			at += 4;
			has_null = true;
			continue;
		}
		put_integer(at, (uint64_t)length, 4);
		random_value(at + 4);
		if (length < kBytes)
			memset(at + 4 + length, 0, kBytes);
		at += 4 + length;
		expected = expected ? expected : state_of_length(length);
	}
	put_integer(message, 1, 4);
	put_integer(message + 4, has_null, 4);
	put_integer(message + 8, type, 4);
	put_integer(message + 12, (uint64_t)count, 4);
	put_integer(message + 16, 1, 4);
	const char *value = (const char *)message;
	int length = (int)(at - message);
	const bool cut = below(10) == 0;
	if (cut)
	{
		length = below(length);
		expected = too_few;
	}
	/* A cut one may fail at its end or at an element before; the first 4 bytes as 0 make it empty. */
	PGresult *result = bind("array", 1, &value, &length, expected, cut ? too_many : NULL);
	if (result == NULL)
		return;
	check_field(result, 0, message, length, "the array");
	PQclear(result);
}

static void put(const void *bytes, size_t length)
{
	if (PQputCopyData(connection, bytes, (int)length) != 1)
	{
		fprintf(stderr, "COPY: %s", PQerrorMessage(connection));
		exit(1);
	}
}

static void run(const char *sql)
{
	PGresult *result = PQexec(connection, sql);
	if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
	{
		fprintf(stderr, "%s: %s", sql, PQerrorMessage(connection));
		exit(1);
	}
	PQclear(result);
}

/* COPY of some rows, in every third of which one has another length, and the rows back as bytes and text. */
static void copy(int rows)
{
	static unsigned char sent[1000][kBytes];
	static const char signature[19] = "PGCOPY\n\377\r\n";
	const int bad = below(3) ? -1 : below(rows);
	int bad_length = kBytes;
	run("BEGIN; TRUNCATE ids");
	PQclear(PQexec(connection, "COPY ids FROM STDIN (FORMAT binary)"));
	put(signature, sizeof signature);
	for (int i = 0; i < rows; i++)
	{
		unsigned char tuple[6 + 4096] = {0, 1};
		random_value(sent[i]);
		memcpy(tuple + 6, sent[i], kBytes);
		while (i == bad && bad_length == kBytes)
			bad_length = random_length();
		const int length = i == bad ? bad_length : kBytes;
		put_integer(tuple + 2, (uint64_t)length, 4);
		put(tuple, 6 + (size_t)length);
	}
	put("\377\377", 2);
	PQputCopyEnd(connection, NULL);
	PGresult *result = PQgetResult(connection);
	const char *got = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *expected = bad < 0 ? "" : state_of_length(bad_length);
	bound += rows;
	if (strcmp(got ? got : "", expected) != 0)
		tell("COPY: %s instead of %s", got ? got : "rows", expected);
	PQclear(result);
	while ((result = PQgetResult(connection)) != NULL)
		PQclear(result);
	if (bad >= 0)
	{
		refused++;
		run("ROLLBACK");
		return;
	}
	result = PQexecParams(connection, "SELECT id, id::text FROM ids", 0, NULL, NULL, NULL, NULL, 1);
	if (PQntuples(result) != rows)
		tell("COPY: %d rows of %d", PQntuples(result), rows);
	for (int i = 0; i < PQntuples(result) && i < rows; i++)
	{
		char text[kLetters];
		text_of(number_of(sent[i]), text);
		if (PQgetlength(result, i, 0) != kBytes || memcmp(PQgetvalue(result, i, 0), sent[i], kBytes) != 0 ||
		    PQgetlength(result, i, 1) != kLetters || memcmp(PQgetvalue(result, i, 1), text, kLetters) != 0)
			tell("COPY: a row");
	}
	PQclear(result);
	run("COMMIT");
}

static void prepare(const char *name, const char *sql)
{
	PGresult *result = PQprepare(connection, name, sql, 0, NULL);
	if (PQresultStatus(result) != PGRES_COMMAND_OK)
	{
		fprintf(stderr, "%s: %s", name, PQerrorMessage(connection));
		exit(1);
	}
	PQclear(result);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	const long count = atol(argv[2]);
	state = strtoull(argv[3], NULL, 10);
	connection = PQconnectdb(argv[1]);
	if (PQstatus(connection) != CONNECTION_OK)
	{
		fprintf(stderr, "%s", PQerrorMessage(connection));
		return 1;
	}
	PGresult *result = PQexec(connection, "SELECT 'ulid'::regtype::oid");
	const uint32_t type = (uint32_t)strtoul(PQgetvalue(result, 0, 0), NULL, 10);
	PQclear(result);
	run("CREATE TEMP TABLE ids (id ulid)");
	prepare("one", "SELECT $1::ulid, $1::text, $1::uuid, ulid_timestamp($1), ulid_randomness($1)");
	prepare("two", "SELECT $1::ulid < $2::ulid, $1 <= $2, $1 = $2, least($1, $2), $1 = $2::uuid, "
	               "ulid_hash($1) = ulid_hash($2)");
	prepare("text", "SELECT $1::text::ulid");
	prepare("array", "SELECT $1::ulid[]");
	while (bound < count)
	{
		if (below(1000) == 0)
			copy(1 + below(1000));
		switch (below(4))
		{
			case 0: bind_one(); break;
			case 1: bind_two(); break;
			case 2: bind_text(); break;
			default: bind_array(type); break;
		}
	}
	PQfinish(connection);
	printf("%ld bound, %ld refused, %ld wrong\n", bound, refused, wrong);
	return wrong != 0;
}
