package ulid.jooq;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Types;
import org.jooq.*;
import org.jooq.conf.ParamType;
import org.jooq.impl.DSL;

/** Reads and sends a ulid column as a String. */
public class UlidBinding implements Binding<Object, String> {
    public Converter<Object, String> converter() {
        return Converter.ofNullable(Object.class, String.class, Object::toString, id -> id);
    }

    public void sql(BindingSQLContext<String> context) {
        if (context.render().paramType() == ParamType.INLINED)
            context.render().visit(DSL.inline(context.value()));
        else
            context.render().sql(context.variable());
        context.render().sql("::ulid");
    }

    public void register(BindingRegisterContext<String> context) throws SQLException {
        context.statement().registerOutParameter(context.index(), Types.OTHER);
    }

    public void set(BindingSetStatementContext<String> context) throws SQLException {
        context.statement().setString(context.index(), context.value());
    }

    public void get(BindingGetResultSetContext<String> context) throws SQLException {
        context.value(context.resultSet().getString(context.index()));
    }

    public void get(BindingGetStatementContext<String> context) throws SQLException {
        context.value(context.statement().getString(context.index()));
    }

    public void set(BindingSetSQLOutputContext<String> context) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    public void get(BindingGetSQLInputContext<String> context) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }
}
