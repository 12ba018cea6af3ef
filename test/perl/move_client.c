/* A client over the switch of a move, which uses after it what it prepared and opened before. Usage:
 * move_client CONNINFO TABLE uuid|text|portal. It prints what it finds, then "ready", and goes on when it is
 * given a line. */
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kUuid = 2950, kUuids = 2951, kText = 25, kVarchar = 1043, kUnknown = 0, kBytes = 16 };

/* The same id as a UUID, as a ULID and as its bytes. */
static const char uuid[] = "01563e3a-b5d3-d676-4c61-efb99302bd5b";
static const char ulid[] = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
static const char bytes[] = "\x01\x56\x3e\x3a\xb5\xd3\xd6\x76\x4c\x61\xef\xb9\x93\x02\xbd\x5b";
static PGconn *connection;
static const char *table;

/* Prints the first value of a result, or its error, and how many rows it has. */
static void show(const char *name, PGresult *result)
{
	const ExecStatusType status = PQresultStatus(result);
	if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
		printf("%s: %s %s\n", name, PQresultErrorField(result, PG_DIAG_SQLSTATE), PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
	else if (PQntuples(result) == 0)
		printf("%s: %s\n", name, PQcmdStatus(result));
	else if (PQfformat(result, 0) == 1)
		printf("%s: %s, %d rows\n", name, memcmp(PQgetvalue(result, 0, 0), bytes, kBytes) == 0 && PQgetlength(result, 0, 0) == kBytes ? "the bytes" : "other bytes",
			PQntuples(result));
	else
		printf("%s: %s, %d rows\n", name, PQgetvalue(result, 0, 0), PQntuples(result));
	PQclear(result);
}

static void run(const char *name, const char *sql) { show(name, PQexec(connection, sql)); }

struct statement {
	const char *name;
	Oid type;
	const char *value; /* bytes: in binary */
	int format;        /* of the result */
	const char *sql;   /* %s: the table */
};

static const struct statement of_uuid[] = {
	{"typed", kUuid, bytes, 0, "SELECT n FROM %s WHERE id = $1"},
	{"inferred", kUnknown, uuid, 0, "SELECT n FROM %s WHERE id = $1"},
	{"inferred, in binary", kUnknown, bytes, 0, "SELECT n FROM %s WHERE id = $1"},
	{"array", kUuids, "{01563e3a-b5d3-d676-4c61-efb99302bd5b}", 0, "SELECT n FROM %s WHERE id = ANY ($1)"},
	{"range", kUuid, bytes, 0, "SELECT count(*) FROM %s WHERE id >= $1 AND id < 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid"},
	{"join", kUuid, bytes, 0, "SELECT n FROM %s JOIN (SELECT $1 AS id) x USING (id)"},
	{"update", kUuid, bytes, 0, "UPDATE %s SET n = n WHERE id = $1"},
	{"insert", kUuid, bytes, 0, "INSERT INTO %s (id, n) VALUES ($1, 0) ON CONFLICT (id) DO UPDATE SET t = 'there'"},
	{"as uuid", kUuid, bytes, 1, "SELECT id::uuid FROM %s WHERE id = $1"},
	{"the column", kUuid, bytes, 1, "SELECT * FROM %s WHERE id = $1"},
	{"returning", kUuid, bytes, 1, "UPDATE %s SET n = n WHERE id = $1 RETURNING id"},
	{NULL, 0, NULL, 0, NULL}};

static const struct statement of_text[] = {
	{"typed", kText, ulid, 0, "SELECT n FROM %s WHERE id = $1"},
	{"varchar", kVarchar, ulid, 0, "SELECT n FROM %s WHERE id = $1"},
	{"inferred", kUnknown, ulid, 0, "SELECT n FROM %s WHERE id = $1"},
	{"insert", kText, "01ARZ3NDEKTSV4RRFFQ69G0000", 0, "INSERT INTO %s (id, n) VALUES ($1, 0) ON CONFLICT (id) DO UPDATE SET t = 'there'"},
	{"as text", kUnknown, "1", 0, "SELECT id::text FROM %s WHERE n = $1"},
	{"the column", kUnknown, "1", 0, "SELECT * FROM %s WHERE n = $1"},
	{NULL, 0, NULL, 0, NULL}};

static void prepare(const struct statement *s)
{
	char sql[500];
	snprintf(sql, sizeof sql, s->sql, table);
	PGresult *result = PQprepare(connection, s->name, sql, 1, &s->type);
	if (PQresultStatus(result) != PGRES_COMMAND_OK)
		show(s->name, result);
	else
		PQclear(result);
}

static void execute(const struct statement *s, const char *name)
{
	const int length = kBytes;
	const int format = s->value == bytes;
	show(name, PQexecPrepared(connection, s->name, 1, &s->value, &length, &format, s->format));
}

static void wait_for_line(void)
{
	printf("ready\n");
	fflush(stdout);
	char line[10];
	if (fgets(line, sizeof line, stdin) == NULL)
		exit(1);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	connection = PQconnectdb(argv[1]);
	table = argv[2];
	char sql[200];
	if (PQstatus(connection) != CONNECTION_OK)
		return 1;

	if (strcmp(argv[3], "portal") == 0) {
		run("begin", "BEGIN");
		snprintf(sql, sizeof sql, "DECLARE portal CURSOR FOR SELECT * FROM %s ORDER BY n", table);
		run("declare", sql);
		run("fetch", "FETCH 1 FROM portal");
		wait_for_line();
		run("fetch", "FETCH ALL FROM portal");
		snprintf(sql, sizeof sql, "UPDATE %s SET n = n WHERE id = '%s'::uuid", table, uuid);
		run("update", sql);
		run("commit", "COMMIT");
		PQfinish(connection);
		return 0;
	}

	const struct statement *const all = strcmp(argv[3], "uuid") == 0 ? of_uuid : of_text;
	for (const struct statement *s = all; s->name; s++) {
		prepare(s);
		/* until its plan is one for any value */
		for (int i = 0; i < 7; i++) {
			if (i < 6)
				PQclear(PQexecPrepared(connection, s->name, 1, &s->value, &(int){kBytes}, &(int){s->value == bytes}, s->format));
			else
				execute(s, s->name);
		}
	}
	snprintf(sql, sizeof sql, "BEGIN; DECLARE held CURSOR WITH HOLD FOR SELECT * FROM %s ORDER BY n; COMMIT", table);
	run("declare", sql);
	run("held", "FETCH 2 FROM held");
	wait_for_line();
	run("held", "FETCH ALL FROM held");
	for (const struct statement *s = all; s->name; s++) {
		execute(s, s->name);
		execute(s, s->name);
	}
	printf("prepared again\n");
	run("deallocate", "DEALLOCATE ALL");
	for (const struct statement *s = all; s->name; s++) {
		if (s->type != kText && s->type != kVarchar) {
			prepare(s);
			execute(s, s->name);
		}
	}
	PQfinish(connection);
	return 0;
}
