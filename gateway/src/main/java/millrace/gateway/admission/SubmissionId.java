package millrace.gateway.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.time.LocalDate;
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
 * The report id of a submission. With an Idempotency-Key it is derived from account, key and
 * normalised request, so that all gateways give a repeated request the same id.
 *
 * @param idempotency null without a key
 */
public record SubmissionId(UUID reportId, @Nullable Idempotency idempotency) {
    private static final ObjectWriter CANONICAL =
            Json.MAPPER.writer().with(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    /**
     * @param key the client's Idempotency-Key, or null
     * @param openEnd where the request ends with the newest period, else null. The key then stands
     *     for the request as it was sent, so that it can be repeated when there are newer data
     */
    public static SubmissionId of(
            String accountId,
            @Nullable String key,
            ReportRequest request,
            @Nullable OpenEnd openEnd,
            Supplier<UUID> random) {
        if (key == null) {
            return new SubmissionId(random.get(), null);
        }
        String keyHash = Hashes.sha256(accountId + "\n" + key);
        String requestHash = hash(openEnd == null ? request : new Sent(undated(request), openEnd));
        byte[] id = java.util.HexFormat.of().parseHex(Hashes.sha256(keyHash + "\n" + requestHash));
        return new SubmissionId(uuid(id), new Idempotency(keyHash, requestHash));
    }

    /** @param request with dates that say nothing */
    private record Sent(ReportRequest request, OpenEnd openEnd) {}

    private static ReportRequest undated(ReportRequest request) {
        var granularity = request.query().dates().granularity();
        var none = new ReportQuery.Dates(granularity, LocalDate.EPOCH, LocalDate.EPOCH);
        return request.withQuery(request.query().withDates(none));
    }

    private static String hash(Object request) {
        try {
            return Hashes.sha256(CANONICAL.writeValueAsBytes(request));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a request can always be written", e);
        }
    }

    /** Version 8 of RFC 9562: the application's own bits. */
    private static UUID uuid(byte[] hash) {
        var bits = java.nio.ByteBuffer.wrap(hash);
        long high = (bits.getLong() & ~0xF000L) | 0x8000L;
        long low = (bits.getLong() & ~(0b11L << 62)) | (0b10L << 62);
        return new UUID(high, low);
    }
}
