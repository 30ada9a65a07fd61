package millrace.gateway.copy.database;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a page has of a long list. It looks at a bounded number of entries, so that a filter that
 * matches few costs no more than one that matches all: such a page has fewer entries than were
 * asked for, perhaps none, and the next one goes on where it stopped.
 *
 * @param stoppedAt the last entry that was looked at, where there are more and the page is not full;
 *     else null
 */
public record PageScan<T>(List<T> found, @Nullable T stoppedAt) {
    /** A few milliseconds. */
    public static final int MOST_LOOKED_AT = 10_000;

    public static <T> PageScan<T> of(Iterator<T> list, Predicate<T> filter, int most) {
        return of(list, filter, entry -> false, most);
    }

    /** @param end whether neither an entry nor any after it is wanted */
    public static <T> PageScan<T> of(Iterator<T> list, Predicate<T> filter, Predicate<T> end, int most) {
        List<T> found = new ArrayList<>();
        for (int looked = 1; list.hasNext() && found.size() < most; looked++) {
            T entry = list.next();
            if (end.test(entry)) {
                break;
            }
            if (filter.test(entry)) {
                found.add(entry);
            }
            if (looked == MOST_LOOKED_AT && found.size() < most && list.hasNext()) {
                return new PageScan<>(found, entry);
            }
        }
        return new PageScan<>(found, null);
    }

    /**
     * The entry after which the next page begins; null where there is none.
     *
     * @param limit of the page, which was asked for one more
     */
    public @Nullable T last(int limit) {
        return found.size() > limit ? found.get(limit - 1) : stoppedAt;
    }

    /** @param limit of the page, which was asked for one more */
    public List<T> shown(int limit) {
        return found.subList(0, Math.min(limit, found.size()));
    }
}
