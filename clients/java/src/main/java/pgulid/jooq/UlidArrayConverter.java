package pgulid.jooq;

import java.util.UUID;
import java.util.stream.Stream;
import org.jooq.impl.AbstractConverter;

/** A column of ulid[] is an array of Strings. */
public class UlidArrayConverter extends AbstractConverter<Object[], String[]> {
    private static final long serialVersionUID = 1;
    private static final UlidConverter ELEMENT = new UlidConverter();

    public UlidArrayConverter() { super(Object[].class, String[].class); }

    @Override
    public String[] from(Object[] ids) {
        return ids == null ? null : Stream.of(ids).map(ELEMENT::from).toArray(String[]::new);
    }

    @Override
    public Object[] to(String[] ids) {
        return ids == null ? null : Stream.of(ids).map(ELEMENT::to).toArray(UUID[]::new);
    }
}
