package millrace.simulation.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import millrace.runtime.kafka.KafkaClientFactory;

/** The Kafka on which the cases of a contract run: a real broker or the model. */
interface ContractKafka extends AutoCloseable {
    /** The common configuration of all clients. */
    Map<String, Object> config();

    KafkaClientFactory clients();

    void createTopic(String name, int partitions);

    /** Runs a case on a thread that may use the clients. */
    void run(Case body) throws Exception;

    /** Runs a task concurrently with the case. */
    <T> CompletableFuture<T> concurrently(Callable<T> task);

    void sleep(Duration time) throws InterruptedException;

    @Override
    void close();

    /** The body of one test. */
    interface Case {
        void run() throws Exception;
    }
}
