package millrace.runtime.settings;

import java.util.HashMap;
import java.util.Map;

/**
 * Where Kafka is and how missing topics are made.
 *
 * @param bootstrapServers {@code host:port,…}
 * @param partitions of a topic that is missing
 * @param replication replicas of a topic that is missing
 * @param instanceId stable and unique name of this process: a restarted one takes its old place in its groups at once
 * @param client properties for every Kafka client, as they are
 */
public record KafkaSettings(
        String bootstrapServers, int partitions, int replication, String instanceId, Map<String, String> client) {
    public static final String PREFIX = "kafka";

    /**
     * For brokers that are there no more, and whose connections nobody closed: clients notice by these alone, after 30 s and
     * more by default. The partitions have new leaders within 4 s. A broker that does not answer is left alone for longer
     * than the search for new leaders pauses: else each search would wait for the next connection to that broker. Where its host
     * is gone too, nobody refuses a connection, and a transactional producer waits for that of each of its two coordinators.
     */
    private static final Map<String, String> CLIENT_DEFAULTS = Map.of(
            "request.timeout.ms", "3000",
            "socket.connection.setup.timeout.ms", "500",
            "socket.connection.setup.timeout.max.ms", "1000",
            "metadata.max.age.ms", "2000",
            "reconnect.backoff.ms", "400",
            "retry.backoff.max.ms", "200");

    public KafkaSettings {
        client = Map.copyOf(client);
    }

    /** For the embedded broker and tests: one replica. */
    public static KafkaSettings local(String bootstrapServers, int partitions, String instanceId) {
        return new KafkaSettings(bootstrapServers, partitions, 1, instanceId, Map.of());
    }

    /**
     * Settings of topics that follow from the replicas: of three, two have a record before it is acknowledged, so that it
     * survives the death of any broker, and one may be unavailable.
     */
    public Map<String, String> topicConfig() {
        return replication < 3 ? Map.of() : Map.of("min.insync.replicas", "2");
    }

    /** What every client of this process starts from; a new map that the caller may add to. */
    public Map<String, Object> clientConfig() {
        Map<String, Object> config = new HashMap<>(CLIENT_DEFAULTS);
        config.putAll(client);
        config.put("bootstrap.servers", bootstrapServers);
        return config;
    }

    /**
     * What a producer without transactions starts from: what it was told is acknowledged stands on all replicas, once, in order; a new
     * map that the caller may add to.
     *
     * @param use what it is for, in its client id
     */
    public Map<String, Object> producerConfig(String use) {
        Map<String, Object> config = clientConfig();
        config.put("client.id", instanceId + "-" + use);
        config.put("acks", "all");
        config.put("enable.idempotence", true);
        // With more a leader that is new could refuse the first, take the second, and refuse the first for ever then.
        config.put("max.in.flight.requests.per.connection", 1);
        config.put("linger.ms", 0);
        return config;
    }

    /** The keys below {@code kafka}. */
    public record Declared(
            Bootstrap bootstrap,

            @Setting(value = "6", doc = "partitions of topics that are missing")
            int partitions,

            @Setting(value = "1", doc = "replicas of topics that are missing")
            int replication,

            @Setting(value = "millrace-1", doc = "stable name of this process, unique in the cluster")
            String instanceId) {
        public Declared {
            if (partitions < 1 || replication < 1) {
                throw new IllegalArgumentException("partitions and replication must be at least 1");
            }
        }

        KafkaSettings with(Map<String, String> client) {
            return new KafkaSettings(bootstrap.servers, partitions, replication, instanceId, client);
        }
    }

    record Bootstrap(
            @Setting(value = "127.0.0.1:9092", doc = "brokers to start from, host:port,…")
            String servers) {}
}
