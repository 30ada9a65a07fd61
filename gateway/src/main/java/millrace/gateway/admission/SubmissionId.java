package millrace.gateway.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.UUID;
import java.util.function.Supplier;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.commands.AccountCommand.Idempotency;
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

    /** @param key the client's Idempotency-Key, or null */
    public static SubmissionId of(
            String accountId, @Nullable String key, ReportRequest request, Supplier<UUID> random) {
        if (key == null) {
            return new SubmissionId(random.get(), null);
        }
        String keyHash = Hashes.sha256(accountId + "\n" + key);
        String requestHash = hash(request);
        byte[] id = java.util.HexFormat.of().parseHex(Hashes.sha256(keyHash + "\n" + requestHash));
        return new SubmissionId(uuid(id), new Idempotency(keyHash, requestHash));
    }

    private static String hash(ReportRequest request) {
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
