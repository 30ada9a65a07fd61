package millrace.notifier.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryCommand.EnableEndpoint;
import millrace.contracts.delivery.DeliveryCommand.EraseReport;
import millrace.contracts.delivery.DeliveryCommand.Reinstate;
import millrace.contracts.delivery.DeliveryCommand.Resend;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.topics.Topics;
import millrace.notifier.NotifierSettings;
import millrace.notifier.endpoint.EndpointBacklog;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.notifier.endpoint.WindowRules;
import millrace.runtime.service.SteadyClock;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Leaves events in the source topic if an endpoint has no room for them, and takes them from there in their order. Events
 * that are too old by then are given up at once if the whole endpoint fails. One read is under way at a time; endpoints take
 * turns, and those of the same partition whose backlogs lie on the way get their events, too. Not thread-safe.
 */
final class Backlogs {
    private final NotifierSettings settings;
    private final WindowRules rules;
    private final SteadyClock clock;
    private final Ownership ownership;
    private final Deliveries deliveries;
    private final PendingWrites pendingWrites;
    private final BacklogReader reader;
    /** Endpoints that want more, in the order of their turns. */
    private final Set<EndpointQueue> wanting = new LinkedHashSet<>();

    private boolean reading;
    private int turns;

    Backlogs(
            NotifierSettings settings,
            SteadyClock clock,
            Ownership ownership,
            Deliveries deliveries,
            PendingWrites pendingWrites,
            BacklogReader reader) {
        this.settings = settings;
        this.rules = settings.windows();
        this.clock = clock;
        this.ownership = ownership;
        this.deliveries = deliveries;
        this.pendingWrites = pendingWrites;
        this.reader = reader;
    }

    /**
     * Leaves a new event in the source if its endpoint has no room, or has left others there. Returns false if the
     * event is to be taken.
     */
    boolean leave(EndpointQueue queue, long offset, Instant occurredAt) {
        EndpointBacklog backlog = queue.backlog();
        if (backlog == null) {
            if (room(queue) > 0) {
                return false;
            }
            // A new owner restores what is saved, and what follows from the backlog, before it reads the source again.
            pendingWrites.saveAll(queue);
            backlog = queue.fallBehind(offset, occurredAt.toEpochMilli());
            write(queue, backlog);
        }
        backlog.passOver(offset);
        return true;
    }

    /** To be called after a change of the endpoint that may have made room. */
    void changed(EndpointQueue queue) {
        if (wantsMore(queue)) {
            wanting.add(queue);
        }
    }

    /** To be called when bounds of accounts or of the process, or time, may have made room. */
    void changed(OwnedPartition partition) {
        partition.queues().forEach(this::changed);
    }

    /** Begins to read for the endpoint whose turn it is, if no read is under way. */
    void startReading() {
        if (reading) {
            return;
        }
        EndpointQueue first = next();
        EndpointBacklog begin = first == null ? null : first.backlog();
        if (first == null || begin == null) {
            return;
        }
        OwnedPartition partition = ownership.of(first);
        Map<String, BacklogReader.Wanted> wanted = new LinkedHashMap<>();
        for (Iterator<EndpointQueue> each = wanting.iterator(); each.hasNext(); ) {
            EndpointQueue other = each.next();
            EndpointBacklog backlog = other.backlog();
            if (other.partition() == first.partition()
                    && backlog != null
                    && backlog.from() >= begin.from()
                    && backlog.from() < begin.from() + BacklogReader.MAX_RECORDS
                    && wantsMore(other)) {
                want(other, backlog, wanted);
                each.remove();
            }
        }
        want(first, begin, wanted); // as the last, so that its next turn comes after those of the others
        reading = true;
        reader.read(new BacklogReader.Request(
                partition, begin.from(), partition.offsets().next(), wanted));
    }

    /** Every other turn is for endpoints that are served, so that they do not wait until those of many dead expire. */
    private @Nullable EndpointQueue next() {
        turns++;
        EndpointQueue served =
                turns % 2 == 0 ? next(queue -> !queue.flow().breaker().open()) : null;
        return served == null ? next(queue -> true) : served;
    }

    private @Nullable EndpointQueue next(Predicate<EndpointQueue> whose) {
        for (Iterator<EndpointQueue> each = wanting.iterator(); each.hasNext(); ) {
            EndpointQueue queue = each.next();
            boolean wants = wantsMore(queue);
            if (!wants || whose.test(queue)) {
                each.remove();
            }
            if (wants && whose.test(queue)) {
                return queue;
            }
        }
        return null;
    }

    private void want(EndpointQueue queue, EndpointBacklog backlog, Map<String, BacklogReader.Wanted> wanted) {
        // What has expired takes no room.
        int most = expired(queue, backlog) ? Integer.MAX_VALUE : room(queue);
        wanted.put(queue.key(), new BacklogReader.Wanted(backlog.from(), most));
    }

    /** Takes what was read, as far as there is room. */
    void take(LoopMessage.BacklogRead read) {
        reading = false;
        OwnedPartition partition = read.partition();
        if (!partition.equals(ownership.partitions().get(partition.number()))) {
            return;
        }
        Set<EndpointQueue> full = new HashSet<>();
        for (ConsumerRecord<String, byte[]> record : read.records()) {
            EndpointQueue queue = partition.known(record.key());
            EndpointBacklog backlog = queue == null ? null : queue.backlog();
            if (queue != null
                    && backlog != null
                    && backlog.contains(record.offset())
                    && !full.contains(queue)
                    && !take(queue, backlog, record)) {
                full.add(queue);
            }
        }
        read.reached().forEach((key, offset) -> {
            EndpointQueue queue = partition.known(key);
            EndpointBacklog backlog = queue == null ? null : queue.backlog();
            if (queue != null && backlog != null) {
                if (!full.contains(queue)) {
                    backlog.reached(offset);
                }
                settle(partition, queue, backlog);
            }
        });
    }

    private void settle(OwnedPartition partition, EndpointQueue queue, EndpointBacklog backlog) {
        // After a take-over the source may be read once more from before the offset.
        if (backlog.isEmpty() && backlog.from() <= partition.offsets().next()) {
            queue.caughtUp();
            pendingWrites.remove(queue.partition(), DeliveryState.Behind.key(queue.key()));
        } else if (backlog.moved()) {
            write(queue, backlog);
        }
        deliveries.changed(queue);
        changed(queue);
    }

    /** Returns false if there is no room for the event, which stays the first of its backlog. */
    private boolean take(EndpointQueue queue, EndpointBacklog backlog, ConsumerRecord<String, byte[]> record) {
        long offset = record.offset();
        long now = clock.millis();
        DeliveryCommand command = decoded(record);
        if (command == null) {
            backlog.reached(offset + 1); // it was given up when it arrived
            return true;
        }
        return switch (command) {
            case Deliver delivery ->
                take(
                        queue,
                        backlog,
                        HeldEvent.arrived(delivery, offset, now),
                        delivery,
                        delivery.occurredAt().toEpochMilli());
            // A resent event counts from the request, as it does for its retries.
            case Resend resend ->
                take(
                        queue,
                        backlog,
                        HeldEvent.resent(resend.delivery(), offset, resend.attempts(), now),
                        resend.delivery(),
                        resend.requestedAt().toEpochMilli());
            case Reinstate _, EnableEndpoint _, EraseReport _ -> {
                backlog.reached(offset + 1); // it was obeyed when it arrived
                yield true;
            }
        };
    }

    private static @Nullable DeliveryCommand decoded(ConsumerRecord<String, byte[]> record) {
        try {
            return Topics.DELIVERIES.decode(record.value());
        } catch (SerializationException e) {
            return null;
        }
    }

    private boolean take(EndpointQueue queue, EndpointBacklog backlog, HeldEvent event, Deliver delivery, long at) {
        boolean held = queue.holds(event);
        boolean expired = at < expiry(queue);
        if (!held && !expired && room(queue) == 0) {
            backlog.beginsWith(event.sourceOffset(), at);
            return false;
        }
        backlog.taken(event.sourceOffset(), at);
        if (held) {
            queue.makeDue(event, clock.millis()); // it is resent
        } else if (expired) {
            deliveries.expired(queue, delivery, event.attempts());
        } else {
            queue.add(event);
            ownership.oneMore(queue);
            pendingWrites.save(queue, event, delivery);
        }
        return true;
    }

    private void write(EndpointQueue queue, EndpointBacklog backlog) {
        pendingWrites.put(
                queue.partition(),
                new DeliveryState.Behind(queue.key(), backlog.from(), Instant.ofEpochMilli(backlog.since())));
        backlog.written();
    }

    private boolean wantsMore(EndpointQueue queue) {
        EndpointBacklog backlog = queue.backlog();
        return backlog != null
                && !queue.dropped()
                && (expired(queue, backlog) || rules.wantsMore(queue, ownership.held(queue)));
    }

    /**
     * Events of the backlog that occurred before are too old, in milliseconds since the epoch. None of them was
     * attempted, so that they are kept longer if the endpoint answers.
     */
    private long expiry(EndpointQueue queue) {
        Duration kept =
                queue.flow().breaker().holdsAll() ? settings.giveUpBacklogAfter() : NotifierSettings.LONGEST_BACKLOG;
        return clock.wall().toEpochMilli() - kept.toMillis();
    }

    private boolean expired(EndpointQueue queue, EndpointBacklog backlog) {
        return backlog.since() < expiry(queue);
    }

    private int room(EndpointQueue queue) {
        return rules.room(queue, ownership.held(queue));
    }
}
