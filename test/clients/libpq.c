/* libpq, in text and in binary. */
#include <libpq-fe.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The program of the page, as it stands; its main runs first. */
int page(void);
#define main page
#include "message_libpq.c"
#undef main

static int count;

static void equal(const char *name, const void *got, size_t got_length, const void *expected,
                  size_t length) {
    const bool ok = got_length == length && memcmp(got, expected, length) == 0;
    printf("%sok %d - %s\n", ok ? "" : "not ", ++count, name);
}

/* Runs a statement that must work; the caller clears the result. */
static PGresult *run(PGconn *connection, const char *sql, const char *parameter, int length,
                     int binary) {
    PGresult *result = PQexecParams(connection, sql, parameter != NULL, NULL, &parameter, &length,
                                    &binary, binary);
    if (PQresultStatus(result) != PGRES_TUPLES_OK && PQresultStatus(result) != PGRES_COMMAND_OK) {
        printf("Bail out! %s", PQerrorMessage(connection));
        exit(1);
    }
    return result;
}

int main(void) {
    static const char text[] = "01HWT3V34004HMASW9NF6YY0G2";
    static const char later[] = "01HWT78YR004HMASW9NF6YY0R3";
    static const char bytes[] = "\x01\x8f\x34\x3d\x8c\x80\x01\x23\x45\x67\x89\xab\xcd\xef\x02\x02";
    PGconn *const connection = PQconnectdb("");
    if (PQstatus(connection) != CONNECTION_OK) {
        printf("Bail out! %s", PQerrorMessage(connection));
        return 1;
    }
    const int status = page();
    equal("the page's program", &status, sizeof status, &(int){0}, sizeof status);

    PGresult *result = add(connection, "x");
    const int length = PQgetlength(result, 0, 0);
    equal("a default comes back as 16 bytes", &length, sizeof length, &(int){16}, sizeof length);
    char made[16];
    memcpy(made, PQgetvalue(result, 0, 0), sizeof made);
    PQclear(result);

    result = lookup(connection, made);
    equal("16 bytes find their row", PQgetvalue(result, 0, 0), 16, made, 16);
    PQclear(result);

    result = run(connection, "SELECT $1::ulid", bytes, 16, 1);
    equal("binary: out as it went in", PQgetvalue(result, 0, 0), 16, bytes, 16);
    PQclear(result);

    result = run(connection, "INSERT INTO message VALUES ($1, 'in text') RETURNING id", text, 0, 0);
    equal("text: out as it went in", PQgetvalue(result, 0, 0), 26, text, 26);
    PQclear(result);

    result = run(connection, "SELECT body FROM message WHERE id = $1", bytes, 16, 1);
    equal("what went in as text is found in binary", PQgetvalue(result, 0, 0), 7, "in text", 7);
    PQclear(result);

    PQclear(run(connection, "INSERT INTO message VALUES ($1, 'later')", later, 0, 0));
    result = run(connection,
                 "SELECT id FROM message WHERE id >= $1::timestamptz"
                 " AND id < $1::timestamptz + interval '1 hour'",
                 "2024-05-01 13:00+00", 0, 0);
    const int rows = PQntuples(result);
    equal("range by time: one row", &rows, sizeof rows, &(int){1}, sizeof rows);
    equal("range by time: the right one", PQgetvalue(result, 0, 0), 26, text, 26);
    PQclear(result);

    result = run(connection, "SELECT NULL::ulid", NULL, 0, 1);
    const int null = PQgetisnull(result, 0, 0);
    equal("null", &null, sizeof null, &(int){1}, sizeof null);
    PQclear(result);
    result =
        PQexecParams(connection, "SELECT $1::ulid", 1, NULL, (const char *[]){NULL}, NULL, NULL, 0);
    const int sent = PQgetisnull(result, 0, 0);
    equal("null as a parameter", &sent, sizeof sent, &(int){1}, sizeof sent);
    PQclear(result);

    static const char array[] = "{01HWT3V34004HMASW9NF6YY0G2,01HWT78YR004HMASW9NF6YY0R3}";
    result = run(connection, "SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY($1)",
                 array, 0, 0);
    equal("any of many, and an array comes back", PQgetvalue(result, 0, 0), sizeof array - 1, array,
          sizeof array - 1);
    PQclear(result);

    PQclear(PQexec(connection, "COPY message (id, body) FROM STDIN"));
    static const char line[] = "01HWT0D7G004HMASW9NF6YY081\tcopied\n";
    PQputCopyData(connection, line, sizeof line - 1);
    PQputCopyEnd(connection, NULL);
    PQclear(PQgetResult(connection));
    PQclear(PQgetResult(connection));
    result = run(connection, "SELECT id FROM message WHERE body = 'copied'", NULL, 0, 0);
    const int copied = PQntuples(result);
    equal("COPY: one row", &copied, sizeof copied, &(int){1}, sizeof copied);
    equal("COPY: the right one", PQgetvalue(result, 0, 0), 26, line, 26);
    PQclear(result);

    result = PQexec(connection, "SELECT 'no ulid'::ulid");
    equal("a bad text is refused", PQresultErrorField(result, PG_DIAG_SQLSTATE), 5, "22P02", 5);
    PQclear(result);
    static const char *const wrong[] = {"insufficient data left in message",
                                        "incorrect binary data format in bind parameter 1"};
    for (int i = 0; i < 2; ++i) {
        result = PQexecParams(connection, "SELECT $1::ulid", 1, NULL, (const char *[]){bytes},
                              (const int[]){15 + 2 * i}, (const int[]){1}, 1);
        equal("15 and 17 bytes are refused, as the page says",
              PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY), strlen(wrong[i]), wrong[i],
              strlen(wrong[i]));
        PQclear(result);
    }

    static const char refused[] = "invalid input syntax for type ulid: \"2024-05-01 13:00+00\"";
    result = PQexecParams(connection, "SELECT FROM message WHERE id >= $1", 1, NULL,
                          (const char *[]){"2024-05-01 13:00+00"}, NULL, NULL, 0);
    equal("a time without its type, as the page says",
          PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY), sizeof refused - 1, refused,
          sizeof refused - 1);
    PQclear(result);

    PQfinish(connection);
    printf("1..%d\n", count);
    return 0;
}
