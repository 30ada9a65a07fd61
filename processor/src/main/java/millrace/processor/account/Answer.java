package millrace.processor.account;

import millrace.contracts.PartFile;

/** The file of a slice, kept until its report is put together. */
public record Answer(PartFile file) {}
