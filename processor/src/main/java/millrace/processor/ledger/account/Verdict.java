package millrace.processor.ledger.account;

/** What came of a command. */
public sealed interface Verdict {
    /** Its facts are in the pending changes; there may be none. */
    record Taken() implements Verdict {}

    /** It makes no sense; nothing was changed. */
    record Refused(String reason) implements Verdict {}
}
