package millrace.notifier.endpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides which endpoints are forgotten, of those that have no events. One that works knows nothing worth keeping. Of one
 * that does not, its owner can see for a day why, and it is not tried from the beginning; one with URLs that are gone is
 * kept as long as these are. But an account that has many of them, for example a host for each report, keeps the newest
 * only.
 */
public final class IdleEndpoints {
    static final Duration WORKING = Duration.ofMinutes(55);
    static final Duration FAILING = Duration.ofDays(1);
    /** Most idle endpoints of an account in a partition that are kept. */
    static final int MOST_OF_ACCOUNT = 1000;

    private static final Comparator<EndpointQueue> LEAST_WORTH = Comparator.<EndpointQueue, Boolean>comparing(
                    queue -> queue.goneUrls() > 0)
            .thenComparing(queue -> queue.history().publishedAt());

    private IdleEndpoints() {}

    /** @param queues of one partition */
    public static List<EndpointQueue> toForget(Collection<EndpointQueue> queues, long now) {
        List<EndpointQueue> forgotten = new ArrayList<>();
        Map<String, List<EndpointQueue>> kept = new HashMap<>();
        for (EndpointQueue queue : queues) {
            if (queue.idle() && queue.history().isPublished()) {
                Duration keep = queue.works() ? WORKING : FAILING;
                if (queue.goneUrls() == 0 && queue.history().publishedAt() < now - keep.toMillis()) {
                    forgotten.add(queue);
                } else {
                    kept.computeIfAbsent(queue.account(), a -> new ArrayList<>())
                            .add(queue);
                }
            }
        }
        for (List<EndpointQueue> ofAccount : kept.values()) {
            if (ofAccount.size() > MOST_OF_ACCOUNT) {
                ofAccount.sort(LEAST_WORTH);
                forgotten.addAll(ofAccount.subList(0, ofAccount.size() - MOST_OF_ACCOUNT));
            }
        }
        return forgotten;
    }
}
