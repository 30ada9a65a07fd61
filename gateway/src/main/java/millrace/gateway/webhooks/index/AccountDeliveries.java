package millrace.gateway.webhooks.index;

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

/** The deliveries of one account, by report and by time. The index guards it. */
final class AccountDeliveries {
    private static final Comparator<DeliveryEntry> OLDEST_FIRST = Comparator.comparingLong(DeliveryEntry::occurredAt)
            .thenComparing(DeliveryEntry::report)
            .thenComparingInt(DeliveryEntry::sequence);

    private static final EndpointEntry NO_ENDPOINT = new EndpointEntry("", "", 0);

    /** One event of each report; further ones are its siblings. */
    private final Map<UUID, DeliveryEntry> byReport = new HashMap<>();

    private final NavigableSet<DeliveryEntry> byTime = new TreeSet<>(OLDEST_FIRST);
    private final Map<String, EndpointEntry> receivers = new HashMap<>();

    private int weight;

    int size() {
        return byTime.size();
    }

    /** Sum of the deliveries' weights. */
    int weight() {
        return weight;
    }

    EndpointEntry receiver(String account, String key, int partition) {
        return receivers.computeIfAbsent(key, k -> new EndpointEntry(account, k, partition));
    }

    @Nullable
    DeliveryEntry find(DeliveryId id) {
        for (DeliveryEntry d = byReport.get(id.report()); d != null; d = d.sibling) {
            if (d.sequence() == id.sequence()) {
                return d;
            }
        }
        return null;
    }

    void add(DeliveryEntry delivery) {
        delivery.sibling = byReport.put(delivery.report(), delivery);
        byTime.add(delivery);
        delivery.receiver().retain();
        weight += delivery.weight();
    }

    /** Newest first, after the cursor or from the newest. */
    Stream<DeliveryEntry> newest(@Nullable DeliveryCursor after) {
        NavigableSet<DeliveryEntry> rest = after == null ? byTime : byTime.headSet(at(after), false);
        return rest.descendingSet().stream();
    }

    Stream<DeliveryEntry> oldest() {
        return byTime.stream();
    }

    /** The deliveries of a report, newest first. */
    Stream<DeliveryEntry> of(UUID report, @Nullable DeliveryCursor after) {
        List<DeliveryEntry> all = new ArrayList<>();
        for (DeliveryEntry d = byReport.get(report); d != null; d = d.sibling) {
            if (after == null || OLDEST_FIRST.compare(d, at(after)) < 0) {
                all.add(d);
            }
        }
        return all.stream().sorted(OLDEST_FIRST.reversed());
    }

    /** Returns the weight of the forgotten delivery, 0 where there is none. */
    int forgetOldest() {
        DeliveryEntry oldest = byTime.pollFirst();
        if (oldest == null) {
            return 0;
        }
        weight -= oldest.weight();
        if (!oldest.receiver().release()) {
            receivers.remove(oldest.receiver().key());
        }
        DeliveryEntry head = byReport.get(oldest.report());
        if (head == oldest && oldest.sibling == null) {
            byReport.remove(oldest.report());
        } else if (head == oldest && oldest.sibling != null) {
            byReport.put(oldest.report(), oldest.sibling);
        } else {
            for (DeliveryEntry d = head; d != null; d = d.sibling) {
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

    private static DeliveryEntry at(DeliveryCursor cursor) {
        return new DeliveryEntry(cursor.id(), cursor.occurredAt(), NO_ENDPOINT, "");
    }
}
