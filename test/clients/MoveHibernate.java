// Hibernate, through the move: see move.pl.
// without: Unknown wrap conversion requested: org.postgresql.util.PGobject to java.util.UUID
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.persistence.Column;
import javax.persistence.Entity;
import javax.persistence.FetchType;
import javax.persistence.GeneratedValue;
import javax.persistence.Id;
import javax.persistence.JoinColumn;
import javax.persistence.ManyToOne;
import javax.persistence.OneToMany;
import javax.persistence.Table;
import org.hibernate.EntityMode;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.GenericGenerator;
import org.hibernate.annotations.Type;
import org.hibernate.cache.CacheKey;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.SessionFactoryImplementor;
import org.hibernate.engine.SessionImplementor;
import org.hibernate.type.PostgresUUIDType;
import org.hibernate.type.StringType;
import org.hibernate.util.SerializationHelper;

public class MoveHibernate extends Moving {
    static String mode;
    final SessionFactory factory;

    @Entity(name = "Customer")
    @Table(name = "customers")
    public static class Customer {
        @Id
        @GenericGenerator(name = "ids", strategy = "MoveHibernate$Ids")
        @GeneratedValue(generator = "ids")
        @Type(type = "id")
        public Serializable id;

        public String name;

        @OneToMany(mappedBy = "customer")
        public List<Purchase> purchases = new ArrayList<>();
    }

    @Entity(name = "Purchase")
    @Table(name = "orders")
    public static class Purchase {
        @Id
        @GenericGenerator(name = "texts", strategy = "MoveHibernate$Texts")
        @GeneratedValue(generator = "texts")
        @Type(type = "text_id") // a String in the time of the move too
        public Serializable id;

        @ManyToOne(fetch = FetchType.LAZY)
        @JoinColumn(name = "customer_id")
        public Customer customer;

        @Column(name = "record_type")
        public String recordType;

        @Column(name = "record_id")
        @Type(type = "id")
        public Serializable recordId;

        @Type(type = "UlidArray")
        public List<String> others;
    }

    public static class Ids extends ServerUlid {
        @Override
        public Serializable generate(SessionImplementor session, Object entity) {
            return (mode.equals("ulid") ? new ServerUlid() : new UuidOrUlidType()).generate(session, entity);
        }
    }

    public static class Texts extends Ids {
        @Override
        public Serializable generate(SessionImplementor session, Object entity) {
            return mode.equals("both") ? new UuidOrUlidText().generate(session, entity) : super.generate(session, entity);
        }
    }

    // The types of the three modes under one name, and for a key that is a String.
    static class OwnUuid extends PostgresUUIDType {
        @Override
        public String[] getRegistrationKeys() {
            return new String[] {"id", "text_id"};
        }
    }

    static class Text extends StringType {
        @Override
        public String[] getRegistrationKeys() {
            return new String[] {"id", "text_id"};
        }
    }

    MoveHibernate() {
        Configuration configuration = new Configuration()
            .setProperty("hibernate.dialect", "org.hibernate.dialect.PostgreSQLDialect")
            .setProperty("hibernate.connection.driver_class", "org.postgresql.Driver")
            .setProperty("hibernate.connection.url", Checks.URL + "?autosave=conservative" + (mode.equals("ulid") ? "&stringtype=unspecified" : ""))
            .setProperty("hibernate.connection.username", System.getenv("PGUSER"));
        if (mode.equals("both")) {
            configuration.registerTypeOverride(new UuidOrUlidType(), new String[] {"id"});
            configuration.registerTypeOverride(new UuidOrUlidText(), new String[] {"text_id"});
        } else {
            configuration.registerTypeOverride(mode.equals("uuid") ? new OwnUuid() : new Text());
        }
        factory = configuration.addAnnotatedClass(Customer.class).addAnnotatedClass(Purchase.class).buildSessionFactory();
    }

    // A key of the second-level cache, which has the type in it, as a process reads it that another has sent it to.
    void sameKey(Object id) {
        SessionFactoryImplementor implementor = (SessionFactoryImplementor) factory;
        CacheKey key = new CacheKey((Serializable) id, implementor.getEntityPersister(Customer.class.getName()).getIdentifierType(),
            "Customer", EntityMode.POJO, implementor);
        same(SerializationHelper.clone(key), key);
    }

    // In a session and a transaction of its own.
    <T> T in(Function<Session, T> work) {
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

    @Override
    Object addCustomer(String name) {
        Customer customer = new Customer();
        customer.name = name;
        return in(session -> session.save(customer));
    }

    @Override
    void addOrder(Object customer, String type, Object record, List<Object> others) {
        in(session -> {
            Purchase purchase = new Purchase();
            purchase.customer = (Customer) session.load(Customer.class, (Serializable) customer);
            purchase.recordType = type;
            purchase.recordId = (Serializable) record;
            purchase.others = others.stream().map(Object::toString).collect(Collectors.toList());
            return session.save(purchase);
        });
    }

    @Override
    int rename(Object id, String name) {
        in(session -> ((Customer) session.get(Customer.class, (Serializable) id)).name = name);
        return 1; // or a StaleStateException
    }

    @Override
    List<Object> customer(Object id) {
        Customer customer = in(session -> (Customer) session.get(Customer.class, (Serializable) id));
        sameKey(customer.id);
        return List.of(customer.id, customer.name);
    }

    @Override
    List<List<Object>> ordersOf(Object id) {
        return in(session -> ((Customer) session.get(Customer.class, (Serializable) id)).purchases.stream()
            .peek(purchase -> same(purchase.id.toString().length(), mode.equals("ulid") ? 26 : 36)).map(purchase -> List.<Object>of(
            purchase.customer.id, purchase.recordType, purchase.recordId,
            purchase.others.stream().map(other -> mode.equals("ulid") ? other : (Object) UuidOrUlid.of(other)).collect(Collectors.toList())))
            .collect(Collectors.toList()));
    }

    public static void main(String[] arguments) throws Exception {
        mode = arguments[0];
        new MoveHibernate().rounds(mode);
    }
}
