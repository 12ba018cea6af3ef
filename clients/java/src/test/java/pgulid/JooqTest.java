package pgulid;

import static org.jooq.impl.DSL.*;
import static org.junit.jupiter.api.Assertions.*;
import static pgulid.Server.*;
import static pgulid.jooq.UlidConverter.ULID;

import java.io.InputStream;
import java.net.*;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.*;
import javax.tools.ToolProvider;
import org.jooq.*;
import org.jooq.codegen.GenerationTool;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.meta.jaxb.Jdbc;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

class JooqTest {
    static PGSimpleDataSource source;
    static DSLContext db;
    /** Of the code that jOOQ's generator makes of jooq.xml. */
    static Table<?> message;

    @SuppressWarnings("unchecked")
    static class MESSAGE {
        static final Field<String> ID = (Field<String>) message.field("id"), BODY = (Field<String>) message.field("body");
        static final Field<String[]> MENTIONS = (Field<String[]>) message.field("mentions");
    }

    static class PERSON { // a uuid column needs no converter
        static final Field<UUID> ID = field(name("id"), SQLDataType.UUID);
    }

    @BeforeAll static void connect(@TempDir Path directory) throws Exception {
        source = database("jooq");
        db = DSL.using(source, SQLDialect.POSTGRES);
        db.execute("ALTER TABLE message ADD mentions ulid[]");
        db.execute("CREATE TABLE person (id uuid DEFAULT gen_uuidv7())");
        message = generated(directory);
    }

    @BeforeEach void rows() {
        db.truncate(message).execute();
        for (String id : IDS)
            db.insertInto(message).set(MESSAGE.ID, id).execute();
    }

    static Table<?> generated(Path directory) throws Exception {
        try (InputStream file = JooqTest.class.getResourceAsStream("/jooq.xml")) {
            var configuration = GenerationTool.load(file);
            configuration.withJdbc(new Jdbc().withUrl(source.getURL()).withUser(source.getUser())
                .withPassword(source.getPassword())).getGenerator().getTarget().setDirectory(directory.toString());
            GenerationTool.generate(configuration);
        }
        var command = new ArrayList<>(List.of("-cp", System.getProperty("java.class.path")));
        try (var files = Files.walk(directory)) {
            files.filter(Files::isRegularFile).map(Path::toString).forEach(command::add);
        }
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, command.toArray(String[]::new)));
        var loader = new URLClassLoader(new URL[] {directory.toUri().toURL()}, JooqTest.class.getClassLoader());
        return (Table<?>) loader.loadClass("pgulid.generated.tables.Message").getField("MESSAGE").get(null);
    }

    @Test void theDefaultComesBack() {
        String id = db.insertInto(message, MESSAGE.BODY).values("hello").returning(MESSAGE.ID).fetchOne(MESSAGE.ID);
        assertEquals(26, id.length());
        assertEquals("hello", db.fetchOne(message, MESSAGE.ID.eq(id.toLowerCase())).get(MESSAGE.BODY));
    }

    List<String> ids(Condition condition) {
        return db.select(MESSAGE.ID).from(message).where(condition).orderBy(MESSAGE.ID).fetch(MESSAGE.ID);
    }

    @Test void conditions() {
        assertEquals(IDS.subList(0, 2), ids(MESSAGE.ID.in(IDS.get(0), IDS.get(1).toLowerCase())));
        assertEquals(IDS.subList(1, 3), ids(MESSAGE.ID.gt(IDS.get(0))));
        assertEquals(IDS.subList(1, 2), ids(MESSAGE.ID.eq(inline(IDS.get(1), MESSAGE.ID))));
        assertEquals(IDS.get(2), db.select(max(MESSAGE.ID)).from(message).fetchOne().value1());
        assertEquals(IDS.subList(1, 3), db.select(MESSAGE.ID).from(message).orderBy(MESSAGE.ID)
            .seek(IDS.get(0)).limit(2).fetch(MESSAGE.ID));
    }

    @Test void times() {
        OffsetDateTime begin = NOON.plusHours(1), end = NOON.plusHours(2);
        Condition between =
            condition("{0} >= {1} AND {0} < {2}", MESSAGE.ID, val(begin), val(end));
        assertEquals(IDS.subList(1, 2), ids(between));
    }

    @Test void timesOfUuids() {
        OffsetDateTime begin = OffsetDateTime.now().minusHours(1), end = begin.plusHours(2);
        db.execute("INSERT INTO person DEFAULT VALUES");
        Condition between =
            PERSON.ID.ge(function("uuidv7_min", UUID.class, val(begin)))
                .and(PERSON.ID.lt(function("uuidv7_min", UUID.class, val(end))));
        assertEquals(1, db.fetchCount(table("person"), between));
        assertEquals(0, db.fetchCount(table("person"), PERSON.ID.ge(function("uuidv7_min", UUID.class, val(end)))));
    }

    @Test void arrays() {
        String[] mentions = {IDS.get(0), null, IDS.get(1).toLowerCase()}, stored = {IDS.get(0), null, IDS.get(1)};
        db.update(message).set(MESSAGE.MENTIONS, mentions).where(MESSAGE.ID.eq(IDS.get(2))).execute();
        assertArrayEquals(stored, db.fetchOne(message, MESSAGE.ID.eq(IDS.get(2))).get(MESSAGE.MENTIONS));
        assertNull(db.fetchOne(message, MESSAGE.ID.eq(IDS.get(0))).get(MESSAGE.MENTIONS));
        assertEquals(1, db.fetchCount(message, MESSAGE.MENTIONS.contains(new String[] {IDS.get(0)})));
        for (String text : List.of("A,B", "NULL", "", "\"", "\\", "{}", "'"))
            Server.fails("Invalid ULID", () -> db.update(message).set(MESSAGE.MENTIONS, new String[] {text}).execute());
    }

    @Test void anyAndAggregates() {
        String[] wanted = {IDS.get(1).toLowerCase(), IDS.get(2)};
        assertEquals(IDS.subList(1, 3), ids(MESSAGE.ID.eq(any(wanted))));
        assertEquals(IDS.subList(1, 3), ids(MESSAGE.ID.eq(any(val(wanted, MESSAGE.MENTIONS)))));
        assertArrayEquals(IDS.toArray(), db.select(arrayAgg(MESSAGE.ID)).from(message).fetchOne().value1());
        assertNull(db.select(arrayAgg(MESSAGE.ID)).from(message).where(falseCondition()).fetchOne().value1());
        assertEquals(IDS.get(0), db.select(coalesce(val(null, ULID), val(IDS.get(0), ULID))).fetchOne().value1());
    }

    /** The same code runs while the columns are uuids. */
    @Test void columnsThatAreStillUuids() {
        try {
            db.execute("ALTER TABLE message ALTER id DROP DEFAULT, ALTER id TYPE uuid, ALTER mentions TYPE uuid[]");
            db.execute("ALTER TABLE message ALTER id SET DEFAULT gen_uuidv7()");
            anyAndAggregates();
            assertEquals(IDS.subList(1, 3), ids(MESSAGE.ID.gt(IDS.get(0))));
            assertEquals(IDS.subList(1, 2), ids(MESSAGE.ID.eq(inline(IDS.get(1), MESSAGE.ID))));
            assertEquals(26, db.insertInto(message, MESSAGE.BODY).values("hello").returning(MESSAGE.ID)
                .fetchOne(MESSAGE.ID).length());
        } finally {
            db.execute("ALTER TABLE message ALTER id DROP DEFAULT, ALTER id TYPE ulid, ALTER mentions TYPE ulid[]");
            db.execute("ALTER TABLE message ALTER id SET DEFAULT gen_ulid()");
        }
    }

    @Test void texts() {
        reads(text -> db.select(val(text, MESSAGE.ID)).fetchOne().value1());
        reads(text -> db.select(val(new String[] {text}, MESSAGE.MENTIONS)).fetchOne().value1()[0]);
        Server.fails("Invalid ULID", () -> db.fetchOne(message, MESSAGE.ID.eq("not an id")));
    }

    @Test void codeForUuidsReadsNull() {
        assertNull(db.select(PERSON.ID).from(message).fetch(PERSON.ID).get(0));
    }
}
