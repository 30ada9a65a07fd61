package millrace.processor.importing.command;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one version of a dataset holds.
 *
 * @param bytes size of its file
 * @param since when the file was finished
 * @param problem why it cannot be read, or null; then there are no figures
 */
record VersionSummary(
        String dataset,
        String version,
        boolean current,
        long rows,
        long bytes,
        Instant since,
        List<Periods> periods,
        List<String> countries,
        @Nullable String problem) {

    /**
     * The periods of one granularity.
     *
     * @param first first day of the first one
     * @param last first day of the last one
     * @param count how many there are
     */
    record Periods(String granularity, LocalDate first, LocalDate last, long count, long rows) {}
}
