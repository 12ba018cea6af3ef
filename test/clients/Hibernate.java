// Hibernate and Spring Data JPA in a Spring Boot application whose tables Flyway creates.
package clients;

import static clients.Tap.*;

import com.github.f4b6a3.ulid.Ulid;
import com.github.f4b6a3.ulid.UlidCreator;
import jakarta.persistence.*;
import java.io.IOException;
import java.nio.file.*;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.Version;
import org.hibernate.annotations.*;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import ulid.hibernate.UlidType;

// A uuid column needs no adapter.
// doc/clients/java.md: class Person

interface Visits extends JpaRepository<Visit, UUID> {}

interface People extends JpaRepository<Person, UUID> {}

// doc/clients/java.md: class Boat

@Entity
class Oar {
    @Id @GeneratedValue(strategy = GenerationType.IDENTITY)
    @JavaType(UlidType.OfString.class)
    String id;
    @ManyToOne(fetch = FetchType.LAZY)
    Boat boat;
}

// doc/clients/java.md: interface Boats

    @Query(nativeQuery = true, value = "SELECT * FROM boat WHERE id > :after")
    List<Boat> untyped(String after);
}

interface Oars extends JpaRepository<Oar, String> {
    List<Oar> findByBoatId(String id);
}

interface Sails extends JpaRepository<Sail, UUID> {}

@Entity
@Inheritance(strategy = InheritanceType.JOINED)
class Vessel {
    @Id @UuidGenerator(style = UuidGenerator.Style.VERSION_7)
    @JavaType(UlidType.OfUuid.class)
    UUID id;
    @ManyToOne(fetch = FetchType.LAZY)
    Vessel tender;
    int trips;
}

@Entity
class Ferry extends Vessel {
    int cars;
}

@SpringBootApplication
public class Hibernate {
    static final String JPA = "--spring.jpa.properties.";
    static final String SCRIPTS = JPA + "jakarta.persistence.schema-generation.scripts.";
    static final String[] SETTINGS = {
        "--spring.datasource.url=" + URL, "--spring.datasource.username=" + System.getenv("PGUSER"),
        "--spring.datasource.password=trusted", "--spring.main.banner-mode=off", "--logging.level.root=error",
        "--spring.flyway.locations=filesystem:migrations", "--spring.flyway.baseline-on-migrate=true",
        "--spring.flyway.baseline-version=0", "--spring.jpa.hibernate.ddl-auto=validate",
        JPA + "hibernate.jdbc.batch_size=50", JPA + "hibernate.generate_statistics=true",
        JPA + "hibernate.default_batch_fetch_size=16", JPA + "hibernate.cache.region.factory_class=jcache",
        JPA + "hibernate.javax.cache.missing_cache_strategy=create", JPA + "jakarta.persistence.sharedCache.mode=ALL",
        JPA + "hibernate.criteria.value_handling_mode=inline",
        SCRIPTS + "action=create", SCRIPTS + "create-target=ddl.sql"};

    static void execute(SessionFactory factory, String... statements) {
        factory.inTransaction(session -> {
            for (String statement : statements)
                session.createNativeMutationQuery(statement).executeUpdate();
        });
    }

    /** The keys of vessels become uuids and ulids again, while this process reads and writes them. */
    static void moves(SessionFactory factory) {
        Ferry ferry = new Ferry();
        ferry.tender = new Vessel();
        factory.inTransaction(session -> {
            session.persist(ferry.tender);
            session.persist(ferry);
        });
        int trips = 0;
        for (String type : List.of("ulid", "uuid", "ulid")) {
            execute(factory, "ALTER TABLE ferry DROP CONSTRAINT ferry_id_fkey",
                "ALTER TABLE vessel DROP CONSTRAINT vessel_tender_id_fkey", "ALTER TABLE ferry ALTER id TYPE " + type,
                "ALTER TABLE vessel ALTER id TYPE " + type + ", ALTER tender_id TYPE " + type,
                "ALTER TABLE ferry ADD FOREIGN KEY (id) REFERENCES vessel",
                "ALTER TABLE vessel ADD FOREIGN KEY (tender_id) REFERENCES vessel");
            for (int run = 0; run < 7; ++run) {
                try {
                    factory.inTransaction(session -> {
                        Ferry found = session.find(Ferry.class, ferry.id);
                        ++found.cars;
                        ++found.trips;
                        ++((Vessel) org.hibernate.Hibernate.unproxy(found.tender)).trips;
                    });
                    ++trips;
                } catch (PersistenceException error) { // only the first transaction
                    fails("cached plan must not change result type", () -> { throw error; });
                    equal("the first transaction afterwards", run, 0);
                }
            }
            Object[] row = factory.fromSession(session -> session.createNativeQuery("""
                SELECT cars, v.trips, t.trips FROM ferry JOIN vessel v USING (id)
                JOIN vessel t ON t.id = v.tender_id""",
                Object[].class).getSingleResult());
            equal("nothing is lost in the " + type, List.of(row), List.of(trips, trips, trips));
            equal("a query finds the " + type, factory.fromSession(session ->
                session.createQuery("from Ferry where tender.id = :id", Ferry.class)
                    .setParameter("id", ferry.tender.id).getSingleResult().id), ferry.id);
        }
    }

    static Boat boat(String name, String... friends) {
        Boat boat = new Boat();
        boat.name = name;
        boat.friends = friends.length == 0 ? null : Stream.of(friends).map(Ulid::from).toList();
        return boat;
    }

    public static void main(String[] arguments) throws IOException {
        try (var context = new SpringApplicationBuilder(Hibernate.class).run(SETTINGS)) {
            System.out.println(
                "# Spring Boot " + SpringBootVersion.getVersion() + ", Hibernate " + Version.getVersionString());
            var people = context.getBean(People.class);
            var visits = context.getBean(Visits.class);
            var boats = context.getBean(Boats.class);
            var oars = context.getBean(Oars.class);
            var sails = context.getBean(Sails.class);
            var statistics = context.getBean(EntityManagerFactory.class).unwrap(SessionFactory.class).getStatistics();
            OffsetDateTime begin = OffsetDateTime.now().minusHours(1), end = begin.plusHours(2);

            String ddl = Files.readString(Path.of("ddl.sql"));
            equal("the DDL", ddl.contains("friends ulid array, id ulid default gen_ulid() not null"), true);
            equal("the DDL of an identity, which is wrong",
                ddl.contains("id ulid generated by default as identity"), true);

            Person person = people.save(new Person());
            equal("a uuid column's default comes back", person.id.version(), 7);
            Visit visit = new Visit();
            visit.person = person;
            visits.save(visit);

            Boat first = boats.save(boat("first")), second = boats.save(boat("second", first.id));
            Boat third = boats.save(boat("third"));
            equal("a ulid column's default comes back", List.of(first.id.length(), first.id.compareTo(second.id) < 0),
                List.of(26, true));
            equal("findById, NULL", boats.findById(first.id).map(boat -> boat.name + boat.friends).get(), "firstnull");
            equal("an array", boats.findById(second.id).get().friends, List.of(Ulid.from(first.id)));
            equal("a derived query", boats.findByIdGreaterThan(first.id).size(), 2);
            equal("a range of time in JPQL", boats.between(begin, end).size(), 3);
            equal("a native query", boats.since(begin, first.id).size(), 2);

            Oar oar = new Oar();
            oar.boat = first;
            oar = oars.save(oar);
            equal("GenerationType.IDENTITY", oar.id.length(), 26);
            equal("a relation", oars.findByBoatId(first.id).stream().map(one -> one.id).toList(), List.of(oar.id));

            List<Sail> sewn = Stream.generate(Sail::new).limit(100).toList();
            sewn.get(0).madeBy = UlidCreator.getMonotonicUlid();
            statistics.clear();
            sails.saveAll(sewn);
            equal("100 rows with UUIDs in a ulid column are one prepared statement",
                statistics.getPrepareStatementCount(), 1L);
            Sail sail = sails.findById(sewn.get(0).id).get();
            equal("a ulid column is a UUID and a Ulid",
                List.of(sail.id, sail.madeBy), List.of(sewn.get(0).id, sewn.get(0).madeBy));
            fails("Invalid ULID", () -> boats.findById("not an id"));
            reads("a String", text -> new UlidType.OfString().fromString(text));
            reads("a UUID", text -> Ulid.from(new UlidType.OfUuid().fromString(text)));

            // A session finds its objects by any spelling, one by one and in batches.
            var factory = context.getBean(EntityManagerFactory.class).unwrap(SessionFactory.class);
            String lower = first.id.toLowerCase();
            factory.inTransaction(session -> {
                Boat found = session.find(Boat.class, lower);
                equal("the server's spelling, and one object",
                    List.of(found.id, found == session.find(Boat.class, first.id)), List.of(first.id, true));
                equal("findMultiple", session.findMultiple(Boat.class, List.of(lower, second.id)),
                    List.of(found, session.find(Boat.class, second.id)));
                equal("byMultipleIds", session.byMultipleIds(Boat.class).multiLoad(List.of(lower, second.id)),
                    List.of(found, session.find(Boat.class, second.id)));
                equal("IN", session.createQuery("from Boat where id in :ids", Boat.class)
                    .setParameter("ids", List.of(lower)).list(), List.of(found));
                equal("a literal, and max", session.createQuery(
                    "select max(id) from Boat where id <= '" + lower + "'", String.class).list(), List.of(first.id));
                equal("like", session.createQuery("from Boat where cast(id as String) like :id", Boat.class)
                    .setParameter("id", first.id.substring(0, 25) + "%").list().contains(found), true);
                var criteria = session.getCriteriaBuilder().createQuery(Boat.class);
                var root = criteria.from(Boat.class);
                var id = session.getCriteriaBuilder();
                equal("a value as a literal", session.createQuery(
                    criteria.where(id.equal(root.get("id"), lower))).list(), List.of(found));
                fails("Invalid ULID", () -> session.createQuery(
                    criteria.where(id.equal(root.get("id"), first.id + "' or '1'='1"))).list());
            });
            boats.findById(first.id);
            execute(factory, "UPDATE boat SET name = name"); // which empties the cache
            factory.inTransaction(session -> session.find(Boat.class, first.id));
            statistics.clear();
            factory.inTransaction(session -> session.find(Boat.class, first.id).name = "cached");
            factory.inTransaction(session -> {
                Boat found = session.find(Boat.class, lower);
                equal("the cache has one entry for a row", List.of(found.id, found.name), List.of(first.id, "cached"));
                equal("and reads no row", statistics.getSecondLevelCacheHitCount(), 2L);
            });
            Oar more = new Oar();
            more.boat = second;
            oars.save(more);
            factory.inTransaction(session -> equal("a batch of references",
                session.createQuery("from Oar order by id", Oar.class).list().stream()
                    .map(one -> ((Boat) org.hibernate.Hibernate.unproxy(one.boat)).name).toList(),
                List.of("cached", "second")));
            fails("operator does not exist: ulid > character varying", () -> boats.untyped(first.id));
            moves(factory);

            // A process whose attributes are UUIDs, after the type has changed
            execute(factory, "ALTER TABLE visit DROP CONSTRAINT visit_person_id_fkey",
                "ALTER TABLE person ALTER id TYPE ulid", "ALTER TABLE visit ALTER person_id TYPE ulid");
            fails("Cannot cast org.postgresql.util.PGobject to java.util.UUID", () -> visits.findById(visit.id));
        }
    }
}
