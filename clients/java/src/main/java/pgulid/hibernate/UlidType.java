package pgulid.hibernate;

import com.github.f4b6a3.ulid.Ulid;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.java.ImmutableMutabilityPlan;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcTypeIndicators;
import pgulid.Ulids;

/** Types of attributes for ulid columns: {@code @JavaType(UlidType.OfString.class) String id}. A Ulid needs none. */
public abstract class UlidType<T> extends AbstractClassJavaType<T> {
    /** A string in the server's spelling, also when an id is looked up by another spelling. */
    public static class OfString extends UlidType<String> {
        public OfString() { super(String.class, Ulid::toString); }
        public boolean areEqual(String one, String other) { return Objects.equals(wrap(one, null), wrap(other, null)); }
        public int extractHashCode(String id) { return wrap(id, null).hashCode(); }
    }

    /** A UUID with the same 16 bytes. */
    public static class OfUuid extends UlidType<UUID> {
        public OfUuid() { super(UUID.class, Ulid::toUuid); }
    }

    /** The class of the library ulid-creator. */
    public static class OfUlid extends UlidType<Ulid> {
        public OfUlid() { super(Ulid.class, id -> id); }
    }

    private final Function<Ulid, T> read;

    private UlidType(Class<T> type, Function<Ulid, T> read) {
        super(type, ImmutableMutabilityPlan.instance());
        this.read = read;
    }

    public JdbcType getRecommendedJdbcType(JdbcTypeIndicators indicators) {
        return indicators.getJdbcType(UlidJdbcType.CODE);
    }

    public T fromString(CharSequence text) { return wrap(text, null); }
    public Object coerce(Object value) { return value instanceof String ? wrap(value, null) : value; } // not lists
    public <X> T wrap(X value, WrapperOptions options) { return value == null ? null : read.apply(Ulids.parse(value)); }

    public <X> X unwrap(T value, Class<X> type, WrapperOptions options) {
        return value == null ? null : type.cast(type == String.class ? Ulids.spell(value) : value);
    }
}
