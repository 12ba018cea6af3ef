// jOOQ.
package clients;

import static clients.Tap.*;
import static clients.jooq.Tables.MESSAGE;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.val;

import clients.jooq.tables.records.MessageRecord;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.postgresql.ds.PGSimpleDataSource;

public class Jooq {
    public static void main(String[] arguments) throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(URL);
        source.setUser(System.getenv("PGUSER"));
        source.setPassword("trusted");
        DSLContext db = DSL.using(source, org.jooq.SQLDialect.POSTGRES);
        String id = db.insertInto(MESSAGE, MESSAGE.BODY).values("hello").returning(MESSAGE.ID).fetchOne(MESSAGE.ID);
        equal("jOOQ: the default comes back", id.length(), 26);
        equal("jOOQ: find", db.fetchOne(MESSAGE, MESSAGE.ID.eq(id.toLowerCase())).getBody(), "hello");
        MessageRecord record = db.newRecord(MESSAGE);
        record.store();
        equal("jOOQ: a record's default comes back", record.getId().compareTo(id) > 0, true);
        OffsetDateTime begin = OffsetDateTime.now().minusHours(1);
        equal("jOOQ: a range of time", db.fetchCount(MESSAGE, condition("{0} >= {1}", MESSAGE.ID, val(begin))), 2);
        fails("SQLSTATE 22P02", () -> db.fetchOne(MESSAGE, MESSAGE.ID.eq("not an id")));
        reads("jOOQ", text -> db.select(val(text, MESSAGE.ID)).fetchOne().value1());
        Field<UUID> old = DSL.field(DSL.name("id"), SQLDataType.UUID);
        equal("jOOQ: code generated for a uuid reads null", db.select(old).from(MESSAGE).fetch(old).get(0), null);
    }
}
