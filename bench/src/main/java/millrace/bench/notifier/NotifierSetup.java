package millrace.bench.notifier;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import millrace.bench.process.BenchAccounts;
import millrace.bench.process.BenchKafka;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.Service;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.producer.KafkaProducer;

/** A broker with accounts {@code a0}, {@code a1}, …, and receivers of their webhooks. */
final class NotifierSetup implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final BenchKafka kafka = BenchKafka.start();
    private final Receivers receivers;

    /** @param endpoints number of accounts, each with a receiver with its own port */
    NotifierSetup(int endpoints) throws IOException, InterruptedException {
        // They start after the broker, because they take so many ports that one might be the one it has found free.
        receivers = Receivers.start(endpoints, kafka.folder());
        Path unused = BenchAccounts.write(
                kafka.folder(), IntStream.range(0, endpoints).mapToObj(i -> "a" + i));
    }

    BenchKafka kafka() {
        return kafka;
    }

    Receivers receivers() {
        return receivers;
    }

    /**
     * Starts a notifier and waits until it has taken over all partitions.
     *
     * @param prefix of the command, for example {@code taskset -c 0}
     */
    ChildProcess notifier(List<String> prefix, List<String> jvmOptions, String... settings)
            throws IOException, InterruptedException {
        ChildProcess notifier = Service.NOTIFIER.launch(prefix, kafka, kafka.folder(), jvmOptions, settings);
        for (int taken = 0; taken < kafka.partitions(); taken++) {
            String unused = notifier.await("partition taken over", TIMEOUT);
        }
        return notifier;
    }

    ChildProcess notifier(String heap, String... settings) throws IOException, InterruptedException {
        return notifier(List.of(), List.of(heap), settings);
    }

    /** Pins broker and receivers to a core if the machine has {@code taskset}. */
    void pin(String core) throws IOException, InterruptedException {
        for (ChildProcess child : List.of(kafka.process(), receivers.process())) {
            new ProcessBuilder("taskset", "-a", "-p", "-c", core, Long.toString(child.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
    }

    /**
     * Waits until the notifiers have taken everything from the source and have committed that.
     *
     * @throws IllegalStateException if that takes longer
     */
    void awaitRead(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        for (long unread = unread(); unread > 0; unread = unread()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(unread + " events are not read");
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    private long unread() throws InterruptedException {
        return kafka.unread(ConsumerGroups.NOTIFIERS, Topics.DELIVERIES);
    }

    /** @param linger milliseconds */
    KafkaProducer<String, byte[]> producer(int linger) {
        return kafka.producer(linger, 1 << 14);
    }

    @Override
    public void close() throws IOException {
        receivers.close();
        kafka.close();
    }
}
