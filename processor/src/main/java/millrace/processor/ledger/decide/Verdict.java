package millrace.processor.ledger.decide;

/** The result of a command. */
public sealed interface Verdict {
    /** The command was decided. Its facts, if any, are in the pending changes. */
    record Taken() implements Verdict {}

    /** The command is not valid; nothing was changed. */
    record Refused(String reason) implements Verdict {}
}
