package millrace.gateway.api.events;

import io.micronaut.http.sse.Event;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.gateway.copy.activity.ActivityEvent;
import millrace.gateway.copy.activity.ActivityEvent.Entered;
import millrace.gateway.copy.activity.ActivityEvent.Place;
import millrace.gateway.copy.activity.ActivityEvent.VersionAvailable;
import millrace.gateway.copy.activity.ActivityFeed;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;

/**
 * The stream of one client. It has no queue of events: it reads as many from the store as the
 * client's connection asks for, so that the others wait on disk. Whatever may have changed wakes
 * it; it then reads from its position on, which gives each event once and in its order.
 */
final class EventFeed {
    private static final Logger LOG = LoggerFactory.getLogger(EventFeed.class);
    /** A client that reads nothing is disconnected where so many events wait. */
    static final int MOST_WAITING = 256;

    private static final int MOST_READ = 64;
    /** How long a client is to wait before it connects again. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Reader reader;
    private final Source source;
    private final Executor executor;
    private final AtomicInteger wakeups = new AtomicInteger();
    private volatile @Nullable FluxSink<Event<String>> sink;
    private volatile boolean mayBeLost = true;
    private volatile boolean pingDue;
    private volatile long wroteAt;

    // Only for the one drain that runs.
    private FeedPosition position;
    private boolean begun;

    /**
     * Who reads.
     *
     * @param types that it wants
     * @param disconnect closes the connection, whatever was not written yet
     */
    record Reader(String accountId, String key, Set<EventType> types, Runnable disconnect) {}

    /**
     * What is read.
     *
     * @param visible whether an account may see a dataset
     */
    record Source(
            ActivityFeed activity, EventMessages messages, BiPredicate<String, String> visible, LongSupplier nanos) {}

    /** @param executor runs what reads the disk */
    EventFeed(Reader reader, Source source, FeedPosition from, Executor executor) {
        this.reader = reader;
        this.source = source;
        this.position = from;
        this.executor = executor;
        this.wroteAt = source.nanos().getAsLong();
    }

    Reader reader() {
        return reader;
    }

    /** Whether somebody has begun to read. */
    boolean begun() {
        return sink != null;
    }

    /**
     * The events, for one subscriber.
     *
     * @param ended runs once, when the stream has ended in whatever way
     */
    Flux<Event<String>> events(Runnable ended) {
        return Flux.create(
                subscriber -> {
                    sink = subscriber;
                    subscriber.onDispose(ended::run);
                    subscriber.onRequest(more -> wake());
                },
                FluxSink.OverflowStrategy.BUFFER);
    }

    /** Has it read what is new. Does not block. */
    void wake() {
        if (wakeups.getAndIncrement() == 0) {
            executor.execute(this::drain);
        }
    }

    /** The store was built again, maybe from other topics. */
    void rebuilt() {
        mayBeLost = true;
        wake();
    }

    /** Time since it wrote something, or found that the client does not read. */
    Duration quiet() {
        return Duration.ofNanos(source.nanos().getAsLong() - wroteAt);
    }

    /** Has it write a comment, so that the connection is not idle. */
    void ping() {
        pingDue = true;
        wake();
    }

    /** Ends the stream after what is on its way to the client. */
    void end() {
        FluxSink<Event<String>> open = sink;
        if (open != null) {
            open.complete();
        }
    }

    private void drain() {
        int seen = wakeups.get();
        do {
            FluxSink<Event<String>> open = sink;
            if (open != null && !open.isCancelled()) {
                try {
                    read(open);
                } catch (RuntimeException e) {
                    LOG.warn("feed ended accountId={} error={}", reader.accountId(), e.toString());
                    reader.disconnect().run();
                }
            }
            seen = wakeups.addAndGet(-seen);
        } while (seen != 0);
    }

    private void read(FluxSink<Event<String>> open) {
        if (!begun) {
            begun = true;
            write(open, Event.of("").retry(RETRY));
        }
        if (mayBeLost && source.activity().unavailable().isEmpty()) {
            mayBeLost = false;
            reset(open);
        }
        boolean more = !mayBeLost;
        while (more && open.requestedFromDownstream() > 0) {
            int most = (int) Math.min(MOST_READ, open.requestedFromDownstream());
            ActivityFeed.Events events = source.activity().after(reader.accountId(), position.positions(), most);
            events.events().forEach(event -> write(open, event));
            position = position.to(events.next());
            more = events.more();
            pingWhereDue(open);
        }
        pingWhereDue(open);
    }

    private void reset(FluxSink<Event<String>> open) {
        Optional<String> lost = source.activity().lost(position.positions());
        if (lost.isPresent()) {
            position = FeedPosition.at(source.activity().end());
            write(open, Event.of(EventMessages.reset(lost.get())).name(EventType.RESET));
        }
    }

    private void write(FluxSink<Event<String>> open, ActivityEvent event) {
        if (event instanceof VersionAvailable(Place _, DataVersionAvailable version)
                && !source.visible().test(reader.accountId(), version.dataset())) {
            position = position.after(event);
            return;
        }
        if (event instanceof Entered entered && entered.lowBelow() != null && !position.lowSent()) {
            position = position.afterLow();
            write(open, EventMessages.low(entered, entered.lowBelow()));
        }
        position = position.after(event);
        write(open, source.messages().of(event));
    }

    private void write(FluxSink<Event<String>> open, EventMessages.Message message) {
        if (reader.types().contains(message.type())) {
            write(open, Event.of(message.json()).name(message.type().word()));
        }
    }

    /** Each has the position, so that a client that wants few events does not fall behind. */
    private void write(FluxSink<Event<String>> open, Event<String> event) {
        open.next(event.id(position.text()));
        wroteAt = source.nanos().getAsLong();
        pingDue = false;
    }

    private void pingWhereDue(FluxSink<Event<String>> open) {
        if (!pingDue) {
            return;
        }
        if (open.requestedFromDownstream() > 0) {
            write(open, Event.of("").comment("ping"));
            return;
        }
        pingDue = false;
        wroteAt = source.nanos().getAsLong();
        if (waiting() >= MOST_WAITING) {
            LOG.info("feed disconnected, its client does not read accountId={}", reader.accountId());
            reader.disconnect().run();
        }
    }

    private int waiting() {
        return source.activity()
                .after(reader.accountId(), position.positions(), MOST_WAITING)
                .events()
                .size();
    }
}
