// Hibernate.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.TimeZone;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.tool.hbm2ddl.SchemaExport;
import org.hibernate.tool.hbm2ddl.SchemaUpdate;
import org.hibernate.tool.hbm2ddl.SchemaValidator;

public class HibernateOrm extends Checks {
    static SessionFactory factory;

    // In a session and a transaction of its own.
    static <T> T in(SessionFactory factory, Function<Session, T> work) {
        Session session = factory.openSession();
        try {
            session.beginTransaction();
            T result = work.apply(session);
            session.getTransaction().commit();
            return result;
        } finally {
            session.close();
        }
    }

    static HibernateMessage message(String body) {
        HibernateMessage message = new HibernateMessage();
        message.body = body;
        return message;
    }

    static List<String> ids(List<HibernateMessage> messages) {
        return messages.stream().map(message -> message.id).collect(Collectors.toList());
    }

    static Object sql(String statement) {
        return in(factory, session -> session.createSQLQuery(statement).uniqueResult());
    }

    static Date later(int hours, int milliseconds) {
        return Date.from(NOON.plusHours(hours).plusNanos(1000000 * milliseconds).toInstant());
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("# Hibernate " + org.hibernate.Version.getVersionString());
        TimeZone.setDefault(TimeZone.getTimeZone("America/St_Johns"));
        String user = System.getenv("PGUSER");
        Configuration configuration = Sessions.configure(URL, user).setProperty("hibernate.connection.password", "trusted");
        factory = configuration.buildSessionFactory();
        if (arguments.length > 0) { // in what was restored
            new SchemaValidator(configuration).validate();
            System.out.println(((String) in(factory, session -> session.save(message("hello")))).length());
            return;
        }
        in(factory, session -> session.createSQLQuery("DROP TABLE message").executeUpdate());
        new SchemaExport(configuration).setDelimiter(";").setOutputFile("hbm2ddl.sql").execute(false, true, false, true);
        equal("the columns made", sql("SELECT string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attname) FROM pg_attribute"
            + " WHERE attrelid = CAST('message' AS regclass) AND attnum > 0"), "ulid text ulid ulid[]");
        equal("and the default", sql("SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef"
            + " WHERE adrelid = CAST('message' AS regclass)"), "gen_ulid()");
        new SchemaValidator(configuration).validate();
        equal("restored from the script of SchemaExport, it goes on",
            restored("hbm2ddl.sql", "HibernateOrm"), "same\n26\n");
        in(factory, session -> session.createSQLQuery("ALTER TABLE message DROP answers").executeUpdate());
        new SchemaUpdate(configuration).execute(false, true);
        new SchemaValidator(configuration).validate();
        equal("a column that update adds", sql("SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
            + " WHERE attrelid = CAST('message' AS regclass) AND attname = 'answers'"), "ulid");
        fails("public.message for column id. Found: ulid, expected: varchar(255)", () ->
            new SchemaValidator(new Configuration().addAnnotatedClass(Wrong.class).addProperties(configuration.getProperties())).validate());

        String id = in(factory, session -> (String) session.save(message("hello")));
        equal("the id is the server's", id.matches("[0-9A-Z]{26}"), true);
        equal("lookup by the id", in(factory, session -> ((HibernateMessage) session.get(HibernateMessage.class, id)).body), "hello");
        in(factory, session -> ((HibernateMessage) session.get(HibernateMessage.class, id)).body = "changed");
        equal("saved again, it is the same row", sql("SELECT string_agg(body, ' ') FROM message"), "changed");
        in(factory, session -> {
            session.delete(session.get(HibernateMessage.class, id));
            return null;
        });
        equal("deleted", sql("SELECT count(*)").toString() + sql("SELECT count(*) FROM message"), "10");

        HibernateMessage own = message("own");
        own.id = IDS.get(0);
        equal("an id that is given is kept by save", in(factory, session -> session.save(own)), IDS.get(0));
        HibernateMessage other = message("other");
        other.id = IDS.get(1);
        fails("detached entity passed to persist: HibernateMessage", () -> in(factory, session -> {
            session.persist(other);
            return null;
        }));
        fails("Batch update returned unexpected row count", () -> in(factory, session -> {
            session.saveOrUpdate(other);
            return null;
        }));
        equal("and by merge", in(factory, session -> ((HibernateMessage) session.merge(other)).id), IDS.get(1));
        fails("No Dialect mapping for JDBC type: 1111", () ->
            in(factory, session -> session.createSQLQuery("SELECT id FROM message").list()));
        fails("Provided id of the wrong type for class HibernateMessage", () ->
            in(factory, session -> session.get(HibernateMessage.class, 5L)));
        List<HibernateMessage> many = new ArrayList<>();
        in(factory, session -> {
            for (int i = 0; i < 250; ++i)
                many.add(message("" + i));
            many.forEach(session::save);
            return null;
        });
        equal("many, in batches: the ids are those of their rows", in(factory, session -> many.stream().allMatch(one ->
            ((HibernateMessage) session.get(HibernateMessage.class, one.id)).body.equals(one.body))), true);

        in(factory, session -> {
            session.createQuery("DELETE HibernateMessage").executeUpdate();
            for (String given : IDS)
                session.createSQLQuery("INSERT INTO message (id, body, mentions) VALUES (?, 'x', ?)")
                    .setString(0, given).setString(1, "{" + String.join(",", IDS) + "}").executeUpdate();
            return null;
        });
        equal("range by time", in(factory, session -> ids(HibernateMessage.between(session, later(1, 0), later(2, 0)))), IDS.subList(1, 2));
        equal("to the millisecond", in(factory, session -> ids(HibernateMessage.between(session, later(1, 1), later(2, 1)))), IDS.subList(2, 3));
        equal("a page after a cursor", in(factory, session -> ids(HibernateMessage.pageAfter(session, IDS.get(0), 1))), IDS.subList(1, 2));
        equal("any of many", in(factory, session -> ids(HibernateMessage.those(session, List.of(IDS.get(0), IDS.get(2))))),
            List.of(IDS.get(0), IDS.get(2)));
        equal("an array column, and null", in(factory, session -> {
            HibernateMessage first = (HibernateMessage) session.get(HibernateMessage.class, IDS.get(0));
            return first.mentions + " " + first.answers;
        }), IDS + " null");
        in(factory, session -> {
            HibernateMessage first = (HibernateMessage) session.get(HibernateMessage.class, IDS.get(0));
            first.answers = (HibernateMessage) session.load(HibernateMessage.class, IDS.get(1));
            return first.mentions.set(0, null);
        });
        equal("an array changed, with null in it", in(factory, session ->
            ((HibernateMessage) session.get(HibernateMessage.class, IDS.get(0))).mentions), Arrays.asList(null, IDS.get(1), IDS.get(2)));
        equal("a relation, from both sides", in(factory, session -> {
            HibernateMessage second = (HibernateMessage) session.get(HibernateMessage.class, IDS.get(1));
            return second.answeredBy.get(0).answers == second;
        }), true);
        // What the page warns of.
        in(factory, session -> session.createSQLQuery("CREATE TABLE reordered (body text, id ulid DEFAULT gen_ulid())").executeUpdate());
        SessionFactory identity = new Configuration().addAnnotatedClass(Identity.class)
            .addProperties(configuration.getProperties()).buildSessionFactory();
        equal("IDENTITY reads the id back", in(identity, session -> session.save(new Identity())), sql("SELECT CAST(id AS text) FROM reordered"));
        equal("but makes a serial", new Configuration().addAnnotatedClass(Identity.class).addProperties(configuration.getProperties())
            .generateSchemaCreationScript(new org.hibernate.dialect.PostgreSQLDialect())[0].contains("id  serial not null"), true);
        equal("a cast to timestamp, with the program in another zone", in(factory, session -> session.createQuery(
            "SELECT count(*) FROM HibernateMessage m WHERE cast(m.id as timestamp) >= :begin")
            .setTimestamp("begin", later(2, 0)).uniqueResult()), 3L);
        equal("an id in lower case is another object", in(factory, session ->
            session.get(HibernateMessage.class, IDS.get(1).toLowerCase()) == session.get(HibernateMessage.class, IDS.get(1))), false);

        fails("invalid input syntax for type ulid: \"no ulid\"", () ->
            in(factory, session -> session.get(HibernateMessage.class, "no ulid")));
        fails("java.util.Date cannot be cast to class java.lang.String", () -> in(factory, session ->
            session.createQuery("FROM HibernateMessage m WHERE m.id >= :begin").setParameter("begin", later(1, 0)).list()));
        SessionFactory plain = configuration.setProperty("hibernate.connection.url", URL).buildSessionFactory();
        fails("operator does not exist: ulid = character varying", () ->
            in(plain, session -> session.get(HibernateMessage.class, IDS.get(1))));
        done();
    }

    @javax.persistence.Entity
    @javax.persistence.Table(name = "reordered")
    public static class Identity {
        @javax.persistence.Id
        @javax.persistence.GeneratedValue(strategy = javax.persistence.GenerationType.IDENTITY)
        @javax.persistence.Column(columnDefinition = "ulid DEFAULT gen_ulid()")
        public String id;
        public String body;
    }

    // The id as Hibernate would have it.
    @javax.persistence.Entity
    @javax.persistence.Table(name = "message")
    public static class Wrong {
        @javax.persistence.Id
        public String id;
    }
}
