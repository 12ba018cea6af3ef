// JDBC, through the move: see move.pl.
// without: Cannot cast org.postgresql.util.PGobject to java.util.UUID
// happens: cached plan must not change result type
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

public class MoveJdbc extends Moving {
    private final String mode;
    private final Connection connection;

    MoveJdbc(String mode) throws Exception {
        this.mode = mode;
        connection = DriverManager.getConnection(Checks.URL, System.getenv("PGUSER"), "");
    }

    private PreparedStatement prepare(String statement, Object... values) throws Exception {
        PreparedStatement prepared = connection.prepareStatement(statement);
        for (int i = 0; i < values.length; ++i)
            if (values[i] instanceof List)
                prepared.setArray(i + 1, connection.createArrayOf(mode.equals("ulid") ? "ulid" : "uuid", ((List<?>) values[i]).toArray()));
            else
                prepared.setObject(i + 1, values[i], Types.OTHER);
        return prepared;
    }

    private Object id(ResultSet row, int column) throws Exception {
        return mode.equals("uuid") ? row.getObject(column, UUID.class) : mode.equals("both") ? UuidOrUlid.get(row, column) : row.getString(column);
    }

    private List<Object> several(ResultSet row, int column) throws Exception {
        List<Object> ids = new ArrayList<>();
        for (Object id : (Object[]) row.getArray(column).getArray())
            ids.add(mode.equals("uuid") ? id : mode.equals("both") ? UuidOrUlid.of(id.toString()) : id.toString());
        return ids;
    }

    @Override
    Object addCustomer(String name) throws Exception {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO customers (name) VALUES (?)", new String[] {"id"})) {
            insert.setString(1, name);
            insert.execute();
            ResultSet keys = insert.getGeneratedKeys();
            keys.next();
            return id(keys, 1);
        }
    }

    @Override
    void addOrder(Object customer, String type, Object record, List<Object> others) throws Exception {
        try (PreparedStatement insert = prepare("INSERT INTO orders (customer_id, record_type, record_id, others) VALUES (?, ?, ?, ?)",
                 customer, type, record, others)) {
            insert.execute();
        }
    }

    @Override
    int rename(Object id, String name) throws Exception {
        try (PreparedStatement update = prepare("UPDATE customers SET name = ? WHERE id = ?", name, id)) {
            return update.executeUpdate();
        }
    }

    @Override
    List<Object> customer(Object id) throws Exception { // in a transaction
        connection.setAutoCommit(false);
        try (PreparedStatement select = prepare("SELECT id, name FROM customers WHERE id = ?", id)) {
            ResultSet row = select.executeQuery();
            row.next();
            return List.of(id(row, 1), row.getString(2));
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    @Override
    List<List<Object>> ordersOf(Object id) throws Exception {
        try (PreparedStatement select = prepare("SELECT customer_id, record_type, record_id, others FROM orders WHERE customer_id = ?", id)) {
            List<List<Object>> orders = new ArrayList<>();
            for (ResultSet row = select.executeQuery(); row.next();)
                orders.add(List.of(id(row, 1), row.getString(2), id(row, 3), several(row, 4)));
            return orders;
        }
    }

    public static void main(String[] arguments) throws Exception {
        new MoveJdbc(arguments[0]).rounds(arguments[0]);
    }
}
