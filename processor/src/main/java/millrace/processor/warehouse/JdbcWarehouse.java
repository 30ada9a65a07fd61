package millrace.processor.warehouse;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.sql.SQLException;
import java.time.Duration;
import millrace.processor.warehouse.WarehouseException.Reason;

/** PostgreSQL or Trino, over a pool of connections; each slice that is read has one of them. */
public final class JdbcWarehouse implements Warehouse {
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final JdbcEngine engine;
    private final JdbcSettings settings;
    private final HikariDataSource pool;
    private final JdbcVersions versions;

    /**
     * @param address {@code jdbc:postgresql:…} or {@code jdbc:trino:…}
     * @throws WarehouseException where the engine cannot be reached or has no table {@code millrace_versions}
     */
    public JdbcWarehouse(String address, JdbcSettings settings) throws WarehouseException {
        String name = address.replaceAll("[?].*", "");
        this.engine = JdbcEngine.of(address)
                .orElseThrow(() -> new WarehouseException(
                        Reason.UNAVAILABLE,
                        "the warehouse is a folder, jdbc:postgresql://… or jdbc:trino://…, not " + name));
        this.settings = settings;
        try {
            this.pool = new HikariDataSource(config(engine, address, settings));
        } catch (PoolInitializationException e) {
            throw new WarehouseException(
                    Reason.UNAVAILABLE,
                    "the warehouse " + name + " cannot be reached: "
                            + (e.getCause() == null ? e : e.getCause()).getMessage(),
                    e);
        }
        try {
            this.versions = new JdbcVersions(pool, settings.refresh());
        } catch (SQLException e) {
            pool.close();
            throw new WarehouseException(
                    Reason.UNAVAILABLE, "millrace_versions of " + name + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Whether a setting names such a warehouse, and not a folder. */
    public static boolean isAddress(String setting) {
        return setting.startsWith("jdbc:");
    }

    public DataVersions versions() {
        return versions;
    }

    @Override
    public RowStream open(SliceQuery query) throws WarehouseException {
        String dataset = query.dataset().name();
        try {
            String table = versions.table(dataset, query.version())
                    .orElseThrow(() -> new WarehouseException(
                            Reason.UNAVAILABLE, "version " + query.version() + " of " + dataset + " does not exist"));
            return new JdbcRowStream(
                    query, new JdbcSlice(engine, table, query), engine, settings, pool.getConnection());
        } catch (SQLException e) {
            throw JdbcFault.of("the warehouse cannot be reached", e, settings);
        }
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
