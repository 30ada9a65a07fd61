package millrace.notifier.loop;

import java.time.Duration;
import java.util.List;
import millrace.notifier.attempt.DeliveryMetrics;
import millrace.notifier.attempt.DeliveryScheduler;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.ownership.OwnedPartition;
import millrace.notifier.persistence.PendingWrites;

/** What has to be done now and then: counting, giving up what is too old, forgetting endpoints. For one thread. */
public final class Housekeeping {
    private static final long EVERY_MILLIS = 5000;
    /** How long an endpoint is known after its last event. */
    private static final Duration KNOWN = Duration.ofDays(30);

    private final DeliveryScheduler deliveries;
    private final PendingWrites outbox;
    private final DeliveryMetrics figures;
    private long due = Long.MIN_VALUE;

    public Housekeeping(DeliveryScheduler deliveries, PendingWrites outbox, DeliveryMetrics figures) {
        this.deliveries = deliveries;
        this.outbox = outbox;
        this.figures = figures;
    }

    void inTime(long now) {
        if (now < due) {
            return;
        }
        due = now + EVERY_MILLIS;
        deliveries.giveUpExpired();
        deliveries.owned().values().forEach(partition -> forget(partition, now - KNOWN.toMillis()));
        figures.look(deliveries.ownership(), deliveries.inFlight(), now);
    }

    private void forget(OwnedPartition partition, long before) {
        List<EndpointQueue> idle = partition.queues().stream()
                .filter(queue -> queue.idle()
                        && queue.history().toldAt() > 0
                        && queue.history().toldAt() < before)
                .toList();
        for (EndpointQueue queue : idle) {
            outbox.forget(partition.number(), queue.key());
            partition.forget(queue);
        }
    }
}
