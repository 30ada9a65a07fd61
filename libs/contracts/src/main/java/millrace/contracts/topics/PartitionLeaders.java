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
 * Waits until partitions have leaders. A new topic exists before every broker knows it, brokers
 * know it before its leaders serve, and a broker that has just started knows its topics before it
 * leads them.
 */
public final class PartitionLeaders {
    private static final Duration RETRY_BACKOFF = Duration.ofMillis(20);

    private PartitionLeaders() {}

    /**
     * Reads the end offsets until every leader answers.
     *
     * @param ends as of {@link Topic#ends(int)}
     * @throws TimeoutException where a leader does not answer within the timeout
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
                // The broker does not know the topic yet. The client itself retries every other temporary error.
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
                Thread.sleep(RETRY_BACKOFF);
            }
        }
    }
}
