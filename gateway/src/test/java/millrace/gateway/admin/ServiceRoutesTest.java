package millrace.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import millrace.contracts.operation.ProcessState;
import millrace.gateway.admin.ServiceRoutes.Service;
import millrace.gateway.admin.ServiceRoutes.State;
import millrace.gateway.health.ProcessStates;
import org.junit.jupiter.api.Test;

class ServiceRoutesTest {
    private static final Instant NOW = Instant.parse("2026-11-22T08:00:00Z");

    @Test
    void isReadyWithAReadyProcessOfEachService() {
        ServiceRoutes.Answer answer =
                answer(self(), heard("p-1", true, NOW, "processor", true), heard("n-1", true, NOW, "notifier", true));
        assertThat(answer.ready()).isTrue();
        assertThat(answer.missing()).isEmpty();
        assertThat(answer.services()).extracting(Service::instance).containsExactly("g-1", "p-1", "n-1");
    }

    @Test
    void saysWhatIsMissing() {
        ServiceRoutes.Answer answer = answer(self(), heard("p-1", false, NOW, "processor", false));
        assertThat(answer.ready()).isFalse();
        assertThat(answer.missing()).containsExactly("No processor is ready.", "No notifier runs: start one.");
        assertThat(answer.services().getLast().missing()).containsExactly("kafka");
        assertThat(answer.services().getLast().state()).isEqualTo(State.NOT_READY);
    }

    @Test
    void aProcessThatIsSilentIsNotReady() {
        ServiceRoutes.Answer answer = answer(
                self(),
                heard("p-1", true, NOW.minusSeconds(16), "processor", true),
                heard("n-1", true, NOW.minusSeconds(14), "notifier", true));
        assertThat(answer.services())
                .extracting(Service::state)
                .containsExactly(State.READY, State.SILENT, State.READY);
        assertThat(answer.missing()).containsExactly("No processor is ready.");
    }

    /** It is ready no more though no check fails. */
    @Test
    void aProcessThatStopsIsNotReady() {
        assertThat(answer(self(), heard("p-1", false, NOW, "processor", true)).services())
                .extracting(Service::state)
                .containsExactly(State.READY, State.NOT_READY);
    }

    /** All in one process: each service by its own checks. */
    @Test
    void servicesOfOneProcessAreToldApart() {
        var checks = new TreeMap<>(Map.of(
                "gateway", new TreeMap<>(Map.of("kafka", true)),
                "processor", new TreeMap<>(Map.of("kafka", true)),
                "notifier", new TreeMap<>(Map.of("endpoints", false))));
        var state = new ProcessState("g-1", false, new TreeMap<>(checks), NOW, NOW, null);
        ServiceRoutes.Answer answer = answer(self(), new ProcessStates.Heard(state, NOW));
        assertThat(answer.services())
                .extracting(s -> s.service() + " " + s.state())
                .containsExactly("gateway READY", "notifier NOT_READY", "processor READY");
        assertThat(answer.missing()).containsExactly("No notifier is ready.");
    }

    @Test
    void whatItSaysWithoutKafkaIsFromBefore() {
        var self = new Service("gateway", "g-1", State.NOT_READY, List.of("kafka"), null, NOW, true);
        assertThat(answer(self).missing())
                .startsWith("This gateway does not reach Kafka: what is shown of others is from before.");
    }

    private static Service self() {
        return new Service("gateway", "g-1", State.READY, List.of(), null, NOW, true);
    }

    private static ServiceRoutes.Answer answer(Service self, ProcessStates.Heard... heard) {
        return ServiceRoutes.answer(self, List.of(heard), 0, NOW);
    }

    private static ProcessStates.Heard heard(
            String instance, boolean ready, Instant at, String service, boolean kafka) {
        var checks = new TreeMap<>(Map.of("kafka", kafka));
        return new ProcessStates.Heard(
                new ProcessState(instance, ready, new TreeMap<>(Map.of(service, checks)), NOW, at, null), at);
    }
}
