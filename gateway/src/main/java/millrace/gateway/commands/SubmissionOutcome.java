package millrace.gateway.commands;

import java.util.UUID;

/** The result of a submission or a retry. */
public sealed interface SubmissionOutcome {
    /**
     * Kafka acknowledged the command: the report will end.
     *
     * @param status the report's status now, in the words of its dialect
     */
    record Accepted(UUID reportId, String status) implements SubmissionOutcome {}

    /** The same request was accepted before. */
    record Replayed(UUID reportId) implements SubmissionOutcome {}

    /** The Idempotency-Key belongs to another request. */
    record KeyTaken() implements SubmissionOutcome {}

    /** The estimate is above the request's {@code max_credits}. */
    record AboveLimit(long estimate, long maxCredits) implements SubmissionOutcome {}

    record NotEnoughCredits(long estimate, long remaining) implements SubmissionOutcome {}

    record TooManyOpen(int limit) implements SubmissionOutcome {}

    /** @param bytes of the command, above what a record may have */
    record TooLarge(int bytes) implements SubmissionOutcome {}

    /** The store could not write the lists of entities or filter values. Nothing was accepted. */
    record StoreUnavailable() implements SubmissionOutcome {}

    /** A disk has too little free space. Nothing was accepted. */
    record LowDiskSpace() implements SubmissionOutcome {}

    /** A retry of the report is in progress already. */
    record Underway(UUID reportId) implements SubmissionOutcome {}

    /** Kafka did not acknowledge in time. Whether the command was accepted is not known. */
    record Unacknowledged(UUID reportId) implements SubmissionOutcome {}
}
