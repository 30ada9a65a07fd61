package millrace.processor.repartition;

import java.util.HashMap;
import java.util.Map;
import millrace.contracts.topics.Topic;

/**
 * How far announcers had given an announcement to subscribers: {@code {dataset} {subscriber}}, in the partition of the
 * dataset.
 */
final class UnfinishedAnnouncements implements CommitMetadata {
    private final Map<Integer, String> texts = new HashMap<>();

    /** @throws IllegalArgumentException if a new partition would have two of them */
    UnfinishedAnnouncements(Map<Integer, Commit> before, int to) {
        before.values().forEach(commit -> {
            int end = commit.metadata().indexOf(' ');
            if (end > 0) {
                String dataset = commit.metadata().substring(0, end);
                String other = texts.put(Topic.partition(dataset, to), commit.metadata());
                if (other != null) {
                    throw new IllegalArgumentException("announcements of new data are not with all subscribers yet: "
                            + dataset + " and " + other.substring(0, other.indexOf(' ')));
                }
            }
        });
    }

    @Override
    public void copied(int from, long offset, int to, long newOffset, long committed) {
        // It names no offset.
    }

    @Override
    public String of(int to, long committed) {
        return texts.getOrDefault(to, "");
    }
}
