package millrace.notifier.endpoint;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.EndpointState.HeldReason;
import millrace.contracts.delivery.WebhookEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * The events of one endpoint, ordered by the time at which they are due and limited by {@link EndpointFlow}. Those of
 * a URL that is held are set aside ({@link HeldUrls}), so that those of other URLs do not wait for them. The next
 * event of a report waits until the first attempt of the previous one has ended, but not for its retries. Not
 * thread-safe.
 */
public final class EndpointQueue {
    private final String key;
    private final int partition;
    private final EndpointFlow flow;
    private @Nullable String id;
    private final EndpointHistory history = new EndpointHistory();
    private final EventTable held = new EventTable(EventTable.BY_ID);
    private final DueEventHeap waiting = new DueEventHeap();
    private final AccountUrls ofAccount;
    private final GoneUrls gone;
    private final HeldUrls urls;
    /** By report, the last event of those that wait for each other. */
    private final EventTable lastOfReport = new EventTable(EventTable.BY_REPORT);

    private @Nullable EndpointBacklog backlog;
    private int inFlight;
    private int unattempted;
    private int arrivals;
    private boolean dropped;
    private long oldest = Long.MAX_VALUE;
    private boolean oldestKnown = true;
    /** Used by {@link EndpointTurns} only. */
    EndpointTurns.@Nullable Alarm alarm;

    boolean inTurn;

    /**
     * @param key of the endpoint
     * @param partition of the topics that its events are in
     */
    public EndpointQueue(String key, int partition, EndpointFlow flow) {
        this(key, partition, flow, new AccountUrls());
    }

    /** @param ofAccount what all endpoints of the account in the partition remember */
    public EndpointQueue(String key, int partition, EndpointFlow flow, AccountUrls ofAccount) {
        this.key = key;
        this.partition = partition;
        this.flow = flow;
        this.ofAccount = ofAccount;
        this.gone = new GoneUrls(key, ofAccount);
        this.urls = new HeldUrls(key, waiting, ofAccount);
    }

    public String key() {
        return key;
    }

    /** Its id in public records; {@link WebhookEndpoint#id} computes a hash. */
    public String id() {
        if (id == null) {
            id = WebhookEndpoint.id(key);
        }
        return id;
    }

    /** The account of the endpoint; empty if the key does not say. */
    public String account() {
        return account(key);
    }

    /** The account of the endpoint with this key; empty if it does not say. */
    public static String account(String key) {
        return key.substring(0, Math.max(0, key.lastIndexOf('|')));
    }

    public int partition() {
        return partition;
    }

    public EndpointFlow flow() {
        return flow;
    }

    public EndpointHistory history() {
        return history;
    }

    /** Returns false, without a change, if an event with this id is held already. */
    public boolean add(HeldEvent event) {
        if (held.find(event) != null) {
            return false;
        }
        held.put(event);
        oldest = Math.min(oldest, event.occurredAt());
        event.queuedAs(arrivals++);
        if (event.attempts() > 0) {
            waiting.add(event);
            return true;
        }
        unattempted++;
        HeldEvent last = lastOfReport.put(event);
        if (last == null) {
            waiting.add(event);
        } else {
            last.followedBy(event);
        }
        return true;
    }

    /** Whether an event with this id is held. */
    public boolean holds(HeldEvent like) {
        return held.find(like) != null;
    }

    /**
     * Makes the event with the same id due at once if it waits for another attempt. An event that is in flight, or
     * waits for another event, stays as it is.
     */
    public void makeDue(HeldEvent like, long now) {
        HeldEvent event = held.find(like);
        if (event != null && (waiting.remove(event) || urls.remove(event))) {
            event.makeDue(now);
            waiting.add(event);
        }
    }

    /** Makes all events due at once, since the account or an operator says that the receiver works. */
    public void enable(long now) {
        flow.enable(now);
        urls.releaseAll();
        List<HeldEvent> all = new ArrayList<>(waiting.size());
        waiting.forEach(all::add);
        for (HeldEvent event : all) {
            waiting.remove(event);
            event.makeDue(now);
            waiting.add(event);
        }
    }

    /** Takes the next event that may start; from now on it is in flight. Null if none may start. */
    public @Nullable HeldEvent next(long now) {
        while (nextDue() <= now) {
            HeldEvent event = first();
            if (event == null) {
                return null;
            }
            boolean wasAside = urls.remove(event);
            if (!wasAside) {
                waiting.remove(event);
            }
            if (wasAside || !urls.setAside(event)) {
                urls.trying(event, true);
                inFlight++;
                flow.started(now);
                return event;
            }
        }
        return null;
    }

    /** The event that may start first, whenever that is. */
    private @Nullable HeldEvent first() {
        HeldEvent head = waiting.peek();
        HeldUrl url = urls.first();
        return url == null || (head != null && head.due() <= url.due())
                ? head
                : url.events().peek();
    }

    /**
     * Takes waiting events that occurred before {@code before} and were not resent. They are in flight from now on; the
     * caller gives them up. An event that was not attempted is not taken as long as the endpoint answers: it is
     * attempted first, even if its URL is held.
     */
    public List<HeldEvent> takeExpired(long before, int atMost) {
        List<HeldEvent> expired = new ArrayList<>();
        if (oldestHeld() >= before) {
            return expired;
        }
        List<HeldEvent> overdue = new ArrayList<>();
        Consumer<HeldEvent> look = event -> {
            if (event.occurredAt() < before && !event.isResent()) {
                if (!mayGiveUp(event)) {
                    overdue.add(event);
                } else if (expired.size() < atMost) {
                    expired.add(event);
                }
            }
        };
        waiting.forEach(look);
        urls.forEach(look);
        for (HeldEvent event : overdue) {
            event.markOverdue();
            if (urls.remove(event)) {
                waiting.add(event);
            }
        }
        expired.forEach(event -> {
            if (!waiting.remove(event)) {
                urls.remove(event);
            }
        });
        inFlight += expired.size();
        return expired;
    }

    /** Whether an event that is too old may be given up: it was attempted, or the whole endpoint fails. */
    public boolean mayGiveUp(HeldEvent event) {
        return event.attempts() > 0 || flow.breaker().holdsAll();
    }

    /**
     * Adapts to the result of an attempt; to be called before {@link #retryAt} or {@link #ended}.
     *
     * @param random from 0 to 1
     */
    public void attempted(HeldEvent event, String url, AttemptResult result, long startedAt, long now, double random) {
        CircuitBreaker breaker = flow.breaker();
        HeldUrl known = urls.find(event);
        boolean sinceHeld = known != null && startedAt >= known.since();
        int probes = known == null ? 0 : known.probes() + 1;
        boolean allHeld = breaker.holdsAll();
        boolean failsAlone = !breaker.open() && known != null && known.held(HeldUrl.Reason.FAILING);
        flow.ended(result, event.urlPath(), failsAlone, startedAt, now, inFlight, random);
        switch (result.sign()) {
            case GOOD -> {
                if (sinceHeld) {
                    urls.release(event);
                }
                if (allHeld) {
                    urls.releaseProbed();
                }
            }
            case BUSY -> askedToWait(url, result.pauseUntil(), now);
            case BAD -> {
                if (breaker.holdsAll()) {
                    urls.hold(url, HeldUrl.Reason.PROBED, breaker.nextProbe(), now);
                } else if (breaker.open()) {
                    if (!urls.hold(url, HeldUrl.Reason.FAILING, breaker.nextProbe(), now)) {
                        breaker.holdAll();
                    }
                } else if (failsAlone && sinceHeld) {
                    long pause = flow.probePause(probes, random);
                    urls.hold(url, HeldUrl.Reason.FAILING, now + pause, now);
                }
            }
        }
    }

    private void askedToWait(String url, @Nullable Instant asked, long now) {
        if (asked != null) {
            long until = Math.min(asked.toEpochMilli(), now + RetrySchedule.MAX_RETRY_AFTER.toMillis());
            if (!urls.hold(url, HeldUrl.Reason.RETRY_AFTER, until, now)) {
                flow.pause(urls.earliest());
            }
        }
    }

    /** Puts an event that is in flight back, for another attempt. */
    public void retryAt(HeldEvent event, long due) {
        inFlight--;
        urls.trying(event, false);
        boolean first = event.attempts() == 0;
        event.attemptFailed(due);
        waiting.add(event);
        if (first) {
            unattempted--;
            releaseNextOfReport(event);
        }
    }

    /** Removes an event that is in flight, since it is delivered or given up. */
    public void ended(HeldEvent event) {
        inFlight--;
        urls.trying(event, false);
        held.remove(event);
        oldestKnown &= event.occurredAt() > oldest;
        event.end();
        if (event.attempts() == 0) {
            unattempted--;
            releaseNextOfReport(event);
        }
    }

    private void releaseNextOfReport(HeldEvent event) {
        HeldEvent follower = event.releaseFollower();
        if (follower != null) {
            waiting.add(follower);
        } else if (lastOfReport.find(event) == event) {
            lastOfReport.remove(event);
        }
    }

    /** The time at which an attempt may start; {@link Long#MAX_VALUE} if no event waits or the cap is reached. */
    public long nextDue() {
        return inFlight >= flow.cap() ? Long.MAX_VALUE : nextStart();
    }

    /** As {@link #nextDue}, whatever is in flight. */
    private long nextStart() {
        HeldEvent head = waiting.peek();
        HeldUrl url = urls.first();
        long due = Math.min(head == null ? Long.MAX_VALUE : head.due(), url == null ? Long.MAX_VALUE : url.due());
        return due == Long.MAX_VALUE ? due : Math.max(due, flow.nextStart());
    }

    /** What is held, as a whole or by URL, until when and why; null if nothing is. */
    public EndpointState.@Nullable Held held(long now) {
        List<EndpointState.HeldUrl> single = urls.published();
        HeldReason reason = gone.full() ? HeldReason.GONE : heldReason(now);
        if (reason == null && single.isEmpty()) {
            return null;
        }
        long start = nextStart();
        return new EndpointState.Held(
                reason,
                reason == null || reason == HeldReason.GONE || start == Long.MAX_VALUE
                        ? null
                        : Instant.ofEpochMilli(start),
                single.size(),
                single.reversed().stream().limit(EndpointState.MAX_URLS).toList());
    }

    /** Until when and why nothing is sent to the URL of an event, or to the whole endpoint; null if neither is held. */
    public EndpointState.@Nullable HeldUrl hold(HeldEvent event, String url, long now) {
        HeldReason all = allHeld(now);
        if (all != null) {
            long until = all == HeldReason.FAILING ? flow.breaker().nextProbe() : flow.pausedUntil();
            return new EndpointState.HeldUrl(url, Instant.ofEpochMilli(until), all);
        }
        HeldUrl held = urls.find(event);
        return held == null || held.until() <= now ? null : held.published();
    }

    /** Why the endpoint waits whatever its URLs do; null if it does not. */
    private @Nullable HeldReason allHeld(long now) {
        if (flow.breaker().holdsAll()) {
            return HeldReason.FAILING;
        }
        return flow.pausedUntil() > now ? HeldReason.RETRY_AFTER : null;
    }

    /** Why the whole endpoint waits; null if it does not. */
    private @Nullable HeldReason heldReason(long now) {
        HeldReason all = allHeld(now);
        if (all != null) {
            return all;
        }
        HeldEvent first = first();
        HeldUrl url = first == null || nextStart() <= now ? null : urls.find(first);
        EndpointState.HeldUrl next = url == null ? null : url.published();
        if (next != null) {
            return next.reason();
        }
        return flow.breaker().open() && first == null ? HeldReason.FAILING : null;
    }

    /** Remembers that the URL answered 410 Gone. What follows is in {@link #takeDeleted}. */
    public void markGone(String url, long since) {
        gone.mark(url, since);
    }

    /**
     * A webhook test of the URL succeeded: what a 410 stopped goes on. Returns whether it was stopped. What follows is in
     * {@link #takeDeleted}.
     */
    public boolean reinstate(String url) {
        return gone.reinstate(url);
    }

    /** All that a 410 stopped goes on. What follows is in {@link #takeDeleted}. */
    public void reinstateAll() {
        gone.forgetAll();
    }

    /** Why nothing is sent to the URL since a 410; null if it is. */
    public @Nullable String whyGone(String url) {
        return gone.reason(url);
    }

    /** Number of URLs that answered 410. */
    public int goneUrls() {
        return gone.size();
    }

    /** The newest URLs that answered 410, as they are published. */
    public List<EndpointState.StoppedUrl> stopped() {
        return gone.newest(EndpointState.MAX_URLS);
    }

    /** Forgets what was remembered of URLs long enough. What follows is in {@link #takeDeleted}. */
    public void forgetOldUrls(long now) {
        gone.forgetOld(now);
        urls.forgetUnused(now);
    }

    /** Forgets what is remembered of all URLs. What follows is in {@link #takeDeleted}. */
    public void forgetUrls() {
        gone.forgetAll();
        urls.releaseAll();
    }

    /**
     * The keys of endpoints of the account in the partition that go on with a URL, since the account had too many. To be
     * called after a change, as these endpoints have changed, too.
     */
    public Set<String> takeReleased() {
        return ofAccount.takeReleased();
    }

    /** The keys of states that are to be deleted, of all endpoints of the account in the partition. */
    public List<String> takeDeleted() {
        return ofAccount.takeDeleted();
    }

    /** What waits in the source topic only; null if all events are held. */
    public @Nullable EndpointBacklog backlog() {
        return backlog;
    }

    /**
     * From now on no event of the endpoint is taken from the source, beginning with the one at this offset.
     *
     * @param since when that one occurred, in milliseconds since the epoch
     */
    public EndpointBacklog fallBehind(long offset, long since) {
        var begun = new EndpointBacklog(offset, offset - 1, since, 0);
        backlog = begun;
        return begun;
    }

    /** Nothing is left in the source topic; events are taken again as they arrive. */
    public void caughtUp() {
        backlog = null;
    }

    /** Takes over what a former owner published. */
    void restore(EndpointState state) {
        history.restore(state);
        flow.restore(state);
        if (state.held() != null) {
            for (EndpointState.HeldUrl url : state.held().newest().reversed()) {
                boolean failing = url.reason() == HeldReason.FAILING;
                HeldUrl.Reason why = failing ? HeldUrl.Reason.FAILING : HeldUrl.Reason.RETRY_AFTER;
                urls.hold(
                        url.url(),
                        why,
                        url.until().toEpochMilli(),
                        state.updatedAt().toEpochMilli());
                if (failing && url.until().equals(state.nextProbeAt())) {
                    flow.breaker().restoreOneUrl(UrlPath.hash(url.url()));
                }
            }
        }
    }

    void restore(EndpointBacklog left) {
        backlog = left;
    }

    /** Number of events held, waiting or in flight. */
    public int size() {
        return held.size();
    }

    /** Number of held events whose first attempt has not ended, without those that wait since their URL is held. */
    int unattempted() {
        return unattempted - urls.unattempted();
    }

    /** Number of events that are neither delivered nor given up, held or not. */
    public long waiting() {
        return held.size() + (backlog == null ? 0 : backlog.events());
    }

    public int inFlight() {
        return inFlight;
    }

    /** When the oldest event occurred, held or not; {@link Long#MAX_VALUE} if there is none. */
    public long oldest() {
        return backlog == null ? oldestHeld() : Math.min(oldestHeld(), backlog.since());
    }

    private long oldestHeld() {
        if (!oldestKnown) {
            oldest = Long.MAX_VALUE;
            held.forEach(event -> oldest = Math.min(oldest, event.occurredAt()));
            oldestKnown = true;
        }
        return oldest;
    }

    /** Whether the queue has no events, and can be forgotten. */
    public boolean idle() {
        return held.size() == 0 && backlog == null;
    }

    /** Whether the breaker is closed and no attempt has failed since the last one that succeeded. */
    public boolean works() {
        return !flow.breaker().open() && flow.breaker().failures() == 0 && !history.failedLast();
    }

    /** Drops all events, since another instance owns the endpoint now. */
    public void drop() {
        dropped = true;
    }

    public boolean dropped() {
        return dropped;
    }
}
