/* Binds values in binary and copies them in binary, and compares what comes back with what was sent.
 * Usage: binary_binds CONNINFO COUNT SEED. The last line is `N bound, N refused, N wrong`. */
#include <libpq-fe.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBytes = 16 };

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

/* One value: what it is as a uuid, and its parts. */
static void bind_one(void)
{
	unsigned char bytes[4096] = {0}, time[8];
	uint64_t ms = 0;
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
		for (int i = 0; i < 6; i++)
			ms = ms * 256 + bytes[i];
		put_integer(time, ms * 1000 - UINT64_C(946684800000000), 8);
		check_field(result, 0, bytes, kBytes, "the bytes");
		check_field(result, 1, bytes, kBytes, "the uuid");
		check_field(result, 2, time, 8, "the time");
		check_field(result, 3, bytes + 6, 10, "the randomness");
	}
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

/* COPY of some rows, in every third of which one has another length, and the rows back. */
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
	result = PQexecParams(connection, "SELECT id FROM ids", 0, NULL, NULL, NULL, NULL, 1);
	if (PQntuples(result) != rows)
		tell("COPY: %d rows of %d", PQntuples(result), rows);
	for (int i = 0; i < PQntuples(result) && i < rows; i++)
		if (PQgetlength(result, i, 0) != kBytes || memcmp(PQgetvalue(result, i, 0), sent[i], kBytes) != 0)
			tell("COPY: a row");
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
	prepare("one", "SELECT $1::ulid, $1::uuid, ulid_timestamp($1), ulid_randomness($1)");
	prepare("array", "SELECT $1::ulid[]");
	while (bound < count)
	{
		if (below(1000) == 0)
			copy(1 + below(1000));
		if (below(2))
			bind_one();
		else
			bind_array(type);
	}
	PQfinish(connection);
	printf("%ld bound, %ld refused, %ld wrong\n", bound, refused, wrong);
	return wrong != 0;
}
