package pgulid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.time.OffsetDateTime;
import java.util.*;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.function.ThrowingSupplier;
import org.postgresql.ds.PGSimpleDataSource;

/** What the tests share: a database for each class, on the server that the environment names, ids and texts. */
final class Server {
    static final OffsetDateTime NOON = OffsetDateTime.parse("2024-05-01T12:00:00Z");
    /** Noon and one and two hours later. */
    static final List<String> IDS =
        List.of("01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3");

    private Server() {}

    private static String variable(String name, String otherwise) {
        String value = System.getenv(name);
        return value == null || value.isEmpty() ? otherwise : value;
    }

    static PGSimpleDataSource source(String database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://" + variable("PGHOST", "localhost") + ":" + variable("PGPORT", "5432") + "/");
        source.setUser(variable("PGUSER", System.getProperty("user.name")));
        source.setPassword(variable("PGPASSWORD", ""));
        source.setDatabaseName(database);
        return source;
    }

    /** Without a server, tests are skipped, or fail if the environment names one. */
    private static void stop(String message) {
        if (System.getenv("PGHOST") == null) {
            System.err.println("SKIPPED: " + message); // Surefire does not say why
            Assumptions.abort(message);
        }
        fail(message);
    }

    /** An empty database of this name with the extension. */
    static PGSimpleDataSource database(String name) throws SQLException {
        if (variable("PGHOST", "").startsWith("/"))
            stop("pgjdbc needs TCP: set PGHOST to an address, not to the directory of a socket");
        name = variable("PGDATABASE", "pgulid") + "_" + name;
        try (Connection connection = source("postgres").getConnection()) {
            try (var rows = connection.createStatement().executeQuery(
                     "SELECT FROM pg_available_extensions WHERE name = 'ulid'")) {
                if (!rows.next())
                    stop("this PostgreSQL server has no extension ulid: install it first");
            }
            connection.createStatement().execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
            connection.createStatement().execute("CREATE DATABASE " + name);
            // Hibernate rolls back for no Error, so a failed assertion leaves its locks.
            connection.createStatement().execute(
                "ALTER DATABASE " + name + " SET idle_in_transaction_session_timeout = '10s'");
        } catch (SQLException error) {
            stop("no PostgreSQL server: set PGHOST, PGPORT, PGUSER and PGPASSWORD ("
                + error.getMessage() + ")");
        }
        PGSimpleDataSource source = source(name);
        try (Connection connection = source.getConnection()) {
            connection.createStatement().execute("CREATE EXTENSION ulid");
            connection.createStatement().execute("""
                CREATE TABLE message (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text)""");
        }
        return source;
    }

    /** The texts of ids.csv, each with the id that the server reads, or the SQLSTATE of its error. */
    static Map<String, String> texts() {
        Map<String, String> texts = new HashMap<>();
        try {
            for (String line : Files.readAllLines(Path.of("src/test/resources/ids.csv"))) {
                String[] fields = line.split(",");
                texts.put(fields[0].replace("\\n", "\n"), fields[1]);
            }
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        return texts;
    }

    interface Reader {
        Object read(String text) throws Exception;
    }

    /** It answers to the texts as the server does. */
    static void reads(Reader reader) {
        Map<String, Object> wrong = new HashMap<>();
        texts().forEach((text, expected) -> {
            try {
                Object got = reader.read(text);
                if (!got.toString().equals(expected))
                    wrong.put(text, got);
            } catch (Exception error) {
                if (expected.length() != 5)
                    wrong.put(text, error);
            }
        });
        assertEquals(Map.of(), wrong);
    }

    /** The messages of the error and its causes contain the message. */
    static void fails(String message, ThrowingSupplier<?> work) {
        StringBuilder got = new StringBuilder();
        try {
            work.get();
            got.append("no error");
        } catch (Throwable error) {
            for (Throwable cause = error; cause != null; cause = cause.getCause())
                got.append(cause).append(' ').append(
                    cause instanceof SQLException sql ? "SQLSTATE " + sql.getSQLState() + " " : "");
        }
        if (got.indexOf(message) < 0)
            assertEquals(message, got.toString());
    }
}
