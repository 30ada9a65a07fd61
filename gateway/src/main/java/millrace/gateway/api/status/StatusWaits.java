package millrace.gateway.api.status;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import millrace.gateway.settings.GatewaySettings;
import millrace.runtime.kafka.FoldedOffsets;

/** The requests that wait until their report changes. Each is a virtual thread, so that their number is bounded. */
@Singleton
public final class StatusWaits implements AutoCloseable {
    static final int OF_ACCOUNT = 20;
    static final int OF_GATEWAY = 400;

    private final FoldedOffsets foldedOffsets;
    private final Duration longest;
    /** By account; guarded by itself. */
    private final Map<String, Integer> waiting = new HashMap<>();
    /** Guarded by {@link #waiting}. */
    private int all;

    private volatile boolean closed;

    @Inject
    StatusWaits(FoldedOffsets foldedOffsets, GatewaySettings settings) {
        // Nothing is sent meanwhile, and the server closes a connection that is idle; it counts whole seconds.
        this(foldedOffsets, settings.connection().idle().minusSeconds(2));
    }

    StatusWaits(FoldedOffsets foldedOffsets, Duration longest) {
        this.foldedOffsets = foldedOffsets;
        this.longest = longest;
    }

    /**
     * Blocks until the condition holds, or the time is over. If too many requests wait already, returns false at once:
     * their clients ask again when Retry-After says.
     *
     * @param condition checked whenever this gateway has read something
     */
    boolean await(String accountId, BooleanSupplier condition, Duration atMost) throws InterruptedException {
        if (!enter(accountId)) {
            return false;
        }
        try {
            boolean unused = foldedOffsets.await(
                    () -> closed || condition.getAsBoolean(), atMost.compareTo(longest) < 0 ? atMost : longest);
            return !closed;
        } finally {
            leave(accountId);
        }
    }

    private boolean enter(String accountId) {
        synchronized (waiting) {
            int own = waiting.getOrDefault(accountId, 0);
            if (all >= OF_GATEWAY || own >= OF_ACCOUNT) {
                return false;
            }
            waiting.put(accountId, own + 1);
            all++;
            return true;
        }
    }

    private void leave(String accountId) {
        synchronized (waiting) {
            waiting.computeIfPresent(accountId, (id, own) -> own == 1 ? null : own - 1);
            all--;
        }
    }

    /** Has all answered, so that no request in progress holds up the shutdown. */
    @Override
    @PreDestroy
    public void close() {
        closed = true;
        foldedOffsets.wakeWaiters();
    }
}
