package pgulid.debezium;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import io.debezium.engine.format.KeyValueHeaderChangeEventFormat;
import java.io.StringReader;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Debezium's engine, with the settings of doc/pipelines.md, and with those that it warns about. */
class DebeziumTest {
    static final String SETTINGS = """
        connector.class=io.debezium.connector.postgresql.PostgresConnector
        plugin.name=pgoutput
        database.hostname=localhost
        database.port=5432
        database.user=postgres
        database.password=secret
        database.dbname=shop
        topic.prefix=shop
        slot.name=debezium
        publication.name=debezium
        publication.autocreate.mode=filtered
        publish.via.partition.root=true
        table.include.list=app.account,app.item,app.event
        converters=ulid
        ulid.type=pgulid.debezium.UlidConverter
        ulid.domains=order_id
        include.unknown.datatypes=true
        """;
    static final String OUTBOX = """
        table.include.list=app.outbox
        transforms=outbox
        transforms.outbox.type=io.debezium.transforms.outbox.EventRouter
        """;
    static final String TEXT = """
        publication.name=generated
        publication.autocreate.mode=disabled
        message.key.columns=app.account:id_text
        """;
    static final String TEXT_SQL = """
        CREATE TABLE app.account (id ulid PRIMARY KEY DEFAULT gen_ulid(),
            id_text text GENERATED ALWAYS AS (id::text) STORED NOT NULL UNIQUE);
        ALTER TABLE app.account REPLICA IDENTITY USING INDEX account_id_text_key;
        CREATE PUBLICATION generated FOR TABLE app.account WITH (publish_generated_columns = stored);
        """;
    static final String SIGNAL = """
        CREATE TABLE app.signal (id text PRIMARY KEY, type text, data text);
        INSERT INTO app.signal
        VALUES ('1', 'execute-snapshot', '{"data-collections": ["app.account"]}');
        """;
    static final String CONVERTER_ONLY = "include.unknown.datatypes=", SETTING_ONLY = "converters=",
        NEITHER = CONVERTER_ONLY + "\n" + SETTING_ONLY;
    static final List<String> IDS =
        List.of("01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3");
    static final String UUID = "018f3406-9e00-0123-4567-89abcdef0101";
    static Server server;
    static Statement database;
    static int engines;

    @BeforeAll
    static void connect() throws Exception {
        server = new Server("ulid_debezium");
        database = server.connection.createStatement();
    }

    @AfterAll
    static void drop() throws Exception {
        server.close();
    }

    static class Connector implements AutoCloseable {
        final List<ChangeEvent<String, String>> events = new CopyOnWriteArrayList<>();
        final DebeziumEngine<?> engine;
        final Thread thread;
        volatile String error;

        /** Starts with the page's settings and these changes. A setting with an empty value is taken away. */
        Connector(String... changes) throws Exception {
            String name = "engine" + ++engines + "_" + server.port;
            Properties settings = new Properties();
            settings.load(new StringReader(SETTINGS + """
                slot.drop.on.stop=true
                tombstones.on.delete=false
                key.converter.schemas.enable=false
                value.converter.schemas.enable=false
                header.converter.schemas.enable=false
                offset.storage=org.apache.kafka.connect.storage.MemoryOffsetBackingStore
                """ + String.join("\n", "database.hostname=" + server.host, "database.port=" + server.port,
                "database.user=" + server.user, "database.password=" + server.password,
                "database.dbname=" + server.database, "name=" + name, "slot.name=" + name, "publication.name=" + name,
                String.join("\n", changes))));
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
        Connector await(int count) throws Exception {
            for (int seen = -1, i = 0; i < 120 && error == null && (events.size() < count || seen < events.size()); i++) {
                seen = events.size();
                Thread.sleep(1000);
            }
            assertTrue(events.size() >= count, () -> events.size() + " events of " + count + "; " + error);
            return this;
        }

        String keys() {
            return show(String.join(" ", events.stream().map(ChangeEvent::key).toList()));
        }

        Stream<String> topics() {
            return events.stream().map(ChangeEvent::destination);
        }

        JsonNode field(int event, String name) throws Exception {
            return new ObjectMapper().readTree(events.get(event).value()).get(name);
        }

        String after(int event) throws Exception {
            return show(field(event, "after").toString());
        }

        void stopped(String message) throws Exception {
            thread.join(120000);
            assertTrue(error != null && error.contains(message), error);
        }

        @Override
        public void close() throws Exception {
            if (error == null)
                engine.close();
            thread.join(120000);
        }
    }

    /** A, B and C stand for ids, in statements as $A and so on. */
    static String show(String text) {
        for (int i = 0; i < 3; i++)
            text = text.replace(IDS.get(i), "ABC".substring(i, i + 1))
                .replace(Base64.getEncoder().encodeToString(IDS.get(i).getBytes()), "base64-" + "ABC".charAt(i));
        return text.replace(UUID, "uuid").replace("\"", "");
    }

    static void sql(String... statements) throws SQLException {
        for (String statement : statements)
            database.execute(statement.replace("$A", IDS.get(0)).replace("$B", IDS.get(1)).replace("$C", IDS.get(2)));
    }

    static void schema(String... statements) throws SQLException {
        sql("DROP SCHEMA IF EXISTS app CASCADE; CREATE SCHEMA app; CREATE DOMAIN app.order_id AS ulid");
        sql(statements);
    }

    static Connector account(String... changes) throws Exception {
        schema("CREATE TABLE app.account (id ulid PRIMARY KEY, refs ulid[], placed app.order_id, d ulid DEFAULT '$C')",
            "CREATE TABLE app.item (id ulid, k uuid, PRIMARY KEY (id, k))",
            "INSERT INTO app.account VALUES ('$A', '{$B,NULL}', '$C')",
            "INSERT INTO app.item VALUES ('$A', '" + UUID + "')");
        Connector connector = new Connector(changes).await(2);
        sql("INSERT INTO app.account VALUES ('$B', '{$A,NULL}', '$C')",
            "INSERT INTO app.item VALUES ('$B', '" + UUID + "')");
        return connector;
    }

    @Test
    void keysArraysDomainsAndDefaultsAreTexts() throws Exception {
        try (Connector connector = account().await(4)) {
            assertEquals("{id:A} {id:A,k:uuid} {id:B} {id:B,k:uuid}", connector.keys());
            assertEquals("{id:A,refs:[B,null],placed:C,d:C}", connector.after(0), "snapshot");
            assertEquals("{id:B,refs:[A,null],placed:C,d:C}", connector.after(2), "streaming");
            sql("UPDATE app.account SET refs = '[2:3]={$C,NULL}', placed = NULL WHERE id = '$B'",
                "UPDATE app.account SET refs = '{}', d = NULL WHERE id = '$B'",
                "UPDATE app.account SET refs = ARRAY(SELECT gen_ulid() FROM generate_series(1, 999)) WHERE id = '$B'",
                "UPDATE app.account SET placed = '$A' WHERE id = '$B'",
                "UPDATE app.account SET refs = '{{$A}}' WHERE id = '$B'");
            connector.await(9);
            assertEquals("{id:B,refs:[C,null],placed:null,d:C}", connector.after(4), "a lower bound");
            assertEquals("{id:B,refs:[],placed:null,d:null}", connector.after(5), "an empty array");
            assertEquals(999, connector.field(6, "after").get("refs").size(), "a large array");
            assertEquals("{id:B,refs:[__debezium_unavailable_value],placed:A,d:null}", connector.after(7), "unchanged");
            assertEquals("{id:B,refs:null,placed:A,d:null}", connector.after(8), "two dimensions");
        }
    }

    @Test
    void partitionsHaveTheTopicOfTheirParent() throws Exception {
        schema("CREATE TABLE app.event (id ulid PRIMARY KEY, ref ulid NOT NULL) PARTITION BY RANGE (id)",
            "CREATE TABLE app.event_1 PARTITION OF app.event FOR VALUES FROM (MINVALUE) TO ('$B')",
            "CREATE TABLE app.event_2 PARTITION OF app.event FOR VALUES FROM ('$B') TO (MAXVALUE)",
            "ALTER TABLE app.event_2 REPLICA IDENTITY FULL", "INSERT INTO app.event VALUES ('$A', '$B')");
        try (Connector connector = new Connector().await(1)) {
            sql("INSERT INTO app.event VALUES ('$C', '$A')", "DELETE FROM app.event WHERE id = '$A'",
                "DELETE FROM app.event");
            connector.await(4);
            assertEquals("{id:A} {id:C} {id:A} {id:C}", connector.keys());
            assertEquals(List.of("shop.app.event"), connector.topics().distinct().toList());
            assertEquals("{id:A,ref:}", show(connector.field(2, "before").toString()), "before of DELETE, NOT NULL");
            assertEquals("{id:C,ref:A}", show(connector.field(3, "before").toString()), "before of DELETE, FULL");
        }
        sql("INSERT INTO app.event VALUES ('$A', '$B')");
        try (Connector connector = new Connector("publish.via.partition.root=", "table.include.list=app.*").await(2)) {
            sql("INSERT INTO app.event VALUES ('$C', '$A')");
            connector.await(3);
            assertEquals(List.of("shop.app.event", "shop.app.event_1", "shop.app.event_2"),
                connector.topics().toList(), "without the setting");
        }
    }

    /** An incremental snapshot of 35 rows in chunks of 10: the number of its events, and of their keys. */
    static String incremental(String... changes) throws Exception {
        schema(SIGNAL.split(";")[0],
            "CREATE TABLE app.account (id ulid PRIMARY KEY DEFAULT gen_ulid())");
        try (Connector connector = new Connector("signal.data.collection=app.signal",
            "incremental.snapshot.chunk.size=10", "snapshot.mode=no_data", String.join("\n", changes))) {
            connector.await(0);
            sql("INSERT INTO app.account SELECT FROM generate_series(1, 35)");
            connector.await(35).events.clear();
            sql(SIGNAL.split(";")[1]);
            connector.await(4).await(4);
            Thread.sleep(2000);
            var keys = connector.await(4).events.stream().filter(event -> event.destination().endsWith("account"))
                .map(ChangeEvent::key).toList();
            return keys.size() + " events, " + keys.stream().distinct().count() + " keys";
        }
    }

    @Test
    void anIncrementalSnapshotNeedsTheSettings() throws Exception {
        assertEquals("35 events, 35 keys", incremental());
        assertEquals("4 events, 1 keys", incremental(NEITHER));
    }

    @Test
    void afterAChangeOfTheTypeADeleteHasAKeyThatNoTopicHas() throws Exception {
        for (String[] types : new String[][] {{"uuid", "ulid", "{id:uuid} {id:A} {id:A}"},
            {"ulid", "uuid", "{id:A} {id:uuid} {id:uuid}"}}) {
            schema("CREATE TABLE app.account (id " + types[0] + " PRIMARY KEY)",
                "INSERT INTO app.account VALUES ('" + UUID + "')");
            try (Connector connector = new Connector("tombstones.on.delete=true").await(1)) {
                sql("ALTER TABLE app.account ALTER id TYPE " + types[1], "DELETE FROM app.account");
                assertEquals(types[2], connector.await(3).keys());
                assertEquals(null, connector.events.get(2).value(), "a tombstone");
            }
        }
    }

    static Connector outbox(String... changes) throws Exception {
        schema("CREATE TABLE app.outbox"
            + "(id ulid PRIMARY KEY, aggregatetype text, aggregateid ulid, type text, payload jsonb)");
        Connector connector = new Connector(OUTBOX, String.join("\n", changes)).await(0);
        sql("INSERT INTO app.outbox VALUES ('$A', 'order', '$B', 'placed', '{}')");
        return connector;
    }

    @Test
    void anOutboxNeedsTheSettings() throws Exception {
        try (Connector connector = outbox().await(1)) {
            ChangeEvent<String, String> event = connector.events.get(0);
            assertEquals("outbox.event.order B", event.destination() + " " + connector.keys());
            assertEquals(List.of("A"), event.headers().stream().filter(header -> header.getKey().equals("id"))
                .map(header -> show(header.getValue().toString())).toList());
        }
        try (Connector connector = outbox(NEITHER)) {
            connector.stopped("id is not a valid field name");
        }
    }

    @Test
    void withoutTheSettingsIdsAreLost() throws Exception {
        try (Connector connector = account(NEITHER).await(4)) {
            assertEquals("{} {k:uuid} {} {k:uuid}", connector.keys());
            assertEquals("{}", connector.after(2));
        }
        try (Connector connector = account(SETTING_ONLY).await(4)) {
            assertEquals("{id:base64-B,refs:null,placed:base64-C,d:base64-C}", connector.after(2));
        }
        try (Connector connector = account(CONVERTER_ONLY)) {
            assertEquals("{id:A,refs:[B,null],placed:C,d:C}", connector.after(0), "snapshot");
            connector.stopped("the key app.account.id has no value: set include.unknown.datatypes=true");
        }
        schema("CREATE TABLE app.item (n int PRIMARY KEY, ref ulid NOT NULL, ref2 ulid)");
        try (Connector connector = new Connector(CONVERTER_ONLY).await(0)) {
            sql("INSERT INTO app.item VALUES (1, '$A', '$B')");
            assertEquals("{n:1,ref:,ref2:null}", connector.await(1).after(0));
        }
    }

    @Test
    void anUnlistedDomainOverUlidStopsTheConnector() throws Exception {
        schema("CREATE TABLE app.account (placed app.order_id PRIMARY KEY, id ulid)",
            "INSERT INTO app.account VALUES ('$A', '$A')");
        try (Connector connector = new Connector("ulid.domains=")) {
            connector.stopped("app.account.placed has the domain order_id over ulid: list it in the option domains");
        }
        schema("CREATE DOMAIN app.nested AS app.order_id", "CREATE TABLE app.item (id ulid PRIMARY KEY, n app.nested)",
            "INSERT INTO app.item VALUES ('$A', '$A')");
        try (Connector connector = new Connector()) {
            connector.stopped("app.item.n has the domain nested over ulid: list it in the option domains");
        }
        schema("CREATE TABLE app.item (n int PRIMARY KEY, placed app.order_id)",
            "INSERT INTO app.item VALUES (1, '$A')");
        try (Connector connector = new Connector("ulid.domains=").await(1)) {
            assertEquals("{n:1,placed:base64-A}", connector.after(0), "without a column of the type ulid");
        }
    }

    @Test
    void anUnlistedArrayOfADomainIsBase64AndItsNullsLoseIt() throws Exception {
        schema("CREATE TABLE app.item (id ulid PRIMARY KEY, placed app.order_id[])",
            "CREATE TABLE app.account (id ulid PRIMARY KEY, placed app.order_id[] NOT NULL)",
            "INSERT INTO app.item VALUES ('$A', '{$B,$C}'), ('$B', '{$A,NULL}')");
        try (Connector connector = new Connector("ulid.domains=").await(2)) {
            assertEquals("{id:A,placed:[base64-B,base64-C]}", connector.after(0));
            assertEquals("{id:B,placed:null}", connector.after(1));
            sql("INSERT INTO app.account VALUES ('$A', '{$B,NULL}')");
            connector.stopped("Invalid value: null used for required field");
        }
    }

    @Test
    void aColumnOfTextNeedsNoConverter() throws Exception {
        if (database.getConnection().getMetaData().getDatabaseMajorVersion() < 18)
            Assumptions.abort("PostgreSQL 18 and later publish generated columns");
        schema(TEXT_SQL, "INSERT INTO app.account VALUES ('$A')");
        try (Connector connector = new Connector(NEITHER, TEXT).await(1)) {
            sql("INSERT INTO app.account VALUES ('$B'), ('$C')", "DELETE FROM app.account WHERE id < '$C'");
            connector.await(5);
            assertEquals("{id_text:A} {id_text:B} {id_text:C} {id_text:A} {id_text:B}", connector.keys());
            sql("ALTER TABLE app.account REPLICA IDENTITY DEFAULT", "DELETE FROM app.account");
            String last = connector.await(6).events.get(5).key();
            assertEquals("{id_text:(id)::text}", show(last), "with the default replica identity");
        }
    }
}
