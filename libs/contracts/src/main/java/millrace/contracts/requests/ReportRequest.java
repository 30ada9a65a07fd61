package millrace.contracts.requests;

import org.jspecify.annotations.Nullable;

/**
 * An accepted request.
 *
 * @param webhookUrl receives status changes, or null
 * @param maxCredits the client's limit for the estimate, or null
 */
public record ReportRequest(
        ReportQuery query,
        @Nullable String webhookUrl,
        @Nullable Long maxCredits,
        ApiDialect dialect) {}
