package millrace.gateway.copy.activity;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.reports.SampleRecords;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** What the processor and the notifier write about two accounts, drawn from a seed, and what follows from it. */
final class SampleHistory {
    static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    static final KeptDays KEPT = KeptDays.at(NOW);
    static final int PARTITIONS = 3;
    static final List<String> ACCOUNTS = List.of("acme", "ac");
    private static final List<String> DATASETS = List.of("demographics", "keywords", "site_keywords");
    private static final List<String> TEAMS = List.of("seo", "seo ads", "s");
    private static final String HASH = "0".repeat(64);
    private static final long GRANT = 1_000;

    final Map<TopicPartition, List<ConsumerRecord<String, byte[]>>> topics = new HashMap<>();
    final List<ReportStatus> reports = new ArrayList<>();
    /** By account: day and dataset, as {@code 20779 keywords}. */
    final Map<String, Map<String, UsedCredits>> usage = new HashMap<>();
    /** By account: day, dataset and value of the tag {@code team}. */
    final Map<String, Map<String, UsedCredits>> tagged = new HashMap<>();
    /** By account: day and dataset; complete, failed, cancelled, rows and credits. */
    final Map<String, Map<String, List<Long>>> ended = new HashMap<>();
    /** By account: the lengths of complete attempts. */
    final Map<String, List<Long>> durations = new HashMap<>();

    private final Random random;
    private final Map<String, LedgerEntry> balances = new HashMap<>();
    private final Map<UUID, Instant> attemptStarts = new HashMap<>();
    private Instant at;
    private int versions;
    /** Ends of partitions whose records are all too old. */
    private final Map<TopicPartition, Long> expired = new HashMap<>();
    /** The leader epoch of all partitions. */
    int epoch = 4;

    /** @param days how long ago it began */
    SampleHistory(long seed, int steps, int days) {
        random = new Random(seed);
        at = KeptDays.start(KEPT.today() - days + 1);
        for (Topic<?> topic : topics()) {
            for (int number = 0; number < PARTITIONS; number++) {
                topics.put(new TopicPartition(topic.name(), number), new ArrayList<>());
            }
        }
        for (String account : ACCOUNTS) {
            usage.put(account, new TreeMap<>());
            tagged.put(account, new TreeMap<>());
            ended.put(account, new TreeMap<>());
            durations.put(account, new ArrayList<>());
            grant(account);
        }
        long between = Duration.between(at, NOW).toMillis() / (steps + 1);
        for (int step = 0; step < steps; step++) {
            at = at.plusMillis(1 + random.nextLong(between));
            step();
        }
    }

    static List<Topic<?>> topics() {
        List<Topic<?>> all = new ArrayList<>(Positions.TOPICS);
        all.add(Topics.REPORT_STATUS);
        return all;
    }

    private void step() {
        List<ReportStatus> open =
                reports.stream().filter(r -> r.status() == Status.PROCESSING).toList();
        List<ReportStatus> failed = reports.stream()
                .filter(r -> r.status() == Status.INTERNAL_ERROR && r.attempt() < 4)
                .toList();
        int chance = random.nextInt(10);
        if (chance < 4 || open.isEmpty()) {
            request();
        } else if (chance < 7) {
            complete(any(open));
        } else if (chance < 9) {
            fail(any(open));
        } else if (failed.isEmpty()) {
            grant(any(ACCOUNTS));
        } else {
            start(any(failed));
        }
    }

    private void request() {
        String account = any(ACCOUNTS);
        var receipt = new ReportStatus.Receipt(0, 0, 0, "1 credit per result", List.of());
        start(new ReportStatus(
                account,
                new UUID(random.nextLong(), random.nextLong()),
                any(DATASETS),
                Status.PROCESSING,
                ApiDialect.V3,
                0,
                0,
                at,
                at,
                8,
                ReportStatus.Progress.QUEUED,
                null,
                null,
                receipt,
                null,
                null,
                random.nextBoolean() ? null : Map.of("team", any(TEAMS), "job", "nightly"),
                null,
                null,
                null,
                null));
    }

    private void start(ReportStatus report) {
        ReportStatus started = report.started(report.attempt() + 1, at);
        attemptStarts.put(report.reportId(), started.attempt() == 1 ? started.submittedAt() : at);
        changed(started);
        enter(report.accountId(), LedgerEntry.Kind.RESERVATION, report.reportId(), random.nextLong(60));
    }

    private void complete(ReportStatus report) {
        long price = random.nextLong(60);
        long rows = random.nextLong(1_000);
        var result = new ReportStatus.Result(
                new ResultCounts(rows, price, 0), price, new StoredFile("file", 1, HASH), NOW.plusSeconds(1));
        enter(report.accountId(), LedgerEntry.Kind.SETTLEMENT, report.reportId(), price);
        count(report, List.of(1L, 0L, 0L, rows, price));
        Instant started = Objects.requireNonNull(attemptStarts.get(report.reportId()));
        of(durations, report.accountId()).add(Duration.between(started, at).toMillis());
        of(usage, report.accountId()).merge(key(report), new UsedCredits(price, 1), UsedCredits::plus);
        if (report.tags() != null) {
            String team = key(report) + " " + report.tags().get("team");
            of(tagged, report.accountId()).merge(team, new UsedCredits(price, 1), UsedCredits::plus);
        }
        changed(report.completed(result, at));
    }

    private void fail(ReportStatus report) {
        ErrorCode code = random.nextBoolean() ? ErrorCode.CANCELLED : ErrorCode.RENDER_FAILED;
        enter(report.accountId(), LedgerEntry.Kind.RELEASE, report.reportId(), random.nextLong(60));
        count(report, code == ErrorCode.CANCELLED ? List.of(0L, 0L, 1L, 0L, 0L) : List.of(0L, 1L, 0L, 0L, 0L));
        changed(report.failed(
                report.attempt(), new ReportStatus.Failure(code, "it did not work out", code.retryable()), at));
    }

    private void count(ReportStatus report, List<Long> more) {
        of(ended, report.accountId()).merge(key(report), more, (one, other) -> {
            List<Long> sum = new ArrayList<>();
            for (int i = 0; i < one.size(); i++) {
                sum.add(one.get(i) + other.get(i));
            }
            return sum;
        });
    }

    private String key(ReportStatus report) {
        return KeptDays.day(at) + " " + report.dataset();
    }

    private void changed(ReportStatus report) {
        reports.removeIf(r -> r.reportId().equals(report.reportId()));
        reports.add(report);
        ReportEvent event =
                ReportEvent.of(report, SampleRecords.wanted("a.example").query());
        put(Topics.REPORT_EVENTS, report.reportId().toString(), event);
        put(Topics.REPORT_STATUS, Topics.reportKey(report.accountId(), report.reportId()), report);
        if (random.nextInt(3) == 0) {
            attempt(report);
        }
    }

    private void attempt(ReportStatus report) {
        String endpoint = report.accountId() + " https://receiver-" + random.nextInt(5) + ".example";
        var attempt = new WebhookAttempt(
                report.reportId() + "." + report.sequence(),
                report.accountId(),
                endpoint,
                "https://receiver.example/hook",
                report.reportId(),
                report.sequence(),
                1,
                WebhookAttempt.Outcome.DELIVERED,
                200,
                null,
                null,
                at,
                5,
                Map.of(),
                null,
                null,
                null,
                null,
                null);
        put(Topics.WEBHOOK_ATTEMPTS, endpoint, attempt);
    }

    private void grant(String account) {
        enter(account, LedgerEntry.Kind.GRANT, null, GRANT);
        version(any(DATASETS));
    }

    private void version(String dataset) {
        versions++;
        var available = new DataVersionAvailable(
                dataset,
                versions,
                "v" + versions,
                DataVersionAvailable.Change.PUBLISHED,
                null,
                null,
                100,
                10,
                Map.of(),
                null,
                at);
        put(Topics.DATASET_VERSIONS, dataset, available);
    }

    /** The balance is only as right as is needed: it never falls below 0. */
    private void enter(String account, LedgerEntry.Kind kind, @Nullable UUID report, long amount) {
        LedgerEntry last = balances.get(account);
        long sequence = last == null ? 1 : last.sequence() + 1;
        long remaining = last == null ? 0 : last.remaining();
        long moved = kind == LedgerEntry.Kind.RESERVATION ? Math.min(amount, remaining) : amount;
        long left =
                switch (kind) {
                    case GRANT, RELEASE -> remaining + moved;
                    case RESERVATION, EXPIRY -> remaining - moved;
                    case OPENING, SETTLEMENT -> remaining;
                };
        var entry = new LedgerEntry(
                account + "." + sequence, account, sequence, kind, report, moved, GRANT, 0, 0, left, at);
        balances.put(account, entry);
        put(Topics.CREDIT_LEDGER, account, entry);
    }

    private <V> void put(Topic<V> topic, String key, V value) {
        var partition = new TopicPartition(topic.name(), Topic.partition(key, PARTITIONS));
        List<ConsumerRecord<String, byte[]>> records = topics.computeIfAbsent(partition, p -> new ArrayList<>());
        // The end of a transaction takes an offset, too.
        long offset = records.isEmpty() ? 0 : records.getLast().offset() + 1 + random.nextInt(2);
        byte[] bytes = topic.encode(value);
        records.add(new ConsumerRecord<>(
                topic.name(),
                partition.partition(),
                offset,
                at.toEpochMilli(),
                TimestampType.CREATE_TIME,
                key.length(),
                bytes.length,
                key,
                bytes,
                new RecordHeaders(),
                Optional.of(epoch)));
    }

    /** Kafka deletes events after 30 days, and all but the newest status of a report. */
    SampleHistory retained() {
        topics.forEach((partition, records) -> {
            if (partition.topic().equals(Topics.REPORT_STATUS.name())) {
                Set<String> newer = new HashSet<>();
                for (ConsumerRecord<String, byte[]> record :
                        records.reversed().stream().toList()) {
                    if (!newer.add(record.key())) {
                        records.remove(record);
                    }
                }
            } else if (!partition.topic().equals(Topics.CREDIT_LEDGER.name())
                    && !partition.topic().equals(Topics.DATASET_VERSIONS.name())) {
                records.removeIf(r -> KeptDays.day(Instant.ofEpochMilli(r.timestamp())) < KEPT.firstOfEvents());
            }
        });
        return this;
    }

    Map<TopicPartition, Integer> epochs() {
        return topics.keySet().stream().collect(Collectors.toMap(partition -> partition, partition -> epoch));
    }

    /** Kafka has deleted all records of the partition. */
    void expire(TopicPartition partition) {
        expired.put(partition, ends().getOrDefault(partition, 0L));
        topics.put(partition, new ArrayList<>());
    }

    Map<TopicPartition, Long> first() {
        return topics.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        e -> e.getValue().isEmpty()
                                ? expired.getOrDefault(e.getKey(), 0L)
                                : e.getValue().getFirst().offset()));
    }

    /** With the end of a last transaction. */
    Map<TopicPartition, Long> ends() {
        return topics.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        e -> e.getValue().isEmpty()
                                ? expired.getOrDefault(e.getKey(), 0L)
                                : e.getValue().getLast().offset() + 2));
    }

    static <V> V of(Map<String, V> map, String account) {
        return Objects.requireNonNull(map.get(account));
    }

    private <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }
}
