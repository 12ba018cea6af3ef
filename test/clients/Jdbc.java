// JDBC, in text and in binary.
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Properties;

public class Jdbc {
    static final OffsetDateTime NOON = OffsetDateTime.parse("2024-05-01T12:00:00Z");
    static final List<String> IDS = List.of("01HWT0D7G004HMASW9NF6YY081",
        "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3");
    // pgjdbc speaks TCP only.
    static final String URL = "jdbc:postgresql://localhost:" + System.getenv("JDBC_PORT") + "/"
        + System.getenv("PGDATABASE");
    static int count;

    static void equal(String name, Object got, Object expected) {
        boolean ok = got == null ? expected == null : got.equals(expected);
        System.out.printf("%sok %d - %s%n", ok ? "" : "not ", ++count, name);
        if (!ok)
            System.out.printf("# got %s%n# expected %s%n", got, expected);
    }

    interface Work {
        void run() throws Exception;
    }

    // The work fails with this message, and the page quotes it.
    static void fails(String message, Work work) throws Exception {
        String got = "no error";
        try {
            work.run();
        } catch (SQLException exception) {
            got = exception.getMessage().contains(message) ? message : exception.getMessage();
        }
        equal("fails: " + message, got, message);
        equal("as the page says", Files.readString(Path.of(System.getenv("PAGES"), "java.md")).contains(message), true);
    }

    static Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("user", System.getenv("PGUSER"));
        properties.setProperty("password", "trusted");
        return properties;
    }

    public static void main(String[] arguments) throws Exception {
        try (Connection connection = DriverManager.getConnection(URL, properties())) {
            text(connection);
        }
        binary();
        System.out.println("1.." + count);
    }

    static void text(Connection connection) throws Exception {
        Message message = new Message(connection);
        Statement statement = connection.createStatement();
        equal("a default comes back as a generated key", message.add("hello").length(), 26);
        statement.execute("DELETE FROM message");
        message.addAll(IDS, "x");
        equal("out as they went in, and an array comes back", message.all(), IDS);
        equal("any of many", message.those(List.of(IDS.get(0), IDS.get(2))), List.of(IDS.get(0), IDS.get(2)));
        equal("range by time", message.between(NOON.plusHours(1), NOON.plusHours(2)), List.of(IDS.get(1)));
        ResultSet rows = statement.executeQuery("SELECT NULL::ulid");
        rows.next();
        equal("null", rows.getObject(1), null);
        fails("operator does not exist: ulid = character varying", () -> {
            PreparedStatement lookup = connection.prepareStatement("SELECT FROM message WHERE id = ?");
            lookup.setString(1, IDS.get(1));
            lookup.executeQuery();
        });
        Properties unspecified = properties();
        unspecified.setProperty("stringtype", "unspecified");
        try (Connection other = DriverManager.getConnection(URL, unspecified)) {
            PreparedStatement lookup = other.prepareStatement("SELECT id FROM message WHERE id = ?");
            lookup.setString(1, IDS.get(1));
            equal("a string, its type unspecified", lookup.executeQuery().next(), true);
        }
        fails("invalid input syntax for type ulid: \"no ulid\"", () -> statement.execute("SELECT 'no ulid'::ulid"));
    }

    // Counts what goes through the class of the page.
    public static class Counted extends Ulid {
        static int sent, received;

        @Override
        public void setByteValue(byte[] bytes, int offset) {
            super.setByteValue(bytes, offset);
            ++received;
        }

        @Override
        public void toBytes(byte[] bytes, int offset) {
            super.toBytes(bytes, offset);
            ++sent;
        }
    }

    static void binary() throws SQLException {
        try (Connection connection = Binary.connect(URL, properties())) {
            PreparedStatement echo = connection.prepareStatement("SELECT id FROM message WHERE id = ?");
            connection.unwrap(org.postgresql.PGConnection.class).addDataType("ulid", Counted.class);
            Counted ulid = new Counted();
            ulid.setValue(IDS.get(1));
            echo.setObject(1, ulid);
            ResultSet rows = echo.executeQuery();
            equal("binary: a row is found", rows.next(), true);
            equal("binary: out as it went in", ((Ulid) rows.getObject(1)).getValue(), IDS.get(1));
            equal("binary: it was binary, both ways", Counted.sent == 1 && Counted.received == 1, true);
        }
    }
}
