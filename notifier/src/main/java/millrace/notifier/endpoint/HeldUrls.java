package millrace.notifier.endpoint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.notifier.endpoint.HeldUrl.Reason;
import org.jspecify.annotations.Nullable;

/** The URLs of an endpoint that are held, by the hash of {@link UrlPath}, while its others go on. Not thread-safe. */
final class HeldUrls {
    /** If so many are held, the endpoint waits as a whole. */
    static final int MOST = 100;
    /** For so long it is remembered how often a URL was held on. */
    private static final long KEEP_MILLIS = 600_000;

    private final DueEventHeap waiting;
    private final AccountUrls account;
    /** Those that are held, and those that were, as long as events are set aside for them. */
    private final Map<Integer, HeldUrl> urls = new LinkedHashMap<>(0);

    /** @param waiting the events that are not set aside */
    HeldUrls(DueEventHeap waiting, AccountUrls account) {
        this.waiting = waiting;
        this.account = account;
    }

    /**
     * Holds a URL, or holds it on. Returns false, without a change, if as many are held as may be.
     *
     * @param until in milliseconds since the epoch
     */
    boolean hold(String url, Reason why, long until, long now) {
        int path = UrlPath.hash(url);
        HeldUrl known = urls.get(path);
        if ((known == null || !known.held()) && !room(now)) {
            return false;
        }
        urls.computeIfAbsent(path, p -> new HeldUrl(WebhookEndpoint.withoutQuery(url), account))
                .hold(why, until, now);
        return true;
    }

    private boolean room(long now) {
        if (urls.size() >= MOST) {
            forgetUnusedSince(now);
            urls.values().removeIf(url -> {
                boolean released = !url.held();
                if (released) {
                    url.events().forEach(waiting::add);
                }
                return released;
            });
        }
        return urls.size() < MOST;
    }

    @Nullable
    HeldUrl find(HeldEvent event) {
        return urls.get(event.urlPath());
    }

    /** The earliest time at which one of them may be tried. */
    long earliest() {
        return urls.values().stream().mapToLong(HeldUrl::until).min().orElse(Long.MIN_VALUE);
    }

    /** The events of the URL go on. */
    void release(HeldEvent like) {
        HeldUrl url = urls.get(like.urlPath());
        if (url != null) {
            url.release();
        }
    }

    /** Releases those that were only held so that other URLs are tried. */
    void releaseProbed() {
        urls.values().stream().filter(url -> url.held(Reason.PROBED)).forEach(HeldUrl::release);
    }

    void releaseAll() {
        for (HeldUrl url : urls.values()) {
            url.release();
            url.events().forEach(waiting::add);
        }
        urls.clear();
    }

    /** Sets the event aside if its URL is held. */
    boolean setAside(HeldEvent event) {
        HeldUrl url = urls.get(event.urlPath());
        if (url == null || event.isOverdue() || !url.holds(event)) {
            return false;
        }
        url.setAside(event);
        return true;
    }

    /** Returns false if the event was not set aside. */
    boolean remove(HeldEvent event) {
        HeldUrl url = urls.get(event.urlPath());
        return url != null && url.remove(event);
    }

    /** The one with the event that may start first; null if none may. */
    @Nullable
    HeldUrl first() {
        HeldUrl first = null;
        long earliest = Long.MAX_VALUE;
        for (HeldUrl url : urls.values()) {
            long due = url.due();
            if (due < earliest) {
                first = url;
                earliest = due;
            }
        }
        return first;
    }

    /** To be called when an attempt of the event begins, and when it has ended. */
    void trying(HeldEvent event, boolean now) {
        HeldUrl url = urls.get(event.urlPath());
        if (url != null) {
            url.trying(now);
        }
    }

    /** Forgets what is held no longer and has no events. */
    void forgetUnused(long now) {
        forgetUnusedSince(now - KEEP_MILLIS);
    }

    private void forgetUnusedSince(long before) {
        urls.values().removeIf(url -> {
            boolean unused = url.unused(before);
            if (unused) {
                url.release();
            }
            return unused;
        });
    }

    void forEach(Consumer<HeldEvent> action) {
        urls.values().forEach(url -> url.events().forEach(action));
    }

    /** Events that were not attempted and may not start now. */
    int unattempted() {
        int sum = 0;
        for (HeldUrl url : urls.values()) {
            sum += url.unattempted();
        }
        return sum;
    }

    /** Those that are held for a reason of their own, the newest last. */
    List<EndpointState.HeldUrl> published() {
        return urls.values().stream()
                .map(HeldUrl::published)
                .filter(Objects::nonNull)
                .toList();
    }
}
