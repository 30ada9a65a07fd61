package millrace.notifier.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import millrace.broker.EmbeddedKafka;
import millrace.contracts.delivery.WebhookAttempt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The broker stops and starts again while webhooks are being delivered. */
@Tag("thorough") // stops a broker
class NotifierBrokerRestartIT {
    @TempDir
    Path folder;

    @Test
    void everyEventIsDelivered() throws Exception {
        EmbeddedKafka first = EmbeddedKafka.start(folder);
        List<EmbeddedKafka> running = new ArrayList<>(List.of(first));
        String address = first.bootstrapServers();
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        try (NotifierTestKafka testKafka = new NotifierTestKafka(address, () -> running.forEach(EmbeddedKafka::close));
                VerifyingReceiver receiver = VerifyingReceiver.open(
                        NotifierTestKafka.SECRET, (request, number) -> number % 7 == 0 ? 500 : 204);
                Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
            Set<String> sent = new TreeSet<>();
            for (int i = 0; i < 300; i++) {
                sent.add(testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/hook")));
            }
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> receiver.requests.size() >= 50);
            first.close();
            running.clear();
            running.add(EmbeddedKafka.start(folder, port, Map.of()));
            for (int i = 0; i < 20; i++) {
                sent.add(testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/hook")));
            }
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> testKafka.attempts().stream()
                                    .map(WebhookAttempt::eventId)
                                    .collect(java.util.stream.Collectors.toSet())
                                    .containsAll(sent)
                            && testKafka.states().isEmpty());
            assertThat(receiver.ids()).containsAll(sent);
            assertThat(testKafka.fatal).hasValue(null);
        }
    }
}
