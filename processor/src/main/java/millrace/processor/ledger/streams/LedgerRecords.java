package millrace.processor.ledger.streams;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import millrace.contracts.Json;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.commands.FileDeletion;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.StatusResponse;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.topics.CloudEvent;
import millrace.contracts.topics.RequestRecord;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.decide.Balance;
import millrace.processor.ledger.decide.Fact;
import millrace.processor.ledger.decide.LedgerReport;
import millrace.processor.ledger.decide.PendingChanges;
import millrace.processor.ledger.decide.PendingChanges.RecordedFact;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Converts facts to the encoded records that other services read. */
public final class LedgerRecords {
    /** Largest value of a record; its headers and batch must fit into {@link Topic#MAX_MESSAGE_BYTES} too. */
    private static final int MOST_BYTES = Topic.MAX_MESSAGE_BYTES - 16 * 1024;

    private final BiFunction<ReportStatus, StoredFile, @Nullable String> fileUrl;

    /** @param fileUrl returns the absolute URL of a file of a complete report, or null */
    public LedgerRecords(BiFunction<ReportStatus, StoredFile, @Nullable String> fileUrl) {
        this.fileUrl = fileUrl;
    }

    /** The body of a webhook. */
    record Notification(String eventType, StatusResponse payload) {}

    List<OutgoingRecord> records(PendingChanges changes) {
        List<OutgoingRecord> out = new ArrayList<>();
        changes.steps().forEach(step -> tell(changes, step, out));
        AccountState state = changes.account().state();
        if (!state.equals(changes.accountBefore().state())) {
            out.add(internal(Topics.ACCOUNT_STATE, state.accountId(), state, changes.now()));
        }
        return out;
    }

    private void tell(PendingChanges changes, RecordedFact step, List<OutgoingRecord> out) {
        switch (step.fact()) {
            case Fact.Entered entered -> out.add(entry(changes.now(), step, entered));
            case Fact.Accepted accepted ->
                out.add(internal(
                        Topics.REPORT_REQUESTS,
                        Topics.reportKey(step.account().id(), accepted.request().reportId()),
                        accepted.request(),
                        changes.now()));
            case Fact.Dispatched dispatched -> {
                Topic<RenderTask> topic =
                        switch (dispatched.lane()) {
                            case SMALL -> Topics.SMALL_REPORTS;
                            case LARGE -> Topics.SLICES;
                        };
                out.add(new OutgoingRecord(
                        topic.name(),
                        new Record<>(
                                dispatched.task().key(),
                                encode(topic, dispatched.task()),
                                changes.now().toEpochMilli(),
                                traced(known(step))),
                        dispatched.task()));
            }
            case Fact.Started f -> changed(changes, known(step), out);
            case Fact.Completed f -> changed(changes, known(step), out);
            case Fact.Failed f -> changed(changes, known(step), out);
            case Fact.Progressed f -> out.add(status(known(step)));
            case Fact.Unneeded unneeded -> unneeded(changes, unneeded, out);
            case Fact.Erased erased -> {
                UUID id = erased.reportId();
                forget(changes, id, CloudEvent.erased(id, changes.now()), out);
                String account = changes.account().id();
                var note = new DeliveryCommand.EraseReport(account, id, changes.now());
                out.add(internal(Topics.DELIVERIES, note.endpoint(), note, changes.now()));
            }
            case Fact.Forgotten forgotten -> {
                UUID id = forgotten.reportId();
                forget(changes, id, CloudEvent.forgotten(id, changes.now()), out);
            }
            case Fact.Granted f -> {}
            case Fact.Claimed f -> {}
            case Fact.Quoted f -> {}
            case Fact.Queued f -> {}
            case Fact.Called f -> {}
            case Fact.Renewed f -> {}
            case Fact.Answered f -> {}
            case Fact.Joined f -> {}
        }
    }

    private void changed(PendingChanges changes, LedgerReport report, List<OutgoingRecord> out) {
        ReportStatus status = report.status();
        ReportEvent event = ReportEvent.of(
                status, changes.request(status.reportId()).request().query());
        out.add(open(
                Topics.REPORT_EVENTS, status.reportId().toString(), event, CloudEvent.of(event, report.traceparent())));
        out.add(status(report));
        if (report.webhookUrl() != null) {
            out.add(delivery(report, report.webhookUrl()));
        }
    }

    private OutgoingRecord delivery(LedgerReport report, String url) {
        ReportStatus status = report.status();
        var body = new Notification(
                "report_status_change", StatusResponse.inWebhook(status, file -> fileUrl.apply(status, file)));
        var command = new DeliveryCommand.Deliver(
                status.reportId() + "." + status.sequence(),
                status.accountId(),
                url,
                status.reportId(),
                status.sequence(),
                status.updatedAt(),
                Json.text(body),
                report.traceparent());
        return internal(
                Topics.DELIVERIES, WebhookEndpoint.of(status.accountId(), url).key(), command, status.updatedAt());
    }

    private static OutgoingRecord status(LedgerReport report) {
        ReportStatus status = report.status();
        String key = Topics.reportKey(status.accountId(), status.reportId());
        CloudEvent event = CloudEvent.of(status, report.traceparent());
        Headers headers = event.headers();
        RequestRecord request = report.requestRecord();
        if (request != null) {
            request.addTo(headers);
        }
        return outgoing(Topics.REPORT_STATUS, key, encode(Topics.REPORT_STATUS, status), headers, event.time());
    }

    private static OutgoingRecord entry(Instant now, RecordedFact step, Fact.Entered entered) {
        Balance balance = step.account().balance();
        var entry = new LedgerEntry(
                entered.entryId(),
                step.account().id(),
                step.account().ledgerSequence(),
                entered.kind(),
                entered.reportId(),
                entered.amount(),
                balance.granted(),
                balance.reserved(),
                balance.used(),
                balance.remaining(),
                now);
        String traceparent = step.report() == null ? null : step.report().traceparent();
        return open(Topics.CREDIT_LEDGER, entry.accountId(), entry, CloudEvent.of(entry, traceparent));
    }

    private static void unneeded(PendingChanges changes, Fact.Unneeded unneeded, List<OutgoingRecord> out) {
        String account = changes.account().id();
        List<String> files = unneeded.files();
        for (int from = 0; from < files.size(); from += FileDeletion.MOST_FILES) {
            int to = Math.min(files.size(), from + FileDeletion.MOST_FILES);
            var deletion = new FileDeletion(account, unneeded.reportId(), unneeded.reason(), files.subList(from, to));
            out.add(internal(Topics.FILE_DELETIONS, account, deletion, changes.now()));
        }
    }

    /** Both tombstones say why: gateways read them in any order. */
    private static void forget(PendingChanges changes, UUID id, CloudEvent why, List<OutgoingRecord> out) {
        String key = Topics.reportKey(changes.account().id(), id);
        out.add(outgoing(Topics.REPORT_STATUS, key, null, why.headers(), changes.now()));
        out.add(outgoing(Topics.REPORT_REQUESTS, key, null, why.headers(), changes.now()));
    }

    private static Headers traced(LedgerReport report) {
        return new RecordHeaders()
                .add(CloudEvent.TRACEPARENT, report.traceparent().getBytes(StandardCharsets.US_ASCII));
    }

    private static LedgerReport known(RecordedFact step) {
        if (step.report() == null) {
            throw new IllegalStateException("no report for " + step.fact());
        }
        return step.report();
    }

    private static <V> OutgoingRecord open(Topic<V> topic, String key, V value, CloudEvent event) {
        return outgoing(topic, key, encode(topic, value), event.headers(), event.time());
    }

    private static <V> OutgoingRecord internal(Topic<V> topic, String key, V value, Instant now) {
        return outgoing(topic, key, encode(topic, value), new RecordHeaders(), now);
    }

    private static OutgoingRecord outgoing(
            Topic<?> topic, String key, byte @Nullable [] value, Headers headers, Instant time) {
        return new OutgoingRecord(topic.name(), new Record<>(key, value, time.toEpochMilli(), headers));
    }

    private static <V> byte[] encode(Topic<V> topic, V value) {
        byte[] bytes = topic.encode(value);
        if (bytes.length > MOST_BYTES) {
            throw new IllegalStateException(
                    "a record of " + bytes.length + " bytes is too large for topic " + topic.name());
        }
        return bytes;
    }
}
