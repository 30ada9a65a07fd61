package millrace.simulation.ledger;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import millrace.contracts.topics.ConsumerGroups;
import millrace.processor.bootstrap.ProcessorSettings;
import millrace.processor.ledger.streams.LedgerStreams;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.Settings;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The configuration of a stream thread's clients, as Kafka Streams derives it from that of the processor. Instead of
 * the assignor of Streams, the group uses Kafka's cooperative assignor.
 *
 * @param commitInterval longest time between two commits that no step asks for
 * @param poll longest time to wait for commands
 */
record LedgerConfig(
        Map<String, Object> mainConsumer,
        Map<String, Object> restoreConsumer,
        Map<String, Object> producer,
        Duration commitInterval,
        Duration poll) {
    static final String APPLICATION = ConsumerGroups.PROCESSOR;

    private static final ProcessorSettings DEFAULTS =
            Settings.sectionOf(ProcessorSettings.PREFIX, ProcessorSettings.class, Map.of());

    /** Longest time between two commits that steps ask for. */
    static final Duration COMMIT_INTERVAL = DEFAULTS.commitInterval();

    static LedgerConfig of(KafkaSettings kafka) {
        var streams = new StreamsConfig(LedgerStreams.config(DEFAULTS.streams(), kafka));
        String client = APPLICATION + "-" + kafka.instanceId();
        Map<String, Object> main = new HashMap<>(streams.getMainConsumerConfigs(APPLICATION, client, 1));
        main.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        Map<String, Object> producer = new HashMap<>(streams.getProducerConfigs(client));
        // Streams stores the id of its process in its folder, so that a restarted process has the same id.
        producer.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, client + "-1");
        return new LedgerConfig(
                main,
                streams.getRestoreConsumerConfigs(client),
                producer,
                Duration.ofMillis(streams.getLong(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG)),
                Duration.ofMillis(streams.getLong(StreamsConfig.POLL_MS_CONFIG)));
    }

    /** The changelog topic of a store. */
    static String changelog(String store) {
        return APPLICATION + "-" + store + "-changelog";
    }
}
