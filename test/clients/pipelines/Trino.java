package clients;

import io.trino.plugin.postgresql.PostgreSqlPlugin;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import io.trino.testing.TestingSession;
import java.io.PrintStream;
import java.io.StringReader;
import java.sql.DriverManager;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** A server of Trino with its PostgreSQL connector. */
class Trino extends Tap {
    static final String SETTINGS = """
        // doc/pipelines.md: unsupported-type-handling
        """;
    static final String VIEW = """
        // doc/pipelines.md: CREATE VIEW account_text
        """;
    static final String QUERY = """
        // doc/pipelines.md: SELECT * FROM TABLE(shop
        """;
    static QueryRunner trino;

    static Object rows(String query) {
        return trino.execute(query).getMaterializedRows().stream().map(row -> row.getFields().toString()).toList().toString();
    }

    public static void main(String[] args) throws Exception {
        String a = IDS.get(0), b = IDS.get(1);
        try (var database = DriverManager.getConnection(URL, "postgres", ""); var sql = database.createStatement()) {
            sql.execute("CREATE TABLE account (id ulid PRIMARY KEY, name text, refs ulid[])");
            sql.execute("INSERT INTO account VALUES ('" + a + "', 'ann', '{" + b + ",NULL}'), ('" + b + "', 'bob', NULL)");
            sql.execute(VIEW);
        }
        PrintStream out = System.out; // which Trino takes
        trino = DistributedQueryRunner.builder(TestingSession.testSessionBuilder().setCatalog("shop").setSchema("public").build())
            .setWorkerCount(0).build();
        System.setOut(out);
        trino.installPlugin(new PostgreSqlPlugin());
        Map<String, String> connection = Map.of("connection-url", URL, "connection-user", "postgres", "connection-password", "x");
        trino.createCatalog("plain", "postgresql", connection);
        Properties settings = new Properties();
        settings.load(new StringReader(SETTINGS));
        Map<String, String> page = new HashMap<>(connection);
        settings.forEach((name, value) -> page.put((String) name, (String) value));
        trino.createCatalog("shop", "postgresql", page);

        equal("by default there are no ids", rows("SELECT * FROM plain.public.account ORDER BY name"), "[[ann], [bob]]");
        trino.execute("CREATE TABLE plain.public.copy AS SELECT * FROM plain.public.account");
        equal("nor in a copy", rows("DESCRIBE plain.public.copy"), "[[name, varchar, , ]]");
        equal("with the settings, ids and arrays are text", rows("SELECT * FROM account ORDER BY id"),
            "[[" + a + ", ann, [" + b + ", null]], [" + b + ", bob, null]]");
        equal("a condition", rows("SELECT name FROM account WHERE id = '" + a + "'"), "[[ann]]");
        equal("the condition runs in Trino", ((String) rows("EXPLAIN SELECT name FROM account WHERE id = '" + a + "'")).contains("filterPredicate"), true);
        fails("Underlying type that is mapped to VARCHAR is not supported for INSERT: ulid", () -> trino.execute("INSERT INTO account (id) VALUES ('" + b + "')"));
        equal("a view with the text and the time", rows("SELECT id, to_iso8601(made) FROM plain.public.account_text ORDER BY id LIMIT 1"),
            "[[" + a + ", 2024-05-01T12:00:00.000000Z]]");
        equal("a query of PostgreSQL's", rows(QUERY), "[[" + b + ", bob]]");
        trino.close();
        System.exit(0);
    }
}
