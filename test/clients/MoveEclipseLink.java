// EclipseLink, through the move: see move.pl. Its ids are strings.
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.persistence.Column;
import javax.persistence.Entity;
import javax.persistence.EntityManager;
import javax.persistence.EntityManagerFactory;
import javax.persistence.GeneratedValue;
import javax.persistence.Id;
import javax.persistence.JoinColumn;
import javax.persistence.ManyToOne;
import javax.persistence.Persistence;
import javax.persistence.Table;
import org.eclipse.persistence.internal.databaseaccess.Accessor;
import org.eclipse.persistence.internal.sessions.AbstractSession;
import org.eclipse.persistence.queries.ValueReadQuery;

public class MoveEclipseLink extends Moving {
    static String mode;
    final EntityManagerFactory factory;

    @Entity(name = "Customer")
    @Table(name = "customers")
    public static class Customer {
        @Id
        @GeneratedValue(generator = "ulid")
        public String id;

        public String name;
    }

    @Entity(name = "Purchase")
    @Table(name = "orders")
    public static class Purchase {
        @Id
        @GeneratedValue(generator = "ulid")
        public String id;

        @ManyToOne
        @JoinColumn(name = "customer_id")
        public Customer customer;

        @Column(name = "record_type")
        public String recordType;

        @Column(name = "record_id")
        public String recordId;
    }

    public static class Ids extends UlidSequence {
        @Override
        public Object getGeneratedValue(Accessor accessor, AbstractSession session, String name) {
            return mode.equals("ulid") ? super.getGeneratedValue(accessor, session, name)
                : session.executeQuery(new ValueReadQuery("SELECT CAST(CAST(gen_ulid() AS uuid) AS text)"));
        }
    }

    MoveEclipseLink() throws Exception {
        Files.createDirectories(Path.of("META-INF"));
        Files.writeString(Path.of("META-INF/move.xml"), "<persistence xmlns='http://xmlns.jcp.org/xml/ns/persistence' version='2.1'>"
            + "<persistence-unit name='move' transaction-type='RESOURCE_LOCAL'><provider>org.eclipse.persistence.jpa.PersistenceProvider</provider>"
            + "<class>MoveEclipseLink$Customer</class><class>MoveEclipseLink$Purchase</class></persistence-unit></persistence>");
        factory = Persistence.createEntityManagerFactory("move", new HashMap<>(Map.of("eclipselink.persistencexml", "META-INF/move.xml",
            "eclipselink.target-database", mode.equals("both") ? "UuidOrUlidPlatform" : "PostgreSQL",
            "eclipselink.session.customizer", "MoveEclipseLink$Ids", "eclipselink.weaving", "false", "eclipselink.logging.level", "OFF",
            "javax.persistence.jdbc.url", Checks.URL + "?stringtype=unspecified&autosave=conservative",
            "javax.persistence.jdbc.user", System.getenv("PGUSER"))));
    }

    // In an entity manager and a transaction of its own.
    <T> T in(Function<EntityManager, T> work) {
        EntityManager manager = factory.createEntityManager();
        try {
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

    static Object id(String text) {
        return mode.equals("ulid") ? text : UUID.fromString(text);
    }

    @Override
    Object addCustomer(String name) {
        Customer customer = new Customer();
        customer.name = name;
        in(manager -> {
            manager.persist(customer);
            return null;
        });
        return id(customer.id);
    }

    @Override
    void addOrder(Object customer, String type, Object record, List<Object> others) {
        in(manager -> {
            Purchase purchase = new Purchase();
            purchase.customer = manager.getReference(Customer.class, customer.toString());
            purchase.recordType = type;
            purchase.recordId = record.toString();
            manager.persist(purchase);
            manager.flush();
            String array = others.stream().map(Object::toString).collect(Collectors.joining(",", "{", "}"));
            return manager.createNativeQuery("UPDATE orders SET others = ?1 WHERE id = ?2").setParameter(1, array).setParameter(2, purchase.id)
                .executeUpdate();
        });
    }

    @Override
    int rename(Object id, String name) {
        in(manager -> {
            Customer customer = manager.find(Customer.class, id.toString());
            customer.name = name;
            return customer;
        });
        return 1; // or an OptimisticLockException, or a row that is found wrong
    }

    // The same object by its id, which the shared cache knows, and by a query.
    @Override
    List<Object> customer(Object id) {
        return in(manager -> {
            Customer customer = manager.find(Customer.class, id.toString());
            same(manager.createQuery("SELECT c FROM Customer c WHERE c.name = :name").setParameter("name", customer.name).getResultList(), List.of(customer));
            return List.of(id(customer.id), customer.name);
        });
    }

    @Override
    List<List<Object>> ordersOf(Object id) {
        return in(manager -> manager.createQuery("SELECT p FROM Purchase p WHERE p.customer.id = :id", Purchase.class).setParameter("id", id.toString())
            .getResultList().stream().map(purchase -> {
                same(purchase.customer, manager.find(Customer.class, id.toString()));
                String others = manager.createNativeQuery("SELECT array_to_string(others, ',') FROM orders WHERE id = ?1").setParameter(1, purchase.id)
                    .getSingleResult().toString();
                return List.<Object>of(id(purchase.customer.id), purchase.recordType, id(purchase.recordId), Stream.of(others.split(","))
                    .map(other -> mode.equals("ulid") ? other : (Object) UuidOrUlid.of(other)).collect(Collectors.toList()));
            }).collect(Collectors.toList()));
    }

    public static void main(String[] arguments) throws Exception {
        mode = arguments[0];
        new MoveEclipseLink().rounds(mode);
    }
}
