package millrace.simulation.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import millrace.runtime.kafka.KafkaClientFactory;

/** A Kafka that the cases of a contract run on: a real one or the model. */
interface ContractKafka extends AutoCloseable {
    /** What every client's configuration begins with. */
    Map<String, Object> config();

    KafkaClientFactory clients();

    void createTopic(String name, int partitions);

    /** Runs a case on a thread that may use the clients. */
    void run(Case body) throws Exception;

    /** Runs something beside it. */
    <T> CompletableFuture<T> beside(Callable<T> task);

    void sleep(Duration time) throws InterruptedException;

    @Override
    void close();

    /** What one test does. */
    interface Case {
        void run() throws Exception;
    }
}
