package millrace.runtime.settings;

import java.util.HashMap;
import java.util.Map;

/**
 * Settings below {@code kafka}: how to reach it, and how missing topics are created.
 *
 * @param instanceId a restarted process takes its old place in its groups at once
 * @param client properties that are passed to every Kafka client unchanged
 */
public record KafkaSettings(
        Bootstrap bootstrap,

        @Setting(value = "6", doc = "partitions of topics that are created")
        int partitions,

        @Setting(value = "1", doc = "replicas of topics that are created")
        int replication,

        @Setting(value = "millrace-1", doc = "stable name of this process, unique in the cluster")
        String instanceId,

        Map<String, String> client) {
    public static final String PREFIX = "kafka";

    /**
     * The codec of all producers where {@code kafka.client} names no other. Of those that all clients
     * of Kafka read it costs least for batches of a few records.
     */
    private static final String COMPRESSION = "snappy";

    /**
     * Makes clients notice brokers that are gone without closing their connections, which takes 30
     * s and more by default, while partitions have new leaders within 4 s. The reconnect backoff is
     * longer than the retry backoff: otherwise each search for new leaders would wait for the next
     * connection to the broker that does not answer. Where its host is gone too, nobody refuses a
     * connection, and a transactional producer waits for that of each of its two coordinators.
     */
    private static final Map<String, String> CLIENT_DEFAULTS = Map.of(
            "request.timeout.ms", "3000",
            "socket.connection.setup.timeout.ms", "500",
            "socket.connection.setup.timeout.max.ms", "1000",
            "metadata.max.age.ms", "2000",
            "reconnect.backoff.ms", "400",
            "retry.backoff.max.ms", "200");

    public KafkaSettings {
        if (partitions < 1 || replication < 1) {
            throw new IllegalArgumentException("partitions and replication must be at least 1");
        }
        client = Map.copyOf(client);
    }

    public KafkaSettings(
            String bootstrapServers, int partitions, int replication, String instanceId, Map<String, String> client) {
        this(new Bootstrap(bootstrapServers), partitions, replication, instanceId, client);
    }

    /** Settings without replicas, for the embedded broker and for tests. */
    public static KafkaSettings local(String bootstrapServers, int partitions, String instanceId) {
        return new KafkaSettings(bootstrapServers, partitions, 1, instanceId, Map.of());
    }

    public String bootstrapServers() {
        return bootstrap.servers;
    }

    /**
     * Topic settings that follow from the replication: with three replicas, two have a record
     * before it is acknowledged, so it survives the loss of any one broker, and one broker may be
     * unavailable.
     */
    public Map<String, String> topicConfig() {
        return replication < 3 ? Map.of() : Map.of("min.insync.replicas", "2");
    }

    /**
     * The common configuration of every client of this process, as a new map that the caller may
     * change.
     */
    public Map<String, Object> clientConfig() {
        Map<String, Object> config = new HashMap<>(CLIENT_DEFAULTS);
        config.putAll(client);
        config.put("bootstrap.servers", bootstrap.servers);
        return config;
    }

    /** The codec of producers. */
    public String compression() {
        return client.getOrDefault("compression.type", COMPRESSION);
    }

    /**
     * The configuration of a producer without transactions, as a new map that the caller may
     * change. An acknowledged record is on all in-sync replicas, once and in order.
     *
     * @param purpose part of the client's id
     */
    public Map<String, Object> producerConfig(String purpose) {
        Map<String, Object> config = clientConfig();
        config.put("client.id", instanceId + "-" + purpose);
        config.put("acks", "all");
        config.put("enable.idempotence", true);
        // With more, a new leader can refuse the first, accept the second, and then refuse the first for ever.
        config.put("max.in.flight.requests.per.connection", 1);
        config.put("linger.ms", 0);
        config.put("compression.type", compression());
        return config;
    }

    public record Bootstrap(
            @Setting(value = "127.0.0.1:9092", first = true, doc = "brokers to start from, host:port,…")
            String servers) {}
}
