package millrace.processor.warehouse.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import millrace.processor.warehouse.DataVersions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the table {@code millrace_versions}, which maps versions of datasets to tables; the version that was switched
 * to last is current. The table is read in the background, so that calls do not block. While the engine is unavailable
 * the last result counts.
 */
final class JdbcDataVersions implements DataVersions, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcDataVersions.class);
    private static final String ALL =
            "SELECT dataset, version, table_name, switched_at FROM millrace_versions ORDER BY switched_at";
    /** A table name, which may be qualified by schema and catalog. */
    private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*){0,2}");

    private static final TimeZone UTC = TimeZone.getTimeZone("UTC");

    private final DataSource pool;
    private final ScheduledExecutorService clock;
    private volatile Seen seen = new Seen(Map.of(), Map.of(), Map.of());
    private volatile boolean failing;
    private volatile Map<Key, String> reported = Map.of();

    /**
     * The content of the table.
     *
     * @param current current versions, by dataset
     * @param tables by dataset and version
     * @param switched when a version became current, by dataset and version
     */
    private record Seen(Map<String, String> current, Map<Key, String> tables, Map<Key, Instant> switched) {}

    private record Key(String dataset, String version) {}

    /** @throws SQLException where the table cannot be read */
    JdbcDataVersions(DataSource pool, Duration every) throws SQLException {
        this.pool = pool;
        refresh();
        this.clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("data-versions").factory());
        var unused = clock.scheduleWithFixedDelay(
                this::refreshQuietly, every.toMillis(), Math.max(1, every.toMillis()), TimeUnit.MILLISECONDS);
    }

    @Override
    public Optional<String> current(String dataset) {
        return Optional.ofNullable(seen.current.get(dataset));
    }

    @Override
    public Collection<String> versions(String dataset) {
        return seen.tables.keySet().stream()
                .filter(key -> key.dataset.equals(dataset))
                .map(Key::version)
                .toList();
    }

    @Override
    public Optional<Instant> updatedAt(String dataset, String version) {
        return Optional.ofNullable(seen.switched.get(new Key(dataset, version)));
    }

    @Override
    public Optional<Instant> switchedAt(String dataset, String version) {
        Seen now = seen;
        return version.equals(now.current.get(dataset))
                ? Optional.ofNullable(now.switched.get(new Key(dataset, version)))
                : Optional.empty();
    }

    @Override
    public boolean has(String dataset, String version) {
        return seen.tables.containsKey(new Key(dataset, version));
    }

    /** The quoted name for FROM. */
    Optional<String> table(String dataset, String version) throws SQLException {
        var key = new Key(dataset, version);
        @Nullable String table = seen.tables.get(key);
        if (table == null) {
            refresh();
            table = seen.tables.get(key);
        }
        return Optional.ofNullable(table);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }

    private void refreshQuietly() {
        try {
            refresh();
            if (failing) {
                LOG.info("warehouse available again");
            }
            failing = false;
        } catch (SQLException | RuntimeException e) {
            if (!failing) {
                LOG.warn("millrace_versions not readable, the last versions stay in use error={}", e.getMessage());
            }
            failing = true;
        }
    }

    private void refresh() throws SQLException {
        Map<String, String> current = new HashMap<>();
        Map<Key, String> tables = new HashMap<>();
        Map<Key, Instant> switched = new HashMap<>();
        Map<Key, String> refused = new HashMap<>();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(ALL)) {
            while (found.next()) {
                String dataset = found.getString(1);
                String version = found.getString(2);
                String table = found.getString(3);
                if (TABLE.matcher(table).matches()) {
                    current.put(dataset, version);
                    tables.put(new Key(dataset, version), quoted(table));
                    time(found).ifPresent(at -> switched.put(new Key(dataset, version), at));
                } else {
                    refused.put(new Key(dataset, version), table);
                }
            }
        }
        report(refused);
        seen = new Seen(Map.copyOf(current), Map.copyOf(tables), Map.copyOf(switched));
    }

    /** Empty where the column is not a timestamp, whose order alone matters for reports. */
    private static Optional<Instant> time(ResultSet row) {
        try {
            return Optional.ofNullable(row.getTimestamp(4, Calendar.getInstance(UTC)))
                    .map(Timestamp::toInstant);
        } catch (SQLException e) {
            return Optional.empty();
        }
    }

    /** Logs each invalid name once, not at each refresh. */
    private void report(Map<Key, String> refused) {
        refused.forEach((key, table) -> {
            if (!table.equals(reported.get(key))) {
                LOG.warn(
                        "invalid table name in millrace_versions dataset={} version={} table={}",
                        key.dataset,
                        key.version,
                        table);
            }
        });
        reported = refused;
    }

    private static String quoted(String table) {
        return Arrays.stream(table.split("\\.", -1))
                .map(part -> "\"" + part + "\"")
                .collect(Collectors.joining("."));
    }
}
