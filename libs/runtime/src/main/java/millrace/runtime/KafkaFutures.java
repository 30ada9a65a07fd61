package millrace.runtime;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/** Waits for answers of Kafka's admin client. */
public final class KafkaFutures {
    private KafkaFutures() {}

    /**
     * Blocks until the future has completed, as long as the client's timeout.
     *
     * @throws KafkaException where it fails, or the thread is interrupted
     */
    public static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
        }
    }
}
