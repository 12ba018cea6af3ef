package pgulid;

import static org.jooq.impl.DSL.*;
import static org.junit.jupiter.api.Assertions.*;
import static pgulid.Server.*;
import static pgulid.generated.tables.Message.MESSAGE;
import static pgulid.jooq.UlidConverter.ULID;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.codegen.GenerationTool;
import org.jooq.conf.Settings;
import org.jooq.conf.StatementType;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.meta.jaxb.Jdbc;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

class JooqTest {
    static PGSimpleDataSource source;
    static DSLContext db;

    static class PERSON { // a uuid column needs no converter
        static final Field<UUID> ID = field(name("id"), SQLDataType.UUID);
    }

    @BeforeAll static void connect() throws SQLException {
        source = database("jooq");
        db = DSL.using(source, SQLDialect.POSTGRES);
        db.execute("ALTER TABLE message ADD mentions ulid[]");
        db.execute("CREATE TABLE person (id uuid DEFAULT gen_uuidv7())");
    }

    @BeforeEach void rows() {
        db.truncate(MESSAGE).execute();
        for (String id : IDS)
            db.insertInto(MESSAGE).set(MESSAGE.ID, id).execute();
    }

    /** generated/ is what jOOQ's generator makes of jooq.xml; to renew it, copy what this test wrote. */
    @Test void generatedCode(@TempDir Path directory) throws Exception {
        try (InputStream file = getClass().getResourceAsStream("/jooq.xml")) {
            var configuration = GenerationTool.load(file);
            configuration.withJdbc(new Jdbc().withUrl(source.getURL()).withUser(source.getUser())
                .withPassword(source.getPassword())).getGenerator().getTarget().setDirectory(directory.toString());
            GenerationTool.generate(configuration);
        }
        try (var files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList())
                assertEquals(Files.readString(file),
                    Files.readString(Path.of("src/test/java").resolve(directory.relativize(file))));
        }
    }

    @Test void theDefaultComesBack() {
        String id = db.insertInto(MESSAGE, MESSAGE.BODY).values("hello").returning(MESSAGE.ID).fetchOne(MESSAGE.ID);
        assertEquals(26, id.length());
        assertEquals("hello", db.fetchOne(MESSAGE, MESSAGE.ID.eq(id.toLowerCase())).get(MESSAGE.BODY));
        String next = db.insertInto(MESSAGE).defaultValues().returning(MESSAGE.ID).fetchOne(MESSAGE.ID);
        assertTrue(next.compareTo(id) > 0);
    }

    List<String> ids(Condition condition) {
        return db.select(MESSAGE.ID).from(MESSAGE).where(condition).orderBy(MESSAGE.ID).fetch(MESSAGE.ID);
    }

    @Test void conditions() {
        assertEquals(IDS.subList(0, 2), ids(MESSAGE.ID.in(IDS.get(0), IDS.get(1).toLowerCase())));
        assertEquals(IDS.subList(1, 3), ids(MESSAGE.ID.gt(IDS.get(0))));
        assertEquals(IDS.subList(1, 2), ids(MESSAGE.ID.eq(inline(IDS.get(1), MESSAGE.ID))));
        assertEquals(IDS.get(2), db.select(max(MESSAGE.ID)).from(MESSAGE).fetchOne().value1());
        assertEquals(IDS.subList(1, 3), db.select(MESSAGE.ID).from(MESSAGE).orderBy(MESSAGE.ID)
            .seek(IDS.get(0)).limit(2).fetch(MESSAGE.ID));
        db.transaction(transaction -> {
            transaction.dsl().execute("SET LOCAL enable_seqscan = off");
            String plan = transaction.dsl().explain(
                db.selectFrom(MESSAGE).where(MESSAGE.ID.gt(IDS.get(0)))).plan();
            assertTrue(plan.contains("Index Cond: "), plan);
        });
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
        for (var type : List.of(StatementType.PREPARED_STATEMENT, StatementType.STATIC_STATEMENT)) {
            DSLContext db = DSL.using(source, SQLDialect.POSTGRES, new Settings().withStatementType(type));
            db.update(MESSAGE).set(MESSAGE.MENTIONS, mentions).where(MESSAGE.ID.eq(IDS.get(2))).execute();
            assertArrayEquals(stored, db.fetchOne(MESSAGE, MESSAGE.ID.eq(IDS.get(2))).get(MESSAGE.MENTIONS));
            assertNull(db.fetchOne(MESSAGE, MESSAGE.ID.eq(IDS.get(0))).get(MESSAGE.MENTIONS));
            String[] one = {IDS.get(0)};
            if (type == StatementType.PREPARED_STATEMENT)
                assertEquals(1, db.fetchCount(MESSAGE, MESSAGE.MENTIONS.contains(one)));
            else // jOOQ writes an array of UUIDs as uuid[]
                Server.fails("operator does not exist: ulid[] @> uuid[]",
                    () -> db.fetchCount(MESSAGE, MESSAGE.MENTIONS.contains(one)));
            for (String text : List.of("A,B", "NULL", "", "\"", "\\", "{}", "'"))
                Server.fails("Invalid ULID",
                    () -> db.update(MESSAGE).set(MESSAGE.MENTIONS, new String[] {text}).execute());
        }
    }

    @Test void anyAndAggregates() {
        String[] wanted = {IDS.get(1).toLowerCase(), IDS.get(2)};
        assertEquals(IDS.subList(1, 3), ids(MESSAGE.ID.eq(any(wanted))));
        assertEquals(IDS.subList(1, 3), ids(MESSAGE.ID.eq(any(val(wanted, MESSAGE.MENTIONS)))));
        assertArrayEquals(IDS.toArray(), db.select(arrayAgg(MESSAGE.ID)).from(MESSAGE).fetchOne().value1());
        assertNull(db.select(arrayAgg(MESSAGE.ID)).from(MESSAGE).where(falseCondition()).fetchOne().value1());
        assertEquals(IDS.get(0), db.select(coalesce(val(null, ULID), val(IDS.get(0), ULID))).fetchOne().value1());
    }

    @Test void multisets() { // which do not convert: on uuid columns, they have UUIDs
        assertEquals(IDS, db.select(multiset(select(MESSAGE.ID).from(MESSAGE).orderBy(MESSAGE.ID)))
            .fetchOne().value1().map(row -> row.value1()));
    }

    /** The same code runs while the columns are uuids. */
    @Test void columnsThatAreStillUuids() {
        try {
            db.execute("ALTER TABLE message ALTER id DROP DEFAULT, ALTER id TYPE uuid, ALTER mentions TYPE uuid[]");
            db.execute("ALTER TABLE message ALTER id SET DEFAULT gen_uuidv7()");
            anyAndAggregates();
            assertEquals(IDS.subList(1, 3), ids(MESSAGE.ID.gt(IDS.get(0))));
            assertEquals(IDS.subList(1, 2), ids(MESSAGE.ID.eq(inline(IDS.get(1), MESSAGE.ID))));
            assertEquals(26, db.insertInto(MESSAGE, MESSAGE.BODY).values("hello").returning(MESSAGE.ID)
                .fetchOne(MESSAGE.ID).length());
        } finally {
            db.execute("ALTER TABLE message ALTER id DROP DEFAULT, ALTER id TYPE ulid, ALTER mentions TYPE ulid[]");
            db.execute("ALTER TABLE message ALTER id SET DEFAULT gen_ulid()");
        }
    }

    @Test void texts() {
        reads(text -> db.select(val(text, MESSAGE.ID)).fetchOne().value1());
        reads(text -> db.select(val(new String[] {text}, MESSAGE.MENTIONS)).fetchOne().value1()[0]);
        Server.fails("Invalid ULID", () -> db.fetchOne(MESSAGE, MESSAGE.ID.eq("not an id")));
    }

    @Test void codeForUuidsReadsNull() {
        assertNull(db.select(PERSON.ID).from(MESSAGE).fetch(PERSON.ID).get(0));
    }
}
