package millrace.processor.ledger.account.state;

import millrace.contracts.reports.StoredFile;

/** The file of a slice, stored until the report is assembled. */
public record SliceAnswer(StoredFile file) {}
