package millrace.contracts.requests;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An accepted request.
 *
 * @param webhookUrl receives status changes, or null
 * @param maxCredits the client's limit for the estimate, or null
 * @param reportName the client's name for the report, or null
 * @param retentionDays how long the client wants to be able to download the file, or null
 * @param tags the client's words for the report, by name; null without any
 */
public record ReportRequest(
        ReportQuery query,
        @Nullable String webhookUrl,
        @Nullable Long maxCredits,
        ApiDialect dialect,
        @Nullable String reportName,
        @Nullable Integer retentionDays,
        @Nullable Map<String, String> tags) {

    public ReportRequest {
        tags = tags == null || tags.isEmpty() ? null : Collections.unmodifiableMap(new TreeMap<>(tags));
    }

    /** A request without a name, whose file is kept as long as files usually are. */
    public ReportRequest(
            ReportQuery query, @Nullable String webhookUrl, @Nullable Long maxCredits, ApiDialect dialect) {
        this(query, webhookUrl, maxCredits, dialect, null, null, null);
    }

    /** The same request with another query. */
    public ReportRequest withQuery(ReportQuery other) {
        return new ReportRequest(other, webhookUrl, maxCredits, dialect, reportName, retentionDays, tags);
    }
}
