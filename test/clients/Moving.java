// The rounds of move.pl, by five functions of the client's. An id is a UUID, or in the last step a String.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

abstract class Moving {
    static final List<String> FIRST = List.of("018f3406-9e00-0123-4567-89abcdef0101", "01HWT0D7G004HMASW9NF6YY081");

    abstract Object addCustomer(String name) throws Exception;

    abstract void addOrder(Object customer, String type, Object record, List<Object> others) throws Exception;

    abstract int rename(Object id, String name) throws Exception;

    abstract List<Object> customer(Object id) throws Exception;

    abstract List<List<Object>> ordersOf(Object id) throws Exception;

    static void same(Object got, Object expected) {
        if (!got.equals(expected))
            throw new IllegalStateException(got + " instead of " + expected);
    }

    void rounds(String mode) throws Exception {
        Object previous = mode.equals("ulid") ? FIRST.get(1) : UUID.fromString(FIRST.get(0));
        BufferedReader names = new BufferedReader(new InputStreamReader(System.in));
        for (String name; (name = names.readLine()) != null;) {
            String answer;
            try {
                Object record = previous;
                Object id = addCustomer(name);
                same(id.getClass(), record.getClass());
                addOrder(id, "Customer", record, List.of(id, record));
                same(rename(id, name + " changed"), 1);
                same(customer(id), List.of(id, name + " changed"));
                same(ordersOf(id), List.of(List.of(id, "Customer", record, List.of(id, record))));
                same(customer(record).get(0), record);
                if (!mode.equals("uuid"))
                    for (String old : FIRST) {
                        Object one = mode.equals("ulid") ? UuidOrUlid.ulid(UuidOrUlid.of(old)) : UuidOrUlid.of(old);
                        same(customer(one), List.of(mode.equals("ulid") ? FIRST.get(1) : UUID.fromString(FIRST.get(0)), "first"));
                    }
                previous = id;
                answer = "done\t" + id;
            } catch (Exception exception) {
                StringBuilder told = new StringBuilder("error\t");
                for (Throwable cause = exception; cause != null; cause = cause.getCause())
                    told.append(cause.toString().replaceAll("\\s+", " ")).append(' ');
                answer = told.toString();
            }
            System.out.println(name + "\t" + answer);
        }
    }
}
