package millrace.notifier;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import millrace.contracts.DeliveryState;
import millrace.contracts.Topics;
import millrace.notifier.delivery.SourceOffsets;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of the notifier, on one thread: takes in deliveries, lets {@link Deliveries} act on them, and commits what came of
 * it, at the latest 100 ms after it happened. An exception ends it; another life then begins from what Kafka has.
 */
final class DeliveryLoop implements ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryLoop.class);
    /** Leaves time for the commit itself within the 100 ms. */
    private static final long COMMIT_EVERY_MILLIS = 70;

    private static final long SAVE_AFTER_MILLIS = 250;
    private static final long LONGEST_WAIT_MILLIS = 500;
    /** Open offsets of a partition: what is taken in faster than it can be started or saved. */
    private static final int MAX_OPEN = 5000;

    private static final Duration LAST_ATTEMPTS = Duration.ofMillis(700);
    private static final Duration LEAVING = Duration.ofMillis(500);

    private final Consumer<String, byte[]> consumer;
    private final TakeOver takeOver;
    private final Mailbox mailbox;
    private final Deliveries deliveries;
    private final Outbox outbox;
    private final NotifierSettings settings;
    private final Set<TopicPartition> assigned = new HashSet<>();
    private final Set<TopicPartition> paused = new HashSet<>();
    private long somethingSince = Long.MAX_VALUE;
    private boolean running;
    private boolean lost;
    private int commits;

    DeliveryLoop(
            Consumer<String, byte[]> consumer,
            TakeOver takeOver,
            Mailbox mailbox,
            Deliveries deliveries,
            Outbox outbox,
            NotifierSettings settings) {
        this.consumer = consumer;
        this.takeOver = takeOver;
        this.mailbox = mailbox;
        this.deliveries = deliveries;
        this.outbox = outbox;
        this.settings = settings;
    }

    /** Transactions committed so far. */
    int commits() {
        return commits;
    }

    /** Returns when {@code stopping} says so. */
    void run(BooleanSupplier stopping) {
        consumer.subscribe(List.of(Topics.DELIVERIES.name()), this);
        running = true;
        try {
            while (!stopping.getAsBoolean()) {
                turn();
            }
        } finally {
            running = false;
        }
    }

    private void turn() {
        var records = mailbox.poll(Duration.ofMillis(patience()));
        if (lost) {
            throw new KafkaException("this instance was taken for dead");
        }
        takeOverAssigned();
        records.forEach(deliveries::take);
        settleEnded();
        deliveries.saveArrivedUntil(deliveries.now() - SAVE_AFTER_MILLIS);
        deliveries.startDue();
        commitInTime();
        holdBack();
    }

    /** Lets attempts end for a moment, commits, and hands the partitions over. */
    void leave() {
        long end = System.nanoTime() + LAST_ATTEMPTS.toNanos();
        while (deliveries.inFlight() > 0 && System.nanoTime() < end) {
            EndedAttempt ended = mailbox.next(Duration.ofNanos(end - System.nanoTime()));
            if (ended != null) {
                deliveries.ended(ended);
            }
        }
        commit();
        consumer.close(CloseOptions.timeout(LEAVING)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    }

    private long patience() {
        long now = deliveries.now();
        long unsaved = deliveries.owned().values().stream()
                .mapToLong(OwnedPartition::oldestUnsaved)
                .min()
                .orElse(Long.MAX_VALUE);
        long until = Math.min(now + LONGEST_WAIT_MILLIS, deliveries.nextDue());
        until = Math.min(until, unsaved == Long.MAX_VALUE ? unsaved : unsaved + SAVE_AFTER_MILLIS);
        until = Math.min(until, outbox.isEmpty() ? Long.MAX_VALUE : somethingSince + COMMIT_EVERY_MILLIS);
        return Math.max(0, until <= now ? 0 : until - now);
    }

    private void settleEnded() {
        for (EndedAttempt ended = mailbox.next(); ended != null; ended = mailbox.next()) {
            deliveries.ended(ended);
        }
    }

    private void commitInTime() {
        if (outbox.isEmpty()) {
            return;
        }
        long now = deliveries.now();
        if (somethingSince == Long.MAX_VALUE) {
            somethingSince = now;
        }
        if (now - somethingSince >= COMMIT_EVERY_MILLIS) {
            commit();
        }
    }

    private void commit() {
        somethingSince = Long.MAX_VALUE;
        if (outbox.isEmpty() || deliveries.owned().isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        deliveries.owned().values().forEach(partition -> {
            partition.offsets().advance(consumer.position(partition.source()));
            offsets.put(partition.source(), partition.toCommit());
        });
        outbox.commit(offsets, consumer.groupMetadata());
        commits++;
    }

    /** Pauses partitions whose events come faster than they can be kept track of. */
    private void holdBack() {
        boolean full = deliveries.held() >= settings.heldEvents();
        deliveries.owned().values().forEach(partition -> {
            int open = partition.offsets().open();
            TopicPartition source = partition.source();
            if (full || open >= MAX_OPEN) {
                if (paused.add(source)) {
                    consumer.pause(List.of(source));
                }
            } else if (open < MAX_OPEN / 2 && paused.remove(source)) {
                consumer.resume(List.of(source));
            }
        });
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        consumer.pause(partitions);
        assigned.addAll(partitions);
    }

    private void takeOverAssigned() {
        if (assigned.isEmpty()) {
            return;
        }
        long before = deliveries.now();
        Map<Integer, SourceOffsets> offsets = takeOver.offsets(assigned);
        Map<Integer, List<DeliveryState>> states = takeOver.states(offsets.keySet());
        offsets.forEach((number, resumed) -> deliveries.own(
                new OwnedPartition(number, resumed, settings.inFlightPerEndpoint()),
                states.getOrDefault(number, List.of())));
        LOG.info(
                "took over partitions {} in {} ms; {} events wait",
                offsets.keySet(),
                deliveries.now() - before,
                deliveries.held());
        consumer.resume(assigned);
        assigned.clear();
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        if (running) { // and not closing after an error, when nothing may be committed any more
            settleEnded();
            commit();
        }
        drop(partitions);
    }

    /** Another instance may own them already: nothing that is known here counts any more. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        drop(partitions);
        lost = true;
    }

    private void drop(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            assigned.remove(partition);
            paused.remove(partition);
            OwnedPartition owned = deliveries.owned().get(partition.partition());
            if (owned != null) {
                deliveries.drop(owned);
            }
        }
    }
}
