package millrace.notifier.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.notifier.bootstrap.NotifierTestKafka;
import millrace.notifier.endpoint.EndpointFlow;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.service.SteadyClock;
import millrace.webhook.Exchange;
import millrace.webhook.ExchangeTimings;
import millrace.webhook.Webhook;
import millrace.webhook.WebhookTransport;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.junit.jupiter.api.Test;

class AttemptStarterTest {
    private static final Deliver DELIVERY = new Deliver(
            "e-1", NotifierTestKafka.ACCOUNT, "http://r.example/", new UUID(0, 1), 1, Instant.EPOCH, "{}", "00-00");

    private final ServiceThreads threads = ServiceThreads.ofMachine();
    private final Mailbox mailbox = new Mailbox(new MockConsumer<>("earliest"), threads);
    private final EndpointQueue queue = new EndpointQueue(
            "acme|http://r.example:80",
            0,
            new EndpointFlow(NotifierTestKafka.settings(Map.of()).flow()));
    private final HeldEvent event = HeldEvent.arrived(DELIVERY, 0, 0);
    private final List<Webhook> sent = new ArrayList<>();

    @Test
    void anAttemptForAnAccountWithoutSecretsFailsAndSaysWhy() {
        start(List.of(), webhook -> answered());
        assertThat(exchange().sentence())
                .isEqualTo("Not sent: it cannot be signed for account acme: there is no webhook secret.");
        assertThat(sent).isEmpty();
        start(List.of(NotifierTestKafka.SECRET), webhook -> answered());
        assertThat(exchange()).isInstanceOf(Exchange.Answered.class);
        assertThat(sent).hasSize(1);
    }

    @Test
    void aSenderThatFailsIsToldToTheLoop() {
        var bug = new IllegalStateException("a bug");
        start(List.of(NotifierTestKafka.SECRET), webhook -> CompletableFuture.failedFuture(bug));
        assertThat(mailbox.next(Duration.ZERO))
                .isInstanceOfSatisfying(LoopMessage.Failed.class, failed -> assertThat(failed.error())
                        .hasRootCause(bug));
    }

    private void start(List<String> secrets, WebhookTransport sender) {
        WebhookTransport recording = webhook -> {
            sent.add(webhook);
            return sender.send(webhook);
        };
        var attempts =
                new AttemptStarter(recording, WebhookSecrets.of(account -> secrets), new SteadyClock(threads), mailbox);
        assertThat(attempts.start(queue, event, DELIVERY)).isFalse();
    }

    private Exchange exchange() {
        LoopMessage mail = mailbox.next(Duration.ZERO);
        assertThat(mail).isInstanceOf(EndedAttempt.class);
        return ((EndedAttempt) java.util.Objects.requireNonNull(mail)).exchange();
    }

    private static CompletableFuture<Exchange> answered() {
        return CompletableFuture.completedFuture(new Exchange.Answered(204, null, null, ExchangeTimings.NONE));
    }
}
