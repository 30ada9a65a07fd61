package millrace.gateway.api.datasets;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import millrace.contracts.operation.VersionSwitch;
import millrace.contracts.topics.Topics;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the processors that run for another version of a dataset, and waits until one says that it is current. */
@Singleton
public final class VersionSwitches {
    private static final Logger LOG = LoggerFactory.getLogger(VersionSwitches.class);
    private static final Duration SENDING = Duration.ofSeconds(5);
    /** A processor publishes within two seconds what it has switched; its example query takes another one. */
    private static final Duration DOING = Duration.ofSeconds(15);

    private static final Duration CLOSING = Duration.ofSeconds(1);

    private final KafkaSettings kafka;
    private final PublishedDatasets datasets;

    VersionSwitches(KafkaSettings kafka, PublishedDatasets datasets) {
        this.kafka = kafka;
        this.datasets = datasets;
    }

    /** Blocks. Returns false where no processor has said within some seconds that the version is current. */
    public boolean perform(VersionSwitch wanted) throws InterruptedException {
        send(wanted);
        return datasets.awaitCurrent(wanted.dataset(), wanted.to(), DOING);
    }

    /** @throws KafkaException where Kafka does not acknowledge in time */
    private void send(VersionSwitch wanted) throws InterruptedException {
        Map<String, Object> config = kafka.producerConfig("version-switch");
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, SENDING.toMillis());
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.toIntExact(SENDING.toMillis()));
        Producer<String, byte[]> producer =
                new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
        try {
            var topic = Topics.VERSION_SWITCHES;
            var unused = producer.send(new ProducerRecord<>(topic.name(), wanted.dataset(), topic.encode(wanted)))
                    .get(SENDING.toMillis(), TimeUnit.MILLISECONDS);
            LOG.info(
                    "version switch asked for dataset={} from={} to={} actor={} reason={}",
                    wanted.dataset(),
                    wanted.from(),
                    wanted.to(),
                    wanted.actor(),
                    wanted.reason());
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("the switch was not acknowledged", e);
        } finally {
            producer.close(CLOSING);
        }
    }
}
