package millrace.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.runtime.settings.KafkaSettings;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TopicTailerIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final TopicTailer.Beginning OLDEST = TopicTailer.Beginning.OLDEST;

    private final List<String> folded = new CopyOnWriteArrayList<>();
    /** Whether the record {@code bad} cannot be folded. */
    private final AtomicBoolean fails = new AtomicBoolean();

    private TestKafka kafka;
    private KafkaProducer<String, String> producer;
    private TopicTailer tailer;

    @BeforeEach
    void start() {
        kafka = TestKafka.fresh();
        kafka.createTopics(List.of(Topics.ACCOUNTS, Topics.KEY_USES), 1);
        producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer());
        tailer = new TopicTailer(KafkaSettings.local(kafka.bootstrapServers(), 1, "test"), "test", new FoldedOffsets());
    }

    @AfterEach
    void stop() {
        tailer.close();
        producer.close();
        kafka.close();
    }

    private void write(Topic<?> topic, String... values) throws ExecutionException, InterruptedException {
        for (String value : values) {
            producer.send(new ProducerRecord<>(topic.name(), "key", value)).get();
        }
    }

    private void fold(ConsumerRecord<String, byte[]> record) {
        String value = new String(record.value(), StandardCharsets.UTF_8);
        if (value.equals("bad") && fails.get()) {
            throw new IllegalStateException("a record that cannot be folded");
        }
        folded.add(value);
    }

    private static void awaitCaughtUp(TailedTopics... all) throws InterruptedException {
        for (TailedTopics topics : all) {
            assertThat(topics.awaitCaughtUp(TIMEOUT)).as(topics.toString()).isTrue();
        }
    }

    /** Each has its own beginning, and says by itself whether it keeps up. */
    @Test
    void aTopicThatCannotBeFoldedDoesNotHoldUpTheOthers() throws Exception {
        TailedTopics one = tailer.add(Topics.ACCOUNTS, OLDEST, this::fold);
        TailedTopics other = tailer.add(Topics.KEY_USES, TopicTailer.Beginning.END, this::fold);
        write(Topics.ACCOUNTS, "one");
        write(Topics.KEY_USES, "before the end");
        tailer.start();
        awaitCaughtUp(one, other);
        assertThat(folded).containsExactly("one");
        assertThatThrownBy(() -> tailer.add(Topics.PASSED_REQUESTS, OLDEST, this::fold))
                .isInstanceOf(IllegalStateException.class);

        fails.set(true);
        write(Topics.ACCOUNTS, "bad", "good");
        await().until(() -> !one.isNearEnd());
        write(Topics.KEY_USES, "use");
        await().until(() -> folded.contains("use"));
        assertThat(other.isNearEnd()).isTrue();
        fails.set(false);
        await().until(() -> folded.contains("good"));
        await().until(one::isNearEnd);
        assertThat(folded).containsExactly("one", "use", "bad", "good");
    }

    @Test
    void aTopicThatDoesNotExistYetDoesNotHoldUpTheOthers() throws Exception {
        TailedTopics late = tailer.add(Topics.PASSED_REQUESTS, OLDEST, this::fold);
        TailedTopics there = tailer.add(Topics.ACCOUNTS, OLDEST, this::fold);
        write(Topics.ACCOUNTS, "account");
        tailer.start();
        awaitCaughtUp(there);
        assertThat(folded).containsExactly("account");
        assertThat(late.caughtUp()).isFalse();
        kafka.createTopics(List.of(Topics.PASSED_REQUESTS), 1);
        awaitCaughtUp(late);
        assertThat(late.partitions()).isEqualTo(1);
    }

    @Test
    void startsOverWithoutTheOthers() throws Exception {
        var begun = new AtomicInteger();
        var startsOver = new AtomicBoolean();
        TailedTopics one = tailer.add(
                List.of(Topics.ACCOUNTS),
                List.of(),
                (consumer, partitions) -> {
                    begun.incrementAndGet();
                    return consumer.beginningOffsets(partitions);
                },
                (records, next) -> {
                    if (startsOver.compareAndSet(true, false)) {
                        throw new TopicTailer.StartOver("for this test", null);
                    }
                    records.records(Topics.ACCOUNTS.name()).forEach(this::fold);
                });
        TailedTopics other = tailer.add(Topics.KEY_USES, OLDEST, this::fold);
        write(Topics.ACCOUNTS, "account");
        write(Topics.KEY_USES, "use");
        tailer.start();
        awaitCaughtUp(one, other);
        startsOver.set(true);
        await().until(() -> folded.size() == 3);
        assertThat(begun).hasValue(2);
        assertThat(folded).containsExactlyInAnyOrder("account", "use", "account");
    }
}
