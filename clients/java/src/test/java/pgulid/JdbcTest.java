package pgulid;

import static org.junit.jupiter.api.Assertions.*;
import static pgulid.Server.*;

import java.sql.*;
import java.time.OffsetDateTime;
import java.util.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.postgresql.ds.PGSimpleDataSource;

/** A ulid travels as text. */
class JdbcTest {
    static PGSimpleDataSource source;
    static Connection connection;

    static List<String> find(String id, String[] ids, OffsetDateTime time) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                 "SELECT id FROM message WHERE id > ? AND id = ANY(?) AND id < ?")) {
            select.setObject(1, id, Types.OTHER);
            select.setArray(2, connection.createArrayOf("ulid", ids));
            select.setObject(3, time);
            return strings(select.executeQuery());
        }
    }

    static List<String> strings(ResultSet rows) throws SQLException {
        List<String> result = new ArrayList<>();
        while (rows.next())
            result.add(rows.getString(1));
        return result;
    }

    @BeforeAll static void connect() throws SQLException {
        source = database("jdbc");
        connection = source.getConnection();
    }

    @AfterAll static void disconnect() throws SQLException {
        if (connection != null)
            connection.close();
    }

    @BeforeEach void rows() throws SQLException {
        connection.createStatement().execute("TRUNCATE message");
        connection.createStatement().execute(
            "INSERT INTO message SELECT unnest('{" + String.join(",", IDS) + "}'::ulid[])");
    }

    static ResultSet row(String query) throws SQLException {
        ResultSet row = connection.createStatement().executeQuery(query);
        row.next();
        return row;
    }

    @Test void theDefaultComesBack() throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                 "INSERT INTO message (body) VALUES ('hello')", new String[] {"id"})) {
            insert.execute();
            ResultSet keys = insert.getGeneratedKeys();
            keys.next();
            assertEquals(26, keys.getString("id").length());
        }
    }

    @RepeatedTest(10) void conditions() throws SQLException { // the server prepares the statement on the way
        String[] ids = IDS.toArray(String[]::new);
        assertEquals(IDS.subList(1, 2), find(IDS.get(0).toLowerCase(), ids, NOON.plusHours(2)));
        assertEquals(IDS.subList(1, 3), find(IDS.get(0), ids, NOON.plusHours(3)));
        assertEquals(List.of(), find(IDS.get(0), new String[] {IDS.get(0)}, NOON.plusHours(3)));
    }

    @Test void timesOfUuids() throws SQLException {
        connection.createStatement().execute("CREATE TEMP TABLE person AS SELECT gen_uuidv7() AS id");
        try (PreparedStatement select = connection.prepareStatement("SELECT FROM person WHERE id >= uuidv7_min(?)")) {
            for (int hours : new int[] {-1, 1}) {
                select.setObject(1, OffsetDateTime.now().plusHours(hours));
                assertEquals(hours < 0, select.executeQuery().next());
            }
        }
    }

    @Test void results() throws SQLException {
        ResultSet row = row("SELECT array_agg(id ORDER BY id), NULL::ulid, min(id) FROM message");
        assertEquals(IDS, Stream.of((Object[]) row.getArray(1).getArray()).map(Object::toString).toList());
        assertNull(row.getString(2));
        assertEquals(IDS.get(0), new String(row.getBytes(3)), "getBytes returns the text");
    }

    @Test void uuids() throws SQLException {
        UUID uuid = row("SELECT min(id)::uuid FROM message").getObject(1, UUID.class);
        assertEquals("018f3406-9e00-0123-4567-89abcdef0101", uuid.toString());
        assertEquals(List.of(IDS.get(0)), ids("id = ?", select -> select.setObject(1, uuid)));
    }

    @Test void errors() {
        fails("operator does not exist: ulid = character varying", "id = ?", select -> select.setString(1, IDS.get(1)));
        fails("operator does not exist: ulid = text", "id = ANY(?)",
            select -> select.setArray(1, connection.createArrayOf("text", IDS.toArray())));
        fails("conversion to class java.lang.String from ulid not supported", "?::int = 1",
            select -> get(select, String.class));
        fails("Cannot cast org.postgresql.util.PGobject to java.util.UUID", "?::int = 1",
            select -> get(select, UUID.class));
        fails("invalid input syntax for type ulid: \"2024-05-01 13:00:00+00\"", "id >= ?", select -> select.setTimestamp(
            1, Timestamp.from(NOON.plusHours(1).toInstant()), Calendar.getInstance(TimeZone.getTimeZone("UTC"))));
        fails("SQLSTATE 22P02", "id = ?", select -> select.setObject(1, "not an id", Types.OTHER));
        fails("SQLSTATE 22003", "id = ?", select -> select.setObject(1, "8" + IDS.get(0).substring(1), Types.OTHER));
    }

    /** Statements that the server has prepared, which it does at the fifth execution, when a uuid becomes a ulid. */
    @Test void afterTheTypeHasChanged() throws SQLException {
        UUID uuid = UUID.fromString("018f343d-8c80-0123-4567-89abcdef0202");
        connection.createStatement().execute("CREATE TABLE boat AS SELECT id::uuid FROM message");
        try (Connection other = source.getConnection();
             PreparedStatement select = connection.prepareStatement("SELECT id FROM boat WHERE id = ?");
             PreparedStatement update = connection.prepareStatement("UPDATE boat SET id = ? WHERE id = ?")) {
            select.setObject(1, uuid);
            update.setObject(1, uuid);
            update.setObject(2, uuid);
            for (String type : List.of("uuid", "ulid", "uuid", "ulid")) {
                other.createStatement().execute("ALTER TABLE boat ALTER id TYPE " + type);
                for (int i = 0; i < 6; ++i)
                    assertEquals(List.of(type.equals("uuid") ? uuid.toString() : IDS.get(1)),
                        strings(select.executeQuery()), type);
                assertEquals(1, update.executeUpdate(), "an update finds it by a UUID");
            }
            connection.setAutoCommit(false);
            strings(select.executeQuery());
            connection.commit();
            other.createStatement().execute("ALTER TABLE boat ALTER id TYPE uuid");
            Server.fails("cached plan must not change result type", select::executeQuery);
            connection.rollback();
            assertEquals(List.of(uuid.toString()), strings(select.executeQuery()), "in the next transaction");
        } finally {
            connection.rollback();
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
        Server.fails(message, () -> ids(condition, parameters));
    }
}
