package pipelines;

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
class Trino {
    static final String SETTINGS = """
        unsupported-type-handling=CONVERT_TO_VARCHAR
        postgresql.array-mapping=AS_ARRAY
        """, VIEW = """
        CREATE VIEW account_text AS SELECT id::text, id::timestamptz AS made, name FROM account;
        """, QUERY = """
        SELECT * FROM TABLE(shop.system.query(
            'SELECT id::text, name FROM account WHERE id >= ''2024-05-01 12:30Z''::timestamptz'))
        """;
    static final String A = "01HWT0D7G004HMASW9NF6YY081", B = "01HWT3V34004HMASW9NF6YY0G2";
    static final String URL = "jdbc:postgresql://" + System.getenv("PGHOST") + ":" + System.getenv("PGPORT") + "/"
        + System.getenv("PGDATABASE");
    static QueryRunner trino;

    static void equal(String name, Object got, Object expected) {
        boolean same = expected.equals(got);
        System.out.println((same ? "ok - " : "not ok - ") + name);
        if (!same)
            System.out.println("# got " + got + "\n# expected " + expected);
    }

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
        try (var database = DriverManager.getConnection(URL, "postgres", ""); var sql = database.createStatement()) {
            sql.execute("CREATE TABLE account (id ulid PRIMARY KEY, name text, refs ulid[], u uuid);"
                + "INSERT INTO account VALUES ('" + A + "', 'ann', '{" + B + ",NULL}', '" + A + "'::ulid),"
                + "('" + B + "', 'bob', NULL, NULL);" + VIEW);
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
            "[" + A + ", ann, [" + B + ", null]] [" + B + ", bob, null]");
        String condition = "SELECT name FROM account WHERE id = '" + A + "'";
        equal("a condition", rows(condition), "[ann]");
        equal("the condition runs in Trino", rows("EXPLAIN " + condition).contains("filterPredicate"), true);
        String message = "Underlying type that is mapped to VARCHAR is not supported for INSERT: ulid", error = "";
        try {
            trino.execute("INSERT INTO account (id) VALUES ('" + B + "')");
        } catch (RuntimeException e) {
            error = e.getMessage();
        }
        equal("INSERT fails", error.contains(message) ? message : error, message);
        equal("a view", rows("SELECT id, to_iso8601(made) FROM plain.public.account_text WHERE name = 'ann'"),
            "[" + A + ", 2024-05-01T12:00:00.000000Z]");
        equal("a query of PostgreSQL's", rows(QUERY), "[" + B + ", bob]");
        System.exit(0);
    }
}
