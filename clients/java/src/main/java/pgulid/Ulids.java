package pgulid;

import com.github.f4b6a3.ulid.Ulid;
import java.util.UUID;
import java.util.regex.Pattern;

/** Reads ids as the server does. */
public final class Ulids {
    private static final String DIGITS = "([0-9A-Fa-f]{4}-?){7}[0-9A-Fa-f]{4}";
    private static final Pattern UUIDS = Pattern.compile(DIGITS + "|\\{" + DIGITS + "\\}");

    private Ulids() {}

    /**
     * Accepts what the server accepts: a ULID in any spelling, or a UUID, also as objects.
     *
     * @throws InvalidUlidException for anything else
     */
    public static Ulid parse(Object value) {
        if (value instanceof Ulid id)
            return id;
        if (value instanceof UUID uuid)
            return Ulid.from(uuid);
        String text = value.toString();
        try {
            if (!UUIDS.matcher(text).matches())
                return Ulid.from(text);
        } catch (IllegalArgumentException error) {
            throw new InvalidUlidException(text);
        }
        String hex = text.replaceAll("[{}-]", "");
        return Ulid.from(new UUID(Long.parseUnsignedLong(hex, 0, 16, 16), Long.parseUnsignedLong(hex, 16, 32, 16)));
    }

    /**
     * The server's spelling.
     *
     * @throws InvalidUlidException for what is not an id
     */
    public static String spell(Object value) {
        return parse(value).toString();
    }
}
