package clients;

import io.trino.plugin.postgresql.PostgreSqlPlugin;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import io.trino.testing.TestingSession;
import java.io.PrintStream;
import java.io.StringReader;
import java.sql.DriverManager;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** A server of Trino with its PostgreSQL connector. */
class Trino extends Tap {
    static final String SETTINGS = """
        // doc/pipelines.md: unsupported-type-handling
        """, VIEW = """
        // doc/pipelines.md: CREATE VIEW account_text
        """, QUERY = """
        // doc/pipelines.md: SELECT * FROM TABLE(shop
        """;
    static QueryRunner trino;

    static String rows(String query) {
        return trino.execute(query).getMaterializedRows().stream().map(row -> row.getFields().toString())
            .collect(Collectors.joining(" "));
    }

    static void catalog(String name, String more) throws Exception {
        Properties settings = new Properties();
        settings.load(new StringReader(more + "\nconnection-user=postgres\nconnection-password="
            + "\nconnection-url=" + URL));
        trino.createCatalog(name, "postgresql", (Map) settings);
    }

    public static void main(String[] args) throws Exception {
        String a = IDS.get(0), b = IDS.get(1);
        try (var database = DriverManager.getConnection(URL, "postgres", ""); var sql = database.createStatement()) {
            sql.execute("CREATE TABLE account (id ulid PRIMARY KEY, name text, refs ulid[], u uuid);"
                + "INSERT INTO account VALUES ('" + a + "', 'ann', '{" + b + ",NULL}', '" + a + "'::ulid),"
                + "('" + b + "', 'bob', NULL, NULL);" + VIEW);
        }
        PrintStream out = System.out; // which Trino takes
        var session = TestingSession.testSessionBuilder().setCatalog("shop").setSchema("public").build();
        trino = DistributedQueryRunner.builder(session).setWorkerCount(0).build();
        System.setOut(out);
        trino.installPlugin(new PostgreSqlPlugin());
        catalog("plain", "");
        catalog("shop", SETTINGS);
        equal("by default there are no ids, but uuids", rows("SELECT * FROM plain.public.account ORDER BY name"),
            "[ann, 018f3406-9e00-0123-4567-89abcdef0101] [bob, null]");
        trino.execute("CREATE TABLE plain.public.copy AS SELECT * FROM plain.public.account");
        equal("nor in a copy", rows("DESCRIBE plain.public.copy"), "[name, varchar, , ] [u, uuid, , ]");
        equal("with the settings, ids and arrays are text", rows("SELECT id, name, refs FROM account ORDER BY id"),
            "[" + a + ", ann, [" + b + ", null]] [" + b + ", bob, null]");
        String condition = "SELECT name FROM account WHERE id = '" + a + "'";
        equal("a condition", rows(condition), "[ann]");
        equal("the condition runs in Trino", rows("EXPLAIN " + condition).contains("filterPredicate"), true);
        fails("Underlying type that is mapped to VARCHAR is not supported for INSERT: ulid",
            () -> trino.execute("INSERT INTO account (id) VALUES ('" + b + "')"));
        equal("a view", rows("SELECT id, to_iso8601(made) FROM plain.public.account_text WHERE name = 'ann'"),
            "[" + a + ", 2024-05-01T12:00:00.000000Z]");
        equal("a query of PostgreSQL's", rows(QUERY), "[" + b + ", bob]");
        System.exit(0);
    }
}
