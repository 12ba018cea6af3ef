package pgulid.jooq;

import java.util.UUID;
import org.jooq.DataType;
import org.jooq.impl.AbstractConverter;
import org.jooq.impl.SQLDataType;
import pgulid.Ulids;

/**
 * A ulid column is a String in the server's spelling. It is sent as a UUID, which the server takes for a ulid everywhere, so
 * that this also works while the column is still a uuid.
 */
public class UlidConverter extends AbstractConverter<Object, String> {
    private static final long serialVersionUID = 1;
    /** For {@code val(id, UlidConverter.ULID)} and {@code field("...", UlidConverter.ULID)}. */
    public static final DataType<String> ULID = SQLDataType.OTHER.asConvertedDataType(new UlidConverter());

    public UlidConverter() { super(Object.class, String.class); }

    @Override
    public String from(Object id) { return id == null ? null : Ulids.spell(id); }

    @Override
    public UUID to(String id) { return id == null ? null : Ulids.parse(id).toUuid(); }
}
