package millrace.gateway.api.status;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import millrace.gateway.copy.AccountTurns;
import millrace.gateway.settings.GatewaySettings;
import millrace.runtime.kafka.FoldedOffsets;

/** The requests that wait until their report changes. Each is a virtual thread, so that their number is bounded. */
@Singleton
public final class StatusWaits implements AutoCloseable {
    static final int OF_ACCOUNT = 20;
    static final int OF_GATEWAY = 400;

    private final FoldedOffsets foldedOffsets;
    private final Duration longest;
    private final AccountTurns places = new AccountTurns(OF_GATEWAY, OF_ACCOUNT);

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
        if (!places.enter(accountId, 0)) {
            return false;
        }
        try {
            boolean unused = foldedOffsets.await(
                    () -> closed || condition.getAsBoolean(), atMost.compareTo(longest) < 0 ? atMost : longest);
            return !closed;
        } finally {
            places.leave(accountId);
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
