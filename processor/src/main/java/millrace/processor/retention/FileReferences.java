package millrace.processor.retention;

import java.time.Instant;
import millrace.contracts.reports.ReportStatus;
import org.jspecify.annotations.Nullable;

/** Decides whether a file is still needed, from the status of its report. Pure. */
final class FileReferences {
    private FileReferences() {}

    /**
     * Whether the file may be deleted.
     *
     * @param report the newest status of its report, null where the report is unknown or forgotten
     * @param expired results that expired before this time are not needed
     */
    static boolean isOver(FileOwner file, String name, @Nullable ReportStatus report, Instant expired) {
        if (report == null) {
            return true;
        }
        return switch (file) {
            case FileOwner.RequestList list -> false;
            case FileOwner.Part part ->
                switch (report.status()) {
                    case PROCESSING -> false;
                    case COMPLETE -> !isResult(name, report, expired);
                    // A retry writes its own files.
                    case INTERNAL_ERROR -> true;
                };
        };
    }

    private static boolean isResult(String name, ReportStatus report, Instant expired) {
        ReportStatus.Result result = report.result();
        return result != null
                && result.file().name().equals(name)
                && result.expiresAt().isAfter(expired);
    }
}
