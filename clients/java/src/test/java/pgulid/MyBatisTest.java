package pgulid;

import static org.junit.jupiter.api.Assertions.*;
import static pgulid.Server.*;

import java.time.OffsetDateTime;
import java.util.List;
import org.apache.ibatis.annotations.*;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.*;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.junit.jupiter.api.Test;

/** Ids are strings, with a cast in each statement, since MyBatis sends a varchar. */
class MyBatisTest {
    interface Messages {
        @Select(value = "INSERT INTO message (id, body) VALUES (coalesce(#{id}::ulid, gen_ulid()), 'b') RETURNING id",
            affectData = true)
        String add(String id);

        @Select("SELECT body FROM message WHERE id = #{id}::ulid")
        String find(String id);

        @Select("""
            <script>SELECT id FROM message WHERE id IN
            <foreach item='id' collection='ids' open='(' separator=',' close=')'>#{id}::ulid</foreach> ORDER BY id</script>""")
        List<String> findAll(@Param("ids") List<String> ids);

        @Select("SELECT id FROM message WHERE id >= #{begin} AND id < #{end}")
        List<String> between(@Param("begin") OffsetDateTime begin, @Param("end") OffsetDateTime end);
    }

    @Test void idsListsTimesAndErrors() throws Exception {
        var configuration =
            new Configuration(new Environment("test", new JdbcTransactionFactory(), database("mybatis")));
        configuration.addMapper(Messages.class);
        try (SqlSession session = new SqlSessionFactoryBuilder().build(configuration).openSession(true)) {
            Messages messages = session.getMapper(Messages.class);
            for (String id : IDS)
                assertEquals(id, messages.add(id.toLowerCase()));
            assertEquals(26, messages.add(null).length());
            assertEquals("b", messages.find(IDS.get(0)));
            assertEquals(IDS.subList(0, 2), messages.findAll(IDS.subList(0, 2)));
            assertEquals(IDS.subList(1, 2), messages.between(NOON.plusHours(1), NOON.plusHours(2)));
            Server.fails("invalid input syntax for type ulid", () -> messages.find("not an id"));
        }
    }
}
