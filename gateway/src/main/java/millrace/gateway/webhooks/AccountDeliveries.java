package millrace.gateway.webhooks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The deliveries of one account: by report, and by time. Guarded by the index. */
final class AccountDeliveries {
    private static final Comparator<Delivery> OLDEST_FIRST = Comparator.comparingLong(Delivery::occurredAt)
            .thenComparing(Delivery::report)
            .thenComparingInt(Delivery::sequence);

    private static final Receiver NOBODY = new Receiver("", "", 0);

    /** One event of each report; the others hang on it. */
    private final Map<UUID, Delivery> byReport = new HashMap<>();

    private final NavigableSet<Delivery> byTime = new TreeSet<>(OLDEST_FIRST);
    private final Map<String, Receiver> receivers = new HashMap<>();

    private int weight;

    int size() {
        return byTime.size();
    }

    /** Of all of them. */
    int weight() {
        return weight;
    }

    Receiver receiver(String account, String key, int partition) {
        return receivers.computeIfAbsent(key, k -> new Receiver(account, k, partition));
    }

    @Nullable
    Delivery find(DeliveryId id) {
        for (Delivery d = byReport.get(id.report()); d != null; d = d.sibling) {
            if (d.sequence() == id.sequence()) {
                return d;
            }
        }
        return null;
    }

    void add(Delivery delivery) {
        delivery.sibling = byReport.put(delivery.report(), delivery);
        byTime.add(delivery);
        delivery.receiver().hasOneMore();
        weight += delivery.weight();
    }

    /** Newest first, after the given place or from the start. */
    Stream<Delivery> newest(@Nullable DeliveryCursor after) {
        NavigableSet<Delivery> rest = after == null ? byTime : byTime.headSet(at(after), false);
        return rest.descendingSet().stream();
    }

    Stream<Delivery> oldest() {
        return byTime.stream();
    }

    /** Those of a report, newest first. */
    Stream<Delivery> of(UUID report, @Nullable DeliveryCursor after) {
        List<Delivery> all = new ArrayList<>();
        for (Delivery d = byReport.get(report); d != null; d = d.sibling) {
            if (after == null || OLDEST_FIRST.compare(d, at(after)) < 0) {
                all.add(d);
            }
        }
        return all.stream().sorted(OLDEST_FIRST.reversed());
    }

    /** Returns its weight, 0 where there is none. */
    int forgetOldest() {
        Delivery oldest = byTime.pollFirst();
        if (oldest == null) {
            return 0;
        }
        weight -= oldest.weight();
        if (!oldest.receiver().hasOneLess()) {
            receivers.remove(oldest.receiver().key());
        }
        Delivery head = byReport.get(oldest.report());
        if (head == oldest && oldest.sibling == null) {
            byReport.remove(oldest.report());
        } else if (head == oldest && oldest.sibling != null) {
            byReport.put(oldest.report(), oldest.sibling);
        } else {
            for (Delivery d = head; d != null; d = d.sibling) {
                if (d.sibling == oldest) {
                    d.sibling = oldest.sibling;
                }
            }
        }
        return oldest.weight();
    }

    boolean hasOlderThan(long time) {
        return !byTime.isEmpty() && byTime.first().occurredAt() < time;
    }

    private static Delivery at(DeliveryCursor place) {
        return new Delivery(place.id(), place.occurredAt(), NOBODY, "");
    }
}
