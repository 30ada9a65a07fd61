package millrace.simulation.invariants;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.contracts.topics.Topics;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TopicObserverTest {
    private static final String TOPIC = Topics.ACCOUNT_COMMANDS.name();

    private final Scheduler scheduler = new Scheduler(5);
    private final SimulatedKafka kafka = new SimulatedKafka(scheduler);
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void isNotCompleteWhileATransactionIsOpenOfAProcessThatDied() {
        kafka.createTopic(TOPIC, 1);
        var observer = new TopicObserver<>(kafka, Topics.ACCOUNT_COMMANDS, 1, (key, command) -> seen.add(key));
        assertThat(observer.complete()).isTrue();

        transaction("dies", Duration.ofSeconds(9)).kill();
        observer.readCommitted();
        assertThat(observer.complete()).isFalse();

        scheduler.run(() -> false, Duration.ofSeconds(10)); // the coordinator aborts it
        observer.readCommitted();
        assertThat(observer.complete()).isTrue();
        assertThat(seen).isEmpty();
    }

    /** A process with an open transaction. */
    private SimulatedProcess transaction(String id, Duration timeout) {
        SimulatedProcess process = scheduler.process(id);
        process.threads().virtual().start(() -> {
            Producer<String, byte[]> producer = kafka.clientsOf(process)
                    .producer(Map.of("transactional.id", id, "transaction.timeout.ms", "" + timeout.toMillis()));
            producer.initTransactions();
            producer.beginTransaction();
            var unused = producer.send(new ProducerRecord<>(TOPIC, id, new byte[0]));
        });
        scheduler.run(() -> kafka.end(TOPIC, 0) > 0, Duration.ofSeconds(1));
        return process;
    }
}
