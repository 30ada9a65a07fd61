package millrace.gateway.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import millrace.contracts.operation.ProcessState;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.service.SteadyClock;
import millrace.runtime.settings.KafkaSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which form of the ledger's state all processors and gateways know. */
class ProcessStatesTest {
    private static final Instant NOON = Instant.parse("2026-11-28T12:00:00Z");

    private final AtomicLong nanos = new AtomicLong();
    private final ProcessStates states = new ProcessStates(
            new TopicTailer(KafkaSettings.local("127.0.0.1:9", 1, "test"), "test", new FoldedOffsets()),
            new SteadyClock(() -> NOON.plusNanos(nanos.get()), nanos::get));

    @Test
    void withoutAProcessorNoneKnowsAForm() {
        assertThat(states.allHeardKnow(6)).isFalse();
        heard("g-1", "gateway", 6);
        assertThat(states.allHeardKnow(6)).isFalse();
    }

    @Test
    void nothingIsKnownBeforeAllIsRead() {
        heard("p-1", "processor", 6);
        assertThat(states.allHeardKnow(6)).isTrue();
        assertThat(states.allKnow(6)).isFalse();
    }

    @Test
    void everyGatewayHasToKnowIt() {
        heard("p-1", "processor", 6);
        heard("g-1", "gateway", 6);
        heard("n-1", "notifier", null);
        assertThat(states.allHeardKnow(6)).isTrue();
        heard("g-2", "gateway", null);
        assertThat(states.allHeardKnow(6)).isFalse();
        heard("g-2", "gateway", 6);
        assertThat(states.allHeardKnow(6)).isTrue();
    }

    @Test
    void everyProcessorHasToKnowIt() {
        heard("p-1", "processor", 6);
        assertThat(states.allHeardKnow(6)).isTrue();
        assertThat(states.allHeardKnow(7)).isFalse();
        heard("p-2", "processor", null);
        assertThat(states.allHeardKnow(6)).isFalse();
        heard("p-2", "processor", 7);
        assertThat(states.allHeardKnow(6)).isTrue();
    }

    @Test
    void oneThatIsSilentForAMinuteDoesNotCount() {
        heard("p-1", "processor", null);
        pass(Duration.ofSeconds(30));
        heard("p-2", "processor", 6);
        assertThat(states.allHeardKnow(6)).isFalse();
        pass(Duration.ofSeconds(31));
        assertThat(states.allHeardKnow(6)).isTrue();
        pass(Duration.ofSeconds(30));
        assertThat(states.allHeardKnow(6)).isFalse();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private void heard(String instance, String service, @Nullable Integer form) {
        Instant now = NOON.plusNanos(nanos.get());
        var services = new TreeMap<String, SortedMap<String, Boolean>>();
        services.put(service, new TreeMap<>(Map.of("kafka", true)));
        states.fold(instance + "/" + service, new ProcessState(instance, true, services, now, now, form), true);
    }
}
