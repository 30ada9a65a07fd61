package millrace.simulation.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;

/** The simulated Kafka. */
final class ModelKafka implements ContractKafka {
    private static final Duration AT_MOST = Duration.ofMinutes(10);

    final Scheduler scheduler;
    final SimulatedKafka kafka;
    final SimulatedProcess process;

    ModelKafka(long seed) {
        scheduler = new Scheduler(seed);
        kafka = new SimulatedKafka(scheduler);
        process = scheduler.process("test");
    }

    @Override
    public Map<String, Object> config() {
        return Map.of();
    }

    @Override
    public KafkaClientFactory clients() {
        return kafka.clientsOf(process);
    }

    @Override
    public void createTopic(String name, int partitions) {
        kafka.createTopic(name, partitions);
    }

    @Override
    public void run(Case body) {
        CompletableFuture<Boolean> done = concurrently(() -> {
            body.run();
            return true;
        });
        if (!scheduler.run(done::isDone, AT_MOST)) {
            throw new AssertionError(
                    "does not end; " + String.join("\n", scheduler.trace().tail(50)));
        }
        var unused = done.join();
    }

    @Override
    public <T> CompletableFuture<T> concurrently(Callable<T> task) {
        var result = new CompletableFuture<T>();
        process.threads().virtual().start(() -> {
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
        process.threads().sleep(time);
    }

    @Override
    public void close() {
        scheduler.close();
    }
}
