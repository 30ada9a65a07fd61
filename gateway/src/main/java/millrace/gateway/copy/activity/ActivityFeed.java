package millrace.gateway.copy.activity;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The events of each account, for readers that follow them. Safe for use by many threads. */
public interface ActivityFeed {
    /**
     * A sentence for clients while the store is being built, else empty. The methods below must
     * only be called after this was empty; where building begins in between, they return nothing.
     */
    Optional<String> unavailable();

    /** The end of all partitions: what is recorded from now on comes after it. */
    Positions end();

    /** The positions, at the end of topics that the build which made them did not read. */
    Positions completed(Positions positions);

    /**
     * A sentence that says why reading cannot go on at the positions: they are older than what is
     * kept, beyond what Kafka has, or from other topics. Empty where nothing is missing. Asks Kafka
     * where they are ahead of this gateway, for up to two seconds.
     */
    Optional<String> lost(Positions positions);

    /**
     * The account's events after the positions: those of each partition in their order, all of them
     * about in the order of their time. Reads the disk.
     *
     * @param most at least 1
     */
    Events after(String accountId, Positions positions, int most);

    /**
     * Some events.
     *
     * @param next where to go on after all of them; between them, {@link Positions#after} is. It
     *     moves on without events, too, since other accounts have some
     * @param more whether there are more already
     */
    record Events(List<ActivityEvent> events, Positions next, boolean more) {}

    /** Is told of new events, on the thread that reads the topics, and so must not block. */
    interface ActivityListener {
        /** In place of an account. */
        String EVERYBODY = ActivityFold.EVERYBODY;

        /**
         * These accounts have new events, which can be read.
         *
         * @param accountIds {@link #EVERYBODY} among them where all may have one
         */
        void recorded(Set<String> accountIds);

        /** The store is complete again after it was being built: any account may have new events. */
        void complete();
    }

    /** Adds a listener until the process ends. */
    void listen(ActivityListener listener);

    /** Says whether somebody follows. Where nobody does, events may be told of a quarter of a second late. */
    void followed(boolean bySomebody);
}
