package pgulid.hibernate;

import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.hibernate.boot.model.TypeContributions;
import org.hibernate.boot.model.TypeContributor;
import org.hibernate.engine.jdbc.spi.JdbcServices;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.type.SqlTypes;
import org.hibernate.type.descriptor.ValueBinder;
import org.hibernate.type.descriptor.ValueExtractor;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.JavaType;
import org.hibernate.type.descriptor.jdbc.BasicBinder;
import org.hibernate.type.descriptor.jdbc.BasicExtractor;
import org.hibernate.type.descriptor.jdbc.JdbcLiteralFormatter;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.sql.internal.DdlTypeImpl;
import org.postgresql.util.PGobject;

/** The server's type ulid. Hibernate finds Contributor as a service. */
public class UlidJdbcType implements JdbcType {
    public static final int CODE = 0x756c6964;

    public static class Contributor implements TypeContributor {
        public void contribute(TypeContributions types, ServiceRegistry services) {
            types.contributeJdbcType(new UlidJdbcType());
            types.contributeJavaType(new UlidType.OfUlid());
            types.getTypeConfiguration().getDdlTypeRegistry().addDescriptor(
                new DdlTypeImpl(CODE, "ulid", services.requireService(JdbcServices.class).getDialect()));
        }
    }

    public int getJdbcTypeCode() { return SqlTypes.OTHER; }
    public int getDefaultSqlTypeCode() { return CODE; }
    public String getFriendlyName() { return "ulid"; }
    public boolean isComparable() { return true; }
    public boolean isStringLike() { return true; } // comparable with literals and functions
    public Class<?> getPreferredJavaTypeClass(WrapperOptions options) { return String.class; }

    public <T> JdbcLiteralFormatter<T> getJdbcLiteralFormatter(JavaType<T> type) {
        return (sql, value, dialect, options) ->
            sql.appendSql("'" + type.unwrap(value, String.class, options) + "'::ulid");
    }

    public <X> ValueBinder<X> getBinder(JavaType<X> type) {
        return new BasicBinder<>(type, this) {
            private PGobject object(X value, WrapperOptions options) throws SQLException {
                PGobject object = new PGobject();
                object.setType("ulid");
                object.setValue(type.unwrap(value, String.class, options));
                return object;
            }

            protected void doBind(PreparedStatement statement, X value, int index, WrapperOptions options)
                throws SQLException {
                statement.setObject(index, object(value, options));
            }

            protected void doBind(CallableStatement statement, X value, String name, WrapperOptions options)
                throws SQLException {
                statement.setObject(name, object(value, options));
            }

            protected void doBindNull(PreparedStatement statement, int index, WrapperOptions options)
                throws SQLException {
                statement.setObject(index, object(null, options));
            }
        };
    }

    public <X> ValueExtractor<X> getExtractor(JavaType<X> type) {
        return new BasicExtractor<>(type, this) {
            protected X doExtract(ResultSet rows, int index, WrapperOptions options) throws SQLException {
                return type.wrap(rows.getString(index), options);
            }

            protected X doExtract(CallableStatement statement, int index, WrapperOptions options)
                throws SQLException {
                return type.wrap(statement.getString(index), options);
            }

            protected X doExtract(CallableStatement statement, String name, WrapperOptions options)
                throws SQLException {
                return type.wrap(statement.getString(name), options);
            }
        };
    }
}
