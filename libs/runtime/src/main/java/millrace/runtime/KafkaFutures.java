package millrace.runtime;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/** Answers of Kafka's admin client. */
public final class KafkaFutures {
    private KafkaFutures() {}

    /**
     * Waits for an answer, as long as the client does.
     *
     * @throws KafkaException where there is none, or the thread was interrupted
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
