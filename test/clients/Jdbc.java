// JDBC, in text and in binary.
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.postgresql.PGConnection;

public class Jdbc {
    static final OffsetDateTime NOON = OffsetDateTime.parse("2024-05-01T12:00:00Z");
    static final List<String> IDS = List.of("01HWT0D7G004HMASW9NF6YY081",
        "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3");
    static int count;

    static void equal(String name, Object got, Object expected) {
        boolean ok = got == null ? expected == null : got.equals(expected);
        System.out.printf("%sok %d - %s%n", ok ? "" : "not ", ++count, name);
        if (!ok)
            System.out.printf("# got %s%n# expected %s%n", got, expected);
    }

    // pgjdbc speaks TCP only.
    static Connection connect(Properties properties) throws SQLException {
        properties.setProperty("user", System.getenv("PGUSER"));
        properties.setProperty("password", "trusted");
        return DriverManager.getConnection("jdbc:postgresql://localhost:" + System.getenv("JDBC_PORT")
            + "/" + System.getenv("PGDATABASE"), properties);
    }

    static List<String> strings(ResultSet rows) throws SQLException {
        List<String> result = new ArrayList<>();
        while (rows.next())
            result.add(rows.getString(1));
        return result;
    }

    public static void main(String[] arguments) throws SQLException {
        try (Connection connection = connect(new Properties())) {
            text(connection);
        }
        binary();
        System.out.println("1.." + count);
    }

    static void text(Connection connection) throws SQLException {
        Statement statement = connection.createStatement();
        statement.execute("CREATE TABLE message (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text)");

        try (PreparedStatement insert = connection.prepareStatement(
                 "INSERT INTO message (body) VALUES ('hello')", Statement.RETURN_GENERATED_KEYS)) {
            insert.execute();
            ResultSet keys = insert.getGeneratedKeys();
            keys.next();
            equal("a default comes back as a generated key", keys.getString("id").length(), 26);
        }
        statement.execute("DELETE FROM message");

        // snippet: plain
        PreparedStatement insert = connection.prepareStatement("INSERT INTO message VALUES (?, 'x')");
        for (String id : IDS) {
            insert.setObject(1, id, Types.OTHER);
            insert.execute();
        }
        // end
        equal("out as they went in",
            strings(statement.executeQuery("SELECT id FROM message ORDER BY id")), IDS);

        PreparedStatement lookup = connection.prepareStatement("SELECT id FROM message WHERE id = ?::ulid");
        lookup.setString(1, IDS.get(1));
        equal("lookup by a string and a cast", strings(lookup.executeQuery()), List.of(IDS.get(1)));

        // snippet: array
        PreparedStatement many = connection.prepareStatement("SELECT id FROM message WHERE id = ANY(?) ORDER BY id");
        many.setArray(1, connection.createArrayOf("ulid", new String[] {IDS.get(0), IDS.get(2)}));
        // end
        equal("an array", strings(many.executeQuery()), List.of(IDS.get(0), IDS.get(2)));
        ResultSet rows = statement.executeQuery("SELECT array_agg(id ORDER BY id), NULL::ulid FROM message");
        rows.next();
        equal("an array comes back", rows.getArray(1).toString(), "{" + String.join(",", IDS) + "}");
        equal("null", rows.getObject(2), null);

        // snippet: range
        PreparedStatement range = connection.prepareStatement("SELECT id FROM message WHERE id >= ? AND id < ?");
        range.setObject(1, NOON.plusHours(1)); // an OffsetDateTime is a timestamptz
        range.setObject(2, NOON.plusHours(2));
        // end
        equal("range by time", strings(range.executeQuery()), List.of(IDS.get(1)));

        try {
            statement.execute("SELECT 'no ulid'::ulid");
            equal("a bad text is refused", "no error", "22P02");
        } catch (SQLException exception) {
            equal("a bad text is refused", exception.getSQLState(), "22P02");
        }
    }

    static void binary() throws SQLException {
        String oid;
        try (Connection connection = connect(new Properties())) {
            ResultSet rows = connection.createStatement().executeQuery("SELECT 'ulid'::regtype::oid");
            rows.next();
            oid = rows.getString(1);
        }
        Properties properties = new Properties();
        // snippet: binary
        properties.setProperty("binaryTransferEnable", oid); // SELECT 'ulid'::regtype::oid
        properties.setProperty("prepareThreshold", "-1");    // in binary from the first execution on
        Connection connection = connect(properties);
        connection.unwrap(PGConnection.class).addDataType("ulid", Ulid.class);
        // end
        PreparedStatement echo = connection.prepareStatement("SELECT id FROM message WHERE id = ?");
        Ulid ulid = new Ulid();
        ulid.setValue(IDS.get(1));
        echo.setObject(1, ulid);
        ResultSet rows = echo.executeQuery();
        equal("binary: a row is found", rows.next(), true);
        Ulid got = (Ulid) rows.getObject(1);
        equal("binary: out as it went in", got.getValue(), IDS.get(1));
        equal("binary: it was binary, both ways", ulid.sent == 1 && got.received == 1, true);
        connection.close();
    }
}
