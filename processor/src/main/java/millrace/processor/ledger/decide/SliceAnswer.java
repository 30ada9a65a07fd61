package millrace.processor.ledger.decide;

import millrace.contracts.reports.StoredFile;

/** The file of a slice, stored until the report is assembled. */
public record SliceAnswer(StoredFile file) {}
