package millrace.contracts.topics;

/** Names of consumer groups that more than one class uses. */
public final class ConsumerGroups {
    /**
     * The Streams application id of the processor. Its committed offsets on {@link
     * Topics#ACCOUNT_COMMANDS} tell which commands the topics that it writes include.
     */
    public static final String PROCESSOR = "millrace-processor";

    /** Group of the render workers on {@link Topics#SLICES}. */
    public static final String RENDERERS = "millrace-renderers";
    /**
     * Group of the render workers on {@link Topics#SMALL_REPORTS}; separate, so that a rebalance of
     * one group does not affect the other.
     */
    public static final String SMALL_RENDERERS = "millrace-renderers-small";

    /** Group of the processors on {@link Topics#FILE_DELETIONS}. */
    public static final String FILE_DELETERS = "millrace-file-deleters";

    /** Group of the notifiers on {@link Topics#DELIVERIES}. */
    public static final String NOTIFIERS = "millrace-notifier";
    /** Group of the notifiers on {@link Topics#DATASET_EXAMPLES}. */
    public static final String ANNOUNCERS = "millrace-notifier-versions";

    private ConsumerGroups() {}
}
