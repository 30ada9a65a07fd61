package millrace.gateway.access;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits what each account does a second at this gateway, whatever it does at others. For its
 * requests there is {@link ClusterRateLimit}.
 */
public final class RateLimit {
    private final Map<String, TokenBucket> buckets = new ConcurrentHashMap<>();
    private final LongSupplier nanos;
    private final int perSecond;

    /** @param nanos a clock that does not go back, as {@link System#nanoTime} */
    public RateLimit(LongSupplier nanos, int perSecond) {
        this.nanos = nanos;
        this.perSecond = perSecond;
    }

    /**
     * Counts one request.
     *
     * @return how long the account has to wait, or empty where the request is within the rate
     */
    public Optional<Duration> take(String accountId) {
        long now = nanos.getAsLong();
        var wait = new Duration @Nullable [1];
        buckets.compute(accountId, (id, bucket) -> {
            TokenBucket current = bucket == null ? TokenBucket.full(perSecond, now) : bucket;
            return switch (current.take(perSecond, now)) {
                case TokenBucket.Answer.Taken(TokenBucket next) -> next;
                case TokenBucket.Answer.Empty(Duration left) -> {
                    wait[0] = left;
                    yield current;
                }
            };
        });
        return Optional.ofNullable(wait[0]);
    }

    /**
     * Counts more of what was let through, also where it is above the rate: the account waits for it
     * the next time.
     */
    public void charge(String accountId, int more) {
        long now = nanos.getAsLong();
        buckets.compute(accountId, (id, bucket) -> (bucket == null ? TokenBucket.full(perSecond, now) : bucket)
                .takenElsewhere(more, perSecond, now));
    }
}
