package millrace.gateway.api.events;

import io.micronaut.scheduling.TaskExecutors;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.contracts.accounts.AccountRecord;
import millrace.gateway.access.AccessCheck;
import millrace.gateway.copy.activity.ActivityFeed;
import millrace.gateway.copy.activity.ActivityFeed.ActivityListener;
import millrace.gateway.settings.GatewaySettings;
import millrace.runtime.accounts.Accounts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The feeds that are open. Wakes those of an account that something happened to, has quiet ones
 * write a comment, and ends those whose key is not valid any more.
 */
@Singleton
public final class EventFeeds implements ActivityListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventFeeds.class);
    /** Of one account at this gateway. */
    static final int OF_ACCOUNT = 20;

    private static final Duration PING = Duration.ofSeconds(15);
    private static final Duration CHECK = Duration.ofSeconds(1);
    /** A response that nobody reads, since its client was gone before it began. */
    private static final Duration UNREAD = Duration.ofSeconds(10);

    private final AccessCheck access;
    private final Catalog catalog;
    private final Accounts accounts;
    private final EventFeed.Source source;
    private final ExecutorService blocking;
    private final Duration ping;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("feeds").daemon().factory());
    private final Map<String, List<EventFeed>> open = new HashMap<>();
    private boolean closed;

    EventFeeds(
            AccessCheck access,
            Catalog catalog,
            Accounts accounts,
            ActivityFeed activity,
            EventMessages messages,
            GatewaySettings settings,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.access = access;
        this.catalog = catalog;
        this.accounts = accounts;
        this.source = new EventFeed.Source(activity, messages, this::sees, System::nanoTime);
        this.blocking = blocking;
        // The server counts whole seconds of idle time, which may be half of what is set.
        Duration idle = settings.connection().idle().dividedBy(4);
        this.ping = idle.compareTo(PING) < 0 ? idle : PING;
        activity.listen(this);
        long every = Math.min(CHECK.toMillis(), Math.max(1, ping.toMillis() / 2));
        var unused = clock.scheduleWithFixedDelay(this::check, every, every, TimeUnit.MILLISECONDS);
    }

    /** Whether the account may ask for at least one metric of the dataset. */
    private boolean sees(String accountId, String dataset) {
        Set<String> categories = accounts.record(accountId)
                .map(AccountRecord::entitlements)
                .map(Map::keySet)
                .orElse(Set.of());
        return catalog.dataset(dataset)
                .filter(found -> found.metrics().stream().anyMatch(metric -> metric.categories().stream()
                        .map(CapabilityCategory::word)
                        .allMatch(categories::contains)))
                .isPresent();
    }

    /** A new feed; empty where the account has as many as it may. */
    Optional<EventFeed> open(EventFeed.Reader reader, FeedPosition from) {
        synchronized (open) {
            List<EventFeed> own = open.computeIfAbsent(reader.accountId(), id -> new ArrayList<>());
            if (own.size() >= OF_ACCOUNT) {
                return Optional.empty();
            }
            var feed = new EventFeed(reader, source, from, blocking);
            own.add(feed);
            source.activity().followed(true);
            return Optional.of(feed);
        }
    }

    /** Must be called for each feed. */
    void ended(EventFeed feed) {
        synchronized (open) {
            open.computeIfPresent(feed.reader().accountId(), (id, feeds) -> {
                feeds.remove(feed);
                return feeds.isEmpty() ? null : feeds;
            });
            source.activity().followed(!open.isEmpty());
        }
    }

    /** Whether the gateway is stopping and takes no new feeds. */
    boolean closed() {
        synchronized (open) {
            return closed;
        }
    }

    /** The number of open feeds. */
    public int size() {
        synchronized (open) {
            return open.values().stream().mapToInt(List::size).sum();
        }
    }

    @Override
    public void recorded(Set<String> accountIds) {
        synchronized (open) {
            if (accountIds.contains(EVERYBODY)) {
                open.values().forEach(feeds -> feeds.forEach(EventFeed::wake));
            } else if (!open.isEmpty()) {
                accountIds.forEach(id -> open.getOrDefault(id, List.of()).forEach(EventFeed::wake));
            }
        }
    }

    @Override
    public void complete() {
        all().forEach(EventFeed::rebuilt);
    }

    private List<EventFeed> all() {
        synchronized (open) {
            return open.values().stream().flatMap(List::stream).toList();
        }
    }

    private void check() {
        try {
            all().forEach(this::check);
        } catch (RuntimeException e) {
            LOG.error("checking the feeds failed", e);
        }
    }

    private void check(EventFeed feed) {
        if (!feed.begun()) {
            if (feed.quiet().compareTo(UNREAD) > 0) {
                ended(feed);
            }
        } else if (!access.granted(feed.reader().key(), feed.reader().accountId())) {
            end(feed);
        } else if (feed.quiet().compareTo(ping) >= 0) {
            feed.ping();
        }
    }

    /**
     * Ends all feeds and their connections, so that no request in progress holds up the shutdown.
     * Clients come back to another gateway and get there what they have missed.
     */
    @Override
    @PreDestroy
    public void close() {
        synchronized (open) {
            closed = true;
        }
        clock.shutdownNow();
        all().forEach(EventFeeds::end);
    }

    private static void end(EventFeed feed) {
        feed.end();
        feed.reader().disconnect().run();
    }
}
