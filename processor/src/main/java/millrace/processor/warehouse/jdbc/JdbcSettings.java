package millrace.processor.warehouse.jdbc;

import java.time.Duration;
import millrace.runtime.settings.Setting;
import org.jspecify.annotations.Nullable;

/** Settings of a warehouse behind JDBC. Parameters of the driver are part of the address. */
public record JdbcSettings(
        @Setting(doc = "user name at the engine") @Nullable String user,

        @Setting(doc = "password of the user, better set as MILLRACE_PROCESSOR_JDBC_PASSWORD") @Nullable
        String password,

        @Setting(value = "8", doc = "size of the connection pool; each slice that is read takes one connection")
        int connections,

        @Setting(value = "10s", advanced = true, doc = "how long to wait for a connection")
        Duration connectTimeout,

        @Setting(value = "2m", doc = "timeout of a query until its first rows, and of each further fetch")
        Duration queryTimeout,

        @Setting(value = "5000", advanced = true, doc = "rows fetched at a time")
        int fetchRows,

        @Setting(value = "2s", advanced = true, doc = "how often millrace_versions is read")
        Duration refresh,

        @Setting(
                value = "10s",
                advanced = true,
                doc = "pause before a slice is retried that found the engine unavailable or slow")
        Duration retryPause) {

    public JdbcSettings {
        if (connections < 2) {
            throw new IllegalArgumentException("connections must be at least 2");
        }
        if (fetchRows < 1) {
            throw new IllegalArgumentException("fetch-rows must be at least 1");
        }
        if (connectTimeout.compareTo(Duration.ofSeconds(1)) < 0 || queryTimeout.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("connect-timeout and query-timeout must be at least 1s");
        }
        if (!refresh.isPositive() || retryPause.isNegative()) {
            throw new IllegalArgumentException("refresh must be positive, retry-pause not negative");
        }
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "JdbcSettings[user=" + user + ", connections=" + connections + "]";
    }
}
