package millrace.runtime;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How long Kafka remembers the offsets of a group that has no members: longer than the records stay, or it must be told where to go on. */
final class OffsetRetention {
    private static final Logger LOG = LoggerFactory.getLogger(OffsetRetention.class);
    private static final String SETTING = "offsets.retention.minutes";
    /** Of what services hand to each other. */
    private static final Duration RECORDS_STAY = Duration.ofDays(30);

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private OffsetRetention() {}

    /** What is wrong with the brokers' setting; empty also where it cannot be asked for, which takes rights that no service needs. */
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
            LOG.debug("{} cannot be asked for: {}", SETTING, e.toString());
            return Optional.empty();
        }
    }

    static Optional<String> problem(Duration retention) {
        return retention.compareTo(RECORDS_STAY) >= 0
                ? Optional.empty()
                : Optional.of("the brokers forget offsets after " + retention.toDays() + " days without a member ("
                        + SETTING + "); let it be at least " + RECORDS_STAY.toMinutes()
                        + ", or notifiers that stood still for so long must be told where to go on");
    }
}
