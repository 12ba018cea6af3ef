package clients;

import java.io.IOException;
import java.nio.file.*;
import java.time.OffsetDateTime;
import java.util.*;

/** Prints TAP, one line per test, and holds what the tests share. */
class Tap {
    static final OffsetDateTime NOON = OffsetDateTime.parse("2024-05-01T12:00:00Z");
    /** Noon and one and two hours later. */
    static final List<String> IDS =
        List.of("01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3");
    /** pgjdbc speaks TCP only, so this is the port of a relay. */
    static final int PORT = Integer.parseInt(System.getenv("JDBC_PORT"));
    static final String URL = "jdbc:postgresql://127.0.0.1:" + PORT + "/" + System.getenv("PGDATABASE");

    static void equal(String name, Object got, Object expected) {
        boolean same = Objects.equals(got, expected);
        System.out.println((same ? "ok - " : "not ok - ") + name);
        if (!same)
            System.out.println("# got " + got + "\n# expected " + expected);
    }

    interface Reader {
        Object read(String text) throws Exception;
    }

    /** It answers to the texts of ids.csv as the server does. */
    static void reads(String name, Reader reader) throws IOException {
        Map<String, Object> wrong = new HashMap<>();
        for (String line : Files.readAllLines(Path.of("ids.csv"))) {
            String text = line.split(",")[0].replace("\\n", "\n"), expected = line.split(",")[1];
            try {
                Object got = reader.read(text);
                if (!got.toString().equals(expected))
                    wrong.put(text, got);
            } catch (Exception error) {
                if (expected.length() != 5)
                    wrong.put(text, error);
            }
        }
        equal(name + " reads what the server reads", wrong, Map.of());
    }

    interface Work {
        Object run() throws Exception;
    }

    /** The messages of the error and its causes contain the message. */
    static void fails(String message, Work work) {
        String got = "no error";
        try {
            work.run();
        } catch (Exception error) {
            got = "";
            for (Throwable cause = error; cause != null; cause = cause.getCause())
                got += cause + " "
                    + (cause instanceof java.sql.SQLException sql ? "SQLSTATE " + sql.getSQLState() + " " : "");
        }
        equal("fails: " + message, got.contains(message) ? message : got, message);
    }
}
