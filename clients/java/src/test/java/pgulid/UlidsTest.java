package pgulid;

import static org.junit.jupiter.api.Assertions.*;
import static pgulid.Server.*;

import com.github.f4b6a3.ulid.Ulid;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import pgulid.hibernate.UlidType;

class UlidsTest {
    @Test void readsWhatTheServerReads() {
        reads(Ulids::parse);
        reads(text -> new UlidType.OfString().fromString(text));
        reads(text -> Ulid.from(new UlidType.OfUuid().fromString(text)));
    }

    @Test void objects() {
        UUID uuid = UUID.fromString("018f343d-8c80-0123-4567-89abcdef0202");
        assertEquals(IDS.get(1), Ulids.spell(uuid));
        assertEquals(IDS.get(1), Ulids.spell(Ulid.from(uuid)));
        assertThrows(InvalidUlidException.class, () -> Ulids.parse(5));
    }
}
