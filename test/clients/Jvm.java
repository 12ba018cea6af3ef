// jOOQ, MyBatis, JDBI, R2DBC and Vert.x.
package clients;

import static clients.Tap.*;
import static clients.jooq.Tables.MESSAGE;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.val;

import clients.jooq.tables.records.MessageRecord;
import io.r2dbc.spi.ConnectionFactories;
import io.vertx.pgclient.*;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.apache.ibatis.annotations.*;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.*;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.jdbi.v3.core.Jdbi;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.postgresql.ds.PGSimpleDataSource;
import reactor.core.publisher.Flux;

public class Jvm {
    static void jooq(PGSimpleDataSource source) throws Exception {
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

    interface Mapper {
        @Select(value = "INSERT INTO message (body) VALUES (#{body}) RETURNING id", affectData = true)
        String add(String body);

        @Select("SELECT body FROM message WHERE id = #{id}::ulid")
        String find(String id);
    }

    static void mybatis(PGSimpleDataSource source) {
        var configuration = new Configuration(
            new Environment("test", new JdbcTransactionFactory(), source));
        configuration.addMapper(Mapper.class);
        try (SqlSession session = new SqlSessionFactoryBuilder().build(configuration).openSession()) {
            Mapper mapper = session.getMapper(Mapper.class);
            equal("MyBatis", mapper.find(mapper.add("hello")), "hello");
        }
    }

    static void jdbi(PGSimpleDataSource source) {
        Jdbi jdbi = Jdbi.create(source);
        String insert = "INSERT INTO message (body) VALUES ('hello') RETURNING id";
        String id = jdbi.withHandle(handle -> handle.createQuery(insert).mapTo(String.class).one());
        equal("JDBI", jdbi.withHandle(handle -> handle.createQuery("SELECT body FROM message WHERE id = :id::ulid")
            .bind("id", id).mapTo(String.class).one()), "hello");
    }

    static void r2dbc() {
        var factory = ConnectionFactories.get(
            URL.replaceFirst("jdbc:postgresql://", "r2dbc:postgresql://" + System.getenv("PGUSER") + ":trusted@"));
        String body = Flux.from(factory.create()).flatMap(connection ->
            Flux.from(connection.createStatement("INSERT INTO message (body) VALUES ('hello') RETURNING id").execute())
                .flatMap(result -> result.map((row, metadata) -> row.get("id", String.class)))
                .flatMap(id -> connection.createStatement("SELECT body FROM message WHERE id = $1::ulid AND id >= $2")
                    .bind("$1", id).bind("$2", OffsetDateTime.now().minusHours(1)).execute())
                .flatMap(result -> result.map((row, metadata) -> row.get("body", String.class)))).blockFirst();
        equal("R2DBC", body, "hello");
    }

    static void vertx() throws Exception {
        var pool = PgBuilder.pool().connectingTo(new PgConnectOptions().setHost("127.0.0.1").setPort(PORT)
            .setUser(System.getenv("PGUSER")).setPassword("trusted").setDatabase(System.getenv("PGDATABASE"))).build();
        String id = pool.query("INSERT INTO message (body) VALUES ('hello') RETURNING id").execute().await()
            .iterator().next().getString("id");
        equal("Vert.x", pool.preparedQuery("SELECT body FROM message WHERE id = $1").execute(Tuple.of(id)).await()
            .iterator().next().getString("body"), "hello");
        pool.close().await();
    }

    public static void main(String[] arguments) throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(URL);
        source.setUser(System.getenv("PGUSER"));
        source.setPassword("trusted");
        jooq(source);
        mybatis(source);
        jdbi(source);
        r2dbc();
        vertx();
        System.exit(0);
    }
}
