// Hibernate and Spring Data JPA in a Spring Boot application whose tables Flyway creates.
package clients;

import static clients.Tap.*;

import com.github.f4b6a3.ulid.Ulid;
import com.github.f4b6a3.ulid.UlidCreator;
import jakarta.persistence.*;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.Version;
import org.hibernate.annotations.ColumnDefault;
import org.hibernate.annotations.Generated;
import org.hibernate.annotations.Type;
import org.hibernate.annotations.UuidGenerator;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.data.domain.*;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import ulid.hibernate.UlidType;

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

interface Visits extends JpaRepository<Visit, UUID> {
    List<Visit> findByPerson(Person person);
}

interface People extends JpaRepository<Person, UUID> {
    @Query(value = "SELECT * FROM person WHERE id >= ulid_min(:begin) AND id < ulid_min(:end)", nativeQuery = true)
    List<Person> between(OffsetDateTime begin, OffsetDateTime end);

    @Query(value = "SELECT id::ulid::text FROM person WHERE id = :id", nativeQuery = true)
    String shortId(UUID id);
}

@Entity
class Boat {
    @Id @Generated
    @Type(UlidType.OfString.class)
    @Column(columnDefinition = "ulid") @ColumnDefault("gen_ulid()")
    String id;
    String name;
    @Type(UlidType.OfList.class)
    @Column(columnDefinition = "ulid[]")
    List<String> friends;
}

@Entity
class Sail {
    @Id @UuidGenerator(style = UuidGenerator.Style.VERSION_7)
    @Type(UlidType.OfUuid.class)
    @Column(columnDefinition = "ulid")
    UUID id;
    @Type(UlidType.OfUlid.class)
    @Column(columnDefinition = "ulid")
    Ulid madeBy;
}

@Entity
class Oar {
    @Id @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Type(UlidType.OfString.class)
    @Column(columnDefinition = "ulid")
    String id;
    @ManyToOne
    Boat boat;
}

interface Boats extends JpaRepository<Boat, String> {
    List<Boat> findByIdGreaterThan(String id);

    Window<Boat> findFirst2ByOrderById(ScrollPosition position);

    @Query("""
        SELECT b FROM Boat b WHERE b.id >= function('ulid_min' as String, :begin)
            AND b.id < function('ulid_min' as String, :end)""")
    List<Boat> between(OffsetDateTime begin, OffsetDateTime end);

    @Query(nativeQuery = true, value = """
        SELECT * FROM boat WHERE id >= CAST(:begin AS timestamptz) AND id > CAST(:after AS ulid)""")
    List<Boat> since(OffsetDateTime begin, String after);

    @Query(nativeQuery = true, value = "SELECT * FROM boat WHERE id > :after")
    List<Boat> untyped(String after);
}

interface Oars extends JpaRepository<Oar, String> {
    List<Oar> findByBoatId(String id);
}

interface Sails extends JpaRepository<Sail, UUID> {
    List<Sail> findByMadeBy(Ulid id);
}

@SpringBootApplication
public class Hibernate {
    static final String[] SETTINGS = {"--spring.datasource.url=" + URL, "--spring.datasource.username=" + System.getenv("PGUSER"),
        "--spring.datasource.password=trusted", "--spring.main.banner-mode=off", "--logging.level.root=error",
        "--spring.flyway.locations=filesystem:migrations", "--spring.flyway.baseline-on-migrate=true", "--spring.flyway.baseline-version=0",
        "--spring.jpa.hibernate.ddl-auto=validate", "--spring.jpa.properties.hibernate.jdbc.batch_size=50",
        "--spring.jpa.properties.hibernate.generate_statistics=true",
        "--spring.jpa.properties.jakarta.persistence.schema-generation.scripts.action=create",
        "--spring.jpa.properties.jakarta.persistence.schema-generation.scripts.create-target=ddl.sql"};

    static Boat boat(String name, String... friends) {
        Boat boat = new Boat();
        boat.name = name;
        boat.friends = List.of(friends);
        return boat;
    }

    public static void main(String[] arguments) throws IOException {
        try (var context = new SpringApplicationBuilder(Hibernate.class).run(SETTINGS)) {
            System.out.println("# Spring Boot " + SpringBootVersion.getVersion() + ", Hibernate " + Version.getVersionString());
            var people = context.getBean(People.class);
            var visits = context.getBean(Visits.class);
            var boats = context.getBean(Boats.class);
            var oars = context.getBean(Oars.class);
            var sails = context.getBean(Sails.class);
            var statistics = context.getBean(EntityManagerFactory.class).unwrap(SessionFactory.class).getStatistics();
            OffsetDateTime begin = OffsetDateTime.now().minusHours(1), end = begin.plusHours(2);

            String ddl = Files.readString(Path.of("ddl.sql"));
            equal("the DDL", ddl.contains("friends ulid[], id ulid default gen_ulid() not null"), true);
            equal("the DDL of an identity, which is wrong", ddl.contains("id ulid generated by default as identity"), true);

            Person person = people.save(new Person());
            equal("a uuid column's default comes back", person.id.version(), 7);
            List<Visit> some = Stream.generate(Visit::new).limit(100).peek(visit -> visit.person = person).toList();
            statistics.clear();
            visits.saveAll(some);
            equal("100 rows with Hibernate's UUIDs are one prepared statement", statistics.getPrepareStatementCount(), 1L);
            equal("a relation by uuid", visits.findByPerson(person).size(), 100);
            equal("a range of time on a uuid column", people.between(begin, end).size(), 1);
            equal("the short text of a uuid", people.shortId(person.id), Ulid.from(person.id).toString());

            Boat first = boats.save(boat("first")), second = boats.save(boat("second", first.id)), third = boats.save(boat("third"));
            equal("a ulid column's default comes back", first.id.length() == 26 && first.id.compareTo(second.id) < 0, true);
            equal("findById", boats.findById(first.id).get().name, "first");
            equal("findAllById", boats.findAllById(List.of(first.id, third.id)).size(), 2);
            equal("an array", boats.findById(second.id).get().friends, List.of(first.id));
            equal("a derived query", boats.findByIdGreaterThan(first.id).size(), 2);
            var window = boats.findFirst2ByOrderById(ScrollPosition.keyset());
            equal("the first page by key", window.map(boat -> boat.name).toList(), List.of("first", "second"));
            window = boats.findFirst2ByOrderById(window.positionAt(1));
            equal("the next page", window.map(boat -> boat.name).toList(), List.of("third"));
            equal("a range of time in JPQL", boats.between(begin, end).size(), 3);
            equal("an empty range of time in JPQL", boats.between(begin.minusHours(1), begin).size(), 0);
            equal("a native query", boats.since(begin, first.id).size(), 2);
            first.name = "renamed";
            first.friends = null;
            boats.save(first);
            equal("an update", boats.findById(first.id).map(boat -> boat.name + boat.friends).get(), "renamednull");

            Oar oar = new Oar();
            oar.boat = first;
            oar = oars.save(oar);
            equal("GenerationType.IDENTITY", oar.id.length(), 26);
            equal("a relation", oars.findByBoatId(first.id).stream().map(one -> one.id).toList(), List.of(oar.id));

            List<Sail> sewn = Stream.generate(Sail::new).limit(100).toList();
            sewn.get(0).madeBy = UlidCreator.getMonotonicUlid();
            statistics.clear();
            sails.saveAll(sewn);
            equal("100 rows with UUIDs in a ulid column are one prepared statement", statistics.getPrepareStatementCount(), 1L);
            statistics.clear();
            boats.saveAll(Stream.generate(() -> boat("many")).limit(100).toList());
            equal("100 rows with ids from the database are 100 statements", statistics.getPrepareStatementCount(), 100L);
            Sail sail = sails.findById(sewn.get(0).id).get();
            equal("a ulid column is a UUID and a Ulid", List.of(sail.id, sail.madeBy), List.of(sewn.get(0).id, sewn.get(0).madeBy));
            equal("a query by Ulid", sails.findByMadeBy(sail.madeBy).size(), 1);
            fails("SQLSTATE 22P02", () -> boats.findById("not an id"));
            fails("SQLSTATE 22003", () -> boats.findById("8" + IDS.get(0).substring(1)));
            fails("operator does not exist: ulid > character varying", () -> boats.untyped(first.id));
        }
        done();
    }
}
