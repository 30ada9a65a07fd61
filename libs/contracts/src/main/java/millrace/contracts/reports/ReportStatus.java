package millrace.contracts.reports;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import millrace.contracts.requests.ApiDialect;
import org.jspecify.annotations.Nullable;

/**
 * The newest status of a report, topic {@code report-status}, and what status answers and webhooks are made of.
 *
 * @param attempt 1 to 4
 * @param sequence 1 for the first status change, then one more for each, through retries; 0 while only a command is known
 * @param progress set while {@code processing}, else null, like {@code result} for {@code complete} and {@code error} for
 *     {@code internal_error}
 */
public record ReportStatus(
        String accountId,
        UUID reportId,
        String dataset,
        Status status,
        ApiDialect dialect,
        int attempt,
        int sequence,
        Instant submittedAt,
        Instant updatedAt,
        long estimatedCredits,
        @Nullable Progress progress,
        @Nullable Result result,
        @Nullable Failure error,
        Receipt receipt) {

    /** @param fraction 0 to 1 */
    public record Progress(ReportPhase phase, double fraction) {}

    /**
     * @param usedQuota credits charged
     * @param expiresAt when the file is deleted
     */
    public record Result(ResultCounts counts, long usedQuota, StoredFile file, Instant expiresAt) {}

    public record Failure(ErrorCode code, String message, boolean retryable) {}

    /** Sums over all attempts: {@code reserved = charged + released + what is still reserved}. */
    public record Receipt(long reserved, long charged, long released, String priceRule, List<String> entryIds) {}
}
