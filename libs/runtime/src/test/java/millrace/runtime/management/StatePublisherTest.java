package millrace.runtime.management;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import millrace.contracts.operation.ProcessState;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.PeriodicProducer;
import millrace.runtime.management.StatePublisher.Observed;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class StatePublisherTest {
    private final MockProducer<String, byte[]> kafka =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    private Instant now = Instant.parse("2026-11-22T08:00:00Z");
    private boolean water = true;
    private final StatePublisher publisher = new StatePublisher(
            new PeriodicProducer(kafka),
            "millrace-1",
            () -> new Observed(water, Map.of("mill", new TreeMap<>(Map.of("water", water))), 6),
            () -> now);

    @Test
    void writesAtOnceWhatChangesAndOtherwiseEveryFewSeconds() {
        publisher.publish();
        now = now.plusMillis(500);
        publisher.publish();
        assertThat(ready()).containsExactly(true);
        water = false;
        publisher.publish();
        assertThat(ready()).containsExactly(true, false);
        now = now.plus(ProcessState.INTERVAL).minusMillis(1);
        publisher.publish();
        assertThat(ready()).hasSize(2);
        now = now.plusMillis(1);
        publisher.publish();
        assertThat(ready()).containsExactly(true, false, false);
        assertThat(states().getLast().at()).isEqualTo(now);
        assertThat(states().getLast().stateForm()).isEqualTo(6);
    }

    @Test
    void saysWhenTheProcessEnds() {
        publisher.publish();
        publisher.close();
        ProducerRecord<String, byte[]> last = kafka.history().getLast();
        assertThat(last.key()).isEqualTo("millrace-1/mill");
        assertThat(last.value()).isNull();
        assertThat(kafka.closed()).isTrue();
    }

    @Test
    void saysNothingOfAProcessThatNeverWas() {
        publisher.close();
        assertThat(kafka.history()).isEmpty();
    }

    private List<Boolean> ready() {
        return states().stream().map(ProcessState::ready).toList();
    }

    private List<ProcessState> states() {
        return kafka.history().stream()
                .map(record -> Topics.PROCESS_STATES.decode(record.value()))
                .toList();
    }
}
