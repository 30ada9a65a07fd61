package millrace.gateway.copy.activity;

import java.util.Set;

/** Is told of new events, on the thread that reads the topics, and so must not block. */
public interface ActivityListener {
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
