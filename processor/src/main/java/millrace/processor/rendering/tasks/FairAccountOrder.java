package millrace.processor.rendering.tasks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Orders waiting tasks so that accounts take turns, however many tasks one of them has. The account whose last task
 * began longest ago comes first. Tasks of one account keep their order.
 */
final class FairAccountOrder {
    /** Number of accounts that are remembered, far more than can wait at once. */
    private static final int MOST = 10_000;

    private final Map<String, Long> last = new HashMap<>();
    private long turns;

    private record Place<T>(T task, int round, long last) {}

    /** @param waiting tasks in the order of their arrival */
    <T> List<T> order(Collection<T> waiting, Function<T, String> account) {
        Map<String, Integer> rounds = new HashMap<>();
        List<Place<T>> places = new ArrayList<>();
        for (T task : waiting) {
            String name = account.apply(task);
            int round = rounds.merge(name, 1, Integer::sum);
            places.add(new Place<>(task, round, last.getOrDefault(name, 0L)));
        }
        places.sort(Comparator.<Place<T>>comparingInt(Place::round).thenComparingLong(Place::last));
        return places.stream().map(Place::task).toList();
    }

    /** To be called when a task of the account begins. */
    void took(String account) {
        if (last.size() >= MOST) {
            last.clear();
        }
        last.put(account, ++turns);
    }
}
