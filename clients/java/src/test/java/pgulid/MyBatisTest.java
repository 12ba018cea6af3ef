package pgulid;

import static org.junit.jupiter.api.Assertions.*;
import static pgulid.Server.*;

import java.time.OffsetDateTime;
import java.util.List;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.*;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.junit.jupiter.api.Test;

/** MyBatis sends a varchar: each id needs a cast. */
class MyBatisTest {
    interface Messages {
        @Select(value = "INSERT INTO message SELECT coalesce(#{id}::ulid, gen_ulid()) RETURNING id", affectData = true)
        String add(String id);

        @Select("""
            <script>SELECT id FROM message WHERE id IN
            <foreach item='id' collection='list' open='(' separator=',' close=')'>#{id}::ulid</foreach>
            ORDER BY id</script>""")
        List<String> find(List<String> ids);

        @Select("SELECT id FROM message WHERE id >= #{begin} AND id < #{end}")
        List<String> between(OffsetDateTime begin, OffsetDateTime end);
    }

    @Test void idsListsTimesAndErrors() throws Exception {
        var settings = new Configuration(new Environment("test", new JdbcTransactionFactory(), database("mybatis")));
        settings.addMapper(Messages.class);
        var messages = new SqlSessionFactoryBuilder().build(settings).openSession(true).getMapper(Messages.class);
        IDS.forEach(id -> assertEquals(id, messages.add(id.toLowerCase())));
        assertEquals(26, messages.add(null).length());
        assertEquals(IDS.subList(0, 2), messages.find(IDS.subList(0, 2)));
        assertEquals(IDS.subList(1, 2), messages.between(NOON.plusHours(1), NOON.plusHours(2)));
        fails("invalid input syntax for type ulid", () -> messages.find(List.of("not an id")));
    }
}
