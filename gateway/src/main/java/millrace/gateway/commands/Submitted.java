package millrace.gateway.commands;

import java.util.UUID;

/** What became of a submission. */
public sealed interface Submitted {
    /** Durable: the report will end. */
    record Accepted(UUID reportId) implements Submitted {}

    /** The same had been accepted before. */
    record Replayed(UUID reportId) implements Submitted {}

    /** The Idempotency-Key belongs to another request. */
    record KeyTaken() implements Submitted {}

    record NotEnoughCredits(long estimate, long remaining) implements Submitted {}

    record TooManyOpen(int limit) implements Submitted {}

    /** @param bytes of the command; no more fit into a record */
    record TooLarge(int bytes) implements Submitted {}

    /** Its lists of entities or filter values could not be kept, so nothing was accepted. */
    record StoreAway() implements Submitted {}

    /** A disk has too little room, so nothing was accepted. */
    record DiskShort() implements Submitted {}

    /** The same is on its way already. */
    record Underway(UUID reportId) implements Submitted {}

    /** No acknowledgement in time: nobody knows whether it was accepted. */
    record Unacknowledged(UUID reportId) implements Submitted {}
}
