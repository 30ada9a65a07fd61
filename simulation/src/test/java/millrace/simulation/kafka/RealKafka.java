package millrace.simulation.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** A real broker. */
final class RealKafka implements ContractKafka {
    private final TestKafka kafka = TestKafka.fresh();

    @Override
    public Map<String, Object> config() {
        return Map.of("bootstrap.servers", kafka.bootstrapServers());
    }

    @Override
    public KafkaClientFactory clients() {
        return KafkaClientFactory.ofKafka();
    }

    @Override
    public void createTopic(String name, int partitions) {
        try (Admin admin = Admin.create(config())) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
                    .all()
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("cannot create " + name, e);
        }
    }

    @Override
    public void run(Case body) throws Exception {
        body.run();
    }

    @Override
    public <T> CompletableFuture<T> concurrently(Callable<T> task) {
        var result = new CompletableFuture<T>();
        Thread.startVirtualThread(() -> {
            try {
                result.complete(task.call());
            } catch (Exception | AssertionError e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        var unused = new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        kafka.close();
    }
}
