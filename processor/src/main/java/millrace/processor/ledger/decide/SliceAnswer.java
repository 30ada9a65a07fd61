package millrace.processor.ledger.decide;

import millrace.contracts.reports.StoredFile;
import org.jspecify.annotations.Nullable;

/**
 * The file of a slice, or of a part of the report, stored until the report is put together.
 *
 * @param rows of the file; null in a report that becomes one file
 */
public record SliceAnswer(StoredFile file, @Nullable Long rows) {}
