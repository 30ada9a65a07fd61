package millrace.gateway.copy.reports;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.RowBatch;
import millrace.gateway.copy.database.RowKey;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What the records of one poll change: rows, which are written together with the offsets that follow, and after that
 * what is in memory, in the order of the records. Of one thread.
 */
final class ModelChanges implements AutoCloseable {
    private final RowBatch rows;
    private final LocalDatabase database;
    private final List<Consumer<ReadModel>> afterwards = new ArrayList<>();
    private final long sizeBefore;
    private long size;

    ModelChanges(LocalDatabase database) {
        this.database = database;
        this.rows = database.batch();
        this.sizeBefore = new StoredReports(database).size();
        this.size = sizeBefore;
    }

    /** Has memory changed in its turn, once all rows are written. */
    void afterwards(Consumer<ReadModel> change) {
        afterwards.add(change);
    }

    /**
     * The newest status of a report. One that is older than what is stored changes nothing.
     *
     * @param request what the record tells of the report's request; null where an earlier build wrote it
     * @param json the record's value
     */
    void status(ReportStatus newest, StoredReports.@Nullable Request request, byte[] json) {
        StoredReport before = report(newest.reportId());
        if (before != null && before.sequence() > newest.sequence()) {
            return;
        }
        StoredReport after =
                StoredReport.of(newest, request == null && before != null ? before.request() : request, json);
        if (before == null) {
            size++;
        }
        UUID key = after.key();
        if (key != null && (before == null || before.key() == null)) {
            rows.put(StoredReports.idempotencyKey(after.accountId(), key, newest.reportId()), new byte[0]);
        }
        if (before == null || !at(before).equals(at(after))) {
            if (before != null) {
                rows.delete(StoredReports.statusKey(before.accountId(), before.place()));
            }
            rows.put(StoredReports.placeKey(newest.reportId()), at(after).row());
        }
        if (before == null || !at(before).equals(at(after)) || !before.tags().equals(after.tags())) {
            tagKeys(before).forEach(rows::delete);
            tagKeys(after).forEach(tag -> rows.put(tag, new byte[0]));
        }
        if (before != null && before.status() != Status.COMPLETE) {
            rows.delete(unfinishedKey(before));
        }
        if (after.status() != Status.COMPLETE) {
            rows.put(unfinishedKey(after), after.dataset().getBytes(StandardCharsets.UTF_8));
        }
        rows.put(StoredReports.statusKey(after.accountId(), after.place()), after.row());
        boolean wasOpen = before != null && before.open();
        afterwards(model -> model.decided(newest.accountId(), newest.reportId(), wasOpen, after.open()));
    }

    /**
     * A tombstone of a status. A request that was read has one of its own.
     *
     * @param erased whether the report is erased before it is forgotten, so that its Idempotency-Key stays taken
     */
    void forget(String accountId, UUID reportId, boolean erased) {
        StoredReport before = report(reportId);
        if (before != null) {
            size--;
            rows.delete(StoredReports.placeKey(reportId));
            rows.delete(StoredReports.statusKey(before.accountId(), before.place()));
            tagKeys(before).forEach(rows::delete);
            if (before.status() != Status.COMPLETE) {
                rows.delete(unfinishedKey(before));
            }
            UUID key = before.key();
            StoredReports.Request request = request(reportId);
            if (key != null && !erased && (request == null || request.key() == null)) {
                rows.delete(StoredReports.idempotencyKey(accountId, key, reportId));
            }
        }
        erased(accountId, reportId, erased, before == null ? null : before.key());
        boolean wasOpen = before != null && before.open();
        afterwards(model -> model.forgotten(accountId, reportId, wasOpen));
    }

    /** A request that was read. */
    void request(String accountId, UUID reportId, StoredReports.Request request) {
        rows.put(StoredReports.requestKey(reportId), request.row());
        UUID key = request.key();
        if (key != null) {
            rows.put(StoredReports.idempotencyKey(accountId, key, reportId), new byte[0]);
        }
        afterwards(model -> model.requestStored(accountId, reportId));
    }

    /**
     * A tombstone of a request.
     *
     * @param erased as of {@link #forget}
     */
    void forgetRequest(String accountId, UUID reportId, boolean erased) {
        StoredReports.Request request = request(reportId);
        if (request != null) {
            rows.delete(StoredReports.requestKey(reportId));
            UUID key = request.key();
            StoredReport status = report(reportId);
            if (key != null && !erased && (status == null || status.key() == null)) {
                rows.delete(StoredReports.idempotencyKey(accountId, key, reportId));
            }
        }
        erased(accountId, reportId, erased, request == null ? null : request.key());
    }

    /**
     * Keeps that a report is erased, or forgets that with its Idempotency-Key.
     *
     * @param key as far as this topic has told of it
     */
    private void erased(String accountId, UUID reportId, boolean erased, @Nullable UUID key) {
        RowKey row = StoredReports.erasedKey(reportId);
        byte[] before = rows.get(row);
        if (erased) {
            if (before == null || (before.length == 0 && key != null)) {
                rows.put(row, key == null ? new byte[0] : StoredReports.key(key));
            }
        } else if (before != null) {
            rows.delete(row);
            if (before.length > 0) {
                rows.delete(StoredReports.idempotencyKey(accountId, StoredReports.key(before), reportId));
            }
        }
    }

    void balance(AccountState newest) {
        rows.put(StoredReports.accountKey(newest.accountId()), Topics.ACCOUNT_STATE.encode(newest));
        afterwards(model -> model.balance(newest));
    }

    /** Writes the rows and where reading goes on, all or nothing; then memory changes. */
    void write(Map<TopicPartition, OffsetAndMetadata> next, long now, ReadModel model) {
        TopicState.put(rows, next, now);
        if (size != sizeBefore) {
            rows.put(StoredReports.sizeKey(), StoredReports.number(size));
        }
        if (!rows.isEmpty()) {
            database.write(rows);
        }
        model.resized(size);
        afterwards.forEach(change -> change.accept(model));
    }

    @Override
    public void close() {
        rows.close();
    }

    private StoredReports.@Nullable Request request(UUID reportId) {
        byte[] row = rows.get(StoredReports.requestKey(reportId));
        return row == null ? null : StoredReports.Request.settled(row);
    }

    /** As it is after the changes so far. */
    private @Nullable StoredReport report(UUID reportId) {
        byte[] row = rows.get(StoredReports.placeKey(reportId));
        if (row == null) {
            return null;
        }
        StoredReports.Place place = StoredReports.Place.of(row);
        HistoryCursor cursor = place.cursor(reportId);
        byte[] status = rows.get(StoredReports.statusKey(place.accountId(), cursor));
        return status == null ? null : StoredReport.of(cursor, place.accountId(), status);
    }

    private static StoredReports.Place at(StoredReport report) {
        return new StoredReports.Place(report.accountId(), report.place().submittedAt());
    }

    private static List<RowKey> tagKeys(@Nullable StoredReport report) {
        return report == null
                ? List.of()
                : report.tags().entrySet().stream()
                        .map(tag -> StoredReports.tagKey(report.accountId(), tag, report.place()))
                        .toList();
    }

    private static RowKey unfinishedKey(StoredReport report) {
        return StoredReports.unfinishedKey(report.status(), report.accountId(), report.place());
    }
}
