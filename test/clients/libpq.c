/* libpq, in text and in binary. */
#include <libpq-fe.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The result is an id in 16 bytes, which the caller clears. */
static PGresult *add(PGconn *connection, const char *body) {
    return PQexecParams(connection, "INSERT INTO message (body) VALUES ($1) RETURNING id", 1, NULL,
                        &body, NULL, NULL, 1);
}

static PGresult *find(PGconn *connection, const char *id /* 16 bytes */) {
    return PQexecParams(connection, "SELECT body FROM message WHERE id = $1", 1, NULL, &id,
                        (const int[]){16}, (const int[]){1}, 1);
}

static int count;

static void equal(const char *name, const char *got, size_t got_length, const char *expected, size_t length) {
    const bool ok = got_length == length && memcmp(got, expected, length) == 0;
    printf("%sok %d - %s\n", ok ? "" : "not ", ++count, name);
}

/* The only value of the result, or the primary message of its error. */
static void gives(const char *name, PGresult *result, const char *expected, size_t length) {
    if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1) {
        equal(name, PQgetvalue(result, 0, 0), (size_t)PQgetlength(result, 0, 0), expected, length);
    } else {
        const char *const message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
        equal(name, message ? message : "", message ? strlen(message) : 0, expected, length);
    }
    PQclear(result);
}

static PGresult *run(PGconn *connection, const char *sql, const char *parameter, int length, int format) {
    return PQexecParams(connection, sql, parameter != NULL, NULL, &parameter, &length, &format, format);
}

int main(void) {
    static const char text[] = "01HWT3V34004HMASW9NF6YY0G2";
    static const char later[] = "01HWT78YR004HMASW9NF6YY0R3";
    static const char bytes[] = "\x01\x8f\x34\x3d\x8c\x80\x01\x23\x45\x67\x89\xab\xcd\xef\x02\x02";
    static const char array[] = "{01HWT3V34004HMASW9NF6YY0G2,01HWT78YR004HMASW9NF6YY0R3}";
    PGconn *const connection = PQconnectdb("");
    PGresult *const added = add(connection, "hello");
    if (PQresultStatus(added) != PGRES_TUPLES_OK) {
        printf("Bail out! %s", PQerrorMessage(connection));
        return 1;
    }
    equal("the default comes back as 16 bytes", "", (size_t)PQgetlength(added, 0, 0) - 16, "", 0);
    gives("16 bytes find their row", find(connection, PQgetvalue(added, 0, 0)), "hello", 5);
    PQclear(added);
    gives("binary", run(connection, "SELECT $1::ulid", bytes, 16, 1), bytes, 16);
    gives("text", run(connection, "INSERT INTO message VALUES ($1) RETURNING id", text, 0, 0), text, 26);
    gives("text in, bytes out", run(connection, "SELECT id FROM message WHERE id = $1", bytes, 16, 1), bytes, 16);
    gives("another row", run(connection, "INSERT INTO message VALUES ($1) RETURNING id", later, 0, 0), later, 26);
    gives("a range of time",
          run(connection,
              "SELECT id FROM message WHERE id >= $1::timestamptz AND id < $1::timestamptz + interval '1 hour'",
              "2024-05-01 13:00+00", 0, 0),
          text, 26);
    gives("arrays",
          run(connection, "SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY($1)", array, 0, 0), array,
          sizeof array - 1);

    static const struct {
        const char *message, *sql, *parameter;
        int length, format;
    } wrong[] = {
        {"insufficient data left in message", "SELECT $1::ulid", bytes, 15, 1},
        {"incorrect binary data format in bind parameter 1", "SELECT $1::ulid", bytes, 17, 1},
        {"invalid input syntax for type ulid: \"2024-05-01 13:00+00\"", "SELECT FROM message WHERE id >= $1",
         "2024-05-01 13:00+00", 0, 0},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        gives(wrong[i].message, run(connection, wrong[i].sql, wrong[i].parameter, wrong[i].length, wrong[i].format),
              wrong[i].message, strlen(wrong[i].message));
    }
    PQfinish(connection);
    printf("1..%d\n", count);
    return 0;
}
