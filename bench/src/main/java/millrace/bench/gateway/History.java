package millrace.bench.gateway;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import millrace.bench.process.SingleGateway;
import millrace.contracts.Hashes;
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
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Writes what the processor and the notifier write about reports of one account that have ended. */
final class History {
    private static final String ACCOUNT = SingleGateway.ACCOUNT;
    private static final String HASH = "0".repeat(64);
    private static final ReportEvent.QuerySummary QUERY = new ReportEvent.QuerySummary(
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

    private final Producer<String, byte[]> producer;
    private long records;
    private long entries;

    History(Producer<String, byte[]> producer) {
        this.producer = producer;
    }

    long records() {
        return records;
    }

    /** @param activity whether the topics of the activity store have it, and not its status alone */
    void write(UUID id, Instant at, boolean activity) {
        var receipt = new ReportStatus.Receipt(
                208, 180, 28, "1 credit per result", List.of(id + ".1.reservation", id + ".1.settlement"));
        var accepted = new ReportStatus(
                ACCOUNT,
                id,
                "demographics",
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
        String hash = Hashes.sha256(id.toString());
        var file = new StoredFile(id + "/1/0-" + hash.substring(0, 8), 48_000, hash);
        ReportStatus started = accepted.started(1, at);
        ReportStatus complete = started.completed(
                new ReportStatus.Result(new ResultCounts(900, 1800, 0), 180, file, at.plus(Duration.ofDays(400))),
                at.plusMillis(120));
        put(Topics.REPORT_STATUS, Topics.reportKey(ACCOUNT, id), complete, complete.updatedAt());
        if (activity) {
            event(started);
            event(complete);
            for (LedgerEntry.Kind kind :
                    List.of(LedgerEntry.Kind.RESERVATION, LedgerEntry.Kind.SETTLEMENT, LedgerEntry.Kind.RELEASE)) {
                var entry = new LedgerEntry(
                        id + "." + kind,
                        ACCOUNT,
                        ++entries,
                        kind,
                        id,
                        60,
                        1_000_000,
                        0,
                        60,
                        999_940,
                        complete.updatedAt());
                put(Topics.CREDIT_LEDGER, ACCOUNT, entry, complete.updatedAt());
            }
            put(Topics.WEBHOOK_ATTEMPTS, ACCOUNT, attempt(complete), complete.updatedAt());
        }
    }

    private void event(ReportStatus report) {
        var event =
                new ReportEvent(report, QUERY, ReportEvent.Timings.between(report.submittedAt(), report.updatedAt()));
        put(Topics.REPORT_EVENTS, report.reportId().toString(), event, report.updatedAt());
    }

    private static WebhookAttempt attempt(ReportStatus report) {
        return new WebhookAttempt(
                report.reportId() + "." + report.sequence(),
                ACCOUNT,
                ACCOUNT + " https://receiver.example",
                "https://receiver.example/hook",
                report.reportId(),
                report.sequence(),
                1,
                WebhookAttempt.Outcome.DELIVERED,
                200,
                null,
                null,
                report.updatedAt(),
                5,
                Map.of("resolve", 1L, "connect", 1L, "headers", 3L),
                null,
                null,
                "ep_000000000000000000000000",
                null,
                null);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // close waits for all
    private <V> void put(Topic<V> topic, String key, V value, Instant at) {
        var record = new ProducerRecord<>(topic.name(), null, at.toEpochMilli(), key, topic.encode(value));
        if (value instanceof ReportStatus) {
            new RequestRecord(at, null).addTo(record.headers());
        }
        producer.send(record);
        records++;
    }
}
