package millrace.notifier.loop;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import millrace.runtime.service.ServiceThreads;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Checks, on its own thread, that every partition of the deliveries has an owner. In cooperative rebalancing the member
 * that gives partitions up requests a second rebalance. If its run ends between the two, the next run with the same
 * instance id keeps the reduced assignment and requests nothing, so that the revoked partitions would have no owner
 * until another member joins or leaves.
 */
final class UnownedPartitionCheck implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final int ANSWER_WITHIN_MILLIS = 5000;

    private final Mailbox mailbox;
    private final Supplier<Admin> admins;
    private final ServiceThreads threads;
    private final Thread thread;

    UnownedPartitionCheck(Mailbox mailbox, Supplier<Admin> admins, ServiceThreads threads) {
        this.mailbox = mailbox;
        this.admins = admins;
        this.threads = threads;
        this.thread = threads.virtual().name("unowned-partition-check").start(this::run);
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            threads.sleep(PERIOD);
            try (Admin admin = admins.get()) {
                watch(admin);
            }
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt(); // the check is closed
        } catch (RuntimeException | Error e) {
            mailbox.put(new LoopMessage.Failed(e));
        }
    }

    private void watch(Admin admin) throws InterruptedException {
        boolean before = false;
        while (true) {
            // The second rebalance may be about to begin, so a partition must be without owner twice in a row.
            boolean now = partitionWithoutOwner(admin);
            if (now && before) {
                mailbox.put(new LoopMessage.Ownerless());
            }
            before = now;
            threads.sleep(PERIOD);
        }
    }

    private static boolean partitionWithoutOwner(Admin admin) throws InterruptedException {
        try {
            Collection<ConsumerGroupDescription> group = admin.describeConsumerGroups(
                            List.of(ConsumerGroups.NOTIFIERS),
                            new DescribeConsumerGroupsOptions().timeoutMs(ANSWER_WITHIN_MILLIS))
                    .all()
                    .get()
                    .values();
            Collection<TopicDescription> topic = admin.describeTopics(
                            List.of(Topics.DELIVERIES.name()),
                            new DescribeTopicsOptions().timeoutMs(ANSWER_WITHIN_MILLIS))
                    .allTopicNames()
                    .get()
                    .values();
            int owned = group.stream()
                    .flatMap(g -> g.members().stream())
                    .mapToInt(m -> m.assignment().topicPartitions().size())
                    .sum();
            int all = topic.stream().mapToInt(t -> t.partitions().size()).sum();
            return group.stream().allMatch(g -> g.groupState() == GroupState.STABLE) && owned < all;
        } catch (ExecutionException | KafkaException e) {
            // Kafka is unavailable, so a rebalance would not help.
            return false;
        }
    }
}
