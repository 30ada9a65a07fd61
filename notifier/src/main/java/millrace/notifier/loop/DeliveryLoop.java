package millrace.notifier.loop;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import millrace.contracts.topics.Topics;
import millrace.notifier.NotifierSettings;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.service.SteadyClock;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of the notifier, on one thread. It reads deliveries, lets {@link Deliveries} make attempts, and commits
 * what follows from them within 100 ms. An exception ends the run; the next run restores its state from Kafka.
 */
public final class DeliveryLoop implements ConsumerRebalanceListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryLoop.class);
    /** Shorter iterations would handle single events, and cost more than the events. */
    private static final long MIN_ITERATION_NANOS = 4_000_000;
    /** How long an iteration is for each record and message of the one before: a poll costs as much as some of them. */
    private static final long NANOS_PER_MESSAGE = 1_000_000;
    /** Longer iterations would save little more, and each event waits for one or two of them. */
    private static final long MAX_ITERATION_NANOS = 7_000_000;

    private static final long MAX_WAIT_MILLIS = 500;
    private static final Duration LAST_ATTEMPTS = Duration.ofMillis(700);
    private static final Duration LEAVING = Duration.ofMillis(500);
    private static final Duration CLOSING = Duration.ofSeconds(1);

    private final ServiceThreads threads;
    private final SteadyClock clock;
    private final TransactionWriter transactions;
    private final Consumer<String, byte[]> consumer;
    private final Mailbox mailbox;
    private final PayloadReader payloadReader;
    private final BacklogReader backlogReader;
    private final TakeOver takeOver;
    private final UnownedPartitionCheck unownedPartitionCheck;
    private final PartitionBackpressure backpressure;
    private final Ownership ownership = new Ownership();
    private final PendingWrites pendingWrites;
    private final EndpointStatePublisher states;
    private final Deliveries deliveries;
    private final Backlogs backlogs;
    private final DeliveryRecordHandler recordHandler;
    private final CommitScheduler commits;
    private final Housekeeping housekeeping;
    private final Map<Integer, Integer> awaited = new HashMap<>();
    private final Set<Integer> assigned = new HashSet<>();
    private int requests;
    private long iterationBegan;
    private long iterationNanos = MIN_ITERATION_NANOS;
    private boolean running;
    private boolean lost;
    private volatile boolean ready;

    /**
     * Blocks until an open transaction of this instance's previous run has ended.
     *
     * @param clock that everything is due by
     */
    public DeliveryLoop(
            NotifierSettings settings,
            NotifierClients clients,
            NotifierEnvironment environment,
            SteadyClock clock,
            DeliveryMetrics metrics) {
        threads = environment.threads();
        this.clock = clock;
        transactions = new TransactionWriter(clients.producer(), threads);
        consumer = clients.groupMember();
        mailbox = new Mailbox(consumer, threads);
        payloadReader = new PayloadReader(mailbox, clients::payloadReader, threads);
        takeOver = new TakeOver(mailbox, clients::stateReader, settings.flow(), clock, threads);
        unownedPartitionCheck = new UnownedPartitionCheck(mailbox, clients::admin, threads);
        backlogReader = new BacklogReader(mailbox, clients::backlogReader, threads);
        backpressure = new PartitionBackpressure(consumer);
        pendingWrites = new PendingWrites(ownership, clock);
        states = new EndpointStatePublisher(pendingWrites, clock);
        deliveries = new Deliveries(
                settings, environment, clock, metrics, mailbox, payloadReader, ownership, pendingWrites, states);
        backlogs = new Backlogs(settings, clock, ownership, deliveries, pendingWrites, backlogReader);
        recordHandler = new DeliveryRecordHandler(ownership, deliveries, backlogs, pendingWrites, clock);
        commits = new CommitScheduler(consumer, transactions, ownership, pendingWrites, mailbox, clock);
        housekeeping = new Housekeeping(ownership, deliveries, backlogs, pendingWrites, metrics, clock);
        iterationBegan = threads.nanoTime();
    }

    /** Number of committed transactions. */
    public int commits() {
        return commits.count();
    }

    /**
     * Whether this instance is a member of the group and has taken over all partitions that it was assigned.
     * Thread-safe.
     */
    public boolean ready() {
        return ready;
    }

    /** The metrics of the group's consumer. Thread-safe. */
    public Map<MetricName, ? extends Metric> consumerMetrics() {
        return consumer.metrics();
    }

    /** Makes the loop look at everything at once, also whether it is to stop. Thread-safe. */
    public void wake() {
        mailbox.wake();
    }

    /** Returns once {@code stopping} is true. */
    public void run(BooleanSupplier stopping) {
        consumer.subscribe(List.of(Topics.DELIVERIES.name()), this);
        running = true;
        try {
            while (!stopping.getAsBoolean()) {
                iterate();
            }
        } finally {
            running = false;
            ready = false;
        }
    }

    private void iterate() {
        threads.parkNanos(iterationBegan + iterationNanos - threads.nanoTime());
        iterationBegan = threads.nanoTime();
        var records = mailbox.poll(Duration.ofMillis(pollTimeoutMillis()));
        if (lost) {
            throw new KafkaException("the session of this instance expired");
        }
        takeOverAssigned();
        recordHandler.take(records);
        int messages = readMessages();
        iterationNanos =
                Math.clamp((records.count() + messages) * NANOS_PER_MESSAGE, MIN_ITERATION_NANOS, MAX_ITERATION_NANOS);
        pendingWrites.saveOverdue(clock.millis());
        long now = clock.millis();
        housekeeping.runDue(now);
        if (!commits.late(now)) {
            backlogs.startReading();
            deliveries.startDue();
        }
        states.publish(now);
        backpressure.decide(ownership); // before a commit, which takes what has moved
        commits.runDue(now);
        ready = awaited.isEmpty() && consumer.groupMetadata().generationId() >= 0;
    }

    /** Waits a moment for attempts under way, commits, and leaves the group. */
    public void leave() {
        long end = threads.nanoTime() + LAST_ATTEMPTS.toNanos();
        while (deliveries.inFlight() > 0 && threads.nanoTime() < end) {
            LoopMessage message = mailbox.next(Duration.ofNanos(end - threads.nanoTime()));
            if (message != null) {
                read(message);
            }
        }
        commits.commitNow();
        consumer.close(CloseOptions.timeout(LEAVING)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    }

    private long pollTimeoutMillis() {
        long now = clock.millis();
        long until = Math.min(now + MAX_WAIT_MILLIS, commits.nextDue());
        until = Math.min(until, commits.late(now) ? Long.MAX_VALUE : deliveries.nextDue());
        until = Math.min(until, Math.min(pendingWrites.nextDue(), states.nextDue()));
        return until <= now ? 0 : until - now;
    }

    /** Returns how many there were. */
    private int readMessages() {
        int messages = 0;
        for (LoopMessage message = mailbox.next(); message != null; message = mailbox.next()) {
            read(message);
            messages++;
        }
        return messages;
    }

    private void read(LoopMessage message) {
        switch (message) {
            case LoopMessage.EndedAttempt ended -> {
                deliveries.ended(ended);
                backlogs.changed(ended.queue());
            }
            case LoopMessage.Fetched fetched -> {
                deliveries.fetched(fetched);
                backlogs.changed(fetched.queue());
            }
            case LoopMessage.BacklogRead read -> backlogs.take(read);
            case LoopMessage.TakenOver taken -> takenOver(taken);
            case LoopMessage.Ownerless o -> {
                LOG.warn("partition without owner, requesting a rebalance topic={}", Topics.DELIVERIES.name());
                consumer.enforceRebalance("a partition has no owner");
            }
            case LoopMessage.Failed(KafkaException error) -> throw new KafkaException("reading state failed", error);
            case LoopMessage.Failed(Throwable error) -> throw new IllegalStateException("a thread has failed", error);
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        consumer.pause(partitions);
        partitions.forEach(partition -> assigned.add(partition.partition()));
    }

    private void takeOverAssigned() {
        if (!assigned.isEmpty()) {
            requests++;
            assigned.forEach(number -> awaited.put(number, requests));
            takeOver.start(requests, assigned);
            assigned.clear();
        }
    }

    private void takenOver(LoopMessage.TakenOver taken) {
        for (OwnedPartition partition : taken.partitions()) {
            // If the request is another one, the partition has been revoked or assigned again since.
            if (awaited.remove(partition.number(), taken.request())) {
                deliveries.own(partition);
                backlogs.changed(partition);
                consumer.seek(partition.source(), partition.offsets().committed());
                consumer.resume(List.of(partition.source()));
                LOG.info("partition taken over partition={} events={}", partition.number(), partition.held());
            }
        }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        if (running) { // after an error the consumer closes and revokes too, but nothing may be committed any more
            int unused = readMessages();
            commits.commitNow();
        }
        drop(partitions);
    }

    /** Another instance may own the partitions already, so this run ends without a commit. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        drop(partitions);
        lost = true;
    }

    private void drop(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            assigned.remove(partition.partition());
            awaited.remove(partition.partition());
            backpressure.forget(partition);
            OwnedPartition owned = ownership.partitions().get(partition.partition());
            if (owned != null) {
                ownership.drop(owned);
            }
        }
    }

    /** Closes the clients without waiting for brokers that are unavailable. */
    @Override
    public void close() {
        unownedPartitionCheck.close();
        payloadReader.close();
        backlogReader.close();
        takeOver.close();
        transactions.close();
        consumer.close(CloseOptions.timeout(CLOSING));
    }
}
