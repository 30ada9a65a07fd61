package millrace.gateway.access;

import java.util.List;
import java.util.stream.Stream;

/**
 * One account at one rate, as a gateway sees it: what it may still send, and what this gateway has
 * let through that the others do not count yet.
 *
 * @param perSecond the account's limit in the cluster
 * @param fresh let through since the others were last told
 * @param quiet let through before that, too few to be worth a word
 */
record AccountRate(TokenBucket bucket, int perSecond, Passed fresh, Passed quiet) {
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
                Stream.of(old, fresh).filter(passed -> passed.requests() > 0).toList(), withNothingToTell());
    }

    AccountRate withNothingToTell() {
        return new AccountRate(bucket, perSecond, Passed.NONE, Passed.NONE);
    }

    /** Whether it is as if the account had sent nothing. */
    boolean isUnused(double share, long now) {
        return fresh.requests() == 0 && quiet.requests() == 0 && bucket.isFull(share, now);
    }
}
