package millrace.notifier.loop;

import java.util.List;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.IdleEndpoints;
import millrace.runtime.service.SteadyClock;

/**
 * Every 5 s, gives up expired events, looks for room for others, forgets idle endpoints and old URLs, and updates the
 * gauges. Not thread-safe.
 */
final class Housekeeping {
    private static final long EVERY_MILLIS = 5000;
    /** Endpoints of a partition that are forgotten at once: each is a record in one transaction. */
    private static final int MOST_FORGOTTEN = 1000;

    private final Ownership ownership;
    private final Deliveries deliveries;
    private final Backlogs backlogs;
    private final PendingWrites pendingWrites;
    private final DeliveryMetrics metrics;
    private final SteadyClock clock;
    private long due = Long.MIN_VALUE;

    Housekeeping(
            Ownership ownership,
            Deliveries deliveries,
            Backlogs backlogs,
            PendingWrites pendingWrites,
            DeliveryMetrics metrics,
            SteadyClock clock) {
        this.ownership = ownership;
        this.deliveries = deliveries;
        this.backlogs = backlogs;
        this.pendingWrites = pendingWrites;
        this.metrics = metrics;
        this.clock = clock;
    }

    void runDue(long now) {
        if (now < due) {
            return;
        }
        due = now + EVERY_MILLIS;
        deliveries.giveUpExpired();
        ownership.partitions().values().forEach(partition -> {
            backlogs.changed(partition);
            partition.queues().forEach(queue -> queue.forgetOldUrls(now));
            forget(partition, now);
            partition.takeDeleted(MOST_FORGOTTEN).forEach(key -> pendingWrites.remove(partition.number(), key));
        });
        metrics.updateGauges(ownership, deliveries.inFlight(), now, clock.wall().toEpochMilli());
    }

    private void forget(OwnedPartition partition, long now) {
        List<EndpointQueue> idle = IdleEndpoints.toForget(partition.queues(), now);
        for (EndpointQueue queue : idle.subList(0, Math.min(idle.size(), MOST_FORGOTTEN))) {
            pendingWrites.forget(partition.number(), queue.key());
            partition.forget(queue);
        }
    }
}
