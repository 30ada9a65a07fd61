package millrace.processor.warehouse.jdbc;

import java.time.Duration;
import millrace.runtime.settings.Setting;
import org.jspecify.annotations.Nullable;

/** How a warehouse behind JDBC is used. Parameters of the driver go into the address. */
public record JdbcSettings(
        @Setting(doc = "name that the engine knows this service by") @Nullable
        String user,

        @Setting(doc = "its password, better given as MILLRACE_PROCESSOR_JDBC_PASSWORD") @Nullable
        String password,

        @Setting(value = "8", doc = "most connections at a time; each slice that is read takes one")
        int connections,

        @Setting(value = "10s", doc = "how long to wait for a connection")
        Duration connectTimeout,

        @Setting(
                value = "2m",
                doc = "longest time that a query may take before its first rows, and for each further fetch")
        Duration queryTimeout,

        @Setting(value = "5000", doc = "rows fetched at a time")
        int fetchRows,

        @Setting(value = "2s", doc = "how often to look which version of the data is current")
        Duration refresh,

        @Setting(
                value = "10s",
                doc = "how long to wait before a slice is tried again that found the engine away or slow")
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

    /** Says nothing of the password. */
    @Override
    public String toString() {
        return "JdbcSettings[user=" + user + ", connections=" + connections + "]";
    }
}
