package millrace.simulation.kafka.broker;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import millrace.simulation.kafka.group.GroupCoordinator;
import millrace.simulation.kafka.group.OffsetCommitRequest;
import millrace.simulation.kafka.network.ResponseCallback;
import millrace.simulation.kernel.Scheduler;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/** The coordinator of transactions. */
public final class TransactionCoordinator {
    private final Scheduler scheduler;
    private final PartitionLogs logs;
    private final GroupCoordinator groups;
    private final LongSupplier markerDelay;
    private final LongSupplier unavailableNanos;
    private final Map<String, TransactionState> transactions = new LinkedHashMap<>();
    private long producers;

    TransactionCoordinator(
            Scheduler scheduler,
            PartitionLogs logs,
            GroupCoordinator groups,
            LongSupplier markerDelay,
            LongSupplier unavailableNanos) {
        this.scheduler = scheduler;
        this.logs = logs;
        this.groups = groups;
        this.markerDelay = markerDelay;
        this.unavailableNanos = unavailableNanos;
    }

    /** The identity of a new idempotent producer without transactions. */
    public ProducerIdentity newProducer() {
        return new ProducerIdentity(null, producers++, 0);
    }

    /** Fences earlier producers with the transactional id; answers once their last transaction has ended. */
    public void init(String id, long timeoutNanos, ResponseCallback<ProducerIdentity> answer) {
        TransactionState last = transactions.get(id);
        if (last == null) {
            register(new TransactionState(id, producers++, 0, timeoutNanos), answer);
            return;
        }
        if (last.open) {
            last.epoch++;
            end(last, false);
        }
        if (last.ending) {
            last.whenEnded.add(() -> init(id, timeoutNanos, answer));
            return;
        }
        register(new TransactionState(id, last.producerId, last.epoch + 1, timeoutNanos), answer);
    }

    private void register(TransactionState transaction, ResponseCallback<ProducerIdentity> answer) {
        transactions.put(transaction.id, transaction);
        scheduler.trace().add("init " + transaction.id + " epoch " + transaction.epoch);
        answer.value(new ProducerIdentity(transaction.id, transaction.producerId, transaction.epoch));
    }

    /** Adds partitions; the first ones begin the transaction. */
    void write(ProducerIdentity producer, long number, List<TopicPartition> partitions) {
        begun(producer, number, Errors.INVALID_PRODUCER_EPOCH).partitions.addAll(partitions);
    }

    /** Adds offsets of a group, which stay pending until the transaction ends. */
    public void addOffsets(ProducerIdentity producer, long number, OffsetCommitRequest commit) {
        groups.checkTransactionalCommit(commit);
        begun(producer, number, Errors.PRODUCER_FENCED).groups.add(commit.group());
        groups.offsets(commit.group()).pend(producer.id(), commit.offsets());
    }

    /** Commits or aborts a transaction; the markers follow later. Idempotent. */
    public void end(ProducerIdentity producer, long number, boolean commit) {
        TransactionState transaction = current(producer, Errors.PRODUCER_FENCED);
        if (transaction.open && transaction.number == number) {
            end(transaction, commit);
        } else if (!commit && transaction.number < number) {
            transaction.number = number; // no request of the transaction has arrived
            transaction.committed = false;
        } else if (transaction.number != number || transaction.committed != commit) {
            throw Errors.INVALID_TXN_STATE.exception();
        }
    }

    private TransactionState begun(ProducerIdentity producer, long number, Errors fenced) {
        TransactionState transaction = current(producer, fenced);
        if (transaction.ending) {
            throw Errors.CONCURRENT_TRANSACTIONS.exception();
        }
        if (!transaction.open) {
            if (transaction.number >= number) {
                throw Errors.INVALID_TXN_STATE.exception(); // a late request of a transaction that has ended
            }
            transaction.open = true;
            transaction.number = number;
            startTimeout(transaction, transaction.timeoutNanos);
        }
        return transaction;
    }

    private TransactionState current(ProducerIdentity producer, Errors fenced) {
        TransactionState transaction = transactions.get(producer.transactionalId());
        if (transaction == null) {
            throw Errors.INVALID_PRODUCER_ID_MAPPING.exception();
        }
        if (transaction.epoch != producer.epoch()) {
            throw fenced.exception();
        }
        return transaction;
    }

    private void startTimeout(TransactionState transaction, long nanos) {
        transaction.timeout = scheduler.timer(nanos, () -> {
            long unavailable = unavailableNanos.getAsLong();
            if (unavailable > 0) {
                startTimeout(transaction, unavailable);
            } else {
                transaction.epoch++;
                end(transaction, false);
            }
        });
    }

    private void end(TransactionState transaction, boolean commit) {
        scheduler.trace().add((commit ? "commit " : "abort ") + transaction.id + " " + transaction.number);
        transaction.stopTimeout();
        transaction.open = false;
        transaction.ending = true;
        transaction.committed = commit;
        for (TopicPartition partition : transaction.partitions) {
            later(() -> {
                logs.log(partition).mark(transaction.producerId, commit);
                logs.changed(partition);
                transaction.partitions.remove(partition);
                ended(transaction);
            });
        }
        for (String group : transaction.groups) {
            later(() -> {
                groups.offsets(group).end(transaction.producerId, commit);
                transaction.groups.remove(group);
                ended(transaction);
            });
        }
        ended(transaction);
    }

    private void later(Runnable marker) {
        scheduler.timer(markerDelay.getAsLong(), () -> {
            if (unavailableNanos.getAsLong() > 0) {
                scheduler.timer(unavailableNanos.getAsLong(), () -> later(marker));
            } else {
                marker.run();
            }
        });
    }

    private static void ended(TransactionState transaction) {
        if (transaction.partitions.isEmpty() && transaction.groups.isEmpty()) {
            transaction.ending = false;
            List<Runnable> waiting = List.copyOf(transaction.whenEnded);
            transaction.whenEnded.clear();
            waiting.forEach(Runnable::run);
        }
    }
}
