package millrace.runtime;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/** Waits for answers of Kafka's admin client. */
public final class KafkaFutures {
    private KafkaFutures() {}

    /**
     * Blocks until the future has completed, as long as the client's timeout.
     *
     * @throws KafkaException where it fails
     * @throws InterruptException where the thread is interrupted; it still is then
     */
    public static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            throw new InterruptException("interrupted", e);
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    /**
     * As {@link #get(KafkaFuture)}, for a shorter time.
     *
     * @throws TimeoutException where it takes longer
     */
    public static <T> T get(KafkaFuture<T> future, Duration timeout) {
        try {
            return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new InterruptException("interrupted", e);
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("Kafka did not answer within " + timeout.toSeconds() + " s", e);
        }
    }

    private static KafkaException failure(ExecutionException e) {
        return e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
    }
}
