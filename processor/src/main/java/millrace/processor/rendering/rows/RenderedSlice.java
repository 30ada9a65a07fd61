package millrace.processor.rendering.rows;

import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;

/**
 * The file of a rendered slice and the counts of its rows.
 *
 * @param skipped rows that were left out before the first one
 */
public record RenderedSlice(StoredFile file, ResultCounts counts, long skipped) {}
