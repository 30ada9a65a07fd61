package millrace.gateway.access;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Limits the requests per second of each account in the whole cluster, by their rate. Each gateway
 * has a bucket for each account that sends something, lets through what is in it, and tells the
 * others what it let through a moment later: they take that out of their own, also where there is
 * less in it. So every bucket comes to the same level, however the requests are spread; what was
 * too much for a moment is missing afterwards; and a gateway refuses nothing that a single gateway
 * would let through. Safe for use by many threads.
 */
public final class ClusterRateLimit {
    /**
     * What others say is up to so much older than it seems. Without it, an account that keeps its
     * limit would sometimes be refused.
     */
    private static final Duration ON_THE_WAY = Duration.ofMillis(100);

    private record Requests(String accountId, RequestRate rate) {}

    private final ConcurrentMap<Requests, AccountRate> accounts = new ConcurrentHashMap<>();
    private final LongSupplier nanos;
    /** The limit is divided by it: 1, or where gateways do not hear each other their number. */
    private volatile int divisor = 1;

    /** @param nanos a clock that does not go back, as {@link System#nanoTime} */
    public ClusterRateLimit(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Requests that a gateway let through.
     *
     * @param perSecond the account's limit
     * @param age of the first of them
     */
    public record Count(String accountId, RequestRate rate, int perSecond, int requests, Duration age) {}

    /**
     * What a request has left.
     *
     * @param left requests that this gateway would let through at once
     * @param pause how long the account has to wait, or empty if the request is within the rate
     */
    public record Taken(int left, Optional<Duration> pause) {}

    /**
     * Counts one request.
     *
     * @param perSecond the account's limit in the cluster
     */
    public Taken take(String accountId, RequestRate rate, int perSecond) {
        long now = nanos.getAsLong();
        double share = share(perSecond);
        var wait = new Duration @Nullable [1];
        AccountRate after = accounts.compute(new Requests(accountId, rate), (requests, known) -> {
            AccountRate account = known == null ? AccountRate.unused(perSecond, share, now) : known;
            return switch (account.bucket().take(share, now)) {
                case TokenBucket.Answer.Taken(TokenBucket left) -> account.passed(left, perSecond, now);
                case TokenBucket.Answer.Empty(Duration left) -> {
                    wait[0] = left;
                    yield account;
                }
            };
        });
        return new Taken(after.bucket().whole(share, now), Optional.ofNullable(wait[0]));
    }

    /**
     * What the other gateways are to count now: at most two counts for each request since the last
     * time. To be called every few hundred milliseconds.
     */
    public List<Count> tell() {
        long now = nanos.getAsLong();
        List<Count> told = new ArrayList<>();
        for (Requests requests : accounts.keySet()) {
            accounts.computeIfPresent(requests, (r, account) -> {
                AccountRate next = told(r, account, now, told);
                return next.isUnused(share(account.perSecond()), now) ? null : next;
            });
        }
        return told;
    }

    private AccountRate told(Requests requests, AccountRate account, long now, List<Count> told) {
        if (divisor > 1) {
            return account.withNothingToTell();
        }
        AccountRate.Told telling = account.tell(now);
        for (AccountRate.Passed passed : telling.due()) {
            told.add(new Count(
                    requests.accountId(),
                    requests.rate(),
                    account.perSecond(),
                    passed.requests(),
                    Duration.ofNanos(now - passed.since())));
        }
        return telling.next();
    }

    /** Another gateway let these through. */
    void passedElsewhere(Count count) {
        long now = nanos.getAsLong();
        long since = now - count.age().plus(ON_THE_WAY).toNanos();
        double share = share(count.perSecond());
        accounts.compute(new Requests(count.accountId(), count.rate()), (requests, known) -> {
            AccountRate account = known == null ? AccountRate.unused(count.perSecond(), share, since) : known;
            return account.passedElsewhere(count.requests(), share, since);
        });
    }

    /**
     * While gateways do not hear each other, each lets through its part of the limit.
     *
     * @param gateways 1 where they hear each other
     */
    void divideBy(int gateways) {
        divisor = Math.max(1, gateways);
    }

    /** Accounts that are not as if they had sent nothing, each once for each of its rates. */
    int size() {
        return accounts.size();
    }

    private double share(int perSecond) {
        return (double) perSecond / divisor;
    }

    /**
     * One account at one rate, as a gateway sees it: what it may still send, and what this gateway has
     * let through that the others do not count yet.
     *
     * @param perSecond the account's limit in the cluster
     * @param fresh let through since the others were last told
     * @param quiet let through before that, too few to be worth a word
     */
    private record AccountRate(TokenBucket bucket, int perSecond, Passed fresh, Passed quiet) {
        /**
         * A gateway keeps to itself at most a tenth of a second's worth in ten seconds, 1 % of the
         * limit: up to ten gateways stay within a tenth of it.
         */
        private static final int QUIET_PARTS = 10;

        private static final long QUIET_NANOS = 10_000_000_000L;

        /**
         * Requests that were let through.
         *
         * @param since the first of them
         */
        record Passed(int requests, long since) {
            static final Passed NONE = new Passed(0, 0);

            Passed plus(Passed later) {
                return requests == 0 ? later : new Passed(requests + later.requests, since);
            }
        }

        /**
         * @param due what the others are to count, the older ones first
         * @param next the account after they were told
         */
        record Told(List<Passed> due, AccountRate next) {}

        /** @param share of the limit that this gateway may let through */
        static AccountRate unused(int perSecond, double share, long now) {
            return new AccountRate(TokenBucket.full(share, now), perSecond, Passed.NONE, Passed.NONE);
        }

        /** @param left the bucket after a request that this gateway lets through */
        AccountRate passed(TokenBucket left, int limit, long now) {
            return new AccountRate(left, limit, fresh.plus(new Passed(1, now)), quiet);
        }

        AccountRate passedElsewhere(int requests, double share, long since) {
            return new AccountRate(bucket.takenElsewhere(requests, share, since), perSecond, fresh, quiet);
        }

        Told tell(long now) {
            Passed old = now - quiet.since() > QUIET_NANOS ? Passed.NONE : quiet;
            if ((long) QUIET_PARTS * (old.requests() + fresh.requests()) <= perSecond) {
                return new Told(List.of(), new AccountRate(bucket, perSecond, Passed.NONE, old.plus(fresh)));
            }
            return new Told(
                    Stream.of(old, fresh)
                            .filter(passed -> passed.requests() > 0)
                            .toList(),
                    withNothingToTell());
        }

        AccountRate withNothingToTell() {
            return new AccountRate(bucket, perSecond, Passed.NONE, Passed.NONE);
        }

        /** Whether it is as if the account had sent nothing. */
        boolean isUnused(double share, long now) {
            return fresh.requests() == 0 && quiet.requests() == 0 && bucket.isFull(share, now);
        }
    }
}
