package millrace.gateway.copy.reports;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.UUID;
import java.util.function.Supplier;
import millrace.catalog.validation.CheckedRequest.OpenEnd;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.commands.AccountCommand.Idempotency;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;
import org.jspecify.annotations.Nullable;

/**
 * The id of the report that a submission makes. With an Idempotency-Key it is derived from account, key, normalised
 * request and day, so that all gateways that get the request at the same time give it the same id, and a report that is
 * forgotten leaves its id to no other. A report is known for a day at least.
 *
 * @param request the same whenever the request is repeated with its key; without a key that of the report
 * @param idempotency null without a key
 */
public record SubmissionId(
        UUID reportId, UUID request, @Nullable Idempotency idempotency) {
    private static final long DAY = Duration.ofDays(1).toMillis();

    private static final ObjectWriter CANONICAL =
            Json.MAPPER.writer().with(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    /**
     * @param key the client's Idempotency-Key, or null
     * @param openEnd where the request ends with the newest period, else null. The key then stands
     *     for the request as it was sent, so that it can be repeated when there are newer data
     * @param now when the report is submitted
     */
    public static SubmissionId of(
            String accountId,
            @Nullable String key,
            ReportRequest request,
            @Nullable OpenEnd openEnd,
            Instant now,
            Supplier<UUID> random) {
        if (key == null) {
            UUID id = random.get();
            return new SubmissionId(id, id, null);
        }
        String keyHash = Hashes.sha256(accountId + "\n" + key);
        ReportRequest sent = uncut(request);
        String requestHash = hash(openEnd == null ? sent : new Sent(undated(sent), openEnd));
        var idempotency = new Idempotency(keyHash, requestHash);
        return new SubmissionId(ofDay(idempotency, now.toEpochMilli()), ofAllDays(idempotency), idempotency);
    }

    /**
     * Whether a report is that of an earlier submission with the same key and request.
     *
     * @param submittedAt when the report was submitted, epoch milliseconds
     */
    static boolean repeats(Idempotency submission, UUID reportId, long submittedAt) {
        return reportId.equals(ofDay(submission, submittedAt)) || reportId.equals(ofAllDays(submission));
    }

    private static UUID ofDay(Idempotency submission, long at) {
        // The day of each key begins at another time: at midnight, too many programs would send their requests.
        long beginning = Math.floorMod(Long.parseUnsignedLong(submission.keyHash(), 0, 16, 16), DAY);
        return uuid(submission, "\n" + Math.floorDiv(at - beginning, DAY));
    }

    /** As earlier builds made the ids of reports. */
    private static UUID ofAllDays(Idempotency submission) {
        return uuid(submission, "");
    }

    /** @param request with dates that say nothing */
    private record Sent(ReportRequest request, OpenEnd openEnd) {}

    private static ReportRequest undated(ReportRequest request) {
        var granularity = request.query().dates().granularity();
        var none = new ReportQuery.Dates(granularity, LocalDate.EPOCH, LocalDate.EPOCH);
        return request.withQuery(request.query().withDates(none));
    }

    /** As if it were one file: how many they are follows from the dates and from the catalog, and the client sends neither. */
    private static ReportRequest uncut(ReportRequest request) {
        ReportQuery.Split split = request.query().split();
        return split == null
                ? request
                : request.withQuery(
                        request.query().withSplit(new ReportQuery.Split(split.maxRows(), split.numOfFiles(), 1)));
    }

    private static String hash(Object request) {
        try {
            return Hashes.sha256(CANONICAL.writeValueAsBytes(request));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a request can always be written", e);
        }
    }

    /** Version 8 of RFC 9562: the application's own bits. */
    private static UUID uuid(Idempotency submission, String more) {
        String hash = Hashes.sha256(submission.keyHash() + "\n" + submission.requestHash() + more);
        var bits = ByteBuffer.wrap(HexFormat.of().parseHex(hash));
        long high = (bits.getLong() & ~0xF000L) | 0x8000L;
        long low = (bits.getLong() & ~(0b11L << 62)) | (0b10L << 62);
        return new UUID(high, low);
    }
}
