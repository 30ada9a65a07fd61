package millrace.contracts.topics;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookDeadLetter;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.requests.DataVersionAvailable;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The CloudEvents 1.0 attributes of a record of a public topic, in Kafka's binary mode. Everything
 * but the trace is derived from the message, so a record that is written again has the same id.
 *
 * @param id stable across redelivery
 * @param source {@code /millrace/<topic>}; ids are unique within it
 * @param type {@code millrace.<topic>.<event>.v1}
 * @param subject the report, the account or the dataset
 * @param traceparent W3C trace context of the request that caused the event, else {@link #ownTrace}
 */
public record CloudEvent(String id, String source, String type, String subject, Instant time, String traceparent) {
    /** The header with the W3C trace context, which other records have too. */
    public static final String TRACEPARENT = "traceparent";

    private static final String TYPE = "ce_type";
    private static final String ERASED = "erased";

    /**
     * Event: the status. Id: {@code {report}.{sequence}}, which the webhook of the same change
     * carries too.
     */
    public static CloudEvent of(ReportEvent event, @Nullable String traceparent) {
        ReportStatus report = event.report();
        return of(
                Topics.REPORT_EVENTS,
                report.status().word(),
                report.reportId() + "." + report.sequence(),
                report.reportId().toString(),
                event.timings().occurredAt(),
                traceparent);
    }

    /**
     * Event: {@code changed}. The id contains the progress, which changes without a new sequence.
     */
    public static CloudEvent of(ReportStatus report, @Nullable String traceparent) {
        ReportStatus.Progress progress = report.progress();
        String suffix = progress == null ? "" : "." + word(progress.phase()) + "." + progress.fraction();
        return of(
                Topics.REPORT_STATUS,
                "changed",
                report.reportId() + "." + report.sequence() + suffix,
                report.reportId().toString(),
                report.updatedAt(),
                traceparent);
    }

    /** Event: {@code forgotten}, for the tombstone of a report. */
    public static CloudEvent forgotten(UUID reportId, Instant time) {
        return of(Topics.REPORT_STATUS, "forgotten", reportId + ".forgotten", reportId.toString(), time, null);
    }

    /** Event: {@code erased}, for the tombstone of a report that its account has erased. */
    public static CloudEvent erased(UUID reportId, Instant time) {
        return of(Topics.REPORT_STATUS, ERASED, reportId + "." + ERASED, reportId.toString(), time, null);
    }

    /** Whether these are the headers of {@link #erased}. */
    public static boolean isErased(Headers headers) {
        Header type = headers.lastHeader(TYPE);
        return type != null
                && new String(type.value(), StandardCharsets.UTF_8).equals(type(Topics.REPORT_STATUS, ERASED));
    }

    /**
     * Event: the entry's kind. Id: {@code {account}.{sequence}}. The subject is the report, or else
     * the account.
     */
    public static CloudEvent of(LedgerEntry entry, @Nullable String traceparent) {
        UUID report = entry.reportId();
        return of(
                Topics.CREDIT_LEDGER,
                word(entry.kind()),
                entry.accountId() + "." + entry.sequence(),
                report == null ? entry.accountId() : report.toString(),
                entry.occurredAt(),
                traceparent);
    }

    /** Event: the action. Id: {@code {account}.{revision}}. */
    public static CloudEvent of(AccountAudit audit, @Nullable String traceparent) {
        return of(
                Topics.ACCOUNT_AUDIT,
                audit.action().word(),
                audit.accountId() + "." + audit.revision(),
                audit.accountId(),
                audit.occurredAt(),
                traceparent);
    }

    /**
     * Event: the outcome. Id: {@code {event}.{attempt}}; an attempt that is repeated after a crash
     * repeats it.
     */
    public static CloudEvent of(WebhookAttempt attempt, @Nullable String traceparent) {
        return of(
                Topics.WEBHOOK_ATTEMPTS,
                word(attempt.outcome()),
                attempt.eventId() + "." + attempt.attempt(),
                attempt.reportId().toString(),
                attempt.startedAt(),
                traceparent);
    }

    /** Event: {@code given_up}. Id: that of the undelivered event. */
    public static CloudEvent of(WebhookDeadLetter letter, @Nullable String traceparent) {
        return of(
                Topics.WEBHOOK_DEAD_LETTERS,
                "given_up",
                letter.eventId(),
                letter.reportId().toString(),
                letter.givenUpAt(),
                traceparent);
    }

    /** Event: the kind of change. Id: {@code {dataset}.{sequence}}. The subject is the dataset. */
    public static CloudEvent of(DataVersionAvailable available, @Nullable String traceparent) {
        return of(
                Topics.DATASET_VERSIONS,
                word(available.change()),
                available.dataset() + "." + available.sequence(),
                available.dataset(),
                available.occurredAt(),
                traceparent);
    }

    private static CloudEvent of(
            Topic<?> topic, String event, String id, String subject, Instant time, @Nullable String traceparent) {
        String type = type(topic, event);
        return new CloudEvent(
                id,
                "/millrace/" + topic.name(),
                type,
                subject,
                time,
                traceparent == null ? ownTrace(type, id) : traceparent);
    }

    private static String type(Topic<?> topic, String event) {
        return "millrace." + topic.name() + "." + event + ".v1";
    }

    /**
     * The trace of an event without a request, such as a grant or an opening. It is the same each
     * time the event is written.
     */
    private static String ownTrace(String type, String id) {
        String hash = Hashes.sha256(type + " " + id);
        return "00-" + hash.substring(0, 32) + "-" + hash.substring(32, 48) + "-00";
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    public Headers headers() {
        var headers = new RecordHeaders();
        add(headers, "ce_specversion", "1.0");
        add(headers, "ce_id", id);
        add(headers, TYPE, type);
        add(headers, "ce_source", source);
        add(headers, "ce_subject", subject);
        add(headers, "ce_time", Json.format(time));
        add(headers, "content-type", "application/json");
        add(headers, TRACEPARENT, traceparent);
        return headers;
    }

    private static void add(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
