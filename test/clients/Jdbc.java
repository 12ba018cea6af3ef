// JDBC. A ulid travels as text.
import java.sql.*;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.TimeZone;
import java.util.UUID;
import java.util.stream.Stream;

public class Jdbc {
    static final String URL =
        "jdbc:postgresql://127.0.0.1:" + System.getenv("JDBC_PORT") + "/" + System.getenv("PGDATABASE");
    static final OffsetDateTime NOON = OffsetDateTime.parse("2024-05-01T12:00:00Z");
    // Noon and one and two hours later.
    static final List<String> IDS =
        List.of("01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3");
    static Connection connection;

    static String add(String body) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                 "INSERT INTO message (body) VALUES (?)", new String[] {"id"})) {
            insert.setString(1, body);
            insert.execute();
            ResultSet keys = insert.getGeneratedKeys();
            keys.next();
            return keys.getString("id");
        }
    }

    static String find(String id) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT body FROM message WHERE id = ?")) {
            select.setObject(1, id, Types.OTHER);
            ResultSet rows = select.executeQuery();
            return rows.next() ? rows.getString(1) : null;
        }
    }

    static List<String> findAll(List<String> ids) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                 "SELECT id FROM message WHERE id = ANY(?) ORDER BY id")) {
            select.setArray(1, connection.createArrayOf("ulid", ids.toArray()));
            return strings(select.executeQuery());
        }
    }

    static List<String> between(OffsetDateTime begin, OffsetDateTime end) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT id FROM message WHERE id >= ? AND id < ?")) {
            select.setObject(1, begin);
            select.setObject(2, end);
            return strings(select.executeQuery());
        }
    }

    static List<String> pageAfter(String id, int size) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                 "SELECT id FROM message WHERE id > ? ORDER BY id LIMIT ?")) {
            select.setObject(1, id, Types.OTHER);
            select.setInt(2, size);
            return strings(select.executeQuery());
        }
    }

    static List<String> strings(ResultSet rows) throws SQLException {
        List<String> result = new ArrayList<>();
        while (rows.next())
            result.add(rows.getString(1));
        return result;
    }

    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("user", System.getenv("PGUSER"));
        properties.setProperty("password", "trusted");
        connection = DriverManager.getConnection(URL, properties);
        System.out.println("# " + connection.getMetaData().getDriverVersion());
        Statement statement = connection.createStatement();

        String id = add("hello");
        equal("the default comes back as a generated key", id.length(), 26);
        equal("find", List.of(find(id), find(id.toLowerCase())), List.of("hello", "hello"));
        statement.execute("DELETE FROM message");
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO message (id) VALUES (?)")) {
            for (String one : IDS) {
                insert.setString(1, one);
                insert.execute();
            }
        }
        equal("a range of time", between(NOON.plusHours(1), NOON.plusHours(2)), List.of(IDS.get(1)));
        equal("a page after a cursor", pageAfter(IDS.get(0), 1), List.of(IDS.get(1)));
        for (int i = 0; i < 10; ++i) // the server prepares the statement on the way
            equal("an array as a parameter", findAll(IDS.subList(1, 3)), IDS.subList(1, 3));
        ResultSet row = statement.executeQuery(
            "SELECT array_agg(id ORDER BY id), NULL::ulid, min(id), min(id)::uuid FROM message");
        row.next();
        Object[] array = (Object[]) row.getArray(1).getArray();
        equal("an array as a result", Stream.of(array).map(Object::toString).toList(), IDS);
        equal("NULL", row.getString(2), null);
        equal("getBytes returns the text", new String(row.getBytes(3)), IDS.get(0));
        UUID uuid = row.getObject(4, UUID.class);
        equal("a UUID", uuid.toString(), "018f3406-9e00-0123-4567-89abcdef0101");
        try (PreparedStatement select = connection.prepareStatement("SELECT id FROM message WHERE id = ?")) {
            select.setObject(1, uuid);
            equal("a UUID as a parameter", strings(select.executeQuery()), List.of(IDS.get(0)));
        }

        Properties unspecified = (Properties) properties.clone();
        unspecified.setProperty("stringtype", "unspecified");
        try (Connection other = DriverManager.getConnection(URL, unspecified)) {
            PreparedStatement select = other.prepareStatement("SELECT id FROM message WHERE id = ?");
            select.setString(1, IDS.get(1));
            equal("setString with stringtype=unspecified", strings(select.executeQuery()), List.of(IDS.get(1)));
        }

        fails("operator does not exist: ulid = character varying", "id = ?", select -> select.setString(1, IDS.get(1)));
        fails("operator does not exist: ulid = text", "id = ANY(?)",
            select -> select.setArray(1, connection.createArrayOf("text", IDS.toArray())));
        fails("operator does not exist: ulid = bigint", "id = ?", select -> select.setLong(1, 5));
        fails("conversion to class java.lang.String from ulid not supported", "?::int = 1", select -> get(select, String.class));
        fails("Cannot cast org.postgresql.util.PGobject to java.util.UUID", "?::int = 1", select -> get(select, UUID.class));
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        fails("invalid input syntax for type ulid: \"2024-05-01 13:00:00+00\"", "id >= ?",
            select -> select.setTimestamp(1, Timestamp.from(NOON.plusHours(1).toInstant())));
        fails("SQLSTATE 22P02", "id = ?", select -> select.setObject(1, "not an id", Types.OTHER));
        fails("SQLSTATE 22003", "id = ?", select -> select.setObject(1, "8" + IDS.get(0).substring(1), Types.OTHER));
        connection.close();
        System.out.println("1.." + count);
    }

    static int count = 0;

    static void equal(String name, Object got, Object expected) {
        boolean same = Objects.equals(got, expected);
        System.out.println((same ? "ok " : "not ok ") + ++count + " - " + name);
        if (!same)
            System.out.println("# got " + got + "\n# expected " + expected);
    }

    static void get(PreparedStatement select, Class<?> type) throws SQLException {
        select.setInt(1, 1);
        ResultSet rows = select.executeQuery();
        rows.next();
        rows.getObject(1, type);
    }

    interface Work {
        void on(PreparedStatement select) throws SQLException;
    }

    static void fails(String message, String condition, Work work) {
        String got = "no error";
        try (PreparedStatement select = connection.prepareStatement("SELECT id FROM message WHERE " + condition)) {
            work.on(select);
            select.executeQuery();
        } catch (SQLException error) {
            got = error.getMessage() + ", SQLSTATE " + error.getSQLState();
        } catch (ClassCastException error) {
            got = error.getMessage();
        }
        equal("fails: " + message, got.contains(message) ? message : got, message);
    }
}
