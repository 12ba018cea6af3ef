// JDBC. A ulid travels as text.
package clients;

import static clients.Tap.*;

import java.sql.*;
import java.time.OffsetDateTime;
import java.util.*;
import java.util.stream.Stream;
import org.postgresql.util.PGobject;

public class Jdbc {
    static Connection connection;

    // doc/clients/java.md: static String add

    // doc/clients/java.md: static PGobject

    // doc/clients/java.md: static List<String> between

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
        statement.execute("INSERT INTO message SELECT unnest('{" + String.join(",", IDS) + "}'::ulid[])");
        equal("a range of time", between(NOON.plusHours(1), NOON.plusHours(2)), List.of(IDS.get(1)));
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
        equal("a UUID as a parameter",
            ids("id = ?", select -> select.setObject(1, uuid)), List.of(IDS.get(0)));
        afterTheTypeHasChanged(DriverManager.getConnection(URL, properties));

        fails("operator does not exist: ulid = character varying", "id = ?", select -> select.setString(1, IDS.get(1)));
        fails("operator does not exist: ulid = text", "id = ANY(?)",
            select -> select.setArray(1, connection.createArrayOf("text", IDS.toArray())));
        fails("conversion to class java.lang.String from ulid not supported", "?::int = 1",
            select -> get(select, String.class));
        fails("Cannot cast org.postgresql.util.PGobject to java.util.UUID", "?::int = 1",
            select -> get(select, UUID.class));
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        fails("invalid input syntax for type ulid: \"2024-05-01 13:00:00+00\"", "id >= ?",
            select -> select.setTimestamp(1, Timestamp.from(NOON.plusHours(1).toInstant())));
        fails("SQLSTATE 22P02", "id = ?", select -> select.setObject(1, ulid("not an id")));
        fails("SQLSTATE 22003", "id = ?", select -> select.setObject(1, ulid("8" + IDS.get(0).substring(1))));
        connection.close();
    }

    /** Statements that the server has prepared, which it does at the fifth execution, when a uuid becomes a ulid. */
    static void afterTheTypeHasChanged(Connection other) throws Exception {
        other.createStatement().execute("CREATE TABLE boat AS SELECT id::uuid FROM message");
        UUID uuid = UUID.fromString("018f343d-8c80-0123-4567-89abcdef0202");
        try (PreparedStatement select = connection.prepareStatement("SELECT id FROM boat WHERE id = ?");
             PreparedStatement update = connection.prepareStatement("UPDATE boat SET id = ? WHERE id = ?")) {
            select.setObject(1, uuid);
            update.setObject(1, uuid);
            update.setObject(2, uuid);
            for (String type : List.of("uuid", "ulid", "uuid", "ulid")) {
                other.createStatement().execute("ALTER TABLE boat ALTER id TYPE " + type);
                for (int i = 0; i < 6; ++i)
                    equal("after ALTER TABLE, id is a " + type, strings(select.executeQuery()),
                        List.of(type.equals("uuid") ? uuid.toString() : IDS.get(1)));
                equal("and an update finds it by a UUID", update.executeUpdate(), 1);
            }
            connection.setAutoCommit(false);
            strings(select.executeQuery());
            connection.commit();
            other.createStatement().execute("ALTER TABLE boat ALTER id TYPE uuid");
            Tap.fails("cached plan must not change result type", select::executeQuery);
            connection.rollback();
            equal("in a transaction, the next one finds it", strings(select.executeQuery()), List.of(uuid.toString()));
            connection.setAutoCommit(true);
        }
    }

    static void get(PreparedStatement select, Class<?> type) throws SQLException {
        select.setInt(1, 1);
        ResultSet rows = select.executeQuery();
        rows.next();
        rows.getObject(1, type);
    }

    interface Parameters {
        void set(PreparedStatement select) throws SQLException;
    }

    static List<String> ids(String condition, Parameters parameters) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT id FROM message WHERE " + condition)) {
            parameters.set(select);
            return strings(select.executeQuery());
        }
    }

    static void fails(String message, String condition, Parameters parameters) {
        Tap.fails(message, () -> ids(condition, parameters));
    }
}
