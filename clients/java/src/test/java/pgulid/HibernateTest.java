package pgulid;

import static org.junit.jupiter.api.Assertions.*;
import static pgulid.Server.*;

import com.fasterxml.jackson.annotation.*;
import com.github.f4b6a3.ulid.Ulid;
import com.github.f4b6a3.ulid.UlidCreator;
import jakarta.persistence.*;
import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.*;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.*;
import org.junit.jupiter.api.*;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jackson.JacksonMixin;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.domain.*;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.server.ResponseStatusException;
import pgulid.hibernate.UlidType;

// A uuid column needs no adapter.
@Entity
class Person {
    @Id @Generated // by DEFAULT gen_uuidv7()
    UUID id;
    String name;
}

@Entity
class Visit {
    @Id @UuidGenerator(style = UuidGenerator.Style.VERSION_7) // here, for batches of inserts
    UUID id;
    @ManyToOne
    Person person;
}

interface Visits extends JpaRepository<Visit, UUID> {}

interface People extends JpaRepository<Person, UUID> {
    @Query("""
        SELECT p FROM Person p
        WHERE p.id >= function('uuidv7_min', :begin) AND p.id < function('uuidv7_min', :end)""")
    List<Person> between(OffsetDateTime begin, OffsetDateTime end);
}

@Entity
class Harbor {
    @Id @Generated @ColumnDefault("gen_ulid()")
    Ulid id;
    public String name;
    public List<Ulid> boats;
    public Ulid getId() { return id; }
}

@Entity
class Boat {
    @Id @Generated @ColumnDefault("gen_ulid()")
    @JavaType(UlidType.OfString.class)
    String id;
    String name;
    List<Ulid> friends;
}

@Entity
class Sail {
    @Id @UuidGenerator(style = UuidGenerator.Style.VERSION_7)
    @JavaType(UlidType.OfUuid.class)
    UUID id;
    Ulid madeBy;
}

@Entity
class Oar {
    @Id @GeneratedValue(strategy = GenerationType.IDENTITY)
    @JavaType(UlidType.OfString.class)
    String id;
    @ManyToOne(fetch = FetchType.LAZY)
    Boat boat;
}

interface Boats extends JpaRepository<Boat, String> {
    List<Boat> findByIdGreaterThan(String id);

    @Query("""
        SELECT b FROM Boat b WHERE b.id >= function('ulid_min' as String, :begin)
            AND b.id < function('ulid_min' as String, :end)""")
    List<Boat> between(OffsetDateTime begin, OffsetDateTime end);

    @Query(nativeQuery = true, value = """
        SELECT * FROM boat WHERE id >= CAST(:begin AS timestamptz) AND id > CAST(:after AS ulid)""")
    List<Boat> since(OffsetDateTime begin, String after);
}

interface Oars extends JpaRepository<Oar, String> {
    List<Oar> findByBoatId(String id);
}

interface Sails extends JpaRepository<Sail, UUID> {}

interface Harbors extends JpaRepository<Harbor, Ulid> {
    @Query("SELECT h FROM Harbor h WHERE h.id >= function('ulid_min', :begin)")
    List<Harbor> since(OffsetDateTime begin);
}

@JacksonMixin(Ulid.class)
abstract class UlidAsText {
    @JsonCreator
    static Ulid from(String text) { return Ulid.from(text); }
    @JsonValue
    public abstract String toString();
}

@RestController
class Web {
    final Harbors harbors;
    final Boats boats;

    Web(Harbors harbors, Boats boats) {
        this.harbors = harbors;
        this.boats = boats;
    }

    @GetMapping("/harbors/{id}")
    Harbor harbor(@PathVariable Ulid id) {
        return harbors.findById(id)
            .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
    }

    @GetMapping("/boats/{id}")
    String boat(@PathVariable("id") Optional<Boat> boat) {
        return boat.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND)).name;
    }

    @GetMapping("/texts/{id}")
    String text(@PathVariable String id) {
        return boats.findById(id).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND)).name;
    }

    @GetMapping("/entities/{id}")
    String entity(@PathVariable("id") Boat boat) { return boat.name; }

    @GetMapping("/harbors")
    List<Harbor> list(Pageable page) { return harbors.findAll(page).toList(); }

    @GetMapping("/boats")
    List<String> boats(Pageable page) { return boats.findAll(page).map(boat -> boat.name).toList(); }

    @PostMapping("/harbors")
    Harbor create(@RequestBody Harbor harbor) { return harbors.save(harbor); }
}

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
class Application {}

/** Hibernate and Spring Data JPA in a Spring Boot application whose tables Flyway creates. */
class HibernateTest {
    static final String JPA = "--spring.jpa.properties.";
    static final String SCRIPTS = JPA + "jakarta.persistence.schema-generation.scripts.";
    static final Path DDL = Path.of("target/ddl.sql");
    static ConfigurableApplicationContext context;
    static SessionFactory factory;
    static int port;

    @BeforeAll static void start() throws SQLException, IOException {
        var source = database("hibernate");
        Files.deleteIfExists(DDL);
        context = new SpringApplicationBuilder(Application.class).run(
            "--spring.datasource.url=" + source.getURL(), "--spring.datasource.username=" + source.getUser(),
            "--spring.datasource.password=" + source.getPassword(), "--spring.main.banner-mode=off",
            "--logging.level.root=error", "--logging.level.org.apache.catalina=off", "--server.port=0",
            "--spring.flyway.baseline-on-migrate=true",
            "--spring.flyway.baseline-version=0", "--spring.jpa.hibernate.ddl-auto=validate",
            JPA + "hibernate.jdbc.batch_size=50", JPA + "hibernate.generate_statistics=true",
            JPA + "hibernate.default_batch_fetch_size=16", JPA + "hibernate.cache.region.factory_class=jcache",
            JPA + "hibernate.javax.cache.missing_cache_strategy=create",
            JPA + "jakarta.persistence.sharedCache.mode=ALL", JPA + "hibernate.criteria.value_handling_mode=inline",
            SCRIPTS + "action=create", SCRIPTS + "create-target=" + DDL);
        port = Integer.parseInt(context.getEnvironment().getProperty("local.server.port"));
        factory = context.getBean(EntityManagerFactory.class).unwrap(SessionFactory.class);
    }

    @AfterAll static void stop() {
        if (context != null)
            context.close();
    }

    static void execute(String... statements) {
        factory.inTransaction(session -> {
            for (String statement : statements)
                session.createNativeMutationQuery(statement).executeUpdate();
        });
    }

    final OffsetDateTime begin = OffsetDateTime.now().minusHours(1), end = begin.plusHours(2);
    final Boats boats = context.getBean(Boats.class);
    final Oars oars = context.getBean(Oars.class);
    Boat first, second, third;

    static Boat boat(String name, String... friends) {
        Boat boat = new Boat();
        boat.name = name;
        boat.friends = friends.length == 0 ? null : Stream.of(friends).map(Ulid::from).toList();
        return boat;
    }

    @BeforeEach void rows() {
        execute("TRUNCATE person, visit, harbor, boat, oar, sail"); // which empties the cache
        first = boats.save(boat("first"));
        second = boats.save(boat("second", first.id));
        third = boats.save(boat("third"));
    }

    @Test void ddl() throws IOException {
        String ddl = Files.readString(DDL);
        assertTrue(ddl.contains("friends ulid array, id ulid default gen_ulid() not null"), ddl);
        assertTrue(ddl.contains("id ulid generated by default as identity"), "which is wrong");
    }

    @Test void uuidColumns() {
        var people = context.getBean(People.class);
        Person person = people.save(new Person());
        assertEquals(7, person.id.version(), "a default comes back");
        Visit visit = new Visit();
        visit.person = person;
        context.getBean(Visits.class).save(visit);
        assertEquals(1, people.between(begin, end).size());
        assertEquals(0, people.between(end, end.plusHours(1)).size());
    }

    @Test void ulidColumns() {
        assertEquals(26, first.id.length(), "a default comes back");
        assertTrue(first.id.compareTo(second.id) < 0);
        assertEquals("firstnull", boats.findById(first.id).map(boat -> boat.name + boat.friends).get());
        assertEquals(List.of(Ulid.from(first.id)), boats.findById(second.id).get().friends);
        assertEquals(2, boats.findByIdGreaterThan(first.id).size(), "a derived query");
        assertEquals(3, boats.between(begin, end).size(), "a range of time in JPQL");
        assertEquals(0, boats.between(end, end.plusHours(1)).size());
        assertEquals(2, boats.since(begin, first.id).size(), "a native query");
        fails("operator does not exist: ulid > character varying",
            () -> factory.fromSession(session -> session.createNativeQuery(
                "SELECT * FROM boat WHERE id > :after", Boat.class).setParameter("after", first.id).list()));
    }

    @Test void identityAndRelations() {
        Oar oar = new Oar();
        oar.boat = first;
        oar = oars.save(oar);
        assertEquals(26, oar.id.length());
        assertEquals(List.of(oar.id), oars.findByBoatId(first.id).stream().map(one -> one.id).toList());
    }

    @Test void uuidsInUlidColumns() {
        var sails = context.getBean(Sails.class);
        List<Sail> sewn = Stream.generate(Sail::new).limit(100).toList();
        sewn.get(0).madeBy = UlidCreator.getMonotonicUlid();
        var statistics = factory.getStatistics();
        statistics.clear();
        sails.saveAll(sewn);
        assertEquals(1, statistics.getPrepareStatementCount(), "100 rows are one prepared statement");
        Sail sail = sails.findById(sewn.get(0).id).get();
        assertEquals(List.of(sewn.get(0).id, sewn.get(0).madeBy), List.of(sail.id, sail.madeBy));
    }

    @Test void ulidKeys() {
        var harbors = context.getBean(Harbors.class);
        Harbor harbor = new Harbor();
        harbor.boats = List.of(Ulid.from(first.id), Ulid.from(second.id));
        harbor = harbors.save(harbor);
        assertEquals(harbor.boats, harbors.findById(harbor.id).get().boats);
        assertEquals(1, harbors.since(begin).size());
        assertEquals(0, harbors.since(end).size());
    }

    /** A session finds its objects by any spelling, one by one and in batches. */
    @Test void spellings() {
        String lower = first.id.toLowerCase();
        factory.inTransaction(session -> {
            Boat found = session.find(Boat.class, lower), other = session.find(Boat.class, second.id);
            assertEquals(first.id, found.id);
            assertSame(found, session.find(Boat.class, first.id));
            assertSame(found, session.find(Boat.class, Ulid.from(first.id).toUuid().toString()));
            assertEquals(List.of(found, other), session.findMultiple(Boat.class, List.of(lower, second.id)));
            assertEquals(List.of(found, other),
                session.byMultipleIds(Boat.class).multiLoad(List.of(lower, second.id)));
            assertEquals(List.of(found), session.createQuery("from Boat where id in :ids", Boat.class)
                .setParameter("ids", List.of(lower)).list());
            assertEquals(List.of(first.id), session.createQuery(
                "select max(id) from Boat where id <= '" + lower + "'", String.class).list(), "a literal, and max");
            assertTrue(session.createQuery("from Boat where cast(id as String) like :id", Boat.class)
                .setParameter("id", first.id.substring(0, 25) + "%").list().contains(found));
            var id = session.getCriteriaBuilder();
            var criteria = id.createQuery(Boat.class);
            var root = criteria.from(Boat.class);
            assertEquals(List.of(found), session.createQuery(
                criteria.where(id.equal(root.get("id"), lower))).list(), "a value as a literal");
            fails("Invalid ULID", () -> session.createQuery(
                criteria.where(id.equal(root.get("id"), first.id + "' or '1'='1"))).list());
        });
    }

    @Test void caches() {
        String lower = first.id.toLowerCase();
        execute("UPDATE boat SET name = name"); // which empties the cache
        factory.inTransaction(session -> session.find(Boat.class, first.id));
        var statistics = factory.getStatistics();
        statistics.clear();
        factory.inTransaction(session -> session.find(Boat.class, first.id).name = "cached");
        factory.inTransaction(session -> {
            Boat found = session.find(Boat.class, lower);
            assertEquals(List.of(first.id, "cached"), List.of(found.id, found.name), "one entry for a row");
            assertEquals(2, statistics.getSecondLevelCacheHitCount(), "and reads no row");
        });
        for (Boat boat : List.of(first, second)) {
            Oar oar = new Oar();
            oar.boat = boat;
            oars.save(oar);
        }
        factory.inTransaction(session -> assertEquals(List.of("cached", "second"),
            session.createQuery("from Oar order by id", Oar.class).list().stream()
                .map(one -> ((Boat) org.hibernate.Hibernate.unproxy(one.boat)).name).toList(), "a batch of references"));
    }

    @Test void invalidIds() {
        fails("Invalid ULID: \"not an id\"", () -> boats.findById("not an id"));
    }

    static HttpResponse<String> http(String path, String... body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
        if (body.length > 0)
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body[0]));
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    static int status(String path, String... body) throws Exception { return http(path, body).statusCode(); }

    @Test void http() throws Exception {
        String absent = IDS.get(0);
        assertEquals("first", http("/boats/" + first.id).body());
        assertEquals("first", http("/boats/" + first.id.toLowerCase()).body());
        assertEquals("first", http("/texts/" + Ulid.from(first.id).toUuid()).body());
        for (String path : List.of("/boats/", "/texts/", "/harbors/"))
            assertEquals(404, status(path + absent), path);
        assertEquals(400, status("/entities/" + absent)); // Spring's
        Map<String, Integer> wrong = new TreeMap<>();
        for (var text : texts().entrySet()) {
            String encoded = java.net.URLEncoder.encode(text.getKey(), "UTF-8").replace("+", "%20");
            if (text.getValue().length() == 5 && !encoded.isEmpty())
                for (String path : List.of("/boats/", "/texts/", "/harbors/", "/entities/")) {
                    int status = status(path + encoded);
                    if (status != 400)
                        wrong.put(path + encoded, status);
                }
        }
        assertEquals(Map.of(), wrong);
        assertEquals(400, status("/harbors", "{\"boats\":[\"not an id\"]}"));
    }

    @Test void json() throws Exception {
        var made = http("/harbors", "{\"name\":\"Hamburg\",\"boats\":[\"" + first.id.toLowerCase() + "\"]}");
        assertEquals(200, made.statusCode(), made.body());
        String id = made.body().replaceAll(".*\"id\":\"(\\w{26})\".*", "$1");
        assertTrue(made.body().contains("\"boats\":[\"" + first.id + "\"]"), made.body());
        assertEquals(made.body(), http("/harbors/" + id).body());
    }

    @Test void sorting() throws Exception {
        assertEquals(200, status("/harbors?sort=id,desc,ignorecase"));
        assertEquals(200, status("/boats?sort=id,desc"));
        assertEquals(500, status("/boats?sort=id,desc,ignorecase"));
        fails("Parameter 1 of function 'lower()' has type 'STRING', but argument is of type 'java.lang.String' mapped to 'ulid'",
            () -> boats.findAll(Sort.by(Sort.Order.by("id").ignoreCase())));
    }

    /** The keys of vessels become uuids and ulids again, while this process reads and writes them. */
    @Test void moves() {
        Ferry ferry = new Ferry();
        ferry.tender = new Vessel();
        factory.inTransaction(session -> {
            session.persist(ferry.tender);
            session.persist(ferry);
        });
        int trips = 0;
        for (String type : List.of("ulid", "uuid", "ulid")) {
            execute("ALTER TABLE ferry DROP CONSTRAINT ferry_id_fkey",
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
                } catch (PersistenceException error) {
                    fails("cached plan must not change result type", () -> { throw error; });
                    assertEquals(0, run, "only the first transaction");
                }
            }
            Object[] row = factory.fromSession(session -> session.createNativeQuery("""
                SELECT cars, v.trips, t.trips FROM ferry JOIN vessel v USING (id)
                JOIN vessel t ON t.id = v.tender_id""",
                Object[].class).getSingleResult());
            assertEquals(List.of(trips, trips, trips), List.of(row), "nothing is lost in the " + type);
            assertEquals(ferry.id, factory.fromSession(session ->
                session.createQuery("from Ferry where tender.id = :id", Ferry.class)
                    .setParameter("id", ferry.tender.id).getSingleResult().id), type);
        }
    }

    /** A process whose attributes are UUIDs, after the type has changed */
    @Test void plainUuidsAfterTheMove() {
        Visit visit = new Visit();
        visit.person = context.getBean(People.class).save(new Person());
        var visits = context.getBean(Visits.class);
        visits.save(visit);
        try {
            execute("ALTER TABLE visit DROP CONSTRAINT visit_person_id_fkey",
                "ALTER TABLE person ALTER id TYPE ulid", "ALTER TABLE visit ALTER person_id TYPE ulid");
            fails("Cannot cast org.postgresql.util.PGobject to java.util.UUID", () -> visits.findById(visit.id));
        } finally {
            execute("ALTER TABLE person ALTER id TYPE uuid", "ALTER TABLE visit ALTER person_id TYPE uuid",
                "ALTER TABLE visit ADD CONSTRAINT visit_person_id_fkey FOREIGN KEY (person_id) REFERENCES person");
        }
    }
}
