package millrace.processor.ledger.account.state;

import millrace.contracts.reports.StoredFile;

/** The file of a slice, kept until its report is put together. */
public record SliceAnswer(StoredFile file) {}
