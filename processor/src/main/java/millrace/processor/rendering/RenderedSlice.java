package millrace.processor.rendering;

import millrace.contracts.Counts;
import millrace.contracts.PartFile;

/** A finished slice. */
public record RenderedSlice(PartFile file, Counts counts) {}
