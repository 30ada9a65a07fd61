package millrace.gateway.readmodel;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.topics.Topics;

/**
 * Compresses statuses as JSON to a third of their size, because a gateway keeps millions. The
 * dictionary has what all statuses have in common. It is never stored, so it may change.
 */
final class StatusCompressor {
    private static final byte[] DICTIONARY = (".reservation.settlement.release audience_interestskeywordssite_keywords"
                    + "traffic_and_engagementdemographicsinternal_error\"original\"\"error\":{\"code\":\"insufficient_credits"
                    + "cancelleddataset_unavailablerender_failed\",\"message\":\"\",\"retryable\":false}true}"
                    + "\"progress\":{\"phase\":\"queued\"rendering\"assembling\",\"fraction\":0.0}"
                    + "{\"account_id\":\"demo\",\"report_id\":\"\",\"dataset\":\"\",\"status\":\"processing\"complete\","
                    + "\"dialect\":\"v3\",\"attempt\":1,\"sequence\":2,\"submitted_at\":\"2026-\",\"updated_at\":\"2026-"
                    + "\"estimated_credits\":,\"result\":{\"counts\":{\"rows\":,\"results\":,\"revealed\":0},\"used_quota\":,"
                    + "\"file\":{\"name\":\"/1/0-1\",\"size\":,\"sha256\":\"\"},\"expires_at\":\"2026-000Z\"},"
                    + "\"receipt\":{\"reserved\":,\"charged\":,\"released\":0,\"price_rule\":\"1 credit per result\","
                    + "\"entry_ids\":[\".1.reservation\",\".1.settlement\",\".1.release\"]}}")
            .getBytes(StandardCharsets.UTF_8);

    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);

    synchronized byte[] compress(ReportStatus status) {
        byte[] json = Topics.REPORT_STATUS.encode(status);
        deflater.reset();
        deflater.setDictionary(DICTIONARY);
        deflater.setInput(json);
        deflater.finish();
        byte[] compressed = new byte[json.length + 64];
        int size = 0;
        while (!deflater.finished()) {
            if (size == compressed.length) {
                compressed = Arrays.copyOf(compressed, 2 * size);
            }
            size += deflater.deflate(compressed, size, compressed.length - size);
        }
        return Arrays.copyOf(compressed, size);
    }

    static ReportStatus decompress(byte[] compressed) {
        var inflater = new Inflater(true);
        try {
            inflater.setDictionary(DICTIONARY);
            inflater.setInput(compressed);
            byte[] json = new byte[4 * compressed.length + 256];
            int size = 0;
            while (!inflater.finished()) {
                if (size == json.length) {
                    json = Arrays.copyOf(json, 2 * size);
                }
                size += inflater.inflate(json, size, json.length - size);
            }
            return Topics.REPORT_STATUS.decode(Arrays.copyOf(json, size));
        } catch (DataFormatException e) {
            throw new IllegalStateException("a compressed status cannot be read", e);
        } finally {
            inflater.end();
        }
    }
}
