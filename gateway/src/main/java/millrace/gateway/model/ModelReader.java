package millrace.gateway.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import millrace.contracts.Topic;
import millrace.contracts.Topics;
import millrace.runtime.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that folds Kafka into the read model: without a group, every partition, from the start; of the commands only
 * those that the processor had not taken when this began. Outages of Kafka only delay it.
 */
public final class ModelReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModelReader.class);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final List<Topic<?>> TOPICS =
            List.of(Topics.ACCOUNT_STATE, Topics.REPORT_STATUS, Topics.REPORT_REQUESTS, Topics.ACCOUNT_COMMANDS);

    private final KafkaSettings kafka;
    private final String processorGroup;
    private final Folding folding;
    private final Positions positions;
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable Consumer<String, byte[]> current;
    private final CountDownLatch caughtUp = new CountDownLatch(1);
    private volatile Map<TopicPartition, Long> targets = Map.of();
    private volatile int partitions;

    /** @param processorGroup the consumer group whose committed offsets tell which commands have been taken */
    public ModelReader(KafkaSettings kafka, String processorGroup, ReadModel model, Positions positions) {
        this.kafka = kafka;
        this.processorGroup = processorGroup;
        this.folding = new Folding(model);
        this.positions = positions;
        this.thread = Thread.ofPlatform().name("read-model").daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Whether everything that was there at the start has been folded. */
    public boolean caughtUp() {
        return caughtUp.getCount() == 0;
    }

    /** Waits for it; false where it took longer. */
    public boolean awaitCaughtUp(Duration patience) throws InterruptedException {
        return caughtUp.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The partition of the account's commands; only once caught up. */
    public TopicPartition commandsOf(String accountId) {
        return new TopicPartition(Topics.ACCOUNT_COMMANDS.name(), Topic.partition(accountId, partitions));
    }

    @Override
    public void close() {
        closed = true;
        Consumer<String, byte[]> consumer = current;
        if (consumer != null) {
            consumer.wakeup();
        }
        try {
            if (!thread.join(Duration.ofSeconds(2))) {
                thread.interrupt();
                thread.join(Duration.ofSeconds(1));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            try (Consumer<String, byte[]> consumer = consumer()) {
                current = consumer;
                begin(consumer);
                while (!closed) {
                    fold(consumer);
                }
            } catch (WakeupException | InterruptException e) {
                LOG.debug("the read model's loop was interrupted");
            } catch (KafkaException | TimeoutException e) {
                LOG.warn("reading Kafka failed, trying again: {}", e.toString());
                pause();
            }
        }
    }

    /** Goes on where an earlier consumer of this process stopped. */
    private void begin(Consumer<String, byte[]> consumer) throws TimeoutException {
        if (targets.isEmpty()) {
            // Before the ends are asked for: a command that is taken meanwhile has its status before that end.
            Map<TopicPartition, Long> taken = taken();
            List<TopicPartition> all = partitions(consumer);
            consumer.assign(all);
            consumer.seekToBeginning(all);
            all.forEach(p -> positions.reached(p, taken.getOrDefault(p, 0L)));
            taken.forEach((p, offset) -> {
                if (all.contains(p)) {
                    consumer.seek(p, offset);
                }
            });
            targets = consumer.endOffsets(all);
        } else {
            consumer.assign(targets.keySet());
            positions.all().forEach(consumer::seek);
        }
    }

    private void fold(Consumer<String, byte[]> consumer) {
        consumer.poll(POLL).forEach(folding::fold);
        for (TopicPartition partition : targets.keySet()) {
            positions.reached(partition, consumer.position(partition));
        }
        if (!caughtUp() && targets.entrySet().stream().allMatch(t -> positions.has(t.getKey(), t.getValue()))) {
            caughtUp.countDown();
            LOG.info("the read model has caught up");
        }
        positions.announce();
    }

    private Map<TopicPartition, Long> taken() throws TimeoutException {
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(processorGroup)
                    .partitionsToOffsetAndMetadata()
                    .get(10, TimeUnit.SECONDS);
            Map<TopicPartition, Long> taken = new HashMap<>();
            committed.forEach((partition, offset) -> {
                if (offset != null && partition.topic().equals(Topics.ACCOUNT_COMMANDS.name())) {
                    taken.put(partition, offset.offset());
                }
            });
            return taken;
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
        }
    }

    private List<TopicPartition> partitions(Consumer<String, byte[]> consumer) {
        List<TopicPartition> all = new ArrayList<>();
        for (Topic<?> topic : TOPICS) {
            Collection<PartitionInfo> infos = consumer.partitionsFor(topic.name());
            if (infos == null || infos.isEmpty()) {
                throw new KafkaException("topic " + topic.name() + " does not exist yet");
            }
            infos.forEach(info -> all.add(new TopicPartition(topic.name(), info.partition())));
            partitions = infos.size();
        }
        return all;
    }

    private Consumer<String, byte[]> consumer() {
        Map<String, Object> config = kafka.clientConfig();
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2000);
        config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, kafka.instanceId() + "-read-model");
        return new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
    }

    private void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            LOG.debug("interrupted while waiting for Kafka");
        }
    }
}
