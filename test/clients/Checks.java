// Prints TAP: a line a test. And what the tests share.
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.List;

class Checks {
    static final OffsetDateTime NOON = OffsetDateTime.parse("2024-05-01T12:00:00Z");
    // 12, 13 and 14 hours into that day
    static final List<String> IDS = List.of("01HWT0D7G004HMASW9NF6YY081",
        "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3");
    // pgjdbc speaks TCP only.
    static final String URL = "jdbc:postgresql://localhost:" + System.getenv("JDBC_PORT") + "/"
        + System.getenv("PGDATABASE");
    private static int count;

    static void equal(String name, Object got, Object expected) {
        boolean ok = got == null ? expected == null : got.equals(expected);
        System.out.printf("%sok %d - %s%n", ok ? "" : "not ", ++count, name);
        if (!ok)
            System.out.printf("# got %s%n# expected %s%n", got, expected);
    }

    interface Work {
        void run() throws Exception;
    }

    // The work fails with this message, of the exception or of its cause, and the page quotes it.
    static void fails(String message, Work work) throws Exception {
        String got = "no error";
        try {
            work.run();
        } catch (Exception exception) {
            got = exception.toString();
            for (Throwable cause = exception; cause != null; cause = cause.getCause())
                if (String.valueOf(cause.getMessage()).contains(message))
                    got = message;
        }
        equal("fails: " + message, got, message);
        equal("as the page says", Files.readString(Path.of(System.getenv("PAGES"), "java.md")).contains(message), true);
    }

    // What restored.sh prints of a script of SQL, loaded after the extension, and of this program where it is.
    static String restored(String script, String program) throws Exception {
        Process process = new ProcessBuilder("bash", "restored.sh",
            "psql -q -v ON_ERROR_STOP=1 -c 'CREATE EXTENSION ulid' -f " + script, "java " + program + " restored | grep -v '^#'")
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        return new String(process.getInputStream().readAllBytes());
    }

    static void done() {
        System.out.println("1.." + count);
    }
}
