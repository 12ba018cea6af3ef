package app;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;
import org.hibernate.annotations.Generated;
import org.hibernate.cfg.Configuration;

/** An entity of a uuid column, Hibernate and the package: no Spring, no jOOQ, and ulid-creator only as the package brings it. */
public class Main {
    @Entity(name = "person")
    public static class Person {
        @Id @Generated
        UUID id;
    }

    public static void main(String[] arguments) {
        Configuration configuration = new Configuration().addAnnotatedClass(Person.class)
            .setProperty("hibernate.connection.url", arguments[0])
            .setProperty("hibernate.connection.username", arguments[1]);
        try (var factory = configuration.buildSessionFactory()) {
            factory.inTransaction(session -> {
                session.createNativeMutationQuery(
                    "CREATE TEMP TABLE person (id uuid PRIMARY KEY DEFAULT gen_uuidv7())").executeUpdate();
                Person person = new Person();
                session.persist(person);
                System.out.println("ok " + person.id.version() + " " + pgulid.Ulids.spell(person.id).length());
            });
        }
        try {
            pgulid.Ulids.parse("not an id");
        } catch (pgulid.InvalidUlidException error) { // whose annotation Java ignores without Spring
            System.out.println("ok " + error.getMessage() + " " + error.getClass().getAnnotations().length);
        }
    }
}
