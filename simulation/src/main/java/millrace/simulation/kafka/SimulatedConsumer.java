package millrace.simulation.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import millrace.simulation.broker.Broker;
import millrace.simulation.broker.Membership;
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
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** A consumer of the simulated cluster, as Kafka's classic one: for one thread, except for {@link #wakeup}. */
final class SimulatedConsumer implements ConsumerMethods {
    private static final ConsumerRebalanceListener NO_LISTENER = new ConsumerRebalanceListener() {
        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
    };

    private final Connection connection;
    private final Broker broker;
    private final ClientConfig config;
    private final Positions positions = new Positions();
    private final Fetches fetches;
    private final InitialPositions initial;
    private final @Nullable Membered group;
    private Set<String> subscription = Set.of();
    private boolean wakeup;
    private boolean closed;
    private @Nullable Thread user;
    private int entered;

    /** What a consumer with a group has besides. */
    private record Membered(GroupMember member, Rebalances rebalances, OffsetCommits commits) {}

    SimulatedConsumer(Connection connection, Broker broker, ClientConfig config) {
        this.connection = connection;
        this.broker = broker;
        this.config = config;
        this.fetches = new Fetches(connection, broker.logs(), positions, config);
        this.initial = new InitialPositions(connection, broker, positions, config);
        GroupConfig groupConfig = GroupConfig.of(config);
        this.group = groupConfig == null ? null : membered(new GroupMember(connection, broker.groups(), groupConfig));
    }

    private Membered membered(GroupMember member) {
        return new Membered(
                member,
                new Rebalances(connection, broker, positions, member, config.assignor()),
                new OffsetCommits(connection, broker.groups(), member, () -> !subscription.isEmpty()));
    }

    @Override
    public Duration defaultTimeout() {
        return Duration.ofNanos(config.nanos("default.api.timeout.ms", 60_000));
    }

    @Override
    public ConsumerRecords<String, byte[]> poll(Duration timeout) {
        return alone(() -> {
            long deadline = connection.deadline(timeout.toNanos());
            while (true) {
                throwIfWokenUp();
                long seen = connection.changes();
                advance();
                ConsumerRecords<String, byte[]> records = fetches.collect();
                fetches.send();
                if (records != null) {
                    return records;
                }
                if (!connection.await(() -> wakeup || connection.changes() != seen, deadline)) {
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

    private void throwIfWokenUp() {
        if (wakeup) {
            wakeup = false;
            throw new WakeupException();
        }
    }

    /** For conditions of waits that {@link #wakeup} ends. */
    private boolean neverButThrowsIfWokenUp() {
        throwIfWokenUp();
        return false;
    }

    @Override
    public void wakeup() {
        wakeup = true;
        connection.changed();
    }

    @Override
    public void subscribe(Collection<String> topics) {
        subscribe(topics, NO_LISTENER);
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
        alone(() -> {
            subscription = new TreeSet<>(topics);
            group().rebalances().subscribe(topics, listener);
            return true;
        });
    }

    @Override
    public void assign(Collection<TopicPartition> partitions) {
        alone(() -> {
            positions.assign(partitions);
            return true;
        });
    }

    @Override
    public void unsubscribe() {
        alone(() -> {
            leave(GroupMembershipOperation.DEFAULT, connection.now());
            subscription = Set.of();
            positions.assign(List.of());
            return true;
        });
    }

    @Override
    public Set<TopicPartition> assignment() {
        return alone(positions::assigned);
    }

    @Override
    public Set<String> subscription() {
        return alone(() -> Set.copyOf(subscription));
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        alone(() -> {
            group().commits().sync(offsets, timeout.toNanos(), this::neverButThrowsIfWokenUp);
            return true;
        });
    }

    @Override
    public void commitAsync(Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
        alone(() -> {
            group().commits().async(offsets, callback);
            return true;
        });
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions, Duration timeout) {
        return alone(() -> {
            String of = group().member().config().group();
            Set<TopicPartition> asked = Positions.sorted(partitions);
            Map<TopicPartition, OffsetAndMetadata> found =
                    answer(() -> broker.groups().offsets(of).fetch(asked), timeout);
            Map<TopicPartition, OffsetAndMetadata> all = new LinkedHashMap<>();
            asked.forEach(partition -> all.put(partition, found.get(partition)));
            return all;
        });
    }

    @Override
    public void seek(TopicPartition partition, long offset) {
        alone(() -> {
            positions.seek(partition, offset);
            return true;
        });
    }

    @Override
    public void seekToBeginning(Collection<TopicPartition> partitions) {
        alone(() -> {
            (partitions.isEmpty() ? positions.assigned() : partitions).forEach(p -> positions.seek(p, 0));
            return true;
        });
    }

    @Override
    public void seekToEnd(Collection<TopicPartition> partitions) {
        Collection<TopicPartition> all = partitions.isEmpty() ? assignment() : partitions;
        endOffsets(all).forEach(this::seek);
    }

    @Override
    public long position(TopicPartition partition, Duration timeout) {
        return alone(() -> {
            boolean known = connection.await(
                    () -> {
                        throwIfWokenUp();
                        if (positions.offset(partition) == null) {
                            initial.advance();
                        }
                        return positions.offset(partition) != null;
                    },
                    connection.deadline(timeout.toNanos()));
            Long offset = positions.offset(partition);
            if (!known || offset == null) {
                throw new TimeoutException(
                        "Timeout expired before the position of " + partition + " could be determined");
            }
            return offset;
        });
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
        return alone(() -> answer(() -> Metadata.partitions(broker.logs(), topic), timeout));
    }

    @Override
    public Set<TopicPartition> paused() {
        return alone(positions::paused);
    }

    @Override
    public void pause(Collection<TopicPartition> partitions) {
        alone(() -> {
            partitions.forEach(partition -> positions.pause(partition, true));
            return true;
        });
    }

    @Override
    public void resume(Collection<TopicPartition> partitions) {
        alone(() -> {
            partitions.forEach(partition -> positions.pause(partition, false));
            return true;
        });
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions, Duration timeout) {
        return offsets(partitions, timeout, partition -> 0L);
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions, Duration timeout) {
        return offsets(partitions, timeout, config.readCommitted() ? broker.logs()::lastStable : broker.logs()::end);
    }

    private Map<TopicPartition, Long> offsets(
            Collection<TopicPartition> partitions, Duration timeout, Function<TopicPartition, Long> offset) {
        return alone(() -> answer(
                () -> {
                    Map<TopicPartition, Long> offsets = new LinkedHashMap<>();
                    Positions.sorted(partitions).forEach(p -> offsets.put(p, offset.apply(p)));
                    return offsets;
                },
                timeout));
    }

    @Override
    public ConsumerGroupMetadata groupMetadata() {
        return alone(() -> group().member().groupMetadata());
    }

    @Override
    public void enforceRebalance(String reason) {
        alone(() -> {
            group().member().rejoin();
            return true;
        });
    }

    @Override
    public void close(CloseOptions options) {
        if (closed) {
            return;
        }
        alone(() -> {
            long deadline = connection.deadline(
                    options.timeout().orElse(Duration.ofSeconds(30)).toNanos());
            closed = true;
            if (group != null) {
                group.commits().await(deadline);
                group.member().close();
                leave(options.groupMembershipOperation(), deadline);
            }
            return true;
        });
    }

    /** A member that is about to join cannot leave before the group has answered. */
    private void leave(GroupMembershipOperation operation, long deadline) {
        Membered of = group();
        if (subscription.isEmpty()) {
            return;
        }
        of.rebalances().leave();
        boolean leaves =
                switch (operation) {
                    case LEAVE_GROUP -> true;
                    case REMAIN_IN_GROUP -> false;
                    case DEFAULT -> of.member().config().instanceId() == null;
                };
        Membership former = of.member().reset();
        boolean answered = connection.await(() -> !of.rebalances().isPending(), deadline);
        if (answered && leaves && former != null) {
            Request<Boolean> left = of.member().leave(former);
            connection.await(left::isDone, deadline);
        }
    }

    private <T> T answer(Supplier<T> operation, Duration timeout) {
        Request<T> request = connection.ask(operation);
        boolean done = connection.await(
                () -> neverButThrowsIfWokenUp() || request.isDone(), connection.deadline(timeout.toNanos()));
        if (!done) {
            request.abandon();
            throw new TimeoutException("Timeout of " + timeout + " expired before the broker answered");
        }
        return request.get();
    }

    private Membered group() {
        if (group == null) {
            throw new InvalidGroupIdException("To use the group management or offset commit APIs, you must provide a"
                    + " valid group.id in the consumer configuration.");
        }
        return group;
    }

    /** Runs a call of the user, who may call again from a listener, but not from another thread. */
    private <T> T alone(Supplier<T> call) {
        connection.process().mayYield();
        if (closed) {
            throw new IllegalStateException("This consumer has already been closed.");
        }
        if (user != null && user != Thread.currentThread()) {
            throw new ConcurrentModificationException("KafkaConsumer is not safe for multi-threaded access.");
        }
        user = Thread.currentThread();
        entered++;
        try {
            return call.get();
        } finally {
            entered--;
            user = entered == 0 ? null : user;
        }
    }
}
