package millrace.notifier.endpoint;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;

/**
 * What is remembered of single URLs of an account, of all its endpoints in a partition: that they are gone, or held.
 * If there is too much, the oldest is forgotten, so that its URL is tried again. Not thread-safe.
 */
public final class AccountUrls {
    /** Each with up to 2 KB. */
    static final int MOST = 1000;

    private final SequencedSet<Entry> entries = new LinkedHashSet<>();
    private Set<String> released = new LinkedHashSet<>(0);
    private List<String> deleted = new ArrayList<>(0);

    /** One URL. */
    interface Entry {
        /** The key of its endpoint. */
        String endpoint();

        /** Forgets the URL, which is not one of the account's any more. */
        void forget();
    }

    /** Adds the entry as the newest, or makes it the newest. */
    void add(Entry entry) {
        entries.addLast(entry);
        if (entries.size() > MOST) {
            Entry oldest = entries.removeFirst();
            oldest.forget();
            released.add(oldest.endpoint());
        }
    }

    /** The keys of the endpoints of which the oldest URL was forgotten since the last call. */
    Set<String> takeReleased() {
        Set<String> taken = released;
        if (!taken.isEmpty()) {
            released = new LinkedHashSet<>(0);
        }
        return taken;
    }

    void remove(Entry entry) {
        entries.remove(entry);
    }

    int size() {
        return entries.size();
    }

    /** @param key of a state that is to be deleted */
    void deleted(String key) {
        deleted.add(key);
    }

    /** The keys of states that are to be deleted since the last call. */
    public List<String> takeDeleted() {
        List<String> taken = deleted;
        if (!taken.isEmpty()) {
            deleted = new ArrayList<>(0);
        }
        return taken;
    }
}
