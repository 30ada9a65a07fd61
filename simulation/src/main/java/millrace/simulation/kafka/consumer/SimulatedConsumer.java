package millrace.simulation.kafka.consumer;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import millrace.simulation.kafka.broker.Broker;
import millrace.simulation.kafka.network.ClientConfig;
import millrace.simulation.kafka.network.Connection;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidGroupIdException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of the simulated cluster that behaves as Kafka's classic one. Not thread-safe, except for {@link #wakeup}.
 */
public final class SimulatedConsumer implements ConsumerMethods {
    private static final Duration CLOSE = Duration.ofSeconds(30);

    private final Connection connection;
    private final Broker broker;
    private final ClientConfig config;
    private final SingleThreadGuard thread;
    private final WakeupFlag wakeup = new WakeupFlag();
    private final ConsumerPositions positions = new ConsumerPositions();
    private final RecordFetcher fetches;
    private final InitialPositions initial;
    private final BrokerLookups lookups;
    private final @Nullable GroupConsumerState group;
    private Set<String> subscription = Set.of();

    public SimulatedConsumer(Connection connection, Broker broker, ClientConfig config) {
        this.connection = connection;
        this.broker = broker;
        this.config = config;
        this.thread = new SingleThreadGuard(connection.process());
        this.fetches = new RecordFetcher(connection, broker.logs(), positions, config);
        this.initial = new InitialPositions(connection, broker, positions, config);
        this.lookups = new BrokerLookups(connection, broker, wakeup);
        this.group = GroupConsumerState.of(connection, broker, positions, config, () -> !subscription.isEmpty());
    }

    @Override
    public Duration defaultTimeout() {
        return Duration.ofNanos(config.nanos("default.api.timeout.ms", 60_000));
    }

    @Override
    public ConsumerRecords<String, byte[]> poll(Duration timeout) {
        return thread.get(() -> {
            long deadline = connection.deadline(timeout.toNanos());
            while (true) {
                wakeup.throwIfRequested();
                long seen = connection.changes();
                advance();
                ConsumerRecords<String, byte[]> records = fetches.collect();
                fetches.send();
                if (records != null) {
                    return records;
                }
                if (!connection.await(() -> wakeup.isRequested() || connection.changes() != seen, deadline)) {
                    return ConsumerRecords.empty();
                }
            }
        });
    }

    private void advance() {
        if (group != null) {
            group.commits().callBack();
            if (!subscription.isEmpty()) {
                group.rebalances().advance();
            }
        }
        initial.advance();
    }

    @Override
    public void wakeup() {
        wakeup.request();
        connection.changed();
    }

    @Override
    public void subscribe(Collection<String> topics, @Nullable ConsumerRebalanceListener listener) {
        thread.run(() -> {
            subscription = new TreeSet<>(topics);
            group().rebalances().subscribe(topics, listener);
        });
    }

    @Override
    public void assign(Collection<TopicPartition> partitions) {
        thread.run(() -> positions.assign(partitions));
    }

    @Override
    public void unsubscribe() {
        thread.run(() -> {
            if (!subscription.isEmpty()) {
                group().leave(GroupMembershipOperation.DEFAULT, connection.now());
            }
            subscription = Set.of();
            positions.assign(List.of());
        });
    }

    @Override
    public Set<TopicPartition> assignment() {
        return thread.get(positions::assigned);
    }

    @Override
    public Set<String> subscription() {
        return thread.get(() -> new TreeSet<>(subscription));
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        thread.run(() -> group().commits().sync(offsets, timeout.toNanos(), wakeup));
    }

    @Override
    public void commitAsync(Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
        thread.run(() -> group().commits().async(offsets, callback));
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions, Duration timeout) {
        return thread.get(() -> lookups.committed(group().member().config().group(), partitions, timeout));
    }

    @Override
    public void seek(TopicPartition partition, long offset) {
        thread.run(() -> positions.seek(partition, offset));
    }

    @Override
    public void seekToBeginning(Collection<TopicPartition> partitions) {
        thread.run(() -> (partitions.isEmpty() ? positions.assigned() : partitions).forEach(p -> positions.seek(p, 0)));
    }

    @Override
    public void seekToEnd(Collection<TopicPartition> partitions) {
        endOffsets(partitions.isEmpty() ? assignment() : partitions).forEach(this::seek);
    }

    @Override
    public long position(TopicPartition partition, Duration timeout) {
        return thread.get(() -> {
            var unused =
                    connection.await(() -> wakeup.throwsOr(isKnown(partition)), connection.deadline(timeout.toNanos()));
            Long offset = positions.offset(partition);
            if (offset == null) {
                throw new TimeoutException("Timeout expired before the position of " + partition + " was known");
            }
            return offset;
        });
    }

    private boolean isKnown(TopicPartition partition) {
        if (positions.offset(partition) == null) {
            initial.advance();
        }
        return positions.offset(partition) != null;
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
        return thread.get(() -> lookups.partitions(topic, timeout));
    }

    @Override
    public Set<TopicPartition> paused() {
        return thread.get(positions::paused);
    }

    @Override
    public void pause(Collection<TopicPartition> partitions) {
        thread.run(() -> partitions.forEach(partition -> positions.pause(partition, true)));
    }

    @Override
    public void resume(Collection<TopicPartition> partitions) {
        thread.run(() -> partitions.forEach(partition -> positions.pause(partition, false)));
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions, Duration timeout) {
        return thread.get(() -> lookups.offsets(partitions, p -> 0, timeout));
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions, Duration timeout) {
        return thread.get(() -> lookups.offsets(
                partitions, config.readCommitted() ? broker.logs()::lastStable : broker.logs()::end, timeout));
    }

    /** Kafka's consumer knows the end of its last fetch, which is not later than this one. */
    @Override
    public OptionalLong currentLag(TopicPartition partition) {
        return thread.get(() -> {
            Long offset = positions.has(partition) ? positions.offset(partition) : null;
            long end = config.readCommitted()
                    ? broker.logs().lastStable(partition)
                    : broker.logs().end(partition);
            return offset == null ? OptionalLong.empty() : OptionalLong.of(end - offset);
        });
    }

    @Override
    public ConsumerGroupMetadata groupMetadata() {
        return thread.get(() -> group().member().groupMetadata());
    }

    @Override
    public void enforceRebalance(String reason) {
        thread.run(() -> group().member().rejoin());
    }

    @Override
    public void close(CloseOptions options) {
        if (thread.isClosed()) {
            return;
        }
        thread.run(() -> {
            long deadline = connection.deadline(options.timeout().orElse(CLOSE).toNanos());
            try {
                if (group != null) {
                    group.commits().await(deadline);
                    group.member().close();
                }
                if (group != null && !subscription.isEmpty()) {
                    group.leave(options.groupMembershipOperation(), deadline);
                }
            } finally {
                thread.close(); // only now, since the listener may call the consumer
            }
        });
    }

    private GroupConsumerState group() {
        if (group == null) {
            throw new InvalidGroupIdException("To use the group management or offset commit APIs, you must provide a"
                    + " valid group.id in the consumer configuration.");
        }
        return group;
    }
}
