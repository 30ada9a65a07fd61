package millrace.processor.rendering;

import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;

/** A finished slice. */
public record RenderedSlice(StoredFile file, ResultCounts counts) {}
