package millrace.gateway.commands;

import java.util.UUID;

/** What became of a submission. */
public sealed interface SubmissionOutcome {
    /**
     * Durable: the report will end.
     *
     * @param status what it has now, in the words of its dialect
     */
    record Accepted(UUID reportId, String status) implements SubmissionOutcome {}

    /** The same had been accepted before. */
    record Replayed(UUID reportId) implements SubmissionOutcome {}

    /** The Idempotency-Key belongs to another request. */
    record KeyTaken() implements SubmissionOutcome {}

    record NotEnoughCredits(long estimate, long remaining) implements SubmissionOutcome {}

    record TooManyOpen(int limit) implements SubmissionOutcome {}

    /** @param bytes of the command; no more fit into a record */
    record TooLarge(int bytes) implements SubmissionOutcome {}

    /** Its lists of entities or filter values could not be kept, so nothing was accepted. */
    record StoreUnavailable() implements SubmissionOutcome {}

    /** A disk has too little room, so nothing was accepted. */
    record LowDiskSpace() implements SubmissionOutcome {}

    /** The same is on its way already. */
    record Underway(UUID reportId) implements SubmissionOutcome {}

    /** No acknowledgement in time: nobody knows whether it was accepted. */
    record Unacknowledged(UUID reportId) implements SubmissionOutcome {}
}
