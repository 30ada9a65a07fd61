package millrace.e2e.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookAttempt.Outcome;
import millrace.contracts.delivery.WebhookDeadLetter;
import millrace.contracts.topics.Topics;
import millrace.e2e.client.CommittedTopicReader;
import millrace.e2e.client.WebhookReceiver;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MillraceProcess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Receivers with every kind of fault, and the recorded attempts of the running system. */
@Tag("thorough") // hostile receivers for a minute and a half
class WebhookFaultsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int ATTEMPTS = 3;

    @TempDir
    static Path data;

    private static MillraceProcess millrace;
    private static BatchApiClient api;
    private static int reports;

    @BeforeAll
    static void start() throws Exception {
        DemoDataFolder.create(data);
        millrace = started();
        api = BatchApiClient.of(millrace, millrace.batchKey());
    }

    @AfterAll
    static void stop() {
        millrace.close();
    }

    /**
     * @param httpStatus of the attempts, or null
     * @param error pattern of their error
     * @param lastPhase last phase that an attempt reached
     */
    private record Fault(
            FaultyReceiver.Behaviour behaviour, @Nullable Integer httpStatus, String error, String lastPhase) {}

    private static Map<String, Fault> faults(String elsewhere) {
        String late =
                "No complete answer within 5000 ms; the time ended while waiting for the status line and headers.";
        Map<String, Fault> faults = new LinkedHashMap<>();
        faults.put("late", new Fault(FaultyReceiver.late(6_000), null, late, "headers"));
        faults.put("drips", new Fault(FaultyReceiver.drip(400), null, late, "headers"));
        faults.put(
                "redirects",
                new Fault(
                        FaultyReceiver.status(302, "location: " + elsewhere),
                        302,
                        "The receiver answered 302, which is not followed.",
                        "headers"));
        faults.put("fails", new Fault(FaultyReceiver.status(500), 500, "The receiver answered 500.", "headers"));
        faults.put("closes", new Fault(FaultyReceiver.silence(), null, "Failed while .*", "headers"));
        return faults;
    }

    @Test
    void faultyReceiversGetEveryAttemptAndDisturbNobody() throws Exception {
        try (var healthy = WebhookReceiver.start();
                var elsewhere = WebhookReceiver.start()) {
            Map<String, Fault> faults = faults(elsewhere.url());
            Map<String, FaultyReceiver> receivers = new LinkedHashMap<>();
            Map<String, String> faulty = new LinkedHashMap<>();
            for (var fault : faults.entrySet()) {
                receivers.put(
                        fault.getKey(), FaultyReceiver.start(fault.getValue().behaviour()));
                faulty.put(fault.getKey(), submit(at(receivers, fault.getKey()).url()));
            }
            List<String> fine = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                fine.add(submit(healthy.url()));
            }
            await().atMost(TIMEOUT)
                    .until(() -> fine.stream().allMatch(r -> healthy.of(r).size() == 2));
            assertThat(deadLetters(at(faulty, "late"))).isEmpty();
            await().atMost(TIMEOUT).until(() -> faulty.values().stream()
                    .allMatch(r -> deadLetters(r).size() == 2));
            for (var fault : faults.entrySet()) {
                String report = at(faulty, fault.getKey());
                check(fault.getKey(), fault.getValue(), report);
                assertThat(at(receivers, fault.getKey()).ids())
                        .filteredOn(id -> id.startsWith(report))
                        .hasSize(2 * ATTEMPTS);
                assertThat(api.ended(report).text("status")).isEqualTo("complete");
            }
            for (String report : fine) {
                assertThat(attempts(report))
                        .hasSize(2)
                        .allMatch(a -> a.attempt() == 1 && a.outcome() == Outcome.DELIVERED);
            }
            assertThat(elsewhere.received()).isEmpty();
            for (FaultyReceiver receiver : receivers.values()) {
                receiver.close();
            }
        }
    }

    private static void check(String name, Fault fault, String report) {
        for (int sequence = 1; sequence <= 2; sequence++) {
            String event = report + "." + sequence;
            List<WebhookAttempt> attempts = attempts(report).stream()
                    .filter(a -> a.eventId().equals(event))
                    .toList();
            assertThat(attempts)
                    .as(name)
                    .extracting(WebhookAttempt::outcome)
                    .containsExactly(Outcome.FAILED, Outcome.FAILED, Outcome.GIVEN_UP);
            assertThat(attempts).as(name).allSatisfy(a -> {
                assertThat(a.httpStatus()).isEqualTo(fault.httpStatus());
                assertThat(a.error()).matches(fault.error());
                assertThat(a.phaseMillis()).containsKeys("connect", "send", fault.lastPhase());
                assertThat(a.durationMillis()).isLessThan(6_000);
            });
            for (int i = 1; i < ATTEMPTS; i++) {
                assertThat(attempts.get(i).startedAt())
                        .isAfterOrEqualTo(attempts.get(i - 1).nextAttemptAt());
            }
        }
        assertThat(deadLetters(report))
                .allMatch(letter ->
                        letter.attempts() == ATTEMPTS && letter.reason().matches(fault.error()));
    }

    @Test
    void goneStopsTheUrlAcrossARestartUntilATestSucceeds() throws Exception {
        try (var receiver = FaultyReceiver.start(FaultyReceiver.status(410))) {
            String first = submit(receiver.url());
            await().atMost(TIMEOUT).until(() -> deadLetters(first).size() == 2);
            assertThat(attempts(first)).allMatch(a -> a.outcome() == Outcome.GONE && a.attempt() == 1);
            receiver.behave(FaultyReceiver.status(200));
            restart();
            String second = submit(receiver.url());
            await().atMost(TIMEOUT).until(() -> deadLetters(second).size() == 2);
            assertThat(receiver.ids()).noneMatch(id -> id.startsWith(second));

            BatchApiClient.Answer test =
                    api.post("/v3/batch/webhooks/test", "{\"webhook_url\":\"" + receiver.url() + "\"}");
            assertThat(test.code()).as(test.body().toString()).isEqualTo(200);
            String third = submit(receiver.url());
            await().atMost(TIMEOUT).until(() -> attempts(third).size() == 2);
            assertThat(attempts(third)).allMatch(a -> a.outcome() == Outcome.DELIVERED);
        }
    }

    @Test
    void waitsAsLongAsToldAlsoAcrossARestart() throws Exception {
        try (var receiver = FaultyReceiver.start(FaultyReceiver.status(429, "retry-after: 12"))) {
            String report = submit(receiver.url());
            await().atMost(TIMEOUT).until(() -> !attempts(report).isEmpty());
            receiver.behave(FaultyReceiver.status(204));
            restart();
            await().atMost(TIMEOUT)
                    .until(() -> attempts(report).stream()
                                    .filter(a -> a.outcome() == Outcome.DELIVERED)
                                    .count()
                            == 2);
            // Both events may have been on their way when the first answer came.
            Map<Outcome, List<WebhookAttempt>> attempts =
                    attempts(report).stream().collect(Collectors.groupingBy(WebhookAttempt::outcome));
            List<WebhookAttempt> refused = Objects.requireNonNull(attempts.remove(Outcome.FAILED));
            assertThat(refused).allSatisfy(a -> {
                assertThat(a.attempt()).isEqualTo(1);
                assertThat(a.httpStatus()).isEqualTo(429);
                assertThat(waited(a.startedAt(), Objects.requireNonNull(a.nextAttemptAt())))
                        .isGreaterThanOrEqualTo(Duration.ofMillis(11_900));
            });
            assertThat(attempts).containsOnlyKeys(Outcome.DELIVERED);
            assertThat(attempts.get(Outcome.DELIVERED)).allSatisfy(a -> assertThat(a.startedAt())
                    .isAfterOrEqualTo(refused.getFirst().nextAttemptAt()));
        }
    }

    private static Duration waited(Instant from, Instant to) {
        return Duration.between(from, to);
    }

    private static void restart() throws Exception {
        millrace.kill();
        millrace = started();
        api = BatchApiClient.of(millrace, millrace.batchKey());
    }

    private static MillraceProcess started() throws Exception {
        return MillraceProcess.start(data, DemoDataFolder.arguments("--notifier.retries=300ms,600ms"));
    }

    private static String submit(String webhookUrl) {
        return api.submit("demographics", DemoRequests.with(DemoRequests.small(reports++), webhookUrl));
    }

    /** The attempts of a report, in the order in which they began. */
    private static List<WebhookAttempt> attempts(String report) {
        return CommittedTopicReader.read(millrace.bootstrapServers(), Topics.WEBHOOK_ATTEMPTS).stream()
                .filter(a -> a.reportId().toString().equals(report))
                .sorted(Comparator.comparing(WebhookAttempt::startedAt))
                .toList();
    }

    private static List<WebhookDeadLetter> deadLetters(String report) {
        return CommittedTopicReader.read(millrace.bootstrapServers(), Topics.WEBHOOK_DEAD_LETTERS).stream()
                .filter(letter -> letter.reportId().toString().equals(report))
                .toList();
    }

    private static <V> V at(Map<String, V> map, String key) {
        return Objects.requireNonNull(map.get(key));
    }
}
