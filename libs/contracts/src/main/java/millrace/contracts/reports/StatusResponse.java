package millrace.contracts.reports;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import millrace.contracts.requests.ApiDialect;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of one report's status: the answer of request-status, an item of report-history, and the
 * payload of a webhook. The status decides which fields are present.
 *
 * @param reportName the client's name for the report; absent where it has none
 * @param status a word of the dialect
 * @param outcome how the report ended; absent while it is processing
 * @param occurredAt when the change happened; in webhook payloads only
 * @param progress 0 to 1; this and {@code phase} only while the report is processing
 * @param downloadUrl absolute; absent once the file has expired; of a report in parts the link of its manifest
 * @param dataPointsCount results, that is cells
 * @param usedQuota credits charged
 * @param fileSize bytes; of a report in parts those of all files
 * @param sha256 of the file, lower-case hex; absent for a report in parts
 * @param receipt absent in history
 * @param warnings sentences about what the report asks for and the data do not have, and about how
 *     it differs from the request as it was sent
 * @param tags the client's words for the report, by name
 * @param dataVersion the version of the data that the newest attempt reads; absent before it begins
 * @param dataPublishedAt when that version became current; absent if the warehouse does not know
 * @param querySha256 the same for every request for the same rows in the same form
 * @param renderForm the same query over the same version gives the same bytes in the same form
 * @param fileCount number of files; this and {@code files} only for a report in parts
 * @param files absent in history and in webhooks, and if they are more than {@link ReportParts#SHOWN}; the manifest has
 *     all of them
 */
public record StatusResponse(
        UUID reportId,
        String dataset,
        @Nullable String reportName,
        String status,
        @Nullable Outcome outcome,
        int sequence,
        @Nullable Instant occurredAt,
        Instant submittedAt,
        Instant updatedAt,
        long estimatedCredits,
        @Nullable Double progress,
        @Nullable ReportPhase phase,
        @Nullable String downloadUrl,
        @Nullable Long dataPointsCount,
        @Nullable Long usedQuota,
        @Nullable Long rowCount,
        @Nullable Long fileSize,
        @Nullable String sha256,
        @Nullable Instant expiresAt,
        ReportStatus.@Nullable Failure error,
        ReportStatus.@Nullable Receipt receipt,
        @Nullable List<String> warnings,
        @Nullable Map<String, String> tags,
        @Nullable String dataVersion,
        @Nullable Instant dataPublishedAt,
        @Nullable String querySha256,
        @Nullable Integer renderForm,
        @Nullable Integer fileCount,
        @Nullable List<PartResponse> files) {

    /**
     * One file of a report in parts.
     *
     * @param name as clients save it; unique in the report
     * @param table the table that the rows are of
     * @param part number of the file among those of its table, from 1
     * @param fileSize bytes
     * @param sha256 of the file, lower-case hex
     * @param downloadUrl absolute; absent once the files have expired
     */
    public record PartResponse(
            String name,
            String table,
            int part,
            long rowCount,
            long fileSize,
            String sha256,
            @Nullable String downloadUrl) {
        public static PartResponse of(ReportPart part, @Nullable String downloadUrl) {
            StoredFile file = part.file();
            return new PartResponse(
                    part.name(), part.table(), part.part(), part.rowCount(), file.size(), file.sha256(), downloadUrl);
        }
    }

    /**
     * The answer of request-status, in the words of the report's dialect.
     *
     * @param links makes the link of a file of the report, or null without links; left out after the result has expired
     */
    public static StatusResponse of(
            ReportStatus report, @Nullable Function<StoredFile, @Nullable String> links, Instant now) {
        return build(report, word(report), null, links, now, report.receipt(), true);
    }

    /** An item of report-history, which has no receipt and no list of files. */
    public static StatusResponse inHistory(
            ReportStatus report, @Nullable Function<StoredFile, @Nullable String> links, Instant now) {
        return build(report, word(report), null, links, now, null, false);
    }

    /**
     * The payload of the webhook for the change that led to {@code report}. Always in the words of v3, and small: it has
     * no list of files.
     */
    public static StatusResponse inWebhook(
            ReportStatus report, @Nullable Function<StoredFile, @Nullable String> links) {
        Instant at = report.updatedAt();
        return build(report, report.status().word(), at, links, at, report.receipt(), false);
    }

    /** The word for a report's status in its dialect. */
    public static String word(ReportStatus report) {
        return switch (report.dialect()) {
            case V3 -> report.status().word();
            case ORIGINAL ->
                switch (report.status()) {
                    case PROCESSING ->
                        queued(report) ? queuedWord(ApiDialect.ORIGINAL, report.attempt()) : "processing";
                    case COMPLETE -> "completed";
                    case INTERNAL_ERROR -> "internal_error";
                };
        };
    }

    /** That for a report whose attempt has been accepted a moment ago. */
    public static String queuedWord(ApiDialect dialect, int attempt) {
        return switch (dialect) {
            case V3 -> Status.PROCESSING.word();
            case ORIGINAL -> attempt > 1 ? "retry" : "pending";
        };
    }

    private static boolean queued(ReportStatus report) {
        return report.progress() == null || report.progress().phase() == ReportPhase.QUEUED;
    }

    private static StatusResponse build(
            ReportStatus r,
            String word,
            @Nullable Instant occurredAt,
            @Nullable Function<StoredFile, @Nullable String> links,
            Instant now,
            ReportStatus.@Nullable Receipt receipt,
            boolean withFiles) {
        ReportStatus.Progress progress = r.progress();
        ReportStatus.Result result = r.result();
        ReportParts parts = result == null ? null : result.parts();
        Function<StoredFile, @Nullable String> link =
                links != null && result != null && now.isBefore(result.expiresAt()) ? links : file -> null;
        return new StatusResponse(
                r.reportId(),
                r.dataset(),
                r.reportName(),
                word,
                r.outcome(),
                r.sequence(),
                occurredAt,
                r.submittedAt(),
                r.updatedAt(),
                r.estimatedCredits(),
                progress == null ? null : progress.fraction(),
                progress == null ? null : progress.phase(),
                result == null ? null : link.apply(result.file()),
                result == null ? null : result.counts().results(),
                result == null ? null : result.usedQuota(),
                result == null ? null : result.counts().rows(),
                result == null ? null : size(result),
                result == null || parts != null ? null : result.file().sha256(),
                result == null ? null : result.expiresAt(),
                r.error() == null ? null : r.error().withoutCause(),
                receipt,
                r.warnings(),
                r.tags(),
                r.dataVersion(),
                r.dataPublishedAt(),
                r.querySha256(),
                r.renderForm(),
                parts == null ? null : parts.count(),
                withFiles ? files(parts, link) : null);
    }

    private static long size(ReportStatus.Result result) {
        return result.parts() == null ? result.file().size() : result.parts().size();
    }

    private static @Nullable List<PartResponse> files(
            @Nullable ReportParts parts, Function<StoredFile, @Nullable String> link) {
        return parts == null || parts.files() == null
                ? null
                : parts.files().stream()
                        .map(part -> PartResponse.of(part, link.apply(part.file())))
                        .toList();
    }
}
