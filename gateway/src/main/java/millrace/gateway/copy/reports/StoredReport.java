package millrace.gateway.copy.reports;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.Outcome;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.database.RowKey;
import org.jspecify.annotations.Nullable;

/**
 * The newest status of a report as the ledger wrote it: the record's bytes, and before them what is asked for without
 * reading those.
 *
 * @param retryable whether the report failed and can be retried
 * @param lostKey whether another request with its Idempotency-Key came first
 * @param outcome how it ended; null while it is processing
 * @param name that the client gave it, or null
 * @param tags that the client gave it
 * @param request what the record tells of the report's request; null where an earlier build wrote it
 * @param json the record's value
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StoredReport(
        HistoryCursor place,
        String accountId,
        String dataset,
        Status status,
        int attempt,
        int sequence,
        long credits,
        boolean retryable,
        boolean lostKey,
        @Nullable Outcome outcome,
        @Nullable String name,
        Map<String, String> tags,
        StoredReports.@Nullable Request request,
        byte[] json) {
    private static final int RETRYABLE = 1;
    private static final int LOST_KEY = 2;
    private static final int CANCELLED = 4;
    private static final int HEAD = 4 + 2 * Integer.BYTES + Long.BYTES;

    /** @param json the status as it was in its record */
    static StoredReport of(ReportStatus status, StoredReports.@Nullable Request request, byte[] json) {
        ReportStatus.Failure error = status.error();
        return new StoredReport(
                new HistoryCursor(status.submittedAt().toEpochMilli(), status.reportId()),
                status.accountId(),
                status.dataset(),
                status.status(),
                status.attempt(),
                status.sequence(),
                status.estimatedCredits(),
                error != null && error.retryable(),
                error != null && error.code() == ErrorCode.IDEMPOTENCY_CONFLICT,
                status.outcome(),
                status.reportName(),
                status.tags() == null ? Map.of() : status.tags(),
                request,
                json);
    }

    /** @param row as {@link #row} has made it */
    static StoredReport of(HistoryCursor place, String accountId, byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row);
        Status status = status(in.get());
        int flags = in.get();
        int attempt = in.getInt();
        int sequence = in.getInt();
        long credits = in.getLong();
        int tagged = in.get();
        String dataset = RowKey.text(in);
        String name = RowKey.text(in);
        Map<String, String> tags = new TreeMap<>();
        for (int left = tagged; left > 0; left--) {
            tags.put(RowKey.text(in), RowKey.text(in));
        }
        byte[] request = new byte[in.get()];
        in.get(request);
        return new StoredReport(
                place,
                accountId,
                dataset,
                status,
                attempt,
                sequence,
                credits,
                (flags & RETRYABLE) != 0,
                (flags & LOST_KEY) != 0,
                outcome(status, (flags & CANCELLED) != 0),
                name.isEmpty() ? null : name,
                tags,
                request.length == 0 ? null : StoredReports.Request.since(request),
                Arrays.copyOfRange(row, in.position(), row.length));
    }

    byte[] row() {
        List<byte[]> texts = Stream.concat(
                        Stream.of(dataset, name == null ? "" : name),
                        tags.entrySet().stream().flatMap(tag -> Stream.of(tag.getKey(), tag.getValue())))
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
        byte[] requested = request == null ? new byte[0] : request.row();
        int words = texts.stream().mapToInt(text -> Short.BYTES + text.length).sum();
        ByteBuffer row = ByteBuffer.allocate(HEAD + words + requested.length + json.length)
                .put((byte) code(status))
                .put((byte) ((retryable ? RETRYABLE : 0)
                        | (lostKey ? LOST_KEY : 0)
                        | (outcome == Outcome.CANCELLED ? CANCELLED : 0)))
                .putInt(attempt)
                .putInt(sequence)
                .putLong(credits)
                .put((byte) tags.size());
        texts.forEach(text -> row.putShort((short) text.length).put(text));
        return row.put((byte) requested.length).put(requested).put(json).array();
    }

    /** The Idempotency-Key that its record tells of, or null. */
    @Nullable
    UUID key() {
        return request == null ? null : request.key();
    }

    boolean open() {
        return status == Status.PROCESSING;
    }

    ReportStatus decoded() {
        return Topics.REPORT_STATUS.decode(json);
    }

    /** The number of a status in rows and keys. */
    static int code(Status status) {
        return switch (status) {
            case PROCESSING -> 1;
            case COMPLETE -> 2;
            case INTERNAL_ERROR -> 3;
        };
    }

    private static @Nullable Outcome outcome(Status status, boolean cancelled) {
        return switch (status) {
            case PROCESSING -> null;
            case COMPLETE -> Outcome.COMPLETED;
            case INTERNAL_ERROR -> cancelled ? Outcome.CANCELLED : Outcome.FAILED;
        };
    }

    private static Status status(int code) {
        return switch (code) {
            case 1 -> Status.PROCESSING;
            case 2 -> Status.COMPLETE;
            case 3 -> Status.INTERNAL_ERROR;
            default -> throw new IllegalStateException("no status has the number " + code);
        };
    }
}
