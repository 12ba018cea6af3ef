package ulid.jooq;

import java.sql.SQLException;
import org.jooq.*;
import org.jooq.impl.AbstractBinding;

/** Reads and sends a ulid column as a String. */
public class UlidBinding extends AbstractBinding<Object, String> {
    public Converter<Object, String> converter() {
        return Converter.ofNullable(Object.class, String.class, Object::toString, id -> id);
    }

    public void sql(BindingSQLContext<String> context) throws SQLException {
        super.sql(context);
        context.render().sql("::ulid");
    }

    public void set(BindingSetStatementContext<String> context) throws SQLException {
        context.statement().setString(context.index(), context.value());
    }

    public void get(BindingGetResultSetContext<String> context) throws SQLException {
        context.value(context.resultSet().getString(context.index()));
    }
}
