package millrace.bench.gateway;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.KafkaMain;
import millrace.bench.process.TemporaryFolders;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.Granularity;
import millrace.contracts.topics.RequestRecord;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.activity.ActivityQueries;
import millrace.gateway.copy.activity.ActivityReader;
import millrace.gateway.copy.activity.ActivityStore;
import millrace.gateway.copy.activity.KeptDays;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long a gateway's activity store takes to be built from the topics, its size, and what
 * questions take then. Reports of 200 accounts over 30 days, seven records each.
 */
public final class ActivityBench {
    private static final int ACCOUNTS = 200;
    private static final int DAYS = 29;
    private static final String HASH = "0".repeat(64);

    private ActivityBench() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options =
                BenchOptions.parse(arguments, "--reports 100000 --questions 2000", "--reports 5000 --questions 100");
        int reports = options.number("reports");
        Path folder = Files.createTempDirectory("millrace-bench");
        try (ChildProcess kafka = KafkaMain.start(folder.resolve("kafka"))) {
            var settings = KafkaSettings.local(KafkaMain.servers(kafka), 6, "activity-bench");
            long records = fill(settings.bootstrapServers(), reports);
            read("built", folder, settings, records, store -> {
                System.out.printf(
                        Locale.ROOT,
                        "  %,d bytes of files, %d for each report%n",
                        store.bytes(),
                        store.bytes() / reports);
                ask(store, options.number("questions"));
            });
            read("opened again", folder, settings, records, store -> {});
        } finally {
            TemporaryFolders.delete(folder);
        }
    }

    @SuppressWarnings("SystemOut")
    private static void read(
            String what, Path folder, KafkaSettings settings, long records, Consumer<ActivityStore> then) {
        long start = System.nanoTime();
        try (ActivityStore store = ActivityStore.in(folder.resolve("activity"), Clock.systemUTC());
                var reader = new ActivityReader(settings, store)) {
            reader.start();
            while (store.unavailable().isPresent()) {
                LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "%s: %,d records in %.1f s, %,.0f a second%n",
                    what,
                    records,
                    seconds,
                    records / seconds);
            then.accept(store);
        }
    }

    private static void ask(ActivityStore store, int questions) {
        int today = KeptDays.day(Instant.now());
        time(
                "100 ledger entries",
                questions,
                n -> store.ask(q -> q.entries(account(n), Instant.MIN, Instant.MAX, null, 100)
                        .size()));
        time(
                "usage of 30 days",
                questions,
                n -> store.ask(q -> q.usage(account(n), today - DAYS, today).size()));
        time(
                "usage of 400 days",
                questions,
                n -> store.ask(q -> q.usage(account(n), today - 399, today).size()));
        time(
                "statistics of 30 days",
                questions,
                n -> store.ask(
                        q -> q.statistics(account(n), today - DAYS, today).size()));
        time("timeline", questions, n -> store.ask(q -> timeline(q, n)));
    }

    private static int timeline(ActivityQueries queries, int number) {
        return queries.timeline(account(number), id(number)).size();
    }

    private interface Question {
        Object ask(int number);
    }

    @SuppressWarnings("SystemOut")
    private static void time(String what, int questions, Question question) {
        for (int number = 0; number < questions; number++) {
            Object unused = question.ask(number);
        }
        long start = System.nanoTime();
        for (int number = 0; number < questions; number++) {
            Object unused = question.ask(number);
        }
        System.out.printf(Locale.ROOT, "  %s: %,d µs%n", what, (System.nanoTime() - start) / 1_000 / questions);
    }

    private static long fill(String servers, int reports) {
        Instant begin = Instant.now().minus(Duration.ofDays(DAYS));
        Duration between = Duration.ofDays(DAYS).dividedBy(reports);
        var sequences = new long[ACCOUNTS];
        try (var producer = KafkaMain.producer(servers, 20, 1 << 18)) {
            var sent = new Sent(producer);
            for (int number = 0; number < reports; number++) {
                Instant at = begin.plus(between.multipliedBy(number));
                report(sent, number, at, sequences);
            }
            return sent.count;
        }
    }

    private static final class Sent {
        private final KafkaProducer<String, byte[]> producer;
        private long count;

        Sent(KafkaProducer<String, byte[]> producer) {
            this.producer = producer;
        }

        @SuppressWarnings("FutureReturnValueIgnored") // close waits for all
        <V> void put(Topic<V> topic, String key, V value, Instant at) {
            var record = new ProducerRecord<>(topic.name(), null, at.toEpochMilli(), key, topic.encode(value));
            if (value instanceof ReportStatus) {
                new RequestRecord(at, null).addTo(record.headers());
            }
            producer.send(record);
            count++;
        }
    }

    private static void report(Sent out, int number, Instant at, long[] sequences) {
        UUID id = id(number);
        String account = account(number);
        var receipt = new ReportStatus.Receipt(
                208, 180, 28, "1 credit per result", List.of(id + ".1.reservation", id + ".1.settlement"));
        var accepted = new ReportStatus(
                account,
                id,
                number % 3 == 0 ? "keywords" : "demographics",
                Status.PROCESSING,
                ApiDialect.V3,
                0,
                0,
                at,
                at,
                208,
                ReportStatus.Progress.QUEUED,
                null,
                null,
                receipt);
        var file = new StoredFile(id + "/1/0-0", 48_000, HASH);
        ReportStatus started = accepted.started(1, at);
        ReportStatus complete = started.completed(
                new ReportStatus.Result(new ResultCounts(900, 1800, 0), 180, file, at.plus(Duration.ofDays(400))),
                at.plusMillis(120 + number % 1000));
        event(out, started);
        event(out, complete);
        out.put(Topics.REPORT_STATUS, Topics.reportKey(account, id), complete, complete.updatedAt());
        List<LedgerEntry.Kind> kinds = new ArrayList<>(
                List.of(LedgerEntry.Kind.RESERVATION, LedgerEntry.Kind.SETTLEMENT, LedgerEntry.Kind.RELEASE));
        for (LedgerEntry.Kind kind : kinds) {
            long sequence = ++sequences[number % ACCOUNTS];
            var entry = new LedgerEntry(
                    id + "." + kind, account, sequence, kind, id, 60, 1_000_000, 0, 60, 999_940, complete.updatedAt());
            out.put(Topics.CREDIT_LEDGER, account, entry, complete.updatedAt());
        }
        out.put(Topics.WEBHOOK_ATTEMPTS, account, attempt(complete), complete.updatedAt());
    }

    private static void event(Sent out, ReportStatus report) {
        var query = new ReportEvent.QuerySummary(
                5,
                List.of("a.example", "b.example", "c.example", "d.example", "e.example"),
                HASH,
                List.of("US", "GB", "WW"),
                List.of("demographics_share", "demographics_bounce_rate"),
                Granularity.MONTHLY,
                LocalDate.EPOCH,
                LocalDate.EPOCH,
                Map.of(),
                false,
                null,
                null,
                "csv",
                "none",
                null);
        var event =
                new ReportEvent(report, query, ReportEvent.Timings.between(report.submittedAt(), report.updatedAt()));
        out.put(Topics.REPORT_EVENTS, report.reportId().toString(), event, report.updatedAt());
    }

    private static WebhookAttempt attempt(ReportStatus report) {
        @Nullable String none = null;
        return new WebhookAttempt(
                report.reportId() + "." + report.sequence(),
                report.accountId(),
                report.accountId() + " https://receiver.example",
                "https://receiver.example/hook",
                report.reportId(),
                report.sequence(),
                1,
                WebhookAttempt.Outcome.DELIVERED,
                200,
                none,
                none,
                report.updatedAt(),
                5,
                Map.of("resolve", 1L, "connect", 1L, "headers", 3L),
                null,
                null,
                "ep_000000000000000000000000");
    }

    private static String account(int number) {
        return "account-" + number % ACCOUNTS;
    }

    private static UUID id(int number) {
        return UUID.nameUUIDFromBytes(("report-" + number).getBytes(StandardCharsets.UTF_8));
    }
}
