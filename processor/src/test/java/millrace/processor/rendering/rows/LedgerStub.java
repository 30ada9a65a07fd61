package millrace.processor.rendering.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Stands in for the ledger: hands out tasks and reads answers. */
final class LedgerStub implements AutoCloseable {
    private final KafkaSettings settings;
    private final KafkaProducer<String, byte[]> producer;
    private final KafkaConsumer<String, byte[]> consumer;
    private final List<AccountCommand> answers = new ArrayList<>();

    LedgerStub(KafkaSettings settings) {
        this.settings = settings;
        producer = new KafkaProducer<>(settings.clientConfig(), new StringSerializer(), new ByteArraySerializer());
        consumer = new KafkaConsumer<>(settings.clientConfig(), new StringDeserializer(), new ByteArrayDeserializer());
        var commands = List.of(new TopicPartition(Topics.ACCOUNT_COMMANDS.name(), 0));
        consumer.assign(commands);
        consumer.seekToBeginning(commands);
    }

    @Override
    public void close() {
        producer.close();
        consumer.close();
    }

    void sendNonsense(Topic<RenderTask> topic) throws InterruptedException, ExecutionException {
        producer.send(new ProducerRecord<>(topic.name(), "x", new byte[] {'?'})).get();
    }

    void send(Topic<RenderTask> topic, RenderTask... tasks) throws InterruptedException, ExecutionException {
        sendAt(Instant.now(), topic, tasks);
    }

    void sendAt(Instant time, Topic<RenderTask> topic, RenderTask... tasks)
            throws InterruptedException, ExecutionException {
        for (RenderTask task : tasks) {
            producer.send(new ProducerRecord<>(topic.name(), null, time.toEpochMilli(), task.key(), topic.encode(task)))
                    .get();
        }
    }

    /** The next answer about this slice. */
    AccountCommand next(int slice) {
        List<AccountCommand> found = new ArrayList<>();
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            for (ConsumerRecord<String, byte[]> record : consumer.poll(Duration.ofMillis(50))) {
                assertThat(record.key()).isEqualTo("acme");
                answers.add(Topics.ACCOUNT_COMMANDS.decode(record.value()));
            }
            answers.stream().filter(a -> ref(a).slice() == slice).findFirst().ifPresent(found::add);
            return !found.isEmpty();
        });
        answers.remove(found.getFirst());
        return found.getFirst();
    }

    private static SliceRef ref(AccountCommand answer) {
        return switch (answer) {
            case AccountCommand.SliceDone a -> a.slice();
            case AccountCommand.SliceFailed a -> a.slice();
            case AccountCommand.SliceRunning a -> a.slice();
            case AccountCommand.Assembled a -> a.slice();
            case AccountCommand.GrantCredits a -> throw new AssertionError(a);
            case AccountCommand.RequestReport a -> throw new AssertionError(a);
            case AccountCommand.RetryReport a -> throw new AssertionError(a);
            case AccountCommand.ExpireCredits a -> throw new AssertionError(a);
            case AccountCommand.CancelReport a -> throw new AssertionError(a);
            case AccountCommand.EraseReport a -> throw new AssertionError(a);
        };
    }

    OffsetAndMetadata committed(TopicPartition partition) throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(settings.clientConfig())) {
            Map<TopicPartition, OffsetAndMetadata> offsets =
                    new HashMap<>(admin.listConsumerGroupOffsets(ConsumerGroups.RENDERERS)
                            .partitionsToOffsetAndMetadata()
                            .get());
            OffsetAndMetadata offset = offsets.getOrDefault(partition, new OffsetAndMetadata(0, "none"));
            return new OffsetAndMetadata(offset.offset(), offset.metadata());
        }
    }
}
