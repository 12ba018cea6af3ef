package clients;

import java.sql.DriverManager;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** Flink CDC's library, which needs Debezium 1.9. */
class Flink extends Tap {
    static final String TABLE = """
        // doc/pipelines.md: CREATE TABLE account
        """;
    static int sources;

    /** What Flink reads, with the page's settings except those that have this in their line. */
    static CloseableIterator<Row> changes(String without) {
        Configuration settings = new Configuration().set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        TableEnvironment flink =
            TableEnvironment.create(EnvironmentSettings.newInstance().withConfiguration(settings).build());
        String database = System.getenv("PGDATABASE");
        flink.executeSql(TABLE.replaceAll(".*" + without + ".*\n", "").replace("localhost", "127.0.0.1")
            .replace("5432", "" + PORT).replace("shop", database)
            .replace("'flink'", "'" + database.toLowerCase() + ++sources + "'"));
        return flink.executeSql("SELECT * FROM account").collect();
    }

    static String next(CloseableIterator<Row> changes) throws Exception {
        return CompletableFuture.supplyAsync(() -> changes.next().toString()).get(300, TimeUnit.SECONDS);
    }

    public static void main(String[] args) throws Exception {
        String a = IDS.get(0), b = IDS.get(1);
        try (var database = DriverManager.getConnection(URL, "postgres", ""); var sql = database.createStatement()) {
            sql.execute("CREATE SCHEMA app; CREATE DOMAIN app.order_id AS ulid;"
                + "CREATE TABLE app.account (id ulid PRIMARY KEY, placed app.order_id);"
                + "ALTER TABLE app.account REPLICA IDENTITY FULL;"
                + "INSERT INTO app.account VALUES ('" + a + "', '" + b + "')");
            try (var changes = changes("nothing")) {
                equal("snapshot", next(changes), "+I[" + a + ", " + b + "]");
                sql.execute("INSERT INTO app.account VALUES ('" + b + "', '" + a + "')");
                equal("streaming", next(changes), "+I[" + b + ", " + a + "]");
                sql.execute("DELETE FROM app.account WHERE id = '" + b + "'");
                equal("DELETE", next(changes), "-D[" + b + ", " + a + "]");
            }
            try (var changes = changes("debezium\\.")) {
                fails("Column 'id' is NOT NULL, however, a null value", () -> next(changes));
            }
            try (var changes = changes("ulid")) {
                equal("without the converter", next(changes).substring(3, 39), "java.nio.HeapByteBuffer[pos=0 lim=26");
            }
        }
        System.exit(0);
    }
}
