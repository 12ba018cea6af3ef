package pgulid.debezium;

import io.debezium.spi.converter.CustomConverter;
import io.debezium.spi.converter.RelationalColumn;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.SchemaBuilder;

/**
 * Columns of the type ulid, of domains over it, and of arrays of these, as the text that the server shows. Debezium
 * streams values of types that it does not know only if {@code include.unknown.datatypes} is true.
 */
public class UlidConverter implements CustomConverter<SchemaBuilder, RelationalColumn> {
    private Set<String> types;
    /** The OIDs of ulid, and the columns of other types by the OID of their base type. */
    private final Set<Integer> ulids = new HashSet<>();
    private final Map<Integer, String> others = new HashMap<>();

    /** The option {@code domains} lists domains over ulid, without their schemas, separated by commas. */
    @Override
    public void configure(Properties options) {
        String[] names = ("ulid," + options.getProperty("domains", "")).split(",");
        types = Arrays.stream(names).map(String::strip).filter(name -> !name.isEmpty()).collect(Collectors.toSet());
    }

    @Override
    public void converterFor(RelationalColumn column, ConverterRegistration<SchemaBuilder> registration) {
        // A snapshot names a type that is not in the search path "schema"."type", and streaming always type.
        String type = column.typeName().replaceAll("^.*\\.|\"", "");
        boolean isArray = type.startsWith("_") && types.contains(type.substring(1));
        if (!isArray)
            refuseUnlisted(column, type);
        if (types.contains(type))
            registration.register(SchemaBuilder.string(),
                value -> value == null ? missing(column, "") : value.toString());
        else if (isArray)
            registration.register(SchemaBuilder.array(SchemaBuilder.string().optional().build()),
                value -> value == null ? missing(column, List.of()) : elements(value));
    }

    /** The base type of a domain is known once there has been a column of the type ulid or of a listed domain. */
    private void refuseUnlisted(RelationalColumn column, String type) {
        if (types.contains(type))
            ulids.add(column.nativeType());
        else
            others.putIfAbsent(column.nativeType(),
                column.dataCollection() + "." + column.name() + " has the domain " + type);
        for (int ulid : ulids) {
            if (others.containsKey(ulid))
                throw new IllegalStateException(others.get(ulid) + " over ulid: list it in the option domains");
        }
    }

    /** As for other types: the before of a DELETE has only the key's values, and Debezium fills NOT NULL columns. */
    private static Object missing(RelationalColumn column, Object fill) {
        if (column.isOptional())
            return null;
        // A converter is not told the connector's settings. No key is NULL, so the stream has left it out.
        var calls = StackWalker.getInstance();
        if (calls.walk(frames -> frames.anyMatch(frame -> frame.getMethodName().contains("createKeyGenerator"))))
            throw new IllegalStateException("the key " + column.dataCollection() + "." + column.name()
                + " has no value: set include.unknown.datatypes=true");
        return fill;
    }

    /** The elements of java.sql.Array, whose text is the server's, such as [2:3]={01HWT0D7G004HMASW9NF6YY081,NULL}. */
    private static List<String> elements(Object array) {
        // Debezium's mark for a large value that an UPDATE has not changed, which the stream leaves out.
        if (array.getClass() == Object.class)
            return List.of("__debezium_unavailable_value");
        String text = array.toString().replaceFirst("^.*=", "");
        String list = text.substring(1, text.length() - 1);
        if (list.startsWith("{"))
            throw new IllegalArgumentException("not an array of one dimension: " + text);
        return list.isEmpty() ? List.of()
            : Arrays.stream(list.split(",")).map(element -> element.equals("NULL") ? null : element).toList();
    }
}
