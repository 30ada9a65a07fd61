package millrace.simulation.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.Test;

/** The behaviour of Kafka's consumer groups that services rely on. It runs on a real broker and on the model. */
interface GroupContract {
    String COOPERATIVE = CooperativeStickyAssignor.class.getName();

    ContractKafka kafka();

    private static Map<String, Object> cooperative(String instance) {
        return Map.of("group.instance.id", instance, "partition.assignment.strategy", COOPERATIVE);
    }

    @Test
    default void anEagerRebalanceTakesAllPartitionsFirst() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "eager", 4);
            var rebalancesA = new RecordedRebalances();
            var rebalancesB = new RecordedRebalances();
            try (Consumer<String, byte[]> a = c.consumer(Map.of("group.instance.id", "a"));
                    Consumer<String, byte[]> b = c.consumer(Map.of("group.instance.id", "b"))) {
                a.subscribe(List.of(c.topic), rebalancesA);
                c.pollUntil(() -> a.assignment().size() == 4, a);
                b.subscribe(List.of(c.topic), rebalancesB);
                c.pollUntil(() -> b.assignment().size() == 2 && a.assignment().size() == 2, a, b);
                a.close(CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
                c.pollUntil(() -> b.assignment().size() == 4, b);
            }
            assertThat(rebalancesA.calls)
                    .containsExactly("assigned[0, 1, 2, 3]", "revoked[0, 1, 2, 3]", "assigned[0, 1]", "revoked[0, 1]");
            assertThat(rebalancesB.calls)
                    .containsExactly("assigned[2, 3]", "revoked[2, 3]", "assigned[0, 1, 2, 3]", "revoked[0, 1, 2, 3]");
        });
    }

    @Test
    default void aCooperativeRebalanceMovesPartitionsInTwoRounds() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "cooperative", 4);
            var rebalancesA = new RecordedRebalances();
            var rebalancesB = new RecordedRebalances();
            try (Consumer<String, byte[]> a = c.consumer(cooperative("a"));
                    Consumer<String, byte[]> b = c.consumer(cooperative("b"))) {
                a.subscribe(List.of(c.topic), rebalancesA);
                c.pollUntil(() -> a.assignment().size() == 4, a);
                int generation = a.groupMetadata().generationId();
                b.subscribe(List.of(c.topic), rebalancesB);
                c.pollUntil(() -> b.assignment().size() == 2, a, b);
                assertThat(b.groupMetadata().generationId()).isEqualTo(generation + 2);
                c.pollUntil(() -> a.groupMetadata().generationId() == generation + 2, a, b);
            }
            assertThat(rebalancesA.calls)
                    .containsExactly(
                            "assigned[0, 1, 2, 3]", "revoked[2, 3]", "assigned[]", "assigned[]", "revoked[0, 1]");
            // The second round may begin before the member knows that the first one has ended.
            assertThat(rebalancesB.calls).endsWith("assigned[2, 3]", "revoked[2, 3]");
        });
    }

    @Test
    default void aStaticMemberTakesItsOldPlaceWithoutARebalance() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "static", 4);
            var rebalancesB = new RecordedRebalances();
            try (Consumer<String, byte[]> a = c.consumer(cooperative("a"));
                    Consumer<String, byte[]> b = c.consumer(cooperative("b"))) {
                a.subscribe(List.of(c.topic));
                c.pollUntil(() -> a.assignment().size() == 4, a);
                b.subscribe(List.of(c.topic), rebalancesB);
                c.pollUntil(() -> b.assignment().size() == 2, a, b);
                c.settle(a, b);
                Set<TopicPartition> before = a.assignment();
                int generation = b.groupMetadata().generationId();
                int calls = rebalancesB.calls.size();
                try (Consumer<String, byte[]> again = c.consumer(cooperative("a"))) {
                    again.subscribe(List.of(c.topic));
                    c.pollUntil(() -> !again.assignment().isEmpty(), again, b);
                    assertThat(again.assignment()).isEqualTo(before);
                    c.settle(again, b);
                    assertThat(again.groupMetadata().generationId()).isEqualTo(generation);
                    assertThat(rebalancesB.calls).hasSize(calls);
                    assertThatThrownBy(() -> c.pollUntil(() -> false, a)).isInstanceOf(FencedInstanceIdException.class);
                    int callsBefore = rebalancesB.calls.size();
                    b.close(CloseOptions.groupMembershipOperation(GroupMembershipOperation.REMAIN_IN_GROUP));
                    assertThat(rebalancesB.calls).hasSize(callsBefore + 1).endsWith("revoked[2, 3]");
                    again.close(CloseOptions.groupMembershipOperation(GroupMembershipOperation.REMAIN_IN_GROUP));
                    a.close(CloseOptions.groupMembershipOperation(GroupMembershipOperation.REMAIN_IN_GROUP));
                }
            }
        });
    }

    /**
     * The member that gave up partitions requests the second round. If it dies before and comes back, no member does.
     */
    @Test
    default void aDeathBetweenTheRoundsLeavesPartitionsToNobody() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "hole", 4);
            var death = new IllegalStateException("dies");
            try (Consumer<String, byte[]> a = c.consumer(cooperative("a"));
                    Consumer<String, byte[]> b = c.consumer(cooperative("b"))) {
                a.subscribe(List.of(c.topic), new ConsumerRebalanceListener() {
                    @Override
                    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}

                    @Override
                    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                        throw death;
                    }
                });
                c.pollUntil(() -> a.assignment().size() == 4, a);
                b.subscribe(List.of(c.topic));
                assertThatThrownBy(() -> c.pollUntil(() -> false, a, b)).hasRootCause(death);
                assertThatThrownBy(a::close).hasRootCause(death);
                try (Consumer<String, byte[]> again = c.consumer(cooperative("a"));
                        Admin admin = kafka().clients().admin(new HashMap<>(kafka().config()))) {
                    again.subscribe(List.of(c.topic));
                    c.pollUntil(() -> again.assignment().size() == 2, again, b);
                    c.settle(again, b);
                    assertThat(b.assignment()).isEmpty();
                    assertThat(c.owned(admin)).isEqualTo(2);
                    b.enforceRebalance("a partition has no owner");
                    c.pollUntil(() -> b.assignment().size() == 2, again, b);
                    assertThat(c.owned(admin)).isEqualTo(4);
                }
            }
        });
    }

    @Test
    default void offsetsCannotBeCommittedWithinARebalance() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "commit", 2);
            Map<TopicPartition, OffsetAndMetadata> offsets = Map.of(c.first, new OffsetAndMetadata(7, "seven"));
            try (Consumer<String, byte[]> a = c.consumer(cooperative("a"));
                    Consumer<String, byte[]> b = c.consumer(cooperative("b"))) {
                a.subscribe(List.of(c.topic));
                assertThatThrownBy(() -> a.commitSync(offsets)).isInstanceOf(CommitFailedException.class);
                c.pollUntil(() -> a.assignment().size() == 2, a);
                a.commitSync(offsets);
                assertThat(a.committed(Set.of(c.first))).containsEntry(c.first, offsets.get(c.first));
                b.subscribe(List.of(c.topic));
                b.poll(Duration.ofMillis(100));
                assertThatThrownBy(() -> b.commitSync(offsets)).isInstanceOf(RebalanceInProgressException.class);
                // Other members may go on until they have joined again.
                a.commitSync(offsets);
                b.close(CloseOptions.timeout(Duration.ZERO));
            }
        });
    }

    @Test
    default void aMemberThatClosesWhileItJoinsIsStillInTheGroup() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "closes", 2);
            try (Consumer<String, byte[]> a = c.consumer(cooperative("a"));
                    Consumer<String, byte[]> b = c.consumer(cooperative("b"));
                    Admin admin = kafka().clients().admin(new HashMap<>(kafka().config()))) {
                a.subscribe(List.of(c.topic));
                c.pollUntil(() -> a.assignment().size() == 2, a);
                int generation = a.groupMetadata().generationId();
                b.subscribe(List.of(c.topic));
                b.poll(Duration.ofMillis(100));
                b.close(CloseOptions.timeout(Duration.ofMillis(300))
                        .withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
                c.pollUntil(() -> a.groupMetadata().generationId() > generation, a);
                assertThat(c.members(admin).size()).isEqualTo(2);
                a.close(CloseOptions.timeout(Duration.ZERO));
            }
        });
    }

    @Test
    default void aMemberThatTheGroupHasRemovedLosesItsPartitions() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "removed", 2);
            var rebalances = new RecordedRebalances();
            Map<TopicPartition, OffsetAndMetadata> offsets = Map.of(c.first, new OffsetAndMetadata(7));
            Map<String, Object> shortTimeout = new HashMap<>(Map.of("max.poll.interval.ms", "1000"));
            try (Consumer<String, byte[]> a = c.consumer(shortTimeout);
                    Consumer<String, byte[]> b = c.consumer(Map.of())) {
                a.subscribe(List.of(c.topic), rebalances);
                c.pollUntil(() -> a.assignment().size() == 2, a);
                ConsumerGroupMetadata before = a.groupMetadata();
                kafka().sleep(Duration.ofMillis(1_500));
                b.subscribe(List.of(c.topic));
                c.pollUntil(() -> b.assignment().size() == 2, b);
                assertThat(before.generationId()).isLessThan(b.groupMetadata().generationId());
                assertThatThrownBy(() -> a.commitSync(offsets)).isInstanceOf(CommitFailedException.class);
                c.pollUntil(() -> a.assignment().size() == 1, a, b);
                assertThat(rebalances.calls)
                        .startsWith("assigned[0, 1]", "lost[0, 1]")
                        .hasSize(3);
            }
        });
    }

    @Test
    default void wakeupEndsOnePoll() throws Exception {
        kafka().run(() -> {
            var c = new ContractCase(kafka(), "wakeup", 1);
            try (Consumer<String, byte[]> reader = c.reader(Map.of())) {
                reader.wakeup();
                assertThatThrownBy(() -> reader.poll(Duration.ofSeconds(30))).isInstanceOf(WakeupException.class);
                assertThat(reader.poll(Duration.ofMillis(10))).isEmpty();
                var polled = kafka().concurrently(() -> {
                    try {
                        return reader.poll(Duration.ofSeconds(30)).count();
                    } catch (WakeupException e) {
                        return -1;
                    }
                });
                kafka().sleep(Duration.ofMillis(100));
                reader.wakeup();
                assertThat(polled.join()).isEqualTo(-1);
            }
        });
    }
}
