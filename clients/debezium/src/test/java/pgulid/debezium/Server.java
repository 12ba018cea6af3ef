package pgulid.debezium;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Assertions;

/** A database of the test's own, with the extension, on the server that PGHOST and the like name. */
final class Server implements AutoCloseable {
    final String host = variable("PGHOST", "localhost"), port = variable("PGPORT", "5432"),
        user = variable("PGUSER", "postgres"), password = variable("PGPASSWORD", ""), database;
    final Connection connection;

    Server(String name) {
        database = name;
        if (host.startsWith("/"))
            Assertions.fail("pgjdbc needs TCP: set PGHOST to an address, not to the directory of a socket");
        try (Connection server = connect("postgres"); var statement = server.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
            statement.execute("CREATE DATABASE " + name);
            connection = connect(name);
            connection.createStatement().execute("CREATE EXTENSION ulid");
        } catch (SQLException error) {
            throw new AssertionError("name a server with the extension ulid in PGHOST and the like: " + error);
        }
    }

    private static String variable(String name, String otherwise) {
        return System.getenv().getOrDefault(name, otherwise);
    }

    private Connection connect(String name) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://" + host + ":" + port + "/" + name, user, password);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        try (Connection server = connect("postgres"); var statement = server.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
        }
    }
}
