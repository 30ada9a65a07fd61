package millrace.notifier.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookAttempt.Outcome;
import millrace.contracts.topics.Topics;
import millrace.notifier.NotifierSettings;
import millrace.notifier.bootstrap.NotifierTestKafka;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.service.SteadyClock;
import millrace.runtime.settings.Settings;
import millrace.webhook.Exchange;
import millrace.webhook.Exchange.ExchangeTimings;
import millrace.webhook.Webhook;
import millrace.webhook.WebhookTransport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeliveriesTest {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final NotifierSettings SETTINGS = Settings.sectionOf("notifier", NotifierSettings.class, Map.of());

    private final ServiceThreads threads = ServiceThreads.ofMachine();
    private final SteadyClock clock = new SteadyClock(() -> NOW, () -> 0);
    private final Mailbox mailbox = new Mailbox(new MockConsumer<>("earliest"), threads);
    private final PayloadReader payloads = new PayloadReader(mailbox, DeliveriesTest::noKafka, threads);
    private final Ownership ownership = new Ownership();
    private final PendingWrites pendingWrites = new PendingWrites(ownership, clock);
    private final OwnedPartition partition = new OwnedPartition(0, SourceOffsets.resume(0, ""), SETTINGS.flow());
    private final List<Webhook> sent = new ArrayList<>();
    private final Deliveries deliveries;
    private List<String> secrets = List.of(NotifierTestKafka.SECRET);
    private WebhookTransport receiver = answering(204);
    private int reports;

    DeliveriesTest() {
        var environment = environment(threads, this::send, account -> secrets);
        deliveries = new Deliveries(
                SETTINGS,
                environment,
                clock,
                new DeliveryMetrics(environment.registry()),
                mailbox,
                payloads,
                ownership,
                pendingWrites,
                new EndpointStatePublisher(pendingWrites, clock));
        deliveries.own(partition);
    }

    /** Without Kafka. */
    static NotifierEnvironment environment(
            ServiceThreads threads, WebhookTransport sender, Function<String, List<String>> secrets) {
        return new NotifierEnvironment(
                threads,
                KafkaClientFactory.ofKafka(),
                new Random(1),
                sender,
                WebhookSecrets.of(secrets),
                new SimpleMeterRegistry());
    }

    @AfterEach
    void close() {
        payloads.close();
    }

    @Test
    void anAttemptIsPublishedAndItsEventEndsOrIsSavedForAnother() {
        EndpointQueue queue = arrive(0);
        receiver = answering(500);
        deliveries.startDue();
        assertThat(deliveries.inFlight()).isOne();
        deliveries.ended(ended());
        assertThat(deliveries.inFlight()).isZero();
        assertThat(partition.offsets().open()).isZero();
        PendingWrites.Batch failed = pendingWrites.drain();
        assertThat(failed.records()).extracting(DeliveriesTest::outcome).containsExactly(Outcome.FAILED);
        assertThat(failed.states())
                .singleElement()
                .satisfies(state -> assertThat(state.record().value()).isNotNull());

        receiver = answering(204);
        queue.enable(NOW.toEpochMilli());
        deliveries.changed(queue);
        deliveries.startDue();
        deliveries.ended(ended());
        PendingWrites.Batch delivered = pendingWrites.drain();
        assertThat(delivered.records()).extracting(DeliveriesTest::outcome).containsExactly(Outcome.DELIVERED);
        assertThat(delivered.states())
                .singleElement()
                .satisfies(state -> assertThat(state.record().value()).isNull());
        assertThat(queue.idle()).isTrue();
        assertThat(sent).hasSize(2);
    }

    /** A URL that asked to wait, and a host that does not answer. */
    @Test
    void anAttemptSaysUntilWhenAndWhyItsUrlIsHeld() {
        EndpointQueue queue = arrive(0);
        ends(queue, new Exchange.Answered(429, NOW.plusSeconds(600), null, ExchangeTimings.NONE));
        WebhookAttempt busy = attempt();
        assertThat(busy.heldUntil()).isEqualTo(NOW.plusSeconds(600)).isEqualTo(busy.nextAttemptAt());
        assertThat(busy.heldReason()).isEqualTo(EndpointState.HeldReason.RETRY_AFTER);

        queue = arrive(1);
        fails(queue);
        assertThat(attempt().heldUntil()).isNull();
        for (int i = 1; i < SETTINGS.flow().failuresToOpen(); i++) {
            arrive(1);
            fails(queue);
        }
        List<ProducerRecord<String, byte[]>> records = pendingWrites.drain().records();
        WebhookAttempt failing =
                Topics.WEBHOOK_ATTEMPTS.decode(records.getLast().value());
        assertThat(failing.heldUntil()).isAfter(NOW);
        assertThat(failing.heldReason()).isEqualTo(EndpointState.HeldReason.FAILING);
    }

    /** The oldest URL of an account that has too many goes on at once, although nothing happens at its endpoint. */
    @Test
    void anEndpointWhoseUrlIsNotHeldAnyMoreGoesOn() {
        EndpointQueue first = arrive(0);
        arrive(0);
        var busy = new Exchange.Answered(429, NOW.plusSeconds(600), null, ExchangeTimings.NONE);
        ends(first, busy);
        deliveries.startDue();
        assertThat(sent).as("the second event is set aside").isEmpty();
        for (int i = 1; i <= 1000; i++) {
            ends(arrive(i), busy);
            deliveries.startDue();
        }
        assertThat(sent).singleElement().satisfies(webhook -> assertThat(webhook.url())
                .isEqualTo("http://0"));
    }

    @Test
    void anAttemptForAnAccountWithoutSecretsFailsAndSaysWhy() {
        secrets = List.of();
        arrive(0);
        deliveries.startDue();
        assertThat(ended().exchange().sentence())
                .isEqualTo("Not sent: it cannot be signed for account acme: there is no webhook secret.");
        assertThat(sent).isEmpty();
        secrets = List.of(NotifierTestKafka.SECRET);
        arrive(0);
        deliveries.startDue();
        assertThat(ended().exchange()).isInstanceOf(Exchange.Answered.class);
        assertThat(sent).hasSize(1);
    }

    @Test
    void aSenderThatFailsIsToldToTheLoop() {
        var bug = new IllegalStateException("a bug");
        receiver = webhook -> CompletableFuture.failedFuture(bug);
        arrive(0);
        deliveries.startDue();
        assertThat(mailbox.next(Duration.ZERO))
                .isInstanceOfSatisfying(LoopMessage.Failed.class, failed -> assertThat(failed.error())
                        .hasRootCause(bug));
    }

    /** An account may have events for very many endpoints. */
    @Test
    void whatFailsForTheFirstTimeIsTriedAgainUnlessTheEndpointsAreTooMany() {
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
        var delivery =
                new Deliver(id + ".1", NotifierTestKafka.ACCOUNT, "http://" + endpoint, id, 1, NOW, "{}", "00-00");
        partition.offsets().take(reports);
        EndpointQueue queue = partition.endpoint(delivery.endpoint());
        queue.add(HeldEvent.arrived(delivery, reports, NOW.toEpochMilli()));
        ownership.oneMore(queue);
        deliveries.changed(queue);
        return queue;
    }

    private void fails(EndpointQueue queue) {
        ends(queue, new Exchange.Answered(500, null, null, ExchangeTimings.NONE));
    }

    private void ends(EndpointQueue queue, Exchange exchange) {
        HeldEvent event = Objects.requireNonNull(queue.next(NOW.toEpochMilli()));
        deliveries.ended(new LoopMessage.EndedAttempt(
                queue, event, Objects.requireNonNull(event.delivery()), false, NOW.toEpochMilli(), NOW, exchange));
    }

    /** The only one since the last call. */
    private WebhookAttempt attempt() {
        List<ProducerRecord<String, byte[]>> records = pendingWrites.drain().records();
        assertThat(records).hasSize(1);
        return Topics.WEBHOOK_ATTEMPTS.decode(records.getFirst().value());
    }

    private List<String> deadLetters() {
        return pendingWrites.drain().records().stream()
                .filter(record -> record.topic().equals(Topics.WEBHOOK_DEAD_LETTERS.name()))
                .map(record ->
                        Topics.WEBHOOK_DEAD_LETTERS.decode(record.value()).reason())
                .toList();
    }

    private static Outcome outcome(ProducerRecord<String, byte[]> record) {
        return Topics.WEBHOOK_ATTEMPTS.decode(record.value()).outcome();
    }

    private LoopMessage.EndedAttempt ended() {
        LoopMessage message = mailbox.next(Duration.ZERO);
        assertThat(message).isInstanceOf(LoopMessage.EndedAttempt.class);
        return (LoopMessage.EndedAttempt) Objects.requireNonNull(message);
    }

    private CompletableFuture<Exchange> send(Webhook webhook) {
        sent.add(webhook);
        return receiver.send(webhook);
    }

    private static WebhookTransport answering(int status) {
        return webhook ->
                CompletableFuture.completedFuture(new Exchange.Answered(status, null, null, ExchangeTimings.NONE));
    }

    private static Consumer<String, byte[]> noKafka() {
        throw new AssertionError("nothing is read here");
    }
}
