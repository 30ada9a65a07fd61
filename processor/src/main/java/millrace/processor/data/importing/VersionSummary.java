package millrace.processor.data.importing;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The periods and row counts of one version of a dataset.
 *
 * @param bytes size of its file
 * @param since when the file was finished
 * @param problem why the version cannot be read, or null
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
     * @param first first day of the first period
     * @param last first day of the last period
     * @param count number of periods
     */
    record Periods(String granularity, LocalDate first, LocalDate last, long count, long rows) {}
}
