package millrace.gateway.activity.store;

import java.util.Set;

/** Is told of new events, on the thread that reads the topics, and so must not block. */
public interface ActivityListener {
    /** These accounts have new events, which can be read. */
    void recorded(Set<String> accountIds);

    /** The store is complete again after it was being built: any account may have new events. */
    void complete();
}
