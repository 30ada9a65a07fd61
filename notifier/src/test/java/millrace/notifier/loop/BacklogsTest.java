package millrace.notifier.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryCommand.Reinstate;
import millrace.contracts.delivery.DeliveryCommand.Resend;
import millrace.contracts.topics.Topics;
import millrace.notifier.NotifierSettings;
import millrace.notifier.endpoint.EndpointBacklog;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.service.SteadyClock;
import millrace.runtime.settings.Settings;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An endpoint with a window of two events. The events of its backlog lie at the offsets from 10 on. */
class BacklogsTest {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final Instant TOO_OLD = NOW.minus(Duration.ofHours(73));
    private static final String URL = "http://r.example/hook";
    private static final NotifierSettings SETTINGS =
            Settings.sectionOf("notifier", NotifierSettings.class, Map.of("notifier.window", "2"));

    private final SteadyClock clock = new SteadyClock(() -> NOW, () -> 0);
    private final ServiceThreads threads = ServiceThreads.ofMachine();
    private final Mailbox mailbox = new Mailbox(new MockConsumer<>("earliest"), threads);
    private final Ownership ownership = new Ownership();
    private final PendingWrites pendingWrites = new PendingWrites(ownership, clock);
    private final PayloadReader payloads = new PayloadReader(mailbox, BacklogsTest::noKafka, threads);
    private final BacklogReader reader = new BacklogReader(mailbox, BacklogsTest::noKafka, threads);
    private final Backlogs backlogs;
    private final OwnedPartition partition = new OwnedPartition(0, SourceOffsets.resume(0, ""), SETTINGS.flow());
    private final EndpointQueue queue = partition.endpoint("acme|http://r.example:80");
    private final List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();

    BacklogsTest() {
        var environment =
                DeliveriesTest.environment(threads, webhook -> new CompletableFuture<>(), account -> List.of());
        var deliveries = new Deliveries(
                SETTINGS,
                environment,
                clock,
                new DeliveryMetrics(environment.registry()),
                mailbox,
                payloads,
                ownership,
                pendingWrites,
                new EndpointStatePublisher(pendingWrites, clock));
        backlogs = new Backlogs(SETTINGS, clock, ownership, deliveries, pendingWrites, reader);
        ownership.add(partition);
    }

    @AfterEach
    void close() {
        payloads.close();
        reader.close();
    }

    @Test
    void whatHasNoRoomIsLeftAndWhatIsHeldIsSavedBefore() {
        hold(1);
        hold(2);
        assertThat(backlogs.leave(queue, 10, NOW)).isTrue();
        assertThat(backlogs.leave(queue, 12, NOW)).isTrue();
        assertThat(backlog().from()).isEqualTo(10);
        assertThat(backlog().events()).isEqualTo(2);
        List<?> written = pendingWrites.drain().states();
        assertThat(written).as("two events, and where the backlog begins").hasSize(3);
        assertThat(partition.offsets().open()).isZero();
    }

    @Test
    void whereThereIsRoomNothingIsLeftUntilSomethingIs() {
        hold(1);
        assertThat(backlogs.leave(queue, 10, NOW)).isFalse();
        hold(2);
        assertThat(backlogs.leave(queue, 11, NOW)).isTrue();
        end();
        end();
        assertThat(backlogs.leave(queue, 12, NOW)).isTrue();
    }

    @Test
    void whatIsReadIsTakenInItsOrderAsFarAsThereIsRoom() {
        behind(3);
        end();
        put(deliver(3, NOW));
        put(deliver(4, NOW));
        put(deliver(5, NOW));
        take(13);
        assertThat(queue.holds(event(3))).isTrue();
        assertThat(queue.holds(event(4))).isFalse();
        assertThat(backlog().from()).isEqualTo(11);
        assertThat(backlog().events()).isEqualTo(2);
        assertThat(ownership.held()).isEqualTo(2);
    }

    @Test
    void whatIsTooOldForAnEndpointThatFailsIsGivenUpAlsoWithoutRoom() {
        behind(3);
        for (int i = 0; i < 5; i++) {
            queue.flow().breaker().failed(7, false, 0, 0, 0.5);
        }
        put(deliver(3, TOO_OLD));
        put(new Resend(deliver(4, TOO_OLD), 10, TOO_OLD));
        put(deliver(5, NOW));
        take(13);
        assertThat(pendingWrites.drain().records())
                .filteredOn(record -> record.topic().equals(Topics.WEBHOOK_DEAD_LETTERS.name()))
                .extracting(record -> Topics.WEBHOOK_DEAD_LETTERS
                        .decode(Objects.requireNonNull(record.value()))
                        .eventId())
                .containsExactly(id(3), id(4));
        assertThat(backlog().from()).isEqualTo(12);
        assertThat(backlog().since()).isEqualTo(NOW.toEpochMilli());
        assertThat(queue.size()).isEqualTo(2);
    }

    @Test
    void whatIsTooOldIsTriedWhereTheEndpointAnswers() {
        behind(1);
        end();
        end();
        put(deliver(3, TOO_OLD));
        take(11);
        assertThat(queue.holds(event(3))).isTrue();
        assertThat(pendingWrites.drain().records()).isEmpty();
    }

    /** An old event that is resent is not too old; its attempts count on. */
    @Test
    void whatIsResentIsTakenOrMadeDue() {
        behind(2);
        HeldEvent first = Objects.requireNonNull(queue.next(NOW.toEpochMilli()));
        queue.retryAt(first, NOW.plusSeconds(500).toEpochMilli());
        put(new Resend(deliver(1, NOW), 1, NOW));
        put(new Resend(deliver(9, TOO_OLD), 10, NOW));
        take(12);
        assertThat(first.due()).isEqualTo(NOW.toEpochMilli());
        assertThat(queue.size()).isEqualTo(3);
        List<HeldEvent> due = new ArrayList<>();
        for (HeldEvent next = queue.next(NOW.toEpochMilli()); next != null; next = queue.next(NOW.toEpochMilli())) {
            due.add(next);
        }
        assertThat(due).anyMatch(event -> event.id().equals(id(9)) && event.attempts() == 10 && event.isResent());
        assertThat(queue.backlog()).isNull();
    }

    @Test
    void commandsAndWhatCannotBeReadWereHandledWhenTheyArrived() {
        behind(1);
        end();
        end();
        put(new Reinstate("acme", URL, NOW));
        records.add(new ConsumerRecord<>(
                Topics.DELIVERIES.name(), 0, 11, queue.key(), "not json".getBytes(StandardCharsets.UTF_8)));
        take(12);
        assertThat(queue.backlog()).isNull();
        assertThat(queue.size()).isZero();
    }

    @Test
    void aBacklogEndsWhereTheLastThatWasLeftIsTaken() {
        behind(1);
        end();
        end();
        put(deliver(3, NOW));
        backlogs.leave(queue, 20, NOW);
        take(20);
        assertThat(backlog().from()).isEqualTo(20);
        records.clear();
        take(21);
        assertThat(queue.backlog()).isNull();
        assertThat(backlogs.leave(queue, 22, NOW)).isFalse();
    }

    /** What is read again from the source after a take-over was taken before. */
    @Test
    void aBacklogEndsNotBeforeTheSourceIsReadUpToIt() {
        behind(1);
        end();
        end();
        put(deliver(3, NOW));
        take(200);
        assertThat(backlog().isEmpty()).isTrue();
        assertThat(backlogs.leave(queue, 150, NOW)).isTrue();
        assertThat(backlog().isEmpty()).isTrue();
        partition.offsets().advance(200);
        take(200);
        assertThat(queue.backlog()).isNull();
    }

    @Test
    void aPartitionThatIsGoneTakesNothing() {
        behind(1);
        end();
        put(deliver(3, NOW));
        ownership.drop(partition);
        take(11);
        assertThat(queue.holds(event(3))).isFalse();
    }

    private void hold(int report) {
        partition.offsets().take(report);
        partition.offsets().advance(100);
        var event = HeldEvent.arrived(deliver(report, NOW), report, NOW.toEpochMilli());
        queue.add(event);
        ownership.oneMore(queue);
        partition.unsaved().add(queue, event, NOW.toEpochMilli());
    }

    /** Two events are held, and some are left at the offsets from 10 on. */
    private void behind(int number) {
        hold(1);
        hold(2);
        for (int i = 0; i < number; i++) {
            assertThat(backlogs.leave(queue, 10 + i, NOW)).isTrue();
        }
    }

    private void end() {
        queue.ended(Objects.requireNonNull(queue.next(NOW.toEpochMilli())));
        ownership.oneLess(queue);
    }

    private void put(DeliveryCommand command) {
        records.add(new ConsumerRecord<>(
                Topics.DELIVERIES.name(), 0, 10 + records.size(), queue.key(), Topics.DELIVERIES.encode(command)));
    }

    private void take(long reached) {
        backlogs.take(new LoopMessage.BacklogRead(partition, records, Map.of(queue.key(), reached)));
    }

    private EndpointBacklog backlog() {
        return Objects.requireNonNull(queue.backlog());
    }

    private static Consumer<String, byte[]> noKafka() {
        throw new AssertionError("nothing is read here");
    }

    private static HeldEvent event(int report) {
        return HeldEvent.arrived(deliver(report, NOW), 0, 0);
    }

    private static String id(int report) {
        return new UUID(0, report) + ".1";
    }

    private static Deliver deliver(int report, Instant occurredAt) {
        var id = new UUID(0, report);
        return new Deliver(id + ".1", "acme", URL, id, 1, occurredAt, "{}", "00-00");
    }
}
