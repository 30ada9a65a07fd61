package millrace.processor.warehouse.jdbc;

import com.zaxxer.hikari.HikariConfig;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Optional;

/** The engines behind JDBC and their differences. */
enum JdbcEngine {
    POSTGRESQL("jdbc:postgresql:"),
    TRINO("jdbc:trino:");

    private final String prefix;

    JdbcEngine(String prefix) {
        this.prefix = prefix;
    }

    static Optional<JdbcEngine> of(String address) {
        return Arrays.stream(values())
                .filter(engine -> address.startsWith(engine.prefix))
                .findFirst();
    }

    /** The suffix of a text column in ORDER BY that makes the engine compare UTF-8 bytes. */
    String bytewise() {
        return switch (this) {
            case POSTGRESQL -> " COLLATE \"C\"";
            case TRINO -> "";
        };
    }

    void configure(HikariConfig config, JdbcSettings settings) {
        switch (this) {
            case POSTGRESQL -> {
                // Without a transaction the driver would buffer the whole result.
                config.setAutoCommit(false);
                config.setReadOnly(true);
                // The driver asks for the time zone of this machine. The pool has to commit SET: a rollback would undo
                // it.
                config.setConnectionInitSql("SET SESSION TIME ZONE 'UTC'");
                config.setIsolateInternalQueries(true);
                // The server ends queries that take too long. A connection option, since a rollback would undo SET.
                config.addDataSourceProperty(
                        "options",
                        "-c statement_timeout=" + settings.queryTimeout().toMillis());
                config.addDataSourceProperty("ApplicationName", "millrace");
                config.addDataSourceProperty("tcpKeepAlive", "true");
                config.addDataSourceProperty(
                        "connectTimeout",
                        Long.toString(settings.connectTimeout().toSeconds()));
                config.addDataSourceProperty(
                        "socketTimeout",
                        Long.toString(settings.queryTimeout()
                                .plus(settings.connectTimeout())
                                .toSeconds()));
            }
            case TRINO -> {
                config.addDataSourceProperty("source", "millrace");
                config.addDataSourceProperty("timezone", "UTC");
                // Statements with many values would not fit into an HTTP header.
                config.addDataSourceProperty("explicitPrepare", "false");
            }
        }
    }

    void limit(Statement statement, JdbcSettings settings) throws SQLException {
        statement.setFetchSize(settings.fetchRows());
        switch (this) {
            case POSTGRESQL -> {}
            case TRINO ->
                statement.setQueryTimeout((int) settings.queryTimeout().toSeconds());
        }
    }
}
