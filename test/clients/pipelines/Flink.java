package clients;

import java.sql.Connection;
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

    /** The changes of app.account as Flink sees them, with the page's settings except those that name the text. */
    static CloseableIterator<Row> changes(String without) {
        Configuration settings = new Configuration().set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        TableEnvironment flink = TableEnvironment.create(EnvironmentSettings.newInstance().withConfiguration(settings).build());
        flink.executeSql(TABLE.replaceAll("(?m)^.*" + without + ".*\n", "")
            .replace("'localhost'", "'127.0.0.1'").replace("'5432'", "'" + PORT + "'").replace("'secret'", "'x'")
            .replaceAll("'shop'", "'" + System.getenv("PGDATABASE") + "'").replace("'flink'", "'" + System.getenv("PGDATABASE").toLowerCase() + ++sources + "'"));
        return flink.executeSql("SELECT * FROM account").collect();
    }

    static String next(CloseableIterator<Row> changes) throws Exception {
        return CompletableFuture.supplyAsync(() -> changes.next().toString()).get(90, TimeUnit.SECONDS);
    }

    public static void main(String[] args) throws Exception {
        String a = IDS.get(0), b = IDS.get(1);
        try (Connection database = DriverManager.getConnection(URL, "postgres", ""); var sql = database.createStatement()) {
            sql.execute("CREATE SCHEMA app");
            sql.execute("CREATE DOMAIN app.order_id AS ulid");
            sql.execute("CREATE TABLE app.account (id ulid PRIMARY KEY, placed app.order_id)");
            sql.execute("ALTER TABLE app.account REPLICA IDENTITY FULL");
            sql.execute("INSERT INTO app.account VALUES ('" + a + "', '" + b + "')");
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
                String row = next(changes);
                equal("only the setting: the id is the text of a Java object", row.substring(0, 39), "+I[java.nio.HeapByteBuffer[pos=0 lim=26");
            }
        }
        System.exit(0);
    }
}
