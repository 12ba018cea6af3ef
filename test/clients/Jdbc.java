// JDBC, in text and in binary.
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;

public class Jdbc extends Checks {
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
        batch();
        done();
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
        equal("to the millisecond", message.between(NOON.plusHours(1).plusNanos(1000000), NOON.plusHours(2).plusNanos(1000000)),
            List.of(IDS.get(2)));
        equal("a page after a cursor", message.pageAfter(IDS.get(0), 1), List.of(IDS.get(1)));
        ResultSet rows = statement.executeQuery("SELECT NULL::ulid");
        rows.next();
        equal("null", rows.getObject(1), null);
        fails("operator does not exist: ulid = character varying", () -> {
            PreparedStatement lookup = connection.prepareStatement("SELECT FROM message WHERE id = ?");
            lookup.setString(1, IDS.get(1));
            lookup.executeQuery();
        });
        fails("operator does not exist: ulid = text", () -> {
            PreparedStatement lookup = connection.prepareStatement("SELECT FROM message WHERE id = ANY(?)");
            lookup.setArray(1, connection.createArrayOf("text", IDS.toArray()));
            lookup.executeQuery();
        });
        fails("conversion to class java.lang.String from ulid not supported", () -> {
            ResultSet row = statement.executeQuery("SELECT id FROM message");
            row.next();
            row.getObject(1, String.class);
        });
        fails("operator does not exist: ulid = bigint", () -> {
            PreparedStatement lookup = connection.prepareStatement("SELECT FROM message WHERE id = ?");
            lookup.setLong(1, 5);
            lookup.executeQuery();
        });
        fails("Bad value for type long : ", () -> {
            ResultSet row = statement.executeQuery("SELECT id FROM message");
            row.next();
            row.getLong(1);
        });
        PreparedStatement since = connection.prepareStatement("SELECT count(*) FROM message WHERE id >= ?");
        since.setObject(1, NOON.plusHours(2).toLocalDateTime());
        ResultSet later = since.executeQuery();
        later.next();
        equal("a LocalDateTime is of the program's zone, as the page says", later.getInt(1), 0); // and not 1
        Properties unspecified = properties();
        unspecified.setProperty("stringtype", "unspecified");
        try (Connection other = DriverManager.getConnection(URL, unspecified)) {
            PreparedStatement lookup = other.prepareStatement("SELECT id FROM message WHERE id = ?");
            lookup.setString(1, IDS.get(1));
            equal("a string, its type unspecified", lookup.executeQuery().next(), true);
        }
        // Its first executions are in text, the later ones not all.
        for (int i = 0; i < 10; ++i)
            if (!message.those(IDS).equals(IDS))
                equal("executed again", i, -1);
        // With the class of the page before these were stored as another id.
        for (String wrong : List.of("no ulid", "", IDS.get(0).substring(1), "8" + IDS.get(0).substring(1)))
            fails("no ULID: ", () -> new Ulid().setValue(wrong));
        Ulid lower = new Ulid();
        lower.setValue(IDS.get(0).toLowerCase().replace('0', 'o'));
        equal("any spelling", lower.getValue(), IDS.get(0));
        fails("invalid input syntax for type ulid: \"2024-05-01 13:00:00+00\"", () -> {
            PreparedStatement select = connection.prepareStatement("SELECT FROM message WHERE id >= ?");
            select.setTimestamp(1, java.sql.Timestamp.from(NOON.plusHours(1).toInstant()),
                java.util.Calendar.getInstance(java.util.TimeZone.getTimeZone("UTC")));
            select.executeQuery();
        });
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
            PreparedStatement empty = connection.prepareStatement("SELECT ?::ulid");
            empty.setObject(1, new Ulid());
            rows = empty.executeQuery();
            rows.next();
            equal("binary: null", rows.getObject(1), null);
            equal("binary: it was binary, both ways", Counted.sent == 1 && Counted.received == 1, true);
        }
    }

    static int keys(PreparedStatement insert) throws SQLException {
        for (int n = 0; n < 10; ++n) {
            insert.setInt(1, n);
            insert.addBatch();
        }
        insert.executeBatch();
        int keys = 0;
        for (ResultSet row = insert.getGeneratedKeys(); row.next(); ++keys)
            UuidOrUlid.get(row, 1);
        return keys;
    }

    static void batch() throws Exception {
        try (Connection connection = DriverManager.getConnection(URL + "?autosave=conservative", properties());
                Connection mover = DriverManager.getConnection(URL, properties())) {
            mover.createStatement().execute("CREATE TABLE moved (id uuid DEFAULT gen_random_uuid(), n int)");
            PreparedStatement insert = connection.prepareStatement("INSERT INTO moved (n) VALUES (?)", new String[] {"id"});
            equal("a batch and its keys", keys(insert) + keys(insert), 20);
            mover.createStatement().execute("ALTER TABLE moved ALTER id TYPE ulid");
            fails("cached plan must not change result type", () -> keys(insert));
            equal("and again", keys(insert), 10);
            ResultSet row = connection.createStatement().executeQuery("SELECT count(*)::int FROM moved");
            row.next();
            equal("and once", row.getInt(1), 30);
            mover.createStatement().execute("DROP TABLE moved");
        }
    }
}
