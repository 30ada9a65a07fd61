package millrace.simulation.kernel;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;

/** A run with threads, queues and timers, to compare traces. */
final class MixedThreadsRun {
    private MixedThreadsRun() {}

    public static void main(String[] seeds) {
        System.out.print(hash(Long.parseLong(seeds[0])));
    }

    static long hash(long seed) {
        try (var scheduler = new Scheduler(seed)) {
            SimulatedProcess process = scheduler.process("p");
            var queue = new LinkedBlockingQueue<String>();
            Map<String, Integer> counts = new LinkedHashMap<>();
            for (String name : new String[] {"a", "b", "c"}) {
                process.threads().virtual().name(name).start(() -> {
                    for (int i = 0; i < 20; i++) {
                        queue.add(name + i);
                        process.mayYield();
                        process.threads().parkNanos(scheduler.random().nextInt(1_000_000));
                    }
                });
            }
            process.threads().platform().start(() -> {
                try {
                    while (true) {
                        String taken = queue.take();
                        counts.merge(taken, 1, Integer::sum);
                        scheduler.trace().add(taken);
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            scheduler.run(() -> counts.size() == 60, Duration.ofMinutes(1));
            return scheduler.trace().hash();
        }
    }
}
