package millrace.contracts;

/** Consumer groups that more than one service must know. */
public final class ConsumerGroups {
    /**
     * The Streams application id of the processor: its committed offsets on {@link Topics#ACCOUNT_COMMANDS} say which commands
     * are already in the topics that it writes.
     */
    public static final String PROCESSOR = "millrace-processor";

    private ConsumerGroups() {}
}
