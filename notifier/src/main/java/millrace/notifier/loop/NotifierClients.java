package millrace.notifier.loop;

import java.util.Map;
import millrace.contracts.topics.ConsumerGroups;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Creates the notifier's Kafka clients. */
public final class NotifierClients {
    /**
     * After this time the partitions of an instance that died are assigned to others. Its restart gets them back at
     * once.
     */
    private static final String SESSION_TIMEOUT_MILLIS = "6000";

    private static final String HEARTBEAT_MILLIS = "500";
    /**
     * Transactions last milliseconds. An open transaction of an instance that died delays its successor for this long.
     */
    private static final String TRANSACTION_TIMEOUT_MILLIS = "5000";

    /** Single records are read that are far apart; larger fetches would be thrown away. */
    private static final String PAYLOAD_FETCH_BYTES = "32768";
    /** For all partitions together; the default of 50 MB would be most of a small heap. */
    private static final String FETCH_BYTES = "8000000";

    private final KafkaSettings kafka;
    private final KafkaClientFactory factory;

    public NotifierClients(KafkaSettings kafka, KafkaClientFactory factory) {
        this.kafka = kafka;
        this.factory = factory;
    }

    public Consumer<String, byte[]> groupMember() {
        Map<String, Object> config = reading();
        config.put(ConsumerConfig.GROUP_ID_CONFIG, ConsumerGroups.NOTIFIERS);
        config.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, instance());
        config.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        config.putIfAbsent(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MILLIS);
        config.putIfAbsent(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MILLIS);
        return factory.consumer(config);
    }

    /** A consumer for state topics. It may read the group's committed offsets and is not a member of the group. */
    Consumer<String, byte[]> stateReader() {
        Map<String, Object> config = reading();
        config.put(ConsumerConfig.GROUP_ID_CONFIG, ConsumerGroups.NOTIFIERS);
        // It reads to a known end offset, so that fetches need not wait for more data.
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "10");
        config.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "2000");
        return factory.consumer(config);
    }

    /** A consumer for single records, in no group. */
    Consumer<String, byte[]> payloadReader() {
        Map<String, Object> config = reading();
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "10");
        config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, PAYLOAD_FETCH_BYTES);
        return factory.consumer(config);
    }

    /** A consumer for parts of the source topic, in no group. */
    Consumer<String, byte[]> backlogReader() {
        Map<String, Object> config = reading();
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "10");
        config.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "2000");
        return factory.consumer(config);
    }

    Admin admin() {
        Map<String, Object> config = kafka.clientConfig();
        config.put(AdminClientConfig.CLIENT_ID_CONFIG, instance());
        return factory.admin(config);
    }

    Producer<String, byte[]> producer() {
        Map<String, Object> config = kafka.clientConfig();
        config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, instance());
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.LINGER_MS_CONFIG, "0");
        config.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MILLIS);
        config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, kafka.compression());
        return factory.producer(config);
    }

    private String instance() {
        return ConsumerGroups.NOTIFIERS + "-" + kafka.instanceId();
    }

    private Map<String, Object> reading() {
        Map<String, Object> config = kafka.clientConfig();
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.putIfAbsent(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        return config;
    }
}
