package millrace.notifier.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.topics.Topics;
import millrace.notifier.NotifierSettings;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.notifier.endpoint.SourceOffsets;
import millrace.runtime.service.SteadyClock;
import millrace.runtime.settings.Settings;
import millrace.webhook.Exchange;
import millrace.webhook.ExchangeTimings;
import org.junit.jupiter.api.Test;

/** What follows from failed attempts of an account that has events for very many endpoints. */
class AttemptOutcomesTest {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final NotifierSettings SETTINGS = Settings.sectionOf("notifier", NotifierSettings.class, Map.of());

    private final SteadyClock clock = new SteadyClock(() -> NOW, () -> 0);
    private final PendingWrites pendingWrites = new PendingWrites(clock);
    private final Ownership ownership = new Ownership();
    private final OwnedPartition partition = new OwnedPartition(0, SourceOffsets.resume(0, ""), SETTINGS.flow());
    private final AttemptOutcomes outcomes = new AttemptOutcomes(
            SETTINGS.schedule(),
            ownership,
            new DeliveryStateWriter(ownership, pendingWrites),
            pendingWrites,
            new EndpointStatePublisher(pendingWrites, clock),
            new DeliveryContext(clock, new Random(1), new DeliveryMetrics(new SimpleMeterRegistry())));
    private int reports;

    @Test
    void whatFailsForTheFirstTimeIsTriedAgainUnlessTheEndpointsAreTooMany() {
        ownership.add(partition);
        for (int i = 0; i < Ownership.MOST_ENDPOINTS; i++) {
            arrive(i);
        }
        fails(arrive(0));
        assertThat(deadLetters()).isEmpty();
        EndpointQueue waiting = partition.endpoint("acme|http://1:80");
        fails(arrive(Ownership.MOST_ENDPOINTS));
        assertThat(deadLetters())
                .singleElement()
                .asString()
                .startsWith("The receiver answered 500. It is not tried again, since events of 10000 other endpoints");
        assertThat(waiting.size()).isOne();
        fails(arrive(Ownership.MOST_ENDPOINTS + 1));
        assertThat(deadLetters()).hasSize(1);
    }

    /** An event of the endpoint with this number. */
    private EndpointQueue arrive(int endpoint) {
        var id = new UUID(0, ++reports);
        var delivery = new Deliver(id + ".1", "acme", "http://" + endpoint, id, 1, NOW, "{}", "00-00");
        partition.offsets().take(reports);
        EndpointQueue queue = partition.endpoint(delivery.endpoint());
        queue.add(HeldEvent.arrived(delivery, reports, NOW.toEpochMilli()));
        ownership.oneMore(queue);
        return queue;
    }

    private void fails(EndpointQueue queue) {
        HeldEvent event = Objects.requireNonNull(queue.next(NOW.toEpochMilli()));
        var failed = new Exchange.Answered(500, null, null, ExchangeTimings.NONE);
        outcomes.ended(new EndedAttempt(
                queue, event, Objects.requireNonNull(event.delivery()), false, NOW.toEpochMilli(), NOW, failed));
    }

    private List<String> deadLetters() {
        return pendingWrites.drain().records().stream()
                .filter(record -> record.topic().equals(Topics.WEBHOOK_DEAD_LETTERS.name()))
                .map(record ->
                        Topics.WEBHOOK_DEAD_LETTERS.decode(record.value()).reason())
                .toList();
    }
}
