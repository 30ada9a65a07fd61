package millrace.contracts.topics;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Waits until partitions can be used. A topic is made before every broker has heard of it, heard of before its leaders serve, and a
 * broker that has just started knows its topics before it leads them.
 */
public final class PartitionLeaders {
    private static final Duration PAUSE = Duration.ofMillis(20);

    private PartitionLeaders() {}

    /**
     * Asks where the partitions end until their leaders say so.
     *
     * @param ends as of {@link Topic#ends(int)}
     * @throws TimeoutException where some do not within this time
     * @throws ExecutionException where Kafka refuses
     */
    public static void await(Admin admin, Map<TopicPartition, OffsetSpec> ends, Duration timeout)
            throws InterruptedException, ExecutionException, TimeoutException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            try {
                admin.listOffsets(ends).all().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                return;
            } catch (ExecutionException e) {
                // Asked a broker that has not heard of it: the client repeats every other answer that passes by itself.
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
                Thread.sleep(PAUSE);
            }
        }
    }
}
