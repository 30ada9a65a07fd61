package millrace.notifier.endpoint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
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

    private final String key;
    private final DueEventHeap waiting;
    private final AccountUrls account;
    private final Map<Integer, HeldUrl> urls = new LinkedHashMap<>(0);

    /**
     * @param key of the endpoint
     * @param waiting the events that are not set aside
     */
    HeldUrls(String key, DueEventHeap waiting, AccountUrls account) {
        this.key = key;
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
        HeldUrl held = urls.get(path);
        if (held != null) {
            held.holdOn(why, until, now);
        } else if (room(now)) {
            held = new HeldUrl(this, path, WebhookEndpoint.withoutQuery(url), why, until, now);
            urls.put(path, held);
        } else {
            return false;
        }
        account.add(held);
        return true;
    }

    private boolean room(long now) {
        if (urls.size() >= MOST) {
            forgetUnusedSince(now);
        }
        return urls.size() < MOST;
    }

    String key() {
        return key;
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
            release(url);
        }
    }

    /** Releases those that were only held so that other URLs are tried. */
    void releaseProbed() {
        release(urls.values().stream().filter(url -> url.held(Reason.PROBED)));
    }

    void releaseAll() {
        release(urls.values().stream());
    }

    private void release(Stream<HeldUrl> some) {
        some.toList().forEach(this::release);
    }

    private void release(HeldUrl url) {
        account.remove(url);
        goOn(url);
    }

    /** The events set aside for the URL, which is not one of the account's any more, go on in their order. */
    void goOn(HeldUrl url) {
        urls.remove(url.path());
        url.events().forEach(waiting::add);
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

    /** Forgets those whose time came long ago and that have no events. */
    void forgetUnused(long now) {
        forgetUnusedSince(now - KEEP_MILLIS);
    }

    private void forgetUnusedSince(long before) {
        release(urls.values().stream().filter(url -> url.unused(before)));
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
