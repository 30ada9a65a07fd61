package millrace.contracts.topics;

/** Consumer groups that more than one service must know. */
public final class ConsumerGroups {
    /**
     * The Streams application id of the processor: its committed offsets on {@link Topics#ACCOUNT_COMMANDS} say which commands
     * are already in the topics that it writes.
     */
    public static final String PROCESSOR = "millrace-processor";

    /** The render workers on {@link Topics#SLICES}. */
    public static final String RENDERERS = "millrace-renderers";
    /** The render workers on {@link Topics#SMALL_REPORTS}: a group of its own, so that a rebalance of one leaves the other. */
    public static final String SMALL_RENDERERS = "millrace-renderers-small";

    private ConsumerGroups() {}
}
