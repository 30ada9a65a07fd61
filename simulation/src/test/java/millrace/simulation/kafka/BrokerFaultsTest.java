package millrace.simulation.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import millrace.simulation.kernel.SimulatedProcess;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Faults of clients and brokers that only a simulation can produce. */
class BrokerFaultsTest {
    private static final TopicPartition FIRST = new TopicPartition("t", 0);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final ModelKafka model = new ModelKafka(3);
    private final List<String> log = new ArrayList<>();

    BrokerFaultsTest() {
        model.createTopic("t", 2);
    }

    @AfterEach
    void close() {
        model.close();
    }

    @Test
    void whatIsRepeatedAfterALostAnswerIsStoredOnceAndInOrder() {
        model.kafka.network().lostAcknowledgements(0.5);
        List<String> values = IntStream.range(0, 50).mapToObj(Integer::toString).toList();
        model.run(() -> {
            try (Producer<String, byte[]> producer = model.clients().producer(Map.of())) {
                for (String value : values) {
                    var unused = producer.send(record(value), (metadata, error) -> log.add(value));
                    model.sleep(Duration.ofMillis(1));
                }
            }
        });
        assertThat(seen()).isEqualTo(values);
        assertThat(log).isEqualTo(values);
    }

    @Test
    void transactionsEndOnceHoweverManyAnswersAreLost() {
        model.kafka.network().lostAcknowledgements(0.5);
        model.run(() -> {
            try (Producer<String, byte[]> producer = model.clients().producer(Map.of("transactional.id", "x"))) {
                producer.initTransactions();
                for (int i = 0; i < 10; i++) {
                    producer.beginTransaction();
                    var unused = producer.send(record("" + i));
                    if (i % 3 == 0) {
                        producer.abortTransaction();
                    } else {
                        producer.commitTransaction();
                    }
                }
            }
            model.sleep(Duration.ofSeconds(1));
        });
        assertThat(seen()).containsExactly("1", "2", "4", "5", "7", "8");
    }

    @Test
    void recordsWaitForAnUnavailableBrokerUntilTheyTimeOut() {
        unavailableFor(Duration.ofSeconds(20));
        model.run(() -> {
            Map<String, Object> shortTimeout = Map.of("delivery.timeout.ms", "5000", "max.block.ms", "60000");
            try (Producer<String, byte[]> producer = model.clients().producer(shortTimeout)) {
                var unused = producer.send(record("a")).get();
                unavailableFor(Duration.ofSeconds(20));
                var refused = producer.send(record("b"));
                var behind = producer.send(record("behind"));
                assertThatThrownBy(refused::get).hasCauseInstanceOf(TimeoutException.class);
                assertThatThrownBy(behind::get).hasCauseInstanceOf(TimeoutException.class);
                model.sleep(Duration.ofSeconds(16));
                unused = producer.send(record("c")).get();
            }
        });
        assertThat(seen()).containsExactly("a", "c");
    }

    @Test
    void blockingCallsTimeOutWhileTheBrokerIsUnavailable() {
        unavailableFor(Duration.ofSeconds(20));
        model.run(() -> {
            Map<String, Object> config = Map.of("transactional.id", "x", "max.block.ms", "1000");
            try (Producer<String, byte[]> producer = model.clients().producer(config)) {
                assertThatThrownBy(producer::initTransactions).isInstanceOf(TimeoutException.class);
                assertThatThrownBy(() -> producer.partitionsFor("t")).isInstanceOf(TimeoutException.class);
            }
            try (Consumer<String, byte[]> consumer = model.clients().consumer(Map.of("group.id", "g"))) {
                consumer.assign(List.of(FIRST));
                assertThatThrownBy(() ->
                                consumer.commitSync(Map.of(FIRST, new OffsetAndMetadata(1)), Duration.ofSeconds(1)))
                        .isInstanceOf(TimeoutException.class);
                assertThat(consumer.poll(Duration.ofSeconds(1))).isEmpty();
            }
        });
    }

    @Test
    void theTransactionOfAKilledProcessIsAbortedWhenItHasTimedOut() {
        SimulatedProcess dying = model.scheduler.process("dying");
        dying.threads().virtual().start(() -> {
            Map<String, Object> config = Map.of("transactional.id", "x", "transaction.timeout.ms", "5000");
            Producer<String, byte[]> producer = model.kafka.clientsOf(dying).producer(config);
            producer.initTransactions();
            producer.beginTransaction();
            var unused = producer.send(record("a"));
            producer.flush();
            dying.kill();
        });
        model.scheduler.run(() -> !dying.alive(), LONG);
        model.run(() -> {
            try (Producer<String, byte[]> other = model.clients().producer(Map.of())) {
                var unused = other.send(record("b")).get();
                assertThat(seen()).isEmpty();
                model.sleep(Duration.ofSeconds(6));
                assertThat(seen()).containsExactly("b");
            }
        });
    }

    @Test
    void thePartitionsOfAKilledMemberAreGivenToOthersWhenItsSessionHasEnded() {
        SimulatedProcess dying = member("dying", Map.of("session.timeout.ms", "6000"));
        model.scheduler.run(() -> log.contains("dying assigned[0, 1]"), LONG);
        SimulatedProcess other = member("other", Map.of());
        model.scheduler.run(() -> log.contains("other assigned[1]") || log.contains("other assigned[0]"), LONG);
        dying.kill();
        long killed = model.scheduler.nanos();
        log.clear();
        model.scheduler.run(() -> log.contains("other assigned[0, 1]"), LONG);
        assertThat(Duration.ofNanos(model.scheduler.nanos() - killed))
                .isBetween(Duration.ofSeconds(3), Duration.ofSeconds(7));
        assertThat(other.alive()).isTrue();
    }

    @Test
    void aPausedMemberHasLostItsPartitionsWhenItGoesOn() {
        SimulatedProcess zombie = member("zombie", Map.of("session.timeout.ms", "6000"));
        model.scheduler.run(() -> log.contains("zombie assigned[0, 1]"), LONG);
        zombie.pause();
        member("other", Map.of());
        model.scheduler.run(() -> log.contains("other assigned[0, 1]"), LONG);
        zombie.resume();
        model.scheduler.run(() -> log.contains("zombie refused") && log.contains("zombie lost[0, 1]"), LONG);
        assertThat(log).contains("zombie refused", "zombie lost[0, 1]");
    }

    @Test
    void aKilledStaticMemberComesBackToItsPartitionsWithinItsSession() {
        SimulatedProcess first = member("a", Map.of("group.instance.id", "a", "session.timeout.ms", "6000"));
        model.scheduler.run(() -> log.contains("a assigned[0, 1]"), LONG);
        first.kill();
        log.clear();
        long killed = model.scheduler.nanos();
        member("a", Map.of("group.instance.id", "a", "session.timeout.ms", "6000"));
        model.scheduler.run(() -> log.contains("a assigned[0, 1]"), LONG);
        assertThat(model.scheduler.nanos() - killed)
                .isLessThan(Duration.ofSeconds(1).toNanos());
    }

    /** Starts a process that polls and commits continuously, and records the calls of its listener. */
    private SimulatedProcess member(String name, Map<String, Object> more) {
        SimulatedProcess process = model.scheduler.process(name);
        process.threads().virtual().start(() -> {
            Map<String, Object> config =
                    new HashMap<>(Map.of("group.id", "g", "client.id", name, "heartbeat.interval.ms", "500"));
            config.putAll(more);
            Consumer<String, byte[]> consumer = model.kafka.clientsOf(process).consumer(config);
            var rebalances = new RecordedRebalances();
            consumer.subscribe(List.of("t"), rebalances);
            while (true) {
                consumer.poll(Duration.ofMillis(100));
                rebalances.calls.forEach(call -> log.add(name + " " + call));
                rebalances.calls.clear();
                try {
                    consumer.commitSync(Map.of(FIRST, new OffsetAndMetadata(1)));
                } catch (CommitFailedException e) {
                    log.add(name + " refused");
                } catch (RebalanceInProgressException e) {
                    log.add(name + " rebalancing");
                }
            }
        });
        return process;
    }

    private void unavailableFor(Duration time) {
        model.kafka.network().unavailableUntil(model.scheduler.nanos() + time.toNanos());
    }

    private List<String> seen() {
        return model.kafka.committed("t", 0, 0).stream()
                .map(record -> new String(record.value(), UTF_8))
                .toList();
    }

    private static ProducerRecord<String, byte[]> record(String value) {
        return new ProducerRecord<>("t", 0, "key", value.getBytes(UTF_8));
    }
}
