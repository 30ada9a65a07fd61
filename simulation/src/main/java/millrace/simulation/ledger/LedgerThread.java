package millrace.simulation.ledger;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.streams.LedgerTransaction;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.service.SteadyClock;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;

/**
 * A stream thread. It reads commands, decides them task by task, and commits state, outputs and offsets in one
 * transaction. When it is fenced it discards its tasks, joins its group again, and continues from the last commit.
 */
final class LedgerThread implements ConsumerRebalanceListener {
    private static final Duration RESTORE = Duration.ofMillis(50);

    private final LedgerConfig config;
    private final ProcessorSupplier<String, byte[], String, byte[]> steps;
    private final ServiceThreads threads;
    private final SteadyClock clock;
    private final LedgerTransaction transaction;
    private final org.apache.kafka.clients.consumer.Consumer<String, byte[]> consumer;
    private final Changelog changelog;
    private final LedgerTransactions transactions;
    private final Map<Integer, LedgerTask> tasks = new TreeMap<>();
    private final Consumer<ProducerRecord<String, byte[]>> sink;
    private long lastCommit;

    LedgerThread(
            LedgerConfig config,
            KafkaClientFactory clients,
            ProcessorSupplier<String, byte[], String, byte[]> steps,
            LedgerTransaction transaction,
            ServiceThreads threads) {
        this.config = config;
        this.steps = steps;
        this.threads = threads;
        this.clock = new SteadyClock(threads);
        this.transaction = transaction;
        this.consumer = clients.consumer(config.mainConsumer());
        this.changelog = new Changelog(clients, config);
        this.transactions = new LedgerTransactions(clients, config.producer(), transaction);
        this.sink = transactions::send;
    }

    /** @param stopped evaluated between polls; once it is true the thread commits and leaves the group */
    void runUntil(BooleanSupplier stopped) {
        transaction.readBy(this::end);
        subscribe();
        while (!stopped.getAsBoolean()) {
            try {
                step();
            } catch (TaskMigratedException e) {
                migrated();
            } catch (KafkaException e) {
                // Exceptions of a rebalance listener are wrapped.
                if (!(e.getCause() instanceof TaskMigratedException)) {
                    throw e;
                }
                migrated();
            }
        }
        leave();
    }

    private void subscribe() {
        consumer.subscribe(List.of(Topics.ACCOUNT_COMMANDS.name()), this);
    }

    private void step() {
        List<LedgerTask> restoring =
                tasks.values().stream().filter(task -> !task.running()).toList();
        Duration longest = restoring.isEmpty() ? config.poll() : Duration.ZERO;
        for (ConsumerRecord<String, byte[]> command : poll(longest)) {
            LedgerTask task = tasks.get(command.partition());
            if (task == null) {
                throw new IllegalStateException("there is no task for " + command);
            }
            task.add(command);
        }
        restore();
        boolean more = true;
        while (more) {
            more = process();
            long now = clock.millis();
            tasks.values().forEach(task -> task.punctuate(now));
            if (tasks.values().stream().anyMatch(LedgerTask::wantsCommit)
                    || threads.nanoTime() - lastCommit > config.commitInterval().toNanos()) {
                commit();
            }
        }
    }

    /** As the consumer that Streams is given. */
    private Iterable<ConsumerRecord<String, byte[]>> poll(Duration longest) {
        return transaction.awaitAnswers() ? List.of() : consumer.poll(transaction.poll(longest));
    }

    private long end(TopicPartition partition) {
        OptionalLong lag = consumer.currentLag(partition);
        return lag.isEmpty() ? -1 : consumer.position(partition) + lag.getAsLong();
    }

    private void restore() {
        List<LedgerTask> restoring =
                tasks.values().stream().filter(task -> !task.running()).toList();
        if (restoring.isEmpty() || !transactions.initialise()) {
            return;
        }
        for (LedgerTask task : changelog.restore(restoring, RESTORE)) {
            task.begin(LedgerConfig.APPLICATION, sink, clock::millis);
            consumer.resume(List.of(task.partition()));
        }
    }

    /** Decides one command of each task; returns false where there was none. */
    private boolean process() {
        boolean some = false;
        for (LedgerTask task : tasks.values()) {
            some |= task.process();
        }
        return some;
    }

    private void commit() {
        List<LedgerTask> changed =
                tasks.values().stream().filter(LedgerTask::commitNeeded).toList();
        Map<TopicPartition, OffsetAndMetadata> offsets = new LinkedHashMap<>();
        for (LedgerTask task : changed) {
            task.flush(sink);
            OffsetAndMetadata offset = task.offset();
            if (offset != null) {
                offsets.put(task.partition(), offset);
            }
        }
        transactions.commit(offsets, consumer.groupMetadata());
        changed.forEach(LedgerTask::committed);
        lastCommit = threads.nanoTime();
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
        consumer.pause(assigned); // paused until the state is restored
        for (TopicPartition partition : assigned) {
            tasks.put(partition.partition(), task(partition));
        }
    }

    private LedgerTask task(TopicPartition partition) {
        String store = steps.stores().iterator().next().name();
        var log = new TopicPartition(LedgerConfig.changelog(store), partition.partition());
        return new LedgerTask(partition, log, new LedgerStore(store), steps.get());
    }

    /** Commits all tasks, since they share the transaction. */
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        if (!tasks.isEmpty()) {
            commit();
            revoked.forEach(this::close);
        }
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
        lost.forEach(this::close);
        transactions.renew();
    }

    private void close(TopicPartition partition) {
        LedgerTask task = tasks.remove(partition.partition());
        if (task != null) {
            changelog.forget(List.of(task));
            task.close();
        }
    }

    private void migrated() {
        List.copyOf(tasks.values()).forEach(task -> close(task.partition()));
        transactions.renew();
        consumer.unsubscribe();
        subscribe();
    }

    private void leave() {
        try {
            commit();
        } catch (TaskMigratedException e) {
            // other processes have the tasks by now
        }
        transactions.close();
        changelog.close();
        tasks.clear();
        consumer.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    }
}
