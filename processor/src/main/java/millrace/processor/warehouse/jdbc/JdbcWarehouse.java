package millrace.processor.warehouse.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.UnaryOperator;
import millrace.processor.warehouse.DataVersions;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;

/** Reads PostgreSQL or Trino over a pool of connections. Each open slice uses one connection. */
public final class JdbcWarehouse implements Warehouse {
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final JdbcEngine engine;
    private final JdbcSettings settings;
    private final HikariDataSource pool;
    private final JdbcDataVersions versions;

    /**
     * @param address {@code jdbc:postgresql:…} or {@code jdbc:trino:…}
     * @throws WarehouseException where the engine is unavailable or has no table {@code millrace_versions}
     */
    public JdbcWarehouse(String address, JdbcSettings settings) throws WarehouseException {
        String name = address.replaceAll("[?].*", "");
        this.engine = JdbcEngine.of(address)
                .orElseThrow(() -> new WarehouseException(
                        Reason.MISSING,
                        "the warehouse is a folder, jdbc:postgresql://… or jdbc:trino://…, not " + name));
        this.settings = settings;
        try {
            this.pool = new HikariDataSource(config(engine, address, settings));
        } catch (PoolInitializationException e) {
            throw new WarehouseException(
                    Reason.MISSING,
                    "the warehouse " + name + " cannot be reached: "
                            + (e.getCause() == null ? e : e.getCause()).getMessage(),
                    e);
        }
        try {
            this.versions = new JdbcDataVersions(pool, settings.refresh());
        } catch (SQLException e) {
            pool.close();
            throw new WarehouseException(
                    Reason.MISSING, "millrace_versions of " + name + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Whether a setting is a JDBC address, and not a folder. */
    public static boolean isAddress(String setting) {
        return setting.startsWith("jdbc:");
    }

    public DataVersions versions() {
        return versions;
    }

    @Override
    public RowStream open(SliceQuery query) throws WarehouseException {
        try {
            String table = table(query.dataset().name(), query.version());
            return new JdbcRowStream(query, table, engine, settings, pool.getConnection());
        } catch (SQLException e) {
            throw JdbcErrors.of("the warehouse cannot be reached", e, settings);
        }
    }

    /**
     * Runs a statement on the table of a version.
     *
     * @param sql returns the statement, given the quoted name of the table for FROM
     * @param rows called with the result
     */
    public void query(String dataset, String version, UnaryOperator<String> sql, ResultReader rows)
            throws WarehouseException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            engine.limit(statement, settings);
            try (ResultSet found = statement.executeQuery(sql.apply(table(dataset, version)))) {
                rows.read(found);
            }
        } catch (SQLException e) {
            throw JdbcErrors.of("dataset " + dataset + " cannot be read", e, settings);
        }
    }

    private String table(String dataset, String version) throws SQLException, WarehouseException {
        return versions.table(dataset, version)
                .orElseThrow(() -> new WarehouseException(
                        Reason.MISSING, "version " + version + " of " + dataset + " does not exist"));
    }

    /** The suffix of a text column in ORDER BY that makes the engine compare UTF-8 bytes. */
    public String bytewise() {
        return engine.bytewise();
    }

    /** Reads a result to the end. */
    @FunctionalInterface
    public interface ResultReader {
        void read(ResultSet found) throws SQLException;
    }

    @Override
    public void close() {
        versions.close();
        pool.close();
    }

    private static HikariConfig config(JdbcEngine engine, String address, JdbcSettings settings) {
        var config = new HikariConfig();
        config.setPoolName("warehouse");
        config.setJdbcUrl(address);
        config.setUsername(settings.user());
        config.setPassword(settings.password());
        config.setMaximumPoolSize(settings.connections());
        config.setMinimumIdle(1);
        config.setIdleTimeout(IDLE.toMillis());
        config.setConnectionTimeout(settings.connectTimeout().toMillis());
        config.setInitializationFailTimeout(settings.connectTimeout().toMillis());
        engine.configure(config, settings);
        return config;
    }
}
