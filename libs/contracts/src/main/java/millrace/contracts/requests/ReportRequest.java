package millrace.contracts.requests;

import org.jspecify.annotations.Nullable;

/**
 * An accepted request.
 *
 * @param webhookUrl receives status changes, or null
 * @param maxCredits the client's limit for the estimate, or null
 * @param reportName the client's name for the report, or null
 * @param retentionDays how long the client wants to be able to download the file, or null
 */
public record ReportRequest(
        ReportQuery query,
        @Nullable String webhookUrl,
        @Nullable Long maxCredits,
        ApiDialect dialect,
        @Nullable String reportName,
        @Nullable Integer retentionDays) {

    /** A request without a name, whose file is kept as long as files usually are. */
    public ReportRequest(
            ReportQuery query, @Nullable String webhookUrl, @Nullable Long maxCredits, ApiDialect dialect) {
        this(query, webhookUrl, maxCredits, dialect, null, null);
    }

    /** The same request with another query. */
    public ReportRequest withQuery(ReportQuery other) {
        return new ReportRequest(other, webhookUrl, maxCredits, dialect, reportName, retentionDays);
    }
}
