package millrace.simulation.kafka.consumer;

import millrace.simulation.kafka.group.JoinRequest;
import millrace.simulation.kafka.network.ClientConfig;
import org.jspecify.annotations.Nullable;

/** The group configuration of a consumer; times are nanoseconds. */
record GroupConfig(
        String group,
        @Nullable String instanceId,
        String clientId,
        JoinRequest.Timeouts timeouts,
        long heartbeatNanos) {
    /** The configuration; null where there is no group. */
    static @Nullable GroupConfig of(ClientConfig config) {
        String group = config.text("group.id");
        if (group == null) {
            return null;
        }
        return new GroupConfig(
                group,
                config.text("group.instance.id"),
                config.text("client.id", "consumer-" + group),
                new JoinRequest.Timeouts(
                        config.nanos("session.timeout.ms", 45_000), config.nanos("max.poll.interval.ms", 300_000)),
                config.nanos("heartbeat.interval.ms", 3_000));
    }
}
