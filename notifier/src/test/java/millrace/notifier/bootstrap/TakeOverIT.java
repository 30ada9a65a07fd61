package millrace.notifier.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookAttempt.Outcome;
import millrace.contracts.topics.Topics;
import millrace.notifier.NotifierSettings;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Restarts, kills and second instances lose no event and repeat few. */
class TakeOverIT {
    private static final VerifyingReceiver.Script FINE = (request, number) -> 204;
    private NotifierTestKafka testKafka;

    @BeforeEach
    void open() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
        testKafka = new NotifierTestKafka();
    }

    @AfterEach
    void close() {
        assertThat(testKafka.fatal).hasValue(null);
        testKafka.close();
    }

    @Test
    void retriesSurviveARestart() throws Exception {
        try (VerifyingReceiver receiver =
                VerifyingReceiver.open(NotifierTestKafka.SECRET, (request, number) -> number == 1 ? 500 : 200)) {
            NotifierSettings settings = NotifierTestKafka.retrying(Duration.ofSeconds(3));
            String id = testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/hook"));
            try (Notifier _ = testKafka.notifier(settings)) {
                await().until(() -> testKafka.attempts(id).size() == 1);
            }
            assertThat(testKafka.states()).hasSize(1);
            Instant due =
                    Objects.requireNonNull(testKafka.attempts(id).getFirst().nextAttemptAt());
            try (Notifier _ = testKafka.notifier(settings)) {
                await().until(() -> testKafka.attempts(id).size() == 2);
            }
            WebhookAttempt second = testKafka.attempts(id).getLast();
            assertThat(second.attempt()).isEqualTo(2);
            assertThat(second.outcome()).isEqualTo(Outcome.DELIVERED);
            assertThat(second.startedAt()).isAfterOrEqualTo(due);
            assertThat(testKafka.states()).isEmpty();
        }
    }

    /** Brokers delete the offsets of a group after a week without members. */
    @Test
    void whereKafkaForgotTheOffsetsNothingIsSentAgainUnasked() throws Exception {
        try (VerifyingReceiver receiver = VerifyingReceiver.open(NotifierTestKafka.SECRET, FINE)) {
            String id = testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/hook"));
            try (Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
                await().until(() -> !testKafka.attempts(id).isEmpty());
            }
            List<String> sent = receiver.ids();
            testKafka.forgetOffsets();
            assertThatThrownBy(() -> testKafka.notifier(NotifierTestKafka.SETTINGS))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageStartingWith("Kafka has forgotten how far millrace-notifier had come");
            assertThat(receiver.ids()).isEqualTo(sent);
        }
    }

    @Test
    void closesWithinTwoSecondsAndRepeatsNothing() throws Exception {
        try (VerifyingReceiver receiver = VerifyingReceiver.open(NotifierTestKafka.SECRET, FINE)) {
            Set<String> sent = new TreeSet<>();
            for (int run = 0; run < 3; run++) {
                Notifier notifier = testKafka.notifier(NotifierTestKafka.SETTINGS);
                sent.addAll(testKafka.deliver(50, receiver.url("/hook")));
                int expected = run * 50 + 20;
                await().until(() -> receiver.requests.size() >= expected);
                Instant before = Instant.now();
                notifier.close();
                assertThat(Duration.between(before, Instant.now())).isLessThan(Duration.ofSeconds(2));
            }
            try (Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
                await().until(() -> testKafka.attempts().size() == sent.size());
            }
            assertThat(receiver.ids()).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(sent);
        }
    }

    @Test
    void aKilledNotifierLosesNothingAndRepeatsOnlyWhatWasUnderWay() throws Exception {
        try (VerifyingReceiver receiver = VerifyingReceiver.open(NotifierTestKafka.SECRET, FINE)) {
            Set<String> sent = new TreeSet<>();
            List<Kill> kills = new ArrayList<>();
            for (int run = 0; run < 4; run++) {
                int expected = receiver.requests.size() + 20;
                Notifier notifier = testKafka.notifier(NotifierTestKafka.SETTINGS);
                sent.addAll(testKafka.deliver(200, receiver.url("/hook")));
                await().pollInterval(Duration.ofMillis(5))
                        .until(() -> receiver.requests.size() >= expected
                                && !delivered().isEmpty());
                notifier.abandon();
                kills.add(new Kill(delivered(), receiver.requests.size()));
            }
            try (Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
                await().until(() ->
                        delivered().containsAll(sent) && testKafka.states().isEmpty());
            }
            assertThat(delivered()).isEqualTo(sent);
            assertThat(kills)
                    .allSatisfy(kill -> assertThat(receiver.ids().subList(kill.requests(), receiver.requests.size()))
                            .doesNotContainAnyElementsOf(kill.delivered()));
        }
    }

    /**
     * What was known right after a kill. Requests that the dead notifier had sent may be handled
     * later, but none of a delivered event, whose answer it had seen.
     *
     * @param delivered events whose delivery was committed
     * @param requests that the receiver had handled
     */
    private record Kill(Set<String> delivered, int requests) {}

    /** The kill comes while an earlier offset is open, so the delivered event is above the committed offset. */
    @Test
    void whatWasCommittedBehindAnOpenOffsetIsNotRepeated() throws Exception {
        var over = new CountDownLatch(1);
        VerifyingReceiver.Script hang = (request, number) -> {
            over.await();
            return 200;
        };
        try (VerifyingReceiver hanging = VerifyingReceiver.open(NotifierTestKafka.SECRET, hang);
                VerifyingReceiver healthy = VerifyingReceiver.open(NotifierTestKafka.SECRET, FINE)) {
            testKafka.deliver(UUID.randomUUID(), 1, hanging.url("/hook"));
            testKafka.deliver(50, healthy.url("/hook"));
            Notifier notifier = testKafka.notifier(NotifierTestKafka.SETTINGS);
            await().pollInterval(Duration.ofMillis(5))
                    .until(() -> testKafka.attempts().size() == 50);
            notifier.abandon();
            over.countDown();
            try (Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
                await().until(() -> testKafka.attempts().size() == 51);
            }
            assertThat(healthy.requests).hasSize(50);
        }
    }

    @Test
    void anAttemptThatHangsIsInTheStateAndIsRepeatedAfterAKill() throws Exception {
        var over = new CountDownLatch(1);
        VerifyingReceiver.Script script = (request, number) -> {
            if (number == 1) {
                over.await();
            }
            return 200;
        };
        NotifierSettings longTimeout = NotifierTestKafka.settings(Map.of("deadline", "5s", "retries", ""));
        try (VerifyingReceiver receiver = VerifyingReceiver.open(NotifierTestKafka.SECRET, script)) {
            UUID report = UUID.randomUUID();
            String first = testKafka.deliver(report, 1, receiver.url("/hook"));
            String second = testKafka.deliver(report, 2, receiver.url("/hook"));
            Notifier notifier = testKafka.notifier(longTimeout);
            await().until(() -> testKafka.states().size() == 2);
            assertThat(receiver.ids()).containsExactly(first);
            notifier.abandon();
            try (Notifier _ = testKafka.notifier(longTimeout)) {
                await().until(() -> testKafka.attempts().size() == 2);
            }
            over.countDown();
            assertThat(receiver.ids()).containsExactly(first, first, second);
            assertThat(testKafka.states()).isEmpty();
        }
    }

    /** An account of three events in memory, and so an endpoint; the others wait in the source. */
    @Test
    void whatHasNoRoomInMemoryWaitsInKafkaAndKeepsItsOrder() throws Exception {
        var works = new AtomicBoolean();
        NotifierSettings few = NotifierTestKafka.settings(Map.of(
                "window", "3",
                "held-events", "12",
                "failures-to-open", "1000",
                "retries", "200ms,".repeat(200) + "200ms"));
        try (VerifyingReceiver receiver =
                VerifyingReceiver.open(NotifierTestKafka.SECRET, (request, number) -> works.get() ? 200 : 500)) {
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                UUID report = UUID.randomUUID();
                for (int sequence = 1; sequence <= 3; sequence++) {
                    sent.add(testKafka.deliver(report, sequence, receiver.url("/hook")));
                }
            }
            Notifier notifier = testKafka.notifier(few);
            await().until(() -> testKafka.states().stream().anyMatch(s -> s instanceof DeliveryState.Behind)
                    && testKafka.attempts().size() >= 6);
            notifier.abandon();
            assertThat(testKafka.states()).hasSizeLessThanOrEqualTo(1 + 3);
            works.set(true);
            try (Notifier _ = testKafka.notifier(few)) {
                await().until(() ->
                        delivered().containsAll(sent) && testKafka.states().isEmpty());
            }
            for (String id : sent) {
                String report = id.substring(0, id.indexOf('.') + 1);
                assertThat(receiver.ids().stream()
                                .filter(other -> other.startsWith(report))
                                .distinct())
                        .containsExactly(report + 1, report + 2, report + 3);
            }
        }
    }

    @Test
    void twoInstancesShareTheEndpointsAndOneTakesOverWhenTheOtherLeaves() throws Exception {
        List<VerifyingReceiver> inboxes = new ArrayList<>();
        Set<String> sent = new TreeSet<>();
        try {
            for (int i = 0; i < 9; i++) {
                inboxes.add(VerifyingReceiver.open(
                        NotifierTestKafka.SECRET, (request, number) -> number % 3 == 0 ? 500 : 200));
            }
            Notifier a = testKafka.notifier(NotifierTestKafka.SETTINGS, "a");
            sent.addAll(deliverToAll(inboxes, 10));
            Notifier b = testKafka.notifier(NotifierTestKafka.SETTINGS, "b");
            await().until(() -> {
                sent.addAll(deliverToAll(inboxes, 1));
                return testKafka.owners() == 2;
            });
            sent.addAll(deliverToAll(inboxes, 10));
            a.close();
            sent.addAll(deliverToAll(inboxes, 10));
            await().until(() -> ended().containsAll(sent) && testKafka.states().isEmpty());
            b.close();
            List<String> ends = testKafka.attempts().stream()
                    .filter(x -> x.outcome() != Outcome.FAILED)
                    .map(WebhookAttempt::eventId)
                    .toList();
            assertThat(ends).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(sent);
        } finally {
            inboxes.forEach(VerifyingReceiver::close);
        }
    }

    /**
     * A cooperative rebalance takes two steps, and the member that gives partitions up requests the second. If it dies
     * between the two, its restart with the same instance id keeps the reduced assignment and requests nothing.
     */
    @Test
    @Timeout(60)
    void aRestartBetweenTwoRebalancesLeavesNoPartitionToNobody() throws Exception {
        var death = new IllegalStateException("dies");
        Consumer<String, byte[]> dying = testKafka.member("a");
        dying.subscribe(List.of(Topics.DELIVERIES.name()), new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}

            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                throw death;
            }
        });
        while (dying.assignment().size() < NotifierTestKafka.PARTITIONS) {
            dying.poll(Duration.ofMillis(50));
        }
        try (Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS, "b")) {
            assertThatThrownBy(() -> {
                        while (true) {
                            dying.poll(Duration.ofMillis(50));
                        }
                    })
                    .hasRootCause(death);
            assertThatThrownBy(dying::close).hasRootCause(death);
            try (Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS, "a")) {
                await().until(() ->
                        testKafka.shares().stream().mapToInt(share -> share).sum() == NotifierTestKafka.PARTITIONS);
            }
        }
    }

    private Set<String> deliverToAll(List<VerifyingReceiver> inboxes, int each) {
        Set<String> ids = new TreeSet<>();
        for (int i = 0; i < each; i++) {
            inboxes.forEach(receiver -> ids.add(testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/hook"))));
        }
        return ids;
    }

    private Set<String> delivered() {
        return testKafka.attempts().stream()
                .filter(a -> a.outcome() == Outcome.DELIVERED)
                .map(WebhookAttempt::eventId)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> ended() {
        return testKafka.attempts().stream()
                .filter(a -> a.outcome() != Outcome.FAILED)
                .map(WebhookAttempt::eventId)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
