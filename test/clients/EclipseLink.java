// EclipseLink, by the persistence.xml of the page.
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.persistence.EntityManager;
import javax.persistence.EntityManagerFactory;
import javax.persistence.Persistence;

public class EclipseLink extends Checks {
    static Map<String, Object> properties = new HashMap<>(Map.of(
        "javax.persistence.jdbc.url", URL + "?stringtype=unspecified", "javax.persistence.jdbc.user", System.getenv("PGUSER"),
        "javax.persistence.jdbc.password", "trusted", "eclipselink.logging.level", "OFF"));
    static EntityManagerFactory factory;

    // In a transaction of its own, with nothing in the cache.
    static <T> T in(Function<EntityManager, T> work) {
        EntityManager manager = factory.createEntityManager();
        try {
            factory.getCache().evictAll();
            manager.getTransaction().begin();
            T result = work.apply(manager);
            manager.getTransaction().commit();
            return result;
        } finally {
            if (manager.getTransaction().isActive())
                manager.getTransaction().rollback();
            manager.close();
        }
    }

    static Object sql(String query) {
        return in(manager -> manager.createNativeQuery(query).getSingleResult());
    }

    static int execute(String statement) {
        return in(manager -> manager.createNativeQuery(statement).executeUpdate());
    }

    static Date later(int hours, int milliseconds) {
        return Date.from(NOON.plusHours(hours).plusNanos(1000000 * milliseconds).toInstant());
    }

    static List<String> ids(List<EclipseMessage> messages) {
        return messages.stream().map(message -> message.id).collect(Collectors.toList());
    }

    static EntityManagerFactory connect() {
        EntityManagerFactory made = Persistence.createEntityManagerFactory("message", properties);
        made.createEntityManager().close(); // it connects, and makes the tables
        return made;
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("# EclipseLink " + org.eclipse.persistence.Version.getVersion());
        if (arguments.length > 0) { // in what was restored
            factory = connect();
            in(manager -> {
                EclipseMessage message = new EclipseMessage();
                manager.persist(message);
                System.out.println(message.id.length());
                return null;
            });
            return;
        }
        Files.createDirectories(Path.of("META-INF"));
        Files.copy(Path.of("persistence.xml"), Path.of("META-INF/persistence.xml"));
        factory = connect();
        execute("DROP TABLE message");
        factory.close();
        factory = connect();
        String columns = "SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attname)"
            + " || (SELECT ' ' || string_agg(pg_get_expr(adbin, adrelid), ' ') FROM pg_attrdef WHERE adrelid = attrelid)"
            + " FROM pg_attribute WHERE attrelid = CAST('message' AS regclass) AND attnum > 0 GROUP BY attrelid";
        String made = "answers ulid, body text, id ulid gen_ulid()";
        equal("the columns made, and the default", sql(columns), made);
        factory.close();
        properties.putAll(Map.of("eclipselink.ddl-generation", "create-tables",
            "eclipselink.ddl-generation.output-mode", "sql-script", "eclipselink.ddlgen-terminate-statements", "true",
            "javax.persistence.schema-generation.scripts.action", "create", "javax.persistence.schema-generation.scripts.create-target", "made.sql"));
        connect().close();
        equal("the standard's own properties write nothing, as the page says", Files.exists(Path.of("made.sql")), false);
        equal("restored from createDDL.jdbc, it goes on", restored("createDDL.jdbc", "EclipseLink"), "same\n26\n");
        properties.keySet().removeIf(name -> name.contains("generation"));
        properties.put("eclipselink.logging.level", "WARNING");
        properties.put("eclipselink.logging.file", "warnings");
        factory = connect();
        equal("the second run changes nothing", sql(columns), made);
        fails("constraint \"fk_message_answers\" for relation \"message\" already exists", () -> {
            throw new Exception(Files.readString(Path.of("warnings")));
        });
        factory.close();
        properties.put("eclipselink.logging.level", "OFF");
        factory = connect();

        String id = in(manager -> {
            EclipseMessage message = new EclipseMessage();
            message.body = "hello";
            manager.persist(message);
            return message.id;
        });
        equal("the id is the server's", id.matches("[0-9A-Z]{26}"), true);
        equal("lookup by the id", in(manager -> manager.find(EclipseMessage.class, id).body), "hello");
        in(manager -> manager.find(EclipseMessage.class, id).body = "changed");
        equal("saved again, it is the same row", sql("SELECT string_agg(body, ' ') FROM message"), "changed");
        in(manager -> {
            manager.remove(manager.find(EclipseMessage.class, id));
            for (String given : IDS) {
                EclipseMessage message = new EclipseMessage();
                message.id = given;
                message.answers = given.equals(IDS.get(0)) ? null : manager.find(EclipseMessage.class, IDS.get(0));
                manager.persist(message);
            }
            return null;
        });
        equal("given ids are stored", sql("SELECT string_agg(CAST(id AS text), ' ' ORDER BY id) FROM message"),
            String.join(" ", IDS));
        equal("range by time", in(manager -> ids(EclipseMessage.between(manager, later(1, 0), later(2, 0)))),
            IDS.subList(1, 2));
        equal("to the millisecond", in(manager -> ids(EclipseMessage.between(manager, later(1, 1), later(2, 1)))),
            IDS.subList(2, 3));
        equal("a page after a cursor", in(manager -> ids(EclipseMessage.pageAfter(manager, IDS.get(0), 1))),
            IDS.subList(1, 2));
        equal("any of many", in(manager -> ids(EclipseMessage.those(manager, List.of(IDS.get(0), IDS.get(2))))),
            List.of(IDS.get(0), IDS.get(2)));
        equal("a relation, from both sides", in(manager -> {
            List<EclipseMessage> answers = manager.find(EclipseMessage.class, IDS.get(1)).answers.answeredBy;
            return ids(answers).stream().sorted().collect(Collectors.toList());
        }), IDS.subList(1, 3));
        fails("invalid input syntax for type ulid: \"no ulid\"",
            () -> in(manager -> manager.find(EclipseMessage.class, "no ulid")));
        fails("You have provided an instance of an incorrect PK class for this find operation.",
            () -> in(manager -> manager.find(EclipseMessage.class, 5)));
        fails("class org.postgresql.util.PGobject cannot be cast to class java.lang.String",
            () -> ((String) sql("SELECT id FROM message LIMIT 1")).length());
        fails("You have attempted to set a value of type class java.util.Date for parameter begin",
            () -> in(manager -> manager.createQuery("SELECT m FROM EclipseMessage m WHERE m.id >= :begin")
                .setParameter("begin", later(1, 0))));
        properties.put("javax.persistence.jdbc.url", URL);
        factory.close();
        factory = connect();
        fails("operator does not exist: ulid = character varying",
            () -> in(manager -> manager.find(EclipseMessage.class, IDS.get(1))));
        done();
    }
}
