package pgulid.debezium;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Flink CDC, which needs or contains Debezium 1.9, with the jar that was built. */
class FlinkTest {
    static final String TABLE = """
        CREATE TABLE account (id STRING, placed STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
            'connector' = 'postgres-cdc',
            'hostname' = 'localhost',
            'port' = '5432',
            'username' = 'postgres',
            'password' = 'secret',
            'database-name' = 'shop',
            'schema-name' = 'app',
            'table-name' = 'account',
            'slot.name' = 'flink',
            'debezium.converters' = 'ulid',
            'debezium.ulid.type' = 'pgulid.debezium.UlidConverter',
            'debezium.ulid.domains' = 'order_id',
            'debezium.include.unknown.datatypes' = 'true',
            'decoding.plugin.name' = 'pgoutput'
        );
        """;
    static final String A = "01HWT0D7G004HMASW9NF6YY081", B = "01HWT3V34004HMASW9NF6YY0G2";
    static Server server;
    static Statement sql;
    static int sources;

    @BeforeAll
    static void connect() throws Exception {
        server = new Server("ulid_flink");
        sql = server.connection.createStatement();
        sql.execute("CREATE SCHEMA app; CREATE DOMAIN app.order_id AS ulid;"
            + "CREATE TABLE app.account (id ulid PRIMARY KEY, placed app.order_id);"
            + "ALTER TABLE app.account REPLICA IDENTITY FULL;"
            + "INSERT INTO app.account VALUES ('" + A + "', '" + B + "')");
    }

    /** Flink leaves replication slots. */
    @AfterAll
    static void drop() throws Exception {
        String slots = " FROM pg_replication_slots WHERE slot_name ~ '^ulid_flink'";
        sql.execute("SELECT pg_terminate_backend(active_pid)" + slots);
        Thread.sleep(1000);
        sql.execute("SELECT pg_drop_replication_slot(slot_name)" + slots);
        server.close();
    }

    /** What Flink reads, with the page's settings except those that have this in their line. */
    static CloseableIterator<Row> changes(String without) {
        Configuration settings = new Configuration().set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        TableEnvironment flink =
            TableEnvironment.create(EnvironmentSettings.newInstance().withConfiguration(settings).build());
        flink.executeSql(TABLE.replaceAll(".*" + without + ".*\n", "").replace("localhost", server.host)
            .replace("5432", server.port).replace("'postgres'", "'" + server.user + "'")
            .replace("secret", server.password).replace("shop", server.database).replace("'flink'", "'ulid_flink" + ++sources + "'"));
        return flink.executeSql("SELECT * FROM account").collect();
    }

    static String next(CloseableIterator<Row> changes) throws Exception {
        return CompletableFuture.supplyAsync(() -> changes.next().toString()).get(300, TimeUnit.SECONDS);
    }

    @Test
    void changesHaveTheIdsAsTexts() throws Exception {
        try (var changes = changes("nothing")) {
            assertEquals("+I[" + A + ", " + B + "]", next(changes), "snapshot");
            sql.execute("INSERT INTO app.account VALUES ('" + B + "', '" + A + "')");
            assertEquals("+I[" + B + ", " + A + "]", next(changes), "streaming");
            sql.execute("DELETE FROM app.account WHERE id = '" + B + "'");
            assertEquals("-D[" + B + ", " + A + "]", next(changes), "DELETE");
        }
    }

    @Test
    void withoutTheSettingsItFails() throws Exception {
        try (var changes = changes("debezium\\.")) {
            String messages = "";
            Throwable error = Assertions.assertThrows(ExecutionException.class, () -> next(changes));
            for (; error != null; error = error.getCause())
                messages += error.getMessage() + "\n";
            assertTrue(messages.contains("Column 'id' is NOT NULL, however, a null value"), messages);
        }
    }

    @Test
    void withoutTheConverterIdsAreBuffers() throws Exception {
        try (var changes = changes("ulid")) {
            assertEquals("java.nio.HeapByteBuffer[pos=0 lim=26", next(changes).substring(3, 39));
        }
    }

    @Test
    void theJarHasTheLicenseAndTheReadme() throws Exception {
        var location = UlidConverter.class.getProtectionDomain().getCodeSource().getLocation();
        try (var jar = new JarFile(new File(location.toURI()))) {
            for (String name : new String[] {"LICENSE", "README.md"})
                assertNotNull(jar.getEntry("META-INF/" + name), name);
        }
    }
}
