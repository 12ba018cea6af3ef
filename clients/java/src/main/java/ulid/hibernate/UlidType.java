package ulid.hibernate;

import com.github.f4b6a3.ulid.Ulid;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.type.SqlTypes;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.usertype.EnhancedUserType;
import org.hibernate.usertype.UserType;
import org.postgresql.util.PGobject;

/** Types of attributes for ulid columns: {@code @Type(UlidType.OfString.class) String id}. */
public abstract class UlidType<T> implements EnhancedUserType<T> {
    public static class OfString extends UlidType<String> {
        public OfString() { super(String.class, text -> text); }
    }

    /** A UUID with the same 16 bytes. */
    public static class OfUuid extends UlidType<UUID> {
        public OfUuid() { super(UUID.class, UlidType::toUuid); }
    }

    /** The class of the library ulid-creator. */
    public static class OfUlid extends UlidType<Ulid> {
        public OfUlid() { super(Ulid.class, Ulid::from); }
    }

    /** A ulid[] column: {@code @Type(UlidType.OfList.class) List<String> ids}. */
    public static class OfList implements UserType<List<String>> {
        @SuppressWarnings("unchecked")
        public Class<List<String>> returnedClass() { return (Class<List<String>>) (Class<?>) List.class; }
        public int getSqlType() { return SqlTypes.ARRAY; }
        public boolean isMutable() { return true; }
        public List<String> deepCopy(List<String> ids) { return ids == null ? null : new ArrayList<>(ids); }

        public List<String> nullSafeGet(ResultSet rows, int index, WrapperOptions options) throws SQLException {
            java.sql.Array array = rows.getArray(index);
            return array == null ? null : Stream.of((Object[]) array.getArray())
                .map(id -> id == null ? null : id.toString()).collect(Collectors.toList());
        }

        public void nullSafeSet(PreparedStatement statement, List<String> ids, int index, WrapperOptions options)
            throws SQLException {
            statement.setArray(index, ids == null ? null : statement.getConnection().createArrayOf("ulid", ids.toArray()));
        }
    }

    private final Class<T> type;
    private final Function<String, T> read;

    private UlidType(Class<T> type, Function<String, T> read) {
        this.type = type;
        this.read = read;
    }

    /** A ULID in the server's spelling as a UUID. */
    public static UUID toUuid(String ulid) {
        long high = 0, low = 0;
        for (char digit : ulid.toCharArray()) {
            high = high << 5 | low >>> 59;
            low = low << 5 | "0123456789ABCDEFGHJKMNPQRSTVWXYZ".indexOf(digit);
        }
        return new UUID(high, low);
    }

    public Class<T> returnedClass() { return type; }
    public int getSqlType() { return SqlTypes.OTHER; }
    public boolean isMutable() { return false; }
    public T deepCopy(T value) { return value; }
    public String toString(T value) { return value.toString(); }
    public String toSqlLiteral(T value) { return "'" + value + "'::ulid"; }
    public T fromStringValue(CharSequence text) { return read.apply(text.toString()); }

    public T nullSafeGet(ResultSet rows, int index, WrapperOptions options) throws SQLException {
        String text = rows.getString(index);
        return text == null ? null : read.apply(text);
    }

    public void nullSafeSet(PreparedStatement statement, T value, int index, WrapperOptions options) throws SQLException {
        PGobject object = new PGobject();
        object.setType("ulid");
        object.setValue(value == null ? null : value.toString());
        statement.setObject(index, object);
    }
}
