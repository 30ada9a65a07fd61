package millrace.runtime.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks how long brokers keep the offsets of a group without members. They must keep them longer
 * than records, or operators must reset them.
 */
final class OffsetRetentionCheck {
    private static final Logger LOG = LoggerFactory.getLogger(OffsetRetentionCheck.class);
    private static final String SETTING = "offsets.retention.minutes";
    /**
     * Records between services are kept for 30 days, plus the 7 days in which a segment is written.
     */
    private static final Duration LEAST = Duration.ofDays(40);

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private OffsetRetentionCheck() {}

    /**
     * A sentence about the brokers' setting. Empty also where it cannot be read, which needs a
     * permission that services can do without.
     */
    static Optional<String> problem(Admin admin) {
        try {
            Node broker = admin.describeCluster()
                    .nodes()
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .iterator()
                    .next();
            var resource = new ConfigResource(ConfigResource.Type.BROKER, broker.idString());
            Config config = admin.describeConfigs(List.of(resource))
                    .all()
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .get(resource);
            ConfigEntry entry = config == null ? null : config.get(SETTING);
            return entry == null ? Optional.empty() : problem(Duration.ofMinutes(Long.parseLong(entry.value())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException e) {
            if (!(e.getCause() instanceof ClusterAuthorizationException)) {
                LOG.debug("broker setting not readable setting={} error={}", SETTING, e.toString());
            }
            return Optional.empty();
        }
    }

    static Optional<String> problem(Duration retention) {
        return retention.compareTo(LEAST) >= 0
                ? Optional.empty()
                : Optional.of("the brokers forget offsets after " + retention.toDays()
                        + " days in which no notifier, or no processor, runs, and then must be told where to go on: let "
                        + SETTING + " be at least " + LEAST.toMinutes());
    }
}
