package clients;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import io.debezium.engine.format.KeyValueHeaderChangeEventFormat;
import java.io.StringReader;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;

/** Debezium's engine, with the settings of doc/pipelines.md and with those that it warns about. */
class Debezium extends Tap implements AutoCloseable {
    static final String SETTINGS = """
        // doc/pipelines.md: connector.class=
        """, OUTBOX = """
        // doc/pipelines.md: transforms=outbox
        """, TEXT = """
        // doc/pipelines.md: publication.name=generated
        """, TEXT_SQL = """
        // doc/pipelines.md: CREATE TABLE app.account
        """;
    static final String CONVERTER_ONLY = "include.unknown.datatypes=", SETTING_ONLY = "converters=",
        NEITHER = CONVERTER_ONLY + "\n" + SETTING_ONLY;
    static final String UUID = "018f3406-9e00-7000-8000-000000000000";
    static Statement database;
    static int engines;

    final List<ChangeEvent<String, String>> events = new CopyOnWriteArrayList<>();
    final DebeziumEngine<?> engine;
    final Thread thread;
    volatile String error;

    /** Starts with the page's settings and these changes. A setting with an empty value is taken away. */
    Debezium(String... changes) throws Exception {
        String name = "engine" + ++engines + "_" + PORT;
        Properties settings = new Properties();
        settings.load(new StringReader(SETTINGS + """
            database.hostname=127.0.0.1
            slot.drop.on.stop=true
            tombstones.on.delete=false
            key.converter.schemas.enable=false
            value.converter.schemas.enable=false
            header.converter.schemas.enable=false
            offset.storage=org.apache.kafka.connect.storage.MemoryOffsetBackingStore
            """ + String.join("\n", "database.port=" + PORT, "database.dbname=" + System.getenv("PGDATABASE"),
            "name=" + name, "slot.name=" + name, "publication.name=" + name, String.join("\n", changes))));
        settings.values().removeIf(""::equals);
        var format = KeyValueHeaderChangeEventFormat.of(Json.class, Json.class, Json.class);
        engine = DebeziumEngine.create(format).using(settings)
            .notifying(event -> {
                events.add(event);
            }).using((success, message, cause) -> {
                error = "";
                for (Throwable e = cause; e != null; e = e.getCause())
                    error += e.getMessage() + "; ";
            }).build();
        thread = new Thread(engine);
        thread.start();
    }

    /** Waits for so many events, and a second for more. */
    Debezium await(int count) throws Exception {
        for (int seen = -1, i = 0; (events.size() < count || seen < events.size()) && error == null && i < 120; i++) {
            seen = events.size();
            Thread.sleep(1000);
        }
        if (events.size() < count)
            System.out.println("# " + events.size() + " events of " + count + "; " + error);
        return this;
    }

    String keys() {
        return show(String.join(" ", events.stream().map(ChangeEvent::key).toList()));
    }

    JsonNode field(int event, String name) throws Exception {
        return new ObjectMapper().readTree(events.get(event).value()).get(name);
    }

    String after(int event) throws Exception {
        return show(field(event, "after").toString());
    }

    void stopped(String name, String message) throws Exception {
        thread.join(120000);
        equal(name + ": " + message, error != null && error.contains(message) ? message : error, message);
    }

    @Override
    public void close() throws Exception {
        if (error == null)
            engine.close();
        thread.join(120000);
    }

    /** A, B and C stand for ids, in statements as $A and so on. */
    static String show(String text) {
        for (int i = 0; i < 3; i++)
            text = text.replace(IDS.get(i), "ABC".substring(i, i + 1))
                .replace(Base64.getEncoder().encodeToString(IDS.get(i).getBytes()), "base64-" + "ABC".charAt(i));
        return text.replace(UUID, "uuid").replace("\"", "");
    }

    static void sql(String... statements) throws Exception {
        for (String statement : statements)
            database.execute(statement.replace("$A", IDS.get(0)).replace("$B", IDS.get(1)).replace("$C", IDS.get(2)));
    }

    static void schema(String... statements) throws Exception {
        sql("DROP SCHEMA IF EXISTS app CASCADE; CREATE SCHEMA app; CREATE DOMAIN app.order_id AS ulid");
        sql(statements);
    }

    static Debezium account(String... changes) throws Exception {
        schema("CREATE TABLE app.account (id ulid PRIMARY KEY, refs ulid[], placed app.order_id, d ulid DEFAULT '$C')",
            "CREATE TABLE app.item (id ulid, k uuid, PRIMARY KEY (id, k))",
            "INSERT INTO app.account VALUES ('$A', '{$B,NULL}', '$C')",
            "INSERT INTO app.item VALUES ('$A', '" + UUID + "')");
        Debezium connector = new Debezium(changes).await(2);
        sql("INSERT INTO app.account VALUES ('$B', '{$A,NULL}', '$C')",
            "INSERT INTO app.item VALUES ('$B', '" + UUID + "')");
        return connector;
    }

    /** An incremental snapshot of 35 rows in chunks of 10: the number of its events, and of their keys. */
    static String incremental(String... changes) throws Exception {
        schema("CREATE TABLE app.signal (id text PRIMARY KEY, type text, data text)",
            "CREATE TABLE app.account (id ulid PRIMARY KEY DEFAULT gen_ulid())");
        try (Debezium connector = new Debezium("signal.data.collection=app.signal",
            "incremental.snapshot.chunk.size=10", "snapshot.mode=no_data", String.join("\n", changes))) {
            connector.await(0);
            sql("INSERT INTO app.account SELECT FROM generate_series(1, 35)");
            connector.await(35).events.clear();
            sql("INSERT INTO app.signal VALUES (1, 'execute-snapshot', '{\"data-collections\": [\"app.account\"]}')");
            connector.await(6).await(6);
            var keys = connector.events.stream().filter(event -> event.destination().endsWith("account"))
                .map(ChangeEvent::key).toList();
            return keys.size() + " events, " + keys.stream().distinct().count() + " keys";
        }
    }

    static Debezium outbox(String... changes) throws Exception {
        schema("CREATE TABLE app.outbox"
            + "(id ulid PRIMARY KEY, aggregatetype text, aggregateid ulid, type text, payload jsonb)");
        Debezium connector = new Debezium(OUTBOX, String.join("\n", changes)).await(0);
        sql("INSERT INTO app.outbox VALUES ('$A', 'order', '$B', 'placed', '{}')");
        return connector;
    }

    public static void main(String[] args) throws Exception {
        database = DriverManager.getConnection(URL, "postgres", "").createStatement();
        try (Debezium connector = account().await(4)) {
            equal("keys and composite keys", connector.keys(), "{id:A} {id:A,k:uuid} {id:B} {id:B,k:uuid}");
            equal("snapshot: arrays, domains, defaults", connector.after(0), "{id:A,refs:[B,null],placed:C,d:C}");
            equal("streaming: arrays, domains, defaults", connector.after(2), "{id:B,refs:[A,null],placed:C,d:C}");
            sql("UPDATE app.account SET refs = '[2:3]={$C,NULL}', placed = NULL WHERE id = '$B'",
                "UPDATE app.account SET refs = '{}', d = NULL WHERE id = '$B'",
                "UPDATE app.account SET refs = ARRAY(SELECT gen_ulid() FROM generate_series(1, 999)) WHERE id = '$B'",
                "UPDATE app.account SET placed = '$A' WHERE id = '$B'",
                "UPDATE app.account SET refs = '{{$A}}' WHERE id = '$B'");
            connector.await(9);
            equal("an array with a lower bound", connector.after(4), "{id:B,refs:[C,null],placed:null,d:C}");
            equal("an empty array", connector.after(5), "{id:B,refs:[],placed:null,d:null}");
            equal("a large array", connector.field(6, "after").get("refs").size(), 999);
            equal("the same, unchanged", connector.after(7),
                "{id:B,refs:[__debezium_unavailable_value],placed:A,d:null}");
            equal("an array of two dimensions", connector.after(8), "{id:B,refs:null,placed:A,d:null}");
        }
        schema("CREATE TABLE app.event (id ulid PRIMARY KEY, ref ulid NOT NULL) PARTITION BY RANGE (id)",
            "CREATE TABLE app.event_1 PARTITION OF app.event FOR VALUES FROM (MINVALUE) TO ('$B')",
            "CREATE TABLE app.event_2 PARTITION OF app.event FOR VALUES FROM ('$B') TO (MAXVALUE)",
            "ALTER TABLE app.event_2 REPLICA IDENTITY FULL", "INSERT INTO app.event VALUES ('$A', '$B')");
        String root = "publish.via.partition.root=true";
        try (Debezium connector = new Debezium(root, "table.include.list=app.event").await(1)) {
            sql("INSERT INTO app.event VALUES ('$C', '$A')", "DELETE FROM app.event WHERE id = '$A'",
                "DELETE FROM app.event");
            connector.await(4);
            equal("partitions, DELETE: keys", connector.keys(), "{id:A} {id:C} {id:A} {id:C}");
            equal("before of DELETE, NOT NULL", show(connector.field(2, "before").toString()), "{id:A,ref:}");
            equal("before of DELETE, FULL", show(connector.field(3, "before").toString()), "{id:C,ref:A}");
        }
        equal("an incremental snapshot of 35 rows", incremental(), "35 events, 35 keys");
        try (Debezium connector = outbox().await(1)) {
            ChangeEvent<String, String> event = connector.events.get(0);
            equal("outbox: topic and key", event.destination() + " " + connector.keys(), "outbox.event.order B");
            equal("outbox: header", event.headers().stream().filter(header -> header.getKey().equals("id"))
                .map(header -> show(header.getValue().toString())).toList(), List.of("A"));
        }

        // Settings that fail, as the page says
        try (Debezium connector = account(NEITHER).await(4)) {
            equal("neither setting: keys, with a uuid", connector.keys(), "{} {k:uuid} {} {k:uuid}");
            equal("neither setting: rows", connector.after(2), "{}");
        }
        equal("neither setting: an incremental snapshot of 35 rows", incremental(NEITHER), "4 events, 1 keys");
        try (Debezium connector = outbox(NEITHER)) {
            connector.stopped("neither setting: an outbox stops", "id is not a valid field name");
        }
        try (Debezium connector = account(SETTING_ONLY).await(4)) {
            equal("without the converter", connector.after(2), "{id:base64-B,refs:null,placed:base64-C,d:base64-C}");
        }
        try (Debezium connector = account("ulid.domains=").await(4)) {
            equal("a domain that is not listed", connector.after(2), "{id:B,refs:[A,null],placed:base64-C,d:C}");
        }
        try (Debezium connector = account(CONVERTER_ONLY)) {
            equal("only the converter: snapshot", connector.after(0), "{id:A,refs:[B,null],placed:C,d:C}");
            connector.stopped("only the converter",
                "the key app.account.id has no value: set include.unknown.datatypes=true");
        }
        schema("CREATE TABLE app.item (n int PRIMARY KEY, ref ulid NOT NULL, ref2 ulid)");
        try (Debezium connector = new Debezium(CONVERTER_ONLY).await(0)) {
            sql("INSERT INTO app.item VALUES (1, '$A', '$B')");
            equal("only the converter: other columns", connector.await(1).after(0), "{n:1,ref:,ref2:null}");
        }

        if (database.getConnection().getMetaData().getDatabaseMajorVersion() < 18) {
            System.out.println("ok - a column of text # SKIP before PostgreSQL 18");
            return;
        }
        schema(TEXT_SQL, "INSERT INTO app.account VALUES ('$A')");
        try (Debezium connector = new Debezium(NEITHER, TEXT).await(1)) {
            sql("INSERT INTO app.account VALUES ('$B'), ('$C')", "DELETE FROM app.account WHERE id < '$C'");
            connector.await(5);
            equal("a column of text", connector.keys(), "{id_text:A} {id_text:B} {id_text:C} {id_text:A} {id_text:B}");
            sql("ALTER TABLE app.account REPLICA IDENTITY DEFAULT", "DELETE FROM app.account");
            String last = connector.await(6).events.get(5).key();
            equal("a column of text, with the default replica identity", show(last), "{id_text:(id)::text}");
        }
    }
}
