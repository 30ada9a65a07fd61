package millrace.notifier.loop;

import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import millrace.contracts.delivery.EndpointState;
import millrace.notifier.endpoint.CircuitBreaker;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.runtime.service.SteadyClock;

/**
 * Publishes the states of endpoints: about a second after a breaker or a URL has changed, and every few seconds while
 * only numbers change. Not thread-safe.
 */
final class EndpointStatePublisher {
    private static final long CHECK_INTERVAL_MILLIS = 1000;

    private final PendingWrites pendingWrites;
    private final SteadyClock clock;
    private final Set<EndpointQueue> changed = new LinkedHashSet<>();
    private long nextCheck = Long.MIN_VALUE;

    /** @param clock that breakers are due by */
    EndpointStatePublisher(PendingWrites pendingWrites, SteadyClock clock) {
        this.pendingWrites = pendingWrites;
        this.clock = clock;
    }

    void changed(EndpointQueue queue) {
        changed.add(queue);
    }

    /** When a state may have to be published. */
    long nextDue() {
        return changed.isEmpty() ? Long.MAX_VALUE : nextCheck;
    }

    void publish(long now) {
        if (now < nextCheck) {
            return;
        }
        nextCheck = now + CHECK_INTERVAL_MILLIS;
        for (Iterator<EndpointQueue> each = changed.iterator(); each.hasNext(); ) {
            EndpointQueue queue = each.next();
            if (queue.dropped()) {
                each.remove();
            } else if (queue.history().publishDue(queue, now)) {
                EndpointState state = state(queue, now);
                pendingWrites.publishState(queue.partition(), PlannedTimes.moved(state, clock.toWall()));
                queue.history().published(state);
                // A ramp ends with time, without an event that would call changed().
                if (queue.flow().breaker().state(now) != EndpointState.Breaker.HALF_OPEN) {
                    each.remove();
                }
            }
        }
    }

    static EndpointState state(EndpointQueue queue, long now) {
        CircuitBreaker breaker = queue.flow().breaker();
        EndpointState.Breaker state = breaker.state(now);
        boolean open = state == EndpointState.Breaker.OPEN;
        return new EndpointState(
                queue.account(),
                queue.key(),
                state,
                breaker.failures(),
                state == EndpointState.Breaker.CLOSED ? null : Instant.ofEpochMilli(breaker.openSince()),
                open ? Instant.ofEpochMilli(breaker.nextProbe()) : null,
                queue.waiting(),
                queue.oldest() == Long.MAX_VALUE ? null : Instant.ofEpochMilli(queue.oldest()),
                queue.history().lastSuccess(),
                queue.history().lastError(),
                queue.goneUrls(),
                queue.stopped(),
                Instant.ofEpochMilli(now),
                queue.held(now));
    }
}
