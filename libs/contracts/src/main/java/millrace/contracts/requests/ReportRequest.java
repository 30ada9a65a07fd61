package millrace.contracts.requests;

import org.jspecify.annotations.Nullable;

/**
 * A request as it was accepted.
 *
 * @param webhookUrl where status changes are sent, or null
 * @param maxCredits the client's ceiling, or null
 */
public record ReportRequest(
        ReportQuery query,
        @Nullable String webhookUrl,
        @Nullable Long maxCredits,
        ApiDialect dialect) {}
