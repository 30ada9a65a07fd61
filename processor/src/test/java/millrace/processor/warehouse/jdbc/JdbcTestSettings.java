package millrace.processor.warehouse.jdbc;

import java.time.Duration;

/** Settings that do not wait long, for a user who needs no password. */
public final class JdbcTestSettings {
    private JdbcTestSettings() {}

    public static JdbcSettings of(Duration queryTimeout) {
        return new JdbcSettings(
                "postgres",
                null,
                4,
                Duration.ofSeconds(20),
                queryTimeout,
                7,
                Duration.ofMillis(50),
                Duration.ofMillis(5));
    }
}
